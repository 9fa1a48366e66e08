/* contact.h: a contact sheet: a small map for each of many schemes and sentences, by family.
 *
 * A figure with a contact sheet has no panels: its title, what stands under it and its caption say what
 * the maps are, and a page or cells show all of them or none (raster.h, canvas.h). */
#ifndef POSVIZ_CONTACT_H
#define POSVIZ_CONTACT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/plot/heatmap.h"

/* A matrix; of a mask alone there are no numbers to be said. */
struct contact_map {
	struct heatmap map;	      /* values.at NULL: nothing */
	double least, largest, share; /* of what is not masked; share: distance_share, NaN: none */
	const char *low, *high, *percent; /* the same as text; NULL: not said */
};

struct contact_entry {
	const char *name; /* "rope(base=100)" */
	int year;	  /* 0: none */
	const char *note; /* what is not as it is with most: "weights", "@dep2"; NULL: nothing */
	const struct contact_map *maps; /* [columns]; those without values are left blank */
};

/* Entries that follow each other. */
struct contact_family {
	const char *name;
	size_t first, n;
};

struct contact {
	const struct contact_family *families;
	const struct contact_entry *entries;
	size_t n_families, n;
	size_t columns; /* maps of an entry: one for each sentence */
	size_t longest; /* rows or columns of the largest map */
	/* The widest of all low and high, of all percent, notes and names; NULL: there are none. */
	const char *wide_number, *wide_percent, *wide_note, *wide_name;
	/* Maps whose colours and limits the legend says: what the sheet is of, and the weights of those that
	 * have no such matrix. colormap NULL: there are none. */
	struct heatmap bar, weights;
	bool own;    /* each map has its own limits: the legend has no numbers */
	bool masked; /* some have strokes */
};

/* Where the entries go when so many stand beside each other: families follow each other in a row as long
 * as all of one, or of the rest of a longer one, has room in it. */
struct contact_run {
	size_t family, first, n; /* entries */
	size_t row, col, cols;	 /* cols: that it has; its name may need more than its entries */
	bool again;		 /* the family began in a row above */
};
struct contact_flow {
	struct contact_run *runs;
	size_t n, rows;
	bool *headed; /* [rows]: a family begins in it */
	bool *noted;  /* [rows]: an entry of it has a note */
};
/* `least`: so many columns a family's name needs, [n_families]. */
void contact_flow(const struct contact *k, size_t across, const size_t *least, struct arena *a,
		  struct contact_flow *out);

#endif
