/* scheme.h: finding schemes, their claims, names defined by the user, and expressions. */
#ifndef POSVIZ_SCHEME_H
#define POSVIZ_SCHEME_H

#include "posviz/scheme/descriptor.h"

/* The registry: every scheme of every family in menu order. */
size_t scheme_count(void);
const struct scheme *scheme_at(size_t i);
/* Finds a scheme by id or alias, or a name defined by the user; NULL with a suggestion in err. */
const struct scheme *scheme_find(const char *name, size_t len, struct err *err);
/* Returns whether every word of `text` occurs in id, aliases, title, authors, year, topic or
 * reference. */
bool scheme_matches(const struct scheme *s, const char *text);

/* Returns the description of a leaf by its base name; NULL when there is no such leaf. */
const struct leaf_row *scheme_leaf(const struct scheme *s, const char *base);

/* Return the defaults of its parameters, and one of them by name. */
void *scheme_defaults(const struct scheme *s, struct arena *a);
const struct param *scheme_param(const struct scheme *s, const char *name, size_t len);

/* ---- claims --------------------------------------------------------------------------------- */

/* Returns the claim printed in the survey's Table 1, for CLAIM_COUNT whether a count is printed;
 * ANSWER_UNSAID if it is not in the table. */
enum answer scheme_printed(const struct scheme *s, enum claim_kind kind);
/* scheme_claim returns the row that decides with these parameters, NULL: the flags decide;
 * scheme_holds returns the answer. */
const struct claim *scheme_claim(const struct scheme *s, const void *param, enum claim_kind kind);
enum answer scheme_holds(const struct scheme *s, const void *param, enum claim_kind kind);
/* Return its formula, its description and its reference point with these parameters. */
const char *scheme_formula_of(const struct scheme *s, const void *param, struct arena *a);
const char *scheme_about_of(const struct scheme *s, const void *param);
enum reference scheme_reference(const struct scheme *s, const void *param);
/* Returns whether its mask restricts every query to the past; for a combination the flag
 * decides. */
bool scheme_is_causal(const struct scheme *s, const void *param);
bool scheme_reads_numbers(const struct scheme *s, const void *param);
bool scheme_reads_cells(const struct scheme *s, const void *param);
bool scheme_reads_segments(const struct scheme *s, const void *param);
bool scheme_rotates_alone(const struct scheme *s, const void *param); /* rotates_when */

/* Returns a clause for people: the properties of a structure's edges that a scheme does not use;
 * NULL: it uses all, or reads no structure. For a given structure (NULL: any) only properties
 * that occur in it count. */
struct structure;
const char *scheme_unseen(const struct scheme *s, const void *param, const struct structure *at);

/* Evaluates a line of its descriptor: a count as it is printed, "2(2 t_max - 1) d l", or a
 * condition, which is 1 or 0. It is a formula as in calc_parse_printed of d h h_k l t_max d_h d_v
 * d_f content (none of them if config is NULL) and the scheme's own numbers, switches (1 or 0) and
 * choices, whose words stand for their index. NAN if the value is not a finite number. */
double scheme_value(const struct scheme *s, const void *param, const struct model_config *config,
		    const char *text);

/* ---- names defined by the user --------------------------------------------------------------- */

/* Gives an expression a name, which can then be used like that of a scheme: the parser replaces
 * it by the members it stands for, so printed, stored or exported text does not contain it. The
 * expression is stored in canonical form; defining a name again changes its meaning.
 * Thread-safe. */
bool define_set(const char *name, const char *expression, struct err *err);
bool define_remove(const char *name, struct err *err);
/* Returns the names in the order of their first definition: NULL after the last. Each is a
 * scheme with SCHEME_YOURS whose `expression` is the meaning of the name; valid as long as the
 * process. */
const struct scheme *define_at(size_t i);
/* Returns how often the names or their meanings have changed. */
size_t define_changes(void);
const struct scheme *define_find(const char *name, size_t len);

/* ---- expressions --------------------------------------------------------------------------- */

/* The grammar of expressions: expression = member { "+" member } ; member = { weight "*" } name
 * [ "(" [ arg { "," arg } ] ")" ] ; weight = a number that multiplies the terms the member adds
 * to logits and values; several are multiplied. arg = name "=" value ; value = number, word,
 * list [1,2], quoted text, or text balanced in brackets. Every member also accepts pos=COLUMN,
 * layers= and heads= (1, [1,3], 2-4, odd, even, all; 1-3/4: 1 to 3 and again every 4: 5 to 7, 9
 * to 11 ...). A value BOOL is on|off. In a quoted text \" and \\ stand for " and \. A
 * combination accepts no arguments. */
struct expr_member {
	const struct scheme *scheme;
	void *param;			      /* scheme->param_size bytes */
	const char *pos;		      /* "seq" by default */
	struct subset layers, heads;	      /* all by default */
	const char *layers_text, *heads_text; /* as written, or NULL */
	double weight;			      /* 1 by default */
};

struct expr {
	struct expr_member members[MODEL_MAX_MEMBERS];
	size_t n;
};

/* Parses an expression; the error gives the column (from 1) and the nearest name. */
bool expr_parse(struct expr *e, const char *text, struct arena *a, struct err *err);
/* Returns the parsed expression, which is made once for all readers of a text and is not to be
 * changed; NULL, and the error is set: the text is wrong. It lives as long as the process, or, when
 * more texts were read than are kept, as long as `a`. Thread-safe. */
const struct expr *expr_of(const char *text, struct arena *a, struct err *err);
/* Returns a copy, with parameters of its own that may be changed; NULL of NULL. */
struct expr *expr_copy(const struct expr *e, struct arena *a);

/* Makes relative file names relative to this folder, given without a final slash; a name that
 * would become too long, or could not be parsed again, stays. Returns whether there was any. */
bool expr_files_from(struct expr *e, const char *folder, struct arena *a);
/* Returns the expression for a title, with file names without folders. */
const char *expr_brief(const char *expression, struct arena *a);

/* Returns the canonical text: defaults left out, members in order. */
const char *expr_print(const struct expr *e, struct arena *a);
const char *expr_print_member(const struct expr_member *m, struct arena *a);

/* Appends to the selected members the masks of `now` that are not among them: used when another
 * scheme is selected. */
void expr_keep_masks(struct expr *picked, const struct expr *now, struct arena *a);

/* Returns the members for the model: combinations expanded, doubled masks dropped, names made
 * unique. out[MODEL_MAX_MEMBERS]. Files are read into the parameters that name them. */
bool expr_members(struct expr *e, struct member *out, size_t *n, struct arena *a, struct err *err);

/* Returns the main member of the expression: the first that is not a mask, else the first. */
const struct expr_member *expr_main(const struct expr *e);
/* Returns whether a member masks keys after the query (a causal member, or a `causal` parameter
 * on). */
bool expr_is_causal(const struct expr *e);
/* Returns the greatest distance at which the first layer of this head - of any head if it is
 * config->heads - computes only values that occur within t_max positions; INFINITY: all
 * distances. */
double expr_reach(const struct expr *e, const struct model_config *config, size_t head,
		  struct arena *a);

/* Returns whether it can have a weight; if not the error names what it does besides adding to
 * the logits. */
bool expr_takes_weight(const struct expr_member *m, struct err *err);

/* Returns whether a member reads the numbers of this column, "seq" or "segment", of an input with or
 * without pictures. */
bool expr_reads(const struct expr *e, const char *column, bool pictures);

#endif
