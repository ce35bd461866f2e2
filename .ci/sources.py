"""What a build folder compiles, for the checks that read every source: tidy.py and each_source.py."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

# What says where results go, and how to use or list headers that were compiled before.
OUTPUT_FLAGS = {"-o": 2, "-MF": 2, "-MT": 2, "-MD": 1, "-c": 1, "-fpch-preprocess": 1}


class Source:
    """A source and the flags that it is compiled with, those of its output left out."""

    def __init__(self, entry):
        self.file = pathlib.Path(entry["file"])
        self.folder = pathlib.Path(entry["directory"])
        words = shlex.split(entry["command"])
        while not re.search(r"(c|g|clang)\+\+(-[0-9]+)?$", words[0]):
            words.pop(0)  # ccache, and what sets its environment
        self.compiler = words.pop(0)
        self.flags = []
        while words:
            taken = OUTPUT_FLAGS.get(words[0], 0)
            if not taken and words[0] != entry["file"]:
                self.flags.append(words[0])
            del words[: max(taken, 1)]


def sources_of(build):
    """Every source of a build folder, each once."""
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    return list({entry["file"]: Source(entry) for entry in entries}.values())


def hash_of(*parts):
    digest = hashlib.sha256()
    for part in parts:
        part = part if isinstance(part, bytes) else str(part).encode()
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def output_of(command, folder=None):
    """Exit status and what the command wrote, both kinds of output as one."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def check_all(items, check, what):
    """Calls check(item) -> (passed, output, whether it was read) for each, as many at once as there are
    cores; prints what failed. Exit status."""
    failed = read = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for passed, output, was_read in pool.map(check, items):
            failed += not passed
            read += was_read
            if not passed:
                print(output, flush=True)
    print(f"{what}: {read} of {len(items)} read, the others passed before; {failed} failed")
    sys.exit(1 if failed else 0)
