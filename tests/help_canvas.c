/* help_canvas.c: canvases and panels that several tests draw. */
#include "help_canvas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "posviz/export.h"
#include "posviz/text.h"

struct arena help_arena;

int help_begin(void **state)
{
	(void)state;
	arena_init(&help_arena);
	return 0;
}

int help_end(void **state)
{
	(void)state;
	arena_release(&help_arena);
	return 0;
}

struct canvas *help_canvas(int rows, int cols, enum tier tier, bool ascii)
{
	return canvas_new(&help_arena, rows, cols, tier, ascii, true);
}

const struct cell *help_at(const struct canvas *c, int row, int col)
{
	return &c->cells[row * c->cols + col];
}

char *help_screen(const struct canvas *c)
{
	char *data;
	size_t len;
	export_text(c, false, &help_arena, &data, &len);
	return data;
}

/* Every wide character has its second half, and no half stands alone. */
void help_assert_whole(const struct canvas *c)
{
	for (int row = 0; row < c->rows; row++)
		for (int col = 0; col < c->cols; col++) {
			const struct cell *const k = help_at(c, row, col);
			if (k->width == 2)
				assert_true(col + 1 < c->cols && k[1].width == 0);
			if (k->width == 0)
				assert_true(col > 0 && k[-1].width == 2 && k->at[0] == '\0');
			if (k->width != 0)
				assert_int_equal(text_width(k->at), k->width);
		}
}

static const char *const words9[] = {"the",    "cat",  "that",	 "the", "dog",
				     "chased", "fell", "asleep", "."};
double help_numbers[HELP_MOST * HELP_MOST];
static const char *many[HELP_MOST];

/* An n×n heatmap of (column − row)/(n−1) in [−1, 1], or its size in [0, 1]. */
struct panel help_heatmap(size_t n, bool diverging)
{
	for (size_t r = 0; r < n; r++)
		for (size_t s = 0; s < n; s++) {
			const double x = n > 1 ? ((double)s - (double)r) / (double)(n - 1) : 0;
			help_numbers[r * n + s] = diverging ? x : fabs(x);
		}
	for (size_t i = 0; i < n; i++)
		many[i] = words9[i * 5 % 9];
	struct panel p = {.kind = PANEL_HEATMAP, .title = "Bias", .note = "head 1 of 4"};
	p.heatmap = (struct heatmap){
		.values = {n, n, n, help_numbers},
		.row_labels = n == 9 ? words9 : many,
		.col_labels = n == 9 ? words9 : many,
		.scale = scale_fit(diverging ? -1 : 0, 1, SCALE_LINEAR, diverging, !diverging),
		.colormap = colormap_find(diverging ? "berlin" : "viridis"),
	};
	return p;
}

uint32_t help_colour(const struct heatmap *h, double value)
{
	return CELL_RGB(colormap_rgb(h->colormap, scale_at(&h->scale, value, NULL)));
}

struct panel help_curves(void)
{
	static const double x[] = {-2, -1, 0, 1, 2}, up[] = {-1, -0.5, 0, 0.5, 1};
	static const double gap[] = {1, 1, NAN, -1, -1};
	static const struct series series[] = {
		{.label = "up", .n = 5, .x = x, .y = up, .active = true},
		{.label = "gap", .n = 5, .x = x, .y = gap, .colour = 1},
	};
	return (struct panel){.kind = PANEL_CURVES,
			      .title = "Bias by distance",
			      .curves = {series, 2, "s−t", "bias", true, false, 0}};
}

static const struct card_line card_lines[] = {
	{"reference", "relative", "measured 0"},
	{"injection", "attention matrix", NULL},
	{"learned", "0 parameters", NULL},
};

struct panel help_card(void)
{
	return (struct panel){.kind = PANEL_CARD,
			      .title = "Rotary",
			      .note = "Su 21",
			      .priority = 2,
			      .card = {"A = q·k", "Angles grow with the position.", card_lines, 3}};
}
