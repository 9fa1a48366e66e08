/* beside.h: those that the view Compare shows beside the scheme, as the field `compare` has them: up to three
 * more, parted by ";", each an expression and what it is run on.
 *
 *	EXPR                        another scheme on the scene's input
 *	EXPR @ SENTENCE             another scheme on another sentence
 *	@ SENTENCE                  the scheme, whatever it is, on another sentence
 *	@order ORDER                the scheme on the scene's tokens in another order
 *	@file FILE @order ORDER     and so on: @conllu, @tree, @graph, @governors, @moved-edges,
 *	                            @pick
 *
 * A value ends at ";" or at an "@" behind a blank. One that holds these stands between quotes, as lines
 * of scenes have them: @ "a; b". */
#ifndef POSVIZ_BESIDE_H
#define POSVIZ_BESIDE_H

#include "posviz/scene/scene.h"

/* The fields of a scene that an input of its own may set. */
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
	const char *expression;		  /* NULL: the scheme itself, whatever it is */
	const char *input[BESIDE_INPUTS]; /* NULL: as the scene has it */
};

/* Those compared: out[0] is the scheme on the scene's input, the others as they are written. 1 to
 * COMPARE_MAX; texts live in `a`. */
size_t scene_beside(const struct setup *setup, struct arena *a, struct beside out[COMPARE_MAX]);
/* One of them from text, its expression canonical. The error says what would be right. */
bool beside_parse(const char *text, struct arena *a, struct beside *out, struct err *err);
/* As it is written: "rope @ man bites dog @order reverse". */
const char *beside_print(const struct beside *b, struct arena *a);
/* The value of the field `compare` for n of them; "none" for n 0. */
const char *beside_list(const struct beside *all, size_t n, struct arena *a);
/* Whether it has anything of an input, and words of its own: no order of the scene's tokens alone. */
bool beside_has_input(const struct beside *b);
bool beside_has_words(const struct beside *b);
/* Names all of the setup's input, so that it stays when that changes; its own order stays. */
void beside_keep_input(struct beside *b, const struct setup *setup, struct arena *a);
/* The setup with the input of this one in place of its own: of other words they come in their order, where
 * none is named. False: something of the setup is of its own words alone, such as a re-ordering. */
bool beside_apply(const struct beside *b, struct setup *setup, struct err *err);

/* Tells of all texts of a setup that words by the rule of now and by that of earlier versions are the same tokens. A
 * file may change: of one it is not known, so false. */
bool setup_words_alike(const struct setup *s);

/* The input of one setup in another. */
void setup_take_input(struct setup *to, const struct setup *from);

/* Number 1 to n of those compared as a setup of its own, which can be evaluated: its expression on its input,
 * and in `compare` the others. A map is of the scheme's own parameters, and goes with no other. False: there
 * is no such number, or its input does not go with the setup. Texts are interned or live in `a`. */
bool setup_of_compared(const struct setup *setup, size_t number, struct arena *a, struct setup *out,
		       struct err *err);
/* Whether both are on the same tokens in the same order. */
bool setup_same_input(const struct setup *x, const struct setup *y);

#endif
