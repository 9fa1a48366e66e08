/* runs.c: lines of runs, and one run from its line to its result. */
#include "posviz/learn/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"

enum { MOST_STEPS = 100000, MOST_WIDTH = 512, MEAN_OF = 10 };

/* ---- lines ---------------------------------------------------------------------------------- */

/* A part of a line: a word, and how it is read and written. */
struct part {
	const char *name;
	enum { PART_TEXT, PART_SIZE, PART_SEED, PART_NUMBER, PART_SWITCH, PART_CHOICE } kind;
	size_t offset;
	double least, most;
	const char *const *choices;
};
#define OPTION(member) offsetof(struct learn_options, member)
static const struct part parts[] = {
	{"scheme", PART_TEXT, OPTION(scheme), 0, 0, NULL},
	{"task", PART_TEXT, OPTION(task), 0, 0, NULL},
	{"seed", PART_SEED, OPTION(seed), 0, 0, NULL},
	{"steps", PART_SIZE, OPTION(steps), 1, MOST_STEPS, NULL},
	{"rate", PART_NUMBER, OPTION(rate), 1e-9, 1e9, NULL},
	{"layers", PART_SIZE, OPTION(layers), 1, 16, NULL},
	{"d-model", PART_SIZE, OPTION(d), 2, MOST_WIDTH, NULL},
	{"heads", PART_SIZE, OPTION(heads), 1, 64, NULL},
	{"ff", PART_SIZE, OPTION(ff), 1, 4 * MOST_WIDTH, NULL},
	{"init", PART_CHOICE, OPTION(init), 0, 0, init_names},
	{"activation", PART_CHOICE, OPTION(activation), 0, 0, activation_names},
	{"positions-only", PART_SWITCH, OPTION(positions_only), 0, 0, NULL},
	{"test-as", PART_TEXT, OPTION(test_as), 0, 0, NULL},
	{0},
};

static const char *print_part(const struct part *p, const struct learn_options *o, struct arena *a)
{
	const void *const at = (const char *)o + p->offset;
	char number[32];
	switch (p->kind) {
	case PART_TEXT:
		return *(const char *const *)at ? *(const char *const *)at : "none";
	case PART_SIZE:
		return arena_printf(a, "%zu", *(const size_t *)at);
	case PART_SEED:
		return arena_printf(a, "%llu", (unsigned long long)*(const uint64_t *)at);
	case PART_NUMBER:
		return arena_strdup(a, num_print(number, sizeof number, *(const double *)at));
	case PART_SWITCH:
		return *(const bool *)at ? "on" : "off";
	case PART_CHOICE:
		return p->choices[*(const int *)at];
	}
	return "";
}

const char *learn_line(const struct learn_options *o, struct arena *a)
{
	struct strbuf b;
	struct learn_options whole = *o;
	learn_complete(&whole);
	strbuf_init(&b, a);
	for (const struct part *p = parts; p->name; p++)
		strbuf_printf(&b, "%s%s %s", p == parts ? "" : "; ", p->name,
			      print_part(p, &whole, a));
	return b.at;
}

static bool parse_choice(const struct part *p, const char *value, int *out, struct arena *a,
			 struct err *err)
{
	struct strbuf names;
	strbuf_init(&names, a);
	for (int i = 0; p->choices[i]; i++) {
		if (strcmp(p->choices[i], value) == 0) {
			*out = i;
			return true;
		}
		strbuf_printf(&names, "%s%s", i ? ", " : "", p->choices[i]);
	}
	return err_set(err, "%s is none of %s", text_quote(a, value, strlen(value)), names.at);
}

static bool parse_part(const struct part *p, const char *value, struct learn_options *o,
		       struct arena *a, struct err *err)
{
	void *const at = (char *)o + p->offset;
	const size_t len = strlen(value);
	long size = 0;
	switch (p->kind) {
	case PART_TEXT:
		*(const char **)at =
			p->offset == OPTION(test_as) && strcmp(value, "none") == 0 ? NULL : value;
		return true;
	case PART_SIZE:
		if (!num_parse_long(value, len, (long)p->least, (long)p->most, &size, err))
			return false;
		*(size_t *)at = (size_t)size;
		return true;
	case PART_SEED:
		return num_parse_u64(value, len, at, err);
	case PART_NUMBER:
		return num_parse_double(value, len, p->least, p->most, at, err);
	case PART_SWITCH:
		*(bool *)at = strcmp(value, "on") == 0;
		return *(bool *)at || strcmp(value, "off") == 0 ||
		       err_set(err, "%s is neither on nor off", text_quote(a, value, len));
	case PART_CHOICE:
		return parse_choice(p, value, at, a, err);
	}
	return true;
}

static bool read_word(char *word, struct learn_options *o, struct arena *a, struct err *err)
{
	char *const blank = strchr(word, ' ');
	if (!blank || !blank[1])
		return err_set(err, "%s has no value; \"task shift\" would be right",
			       text_quote(a, word, strlen(word)));
	*blank = '\0';
	for (const struct part *p = parts; p->name; p++)
		if (strcmp(p->name, word) == 0)
			return parse_part(p, blank + 1, o, a, err) || err_prefix(err, "%s: ", word);
	return err_set(err, "no word %s; posviz learn EXPR --list prints such lines",
		       text_quote(a, word, strlen(word)));
}

bool learn_line_parse(const char *line, struct learn_options *o, struct arena *a, struct err *err)
{
	learn_defaults(o);
	for (char *at = arena_strdup(a, line); at && *at;) {
		char *const end = strstr(at, "; ");
		if (end)
			*end = '\0';
		if (!read_word(at, o, a, err))
			return err_prefix(err, "the line of a run: ");
		at = end ? end + 2 : NULL;
	}
	return true;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static double mean_loss(const struct learner *l, size_t first, size_t n)
{
	double sum = 0;
	for (size_t i = first; i < first + n; i++)
		sum += l->loss[i];
	return sum / (double)n;
}

static bool test_all(struct learner *l, struct watch *watch, struct arena *a,
		     struct learn_result *out, struct err *err)
{
	const size_t steps = l->o.steps, n = steps < MEAN_OF ? steps : MEAN_OF;
	out->says = learner_says(l, a);
	out->learned = (double)l->n;
	out->loss_first = mean_loss(l, 0, n);
	out->loss = mean_loss(l, steps - n, n);
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		if (!learner_test(l, l->task.longest << k, a, &out->at[k], watch, err))
			return false;
	return true;
}

bool learn_run_end(struct learner *l, const struct learn_options *o, const char *why,
		   struct watch *watch, struct arena *a, struct learn_result *out)
{
	struct err err = {""};
	char machine[200];
	*out = (struct learn_result){.o = *o, .loss_first = NAN, .loss = NAN};
	learn_complete(&out->o);
	out->line = learn_line(o, a);
	machine_describe(machine, sizeof machine);
	out->machine = arena_strdup(a, machine);
	if (l && !test_all(l, watch, a, out, &err))
		why = err.text;
	else if (l)
		why = NULL;
	out->absent = why ? arena_strdup(a, why) : NULL;
	return !why || !watch_cancelled(watch);
}

bool learn_run(const struct learn_options *o, struct watch *watch, struct arena *a,
	       struct learn_result *out, struct learner **kept, struct err *err)
{
	struct learner *l = NULL;
	struct err why = {""};
	const bool ok = learner_new(&l, o, &why) && learner_train(l, l->o.steps, watch, &why);
	const bool ended = learn_run_end(ok ? l : NULL, o, why.text, watch, a, out);
	if (kept && !out->absent)
		*kept = l;
	else
		learner_free(l);
	return ended || err_set(err, "cancelled");
}
