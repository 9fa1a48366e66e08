/* scheme.h: what a position scheme is: a descriptor in a table.
 *
 * A new scheme is a row, or a file of rows (a family) and one line in scheme_list.h. Menu,
 * completion, parameter panel, Table 1, man page and the registry-wide tests follow from here. */
#ifndef POSVIZ_SCHEME_H
#define POSVIZ_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/arena.h"
#include "posviz/err.h"
#include "posviz/model.h"

enum topic {
	TOPIC_SEQUENCE,
	TOPIC_TREE,
	TOPIC_GRAPH,
	TOPIC_DECODER,
	TOPIC_CROSS,
	TOPIC_ANALYSIS,
	TOPIC_COUNT
};
enum reference { REF_NONE, REF_ABSOLUTE, REF_RELATIVE, REF_BOTH, REF_COUNT };
enum injection { INJ_NONE, INJ_EMBEDDING, INJ_MATRIX, INJ_BOTH, INJ_OTHER, INJ_COUNT };
enum rows { ROWS_STOCHASTIC, ROWS_SUB_STOCHASTIC, ROWS_NEITHER, ROWS_COUNT };
enum evidence { EVIDENCE_CODE, EVIDENCE_PORT, EVIDENCE_PAPER, EVIDENCE_OURS, EVIDENCE_COUNT };

extern const char *const topic_names[TOPIC_COUNT];
extern const char *const reference_names[REF_COUNT];
extern const char *const injection_names[INJ_COUNT];
extern const char *const rows_names[ROWS_COUNT];
extern const char *const evidence_names[EVIDENCE_COUNT];

enum scheme_flag {
	SCHEME_LEARNABLE = 1 << 0, /* as printed in the survey's Table 1 */
	SCHEME_RECURRING = 1 << 1,
	SCHEME_UNBOUNDED = 1 << 2,
	SCHEME_CAUSAL = 1 << 3, /* brings a causal mask (by default) */
	SCHEME_MASK = 1 << 4,	/* nothing but a mask: kept when another scheme is picked */
	SCHEME_NEEDS_TREE = 1 << 5,
	SCHEME_NEEDS_GRAPH = 1 << 6,
	SCHEME_NOT_IN_SURVEY = 1 << 7, /* no row in Table 1: the flags above are ours */
};

enum claim_kind {
	CLAIM_RELATIVE,
	CLAIM_UNBOUNDED,
	CLAIM_LEARNABLE,
	CLAIM_RECURRING,
	CLAIM_COUNT,
	CLAIM_KINDS
};
enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNSAID };

/* What is printed and what holds here. A kind without a row: printed as the flags say, and holds. */
struct claim {
	enum claim_kind kind;
	enum answer printed, holds;
	const char *why; /* where they differ, the reason */
};

enum param_kind { PARAM_INT, PARAM_REAL, PARAM_BOOL, PARAM_CHOICE, PARAM_LIST, PARAM_TEXT };
enum { PARAM_LIST_MAX = 64, PARAM_TEXT_MAX = 256 };

struct param_list {
	size_t n;
	double at[PARAM_LIST_MAX];
};

/* One parameter: stored at `offset` of the scheme's struct as long, double, bool, int (index into
 * choices), struct param_list, or char[PARAM_TEXT_MAX]. */
struct param {
	const char *name, *help;
	enum param_kind kind;
	size_t offset;
	double def, min, max, step; /* INT and REAL; for CHOICE and BOOL `def` is the index */
	const char *def_text;	    /* LIST and TEXT */
	const char *const *choices; /* ends with NULL */
	bool geometric;		    /* + and - multiply by step */
};

struct scheme {
	const char *id, *aliases; /* aliases: parted by blanks, or NULL */
	const char *title;	  /* "Rotary position embedding" */
	const char *authors;	  /* "Su et al." */
	const char *cite;	  /* one line: authors, title, venue */
	const char *
		formula; /* one line of UTF-8 in the survey's notation; _x ^x are sub- and superscripts */
	const char *about; /* one or two sentences: what it does, for a reader of the field */
	int year;
	enum topic topic;
	enum reference ref;
	enum injection inj;
	enum rows rows;
	unsigned flags;
	enum evidence evidence;
	const char *evidence_note; /* whose code or which equations */
	const char *recipe; /* one clause for dumps: what replaces or follows the default recipe of
	                            * logits, weights or context; NULL: nothing does */
	const char *demo_note;	    /* the rule of init=demo, or NULL when nothing is learned */
	const char *count_printed;  /* survey Table 1: "(2 t_max - 1) h"; NULL: no row */
	const char *count_made;	    /* the leaves as made here, the same grammar; NULL: none */
	const struct claim *claims; /* ends with why == NULL and kind == CLAIM_KINDS; or NULL */
	const struct param *params; /* ends with name == NULL; or NULL */
	size_t param_size;
	struct hooks hooks;
	bool (*check)(const void *param, struct err *err); /* parameters that must fit together */
	const char *expression; /* a named combination: what it stands for; hooks are empty */
};

/* The registry: every scheme of every family in menu order. */
size_t scheme_count(void);
const struct scheme *scheme_at(size_t i);
/* By id or alias; NULL with a suggestion in err. */
const struct scheme *scheme_find(const char *name, size_t len, struct err *err);
/* True when every word of `text` occurs in id, aliases, title, authors, year, topic or reference. */
bool scheme_matches(const struct scheme *s, const char *text);

/* Parameters of a scheme: defaults, one by name, print. `value` is text as in an expression. */
void *scheme_defaults(const struct scheme *s, struct arena *a);
const struct param *scheme_param(const struct scheme *s, const char *name, size_t len);
bool param_set(const struct param *p, void *params, const char *value, size_t len, struct err *err);
const char *param_print(const struct param *p, const void *params, struct arena *a);
bool param_is_default(const struct param *p, const void *params);
/* The next value in direction +1 or -1 by the parameter's step, clamped; false when there is none. */
bool param_step(const struct param *p, void *params, int direction);

/* ---- expressions --------------------------------------------------------------------------- */

/* expression = member { "+" member } ; member = name [ "(" [ arg { "," arg } ] ")" ] ;
 * arg = name "=" value ; value = number, word, list [1,2], quoted text, or text balanced in
 * brackets. Every member also takes pos=COLUMN, layers= and heads= (1, [1,3], 2-4, odd, even, all).
 * A value BOOL is on|off. In a quoted text \" and \\ stand for " and \. A combination takes no
 * arguments. */
struct expr_member {
	const struct scheme *scheme;
	void *param;			      /* scheme->param_size bytes */
	const char *pos;		      /* "seq" by default */
	uint64_t layers, heads;		      /* all ones by default */
	const char *layers_text, *heads_text; /* as written, or NULL */
};

struct expr {
	struct expr_member members[MODEL_MAX_MEMBERS];
	size_t n;
};

/* Reads an expression; the error gives the column (from 1) and the nearest name. */
bool expr_parse(struct expr *e, const char *text, struct arena *a, struct err *err);

/* The canonical text: defaults left out, members in order. */
const char *expr_print(const struct expr *e, struct arena *a);
const char *expr_print_member(const struct expr_member *m, struct arena *a);

/* The members as the model wants them: combinations expanded, doubled masks dropped, names made
 * unique. out[MODEL_MAX_MEMBERS]. */
bool expr_members(const struct expr *e, struct member *out, size_t *n, struct arena *a,
		  struct err *err);

/* The member that the expression is about: the first that is not a mask, else the first. */
const struct expr_member *expr_main(const struct expr *e);
/* True when a member forbids keys after the query (a causal member, or a `causal` parameter on). */
bool expr_is_causal(const struct expr *e);

/* A count such as "2(2 t_max - 1) d l": numbers, names, + - * / ^ ( ) and juxtaposition. Names: d h
 * l t_max d_h and the scheme's own numbers, switches (1 or 0) and choices (their index). n is the
 * survey's size of the vocabulary: an error that says so unless the scheme has a parameter n. */
bool count_eval(const char *text, const struct model_config *config, const struct scheme *s,
		const void *param, double *out, struct err *err);

#endif
