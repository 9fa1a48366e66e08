"""Steps of training for a few schemes, forward and backward written out in NumPy, from a start and sentences that
tests/unit/test_learn.c has too: the model of learn.h with d 8, 2 heads, ff 16, on the task "shift".

learn_steps.py > ../learn_steps.txt

A line for each step: "loss SCHEME STEP LOSS", and after steps 1 and 20 for each matrix "sum SCHEME STEP NAME S Q", with S
the sum of cos(i) times its i-th number and Q the sum of their squares."""
import math

import numpy as np

D, H, FF, V, B, STEPS, RATE, SEED = 8, 2, 16, 8, 32, 20, 0.01, 1
DK = D // H
M64 = (1 << 64) - 1


# ---- random numbers: splitmix64, FNV-1a, xoshiro256** -----------------------------------------------------------
def splitmix(s):
    s = (s + 0x9E3779B97F4A7C15) & M64
    z = s
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
    return s, z ^ (z >> 31)


class Rng:
    def __init__(self, seed, name):
        h = 0xCBF29CE484222325
        for byte in name.encode():
            h = ((h ^ byte) * 0x100000001B3) & M64
        state = splitmix(seed)[1] ^ h
        self.s = []
        for _ in range(4):
            state, z = splitmix(state)
            self.s.append(z)

    def u64(self):
        s = self.s
        x = (s[1] * 5) & M64
        result = (((x << 7) | (x >> 57)) * 9) & M64
        shifted = (s[1] << 17) & M64
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & M64
        return result

    def below(self, n):
        refused = (1 << 64) % n
        while True:
            x = self.u64()
            if x >= refused:
                return x % n


def sentence(step, i):
    rng = Rng(SEED, f"sentence {step} {i}")
    n = 8 + rng.below(9)
    return [rng.below(V) for _ in range(n)]


# ---- the start --------------------------------------------------------------------------------------------------
def start(name, rows, cols):
    phase = 0.37 * sum(name.encode())
    out = 0.4 * np.sin(0.9 + 1.3 * np.arange(rows * cols) + phase)
    return (out + 0.6 if name.startswith("kerple") else out).reshape(rows, cols)


SHAPES = {"embedding": (V, D), "output": (D, V), "layer.0.w_q": (D, D), "layer.0.w_k": (D, D), "layer.0.w_v": (D, D),
          "layer.0.w_ff1": (D, FF), "layer.0.w_ff2": (FF, D)}
CLIP, BUCKETS, MOST, T_MAX = 2, 8, 6, 128
LEAVES = {"none": {}, "sinusoidal": {}, "rope": {}, "alibi": {},
          "learned": {"learned.p": (T_MAX, D)},
          "t5(buckets=8,max_distance=6)": {"t5.bias_table": (BUCKETS, H)},
          "shaw(clip=2)": {"shaw.w_key.0": (2 * CLIP + 1, DK), "shaw.w_value.0": (2 * CLIP + 1, DK)},
          "kerple_log": {"kerple_log.p.0": (1, H), "kerple_log.a.0": (1, H)}}


def bucket(delta):
    """T5's relative_position_bucket for both directions; delta = s - t."""
    half = BUCKETS // 2
    exact = half // 2
    side = half if delta > 0 else 0
    n = abs(delta)
    if n < exact:
        return side + n
    far = exact + int(math.log(n / exact) / math.log(MOST / exact) * (half - exact))
    return side + min(far, half - 1)


def sinusoids(n):
    out = np.zeros((n, D))
    for t in range(n):
        for i in range(D // 2):
            angle = t / 10000 ** (2 * i / D)
            out[t, 2 * i], out[t, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return out


def rotation(n):
    """Cosines and sines [n, DK/2] of RoPE for pairs (2i, 2i+1)."""
    angle = np.arange(n)[:, None] / 10000.0 ** (2 * np.arange(DK // 2) / DK)
    return np.cos(angle), np.sin(angle)


def rotate(x, cos, sin):
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * cos - x[:, 1::2] * sin
    out[:, 1::2] = x[:, 0::2] * sin + x[:, 1::2] * cos
    return out


def norm(x):
    mean = x.mean(axis=1, keepdims=True)
    by = np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + 1e-5)
    return (x - mean) / by, by


def norm_back(g, y, by):
    return (g - g.mean(axis=1, keepdims=True) - y * (g * y).mean(axis=1, keepdims=True)) / by


def one(scheme, p, x):
    """The loss of a sentence and its gradient by every matrix."""
    g = {name: np.zeros_like(at) for name, at in p.items()}
    n = len(x)
    kind = scheme.split("(")[0]
    delta = np.arange(n)[None, :] - np.arange(n)[:, None]
    scale = 1.0 if kind == "t5" else 1 / math.sqrt(DK)
    causal = kind in ("alibi", "kerple_log")
    clipped = np.clip(delta, -CLIP, CLIP) + CLIP
    buckets = np.array([[bucket(s - t) for s in range(n)] for t in range(n)])
    x0 = p["embedding"][x].copy()
    if kind == "sinusoidal":
        x0 += sinusoids(n)
    if kind == "learned":
        x0 += p["learned.p"][:n]
    wq, wk, wv = (p["layer.0.w_" + w] for w in "qkv")
    q, k, v = x0 @ wq, x0 @ wk, x0 @ wv
    cos, sin = rotation(n)
    context = np.zeros((n, D))
    kept = []
    for h in range(H):
        at = slice(h * DK, (h + 1) * DK)
        qh, kh, vh = q[:, at], k[:, at], v[:, at]
        if kind == "rope":
            qh, kh = rotate(qh, cos, sin), rotate(kh, cos, sin)
        s = scale * qh @ kh.T
        if kind == "shaw":
            s = s + scale * np.einsum("td,tsd->ts", qh, p["shaw.w_key.0"][clipped])
        if kind == "t5":
            s = s + p["t5.bias_table"][buckets, h]
        if kind == "alibi":
            s = s - 2.0 ** (-8 * (h + 1) / H) * -delta
        if kind == "kerple_log":
            s = s - p["kerple_log.p.0"][0, h] * np.log1p(p["kerple_log.a.0"][0, h] * abs(delta))
        if causal:
            s = np.where(delta > 0, -np.inf, s)
        a = np.exp(s - s.max(axis=1, keepdims=True))
        a /= a.sum(axis=1, keepdims=True)
        context[:, at] = a @ vh
        if kind == "shaw":
            context[:, at] += np.einsum("ts,tsd->td", a, p["shaw.w_value.0"][clipped])
        kept.append((qh, kh, vh, a))
    o, o_by = norm(x0 + context)
    f = np.maximum(o @ p["layer.0.w_ff1"], 0)
    y, y_by = norm(o + f @ p["layer.0.w_ff2"])
    logits = y @ p["output"]
    shifted = logits - logits.max(axis=1, keepdims=True)
    prob = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    rows, target = np.arange(1, n), np.array(x[:-1])
    loss = -np.log(prob[rows, target]).mean()
    # backward
    dl = prob.copy()
    dl[rows, target] -= 1
    dl[0] = 0
    dl /= n - 1
    g["output"] += y.T @ dl
    dy = norm_back(dl @ p["output"].T, y, y_by)
    g["layer.0.w_ff2"] += f.T @ dy
    df = (dy @ p["layer.0.w_ff2"].T) * (f > 0)
    g["layer.0.w_ff1"] += o.T @ df
    do = norm_back(dy + df @ p["layer.0.w_ff1"].T, o, o_by)
    dx = do.copy()
    dq, dk, dv = np.zeros((n, D)), np.zeros((n, D)), np.zeros((n, D))
    for h in range(H):
        at = slice(h * DK, (h + 1) * DK)
        qh, kh, vh, a = kept[h]
        dc = do[:, at]
        da = dc @ vh.T
        dv[:, at] = a.T @ dc
        if kind == "shaw":
            da = da + np.einsum("td,tsd->ts", dc, p["shaw.w_value.0"][clipped])
            np.add.at(g["shaw.w_value.0"], clipped, a[:, :, None] * dc[:, None, :])
        ds = a * (da - (a * da).sum(axis=1, keepdims=True))
        dqh, dkh = scale * ds @ kh, scale * ds.T @ qh
        if kind == "shaw":
            dqh = dqh + scale * np.einsum("ts,tsd->td", ds, p["shaw.w_key.0"][clipped])
            np.add.at(g["shaw.w_key.0"], clipped, scale * ds[:, :, None] * qh[:, None, :])
        if kind == "t5":
            np.add.at(g["t5.bias_table"][:, h], buckets, ds)
        if kind == "kerple_log":
            factor = p["kerple_log.a.0"][0, h]
            past = abs(delta)
            g["kerple_log.p.0"][0, h] -= (ds * np.log1p(factor * past)).sum()
            g["kerple_log.a.0"][0, h] -= (ds * p["kerple_log.p.0"][0, h] * past / (1 + factor * past)).sum()
        if kind == "rope":
            dqh, dkh = rotate(dqh, cos, -sin), rotate(dkh, cos, -sin)
        dq[:, at], dk[:, at] = dqh, dkh
    for w, dw in zip("qkv", (dq, dk, dv)):
        g["layer.0.w_" + w] += x0.T @ dw
        dx += dw @ p["layer.0.w_" + w].T
    np.add.at(g["embedding"], x, dx)
    if kind == "learned":
        g["learned.p"][:n] += dx
    return loss, g


def train(scheme):
    p = {name: start(name, *shape) for name, shape in {**SHAPES, **LEAVES[scheme]}.items()}
    m = {name: np.zeros_like(at) for name, at in p.items()}
    v = {name: np.zeros_like(at) for name, at in p.items()}
    for step in range(1, STEPS + 1):
        loss, g = 0, {name: np.zeros_like(at) for name, at in p.items()}
        for i in range(B):
            one_loss, one_g = one(scheme, p, sentence(step - 1, i))
            loss += one_loss / B
            for name in g:
                g[name] += one_g[name] / B
        print("loss", scheme, step, repr(float(loss)))
        length = math.sqrt(sum(float((x ** 2).sum()) for x in g.values()))
        past = max(0, step - STEPS // 2) / (STEPS - STEPS // 2)
        rate = RATE * min(1, step / 20) * (1 - 0.98 * past)
        for name in p:
            x = g[name] / max(1, length)
            m[name] = 0.9 * m[name] + 0.1 * x
            v[name] = 0.98 * v[name] + 0.02 * x ** 2
            p[name] = p[name] - rate * (m[name] / (1 - 0.9 ** step)) / (np.sqrt(v[name] / (1 - 0.98 ** step)) + 1e-9)
        if step in (1, STEPS):
            for name, at in p.items():
                flat = at.ravel()
                print("sum", scheme, step, name, repr(float((np.cos(np.arange(len(flat))) * flat).sum())),
                      repr(float((flat ** 2).sum())))


for scheme in LEAVES:
    train(scheme)
