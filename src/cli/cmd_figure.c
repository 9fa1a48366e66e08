/* cmd_figure.c: draws figures of the papers, one, or all of them into a directory, and checks what
 * the papers say of their numbers or what follows from their formulas and captions. */
#include "cli.h"

#include <string.h>

#include "posviz/base/text.h"
#include "posviz/figures/source_figure.h"
#include "posviz/view/view.h"

/* Sets the scene that shows the figure, on the figure's own page unless another page was asked
 * for. */
static bool show(struct cli *c, const struct source_figure *is, struct err *err)
{
	const struct scene usual = c->scene;
	if (!scene_set(&c->scene, field_find("view"), "figures", err) ||
	    !scene_set(&c->scene, field_find("figure"), is->name, err))
		return false;
	if (!cli_given(c, "size") && !cli_given(c, "for"))
		c->scene.size = (struct page_size){is->width, is->height, PAGE_PX};
	else
		c->scene.size = usual.size;
	c->scheme_given = true; /* a figure needs no scheme */
	c->n_args = 0;
	return true;
}

/* ---- all figures ----------------------------------------------------------------------------- */

static const char *path_of(const struct cli *c, const struct source_figure *is, struct arena *a)
{
	return output_in_folder(c, arena_printf(a, "%s.%s", is->name, c->format), a);
}

/* Returns whether no file is in the way of any figure; checked before the first is written. */
static bool all_free(struct cli *c, struct err *err)
{
	for (size_t i = 0; source_figure_at(i); i++) {
		struct cli one = *c;
		one.output = path_of(c, source_figure_at(i), &c->arena);
		if (!output_free(&one, NULL, err))
			return false;
	}
	return true;
}

static bool write_one(const struct cli *c, const struct source_figure *is, struct err *err)
{
	struct cli one = *c;
	arena_init(&one.arena);
	one.output = path_of(c, is, &one.arena);
	const bool ok = show(&one, is, err) && cmd_render(&one, err) == EXIT_FINE;
	arena_release(&one.arena);
	return ok;
}

static bool write_all(struct cli *c, struct err *err)
{
	if (!c->output || output_is_standard(c))
		return err_set(err, "figure: --all writes many files; give -o DIRECTORY");
	if (!*c->output)
		return err_set(err, "output: it is empty; a directory would be right");
	if (c->write_caption)
		return err_set(err, "write-caption: it is for one figure; leave --all out");
	c->format = c->format ? c->format : format_first(FORMAT_PICTURE);
	if (!output_format(c, err) || !all_free(c, err) || !output_folder_begin(c, err))
		return false;
	bool ok = true;
	for (size_t i = 0; ok && source_figure_at(i); i++)
		if (!(ok = write_one(c, source_figure_at(i), err)))
			err_prefix(err, "%s: ", source_figure_at(i)->name);
	return output_folder_end(c, ok, err) ||
	       err_prefix(err, "none of %zu figures was written: ", source_figure_count());
}

/* ---- expectations ---------------------------------------------------------------------------- */

static bool check_one(struct cli *c, const struct source_figure *is, struct listing *l, bool *all,
		      struct err *err)
{
	struct scene scene = c->scene;
	struct source_expect *rows;
	struct arena a;
	size_t n;
	arena_init(&a);
	scene.figure = is->name;
	const bool ok = source_figure_check(&scene, NULL, NULL, &a, &rows, &n, err);
	for (size_t i = 0; ok && i < n; i++) {
		*all &= rows[i].holds;
		listing_add(l,
			    (const char *const[LISTING_COLS]){i == 0 ? is->name : "", rows[i].text,
							      arena_strdup(l->arena, rows[i].found),
							      rows[i].holds ? "ok" : "FALSE"});
	}
	arena_release(&a);
	return ok;
}

static int check(struct cli *c, const struct source_figure *only, struct err *err)
{
	static const char *const head[] = {"figure", "expects", "found", "", NULL};
	struct listing l;
	struct strbuf out;
	bool all = true;
	if (c->output || c->format || c->plain || c->write_caption) {
		err_set(err, "figure: --check prints what it finds; leave --output, --format, "
			     "--plain and --write-caption out");
		return EXIT_BAD_USE;
	}
	listing_init(&l, &c->arena, head);
	for (size_t i = 0; source_figure_at(i); i++)
		if ((!only || only == source_figure_at(i)) &&
		    !check_one(c, source_figure_at(i), &l, &all, err))
			return EXIT_BAD_USE;
	strbuf_init(&out, &c->arena);
	listing_print(&l, "text", &out);
	return !words_write(c, out.at, out.len, err) ? EXIT_BAD_USE
	       : all				     ? EXIT_FINE
						     : EXIT_CHECK_FAILED;
}

int cmd_figure(struct cli *c, struct err *err)
{
	const struct source_figure *const is =
		c->n_args > 0 ? source_figure_find(c->args[0], err) : NULL;
	if (c->n_args > 0 && !is) {
		err_prefix(err, "figure: ");
		return EXIT_BAD_USE;
	}
	if (is && c->all) {
		err_set(err, "figure: a name, or --all; leave one of them out");
		return EXIT_BAD_USE;
	}
	if (cli_given(c, "sweep")) {
		err_set(err, "figure takes no option --sweep: posviz render does");
		return EXIT_BAD_USE;
	}
	if (c->check)
		return check(c, is, err);
	if (c->all)
		return write_all(c, err) ? EXIT_FINE : EXIT_BAD_USE;
	if (!is) {
		err_set(err,
			"figure: give the name of one, or --all; posviz list figures names them");
		return EXIT_BAD_USE;
	}
	return show(c, is, err) ? cmd_render(c, err) : EXIT_BAD_USE;
}
