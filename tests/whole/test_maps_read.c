/* test_maps_read.c: matrices on screens read at first sight, in every view at every size: cells are
 * square, rows are named, bars are as wide as their matrix, shares are on one scale and add up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "posviz/scheme/scheme.h"

FIXTURE(open_arena, close_arena)

static const char *const schemes[] = {"rope+causal", "tupe_r",	   "t5",
				      "deberta",     "sinusoidal", "alibi"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Calls `check` for each matrix of a screen. */
typedef void check_map(const struct canvas *c, const struct panel *p, const struct zone *z,
		       const char *name);

static void each_map(const char *scheme, enum tier first, enum tier last, check_map *check)
{
	for (size_t v = 0; views[v]; v++) {
		struct tui *const t = help_tui(&arena, scheme, help_view(&arena, views[v]->name),
					       BACKGROUND_DARK);
		for (size_t k = 0; k < HELP_SCREENS; k++)
			for (enum tier tier = first; tier <= last; tier++) {
				const struct help_look look = {help_screens[k][0],
							       help_screens[k][1], tier, false};
				const struct canvas *const c = help_frame(t, look);
				const char *const name = help_frame_name(&t->frame, t, look);
				for (size_t i = 0; i < t->n_zones; i++) {
					const struct zone *const z = &t->zones[i];
					const struct panel *const p =
						&t->picture->picture.figure.panels[z->index];
					if (z->kind == ZONE_CELLS && p->kind == PANEL_HEATMAP)
						check(c, p, z, name);
				}
			}
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* Returns whether the first row of cells has numbers in them. */
static bool shows_numbers(const struct canvas *c, const struct zone *z)
{
	const char *const text =
		help_between(c, z->data.row, z->data.col, z->data.col + z->data.cols);
	return strpbrk(text, "0123456789") != NULL;
}

/* A column is half as wide as a row is high, or as wide as a number where a small matrix shows its values. */
static void assert_square(const struct canvas *c, const struct panel *p, const struct zone *z,
			  const char *name)
{
	const struct heatmap *const h = &p->heatmap;
	const int across = z->view.cell_cols, down = z->view.cell_rows2;
	const size_t cells = h->values.rows * h->values.cols;
	const bool numbers =
		h->integers || h->words || cells < 36 || (cells < 50 && shows_numbers(c, z));
	if (h->values.rows != h->values.cols || numbers)
		return;
	if (across < down || (4 * across > 5 * down && across > down + 2))
		fail_msg("%s: cells of %d columns by %d half rows:\n%s", name, across, down,
			 help_screen(c));
}

TEST_SAMPLED(square_matrices_are_square, 2, SCHEMES)
{
	each_map(schemes[test_part], TIER_256, TIER_DIRECT, assert_square);
}

/* Returns whether a row of the screen has the word, or two letters of it, or the number of one of two rows
 * that share it. */
static bool is_named(const char *line, const char *word, size_t row, bool shared)
{
	const size_t two = text_fit(word, 2, NULL);
	const char *const own = arena_printf(&arena, "%zu", row + 1);
	const char *const other = arena_printf(&arena, "%zu", (row ^ 1u) + 1);
	return strstr(line, arena_strndup(&arena, word, two)) || strstr(line, own) ||
	       (shared && strstr(line, other));
}

/* By its word or its number, or by that of the row beside it with which it shares a row of the screen. */
static void assert_named(const struct canvas *c, const struct panel *p, const struct zone *z,
			 const char *name)
{
	const struct heatmap *const h = &p->heatmap;
	const struct heatmap_view *const v = &z->view;
	for (size_t i = 0; i < v->rows && !v->averaged && h->row_labels && !h->ruler; i++) {
		const size_t row = v->first_row + i;
		struct rect at;
		bool named = false;
		/* The word of the cursor replaces the run that it is in. */
		const bool run = v->cell_rows2 == 1 && h->has_cursor && (row ^ 1u) == h->row;
		if (run || !canvas_place(z->data, v, row, v->first_col, &at))
			continue;
		for (int y = at.row; y < at.row + at.rows && !named; y++) {
			const char *const line = help_between(c, y, 0, z->data.col);
			named = is_named(line, h->row_labels[row], row, v->cell_rows2 == 1);
		}
		if (!named)
			fail_msg("%s: row %zu, \"%s\", is not named:\n%s", name, row + 1,
				 h->row_labels[row], help_screen(c));
	}
}

TEST_SAMPLED(every_row_is_named, 2, SCHEMES)
{
	each_map(schemes[test_part], TIER_DIRECT, TIER_DIRECT, assert_named);
}

/* The limits, the colours between them and what explains them take at least the width of the matrix, and
 * colours most of that if nothing is to be explained. Values that are one thing or the other have two boxes. */
static void assert_wide_bar(const struct canvas *c, const struct panel *p, const struct zone *z,
			    const char *name)
{
	const struct heatmap *const h = &p->heatmap;
	enum { WIDE = 18, LONG = 24 };
	const int end = z->data.row + z->data.rows;
	int most = 0;
	if (h->no_bar || z->data.cols < WIDE || h->integers || !(h->scale.hi > h->scale.lo) ||
	    heatmap_is_either(h) ||
	    p->operand.sign != SIGN_NONE) /* matrices of an equation share bars */
		return;
	for (int row = end; row < end + 2 && row < c->rows; row++) {
		int n = 0;
		for (int col = z->data.col; col < z->data.col + z->data.cols; col++)
			n += help_at(c, row, col)->bg != CELL_DEFAULT;
		most = n > most ? n : most;
	}
	/* Limits have up to seven signs, or are 0 and at most four; "more", "sqrt", "· masked". */
	const int words = (h->scale.diverging ? 30 : 12) + (h->scale.mode != SCALE_LINEAR ? 6 : 0) +
			  (h->masked ? 22 : 0);
	if (most > 0 && most < LONG && most < z->data.cols - words && 5 * most < 3 * z->data.cols)
		fail_msg("%s: a bar of %d cells below %d columns:\n%s", name, most, z->data.cols,
			 help_screen(c));
}

TEST_SAMPLED(bars_are_as_wide_as_their_matrices, 2, SCHEMES)
{
	each_map(schemes[test_part], TIER_DIRECT, TIER_DIRECT, assert_wide_bar);
}

/* Returns the columns of the bar behind a share; 0: it has none. */
static int bar_behind(const char *at)
{
	int n = 0;
	for (at += strlen(" % ");
	     !strncmp(at, "█", 3) || !strncmp(at, "▌", 3) || !strncmp(at, "─", 3); at += 3)
		n++;
	return n;
}

/* 21 % is longer than 4 %, for all bars of a screen have one full length. */
TEST(bars_of_shares_have_one_length)
{
	static const char *const of[] = {"terms", "split"};
	for (size_t i = 0; i < 2 * SCHEMES; i++) {
		struct tui *const t = help_tui(&arena, schemes[i / 2], help_view(&arena, of[i % 2]),
					       BACKGROUND_DARK);
		for (size_t k = 0; k < HELP_SCREENS; k++) {
			const struct help_look look = {help_screens[k][0], help_screens[k][1],
						       TIER_DIRECT, false};
			const char *const text = help_screen(help_frame(t, look));
			int all = 0;
			for (const char *at = text; (at = strstr(at, " % ")) != NULL; at++) {
				const int n = bar_behind(at);
				if (n > 0 && all > 0 && n != all)
					fail_msg("%s, %s: bars of %d and %d:\n%s", schemes[i / 2],
						 of[i % 2], all, n, text);
				all = n > 0 ? n : all;
			}
		}
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* In every scheme; a share that is rounded to nothing is "<1 %". */
TEST(shares_of_an_equation_add_up)
{
	static const char *const of[] = {"view terms\n", "view split\n"};
	size_t n = 0;
	for (size_t i = 0; i < 2 * scheme_count(); i++) {
		const char *const id = scheme_at(i / 2)->id;
		const struct figure *const f = &help_picture(&arena, id, of[i % 2])->figure;
		long sum = 0;
		bool any = false;
		for (size_t k = 0; k < f->n; k++) {
			const char *const share = f->panels[k].operand.share;
			any |= share != NULL;
			if (share != NULL && strncmp(share, "−", 3) == 0)
				sum -= strtol(share + 3, NULL, 10);
			else if (share != NULL && *share != '<')
				sum += strtol(share, NULL, 10);
		}
		if (any && sum != 100)
			fail_msg("%s, %s: %ld %%", id, of[i % 2], sum);
		n += any;
		arena_clear(&arena);
	}
	assert_true(n > scheme_count());
}

/* Returns the line of a screen that holds all of these texts; NULL: none does. */
static const char *line_with(const char *screen, const char *const *texts, size_t n)
{
	for (const char *at = screen; at != NULL && *at != '\0';) {
		const size_t len = strcspn(at, "\n");
		const char *const line = arena_strndup(&arena, at, len);
		size_t found = 0;
		for (size_t i = 0; i < n; i++)
			found += strstr(line, texts[i]) != NULL;
		if (found == n)
			return line;
		at += len + (at[len] != '\0');
	}
	return NULL;
}

/* Twelve rows, which three matrices beside each other have no room for at 80 columns. */
static const char twelve[] = "view terms\nsentence a b c d e f g h i j k l\n";

/* Returns the first number of a label before its matrix, as of row 1; 0: it has none. */
static size_t number_before(const struct canvas *c, int y, const struct zone *z)
{
	const char *const line = help_between(c, y, 0, z->data.col);
	const char *at = line + strlen(line);
	while (at > line && (at[-1] < '0' || at[-1] > '9'))
		at--;
	while (at > line && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return strtoul(at, NULL, 10);
}

/* The label of a row of the screen is the first of its two rows of the matrix: 1, 3, 5; or the cursor's. */
TEST(rows_that_share_a_line_are_named_evenly)
{
	size_t n = 0;
	for (size_t i = 0; i < SCHEMES; i++) {
		struct tui *const t = help_tui(&arena, schemes[i], twelve, BACKGROUND_DARK);
		const struct help_look look = {80, 24, TIER_DIRECT, false};
		const struct canvas *const c = help_frame(t, look);
		for (size_t k = 0; k < t->n_zones; k++) {
			const struct zone *const z = &t->zones[k];
			if (z->kind != ZONE_CELLS || z->view.cell_rows2 != 1)
				continue;
			size_t cursors = 0;
			for (size_t row = 0; row < z->view.rows; row += 2) {
				const size_t is = number_before(c, z->data.row + (int)row / 2, z);
				cursors += is == row + 2;
				if ((is != row + 1 && is != row + 2) || cursors > 1)
					fail_msg("%s: row %zu is named %zu:\n%s", schemes[i],
						 row + 1, is, help_screen(c));
				n += is == row + 1;
			}
		}
		help_tui_done(t);
	}
	assert_true(n > 0);
}

/* Small terms do not keep numbers, and the line that names them, from the large ones. */
TEST(small_terms_leave_numbers_to_the_others)
{
	struct tui *const t = help_tui(&arena, "graphormer", "view terms\n", BACKGROUND_DARK);
	const struct help_look look = {80, 24, TIER_DIRECT, false};
	const char *const screen = help_screen(help_frame(t, look));
	if (!strstr(screen, "1 [VNode] 2 the₁ 3 cat") || !strstr(screen, "9 10 ") ||
	    !strstr(screen, "Of the logit variance: distance 64 %, unit–unit 47 %, 9 others"))
		fail_msg("%s", screen);
	help_tui_done(t);
}

/* A sentence is worth less than the names of heads' rows and columns: a low screen has these. A line beside the chosen
 * head may stand before the first number. */
TEST(a_sentence_leaves_heads_their_names)
{
	struct tui *const t = help_tui(&arena, "rope+causal", "view heads\n", BACKGROUND_DARK);
	const struct help_look low = {60, 20, TIER_DIRECT, false},
			       lower = {60, 18, TIER_DIRECT, false},
			       high = {80, 24, TIER_DIRECT, false};
	assert_non_null(strstr(help_screen(help_frame(t, low)), "key→ 1 3 5 7 9"));
	assert_non_null(strstr(help_screen(help_frame(t, lower)), "3   that│"));
	const char *const screen = help_screen(help_frame(t, high));
	if (!strstr(screen, "All 4 heads attend most") || !strstr(screen, "1 2 3 4 5 6 7 8 9"))
		fail_msg("%s", screen);
	help_tui_done(t);
}

/* Shades make no cell of a head higher than wide at 80 columns: each has two columns, as their numbers have. */
TEST(heads_of_shades_are_square)
{
	struct tui *const t = help_tui(&arena, "deberta", "view heads\n", BACKGROUND_DARK);
	for (enum tier tier = TIER_MONO; tier <= TIER_DIRECT; tier++) {
		const char *const screen =
			help_screen(help_frame(t, (struct help_look){80, 24, tier, false}));
		size_t heads = 0;
		for (const char *at = screen; (at = strstr(at, "1 2 3 4 5 6 7 8 9")); at++)
			heads++;
		if (heads != 4 || !strstr(screen, "head 4"))
			fail_msg("%zu heads:\n%s", heads, screen);
	}
	help_tui_done(t);
}

/* A bar that is of all terms and their sum says so, whichever of them it is under; rope multiplies. */
TEST(a_bar_of_several_matrices_says_so)
{
	for (size_t i = 1; i < SCHEMES; i++) {
		struct tui *const t = help_tui(&arena, schemes[i], "view terms\n", BACKGROUND_DARK);
		for (size_t k = 0; k < HELP_SCREENS; k++) {
			const struct help_look look = {help_screens[k][0], help_screens[k][1],
						       TIER_DIRECT, false};
			const char *const screen = help_screen(help_frame(t, look));
			size_t maps = 0;
			for (size_t z = 0; z < t->n_zones; z++)
				maps += t->zones[z].kind == ZONE_CELLS;
			if (maps > 2 && look.cols >= 80 && !strstr(screen, "all logits"))
				fail_msg("%s: %zu matrices:\n%s", schemes[i], maps, screen);
		}
		help_tui_done(t);
	}
}

/* The number that a scheme reads for the pair stands beside s−t; a figure of a source has its own name above. */
TEST(what_a_screen_is_of_is_told)
{
	static const struct {
		const char *scheme, *lines, *has, *lacks;
	} rows[] = {{"spr_rel", "view explore\nrow 6\ncol 2\n", "s−t −4  rel(t,s) +4", "survey-2"},
		    {"rope", "view explore\nrow 6\ncol 2\n", "s−t −4", "rel(t,s)"},
		    {"graphormer", "view figures\n", "survey-2", "graphormer"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tui *const t =
			help_tui(&arena, rows[i].scheme, rows[i].lines, BACKGROUND_DARK);
		const struct help_look look = {120, 36, TIER_DIRECT, false};
		const struct canvas *const c = help_frame(t, look);
		const char *const title = help_between(c, 0, 0, c->cols);
		const char *const in = i < 2 ? help_screen(c) : title;
		if (!strstr(in, rows[i].has) || strstr(in, rows[i].lacks))
			fail_msg("%s\n%s", rows[i].scheme, help_screen(c));
		help_tui_done(t);
	}
}

/* Where there is no row for them below the matrices, bars of shares follow the titles. */
TEST(shares_follow_titles_that_leave_them_room)
{
	static const char *const texts[] = {"share unit–unit 41 % █", " bias ", "59 % █", "─"};
	static const int sizes[][2] = {{70, 20}, {75, 27}, {60, 21}};
	struct tui *const t = help_tui(&arena, "t5", "view terms\n", BACKGROUND_DARK);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct help_look look = {sizes[i][0], sizes[i][1], TIER_DIRECT, false};
		const char *const screen = help_screen(help_frame(t, look));
		if (line_with(screen, texts, 4) == NULL)
			fail_msg("no shares behind the titles:\n%s", screen);
	}
	help_tui_done(t);
}

/* Where there is no row for them below, colour bars are right of the last line, below their words. */
TEST(colour_bars_stand_right_of_the_last_line)
{
	static const int sizes[][2] = {{60, 20}, {75, 19}, {80, 27}};
	struct tui *const t = help_tui(&arena, "tupe_r", "view terms\n", BACKGROUND_DARK);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct help_look look = {sizes[i][0], sizes[i][1], TIER_DIRECT, false};
		const char *const screen = help_screen(help_frame(t, look));
		if (!strstr(screen, "logits  sqrt") && !strstr(screen, "logit  sqrt"))
			fail_msg("no colour bar at the right:\n%s", screen);
	}
	help_tui_done(t);
}

/* What matters of an equation is seen at 80×24: of Terms two terms and their sum, with a row of the screen
 * for each of theirs; of Split the bias, its parts, and the curve. */
TEST(equations_are_whole_on_a_small_screen)
{
	static const struct {
		const char *scheme, *view;
		int maps, side; /* side: least columns of a matrix */
		int shares;	/* at least; a bias of distance alone has none, and stands once */
	} rows[] = {{"deberta", "terms", 3, 18, 2}, {"tupe_r", "terms", 3, 18, 2},
		    {"t5", "terms", 3, 18, 2},	    {"deberta", "split", 1, 18, 0},
		    {"tupe_r", "split", 4, 18, 2},  {"t5", "split", 1, 18, 0}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tui *const t = help_tui(&arena, rows[i].scheme,
					       help_view(&arena, rows[i].view), BACKGROUND_DARK);
		const struct help_look look = {80, 24, TIER_DIRECT, false};
		const struct canvas *const c = help_frame(t, look);
		int maps = 0, curves = 0, shares = 0;
		for (size_t k = 0; k < t->n_zones; k++) {
			const struct zone *const z = &t->zones[k];
			const bool pane = z->kind == ZONE_PANE;
			if (z->kind == ZONE_CELLS && z->data.cols >= rows[i].side)
				maps++;
			curves += pane &&
				  t->picture->picture.figure.panels[z->index].kind == PANEL_CURVES;
		}
		for (const char *at = help_screen(c); (at = strstr(at, " %")) != NULL; at++)
			shares++;
		const bool once = strstr(help_screen(c), "All of the bias depends on") != NULL;
		if (maps != rows[i].maps || shares < rows[i].shares ||
		    once != (rows[i].shares == 0) || curves != (strcmp(rows[i].view, "split") == 0))
			fail_msg("%s, %s: %d matrices, %d curves, %d shares:\n%s", rows[i].scheme,
				 rows[i].view, maps, curves, shares, help_screen(c));
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* At 80×24 a row of the default sentence has a row of the screen, and its own number: fewer matrices are
 * shown. The sign between them says what is left out. The cursor stands beside the colour of its cell. */
TEST(rows_of_a_small_screen_are_whole)
{
	static const struct {
		const char *scheme, *view, *says;
	} rows[] = {{"spr_rel", "terms", "→ α"},
		    {"sinusoidal", "terms", "="},
		    {"deberta", "terms", "+ 1"},
		    {"t5", "terms", "→ α"},
		    {"rope", "heads", "all 4 heads, without"},
		    {"deberta", "heads", "all 4 heads, without"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tui *const t = help_tui(&arena, rows[i].scheme,
					       help_view(&arena, rows[i].view), BACKGROUND_DARK);
		const struct help_look look = {80, 24, TIER_DIRECT, false};
		const struct canvas *const c = help_frame(t, look);
		const char *const screen = help_screen(c);
		for (size_t k = 0; k < t->n_zones; k++)
			if (t->zones[k].kind == ZONE_CELLS && t->zones[k].view.cell_rows2 < 2)
				fail_msg("%s: half rows:\n%s", rows[i].scheme, screen);
		size_t alone = 0;
		for (int row = 0; row < c->rows; row++)
			for (int n = 1; n <= 9; n++)
				alone += strcmp(help_between(c, row, 0, 6),
						arena_printf(&arena, "%d", n)) == 0 ||
					 strcmp(help_between(c, row, 0, 6),
						arena_printf(&arena, "%d│", n)) == 0;
		if (alone != 9 || !strstr(screen, rows[i].says))
			fail_msg("%s: %zu rows have their number:\n%s", rows[i].scheme, alone,
				 screen);
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* Returns the cells of all matrices of a screen. */
static int cells_at(struct tui *t, int cols, int rows)
{
	int n = 0;
	help_frame(t, (struct help_look){cols, rows, TIER_DIRECT, false});
	for (size_t i = 0; i < t->n_zones; i++)
		if (t->zones[i].kind == ZONE_CELLS)
			n += t->zones[i].data.rows * t->zones[i].data.cols;
	return n;
}

/* A larger screen has larger matrices, not only more beside them. */
TEST(matrices_grow_with_the_screen)
{
	static const char *const of[] = {"explore", "terms", "split", "order", "compare"};
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		const char *const lines =
			arena_printf(&arena, "%s%s", help_view(&arena, of[i]),
				     strcmp(of[i], "compare") == 0 ? "\ncompare alibi\n" : "\n");
		struct tui *const t = help_tui(&arena, "t5", lines, BACKGROUND_DARK);
		const int small = cells_at(t, 80, 24), large = cells_at(t, 120, 36);
		if (large < 3 * small / 2)
			fail_msg("%s: %d cells of 80×24, %d of 120×36", of[i], small, large);
		help_tui_done(t);
		arena_clear(&arena);
	}
}

/* Returns the cells of the largest empty rectangle of the panels, in parts of the screen. */
static double emptiest(const struct canvas *c)
{
	int *const above = arena_calloc(&arena, (size_t)c->cols + 1, sizeof *above), most = 0;
	for (int row = 1; row < c->rows - 2; row++) {
		for (int col = 0; col < c->cols; col++) {
			const struct cell *const k = help_at(c, row, col);
			const bool empty = k->at[0] == ' ' && k->bg == CELL_DEFAULT;
			above[col] = empty ? above[col] + 1 : 0;
		}
		for (int col = 0; col < c->cols; col++)
			for (int end = col, low = above[col]; end < c->cols && low > 0; end++) {
				low = above[end] < low ? above[end] : low;
				most = low * (end - col + 1) > most ? low * (end - col + 1) : most;
			}
	}
	return (double)most / (c->rows * c->cols);
}

/* Four heads fill a small screen, by rows that have their words; Explore has its curve there. */
TEST(small_screens_are_used)
{
	static const struct {
		const char *view;
		int cols, rows;
		double empty; /* at most */
	} rows[] = {
		{"heads", 80, 24, 0.2},	  {"heads", 120, 36, 0.25},  {"explore", 80, 24, 0.1},
		{"order", 80, 24, 0.1},	  {"split", 80, 24, 0.15},   {"terms", 80, 24, 0.2},
		{"compare", 80, 24, 0.1}, {"vectors", 80, 24, 0.25}, {"order", 120, 36, 0.1},
		{"split", 120, 36, 0.15}, {"terms", 120, 36, 0.2},   {"compare", 120, 36, 0.15}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const bool compared = strcmp(rows[i].view, "compare") == 0;
		const char *const lines =
			arena_printf(&arena, "%s%s", help_view(&arena, rows[i].view),
				     compared ? "\ncompare alibi\n" : "\n");
		struct tui *const t =
			help_tui(&arena, compared ? "t5" : "tupe_r", lines, BACKGROUND_DARK);
		const struct help_look look = {rows[i].cols, rows[i].rows, TIER_DIRECT, false};
		const struct canvas *const c = help_frame(t, look);
		const double empty = emptiest(c);
		bool curve = strcmp(rows[i].view, "explore") != 0;
		for (size_t k = 0; k < t->n_zones; k++)
			curve |= t->zones[k].kind == ZONE_PANE &&
				 t->picture->picture.figure.panels[t->zones[k].index].kind ==
					 PANEL_CURVES;
		if (empty > rows[i].empty || !curve)
			fail_msg("%s: %.0f %% in one empty place, %s curve:\n%s",
				 help_frame_name(&arena, t, look), 100 * empty, curve ? "a" : "no",
				 help_screen(c));
		if (strcmp(rows[i].view, "heads") == 0)
			assert_non_null(strstr(help_screen(c), "asleep"));
		help_tui_done(t);
		arena_clear(&arena);
	}
}
