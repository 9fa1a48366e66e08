/* map_in.h: declarations shared by the files of the view Map: the results for every scheme, and
 * the map by each kind of distance. */
#ifndef POSVIZ_MAP_IN_H
#define POSVIZ_MAP_IN_H

#include "posviz/analysis/map.h"
#include "view_in.h"

/* The state of a scheme on the map. */
enum map_state {
	MAP_HERE,
	MAP_TO_COME,
	MAP_FAILS, /* the scheme cannot be computed here */
	MAP_UNITS, /* its units differ from those of the scene's own expression */
	MAP_NO_BIAS,
	MAP_NO_PAIR, /* it has no pair in common with another scheme */
	MAP_STATES
};

struct map_entry {
	const struct scheme *scheme; /* [0]: the main scheme of the scene's expression */
	const char *name;	     /* the scheme's id; [0]: the expression, shortened */
	const char *expression;	     /* canonical, with the scene's masks */
	const char *model;	     /* whose it is; NULL: the scene's sizes and files */
	/* It has no say in the axes: what is of the user's making, so that the schemes of the list stand in the
	 * same places whatever is looked at. */
	bool aside;
	enum map_state state;
	const char *why; /* MAP_FAILS: the error; MAP_NO_BIAS: the reason */
	const struct map_signature *s;
	double outputs; /* relative difference of its outputs from the scene's; NaN: not known */
	struct mat thumb[DISTANCE_OF_COUNT];
};

/* The map by one kind of distance: the entries that have it, the scene's own first. */
struct map_kind {
	size_t n;
	const size_t *entry; /* [n] */
	struct mat d;	     /* [n, n] */
	struct map_plane plane;
	const size_t *first, *nearest; /* from map_first, map_nearest; not set if n < 2 */
	size_t out[MAP_STATES];	       /* numbers of entries that are left out, by reason */
	const char *absent;	       /* why there is no map; or NULL */
};

struct shown_map {
	struct map_entry *entries;
	size_t n, to_come;
	/* The rows that distances are computed from, and the number of all rows. */
	size_t rows, of_rows;
	struct map_kind kinds[DISTANCE_OF_COUNT];
};

/* Groups of schemes: those of plain sequences by their reference point, then those of structures
 * and of other inputs. */
enum map_family {
	FAMILY_NONE,
	FAMILY_ABSOLUTE,
	FAMILY_RELATIVE,
	FAMILY_BOTH,
	FAMILY_STRUCTURE,
	FAMILY_OTHER,
	MAP_FAMILIES
};
extern const char *const map_family_names[MAP_FAMILIES];
enum map_family map_family_of(const struct scheme *s);

/* map_keep.c */
const void *map_keep(const struct view_data *d, struct arena *a);
size_t map_to_come(const void *kept);
/* Returns the kind of distance that the scene shows. */
const struct map_kind *map_kind_of(const struct view_data *d);

/* map.c: the words of a kind of distance */
struct map_words {
	const char *title, *brief_title, *subtitle, *brief, *unit, *near, *near_brief, *about;
};
const struct map_words *map_words_now(const struct view_data *d);
const struct map_entry *map_entry_of(const struct view_data *d, size_t point);
/* Returns whether a scheme at distance 0 writes something else. */
bool map_writes_otherwise(const struct map_entry *e);
/* Returns the distance of an entry in so many digits, or words at distance 0. */
const char *map_apart_text(double apart, const struct map_entry *e, int digits, struct arena *a);
/* Return the neighbours that the filter leaves, the nearest first, and [*n] their number; the point under the
 * cursor and its index among them, SIZE_MAX if there is none. */
const size_t *map_neighbours(const struct view_data *d, struct arena *a, size_t *n);
size_t map_chosen_of(const struct view_data *d, const size_t *neighbour, size_t n, size_t *at);

/* Tells whether a point has all words of the filter, in its name, title, authors, or family. */
bool map_is_shown(const struct view_data *d, size_t point);

/* map_plane.c: the plane of all; that of the schemes nearest to the scene's own, whose axes are those
 * of the distances among these alone, false if there is nothing to enlarge. */
void map_plane_panel(const struct view_data *d, struct arena *a, struct panel *p);
/* Returns what is to be seen on the map, and what the distance is; NULL: there is no map. */
const char *map_finding(const struct view_data *d, struct arena *a);
bool map_inset_panel(const struct view_data *d, struct arena *a, struct panel *p);

/* map_card.c */
void map_card(const struct view_data *d, struct arena *a, struct panel *p);

#endif
