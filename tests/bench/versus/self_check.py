"""Checks `versus` on made-up timings: what is compared, what is left out, and what is said of it."""
import sys

import figures
from first_round import LONGEST, SHORTEST, FirstRound
from peers import Failed, PeerProcess, Python, TooSlow

TOKENS_A_STEP = 2000
OLD, NEW = Python("old/python", "1.13.0a0"), Python("new/python", "2.6.0+debian")


def ratios():
    """Different peers are best in different rounds."""
    rounds = [{"peers": {"float32": 100, "bfloat16": 20}, "ours": {"float32": 200}},
              {"peers": {"float32": 100, "bfloat16": 400}, "ours": {"float32": 200}},
              {"peers": {"float32": 100, "bfloat16": 30}, "ours": {"float32": 300}}]
    assert figures.best_peer(rounds) == ("float32", 100), figures.best_peer(rounds)  # bfloat16's mean is higher, its median is not
    expected = {"tokens_per_second": 200, "ratio": 2, "minimum": 0.5, "maximum": 3}
    assert figures.summary(rounds, "float32") == expected, figures.summary(rounds, "float32")
    row = {"size": "M", "objective": "masked", "rounds": rounds}
    line = figures.table([row], ["float32"]).splitlines()[-1]
    assert line == "| M masked 15 % | 100 (float32) | 200 | **2.00** (0.50 to 3.00) |", line


def ratios_without_a_peer():
    """A peer that the first round alone has counts in that round, is never the best of all, and keeps its figure."""
    rounds = [{"peers": {"float32": 100, "bfloat16": 300}, "ours": {"float32": 300}},
              {"peers": {"float32": 100}, "ours": {"float32": 200}},
              {"peers": {"float32": 150}, "ours": {"float32": 600}}]
    assert figures.best_peer(rounds) == ("float32", 100), figures.best_peer(rounds)
    expected = {"tokens_per_second": 300, "ratio": 2, "minimum": 1, "maximum": 4}
    assert figures.summary(rounds, "float32") == expected, figures.summary(rounds, "float32")
    rows = [{"size": "S", "objective": "causal", "rounds": rounds},
            {"size": "M", "objective": "causal", "rounds": [{"peers": {"float32": 7}}] * 3}]
    lines = figures.peers_table(rows).splitlines()[2:]
    assert lines == ["| float32 | 100 | 7 |", "| bfloat16 | 300 (round 1) | – |"], lines


def first_round(rates, pythons, ran=1):
    """A first round of these rates, {peer: tokens/s or what is raised}: the names of those that stay, what is said of the others, and
    the seconds that each first step had. Each peer ran in this fraction of the time."""
    waits = {}

    def time_peer(peer, first_step, give_up_below):
        rate = rates[peer.name]
        waits[peer.name] = first_step
        if isinstance(rate, Exception):
            raise rate
        given_up = rate < give_up_below
        return {"tokens_per_second": rate, "tokens_per_processor_second": rate / ran, "given_up": given_up, "steps": 1 if given_up else 9}

    staying, left_out = FirstRound(time_peer, TOKENS_A_STEP).run(pythons)
    return [peer.name for peer in staying], [str(each) for each in left_out], waits


OF_OLD = {"1.13 eager float32": 1000, "1.13 eager float32, kept heap": 900,
          "1.13 eager bfloat16": 600, "1.13 eager bfloat16, kept heap": 2000}
FLOAT32, FLOAT32_KEPT, BFLOAT16, BFLOAT16_KEPT = OF_OLD


def half_as_fast_stays():
    """A precision is as fast as on the better of its heaps: neither is left out though two peers are far behind."""
    staying, said, waits = first_round(OF_OLD, [OLD])
    assert staying == list(OF_OLD) and said == [], (staying, said)
    assert waits == {FLOAT32: LONGEST, FLOAT32_KEPT: 16, BFLOAT16: 16, BFLOAT16_KEPT: 16}, waits


def waiting_for_the_processor_does_not_count():
    """Where others have the processor half of the time, a first step is still compared with what the fastest itself takes."""
    _, _, waits = first_round({name: rate / 2 for name, rate in OF_OLD.items()}, [OLD], 1 / 2)
    assert waits == {FLOAT32: LONGEST, FLOAT32_KEPT: 16, BFLOAT16: 16, BFLOAT16_KEPT: 16}, waits


def slower_than_half_is_left_out():
    staying, said, _ = first_round(OF_OLD | {BFLOAT16_KEPT: 2100}, [OLD])
    assert staying == [BFLOAT16, BFLOAT16_KEPT], staying
    assert said == [f"{FLOAT32} is left out from round 2 on: 2.10 times slower than {BFLOAT16_KEPT} in round 1"], said


def far_slower_is_not_tried_twice():
    staying, said, waits = first_round({FLOAT32: 1000, FLOAT32_KEPT: 1250, BFLOAT16: 250}, [OLD])
    assert staying == [FLOAT32, FLOAT32_KEPT], staying
    slower = f"{BFLOAT16} is left out from round 2 on: 5.00 times slower than {FLOAT32_KEPT} in round 1"
    assert said == [f"{slower} (timed for 1 step)"], said
    assert waits == {FLOAT32: LONGEST, FLOAT32_KEPT: 16, BFLOAT16: 12.8}, waits


def slow_heap_stays_with_the_other():
    """A stall of the machine in one timing costs a peer no later round."""
    staying, said, _ = first_round(OF_OLD | {FLOAT32_KEPT: 100}, [OLD])
    assert staying == list(OF_OLD) and said == [], (staying, said)


def first_step_is_not_waited_for():
    staying, said, waits = first_round({FLOAT32: 2000, FLOAT32_KEPT: 2000, BFLOAT16: TooSlow(10)}, [OLD])
    assert staying == [FLOAT32, FLOAT32_KEPT] and waits[BFLOAT16] == SHORTEST, (staying, waits)
    slower = f"{BFLOAT16} is left out from round 2 on: over 10.00 times slower than {FLOAT32} in round 1"
    assert said == [f"{slower} (its first step had not ended after 10 s of the processor)"], said


def failure_is_said():
    """Of all that a precision has, and of one heap, where the other stays."""
    staying, said, _ = first_round(OF_OLD | {BFLOAT16: Failed("RuntimeError: no such product")}, [OLD])
    assert staying == [FLOAT32, FLOAT32_KEPT], staying
    assert said == [f"{BFLOAT16} is left out: RuntimeError: no such product"], said
    staying, said, _ = first_round(OF_OLD | {BFLOAT16_KEPT: Failed("out of memory")}, [OLD])
    assert staying == [FLOAT32, FLOAT32_KEPT, BFLOAT16], staying
    assert said == [f"{BFLOAT16_KEPT} is left out: out of memory"], said


def compiles_in_the_faster_precision():
    of_new = {"2.6 eager float32": 1100, "2.6 eager float32, kept heap": 1200, "2.6 eager bfloat16": 1180,
              "2.6 eager bfloat16, kept heap": 1190, "2.6 compiled float32, kept heap": 1500}
    staying, said, waits = first_round(OF_OLD | of_new, [OLD, NEW])
    assert staying == list(OF_OLD | of_new) == list(waits) and said == [], (staying, said)
    broken = OF_OLD | of_new | {"2.6 compiled float32, kept heap": Failed("no compiler")}
    staying, said, _ = first_round(broken, [OLD, NEW])
    assert staying == list(OF_OLD | of_new)[:-1] and said == ["2.6 compiled float32 is left out: no compiler"], (staying, said)


def nothing_to_compare_with():
    try:
        first_round({FLOAT32: Failed("killed"), BFLOAT16: Failed("killed, too")}, [OLD])
    except SystemExit as ended:
        assert str(ended) == f"versus: no peer could be timed: {FLOAT32}: killed; {BFLOAT16}: killed, too", ended
    else:
        raise AssertionError("a row without peers")


# A process that answers as peer.py does, computes without end, waits or dies, as it is told.
SERVER = """
import json, os, sys, time
print(json.dumps({"torch": "1.13", "pid": os.getpid()}), flush=True)
for line in sys.stdin:
    told = json.loads(line)[0]
    if told == "dies":
        sys.exit("ValueError: told to\\nFor more advice see ...")
    print(json.dumps({"parameters": 3}), flush=True)
    while told == "computes":
        pass
    if told == "waits":
        time.sleep(600)
    print(json.dumps({"first_step_seconds": 0.1}), flush=True)
    print(json.dumps({"tokens_per_second": 7}), flush=True)
"""


def processes():
    """A real process is asked twice, killed in a step that takes too long, and quoted where it ends with an error."""
    def raised(told, first_step, stalled=600):
        process = PeerProcess([sys.executable, "-c", SERVER], ".", stalled)
        try:
            assert [process.time(["works"], 60)["tokens_per_second"] for _ in range(2)] == [7, 7]
            process.time([told], first_step)
        except (Failed, TooSlow) as fault:
            return fault
        finally:
            process.stop()
            assert process.process.returncode is not None

    dead, slow, stalled = raised("dies", 60), raised("computes", 0.1), raised("waits", 0.1, 1)
    assert isinstance(dead, Failed) and str(dead) == "ValueError: told to", repr(dead)
    assert isinstance(slow, TooSlow) and 0.1 <= slow.seconds < 60, repr(slow)
    assert isinstance(stalled, Failed) and str(stalled).startswith("its first step had not ended after 1 s"), repr(stalled)


def run():
    for check in [ratios, ratios_without_a_peer, half_as_fast_stays, waiting_for_the_processor_does_not_count,
                  slower_than_half_is_left_out, far_slower_is_not_tried_twice, slow_heap_stays_with_the_other,
                  first_step_is_not_waited_for, failure_is_said, compiles_in_the_faster_precision, nothing_to_compare_with,
                  processes]:
        check()
