/* ramp.c: which pairs of a rotation YaRN slows down, beside position interpolation and NTK.
 *
 * A pair's frequency is read off what the scheme turns by: the angle at place 1, less than half a turn. */
#include <math.h>

#include "fig.h"

enum { WIDTH = 128, TURNED = WIDTH / 2, TRAINED = 4096, FACTOR = 16 };

/* The frequency of every pair, in radians a place; `amplitude` gets what besides multiplies the vectors. out[TURNED] */
static const double *frequencies(struct fig *f, const char *name, const char *more,
				 double *amplitude)
{
	const struct fig_run *const r = fig_run(
		f,
		arena_printf(f->a,
			     "scheme %s%s\nd-model %d\nheads 1\nlayers 1\nt-max %d\nsentence w w\n",
			     name, more, WIDTH, TRAINED),
		WANT_KEPT);
	double *const out = arena_calloc(f->a, TURNED, sizeof *out);
	if (!r)
		return NULL;
	const struct mat c = fig_kept(r, arena_printf(f->a, "member.%s.cos", name));
	const struct mat s = fig_kept(r, arena_printf(f->a, "member.%s.sin", name));
	for (size_t i = 0; i < TURNED; i++)
		out[i] = atan2(mat_row(s, 1)[i], mat_row(c, 1)[i]);
	*amplitude = hypot(mat_row(s, 1)[0], mat_row(c, 1)[0]);
	return out;
}

/* Frequencies by pair. */
struct scaled {
	const double *plain, *pi, *ntk, *yarn;
	double amplitude; /* of YaRN */
};

static bool scale_all(struct fig *f, struct scaled *out)
{
	double one;
	const char *const by = arena_printf(f->a, "(factor=%d)", FACTOR);
	const char *const from = arena_printf(f->a, "(factor=%d,original=%d)", FACTOR, TRAINED);
	out->plain = frequencies(f, "rope", "", &one);
	out->pi = frequencies(f, "rope_pi", by, &one);
	out->ntk = frequencies(f, "rope_ntk", by, &one);
	out->yarn = frequencies(f, "rope_yarn", from, &out->amplitude);
	return out->plain && out->pi && out->ntk && out->yarn;
}

/* θ' = θ (1 − γ) + θ/f γ, solved for γ. */
static double gamma_of(const struct scaled *s, size_t i)
{
	return (1 - s->yarn[i] / s->plain[i]) / (1 - 1.0 / FACTOR);
}

/* ---- panels -------------------------------------------------------------------------------------- */

static const double *ratio(struct fig *f, const double *of, const double *to)
{
	double *const out = arena_calloc(f->a, TURNED, sizeof *out);
	for (size_t i = 0; i < TURNED; i++)
		out[i] = nearbyint(of[i] / to[i] * 1e12) / 1e12; /* what is constant is drawn so */
	return out;
}

static void draw_ratios(struct fig *f, const struct scaled *s)
{
	struct panel *const p = fig_panel(f, "ratio", "Frequency after, over before", 0, 0, 1, 0);
	const double *const pair = fig_steps(f, 1, 1, TURNED);
	fig_curves(f, p, "pair", "θ′/θ");
	p->curves.integer_x = p->curves.unit = true;
	fig_curve(f, p, "YaRN", TURNED, pair, ratio(f, s->yarn, s->plain));
	fig_curve(f, p, "NTK", TURNED, pair, ratio(f, s->ntk, s->plain));
	fig_curve(f, p, "PI", TURNED, pair, ratio(f, s->pi, s->plain));
}

/* By turns within the trained length, where the rule is stated. */
static void draw_shares(struct fig *f, const struct scaled *s)
{
	struct panel *const p = fig_panel(f, "ramp", "Share that is interpolated", 0, 1, 1, 1);
	double *const y = arena_calloc(f->a, TURNED, sizeof *y);
	for (size_t i = 0; i < TURNED; i++)
		y[i] = gamma_of(s, i);
	fig_curves(f, p, "pair", "ramp");
	p->curves.integer_x = p->curves.unit = true;
	fig_curve(f, p, "YaRN", TURNED, fig_steps(f, 1, 1, TURNED), y);
	p->subtitle = "0: the pair is kept; 1: it rotates 16 times slower";
}

static void draw_waves(struct fig *f, const struct scaled *s)
{
	static const double pi = 3.14159265358979323846;
	static const char *const labels[] = {"plain", "YaRN", "NTK", "PI"};
	static const struct curve_level level = {TRAINED, "trained length 4096", "4096"};
	const double *const all[] = {s->plain, s->yarn, s->ntk, s->pi};
	struct panel *const p = fig_panel(f, "wavelength", "Wavelength of each pair", 1, 0, 1, 2);
	fig_curves(f, p, "pair", "wavelength in positions");
	p->curves.integer_x = true;
	p->curves.spread = CURVES_LOG;
	p->curves.levels = &level;
	p->curves.n_levels = 1;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		double *const wave = arena_calloc(f->a, TURNED, sizeof *wave);
		for (size_t i = 0; i < TURNED; i++)
			wave[i] = 2 * pi / all[k][i];
		fig_curve(f, p, labels[k], TURNED, fig_steps(f, 1, 1, TURNED), wave);
	}
}

/* Rows of some pairs. */
static void draw_table(struct fig *f, const struct scaled *s)
{
	static const size_t pairs_shown[] = {1, 11, 21, 26, 31, 36, 41, 47, 55, 64};
	static const char *const head[] = {"pair", "rotations", "YaRN", "NTK", "PI"};
	enum { ROWS = sizeof pairs_shown / sizeof *pairs_shown, COLS = sizeof head / sizeof *head };
	static const double pi = 3.14159265358979323846;
	const char **const cells = arena_calloc(f->a, ROWS * COLS, sizeof *cells);
	for (size_t r = 0; r < ROWS; r++) {
		const size_t i = pairs_shown[r] - 1;
		const char **const row = cells + r * COLS;
		row[0] = arena_printf(f->a, "%zu", i + 1);
		row[1] = arena_printf(f->a, "%.3g", TRAINED * s->plain[i] / (2 * pi));
		row[2] = arena_printf(f->a, "%.4f", s->yarn[i] / s->plain[i]);
		row[3] = arena_printf(f->a, "%.4f", s->ntk[i] / s->plain[i]);
		row[4] = arena_printf(f->a, "%.4f", s->pi[i] / s->plain[i]);
	}
	struct panel *const p =
		fig_panel(f, "table", "Rotations within 4096, and θ′/θ", 1, 1, 1, 3);
	fig_table(f, p, head, COLS, cells, ROWS, 0);
}

/* ---- numbers ------------------------------------------------------------------------------------- */

static void say(struct fig *f, const struct scaled *s)
{
	static const size_t at[] = {0, 20, 33, 46, 63};
	for (size_t k = 0; k < sizeof at / sizeof *at; k++)
		fig_number(f, arena_printf(f->a, "ramp.%zu", at[k]), gamma_of(s, at[k]),
			   "share of this pair, from 0, that is interpolated");
	fig_number(f, "yarn.20", s->yarn[20], "frequency of pair 20");
	fig_number(f, "yarn.30", s->yarn[30], "of pair 30");
	fig_number(f, "yarn.45.slower", s->plain[45] / s->yarn[45],
		   "pair 45 rotates so much slower");
	fig_number(f, "yarn.63.slower", s->plain[63] / s->yarn[63], "the last pair does");
	fig_number(f, "pi.0.slower", s->plain[0] / s->pi[0], "of PI the first pair");
	fig_number(f, "ntk.0.slower", s->plain[0] / s->ntk[0], "of NTK the first pair");
	fig_number(f, "ntk.63.slower", s->plain[63] / s->ntk[63], "of NTK the last pair");
	fig_number(f, "amplitude", s->amplitude, "what YaRN multiplies queries and keys by");
}

void draw_ramp(struct fig *f)
{
	struct scaled s;
	if (!scale_all(f, &s))
		return;
	draw_ratios(f, &s);
	draw_shares(f, &s);
	draw_waves(f, &s);
	draw_table(f, &s);
	say(f, &s);
}
