/* checkpoint_words.c: the vectors of a trained model's words and segments. */
#include <string.h>

#include "family/checkpoint_in.h"
#include "posviz/base/text.h"

/* Returns false, with the checkpoint's path in front of the error. */
static bool blame(const struct checkpoint *c, struct err *err)
{
	char path[120];
	return err_prefix(err, "%s: ", text_quote_buf(path, sizeof path, c->path, strlen(c->path)));
}

static bool read_table_row(const struct checkpoint *c, const struct tensor_entry *e, long id,
			   const char *what, struct mat out, struct err *err)
{
	const size_t rows = tensor_entry_rows(e);
	if (id < 0 || (size_t)id >= rows) {
		err_set(err, "%s %ld: there are %zu; from 0 to %zu would be right", what, id, rows,
			rows - 1);
		return blame(c, err);
	}
	return tensor_file_rows(c->file, e, (size_t)id, 1, out.at, err) &&
	       checkpoint_finite(c, e, out, err);
}

/* Reads the vectors of words and adds those of segments, at the width of their tables. */
static bool read_vectors(const struct checkpoint *c, const long *ids, const size_t *segments,
			 struct mat out, struct err *err)
{
	const struct family_weight *const types = checkpoint_row(c, HOLDS_SEGMENTS);
	const struct tensor_entry *const words =
		checkpoint_entry(c, checkpoint_row(c, HOLDS_WORDS), 0, false);
	const struct tensor_entry *const e = types ? checkpoint_entry(c, types, 0, false) : NULL;
	struct arena a;
	bool ok = true;
	arena_init(&a);
	const struct mat type = mat_new(&a, 1, out.cols);
	if (e && tensor_entry_cols(e) != out.cols) {
		err_set(err, "vectors of segments are %zu wide, and those of words %zu",
			tensor_entry_cols(e), out.cols);
		ok = blame(c, err);
	}
	for (size_t i = 0; i < out.rows && ok; i++) {
		const struct mat row = mat_rows(out, i, 1);
		ok = read_table_row(c, words, ids[i], "id", row, err) &&
		     (!e || read_table_row(c, e, (long)segments[i], "segment", type, err));
		for (size_t j = 0; ok && e && j < out.cols; j++)
			row.at[j] += type.at[j];
	}
	arena_release(&a);
	return ok;
}

/* Takes the norm at the width of the table, and projects to that of the model. */
static bool project(const struct checkpoint *c, struct mat narrow, struct arena *a, struct mat *out,
		    struct err *err)
{
	const struct tensor_entry *const e =
		checkpoint_entry(c, checkpoint_row(c, HOLDS_PROJECTION), 0, false);
	const struct tensor_entry *const b =
		checkpoint_entry(c, checkpoint_row(c, HOLDS_PROJECTION), 0, true);
	const size_t d = (size_t)c->known->d, width = narrow.cols;
	const struct mat norm = mat_new(a, 2, width), w = mat_new(a, d, width);
	const struct mat bias = mat_zero(a, 1, d);
	const struct family_weight *const row = checkpoint_row(c, HOLDS_EMBED_NORM);
	if (tensor_entry_rows(e) != d || tensor_entry_cols(e) != width || !row ||
	    tensor_entry_cols(checkpoint_entry(c, row, 0, false)) != width) {
		err_set(err,
			"the projection of word vectors is %zu x %zu; %zu x %zu would be right",
			tensor_entry_rows(e), tensor_entry_cols(e), d, width);
		return blame(c, err);
	}
	if (!tensor_file_rows(c->file, checkpoint_entry(c, row, 0, false), 0, 1, mat_row(norm, 0),
			      err) ||
	    !tensor_file_rows(c->file, checkpoint_entry(c, row, 0, true), 0, 1, mat_row(norm, 1),
			      err) ||
	    !tensor_file_rows(c->file, e, 0, d, w.at, err) ||
	    (b && !tensor_file_rows(c->file, b, 0, 1, bias.at, err)))
		return false;
	struct tape t;
	tape_init(&t, a, false);
	struct node *x = tape_layer_norm(&t, tape_const(&t, narrow), c->known->block.eps);
	x = tape_mul(&t, x, tape_const(&t, mat_rows(norm, 0, 1)));
	x = tape_add(&t, x, tape_const(&t, mat_rows(norm, 1, 1)));
	x = tape_matmul(&t, x, false, tape_const(&t, w), true, 1);
	*out = tape_add(&t, x, tape_const(&t, bias))->v;
	return checkpoint_finite(c, e, *out, err);
}

bool checkpoint_vectors(const struct checkpoint *c, const long *ids, const size_t *segments,
			size_t n, struct arena *a, struct mat *out, struct err *err)
{
	const struct tensor_entry *const words =
		checkpoint_entry(c, checkpoint_row(c, HOLDS_WORDS), 0, false);
	const struct mat m = mat_new(a, n, tensor_entry_cols(words));
	if (!read_vectors(c, ids, segments, m, err))
		return false;
	if (checkpoint_row(c, HOLDS_PROJECTION))
		return project(c, m, a, out, err);
	*out = m;
	if (m.cols == (size_t)c->known->d)
		return true;
	err_set(err, "word vectors are %zu wide, and the model %ld", m.cols, c->known->d);
	return blame(c, err);
}
