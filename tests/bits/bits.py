#!/usr/bin/env python3
"""What the shipped experiments end with at a tiny budget, to the bit: ids of trials, weights, curves and
measurements. Recorded with two builds on one machine, it says what a change changed.

    tests/bits/bits.py record before.json [--build build/release] [--only quickstart,packing]
    tests/bits/bits.py record after.json
    tests/bits/bits.py compare before.json after.json      # exit status 1 where something differs

Weights and losses of another processor differ in their last bits; ids do not, but for what a processor
without bfloat16 trains in its place.
"""
import argparse
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ON_FILES = ("experiment.schema", "claims", "wikitext", "text_labels", "evaluate_text")  # or no experiment
SMALL = ["seeds=1", "corpus.tokens=30000", "corpus.held_out_tokens=4000"]
BUDGET = ["--set", 'train.budget={"positions":8192}']
OTHER_BUDGETS = {
    "understanding_or_generation": ["--only", "arm=mlm[tokens=100000]"],  # they sweep the budget
    "repeated_text": ["--only", "arm=diffusion[tokens=30000]"],
    "learning_dynamics": ["--set", 'train.budget={"positions":32768}'],  # its points need more steps
    "compare_objectives_tuned": [*BUDGET, "--set", "tuning.learning_rate=[3e-3,1e-2]", "--set", "tuning.seeds=1",
                                 "--set", "tuning.extension=0"],
}
TIMES = {"speculative_decoding.measured_speedup"}  # of this run, not of the model
LITTLE = {"texts": 20, "samples": 4, "steps": 4, "documents": 10, "training_documents": 20, "development_documents": 10,
          "test_documents": 20, "training_tokens": 200, "development_tokens": 100, "test_tokens": 200,
          "training_pairs": 32, "development_pairs": 8, "test_pairs": 8, "epochs": 1}


def shipped():
    return sorted(file.stem for file in (ROOT / "experiments").glob("*.json") if file.stem not in ON_FILES)


def answer_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def settings_of(ablate, name):
    """The arguments under which an experiment trains and measures little."""
    file = ROOT / "experiments" / f"{name}.json"
    given = OTHER_BUDGETS.get(name, BUDGET) + [word for each in SMALL for word in ("--set", each)]
    plan = json.loads(answer_of([ablate, "plan", file, "--json", *given]))
    for probe in plan["resolved"]["probes"]:
        for key, value in LITTLE.items():
            if isinstance(probe.get(key), (int, float)) and probe[key] > value:
                given += ["--set", f"probes.{probe.get('name', probe['type'])}.{key}={value}"]
    return [file, *given]


def weights_of(file):
    """A hash of the tensors of a safetensors file: names, forms and bytes, without what is told of them."""
    data = file.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return hashlib.sha256(json.dumps(header, sort_keys=True).encode() + data[8 + size:]).hexdigest()


def record_of(trial):
    """What a trial ended with: by kind, by name."""
    curve, measured = {}, {}
    for line in (trial / "journal.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "curve":
            curve[str(event["step"])] = [event["loss"], event["gradient_norm"]]
        elif event["event"] == "measurement":
            measured[event["id"]] = {name: value for name, value in event["metrics"].items() if name not in TIMES}
    weights = {file.name: weights_of(file) for file in trial.glob("*.safetensors")}
    return {"weights": weights, "curve": curve, "measurements": measured}


def record(options):
    ablate = (options.build / "ablate").resolve()
    recorded = {}
    for name in options.only or shipped():
        with tempfile.TemporaryDirectory() as place:
            results = pathlib.Path(place) / "results"
            answer_of([ablate, "run", *settings_of(ablate, name), "--results", results, "--progress", "none"])
            recorded[name] = {trial.name: record_of(trial) for trial in (results / "trials").glob("*/*")}
        print(f"{name}: {len(recorded[name])} trials", file=sys.stderr, flush=True)
    options.file.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")


def differences(before, after, path=()):
    """Where two records differ: (path, before, after); what one lacks is None."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key), after.get(key), (*path, key))
    elif before != after:
        yield path, before, after


def compare(options):
    before, after = (json.loads(file.read_text()) for file in (options.before, options.after))
    found = list(differences(before, after))
    for path, was, now in found:
        print(f"{' / '.join(path)}: {short(was)} -> {short(now)}")
    trials = sum(len(trials) for trials in before.values())
    print(f"{len(before)} experiments, {trials} trials, {len(found)} differences")
    return 1 if found or not trials else 0


def short(value):
    text = "absent" if value is None else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file", type=pathlib.Path)
    recording.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    recording.add_argument("--only", type=lambda names: names.split(","), help="of the experiments, those alone")
    recording.set_defaults(do=record)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=pathlib.Path)
    comparing.add_argument("after", type=pathlib.Path)
    comparing.set_defaults(do=compare)
    options = parser.parse_args()
    return options.do(options)


if __name__ == "__main__":
    sys.exit(main())
