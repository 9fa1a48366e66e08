/* help_arena.c: see help_arena.h. */
#include "help_arena.h"

#include "help_cli.h"

struct arena arena;

int open_arena(void **state)
{
	arena_init(&arena);
	*state = &arena;
	return 0;
}

int close_arena(__attribute__((unused)) void **state)
{
	arena_release(&arena);
	return 0;
}

int open_folder(void **state)
{
	open_arena(state);
	return cli_enter(state);
}

int close_folder(void **state)
{
	close_arena(state);
	return cli_leave(state);
}
