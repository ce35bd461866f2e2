#!/usr/bin/env python3
"""clang-tidy on the sources that a build folder compiles one by one. Most of its time is what it finds in
the headers of libraries, so it reads many sources as one unit. A unit that passed before is not read
again, in another clone neither: same text after preprocessing (with comments and macros, which checks read
too), same flags, same clang-tidy, same .clang-tidy.

    .ci/tidy.py FOLDER [--leave-out REGEX] [--unit SOURCES] [--passed FOLDER]
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import time

from sources import check_all, hash_of, output_of, sources_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
SETTINGS = ROOT / ".clang-tidy"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "ablate-tidy"
FORGOTTEN_AFTER = 30 * 86400  # seconds without use
LOCAL = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum(?: class)?|union|using) (\w+)", re.MULTILINE)
OTHER = re.compile(r"^(?![\s}/#]|struct|class|enum|union|using|namespace)[^(={;\[]*?\b(\w+)\s*[(={;\[]", re.MULTILINE)


def local_names(text):
    """What a source defines for itself; another source of its unit may not define the same again."""
    return {name for local in LOCAL.findall(text) for kind in (TYPE, OTHER) for name in kind.findall(local)}


def packed(sources, size):
    """The sources in units of at most `size`, each in the first that has none of its names."""
    units = []
    for source in sources:
        names = local_names(source.file.read_text())
        for unit, taken in units:
            if len(unit) < size and not names & taken:
                unit.append(source)
                taken |= names
                break
        else:
            units.append(([source], names))
    return [unit for unit, _ in units]


class Tidy:
    def __init__(self, folder, passed):
        self.passed = passed
        self.units = folder.resolve() / "units"
        self.version = subprocess.run(["clang-tidy", "--version"], check=True, stdout=subprocess.PIPE).stdout
        for made in (self.passed, self.units):
            made.mkdir(parents=True, exist_ok=True)

    def written(self, unit):
        """The file of a unit and its flags, in a folder of its own, where clang-tidy looks for them."""
        flags = list(dict.fromkeys(flag for source in unit for flag in joined(source.flags)))
        text = "".join(f'#include "{source.file}"\n' for source in unit)
        place = self.units / hash_of(*map(in_any_clone, [text, *flags]))[:16]
        place.mkdir(exist_ok=True)
        file = place / "unit.cpp"
        file.write_text(text)
        entry = {"directory": str(unit[0].folder), "file": str(file), "command": f"c++ {' '.join(flags)} -c {file}"}
        (place / "compile_commands.json").write_text(json.dumps([entry]))
        return file, [word for flag in flags for word in shlex.split(flag)]

    def check(self, unit):
        """(passed, output, whether it was read). A unit whose sources cannot be compiled as one is halved."""
        file, flags = self.written(unit)
        text = subprocess.run(["clang++", *flags, "-w", "-E", "-C", "-dD", file], cwd=unit[0].folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if text.returncode:
            return False, f"{file}: {text.stderr.decode(errors='replace')}", True
        key = hash_of(self.version, SETTINGS.read_bytes(), *map(in_any_clone, flags),
                      in_any_clone(text.stdout.decode(errors="surrogateescape")))
        if (self.passed / key).exists():
            (self.passed / key).touch()
            return True, "", False
        status, output = output_of(["clang-tidy", "--quiet", f"--config-file={SETTINGS}", "-p", file.parent, file])
        if "clang-diagnostic-error" in output and len(unit) > 1:
            return self.halved(unit)
        if status == 0:
            (self.passed / key).touch()
        return status == 0, output, True

    def halved(self, unit):
        names = ", ".join(source.file.name for source in unit)
        print(f"clang-tidy: cannot be compiled as one, and is read in halves: {names}", flush=True)
        middle = len(unit) // 2
        halves = [self.check(unit[:middle]), self.check(unit[middle:])]
        return all(half[0] for half in halves), "\n".join(half[1] for half in halves if half[1]), True

    def forget(self):
        for old in self.passed.iterdir():
            if time.time() - old.stat().st_mtime > FORGOTTEN_AFTER:
                old.unlink(missing_ok=True)


def in_any_clone(text):
    """The text without the place of this clone."""
    return text.replace(str(ROOT), ".").encode(errors="surrogateescape")


def joined(flags):
    """The flags, each with its value ("-isystem /usr/include/utf8cpp") as one, quoted for a shell."""
    result = []
    for flag in flags:
        if result and result[-1] in ("-isystem", "-I", "-D", "-include"):
            result[-1] += " " + shlex.quote(flag)
        else:
            result.append(shlex.quote(flag))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--leave-out", default="^$", help="sources whose path holds this pattern are not read")
    parser.add_argument("--unit", type=int, default=32, help="how many sources are read as one at most")
    parser.add_argument("--passed", type=pathlib.Path, default=CACHE, help="where what passed is kept (%(default)s)")
    options = parser.parse_args()
    sources = [source for source in sources_of(options.folder) if not re.search(options.leave_out, str(source.file))]
    if not sources:
        raise SystemExit(f"{options.folder}: no source is left to read; --leave-out is '{options.leave_out}'")
    tidy = Tidy(options.folder, options.passed)
    try:
        check_all(packed(sources, options.unit), tidy.check, "clang-tidy")
    finally:
        tidy.forget()


if __name__ == "__main__":
    main()
