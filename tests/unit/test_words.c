/* test_words.c: the results of a run by words, where its units are pieces of words. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/analysis/words.h"
#include "posviz/app/app.h"
#include "posviz/base/strbuf.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

enum { N = 5, WORDS = 3 };

static const char *const labels[] = {"[CLS]", "play", "##ing", "·a", "b"};
static const size_t word_of[] = {0, 1, 1, 2, 2};

static struct input input_of(const char *const *names, const size_t *word, size_t n)
{
	struct input in = {.tokens = arena_calloc(&arena, n, sizeof *in.tokens), .n = n};
	for (size_t i = 0; i < n; i++)
		in.tokens[i] = (struct token){.label = names[i],
					      .special = *names[i] == '[',
					      .word = word[i],
					      .place = *names[i] == '[' ? 0 : in.moving++};
	return in;
}

static struct axis axis_of(const struct input *in)
{
	const char **const names = arena_calloc(&arena, in->n, sizeof *names);
	long *const token = arena_calloc(&arena, in->n, sizeof *token);
	for (size_t i = 0; i < in->n; i++) {
		names[i] = in->tokens[i].label;
		token[i] = in->tokens[i].special ? -1 : (long)in->tokens[i].place;
	}
	struct axis axis = {.n = in->n, .labels = names, .token = token};
	axis.names = axis_names(&axis, &arena);
	return axis;
}

static struct words words_in(const struct input *in)
{
	struct words w;
	const struct trace trace = {.query = axis_of(in), .key = axis_of(in)};
	words_of(&trace, in, &arena, &w);
	return w;
}

static const char *text_of(const struct axis *axis)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < axis->n; i++)
		strbuf_printf(&b, "%s%s", i ? "|" : "", axis->labels[i]);
	return b.at;
}

static void expect(struct mat m, const double want[WORDS][WORDS])
{
	assert_int_equal(m.rows, WORDS);
	assert_int_equal(m.cols, WORDS);
	for (size_t t = 0; t < WORDS; t++)
		for (size_t s = 0; s < WORDS; s++)
			if (!(fabs(mat_row(m, t)[s] - want[t][s]) < 1e-12))
				fail_msg("%zu, %zu: %.17g, and %g would be right", t, s,
					 mat_row(m, t)[s], want[t][s]);
}

TEST(weights_are_summed_over_keys_and_averaged_over_queries)
{
	static const double weights[N][N] = {{1, 0, 0, 0, 0},
					     {0.5, 0.5, 0, 0, 0},
					     {0.2, 0.3, 0.5, 0, 0},
					     {0.1, 0.2, 0.3, 0.4, 0},
					     {0.1, 0.1, 0.2, 0.2, 0.4}};
	/* rows 2 and 3: (0.5 + 0.2) / 2, (0.5 + 0.3 + 0.5) / 2; 4 and 5: (0.1 + 0.1) / 2 ... */
	static const double merged[WORDS][WORDS] = {{1, 0, 0}, {0.35, 0.65, 0}, {0.1, 0.4, 0.5}};
	/* Logits 10 t + s from 0; the mean over s ≤ t alone, over all pairs where none is allowed. */
	static const double logits[WORDS][WORDS] = {
		{0, 1.5, 3.5}, {15, (11 + 21 + 22) / 3.0, 18.5}, {35, 36.5, (33 + 43 + 44) / 3.0}};
	const struct input in = input_of(labels, word_of, N);
	const struct words w = words_in(&in);
	uint8_t mask[N * N];
	struct trace_head head = {.weights = mat_new(&arena, N, N),
				  .logits = mat_new(&arena, N, N),
				  .q = mat_zero(&arena, N, 2),
				  .mask = mask};
	for (size_t i = 0; i < N * N; i++) {
		mask[i] = i % N <= i / N;
		head.weights.at[i] = weights[i / N][i % N];
		head.logits.at[i] = 10 * (double)(i / N) + (double)(i % N);
	}
	assert_string_equal(text_of(&w.query), "[CLS]|playing|ab");
	assert_int_equal(w.merged, 2);
	assert_int_equal(w.pieces, N);
	words_head(&w, &head, &arena);
	expect(head.weights, merged);
	expect(head.logits, logits);
	assert_null(head.q.at);
	for (size_t i = 0; i < WORDS * WORDS; i++)
		assert_int_equal(head.mask[i], i % WORDS <= i / WORDS);
}

/* A word in another order has its name as written, and the place of its first piece. */
TEST(a_word_is_named_as_it_was_written)
{
	struct input in = input_of(labels, word_of, N);
	const struct token play = in.tokens[1];
	in.tokens[1] = in.tokens[2];
	in.tokens[2] = play;
	const struct words w = words_in(&in);
	assert_string_equal(text_of(&w.query), "[CLS]|playing|ab");
	assert_int_equal(w.query.token[1], 0);
	assert_int_equal(w.query.token[2], 2);
}

/* A word ends where both tokenizers end one; case, accents and blanks are none of its letters. */
TEST(words_of_two_tokenizers_are_those_that_both_have)
{
	static const char *const x[] = {"[CLS]", "the", "ca", "##fe", "is", "open", "."};
	static const size_t of_x[] = {0, 1, 2, 2, 3, 4, 5};
	static const char *const y[] = {"·The", "·Caf", "é", "␣", "is", "·op", "en."};
	static const size_t of_y[] = {0, 1, 1, 2, 2, 3, 3};
	static const char *const z[] = {"the", "cat"};
	const struct input ins[] = {input_of(x, of_x, 7), input_of(y, of_y, 7),
				    input_of(z, of_y, 2)};
	struct words a = words_in(&ins[0]), b = words_in(&ins[1]), c = words_in(&ins[2]);
	assert_true(words_common(&a, &b, &arena));
	assert_string_equal(text_of(&a.query), "[CLS]|the|cafe|is|open.");
	assert_string_equal(text_of(&b.key), "the|cafe|is|open.");
	assert_int_equal(a.n_row[4], 2);
	assert_int_equal(b.n_col[2], 2); /* the blank is of "is" */
	assert_false(words_common(&a, &c, &arena));
	assert_string_equal(text_of(&c.query), "the|cat");
}

/* ---- in pictures ----------------------------------------------------------------------------- */

static struct picture *picture_by(const char *model, const char *compare, const char *view)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct scene scene;
	struct err err = {""};
	const char *said, *list = "none";
	scene_init(&scene);
	if (!app_model(&scene, arena_printf(&arena, "%s/models/%s", test_data, model), &arena,
		       &said, &err) ||
	    (*compare &&
	     !app_models_in("compare", arena_printf(&arena, "%s/models/%s", test_data, compare),
			    &arena, &list, &err)) ||
	    !scene_set(&scene, field_find("compare"), list, &err) ||
	    !scene_set(&scene, field_find("tokens"), "model", &err) ||
	    !scene_set(&scene, field_find("view"), view, &err) ||
	    !scene_set(&scene, field_find("merge-pieces"), *compare ? "off" : "on", &err) ||
	    !picture_make(&scene, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err))
		fail_msg("%s: %s", view, err.text);
	return p;
}

/* Every view that can merge shows the 9 words of 13 pieces, rows of weights keep their sum, and it is said. */
TEST(views_show_words)
{
	static const char *const names[] = {"explore", "terms", "order", "heads", "compare", "why"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct picture *const p = picture_by("gpt2", "", names[i]);
		assert_non_null(p->trace.words);
		assert_string_equal(text_of(&p->trace.query),
				    "the|cat|that|the|dog|chased|fell|asleep|.");
		assert_non_null(strstr(p->figure.caption, "13 pieces as 9 words"));
		const struct mat w = p->trace.layers[0].heads[0].weights;
		for (size_t t = 0; w.at && t < w.rows; t++) {
			double sum = 0;
			for (size_t s = 0; s < w.cols; s++)
				sum += mat_row(w, t)[s];
			assert_true(fabs(sum - 1) < 1e-12);
		}
	}
	const struct picture *const rank = picture_by("gpt2", "", "values");
	assert_null(rank->trace.words);
	assert_non_null(strstr(rank->figure.caption, "by pieces: this view merges none"));
}

/* gpt2 cuts 13 pieces and no frame, bert-bare 13 others between [CLS] and [SEP]: the words are common. */
TEST(models_of_two_tokenizers_are_compared_by_word)
{
	const struct picture *const p = picture_by("gpt2", "bert-bare", "compare");
	assert_int_equal(p->n_compared, 2);
	assert_string_equal(text_of(&p->compared[0].trace->query),
			    "the|cat|that|the|dog|chased|fell|asleep|.");
	assert_string_equal(text_of(&p->compared[1].trace->query),
			    "[CLS]|the|cat|that|the|dog|chased|fell|asleep|.|[SEP]");
	size_t found = 0;
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].name &&
		    strcmp(p->figure.panels[i].name, "difference") == 0) {
			assert_null(p->figure.panels[i].absent);
			assert_int_equal(p->figure.panels[i].heatmap.values.rows, 9);
			found++;
		}
	assert_int_equal(found, 1);
}
