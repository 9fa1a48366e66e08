/* source_figure.c: the list of the figures of the sources, and what they expect of their numbers. */
#include <pthread.h>
#include <string.h>

#include "fig.h"
#include "figures_in.h"
#include "posviz/base/asset.h"
#include "posviz/base/text.h"
#include "posviz/quantity/quantity.h"
#include "posviz/view/run.h"

enum { MOST = 100 };

static struct {
	pthread_once_t once;
	struct arena arena; /* as long as the process */
	struct source_figure at[MOST];
	size_t n;
} list = {.once = PTHREAD_ONCE_INIT};

static void read_one(const char *name)
{
	const struct asset *const file =
		asset_find(arena_printf(&list.arena, "figures/%s.figure", name));
	struct err err = {""};
	BUG_IF(!file || list.n == MOST);
	if (!source_figure_read(name, file->begin, (size_t)(file->end - file->begin), &list.arena,
				&list.at[list.n++], &err))
		BUG("%s", err.text);
}

static void read_all(void)
{
	const struct asset *const order = asset_find("figures/order");
	arena_init(&list.arena);
	for (const char *at = order->begin; at < order->end;) {
		const size_t len = strcspn(at, "\n");
		read_one(arena_strndup(&list.arena, at, len));
		at += len + 1;
	}
}

size_t source_figure_count(void)
{
	pthread_once(&list.once, read_all);
	return list.n;
}

const struct source_figure *source_figure_at(size_t i)
{
	return i < source_figure_count() ? &list.at[i] : NULL;
}

const struct source_figure *source_figure_find(const char *name, struct err *err)
{
	const char *names[MOST];
	char quoted[120];
	const size_t n = source_figure_count();
	for (size_t i = 0; i < n; i++) {
		names[i] = list.at[i].name;
		if (strcmp(names[i], name) == 0)
			return &list.at[i];
	}
	/* A part of the name or title of one alone is that one. */
	const struct source_figure *found = NULL;
	size_t fits = 0;
	for (size_t i = 0; i < n && *name; i++)
		if (text_contains(names[i], name) || text_contains(list.at[i].title, name)) {
			found = &list.at[i];
			fits++;
		}
	if (fits == 1)
		return found;
	const char *const near = text_suggest(name, names, n);
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

/* "= NAME ± 0.1" with the value of that number for its name, met to rounding where it says no more. */
static const char *with_value(const char *rest, const struct numbers *numbers, struct arena *a)
{
	const size_t op = strcspn(rest, " ") + 1, len = strcspn(rest + op, " ");
	const struct number *const other = number_named(numbers, rest + op, len);
	const char *const behind = rest + op + len;
	return other && other->at.at ? arena_printf(a, "%.*s%.17g%s", (int)op, rest,
						    other->at.at[0], *behind ? behind : " ± 1e-9")
				     : rest;
}

/* NAME OP VALUE, or NAME OP VALUE ± TOLERANCE; VALUE may be another number's name. These are ours. */
static struct source_expect expect(const char *text, const struct numbers *numbers, struct arena *a)
{
	struct source_expect out = {.text = text, .found = "there is no such number"};
	const size_t len = strcspn(text, " ");
	const struct number *const number = number_named(numbers, text, len);
	struct expect e;
	struct err err = {""};
	if (!expect_parse_number(with_value(text + len + 1, numbers, a), a, &e, &err))
		BUG("expectation \"%s\": %s", text, err.text);
	if (!number)
		return out;
	out.found = number->says;
	out.holds = number->at.at && expect_meets(&e, number->at.at[0], e.number);
	return out;
}

struct source_expect *figure_expects(const struct figures_kept *kept, struct arena *a)
{
	const struct source_figure *const is = kept->is;
	struct source_expect *const out = arena_calloc(a, is->n_expects + 1, sizeof *out);
	for (size_t i = 0; i < is->n_expects; i++)
		out[i] = expect(is->expects[i], &kept->numbers, a);
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
	const struct job job = {
		.scene = &own, .view = &view_figures, .cache = cache, .watch = watch, .a = a};
	if (!setup_build(&own.setup, a, &p->built, err) || !view_compute(&job, p, err))
		return false;
	const struct figures_kept *const kept = p->kept;
	if (kept->why)
		return err_set(err, "%s: %s", is->name, kept->why);
	*n = is->n_expects;
	*out = figure_expects(kept, a);
	return true;
}
