/* fuzz_dot.c: any text is DOT or an error, and what is read hangs together. */
#include "fuzz_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_graph(graph_dot, data, size);
	return 0;
}
