/* cmd_show.c: describes a scheme, as text, as JSON, or as entries of a bibliography. */
#include "show.h"

#include <math.h>
#include <string.h>

#include "posviz/picture/picture.h"
#include "posviz/scheme/paper.h"

/* ---- papers ---------------------------------------------------------------------------------- */

/* Warns of fields other than the scheme: papers depend on the scheme alone. */
static void warn_of_unread(const struct cli *c)
{
	for (size_t i = 0; i < c->n_given; i++) {
		const char *const name = c->given[i].name;
		if (field_find(name) && strcmp(name, "scheme") != 0)
			output_warn("--%s means nothing for bibtex", name);
	}
}

/* Prints the entries of all papers of the expression; nothing is computed for them. */
static int show_bibtex(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	struct strbuf out;
	const struct expr *const e = expr_of(c->scene.setup.scheme, a, err);
	if (!e)
		return EXIT_BAD_USE;
	warn_of_unread(c);
	const char *const text = expr_bibtex(e, a);
	const struct scheme *const s = expr_main(e)->scheme;
	if (!text) {
		err_set(err, "show: %s has no paper to cite: %s", s->id, scheme_cite(s));
		return EXIT_BAD_USE;
	}
	strbuf_init(&out, a);
	strbuf_add(&out, text);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}

/* ---- facts ----------------------------------------------------------------------------------- */

const struct show_named show_named[NAMED_COUNT] = {
	[NAMED_EXPRESSION] = {"expression", "expressions", COMPARE_MAX},
	[NAMED_HEAD] = {"head", "heads", MODEL_MAX_HEADS},
	[NAMED_LAYER] = {"layer", "layers", MODEL_MAX_LAYERS},
};

const char *show_count_formula(const struct card_facts *s)
{
	return expr_main(&s->built->expr)->scheme->count_printed;
}

double show_count_printed(const struct card_facts *s)
{
	const struct expr_member *const m = expr_main(&s->built->expr);
	struct model_config config = s->built->model.config;
	if (!m->scheme->count_printed)
		return NAN;
	config.d = model_part_width(&s->built->model, &m->scheme->hooks);
	return scheme_value(m->scheme, m->param, &config, m->scheme->count_printed);
}

size_t show_count_made(const struct card_facts *s)
{
	const struct model *const model = &s->built->model;
	const struct scheme *const scheme = expr_main(&s->built->expr)->scheme;
	size_t n = 0;
	for (size_t i = 0; i < model->n_leaves; i++)
		if (model->leaves[i].member->hooks == &scheme->hooks)
			n += model->leaves[i].at.rows * model->leaves[i].at.cols;
	return n;
}

bool show_leaf_again(const struct model *model, size_t i)
{
	const struct leaf *const leaf = &model->leaves[i];
	for (size_t k = 0; k < i; k++)
		if (model->leaves[k].member == leaf->member &&
		    strcmp(model->leaves[k].base, leaf->base) == 0)
			return true;
	return false;
}

enum answer show_claim(const struct expr_member *m, enum claim_kind kind)
{
	const enum answer is = scheme_printed(m->scheme, kind);
	return is != ANSWER_UNSAID ? is : scheme_holds(m->scheme, m->param, kind);
}

size_t show_measured(const struct card_facts *s, struct arena *a,
		     struct shown_measure out[SHOWN_MEASURES])
{
	const struct measures *const m = s->measures;
	const bool moved = strcmp(s->cli->scene.setup.order, "identity") != 0;
	size_t n = 0;
	for (const struct measure_row *row = measure_table; row->name; row++)
		if (moved || row->kind != MEASURED_OWN_ORDER)
			out[n++] = (struct shown_measure){row->title, row->key, row->sentence,
							  measure_at(m, row)};
	for (size_t i = 0; i < m->n_prefix; i++)
		out[n++] = (struct shown_measure){
			arena_printf(a, "%s, layer %zu", measure_by_layer.title, i + 1),
			arena_printf(a, "%s, layer %zu", measure_by_layer.key, i + 1),
			measure_by_layer.sentence, &m->prefix[i]};
	return n;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Returns a model of one step, that of step i: masks depend on positions and not on what the layers
 * below made of the token vectors, so these need not be computed. */
static struct model *step_alone(const struct model *model, size_t i, struct arena *a)
{
	struct model *const out = arena_alloc(a, sizeof *out);
	*out = *model;
	out->steps[0] = (struct step){.layer = model->steps[i].layer,
				      .q_from = -1,
				      .kv_from = -1,
				      .tag = model->steps[i].tag};
	out->n_steps = 1;
	return out;
}

/* Returns the first step in whose layer the same members act on the same heads. */
static size_t same_members(const struct model *model, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		bool same = model->steps[k].tag == model->steps[i].tag;
		for (size_t m = 0; m < model->n_members && same; m++)
			same = subset_has(&model->members[m].layers, model->steps[k].layer) ==
			       subset_has(&model->members[m].layers, model->steps[i].layer);
		if (same)
			return k;
	}
	return i;
}

static bool find_masks(struct card_facts *s, struct arena *a, struct err *err)
{
	const struct built *const b = s->built;
	const struct want want = {.kinds = WANT_MASK, .layer = 0, .head = -1};
	for (size_t i = 0; i < b->model.n_steps && i < MODEL_MAX_LAYERS; i++) {
		const size_t like = model_looked_at(&b->model) ? 0 : same_members(&b->model, i);
		struct trace trace;
		if (like < i) {
			s->masks[i] = s->masks[like];
			continue;
		}
		if (!model_run(step_alone(&b->model, i, a), &b->model_input, &want, NULL, NULL, a,
			       &trace, err))
			return false;
		s->masks[i] = view_masks(&trace, 0, b->model.config.heads, a);
	}
	return true;
}

static bool measure(struct cli *c, struct card_facts *s, struct err *err)
{
	struct measures *const out = arena_calloc(&c->arena, 1, sizeof *out);
	const struct measure_request r = {.kinds = MEASURED_ALL, .watch = progress_begin()};
	const bool ok = analysis_measure_built(&c->scene.setup, s->built, &r, out, err);
	progress_end();
	s->measures = out;
	return ok;
}

static bool find_numbers(struct cli *c, struct card_facts *s, struct err *err)
{
	struct numbers *const out = arena_calloc(&c->arena, 1, sizeof *out);
	struct cache *const cache = cache_new(CACHE_BYTES);
	numbers_init(out, &c->arena);
	s->numbers = out;
	const bool ok = view_numbers(&c->scene, c->numbers ? c->numbers : "quick", s->built, cache,
				     progress_begin(), &c->arena, out, err);
	progress_end();
	cache_free(cache);
	return ok;
}

static int show_measures(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	struct verdict verdicts[VERDICTS_MAX];
	struct card_facts s = {.cli = c, .built = b, .verdicts = verdicts};
	struct strbuf out;
	if (!cli_build(c, b, err) || !measure(c, &s, err))
		return EXIT_BAD_USE;
	if ((!model_looked_at(&b->model) &&
	     !analysis_check(&c->scene.setup, NULL, a, verdicts, &s.n_verdicts, err)) ||
	    !find_masks(&s, a, err) || !find_numbers(c, &s, err))
		return EXIT_BAD_USE;
	strbuf_init(&out, a);
	const bool json = output_is_json(c);
	(json ? show_json : show_text)(&s, &out);
	if (!(json ? output_text(&out, err) : words_write(c, out.at, out.len, err)))
		return EXIT_BAD_USE;
	cli_warn_of_chain(c, b);
	return EXIT_FINE;
}

int cmd_show(struct cli *c, struct err *err)
{
	if (!output_format_or_text(c, err) || !cli_alone(c, err) || !options_fit(c, err))
		return EXIT_BAD_USE;
	return strcmp(c->format, "bibtex") == 0 ? show_bibtex(c, err) : show_measures(c, err);
}
