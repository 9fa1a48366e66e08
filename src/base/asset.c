/* asset.c: look-up in the table of embedded files, which the Makefile generates. */
#include "posviz/base/asset.h"

#include <string.h>

const struct asset *asset_find(const char *path)
{
	for (const struct asset *asset = assets; asset->path != NULL; asset++)
		if (strcmp(asset->path, path) == 0)
			return asset;
	return NULL;
}
