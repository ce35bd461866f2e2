#!/usr/bin/env python3
"""Writes contrastive.json; shares nothing with the program that is tested against it."""

import collections
import itertools
import math

from masked_lm import FIRST, MASK, SplitMix64, write

PASSAGE = [FIRST, FIRST + 1, FIRST + 2]
ORDINARY = 4


def law(outcomes):
    """Outcomes with their probabilities, equal ones joined."""
    joined = collections.defaultdict(float)
    for outcome, probability in outcomes:
        joined[tuple(outcome)] += probability
    return [{"view": list(view), "probability": p} for view, p in sorted(joined.items()) if p > 0]


def subsets(rate):
    for chosen in itertools.product([False, True], repeat=len(PASSAGE)):
        yield chosen, math.prod(rate if one else 1 - rate for one in chosen)


def cut_off(rate):
    return [([MASK if c else t for c, t in zip(chosen, PASSAGE)], p) for chosen, p in subsets(rate)]


def crop(rate):
    kept = max(1, len(PASSAGE) - math.floor(rate * len(PASSAGE)))
    starts = len(PASSAGE) - kept + 1
    return [(PASSAGE[start:start + kept], 1 / starts) for start in range(starts)]


def shuffle(rate):
    for chosen, p in subsets(rate):
        places = [i for i, one in enumerate(chosen) if one]
        orders = list(itertools.permutations(places))
        for order in orders:
            view = list(PASSAGE)
            for place, source in zip(places, order):
                view[place] = PASSAGE[source]
            yield view, p / len(orders)


def replace(rate):
    for chosen, p in subsets(rate):
        for drawn in itertools.product(range(FIRST, FIRST + ORDINARY), repeat=sum(chosen)):
            left = list(drawn)
            yield [left.pop() if c else t for c, t in zip(chosen, PASSAGE)], p / ORDINARY**len(drawn)


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / math.hypot(*a) / math.hypot(*b)


def cost(own, others):
    """-log softmax of the first of the logits."""
    return math.log(sum(math.exp(other - own) for other in [own, *others]))


def losses(places, partners, negatives, temperature, weight):
    """Each pair's cost by direction. SimCSE's code adds `weight` to the logit of a pair's own hard
    negative; SimCLR's masks a view's logit with itself and takes each view in its turn."""
    pairs = range(len(places))

    def logit(a, b):
        return cosine(a, b) / temperature

    def others(of, among, i):
        return [logit(of[i], among[j]) for j in pairs if j != i]

    forward = [cost(logit(places[i], partners[i]), others(places, partners, i)) for i in pairs]
    backward = [cost(logit(partners[i], places[i]), others(partners, places, i)) for i in pairs]
    of_all = [(cost(logit(places[i], partners[i]),
                    others(places, partners, i) + others(places, places, i)) +
               cost(logit(partners[i], places[i]),
                    others(partners, places, i) + others(partners, partners, i))) / 2
              for i in pairs]
    # SigLIP, algorithm 1: labels 1 on the diagonal and -1 elsewhere, a bias that begins at -10.
    sigmoid = [sum(math.log1p(math.exp(-(1 if i == j else -1) * (logit(places[i], partners[j]) - 10)))
                   for j in pairs) for i in pairs]
    hard = [cost(logit(places[i], partners[i]), others(places, partners, i) +
                 [logit(places[i], negatives[j]) + (weight if i == j else 0) for j in pairs])
            for i in pairs]
    return {"one": forward, "both": [(a + b) / 2 for a, b in zip(forward, backward)],
            "all": of_all, "hard": hard, "sigmoid": sigmoid}


def states(rng, count, width=4):
    return [[2 * rng.uniform() - 1 for _ in range(width)] for _ in range(count)]


def loss_case(seed, pairs, temperature, weight):
    rng = SplitMix64(seed)
    places, partners, negatives = (states(rng, pairs) for _ in range(3))
    return {"places": places, "partners": partners, "negatives": negatives,
            "temperature": temperature, "hard_negative_weight": weight,
            "costs": losses(places, partners, negatives, temperature, weight)}


def contrastive():
    makers = {"cut_off": cut_off, "crop": crop, "shuffle": shuffle, "replace": replace}
    return {
        "about": ["Augmented views of a passage: the law of all outcomes.",
                  "Costs of pairs by states, in nats, unweighted: cosines over the temperature. one: "
                  "a place among all partners; both: also the reverse, the mean; all: NT-Xent, each "
                  "among the places and partners of all, except itself, the mean of the two; hard: "
                  "one, with every hard negative as a further class; sigmoid: of the labels of all of a "
                  "place's pairs, logits less 10, added up."],
        "passage": PASSAGE, "ordinary": ORDINARY,
        "laws": [{"augmentation": name, "rate": rate, "outcomes": law(maker(rate))}
                 for name, maker in makers.items() for rate in (.15, .5, 1)],
        "losses": [loss_case(*one) for one in
                   [(1, 2, .05, 0), (2, 5, .1, .7), (3, 8, 1, -2), (4, 1, .5, 1)]]}


if __name__ == "__main__":
    write("contrastive", contrastive())
