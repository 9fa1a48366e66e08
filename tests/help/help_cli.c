/* help_cli.c: runs the program in a directory of its own. */
#include "help_cli.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "help_arena.h"
#include "help_signals.h"
#include "help_tensors.h"

enum { READ_LIMIT = 64 << 20 };

static char start[PATH_MAX], directory[] = "/tmp/posviz-test-XXXXXX", kept[PATH_MAX];

/* Returns the path of a file for the program's output, outside its directory, so that the directory
 * can be empty. */
static const char *kept_path(const char *name)
{
	static char path[2 * PATH_MAX];
	snprintf(path, sizeof path, "%s/%s", kept, name);
	return path;
}

int cli_enter(void **state)
{
	(void)state;
	assert_non_null(getcwd(start, sizeof start));
	memset(directory + strlen(directory) - 6, 'X', 6); /* of the test before */
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chdir(directory), 0);
	snprintf(kept, sizeof kept, "%s.kept", directory);
	assert_int_equal(mkdir(kept, 0700), 0);
	return 0;
}

/* Calls `each` (if not NULL) for the entries of a directory; returns how many there are. */
static size_t entries(const char *path, void (*each)(const char *path))
{
	size_t n = 0;
	DIR *const dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir)) != NULL;) {
		char name[2 * PATH_MAX];
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		n++;
		snprintf(name, sizeof name, "%s/%s", path, e->d_name);
		if (each)
			each(name);
	}
	closedir(dir);
	return n;
}

static void remove_file(const char *path)
{
	remove(path);
}

int cli_leave(void **state)
{
	(void)state;
	entries(directory, remove_file);
	entries(kept, remove_file);
	assert_int_equal(chdir(start), 0);
	rmdir(kept);
	return rmdir(directory);
}

int cli_enter_with_arena(void **state)
{
	open_arena(state);
	return cli_enter(state);
}

int cli_leave_with_arena(void **state)
{
	close_arena(state);
	return cli_leave(state);
}

static void open_as(int fd, const char *path, int flags)
{
	const int opened = open(path, flags, 0600);
	if (opened < 0 || dup2(opened, fd) < 0)
		_exit(120);
	if (opened != fd)
		close(opened);
}

static void child(const struct cli_case *c)
{
	const char *argv[CLI_ARGS + 1] = {"posviz"};
	signals_as_usual();
	for (size_t i = 0; c->args[i]; i++)
		argv[i + 1] = c->args[i];
	open_as(0, c->input ? c->input : "/dev/null", O_RDONLY);
	open_as(2, kept_path("err"), O_WRONLY | O_CREAT | O_TRUNC);
	if (c->output && strcmp(c->output, "closed") == 0)
		close(1);
	else
		open_as(1, c->output ? c->output : kept_path("out"), O_WRONLY | O_CREAT | O_TRUNC);
	for (size_t i = 0; i < 4 && c->environment[i]; i++)
		putenv((char *)(uintptr_t)c->environment[i]);
	if (c->file_limit) {
		const struct rlimit limit = {(rlim_t)c->file_limit, (rlim_t)c->file_limit};
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	if (c->memory_limit) {
		const rlim_t bytes = (rlim_t)c->memory_limit << 20;
		setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
	}
	if (c->open_limit) {
		const rlim_t most = (rlim_t)c->open_limit;
		setrlimit(RLIMIT_NOFILE, &(struct rlimit){most, most});
		for (int fd = STDERR_FILENO + 1; fd < 64; fd++) /* descriptors of the tests */
			close(fd);
	}
	execv(getenv("POSVIZ"), (char *const *)(uintptr_t)argv);
	_exit(121);
}

static char *read_kept(const char *name, struct arena *a, size_t *len)
{
	char *data = NULL;
	struct err err;
	if (!file_exists(kept_path(name))) {
		*len = 0;
		return arena_strdup(a, "");
	}
	if (!file_read(kept_path(name), READ_LIMIT, a, &data, len, &err))
		fail_msg("%s", err.text);
	remove(kept_path(name));
	return data;
}

void cli_run(struct cli_result *r, const struct cli_case *c)
{
	int status;
	arena_init(&r->arena);
	if (!getenv("POSVIZ"))
		fail_msg("POSVIZ must name the program: run the tests by make test");
	fflush(NULL);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		child(c);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	r->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	r->out = read_kept("out", &r->arena, &r->out_len);
	r->err = read_kept("err", &r->arena, &r->err_len);
}

void cli_done(struct cli_result *r)
{
	arena_release(&r->arena);
}

void cli_good(const struct cli_case *c)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != 0)
		fail_msg("%s %s: exit %d: %s", c->args[0], c->args[1] ? c->args[1] : "", r.code,
			 r.err);
	cli_done(&r);
}

size_t cli_files(void)
{
	return entries(directory, NULL);
}

void cli_write(const char *name, const void *data, size_t len)
{
	struct err err;
	if (!file_write(name, data, len, true, &err))
		fail_msg("%s", err.text);
}

char *cli_read(const char *name, struct arena *a, size_t *len)
{
	char *data = NULL;
	struct err err;
	if (!file_read(name, READ_LIMIT, a, &data, len, &err))
		fail_msg("%s", err.text);
	return data;
}

void cli_remove(const char *name)
{
	assert_int_equal(remove(name), 0);
}

void cli_tensors(const char *name, struct arena *a, struct tensor_set *set)
{
	struct err err;
	tensor_set_init(set, a);
	if (!help_tensors(set, name, &err))
		fail_msg("%s", err.text);
}

const struct tensor *cli_tensor(const struct tensor_set *set, const char *fmt, ...)
{
	char name[200];
	va_list args;
	va_start(args, fmt);
	vsnprintf(name, sizeof name, fmt, args);
	va_end(args);
	const struct tensor *const t = tensor_find(set, name);
	if (!t)
		fail_msg("no tensor %s", name);
	return t;
}

bool cli_has(const char *program)
{
	char command[64];
	snprintf(command, sizeof command, "command -v %s > /dev/null", program);
	const bool there = system(command) == 0;
	if (!there)
		print_message("%s is not there: make deps long-deps\n", program);
	return there;
}

const char *cli_said(const char *command, struct arena *a)
{
	char piece[4096];
	struct strbuf b;
	strbuf_init(&b, a);
	FILE *const f = popen(arena_printf(a, "%s 2>&1", command), "r");
	assert_non_null(f);
	for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
		strbuf_add_n(&b, piece, n);
	if (pclose(f) != 0)
		fail_msg("%s: %s", command, b.at);
	return b.at;
}

static const char *arg(const struct cli_case *c, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!c->args[k])
			return "";
	return c->args[i] ? c->args[i] : "";
}

void cli_expect(const struct cli_case *c, int code, const char *out, const char *err)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != code || (out && !strstr(r.out, out)) || (err && !strstr(r.err, err)))
		fail_msg("%s %s %s: status %d, not %d with \"%s\" and \"%s\":\n%s\n%s", arg(c, 0),
			 arg(c, 1), arg(c, 2), r.code, code, out ? out : "", err ? err : "", r.out,
			 r.err);
	cli_done(&r);
}

void cli_refuse(const struct cli_case *c, const char *says)
{
	struct cli_result r;
	const size_t files = cli_files();
	cli_run(&r, c);
	const char *const end = strchr(r.err, '\n');
	if (r.code != 2 || r.out_len != 0 || strncmp(r.err, "posviz: ", 8) != 0 || !end || end[1] ||
	    !strstr(r.err, says) || strchr(r.err, '\033') || cli_files() != files)
		fail_msg("%s %s %s: status %d, %zu bytes, %zu files more, expected \"%s\": %s",
			 arg(c, 0), arg(c, 1), arg(c, 2), r.code, r.out_len, cli_files() - files,
			 says, r.err);
	cli_done(&r);
}
