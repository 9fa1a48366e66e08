/* cmd_cost.c: prints what schemes cost, as a table, as JSON or as CSV. */
#include "cli.h"

#include <math.h>
#include <string.h>

#include "posviz/analysis/cost.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"

/* ---- input ----------------------------------------------------------------------------------- */

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* Fields that are not read: they change the numbers of a pass, but not its time. */
static const char *const unread[] = {"proj",   "activation", "weights",	    "units",
				     "params", "map",	     "content",	    "init",
				     "probe",  "norm-eps",   "embed-scale", NULL};
static const char *const own_sizes[] = {"d-model", "heads",  "layers", "ff",	  "t-max",
					"seed",	   "memory", "scheme", "compare", NULL};

static bool is_given(const struct cli *c, const char *name)
{
	return cli_given(c, name) != NULL;
}

/* Returns the properties of a pass that an option gave, or in which the scene differs from the
 * defaults because of a command. */
static struct cost_own own_of(const struct cli *c)
{
	const struct setup *const s = &c->scene.setup;
	const struct scene *const plain = scene_defaults();
	struct cost_own own = cost_own(s);
	if (is_given(c, "d-model") || is_given(c, "heads")) {
		own.d_model = is_given(c, "d-model");
		own.heads = is_given(c, "heads");
	}
	own.layers |= is_given(c, "layers");
	own.text |= strcmp(s->sentence, plain->setup.sentence) != 0 || *s->file;
	for (size_t i = 0; i < c->n_given; i++) {
		const struct field *const f = field_find(c->given[i].name);
		own.text |= f && f->setup && !is_among(f->name, unread) &&
			    !is_among(f->name, own_sizes);
	}
	return own;
}

static void warn_of_unread(const struct cli *c)
{
	for (size_t i = 0; i < c->n_given; i++)
		if (is_among(c->given[i].name, unread))
			output_warn("cost: numbers do not change what a pass takes; --%s is not "
				    "read",
				    c->given[i].name);
}

/* Finds the expressions: those given as arguments or by options; else those with published
 * values. */
static bool find_expressions(struct cli *c, const char ***out, size_t *n, struct err *err)
{
	const bool compared = strcmp(c->scene.setup.compare, "none") != 0;
	const char **const all = arena_calloc(&c->arena, c->n_args + 64, sizeof *all);
	*n = 0;
	if (c->scheme_given && c->n_args > 0)
		return err_set(err, "cost: give the expressions, by --scheme or without it");
	if (compared && !c->scheme_given)
		return err_set(err, "cost: give the expressions as arguments, without --compare");
	if (c->scheme_given)
		*n = scene_compared(&c->scene.setup, &c->arena, all);
	for (size_t i = 0; i < c->n_args; i++)
		all[(*n)++] = c->args[i];
	for (size_t i = 0; *n == i && cost_published[i]; i++)
		all[(*n)++] = cost_published[i];
	*out = all;
	for (size_t i = 0; i < *n; i++)
		if (expression_is_looked_at(all[i], &c->arena))
			return err_set(
				err,
				"cost: %s: queries are other tokens than keys, so there is no pass "
				"that could be measured",
				text_quote(&c->arena, all[i], strlen(all[i])));
	return true;
}

/* ---- output ---------------------------------------------------------------------------------- */

static const char *digits(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "" : arena_strdup(a, num_print(text, sizeof text, value));
}

static const char *fixed(struct arena *a, double value, int places)
{
	return isnan(value) ? "" : arena_printf(a, "%.*f", places, value);
}

static const char *short_number(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "" : arena_strdup(a, num_show(text, sizeof text, value, 2));
}

/* Adds a row: with rounded numbers in a table for people, with digits that read back in a table for
 * programs. */
static void add_row(const struct cost *c, const struct cost_row *r, bool people, struct listing *l)
{
	struct arena *const a = l->arena;
	const struct cost_time *const t = &r->time;
	const double ratio = r->timed ? t->ratio : NAN, spread = r->timed ? cost_spread(t) : NAN;
	const double learned = r->counted ? (double)r->parameters : NAN;
	const double part = 100 * learned / cost_bert, more = 100 * r->more / c->multiply_adds;
	const char *const cells[LISTING_COLS] = {
		r->expression,
		people ? fixed(a, ratio, 2) : digits(a, ratio),
		people ? fixed(a, spread, 2) : digits(a, spread),
		r->timed && t->rounds > 0 ? arena_printf(a, "%zu", t->rounds) : "",
		fixed(a, r->printed_time, 2),
		fixed(a, learned, 0),
		people ? short_number(a, part) : digits(a, part),
		fixed(a, r->printed_parameters, 0),
		fixed(a, r->more, 0),
		people ? short_number(a, more) : digits(a, more),
	};
	listing_add(l, cells);
}

static void write_listing(const struct cost *c, const char *format, struct strbuf *out)
{
	static const char *const head[] = {"scheme",
					   "time",
					   "spread",
					   "rounds",
					   "published time",
					   "learned",
					   "% of BERT-base",
					   "published learned",
					   "multiply-adds beyond none",
					   "% of none",
					   NULL};
	struct listing l;
	listing_init(&l, out->arena, head);
	for (size_t i = 0; i < c->n; i++)
		add_row(c, &c->rows[i], strcmp(format, "text") == 0, &l);
	listing_print(&l, format, out);
}

/* Writes which times say nothing, if there are any. */
static void write_noise(const struct cost *c, struct strbuf *out)
{
	const char *all = "";
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].timed && i != c->none && cost_within_noise(c, &c->rows[i]))
			all = arena_printf(out->arena, "%s%s%s", all, *all ? ", " : "",
					   c->rows[i].expression);
	if (*all)
		words_wrap(out,
			   arena_printf(out->arena,
					"Within noise, so that their times are no finding: %s.",
					all),
			   0);
}

static void write_text(const struct cost *c, bool timing, struct strbuf *out)
{
	struct arena *const a = out->arena;
	const struct setup *const s = &c->setup;
	write_listing(c, "text", out);
	strbuf_add(out, "\n");
	words_wrap(
		out,
		arena_printf(a,
			     "%sA pass is %ld layer%s on %zu units, d %ld, %ld heads. "
			     "Multiply-adds are those of a pass beyond the %.0f of none; learned "
			     "numbers are those of positions in BERT-base: d 768, 12 heads, 12 "
			     "layers, t-max 512.",
			     timing ? "Time is that of a forward pass over one of none, spread "
				      "half the distance of the quartiles. "
				    : "",
			     s->layers, s->layers == 1 ? "" : "s", c->units, s->d_model, s->heads,
			     c->multiply_adds),
		0);
	write_noise(c, out);
	words_wrap(out,
		   "Published: Chen et al. 2021, Table 1, inference of BERT-base on TPU v2 beyond "
		   "BERT with learned positions; Table 6, English, less the 109.7 million of "
		   "BERT without positions, to 0.1 million.",
		   0);
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].differs)
			words_wrap(out,
				   arena_printf(a, "%s: %s.", c->rows[i].expression,
						c->rows[i].differs),
				   0);
}

static void write_number(struct json_writer *w, const char *name, double value)
{
	if (isnan(value))
		json_writer_string(w, name, NULL);
	else
		json_writer_number(w, name, value);
}

static void write_time(struct json_writer *w, const struct cost_row *r)
{
	const struct cost_time *const t = &r->time;
	if (!r->timed) {
		json_writer_string(w, "time", NULL);
		return;
	}
	json_writer_object(w, "time");
	json_writer_number(w, "ratio", t->ratio);
	json_writer_number(w, "lower_quartile", t->low);
	json_writer_number(w, "upper_quartile", t->high);
	json_writer_number(w, "spread", cost_spread(t));
	json_writer_integer(w, "rounds", (long)t->rounds);
	json_writer_bool(w, "settled", t->settled);
	write_number(w, "seconds", t->seconds);
	write_number(w, "seconds_of_none", t->base);
	json_writer_end(w);
}

static void write_row(struct json_writer *w, const struct cost *c, const struct cost_row *r)
{
	json_writer_object(w, NULL);
	json_writer_string(w, "expression", r->expression);
	write_time(w, r);
	if (r->timed)
		json_writer_bool(w, "within_noise", cost_within_noise(c, r));
	write_number(w, "learned", r->counted ? (double)r->parameters : NAN);
	write_number(w, "learned_percent",
		     r->counted ? 100 * (double)r->parameters / cost_bert : NAN);
	json_writer_string(w, "not_counted", r->no_count);
	write_number(w, "multiply_adds", r->multiply_adds);
	write_number(w, "multiply_adds_beyond_none", r->more);
	write_number(w, "published_time", r->printed_time);
	write_number(w, "published_learned", r->printed_parameters);
	json_writer_string(w, "why_published_differs", r->differs);
	json_writer_end(w);
}

static void write_json(const struct cost *c, struct strbuf *out)
{
	const struct setup *const s = &c->setup;
	struct json_writer *const w = json_writer_new(out->arena);
	json_writer_object(w, NULL);
	json_writer_string(w, "posviz", POSVIZ_VERSION);
	json_writer_object(w, "pass");
	json_writer_integer(w, "units", (long)c->units);
	json_writer_integer(w, "d_model", s->d_model);
	json_writer_integer(w, "heads", s->heads);
	json_writer_integer(w, "layers", s->layers);
	json_writer_integer(w, "ff", s->ff ? s->ff : 4 * s->d_model);
	json_writer_end(w);
	json_writer_array(w, "costs");
	for (size_t i = 0; i < c->n; i++)
		write_row(w, c, &c->rows[i]);
	json_writer_end(w);
	json_writer_end(w);
	strbuf_printf(out, "%s\n", json_writer_done(w, 2));
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool measure(struct cli *c, const char **expressions, size_t n, struct cost *out,
		    struct err *err)
{
	const struct setup setup = cost_setup(&c->scene.setup, own_of(c));
	const struct cost_request r = {.setup = &setup,
				       .expressions = expressions,
				       .n = n,
				       .most = SIZE_MAX,
				       .untimed = !c->scene.timing,
				       .strict = true,
				       .patience = cost_patience,
				       .watch = progress_begin()};
	const bool ok = cost_measure(&r, &c->arena, out, err);
	progress_end();
	return ok;
}

static bool has_structure(const struct setup *s)
{
	return *s->conllu || *s->tree || *s->graph || *s->governors;
}

int cmd_cost(struct cli *c, struct err *err)
{
	const char **expressions = NULL;
	struct strbuf out;
	struct cost cost;
	size_t n = 0;
	if (!output_format_or_text(c, err) || !options_fit(c, err) ||
	    !find_expressions(c, &expressions, &n, err) || !measure(c, expressions, n, &cost, err))
		return EXIT_BAD_USE;
	warn_of_unread(c);
	strbuf_init(&out, &c->arena);
	if (output_is_json(c))
		write_json(&cost, &out);
	else if (strcmp(c->format, "csv") == 0)
		write_listing(&cost, "csv", &out);
	else
		write_text(&cost, c->scene.timing, &out);
	if (!output_text(&out, err))
		return EXIT_BAD_USE;
	for (size_t i = 0; i < cost.n && !has_structure(&c->scene.setup); i++)
		cli_warn_of_chain_in(cost.rows[i].expression, &c->arena);
	return EXIT_FINE;
}
