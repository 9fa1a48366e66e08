/* disk.c: see posviz/format/disk.h. */
#include "posviz/format/disk.h"

#include <errno.h>
#include <string.h>

static const char folder[] = "models/";
enum { FOLDER = sizeof folder - 1 };

/* Returns what an asset is called below the folder; NULL: it is elsewhere. */
static const char *below(const struct asset *asset)
{
	return strncmp(asset->path, folder, FOLDER) == 0 ? asset->path + FOLDER : NULL;
}

/* Returns the name of an asset in a directory of that path; NULL: it is not in it. */
static const char *name_in(const struct asset *asset, const char *path)
{
	const char *const name = below(asset);
	size_t len = strlen(path + 1);
	while (len > 0 && path[len] == '/')
		len--;
	return name && len > 0 && strncmp(name, path + 1, len) == 0 && name[len] == '/'
		       ? name + len + 1
		       : NULL;
}

const struct asset *disk_inside(const char *path)
{
	const char *name;
	for (const struct asset *asset = assets; *path == '@' && asset->path; asset++)
		if ((name = below(asset)) != NULL && strcmp(name, path + 1) == 0)
			return asset;
	return NULL;
}

const char *disk_inside_name(const char *path, size_t i)
{
	const char *name;
	for (const struct asset *asset = assets; *path == '@' && asset->path; asset++)
		if ((name = name_in(asset, path)) != NULL && i-- == 0)
			return name;
	return NULL;
}

bool disk_is_inside(const char *path)
{
	return disk_inside(path) || disk_inside_name(path, 0);
}

int disk_stat(const char *path, struct stat *st)
{
	if (*path != '@')
		return stat(path, st);
	const struct asset *const asset = disk_inside(path);
	if (!asset && !disk_inside_name(path, 0))
		return stat(path, st);
	memset(st, 0, sizeof *st);
	st->st_mode = asset ? S_IFREG | 0444 : S_IFDIR | 0555;
	st->st_ino = asset ? (ino_t)(asset - assets + 1) : 0;
	st->st_size = asset ? (off_t)(asset->end - asset->begin) : 0;
	return 0;
}
