/* plain.c: a figure as words for screen readers: each fact is said once.
 *
 * Labels come first, values are ranked, each line is one fact, and no letter only draws: there are
 * no boxes, blocks or braille. Lines are wrapped at words; continued lines are indented. */
#include <string.h>

#include "posviz/plot/words.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/plot/panel.h"

/* ---- figures --------------------------------------------------------------------------------- */

/* Says the operator before the matrix of an equation. */
static void say_operator(const struct operand *o, struct strbuf *out)
{
	static const char *const words[] = {[SIGN_PLUS] = "plus",
					    [SIGN_TIMES] = "times, each by each",
					    [SIGN_EQUALS] = "equals"};
	if (o->sign == SIGN_BECOMES)
		words_say(out, "Operator: becomes, by %s", o->done);
	else if (o->sign > SIGN_FIRST)
		words_say(out, "Operator: %s", words[o->sign]);
}

/* Returns the noun for a value of the panel: from its title, from the kind of all matrices that the
 * figure names, else from its subtitle. */
static const char *value_word(const struct figure *f, const struct panel *p)
{
	static const char *const words[] = {"weight", "logit", "bias", "difference"};
	static const char *const all[] = {"Position bias", "Attention weights", "Logits", "Mask"};
	const char *of_all = NULL;
	for (size_t i = 0; f->subtitle && i < sizeof all / sizeof *all; i++)
		if (strncmp(f->subtitle, all[i], strlen(all[i])) == 0)
			of_all = all[i];
	const char *const texts[] = {p->title, of_all ? of_all : p->subtitle};
	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; texts[t] && i < sizeof words / sizeof *words; i++)
			if (text_contains(texts[t], words[i]))
				return words[i];
	return "value";
}

static void say_panel(const struct figure *f, const struct panel *p, size_t i, struct strbuf *out,
		      struct arena *a)
{
	const struct panel_type *const type = panel_type(p);
	strbuf_add_char(out, '\n');
	words_say(out, "Panel %zu of %zu, %s: %s%s%s%s%s", i, f->n, type->noun, p->title,
		  p->note ? ", " : "", p->note ? p->note : "", p->off ? ", off" : "",
		  p->stale ? ", a newer value is being computed" : "");
	if (p->subtitle)
		words_say(out, "Shows: %s", p->subtitle);
	if (!p->operand.implied)
		say_operator(&p->operand, out);
	if (p->absent)
		words_say(out, "Not there: %s", p->absent);
	else if (type->map)
		words_heatmap(p, value_word(f, p), out, a);
	else
		type->say(p, out, a);
}

/* Returns whether panel x is said before y: cards first, the other panels in the reading order of
 * the page. */
static bool comes_before(const struct panel *x, const struct panel *y)
{
	const bool card = x->kind == PANEL_CARD, other = y->kind == PANEL_CARD;
	if (card || other)
		return card && !other;
	return x->row != y->row ? x->row < y->row : x->col < y->col;
}

void export_plain(const struct figure *figure, struct arena *a, char **data, size_t *len)
{
	struct strbuf out;
	struct arena scratch; /* separate, because the text grows in `a` meanwhile */
	const struct panel *order[FIGURE_PANELS];
	arena_init(&scratch);
	strbuf_init(&out, a);
	struct figure *const said = arena_alloc(&scratch, sizeof *said);
	figure_without_foot(figure, said);
	figure = said;
	if (figure->title)
		words_say(&out, "%s", figure->title);
	if (figure->subtitle)
		words_say(&out, "%s", figure->subtitle);
	if (figure->finding)
		words_say(&out, "%s", figure->finding);
	if (figure->caption)
		words_say(&out, "%s", figure->caption);
	for (size_t i = 0; i < figure->n; i++) {
		size_t at = i;
		for (; at > 0 && comes_before(&figure->panels[i], order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = &figure->panels[i];
	}
	for (size_t i = 0; i < figure->n; i++)
		say_panel(figure, order[i], i + 1, &out, &scratch);
	arena_release(&scratch);
	*data = out.at;
	*len = out.len;
}
