#!/usr/bin/env python3
"""Compares harness/statistics with SciPy and statsmodels on random inputs; skips (77) where they are absent.

    tests/differential/statistics.py build/release/ablate_statistics [--cases 40]
"""
import argparse
import json
import subprocess
import sys

try:
    import numpy as np
    import scipy.stats
    from scipy.integrate import quad
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.power import TTestPower
    from statsmodels.stats.proportion import proportion_confint
    from statsmodels.stats.weightstats import ttost_paired
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TIGHT = 1e-9  # relative to the size of the number, at least to 1e-3


def sign_flip(x):
    """The definition, by all patterns."""
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(x))).reshape(len(x), -1)
    return np.mean(np.abs(x @ signs) >= abs(x.sum()) - 1e-12)


def dunnett_known_variance(t, loadings):
    """1 - P(all |T| < t) where the variance is known, by adaptive quadrature."""
    phi = scipy.stats.norm

    def given(z):
        own = np.sqrt(1 - loadings**2)
        return phi.pdf(z) * np.prod(phi.cdf((t - loadings * z) / own) - phi.cdf((-t - loadings * z) / own))

    return 1 - quad(given, -9, 9, epsabs=1e-12, epsrel=1e-12, limit=200)[0]


def least_squares(x, degree):
    """The row of the pseudo-inverse that gives the coefficient of the highest power."""
    return np.linalg.pinv(np.vander(x, degree + 1))[0]


def one_sample(rng):
    x = rng.normal(rng.normal(), 1, rng.integers(3, 11))
    test, margin = scipy.stats.ttest_1samp(x, 0), 0.5 + rng.random()
    yield {"call": "t_test", "x": x}, [test.statistic, len(x) - 1, test.pvalue]
    interval = scipy.stats.t.interval(0.95, len(x) - 1, x.mean(), scipy.stats.sem(x))
    yield {"call": "t_interval", "x": x}, interval, 1e-8  # SciPy 1.10's quantile of t has nine digits
    yield {"call": "equivalence", "x": x, "margin": margin}, [ttost_paired(x, 0 * x, -margin, margin)[0]]
    ranks = scipy.stats.wilcoxon(x, method="exact")
    yield {"call": "wilcoxon", "x": x}, [ranks.statistic, ranks.pvalue]
    yield {"call": "sign_flip", "x": x}, [sign_flip(x)]
    effect, n = 2 * rng.random(), int(rng.integers(3, 40))
    power = TTestPower().power(effect, n, 0.05, alternative="two-sided")
    if np.isfinite(power):  # SciPy 1.10's non-central t is not, for some large ones
        yield {"call": "power", "n": n, "alpha": 0.05, "effect": effect}, [power], 1e-7
    x = rng.normal(0, 1, rng.integers(8, 11))
    resampled = scipy.stats.bootstrap((x,), np.mean, method="BCa", n_resamples=20000, random_state=rng)
    # Drawn there, counted here; fewer values have means too far apart for that to agree.
    yield {"call": "bca", "x": x}, list(resampled.confidence_interval), 0.1 * x.std()


def two_samples(rng):
    x, y = rng.normal(0, 1, rng.integers(3, 12)), rng.normal(0.5, 2, rng.integers(3, 12))
    welch = scipy.stats.ttest_ind(x, y, equal_var=False)
    a, b = x.var(ddof=1) / len(x), y.var(ddof=1) / len(y)
    degrees = (a + b) ** 2 / (a**2 / (len(x) - 1) + b**2 / (len(y) - 1))
    yield {"call": "welch", "x": x, "y": y}, [welch.statistic, degrees, welch.pvalue]
    ranks = scipy.stats.mannwhitneyu(x, y, method="exact")
    yield {"call": "mann_whitney", "x": x, "y": y}, [ranks.pvalue]
    tied_x, tied_y = (rng.integers(0, 4, rng.integers(2, 6)).astype(float) for _ in range(2))
    exact = scipy.stats.permutation_test(
        (tied_x, tied_y), lambda a, b: scipy.stats.mannwhitneyu(a, b, method="asymptotic").statistic,
        n_resamples=np.inf, vectorized=False)  # all of them
    yield {"call": "mann_whitney", "x": tied_x, "y": tied_y}, [exact.pvalue]
    yield {"call": "a12", "x": x, "y": y}, [ranks.statistic / len(x) / len(y)]


def families(rng):
    p = rng.random(rng.integers(1, 15)) ** 2
    for method in ("holm", "fdr_bh"):
        yield {"call": method, "p": p}, multipletests(p, method=method)[1]
    t, loadings = 3 * rng.random(), np.sqrt(rng.uniform(0.2, 0.8, rng.integers(1, 6)))
    # Many degrees of freedom: the estimated variance is all but the true one.
    yield {"call": "dunnett", "t": t, "loadings": loadings, "degrees": 1e7}, [dunnett_known_variance(t, loadings)], 1e-6


def items(rng):
    n = int(rng.integers(1, 400))
    k = int(rng.integers(0, n + 1))
    for method in ("wilson", "beta"):
        low, high = proportion_confint(k, n, method=method)
        yield {"call": method, "k": k, "n": n}, [0 if k == 0 else low, 1 if k == n else high]
    b, c = (int(count) for count in rng.integers(0, 40, 2))
    if b + c:
        yield {"call": "mcnemar", "b": b, "c": c}, [scipy.stats.binomtest(min(b, c), b + c).pvalue]


def tasks_and_sweeps(rng):
    scores = rng.integers(0, 9, (rng.integers(3, 7), rng.integers(2, 12))).astype(float)  # with ties
    yield {"call": "iqm", "scores": scores}, [scipy.stats.trim_mean(scores.ravel(), 0.25)]
    test = scipy.stats.friedmanchisquare(*scores)
    if np.isfinite(test.statistic):
        yield {"call": "friedman", "scores": scores}, [test.statistic, test.pvalue]
    x = np.sort(rng.choice(1000, rng.integers(4, 9), replace=False) / 1000)
    for degree in (1, 2):
        expected = least_squares(x, degree)
        yield {"call": "trend", "x": x, "degree": degree}, expected, 1e-9 * np.abs(expected).max()


def questions(cases):
    for case in range(cases):
        for family in (one_sample, two_samples, families, items, tasks_and_sweeps):
            for question, expected, *tolerance in family(np.random.default_rng(case)):
                yield question, np.asarray(expected, float), tolerance[0] if tolerance else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=40)
    arguments = parser.parse_args()
    with np.errstate(all="ignore"):
        asked = list(questions(arguments.cases))
    lines = "\n".join(json.dumps(question, default=np.ndarray.tolist) for question, _, _ in asked)
    done = subprocess.run([arguments.program], input=lines, text=True, stdout=subprocess.PIPE, check=True)
    answers = [np.array(json.loads(line)) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked), "a question was not answered"
    wrong = 0
    for (question, expected, tolerance), answer in zip(asked, answers):
        allowed = TIGHT * np.maximum(np.abs(expected), 1e-3) if tolerance is None else tolerance
        if not np.all(np.abs(answer - expected) <= allowed):
            wrong += 1
            print(f"{question}: {answer}, expected {expected}")
    print(f"{len(asked)} questions, {wrong} answered otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
