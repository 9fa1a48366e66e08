/* cmd_cost.c: prints what schemes cost, as a table, as JSON or as CSV. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "posviz/analysis/cost.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

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
static const char *const own_sizes[] = {"d-model", "heads",   "head-dim", "value-dim", "kv-heads",
					"layers",  "ff",      "t-max",	  "seed",      "memory",
					"scheme",  "compare", NULL};

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

/* A pass takes the same with trained numbers as with drawn ones: of a model its positions and its sizes count. */
static void leave_numbers(struct cli *c)
{
	static const char *const numbers[] = {"checkpoint", "params", "map"};
	if (!*c->scene.setup.checkpoint)
		return;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		scene_set(&c->scene, field_find(numbers[i]), "", NULL);
	if (c->scene.setup.tokens == TOKENS_MODEL)
		scene_set(&c->scene, field_find("tokens"), "words", NULL);
}

/* ---- output ---------------------------------------------------------------------------------- */

static struct finding_cell fixed(struct arena *a, double value, int places)
{
	return finding_known(arena_printf(a, "%.*f", places, value), value);
}

static struct finding_cell brief(struct arena *a, double value)
{
	char text[32];
	return finding_known(arena_strdup(a, num_show(text, sizeof text, value, 2)), value);
}

static const struct finding_column columns[] = {
	{"scheme", "expression"},
	{"time", "time.ratio", .rounded = true},
	{NULL, "time.lower_quartile"},
	{NULL, "time.upper_quartile"},
	{"spread", "time.spread", .rounded = true},
	{"rounds", "time.rounds"},
	{NULL, "time.settled"},
	{NULL, "time.seconds"},
	{NULL, "time.seconds_of_none"},
	{NULL, "within_noise"},
	{"published time", NULL},
	{"learned", "learned"},
	{"% of BERT-base", "learned_percent", .rounded = true},
	{"published learned", NULL},
	{NULL, "not_counted"},
	{NULL, "multiply_adds"},
	{"multiply-adds beyond none", "multiply_adds_beyond_none"},
	{"% of none", NULL, .rounded = true},
	{NULL, "published_time"},
	{NULL, "published_learned"},
	{NULL, "why_published_differs"},
};

static void add_row(const struct cost *c, const struct cost_row *r, struct findings *f)
{
	struct arena *const a = f->arena;
	const struct cost_time *const t = &r->time;
	const double learned = r->counted ? (double)r->parameters : NAN;
	const char *const rounds = t->rounds > 0 ? arena_printf(a, "%zu", t->rounds) : "";
	findings_add(f, (const struct finding_cell[]){
				finding_word(r->expression),
				fixed(a, r->timed ? t->ratio : NAN, 2),
				finding_number(NULL, t->low),
				finding_number(NULL, t->high),
				fixed(a, r->timed ? cost_spread(t) : NAN, 2),
				finding_number(r->timed ? rounds : "", (double)t->rounds),
				finding_bool(NULL, t->settled),
				finding_known(NULL, t->seconds),
				finding_known(NULL, t->base),
				r->timed ? finding_bool(NULL, cost_within_noise(c, r))
					 : finding_known(NULL, NAN),
				fixed(a, r->printed_time, 2),
				fixed(a, learned, 0),
				brief(a, 100 * learned / cost_bert),
				fixed(a, r->printed_parameters, 0),
				finding_word(r->no_count),
				finding_known(NULL, r->multiply_adds),
				fixed(a, r->more, 0),
				brief(a, 100 * r->more / c->multiply_adds),
				finding_known(NULL, r->printed_time),
				finding_known(NULL, r->printed_parameters),
				finding_word(r->differs)});
}

static void add_sizes(const struct cost *c, struct report *r)
{
	const struct setup *const s = &c->setup;
	report_object(r, "pass");
	report_number(r, "units", (double)c->units);
	report_number(r, "d_model", (double)s->d_model);
	report_number(r, "heads", (double)s->heads);
	if (s->head_dim)
		report_number(r, "head_dim", (double)s->head_dim);
	if (s->value_dim)
		report_number(r, "value_dim", (double)s->value_dim);
	if (s->kv_heads)
		report_number(r, "kv_heads", (double)s->kv_heads);
	report_number(r, "layers", (double)s->layers);
	report_number(r, "ff", (double)(s->ff ? s->ff : 4 * s->d_model));
	report_end(r);
}

/* Adds to the text which times say nothing, if there are any. */
static void add_noise(const struct cost *c, struct report *r)
{
	const char *all = "";
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].timed && i != c->none && cost_within_noise(c, &c->rows[i]))
			all = arena_printf(r->arena, "%s%s%s", all, *all ? ", " : "",
					   c->rows[i].expression);
	if (*all)
		report_wrap(r, "Within noise, so that their times are no finding: %s.", all);
}

/* Adds to the text what the columns of the table mean, and why published numbers differ. */
static void add_notes(const struct cost *c, bool timing, struct report *r)
{
	const struct setup *const s = &c->setup;
	report_say(r, "\n");
	report_wrap(r,
		    "%sA pass is %ld layer%s on %zu tokens, d %ld, %ld heads%s. Multiply-adds are "
		    "those of a pass beyond the %.0f of none; learned numbers are those of "
		    "positions in BERT-base: d 768, 12 heads, 12 layers, t-max 512.",
		    timing ? "Time is that of a forward pass over one of none, spread half the "
			     "distance of the quartiles. "
			   : "",
		    s->layers, s->layers == 1 ? "" : "s", c->units, s->d_model, s->heads,
		    setup_heads_text(s, r->arena), c->multiply_adds);
	add_noise(c, r);
	report_wrap(r, "Published: Chen et al. 2021, Table 1, inference of BERT-base on TPU v2 "
		       "beyond BERT with learned positions; Table 6, English, less the 109.7 "
		       "million of BERT without positions, to 0.1 million.");
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].differs)
			report_wrap(r, "%s: %s.", c->rows[i].expression, c->rows[i].differs);
}

static void tell(const struct cost *c, bool timing, struct report *r)
{
	struct findings rows;
	findings_init(&rows, r->arena, columns, sizeof columns / sizeof *columns);
	rows.margin = "";
	for (size_t i = 0; i < c->n; i++)
		add_row(c, &c->rows[i], &rows);
	report_open(r);
	add_sizes(c, r);
	report_rows(r, "costs", &rows);
	add_notes(c, timing, r);
	report_end(r);
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
	struct report report;
	struct cost cost;
	size_t n = 0;
	if (!output_format_or_text(c, err) || !options_fit(c, err))
		return EXIT_BAD_USE;
	leave_numbers(c);
	if (!find_expressions(c, &expressions, &n, err) || !measure(c, expressions, n, &cost, err))
		return EXIT_BAD_USE;
	warn_of_unread(c);
	report_init(&report, c, &c->arena, 0);
	tell(&cost, c->scene.timing, &report);
	if (!report_write(&report, c, err))
		return EXIT_BAD_USE;
	for (size_t i = 0; i < cost.n && !has_structure(&c->scene.setup); i++)
		cli_warn_of_chain_in(cost.rows[i].expression, &c->arena);
	return EXIT_FINE;
}
