/* help_recipes_parts.c: the additions of schemes before the projections: parts of X, and other
 * inputs of the projections. */
#include <stdlib.h>

#include "help_recipes.h"

double wave(double at, size_t i, size_t d, bool halves, bool t2t, double base)
{
	const size_t pair = halves ? i % (d / 2) : i / 2;
	const double by = t2t ? (double)pair / ((double)d / 2 - 1) : 2 * (double)pair / (double)d;
	const double angle = at * pow(base, -by);
	return (halves ? i < d / 2 : i % 2 == 0) ? sin(angle) : cos(angle);
}

static double own_wave(P, double at, size_t j)
{
	return wave(at, j, p->f->d, dumped_is(m, "layout", "concat"), dumped_is(m, "freq", "t2t"),
		    dumped_number(m, "base"));
}

static double sinusoidal(P, size_t t, size_t j)
{
	return own_wave(p, m, position_of(p, m, t) + dumped_number(m, "start"), j);
}

static double drawn(P, size_t t, size_t j)
{
	return own_wave(p, m, position_of(p, m, t), j);
}

static double augmented(P, size_t t, size_t j)
{
	return wave(kept_of(p, m, "positions").at[t], j, p->f->d, false, false, 10000);
}

static double learned(P, size_t t, size_t j)
{
	return mat_row(leaf_of(p, m, "p"), (size_t)position_of(p, m, t))[j];
}

/* Returns the sinusoid of the position, plus one of the step or a learned row. */
static double universal(P, size_t t, size_t j)
{
	const double first = dumped_number(m, "base01");
	const double step = dumped_is(m, "step", "learned")
				    ? mat_row(leaf_of(p, m, "step"), p->step)[j]
				    : own_wave(p, m, (double)p->step + first, j);
	return own_wave(p, m, position_of(p, m, t) + first, j) + step;
}

static double infused(P, size_t t, size_t j)
{
	return mat_row(p->x, t)[j] + sinusoidal(p, m, t, j);
}

static double linformer(P, const char *leaf, size_t k, size_t j)
{
	double sum = 0;
	for (size_t s = 0; s < p->f->n; s++)
		sum += mat_row(leaf_of(p, m, leaf), (size_t)position_of(p, m, s))[k] *
		       mat_row(p->x, s)[j];
	return sum;
}

static double fewer_keys(P, size_t k, size_t j)
{
	return linformer(p, m, "e_key", k, j);
}

static double fewer_values(P, size_t k, size_t j)
{
	return linformer(p, m, "e_value", k, j);
}

/* Returns a query made from positions alone; the dropped layer is the middle one here. */
static double dropped_query(P, size_t t, size_t j)
{
	const double last = (double)p->f->n - 1;
	const double at = dumped_is(m, "query", "reversed") ? last - position_of(p, m, t)
							    : position_of(p, m, t);
	return wave(at, j, p->f->d, true, true, dumped_is(m, "query", "short") ? 10 : 10000);
}

/* Finds the path from token t to the root as a list of branches, from the metadata of the
 * relation. */
static size_t way_to(const struct dumped *f, size_t t, long *out, size_t most)
{
	const char *at = strstr(tensor_meta_find(&f->set, "relation"), "\"path_of_token\":[");
	size_t n = 0;
	for (at += strlen("\"path_of_token\":["); t > 0; t--)
		at = strchr(strchr(at, '"') + 1, '"') + 2;
	for (at = strchr(at, '"') + 1; *at != '"' && n < most; at += *at == ' ') {
		char *end = NULL;
		const size_t len = strcspn(at, " \"");
		out[n] = strncmp(at, "→", len) == 0 ? 1 : strtol(at, &end, 10);
		n++;
		at += len;
	}
	return n;
}

static double tree_way(P, size_t t, size_t j)
{
	const size_t b = (size_t)dumped_number(m, "branching"), most = p->f->d / b;
	const double depth = dumped_number(m, "depth");
	const size_t k = depth < (double)most ? (size_t)depth : most;
	const size_t f = dumped_is(m, "form", "onehot") ? 1 : p->f->d / (b * k);
	const size_t block = j / f, level = block / b;
	long way[256];
	const size_t n = way_to(p->f, t, way, 256);
	if (level >= k || level >= n || way[n - 1 - level] != (long)(block % b))
		return 0;
	if (f == 1 && dumped_is(m, "form", "onehot"))
		return 1;
	const double decay = tanh(leaf_of(p, m, "raw").at[j % f]);
	return pow(decay, (double)level) * sqrt(1 - decay * decay) * sqrt((double)p->f->d / 2);
}

/* Computes h_t of a GRU over the units (PyTorch's gates r, z, n). */
static void gru_states(P, struct mat out)
{
	const struct mat w = leaf_of(p, m, "weight_ih"), u = leaf_of(p, m, "weight_hh");
	const struct mat b = leaf_of(p, m, "bias_ih"), c = leaf_of(p, m, "bias_hh");
	const struct mat x = dumped_get(p->f, "units");
	const size_t d = p->f->d;
	double h[WIDEST_HEAD] = {0}, next[WIDEST_HEAD];
	for (size_t t = 0; t < out.rows; t++) {
		for (size_t j = 0; j < d; j++) {
			double in[3], of[3];
			for (size_t g = 0; g < 3; g++) {
				in[g] = loop_dot(mat_row(x, t), mat_row(w, g * d + j), d) +
					b.at[g * d + j];
				of[g] = loop_dot(h, mat_row(u, g * d + j), d) + c.at[g * d + j];
			}
			const double r = sigmoid(in[0] + of[0]), z = sigmoid(in[1] + of[1]);
			next[j] = (1 - z) * tanh(in[2] + r * of[2]) + z * h[j];
		}
		for (size_t j = 0; j < d; j++)
			mat_row(out, t)[j] = h[j] = next[j];
	}
}

static double gru(P, size_t t, size_t j)
{
	const struct mat all = loop_zero(p->f->a, p->f->n, p->f->d);
	gru_states(p, m, all);
	return mat_row(all, t)[j];
}

/* Applies maps with max(0, x) between them, "phi.0.0", "phi.0.1" or "rho.0", "rho.1", ..., until
 * one is missing. */
static struct mat maps(P, const char *of, struct mat x)
{
	for (int i = 0;; i++) {
		const struct mat w = dumped_find(p->f, "param.%s.%s.%d.weight", m->name, of, i);
		if (!w.at)
			return x;
		x = i > 0 ? loop_copy(p->f->a, x) : x;
		for (size_t k = 0; i > 0 && k < x.rows * x.cols; k++)
			x.at[k] = fmax(0, x.at[k]);
		x = loop_mul(p->f->a, x, w);
		loop_add(x, dumped_get(p->f, "param.%s.%s.%d.bias", m->name, of, i));
	}
}

/* Returns φ of one eigenvector, column `column` of v times `sign`: a row for each node. */
static struct mat network(P, size_t column, double sign)
{
	const struct mat v = kept_of(p, m, "v");
	struct mat x = loop_zero(p->f->a, v.rows, 1);
	for (size_t i = 0; i < v.rows; i++)
		x.at[i] = sign * mat_row(v, i)[column];
	for (int layer = 0; layer < (int)dumped_number(m, "depth"); layer++) {
		char of[16];
		snprintf(of, sizeof of, "phi.%d", layer);
		if (dumped_is(m, "phi", "gin"))
			x = loop_mul(p->f->a, kept_of(p, m, "sums"), x);
		x = maps(p, m, of, x);
	}
	return x;
}

/* Returns ρ of the φ of all k eigenvectors, each with both signs. */
static struct mat mixed(P, size_t k)
{
	const size_t width = (size_t)dumped_number(m, "out");
	const struct mat all = loop_zero(p->f->a, kept_of(p, m, "v").rows, k * width);
	for (size_t i = 0; i < k; i++) {
		loop_add(loop_cols(all, i * width, width), network(p, m, i, 1));
		loop_add(loop_cols(all, i * width, width), network(p, m, i, -1));
	}
	return maps(p, m, "rho", all);
}

static struct mat magnitudes(const struct place *p, struct mat v)
{
	const struct mat out = loop_copy(p->f->a, v);
	for (size_t i = 0; i < v.rows * v.cols; i++)
		out.at[i] = fabs(out.at[i]);
	return out;
}

static double signnet(P, size_t t, size_t j)
{
	const struct mat v = kept_of(p, m, "v"), weight = leaf_of(p, m, "weight");
	const double node = kept_of(p, m, "node").at[t];
	if (node < 0)
		return 0;
	const struct mat f = dumped_is(m, "phi", "relu") ? magnitudes(p, v) : mixed(p, m, v.cols);
	double sum = leaf_of(p, m, "bias").at[j];
	for (size_t k = 0; k < f.cols; k++)
		sum += mat_row(f, (size_t)node)[k] * mat_row(weight, k)[j];
	return sum;
}

/* Counts the tokens of the segment that stand before t, in the order of the text. */
static double within(P, size_t t, size_t j)
{
	const struct mat table = leaf_of(p, m, "p"), between = dumped_get(p->f, "position.between");
	double before = 0;
	for (size_t s = 0; s < p->f->n; s++)
		before += fabs(between.at[s] - between.at[t]) < 0.5 &&
			  order_of(p, m, s) < order_of(p, m, t);
	return mat_row(table, (size_t)fmin(before, (double)table.rows - 1))[j];
}

static double coupled(P, size_t t, size_t j)
{
	return mat_row(leaf_of(p, m, "p"), (size_t)dumped_get(p->f, "position.coupled").at[t])[j];
}

/* ---- rules ----------------------------------------------------------------------------------- */

static const struct part_rule {
	const char *scheme, *tensor, *param, *value;
	bool recurring; /* in every step of the member, not only in the first */
	double (*at)(const struct place *p, const struct dumped_member *m, size_t t, size_t j);
} rules[] = {
	{"sinusoidal", "part.position", NULL, NULL, false, sinusoidal},
	{"rand_pe", "part.position", "sinusoids", "true", false, drawn},
	{"cape", "part.position", NULL, NULL, false, augmented},
	{"learned", "part.position", NULL, NULL, false, learned},
	{"bipe", "part.position", NULL, NULL, false, within},
	{"coupling", "part.position", "table", "true", false, coupled},
	{"sinusoidal_2d", "part.position", NULL, NULL, false, sinusoid_of_cell},
	{"learned_2d", "part.position", NULL, NULL, false, row_of_cell},
	{"cpe", "part.position", NULL, NULL, false, convolved_cell},
	{"ut", "part.position", NULL, NULL, true, universal},
	{"shortformer", "input_q", NULL, NULL, true, infused},
	{"shortformer", "input_k", NULL, NULL, true, infused},
	{"diet_abslin", "input_k", NULL, NULL, true, fewer_keys},
	{"diet_abslin", "input_v", NULL, NULL, true, fewer_values},
	{"resdrop", "input_q", "query", "plain", false, dropped_query},
	{"resdrop", "input_q", "query", "reversed", false, dropped_query},
	{"resdrop", "input_q", "query", "short", false, dropped_query},
	{"tpe", "part.position", NULL, NULL, false, tree_way},
	{"signnet", "part.position", NULL, NULL, false, signnet},
	{"gru", "part.gru", "bidirectional", "false", false, gru},
};

/* Compares a part; if several have this name, mine must equal one of them. */
static void expect_part(const struct place *p, const struct part_rule *r, struct mat mine)
{
	struct mat file = dumped_get(p->f, "layer.%zu.%s", p->step, r->tensor);
	for (int i = 2; file.at && !(loop_apart(mine, file) <= 1e-9); i++) {
		const struct mat next = dumped_find(p->f, "layer.%zu.%s#%d", p->step, r->tensor, i);
		if (!next.at)
			break;
		file = next;
	}
	expect_near(p, mine, file, r->tensor);
}

/* Computes a part; with concat it is made as for a model of the width of its own columns, which are
 * the last ones. */
static struct mat part(const struct place *p, const struct part_rule *r,
		       const struct dumped_member *m, struct mat file)
{
	const struct mat out = loop_zero(p->f->a, file.rows, file.cols);
	struct dumped narrow = *p->f;
	struct place own = *p;
	if (p->f->beside > 0 && strncmp(r->tensor, "part.", 5) == 0)
		narrow.d = p->f->beside;
	own.f = &narrow;
	for (size_t t = 0; t < out.rows; t++)
		for (size_t j = 0; j < narrow.d; j++)
			mat_row(out, t)[p->f->d - narrow.d + j] = r->at(&own, m, t, j);
	return out;
}

void recompute_parts(const struct place *p)
{
	for (size_t i = 0; i < p->f->n_members; i++)
		for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
			const struct dumped_member *m = &p->f->members[i];
			const struct part_rule *r = &rules[k];
			if (strcmp(m->scheme, r->scheme) != 0 ||
			    !dumped_acts(m, "layers", p->layer) || (p->step > 0 && !r->recurring) ||
			    (r->param && !dumped_is(m, r->param, r->value)))
				continue;
			const struct mat file =
				dumped_get(p->f, "layer.%zu.%s", p->step, r->tensor);
			expect_part(p, r, part(p, r, m, file));
		}
}
