/* fuzz_gguf.c: a hostile file is an error; of one that opens all that may be read is read, and no more
 * than its bytes can hold. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/err.h"
#include "posviz/base/text.h"
#include "posviz/format/tensor_file.h"

enum { PER_BYTE = 4 /* numbers: blocks of Q2_K have 256 in 84 bytes */ };

static void expect_line(const struct err *err)
{
	BUG_IF(err->text[0] == '\0' || strpbrk(err->text, "\n\033") ||
	       !text_valid(err->text, strlen(err->text)));
}

static void read_tensor(const struct tensor_file *f, const struct tensor_entry *e, size_t size,
			struct arena *a)
{
	struct err err = {0};
	double none;
	BUG_IF(tensor_file_find(f, e->name) != e || !text_valid(e->name, strlen(e->name)));
	if (e->unread) {
		BUG_IF(tensor_file_rows(f, e, 0, 0, &none, &err));
		expect_line(&err);
		return;
	}
	const size_t rows = tensor_entry_rows(e), cols = tensor_entry_cols(e);
	BUG_IF(rows * cols > PER_BYTE * size);
	double *const out = arena_calloc(a, rows * cols + 1, sizeof *out);
	if (!tensor_file_rows(f, e, 0, rows, out, &err))
		expect_line(&err);
}

static void read_value(const struct tensor_file *f, const struct file_value *v, size_t size,
		       struct arena *a)
{
	struct err err = {0};
	BUG_IF(tensor_file_value(f, v->key) != v || v->count > size);
	BUG_IF((v->kind == FILE_VALUE_TEXT) != (v->text != NULL));
	if (v->kind == FILE_VALUE_NUMBERS)
		BUG_IF(!tensor_file_numbers(f, v, a, &err));
	if (v->kind == FILE_VALUE_TEXTS)
		BUG_IF(!tensor_file_texts(f, v, a, NULL, &err));
}

FUZZ(gguf)
{
	struct arena a;
	struct err err = {0};
	arena_init(&a);
	struct tensor_file *const f = tensor_file_open_bytes("fuzz", data, size, &err);
	if (!f)
		expect_line(&err);
	for (size_t i = 0; f && i < tensor_file_count(f); i++)
		read_tensor(f, tensor_file_at(f, i), size, &a);
	for (size_t i = 0; f && tensor_file_is_gguf(f) && i < tensor_file_value_count(f); i++)
		read_value(f, tensor_file_value_at(f, i), size, &a);
	tensor_file_close(f);
	arena_release(&a);
	return 0;
}
