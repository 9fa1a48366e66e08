/* file.c: reading whole files, files of lines, directories. Writing whole files: file_write.c. */
#include "file_in.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "posviz/base/portable.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"

enum { FIRST_READ = 64 << 10, LOCK_TRIES = 40 };

const char *file_reason(int code)
{
	switch (code) {
	case ENOENT:
		return "there is no such file or directory";
	case EACCES:
	case EPERM:
		return "permission denied";
	case EISDIR:
		return "it is a directory";
	case ENOTDIR:
		return "part of the path is not a directory";
	case EFBIG:
		return "the file would be larger than the system allows";
	case ENOSPC:
		return "the disk is full";
	case EDQUOT:
		return "the disk quota is used up";
	case EROFS:
		return "the file system is read-only";
	case ENAMETOOLONG:
		return "the name is too long";
	case EMFILE:
		return "too many files are open, ulimit -n says how many may be";
	case ENFILE:
		return "the system has too many files open";
	case EPIPE:
		return "nobody reads it any more";
	default:
		return portable_reason(code);
	}
}

bool file_fail(struct err *err, const char *verb, const char *path, const char *why)
{
	char quoted[FILE_QUOTED];
	return err_set(err, "cannot %s %s: %s", verb,
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)), why);
}

bool file_wait(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};
	return (errno == EAGAIN || errno == EWOULDBLOCK) &&
	       (poll(&p, 1, -1) >= 0 || errno == EINTR);
}

/* Reads until the buffer is full or the input ends; -1 with errno. */
static ssize_t read_full(int fd, char *at, size_t len)
{
	size_t got = 0;
	while (got < len) {
		const ssize_t n = read(fd, at + got, len - got);
		if (n < 0 && (errno == EINTR || file_wait(fd, POLLIN)))
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static bool too_large(struct err *err, const char *path, size_t limit)
{
	char quoted[FILE_QUOTED];
	text_quote_buf(quoted, sizeof quoted, path, strlen(path));
	if (limit >= 1 << 20)
		return err_set(err, "%s is too large, at most %zu MiB are read", quoted,
			       limit >> 20);
	return err_set(err, "%s is too large, at most %zu bytes are read", quoted, limit);
}

static bool read_open(int fd, const char *path, size_t limit, struct arena *a, char **data,
		      size_t *len, struct err *err)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return file_fail(err, "read", path, file_reason(errno));
	if (S_ISDIR(st.st_mode))
		return file_fail(err, "read", path, file_reason(EISDIR));
	const size_t known = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
	if (known > limit)
		return too_large(err, path, limit);
	/* The buffer is one byte longer than the expected file, so that the end of the file is
	 * noticed in the same call. */
	size_t cap = (known > 0 ? known : FIRST_READ) + 1, got = 0;
	char *at = arena_alloc(a, cap + 1);
	for (;;) {
		const ssize_t n = read_full(fd, at + got, cap - got);
		if (n < 0)
			return file_fail(err, "read", path, file_reason(errno));
		got += (size_t)n;
		if (got > limit)
			return too_large(err, path, limit);
		if (got < cap)
			break;
		char *larger = arena_alloc(a, 2 * cap + 1);
		memcpy(larger, at, got);
		at = larger;
		cap *= 2;
	}
	at[got] = '\0';
	*data = at;
	*len = got;
	return true;
}

static bool read_inside(const struct asset *asset, const char *path, size_t limit, struct arena *a,
			char **data, size_t *len, struct err *err)
{
	const size_t n = (size_t)(asset->end - asset->begin);
	if (n > limit)
		return too_large(err, path, limit);
	*data = arena_alloc(a, n + 1);
	memcpy(*data, asset->begin, n);
	(*data)[n] = '\0';
	*len = n;
	return true;
}

bool file_read(const char *path, size_t limit, struct arena *a, char **data, size_t *len,
	       struct err *err)
{
	if (strcmp(path, "-") == 0)
		return read_open(STDIN_FILENO, "standard input", limit, a, data, len, err);
	const struct asset *const inside = disk_inside(path);
	if (inside)
		return read_inside(inside, path, limit, a, data, len, err);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return file_fail(err, "read", path, file_reason(errno));
	const bool ok = read_open(fd, path, limit, a, data, len, err);
	close(fd);
	return ok;
}

/* ---- files of lines -------------------------------------------------------------------------- */

/* Returns whether the name still belongs to the file that was opened. */
static bool is_same_file(const char *path, const struct stat *opened)
{
	struct stat now;
	return stat(path, &now) == 0 && now.st_ino == opened->st_ino &&
	       now.st_dev == opened->st_dev;
}

/* Locks the file, with a limited number of tries. Other programs hold the lock only for a single
 * write, unless they were stopped during it. */
static bool lock_soon(int fd)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	return false;
}

/* Opens and locks a regular file. Another file may have taken its place during the wait for the
 * lock; then it opens again. Returns -1 with an error. */
static int open_locked(const char *path, int flags, struct stat *st, struct err *err)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		const int fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
		if (fd < 0) {
			file_fail(err, "write", path, file_reason(errno));
			return -1;
		}
		if (fstat(fd, st) == 0 && !S_ISREG(st->st_mode)) {
			file_fail(err, "write", path, "it is no regular file");
			close(fd);
			return -1;
		}
		if (lock_soon(fd) && fstat(fd, st) == 0 && is_same_file(path, st))
			return fd;
		close(fd);
	}
	file_fail(err, "write", path, "another program keeps it locked");
	return -1;
}

/* Appends the data; a last line that another program left incomplete is ended first. Returns 0
 * or errno. */
static int append_bytes(int fd, const struct stat *st, const void *data, size_t len)
{
	char last = '\n';
	if (st->st_size > 0 && pread(fd, &last, 1, st->st_size - 1) != 1)
		return errno;
	int code = last == '\n' ? 0 : file_write_all(fd, "\n", 1);
	if (code == 0)
		code = file_write_all(fd, data, len);
	if (code != 0 && ftruncate(fd, st->st_size) != 0)
		return errno;
	return code;
}

bool file_append(const char *path, const void *data, size_t len, struct err *err)
{
	struct stat st;
	const int fd = open_locked(path, O_CREAT | O_APPEND, &st, err);
	if (fd < 0)
		return false;
	int code = append_bytes(fd, &st, data, len);
	if (close(fd) != 0 && code == 0)
		code = errno;
	return code == 0 || file_fail(err, "write", path, file_reason(code));
}

bool file_keep_tail(const char *path, size_t most, size_t keep, struct err *err)
{
	struct stat st;
	const int fd = open_locked(path, 0, &st, err);
	if (fd < 0)
		return false;
	bool ok = true;
	if ((size_t)st.st_size > most && keep < most) {
		struct arena a;
		arena_init(&a);
		char *const at = arena_alloc(&a, keep + 1);
		const ssize_t got = pread(fd, at, keep, st.st_size - (off_t)keep);
		at[got > 0 ? got : 0] = '\0';
		/* The text before the first line end may be only a part of a line. */
		const char *const end = got > 0 ? memchr(at, '\n', (size_t)got) : NULL;
		const size_t skip = end ? (size_t)(end - at) + 1 : 0;
		ok = got < 0 ? file_fail(err, "read", path, file_reason(errno))
			     : file_write(path, at + skip, end ? (size_t)got - skip : 0, true, err);
		arena_release(&a);
	}
	close(fd); /* also unlocks: a program that waited for the lock finds the new file */
	return ok;
}

bool file_exists(const char *path)
{
	struct stat st;
	return disk_stat(path, &st) == 0;
}

bool file_make_dirs(const char *path, struct err *err)
{
	char part[PATH_MAX];
	const size_t len = strlen(path);
	if (len == 0 || len >= sizeof part)
		return file_fail(err, "make", path, file_reason(len == 0 ? ENOENT : ENAMETOOLONG));
	for (size_t i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0700) != 0 && errno != EEXIST && !file_exists(part))
			return file_fail(err, "make", path, file_reason(errno));
	}
	struct stat st;
	if (stat(path, &st) != 0)
		return file_fail(err, "make", path, file_reason(errno));
	return S_ISDIR(st.st_mode) || file_fail(err, "make", path, "it is a file");
}
