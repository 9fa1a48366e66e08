/* fuzz_graphml.c: any text is GraphML or an error, and what is read hangs together. */
#include "fuzz.h"
#include "fuzz_graph.h"

FUZZ(graphml)
{
	fuzz_graph(graph_graphml, data, size);
	return 0;
}
