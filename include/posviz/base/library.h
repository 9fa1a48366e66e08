/* library.h: libraries that are loaded when the first of their functions is called.
 *
 * A header lists the functions, a line each, after the headers of the library:
 *
 *	#define cairo_arc LIBRARY_CALL(page_library, cairo_arc)
 *
 * Calls are written as usual. The program is not linked to the library, so a function without a
 * line is an undefined reference. */
#ifndef POSVIZ_LIBRARY_H
#define POSVIZ_LIBRARY_H

#include <stdatomic.h>
#include <stdint.h>

enum { LIBRARY_FILES = 3 };

struct library {
	const char *needed_to;		  /* what it does, for the message that it is missing */
	const char *files[LIBRARY_FILES]; /* names for dlopen; a function is in one of them */
	void *opened[LIBRARY_FILES];
};

/* Returns the address of a function, which is in the first of the files that has it; the files
 * before that and this one are loaded, and remain so. If it cannot be found, the program ends with a
 * message (die). Any thread may call it. */
uintptr_t library_find(struct library *library, const char *function);

/* The function `name` as a pointer, which each place in the code looks up once. */
#ifdef CPPCHECK /* which takes what a block of statements has for a number */
#define LIBRARY_CALL(library, name) name
#else
#define LIBRARY_CALL(library, name)                                                  \
	((__typeof__(&name))__extension__({                                          \
		static _Atomic(uintptr_t) library_found_;                            \
		uintptr_t library_here_ =                                            \
			atomic_load_explicit(&library_found_, memory_order_acquire); \
		if (library_here_ == 0) {                                            \
			library_here_ = library_find(&library, #name);               \
			atomic_store_explicit(&library_found_, library_here_,        \
					      memory_order_release);                 \
		}                                                                    \
		library_here_;                                                       \
	}))
#endif

#endif
