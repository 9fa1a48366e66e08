/* express.c: the expression of the positions: a member for each rotation, window and rule, on the
 * layers that have it. */
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"
#include "posviz/scheme/scheme.h"

/* The arguments of a member. */
struct member_text {
	struct strbuf *out;
	size_t n;
};

static void arg(struct member_text *m, const char *name, const char *value)
{
	strbuf_printf(m->out, "%s%s=%s", m->n++ == 0 ? "(" : ",", name, value);
}

static void arg_number(struct member_text *m, const char *name, double value)
{
	arg(m, name, print_number(m->out->arena, value));
}

static void open_member(struct member_text *m, struct strbuf *out, const char *name)
{
	*m = (struct member_text){out, 0};
	strbuf_printf(out, "%s%s", out->len > 0 ? "+" : "", name);
}

static void close_member(struct member_text *m)
{
	if (m->n > 0)
		strbuf_add_char(m->out, ')');
}

/* ---- rotations ------------------------------------------------------------------------------- */

static const char *const members[] = {"rope",	   "rope_pi",	  "rope_dyn",
				      "rope_yarn", "rope_llama3", "rope_long"};

static void yarn_args(struct member_text *m, const struct rotation_rule *rule)
{
	arg_number(m, "beta_fast", rule->beta_fast);
	arg_number(m, "beta_slow", rule->beta_slow);
	if (rule->mscale > 0 && rule->mscale_all_dim > 0) {
		arg_number(m, "mscale", rule->mscale);
		arg_number(m, "mscale_all_dim", rule->mscale_all_dim);
	}
	if (!rule->truncate)
		arg(m, "truncate", "off");
}

static void scaling_args(struct member_text *m, const struct rotation_rule *rule)
{
	arg_number(m, "factor", rule->factor);
	if (rule->type >= ROPE_TYPE_DYNAMIC)
		arg_number(m, "original", rule->original);
	if (rule->attention_factor > 0)
		arg_number(m, "attention_factor", rule->attention_factor);
	if (rule->type == ROPE_TYPE_YARN)
		yarn_args(m, rule);
	if (rule->type == ROPE_TYPE_LLAMA3) {
		arg_number(m, "low_freq_factor", rule->low_freq_factor);
		arg_number(m, "high_freq_factor", rule->high_freq_factor);
	}
	if (rule->type == ROPE_TYPE_LONGROPE) {
		arg(m, "short_factor", print_numbers(m->out->arena, &rule->short_factor));
		arg(m, "long_factor", print_numbers(m->out->arena, &rule->long_factor));
	}
}

static void add_rotation(struct reading *r, struct strbuf *out, size_t index)
{
	const struct known *const k = r->out;
	const struct rotation_rule *const rule = &k->rotations[index];
	bool on[MODEL_MAX_LAYERS];
	struct member_text m;
	for (long i = 0; i < k->layers; i++)
		on[i] = k->layer[i].rotation == (int)index;
	const char *const layers = layers_text(r->arena, on, (size_t)k->layers);
	const bool sections = rule->sections.n > 0 && rule->type == ROPE_TYPE_DEFAULT;
	if (layers && *layers == '\0')
		return;
	if (rule->sections.n > 0 && !sections)
		leave_out(r, "the sections of time, row and column, which only pictures need");
	open_member(&m, out, sections ? "mrope" : members[rule->type]);
	arg(&m, "layout", r->family->neighbours ? "interleaved" : "half");
	arg_number(&m, "base", rule->base);
	if (sections)
		arg(&m, "sections", print_numbers(r->arena, &rule->sections));
	else if (rule->partial < 1)
		arg_number(&m, "partial", rule->partial);
	if (rule->type != ROPE_TYPE_DEFAULT)
		scaling_args(&m, rule);
	if (layers)
		arg(&m, "layers", layers);
	close_member(&m);
}

/* Returns the first layer that has the rotation. */
static long first_layer(const struct known *k, size_t index)
{
	long i = 0;
	while (i < k->layers && k->layer[i].rotation != (int)index)
		i++;
	return i;
}

/* That of the first layer comes first. */
static void add_rotations(struct reading *r, struct strbuf *out)
{
	const bool swapped =
		r->out->n_rotations == 2 && first_layer(r->out, 1) < first_layer(r->out, 0);
	for (size_t i = 0; i < r->out->n_rotations; i++)
		add_rotation(r, out, swapped ? 1 - i : i);
}

/* ---- windows --------------------------------------------------------------------------------- */

static void add_window(struct reading *r, struct strbuf *out, const struct layer_rule *like)
{
	const struct known *const k = r->out;
	bool on[MODEL_MAX_LAYERS];
	struct member_text m;
	for (long i = 0; i < k->layers; i++)
		on[i] = k->layer[i].kind == like->kind && k->layer[i].window == like->window;
	const char *const layers = layers_text(r->arena, on, (size_t)k->layers);
	open_member(&m, out, like->kind == WINDOW_CHUNK ? "chunk" : "window");
	if (like->kind == WINDOW_SIDES)
		arg_number(&m, "width", 2 * (double)like->window);
	else
		arg_number(&m, like->kind == WINDOW_CHUNK ? "size" : "keys", (double)like->window);
	if (layers)
		arg(&m, "layers", layers);
	close_member(&m);
}

/* Returns whether a layer before has this window, so that it is written. */
static bool is_written(const struct known *k, long i)
{
	for (long j = 0; j < i; j++)
		if (k->layer[j].kind == k->layer[i].kind &&
		    k->layer[j].window == k->layer[i].window)
			return true;
	return false;
}

static void add_windows(struct reading *r, struct strbuf *out, bool *all_look_back)
{
	const struct known *const k = r->out;
	*all_look_back = k->layers > 0;
	for (long i = 0; i < k->layers; i++) {
		*all_look_back &= k->layer[i].kind == WINDOW_BEHIND;
		if (k->layer[i].kind != WINDOW_NONE && !is_written(k, i))
			add_window(r, out, &k->layer[i]);
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *composed(struct reading *r)
{
	const struct known *const k = r->out;
	struct strbuf out;
	bool look_back;
	strbuf_init(&out, r->arena);
	strbuf_add(&out, r->before.at);
	add_rotations(r, &out);
	strbuf_add(&out, r->behind.at);
	add_windows(r, &out, &look_back);
	if (out.len == 0)
		strbuf_add(&out, "none");
	strbuf_add(&out, r->rules.at);
	if (k->causal && !look_back)
		strbuf_add(&out, "+causal");
	return out.at;
}

void write_expression(struct reading *r)
{
	struct err err = {""};
	struct expr e;
	if (r->unknown)
		return;
	const char *const text = r->whole ? r->before.at : composed(r);
	if (expr_parse(&e, text, r->arena, &err))
		r->out->expression = expr_print(&e, r->arena);
	else
		say_unknown(r, key_path(r, "model_type"), NULL,
			    "its positions cannot be written as an expression: %s",
			    arena_strdup(r->arena, err.text));
}
