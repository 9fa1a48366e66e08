/* canvas_pen.h: the pen on the cells of a terminal, and the parts of its device in other files. */
#ifndef POSVIZ_CANVAS_PEN_H
#define POSVIZ_CANVAS_PEN_H

#include "plot/canvas_in.h"
#include "plot/pen_device.h"

struct pen pen_cells(struct canvas *c, struct arena *a, struct rect inner);

unsigned canvas_pen_attrs(enum role role);

/* canvas_flow.c: text of several lines. */
double canvas_flow_wrap(const struct pen *pen, struct area at, const struct text_run *runs,
			size_t n, bool draw);
double canvas_flow_formula(const struct pen *pen, struct area at, const char *formula, bool draw);
const char *canvas_flow_words(const struct pen *pen, const char *formula);
struct pen canvas_flow_sheet(const struct pen *pen);
void canvas_flow_sheet_end(const struct pen *pen, const struct pen *sheet, double used);

/* canvas_tones.c: bars in the colours of a map, and the colour of letters beside them. */
uint32_t canvas_tone_letters(const struct canvas *c, const struct colormap *map, enum tone tone);
void canvas_tone_span(const struct pen *pen, const struct colormap *map, enum tone tone,
		      struct area at);
void canvas_tone_block(const struct pen *pen, const struct colormap *map, double place,
		       struct area at);
void canvas_tone_sign(const struct pen *pen, const struct colormap *map, enum tone tone, double x,
		      double y);

/* canvas_dial.c */
void canvas_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle);
void canvas_dial_hand(const struct pen *pen, const struct dials *d, size_t hand, double x, double y,
		      double width);

/* canvas_plane.c */
struct plane_look canvas_plane_look(const struct pen *pen, bool many);
double canvas_plane_side(const struct pen *pen, struct area at);
void canvas_plane_marks(const struct plane_plan *l);
void canvas_plane_form(const struct plane_plan *l, size_t group, double x, double y);
void canvas_plane_leaders(const struct plane_plan *l);
void canvas_plane_thumb(const struct plane_plan *l, size_t i);

#endif
