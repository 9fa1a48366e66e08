/* encoding.h: position encodings of pairs (survey, section 4): which number stands between a query and a
 * key, before anything is learned for it.
 *
 * A scheme says its rule once. The row of a table that a pair reads, and the relation that is shown,
 * with its words, both follow from it. */
#ifndef SCHEME_ENCODING_H
#define SCHEME_ENCODING_H

#include "posviz/model/stage.h"
#include "scheme/bucket.h"

struct encoding {
	/* "bucket(s − t)"; the indices of a member are told apart by it. NULL: "clip(s − t, ±8)". */
	const char *title;
	/* The number of delta, key minus query position. It may change only from one distance to the next:
	 * what has one number lies side by side. */
	long (*number)(const struct encoding *e, long delta);
	long least, most;   /* numbers that a table has a row for, or that this input reaches */
	bool bounded;	    /* of distances below t_max: farther ones are an error that names it */
	const char *remedy; /* then, beside raising t-max: "set clip"; NULL: another input */
	bool reached;	    /* rows beyond those of the input's farthest distances are left out */
	const char *note;   /* for the relation; or NULL */
	bool ts, apart;	    /* it is a number of t - s; of |s - t| */
	bool any;    /* of positions that need not be whole: a row for each distance there is */
	long radius; /* what the rules below read */
	struct bucket_rule bucket;
	const void *context; /* what a family's own reads */

	/* Not of distances: which row a pair reads, or -1, kept for the whole run; and how it is shown,
	 * NULL: not at all. */
	const struct index *(*index)(struct run *run, const struct member *m,
				     const struct encoding *e, struct err *err);
	bool (*relation)(struct run *run, const struct member *m, const struct encoding *e,
			 struct relation *out, struct err *err);
	bool of_structure; /* that index is of the structure and m's column, and kept between runs */
};

/* s - t, or t - s with `ts`, of distances up to `most`; |s - t|; clip(s - t, -r, r), or of t - s. */
struct encoding encoding_signed(bool ts, long most);
struct encoding encoding_apart(long most);
struct encoding encoding_clipped(bool ts, long radius);
struct encoding encoding_buckets(struct bucket_rule rule);
/* t - s from 0 to rows - 1; what is farther, or behind the query, has none. */
struct encoding encoding_past(long rows);
/* s - t, or |s - t|, of any positions. */
struct encoding encoding_any(bool absolute);
/* S(t) count + S(s), of segments below `count`. */
struct encoding encoding_segments(long count);

/* How many rows the numbers are. */
size_t encoding_rows(const struct encoding *e);

/* An encoding in a run. */
struct encoded {
	const struct index *index; /* [n,n] → 0..rows-1 */
	size_t first, rows;	   /* which rows of the table these are */
	struct mat at;		   /* [rows,1] of encoding_any: the distance of each row */
};
bool encoding_read(struct run *run, const struct member *m, const struct encoding *e,
		   struct encoded *out, struct err *err);

/* index[t][s] = number - least, of m's column, kept for the whole run. Positions must be whole numbers.
 * NULL on error. */
const struct index *encoding_index(struct run *run, const struct member *m,
				   const struct encoding *e, struct err *err);

/* The relation of these numbers; or of an index of them in which some pairs have another row, or -1:
 * none. Of encoding_any there is none between whole numbers. */
bool encoding_relation(struct run *run, const struct member *m, const struct encoding *e,
		       struct relation *out, struct err *err);
bool encoding_relation_of(struct run *run, const struct member *m, const struct encoding *e,
			  const struct index *index, struct relation *out, struct err *err);
/* The words of that relation, for a scheme that has some more. */
const char *encoding_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a);

/* For hooks.relation: encoding_any's s - t, and |s - t|. */
bool encoding_relate_signed(struct run *run, const struct member *m, struct relation *out,
			    struct err *err);
bool encoding_relate_apart(struct run *run, const struct member *m, struct relation *out,
			   struct err *err);

#endif
