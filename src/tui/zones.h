/* zones.h: what of the screen answers to the mouse, and what is dragged by it. */
#ifndef POSVIZ_ZONES_H
#define POSVIZ_ZONES_H

#include "posviz/plot/canvas.h"
#include "posviz/scene/scene.h"

/* Places where a click or the wheel does something; made while drawing, so that what is seen and what is
 * hit are one. A later one lies over an earlier one. */
enum zone_kind {
	ZONE_RUN,	/* a click runs the command */
	ZONE_PANE,	/* a click gives pane `index` the focus */
	ZONE_CELLS,	/* the values of pane `index` */
	ZONE_ROWS,	/* its row labels */
	ZONE_COLS,	/* its column labels */
	ZONE_TOKEN,	/* a token of the sentence: the unit `index`, at `place` */
	ZONE_PARAM,	/* parameter `index` */
	ZONE_PROMPT,	/* the line being edited; its byte `index` is at the left */
	ZONE_CANDIDATE, /* completion `index` */
	ZONE_MATCH,	/* a scheme that was found */
	ZONE_OVERLAY,	/* a box over the rest */
	ZONE_OUTSIDE,	/* what it covers: a click closes it */
	ZONE_CHOICE,	/* row `index` of a menu */
	ZONE_ITEM,	/* item `place` of the small multiples in pane `index` */
};
enum { ZONES = 512 };

struct zone {
	struct rect at;
	enum zone_kind kind;
	const char *command;
	/* The wheel presses Up and Down (Left and Right) as this context understands them. NULL: it
	 * does nothing. */
	const char *wheel;
	size_t index, place;
	struct rect data; /* of CELLS, ROWS and COLS */
	struct heatmap_view view;
};

/* A token being dragged. The zones are those of the moment when it was lifted: others move while it
 * is on its way, and places must not move under the pointer. */
struct drag {
	bool on, moved;
	enum zone_kind along;
	size_t place; /* of the token now */
	size_t unit;  /* that was pressed */
	struct scene before;
	struct zone zones[ZONES];
	size_t n;
};

#endif
