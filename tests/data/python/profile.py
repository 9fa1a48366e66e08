"""What heads do with position, by numpy: profile.py POSVIZ

Draws queries and keys, writes them to qk.npz, and compares what `posviz heads rope+causal --qk qk.npz` says of them
with least squares over indicators of all rows, distances and keys, and with sums over the weights; then the same of
the weights alone. Prints the largest difference.
"""
import subprocess
import sys

import numpy as np

W, L, H, n, d = 5, 2, 2, 20, 8  # windows, layers, heads, tokens, width of a head
STUDENT = 2.77645  # quantile 0.975, 4 degrees of freedom
worst = {}


def compare(name, a, b):
    worst[name] = max(worst.get(name, 0), np.nanmax(np.abs(np.asarray(a) - np.asarray(b))))


def posviz(*args):
    subprocess.run([sys.argv[1], "heads", *args, "--force"], check=True)


def rotate(x):
    angle = np.arange(n)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    out = np.empty_like(x)
    a, b = x[..., 0::2], x[..., 1::2]
    out[..., 0::2] = a * np.cos(angle) - b * np.sin(angle)
    out[..., 1::2] = a * np.sin(angle) + b * np.cos(angle)
    return out


rng = np.random.default_rng(3)
q, k = rng.standard_normal((2, W, L, H, n, d))
k[..., 0] += np.arange(n) * 0.1
q[..., 1] += 1
k[..., 1] += 1
ids = rng.integers(0, 9, (W, n))
np.savez("qk.npz", q=q, k=k, ids=ids)
q, k = rotate(q), rotate(k)
pairs = [(q[..., i : i + 2] @ k[..., i : i + 2].swapaxes(-1, -2)) / np.sqrt(d) for i in range(0, d, 2)]
mask = np.tril(np.ones((n, n), bool))
t, s = np.nonzero(mask)
p = np.where(mask, np.exp(sum(pairs)), 0)
p /= p.sum(-1, keepdims=True)
count = np.bincount(s - t + n - 1, minlength=2 * n - 1)


def indicators(column, of):
    out = np.zeros((len(t), of))
    out[np.arange(len(t)), column] = 1
    return out


rows, distances, keys = indicators(t, n), indicators(s - t + n - 1, 2 * n - 1), indicators(s, n)


def fit(m, *parts):
    """Fits windows m with rows of their own and the parts in common: what is fitted, and the first part's numbers."""
    x = np.hstack([np.kron(np.eye(len(m)), rows)] + [np.tile(part, (len(m), 1)) for part in parts])
    b = np.linalg.lstsq(x, np.concatenate([w[mask] for w in m]), rcond=1e-10)[0]
    return x @ b, b[len(m) * n : len(m) * n + 2 * n - 1]


def kernel(m):
    f = fit(m, distances)[1]
    return np.where(count > 0, f - f @ count / count.sum(), np.nan)


def scores(p, ids):
    apart = np.abs(np.arange(n)[:, None] - np.arange(n))
    same = (ids[:, None] == ids) & mask & (apart > 0)
    logs = np.log(np.where(p > 0, p, 1))
    return [np.diag(p, -1).mean(), p[1:, 0].mean(), (p * same).sum(-1)[same.any(-1)].mean(), np.nan,
            (p * (apart <= 8)).sum(-1).mean(), -(p * logs).sum(-1).mean(), (p * apart).sum(-1).mean(), np.nan]


posviz("rope+causal", "--qk", "qk.npz", "-o", "out.npz")
out = np.load("out.npz")
for at in np.ndindex(L, H):
    here = (slice(None), *at)
    m = sum(pairs)[here]
    y = np.concatenate([w[mask] for w in m])
    r, f, g = fit(m)[0], fit(m, distances)[0], fit(m, distances, keys)[0]
    squares = [((y - x) ** 2).sum() for x in (r, f, g)]
    compare("shares", out["shares"][at] * squares[0], -np.diff(squares + [0]))
    compare("kernel", out["kernel"][at], kernel(m))
    spread = np.std([kernel(w[None]) for w in m], axis=0, ddof=1)
    compare("half", out["kernel.half"][at], STUDENT * spread / np.sqrt(W))
    mean = p[here].mean(0)
    compare("weight", out["weight"][at][:n], [np.diag(mean, e).mean() for e in range(1 - n, 1)])
    compare("scores", out["score"][at], np.mean([scores(a, b) for a, b in zip(p[here], ids)], axis=0))
    for i, pair in enumerate(pairs):
        band = pair[here]
        b, r_b, f_b = np.concatenate([w[mask] for w in band]), fit(band)[0], fit(band, distances)[0]
        compare("bands", out["bands"][at][i], (b - r_b) @ (y - r) / squares[0])
        compare("bands.kernel", out["bands.kernel"][at][i], (f_b - r_b) @ (f - r) / ((f - r) @ (f - r)))
    compare("left", out["bands"][at][-1], 0)
    # The scheme's own: the decay of the rotation, as large as explains most; rows lose their means.
    def centred(by):
        x = by[s - t + n - 1]
        return x - (np.bincount(t, x) / np.bincount(t))[t]
    decay = np.cos(np.arange(1 - n, n)[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)).sum(1)
    x, target = centred(decay), centred(np.nan_to_num(kernel(m)))
    size = max(0, x @ target / (x @ x))
    compare("own", out["own"][at][:n] - out["own"][at][0], size * (decay[:n] - decay[0]))
    compare("own.like", out["own.like"][at],
            [1 - ((target - size * x) ** 2).sum() / (target @ target), np.sqrt(((target - size * x) ** 2).mean())])
np.savez("attention.npz", attention=p, ids=ids)
posviz("--qk", "attention.npz", "-o", "again.npz")
again = np.load("again.npz")
for name in "shares", "kernel", "kernel.half", "score", "weight", "pairs":
    compare("again", again[name], out[name])
assert len(worst) == 11 and max(worst.values()) < 1e-9, worst
print(max(worst.values()))
