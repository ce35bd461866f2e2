#!/usr/bin/env python3
"""Counts look-ups of JSON by a literal key (`at`, `value`, `contains`, `find`, `[]`), by room: what a typed
plan is to leave to `file`, `read` and the readers of the store.

    .ci/look_ups.py [COMMIT]      # of the working tree, or of a commit
"""
import collections
import re
import subprocess
import sys

LOOK_UP = re.compile(r'(?:\b(?:at|value|contains|find)\(|\[)"[^"]*"')
FLOORS = ("harness", "objectives", "models", "reports", "experiments")


def files(commit):
    listed = ["git", "ls-tree", "-r", "--name-only", commit] if commit else ["git", "ls-files"]
    for name in subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\n"):
        if name.startswith(FLOORS) and name.endswith((".cpp", ".h")):
            yield name


def text_of(name, commit):
    if not commit:
        with open(name, encoding="utf-8") as file:
            return file.read()
    shown = subprocess.run(["git", "show", f"{commit}:{name}"], check=True, capture_output=True, text=True)
    return shown.stdout


def room_of(name):
    parts = name.split("/")
    if parts[0] != "harness":
        return parts[0]
    return "/".join(parts[1:3] if parts[1] == "plan" and len(parts) > 3 else parts[1:2])


def main():
    commit = sys.argv[1] if len(sys.argv) > 1 else ""
    counts = collections.Counter()
    for name in files(commit):
        counts[room_of(name)] += len(LOOK_UP.findall(text_of(name, commit)))
    for room, count in sorted(counts.items(), key=lambda row: -row[1]):
        if count:
            print(f"{count:5}  {room}")
    print(f"{sum(counts.values()):5}  in all")


main()
