/* test_view_why.c: the view Why: the steps of a logit, the row's softmax, and what is said of the pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/app/snapshot.h"
#include "posviz/scheme/scheme.h"

FIXTURE(open_arena, close_arena)

enum { SUM, ROW };
static const double NEAR = 1e-9;

static const struct waterfall *sum_of(const struct picture *p)
{
	assert_int_equal(p->figure.panels[SUM].kind, PANEL_WATERFALL);
	return &p->figure.panels[SUM].waterfall;
}

static const struct columns *row_of(const struct picture *p)
{
	assert_int_equal(p->figure.panels[ROW].kind, PANEL_COLUMNS);
	return &p->figure.panels[ROW].columns;
}

static struct picture *why(const char *expression, const char *lines)
{
	return help_picture(&arena, expression, arena_printf(&arena, "view why\n%s", lines));
}

static const struct sum_step *step_of(const struct picture *p, const char *label)
{
	const struct waterfall *const w = sum_of(p);
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->steps[i].label, label) == 0)
			return &w->steps[i];
	return NULL;
}

static double value_of(const struct picture *p, const char *label)
{
	const struct sum_step *const s = step_of(p, label);
	if (!s)
		fail_msg("there is no step %s", label);
	return s->value;
}

/* ---- the sum -------------------------------------------------------------------------------------- */

/* The steps up to the strong total, added up as they are drawn. */
static double added_up(const struct waterfall *w, double *total)
{
	double sum = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct sum_step *const s = &w->steps[i];
		if (s->kind == STEP_TOTAL && s->strong) {
			*total = s->value;
			return sum;
		}
		assert_true(s->kind == STEP_ADDEND || i == 0);
		sum += s->value;
	}
	fail_msg("there is no sum");
	return NAN;
}

static void expect_near(double is, double should, const char *where)
{
	if (!(fabs(is - should) <= NEAR * (1 + fabs(should))))
		fail_msg("%s: %.17g, not %.17g", where, is, should);
}

/* The row's softmax worked anew; where the weights are that, it is said with its numbers. */
static void expect_row(const struct picture *p, const struct trace_head *h, size_t t, size_t s,
		       const char *where)
{
	const struct columns *const c = row_of(p);
	const size_t n = h->weights.cols;
	double sum = h->sink_logit ? exp(*h->sink_logit) : 0, mean = 0, seen = 0;
	bool softmax = true;
	assert_int_equal(c->cursor, s);
	assert_int_equal(c->n, n + (h->sink_logit != NULL)); /* the sink behind the keys */
	for (size_t k = 0; k < n; k++) {
		const bool hidden = h->mask && !h->mask[t * n + k];
		assert_true(hidden == (c->masked && c->masked[k]));
		expect_near(c->values[k], mat_row(h->weights, t)[k], where);
		if (hidden)
			continue;
		sum += exp(mat_row(h->logits, t)[k]);
		mean += mat_row(h->logits, t)[k];
		seen++;
	}
	for (size_t k = 0; k < n; k++)
		if (!c->masked || !c->masked[k])
			softmax &= fabs(exp(mat_row(h->logits, t)[k]) / sum - c->values[k]) < NEAR;
	const bool hidden = c->masked && c->masked[s];
	if ((strstr(c->formula, "exp(") != NULL) != (softmax && seen > 0 && !hidden))
		fail_msg("%s: %s", where, c->formula);
	if (!strstr(c->formula, "exp(") || seen < 2)
		return;
	const double logit = mat_row(h->logits, t)[s];
	expect_near(value_of(p, "mean of the row"), mean / seen, where);
	expect_near(value_of(p, logit < mean / seen ? "below the mean" : "above the mean"),
		    logit - mean / seen, where);
}

static void expect_cell(const char *expression, const char *lines, long layer, long head, size_t t,
			size_t s)
{
	const struct picture *const p =
		why(expression, arena_printf(&arena, "%s\nlayer %ld\nhead %ld\nrow %zu\ncol %zu",
					     lines, layer, head, t + 1, s + 1));
	const struct trace_head *const h = &p->trace.layers[layer - 1].heads[head - 1];
	const char *const where = arena_printf(&arena, "%s, layer %ld", expression, layer);
	double total = NAN;
	help_figure_is_sound(&arena, &p->figure, where);
	if (!h->logits.at) {
		assert_non_null(step_of(p, "no logits"));
		assert_null(strstr(row_of(p)->formula, "exp("));
		return;
	}
	const double sum = added_up(sum_of(p), &total);
	expect_near(total, mat_row(h->logits, t)[s], where);
	expect_near(sum, total, where);
	expect_row(p, h, t, s, where);
}

TEST_IN_PARTS(the_steps_add_up_to_the_logit_in_every_scheme, 2)
{
	static const char *const lines[] = {"sentence a \x1b b c d", "conllu @dep1", "graph @amr1",
					    "sentence a"};
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
			const struct arena_mark mark = arena_mark(&arena);
			const bool one = strcmp(lines[k], "sentence a") == 0;
			const char *const id = scheme_at(i)->id;
			if (k == 1 || k == 2 ? !(scheme_at(i)->flags &
						 (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH))
					     : false)
				continue;
			if (k == 2 && scheme_at(i)->flags & SCHEME_NEEDS_TREE)
				continue;
			expect_cell(id, lines[k], 2, 2, one ? 0 : 2, one ? 0 : 1);
			arena_rewind(&arena, mark);
		}
	}
}

TEST(a_hidden_key_has_a_logit_and_no_weight)
{
	const struct picture *const p = why("alibi+causal", "sentence a b c d\nrow 2\ncol 4");
	assert_string_equal(step_of(p, "mask")->text, "hidden");
	assert_null(step_of(p, "mean of the row"));
	assert_string_equal(row_of(p)->rank, "hidden by the mask");
	assert_string_equal(row_of(p)->formula, "α = 0");
	assert_true(row_of(p)->masked[3] && !row_of(p)->masked[1]);
	expect_cell("alibi+causal", "sentence a b c d", 1, 1, 1, 3);
}

TEST(one_token_is_all_of_its_row)
{
	const struct picture *const p = why("rope", "sentence a\nrow 1\ncol 1");
	assert_string_equal(row_of(p)->rank, "rank 1 of 1");
	assert_null(step_of(p, "mean of the row"));
	assert_true(strstr(row_of(p)->formula, "/ 1.00 = 1.00") != NULL);
}

/* Without positions all that differs is the word: that which stands at 1 and 4 is one rank. */
TEST(equal_weights_share_a_rank)
{
	const struct picture *const p = why("none", "sentence a b c a\nrow 2\ncol 1");
	const double *const w = row_of(p)->values;
	size_t above = 0;
	for (size_t i = 0; i < 4; i++)
		above += w[i] > w[0] + 1e-12;
	assert_string_equal(row_of(p)->rank,
			    arena_printf(&arena, "rank %zu–%zu of 4", above + 1, above + 2));
}

/* ---- pairs that turn ------------------------------------------------------------------------------ */

/* Degrees of (s − t)·θ_i within ±180, θ_i = base^(−2i/dk). */
static double angle_of(double base, size_t i, size_t dk, long apart)
{
	const double turn = (double)apart * pow(base, -2.0 * (double)i / (double)dk);
	return remainder(turn, 2 * acos(-1)) * 180 / acos(-1);
}

/* Su et al. 2021, eq. 34: the pair (2i, 2i + 1) of query and key is turned by its place times θ_i, so that the
 * pair's part of the logit is that of the angle (s − t)·θ_i between them. */
TEST(rope_turns_each_pair_by_its_own_angle)
{
	enum { T = 6, S = 2, DK = 16 };
	const struct picture *const p = why("rope", "proj random\nrow 7\ncol 3");
	const struct trace_head *const h = &p->trace.layers[0].heads[0];
	const double *const q = mat_row(h->q_raw, T), *const k = mat_row(h->k_raw, S);
	double before = 0;
	assert_int_equal(h->q_raw.cols, DK);
	for (size_t i = 0; i < DK; i++)
		before += p->trace.c * q[i] * k[i];
	expect_near(value_of(p, "before rotation"), before, "before");
	for (size_t i = 0; i < DK / 2; i++) {
		const struct sum_step *const s = &sum_of(p)->steps[1 + i];
		const double degrees = angle_of(10000, i, DK, (long)S - T);
		const double x = degrees * acos(-1) / 180, *const a = q + 2 * i,
			     *const b = k + 2 * i;
		const double dot = a[0] * b[0] + a[1] * b[1], cross = a[1] * b[0] - a[0] * b[1];
		/* Re(conj(a) b e^{ix}) */
		expect_near(s->value, p->trace.c * (dot * cos(x) + cross * sin(x) - dot), "change");
		const char *const label = arena_printf(&arena, "pair %zu by ", i + 1);
		assert_int_equal(strncmp(s->label, label, strlen(label)), 0);
		if (fabs(degrees) >= 1)
			assert_string_equal(s->label + strlen(label),
					    arena_printf(&arena, "%s%.0f°", degrees < 0 ? "−" : "",
							 fabs(round(degrees))));
	}
}

static size_t pairs_of(const char *expression, const char *lines)
{
	const struct picture *const p = why(expression, lines);
	size_t n = 0;
	for (size_t i = 0; i < sum_of(p)->n; i++)
		n += strncmp(sum_of(p)->steps[i].label, "pair ", 5) == 0;
	return n;
}

/* Pairs beside each other or half of the columns apart, some of the columns only, and lengthened too: all are
 * turned pair by pair; what also adds angles of other pairs, or is no rotation, is not. */
TEST(pairs_are_found_in_the_vectors)
{
	static const struct {
		const char *expression;
		size_t pairs;
	} rows[] = {{"rope", 8},
		    {"rope(layout=half)", 8},
		    {"rope(partial=0.5)", 4},
		    {"rope(layout=half,partial=0.5)", 4},
		    {"xpos", 8},
		    {"pope", 0},
		    {"fope", 0},
		    {"none", 0},
		    {"t5", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t tied = 0; tied < 2; tied++) {
			const char *const lines =
				tied ? "row 7\ncol 3" : "proj random\nrow 7\ncol 3";
			const size_t n = pairs_of(rows[i].expression, lines);
			if (n != rows[i].pairs)
				fail_msg("%s: %zu pairs, not %zu", rows[i].expression, n,
					 rows[i].pairs);
		}
}

/* ---- the bias -------------------------------------------------------------------------------------- */

/* "bias|−0.17|of this sentence" as a number; NAN: nothing is said. */
static double said_bias(const struct picture *p)
{
	const struct waterfall *const w = sum_of(p);
	for (size_t i = 0; i < w->n_facts; i++) {
		const struct card_line *const f = &w->facts[i];
		if (!f->key || strcmp(f->key, "bias") != 0)
			continue;
		const bool minus = strncmp(f->value, "−", strlen("−")) == 0;
		const double v = strtod(f->value + (minus ? strlen("−") : 0), NULL);
		return minus ? -v : v;
	}
	return NAN;
}

/* What the page takes from the terms is what the model measures when it is asked for no probe. */
TEST(the_bias_of_the_sentence_is_that_without_a_probe)
{
	size_t said = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct arena_mark mark = arena_mark(&arena);
		const struct picture *const p =
			why(scheme_at(i)->id, "sentence a b c d\nprobe off\nrow 3\ncol 1");
		const double is = said_bias(p), slack = 0.006;
		const struct mat bias = p->trace.layers[0].heads[0].bias;
		if (!isnan(is)) {
			const double should = mat_row(bias, 2)[0];
			said++;
			if (!(fabs(is - should) <= slack * fabs(should) + 1e-12))
				fail_msg("%s: %g, not %g", scheme_at(i)->id, is, should);
		}
		arena_rewind(&arena, mark);
	}
	assert_true(said > scheme_count() / 2);
	assert_true(!isnan(said_bias(why("rope", "row 5\ncol 2"))));
	/* Of a mean of heads what was turned is not known. */
	assert_true(isnan(said_bias(why("rope", "head mean\nrow 5\ncol 2"))));
}

/* ---- what is said --------------------------------------------------------------------------------- */

static bool says(const char *expression, const char *lines, const char *words)
{
	const struct waterfall *const w = sum_of(why(expression, lines));
	for (size_t i = 0; i < w->n_facts; i++) {
		const struct card_line *const f = &w->facts[i];
		const char *const text =
			arena_printf(&arena, "%s|%s|%s", f->key ? f->key : "",
				     f->value ? f->value : "", f->note ? f->note : "");
		if (strstr(text, words))
			return true;
	}
	return false;
}

TEST(the_page_says_what_else_must_be_known)
{
	/* c b a of a b c: the tokens at 1 and 2 were written third and second. */
	static const char order[] = "sentence a b c\norder reverse\nrow 1\ncol 2";
	assert_true(says("none", order, "as written|3, 2|distance −1"));
	assert_false(says("none", "sentence a b c\nrow 1\ncol 2", "as written"));
	assert_true(says("t5", "terms-off bias\nrow 1\ncol 2", "bias is off in the view Terms"));
	assert_false(says("t5", "row 1\ncol 2", "is off"));
	assert_true(says("sinusoidal", "row 5\ncol 2", "positions|4, 1|from 0"));
	assert_true(says("t5", "compare rope\nrow 1\ncol 2", "of t5 alone"));
	assert_true(says("none", "row 5\ncol 2", "query|5 dog|"));
	assert_true(says("none", "sentence 31 7 24\nrow 3\ncol 2", "query|24, token 3|"));
	assert_true(says("none", "row 5\ncol 2", "s−t|−3|"));
}

/* What a scheme knows of the two before any vector, as its definition has it for the sample. */
TEST(the_page_tells_the_relation_of_the_pair)
{
	static const struct {
		const char *expression, *lines, *words;
	} rows[] = {
		{"spr_rel", "conllu @dep2\nrow 5\ncol 7",
		 "structural position rel(t,s)|−5|off the path: the is to the left of that, "
		 "depths 2 + 3"},
		{"spr_rel", "conllu @dep2\nrow 4\ncol 1",
		 "rel(t,s)|−2|chased is 2 above The on one path"},
		{"spr_abs", "conllu @dep1\nrow 1\ncol 3",
		 "depth abs(t)||The: 2 below the root; chased: a root"},
		{"struct_tr", "graph @amr1\nrow 2\ncol 3", "labels from t to s||up:ARG1"},
		{"graphormer", "graph @g5\nrow 2\ncol 6", "shortest path φ(t,s)||3 edges away"},
		{"graphormer", "graph @disconnected\nrow 2\ncol 5", "φ(t,s)||no path"},
		{"graphbert", "graph @g5\nrow 1\ncol 5", "hops H(t,s)||3 hops away"},
		/* Raffel et al. 2020: of 8 buckets 4 look back, 0 and 1 of one distance each, the
		 * others grow as logarithms to 16. */
		{"t5(buckets=8,max_distance=16)", "sentence a b c d e\nrow 5\ncol 1",
		 "bucket(s − t)|2|shared: key 2 to 5 before"},
		{"t5(buckets=8,max_distance=16)", "sentence a b c d e\nrow 5\ncol 4",
		 "bucket(s − t)|1|exact: this distance alone"},
		{"shaw(clip=2)", "sentence a b a b a\nrow 1\ncol 5",
		 "clip(s − t, ±2)|2|clipped: key 2 or more after"},
		{"deberta", "row 5\ncol 2", "δ(t,s)|515|exact: this distance alone"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!says(rows[i].expression, rows[i].lines, rows[i].words))
			fail_msg("%s does not say \"%s\"", rows[i].expression, rows[i].words);
	assert_false(says("rope", "sentence a b\nrow 1\ncol 2", "exact"));
}

/* The terms of He et al. 2021, eq. 4, of this cell: c2c, c2p, p2c. */
TEST(terms_are_told_by_the_words_they_are_of)
{
	const struct picture *const p = why("deberta", "row 5\ncol 2");
	assert_string_equal(step_of(p, "unit–unit")->about, "dog · cat");
	assert_string_equal(step_of(p, "query–Kʳ")->about, "dog · Kʳ at 515");
	assert_string_equal(step_of(p, "Qʳ–key")->about, "Qʳ · cat at 515");
	/* One vector for all queries is of no distance, nor is what segments alone tell. */
	const struct picture *const x =
		why("xlnet_model", "segments 0 0 0 0 1 1 1 1 1\nrow 6\ncol 2");
	assert_string_equal(step_of(x, "b–key")->about, "b · cat");
	assert_string_equal(step_of(x, "query–R")->about, "chased · R at 4");
	assert_null(step_of(x, "segment")->about);
	assert_string_equal(step_of(why("t5", "row 5\ncol 2"), "bias")->about,
			    "for bucket(s − t) 3");
	const struct picture *const q = why("sinusoidal", "row 5\ncol 2");
	assert_string_equal(step_of(q, "unit–position")->about, "dog · position of cat");
	assert_string_equal(step_of(q, "position–position")->about,
			    "position of dog · position of cat");
}

TEST(without_a_cursor_a_cell_off_the_middle_is_explained)
{
	const struct picture *const p = why("none", "sentence a b c d e f g h i");
	assert_int_equal(row_of(p)->cursor, 1);
	assert_true(says("none", "sentence a b c d e f g h i", "query|6 f|"));
}

/* A picture of the page carries what `posviz verify` compares. */
TEST(the_numbers_of_the_page_go_with_its_picture)
{
	struct picture *const p = why("deberta", "row 5\ncol 2");
	const char *const text = snapshot_matrices(&p->figure, &arena);
	assert_non_null(strstr(text, "Why this cell?"));
	assert_non_null(strstr(text, "Softmax of the row"));
	struct picture *const other = why("deberta", "row 5\ncol 3");
	assert_string_not_equal(snapshot_matrices(&other->figure, &arena), text);
	assert_string_equal(snapshot_matrices(&why("deberta", "row 5\ncol 2")->figure, &arena),
			    text);
}

/* The note beside the title says which cell it is, and what it gets. */
TEST(the_note_has_the_cell_and_its_weight)
{
	const struct picture *const p = why("rope", "row 6\ncol 2\n");
	const double weight = mat_row(p->trace.layers[0].heads[0].weights, 5)[1];
	const char *const gets = arena_printf(&arena, "weight %.2g, rank 2 of 9", weight);
	assert_string_equal(p->figure.panels[SUM].title, "Why this cell?");
	assert_string_equal(p->figure.panels[SUM].short_note, gets);
	assert_non_null(
		strstr(p->figure.panels[SUM].note, arena_printf(&arena, "chased → cat: %s", gets)));
}
