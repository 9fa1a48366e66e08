/* pen_device.h: the devices that a pen draws on: the cells of a terminal (canvas_pen.c) or a page
 * (raster_pen.c).
 *
 * A device is this table of functions. Most do what pen.h says of the function of the same name; a
 * NULL function draws nothing. The layouts (pen_*.c) call only pen.h and know neither canvas nor
 * page. */
#ifndef POSVIZ_PEN_DEVICE_H
#define POSVIZ_PEN_DEVICE_H

#include "plot/pen_plane.h"

struct pen_device {
	/* text */
	struct size (*measure)(const struct pen *pen, const char *text);
	const char *(*fit)(const struct pen *pen, enum role role, const char *text, double width);
	void (*text)(const struct pen *pen, enum role role, size_t colour, double align, double x,
		     double y, const char *text);
	void (*text_tone)(const struct pen *pen, enum role role, const struct colormap *map,
			  enum tone tone, double align, double x, double y, const char *text);
	void (*text_large)(const struct pen *pen, double align, double x, double y,
			   const char *text);
	void (*text_turned)(const struct pen *pen, enum role role, size_t colour, double x,
			    double y, double angle, const char *text);
	double (*digits)(const struct pen *pen, double right, double y, const char *number,
			 bool draw);
	void (*label)(const struct pen *pen, enum role role, double align, double x, double y,
		      const char *text);
	double (*apart)(const struct pen *pen, const char *const *texts, size_t n, size_t step);
	const char **(*labels)(const struct pen *pen, const char *const *from, size_t n,
			       size_t first, double width);
	double (*wrap)(const struct pen *pen, struct area at, const struct text_run *runs, size_t n,
		       bool draw);
	double (*formula)(const struct pen *pen, struct area at, const char *formula, bool draw);
	const char *(*formula_words)(const struct pen *pen, const char *formula);
	struct pen (*sheet)(const struct pen *pen);
	void (*sheet_end)(const struct pen *pen, const struct pen *sheet, double used);

	/* strokes and marks */
	void (*begin)(struct pen *pen, struct area clip);
	void (*end)(struct pen *pen);
	void (*stroke)(const struct pen *pen, const struct point *at, size_t n, bool heavy);
	void (*head)(const struct pen *pen, double x, double y, bool heavy);
	void (*dot)(const struct pen *pen, double x, double y);
	void (*arrow)(const struct pen *pen, double x, double y, double width, const char *label,
		      bool heavy, bool directed);
	void (*group)(const struct pen *pen, struct area words, double below, bool turned);
	void (*chosen)(const struct pen *pen, struct area row);
	void (*rule)(const struct pen *pen, struct area at, double y);
	void (*blank)(const struct pen *pen, struct area a);
	void (*plot)(const struct pen *pen, struct area a);

	/* bars and lines */
	void (*bar)(const struct pen *pen, double x, double y, double length, double high,
		    enum bar_form form);
	void (*axis)(const struct pen *pen, double x, double top, double bottom);
	void (*level)(const struct pen *pen, double y, double left, double right);
	void (*spot)(const struct pen *pen, double x, double y);
	void (*interval)(const struct pen *pen, double from, double middle, double to, double y,
			 double high, bool off);
	void (*span)(const struct pen *pen, const struct colormap *map, enum tone tone,
		     struct area at);
	void (*block)(const struct pen *pen, const struct colormap *map, double place,
		      struct area at);
	void (*sign)(const struct pen *pen, const struct colormap *map, enum tone tone, double x,
		     double y);
	void (*zero)(const struct pen *pen, double x, double top, double bottom);
	void (*drop)(const struct pen *pen, double x, double top, double bottom);
	void (*lines)(const struct pen *pen, struct area at, double pitch,
		      const struct pen_line *lines, size_t n);

	/* dials: a dial in this circle; a piece of a hand that begins at x */
	void (*dial)(const struct pen *pen, const struct dials *d, size_t i, struct area circle);
	void (*hand)(const struct pen *pen, const struct dials *d, size_t hand, double x, double y,
		     double width);

	/* points in a plane: their sizes; the side of a small picture in such an area, 0 if it has
	 * no room */
	struct plane_look (*plane_look)(const struct pen *pen, bool many);
	double (*plane_side)(const struct pen *pen, struct area at);
	void (*plane_box)(const struct pen *pen, struct area box);
	void (*plane_marks)(const struct plane_plan *l);
	/* the mark of a group at (x, y), for its name; SIZE_MAX, on cells: that of the point of interest */
	void (*plane_form)(const struct plane_plan *l, size_t group, double x, double y);
	/* lines from points to their small pictures; the small picture of a point */
	void (*plane_leaders)(const struct plane_plan *l);
	void (*plane_thumb)(const struct plane_plan *l, size_t i);
};

#endif
