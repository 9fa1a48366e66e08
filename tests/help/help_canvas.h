/* help_canvas.h: canvases and panels that several tests draw. */
#ifndef POSVIZ_HELP_CANVAS_H
#define POSVIZ_HELP_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/plot/canvas.h"

enum { HELP_MOST = 64 };

extern struct arena help_arena; /* from help_begin to help_end, the fixtures of a test */
int help_begin(void **state);
int help_end(void **state);

/* Calls canvas_layout on a canvas with all colours. */
static inline void help_layout(const struct figure *f, struct rect r, size_t focus, bool zoom,
			       struct rect *place)
{
	static const struct canvas colours = {.tier = TIER_DIRECT};
	canvas_layout(&colours, f, r, focus, zoom, place);
}

struct canvas *help_canvas(int rows, int cols, enum tier tier, bool ascii);
/* Returns a canvas that one panel fills. */
struct canvas *help_drawn_panel(const struct panel *p, int rows, int cols, enum tier tier,
				bool ascii);
const struct cell *help_at(const struct canvas *c, int row, int col);
char *help_screen(const struct canvas *c); /* as plain text */
/* Returns the text of cells [from, to) of a row, without blanks at both ends. */
char *help_between(const struct canvas *c, int row, int from, int to);
/* Fails unless every wide character has its second half and no half is alone. */
void help_assert_whole(const struct canvas *c);

/* Returns an n×n heatmap of (column − row)/(n−1) in [−1, 1], or of its absolute value in [0, 1];
 * its values are help_numbers. The labels are the nine words of a sentence, for other n its words
 * in another order. */
struct panel help_heatmap(size_t n, bool diverging);
extern double help_numbers[HELP_MOST * HELP_MOST];
uint32_t help_colour(const struct heatmap *h, double value);

/* Returns an n×n heatmap of any size with any words and a cursor; values are the sine of the index
 * in reading order. */
struct panel help_large(size_t n, enum heatmap_grid grid);

/* Sizes of panels on screens of 200×50, 120×36, 80×24, 60×20, 40×12, and a smaller one. */
enum { HELP_ROOMS = 6 };
extern const struct rect help_rooms[HELP_ROOMS];

struct panel help_curves(void); /* a rising active line, and one with a gap */
struct panel help_card(void);	/* a formula, three lines and a sentence */

#endif
