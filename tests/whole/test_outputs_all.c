/* test_outputs_all.c: the view Values of every scheme and every variant: its summands are the
 * context, and what the keys contribute is the output. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_mat.h"
#include "help_variants.h"
#include "help_view.h"
#include "posviz/analysis/outputs.h"
#include "view/values_in.h"

FIXTURE(open_arena, close_arena)

static const char small[] =
	"view values\nd-model 16\nheads 2\nsentence a b c d a f g h\nproj random\n";

static double largest_difference(struct mat x, struct mat y)
{
	return mat_max_abs_diff(x, y) / (1 + mat_norm(y));
}

/* The summands of the context of each head and layer, and where keys have contributions, these. */
static void check_head(const char *name, const struct trace *trace, size_t l, size_t h)
{
	const struct trace_head *const head = &trace->layers[l].heads[h];
	struct outputs o;
	outputs_make(trace, l, h, 2, &arena, &o);
	if (!(largest_difference(o.at, head->context) < 1e-12))
		fail_msg("%s: layer %zu: the terms are not the context", name, l + 1);
	bool keys = !o.why;
	for (size_t i = 0; i < o.n_terms; i++)
		keys &= o.terms[i].by_keys;
	for (size_t t = 0; t < o.at.rows && keys; t++) {
		const struct mat of = outputs_of_query(&o, t, &arena);
		for (size_t c = 0; c < o.at.cols; c++) {
			double sum = 0;
			for (size_t s = 0; s < of.rows; s++)
				sum += mat_row(of, s)[c];
			if (!(fabs(sum - mat_row(o.at, t)[c]) < 1e-11 * (1 + mat_norm(o.at))))
				fail_msg("%s: layer %zu: contributions sum to %g, not %g", name,
					 l + 1, sum, mat_row(o.at, t)[c]);
		}
	}
}

static bool check(const char *name, const char *lines)
{
	struct scene s;
	const struct want want = {
		.kinds = WANT_CONTEXT | WANT_WEIGHTS | WANT_WRITTEN, .layer = -1, .head = -1};
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace trace;
	struct err err = {""};
	if (!scene_parse(&s, lines, &err) || !scene_set(&s, field_find("scheme"), name, &err) ||
	    !evaluate(&s.setup, &want, NULL, NULL, &arena, b, &trace, &err))
		return false;
	if (b->keys.n > 0)
		return false;
	for (size_t l = 0; l < trace.n_layers; l++)
		for (size_t h = 0; h < 2; h++)
			check_head(name, &trace, l, h);
	return true;
}

TEST_IN_PARTS(what_all_variants_write_is_the_sum_of_its_terms, 4)
{
	static struct variants all;
	size_t seen = 0, of = 0;
	variants_open(&all, false);
	for (size_t i = test_part; i < all.n; i += test_parts) {
		const char *const lines =
			arena_printf(&arena, "%s%s\n", small,
				     all.scheme[i]->sample ? all.scheme[i]->sample : "");
		const struct arena_mark mark = arena_mark(&arena);
		seen += check(all.text[i], lines);
		of++;
		arena_rewind(&arena, mark);
	}
	variants_close(&all);
	if (seen < of * 8 / 10)
		fail_msg("%zu of %zu were run", seen, of);
}

TEST_IN_PARTS(values_of_all_schemes_are_sound, 4)
{
	size_t entered = 0, seen = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		const char *const lines =
			arena_printf(&arena, "%s%s\n", small, s->sample ? s->sample : "");
		const struct picture *p = help_picture(&arena, s->id, lines);
		const struct values_kept *const k = p->kept;
		help_figure_is_sound(&arena, &p->figure, s->id);
		assert_null(k->absent);
		for (size_t m = 0; m < k->o.n_terms; m++)
			if (strcmp(values_means(&k->o.terms[m]),
				   "what the scheme adds to the values") == 0)
				fail_msg("%s: %s has no words", s->id, k->o.terms[m].label);
		entered += k->o.n_terms > 1;
		seen++;
	}
	assert_true(entered > seen / 8);
}
