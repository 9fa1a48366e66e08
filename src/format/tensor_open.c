/* tensor_open.c: the reader for a file of tensors, numbers that are read when they are needed, and
 * the choice of one tensor. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "format/file_in.h"
#include "format/tensor_file_in.h"
#include "format/tensor_read.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"

enum { QUOTED = 256 };

static const size_t max_file = (size_t)1 << 30;

/* Bytes of numbers that are read from a file for which nobody says how many may be. */
static const double usual_limit = 2e9;

typedef bool reader_fn(struct tensor_set *set, const char *name, const void *data, size_t len,
		       struct err *err);

/* The reader of each kind. JSON of unknown kind goes to the JSON reader, which says what is
 * wrong. */
static const struct {
	enum kind_id kind;
	reader_fn *read;
} formats[] = {
	{KIND_NPZ, tensor_read_npz},   {KIND_NPY, tensor_read_npy},
	{KIND_TABLE, tensor_read_csv}, {KIND_TENSORS, tensor_read_json},
	{KIND_JSON, tensor_read_json},
};

#define PYTORCH                                                                   \
	"PyTorch's own files are pickles, which run programs, and are not read; " \
	"safetensors.torch.save_file({\"name\": t}, FILE) or numpy.save(FILE, "   \
	"t.detach().float().numpy()) writes what is"
#define READ                                                                                \
	"the name must end in .safetensors, .gguf, .npz, .npy, .csv, .tsv or .json, or be " \
	"the directory of a model"

/* Suffixes of other programs' files, and how to convert them. */
static const struct {
	const char *ending, *advice;
} others[] = {
	{".pt", PYTORCH},
	{".pth", PYTORCH},
	{".bin", PYTORCH},
	{".ckpt", PYTORCH},
	{".pkl", "a pickle runs programs and is not read; numpy.save(FILE, array, "
		 "allow_pickle=False) writes what is"},
};

static bool has_ending(const char *path, const char *ending)
{
	const size_t len = strlen(path), tail = strlen(ending);
	return len >= tail && strcmp(path + len - tail, ending) == 0;
}

static reader_fn *reader_of_kind(const struct kind *kind)
{
	for (size_t i = 0; kind != NULL && i < sizeof formats / sizeof *formats; i++)
		if (formats[i].kind == kind->id)
			return formats[i].read;
	return NULL;
}

/* Returns how to convert a file of another program; NULL: its name does not tell. */
static const char *foreign(const char *path)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (has_ending(path, others[i].ending))
			return others[i].advice;
	return NULL;
}

static bool refuse_name(const char *path, struct err *err)
{
	const bool stream = strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0;
	const char *const advice =
		foreign(path) ? foreign(path)
		: stream      ? "a tensor is not read from a stream, as nobody could compute the "
				"figure again; give a file: " READ
			      : READ;
	err_set(err, "%s%s", stream || file_exists(path) ? "" : "there is no such file; ", advice);
	return tensor_blame(err, path);
}

/* Kinds of files whose numbers stay in them until they are needed. */
static bool stays(enum kind_id id)
{
	return id == KIND_SAFETENSORS || id == KIND_GGUF || id == KIND_MODEL_INDEX ||
	       id == KIND_MODEL_DIR || id == KIND_DIRECTORY;
}

static bool reads(const struct kind *kind)
{
	return kind && (stays(kind->id) || reader_of_kind(kind));
}

/* A file of which some numbers were read. */
struct tensor_source {
	const struct tensor_file *file;
	size_t loaded; /* bytes of numbers that the set has got */
};

/* Adds the tensors of an opened file without their numbers. */
static bool take_file(struct tensor_set *set, const char *path, struct err *err)
{
	const struct tensor_file *const f = tensor_file_open_in(set->arena, path, err);
	if (!f)
		return false;
	for (size_t i = 0; i < tensor_file_value_count(f); i++) {
		const struct file_value *const v = tensor_file_value_at(f, i);
		if (v->kind == FILE_VALUE_TEXT)
			tensor_set_add_meta(set, v->key, v->text);
	}
	set->source = arena_calloc(set->arena, 1, sizeof *set->source);
	set->source->file = f;
	for (size_t i = 0; i < tensor_file_count(f); i++)
		if (!tensor_add_entry(set, tensor_file_at(f, i), err))
			return tensor_blame(err, path);
	return true;
}

static bool read_whole(struct tensor_set *set, const char *path, reader_fn *read, struct err *err)
{
	struct arena scratch;
	char *data;
	size_t len;
	arena_init(&scratch);
	const bool ok = file_read(path, max_file, &scratch, &data, &len, err) &&
			read(set, path, data, len, err);
	arena_release(&scratch);
	return ok;
}

/* Reads a regular file, by its first bytes, else by its suffix. */
static bool read_regular(struct tensor_set *set, const char *path, struct err *err)
{
	struct kind_seen seen = {0};
	const struct kind *const named = kind_by_name(path);
	if (!lfs_check(path, err) || !kind_of_file(path, NULL, &seen, err))
		return false;
	/* The reader itself explains best what is wrong with an empty file. */
	const struct kind *const k = seen.kind->id == KIND_EMPTY && named ? named : seen.kind;
	if (stays(k->id))
		return take_file(set, path, err);
	reader_fn *const read = reader_of_kind(k);
	if (read && (k->id != KIND_JSON || reads(named)))
		return read_whole(set, path, read, err);
	const bool unknown = k->id == KIND_TEXT || k->id == KIND_JSON || k->id == KIND_BINARY;
	return unknown && !reads(named) ? refuse_name(path, err)
					: kind_refuse(&seen, "params", path, err);
}

bool tensor_read_file(struct tensor_set *set, const char *path, struct err *err)
{
	struct stat st;
	const bool there = disk_stat(path, &st) == 0;
	const int code = errno;
	if (there && S_ISDIR(st.st_mode))
		return take_file(set, path, err);
	if (!reads(kind_by_name(path)) && (!there || !S_ISREG(st.st_mode) || foreign(path)))
		return refuse_name(path, err);
	if (!there)
		return file_fail(err, "read", path, file_reason(code));
	if (!S_ISREG(st.st_mode))
		return file_fail(err, "read", path, "it is no regular file");
	return read_regular(set, path, err);
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool tensor_load_rows(const struct tensor_set *set, const struct tensor *t, size_t first, size_t n,
		      double *out, struct err *err)
{
	const struct mat m = tensor_mat(t);
	BUG_IF(first > m.rows || n > m.rows - first || (!t->at && !t->entry));
	if (!t->at)
		return tensor_file_rows(set->source->file, t->entry, first, n, out, err);
	if (n * m.cols > 0)
		memcpy(out, t->at + first * m.cols, n * m.cols * sizeof *out);
	return true;
}

bool tensor_load_fits(const struct tensor_set *set, const struct tensor *t, size_t rows,
		      struct err *err)
{
	char quoted[QUOTED];
	double none;
	if (t->at)
		return true;
	/* Nobody has checked the shape of a tensor that is not read. */
	if (t->entry->unread)
		return tensor_file_rows(set->source->file, t->entry, 0, 0, &none, err);
	const double limit = set->limit > 0 ? (double)set->limit : usual_limit;
	const double all = (double)set->source->loaded +
			   (double)rows * (double)tensor_mat(t).cols * sizeof(double);
	if (all <= limit)
		return true;
	char advice[64] = "";
	if (set->limit > 0)
		snprintf(advice, sizeof advice, "; memory %.1fG would allow it",
			 ceil(all / 1e8) / 10);
	err_set(err,
		"with tensor %s the numbers that are read take %.0f MB, above the limit of %.0f "
		"MB%s",
		text_quote_buf(quoted, sizeof quoted, t->name, strlen(t->name)), all / 1e6,
		limit / 1e6, advice);
	return tensor_blame(err, tensor_file_path(set->source->file));
}

const struct tensor *tensor_load(const struct tensor_set *set, const struct tensor *t,
				 struct arena *a, struct err *err)
{
	const struct mat m = tensor_mat(t);
	if (t->at)
		return t;
	if (!tensor_load_fits(set, t, m.rows, err))
		return NULL;
	double *const at = arena_alloc(a, m.rows * m.cols * sizeof *at);
	if (!tensor_load_rows(set, t, 0, m.rows, at, err))
		return NULL;
	struct tensor *const own =
		a == set->arena ? &set->tensors[t - set->tensors] : arena_calloc(a, 1, sizeof *own);
	*own = *t;
	own->at = at;
	set->source->loaded += a == set->arena ? m.rows * m.cols * sizeof *at : 0;
	return own;
}

/* ---- one tensor of a file -------------------------------------------------------------------- */

/* Refuses a path that is neither a regular file nor a directory, which might block for ever; a
 * missing file is reported by the reader. */
static bool check_regular(const char *path, struct err *err)
{
	struct stat st;
	if (disk_stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return true;
	err_set(err, "no regular file");
	return tensor_blame(err, path);
}

/* Returns the colon of FILE:TENSOR; NULL: the whole is a path. */
static const char *tensor_colon(const char *spec, struct arena *a)
{
	const char *const colon = file_exists(spec) ? NULL : strrchr(spec, ':');
	if (!colon)
		return NULL;
	const char *const path = arena_strndup(a, spec, (size_t)(colon - spec));
	return reads(kind_by_name(path)) || file_exists(path) ? colon : NULL;
}

static const struct tensor *find_usual(const struct tensor_set *set, const char *const *usual)
{
	for (; *usual != NULL; usual++) {
		const struct tensor *t = tensor_find(set, *usual);
		if (t != NULL)
			return t;
	}
	return set->count == 1 ? &set->tensors[0] : NULL;
}

bool tensor_choose(struct tensor_set *set, const char *spec, const char *const *usual,
		   const struct tensor **out, struct err *err)
{
	const char *const colon = tensor_colon(spec, set->arena);
	const char *const path =
		colon != NULL ? arena_strndup(set->arena, spec, (size_t)(colon - spec)) : spec;
	if (!check_regular(path, err) || !tensor_read_file(set, path, err))
		return false;
	*out = colon != NULL ? tensor_find(set, colon + 1) : find_usual(set, usual);
	if (*out != NULL)
		return true;
	const char *names = tensor_names(set, colon != NULL ? colon + 1 : NULL, set->arena);
	if (set->count == 0)
		err_set(err, "there is no tensor in it");
	else if (colon != NULL)
		err_set(err, "no tensor %s; there is %s",
			text_quote_whole(set->arena, colon + 1, strlen(colon + 1)), names);
	else
		err_set(err, "several tensors (%s); give FILE:TENSOR", names);
	return tensor_blame(err, path);
}

bool tensor_read_one(struct tensor_set *set, const char *spec, const char *const *usual,
		     const struct tensor **out, struct err *err)
{
	return tensor_choose(set, spec, usual, out, err) &&
	       (*out = tensor_load(set, *out, set->arena, err)) != NULL;
}
