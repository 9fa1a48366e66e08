/* kexue_decay.c: what a rotation makes of equal vectors far apart: sums of e^{ikθ} over its pairs.
 *
 * The cosines and sines are those that the scheme turns by at place k, so a key at 0 is k apart. */
#include <math.h>

#include "fig.h"

enum { FAR = 256, WIDTH = 128, TURNED = WIDTH / 2, BASES = 3, USUAL = 1 };

static const struct base {
	double base;
	const char *label, *brief;
} bases[BASES] = {{500, "B 500", "500"}, {10000, "B 10⁴", "10⁴"}, {500000, "B 5·10⁵", "5·10⁵"}};

struct turns {
	struct mat cosine, sine; /* [FAR+1, TURNED] */
	double *real, *bound;	 /* [FAR+1] */
};

/* S_j = Σ_{i<j} e^{ikθ_i}: out[2j], out[2j+1] are its parts, j from 0 to TURNED. */
static void partial_sums(const struct turns *t, size_t k, double *out)
{
	out[0] = out[1] = 0;
	for (size_t j = 0; j < TURNED; j++) {
		out[2 * j + 2] = out[2 * j] + mat_row(t->cosine, k)[j];
		out[2 * j + 3] = out[2 * j + 1] + mat_row(t->sine, k)[j];
	}
}

static bool turn(struct fig *f, double base, struct turns *out)
{
	double sums[2 * TURNED + 2];
	const struct fig_run *const r =
		fig_run(f,
			arena_printf(f->a,
				     "scheme rope(base=%g)\nd-model %d\nheads 1\nlayers 1\n"
				     "sentence %s\n",
				     base, WIDTH, fig_words(f, FAR + 1)),
			WANT_KEPT);
	if (!r)
		return false;
	*out = (struct turns){.cosine = fig_kept(r, "member.rope.cos"),
			      .sine = fig_kept(r, "member.rope.sin"),
			      .real = arena_calloc(f->a, FAR + 1, sizeof *out->real),
			      .bound = arena_calloc(f->a, FAR + 1, sizeof *out->bound)};
	for (size_t k = 0; k <= FAR; k++) {
		partial_sums(out, k, sums);
		out->real[k] = sums[2 * TURNED] / TURNED;
		for (size_t j = 1; j <= TURNED; j++)
			out->bound[k] += hypot(sums[2 * j], sums[2 * j + 1]) / TURNED;
	}
	return true;
}

static void draw_curves(struct fig *f, const struct turns *t)
{
	const double *const k = fig_steps(f, 0, 1, FAR + 1);
	struct panel *const real = fig_panel(f, "product", "Product of equal vectors", 0, 0, 1, 0);
	fig_curves(f, real, "distance k", "Σ cos(kθ) · 2/d");
	struct panel *const bound = fig_panel(f, "bound", "Bound of RoFormer", 0, 1, 1, 1);
	fig_curves(f, bound, "distance k", "mean of |S_j|");
	real->curves.integer_x = bound->curves.integer_x = true;
	for (size_t i = 0; i < BASES; i++) {
		const struct base *const b = &bases[i];
		fig_curve(f, real, b->label, FAR + 1, k, t[i].real)->brief = b->brief;
		fig_curve(f, bound, b->label, FAR + 1, k, t[i].bound)->brief = b->brief;
	}
}

/* The sums as a walk: a step of length one for each pair, turned by kθ from the right. */
static void draw_walks(struct fig *f, const struct turns *t)
{
	static const size_t distances[] = {1, 10, 50, 250};
	enum { WALKS = sizeof distances / sizeof *distances, STEPS = TURNED + 2 };
	struct panel *const p = fig_panel(f, "walk", "S_j, pair after pair", 1, 0, 2, 2);
	struct plane_point *const at = arena_calloc(f->a, WALKS * STEPS, sizeof *at);
	size_t *const group = arena_calloc(f->a, WALKS * STEPS, sizeof *group);
	double sums[2 * TURNED + 2];
	for (size_t w = 0; w < WALKS; w++) {
		partial_sums(t, distances[w], sums);
		for (size_t j = 0; j < STEPS; j++) {
			struct plane_point *const to = &at[w * STEPS + j];
			*to = j > TURNED ? (struct plane_point){.x = NAN, .y = NAN}
					 : (struct plane_point){sums[2 * j], sums[2 * j + 1], NULL};
			if (j == TURNED)
				to->label = arena_printf(f->a, "k %zu", distances[w]);
			group[w * STEPS + j] = w;
		}
	}
	p->kind = PANEL_PLANE;
	p->plane = (struct plane){.n = WALKS * STEPS,
				  .at = at,
				  .joined = true,
				  .group = group,
				  .x_title = "real part",
				  .y_title = "imaginary part"};
	p->subtitle = "B 10⁴, from the fastest pair on";
}

static void say(struct fig *f, const struct turns *t)
{
	static const size_t at[] = {0, 1, 2, 3, 10, 50, 250};
	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		fig_number(f, arena_printf(f->a, "product.%zu", at[i]), t[USUAL].real[at[i]],
			   "2/d Σ cos(kθ) at this distance, base 10000");
		fig_number(f, arena_printf(f->a, "bound.%zu", at[i]), t[USUAL].bound[at[i]],
			   "mean of |S_j| at this distance, base 10000");
	}
	for (size_t i = 0; i < BASES; i++)
		fig_number(f, arena_printf(f->a, "bound.50.base.%.0f", bases[i].base),
			   t[i].bound[50], "mean of |S_j| at distance 50 with this base");
}

void draw_kexue_decay(struct fig *f)
{
	struct turns t[BASES];
	for (size_t i = 0; i < BASES; i++)
		if (!turn(f, bases[i].base, &t[i]))
			return;
	draw_curves(f, t);
	draw_walks(f, &t[USUAL]);
	f->out->row_weight[0] = 5;
	f->out->row_weight[1] = 3;
	say(f, t);
}
