/* units.c: finds rows and columns by their words: 'dog', and 'the'#2 for the second of several,
 * counted in the written sentence like their labels. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/view/run.h"

/* True if the picture has the units of the scene, including those that members insert. */
static bool is_shown(const struct app *app)
{
	const struct setup *const s = &app->scene.setup;
	const struct setup *const p = app->shown.scene ? &app->shown.scene->setup : NULL;
	return app->shown.picture && p && setup_same_tokens(s, p) &&
	       strcmp(s->order, p->order) == 0 && strcmp(s->scheme, p->scheme) == 0 &&
	       s->memory_tokens == p->memory_tokens;
}

/* Gets the units of rows or columns; before the first picture the tokens in their order. */
static bool units_of(const struct app *app, bool key, struct axis *out, struct err *err)
{
	struct arena *const a = app->scratch;
	const size_t memory = key ? 0 : (size_t)app->scene.setup.memory_tokens;
	struct input in, now;
	size_t *order, n;
	if (is_shown(app)) {
		const struct trace *const trace = &app->shown.picture->trace;
		*out = key ? trace->key : trace->query;
		return true;
	}
	if (!app_order(app, a, &order, &n, &in, err))
		return false;
	input_permute(&now, &in, order, a);
	const char **const labels = arena_calloc(a, now.n, sizeof *labels);
	long *const token = arena_calloc(a, now.n, sizeof *token);
	for (size_t i = 0; i < now.n; i++) {
		labels[i] = now.tokens[i].label;
		token[i] = now.tokens[i].special ? -1 : (long)now.tokens[i].place;
	}
	*out = (struct axis){.n = now.n, .labels = labels, .token = token};
	const char **const names = axis_names(out, a);
	const size_t skip = memory < now.n ? memory : 0;
	*out = (struct axis){now.n - skip, labels + skip, token + skip, names + skip};
	return true;
}

/* Returns the closing quotation mark of the quotation at the beginning: one before a blank, a
 * number or the end. */
static const char *closing(const char *text)
{
	for (const char *at = text + 1; *at; at++)
		if (*at == '\'' && at > text + 1 && (at[1] == '\0' || at[1] == ' ' || at[1] == '#'))
			return at;
	return NULL;
}

bool command_unit(struct app *app, const char **args, bool key, long *place, struct err *err)
{
	struct arena *const a = app->scratch;
	const char *const end = closing(*args);
	struct axis axis;
	size_t unit;
	long number = 0;
	if (!end)
		return err_set(err, "a token stands in quotation marks: 'dog', or 'the'#2");
	const char *const word = text_escape(a, *args + 1, (size_t)(end - *args - 1));
	const char *rest = end + 1;
	if (*rest == '#') {
		const size_t len = strcspn(rest + 1, " ");
		if (!num_parse_long(rest + 1, len, 1, INPUT_MAX_TOKENS, &number, err))
			return err_prefix(err, "the number behind #: ");
		rest += 1 + len;
	}
	if (!units_of(app, key, &axis, err) || !axis_find(&axis, word, number, &unit, a, err))
		return false;
	*place = (long)unit + 1;
	*args = rest + strspn(rest, " ");
	return true;
}
