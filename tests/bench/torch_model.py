"""A trained encoder by PyTorch, beside posviz: the same files, the same numbers, in turns.

Usage: torch_model.py DIRECTORY THREADS

The directory has model.safetensors, and output.safetensors with "ids" and "last" by posviz. First line of
output: the greatest difference to that. Then each line of input, "float64 RUNS" or "float32 RUNS", is
answered by the median milliseconds of as many passes, from ids to the last layer's output.

The weights are in memory in both types, as PyTorch's users have them: reading is not timed here."""
import json
import math
import statistics
import sys
import time

import numpy as np
import torch
from torch.nn.functional import gelu, layer_norm, linear

HEADS, EPS = 12, 1e-12
TYPES = {"F32": np.float32, "F64": np.float64}


def read_safetensors(path):
    data = open(path, "rb").read()
    start = 8 + int.from_bytes(data[:8], "little")
    out = {}
    for name, about in json.loads(data[8:start]).items():
        if name != "__metadata__":
            lo, hi = (start + at for at in about["data_offsets"])
            numbers = np.frombuffer(data[lo:hi], dtype=TYPES[about["dtype"]]).reshape(about["shape"])
            out[name] = torch.from_numpy(numbers.copy())
    return out


class Encoder:
    """Post-norm layers with learned positions."""

    def __init__(self, given, dtype):
        self.w = {name: at.to(dtype) for name, at in given.items()}
        self.layers = sum(name.endswith("attention.self.query.weight") for name in given)

    def norm(self, x, name):
        return layer_norm(x, x.shape[-1:], self.w[name + ".weight"], self.w[name + ".bias"], EPS)

    def linear(self, x, name):
        return linear(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def heads(self, x):
        return x.view(x.shape[0], HEADS, -1).transpose(0, 1)

    def layer(self, x, name):
        q, k, v = (self.heads(self.linear(x, f"{name}.attention.self.{at}")) for at in ("query", "key", "value"))
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=2)
        context = (weights @ v).transpose(0, 1).reshape(x.shape)
        x = self.norm(x + self.linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        f = self.linear(gelu(self.linear(x, f"{name}.intermediate.dense")), f"{name}.output.dense")
        return self.norm(x + f, f"{name}.output.LayerNorm")

    def __call__(self, ids):
        x = self.w["embeddings.word_embeddings.weight"][ids] + self.w["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x + self.w["embeddings.position_embeddings.weight"][:len(ids)], "embeddings.LayerNorm")
        for i in range(self.layers):
            x = self.layer(x, f"encoder.layer.{i}")
        return x


def run_ms(encoder, ids):
    start = time.perf_counter()
    encoder(ids)
    return (time.perf_counter() - start) * 1e3


def main():
    path, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    given = read_safetensors(f"{path}/model.safetensors")
    ours = read_safetensors(f"{path}/output.safetensors")
    ids = ours["ids"].flatten().long()
    with torch.inference_mode():
        encoders = {name: Encoder(given, getattr(torch, name)) for name in ("float64", "float32")}
        print(float((encoders["float64"](ids) - ours["last"]).abs().max()), flush=True)
        for line in sys.stdin:
            name, runs = line.split()
            encoders[name](ids)
            print(statistics.median(run_ms(encoders[name], ids) for _ in range(int(runs))), flush=True)


main()
