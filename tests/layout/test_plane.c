/* test_plane.c: points in a plane on cells and on pages: one scale for both axes, labels apart and inside, the ends of
 * a path and the cursor always named. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_places.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

FIXTURE(help_begin, help_end)

/* Four groups: at the origin, one to the right, one up, and two to the left. */
static struct panel cross(double size, double x, double y)
{
	static const double places[][2] = {{0, 0}, {1, 0}, {0, 1}, {-2, 0}};
	static const char *const names[] = {"middle", "right", "up", "left"};
	struct plane_point *const at = arena_calloc(&help_arena, 4, sizeof *at);
	size_t *const group = arena_calloc(&help_arena, 4, sizeof *group);
	for (size_t i = 0; i < 4; i++) {
		at[i] = (struct plane_point){x + size * places[i][0], y + size * places[i][1],
					     names[i]};
		group[i] = i;
	}
	return (struct panel){.kind = PANEL_PLANE,
			      .title = "Plane",
			      .rows = 1,
			      .cols = 1,
			      .plane = {.n = 4,
					.at = at,
					.group = group,
					.x_title = "along",
					.y_title = "up the page"}};
}

static bool find(const struct canvas *c, const char *sign, int *row, int *col)
{
	for (*row = 1; *row < c->rows - 1; ++*row)
		for (*col = 1; *col < c->cols - 1; ++*col)
			if (strcmp(help_at(c, *row, *col)->at, sign) == 0)
				return true;
	return false;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static const char *const forms[] = {"●", "■", "▲", "◆"};

/* A row is as high as two columns are wide; whatever the values are. */
TEST(both_axes_have_one_scale_on_cells)
{
	static const double sizes[] = {1, 1e-9, 3e7};
	for (size_t k = 0; k < 3; k++)
		for (int rows = 12; rows < 40; rows += 9) {
			const struct panel p = cross(sizes[k], 0, 0);
			const struct canvas *const c =
				help_drawn_panel(&p, rows, 100, TIER_DIRECT, false);
			int row[4], col[4];
			for (size_t i = 0; i < 4; i++)
				assert_true(find(c, forms[i], &row[i], &col[i]));
			assert_true(row[0] == row[1] && row[0] == row[3] && col[0] == col[2]);
			const double right = col[1] - col[0], up = 2 * (row[0] - row[2]);
			assert_true(right >= 4);
			assert_true(fabs(right - up) <= 2);
			assert_true(fabs((col[0] - col[3]) - 2 * right) <= 2);
		}
}

/* Dots of a cell (Unicode 15, block 2800). */
static bool is_dotted(const struct cell *k)
{
	uint32_t code = 0;
	text_decode(k->at, strlen(k->at), &code);
	return code > 0x2800 && code < 0x2900;
}

/* They cross where zero is: in the middle point's column and row; where zero is outside there are none. */
TEST(lines_of_zero_cross_at_zero)
{
	struct panel p = cross(1, 0, 0);
	struct canvas *c = help_drawn_panel(&p, 24, 80, TIER_DIRECT, false);
	int row, col, dots = 0;
	assert_true(find(c, "●", &row, &col));
	assert_true(is_dotted(help_at(c, row, col - 6)) && is_dotted(help_at(c, row + 3, col)));
	p = cross(1, 50, 50);
	c = help_drawn_panel(&p, 24, 80, TIER_DIRECT, false);
	for (int i = 0; i < c->rows * c->cols; i++)
		dots += is_dotted(&c->cells[i]);
	assert_int_equal(dots, 0);
}

TEST(groups_have_forms_of_their_own)
{
	static const char *const plain[] = {"*", "+", "#", "%"};
	const struct panel p = cross(1, 0, 0);
	struct panel quiet = p;
	struct plane_point *const at = arena_calloc(&help_arena, 4, sizeof *at);
	memcpy(at, p.plane.at, 4 * sizeof *at);
	for (size_t i = 0; i < 4; i++)
		at[i].label = NULL;
	quiet.plane.at = at;
	quiet.plane.x_title = quiet.plane.y_title = NULL;
	int row, col;
	const struct canvas *const c = help_drawn_panel(&quiet, 20, 80, TIER_MONO, true);
	for (size_t i = 0; i < 4; i++)
		assert_true(find(c, plain[i], &row, &col));
}

/* Without colours too. */
TEST(the_cursor_looks_other_than_the_rest)
{
	for (int tier = TIER_MONO; tier <= TIER_DIRECT; tier++)
		for (int ascii = 0; ascii < 2; ascii++) {
			struct panel p = cross(1, 0, 0);
			const struct canvas *const without =
				help_drawn_panel(&p, 20, 80, (enum tier)tier, ascii);
			p.plane.has_cursor = true;
			p.plane.cursor = 3;
			const struct canvas *const with =
				help_drawn_panel(&p, 20, 80, (enum tier)tier, ascii);
			size_t other = 0;
			for (int i = 0; i < 20 * 80; i++)
				other += !strcmp(with->cells[i].at, without->cells[i].at) &&
					 with->cells[i].attrs != without->cells[i].attrs;
			assert_true(other >= 1);
		}
}

static const char *label_of(const struct panel *p, size_t i)
{
	return p->plane.at[i].label;
}

/* At all sizes of a screen. */
TEST(ends_and_cursor_are_named_on_cells)
{
	static const size_t counts[] = {2, 12, 60, 512};
	for (size_t k = 0; k < 4 * (HELP_ROOMS - 1); k++) {
		const size_t n = counts[k % 4];
		const struct rect r = help_rooms[k / 4];
		struct panel p = help_spiral(&help_arena, n);
		struct plane_point *const at = arena_calloc(&help_arena, n, sizeof *at);
		memcpy(at, p.plane.at, n * sizeof *at);
		at[0].label = "beg";
		at[n - 1].label = "end";
		at[n / 2].label = n > 2 ? "cur" : at[n / 2].label;
		p.plane.at = at;
		p.plane.has_cursor = true;
		p.plane.cursor = n / 2;
		const char *const screen =
			help_screen(help_drawn_panel(&p, r.rows, r.cols, TIER_DIRECT, false));
		if (!strstr(screen, "beg") || !strstr(screen, "end") ||
		    !strstr(screen, label_of(&p, n / 2)))
			fail_msg("%zu in %dx%d\n%s", n, r.cols, r.rows, screen);
	}
}

/* A path whose steps go everywhere has no line between its points, and the names of its ends alone. */
TEST(a_tangled_path_has_points_and_two_names)
{
	enum { N = 32, ROWS = 16, COLS = 60 };
	for (int tangled = 0; tangled < 2; tangled++) {
		struct panel p = help_spiral(&help_arena, N);
		struct plane_point *const at = arena_calloc(&help_arena, N, sizeof *at);
		memcpy(at, p.plane.at, N * sizeof *at);
		for (size_t i = 0; i < N; i++)
			at[i].label = i == 0 ? "beg" : i + 1 == N ? "end" : "mid";
		p.plane.at = at;
		p.plane.tangled = tangled == 1;
		const char *const screen =
			help_screen(help_drawn_panel(&p, ROWS, COLS, TIER_MONO, true));
		size_t dots = 0;
		for (const char *c = screen; *c != '\0'; c++)
			dots += *c == '.' && c[1] == '.';
		if (!strstr(screen, "beg") || !strstr(screen, "end") ||
		    (strstr(screen, "mid") == NULL) != (tangled == 1) ||
		    (dots == 0) != (tangled == 1))
			fail_msg("%zu dots of a line\n%s", dots, screen);
	}
}

/* Words whole and apart, no sign outside the panel. */
TEST(cells_stay_inside)
{
	static const int sizes[][2] = {{46, 196}, {32, 116}, {20, 76}, {16, 56}, {8, 36},
				       {7, 30},	  {5, 20},   {4, 12},  {3, 8},	 {1, 1}};
	static const size_t counts[] = {1, 2, 12, 60, 512};
	for (size_t k = 0; k < 10 * 5 * 12; k++) {
		const int *const size = sizes[k % 10];
		const size_t n = counts[k / 10 % 5], looks = k / 50;
		if (looks >= 8 && n > 60)
			continue;
		struct canvas_report report = {0};
		struct canvas *const c = help_canvas(
			size[0] + 4, size[1] + 8, looks % 2 ? TIER_MONO : TIER_256, looks % 4 > 1);
		struct panel p = looks >= 8   ? help_pictured(&help_arena, n)
				 : looks >= 4 ? help_cloud(&help_arena, n)
					      : help_spiral(&help_arena, n);
		p.plane.has_cursor = true;
		p.plane.cursor = n / 3;
		c->report = &report;
		canvas_panel(c, (struct rect){2, 4, size[0], size[1]}, &p, false, NULL, NULL);
		help_assert_whole(c);
		if (report.cut || report.over)
			fail_msg("%zu points in %dx%d: cut \"%s\", over \"%s\"\n%s", n, size[1],
				 size[0], report.cut_text, report.over_text, help_screen(c));
		for (int row = 0; row < c->rows; row++)
			for (int col = 0; col < c->cols; col++)
				if (row < 2 || row >= size[0] + 2 || col < 4 || col >= size[1] + 4)
					assert_string_equal(help_at(c, row, col)->at, " ");
	}
}

/* ---- pages ---------------------------------------------------------------------------------------- */

struct spot {
	double x, y;
	size_t n;
};

/* The middle of the pixels of this very colour in the plot, leaving out its words. */
static struct spot spot_of(const struct help_printed *out, uint32_t rgb)
{
	const struct plot_box b = out->report.plots[0];
	struct spot s = {0, 0, 0};
	for (int y = (int)b.y + 1; y < b.y + b.height - 1; y++)
		for (int x = (int)b.x + 1; x < b.x + b.width - 1; x++) {
			const uint8_t *const at = &out->image.rgb[3 * (y * out->image.width + x)];
			if (((uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]) != rgb)
				continue;
			s.x += x;
			s.y += y;
			s.n++;
		}
	s.x /= (double)s.n;
	s.y /= (double)s.n;
	return s;
}

/* The four groups without their labels. */
static struct panel bare_cross(void)
{
	struct panel p = cross(1, 0, 0);
	struct plane_point *const at = arena_calloc(&help_arena, 4, sizeof *at);
	for (size_t i = 0; i < 4; i++)
		at[i] = (struct plane_point){p.plane.at[i].x, p.plane.at[i].y, NULL};
	p.plane.at = at;
	return p;
}

TEST(both_axes_have_one_scale_on_a_page)
{
	static const int pages[][2] = {{1600, 1000}, {800, 500}, {700, 1200}};
	const struct panel p = bare_cross();
	for (size_t k = 0; k < 3; k++) {
		const struct help_printed out = help_printed(&p, pages[k][0], pages[k][1]);
		struct spot s[4];
		for (size_t i = 0; i < 4; i++) {
			s[i] = spot_of(&out, figure_series_colour(i, false));
			assert_true(s[i].n >= 1);
		}
		const double right = s[1].x - s[0].x, up = s[0].y - s[2].y;
		assert_true(right > 40);
		assert_true(fabs(right - up) < 1.5);
		assert_true(fabs((s[0].x - s[3].x) - 2 * right) < 1.5);
		assert_true(fabs(s[0].y - s[1].y) < 1 && fabs(s[0].x - s[2].x) < 1);
	}
}

TEST(labels_stand_beside_their_points)
{
	const struct panel p = cross(1, 0, 0), bare = bare_cross();
	const struct help_printed out = help_printed(&p, 800, 500),
				  marks = help_printed(&bare, 800, 500);
	for (size_t i = 0; i < 4; i++) {
		const struct text_box *const b = help_box_of(&out.report, label_of(&p, i));
		const struct spot s = spot_of(&marks, figure_series_colour(i, false));
		assert_non_null(b);
		const double dx = fmax(fmax(b->x - s.x, s.x - b->x - b->width), 0);
		const double dy = fmax(fmax(b->y - s.y, s.y - b->y - b->height), 0);
		assert_true(hypot(dx, dy) < 12);
		assert_true(hypot(dx, dy) > 1); /* and not on them */
	}
}

/* Texts as on every page; labels inside the plot, the ends and the cursor among them. */
TEST(pages_of_points_can_be_read)
{
	static const int pages[][2] = {{1600, 1000}, {1600, 760}, {800, 500}, {700, 1200}};
	static const size_t counts[] = {1, 2, 12, 60, 512};
	for (size_t k = 0; k < 4 * 5 * 3; k++) {
		const int *const size = pages[k % 4];
		const size_t n = counts[k / 4 % 5];
		struct panel p = k < 20	  ? help_spiral(&help_arena, n)
				 : k < 40 ? help_cloud(&help_arena, n)
					  : help_pictured(&help_arena, n < 60 ? n : 60);
		if (k >= 40 && n > 60)
			continue;
		p.plane.has_cursor = true;
		p.plane.cursor = n / 3;
		const struct figure f = help_alone(&p);
		const char *const what =
			arena_printf(&help_arena, "%zu points on %dx%d", n, size[0], size[1]);
		const struct raster_report r = help_page_report(
			&f,
			&(struct raster_look){.width = size[0], .height = size[1], .dark = k % 2},
			&help_arena);
		help_page_reads(what, &r, size[0], size[1]);
		assert_int_equal(r.plot_n, 1);
		const size_t must[] = {p.plane.cursor, 0, n - 1};
		for (size_t m = 0; m < (k < 20 ? 3 : 1); m++)
			if (!help_box_of(&r, label_of(&p, must[m])))
				fail_msg("%s: no %s", what, label_of(&p, must[m]));
		size_t labels = 0;
		for (size_t i = 0; i < n; i++) {
			const struct text_box *const b = help_box_of(&r, label_of(&p, i));
			const struct plot_box in = r.plots[0];
			if (!b)
				continue;
			labels++;
			assert_true(b->x >= in.x - 1 && b->x + b->width <= in.x + in.width + 1);
			assert_true(b->y >= in.y - 1 && b->y + b->height <= in.y + in.height + 1);
		}
		if (labels < (n < 8 ? n : 8))
			fail_msg("%s: %zu labels", what, labels);
	}
}

/* Pixels of neither paper nor ink in a square about a point: a picture is there. */
static size_t coloured(const struct help_printed *out, double x, double y, int far)
{
	size_t n = 0;
	for (int r = (int)y - far; r <= (int)y + far; r++)
		for (int c = (int)x - far; c <= (int)x + far; c++) {
			const uint8_t *const at = &out->image.rgb[3 * (r * out->image.width + c)];
			n += abs(at[0] - at[1]) + abs(at[1] - at[2]) > 24;
		}
	return n;
}

/* Four that lie apart stand on their points; and their marks are not seen any more. */
TEST(pictures_stand_on_points_that_lie_apart)
{
	struct panel p = cross(1, 0, 0);
	const struct panel bare = bare_cross(), pictured = help_pictured(&help_arena, 4);
	p.plane.thumbs = pictured.plane.thumbs;
	p.plane.has_own = true;
	const struct help_printed marks = help_printed(&bare, 800, 500);
	const struct help_printed out = help_printed(&p, 800, 500);
	const struct spot own = spot_of(&marks, figure_series_colour(1, false));
	const struct plot_box b = out.report.plots[0];
	size_t most = 0;
	for (double x = b.x + 15; x < b.x + b.width - 15; x += 5) {
		const size_t n = coloured(&out, x, own.y, 9);
		most = n > most ? n : most;
	}
	assert_true(most > 100);
	assert_true(coloured(&marks, own.x, own.y, 9) < 100);
	const struct canvas *const c = help_drawn_panel(&p, 30, 100, TIER_DIRECT, false);
	int row, col;
	for (size_t i = 0; i < 4; i++)
		assert_false(find(c, forms[i], &row, &col));
}

/* Of many in one place the own, the cursor's and the first in order have theirs, and a name, and no two pictures
 * touch. */
TEST(pictures_in_one_place_give_way_to_three)
{
	struct panel p = help_pictured(&help_arena, 40);
	struct plane_point *const at = arena_calloc(&help_arena, 40, sizeof *at);
	for (size_t i = 0; i < 40; i++)
		at[i] = (struct plane_point){i < 38 ? 0 : (double)i, i < 38 ? 0 : 1,
					     p.plane.at[i].label};
	size_t *const order = arena_calloc(&help_arena, 40, sizeof *order);
	for (size_t i = 0; i < 40; i++)
		order[i] = i;
	p.plane.at = at;
	p.plane.order = order;
	p.plane.own = 5;
	p.plane.has_cursor = true;
	p.plane.cursor = 7;
	const struct help_printed out = help_printed(&p, 1600, 1000);
	const size_t must[] = {5, 7, 0};
	for (size_t i = 0; i < 3; i++)
		assert_non_null(help_box_of(&out.report, label_of(&p, must[i])));
	const char *const screen = help_screen(help_drawn_panel(&p, 30, 100, TIER_DIRECT, false));
	for (size_t i = 0; i < 3; i++)
		assert_non_null(strstr(screen, label_of(&p, must[i])));
}

/* In a crowd the points that are called have their names, with further words, at the end of a line; the others have
 * none where there is no room. */
TEST(names_that_are_called_stand_at_the_end_of_a_line)
{
	struct panel p = help_pictured(&help_arena, 40);
	struct plane_point *const at = arena_calloc(&help_arena, 40, sizeof *at);
	size_t *const order = arena_calloc(&help_arena, 40, sizeof *order);
	for (size_t i = 0; i < 40; i++) {
		order[i] = i;
		at[i] = (struct plane_point){i < 36 ? (double)(i % 6) / 20 : (double)i - 36,
					     i < 36 ? (double)i / 6 / 20 : (double)(i % 2) * 2,
					     p.plane.at[i].label, i < 3 ? "0.5" : NULL};
	}
	p.plane.at = at;
	p.plane.order = order;
	p.plane.thumbs = NULL;
	p.plane.has_own = p.plane.has_cursor = false;
	const struct help_printed without = help_printed(&p, 1600, 1000);
	p.plane.n_called = 3;
	const struct help_printed with = help_printed(&p, 1600, 1000);
	size_t seen = 0;
	for (size_t i = 0; i < 3; i++) {
		const char *const name = arena_printf(&help_arena, "%s 0.5", at[i].label);
		assert_non_null(help_box_of(&with.report, name));
		seen += help_box_of(&without.report, name) != NULL;
	}
	assert_true(seen < 3);
}

/* ---- points that are gathered ----------------------------------------------------------------------- */

static struct panel gathered(size_t n)
{
	struct panel p = help_cloud(&help_arena, n);
	size_t *const also = arena_calloc(&help_arena, n, sizeof *also);
	for (size_t i = 0; i < n; i++)
		also[i] = i % 5 == 0 ? 2 : 0;
	p.plane.gathers = true;
	p.plane.also = also;
	p.plane.has_own = p.plane.has_cursor = true;
	p.plane.own = n / 2;
	p.plane.cursor = n / 3;
	return p;
}

/* Tells whether "+12" follows; a plus alone is a form of ASCII. */
static bool is_counted(const char *rest)
{
	return rest[0] == '+' && rest[1] >= '0' && rest[1] <= '9';
}

/* Returns how many things a label stands for: itself, those at its point, and "+12" others. */
static size_t stands_for(const struct plane *p, size_t i, const char *rest)
{
	return is_counted(rest) ? 1 + strtoul(rest + 1, NULL, 10) : 1 + p->also[i];
}

static size_t things(const struct plane *p)
{
	size_t all = p->n;
	for (size_t i = 0; i < p->n; i++)
		all += p->also[i];
	return all;
}

/* Returns the name's column and the words behind it in UTF-8; NULL: it is not there. */
static const char *named_at(const struct canvas *c, const char *name, int *row, int *col)
{
	const int w = (int)text_width(name);
	for (int at = 0; at < c->rows * c->cols; at++) {
		*row = at / c->cols;
		*col = at % c->cols;
		if (*col > 0 && *col + w < c->cols &&
		    strcmp(help_between(c, *row, *col, *col + w), name) == 0 &&
		    strcmp(help_at(c, *row, *col - 1)->at, " ") == 0 &&
		    strcmp(help_at(c, *row, *col + w)->at, " ") == 0)
			return help_between(c, *row, *col + w, c->cols);
	}
	return NULL;
}

static bool is_form(const struct canvas *c, int row, int col)
{
	static const char *const all[] = {"●", "■", "▲", "★", "*", "+", "#", "@"};
	for (size_t i = 0; i < 8; i++)
		if (col >= 0 && col < c->cols && strcmp(help_at(c, row, col)->at, all[i]) == 0)
			return true;
	return false;
}

/* At every size and in every depth each mark has its name beside it, and what the names count is all. */
TEST(marks_of_many_points_count_them_all)
{
	static const int sizes[][2] = {{46, 196}, {32, 116}, {20, 76}, {20, 38}, {12, 36}};
	static const size_t counts[] = {1, 2, 12, 60, 160};
	for (size_t k = 0; k < 5 * 5 * 2; k++) {
		const int *const size = sizes[k % 5];
		const struct panel p = gathered(counts[k / 5 % 5]);
		const struct canvas *const c = help_drawn_panel(
			&p, size[0], size[1], k < 25 ? TIER_DIRECT : TIER_MONO, k >= 25);
		size_t sum = 0, names = 0, marks = 0;
		for (size_t i = 0; i < p.plane.n; i++) {
			int row, col;
			const char *const rest = named_at(c, label_of(&p, i), &row, &col);
			if (!rest)
				continue;
			const int w = (int)text_width(label_of(&p, i)) +
				      (is_counted(rest) ? 1 + (int)strcspn(rest, " ") : 0);
			names++;
			sum += stands_for(&p.plane, i, rest);
			const bool must = i == p.plane.own || i == p.plane.cursor;
			if (!must && !is_form(c, row, col - 2) && !is_form(c, row, col + w + 1))
				fail_msg("%s has no mark\n%s", label_of(&p, i), help_screen(c));
		}
		for (int at = 0; at < c->rows * c->cols; at++)
			marks += is_form(c, at / c->cols, at % c->cols) &&
				 strcmp(help_at(c, at / c->cols, at % c->cols)->at, "+") != 0;
		if (sum != things(&p.plane) || (k < 25 && names != marks && names != marks + 1))
			fail_msg("%zu of %zu in %zu names and %zu marks\n%s", sum, things(&p.plane),
				 names, marks, help_screen(c));
	}
}

TEST(marks_of_many_points_count_them_all_on_pages)
{
	static const int pages[][2] = {{1600, 1000}, {800, 500}, {700, 1200}};
	static const size_t counts[] = {2, 60, 160};
	for (size_t k = 0; k < 3 * 3; k++) {
		const struct panel p = gathered(counts[k / 3]);
		const struct help_printed out = help_printed(&p, pages[k % 3][0], pages[k % 3][1]);
		size_t sum = 0;
		for (size_t i = 0; i < p.plane.n; i++)
			for (size_t b = 0; b < out.report.n; b++) {
				const char *const text = out.report.boxes[b].text;
				const size_t len = strlen(label_of(&p, i));
				if (strncmp(text, label_of(&p, i), len) == 0 &&
				    (text[len] == '\0' || text[len] == ' '))
					sum += stands_for(&p.plane, i,
							  text + len + (text[len] == ' '));
			}
		assert_int_equal(sum, things(&p.plane));
	}
}

/* A point that is called is gathered only where it would lie on another mark. */
TEST(points_that_are_called_keep_their_marks)
{
	static const size_t order[] = {1, 0, 2, 3};
	static const size_t group[] = {0, 0, 0, 0};
	static const struct plane_point at[] = {{0, 0, "own", NULL, "= same"},
						{0.15, 0, "near", "0.15"},
						{1, 1, "up"},
						{1, -1, "down"}};
	struct panel p = cross(1, 0, 0);
	p.plane = (struct plane){
		.n = 4, .at = at, .group = group, .order = order, .has_own = true, .gathers = true};
	assert_non_null(
		strstr(help_screen(help_drawn_panel(&p, 24, 60, TIER_DIRECT, false)), "own +1"));
	p.plane.n_called = 1;
	const char *const screen = help_screen(help_drawn_panel(&p, 24, 60, TIER_DIRECT, false));
	assert_non_null(strstr(screen, "near 0.15"));
	assert_non_null(strstr(screen, "own = same"));
}

TEST(groups_are_named_above_the_plane)
{
	const struct panel p = help_pictured(&help_arena, 12);
	const struct help_printed out = help_printed(&p, 1600, 1000);
	const char *const wide = help_screen(help_drawn_panel(&p, 30, 120, TIER_DIRECT, false));
	const char *const plain = help_screen(help_drawn_panel(&p, 30, 60, TIER_MONO, true));
	assert_non_null(strstr(wide, "● none ■ absolute ▲ relative"));
	assert_non_null(strstr(plain, "* none + absolute # relative"));
	for (size_t g = 0; g < 3; g++)
		assert_non_null(help_box_of(&out.report, p.plane.group_names[g]));
}

/* ---- few points, none, and those that are no numbers ------------------------------------------------ */

static struct panel path(const struct plane_point *at, size_t n)
{
	return (struct panel){.kind = PANEL_PLANE,
			      .title = "Plane",
			      .rows = 1,
			      .cols = 1,
			      .plane = {.n = n, .at = at, .joined = true}};
}

TEST(points_in_one_place_are_drawn)
{
	static const struct plane_point cases[][3] = {
		{{0, 0, "a"}, {0, 0, "b"}, {0, 0, "c"}},
		{{5, -3, "a"}, {5, -3, "b"}, {5, -3, "c"}},
		{{1e-300, 0, "a"}, {1e-300, 0, "b"}, {1e-300, 0, "c"}},
		{{2, 1, "a"}, {2, 2, "b"}, {2, 3, "c"}},
		{{NAN, 1, "a"}, {2, 2, "b"}, {2, INFINITY, "c"}},
		{{1e200, 1, "a"}, {2, 2, "b"}, {-1e200, 1, "c"}},
	};
	for (size_t i = 0; i < 6; i++) {
		const struct panel p = path(cases[i], 3);
		const char *const last = i < 4 ? "c" : "b";
		const char *const screen =
			help_screen(help_drawn_panel(&p, 20, 60, TIER_DIRECT, false));
		if (!strstr(screen, last) || !strstr(screen, "●") || strstr(screen, "nan") ||
		    strstr(screen, "inf"))
			fail_msg("case %zu\n%s", i, screen);
		const struct figure f = help_alone(&p);
		const struct raster_report r = help_page_report(
			&f, &(struct raster_look){.width = 800, .height = 500}, &help_arena);
		assert_int_equal(r.plot_n, 1);
		assert_non_null(help_box_of(&r, last));
		assert_int_equal(help_box_of(&r, "a") == NULL, i >= 4);
	}
}

/* From (0, 0) up to (0, 1), a gap, then from (1, 1) down: there is no line across the top. */
TEST(what_is_no_number_breaks_the_path)
{
	static const struct plane_point at[] = {
		{0, 0, NULL}, {0, 1, NULL}, {NAN, 1, NULL}, {1, 1, NULL}, {1, 0, NULL}};
	for (int gap = 0; gap < 2; gap++) {
		struct plane_point own[5];
		memcpy(own, at, sizeof own);
		own[2].x = gap ? NAN : 0.5;
		const struct panel p = path(own, 5);
		const struct canvas *const c = help_drawn_panel(&p, 24, 60, TIER_DIRECT, false);
		int row, col, dots = 0;
		assert_true(find(c, "○", &row, &col));
		for (int y = 1; y < row - 6; y++)
			for (int x = col + 4; x < col + 34; x++)
				dots += is_dotted(help_at(c, y, x)) &&
					help_at(c, y, x)->fg != CELL_DEFAULT;
		assert_int_equal(dots > 0, !gap);
	}
}

TEST(without_points_there_is_a_sentence)
{
	static const struct plane_point none[] = {{NAN, 0, "a"}, {0, INFINITY, "b"}};
	for (size_t n = 0; n <= 2; n++) {
		struct panel p = path(none, n);
		p.plane.has_cursor = true;
		p.plane.cursor = 1;
		assert_non_null(
			strstr(help_screen(help_drawn_panel(&p, 12, 60, TIER_DIRECT, false)),
			       "no finite points to draw"));
		const struct figure f = help_alone(&p);
		const struct raster_report r = help_page_report(
			&f, &(struct raster_look){.width = 800, .height = 500}, &help_arena);
		assert_non_null(help_box_of(&r, "no finite points to draw"));
	}
}

/* Numbers of an axis stand where their values are: that of zero in the column of the point at zero. */
TEST(numbers_of_an_axis_stand_at_their_values)
{
	const struct panel p = cross(1, 0, 0);
	for (int cols = 60; cols < 120; cols += 7) {
		const struct canvas *const c = help_drawn_panel(&p, 24, cols, TIER_DIRECT, false);
		int row, col, last = c->rows - 2;
		assert_true(find(c, "●", &row, &col));
		while (last > row && !strstr(help_between(c, last, 1, c->cols - 1), "−"))
			last--;
		assert_true(last > row);
		if (strcmp(help_at(c, last, col)->at, "0") != 0)
			fail_msg("%s", help_screen(c));
	}
}

TEST(any_page_and_any_room_is_drawn)
{
	help_any_room(help_spiral, help_cloud);
}

/* ---- files ---------------------------------------------------------------------------------------- */

TEST(points_are_said_in_words)
{
	static const struct plane_point at[] = {{0.5, -2, "one"}, {NAN, 0, "two"}};
	struct panel p = path(at, 2);
	char *data;
	size_t len;
	p.plane.x_title = "first";
	p.plane.has_cursor = true;
	const struct figure f = help_alone(&p);
	export_plain(&f, &help_arena, &data, &len);
	assert_non_null(strstr(data, "Along: first"));
	assert_non_null(strstr(data, "1 one: 0.5, −2, chosen"));
	assert_non_null(strstr(data, "1 point without a place"));
	assert_null(strstr(data, "two"));
}

TEST(points_have_a_form_in_tex)
{
	static const struct plane_point at[] = {
		{0, 0, "a"}, {1, 2, "b"}, {NAN, 1, "c"}, {-1, 0.25, "d_1"}};
	const struct panel p = path(at, 4);
	const struct figure f = help_alone(&p);
	struct export_tex look = {.width = 3.25, .letters = 8};
	struct err err = {""};
	char *data;
	size_t len;
	assert_true(export_tex(&f, &look, &help_arena, &data, &len, &err));
	assert_non_null(strstr(data, "axis equal"));
	assert_non_null(strstr(data, "x y\n0 0\n1 2\nnan nan\n-1 0.25\n};"));
	assert_non_null(strstr(data, "at (axis cs:-1,0.25) {d\\_1};"));
	const struct panel large = help_spiral(&help_arena, 5000);
	const struct figure g = help_alone(&large);
	assert_false(export_tex(&g, &look, &help_arena, &data, &len, &err));
	assert_non_null(strstr(err.text, "4000 points"));
}
