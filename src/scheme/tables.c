/* tables.c: see tables.h. */
#include "scheme/tables.h"

#include "scheme/distance.h"

const char *const share_names[] = {"none", "head", "layer", NULL};

bool share_leaf(struct model *model, const struct member *m, enum share share, const char *base,
		size_t rows, size_t width, struct leaf_init demo, struct leaf_init paper,
		struct err *err)
{
	const size_t copies = share == SHARE_HEAD ? 1 : model->config.heads;
	return model_leaf(model, m, base, rows, copies * width, share != SHARE_LAYER, demo, paper,
			  err);
}

struct node *share_slice(struct head *head, enum share share, struct node *table, size_t width)
{
	return share == SHARE_HEAD ? table : head_slice(head, table, width);
}

/* ---- distances ---- */

bool table_reaches(struct run *run, const struct member *m, long *most, struct err *err)
{
	const size_t t_max = run->model->config.t_max;
	long lo;
	return run_delta_range(run, m, &lo, most, err) &&
	       (*most < (long)t_max ||
		err_set(err,
			"%s has entries for distances up to %zu (t-max %zu), and this input has "
			"distance %ld; raise t-max or %s",
			m->text, t_max - 1, t_max, *most,
			run_reads_given(run, m) ? "give position ids that are closer together"
						: "shorten the sentence"));
}

bool table_distances(struct run *run, const struct member *m, bool ts, struct reach *out,
		     struct err *err)
{
	long most;
	if (!table_reaches(run, m, &most, err))
		return false;
	const struct distance_code code = distance_signed(ts, most);
	out->rows = distance_rows(&code);
	out->first = run->model->config.t_max - 1 - (size_t)most;
	out->index = distance_index(run, m, &code, err);
	return out->index != NULL;
}

bool table_relation(struct run *run, const struct member *m, bool ts, struct relation *out,
		    struct err *err)
{
	long most;
	if (!table_reaches(run, m, &most, err))
		return false;
	const struct distance_code code = distance_signed(ts, most);
	return distance_relation(run, m, &code, out, err);
}

struct node *table_reached(struct run *run, struct node *table, const struct reach *reach)
{
	return tape_slice(run->tape, table, reach->first, reach->rows, 0, table->v.cols);
}

/* ---- places ---- */

static long key_row(const void *context, size_t t, size_t s)
{
	(void)t;
	const int32_t *rows = context;
	return rows[s];
}

const struct index *table_keys(struct run *run, const struct member *m, const int32_t *rows,
			       size_t count, struct err *err)
{
	return run_index_places(run, m, "key's place", count, key_row, rows, err);
}
