/* test_measure_part.c: what is measured of an input that is longer than MEASURE_TOKENS, and what of it is
 * kept: the numbers are those of the part by itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_arena.h"
#include "help_measure.h"
#include "help_setup.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/tensor.h"
#include "test.h"

enum { LONG = 300 };

static const char *words(size_t from, size_t n)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = from; i < from + n; i++)
		strbuf_printf(&b, "w%zu ", i % 97);
	return b.at;
}

static struct measures measured(const struct scene *s)
{
	struct measures m;
	struct err err = {""};
	if (!help_measure(&s->setup, NULL, &m, &err))
		fail_msg("%s: %s", s->setup.scheme, err.text);
	return m;
}

static void expect_same(const char *what, const struct measure *x, const struct measure *y)
{
	const bool same = x->there ? y->there && fabs(x->value - y->value) <= 1e-15 * x->value
				   : !y->there && x->why == y->why;
	if (!same)
		fail_msg("%s: %g (%s) and %g (%s)", what, x->value, x->why ? x->why : "there",
			 y->value, y->why ? y->why : "there");
}

static void expect_all_same(const char *what, const struct measures *x, const struct measures *y)
{
	expect_same(what, &x->equivariance, &y->equivariance);
	expect_same(what, &x->invariance, &y->invariance);
	expect_same(what, &x->own_order, &y->own_order);
	expect_same(what, &x->shift, &y->shift);
	expect_same(what, &x->shift_random, &y->shift_random);
	expect_same(what, &x->insertion, &y->insertion);
	assert_int_equal(x->n_prefix, y->n_prefix);
	for (size_t i = 0; i < x->n_prefix; i++)
		expect_same(what, &x->prefix[i], &y->prefix[i]);
}

/* Reversed, the first 128 of 300 are still those of the text, in reverse. */
TEST_WITH(of_a_long_text_the_first_tokens_are_measured, open_folder, close_folder)
{
	static const char *const schemes[] = {"none", "t5+causal", "rope", "sinusoidal", "gru"};
	static const char *const orders[] = {"identity", "reverse"};
	static const char *const lines[] = {"", "special cls,sep", "proj random\nlayers 3"};
	for (size_t i = 0; i < 5; i++) {
		struct scene whole = help_scene_read(lines[i % 3]), part = whole;
		const size_t special = i % 3 == 1; /* [CLS]; [SEP] stands behind the rest */
		help_set(&whole, "scheme", schemes[i]);
		help_set(&whole, "order", orders[i % 2]);
		part = whole;
		help_set(&whole, "sentence", words(0, LONG));
		help_set(&part, "sentence", words(0, MEASURE_TOKENS - special));
		if (special)
			help_set(&part, "special", "cls");
		const struct measures x = measured(&whole), y = measured(&part);
		assert_int_equal(x.on.units, MEASURE_TOKENS);
		assert_int_equal(x.on.of, LONG + 2 * special);
		assert_int_equal(y.on.of, MEASURE_TOKENS);
		assert_true(strstr(measure_show_on(&x.on, &arena), "first 128") != NULL);
		assert_null(measure_show_on(&y.on, &arena));
		expect_all_same(schemes[i], &x, &y);
	}
}

/* What is given for each token is cut with it: ids, segments, and of a memory the last half. */
TEST_WITH(what_is_given_for_tokens_is_cut_with_them, open_folder, close_folder)
{
	struct strbuf ids, segments;
	strbuf_init(&ids, &arena);
	strbuf_init(&segments, &arena);
	for (size_t i = 0; i < LONG; i++) {
		strbuf_printf(&ids, "%zu ", i * i % 50);
		strbuf_printf(&segments, "%zu ", i / 40);
	}
	const struct {
		const char *field, *whole, *part;
		size_t from;
	} rows[] = {
		{"position-ids", ids.at, NULL, 0},
		{"segments", segments.at, NULL, 0},
		{"position-ids", "start:5", "start:5", 0},
		{"memory-tokens", "200", "64", 200 - MEASURE_TOKENS / 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene whole = help_scene_read("proj random"), part;
		struct strbuf first;
		help_set(&whole, "scheme", i < 3 ? "sinusoidal" : "alibi");
		part = whole;
		help_set(&whole, "sentence", words(0, LONG));
		help_set(&whole, rows[i].field, rows[i].whole);
		help_set(&part, "sentence", words(rows[i].from, MEASURE_TOKENS));
		strbuf_init(&first, &arena);
		const char *at = rows[i].whole;
		for (size_t k = 0; k < MEASURE_TOKENS && !rows[i].part;
		     k++, at += strcspn(at, " ") + 1)
			strbuf_printf(&first, "%.*s ", (int)strcspn(at, " "), at);
		help_set(&part, rows[i].field, rows[i].part ? rows[i].part : first.at);
		const struct measures x = measured(&whole), y = measured(&part);
		assert_int_equal(x.on.units, MEASURE_TOKENS);
		expect_all_same(rows[i].field, &x, &y);
	}
}

/* Rows of a file of units. */
TEST_WITH(given_units_are_cut_with_their_tokens, open_folder, close_folder)
{
	const struct help_shaped shapes[] = {{"units", LONG, 16}, {NULL, 0, 0}};
	const struct help_shaped few[] = {{"units", MEASURE_TOKENS, 16}, {NULL, 0, 0}};
	struct scene whole = help_scene_read("scheme alibi\nheads 2"), part = whole;
	help_set(&whole, "units", help_save_all(shapes, 2));
	const struct measures x = measured(&whole);
	help_set(&part, "units", help_save_all(few, 2));
	const struct measures y = measured(&part);
	assert_int_equal(x.on.of, LONG);
	expect_all_same("units", &x, &y);
}

/* A tree whose words hang on the one at a third of their number; breadth first from the root these are the
 * first ones, so the part is a sentence of its own. */
static const char *governors(size_t n)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, "0");
	for (size_t i = 1; i < n; i++)
		strbuf_printf(&b, " %zu", (i - 1) / 3 + 1);
	return b.at;
}

TEST_WITH(of_a_tree_what_is_nearest_its_root_is_measured, open_folder, close_folder)
{
	static const char *const schemes[] = {"tpe(branching=3)", "spr_rel", "struct_tr"};
	for (size_t i = 0; i < 3; i++) {
		struct scene whole = help_scene_read("d-model 24\nheads 2"), part;
		help_set(&whole, "scheme", schemes[i]);
		part = whole;
		help_set(&whole, "sentence", words(0, LONG));
		help_set(&whole, "governors", governors(LONG));
		help_set(&part, "sentence", words(0, MEASURE_TOKENS));
		help_set(&part, "governors", governors(MEASURE_TOKENS));
		const struct measures x = measured(&whole), y = measured(&part);
		assert_int_equal(x.on.units, MEASURE_TOKENS);
		assert_true(strstr(measure_show_on(&x.on, &arena), "nearest the root") != NULL);
		expect_all_same(schemes[i], &x, &y);
	}
}

/* A chain, its words from the last to the first: what is nearest the root stands last. */
TEST_WITH(of_a_chain_written_backwards_it_is_the_last_words, open_folder, close_folder)
{
	struct strbuf tree, of_part, text, of_text;
	struct strbuf *const all[] = {&tree, &of_part, &text, &of_text};
	for (size_t i = 0; i < 4; i++)
		strbuf_init(all[i], &arena);
	for (size_t i = LONG; i-- > 0;) {
		const size_t up = i - 1; /* of word i, both from the root's end */
		strbuf_printf(&tree, "%zu ", i == 0 ? 0 : LONG - up);
		strbuf_printf(&text, "w%zu ", i);
		if (i >= MEASURE_TOKENS)
			continue;
		strbuf_printf(&of_part, "%zu ", i == 0 ? 0 : MEASURE_TOKENS - up);
		strbuf_printf(&of_text, "w%zu ", i);
	}
	struct scene whole = help_scene_read("scheme spr_abs+causal"), part = whole;
	help_set(&whole, "sentence", text.at);
	help_set(&whole, "governors", tree.at);
	help_set(&part, "sentence", of_text.at);
	help_set(&part, "governors", of_part.at);
	const struct measures x = measured(&whole), y = measured(&part);
	expect_all_same("backwards", &x, &y);
}

/* A ring with chords: from its first node both ways round. */
TEST_WITH(of_a_graph_its_part_hangs_together, open_folder, close_folder)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < LONG; i++)
		strbuf_printf(&b, "n%zu n%zu r%zu\n", i, (i + 1) % LONG, i % 4);
	struct scene s = help_scene_read("scheme graph_tr\nd-model 8\nheads 2");
	help_set(&s, "graph", b.at);
	const struct measures m = measured(&s);
	assert_int_equal(m.on.units, MEASURE_TOKENS);
	assert_int_equal(m.on.of, LONG);
	assert_true(m.on.nodes && m.equivariance.there);
}

/* ---- what is kept --------------------------------------------------------------------------- */

static size_t heads_run(const struct scene *s, struct cache *cache, struct measures *m)
{
	struct watch w = {0};
	struct err err = {""};
	const struct measure_request all = {.kinds = MEASURED_ALL, .cache = cache, .watch = &w};
	*m = (struct measures){0};
	if (!analysis_measure(&s->setup, &all, m, &err))
		fail_msg("%s", err.text);
	return atomic_load(&w.done);
}

TEST_WITH(measures_are_kept_by_what_they_depend_on, open_folder, close_folder)
{
	struct cache *const cache = cache_new(1 << 24);
	struct scene s = help_scene_read("scheme rope+causal\nlayers 2\nheads 2");
	struct measures first, again;
	const size_t all = heads_run(&s, cache, &first);
	assert_true(all > 80);
	assert_int_equal(heads_run(&s, cache, &again), 0);
	expect_all_same("kept", &first, &again);
	assert_int_equal(first.constant_bias, again.constant_bias);
	/* Another order: not the shuffles of what was written. */
	help_set(&s, "order", "reverse");
	assert_in_range(heads_run(&s, cache, &again), 1, all / 3);
	expect_same("equivariance", &first.equivariance, &again.equivariance);
	/* What is compared is nothing to them; all else is. */
	help_set(&s, "compare", "alibi");
	assert_int_equal(heads_run(&s, cache, &again), 0);
	help_set(&s, "seed", "7");
	assert_int_equal(heads_run(&s, cache, &again), all);
	cache_free(cache);
}

TEST_WITH(of_a_file_they_are_kept_while_it_is_the_same, open_folder, close_folder)
{
	struct cache *const cache = cache_new(1 << 24);
	const struct help_shaped shapes[] = {{"units", 9, 8}};
	const char *const path = help_save_all(shapes, 1);
	struct scene s = help_scene_read("heads 2");
	struct measures m;
	help_set(&s, "units", path);
	const char *const before = setup_identity(&s.setup, false, &arena);
	assert_true(heads_run(&s, cache, &m) > 0);
	assert_int_equal(heads_run(&s, cache, &m), 0);
	FILE *const f = fopen(path, "ab"); /* larger, whatever the clock says */
	assert_true(f && fputc('\n', f) != EOF && fclose(f) == 0);
	assert_string_not_equal(setup_identity(&s.setup, false, &arena), before);
	help_set(&s, "units", arena_printf(&arena, "%s:units", path));
	assert_null(setup_identity(&s.setup, false, &arena));
	cache_free(cache);
}
