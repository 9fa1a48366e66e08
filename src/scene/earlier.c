/* earlier.c: the user's matrices in scenes, scripts and tours of earlier versions.
 *
 * If the rows are from 0 to 1 and sum to less than 1, the user must say what they are
 * (given_rows.c); earlier versions took them for a bias. Files of those versions open as
 * before: the expression gets as=bias, and a note says so as long as the expression stays. The
 * same holds for a square matrix whose rows and columns have different names: with keys=same
 * the names of the columns are used for both. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/scene/beside.h"
#include "posviz/scheme/given.h"
#include "scene_in.h"

static bool names_file(const char *expression)
{
	return expression && strstr(expression, "from=");
}

/* Returns what the expression says; NULL: it names no file, or cannot be read. */
static const struct expr *with_file(const char *expression, struct arena *a)
{
	return names_file(expression) ? expr_of(expression, a, NULL) : NULL;
}

bool setup_has_open_rows(const struct setup *setup, struct arena *a)
{
	const char *all[COMPARE_MAX];
	const size_t n = scene_compared(setup, a, all);
	for (size_t i = 0; i < n; i++) {
		const struct expr *const e = with_file(all[i], a);
		if (e && given_is_open(e))
			return true;
	}
	return false;
}

static bool take(const char **expression, bool rounded, struct arena *a)
{
	struct expr e;
	if (!names_file(*expression) || !expr_parse(&e, *expression, a, NULL) ||
	    !given_as_earlier(&e, rounded, a))
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

/* Returns the quoted name of the first file that `find` returns for a shown expression. */
static const char *file_of(const struct setup *setup, const char *(*find)(const struct expr *e),
			   struct arena *a)
{
	const char *all[COMPARE_MAX], *file = NULL;
	const size_t n = scene_compared(setup, a, all);
	for (size_t i = 0; i < n && !file; i++) {
		const struct expr *const e = with_file(all[i], a);
		file = e ? find(e) : NULL;
	}
	return file ? text_quote(a, file, strlen(file)) : NULL;
}

const char *setup_earlier_note(const struct setup *setup, struct arena *a)
{
	if (!setup->asked.earlier || setup->asked.scheme)
		return NULL;
	const char *const same = file_of(setup, given_same_file, a);
	if (same)
		return arena_printf(a,
				    "matrix: %s: rows have the names of the columns, as in earlier "
				    "versions; keys=other shows both",
				    same);
	const char *const bias = file_of(setup, given_bias_file, a);
	return bias ? arena_printf(a,
				   "matrix: %s: taken for a bias, as in earlier "
				   "versions; as=weights, as=percent or as=logits changes it",
				   bias)
		    : NULL;
}
