"""The peers of `versus`: PyTorch of one or several Pythons, eager and compiled, in two precisions, on two heaps."""
import dataclasses
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# glibc told to keep freed memory: an eager trainer gains up to a third by it.
KEPT_HEAP = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": str(64 << 20)}
PRECISIONS = ["float32", "bfloat16"]
START_UP = 120  # seconds that a process may take to load PyTorch
BUILDING = 120  # and to build a model: PyTorch 2 loads its compiler for it, even where that is not used
COMPILING = 600  # seconds that the first step of a compiled trainer may take
ANSWER = 120  # seconds that the steps after the first may take
LOOK = 0.25  # seconds after which it is looked again how long a step has run
STALLED = 600  # seconds that a first step may take in all, with the time in which it waited for the processor


@dataclasses.dataclass(frozen=True)
class Python:
    """An interpreter that has PyTorch."""
    program: str
    version: str  # of PyTorch

    @property
    def release(self):
        return re.match(r"\d+(\.\d+)?", self.version).group()

    @property
    def compiles(self):
        return int(self.release.split(".")[0]) >= 2


@dataclasses.dataclass(frozen=True)
class Variant:
    """A trainer that is timed: by one PyTorch, eager or compiled, in one precision."""
    python: Python
    compiled: bool
    precision: str

    @property
    def name(self):
        return f"{self.python.release} {'compiled' if self.compiled else 'eager'} {self.precision}"

    @property
    def peers(self):
        """Compiling takes long: it is tried on the heap that is the faster for all others."""
        return [Peer(self, kept) for kept in ([True] if self.compiled else [False, True])]


@dataclasses.dataclass(frozen=True)
class Peer:
    """A variant on one of the two heaps."""
    variant: Variant
    kept_heap: bool

    @property
    def name(self):
        return self.variant.name + (", kept heap" if self.kept_heap else "")

    def flags(self, row, seconds):
        """What asks peer.py for a timing of it."""
        return ["--size", row["size"], "--objective", row["objective"], "--precision", self.variant.precision, "--seconds",
                str(seconds), *(["--compile"] if self.variant.compiled else [])]


class Failed(Exception):
    """A peer ended with an error."""


class TooSlow(Exception):
    """A peer's first step had not ended in the time that it had, in seconds of the processor."""

    def __init__(self, seconds):
        super().__init__(f"its first step had not ended after {seconds:.0f} s of the processor")
        self.seconds = seconds


def version_of(program):
    """PyTorch's version; nothing where this Python has none."""
    found = subprocess.run([program, "-c", "import torch; print(torch.__version__)"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return None if found.returncode else found.stdout.strip()


def named_pythons(programs):
    """What the user named, each of which must have a PyTorch of its own."""
    pythons = []
    for program in programs:
        found = shutil.which(program)
        if found is None:
            sys.exit(f"versus: there is no program {program}; name a Python with PyTorch by --python")
        version = version_of(program)
        if version is None:
            sys.exit(f"versus: {program} has no PyTorch to compare with; on Debian: apt-get install python3-torch "
                     "(or name another Python by --python)")
        pythons.append(Python(os.path.abspath(found), version))  # peers are started in the repository's root
        if [each.release for each in pythons].count(pythons[-1].release) > 1:
            sys.exit(f"versus: --python {program}: another one has PyTorch {pythons[-1].release}, too; name one of each release")
    return pythons


def installed_pythons():
    """The system's Python and the one on the path, where they have PyTorch; one of each release."""
    found = {}
    for program in dict.fromkeys(each for each in ("/usr/bin/python3", shutil.which("python3")) if each):
        if shutil.which(program) and (version := version_of(program)):
            python = Python(program, version)
            found.setdefault(python.release, python)
    if not found:
        sys.exit("versus: no Python here has PyTorch to compare with; on Debian: apt-get install python3-torch "
                 "(or name another Python by --python)")
    return list(found.values())


def processor_seconds(pid):
    """What a process has run, on a clock of its own; where the system does not say it, the time."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return time.monotonic()


class PeerProcess:
    """A peer that stays: PyTorch is loaded and a model compiled once, not for each timing."""

    def __init__(self, command, folder, stalled=STALLED):
        self.stalled = stalled
        self.errors = tempfile.TemporaryFile()
        # A group of its own: a program around Python, and the compilers that PyTorch starts, end with it.
        self.process = subprocess.Popen(command, cwd=folder, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, start_new_session=True)
        try:
            hello = self.answer(START_UP)
            if hello is None:
                raise Failed(f"it had not loaded PyTorch after {START_UP} s")
            self.pid = hello["pid"]  # not the process's, where a program around Python started another
        except Failed:
            self.stop()
            raise

    def answer(self, seconds):
        """The next line; nothing where it takes longer."""
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        line = self.process.stdout.readline()
        if not line:
            raise Failed(self.last_error())
        return json.loads(line)

    def last_error(self):
        """The last line that is one: PyTorch's compiler prints advice after it."""
        self.process.wait()
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors.read().decode(errors="replace").splitlines() if line.strip()]
        named = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Failed)\b", line)]
        return (named or lines or [f"it ended with status {self.process.returncode}"])[-1]

    def time(self, flags, first_step):
        """The answer to these flags, the first step of which may run for so many seconds."""
        try:
            self.process.stdin.write((json.dumps(flags) + "\n").encode())
        except BrokenPipeError:
            raise Failed(self.last_error()) from None
        if self.answer(BUILDING) is None:
            raise Failed(f"its model was not built after {BUILDING} s")
        self.wait_for_first_step(first_step)
        found = self.answer(ANSWER)
        if found is None:
            raise Failed(f"its steps took longer than {ANSWER} s")
        return found

    def wait_for_first_step(self, seconds):
        """Its own time counts: on a shared machine a step may wait long for the processor and be none the slower."""
        started, deadline = processor_seconds(self.pid), time.monotonic() + self.stalled
        while self.answer(LOOK) is None:
            ran = processor_seconds(self.pid) - started
            if ran >= seconds:
                raise TooSlow(ran)
            if time.monotonic() > deadline:
                raise Failed(f"its first step had not ended after {self.stalled:.0f} s, in which it ran for {ran:.1f} s")

    def stop(self):
        """Ends it at once: a step cannot be asked to end."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()


class PeerProcesses:
    """One process for each Python and heap, started when it is first asked for, and again after it was ended."""

    def __init__(self, prefix, script, folder):
        self.prefix, self.script, self.folder = prefix, script, folder
        self.running = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.running.values():
            process.stop()

    def command(self, peer):
        heap = ["env", *(f"{key}={value}" for key, value in KEPT_HEAP.items())] if peer.kept_heap else []
        return self.prefix + heap + [peer.variant.python.program, self.script]

    def time(self, peer, flags, first_step):
        key = (peer.variant.python, peer.kept_heap)
        try:
            if key not in self.running:
                self.running[key] = PeerProcess(self.command(peer) + ["--serve"], self.folder)
            return self.running[key].time(flags, COMPILING if peer.variant.compiled else first_step)
        except (Failed, TooSlow) as fault:
            if key in self.running:
                self.running.pop(key).stop()
            if peer.variant.compiled and isinstance(fault, TooSlow):
                raise Failed(f"it had not compiled after {COMPILING} s") from None  # which says nothing of its steps
            raise
