/* cmd_learn.c: trains expressions on tasks, and prints or keeps how right they are at each length. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/figures/grid_figure.h"
#include "posviz/format/file.h"
#include "posviz/learn/runs.h"
#include "posviz/plot/tex.h"

/* The runs that are asked for, and all results that are known. */
struct job {
	struct cli *c;
	struct learn_options *run;
	size_t n;
	struct learn_results results;
	bool keeps;   /* results are written after each run */
	bool merges;  /* files of results were given */
	size_t taken; /* results of earlier runs of the program */
};

/* ---- what is asked for ----------------------------------------------------------------------- */

static struct learn_options options_of(const struct cli *c)
{
	const struct setup *const s = &c->scene.setup;
	struct learn_options o;
	learn_defaults(&o);
	if (cli_given(c, "d-model"))
		o.d = (size_t)s->d_model;
	if (cli_given(c, "heads"))
		o.heads = (size_t)s->heads;
	if (cli_given(c, "layers"))
		o.layers = (size_t)s->layers;
	if (cli_given(c, "ff"))
		o.ff = (size_t)(s->ff ? s->ff : 4 * (long)o.d);
	if (cli_given(c, "init"))
		o.init = (enum init)s->init;
	if (cli_given(c, "activation"))
		o.activation = (enum activation)s->activation;
	if (cli_given(c, "seed"))
		o.seed = s->seed;
	o.steps = (size_t)c->steps;
	o.rate = c->rate;
	o.positions_only = c->positions_only;
	return o;
}

/* Returns an expression in its one form, so that a run has one line. */
static const char *expression_of(const char *text, struct err *err)
{
	struct scene scene = *scene_defaults();
	return scene_set(&scene, field_find("scheme"), text, err) ? scene.setup.scheme : NULL;
}

static bool is_results_file(const char *text)
{
	const size_t len = strlen(text), n = strlen(".json");
	return len > n && strcmp(text + len - n, ".json") == 0;
}

static bool check_task(struct cli *c, const char *task, struct err *err)
{
	struct task out;
	if (strstr(task, "; ") || strchr(task, '\n'))
		return err_set(err, "task: %s; a name without \"; \" would be right",
			       text_quote(&c->arena, task, strlen(task)));
	return task_open(&out, task, &c->arena, err) || err_prefix(err, "task: ");
}

static void add_seeds(struct job *job, struct learn_options o)
{
	for (long i = 0; i < (job->c->seeds ? job->c->seeds : 1); i++) {
		job->run[job->n++] = o;
		o.seed++;
	}
}

/* Adds the runs of an expression, or the results of a file. */
static bool add_argument(struct job *job, const char *text, struct learn_options o, struct err *err)
{
	struct cli *const c = job->c;
	static const char *const usual[] = {"shift"};
	const char *const *const tasks = c->n_tasks ? c->tasks : usual;
	bool is_results;
	if (is_results_file(text)) {
		job->merges = true;
		if (!learn_results_read(&job->results, text, &is_results, err))
			return false;
		return is_results || err_set(err, "learn: %s is no file of results",
					     text_quote(&c->arena, text, strlen(text)));
	}
	o.scheme = expression_of(text, err);
	if (!o.scheme)
		return false;
	for (size_t i = 0; i < (c->n_tasks ? c->n_tasks : 1); i++) {
		o.task = tasks[i];
		if (!check_task(c, o.task, err))
			return false;
		add_seeds(job, o);
	}
	return true;
}

static bool add_one(struct job *job, struct err *err)
{
	struct cli *const c = job->c;
	for (size_t i = 0; i < c->n_given; i++) {
		static const char *const with[] = {"one", "output", "force", "format", "keep"};
		bool fits = false;
		for (size_t k = 0; k < sizeof with / sizeof *with; k++)
			fits |= strcmp(c->given[i].name, with[k]) == 0;
		if (!fits)
			return err_set(err,
				       "learn: --%s means nothing beside --one: the line has it",
				       c->given[i].name);
	}
	if (c->n_args > 0)
		return err_set(
			err, "learn: the line of --one has its expression; leave the argument out");
	if (!learn_line_parse(c->one, &job->run[0], &c->arena, err))
		return err_prefix(err, "one: ");
	job->run[0].scheme = expression_of(job->run[0].scheme, err);
	job->n = 1;
	return job->run[0].scheme && check_task(c, job->run[0].task, err);
}

static bool find_runs(struct job *job, struct err *err)
{
	struct cli *const c = job->c;
	struct learn_options o = options_of(c);
	const size_t each = (c->n_tasks ? c->n_tasks : 1) * (size_t)(c->seeds ? c->seeds : 1);
	job->run = arena_calloc(&c->arena, c->n_args * each + 1, sizeof *job->run);
	learn_results_init(&job->results, &c->arena);
	if (c->one)
		return add_one(job, err);
	if (c->n_args == 0)
		return err_set(err, "learn: give an expression: posviz learn rope --task shift");
	if (c->test_as) {
		o.test_as = expression_of(c->test_as, err);
		if (!o.test_as)
			return err_prefix(err, "test-as: ");
	}
	for (size_t i = 0; i < c->n_args; i++)
		if (!add_argument(job, c->args[i], o, err))
			return false;
	return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Takes the results that the output has already. Another file there stays without --force. */
static bool read_known(struct job *job, struct err *err)
{
	struct cli *const c = job->c;
	bool is_results = false;
	job->keeps = output_is_json(c) && !output_is_standard(c);
	if (job->keeps && file_exists(c->output) && !c->force &&
	    !learn_results_read(&job->results, c->output, &is_results, err))
		return false;
	return is_results || output_free(c, NULL, err);
}

static bool write_known(const struct job *job, struct err *err)
{
	struct arena a;
	arena_init(&a);
	const char *const text = learn_results_json(&job->results, &a);
	const bool ok = file_write(job->c->output, text, strlen(text), true, err);
	arena_release(&a);
	return ok;
}

/* Takes the results that earlier calls of the program have left; a file of results has its own. */
static void take_kept(struct job *job)
{
	struct arena *const a = &job->c->arena;
	job->taken = 0;
	for (size_t i = 0; i < job->n && !output_is_json(job->c) && !job->c->keep; i++) {
		struct learn_result result;
		if (learn_results_find(&job->results, learn_line(&job->run[i], a)) ||
		    !learn_run_is_known(&job->run[i], false, a, &result))
			continue;
		learn_results_add(&job->results, &result);
		job->taken++;
	}
}

static size_t steps_left(const struct job *job)
{
	size_t all = 0;
	for (size_t i = 0; i < job->n; i++) {
		struct learn_options o = job->run[i];
		learn_complete(&o);
		if (!learn_results_find(&job->results, learn_line(&o, &job->c->arena)))
			all += o.steps;
	}
	return all;
}

static bool run_one(struct job *job, const struct learn_options *o, struct watch *watch,
		    struct err *err)
{
	struct cli *const c = job->c;
	struct learn_result result;
	struct learner *trained = NULL;
	bool ok = learn_run(o, watch, &c->arena, &result, &trained, err);
	ok = ok && (!c->keep || !trained || learner_keep(trained, c->keep, c->force, err));
	learner_free(trained);
	if (!ok)
		return false;
	learn_run_keep(&result);
	learn_results_add(&job->results, &result);
	return !job->keeps || write_known(job, err);
}

static bool run_all(struct job *job, struct err *err)
{
	struct cli *const c = job->c;
	struct watch *const watch = progress_begin();
	bool ok = true;
	take_kept(job);
	if (job->taken > 0)
		fprintf(stderr, "posviz: %zu of %zu runs are taken from earlier calls\n",
			job->taken, job->n);
	watch_expect(watch, steps_left(job));
	for (size_t i = 0; ok && i < job->n; i++) {
		/* --keep needs the trained numbers, which a file of results does not have. */
		if (!c->keep &&
		    learn_results_find(&job->results, learn_line(&job->run[i], &c->arena)))
			continue;
		ok = run_one(job, &job->run[i], watch, err);
	}
	progress_end();
	return ok;
}

/* ---- as a table ------------------------------------------------------------------------------ */

static const char *spread_text(const struct learn_group *g, size_t k, bool limits, struct arena *a)
{
	const struct spread *const s = &g->at[k];
	if (g->seeds == 0 || isnan(s->mean))
		return "n/a";
	return g->seeds > 1 && limits
		       ? arena_printf(a, "%.2f (%.2f to %.2f)", s->mean, s->least, s->most)
		       : arena_printf(a, "%.2f", s->mean);
}

static const char *floor_text(const struct learn_group *g, size_t k, struct arena *a)
{
	return g->seeds == 0 || isnan(g->at[k].floor) ? ""
						      : arena_printf(a, "%.2f", g->at[k].floor);
}

static const struct finding_column wide[] = {
	{"scheme", NULL}, {"task", NULL}, {"runs", NULL}, {"1 x", NULL},
	{"2 x", NULL},	  {"4 x", NULL},  {"8 x", NULL},  {"floor 1 x", NULL},
	{"2 x", NULL},	  {"4 x", NULL},  {"8 x", NULL},
};

static void tell_reasons(const struct learn_group *g, size_t n, struct report *r)
{
	for (size_t i = 0; i < n; i++) {
		const char *why = g[i].seeds == 0 ? g[i].first->absent : NULL;
		for (size_t k = 0; !why && k < LEARN_LENGTHS; k++)
			why = isnan(g[i].at[k].mean) ? g[i].at[k].absent : NULL;
		if (why)
			report_wrap(r, "n/a, %s on %s: %s.",
				    learn_group_name(&g[i], g, n, r->arena), g[i].first->o.task,
				    why);
	}
}

static void tell_text(const struct learn_group *g, size_t n, struct report *r)
{
	struct findings rows;
	findings_init(&rows, r->arena, wide, sizeof wide / sizeof *wide);
	rows.margin = "";
	for (size_t i = 0; i < n; i++) {
		struct finding_cell cell[sizeof wide / sizeof *wide] = {
			finding_word(learn_group_name(&g[i], g, n, r->arena)),
			finding_word(g[i].first->o.task),
			finding_word(arena_printf(r->arena, "%zu", g[i].seeds))};
		for (size_t k = 0; k < LEARN_LENGTHS; k++) {
			cell[3 + k] = finding_word(spread_text(&g[i], k, true, r->arena));
			cell[3 + LEARN_LENGTHS + k] = finding_word(floor_text(&g[i], k, r->arena));
		}
		findings_add(&rows, cell);
	}
	report_rows(r, "runs", &rows);
	report_say(r, "\n");
	report_wrap(
		r,
		"The share of right answers on fresh sentences of 1 to 8 times the longest trained "
		"length; in brackets the least and the most over the runs, which differ in their "
		"seeds. floor: what can be right without position, at the same lengths.");
	tell_reasons(g, n, r);
}

static const struct finding_column columns[] = {
	{"scheme", NULL}, {"test_as", NULL}, {"task", NULL}, {"layers", NULL}, {"d_model", NULL},
	{"steps", NULL},  {"init", NULL},    {"n", NULL},    {"times", NULL},  {"runs", NULL},
	{"mean", NULL},	  {"least", NULL},   {"most", NULL}, {"floor", NULL},  {"absent", NULL},
};

static struct finding_cell number(double value, struct arena *a)
{
	char text[32];
	return isnan(value) ? finding_word(NULL)
			    : finding_number(arena_strdup(a, num_print(text, sizeof text, value)),
					     value);
}

static void tell_csv(const struct learn_group *g, size_t n, struct report *r)
{
	struct arena *const a = r->arena;
	struct findings rows;
	findings_init(&rows, a, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < LEARN_LENGTHS; k++) {
			const struct learn_options *const o = &g[i].first->o;
			const struct spread *const s = &g[i].at[k];
			const bool any = g[i].seeds > 0;
			findings_add(&rows,
				     (const struct finding_cell[]){
					     finding_word(o->scheme), finding_word(o->test_as),
					     finding_word(o->task), number((double)o->layers, a),
					     number((double)o->d, a), number((double)o->steps, a),
					     finding_word(init_names[o->init]),
					     number(any ? (double)g[i].first->at[k].n : NAN, a),
					     number((double)(1u << k), a),
					     number((double)g[i].seeds, a),
					     number(any ? s->mean : NAN, a),
					     number(any ? s->least : NAN, a),
					     number(any ? s->most : NAN, a),
					     number(any ? s->floor : NAN, a),
					     finding_word(any ? s->absent : g[i].first->absent)});
		}
	report_rows(r, "runs", &rows);
}

/* A table that LaTeX sets without a package. */
static void tell_tex(const struct learn_group *g, size_t n, struct arena *a, struct strbuf *out)
{
	struct tex t = {.a = a};
	strbuf_init(&t.out, a);
	strbuf_add(
		out,
		"\\begin{tabular}{llrrrr}\n\\hline\n"
		"scheme & task & $1\\times$ & $2\\times$ & $4\\times$ & $8\\times$ \\\\\n\\hline\n");
	for (size_t i = 0; i < n; i++) {
		strbuf_add(out, tex_text(&t, learn_group_name(&g[i], g, n, a)));
		strbuf_printf(out, " & %s", tex_text(&t, g[i].first->o.task));
		for (size_t k = 0; k < LEARN_LENGTHS; k++)
			strbuf_printf(out, " & %s", spread_text(&g[i], k, false, a));
		strbuf_add(out, " \\\\\n");
	}
	strbuf_add(out, "\\hline\n\\end{tabular}\n");
}

/* ---- as a page ------------------------------------------------------------------------------- */

/* Draws the groups, on a page as high as they need unless its size was given. */
static bool write_page(struct cli *c, const struct learn_group *g, size_t n, struct err *err)
{
	struct raster_look look = snapshot_look(&c->scene);
	struct raster_report report = {0};
	struct figure f;
	char *data;
	size_t len;
	/* The letters of a page in pixels are at least so large. */
	const double type = look.type > 0 ? look.type : 12;
	const bool slide = look.type > 0 && look.foot != FOOT_NONE;
	const bool grows = !cli_given(c, "size") && !slide;
	const double ems = grows && !(look.type > 0) ? 0 : look.width / type;
	if (!grid_figure(g, n, ems, grows, output_command(c, c->n_args, &c->arena), &c->arena, &f,
			 err))
		return false;
	if (*c->scene.title)
		f.title = text_escape(&c->arena, c->scene.title, strlen(c->scene.title));
	if (grows)
		grid_size(&f, look.type, &look.width, &look.height);
	const struct format_page page = {.figure = &f, .look = &look, .report = &report};
	if (!format_find(c->format)->page(&page, &c->arena, &data, &len, err) ||
	    !output_write(c, data, len, err))
		return false;
	if (report.left_out)
		output_warn("%s", report.left_out);
	output_glyphs(c, &report, true);
	return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Results that were not asked for are in the file, and not in the table. */
static void choose(const struct job *job, struct learn_results *out)
{
	learn_results_init(out, &job->c->arena);
	for (size_t i = 0; job->merges && i < job->results.n; i++)
		learn_results_add(out, &job->results.at[i]);
	for (size_t i = 0; i < job->n; i++)
		learn_results_add(out,
				  learn_results_find(&job->results,
						     learn_line(&job->run[i], &job->c->arena)));
}

static bool write_table(struct job *job, struct err *err)
{
	struct cli *const c = job->c;
	struct learn_group *groups;
	struct learn_results asked;
	struct report r;
	const bool csv = c->format && strcmp(c->format, "csv") == 0;
	const bool tex = c->format && strcmp(c->format, "tex") == 0;
	choose(job, &asked);
	const size_t n = learn_groups(&asked, &c->arena, &groups);
	if (format_bears(c->format, FORMAT_PAGE | FORMAT_SHEET))
		return write_page(c, groups, n, err);
	report_init(&r, c, &c->arena, 0);
	if (tex)
		tell_tex(groups, n, &c->arena, &r.out);
	else if (csv)
		tell_csv(groups, n, &r);
	else
		tell_text(groups, n, &r);
	return output_is_standard(c) && !tex ? report_write(&r, c, err)
					     : output_write(c, r.out.at, r.out.len, err);
}

static bool write_results(struct job *job, struct err *err)
{
	struct cli *const c = job->c;
	if (job->keeps)
		return write_known(job, err);
	if (!output_is_json(c))
		return write_table(job, err);
	const char *const text = learn_results_json(&job->results, &c->arena);
	return output_write(c, text, strlen(text), err);
}

static bool print_lines(const struct job *job, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, &job->c->arena);
	for (size_t i = 0; i < job->n; i++)
		strbuf_printf(&out, "%s\n", learn_line(&job->run[i], &job->c->arena));
	return output_text(&out, err);
}

/* A single run that cannot be made is a mistake of the user. */
static bool any_was_made(const struct job *job, struct err *err)
{
	for (size_t i = 0; i < job->results.n; i++)
		if (!job->results.at[i].absent)
			return true;
	return job->results.n == 0 || err_set(err, "%s", job->results.at[0].absent);
}

/* Refuses what a page of bars, or a page that is not drawn, would not show. */
static bool page_fits(struct cli *c, struct err *err)
{
	static const char *const unused[] = {"sweep", "scale", "colormap"};
	const bool drawn = format_bears(c->format, FORMAT_PAGE | FORMAT_SHEET);
	for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
		if (cli_given(c, unused[i]))
			return err_set(err, "learn takes no option --%s: its page has bars alone",
				       unused[i]);
	if (drawn && c->n_tasks > FIGURE_PANELS)
		return err_set(err,
			       "learn: %zu tasks, and a page has room for %d; csv has room for all",
			       c->n_tasks, FIGURE_PANELS);
	if (cli_given(c, "title") && !drawn)
		return err_set(
			err, "--title means nothing for %s; it is for %s", c->format,
			format_words(FORMAT_PAGE | FORMAT_SHEET, "", ", ", " or ", &c->arena));
	return true;
}

int cmd_learn(struct cli *c, struct err *err)
{
	struct job job = {.c = c};
	const bool chosen =
		c->output || c->format ? output_format(c, err) : output_format_or_text(c, err);
	if (!chosen || !page_fits(c, err) || !options_fit(c, err) || !find_runs(&job, err))
		return EXIT_BAD_USE;
	if (c->keep && (job.n != 1 || job.merges)) {
		err_set(err, "keep: %zu runs; a single one would be right", job.n);
		return EXIT_BAD_USE;
	}
	if (c->list)
		return print_lines(&job, err) ? EXIT_FINE : EXIT_BAD_USE;
	if (!output_check(c, format_bears(c->format, FORMAT_PAGE | FORMAT_SHEET), err) ||
	    !read_known(&job, err) || !run_all(&job, err) || !any_was_made(&job, err))
		return EXIT_BAD_USE;
	return write_results(&job, err) ? EXIT_FINE : EXIT_BAD_USE;
}
