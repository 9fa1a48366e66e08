/* help_recipes_vectors.c: the schemes that have a vector for each pair, which queries, keys and
 * weights multiply. */
#include "help_recipes.h"

/* ---- vectors for distances ------------------------------------------------------------------- */

static double shaw_row(P, size_t t, size_t s)
{
	const double r = dumped_number(m, "clip") > 0 ? dumped_number(m, "clip") : p->f->t_max - 1;
	const double by = distance(p, m, t, s);
	return clip(dumped_is(m, "sign", "ts") ? -by : by, r) + r;
}

static void shaw_vector(P, const char *leaf, size_t t, size_t s, size_t width, double *out)
{
	const struct mat table = leaf_of(p, m, leaf);
	const double row = shaw_row(p, m, t, s), r = dumped_number(m, "clip");
	const size_t d = p->f->d > width ? p->f->d : width;
	for (size_t j = 0; j < width; j++)
		out[j] = table.at ? mat_row(table, (size_t)row)[j]
				  : wave(row - (r > 0 ? r : p->f->t_max - 1), j, d, false, false,
					 10000);
}

static double shaw_key(P, size_t t, size_t s)
{
	double w[WIDEST_HEAD];
	shaw_vector(p, m, "w_key", t, s, p->f->dk, w);
	return dot_q(p, t, w);
}

static double shaw_value(P, size_t t, size_t j)
{
	double w[WIDEST_HEAD], sum = 0;
	for (size_t s = 0; s < p->f->keys; s++) {
		shaw_vector(p, m, "w_value", t, s, p->f->dv, w);
		sum += mat_row(p->weights, t)[s] * w[j];
	}
	return sum;
}

static const double *edge(P, const char *leaf, size_t t, size_t s)
{
	const double length = dumped_number(m, "length");
	const double row = position_of(p, m, t) * (length > 0 ? length : p->f->t_max);
	return mat_row(leaf_of(p, m, leaf), (size_t)(row + position_of(p, m, s)));
}

static double edge_key(P, size_t t, size_t s)
{
	return dot_q(p, t, edge(p, m, "a_key", t, s));
}

static double edge_value(P, size_t t, size_t j)
{
	double sum = 0;
	for (size_t s = 0; s < p->f->n; s++)
		sum += mat_row(p->weights, t)[s] * edge(p, m, "a_value", t, s)[j];
	return sum;
}

static const double *huang_row(P, size_t t, size_t s, size_t width)
{
	const double by = distance(p, m, t, s);
	const bool ts = strcmp(m->scheme, "huang4") == 0 && dumped_is(m, "sign", "ts");
	const double row =
		strcmp(m->scheme, "huang1") == 0 ? fabs(by) : p->f->t_max - 1 + (ts ? -by : by);
	return row_of(p, leaf_of(p, m, "r"), row, width);
}

static double huang_times(P, size_t t, size_t s)
{
	return mat_row(p->logits, t)[s] * *huang_row(p, m, t, s, 1);
}

static double huang_components(P, size_t t, size_t s)
{
	const double *r = huang_row(p, m, t, s, p->f->dk);
	double sum = 0;
	for (size_t j = 0; j < p->f->dk; j++)
		sum += mat_row(p->q_raw, t)[j] * mat_row(p->k_raw, s)[j] * (r[j] - 1);
	return mat_row(p->logits, t)[s] + p->f->c * sum;
}

static double huang_query(P, size_t t, size_t s)
{
	return dot_q(p, t, huang_row(p, m, t, s, p->f->dk));
}

static double huang_key(P, size_t t, size_t s)
{
	return dot_k(p, s, huang_row(p, m, t, s, p->f->dk));
}

/* Computes this head's columns of R V_k, where R has the sines and cosines of the distance. */
static void txl_vector(P, size_t t, size_t s, double *out)
{
	const struct mat w = leaf_of(p, m, "w_r");
	const bool st = strcmp(m->scheme, "xlnet") == 0 && is_on(m, "bi_data");
	const double most = dumped_number(m, "clamp"), by = distance(p, m, t, s);
	const double at = clip(st ? by : -by, most > 0 ? most : INFINITY);
	for (size_t j = 0; j < p->f->dk; j++) {
		out[j] = 0;
		for (size_t i = 0; i < p->f->d; i++)
			out[j] += wave(at, i, p->f->d, true, false, 10000) *
				  mat_row(w, i)[p->head * p->f->dk + j];
	}
}

static double txl_query(P, size_t t, size_t s)
{
	double r[WIDEST_HEAD];
	txl_vector(p, m, t, s, r);
	return dot_q(p, t, r);
}

static double txl_bias(P, size_t t, size_t s)
{
	(void)t;
	return dot_k(p, s, mat_row(leaf_of(p, m, "r_w_bias"), p->head));
}

static double txl_place(P, size_t t, size_t s)
{
	double r[WIDEST_HEAD];
	txl_vector(p, m, t, s, r);
	return p->f->c * loop_dot(mat_row(leaf_of(p, m, "r_r_bias"), p->head), r, p->f->dk);
}

static double txl_segment(P, size_t t, size_t s)
{
	const struct mat segment = dumped_get(p->f, "position.segment");
	const bool other = fabs(segment.at[t] - segment.at[s]) > 0.5;
	const double *g = mat_row(leaf_of(p, m, "seg_embed"), other) + p->head * p->f->dk;
	const double *r = mat_row(leaf_of(p, m, "r_s_bias"), p->head);
	return dot_q(p, t, g) + p->f->c * loop_dot(r, g, p->f->dk);
}

static const double *tener_vector(P, const char *index, size_t t, size_t s)
{
	return mat_row(kept_of(p, m, "R"), (size_t)mat_row(index_of(p, m, index), t)[s]);
}

static double tener_query(P, size_t t, size_t s)
{
	return dot_q(p, t, tener_vector(p, m, is_on(m, "code") ? "s − t" : "t − s", t, s));
}

static double tener_bias(P, size_t t, size_t s)
{
	(void)t;
	return dot_k(p, s, mat_row(leaf_of(p, m, "u"), p->head));
}

static double tener_place(P, size_t t, size_t s)
{
	const double *r = tener_vector(p, m, is_on(m, "code") ? "s − t" : "t − s", t, s);
	return p->f->c * loop_dot(mat_row(leaf_of(p, m, "v"), p->head), r, p->f->dk);
}

static double tener_key(P, size_t t, size_t s)
{
	return dot_k(p, s, tener_vector(p, m, "t − s", t, s));
}

static double composite_fixed(P, size_t t, size_t s)
{
	const double r = dumped_number(m, "clip");
	return mat_row(leaf_of(p, m, "beta"), p->head)[(size_t)(clip(distance(p, m, t, s), r) + r)];
}

/* Returns the product by columns; w is [dk, 2r + 1]. */
static double composite_column(P, const char *leaf, const double *x, double by)
{
	const struct mat w = leaf_of(p, m, leaf);
	const double r = dumped_number(m, "clip");
	double sum = 0;
	for (size_t j = 0; j < w.rows; j++)
		sum += x[j] * mat_row(w, j)[(size_t)(clip(by, r) + r)];
	return p->f->c * sum;
}

static double composite_query(P, size_t t, size_t s)
{
	return composite_column(p, m, "w_query", mat_row(p->q_raw, t), distance(p, m, t, s));
}

static double composite_key(P, size_t t, size_t s)
{
	return composite_column(p, m, "w_key", mat_row(p->k_raw, s), -distance(p, m, t, s));
}

static double composite_value(P, size_t t, size_t j)
{
	const double r = dumped_number(m, "clip");
	const size_t column = p->head * p->f->dv + j;
	if (dumped_is(m, "convolution", "off"))
		return 0;
	double sum = leaf_of(p, m, "conv_bias").at[column];
	for (size_t s = 0; s < p->f->n; s++) {
		const double by = distance(p, m, t, s);
		if (fabs(by) <= r)
			sum += mat_row(leaf_of(p, m, "conv_weight"), (size_t)(by + r))[column] *
			       mat_row(p->v, s)[j];
	}
	return dumped_is(m, "convolution", "scaled") ? sum * leaf_of(p, m, "conv_scale").at[p->head]
						     : sum;
}

/* ---- trees and graphs ------------------------------------------------------------------------ */

static const double *spr_vector(P, const char *fused, const char *leaf, const char *index, size_t t,
				size_t s)
{
	const bool both = dumped_is(m, "fuse", "tanh");
	static const double none[WIDEST_HEAD];
	const double row = mat_row(index_of(p, m, both ? "fused" : index), t)[s];
	return row < 0 ? none
		       : mat_row(both ? kept_of(p, m, fused) : leaf_of(p, m, leaf), (size_t)row);
}

/* Returns whether the scheme acts: in the first of its layers only, unless recurring. */
static bool spr_acts(P)
{
	return is_on(m, "recurring") || p->step == 0;
}

static void spr_terms(MAKE)
{
	const bool fuse = dumped_is(m, "fuse", "tanh"), sum = dumped_is(m, "fuse", "sum");
	struct mat tree = loop_zero(p->f->a, p->f->n, p->f->n);
	struct mat order = loop_zero(p->f->a, p->f->n, p->f->n);
	if (!spr_acts(p, m))
		return;
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t s = 0; s < p->f->n; s++) {
			mat_row(tree, t)[s] =
				dot_q(p, t, spr_vector(p, m, "key", "a_key", "relation", t, s));
			if (sum)
				mat_row(order, t)[s] = dot_q(
					p, t, spr_vector(p, m, "key", "w_key", "distance", t, s));
		}
	recompute_take(p, fuse ? "query–tanh(a_key, w_key)" : "query–a_key", tree);
	if (sum)
		recompute_take(p, "query–w_key", order);
}

static double spr_value(P, size_t t, size_t j)
{
	double sum = 0;
	for (size_t s = 0; spr_acts(p, m) && s < p->f->n; s++) {
		double v = spr_vector(p, m, "value", "a_value", "relation", t, s)[j];
		if (dumped_is(m, "fuse", "sum"))
			v += spr_vector(p, m, "value", "w_value", "distance", t, s)[j];
		sum += mat_row(p->weights, t)[s] * v;
	}
	return sum;
}

/* Returns column j of r W + b for the path of a pair. */
static double path_vector(P, const char *w, const char *b, size_t t, size_t s, size_t j)
{
	const struct mat map = leaf_of(p, m, w), bias = leaf_of(p, m, b);
	const size_t width = strcmp(w, "w_f") == 0 ? p->f->dv : p->f->dk;
	const size_t column = map.cols > width ? p->head * width + j : j;
	const double *r =
		mat_row(kept_of(p, m, "r"), (size_t)mat_row(index_of(p, m, "path"), t)[s]);
	double sum = bias.at ? bias.at[column] : 0;
	for (size_t i = 0; i < map.rows; i++)
		sum += r[i] * mat_row(map, i)[column];
	return sum;
}

static double path_key(P, size_t t, size_t s)
{
	double sum = 0;
	for (size_t j = 0; j < p->f->dk; j++)
		sum += mat_row(p->q_raw, t)[j] * path_vector(p, m, "w_r", "b_r", t, s, j);
	return p->f->c * sum;
}

static double path_value(P, size_t t, size_t j)
{
	double sum = 0;
	for (size_t s = 0; s < p->f->n; s++)
		sum += mat_row(p->weights, t)[s] * path_vector(p, m, "w_f", "b_f", t, s, j);
	return sum;
}

/* Computes this head's columns of r W, for the first or the last half of the columns of W. */
static void relation_vector(P, bool last, size_t t, size_t s, double *out)
{
	struct mat w = leaf_of(p, m, "w_rel");
	w = w.at ? columns_of_head(p, loop_cols(w, last ? w.cols / 2 : 0, w.cols / 2))
		 : weight_of_head(p, last ? "w_k" : "w_q");
	const double *r =
		mat_row(kept_of(p, m, "r"), (size_t)mat_row(index_of(p, m, "relation"), t)[s]);
	for (size_t j = 0; j < p->f->dk; j++) {
		out[j] = 0;
		for (size_t i = 0; i < w.rows; i++)
			out[j] += r[i] * mat_row(w, i)[j];
	}
}

static double relation_query(P, size_t t, size_t s)
{
	double r[WIDEST_HEAD];
	relation_vector(p, m, true, t, s, r);
	return dot_q(p, t, r);
}

static double relation_key(P, size_t t, size_t s)
{
	double r[WIDEST_HEAD];
	relation_vector(p, m, false, t, s, r);
	return dot_k(p, s, r);
}

static double relation_own(P, size_t t, size_t s)
{
	double a[WIDEST_HEAD], b[WIDEST_HEAD];
	relation_vector(p, m, false, t, s, a);
	relation_vector(p, m, true, t, s, b);
	return p->f->c * loop_dot(a, b, p->f->dk);
}

/* ---- rules ----------------------------------------------------------------------------------- */

const struct rule recompute_vectors[] = {
	TERM("shaw", "query–w_key", shaw_key),
	PAIRS_IF("shaw", ON_CONTEXT, NULL, "values", "true", shaw_value),
	TERM("shaw_abs", "query–a_key", edge_key),
	PAIRS_IF("shaw_abs", ON_CONTEXT, NULL, "values", "true", edge_value),
	PAIRS("huang1", ON_ADJUST, NULL, huang_times),
	PAIRS("huang2", ON_ADJUST, NULL, huang_times),
	PAIRS("huang3", ON_ADJUST, NULL, huang_components),
	TERM("huang4", "query–r", huang_query),
	TERM("huang4", "r–key", huang_key),
	TERM("txl", "query–R", txl_query),
	TERM("txl", "b–key", txl_bias),
	TERM("txl", "e–R", txl_place),
	TERM("xlnet", "query–R", txl_query),
	TERM("xlnet", "b–key", txl_bias),
	TERM("xlnet", "e–R", txl_place),
	TERM_IF("xlnet", "segment", "segments", "true", txl_segment),
	TERM("tener", "query–R", tener_query),
	TERM("tener", "u–key", tener_bias),
	TERM("tener", "v–R", tener_place),
	TERM_IF("tener", "R–key", "code", "true", tener_key),
	TERM_IF("composite", "β", "fixed", "true", composite_fixed),
	TERM_IF("composite", "query–w", "convq", "true", composite_query),
	TERM_IF("composite", "w'–key", "convk", "true", composite_key),
	{"composite", ON_CONTENT, NULL, "dot", "false", nothing, NULL},
	PAIRS("composite", ON_CONTEXT, NULL, composite_value),
	{"spr_rel", ON_TERMS, NULL, NULL, NULL, NULL, spr_terms},
	PAIRS_IF("spr_rel", ON_CONTEXT, NULL, "values", "true", spr_value),
	TERM("struct_tr", "query–path", path_key),
	PAIRS("struct_tr", ON_CONTEXT, NULL, path_value),
	TERM("graph_tr", "query–relation", relation_query),
	TERM("graph_tr", "relation–key", relation_key),
	TERM("graph_tr", "relation–relation", relation_own),
	{0},
};
