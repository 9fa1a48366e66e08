/* fuzz_dot.c: any text is DOT or an error, and what is read hangs together. */
#include "fuzz.h"
#include "fuzz_graph.h"

FUZZ(dot)
{
	fuzz_graph(graph_dot, data, size);
	return 0;
}
