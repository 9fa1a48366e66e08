/* options_columns.c: warns of numbers for columns, and of re-orderings, that no member of the expressions reads. */
#include "cli.h"

#include <string.h>

#include "posviz/scene/beside.h"
#include "posviz/scheme/scheme.h"

/* Returns whether the input has a picture, whose cells schemes of a grid read. */
static bool has_pictures(const struct setup *s, struct arena *a)
{
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	return setup_build(s, a, b, NULL) && b->pictures;
}

static bool any_reads(const char *const *expressions, size_t n, const char *column, bool pictures)
{
	struct arena a;
	bool reads = false;
	arena_init(&a);
	for (size_t i = 0; i < n && !reads; i++) {
		const struct expr *const e = expr_of(expressions[i], &a, NULL);
		reads = !e || expr_reads(e, column, pictures);
	}
	arena_release(&a);
	return reads;
}

/* Warns of numbers for a column that no member of any expression reads. The sub-command check has
 * its own warning. */
static void warn_of_numbers(const struct cli *c)
{
	static const struct {
		const char *option, *column, *reads;
		bool learned; /* a trained model may have vectors for it */
	} rows[] = {
		{"position-ids", "seq", "positions of the text", false},
		{"segments", "segment", "segments", true},
	};
	const char *all[COMPARE_MAX];
	struct arena a;
	arena_init(&a);
	const size_t n = scene_compared(&c->scene.setup, &a, all);
	for (size_t i = 0; i < 2; i++) {
		const char *const value = cli_given(c, rows[i].option);
		const bool learned = rows[i].learned && setup_computes(&c->scene.setup);
		if (value && *value && strcmp(value, "none") != 0 && !learned &&
		    !any_reads(all, n, rows[i].column, has_pictures(&c->scene.setup, &a)))
			output_warn("--%s changes nothing here: no member of %s reads %s",
				    rows[i].option, n == 1 ? all[0] : "the expressions",
				    rows[i].reads);
	}
	arena_release(&a);
}

/* Returns whether a member reads the re-ordering: then what it is measured on has one. */
static bool reads_reorder(const struct expr *e, struct arena *a)
{
	static const char field[] = "reorder ";
	for (size_t i = 0; e && i < e->n; i++) {
		const struct scheme *const s = e->members[i].scheme;
		const bool own = s->sample && strncmp(s->sample, field, strlen(field)) == 0;
		if (own || (s->expression && reads_reorder(expr_of(s->expression, a, NULL), a)))
			return true;
	}
	return false;
}

/* Warns of a re-ordering that no member of any expression reads. */
static void warn_of_reorder(const struct cli *c)
{
	static const char *const options[] = {"reorder", "alignment"};
	const char *all[COMPARE_MAX];
	struct arena a;
	bool reads = false;
	arena_init(&a);
	const size_t n = scene_compared(&c->scene.setup, &a, all);
	for (size_t i = 0; i < n; i++)
		reads |= reads_reorder(expr_of(all[i], &a, NULL), &a);
	for (size_t i = 0; i < 2; i++) {
		const char *const value = cli_given(c, options[i]);
		if (value && *value && !reads)
			output_warn("--%s changes nothing here: no member of %s reads a "
				    "re-ordering",
				    options[i], n == 1 ? all[0] : "the expressions");
	}
	arena_release(&a);
}

void options_warn_of_columns(const struct cli *c)
{
	warn_of_numbers(c);
	warn_of_reorder(c);
}
