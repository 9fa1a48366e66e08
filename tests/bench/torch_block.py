"""One Transformer layer by PyTorch, beside that of posviz: the same weights, the same numbers, in turns.

Usage: torch_block.py FILE THREADS SCHEME HEADS

FILE (safetensors) has the units, the weights and leaves, and the output by posviz as "output". First line of
output: the greatest difference to that. Then each line of input, "float64 RUNS" or "float32 RUNS", is
answered by the median milliseconds of as many runs.

Timed is the layer from units to output: projections, attention with what the scheme does in it, LayerNorm,
feed-forward. Not timed, made once: what depends on the length and on parameters alone, such as tables of
indices, of angles and of positions projected."""
import json
import math
import statistics
import sys
import time

import numpy as np
import torch
from torch.nn.functional import layer_norm

EPS = 1e-5


def read_safetensors(path):
    data = open(path, "rb").read()
    start = 8 + int.from_bytes(data[:8], "little")
    out = {}
    for name, about in json.loads(data[8:start]).items():
        if name != "__metadata__":
            lo, hi = (start + at for at in about["data_offsets"])
            out[name] = torch.from_numpy(np.frombuffer(data[lo:hi]).reshape(about["shape"]).copy())
    return out


def distances(n):
    """[n, n]: key minus query"""
    at = torch.arange(n)
    return at[None, :] - at[:, None]


class NoPosition:
    """The four places where a scheme enters; q, k, v are [h, n, d_k]."""

    def __init__(self, given, n, heads):
        self.n, self.heads = n, heads
        self.dk = given["units"].shape[1] // heads
        self.scale = 1 / math.sqrt(self.dk)

    def to(self, dtype):
        for name, at in vars(self).items():
            if torch.is_tensor(at) and at.is_floating_point():
                setattr(self, name, at.to(dtype))
            elif torch.is_tensor(at) and at.is_complex():
                setattr(self, name, at.to(torch.complex64 if dtype == torch.float32 else at.dtype))
        return self

    def turn(self, q, k):
        return q, k

    def logits(self, q, k):
        return (q * self.scale) @ k.transpose(1, 2)

    def values(self, weights, v):
        return weights @ v


class Rope(NoPosition):
    def __init__(self, given, n, heads):
        super().__init__(given, n, heads)
        frequency = 10000.0 ** (-torch.arange(0, self.dk, 2, dtype=torch.float64) / self.dk)
        angle = torch.arange(n, dtype=torch.float64)[:, None] * frequency
        self.by = torch.polar(torch.ones_like(angle), angle)

    def turned(self, x):
        pairs = torch.view_as_complex(x.reshape(self.heads, self.n, -1, 2))
        return torch.view_as_real(pairs * self.by).reshape(self.heads, self.n, -1)

    def turn(self, q, k):
        return self.turned(q), self.turned(k)


class T5(NoPosition):
    def __init__(self, given, n, heads):
        super().__init__(given, n, heads)
        self.scale = 1.0
        delta, side, exact, most = distances(n), 16, 8, 128
        near = delta.abs()
        part = torch.log(near.clamp(min=1).double() / exact) / math.log(most / exact)
        far = (exact + (part * (side - exact) + 1e-9).long()).clamp(max=side - 1)
        bucket = torch.where(near < exact, near, far) + side * (delta > 0)
        self.bucket, self.table = bucket.flatten(), given["leaf.bias_table"].t().contiguous()

    def logits(self, q, k):
        bias = self.table.index_select(1, self.bucket).view(self.heads, self.n, self.n)
        return torch.baddbmm(bias, q, k.transpose(1, 2))


class Shaw(NoPosition):
    """Short: a vector for each pair, as in tensor2tensor. Long, where these would fill the memory: products
    with all vectors, of which each pair takes its own."""

    def __init__(self, given, n, heads):
        super().__init__(given, n, heads)
        self.key, self.value = given["leaf.w_key"], given["leaf.w_value"]
        clip = self.key.shape[0] // 2
        row = distances(n).clamp(-clip, clip) + clip
        self.short = n <= SHAW_SHORT
        if self.short:
            self.key_of, self.value_of = self.key[row].transpose(1, 2).contiguous(), self.value[row]
        self.row = row.expand(heads, n, n)

    def logits(self, q, k):
        q = q * self.scale
        if self.short:
            relative = torch.bmm(q.transpose(0, 1), self.key_of).transpose(0, 1)
        else:
            relative = (q @ self.key.t()).gather(2, self.row)
        return torch.baddbmm(relative, q, k.transpose(1, 2))

    def values(self, weights, v):
        if self.short:
            return torch.baddbmm(torch.bmm(weights.transpose(0, 1), self.value_of).transpose(0, 1), weights, v)
        sums = weights.new_zeros(self.heads, self.n, self.value.shape[0]).scatter_add_(2, self.row, weights)
        return torch.baddbmm(sums @ self.value, weights, v)


SHAW_SHORT = 512


class Deberta(NoPosition):
    def __init__(self, given, n, heads):
        super().__init__(given, n, heads)
        self.scale = 1 / math.sqrt(3 * self.dk)
        radius = given["leaf.rel_embeddings"].shape[0] // 2
        relative = given["leaf.rel_embeddings"][max(radius - n, 0):radius + n]
        half = relative.shape[0] // 2
        self.row = (half - distances(n)).clamp(0, 2 * half - 1).expand(heads, n, n)
        self.keys, self.queries = (
            torch.addmm(given[f"leaf.v_{name}_bias"], relative, given[f"leaf.v_{name}"])
            .view(-1, heads, self.dk).permute(1, 2, 0).contiguous() for name in "kq")

    def logits(self, q, k):
        q = q * self.scale
        c2p = (q @ self.keys).gather(2, self.row)
        p2c = (k * self.scale @ self.queries).gather(2, self.row).transpose(1, 2)
        return torch.baddbmm(c2p, q, k.transpose(1, 2)).add_(p2c)


SCHEMES = {"none": NoPosition, "rope": Rope, "t5": T5, "shaw": Shaw, "deberta": Deberta}


class Layer:
    def __init__(self, given, scheme, heads, dtype):
        self.x = given["units"].to(dtype)
        n, self.d = self.x.shape
        self.heads = heads
        self.qkv = torch.cat([given["w_q"], given["w_k"], given["w_v"]], dim=1).to(dtype)
        self.ff1, self.ff2 = given["w_ff1"].to(dtype), given["w_ff2"].to(dtype)
        self.scheme = SCHEMES[scheme](given, n, heads).to(dtype)

    def __call__(self):
        x, n = self.x, self.x.shape[0]
        q, k, v = (x @ self.qkv).view(n, 3, self.heads, -1).permute(1, 2, 0, 3)
        q, k = self.scheme.turn(q, k)
        weights = torch.softmax(self.scheme.logits(q, k), dim=2)
        context = self.scheme.values(weights, v).transpose(0, 1).reshape(n, self.d)
        o = layer_norm(x + context, (self.d,), eps=EPS)
        f = torch.relu_(o @ self.ff1) @ self.ff2
        return layer_norm(f.add_(o), (self.d,), eps=EPS)


def run_ms(layer):
    start = time.perf_counter()
    layer()
    return (time.perf_counter() - start) * 1e3


def main():
    path, threads, scheme, heads = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    torch.set_num_threads(threads)
    given = read_safetensors(path)
    with torch.inference_mode():
        layers = {name: Layer(given, scheme, heads, getattr(torch, name)) for name in ("float64", "float32")}
        print(float((layers["float64"]() - given["output"]).abs().max()), flush=True)
        for line in sys.stdin:
            name, runs = line.split()
            layers[name]()
            print(statistics.median(run_ms(layers[name]) for _ in range(int(runs))), flush=True)


main()
