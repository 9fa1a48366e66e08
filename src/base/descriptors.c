/* descriptors.c: see descriptors.h. */
#include "posviz/base/descriptors.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "posviz/base/portable.h"

enum { MOST = 64 };

/* Names the reason: a limit that is below what posviz needs; else that this process or all
 * processes have too many files open. */
static bool set_reason(struct err *err, const char *what, int code)
{
	struct rlimit limit;
	if (code == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0)
		return err_set(err,
			       "cannot open %s: too many open files, at most %llu are allowed at "
			       "once (ulimit -n), 64 would do",
			       what, (unsigned long long)limit.rlim_cur);
	return err_set(err, "cannot open %s: %s", what, portable_reason(code));
}

bool descriptors_room(size_t n, const char *what, struct err *err)
{
	int taken[MOST], code = 0;
	size_t got = 0;
	BUG_IF(n > MOST);
	while (got < n && (taken[got] = dup(STDERR_FILENO)) >= 0)
		got++;
	if (got < n)
		code = errno;
	for (size_t i = 0; i < got; i++)
		close(taken[i]);
	return code == 0 || set_reason(err, what, code);
}
