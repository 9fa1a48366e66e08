/* check_bias.c: check --same MODEL FILE:TENSOR where the tensor is the bias of heads and pairs, slopes, a table of
 * buckets, or position ids. In JSON heads count from 1, positions and rows from 0. */
#include "cli.h"
#include "report.h"

#include <string.h>

#include "posviz/analysis/bias_fit.h"
#include "posviz/base/text.h"
#include "posviz/family/known_text.h"

enum { INDENT = 14 };

static const char *small(struct arena *a, double x)
{
	return x > 0 ? arena_printf(a, "%.1e", x) : "0";
}

/* Returns "bias of 4 heads and 22 positions; numbers as of F64". */
static const char *table_text(const struct bias_fit *f, struct arena *a)
{
	static const char *const how[] = {
		[BIAS_NONE] = "",
		[BIAS_PAIRS] = "bias of %zu heads and %zu positions",
		[BIAS_KEYS] = "bias of %zu heads and %zu keys, one row for all queries",
		[BIAS_SLOPES] = "slopes of %zu heads",
		[BIAS_TABLE] = "bias of %zu heads in %zu buckets",
		[BIAS_IDS] = "ids, %zu row of %zu positions"};
	const char *const shape =
		f->kind == BIAS_IDS && f->heads > 1
			? arena_printf(a, "ids, %zu rows of %zu positions", f->heads, f->positions)
			: arena_printf(a, how[f->kind], f->heads, f->positions);
	const char *const part =
		f->compared < f->positions
			? arena_printf(a, ", of which the first %zu are compared", f->compared)
			: "";
	return f->kind == BIAS_IDS
		       ? shape
		       : arena_printf(a, "%s%s; numbers as of %s", shape, part, f->type);
}

static const char *place_text(const struct bias_fit *f, struct arena *a)
{
	switch (f->kind) {
	case BIAS_PAIRS:
		return arena_printf(a, "in head %zu at query %zu, key %zu", f->head + 1, f->query,
				    f->key);
	case BIAS_KEYS:
		return arena_printf(a, "in head %zu at key %zu", f->head + 1, f->key);
	case BIAS_TABLE:
		return arena_printf(a, "in bucket %zu of head %zu", f->query, f->head + 1);
	case BIAS_IDS:
		return f->heads > 1
			       ? arena_printf(a, "in row %zu at position %zu", f->query, f->key)
			       : arena_printf(a, "at position %zu", f->key);
	case BIAS_SLOPES:
	case BIAS_NONE:
		break;
	}
	return arena_printf(a, "in head %zu", f->head + 1);
}

static void tell_place(const struct bias_fit *f, struct report *r)
{
	report_object(r, "parts");
	if (f->kind != BIAS_IDS)
		report_number(r, "head", (double)f->head + 1);
	if (f->kind == BIAS_PAIRS)
		report_number(r, "query", (double)f->query);
	if (f->kind == BIAS_TABLE)
		report_number(r, "bucket", (double)f->query);
	if (f->kind == BIAS_IDS)
		report_number(r, "row", (double)f->query);
	if (f->kind == BIAS_PAIRS || f->kind == BIAS_KEYS)
		report_number(r, "key", (double)f->key);
	if (f->kind == BIAS_IDS)
		report_number(r, "position", (double)f->key);
	report_number(r, "model", f->expected);
	report_number(r, "file", f->found);
	report_end(r);
}

static void tell_found(const struct bias_fit *f, struct report *r)
{
	struct arena *const a = r->arena;
	if (f->equal && f->kind == BIAS_IDS) {
		report_line(r, "found", "the same");
	} else if (f->equal) {
		report_line(r, "found",
			    "the same%s: numbers differ by %s at most; of %s, %s is allowed",
			    f->but_rows
				    ? " but for a number of each row, which a softmax does not see"
				    : "",
			    small(a, f->difference), f->type, small(a, f->allowed));
	} else {
		report_line(r, "found",
			    "not the same: first %s, where the model has %s and the file %s; the "
			    "greatest difference is %s",
			    place_text(f, a), known_number(f->expected, 6, a),
			    known_number(f->found, 6, a), known_number(f->difference, 6, a));
		tell_place(f, r);
		report_line(r, "explained", "%s%s",
			    f->fits ? "the file has " : "by none of what was tried: ",
			    f->fits ? f->fits : bias_fit_tried(f->kind));
		report_word(r, "explained", f->fits);
	}
}

static void tell(const struct cli *c, const char *expression, const struct bias_fit *f,
		 struct report *r)
{
	report_open(r);
	for (size_t i = 0; i < 2; i++)
		report_say(r, "%s\n", text_escape(r->arena, c->args[i], strlen(c->args[i])));
	report_word(r, "model", c->args[0]);
	report_word(r, "tensor", c->args[1]);
	report_bool(r, "ok", f->equal);
	report_fact(r, "positions", "positions", expression);
	report_line(r, "table", "%s", table_text(f, r->arena));
	report_word(r, "kind", bias_kind_names[f->kind]);
	report_word(r, "type", f->type);
	report_number(r, f->kind == BIAS_IDS ? "rows" : "heads", (double)f->heads);
	report_number(r, "positions_compared", (double)f->compared);
	report_number(r, "difference", f->difference);
	report_bool(r, "but_rows", f->but_rows);
	tell_found(f, r);
	report_end(r);
}

int check_bias(struct cli *c, const struct known *k, const struct tensor *t, struct err *err)
{
	struct arena *const a = &c->arena;
	struct scene scene = c->scene;
	struct bias_fit fit;
	struct report r;
	const char *said;
	const enum bias_kind kind = bias_kind_of(t, t->name, (size_t)k->heads);
	if (!app_model(&scene, c->args[0], a, &said, err))
		return EXIT_BAD_USE;
	if (!bias_fit(&scene.setup, k, t, kind, a, &fit, err))
		return err_prefix(err, "%s: ", text_quote(a, c->args[1], strlen(c->args[1]))),
		       EXIT_BAD_USE;
	report_init(&r, c, a, INDENT);
	tell(c, scene.setup.scheme, &fit, &r);
	if (!report_write(&r, c, err))
		return EXIT_BAD_USE;
	return fit.equal ? EXIT_FINE : EXIT_CHECK_FAILED;
}
