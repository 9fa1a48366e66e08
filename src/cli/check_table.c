/* check_table.c: check --same MODEL FILE:TENSOR: the rotation that a model's configuration gives against a list of
 * frequencies, or a table of cosines or sines, from a file. In JSON pairs count from 1, positions from 0. */
#include "cli.h"
#include "report.h"

#include <string.h>

#include "posviz/analysis/bias_fit.h"
#include "posviz/base/text.h"
#include "posviz/family/known_text.h"
#include "posviz/family/table_fit.h"

enum { INDENT = 14 };

static const char *small(struct arena *a, double x)
{
	return x > 0 ? arena_printf(a, "%.1e", x) : "0";
}

static bool has_positions(const struct table_fit *f)
{
	return f->kind == TABLE_COS || f->kind == TABLE_SIN;
}

/* Returns "cosines of 14 positions from 0, 8 pairs, each in both halves". */
static const char *table_text(const struct table_fit *f, struct arena *a)
{
	static const char *const twice[] = {"", ", each in both halves of a row",
					    ", each twice side by side"};
	return arena_printf(
		a, "%s%s of %zu pair%s%s; numbers as of %s", table_kind_names[f->kind],
		has_positions(f) ? arena_printf(a, " of %zu positions from 0,", f->positions) : "",
		f->pairs, f->pairs == 1 ? "" : "s", twice[f->layout], f->type);
}

static void tell_parting(const struct table_fit *f, struct report *r)
{
	struct arena *const a = r->arena;
	if (f->pairs != f->expected_pairs) {
		report_line(r, "found", "not the same: %zu pairs in the file, %zu by the model",
			    f->pairs, f->expected_pairs);
		report_word(r, "parts", NULL);
		return;
	}
	report_line(
		r, "found",
		"not the same: first in pair %zu%s, where the model has %s and the file %s; the "
		"greatest difference is %s%s",
		f->pair + 1,
		has_positions(f) ? arena_printf(a, " at position %zu", f->position) : "",
		known_number(f->expected, 6, a), known_number(f->found, 6, a),
		small(a, f->difference), has_positions(f) ? "" : " of the number");
	report_object(r, "parts");
	report_number(r, "pair", (double)f->pair + 1);
	if (has_positions(f))
		report_number(r, "position", (double)f->position);
	report_number(r, "model", f->expected);
	report_number(r, "file", f->found);
	report_end(r);
}

static void tell(const char *const args[2], const struct table_fit *f, struct report *r)
{
	struct arena *const a = r->arena;
	report_open(r);
	for (size_t i = 0; i < 2; i++)
		report_say(r, "%s\n", text_escape(a, args[i], strlen(args[i])));
	report_word(r, "model", args[0]);
	report_word(r, "tensor", args[1]);
	report_bool(r, "ok", f->equal);
	report_fact(r, "rotation", "rotation", f->member);
	report_line(r, "table", "%s", table_text(f, a));
	report_word(r, "kind", table_kind_names[f->kind]);
	report_word(r, "layout", table_layout_names[f->layout]);
	report_word(r, "type", f->type);
	report_number(r, "pairs", (double)f->pairs);
	report_number(r, "model_pairs", (double)f->expected_pairs);
	if (f->pairs == f->expected_pairs)
		report_number(r, "difference", f->difference);
	if (f->equal) {
		report_line(r, "found",
			    "the same: numbers differ by %s%s at most; of %s, %s is allowed",
			    small(a, f->difference), has_positions(f) ? "" : " of themselves",
			    f->type, small(a, f->allowed));
	} else {
		tell_parting(f, r);
		report_line(r, "explained", "%s%s",
			    f->fits ? "the file has " : "by none of what was tried: ",
			    f->fits ? f->fits : table_fit_tried);
		report_word(r, "explained", f->fits);
	}
	report_end(r);
}

int cmd_check_table(struct cli *c, struct err *err)
{
	static const char *const usual[] = {"inv_freq", "rope.inv_freq", "rope_freqs.weight", NULL};
	struct arena *const a = &c->arena;
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	const struct tensor *t;
	struct tensor_set set;
	struct table_fit fit;
	struct report r;
	if (!cli_only_format(c, err))
		return EXIT_BAD_USE;
	if (c->n_args != 2)
		return err_set(err, "check: --same compares two: MODEL FILE:TENSOR would be right"),
		       EXIT_BAD_USE;
	tensor_set_init(&set, a);
	if (!family_read(c->args[0], a, k, err) ||
	    !tensor_read_one(&set, c->args[1], usual, &t, err))
		return EXIT_BAD_USE;
	if (bias_kind_of(t, t->name, (size_t)k->heads) != BIAS_NONE)
		return check_bias(c, k, t, err);
	if (t->dims > 2 && t->shape[0] != 1)
		return err_set(err,
			       "%s: %s is no list of frequencies, no table with a row for each position, "
			       "and no bias of %ld heads",
			       text_quote(a, c->args[1], strlen(c->args[1])),
			       tensor_shape_text(t, a), k->heads),
		       EXIT_BAD_USE;
	if (!table_fit(k, c->args[1], tensor_mat(t), a, &fit, err))
		return err_prefix(err, "%s: ", text_quote(a, c->args[1], strlen(c->args[1]))),
		       EXIT_BAD_USE;
	report_init(&r, c, a, INDENT);
	tell(c->args, &fit, &r);
	if (!report_write(&r, c, err))
		return EXIT_BAD_USE;
	return fit.equal ? EXIT_FINE : EXIT_CHECK_FAILED;
}
