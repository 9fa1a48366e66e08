/* cmd_tour.c: tours: which there are, whether what they say holds, and showing one. */
#include "cli.h"

#include <string.h>

#include "posviz/json.h"
#include "posviz/text.h"
#include "posviz/tour.h"
#include "posviz/tui.h"

/* ---- which there are ---------------------------------------------------------------------------------- */

static int list(struct cli *c, struct err *err)
{
	struct listing l;
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	if (c->n_args > 0) {
		err_set(err, "tour: --list takes no name");
		return EXIT_BAD_USE;
	}
	if (!output_format_or_text(c, err) || !list_rows("tours", &c->arena, &l, err))
		return EXIT_BAD_USE;
	listing_print(&l, c->format, &out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}

/* ---- checking ----------------------------------------------------------------------------------------- */

/* "order: 12 steps, 28 expectations hold" */
static void sum_up(const char *name, const struct tour *t, const struct tour_report *r,
		   struct strbuf *out)
{
	for (size_t i = 0; i < r->n; i++)
		strbuf_printf(out, "%s%s\n", r->lines[i].text,
			      r->lines[i].warning ? " (warning)" : "");
	const size_t bad = r->errors - r->untrue;
	if (bad > 0) {
		strbuf_printf(out, "%s: %zu line%s wrong\n", name, bad, bad == 1 ? " is" : "s are");
		return;
	}
	strbuf_printf(out, "%s: %zu step%s, %zu of %zu expectations hold", name, t->n_steps,
		      t->n_steps == 1 ? "" : "s", r->expects - r->untrue, r->expects);
	if (r->fell_back > 0)
		strbuf_printf(out, "; %zu time%s the second choice of a view was taken",
			      r->fell_back, r->fell_back == 1 ? "" : "s");
	strbuf_add(out, "\n");
}

static void add_json(const char *name, const struct tour *t, const struct tour_report *r,
		     struct json_writer *w)
{
	json_writer_object(w, NULL);
	json_writer_string(w, "tour", name);
	json_writer_number(w, "steps", (double)t->n_steps);
	json_writer_number(w, "expects", (double)r->expects);
	json_writer_bool(w, "ok", r->errors == 0);
	json_writer_array(w, "lines");
	for (size_t i = 0; i < r->n; i++) {
		json_writer_object(w, NULL);
		json_writer_string(w, "text", r->lines[i].text);
		json_writer_bool(w, "warning", r->lines[i].warning);
		json_writer_bool(w, "untrue", r->lines[i].untrue);
		json_writer_end(w);
	}
	json_writer_end(w);
	json_writer_end(w);
}

/* All of them, whatever is wrong with one. */
static int check(struct cli *c, struct err *err)
{
	struct json_writer *const w = json_writer_new(&c->arena);
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct strbuf out;
	int code = EXIT_FINE;
	if (!output_format_or_text(c, err))
		return EXIT_BAD_USE;
	strbuf_init(&out, &c->arena);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < c->n_args; i++) {
		struct tour_report report = {.arena = &c->arena};
		struct tour t = {0};
		struct err why = {""};
		const char *const name = text_escape(&c->arena, c->args[i], strlen(c->args[i]));
		const bool ok = tour_open(c->args[i], TOUR_EXPECTS, cache, progress_begin(),
					  &c->arena, &t, &report, &why);
		progress_end();
		if (!ok && report.n == 0)
			report.errors++;
		if (!ok && report.n == 0)
			strbuf_printf(&out, "%s\n", why.text);
		sum_up(name, &t, &report, &out);
		add_json(name, &t, &report, w);
		const int worse = report.errors > report.untrue ? EXIT_BAD_USE
				  : report.untrue > 0		? EXIT_CHECK_FAILED
								: EXIT_FINE;
		code = worse > code ? worse : code;
	}
	cache_free(cache);
	json_writer_end(w);
	if (output_is_json(c)) {
		strbuf_init(&out, &c->arena);
		strbuf_printf(&out, "%s\n", json_writer_done(w, 2));
	}
	if (!(output_is_json(c) ? output_text(&out, err) : words_write(c, out.at, out.len, err)))
		return EXIT_BAD_USE;
	return code;
}

/* ---- showing ------------------------------------------------------------------------------------------ */

bool tour_one_name(const struct cli *c, struct err *err)
{
	return c->n_args == 1 ||
	       (c->n_args == 0
			? err_set(err, "tour: give the name of one, such as posviz tour order; "
				       "posviz tour --list names them")
			: err_set(err, "tour: one tour at a time is shown; --check takes several"));
}

/* Everything that is wrong with a file, before anything of it is seen. */
bool tour_is_right(struct cli *c, const struct tour_spec *spec, struct cache *cache, struct tour *t,
		   struct err *err)
{
	struct tour_report report = {.arena = &c->arena};
	size_t beat, said = 0;
	const bool ours = !strpbrk(spec->name, "./");
	*t = (struct tour){0};
	const bool ok = tour_open(spec->name, ours ? TOUR_LINES : TOUR_EXPECTS, cache,
				  progress_begin(), &c->arena, t, &report, err);
	progress_end();
	for (size_t i = 0; !ok && i < report.n; i++)
		said += !report.lines[i].warning && said < 20;
	for (size_t i = 0, n = 0; !ok && i < report.n && n + 1 < said; i++)
		if (!report.lines[i].warning && n++ < said)
			output_warn("%s", report.lines[i].text);
	if (!ok && report.errors > 1)
		err_set(err, "%s: %zu lines are wrong, and nothing is shown",
			t->name ? t->name : spec->name, report.errors);
	return ok && tour_spec_beat(spec, t, false, &beat, err);
}

static int show(struct cli *c, struct err *err)
{
	struct tour_spec spec;
	struct tour t;
	if (!tour_one_name(c, err) || !tour_spec_parse(c->args[0], &c->arena, &spec, err))
		return EXIT_BAD_USE;
	if (c->step > 0)
		spec.step = (size_t)c->step;
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool right = tour_is_right(c, &spec, cache, &t, err);
	cache_free(cache);
	if (!right)
		return EXIT_BAD_USE;
	c->app.request = REQUEST_TOUR;
	c->app.request_text = scene_intern(
		spec.step ? arena_printf(&c->arena, "%s#%zu", spec.name, spec.step) : spec.name);
	c->n_args = 0;
	c->app.pace = c->pace;
	return cmd_terminal(c, err);
}

int cmd_tour(struct cli *c, struct err *err)
{
	if (c->list)
		return list(c, err);
	if (c->check && c->n_args > 0)
		return check(c, err);
	if (c->output || c->questions)
		return tour_out(c, err);
	return show(c, err);
}
