#!/usr/bin/env python3
"""Loads the weights of a causal_lm trial with numpy alone and reproduces its held-out loss.

Exit status: 0 if the losses agree, 1 if they differ, 2 if none could be computed. The files are
described in weights.md; the model is that of models/transformer.cpp and of models/layers.
"""

import argparse
import json
import pathlib
import sys


def refuse(why):
    print(f"reproduce_loss.py: {why}", file=sys.stderr)
    sys.exit(2)


try:
    import numpy as np
except ImportError:
    refuse("this Python has no numpy. On Debian, `apt-get install python3-numpy` and start the "
           "script with /usr/bin/python3; elsewhere, `python3 -m pip install numpy`")

PAD, BEGIN, END = 0, 1, 2  # reserved token ids
BATCH = 32  # rows computed at once
MASK = 2 ** 64 - 1
PROBES = 5  # the stream of random numbers that probes draw from


def read(path):
    return path.read_bytes() if path.is_file() else refuse(f"there is no file {path}")


def read_weights(folder, trial):
    """The tensors of a trial's weights by name, float32. They say whose they are, and the journal names
    their hash: files that were copied from another trial are refused."""
    path = folder / "weights.safetensors"
    data = read(path)
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8:8 + size]), data[8 + size:]
    about = header.pop("__metadata__")  # {"config": the trial's settings as JSON, "trial": its id, ...}
    if about["trial"] != trial:
        refuse(f"{path} belongs to trial {about['trial']}, but this is the folder of trial {trial}")
    named = [event["sha256"] for event in map(json.loads, read(folder / "journal.jsonl").splitlines())
             if event["event"] == "checkpoint" and event["file"] == path.name]
    if named[-1:] != [about["sha256"]]:
        refuse(f"{path} is not the file that the journal of trial {trial} names")
    tensors = {}
    for name, entry in header.items():  # every dtype is F32
        first, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(body[first:end], "<f4").reshape(entry["shape"])
    return tensors


def read_held_out(path, expected_hash):
    """The tokens of a corpus file's held-out part."""
    data = read(path)
    size = int.from_bytes(data[72:80], "little")  # after "ablate-1" and a checksum
    header = json.loads(data[80:80 + size]) if data[:8] == b"ablate-1" else {}
    if header.get("hash") != expected_hash:
        refuse(f"{path} is not the corpus of this trial, {expected_hash}.corpus")
    held_out_at = (80 + size + 7) // 8 * 8 + 4 * header["training"]["tokens"]
    return np.frombuffer(data, "<i4", header["held_out"]["tokens"], held_out_at)


def read_recorded(journal, trial):
    """The held_out probe of a trial and the loss that it recorded."""
    planned = {measurement: probe for measurement, probe in zip(trial["measurements"], trial["probes"])
               if probe["type"] == "held_out"}
    for event in reversed([json.loads(line) for line in read(journal).splitlines()]):
        if event["event"] == "measurement" and event["id"] in planned:
            return planned[event["id"]], event["metrics"]["held_out.loss"]
    refuse(f"{journal} has no planned measurement of held_out; run the trial to its end first")


def choose_trial(plan, prefix):
    """The trial whose id starts with `prefix`, or the first causal_lm trial of the plan."""
    trials = [dict(plan["setups"][t["setup"]], **t) for t in plan["trials"]]  # a setup: what several trials share
    found = [t for t in trials if t["id"].startswith(prefix)]
    if not prefix:
        found = [t for t in trials if t["config"]["objective"]["type"] == "causal_lm"][:1]
    if len(found) != 1:
        wanted = f"trials {prefix}..." if prefix else "causal_lm trials"
        names = ", ".join(f"{t['id']} ({t['arm']}, seed {t['seed']})" for t in trials)
        refuse(f"the plan has {len(found)} {wanted}; choose one of {names}")
    config = found[0]["config"]
    objective, version = config["objective"]["type"], config["semantics"]["backbone"]
    if objective != "causal_lm":
        refuse(f"trial {found[0]['id']} has the objective {objective}; only causal_lm is supported")
    if version != 2:
        refuse(f"the backbone of trial {found[0]['id']} is version {version}; this script has 2")
    return found[0]


def mix(z):
    """SplitMix64's bijection of 64-bit integers."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


class Rng:
    """The program's random numbers (harness/base/rng.h)."""

    GAMMA = 0x9E3779B97F4A7C15

    def __init__(self, state):
        self.state = state

    def fork(self, key):
        """The stream of an item of this stream: of its index, or of the hash of its name (FNV-1a)."""
        if isinstance(key, str):
            name, key = key, 0xCBF29CE484222325
            for byte in name.encode():
                key = (key ^ byte) * 0x100000001B3 & MASK
        return Rng(mix((self.state + mix((key + self.GAMMA) & MASK)) & MASK))

    def below(self, bound):
        """Uniform over [0, bound), without modulo bias."""
        while True:
            self.state = (self.state + self.GAMMA) & MASK
            draw = mix(self.state)
            if draw >= 2 ** 64 % bound:
                return draw % bound


def scored_texts(seed, count, maximum):
    """The numbers of the held-out texts that a trial is scored on, of `count`."""
    rng = Rng(mix(seed)).fork(PROBES).fork(0).fork(0).fork("held_out")
    order = list(range(count))
    for left in range(count, 1, -1):  # Fisher & Yates
        drawn = rng.below(left)
        order[left - 1], order[drawn] = order[drawn], order[left - 1]
    return order[:maximum]


def documents(tokens):
    """Cuts tokens after every end token and before every begin token."""
    return np.split(tokens, np.flatnonzero((tokens[:-1] == END) | (tokens[1:] == BEGIN)) + 1)


def sequences(tokens, packing, context, seed, maximum):
    """The held-out texts that are scored, cut into the parts that the model reads on their own."""
    if packing == "padded":  # a text is a piece of one document
        texts = [document[i:i + context] for document in documents(tokens)
                 for i in range(0, len(document), context)]
    else:
        texts = [tokens[i:i + context] for i in range(0, len(tokens) - context + 1, context)]
    windows = [texts[i] for i in scored_texts(seed, len(texts), maximum)]
    if packing == "isolated":  # the documents of a window do not see each other
        return [document for window in windows for document in documents(window)]
    return windows


def norm(x, gain, kind):
    x = x - x.mean(-1, keepdims=True) if kind == "layer_norm" else x
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-5)) * gain


def erf(x):
    """To 1.5e-7: Abramowitz & Stegun, formula 7.1.26."""
    t, series = 1 / (1 + 0.3275911 * np.abs(x)), 0
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + factor) * t
    return np.sign(x) * (1 - series * np.exp(-x * x))


def activate(x, kind):
    if kind == "gelu":
        return x * (1 + erf(x / np.float32(np.sqrt(2)))) / 2
    gate, value = np.split(x, 2, axis=-1)
    return gate / (1 + np.exp(-gate)) * value


def rotate(x):
    """Rotary positions: rotates units d and d + head_width / 2 of x [.., time, head_width]."""
    time, half = x.shape[-2], x.shape[-1] // 2
    angles = np.outer(np.arange(time), 10000.0 ** (-np.arange(half) / half))
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)


def attention(qkv, model):
    """Causal attention over qkv [batch, time, 3 * width]."""
    batch, time = qkv.shape[:2]
    q, k, v = qkv.reshape(batch, time, 3, model["heads"], -1).transpose(2, 0, 3, 1, 4)
    if model["positions"] == "rotary":
        q, k = rotate(q), rotate(k)
    scores = q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(q.shape[-1]))
    scores[..., np.triu(np.ones((time, time), bool), 1)] = -np.inf  # no position sees the future
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    seen = weights / weights.sum(-1, keepdims=True) @ v
    return seen.transpose(0, 2, 1, 3).reshape(batch, time, -1)


def logits(tokens, weights, model):
    """Scores of every next token, [batch, time, vocabulary], for tokens [batch, time]."""
    x = weights["tokens"][tokens]
    if model["positions"] == "learned":
        x = x + weights["positions"][:tokens.shape[1]]
    for i in range(model["depth"]):
        block = f"block.{i}."
        h = norm(x, weights[block + "attention_norm"], model["norm"])
        x = x + attention(h @ weights[block + "qkv"].T, model) @ weights[block + "out"].T
        h = norm(x, weights[block + "feed_forward_norm"], model["norm"])
        h = activate(h @ weights[block + "up"].T, model["activation"])
        x = x + h @ weights[block + "down"].T
    x = norm(x, weights["norm"], model["norm"])
    tied = model["head"] == "tied"
    return x @ (weights["tokens"] * np.float32(2 / model["width"]) if tied else weights["head"]).T


def held_out_loss(texts, weights, model):
    """Mean cost of a scored target in nats, and how many targets there are."""
    total, count = 0.0, 0
    for first in range(0, len(texts), BATCH):
        batch = texts[first:first + BATCH]
        size = max(map(len, batch)) + 1
        tokens = np.stack([np.pad(text, (0, size - len(text))) for text in batch])  # with PAD
        targets = tokens[:, 1:]
        scored = (targets != PAD) & (targets != BEGIN)
        scores = logits(tokens[:, :-1], weights, model)[scored].astype(np.float64)
        scores -= scores.max(-1, keepdims=True)
        costs = np.log(np.exp(scores).sum(-1)) - scores[np.arange(len(scores)), targets[scored]]
        total, count = total + costs.sum(), count + len(costs)
    return total / count, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path, help="results folder of `ablate run`")
    parser.add_argument("--trial", metavar="ID", default="", help="its id, or the beginning of it")
    parser.add_argument("--corpus", type=pathlib.Path, help="corpus file, if it has been moved")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="in nats (default: 0.0001)")
    given = parser.parse_args()
    plan = json.loads(read(given.results / "plan.json"))
    if "setups" not in plan:
        refuse(f"{given.results} is of an older version; `ablate run` in it writes its plan anew")
    trial = choose_trial(plan, given.trial)
    folder, config = given.results / "trials" / trial["id"][:2] / trial["id"], trial["config"]
    probe, recorded = read_recorded(folder / "journal.jsonl", trial)
    weights = read_weights(folder, trial["id"])
    tokens = read_held_out(given.corpus or pathlib.Path(plan["corpus"]), config["corpus"]["hash"])
    texts = sequences(tokens, config["train"]["packing"], config["model"]["context"],
                      trial["seed"], probe["texts"])
    loss, targets = held_out_loss(texts, weights, config["model"])
    print(f"{trial['id']} ({trial['arm']}, seed {trial['seed']}, {config['train']['precision']}), "
          f"{targets} targets, nats/target:\n"
          f"recorded {recorded:.6f}  reproduced {loss:.6f}  difference {loss - recorded:+.6f}")
    return 0 if abs(loss - recorded) <= given.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
