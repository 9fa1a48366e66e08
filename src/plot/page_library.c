/* page_library.c: the libraries that draw pages, by their names. */
#include "plot/page_library.h"

#ifndef PAGE_LIBRARY /* the Makefile knows the names for dlopen */
#define PAGE_LIBRARY   "libpangocairo-1.0.so"
#define SUBSET_LIBRARY "libharfbuzz-subset.so"
#endif

/* The first loads the others but that which reduces fonts, for files that contain them. */
struct library page_library = {"draw pages", {PAGE_LIBRARY, SUBSET_LIBRARY}, {NULL}};
