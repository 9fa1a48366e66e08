/* test_view_compare.c: how far apart two matrices are, by hand and by what a distance must keep; the
 * view Compare against evaluations of its own, its partner, its curves, refusals and the memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"
#include "help_sample.h"
#include "posviz/base/rng.h"
#include "posviz/plot/canvas.h"

FIXTURE(open_arena, close_arena)

static void near(double found, double want)
{
	if (!(fabs(found - want) < 1e-12))
		fail_msg("%.17g, not %.17g", found, want);
}

/* ---- by hand ------------------------------------------------------------------------------------ */

TEST(weights_are_apart_by_total_variation)
{
	double a[] = {1, 0, 0, 0.5, 0.5, 0, 0.2, 0.3, 0.5};
	double b[] = {0.5, 0.5, 0, 0.5, 0.5, 0, 0.5, 0.3, 0.2};
	struct apart out;
	apart_weights(mat_view(a, 3, 3), NULL, mat_view(b, 3, 3), NULL, &out);
	near(out.distance, (0.5 + 0 + 0.3) / 3);
	near(out.most_of_row, 0.5);
	assert_int_equal(out.worst, 0);
	near(out.most, 0.5);
	assert_true(out.row == 0 && out.col == 0);
	assert_true(out.both == 9 && out.one == 0);
}

/* What stands where a mask forbids is not looked at; in a row whose masks differ the others are shares:
 * (0.2, 0.8) of the first against (0.5, 0.5) of (0.25, 0.25 of 0.5). */
TEST(weights_under_different_masks_are_compared_where_both_see)
{
	double a[] = {0.2, 0.8, 77, 0.5, 0.5, 0}, b[] = {0.25, 0.25, 0.5, 0.5, 0.3, 0.2};
	const uint8_t mask[] = {1, 1, 0, 1, 1, 1};
	struct apart out;
	apart_weights(mat_view(a, 2, 3), mask, mat_view(b, 2, 3), NULL, &out);
	near(out.distance, (0.3 + 0.2) / 2);
	near(out.most, 0.55); /* of weights as they are */
	near(out.most_of_row, 0.3);
	assert_true(out.row == 0 && out.col == 1 && out.worst == 0);
	assert_true(out.both == 5 && out.one == 1);
	/* Nothing is seen by both, or nothing of one goes there: no row is left. */
	double c[] = {1, 0}, d[] = {0, 1};
	const uint8_t first[] = {1, 0}, second[] = {0, 1};
	apart_weights(mat_view(c, 1, 2), first, mat_view(d, 1, 2), second, &out);
	near(out.distance, 0);
	apart_weights(mat_view(c, 1, 2), first, mat_view(d, 1, 2), NULL, &out);
	near(out.distance, 0);
}

TEST(scores_are_apart_from_the_means_of_their_rows)
{
	double a[] = {1, 2, 3, 5}, b[] = {0, 0, 0, 0};
	const uint8_t causal[] = {1, 0, 1, 1};
	struct apart out;
	apart_scores(mat_view(a, 2, 2), NULL, mat_view(b, 2, 2), NULL, &out);
	near(out.distance, sqrt((0.25 + 0.25 + 1 + 1) / 4));
	near(out.most, 5);
	assert_true(out.row == 1 && out.col == 1);
	/* One cell alone is its row's mean. */
	apart_scores(mat_view(a, 2, 2), causal, mat_view(b, 2, 2), NULL, &out);
	near(out.distance, sqrt((0 + 1 + 1) / 3.));
	assert_true(out.both == 3 && out.one == 1);
}

TEST(masks_are_apart_by_the_cells_of_one)
{
	const uint8_t causal[] = {1, 0, 1, 1}, other[] = {0, 1, 1, 1};
	struct apart out;
	apart_masks(2, 2, causal, NULL, &out);
	near(out.distance, 0.25);
	assert_int_equal(out.one, 1);
	apart_masks(2, 2, causal, other, &out);
	near(out.distance, 0.5);
	apart_masks(2, 2, NULL, NULL, &out);
	near(out.distance, 0);
	assert_int_equal(out.both, 4);
}

/* ---- what a distance keeps ----------------------------------------------------------------------- */

enum { N = 6 };

static struct mat drawn(struct rng *rng, bool weights)
{
	const struct mat m = mat_new(&arena, N, N);
	for (size_t i = 0; i < N * N; i++)
		m.at[i] = rng_normal(rng);
	if (weights)
		mat_softmax(m, m);
	return m;
}

static double between(struct mat a, struct mat b, const uint8_t *mask, bool weights)
{
	struct apart out;
	(weights ? apart_weights : apart_scores)(a, mask, b, mask, &out);
	return out.distance;
}

TEST(masked_against_unmasked_is_said)
{
	static const struct {
		const char *first, *others, *said;
	} rows[] = {
		{"alibi", "compare t5\n", "masked against unmasked: 1 sees 6, 2 sees all 9 pairs"},
		{"rope+causal", "compare alibi\n", NULL},
		{"window(width=2)", "compare causal; causal+window(width=2)\n",
		 "masks differ: 1 sees 7, 2 sees 6, 3 sees 5"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char lines[128];
		snprintf(lines, sizeof lines, "view compare\nsentence a b c\n%s", rows[i].others);
		const struct picture *const p = help_picture(&arena, rows[i].first, lines);
		const struct card *const card = &help_panel(&p->figure, "What differs")->card;
		const bool told = strcmp(card->lines[0].key, "masks") == 0;
		assert_int_equal(told, rows[i].said != NULL);
		if (told)
			assert_non_null(strstr(p->figure.subtitle, rows[i].said));
	}
}

TEST(it_is_a_distance)
{
	struct rng rng;
	rng_init_name(&rng, 5, "apart");
	uint8_t mask[N * N];
	for (size_t i = 0; i < N * N; i++)
		mask[i] = i % N <= i / N;
	for (size_t k = 0; k < 40; k++) {
		const bool weights = k % 2;
		const uint8_t *m = k % 4 < 2 ? NULL : mask;
		const struct mat a = drawn(&rng, weights), b = drawn(&rng, weights),
				 c = drawn(&rng, weights);
		const double ab = between(a, b, m, weights);
		assert_true(ab > 0);
		assert_true(fabs(ab - between(b, a, m, weights)) < 1e-15);
		assert_true(between(a, a, m, weights) <= 0);
		assert_true(between(a, c, m, weights) <= ab + between(b, c, m, weights) + 1e-12);
		assert_true(!weights || ab <= 1);
	}
}

/* What softmax does not see: the same number for every key of a row. */
TEST(constants_of_rows_are_not_seen)
{
	struct rng rng;
	rng_init_name(&rng, 6, "apart");
	const struct mat a = drawn(&rng, false), b = mat_copy(&arena, a);
	for (size_t i = 0; i < N * N; i++)
		b.at[i] += (double)(i / N) - 2.5;
	struct apart out;
	apart_scores(a, NULL, b, NULL, &out);
	assert_true(out.distance < 1e-12);
	near(out.most, 2.5);
	b.at[7] += 0.1;
	apart_scores(a, NULL, b, NULL, &out);
	assert_true(out.distance > 0.01);
}

/* ---- the picture against evaluations of its own --------------------------------------------------- */

static struct trace *evaluated(const struct scene *s, const char *expression)
{
	struct setup setup = s->setup;
	setup.scheme = expression;
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_MASK | WANT_BIAS,
				  .layer = s->layer - 1,
				  .head = s->head - 1};
	struct built *b = arena_calloc(&arena, 1, sizeof *b);
	struct trace *trace = arena_calloc(&arena, 1, sizeof *trace);
	struct err err = {""};
	if (!evaluate(&setup, &want, NULL, NULL, &arena, b, trace, &err))
		fail_msg("%s: %s", expression, err.text);
	return trace;
}

static struct mat matrix_of(const struct scene *s, const struct trace *t)
{
	const struct trace_head *h = &t->layers[s->layer - 1].heads[s->head - 1];
	return s->matrix == MATRIX_BIAS	    ? t->layers[0].heads[s->head - 1].bias
	       : s->matrix == MATRIX_LOGITS ? h->logits
					    : h->weights;
}

static bool sees(const struct scene *s, const struct trace *t, size_t cell)
{
	const uint8_t *const mask = t->layers[s->layer - 1].heads[s->head - 1].mask;
	return !mask || mask[cell];
}

static const struct panel *difference_of(const struct picture *p)
{
	return &p->figure.panels[0];
}

static void expect_same(const struct scene *s, const struct picture *p, const char *where)
{
	const struct panel *panel = difference_of(p);
	const struct trace *const a = evaluated(s, p->compared[0].expression);
	const struct trace *const b = evaluated(s, p->compared[1].expression);
	const struct mat x = matrix_of(s, a), y = matrix_of(s, b);
	if (panel->absent && strstr(panel->absent, "are the same here")) {
		for (size_t i = 0; i < x.rows * x.cols; i++)
			if (sees(s, a, i) && sees(s, b, i) && !(fabs(x.at[i] - y.at[i]) < 1e-12))
				fail_msg("%s: cell %zu is not the same", where, i);
		return;
	}
	if (panel->absent) {
		if (x.at && y.at && x.rows == y.rows && x.cols == y.cols &&
		    strstr(panel->absent, "stand for other") == NULL && !p->trace.bias_absent &&
		    !p->compared[1].trace->bias_absent)
			fail_msg("%s: %s", where, panel->absent);
		return;
	}
	const struct heatmap *h = &panel->heatmap;
	for (size_t i = 0; i < x.rows * x.cols; i++)
		if (!(h->masked && h->masked[i]) &&
		    !(fabs(h->values.at[i] - (x.at[i] - y.at[i])) < 1e-12))
			fail_msg("%s: the difference is off in cell %zu", where, i);
}

TEST(every_scheme_is_compared)
{
	static const char *const matrices[] = {"weights", "logits", "bias", "mask"};
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP) {
		const struct arena_mark mark = arena_mark(&arena);
		const char *id = scheme_at(i)->id;
		char lines[256], where[128];
		snprintf(lines, sizeof lines,
			 "view compare\nmatrix %s\ncompare rope+causal; %s\nhead %zu\nlayer %zu\n"
			 "row 2\ncol 3\nsentence a b c a d",
			 matrices[i % 4], i % 3 ? "t5" : "gauss", i % 4 + 1, i % 2 + 1);
		snprintf(where, sizeof where, "%s %s", id, matrices[i % 4]);
		const struct picture *p = help_picture(&arena, id, lines);
		const struct scene s = help_scene(id, lines);
		help_figure_is_sound(&arena, &p->figure, where);
		assert_int_equal(p->n_compared, 3);
		assert_int_equal(p->figure.n, 6);
		if (s.matrix != MATRIX_MASK)
			expect_same(&s, p, where);
		arena_rewind(&arena, mark);
	}
}

static const struct card_line *line_of(const struct picture *p, const char *key)
{
	const struct card *c = &help_panel(&p->figure, "What differs")->card;
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->lines[i].key, key) == 0)
			return &c->lines[i];
	return NULL;
}

static const char four[] =
	"view compare\nsentence a b c d e\ncompare alibi; t5; shaw(clip=2)+causal\n";

static struct picture *of_four(const char *more)
{
	return help_picture(&arena, "rope", arena_printf(&arena, "%s%s", four, more));
}

TEST(all_have_one_scale_and_their_number)
{
	static const char *const titles[] = {"1 rope", "2 alibi", "3 t5", "4 shaw(clip=2)+causal"};
	const struct picture *p = of_four("matrix logits");
	const struct scale *first = &p->figure.panels[1].heatmap.scale;
	for (size_t i = 0; i < 4; i++) {
		const struct panel *panel = &p->figure.panels[1 + i];
		assert_string_equal(panel->title, titles[i]);
		assert_true(fabs(panel->heatmap.scale.lo - first->lo) <= 0);
		assert_true(fabs(panel->heatmap.scale.hi - first->hi) <= 0);
		assert_string_equal(panel->heatmap.colormap->name,
				    p->figure.panels[1].heatmap.colormap->name);
	}
	const struct curves *c = &help_panel(&p->figure, "Position bias by distance")->curves;
	assert_int_equal(c->n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(c->series[i].colour, i);
		assert_int_equal(c->series[i].label[0], '1' + (char)i);
	}
}

/* The softmax of n logits, of the keys that both masks allow. */
static void under_both(const double *logits, const uint8_t *x, const uint8_t *y, size_t n,
		       double *out)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		out[i] = (x && !x[i]) || (y && !y[i]) ? 0 : exp(logits[i]);
		sum += out[i];
	}
	for (size_t i = 0; i < n; i++)
		out[i] /= sum;
}

/* Mean over queries of half the sum of |a − b|, both under the masks of both. */
static double variation(const struct trace_head *x, const struct trace_head *y)
{
	const size_t n = x->logits.rows;
	double sum = 0;
	for (size_t t = 0; t < n; t++) {
		double a[8], b[8];
		const uint8_t *mx = x->mask ? x->mask + t * n : NULL;
		const uint8_t *my = y->mask ? y->mask + t * n : NULL;
		assert_true(n <= 8);
		under_both(mat_row(x->logits, t), mx, my, n, a);
		under_both(mat_row(y->logits, t), mx, my, n, b);
		for (size_t s = 0; s < n; s++)
			sum += fabs(a[s] - b[s]) / 2;
	}
	return sum / (double)n;
}

/* On the weights: each has its own line, and they are those of the definition, made anew of the logits
 * as if both expressions had both masks. */
TEST(all_pairs_have_their_distance)
{
	const struct picture *p = of_four("matrix weights\npair 2-4");
	const struct scene s = help_scene("rope", four);
	const struct trace_head *m[4];
	for (size_t i = 0; i < 4; i++)
		m[i] = &evaluated(&s, p->compared[i].expression)->layers[0].heads[0];
	for (size_t i = 0; i < PAIRS; i++) {
		const size_t x = pairs[i][0] - 1u, y = pairs[i][1] - 1u;
		const struct card_line *line =
			line_of(p, arena_printf(&arena, "distance %zu−%zu", x + 1, y + 1));
		assert_non_null(line);
		assert_true(fabs(strtod(line->value, NULL) - variation(m[x], m[y])) < 6e-4);
		assert_int_equal(line->note != NULL, i == 4);
	}
	assert_string_equal(difference_of(p)->paper_title, "Difference 2 − 4");
	assert_non_null(strstr(difference_of(p)->note, line_of(p, "distance 2−4")->value));
}

TEST(another_pair_is_drawn_from_what_is_kept)
{
	struct picture *p = of_four("matrix bias");
	struct scene s = help_scene("rope", arena_printf(&arena, "%smatrix bias\npair 3-4", four));
	const struct picture *fresh = of_four("matrix bias\npair 3-4");
	picture_redraw(&s, NULL, false, BACKGROUND_LIGHT, &arena, p, NULL);
	assert_true(mat_max_abs_diff(difference_of(p)->heatmap.values,
				     difference_of(fresh)->heatmap.values) <= 0);
	assert_string_equal(difference_of(p)->note, difference_of(fresh)->note);
	/* A pair that is not there is the first. */
	const struct picture *two =
		help_picture(&arena, "rope", "view compare\ncompare t5\npair 3-4");
	assert_string_equal(difference_of(two)->paper_title, "Difference 1 − 2");
}

TEST(the_same_is_no_distance_apart)
{
	static const char *const matrices[] = {"weights", "logits", "bias", "mask"};
	for (size_t i = 0; i < 4; i++) {
		const struct picture *p =
			help_picture(&arena, "alibi",
				     arena_printf(&arena, "view compare\ncompare alibi\nmatrix %s",
						  matrices[i]));
		assert_int_equal(line_of(p, "distance 1−2")->value[0], '0');
		assert_non_null(strstr(difference_of(p)->subtitle, "the same"));
		assert_null(line_of(p, "learned"));
		/* A matrix that is zero everywhere is a sentence, and its room the others'. */
		assert_true(difference_of(p)->lead);
		assert_non_null(strstr(difference_of(p)->absent, "1 and 2 are the same here"));
		assert_null(p->figure.finding);
	}
}

/* ---- masks that differ ------------------------------------------------------------------------------ */

/* Of window(width=2) and causal on four words: the first hides keys farther than one, the second later
 * ones. */
static uint8_t hidden_of(size_t t, size_t s)
{
	const bool first = s > t + 1 || t > s + 1, second = s > t;
	return first && second ? HEATMAP_MASKED
	       : first	       ? HEATMAP_MASKED_FIRST
	       : second	       ? HEATMAP_MASKED_SECOND
			       : HEATMAP_OPEN;
}

TEST(cells_that_one_hides_have_a_mark_of_their_own)
{
	static const char *const matrices[] = {"weights", "logits", "bias"};
	for (size_t i = 0; i < 3; i++) {
		const struct picture *p = help_picture(
			&arena, "shaw+window(width=2)",
			arena_printf(&arena,
				     "view compare\ncompare alibi\nsentence a b c d\nmatrix %s",
				     matrices[i]));
		const struct heatmap *h = &difference_of(p)->heatmap;
		double most = 0;
		for (size_t k = 0; k < 16; k++) {
			assert_int_equal(h->masked[k], hidden_of(k / 4, k % 4));
			if (!h->masked[k])
				most = fmax(most, fabs(h->values.at[k]));
		}
		/* The colours are for the cells that both have. */
		near(h->scale.hi, most);
		near(h->scale.lo, -most);
		assert_string_equal(heatmap_hidden(&arena, h, 2, 0), "masked in 1 only");
		assert_string_equal(heatmap_hidden(&arena, h, 0, 1), "masked in 2 only");
		assert_string_equal(heatmap_hidden(&arena, h, 0, 3), "masked");
		assert_null(heatmap_hidden(&arena, h, 1, 1));
		assert_non_null(strstr(difference_of(p)->subtitle, "masked in \\\\ 1, // 2 only"));
	}
}

TEST(a_screen_says_what_its_marks_of_masks_are)
{
	const struct picture *p =
		help_picture(&arena, "shaw+window(width=2)",
			     "view compare\ncompare alibi\nsentence a b c d\nmatrix bias");
	static const char *const signs[][2] = {{"╲", "╱"}, {"\\", "/"}};
	for (int ascii = 0; ascii < 2; ascii++)
		for (int tier = TIER_MONO; tier < TIER_COUNT; tier++) {
			struct canvas *c = help_canvas(16, 40, (enum tier)tier, ascii);
			struct heatmap_view v;
			struct rect data, cell;
			canvas_panel(c, (struct rect){0, 0, 16, 40}, difference_of(p), false, &data,
				     &v);
			assert_true(canvas_place(data, &v, 3, 0, &cell));
			const char *const of_one = help_between(c, cell.row + (cell.rows - 1) / 2,
								cell.col, cell.col + cell.cols);
			assert_string_equal(of_one, signs[ascii][0]);
			assert_true(canvas_place(data, &v, 0, 1, &cell));
			const char *const of_two = help_between(c, cell.row + (cell.rows - 1) / 2,
								cell.col, cell.col + cell.cols);
			assert_string_equal(of_two, signs[ascii][1]);
			assert_non_null(strstr(help_screen(c),
					       arena_printf(&arena, "masked in %s 1, %s 2 only",
							    signs[ascii][0], signs[ascii][1])));
		}
	/* Before how far apart the two are, which the card says too. */
	struct canvas *c = help_canvas(13, 26, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 13, 26}, difference_of(p), false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), "masked in ╲ 1, ╱ 2 "));
}

/* ---- alone ---------------------------------------------------------------------------------------- */

TEST(an_expression_alone_stands_beside_itself_without_position)
{
	static const char position[] = "the same without position";
	static const char *const table[][3] = {
		{"rope", "none", position},
		{"rope+causal", "none+causal", position},
		{"alibi", "none+causal", position},
		{"alibi(causal=off)", "none", position},
		{"sinusoidal+t5+window(width=6)", "none+window(width=6)", position},
		{"gpt2", "none+causal", position},
		{"causal", "none", "the same without a mask"},
		{"none", "none+causal", "the same with a mask"},
		{"none+causal", "none", "the same without a mask"},
	};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		const struct picture *p = help_picture(&arena, table[i][0], "view compare");
		assert_int_equal(p->n_compared, 2);
		assert_string_equal(p->compared[1].expression, table[i][1]);
		assert_string_equal(p->figure.panels[2].subtitle, table[i][2]);
		assert_non_null(line_of(p, "more"));
	}
	assert_null(line_of(of_four(""), "more"));
}

/* ---- curves --------------------------------------------------------------------------------------- */

static const struct curves *curves_of(const struct picture *p)
{
	return &help_panel(&p->figure, "Position bias by distance")->curves;
}

TEST(curves_reach_beyond_the_sentence)
{
	const struct picture *p =
		help_picture(&arena, "alibi",
			     "view compare\ncompare t5; learned\nt-max 8\nreach 3\nsentence a b c");
	const struct curves *c = curves_of(p);
	/* All are even, or mask the future. */
	assert_true(c->folded);
	assert_int_equal(c->series[0].n, 24);
	assert_int_equal(c->series[1].n, 24);
	/* Head 1 of 4: a slope of 1/4, from 0 at the query to −23/4. */
	assert_true(fabs(c->series[0].y[0] + 23 / 4.) < 1e-12);
	/* A table has no more rows than it was made for. */
	assert_int_equal(c->series[2].n, 8);
	assert_non_null(strstr(line_of(p, "curve 3")->note, "learned has 8 positions"));
	assert_string_equal(line_of(p, "curve 3")->value, "ends at 7");
	assert_null(line_of(p, "curve 1"));
	const struct picture *near_ones =
		help_picture(&arena, "alibi", "view compare\ncompare t5\nt-max 8\nsentence a b c");
	/* One is even, the other masks the future: the past says all. */
	assert_true(curves_of(near_ones)->folded);
	assert_int_equal(curves_of(near_ones)->series[0].n, 3);
	near(curves_of(near_ones)->series[0].x[2], 0);
}

/* One side stands for both only beside one that has no other. */
TEST(curves_of_those_that_see_both_sides_have_both)
{
	static const struct {
		const char *one, *other;
		bool folded;
		const char *says;
	} rows[] = {{"t5", "rope", false, NULL},
		    {"t5", "none", false, NULL},
		    {"t5+causal", "alibi", true, "; past only: the future is masked"},
		    {"t5", "alibi", true, "; past only: the future is the same, or masked"},
		    {"tener", "alibi", false, NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const lines = arena_printf(
			&arena, "view compare\ncompare %s\nsentence a b c", rows[i].other);
		const struct picture *const p = help_picture(&arena, rows[i].one, lines);
		const struct panel *const panel =
			help_panel(&p->figure, "Position bias by distance");
		assert_int_equal(panel->curves.folded, rows[i].folded);
		assert_int_equal(panel->curves.series[0].n, rows[i].folded ? 3 : 5);
		if (rows[i].says)
			assert_non_null(strstr(panel->subtitle, rows[i].says));
		else
			assert_null(strstr(panel->subtitle, "past only"));
		assert_string_equal(panel->paper_note, "head 1, mean of pairs");
	}
}

/* What a mask forbids is no value of a bias, whoever forbids it. */
TEST(a_bias_ends_where_its_own_mask_does)
{
	const struct picture *p =
		help_picture(&arena, "rope+causal",
			     "view compare\nmatrix bias\nsentence a b c d\n"
			     "compare alibi; formula(b=if(s>t,-inf,-abs(s-t)-2)); formula(b=-inf)");
	for (size_t i = 0; i < 3; i++) {
		const struct heatmap *h = &p->figure.panels[1 + i].heatmap;
		const struct distances *by = p->compared[i].by_distance;
		assert_non_null(h->masked);
		for (size_t k = 0; k < 16; k++)
			assert_int_equal(h->masked[k], k % 4 > k / 4);
		for (size_t k = 4; k < by->n; k++)
			assert_true(isnan(by->mean[k]));
	}
	near(p->compared[2].by_distance->mean[1], -4); /* two back: −2 − 2 */
	for (size_t k = 0; k < 7; k++)
		assert_false(isfinite(p->compared[3].by_distance->mean[k]));
	assert_null(strstr(line_of(p, "distance 1−2")->note, "one only"));
	assert_non_null(strstr(p->figure.subtitle, "logits minus"));
	const struct picture *m =
		help_picture(&arena, "rope", "view compare\nmatrix mask\ncompare alibi");
	assert_non_null(strstr(m->figure.subtitle, "stroke"));
}

TEST(curves_that_are_one_line_have_one_name)
{
	const struct picture *p = help_picture(
		&arena, "rope", "view compare\ncompare rope(layout=half); alibi\nt-max 8\nreach 2");
	const struct curves *c = curves_of(p);
	/* The bias is that of a unit of ones, for which the order of channels is nothing. */
	assert_int_equal(c->n, 2);
	assert_string_equal(c->series[0].label, "1 = 2");
	assert_string_equal(c->series[1].label, "3 alibi");
	assert_int_equal(c->series[1].colour, 2);
	assert_int_equal(c->n_marks, 0); /* nothing of them is trained */
	assert_non_null(line_of(p, "same?"));
}

/* An overflow is not "the same". */
TEST(no_number_is_no_distance)
{
	const struct picture *p = help_picture(
		&arena, "formula(b=1e308)", "view compare\ncompare formula(b=-1e308)\nmatrix bias");
	const struct card_line *line = line_of(p, "distance 1−2");
	assert_string_equal(line->value, "not finite");
	assert_null(strstr(line->note, "the same"));
}

TEST(what_depends_on_the_length_is_said)
{
	const struct picture *p =
		help_picture(&arena, "rope",
			     "view compare\ncompare rope_dyn\nt-max 16\nreach 4\nsentence a b c");
	assert_string_equal(line_of(p, "curve 2")->value, "of 64 positions");
	assert_null(line_of(p, "curve 1"));
}

/* A table of six positions: distances up to 5. */
TEST(what_training_showed_ends_at_a_mark)
{
	const struct picture *p = help_picture(
		&arena, "none", "view compare\ncompare learned\nt-max 6\nreach 2\nsentence a b");
	assert_true(isinf(p->compared[0].trained));
	near(p->compared[1].trained, 5);
	assert_string_equal(line_of(p, "trained")->value, "1:nothing to train · 2:distance 5");
	p = help_picture(&arena, "rope", "view compare\ncompare t5");
	assert_string_equal(line_of(p, "trained")->value, "1:nothing to train · 2:every distance");
	assert_non_null(strstr(line_of(p, "trained")->note, "texts of 512 tokens"));
	/* Its curve ends there too: there is nothing beyond to be marked off. */
	assert_int_equal(curves_of(p)->n_marks, 0);
}

/* By edges between the tokens when the scene's own expression works on the structure; others may say what
 * they like of it. The reach of texts is none of a tree. */
TEST(curves_over_a_tree_are_by_its_distance)
{
	const struct picture *p = help_picture(&arena, "graformer",
					       "view compare\ncompare spr_rel\nsentence a b c d\n"
					       "governors 2 0 2 2\nreach 2\nrow 1\ncol 3");
	const struct panel *panel = help_panel(&p->figure, "Position bias by distance in the tree");
	assert_int_equal(panel->curves.n, 2);
	assert_int_equal(panel->curves.n_marks, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct mat bias = p->compared[i].trace->layers[0].heads[0].bias;
		const struct series *const s = &panel->curves.series[i];
		assert_int_equal(s->n, 3);
		double sum = 0; /* two edges: between a, c and d */
		for (size_t t = 0; t < 4; t++)
			for (size_t k = 0; k < 4; k++)
				sum += t != k && t != 1 && k != 1 ? mat_row(bias, t)[k] : 0;
		near(s->y[2], sum / 6);
	}
	near(panel->curves.cursor, 2);
	assert_string_equal(line_of(p, "curve 1")->note,
			    "reach is of positions, not of a structure");
	p = help_picture(&arena, "t5",
			 "view compare\ncompare spr_rel\nsentence a b c d\ngovernors 2 0 2 2");
	assert_int_equal(help_panel(&p->figure, "Position bias by distance")->curves.series[0].n,
			 7);
}

/* ALiBi at −256 beside rope, which stays within ±3: symlog, unless another scale is asked for. */
TEST(one_curve_need_not_flatten_another)
{
	static const struct {
		const char *line;
		enum curve_spread spread;
	} cases[] = {{"", CURVES_SYMLOG},
		     {"curve-scale linear", CURVES_LINEAR},
		     {"curve-scale symlog", CURVES_SYMLOG},
		     {"curve-scale own", CURVES_OWN}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct picture *const p = help_picture(
			&arena, "rope",
			arena_printf(&arena, "view compare\ncompare alibi\nreach 2\n%s",
				     cases[i].line));
		assert_int_equal(curves_of(p)->spread, cases[i].spread);
	}
	/* As far as the sentence goes they are alike. */
	const struct picture *const p =
		help_picture(&arena, "rope", "view compare\ncompare alibi\n");
	assert_int_equal(curves_of(p)->spread, CURVES_LINEAR);
}

/* Every scheme that computes beyond its t_max and says nothing of what it learns is marked there, if it
 * learns something. */
TEST(a_mark_stands_where_a_curve_goes_on)
{
	size_t marked = 0, unmarked = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		const struct arena_mark mark = arena_mark(&arena);
		if (s->reach || s->expression || s->ref == REF_NONE || s->flags & SCHEME_MASK)
			continue;
		const struct picture *p = help_picture(
			&arena, "none",
			arena_printf(&arena,
				     "view compare\ncompare %s\nt-max 6\nreach 2\nsentence a b",
				     s->id));
		const struct curves *c = curves_of(p);
		near(p->compared[1].trained, 5);
		if (c->n == 2 && c->series[1].n > (c->folded ? 6u : 11u)) {
			const struct model *const m = &p->compared[1].built->model;
			const size_t numbers = model_position_parameters(m);
			assert_int_equal(c->n_marks, numbers == 0 ? 0 : c->folded ? 1 : 2);
			unmarked += numbers == 0;
		}
		if (c->n_marks > 0) {
			near(c->marks[0].x, -5);
			assert_int_equal(c->marks[0].series, 1);
			assert_string_equal(c->marks[0].label, "trained to 5");
			assert_string_equal(c->marks[0].brief, "to 5");
			if (!c->folded)
				near(c->marks[1].x, 5);
			marked++;
		}
		arena_rewind(&arena, mark);
	}
	assert_true(marked > 0 && unmarked > 0);
}

TEST(curves_of_weights_stand_in_where_there_is_no_bias)
{
	const struct picture *p =
		help_picture(&arena, "gauss", "view compare\ncompare rope\nmatrix bias");
	assert_int_equal(curves_of(p)->n, 1);
	assert_non_null(
		strstr(help_panel(&p->figure, "Position bias by distance")->note, "no bias: 1"));
	assert_non_null(strstr(difference_of(p)->absent, "1: "));
	assert_string_equal(line_of(p, "distance 1−2")->value, "n/a");
	const struct picture *q = help_picture(&arena, "gauss", "view compare\ncompare gauss");
	assert_int_equal(help_panel(&q->figure, "Attention weights by distance")->curves.n, 1);
}

/* ---- cursor, refusals, memory --------------------------------------------------------------------- */

TEST(the_cell_is_told_of_every_expression)
{
	const struct picture *p = of_four("row 2\ncol 4");
	const struct card_line *line = line_of(p, "cell");
	assert_string_equal(line->note, "b → d");
	assert_non_null(strstr(line->value, "2:masked"));
	assert_non_null(strstr(line->value, "4:masked"));
	const double w = p->trace.layers[0].heads[0].weights.at[1 * 5 + 3];
	assert_true(fabs(strtod(line->value + 2, NULL) - w) < 6e-4);
	for (size_t i = 0; i < 5; i++) {
		const struct heatmap *h = &p->figure.panels[i].heatmap;
		assert_true(h->has_cursor && h->row == 1 && h->col == 3);
	}
	assert_true(view_find("compare")->reads_cursor);
}

TEST(refusals_say_which_expression)
{
	struct picture p;
	struct err err = {""};
	const struct scene s =
		help_scene("rope", "view compare\ncompare t5; bert\nt-max 4\nsentence a b c d e");
	assert_false(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	assert_int_equal(strncmp(err.text, "bert: learned has 4", 19), 0);
	struct watch stop = {.cancel = true};
	assert_false(
		picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, &stop, &arena, &p, &err));
	assert_string_equal(err.text, "cancelled");
}

/* Memory for one evaluation does not do for the four that this view keeps. */
TEST(all_count_against_the_memory)
{
	char text[8192];
	snprintf(text, sizeof text, "view compare\ncompare none; none; none\nsentence");
	for (size_t i = 0; i < 500; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), " %c%c",
			 'a' + (char)(i % 26), 'a' + (char)(i / 26 % 26));
	struct scene s = help_scene("none", text);
	struct built b;
	struct err err = {""};
	assert_true(setup_build(&s.setup, &arena, &b, &err));
	const struct want want = {.kinds = view_find("compare")->wants(&s)};
	s.setup.memory = (double)model_estimate(&b.model, &b.model_input, &want) + 1000;
	struct picture p;
	assert_false(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	assert_non_null(strstr(err.text, "memory"));
	s.setup.memory *= 6;
	assert_true(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
}

/* Four small maps say more than two large ones: on a usual screen all are there, and their difference. */
TEST(all_maps_stay_on_a_usual_screen)
{
	static const char *const lines[] = {"compare alibi\n", "compare alibi; t5\n",
					    "compare alibi; t5; sinusoidal\n"};
	for (size_t i = 0; i < 3; i++) {
		const struct figure *const f =
			&help_picture(&arena, "rope",
				      arena_printf(&arena, "view compare\n%s", lines[i]))
				 ->figure;
		struct rect place[FIGURE_PANELS];
		help_layout(f, (struct rect){1, 0, 21, 80}, 0, false, place);
		size_t maps = 0;
		for (size_t k = 0; k < f->n; k++)
			maps += f->panels[k].kind == PANEL_HEATMAP && place[k].rows >= 9 &&
				place[k].cols >= 14;
		assert_int_equal(maps, i + 3);
	}
}

/* All three matrices, although small ones could do without one of them. */
static struct figure *none_spared(const struct figure *f)
{
	struct figure *const out = arena_calloc(&arena, 1, sizeof *out);
	*out = *f;
	for (size_t i = 0; i < out->n; i++)
		out->panels[i].spare = false;
	return out;
}

/* Row labels that would be cut stand whole beside the first of the matrices, which all have cells of one size. */
TEST(rows_are_named_whole_once)
{
	static const struct rect screens[] = {{0, 0, 21, 80}, {0, 0, 17, 60}};
	const struct figure *const f =
		none_spared(&help_picture(&arena, "t5", "view compare\ncompare rope\n")->figure);
	for (size_t i = 0; i < 2; i++) {
		struct canvas *const c =
			help_canvas(screens[i].rows, screens[i].cols, TIER_DIRECT, false);
		struct rect place[FIGURE_PANELS];
		struct canvas_seen seen[FIGURE_PANELS];
		help_layout(f, screens[i], 0, false, place);
		canvas_panels(c, f, screens[i], place, 0, seen);
		const char *const text = help_screen(c);
		if (!strstr(text, "chased") || !strstr(text, "asleep") || strstr(text, "ch…") ||
		    strstr(text, "as…"))
			fail_msg("rows are cut:\n%s", text);
		for (size_t k = 0; k < 3; k++) {
			assert_int_equal(seen[k].view.cell_cols, seen[0].view.cell_cols);
			assert_int_equal(seen[k].view.cell_rows2, seen[0].view.cell_rows2);
			assert_int_equal(seen[k].data.row, seen[0].data.row);
		}
	}
}

/* In half rows, the number and the word of the first of two name both; a column that no panel has may lie between two matrices; the
 * head of the row labels is whole as well. */
TEST(rows_that_share_a_line_are_named_whole_once)
{
	static const struct {
		struct rect all;
		const char *first, *last;
	} screens[] = {{{0, 0, 10, 47}, " 1    the ▀", " 7   fell ▀"},
		       {{0, 0, 10, 61}, " 1     the ▀", " 7    fell ▀"},
		       {{0, 0, 13, 68}, " query↓ the", " asleep "}};
	const struct figure *const f =
		none_spared(&help_picture(&arena, "t5",
					  "view compare\ncompare rope\n"
					  "sentence the dog chased a cat and fell asleep")
				     ->figure);
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
		const struct rect all = screens[i].all;
		struct canvas *const c = help_canvas(all.rows, all.cols, TIER_DIRECT, false);
		struct rect place[FIGURE_PANELS];
		struct canvas_seen seen[FIGURE_PANELS];
		help_layout(f, all, 0, false, place);
		canvas_panels(c, f, all, place, 0, seen);
		const char *const text = help_screen(c);
		if (!strstr(text, screens[i].first) || !strstr(text, screens[i].last))
			fail_msg("%d columns:\n%s", all.cols, text);
	}
}

TEST(a_comparison_says_what_is_to_be_seen)
{
	static const char *const rows[][2] = {
		{"weights",
		 "t5 − rope: in the mean 0.424 of a query's weight goes to other keys; most for "
		 "query cat, 0.537 of its whole row."},
		{"bias", "t5 − rope: biases differ by "},
		{"logits", "t5 − rope: logits differ by "}};
	for (size_t i = 0; i < 3; i++) {
		const struct picture *const p = help_picture(
			&arena, "t5",
			arena_printf(&arena, "view compare\ncompare rope\nmatrix %s", rows[i][0]));
		assert_int_equal(strncmp(p->figure.finding, rows[i][1], strlen(rows[i][1])), 0);
		assert_int_equal(strncmp(difference_of(p)->title, "t5 − rope", strlen("t5 − rope")),
				 0);
	}
	const struct picture *const alone = help_picture(&arena, "t5", "view compare");
	assert_string_equal(alone->figure.finding,
			    "Without position, on average 0.427 of a query's weight goes to other "
			    "keys; most, 0.554, for query the₁.");
	assert_string_equal(alone->figure.panels[2].note, "no position");
	const struct picture *const masks =
		help_picture(&arena, "t5", "view compare\ncompare t5+causal\nmatrix mask\n");
	assert_string_equal(masks->figure.finding,
			    "t5 − t5+causal: 36 cells of 81 are allowed by one of the two alone.");
}

/* Cells show means over blocks: a scale up to the largest single cell would show nothing of a diagonal. */
TEST(the_difference_of_long_inputs_is_seen)
{
	const char *words = "w";
	for (size_t i = 1; i < 400; i++)
		words = arena_printf(&arena, "%s w%zu", words, i);
	const struct picture *const p = help_picture(
		&arena, "t5",
		arena_printf(&arena, "view compare\nmatrix weights\ncompare rope\nsentence %s\n",
			     words));
	const struct heatmap *const h = &difference_of(p)->heatmap;
	const double block = canvas_most_mean(&arena, h, 32),
		     most = p->figure.panels[0].heatmap.scale.hi;
	assert_true(mat_max_abs_diff(h->values, mat_zero(&arena, 400, 400)) > 2 * most);
	assert_true(block > 0.3 * most && block <= most);
	assert_true(h->scale.above > 0 && h->scale.above < 0.1);
	assert_non_null(strstr(scale_above(&h->scale, &arena), "% beyond"));
}

/* Beside blocks of a long input, which leave columns free, the words of rows are whole. */
TEST(words_beside_a_long_matrix_are_whole)
{
	const char *words = "river";
	for (size_t i = 1; i < 400; i++)
		words = arena_printf(&arena, "%s river%zu", words, i);
	const struct picture *const p = help_picture(
		&arena, "t5",
		arena_printf(&arena, "view compare\ncompare rope\nsentence %s\n", words));
	struct canvas *const c = help_canvas(34, 118, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 34, 118}, &p->figure.panels[1], false, NULL, NULL);
	if (!strstr(help_screen(c), "100  river99"))
		fail_msg("%s", help_screen(c));
}

/* Where the card has one row it is a sentence, and a whole one. */
TEST(differences_in_one_row_are_a_sentence)
{
	static const char *const rows[][3] = {
		{"t5", "compare rope",
		 "weights 0.424 of at most 1, most for query cat; outputs 0.412"},
		{"graphormer", "compare t5",
		 "positions: both in 1, relative in 2; learned numbers: 2476, 128"}};
	for (size_t i = 0; i < 2; i++) {
		const struct picture *const p = help_picture(
			&arena, rows[i][0], arena_printf(&arena, "view compare\n%s", rows[i][1]));
		const struct panel *const card = help_panel(&p->figure, "What differs");
		assert_string_equal(card->card.said, rows[i][2]);
		struct canvas *const c = help_canvas(1, 80, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, 1, 80}, card, false, NULL, NULL);
		assert_non_null(strstr(help_screen(c),
				       arena_printf(&arena, "Differences  %s", rows[i][2])));
		assert_null(strstr(help_screen(c), "…"));
	}
}

/* A small panel without room for both names has their numbers as the title of the difference. */
TEST(the_title_of_a_difference_fits)
{
	const struct picture *const p =
		help_picture(&arena, "sinusoidal", "view compare\ncompare alibi\n");
	static const struct {
		int cols;
		const char *title;
	} all[] = {{60, " sinusoidal − alibi, difference of weights "},
		   {30, " sinusoidal − alibi "},
		   {20, " 1 − 2 "}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct canvas *const c = help_canvas(16, all[i].cols, TIER_DIRECT, false);
		canvas_panel(c, (struct rect){0, 0, 16, all[i].cols}, difference_of(p), false, NULL,
			     NULL);
		if (!strstr(help_screen(c), all[i].title))
			fail_msg("%s\n%s", all[i].title, help_screen(c));
	}
}

/* The note on a file of params names each expression that takes nothing from it, except one with a file of its own. */
TEST(another_file_is_not_missed)
{
	struct setup setups[2] = {help_scene("rope", "").setup, help_scene("alibi", "").setup};
	struct built built[2];
	struct compared both[2];
	struct err err = {""};
	for (size_t i = 0; i < 2; i++) {
		if (!setup_build(&setups[i], &arena, &built[i], &err))
			fail_msg("%s", err.text);
		setups[i].params = "one.safetensors";
		both[i] = (struct compared){.setup = &setups[i], .built = &built[i]};
	}
	assert_string_equal(view_unused_params(&setups[0], &built[0], both, 2, &arena), "1, 2");
	setups[1].params = "other.safetensors";
	assert_string_equal(view_unused_params(&setups[0], &built[0], both, 2, &arena), "1");
	setups[1].params = "";
	assert_string_equal(view_unused_params(&setups[0], &built[0], both, 2, &arena), "1");
	/* Without positions there is nothing that could be taken from it. */
	setups[1] = help_scene("none", "").setup;
	if (!setup_build(&setups[1], &arena, &built[1], &err))
		fail_msg("%s", err.text);
	setups[1].params = setups[0].params;
	assert_string_equal(view_unused_params(&setups[0], &built[0], both, 2, &arena), "1");
}
