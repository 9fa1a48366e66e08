/* contact.h: a contact sheet: a small map for each of many schemes and sentences, by family.
 *
 * A figure with a contact sheet has no panels. Its title, subtitle and caption say what the maps
 * show, and a page or a screen shows all of the maps or none (raster.h, canvas.h). */
#ifndef POSVIZ_CONTACT_H
#define POSVIZ_CONTACT_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/plot/heatmap.h"

/* A matrix with a few numbers of its values; a mask alone has none to print. */
struct contact_map {
	struct heatmap map; /* values.at NULL: no map */
	/* of the cells that are not masked; share: distance_share, NaN: none */
	double least, largest, share;
	/* these three as text; NULL: not printed */
	const char *low, *high, *percent;
};

struct contact_entry {
	const char *name; /* "rope(base=100)" */
	int year;	  /* 0: unknown */
	/* a difference from most entries: "weights", "@dep2"; NULL: none */
	const char *note;
	const struct contact_map *maps; /* [columns]; those without values are left blank */
};

/* Consecutive entries. */
struct contact_family {
	const char *name;
	size_t first, n;
};

struct contact {
	const struct contact_family *families;
	const struct contact_entry *entries;
	size_t n_families, n;
	size_t columns; /* maps of an entry, one for each sentence */
	size_t longest; /* rows or columns of the largest map */
	size_t across;	/* entries in a row; 0: as many as make the maps largest */
	/* The widest text of all low and high, of all percent, of all notes and of all names; NULL:
	 * there are none. */
	const char *wide_number, *wide_percent, *wide_note, *wide_name;
	/* Maps whose colours and limits the legend explains: the main kind of the sheet, and the
	 * weights that schemes without such a matrix show instead. colormap NULL: there are
	 * none. */
	struct heatmap bar, weights;
	bool own;    /* each map has its own limits, so the legend has no numbers */
	bool masked; /* some maps have masked cells, drawn as strokes */
};

/* The rows and columns of the entries, `across` of them side by side. Families follow each other in
 * a row as long as the next one, or the rest of one longer than a row, has room in it. */
struct contact_run {
	size_t family, first, n; /* the entries from `first` */
	/* cols: its columns; the family's name may need more of them than the entries do */
	size_t row, col, cols;
	bool again; /* the family began in an earlier row */
};
struct contact_flow {
	struct contact_run *runs;
	size_t n, rows;
	bool *headed; /* [rows]: a family begins in the row */
	bool *noted;  /* [rows]: an entry of the row has a note */
};
/* Arranges the entries. least[n_families] has the columns that the names of the families need. */
void contact_flow(const struct contact *k, size_t across, const size_t *least, struct arena *a,
		  struct contact_flow *out);

#endif
