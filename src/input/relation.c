/* relation.c: the content of a cell of a relation: a number, the steps of a path, or nothing. */
#include <string.h>

#include "posviz/input/structure.h"

const char *relation_label(const struct relation *r, const struct label_path *path, size_t k)
{
	const int label = path->labels[k];
	return label >= 0 && (size_t)label < r->n_labels ? r->labels[label] : "?";
}

bool label_path_same(const struct label_path *x, const struct label_path *y)
{
	return x->n == y->n &&
	       (x->n == 0 || memcmp(x->labels, y->labels, x->n * sizeof *x->labels) == 0);
}

/* Returns whether a path is only the label "no path". */
static bool is_no_path(const struct relation *r, const struct label_path *path)
{
	return path->n == 1 && strcmp(relation_label(r, path, 0), "no path") == 0;
}

bool relation_is_none(const struct relation *r, size_t cell)
{
	if (r->at)
		return r->at[cell] == RELATION_NO_PATH;
	const bool self = cell / r->n == cell % r->n;
	return (r->paths[cell].n == 0 && !self) || is_no_path(r, &r->paths[cell]);
}

/* Some relations have a label for a node with itself, which is no step; tokens of one node have
 * it too. */
int32_t relation_steps(const struct relation *r, size_t cell)
{
	const struct label_path *const own = &r->paths[cell / r->n * (r->n + 1)];
	return own->n == 1 && label_path_same(&r->paths[cell], own) ? 0 : (int32_t)r->paths[cell].n;
}

int32_t relation_number(const struct relation *r, size_t cell)
{
	return relation_is_none(r, cell) ? RELATION_NO_PATH
	       : r->at			 ? r->at[cell]
					 : relation_steps(r, cell);
}

const struct relation_name *relation_name(const struct relation *r, int32_t value)
{
	for (const struct relation_name *n = r->names; n && n->name; n++)
		if (n->value == value)
			return n;
	return NULL;
}
