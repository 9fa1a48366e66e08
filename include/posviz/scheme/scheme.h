/* scheme.h: a position scheme as a descriptor in a table.
 *
 * A new scheme is a row, or a file of rows (a family) and one line in scheme_list.h. Menu,
 * completion, parameter panel, Table 1, man page and the registry-wide tests are made from the
 * descriptors. */
#ifndef POSVIZ_SCHEME_H
#define POSVIZ_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/model/model.h"
#include "posviz/scheme/param.h"

/* In these enums and in the rows of the table, 0 is the value that most schemes have and need
 * not give. */
enum topic {
	TOPIC_SEQUENCE,
	TOPIC_TREE,
	TOPIC_GRAPH,
	TOPIC_DECODER,
	TOPIC_CROSS,
	TOPIC_ANALYSIS,
	TOPIC_COUNT
};
/* The topic of the paper in the survey's Table 2. */
enum table2 {
	TABLE2_NONE, /* not in the table */
	TABLE2_GENERIC,
	TABLE2_SINUSOIDAL,
	TABLE2_GRAPHS,
	TABLE2_DECODER,
	TABLE2_CROSSLINGUAL,
	TABLE2_ANALYSIS,
	TABLE2_COUNT
};
enum reference { REF_NONE, REF_ABSOLUTE, REF_RELATIVE, REF_BOTH, REF_COUNT };
enum injection { INJ_NONE, INJ_EMBEDDING, INJ_MATRIX, INJ_BOTH, INJ_OTHER, INJ_COUNT };
enum rows { ROWS_STOCHASTIC, ROWS_SUB_STOCHASTIC, ROWS_NEITHER, ROWS_COUNT };
enum evidence { EVIDENCE_CODE, EVIDENCE_PORT, EVIDENCE_PAPER, EVIDENCE_OURS, EVIDENCE_COUNT };

extern const char *const topic_names[TOPIC_COUNT];
extern const char *const table2_names[TABLE2_COUNT]; /* "" for TABLE2_NONE */
extern const char *const reference_names[REF_COUNT];
extern const char *const injection_names[INJ_COUNT];
extern const char *const rows_names[ROWS_COUNT];
extern const char *const evidence_names[EVIDENCE_COUNT];

enum scheme_flag {
	SCHEME_LEARNABLE = 1 << 0, /* the first flags are those printed in the survey's Table 1 */
	SCHEME_RECURRING = 1 << 1,
	SCHEME_UNBOUNDED = 1 << 2,
	SCHEME_CAUSAL = 1 << 3, /* brings a causal mask (by default) */
	SCHEME_MASK = 1 << 4,	/* only masks: kept when another scheme is selected */
	SCHEME_NEEDS_TREE = 1 << 5,
	SCHEME_NEEDS_GRAPH = 1 << 6,
	SCHEME_NOT_IN_SURVEY = 1 << 7, /* not in Table 1: the flags above are ours */
	SCHEME_MODEL = 1 << 8,	       /* a model of that name, composed of schemes */
	SCHEME_YOURS = 1 << 9,	       /* made by the user: its behaviour follows from the text */
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

/* A claim about this implementation, if it differs from the flags or needs a reason. The first
 * row of a kind whose condition holds decides; if none does, the flags. CLAIM_COUNT: the number
 * of parameters equals the printed one. */
struct claim {
	enum claim_kind kind;
	enum answer holds; /* ANSWER_UNSAID: it depends, and the descriptor cannot tell */
	const char *why;   /* a sentence for people */
	const char
		/* A condition as in scheme_value, without sizes: "table == sinusoidal"; NULL:
		 * always. */
		*when;
};

/* The description of a learned leaf, for users who give their own; and the data from which
 * leaves_declare makes it. */
struct leaf_row {
	const char *base; /* as in model_leaf; a star stands for any text */
	const char
		*shape; /* rows, comma, columns: each as in scheme_value; NULL: set by the code */
	const char *meaning;
	bool spare; /* a file may omit it beside the others: it is 0 then */
	/* Conditions, as in scheme_value. by_layer: each layer has its own; NULL: a function
	 * declares it. when: the leaf exists; NULL: always. */
	const char *by_layer, *when;
	/* Declares this leaf and those of the following rows that belong to the same network;
	 * NULL: declared by the hook `declare`, or by an earlier row. */
	bool (*declare)(struct model *model, const struct member *m, struct err *err);
	struct leaf_init demo, paper;
	const char *
		taps; /* as in leaf_init, an expression as in scheme_value; NULL: it is no kernel */
};

struct scheme {
	const char *id, *aliases; /* aliases: separated by blanks, or NULL */
	const char *title;	  /* "Rotary position embedding" */
	/* A line of UTF-8 in the survey's notation; _x ^x are sub- and superscripts. */
	const char *formula;
	const char *authors; /* "Su et al." */
	const char *
		cite; /* the papers it comes from, as paper_expand reads them: scheme_cite, scheme_bibtex */
	const char *about; /* one or two sentences for a reader of the field: what it does */
	int year;
	enum topic topic;
	enum table2 table2;
	enum reference ref;
	enum injection inj;
	enum rows rows;
	unsigned flags;
	enum evidence evidence;
	const char *evidence_note; /* the source of its details: a code or equations */
	/* A clause for dumps: the change to the default recipe of logits, weights or context;
	 * NULL: none. */
	const char *recipe;
	const char *demo_note;	   /* the rule of init=demo, or NULL when nothing is learned */
	const char *count_printed; /* survey Table 1: "(2 t_max - 1) h"; NULL: not in the table */
	/* Its parameters in the table of all schemes, if the default is for less than the
	 * printed one: "length=0"; or NULL. */
	const char *count_at;
	const struct leaf_row
		*leaves; /* one for each leaf it declares; ends with base == NULL; or NULL */
	const struct claim *claims; /* ends with why == NULL; or NULL */
	/* The condition under which no query sees a later key, as in struct claim; NULL: the
	 * switch `causal` is on, or if there is none the flag. */
	const char *causal_when;
	/* numbers_when: the condition, as in struct claim, under which it reads positions as
	 * numbers, and not only their order or a structure; NULL: always. segments_when: the
	 * condition under which it reads the column segment, whatever pos= names; NULL: never. */
	const char *numbers_when, *segments_when;
	/* For schemes that read only structures: the conditions under which it distinguishes the
	 * direction of edges, and their labels; NULL: never. */
	const char *directions_when, *labels_when;
	/* The largest rank d_p of the terms it adds to the logits, without segments, as a
	 * formula of its parameters and sizes; NULL: not known. */
	const char *added_rank;
	/* The input on which its behaviour is measured, as lines of a scene ("reorder 2 1 3"),
	 * if it has no effect on a plain sentence; a sentence has at most 24 words. NULL: a
	 * plain sentence. */
	const char *sample;
	const struct param *params; /* ends with name == NULL; or NULL */
	size_t param_size;
	struct hooks hooks;
	bool (*check)(const void *param,
		      struct err *err); /* checks parameters that must fit together */
	/* Reads the file that a parameter names and stores it in `param`; sets the hooks of the
	 * member, and the number of tokens and labels of the file. Called by expr_members. NULL:
	 * there is no file. */
	bool (*load)(void *param, struct arena *a, struct member *out, struct err *err);
	/* Called after load for a member with a square matrix of pairs whose keys are other
	 * tokens than its queries, so that it is only viewed (hooks.look_at). NULL: not possible
	 * for this scheme. */
	bool (*other_keys)(void *param, struct member *out, struct err *err);
	/* Returns the greatest distance, for a model trained on t_max positions, at which the
	 * scheme computes only values that occurred in training; INFINITY if this holds for all.
	 * NULL: t_max - 1, also for schemes whose values grow without bound; a combination has
	 * the least of its members. */
	double (*reach)(const void *param, const struct model_config *config);
	/* Functions for descriptor texts that depend on parameters: the formula, `about`, a
	 * definition of one of its symbols, "b(t, s) = −log(1 + |s − t|)", or NULL, and the
	 * reference point. NULL: the fields above hold, and there is no definition. */
	const char *(*formula_of)(const void *param, struct arena *a);
	const char *(*about_of)(const void *param);
	const char *(*defines)(const void *param, struct arena *a);
	enum reference (*reference_of)(const void *param);
	const char *expression; /* the meaning of a named combination, whose hooks are empty */
};

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
bool scheme_reads_segments(const struct scheme *s, const void *param);

/* Returns a clause for people: the properties of a structure's edges that a scheme does not use;
 * NULL: it uses all, or reads no structure. For a given structure (NULL: any) only properties
 * that occur in it count. */
struct structure;
const char *scheme_unseen(const struct scheme *s, const void *param, const struct structure *at);

/* Evaluates a line of its descriptor: a count as it is printed, "2(2 t_max - 1) d l", or a
 * condition, which is 1 or 0. It is a formula as in calc_parse_printed of d h l t_max d_h d_f
 * content (none of them if config is NULL) and the scheme's own numbers, switches (1 or 0) and
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
 * unique. out[MODEL_MAX_MEMBERS]. */
bool expr_members(const struct expr *e, struct member *out, size_t *n, struct arena *a,
		  struct err *err);

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

/* Returns whether a member reads the numbers of this column, "seq" or "segment". */
bool expr_reads(const struct expr *e, const char *column);

#endif
