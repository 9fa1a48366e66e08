/* test_view_terms.c: the view Terms: sums, shares and softmax worked by hand, the factor of a rotation
 * from its formula, and for every scheme that the terms are those of the trace and add up. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_sample.h"
#include "help_scheme.h"
#include "help_view.h"
#include "posviz/model/stage.h"
#include "view/said_in.h"

FIXTURE(open_arena, close_arena)

static void assert_close(double got, double want, double tolerance, const char *what)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* ---- by hand ------------------------------------------------------------------------------------ */

static struct trace_head two_terms(double *a, double *b, size_t rows, size_t cols)
{
	return (struct trace_head){.n_terms = 2,
				   .terms = {{.label = "a", .at = mat_view(a, rows, cols)},
					     {.label = "b", .at = mat_view(b, rows, cols)}}};
}

/* a + b = [1 5; 4 4]. Within rows only the first varies: a -1 1, b -1 1, sum -2 2: cov 4, 4 of 8.
 * From the mean of all: a 0 2 -1 -1, b -2.5 -0.5 1.5 1.5, sum -2.5 1.5 0.5 0.5: cov 2, 7 of 9. */
TEST(shares_of_two_by_two)
{
	double a[] = {1, 3, 0, 0}, b[] = {0, 2, 4, 4};
	const struct trace_head head = two_terms(a, b, 2, 2);
	const bool on[] = {true, true};
	struct term_sum s;
	terms_sum(&head, on, &arena, &s);
	const double sum[] = {1, 5, 4, 4};
	for (size_t i = 0; i < 4; i++)
		assert_close(s.sum.at[i], sum[i], 0, "sum");
	assert_true(s.varies_within);
	assert_close(s.within[0], 0.5, 1e-15, "within a");
	assert_close(s.within[1], 0.5, 1e-15, "within b");
	assert_close(s.sd[0], sqrt(6.0 / 4), 1e-15, "sd a");
	assert_close(s.sd[1], sqrt((6.25 + 0.25 + 2.25 + 2.25) / 4), 1e-15, "sd b");
	assert_close(s.sd_within[0], sqrt(2.0 / 4), 1e-15, "sd within a");
	assert_close(s.sum_sd, 1.5, 1e-15, "sd of the sum");
	assert_close(s.sum_sd_within, sqrt(8.0 / 4), 1e-15, "sd within of the sum");
	assert_close(s.weights.at[0], 1 / (1 + exp(4)), 1e-15, "softmax");
	assert_close(s.weights.at[3], 0.5, 1e-15, "softmax");
	assert_close(s.most, 5, 0, "both at the second pair");
}

/* [0 1 2] + [0 -0.5 -1] = [0 0.5 1]: cov 1 and -0.5 of 0.5. */
TEST(a_term_against_the_sum_has_a_negative_share)
{
	double a[] = {0, 1, 2}, b[] = {0, -0.5, -1};
	const struct trace_head head = two_terms(a, b, 1, 3);
	const bool on[] = {true, true};
	struct term_sum s;
	terms_sum(&head, on, &arena, &s);
	assert_close(s.within[0], 2, 1e-15, "a");
	assert_close(s.within[1], -1, 1e-15, "b");
	assert_close(s.most, 2, 0, "a alone");
}

TEST(masked_pairs_take_no_part)
{
	double a[] = {1, 1e9, 0, 3}, b[] = {0, 1e9, 4, 5};
	struct trace_head head = two_terms(a, b, 2, 2);
	head.mask = (const uint8_t[]){1, 0, 1, 1};
	const bool on[] = {true, true};
	struct term_sum s;
	terms_sum(&head, on, &arena, &s);
	/* The second row alone varies: a -1.5 1.5, b -0.5 0.5, sum -2 2: 6 and 2 of 8. */
	assert_close(s.within[0], 0.75, 1e-15, "a");
	assert_close(s.within[1], 0.25, 1e-15, "b");
	assert_close(s.sd[0], sqrt((1.0 / 9 + 16.0 / 9 + 25.0 / 9) / 3), 1e-15, "sd a");
	assert_close(s.most, 8, 0, "of allowed pairs");
	assert_close(s.weights.at[0], 1, 0, "the one allowed key");
	assert_close(s.weights.at[1], 0, 0, "a masked key");
	assert_close(s.weights.at[2], 1 / (1 + exp(4)), 1e-15, "softmax");
}

TEST(nothing_is_shared_where_nothing_varies)
{
	double a[] = {1, 1, 7, 7}, b[] = {0.1, 0.1, 0.3, 0.3};
	const struct trace_head head = two_terms(a, b, 2, 2);
	const bool both[] = {true, true}, none[] = {false, false}, one[] = {true, false};
	struct term_sum s;
	terms_sum(&head, both, &arena, &s);
	assert_false(s.varies_within);
	assert_true(s.sum_sd > 0);
	assert_close(s.within[0] + s.within[1], 0, 0, "no shares");
	terms_sum(&head, none, &arena, &s);
	assert_false(s.varies_within);
	assert_int_equal(s.n_on, 0);
	assert_close(s.weights.at[0], 0.5, 0, "softmax of zeros");
	terms_sum(&head, one, &arena, &s);
	assert_int_equal(s.n_on, 1);
	assert_close(s.sum.at[2], 7, 0, "without b");
	assert_true(s.sd[1] > 0);
}

/* ---- every scheme -------------------------------------------------------------------------------- */

static const struct trace_head *shown_head(const struct picture *p, const struct scene *s)
{
	const size_t layer =
		(size_t)s->layer < p->trace.n_layers ? (size_t)s->layer : p->trace.n_layers;
	const size_t heads = p->built.model.config.heads;
	return &p->trace.layers[layer - 1]
			.heads[((size_t)s->head < heads ? (size_t)s->head : heads) - 1];
}

static bool is_allowed(const struct trace_head *h, size_t t, size_t s)
{
	return !h->mask || h->mask[t * h->logits.cols + s];
}

/* The softmax of a row by its definition. */
static double softmax(const struct trace_head *h, struct mat sum, size_t t, size_t s)
{
	double most = -INFINITY, all = 0;
	for (size_t i = 0; i < sum.cols; i++)
		if (is_allowed(h, t, i))
			most = fmax(most, mat_row(sum, t)[i]);
	for (size_t i = 0; i < sum.cols; i++)
		if (is_allowed(h, t, i))
			all += exp(mat_row(sum, t)[i] - most);
	if (h->sink_logit) /* of no key */
		all += exp(*h->sink_logit - most);
	return is_allowed(h, t, s) ? exp(mat_row(sum, t)[s] - most) / all : 0;
}

static void expect_sum(const struct picture *p, const struct scene *sc, const char *where)
{
	const struct trace_head *h = shown_head(p, sc);
	const struct mat sum = help_panel(&p->figure, "Sum")->heatmap.values;
	const struct mat weights = help_panel(&p->figure, "Weights of the sum")->heatmap.values;
	const double size = fmax(1, mat_norm(h->logits));
	const char *words = help_panel(&p->figure, "Weights of the sum")->subtitle;
	const bool own = strstr(words, "as the scheme weighs") != NULL;
	bool all_on = true;
	for (size_t t = 0; t < sum.rows; t++) {
		for (size_t s = 0; s < sum.cols; s++) {
			double on = 0, all = 0;
			for (size_t k = 0; k < h->n_terms; k++) {
				const bool off = scene_term_is_off(sc, h->terms[k].label);
				const double v = mat_row(h->terms[k].at, t)[s];
				all_on &= !off;
				all += v;
				on += off ? 0 : v;
			}
			assert_close(all, mat_row(h->logits, t)[s], 1e-12 * size, where);
			assert_close(mat_row(sum, t)[s], on, 1e-12 * size, where);
			if (!own)
				assert_close(mat_row(weights, t)[s], softmax(h, sum, t, s), 1e-12,
					     where);
		}
	}
	/* A scheme may make other weights of its logits than a softmax, and then the view says so. */
	if (all_on && !strstr(words, "the scheme itself weighs otherwise"))
		assert_true(mat_max_abs_diff(weights, h->weights) < 1e-12);
}

/* Each term on a scale that all share; those that are off say so. */
static void expect_terms(const struct picture *p, const struct scene *sc, const char *where)
{
	const struct trace_head *h = shown_head(p, sc);
	const struct figure *f = &p->figure;
	const struct scale *common = &help_panel(f, "Sum")->heatmap.scale;
	size_t seen = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		if (!panel->term)
			continue;
		assert_string_equal(panel->term, h->terms[seen].label);
		assert_true(mat_max_abs_diff(panel->heatmap.values, h->terms[seen].at) <= 0);
		assert_int_equal(panel->off, scene_term_is_off(sc, panel->term));
		assert_true(fabs(panel->heatmap.scale.lo - common->lo) <= 0 &&
			    fabs(panel->heatmap.scale.hi - common->hi) <= 0);
		if (!sc->lock)
			assert_true(fabs(common->lo + common->hi) <= 0 && common->diverging);
		seen++;
	}
	if (seen < h->n_terms && !strstr(help_panel(f, "Sum")->subtitle, "are shown"))
		fail_msg("%s: %zu of %zu terms, and nothing says so", where, seen, h->n_terms);
}

static void expect_shares(const struct picture *p, const struct scene *sc, const char *where)
{
	const struct trace_head *h = shown_head(p, sc);
	const struct panel *panel = help_panel(&p->figure, "Share of the variance");
	double sum = 0;
	assert_int_equal(panel->bars.n, h->n_terms);
	for (size_t i = 0; i < panel->bars.n; i++) {
		assert_string_equal(panel->bars.labels[i], h->terms[i].label);
		assert_int_equal(panel->bars.off[i], scene_term_is_off(sc, h->terms[i].label));
		sum += panel->bars.values[i];
	}
	assert_close(sum, panel->absent ? 0 : 1, 1e-9, where);
}

static void expect_figure(const char *expression, const char *lines)
{
	const struct arena_mark mark = arena_mark(&arena);
	char text[2048], where[512];
	snprintf(text, sizeof text, "view terms\n%s", lines);
	snprintf(where, sizeof where, "%s, %.200s", expression, lines);
	const struct scene sc = help_scene(expression, text);
	const struct picture *p = help_picture(&arena, expression, text);
	help_figure_is_sound(&arena, &p->figure, where);
	if (shown_head(p, &sc)->logits.at) {
		expect_terms(p, &sc, where);
		expect_sum(p, &sc, where);
		expect_shares(p, &sc, where);
	} else {
		assert_non_null(p->figure.panels[0].absent);
		help_panel(&p->figure, "Attention weights");
	}
	arena_rewind(&arena, mark);
}

static const char *words(size_t n)
{
	char text[256] = "sentence";
	for (size_t i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), " w%zu", i);
	return arena_strdup(&arena, text);
}

TEST(every_scheme_has_its_figure)
{
	static const size_t lengths[] = {1, 2, 7, 33};
	static const char *const looks[] = {
		"head 2\nlayer 2\nproj random\nseed 5\nrow 2\ncol 1",
		"terms-off unit–unit; position–position\nhead 4",
		"terms-off  query–w_key ;nothing like it;bias;distance\nlock on\nlock-lo "
		"-2\nlock-hi 3",
		"special cls,sep\nprobe off\nproj tied\norder reverse\nscale log",
		"probe cat\nheads 1\nsentence a a a a\ncontent 0",
	};
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP) {
		const char *id = scheme_at(i)->id;
		for (size_t k = 0; k < 4 && help_sample_has(id, lengths[k]); k++)
			expect_figure(id, words(lengths[k]));
		for (size_t k = 0; k < 5; k++)
			expect_figure(id, looks[k]);
	}
	static const char *const more[] = {"sinusoidal+shaw+causal",
					   "sinusoidal+rope+alibi",
					   "sinusoidal+learned",
					   "sinusoidal+learned+rope+t5(scale=rsqrt)",
					   "sinusoidal+sinusoidal(start=1)+learned+txl(causal=off)",
					   "gauss(heads=2)+rope",
					   "cope+alibi",
					   "dape(heads=1)+sinusoidal",
					   "deberta(emd=on)+sinusoidal",
					   "rope(layers=2)",
					   "rope(heads=2)+t5(scale=rsqrt)"};
	for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
		for (size_t k = 0; k < 3; k++)
			expect_figure(more[i], looks[k]);
}

TEST(terms_say_whose_query_and_whose_key_they_are)
{
	const struct figure *f = &help_picture(&arena, "sinusoidal", "view terms")->figure;
	static const char *const rows[][2] = {{"unit–unit", "token vectors alone"},
					      {"unit–position", "query's token, key's position"},
					      {"position–unit", "query's position, key's token"},
					      {"position–position", "positions alone"}};
	for (size_t i = 0; i < 4; i++)
		assert_non_null(strstr(help_panel(f, rows[i][0])->subtitle, rows[i][1]));
	/* Whole percents: tenths are for what is less than one. */
	for (size_t i = 0; i < 4; i++)
		assert_true(!strchr(help_panel(f, rows[i][0])->note, '.') ||
			    strstr(help_panel(f, rows[i][0])->note, "0."));
}

TEST(a_term_that_is_off_is_not_in_the_sum)
{
	const struct picture *p =
		help_picture(&arena, "shaw+t5(scale=rsqrt)",
			     "view terms\nterms-off bias; query–w_key ; no such term");
	const struct trace_head *h = &p->trace.layers[0].heads[0];
	assert_true(mat_max_abs_diff(help_panel(&p->figure, "Sum")->heatmap.values,
				     h->terms[0].at) <= 0);
	assert_true(help_panel(&p->figure, "bias")->off);
	assert_true(help_panel(&p->figure, "query–w_key")->off);
	assert_false(help_panel(&p->figure, "unit–unit")->off);
	assert_non_null(strstr(p->figure.subtitle, "no term is called \"no such term\""));
	assert_non_null(strstr(help_panel(&p->figure, "Sum")->subtitle, "1 of 3 terms"));
	assert_close(help_panel(&p->figure, "Share of the variance")->bars.values[0], 1, 1e-12,
		     "the only one");
	p = help_picture(&arena, "t5", "view terms\nterms-off unit–unit;bias");
	assert_non_null(help_panel(&p->figure, "Share of the variance")->absent);
	p = help_picture(&arena, "t5", "view terms\nterms-off none");
	assert_false(help_panel(&p->figure, "bias")->off);
}

/* Terms on and off are to be compared: whichever are off, the colours of all logits mean the same, also of
 * a scheme that multiplies, whose panels are others then. Returns whether a value is off the scale. */
static bool clips(const struct figure *f, const struct scale *common)
{
	bool clipped = false;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (p->kind != PANEL_HEATMAP || p->absent || !p->operand.unit ||
		    strcmp(p->operand.unit, "logit") != 0)
			continue;
		const struct scale *const own = &p->heatmap.scale;
		assert_int_equal(own->mode, common->mode);
		assert_close(own->hi, common->hi, 0, p->title);
		assert_close(own->lo, common->lo, 0, p->title);
		assert_close(own->linear, common->linear, 0, p->title);
		for (size_t k = 0; k < p->heatmap.values.rows * p->heatmap.values.cols; k++) {
			bool out;
			if (p->heatmap.masked && p->heatmap.masked[k])
				continue;
			scale_at(own, p->heatmap.values.at[k], &out);
			clipped |= out;
		}
	}
	return clipped;
}

TEST(terms_that_are_off_change_no_colour_of_the_others)
{
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP) {
		const struct arena_mark mark = arena_mark(&arena);
		const char *const id = scheme_at(i)->id;
		const struct picture *const whole = help_picture(&arena, id, "view terms");
		const struct trace_head *const h = &whole->trace.layers[0].heads[0];
		if (h->logits.at) {
			const struct scale *const common =
				&help_panel(&whole->figure, "Sum")->heatmap.scale;
			assert_false(clips(&whole->figure, common));
			for (size_t k = 0; k < h->n_terms; k++) {
				const char *lines = arena_printf(&arena, "view terms\nterms-off %s",
								 h->terms[k].label);
				assert_false(
					clips(&help_picture(&arena, id, lines)->figure, common));
			}
		}
		arena_rewind(&arena, mark);
	}
}

/* A term that only depends on the query cannot change a weight: with content alone beside it, its share
 * within rows is 0 and the one over all pairs is not. Shaw's table of one clipped row is such a term. */
/* Titles, formulas and shares of weighted terms; the mean of heads has a weight where all of them have it. */
TEST(terms_tell_their_weights)
{
	const struct picture *p =
		help_picture(&arena, "0.5*t5+-2*alibi", "view terms\nsentence a b c d\n");
	const struct panel *const bias = help_panel(&p->figure, "0.5 × bias");
	const struct panel *const distance = help_panel(&p->figure, "−2 × distance");
	assert_string_equal(bias->operand.formula, "0.5 b_{ts}");
	assert_string_equal(distance->operand.formula, "−2 b_{ts}");
	assert_string_equal(bias->term, "bias");
	assert_string_equal(distance->title, "−2 × distance");
	assert_non_null(strchr(bias->short_note, '%')); /* its share is found by the name */
	assert_close(mat_row(distance->heatmap.values, 3)[0], 2 * 3 * 0.25, 1e-12, "−2 · −m 3");
	p = help_picture(&arena, "0.5*alibi(heads=1)+3*alibi(heads=2)",
			 "view terms\nsentence a b c d\nhead mean\n");
	assert_string_equal(help_panel(&p->figure, "distance")->title, "distance");
	p = help_picture(&arena, "0.5*alibi", "view terms\nsentence a b c d\nlayer mean\n");
	help_panel(&p->figure, "0.5 × distance");
	p = help_picture(&arena, "t5+alibi", "view terms\nsentence a b c d\nterms-off bias\n");
	assert_true(help_panel(&p->figure, "bias")->off);
	p = help_picture(&arena, "0.5*t5+alibi", "view terms\nsentence a b c d\nterms-off bias\n");
	assert_true(help_panel(&p->figure, "0.5 × bias")->off);
}

TEST(what_is_constant_in_a_row_has_no_share)
{
	const struct picture *p = help_picture(&arena, "shaw(clip=1)", "view terms\nsentence a");
	assert_non_null(help_panel(&p->figure, "Share of the variance")->absent);
	double query[] = {1, 1, -5, -5}, content[] = {0, 1, 1, 0};
	const struct trace_head head = two_terms(query, content, 2, 2);
	const bool on[] = {true, true};
	struct term_sum s;
	terms_sum(&head, on, &arena, &s);
	assert_close(s.within[0], 0, 1e-15, "within");
	assert_close(s.within[1], 1, 1e-15, "within");
}

/* ---- modulation ---------------------------------------------------------------------------------- */

/* q·R_m k / q·k for the turn by m positions (Su et al. 2021, eq. 16): pair i turns by 10000^(-2i/D). */
static double rotation(const double *q, const double *k, size_t width, double m)
{
	double after = 0, before = 0;
	for (size_t i = 0; i < width / 2; i++) {
		const double a = m * pow(10000, -2 * (double)i / (double)width);
		const double *x = q + 2 * i, *y = k + 2 * i;
		after += x[0] * (y[0] * cos(a) - y[1] * sin(a));
		after += x[1] * (y[0] * sin(a) + y[1] * cos(a));
		before += x[0] * y[0] + x[1] * y[1];
	}
	return after / before;
}

static void want_modulation(struct help_run *r)
{
	r->want.kinds = WANT_MODULATION | WANT_INPUT | WANT_QKV | WANT_LOGITS | WANT_TERMS;
	r->config.proj = PROJ_IDENTITY;
}

static void want_modulation_random(struct help_run *r)
{
	want_modulation(r);
	r->config.proj = PROJ_RANDOM;
}

/* The all-ones unit through W: column sums. */
static void project_ones(struct mat w, size_t head, size_t dk, double *out)
{
	for (size_t j = 0; j < dk; j++) {
		out[j] = 0;
		for (size_t i = 0; i < w.rows; i++)
			out[j] += mat_row(w, i)[head * dk + j];
	}
}

static struct mat weight(const struct trace *trace, const char *name)
{
	const struct trace_layer *l = &trace->layers[0];
	for (size_t i = 0; i < l->n_weights; i++)
		if (strcmp(l->weights[i].name, name) == 0)
			return l->weights[i].at;
	fail_msg("no %s", name);
	return (struct mat){0};
}

static void expect_rotation(const char *expression, bool random)
{
	struct help_run r;
	help_run_must_open(&r, expression, 6, 0, random ? want_modulation_random : want_modulation);
	const size_t dk = r.config.d / r.config.heads;
	double q[64], k[64];
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		project_ones(weight(&r.trace, "w_q"), h, dk, q);
		project_ones(weight(&r.trace, "w_k"), h, dk, k);
		for (size_t t = 0; t < 6; t++)
			for (size_t s = 0; s < 6; s++)
				assert_close(mat_row(head->modulation, t)[s],
					     rotation(q, k, dk, (double)s - (double)t), 1e-9,
					     expression);
		assert_close(mat_row(head->modulation, 2)[2], 1, 1e-12, "no distance");
	}
	help_run_close(&r);
}

TEST(the_factor_of_a_rotation)
{
	expect_rotation("rope", false);
	expect_rotation("rope", true);
	/* What is added beside it, to X or to the logits, is no part of the factor. */
	expect_rotation("sinusoidal+rope+alibi", false);
	expect_rotation("learned+rope+t5(scale=rsqrt)+causal", true);
	/* With q = k = ones it is the mean of cos((t-s)θ): at distance 1 of a head of 8, by hand. */
	struct help_run r;
	help_run_must_open(&r, "rope", 3, 0, want_modulation);
	const double mean = (cos(1) + cos(0.1) + cos(0.01) + cos(0.001)) / 4;
	assert_close(mat_row(r.trace.layers[0].heads[0].modulation, 1)[0], mean, 1e-12, "mean");
	assert_close(mat_row(r.trace.layers[0].heads[0].modulation, 1)[2], mean, 1e-12, "mean");
	help_run_close(&r);
}

TEST(content_before_and_after)
{
	struct help_run r;
	help_run_must_open(&r, "sinusoidal+rope+alibi", 5, 0, want_modulation_random);
	for (size_t h = 0; h < r.config.heads; h++) {
		const struct trace_head *head = &r.trace.layers[1].heads[h];
		for (size_t t = 0; t < 5; t++) {
			for (size_t s = 0; s < 5; s++) {
				double before = 0, after = 0;
				for (size_t i = 0; i < head->q.cols; i++) {
					before += mat_row(head->q_raw, t)[i] *
						  mat_row(head->k_raw, s)[i];
					after += mat_row(head->q, t)[i] * mat_row(head->k, s)[i];
				}
				assert_close(mat_row(head->before, t)[s], r.trace.c * before, 1e-12,
					     "before");
				assert_close(mat_row(head->after, t)[s], r.trace.c * after, 1e-12,
					     "after");
			}
		}
		assert_true(mat_max_abs_diff(head->before, head->after) > 1e-3);
	}
	help_run_close(&r);
	help_run_must_open(&r, "shaw", 5, 0, want_modulation);
	assert_null(r.trace.layers[0].heads[0].before.at);
	assert_null(r.trace.layers[0].heads[0].modulation.at);
	help_run_close(&r);
}

TEST(modulation_has_its_panels)
{
	const struct picture *p = help_picture(&arena, "rope", "view terms");
	const struct trace_head *h = &p->trace.layers[0].heads[0];
	assert_true(mat_max_abs_diff(help_panel(&p->figure, "Modulation")->heatmap.values,
				     h->modulation) <= 0);
	assert_true(mat_max_abs_diff(help_panel(&p->figure, "Content before")->heatmap.values,
				     h->before) <= 0);
	assert_string_equal(help_panel(&p->figure, "Content after (unit–unit)")->term, "unit–unit");
	p = help_picture(&arena, "sinusoidal+rope", "view terms");
	assert_true(mat_max_abs_diff(help_panel(&p->figure, "Content after")->heatmap.values,
				     p->trace.layers[0].heads[0].after) <= 0);
	/* Nothing to divide by: hatched, and said. */
	p = help_picture(&arena, "rope", "view terms\ncontent 0");
	const struct panel *panel = help_panel(&p->figure, "Modulation");
	assert_non_null(strstr(panel->subtitle, "undefined"));
	for (size_t i = 0; i < panel->heatmap.values.rows * panel->heatmap.values.cols; i++)
		assert_true(panel->heatmap.masked[i] && isnan(panel->heatmap.values.at[i]));
	/* The factor is of layer 1, and its title says so elsewhere. */
	p = help_picture(&arena, "rope(layers=2)", "view terms\nlayer 2");
	assert_non_null(help_panel(&p->figure, "Modulation, layer 1")->absent);
	p = help_picture(&arena, "tape", "view terms\nlayer 2");
	assert_true(mat_max_abs_diff(help_panel(&p->figure, "Modulation, layer 1")->heatmap.values,
				     p->trace.layers[0].heads[0].modulation) <= 0);
	p = help_picture(&arena, "rope(layers=2)", "view terms\nlayer 1");
	for (size_t i = 0; i < p->figure.n; i++)
		assert_string_not_equal(p->figure.panels[i].title, "Modulation");
}

/* ---- members that multiply or replace logits ------------------------------------------------------ */

/* Multiplies whatever the logits are by 1 + |t - s|. */
static bool multiply(struct head *head, const struct member *m, struct err *err)
{
	(void)m;
	(void)err;
	const size_t n = head->run->n;
	const struct mat factor = mat_new(head->tape->arena, n, n);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			mat_row(factor, t)[s] = 1 + fabs((double)t - (double)s);
	head->logits = tape_mul(head->tape, head->logits, tape_const(head->tape, factor));
	return true;
}

TEST(logits_that_are_multiplied_have_a_rest)
{
	static const struct hooks hooks = {.adjust = multiply, .modulates = true};
	struct help_run r;
	help_run_must_open(&r, "sinusoidal", 4, 0, want_modulation);
	struct member members[2] = {r.members[0],
				    {.hooks = &hooks,
				     .name = "test",
				     .text = "test",
				     .pos = "seq",
				     .layers = SUBSET_ALL,
				     .heads = SUBSET_ALL,
				     .index = 1}};
	struct model model;
	struct trace trace;
	struct err err = {""};
	assert_true(model_build(&model, &r.config, members, 2, NULL, &r.arena, &err));
	assert_true(model_run(&model, &r.in, &r.want, NULL, NULL, &r.arena, &trace, &err));
	const struct trace_head *head = &trace.layers[0].heads[0];
	assert_int_equal(head->n_terms, 5);
	assert_string_equal(head->terms[4].label, "rest");
	assert_true(mat_max_abs_diff(head->after, head->logits) <= 0);
	for (size_t t = 0; t < 4; t++) {
		for (size_t s = 0; s < 4; s++) {
			double sum = 0;
			for (size_t k = 0; k < 4; k++)
				sum += mat_row(head->terms[k].at, t)[s];
			const double distance = fabs((double)t - (double)s);
			assert_close(mat_row(head->terms[4].at, t)[s], distance * sum, 1e-12,
				     "rest");
			assert_close(mat_row(head->logits, t)[s], (1 + distance) * sum, 1e-12,
				     "logits");
		}
	}
	/* All logits of the probe count: units and sinusoids, four terms of which one is the units. */
	assert_true(mat_row(head->modulation, 0)[3] > 4);
	help_run_close(&r);
}

/* Up to three terms are told with their shares and what they are made of; of more the two largest. A change of
 * queries and keys comes first. */
TEST(terms_are_told_with_what_they_are_made_of)
{
	static const char in[] = "In head 1, ";
	static const char *const rows[][2] = {
		{"t5", "bias (positions alone) makes 59 % of the logit variance per row, unit–unit "
		       "(token vectors alone) 41 %."},
		{"spr_rel", "unit–unit (token vectors alone) makes 92 % of the logit variance per "
			    "row, query–a_key (query's token, key's position) 8 %."},
		{"sinusoidal",
		 "unit–unit (token vectors alone) makes 80 % of the logit variance per row, "
		 "position–position (positions alone) 21 %, 2 others −1 %. A negative share works "
		 "against the others."},
		{"graphormer",
		 "distance (positions alone) makes 64 % of the logit variance per row, unit–unit "
		 "(token vectors alone) 47 %, 9 others −11 %. A negative share works against the "
		 "others. Small: unit–in-degree, unit–out-degree and 6 more."},
		{"none",
		 "all of each logit is unit–unit (token vectors alone); no term of positions is "
		 "added."},
		{"rope",
		 "rope changes the product of queries and keys by 0.146 on average, most at cat → "
		 "asleep: from −0.453 to 0.271."}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(
			help_picture(&arena, rows[i][0], "view terms\n")->figure.finding,
			arena_printf(&arena, "%s%s", in, rows[i][1]));
}

/* A sum of many large terms has a finding too, and both of its forms name the small terms. */
TEST(small_terms_are_named)
{
	enum { TERMS = 6 };
	static const char *const labels[TERMS] = {
		"unit–unit", "unit–position", "position–unit", "position–position",
		"a",	     "b–position"};
	double at[TERMS][4] = {{0, 3, 3, 0}, {0, 3, 0, 0}, {0, 0, 3, 0},
			       {0, 2, 2, 0}, {0, 1, 0, 1}, {0, 0.01, 0, 0}};
	struct trace_head head = {.n_terms = TERMS};
	struct trace_term terms[TERMS] = {{0}};
	bool on[TERMS];
	for (size_t i = 0; i < TERMS; i++) {
		terms[i].label = labels[i];
		terms[i].at = (struct mat){2, 2, 2, at[i]};
		head.terms[i] = terms[i];
		on[i] = true;
	}
	struct term_sum s;
	terms_sum(&head, on, &arena, &s);
	const char *const shares[TERMS] = {"1 %", "2 %", "3 %", "4 %", "5 %", "0 %"};
	const struct term_told t = {
		.head = &head, .sum = &s, .shares = shares, .where = "head 1", .by = "x"};
	assert_true(term_is_small(&s, 5) && term_count_large(&s) == 5);
	assert_non_null(strstr(term_finding(&t, false, &arena), " Small: b–position."));
	assert_non_null(strstr(term_finding(&t, true, &arena), ". Small: b–pos."));
	assert_non_null(strstr(term_finding(&t, true, &arena), "Logit variance: "));
}

/* a + b of shares_of_two_by_two: half each; a alone: all. */
TEST(shares_are_told_of_the_terms_that_are_on)
{
	double a[] = {1, 3, 0, 0}, b[] = {0, 2, 4, 4};
	struct trace_head head = two_terms(a, b, 2, 2);
	head.terms[0].kind = TERM_UNIT_UNIT;
	head.terms[1].kind = TERM_POSITION;
	bool on[] = {true, true};
	struct term_sum s;
	static const char *const shares[] = {"50 %", "50 %"}, *const first[] = {"100 %", "0 %"};
	struct term_told t = {.head = &head, .sum = &s, .shares = shares, .where = "head 1"};
	terms_sum(&head, on, &arena, &s);
	assert_string_equal(
		term_finding(&t, false, &arena),
		"In head 1, a (token vectors alone) makes 50 % of the logit variance per "
		"row, b (positions alone) 50 %.");
	assert_string_equal(term_finding(&t, true, &arena),
			    "Of the logit variance: a 50 %, b 50 %.");
	on[1] = false;
	t.shares = first;
	t.above = true;
	terms_sum(&head, on, &arena, &s);
	assert_string_equal(
		term_finding(&t, false, &arena),
		"In head 1, a (the output of the layer below) makes 100 % of the sum's variance "
		"per row.");
	on[0] = false;
	terms_sum(&head, on, &arena, &s);
	assert_null(term_finding(&t, false, &arena));
}

/* Where no row differs between its keys there is nothing to share. */
TEST(terms_that_differ_in_no_row_are_told)
{
	double a[] = {1, 1, 0, 0}, b[] = {0, 0, 4, 4};
	const struct trace_head head = two_terms(a, b, 2, 2);
	const bool on[] = {true, true};
	struct term_sum s;
	const struct term_told t = {.head = &head, .sum = &s, .where = "head 1"};
	terms_sum(&head, on, &arena, &s);
	assert_string_equal(term_finding(&t, false, &arena),
			    "In no row does the logit differ between keys that it allows.");
}

/* ---- on a screen -------------------------------------------------------------------------------- */

static const char *const added[] = {"deberta", "tupe_r", "t5", "txl", "learned", "shaw+t5"};

static struct tui *frame_of(const char *scheme, const char *lines, int cols, int rows,
			    const char **screen)
{
	struct tui *const t = help_tui(&arena, scheme, lines, BACKGROUND_DARK);
	const struct help_look look = {cols, rows, TIER_DIRECT, false};
	*screen = help_screen(help_frame(t, look));
	return t;
}

/* Gets the next number with a sign and decimals; false: there is none. */
static bool next_number(const char **at, double *out)
{
	static const char minus[] = "−";
	for (; **at; ++*at) {
		const bool less = strncmp(*at, minus, strlen(minus)) == 0;
		const char *const digits = *at + (less ? strlen(minus) : 1);
		if ((!less && **at != '+') || strspn(digits, "0123456789") == 0 ||
		    digits[strspn(digits, "0123456789")] != '.')
			continue;
		char *end;
		*out = strtod(digits, &end) * (less ? -1 : 1);
		*at = end;
		return true;
	}
	return false;
}

/* The line of the cell names addends and their sum; those without room are in it together. */
TEST(addends_of_the_cell_line_make_its_sum)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 50}};
	for (size_t i = 0; i < sizeof added / sizeof *added; i++)
		for (size_t k = 0; k < 3; k++) {
			const char *screen;
			struct tui *const t = frame_of(added[i], "view terms\n", sizes[k][0],
						       sizes[k][1], &screen);
			const char *line = strstr(screen, "\n cell ");
			assert_non_null(line);
			line = arena_strndup(&arena, line + 1, strcspn(line + 1, "\n"));
			const char *const equals = strstr(line, "= "), *at = line;
			if (!equals)
				fail_msg("%s at %d: no sum in: %s", added[i], sizes[k][0], line);
			double sum = 0, value, n = 0;
			while (next_number(&at, &value) && at < equals) {
				sum += value;
				n++;
			}
			if (n < 2 || fabs(sum - value) > 0.0005 * (n + 1) + 1e-9)
				fail_msg("%s at %d: %g, not %g: %s", added[i], sizes[k][0], sum,
					 value, line);
			help_tui_done(t);
		}
}

/* "+ 2 terms" counts the terms that have no place. */
TEST(terms_without_a_place_are_counted)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};
	for (size_t i = 0; i < 2 * sizeof added / sizeof *added; i++) {
		const char *screen;
		struct tui *const t = frame_of(added[i / 2], "view terms\n", sizes[i % 2][0],
					       sizes[i % 2][1], &screen);
		const struct figure *const f = &t->picture->picture.figure;
		size_t hidden = 0, counted = 0;
		for (size_t k = 0; k < f->n; k++)
			hidden += f->panels[k].term && !f->panels[k].operand.implied;
		for (size_t k = 0; k < t->n_zones; k++)
			hidden -=
				t->zones[k].kind == ZONE_CELLS && f->panels[t->zones[k].index].term;
		for (const char *at = screen; (at = strstr(at, "+ ")) != NULL; at++)
			counted += strtoul(at + 2, NULL, 10);
		if (hidden != counted)
			fail_msg("%s: %zu, not %zu:\n%s", added[i / 2], counted, hidden, screen);
		help_tui_done(t);
	}
}

/* Beside the first and the one that differs most, terms with larger shares stay longer. */
TEST(terms_with_small_shares_leave_first)
{
	size_t compared = 0;
	for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
		const struct figure *const f =
			&help_picture(&arena, added[i], "view terms\n")->figure;
		for (size_t x = 0; x < f->n; x++)
			for (size_t y = 0; y < f->n; y++) {
				const struct panel *const a = &f->panels[x], *const b =
										     &f->panels[y];
				if (!a->term || !b->term || a->priority < 2 || b->priority < 2 ||
				    !(fabs(a->operand.of_whole) > fabs(b->operand.of_whole)))
					continue;
				assert_true(a->priority < b->priority);
				compared++;
			}
	}
	assert_true(compared > 0);
}

/* Rows of many tokens have a row of the screen each, where the screen has these rows. */
TEST(many_rows_are_whole_where_there_is_room)
{
	const char *screen;
	struct tui *const t =
		frame_of("t5",
			 "view terms\nsentence the cat that the dog chased fell asleep on the "
			 "mat while the birds sang in\n",
			 120, 36, &screen);
	for (size_t k = 0; k < t->n_zones; k++)
		assert_true(t->zones[k].kind != ZONE_CELLS || t->zones[k].view.cell_rows2 == 2);
	help_tui_done(t);
}
