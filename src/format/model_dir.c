/* model_dir.c: the files of a model: an index of shards, the file of tensors in a directory, and
 * directories that hold none which is read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/file_in.h"
#include "format/tensor_file_in.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"
#include "posviz/format/json_read.h"

static const char one_name[] = "model.safetensors", index_name[] = "model.safetensors.index.json";

static bool blame_path(struct err *err, const char *path)
{
	char quoted[TENSOR_FILE_QUOTED];
	return err_prefix(err, "%s: ", text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

/* ---- an index -------------------------------------------------------------------------------- */

/* Refuses names that lead out of the directory of the index. */
static bool check_shard_name(const char *name, struct err *err)
{
	char quoted[TENSOR_FILE_QUOTED];
	return (*name && !strchr(name, '/') && !strstr(name, "..")) ||
	       err_set(err, "the file %s: the name of a file beside the index would be right",
		       text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}

static int compare_names(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

bool model_index_parse(const char *text, size_t len, struct arena *a, struct model_index *out,
		       struct err *err)
{
	const struct json_value *const root = json_parse(a, text, len, err);
	const struct json_value *const map = root ? json_member(root, "weight_map") : NULL;
	if (!root)
		return false;
	if (!map || map->kind != JSON_VALUE_OBJECT || map->count == 0)
		return err_set(err,
			       "\"weight_map\", an object from tensors to files, would be right");
	const char **const files = arena_calloc(a, map->count, sizeof *files);
	*out = (struct model_index){.map = map, .files = files};
	for (size_t i = 0; i < map->count; i++) {
		const struct json_value *const file = &map->as.items[i];
		bool ok = file->kind == JSON_VALUE_STRING ||
			  err_set(err, "its file is not a name in quotes");
		ok = ok && check_shard_name(file->as.string, err);
		if (!ok)
			return tensor_blame_name(err, file->name);
		files[i] = file->as.string;
	}
	qsort(files, map->count, sizeof *files, compare_names);
	for (size_t i = 0; i < map->count; i++)
		if (i == 0 || strcmp(files[i], files[out->n - 1]) != 0)
			files[out->n++] = files[i];
	return true;
}

/* Returns the path of a file beside another. */
static const char *beside(struct arena *a, const char *path, const char *name)
{
	const char *const slash = strrchr(path, '/');
	return slash ? arena_printf(a, "%.*s/%s", (int)(slash - path), path, name) : name;
}

static bool check_present(const char *path, const struct model_index *index, struct arena *a,
			  struct err *err)
{
	size_t missing = 0;
	const char *first = NULL;
	for (size_t i = 0; i < index->n; i++) {
		if (file_exists(beside(a, path, index->files[i])))
			continue;
		first = first ? first : index->files[i];
		missing++;
	}
	return missing == 0 ||
	       err_set(err, "%zu of its %zu files %s missing, %s%s; download %s beside the index",
		       missing, index->n, missing == 1 ? "is" : "are",
		       missing == 1 ? "" : "the first of them ",
		       text_quote(a, first, strlen(first)), missing == 1 ? "it" : "them");
}

/* Checks that each tensor of the index is in the file that the index names for it. */
static bool check_map(const struct tensor_file *f, const struct model_index *index, struct err *err)
{
	for (size_t i = 0; i < index->map->count; i++) {
		const struct json_value *const entry = &index->map->as.items[i];
		const struct tensor_entry *const e = tensor_file_find(f, entry->name);
		const char *const path = e ? f->shards[e->file].path : "";
		const char *const slash = strrchr(path, '/');
		if (e && strcmp(slash ? slash + 1 : path, entry->as.string) == 0)
			continue;
		char quoted[TENSOR_FILE_QUOTED];
		err_set(err, "it is not in %s, where the index has it",
			text_quote_buf(quoted, sizeof quoted, entry->as.string,
				       strlen(entry->as.string)));
		return tensor_blame_name(err, entry->name);
	}
	return true;
}

static bool open_shards(struct tensor_file *f, const char *path, const struct model_index *index,
			struct arena *a, struct err *err)
{
	for (size_t i = 0; i < index->n; i++) {
		const char *const shard = beside(a, path, index->files[i]);
		const size_t first = f->n;
		if (!lfs_check(shard, err) || !tensor_file_add_shard(f, shard, err) ||
		    !safetensors_open(f, err))
			return false;
		packed_mark(f, first);
	}
	return check_map(f, index, err) || blame_path(err, path);
}

bool model_index_open(struct tensor_file *f, const char *path, struct err *err)
{
	struct arena a;
	struct model_index index = {0};
	char *text;
	size_t len;
	arena_init(&a);
	bool ok = file_read(path, TENSOR_FILE_HEADER, &a, &text, &len, err);
	if (ok)
		ok = (model_index_parse(text, len, &a, &index, err) &&
		      check_present(path, &index, &a, err)) ||
		     blame_path(err, path);
	ok = ok && open_shards(f, path, &index, &a, err);
	arena_release(&a);
	return ok;
}

/* ---- a directory ----------------------------------------------------------------------------- */

/* The files in a directory that decide what it is. */
struct found {
	/* The first of each by name; NULL: none. */
	const char *safetensors, *gguf, *weights, *pickle;
	size_t n_safetensors, n_gguf;
	bool one, index, adapter; /* model.safetensors, its index, adapter_config.json */
};

static bool ends_with(const char *name, const char *end)
{
	const size_t len = strlen(name), part = strlen(end);
	return len > part && strcmp(name + len - part, end) == 0;
}

static void take_first(const char **first, const char *name, struct arena *a)
{
	if (!*first || strcmp(name, *first) < 0)
		*first = arena_strdup(a, name);
}

static void take_name(struct found *out, const char *name, struct arena *a)
{
	static const char *const pickles[] = {".bin", ".pt", ".pth", ".ckpt"};
	out->one |= strcmp(name, one_name) == 0;
	out->index |= strcmp(name, index_name) == 0;
	out->adapter |= strcmp(name, "adapter_config.json") == 0;
	if (ends_with(name, ".safetensors")) {
		take_first(&out->safetensors, name, a);
		out->n_safetensors++;
	} else if (ends_with(name, ".gguf")) {
		take_first(&out->gguf, name, a);
		out->n_gguf++;
	}
	/* Beside the weights there are pickles of the training. */
	const char *const usual = "pytorch_model";
	for (size_t i = 0; i < sizeof pickles / sizeof *pickles; i++)
		if (ends_with(name, pickles[i]))
			take_first(strncmp(name, usual, strlen(usual)) == 0 ? &out->weights
									    : &out->pickle,
				   name, a);
}

static bool look_into(const char *path, struct found *out, struct arena *a, struct err *err)
{
	*out = (struct found){0};
	const char *name;
	for (size_t i = 0; (name = disk_inside_name(path, i)) != NULL; i++)
		take_name(out, name, a);
	if (disk_is_inside(path))
		return true;
	DIR *const dir = opendir(path);
	if (!dir)
		return file_fail(err, "read", path, file_reason(errno));
	for (const struct dirent *e; (e = readdir(dir)) != NULL;)
		take_name(out, e->d_name, a);
	closedir(dir);
	return true;
}

/* Says why nothing in the directory is opened. */
static bool none(const char *path, const struct found *in, struct err *err)
{
	char quoted[TENSOR_FILE_QUOTED];
	const char *const pickle = in->weights ? in->weights : in->pickle ? in->pickle : "";
	text_quote_buf(quoted, sizeof quoted, pickle, strlen(pickle));
	if (in->adapter)
		err_set(err, "an adapter without the model that it changes; in Python, "
			     "merge_and_unload().save_pretrained(DIR) writes both as one");
	else if (in->n_safetensors + in->n_gguf > 1)
		err_set(err,
			"it has several files of tensors; one of them, such as %s, would be right",
			text_quote_buf(quoted, sizeof quoted,
				       in->safetensors ? in->safetensors : in->gguf,
				       strlen(in->safetensors ? in->safetensors : in->gguf)));
	else if (*pickle)
		err_set(err,
			"its weights are in %s alone, a pickle, which runs programs and is not "
			"read; in Python, save_pretrained(DIR, safe_serialization=True) writes "
			"model.safetensors",
			quoted);
	else
		err_set(err, "there is no file of tensors in it; %s would be right", one_name);
	return blame_path(err, path);
}

bool model_dir_open(struct tensor_file *f, const char *path, struct err *err)
{
	struct arena a;
	struct found in;
	arena_init(&a);
	bool ok = look_into(path, &in, &a, err);
	const bool alone = in.n_safetensors + in.n_gguf == 1 && !in.adapter;
	const char *const name = !ok		  ? NULL
				 : in.one	  ? one_name
				 : in.index	  ? index_name
				 : !alone	  ? NULL
				 : in.safetensors ? in.safetensors
						  : in.gguf;
	if (ok)
		ok = name ? tensor_file_open_into(f,
						  arena_printf(&a, "%s%s%s", path,
							       ends_with(path, "/") ? "" : "/",
							       name),
						  err)
			  : none(path, &in, err);
	arena_release(&a);
	return ok;
}

/* ---- files that stand for others ------------------------------------------------------------- */

bool lfs_check(const char *path, struct err *err)
{
	static const char mark[] = "version https://git-lfs.github.com/spec/";
	char head[sizeof mark - 1];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const bool pointer = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head &&
			     memcmp(head, mark, sizeof head) == 0;
	if (fd >= 0)
		close(fd);
	if (!pointer)
		return true;
	err_set(err, "a pointer of Git LFS that stands for the file; git lfs pull fetches it");
	return blame_path(err, path);
}

/* Endings of tensors that hold packed weights, and what packs them. The integers are no weights
 * without the tensors beside them. */
static const struct {
	const char *ending, *by;
} packings[] = {
	{".qweight", "GPTQ or AWQ"},
	{".qzeros", "GPTQ or AWQ"},
	{".weight_packed", "compressed-tensors"},
};

/* Endings of tensors that tell that the one with the name before the ending is packed. */
static const struct {
	const char *ending, *of;
} witnesses[] = {
	{".absmax", ""},
	{".SCB", ".weight"},
};

static void mark(struct tensor_file *f, struct tensor_entry *e, const char *by)
{
	e->unread = arena_printf(f->own,
				 "it is packed by %s, which is not read; the model before "
				 "it was quantized would be right",
				 by);
}

static void mark_witnessed(struct tensor_file *f, const char *witness, struct arena *a)
{
	for (size_t i = 0; i < sizeof witnesses / sizeof *witnesses; i++) {
		if (!ends_with(witness, witnesses[i].ending))
			continue;
		const size_t stem = strlen(witness) - strlen(witnesses[i].ending);
		const struct tensor_entry *const e = tensor_file_find(
			f, arena_printf(a, "%.*s%s", (int)stem, witness, witnesses[i].of));
		if (e && e->integer)
			mark(f, &f->entries[e - f->entries], "bitsandbytes");
	}
}

void packed_mark(struct tensor_file *f, size_t first)
{
	struct arena a;
	arena_init(&a);
	for (size_t i = first; i < f->n; i++) {
		struct tensor_entry *const e = &f->entries[i];
		for (size_t k = 0; k < sizeof packings / sizeof *packings; k++)
			if (ends_with(e->name, packings[k].ending))
				mark(f, e, packings[k].by);
		mark_witnessed(f, e->name, &a);
		arena_clear(&a);
	}
	arena_release(&a);
}

const char *tensor_file_packed(const struct tensor_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->entries[i].unread && f->entries[i].element != ELEMENT_KINDS)
			return f->entries[i].unread;
	return NULL;
}
