/* fuzz_penman.c: any text is AMR in PENMAN notation or an error, and what is read hangs together. */
#include "fuzz.h"
#include "fuzz_graph.h"

FUZZ(penman)
{
	fuzz_graph(graph_penman, data, size);
	return 0;
}
