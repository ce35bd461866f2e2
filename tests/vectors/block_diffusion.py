#!/usr/bin/env python3
"""Writes block_diffusion.json; shares nothing with the program that is tested against it."""

import math

from masked_lm import BEGIN, END, FIRST, SplitMix64, write


def places(tokens, size):
    """(document, block) of each position; blocks are counted from the start of the document."""
    found, document, start = [], 0, 0
    for i, token in enumerate(tokens):
        if i > 0 and (token == BEGIN or tokens[i - 1] == END):
            document, start = document + 1, i
        found.append((document, (i - start) // size))
    return found


def sight(tokens, size):
    place = places(tokens, size)

    def among(wanted):
        return [j for j, one in enumerate(place) if wanted(*one)]

    return {"tokens": tokens, "block": size,
            "blocks": [block for _, block in place],
            "noised_sees": [{"noised": among(lambda d, b: (d, b) == (document, block)),
                             "clean": among(lambda d, b: d == document and b < block)}
                            for document, block in place],
            "clean_sees": [{"noised": [],
                            "clean": among(lambda d, b: d == document and b <= block)}
                           for document, block in place]}


def window(*lengths, begun=False, ended=True):
    """Documents of so many ordinary tokens; `begun`: the first one starts before the window."""
    tokens = []
    for i, length in enumerate(lengths):
        tokens += [] if begun and i == 0 else [BEGIN]
        tokens += [FIRST + (len(tokens) + k) * 7 % 64 for k in range(length)] + [END]
    return tokens if ended else tokens[:-1]


def sights():
    one = [FIRST + i * 7 % 64 for i in range(8)]
    two = [window(2, 2), window(1, 3), window(2, 4, begun=True, ended=False), window(3, 1)]
    for tokens in [one[:6], one[:7], one, window(5), *two]:
        for size in sorted({1, 2, 3, len(tokens)}):
            yield sight(tokens, size)


def times_of(row, rows, draws, low, high):
    """One equal part of (low, high) for each block of each row, later blocks the later ones."""
    parts = rows * len(draws)
    return [low + (high - low) * ((draw + row * len(draws) + block) / parts)
            for block, draw in enumerate(draws)]


def log_linear(time, epsilon):
    """Probability of hiding and weight of the schedule, from its noise and the rate of that."""
    noise = -math.log1p(-(1 - epsilon) * time)
    rate = (1 - epsilon) / (1 - (1 - epsilon) * time)
    hide, weight = 1 - math.exp(-noise), rate / math.expm1(noise)
    assert math.isclose(hide, (1 - epsilon) * time, rel_tol=1e-9)
    assert math.isclose(weight, 1 / time, rel_tol=1e-9)
    return (1 - epsilon) * time, 1 / time


def weight_case(row, rows, blocks, seed, epsilon):
    rng = SplitMix64(seed)
    draws = [rng.uniform() for _ in range(blocks)]
    times = times_of(row, rows, draws, epsilon, 1)
    both = [log_linear(time, epsilon) for time in times]
    return {"row": row, "rows": rows, "epsilon": epsilon, "draws": draws, "times": times,
            "hide_probabilities": [hide for hide, _ in both],
            "weights": [weight for _, weight in both],
            "reference_hide_probabilities": times}


def clipped_case(row, rows, blocks, seed, low, high):
    rng = SplitMix64(seed)
    draws = [rng.uniform() for _ in range(blocks)]
    times = times_of(row, rows, draws, low, high)
    return {"row": row, "rows": rows, "low": low, "high": high, "draws": draws, "times": times,
            "reference_hide_probabilities": times,
            "weights": [1.0 if low > .5 else 1 / time for time in times],
            "is_bound": low == .001 and high == 1}


def block_diffusion():
    return {
        "about": [
            "Block diffusion (BD3-LM): who sees whom, and times, probabilities and weights of "
            "blocks.",
            "Source: kuleshov-group/bd3lms, models/dit.py, block_diff_mask; diffusion.py, "
            "_sample_t and _forward_pass_diffusion; noise_schedule.py, LogLinearNoise.",
            "sight: what is read is the window twice, noised and clean. block: tokens of a block; "
            "blocks: the block of each position, counted from the start of its document (a begin "
            "token, or what follows an end token, or the window's start), so that the last block "
            "of a document may be shorter. noised_sees, clean_sees: for each position of the "
            "noised and of the clean copy, the positions of either copy that it sees: noised, all "
            "of its own block and the clean copy of earlier blocks, not of its own; clean, its own "
            "block and earlier ones of the clean copy, and nothing noised. Documents do not see "
            "each other. The reference knows one document, which is the window, and blocks that "
            "divide it.",
            "weights: block b of row r of `rows`, with B blocks in a row, has u = (draw + r B + b) "
            "/ (rows B) and time = epsilon + (1 - epsilon) u; draws, times and what follows are by "
            "block. So times are stratified over all blocks of a step in reading order: the blocks "
            "of a row have neighbouring times, later ones later times; with one row only, a later "
            "block is always the more hidden one. hide_probabilities: (1 - epsilon) time, and "
            "weights: 1 / time, the log-linear schedule as in masked_diffusion.json, which the "
            "reference uses if mdlm_loss_scale is set. reference_hide_probabilities: the time "
            "itself, which it uses by default, with the same weights. Its loss is a mean over all "
            "tokens, hidden or not.",
            "clipped: with times in (low, high) in place of (epsilon, 1): time = low + (high - "
            "low) u; a token is hidden with probability time and weighs 1 / time, but 1 where low "
            "is above .5. is_bound: the loss bounds -log p only with (.001, 1), and is -log p with "
            "(1, 1) and blocks of one token. If `resample` is set, as in its training scripts, the "
            "reference also draws a block anew until the share of hidden tokens is within [low, "
            "high] (only the end that is not .001 or 1 counts); that is left out here. Low and "
            "high both 1: everything is hidden, at weight 1."],
        "sight": list(sights()),
        "weights": [weight_case(*one) for one in
                    [(0, 1, 1, 1, .001), (0, 1, 4, 2, .001), (0, 4, 4, 3, .001), (2, 4, 4, 4, .001),
                     (31, 32, 8, 5, .001), (1, 2, 3, 6, .05)]],
        "clipped": [clipped_case(*one) for one in
                    [(0, 1, 4, 1, .001, 1), (1, 4, 4, 2, .3, .8), (0, 2, 4, 3, .45, .95),
                     (0, 2, 4, 4, .5, 1), (1, 2, 4, 5, .55, 1), (0, 1, 3, 6, 1, 1)]]}


if __name__ == "__main__":
    write("block_diffusion", block_diffusion())
