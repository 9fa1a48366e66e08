"""A step of training by PyTorch, beside that of posviz: the same model, start and sentences, in turns.

Usage: torch_learn.py FILE THREADS SCHEME HEADS

FILE (safetensors) has the numbers that learn by their names, "letters" and "answers" of the sentences of a few
steps, [steps · 32, longest] with -1 behind the end and where nothing is asked, and "loss" and "norm": the loss of
the first step and the length of its gradient by posviz. First line of output: the greatest difference to these.
Then each line of input, "float64 RUNS" or "float32 RUNS", is answered by the median milliseconds of a step.

A step is what the program does: forward, backward, a gradient longer than 1 scaled to 1, Adam. The sentences of a
step are one batch, padded to the longest; what depends on lengths alone is made before it is timed. It has as many
threads as it is faster with, one or THREADS."""
import json
import statistics
import sys
import time

import numpy as np
import torch
from torch.nn.functional import cross_entropy, embedding, layer_norm

EPS, BATCH, RATE = 1e-5, 32, 0.01


def read_safetensors(path):
    data = open(path, "rb").read()
    start = 8 + int.from_bytes(data[:8], "little")
    out = {}
    for name, about in json.loads(data[8:start]).items():
        if name != "__metadata__":
            lo, hi = (start + at for at in about["data_offsets"])
            out[name] = torch.from_numpy(np.frombuffer(data[lo:hi]).reshape(about["shape"]).copy())
    return out


class Batch:
    """The sentences of a step, and how much each answer counts."""

    def __init__(self, letters, answers, dtype):
        n = int((letters >= 0).sum(1).max())
        letters, answers = letters[:, :n].long(), answers[:, :n].long()
        asked = answers >= 0
        share = asked.double() / asked.sum(1, keepdim=True).clamp(min=1) / asked.any(1).sum()
        self.letters, self.answers = letters.clamp(min=0), answers.clamp(min=0).flatten()
        self.share = share.to(dtype).flatten()
        self.hidden = torch.zeros(BATCH, 1, 1, n, dtype=dtype).masked_fill((letters < 0)[:, None, None], -torch.inf)


class NoPosition:
    def __init__(self, learned, heads, dk, longest, dtype):
        self.scale = dk ** -0.5

    def logits(self, q, k, n):
        return (q * self.scale) @ k.transpose(2, 3)

    def values(self, weights, v, n):
        return weights @ v


class Rope(NoPosition):
    def __init__(self, learned, heads, dk, longest, dtype):
        super().__init__(learned, heads, dk, longest, dtype)
        frequency = 10000.0 ** (-torch.arange(0, dk, 2, dtype=torch.float64) / dk)
        angle = torch.arange(longest, dtype=torch.float64)[:, None] * frequency
        self.cos, self.sin = angle.cos().to(dtype), angle.sin().to(dtype)

    def turned(self, x, n):
        a, b = x[..., 0::2], x[..., 1::2]
        cos, sin = self.cos[:n], self.sin[:n]
        return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(3)

    def logits(self, q, k, n):
        return super().logits(self.turned(q, n), self.turned(k, n), n)


class Alibi(NoPosition):
    def __init__(self, learned, heads, dk, longest, dtype):
        super().__init__(learned, heads, dk, longest, dtype)
        at = torch.arange(longest)
        past = (at[:, None] - at[None, :]).to(dtype)
        slopes = 2.0 ** (-8 * torch.arange(1, heads + 1, dtype=dtype) / heads)
        self.bias = (-slopes[:, None, None] * past).masked_fill(past < 0, -torch.inf)

    def logits(self, q, k, n):
        return super().logits(q, k, n) + self.bias[:, :n, :n]


class Shaw(NoPosition):
    def __init__(self, learned, heads, dk, longest, dtype):
        super().__init__(learned, heads, dk, longest, dtype)
        self.key, self.value = learned["shaw.w_key.0"], learned["shaw.w_value.0"]
        clip = self.key.shape[0] // 2
        at = torch.arange(longest)
        self.row = (at[None, :] - at[:, None]).clamp(-clip, clip) + clip

    def logits(self, q, k, n):
        q = q * self.scale
        relative = torch.einsum("bhtd,tsd->bhts", q, embedding(self.row[:n, :n], self.key))
        return q @ k.transpose(2, 3) + relative

    def values(self, weights, v, n):
        return weights @ v + torch.einsum("bhts,tsd->bhtd", weights, embedding(self.row[:n, :n], self.value))


SCHEMES = {"none": NoPosition, "rope": Rope, "alibi": Alibi, "shaw": Shaw}


class Learner:
    def __init__(self, given, scheme, heads, dtype):
        names = [name for name in given if name not in ("letters", "answers", "loss", "norm")]
        self.learned = {name: given[name].to(dtype, copy=True).requires_grad_() for name in names}
        self.heads, self.d = heads, given["embedding"].shape[1]
        letters, answers = given["letters"], given["answers"]
        self.batches = [Batch(letters[i:i + BATCH], answers[i:i + BATCH], dtype) for i in range(0, len(letters), BATCH)]
        self.scheme = SCHEMES[scheme](self.learned, heads, self.d // heads, letters.shape[1], dtype)
        self.adam = torch.optim.Adam(self.learned.values(), lr=RATE, betas=(0.9, 0.98), eps=1e-9, foreach=True)
        self.steps = 0

    def loss(self, batch):
        at, n = self.learned, batch.letters.shape[1]
        x = embedding(batch.letters, at["embedding"])
        q, k, v = ((x @ at["layer.0.w_" + w]).view(BATCH, n, self.heads, -1).transpose(1, 2) for w in "qkv")
        weights = torch.softmax(self.scheme.logits(q, k, n) + batch.hidden, dim=3)
        context = self.scheme.values(weights, v, n).transpose(1, 2).reshape(BATCH, n, self.d)
        o = layer_norm(x + context, (self.d,), eps=EPS)
        f = torch.relu(o @ at["layer.0.w_ff1"]) @ at["layer.0.w_ff2"]
        logits = layer_norm(o + f, (self.d,), eps=EPS) @ at["output"]
        each = cross_entropy(logits.view(-1, logits.shape[2]), batch.answers, reduction="none")
        return (each * batch.share).sum()

    def gradient(self):
        """The loss of the next batch; its gradients are in the parameters."""
        self.adam.zero_grad(set_to_none=True)
        loss = self.loss(self.batches[self.steps % len(self.batches)])
        loss.backward()
        return loss, torch.nn.utils.clip_grad_norm_(self.learned.values(), 1.0)

    def step(self):
        self.gradient()
        self.adam.step()
        self.steps += 1


def step_ms(learner):
    start = time.perf_counter()
    learner.step()
    return (time.perf_counter() - start) * 1e3


def choose_threads(learner, most):
    """The number of threads with which a step takes less time: at this size it may be one."""
    ms = {}
    for threads in {1, most}:
        torch.set_num_threads(threads)
        learner.step()
        ms[threads] = statistics.median(step_ms(learner) for _ in range(9))
    return min(ms, key=ms.get)


def main():
    path, threads, scheme, heads = sys.argv[1], int(sys.argv[2]), sys.argv[3].split("(")[0], int(sys.argv[4])
    given = read_safetensors(path)
    learners = {name: Learner(given, scheme, heads, getattr(torch, name)) for name in ("float64", "float32")}
    loss, norm = learners["float64"].gradient()
    print(max(abs(float(loss) - float(given["loss"])), abs(float(norm) - float(given["norm"]))), flush=True)
    best = {name: choose_threads(learner, threads) for name, learner in learners.items()}
    for line in sys.stdin:
        name, runs = line.split()
        torch.set_num_threads(best[name])
        learners[name].step()
        print(statistics.median(step_ms(learners[name]) for _ in range(int(runs))), flush=True)


main()
