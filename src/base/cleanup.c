/* cleanup.c: see cleanup.h.
 *
 * Handlers may only look at what is atomic here: a slot is filled first and shown afterwards. */
#include "posviz/cleanup.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 8, HANDLER_STACK = 64 << 10 };
enum slot { SLOT_FREE, SLOT_FILLING, SLOT_WAITING };

typedef void restore_fn(void);

/* Exchanged before it is called, so that a failure inside it cannot call it again. */
static _Atomic(restore_fn *) restore_terminal;

static struct {
	atomic_int slot;
	char path[PATH_MAX];
} files[FILES];

void cleanup_restore(void (*restore)(void))
{
	atomic_store(&restore_terminal, restore);
}

int cleanup_add_file(const char *path)
{
	for (int i = 0; i < FILES && strlen(path) < sizeof files[i].path; i++) {
		int was = SLOT_FREE;
		if (!atomic_compare_exchange_strong(&files[i].slot, &was, SLOT_FILLING))
			continue;
		strcpy(files[i].path, path);
		atomic_store(&files[i].slot, SLOT_WAITING);
		return i;
	}
	return -1;
}

void cleanup_drop_file(int number)
{
	if (number >= 0)
		atomic_store(&files[number].slot, SLOT_FREE);
}

void cleanup_undo(void)
{
	restore_fn *const restore = atomic_exchange(&restore_terminal, NULL);
	if (restore)
		restore();
	for (int i = 0; i < FILES; i++)
		if (atomic_load(&files[i].slot) == SLOT_WAITING)
			unlink(files[i].path);
}

/* ---- signals ----------------------------------------------------------------------------------- */

static bool is_one_of(int number, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == number)
			return true;
	return false;
}

/* The signals that nobody can catch, and those that end nothing. Numbers that are the C library's own are
 * refused by sigaction. */
static bool ends_nothing(int number)
{
	static const int list[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
				   SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};
	return is_one_of(number, list, sizeof list / sizeof *list);
}

static bool is_crash(int number)
{
	static const int list[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
	return is_one_of(number, list, sizeof list / sizeof *list);
}

static void undo_and_end(int number)
{
	cleanup_undo();
	signal(number, SIG_DFL);
	raise(number);
}

void cleanup_catch(void (*ends)(int number))
{
	static bool ours[NSIG];
	cleanup_thread();
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		if (ends_nothing(number) || sigaction(number, NULL, &action) != 0 ||
		    (!ours[number] && action.sa_handler != SIG_DFL))
			continue;
		action = (struct sigaction){.sa_handler =
						    ends && !is_crash(number) ? ends : undo_and_end,
					    .sa_flags = SA_RESTART | SA_ONSTACK};
		sigemptyset(&action.sa_mask);
		ours[number] = sigaction(number, &action, NULL) == 0;
	}
}

void cleanup_thread(void)
{
	static _Thread_local char stack[HANDLER_STACK];
	const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
	stack_t there;
	/* A sanitizer may have brought one already. */
	if (sigaltstack(NULL, &there) == 0 && there.ss_flags & SS_DISABLE)
		sigaltstack(&own, NULL);
}
