/* test_notes_place.c: where terminals with a tour and with its notes meet: directories that nobody else may enter, and
 * sockets that are dead, alive, or none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "tui/notes_place.h"

static const char *root;

/* An empty folder is the place for temporary files, and no other is named. */
static int open_root(void **state)
{
	char path[4096];
	open_folder(state);
	root = arena_strdup(&arena, getcwd(path, sizeof path));
	setenv("TMPDIR", root, 1);
	unsetenv("XDG_RUNTIME_DIR");
	return 0;
}

FIXTURE(open_root, close_folder)

static const char *own_name(void)
{
	return arena_printf(&arena, "posviz-%lu", (unsigned long)geteuid());
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

static void assert_refused(const char *why)
{
	const char *dirs[NOTES_DIRECTORIES];
	struct err err = {""};
	assert_int_equal(notes_directories(true, &arena, dirs, &err), 0);
	if (!strstr(err.text, why))
		fail_msg("%s", err.text);
	assert_false(notes_usable(NULL));
	bool taken;
	struct notes_door d;
	assert_false(notes_door_open(&d, "order", &taken, &err));
	assert_false(taken);
	assert_int_equal(d.fd, -1);
	assert_int_equal(notes_connect("order"), -1);
}

/* ---- directories -------------------------------------------------------------------------- */

TEST(a_directory_is_made_for_its_owner_alone)
{
	const char *dirs[NOTES_DIRECTORIES];
	umask(0);
	assert_int_equal(notes_directories(false, &arena, dirs, NULL), 0);
	assert_int_equal(notes_directories(true, &arena, dirs, NULL), 1);
	assert_string_equal(dirs[0], arena_printf(&arena, "%s/%s", root, own_name()));
	assert_int_equal(mode_of(dirs[0]), 0700);
	assert_int_equal(notes_directories(false, &arena, dirs, NULL), 1);
}

TEST(that_of_the_session_comes_first_and_both_are_read)
{
	const char *dirs[NOTES_DIRECTORIES];
	assert_int_equal(notes_directories(true, &arena, dirs, NULL), 1);
	assert_int_equal(mkdir("run", 0700), 0);
	setenv("XDG_RUNTIME_DIR", arena_printf(&arena, "%s/run", root), 1);
	assert_int_equal(notes_directories(true, &arena, dirs, NULL), 2);
	assert_string_equal(dirs[0], arena_printf(&arena, "%s/run/posviz", root));
	assert_int_equal(mode_of(dirs[0]), 0700);
}

TEST(where_the_session_has_none_that_can_be_used_the_other_is)
{
	static const char *const none[] = {"", "run", "/dev/null", "/nowhere/at/all"};
	const char *dirs[NOTES_DIRECTORIES];
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		setenv("XDG_RUNTIME_DIR", none[i], 1);
		assert_int_equal(notes_directories(true, &arena, dirs, NULL), 1);
		assert_string_equal(dirs[0], arena_printf(&arena, "%s/%s", root, own_name()));
	}
}

TEST(one_that_lets_others_in_is_refused)
{
	static const mode_t modes[] = {0755, 0710, 0701, 0770, 01777};
	assert_int_equal(mkdir(own_name(), 0700), 0);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		assert_int_equal(chmod(own_name(), modes[i]), 0);
		assert_refused("lets others in; chmod 700 would be right");
	}
}

TEST(a_link_and_a_file_are_no_directory)
{
	assert_int_equal(mkdir("elsewhere", 0700), 0);
	assert_int_equal(symlink("elsewhere", own_name()), 0);
	assert_refused("is no directory");
	assert_int_equal(unlink(own_name()), 0);
	const int fd = open(own_name(), O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_refused("is no directory");
}

TEST(one_of_somebody_else_is_refused)
{
	if (geteuid() != 0)
		skip(); /* nobody else may give a directory away */
	assert_int_equal(mkdir(own_name(), 0700), 0);
	assert_int_equal(chown(own_name(), 4711, 4711), 0);
	assert_refused("belongs to somebody else");
}

TEST(where_none_can_be_made_that_is_said)
{
	setenv("TMPDIR", "/dev/null", 1);
	assert_refused("cannot be made");
}

/* ---- names -------------------------------------------------------------------------------- */

TEST(a_socket_is_called_after_its_tour_and_files_are_told_apart)
{
	assert_string_equal(notes_socket_name("trees-graphs", NULL, &arena), "trees-graphs");
	const char *const a = notes_socket_name("order", "/a/order.tour", &arena);
	const char *const b = notes_socket_name("order", "/b/order.tour", &arena);
	assert_string_not_equal(a, b);
	assert_string_equal(a, notes_socket_name("order", "/a/order.tour", &arena));
	assert_int_equal(strncmp(a, "order-", 6), 0);
	assert_int_equal(strlen(a), 14);
	/* Of a name only what is safe in a path, and no more than has room. */
	const char *const odd = notes_socket_name("../../etc/pass wd\n\xc3\xa9", "/x", &arena);
	assert_null(strpbrk(odd, "/. \n\xc3"));
	char long_name[400];
	memset(long_name, 'x', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	assert_true(strlen(notes_socket_name(long_name, "/x", &arena)) < 48);
}

/* ---- sockets ------------------------------------------------------------------------------ */

static void open_door(struct notes_door *d, const char *name)
{
	bool taken;
	struct err err;
	if (!notes_door_open(d, name, &taken, &err))
		fail_msg("%s", err.text);
}

/* As a program leaves it that is killed. */
static const char *leave_dead(const char *name)
{
	struct notes_door d;
	open_door(&d, name);
	close(d.fd);
	return arena_strdup(&arena, d.path);
}

TEST(a_socket_is_found_until_it_is_closed)
{
	struct notes_door d;
	umask(0);
	open_door(&d, "order");
	assert_int_equal(mode_of(d.path), 0600);
	assert_true(notes_door_stands(&d));
	const int fd = notes_connect("order");
	assert_true(fd >= 0);
	assert_int_equal(notes_connect("rank"), -1);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK && fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(d.fd, F_GETFL) & O_NONBLOCK && fcntl(d.fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	notes_door_close(&d);
	assert_int_equal(access(d.path, F_OK), -1);
	assert_int_equal(notes_connect("order"), -1);
	notes_door_close(&d);
}

TEST(one_that_is_alive_is_kept_and_one_that_is_dead_taken_over)
{
	struct notes_door first, second;
	struct err err;
	bool taken;
	const char *const dead = leave_dead("order");
	assert_int_equal(access(dead, F_OK), 0);
	assert_int_equal(notes_connect("order"), -1);
	open_door(&first, "order");
	assert_false(notes_door_open(&second, "order", &taken, &err));
	assert_true(taken);
	assert_int_equal(second.fd, -1);
	const int fd = notes_connect("order");
	assert_true(fd >= 0 && accept(first.fd, NULL, NULL) >= 0);
	close(fd);
	notes_door_close(&first);
}

/* Nobody is asked to wait where somebody has so many callers that he answers none. */
TEST(one_that_is_too_busy_to_answer_is_alive)
{
	struct notes_door first, second;
	struct err err;
	bool taken = false;
	open_door(&first, "order");
	for (int i = 0; i < 200 && notes_connect("order") >= 0; i++)
		continue;
	assert_false(notes_door_open(&second, "order", &taken, &err));
	assert_true(taken);
	notes_door_close(&first);
}

TEST(what_is_no_socket_is_not_removed)
{
	struct notes_door d;
	struct err err;
	bool taken;
	const char *dirs[NOTES_DIRECTORIES];
	assert_int_equal(notes_directories(true, &arena, dirs, NULL), 1);
	const char *const path = arena_printf(&arena, "%s/order.sock", dirs[0]);
	const int fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_false(notes_door_open(&d, "order", &taken, &err));
	assert_false(taken);
	assert_non_null(strstr(err.text, "is no socket"));
	assert_int_equal(access(path, F_OK), 0);
}

TEST(one_that_was_removed_or_replaced_is_noticed_and_not_removed_with_ours)
{
	struct notes_door first, second;
	open_door(&first, "order");
	assert_int_equal(unlink(first.path), 0);
	assert_false(notes_door_stands(&first));
	open_door(&second, "order");
	assert_false(notes_door_stands(&first));
	notes_door_close(&first);
	assert_true(notes_door_stands(&second));
	notes_door_close(&second);
}

TEST(a_path_that_is_too_long_is_said)
{
	struct notes_door d;
	struct err err;
	bool taken;
	char *const name = arena_calloc(&arena, 1, 120);
	memset(name, 'd', 110);
	assert_int_equal(mkdir(name, 0700), 0);
	setenv("TMPDIR", arena_printf(&arena, "%s/%s", root, name), 1);
	assert_false(notes_door_open(&d, "order", &taken, &err));
	assert_non_null(strstr(err.text, "longer than 107 bytes"));
	assert_int_equal(notes_connect("order"), -1);
}

TEST(those_that_are_alive_are_listed)
{
	struct notes_door a, b;
	const char *dirs[NOTES_DIRECTORIES];
	size_t n;
	notes_open_names(&arena, &n);
	assert_int_equal(n, 0);
	assert_int_equal(notes_directories(true, &arena, dirs, NULL), 1);
	leave_dead("dead");
	open_door(&b, "rank");
	open_door(&a, "bias");
	close(open(arena_printf(&arena, "%s/file.sock", dirs[0]), O_CREAT | O_WRONLY, 0600));
	close(open(arena_printf(&arena, "%s/.sock", dirs[0]), O_CREAT | O_WRONLY, 0600));
	const char **const names = notes_open_names(&arena, &n);
	assert_int_equal(n, 2);
	assert_string_equal(names[0], "bias");
	assert_string_equal(names[1], "rank");
	notes_door_close(&a);
	notes_door_close(&b);
}
