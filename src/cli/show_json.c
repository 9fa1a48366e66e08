/* show_json.c: `posviz show` as JSON: every fact of the text has a name, numbers are numbers; null
 * for an absent value, "nan" and "inf" for a number that is not finite. */
#include "show.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/format/json.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/model_seen.h"
#include "posviz/scheme/paper.h"
#include "posviz/scheme/results.h"

static void write_answer(struct json_writer *w, const char *name, enum answer answer)
{
	if (answer == ANSWER_UNSAID)
		json_writer_string(w, name, NULL);
	else
		json_writer_bool(w, name, answer == ANSWER_YES);
}

/* ---- members --------------------------------------------------------------------------------- */

static void write_words(struct json_writer *w, const char *name, const char *words, struct arena *a)
{
	json_writer_array(w, name);
	for (const char *at = words ? words : ""; *at;) {
		const size_t len = strcspn(at, " ");
		if (len > 0)
			json_writer_string(w, NULL, arena_strndup(a, at, len));
		at += len + (at[len] == ' ');
	}
	json_writer_end(w);
}

static void write_papers(struct json_writer *w, const struct scheme *s)
{
	const struct paper *of[PAPERS_OF_SCHEME];
	const size_t n = scheme_papers(s, of);
	json_writer_array(w, "papers");
	for (size_t i = 0; i < n; i++) {
		json_writer_object(w, NULL);
		json_writer_string(w, "key", of[i]->key);
		json_writer_integer(w, "year", of[i]->year);
		json_writer_string(w, "doi", of[i]->doi);
		json_writer_string(w, "arxiv", of[i]->arxiv);
		json_writer_string(w, "url", of[i]->url);
		json_writer_end(w);
	}
	json_writer_end(w);
}

static void write_range(struct json_writer *w, const struct param *p)
{
	if (value_is_number(&p->type)) {
		json_writer_number(w, "min", p->type.min);
		json_writer_number(w, "max", p->type.max);
	} else if (p->type.kind == &value_listed) {
		json_writer_integer(w, "most", VALUE_LIST_MAX);
	} else if (p->type.kind == &value_choice) {
		json_writer_array(w, "choices");
		for (size_t i = 0; p->type.choices[i]; i++)
			json_writer_string(w, NULL, p->type.choices[i]);
		json_writer_end(w);
	}
}

static void write_parameters(struct json_writer *w, const struct expr_member *m, struct arena *a)
{
	const void *const defaults = scheme_defaults(m->scheme, a);
	json_writer_array(w, "parameters");
	for (const struct param *p = m->scheme->params; p && p->name; p++) {
		if (!param_is_used(p, m->param))
			continue;
		json_writer_object(w, NULL);
		json_writer_string(w, "name", p->name);
		json_writer_string(w, "kind", p->type.kind->name);
		param_write(w, "value", p, m->param, a);
		param_write(w, "default", p, defaults, a);
		write_range(w, p);
		json_writer_string(w, "meaning", p->help);
		json_writer_end(w);
	}
	json_writer_end(w);
}

/* Writes null for the facts of layers and positions, which a matrix whose keys are other tokens
 * does not have. */
static void write_kind(struct json_writer *w, const struct expr_member *m, bool square)
{
	const struct scheme *const s = m->scheme;
	json_writer_string(w, "reference", square ? reference_names[s->ref] : NULL);
	json_writer_string(w, "injection", injection_names[s->inj]);
	json_writer_bool(w, "in_table1", !(s->flags & SCHEME_NOT_IN_SURVEY));
	write_answer(w, "learned", show_claim(m, CLAIM_LEARNABLE));
	write_answer(w, "recurring", square ? show_claim(m, CLAIM_RECURRING) : ANSWER_UNSAID);
	write_answer(w, "unbounded", square ? show_claim(m, CLAIM_UNBOUNDED) : ANSWER_UNSAID);
	json_writer_string(w, "table2", s->table2 == TABLE2_NONE ? NULL : table2_names[s->table2]);
	json_writer_string(w, "rows", square ? rows_names[s->rows] : NULL);
	json_writer_string(w, "edges_unseen", scheme_unseen(s, m->param, NULL));
	json_writer_string(w, "pos", square ? m->pos : NULL);
	json_writer_string(w, "layers", !square ? NULL : m->layers_text ? m->layers_text : "all");
	json_writer_string(w, "heads", !square ? NULL : m->heads_text ? m->heads_text : "all");
}

static void write_member(struct json_writer *w, const struct expr_member *m, bool square,
			 struct arena *a)
{
	const struct scheme *const s = m->scheme;
	json_writer_object(w, NULL);
	json_writer_string(w, "scheme", s->id);
	if (square && expr_takes_weight(m, NULL))
		json_writer_number(w, "weight", m->weight);
	else
		json_writer_string(w, "weight", NULL);
	json_writer_string(w, "title", s->title);
	json_writer_string(w, "authors", s->authors);
	json_writer_integer(w, "year", s->year);
	json_writer_string(w, "formula", square ? s->formula : scheme_formula_of(s, m->param, a));
	json_writer_string(w, "about", scheme_about_of(s, m->param));
	json_writer_string(w, "stands_for", s->expression);
	if (!s->expression)
		write_kind(w, m, square);
	json_writer_string(w, "cite", scheme_cite(s));
	write_papers(w, s);
	json_writer_string(w, "evidence", evidence_names[s->evidence]);
	json_writer_string(w, "evidence_note", s->evidence_note);
	write_words(w, "aliases", s->aliases, a);
	json_writer_string(w, "demo_values", s->demo_note);
	write_parameters(w, m, a);
	json_writer_end(w);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void write_counts(struct json_writer *w, const struct card_facts *s)
{
	const struct built *const b = s->built;
	json_writer_object(w, "learned_numbers");
	json_writer_string(w, "scheme", expr_main(&b->expr)->scheme->id);
	json_writer_string(w, "printed_formula", show_count_formula(s));
	if (show_count_formula(s))
		json_writer_number(w, "printed", show_count_printed(s));
	else
		json_writer_string(w, "printed", NULL);
	if (!expr_main(&b->expr)->scheme->expression)
		json_writer_integer(w, "made_here", (long)show_count_made(s));
	json_writer_integer(w, "made", (long)model_position_parameters(&b->model));
	json_writer_integer(w, "frozen", (long)model_frozen_parameters(&b->model));
	json_writer_end(w);
}

static void write_names(struct json_writer *w, const struct scene *scene, struct arena *a)
{
	json_writer_object(w, "names");
	for (int kind = 0; kind < NAMED_COUNT; kind++) {
		json_writer_array(w, show_named[kind].of_many);
		for (size_t i = 1; i <= show_named[kind].most; i++) {
			const char *const name = scene_name_of(scene, (enum named)kind, i, a);
			if (!name)
				continue;
			json_writer_object(w, NULL);
			json_writer_integer(w, "number", (long)i);
			json_writer_string(w, "name", name);
			json_writer_end(w);
		}
		json_writer_end(w);
	}
	json_writer_end(w);
}

/* Writes what the scene saw of its model's files; null without a model. */
static void write_model(struct json_writer *w, const struct setup *setup, struct arena *a)
{
	const char *seen;
	if (model_seen(setup, a, &seen, NULL) && seen)
		json_writer_value(w, "model_files", seen);
	else
		json_writer_string(w, "model_files", NULL);
}

static void write_masks(struct json_writer *w, const struct card_facts *s)
{
	json_writer_array(w, "masks");
	for (size_t i = 0; i < MODEL_MAX_LAYERS; i++) {
		if (!s->masks[i])
			continue;
		json_writer_object(w, NULL);
		json_writer_integer(w, "layer", (long)i + 1);
		json_writer_string(w, "heads", s->masks[i]);
		json_writer_end(w);
	}
	json_writer_end(w);
}

static void write_untaken(struct json_writer *w, const struct built *b)
{
	json_writer_array(w, "untaken");
	for (size_t i = 0; i < b->n_untaken; i++) {
		json_writer_object(w, NULL);
		json_writer_string(w, "file", b->untaken[i].file);
		json_writer_string(w, "tensor", b->untaken[i].name);
		json_writer_string(w, "near", b->untaken[i].near);
		json_writer_end(w);
	}
	json_writer_end(w);
}

/* ---- claims and measures --------------------------------------------------------------------- */

static void write_subject(struct json_writer *w, const struct card_facts *s, struct arena *a)
{
	const struct built *const b = s->built;
	const struct model_config *const config = &b->model.config;
	if (model_looked_at(&b->model)) {
		json_writer_string(w, "measured_on", NULL);
		return;
	}
	json_writer_object(w, "measured_on");
	json_writer_string(w, "source", built_source(&s->cli->scene.setup, b));
	json_writer_integer(w, "units", (long)b->input.n);
	json_writer_integer(w, "d_model", (long)config->d);
	json_writer_integer(w, "heads", (long)config->heads);
	json_writer_integer(w, "head_dim", (long)b->model.dk);
	json_writer_integer(w, "value_dim", (long)b->model.dv);
	json_writer_integer(w, "kv_heads", (long)b->model.kv_heads);
	json_writer_integer(w, "layers", (long)config->layers);
	json_writer_integer(w, "seed", (long)config->seed);
	json_writer_string(w, "proj", projection_names[config->proj]);
	json_writer_bool(w, "drawn_units", view_is_own(b));
	json_writer_string(w, "part", measure_show_on(&s->measures->on, a));
	json_writer_string(w, "structure", b->structure ? b->structure->note : NULL);
	json_writer_end(w);
}

/* Writes the reason why nothing is measured, for a matrix whose queries are other tokens than its
 * keys, and its size. */
static void write_not_measured(struct json_writer *w, const struct built *b)
{
	if (!model_looked_at(&b->model)) {
		json_writer_string(w, "not_measured", NULL);
		return;
	}
	json_writer_object(w, "not_measured");
	json_writer_string(w, "why", "queries are other tokens than keys");
	json_writer_integer(w, "queries", (long)b->written.n);
	json_writer_integer(w, "keys", (long)b->keys.n);
	json_writer_end(w);
}

/* ---- published results ----------------------------------------------------------------------- */

static void write_row(struct json_writer *w, const struct results *r, const struct result_row *row)
{
	json_writer_object(w, NULL);
	json_writer_string(w, "source", r->source);
	json_writer_string(w, "table", r->table);
	json_writer_string(w, "about", r->about);
	json_writer_string(w, "model", row->model);
	json_writer_array(w, "cells");
	for (size_t i = 0; i < r->cols; i++) {
		if (!*row->cells[i])
			continue;
		json_writer_object(w, NULL);
		json_writer_string(w, "metric", r->metrics[i]);
		json_writer_string(w, "task", r->tasks[i]);
		json_writer_string(w, "printed", row->cells[i]);
		json_writer_number(w, "value", row->values[i]);
		json_writer_end(w);
	}
	json_writer_end(w);
	json_writer_end(w);
}

static void write_results(struct json_writer *w, const struct expr *e, struct arena *a)
{
	size_t n;
	const struct results *const all = results_all(a, &n);
	json_writer_array(w, "results");
	for (size_t t = 0; t < n; t++)
		for (size_t r = 0; r < all[t].n; r++) {
			bool about = false;
			for (size_t i = 0; i < e->n; i++)
				about |= results_name(&all[t].rows[r], e->members[i].scheme->id);
			if (about)
				write_row(w, &all[t], &all[t].rows[r]);
		}
	json_writer_end(w);
}

void show_json(const struct card_facts *s, struct strbuf *out)
{
	struct arena *const a = out->arena;
	const struct built *const b = s->built;
	const struct findings leaves = findings_of_leaves(b, a),
			      measures = findings_of_measures(s, a),
			      claims = findings_of_verdicts(s->verdicts, s->n_verdicts, false, a),
			      numbers = findings_of_numbers(s->numbers, a);
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "posviz", POSVIZ_VERSION);
	json_writer_string(w, "expression", expr_print(&b->expr, a));
	json_writer_array(w, "members");
	for (size_t i = 0; i < b->expr.n; i++)
		write_member(w, &b->expr.members[i], !model_looked_at(&b->model), a);
	json_writer_end(w);
	write_names(w, &s->cli->scene, a);
	write_model(w, &s->cli->scene.setup, a);
	write_masks(w, s);
	write_counts(w, s);
	findings_json(&leaves, w, "leaves");
	write_untaken(w, b);
	findings_json(&claims, w, "claims");
	write_not_measured(w, b);
	write_subject(w, s, a);
	if (model_looked_at(&b->model))
		json_writer_string(w, "measured_tokens", NULL);
	else
		json_writer_number(w, "measured_tokens", (double)s->measures->on.units);
	findings_json(&measures, w, "measures");
	findings_json(&numbers, w, "numbers");
	write_results(w, &b->expr, a);
	json_writer_end(w);
	strbuf_printf(out, "%s\n", json_writer_done(w, 2));
}
