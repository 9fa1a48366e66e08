/* cmd_dump.c: the numbers of an evaluation: all of them, or one matrix. */
#include "cli.h"

#include <string.h>

#include "posviz/tensor.h"

struct job {
	struct cli *c;
	struct arena *a;
	struct built built;
	struct trace trace;
	char *data;
	size_t len;
};

static bool write_all(struct job *j, struct err *err)
{
	const struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct tensor_set set;
	if (!built_run(&j->built, &j->built.model_input, &want, NULL, NULL, j->a, &j->trace, err))
		return false;
	dump_tensors(&j->c->scene, &j->built, &j->trace, j->a, &set);
	return strcmp(j->c->format, "json") == 0
		       ? tensor_write_json(&set, j->a, &j->data, &j->len, err)
		       : tensor_write_safetensors(&set, j->a, &j->data, &j->len, err);
}

/* The mask as numbers: 1 where the key is allowed. */
static struct mat mask_of(const struct trace *trace, const uint8_t *mask, struct arena *a)
{
	const struct mat m = mat_new(a, trace->query.n, trace->key.n);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = mask ? mask[i] : 1;
	return m;
}

static struct mat matrix_of(const struct job *j, enum matrix kind)
{
	const struct trace_head *const head =
		&j->trace.layers[j->c->scene.layer - 1].heads[j->c->scene.head - 1];
	switch (kind) {
	case MATRIX_BIAS:
		return j->trace.layers[0].heads[j->c->scene.head - 1].bias;
	case MATRIX_LOGITS:
		return head->logits;
	case MATRIX_WEIGHTS:
		return head->weights;
	case MATRIX_MASK:
		return mask_of(&j->trace, head->mask, j->a);
	case MATRIX_COUNT:
		break;
	}
	BUG("matrix %d", (int)kind);
}

static bool write_one(struct job *j, struct err *err)
{
	static const unsigned wants[MATRIX_COUNT] = {WANT_BIAS, WANT_LOGITS, WANT_WEIGHTS,
						     WANT_MASK};
	const enum matrix kind = (enum matrix)j->c->scene.matrix;
	const struct want want = {.kinds = wants[kind], .layer = -1, .head = j->c->scene.head - 1};
	if (kind == MATRIX_BIAS && j->c->scene.layer != 1)
		return err_set(err, "matrix: the bias is one of layer 1; --layer 1 would be right");
	if (!built_run(&j->built, &j->built.model_input, &want, NULL, NULL, j->a, &j->trace, err))
		return false;
	const struct mat m = matrix_of(j, kind);
	if (!m.at)
		return err_set(err, "matrix: %s has no %s%s%s", j->c->scene.setup.scheme,
			       matrix_names[kind], j->trace.bias_absent ? ": " : "",
			       j->trace.bias_absent ? j->trace.bias_absent : "");
	struct tensor_set set;
	tensor_set_init(&set, j->a);
	tensor_set_add(&set, "data", m, false);
	if (strcmp(j->c->format, "npy") == 0)
		return tensor_write_npy(set.tensors, j->a, &j->data, &j->len, err);
	return tensor_write_csv(set.tensors, j->trace.query.labels, j->trace.key.labels, j->a,
				&j->data, &j->len, err);
}

int cmd_dump(struct cli *c, struct err *err)
{
	if (!cli_expression(c, err) || !output_format(c, err))
		return EXIT_BAD_USE;
	const bool text = strcmp(c->format, "csv") == 0 || strcmp(c->format, "json") == 0;
	const bool one = strcmp(c->format, "csv") == 0 || strcmp(c->format, "npy") == 0;
	struct job *const j = arena_calloc(&c->arena, 1, sizeof *j);
	j->c = c;
	j->a = &c->arena;
	const bool ok =
		output_check(c, !text, err) && setup_build(&c->scene.setup, j->a, &j->built, err) &&
		cli_fits(c, &j->built, err) && (one ? write_one(j, err) : write_all(j, err)) &&
		output_write(c, j->data, j->len, err);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
