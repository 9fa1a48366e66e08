/* notes_place.c: see notes_place.h. */
#include "notes_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "notes_wire.h"
#include "posviz/base/portable.h"
#include "posviz/base/text.h"

enum { BACKLOG = 8, NAME_MOST = 32, LOCK_TRIES = 50 };
static const char ending[] = ".sock";

/* ---- the directory ----------------------------------------------------------------------- */

static bool is_private(const char *path, struct err *err)
{
	struct stat st;
	char quoted[160];
	text_quote_buf(quoted, sizeof quoted, path, strlen(path));
	if (lstat(path, &st) != 0)
		return err_set(err, "%s: %s", quoted, portable_reason(errno));
	if (!S_ISDIR(st.st_mode))
		return err_set(err, "%s is no directory", quoted);
	if (st.st_uid != geteuid())
		return err_set(err, "%s belongs to somebody else", quoted);
	return (st.st_mode & 077) == 0 ||
	       err_set(err, "%s lets others in; chmod 700 would be right", quoted);
}

static bool use(const char *path, bool make, struct err *err)
{
	if (make && mkdir(path, 0700) != 0 && errno != EEXIST) {
		char quoted[160];
		text_quote_buf(quoted, sizeof quoted, path, strlen(path));
		return err_set(err, "%s cannot be made: %s", quoted, portable_reason(errno));
	}
	return is_private(path, err);
}

size_t notes_directories(bool make, struct arena *a, const char *out[NOTES_DIRECTORIES],
			 struct err *err)
{
	const char *const run = getenv("XDG_RUNTIME_DIR"), *tmp = getenv("TMPDIR");
	size_t n = 0;
	if (run && *run == '/') {
		out[n] = arena_printf(a, "%s/posviz", run);
		n += use(out[n], make, err);
	}
	if (!tmp || *tmp != '/')
		tmp = "/tmp";
	out[n] = arena_printf(a, "%s/posviz-%lu", tmp, (unsigned long)geteuid());
	/* Made only where it is the first. */
	n += use(out[n], make && n == 0, err);
	return n;
}

bool notes_usable(struct err *err)
{
	const char *dirs[NOTES_DIRECTORIES];
	struct arena a;
	arena_init(&a);
	const bool ok = notes_directories(true, &a, dirs, err) > 0;
	arena_release(&a);
	return ok;
}

const char *notes_socket_name(const char *tour, const char *path, struct arena *a)
{
	char *const out = arena_strndup(a, tour, strnlen(tour, NAME_MOST));
	for (char *c = out; *c; c++) {
		const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
				   (*c >= '0' && *c <= '9') || *c == '-' || *c == '_';
		*c = plain ? *c : '_';
	}
	if (!path)
		return out;
	const uint64_t hash = notes_hash_bytes(NOTES_EMPTY, path, strlen(path));
	return arena_printf(a, "%s-%08x", out, (unsigned)(hash ^ hash >> 32));
}

/* ---- sockets ------------------------------------------------------------------------------ */

bool notes_set_flags(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

static int new_socket(void)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd >= 0 && notes_set_flags(fd))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool address(const char *path, struct sockaddr_un *out)
{
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof out->sun_path)
		return false;
	memcpy(out->sun_path, path, strlen(path) + 1);
	return true;
}

/* 0, or errno. A queue that is full belongs to somebody. */
static int connect_to(const char *path, int *fd)
{
	struct sockaddr_un to;
	*fd = new_socket();
	if (*fd < 0 || !address(path, &to))
		return *fd < 0 ? errno : ENAMETOOLONG;
	return connect(*fd, (const struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
}

static int reach(const char *path)
{
	int fd;
	const int code = connect_to(path, &fd);
	if (fd >= 0)
		close(fd);
	return code;
}

/* ---- being found --------------------------------------------------------------------------- */

/* Two that find a dead socket at once must not take it from each other. Nobody keeps the lock for longer than that
 * takes; without one it is done all the same. */
static int lock_directory(const char *dir)
{
	const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; fd >= 0 && i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	return fd;
}

/* Away with a socket that nobody answers. */
static bool make_room(const char *path, bool *taken, struct err *err)
{
	struct stat st;
	if (lstat(path, &st) != 0)
		return true;
	char quoted[160];
	text_quote_buf(quoted, sizeof quoted, path, strlen(path));
	if (!S_ISSOCK(st.st_mode))
		return err_set(err, "%s is no socket; remove it", quoted);
	const int code = reach(path);
	*taken = code == 0 || code == EAGAIN;
	if (*taken)
		return err_set(err, "another terminal shows this tour");
	return unlink(path) == 0 || errno == ENOENT ||
	       err_set(err, "%s cannot be removed: %s", quoted, portable_reason(errno));
}

/* The mode of the file is that of the socket where the system knows it by then (Linux), else it is set behind; the
 * directory keeps others out in any case. */
static bool listen_at(int fd, const struct sockaddr_un *to, struct notes_door *d)
{
	struct stat st;
	(void)fchmod(fd, 0600);
	if (bind(fd, (const struct sockaddr *)to, sizeof *to) != 0)
		return false;
	if (chmod(d->path, 0600) != 0 || listen(fd, BACKLOG) != 0 || lstat(d->path, &st) != 0) {
		unlink(d->path);
		return false;
	}
	d->device = st.st_dev;
	d->inode = st.st_ino;
	d->fd = fd;
	return true;
}

static bool open_in(struct notes_door *d, const char *dir, const char *name, bool *taken,
		    struct err *err)
{
	struct sockaddr_un to;
	const int n = snprintf(d->path, sizeof d->path, "%s/%s%s", dir, name, ending);
	if (n >= (int)sizeof d->path || !address(d->path, &to))
		return err_set(err, "the path of the socket is longer than %zu bytes",
			       sizeof to.sun_path - 1);
	const int lock = lock_directory(dir);
	int fd = -1;
	bool ok = make_room(d->path, taken, err);
	if (ok) {
		fd = new_socket();
		ok = (fd >= 0 && listen_at(fd, &to, d)) ||
		     err_set(err, "the socket cannot be made: %s", portable_reason(errno));
	}
	if (!ok && fd >= 0)
		close(fd);
	if (lock >= 0)
		close(lock);
	return ok;
}

bool notes_door_open(struct notes_door *d, const char *name, bool *taken, struct err *err)
{
	const char *dirs[NOTES_DIRECTORIES];
	struct arena a;
	arena_init(&a);
	*d = (struct notes_door){.fd = -1};
	*taken = false;
	const size_t n = notes_directories(true, &a, dirs, err);
	bool ok = false;
	for (size_t i = 0; i < n && !ok && !*taken; i++)
		ok = open_in(d, dirs[i], name, taken, err);
	arena_release(&a);
	return ok;
}

bool notes_door_stands(const struct notes_door *d)
{
	struct stat st;
	return d->fd >= 0 && lstat(d->path, &st) == 0 && st.st_dev == d->device &&
	       st.st_ino == d->inode;
}

/* The file may be somebody else's by now. */
void notes_door_close(struct notes_door *d)
{
	if (d->fd < 0)
		return;
	if (notes_door_stands(d))
		unlink(d->path);
	close(d->fd);
	d->fd = -1;
}

/* ---- finding ------------------------------------------------------------------------------ */

int notes_connect(const char *name)
{
	const char *dirs[NOTES_DIRECTORIES];
	struct arena a;
	int fd = -1;
	arena_init(&a);
	const size_t n = notes_directories(false, &a, dirs, NULL);
	for (size_t i = 0; i < n && fd < 0; i++)
		if (connect_to(arena_printf(&a, "%s/%s%s", dirs[i], name, ending), &fd) != 0) {
			if (fd >= 0)
				close(fd);
			fd = -1;
		}
	arena_release(&a);
	return fd;
}

static int by_name(const void *a, const void *b)
{
	const char *const *const first = a, *const *const second = b;
	return strcmp(*first, *second);
}

static bool is_there(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static size_t add_names(const char *dir, const char **out, size_t n, struct arena *a)
{
	DIR *const d = opendir(dir);
	for (const struct dirent *e; d && n < NOTES_SOCKETS && (e = readdir(d)) != NULL;) {
		const size_t len = strlen(e->d_name), cut = sizeof ending - 1;
		if (len <= cut || strcmp(e->d_name + len - cut, ending) != 0)
			continue;
		const char *const name = arena_strndup(a, e->d_name, len - cut);
		if (!is_there(out, n, name) && reach(arena_printf(a, "%s/%s", dir, e->d_name)) == 0)
			out[n++] = name;
	}
	if (d)
		closedir(d);
	return n;
}

const char **notes_open_names(struct arena *a, size_t *n)
{
	const char *dirs[NOTES_DIRECTORIES];
	const char **const out = arena_calloc(a, NOTES_SOCKETS, sizeof *out);
	const size_t n_dirs = notes_directories(false, a, dirs, NULL);
	*n = 0;
	for (size_t i = 0; i < n_dirs; i++)
		*n = add_names(dirs[i], out, *n, a);
	qsort(out, *n, sizeof *out, by_name);
	return out;
}
