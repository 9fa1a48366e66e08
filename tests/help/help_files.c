/* help_files.c: see help_files.h. */
#include "help_files.h"

#include <math.h>
#include <string.h>

#include "help_arena.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"
#include "test.h"

void help_write(const char *name, const void *data, size_t len)
{
	struct err err = {""};
	if (!file_write(name, data, len, true, &err))
		fail_msg("%s", err.text);
}

void help_write_text(const char *name, const char *text)
{
	help_write(name, text, strlen(text));
}

void help_write_npy(const char *name, const double *at, const size_t shape[HELP_AXES])
{
	struct tensor t = {.at = at};
	char *data;
	size_t len;
	while (t.dims < HELP_AXES && shape[t.dims] > 0) {
		t.shape[t.dims] = shape[t.dims];
		t.dims++;
	}
	assert_true(tensor_write_npy(&t, &arena, &data, &len, NULL));
	help_write(name, data, len);
}

double *help_attention(size_t rows, size_t cols, size_t seed)
{
	double *const out = arena_calloc(&arena, rows * cols, sizeof *out);
	for (size_t t = 0; t < rows; t++) {
		double sum = 0;
		for (size_t s = 0; s < cols; s++) {
			const double angle = (double)(seed + 1) * (double)(t * cols + s);
			sum += out[t * cols + s] = exp(2 * sin(angle));
		}
		for (size_t s = 0; s < cols; s++)
			out[t * cols + s] /= sum;
	}
	return out;
}
