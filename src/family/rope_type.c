/* rope_type.c: the types of scaling: the keys that each needs and reads, and what a file may have
 * instead of them. */
#include <string.h>

#include "family/rope_rule.h"
#include "posviz/base/text.h"
#include "posviz/scheme/called.h"

const char *const rope_type_names[] = {"default", "linear",   "dynamic", "yarn",
				       "llama3",  "longrope", NULL};

const struct rope_type_row rope_type_rows[] = {
	{"default|mrope", ROPE_TYPE_DEFAULT, "", ""},
	{"linear", ROPE_TYPE_LINEAR, "factor", ""},
	{"dynamic", ROPE_TYPE_DYNAMIC, "factor", ""},
	{"yarn", ROPE_TYPE_YARN, "factor",
	 ORIGINAL " attention_factor beta_fast beta_slow mscale mscale_all_dim truncate"},
	{"llama3", ROPE_TYPE_LLAMA3, "factor low_freq_factor high_freq_factor " ORIGINAL, ""},
	{"longrope|su", ROPE_TYPE_LONGROPE, "short_factor long_factor",
	 "factor attention_factor " ORIGINAL},
	{NULL, ROPE_TYPE_DEFAULT, NULL, NULL},
};

const char *const rope_inner_keys[] = {"factor",
				       "low_freq_factor",
				       "high_freq_factor",
				       "beta_fast",
				       "beta_slow",
				       "mscale",
				       "mscale_all_dim",
				       "attention_factor",
				       "short_factor",
				       "long_factor",
				       "mrope_section",
				       "rope_type",
				       NULL};

static bool has_word(const char *words, char parted, const char *word)
{
	for (const char *at = words; *at; at += *at == parted) {
		const char *const end = strchr(at, parted);
		const size_t len = end ? (size_t)(end - at) : strlen(at);
		if (strlen(word) == len && memcmp(at, word, len) == 0)
			return true;
		at += len;
	}
	return false;
}

const struct rope_type_row *rope_type_find(const char *word)
{
	for (const struct rope_type_row *row = rope_type_rows; row->names; row++)
		if (has_word(row->names, '|', word))
			return row;
	return NULL;
}

/* ---- the type -------------------------------------------------------------------------------- */

static const char *known_types(const struct rule_reading *p)
{
	struct strbuf out;
	strbuf_init(&out, p->r->arena);
	for (const struct rope_type_row *row = rope_type_rows; row->names; row++)
		for (const char *at = row->names; *at; at += *at == '|') {
			const size_t len = strcspn(at, "|");
			strbuf_printf(&out, "%s%.*s", out.len ? ", " : "", (int)len, at);
			at += len;
		}
	return out.at;
}

/* Returns the type that a word of people means: their words are those of the list of schemes. */
static const char *type_meant(const char *word)
{
	static const struct {
		const char *scheme, *type;
	} rows[] = {{"rope_pi", "linear"},
		    {"rope_dyn", "dynamic"},
		    {"rope_yarn", "yarn"},
		    {"rope_long", "longrope"},
		    {"rope_llama3", "llama3"}};
	const struct scheme_call *const call = scheme_called(word);
	const struct scheme *const s = scheme_find(word, strlen(word), NULL);
	const char *const id = call ? call->expression : s ? s->id : "";
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].scheme, id) == 0)
			return rows[i].type;
	return text_suggest(word, rope_type_names, ROPE_TYPE_COUNT);
}

static const struct rope_type_row *unknown_type(const struct rule_reading *p,
						const struct json_value *v)
{
	const bool word = v->kind == JSON_VALUE_STRING;
	const char *const meant = word ? type_meant(v->as.string) : NULL;
	say_unknown(p->r, rule_path(p, v->name),
		    meant ? arena_printf(p->r->arena, "\"rope_type\": \"%s\"", meant) : NULL,
		    "%s is no type that the library knows, which stops at it; known are %s",
		    key_text(p->r, v), known_types(p));
	return NULL;
}

/* Without a type, keys of a scaling have no effect, or stop the library. */
static const struct rope_type_row *without_type(const struct rule_reading *p)
{
	const struct rope_type_row *row;
	const struct json_value *first = NULL;
	for (size_t i = 0; rope_inner_keys[i] && !first; i++)
		first = strcmp(rope_inner_keys[i], "mrope_section") != 0
				? rule_value(p, rope_inner_keys[i])
				: NULL;
	if (!first)
		return rope_type_rows;
	for (row = rope_type_rows; row[1].names; row++)
		if (has_word(row->needs, ' ', first->name))
			break;
	say_wrong(p->r, rule_path(p, "rope_type"),
		  arena_printf(p->r->arena, "\"rope_type\": \"%s\"",
			       rope_type_names[rule_value(p, "low_freq_factor") ? ROPE_TYPE_LLAMA3
					       : rule_value(p, "beta_fast")	? ROPE_TYPE_YARN
										: row->type]),
		  "it is missing, so %s has no effect: releases from 5 on rotate without scaling, "
		  "those before stop",
		  first->name);
	return rope_type_rows;
}

const struct rope_type_row *read_type(const struct rule_reading *p)
{
	const struct json_value *const v = rule_value(p, "rope_type"), *const old = rule_value(
									       p, "type");
	const struct json_value *const t = v ? v : old;
	if (!t)
		return without_type(p);
	if (v && old && json_value_text(v, p->r->arena) &&
	    (old->kind != v->kind || v->kind != JSON_VALUE_STRING ||
	     strcmp(v->as.string, old->as.string) != 0))
		say_wrong(p->r, rule_path(p, "type"),
			  arena_printf(p->r->arena, "\"type\": %s", key_text(p->r, v)),
			  "%s, and rope_type is %s; rope_type counts", key_text(p->r, old),
			  key_text(p->r, v));
	const struct rope_type_row *const row =
		t->kind == JSON_VALUE_STRING ? rope_type_find(t->as.string) : NULL;
	if (!row)
		return unknown_type(p, t);
	p->out->written = text_escape(p->r->arena, t->as.string, strlen(t->as.string));
	if (strcmp(t->as.string, "su") == 0)
		say_unusual(p->r, rule_path(p, t->name), "\"rope_type\": \"longrope\"",
			    "su is the older name of longrope, which releases from 5 on do not "
			    "know");
	return row;
}

/* ---- keys that a type does not read ---------------------------------------------------------- */

static const char *const all_keys[] = {"rope_type",
				       "type",
				       "rope_theta",
				       "factor",
				       ORIGINAL,
				       "attention_factor",
				       "beta_fast",
				       "beta_slow",
				       "mscale",
				       "mscale_all_dim",
				       "truncate",
				       "low_freq_factor",
				       "high_freq_factor",
				       "short_factor",
				       "long_factor",
				       "mrope_section",
				       "partial_rotary_factor",
				       "mrope_interleaved",
				       "finetuned",
				       "short_mscale",
				       "long_mscale"};
enum { ALL_KEYS = sizeof all_keys / sizeof *all_keys };

static bool is_key(const char *name)
{
	for (size_t i = 0; i < ALL_KEYS; i++)
		if (strcmp(all_keys[i], name) == 0)
			return true;
	return false;
}

static void look_key(const struct rule_reading *p, const struct rope_type_row *row,
		     const struct json_value *v)
{
	static const char common[] =
		"rope_type type rope_theta partial_rotary_factor mrope_section mrope_interleaved";
	struct reading *const r = p->r;
	const char *const name = v->name;
	const char *const type = rope_type_names[row->type];
	if (has_word(common, ' ', name) || has_word(row->needs, ' ', name) ||
	    has_word(row->may, ' ', name))
		return;
	const char *const quoted = text_escape(r->arena, name, strlen(name));
	if (!is_key(name)) {
		const char *const near = text_nearest(name, all_keys, ALL_KEYS);
		if (near)
			say_wrong(r, rule_path(p, quoted),
				  arena_printf(r->arena, "\"%s\": %s", near, key_text(r, v)),
				  "nobody reads this key; %s was probably meant", near);
		else
			say_unusual(r, rule_path(p, quoted), NULL, "nobody reads this key");
	} else if (row->type == ROPE_TYPE_DEFAULT && p->out->written &&
		   has_word("factor low_freq_factor short_factor long_factor beta_fast", ' ',
			    name)) {
		say_wrong(r, rule_path(p, name), "\"rope_type\": \"linear\"",
			  "it has no effect, since rope_type %s scales nothing", p->out->written);
	} else {
		say_unusual(r, rule_path(p, name), NULL, "rope_type %s does not read it", type);
	}
}

void look_keys(const struct rule_reading *p, const struct rope_type_row *row)
{
	for (size_t i = 0; i < p->o->at->count; i++)
		if (p->o->at->as.items[i].kind != JSON_VALUE_NULL)
			look_key(p, row, &p->o->at->as.items[i]);
}
