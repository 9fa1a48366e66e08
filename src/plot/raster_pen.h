/* raster_pen.h: the pen on a page, and the parts of its device that have files of their own. */
#ifndef POSVIZ_RASTER_PEN_H
#define POSVIZ_RASTER_PEN_H

#include "plot/pen_device.h"
#include "plot/raster_in.h"

struct pen pen_page(struct page *p, struct area at);

/* raster_dial.c */
void raster_dial(const struct pen *pen, const struct dials *d, size_t i, struct area circle);
void raster_dial_hand(const struct pen *pen, const struct dials *d, size_t hand, double x, double y,
		      double width);

/* raster_plane.c */
struct plane_look raster_plane_look(const struct pen *pen, bool many);
double raster_plane_side(const struct pen *pen, struct area at);
void raster_plane_box(const struct pen *pen, struct area box);
void raster_plane_marks(const struct plane_plan *l);
void raster_plane_form(const struct plane_plan *l, size_t group, double x, double y);
void raster_plane_leaders(const struct plane_plan *l);
void raster_plane_thumb(const struct plane_plan *l, size_t i);

#endif
