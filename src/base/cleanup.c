/* cleanup.c: see cleanup.h.
 *
 * Signal handlers may only read atomic variables here: a slot is filled first and published
 * afterwards. */
#include "posviz/base/cleanup.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANDLER_STACK = 64 << 10 };
enum slot { SLOT_FREE, SLOT_FILLING, SLOT_WAITING };

typedef void restore_fn(void);

/* The function that restores the terminal. It is exchanged for NULL before it is called, so that
 * a failure inside it cannot call it again. */
static _Atomic(restore_fn *) restore_terminal;

/* The registered files: a list with as many slots as were ever in use at once. A new slot is put
 * in front of the others and stays. */
struct waiting {
	atomic_int slot;
	int number;
	struct waiting *next;
	char path[PATH_MAX];
};
static _Atomic(struct waiting *) files;

void cleanup_restore(void (*restore)(void))
{
	atomic_store(&restore_terminal, restore);
}

/* Claims a free slot, or adds one; NULL: there is no memory for another. */
static struct waiting *claim_slot(void)
{
	struct waiting *f;
	for (f = atomic_load(&files); f; f = f->next) {
		int was = SLOT_FREE;
		if (atomic_compare_exchange_strong(&f->slot, &was, SLOT_FILLING))
			return f;
	}
	f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	atomic_store(&f->slot, SLOT_FILLING);
	f->next = atomic_load(&files);
	do
		f->number = f->next ? f->next->number + 1 : 0;
	while (!atomic_compare_exchange_weak(&files, &f->next, f));
	return f;
}

int cleanup_add_file(const char *path)
{
	struct waiting *const f = strlen(path) < PATH_MAX ? claim_slot() : NULL;
	if (!f)
		return -1;
	strcpy(f->path, path);
	atomic_store(&f->slot, SLOT_WAITING);
	return f->number;
}

void cleanup_drop_file(int number)
{
	for (struct waiting *f = number < 0 ? NULL : atomic_load(&files); f; f = f->next)
		if (f->number == number)
			atomic_store(&f->slot, SLOT_FREE);
}

void cleanup_undo(void)
{
	restore_fn *const restore = atomic_exchange(&restore_terminal, NULL);
	if (restore)
		restore();
	for (const struct waiting *f = atomic_load(&files); f; f = f->next)
		if (atomic_load(&f->slot) == SLOT_WAITING)
			unlink(f->path);
}

/* ---- signals --------------------------------------------------------------------------------- */

static bool is_one_of(int number, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == number)
			return true;
	return false;
}

/* Returns whether the signal cannot be caught or does not end a process. The C library reserves
 * some numbers; sigaction refuses these. */
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
	/* A sanitizer may have set up an alternative stack already. */
	if (sigaltstack(NULL, &there) == 0 && there.ss_flags & SS_DISABLE)
		sigaltstack(&own, NULL);
}
