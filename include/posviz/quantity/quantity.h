/* quantity.h: numbers of a scene that can be asked for by name, and what is expected of them:
 *
 *	weight 'dog'→'man' = 0.096
 *	rank bias head 2 <= 2
 *	shift-random of 2 = 0 ± 1e-6
 *
 * A quantity never depends on the view, its panes, colours or the cursor: it is read off what is looked at, which is
 * the setup, the head and the layer, and the terms that are left out of the sum. What does not apply has no value: an
 * expectation of it fails and says why. */
#ifndef POSVIZ_QUANTITY_H
#define POSVIZ_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/watch.h"
#include "posviz/scene/scene.h"

/* The closed list. T and S are places from 1, or tokens: 'dog', 'the'#2. */
struct quantity_kind;
struct quantity_row {
	const char *name, *args, *help; /* "strongest", "M T", a sentence without a full stop */
};
size_t quantity_count(void);
struct quantity_row quantity_row(size_t i);

/* ---- reading ------------------------------------------------------------------------------------ */

struct quantity_place {
	const char *word; /* escaped, as labels are; NULL: a place */
	long number;	  /* from 1: the place, or which of several such words; 0: the only one */
};

/* The place, or the cell T→S, that *text begins with; *text moves behind it. */
bool quantity_place_parse(const char **text, struct arena *a, struct quantity_place *out,
			  struct err *err);
bool quantity_cell_parse(const char **text, struct arena *a, struct quantity_place *t,
			 struct quantity_place *s, struct err *err);
/* The same of a whole number of at least `least`, where a minus may be −. */
bool quantity_whole_parse(const char **text, struct arena *a, long least, long *out,
			  struct err *err);
/* The unit of the axis that a place stands for, from 0. `what`: "query", "key". */
bool quantity_place_find(const struct quantity_place *p, const struct axis *axis, const char *what,
			 size_t *unit, struct arena *a, struct err *err);

/* One of the list with its arguments. Texts live in the arena that it was read into. */
struct quantity {
	const struct quantity_kind *kind;
	const struct quantity_kind *matrix; /* of "rank M" and the like; NULL: it takes none */
	const char *label;		    /* of a term */
	struct quantity_place t, s;
	long number; /* a dimension, a distance, the number of an eigenvector */
	const char *table, *row, *column;
	long first, second; /* of a pair of expressions, from 1 */
	long head, layer,
		of; /* as written behind it, from 1; 0: those of the scene, and expression 1 */
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
	const char *text; /* as written, without blanks around it */
	struct quantity quantity;
	enum expect_op op;
	enum quantity_kind_of_value is; /* of the value; ABSENT: it is another quantity */
	double number;
	struct quantity_place place;
	const char *word;
	struct quantity other;
	double tolerance; /* that numbers are met to; see expect_parse */
	int decimals;	  /* that the number was written with */
};

/* "QUANTITY", to the end of the text. The error names what is wrong, and has a suggestion. */
bool quantity_parse(const char *text, struct arena *a, struct quantity *out, struct err *err);

/* "QUANTITY OP VALUE [± TOL]": = != < <= > >=; VALUE a number, a token or place, a word, or another quantity.
 * Numbers: one with decimals is met to half a unit of its last place by = and !=, all else to 1e-9; ± TOL
 * replaces that. Percents without decimals, but for 0, are met to half a percent, as the view Terms prints them.
 * → is -> too, − is -, ± is +-, and – in a label is --. */
bool expect_parse(const char *text, struct arena *a, struct expect *out, struct err *err);

/* "OP NUMBER [± TOL]" by the same rules, of a number that is no quantity of a scene; and whether it holds. */
bool expect_parse_number(const char *text, struct arena *a, struct expect *out, struct err *err);
bool expect_meets(const struct expect *e, double is, double wanted);

/* ---- evaluating --------------------------------------------------------------------------------- */

/* A scene whose quantities are asked for. What one took to find is kept for the next. */
struct quantities;
/* `cache` and `watch` may be NULL and must live as long; the scene is copied. */
struct quantities *quantities_new(const struct scene *scene, struct cache *cache,
				  struct watch *watch);
void quantities_free(struct quantities *q);

struct quantity_value {
	enum quantity_kind_of_value is;
	double number;
	size_t place;	  /* of a key, from 0 */
	const char *text; /* the place as people write it, the word, or why there is no value */
};

/* False when it cannot be asked: no such token, head or expression; when the scene cannot be computed; when it was
 * cancelled. */
bool quantity_find(struct quantities *q, const struct quantity *of, struct arena *a,
		   struct quantity_value *out, struct err *err);
/* A value for people: at least three digits, and whole numbers whole. */
const char *quantity_show(const struct quantity_value *value, struct arena *a);

struct expect_result {
	bool holds;
	struct quantity_value found;
	const char *
		is; /* the value as it is printed: with as many digits as tell it from what was expected */
	const char *line; /* "expect order = 0: it is 0.18", "expect order = 0: holds" */
};

/* False as quantity_find. */
bool expect_find(struct quantities *q, const struct expect *e, struct arena *a,
		 struct expect_result *out, struct err *err);

#endif
