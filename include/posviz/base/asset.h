/* asset.h: the files under assets/, embedded in the binary at build time. */
#ifndef POSVIZ_ASSET_H
#define POSVIZ_ASSET_H

#include <stddef.h>

struct asset {
	const char *path;	 /* below assets/, "colormaps/viridis.csv"; NULL ends the list */
	const char *begin, *end; /* the bytes; *end is a NUL, so text can be read as a string */
};

extern const struct asset assets[];

/* Returns the asset of that path, or NULL. */
const struct asset *asset_find(const char *path);

#endif
