#!/usr/bin/env python3
"""The tests that took over 5 s, the slowest first, each with the reason that .ci/slow-tests gives.

    .ci/slow_tests.py LOG    # of ctest: build/release/Testing/Temporary/LastTest.log
"""
import pathlib
import re
import sys

SECONDS = 5
REASONS = pathlib.Path(__file__).resolve().parent / "slow-tests"
IN_A_PROGRAM = re.compile(r"^\[(?:       OK |  FAILED  )\] (\S+?)(?:, where .*)? \((\d+) ms\)$")
PROGRAM = re.compile(r"^\d+/\d+ Test: (\S+)$")
TOOK = re.compile(r"^Test time = +([0-9.]+) sec$")


def times_of(log):
    """Seconds of every test: those that a program of GoogleTest names, and programs that name none."""
    times, program, named = {}, None, False
    for line in log.splitlines():
        if match := PROGRAM.match(line):
            program, named = match[1], False
        elif match := IN_A_PROGRAM.match(line):
            times[match[1]] = int(match[2]) / 1000
            named = True
        elif (match := TOOK.match(line)) and program and not named:
            times[program] = float(match[1])
    return times


def reasons_of(text):
    """The reason of each test, or of all whose name starts with what stands before a '*'."""
    lines = (line.split(":", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return [(name.strip(), reason.strip()) for name, reason in lines]


def reason_for(test, reasons):
    test = re.sub(r"^[^./]+/", "", test)  # what the values of a parameter are called
    for name, reason in reasons:
        if test == name or name.endswith("*") and test.startswith(name[:-1]):
            return reason
    return "no reason is given: make it faster, or name one in .ci/slow-tests"


def main():
    times = times_of(pathlib.Path(sys.argv[1]).read_text(errors="replace"))
    reasons = reasons_of(REASONS.read_text())
    slow = sorted(((seconds, test) for test, seconds in times.items() if seconds > SECONDS), reverse=True)
    total = sum(seconds for seconds, _ in slow)
    print(f"{len(slow)} of {len(times)} tests took over {SECONDS} s, {total:.0f} s of {sum(times.values()):.0f} s:")
    for seconds, test in slow:
        print(f"{seconds:7.1f} s  {test}: {reason_for(test, reasons)}")


if __name__ == "__main__":
    main()
