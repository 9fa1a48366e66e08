/* test_first_sight.c: the views Cost, Rank, Metrics and Table on terminals: few large panels, names
 * whole, and what has no room is named with the key that shows it. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

enum { LIST = 26 };

/* The area of the figure on terminals of 80×24 and 120×36, of which the latter has a list. */
static const struct rect screens[] = {{0, 0, 21, 80}, {0, 0, 33, 120 - LIST}};

static const struct figure *figure_of(const char *view, const char *scheme)
{
	return &help_picture(&arena, scheme, arena_printf(&arena, "view %s\ntiming on\n", view))
			->figure;
}

/* Draws a figure whose focus is panel `focus`. */
static char *drawn(const struct figure *f, struct rect r, size_t focus, struct rect *place)
{
	struct canvas *const c = help_canvas(r.rows, r.cols, TIER_DIRECT, false);
	help_layout(f, r, focus, false, place);
	canvas_panels(c, f, r, place, focus, NULL);
	return help_screen(c);
}

/* A panel without room is named, or counted where the names are too long; the focus brings it. */
static void hidden_are_named(const struct figure *f, struct rect r, const char *where)
{
	struct rect place[FIGURE_PANELS];
	const char *const screen = drawn(f, r, 0, place);
	size_t hidden = 0;
	for (size_t i = 0; i < f->n; i++)
		hidden += place[i].rows == 0;
	if ((strstr(screen, "Tab shows") != NULL) != (hidden > 0))
		fail_msg("%s: %zu hidden in\n%s", where, hidden, screen);
	for (size_t i = 0; i < f->n; i++) {
		struct rect other[FIGURE_PANELS];
		help_layout(f, r, i, false, other);
		if (other[i].rows == 0)
			fail_msg("%s: panel %zu has no room with the focus", where, i);
	}
}

/* A plot or a ranking beside others is still large; alone it has all of the width. */
static void plots_are_large(const struct figure *f, struct rect r, const char *where)
{
	struct rect place[FIGURE_PANELS];
	help_layout(f, r, 0, false, place);
	for (size_t i = 0; i < f->n; i++) {
		const enum panel_kind kind = f->panels[i].kind;
		if (place[i].rows > 0 && (kind == PANEL_CURVES || kind == PANEL_BARS) &&
		    (place[i].cols < 45 || place[i].rows < 11))
			fail_msg("%s: panel %zu is %d by %d", where, i, place[i].rows,
				 place[i].cols);
	}
}

/* No row, column or bar has a name that is cut, and what the marks mean is beside them. */
static void names_are_whole(const struct figure *f, struct rect r, const char *where)
{
	struct rect place[FIGURE_PANELS];
	const char *const screen = drawn(f, r, 0, place);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (place[i].rows == 0 || p->absent != NULL)
			continue;
		for (size_t k = 0; p->kind == PANEL_BARS && k < p->bars.n; k++)
			if (strstr(screen, p->bars.labels[k]) == NULL)
				fail_msg("%s: no %s in\n%s", where, p->bars.labels[k], screen);
		if (p->kind != PANEL_TABLE)
			continue;
		if (p->table.rows < 12)
			for (size_t k = 0; k < p->table.rows; k++)
				if (strstr(screen, p->table.cells[k * p->table.cols]) == NULL)
					fail_msg("%s: no %s in\n%s", where,
						 p->table.cells[k * p->table.cols], screen);
		if (p->table.n_signs > 0 && strstr(screen, "( ) measured") == NULL)
			fail_msg("%s: no meaning of brackets in\n%s", where, screen);
	}
}

/* Returns how many columns of the row of headings, the first of the box, are pointed out. */
static int pointed_out(const struct figure *f)
{
	enum { COLS = 80, ROWS = 24 };
	struct canvas *const c = help_canvas(ROWS, COLS, TIER_DIRECT, false);
	int n = 0;
	canvas_panel(c, (struct rect){0, 0, ROWS, COLS}, &f->panels[0], false, NULL, NULL);
	for (int col = 0; col < COLS; col++)
		n += (c->cells[COLS + col].attrs & ATTR_ACCENT) != 0;
	return n;
}

static void has_no_room_for_evidence(const struct figure *f)
{
	struct rect place[FIGURE_PANELS];
	assert_null(strstr(drawn(f, screens[0], 0, place), "evidence"));
	assert_non_null(strstr(drawn(f, screens[0], 0, place), "more columns: keys < >"));
	assert_int_equal(pointed_out(f), 0);
	assert_string_equal(f->panels[1].card.said, "not as the survey says (≠): count");
}

/* Each picture is made once, and looked at by all of these. */
TEST(four_views_are_clear_at_first_sight)
{
	static const struct {
		const char *view, *scheme;
	} all[] = {{"cost", "t5"},    {"rank", "rope"},		 {"rank", "deberta"},
		   {"metrics", "t5"}, {"metrics", "graphormer"}, {"table", "t5"}};
	help_begin(NULL);
	for (size_t v = 0; v < sizeof all / sizeof *all; v++) {
		const struct figure *const f = figure_of(all[v].view, all[v].scheme);
		for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
			const char *const where =
				arena_printf(&arena, "%s of %s, %d columns", all[v].view,
					     all[v].scheme, screens[i].cols);
			hidden_are_named(f, screens[i], where);
			plots_are_large(f, screens[i], where);
			names_are_whole(f, screens[i], where);
		}
		if (strcmp(all[v].view, "table") == 0)
			has_no_room_for_evidence(f);
	}
	help_end(NULL);
}

/* The column by which a table is sorted is visible, however little room there is. */
TEST(sorting_shows_a_column_without_room)
{
	help_begin(NULL);
	struct rect place[FIGURE_PANELS];
	const struct figure *const f =
		&help_picture(&arena, "t5", "view table\nsort evidence\n")->figure;
	assert_non_null(strstr(drawn(f, screens[0], 0, place), "evidence"));
	assert_int_equal(pointed_out(f), (int)strlen("evidence"));
	help_end(NULL);
}
