/* mixture.c: words about an expression with several members: its title and authors, the members
 * besides the one whose card is shown, and the heads whose masks differ.
 *
 * Masks are distinguished by the number of pairs that they allow, because this is the visible
 * difference. */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "view_in.h"

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_mask(const struct expr_member *m)
{
	return m->scheme->flags & SCHEME_MASK;
}

/* Collects the members that are no masks; if all are masks, all members. */
static size_t named_members(const struct expr *e, const struct expr_member *out[MODEL_MAX_MEMBERS])
{
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++)
		if (!is_mask(&e->members[i]))
			out[n++] = &e->members[i];
	for (size_t i = 0; n == 0 && i < e->n; i++)
		out[i] = &e->members[i];
	return n > 0 ? n : e->n;
}

const char *mixture_weight(double weight, struct arena *a)
{
	char text[32];
	return weight == 1 ? "" : arena_printf(a, "%s × ", num_show(text, sizeof text, weight, 6));
}

const char *mixture_title(const struct expr *e, struct arena *a)
{
	const struct expr_member *of[MODEL_MAX_MEMBERS];
	const size_t n = named_members(e, of);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s%s", i ? " + " : "", mixture_weight(of[i]->weight, a),
			      n > 2 ? of[i]->scheme->id : of[i]->scheme->title);
	return b.at;
}

/* Schemes of the user have no authors. */
const char *mixture_by(const struct scheme *s, struct arena *a)
{
	return s->flags & SCHEME_YOURS ? NULL : arena_printf(a, "%s %d", s->authors, s->year);
}

const char *mixture_authors(const struct expr *e, struct arena *a)
{
	const struct expr_member *of[MODEL_MAX_MEMBERS];
	const size_t n = named_members(e, of);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++) {
		const char *const by = mixture_by(of[i]->scheme, a);
		bool named = !by;
		for (size_t k = 0; k < i && !named; k++) {
			const char *const before = mixture_by(of[k]->scheme, a);
			named = before && strcmp(before, by) == 0;
		}
		if (!named)
			strbuf_printf(&b, "%s%s", b.len ? ", " : "", by);
	}
	return b.at;
}

/* A definition by the user has no name that describes it, so its formula is shown, without the
 * markers of indices. */
const char *mixture_definitions(const struct expr *e, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		if (m->scheme->defines)
			strbuf_printf(&b, "%s%s", b.len ? "; " : "",
				      figure_typeset(a, m->scheme->defines(m->param, a)));
	}
	return b.at;
}

/* ---- members --------------------------------------------------------------------------------- */

bool mixture_is(const struct expr *e)
{
	const struct expr_member *of[MODEL_MAX_MEMBERS];
	bool apart = false;
	for (size_t i = 0; i < e->n; i++)
		apart |= e->members[i].heads_text || e->members[i].layers_text;
	return e->n > 1 && (apart || (named_members(e, of) > 1 && !is_mask(of[0])));
}

/* Returns "alibi · heads 3-4 · masks". */
static const char *member_words(const struct expr_member *m, struct arena *a)
{
	const struct expr one = {.members = {*m}, .n = 1};
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "%s%s", mixture_weight(m->weight, a), m->scheme->id);
	if (m->heads_text)
		strbuf_printf(&b, " · heads %s", m->heads_text);
	if (m->layers_text)
		strbuf_printf(&b, " · layers %s", m->layers_text);
	if (!is_mask(m) && expr_is_causal(&one))
		strbuf_add(&b, " · with its causal mask");
	return b.at;
}

void mixture_lines(const struct view_data *d, const struct expr_member *shown, struct arena *a,
		   struct card *card)
{
	const struct expr *const e = &d->built->expr;
	const char *const masks = mixture_masks(d, a);
	if (masks)
		card_add(card, "masks", "differ by head", masks);
	if (!mixture_is(e))
		return;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		card_add(card, arena_printf(a, "member %zu", i + 1), member_words(m, a),
			 m == shown ? "this card" : m->scheme->title);
	}
}

void mixture_cards(const struct view_data *d, const struct expr_member *shown, struct arena *a,
		   struct card *card)
{
	const struct expr *const e = &d->built->expr;
	for (size_t i = 0; i < e->n && mixture_is(e); i++) {
		const struct scheme *const s = e->members[i].scheme;
		bool said = s == shown->scheme;
		for (size_t k = 0; k < i; k++)
			said |= e->members[k].scheme == s;
		if (said)
			continue;
		const char *const about = view_first_sentence(s->about, a);
		const void *const param = e->members[i].param;
		const char *const formula = scheme_formula_of(s, param, a);
		const enum reference ref = scheme_reference(s, param);
		card_add(card, s->id, formula ? figure_typeset(a, formula) : s->title,
			 ref == REF_NONE ? about
					 : arena_printf(a, "%s: %s", reference_names[ref], about));
		card_last(card)->formula = formula;
		card->n_spare++;
		card->n_first++;
	}
}

/* ---- masks ----------------------------------------------------------------------------------- */

/* Returns "1-2, 5": the heads that see as many pairs as head `first`. */
static const char *heads_like(const size_t *allowed, size_t heads, size_t first, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t h = first; h < heads; h++) {
		size_t end = h;
		if (allowed[h] != allowed[first])
			continue;
		while (end + 1 < heads && allowed[end + 1] == allowed[first])
			end++;
		strbuf_printf(&b, end > h ? "%s%zu–%zu" : "%s%zu", b.len ? ", " : "", h + 1,
			      end + 1);
		h = end;
	}
	return b.at;
}

static bool is_first(const size_t *allowed, size_t h)
{
	for (size_t k = 0; k < h; k++)
		if (allowed[k] == allowed[h])
			return false;
	return true;
}

const char *view_masks(const struct trace *trace, size_t step, size_t heads, struct arena *a)
{
	enum { GROUPS = 3 };
	const size_t *const allowed = trace->layers[step].allowed;
	const size_t all = trace->query.n * trace->key.n;
	size_t groups = 0, least = allowed[0], most = allowed[0];
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t h = 0; h < heads; h++) {
		least = allowed[h] < least ? allowed[h] : least;
		most = allowed[h] > most ? allowed[h] : most;
		if (!is_first(allowed, h))
			continue;
		const char *const like = heads_like(allowed, heads, h, a);
		const bool several = strspn(like, "0123456789") < strlen(like);
		strbuf_printf(&b, "%shead%s %s: ", groups++ ? "; " : "", several ? "s" : "", like);
		strbuf_printf(&b, allowed[h] == all ? "all %zu pairs" : "%zu", allowed[h]);
	}
	if (groups < 2)
		return NULL;
	return groups <= GROUPS
		       ? b.at
		       : arena_printf(a, "heads see %zu to %zu of %zu pairs", least, most, all);
}

const char *mixture_masks(const struct view_data *d, struct arena *a)
{
	const size_t layer = view_layer(d) < d->trace->n_layers ? view_layer(d) : 0;
	return view_masks(d->trace, layer, d->built->model.config.heads, a);
}
