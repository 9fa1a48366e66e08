/* fuzz_table.c: hostile csv, npy, npz and JSON are errors of one line; what is read survives being
 * written. The first byte chooses the format. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/err.h"
#include "posviz/format/tensor.h"

typedef bool reader_fn(struct tensor_set *set, const char *name, const void *data, size_t len,
		       struct err *err);

static void check_equal(const struct tensor *s, const struct tensor *t)
{
	const struct mat x = tensor_mat(s), y = tensor_mat(t);
	BUG_IF(x.rows != y.rows || x.cols != y.cols);
	for (size_t r = 0; r < x.rows && x.cols > 0; r++)
		for (size_t c = 0; c < x.cols; c++) {
			const double u = mat_row(x, r)[c], v = mat_row(y, r)[c];
			BUG_IF(!(u <= v && u >= v) && (u <= u || v <= v));
		}
}

/* One tensor written as npy, and as csv where it has an entry. */
static void write_again(const struct tensor *t, struct arena *a)
{
	struct err err = {0};
	struct tensor_set npy, csv;
	char *out = NULL;
	size_t len = 0;
	tensor_set_init(&npy, a);
	tensor_set_init(&csv, a);
	BUG_IF(!tensor_write_npy(t, a, &out, &len, &err));
	BUG_IF(!tensor_read_npy(&npy, "npy", out, len, &err));
	check_equal(t, &npy.tensors[0]);
	const struct mat m = tensor_mat(t);
	if (t->dims > 2 || m.rows == 0 || m.cols == 0)
		return;
	BUG_IF(!tensor_write_csv(t, NULL, NULL, a, &out, &len, &err));
	BUG_IF(!tensor_read_csv(&csv, "csv", out, len, &err));
	check_equal(t, &csv.tensors[0]);
}

FUZZ(table)
{
	static reader_fn *const readers[] = {tensor_read_csv, tensor_read_npy, tensor_read_json};
	struct arena a;
	struct err err = {0};
	struct tensor_set set;
	if (size == 0)
		return 0;
	arena_init(&a);
	tensor_set_init(&set, &a);
	reader_fn *const read = data[0] == 'z' ? tensor_read_npz : readers[data[0] % 3];
	if (read(&set, "fuzz", data + 1, size - 1, &err)) {
		for (size_t i = 0; i < set.count; i++)
			write_again(&set.tensors[i], &a);
		for (size_t n = 0; n < 5; n++) {
			tensor_labels(&set, "axis.key", n);
			tensor_labels(&set, "axis.query", n);
		}
	} else {
		BUG_IF(err.text[0] == '\0' || strchr(err.text, '\n') != NULL);
	}
	arena_release(&a);
	return 0;
}
