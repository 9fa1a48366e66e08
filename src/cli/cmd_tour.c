/* cmd_tour.c: lists tours, checks their expectations, shows them, and writes films. */
#include "report.h"

#include <string.h>

#include "posviz/base/text.h"
#include "posviz/tour/tour.h"
#include "posviz/tui/tui.h"
#include "tour_file.h"

/* ---- formats --------------------------------------------------------------------------------- */

/* Returns whether `words`, parted by blanks, contain the word. */
static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);
	for (const char *at = words; (at = strstr(at, word)) != NULL; at++)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

static bool is_among(const struct cli *c, const char *what, const char *words, struct err *err)
{
	return has_word(words, c->format) ||
	       err_set(err, "format: %s is not for %s; it is one of %s", c->format, what, words);
}

/* ---- list ------------------------------------------------------------------------------------ */

static int list(struct cli *c, struct err *err)
{
	struct listing l;
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	if (c->n_args > 0) {
		err_set(err, "tour: --list takes no name");
		return EXIT_BAD_USE;
	}
	if (!output_format_or_text(c, err) ||
	    !is_among(c, "a list of tours", "text json csv markdown", err) ||
	    !list_rows("tours", &c->arena, &l, err))
		return EXIT_BAD_USE;
	listing_print(&l, c->format, &out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}

/* ---- checking -------------------------------------------------------------------------------- */

static void tell_lines(const struct tour_report *found, struct report *r)
{
	report_array(r, "lines");
	for (size_t i = 0; i < found->n; i++) {
		const struct tour_line *const line = &found->lines[i];
		report_say(r, "%s%s\n", line->text, line->warning ? " (warning)" : "");
		report_object(r, NULL);
		report_word(r, "text", line->text);
		report_bool(r, "warning", line->warning);
		report_bool(r, "untrue", line->untrue);
		report_end(r);
	}
	report_end(r);
}

/* Tells what was found; the text ends with "order: 12 steps, 28 of 28 expectations hold". */
static void tell(const char *name, const struct tour *t, const struct tour_report *found,
		 struct report *r)
{
	report_object(r, NULL);
	report_word(r, "tour", name);
	report_number(r, "steps", (double)t->n_steps);
	report_number(r, "expects", (double)found->expects);
	report_bool(r, "ok", found->errors == 0);
	tell_lines(found, r);
	report_end(r);
	const size_t bad = found->errors - found->untrue;
	if (bad > 0) {
		report_say(r, "%s: %zu line%s wrong\n", name, bad, bad == 1 ? " is" : "s are");
		return;
	}
	report_say(r, "%s: %zu step%s, %zu of %zu expectations hold", name, t->n_steps,
		   t->n_steps == 1 ? "" : "s", found->expects - found->untrue, found->expects);
	if (found->fell_back > 0)
		report_say(r, "; %zu time%s the second choice of a view was taken",
			   found->fell_back, found->fell_back == 1 ? "" : "s");
	report_say(r, "\n");
}

/* Checks all given tours, even if one has mistakes. */
static int check(struct cli *c, struct err *err)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct report r;
	int code = EXIT_FINE;
	if (!output_format_or_text(c, err) || !is_among(c, "what --check says", "text json", err)) {
		cache_free(cache);
		return EXIT_BAD_USE;
	}
	report_init(&r, c, &c->arena, 0);
	report_array(&r, NULL);
	for (size_t i = 0; i < c->n_args; i++) {
		struct tour_report report = {.arena = &c->arena};
		struct tour t = {0};
		struct err why = {""};
		const char *const name = text_escape(&c->arena, c->args[i], strlen(c->args[i]));
		const bool ok = tour_open(c->args[i], TOUR_EXPECTS, cache, progress_begin(),
					  &c->arena, &t, &report, &why);
		progress_end();
		if (!ok && report.n == 0) {
			struct tour_line *const line = arena_calloc(&c->arena, 1, sizeof *line);
			line->text = why.text[0] ? arena_strdup(&c->arena, why.text) : "given up";
			report.lines = line;
			report.n = report.errors = 1;
		}
		tell(name, &t, &report, &r);
		const int worse = report.errors > report.untrue ? EXIT_BAD_USE
				  : report.untrue > 0		? EXIT_CHECK_FAILED
								: EXIT_FINE;
		code = worse > code ? worse : code;
	}
	cache_free(cache);
	report_end(&r);
	return report_write(&r, c, err) ? code : EXIT_BAD_USE;
}

/* ---- showing --------------------------------------------------------------------------------- */

bool tour_one_name(const struct cli *c, struct err *err)
{
	return c->n_args == 1 ||
	       (c->n_args == 0
			? err_set(err, "tour: give the name of one, such as posviz tour order; "
				       "posviz tour --list names them")
			: err_set(err, "tour: one tour at a time is shown; --check takes several"));
}

bool tour_is_right(struct cli *c, const struct tour_spec *spec, struct cache *cache, struct tour *t,
		   struct err *err)
{
	size_t beat;
	const bool ours = tour_is_ours(spec->name);
	return cli_tour(c, spec->name, ours ? TOUR_LINES : TOUR_EXPECTS, cache, t, err) &&
	       tour_spec_beat(spec, t, false, &beat, err);
}

static int show(struct cli *c, struct err *err)
{
	struct tour *const t = arena_calloc(&c->arena, 1, sizeof *t);
	struct tour_spec spec;
	struct err why;
	if (!tour_one_name(c, err) || !options_of_mode(c, "the screen", err) ||
	    !tour_spec_parse(c->args[0], &c->arena, &spec, err))
		return EXIT_BAD_USE;
	if (c->step > 0)
		spec = (struct tour_spec){.name = spec.name, .step = (size_t)c->step};
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool right = tour_is_right(c, &spec, cache, t, err);
	cache_free(cache);
	if (!right)
		return EXIT_BAD_USE;
	if (!tui_possible(&why)) {
		err_set(err,
			"tour: it is shown on a terminal, and %.*s; -o FILE.pdf and --check need none",
			(int)strcspn(why.text, ";"), why.text);
		return EXIT_BAD_USE;
	}
	c->app.request = REQUEST_TOUR;
	c->app.request_text = scene_intern(
		spec.step ? arena_printf(&c->arena, spec.beat ? "%s#%zu.%zu" : "%s#%zu", spec.name,
					 spec.step, spec.beat)
			  : spec.name);
	c->app.given_tour = t;
	c->n_args = 0;
	c->app.pace = c->pace;
	return cmd_terminal(c, err);
}

/* ---- film of a parameter --------------------------------------------------------------------- */

/* Returns the first beat of the step that plays a parameter; otherwise the error names the steps
 * that do. */
static const struct tour_beat *playing(const struct tour *t, size_t step, struct arena *a,
				       struct err *err)
{
	struct strbuf others;
	size_t n = 0, last = t->n_steps;
	strbuf_init(&others, a);
	for (size_t i = 0; i < t->n_beats; i++) {
		const struct tour_beat *const b = &t->beats[i];
		if (b->play.n == 0 || b->step == last)
			continue;
		if (b->step + 1 == step)
			return b;
		last = b->step;
		strbuf_printf(&others, "%s--step %zu", n++ > 0 ? " or " : "", b->step + 1);
	}
	if (n == 0)
		err_set(err, "tour: no parameter runs in %s, so there is no film of it", t->name);
	else if (step == 0)
		err_set(err, "tour: a film is of one step; in %s a parameter runs in %s", t->name,
			others.at);
	else
		err_set(err, "tour: no parameter runs in step %zu of %s, but in %s", step, t->name,
			others.at);
	return NULL;
}

/* Returns the scene of the beat with the page options that were given. */
static struct scene on_page(const struct cli *c, const struct scene *beat)
{
	struct scene scene = *beat;
	scene_take_changes(&scene, scene_defaults(), &c->scene);
	return scene;
}

static bool film(struct cli *c, const struct tour_beat *beat, struct err *err)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	const struct scene scene = on_page(c, &beat->scene);
	char *data;
	size_t len;
	const bool ok =
		tour_apng(beat, &scene, cache, progress_begin(), &c->arena, &data, &len, err);
	progress_end();
	cache_free(cache);
	if (!ok || !output_write(c, data, len, err))
		return false;
	output_size(c, len);
	return true;
}

static int write_film(struct cli *c, struct err *err)
{
	struct tour_spec spec;
	struct tour t;
	if (!tour_one_name(c, err) || !tour_spec_parse(c->args[0], &c->arena, &spec, err) ||
	    !output_format(c, err) || !output_check(c, true, err))
		return EXIT_BAD_USE;
	if (c->step > 0)
		spec.step = (size_t)c->step;
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool right = tour_is_right(c, &spec, cache, &t, err);
	cache_free(cache);
	if (!right)
		return EXIT_BAD_USE;
	const struct tour_beat *const beat = playing(&t, spec.step, &c->arena, err);
	return beat && output_free(c, NULL, err) && film(c, beat, err) ? EXIT_FINE : EXIT_BAD_USE;
}

static bool is_film(const struct cli *c)
{
	const char *const dot = c->output ? strrchr(c->output, '.') : NULL;
	return strcmp(c->format ? c->format : dot ? dot + 1 : "", "apng") == 0;
}

int cmd_tour(struct cli *c, struct err *err)
{
	if (c->notes)
		return cmd_notes(c, err);
	/* Without arguments and options, tours are listed. */
	const bool alone = c->n_args == 0 && !c->check && !c->output && !c->questions &&
			   c->step == 0 && !(c->pace > 0);
	if (c->list || alone)
		return options_of_mode(c, "--list", err) ? list(c, err) : EXIT_BAD_USE;
	if (c->check && c->n_args > 0)
		return options_of_mode(c, "--check", err) ? check(c, err) : EXIT_BAD_USE;
	if (cast_is_wanted(c))
		return cmd_cast(c, err);
	if (is_film(c))
		return options_of_mode(c, "a film", err) ? write_film(c, err) : EXIT_BAD_USE;
	if (c->output || c->questions)
		return tour_out(c, err);
	return show(c, err);
}
