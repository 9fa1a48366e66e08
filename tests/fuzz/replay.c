/* replay.c: gives a fuzzer the inputs that are kept, each as libFuzzer would. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/format/file.h"

/* In a block of its own of exactly that size, so that a sanitizer sees what is read behind it. */
static void replay_file(const char *path, int (*fuzz)(const uint8_t *data, size_t size))
{
	struct arena a;
	struct err err;
	size_t len;
	char *text;
	arena_init(&a);
	if (!file_read(path, 1 << 20, &a, &text, &len, &err))
		fail_msg("%s", err.text);
	uint8_t *const data = malloc(len ? len : 1);
	assert_non_null(data);
	memcpy(data, text, len);
	arena_release(&a);
	fuzz(data, len);
	free(data);
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

void fuzz_replay(const char *name, int (*fuzz)(const uint8_t *data, size_t size))
{
	char folder[256];
	snprintf(folder, sizeof folder, "%s/../fuzz/corpus/%s", test_data, name);
	fuzz(NULL, 0);
	assert_true(replay_folder(folder, fuzz) > 0);
	snprintf(folder, sizeof folder, "%s/../../assets/samples", test_data);
	assert_true(replay_folder(folder, fuzz) > 0);
}
