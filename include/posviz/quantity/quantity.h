/* quantity.h: numbers of a scene that can be asked for by name, and expectations about them:
 *
 * 	weight 'dog'→'man' = 0.096
 * 	rank bias head 2 <= 2
 * 	shift-random of 2 = 0 ± 1e-6
 *
 * A quantity never depends on the view, its panes, colours or the cursor. It depends only on the
 * setup, the head and the layer, the terms that are left out of the sum, the windows of a profile, and the
 * task, steps, layers and seed of a training. A quantity that
 * does not apply has no value: an expectation of it fails with the reason. */
#ifndef POSVIZ_QUANTITY_H
#define POSVIZ_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* The complete list of quantities. The arguments T and S are positions from 1, or tokens: 'dog',
 * 'the'#2. */
struct quantity_kind;
struct quantity_row {
	const char *name, *args, *help; /* "strongest", "M T", a sentence without a full stop */
};
size_t quantity_count(void);
struct quantity_row quantity_row(size_t i);

/* ---- parsing
 * ------------------------------------------------------------------------------------ */

struct quantity_place {
	const char *word; /* escaped, as labels are; NULL: a position */
	/* From 1: the position, or the number of the occurrence; 0: the only occurrence. */
	long number;
};

/* Parse the position, or the cell T→S, at the beginning of *text; *text moves to its end. */
bool quantity_place_parse(const char **text, struct arena *a, struct quantity_place *out,
			  struct err *err);
bool quantity_cell_parse(const char **text, struct arena *a, struct quantity_place *t,
			 struct quantity_place *s, struct err *err);
/* Parses a whole number of at least `least` in the same way; its sign may be − or -. */
bool quantity_whole_parse(const char **text, struct arena *a, long least, long *out,
			  struct err *err);
/* Finds the index in the axis, from 0, of a position or token. `what`: "query", "key". */
bool quantity_place_find(const struct quantity_place *p, const struct axis *axis, const char *what,
			 size_t *unit, struct arena *a, struct err *err);

/* A quantity with its arguments. Its texts live in the arena that was passed to the parser. */
struct quantity {
	const struct quantity_kind *kind;
	const struct quantity_kind *matrix; /* for "rank M" and the like; NULL: it has no matrix */
	const char *label;		    /* of a term */
	struct quantity_place t, s;
	long number; /* a dimension, a distance, the number of an eigenvector */
	const char *table, *row, *column;
	long first, second; /* of a pair of expressions, from 1 */
	long head, layer,
		of;	  /* as written after it, from 1; 0: those of the scene, and expression 1 */
	const char *text; /* as written */
};

enum expect_op {
	EXPECT_EQUAL,
	EXPECT_DIFFERENT,
	EXPECT_LESS,
	EXPECT_AT_MOST,
	EXPECT_MORE,
	EXPECT_AT_LEAST,
	EXPECT_OPS
};

enum quantity_kind_of_value {
	QUANTITY_NUMBER,
	QUANTITY_PLACE, /* a key */
	QUANTITY_WORD,
	QUANTITY_ABSENT /* not applicable */
};

struct expect {
	const char *text; /* as written, without surrounding blanks */
	struct quantity quantity;
	enum expect_op op;
	enum quantity_kind_of_value
		is; /* the kind of value; ABSENT: the value is another quantity */
	double number;
	struct quantity_place place;
	const char *word;
	struct quantity other;
	double tolerance; /* of numbers; see expect_parse */
	int decimals;	  /* number of decimals as written */
};

/* Parses a quantity that extends to the end of the text. The error says what is wrong, with a
 * suggestion. */
bool quantity_parse(const char *text, struct arena *a, struct quantity *out, struct err *err);

/* Parses "QUANTITY OP VALUE [± TOL]": OP is = != < <= > >=; VALUE a number, a token or position,
 * a word, or another quantity. For = and != a number with decimals has a tolerance of half a
 * unit of its last place, everything else 1e-9; ± TOL replaces that. Percents without decimals,
 * except 0, have a tolerance of half a percent, as the view Terms prints them. → may be written
 * ->, − as -, ± as +-, and – in a label as --. */
bool expect_parse(const char *text, struct arena *a, struct expect *out, struct err *err);

/* expect_parse_number parses "OP NUMBER [± TOL]" by the same rules, for a number that is no
 * quantity of a scene; expect_meets returns whether it holds. */
bool expect_parse_number(const char *text, struct arena *a, struct expect *out, struct err *err);
bool expect_meets(const struct expect *e, double is, double wanted);

/* ---- evaluation
 * -------------------------------------------------------------------------------- */

/* A scene with the results computed for its quantities so far. */
struct quantities;
/* `cache` and `watch` may be NULL and must outlive the result; the scene is copied. */
struct quantities *quantities_new(const struct scene *scene, struct cache *cache,
				  struct watch *watch);
void quantities_free(struct quantities *q);
/* Returns whether the quantities of two scenes are the same: they never depend on the view. */
bool quantities_same(const struct scene *a, const struct scene *b);

struct quantity_value {
	enum quantity_kind_of_value is;
	double number;
	size_t place; /* of a key, index from 0 */
	/* The position or token as people write it, the word, or the reason why there is no
	 * value. */
	const char *text;
};

/* Computes the value of a quantity. False if there is no such token, head or expression, if the
 * scene cannot be computed, or when cancelled. */
bool quantity_find(struct quantities *q, const struct quantity *of, struct arena *a,
		   struct quantity_value *out, struct err *err);

struct expect_result {
	bool holds;
	struct quantity_value found;
	const char *
		/* The printed value: with as many digits as distinguish it from the expected
		 * one. */
		is;
	const char *line; /* "expect order = 0: it is 0.18", "expect order = 0: holds" */
};

/* Tests an expectation. False as for quantity_find. */
bool expect_find(struct quantities *q, const struct expect *e, struct arena *a,
		 struct expect_result *out, struct err *err);

#endif
