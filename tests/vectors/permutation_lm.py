#!/usr/bin/env python3
"""Writes permutation_lm.json; shares nothing with the program that is tested against it."""

import collections
import itertools
from fractions import Fraction

from masked_lm import BEGIN, END, FIRST, write


def gram_lengths(longest):
    total = sum(Fraction(1, n) for n in range(1, longest + 1))
    return [(n, Fraction(1, n) / total) for n in range(1, longest + 1)]


def end_of(begin, n, starts, grams):
    """Where a gram ends; the length of the text, or more, where it does not end before that."""
    if grams == "tokens":
        return begin + n
    later = [i for i in range(begin + 1, len(starts)) if starts[i]]
    return later[n - 1] if len(later) >= n else len(starts)


def after_grams(one, at=0, hidden=frozenset()):
    """What the grams hide, before single tokens are added, with its probability."""
    starts, goal = one["word_starts"], one["goal"]
    if at >= len(starts) or len(hidden) >= goal:
        yield hidden, Fraction(1)
        return
    for drawn, share in gram_lengths(one["max_gram"]):
        n = min(drawn, goal - len(hidden))
        context = n * one["alpha"] // one["beta"]
        for left in range(context):
            p = share / context
            begin = next((i for i in range(at + left, len(starts)) if starts[i]), len(starts))
            end = end_of(begin, n, starts, one["grams"])
            if begin >= len(starts) or end >= len(starts):
                yield hidden, p
                continue
            right = context - left
            upto = min(end, begin + goal - len(hidden)) if one["overshoot"] == "cut" else end
            for final, q in after_grams(one, end + right, hidden | set(range(begin, upto))):
                yield final, p * q


def law(one):
    joined = collections.defaultdict(Fraction)
    places = range(len(one["word_starts"]))
    for hidden, p in after_grams(one):
        missing = max(0, one["goal"] - len(hidden))
        filled = list(itertools.combinations([i for i in places if i not in hidden], missing))
        for added in filled:
            joined[tuple(int(i in hidden or i in added) for i in places)] += p / len(filled)
    assert sum(joined.values()) == 1
    assert one["overshoot"] == "kept" or all(sum(mask) == one["goal"] for mask in joined)
    return {**one, "outcomes": [{"mask": list(mask), "probability": float(p)}
                                for mask, p in sorted(joined.items())]}


def setting(starts, max_gram, alpha, beta, goal, grams="tokens", overshoot="cut"):
    return {"length": len(starts), "word_starts": starts, "max_gram": max_gram, "alpha": alpha,
            "beta": beta, "goal": goal, "grams": grams, "overshoot": overshoot}


def laws():
    plain = [(6, 2, 2, 1, 2), (6, 2, 2, 1, 4), (7, 3, 2, 1, 3), (7, 2, 3, 1, 2), (8, 3, 3, 1, 3),
             (8, 2, 3, 2, 3), (9, 3, 2, 1, 4), (9, 3, 3, 1, 2), (9, 3, 6, 1, 2)]
    pieces = [([1, 0, 1, 1, 0, 0, 1, 1], 2, 2, 1, 3), ([1, 0, 0, 1, 1, 0, 1, 0, 1], 3, 2, 1, 4),
              ([0, 1, 0, 1, 1, 0, 1, 1], 2, 3, 1, 3), ([1, 0, 0, 1, 0, 0, 1, 0, 0], 2, 2, 1, 2)]
    yield from (law(setting([1] * length, *rest)) for length, *rest in plain)
    for one in pieces:
        for grams, overshoot in [("tokens", "cut"), ("words", "cut"), ("words", "kept")]:
            yield law(setting(*one, grams, overshoot))


def documents(tokens):
    """The number of the document of each position."""
    numbers, number = [], 0
    for i, token in enumerate(tokens):
        number += i > 0 and (token == BEGIN or tokens[i - 1] == END)
        numbers.append(number)
    return numbers


def sight(tokens, order):
    rank = {position: i for i, position in enumerate(order)}
    number = documents(tokens)
    assert all(tokens[position] >= FIRST for position in order)

    def seen(i, but_itself):
        return [j for j in range(len(tokens)) if number[j] == number[i]
                and (j not in rank or i in rank and rank[j] + but_itself <= rank[i])]

    return {"tokens": tokens, "targets": sorted(order), "order": order,
            "content_sees": [seen(i, False) for i in range(len(tokens))],
            "query_sees": [seen(i, True) for i in sorted(order)]}


def window(*lengths, begun=False, ended=True):
    """Documents of so many ordinary tokens; `begun`: the first one starts before the window."""
    tokens = []
    for i, length in enumerate(lengths):
        tokens += [] if begun and i == 0 else [BEGIN]
        tokens += [FIRST + (len(tokens) + k) * 7 % 64 for k in range(length)] + [END]
    return tokens if ended else tokens[:-1]


def permutation_lm():
    one, two = window(6), window(4, 5)
    cut, three = window(3, 4, begun=True, ended=False), window(2, 1, 3)
    return {
        "about": [
            "Permutation language modelling (XLNet): which tokens are predicted, and who sees "
            "whom.",
            "laws: the exact law of the tokens to predict, as zihangdai/xlnet, data_utils.py, "
            "_sample_mask with goal_num_predict, not reversed. From the left: n of 1..max_gram "
            "with p(n) ~ 1/n, at most what is left of the goal; a context of n * alpha // beta "
            "tokens beside the gram, uniform 0..context-1 of them before it and the rest after it; "
            "the gram begins at the first word start from there on. Where none is left, or where "
            "the gram would end with the text or beyond it, it is dropped and there are no further "
            "grams: the last token is in none. Then single tokens, uniform among those not chosen, "
            "until there are `goal`.",
            "length: tokens; word_starts[i]: token i starts a word; mask[i]: token i is predicted. "
            "grams, tokens: as the code does it, which tests the first piece of the gram each "
            "time, so that a gram has n tokens whatever words they are of; words: as the paper "
            "says it, the gram ends before the n+1-th word start from its beginning on, itself "
            "counted.",
            "overshoot: what a gram of words does that would exceed the goal: it is cut after as "
            "many tokens as are left (cut), or is kept, so that more than `goal` are predicted "
            "(kept: the code with that one test corrected). Grams of tokens never exceed it.",
            "sight: targets, ascending, are predicted in the given order. content_sees: for each "
            "position, what its content stream sees, itself included; query_sees: for each of the "
            "targets, ascending, what its query stream sees in the content stream: never itself. "
            "Within a document (from a begin token, or after an end token, on), what is not a "
            "target is seen by all and sees no target; a target also sees the targets that are "
            "predicted before it. Begin and end tokens are never targets. In XLNet's code its "
            "special tokens (SEP, CLS) are permuted along with the targets instead, and unseen by "
            "what is no target; here they are context."],
        "laws": list(laws()),
        "sight": [sight(*case) for case in
                  [(one, [3, 1, 6]), (one, [1, 3, 6]), (one, [6, 5, 4, 3, 2, 1]), (one, []),
                   (one, [4]), (two, [8, 2, 10, 4, 7]), (two, [3, 2]), (cut, [6, 0, 7, 2, 5]),
                   (three, [9, 5, 2, 8, 1]), ([FIRST], [0])]]}


if __name__ == "__main__":
    write("permutation_lm", permutation_lm())
