/* sinusoid.c: the sinusoidal encoding of Vaswani et al. 2017, added to the token vectors once.
 *
 * Nothing is learned and positions need not be whole numbers, so every position column can be
 * encoded. */
#include "scheme/sinusoid.h"

#include <math.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

const char *const sinusoid_layout_names[] = {"interleaved", "concat", NULL};
const char *const sinusoid_freq_names[] = {"paper", "t2t", NULL};

/* Returns w_i: base^(-2i/width), or base^(-i/(pairs-1)), avoiding the division by 0 for a single
 * pair as tensor2tensor does. */
static double frequency(size_t i, size_t width, enum sinusoid_freq freq, double base)
{
	if (freq == SINUSOID_PAPER)
		return pow(base, -2 * (double)i / (double)width);
	const size_t pairs = width / 2;
	return pow(base, -(double)i / (pairs > 1 ? (double)(pairs - 1) : 1));
}

void sinusoid_fill(struct mat out, const double *positions, enum sinusoid_layout layout,
		   enum sinusoid_freq freq, double base)
{
	const size_t width = out.cols;
	const size_t sines = freq == SINUSOID_T2T ? width / 2 : (width + 1) / 2;
	const size_t step = layout == SINUSOID_CONCAT ? 1 : 2;
	const size_t to_cos = layout == SINUSOID_CONCAT ? sines : 1;
	if (2 * sines < width)
		mat_fill(mat_cols(out, width - 1, 1), 0);
	for (size_t i = 0; i < sines; i++) {
		const double w = frequency(i, width, freq, base);
		const bool paired = 2 * i + 1 < width;
		for (size_t t = 0; t < out.rows; t++) {
			double *at = mat_row(out, t) + i * step;
			at[0] = sin(positions[t] * w);
			if (paired)
				at[to_cos] = cos(positions[t] * w);
		}
	}
}

struct mat sinusoid_distances(struct arena *a, long r, size_t width, enum sinusoid_layout layout,
			      enum sinusoid_freq freq)
{
	const struct mat out = mat_new(a, 2 * (size_t)r + 1, width);
	double *distance = arena_calloc(a, out.rows, sizeof *distance);
	for (size_t i = 0; i < out.rows; i++)
		distance[i] = (double)((long)i - r);
	sinusoid_fill(out, distance, layout, freq, 10000);
	return out;
}

struct node *sinusoid_node(struct run *run, const double *positions, const struct sinusoid_param *p)
{
	const size_t n = run->n;
	double *moved = arena_alloc(run->arena, n * sizeof *moved);
	for (size_t t = 0; t < n; t++)
		moved[t] = positions[t] + (double)p->start;
	const struct mat table = mat_new(run->arena, n, run->model->config.d);
	sinusoid_fill(table, moved, (enum sinusoid_layout)p->layout, (enum sinusoid_freq)p->freq,
		      p->base);
	return tape_const(run->tape, table);
}

struct node *sinusoid_table(struct run *run, const struct member *m, struct err *err)
{
	const double *positions = run_column(run, m, err);
	return positions ? sinusoid_node(run, positions, m->param) : NULL;
}

bool sinusoid_add(struct run *run, const struct member *m, const char *name,
		  struct node *(*build)(struct run *run, const struct member *m, struct err *err),
		  struct err *err)
{
	struct node *table = run_cached(run, m, name, false, build, err);
	if (table)
		run_add_part(run, "position", table);
	return table != NULL;
}

/* ---- sinusoidal ---------------------------------------------------------------------------- */

struct sinusoidal {
	struct sinusoid_param sinusoid;
	bool scale_emb;
};

static const struct param sinusoidal_params[] = {
	SINUSOID_PARAMS(SINUSOID_INTERLEAVED, SINUSOID_PAPER, 0),
	SWITCH_PARAM(
		struct sinusoidal, scale_emb, false,
		"multiply the token vectors by the root of d first, as the original model does"),
	{0},
};

/* The token vectors are scaled, not the sum, so that unit–unit means the same everywhere. */
static bool sinusoidal_units(struct run *run, const struct member *m, struct err *err)
{
	const struct sinusoidal *p = m->param;
	return !p->scale_emb || run_scale_units(run, m, err);
}

static bool sinusoidal_embed(struct run *run, const struct member *m, struct err *err)
{
	return sinusoid_add(run, m, "table", sinusoid_table, err);
}

const struct scheme scheme_sinusoid[] = {
	{
		.id = "sinusoidal",
		.aliases = "vaswani sin",
		.title = "Sinusoidal position embedding",
		.formula = "X_t = U_t + [sin(t ω_i), cos(t ω_i)],  ω_i = B^{−2i/d}",
		.authors = "Vaswani et al.",
		.cite = "@vaswani2017attention",
		.recipe = "part.position[t] = the sinusoids of position + start: pair i rotates by "
			  "base^(-2i/d), with freq=t2t base^(-i/(d/2-1)), and is columns (2i, "
			  "2i+1), with layout=concat (i, i + d/2), sine before cosine; with "
			  "scale_emb=on part.unit is sqrt(d) times the token vectors",
		.about =
			"Every pair of columns is a clock hand, each rotating more slowly than the "
			"one before; together they tell the time t. The product of two rows "
			"depends on their distance alone, until a projection stands between them.",
		.year = 2017,
		.table2 = TABLE2_SINUSOIDAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "tensor2tensor (freq=t2t,layout=concat), fairseq (the same with "
				 "start=2); layout=concat as in Transformer-XL; the default is "
				 "survey eq. 21",
		.count_printed = "0",
		.params = sinusoidal_params,
		.param_size = sizeof(struct sinusoidal),
		.hooks = {.units = sinusoidal_units, .embed = sinusoidal_embed},
	},
	{0},
};
