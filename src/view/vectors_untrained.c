/* vectors_untrained.c: the rows of a table that its training never met, as the model's file says. */
#include <string.h>

#include "posviz/family/checkpoint.h"
#include "vectors_in.h"

static const char stem[] =
	"trained."; /* [rows, 1] beside positions.NAME: 1 if the row was trained */

/* Returns what the file says of these vectors: of a table by its name, of vectors that are added by their
 * number, where there is one table. NULL: nothing. */
static const struct tensor_entry *entry_of(const struct tensor_file *f, const struct vectors *v,
					   struct arena *a)
{
	const struct tensor_entry *const own =
		tensor_file_find(f, arena_printf(a, "%s%s", stem, v->name));
	const struct tensor_entry *one = NULL;
	size_t n = 0;
	for (size_t i = 0; i < tensor_file_count(f); i++)
		if (strncmp(tensor_file_at(f, i)->name, stem, sizeof stem - 1) == 0) {
			one = tensor_file_at(f, i);
			n++;
		}
	const struct tensor_entry *const e = own				  ? own
					     : v->kind == VECTORS_ADDED && n == 1 ? one
										  : NULL;
	return e && tensor_entry_rows(e) == v->at.rows && tensor_entry_cols(e) == 1 ? e : NULL;
}

void vectors_untrained(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	const struct checkpoint *const c = d->built->checkpoint;
	const size_t n = k->v.at.rows;
	const struct tensor_entry *const e = c && n > 0 ? entry_of(c->file, &k->v, a) : NULL;
	double *const trained = arena_calloc(a, n + 1, sizeof *trained);
	if (!e || !tensor_file_rows(c->file, e, 0, n, trained, NULL))
		return;
	k->untrained = arena_calloc(a, n, 1);
	for (size_t i = 0; i < n; i++)
		k->n_untrained += k->untrained[i] = !(trained[i] > 0);
}

const uint8_t *vectors_trained_cells(const struct shown_vectors *k, size_t first, size_t rows,
				     struct arena *a)
{
	const size_t cols = k->v.at.cols;
	if (k->n_untrained == 0)
		return NULL;
	uint8_t *const out = arena_calloc(a, rows * cols + 1, 1);
	for (size_t i = 0; i < rows; i++)
		memset(out + i * cols,
		       !k->untrained[k->sample.at ? k->sample.at[first + i] : first + i], cols);
	return out;
}

const char *vectors_untrained_words(const struct shown_vectors *k, struct arena *a)
{
	return k->n_untrained == 0
		       ? ""
		       : arena_printf(a,
				      " %zu of %zu rows were never trained: no sentence had them.",
				      k->n_untrained, k->sample.of);
}
