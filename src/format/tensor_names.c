/* tensor_names.c: the names in a file of tensors. safetensors has them in a header at the front,
 * so a file of any size is quick; other files are read whole if they are small. */
#include "posviz/format/tensor_names.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/format/json_read.h"
#include "posviz/format/tensor.h"

enum { HEADER_BYTES = 8, HEADER_MOST = 4 << 20 };

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), part = strlen(end);
	return len > part && strcmp(text + len - part, end) == 0;
}

/* Returns the header as text; NULL when there is none. */
static char *read_header(int fd, struct arena *a, size_t *len)
{
	unsigned char bytes[HEADER_BYTES];
	uint64_t size = 0;
	if (pread(fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return NULL;
	for (int i = 0; i < HEADER_BYTES; i++)
		size |= (uint64_t)bytes[i] << (8 * i);
	if (size == 0 || size > HEADER_MOST)
		return NULL;
	char *const text = arena_alloc(a, (size_t)size);
	*len = (size_t)size;
	return pread(fd, text, *len, HEADER_BYTES) == (ssize_t)*len ? text : NULL;
}

static const char **names_of_header(int fd, struct arena *a, size_t *n)
{
	size_t len = 0;
	const char *const text = read_header(fd, a, &len);
	const struct json_value *const header = text ? json_parse(a, text, len, NULL) : NULL;
	if (!header || header->kind != JSON_VALUE_OBJECT)
		return NULL;
	const char **const names = arena_calloc(a, header->count + 1, sizeof *names);
	for (size_t i = 0; i < header->count && *n < TENSOR_NAMES_MOST; i++)
		if (strcmp(header->as.items[i].name, "__metadata__") != 0)
			names[(*n)++] = header->as.items[i].name;
	return names;
}

static const char **names_of_all(const char *path, struct arena *a, size_t *n)
{
	struct tensor_set set;
	tensor_set_init(&set, a);
	if (!tensor_read_file(&set, path, NULL))
		return NULL;
	const char **const names = arena_calloc(a, set.count + 1, sizeof *names);
	for (size_t i = 0; i < set.count && *n < TENSOR_NAMES_MOST; i++)
		names[(*n)++] = set.tensors[i].name;
	return names;
}

const char **tensor_names_of(const char *path, struct arena *a, size_t *n)
{
	struct stat st;
	const char **names = NULL;
	*n = 0;
	/* Opening a pipe would block. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (ends_with(path, ".safetensors"))
			names = names_of_header(fd, a, n);
		else if (st.st_size <= TENSOR_NAMES_BYTES)
			names = names_of_all(path, a, n);
	}
	if (fd >= 0)
		close(fd);
	*n = names ? *n : 0;
	return names;
}
