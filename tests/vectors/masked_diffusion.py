#!/usr/bin/env python3
"""Writes masked_diffusion.json; shares nothing with the program that is tested against it."""

from masked_lm import FIRST, TEXT, SplitMix64, write


def diffusion_case(row, rows, seed, epsilon):
    rng = SplitMix64(seed)
    draw = rng.fork(0).uniform()
    time = epsilon + (1 - epsilon) * ((row + draw) / rows)
    which = rng.fork(1)
    below = [which.uniform() < (1 - epsilon) * time for _ in TEXT]
    return {"row": row, "rows": rows, "seed": seed, "epsilon": epsilon, "draw": draw, "time": time,
            "hide_probability": (1 - epsilon) * time, "weight": 1 / time,
            "hidden": [i for i, token in enumerate(TEXT) if below[i] and token >= FIRST]}


def masked_diffusion():
    cases = [(0, 1, 1, .001), (0, 4, 2, .001), (1, 4, 3, .001), (2, 4, 4, .001), (3, 4, 5, .001),
             (31, 32, 6, .001), (0, 32, 7, .001), (5, 8, 8, .05)]
    return {
        "about": ["Masked diffusion, log-linear schedule: time, probability of hiding and weight.",
                  "u = (row + draw) / rows; time = epsilon + (1 - epsilon) u; a token is hidden "
                  "with probability (1 - epsilon) time and weighs 1 / time; the loss is a mean "
                  "over all tokens that are not special, hidden or not.",
                  "With SplitMix64: draw is the first of fork(0) of the seed; position i is hidden "
                  "where uniform draw i of fork(1) is below hide_probability."],
        "text": TEXT,
        "tokens_in_the_mean": sum(token >= FIRST for token in TEXT),
        "cases": [diffusion_case(*one) for one in cases]}


if __name__ == "__main__":
    write("masked_diffusion", masked_diffusion())
