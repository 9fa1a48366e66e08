"""The page that `posviz render rope --size 1920x1080` draws, by matplotlib: two heatmaps with their numbers
and colour bars, a curve, and two columns of text. Usage: matplotlib_page.py FILE"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

WORDS = "the cat that the dog chased fell asleep .".split()
FACTS = [("reference", "relative", "a shift moves logits by 0 (3e-16)"),
         ("injection", "matrix", "in every layer"),
         ("learned", "no", "0 parameters, as printed"),
         ("length", "unbounded", "defined for every position"),
         ("evidence", "third-party code", "RoFormer, GPT-J, GPT-NeoX and Llama"),
         ("topic", "sinusoidal", "in the survey's Table 2")]
MEASURED = [("order", "seen"), ("invariance", "0.035"), ("shift", "0 (1e-16)"), ("insertion", "0 (2e-16)")]


def rope(units, heads):
    """bias and weights of head 1: query and key turned by their positions, and softmax"""
    n, d = units.shape
    half = d // heads // 2
    angle = np.arange(n)[:, None] * 10000.0 ** (-np.arange(half) / half)

    def turned(x):
        a, b = x[:, 0:2 * half:2], x[:, 1:2 * half:2]
        return np.hstack([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)])

    ones = turned(np.ones((n, d))) @ turned(np.ones((n, d))).T / (2 * half) - 1
    logits = turned(units) @ turned(units).T / np.sqrt(2 * half)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return ones, weights / weights.sum(axis=1, keepdims=True)


def heatmap(ax, title, at, colours):
    image = ax.imshow(at, cmap=colours)
    ax.set_title(title, loc="left", fontweight="bold")
    ax.set_xticks(range(len(WORDS)), WORDS, rotation=45, ha="left")
    ax.set_yticks(range(len(WORDS)), WORDS)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    middle = (at.min() + at.max()) / 2
    for (t, s), value in np.ndenumerate(at):
        ax.text(s, t, f"{value:.2f}", ha="center", va="center", fontsize=8,
                color="white" if value < middle else "black")
    ax.figure.colorbar(image, ax=ax, orientation="horizontal", shrink=0.8)


def text_rows(ax, title, rows, step):
    ax.axis("off")
    ax.set_title(title, loc="left", fontweight="bold")
    for i, row in enumerate(rows):
        for words, x, y in zip(row, (0, 0.2, 0.2), (0, 0, 0.45)):
            ax.text(x, 1 - step * (i + 0.5 + y), words, fontsize=9, va="center", transform=ax.transAxes)


def main():
    bias, weights = rope(np.random.default_rng(0).normal(size=(len(WORDS), 64)), 4)
    figure = plt.figure(figsize=(19.2, 10.8), dpi=100)
    grid = figure.add_gridspec(2, 3, width_ratios=(4, 4, 3), height_ratios=(3, 1))
    figure.suptitle("Rotary position embedding", x=0.03, ha="left", fontweight="bold")
    heatmap(figure.add_subplot(grid[0, 0]), "Position bias", bias, "Blues_r")
    heatmap(figure.add_subplot(grid[0, 1]), "Attention weights", weights, "viridis")
    text_rows(figure.add_subplot(grid[0, 2]), "What it does", FACTS, 0.15)
    curve = figure.add_subplot(grid[1, :2])
    reach = np.arange(1 - len(WORDS), len(WORDS))
    curve.plot(reach, [np.diagonal(bias, r).mean() for r in reach], marker="o")
    curve.set_title("Position bias by distance", loc="left", fontweight="bold")
    curve.set_xlabel("key minus query, s − t")
    curve.grid(True)
    text_rows(figure.add_subplot(grid[1, 2]), "What was measured", MEASURED, 0.2)
    figure.savefig(sys.argv[1], format="png")


main()
