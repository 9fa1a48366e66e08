/* corpus.c: inputs of a fuzzer, out of the file in which they are kept and into it.
 *
 *	corpus unpack tests/fuzz/corpus/NAME.txt FOLDER
 *	corpus add tests/fuzz/corpus/NAME.txt INPUT...
 *
 * What is added gets its file's name; what is there already is left out. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "help_corpus.h"
#include "posviz/format/file.h"

static bool unpack(struct arena *a, const char *path, const char *folder, struct err *err)
{
	struct corpus_input *inputs;
	size_t n;
	if (!corpus_read(path, a, &inputs, &n, err))
		return false;
	mkdir(folder, 0777);
	for (size_t i = 0; i < n; i++) {
		const char *const to = arena_printf(a, "%s/%s", folder, inputs[i].name);
		if (!file_write(to, inputs[i].data, inputs[i].len, true, err))
			return false;
	}
	return true;
}

static bool is_there(const struct corpus_input *inputs, size_t n, const struct corpus_input *one)
{
	for (size_t i = 0; i < n; i++)
		if (inputs[i].len == one->len && memcmp(inputs[i].data, one->data, one->len) == 0)
			return true;
	return false;
}

static bool add(struct arena *a, const char *path, char **files, struct err *err)
{
	enum { MOST = 1 << 20 };
	struct corpus_input *inputs = NULL;
	struct strbuf out;
	struct stat info;
	size_t n = 0;
	if (stat(path, &info) == 0 && !corpus_read(path, a, &inputs, &n, err))
		return false;
	strbuf_init(&out, a);
	for (size_t i = 0; i < n; i++)
		corpus_print(&out, &inputs[i]);
	for (; *files; files++) {
		const char *const slash = strrchr(*files, '/');
		struct corpus_input one = {.name = slash ? slash + 1 : *files};
		char *data;
		if (!file_read(*files, MOST, a, &data, &one.len, err))
			return false;
		one.data = data;
		if (!is_there(inputs, n, &one))
			corpus_print(&out, &one);
	}
	return file_write(path, out.at, out.len, true, err);
}

int main(int argc, char **argv)
{
	struct arena a;
	struct err err = {""};
	arena_init(&a);
	const bool unpacks = argc == 4 && strcmp(argv[1], "unpack") == 0;
	const bool adds = argc > 3 && strcmp(argv[1], "add") == 0;
	if (!unpacks && !adds)
		err_set(&err, "corpus unpack FILE FOLDER, or corpus add FILE INPUT...");
	const bool good = unpacks ? unpack(&a, argv[2], argv[3], &err)
				  : adds && add(&a, argv[2], argv + 3, &err);
	if (!good)
		fprintf(stderr, "%s\n", err.text);
	arena_release(&a);
	return good ? 0 : 2;
}
