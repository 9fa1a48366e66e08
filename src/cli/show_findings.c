/* show_findings.c: reports of `posviz show` and `posviz check` as rows: verdicts, measures, numbers
 * of views, leaves. */
#include "show.h"

#include <math.h>
#include <string.h>

#include "posviz/picture/picture.h"

#define COLUMNS(f, a, columns) findings_init(f, a, columns, sizeof(columns) / sizeof *(columns))

/* ---- claims ---------------------------------------------------------------------------------- */

struct findings findings_of_verdicts(const struct verdict *verdicts, size_t n, bool found,
				     struct arena *a)
{
	enum { FOUND = 5 };
	static const struct finding_column columns[][7] = {{{"claim", "claim"},
							    {"printed", "printed"},
							    {"here", "here"},
							    {"measured", "measured"},
							    {"", "ok"},
							    {NULL, "found"},
							    {NULL, "why"}},
							   {{"claim", "claim"},
							    {"printed", "printed"},
							    {"here", "here"},
							    {"measured", "measured"},
							    {"", "ok"},
							    {"found", "found"},
							    {NULL, "why"}}};
	struct findings f;
	COLUMNS(&f, a, columns[found]);
	for (size_t i = 0; i < n; i++) {
		const struct verdict *const v = &verdicts[i];
		findings_add(&f, (const struct finding_cell[]){
					 finding_word(v->claim), finding_answer(v->printed),
					 finding_answer(v->claimed),
					 finding_bool(v->measured ? "yes" : "no", v->measured),
					 finding_bool(v->ok ? "ok" : "FALSE", v->ok),
					 finding_word(v->found), finding_word(v->why)});
		if (v->why && found)
			findings_note(&f, FOUND, arena_printf(a, "(%s)", v->why));
	}
	return f;
}

/* ---- measures -------------------------------------------------------------------------------- */

struct findings findings_of_measures(const struct card_facts *s, struct arena *a)
{
	static const struct finding_column columns[] = {{"measure", "measure"},
							{"value", "value"},
							{NULL, "why_none"},
							{"meaning", "meaning"}};
	struct shown_measure rows[SHOWN_MEASURES];
	const size_t n = show_measured(s, a, rows);
	struct findings f;
	COLUMNS(&f, a, columns);
	for (size_t i = 0; i < n; i++) {
		const struct measure *const m = rows[i].at;
		const char *const text = measure_show(m, a);
		findings_add(&f,
			     (const struct finding_cell[]){finding_words(rows[i].name, rows[i].key),
							   m->there ? finding_number(text, m->value)
								    : finding_words(text, NULL),
							   finding_word(m->there ? NULL : m->why),
							   finding_word(rows[i].help)});
	}
	return f;
}

/* ---- numbers of views ------------------------------------------------------------------------ */

/* Returns the title of the view, "Rank" for "rank.logits.stable". */
static const char *title_of(const char *name, struct arena *a)
{
	return view_find(arena_strndup(a, name, strcspn(name, ".")))->title;
}

struct findings findings_of_numbers(const struct numbers *all, struct arena *a)
{
	static const struct finding_column columns[] = {{NULL, "view"},
							{"number", "number"},
							{NULL, "value"},
							{"value", "says"},
							{"meaning", "meaning"}};
	struct findings f;
	COLUMNS(&f, a, columns);
	for (size_t i = 0; i < all->n; i++) {
		const struct number *const at = &all->at[i];
		if (!at->says)
			continue;
		findings_add(
			&f,
			(const struct finding_cell[]){
				finding_word(title_of(at->name, a)),
				finding_words(at->name + strcspn(at->name, ".") + 1, at->name),
				at->at.at ? finding_number(NULL, at->at.at[0]) : finding_word(NULL),
				finding_word(at->says), finding_word(at->means)});
	}
	return f;
}

void numbers_text(const struct numbers *all, struct strbuf *out)
{
	const struct findings f = findings_of_numbers(all, out->arena);
	for (size_t from = 0, to; from < f.n; from = to) {
		const char *const view = f.at[from * f.cols].word;
		for (to = from; to < f.n && strcmp(f.at[to * f.cols].word, view) == 0;)
			to++;
		strbuf_printf(out, "\n%s\n\n", view);
		findings_table(&f, from, to, out);
	}
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Returns a side of a shape, in brackets if it is a sum. */
static const char *side_text(const char *text, size_t len, struct arena *a)
{
	const char *const side = arena_strndup(a, text, len);
	const bool is_sum = *side != '(' && (strstr(side, " + ") || strstr(side, " - "));
	return is_sum ? arena_printf(a, "(%s)", side) : side;
}

/* Returns "(2 clip + 1) × d_h = 33 × 16", or only the numbers if there is no formula, it equals
 * them, or it is too long. */
static const char *shape_text(const struct leaf *leaf, const struct leaf_row *note, struct arena *a)
{
	enum { MOST = 44 };
	const char *const numbers = arena_printf(a, "%zu × %zu", leaf->at.rows, leaf->at.cols);
	const char *const shape = note ? note->shape : NULL;
	const char *const comma = shape ? strchr(shape, ',') : NULL;
	if (!comma || strlen(shape) > MOST)
		return numbers;
	const char *const said =
		arena_printf(a, "%s × %s", side_text(shape, (size_t)(comma - shape), a),
			     side_text(comma + 2, strlen(comma + 2), a));
	return strcmp(said, numbers) == 0 ? numbers : arena_printf(a, "%s = %s", said, numbers);
}

/* Lists each leaf once, by the name under which a file provides it. */
struct findings findings_of_leaves(const struct built *b, struct arena *a)
{
	static const struct finding_column columns[] = {
		{"name", "name"},	 {NULL, "by_layer"},	      {NULL, "rows"},
		{NULL, "columns"},	 {"rows × columns", "shape"}, {"meaning", "meaning"},
		{NULL, "may_be_missing"}};
	struct findings f;
	COLUMNS(&f, a, columns);
	for (size_t i = 0; i < b->model.n_leaves; i++) {
		const struct leaf *const leaf = &b->model.leaves[i];
		const struct leaf_row *const note = leaf_row_of(leaf);
		const bool spare = note && note->spare, by_layer = leaf->layer >= 0;
		const char *const meaning = note ? note->meaning : NULL;
		const char *const name = arena_printf(a, "%s.%s", leaf->member->name, leaf->base);
		if (show_leaf_again(&b->model, i))
			continue;
		findings_add(
			&f,
			(const struct finding_cell[]){
				finding_words(by_layer ? arena_printf(a, "%s.L", name) : name,
					      name),
				finding_bool(NULL, by_layer),
				finding_number(NULL, (double)leaf->at.rows),
				finding_number(NULL, (double)leaf->at.cols),
				finding_words(shape_text(leaf, note, a), note ? note->shape : NULL),
				finding_words(spare ? arena_printf(a, "%s; 0 where a file lacks it",
								   meaning)
						    : meaning,
					      meaning),
				finding_bool(NULL, spare)});
	}
	return f;
}
