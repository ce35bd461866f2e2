#!/usr/bin/env python3
"""Writes denoising.json: every input that tiny texts may become, with its exact probability.

An enumeration of its own, which shares nothing with the program that is tested against it."""

import collections
import itertools
import json
import math
import pathlib
import re

BEGIN, END, MASK = 1, 2, 4


def poisson(mean):
    law = []
    for length in range(128):
        law.append(math.exp(-mean) * mean**length / math.factorial(length))
        if length > mean and law[-1] < 1e-7:
            break
    return [p / sum(law) for p in law]


def drawn_lengths(mean, budget):
    """(lengths above 0 in the order drawn, lengths of 0 among them): probability."""
    law = poisson(mean)
    above = lambda left: [(n, law[n]) for n in range(1, left)] + [(left, sum(law[left:]))]
    found = collections.Counter()

    def draw(lengths, left, p):
        if left == 0:  # zeros before the last of k others: negative binomial, capped
            k, most = len(lengths), budget - len(lengths)
            zero = [math.comb(z + k - 1, z) * law[0]**z for z in range(most)]
            rest = 1 / (1 - law[0])**k - sum(zero)
            for z, q in enumerate(zero + [rest]):
                found[lengths, z] += p * q
            return
        for n, q in above(left):
            draw(lengths + (n,), left - n, p * q)

    draw((), budget, 1.0)
    return found


def budgets(rate, tokens, law):
    wanted = rate * tokens
    if law == "reference":
        return {min(tokens, math.ceil(wanted - 1e-9)): 1.0}
    low, part = math.floor(wanted), wanted - math.floor(wanted)
    return {low: 1 - part} | ({low + 1: part} if part > 0 else {})


def rows(items, things):
    """Every order of `items` equal things and some that are told apart, as lists of None and those."""
    total = items + len(things)
    for slots in itertools.combinations(range(total), len(things)):
        for order in itertools.permutations(things):
            row = [None] * total
            for slot, thing in zip(slots, order):
                row[slot] = thing
            yield row


def infilled(tokens, rate, mean, law):
    result = collections.Counter()
    for budget, share in budgets(rate, len(tokens), law).items():
        if budget == 0:
            result[tuple(tokens)] += share
            continue
        for (lengths, zeros), p in drawn_lengths(mean, budget).items():
            outcomes = list(apart(tokens, lengths, zeros) if law == "exact"
                            else anywhere(tokens, lengths, zeros))
            for outcome, weight in outcomes:
                result[outcome] += share * p * weight
    return result


def apart(tokens, lengths, zeros):
    orders = list(rows(len(tokens) - sum(lengths), list(lengths) + [0] * zeros))
    for row in orders:
        shown, at = [], 0
        for thing in row:
            if thing is None:
                shown.append(tokens[at])
            else:
                shown.append(MASK)
            at += 1 if thing is None else thing
        yield tuple(shown), 1 / len(orders)


def anywhere(tokens, lengths, zeros):
    starts_of = list(itertools.permutations(range(len(tokens)), len(lengths)))
    for starts in starts_of:
        gone = {i for start, n in zip(starts, lengths) for i in range(start + 1, start + n)}
        kept = [MASK if i in starts else token for i, token in enumerate(tokens) if i not in gone]
        strays = min(zeros, len(tokens) - len(kept))
        orders = list(rows(len(kept), [MASK] * strays))
        for row in orders:
            left = iter(kept)
            yield (tuple(next(left) if thing is None else thing for thing in row),
                   1 / len(orders) / len(starts_of))


def each(tokens, rate, hidden):
    result = collections.Counter()
    for pattern in itertools.product((False, True), repeat=len(tokens)):
        p = math.prod(rate if hides and token != MASK else 1 - rate if token != MASK else
                      0.0 if hides else 1.0 for hides, token in zip(pattern, tokens))
        shown = [s for hides, token in zip(pattern, tokens)
                 for s in ((hidden if hides else [token]))]
        result[tuple(shown)] += p
    return result


def permuted(tokens, starts, share):
    ends = [*starts[1:], len(tokens)]
    sentences = [tokens[a:b] for a, b in zip(starts, ends)]
    result = collections.Counter()
    chosen_sets = list(itertools.combinations(range(len(starts)),
                                              math.ceil(share * len(starts) - 1e-9)))
    for chosen in chosen_sets:
        orders = list(itertools.permutations(chosen))
        for order in orders:
            places = list(range(len(starts)))
            for here, there in zip(chosen, order):
                places[here] = there
            shown = tuple(t for place in places for t in sentences[place])
            result[shown] += 1 / len(orders) / len(chosen_sets)
    return result


def rotated(tokens, probability):
    result = collections.Counter({tuple(tokens): 1 - probability})
    for i in range(max(1, len(tokens))):
        result[tuple(tokens[i:]) + tuple(tokens[:i])] += probability / max(1, len(tokens))
    return result


def then(law, step):
    result = collections.Counter()
    for tokens, p in law.items():
        for outcome, q in step(list(tokens)).items():
            result[outcome] += p * q
    return result


def case(text, sentence_starts=(), **settings):
    given = {"infill_rate": 0, "lambda": 3, "law": "exact", "mask_rate": 0, "delete_rate": 0,
             "permute_sentences": 0, "rotate": 0} | settings
    begins, ends = text[:1] == [BEGIN], text[-1:] == [END]
    own = text[begins : len(text) - ends]
    starts = sorted({0} | {i - begins for i in sentence_starts})
    law = permuted(own, starts, given["permute_sentences"])
    law = then(law, lambda t: infilled(t, given["infill_rate"], given["lambda"], given["law"]))
    law = then(law, lambda t: each(t, given["mask_rate"], [MASK]))
    law = then(law, lambda t: each(t, given["delete_rate"], []))
    law = then(law, lambda t: rotated(t, given["rotate"]))
    inputs = lambda shown: [BEGIN] * begins + list(shown) + [END] * ends
    return {"text": text, "sentence_starts": list(sentence_starts), "settings": given,
            "targets": text, "weights": [0] * begins + [1] * (len(text) - begins),
            "outcomes": [{"inputs": inputs(shown), "probability": round(p, 12)}
                         for shown, p in sorted(law.items()) if p > 0]}


def main():
    five = [BEGIN, 16, 17, 18, 19, 20, END]
    vectors = {
        "what": "denoising: a text, and the inputs that it may become; targets are the text",
        "source": "Lewis et al. 2020, arXiv:1910.13461; law 'reference': fairseq's "
                  "denoising_dataset.py with replace_length 1",
        "ids": {"begin": BEGIN, "end": END, "mask": MASK},
        "laws_say": "steps in this order: permute sentences, infill spans, mask tokens, delete "
                    "tokens, rotate; settings by name; sentence_starts: places in the text, begin "
                    "token included; weight 0: not scored; outcomes with their probabilities",
        "laws": [
            case(five, infill_rate=0.4, **{"lambda": 1.5}),
            case(five, infill_rate=0.3, **{"lambda": 3}),
            case(five, infill_rate=0.4, law="reference", **{"lambda": 1.5}),
            case([16, 17, 18, 19], infill_rate=0.7, law="reference", **{"lambda": 2}),
            case(five, infill_rate=0.95, law="reference", **{"lambda": 2}),
            case([16], infill_rate=0.3, **{"lambda": 1}),
            case(five, sentence_starts=[1, 3, 4], permute_sentences=1),
            case(five, sentence_starts=[1, 3, 4], permute_sentences=0.5),
            case([BEGIN, 16, 17, 18, END], mask_rate=0.4),
            case([16, 17, 18], delete_rate=0.3),
            case(five, rotate=0.5),
            case([BEGIN, 16, 17, 18, 19, END], sentence_starts=[1, 3], permute_sentences=1,
                 infill_rate=0.5, **{"lambda": 1}),
            case([16, 17, 18, END], mask_rate=0.5, delete_rate=0.25, rotate=0.75),
        ],
    }
    for law in vectors["laws"]:
        assert abs(sum(o["probability"] for o in law["outcomes"]) - 1) < 1e-9
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(compact(json.dumps(vectors, indent=1)) + "\n")


def compact(text):
    """Lists of numbers on one line, and an outcome, too."""
    text = re.sub(r"\[[\d\s,.]*\]", lambda m: "[" + ", ".join(m[0][1:-1].replace(",", " ").split())
                  + "]", text)
    return re.sub(r"\{\s+\"inputs\": (\[[^\]]*\]),\s+\"probability\": ([^\s]+)\s+\}",
                  r'{"inputs": \1, "probability": \2}', text)


if __name__ == "__main__":
    main()
