"""The default page of `posviz render t5 --size 1920x1080`, drawn by matplotlib: what `make bench` holds the
program's time against, from exec to exit. Its numbers are computed here as well; its words are the page's."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

WORDS = ["the₁", "cat", "that", "the₂", "dog", "chased", "fell", "asleep", "."]
SLOPES = [2, 1, 0.5, 0.25]
FORMULA = "$A_{ts} = q_t \\cdot k_s + b_{bucket(s-t)}$"
SAYS = """Each head learns one number for each bucket of
distances and adds it to its logits. Near distances have
a bucket each, far ones share."""
CARD = [
    ("reference", "relative", "a shift moves logits by 0"),
    ("injection", "matrix", "in every layer"),
    ("learned", "yes", "128 parameters; printed (2 t_max - 1) h =\n4092"),
    ("length", "bounded", "t-max 512"),
    ("values", "not trained", "b = −log(1 + the least |s−t| of the bucket)\n"
     "times a slope for each head, from 2 down\nto 1/4"),
    ("evidence", "third-party code", "huggingface/transformers c85510f,\n"
     "modeling_t5.py; x-transformers 9252ed7\nfor scale=xt. The table in Su's essay\n"
     "(kexue.fm 8130) prints f(23) = 10, where\nthe logarithm, and the code, give 11"),
    ("topic", "generic", "in the survey's Table 2"),
    ("published", "Chen et al. 2021 (DIET)", "2 rows in the view Table"),
]
MEASURES = [("order", "seen"), ("invariance", "0.031"), ("shift", "0"), ("insertion", "0")]
GREY = "#6b7280"


def heatmap(fig, where, matrix, title, note, label, cmap, form):
    ax = fig.add_axes(where)
    image = ax.imshow(matrix, cmap=cmap)
    n = len(WORDS)
    ax.set_xticks(range(n), WORDS, rotation=55, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(n), WORDS)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.set_xticks(np.arange(n + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(n + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="w", linewidth=1)
    ax.tick_params(which="minor", length=0)
    middle = (matrix.min() + matrix.max()) / 2
    dark = cmap == "Blues_r"
    for t in range(n):
        for s in range(n):
            white = (matrix[t, s] < middle) == dark
            ax.text(s, t, form % matrix[t, s], ha="center", va="center",
                    color="w" if white else "k")
    ax.set_title(title, loc="left", fontweight="bold", pad=52)
    ax.text(0.99, 1.17, note, transform=ax.transAxes, ha="right", color=GREY)
    fig.colorbar(image, ax=ax, orientation="horizontal", pad=0.04, fraction=0.04, label=label)


def curves(fig, where, bias):
    ax = fig.add_axes(where)
    n = len(WORDS)
    distances = np.arange(1 - n, n)
    for h in range(len(SLOPES)):
        values = [np.mean(np.diagonal(bias[h], d)) for d in distances]
        ax.plot(distances, values, marker="os^D"[h], markevery=3, label="head %d" % (h + 1))
        ax.fill_between(distances, values, values, alpha=0.2)
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.axvline(0, color="0.6", linewidth=0.8)
    ax.set_title("Position bias by distance", loc="left", fontweight="bold")
    ax.set_xlabel("key minus query, s − t", loc="right")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)


def card(fig, x, top):
    fig.text(x, top, "What it does", fontweight="bold", fontsize=13)
    fig.text(x, top - 0.04, FORMULA, fontsize=15)
    fig.text(x, top - 0.06, SAYS, color=GREY, va="top")
    y = top - 0.13
    for name, value, words in CARD:
        fig.text(x, y, name, color=GREY, va="top")
        fig.text(x + 0.045, y, value, fontweight="bold", va="top")
        fig.text(x + 0.045, y - 0.018, words, color=GREY, va="top")
        y -= 0.031 + 0.016 * (words.count("\n") + 1)
        fig.add_artist(plt.Line2D([x, x + 0.2], [y + 0.006] * 2, color="0.8", linewidth=0.8))
    y -= 0.03
    fig.text(x, y, "What was measured", fontweight="bold", fontsize=13)
    for name, value in MEASURES:
        y -= 0.024
        fig.text(x, y, name, color=GREY)
        fig.text(x + 0.045, y, value, fontweight="bold")


def main():
    n = len(WORDS)
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    bias = [-slope * np.log1p(distance) for slope in SLOPES]
    logits = bias[0] + 3 * np.eye(n)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    fig = plt.figure(figsize=(19.2, 10.8), dpi=100)
    fig.text(0.027, 0.94, "Bucketed relative bias", fontweight="bold", fontsize=20)
    fig.text(0.027, 0.91, "Raffel et al. 2020   ·   t5   ·   head 1 of 4", color=GREY)
    heatmap(fig, [0.06, 0.265, 0.27, 0.53], bias[0], "Position bias",
            "same unit everywhere, logits minus unit–unit", "less attention", "Blues_r", "%.2f")
    heatmap(fig, [0.42, 0.265, 0.27, 0.53], weights, "Attention weights",
            "layer 1 · softmax over the keys", "more attention", "YlGnBu", "%.2f")
    curves(fig, [0.045, 0.085, 0.63, 0.1], bias)
    card(fig, 0.765, 0.86)
    fig.text(0.027, 0.03, "“the cat that the dog chased fell asleep .”   n 9 · d 64 · h 4", color=GREY)
    fig.savefig(sys.argv[1] if len(sys.argv) > 1 else "matplotlib_page.png")


if __name__ == "__main__":
    main()
