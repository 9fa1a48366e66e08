/* compare.c: several expressions in one field: parted by semicolons that stand in no brackets and no
 * quotes. */
#include <ctype.h>
#include <string.h>

#include "scene_in.h"

#include "posviz/strbuf.h"

const char *const pair_names[PAIRS] = {"1-2", "1-3", "1-4", "2-3", "2-4", "3-4"};
const unsigned char pairs[PAIRS][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};

static bool is_none(const char *text)
{
	return strcmp(text, "none") == 0;
}

/* Bytes of the first expression of a list. */
static size_t first_length(const char *text)
{
	size_t depth = 0;
	bool quoted = false;
	for (size_t i = 0; text[i]; i++) {
		const char c = text[i];
		if (quoted && c == '\\' && text[i + 1])
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (quoted)
			continue;
		else if (strchr("([", c))
			depth++;
		else if (strchr(")]", c) && depth > 0)
			depth--;
		else if (c == ';' && depth == 0)
			return i;
	}
	return strlen(text);
}

/* The next one, without blanks around it; the list moves behind it. NULL at the end. */
static const char *next(const char **list, struct arena *a)
{
	const char *at = *list;
	if (!at)
		return NULL;
	size_t len = first_length(at);
	*list = at[len] ? at + len + 1 : NULL;
	for (; len > 0 && isspace((unsigned char)at[0]); len--)
		at++;
	while (len > 0 && isspace((unsigned char)at[len - 1]))
		len--;
	return arena_strndup(a, at, len);
}

bool check_compare(const char **value, struct arena *a, struct err *err)
{
	if (is_none(*value))
		return true;
	size_t n = 1;
	const char *list = *value, *one, *found[COMPARE_MAX];
	while ((one = next(&list, a)) != NULL) {
		if (n == COMPARE_MAX)
			return err_set(err, "compare: at most %d beside the scheme itself",
				       COMPARE_MAX - 1);
		if (!check_scheme(&one, a, err))
			return err_prefix(err, "compare: expression %zu: ", n);
		found[n++] = one;
	}
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 1; i < n; i++)
		strbuf_printf(&out, "%s%s", i > 1 ? "; " : "", found[i]);
	/* A list of the scheme `none` alone is not the word for no list. */
	*value = is_none(out.at) ? "none()" : out.at;
	return true;
}

size_t scene_compared(const struct setup *setup, struct arena *a, const char *out[COMPARE_MAX])
{
	size_t n = 0;
	out[n++] = setup->scheme;
	const char *list = is_none(setup->compare) ? NULL : setup->compare, *one;
	while (n < COMPARE_MAX && (one = next(&list, a)) != NULL)
		out[n++] = strcmp(one, "none()") == 0 ? "none" : one;
	return n;
}
