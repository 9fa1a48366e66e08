/* test_equation.c: the view Terms as an equation: that what it says is true, for every scheme, by the
 * definition of each operator; and how it is drawn on cells and on pages. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_sample.h"
#include "help_scheme.h"
#include "help_view.h"
#include "posviz/plot/equation.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

FIXTURE(open_arena, close_arena)

/* ---- that it is true ----------------------------------------------------------------------------- */

/* A row of an equation in the making: one entry, as far as it has been read. */
struct reading {
	const struct trace_head *head;
	const char *where;
	double *so_far; /* rows*cols */
	size_t rows, cols;
	size_t sums, products, changes, softmaxes;
};

static bool is_allowed(const struct reading *r, size_t i)
{
	return !r->head->mask || r->head->mask[i];
}

static void expect_entry(const struct reading *r, const struct panel *p, size_t i, double want)
{
	const double got = p->heatmap.values.at[i];
	if (is_allowed(r, i) && !(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
		fail_msg("%s, \"%s\": entry %zu is %.17g, not %.17g", r->where, p->title, i, got,
			 want);
}

static void expect_softmax(const struct reading *r, const struct panel *p)
{
	for (size_t t = 0; t < r->rows; t++) {
		double most = -INFINITY, all = 0;
		for (size_t i = t * r->cols; i < (t + 1) * r->cols; i++)
			most = is_allowed(r, i) ? fmax(most, r->so_far[i]) : most;
		for (size_t i = t * r->cols; i < (t + 1) * r->cols; i++)
			all += is_allowed(r, i) ? exp(r->so_far[i] - most) : 0;
		/* A sink takes its share of every row. */
		all += r->head->sink_logit ? exp(*r->head->sink_logit - most) : 0;
		for (size_t i = t * r->cols; i < (t + 1) * r->cols; i++)
			expect_entry(r, p, i, exp(r->so_far[i] - most) / all);
	}
}

/* c·q·k of one pair. */
static double product(double c, struct mat q, size_t t, struct mat k, size_t s)
{
	double sum = 0;
	for (size_t i = 0; i < q.cols; i++)
		sum += mat_row(q, t)[i] * mat_row(k, s)[i];
	return c * sum;
}

/* "content before → content after": of q and k before the scheme changed them, and behind. Where it
 * changes the logits themselves, these stand behind the arrow. */
static void expect_change(const struct reading *r, const struct panel *p,
			  const struct trace *vectors, const struct trace_head *h)
{
	const struct mat q = h->q_raw.at ? h->q_raw : h->q, k = h->k_raw.at ? h->k_raw : h->k;
	bool logits = true;
	for (size_t i = 0; i < r->rows * r->cols; i++)
		logits = logits && fabs(p->heatmap.values.at[i] - r->head->logits.at[i]) <= 1e-12;
	for (size_t t = 0; t < r->rows; t++)
		for (size_t s = 0; s < r->cols; s++) {
			const size_t i = t * r->cols + s;
			if (is_allowed(r, i) &&
			    !(fabs(r->so_far[i] - product(vectors->c, q, t, k, s)) <= 1e-9))
				fail_msg("%s: before it is not c·q·k", r->where);
			if (!logits)
				expect_entry(r, p, i, product(vectors->c, h->q, t, h->k, s));
		}
}

/* The same run, with its vectors. */
static const struct trace *vectors_of(const struct picture *p)
{
	struct trace *trace = arena_calloc(&arena, 1, sizeof *trace);
	const struct want want = {.kinds = WANT_QKV, .layer = -1, .head = -1};
	struct err err = {""};
	if (!built_run(&p->built, &p->built.model_input, &want, NULL, NULL, &arena, trace, &err))
		fail_msg("%s", err.text);
	return trace;
}

static void read_operand(struct reading *r, const struct picture *p, const struct panel *panel,
			 size_t layer, size_t head)
{
	const double *const m = panel->heatmap.values.at;
	const size_t n = r->rows * r->cols;
	const enum sign sign = panel->operand.sign;
	for (size_t i = 0; i < n; i++) {
		const double x = panel->off ? 0 : m[i];
		if (sign == SIGN_FIRST)
			r->so_far[i] = x;
		else if (sign == SIGN_PLUS)
			r->so_far[i] += x;
		else if (sign == SIGN_TIMES)
			r->so_far[i] *= x;
		else if (sign == SIGN_EQUALS)
			expect_entry(r, panel, i, r->so_far[i]);
	}
	r->sums += sign == SIGN_EQUALS;
	r->products += sign == SIGN_TIMES;
	if (sign == SIGN_BECOMES && strcmp(panel->operand.done, "softmax") == 0) {
		expect_softmax(r, panel);
		r->softmaxes++;
	} else if (sign == SIGN_BECOMES && strcmp(panel->operand.done, "weighs") == 0) {
		/* The scheme makes the weights itself; its own tests know how. */
		for (size_t i = 0; i < n; i++)
			expect_entry(r, panel, i, r->head->weights.at[i]);
		r->softmaxes++;
	} else if (sign == SIGN_BECOMES) {
		const struct trace *vectors = vectors_of(p);
		expect_change(r, panel, vectors, &vectors->layers[layer].heads[head]);
		r->changes++;
	}
	/* Values that are switched off are behind the arrow all the same. */
	if (sign == SIGN_EQUALS || sign == SIGN_BECOMES)
		for (size_t i = 0; i < n; i++)
			r->so_far[i] = panel->off ? 0 : m[i];
}

static struct reading read_equations(const char *expression, const char *lines)
{
	const char *text = arena_printf(&arena, "view terms\n%s", lines);
	const struct scene sc = help_scene(expression, text);
	const struct picture *p = help_picture(&arena, expression, text);
	const size_t layer = (size_t)sc.layer <= p->trace.n_layers ? (size_t)sc.layer - 1
								   : p->trace.n_layers - 1;
	const size_t heads = p->built.model.config.heads;
	const size_t head = (size_t)sc.head <= heads ? (size_t)sc.head - 1 : heads - 1;
	struct reading r = {.head = &p->trace.layers[layer].heads[head],
			    .where = arena_printf(&arena, "%s, %s", expression, lines)};
	const struct figure *f = &p->figure;
	if (!r.head->logits.at) {
		assert_false(equation_is(f));
		return r;
	}
	r.rows = r.head->logits.rows;
	r.cols = r.head->logits.cols;
	r.so_far = arena_calloc(&arena, r.rows * r.cols + 1, sizeof *r.so_far);
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].operand.sign != SIGN_NONE)
			read_operand(&r, p, &f->panels[i], layer, head);
	return r;
}

static void add(struct reading *all, const struct reading *r)
{
	all->sums += r->sums;
	all->products += r->products;
	all->changes += r->changes;
	all->softmaxes += r->softmaxes;
}

TEST(equations_are_true)
{
	static const char *const lines[] = {
		"row 1", "layer 2\nhead 2\nproj random\nseed 3",
		"terms-off unit–unit;bias;rest;distance\nproj tied\nsentence a b c d e"};
	static const char *const more[] = {
		"sinusoidal+rope+t5+causal", "rope+t5",	   "huang1+causal",
		"sinusoidal+huang2",	     "xpos+alibi", "none"};
	struct reading all = {0};
	for (size_t i = 0; i < scheme_count(); i++) {
		for (size_t k = 0; k < 3; k++) {
			const struct arena_mark mark = arena_mark(&arena);
			const struct reading r = read_equations(scheme_at(i)->id, lines[k]);
			if (r.head->logits.at)
				assert_true(r.softmaxes == 1 && r.sums + r.changes >= 1);
			add(&all, &r);
			arena_rewind(&arena, mark);
		}
	}
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (size_t k = 0; k < 3; k++) {
			const struct reading r = read_equations(more[i], lines[k]);
			add(&all, &r);
		}
	/* None of the operators is without its proof. */
	assert_true(all.products >= 3 && all.changes >= 30 && all.softmaxes > 250);
}

static const struct panel *with_sign(const struct figure *f, enum sign sign)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].operand.sign == sign)
			return &f->panels[i];
	return NULL;
}

/* Huang et al. 2020, method 1: the logit times a scalar of the distance: a product of entries. RoPE turns
 * q and k by pairs: what it does to a product of two vectors depends on them, and no factor says it. */
TEST(what_multiplies_is_shown_as_what_it_is)
{
	const struct figure *f = &help_picture(&arena, "huang1", "view terms")->figure;
	assert_string_equal(f->panels[0].title, "Content before");
	assert_string_equal(f->panels[1].title, "Modulation");
	assert_int_equal(f->panels[1].operand.sign, SIGN_TIMES);
	assert_string_equal(f->panels[2].title, "Sum");
	assert_int_equal(f->panels[2].operand.sign, SIGN_EQUALS);
	/* What is masked is so in each of the matrices. */
	f = &help_picture(&arena, "huang1+causal", "view terms")->figure;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; f->panels[i].kind == PANEL_HEATMAP && k < 81; k++)
			assert_int_equal(f->panels[i].heatmap.masked[k], k % 9 > k / 9);
	f = &help_picture(&arena, "huang1", "view terms")->figure;
	/* With a term off the sum is of terms again. */
	f = &help_picture(&arena, "huang1", "view terms\nterms-off rest")->figure;
	assert_string_equal(f->panels[2].title, "Content after");
	assert_int_equal(f->panels[3].operand.sign, SIGN_FIRST);
	assert_true(f->panels[4].off);
	f = &help_picture(&arena, "rope", "view terms")->figure;
	assert_null(with_sign(f, SIGN_TIMES));
	assert_string_equal(with_sign(f, SIGN_BECOMES)->operand.done, "rope");
	assert_string_equal(with_sign(f, SIGN_BECOMES)->title, "Content after");
	/* Wu et al. 2021: relu(q·k) by a factor: negative products go. */
	f = &help_picture(&arena, "da", "view terms")->figure;
	assert_null(with_sign(f, SIGN_TIMES));
	assert_string_equal(with_sign(f, SIGN_BECOMES)->title, "Sum");
	assert_string_equal(with_sign(f, SIGN_BECOMES)->operand.done, "da");
	f = &help_picture(&arena, "t5", "view terms")->figure;
	assert_null(with_sign(f, SIGN_TIMES));
	assert_string_equal(with_sign(f, SIGN_BECOMES)->operand.done, "softmax");
}

/* What is on has all of the variance; nothing else is said to have a part of it. */
TEST(shares_beneath_are_of_one_whole)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct arena_mark mark = arena_mark(&arena);
		const struct figure *f =
			&help_picture(&arena, scheme_at(i)->id, "view terms")->figure;
		const struct bars *shares = equation_shares(f);
		double sum = 0;
		size_t n = 0;
		for (size_t k = 0; k < f->n; k++) {
			const size_t at = equation_share(f, k);
			assert_true(at == SIZE_MAX || f->panels[k].term != NULL);
			sum += at == SIZE_MAX ? 0 : shares->values[at];
			n += at != SIZE_MAX;
		}
		assert_true(shares == NULL || (n == shares->n && fabs(sum - 1) <= 1e-9));
		arena_rewind(&arena, mark);
	}
}

/* ---- signs and lines ----------------------------------------------------------------------------- */

static void flow_of(const char *expression, const char *lines, const bool *off, size_t cols,
		    struct equation *e)
{
	bool on[FIGURE_PANELS];
	const struct figure *f =
		&help_picture(&arena, expression, arena_printf(&arena, "view terms\n%s", lines))
			 ->figure;
	equation_all(f, f->n, on);
	for (size_t i = 0; off != NULL && i < f->n; i++)
		on[i] = on[i] && !off[i];
	equation_of(f, on, &arena, e);
	equation_flow(e, cols);
}

TEST(lines_break_before_the_sum)
{
	struct equation e;
	flow_of("deberta", "", NULL, 5, &e);
	assert_int_equal(e.lines, 1);
	flow_of("deberta", "", NULL, 3, &e); /* a + b + c / = sum → weights */
	assert_int_equal(e.lines, 2);
	assert_true(e.line[2] == 0 && e.line[3] == 1 && e.col[3] == 0);
	flow_of("deberta", "", NULL, 4, &e); /* not "a + b + c = sum / → weights" */
	assert_true(e.line[3] == 1 && e.line[4] == 1);
	flow_of("sinusoidal", "", NULL, 3, &e); /* a + b + c / + d = sum → weights */
	assert_true(e.lines == 2 && e.line[3] == 1 && e.col[4] == 1);
	flow_of("sinusoidal+rope", "", NULL, 6, &e); /* before → after / a + ... = sum → weights */
	assert_true(equation_begins(&e, 2) && e.line[2] == 1 && e.line[7] == 1);
	flow_of("rope", "", NULL, 3, &e); /* before → after → weights / factor */
	assert_true(e.line[2] == 0 && e.line[3] == 1 && equation_begins(&e, 3));
}

TEST(what_is_left_out_is_said)
{
	struct equation e;
	const bool second[FIGURE_PANELS] = {[1] = true};
	flow_of("deberta", "", second, 5, &e);
	assert_int_equal(e.n, 4);
	assert_string_equal(e.signs[1].text[0], "+ 1 term");
	assert_string_equal(e.signs[1].text[1], "+");
	const bool tail[FIGURE_PANELS] = {[1] = true, [2] = true, [3] = true};
	flow_of("deberta", "", tail, 5, &e);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.signs[1].n, 3);
	assert_string_equal(e.signs[1].text[0], "+ 2 terms");
	assert_string_equal(e.signs[1].text[1], "= A");
	assert_true(e.signs[1].arrow);
	/* Of two equations what is left out is in its order. */
	const bool middle[FIGURE_PANELS] = {
		[1] = true, [2] = true, [3] = true, [4] = true, [5] = true, [6] = true, [7] = true};
	flow_of("sinusoidal+rope+t5", "", middle, 5, &e);
	assert_string_equal(e.signs[1].text[0], "→ q′");
	assert_string_equal(e.signs[1].text[1], "; 5 terms");
	assert_string_equal(e.signs[1].text[2], "= A");
	assert_string_equal(e.signs[1].text[3], "softmax");
	const bool last[FIGURE_PANELS] = {[3] = true, [4] = true};
	flow_of("deberta", "", last, 5, &e);
	assert_string_equal(e.signs[3].text[0], "= A");
	assert_string_equal(e.signs[3].text[1], "→ α");
}

/* Small terms between large ones are counted once, before the sum; other small terms are counted in their places. */
TEST(small_terms_that_are_left_out_are_counted_once)
{
	bool on[FIGURE_PANELS];
	struct equation e;
	struct figure *const f = &help_picture(&arena, "sinusoidal", "view terms\n")->figure;
	equation_all(f, f->n, on);
	assert_false(equation_gathered(f, on, &arena, &e));
	on[1] = on[3] = false; /* a + (b) + c + (d) = sum */
	assert_false(equation_gathered(f, on, &arena, &e));
	assert_string_equal(e.signs[1].text[0], "+ 1 term");
	f->panels[1].priority = f->panels[3].priority = EQUATION_SMALL;
	assert_true(equation_gathered(f, on, &arena, &e));
	assert_string_equal(e.signs[1].text[0], "+");
	assert_string_equal(e.signs[2].text[0], "+ 2 small terms");
	assert_string_equal(e.signs[2].text[1], "=");
	equation_of(f, on, &arena, &e);
	assert_string_equal(e.signs[1].text[0], "+ 1 small term");
}

TEST(formulas_follow_from_labels)
{
	static const char *const rows[][3] = {
		{"deberta", "unit–unit", "q_t^⊤ k_s"},
		{"deberta", "query–K^r", "q_t^⊤ K^r_{ts}"},
		{"deberta", "Q^r–key", "Q^r^⊤ k_s"},
		{"txl", "b–key", "b^⊤ k_s"},
		{"sinusoidal", "unit–position", "x_t W_Q W_K^⊤ p_s^⊤"},
		{"graphormer", "in-degree–unit", "p^{in}_t W_Q W_K^⊤ x_s^⊤"},
		{"t5", "bias", "b_{ts}"},
		{"diet_rel", "E_S", "E_S"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *f = &help_picture(&arena, rows[i][0], "view terms")->figure;
		assert_string_equal(help_panel(f, rows[i][1])->operand.formula, rows[i][2]);
	}
	assert_string_equal(figure_scripts(&arena, "query–K^r"), "query–Kʳ");
	assert_string_equal(figure_scripts(&arena, "q_t^⊤ K^r_{ts}"), "qₜᵀ Kʳₜₛ");
	/* No signs for these: as written. */
	assert_string_equal(figure_scripts(&arena, "query–w_key"), "query–w_key");
	assert_string_equal(figure_scripts(&arena, "W_Q, a_ and ^"), "W_Q, a_ and ^");
}

/* ---- on cells ------------------------------------------------------------------------------------ */

struct screen {
	const struct figure *f;
	struct canvas *c;
	struct rect place[FIGURE_PANELS];
	struct canvas_seen seen[FIGURE_PANELS];
};

static struct screen draw(const char *expression, const char *lines, int rows, int cols,
			  enum tier tier, bool ascii)
{
	const char *text = arena_printf(&arena, "view terms\n%s", lines);
	struct screen s = {.f = &help_picture(&arena, expression, text)->figure};
	const struct rect r = {0, 0, rows, cols};
	s.c = help_canvas(rows, cols, tier, ascii);
	canvas_layout(s.c, s.f, r, s.f->n, false, s.place);
	canvas_panels(s.c, s.f, r, s.place, s.f->n, s.seen);
	help_assert_whole(s.c);
	return s;
}

static bool apart(struct rect a, struct rect b)
{
	return a.rows == 0 || b.rows == 0 || a.row + a.rows <= b.row || b.row + b.rows <= a.row ||
	       a.col + a.cols <= b.col || b.col + b.cols <= a.col;
}

static bool is_map(const struct screen *s, size_t i)
{
	return s->f->panels[i].operand.sign != SIGN_NONE && s->place[i].rows > 0;
}

/* Matrices lie apart, on the screen, are of one size; those of a line stand on one height. */
static size_t expect_places(const struct screen *s, const char *where)
{
	size_t n = 0, first = s->f->n;
	for (size_t i = 0; i < s->f->n; i++) {
		for (size_t k = 0; k < i; k++)
			if (!apart(s->place[i], s->place[k]))
				fail_msg("%s: panels %zu and %zu overlap", where, i, k);
		if (!is_map(s, i))
			continue;
		const struct rect d = s->seen[i].data;
		first = first == s->f->n ? i : first;
		n++;
		assert_true(d.rows == s->seen[first].data.rows &&
			    d.cols == s->seen[first].data.cols);
		assert_true(d.row >= 0 && d.col >= 0 && d.row + d.rows <= s->c->rows &&
			    d.col + d.cols <= s->c->cols);
	}
	return n;
}

/* Between two matrices of a line, beside their middle, the operator of the second. */
static void expect_operators(const struct screen *s, const char *where)
{
	for (size_t i = 1; i < s->f->n; i++) {
		const struct panel *p = &s->f->panels[i];
		size_t k = i;
		const char *text = "";
		if (!is_map(s, i) || p->operand.sign == SIGN_FIRST)
			continue;
		while (k-- > 0 && !is_map(s, k))
			;
		const struct rect d = s->seen[i].data, before = s->seen[k].data;
		const bool same = k < i && before.row == d.row;
		const int from = same ? before.col + before.cols : 0;
		for (int row = d.row; row < d.row + d.rows; row++)
			text = arena_printf(&arena, "%s%s ", text,
					    help_between(s->c, row, from,
							 same	     ? d.col
							 : d.col < 6 ? d.col
								     : 6));
		const char *want = p->operand.sign == SIGN_PLUS	    ? "+"
				   : p->operand.sign == SIGN_EQUALS ? "="
				   : p->operand.sign == SIGN_TIMES  ? (s->c->ascii ? "*" : "⊙")
				   : s->c->ascii		    ? ">"
								    : "→";
		if (strstr(text, want) == NULL)
			fail_msg("%s: no %s before \"%s\": %s", where, want, p->title, text);
	}
}

static const struct {
	const char *expression, *lines;
} figures[] = {
	{"deberta", ""},
	{"graphormer", ""},
	{"sinusoidal+rope+t5", "terms-off bias"},
	{"rope+causal", "row 2\ncol 1"},
	{"huang1", ""},
	{"none", ""},
	{"xlnet_model", "row 3\ncol 3"},
	{"sinusoidal", "sentence a"},
	{"t5", "sentence a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h"}};
enum { FIGURES = sizeof figures / sizeof *figures };

TEST(equations_stand_on_every_screen)
{
	static const int sizes[][2] = {{44, 168}, {30, 120}, {33, 120}, {19, 80}, {15, 60}};
	static const enum tier tiers[] = {TIER_DIRECT, TIER_256, TIER_16, TIER_MONO};
	for (size_t i = 0; i < FIGURES; i++)
		for (size_t k = 0; k < 5; k++)
			for (size_t t = 0; t < 5; t++) {
				const struct arena_mark mark = arena_mark(&arena);
				const char *where =
					arena_printf(&arena, "%s %s %dx%d", figures[i].expression,
						     figures[i].lines, sizes[k][1], sizes[k][0]);
				const struct screen s =
					draw(figures[i].expression, figures[i].lines, sizes[k][0],
					     sizes[k][1], tiers[t % 4], t == 4);
				if (expect_places(&s, where) < 1)
					fail_msg("%s: no equation", where);
				expect_operators(&s, where);
				arena_rewind(&arena, mark);
			}
}

static double share_of_area(const struct screen *s)
{
	int cells = 0;
	for (size_t i = 0; i < s->f->n; i++)
		if (is_map(s, i))
			cells += s->seen[i].data.rows * s->seen[i].data.cols;
	return (double)cells / (s->c->rows * s->c->cols);
}

/* Matrices have most of a screen: three terms in one line, sum and weights in the next. */
TEST(matrices_have_the_room)
{
	struct screen s = draw("deberta", "", 33, 120, TIER_DIRECT, false);
	assert_int_equal(expect_places(&s, "deberta"), 5);
	assert_true(share_of_area(&s) >= 0.3);
	assert_true(s.seen[3].data.row > s.seen[0].data.row &&
		    s.seen[3].data.col == s.seen[0].data.col);
	s = draw("deberta", "", 44, 168, TIER_DIRECT, false);
	assert_true(share_of_area(&s) >= 0.3);
	s = draw("sinusoidal", "", 33, 120, TIER_DIRECT, false);
	assert_int_equal(expect_places(&s, "sinusoidal"), 6);
	assert_true(share_of_area(&s) >= 0.3);
}

/* Fifty words of twelve letters: all columns are seen beside labels that are cut, by their means. */
TEST(labels_of_an_equation_get_short_before_columns_go)
{
	const char *sentence = "sentence";
	for (size_t i = 0; i < 50; i++)
		sentence = arena_printf(&arena, "%s abcdefghij%02zu", sentence, i);
	sentence = arena_printf(&arena, "%s\nrow 20\ncol 3", sentence);
	const struct screen s = draw("alibi", sentence, 33, 120, TIER_DIRECT, false);
	assert_true(expect_places(&s, "alibi") >= 4);
	for (size_t i = 0; i < s.f->n; i++)
		if (is_map(&s, i))
			assert_true(s.seen[i].view.block == 2 && s.seen[i].view.cols == 50);
	assert_non_null(strstr(help_screen(s.c), "mean of 2"));
}

/* The columns have their words above every line of matrices. */
TEST(columns_have_words_above_every_line)
{
	static const char *const schemes[] = {"alibi", "deberta", "sinusoidal"};
	for (size_t i = 0; i < 3; i++) {
		const struct screen s = draw(schemes[i], "", 33, 120, TIER_DIRECT, false);
		for (size_t k = 0; k < s.f->n; k++) {
			const struct rect at = s.seen[k].data;
			if (!is_map(&s, k))
				continue;
			assert_int_equal(at.rows, 9); /* a row for each name */
			const int from = at.col - 1, to = at.col + at.cols + 1;
			const char *const above = help_between(s.c, at.row - 2, from, to);
			const char *const below = help_between(s.c, at.row - 1, from, to);
			if (!strstr(above, "cat") || !strstr(above, "chased") ||
			    !strstr(below, "dog"))
				fail_msg("%s %zu\n%s\n%s", schemes[i], k, above, below);
		}
	}
}

static size_t times_in(const char *text, const char *word)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
		n++;
	return n;
}

TEST(operators_are_said)
{
	char *data;
	size_t len;
	export_plain(&help_picture(&arena, "deberta", "view terms")->figure, &arena, &data, &len);
	const char *text = arena_strndup(&arena, data, len);
	assert_int_equal(times_in(text, "Operator: plus"), 2);
	assert_int_equal(times_in(text, "Operator: equals"), 1);
	assert_int_equal(times_in(text, "Operator: becomes, by softmax"), 1);
	export_plain(&help_picture(&arena, "huang1", "view terms")->figure, &arena, &data, &len);
	text = arena_strndup(&arena, data, len);
	assert_int_equal(times_in(text, "Operator: times, each by each"), 1);
}

/* In ASCII names that stand twice have their numbers behind a sign that is there. */
TEST(equations_have_names_in_ascii)
{
	const struct screen s = draw("t5", "sentence the cat the dog", 30, 120, TIER_DIRECT, true);
	const char *text = help_screen(s.c);
	assert_non_null(strstr(text, "the#2"));
	for (const char *at = text; *at; at++)
		assert_true((unsigned char)*at < 0x80);
}

/* One bar for all logits, and each share once. */
TEST(a_number_is_said_once)
{
	const struct screen s = draw("deberta", "", 36, 120, TIER_DIRECT, false);
	const char *text = help_screen(s.c);
	assert_int_equal(times_in(text, "+5.7"), 1);
	assert_int_equal(times_in(text, "58 %"), 2); /* the finding has the shares, too */
	assert_int_equal(times_in(text, "35 %"), 2);
	assert_int_equal(times_in(text, "chased"),
			 2 + 5); /* of rows once a line, of columns in each matrix */
	assert_int_equal(times_in(text, "qₜᵀ Kʳₜₛ"), 1);
}

/* The addends of the cursor's cell stand above their sum, in digits that add up. */
TEST(the_cell_adds_up)
{
	const struct screen s = draw("deberta", "row 5\ncol 2", 30, 120, TIER_DIRECT, false);
	const struct figure *f = s.f;
	const char *text = help_screen(s.c);
	assert_non_null(strstr(text, "dog → cat"));
	double sum = 0;
	for (size_t i = 0; i < 4; i++) {
		const double x = mat_row(f->panels[i].heatmap.values, 4)[1];
		const char *want = arena_printf(&arena, "%s%.3f", x < 0 ? "−" : "+", fabs(x));
		assert_non_null(strstr(text, want));
		sum += i < 3 ? x : -x;
	}
	assert_true(fabs(sum) < 1e-12);
}

/* Where but two have room they are the content and the positions; the rest is said. */
TEST(positions_alone_stay_on_a_small_screen)
{
	const struct screen s = draw("sinusoidal", "", 9, 40, TIER_DIRECT, false);
	const char *text = help_screen(s.c);
	assert_true(is_map(&s, 0) && is_map(&s, 3));
	assert_false(is_map(&s, 1) || is_map(&s, 2) || is_map(&s, 4) || is_map(&s, 5));
	assert_non_null(strstr(text, "+ 2") && strstr(text, "terms"));
	assert_non_null(strstr(text, "= A"));
	assert_non_null(strstr(text, "→ α"));
}

/* A term that is off is dim, and so is its operator; the sum says of how many it is. */
TEST(a_term_that_is_off_is_dim)
{
	const struct screen s = draw("deberta", "terms-off query–K^r", 30, 120, TIER_DIRECT, false);
	const struct rect d = s.seen[1].data;
	assert_non_null(strstr(help_screen(s.c), "query–Kʳ (off)"));
	assert_non_null(strstr(help_screen(s.c), "Sum (2 of 3 terms)"));
	for (int row = d.row; row < d.row + d.rows; row++)
		for (int col = d.col - 4; col < d.col; col++)
			if (strcmp(help_at(s.c, row, col)->at, "+") == 0)
				assert_true(help_at(s.c, row, col)->attrs & ATTR_DIM);
}

/* What the focus is on is drawn, even what says nothing new. */
TEST(the_focus_is_always_there)
{
	static const char *const schemes[] = {"none", "huang1", "rope", "graphormer", "deberta"};
	for (size_t k = 0; k < 5; k++) {
		const struct figure *f = &help_picture(&arena, schemes[k], "view terms")->figure;
		for (size_t i = 0; i < f->n; i++)
			for (size_t size = 0; size < HELP_ROOMS; size++) {
				struct rect place[FIGURE_PANELS];
				help_layout(f, help_rooms[size], i, false, place);
				assert_true(place[i].rows > 0);
			}
	}
}

/* ---- on pages ------------------------------------------------------------------------------------ */

static struct raster_report page(const char *expression, const char *lines, int width, int height)
{
	const char *text = arena_printf(&arena, "view terms\n%s", lines);
	const struct raster_look look = {.width = width, .height = height, .dpi = 96};
	return help_page_report(&help_picture(&arena, expression, text)->figure, &look, &arena);
}

TEST(equations_stand_on_every_page)
{
	static const int sizes[][2] = {{1600, 1000}, {1600, 700}, {800, 500},
				       {700, 1200},  {975, 504},  {500, 400}};
	for (size_t i = 0; i < FIGURES; i++)
		for (size_t k = 0; k < 6; k++) {
			const struct arena_mark mark = arena_mark(&arena);
			const char *where =
				arena_printf(&arena, "%s %s %dx%d", figures[i].expression,
					     figures[i].lines, sizes[k][0], sizes[k][1]);
			const struct raster_report r = page(figures[i].expression, figures[i].lines,
							    sizes[k][0], sizes[k][1]);
			help_page_reads(where, &r, sizes[k][0], sizes[k][1]);
			for (size_t a = 0; a < r.plot_n; a++)
				for (size_t b = 0; b < a; b++)
					if (!help_plots_apart(&r.plots[a], &r.plots[b]))
						fail_msg("%s: matrices overlap", where);
			arena_rewind(&arena, mark);
		}
}

/* In one line, of one size and on one height; names of rows once, the share of each once. */
TEST(a_page_is_one_line_of_matrices)
{
	const struct raster_report r = page("deberta", "", 1600, 700);
	double area = 0;
	assert_int_equal(r.plot_n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(fabs(r.plots[i].y - r.plots[0].y) <= 0);
		assert_true(fabs(r.plots[i].width - r.plots[0].width) <= 0);
		area += r.plots[i].width * r.plots[i].height;
	}
	assert_true(area >= 0.25 * 1600 * 700);
	assert_int_equal(help_boxes_of(&r, "chased"), 1 + 5);
	assert_int_equal(help_boxes_of(&r, "58 %"), 1);
	assert_int_equal(help_boxes_of(&r, "+"), 2);
	assert_int_equal(help_boxes_of(&r, "="), 1);
	assert_int_equal(help_boxes_of(&r, "softmax"), 1);
	assert_int_equal(help_boxes_of(&r, "qt⊤ Krts"), 1);
}

/* Operators stand in the gap before their matrix, beside its middle. */
TEST(operators_stand_in_the_gaps)
{
	const struct raster_report r = page("deberta", "", 1600, 700);
	for (size_t i = 0; i < r.n; i++) {
		const struct text_box *box = &r.boxes[i];
		if (strcmp(box->text, "+") != 0 && strcmp(box->text, "=") != 0 &&
		    strcmp(box->text, "softmax") != 0)
			continue;
		size_t k = 1;
		while (k < r.plot_n && r.plots[k].x < box->x)
			k++;
		assert_true(k < r.plot_n);
		const struct plot_box *left = &r.plots[k - 1], *right = &r.plots[k];
		assert_true(box->x >= left->x + left->width && box->x + box->width <= right->x);
		assert_true(box->y > left->y && box->y + box->height < left->y + left->height);
	}
}
