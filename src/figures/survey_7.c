/* survey_7.c: positions along the sentence and positions in its dependency tree, absolute and relative. */
#include <string.h>

#include "fig.h"

enum { WORDS = 6, TALK = 3 };
/* The number of the word that each word hangs on, 0: on none. */
static const long governors[WORDS] = {2, 0, 4, 2, 2, 5};

/* ---- by the definition, from the governors alone ------------------------------------------------- */

static long above(bool tree, long word)
{
	return tree ? governors[word] - 1 : word - 1;
}

static long depth(bool tree, long word)
{
	return above(tree, word) < 0 ? 0 : 1 + depth(tree, above(tree, word));
}

static bool is_below(bool tree, long word, long other)
{
	while (word != other && word >= 0)
		word = above(tree, word);
	return word == other;
}

/* abs(t) − abs(s) where one is above the other, else sgn(t − s) (abs(t) + abs(s)). */
static long defined(bool tree, long t, long s)
{
	if (is_below(tree, t, s) || is_below(tree, s, t))
		return depth(tree, t) - depth(tree, s);
	return (t > s ? 1 : -1) * (depth(tree, t) + depth(tree, s));
}

/* ---- the figure ---------------------------------------------------------------------------------- */

/* The numbers that a scheme makes of pairs, of single words on the diagonal: [WORDS·WORDS] */
static const int32_t *numbers(struct fig *f, const char *scheme)
{
	const struct fig_run *const r =
		fig_run(f, arena_printf(f->a, "%sscheme %s\n", f->scene, scheme), WANT_RELATION);
	return r ? r->trace.relation.at : NULL;
}

/* Rows of numbers below the words of the panel that was taken last. */
static void add_numbers(struct fig *f, const int32_t *abs_of, const int32_t *rel_of)
{
	const char **const texts = arena_calloc(f->a, 2 * WORDS, sizeof *texts);
	struct drawn_row *const rows = arena_calloc(f->a, 2, sizeof *rows);
	struct drawing *const drawing = &f->out->panels[f->out->n - 1].drawing;
	for (size_t t = 0; t < WORDS; t++) {
		texts[t] = fig_count_from(f, abs_of[t * WORDS + t], 1)[0];
		texts[WORDS + t] = fig_count_from(f, rel_of[t * WORDS + TALK], 1)[0];
	}
	rows[0] = (struct drawn_row){"abs(t)", texts};
	rows[1] = (struct drawn_row){"rel(t, talk)", texts + WORDS};
	drawing->below = rows;
	drawing->n_below = 2;
}

static void say(struct fig *f, bool tree, const int32_t *abs_of, const int32_t *rel_of)
{
	size_t other = 0;
	for (size_t t = 0; t < WORDS; t++) {
		other += abs_of[t * WORDS + t] != depth(tree, (long)t);
		for (size_t s = 0; s < WORDS; s++)
			other += rel_of[t * WORDS + s] != defined(tree, (long)t, (long)s);
		fig_number(f, arena_printf(f->a, "%s.abs.%zu", f->argument, t + 1),
			   abs_of[t * WORDS + t], "absolute position of this word");
		fig_number(f, arena_printf(f->a, "%s.rel.%zu", f->argument, t + 1),
			   rel_of[t * WORDS + TALK], "its position relative to \"talk\"");
	}
	fig_number(f, arena_printf(f->a, "%s.other", f->argument), (double)other,
		   "numbers that are not as the definition has them");
}

/* Adds to one of the two: along the sentence, which is the tree in which each word hangs on the one before it, or in the tree. */
void draw_survey_7(struct fig *f)
{
	static const unsigned char weights[] = {2, 3, 4};
	const int32_t *const abs_of = numbers(f, "spr_abs"), *const rel_of = numbers(f, "spr_rel");
	if (!abs_of || !rel_of)
		return;
	memcpy(f->out->row_weight, weights, sizeof weights);
	add_numbers(f, abs_of, rel_of);
	say(f, strcmp(f->argument, "structural") == 0, abs_of, rel_of);
}
