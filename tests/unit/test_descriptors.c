/* test_descriptors.c: room for more open files is looked for before libraries need it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/descriptors.h"

static struct rlimit before;

static int keep_limit(void **state)
{
	(void)state;
	return getrlimit(RLIMIT_NOFILE, &before);
}

/* The end of a test opens files too. */
static int restore_limit(void **state)
{
	(void)state;
	return setrlimit(RLIMIT_NOFILE, &before);
}

FIXTURE(keep_limit, restore_limit)

/* Sets the limit so that exactly `n` more files can be opened, and returns it. */
static rlim_t leave_room(size_t n)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 0;
	for (size_t free = 0; free < n; limit.rlim_cur++)
		free += fcntl((int)limit.rlim_cur, F_GETFD) < 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit.rlim_cur;
}

TEST(room_is_what_the_limit_leaves)
{
	struct err err = {""};
	char says[200];
	const rlim_t limit = leave_room(5);
	assert_true(descriptors_room(5, "fonts", &err));
	assert_true(descriptors_room(5, "fonts", &err)); /* those that were tried are closed */
	assert_string_equal(err.text, "");
	assert_false(descriptors_room(6, "fonts", &err));
	snprintf(says, sizeof says,
		 "cannot open fonts: too many open files, at most %llu are allowed at once (ulimit "
		 "-n), 64 would do",
		 (unsigned long long)limit);
	assert_string_equal(err.text, says);
	assert_true(descriptors_room(5, "fonts", &err));
}

TEST(descriptors_that_are_not_there_do_not_matter)
{
	assert_true(descriptors_room(0, "fonts", NULL));
	leave_room(0);
	assert_true(descriptors_room(0, "fonts", NULL));
	assert_false(descriptors_room(1, "fonts", NULL));
}
