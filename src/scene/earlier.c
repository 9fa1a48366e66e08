/* earlier.c: matrices of one's own in scenes, scripts and tours of earlier versions.
 *
 * Rows from 0 to 1 that sum to less are asked about (given_rows.c); earlier versions took them for a bias. Their
 * files open as they did: the expression becomes one with as=bias, and as long as it stays a note says so. */
#include <string.h>

#include "posviz/scene/beside.h"
#include "posviz/scheme/given.h"
#include "posviz/base/text.h"
#include "scene_in.h"

/* Texts without a file need no parser. */
static bool parses(const char *expression, struct arena *a, struct expr *e)
{
	return expression && strstr(expression, "from=") && expr_parse(e, expression, a, NULL);
}

bool setup_has_open_rows(const struct setup *setup, struct arena *a)
{
	const char *all[COMPARE_MAX];
	struct expr e;
	const size_t n = scene_compared(setup, a, all);
	for (size_t i = 0; i < n; i++)
		if (parses(all[i], a, &e) && given_is_open(&e))
			return true;
	return false;
}

static bool take(const char **expression, bool rounded, struct arena *a)
{
	struct expr e;
	if (!parses(*expression, a, &e) || !given_as_earlier(&e, rounded, a))
		return false;
	*expression = expr_print(&e, a);
	return true;
}

void scene_take_earlier(struct scene *scene, bool rounded)
{
	struct setup *const s = &scene->setup;
	struct beside all[COMPARE_MAX];
	struct arena a;
	arena_init(&a);
	const size_t n = setup_has_open_rows(s, &a) ? scene_beside(s, &a, all) : 0;
	bool any = false;
	for (size_t i = 0; i < n; i++)
		any |= take(&all[i].expression, rounded, &a);
	if (any) {
		s->scheme = scene_intern(all[0].expression);
		s->compare = scene_intern(beside_list(all + 1, n - 1, &a));
		s->asked.scheme = false;
		s->asked.earlier = true;
	}
	arena_release(&a);
}

const char *setup_earlier_note(const struct setup *setup, struct arena *a)
{
	const char *all[COMPARE_MAX], *file = NULL;
	struct expr e;
	if (!setup->asked.earlier || setup->asked.scheme)
		return NULL;
	const size_t n = scene_compared(setup, a, all);
	for (size_t i = 0; i < n && !file; i++)
		file = parses(all[i], a, &e) ? given_bias_file(&e) : NULL;
	return file ? arena_printf(a,
				   "matrix: %s: taken for a bias, as in earlier "
				   "versions; as=weights, as=percent or as=logits changes it",
				   text_quote(a, file, strlen(file)))
		    : NULL;
}
