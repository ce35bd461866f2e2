#!/usr/bin/env python3
"""Writes fill_in_the_middle.json: every outcome of tiny texts with its exact probability.

An enumeration of its own, which shares nothing with the program that is tested against it."""

import collections
import fractions
import json
import pathlib
import re

BEGIN, END, PREFIX, MIDDLE, SUFFIX, END_MIDDLE = 1, 2, 6, 7, 8, 9
FIRST = 16  # the id of byte 0, where ids are bytes


def arranged(prefix, middle, suffix, form):
    if form == "psm":
        return [PREFIX, *prefix, SUFFIX, *suffix, MIDDLE, *middle, END_MIDDLE]
    if form == "spm_v1":
        return [SUFFIX, *suffix, PREFIX, *prefix, MIDDLE, *middle, END_MIDDLE]
    return [PREFIX, SUFFIX, *suffix, MIDDLE, *prefix, *middle, END_MIDDLE]


def places(text, split):
    inside = lambda i: split == "character" and (text[i] - FIRST) & 0xC0 == 0x80
    return [0] + [i for i in range(1, len(text)) if not inside(i)] + [len(text)]


def law(text, rate, spm_rate, spm_form, split):
    begins, ends = text[:1] == [BEGIN], text[-1:] == [END]
    own = text[begins : len(text) - ends]
    law = collections.Counter()
    rate = fractions.Fraction(rate) if own else fractions.Fraction(0)
    law[tuple(text)] += 1 - rate
    cuts = places(own, split)
    for first in cuts:
        for second in cuts:
            a, b = sorted((first, second))
            for form, share in (("psm", 1 - fractions.Fraction(spm_rate)),
                                ("spm_" + spm_form, fractions.Fraction(spm_rate))):
                targets = ([BEGIN] * begins + arranged(own[:a], own[a:b], own[b:], form)
                           + [END] * ends)
                law[tuple(targets)] += rate * share / len(cuts) ** 2
    return {
        "text": text, "rate": float(fractions.Fraction(rate)), "spm_rate": float(spm_rate),
        "spm_form": spm_form, "split": split,
        "outcomes": [{"targets": list(t), "probability": float(p)}
                     for t, p in sorted(law.items()) if p],
    }


def arrangement(text, cuts, form):
    a, b = cuts
    own = text[1:-1]
    return {"text": text, "prefix": own[:a], "middle": own[a:b], "suffix": own[b:], "form": form,
            "targets": [BEGIN, *arranged(own[:a], own[a:b], own[b:], form), END],
            "weights": [0] + [1] * (len(text) + 3)}


def main():
    text = [BEGIN, 16, 17, 18, 19, END]
    bytes_of = lambda s: [FIRST + b for b in s.encode()]
    half = fractions.Fraction(1, 2)
    quarter = fractions.Fraction(1, 4)
    vectors = {
        "what": "fill-in-the-middle: a text, and what it may become",
        "source": "Bavarian et al. 2022, arXiv:2207.14255",
        "ids": {"begin": BEGIN, "end": END, "prefix": PREFIX, "middle": MIDDLE, "suffix": SUFFIX,
                "end_middle": END_MIDDLE, "byte_0": FIRST},
        "arrangements_say": "the targets of given parts; weight 0: read, not scored",
        "arrangements": [arrangement(text, cuts, form) for form in ("psm", "spm_v2", "spm_v1")
                         for cuts in ((1, 3), (0, 2), (2, 2), (4, 4), (0, 4))],
        "laws_say": "two cuts drawn independently and uniformly over the places between tokens or "
                    "UTF-8 characters, both ends included; outcomes with their probabilities, "
                    "those of one sequence of targets added up",
        "laws": [
            law([BEGIN, 16, 17, 18, END], half, half, "v2", "token"),
            law([16, 17, 18], half, quarter, "v1", "token"),
            law([16, 17, END], fractions.Fraction(1), fractions.Fraction(1), "v2", "token"),
            law([BEGIN, 16], fractions.Fraction(1), fractions.Fraction(0), "v2", "token"),
            law([BEGIN, END], half, half, "v2", "token"),
            law([BEGIN, *bytes_of("aé€"), END], half, half, "v2", "character"),
            law([FIRST + 0x82, FIRST + 0xAC, *bytes_of("b𝄞")], half, half, "v1", "character"),
        ],
    }
    lines = json.dumps(vectors, indent=1)
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(compact(lines) + "\n")


def compact(text):
    """Lists of numbers on one line."""
    text = re.sub(r"\[[\d\s,.]*\]", lambda m: "[" + ", ".join(m[0][1:-1].replace(",", " ").split())
                  + "]", text)
    return re.sub(r"\{\s+\"targets\": (\[[^\]]*\]),\s+\"probability\": ([^\s]+)\s+\}",
                  r'{"targets": \1, "probability": \2}', text)


if __name__ == "__main__":
    main()
