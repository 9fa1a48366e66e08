/* tour_file.c: tours on the command line: read, and what is wrong with them said. */
#include "tour_file.h"

#include "posviz/text.h"

#include <string.h>

enum { MOST_SAID = 20 };

/* All but the last, which is the error. */
static bool say_all(const struct tour_report *r, const char *name, struct arena *a, struct err *err)
{
	size_t said = 0;
	if (r->errors <= 1)
		return false;
	for (size_t i = 0; i < r->n && said < MOST_SAID; i++) {
		if (r->lines[i].warning)
			continue;
		output_warn("%s", r->lines[i].text);
		said++;
	}
	return err_set(err, "%s: %zu lines are wrong, and nothing is shown",
		       text_escape(a, name, strlen(name)), r->errors);
}

bool cli_tour(struct cli *c, const char *name, enum tour_depth depth, struct cache *cache,
	      struct tour *out, struct err *err)
{
	struct tour_report report = {.arena = &c->arena};
	const bool ok = tour_open(name, depth, cache, progress_begin(), &c->arena, out, &report,
				  err);
	progress_end();
	return ok || say_all(&report, name, &c->arena, err);
}
