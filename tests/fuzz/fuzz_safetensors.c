/* fuzz_safetensors.c: a hostile file is an error; a file that is read survives being written. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "help_tensors.h"
#include "posviz/base/err.h"
#include "posviz/format/tensor.h"

static void check_equal(const struct tensor_set *a, const struct tensor_set *b)
{
	BUG_IF(a->count != b->count || a->meta_count != b->meta_count);
	for (size_t i = 0; i < a->count; i++) {
		const struct tensor *s = &a->tensors[i], *t = tensor_find(b, s->name);
		BUG_IF(t == NULL || s->dims != t->dims || s->integer != t->integer);
		size_t count = 1;
		for (size_t d = 0; d < s->dims; d++) {
			BUG_IF(s->shape[d] != t->shape[d]);
			count *= s->shape[d];
		}
		BUG_IF(count > 0 && memcmp(s->at, t->at, count * sizeof *s->at) != 0);
	}
	for (size_t i = 0; i < a->meta_count; i++)
		BUG_IF(strcmp(tensor_meta_find(b, a->meta[i].key), a->meta[i].value) != 0);
}

FUZZ(safetensors)
{
	struct arena a;
	arena_init(&a);
	struct err err = {0};
	struct tensor_set set, again;
	tensor_set_init(&set, &a);
	tensor_set_init(&again, &a);
	if (help_tensors_of(&set, "fuzz", data, size, &err)) {
		char *out = NULL;
		size_t len = 0;
		BUG_IF(!tensor_write_safetensors(&set, &a, &out, &len, &err));
		BUG_IF(!help_tensors_of(&again, "again", out, len, &err));
		check_equal(&set, &again);
	} else {
		BUG_IF(err.text[0] == '\0' || strchr(err.text, '\n') != NULL);
	}
	arena_release(&a);
	return 0;
}
