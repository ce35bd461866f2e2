#!/usr/bin/env python3
"""Writes gated_delta.json; shares nothing with the program that is tested against it."""

import cmath
import math
import struct

from masked_lm import write
from mixers import case, given, product, rows_of, silu, softplus

WIDTH, HEADS, TAPS, TIME = 12, 3, 4, 11
HEAD, CHANNELS = WIDTH // HEADS, 3 * WIDTH
DOCUMENTS = [(0, 4), (4, 5), (5, 11)]
SHAPES = [("in", [4 * WIDTH + 2 * HEADS, WIDTH]), ("convolution", [CHANNELS, TAPS]),
          ("convolution_bias", [CHANNELS]), ("rate", [HEADS]), ("step", [HEADS]),
          ("head_norm", [HEAD]), ("out", [WIDTH, WIDTH])]
SCALES = {"in": .5, "convolution": .6, "convolution_bias": .2, "rate": 1., "step": 1.,
          "head_norm": 1., "out": .3}


def unit(vector):
    size = cmath.sqrt(sum(v * v for v in vector) + 1e-6)
    return [v / size for v in vector]


def one_way(weights, positions):
    """A document from its start. The state of a head maps keys to values; position by position what
    the key holds is taken out and its value put in."""
    taps = rows_of(weights["convolution"], TAPS)
    held = [[[0.0] * HEAD for _ in range(HEAD)] for _ in range(HEADS)]  # [head][key][value]
    outputs = []
    for t, (_, rates, decays) in enumerate(positions):
        mixed = []
        for c in range(CHANNELS):
            total = weights["convolution_bias"][c]
            for back in range(min(TAPS, t + 1)):
                total += taps[c][TAPS - 1 - back] * positions[t - back][0][c]
            mixed.append(silu(total))
        output = []
        for h in range(HEADS):
            span = slice(h * HEAD, (h + 1) * HEAD)
            read = [v / math.sqrt(HEAD) for v in unit(mixed[:WIDTH][span])]
            key, value = unit(mixed[WIDTH:2 * WIDTH][span]), mixed[2 * WIDTH:][span]
            state = [[decays[h] * s for s in row] for row in held[h]]
            known = [sum(key[k] * state[k][v] for k in range(HEAD)) for v in range(HEAD)]
            held[h] = [[state[k][v] + rates[h] * key[k] * (value[v] - known[v])
                        for v in range(HEAD)] for k in range(HEAD)]
            output += [sum(read[k] * held[h][k][v] for k in range(HEAD)) for v in range(HEAD)]
        outputs.append(output)
    return outputs


def layer(weights, inputs, both_ways):
    projection, out = rows_of(weights["in"], WIDTH), rows_of(weights["out"], WIDTH)
    result = []
    for first, end in DOCUMENTS:
        positions, gates = [], []
        for x in inputs[first:end]:
            p = product(projection, x)
            gates.append(p[CHANNELS:CHANNELS + WIDTH])
            rates = [1 / (1 + cmath.exp(-b)) for b in p[4 * WIDTH:4 * WIDTH + HEADS]]
            decays = [cmath.exp(-cmath.exp(weights["rate"][h]) * softplus(a + weights["step"][h]))
                      for h, a in enumerate(p[4 * WIDTH + HEADS:])]
            positions.append((p[:CHANNELS], rates, decays))
        read = one_way(weights, positions)
        if both_ways and end - first > 1:
            back = one_way(weights, positions[::-1])[::-1]
            read = [[a + b for a, b in zip(x, y)] for x, y in zip(read, back)]
        for gate, y in zip(gates, read):
            normed = []
            for h in range(HEADS):
                own = y[h * HEAD:(h + 1) * HEAD]
                size = cmath.sqrt(sum(v * v for v in own) / HEAD + 1e-5)
                normed += [v / size * gain for v, gain in zip(own, weights["head_norm"])]
            result.append(product(out, [silu(g) * v for g, v in zip(gate, normed)]))
    return result


def single(value):
    """Weights are stored in single precision."""
    return struct.unpack("f", struct.pack("f", value))[0]


def case_of(both_ways):
    weights = given(SHAPES, SCALES, "head_norm", TIME, WIDTH, single)
    return case(layer, SHAPES, *weights, both_ways)


def gated_delta():
    return {
        "about": [
            "A Gated DeltaNet mixer (arXiv:2412.06464, section 3.3; keys and values as wide as the "
            "stream), position by position in double precision.",
            "Entry k of a parameter is scale * sin(number + 0.7 k), with the parameters numbered "
            "from 1 in the order of `shapes` and row-major; of head_norm it is 1 + 0.3 times that; "
            "rounded to single precision. "
            "Inputs, [time, width], are sin(0.5 + 0.7 k).",
            "documents: [first, end) of the positions that see each other, from the past alone or "
            "both_ways, where the two directions are added up before norm and gate (of a document "
            "of one position there is one).",
            "gradients: derivatives of the sum of sin(0.2 + 0.7 k) times outputs, [time, width]."],
        "width": WIDTH, "heads": HEADS, "head_width": HEAD, "time": TIME,
        "documents": [list(d) for d in DOCUMENTS],
        "shapes": [{"name": name, "sizes": sizes, "scale": SCALES[name]} for name, sizes in SHAPES],
        "cases": [case_of(False), case_of(True)]}


if __name__ == "__main__":
    write("gated_delta", gated_delta())
