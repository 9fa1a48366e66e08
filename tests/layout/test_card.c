/* test_card.c: what a card gives up when its room is small, and in which order, on cells and on a page. */
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_pages.h"
#include "help_view.h"
#include "plot/canvas_in.h"
#include "posviz/plot/raster.h"
#include "posviz/scheme/scheme.h"

FIXTURE(help_begin, help_end)

enum { SPARE = 2 };
static const struct card_line lines[] = {{"alpha", "one", "first note"},
					 {"beta", "two", "second note"},
					 {NULL, "three", "third note"},
					 {"gamma", "four", "fourth note"},
					 {"delta", "five", "fifth note"}};
static const struct card card = {"F = q·k", "About all of it.", lines, sizeof lines / sizeof *lines,
				 .n_spare = SPARE};

static const char *on_cells(const struct card *shown, int rows, int cols)
{
	const struct panel p = {.kind = PANEL_CARD, .title = "Card", .card = *shown};
	struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, &p, false, NULL, NULL);
	return help_screen(c);
}

/* Air first, then the spare lines, then the sentence, then whole lines, which are counted. */
TEST(spare_lines_go_before_a_card_leaves_lines_out)
{
	enum { COLS = 40, BOX = 2 };
	const char *const all = on_cells(&card, 9 + BOX, COLS), *const dense = on_cells(
									&card, 7 + BOX, COLS);
	assert_non_null(strstr(
		all,
		"F = q·k                              │\n│                                      │\n"));
	assert_non_null(strstr(dense, "F = q·k                              │\n│ alpha"));
	assert_true(strstr(dense, "delta") && strstr(dense, "About all of it.") &&
		    !strstr(dense, "…"));
	const char *const less = on_cells(&card, 6 + BOX, COLS), *const cut =
									 on_cells(&card, 5, COLS);
	assert_true(!strstr(less, "gamma") && strstr(less, "three") &&
		    strstr(less, "About all of it."));
	assert_null(strstr(less, "…"));
	assert_true(strstr(cut, "three · third note") && !strstr(cut, "About") &&
		    !strstr(cut, "…"));
	const char *const few = on_cells(&card, 4, COLS);
	assert_true(strstr(few, "one · first note") && strstr(few, "4 more") &&
		    !strstr(few, "beta") && !strstr(few, "…"));
}

/* A line whose note has no room stays with its value. */
TEST(values_stay_where_notes_have_no_room)
{
	static const struct card_line three[] = {
		{"alpha", "one", "first note"},
		{"beta", "two",
		 "a note that goes over more than two rows of this narrow card, and on"},
		{"gamma", "four", "fourth note"}};
	const struct card long_note = {.lines = three, .n = 3};
	const char *const screen = on_cells(&long_note, 5, 34);
	assert_true(strstr(screen, "one · first note") && strstr(screen, "beta   two\n") &&
		    strstr(screen, "gamma  four"));
	assert_null(strstr(screen, "…"));
	assert_null(strstr(screen, "more"));
}

/* The first of the spare ones stay while the others go. */
TEST(the_first_spare_lines_go_last)
{
	enum { COLS = 40, BOX = 2 };
	static const struct card_line six[] = {{.key = "one", .value = "1"},
					       {.key = "two", .value = "2"},
					       {.key = "three", .value = "3", .formula = "q_t"},
					       {.key = "four", .value = "4"},
					       {.key = "five", .value = "5"},
					       {.key = "six", .value = "6"}};
	const struct card shown = {.lines = six, .n = 6, .n_spare = 4, .n_first = 2};
	const char *const all = on_cells(&shown, 6 + BOX, COLS);
	const char *const less = on_cells(&shown, 5 + BOX, COLS);
	const char *const least = on_cells(&shown, 2 + BOX, COLS);
	assert_true(strstr(all, "six") && strstr(all, "qₜ"));
	assert_true(strstr(less, "qₜ") && strstr(less, "four") && !strstr(less, "five"));
	assert_true(strstr(least, "two") && !strstr(least, "three") && !strstr(least, "…"));
}

/* In two columns a line without a key stays below the one that it continues. */
TEST(two_columns_part_between_keys)
{
	struct card none = card;
	none.n_spare = 0;
	none.n = 4;
	const char *const beside = on_cells(&none, 7, 80);
	assert_non_null(strstr(beside, "│ alpha  one · first note"));
	assert_non_null(strstr(beside, "gamma  four · fourth note"));
	assert_non_null(strstr(beside, "│        three · third note"));
	assert_null(strstr(on_cells(&none, 7, 70), "one · first note  "
						   "                  gamma"));
}

/* Values stand in a column, or behind their keys where that would be too narrow; nothing is lost of a
 * long key. */
TEST(keys_have_a_column_where_there_is_room)
{
	static const struct card_line words[] = {{"a", "same", NULL},
						 {"the longest of all keys", "same", NULL}};
	const struct card keys = {.lines = words, .n = 2};
	const char *const wide = on_cells(&keys, 9, 44), *const narrow = on_cells(&keys, 9, 18);
	assert_non_null(strstr(wide, "│ a                 same"));
	assert_non_null(strstr(wide, "│ the longest of    same"));
	assert_non_null(strstr(wide, "│ all keys"));
	assert_non_null(strstr(narrow, "│ a same"));
	assert_non_null(strstr(narrow, "│ all keys same"));
}

/* A card without a frame says behind its title what its lines say, if that has room there. */
TEST(few_lines_stand_below_their_sentence)
{
	struct card said = card;
	said.said = "one, two, three";
	said.formula = said.about = NULL;
	for (int cols = 40; cols >= 16; cols -= 24) {
		const char *const screen = on_cells(&said, 5, cols);
		assert_int_equal(strstr(screen, "Card  one, two, three") != NULL, cols == 40);
		assert_non_null(strstr(screen, "alpha"));
	}
}

/* On a page spare lines go, then the notes of the last lines, then all notes, which it says; values never do. */
TEST(notes_leave_a_page_after_spare_lines)
{
	enum { LINES = sizeof lines / sizeof *lines, TIMES = 2 };
	struct card_line many[TIMES * LINES];
	bool seen[3] = {false}, some = false;
	for (size_t i = 0; i < TIMES * LINES; i++)
		many[i] = (struct card_line){i < LINES ? "key" : "spare", "value",
					     "a note of more words than one line has room for"};
	struct figure f = {.n = 1};
	f.panels[0] = (struct panel){
		.kind = PANEL_CARD,
		.title = "Card",
		.rows = 1,
		.cols = 1,
		.card = {NULL, NULL, many, TIMES * LINES, .n_spare = TIMES * LINES - LINES}};
	for (int height = 700; height >= 200; height -= 10) {
		const struct raster_look look = {.width = 300, .height = height, .dpi = 150};
		const struct raster_report r = help_page_report(&f, &look, &help_arena);
		const bool spare = help_page_says(&r, "spare"),
			   notes = help_page_says(&r, "a note");
		assert_true(help_page_says(&r, "value"));
		assert_int_equal(help_page_says(&r, "with notes on"), !notes);
		assert_true(!spare || notes);
		seen[spare + notes] = true;
		size_t n = 0;
		for (size_t i = 0; i < r.n; i++)
			n += strncmp(r.boxes[i].text, "a note", 6) == 0;
		some |= n > 0 && n < LINES;
	}
	assert_true(seen[0] && seen[1] && seen[2] && some);
}

/* Indices that have no sign stand in brackets, and then all of their letter; nothing is left of markers but
 * powers. */
TEST(formulas_are_typeset_on_cells)
{
	static const char *const rows[][2] = {
		{"A_ts = q_t·K^r_{δ(t,s)} / √d_h", "Aₜₛ = qₜ·Kʳ[δ(t,s)] / √dₕ"},
		{"X_t W_q · X_s W_k", "Xₜ W[q] · Xₛ W[k]"},
		{"W_1ᵀ x_t + b_{s−t}", "W₁ᵀ xₜ + bₛ₋ₜ"},
		{"2^{−8i/h}, e^{−x}, X^τ_t, P_K^T", "2^(−8i/h), e⁻ˣ, X^τₜ, P[K]ᵀ"},
		{"p_{t_max}, {0, …, n}, β_δ, a_", "p[tₘₐₓ], {0, …, n}, β[δ], a_"}};
	const struct canvas *const c = help_canvas(1, 1, TIER_DIRECT, false);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(canvas_formula(c, &help_arena, rows[i][0]), rows[i][1]);
	for (size_t i = 0; i < scheme_count(); i++) {
		const char *const text = canvas_formula(c, &help_arena, scheme_at(i)->formula);
		if (strchr(text, '_') || strstr(text, "^{") || strstr(text, "[]"))
			fail_msg("%s: %s", scheme_at(i)->id, text);
	}
}

/* No "?" stands for a sign of any scheme's formula, and names do not run into what is beside them. */
TEST(formulas_are_spelled_in_ascii)
{
	static const char *const rows[][2] = {
		{"2σ² / (σ√(2π))", "2 sigma^2 / (sigma sqrt(2 pi))"},
		{"Σ_j cos((s−t)θ_j)·√d_h", "sum_j cos((s-t) theta_j)*sqrt d_h"},
		{"R̂_ts, ⌊n/2⌋, β_δ, ∞", "Rhat_ts, floor(n/2), beta_delta, inf"}};
	const struct canvas *const ascii = help_canvas(1, 1, TIER_MONO, true);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(canvas_formula(ascii, &help_arena, rows[i][0]), rows[i][1]);
	for (size_t i = 0; i < scheme_count(); i++) {
		const char *const text = canvas_formula(ascii, &help_arena, scheme_at(i)->formula);
		for (const char *at = text; *at; at++)
			if ((unsigned char)*at > 126)
				fail_msg("%s: %s", scheme_at(i)->id, text);
	}
}

/* What the numbers are worth comes first on the card of every scheme that learns some. */
TEST(values_stand_before_learned_on_every_card)
{
	size_t n = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		if (s->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH | SCHEME_MASK) || !s->leaves)
			continue;
		struct arena a;
		arena_init(&a);
		const struct picture *const p = help_picture(&a, s->id, "view explore\n");
		const struct panel *shown = NULL;
		for (size_t k = 0; k < p->figure.n && !shown; k++)
			shown = p->figure.panels[k].kind == PANEL_CARD ? &p->figure.panels[k]
								       : NULL;
		if (shown && shown->card.n > 0 && shown->card.leads) {
			if (strcmp(shown->card.lines[0].key, "values") != 0)
				fail_msg("%s: %s", s->id, shown->card.lines[0].key);
			n++;
		}
		for (size_t k = 1; shown && k < shown->card.n; k++)
			if (shown->card.lines[k].key &&
			    strcmp(shown->card.lines[k].key, "values") == 0)
				fail_msg("%s: values in line %zu", s->id, k + 1);
		arena_release(&a);
	}
	assert_true(n > 30);
}

/* No size has the card without it. */
TEST(values_are_seen_at_every_size)
{
	static const int sizes[][2] = {{132, 38}, {120, 36}, {100, 30}, {80, 24}, {60, 20}};
	static const char *const schemes[] = {"t5",  "shaw",	"learned",
					      "txl", "deberta", "synth_factorized"};
	for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct arena a;
			arena_init(&a);
			struct tui *const t =
				help_tui(&a, schemes[k], "view explore\n", BACKGROUND_DARK);
			const struct canvas *const c =
				help_frame(t, (struct help_look){sizes[i][0], sizes[i][1],
								 TIER_DIRECT, false});
			if (!strstr(help_screen(c), "not trained"))
				fail_msg("%s at %dx%d:\n%s", schemes[k], sizes[i][0], sizes[i][1],
					 help_screen(c));
			help_tui_done(t);
			arena_release(&a);
		}
}

/* A name longer than the line is broken behind one of its words, and never within one. */
TEST(long_names_are_broken_between_their_words)
{
	static const struct card_line one[] = {
		{.key = "context", .value = "64 before (original_max_position_embeddings)"}};
	const char *const screen = on_cells(&(struct card){.lines = one, .n = 1}, 10, 40);
	assert_non_null(strstr(screen, "(original_max_position_ "));
	assert_non_null(strstr(screen, " embeddings)"));
}
