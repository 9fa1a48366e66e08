/* shard.c: parts of files by their place. pread and not a map: a map of a file that shrinks ends
 * the program with a signal, and only numbers that are used are read anyway. */
#include "format/shard.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "format/file_in.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"

bool shard_blame(const struct shard *s, struct err *err)
{
	char quoted[FILE_QUOTED];
	return err_prefix(err,
			  "%s: ", text_quote_buf(quoted, sizeof quoted, s->path, strlen(s->path)));
}

bool shard_open(struct shard *s, const char *path, struct err *err)
{
	*s = (struct shard){.path = path};
	if (disk_stat(path, &s->seen) != 0)
		return file_fail(err, "read", path, file_reason(errno));
	if (S_ISDIR(s->seen.st_mode))
		return file_fail(err, "read", path, file_reason(EISDIR));
	if (!S_ISREG(s->seen.st_mode))
		return file_fail(err, "read", path, "it is no regular file");
	s->size = s->seen.st_size > 0 ? (uint64_t)s->seen.st_size : 0;
	const struct asset *const inside = disk_inside(path);
	if (inside)
		s->bytes = (const unsigned char *)inside->begin;
	return true;
}

static bool is_same(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino && x->st_size == y->st_size &&
	       x->st_mtim.tv_sec == y->st_mtim.tv_sec && x->st_mtim.tv_nsec == y->st_mtim.tv_nsec;
}

static bool changed(struct err *err)
{
	return err_set(err, "the file was changed since it was opened; open it again");
}

static bool unreadable(int code, struct err *err)
{
	return err_set(err, "it cannot be read: %s", file_reason(code));
}

static bool read_at(int fd, uint64_t at, char *out, size_t len, struct err *err)
{
	for (size_t got = 0; got < len;) {
		const ssize_t n = pread(fd, out + got, len - got, (off_t)(at + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return unreadable(errno, err);
		if (n == 0)
			return changed(err);
		got += (size_t)n;
	}
	return true;
}

bool shard_read(const struct shard *s, uint64_t at, void *out, size_t len, struct err *err)
{
	struct stat now;
	BUG_IF(at > s->size || len > s->size - at);
	if (len == 0)
		return true;
	if (s->bytes) {
		memcpy(out, s->bytes + at, len);
		return true;
	}
	const int fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return unreadable(errno, err);
	bool ok = read_at(fd, at, out, len, err);
	/* Looked at afterwards, since the file may also be written during the reading. */
	ok = ok && ((fstat(fd, &now) == 0 && is_same(&s->seen, &now)) || changed(err));
	close(fd);
	return ok;
}
