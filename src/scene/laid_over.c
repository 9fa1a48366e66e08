/* laid_over.c: the schemes that the view Lengths lays over one another: the scene's own, those that are
 * compared with it on the same input, and those of the field `lengths`: expressions separated by commas. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/scene/beside.h"
#include "scene_in.h"

/* Returns the length in bytes up to the next comma or semicolon outside brackets and quotes. */
static size_t entry_length(const char *text)
{
	size_t depth = 0, i = 0;
	bool quoted = false;
	for (; text[i] && (quoted || depth > 0 || !strchr(",;", text[i])); i++) {
		quoted ^= text[i] == '"';
		depth += !quoted && strchr("([", text[i]) != NULL;
		depth -= !quoted && depth > 0 && strchr(")]", text[i]) != NULL;
	}
	return i;
}

static const char *next_entry(const char **list, struct arena *a)
{
	const char *at = *list + strspn(*list, " ");
	const size_t all = entry_length(at);
	size_t len = all;
	while (len > 0 && at[len - 1] == ' ')
		len--;
	*list = at[all] ? at + all + 1 : NULL;
	return arena_strndup(a, at, len);
}

bool check_lengths(const char **value, struct arena *a, struct err *err)
{
	const char *list = *value, *out = "";
	if (strcmp(list, "none") == 0)
		return true;
	for (size_t n = 1; list; n++) {
		const char *entry = next_entry(&list, a);
		if (n == LENGTHS_MOST)
			return err_set(err, "lengths: at most %d beside the scheme itself",
				       LENGTHS_MOST - 1);
		if (!*entry)
			return err_set(err,
				       "lengths: expression %zu is empty; EXPR,EXPR,... would be "
				       "right, such as rope_pi,rope_yarn, or none",
				       n);
		struct beside one;
		if (!beside_parse(entry, a, &one, err))
			return err_prefix(err, "lengths: expression %zu: ", n);
		if (!one.expression || beside_has_input(&one))
			return err_set(err,
				       "lengths: expression %zu: of an entry an expression, and "
				       "@model PATH, would be right",
				       n);
		entry = beside_print(&one, a);
		out = arena_printf(a, "%s%s%s", out, n > 1 ? "," : "", entry);
	}
	/* A list with only the scheme `none` must differ from the word for an empty list. */
	*value = strcmp(out, "none") == 0 ? "none()" : out;
	return true;
}

static size_t add(const char *expression, const char *model, struct laid_over *out, size_t n)
{
	const char *const own = strcmp(expression, "none()") == 0 ? "none" : expression;
	for (size_t i = 0; i < n; i++)
		if (strcmp(out[i].expression, own) == 0 &&
		    strcmp(out[i].model ? out[i].model : "", model ? model : "") == 0)
			return n;
	if (n < LENGTHS_MOST)
		out[n++] = (struct laid_over){own, model};
	return n;
}

size_t scene_lengths(const struct scene *scene, struct arena *a, struct laid_over out[LENGTHS_MOST])
{
	struct beside all[COMPARE_MAX];
	const size_t compared = scene_beside(&scene->setup, a, all);
	const char *list = strcmp(scene->lengths, "none") == 0 ? NULL : scene->lengths;
	size_t n = 0;
	for (size_t i = 0; i < compared; i++)
		if (all[i].expression && !beside_has_input(&all[i]))
			n = add(all[i].expression,
				i == 0 && *scene->setup.checkpoint ? scene->setup.checkpoint
								   : all[i].model,
				out, n);
	while (list) {
		struct beside one = {0};
		const char *const entry = next_entry(&list, a);
		if (beside_parse(entry, a, &one, NULL))
			n = add(one.expression, one.model, out, n);
	}
	return n;
}
