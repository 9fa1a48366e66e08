/* scheme.h: what a position scheme is: a descriptor in a table.
 *
 * A new scheme is a row, or a file of rows (a family) and one line in scheme_list.h. Menu,
 * completion, parameter panel, Table 1, man page and the registry-wide tests follow from here. */
#ifndef POSVIZ_SCHEME_H
#define POSVIZ_SCHEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/model/model.h"
#include "posviz/scheme/param.h"

/* Of these and of the rows, 0 is what most schemes have and need not say. */
enum topic {
	TOPIC_SEQUENCE,
	TOPIC_TREE,
	TOPIC_GRAPH,
	TOPIC_DECODER,
	TOPIC_CROSS,
	TOPIC_ANALYSIS,
	TOPIC_COUNT
};
/* What the survey's Table 2 calls the topic of the paper. */
enum table2 {
	TABLE2_NONE, /* it has no row */
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
extern const char *const table2_names[TABLE2_COUNT]; /* "" of TABLE2_NONE */
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
	SCHEME_MODEL = 1 << 8,	       /* a model of that name, made of schemes */
	SCHEME_YOURS = 1 << 9, /* made by the user: what it does follows from what was typed */
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

/* What holds here, where that is not what the flags say, or only with a reason. The first row of a kind
 * whose condition holds decides; where none does, the flags. CLAIM_COUNT: as many numbers are made as are
 * printed. */
struct claim {
	enum claim_kind kind;
	enum answer holds; /* ANSWER_UNSAID: it depends, and nobody can say on what */
	const char *why;   /* a sentence for people */
	const char
		*when; /* as in scheme_value, without sizes: "table == sinusoidal"; NULL: always */
};

/* What a learned leaf is, for whoever brings their own; and what leaves_declare makes it by. */
struct leaf_row {
	const char *base;  /* as in model_leaf; a star is any text */
	const char *shape; /* rows, comma, columns: each as in scheme_value; NULL: as it is made */
	const char *meaning;
	bool spare; /* a file may lack it beside the others: it is 0 then */
	/* Conditions, as in scheme_value: each layer has its own; NULL: a function declares it. And there
	 * is one; NULL: always. */
	const char *by_layer, *when;
	/* Declares this one and those in the rows behind it that are a network's; NULL: `declare` of the
	 * hooks does, or a row before. */
	bool (*declare)(struct model *model, const struct member *m, struct err *err);
	struct leaf_init demo, paper;
	const char *taps; /* of leaf_init, as in scheme_value; NULL: it is no kernel */
};

struct scheme {
	const char *id, *aliases; /* aliases: parted by blanks, or NULL */
	const char *title;	  /* "Rotary position embedding" */
	const char *formula; /* a line of UTF-8 as in the survey; _x ^x are sub- and superscripts */
	const char *authors; /* "Su et al." */
	const char *
		cite; /* the papers it comes from, as paper_expand reads them: scheme_cite, scheme_bibtex */
	const char *about; /* one or two sentences: what it does, for a reader of the field */
	int year;
	enum topic topic;
	enum table2 table2;
	enum reference ref;
	enum injection inj;
	enum rows rows;
	unsigned flags;
	enum evidence evidence;
	const char *evidence_note; /* whose code or which equations */
	const char *recipe; /* one clause for dumps: what replaces or follows the default recipe of
	                            * logits, weights or context; NULL: nothing does */
	const char *demo_note;	   /* the rule of init=demo, or NULL when nothing is learned */
	const char *count_printed; /* survey Table 1: "(2 t_max - 1) h"; NULL: no row */
	const char *count_at;	   /* its parameters in the table of all schemes, where the default
				     * is made for less than is printed: "length=0"; or NULL */
	const struct leaf_row
		*leaves;	    /* one for each it declares; ends with base == NULL; or NULL */
	const struct claim *claims; /* ends with why == NULL; or NULL */
	/* Under which parameters no query sees a key after it, as in struct claim; NULL: where the switch
	 * `causal` is on, else as the flag says. */
	const char *causal_when;
	/* Under which parameters it reads positions as numbers, as in struct claim: what reads their order
	 * alone, or a structure, does not; NULL: always. And the column segment, whatever pos= names;
	 * NULL: never. */
	const char *numbers_when, *segments_when;
	/* Under which parameters it sees which way the edges of a structure go, and what they are called;
	 * NULL: never. Of schemes that read structures alone. */
	const char *directions_when, *labels_when;
	/* The rank d_p that what it adds to the logits, apart from segments, has at most, as a formula of its
	 * parameters and sizes; NULL: none is known. */
	const char *added_rank;
	/* What its behaviour is measured on, as lines of a scene ("reorder 2 1 3"), where a plain sentence
	 * gives it nothing to do; a sentence is of at most 24 words. NULL: a plain sentence will do. */
	const char *sample;
	const struct param *params; /* ends with name == NULL; or NULL */
	size_t param_size;
	struct hooks hooks;
	bool (*check)(const void *param, struct err *err); /* parameters that must fit together */
	/* Reads what a parameter names and leaves it in `param`; says by which hooks the member acts and
	 * for how many units, with their labels. Called by expr_members. NULL: nothing is read. */
	bool (*load)(void *param, struct arena *a, struct member *out, struct err *err);
	/* Behind load, of a member that reads a square matrix of pairs: its keys are other tokens than its
	 * queries, so it is looked at (hooks.look_at). NULL: there is no such scheme. */
	bool (*other_keys)(void *param, struct member *out, struct err *err);
	/* Trained on t_max positions: the greatest distance at which nothing is computed that was not
	 * seen then; INFINITY where nothing new comes at any. NULL: t_max - 1, also where values are
	 * computed without bound; a combination has the least of its members. */
	double (*reach)(const void *param, const struct model_config *config);
	/* Its formula with these parameters, where it hangs on them, and likewise `about`; what one of its names is,
	 * "b(t, s) = −log(1 + |s − t|)", or NULL; and its reference point. NULL: as above, and nothing. */
	const char *(*formula_of)(const void *param, struct arena *a);
	const char *(*about_of)(const void *param);
	const char *(*defines)(const void *param, struct arena *a);
	enum reference (*reference_of)(const void *param);
	const char *expression; /* a named combination: what it stands for; hooks are empty */
};

/* The registry: every scheme of every family in menu order. */
size_t scheme_count(void);
const struct scheme *scheme_at(size_t i);
/* By id or alias, or a name of the user's own; NULL with a suggestion in err. */
const struct scheme *scheme_find(const char *name, size_t len, struct err *err);
/* True when every word of `text` occurs in id, aliases, title, authors, year, topic or reference. */
bool scheme_matches(const struct scheme *s, const char *text);

/* What is known of a leaf by its base name; NULL when there is no such leaf. */
const struct leaf_row *scheme_leaf(const struct scheme *s, const char *base);

/* The defaults of its parameters, and one of them by name. */
void *scheme_defaults(const struct scheme *s, struct arena *a);
const struct param *scheme_param(const struct scheme *s, const char *name, size_t len);

/* ---- claims --------------------------------------------------------------------------------- */

/* What the survey's Table 1 prints, of CLAIM_COUNT whether it prints one; ANSWER_UNSAID where it has
 * no row. */
enum answer scheme_printed(const struct scheme *s, enum claim_kind kind);
/* The row that decides with these parameters; NULL: there is none, and the flags say what holds. */
const struct claim *scheme_claim(const struct scheme *s, const void *param, enum claim_kind kind);
enum answer scheme_holds(const struct scheme *s, const void *param, enum claim_kind kind);
/* Its formula, its description and its reference point with these parameters. */
const char *scheme_formula_of(const struct scheme *s, const void *param, struct arena *a);
const char *scheme_about_of(const struct scheme *s, const void *param);
enum reference scheme_reference(const struct scheme *s, const void *param);
/* Whether its mask leaves every query the past alone; of a combination what the flag says. */
bool scheme_is_causal(const struct scheme *s, const void *param);
bool scheme_reads_numbers(const struct scheme *s, const void *param);
bool scheme_reads_segments(const struct scheme *s, const void *param);

/* A clause for people: the parts of a structure's edges that a scheme does not see; NULL: it sees all, or reads
 * no structure. Of a structure (NULL: any) only what is there counts. */
struct structure;
const char *scheme_unseen(const struct scheme *s, const void *param, const struct structure *at);

/* What a line of its descriptor comes to: a count as it is printed, "2(2 t_max - 1) d l", or a
 * condition, which is 1 or 0. A formula as in calc_parse_printed of d h l t_max d_h d_f content (none of them
 * where config is NULL) and the scheme's own numbers, switches (1 or 0) and choices, a word of which
 * stands for its index. NAN where that is not a finite number. */
double scheme_value(const struct scheme *s, const void *param, const struct model_config *config,
		    const char *text);

/* ---- names of the user's own ---------------------------------------------------------------- */

/* Gives an expression a name, which then can stand wherever a scheme's can: it is read as the members
 * it stands for, so what is printed, kept or sent to others does not know it. The expression is kept
 * in canonical form; a name that was defined before gets another meaning. Thread-safe. */
bool define_set(const char *name, const char *expression, struct err *err);
bool define_remove(const char *name, struct err *err);
/* The names in the order of their first definition: NULL at the end. A scheme with SCHEME_YOURS whose
 * `expression` is what the name stands for; it lives as long as the process. */
const struct scheme *define_at(size_t i);
/* How often the names or what they stand for have changed. */
size_t define_changes(void);
const struct scheme *define_find(const char *name, size_t len);

/* ---- expressions --------------------------------------------------------------------------- */

/* expression = member { "+" member } ; member = { weight "*" } name [ "(" [ arg { "," arg } ] ")" ] ;
 * weight = a number: of what the member adds to logits and values; several are multiplied.
 * arg = name "=" value ; value = number, word, list [1,2], quoted text, or text balanced in
 * brackets. Every member also takes pos=COLUMN, layers= and heads= (1, [1,3], 2-4, odd, even, all;
 * 1-3/4: 1 to 3 and again every 4: 5 to 7, 9 to 11 ...). A value BOOL is on|off. In a quoted text \" and \\ stand for " and \. A combination takes no
 * arguments. */
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

/* Reads an expression; the error gives the column (from 1) and the nearest name. */
bool expr_parse(struct expr *e, const char *text, struct arena *a, struct err *err);

/* Names of files that are relative become names in this folder, which ends in no slash; one that would
 * be too long, or could not be read again, stays. Whether there was any. */
bool expr_files_from(struct expr *e, const char *folder, struct arena *a);
/* For a title: names of files without their folders. */
const char *expr_brief(const char *expression, struct arena *a);

/* The canonical text: defaults left out, members in order. */
const char *expr_print(const struct expr *e, struct arena *a);
const char *expr_print_member(const struct expr_member *m, struct arena *a);

/* Puts behind the picked members the masks of `now` that are not among them: what becomes of an expression
 * when another scheme is picked. */
void expr_keep_masks(struct expr *picked, const struct expr *now, struct arena *a);

/* The members as the model wants them: combinations expanded, doubled masks dropped, names made
 * unique. out[MODEL_MAX_MEMBERS]. */
bool expr_members(const struct expr *e, struct member *out, size_t *n, struct arena *a,
		  struct err *err);

/* The member that the expression is about: the first that is not a mask, else the first. */
const struct expr_member *expr_main(const struct expr *e);
/* True when a member forbids keys after the query (a causal member, or a `causal` parameter on). */
bool expr_is_causal(const struct expr *e);
/* The greatest distance at which the first layer of this head - of any, where it is config->heads - computes nothing
 * that t_max positions did not show; INFINITY: nothing new comes at any. */
double expr_reach(const struct expr *e, const struct model_config *config, size_t head,
		  struct arena *a);

/* Whether it can have a weight; else the error says what it does beside adding to the logits. */
bool expr_takes_weight(const struct expr_member *m, struct err *err);

/* Whether a member reads the numbers of this column, "seq" or "segment". */
bool expr_reads(const struct expr *e, const char *column);

#endif
