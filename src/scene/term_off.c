/* term_off.c: the terms that the scene excludes from the sum: a list of labels, "bias;
 * unit–unit". */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "scene_in.h"

/* Gets the next label of "a; b", without blanks around it. */
static bool next_label(const char **at, const char **label, size_t *len)
{
	while (**at) {
		const char *from = *at + strspn(*at, " ");
		const size_t all = strcspn(from, ";");
		*at = from + all + (from[all] == ';');
		*label = from;
		for (*len = all; *len > 0 && from[*len - 1] == ' ';)
			--*len;
		if (*len > 0)
			return true;
	}
	return false;
}

bool scene_term_is_off(const struct scene *scene, const char *term)
{
	const char *at = scene->terms_off, *label;
	size_t len;
	if (strcmp(at, "none") == 0)
		return false;
	while (next_label(&at, &label, &len))
		if (strlen(term) == len && memcmp(term, label, len) == 0)
			return true;
	return false;
}

static bool is_term(const struct trace_head *head, const char *label, size_t len)
{
	for (size_t i = 0; i < head->n_terms; i++)
		if (strlen(head->terms[i].label) == len &&
		    memcmp(head->terms[i].label, label, len) == 0)
			return true;
	return false;
}

const char *scene_terms_unknown(const struct scene *scene, const struct trace_head *head,
				struct arena *a)
{
	const char *at = scene->terms_off, *label;
	struct strbuf b;
	size_t len;
	strbuf_init(&b, a);
	if (strcmp(at, "none") == 0)
		return NULL;
	while (next_label(&at, &label, &len))
		if (!is_term(head, label, len))
			strbuf_printf(&b, "%s%s", b.len ? ", " : "", text_quote(a, label, len));
	return b.len ? b.at : NULL;
}
