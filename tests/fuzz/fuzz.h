/* fuzz.h: a fuzzer is a function of bytes:
 *
 *	FUZZ(expr)
 *	{
 *		... data, size ...
 *		return 0;
 *	}
 *
 * Built with clang's libFuzzer it is a program that searches (`make fuzz`); among the tests it reads what
 * was found before, tests/fuzz/corpus/NAME.txt, and the samples. What a search finds is kept by
 * `build/release/tests/corpus add`. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef FUZZING
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#define FUZZ(name) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
#else
#include "test.h"

void fuzz_replay(const char *name, int (*fuzz)(const uint8_t *data, size_t size));

#define FUZZ(name)                                                \
	static int fuzz_##name(const uint8_t *data, size_t size); \
	TEST(replay_##name)                                       \
	{                                                         \
		fuzz_replay(#name, fuzz_##name);                  \
	}                                                         \
	static int fuzz_##name(const uint8_t *data, size_t size)
#endif

#endif
