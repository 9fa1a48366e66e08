/* check_config.c: a verdict on a model's configuration: what it says of positions, what scaling
 * does to each band of the rotation, and what does not fit. */
#include "cli.h"
#include "report.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/family/family.h"
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

static const char *show(const struct told *t, double x, int digits)
{
	char text[32];
	return arena_strdup(t->a, num_show(text, sizeof text, x, digits));
}

/* Adds a number to JSON, null where it is 0, which is not known. */
static void add_size(const struct told *t, const char *key, double value)
{
	if (value > 0)
		report_number(t->r, key, value);
	else
		report_word(t->r, key, NULL);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns whether divisors act at any length, as in a GGUF file. */
static bool is_one_list(const struct rotation_rule *rule)
{
	return rule->short_factor.n > 0 && rule->short_factor.at == rule->long_factor.at;
}

/* Returns whether the length before scaling is in no key. */
static bool has_no_length(const struct rotation_rule *rule)
{
	return rule->type == ROPE_TYPE_LINEAR || is_one_list(rule);
}

static void tell_context(const struct told *t)
{
	const struct known *const k = t->k;
	if (k->declared == 0)
		report_line(t->r, "context", "no length is declared");
	else if (k->trained == k->declared)
		report_line(t->r, "context", "%ld positions (%s)%s", k->declared, k->trained_by,
			    k->n_rotations > 0 && has_no_length(&k->rotations[0])
				    ? "; no key says how many there were before scaling"
				    : "");
	else
		report_line(t->r, "context", "%ld positions declared; %ld before scaling (%s)",
			    k->declared, k->trained, k->trained_by);
	add_size(t, "declared", (double)k->declared);
	add_size(t, "trained", (double)k->trained);
	report_word(t->r, "trained_by", k->trained_by);
}

/* Returns the layers with this window as words: "in layers 1-3/4", "in layer 6". */
static const char *layers_like(const struct told *t, long like)
{
	const struct known *const k = t->k;
	bool on[MODEL_MAX_LAYERS];
	for (long i = 0; i < k->layers; i++)
		on[i] = k->layer[i].kind == k->layer[like].kind &&
			k->layer[i].window == k->layer[like].window;
	const char *const layers = layers_text(t->a, on, (size_t)k->layers);
	const char *const s = layers && strspn(layers, "0123456789") == strlen(layers) ? "" : "s";
	return layers ? arena_printf(t->a, "in layer%s %s", s, layers) : "in all layers";
}

static bool is_first(const struct known *k, long i)
{
	for (long j = 0; j < i; j++)
		if (k->layer[j].kind == k->layer[i].kind &&
		    k->layer[j].window == k->layer[i].window)
			return false;
	return true;
}

static void tell_windows(const struct told *t)
{
	static const char *const how[] = {"all keys", "the last %ld keys", "%ld keys to each side",
					  "keys of the same chunk of %ld"};
	static const char *const words[] = {"none", "behind", "sides", "chunk"};
	const struct known *const k = t->k;
	struct strbuf out;
	strbuf_init(&out, t->a);
	report_array(t->r, "windows");
	for (long i = 0; i < k->layers; i++) {
		const struct layer_rule *const l = &k->layer[i];
		if (!is_first(k, i))
			continue;
		strbuf_add(&out, out.len ? "; " : "");
		strbuf_printf(&out, how[l->kind], l->window);
		strbuf_printf(&out, " %s", layers_like(t, i));
		report_object(t->r, NULL);
		report_word(t->r, "kind", words[l->kind]);
		add_size(t, "window", (double)l->window);
		report_word(t->r, "layers", layers_like(t, i));
		report_end(t->r);
	}
	report_end(t->r);
	report_line(t->r, "sees", "%s%s", out.at, k->causal ? ", causal" : ", both directions");
}

static void tell_block(const struct told *t)
{
	const struct known *const k = t->k;
	const struct block_rule *const b = &k->block;
	const char *const norm = norm_kind_names[b->norm], *const order =
								   block_order_names[b->order];
	report_line(t->r, "block", "%s, eps %s, %s; feed-forward %s%s%s", norm, show(t, b->eps, 3),
		    order, b->gated ? "gated, " : "", b->activation,
		    k->ff ? arena_printf(t->a, ", %ld wide", k->ff) : "");
	report_object(t->r, "block");
	report_word(t->r, "norm", norm);
	report_number(t->r, "eps", b->eps);
	report_word(t->r, "order", order);
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

static const char *range(const struct told *t, double from, double to)
{
	const char *const x = show(t, from, 3), *const y = show(t, to, 3);
	return strcmp(x, y) == 0 ? x : arena_printf(t->a, "%s–%s", x, y);
}

static const char *way_text(const struct told *t, const struct band *b)
{
	return b->way == BAND_KEPT
		       ? "as trained"
		       : arena_printf(t->a, "%s times slower", range(t, b->slow_from, b->slow_to));
}

/* Returns up to which of the distances that occur the angles are those of training. */
static const char *seen_text(const struct told *t, const struct rotation_seen *s, double seen)
{
	if (isinf(seen))
		return "at any distance";
	return seen < s->farthest ? arena_printf(t->a, "up to %.0f of %.0f", seen, s->farthest)
				  : "at all that occur";
}

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
							{"angles of training", "known_up_to"}};
	struct findings f;
	findings_init(&f, t->a, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < s->n_bands; i++) {
		const struct band *const b = &s->bands[i];
		const char *const which =
			b->to - b->from == 1 ? arena_printf(t->a, "%zu", b->to)
					     : arena_printf(t->a, "%zu–%zu", b->from + 1, b->to);
		const char *const seen = seen_text(t, s, b->seen);
		findings_add(&f, (const struct finding_cell[]){
					 finding_words(which, NULL),
					 finding_number("", (double)(b->from + 1)),
					 finding_number("", (double)b->to),
					 finding_words(range(t, b->wave_from, b->wave_to), NULL),
					 finding_number("", b->wave_from),
					 finding_number("", b->wave_to),
					 finding_words(range(t, b->turns_to, b->turns_from), NULL),
					 finding_number("", b->turns_from),
					 finding_number("", b->turns_to), finding_bool("", b->full),
					 finding_words(way_text(t, b), band_way_names[b->way]),
					 finding_number("", b->slow_from),
					 finding_number("", b->slow_to),
					 finding_number(seen, b->seen)});
	}
	return f;
}

/* Returns "yarn with factor 4: 46 of 64 pairs rotate slower". */
static const char *effect(const struct told *t, const struct rotation_seen *s)
{
	const struct rotation_rule *const rule = s->rule;
	size_t slower = 0;
	for (size_t i = 0; i < s->n_bands; i++)
		slower += s->bands[i].way == BAND_KEPT ? 0 : s->bands[i].to - s->bands[i].from;
	const char *const type = rule->written ? rule->written : "default";
	if (rule->type == ROPE_TYPE_DEFAULT)
		return rule->written ? arena_printf(t->a, "%s: no pair is scaled", type)
				     : "none is declared, and no pair is scaled";
	if (rule->type == ROPE_TYPE_DYNAMIC)
		return arena_printf(t->a,
				    "%s with factor %s: up to %ld tokens none; beyond, the base "
				    "grows with the length of the text",
				    type, show(t, rule->factor, 6), t->k->declared);
	const char *const slow =
		arena_printf(t->a, "%zu of %zu pairs rotate slower", slower, s->pairs);
	if (is_one_list(rule))
		return arena_printf(t->a, "%s, which divide at any length: %s", type, slow);
	const char *const lists =
		rule->type == ROPE_TYPE_LONGROPE
			? arena_printf(t->a,
				       "the short list up to %s tokens, the long one beyond: ",
				       show(t, s->trained, 9))
			: "";
	return arena_printf(t->a, "%s with factor %s: %s%s at %ld tokens", type,
			    show(t, rule->factor, 6), lists, slow, t->k->declared);
}

static void explain_bands(const struct told *t, const struct rotation_seen *s)
{
	report_line(
		t->r, "bands",
		"wavelengths in positions, rotations within %s positions%s, and the distances, of "
		"those that occur, at which all angles are those of training",
		show(t, s->trained, 9), has_no_length(s->rule) ? "" : " of training");
}

static void tell_rotation(const struct told *t, const struct rotation_seen *s, const char *layers,
			  bool first)
{
	const struct findings rows = rows_of(t, s);
	report_say(t->r, "\n");
	report_line(t->r, "rotation", "%s: %zu of %ld columns of a head, %s as pairs, base %.10g",
		    layers, s->columns, t->k->head_dim, s->half ? "halves" : "neighbours", s->base);
	report_line(t->r, "scaling", "%s", effect(t, s));
	if (s->attention < 1 || s->attention > 1)
		report_line(t->r, "temperature",
			    "cosines and sines times %s, so logits of rotated columns times %s",
			    show(t, s->attention, 6), show(t, s->attention * s->attention, 6));
	if (first)
		explain_bands(t, s);
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
	for (size_t i = 0; i < n; i++) {
		bool on[MODEL_MAX_LAYERS];
		for (long l = 0; l < k->layers; l++)
			on[l] = k->layer[l].rotation >= 0 &&
				&k->rotations[k->layer[l].rotation] == seen[i].rule;
		const char *const layers = layers_text(t->a, on, (size_t)k->layers);
		tell_rotation(t, &seen[i],
			      layers ? arena_printf(t->a, "layers %s", layers) : "all layers",
			      i == 0);
	}
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
			    show(&t, k->scale, 6));
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
	report_say(r, "\n");
	report_line(r, "verdict", "%s",
		    wrong == 0 ? "nothing is wrong"
			       : arena_printf(a, "%zu thing%s wrong", wrong,
					      wrong == 1 ? " is" : "s are"));
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
