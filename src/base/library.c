/* library.c: loads libraries, and finds their functions by name. */
#include "posviz/base/library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "posviz/base/err.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns NULL if the file cannot be loaded, or has no such function. */
static void *find_in(struct library *library, size_t i, const char *function)
{
	if (!library->opened[i])
		library->opened[i] = dlopen(library->files[i], RTLD_LAZY | RTLD_LOCAL);
	return library->opened[i] ? dlsym(library->opened[i], function) : NULL;
}

uintptr_t library_find(struct library *library, const char *function)
{
	void *found = NULL;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; !found && i < LIBRARY_FILES && library->files[i]; i++)
		found = find_in(library, i, function);
	const char *const why = found ? NULL : dlerror();
	pthread_mutex_unlock(&lock);
	if (!found)
		die("%s is needed to %s, and cannot be loaded: %s", library->files[0],
		    library->needed_to, why ? why : function);
	return (uintptr_t)found;
}
