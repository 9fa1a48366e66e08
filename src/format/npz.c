/* npz.c: numpy's archives of arrays: a zip file in which NAME.npy is the array NAME, stored or
 * deflated.
 *
 * The only file that uses libzip, which is loaded when the first archive is read or written:
 * linked to the program it would pull in libcrypto, and a fifth of the start-up time. Sizes that
 * an archive claims are checked before memory is allocated for them. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include <zip.h>

#include "posviz/format/json_read.h"
#include "format/tensor_read.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"

/* ---- the library ----------------------------------------------------------------------------- */

#ifndef ZIP_LIBRARY /* the Makefile knows the library's name for dlopen */
#define ZIP_LIBRARY "libzip.so"
#endif

static struct {
	pthread_once_t once;
	bool loaded;
	int (*close)(zip_t *);
	void (*discard)(zip_t *);
	void (*error_fini)(zip_error_t *);
	void (*error_init)(zip_error_t *);
	const char *(*error_strerror)(zip_error_t *);
	int (*fclose)(zip_file_t *);
	zip_int64_t (*file_add)(zip_t *, const char *, zip_source_t *, zip_flags_t);
	int (*file_set_dostime)(zip_t *, zip_uint64_t, zip_uint16_t, zip_uint16_t, zip_flags_t);
	zip_file_t *(*fopen_index)(zip_t *, zip_uint64_t, zip_flags_t);
	zip_int64_t (*fread)(zip_file_t *, void *, zip_uint64_t);
	zip_int64_t (*get_num_entries)(zip_t *, zip_flags_t);
	zip_t *(*open_from_source)(zip_source_t *, int, zip_error_t *);
	int (*set_file_compression)(zip_t *, zip_uint64_t, zip_int32_t, zip_uint32_t);
	int (*source_close)(zip_source_t *);
	void (*source_keep)(zip_source_t *);
	int (*source_open)(zip_source_t *);
	zip_int64_t (*source_read)(zip_source_t *, void *, zip_uint64_t);
	int (*source_stat)(zip_source_t *, zip_stat_t *);
	zip_source_t *(*source_buffer_create)(const void *, zip_uint64_t, int, zip_error_t *);
	void (*source_free)(zip_source_t *);
	int (*stat_index)(zip_t *, zip_uint64_t, zip_flags_t, zip_stat_t *);
	const char *(*strerror)(zip_t *);
} lib = {.once = PTHREAD_ONCE_INIT};

static const struct {
	const char *name;
	void *to; /* address of the function pointer to set */
} calls[] = {
	{"zip_close", &lib.close},
	{"zip_discard", &lib.discard},
	{"zip_error_fini", &lib.error_fini},
	{"zip_error_init", &lib.error_init},
	{"zip_error_strerror", &lib.error_strerror},
	{"zip_fclose", &lib.fclose},
	{"zip_file_add", &lib.file_add},
	{"zip_file_set_dostime", &lib.file_set_dostime},
	{"zip_fopen_index", &lib.fopen_index},
	{"zip_fread", &lib.fread},
	{"zip_get_num_entries", &lib.get_num_entries},
	{"zip_open_from_source", &lib.open_from_source},
	{"zip_set_file_compression", &lib.set_file_compression},
	{"zip_source_close", &lib.source_close},
	{"zip_source_keep", &lib.source_keep},
	{"zip_source_open", &lib.source_open},
	{"zip_source_read", &lib.source_read},
	{"zip_source_stat", &lib.source_stat},
	{"zip_source_buffer_create", &lib.source_buffer_create},
	{"zip_source_free", &lib.source_free},
	{"zip_stat_index", &lib.stat_index},
	{"zip_strerror", &lib.strerror},
};

static void load(void)
{
	void *const library = dlopen(ZIP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	lib.loaded = library != NULL;
	for (size_t i = 0; lib.loaded && i < sizeof calls / sizeof *calls; i++) {
		void *const call = dlsym(library, calls[i].name);
		lib.loaded = call != NULL;
		memcpy(calls[i].to, &call, sizeof call);
	}
}

static bool is_loaded(struct err *err)
{
	pthread_once(&lib.once, load);
	return lib.loaded ||
	       err_set(err, "npz files need libzip, and %s cannot be loaded", ZIP_LIBRARY);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const zip_uint64_t most_bytes = (zip_uint64_t)1 << 30; /* of all arrays, unpacked */

static bool zip_trouble(struct err *err, zip_error_t *error)
{
	err_set(err, "not an npz file that can be read: %s", lib.error_strerror(error));
	lib.error_fini(error);
	return false;
}

/* Reads all bytes of an entry, which must have the size that it claims; NULL with an error. */
static unsigned char *unpack(zip_t *zip, zip_uint64_t i, size_t size, struct arena *a,
			     struct err *err)
{
	zip_file_t *const file = lib.fopen_index(zip, i, 0);
	if (!file) {
		err_set(err, "%s", lib.strerror(zip));
		return NULL;
	}
	unsigned char *const bytes = arena_alloc(a, size + 1);
	const zip_int64_t got = lib.fread(file, bytes, size);
	/* libzip compares the checksum only when it reads past the last byte. */
	const bool ended = lib.fread(file, bytes + size, 1) == 0;
	const int closed = lib.fclose(file);
	if (got == (zip_int64_t)size && ended && closed == 0)
		return bytes;
	err_set(err, "it is damaged");
	return NULL;
}

/* Returns "layers/0/attention.npy" without the ending; NULL: not an array. */
static const char *array_name(const char *entry, struct arena *a)
{
	static const char ending[] = ".npy";
	const size_t len = strlen(entry), tail = strlen(ending);
	const bool is_array = len > tail && strcmp(entry + len - tail, ending) == 0;
	return is_array ? arena_strndup(a, entry, len - tail) : NULL;
}

static const char metadata_name[] = "metadata";

/* Reads metadata, an object in a text: strings as they are, other values as compact JSON. */
static bool read_metadata(struct tensor_set *set, const unsigned char *bytes, size_t len,
			  struct arena *a)
{
	const char *const text = npy_text(bytes, len, a);
	const struct json_value *const all = text ? json_parse(a, text, strlen(text), NULL) : NULL;
	if (!all || all->kind != JSON_VALUE_OBJECT)
		return false;
	for (size_t i = 0; i < all->count; i++) {
		const struct json_value *const v = &all->as.items[i];
		const char *const value =
			v->kind == JSON_VALUE_STRING ? v->as.string : json_value_text(v, a);
		if (!value)
			return false;
		if (v->kind == JSON_VALUE_STRING)
			tensor_set_add_meta(set, v->name, value);
		else
			tensor_set_add_meta_json(set, v->name, value);
	}
	return true;
}

static bool read_array(struct tensor_set *set, const char *name, const unsigned char *bytes,
		       size_t len, struct arena *a, struct err *err)
{
	return (strcmp(name, metadata_name) == 0 && read_metadata(set, bytes, len, a)) ||
	       npy_read(set, name, bytes, len, err);
}

static bool read_entry(struct tensor_set *set, zip_t *zip, zip_uint64_t i, zip_uint64_t *total,
		       struct err *err)
{
	zip_stat_t st;
	struct arena a;
	bool ok = true;
	if (lib.stat_index(zip, i, 0, &st) != 0 || !(st.valid & ZIP_STAT_NAME) ||
	    !(st.valid & ZIP_STAT_SIZE))
		return err_set(err, "entry %llu of it says neither name nor size",
			       (unsigned long long)i + 1);
	arena_init(&a);
	const char *const name = array_name(st.name, &a);
	if (name && st.size > most_bytes - *total) {
		ok = err_set(err, "its arrays take more than %llu MB",
			     (unsigned long long)(most_bytes >> 20));
	} else if (name) {
		*total += st.size;
		const unsigned char *const bytes = unpack(zip, i, (size_t)st.size, &a, err);
		ok = bytes && read_array(set, name, bytes, (size_t)st.size, &a, err);
		if (!ok)
			err_prefix(err, "array %s: ", text_quote(&a, name, strlen(name)));
	}
	arena_release(&a);
	return ok;
}

static bool read_archive(struct tensor_set *set, const void *data, size_t len, struct err *err)
{
	zip_error_t error;
	zip_uint64_t total = 0;
	bool ok = true;
	if (!is_loaded(err))
		return false;
	lib.error_init(&error);
	zip_source_t *const source = lib.source_buffer_create(data, len, 0, &error);
	if (!source)
		return zip_trouble(err, &error);
	zip_t *const zip = lib.open_from_source(source, ZIP_RDONLY, &error);
	if (!zip) {
		lib.source_free(source);
		return zip_trouble(err, &error);
	}
	const zip_int64_t n = lib.get_num_entries(zip, 0);
	for (zip_int64_t i = 0; i < n && ok; i++)
		ok = read_entry(set, zip, (zip_uint64_t)i, &total, err);
	lib.discard(zip);
	lib.error_fini(&error);
	return ok;
}

bool tensor_read_npz(struct tensor_set *set, const char *name, const void *data, size_t len,
		     struct err *err)
{
	const size_t before = set->count;
	if (!read_archive(set, data, len, err))
		return tensor_blame(err, name);
	if (set->count > before)
		return true;
	err_set(err, "there is no array in it; numpy.savez(FILE, name=array) puts some there");
	return tensor_blame(err, name);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Midnight of 1 January 1980, the first day that a zip file can name, in no time zone. */
enum { DOS_TIME = 0, DOS_DATE = 1 << 5 | 1 };

static bool zip_failed(struct err *err, const char *why)
{
	return err_set(err, "cannot make an npz file: %s", why);
}

/* Adds an array as NAME.npy; its bytes are read when the archive is closed. */
static bool add_file(zip_t *zip, const char *name, const void *bytes, size_t len, struct arena *a,
		     struct err *err)
{
	zip_error_t error;
	lib.error_init(&error);
	zip_source_t *const from = lib.source_buffer_create(bytes, len, 0, &error);
	lib.error_fini(&error);
	const zip_int64_t at =
		from ? lib.file_add(zip, arena_printf(a, "%s.npy", name), from, ZIP_FL_ENC_UTF_8)
		     : -1;
	if (from && at < 0)
		lib.source_free(from);
	return (at >= 0 && lib.set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0) == 0 &&
		lib.file_set_dostime(zip, (zip_uint64_t)at, DOS_TIME, DOS_DATE, 0) == 0) ||
	       zip_failed(err, lib.strerror(zip));
}

static bool add_metadata(zip_t *zip, const struct tensor_set *set, struct arena *a, struct err *err)
{
	size_t len;
	if (set->meta_count == 0)
		return true;
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	meta_write(set, true, w);
	json_writer_end(w);
	const unsigned char *const bytes = npy_of_text(json_writer_done(w, 0), a, &len);
	return add_file(zip, metadata_name, bytes, len, a, err);
}

static bool add_files(zip_t *zip, const struct tensor_set *set, struct arena *a, struct err *err)
{
	for (size_t i = 0; i < set->count; i++) {
		char *data;
		size_t len;
		if (!tensor_write_npy(&set->tensors[i], a, &data, &len, err) ||
		    !add_file(zip, set->tensors[i].name, data, len, a, err))
			return false;
	}
	return add_metadata(zip, set, a, err);
}

/* Takes the bytes that the archive wrote into the source. */
static bool take_bytes(zip_source_t *from, struct arena *a, char **data, size_t *len,
		       struct err *err)
{
	zip_stat_t st;
	if (lib.source_open(from) != 0)
		return zip_failed(err, "it cannot be read back");
	bool ok = lib.source_stat(from, &st) == 0 && (st.valid & ZIP_STAT_SIZE);
	if (ok) {
		*len = (size_t)st.size;
		*data = arena_alloc(a, *len);
		ok = lib.source_read(from, *data, st.size) == (zip_int64_t)st.size;
	}
	lib.source_close(from);
	return ok || zip_failed(err, "it cannot be read back");
}

bool tensor_write_npz(const struct tensor_set *set, struct arena *a, char **data, size_t *len,
		      struct err *err)
{
	zip_error_t error;
	if (tensor_find(set, metadata_name) != NULL)
		return err_set(err, "a tensor cannot be called \"%s\"", metadata_name);
	if (!is_loaded(err))
		return false;
	lib.error_init(&error);
	zip_source_t *const out = lib.source_buffer_create(NULL, 0, 0, &error);
	zip_t *const zip =
		out ? lib.open_from_source(out, ZIP_CREATE | ZIP_TRUNCATE, &error) : NULL;
	lib.error_fini(&error);
	if (!zip) {
		if (out)
			lib.source_free(out);
		return zip_failed(err, "there is no memory for it");
	}
	lib.source_keep(out);
	bool ok = add_files(zip, set, a, err);
	if (ok && lib.close(zip) != 0)
		ok = zip_failed(err, lib.strerror(zip));
	if (!ok)
		lib.discard(zip);
	ok = ok && take_bytes(out, a, data, len, err);
	lib.source_free(out);
	return ok;
}
