/* map_in.h: what the files of the view Map share: what was computed of every scheme, and what it comes to by
 * each of the distances. */
#ifndef POSVIZ_MAP_IN_H
#define POSVIZ_MAP_IN_H

#include "posviz/analysis/map.h"
#include "view_in.h"

/* What became of a scheme. */
enum map_state {
	MAP_HERE,
	MAP_TO_COME,
	MAP_FAILS, /* it cannot be computed here */
	MAP_UNITS, /* its units are others than those of the scene's own expression */
	MAP_NO_BIAS,
	MAP_NO_PAIR, /* no pair of it counts that another has as well */
	MAP_STATES
};

struct map_entry {
	const struct scheme *scheme; /* of [0], the scene's expression, the main one */
	const char *name;	     /* its id; of [0] the expression, shortened */
	const char *expression;	     /* with the scene's masks, canonical */
	enum map_state state;
	const char *why; /* of MAP_FAILS what was said, of MAP_NO_BIAS why */
	const struct map_signature *s;
	struct mat thumb[DISTANCE_OF_COUNT];
};

/* By one distance: the entries that have it, the scene's own first. */
struct map_kind {
	size_t n;
	const size_t *entry; /* [n] */
	struct mat d;	     /* [n, n] */
	struct map_plane plane;
	const size_t *first, *nearest; /* map_first, map_nearest; n < 2: none */
	size_t out[MAP_STATES];	       /* how many entries are left out, and why */
	const char *absent;	       /* why there is nothing; NULL: there is */
};

struct shown_map {
	struct map_entry *entries;
	size_t n, to_come;
	size_t rows, of_rows; /* that distances are of */
	struct map_kind kinds[DISTANCE_OF_COUNT];
};

/* map_keep.c */
const void *map_keep(const struct view_data *d, struct arena *a);
size_t map_to_come(const void *kept);
/* The kind that the scene shows. */
const struct map_kind *map_kind_of(const struct view_data *d);

#endif
