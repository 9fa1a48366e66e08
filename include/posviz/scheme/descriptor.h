/* descriptor.h: a position scheme as a row of a table.
 *
 * A new scheme is a row, or a file of rows (a family) and one line in scheme_list.h. Menu,
 * completion, parameter panel, Table 1, man page and the registry-wide tests are made from the
 * descriptors. */
#ifndef POSVIZ_DESCRIPTOR_H
#define POSVIZ_DESCRIPTOR_H

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
	/* A rule upon the logits or weights that others make: kept like a mask when another scheme
	 * is selected, and another member is the main one. */
	SCHEME_RULE = 1 << 10,
	SCHEME_BESIDE = SCHEME_MASK | SCHEME_RULE,
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
	bool by_rows; /* as in leaf_init */
	bool spare;   /* a file may omit it beside the others: it is 0 then */
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
		cite; /* the papers it comes from, as paper_expand reads them: scheme_cite, expr_bibtex */
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
	/* The condition under which it reads rows and columns of pictures, if there are any, instead
	 * of the numbers of positions; NULL: never. */
	const char *cells_when;
	/* The condition under which it rotates queries and keys otherwise than rope and its kinds,
	 * so that a rule that numbers positions anew for each pair cannot change it; NULL: never. */
	const char *rotates_when;
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

#endif
