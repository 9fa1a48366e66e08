/* cmd_verify.c: computes the numbers of posviz's pictures again and compares them with those that
 * the files state. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"

enum { PICTURE_LIMIT = 64 << 20 };

static void add_rows(struct listing *l, const struct verification *rows, size_t n, bool *same)
{
	struct arena *const a = l->arena;
	for (size_t i = 0; i < n; i++) {
		const struct verification *const v = &rows[i];
		char worst[32];
		*same &= v->ok;
		listing_add(l, (const char *const[LISTING_COLS]){
				       arena_printf(a, "  %s", v->title),
				       arena_printf(a, "%zux%zu", v->rows, v->cols),
				       v->trouble ? ""
						  : arena_strdup(a, num_show(worst, sizeof worst,
									     v->worst, 2)),
				       v->ok ? "ok" : "DIFFERS", v->trouble});
	}
}

/* Returns whether the file can be verified. A PNG without a scene before its pixels may have one
 * behind them, or be damaged, which its reader reports. */
static bool is_png(const char *path, const char *data, size_t len, struct err *err)
{
	struct kind_seen seen;
	kind_look(path, data, len, NULL, &seen);
	return kind_is_taken(seen.kind, "verify") || strcmp(seen.detail, "PNG") == 0 ||
	       seen.kind->id == KIND_EMPTY || kind_refuse(&seen, "verify", path, err);
}

static bool verify(const char *path, double memory, struct arena *a, bool *same, struct err *err)
{
	static const char *const head[] = {"  matrix", "size", "worst difference",
					   "result",   "",     NULL};
	const char *const name = text_escape(a, path, strlen(path));
	struct scene scene;
	struct verification *rows = NULL;
	struct strbuf out;
	struct listing l;
	const char *version = NULL;
	char *data;
	size_t len, n = 0;
	if (!file_read(path, PICTURE_LIMIT, a, &data, &len, err) || !is_png(path, data, len, err))
		return false;
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool ok =
		snapshot_verify(data, len, cache, a, memory, &scene, &rows, &n, &version, err);
	cache_free(cache);
	if (!ok)
		return err_prefix(err, "%s: ", name);
	if (!version || strcmp(version, POSVIZ_VERSION) != 0)
		output_warn("%s: made by posviz %s, compared by " POSVIZ_VERSION, name,
			    version ? version : "of an unknown version");
	strbuf_init(&out, a);
	strbuf_printf(&out, "%s\n", name);
	listing_init(&l, a, head);
	add_rows(&l, rows, n, same);
	if (n > 0)
		listing_print(&l, "text", &out);
	else
		strbuf_add(&out, "  no matrices, neither there nor here: ok\n");
	return output_text(&out, err);
}

/* Verifies every picture, even after an error; prints all errors but the last, which the caller
 * prints. */
int cmd_verify(struct cli *c, struct err *err)
{
	bool same = true, done = true;
	if (c->n_args == 0) {
		err_set(err, "verify: give a picture, such as posviz %s", c->sub->example);
		return EXIT_BAD_USE;
	}
	for (size_t i = 0; i < c->n_args; i++) {
		struct arena a;
		struct err why;
		arena_init(&a);
		if (!verify(c->args[i], c->scene.setup.memory, &a, &same, &why)) {
			if (!done)
				fprintf(stderr, "posviz: %s\n", err->text);
			*err = why;
			done = false;
		}
		arena_release(&a);
	}
	return !done ? EXIT_BAD_USE : same ? EXIT_FINE : EXIT_CHECK_FAILED;
}
