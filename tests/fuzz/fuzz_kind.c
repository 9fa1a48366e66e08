/* fuzz_kind.c: any bytes of any name are of one kind, the same each time; and what is recognised as tensors or a
 * structure its reader reads, or refuses in a line. The name is what stands before the first NUL byte, or none. */
#include <string.h>

#include "fuzz.h"
#include "help_tensors.h"
#include "posviz/base/text.h"
#include "posviz/format/kind.h"
#include "posviz/format/tensor.h"
#include "posviz/input/structure.h"

static bool is_command(const char *word)
{
	return strcmp(word, "scheme") == 0 || strcmp(word, "heads") == 0;
}

static void expect_line(const struct err *err)
{
	const size_t len = strlen(err->text);
	BUG_IF(len == 0 || !text_valid(err->text, len) || strpbrk(err->text, "\n\033"));
}

static bool read_tensors(enum kind_id id, const char *at, size_t len, struct arena *a,
			 struct err *err)
{
	struct tensor_set set;
	tensor_set_init(&set, a);
	switch (id) {
	case KIND_MODEL_DIR:
	case KIND_MODEL_INDEX: /* what it stands for is not there */
		return true;
	case KIND_SAFETENSORS:
	case KIND_GGUF:
		return help_tensors_of(&set, "fuzz", at, len, err);
	case KIND_NPY:
		return tensor_read_npy(&set, "fuzz", at, len, err);
	case KIND_NPZ:
		return tensor_read_npz(&set, "fuzz", at, len, err);
	case KIND_TABLE:
		return tensor_read_csv(&set, "fuzz", at, len, err);
	default:
		return tensor_read_json(&set, "fuzz", at, len, err);
	}
}

static void read_it(const struct kind_seen *seen, const char *at, size_t len, struct arena *a)
{
	static const struct tree_options options = {.units = TREE_LEAVES};
	struct structured s;
	struct err err = {""};
	size_t count;
	bool ok = true;
	if (kind_is_taken(seen->kind, "params"))
		ok = read_tensors(seen->kind->id, at, len, a, &err);
	else if (kind_is_taken(seen->kind, "graph"))
		ok = structure_graph("fuzz", at, len, 1, &count, a, &s, &err);
	else if (kind_is_taken(seen->kind, "conllu"))
		ok = structure_conllu("fuzz", at, len, 1, &count, a, &s, &err);
	else if (kind_is_taken(seen->kind, "tree"))
		ok = structure_brackets("fuzz", at, len, 1, &count, &options, a, &s, &err);
	if (!ok)
		expect_line(&err);
}

/* Every option takes it, or says in a line what it is. */
static void ask_options(const char *name, const char *at, size_t len)
{
	static const char *const options[] = {"file",  "conllu", "tree",  "graph",
					      "units", "params", "config"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		struct err err = {""};
		if (!kind_fits(options[i], name, at, len, NULL, &err))
			expect_line(&err);
	}
}

FUZZ(kind)
{
	const char *const bytes = size > 0 ? (const char *)data : "";
	const char *const nul = size > 0 ? memchr(bytes, '\0', size) : NULL;
	struct kind_seen seen, again;
	struct arena a;
	arena_init(&a);
	const char *const name = nul && nul > bytes ? bytes : NULL;
	const char *const at = nul ? nul + 1 : bytes;
	const size_t len = size - (size_t)(at - bytes);
	kind_look(name, at, len, is_command, &seen);
	kind_look(name, at, len, is_command, &again);
	BUG_IF(seen.kind != again.kind || strcmp(seen.detail, again.detail) != 0);
	BUG_IF(!text_valid(seen.detail, strlen(seen.detail)) || strpbrk(seen.detail, "\n\033"));
	ask_options(name, at, len);
	/* Readers want a text that ends. */
	read_it(&seen, arena_strndup(&a, at, len), len, &a);
	arena_release(&a);
	return 0;
}
