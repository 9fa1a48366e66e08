/* portable.c: see portable.h. */
#ifndef POSVIZ_PORTABLE
#define _GNU_SOURCE
#endif
#include "posviz/base/portable.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(POSVIZ_PORTABLE)
#include <gnu/libc-version.h>
#include <malloc.h>
#define GLIBC (__GLIBC__ * 1000 + __GLIBC_MINOR__)
#endif
#if defined(__linux__) && !defined(POSVIZ_PORTABLE)
#include <sys/syscall.h>
#define LINUX 1
#endif

extern char **environ;

const char *portable_libc(void)
{
#ifdef GLIBC
	static char name[32];
	snprintf(name, sizeof name, "glibc %s", gnu_get_libc_version());
	return name;
#else
	return "unknown";
#endif
}

const char *portable_reason(int code)
{
#if defined(GLIBC) && GLIBC >= 2032
	const char *const text = strerrordesc_np(code); /* not translated */
	return text ? text : "unknown error";
#else
	return strerror(code);
#endif
}

size_t portable_processors(void)
{
#ifdef CPU_COUNT
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (size_t)CPU_COUNT(&set);
#endif
	const long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (size_t)n : 1;
}

void portable_keep_freed_memory(void)
{
#ifdef GLIBC
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
	mallopt(M_TRIM_THRESHOLD, 256 << 20);
	mallopt(M_TOP_PAD, 4 << 20);
#endif
}

void portable_large_pages(void *at, size_t size)
{
#ifdef MADV_HUGEPAGE
	enum { PAGE = 2 << 20 };
	const uintptr_t from = ((uintptr_t)at + PAGE - 1) / PAGE * PAGE;
	const uintptr_t end = ((uintptr_t)at + size) / PAGE * PAGE;
	if (from < end)
		madvise((void *)from, end - from, MADV_HUGEPAGE);
#else
	(void)at;
	(void)size;
#endif
}

/* Without a slash the name would be searched in PATH, which might find another program. */
void portable_start_again(char **argv, char **environment)
{
#ifdef LINUX
	execve("/proc/self/exe", argv, environment ? environment : environ);
#endif
	if (argv[0] && strchr(argv[0], '/'))
		execve(argv[0], argv, environment ? environment : environ);
}

static bool set_flags(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

bool portable_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	if (set_flags(ends[0]) && set_flags(ends[1]))
		return true;
	const int code = errno;
	close(ends[0]);
	close(ends[1]);
	errno = code;
	return false;
}

/* Renames to a free name. Returns 0 or errno; ENOSYS where there is no such call. */
static int rename_exclusive(const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
#else
	(void)from, (void)to;
	return ENOSYS;
#endif
}

/* Tries the ways that a file system may support, one by one. The last one claims the name with
 * an empty file. */
int portable_rename_new(const char *from, const char *to)
{
	int code = rename_exclusive(from, to);
	if (code != EINVAL && code != ENOSYS && code != ENOTSUP)
		return code;
	if (link(from, to) == 0) {
		unlink(from);
		return 0;
	}
	if (errno != EPERM && errno != ENOSYS && errno != ENOTSUP && errno != EMLINK)
		return errno;
	const int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return errno;
	close(fd);
	if (rename(from, to) == 0)
		return 0;
	code = errno;
	unlink(to);
	return code;
}

void portable_step_back(int nice)
{
#ifdef LINUX
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
#else
	(void)nice;
#endif
}
