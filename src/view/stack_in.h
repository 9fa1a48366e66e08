/* stack_in.h: what the files of the view Stack share: what acts in a layer, in words, and the rows that its
 * table and its matrix have. */
#ifndef POSVIZ_STACK_IN_H
#define POSVIZ_STACK_IN_H

#include "posviz/analysis/stack.h"
#include "posviz/scheme/rates.h"
#include "view_in.h"

/* The words for the layers of a kind: their mask, rotation and other rules. */
struct stack_words {
	const char *sees, *briefly; /* "the last 4 keys", and in a table "last 4 keys" */
	const char *rotation;	    /* "base 10000", "none" */
	const char *slower;	    /* than before scaling, "up to 8 times"; "" */
	const char *others;	    /* the titles of its other members, "Sink in the softmax"; "" */
};

/* A row of the table and of the matrix: a layer, a run of layers, or all layers of a kind. */
struct stack_row {
	const char *name;  /* "1–5", "1, 3, 5 …" */
	size_t layer;	   /* one of them */
	const char *known; /* the tokens that the last one can know of behind them; "" */
};

/* Which keys each query sees in a layer: 1 or 0 for every so many tokens of a text. */
struct stack_square {
	const char *layers; /* "1–3, 5–7 …" */
	size_t layer;	    /* one of them */
	struct mat seen;
	const char **at; /* the tokens, from 1 */
	size_t step, tokens;
};
enum { STACK_SQUARES = 3 };

struct stack_kept {
	struct stack s;
	struct stack_words *words; /* [s.n_kinds] */
	const char *all;	   /* the titles of other members that act in all layers; "" */
	bool rotates;		   /* a layer has a rotation */
	bool scales;		   /* some pairs rotate slower than in training */
	bool turns_alike;	   /* all layers have the same */
	bool sees_alike;	   /* all see the same */
	bool sees_all;		   /* every query sees every key, or every one before it */
	bool by_kind;		   /* a row is all layers of a kind */
	bool grows;		   /* the last token knows of more with more than one layer */
	struct stack_row *rows;
	size_t n_rows;
	struct stack_square squares[STACK_SQUARES];
	size_t n_squares; /* 0: the matrix of distances stands for them */
	/* Curves: the share that each rotation leaves of a product of equal vectors, by distance. n_turns 0: nothing rotates, or more
	 * rotations than curves that can be told apart */
	const struct series *turns;
	size_t n_turns;
};

/* stack_words.c */
void stack_say(const struct built *b, struct arena *a, struct stack_kept *out);
/* Returns what is to be seen, in one sentence. */
const char *stack_finding(const struct stack_kept *k, struct arena *a);
/* Gets what a member rotates by; false: it does not. */
bool stack_rates(const struct built *b, const struct member *m, struct arena *a,
		 struct member_rates *out);
/* stack_turn.c */
void stack_find_turns(const struct built *b, struct arena *a, struct stack_kept *out);
void stack_turn_panel(const struct stack_kept *k, struct arena *a, struct panel *p);
/* stack_rows.c */
void stack_find_rows(const struct built *b, struct arena *a, struct stack_kept *out);
/* Returns "16 of 512 tokens": those that the last token can know of after so many layers. */
const char *stack_known(const struct stack *s, size_t layers, struct arena *a);

#endif
