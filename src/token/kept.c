/* kept.c: tokenizers by the files that they are read from, kept between texts. Files that were written
 * again since are read again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "posviz/base/text.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor_file.h"
#include "token/token_in.h"

enum { MOST_KEPT = 4, MOST_BYTES = 256 << 20, MOST_CONFIG = 16 << 20 };

/* ---- reading ----------------------------------------------------------------------------------- */

enum source { SOURCE_JSON, SOURCE_PAIRS, SOURCE_TXT, SOURCE_SPM, SOURCE_GGUF, SOURCES };

/* Names of files in a model's directory; the first that is there is read. */
static const struct {
	const char *name;
	enum source source;
} files[] = {
	{"tokenizer.json", SOURCE_JSON},
	{"vocab.json", SOURCE_PAIRS},
	{"vocab.txt", SOURCE_TXT},
	{"tokenizer.model", SOURCE_SPM},
	{"spm.model", SOURCE_SPM},
	{"spiece.model", SOURCE_SPM},
	{"sentencepiece.bpe.model", SOURCE_SPM},
};
/* Files that are read beside some of them. */
enum companion { MERGES, TOKENIZER_CONFIG, MODEL_CONFIG, COMPANIONS };
static const char *const companions[COMPANIONS] = {
	[MERGES] = "merges.txt",
	[TOKENIZER_CONFIG] = "tokenizer_config.json",
	[MODEL_CONFIG] = "config.json",
};

/* Returns the path of a file beside another. */
static const char *beside(const char *file, const char *name, struct arena *a)
{
	const char *const slash = strrchr(file, '/');
	return arena_printf(a, "%.*s%s", slash ? (int)(slash - file) + 1 : 0, file, name);
}

/* Returns the tokenizer's file of a model, its own path if it is a file; NULL: a directory has none. */
static const char *file_of(const char *path, enum source *source, struct arena *a)
{
	struct stat st;
	*source = SOURCE_GGUF;
	if (disk_stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return path;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const char *const name = arena_printf(a, "%s/%s", path, files[i].name);
		*source = files[i].source;
		if (file_exists(name) &&
		    (*source != SOURCE_PAIRS || file_exists(beside(name, companions[MERGES], a))))
			return name;
	}
	return NULL;
}

static bool ends(const char *name, const char *with)
{
	const size_t n = strlen(name), tail = strlen(with);
	return n >= tail && strcmp(name + n - tail, with) == 0;
}

static struct tokenizer *new_tokenizer(const char *path)
{
	struct tokenizer *const t = calloc(1, sizeof *t);
	if (!t)
		die("no memory for a tokenizer");
	arena_init(&t->own);
	t->path = arena_strdup(&t->own, path);
	tokenizer_begin(t);
	return t;
}

void tokenizer_free(struct tokenizer *t)
{
	if (!t)
		return;
	arena_release(&t->own);
	free(t);
}

static bool read_source(struct tokenizer *t, enum source source, const struct token_files *from,
			const struct tensor_file *f, struct err *err)
{
	switch (source) {
	case SOURCE_JSON:
		return read_tokenizer_json(t, from->data.at, from->data.len, err);
	case SOURCE_PAIRS:
		return read_vocab_json(t, from, err);
	case SOURCE_TXT:
		return read_vocab_txt(t, from, err);
	case SOURCE_SPM:
		return read_spm_model(t, from, err);
	default:
		return read_gguf_vocabulary(t, f, err);
	}
}

/* Frees the tokenizer and says in which file the error is. */
static void blame(struct tokenizer *t, struct err *err)
{
	char quoted[200];
	err_prefix(err, "%s: ", text_quote_buf(quoted, sizeof quoted, t->path, strlen(t->path)));
	tokenizer_free(t);
}

struct tokenizer *tokenizer_of_bytes(const char *name, const char *data, size_t len,
				     struct err *err)
{
	const struct token_files given = {.data = {data, len}};
	const enum source source = ends(name, ".json")	 ? SOURCE_JSON
				   : ends(name, ".txt")	 ? SOURCE_TXT
				   : ends(name, ".gguf") ? SOURCE_GGUF
							 : SOURCE_SPM;
	struct tensor_file *const f =
		source == SOURCE_GGUF ? tensor_file_open_bytes(name, data, len, err) : NULL;
	if (source == SOURCE_GGUF && !f)
		return NULL;
	struct tokenizer *const t = new_tokenizer(name);
	const bool ok = read_source(t, source, &given, f, err);
	tensor_file_close(f);
	if (ok)
		return t;
	blame(t, err);
	return NULL;
}

/* Reads a file of JSON beside another, if it is there; *out NULL: it is not. */
static bool read_json_beside(const char *file, const char *name, struct arena *a,
			     const struct json_value **out, struct err *err)
{
	const char *const path = beside(file, name, a);
	char *text;
	size_t len;
	*out = NULL;
	if (!file_exists(path))
		return true;
	if (!file_read(path, MOST_CONFIG, a, &text, &len, err))
		return false;
	*out = json_parse(a, text, len, err);
	return *out || err_prefix(err, "%s: ", name);
}

/* Reads a file and what belongs to it. The tokenizer keeps texts of the latter, so they are in `a`, which
 * lives as long as it does. */
static bool read_files(const char *file, enum source source, struct token_files *out,
		       struct arena *scratch, struct arena *a, struct err *err)
{
	char *text = NULL;
	*out = (struct token_files){0};
	if (!file_read(file, MOST_BYTES, scratch, &text, &out->data.len, err))
		return false;
	out->data.at = text;
	if (source == SOURCE_JSON)
		return true;
	if (!read_json_beside(file, companions[TOKENIZER_CONFIG], a, &out->config, err) ||
	    (source != SOURCE_TXT &&
	     !read_json_beside(file, companions[MODEL_CONFIG], a, &out->model, err)))
		return false;
	if (source != SOURCE_PAIRS)
		return true;
	if (!file_read(beside(file, companions[MERGES], scratch), MOST_BYTES, scratch, &text,
		       &out->merges.len, err))
		return false;
	out->merges.at = text;
	return true;
}

static struct tokenizer *read_file(const char *file, enum source source, struct err *err)
{
	struct tokenizer *t = new_tokenizer(file);
	struct token_files from;
	struct tensor_file *f = NULL;
	struct arena scratch;
	arena_init(&scratch);
	const bool ok = source == SOURCE_GGUF
				? (f = tensor_file_open(file, err)) != NULL
				: read_files(file, source, &from, &scratch, &t->own, err);
	if (!ok) {
		tokenizer_free(t);
		t = NULL;
	} else if (!read_source(t, source, &from, f, err)) {
		blame(t, err);
		t = NULL;
	}
	tensor_file_close(f);
	arena_release(&scratch);
	return t;
}

/* ---- keeping ----------------------------------------------------------------------------------- */

/* The state of a file when it was read, by which a later version is recognised; all 0: the file is not there. */
struct state {
	dev_t device;
	ino_t number;
	off_t size;
	struct timespec written;
};

static struct kept {
	struct tokenizer *t; /* NULL: it could not be read, or the place is empty */
	char *path;	     /* NULL: the place is empty */
	struct err why;
	struct state seen[1 + COMPANIONS]; /* of the file and of those beside it */
	size_t held, used;		   /* by how many; when */
} kept[MOST_KEPT];
static size_t uses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct state state_of(const char *path)
{
	struct stat st;
	return disk_stat(path, &st) == 0
		       ? (struct state){st.st_dev, st.st_ino, st.st_size, st.st_mtim}
		       : (struct state){0};
}

static void look_at(const char *file, struct arena *a, struct state out[1 + COMPANIONS])
{
	out[0] = state_of(file);
	for (size_t i = 0; i < COMPANIONS; i++)
		out[1 + i] = state_of(beside(file, companions[i], a));
}

static bool same_state(const struct state *x, const struct state *y)
{
	return x->device == y->device && x->number == y->number && x->size == y->size &&
	       x->written.tv_sec == y->written.tv_sec && x->written.tv_nsec == y->written.tv_nsec;
}

static bool same(const struct kept *k, const char *file, const struct state now[1 + COMPANIONS])
{
	bool all = k->path && strcmp(k->path, file) == 0;
	for (size_t i = 0; all && i < 1 + COMPANIONS; i++)
		all = same_state(&k->seen[i], &now[i]);
	return all;
}

/* Returns the place that was not used for longest and that nobody holds; NULL: all are held. */
static struct kept *free_place(void)
{
	struct kept *best = NULL;
	for (size_t i = 0; i < MOST_KEPT; i++)
		if (!kept[i].path)
			return &kept[i];
	for (size_t i = 0; i < MOST_KEPT; i++)
		if (kept[i].held == 0 && (!best || kept[i].used < best->used))
			best = &kept[i];
	return best;
}

static const struct tokenizer *hold_file(const char *file, enum source source, struct arena *a,
					 struct err *err)
{
	struct state now[1 + COMPANIONS];
	struct kept *k = NULL;
	look_at(file, a, now);
	if (same_state(&now[0], &(struct state){0})) {
		file_read(file, 0, NULL, NULL, NULL, err);
		return NULL;
	}
	for (size_t i = 0; !k && i < MOST_KEPT; i++)
		k = same(&kept[i], file, now) ? &kept[i] : NULL;
	if (!k) {
		k = free_place();
		BUG_IF(!k);
		tokenizer_free(k->t);
		free(k->path);
		*k = (struct kept){.path = strdup(file)};
		if (!k->path)
			die("no memory for a path");
		memcpy(k->seen, now, sizeof now);
		k->t = read_file(file, source, &k->why);
	}
	k->used = ++uses;
	k->held += k->t != NULL;
	if (!k->t)
		err_set(err, "%s", k->why.text);
	return k->t;
}

const struct tokenizer *tokenizer_hold(const char *path, struct err *err)
{
	enum source source;
	struct arena a;
	char quoted[200];
	arena_init(&a);
	const char *const file = file_of(path, &source, &a);
	const struct tokenizer *t = NULL;
	if (!file) {
		err_set(err,
			"%s has no tokenizer; ids come from Python: from transformers import "
			"AutoTokenizer; t = AutoTokenizer.from_pretrained(NAME); "
			"print(*t(TEXT)[\"input_ids\"]); then --ids, or --token-file FILE",
			text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
	} else {
		pthread_mutex_lock(&lock);
		t = hold_file(file, source, &a, err);
		pthread_mutex_unlock(&lock);
	}
	arena_release(&a);
	return t;
}

void tokenizer_drop(const struct tokenizer *t)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; t && i < MOST_KEPT; i++)
		if (kept[i].t == t)
			kept[i].held--;
	pthread_mutex_unlock(&lock);
}

bool tokenizer_is_there(const char *path)
{
	enum source source;
	struct arena a;
	arena_init(&a);
	const char *const file = file_of(path, &source, &a);
	bool there = file != NULL;
	if (there && source == SOURCE_GGUF) {
		struct tensor_file *const f = tensor_file_open(file, NULL);
		there = f && tensor_file_value(f, "tokenizer.ggml.tokens");
		tensor_file_close(f);
	}
	arena_release(&a);
	return there;
}
