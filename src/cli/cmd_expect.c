/* cmd_expect.c: check --expect: checks whether quantities of the given scene are as expected. */
#include "cli.h"

#include <math.h>
#include <string.h>

#include "posviz/format/json.h"
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

static void write_json(const struct cli *c, const struct expecting *all, bool holds,
		       struct strbuf *out)
{
	struct json_writer *const w = json_writer_new(out->arena);
	json_writer_object(w, NULL);
	json_writer_string(w, "posviz", POSVIZ_VERSION);
	json_writer_array(w, "expected");
	for (size_t i = 0; i < c->n_expects; i++) {
		const struct expect_result *const r = &all[i].found;
		json_writer_object(w, NULL);
		json_writer_string(w, "expect", all[i].is.text);
		json_writer_bool(w, "ok", r->holds);
		if (r->found.is == QUANTITY_NUMBER)
			json_writer_number(w, "found", r->found.number);
		else
			json_writer_string(w, r->found.is == QUANTITY_ABSENT ? "absent" : "found",
					   r->found.text);
		json_writer_end(w);
	}
	json_writer_end(w);
	json_writer_bool(w, "ok", holds);
	json_writer_end(w);
	strbuf_printf(out, "%s\n", json_writer_done(w, 2));
}

int cmd_expect(struct cli *c, struct err *err)
{
	struct expecting *const all = arena_calloc(&c->arena, c->n_expects, sizeof *all);
	struct built *const b = arena_calloc(&c->arena, 1, sizeof *b);
	struct strbuf out;
	bool holds = true;
	if (c->numbers) {
		err_set(err, "check: --expect has no numbers of views; leave --numbers out");
		return EXIT_BAD_USE;
	}
	if (!output_format_or_text(c, err) || !cli_expressions(c, err) || !options_fit(c, err) ||
	    !read_all(c, all, err) || !cli_build(c, b, err) || !find_all(c, all, err))
		return EXIT_BAD_USE;
	strbuf_init(&out, &c->arena);
	for (size_t i = 0; i < c->n_expects; i++) {
		holds = holds && all[i].found.holds;
		if (!output_is_json(c))
			strbuf_printf(&out, "%s\n", all[i].found.line);
	}
	if (output_is_json(c))
		write_json(c, all, holds, &out);
	if (!(output_is_json(c) ? output_text(&out, err) : words_write(c, out.at, out.len, err)))
		return EXIT_BAD_USE;
	cli_warn_of_chain(c, b);
	return holds ? EXIT_FINE : EXIT_CHECK_FAILED;
}
