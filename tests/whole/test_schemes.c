/* test_schemes.c: what must hold for every scheme of the registry and every value of its parameters:
 * numbers are numbers, rows sum to what is declared, counts are true, gradients are right. A new scheme is
 * tested here without a line; test_claims.c looks at what is claimed of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_variants.h"
#include "posviz/model/record.h"
#include "posviz/model/stage.h"

/* ---- numbers ------------------------------------------------------------------------------------ */

static size_t wanted_heads = 2, wanted_t_max;
static enum projection wanted_proj;
static enum init wanted_init;

static void narrow(struct help_run *r)
{
	r->config.d = 8;
	r->config.ff = 12;
	r->config.heads = wanted_heads;
	r->config.proj = wanted_proj;
	r->config.init = wanted_init;
	if (wanted_t_max)
		r->config.t_max = wanted_t_max;
}

static bool open_narrow(struct help_run *r, const char *text, size_t n, size_t heads,
			enum projection proj, enum init init)
{
	wanted_heads = heads;
	wanted_proj = proj;
	wanted_init = init;
	const bool ok = help_run_open(r, text, n, 0, narrow);
	if (!ok && r->err.text[0] == '\0')
		fail_msg("%s, n %zu: refused without a word", text, n);
	return ok;
}

static void check_rows(const struct trace_head *head, enum rows rows, const char *text)
{
	for (size_t t = 0; t < head->weights.rows; t++) {
		double sum = 0;
		bool any = head->mask == NULL;
		for (size_t s = 0; s < head->weights.cols; s++) {
			const double w = mat_row(head->weights, t)[s];
			const bool allowed = !head->mask || head->mask[t * head->weights.cols + s];
			if (!allowed && fabs(w) > 0)
				fail_msg("%s: %g at the masked (%zu, %zu)", text, w, t, s);
			if (rows != ROWS_NEITHER && !(w >= 0))
				fail_msg("%s: weight %g", text, w);
			any |= allowed;
			sum += w;
		}
		if (rows == ROWS_STOCHASTIC && !(fabs(sum - (any ? 1 : 0)) < 1e-12))
			fail_msg("%s: row %zu sums to %.17g", text, t, sum);
		if (rows == ROWS_SUB_STOCHASTIC && !(sum >= 0 && sum <= 1 + 1e-12))
			fail_msg("%s: row %zu sums to %.17g", text, t, sum);
	}
}

static void check_numbers(const struct help_run *r, const struct scheme *s, const char *text)
{
	for (size_t l = 0; l < r->trace.n_layers; l++) {
		if (!help_is_finite(r->trace.layers[l].output))
			fail_msg("%s, n %zu: output of layer %zu", text, r->in.axis.n, l);
		for (size_t h = 0; h < r->config.heads; h++) {
			const struct trace_head *head = &r->trace.layers[l].heads[h];
			if (!head->weights.at || !help_is_finite(head->weights) ||
			    !help_is_finite(head->logits) || !help_is_finite(head->bias))
				fail_msg("%s, n %zu: layer %zu head %zu", text, r->in.axis.n, l, h);
			check_rows(head, s->rows, text);
		}
	}
}

static bool may_refuse(const struct help_run *r, const struct scheme *s, size_t n)
{
	return !(s->flags & SCHEME_UNBOUNDED) && n > r->config.t_max &&
	       strstr(r->err.text, "t-max");
}

static void check_variant(const struct scheme *s, const char *text, size_t n, size_t heads,
			  enum projection proj)
{
	struct help_run r;
	if (open_narrow(&r, text, n, heads, proj, INIT_DEMO))
		check_numbers(&r, s, text);
	else if (!may_refuse(&r, s, n) && !strstr(r.err.text, s->id))
		fail_msg("%s, n %zu, h %zu: %s", text, n, heads, r.err.text);
	help_run_close(&r);
}

TEST_SAMPLED(every_value_gives_numbers, 1, 4)
{
	static const size_t sizes[] = {1, 2, 7, 64};
	struct variants v;
	variants_open(&v, true);
	for (size_t i = 0; i < v.n; i++)
		for (size_t k = (i + test_part) % test_parts; k < 4; k += test_parts)
			for (size_t heads = 1; heads <= 4; heads *= 4)
				check_variant(v.scheme[i], v.text[i], sizes[k], heads, PROJ_RANDOM);
	variants_close(&v);
}

/* One more than t_max under one of the projections: they do not depend on each other. */
TEST(every_projection_and_length_gives_numbers)
{
	for (size_t i = 0; i < scheme_count(); i++)
		for (enum projection proj = 0; proj < PROJ_COUNT; proj++) {
			const struct scheme *s = scheme_at(i);
			check_variant(s, s->id, 1, 2, proj);
			check_variant(s, s->id, 7, 2, proj);
			if (i % PROJ_COUNT == proj)
				check_variant(s, s->id, 513, 2, proj);
		}
}

/* The default runs; only odd values may be refused, by a message that names the scheme. */
TEST(defaults_run_up_to_t_max)
{
	wanted_t_max = 16;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		for (size_t n = 1; n <= 17; n++) {
			struct help_run r;
			const bool ok = open_narrow(&r, s->id, n, 2, PROJ_RANDOM, INIT_PAPER);
			if (ok)
				check_numbers(&r, s, s->id);
			else if (!may_refuse(&r, s, n))
				fail_msg("%s, n %zu: %s", s->id, n, r.err.text);
			help_run_close(&r);
		}
	}
	wanted_t_max = 0;
}

TEST(causal_schemes_do_not_look_ahead)
{
	for (size_t i = 0; i < 2 * scheme_count(); i++) {
		const struct scheme *s = scheme_at(i / 2);
		if (i % 2 == 0 && !(s->flags & SCHEME_CAUSAL))
			continue;
		char text[64];
		snprintf(text, sizeof text, "%s%s", s->id, i % 2 ? "+causal" : "");
		struct help_run r;
		if (!open_narrow(&r, text, 9, 4, PROJ_RANDOM, INIT_DEMO)) {
			/* Keys that stand for several units are neither before nor after a query. */
			assert_non_null(strstr(r.err.text, "needs a key for every query"));
			help_run_close(&r);
			continue;
		}
		for (size_t l = 0; l < r.trace.n_layers; l++)
			for (size_t h = 0; h < 4; h++)
				for (size_t t = 0; t < 9; t++)
					for (size_t k = t + 1; k < 9; k++)
						assert_true(
							mat_row(r.trace.layers[l].heads[h].weights,
								t)[k] <= 0);
		help_run_close(&r);
	}
}

/* ---- counts -------------------------------------------------------------------------------------- */

TEST(what_is_counted_without_numbers_is_what_is_made)
{
	struct variants v;
	variants_open(&v, true);
	for (size_t i = 0; i < v.n; i++) {
		struct help_run r;
		if (open_narrow(&r, v.text[i], 4, 2, PROJ_RANDOM, INIT_DEMO)) {
			struct model_config config = r.config;
			struct model counted;
			config.unfilled = true;
			if (!model_build(&counted, &config, r.model.members, r.model.n_members,
					 NULL, &r.arena, &r.err))
				fail_msg("%s: %s", v.text[i], r.err.text);
			if (model_position_parameters(&counted) !=
			    model_position_parameters(&r.model))
				fail_msg("%s: %zu counted, %zu made", v.text[i],
					 model_position_parameters(&counted),
					 model_position_parameters(&r.model));
		}
		help_run_close(&r);
	}
	variants_close(&v);
}

/* ---- gradients ------------------------------------------------------------------------------------ */

static void check_gradients(const char *text, bool random)
{
	struct help_run r;
	if (open_narrow(&r, text, 5, 2, PROJ_RANDOM, INIT_DEMO)) {
		r.model.config.activation = ACT_GELU; /* no kinks but the scheme's own */
		for (size_t i = 0; random && i < r.model.n_leaves; i++) {
			struct rng rng;
			const struct mat at = model_leaf_at(&r.model, &r.model.leaves[i]);
			const double d = (double)r.config.d, rows = (double)at.rows;
			rng_init_name(&rng, 5, r.model.leaves[i].name);
			/* A tall matrix must not make what it multiplies tall: differences drown. */
			const double tall = fmin(1, sqrt(d / rows));
			/* clex integrates what its leaves give, and takes the exponential: angles of
			 * thousands, of which no difference is left. */
			const bool grows = strncmp(text, "clex", 4) == 0;
			mat_fill_normal(at, grows ? 0.1 * tall : tall, &rng);
		}
		help_model_gradients(&r, text);
	}
	help_run_close(&r);
}

TEST_SAMPLED(gradients_of_all_leaves_are_right, 2, 4)
{
	struct variants v;
	variants_open(&v, true);
	wanted_t_max = 12;
	for (size_t i = test_part; i < v.n; i += test_parts) {
		check_gradients(v.text[i], false);
		check_gradients(v.text[i], true);
	}
	wanted_t_max = 0;
	variants_close(&v);
}

/* A leaf that nobody reads would be learned in vain: each has a gradient somewhere. */
TEST(every_leaf_is_used)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		struct help_run r;
		assert_true(open_narrow(&r, scheme_at(i)->id, 5, 2, PROJ_RANDOM, INIT_DEMO));
		struct tape tape;
		tape_init(&tape, &r.arena, true);
		struct run *run;
		struct node *z = model_record(&r.model, &r.in, &tape, &run, &r.err);
		assert_non_null(z);
		const struct mat seed = mat_new(&r.arena, z->v.rows, z->v.cols);
		struct rng rng;
		rng_init(&rng, 3);
		mat_fill_normal(seed, 1, &rng);
		tape_backward(&tape, z, &seed);
		for (size_t k = 0; k < r.model.n_leaves; k++) {
			const struct node *leaf = run_leaf_node(run, &r.model.leaves[k]);
			const bool has = leaf && leaf->g.at && mat_norm(leaf->g) > 0;
			if (has == r.model.leaves[k].frozen)
				fail_msg("%s has %s gradient", r.model.leaves[k].name,
					 has ? "a" : "no");
		}
		help_run_close(&r);
	}
}

/* ---- positions ------------------------------------------------------------------------------------- */

static const char *column;
static double shift;

static void moved(struct help_run *r)
{
	narrow(r);
	r->in.shift_column = column;
	r->in.shift_by = shift;
}

/* The output with leaves drawn at random: rules of the demonstration may be symmetric. The column word
 * is in an order that keeps no distances, so that those without direction change too. */
static struct mat random_output(struct help_run *r, const char *text)
{
	static const double places[] = {0, 3, 1, 5, 2, 4};
	struct trace trace;
	if (!open_narrow(r, text, 6, 2, PROJ_RANDOM, INIT_DEMO))
		fail_msg("%s: %s", text, r->err.text);
	for (size_t i = 0; i < r->model.n_leaves; i++) {
		struct rng rng;
		rng_init_name(&rng, 5, r->model.leaves[i].name);
		mat_fill_normal(model_leaf_at(&r->model, &r->model.leaves[i]), 1, &rng);
	}
	r->in.word = places;
	assert_true(model_run(&r->model, &r->in, &r->want, NULL, NULL, &r->arena, &trace, &r->err));
	assert_true(help_is_finite(trace.layers[1].output));
	return trace.layers[1].output;
}

/* Returns a scheme with parameters under which it acts on a short text, if by default it acts on none. */
static const char *early(const char *id)
{
	static const char *const rows[][2] = {
		{"logn", "logn(length=2"},
		{"temperature_tuning", "temperature_tuning(floor_scale=1"},
		{"temperature", "temperature(per=position"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(id, rows[i][0]) == 0)
			return rows[i][1];
	return id;
}

/* Of the rules upon logits and weights those do that are of positions. */
static bool reads_no_column(const struct scheme *s)
{
	static const char *const ids[] = {"none", "resdrop", "concat", "pack", "pad"};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (strcmp(s->id, ids[i]) == 0)
			return true;
	return s->flags & SCHEME_RULE && early(s->id) == s->id;
}

TEST(every_scheme_reads_the_column_it_is_given)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		/* Who reads a structure may read a column beside it, or none. */
		if (s->expression || s->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH))
			continue;
		char text[64], other[64];
		const char *const of = early(s->id);
		snprintf(text, sizeof text, "%s%cpos=word)", of, of == s->id ? '(' : ',');
		snprintf(other, sizeof other, "%s%s", of, of == s->id ? "" : ")");
		struct help_run r, plain;
		const double apart =
			mat_max_abs_diff(random_output(&r, text), random_output(&plain, other));
		const bool reads = !reads_no_column(s);
		if (reads != (apart > 1e-6))
			fail_msg("%s: pos= %s", text, reads ? "changes nothing" : "changes it");
		help_run_close(&r);
		help_run_close(&plain);
	}
}

/* What is refused is none of those that do not. */
static bool reads(const char *text, const char *of)
{
	struct arena a;
	struct expr e;
	arena_init(&a);
	const bool yes = !expr_parse(&e, text, &a, NULL) || expr_reads(&e, of, false);
	arena_release(&a);
	return yes;
}

/* How far other numbers in the column move the outputs; NAN where they are refused. */
static double moved_by_numbers(const char *text, const char *of)
{
	static const double ids[] = {0, 3, 1, 6, 6, 2, 4}, segments[] = {0, 1, 0, 1, 1, 0, 0};
	struct help_run r;
	struct trace moved;
	double apart = NAN;
	wanted_t_max = 0;
	if (open_narrow(&r, text, 7, 1, PROJ_TIED, INIT_DEMO)) {
		*(strcmp(of, "seq") == 0 ? &r.in.position : &r.in.segment) =
			strcmp(of, "seq") == 0 ? ids : segments;
		if (model_run(&r.model, &r.in, &r.want, NULL, NULL, &r.arena, &moved, &r.err)) {
			apart = 0;
			for (size_t l = 0; l < moved.n_layers; l++)
				apart = fmax(apart, help_output_apart(&r.trace, &moved, l));
		}
	}
	help_run_close(&r);
	return apart;
}

/* What is said to read no numbers is not moved by them, whatever its parameters are; and at its defaults
 * what is said to read them is. */
TEST(what_reads_numbers_is_known)
{
	static const char *const columns[] = {"seq", "segment"};
	struct variants v;
	size_t deaf = 0, refused = 0;
	variants_open(&v, true);
	for (size_t c = 0; c < 2; c++) {
		for (size_t i = 0; i < v.n; i++) {
			if (reads(v.text[i], columns[c]))
				continue;
			deaf++;
			const double apart = moved_by_numbers(v.text[i], columns[c]);
			if (!isnan(apart) && apart > 0)
				fail_msg("%s: column %s moves it by %g", v.text[i], columns[c],
					 apart);
		}
		for (size_t i = 0; i < scheme_count(); i++) {
			char id[64];
			const char *const of = early(scheme_at(i)->id);
			snprintf(id, sizeof id, "%s%s", of, strchr(of, '(') ? ")" : "");
			/* A chain has no siblings whose order could be read. */
			if (strcmp(id, "spr_rel") == 0 || !reads(id, columns[c]))
				continue;
			const double apart = moved_by_numbers(id, columns[c]);
			if (!isnan(apart) && apart < 1e-9)
				fail_msg("%s: column %s moves nothing", id, columns[c]);
			refused += isnan(apart);
		}
	}
	variants_close(&v);
	assert_true(deaf > 500 && refused < 10);
}

/* Whether an error names the scheme, or a member of what a combination stands for. */
static bool is_named(const struct scheme *s, const char *error)
{
	if (strstr(error, s->id))
		return true;
	struct arena a;
	arena_init(&a);
	struct expr e = {.n = 0};
	bool found = false;
	if (s->expression && expr_parse(&e, s->expression, &a, NULL))
		for (size_t i = 0; i < e.n; i++)
			found |= is_named(e.members[i].scheme, error);
	arena_release(&a);
	return found;
}

/* Odd positions give numbers or a message that says what positions must be. */
TEST(odd_positions_are_numbers_or_refused)
{
	static const double by[] = {0.5, -3, -1000, 400, 1e5, 1e7, 1e15};
	column = "seq";
	for (size_t i = 0; i < scheme_count(); i++) {
		for (size_t k = 0; k < sizeof by / sizeof by[0]; k++) {
			struct help_run r;
			shift = by[k];
			if (help_run_open(&r, scheme_at(i)->id, 7, 0, moved))
				check_numbers(&r, scheme_at(i), scheme_at(i)->id);
			else if (!is_named(scheme_at(i), r.err.text))
				fail_msg("%s: %s", scheme_at(i)->id, r.err.text);
			help_run_close(&r);
		}
	}
	column = NULL;
}

/* ---- together --------------------------------------------------------------------------------------- */

static void everything_of_two(struct help_run *r)
{
	narrow(r);
	r->want.kinds |= WANT_TERMS | WANT_QKV | WANT_INPUT | WANT_CONTEXT;
}

TEST_SAMPLED(every_pair_runs_or_says_why, 1, 3)
{
	size_t ran = 0, tried = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		for (size_t k = (i + test_part) % test_parts; k < scheme_count();
		     k += test_parts, tried++) {
			char text[96];
			snprintf(text, sizeof text, "%s+%s", scheme_at(i)->id, scheme_at(k)->id);
			struct help_run r;
			if (help_run_open(&r, text, 5, 0, everything_of_two)) {
				for (size_t l = 0; l < r.trace.n_layers; l++)
					assert_true(help_is_finite(r.trace.layers[l].output));
				ran++;
			} else if (!is_named(scheme_at(i), r.err.text) &&
				   !is_named(scheme_at(k), r.err.text)) {
				fail_msg("%s: %s", text, r.err.text);
			}
			help_run_close(&r);
		}
	}
	assert_true(10 * ran > 8 * tried);
}
