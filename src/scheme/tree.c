/* tree.c: see tree.h. */
#include "scheme/tree.h"

bool tree_init(struct tree *tree, struct run *run, const struct member *m, struct err *err)
{
	*tree = (struct tree){0};
	tree->of = run_structure(run, &tree->chain);
	if (!tree->of->parent)
		return err_set(err,
			       "%s needs a tree, and this is a graph; give a tree with --conllu, "
			       "--governors or --tree",
			       m->text);
	long *node = arena_calloc(run->arena, run->n + 1, sizeof *node);
	tree->depth = structure_depths(tree->of, run->arena);
	for (size_t i = 0; i < run->n; i++) {
		node[i] = run_node(run, i);
		if (node[i] >= 0 && tree->depth[node[i]] > tree->deepest)
			tree->deepest = tree->depth[node[i]];
	}
	tree->node = node;
	return true;
}

size_t tree_depth(const struct tree *tree, size_t unit)
{
	return tree->node[unit] < 0 ? tree->deepest + 1 : tree->depth[tree->node[unit]];
}
