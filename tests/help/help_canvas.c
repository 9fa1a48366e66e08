/* help_canvas.c: canvases and panels that several tests draw. */
#include "help_canvas.h"

#include <math.h>
#include <string.h>

#include "test.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

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

struct canvas *help_drawn_panel(const struct panel *p, int rows, int cols, enum tier tier,
				bool ascii)
{
	struct canvas *const c = help_canvas(rows, cols, tier, ascii);
	canvas_panel(c, (struct rect){0, 0, rows, cols}, p, false, NULL, NULL);
	return c;
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

char *help_between(const struct canvas *c, int row, int from, int to)
{
	char *const out = arena_calloc(&help_arena, (size_t)(to - from) + 1, CELL_BYTES),
		    *end = out;
	for (int col = from; col < to; col++)
		end = stpcpy(end, help_at(c, row, col)->at);
	char *at = out + strspn(out, " ");
	for (size_t len = strlen(at); len > 0 && at[len - 1] == ' ';)
		at[--len] = '\0';
	return at;
}

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

struct panel help_large(size_t n, enum heatmap_grid grid)
{
	struct panel p = {.kind = PANEL_HEATMAP,
			  .title = "Attention weights",
			  .note = "head 1 of 4",
			  .short_note = "head 1"};
	const struct mat m = mat_new(&help_arena, n, n);
	const char **const labels = arena_calloc(&help_arena, n, sizeof *labels);
	for (size_t i = 0; i < n * n; i++)
		m.at[i] = sin((double)i * 0.37);
	for (size_t i = 0; i < n; i++)
		labels[i] = words9[i % 9];
	p.heatmap = (struct heatmap){.values = m,
				     .row_labels = labels,
				     .col_labels = labels,
				     .scale = scale_fit(-1, 1, SCALE_LINEAR, true, false),
				     .colormap = colormap_find("berlin"),
				     .has_cursor = true,
				     .row = n / 2,
				     .col = n / 3,
				     .grid = grid};
	return p;
}

const struct rect help_rooms[HELP_ROOMS] = {{0, 0, 30, 84}, {0, 0, 22, 47}, {0, 0, 13, 40},
					    {0, 0, 13, 30}, {0, 0, 8, 40},  {0, 0, 6, 24}};

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
			      .curves = {.series = series,
					 .n = 2,
					 .x_title = "s−t",
					 .y_title = "bias",
					 .integer_x = true}};
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
