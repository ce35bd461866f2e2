"""The first round of a row: every peer is timed, and what cannot win is left out of the rounds after it.

A variant whose best timing is more than LEFT_OUT times slower than the fastest peer is left out. One that is more than GIVEN_UP
times slower is timed no longer than it takes to see that: a first step that takes as long as PATIENCE steps of the fastest is not
waited for, and the other heap is not tried, which gains less than half. PyTorch 2 compiles in one precision, for compiling takes
longer than all timings of a row: in the one that is its fastest without.
"""
import dataclasses
import sys

from peers import PRECISIONS, Failed, TooSlow, Variant

LEFT_OUT = 2
GIVEN_UP = 4
PATIENCE = 8
SHORTEST = 10  # seconds that a first step may take in any case: libraries set themselves up in it
LONGEST = 60  # seconds that it may take where nothing has been timed yet


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """What later rounds do not time, and why."""
    what: str  # a variant, or one of its peers
    reason: str = None
    times_slower: float = None  # than the fastest of the first round; nothing for what failed
    at_least: bool = False  # its first step was not waited for
    fastest: str = None

    def __str__(self):
        if self.times_slower is None:
            return f"{self.what} is left out: {self.reason}"
        times = f"{'over ' if self.at_least else ''}{self.times_slower:.2f} times slower than {self.fastest} in round 1"
        return f"{self.what} is left out from round 2 on: {times}" + (f" ({self.reason})" if self.reason else "")


class FirstRound:
    """`time_peer(peer, first_step, give_up_below)` answers as peer.py does, or raises Failed or TooSlow."""

    def __init__(self, time_peer, tokens_a_step):
        self.time_peer, self.tokens_a_step = time_peer, tokens_a_step
        self.rates = {}  # {variant: {peer: tokens/s}}
        self.reasons = {}  # {variant: {peer: why it has no rate, or one of few steps}}
        self.pace = 0  # of the peer that is the fastest by its own processor time, in tokens/s
        self.at_least = {}  # {variant: how many times slower}, where the first step was not waited for

    def run(self, pythons):
        """Times every peer; returns those that stay, and what is left out."""
        for python in pythons:
            eager = [Variant(python, False, precision) for precision in PRECISIONS]
            for variant in eager:
                self.time(variant)
            timed = [variant for variant in eager if self.rates[variant]]
            if python.compiles and timed:
                fastest = max(timed, key=lambda variant: max(self.rates[variant].values()))
                self.time(dataclasses.replace(fastest, compiled=True))
        return self.judge()

    def fastest(self):
        """Of all peers so far, and its rate."""
        rates = [pair for peers in self.rates.values() for pair in peers.items()]
        return max(rates, key=lambda pair: pair[1], default=(None, 0))

    def time(self, variant):
        self.rates[variant], self.reasons[variant] = {}, {}
        for peer in variant.peers:
            if not self.time_one(peer):
                return

    def time_one(self, peer):
        """Whether its variant is worth another timing."""
        variant = peer.variant
        first_step = max(SHORTEST, PATIENCE * self.tokens_a_step / self.pace) if self.pace else LONGEST
        try:
            answer = self.time_peer(peer, first_step, self.pace / GIVEN_UP)
        except (Failed, TooSlow) as fault:
            self.reasons[variant][peer] = str(fault)
            if isinstance(fault, TooSlow):
                self.at_least[variant] = self.pace * fault.seconds / self.tokens_a_step
            return False
        self.rates[variant][peer] = answer["tokens_per_second"]
        self.pace = max(self.pace, answer["tokens_per_processor_second"])
        if answer["given_up"]:
            steps = answer["steps"]
            self.reasons[variant][peer] = f"timed for {steps} step{'s' if steps > 1 else ''}"
        return not answer["given_up"]

    def judge(self):
        fastest, best = self.fastest()
        if not best:
            sys.exit("versus: no peer could be timed: " + "; ".join(
                f"{peer.name}: {reason}" for reasons in self.reasons.values() for peer, reason in reasons.items()))
        staying, left_out = [], []
        for variant, rates in self.rates.items():
            reason = "; ".join(self.reasons[variant].values()) or None
            if rates and LEFT_OUT * max(rates.values()) < best:
                left_out.append(LeftOut(variant.name, reason, best / max(rates.values()), False, fastest.name))
            elif not rates and self.at_least.get(variant):
                left_out.append(LeftOut(variant.name, reason, self.at_least[variant], True, fastest.name))
            elif not rates:
                left_out.append(LeftOut(variant.name, reason))
            else:
                staying += list(rates)
                left_out += [LeftOut(peer.name, reason) for peer, reason in self.reasons[variant].items() if peer not in rates]
        return staying, left_out
