/* leaf_fill.c: the numbers of leaves: how they are drawn, and when. A large leaf is drawn when it is
 * read, and one that is read by rows only as far as its last row that is read. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "model_in.h"

static void fill_diagonal(struct mat at, double value)
{
	mat_fill(at, 0);
	for (size_t i = 0; i < at.rows || i < at.cols; i++)
		mat_row(at, i % at.rows)[i % at.cols] = value;
}

static void balance_columns(struct mat at)
{
	for (size_t i = 0; i < at.cols; i++) {
		double sum = 0;
		for (size_t j = 0; j < at.rows; j++)
			sum += mat_row(at, j)[i];
		for (size_t j = 0; j < at.rows; j++)
			mat_row(at, j)[i] -= sum / (double)at.rows;
	}
}

void leaf_fill(const struct model *model, const struct leaf *leaf, struct mat at,
	       struct leaf_init init)
{
	struct rng rng;
	rng_init_name(&rng, model->config.seed, leaf->name);
	const struct leaf_maker of = {model, leaf->member, init.value, leaf->layer,
				      &rng,  at.rows,	   at.cols};
	if (init.make) {
		init.make(at, &of);
		return;
	}
	if (init.entry) {
		for (size_t r = 0; r < of.rows; r++)
			for (size_t c = 0; c < of.cols; c++)
				mat_row(at, r)[c] = init.entry(&of, r, c);
		return;
	}
	const double cells = (double)(at.rows + at.cols);
	const double xavier = init.value * sqrt(6 / cells);
	switch (init.fill) {
	case FILL_NORMAL:
		mat_fill_normal(at, init.value, &rng);
		return;
	case FILL_CONSTANT:
		mat_fill(at, init.value);
		return;
	case FILL_DIAGONAL:
		fill_diagonal(at, init.value);
		return;
	case FILL_BALANCED:
		mat_fill_normal(at, init.value, &rng);
		balance_columns(at);
		return;
	case FILL_UNIFORM:
	case FILL_XAVIER:
		for (size_t r = 0; r < at.rows; r++)
			for (size_t c = 0; c < at.cols; c++)
				mat_row(at, r)[c] =
					(init.fill == FILL_XAVIER ? xavier : init.value) *
					(2 * rng_uniform(&rng) - 1);
		return;
	}
}

/* ---- leaves that are drawn when they are read --------------------------------------------- */

static pthread_mutex_t late_lock;

/* Drawing one leaf may read another. */
static void make_late_lock(void)
{
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&late_lock, &kind);
	pthread_mutexattr_destroy(&kind);
}

void leaf_lock(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, make_late_lock);
	pthread_mutex_lock(&late_lock);
}

void leaf_unlock(void)
{
	pthread_mutex_unlock(&late_lock);
}

/* Those that are not made by rows are made whole. More rows than before are made anew, four
 * times as many at least; views of the former ones stay. */
struct mat model_leaf_first(const struct model *model, const struct leaf *leaf, size_t rows)
{
	if (!leaf->late)
		return mat_rows(leaf->at, 0, rows);
	leaf_lock();
	struct leaf_late *const late = leaf->late;
	if (late->rows < rows) {
		/* Its maker sees the width that the member saw when it declared the leaf. */
		struct model seen = *model;
		const size_t all = leaf->at.rows,
			     more = rows < 4 * late->rows ? 4 * late->rows : rows;
		const size_t made = late->init.by_rows && more < all ? more : all;
		const bool shared = leaf_is_kept(&late->init);
		const struct mat at = shared ? leaf_kept(model, leaf, &late->init)
					     : mat_new(model->late, made, leaf->at.cols);
		seen.config.d = model_part_width(model, leaf->member->hooks);
		if (!shared)
			leaf_fill(&seen, leaf, at, late->init);
		late->at = at.at;
		late->rows = made;
	}
	double *const at = late->at;
	leaf_unlock();
	return mat_view(at, rows, leaf->at.cols);
}

struct mat model_leaf_at(const struct model *model, const struct leaf *leaf)
{
	return leaf->late ? model_leaf_first(model, leaf, leaf->at.rows) : leaf->at;
}

struct mat model_leaf_blank(const struct model *model, const struct leaf *leaf)
{
	return leaf->late ? mat_new(model->late, leaf->at.rows, leaf->at.cols) : leaf->at;
}

bool model_leaf_by_rows(const struct leaf *leaf)
{
	return leaf->late && leaf->late->init.by_rows;
}

bool model_leaf_exceeds(const struct model *model, const struct leaf *leaf)
{
	const double bytes = 8 * (double)leaf->at.rows * (double)leaf->at.cols;
	return model_leaf_by_rows(leaf) && model->config.memory > 0 &&
	       bytes > (double)model->config.memory;
}

static bool is_read_by(const struct model *model, const struct leaf *leaf, size_t steps)
{
	bool read = leaf->layer < 0;
	for (size_t i = 0; i < steps && i < model->n_steps; i++)
		read |= (long)model->steps[i].layer == leaf->layer;
	return read;
}

double model_leaves_to_draw(const struct model *model, size_t steps)
{
	double numbers = 0;
	leaf_lock();
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const leaf = &model->leaves[i];
		if (leaf->late && !leaf->late->at && !leaf->late->init.by_rows &&
		    is_read_by(model, leaf, steps))
			numbers += (double)leaf->at.rows * (double)leaf->at.cols;
	}
	leaf_unlock();
	return numbers;
}

double leaves_drawn(const struct model *model)
{
	double numbers = 0;
	leaf_lock();
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const leaf = &model->leaves[i];
		if (leaf->late && leaf->late->at && !leaf->late->init.by_rows)
			numbers += (double)leaf->at.rows * (double)leaf->at.cols;
	}
	leaf_unlock();
	return numbers;
}

/* Leaves of several layers may be of one tensor. */
static bool is_of_one_before(const struct model *model, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (model->leaves[k].at.at == model->leaves[i].at.at)
			return true;
	return false;
}

double leaves_given(const struct model *model)
{
	double numbers = 0;
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *const leaf = &model->leaves[i];
		if (!leaf->tensor || !leaf->at.at || !is_read_by(model, leaf, model->n_steps) ||
		    is_of_one_before(model, i))
			continue;
		const size_t len = strlen(leaf->tensor);
		const bool converted = strchr(leaf->tensor, '&') ||
				       (len > 2 && strcmp(leaf->tensor + len - 2, "^T") == 0);
		numbers += (converted ? 2 : 1) * (double)leaf->at.rows * (double)leaf->at.cols;
	}
	return numbers;
}

struct node *run_leaf_rows(struct run *run, const struct member *m, const char *base,
			   const int32_t *rows, size_t n)
{
	const struct leaf *const leaf = model_find_leaf(run->model, m, base, run->layer);
	int32_t last = 0;
	for (size_t i = 0; i < n; i++)
		last = rows[i] > last ? rows[i] : last;
	if (!leaf || !leaf->late || run_records(run, leaf))
		return tape_gather_rows(run->tape, run_leaf(run, m, base), rows, n);
	const struct mat first = model_leaf_first(run->model, leaf, (size_t)last + 1);
	return tape_gather_rows(run->tape, tape_const(run->tape, first), rows, n);
}
