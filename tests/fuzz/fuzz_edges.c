/* fuzz_edges.c: any text is a list of edges or an error, and what is read hangs together. */
#include "fuzz.h"
#include "fuzz_graph.h"

static bool read_list(const struct source *s, size_t which, size_t *count, struct arena *a,
		      struct structured *out, struct err *err)
{
	*count = which;
	return graph_edge_list(s, a, out, err);
}

FUZZ(edges)
{
	fuzz_graph(read_list, data, size);
	return 0;
}
