#!/usr/bin/env python3
"""The peer of `versus`: a PyTorch trainer of the model that the benchmark `step` trains, as a user would write it.

Pre-norm transformer without biases, LayerNorm, GELU (erf), learned positions, tied output head; AdamW, clipping at 1.
Each timed step draws a random batch, computes loss and gradients, clips, and updates. Prints one JSON line.

    ./peer.py --size S --objective causal --precision float32
    ./peer.py --size M --objective masked --precision bfloat16 --device cuda --compile
"""
import argparse
import contextlib
import ctypes
import json
import os
import statistics
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("peer.py: this Python has no PyTorch; on Debian: apt-get install python3-torch")
from torch import nn
from torch.nn import functional

SIZES = {
    "S": {"depth": 2, "width": 64, "heads": 4, "context": 64, "vocabulary": 64, "batch": 32},
    "M": {"depth": 4, "width": 256, "heads": 4, "context": 128, "vocabulary": 4096, "batch": 16},
}
IGNORED = -100  # cross_entropy's mark of a position that is not scored
MINIMUM = 2  # timings of a step, at least
STEPS_A_WAIT = 16  # after so many a GPU is waited for, as by ablate, which then reads their losses


class Norm(nn.Module):
    """LayerNorm without a bias, which PyTorch 1.13's own module does not offer."""

    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return functional.layer_norm(x, self.gain.shape, self.gain)


class Attention(nn.Module):
    def __init__(self, width, heads, by_library):
        super().__init__()
        self.heads, self.by_library = heads, by_library
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x, hidden):
        batch, length, width = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = (part.transpose(1, 2) for part in split.unbind(2))  # [batch, heads, length, head width]
        if self.by_library:
            seen = functional.scaled_dot_product_attention(q, k, v, is_causal=hidden is not None)
        else:
            scores = (q * (width // self.heads) ** -0.5) @ k.transpose(-2, -1)
            if hidden is not None:
                scores = scores.masked_fill(hidden, float("-inf"))
            seen = scores.softmax(-1) @ v
        return self.out(seen.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads, by_library):
        super().__init__()
        self.attention_norm, self.attention = Norm(width), Attention(width, heads, by_library)
        self.feed_forward_norm = Norm(width)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x, hidden):
        x = x + self.attention(self.attention_norm(x), hidden)
        return x + self.down(functional.gelu(self.up(self.feed_forward_norm(x))))


class Transformer(nn.Module):
    def __init__(self, size, causal, attention_by_library):
        super().__init__()
        width, context = size["width"], size["context"]
        self.tokens = nn.Embedding(size["vocabulary"], width)
        self.positions = nn.Parameter(0.02 * torch.randn(context, width))
        self.blocks = nn.ModuleList([Block(width, size["heads"], attention_by_library) for _ in range(size["depth"])])
        self.norm = Norm(width)
        future = torch.ones(context, context, dtype=torch.bool).triu(1) if causal else None
        self.register_buffer("hidden", future)
        nn.init.normal_(self.tokens.weight, std=0.02)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions
        for block in self.blocks:
            x = block(x, self.hidden)
        return functional.linear(self.norm(x), self.tokens.weight)


def draw(size, causal, device):
    """Random inputs and targets. The last token of the vocabulary stands for what is masked."""
    shape = (size["batch"], size["context"])
    text = torch.randint(size["vocabulary"] - 1, shape, device=device)
    if causal:
        return text, torch.randint(size["vocabulary"] - 1, shape, device=device)
    masked = torch.rand(shape, device=device) < 0.15
    return text.masked_fill(masked, size["vocabulary"] - 1), text.masked_fill(~masked, IGNORED)


def has_good_attention(kind, precision):
    """Whether PyTorch's own attention (from 2 on) is the faster. On a processor it multiplies bfloat16 by MKL; without, as Debian
    builds it, by loops: a step of size S then takes three times as long as with attention written out."""
    loops = kind == "cpu" and precision == "bfloat16" and not torch.backends.mkl.is_available()
    return hasattr(functional, "scaled_dot_product_attention") and not loops


def vector_instructions():
    """What PyTorch compiles for. Debian's build neither has Sleef's functions in itself nor links them, which compiled vector code
    calls: they are loaded here, and in the process in which PyTorch tries whether such code runs."""
    with contextlib.suppress(OSError):
        ctypes.CDLL("libsleef.so.3", mode=ctypes.RTLD_GLOBAL)
        os.environ["LD_PRELOAD"] = "libsleef.so.3"
    try:
        from torch._inductor.cpu_vec_isa import pick_vec_isa
    except ImportError:  # until PyTorch 2.4
        from torch._inductor.codecache import pick_vec_isa
    return str(pick_vec_isa() or "none")


def trainer(options):
    """A function that makes one step, and the number of parameters."""
    size, causal = SIZES[options.size], options.objective == "causal"
    kind = options.device.split(":")[0]
    model = Transformer(size, causal, has_good_attention(kind, options.precision)).to(options.device)
    on_gpu = kind == "cuda"
    # On a GPU what PyTorch's guides advise for small models: CUDA graphs, and one kernel for the update. A process that trains
    # models of several sizes would without `dynamic` compile code for any size.
    mode = "reduce-overhead" if on_gpu else None
    forward = torch.compile(model, mode=mode, dynamic=False) if options.compile else model
    fused = {"fused": True} if on_gpu else {}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01, **fused)

    def step():
        inputs, targets = draw(size, causal, options.device)
        cast = torch.autocast(kind, torch.bfloat16) if options.precision == "bfloat16" else contextlib.nullcontext()
        with cast:
            logits = forward(inputs)
            loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return step, sum(parameter.numel() for parameter in model.parameters())


def timing(options, trainers, progress=lambda event: None):
    """Times one trainer, which `trainers` keeps for the next time. A step that is far too slow ends the timing."""
    size, on_gpu = SIZES[options.size], options.device.startswith("cuda")
    wait = torch.cuda.synchronize if on_gpu else lambda: None
    key = (options.size, options.objective, options.precision, options.device, options.compile)
    compiled = {"vector_instructions": vector_instructions()} if options.compile and not on_gpu else {}
    if key not in trainers:
        trainers[key] = trainer(options)
    step, parameters = trainers[key]
    progress({"parameters": parameters})

    def seconds_of(steps):
        started = time.perf_counter()
        for _ in range(steps):
            step()
        wait()
        return (time.perf_counter() - started) / steps

    warm_up = [seconds_of(1)]
    progress({"first_step_seconds": warm_up[0]})
    while len(warm_up) < options.warm_up and (options.compile or sum(warm_up) < options.seconds):
        warm_up.append(seconds_of(1))
    together = STEPS_A_WAIT if on_gpu else 1
    tokens = size["batch"] * size["context"]
    times = []  # of a step, in seconds
    given_up, started = False, time.process_time()  # where others have the processor, a trainer is not slow
    while not given_up and (len(times) < MINIMUM or together * sum(times) < options.seconds):
        times.append(seconds_of(together))
        busy = time.process_time() - started
        given_up = busy >= options.seconds / 2 and together * len(times) * tokens < options.give_up_below * busy
    return {"size": options.size, "objective": options.objective, "precision": options.precision,
            "device": options.device, "compile": options.compile, "threads": options.threads,
            "torch": torch.__version__, "parameters": parameters, "steps": together * len(times), "given_up": given_up, **compiled,
            "first_step_seconds": round(warm_up[0], 3), "milliseconds": round(1000 * statistics.median(times), 3),
            "tokens_per_second": round(len(times) * tokens / sum(times), 1),
            "tokens_per_processor_second": round(together * len(times) * tokens / (time.process_time() - started), 1)}


def serve(parser):
    """Times what the lines of standard input ask for, each a JSON list of flags. Says when it has started, and of each timing when the
    trainer is built and when its first step has ended, so that who asks need not wait for a step that is far too slow."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a compiler prints is no answer

    def say(answer):
        print(json.dumps(answer), file=answers, flush=True)

    trainers = {}
    say({"torch": torch.__version__, "pid": os.getpid()})
    for line in sys.stdin:
        options = parser.parse_args(json.loads(line))
        say(timing(options, trainers, say))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="S")
    parser.add_argument("--objective", choices=["causal", "masked"], default="causal")
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--compile", action="store_true", help="torch.compile (PyTorch 2)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2, help="how long steps are timed, at least 2 of them")
    parser.add_argument("--warm-up", type=int, default=3,
                        help="steps that are not timed; without --compile fewer, but at least 1, where they take longer than "
                             "--seconds")
    parser.add_argument("--give-up-below", type=float, default=0, metavar="RATE",
                        help="tokens per second; a slower trainer is timed for half of --seconds or one step")
    parser.add_argument("--serve", action="store_true", help="stay, and time what standard input asks for (see serve)")
    options = parser.parse_args()
    if options.compile and not hasattr(torch, "compile"):
        parser.error(f"--compile needs PyTorch 2; this is {torch.__version__}")
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    if options.serve:
        return serve(parser)
    print(json.dumps(timing(options, {})))


if __name__ == "__main__":
    main()
