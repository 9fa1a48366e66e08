/* results.c: results of runs: kept in a file of JSON, and grouped over their seeds. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/json.h"
#include "posviz/format/json_read.h"
#include "posviz/learn/runs.h"

enum { MOST_BYTES = 256 << 20 };

void learn_results_init(struct learn_results *r, struct arena *a)
{
	*r = (struct learn_results){.arena = a};
}

static struct learn_result *find(const struct learn_results *r, const char *line)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->at[i].line, line) == 0)
			return &r->at[i];
	return NULL;
}

const struct learn_result *learn_results_find(const struct learn_results *r, const char *line)
{
	return find(r, line);
}

void learn_results_add(struct learn_results *r, const struct learn_result *result)
{
	struct learn_result *const same = find(r, result->line);
	if (same) {
		*same = *result;
		return;
	}
	r->at = arena_grow(r->arena, r->at, r->n, &r->cap, sizeof *r->at);
	r->at[r->n++] = *result;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* A number that is not known is left out. */
static void put(struct json_writer *w, const char *name, double value)
{
	if (!isnan(value))
		json_writer_number(w, name, value);
}

static void write_length(struct json_writer *w, const struct accuracy *at)
{
	json_writer_object(w, NULL);
	json_writer_number(w, "n", (double)at->n);
	put(w, "accuracy", at->right);
	if (at->absent)
		json_writer_string(w, "absent", at->absent);
	put(w, "floor", at->floor);
	json_writer_number(w, "sentences", (double)at->sentences);
	json_writer_number(w, "answers", (double)at->answers);
	json_writer_end(w);
}

static void write_run(struct json_writer *w, const struct learn_result *r)
{
	json_writer_object(w, NULL);
	json_writer_string(w, "run", r->line);
	json_writer_string(w, "machine", r->machine);
	if (r->absent) {
		json_writer_string(w, "absent", r->absent);
		json_writer_end(w);
		return;
	}
	json_writer_string(w, "learns", r->says);
	json_writer_number(w, "numbers", r->learned);
	put(w, "first_loss", r->loss_first);
	put(w, "loss", r->loss);
	json_writer_array(w, "lengths");
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		write_length(w, &r->at[k]);
	json_writer_end(w);
	json_writer_end(w);
}

const char *learn_results_json(const struct learn_results *r, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "posviz", POSVIZ_VERSION);
	json_writer_array(w, "runs");
	for (size_t i = 0; i < r->n; i++)
		write_run(w, &r->at[i]);
	json_writer_end(w);
	json_writer_end(w);
	return arena_printf(a, "%s\n", json_writer_done(w, 2));
}

static double number_of(const struct json_value *v, const char *name)
{
	const struct json_value *const m = json_member(v, name);
	return !m			       ? NAN
	       : m->kind == JSON_VALUE_INTEGER ? (double)m->as.integer
	       : m->kind == JSON_VALUE_REAL    ? m->as.real
					       : NAN;
}

static const char *text_of(const struct json_value *v, const char *name)
{
	const struct json_value *const m = json_member(v, name);
	return m && m->kind == JSON_VALUE_STRING ? m->as.string : NULL;
}

static size_t count_of(const struct json_value *v, const char *name)
{
	const double x = number_of(v, name);
	return x >= 0 && x < 1e15 ? (size_t)x : 0;
}

static bool read_run(struct learn_results *r, const struct json_value *v, struct err *err)
{
	const char *const line = text_of(v, "run"), *const machine = text_of(v, "machine");
	const struct json_value *const lengths = json_member(v, "lengths");
	struct learn_result out = {.line = line,
				   .machine = machine ? machine : "",
				   .absent = text_of(v, "absent"),
				   .says = text_of(v, "learns"),
				   .learned = number_of(v, "numbers"),
				   .loss_first = number_of(v, "first_loss"),
				   .loss = number_of(v, "loss")};
	if (!line)
		return err_set(err, "a run without its line, \"run\"");
	if (!learn_line_parse(line, &out.o, r->arena, err))
		return false;
	out.line = learn_line(&out.o, r->arena);
	if (!out.absent &&
	    (!lengths || lengths->kind != JSON_VALUE_ARRAY || lengths->count != LEARN_LENGTHS))
		return err_set(err, "a run without its %d lengths", LEARN_LENGTHS);
	for (size_t k = 0; !out.absent && k < LEARN_LENGTHS; k++) {
		const struct json_value *const at = &lengths->as.items[k];
		out.at[k] = (struct accuracy){.n = count_of(at, "n"),
					      .right = number_of(at, "accuracy"),
					      .absent = text_of(at, "absent"),
					      .floor = number_of(at, "floor"),
					      .sentences = count_of(at, "sentences"),
					      .answers = count_of(at, "answers")};
		if (!out.at[k].absent && !(out.at[k].right >= 0 && out.at[k].right <= 1))
			return err_set(err, "an accuracy outside of 0 to 1");
	}
	learn_results_add(r, &out);
	return true;
}

bool learn_results_parse(struct learn_results *r, const char *data, size_t len, const char *name,
			 bool *is_results, struct err *err)
{
	struct err why = {""};
	*is_results = false;
	const struct json_value *const v = json_parse(r->arena, data, len, &why);
	const struct json_value *const runs = v ? json_member(v, "runs") : NULL;
	if (!runs || runs->kind != JSON_VALUE_ARRAY || !text_of(v, "posviz"))
		return true;
	*is_results = true;
	for (size_t i = 0; i < runs->count; i++)
		if (!read_run(r, &runs->as.items[i], err))
			return err_prefix(err,
					  "%s: run %zu: ", text_quote(r->arena, name, strlen(name)),
					  i + 1);
	return true;
}

bool learn_results_read(struct learn_results *r, const char *path, bool *is_results,
			struct err *err)
{
	char *data;
	size_t len;
	*is_results = false;
	return file_read(path, MOST_BYTES, r->arena, &data, &len, err) &&
	       learn_results_parse(r, data, len, path, is_results, err);
}

/* ---- groups --------------------------------------------------------------------------------- */

static bool same_but_seed(const struct learn_result *x, const struct learn_result *y,
			  struct arena *a)
{
	struct learn_options o = y->o;
	o.seed = x->o.seed;
	return strcmp(x->line, learn_line(&o, a)) == 0;
}

static void add_to_group(struct learn_group *g, const struct learn_result *r)
{
	if (r->absent)
		return;
	for (size_t k = 0; k < LEARN_LENGTHS; k++) {
		struct spread *const s = &g->at[k];
		const double x = r->at[k].right, n = (double)g->seeds;
		s->absent = r->at[k].absent;
		s->floor = r->at[k].floor;
		s->mean = g->seeds ? (s->mean * n + x) / (n + 1) : x;
		s->least = g->seeds ? fmin(s->least, x) : x;
		s->most = g->seeds ? fmax(s->most, x) : x;
	}
	g->seeds++;
}

size_t learn_groups(const struct learn_results *r, struct arena *a, struct learn_group **out)
{
	struct learn_group *const groups = arena_calloc(a, r->n + 1, sizeof *groups);
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++) {
		size_t g = 0;
		while (g < n && !same_but_seed(groups[g].first, &r->at[i], a))
			g++;
		if (g == n)
			groups[n++].first = &r->at[i];
		if (groups[g].first->absent && !r->at[i].absent)
			groups[g].first = &r->at[i];
		add_to_group(&groups[g], &r->at[i]);
	}
	*out = groups;
	return n;
}

/* Returns the name with the number of steps, if it is not the usual one and groups differ in it. */
static const char *with_steps(const char *name, const struct learn_group *g,
			      const struct learn_group *all, size_t n, struct arena *a)
{
	struct learn_options usual = g->first->o;
	bool differ = false;
	usual.steps = 0;
	learn_complete(&usual);
	for (size_t i = 0; i < n; i++)
		differ |= all[i].first->o.steps != g->first->o.steps;
	return differ && g->first->o.steps != usual.steps
		       ? arena_printf(a, "%s, %zu steps", name, g->first->o.steps)
		       : name;
}

const char *learn_group_name(const struct learn_group *g, const struct learn_group *all, size_t n,
			     struct arena *a)
{
	const struct learn_options *const o = &g->first->o;
	struct learn_options usual;
	const char *name = text_escape(a, o->scheme, strlen(o->scheme));
	learn_defaults(&usual);
	if (o->test_as)
		name = arena_printf(a, "%s, as %s", name,
				    text_escape(a, o->test_as, strlen(o->test_as)));
	if (o->layers != usual.layers)
		name = arena_printf(a, "%s, %zu layers", name, o->layers);
	if (o->d != usual.d || o->heads != usual.heads || o->ff != usual.ff)
		name = arena_printf(a, "%s, d %zu, %zu heads, ff %zu", name, o->d, o->heads, o->ff);
	if (o->init != usual.init)
		name = arena_printf(a, "%s, %s", name, init_names[o->init]);
	if (o->activation != usual.activation)
		name = arena_printf(a, "%s, %s", name, activation_names[o->activation]);
	usual.layers = o->layers;
	learn_complete(&usual);
	if (o->rate != usual.rate)
		name = arena_printf(a, "%s, rate %g", name, o->rate);
	name = with_steps(name, g, all, n, a);
	return o->positions_only ? arena_printf(a, "%s, positions only", name) : name;
}
