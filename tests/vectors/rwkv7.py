#!/usr/bin/env python3
"""Writes rwkv7.json, rwkv7_channels.json and rwkv7_initial.json; shares nothing with the program that is tested against them."""

import cmath
import math
import struct

from masked_lm import write
from mixers import case, given, product, rows_of

WIDTH, HEADS, TIME, LAYERS = 12, 3, 11, 2
HEAD, UNITS = WIDTH // HEADS, 30
RANKS = {"decay": 8, "rate": 8, "gate": 16, "first_value": 8}
STREAMS = ["receptance", "decay", "key", "value", "rate", "gate"]
DOCUMENTS = [(0, 4), (4, 5), (5, 11)]


def shapes_of(layer):
    shapes = [("shift", [len(STREAMS), WIDTH])]
    shapes += [(name, [WIDTH, WIDTH]) for name in ("receptance", "key", "value", "out")]
    for name, rank in RANKS.items():
        if layer > 0 or name != "first_value":
            shapes += [(name + "_down", [rank, WIDTH]), (name + "_up", [WIDTH, rank])]
    vectors = ["decay", "rate", "removed_key", "key_rate", "bonus", "head_norm", "head_norm_bias"]
    shapes += [(name, [WIDTH]) for name in vectors + (["first_value"] if layer > 0 else [])]
    return [(f"{layer}.{name}", sizes) for name, sizes in shapes]


SHAPES = [shape for layer in range(LAYERS) for shape in shapes_of(layer)]
SCALES = {name: .4 if len(sizes) == 2 else .9 for name, sizes in SHAPES}


def sigmoid(x):
    return 1 / (1 + cmath.exp(-x))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def one_way(own, positions, first_values):
    """A document from its start; also what it makes as values, for the layers above. A head's state has a
    row for each unit of a value and a column for each unit of a key."""
    held = [[[0.0] * HEAD for _ in range(HEAD)] for _ in range(HEADS)]
    past, outputs, made = [0.0] * WIDTH, [], []
    for t, x in enumerate(positions):
        streams = {name: [a + m * (b - a) for a, b, m in zip(x, past, own["shift"][i])]
                   for i, name in enumerate(STREAMS)}
        past = x

        def low_rank(name, stream, between=lambda z: z):
            return product(own[name + "_up"],
                           [between(z) for z in product(own[name + "_down"], streams[stream])])

        r, k, v = (product(own[name], streams[name]) for name in ("receptance", "key", "value"))
        w = [cmath.exp(-math.exp(-.5) * sigmoid(b + z))
             for b, z in zip(own["decay"], low_rank("decay", "decay", cmath.tanh))]
        a = [sigmoid(b + z) for b, z in zip(own["rate"], low_rank("rate", "rate"))]
        gate = low_rank("gate", "gate", sigmoid)
        made.append(v)
        if first_values is not None:
            mix = [sigmoid(b + z)
                   for b, z in zip(own["first_value"], low_rank("first_value", "value"))]
            v = [y + m * (f - y) for y, m, f in zip(v, mix, first_values[t])]
        away = [y * z for y, z in zip(k, own["removed_key"])]
        k = [y * (1 + (rate - 1) * z) for y, rate, z in zip(k, a, own["key_rate"])]
        output = []
        for h in range(HEADS):
            span = slice(h * HEAD, (h + 1) * HEAD)
            size = cmath.sqrt(dot(away[span], away[span]))
            unit = [y / size for y in away[span]]
            for i in range(HEAD):
                row = held[h][i]
                taken = dot(row, unit)
                held[h][i] = [w[span][j] * row[j] - taken * unit[j] * a[span][j] +
                              v[span][i] * k[span][j] for j in range(HEAD)]
            y = [dot(row, r[span]) for row in held[h]]
            mean = sum(y) / HEAD
            spread = cmath.sqrt(sum((z - mean) ** 2 for z in y) / HEAD + 64e-5)
            bonus = sum(p * q * s for p, q, s in zip(r[span], k[span], own["bonus"][span]))
            output += [(z - mean) / spread * g + b + bonus * u
                       for z, g, b, u in zip(y, own["head_norm"][span],
                                             own["head_norm_bias"][span], v[span])]
        outputs.append([y * g for y, g in zip(output, gate)])
    return outputs, made


def added(x, y):
    return [[a + b for a, b in zip(p, q)] for p, q in zip(x, y)]


def stack(weights, inputs, both_ways):
    layers = []
    for layer in range(LAYERS):
        own = {}
        for name, sizes in shapes_of(layer):
            flat = weights[name]
            own[name[2:]] = rows_of(flat, sizes[1]) if len(sizes) == 2 else flat
        layers.append(own)
    result = []
    for first, end in DOCUMENTS:
        stream, handed = inputs[first:end], [None, None]
        for own in layers:
            read, values = one_way(own, stream, handed[0])
            handed[0] = handed[0] or values
            if both_ways and end - first > 1:
                back, values = one_way(own, stream[::-1], handed[1])
                handed[1] = handed[1] or values
                read = added(read, back[::-1])
            mixed = [product(own["out"], y) for y in read]
            stream = added(stream, mixed)
        result += mixed
    return result


CHANNEL_SHAPES = [("shift", [WIDTH]), ("key", [UNITS, WIDTH]), ("value", [WIDTH, UNITS])]
CHANNEL_SCALES = {"shift": .9, "key": .5, "value": .3}


def channels(weights, inputs, both_ways):
    key, value = rows_of(weights["key"], WIDTH), rows_of(weights["value"], UNITS)

    def one(positions):
        past, all_units = [0.0] * WIDTH, []
        for x in positions:
            mix = [a + m * (b - a) for a, b, m in zip(x, past, weights["shift"])]
            all_units.append([z * z if complex(z).real > 0 else 0 * z for z in product(key, mix)])
            past = x
        return all_units

    result = []
    for first, end in DOCUMENTS:
        units = one(inputs[first:end])
        if both_ways and end - first > 1:
            units = added(units, one(inputs[first:end][::-1])[::-1])
        result += [product(value, u) for u in units]
    return result


def single(value):
    """Weights are stored in single precision."""
    return struct.unpack("f", struct.pack("f", value))[0]


def family(about, layer, shapes, scales, gain, **sizes):
    def case_of(both_ways):
        return case(layer, shapes, *given(shapes, scales, gain, TIME, WIDTH, single), both_ways)

    return {
        "about": about + [
            "Entry k of a parameter is scale * sin(number + 0.7 k), with the parameters numbered "
            "from 1 in the order of `shapes` and row-major; of a head_norm it is 1 + 0.3 times "
            "that; rounded to single precision. Inputs, [time, width], are sin(0.5 + 0.7 k).",
            "documents: [first, end) of the positions that see each other, from the past alone or "
            "both_ways, where the two directions are added up (of a document of one position "
            "there is one).",
            "gradients: derivatives of the sum of sin(0.2 + 0.7 k) times outputs, [time, width]."],
        "width": WIDTH, "heads": HEADS, "head_width": HEAD, "time": TIME, **sizes,
        "documents": [list(d) for d in DOCUMENTS],
        "shapes": [{"name": name, "sizes": of, "scale": scales[name]} for name, of in shapes],
        "cases": [case_of(False), case_of(True)]}


def tables(width, head, layer, layers):
    """Initial values by unit, as the reference's code computes them."""
    up, down = layer / max(1, layers - 1), 1 - layer / layers
    line = [n / (width - 1) - .5 for n in range(width)]
    zigzag = [(n % head - (head - 1) / 2) / ((head - 1) / 2) for n in range(width)]
    zigzag = [z * abs(z) for z in zigzag]
    shift = []
    for power in (.2, .9, .7, .7, .9, .2):
        shift += [1 - (n / width) ** (power * down) for n in range(width)]
    return {
        "shift": shift,
        "decay": [-6 + 6 * (n / (width - 1)) ** (1 + up ** .3) + .5 + 2.5 * zigzag[n]
                  for n in range(width)],
        "rate": [-.19 + .3 * z + .4 * x for z, x in zip(zigzag, line)],
        "first_value": [.73 - .4 * x for x in line],
        "removed_key": [.71 - .1 * x for x in line],
        "key_rate": [1.02] * width, "bonus": [-.04] * width,
        "head_norm": [((1 + layer) / layers) ** .7] * width, "head_norm_bias": [0.] * width,
        "channel_shift": [1 - (n / width) ** down ** 4 for n in range(width)]}


def initial(width, head, layers):
    return {
        "about": [
            "Initial values of RWKV-7's layers by unit (RWKV-LM, RWKV-v7/train_temp, model.py): of "
            "time mixing, and channel_shift of channel mixing. gains: of orthogonal matrices, whose "
            "shorter side is of this length; 0: all zeros."],
        "width": width, "head_width": head,
        "gains": {"receptance": 1, "key": .1, "value": 1, "out": 0, "decay_down": 0, "decay_up": .1,
                  "rate_down": 0, "rate_up": .1, "gate_down": 0, "gate_up": .1,
                  "first_value_down": 0, "first_value_up": .1},
        "decayed": ["receptance", "key", "value", "out"], "at_twice_the_rate": ["decay"],
        "layers": [tables(width, head, layer, layers) for layer in range(layers)]}


if __name__ == "__main__":
    write("rwkv7_initial", initial(32, 8, 3))
    write("rwkv7", family(
        ["Two layers of RWKV-7's time mixing (arXiv:2503.14456, section 4), position by position in "
         "double precision. The second reads the inputs and what the first adds to them, and mixes "
         "in the first one's values; the outputs are the second one's."],
        stack, SHAPES, SCALES, "head_norm", layers=LAYERS))
    write("rwkv7_channels", family(
        ["RWKV-7's channel mixing (arXiv:2503.14456, section 4.3), in double precision."],
        channels, CHANNEL_SHAPES, CHANNEL_SCALES, "none", hidden_multiple=UNITS / WIDTH))
