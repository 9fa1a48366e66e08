/* help_canvas.h: canvases and panels that several tests draw. */
#ifndef POSVIZ_HELP_CANVAS_H
#define POSVIZ_HELP_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/plot/canvas.h"

enum { HELP_MOST = 64 };

extern struct arena
	help_arena; /* from help_begin to help_end, the set-up and tear-down of a test */
int help_begin(void **state);
int help_end(void **state);

/* canvas_layout on a canvas of all colours. */
static inline void help_layout(const struct figure *f, struct rect r, size_t focus, bool zoom,
			       struct rect *place)
{
	static const struct canvas colours = {.tier = TIER_DIRECT};
	canvas_layout(&colours, f, r, focus, zoom, place);
}

struct canvas *help_canvas(int rows, int cols, enum tier tier, bool ascii);
/* A panel alone on all of a canvas. */
struct canvas *help_drawn_panel(const struct panel *p, int rows, int cols, enum tier tier,
				bool ascii);
const struct cell *help_at(const struct canvas *c, int row, int col);
char *help_screen(const struct canvas *c); /* as plain text */
/* The text of cells [from, to) of a row, without blanks at both ends. */
char *help_between(const struct canvas *c, int row, int from, int to);
/* Fails unless every wide character has its second half and no half stands alone. */
void help_assert_whole(const struct canvas *c);

/* An n×n heatmap of (column − row)/(n−1) in [−1, 1], or its size in [0, 1]; its values are
 * help_numbers. Labels are a sentence of nine words, for other n its words in another order. */
struct panel help_heatmap(size_t n, bool diverging);
extern double help_numbers[HELP_MOST * HELP_MOST];
uint32_t help_colour(const struct heatmap *h, double value);

/* An n×n heatmap of any size and any words, with a cursor: sin of the place in reading order. */
struct panel help_large(size_t n, enum heatmap_grid grid);

/* Panels as large as on screens of 200×50, 120×36, 80×24, 60×20, 40×12, and less. */
enum { HELP_ROOMS = 6 };
extern const struct rect help_rooms[HELP_ROOMS];

struct panel help_curves(void); /* a rising active line, and one with a gap */
struct panel help_card(void);	/* a formula, three lines and a sentence */

#endif
