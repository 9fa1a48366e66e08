/* tupe_r.c: TUPE-R, untied absolute positions and a number for each distance (Ke, He, Liu 2021).
 *
 *   A_ts = c q_t·k_s + reset(c (p_t V_q)·(p_s V_k) + b_{s-t}),  c = 1/√(2 d_k) */
#include "scheme/tupe.h"

#include <math.h>

struct tupe_r {
	struct tupe tupe;
	long buckets, max_distance; /* buckets 0: a number for each distance */
};

static const struct param tupe_r_params[] = {
	TUPE_PARAMS,
	NUMBER_PARAM(struct tupe_r, buckets, 0, 0, 1024, 2,
		     "T5's buckets of distances, 32 as released; 0: a number for each distance"),
	RATIO_PARAM(struct tupe_r, max_distance, 128, 2, 65536, 2,
		    "with buckets: distances from here on share the last one"),
	{0},
};

static struct bucket_rule rule_of(const struct tupe_r *p)
{
	return (struct bucket_rule){p->buckets, p->max_distance, true};
}

/* Returns the number of rows without those of [CLS]. In the survey b has 2 t_max numbers, the
 * first of which is never read. */
static long relative_rows(const struct model *model, const struct tupe_r *p)
{
	return p->buckets > 0 ? p->buckets : 2 * (long)model->config.t_max;
}

static bool tupe_r_check(const void *param, struct err *err)
{
	const struct tupe_r *p = param;
	const struct bucket_rule rule = rule_of(p);
	if (p->buckets == 0)
		return true;
	if (p->buckets < 4 || p->buckets % 2 != 0)
		return err_set(err, "buckets: %ld; an even number of at least 4, or 0 for none",
			       p->buckets);
	return bucket_check(&rule, err);
}

/* Without buckets b's numbers are for t - s from -t_max, which is never read. */
static struct encoding encoding_of(const struct tupe_r *p, long t_max)
{
	struct encoding e = encoding_signed(true, t_max - 1);
	e.least = -t_max;
	return p->buckets > 0 ? encoding_buckets(rule_of(p)) : e;
}

static long relative_row(const struct tupe_r *p, long t_max, long delta)
{
	const struct encoding e = encoding_of(p, t_max);
	return e.number(&e, delta) - e.least;
}

/* -log(1 + |s-t|) / 2, for the least distance in a bucket; 0 for [CLS]. */
static void make_decay(struct mat at, const struct leaf_maker *of)
{
	const struct tupe_r *p = of->m->param;
	const long t_max = (long)of->model->config.t_max;
	const long reach = p->buckets > 0 ? p->max_distance : t_max - 1;
	mat_fill(at, 0);
	for (long distance = reach; distance >= 0; distance--) {
		const double by = -log1p((double)distance) / 2;
		mat_fill(mat_rows(at, (size_t)relative_row(p, t_max, distance), 1), by);
		mat_fill(mat_rows(at, (size_t)relative_row(p, t_max, -distance), 1), by);
	}
}

static const struct leaf_row tupe_r_leaves[] = {
	{"rel_bias", NULL,
	 "row of a bucket or distance of s − t: added to the logits, a column for each head"},
	TUPE_LEAVES,
	{0},
};

/* ---- TUPE-R's numbers of distances ---- */

struct relative {
	bool reset;
	const double *position;
	struct encoding of;
	long cls_column, cls_row; /* rows of b if [CLS] is the key, the query */
};

static long row_of_pair(const void *context, size_t t, size_t s)
{
	const struct relative *r = context;
	if (r->reset && fabs(r->position[t]) < 0.5)
		return r->cls_row;
	if (r->reset && fabs(r->position[s]) < 0.5)
		return r->cls_column;
	return r->of.number(&r->of, lround(r->position[s] - r->position[t])) - r->of.least;
}

static const struct index *relative_index(struct run *run, const struct member *m,
					  const struct encoding *e, struct err *err)
{
	const struct tupe_r *p = m->param;
	const long rows = relative_rows(run->model, p);
	const bool with_cls = e->most >= rows;
	struct relative r = {.reset = p->tupe.reset,
			     .position = run_column(run, m, err),
			     .of = encoding_of(p, (long)run->model->config.t_max),
			     .cls_column = with_cls ? rows : -1,
			     .cls_row = with_cls ? p->buckets / 2 : -1};
	if (!r.position || !run_rows(run, m, run->model->config.t_max, err))
		return NULL;
	return run_index_places(run, m, e->title, encoding_rows(e), row_of_pair, &r, err);
}

static const char *tupe_r_says(const struct relation *r, int32_t value,
			       const struct relation_cell *at, struct arena *a)
{
	return value == RELATION_NO_PATH ? "[CLS], position 0: θ1 in its row, θ2 in its column"
					 : encoding_says(r, value, at, a);
}

/* The token [CLS] has, as in the authors' code, an additional number as the key, and as the
 * query the one that no distance reads. The relation that is shown leaves [CLS] out. */
static struct encoding relative(const struct model *model, const struct tupe_r *p, bool with_cls)
{
	return (struct encoding){.title = with_cls ? "relative, [CLS]" : "relative",
				 .most = relative_rows(model, p) - 1 + with_cls,
				 .index = relative_index};
}

static bool tupe_r_relation(struct run *run, const struct member *m, struct relation *out,
			    struct err *err)
{
	const struct encoding rows = relative(run->model, m->param, false);
	const struct encoding e = encoding_of(m->param, (long)run->model->config.t_max);
	if (!encoding_relation_of(run, m, &e, encoding_index(run, m, &rows, err), out, err))
		return false;
	out->says = tupe_r_says;
	return true;
}

static size_t tupe_r_injects(const struct model *model, const struct member *m, struct inject *out)
{
	*out = (struct inject){.at = INJECT_ADD,
			       .by = relative(model, m->param, tupe_has_rows(m->param)),
			       .leaf = "rel_bias",
			       .label = "relative",
			       .share = SHARE_LAYER,
			       .demo = {.make = make_decay},
			       .paper = {.fill = FILL_NORMAL, .value = 0.02}};
	return 1;
}

static const struct claim tupe_r_claims[] = {
	TUPE_RESET_CLAIM,
	{CLAIM_RECURRING, ANSWER_YES,
	 "printed for where it is computed: once; the released code adds it in every layer"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with one b and without θ; here every head has its own b, θ1 and θ2"},
	{0},
};

const struct scheme scheme_tupe_r[] = {
	{
		.id = "tupe_r",
		.aliases = "tupe-r tupe",
		.title = "TUPE-R: untied absolute and relative positions",
		.formula = "A_ts = (q_t·k_s + p_t V_q · p_s V_k) / √(2 d_h) + b_{t−s},  θ_1 and "
			   "θ_2 for [CLS]",
		TUPE,
		.recipe = TUPE_RECIPE(
			"tupe_r") "; term.relative[t,s] = param.tupe_r.rel_bias[row, H], row = "
				  "member.tupe_r.index.relative, 0 for row -1",
		.about = "TUPE-A and a learned number for each distance: the two complement each "
			 "other. In [CLS]'s row and column both give way to θ1 and θ2.",
		.ref = REF_BOTH,
		.leaves = tupe_r_leaves,
		.flags = SCHEME_LEARNABLE,
		.evidence_note = "eq. 13 of the survey, with a b for each head; the authors' code, "
				 "guolinke/TUPE 4c64ff7, is theta=rows,ln_p=on,bias=on,buckets=32",
		.demo_note = TUPE_DEMO_NOTE "; b = −log(1 + |s−t|) / 2",
		.count_printed = "2 d^2 + t_max (d + 2)",
		.claims = tupe_r_claims,
		.params = tupe_r_params,
		.param_size = sizeof(struct tupe_r),
		.check = tupe_r_check,
		.hooks = {.injects = tupe_r_injects, .relation = tupe_r_relation, TUPE_HOOKS},
	},
	{0},
};
