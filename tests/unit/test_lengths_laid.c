/* test_lengths_laid.c: the view Lengths for several schemes: whose curves are shown, that they are those of each
 * alone, what is left of each pair's angle, and that six can be told apart on every screen. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "posviz/scene/beside.h"

FIXTURE(help_begin, help_end)

#define SIX "rope_pi,rope_ntk,rope_yarn,rope_long,none"

static const struct picture *shown(const char *expression, const char *lines)
{
	struct picture *const p =
		help_picture(&help_arena, expression,
			     arena_printf(&help_arena, "view lengths\nt-max 16\n%s", lines));
	help_figure_is_sound(&help_arena, &p->figure, expression);
	return p;
}

static const struct panel *titled(const struct picture *p, const char *title)
{
	for (size_t i = 0; i < p->figure.n; i++)
		if (strncmp(p->figure.panels[i].title, title, strlen(title)) == 0)
			return &p->figure.panels[i];
	fail_msg("no panel %s", title);
	return NULL;
}

/* ---- which ------------------------------------------------------------------------------- */

static void lists(const char *scheme, const char *compare, const char *lengths, const char *wanted)
{
	struct scene s;
	struct err err = {""};
	struct laid_over all[LENGTHS_MOST];
	const char *out = "";
	scene_init(&s);
	if (!scene_set(&s, field_find("scheme"), scheme, &err) ||
	    !scene_set(&s, field_find("compare"), compare, &err) ||
	    !scene_set(&s, field_find("lengths"), lengths, &err))
		fail_msg("%s", err.text);
	const size_t n = scene_lengths(&s, &help_arena, all);
	for (size_t i = 0; i < n; i++)
		out = arena_printf(&help_arena, "%s%s%s", out, i ? " " : "", all[i].expression);
	assert_string_equal(out, wanted);
}

TEST(schemes_are_the_own_then_the_compared_then_the_named_each_once)
{
	lists("rope", "none", "none", "rope");
	lists("rope", "none", "none()", "rope none");
	lists("rope", "none", "rope_pi, t5(buckets=16,max_distance=64)",
	      "rope rope_pi t5(buckets=16,max_distance=64)");
	lists("rope", "alibi; t5 @ man bites dog", "rope;alibi;none", "rope alibi none");
	lists("none", "none", SIX, "none rope_pi rope_ntk rope_yarn rope_long");
}

TEST(a_list_that_is_none_says_what_would_be_right)
{
	static const char *const rows[][2] = {
		{"rope,,t5", "lengths: expression 2 is empty; EXPR,EXPR,... would be right"},
		{"", "lengths: expression 1 is empty"},
		{"alibi,roqe", "lengths: expression 2: no scheme \"roqe\"; did you mean \"rope\"?"},
		{"t5,rope,alibi,none,shaw,learned", "lengths: at most 5 beside the scheme itself"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		assert_false(scene_set(&s, field_find("lengths"), rows[i][0], &err));
		if (strncmp(err.text, rows[i][1], strlen(rows[i][1])) != 0)
			fail_msg("%s: %s", rows[i][0], err.text);
		assert_string_equal(s.lengths, "none");
	}
}

/* ---- numbers ----------------------------------------------------------------------------- */

static void is_close(double is, double wanted, double most, const char *what)
{
	if (!(fabs(is - wanted) <= most))
		fail_msg("%s: %.17g, not %.17g", what, is, wanted);
}

/* Each curve is that of the scheme alone; entropies are told as what they lack of ln n. */
TEST(curves_over_one_another_are_those_of_each_scheme_alone)
{
	static const char *const names[] = {"rope", "rope_pi", "none"};
	const struct picture *const all = shown("rope", "lengths rope_pi,none\n");
	const struct curves *const within = &titled(all, "Weight within")->curves,
				   *const below = &titled(all, "Entropy below")->curves;
	assert_int_equal(within->n, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct picture *const one = shown(names[i], "");
		const struct curves *const alone = &titled(one, "Weight within")->curves,
					   *const entropy = &titled(one, "Entropy")->curves;
		const struct series *const s = &within->series[i], *const is = alone->series;
		assert_string_equal(s->label, names[i]);
		assert_int_equal(s->n, is->n);
		assert_true(within->together);
		for (size_t k = 0; k < s->n; k++) {
			is_close(s->x[k], is->x[k], 0, "n");
			is_close(s->y[k], is->y[k], 0, "weight");
			is_close(below->series[i].y[k], log(s->x[k]) - entropy->series[0].y[k],
				 1e-12, "entropy");
		}
	}
	/* Without positions all keys are alike. */
	for (size_t k = 0; k < below->series[2].n; k++)
		is_close(below->series[2].y[k], 0, 1e-12, "none");
}

/* Position interpolation divides every angle by the factor; the NTK base, times factor^(d/(d−2)), leaves the
 * fastest pair alone and divides the slowest by the factor. */
TEST(angles_are_those_of_the_formulas)
{
	const struct picture *const p =
		shown("rope", "lengths rope_pi(factor=4),rope_ntk(factor=4),t5\n");
	const struct panel *const panel = titled(p, "Angle of each pair");
	const struct curves *const c = &panel->curves;
	const size_t bands = c->series[0].n;
	assert_int_equal(c->n, 3);
	assert_string_equal(panel->note, "no rotation: t5");
	assert_int_equal(c->series[2].colour, 2);
	for (size_t i = 0; i < bands; i++) {
		const double last = (double)(bands - 1);
		is_close(c->series[0].y[i], 1, 1e-12, "rope");
		is_close(c->series[1].y[i], 0.25, 1e-9, "pi");
		is_close(c->series[2].y[i], pow(4, -(double)i / last), 1e-9, "ntk");
	}
}

/* ---- screens ----------------------------------------------------------------------------- */

static size_t count(const struct canvas *c, struct rect in, const char *sign)
{
	size_t n = 0;
	for (int i = 0; i < in.rows * in.cols; i++)
		n += strcmp(help_at(c, in.row + i / in.cols, in.col + i % in.cols)->at, sign) == 0;
	return n;
}

static struct rect place_of(const struct tui *t, size_t panel)
{
	for (size_t i = 0; i < t->n_zones; i++)
		if (t->zones[i].kind == ZONE_PANE && t->zones[i].index == panel)
			return t->zones[i].at;
	return (struct rect){0};
}

/* Of each curve its sign stands before its name and at least once more on its line, twice on a wide screen, in
 * colours and in none. */
TEST(six_curves_are_told_apart_by_signs_on_every_screen)
{
	static const char *const signs[] = {"●", "■", "▲", "◆", "▼", "○"},
				 *const plain[] = {"*", "+", "#", "%", "^", "&"},
				 *const names[] = {"rope", "pi", "ntk", "yarn", "long", "none"};
	static const int sizes[][2] = {{200, 50}, {120, 36}, {80, 24}, {60, 20}};
	struct tui *const t = help_tui(
		&help_arena, "rope", "view lengths\nt-max 64\nlengths " SIX "\n", BACKGROUND_DARK);
	for (size_t i = 0; i < 4 * 3; i++) {
		static const enum tier tiers[] = {TIER_MONO, TIER_16, TIER_DIRECT};
		for (int ascii = 0; ascii < 2; ascii++) {
			const struct help_look look = {.cols = sizes[i / 3][0],
						       .rows = sizes[i / 3][1],
						       .tier = tiers[i % 3],
						       .ascii = ascii};
			const struct canvas *const c = help_frame(t, look);
			const struct rect at = place_of(t, 0);
			for (size_t k = 0; k < 6; k++) {
				const char *const sign = (ascii ? plain : signs)[k];
				const char *const text = help_screen(c);
				if (count(c, at, sign) < (look.cols == 200 ? 3 : 2))
					fail_msg("%s: no line of %s:\n%s",
						 help_frame_name(&help_arena, t, look), names[k],
						 text);
				if (!strstr(text,
					    arena_printf(&help_arena, "%s %s", sign, names[k])) &&
				    !strstr(text, arena_printf(&help_arena, "%s rope_%s", sign,
							       names[k])))
					fail_msg("%s: no name of %s:\n%s",
						 help_frame_name(&help_arena, t, look), names[k],
						 text);
			}
		}
	}
	help_tui_done(t);
}

TEST(the_title_and_a_sentence_name_the_schemes)
{
	const struct picture *const p = shown("rope", "lengths alibi+causal,learned\n");
	assert_string_equal(p->figure.title, "rope, alibi+causal and learned on longer texts");
	assert_non_null(strstr(p->figure.finding, "within 18 positions for alibi+causal, "));
	assert_non_null(strstr(p->figure.finding, "learned ends at 16 tokens."));
	/* No scheme that rotates pairs of columns: no panel of their angles. */
	const struct picture *const none = shown("t5", "lengths alibi\n");
	for (size_t i = 0; i < none->figure.n; i++)
		assert_true(!none->figure.panels[i].name ||
			    strcmp(none->figure.panels[i].name, "angles") != 0);
}
