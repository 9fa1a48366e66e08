/* graph_tr.h: the Graph Transformer's parameters, leaves, and encoding of paths. */
#ifndef SCHEME_GRAPH_TR_H
#define SCHEME_GRAPH_TR_H

#include "posviz/scheme/scheme.h"
#include "scheme/label_gru.h"

struct graph_tr {
	bool tied;
	long stack, longest, labels, width, hidden, depths;
};

struct label_gru graph_tr_gru(const struct model *model, const struct graph_tr *p);
extern const struct leaf_row graph_tr_leaves[];

/* r [means, d]; the states it came from are freed length by length. */
label_paths_make graph_tr_relations;

#endif
