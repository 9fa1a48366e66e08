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

bool checkpoint_vectors(const struct checkpoint *c, const long *ids, const size_t *segments,
			size_t n, struct arena *a, struct mat *out, struct err *err)
{
	const struct tensor_entry *const words =
		checkpoint_entry(c, checkpoint_row(c, HOLDS_WORDS), 0, false);
	const struct known *const k = c->known;
	const size_t width = tensor_entry_cols(words), d = (size_t)k->d;
	const size_t wanted = k->embed_width > 0 ? (size_t)k->embed_width : d;
	const struct mat m = mat_new(a, n, width);
	if (width != wanted || width > d) {
		err_set(err,
			"word vectors are %zu wide; the configuration says %zu, in layers of %zu",
			width, wanted, d);
		return blame(c, err);
	}
	if (!read_vectors(c, ids, segments, m, err))
		return false;
	*out = mat_zero(a, n, d);
	mat_set(mat_cols(*out, 0, width), m);
	return true;
}
