#!/usr/bin/env python3
"""Real nights, one after another: does the gate cry wolf, and does it bark?

    tests/nights/nights.py                    # 10 nights of equal programs: `make nights`; none may raise an alarm
    tests/nights/nights.py --slower 10        # tonight's program does a tenth more work in one benchmark: each night must say so

Each night pins the programs anew, as a baseline of its own, trains and times both sides, and judges. A slowdown is planted as real
work: tonight's ablate_bench is asked for work/110 where the suite names work/100. Ends with status 1 where a night is not as it
should be.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = ["ablate", "ablate-worker", "ablate_bench"]
WORK = "work/100"
ALARMS = ("regression", "improvement")

# Asks the real program for more work, and gives it the name of the usual one.
SLOWER = """#!/bin/sh
for word; do
  shift
  case $word in
    --benchmark_filter=*) word=$(printf %s "$word" | sed 's|work/100|work/{work}|g') ;;
    --benchmark_out=*) out=${{word#*=}} ;;
  esac
  set -- "$@" "$word"
done
if [ -z "$out" ]; then {real} "$@" | sed 's|work/{work}|work/100|g'; exit; fi  # it lists its benchmarks
{real} "$@" && sed -i 's|work/{work}|work/100|g' "$out"
"""


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nights", type=int, default=10)
    parser.add_argument("--slower", type=int, choices=[0, 3, 5, 10], default=0, help="percent more work in one benchmark")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="where the programs are")
    parser.add_argument("--home", type=pathlib.Path, help="keep the nightly folder here; by default it is removed")
    options = parser.parse_args()
    if options.nights < 1:
        parser.error("--nights: at least 1")
    for program in PROGRAMS:
        if not (options.build / program).exists():
            sys.exit(f"nights: {options.build / program} is not there; `make build` makes it, --build names another folder")
    return options


def copy_programs(build, folder):
    """A copy, so that a build in the meantime changes nothing."""
    folder.mkdir(parents=True)
    for program in PROGRAMS:
        shutil.copy2(build / program, folder / program)
    return folder


def plant(folder, slower):
    real = folder / "ablate_bench.real"
    (folder / "ablate_bench").rename(real)
    (folder / "ablate_bench").write_text(SLOWER.format(real=real, work=100 + slower))
    (folder / "ablate_bench").chmod(0o755)


def run(command):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def night(kept, tonight, home):
    """The verdict of one night, as `ablate nightly --json` prints it."""
    pinned = run([kept / "ablate", "gate", "pin", "main", "--reason", "a night of equal programs", "--home", home])
    if pinned.returncode != 0:
        sys.exit(f"nights: the pin failed:\n{pinned.stderr}")
    judged = run([tonight / "ablate", "nightly", HERE / "suite.json", "--home", home, "--json"])
    if judged.returncode not in (0, 4, 5):
        sys.exit(f"nights: the night ended with status {judged.returncode}:\n{judged.stderr}")
    return json.loads(judged.stdout)


def as_expected(verdict, slower):
    """No alarm but the planted one; a night of equal programs passes altogether."""
    alarms = [each["series"] for each in verdict["findings"] if each["verdict"] in ALARMS]
    if slower == 0:
        return verdict["verdict"] == "pass" and not alarms
    return verdict["verdict"] == "regression" and alarms == [WORK]


def describe(verdict):
    words = [f"{each['verdict']}: {each['series']}: {each['reason']}" for each in verdict["findings"]
             if each["verdict"] != "pass"]
    dismissed = sum("not confirmed" in each["reason"] for each in verdict["findings"])
    ratios = [each["numbers"]["ratio"] for each in verdict["findings"] if "ratio" in each["numbers"]]
    return words, dismissed, f"{min(ratios):.3f} to {max(ratios):.3f}"


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as scratch:
        place = pathlib.Path(scratch)
        home = options.home or place / "home"
        kept, tonight = copy_programs(options.build, place / "kept"), copy_programs(options.build, place / "tonight")
        if options.slower:
            plant(tonight, options.slower)
        good = 0
        for number in range(1, options.nights + 1):
            started = time.monotonic()
            verdict = night(kept, tonight, home)
            words, dismissed, ratios = describe(verdict)
            good += as_expected(verdict, options.slower)
            print(f"night {number}: {verdict['verdict']}, {len(verdict['findings'])} series, ratios {ratios}, "
                  f"{dismissed} dismissed by the second measurement, {time.monotonic() - started:.0f} s", flush=True)
            for line in words:
                print(f"  {line}", flush=True)
        wanted = f"{WORK} alone reported" if options.slower else "no alarm"
        print(f"{good} of {options.nights} nights: {wanted}")
        return 0 if good == options.nights else 1


if __name__ == "__main__":
    sys.exit(main())
