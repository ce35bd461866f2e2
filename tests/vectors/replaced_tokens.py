#!/usr/bin/env python3
"""Writes replaced_tokens.json; shares nothing with the program that is tested against it."""

import collections
import itertools
import math

from masked_lm import BEGIN, END, FIRST, MASK, write

TEXT = [BEGIN, FIRST, FIRST + 1, FIRST, END]
ORDINARY = 3


def words():
    return [i for i, token in enumerate(TEXT) if token >= FIRST]


def chosen(rate):
    """Every set of words that may be replaced, with its probability."""
    for drawn in itertools.product([False, True], repeat=len(words())):
        yield ([i for i, one in zip(words(), drawn) if one],
               math.prod(rate if one else 1 - rate for one in drawn))


def law(outcomes):
    joined = collections.defaultdict(float)
    for inputs, scored, probability in outcomes:
        joined[tuple(inputs), tuple(scored)] += probability
    return [{"inputs": list(inputs), "scored": list(scored), "probability": p}
            for (inputs, scored), p in sorted(joined.items())]


def replaced(rate):
    """The uniform generator: which words it replaces, and what the text then is."""
    for places, p in chosen(rate):
        for drawn in itertools.product(range(FIRST, FIRST + ORDINARY), repeat=len(places)):
            inputs = list(TEXT)
            for place, token in zip(places, drawn):
                inputs[place] = token
            yield places, inputs, p / ORDINARY**len(places)


def detection(rate):
    # A draw that happens to be the right token counts as original (disallow_correct is false).
    for _, inputs, p in replaced(rate):
        yield inputs, [int(inputs[i] != TEXT[i]) for i in words()], p


def named(rate, everywhere):
    for places, inputs, p in replaced(rate):
        yield inputs, [int(everywhere or i in places) for i in words()], p


def masked(rate):
    """What a learned generator reads, and the words that it predicts."""
    for places, p in chosen(rate):
        yield ([MASK if i in places else token for i, token in enumerate(TEXT)],
               [int(i in places) for i in words()], p)


def replaced_tokens():
    rates = (.15, .4)
    return {
        "about": ["Replaced tokens: the law of what is read and what is scored, word by word.",
                  "detection: the label, 1 where the word is another one; named and all_named: 1 "
                  "where the word is predicted; masked: what a learned generator reads, and 1 where "
                  "it predicts."],
        "text": TEXT, "ordinary": ORDINARY,
        "laws": [{"rate": rate, "detection": law(detection(rate)), "named": law(named(rate, False)),
                  "all_named": law(named(rate, True)), "masked": law(masked(rate))}
                 for rate in rates]}


if __name__ == "__main__":
    write("replaced_tokens", replaced_tokens())
