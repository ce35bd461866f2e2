#!/usr/bin/env python3
"""The peer of `versus`: an eager PyTorch trainer of the model that the benchmark `step` trains, as a user would write it.

Pre-norm transformer without biases, LayerNorm, GELU (erf), learned positions, tied output head; AdamW, clipping at 1.
Each timed step draws a random batch, computes loss and gradients, clips, and updates. Prints one JSON line.

    ./peer.py --size S --objective causal --precision float32
    ./peer.py --size M --objective masked --precision bfloat16 --device cuda --compile
"""
import argparse
import contextlib
import json
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
STEPS_A_WAIT = 16  # after so many a GPU is waited for, as by ablate, which then reads their losses


class Norm(nn.Module):
    """LayerNorm without a bias, which PyTorch 1.13's own module does not offer."""

    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return functional.layer_norm(x, self.gain.shape, self.gain)


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x, hidden):
        batch, length, width = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = (part.transpose(1, 2) for part in split.unbind(2))  # [batch, heads, length, head width]
        if hasattr(functional, "scaled_dot_product_attention"):  # PyTorch 2
            seen = functional.scaled_dot_product_attention(q, k, v, is_causal=hidden is not None)
        else:
            scores = (q * (width // self.heads) ** -0.5) @ k.transpose(-2, -1)
            if hidden is not None:
                scores = scores.masked_fill(hidden, float("-inf"))
            seen = scores.softmax(-1) @ v
        return self.out(seen.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention_norm, self.attention = Norm(width), Attention(width, heads)
        self.feed_forward_norm = Norm(width)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x, hidden):
        x = x + self.attention(self.attention_norm(x), hidden)
        return x + self.down(functional.gelu(self.up(self.feed_forward_norm(x))))


class Transformer(nn.Module):
    def __init__(self, size, causal):
        super().__init__()
        width, context = size["width"], size["context"]
        self.tokens = nn.Embedding(size["vocabulary"], width)
        self.positions = nn.Parameter(0.02 * torch.randn(context, width))
        self.blocks = nn.ModuleList([Block(width, size["heads"]) for _ in range(size["depth"])])
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


def trainer(options):
    """A function that makes one step, and the number of parameters."""
    size, causal = SIZES[options.size], options.objective == "causal"
    model = Transformer(size, causal).to(options.device)
    kind = options.device.split(":")[0]
    on_gpu = kind == "cuda"
    # On a GPU what PyTorch's guides advise for small models: CUDA graphs, and one kernel for the update.
    forward = torch.compile(model, mode="reduce-overhead" if on_gpu else None) if options.compile else model
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=SIZES, default="S")
    parser.add_argument("--objective", choices=["causal", "masked"], default="causal")
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--compile", action="store_true", help="torch.compile (PyTorch 2)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2, help="how long steps are timed, at least 3 of them")
    parser.add_argument("--warm-up", type=int, default=3, help="steps that are not timed")
    options = parser.parse_args()
    if options.compile and not hasattr(torch, "compile"):
        parser.error(f"--compile needs PyTorch 2; this is {torch.__version__}")
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    wait = torch.cuda.synchronize if options.device.startswith("cuda") else lambda: None
    step, parameters = trainer(options)
    for _ in range(options.warm_up):
        step()
    wait()
    times = []  # of a step, in seconds
    together = STEPS_A_WAIT if options.device.startswith("cuda") else 1
    while len(times) < 3 or together * sum(times) < options.seconds:
        started = time.perf_counter()
        for _ in range(together):
            step()
        wait()
        times.append((time.perf_counter() - started) / together)
    size = SIZES[options.size]
    tokens = len(times) * size["batch"] * size["context"]
    print(json.dumps({"size": options.size, "objective": options.objective, "precision": options.precision,
                      "device": options.device, "compile": options.compile, "threads": options.threads,
                      "torch": torch.__version__, "parameters": parameters, "steps": together * len(times),
                      "milliseconds": round(1000 * statistics.median(times), 3),
                      "tokens_per_second": round(tokens / sum(times), 1)}))


if __name__ == "__main__":
    main()
