/* file_write.c: writing whole files, one or several that belong together.
 *
 * A file appears under its name only when every byte is on the disk: it is written beside the
 * target under another name and renamed. The kernel applies the umask when the temporary file is
 * made, so no thread has to change the umask to find it out; a replaced file keeps its mode.
 * Files of a batch get their names when all of them are on the disk; if one cannot get its name,
 * the names of the others are taken back. */
#include "file_in.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/base/cleanup.h"
#include "posviz/base/portable.h"
#include "posviz/base/text.h"

enum { NAME_TRIES = 1000 };

/* Writes all bytes; returns 0 or errno. */
static int write_bytes(int fd, const char *at, size_t len)
{
	while (len > 0) {
		const ssize_t n = write(fd, at, len);
		if (n < 0 && (errno == EINTR || file_wait(fd, POLLOUT)))
			continue;
		if (n < 0)
			return errno;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A file over the size limit raises SIGXFSZ in this thread before EFBIG is returned. The signal
 * is blocked and consumed, so that the limit is an error like any other. */
int file_write_all(int fd, const char *at, size_t len)
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

/* ---- one file beside its target -------------------------------------------------------------- */

/* Returns the length of the directory part of `path` with its slash, 0 when there is none. */
static size_t directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Creates a new file beside `path` and puts its name into temporary[PATH_MAX]. The file is
 * removed if a signal ends the program (`waiting` is the number for cleanup_drop_file). Returns
 * -1 with errno. */
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

/* Syncs a file. A disk that cannot sync (some network and pseudo file systems) is not an error. */
static int sync_file(int fd)
{
	if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
		return errno;
	return 0;
}

/* Syncs the directory, so that the new name survives a power cut; if this fails, the file is
 * complete anyway. */
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

/* Fills the temporary file. `old` is the file to be replaced, or NULL. Returns 0 or errno. */
static int fill_temporary(int fd, const void *data, size_t len, const struct stat *old)
{
	if (old != NULL && fchmod(fd, old->st_mode & 0777) != 0)
		return errno;
	const int code = file_write_all(fd, data, len);
	return code != 0 ? code : sync_file(fd);
}

static bool exists_already(struct err *err, const char *path)
{
	char quoted[FILE_QUOTED];
	return err_set(err, "%s exists already and stays as it is",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

/* The identity of a file on this machine, whatever name leads to it. */
struct identity {
	bool there;
	dev_t device;
	ino_t number;
	char path[PATH_MAX]; /* if missing: its name in its directory */
};

static void identify(const char *path, struct identity *out)
{
	struct stat st;
	char dir[PATH_MAX], real[PATH_MAX];
	const size_t cut = directory_len(path);
	const bool standard = strcmp(path, "-") == 0;
	*out = (struct identity){
		.there = (standard ? fstat(STDOUT_FILENO, &st) : stat(path, &st)) == 0};
	if (out->there) {
		out->device = st.st_dev;
		out->number = st.st_ino;
		return;
	}
	snprintf(dir, sizeof dir, "%.*s", cut ? (int)cut : 1, cut ? path : ".");
	if (!realpath(dir, real))
		snprintf(real, sizeof real, "%s", dir);
	const int n = snprintf(out->path, sizeof out->path, "%s/", real);
	if (n > 0 && (size_t)n < sizeof out->path)
		snprintf(out->path + n, sizeof out->path - (size_t)n, "%s", path + cut);
}

static bool identical(const struct identity *x, const struct identity *y)
{
	if (x->there != y->there)
		return false;
	return x->there ? x->device == y->device && x->number == y->number
			: strcmp(x->path, y->path) == 0;
}

bool file_same(const char *path, const char *other)
{
	struct identity x, y;
	identify(path, &x);
	identify(other, &y);
	return identical(&x, &y);
}

struct staged {
	const char *path; /* for messages */
	const void *data; /* data that is written directly: to a pipe, a device, standard output */
	size_t len;
	bool direct, force, named;
	bool replaces; /* an existing regular file, kept under a second name `aside` if possible */
	int waiting, waiting_aside;
	char target[PATH_MAX], temporary[PATH_MAX], aside[PATH_MAX];
};

static void drop(struct staged *s)
{
	if (*s->temporary && !s->named)
		unlink(s->temporary);
	if (*s->aside)
		unlink(s->aside);
	cleanup_drop_file(s->waiting);
	cleanup_drop_file(s->waiting_aside);
	*s->temporary = *s->aside = '\0';
	s->waiting = s->waiting_aside = -1;
}

/* Writes the data beside s->target; `old` is the file to be replaced, or NULL. */
static bool stage_bytes(struct staged *s, const void *data, size_t len, const struct stat *old,
			struct err *err)
{
	s->replaces = old != NULL;
	const int fd = open_temporary(s->target, s->temporary, &s->waiting);
	if (fd < 0) {
		*s->temporary = '\0';
		return file_fail(err, "write", s->path,
				 errno == ENOENT ? "its directory does not exist"
						 : file_reason(errno));
	}
	int code = fill_temporary(fd, data, len, old);
	if (close(fd) != 0 && code == 0)
		code = errno;
	if (code == 0)
		return true;
	drop(s);
	return file_fail(err, "write", s->path, file_reason(code));
}

static void begin(struct staged *s, const char *path, bool force)
{
	*s = (struct staged){.path = path, .force = force, .waiting = -1, .waiting_aside = -1};
}

/* Stages a file under a path that did not exist before; a file there by now was created
 * meanwhile. */
static bool stage_new(struct staged *s, const void *data, size_t len, struct err *err)
{
	struct stat st;
	if (lstat(s->path, &st) == 0 && S_ISLNK(st.st_mode))
		return file_fail(err, "write", s->path, "it is a link that leads nowhere");
	if (strlen(s->path) >= sizeof s->target)
		return file_fail(err, "write", s->path, file_reason(ENAMETOOLONG));
	strcpy(s->target, s->path);
	return stage_bytes(s, data, len, NULL, err);
}

static bool stage(struct staged *s, const char *path, const void *data, size_t len, bool force,
		  struct err *err)
{
	struct stat st;
	begin(s, path, force);
	s->data = data;
	s->len = len;
	if (strcmp(path, "-") == 0)
		return s->direct = true;
	if (path[0] == '\0')
		return file_fail(err, "write", path, "the name is empty");
	if (stat(path, &st) != 0)
		return errno == ENOENT ? stage_new(s, data, len, err)
				       : file_fail(err, "write", path, file_reason(errno));
	if (S_ISDIR(st.st_mode))
		return file_fail(err, "write", path, file_reason(EISDIR));
	if (!S_ISREG(st.st_mode))
		return s->direct = true;
	if (!force)
		return exists_already(err, path);
	if (realpath(path, s->target) == NULL) /* the target of a link is replaced, not the link */
		return file_fail(err, "write", path, file_reason(errno));
	return stage_bytes(s, data, len, &st, err);
}

static bool write_direct(const struct staged *s, struct err *err)
{
	const bool standard = strcmp(s->path, "-") == 0;
	if (standard && fflush(stdout) != 0)
		return file_fail(err, "write", "standard output", file_reason(errno));
	const int fd = standard ? STDOUT_FILENO : open(s->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return file_fail(err, "write", s->path, file_reason(errno));
	int code = file_write_all(fd, s->data, s->len);
	if (!standard && close(fd) != 0 && code == 0)
		code = errno;
	return code == 0 ||
	       file_fail(err, "write", standard ? "standard output" : s->path, file_reason(code));
}

/* Gives the staged file its name. */
static bool give_name(struct staged *s, struct err *err)
{
	int code = 0;
	if (!s->force)
		code = portable_rename_new(s->temporary, s->target);
	else if (rename(s->temporary, s->target) != 0)
		code = errno;
	s->named = code == 0;
	if (s->named) {
		sync_directory(s->target);
		return true;
	}
	return code == EEXIST ? exists_already(err, s->path)
			      : file_fail(err, "write", s->path, file_reason(code));
}

bool file_write(const char *path, const void *data, size_t len, bool force, struct err *err)
{
	struct staged s;
	if (!stage(&s, path, data, len, force, err))
		return false;
	const bool ok = s.direct ? write_direct(&s, err) : give_name(&s, err);
	drop(&s);
	return ok;
}

/* ---- files that belong together -------------------------------------------------------------- */

struct batch_file {
	struct staged staged;
	struct identity is;
	struct batch_file *before;
};

struct file_batch {
	struct arena arena;
	struct batch_file *last;
};

struct file_batch *file_batch_new(void)
{
	struct arena a;
	arena_init(&a);
	struct file_batch *const b = arena_calloc(&a, 1, sizeof *b);
	b->arena = a;
	return b;
}

void file_batch_free(struct file_batch *b)
{
	if (!b)
		return;
	for (struct batch_file *f = b->last; f; f = f->before)
		drop(&f->staged);
	struct arena a = b->arena;
	arena_release(&a);
}

bool file_batch_add(struct file_batch *b, const char *path, const void *data, size_t len,
		    bool force, struct err *err)
{
	struct batch_file *const f = arena_calloc(&b->arena, 1, sizeof *f);
	char one[FILE_QUOTED], other[FILE_QUOTED];
	identify(path, &f->is);
	for (const struct batch_file *at = b->last; at; at = at->before)
		if (identical(&at->is, &f->is))
			return err_set(err, "%s and %s are one file",
				       text_quote_buf(one, sizeof one, at->staged.path,
						      strlen(at->staged.path)),
				       text_quote_buf(other, sizeof other, path, strlen(path)));
	if (!stage(&f->staged, arena_strdup(&b->arena, path), data, len, force, err))
		return false;
	if (f->staged.direct && len > 0)
		f->staged.data = memcpy(arena_alloc(&b->arena, len), data, len);
	f->before = b->last;
	b->last = f;
	return true;
}

/* Links the file that is about to be replaced under a second name, so that it can be restored;
 * some file systems have no links. */
static void link_aside(struct staged *s)
{
	for (int i = 0; s->replaces && i < NAME_TRIES; i++) {
		const int len =
			snprintf(s->aside, sizeof s->aside, "%.*s.posviz-%ld-%d.old",
				 (int)directory_len(s->target), s->target, (long)getpid(), i);
		if (len < PATH_MAX && link(s->target, s->aside) == 0) {
			s->waiting_aside = cleanup_add_file(s->aside);
			return;
		}
		*s->aside = '\0';
		if (len >= PATH_MAX || errno != EEXIST)
			return;
	}
}

static void take_back(struct staged *s)
{
	if (!s->named)
		return;
	if (!s->replaces)
		unlink(s->target);
	else if (*s->aside && rename(s->aside, s->target) == 0)
		*s->aside = '\0';
}

bool file_batch_write(struct file_batch *b, struct err *err)
{
	bool ok = true;
	for (struct batch_file *f = b->last; f && ok; f = f->before)
		ok = !f->staged.direct || write_direct(&f->staged, err);
	for (struct batch_file *f = b->last; f && ok; f = f->before) {
		if (f->staged.direct)
			continue;
		link_aside(&f->staged);
		ok = give_name(&f->staged, err);
	}
	for (struct batch_file *f = b->last; f && !ok; f = f->before)
		take_back(&f->staged);
	return ok;
}

/* ---- a file that other programs may change --------------------------------------------------- */

/* Returns whether the name belongs to a regular file with this content, or with any content if
 * `is` is NULL. */
static bool is_unchanged(const char *path, const struct file_text *is, struct stat *st)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	bool same = fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode);
	if (same && is) {
		char *const at = (size_t)st->st_size == is->len ? malloc(is->len + 1) : NULL;
		same = at && read(fd, at, is->len + 1) == (ssize_t)is->len &&
		       memcmp(at, is->at, is->len) == 0;
		free(at);
	}
	if (fd >= 0)
		close(fd);
	return same;
}

bool file_update(const char *path, const struct file_text *was, bool any, const void *data,
		 size_t len, bool *other, struct err *err)
{
	char quoted[FILE_QUOTED];
	struct staged s;
	struct stat st;
	const bool there = lstat(path, &st) == 0;
	*other = there && !((any || was) && is_unchanged(path, any ? NULL : was, &st));
	if (*other)
		return err_set(err, "%s was changed by somebody else and stays as it is",
			       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
	begin(&s, path, there);
	if (strlen(path) >= sizeof s.target)
		return file_fail(err, "write", path, file_reason(ENAMETOOLONG));
	strcpy(s.target, path);
	const bool ok = stage_bytes(&s, data, len, there ? &st : NULL, err) && give_name(&s, err);
	drop(&s);
	return ok;
}
