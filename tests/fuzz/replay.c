/* replay.c: gives a fuzzer the inputs that are kept, each as libFuzzer would. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "help_corpus.h"
#include "posviz/base/rng.h"
#include "posviz/format/file.h"

/* In a block of its own of exactly that size, so that a sanitizer sees what is read behind it. */
static void replay(const char *bytes, size_t len, int (*fuzz)(const uint8_t *data, size_t size))
{
	uint8_t *const data = malloc(len ? len : 1);
	assert_non_null(data);
	memcpy(data, bytes, len);
	fuzz(data, len);
	free(data);
}

static void replay_file(const char *path, int (*fuzz)(const uint8_t *data, size_t size))
{
	struct arena a;
	struct err err;
	size_t len;
	char *text;
	arena_init(&a);
	if (!file_read(path, 1 << 20, &a, &text, &len, &err))
		fail_msg("%s", err.text);
	replay(text, len, fuzz);
	arena_release(&a);
}

static size_t replay_folder(const char *folder, int (*fuzz)(const uint8_t *data, size_t size))
{
	struct dirent **names;
	const int n = scandir(folder, &names, NULL, alphasort);
	size_t files = 0;
	for (int i = 0; i < n; i++) {
		char path[600];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
		if (names[i]->d_name[0] != '.') {
			replay_file(path, fuzz);
			files++;
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return files;
}

/* Inputs that are kept stand as corpus_print would write them. */
static size_t replay_corpus(const char *path, int (*fuzz)(const uint8_t *data, size_t size))
{
	struct arena a;
	struct err err;
	struct corpus_input *inputs;
	struct strbuf out;
	size_t n, len;
	char *text;
	arena_init(&a);
	strbuf_init(&out, &a);
	if (!corpus_read(path, &a, &inputs, &n, &err) ||
	    !file_read(path, 1 << 22, &a, &text, &len, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++) {
		replay(inputs[i].data, inputs[i].len, fuzz);
		corpus_print(&out, &inputs[i]);
	}
	assert_string_equal(out.at, text);
	arena_release(&a);
	return n;
}

void fuzz_replay(const char *name, int (*fuzz)(const uint8_t *data, size_t size))
{
	char path[256];
	snprintf(path, sizeof path, "%s/../fuzz/corpus/%s.txt", test_data, name);
	fuzz(NULL, 0);
	assert_true(replay_corpus(path, fuzz) > 0);
	snprintf(path, sizeof path, "%s/../../assets/samples", test_data);
	assert_true(replay_folder(path, fuzz) > 0);
}

/* Bytes of all values, and such as a line of the file begins or ends with. */
TEST(an_input_comes_back_from_its_file)
{
	static const char marks[] = "\n \\=\t\r\xe2\x80\xae\xc3\xa9x";
	const char *const folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	struct corpus_input *back;
	struct arena a;
	struct err err = {""};
	struct rng rng;
	size_t n;
	arena_init(&a);
	rng_init(&rng, 3);
	const char *const path = arena_printf(&a, "%s/posviz-corpus-%ld", folder, (long)getpid());
	for (size_t turn = 0; turn < 300; turn++) {
		char *const bytes = arena_calloc(&a, 1, turn + 1);
		const struct corpus_input in = {"one", bytes, turn};
		struct strbuf out;
		for (size_t i = 0; i < turn; i++)
			bytes[i] = turn % 3 ? marks[rng_below(&rng, sizeof marks)]
					    : (char)rng_below(&rng, 256);
		strbuf_init(&out, &a);
		corpus_print(&out, &in);
		corpus_print(&out, &(struct corpus_input){"two", "=== \n", 5});
		assert_true(file_write(path, out.at, out.len, true, &err));
		assert_true(corpus_read(path, &a, &back, &n, &err));
		assert_true(n == 2 && back[0].len == turn && back[1].len == 5);
		assert_memory_equal(back[0].data, in.data, turn);
		assert_memory_equal(back[1].data, "=== \n", 5);
	}
	assert_int_equal(remove(path), 0);
	arena_release(&a);
}
