/* vectors_in.h: the results that the view Vectors keeps for the rows that it shows. */
#ifndef POSVIZ_VECTORS_IN_H
#define POSVIZ_VECTORS_IN_H

#include "posviz/analysis/vectors.h"
#include "view_in.h"

struct shown_vectors {
	const struct built *built; /* the scene's, or one with more positions than the sentence */
	const struct trace *trace;
	bool more_places;
	struct vectors *list; /* [n] the vectors found; `of` is the index of the shown ones */
	size_t n, of;
	struct vectors v; /* with the rows that were read, if the table is large */
	struct row_sample sample;
	/* [far_places] positions for which the rows of a table of buckets are read, to name these by their
	 * distances; NULL: the positions of `trace`. */
	const struct trace *far;
	/* If there are no vectors, a sentence about what the scheme has instead; or NULL. */
	const char *absent;
	struct mat cosine;
	/* The split of the cosines of different rows by their distance. */
	struct split by;
	double bins[COSINE_BINS];
	size_t pairs; /* number of pairs that the bins count */
	/* Cosine: limits over different rows; mean over neighbouring rows. */
	double least, most, neighbour;
	double lo, hi;	  /* limits of the values */
	double *norm;	  /* [rows] */
	struct mat plane; /* [rows, 2] */
	bool tangled;	  /* the path through it is */
	double share[2];
	const char *plane_absent;
	/* Numbers of pairs that make a full rotation: within the shown positions, and within
	 * t_max. */
	size_t turn, turned;
	/* Names: of each row, NULL: numbers from 1; of an axis, "position t"; of several, "64
	 * dimensions". ruler: the names of rows ascend, and some of them are enough. */
	const char *const *row_names;
	const char *row_title, *rows_word, *col_title, *cols_word;
	bool ruler;
	/* [rows] the middle of the distances that each row stands for, NaN: none read it; NULL: rows are no buckets, or
	 * not all distances are known. */
	const double *row_at;
	/* [sample.of] rows that training never met; NULL: that is not known. */
	uint8_t *untrained;
	/* [n_beside] the same of the other expressions that are shown. */
	const struct shown_vectors *beside;
	size_t n_beside, n_untrained;
};

/* Returns the wanted results. Matrices of heads are made only if something of them is wanted, so
 * the mask is always wanted: it costs least. */
view_wants vectors_wants;
view_keep vectors_keep; /* returns a struct shown_vectors */
/* Returns "−1.31", "0" for a value that is only rounding, "–" if there is no value. */
const char *vectors_number(double value, int digits, struct arena *a);
/* Returns a sentence about what a scheme without vectors has instead. */
const char *vectors_instead(const struct view_data *d, struct arena *a);
/* vectors_of returns the data of expression number i, from 0, as if it were alone. */
struct view_data vectors_of(const struct view_data *d, size_t i, struct arena *a);

/* vectors_rows.c: vectors_name names rows and columns; vectors_finding returns what is shown and
 * seen, in two sentences; vectors_are_parallel, whether all rows point the same way. */
void vectors_name(const struct view_data *d, struct arena *a, struct shown_vectors *k);
const char *vectors_finding(const struct shown_vectors *k, struct arena *a);
bool vectors_are_parallel(const struct shown_vectors *k);
/* vectors_curves.c: returns whether it is a table of few heads: their columns are curves over its rows. */
bool vectors_of_heads(const struct shown_vectors *k);

/* vectors.c: panels. With `whole` the cosines have a scale from −1 to 1 whatever they are. */
void vectors_table_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p);
void vectors_cosine_panel(const struct view_data *d, const struct shown_vectors *k, bool whole,
			  struct arena *a, struct panel *p);
/* vectors_path.c: the rows in the plane of their principal components; vectors_is_tangled returns whether
 * the steps of the path through them are long, beside its size, and often cross others. */
bool vectors_is_tangled(struct mat plane);
void vectors_path_panel(const struct shown_vectors *k, struct arena *a, struct panel *p);
/* Returns whether each row is the vector of a position. */
bool vectors_of_places(const struct shown_vectors *k);
/* Returns whether pairs of columns rotate. */
bool vectors_are_waves(const struct shown_vectors *k);
/* vectors_untrained.c: finds the rows that training never met, in the file of a model that was trained here;
 * returns [rows·cols] the cells that were trained, NULL: all; and a sentence, "" for none. */
void vectors_untrained(const struct view_data *d, struct arena *a, struct shown_vectors *k);
const uint8_t *vectors_trained_cells(const struct shown_vectors *k, size_t first, size_t rows,
				     struct arena *a);
const char *vectors_untrained_words(const struct shown_vectors *k, struct arena *a);
/* vectors_curves.c: panels; that of the curve shows wavelengths, columns of heads, or cosines by distance. */
void vectors_curve_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p);
void vectors_histogram_panel(const struct view_data *d, const struct shown_vectors *k,
			     struct arena *a, struct panel *p);
void vectors_norms_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p);
/* vectors_card.c */
void vectors_card_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p);
/* vectors_beside.c: the figures of several expressions below each other, and of one that has no
 * vectors. */
void vectors_beside(const struct view_data *d, struct arena *a, struct figure *out);
void vectors_without(const struct view_data *d, struct arena *a, struct figure *out);

/* vectors_rows.c: returns whether the rows are biases of heads by distance, numbers that are added to the logits. */
bool vectors_of_bias(const struct shown_vectors *k);

/* clocks_none.c: fills the figure of a scheme without clocks: why it has none, which schemes have
 * some, and what it does instead. `has`: the scheme has clocks, but not of what is shown; `elsewhere`: the
 * layer or head that has some, "layer 1", NULL: none is known. */
void clocks_none(const struct view_data *d, const char *why, bool has, const char *elsewhere,
		 struct arena *a, struct figure *out);
/* The schemes that are named there, by kind; ends with {0}. */
struct clocks_named {
	const char *kind, *ids;
};
extern const struct clocks_named clocks_named[];

#endif
