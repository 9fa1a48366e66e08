"""Numbers of views in a dump against NumPy's: singular values, ridge regression, planes of principal components
and classical scaling, to 1e-9. Ridge regression goes by singular values of the design here, and the relative one by
both vectors of each pair in both directions, as it is defined; posviz goes by Cholesky's factors and by differences.

view_numbers.py DUMP    says how many numbers were compared; what differs ends it with 1"""
import json
import sys

import numpy

TOLERANCE = 1e-9
GRID = [1e2, 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-4]
compared = 0


def read_safetensors(path):
    data = open(path, "rb").read()
    start = 8 + int.from_bytes(data[:8], "little")
    out = {}
    for name, about in json.loads(data[8:start]).items():
        if name != "__metadata__":
            lo, hi = (start + at for at in about["data_offsets"])
            out[name] = numpy.frombuffer(data[lo:hi]).reshape(about["shape"])
    return out


def expect(name, ours, theirs, scale=1.0):
    global compared
    ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
    if ours.shape != theirs.shape:
        sys.exit(f"{name}: shape {ours.shape}, NumPy {theirs.shape}")
    off = numpy.abs(ours - theirs).max() / scale if ours.size else 0
    if not off <= TOLERANCE:
        sys.exit(f"{name}: {off:g} off NumPy")
    compared += ours.size


# ---- singular values


def matrix_of(t, key):
    """What rank.KEY is of: of the first head of the first layer, as a dump without --head has it."""
    named = {"vectors": "position.vectors"}
    return t.get(named.get(key, f"layer.0.head.0.{key}"))


def check_ranks(t):
    for name in [n for n in t if n.startswith("rank.") and n.endswith(".values")]:
        key = name[len("rank.") : -len(".values")]
        m = matrix_of(t, key)
        if m is None:
            continue
        sigma = numpy.linalg.svd(m, compute_uv=False)
        largest = max(sigma[0], 1e-300)
        expect(name, t[name], sigma, largest)
        expect(f"rank.{key}.stable", t[f"rank.{key}.stable"], [(sigma**2).sum() / sigma[0] ** 2])
        least = sigma[0] * max(m.shape) * 2.0**-52
        if not ((sigma > least / 10) & (sigma < 10 * least)).any():
            expect(f"rank.{key}.numerical", t[f"rank.{key}.numerical"], [(sigma > least).sum()])


# ---- ridge regression


class Ridge:
    """Least squares with a penalty; `weigh` gives the sum of squares that α is a part of."""

    def __init__(self, x, y, fold, weigh):
        self.x, self.y, self.fold, self.weigh = x, y, fold, weigh

    def fit(self, rows, alphas):
        """Weights and intercept for each α."""
        x, y = self.x[rows], self.y[rows]
        mean, middle = x.mean(0), y.mean()
        u, s, vt = numpy.linalg.svd(x - mean, full_matrices=False)
        along = u.T @ (y - middle)
        for alpha in alphas:
            w = vt.T @ (along * s / (s**2 + alpha * self.weigh(rows)))
            yield w, middle - mean @ w

    def errors(self, held):
        """Of each α among the folds that are not held out."""
        out = numpy.zeros(len(GRID))
        for inner in range(4):
            if inner == held:
                continue
            rows, at = (self.fold != held) & (self.fold != inner), self.fold == inner
            for i, (w, c) in enumerate(self.fit(rows, GRID)):
                out[i] += ((self.y[at] - self.x[at] @ w - c) ** 2).sum()
        return out

    def predict(self, alphas=None):
        """With these α, each of which must be as good as any, or the best."""
        out = numpy.zeros(len(self.y))
        for held in range(4):
            errors = self.errors(held)
            alpha = GRID[errors.argmin()] if alphas is None else alphas[held]
            if not errors[GRID.index(alpha)] <= errors.min() * (1 + 1e-9):
                sys.exit(f"α {alpha:g} is not the best for fold {held}")
            (w, c), = self.fit(self.fold != held, [alpha])
            out[self.fold == held] = self.x[self.fold == held] @ w + c
        return out

    def r2(self, predicted):
        return 1 - ((self.y - predicted) ** 2).sum() / ((self.y - self.y.mean()) ** 2).sum()


def check_absolute(t):
    x, fold = t["layers.probe.rows"], t["layers.probe.folds"]

    def weigh(rows):
        return ((x[rows] - x[rows].mean(0)) ** 2).sum() / x.shape[1]

    for k, name in enumerate(["layers.absolute", "layers.shuffled.absolute"]):
        ridge = Ridge(x, t["layers.probe.targets"][k], fold, weigh)
        predicted = ridge.predict(list(t["layers.probe.alphas"][k]))
        expect("layers.probe.predicted", t["layers.probe.predicted"][k], predicted, abs(ridge.y).max())
        expect(name, t[name][-1], ridge.r2(predicted))


def check_relative(t):
    rows = t["layers.probe.rows"]
    first, second = t["layers.probe.pairs"].astype(int).T
    apart = rows[second] - rows[first]
    fold = t["layers.probe.folds"][first]
    both = numpy.concatenate([numpy.hstack([rows[first], rows[second]]), numpy.hstack([rows[second], rows[first]])])

    def weigh(of):
        return (apart[of[: len(apart)]] ** 2).sum() / rows.shape[1]

    for k, name in enumerate(["layers.relative", "layers.shuffled.relative"]):
        target = t["layers.probe.targets"][k]
        y = target[second] - target[first]
        ridge = Ridge(both, numpy.concatenate([y, -y]), numpy.concatenate([fold, fold]), weigh)
        expect(name, t[name][-1], ridge.r2(ridge.predict()))


# ---- principal components


def check_plane(t):
    """Of rows NAME.rows the plane NAME.plane, [rows, 2], and NAME.share of the variance."""
    for name in [n for n in t if n.endswith(".plane") and n[: -len("plane")] + "rows" in t]:
        rows = t[name[: -len("plane")] + "rows"]
        centred = rows - rows.mean(0)
        u, s, vt = numpy.linalg.svd(centred, full_matrices=False)
        plane = centred @ vt[:2].T
        expect(name, t[name], plane * numpy.sign((plane * t[name]).sum(0)), max(s[0], 1e-300))
        share = t.get(name[: -len("plane")] + "share")
        if share is not None:
            expect(f"{name}: share", share, s[:2] ** 2 / (s**2).sum())


# ---- classical scaling


def check_map(t):
    """Of distances NAME.distances the plane NAME.plane: √λ·v of the two largest eigenvalues of −½ J D² J."""
    for name in [n for n in t if n.startswith("map.") and n.endswith(".plane")]:
        d = t[name[: -len("plane")] + "distances"]
        if abs(d - d.T).max() > 0 or abs(numpy.diag(d)).max() > 0:
            sys.exit(f"{name}: distances are not symmetric, or not 0 on themselves")
        middle = numpy.eye(len(d)) - 1 / len(d)
        values, vectors = numpy.linalg.eigh(-0.5 * middle @ d**2 @ middle)
        plane = vectors[:, [-1, -2]] * numpy.sqrt(values[[-1, -2]])
        expect(name, t[name], plane * numpy.sign((plane * t[name]).sum(0)), abs(plane).max())


def main():
    t = read_safetensors(sys.argv[1])
    check_ranks(t)
    if "layers.probe.rows" in t:
        check_absolute(t)
        check_relative(t)
    check_plane(t)
    check_map(t)
    print(compared)


main()
