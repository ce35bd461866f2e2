#!/usr/bin/env python3
"""Compiles every source and header alone, so that each includes what it uses: beside others in one unit,
or behind a precompiled header, it could do without. FOLDER is configured without both. One that passed is
not compiled again before it or a header that it includes changes: FOLDER/passed holds what each read.

    .ci/each_source.py FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys
import threading

from sources import Source, check_all, hash_of, output_of, sources_of

HEADERS = ("*.h", "*.cuh")


def units(folder, root):
    """(file, compiler, flags, folder): the sources, and each header with the flags of the source next to it."""
    sources = [source for source in sources_of(folder) if root in source.file.parents and folder not in source.file.parents]
    found = [(source.file, source.compiler, [*source.flags, *language(source.file)], source.folder) for source in sources]
    listed = subprocess.run(["git", "ls-files", *HEADERS], cwd=root, check=True, text=True, stdout=subprocess.PIPE).stdout
    for name in listed.splitlines():
        header = root / name
        near = max(sources, key=lambda source: common_length(source.file, header))
        found.append((header, near.compiler, [*near.flags, "-x", "c++"], near.folder))
    return found


def language(file):
    return ["-x", "c++"] if file.suffix == ".cu" else []


def common_length(one, other):
    """How many folders two paths share; a file of the same stem counts half a folder more."""
    shared = 0
    for left, right in zip(one.parts[:-1], other.parts[:-1]):
        if left != right:
            break
        shared += 1
    return shared + (0.5 if one.stem == other.stem else 0)


def read_files(rule):
    """The files that a rule of make, as the compiler writes it, depends on."""
    return re.split(r"(?<!\\)\s+", rule.split(":", 1)[1].replace("\\\n", " ").strip())


class Passed:
    """What passed, and the content of all that it read then."""

    def __init__(self, file):
        self.file = file
        self.units = json.loads(file.read_text()) if file.exists() else {}
        self.hashes = {}
        self.lock = threading.Lock()

    def content(self, path):
        if path not in self.hashes:
            try:
                self.hashes[path] = hash_of(pathlib.Path(path).read_bytes())
            except OSError:
                self.hashes[path] = "absent"
        return self.hashes[path]

    def key(self, flags, files):
        return hash_of(*flags, *(self.content(file) for file in files))

    def holds(self, name, flags):
        unit = self.units.get(name)
        return unit is not None and unit["key"] == self.key(flags, unit["files"])

    def add(self, name, flags, files):
        with self.lock:
            self.units[name] = {"files": files, "key": self.key(flags, files)}

    def save(self):
        self.file.write_text(json.dumps(self.units))


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parents[1]
    passed = Passed(folder / "passed")

    def check(unit):
        file, compiler, flags, at = unit
        name, told = str(file), [compiler, *flags]
        if passed.holds(name, told):
            return True, "", False
        rule = folder / f"{hash_of(name)}.d"
        if file.suffix in (".h", ".cuh"):
            flags = [*flags, "-include", name, "/dev/null"]
        else:
            flags = [*flags, name]
        status, output = output_of([compiler, "-fsyntax-only", "-MD", "-MF", rule, *flags], at)
        if status:
            return False, f"{file.relative_to(root)} cannot be compiled alone:\n{output}", True
        passed.add(name, told, read_files(rule.read_text()))
        rule.unlink()
        return True, output, True

    try:
        check_all(units(folder, root), check, "each source")
    finally:
        passed.save()


if __name__ == "__main__":
    main()
