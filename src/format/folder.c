/* folder.c: see posviz/format/folder.h. */
#include "posviz/format/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "posviz/base/arena.h"

/* Folders within one another that are looked into. */
enum { DEEPEST = 8 };

struct entry {
	const char *path;
	double changed;
};

struct entries {
	struct arena *arena;
	struct entry *at;
	size_t n, cap;
};

static void add(struct entries *all, struct entry entry)
{
	all->at = arena_grow(all->arena, all->at, all->n, &all->cap, sizeof *all->at);
	all->at[all->n++] = entry;
}

static double changed_at(const struct stat *st)
{
	return (double)st->st_mtim.tv_sec + 1e-9 * (double)st->st_mtim.tv_nsec;
}

/* Lists the entries of a folder, with their own times; nothing of what is no folder. */
static void list(const char *folder, struct entries *out)
{
	struct stat st;
	DIR *const dir = lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(folder) : NULL;
	for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		const char *const path = arena_printf(out->arena, "%s/%s", folder, e->d_name);
		if (lstat(path, &st) == 0)
			add(out, (struct entry){path, changed_at(&st)});
	}
	if (dir)
		closedir(dir);
}

/* Returns the time of the last change of an entry or of anything in it. */
static double newest_in(const struct entry *entry, size_t deep, struct arena *a)
{
	struct entries inside = {.arena = a};
	double newest = entry->changed;
	if (deep < DEEPEST)
		list(entry->path, &inside);
	for (size_t i = 0; i < inside.n; i++) {
		const double at = newest_in(&inside.at[i], deep + 1, a);
		newest = at > newest ? at : newest;
	}
	return newest;
}

static void take_away(const char *path, size_t deep, struct arena *a)
{
	struct entries inside = {.arena = a};
	if (deep < DEEPEST)
		list(path, &inside);
	for (size_t i = 0; i < inside.n; i++)
		take_away(inside.at[i].path, deep + 1, a);
	remove(path);
}

static void list_below(const char *folder, size_t depth, struct entries *out)
{
	struct entries here = {.arena = out->arena};
	list(folder, &here);
	for (size_t i = 0; i < here.n; i++) {
		if (depth > 0)
			list_below(here.at[i].path, depth - 1, out);
		else
			add(out,
			    (struct entry){here.at[i].path, newest_in(&here.at[i], 0, out->arena)});
	}
}

/* The newest first; those of one time in the order of their names, the last one first. */
static int newest_first(const void *x, const void *y)
{
	const struct entry *const p = x, *const q = y;
	return p->changed != q->changed ? (p->changed < q->changed) - (p->changed > q->changed)
					: strcmp(q->path, p->path);
}

/* Removes the folder that an entry was in, unless it has others; those of other entries may be empty because a
 * program is about to fill them. */
static void take_parent(const char *path, struct arena *a)
{
	const char *const slash = strrchr(path, '/');
	if (slash)
		rmdir(arena_strndup(a, path, (size_t)(slash - path)));
}

/* ---- entries in use ----------------------------------------------------------------------------- */

/* The entries that this process holds by a shared lock, which ends with it. */
static struct {
	pthread_mutex_t lock;
	char *path[FOLDER_HELD];
	size_t n;
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_held(const char *path)
{
	for (size_t i = 0; i < held.n; i++)
		if (strcmp(held.path[i], path) == 0)
			return true;
	return false;
}

void folder_hold(const char *path)
{
	pthread_mutex_lock(&held.lock);
	const bool mine = is_held(path);
	const int fd = mine ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd >= 0)
		futimens(fd, NULL);
	if (fd >= 0 && held.n < FOLDER_HELD && flock(fd, LOCK_SH | LOCK_NB) == 0)
		held.path[held.n++] = strdup(path);
	else if (fd >= 0)
		close(fd);
	pthread_mutex_unlock(&held.lock);
}

/* Removes an entry unless a process holds it. A file system without locks has none that is held. */
static bool take_unheld(const char *path, struct arena *a)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	const bool free_of_others =
		fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
	if (free_of_others)
		take_away(path, 0, a);
	if (fd >= 0)
		close(fd);
	return free_of_others;
}

void folder_keep_newest(const char *folder, size_t depth, size_t most, double spare)
{
	struct arena a;
	struct timespec now;
	arena_init(&a);
	clock_gettime(CLOCK_REALTIME, &now);
	const double until = (double)now.tv_sec - spare;
	struct entries all = {.arena = &a};
	list_below(folder, depth, &all);
	if (all.n > most)
		qsort(all.at, all.n, sizeof *all.at, newest_first);
	for (size_t i = most; i < all.n; i++)
		if (!(spare > 0 && all.at[i].changed > until) && take_unheld(all.at[i].path, &a) &&
		    depth > 0)
			take_parent(all.at[i].path, &a);
	arena_release(&a);
}
