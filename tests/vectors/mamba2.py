#!/usr/bin/env python3
"""Writes mamba2.json; shares nothing with the program that is tested against it."""

import cmath

from masked_lm import write
from mixers import case, given, product, rows_of, silu, softplus

WIDTH, STATE, TAPS, TIME = 32, 4, 4, 11
INNER, HEAD = 2 * WIDTH, 32
HEADS, CHANNELS = INNER // HEAD, INNER + 2 * STATE
DOCUMENTS = [(0, 4), (4, 5), (5, 11)]
SHAPES = [("in", [INNER + CHANNELS + HEADS, WIDTH]), ("convolution", [CHANNELS, TAPS]),
          ("convolution_bias", [CHANNELS]), ("rate", [HEADS]), ("step", [HEADS]),
          ("skip", [HEADS]), ("gate_norm", [INNER]), ("out", [WIDTH, INNER])]
SCALES = {"in": .4, "convolution": .6, "convolution_bias": .2, "rate": 1., "step": 1., "skip": .8,
          "gate_norm": 1., "out": .3}


def one_way(weights, channels, steps):
    """A document from its start: what each position adds before the gate, position by position."""
    taps = rows_of(weights["convolution"], TAPS)
    state = [[[0.0] * HEAD for _ in range(STATE)] for _ in range(HEADS)]
    outputs = []
    for t in range(len(channels)):
        mixed = []
        for c in range(CHANNELS):
            total = weights["convolution_bias"][c]
            for k in range(TAPS):
                if t - k >= 0:
                    total += taps[c][TAPS - 1 - k] * channels[t - k][c]
            mixed.append(silu(total))
        units, writes, reads = mixed[:INNER], mixed[INNER:INNER + STATE], mixed[INNER + STATE:]
        output = []
        for h in range(HEADS):
            keep = cmath.exp(-cmath.exp(weights["rate"][h]) * steps[t][h])
            own = units[h * HEAD:(h + 1) * HEAD]
            for n in range(STATE):
                state[h][n] = [keep * s + steps[t][h] * writes[n] * u
                               for s, u in zip(state[h][n], own)]
            output += [sum(reads[n] * state[h][n][p] for n in range(STATE)) +
                       weights["skip"][h] * own[p] for p in range(HEAD)]
        outputs.append(output)
    return outputs


def layer(weights, inputs, both_ways):
    projection, out = rows_of(weights["in"], WIDTH), rows_of(weights["out"], INNER)
    result = []
    for first, end in DOCUMENTS:
        parts = [product(projection, x) for x in inputs[first:end]]
        gates = [p[:INNER] for p in parts]
        channels = [p[INNER:INNER + CHANNELS] for p in parts]
        steps = [[softplus(d + weights["step"][h]) for h, d in enumerate(p[INNER + CHANNELS:])]
                 for p in parts]
        mixed = one_way(weights, channels, steps)
        if both_ways and end - first > 1:
            back = one_way(weights, channels[::-1], steps[::-1])[::-1]
            mixed = [[a + b for a, b in zip(x, y)] for x, y in zip(mixed, back)]
        for gate, y in zip(gates, mixed):
            opened = [silu(g) * v for g, v in zip(gate, y)]
            size = cmath.sqrt(sum(v * v for v in opened) / INNER + 1e-5)
            result.append(product(out, [v / size * gain
                                        for v, gain in zip(opened, weights["gate_norm"])]))
    return result


def case_of(both_ways):
    return case(layer, SHAPES, *given(SHAPES, SCALES, "gate_norm", TIME, WIDTH), both_ways)


def mamba2():
    return {
        "about": [
            "A Mamba-2 mixer (arXiv:2405.21060, section 7; one group), position by position in "
            "double precision.",
            "Entry k of a parameter is scale * sin(number + 0.7 k), with the parameters numbered "
            "from 1 in the order of `shapes` and row-major; of gate_norm it is 1 + 0.3 times that. "
            "Inputs, [time, width], are sin(0.5 + 0.7 k).",
            "documents: [first, end) of the positions that see each other, from the past alone or "
            "both_ways, where the two directions are added up before the gate (of a document of "
            "one position there is one).",
            "gradients: derivatives of the sum of sin(0.2 + 0.7 k) times outputs, [time, width]."],
        "width": WIDTH, "state": STATE, "head_width": HEAD, "time": TIME,
        "documents": [list(d) for d in DOCUMENTS],
        "shapes": [{"name": name, "sizes": sizes, "scale": SCALES[name]} for name, sizes in SHAPES],
        "cases": [case_of(False), case_of(True)]}


if __name__ == "__main__":
    write("mamba2", mamba2())
