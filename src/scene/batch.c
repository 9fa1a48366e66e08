/* batch.c: what a batch does to a text, whatever the scheme: texts packed into one row, and padding.
 *
 * Both are members, `pack` and `pad`, that these fields add to every expression. */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "scene_in.h"

enum { MOST_PADS = 256 };

const char *const pack_names[PACK_COUNT + 1] = {"off", "on", "no-reset"};

/* The value of the field `pad`. */
struct pads {
	long left, right;
	bool no_reset;
};

static bool is_part(const char *at, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(name, at, len) == 0;
}

/* Reads "left:3", "right:2" or "no-reset". */
static bool read_part(const char *at, size_t len, struct pads *p, struct err *err)
{
	static const char left[] = "left:", right[] = "right:";
	char quoted[100];
	if (is_part(at, len, "no-reset"))
		return p->no_reset = true;
	const bool front = strncmp(at, left, strlen(left)) == 0;
	const char *const side = front ? left : right;
	const size_t skip = strlen(side);
	if (len < skip || memcmp(at, side, skip) != 0)
		return err_set(err,
			       "pad: %s; left:N, right:N, both, or none would be right, as left:3",
			       text_quote_buf(quoted, sizeof quoted, at, len));
	long *const count = front ? &p->left : &p->right;
	if (*count > 0)
		return err_set(err, "pad: %.*s is given twice; one would be right", (int)skip - 1,
			       side);
	return num_parse_long(at + skip, len - skip, 1, MOST_PADS, count, err) ||
	       err_prefix(err, "pad: %s ", side);
}

static bool read_pads(const char *value, struct pads *p, struct err *err)
{
	*p = (struct pads){0};
	if (strcmp(value, "none") == 0)
		return true;
	for (const char *at = value;;) {
		const size_t len = strcspn(at, ",");
		if (!read_part(at, len, p, err))
			return false;
		at += len;
		if (*at++ == '\0')
			break;
	}
	return !p->no_reset || p->left > 0 ||
	       err_set(err, "pad: no-reset is for padding in front of the text, which alone moves "
			    "it; left:N,no-reset would be right");
}

static const char *print_pads(const struct pads *p, struct arena *a)
{
	const char *const left = p->left ? arena_printf(a, "left:%ld", p->left) : "";
	const char *const right =
		p->right ? arena_printf(a, "%sright:%ld", *left ? "," : "", p->right) : "";
	return p->left + p->right == 0
		       ? "none"
		       : arena_printf(a, "%s%s%s", left, right, p->no_reset ? ",no-reset" : "");
}

bool check_pad(const char **value, struct arena *a, struct err *err)
{
	struct pads p;
	if (!read_pads(*value, &p, err))
		return false;
	*value = print_pads(&p, a);
	return true;
}

bool batch_fits(const struct setup *s, const struct expr *e, struct err *err)
{
	const bool packs = s->pack != PACK_OFF, pads = strcmp(s->pad, "none") != 0;
	for (size_t i = 0; i < e->n; i++) {
		const char *const id = e->members[i].scheme->id;
		if ((packs && strcmp(id, "pack") == 0) || (pads && strcmp(id, "pad") == 0))
			return err_set(err,
				       "%s: the expression has a member %s too; leave one of the "
				       "two out",
				       id, id);
	}
	return true;
}

const char *setup_with_batch(const struct setup *s, const char *expression, struct arena *a)
{
	struct pads p;
	if (s->pack != PACK_OFF)
		expression = arena_printf(a, "%s+pack%s", expression,
					  s->pack == PACK_NO_RESET ? "(reset=off)" : "");
	if (!read_pads(s->pad, &p, NULL) || p.left + p.right == 0)
		return expression;
	expression = arena_printf(a, "%s+pad(left=%ld", expression, p.left);
	if (p.right > 0)
		expression = arena_printf(a, "%s,right=%ld", expression, p.right);
	return arena_printf(a, "%s%s)", expression, p.no_reset ? ",reset=off" : "");
}
