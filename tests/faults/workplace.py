"""Folders to run the programs in, faults to run them under, and what must hold afterwards."""
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

EXPERIMENT = {
    "name": "tiny",
    "question": "Does a fault of the machine change a number?",
    "corpus": {"kind": "language", "topics": 2, "states": 6, "vocabulary": 16, "tokens": 4000, "held_out_tokens": 1024},
    "model": {"depth": 1, "width": 32, "heads": 2, "context": 32},
    "train": {"budget": {"steps": 3}, "batch": 4},
    "arms": [{"name": "clm", "set": {"objective": {"type": "causal_lm"}}},
             {"name": "mlm", "set": {"objective": {"type": "masked_lm"}}}],
    "baseline": "clm",
    "seeds": 1,
    "probes": [{"type": "held_out", "texts": 8, "at": {"fractions": [0.34]}}],
    "analysis": {"primary": "held_out.excess"},
}
# So short that every step writes a checkpoint: the calls of two runs are then the same.
EVERY_STEP = "0.000001"
# What a results folder may hold without a word of `doctor`. Of a trial: its journal, log, checkpoints and weights.
OF_RESULTS = {"plan.json", "experiment.json", "index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "lock"}
OF_A_TRIAL = {"journal.jsonl", "worker.log"}
# 0 done, 1 a fault of the machine, 6 damaged or no space, 75 and 130 stopped with a checkpoint. Not 2 (refused) nor 3 (a trial
# failed): a fault of the machine is neither the user's nor the trial's.
DOCUMENTED = {0, 1, 6, 75, 130}


@dataclasses.dataclass(frozen=True)
class Fault:
    """One call of a program that fails."""
    program: str   # whose calls count
    kind: str      # EIO, ENOSPC, SIGKILL, SIGTERM, CLOCK; or "none", to count
    at: int = 0    # the number of the call, from 1


@dataclasses.dataclass
class Ended:
    code: int      # negative: the number of the signal that ended the program
    output: str
    errors: str

    def last_words(self):
        return (self.errors.strip().splitlines() or ["(nothing on standard error)"])[-1]


@dataclasses.dataclass
class Programs:
    build: pathlib.Path   # where ablate and ablate-worker are
    shim: pathlib.Path    # the library that lets calls fail

    def check(self):
        for file in (self.build / "ablate", self.build / "ablate-worker", self.shim):
            if not file.exists():
                sys.exit(f"{file} is not there; `make build` makes it, --build names another folder")


class Workplace:
    """A temporary folder. Faults strike below `inside`, which holds the results and the cache; the rest lies beside it."""

    def __init__(self, programs, experiment=None):
        self.programs = programs
        # In memory where there is such a place: a thousand syncs of a busy disk take their time.
        parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ablate-faults-", dir=parent)).resolve()
        self.inside = self.folder / "inside"
        self.inside.mkdir()
        self.experiment = self.folder / "tiny.json"
        self.experiment.write_text(json.dumps(experiment or EXPERIMENT))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def copied(self, other):
        """Makes this the state of another workplace. Paths are not stored in results, so that a copy is as good."""
        shutil.copytree(other.inside, self.inside, dirs_exist_ok=True, symlinks=True)
        return self

    def environment(self, fault=None):
        environment = dict(os.environ, ABLATE_CACHE=str(self.inside / "cache"))
        environment.pop("ABLATE_WORKER", None)
        if fault is not None:
            state = self.folder / "state"
            state.write_bytes(bytes(16))
            environment.update(LD_PRELOAD=str(self.programs.shim), FAULT_FOLDER=str(self.inside), FAULT_STATE=str(state),
                               FAULT_PROGRAM=fault.program, FAULT_KIND=fault.kind, FAULT_AT=str(fault.at),
                               FAULT_LOG=str(self.folder / "calls"))
        return environment

    def started(self, arguments, fault=None):
        """A running program. Words that begin with @ are paths below `inside`."""
        words = [str(self.inside / word[1:]) if word.startswith("@") else word for word in arguments]
        (self.folder / "calls").unlink(missing_ok=True)
        return subprocess.Popen([self.programs.build / "ablate", *words], env=self.environment(fault), cwd=self.folder,
                                text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)

    def ablate(self, arguments, fault=None, patience=1200):
        """Runs the program to its end, of which it has `patience` seconds."""
        process = self.started(arguments, fault)
        try:
            output, errors = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            errors += f"\nstill running after {patience} s"
        return Ended(process.returncode, output, errors)

    def run_arguments(self, results="@results", lanes=1, more=()):
        return ["run", str(self.experiment), "--results", results, "--workers", "1", "--lanes", str(lanes),
                "--checkpoint-seconds", EVERY_STEP, "--progress", "none", *more]

    def calls(self):
        """The calls that the last program under a fault made, as the shim wrote them: number, name, path."""
        log = self.folder / "calls"
        return log.read_text(errors="replace").splitlines() if log.exists() else []

    def files(self, below="."):
        """Files and empty folders, as paths from `inside`."""
        found = (self.inside / below).rglob("*")
        return sorted(str(path.relative_to(self.inside)) for path in found if not path.is_dir() or not any(path.iterdir()))

    def numbers(self, results):
        """The metrics of every arm and the hashes of the final weights; a text where there are none."""
        report = self.ablate(["report", "@" + results, "--json"])
        if report.code != 0:
            return f"report ends with {report.code}: {report.last_words()}"
        weights = {str(path.parent.name): hashlib.sha256(path.read_bytes()).hexdigest()
                   for path in sorted((self.inside / results).glob("trials/*/*/weights.safetensors"))
                   if ".tmp." not in path.parent.name}
        return {"metrics": {arm["name"]: arm["metrics"] for arm in json.loads(report.output)["arms"]}, "weights": weights}

    def outlived(self, results):
        """Files of a finished sweep that it should have removed: of writes that were cut short, checkpoints, weights on the way."""
        passing = (".tmp.", "/checkpoint-", "/snapshot-")
        return [f"{name} is left" for name in self.files(results) if any(part in name for part in passing)]

    def unnamed(self, results):
        """What is wrong with a results folder by `doctor`, and the files in it of which `doctor` says nothing."""
        doctor = self.ablate(["doctor", "@" + results])
        wrong = [] if doctor.code == 0 else [f"doctor ends with {doctor.code}: {doctor.output}{doctor.errors}"]
        for name in self.files(results):
            inside = pathlib.PurePath(name).relative_to(results)
            known = (str(inside) in OF_RESULTS or inside.parts[0] == "report" and ".tmp." not in inside.name
                     or inside.parts[0] == "trials" and len(inside.parts) == 4 and ".tmp." not in name
                     and (inside.name in OF_A_TRIAL or inside.suffix == ".safetensors"))
            named = any(str(self.inside / results / part) in doctor.output for part in (inside, inside.parent) if part.name)
            if not known and not named:
                wrong.append(f"{name} is left, and doctor does not name it")
        return wrong


def wrong_ending(ended, killed):
    """What is wrong with how a program ended under a fault; `killed`: the fault was a SIGKILL of that program itself."""
    wrong = []
    if ended.code not in DOCUMENTED and not (killed and ended.code == -signal.SIGKILL):
        wrong.append(f"ended with {ended.code} under the fault: {ended.last_words()}")
    for words in ("internal error", "terminate called", "still running after"):
        if words in ended.errors:
            wrong.append(f"said '{words}' under the fault: {ended.last_words()}")
    return wrong


def out_of_order(calls):
    """What would be lost in a power failure, by the order of a program's calls: a file gets its name before its bytes are on the
    disk, the name is not synced, or a line of a journal is not synced by the end: points of a curve are with the next line of another kind,
    copies with their file system. (The index has the means of SQLite, and a report can be written again.)"""
    named = [line.split(" ", 2)[1:] for line in calls]
    wrong = []
    for i, (call, path) in enumerate(named):
        before, after = named[:i], named[i + 1:]
        if call == "rename" and ".tmp." not in path and "/report/" not in path:
            unsynced = False
            for earlier, file in before:
                if file.startswith(path + ".tmp."):
                    unsynced = earlier != "fsync" and (unsynced or "write" in earlier or earlier == "sendfile")
                elif earlier == "syncfs":
                    unsynced = False
            if unsynced:
                wrong.append(f"{path} is renamed before it is synced")
            if ("fsync", str(pathlib.PurePath(path).parent)) not in map(tuple, after):
                wrong.append(f"the folder of {path} is not synced after the rename")
        if "write" in call and path.endswith("/journal.jsonl"):
            if not any(later == ["fdatasync", path] or later[0] == "syncfs" for later in after):
                wrong.append(f"{path}: a line is never synced")
    return wrong


def with_progress(results, total, what):
    """Passes results on; says once a minute, on standard error, how many there are and how long the others may take."""
    start = said = time.monotonic()
    for count, result in enumerate(results, 1):
        yield result
        now = time.monotonic()
        if now - said >= 60:
            said = now
            left = (now - start) / count * (total - count) / 60
            print(f"{count} of {total} {what}; about {left:.0f} min left", file=sys.stderr, flush=True)
