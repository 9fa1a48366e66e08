/* test_view_rules.c: what views say where rows of weights do not sum to 1, and where a rule changes logits: the
 * sink's share, signs of weights, the steps of a cell. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/analysis.h"

FIXTURE(open_arena, close_arena)

static const char words[] = "sentence the cat saw the dog\n";

static struct picture *drawn(const char *expression, const char *view)
{
	return help_picture(&arena, expression, arena_printf(&arena, "view %s\n%s", view, words));
}

static const struct trace_head *shown(const struct picture *p)
{
	return &p->trace.layers[0].heads[0];
}

static const struct panel *panel_of(const struct picture *p, enum panel_kind kind)
{
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].kind == kind)
			return &p->figure.panels[i];
	fail_msg("no panel of the kind %d", (int)kind);
	return NULL;
}

TEST(the_row_of_why_has_the_sink)
{
	struct picture *const p = drawn("rope+sink+causal", "why");
	const struct panel *const panel = panel_of(p, PANEL_COLUMNS);
	const struct columns *const c = &panel->columns;
	double sum = 0;
	assert_int_equal(c->n, 6);
	assert_string_equal(c->labels[5], "sink");
	for (size_t i = 0; i < c->n; i++)
		sum += c->masked && c->masked[i] ? 0 : c->values[i];
	assert_true(fabs(sum - 1) < 1e-12);
	assert_non_null(strstr(panel->subtitle, "the sink, σ −1.00, takes"));
	assert_non_null(strstr(c->formula, " + "));
	help_figure_is_sound(&arena, &p->figure, "why");
}

/* Weights of a panel are named by what makes them; and what their rows sum to is said if it is not 1. */
TEST(panels_of_weights_say_what_rows_sum_to)
{
	static const struct {
		const char *expression, *says, *not ;
	} rows[] = {
		{"rope+causal", "softmax over the keys", "rows sum"},
		{"rope+sink+causal", "softmax over the keys and a sink; rows sum to", NULL},
		{"stickbreak", "not a softmax; rows sum to", "over the keys"},
		{"diff+causal", "not a softmax; rows sum to 0.8", NULL},
		{"retnet", "not a softmax; rows sum to", NULL},
		{"window(width=0)", "softmax over the keys", "rows sum"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct picture *const p = drawn(rows[i].expression, "explore");
		const struct panel *const panel = help_named_panel(&p->figure, "weights");
		assert_non_null(panel);
		if (!strstr(panel->subtitle, rows[i].says) ||
		    (rows[i].not &&strstr(panel->subtitle, rows[i].not )))
			fail_msg("%s: %s", rows[i].expression, panel->subtitle);
		help_figure_is_sound(&arena, &p->figure, rows[i].expression);
	}
}

/* The weights beside the sum of the terms are the head's: of the softmax with its sink, or of a scheme that
 * makes them itself. */
TEST(the_sums_weights_have_the_sink)
{
	static const char *const expressions[] = {"rope+sink+causal", "alibi+sink",
						  "stickbreak",	      "retnet",
						  "diff+causal",      "rope+softcap(cap=1)"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		const struct picture *const p = drawn(expressions[i], "terms");
		const struct panel *const panel = help_named_panel(&p->figure, "weights");
		assert_non_null(panel);
		if (!(mat_max_abs_diff(panel->heatmap.values, shown(p)->weights) < 1e-12))
			fail_msg("%s: %s", expressions[i], panel->subtitle);
		help_figure_is_sound(&arena, &p->figure, expressions[i]);
	}
}

/* Negative weights have a height and a colour of their sign. */
TEST(negative_weights_are_seen)
{
	struct picture *const p = drawn("retnet", "why");
	const struct panel *const panel = panel_of(p, PANEL_COLUMNS);
	assert_true(panel->columns.is_signed);
	assert_non_null(strstr(panel->subtitle, "colour: its sign"));
	assert_false(panel_of(drawn("rope", "why"), PANEL_COLUMNS)->columns.is_signed);
	const struct picture *const explored = drawn("retnet", "explore");
	assert_true(help_named_panel(&explored->figure, "weights")->heatmap.scale.lo < 0);
}

/* What a rule adds or changes is a step of the cell. */
TEST(a_rule_is_a_step_of_the_cell)
{
	static const char *const rows[][2] = {{"rope+softcap(cap=1)", "soft cap"},
					      {"rope+temperature", "1/τ − 1"},
					      {"alibi+ssmax", "s ln n − 1"},
					      {"rope+qk_norm", "what rope, qk_norm do"},
					      {"qk_norm", "what qk_norm does"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct picture *const p = drawn(rows[i][0], "why");
		const struct waterfall *const w = &panel_of(p, PANEL_WATERFALL)->waterfall;
		bool found = false;
		for (size_t k = 0; k < w->n; k++)
			found |= strcmp(w->steps[k].label, rows[i][1]) == 0;
		if (!found)
			fail_msg("%s: no step %s", rows[i][0], rows[i][1]);
	}
}
