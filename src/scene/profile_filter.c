/* profile_filter.c: the names of a head's numbers, and the conditions that choose heads by them. */
#include "posviz/scene/profile_filter.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "scene_in.h"

const char *const profile_names[PROFILE_COLUMNS + 1] = {
	"position", "distance", "key",	     "content", "peak",	   "previous",
	"first",    "same",	"induction", "local",	"entropy", "distance-of-weights",
	"order",    "own",	"layer",     "head"};

/* Scores, which may have a star, are from the first to the last of these. */
static const char first_score[] = "previous", last_score[] = "order";

size_t profile_name_find(const char *name, size_t len)
{
	size_t i = 0;
	while (i < PROFILE_COLUMNS &&
	       (strlen(profile_names[i]) != len || strncmp(profile_names[i], name, len) != 0))
		i++;
	return i;
}

static bool is_score(size_t column)
{
	return column >= profile_name_find(first_score, strlen(first_score)) &&
	       column <= profile_name_find(last_score, strlen(last_score));
}

static bool no_condition(const char *word, size_t len, struct arena *a, struct err *err)
{
	const size_t name = strcspn(word, "<>= ");
	const char *const near = text_nearest(arena_strndup(a, word, name < len ? name : len),
					      profile_names, PROFILE_COLUMNS);
	return err_set(
		err,
		"profile-filter: %s is no condition; %s>0.5, layer=2, or a score alone, which means "
		"with a star, would be right",
		text_quote(a, word, len), near ? near : "previous");
}

static bool read_one(const char *word, size_t len, struct arena *a, struct profile_condition *out,
		     struct err *err)
{
	const size_t name = strcspn(word, "<>= ");
	out->column = profile_name_find(word, name < len ? name : len);
	if (out->column == PROFILE_COLUMNS)
		return no_condition(word, len, a, err);
	if (name >= len) {
		out->sign = PROFILE_STARRED;
		return is_score(out->column) || no_condition(word, len, a, err);
	}
	const bool equal = word[name + 1] == '=';
	const size_t sign = name + 1 + (equal && word[name] != '=');
	out->sign = word[name] == '='	? PROFILE_EQUAL
		    : word[name] == '>' ? (equal ? PROFILE_FROM : PROFILE_ABOVE)
		    : equal		? PROFILE_TO
					: PROFILE_BELOW;
	const size_t end = len > sign && word[len - 1] == '%' ? len - 1 : len;
	struct err why;
	return (end > sign &&
		num_parse_double(word + sign, end - sign, -1e9, 1e9, &out->value, &why)) ||
	       no_condition(word, len, a, err);
}

bool profile_filter_read(const char *text, struct arena *a, struct profile_condition **out,
			 size_t *n, struct err *err)
{
	*out = arena_calloc(a, strlen(text) + 1, sizeof **out);
	*n = 0;
	if (strcmp(text, "all") == 0)
		return true;
	for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
		const size_t len = strcspn(at, " ");
		if (!read_one(at, len, a, &(*out)[(*n)++], err))
			return false;
		at += len;
	}
	return true;
}

/* An empty list is "all". */
bool check_profile_filter(const char **value, struct arena *a, struct err *err)
{
	struct profile_condition *all;
	size_t n;
	if (!profile_filter_read(*value, a, &all, &n, err))
		return false;
	*value = n == 0 ? "all" : *value;
	return true;
}
