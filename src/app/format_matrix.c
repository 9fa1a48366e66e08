/* format_matrix.c: the scene's matrix as npy and CSV. */
#include <math.h>
#include <string.h>

#include "format_in.h"
#include "posviz/format/tensor.h"
#include "posviz/scene/dump.h"

/* Returns the mask as numbers: 1 where the key is allowed. */
static struct mat mask_of(const struct trace *trace, const uint8_t *mask, struct arena *a)
{
	const struct mat m = mat_new(a, trace->query.n, trace->key.n);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = mask ? mask[i] : 1;
	return m;
}

/* Returns the scene's matrix, of its head and layer. */
static struct mat matrix_of(const struct write_job *j, const struct scene *scene, struct picture *n)
{
	const size_t heads = n->built.model.config.heads;
	const struct trace *const t = &n->trace;
	const struct trace_head *const at = view_shown(scene, heads, &n->trace, j->a);
	switch ((enum matrix)scene->matrix) {
	case MATRIX_BIAS:
		return t->layers[0].heads[view_chosen(scene->head, heads)].bias;
	case MATRIX_LOGITS:
		return at->logits;
	case MATRIX_WEIGHTS:
		return at->weights;
	case MATRIX_MASK:
		return mask_of(t, at->mask, j->a);
	case MATRIX_COUNT:
		break;
	}
	BUG("matrix %d", scene->matrix);
}

/* Returns the matrices of all heads, one after the other: [heads · n_q, n_k]; without numbers if a
 * head has none. */
static struct mat matrices_of(const struct write_job *j, struct picture *n)
{
	const size_t heads = n->built.model.config.heads;
	struct scene one = *j->scene;
	struct mat all = {0};
	for (size_t h = 0; h < heads; h++) {
		one.head = (long)h + 1;
		const struct mat m = matrix_of(j, &one, n);
		if (!m.at)
			return m;
		if (!all.at)
			all = mat_new(j->a, heads * m.rows, m.cols);
		mat_set(mat_rows(all, h * m.rows, m.rows), m);
	}
	return all;
}

/* Evaluates the encoding of pairs, which is the matrix of the view Relation. */
static struct picture *one_relation(struct write_job *j, struct tensor_set *set, struct err *err)
{
	struct want want = {.kinds = WANT_RELATION, .layer = 0, .head = 0};
	struct picture *const n = format_evaluate(j, &want, err);
	struct mat m, mask;
	const char *legend;
	if (!n)
		return NULL;
	if (!dump_relation(&n->trace.relation, j->a, &m, &mask, &legend)) {
		err_set(err,
			"matrix: %s has no relation: it makes no encoding of pairs before it is "
			"embedded%s",
			j->scene->setup.scheme,
			n->trace.spectrum.n > 0 ? "; its eigenvectors and eigenvalues are in "
						  "safetensors and json"
						: "");
		return NULL;
	}
	/* The format has one tensor and none for the mask: hidden entries are NaN. */
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = mask.at[i] > 0 ? m.at[i] : NAN;
	tensor_set_init(set, j->a);
	tensor_set_add(set, "data", m, false);
	return n;
}

static struct picture *one_matrix(struct write_job *j, struct tensor_set *set, struct err *err)
{
	if (view_of(j->scene)->relation)
		return one_relation(j, set, err);
	static const unsigned wants[MATRIX_COUNT] = {WANT_BIAS, WANT_LOGITS, WANT_WEIGHTS,
						     WANT_MASK};
	const struct scene *const s = j->scene;
	/* A mean is over the heads that their masks select, so masks are always computed. */
	struct want want = {.kinds = wants[s->matrix] | WANT_MASK,
			    .layer = -1,
			    .head = j->every_head || s->head == SCENE_MEAN ? -1 : s->head - 1};
	if (s->matrix == MATRIX_BIAS && s->layer != 1) {
		err_set(err, "matrix: the bias is one of layer 1; layer 1 would be right");
		return NULL;
	}
	struct picture *const n = format_evaluate(j, &want, err);
	if (!n)
		return NULL;
	const struct mat m = j->every_head ? matrices_of(j, n) : matrix_of(j, s, n);
	if (!m.at) {
		const char *const why = n->trace.bias_absent;
		err_set(err, "matrix: %s has no %s%s%s", s->setup.scheme, matrix_names[s->matrix],
			why ? ": " : "", why ? why : "");
		return NULL;
	}
	tensor_set_init(set, j->a);
	tensor_set_add(set, "data", m, false);
	if (j->every_head) {
		const size_t heads = n->built.model.config.heads;
		struct tensor *const t = set->tensors;
		*t = (struct tensor){.name = t->name,
				     .dims = 3,
				     .shape = {heads, m.rows / heads, m.cols},
				     .at = t->at};
	}
	return n;
}

static bool write_npy(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	return one_matrix(j, &set, err) &&
	       tensor_write_npy(set.tensors, j->a, &j->data, &j->len, err);
}

static bool write_csv(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	const struct picture *const n = one_matrix(j, &set, err);
	if (!n)
		return false;
	/* A relation has a row for each unit, those of a memory too. */
	const struct trace *const t = &n->trace;
	const bool units = t->memory > 0 && view_of(j->scene)->relation;
	return tensor_write_csv(set.tensors, units ? t->key.labels : t->query.labels, t->key.labels,
				j->a, &j->data, &j->len, err);
}

enum { MATRIX = FORMAT_NUMBERS | FORMAT_MATRIX };

const struct format format_npy = {.name = "npy",
				  .suffixes = "npy",
				  .help = "the matrix of the focus, for numpy",
				  .bears = MATRIX,
				  .write = write_npy};

const struct format format_csv = {.name = "csv",
				  .suffixes = "csv",
				  .help = "the matrix of the focus, for tables",
				  .bears = MATRIX | FORMAT_READABLE | FORMAT_PLANE,
				  .write = write_csv};
