/* given_table.c: see given_table.h. */
#include "scheme/given_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/asset.h"
#include "posviz/input.h"
#include "posviz/model.h"
#include "posviz/num.h"
#include "posviz/text.h"

static const char sample[] = "matrix/sample.csv";

/* How far the sum of a row of weights may be from 1: bfloat16 and two digits round so far. */
static const double row_tolerance = 0.015;

/* [n, n], [heads, n, n], [layers, heads, n, n], with a batch of one in front or behind the layers. Of
 * another batch nobody says which of its matrices are meant. */
static bool find_axes(struct given_table *table, const struct tensor *t, struct arena *a,
		      struct err *err)
{
	const size_t *shape = t->shape;
	size_t dims = t->dims;
	for (; dims > 2 && shape[0] == 1; dims--)
		shape++;
	if (dims < 2 || (dims > 4 && shape[1] != 1))
		return err_set(err,
			       "%s is %s; [n, n], [heads, n, n] or [layers, heads, n, n] would be "
			       "right%s",
			       table->name, tensor_shape_text(t, a),
			       dims < 2 ? ""
					: ", and which of its axes is a batch cannot be told: take "
					  "one of it, as array[:, 0]");
	table->layers = dims > 3 ? shape[0] : 1;
	table->heads = dims > 2 ? shape[dims - 3] : 1;
	table->n = shape[dims - 2];
	return shape[dims - 2] == shape[dims - 1] ||
	       err_set(err, "%s is %zu x %zu; as many rows as columns would be right", table->name,
		       shape[dims - 2], shape[dims - 1]);
}

static bool find_shape(struct given_table *table, const struct tensor *t, struct arena *a,
		       struct err *err)
{
	if (!find_axes(table, t, a, err))
		return false;
	if (table->n == 0 || table->heads == 0 || table->layers == 0)
		return err_set(err, "%s is empty", table->name);
	if (table->n > INPUT_MAX_TOKENS)
		return err_set(err, "%s has %zu rows; at most %d", table->name, table->n,
			       INPUT_MAX_TOKENS);
	if (table->heads > MODEL_MAX_HEADS)
		return err_set(err, "%s has %zu heads; at most %d", table->name, table->heads,
			       MODEL_MAX_HEADS);
	if (table->layers > MODEL_MAX_LAYERS)
		return err_set(err, "%s has %zu layers; at most %d", table->name, table->layers,
			       MODEL_MAX_LAYERS);
	return true;
}

static bool bad_entry(const struct given_table *table, size_t i, const char *right, struct err *err)
{
	char number[32], head[40] = "", layer[40] = "";
	const size_t row = i / table->n, n = table->n, whole = row / n;
	num_print(number, sizeof number, table->at[i]);
	if (table->layers > 1)
		snprintf(layer, sizeof layer, "layer %zu, ", whole / table->heads + 1);
	if (table->heads > 1)
		snprintf(head, sizeof head, "head %zu, ", whole % table->heads + 1);
	return err_set(err, "%s: %s%srow %zu, column %zu is %s; %s", table->name, layer, head,
		       row % n + 1, i % n + 1, number, right);
}

/* All matrices of it, and all entries. */
static size_t matrices_of(const struct given_table *table)
{
	return table->layers * table->heads;
}

static size_t entries_of(const struct given_table *table)
{
	return matrices_of(table) * table->n * table->n;
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

bool given_table_is_weights(const struct given_table *table)
{
	bool any = false;
	for (size_t row = 0; row < matrices_of(table) * table->n; row++) {
		const double *at = table->at + row * table->n;
		double sum = 0;
		for (size_t s = 0; s < table->n; s++) {
			if (!(at[s] >= 0))
				return false;
			sum += at[s];
		}
		if (sum > 0 && fabs(sum - 1) > row_tolerance)
			return false;
		any |= sum > 0;
	}
	return any;
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
		if (!tensor_read_one(set, from, usual, &t, err))
			return false;
		table->name = text_quote(set->arena, from, strlen(from));
	}
	table->at = t->at;
	return find_shape(table, t, set->arena, err) && check_entries(table, weights, err);
}
