/* cmd_check.c: compares claims with behaviour, one expression after the other. */
#include "report.h"
#include "show.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "posviz/analysis/analysis.h"
#include "posviz/math/machine.h"
#include "posviz/picture/picture.h"

/* Prints the progress and an estimate of the time left, on a terminal and only after the first
 * second. */
static void progress(size_t done, size_t n, const char *now, double since)
{
	const double s = machine_seconds() - since;
	if (n < 2 || !isatty(STDERR_FILENO) || (s < 1 && done < n))
		return;
	enum { BAR = 24 };
	const int full = (int)(done * BAR / n);
	fprintf(stderr, "\r\033[K");
	if (done < n)
		fprintf(stderr, "[%.*s%*s] %zu of %zu, about %.0f s left: %s", full,
			"########################", BAR - full, "", done, n,
			done ? s / (double)done * (double)(n - done) : 0.0, now);
	fflush(stderr);
}

struct checked {
	const char *expression; /* canonical */
	struct verdict verdicts[VERDICTS_MAX];
	size_t n;
	struct numbers numbers; /* of the views that --numbers names, on the given sentence */
};

/* Finds the numbers that views show; none if --numbers is not given. */
static bool find_numbers(const struct cli *c, const struct scene *scene, struct arena *a,
			 struct checked *out, struct err *err)
{
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	numbers_init(&out->numbers, a);
	return !c->numbers ||
	       (setup_build(&scene->setup, a, b, err) &&
		view_numbers(scene, c->numbers, b, NULL, NULL, a, &out->numbers, err));
}

static bool check_one(const struct cli *c, const char *expression, struct arena *a,
		      struct checked *out, struct err *err)
{
	struct scene scene = c->scene;
	if (!scene_set(&scene, field_find("scheme"), expression, err) ||
	    !analysis_check(&scene.setup, NULL, a, out->verdicts, &out->n, err))
		return false;
	out->expression = arena_strdup(a, scene.setup.scheme);
	return find_numbers(c, &scene, a, out, err);
}

static bool is_fine(const struct checked *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->verdicts[i].ok)
			return false;
	return true;
}

/* Tells the result of one expression; what the findings need is in the arena `a`. */
static void tell(const struct checked *found, struct arena *a, struct report *r)
{
	const struct findings claims = findings_of_verdicts(found->verdicts, found->n, true, a),
			      numbers = findings_of_numbers(&found->numbers, a);
	report_say(r, "%s\n", found->expression);
	report_object(r, NULL);
	report_word(r, "expression", found->expression);
	report_bool(r, "ok", is_fine(found));
	report_rows(r, "claims", &claims);
	if (found->numbers.n > 0 && r->json) {
		findings_json(&numbers, r->json, "numbers");
	} else if (found->numbers.n > 0) {
		numbers_text(&found->numbers, &r->out);
		report_say(r, "\n");
	}
	report_end(r);
}

/* Reads all expressions, so that a mistake in any is reported before the first is measured. */
static bool read_all(const struct cli *c, const char *const *expressions, size_t n, struct err *err)
{
	struct scene scene = c->scene;
	for (size_t i = 0; i < n; i++)
		if (!scene_set(&scene, field_find("scheme"), expressions[i], err))
			return false;
	return true;
}

static const char **all_schemes(struct arena *a, size_t *n)
{
	*n = scheme_count();
	const char **const out = arena_calloc(a, *n, sizeof *out);
	for (size_t i = 0; i < *n; i++)
		out[i] = scheme_at(i)->id;
	return out;
}

/* Returns "--sentence, --order": the given options that a check uses in the way `use`. */
static const char *options_of(struct cli *c, enum check_use use)
{
	struct strbuf names;
	strbuf_init(&names, &c->arena);
	for (size_t i = 0; i < c->n_given; i++) {
		const struct field *const field = field_find(c->given[i].name);
		if (field && field->setup && check_use_of(&c->scene.setup, field) == use)
			strbuf_printf(&names, "%s--%s", names.len ? ", " : "", field->name);
	}
	return names.at ? names.at : "";
}

static void warn_of_own(struct cli *c)
{
	if (c->numbers) /* numbers of views are those of the given sentence */
		return;
	const char *const none = options_of(c, CHECK_HAS_OWN);
	const char *const some = options_of(c, CHECK_MAY_READ);
	if (*none)
		output_warn("check measures on a sentence of its own, and does not read %s; "
			    "check --same does",
			    none);
	if (*some)
		output_warn("check measures on a sentence of its own; only a scheme whose file is "
			    "made for another reads %s",
			    some);
}

/* Refuses options that a check would ignore, so that nothing given is left out silently. */
static bool check_given(const struct cli *c, struct err *err)
{
	if (c->scheme_given && (c->n_args > 0 || c->same))
		return err_set(err, "check: give the expressions, by --scheme or without it");
	if (c->same && c->n_expects > 0)
		return err_set(err, "check: --same and --expect are two checks; leave one out");
	if (c->same && c->numbers)
		return err_set(err, "check: --same compares, and has no numbers of views; leave "
				    "--numbers out");
	if (strcmp(c->scene.setup.compare, "none") != 0)
		return err_set(err, "check: it has its own way to compare, check --same; leave "
				    "--compare out");
	return options_fit(c, err);
}

/* Prints each result as text as soon as it is known; JSON is one value, printed when all results
 * are known. */
static int check_all(struct cli *c, const char *const *expressions, size_t n, struct err *err)
{
	const double since = machine_seconds();
	bool fine = true, ok = read_all(c, expressions, n, err);
	struct report r;
	report_init(&r, c, &c->arena, 0);
	report_open(&r);
	report_array(&r, "checked");
	for (size_t i = 0; i < n && ok; i++) {
		struct arena a;
		struct checked found;
		arena_init(&a);
		progress(i, n, expressions[i], since);
		ok = check_one(c, expressions[i], &a, &found, err);
		progress(n, n, "", since);
		fine = fine && ok && is_fine(&found);
		if (ok)
			tell(&found, &a, &r);
		ok = ok && (r.json || report_write(&r, c, err));
		arena_release(&a);
	}
	report_end(&r);
	report_bool(&r, "ok", fine);
	report_end(&r);
	ok = ok && (!r.json || report_write(&r, c, err));
	return !ok ? EXIT_BAD_USE : fine ? EXIT_FINE : EXIT_CHECK_FAILED;
}

int cmd_check(struct cli *c, struct err *err)
{
	if (c->n_expects > 0 && !c->same)
		return cmd_expect(c, err);
	if (!output_format_or_text(c, err))
		return EXIT_BAD_USE;
	if (c->n_args > 0 && cli_names_model(c->args[0]))
		return c->same ? cmd_check_table(c, err) : cmd_check_config(c, err);
	if (!check_given(c, err))
		return EXIT_BAD_USE;
	if (c->same)
		return cmd_same(c, err);
	warn_of_own(c);
	size_t n = c->n_args;
	const char **expressions = c->args;
	if (n == 0 && c->scheme_given) {
		expressions[0] = c->scene.setup.scheme;
		n = 1;
	} else if (n == 0) {
		expressions = all_schemes(&c->arena, &n);
	}
	return check_all(c, expressions, n, err);
}
