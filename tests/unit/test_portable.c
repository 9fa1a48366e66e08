/* test_portable.c: what systems name differently does the same by whichever way it is done here; `make
 * check-portable` takes the other. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/portable.h"

static char folder[] = "/tmp/posviz-portable-XXXXXX", from[64], to[64];

static void put(const char *path, const char *text)
{
	FILE *const f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_holds(const char *path, const char *text)
{
	char found[16] = "";
	FILE *const f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(found, sizeof found, f));
	fclose(f);
	assert_string_equal(found, text);
}

TEST(a_new_name_must_be_free)
{
	assert_non_null(mkdtemp(folder));
	snprintf(from, sizeof from, "%s/from", folder);
	snprintf(to, sizeof to, "%s/to", folder);
	put(from, "new");
	put(to, "old");
	assert_int_equal(portable_rename_new(from, to), EEXIST);
	assert_holds(from, "new");
	assert_holds(to, "old");
	remove(to);
	assert_int_equal(portable_rename_new(from, to), 0);
	assert_holds(to, "new");
	assert_int_equal(access(from, F_OK), -1);
	assert_int_equal(portable_rename_new(from, to), ENOENT);
	remove(to);
	rmdir(folder);
}

TEST(a_pipe_waits_for_nothing_and_is_closed_by_exec)
{
	int ends[2];
	char byte;
	assert_true(portable_pipe(ends));
	assert_int_equal(read(ends[0], &byte, 1), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	for (int i = 0; i < 2; i++) {
		assert_true(fcntl(ends[i], F_GETFD) & FD_CLOEXEC);
		assert_true(fcntl(ends[i], F_GETFL) & O_NONBLOCK);
		close(ends[i]);
	}
}

TEST(the_machine_is_described)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	assert_in_range(portable_processors(), 1, (size_t)online);
	assert_true(*portable_libc());
	assert_string_equal(portable_reason(ENOMEM), "Cannot allocate memory");
}
