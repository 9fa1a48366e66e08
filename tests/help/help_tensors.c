#include "help_tensors.h"

#include "posviz/format/tensor_file.h"

bool help_tensors(struct tensor_set *set, const char *path, struct err *err)
{
	if (!tensor_read_file(set, path, err))
		return false;
	for (size_t i = 0; i < set->count; i++)
		if (!tensor_load(set, &set->tensors[i], set->arena, err))
			return false;
	return true;
}

bool help_tensors_of(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err)
{
	struct tensor_file *const f = tensor_file_open_bytes(name, data, len, err);
	bool ok = f != NULL;
	for (size_t i = 0; ok && i < tensor_file_value_count(f); i++) {
		const struct file_value *const v = tensor_file_value_at(f, i);
		if (v->kind == FILE_VALUE_TEXT)
			tensor_set_add_meta(set, v->key, v->text);
	}
	for (size_t i = 0; ok && i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		const size_t rows = tensor_entry_rows(e), cols = tensor_entry_cols(e);
		/* What is not read is an error, and its shape may be anything. */
		double *const at =
			arena_calloc(set->arena, e->unread ? 1 : rows * cols + 1, sizeof *at);
		ok = tensor_file_rows(f, e, 0, rows, at, err);
		if (!ok)
			break;
		tensor_set_add(set, e->name, mat_view(at, rows, cols), rows == 1);
		struct tensor *const t = &set->tensors[set->count - 1];
		t->dims = e->dims;
		for (size_t d = 0; d < e->dims; d++)
			t->shape[d] = e->shape[d];
		t->integer = e->integer;
	}
	tensor_file_close(f);
	return ok;
}
