/* test_findings.c: views say of every scheme in one sentence what is to be seen, and show it on every screen
 * that is high enough; a low one has it in brief, in one row. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

enum { LONGEST = 200 }; /* bytes, but for reasons and names of files */

static const char *const told[] = {"rank", "layers", "metrics", "cost"};

/* The first words of the sentence are on the screen, as far as they are in one row. */
static void assert_on_screen(struct tui *t, const char *finding, int cols, int rows)
{
	const struct help_look look = {cols, rows, TIER_DIRECT, false};
	const struct canvas *const c = help_frame(t, look);
	const char *const words = arena_strndup(&arena, finding, 24);
	for (int row = 0; row < c->rows; row++)
		if (strstr(help_between(c, row, 0, c->cols), words))
			return;
	fail_msg("%s: not to be seen: %s\n%s", help_frame_name(&t->frame, t, look), finding,
		 help_screen(c));
}

static void assert_sentence(const char *s, const char *where)
{
	if (!s || !*s)
		fail_msg("%s: no finding", where);
	const size_t len = strlen(s);
	if (s[len - 1] != '.' || strchr(s, '\n') || help_has_nan(s) || strstr(s, "(null)") ||
	    strstr(s, "0.0000") || strstr(s, "  "))
		fail_msg("%s: %s", where, s);
	if (len > 2 * LONGEST)
		fail_msg("%s: %zu bytes: %s", where, len, s);
}

static void assert_finding(const struct figure *f, const char *where)
{
	assert_sentence(f->finding, where);
	if (f->finding_brief)
		assert_sentence(f->finding_brief, where);
}

TEST_IN_PARTS(findings_of_all_schemes, 4)
{
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		for (size_t v = 0; v < sizeof told / sizeof *told; v++) {
			const char *const lines =
				arena_printf(&arena,
					     "view %s\nd-model 16\nheads 2\ntiming off\n"
					     "sentence a b c d e f g h\n%s\n",
					     told[v], s->sample ? s->sample : "");
			assert_finding(&help_picture(&arena, s->id, lines)->figure,
				       arena_printf(&arena, "%s of %s", told[v], s->id));
			arena_clear(&arena);
		}
	}
}

/* Those of a matrix or a cell. A scheme without logits has no terms; many terms leave no row above them, and the
 * subtitle has the sentence; two that are the same, or see other pairs, have a sentence in the place of their
 * difference. */
TEST_IN_PARTS(sentences_of_all_schemes, 4)
{
	static const char *const named[] = {"explore", "terms", "why",
					    "values",  "heads", "compare"};
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		for (size_t v = 0; v < sizeof named / sizeof *named; v++) {
			const char *const lines =
				arena_printf(&arena,
					     "view %s\nd-model 16\nheads 2\n"
					     "sentence a b c d e f g h\n%s\n",
					     named[v], s->sample ? s->sample : "");
			const struct figure *const f = &help_picture(&arena, s->id, lines)->figure;
			const char *const where = arena_printf(&arena, "%s of %s", named[v], s->id);
			bool spared = strstr(f->subtitle, "variance per row") != NULL;
			for (size_t k = 0; k < f->n; k++)
				spared |= f->panels[k].absent != NULL;
			if (f->finding || !spared)
				assert_finding(f, where);
			arena_clear(&arena);
		}
	}
}

/* Below 28 rows of a figure the brief sentence is above it in one row, and the first panel is below that; matrices of
 * Compare would be smaller. */
TEST(brief_findings_take_one_row)
{
	static const char *const named[] = {"explore", "terms", "why", "values"};
	for (size_t v = 0; v < sizeof named / sizeof *named; v++) {
		struct tui *const t =
			help_tui(&arena, "t5", help_view(&arena, named[v]), BACKGROUND_DARK);
		const char *const brief = t->picture->picture.figure.finding_brief;
		const struct canvas *const c =
			help_frame(t, (struct help_look){80, 24, TIER_DIRECT, false});
		if (!strstr(help_between(c, 1, 0, c->cols), brief))
			fail_msg("%s: %s\n%s", named[v], brief, help_screen(c));
		if (strstr(help_screen(c), "A key gives"))
			fail_msg("%s\n%s", named[v], help_screen(c));
		help_tui_done(t);
		arena_clear(&arena);
	}
}

TEST(findings_are_on_the_screen)
{
	static const int sizes[][2] = {{200, 50}, {120, 36}, {80, 24}, {60, 20}};
	static const char *const schemes[] = {"t5", "rope+causal", "sinusoidal"};
	for (size_t v = 0; v < sizeof told / sizeof *told; v++)
		for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
			struct tui *const t = help_tui(&arena, schemes[i],
						       help_view(&arena, told[v]), BACKGROUND_DARK);
			for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
				assert_on_screen(t, t->picture->picture.figure.finding, sizes[k][0],
						 sizes[k][1]);
			help_tui_done(t);
			arena_clear(&arena);
		}
}

/* The picture that a view is for is in sight, and a table of a few rows is whole beside it. */
TEST(main_pictures_are_in_sight)
{
	static const struct {
		const char *view, *panel;
	} all[] = {{"rank", "tokens"},
		   {"layers", "absolute"},
		   {"metrics", "repeated"},
		   {"cost", "operations"}};
	static const int sizes[][2] = {{120, 36}, {80, 24}};
	for (size_t v = 0; v < sizeof all / sizeof *all; v++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct tui *const t =
				help_tui(&arena, "rope+causal", help_view(&arena, all[v].view),
					 BACKGROUND_DARK);
			const struct help_look look = {sizes[k][0], sizes[k][1], TIER_DIRECT,
						       false};
			const struct canvas *const c = help_frame(t, look);
			const struct figure *const f = &t->picture->picture.figure;
			bool seen = false;
			for (size_t i = 0; i < t->n_zones; i++)
				seen |= t->zones[i].kind == ZONE_PANE && t->zones[i].index < f->n &&
					f->panels[t->zones[i].index].name &&
					strcmp(f->panels[t->zones[i].index].name, all[v].panel) ==
						0;
			if (!seen || strstr(help_screen(c), "rows 1–"))
				fail_msg("%s: %s", all[v].view, help_screen(c));
			help_tui_done(t);
			arena_clear(&arena);
		}
}
