/* survey_7.c: positions along the sentence and positions in its dependency tree, absolute and relative. */
#include <math.h>
#include <stdlib.h>

#include "fig.h"

enum { WORDS = 6, TALK = 3, MOST = 5 };
static const char sentence[] = "sentence Bush held a talk with Sharon\nheads 1\nlayers 1\n";
/* Of each word the number of the one that it hangs on, 0: on none. */
static const long governors[WORDS] = {2, 0, 4, 2, 2, 5};

/* Without governors each word hangs on the one before it: the tree is the sentence. */
struct way {
	const char *name, *title, *structure, *lines;
	bool tree;
};
static const struct way ways[] = {
	{"sequential", "Sequential", "chain", "", false},
	{"structural", "Dependency tree", "tree", "governors 2 0 4 2 2 5\n", true}};

/* The numbers that a scheme makes of pairs, of single words on the diagonal: [WORDS·WORDS] */
static const int32_t *numbers(struct fig *f, const struct way *w, const char *scheme)
{
	const struct fig_run *const r =
		fig_run(f, arena_printf(f->a, "%s%sscheme %s\n", sentence, w->lines, scheme),
			WANT_RELATION);
	return r ? r->trace.relation.at : NULL;
}

static const char *number(struct fig *f, int32_t value)
{
	return fig_count_from(f, value, 1)[0];
}

/* ---- by the definition, from the governors alone ------------------------------------------------- */

static long above(const struct way *w, long word)
{
	return w->tree ? governors[word] - 1 : word - 1;
}

static long depth(const struct way *w, long word)
{
	return above(w, word) < 0 ? 0 : 1 + depth(w, above(w, word));
}

static bool is_below(const struct way *w, long word, long other)
{
	while (word != other && word >= 0)
		word = above(w, word);
	return word == other;
}

/* abs(t) − abs(s) where one is above the other, else sgn(t − s) (abs(t) + abs(s)). */
static long defined(const struct way *w, long t, long s)
{
	if (is_below(w, t, s) || is_below(w, s, t))
		return depth(w, t) - depth(w, s);
	return (t > s ? 1 : -1) * (depth(w, t) + depth(w, s));
}

/* ---- panels -------------------------------------------------------------------------------------- */

static void show_words(struct fig *f, const struct way *w, const int32_t *abs_of,
		       const int32_t *rel_of, unsigned char row)
{
	struct panel *const p = fig_take(
		f, &view_relation, arena_printf(f->a, "%s%sscheme spr_rel\n", sentence, w->lines),
		w->structure, row, 0, 2);
	if (!p)
		return;
	const char **const texts = arena_calloc(f->a, 2 * WORDS, sizeof *texts);
	struct drawn_row *const rows = arena_calloc(f->a, 2, sizeof *rows);
	for (size_t t = 0; t < WORDS; t++) {
		texts[t] = number(f, abs_of[t * WORDS + t]);
		texts[WORDS + t] = number(f, rel_of[t * WORDS + TALK]);
	}
	rows[0] = (struct drawn_row){"abs(t)", texts};
	rows[1] = (struct drawn_row){"rel(t, talk)", texts + WORDS};
	p->name = w->name;
	p->title = p->paper_title = w->title;
	p->note = p->short_note = p->paper_note = NULL;
	p->subtitle = w->tree ? "abs: steps to the root" : "abs: the place, from 0";
	p->drawing.below = rows;
	p->drawing.n_below = 2;
	p->priority = 0;
}

static void show_pairs(struct fig *f, const struct way *w, unsigned char col)
{
	struct panel *const p = fig_take(
		f, &view_relation, arena_printf(f->a, "%s%sscheme spr_rel\n", sentence, w->lines),
		"relation", 2, col, 1);
	if (!p)
		return;
	p->name = w->tree ? "pairs-structural" : "pairs-sequential";
	p->title = p->paper_title =
		w->tree ? "Relative, in the tree" : "Relative, along the sentence";
	p->note = p->short_note = p->paper_note = NULL;
	p->subtitle = "rel(t, s): row t, column s";
	p->heatmap.scale.lo = -MOST;
	p->heatmap.scale.hi = MOST;
	p->priority = 1;
}

static void say(struct fig *f, const struct way *w, const int32_t *abs_of, const int32_t *rel_of)
{
	size_t other = 0;
	for (size_t t = 0; t < WORDS; t++) {
		other += abs_of[t * WORDS + t] != depth(w, (long)t);
		for (size_t s = 0; s < WORDS; s++)
			other += rel_of[t * WORDS + s] != defined(w, (long)t, (long)s);
		fig_number(f, arena_printf(f->a, "%s.abs.%zu", w->name, t + 1),
			   abs_of[t * WORDS + t], "absolute position of this word");
		fig_number(f, arena_printf(f->a, "%s.rel.%zu", w->name, t + 1),
			   rel_of[t * WORDS + TALK], "its position relative to \"talk\"");
	}
	fig_number(f, arena_printf(f->a, "%s.other", w->name), (double)other,
		   "numbers that are not as the definition has them");
}

void draw_survey_7(struct fig *f)
{
	for (size_t i = 0; i < 2; i++) {
		const struct way *const w = &ways[i];
		const int32_t *const abs_of = numbers(f, w, "spr_abs");
		const int32_t *const rel_of = numbers(f, w, "spr_rel");
		if (!abs_of || !rel_of)
			return;
		show_words(f, w, abs_of, rel_of, (unsigned char)i);
		say(f, w, abs_of, rel_of);
	}
	for (size_t i = 0; i < 2; i++)
		show_pairs(f, &ways[i], (unsigned char)i);
	f->out->row_weight[0] = 2;
	f->out->row_weight[1] = 3;
	f->out->row_weight[2] = 4;
}
