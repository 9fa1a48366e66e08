/* check_config.c: a verdict on a model's configuration: what it says of positions, what scaling
 * does to each band of the rotation, and what does not fit. */
#include "cli.h"
#include "report.h"

#include <string.h>

#include "posviz/base/text.h"
#include "posviz/family/candidates.h"
#include "posviz/family/known_text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"

enum { INDENT = 14 };

bool cli_names_model(const char *path)
{
	static const char suffix[] = ".json";
	const size_t len = strlen(path), most = sizeof suffix - 1;
	struct kind_seen seen;
	if (len > most && strcmp(path + len - most, suffix) == 0)
		return true;
	if (!file_exists(path) || scheme_find(path, len, NULL) ||
	    !kind_of_file(path, app_is_command, &seen, NULL))
		return false;
	const enum kind_id id = seen.kind->id;
	return id == KIND_MODEL_CONFIG || id == KIND_MODEL_DIR || id == KIND_GGUF ||
	       id == KIND_DIRECTORY;
}

/* A model that is told of. */
struct told {
	const struct known *k;
	struct arena *a;
	struct report *r;
};

/* Adds a number to JSON, null where it is 0, which is not known. */
static void add_size(const struct told *t, const char *key, double value)
{
	if (value > 0)
		report_number(t->r, key, value);
	else
		report_word(t->r, key, NULL);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void tell_context(const struct told *t)
{
	const struct known *const k = t->k;
	report_line(t->r, "context", "%s", known_context(k, t->a));
	add_size(t, "declared", (double)k->declared);
	add_size(t, "trained", (double)k->trained);
	report_word(t->r, "trained_by", k->trained_by);
}

static void tell_windows(const struct told *t)
{
	static const char *const words[] = {"none", "behind", "sides", "chunk"};
	const struct known *const k = t->k;
	report_array(t->r, "windows");
	for (long i = 0; i < k->layers; i++) {
		if (!known_is_first(k, i))
			continue;
		report_object(t->r, NULL);
		report_word(t->r, "kind", words[k->layer[i].kind]);
		add_size(t, "window", (double)k->layer[i].window);
		report_word(t->r, "layers", known_layers_like(k, i, t->a));
		report_end(t->r);
	}
	report_end(t->r);
	report_line(t->r, "sees", "%s", known_sees(k, t->a));
}

static void tell_block(const struct told *t)
{
	const struct known *const k = t->k;
	const struct block_rule *const b = &k->block;
	report_line(t->r, "block", "%s", known_block(k, t->a));
	report_object(t->r, "block");
	report_word(t->r, "norm", norm_kind_names[b->norm]);
	report_number(t->r, "eps", b->eps);
	report_word(t->r, "order", block_order_names[b->order]);
	report_bool(t->r, "gated", b->gated);
	report_word(t->r, "activation", b->activation);
	report_end(t->r);
}

static void tell_sizes(const struct told *t)
{
	const struct known *const k = t->k;
	const struct {
		const char *key;
		long value;
	} rows[] = {{"d_model", k->d},
		    {"layers", k->layers},
		    {"heads", k->heads},
		    {"kv_heads", k->kv_heads},
		    {"head_dim", k->head_dim},
		    {"value_dim", k->value_dim},
		    {"ff", k->ff},
		    {"vocabulary", k->vocabulary}};
	report_line(t->r, "model", "%s", known_line(k, t->a));
	report_word(t->r, "model_type", k->model_type);
	report_word(t->r, "family", k->title);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		add_size(t, rows[i].key, (double)rows[i].value);
}

/* ---- a rotation ------------------------------------------------------------------------------ */

static struct findings rows_of(const struct told *t, const struct rotation_seen *s)
{
	static const struct finding_column columns[] = {{"pairs", NULL},
							{NULL, "from"},
							{NULL, "to"},
							{"wavelength", NULL},
							{NULL, "wavelength_from"},
							{NULL, "wavelength_to"},
							{"rotations", NULL},
							{NULL, "rotations_from"},
							{NULL, "rotations_to"},
							{NULL, "full"},
							{"scaling", "scaling"},
							{NULL, "slower_from"},
							{NULL, "slower_to"},
							{"angles seen in training", "known_up_to"}};
	struct findings f;
	findings_init(&f, t->a, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < s->n_bands; i++) {
		const struct band *const b = &s->bands[i];
		const struct band_text text = known_band(s, b, t->a);
		findings_add(&f, (const struct finding_cell[]){
					 finding_words(text.pairs, NULL),
					 finding_number("", (double)(b->from + 1)),
					 finding_number("", (double)b->to),
					 finding_words(text.wavelength, NULL),
					 finding_number("", b->wave_from),
					 finding_number("", b->wave_to),
					 finding_words(text.rotations, NULL),
					 finding_number("", b->turns_from),
					 finding_number("", b->turns_to), finding_bool("", b->full),
					 finding_words(text.scaling, band_way_names[b->way]),
					 finding_number("", b->slow_from),
					 finding_number("", b->slow_to),
					 finding_number(text.seen, b->seen)});
	}
	return f;
}

static void tell_rotation(const struct told *t, const struct rotation_seen *s, bool first)
{
	const struct findings rows = rows_of(t, s);
	const char *const layers = known_rotation_layers(t->k, s, t->a);
	const char *const temperature = known_temperature(s, t->a);
	report_say(t->r, "\n");
	report_line(t->r, "rotation", "%s: %s", layers, known_rotation(t->k, s, t->a));
	report_line(t->r, "scaling", "%s", known_scaling(t->k, s, t->a));
	if (temperature)
		report_line(t->r, "temperature", "%s", temperature);
	if (first)
		report_line(t->r, "bands", "%s", known_bands(s, t->a));
	report_object(t->r, NULL);
	report_word(t->r, "layers", layers);
	report_number(t->r, "base", s->base);
	report_number(t->r, "pairs", (double)s->pairs);
	report_word(t->r, "layout", s->half ? "half" : "interleaved");
	report_word(t->r, "type", s->rule->written ? s->rule->written : "default");
	report_number(t->r, "factor", s->rule->factor);
	report_number(t->r, "trained", s->trained);
	add_size(t, "farthest", s->farthest);
	report_number(t->r, "attention_factor", s->attention);
	report_rows(t->r, "bands", &rows);
	report_end(t->r);
}

static void tell_rotations(const struct told *t)
{
	const struct known *const k = t->k;
	struct rotation_seen seen[MOST_ROTATIONS];
	const size_t n = known_rotations(k, 0, t->a, seen);
	report_array(t->r, "rotations");
	for (size_t i = 0; i < n; i++)
		tell_rotation(t, &seen[i], i == 0);
	report_end(t->r);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static void tell_remarks(const struct told *t, bool wrong)
{
	for (size_t i = 0; i < t->k->n_remarks; i++) {
		const struct remark *const m = &t->k->remarks[i];
		if (m->wrong != wrong)
			continue;
		report_object(t->r, NULL);
		report_bool(t->r, "wrong", wrong);
		report_word(t->r, "key", m->key);
		report_word(t->r, "says", m->says);
		report_word(t->r, "right", m->right);
		report_end(t->r);
		report_say(t->r, "\n");
		report_line(t->r, wrong ? "WRONG" : "unusual", "%s: %s.", m->key, m->says);
		if (m->right)
			report_line(t->r, wrong ? "right" : "rather", "%s", m->right);
	}
}

/* Tells which tensors of a model of no known family may hold its positions, the best first. */
static void tell_candidates(const struct told *t, const char *path)
{
	struct candidate all[MOST_CANDIDATES];
	const size_t n = t->k->family ? 0 : known_candidates(t->k, path, t->a, all);
	report_array(t->r, "candidates");
	for (size_t i = 0; i < n; i++) {
		const struct candidate *const c = &all[i];
		const char *const line = scene_candidate(t->k, path, c, t->a);
		report_say(t->r, i == 0 ? "\n" : "");
		report_line(t->r, i == 0 ? "may be" : "", "%s, %zu x %zu: %s: %s", c->tensor,
			    c->rows, c->cols, c->may_be, line);
		report_object(t->r, NULL);
		report_word(t->r, "tensor", c->tensor);
		report_number(t->r, "rows", (double)c->rows);
		report_number(t->r, "cols", (double)c->cols);
		report_word(t->r, "may_be", c->may_be);
		report_word(t->r, "command", line);
		report_end(t->r);
	}
	report_end(t->r);
}

static void tell(const struct known *k, const char *path, struct arena *a, struct report *r)
{
	const struct told t = {k, a, r};
	const size_t wrong = known_wrong(k);
	report_say(r, "%s\n", text_escape(a, path, strlen(path)));
	report_object(r, NULL);
	report_word(r, "file", path);
	report_bool(r, "ok", wrong == 0);
	tell_sizes(&t);
	report_fact(r, "positions", "expression",
		    k->expression ? k->expression
		    : r->json	  ? NULL
				  : "not known; see below");
	if (k->left_out)
		report_line(r, "left out", "%s", k->left_out);
	if (kind_by_name(path) && kind_by_name(path)->id == KIND_GGUF)
		report_line(r, "keys", "of GGUF, named as config.json names them");
	report_word(r, "left_out", k->left_out);
	tell_context(&t);
	if (k->scale > 0)
		report_line(r, "scale", "products of queries and keys times %s",
			    known_number(k->scale, 6, a));
	add_size(&t, "scale", k->scale);
	if (k->family) {
		tell_windows(&t);
		tell_block(&t);
		tell_rotations(&t);
	}
	report_array(r, "remarks");
	tell_remarks(&t, true);
	tell_remarks(&t, false);
	report_end(r);
	tell_candidates(&t, path);
	report_say(r, "\n");
	report_line(r, "verdict", "%s", known_verdict(k, a));
	report_end(r);
}

bool cli_only_format(const struct cli *c, struct err *err)
{
	for (size_t i = 0; i < c->n_given; i++)
		if (strcmp(c->given[i].name, "format") != 0 &&
		    strcmp(c->given[i].name, "same") != 0)
			return err_set(
				err,
				"check: --%s means nothing for a model's configuration; leave "
				"it out",
				c->given[i].name);
	return true;
}

/* All files are read before the first is told of. */
int cmd_check_config(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	struct known *const all = arena_calloc(a, c->n_args, sizeof *all);
	struct report r;
	bool fine = true;
	if (!cli_only_format(c, err))
		return EXIT_BAD_USE;
	for (size_t i = 0; i < c->n_args; i++) {
		if (!cli_names_model(c->args[i]))
			return err_set(err,
				       "%s is no model's configuration, and %s is one; check takes "
				       "either these or expressions",
				       text_quote(a, c->args[i], strlen(c->args[i])),
				       text_quote(a, c->args[0], strlen(c->args[0]))),
			       EXIT_BAD_USE;
		if (!family_read(c->args[i], a, &all[i], err))
			return EXIT_BAD_USE;
		fine = fine && known_wrong(&all[i]) == 0;
	}
	report_init(&r, c, a, INDENT);
	report_open(&r);
	report_array(&r, "checked");
	for (size_t i = 0; i < c->n_args; i++) {
		report_say(&r, i > 0 ? "\n" : "");
		tell(&all[i], c->args[i], a, &r);
	}
	report_end(&r);
	report_bool(&r, "ok", fine);
	report_end(&r);
	return !report_write(&r, c, err) ? EXIT_BAD_USE : fine ? EXIT_FINE : EXIT_CHECK_FAILED;
}
