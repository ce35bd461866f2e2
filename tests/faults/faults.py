#!/usr/bin/env python3
"""Lets every file-system call of the programs fail once, and checks that the same command then goes on.

    tests/faults/faults.py                                        # everything: `make faults`
    tests/faults/faults.py --sample 3                             # three calls of each command and fault
    tests/faults/faults.py --command worker --call remove         # each call that removes a file
    tests/faults/faults.py --command run --fault EIO --k 17       # one case, with what was said
    tests/faults/faults.py --command collect --list               # the calls that a command makes

For each command of a two-trial sweep the calls that change a file are counted. Then, for each of them and each fault, the command
is run from the same beginning and that call fails: EIO, once; ENOSPC, from that call on; SIGKILL, before that call; CLOCK, the clock is
a day back from that call on. It must end with a documented exit code. The same command, without a fault, must then succeed, the
metrics and weights be those of a sweep that nothing happened to, and `doctor` name every file that is left over. The order of the
calls is checked, too: bytes are on the disk before the name or the next line is.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import sys

from workplace import Fault, Programs, Workplace, out_of_order, with_progress, wrong_ending

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTS = ["EIO", "ENOSPC", "SIGKILL", "CLOCK"]


@dataclasses.dataclass(frozen=True)
class Command:
    program: str               # whose calls fail
    begin: str                 # the state before it, see States
    arguments: list            # of ablate; "run" stands for the sweep's
    results: str = "results"   # where the numbers are afterwards
    then_run: bool = False     # whether the sweep still has to be finished
    sweeps: bool = True        # whether it holds the folder's lock, and so removes what killed processes left

    def words(self, place):
        return place.run_arguments() if self.arguments == ["run"] else self.arguments


COMMANDS = {
    "run": Command("ablate", "nothing", ["run"]),
    "worker": Command("ablate-worker", "nothing", ["run"]),
    "resume": Command("ablate-worker", "stopped", ["run"]),
    "collect": Command("ablate", "parts", ["collect", "@all", "@first", "@second"], "all"),
    "update": Command("ablate", "behind", ["collect", "@results", "@ahead"]),
    "report": Command("ablate", "complete", ["report", "@results"], sweeps=False),
    "doctor": Command("ablate", "damaged", ["doctor", "@results", "--rebuild"], then_run=True),
}


class States:
    """The states that commands begin from, each made once."""

    def __init__(self, programs):
        self.programs = programs
        self.made = {}
        self.reference = None
        for name in ("nothing", "complete", "stopped", "parts", "behind", "damaged"):
            self.made[name] = Workplace(programs)
            getattr(self, name)(self.made[name])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for place in self.made.values():
            place.__exit__()

    @staticmethod
    def must(ended, code=0):
        if ended.code != code:
            sys.exit(f"faults: without a fault, a command ended with {ended.code} in place of {code}: {ended.errors}")

    def nothing(self, place):
        pass

    def complete(self, place):
        self.must(place.ablate(place.run_arguments()))
        with Workplace(self.programs).copied(place) as copy:  # since a report makes the index
            self.reference = copy.numbers("results")
        if isinstance(self.reference, str):
            sys.exit(f"faults: {self.reference}")

    def stopped(self, place):
        # By a signal in the middle of the first trial's training, with a checkpoint.
        self.must(place.ablate(place.run_arguments(), Fault("ablate-worker", "SIGTERM", 14)), 75)

    def parts(self, place):
        for part, arm in (("@first", "clm"), ("@second", "mlm")):
            self.must(place.ablate(place.run_arguments(part, more=("--only", f"arm={arm}"))))

    def behind(self, place):
        place.copied(self.made["stopped"])
        self.must(place.ablate(["collect", "@ahead", "@results"]))
        self.must(place.ablate(place.run_arguments("@ahead")))

    def damaged(self, place):
        # A flipped bit in the last line of one journal, a torn last line of the other, files of killed processes, no index.
        place.copied(self.made["complete"])
        first, second = sorted((place.inside / "results/trials").glob("*/*"))
        lines = (first / "journal.jsonl").read_bytes()
        (first / "journal.jsonl").write_bytes(lines[:-20] + bytes([lines[-20] ^ 1]) + lines[-19:])
        with open(second / "journal.jsonl", "ab") as journal:
            journal.write(b'{"attempt":1,"even')
        (first / "weights.safetensors.tmp.99999.0").write_bytes(b"half")
        (second.parent / f"{second.name}.tmp.99999").mkdir()
        (place.inside / "results/plan.json.tmp.99999.0").write_bytes(b"{")


def counted(states, name):
    """The calls that a command makes where none fails."""
    command = COMMANDS[name]
    with Workplace(states.programs).copied(states.made[command.begin]) as place:
        states.must(place.ablate(command.words(place), Fault(command.program, "none")))
        return place.calls()


@dataclasses.dataclass
class Case:
    command: str
    fault: str
    k: int
    call: str = ""        # the one that failed; empty where the command made fewer
    wrong: list = dataclasses.field(default_factory=list)
    refused: bool = False
    cache_files: int = 0  # temporary ones that were left in the cache
    story: str = ""

    def reproduce(self):
        return f"--command {self.command} --fault {self.fault} --k {self.k}"


def tried(states, case):
    """Runs a command under a fault, then again without, and fills in what was wrong."""
    command = COMMANDS[case.command]
    with Workplace(states.programs).copied(states.made[command.begin]) as place:
        first = place.ablate(command.words(place), Fault(command.program, case.fault, case.k))
        calls = place.calls()
        if len(calls) < case.k:
            return case
        case.call = calls[case.k - 1].split(" ", 1)[1]
        case.wrong += wrong_ending(first, killed=case.fault == "SIGKILL" and command.program == "ablate")
        if first.code == 0 and not command.then_run and place.numbers(command.results) != states.reference:
            case.wrong.append("ended with 0 under the fault, but the numbers are not those of an uninterrupted sweep")
        between = place.files()
        second = place.ablate(command.words(place))
        case.refused = second.code == 2
        if second.code != 0:
            case.wrong.append(f"the same command again ends with {second.code}: {second.last_words()}\n"
                              f"    the fault left: {', '.join(between) or 'nothing'}")
        else:
            case.wrong += after(states, command, place)
        case.cache_files = sum(".tmp." in name for name in place.files("cache"))
        case.story = f"under the fault ({first.code}):\n{first.errors}\nagain ({second.code}):\n{second.errors}"
    return case


def after(states, command, place):
    """What is wrong after the second time."""
    if command.then_run:
        ended = place.ablate(place.run_arguments("@" + command.results))
        if ended.code != 0:
            return [f"`run` afterwards ends with {ended.code}: {ended.last_words()}"]
    numbers = place.numbers(command.results)
    wrong = [] if numbers == states.reference else [f"other numbers: {numbers if isinstance(numbers, str) else 'they differ'}"]
    if command.sweeps:
        wrong += place.outlived(command.results)
    return wrong + place.unnamed(command.results)


def chosen(lines, options):
    """The numbers of the calls that are to fail, of those in `lines`."""
    if options.k:
        return options.k
    among = [number for number, line in enumerate(lines, 1) if options.call in line]
    if options.sample and among:
        return sorted({among[(2 * i + 1) * len(among) // (2 * options.sample)] for i in range(options.sample)})
    return among[::options.every]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", choices=COMMANDS, action="append", help="this one alone; may be repeated")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="this one alone; may be repeated")
    parser.add_argument("--k", type=int, action="append", help="the number of the call that fails; may be repeated")
    parser.add_argument("--call", default="", help="the calls whose name or path contains this text")
    parser.add_argument("--every", type=int, default=1, help="each how many calls")
    parser.add_argument("--sample", type=int, help="how many calls of each command and fault")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="cases at one time")
    parser.add_argument("--list", action="store_true", help="print the calls of a command, and end")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where the programs are")
    parser.add_argument("--shim", type=pathlib.Path, help="the preload library (default: in --build)")
    options = parser.parse_args()
    options.shim = options.shim or options.build / "libablate_faults.so"
    return options


def summary(cases):
    """A line for each command and fault."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.command, case.fault].append(case)
    for (command, fault), group in groups.items():
        struck = [case for case in group if case.call]
        good = sum(not case.wrong for case in struck)
        print(f"{command:8} {fault:8} {good} of {len(struck)} as they must be, {sum(case.refused for case in struck)} refused")


def main():
    options = parse()
    programs = Programs(options.build.resolve(), options.shim.resolve())
    programs.check()
    with States(programs) as states:
        calls = {name: counted(states, name) for name in options.command or COMMANDS}
        if options.list:
            print("\n".join(line for lines in calls.values() for line in lines))
            return 0
        bad = 0
        for name, lines in calls.items():
            wrong = out_of_order(lines)
            bad += len(wrong)
            print("\n    ".join([f"{name}: {len(lines)} calls that change something", *wrong]), flush=True)
        cases = [Case(name, fault, k) for name, lines in calls.items() for fault in options.fault or FAULTS
                 for k in chosen(lines, options)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for case in with_progress(pool.map(lambda one: tried(states, one), cases), len(cases), "cases"):
                for wrong in case.wrong:
                    print(f"{case.reproduce()}  ({case.call})\n    {wrong}", flush=True)
                if options.k:
                    print(case.story)
    summary(cases)
    print(f"{sum(case.cache_files for case in cases)} temporary files were left in the cache")
    bad += sum(bool(case.wrong) for case in cases)
    print(f"{bad} of {len(cases)} cases are not as they must be" if bad else f"all {len(cases)} cases are as they must be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
