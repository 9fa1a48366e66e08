/* leaves.c: see leaves.h. */
#include "scheme/leaves.h"

#include <string.h>

static double value_of(const struct model *model, const struct member *m, const char *formula)
{
	return scheme_value(m->scheme, m->param, &model->config, formula);
}

static struct leaf_init filled(const struct model *model, const struct member *m,
			       struct leaf_init init)
{
	if (init.formula)
		init.value = value_of(model, m, init.formula);
	return init;
}

static bool declare(struct model *model, const struct member *m, const struct leaf_row *l,
		    struct err *err)
{
	const char *const comma = strchr(l->shape, ',');
	const char *const rows = arena_strndup(model->arena, l->shape, (size_t)(comma - l->shape));
	const size_t n_rows = (size_t)value_of(model, m, rows);
	struct leaf_init demo = filled(model, m, l->demo);
	struct leaf_init paper = filled(model, m, l->paper);
	demo.by_rows = paper.by_rows = l->by_rows;
	if (l->taps)
		demo.taps = (size_t)value_of(model, m, l->taps);
	return model_leaf(model, m, l->base, n_rows, (size_t)value_of(model, m, comma + 1),
			  value_of(model, m, l->by_layer) != 0, demo, paper, err);
}

bool leaves_declare(struct model *model, const struct member *m, struct err *err)
{
	for (const struct leaf_row *l = m->scheme->leaves; l && l->base; l++) {
		if (l->when && value_of(model, m, l->when) == 0)
			continue;
		if ((l->declare && !l->declare(model, m, err)) ||
		    (l->by_layer && !declare(model, m, l, err)))
			return false;
	}
	return true;
}
