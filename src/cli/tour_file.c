/* tour_file.c: reads tours for the command line, and reports their mistakes. */
#include "tour_file.h"

#include "posviz/base/text.h"
#include "posviz/tour/tour_run.h"

#include <string.h>

enum { MOST_SAID = 20 };

/* If there are several mistakes, prints them, at most MOST_SAID, and sets an error that counts
 * them; returns false. */
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
	const bool ok =
		tour_open(name, depth, cache, progress_begin(), &c->arena, out, &report, err);
	progress_end();
	return ok || say_all(&report, name, &c->arena, err);
}

/* ---- one beat -------------------------------------------------------------------------------- */

bool cli_is_beat(const char *text)
{
	return tour_spec_is(text, strchr(text, '#') != NULL);
}

/* Finds the beat that was named, and its scene with the look that c->app has now. */
static bool find_beat(struct cli *c, const struct tour *t, const struct tour_spec *spec,
		      struct scene *scene, struct err *err)
{
	size_t beat;
	if (!tour_spec_beat(spec, t, spec->beat == 0, &beat, err))
		return false;
	const struct tour_run run = {.tour = t, .before = c->app.scene};
	*scene = tour_scene(&run, beat);
	c->beat = &t->beats[beat];
	return true;
}

bool cli_beat(struct cli *c, const char *text, struct scene *scene, struct err *err)
{
	struct tour *const t = arena_calloc(&c->arena, 1, sizeof *t);
	struct tour_spec spec;
	return tour_spec_parse(text, &c->arena, &spec, err) &&
	       cli_tour(c, spec.name, TOUR_LINES, NULL, t, err) &&
	       find_beat(c, t, &spec, scene, err);
}

/* Asks the terminal program to show the tour, whose mistakes were reported before. */
static bool ask_for(struct cli *c, const char *text, const struct tour *t)
{
	c->app.request = REQUEST_TOUR;
	c->app.request_text = scene_intern(text);
	c->app.given_tour = t;
	return true;
}

static bool open_tour(struct cli *c, struct err *err)
{
	struct tour *const t = arena_calloc(&c->arena, 1, sizeof *t);
	struct scene scene;
	struct tour_spec spec;
	if (!tour_spec_parse(c->args[0], &c->arena, &spec, err))
		return false;
	const bool ours = tour_is_ours(spec.name);
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool right = cli_tour(c, spec.name, ours ? TOUR_LINES : TOUR_EXPECTS, cache, t, err);
	cache_free(cache);
	return right && find_beat(c, t, &spec, &scene, err) && ask_for(c, c->args[0], t);
}

/* Opens several files as a tour, a step for each; as words only one file can be described. */
static bool open_several(struct cli *c, struct err *err)
{
	struct tour *const t = arena_calloc(&c->arena, 1, sizeof *t);
	const char *names = "";
	for (size_t i = 0; i < c->n_args; i++)
		if (cli_is_beat(c->args[i]))
			return err_set(err,
				       "%s is a tour, and a tour is shown alone; several files are "
				       "scenes, a step of each",
				       text_quote(&c->arena, c->args[i], strlen(c->args[i])));
	if (c->plain)
		return err_set(err, "plain: it is of one file, and %zu are given", c->n_args);
	if (!tour_of_files(c->args, c->n_args, &c->arena, t, err))
		return false;
	for (size_t i = 0; i < c->n_args; i++)
		names = arena_printf(&c->arena, "%s%s%s", names, i ? "\n" : "", c->args[i]);
	return ask_for(c, names, t);
}

bool cli_open_files(struct cli *c, struct err *err)
{
	if (c->n_args > 1)
		return open_several(c, err);
	return cli_is_beat(c->args[0]) ? open_tour(c, err) : app_open(&c->app, c->args[0], err);
}

/* Reduces the figure to one panel: a page for the back row has no more. */
static void leave_pane(struct figure *f, size_t pane, struct arena *a)
{
	struct presented *const words = arena_calloc(a, 1, sizeof *words);
	*words = *f->presented;
	words->by_distance[0] = f->presented->by_distance[pane];
	f->panels[0] = f->panels[pane];
	f->n = 1;
	f->presented = words;
}

void cli_point_out(const void *beat, const struct scene *scene, const struct trace *trace,
		   struct arena *a, struct figure *f)
{
	size_t pane;
	if (!beat)
		return;
	tour_mark(beat, scene, trace, a, f, &pane);
	if (f->presented && pane < f->n)
		leave_pane(f, pane, a);
}
