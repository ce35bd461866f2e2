#!/usr/bin/env python3
"""Writes blank_infilling.json; shares nothing with the program that is tested against it."""

from masked_lm import BEGIN, END, FIRST, MASK, write

SPAN_START, SPAN_END = 7, 9


def arrangement(tokens, spans):
    """As make_block_data: `spans` in the order in which they are predicted."""
    blank_of, inputs, at = {}, [], 0
    for start, end in sorted(spans):
        inputs += tokens[at:start]
        blank_of[start] = len(inputs)
        inputs.append(MASK)
        at = end
    inputs += tokens[at:]
    read, targets, positions, inner = [], [], list(range(len(inputs))), [0] * len(inputs)
    for start, end in spans:
        read += [SPAN_START, *tokens[start:end]]
        targets += [*tokens[start:end], SPAN_END]
        positions += [blank_of[start]] * (end - start + 1)
        inner += range(1, end - start + 2)
    both = len(inputs) + len(read)
    return {"tokens": tokens, "spans": spans, "inputs": inputs, "read": read, "targets": targets,
            "positions": positions, "inner": inner,
            "sees": [[0, max(i + 1, len(inputs))] for i in range(both)]}


def text(length):
    return [FIRST + i * 7 % 64 for i in range(length)]


def blank_infilling():
    plain, held = text(10), [BEGIN, *text(7), END]
    return {
        "about": [
            "Blank infilling (GLM): what is read and predicted, and who sees whom.",
            "Source: THUDM/GLM, blocklm_utils.py, ConstructBlockStrategy. Spans are [start, end).",
            "arrangements: part A is the text with one mask token (4) for each span; part B has, "
            "span by span in the order in which they are given, a start token (7) and the tokens "
            "of the span. tokens, spans: given; inputs: part A; read: part B; targets: what is "
            "predicted at each place of part B: the tokens of the span, then an end token (9). "
            "Over part A, then part B: positions: the place in part A, for part B that of the "
            "span's mask; inner: 0 in part A, then 1, 2, .. within each span, its start token "
            "being 1; sees: [from, until) of the places that a place sees: all of part A for part "
            "A, all up to itself for part B."],
        "span_start": SPAN_START, "span_end": SPAN_END,
        "arrangements": [arrangement(*case) for case in
                         [(plain, [[2, 4], [6, 7]]), (plain, [[6, 7], [2, 4]]), (plain, [[0, 3]]),
                          (plain, [[7, 10]]), (plain, [[0, 10]]), (plain, []),
                          (plain, [[8, 10], [0, 1], [3, 6]]),
                          (plain, [[4, 5], [0, 1], [2, 3], [6, 9]]),
                          (held, [[5, 7], [1, 3]]), (held, [[7, 8], [1, 2], [3, 6]]),
                          ([FIRST], [[0, 1]])]]}


if __name__ == "__main__":
    write("blank_infilling", blank_infilling())
