/* file_identity.c: which file a path leads to now, as text: another one of the same name differs. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "posviz/base/strbuf.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"

enum { MOST_FILES = 1000 };

static void add(const struct stat *st, struct strbuf *to)
{
	strbuf_printf(to, " %llx %llx %llx %lld.%ld", (unsigned long long)st->st_dev,
		      (unsigned long long)st->st_ino, (unsigned long long)st->st_size,
		      (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

/* Adds the files of a directory in the order of their names. False: there are too many to look at. */
static bool add_files(const char *path, struct arena *a, struct strbuf *to)
{
	struct dirent **list;
	struct stat st;
	const int n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *const name = list[i]->d_name;
		if (n <= MOST_FILES && stat(arena_printf(a, "%s/%s", path, name), &st) == 0 &&
		    S_ISREG(st.st_mode))
			add(&st, to);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return n >= 0 && n <= MOST_FILES;
}

const char *file_identity(const char *path, struct arena *a)
{
	struct stat st;
	struct strbuf out;
	if (disk_stat(path, &st) != 0)
		return NULL;
	strbuf_init(&out, a);
	add(&st, &out);
	return !S_ISDIR(st.st_mode) || disk_is_inside(path) || add_files(path, a, &out) ? out.at
											: NULL;
}
