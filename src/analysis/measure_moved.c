/* measure_moved.c: changes of the first layer's scores when positions are shifted, and when
 * tokens are inserted in front: shift moves a position column, insertion the tokens. The two
 * differ and have different names. */
#include <math.h>
#include <string.h>

#include "measure_in.h"

struct change {
	double off, norm;
};

static double change_of(struct change c)
{
	return c.norm > 0 ? sqrt(c.off / c.norm) : 0;
}

/* Adds the difference between the blocks of two matrices, the second one starting at (skip,
 * skip). */
static void add_change(struct change *c, struct mat x, struct mat y, size_t skip)
{
	for (size_t t = 0; t < x.rows; t++) {
		for (size_t s = 0; s < x.cols; s++) {
			const double u = mat_row(x, t)[s], v = mat_row(y, t + skip)[s + skip];
			c->off += (u - v) * (u - v);
			c->norm += u * u;
		}
	}
}

/* Returns the position column that the members of the expression read. */
static const char *shifted_column(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (strcmp(b->members[i].pos, "seq") != 0)
			return b->members[i].pos;
	return "seq";
}

/* Returns the scores in which a shift is measured: the logits, or the weights if heads have no
 * logits. */
static unsigned scores_of(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].hooks->no_logits)
			return WANT_WEIGHTS;
	return WANT_LOGITS;
}

static struct mat scores(const struct trace *trace, unsigned kind, size_t head)
{
	const struct trace_head *at = &trace->layers[0].heads[head];
	return kind == WANT_LOGITS ? at->logits : at->weights;
}

/* The differences between the first layer's scores of two inputs, over all heads. The second
 * input's block starts at (skip, skip). */
struct comparison {
	struct change change;
	bool constant;	      /* the first input's scores are the same everywhere */
	enum absence refused; /* the reason if nothing can be compared */
};

static bool is_constant(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return hi - lo <= 1e-9 * fmax(1, fmax(fabs(lo), fabs(hi)));
}

/* Returns the reason why an input with larger positions, or a longer one, was refused. */
static enum absence refusal_reason(const struct built *b, const struct model_input *in)
{
	const double last = (double)in->axis.n - 1 + in->shift_by;
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].units > 0)
			return ABSENT_BEYOND_FILE;
	return last >= (double)b->model.config.t_max ? ABSENT_BEYOND_T_MAX : ABSENT_REFUSED;
}

static bool evaluate_both(const struct measuring *m, const struct built *b,
			  const struct model_input *in, const struct model_input *other,
			  size_t skip, struct trace *x, struct trace *y, struct comparison *out)
{
	const struct want want = {.kinds = scores_of(b), .layer = 0, .head = -1};
	if (!built_run(b, in, &want, m->cache, m->watch, m->a, x, NULL))
		out->refused = ABSENT_NOT_COMPUTED;
	else if (skip > 0 && x->query.n + x->memory != in->axis.n)
		out->refused = ABSENT_INSERTED;
	else if (!built_run(b, other, &want, m->cache, m->watch, m->a, y, NULL))
		out->refused = refusal_reason(b, other);
	else if (skip > 0 && (x->key.n != x->query.n || y->key.n != x->key.n + skip))
		out->refused = ABSENT_OTHER_KEYS;
	else
		return true;
	return false;
}

static struct measure compare(const struct measuring *m, const struct built *b,
			      const struct model_input *in, const struct model_input *other,
			      size_t skip, struct comparison *out)
{
	struct trace x, y;
	*out = (struct comparison){.constant = true};
	if (!evaluate_both(m, b, in, other, skip, &x, &y, out))
		return measure_absent(out->refused);
	for (size_t h = 0; h < b->model.config.heads; h++) {
		const struct mat before = scores(&x, scores_of(b), h);
		out->constant &= is_constant(before);
		add_change(&out->change, before, scores(&y, scores_of(b), h), skip);
	}
	return measure_of(change_of(out->change));
}

/* Returns the ground with random projections. */
static const struct ground *projected_at_random(const struct measuring *m)
{
	struct setup random = m->on->setup;
	struct built *const whole = arena_calloc(m->a, 1, sizeof *whole);
	struct ground *const out = arena_calloc(m->a, 1, sizeof *out);
	if (random.proj == PROJ_RANDOM)
		return m->on;
	random.proj = PROJ_RANDOM;
	random.memory_tokens = m->whole->memory_tokens;
	if (!setup_build(&random, m->a, whole, NULL))
		return NULL;
	ground_of(&random, whole, m->a, out);
	return out;
}

/* Random projections of more numbers than MOST_DRAWN take longer to draw than a picture may take; they
 * are not drawn where a file gives them. */
static bool draws_too_much(const struct built *b)
{
	enum { MOST_DRAWN = 1 << 24 };
	const struct model *const m = &b->model;
	const double columns = (double)m->qk_width + (double)(m->kv_heads * (m->dk + m->dv));
	return m->config.proj != PROJ_RANDOM && !model_weight_is_given(m, "w_q") &&
	       (double)m->config.d * columns > MOST_DRAWN;
}

/* If the model refuses the larger positions the other direction is not tried: the error is the
 * result. */
struct measure measure_shifted(struct measuring *m, double by, bool probed, bool *constant)
{
	const struct arena_mark mark = arena_mark(m->a);
	if (!probed && draws_too_much(&m->on->built))
		return measure_absent(ABSENT_DRAWN);
	const struct ground *const on = probed ? m->on : projected_at_random(m);
	struct measure out = measure_absent(ABSENT_NOT_BUILT);
	struct comparison comparison = {.constant = false};
	if (on) {
		struct model_input in = on->built.model_input;
		if (probed) {
			in.units = mat_new(m->a, in.axis.n, on->built.model.config.d);
			mat_fill(in.units, 1);
		}
		struct model_input moved = in;
		moved.shift_column = shifted_column(&on->built);
		moved.shift_by = by;
		out = compare(m, &on->built, &in, &moved, 0, &comparison);
	}
	if (constant)
		*constant = comparison.constant;
	arena_rewind(m->a, mark);
	return out;
}

static void insert_front(const struct input *in, size_t k, struct arena *a, struct input *out)
{
	*out = *in;
	out->n += k;
	out->moving += k;
	out->tokens = arena_calloc(a, out->n, sizeof *out->tokens);
	for (size_t i = 0; i < out->n; i++) {
		const bool fresh = i < k;
		out->tokens[i] =
			fresh ? (struct token){.text = "…", .len = strlen("…"), .label = "…"}
			      : in->tokens[i - k];
		out->tokens[i].place = fresh ? in->moving + i : out->tokens[i].place;
		out->tokens[i].word += fresh ? 0 : k;
	}
}

/* Returns whether data is given for each token, so that inserted tokens would lack it. */
static bool has_no_place_for_more(const struct ground *on, enum absence *why)
{
	const struct {
		bool given;
		enum absence why;
	} rows[] = {
		{on->built.given_units.at != NULL, ABSENT_UNITS},
		{on->built.structure != NULL, ABSENT_NODE},
		{on->built.reorder != NULL, ABSENT_REORDERING},
		{on->built.position_ids != NULL, ABSENT_IDS},
		{on->built.pictures, ABSENT_PICTURES},
		{strcmp(on->setup.segments, "none") != 0, ABSENT_SEGMENTS},
		{on->setup.memory_tokens > 0, ABSENT_MEMORY},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		*why = rows[i].why;
		if (rows[i].given)
			return true;
	}
	return false;
}

struct measure measure_inserted(struct measuring *m)
{
	const struct arena_mark mark = arena_mark(m->a);
	const struct built *const b = &m->on->built;
	enum absence why;
	struct input longer;
	struct comparison comparison;
	struct model_input in;
	if (has_no_place_for_more(m->on, &why))
		return measure_absent(why);
	insert_front(&b->input, MEASURE_INSERT, m->a, &longer);
	built_input(&m->on->setup, b, &longer, m->a, &in);
	const struct measure out = compare(m, b, &b->model_input, &in, MEASURE_INSERT, &comparison);
	arena_rewind(m->a, mark);
	return out;
}
