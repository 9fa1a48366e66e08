/* by_words.c: pictures whose rows and columns are words, where the tokens are pieces of words. */
#include "posviz/analysis/words.h"
#include "run_in.h"

bool view_merges(const struct job *j)
{
	return j->scene->merge_pieces && j->view->by_words;
}

bool view_can_merge(const struct job *j, const struct built *b, struct err *err)
{
	return !view_merges(j) || !(b->structure || b->pictures) ||
	       err_set(err, "merge-pieces: it is of a text, and here is a %s; off would be right",
		       b->pictures ? "picture of patches" : "tree or graph");
}

bool view_by_words(const struct job *j, const struct built *b, struct trace *trace, struct err *err)
{
	struct words w;
	if (!view_merges(j))
		return true;
	if (!view_can_merge(j, b, err))
		return false;
	words_of(trace, &b->input, j->a, &w);
	if (w.merged > 0)
		words_trace(&w, b->model.config.heads, trace, j->a);
	return true;
}

const char *view_merged(const struct view_data *d, struct arena *a)
{
	const struct words *const w = d->trace->words;
	if (w)
		return arena_printf(
			a,
			"%zu pieces as %zu words: weights summed over keys, averaged over "
			"queries; logits and bias averaged",
			w->pieces, w->memory ? w->key.n : w->query.n);
	return !d->scene->merge_pieces ? NULL
	       : d->view->by_words     ? "no word has several pieces"
				       : "by pieces: this view merges none";
}
