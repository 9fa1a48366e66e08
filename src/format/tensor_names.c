/* tensor_names.c: the names in a file of tensors or a model. Models are opened and not read, so that
 * those of any size are quick; files of other formats are read whole if they are small. */
#include "posviz/format/disk.h"
#include "posviz/format/tensor_names.h"

#include <sys/stat.h>

#include "posviz/format/kind.h"
#include "posviz/format/tensor.h"

static bool is_quick(const char *path)
{
	struct stat st;
	if (disk_stat(path, &st) != 0)
		return false;
	const struct kind *const k = kind_by_name(path);
	const bool opened = k && (k->id == KIND_SAFETENSORS || k->id == KIND_GGUF);
	/* Opening a pipe would block. */
	return S_ISDIR(st.st_mode) ||
	       (S_ISREG(st.st_mode) && (opened || st.st_size <= TENSOR_NAMES_BYTES));
}

const char **tensor_names_of(const char *path, struct arena *a, size_t *n)
{
	struct tensor_set set;
	*n = 0;
	tensor_set_init(&set, a);
	if (!is_quick(path) || !tensor_read_file(&set, path, NULL))
		return NULL;
	const char **const names = arena_calloc(a, set.count + 1, sizeof *names);
	for (size_t i = 0; i < set.count && *n < TENSOR_NAMES_MOST; i++)
		names[(*n)++] = set.tensors[i].name;
	return names;
}
