/* npz.c: numpy's archives of arrays: a zip file in which NAME.npy is the array NAME, stored or deflated.
 *
 * The one place that talks to libzip. What an archive claims of its sizes is checked before memory is
 * taken for it. */
#include <stdint.h>
#include <string.h>

#include <zip.h>

#include "format/tensor_read.h"
#include "posviz/text.h"

static const zip_uint64_t most_bytes = (zip_uint64_t)1 << 30; /* of all arrays, unpacked */

static bool zip_trouble(struct err *err, zip_error_t *error)
{
	err_set(err, "not an npz file that can be read: %s", zip_error_strerror(error));
	zip_error_fini(error);
	return false;
}

/* All bytes of an entry, which are as many as it says; NULL with an error. */
static unsigned char *unpack(zip_t *zip, zip_uint64_t i, size_t size, struct arena *a,
			     struct err *err)
{
	zip_file_t *const file = zip_fopen_index(zip, i, 0);
	if (!file) {
		err_set(err, "%s", zip_strerror(zip));
		return NULL;
	}
	unsigned char *const bytes = arena_alloc(a, size + 1);
	const zip_int64_t got = zip_fread(file, bytes, size);
	/* Only at the end, behind the last byte, the sum of them is looked at. */
	const bool ended = zip_fread(file, bytes + size, 1) == 0;
	const int closed = zip_fclose(file);
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
	if (zip_stat_index(zip, i, 0, &st) != 0 || !(st.valid & ZIP_STAT_NAME) ||
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
	zip_error_init(&error);
	zip_source_t *const source = zip_source_buffer_create(data, len, 0, &error);
	if (!source)
		return zip_trouble(err, &error);
	zip_t *const zip = zip_open_from_source(source, ZIP_RDONLY, &error);
	if (!zip) {
		zip_source_free(source);
		return zip_trouble(err, &error);
	}
	const zip_int64_t n = zip_get_num_entries(zip, 0);
	for (zip_int64_t i = 0; i < n && ok; i++)
		ok = read_entry(set, zip, (zip_uint64_t)i, &total, err);
	zip_discard(zip);
	zip_error_fini(&error);
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
