/* test_view.c: the figure of Explore for every scheme: its panels say what they show, numbers are
 * those of the trace, nothing is NaN where it must not be, and every word can be shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/text.h"
#include "help_measure.h"
#include "help_pages.h"
#include "help_sample.h"
#include "help_view.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

static struct picture *picture_of(const char *expression, const char *lines)
{
	const struct scene s = help_scene(expression, lines);
	struct picture *p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	if (!picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s %s: %s", expression, lines, err.text);
	return p;
}

enum { BIAS, MATRIX, CURVES, SCHEME, MEASURED };

/* Keys that stand for several units have no token and no distance. */
static bool keys_are_mixed(const struct picture *p)
{
	for (size_t i = 0; i < p->trace.key.n; i++)
		if (p->trace.key.token[i] >= 0)
			return false;
	return true;
}

/* One of these, or NULL where the figure has none: bias and curves may not be there. */
static const struct panel *panel_at(const struct picture *p, size_t which)
{
	const bool no_bias = p->trace.bias_absent != NULL;
	const bool no_curve = p->trace.bias_is_mask || keys_are_mixed(p) || p->by_distance.n <= 1;
	if ((which == BIAS && no_bias) || (which == CURVES && no_curve))
		return NULL;
	return &p->figure.panels[which - no_bias - (no_curve && which > CURVES)];
}

/* ---- words ------------------------------------------------------------------------------------------- */

static void expect_word(const char *text, const char *where)
{
	if (!text)
		return;
	if (!text_valid(text, strlen(text)) ||
	    strcmp(text_escape(&arena, text, strlen(text)), text) != 0 || help_has_nan(text))
		fail_msg("%s: \"%s\" cannot be shown", where,
			 text_escape(&arena, text, strlen(text)));
}

static void expect_card(const struct card *card, const char *where)
{
	expect_word(card->formula, where);
	expect_word(card->about, where);
	for (size_t i = 0; i < card->n; i++) {
		assert_true(card->lines[i].key && card->lines[i].value);
		assert_true(strlen(card->lines[i].value) > 0);
		expect_word(card->lines[i].key, where);
		expect_word(card->lines[i].value, where);
		expect_word(card->lines[i].note, where);
	}
}

static void expect_words(const struct figure *f, const char *where)
{
	const char *const words[] = {f->title, f->subtitle, f->caption, f->caption_right,
				     f->command};
	for (size_t i = 0; i < 5; i++) {
		assert_non_null(words[i]);
		expect_word(words[i], where);
	}
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		if (!p->title)
			fail_msg("%s: panel %zu has no title", where, i);
		expect_word(p->title, where);
		expect_word(p->paper_title, where);
		expect_word(p->note, where);
		expect_word(p->subtitle, where);
		expect_word(p->absent, where);
		if (p->kind == PANEL_CARD && !p->absent)
			expect_card(&p->card, where);
	}
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

static void expect_heatmap(const struct panel *p, const struct picture *picture, struct mat values,
			   const uint8_t *mask, const char *where)
{
	const struct heatmap *h = &p->heatmap;
	const struct trace *trace = &picture->trace;
	assert_int_equal(p->kind, PANEL_HEATMAP);
	assert_non_null(h->values.at);
	assert_int_equal(h->values.rows, trace->query.n);
	assert_int_equal(h->values.cols, trace->key.n);
	for (size_t i = 0; i < trace->query.n; i++)
		assert_string_equal(h->row_labels[i], trace->query.names[i]);
	for (size_t i = 0; i < trace->key.n; i++)
		assert_string_equal(h->col_labels[i], trace->key.names[i]);
	if (values.at)
		assert_true(mat_max_abs_diff(h->values, values) <= 0);
	for (size_t i = 0; i < h->values.rows * h->values.cols; i++) {
		const bool masked = h->masked && h->masked[i];
		if (!isfinite(h->values.at[i]))
			fail_msg("%s, %s: cell %zu is %g", where, p->title, i, h->values.at[i]);
		assert_int_equal(masked, mask && !mask[i]);
		if (!h->scale.locked && !masked &&
		    !(h->values.at[i] >= h->scale.lo - 1e-12 &&
		      h->values.at[i] <= h->scale.hi + 1e-12))
			fail_msg("%s, %s: %g is outside %g..%g", where, p->title, h->values.at[i],
				 h->scale.lo, h->scale.hi);
	}
	assert_true(isfinite(h->scale.lo) && isfinite(h->scale.hi) && h->scale.lo <= h->scale.hi);
	assert_int_equal(h->colormap->diverging, h->scale.diverging);
}

/* Whether a curve is what was reduced of this head. */
static bool is_row(const struct series *s, const struct distances *by, size_t head)
{
	const double *const row = by->mean + head * by->n;
	for (size_t k = 0; k < s->n; k++) {
		const double y = row[(size_t)((long)s->x[k] - by->lo)];
		if (isnan(y) != isnan(s->y[k]) || fabs(y - s->y[k]) > 0)
			return false;
	}
	return true;
}

static void expect_curves(const struct picture *p, const char *where)
{
	const struct curves *c = &panel_at(p, CURVES)->curves;
	const struct distances *by = &p->by_distance;
	size_t active = 0;
	assert_true(c->n > 0);
	for (size_t i = 0; i < c->n; i++) {
		const struct series *s = &c->series[i];
		/* Of a structure the numbers that occur, else all distances. */
		assert_true(by->number ? s->n <= by->n : s->n == by->n);
		expect_word(s->label, where);
		bool any = false, found = false;
		for (size_t k = 0; k < s->n; k++) {
			assert_true(by->number || fabs(s->x[k] - (double)(by->lo + (long)k)) <= 0);
			any |= isfinite(s->y[k]);
			assert_false(isinf(s->y[k]));
		}
		if (!any && by->n > 1) /* a scheme may not let a token see itself */
			fail_msg("%s: curve %s has no point", where, s->label);
		for (size_t h = 0; h < by->heads; h++)
			found |= is_row(s, by, h);
		assert_true(found);
		active += s->active;
		assert_int_equal(s->active, s->lo && s->hi);
	}
	assert_int_equal(active, 1);
}

/* The curve is the mean of the panel's own diagonals, or of cells of one number; units that a scheme puts in do not count. */
static void expect_own_diagonals(const struct picture *p, const struct mat m, const uint8_t *mask)
{
	const struct curves *c = &panel_at(p, CURVES)->curves;
	const struct series *s = NULL;
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].active)
			s = &c->series[i];
	assert_non_null(s);
	for (size_t k = 0; k < s->n; k++) {
		double sum = 0;
		size_t n = 0;
		for (size_t i = 0; i < m.rows * m.cols; i++) {
			const size_t t = i / m.cols, key = i % m.cols;
			const bool tokens =
				p->trace.query.token[t] >= 0 && p->trace.key.token[key] >= 0;
			const bool counts =
				c->number ? c->number[i] == (int32_t)s->x[k]
					  : tokens && (long)key - (long)t == (long)s->x[k];
			if (!counts || (mask && !mask[i]))
				continue;
			sum += m.at[i];
			n++;
		}
		assert_int_equal(n == 0, isnan(s->y[k]));
		if (n)
			assert_true(fabs(sum / (double)n - s->y[k]) < 1e-12);
	}
}

static void expect_explore(const char *expression, const char *lines)
{
	const struct picture *p = picture_of(expression, lines);
	const struct figure *f = &p->figure;
	const struct scene s = help_scene(expression, lines);
	const size_t head = (size_t)s.head - 1, layer = (size_t)s.layer - 1;
	const struct trace_head *at = &p->trace.layers[layer].heads[head];
	expect_words(f, expression);
	for (size_t i = 0; i < f->n; i++) /* nothing takes room to say that it is not there */
		assert_true(!f->panels[i].absent || f->panels[i].kind == PANEL_CARD);
	const struct panel *bias = panel_at(p, BIAS), *matrix = panel_at(p, MATRIX);
	if (!bias) {
		assert_non_null(strstr(matrix->note, "no bias"));
		assert_true(strstr(matrix->subtitle, p->trace.bias_absent) ||
			    s.matrix == MATRIX_LOGITS);
	} else if (p->trace.bias_is_mask) {
		assert_string_equal(bias->title, "Mask");
		expect_heatmap(bias, p, (struct mat){0}, at->mask, expression);
	} else {
		const uint8_t *mask = p->trace.layers[0].heads[head].mask;
		expect_heatmap(bias, p, p->trace.layers[0].heads[head].bias, mask, expression);
		if (!strstr(bias->subtitle, "zero everywhere"))
			assert_int_equal(mask != NULL, strstr(bias->subtitle, "stroke") != NULL);
		const struct scale *scale = &bias->heatmap.scale;
		assert_true(scale->diverging);
		if (!s.lock)
			assert_true(fabs(scale->lo + scale->hi) <= 0);
		if (!keys_are_mixed(p) && p->by_distance.n > 1)
			expect_own_diagonals(p, bias->heatmap.values, mask);
	}
	const bool logits = s.matrix == MATRIX_LOGITS && strcmp(matrix->title, "Logits") == 0;
	assert_true(logits || s.matrix != MATRIX_LOGITS || strstr(matrix->subtitle, "no logits"));
	expect_heatmap(matrix, p,
		       logits			 ? at->logits
		       : s.matrix == MATRIX_MASK ? (struct mat){0}
						 : at->weights,
		       at->mask, expression);
	if (panel_at(p, CURVES))
		expect_curves(p, expression);
	assert_int_equal(panel_at(p, MEASURED)->kind, PANEL_CARD);
	assert_int_equal(f->n, (size_t)(panel_at(p, MEASURED) - f->panels) + 1);
	assert_non_null(strstr(f->subtitle, s.setup.scheme));
}

TEST(every_scheme_has_its_figure)
{
	static const char *const lines[] = {
		"",
		"matrix logits\nhead 2\nlayer 2\nproj random",
		"matrix mask\nsentence a b",
		"matrix weights\nsentence a\nheads 1",
		"special cls,sep\nhead 4\nscale log\nlock on\nlock-lo -2\nlock-hi 3",
		"probe off\nproj tied\nsentence a b a b a b\norder reverse\nscale sqrt\nrow 2\ncol "
		"3",
		"probe cat\nheads 8\nhead 7\ncolormap magma\ntokens chars\nsentence a b c",
	};
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP)
		for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
			const struct arena_mark mark = arena_mark(&arena);
			const char *id = scheme_at(i)->id;
			if (k == 4) {
				const struct picture *p = picture_of(id, lines[k]);
				expect_words(&p->figure, id);
			} else {
				expect_explore(id, lines[k]);
			}
			arena_rewind(&arena, mark);
		}
	expect_explore("alibi(causal=off)+t5(scale=rsqrt,heads=[2,3])", "");
	expect_explore("rope+causal", "head 3");
	expect_explore("alibi(heads=1)+rope", "head 1\nlayer 2");
	expect_explore("alibi(heads=1)+rope", "head 2");
	expect_explore("deberta(emd=on)", "layer 3\nmatrix logits");
	expect_explore("gauss(heads=2)+rope", "matrix logits\nhead 2");
	expect_explore("gauss(heads=2)+rope", "head 1\nlayer 2");
	expect_explore("sinusoidal+rope+alibi+causal", "head 2\nlayer 2\nmatrix logits");
}

TEST(weights_and_masks_are_told_apart)
{
	const struct picture *p = picture_of("alibi(causal=off)", "");
	assert_null(p->figure.panels[MATRIX].heatmap.masked);
	assert_null(strstr(p->figure.panels[MATRIX].subtitle, "masked"));
	p = picture_of("alibi", "");
	assert_non_null(strstr(p->figure.panels[MATRIX].subtitle, "masked"));
	const struct heatmap *h = &p->figure.panels[MATRIX].heatmap;
	assert_int_equal(h->masked[1], 1);
	assert_int_equal(h->masked[h->values.cols], 0);
	assert_true(fabs(h->scale.lo) <= 0 && fabs(h->scale.hi - 1) <= 0);
	assert_false(h->scale.diverging);
	p = picture_of("alibi", "layer 2");
	assert_non_null(p->figure.panels[BIAS].heatmap.masked);
	p = picture_of("causal", "");
	assert_string_equal(p->figure.panels[BIAS].title, "Mask");
	assert_int_equal(p->figure.panels[BIAS].heatmap.masked[1], 1);
	p = picture_of("gauss", "matrix logits");
	assert_string_equal(p->figure.panels[0].title, "Attention weights");
	assert_non_null(strstr(p->figure.panels[0].subtitle, "no logits"));
	assert_int_equal(p->figure.panels[0].cols, 2);
	p = picture_of("none", "");
	assert_non_null(strstr(p->figure.panels[BIAS].subtitle, "zero everywhere"));
}

/* The words hang on the second, which is the root: 0 to itself, 1 edge to each, 2 between others. */
static const char star[] = "sentence a b c d\ngovernors 2 0 2 2\n";

static long star_edges(size_t t, size_t s)
{
	return t == s ? 0 : t == 1 || s == 1 ? 1 : 2;
}

/* Means over all pairs of a star of so many edges, of units from `first` on. */
static void expect_star(const struct picture *p, size_t first)
{
	const struct series *const s = &p->figure.panels[CURVES].curves.series[0];
	const struct mat bias = p->trace.layers[0].heads[0].bias;
	assert_int_equal(s->n, 3);
	for (long edges = 0; edges < 3; edges++) {
		double sum = 0, count = 0, least = INFINITY;
		for (size_t t = 0; t < 4; t++)
			for (size_t k = 0; k < 4; k++) {
				if (star_edges(t, k) != edges)
					continue;
				const double value = mat_row(bias, first + t)[first + k];
				sum += value;
				count++;
				least = fmin(least, value);
			}
		assert_true(fabs(s->x[edges] - (double)edges) <= 0);
		assert_true(fabs(s->y[edges] - sum / count) < 1e-12);
		assert_true(fabs(s->lo[edges] - least) <= 0);
	}
}

TEST(curves_of_structures_are_by_their_own_relation)
{
	/* A virtual node stands in front of the four, and no pair with it has a number. */
	const struct picture *p =
		help_picture(&arena, "graphormer", arena_printf(&arena, "%srow 2\ncol 4", star));
	const struct panel *panel = &p->figure.panels[CURVES];
	expect_star(p, 1);
	assert_string_equal(panel->title, "Bias by shortest path");
	assert_string_equal(panel->curves.x_title, "shortest path, φ(t,s)");
	assert_non_null(strstr(panel->subtitle, "; 9 pairs without a number are left out"));
	assert_true(panel->curves.has_cursor && fabs(panel->curves.cursor - 2) <= 0);
	p = help_picture(&arena, "graphormer", arena_printf(&arena, "%srow 1\ncol 4", star));
	assert_false(p->figure.panels[CURVES].curves.has_cursor);
	/* Numbers of single nodes make none of two: then the distance on the tree. */
	p = help_picture(&arena, "laplacian", star);
	expect_star(p, 0);
	assert_string_equal(p->figure.panels[CURVES].title, "Bias by distance in the tree");
	/* Depths: the root's is 0, all others' 1. */
	p = help_picture(&arena, "spr_abs", arena_printf(&arena, "%sproj random", star));
	const struct series *const s = &p->figure.panels[CURVES].curves.series[0];
	const struct mat bias = p->trace.layers[0].heads[0].bias;
	assert_int_equal(s->n, 3);
	assert_true(fabs(s->x[0] + 1) <= 0 && fabs(s->x[2] - 1) <= 0);
	assert_true(fabs(s->y[2] -
			 (mat_row(bias, 1)[0] + mat_row(bias, 1)[2] + mat_row(bias, 1)[3]) / 3) <
		    1e-12);
	/* A scheme of the sequence counts places, whatever hangs above. */
	p = help_picture(&arena, "t5", star);
	assert_string_equal(p->figure.panels[CURVES].title, "Bias by distance");
	assert_int_equal(p->figure.panels[CURVES].curves.series[0].n, 7);
}

/* Words of one node are counted within their label: that is no distance of nodes. */
TEST(words_of_one_node_are_no_steps)
{
	const struct picture *const p = help_picture(&arena, "graformer", "graph @kg1");
	const struct panel *const panel = &p->figure.panels[CURVES];
	const struct series *const s = &panel->curves.series[0];
	assert_true(fabs(s->x[0] + 2) <= 0 && fabs(s->x[s->n - 1] - 2) <= 0);
	/* Eight without a path, and two between the words of New York. */
	assert_non_null(strstr(panel->subtitle, "; 10 pairs without a number"));
}

/* Of labels on a path their number counts: none from a node to itself. */
TEST(paths_of_labels_count_by_their_length)
{
	const struct picture *const p = help_picture(&arena, "struct_tr", star);
	expect_star(p, 0);
	assert_string_equal(p->figure.panels[CURVES].title, "Bias by path length");
}

TEST(curves_of_all_heads_are_there)
{
	const struct picture *const p =
		help_picture(&arena, "alibi", "heads 16\nhead 3\nsentence a b c d");
	const struct curves *const c = &p->figure.panels[CURVES].curves;
	assert_int_equal(c->n, 16);
	for (size_t h = 0; h < 16; h++) {
		assert_int_equal(c->series[h].active, h == 2);
		/* −|t−s| 2^(−8 i/h) */
		assert_true(fabs(c->series[h].y[0] + 3 * exp2(-0.5 * (double)(h + 1))) < 1e-9);
	}
	assert_non_null(c->colormap);
	assert_non_null(strstr(p->figure.panels[CURVES].note, "s−t −3 … 0"));
}

/* gauss has no bias: its curves are of the weights, whatever stands beside them. */
TEST(curves_of_weights_stand_in_for_a_missing_bias)
{
	static const char *const matrices[] = {"matrix weights", "matrix logits", "matrix mask"};
	for (size_t i = 0; i < 3; i++) {
		const struct picture *p = picture_of("gauss", matrices[i]);
		const struct panel *c = panel_at(p, CURVES);
		assert_string_equal(c->title, "Weights by distance");
		/* Offset -1 in head 1: the bell of width 1 stands over the key before the query. */
		const struct series *s = &c->curves.series[0];
		for (size_t k = 0; k < s->n; k++)
			assert_true(fabs(s->y[k] - exp(-(s->x[k] + 1) * (s->x[k] + 1) / 2) /
							   2.50662827463100050242) < 1e-12);
	}
}

static struct scale bias_scale(const char *expression, const char *lines)
{
	return picture_of(expression, lines)->figure.panels[BIAS].heatmap.scale;
}

/* n units of two words in turn. */
static const char *long_lines(size_t n, const char *more)
{
	const char *text = "";
	for (size_t i = 0; i < n; i++)
		text = arena_printf(&arena, "%s %s", text, i % 2 ? "dog" : "cat");
	return arena_printf(&arena, "sentence%s\n%s", text, more);
}

/* 1/n, which each key gets when nothing is preferred, is seen however small it is: of 200 one part of the map is for
 * all up to it and one for each decade above, up to all but the largest hundredth. */
TEST(weights_of_a_long_input_are_spread_by_decades)
{
	static const struct {
		size_t n;
		enum scale_mode mode;
	} rows[] = {{2, SCALE_SQRT}, {60, SCALE_SQRT}, {100, SCALE_SQRT}, {200, SCALE_SYMLOG}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const lines = long_lines(rows[i].n, "content 0\n");
		const struct figure *const f = &help_picture(&arena, "none+causal", lines)->figure;
		const struct scale s = help_panel(f, "Attention weights")->heatmap.scale;
		assert_int_equal(s.mode, rows[i].mode);
		assert_true(fabs(s.lo) < 1e-12);
		if (s.mode == SCALE_SYMLOG) {
			/* A causal row t of equal weights has 1/t: 1 % of all pairs are above about 1/20. */
			assert_true(fabs(s.hi - 0.05) < 1e-12 || fabs(s.hi - 0.1) < 1e-12);
			assert_true(fabs(s.above - 0.01) < 1e-12);
			assert_true(fabs(s.linear - 1.0 / 200) < 1e-12);
			const double even = scale_at(&s, 1.0 / 200, NULL);
			assert_true(fabs(even - 1 / (1 + log10(200 * s.hi))) < 1e-12);
		} else {
			assert_true(fabs(s.hi - 1) < 1e-12 && s.above <= 0);
		}
	}
	const struct figure *const f =
		&help_picture(&arena, "none", long_lines(200, "scale sqrt\n"))->figure;
	assert_int_equal(help_panel(f, "Attention weights")->heatmap.scale.mode, SCALE_SQRT);
}

/* Zero keeps its colour, and so does every value; the bar shows the half that there is. */
TEST(values_of_one_sign_have_half_of_the_map)
{
	static const struct {
		const char *expression;
		int half;
	} rows[] = {{"formula(b=5+abs(t-s)/9)", 1},
		    {"formula(b=-5-abs(t-s)/9)", -1},
		    {"alibi", -1},
		    {"formula(b=t-s)", 0},
		    {"none", 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scale s = bias_scale(rows[i].expression, "");
		assert_true(s.diverging);
		assert_true(s.lo + s.hi >= 0 && s.lo + s.hi <= 0);
		assert_int_equal(s.half, rows[i].half);
	}
}

/* A billionth of a typical logit is rounding: tiles of zero, and the reason. */
TEST(nothing_is_not_stretched_over_all_colours)
{
	static const char *const nothing[] = {"none", "formula(b=1e-10*(t-s))", "alibi(factor=0)"};
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
		const struct panel *const p = panel_at(picture_of(nothing[i], ""), BIAS);
		assert_true(p->heatmap.scale.hi <= 0 && p->heatmap.scale.lo >= 0);
		assert_non_null(strstr(p->note, "adds nothing"));
		assert_non_null(strstr(p->subtitle, "adds nothing to the logits"));
	}
	const struct panel *const p = panel_at(picture_of("formula(b=1e-8*(t-s))", ""), BIAS);
	assert_true(p->heatmap.scale.hi > 1e-8);
	assert_null(strstr(p->note, "adds nothing"));
}

/* Unless somebody says which, the scale follows the values; a lock keeps it. */
TEST(scales_follow_the_values)
{
	static const char few[] = "formula(b=0.1+8*max(0,1-abs(t-s)))";
	assert_int_equal(bias_scale("formula(b=t-s)", "").mode, SCALE_LINEAR);
	assert_int_equal(bias_scale(few, "").mode, SCALE_SQRT);
	assert_int_equal(bias_scale("formula(b=exp(-6*abs(t-s)))", "").mode, SCALE_SYMLOG);
	assert_int_equal(bias_scale(few, "scale linear").mode, SCALE_LINEAR);
	assert_int_equal(bias_scale(few, "scale log").mode, SCALE_SYMLOG);
	assert_int_equal(bias_scale(few, "lock on\nlock-lo -9\nlock-hi 9").mode, SCALE_LINEAR);
	const struct scale kept = bias_scale(
		few, "lock on\nlock-lo -9\nlock-hi 9\nlock-scale symlog\nlock-linear 0.5");
	assert_true(kept.mode == SCALE_SYMLOG && kept.linear >= 0.5 && kept.linear <= 0.5);
}

TEST(a_lock_keeps_the_limits)
{
	const struct picture *p = picture_of("alibi", "lock on\nlock-lo -7\nlock-hi 7");
	assert_true(p->figure.panels[BIAS].heatmap.scale.locked);
	assert_true(fabs(p->figure.panels[BIAS].heatmap.scale.hi - 7) <= 0);
	assert_false(p->figure.panels[MATRIX].heatmap.scale.locked);
}

static const char *line_note(const struct card *card, const char *key)
{
	for (size_t i = 0; i < card->n; i++)
		if (strcmp(card->lines[i].key, key) == 0)
			return card->lines[i].note;
	return NULL;
}

static const char *line_value(const struct card *card, const char *key)
{
	for (size_t i = 0; i < card->n; i++)
		if (strcmp(card->lines[i].key, key) == 0)
			return card->lines[i].value;
	return NULL;
}

/* Pairs that a mask hides never occur: whatever hides them, bias, weights and curve leave them out. */
TEST(every_mask_is_drawn_in_the_bias)
{
	struct arena *const a = &arena;
	static const struct {
		const char *scheme;
		size_t masked; /* of 25 */
	} cases[] = {{"rope+causal", 10}, {"alibi", 10}, {"rope", 0}, {"t5+window(width=2)", 12}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct figure *const f =
			&help_picture(a, cases[i].scheme, "sentence a b c d e\n")->figure;
		const struct panel *const bias = help_panel(f, "Position bias");
		const struct panel *const weights = help_panel(f, "Attention weights");
		size_t masked = 0;
		double most = 0;
		for (size_t k = 0; k < 25; k++) {
			const bool here = bias->heatmap.masked && bias->heatmap.masked[k];
			assert_int_equal(here,
					 weights->heatmap.masked && weights->heatmap.masked[k]);
			masked += here;
			if (!here)
				most = fmax(most, fabs(bias->heatmap.values.at[k]));
		}
		assert_int_equal(masked, cases[i].masked);
		assert_true(fabs(bias->heatmap.scale.hi - most) < 1e-12);
		assert_int_equal(strstr(bias->subtitle, "; stroke: masked") != NULL, masked > 0);
		/* What stands there is said of rope, and not of a scheme that is made for the past. */
		assert_int_equal(bias->heatmap.beneath, i != 1);
	}
}

TEST(mixtures_tell_what_they_are)
{
	struct arena *const a = &arena;
	static const char two[] = "rope(heads=1-2)+alibi(heads=3-4)";
	const struct figure *f = &help_picture(a, two, "sentence a b c\n")->figure;
	assert_string_equal(f->title, "Rotary position embedding + Attention with linear biases");
	const struct card *card = &help_panel(f, "What rope does")->card;
	assert_string_equal(line_note(card, "masks"), "heads 1–2: all 9 pairs; heads 3–4: 6");
	assert_string_equal(line_note(card, "member 2"), "Attention with linear biases");
	assert_non_null(strstr(help_panel(f, "Attention weights")->note, "masks differ"));
	f = &help_picture(a, two, "sentence a b c\nhead 4\n")->figure;
	assert_non_null(strstr(help_panel(f, "What alibi does")->card.formula, "m_i"));
	f = &help_picture(a, two, "sentence a b c\nhead 4\nmember 1\n")->figure;
	help_panel(f, "What rope does");
	f = &help_picture(a, "rope+causal", "")->figure;
	card = &help_panel(f, "What it does")->card;
	assert_null(line_note(card, "masks"));
	assert_null(line_note(card, "member 1"));
}

TEST(a_mixture_has_a_card_of_every_member)
{
	struct arena *const a = &arena;
	static const char mixture[] = "0.5*t5+-0.25*alibi+causal+rope(heads=2)";
	const struct figure *f = &help_picture(a, mixture, "sentence a b c\n")->figure;
	const struct card *card = &help_panel(f, "What t5 does")->card;
	assert_string_equal(f->title, "0.5 × t5 + −0.25 × alibi + rope");
	assert_string_equal(line_value(card, "member 1"), "0.5 × t5");
	assert_string_equal(line_value(card, "member 2"), "−0.25 × alibi · with its causal mask");
	assert_string_equal(line_value(card, "alibi"),
			    "Aₜₛ = qₜ·kₛ / √dₕ − mᵢ (t − s),  mᵢ = 2^(−8i/h) in head i of h");
	assert_string_equal(line_note(card, "alibi"),
			    "relative: Each head takes a fixed amount off a logit per step of "
			    "distance: steep ones look near, flat ones far.");
	assert_non_null(line_note(card, "causal"));
	assert_non_null(strstr(line_value(card, "rope"), "R"));
	assert_null(line_value(card, "t5")); /* it is the card */
	assert_null(line_value(card, "weight"));
	f = &help_picture(a, mixture, "sentence a b c\nmember 2\n")->figure;
	card = &help_panel(f, "What alibi does")->card;
	assert_non_null(strstr(line_note(card, "t5"), "Each head learns one number"));
	assert_null(line_value(card, "alibi"));
	/* Of one alone nothing else tells it. */
	f = &help_picture(a, "0.5*t5", "sentence a b c\n")->figure;
	assert_string_equal(f->title, "0.5 × Bucketed relative bias");
	assert_string_equal(line_value(&help_panel(f, "What it does")->card, "weight"), "0.5");
}

TEST(as_many_members_as_there_may_be_have_their_cards)
{
	const struct figure *const f =
		&help_picture(&arena,
			      "shaw+alibi+fire+tisa+diet_rel+dpb+music+sandwich+kerple_log+"
			      "kerple_power+fox+cope+huang4+formula+matrix+causal",
			      "sentence a b c\n")
			 ->figure;
	const struct card *const card = &help_panel(f, "What shaw does")->card;
	assert_non_null(line_value(card, "member 16"));
	assert_non_null(line_value(card, "matrix"));
	assert_int_equal(card->n_first, MODEL_MAX_MEMBERS - 1);
}

TEST(captions_say_what_is_needed_to_make_it_again)
{
	const struct picture *p =
		picture_of("rope+causal", "sentence \"a \\e b c\"\nd-model 48\n"
					  "heads 6\nlayers 3\nseed 77\nproj tied");
	static const char *const words[] = {
		"d 48", "h 6", "layers 3", "seed 77", "tied projection", "content 2"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		assert_non_null(strstr(p->figure.caption, words[i]));
	assert_non_null(strstr(p->figure.command, "--seed 77"));
	assert_non_null(strstr(p->figure.command, "rope+causal"));
	const struct picture *odd = picture_of("rope", "sentence \x1b[31m\x07 \xff \u202e x");
	expect_words(&odd->figure, "an odd sentence");
}

TEST(heads_and_layers_beyond_the_last_are_the_last)
{
	const struct picture *p = picture_of("alibi", "head 9\nlayer 9\nrow 99\ncol 1");
	assert_string_equal(p->figure.panels[BIAS].note, "head 4 of 4 · always of layer 1");
	assert_non_null(strstr(p->figure.panels[MATRIX].note, "layer 2"));
	assert_false(p->figure.panels[BIAS].heatmap.has_cursor);
	p = picture_of("alibi", "row 2\ncol 5");
	assert_true(p->figure.panels[BIAS].heatmap.has_cursor);
	assert_int_equal(p->figure.panels[BIAS].heatmap.row, 1);
	assert_int_equal(p->figure.panels[CURVES].curves.has_cursor, true);
	assert_true(fabs(p->figure.panels[CURVES].curves.cursor - 3) <= 0);
}

/* ---- measures, redrawing, errors ----------------------------------------------------------------------- */

TEST(measures_appear_when_they_are_there)
{
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP) {
		const struct arena_mark mark = arena_mark(&arena);
		const struct scene s = help_scene(scheme_at(i)->id, "order reverse");
		struct measures m;
		struct picture p;
		struct err err = {""};
		assert_true(help_measure(&s.setup, NULL, &m, &err));
		assert_true(picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, &p,
					 &err));
		assert_non_null(panel_at(&p, MEASURED)->absent);
		picture_redraw(&s, &m, true, BACKGROUND_DARK, &arena, &p, NULL);
		assert_null(panel_at(&p, MEASURED)->absent);
		assert_true(panel_at(&p, MEASURED)->stale);
		assert_true(panel_at(&p, MEASURED)->card.n >= 4);
		expect_words(&p.figure, scheme_at(i)->id);
		if (!p.trace.bias_absent && p.figure.panels[BIAS].heatmap.scale.diverging)
			assert_true(p.figure.panels[BIAS].heatmap.colormap->background ==
				    BACKGROUND_DARK);
		arena_rewind(&arena, mark);
	}
}

/* ---- what was given ----------------------------------------------------------------------------------- */

static const char *line_of(const struct card *card, const char *key)
{
	for (size_t i = 0; i < card->n; i++)
		if (strcmp(card->lines[i].key, key) == 0)
			return card->lines[i].value;
	fail_msg("no %s", key);
	return "";
}

/* Rows begin behind the memory, columns with it; a curve goes as far as it, and so does its cursor. */
TEST(a_memory_is_columns_and_no_rows)
{
	static const char lines[] = "sentence a b c d e f\nmemory-tokens 2\nrow 2\ncol 2\n";
	const struct picture *p = picture_of("alibi", lines);
	const struct figure *f = &p->figure;
	const struct heatmap *h = &f->panels[MATRIX].heatmap;
	expect_words(f, "memory");
	assert_int_equal(h->values.rows, 4);
	assert_int_equal(h->values.cols, 6);
	assert_string_equal(h->row_labels[0], "c");
	assert_string_equal(h->col_labels[1], "~b");
	assert_string_equal(h->col_labels[2], "c");
	assert_non_null(strstr(f->panels[MATRIX].note, "memory 1–2"));
	assert_non_null(strstr(f->caption, "“~a ~b c d e f”   n 6"));
	assert_non_null(strstr(f->caption, "memory 2 (~)"));
	assert_string_equal(line_of(&f->panels[SCHEME].card, "given"), "memory 2 (~)");
	const struct curves *c = &f->panels[CURVES].curves;
	assert_true(fabs(c->series[0].x[0] + 5) < 1e-12);
	assert_true(fabs(c->series[0].y[0] + 5 * 0.25) < 1e-9); /* slope 2^(-8/4) */
	assert_true(fabs(c->cursor + 2) < 1e-12);		/* d, the 4th, and b, the 2nd */
	const struct picture *relation =
		picture_of("txl", "view relation\nsentence a b c d e f\nmemory-tokens 2\nrow 2\n"
				  "col 2\n");
	h = &relation->figure.panels[0].heatmap;
	assert_int_equal(h->values.rows, 4);
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s < 6; s++)
			assert_int_equal(lround(mat_row(h->values, t)[s]), (long)t + 2 - (long)s);
	assert_non_null(
		strstr(line_of(&relation->figure.panels[1].card, "this cell"), "d → ~b: 2"));
}

TEST(what_was_given_is_said)
{
	const struct picture *p =
		picture_of("sinusoidal", "sentence a b c d\nposition-ids 0 1 0 1\n"
					 "segments 1 0 0 1\nembed-scale sqrt-d\n");
	static const char given[] = "position ids 0 1 0 1 · segments 1 0 0 1 · token vectors × √d";
	assert_string_equal(line_of(&p->figure.panels[SCHEME].card, "given"), given);
	assert_non_null(strstr(p->figure.caption, given));
	assert_non_null(strstr(p->figure.panels[CURVES].curves.x_title, "not of position ids"));
	p = picture_of("sinusoidal", "sentence a b c d\n");
	assert_string_equal(p->figure.panels[CURVES].curves.x_title, "key minus query, s − t");
	assert_null(strstr(p->figure.caption, "token vectors ×"));
}

TEST(a_picture_says_what_is_wrong)
{
	static const struct {
		const char *lines, *word;
	} rows[] = {
		{"view nothing", "\"nothing\""},
		{"heads 5", "5 heads"},
		{"order 1 1", "1"},
		{"memory 1M\nd-model 512", "memory"},
		{"matrix bias", "the bias stands there already"},
	};
	for (size_t i = 0; i < 5; i++) {
		const struct scene s = help_scene("rope", rows[i].lines);
		struct picture p;
		struct err err = {""};
		assert_false(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p,
					  &err));
		if (!strstr(err.text, rows[i].word))
			fail_msg("%s: %s", rows[i].lines, err.text);
	}
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
		assert_ptr_equal(view_find(v->name), v);
		assert_true(v->title && v->help && v->wants && v->figure);
	}
	assert_null(view_find("nothing"));
}

/* ---- what holds with these parameters ------------------------------------------------------------- */

/* "value · note" of the line of that key on the scheme's card. */
static const char *said_of(const char *expression, const char *key)
{
	const struct card *c = &picture_of(expression, "")->figure.panels[SCHEME].card;
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->lines[i].key, key) == 0)
			return arena_printf(&arena, "%s · %s", c->lines[i].value,
					    c->lines[i].note ? c->lines[i].note : "");
	return "no such line";
}

TEST(the_card_follows_the_parameters)
{
	static const struct {
		const char *expression, *key, *says;
	} rows[] = {
		{"multiplicative", "length", "bounded"},
		{"multiplicative(table=sinusoidal)", "length", "unbounded"},
		{"txl(clamp=4)", "length", "distances beyond clamp count as it"},
		{"txl", "length", "unbounded"},
		{"laplacian", "injection", "in front of layer 1"},
		{"laplacian(local=on)", "injection", "in every layer"},
		{"rope(layers=1)", "injection", "in layer 1"},
		{"rope(layers=1-2)", "injection", "in layers 1-2"},
		{"fire", "reference", "up to position L"},
		{"tupe_a(reset=off)", "relative", "depends"},
		{"rope(partial=0)", "reference", "no pair is rotated"},
		{"rope_yarn", "here", "multiplied by 1.296 at any distance"},
		{"t5", "evidence", "f(23) = 10"},
		{"rope", "topic", "sinusoidal"},
		{"alibi", "topic", "no such line"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *said = said_of(rows[i].expression, rows[i].key);
		if (!strstr(said, rows[i].says))
			fail_msg("%s, %s: %s", rows[i].expression, rows[i].key, said);
	}
}

/* ---- once --------------------------------------------------------------------------------------------- */

static size_t texts_with(const struct raster_report *r, const char *words)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += strstr(r->boxes[i].text, words) != NULL;
	return n;
}

/* What the line under the title says of the whole page no panel repeats; what differs stays. */
TEST(a_page_says_head_and_authors_once)
{
	const struct raster_look look = {1600, 1000, 150, false, false};
	static const char *const names[] = {"explore", "order", "compare"};
	for (size_t i = 0; i < 3; i++) {
		const struct picture *p =
			picture_of("t5", arena_printf(&arena, "layers 3\nview %s", names[i]));
		const struct raster_report r = help_page_report(&p->figure, &look, &arena);
		assert_int_equal(texts_with(&r, "head 1 of 4"), 1);
		assert_int_equal(texts_with(&r, "Raffel et al."), i < 2);
		assert_int_equal(texts_with(&r, "layer 1"), 1);
	}
	struct figure f = {.subtitle = "Su et al. 2021   ·   rope   ·   head 1 of 4", .n = 4}, once;
	static const char *const notes[] = {"head 1 of 4 · layer 2", "head 1 of 40", "rope", NULL};
	static const char *const left[] = {"layer 2", "head 1 of 40", NULL, NULL};
	for (size_t i = 0; i < f.n; i++) {
		f.panels[i].note = notes[i];
		f.panels[i].short_note = "short";
	}
	figure_say_once(&arena, &f, &once);
	for (size_t i = 0; i < f.n; i++) {
		if (left[i])
			assert_string_equal(once.panels[i].note, left[i]);
		else
			assert_null(once.panels[i].note);
		assert_int_equal(once.panels[i].short_note != NULL, i == 1);
	}
}

/* However long a token is, what is said of it is not: neither its letters nor its marks make a page longer. */
TEST(a_long_word_is_spelled_whole_nowhere)
{
	enum { MARKS = 3000, MARK = 2 };
	static const char mark[MARK + 1] = "\xCC\x81";
	char *const word = arena_calloc(&arena, 1 + MARKS * MARK + 1, 1);
	word[0] = 'a';
	for (size_t i = 0; i < MARKS; i++)
		memcpy(word + 1 + i * MARK, mark, MARK);
	for (const struct view *const *v = views; *v; v++)
		for (int place = 0; place < 2 && !(*v)->table && !(*v)->cost; place++) {
			const char *const lines =
				arena_printf(&arena, "%ssentence %s%s%s\nrow %d\ncol 2\n",
					     help_view(&arena, (*v)->name), place ? "b " : "", word,
					     place ? "" : " b", place + 1);
			const struct arena_mark before = arena_mark(&arena);
			help_figure_is_sound(&arena, &help_picture(&arena, "rope", lines)->figure,
					     (*v)->name);
			arena_rewind(&arena, before);
		}
}
