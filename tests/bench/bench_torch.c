#include "bench.h"
void bench_torch(void)
{
}
