/* given_table.c: see given_table.h. */
#include "scheme/given_table.h"

#include <math.h>
#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/input/input.h"
#include "posviz/model/model.h"

static const char sample[] = "matrix/sample.csv";

/* Recognises [q, k], [heads, q, k], [layers, heads, q, k], with a batch of one in front or after
 * the layers. In a larger batch it is not known which matrices are meant. */
static bool find_axes(struct given_table *table, const struct tensor *t, struct arena *a,
		      struct err *err)
{
	const size_t *shape = t->shape;
	size_t dims = t->dims;
	for (; dims > 2 && shape[0] == 1; dims--)
		shape++;
	if (dims < 2 || (dims > 4 && shape[1] != 1))
		return err_set(err,
			       "%s is %s; [q, k], [heads, q, k] or [layers, heads, q, k] would be "
			       "right%s",
			       table->name, tensor_shape_text(t, a),
			       dims < 2 ? ""
					: ", and which of its axes is a batch cannot be told: take "
					  "one of it, as array[:, 0]");
	table->layers = dims > 3 ? shape[0] : 1;
	table->heads = dims > 2 ? shape[dims - 3] : 1;
	table->rows = shape[dims - 2];
	table->cols = shape[dims - 1];
	return true;
}

static bool find_shape(struct given_table *table, const struct tensor *t, struct arena *a,
		       struct err *err)
{
	if (!find_axes(table, t, a, err))
		return false;
	if (table->rows == 0 || table->cols == 0 || table->heads == 0 || table->layers == 0)
		return err_set(err, "%s is empty", table->name);
	if (table->rows > INPUT_MAX_TOKENS || table->cols > INPUT_MAX_TOKENS)
		return err_set(err, "%s has %zu rows and %zu columns; at most %d", table->name,
			       table->rows, table->cols, INPUT_MAX_TOKENS);
	if (table->heads > MODEL_MAX_HEADS)
		return err_set(err, "%s has %zu heads; at most %d", table->name, table->heads,
			       MODEL_MAX_HEADS);
	if (table->layers > MODEL_MAX_LAYERS)
		return err_set(err, "%s has %zu layers; at most %d", table->name, table->layers,
			       MODEL_MAX_LAYERS);
	return true;
}

const char *given_table_row_name(const struct given_table *table, size_t row, struct arena *a)
{
	const size_t whole = row / table->rows;
	const char *const layer =
		table->layers > 1 ? arena_printf(a, "layer %zu, ", whole / table->heads + 1) : "";
	const char *const head =
		table->heads > 1 ? arena_printf(a, "head %zu, ", whole % table->heads + 1) : "";
	return arena_printf(a, "%s%srow %zu", layer, head, row % table->rows + 1);
}

static bool bad_entry(const struct given_table *table, size_t i, const char *right, struct err *err)
{
	char number[32];
	struct arena a;
	arena_init(&a);
	num_print(number, sizeof number, table->at[i]);
	err_set(err, "%s: %s, column %zu is %s; %s", table->name,
		given_table_row_name(table, i / table->cols, &a), i % table->cols + 1, number,
		right);
	arena_release(&a);
	return false;
}

size_t given_table_rows(const struct given_table *table)
{
	return table->layers * table->heads * table->rows;
}

static size_t entries_of(const struct given_table *table)
{
	return given_table_rows(table) * table->cols;
}

static bool check_entries(const struct given_table *table, bool weights, struct err *err)
{
	const size_t count = entries_of(table);
	for (size_t i = 0; i < count; i++) {
		const double x = table->at[i];
		if (weights && !(x >= 0 && isfinite(x)))
			return bad_entry(table, i, "weights are finite and not negative", err);
		if (!isfinite(x) && !(x < 0))
			return bad_entry(table, i, "a number, or -inf for a mask, would be right",
					 err);
	}
	return true;
}

void given_table_take_mask(struct given_table *table, struct arena *a)
{
	const size_t count = entries_of(table);
	size_t first = 0;
	while (first < count && isfinite(table->at[first]))
		first++;
	if (first == count)
		return;
	double *at = arena_calloc(a, count, sizeof *at);
	uint8_t *allowed = arena_calloc(a, count, sizeof *allowed);
	for (size_t i = 0; i < count; i++) {
		allowed[i] = isfinite(table->at[i]);
		at[i] = allowed[i] ? table->at[i] : 0;
	}
	table->at = at;
	table->allowed = allowed;
}

bool given_labels_count(const char *const *labels, size_t n)
{
	bool from_0 = true, from_1 = true;
	for (size_t i = 0; i < n; i++) {
		long at = -1;
		num_parse_long(labels[i], strlen(labels[i]), 0, INPUT_MAX_TOKENS, &at, NULL);
		from_0 &= at == (long)i;
		from_1 &= at == (long)i + 1;
	}
	return from_0 || from_1;
}

void given_table_scale(struct given_table *table, double by, struct arena *a)
{
	const size_t count = entries_of(table);
	double *const at = arena_calloc(a, count, sizeof *at);
	for (size_t i = 0; i < count; i++)
		at[i] = by * table->at[i];
	table->at = at;
}

static bool read_sample(struct tensor_set *set, struct err *err)
{
	const struct asset *file = asset_find(sample);
	BUG_IF(!file);
	return tensor_read_csv(set, sample, file->begin, (size_t)(file->end - file->begin), err);
}

bool given_table_read(struct given_table *table, const char *from, bool weights,
		      struct tensor_set *set, struct err *err)
{
	static const char *const usual[] = {"matrix", "bias", "logits", "weights", "data", NULL};
	const struct tensor *t = NULL;
	if (*from == '\0') {
		if (!read_sample(set, err))
			return false;
		t = tensor_find(set, "data");
		table->name = "the sample";
	} else {
		if (!tensor_choose(set, from, usual, &t, err))
			return false;
		table->name = text_quote(set->arena, from, strlen(from));
	}
	/* A tensor of a model that is no matrix of attention is not read. */
	if (!find_shape(table, t, set->arena, err) || !(t = tensor_load(set, t, set->arena, err)))
		return false;
	table->at = t->at;
	return check_entries(table, weights, err);
}
