#!/usr/bin/env python3
"""Kills sweeps at random moments, and checks that the same command ends with the same bits.

    tests/faults/kills.py                   # 200 kills: `make kills`
    tests/faults/kills.py --kills 8 --seed 3

A sweep of four trials is killed one to three times, at moments drawn from the time that it takes: its worker alone, the program
alone, or the whole tree of processes; with one or three lanes to a worker. The same command then runs to its end. Metrics and
weights must be those of a sweep that nothing happened to.
"""
import argparse
import collections
import concurrent.futures
import copy
import dataclasses
import os
import pathlib
import random
import signal
import sys
import time

from workplace import EXPERIMENT, Programs, Workplace, with_progress

ROOT = pathlib.Path(__file__).resolve().parents[2]
VICTIMS = ["worker", "program", "tree"]


def larger_experiment():
    experiment = copy.deepcopy(EXPERIMENT)
    experiment["seeds"] = 2
    experiment["train"]["budget"]["steps"] = 40
    return experiment


@dataclasses.dataclass
class Sweep:
    """One sweep and its kills: (victim, moment as a fraction of the time that the sweep takes)."""
    lanes: int
    kills: list
    struck: int = 0   # how many of the kills found their victim alive
    wrong: list = dataclasses.field(default_factory=list)


def children(process):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def kill(process, victim):
    """Kills the victim; returns whether it was alive. A worker that does not run yet is waited for."""
    while victim == "worker" and not children(process.pid) and process.poll() is None:
        time.sleep(0.002)
    workers = children(process.pid)
    doomed = {"worker": workers, "program": [process.pid], "tree": [process.pid, *workers]}[victim]
    for number in doomed:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return bool(doomed)


def killed_once(place, arguments, victim, seconds):
    """Starts the sweep and kills the victim after some seconds. Returns whether it was there, and the exit code."""
    process = place.started(arguments)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.002)
    struck = process.poll() is None and kill(process, victim)
    process.communicate()
    return struck, process.returncode


def endured(programs, sweep, seconds, reference):
    with Workplace(programs, larger_experiment()) as place:
        arguments = place.run_arguments(lanes=sweep.lanes)
        for victim, moment in sweep.kills:
            struck, code = killed_once(place, arguments, victim, moment * seconds)
            sweep.struck += struck
            if code not in (0, 1, -signal.SIGKILL):
                sweep.wrong.append(f"ended with {code} after its {victim} was killed at {moment:.3f} of its time")
        last = place.ablate(arguments)
        if last.code != 0:
            sweep.wrong.append(f"the same command again ends with {last.code}: {last.last_words()}")
        elif place.numbers("results") != reference:
            sweep.wrong.append("other metrics or weights than those of an uninterrupted sweep")
        else:
            sweep.wrong += place.outlived("results") + place.unnamed("results")
    return sweep


def drawn(kills, rng):
    """Sweeps that have that many kills together."""
    sweeps = []
    while kills > 0:
        count = min(kills, rng.randint(1, 3))
        moments = [(rng.choice(VICTIMS), rng.random()) for _ in range(count)]
        sweeps.append(Sweep(rng.choice((1, 3)), moments))
        kills -= count
    return sweeps


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="sweeps at one time")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where the programs are")
    return parser.parse_args()


def main():
    options = parse()
    programs = Programs(options.build.resolve(), pathlib.Path("/"))  # without a shim
    programs.check()
    with Workplace(programs, larger_experiment()) as place:
        start = time.monotonic()
        ended = place.ablate(place.run_arguments())
        seconds = time.monotonic() - start
        reference = place.numbers("results")
    if ended.code != 0 or isinstance(reference, str):
        sys.exit(f"kills: without a kill, the sweep ended with {ended.code}: {ended.errors}{reference}")
    struck, sweeps, bad = collections.Counter(), 0, 0
    rng = random.Random(options.seed)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while (left := options.kills - sum(struck.values())) > 0:  # a sweep may end before it is to be killed
            tries = drawn(left, rng)
            done = pool.map(lambda one: endured(programs, one, seconds, reference), tries)
            for sweep in with_progress(done, len(tries), "sweeps"):
                struck[f"{sweep.lanes} lane{'s' * (sweep.lanes > 1)}"] += sweep.struck
                sweeps += 1
                bad += bool(sweep.wrong)
                for wrong in sweep.wrong:
                    print(f"{sweep.lanes} to a worker, {sweep.kills}: {wrong}", flush=True)
    print(f"{sum(struck.values())} kills: " + ", ".join(f"{count} with {lanes}" for lanes, count in sorted(struck.items())))
    print(f"{sweeps - bad} of {sweeps} sweeps ended with the same bits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
