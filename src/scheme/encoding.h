/* encoding.h: relative position encodings (survey, section 4): the number for a query and a key,
 * before anything is learned for it.
 *
 * A scheme gives its rule once. The row of a table that a pair reads, and the relation that is
 * shown, with its words, both follow from it. */
#ifndef SCHEME_ENCODING_H
#define SCHEME_ENCODING_H

#include "posviz/model/stage.h"
#include "scheme/bucket.h"

struct encoding {
	/* "bucket(s − t)"; identifies the index among those of a member. NULL: "clip(s − t,
	 * ±8)". */
	const char *title;
	/* Returns the number of delta, key minus query position. Distances with the same number
	 * must be consecutive. */
	long (*number)(const struct encoding *e, long delta);
	/* Range of the numbers that a table has rows for, or that this input reaches. */
	long least, most;
	bool bounded; /* distances must be below t_max: farther ones are an error that names it */
	/* The remedy in that case, besides raising t-max: "set clip"; NULL: another input. */
	const char *remedy;
	bool reached;	  /* rows beyond the input's farthest distances are left out */
	const char *note; /* for the relation; or NULL */
	bool ts, apart;	  /* the number is of t - s; of |s - t| */
	bool any;    /* positions need not be whole numbers: a row for each distance that occurs */
	long radius; /* for the rules below */
	struct bucket_rule bucket;
	const void *context; /* for a family's own rule */

	/* For rules that are not of distances: `index` returns the row that each pair reads, or
	 * -1, kept for the whole run; `relation` describes it for the view, NULL: not shown. */
	const struct index *(*index)(struct run *run, const struct member *m,
				     const struct encoding *e, struct err *err);
	bool (*relation)(struct run *run, const struct member *m, const struct encoding *e,
			 struct relation *out, struct err *err);
	/* The index depends on the structure and m's column, and is kept between runs. */
	bool of_structure;
};

/* The rules s - t, or t - s with `ts`, of distances up to `most`; |s - t|; clip(s - t, -r, r),
 * or of t - s; buckets. */
struct encoding encoding_signed(bool ts, long most);
struct encoding encoding_apart(long most);
struct encoding encoding_clipped(bool ts, long radius);
struct encoding encoding_buckets(struct bucket_rule rule);
/* The rule t - s from 0 to rows - 1; farther keys, and those after the query, have no number. */
struct encoding encoding_past(long rows);
/* The rule s - t, or |s - t|, of arbitrary positions. */
struct encoding encoding_any(bool absolute);
/* The rule S(t) count + S(s), of segments below `count`. */
struct encoding encoding_segments(long count);

/* Returns the number of rows. */
size_t encoding_rows(const struct encoding *e);

/* An encoding in a run. */
struct encoded {
	const struct index *index; /* [n,n] → 0..rows-1 */
	size_t first, rows;	   /* the rows of the table that these are */
	struct mat at;		   /* [rows,1] for encoding_any: the distance of each row */
};
bool encoding_read(struct run *run, const struct member *m, const struct encoding *e,
		   struct encoded *out, struct err *err);

/* Returns index[t][s] = number - least, of m's column, kept for the whole run. Positions must be
 * whole numbers. NULL on error. */
const struct index *encoding_index(struct run *run, const struct member *m,
				   const struct encoding *e, struct err *err);

/* Make the relation of these numbers, or of an index of them in which some pairs have another
 * row, or -1: none. For encoding_any there is none unless positions are whole numbers. */
bool encoding_relation(struct run *run, const struct member *m, const struct encoding *e,
		       struct relation *out, struct err *err);
bool encoding_relation_of(struct run *run, const struct member *m, const struct encoding *e,
			  const struct index *index, struct relation *out, struct err *err);
/* Returns the words of that relation, for a scheme that adds others. */
const char *encoding_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a);

/* The relations of encoding_any, for hooks.relation: s - t, and |s - t|. */
bool encoding_relate_signed(struct run *run, const struct member *m, struct relation *out,
			    struct err *err);
bool encoding_relate_apart(struct run *run, const struct member *m, struct relation *out,
			   struct err *err);

#endif
