#!/usr/bin/env python3
"""Writes masked_lm.json.

The published algorithms, written down once more with their draws made explicit; it shares nothing
with the program that is tested against its output."""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent
BEGIN, END, MASK, FIRST = 1, 2, 4, 16
WIDTH = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WIDTH
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WIDTH
    return z ^ (z >> 31)


class SplitMix64:
    def __init__(self, state):
        self.state = state & WIDTH

    def fork(self, index):
        return SplitMix64(mix((self.state + mix((index + GAMMA) & WIDTH)) & WIDTH))

    def next(self):
        self.state = (self.state + GAMMA) & WIDTH
        return mix(self.state)

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def below(self, bound):
        draw = self.next()
        while draw < (1 << 64) % bound:
            draw = self.next()
        return draw % bound


def count_of(tokens, rate):
    return min(tokens, max(1, round(rate * tokens)))  # halves to even


def masked(text, seed, rate=0.15, mask_share=0.8, random_share=0.1, count="bernoulli"):
    rng = SplitMix64(seed)
    how = rng.fork(0)
    left = sum(token >= FIRST for token in text)
    wanted = count_of(left, rate)
    hidden = []
    for i, token in enumerate(text):
        if count == "exact":
            if token < FIRST:
                continue
            chosen = rng.uniform() * left < wanted
            left -= 1
            wanted -= chosen
        else:
            chosen = rng.uniform() < rate and token >= FIRST
        if not chosen:
            continue
        own = how.fork(i)
        draw = own.uniform()
        if draw < mask_share:
            hidden.append([i, "mask", MASK])
        elif draw < mask_share + random_share:
            hidden.append([i, "random", FIRST + own.below(64)])
        else:
            hidden.append([i, "keep", token])
    return hidden


def words_of(starts, special):
    words, inside = [], False
    for i, start in enumerate(starts):
        if inside and not special[i] and not start:
            words[-1][1] = i + 1
        elif not special[i]:
            words.append([i, i + 1])
        inside = not special[i]
    return words


def pieces(words):
    return [i for word in words for i in range(*word)]


def whole_words(words, order, budget):
    """As google-research/bert, create_pretraining_data.py."""
    hidden = []
    for number in order:
        own = pieces([words[number]])
        if len(hidden) + len(own) <= budget:
            hidden += own
    return sorted(hidden)


def ngrams(words, order, lengths, budget):
    """As google-research/albert, create_pretraining_data.py, but within special tokens."""
    hidden = []
    for number in order:
        run = [words[number]]
        for word in words[number + 1 : number + lengths[number]]:
            if word[0] != run[-1][1]:
                break
            run.append(word)
        while len(run) > 1 and len(hidden) + len(pieces(run)) > budget:
            run.pop()
        own = pieces(run)
        if len(hidden) + len(own) <= budget and not set(own) & set(hidden):
            hidden += own
    return sorted(hidden)


def spans(words, size, draws, budget):
    """As facebookresearch/SpanBERT, masking.py, but within special tokens."""
    word_at = [None] * size
    for number, word in enumerate(words):
        for i in range(*word):
            word_at[i] = number
    hidden, used = set(), 0
    while len(hidden) < budget:
        position, count = draws[used]
        used += 1
        number = word_at[position]
        if number is None or position in hidden:
            continue
        for k in range(number, min(number + count, len(words))):
            if k > number and words[k][0] != words[k - 1][1]:
                break
            for i in range(*words[k]):
                if len(hidden) < budget:
                    hidden.add(i)
    return sorted(hidden), draws[:used]


def shares(weights):
    return [weight / sum(weights) for weight in weights]


GEOMETRIC = [0.2 * 0.8**n for n in range(10)]
HARMONIC = [1 / n for n in (1, 2, 3)]


def layout(rng, size, special_share, start_share):
    special = [int(rng.random() < special_share) for _ in range(size)]
    starts = [int(not hidden and rng.random() < start_share) for hidden in special]
    if not any(starts):  # nothing known: every token is a word
        starts = [int(not hidden) for hidden in special]
    return starts, special


def unit_cases(rng):
    whole, gram, span = [], [], []
    for size in [1, 2, 3, 6, 12, 20] + [40] * 6:
        starts, special = layout(rng, size, 0 if size < 6 else 0.08, rng.choice([0.4, 0.7, 1]))
        words = words_of(starts, special)
        order = list(range(len(words)))
        rng.shuffle(order)
        for rate in (0.15, 0.5):
            budget = count_of(len(pieces(words)), rate)
            lengths = rng.choices([1, 2, 3], HARMONIC, k=len(words))
            draws = [[rng.randrange(size), rng.choices(range(1, 11), GEOMETRIC)[0]]
                     for _ in range(4000)]
            common = {"words": words, "budget": budget}
            whole.append({**common, "order": order, "hidden": whole_words(words, order, budget)})
            hidden = ngrams(words, order, lengths, budget)
            if len(hidden) == budget:  # the reference leaves others short, and this project fills
                gram.append({**common, "order": order, "lengths": lengths, "hidden": hidden})
            hidden, used = spans(words, size, draws, budget)
            span.append({**common, "size": size, "draws": used, "hidden": hidden})
    return whole, gram, span


TEXT = [END if i % 40 == 20 else BEGIN if i % 40 == 21 else FIRST + i * 7 % 64 for i in range(48)]


def masked_lm():
    rng = random.Random(7)
    counts = [(20, .15), (10, .15), (10, .25), (30, .15), (50, .15), (3, .01), (7, 1), (1, .15),
              (25, .1), (45, .1), (65, .1), (128, .15), (512, .15), (512, .4), (128, .8)]
    layouts = [layout(rng, *one) for one in
               [(1, 0, 1), (2, 0, .5), (8, 0, .5), (12, .2, .5), (16, .1, .4), (16, .3, 1)]]
    whole, gram, span = unit_cases(rng)
    settings = [{}, {"rate": .4, "mask_share": .5, "random_share": .4}, {"count": "exact"},
                {"rate": 1}]
    return {
        "about": ["Masked language modelling: which tokens are hidden, and what they are shown as.",
                  "Positions count from 0; a word is [first, end). Whatever is random is given as "
                  "explicit draws, so that the vectors hold for any generator; the last entry alone "
                  "is of whole examples drawn with SplitMix64."],
        "exact_count": {
            "about": "round(rate * tokens), halves to the even neighbour, at least 1",
            "cases": [{"tokens": n, "rate": r, "hidden": count_of(n, r)} for n, r in counts]},
        "words": {
            "about": "starts[i]: token i starts a word; special[i]: token i is never hidden and "
                     "belongs to no word",
            "cases": [{"starts": a, "special": b, "words": words_of(a, b)} for a, b in layouts]},
        "whole_words": {
            "about": "words are tried in this order; each is hidden unless more than `budget` "
                     "tokens would be (BERT)",
            "cases": whole},
        "ngrams": {
            "about": "words are tried in this order; the n-gram of word i has lengths[i] words, "
                     "fewer where the budget ends or a special token stands between; it is left "
                     "out where it meets a hidden word (ALBERT)",
            "cases": gram},
        "spans": {
            "about": "draws are [position, words]: the span starts with the word at that position, "
                     "which counts for nothing where it is special or hidden already; the last "
                     "span is cut at the budget (SpanBERT)",
            "cases": span},
        "span_length_shares": shares(GEOMETRIC),
        "ngram_length_shares": shares(HARMONIC),
        "splitmix64_examples": {
            "about": "hidden: [position, shown as, token shown]; 64 ordinary tokens from id 16, "
                     "begin 1, end 2, mask 4. Position i is hidden where uniform draw i of the "
                     "seed is below the rate; exact: selection sampling over the tokens that are "
                     "not special. The first draw of fork(0).fork(i) says what it is shown as; "
                     "fork(k) has the state mix(state + mix(k + gamma)).",
            "text": TEXT,
            "cases": [{"settings": one, "seed": seed, "hidden": masked(TEXT, seed, **one)}
                      for one in settings for seed in (1, 2)]}}


def written(value, indent=""):
    """JSON with a line for each case."""
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [f"{deeper}{json.dumps(key)}: {written(one, deeper)}" for key, one in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + indent + "}"
    if isinstance(value, list) and value and isinstance(value[0], (dict, str)):
        return "[\n" + ",\n".join(deeper + json.dumps(one) for one in value) + "\n" + indent + "]"
    return json.dumps(value)


def write(name, vectors):
    (HERE / f"{name}.json").write_text(written(vectors) + "\n")


if __name__ == "__main__":
    write("masked_lm", masked_lm())
