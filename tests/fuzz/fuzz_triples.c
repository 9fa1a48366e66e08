/* fuzz_triples.c: any text is AMR as triples or an error, and what is read hangs together. */
#include "fuzz.h"
#include "fuzz_graph.h"

FUZZ(triples)
{
	fuzz_graph(graph_triples, data, size);
	return 0;
}
