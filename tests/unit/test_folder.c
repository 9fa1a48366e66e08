/* test_folder.c: folders of which the newest entries stay. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "help_arena.h"
#include "help_files.h"
#include "posviz/format/file.h"
#include "posviz/format/folder.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

/* Makes a file that was changed so many seconds after a time long ago. */
static void make(const char *path, long at)
{
	const struct timespec times[2] = {{1000000 + at, 0}, {1000000 + at, 0}};
	help_write_text(path, "x");
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void age(const char *path, long at)
{
	const struct timespec times[2] = {{1000000 + at, 0}, {1000000 + at, 0}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(newest_files_stay)
{
	assert_true(file_make_dirs("kept", NULL));
	for (long i = 0; i < 5; i++)
		make(arena_printf(&arena, "kept/%ld", i), i == 1 ? 9 : i);
	folder_keep_newest("kept", 0, 5, 0);
	assert_true(file_exists("kept/0"));
	folder_keep_newest("kept", 0, 2, 0);
	for (long i = 0; i < 5; i++)
		assert_int_equal(file_exists(arena_printf(&arena, "kept/%ld", i)),
				 i == 1 || i == 4);
	folder_keep_newest("kept", 0, 0, 0);
	assert_false(file_exists("kept/1"));
	assert_true(file_exists("kept"));
}

/* A folder is as new as what is in it, and goes with all of it; folders between that are empty go too. */
TEST(newest_folders_stay)
{
	static const struct {
		const char *folder;
		long at;
	} rows[] = {{"trained/a/old", 1},
		    {"trained/a/new", 8},
		    {"trained/b/only", 2},
		    {"trained/c/x", 9}};
	for (size_t i = 0; i < 4; i++) {
		const char *const inside = arena_printf(&arena, "%s/within", rows[i].folder);
		assert_true(file_make_dirs(inside, NULL));
		make(arena_printf(&arena, "%s/config.json", inside), rows[i].at);
		age(inside, 0);
		age(rows[i].folder, 0);
	}
	assert_true(file_make_dirs("trained/begun", NULL)); /* by another program */
	folder_keep_newest("trained", 1, 2, 0);
	assert_true(file_exists("trained/begun"));
	assert_false(file_exists("trained/a/old"));
	assert_true(file_exists("trained/a/new/within/config.json"));
	assert_false(file_exists("trained/b"));
	assert_true(file_exists("trained/c/x"));
}

/* What a link leads to is not the program's own. */
TEST(links_are_not_followed)
{
	assert_true(file_make_dirs("others/deep", NULL) && file_make_dirs("own", NULL));
	make("others/deep/file", 1);
	assert_int_equal(symlink("../others", "own/link"), 0);
	folder_keep_newest("own", 0, 0, 0);
	assert_true(file_exists("others/deep/file"));
	assert_int_equal(symlink("others", "linked"), 0);
	folder_keep_newest("linked", 0, 0, 0);
	assert_true(file_exists("others/deep/file"));
	folder_keep_newest("nowhere", 0, 0, 0);
}

/* Old entries stay as long as a process holds them, also beside the newest. */
TEST(held_entries_stay)
{
	int status;
	for (long i = 0; i < 4; i++)
		assert_true(file_make_dirs(arena_printf(&arena, "trained/%ld/model", i), NULL));
	make("trained/0/model/file", 0);
	const pid_t other = fork();
	if (other == 0) { /* ends, and its hold with it */
		folder_hold("trained/1/model");
		_exit(0);
	}
	assert_true(waitpid(other, &status, 0) == other && status == 0);
	folder_hold("trained/0/model");
	folder_hold("trained/0/model");
	folder_hold("trained/none/model");
	for (long i = 0; i < 4; i++)
		age(arena_printf(&arena, "trained/%ld/model", i), i);
	folder_keep_newest("trained", 1, 1, 0);
	assert_true(file_exists("trained/0/model/file"));
	assert_false(file_exists("trained/1") || file_exists("trained/2"));
	assert_true(file_exists("trained/3/model"));
}

/* The use of an entry is a change of it, and what changed lately is spared. */
TEST(entries_of_the_last_seconds_stay)
{
	int status;
	assert_true(file_make_dirs("kept", NULL));
	make("kept/old", 1);
	make("kept/used", 2);
	make("kept/new", 3);
	const pid_t other = fork();
	if (other == 0) {
		folder_hold("kept/used");
		_exit(0);
	}
	assert_true(waitpid(other, &status, 0) == other && status == 0);
	folder_keep_newest("kept", 0, 0, 3600);
	assert_false(file_exists("kept/old") || file_exists("kept/new"));
	assert_true(file_exists("kept/used"));
}
