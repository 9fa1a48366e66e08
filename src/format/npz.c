/* npz.c: numpy's archives of arrays: a zip file in which NAME.npy is the array NAME, stored or deflated.
 *
 * The one place that talks to libzip, which is loaded when the first archive is read: linked to the program it
 * brings libcrypto with it, and a fifth of what it takes to start. What an archive claims of its sizes is
 * checked before memory is taken for it. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include <zip.h>

#include "format/tensor_read.h"
#include "posviz/text.h"

/* ---- the library -------------------------------------------------------------------------------- */

#ifndef ZIP_LIBRARY /* the Makefile knows under which name programs find it */
#define ZIP_LIBRARY "libzip.so"
#endif

static struct {
	pthread_once_t once;
	bool loaded;
	void (*discard)(zip_t *);
	void (*error_fini)(zip_error_t *);
	void (*error_init)(zip_error_t *);
	const char *(*error_strerror)(zip_error_t *);
	int (*fclose)(zip_file_t *);
	zip_file_t *(*fopen_index)(zip_t *, zip_uint64_t, zip_flags_t);
	zip_int64_t (*fread)(zip_file_t *, void *, zip_uint64_t);
	zip_int64_t (*get_num_entries)(zip_t *, zip_flags_t);
	zip_t *(*open_from_source)(zip_source_t *, int, zip_error_t *);
	zip_source_t *(*source_buffer_create)(const void *, zip_uint64_t, int, zip_error_t *);
	void (*source_free)(zip_source_t *);
	int (*stat_index)(zip_t *, zip_uint64_t, zip_flags_t, zip_stat_t *);
	const char *(*strerror)(zip_t *);
} lib = {.once = PTHREAD_ONCE_INIT};

static const struct {
	const char *name;
	void *to; /* the pointer to the function */
} calls[] = {
	{"zip_discard", &lib.discard},
	{"zip_error_fini", &lib.error_fini},
	{"zip_error_init", &lib.error_init},
	{"zip_error_strerror", &lib.error_strerror},
	{"zip_fclose", &lib.fclose},
	{"zip_fopen_index", &lib.fopen_index},
	{"zip_fread", &lib.fread},
	{"zip_get_num_entries", &lib.get_num_entries},
	{"zip_open_from_source", &lib.open_from_source},
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

/* ---- reading ------------------------------------------------------------------------------------ */

static const zip_uint64_t most_bytes = (zip_uint64_t)1 << 30; /* of all arrays, unpacked */

static bool zip_trouble(struct err *err, zip_error_t *error)
{
	err_set(err, "not an npz file that can be read: %s", lib.error_strerror(error));
	lib.error_fini(error);
	return false;
}

/* All bytes of an entry, which are as many as it says; NULL with an error. */
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
	/* Only at the end, behind the last byte, the sum of them is looked at. */
	const bool ended = lib.fread(file, bytes + size, 1) == 0;
	const int closed = lib.fclose(file);
	if (got == (zip_int64_t)size && ended && closed == 0)
		return bytes;
	err_set(err, "it is damaged");
	return NULL;
}

/* "layers/0/attention.npy" without the ending; NULL: no array. */
static const char *array_name(const char *entry, struct arena *a)
{
	static const char ending[] = ".npy";
	const size_t len = strlen(entry), tail = strlen(ending);
	const bool is_array = len > tail && strcmp(entry + len - tail, ending) == 0;
	return is_array ? arena_strndup(a, entry, len - tail) : NULL;
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
		ok = bytes && npy_read(set, name, bytes, (size_t)st.size, err);
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
