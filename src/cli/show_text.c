/* show_text.c: a scheme's card as plain text: its description, and the values printed, made, and
 * measured. */
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/analysis/analysis.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/scheme/paper.h"
#include "posviz/scheme/results.h"

enum { KEY = 16 };

static void add_line(struct strbuf *out, const char *key, const char *value)
{
	if (value && *value)
		words_line(out, KEY, key, value);
}

static void add_parameters(const struct expr_member *m, struct strbuf *out)
{
	static const char *const head[] = {"  parameter", "value",   "default",
					   "range",	  "meaning", NULL};
	struct arena *const a = out->arena;
	const struct param *const params = m->scheme->params;
	if (!params || !params[0].name)
		return;
	const void *const defaults = scheme_defaults(m->scheme, a);
	struct listing l;
	listing_init(&l, a, head);
	for (const struct param *p = params; p->name; p++)
		if (param_is_used(p, m->param))
			listing_add(&l, (const char *const[LISTING_COLS]){
						arena_printf(a, "  %s", p->name),
						param_print(p, m->param, a),
						param_print(p, defaults, a),
						value_range(&p->type, a), p->help});
	strbuf_add_char(out, '\n');
	listing_print(&l, "text", out);
}

/* Adds the parameters that every scheme takes, which are not in its own table. */
static void add_places(const struct expr_member *m, struct strbuf *out)
{
	struct arena *const a = out->arena;
	char weight[32];
	add_line(out, "pos",
		 arena_printf(a,
			      "%s: the positions that it reads: seq, remaining, "
			      "word, segment, of pictures temporal, height, width, row, column, or "
			      "what another member adds",
			      m->pos));
	add_line(out, "layers",
		 arena_printf(a, "%s: where it acts: 1, [1,3], 2-4, odd, even, all",
			      m->layers_text ? m->layers_text : "all"));
	add_line(out, "heads",
		 arena_printf(a, "%s: the same of heads", m->heads_text ? m->heads_text : "all"));
	if (expr_takes_weight(m, NULL))
		add_line(
			out, "weight",
			arena_printf(a,
				     "%s: times what it adds to the logits, as in 0.5*%s; its mask "
				     "and the factor of q·k stay",
				     num_print(weight, sizeof weight, m->weight), m->scheme->id));
}

static const char *claim_words(const struct expr_member *m, struct arena *a)
{
	static const struct {
		enum claim_kind kind;
		const char *yes, *no;
	} words[] = {{CLAIM_LEARNABLE, "learned", "not learned"},
		     {CLAIM_RECURRING, "in every layer", "not in every layer"},
		     {CLAIM_UNBOUNDED, "unbounded", "bounded"}};
	const char *out = "";
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const enum answer is = show_claim(m, words[i].kind);
		if (is != ANSWER_UNSAID)
			out = arena_printf(a, "%s%s%s", out, *out ? ", " : "",
					   is == ANSWER_YES ? words[i].yes : words[i].no);
	}
	return out;
}

static void add_kind(const struct expr_member *m, struct strbuf *out)
{
	const struct scheme *const s = m->scheme;
	struct arena *const a = out->arena;
	add_line(out, "reference", reference_names[s->ref]);
	add_line(out, "injection", injection_names[s->inj]);
	add_line(out, s->flags & SCHEME_NOT_IN_SURVEY ? "kind" : "Table 1", claim_words(m, a));
	add_line(out, "Table 2", table2_names[s->table2]);
	add_line(out, "rows", rows_names[s->rows]);
	add_line(out, "edges", scheme_unseen(s, m->param, NULL));
}

static void add_member(const struct card_facts *facts, const struct expr_member *m,
		       struct strbuf *out)
{
	const struct cli *const c = facts->cli;
	/* A matrix whose keys are other tokens than its queries belongs to no layer, and has no
	 * places. */
	const bool square = !model_looked_at(&facts->built->model);
	const struct scheme *const s = m->scheme;
	struct arena *const a = out->arena;
	strbuf_printf(out, "%s · %s %d\n\n", s->title, s->authors, s->year);
	const char *const name = scene_name_of(&c->scene, NAMED_EXPRESSION, 1, a);
	if (name)
		add_line(out, "name", name);
	add_line(out, "formula",
		 (words_are_plain(c) ? figure_formula : figure_typeset)(
			 a, square ? s->formula : scheme_formula_of(s, m->param, a)));
	add_line(out, "about", scheme_about_of(s, m->param));
	add_line(out, "stands for", s->expression);
	if (!s->expression && square)
		add_kind(m, out);
	add_line(out, "cite", scheme_cite(s));
	add_line(out, "evidence",
		 s->evidence_note
			 ? arena_printf(a, "%s: %s", evidence_names[s->evidence], s->evidence_note)
			 : evidence_names[s->evidence]);
	add_line(out, "aliases", s->aliases);
	add_line(out, "demo values", s->demo_note);
	if (!s->expression && square)
		add_places(m, out);
	add_parameters(m, out);
	strbuf_add_char(out, '\n');
}

static const char *printed_count(const struct card_facts *s, struct arena *a)
{
	const char *const formula = show_count_formula(s);
	if (!formula)
		return "nothing";
	const bool number = formula[strspn(formula, "0123456789")] == '\0';
	return number ? formula : arena_printf(a, "%s = %.0f", formula, show_count_printed(s));
}

static void add_counts(const struct card_facts *s, struct strbuf *out)
{
	struct arena *const a = out->arena;
	const struct built *const b = s->built;
	const struct expr_member *const m = expr_main(&b->expr);
	strbuf_printf(out, "Learned numbers of %s\n\n", m->scheme->id);
	add_line(out, "printed", printed_count(s, a));
	if (b->expr.n > 1 && !m->scheme->expression)
		add_line(out, "made here", arena_printf(a, "%zu", show_count_made(s)));
	add_line(out, "made",
		 arena_printf(a, "%zu in the whole expression",
			      model_position_parameters(&b->model)));
	if (model_frozen_parameters(&b->model) > 0)
		add_line(out, "frozen",
			 arena_printf(a, "%zu of them", model_frozen_parameters(&b->model)));
	strbuf_add_char(out, '\n');
}

/* Adds the names of heads and layers; the name of an expression is at the head of its card. */
static void add_names(const struct scene *scene, struct strbuf *out)
{
	bool any = false;
	for (int kind = NAMED_EXPRESSION + 1; kind < NAMED_COUNT; kind++)
		for (size_t i = 1; i <= show_named[kind].most; i++) {
			const char *const name =
				scene_name_of(scene, (enum named)kind, i, out->arena);
			if (!name)
				continue;
			strbuf_add(out, any ? "" : "Names\n\n");
			add_line(out,
				 arena_printf(out->arena, "%s %zu", show_named[kind].of_one, i),
				 name);
			any = true;
		}
	strbuf_add(out, any ? "\n" : "");
}

/* Adds the heads that see other pairs than the rest: the cards of its members do not show the
 * effect of a mixture. */
static void add_masks(const struct card_facts *s, struct strbuf *out)
{
	bool any = false;
	for (size_t i = 0; i < MODEL_MAX_LAYERS; i++) {
		if (!s->masks[i])
			continue;
		strbuf_add(out, any ? "" : "Masks that differ by head\n\n");
		add_line(out, arena_printf(out->arena, "layer %zu", i + 1), s->masks[i]);
		any = true;
	}
	strbuf_add(out, any ? "\n" : "");
}

static void add_leaves(const struct built *b, struct strbuf *out)
{
	const struct findings leaves = findings_of_leaves(b, out->arena);
	if (leaves.n == 0)
		return;
	findings_table(&leaves, 0, leaves.n, out);
	strbuf_add(out, "\n  ");
	words_wrap(
		out,
		"--params takes them by these names, L being the layer from 0, or without .L for "
		"all layers, or either without what stands before the first dot; the most precise "
		"name counts. --map LEAF=TENSOR, by the same names, takes another tensor.",
		2);
	strbuf_add_char(out, '\n');
}

/* Adds the details that the warning about unused tensors leaves out. */
static void add_untaken(const struct built *b, struct strbuf *out)
{
	struct arena *const a = out->arena;
	if (b->n_untaken > 0)
		strbuf_add(out, "Tensors that nothing takes\n\n");
	for (size_t i = 0; i < b->n_untaken; i++) {
		const struct untaken *const u = &b->untaken[i];
		add_line(out, u->file,
			 arena_printf(a, "%s%s%s", text_escape(a, u->name, strlen(u->name)),
				      u->near ? "; is it " : "",
				      u->near ? text_escape(a, u->near, strlen(u->near)) : ""));
	}
	strbuf_add(out, b->n_untaken > 0 ? "\n" : "");
}

static void add_claims(const struct verdict *verdicts, size_t n, struct strbuf *out)
{
	const struct findings claims = findings_of_verdicts(verdicts, n, false, out->arena);
	strbuf_add(out, "Claims\n\n");
	findings_table(&claims, 0, claims.n, out);
	for (size_t i = 0, said = 0; i < n; i++) {
		if (!verdicts[i].why)
			continue;
		strbuf_add(out, said++ ? "" : "\n");
		add_line(out, verdicts[i].claim, verdicts[i].why);
	}
}

/* Adds the numbers of every published table that contains a scheme of the expression. */
static void add_results(const struct expr *e, struct strbuf *out)
{
	struct arena *const a = out->arena;
	size_t n, found = 0;
	const struct results *const all = results_all(a, &n);
	for (size_t t = 0; t < n; t++) {
		bool named = false;
		for (size_t r = 0; r < all[t].n; r++) {
			const struct result_row *const row = &all[t].rows[r];
			bool about = false;
			for (size_t i = 0; i < e->n; i++)
				about |= results_name(row, e->members[i].scheme->id);
			if (!about)
				continue;
			strbuf_add(out, found++ ? "" : "\nPublished results\n");
			if (!named) {
				strbuf_add(out, "\n  ");
				words_wrap(out,
					   arena_printf(a, "%s, %s: %s", all[t].source,
							all[t].table, all[t].about),
					   2);
			}
			named = true;
			strbuf_add(out, "    ");
			words_wrap(out,
				   arena_printf(a, "%s: %s", row->model,
						results_line(&all[t], row, a)),
				   6);
		}
	}
}

static void add_measures(const struct card_facts *s, struct strbuf *out)
{
	struct arena *const a = out->arena;
	const struct built *const b = s->built;
	const struct model_config *const config = &b->model.config;
	const char *const text = built_source(&s->cli->scene.setup, b);
	const char *const part = measure_show_on(&s->measures->on, a);
	const char *const model =
		view_is_own(b)
			? ", with drawn token vectors"
			: arena_printf(a, " d=%zu h=%zu%s layers=%zu seed %llu, proj %s", config->d,
				       config->heads, setup_heads_text(&s->cli->scene.setup, a),
				       config->layers, (unsigned long long)config->seed,
				       projection_names[config->proj]);
	strbuf_printf(out, "\nMeasured on %s, n=%zu%s%s%s\n\n",
		      text ? text_quote(a, text, strlen(text)) : "tokens of a file", b->input.n,
		      model, part ? "; " : "", part ? part : "");
	if (b->structure && b->structure->note && *b->structure->note) {
		add_line(out, "structure", b->structure->note);
		strbuf_add_char(out, '\n');
	}
	const struct findings measures = findings_of_measures(s, a);
	findings_table(&measures, 0, measures.n, out);
}

void show_text(const struct card_facts *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->built->expr.n; i++)
		add_member(s, &s->built->expr.members[i], out);
	add_names(&s->cli->scene, out);
	add_masks(s, out);
	add_counts(s, out);
	add_leaves(s->built, out);
	add_untaken(s->built, out);
	if (model_looked_at(&s->built->model)) {
		const struct built *const b = s->built;
		strbuf_add(out, "Not measured\n\n");
		add_line(
			out, "input",
			arena_printf(out->arena, "%zu queries, %zu keys", b->written.n, b->keys.n));
		add_line(
			out, "why",
			"queries are other tokens than keys; the view Explore shows the matrix, dump "
			"has its numbers");
	} else {
		add_claims(s->verdicts, s->n_verdicts, out);
		add_measures(s, out);
		numbers_text(s->numbers, out);
	}
	add_results(&s->built->expr, out);
}
