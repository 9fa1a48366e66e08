/* test_dials.c: dials on cells and on pages: hands end where their angles say, circles are round, bars as long as
 * their values, and nothing lies on anything else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_svg.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_places.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

FIXTURE(help_begin, help_end)

static const double pi = 3.14159265358979323846;
static const size_t counts[] = {1, 2, 3, 8, 16, 32, 64, 128};
enum { COUNTS = sizeof counts / sizeof *counts };

/* A dial with one hand, or with two. */
static struct panel one_dial(double before, double after, double length)
{
	static struct dial dial;
	dial = (struct dial){.title = "t",
			     .hands = {{before, after, length}, {NAN, NAN, 0}},
			     .angle = "a",
			     .before = NAN,
			     .after = NAN};
	return (struct panel){.kind = PANEL_DIALS,
			      .title = "Dial",
			      .rows = 1,
			      .cols = 1,
			      .dials = {.n = 1, .at = &dial, .names = {"hand", NULL}}};
}

/* Its dials, to be changed. */
static struct dial *own(struct panel *p)
{
	struct dial *const at = arena_calloc(&help_arena, p->dials.n, sizeof *at);
	memcpy(at, p->dials.at, p->dials.n * sizeof *at);
	p->dials.at = at;
	return at;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

/* Bit y * 2 + x of braille dots (Unicode 15, block 2800). */
static bool has_dot(const struct cell *k, int x, int y)
{
	static const unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	uint32_t code = 0;
	text_decode(k->at, strlen(k->at), &code);
	return code >= 0x2800 && code < 0x2900 && (code & bits[y][x]) != 0;
}

struct seen {
	double left, right, top, bottom; /* of all dots, in dots; their edges */
	double x, y, far;		 /* the coloured one that is farthest from the middle */
	double off; /* how far a dot without a colour is from the circle between the edges, at most */
};

static struct seen look(const struct canvas *c)
{
	struct seen s = {1e9, -1e9, 1e9, -1e9, 0, 0, -1, 0};
	for (int pass = 0; pass < 2; pass++)
		for (int y = 4; y < 4 * (c->rows - 1); y++)
			for (int x = 2; x < 2 * (c->cols - 1); x++) {
				const struct cell *const k = help_at(c, y / 4, x / 2);
				if (!has_dot(k, x % 2, y % 4))
					continue;
				s.left = fmin(s.left, x);
				s.right = fmax(s.right, x + 1);
				s.top = fmin(s.top, y);
				s.bottom = fmax(s.bottom, y + 1);
				const double dx = x + 0.5 - (s.left + s.right) / 2;
				const double dy = (s.top + s.bottom) / 2 - y - 0.5;
				const double r = hypot(dx, dy);
				const bool hand = k->fg != CELL_DEFAULT;
				if (pass == 1 && !hand)
					s.off = fmax(s.off, fabs(r - (s.right - s.left - 1) / 2));
				if (pass == 1 && hand && r > s.far) {
					s.x = dx;
					s.y = dy;
					s.far = r;
				}
			}
	return s;
}

TEST(circles_are_round_on_cells)
{
	for (int rows = 12; rows <= 26; rows++) {
		const struct panel p = one_dial(0, 0, 0);
		const struct seen s = look(help_drawn_panel(&p, rows, 60, TIER_DIRECT, false));
		assert_true(s.right - s.left >= 2 * 2 * 5);
		assert_true(fabs((s.right - s.left) - (s.bottom - s.top)) < 0.5);
		if (s.off > 0.9)
			fail_msg("%d rows: a dot is %g off the circle", rows, s.off);
	}
}

/* Every 10 degrees, also beyond a turn, whole hands and half ones. */
TEST(hands_end_where_their_angles_say_on_cells)
{
	for (int degrees = -720; degrees < 720; degrees += 10)
		for (int half = 0; half < 2; half++) {
			const double angle = degrees * pi / 180, length = half ? 0.5 : 1;
			const struct panel p = one_dial(angle, angle, length);
			const struct seen s =
				look(help_drawn_panel(&p, 20, 60, TIER_DIRECT, false));
			const double r = length * (s.right - s.left) / 2;
			assert_true(fabs(s.far - r) <= 1.5);
			const double off = fabs(remainder(atan2(s.y, s.x) - angle, 2 * pi)) * r;
			if (off > 1.5)
				fail_msg("at %d degrees the hand is %g dots off", degrees, off);
		}
}

TEST(a_hand_without_length_or_angle_is_not_there)
{
	const double cases[][3] = {{1, 1, 0}, {1, NAN, 0.5}, {1, 1, NAN}, {1, INFINITY, 1}};
	for (size_t i = 0; i < 4; i++) {
		const struct panel p = one_dial(cases[i][0], cases[i][1], cases[i][2]);
		const struct seen s = look(help_drawn_panel(&p, 12, 40, TIER_DIRECT, false));
		assert_true(s.far < 0);
		assert_true(s.right > s.left);
	}
}

/* The query points to the right, the key to the left. */
static struct panel opposite(void)
{
	struct panel p = one_dial(0, 0, 0.8);
	own(&p)->hands[1] = (struct dial_hand){pi, pi, 0.8};
	p.dials.names[0] = "query dog";
	p.dials.names[1] = "key cat";
	return p;
}

/* The columns between which a letter stands, and how often, below the line of names. */
static int columns_of(const struct canvas *c, char letter, int *first, int *last)
{
	int n = 0;
	*first = c->cols;
	*last = -1;
	for (int row = 3; row < c->rows - 2; row++)
		for (int col = 1; col < c->cols - 1; col++)
			if (help_at(c, row, col)->at[0] == letter) {
				*first = col < *first ? col : *first;
				*last = col > *last ? col : *last;
				n++;
			}
	return n;
}

TEST(without_colours_letters_tell_the_hands)
{
	const struct panel p = opposite();
	for (int ascii = 0; ascii < 2; ascii++) {
		const struct canvas *const c = help_drawn_panel(&p, 20, 60, TIER_MONO, ascii);
		int q_first, q_last, k_first, k_last;
		const int q = columns_of(c, 'q', &q_first, &q_last);
		const int k = columns_of(c, 'k', &k_first, &k_last);
		assert_true(ascii ? q > 5 && k > 5 : q == 1 && k == 1);
		assert_true(q_first >= 30 && k_last <= 30);
		assert_non_null(strstr(help_screen(c), "q query dog"));
		assert_non_null(strstr(help_screen(c), "k key cat"));
	}
}

/* Tips in one cell leave room for both letters; names that begin alike have numbers. */
TEST(letters_are_both_there)
{
	struct panel p = opposite();
	struct dial *const d = own(&p);
	int first, last;
	d->hands[1] = d->hands[0];
	const struct canvas *c = help_drawn_panel(&p, 12, 40, TIER_MONO, false);
	assert_int_equal(columns_of(c, 'q', &first, &last), 1);
	assert_int_equal(columns_of(c, 'k', &first, &last), 1);
	p.dials.names[1] = "quick";
	c = help_drawn_panel(&p, 12, 40, TIER_MONO, false);
	assert_non_null(strstr(help_screen(c), "1 query dog"));
	assert_non_null(strstr(help_screen(c), "2 quick"));
}

/* Dials that are shown, by their angles, and those that are said to be left out, make all. */
TEST(dials_that_have_no_room_are_counted)
{
	for (size_t i = 0; i < COUNTS * HELP_ROOMS; i++) {
		const struct rect r = help_rooms[i / COUNTS];
		const struct panel p = help_dials(&help_arena, counts[i % COUNTS]);
		const char *const screen =
			help_screen(help_drawn_panel(&p, r.rows, r.cols, TIER_DIRECT, false));
		const char *const more = strstr(screen, "… and ");
		const size_t left = more ? strtoul(more + strlen("… and "), NULL, 10) : 0;
		const size_t shown = help_count(screen, "°");
		if (shown + left != p.dials.n)
			fail_msg("%zu and %zu of %zu:\n%s", shown, left, p.dials.n, screen);
		assert_true(shown > 0);
	}
}

/* The chosen dial is among those shown, and looks other than the rest without colours too. */
TEST(the_chosen_dial_is_shown)
{
	struct panel p = help_dials(&help_arena, 64);
	p.dials.has_cursor = true;
	for (size_t i = 0; i < HELP_ROOMS; i++)
		for (p.dials.cursor = 0; p.dials.cursor < 64; p.dials.cursor += 21) {
			const char *const title = p.dials.at[p.dials.cursor].brief_title;
			const struct canvas *const c = help_drawn_panel(
				&p, help_rooms[i].rows, help_rooms[i].cols, TIER_MONO, false);
			const char *const screen = help_screen(c);
			/* "θ .0013", or whole, "θ = 0.0013" */
			if (!strstr(screen, title + strlen("θ ")))
				fail_msg("%s:\n%s", title, screen);
		}
	struct panel other = help_dials(&help_arena, 8);
	other.dials.has_cursor = true;
	const char *const first = help_screen(help_drawn_panel(&other, 20, 80, TIER_MONO, false));
	other.dials.cursor = 1;
	assert_string_not_equal(first,
				help_screen(help_drawn_panel(&other, 20, 80, TIER_MONO, false)));
}

/* Where there is room all words are there, the addends with their signs; where there is little the angles are. */
TEST(words_go_in_their_order)
{
	const struct panel p = help_dials(&help_arena, 8);
	const char *screen = help_screen(help_drawn_panel(&p, 34, 118, TIER_DIRECT, false));
	static const char *const all[] = {"query dog, rotated by 4 θ",
					  "key cat, rotated by 1 θ",
					  "θ = 0.32",
					  "words",
					  "(before)",
					  "logit ",
					  "Each angle changes",
					  "132° −0.07 (+.06)"};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strstr(screen, all[i]))
			fail_msg("no %s in\n%s", all[i], screen);
	screen = help_screen(help_drawn_panel(&p, 20, 80, TIER_DIRECT, false));
	assert_null(strstr(screen, "Each angle"));
	assert_non_null(strstr(screen, "logit "));
	assert_non_null(strstr(screen, "words"));
	screen = help_screen(help_drawn_panel(&p, 9, 40, TIER_DIRECT, false)); /* a list */
	assert_non_null(strstr(screen, "132°  −0.07"));
}

/* Angles alone where nothing is added to a logit. */
TEST(clocks_without_addends_have_angles)
{
	const struct panel p = help_clocks(&help_arena, 8);
	for (size_t i = 0; i < HELP_ROOMS; i++) {
		const char *const screen = help_screen(help_drawn_panel(
			&p, help_rooms[i].rows, help_rooms[i].cols, TIER_DIRECT, false));
		assert_non_null(strstr(screen, "132°"));
		assert_null(strstr(screen, "nan"));
		assert_null(strstr(screen, "+0"));
	}
}

/* Words whole and apart, and no sign outside the panel: in all rooms, all looks, also next to none. */
TEST(cells_stay_inside)
{
	static const int sizes[][2] = {{46, 196}, {32, 116}, {20, 76}, {16, 56}, {8, 36},
				       {7, 30},	  {5, 20},   {4, 12},  {3, 8},	 {1, 1}};
	for (size_t k = 0; k < 10 * COUNTS * 6; k++) {
		const int *const size = sizes[k % 10];
		const size_t n = counts[k / 10 % COUNTS], looks = k / 10 / COUNTS;
		struct canvas_report report = {0};
		struct canvas *const c = help_canvas(size[0] + 4, size[1] + 8,
						     looks % 3 == 0   ? TIER_DIRECT
						     : looks % 3 == 1 ? TIER_16
								      : TIER_MONO,
						     looks >= 3);
		const struct panel p =
			(n + looks) % 2 ? help_clocks(&help_arena, n) : help_dials(&help_arena, n);
		c->report = &report;
		canvas_panel(c, (struct rect){2, 4, size[0], size[1]}, &p, false, NULL, NULL);
		help_assert_whole(c);
		if (report.cut || report.over)
			fail_msg("%zu dials in %dx%d: cut \"%s\", over \"%s\"\n%s", n, size[1],
				 size[0], report.cut_text, report.over_text, help_screen(c));
		for (int row = 0; row < c->rows; row++)
			for (int col = 0; col < c->cols; col++)
				if (row < 2 || row >= size[0] + 2 || col < 4 || col >= size[1] + 4)
					assert_string_equal(help_at(c, row, col)->at, " ");
	}
}

TEST(ascii_has_only_ascii)
{
	const struct panel p = help_dials(&help_arena, 8);
	const char *const screen = help_screen(help_drawn_panel(&p, 34, 118, TIER_MONO, true));
	for (const char *at = screen; *at; at++)
		if ((unsigned char)*at >= 0x80)
			fail_msg("%s", screen);
	assert_non_null(strstr(screen, "theta = 0.32"));
}

/* ---- figures -------------------------------------------------------------------------------------- */

/* All figures of a panel have the same decimals, as many as the largest has use for; what is nothing has no sign. */
TEST(addends_have_the_decimals_of_the_largest)
{
	static const struct {
		double values[2];
		const char *says[2];
	} rows[] = {{{0.35, -0.001}, {"+0.35", " 0.00"}},
		    {{12.345, -1}, {"+12.3", "−1.0"}},
		    {{250, -3}, {"+250", "−3"}},
		    {{0.0612, -0.02}, {"+0.061", "−0.020"}},
		    {{0.0003, -0.00001}, {"+0.0003", "−1e-5"}},
		    {{0, 0}, {" 0.00", " 0.00"}}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct dial two[2];
		struct panel p = one_dial(0, 1, 1);
		for (size_t k = 0; k < 2; k++) {
			two[k] = p.dials.at[0];
			two[k].after = rows[i].values[k];
		}
		p.dials.at = two;
		p.dials.n = 2;
		const char *const screen =
			help_screen(help_drawn_panel(&p, 12, 60, TIER_DIRECT, false));
		for (size_t k = 0; k < 2; k++)
			if (!strstr(screen, rows[i].says[k]))
				fail_msg("no %s in\n%s", rows[i].says[k], screen);
	}
}

/* ---- pages ---------------------------------------------------------------------------------------- */

static const int pages[][2] = {{1600, 1000}, {1600, 760}, {800, 500}, {700, 1200}, {400, 300}};
enum { PAGES = sizeof pages / sizeof *pages };

static bool meet(const struct text_box *t, const struct plot_box *p)
{
	const double hair = 1;
	return t->x < p->x + p->width - hair && p->x + hair < t->x + t->width &&
	       t->y < p->y + p->height - hair && p->y + hair < t->y + t->height;
}

/* Circles are round, apart, on the page; texts as on every page, and on no circle. */
TEST(pages_of_dials_can_be_read)
{
	for (size_t i = 0; i < PAGES * COUNTS * 2; i++) {
		const int *const size = pages[i % PAGES];
		const size_t n = counts[i / PAGES % COUNTS];
		const struct panel p = i < PAGES * COUNTS ? help_dials(&help_arena, n)
							  : help_clocks(&help_arena, n);
		const struct figure f = help_alone(&p);
		const char *const what =
			arena_printf(&help_arena, "%zu dials on %dx%d", n, size[0], size[1]);
		const struct raster_report r = help_page_report(
			&f,
			&(struct raster_look){.width = size[0], .height = size[1], .dark = i % 2},
			&help_arena);
		if (size[0] >= 700)
			help_page_reads(what, &r, size[0], size[1]);
		assert_true(r.plot_n > 0 && r.plot_n <= n);
		for (size_t k = 0; k < r.plot_n; k++) {
			assert_true(fabs(r.plots[k].width - r.plots[k].height) < 0.01);
			for (size_t t = 0; t < r.n; t++)
				if (meet(&r.boxes[t], &r.plots[k]))
					fail_msg("%s: \"%s\" lies on a circle", what,
						 r.boxes[t].text);
		}
		if (n <= 8 && size[0] >= 700)
			assert_int_equal(r.plot_n, n);
	}
}

/* Whether it is of the first series, or nearly. */
static bool is_blue(uint32_t rgb)
{
	const int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
	return abs(r - 0x00) < 60 && abs(g - 0x72) < 40 && abs(b - 0xb2) < 40;
}

TEST(hands_end_where_their_angles_say_on_a_page)
{
	for (int degrees = 0; degrees < 360; degrees += 24) {
		const double angle = degrees * pi / 180;
		const struct panel p = one_dial(angle, angle, 0.75);
		const struct help_printed out = help_printed(&p, 800, 500);
		const struct plot_box c = out.report.plots[0];
		const double x = c.x + c.width / 2, y = c.y + c.height / 2, r = c.width / 2;
		double far = 0, fx = 0, fy = 0;
		for (int py = (int)c.y; py < c.y + c.height; py++)
			for (int px = (int)c.x; px < c.x + c.width; px++) {
				const double dx = px + 0.5 - x, dy = y - py - 0.5;
				if (!is_blue(help_pixel(&out.image, px, py)) || hypot(dx, dy) < far)
					continue;
				far = hypot(dx, dy);
				fx = dx;
				fy = dy;
			}
		if (fabs(far - 0.75 * r) > 2 ||
		    fabs(remainder(atan2(fy, fx) - angle, 2 * pi)) * far > 3)
			fail_msg("%d degrees: the tip is at (%g, %g), the radius is %g", degrees,
				 fx, fy, r);
	}
}

/* Whether a pixel about this place of the circle is of the hand. */
static bool blue_at(const struct help_printed *out, double angle, double from, double to)
{
	const struct plot_box c = out->report.plots[0];
	for (double part = from; part < to; part += 0.25 / c.width)
		if (is_blue(help_pixel(
			    &out->image, (int)(c.x + c.width / 2 + part * c.width / 2 * cos(angle)),
			    (int)(c.y + c.height / 2 - part * c.width / 2 * sin(angle)))))
			return true;
	return false;
}

/* From the right by a turn and a quarter, to the left or to the right: the arc is a quarter. */
TEST(arcs_go_the_way_of_the_turn)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		const struct panel p = one_dial(0, sign * 2.5 * pi, 0.9);
		const struct help_printed out = help_printed(&p, 1600, 1000);
		for (int eighth = 0; eighth < 8; eighth++) {
			const double angle = (0.5 + eighth) * pi / 4;
			const bool expected = sign > 0 ? eighth < 2 : eighth >= 6;
			assert_int_equal(blue_at(&out, angle, 0.25, 0.5), expected);
		}
	}
}

/* The longest run of one colour, which is no paper, in the columns between two x below y. */
static int run_below(const struct image *image, int from, int to, int y, uint32_t wanted,
		     uint32_t not )
{
	int longest = 0;
	for (int x = from; x < to; x++)
		for (int py = y, run = 0; py < image->height - 60; py++) {
			const uint32_t rgb = help_pixel(image, x, py);
			const bool same = rgb == help_pixel(image, x, py - 1) && rgb != 0xffffff &&
					  rgb != not &&(wanted == 0 || rgb == wanted);
			run = same ? run + 1 : 0;
			longest = run > longest ? run : longest;
		}
	return longest + (longest > 0);
}

/* Greys before, colours after, on one scale; plus and minus on either side. */
TEST(bars_are_as_long_as_their_values)
{
	enum { HAIR = 0xd1d5db };
	static const double before[] = {0.4, 0.2, -0.1, -0.3}, after[] = {0.1, -0.2, 0.4, -0.3};
	struct panel p = help_dials(&help_arena, 4);
	struct dial *const at = own(&p);
	for (size_t i = 0; i < 4; i++) {
		at[i].before = before[i];
		at[i].after = after[i];
	}
	const struct help_printed out = help_printed(&p, 1600, 1000);
	assert_int_equal(out.report.plot_n, 4);
	double unit = 0;
	for (size_t i = 0; i < 4; i++) {
		const struct plot_box c = out.report.plots[i];
		const int middle = (int)(c.x + c.width / 2), below = (int)(c.y + c.height) + 40;
		const int grey = run_below(&out.image, middle - 60, middle, below, HAIR, 0);
		const int coloured = run_below(&out.image, middle + 4, middle + 60, below, 0, HAIR);
		unit = i == 0 ? grey / 0.4 : unit;
		assert_true(unit > 100);
		if (abs(grey - (int)lround(fabs(before[i]) * unit)) > 2 ||
		    abs(coloured - (int)lround(fabs(after[i]) * unit)) > 3)
			fail_msg("dial %zu: %d and %d px for %g and %g", i, grey, coloured,
				 before[i], after[i]);
	}
}

static struct raster_report report_of(const struct panel *p, int width, int height)
{
	const struct figure f = help_alone(p);
	return help_page_report(&f, &(struct raster_look){.width = width, .height = height},
				&help_arena);
}

TEST(a_page_has_all_words_or_the_more_needed_ones)
{
	const struct panel p = help_dials(&help_arena, 8), many = help_dials(&help_arena, 128);
	struct raster_report r = report_of(&p, 1600, 760);
	static const char *const all[] = {"query dog, rotated",
					  "θ = 0.00032",
					  "round in 199 words",
					  "132°",
					  "before 56°",
					  "−0.07",
					  "+0.06",
					  "|q| |k|",
					  "logit ",
					  "Each angle"};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!help_page_says(&r, all[i]))
			fail_msg("no %s", all[i]);
	r = report_of(&many, 800, 500);
	assert_true(help_page_says(&r, "… and ") && help_page_says(&r, "132°") &&
		    help_page_says(&r, "−0.07"));
	assert_false(help_page_says(&r, "Each angle") || help_page_says(&r, "before") ||
		     help_page_says(&r, "words"));
	for (size_t i = 0; i < r.n; i++)
		if (strncmp(r.boxes[i].text, "… and ", strlen("… and ")) == 0)
			assert_int_equal(strtoul(r.boxes[i].text + strlen("… and "), NULL, 10) +
						 r.plot_n,
					 128);
}

TEST(numbers_that_are_none_leave_no_words)
{
	struct panel p = help_dials(&help_arena, 3);
	struct dial *const at = own(&p);
	at[0].before = at[0].after = NAN;
	at[1].before = INFINITY;
	at[2].hands[0] = (struct dial_hand){NAN, NAN, NAN};
	const struct raster_report r = report_of(&p, 800, 500);
	assert_false(help_page_says(&r, "nan"));
	assert_null(strstr(help_screen(help_drawn_panel(&p, 20, 80, TIER_DIRECT, false)), "nan"));
	p.dials.n = 0;
	assert_int_equal(report_of(&p, 800, 500).plot_n, 0);
	help_drawn_panel(&p, 20, 80, TIER_DIRECT, false);
}

TEST(any_page_and_any_room_is_drawn)
{
	help_any_room(help_dials, help_clocks);
}

/* ---- files ---------------------------------------------------------------------------------------- */

TEST(dials_are_said_in_words)
{
	struct panel p = help_dials(&help_arena, 8);
	char *data;
	size_t len;
	p.dials.has_cursor = true;
	p.dials.cursor = 1;
	const struct figure f = help_alone(&p);
	export_plain(&f, &help_arena, &data, &len);
	assert_non_null(strstr(
		data,
		"1. θ = 1, round in 6.28 words: 132°, before 56°; adds −0.0733, before 0.0611"));
	assert_non_null(strstr(data, "Hand 2: key cat, rotated by 1 θ"));
	assert_int_equal(help_count(data, "chosen"), 1);
}

TEST(dials_have_a_form_in_tex)
{
	const struct panel p = one_dial(0, 2.5 * pi, 0.5);
	const struct figure f = help_alone(&p);
	struct export_tex look = {.width = 3.25, .letters = 8};
	struct err err = {""};
	char *data;
	size_t len;
	assert_true(export_tex(&f, &look, &help_arena, &data, &len, &err));
	assert_non_null(strstr(data, "circle[radius=0.4200]"));
	assert_non_null(strstr(data, "(0,0)--(0.00:0.2100)"));
	assert_non_null(strstr(data, "(0,0)--(90.00:0.2100)"));
	assert_non_null(strstr(data, "delta angle=90.00"));
	const struct panel many = help_dials(&help_arena, 8);
	const struct figure g = help_alone(&many);
	assert_true(export_tex(&g, &look, &help_arena, &data, &len, &err));
	assert_int_equal(help_count(data, "circle[radius=0.4200]"), 8);
	assert_non_null(strstr(data, "{$-$0.07}"));
	assert_null(strstr(data, "nan"));
}
