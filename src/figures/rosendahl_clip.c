/* rosendahl_clip.c: which places and distances a long sentence has that training did not show, and how
 * clipping leaves none.
 *
 * A vector is trained when a pair of the longest sentence of training uses it. */
#include <math.h>

#include "fig.h"

enum { CLIP = 16, SHOWN = 40, LONGEST = 200, TEST = 130 };

/* Numbers that a pair reads its vector by; each [LONGEST, LONGEST], of which a sentence of J has the first J rows
 * and columns. */
struct readings {
	struct mat clipped, distance;
	const double *place; /* [LONGEST] */
};

static bool read_all(struct fig *f, struct readings *out)
{
	static const char lines[] = "scheme shaw(clip=%d,sign=ts)\nd-model 4\nheads 1\nlayers 1\n"
				    "t-max 200\nsentence %s\n";
	const char *const words = fig_words(f, LONGEST);
	const struct fig_run *const with =
		fig_run(f, arena_printf(f->a, lines, CLIP, words), WANT_RELATION);
	const struct fig_run *const without =
		fig_run(f, arena_printf(f->a, lines, 0, words), WANT_RELATION | WANT_POSITION);
	if (!with || !without)
		return false;
	out->clipped = fig_relation(f, with);
	out->distance = fig_relation(f, without);
	out->place = fig_steps(f, 0, 1, LONGEST);
	return true;
}

/* How often each number from −LONGEST to LONGEST stands in the first n rows and columns. */
static const double *counts(struct fig *f, struct mat of, size_t n)
{
	double *const out = arena_calloc(f->a, 2 * LONGEST + 1, sizeof *out);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			out[(long)mat_row(of, t)[s] + LONGEST]++;
	return out;
}

/* The share of the pairs of sentences of 1 … LONGEST tokens whose number none has that is trained to
 * `trained` tokens. */
static const double *unseen(struct fig *f, struct mat of, size_t trained)
{
	double *const out = arena_calloc(f->a, LONGEST + 1, sizeof *out), sum = 0;
	const double *const seen = counts(f, of, trained);
	for (size_t n = 1; n <= LONGEST; n++) {
		for (size_t i = 0; i < n; i++) {
			sum += seen[(long)mat_row(of, n - 1)[i] + LONGEST] == 0;
			sum += i + 1 < n && seen[(long)mat_row(of, i)[n - 1] + LONGEST] == 0;
		}
		out[n - 1] = sum / (double)(n * n);
	}
	return out;
}

/* The same where each of the two has a vector of its place. */
static const double *unseen_places(struct fig *f, const double *place, size_t trained)
{
	double *const out = arena_calloc(f->a, LONGEST + 1, sizeof *out), known = 0;
	for (size_t n = 1; n <= LONGEST; n++) {
		known += place[n - 1] <= place[trained - 1];
		out[n - 1] = 1 - known * known / (double)(n * n);
	}
	return out;
}

static void draw_pairs(struct fig *f, struct mat distance)
{
	static const size_t lengths[] = {TEST, 100, 75};
	static const char *const labels[] = {"130", "100", "75"};
	struct panel *const p = fig_panel(f, "pairs", "Pairs at each distance", 0, 1, 2, 2);
	fig_curves(f, p, "distance t − s", "pairs");
	p->curves.integer_x = true;
	p->subtitle = "in one sentence of 130, 100 and 75 tokens";
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		const size_t n = lengths[i];
		fig_curve(f, p, labels[i], 2 * n - 1, fig_steps(f, 1 - (double)n, 1, 2 * n - 1),
			  counts(f, distance, n) + LONGEST + 1 - n);
	}
}

/* Draws the shares of those trained to so many tokens, by what a pair reads its vectors by. */
static void draw_unseen(struct fig *f, const struct readings *r, size_t n, unsigned char col)
{
	struct panel *const p =
		fig_panel(f, "unseen", arena_printf(f->a, "Unseen pairs, trained to %zu", n), 1,
			  col, 1, n == 75);
	const double *const length = fig_steps(f, 1, 1, LONGEST);
	const double *const places = unseen_places(f, r->place, n);
	const double *const distances = unseen(f, r->distance, n);
	const double *const clipped = unseen(f, r->clipped, n);
	fig_curves(f, p, "length J", "share of pairs");
	p->curves.integer_x = p->curves.unit = true;
	fig_curve(f, p, "absolute", LONGEST, length, places)->brief = "abs.";
	fig_curve(f, p, "relative", LONGEST, length, distances);
	fig_curve(f, p, "clipped", LONGEST, length, clipped);
	fig_number(
		f, arena_printf(f->a, "absolute.%zu", n), places[TEST - 1],
		"share of the pairs of 130 tokens with a position that training to so many has not");
	fig_number(f, arena_printf(f->a, "relative.%zu", n), distances[TEST - 1],
		   "share of them at a greater distance than any in training");
	fig_number(f, arena_printf(f->a, "clipped.%zu", n), clipped[TEST - 1],
		   "the same with clipping");
	fig_number(f, arena_printf(f->a, "clipped.%zu.far", n), clipped[LONGEST - 1],
		   "the same of 200 tokens");
}

static void say(struct fig *f, struct mat clipped)
{
	const double *const n = counts(f, clipped, 100);
	double different = 0;
	for (size_t i = 0; i < 2 * LONGEST + 1; i++)
		different += n[i] > 0;
	fig_number(f, "vectors", different, "different vectors, 2τ + 1");
	fig_number(f, "ends", (n[LONGEST - CLIP] + n[LONGEST + CLIP]) / (100 * 100),
		   "share of the pairs of 100 tokens that read the vectors of ±τ");
}

void draw_rosendahl_clip(struct fig *f)
{
	struct readings r;
	if (!read_all(f, &r))
		return;
	struct panel *const map = fig_panel(f, "clip", "Clipped distance of each pair", 0, 0, 1, 0);
	const struct mat shown = mat_copy(f->a, mat_cols(mat_rows(r.clipped, 0, SHOWN), 0, SHOWN));
	fig_map(f, map, NULL, shown, &(struct paint){.is_signed = true});
	fig_axes(f, map, "query t", 1, "key s", 1);
	map->heatmap.integers = true;
	map->subtitle = "t − s from −16 to 16: 33 vectors";
	draw_pairs(f, r.distance);
	draw_unseen(f, &r, 100, 1);
	draw_unseen(f, &r, 75, 2);
	map->rows = 2;
	f->out->col_weight[0] = 4;
	f->out->col_weight[1] = f->out->col_weight[2] = 3;
	say(f, r.clipped);
}
