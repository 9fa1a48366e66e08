/* cmd_expect.c: check --expect: checks whether quantities of the given scene are as expected. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "posviz/quantity/quantity.h"

struct expecting {
	struct expect is;
	struct expect_result found;
};

/* Reads all expectations, so that a mistake in any is reported before anything is computed. */
static bool read_all(struct cli *c, struct expecting *all, struct err *err)
{
	for (size_t i = 0; i < c->n_expects; i++)
		if (!expect_parse(c->expects[i], &c->arena, &all[i].is, err))
			return err_prefix(err, "expect: ");
	return true;
}

static bool find_all(struct cli *c, struct expecting *all, struct err *err)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct quantities *const q = quantities_new(&c->scene, cache, progress_begin());
	bool ok = true;
	for (size_t i = 0; i < c->n_expects && ok; i++)
		ok = expect_find(q, &all[i].is, &c->arena, &all[i].found, err) ||
		     err_prefix(err, "expect %s: ", all[i].is.text);
	progress_end();
	quantities_free(q);
	cache_free(cache);
	return ok;
}

static void tell(const struct expect_result *found, const char *expect, struct report *r)
{
	const struct quantity_value *const is = &found->found;
	report_say(r, "%s\n", found->line);
	report_object(r, NULL);
	report_word(r, "expect", expect);
	report_bool(r, "ok", found->holds);
	if (is->is == QUANTITY_NUMBER)
		report_number(r, "found", is->number);
	else
		report_word(r, is->is == QUANTITY_ABSENT ? "absent" : "found", is->text);
	report_end(r);
}

int cmd_expect(struct cli *c, struct err *err)
{
	struct expecting *const all = arena_calloc(&c->arena, c->n_expects, sizeof *all);
	struct built *const b = arena_calloc(&c->arena, 1, sizeof *b);
	struct report report;
	bool holds = true;
	if (c->numbers) {
		err_set(err, "check: --expect has no numbers of views; leave --numbers out");
		return EXIT_BAD_USE;
	}
	if (!output_format_or_text(c, err) || !cli_expressions(c, err) || !options_fit(c, err) ||
	    !read_all(c, all, err) || !cli_build(c, b, err) || !find_all(c, all, err))
		return EXIT_BAD_USE;
	report_init(&report, c, &c->arena, 0);
	report_open(&report);
	report_array(&report, "expected");
	for (size_t i = 0; i < c->n_expects; i++) {
		holds = holds && all[i].found.holds;
		tell(&all[i].found, all[i].is.text, &report);
	}
	report_end(&report);
	report_bool(&report, "ok", holds);
	report_end(&report);
	if (!report_write(&report, c, err))
		return EXIT_BAD_USE;
	cli_warn_of_chain(c, b);
	return holds ? EXIT_FINE : EXIT_CHECK_FAILED;
}
