/* file.c: whole files in, whole files out.
 *
 * A file appears under its name only when every byte is on the disk: it is written beside the
 * target under another name and renamed. The kernel applies the umask when the temporary file is
 * made, so that no thread has to change it to learn it; a replaced file keeps its own mode. */
#include "posviz/file.h"

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

#include "posviz/cleanup.h"
#include "posviz/portable.h"
#include "posviz/text.h"

enum { FIRST_READ = 64 << 10, NAME_TRIES = 1000, QUOTED = 256, LOCK_TRIES = 40 };

static const char *reason(int code)
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
	case EPIPE:
		return "nobody reads it any more";
	default:
		return portable_reason(code);
	}
}

/* "cannot <verb> "path": <why>". Returns false. */
static bool fail(struct err *err, const char *verb, const char *path, const char *why)
{
	char quoted[QUOTED];
	return err_set(err, "cannot %s %s: %s", verb,
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)), why);
}

/* A pipe that its other end made non-blocking (it is one file for both) is as good as any other: who
 * must wait waits. False where that does not help. */
static bool wait_for(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};
	return (errno == EAGAIN || errno == EWOULDBLOCK) &&
	       (poll(&p, 1, -1) >= 0 || errno == EINTR);
}

/* read until the buffer is full or the input ends; -1 with errno. */
static ssize_t read_full(int fd, char *at, size_t len)
{
	size_t got = 0;
	while (got < len) {
		const ssize_t n = read(fd, at + got, len - got);
		if (n < 0 && (errno == EINTR || wait_for(fd, POLLIN)))
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
	char quoted[QUOTED];
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
		return fail(err, "read", path, reason(errno));
	if (S_ISDIR(st.st_mode))
		return fail(err, "read", path, reason(EISDIR));
	const size_t known = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
	if (known > limit)
		return too_large(err, path, limit);
	/* One byte more than expected, so that the end is seen in the same call. */
	size_t cap = (known > 0 ? known : FIRST_READ) + 1, got = 0;
	char *at = arena_alloc(a, cap + 1);
	for (;;) {
		const ssize_t n = read_full(fd, at + got, cap - got);
		if (n < 0)
			return fail(err, "read", path, reason(errno));
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

bool file_read(const char *path, size_t limit, struct arena *a, char **data, size_t *len,
	       struct err *err)
{
	if (strcmp(path, "-") == 0)
		return read_open(STDIN_FILENO, "standard input", limit, a, data, len, err);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(err, "read", path, reason(errno));
	const bool ok = read_open(fd, path, limit, a, data, len, err);
	close(fd);
	return ok;
}

/* The bare loop; 0 or errno. */
static int write_bytes(int fd, const char *at, size_t len)
{
	while (len > 0) {
		const ssize_t n = write(fd, at, len);
		if (n < 0 && (errno == EINTR || wait_for(fd, POLLOUT)))
			continue;
		if (n < 0)
			return errno;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A file over the size limit raises SIGXFSZ in this thread before EFBIG is returned: it is held
 * back and taken, so that the limit is an error like any other. */
static int write_all(int fd, const char *at, size_t len)
{
	sigset_t limit, before;
	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	const int code = write_bytes(fd, at, len);
	sigset_t pending;
	int taken;
	if (code == EFBIG && !sigismember(&before, SIGXFSZ) && sigpending(&pending) == 0 &&
	    sigismember(&pending, SIGXFSZ))
		sigwait(&limit, &taken);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code;
}

/* The directory part of `path` with its slash: its length, 0 when there is none. */
static size_t directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Makes a new file beside `path`, its name in temporary[PATH_MAX], which goes if a signal ends us
 * (`waiting`: cleanup_drop_file); -1 with errno. */
static int open_temporary(const char *path, char *temporary, int *waiting)
{
	const int dir = (int)directory_len(path);
	for (int i = 0; i < NAME_TRIES; i++) {
		const int len = snprintf(temporary, PATH_MAX, "%.*s.posviz-%ld-%d", dir, path,
					 (long)getpid(), i);
		if (len >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return -1;
		}
		*waiting = cleanup_add_file(temporary);
		const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		cleanup_drop_file(*waiting);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* A disk that cannot sync (some network and pseudo file systems) is not an error. */
static int sync_file(int fd)
{
	if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		return errno;
	return 0;
}

/* The new name itself must survive a power cut; where this fails, the file is complete anyway. */
static void sync_directory(const char *path)
{
	char dir[PATH_MAX] = ".";
	const size_t len = directory_len(path);
	if (len >= sizeof dir)
		return;
	if (len > 0) {
		memcpy(dir, path, len);
		dir[len] = '\0';
	}
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int rename_over(const char *from, const char *to, bool force)
{
	if (!force)
		return portable_rename_new(from, to);
	return rename(from, to) == 0 ? 0 : errno;
}

/* `old` is the file to be replaced, or NULL. 0 or errno. */
static int fill_temporary(int fd, const void *data, size_t len, const struct stat *old)
{
	if (old != NULL && fchmod(fd, old->st_mode & 0777) != 0)
		return errno;
	const int code = write_all(fd, data, len);
	return code != 0 ? code : sync_file(fd);
}

static bool exists_already(struct err *err, const char *path)
{
	char quoted[QUOTED];
	return err_set(err, "%s exists already, --force overwrites it",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

/* `target` is where `path`, the name for messages, leads to. */
static bool write_replacing(const char *path, const char *target, const void *data, size_t len,
			    bool force, const struct stat *old, struct err *err)
{
	char temporary[PATH_MAX];
	int waiting = -1;
	const int fd = open_temporary(target, temporary, &waiting);
	if (fd < 0 && errno == ENOENT)
		return fail(err, "write", path, "its directory does not exist");
	if (fd < 0)
		return fail(err, "write", path, reason(errno));
	int code = fill_temporary(fd, data, len, old);
	if (close(fd) != 0 && code == 0)
		code = errno;
	if (code == 0)
		code = rename_over(temporary, target, force);
	if (code != 0)
		unlink(temporary);
	cleanup_drop_file(waiting);
	if (code == 0) {
		sync_directory(target);
		return true;
	}
	return code == EEXIST ? exists_already(err, path) : fail(err, "write", path, reason(code));
}

static bool write_direct(int fd, const char *path, const void *data, size_t len, struct err *err)
{
	const int code = write_all(fd, data, len);
	return code == 0 || fail(err, "write", path, reason(code));
}

/* Pipes and devices. */
static bool write_device(const char *path, const void *data, size_t len, struct err *err)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(err, "write", path, reason(errno));
	const bool ok = write_direct(fd, path, data, len, err);
	if (close(fd) != 0 && ok)
		return fail(err, "write", path, reason(errno));
	return ok;
}

bool file_write(const char *path, const void *data, size_t len, bool force, struct err *err)
{
	if (strcmp(path, "-") == 0) {
		if (fflush(stdout) != 0)
			return fail(err, "write", "standard output", reason(errno));
		return write_direct(STDOUT_FILENO, "standard output", data, len, err);
	}
	if (path[0] == '\0')
		return fail(err, "write", path, "the name is empty");
	struct stat st;
	if (stat(path, &st) != 0) {
		if (errno != ENOENT)
			return fail(err, "write", path, reason(errno));
		/* Anything else that is there by now came meanwhile. */
		if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
			return fail(err, "write", path, "it is a link that leads nowhere");
		return write_replacing(path, path, data, len, force, NULL, err);
	}
	if (S_ISDIR(st.st_mode))
		return fail(err, "write", path, reason(EISDIR));
	if (!S_ISREG(st.st_mode))
		return write_device(path, data, len, err);
	if (!force)
		return exists_already(err, path);
	char target[PATH_MAX]; /* what a link leads to is replaced, not the link */
	if (realpath(path, target) == NULL)
		return fail(err, "write", path, reason(errno));
	return write_replacing(path, target, data, len, true, &st, err);
}

/* ---- files of lines ---------------------------------------------------------------------------- */

/* Whether the file that was opened is still the one of that name. */
static bool still_there(const char *path, const struct stat *opened)
{
	struct stat now;
	return stat(path, &now) == 0 && now.st_ino == opened->st_ino &&
	       now.st_dev == opened->st_dev;
}

/* Nobody keeps the lock for longer than a write, unless it was stopped just then. */
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

/* Opens and locks a regular file; another may have taken its place while the lock was waited for.
 * -1 with an error. */
static int open_locked(const char *path, int flags, struct stat *st, struct err *err)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		const int fd = open(path, flags | O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
		if (fd < 0) {
			fail(err, "write", path, reason(errno));
			return -1;
		}
		if (fstat(fd, st) == 0 && !S_ISREG(st->st_mode)) {
			fail(err, "write", path, "it is no regular file");
			close(fd);
			return -1;
		}
		if (lock_soon(fd) && fstat(fd, st) == 0 && still_there(path, st))
			return fd;
		close(fd);
	}
	fail(err, "write", path, "another program keeps it locked");
	return -1;
}

/* A line that somebody else left unfinished is ended first. 0 or errno. */
static int append_bytes(int fd, const struct stat *st, const void *data, size_t len)
{
	char last = '\n';
	if (st->st_size > 0 && pread(fd, &last, 1, st->st_size - 1) != 1)
		return errno;
	int code = last == '\n' ? 0 : write_all(fd, "\n", 1);
	if (code == 0)
		code = write_all(fd, data, len);
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
	return code == 0 || fail(err, "write", path, reason(code));
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
		/* What stands before the first line end may be half a line. */
		const char *const end = got > 0 ? memchr(at, '\n', (size_t)got) : NULL;
		const size_t skip = end ? (size_t)(end - at) + 1 : 0;
		ok = got < 0 ? fail(err, "read", path, reason(errno))
			     : file_write(path, at + skip, end ? (size_t)got - skip : 0, true, err);
		arena_release(&a);
	}
	close(fd); /* and with it the lock: whoever waited for it finds the new file */
	return ok;
}

bool file_exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

bool file_make_dirs(const char *path, struct err *err)
{
	char part[PATH_MAX];
	const size_t len = strlen(path);
	if (len == 0 || len >= sizeof part)
		return fail(err, "make", path, reason(len == 0 ? ENOENT : ENAMETOOLONG));
	for (size_t i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0700) != 0 && errno != EEXIST && !file_exists(part))
			return fail(err, "make", path, reason(errno));
	}
	struct stat st;
	if (stat(path, &st) != 0)
		return fail(err, "make", path, reason(errno));
	return S_ISDIR(st.st_mode) || fail(err, "make", path, "it is a file");
}
