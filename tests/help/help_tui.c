/* help_tui.c: one running program per test. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "help_tui.h"

#include "test.h"

static struct pty pty;
static bool started;
static char directory[64];

struct pty *tui_start(const struct pty_look *look)
{
	if (started)
		pty_stop(&pty);
	started = true;
	pty_start(&pty, look);
	return &pty;
}

bool tui_has_measured(struct pty *p)
{
	return pty_wait_row(p, 0, " ms") && pty_wait_gone(p, " ms…") && pty_wait_gone(p, " ms~");
}

struct pty *tui_ready(const struct pty_look *look)
{
	struct pty *const p = tui_start(look);
	PTY_EXPECT(p, pty_wait(p, "┌─ "));
	PTY_EXPECT(p, tui_has_measured(p));
	PTY_EXPECT(p, pty_settle(p));
	return p;
}

static void remove_directory(void)
{
	char path[512];
	DIR *const d = directory[0] ? opendir(directory) : NULL;
	for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
		snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
		if (e->d_name[0] != '.')
			unlink(path);
	}
	if (d)
		closedir(d);
	rmdir(directory);
	directory[0] = '\0';
}

int tui_teardown(void **state)
{
	(void)state;
	if (started)
		pty_stop(&pty);
	started = false;
	if (directory[0])
		remove_directory();
	return 0;
}

void tui_quit(struct pty *p)
{
	pty_type(p, "q");
	assert_int_equal(pty_exit(p), 0);
	assert_true(pty_restored(p));
}

bool tui_canonical(struct pty *p, const void *wanted)
{
	struct termios now;
	return tcgetattr(p->fd, &now) == 0 &&
	       ((now.c_lflag & ICANON) != 0) == *(const bool *)wanted;
}

const char *tui_directory(void)
{
	snprintf(directory, sizeof directory, "/tmp/posviz-tui-XXXXXX");
	assert_non_null(mkdtemp(directory));
	return directory;
}

void tui_walk(struct pty *p, const struct tui_step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pty_type(p, steps[i].keys);
		if (steps[i].then && !pty_wait(p, steps[i].then))
			PTY_FAIL(p, "step %zu, after \"%s\": no \"%s\"", i, steps[i].keys,
				 steps[i].then);
		if (steps[i].gone && !pty_wait_gone(p, steps[i].gone))
			PTY_FAIL(p, "step %zu, after \"%s\": still \"%s\"", i, steps[i].keys,
				 steps[i].gone);
	}
}
