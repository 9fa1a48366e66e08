/* fuzz_index.c: a hostile index of shards is an error; the files of one that is read are names without
 * directories, each once. */
#include <stdint.h>
#include <string.h>

#include "format/tensor_file_in.h"
#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/format/json_read.h"

FUZZ(index)
{
	struct arena a;
	struct err err = {0};
	struct model_index index;
	arena_init(&a);
	if (model_index_parse((const char *)data, size, &a, &index, &err)) {
		BUG_IF(index.n == 0 || index.n > index.map->count);
		for (size_t i = 0; i < index.n; i++) {
			BUG_IF(*index.files[i] == '\0' || strchr(index.files[i], '/'));
			BUG_IF(strcmp(index.files[i], "..") == 0);
			BUG_IF(i > 0 && strcmp(index.files[i - 1], index.files[i]) >= 0);
		}
	} else {
		BUG_IF(err.text[0] == '\0' || strpbrk(err.text, "\n\033") ||
		       !text_valid(err.text, strlen(err.text)));
	}
	arena_release(&a);
	return 0;
}
