#!/usr/bin/env python3
"""Writes score_entropy.json; shares nothing with the program that is tested against it."""

import math

from masked_lm import SplitMix64, write

NEVER = -800.0  # the log of a score that is 0 in double precision


def states(graph, vocabulary):
    """The absorbing graph has a mask besides: the state after the tokens."""
    return range(vocabulary + (graph == "absorbing"))


def rate(graph, vocabulary, to, start):
    """Of jumps from one state to another one."""
    if graph == "uniform":
        return 1 / vocabulary
    return float(to == vocabulary)


def chance(graph, vocabulary, sigma, x, x_0):
    """p(x | x_0) at the noise sigma."""
    stays = math.exp(-sigma)
    if graph == "uniform":
        return (x == x_0) * stays + (1 - stays) / vocabulary
    return (x == x_0) * stays + (x == vocabulary) * (1 - stays)


def ratios(graph, vocabulary, sigma, x_t, x_0):
    given = chance(graph, vocabulary, sigma, x_t, x_0)
    return [chance(graph, vocabulary, sigma, y, x_0) / given for y in states(graph, vocabulary)]


def constant(ratio):
    return ratio * (math.log(ratio) - 1) if ratio > 0 else 0.0


def score_entropy(graph, vocabulary, log_scores, x_t, x_0, sigma):
    """Denoising score entropy, by its definition."""
    of_state = ratios(graph, vocabulary, sigma, x_t, x_0)
    return math.fsum(
        rate(graph, vocabulary, x_t, y) *
        (math.exp(log_scores[y]) - of_state[y] * log_scores[y] + constant(of_state[y]))
        for y in states(graph, vocabulary) if y != x_t)


def case(graph, vocabulary, log_scores, x_t, x_0, sigma):
    return {"graph": graph, "vocabulary": vocabulary, "x_t": x_t, "x_0": x_0, "sigma": sigma,
            "ratios": ratios(graph, vocabulary, sigma, x_t, x_0), "log_scores": log_scores,
            "loss": score_entropy(graph, vocabulary, log_scores, x_t, x_0, sigma)}


def losses():
    rng = SplitMix64(1)
    for vocabulary in (3, 4, 5):
        for sigma in (.01, .3, .7, 2.5, 6.9):
            for graph, pairs in [("absorbing", [(vocabulary, 1), (vocabulary, 0), (2, 2)]),
                                 ("uniform", [(1, 1), (0, vocabulary - 1)])]:
                for x_t, x_0 in pairs:
                    scores = [4 * rng.uniform() - 2 for _ in states(graph, vocabulary)]
                    yield case(graph, vocabulary, scores, x_t, x_0, sigma)


def zeros():
    """At the true ratios."""
    for graph, vocabulary, x_t, x_0, sigma in [
            ("absorbing", 3, 3, 1, .3), ("absorbing", 5, 5, 4, 3.), ("absorbing", 4, 0, 0, .7),
            ("uniform", 3, 1, 1, .3), ("uniform", 4, 0, 2, .7), ("uniform", 5, 4, 3, 3.)]:
        scores = [math.log(r) if r > 0 else NEVER
                  for r in ratios(graph, vocabulary, sigma, x_t, x_0)]
        one = case(graph, vocabulary, scores, x_t, x_0, sigma)
        assert abs(one["loss"]) < 1e-12
        yield {**one, "loss": 0.0}


def log_linear(t, epsilon):
    return {"t": t, "epsilon": epsilon, "sigma": -math.log1p(-(1 - epsilon) * t),
            "dsigma": (1 - epsilon) / (1 - (1 - epsilon) * t)}


def geometric(t, low, high):
    sigma = low**(1 - t) * high**t
    return {"t": t, "low": low, "high": high, "sigma": sigma,
            "dsigma": sigma * math.log(high / low)}


def scaled(outputs, x_t, t, epsilon):
    """The log-scores of a network's outputs for tokens and mask."""
    sigma = log_linear(t, epsilon)["sigma"]
    shift = math.log(math.expm1(sigma)) + math.log(len(outputs) - 1)
    return {"outputs": outputs, "x_t": x_t, "sigma": sigma,
            "log_scores": [0.0 if y == x_t else out - shift for y, out in enumerate(outputs)]}


def as_diffusion(probabilities, x_0, t, epsilon):
    """Scores that are probabilities of the tokens, times the sum of the true ratios."""
    assert math.isclose(sum(probabilities), 1)
    vocabulary, noise = len(probabilities), log_linear(t, epsilon)
    scores = [math.log(p) - math.log(math.expm1(noise["sigma"])) for p in probabilities] + [0.0]
    weighted = noise["dsigma"] * score_entropy("absorbing", vocabulary, scores, vocabulary, x_0,
                                               noise["sigma"])
    assert math.isclose(weighted, -math.log(probabilities[x_0]) / t, rel_tol=1e-9)
    return {"probabilities": probabilities, "x_0": x_0, **noise, "log_scores": scores,
            "weighted_loss": weighted, "masked_diffusion_loss": -math.log(probabilities[x_0]) / t}


def denoised(probabilities, x_t, x_0, t):
    """By way of the clean token: equation 19 of arXiv:2412.10193, at alpha = 1 - t."""
    size, alpha = len(probabilities), 1 - t
    clean = [float(v == x_0) for v in range(size)]
    bar, bar_model = ([size * alpha * p + 1 - alpha for p in law] for law in (clean, probabilities))
    cost = size / bar[x_t] - size / bar_model[x_t] - math.fsum(
        bar[j] / bar[x_t] * math.log(bar_model[x_t] * bar[j] / (bar_model[j] * bar[x_t]))
        for j in range(size))
    return {"probabilities": probabilities, "x_t": x_t, "x_0": x_0, "t": t,
            "weighted_loss": -cost / (size * alpha)}


def score_entropies():
    rng = SplitMix64(2)
    times = (.001, .01, .1, .25, .5, .75, .9, .999, 1.)
    return {
        "about": [
            "Score entropy (SEDD, arXiv:2310.16834): losses of single positions, in nats, and "
            "noise.",
            "losses: by the definition: the sum over the states y other than x_t of Q(x_t, y) (s_y "
            "- r_y log s_y + K(r_y)), with K(a) = a (log a - 1) and K(0) = 0. Q(x_t, y) is the "
            "rate of jumps from y to x_t: in the uniform graph 1 / vocabulary, in the absorbing "
            "graph 1 where x_t is the mask and otherwise 0, so that the loss of an unmasked "
            "position is 0 whatever its scores are. r_y = p(y | x_0) / p(x_t | x_0) is in "
            "`ratios`, with p(x | x_0) = e^-sigma where x = x_0, plus 1 - e^-sigma at the mask, or "
            "plus (1 - e^-sigma) / vocabulary in the uniform graph.",
            "vocabulary: tokens, numbered from 0; in the absorbing graph the mask is state "
            "`vocabulary`, beside them. log_scores: log s_y of every state; that of x_t itself "
            "counts for nothing (the reference sets it to 0). Losses are without the weight "
            "dsigma.",
            "zeros: at s = r the loss is 0; -800 stands for the log of 0, which is 0 once "
            "exponentiated.",
            "log_linear: sigma(t) = -log(1 - (1 - epsilon) t), and its derivative dsigma, which a "
            "position's loss is multiplied by; t is uniform in (epsilon, 1), without strata. "
            "geometric: low^(1 - t) high^t, which the reference pairs with the uniform graph.",
            "scaled: the reference subtracts log(e^sigma - 1) and the log of the number of tokens "
            "(all states but one) from the outputs of a network, in the absorbing graph only, and "
            "sets that of x_t to 0.",
            "as_masked_diffusion: where the scores of a masked position are probabilities of the "
            "tokens over e^sigma - 1, dsigma times the loss is that of masked diffusion, -log "
            "p(x_0) / t. The reference adds positions up and takes the mean over rows.",
            "denoised: the weighted loss in the uniform graph where the scores are those that "
            "`probabilities` of the token before the noise imply, by the formula of "
            "arXiv:2412.10193, equation 19, with alpha = 1 - t."],
        "losses": list(losses()),
        "zeros": list(zeros()),
        "log_linear": [log_linear(t, epsilon) for epsilon in (.001, .05) for t in times],
        "geometric": [geometric(t, 1e-4, 20.) for t in times],
        "scaled": [scaled([4 * rng.uniform() - 2 for _ in range(size)], x_t, t, .001)
                   for size, x_t, t in [(4, 3, .1), (5, 4, .6), (6, 5, .95), (5, 2, .4)]],
        "as_masked_diffusion": [as_diffusion(*one) for one in
                                [([.2, .3, .5], 1, .25, .001), ([.1, .2, .3, .4], 0, .9, .001),
                                 ([.7, .1, .1, .05, .05], 4, .01, .001), ([.6, .4], 0, .5, .05)]],
        "denoised": [denoised(*one) for one in
                     [([.2, .3, .5], 1, 1, .25), ([.2, .3, .5], 0, 2, .25),
                      ([.1, .2, .3, .4], 3, 0, .9), ([.1, .2, .3, .4], 2, 2, .9),
                      ([.7, .1, .1, .05, .05], 4, 0, .01), ([.6, .4], 0, 1, .999)]]}


if __name__ == "__main__":
    write("score_entropy", score_entropies())
