/* source_figure.c: the list of the figures of the sources, and what they expect of their numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fig.h"
#include "figures_in.h"
#include "posviz/num.h"
#include "posviz/text.h"

#define FIGURE(id) &source_figure_##id,
const struct source_figure *const source_figures[] = {
#include "fig_list.h"
	NULL};
#undef FIGURE

size_t source_figure_count(void)
{
	return sizeof source_figures / sizeof *source_figures - 1;
}

const struct source_figure *source_figure_find(const char *name, struct err *err)
{
	const char *names[sizeof source_figures / sizeof *source_figures];
	char quoted[120];
	size_t n = 0;
	for (; source_figures[n]; n++) {
		names[n] = source_figures[n]->name;
		if (strcmp(names[n], name) == 0)
			return source_figures[n];
	}
	const char *const near = text_nearest(name, names, n);
	text_quote_buf(quoted, sizeof quoted, name, strlen(name));
	err_set(err, "there is no figure %s; %s%s%s", quoted,
		near ? "did you mean \"" : "posviz list figures names them", near ? near : "",
		near ? "\"?" : "");
	return NULL;
}

/* ---- expectations ------------------------------------------------------------------------------- */

static const struct number *number_named(const struct numbers *numbers, const char *name,
					 size_t len)
{
	for (size_t i = 0; i < numbers->n; i++)
		if (strlen(numbers->at[i].name) == len &&
		    memcmp(numbers->at[i].name, name, len) == 0)
			return &numbers->at[i];
	return NULL;
}

/* Half a unit of the last place of what is written with decimals; of whole numbers rounding alone. */
static double tolerance_of(const char *written)
{
	const char *const dot = strchr(written, '.');
	return dot ? 0.5 * pow(10, -(double)strspn(dot + 1, "0123456789")) : 1e-9;
}

static bool meets(const char *op, double found, double wanted, double tolerance)
{
	const bool near = fabs(found - wanted) <= tolerance * (1 + 1e-9);
	if (strcmp(op, "=") == 0)
		return near;
	if (strcmp(op, "!=") == 0)
		return !near;
	if (op[0] == '<')
		return found < wanted || (op[1] == '=' && near);
	return found > wanted || (op[1] == '=' && near);
}

/* NAME OP VALUE, or NAME OP VALUE ± TOLERANCE; VALUE may be another number's name. These are ours. */
static struct source_expect expect(const char *text, const struct numbers *numbers, struct arena *a)
{
	struct source_expect out = {.text = text, .found = "there is no such number"};
	const size_t len = strcspn(text, " ");
	const struct number *const number = number_named(numbers, text, len);
	const char *const op = text + len + 1, *const value = op + strcspn(op, " ") + 1;
	const char *const more = strstr(value, " ± ");
	const size_t value_len = more ? (size_t)(more - value) : strlen(value);
	const char *const wanted = arena_strndup(a, value, value_len);
	const struct number *const other = number_named(numbers, wanted, value_len);
	double target = 0;
	if (other && other->at.at)
		target = other->at.at[0];
	else if (!num_parse_double(wanted, value_len, -1e300, 1e300, &target, NULL))
		BUG("expectation \"%s\"", text);
	const double tolerance = more ? strtod(more + strlen(" ± "), NULL) : tolerance_of(wanted);
	if (!number)
		return out;
	out.found = number->says;
	out.holds = number->at.at && meets(arena_strndup(a, op, strcspn(op, " ")), number->at.at[0],
					   target, tolerance);
	return out;
}

bool source_figure_check(const struct scene *scene, struct cache *cache, struct watch *watch,
			 struct arena *a, struct source_expect **out, size_t *n, struct err *err)
{
	struct scene own = *scene;
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	const struct source_figure *const is = source_figure_find(scene->figure, err);
	if (!is)
		return false;
	own.view = view_figures.name;
	if (!setup_build(&own.setup, a, &p->built, err) ||
	    !picture_compute(&own, cache, watch, a, p, err))
		return false;
	const struct figures_kept *const kept = p->kept;
	if (kept->why)
		return err_set(err, "%s: %s", is->name, kept->why);
	*n = 0;
	while (is->expects[*n])
		++*n;
	*out = arena_calloc(a, *n + 1, sizeof **out);
	for (size_t i = 0; i < *n; i++)
		(*out)[i] = expect(is->expects[i], &kept->numbers, a);
	return true;
}
