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

static const char *const views[] = {"cost", "rank", "metrics", "table"};
static const char *const schemes[] = {"t5", "rope", "deberta", "sinusoidal", "graphormer"};

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

/* Calls `check` for each view, scheme and size. */
static void each(void (*check)(const struct figure *f, struct rect r, const char *where))
{
	help_begin(NULL);
	for (size_t v = 0; v < sizeof views / sizeof *views; v++)
		for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
			const struct figure *const f = figure_of(views[v], schemes[s]);
			for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
				check(f, screens[i],
				      arena_printf(&arena, "%s of %s, %d columns", views[v],
						   schemes[s], screens[i].cols));
		}
	help_end(NULL);
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

TEST(panels_without_room_are_named_and_reached)
{
	each(hidden_are_named);
}

/* A plot or a ranking beside others is still large; alone it has all of the width. */
static void plots_are_large(const struct figure *f, struct rect r, const char *where)
{
	struct rect place[FIGURE_PANELS];
	help_layout(f, r, 0, false, place);
	for (size_t i = 0; i < f->n; i++) {
		const enum panel_kind kind = f->panels[i].kind;
		if (place[i].rows > 0 && (kind == PANEL_CURVES || kind == PANEL_BARS) &&
		    (place[i].cols < 50 || place[i].rows < 11))
			fail_msg("%s: panel %zu is %d by %d", where, i, place[i].rows,
				 place[i].cols);
	}
}

TEST(plots_are_few_and_large)
{
	each(plots_are_large);
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

TEST(names_are_whole_and_marks_have_their_meanings)
{
	each(names_are_whole);
}

/* The column by which a table is sorted is visible, however little room there is. */
TEST(sorting_shows_a_column_without_room)
{
	help_begin(NULL);
	struct rect place[FIGURE_PANELS];
	const struct figure *f = figure_of("table", "t5");
	assert_null(strstr(drawn(f, screens[0], 0, place), "evidence"));
	assert_non_null(strstr(drawn(f, screens[0], 0, place), "more columns: keys < >"));
	f = &help_picture(&arena, "t5", "view table\nsort evidence\n")->figure;
	assert_non_null(strstr(drawn(f, screens[0], 0, place), "evidence"));
	help_end(NULL);
}
