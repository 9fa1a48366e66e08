/* beside.h: the comparisons of the view Compare. The field `compare` lists up to three entries,
 * separated by ";". Each is an expression and the input on which it runs:
 *
 * EXPR                        another scheme on the scene's input
 * EXPR @ SENTENCE             another scheme on another sentence
 * @ SENTENCE                  the scene's own scheme on another sentence
 * @order ORDER                the scene's own scheme on the scene's tokens in another order
 * EXPR @model PATH            what another model has, with its sizes and what its files hold
 * @file FILE @order ORDER     likewise @conllu, @tree, @graph, @governors, @moved-edges, @pick
 *
 * A value ends at ";" or at an "@" that follows a blank. A value that contains these is written
 * between quotes, as in lines of scenes: @ "a; b". */
#ifndef POSVIZ_BESIDE_H
#define POSVIZ_BESIDE_H

#include "posviz/scene/scene.h"

/* The fields of a scene that an entry may set for its own input. */
enum beside_input {
	BESIDE_SENTENCE,
	BESIDE_FILE,
	BESIDE_CONLLU,
	BESIDE_TREE,
	BESIDE_GRAPH,
	BESIDE_GOVERNORS,
	BESIDE_MOVED_EDGES,
	BESIDE_PICK,
	BESIDE_ORDER,
	BESIDE_INPUTS
};
extern const char *const beside_inputs[BESIDE_INPUTS]; /* names of the fields */

struct beside {
	const char *expression;		  /* NULL: the scene's own scheme */
	const char *model;		  /* its path; NULL: the scene's sizes and files */
	const char *input[BESIDE_INPUTS]; /* NULL: the scene's value */
};

/* Fills `out` with the compared entries: out[0] is the scheme on the scene's input, the others
 * follow in the order of the field. Returns their number, 1 to COMPARE_MAX; texts live in `a`. */
size_t scene_beside(const struct setup *setup, struct arena *a, struct beside out[COMPARE_MAX]);
/* Returns the entry of the scheme itself, with the model that is open. */
struct beside beside_own(const struct setup *setup);
/* Parses one entry and makes its expression canonical. The error says what would be right. */
bool beside_parse(const char *text, struct arena *a, struct beside *out, struct err *err);
/* Returns the entry as text: "rope @ man bites dog @order reverse". */
const char *beside_print(const struct beside *b, struct arena *a);
/* Returns the value of the field `compare` for n entries; "none" for n 0. */
const char *beside_list(const struct beside *all, size_t n, struct arena *a);
/* beside_has_input() is true if the entry sets any field of the input; beside_has_words() if it
 * brings tokens of its own, so not for another order of the scene's tokens alone. */
bool beside_has_input(const struct beside *b);
bool beside_has_words(const struct beside *b);
/* Sets all input fields of the entry to those of the setup, so that the entry keeps its input
 * when the setup changes. The entry's own order stays. */
void beside_keep_input(struct beside *b, const struct setup *setup, struct arena *a);
/* Opens the entry's model, if it names one, and replaces the setup's input by the entry's. Other words come in their written order if the
 * entry names none. False: a field of the setup, such as a re-ordering, fits the setup's own
 * words only. */
bool beside_apply(const struct beside *b, struct setup *setup, struct err *err);

/* laid_over.c: lists the expressions that the view Lengths shows: the scene's own, those compared with it on the
 * same input, and those of the field `lengths`, each once. Returns their number, at least 1. */
enum { LENGTHS_MOST = 6 };
struct laid_over {
	const char *expression, *model; /* as in struct beside */
};
size_t scene_lengths(const struct scene *scene, struct arena *a,
		     struct laid_over out[LENGTHS_MOST]);

/* True if the current rule for words and that of earlier versions cut all texts of the setup
 * into the same tokens. A file may change, so the answer is false for a setup that reads one. */
bool setup_words_alike(const struct setup *s);

/* Copies the input of one setup into another. */
void setup_take_input(struct setup *to, const struct setup *from);

/* Makes a setup, which can be evaluated, of compared entry 1 to n: its expression on its input,
 * with the other entries in `compare`. A map belongs to the scheme's own parameters and is
 * dropped if the entry's scheme is another. False: there is no entry of this number, or its
 * input does not fit the setup. Texts are interned or live in `a`. */
bool setup_of_compared(const struct setup *setup, size_t number, struct arena *a, struct setup *out,
		       struct err *err);
/* Makes `out` the setup of an expression with a model, or NULL, on the input of the setup, with nothing
 * beside it. */
bool setup_of_model(const struct setup *setup, const char *expression, const char *model,
		    struct arena *a, struct setup *out, struct err *err);
/* Adds a value of an entry, quoted if it has blanks at its ends, or a sign of entries. */
struct strbuf;
void scene_quote(struct strbuf *b, const char *value);
/* True if both setups have the same tokens in the same order. */
bool setup_same_input(const struct setup *x, const struct setup *y);

#endif
