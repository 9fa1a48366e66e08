/* rope_rule.c: one rotation: its base, the part of a head that rotates, and its scaling, with what
 * the library does where a key is missing. */
#include "family/rope_rule.h"

#include <math.h>
#include <string.h>

enum { MOST_POSITIONS = 1000000000 };

const char *rule_path(const struct rule_reading *p, const char *name)
{
	return arena_printf(p->r->arena, "%s%s%s", p->r->inside, p->o->path, name);
}

const struct json_value *rule_value(const struct rule_reading *p, const char *name)
{
	return key_find(p->o->at, name, NULL);
}

static bool take(const struct rule_reading *p, const char *name, double least, double most,
		 double *out)
{
	return member_number(p->r, p->o->at, p->o->path, name, least, most, out);
}

static const char *num(const struct rule_reading *p, double x)
{
	return print_number(p->r->arena, x);
}

/* A line of JSON; lengths are whole numbers, and of the others the library wants a point. */
static const char *line(const struct rule_reading *p, const char *name, double x)
{
	return arena_printf(p->r->arena, "\"%s\": %s", name,
			    strcmp(name, ORIGINAL) == 0 ? num(p, x)
							: print_pointed(p->r->arena, x));
}

/* ---- base and part --------------------------------------------------------------------------- */

/* A number that may stand inside and outside: the one inside counts. */
static double of_both(const struct rule_reading *p, const char *inside, const char *outside,
		      double least, double most, double fallback)
{
	struct reading *const r = p->r;
	const char *name = NULL;
	double in, out = fallback;
	const bool has_out = outside && read_number(r, outside, least, most, &out);
	if (!p->o->at || !take(p, inside, least, most, &in))
		return out;
	if (has_out && (in < out || in > out)) {
		key_find(r->text, outside, &name);
		say_wrong(r, rule_path(p, inside),
			  arena_printf(r->arena, "\"%s\": %s", inside, num(p, in)),
			  "%s, and %s outside says %s; releases from 5 on take the one inside, "
			  "those before the one outside",
			  num(p, in), key_path(r, name), num(p, out));
	}
	return in;
}

static void read_partial(const struct rule_reading *p)
{
	struct reading *const r = p->r;
	const struct family *const f = r->family;
	static const char key[] = "partial_rotary_factor";
	double x = 1;
	p->out->partial = 1;
	if (f->partial > 0) {
		p->out->partial =
			of_both(p, key, f->partial_key ? f->partial_key : key, 1e-6, 1, f->partial);
		return;
	}
	const struct json_value *const in = rule_value(p, key);
	const struct json_value *const v = in ? in : key_find(r->text, key, NULL);
	if (v && number_of(v, &x) && (x < 1 || x > 1))
		say_wrong(r, in ? rule_path(p, key) : key_path(r, key), line(p, key, 1),
			  "%s, but %s rotates whole heads: plain rotation does not look at it, and "
			  "a scaled one has too few frequencies and stops",
			  num(p, x), f->title);
}

/* Returns the columns of a head that rotate. */
static long rotated(const struct rule_reading *p)
{
	return (long)floor(p->out->partial * (double)p->r->out->head_dim + 1e-9);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* O: of the object, or the top level's, as Phi-3's files have it; else the declared length stands
 * in for it. */
static void read_original(const struct rule_reading *p)
{
	struct reading *const r = p->r;
	double in = 0, out = 0;
	const bool inside = take(p, ORIGINAL, 1, MOST_POSITIONS, &in);
	const bool outside = read_number(r, ORIGINAL, 1, MOST_POSITIONS, &out);
	p->out->original_given = inside || outside;
	p->out->original = inside ? in : outside ? out : (double)r->out->declared;
	if (inside && outside && (in < out || in > out))
		say_wrong(r, rule_path(p, ORIGINAL), line(p, ORIGINAL, in),
			  "%s, and %s outside says %s; releases from 5 on take the one outside, "
			  "those before, but for longrope, the one inside",
			  num(p, in), key_path(r, ORIGINAL), num(p, out));
	else if (outside && !inside && p->out->type != ROPE_TYPE_LONGROPE)
		say_wrong(r, key_path(r, ORIGINAL),
			  arena_printf(r->arena, "\"rope_scaling\": {..., %s}",
				       line(p, ORIGINAL, out)),
			  "it stands outside, where releases before 5 do not look for it");
}

static void missing(const struct rule_reading *p, const char *name, const char *right,
		    const char *says)
{
	say_unknown(p->r, rule_path(p, name), right,
		    "it is missing, and the library stops without "
		    "it; %s",
		    says);
}

/* Reads the factor, which may be M/O. */
static void read_factor(const struct rule_reading *p)
{
	const double m = (double)p->r->out->declared, o = p->out->original;
	const bool by_lengths = p->out->original_given && m > 0 && o > 0;
	const struct json_value *const null = p->o->at ? json_member(p->o->at, "factor") : NULL;
	const bool long_ones = p->out->type == ROPE_TYPE_LONGROPE;
	p->out->factor = 1;
	if (rule_value(p, "factor")) {
		if (!take(p, "factor", 1, 1e6, &p->out->factor))
			p->r->unknown = true;
		return;
	}
	if (by_lengths && (long_ones || (null && p->out->type == ROPE_TYPE_YARN))) {
		p->out->factor = fmax(m / o, 1);
		return;
	}
	missing(p, "factor", by_lengths && m > o ? line(p, "factor", m / o) : "\"factor\": 2.0",
		"it says how many times longer the context is than that of training");
}

/* The factor stretches further than what is declared: by hand, as makers of models advise, who leave
 * the declared length as it was, or a little more than the original. */
static void tell_of_declared(const struct rule_reading *p)
{
	struct reading *const r = p->r;
	const double m = (double)r->out->declared, o = p->out->original, f = p->out->factor;
	say_unusual(r, rule_path(p, "factor"),
		    arena_printf(r->arena, "\"max_position_embeddings\": %s", num(p, f * o)),
		    "%s stretches %s positions to %s, but max_position_embeddings is %s; programs "
		    "that stop at that number stop early",
		    num(p, f), num(p, o), num(p, f * o), num(p, m));
}

/* Factor and lengths say the same, except where only the factor was added. */
static void compare_lengths(const struct rule_reading *p)
{
	struct reading *const r = p->r;
	const struct rotation_rule *const rule = p->out;
	const double m = (double)r->out->declared, o = rule->original, f = rule->factor;
	const double ratio = m / o;
	if (!rule->original_given || m <= 0 || o <= 0 || r->unknown)
		return;
	if (m < o || (m <= o && rule->type == ROPE_TYPE_LLAMA3))
		say_unusual(r, rule_path(p, ORIGINAL), NULL,
			    "%s is not less than max_position_embeddings, %s", num(p, o),
			    num(p, m));
	else if (rule->type == ROPE_TYPE_LLAMA3 || fabs(f / ratio - 1) <= 1e-6)
		return;
	else if (f > ratio && (m <= o || ratio > floor(ratio)))
		tell_of_declared(p);
	else
		say_wrong(r, rule_path(p, "factor"), line(p, "factor", ratio),
			  "%s, but max_position_embeddings %s is %s times " ORIGINAL
			  " %s; the library warns and takes %s, older releases took %s for the "
			  "attention factor",
			  num(p, f), num(p, m), num(p, ratio), num(p, o), num(p, f), num(p, ratio));
}

static void stand_in(const struct rule_reading *p)
{
	struct reading *const r = p->r;
	const double m = (double)r->out->declared, f = p->out->factor;
	if (p->out->original_given)
		return;
	if (m <= 0) {
		missing(p, ORIGINAL, "\"" ORIGINAL "\": 4096",
			"the file does not name the length of training in any way");
		return;
	}
	const double meant = f > 1 && floor(m / f) >= 1 ? floor(m / f) : m;
	say_unusual(r, rule_path(p, ORIGINAL), line(p, ORIGINAL, meant),
		    "it is missing, so max_position_embeddings, %s, stands in for it, as if that "
		    "many positions had been trained on without scaling; with factor %s, %s were "
		    "probably meant",
		    num(p, m), num(p, f), num(p, meant));
}

static void read_yarn(const struct rule_reading *p)
{
	struct rotation_rule *const out = p->out;
	struct reading *const r = p->r;
	const bool own = take(p, "mscale", 0, 100, &out->mscale),
		   all = take(p, "mscale_all_dim", 0, 100, &out->mscale_all_dim);
	const struct json_value *const cut = rule_value(p, "truncate");
	stand_in(p);
	out->beta_fast = 32;
	out->beta_slow = 1;
	take(p, "beta_fast", 1e-3, 1e6, &out->beta_fast);
	take(p, "beta_slow", 1e-3, 1e6, &out->beta_slow);
	take(p, "attention_factor", 1e-6, 100, &out->attention_factor);
	if (out->beta_fast < out->beta_slow) {
		say_unknown(r, rule_path(p, "beta_fast"),
			    arena_printf(r->arena, "\"beta_fast\": %s, \"beta_slow\": %s",
					 num(p, out->beta_slow), num(p, out->beta_fast)),
			    "%s is less than beta_slow, %s; fast pairs make more rotations",
			    num(p, out->beta_fast), num(p, out->beta_slow));
	}
	if (cut && cut->kind != JSON_VALUE_BOOL)
		say_wrong(r, rule_path(p, "truncate"), "\"truncate\": false",
			  "it is %s; true or false would be right", key_text(r, cut));
	out->truncate = !cut || cut->kind != JSON_VALUE_BOOL || cut->as.truth;
	if (own != all && (out->mscale > 0 || out->mscale_all_dim > 0))
		say_unusual(r, rule_path(p, own ? "mscale" : "mscale_all_dim"), NULL,
			    "it has no effect on cosines and sines without %s",
			    own ? "mscale_all_dim" : "mscale");
}

static void read_llama3(const struct rule_reading *p)
{
	struct rotation_rule *const out = p->out;
	struct reading *const r = p->r;
	out->low_freq_factor = 1;
	out->high_freq_factor = 4;
	if (!rule_value(p, "low_freq_factor"))
		missing(p, "low_freq_factor", "\"low_freq_factor\": 1.0", "Llama 3.1 has 1");
	if (!rule_value(p, "high_freq_factor"))
		missing(p, "high_freq_factor", "\"high_freq_factor\": 4.0", "Llama 3.1 has 4");
	if (!out->original_given)
		say_unknown(r, rule_path(p, ORIGINAL), "\"" ORIGINAL "\": 8192",
			    "it is missing: releases before 5 stop, those from 5 on take "
			    "max_position_embeddings, with which scaling does next to nothing; "
			    "Llama 3.1 has 8192");
	take(p, "low_freq_factor", 1e-3, 1e6, &out->low_freq_factor);
	take(p, "high_freq_factor", 1e-3, 1e6, &out->high_freq_factor);
	if (out->low_freq_factor > out->high_freq_factor)
		say_unknown(
			r, rule_path(p, "low_freq_factor"),
			arena_printf(r->arena, "\"low_freq_factor\": %s, \"high_freq_factor\": %s",
				     num(p, out->high_freq_factor), num(p, out->low_freq_factor)),
			"%s is more than high_freq_factor, %s", num(p, out->low_freq_factor),
			num(p, out->high_freq_factor));
	else if (out->low_freq_factor >= out->high_freq_factor)
		say_unusual(r, rule_path(p, "low_freq_factor"), NULL,
			    "%s is high_freq_factor too, so no pair is between kept and slowed",
			    num(p, out->low_freq_factor));
}

/* Reads a list of one number for each pair that rotates. */
static void read_list(const struct rule_reading *p, const char *name, struct number_list *out)
{
	struct reading *const r = p->r;
	const struct json_value *const v = rule_value(p, name);
	const long pairs = rotated(p) / 2;
	if (!v) {
		missing(p, name, arena_printf(r->arena, "\"%s\": [%ld numbers]", name, pairs),
			"it holds a divisor for each pair that rotates");
		return;
	}
	if (v->kind != JSON_VALUE_ARRAY || (long)v->count != pairs) {
		say_unknown(
			r, rule_path(p, name),
			arena_printf(r->arena, "\"%s\": [%ld numbers]", name, pairs),
			v->kind == JSON_VALUE_ARRAY
				? "it has %zu numbers, but %ld pairs rotate, half of %ld "
				  "columns; the library stops"
				: "it has %zu numbers for the %ld pairs that rotate, half of %ld "
				  "columns: a list would be right",
			v->kind == JSON_VALUE_ARRAY ? v->count : (size_t)0, pairs, rotated(p));
		return;
	}
	double *const at = arena_calloc(r->arena, v->count + 1, sizeof *at);
	for (size_t i = 0; i < v->count; i++)
		if (!number_of(&v->as.items[i], &at[i]) || at[i] < 1e-3 || at[i] > 1e6) {
			say_unknown(
				r, rule_path(p, name), NULL,
				"number %zu of it is %s; numbers from 0.001 to 1000000 would be "
				"right",
				i + 1, key_text(r, &v->as.items[i]));
			return;
		}
	*out = (struct number_list){v->count, at};
}

static void read_long_ones(const struct rule_reading *p)
{
	stand_in(p);
	read_list(p, "short_factor", &p->out->short_factor);
	read_list(p, "long_factor", &p->out->long_factor);
	take(p, "attention_factor", 1e-6, 100, &p->out->attention_factor);
	if (p->out->original <= 1 && !p->r->unknown)
		say_unknown(p->r, rule_path(p, ORIGINAL), "\"" ORIGINAL "\": 4096",
			    "1; the logarithm of it divides");
}

/* ---- sections -------------------------------------------------------------------------------- */

static void read_sections(const struct rule_reading *p)
{
	struct reading *const r = p->r;
	const struct json_value *const v = rule_value(p, "mrope_section");
	const long pairs = rotated(p) / 2;
	double sum = 0;
	if (!v)
		return;
	const char *const right =
		arena_printf(r->arena, "\"mrope_section\": [%ld, %ld, %ld]", pairs / 4,
			     (pairs - pairs / 4) / 2, pairs - pairs / 4 - (pairs - pairs / 4) / 2);
	double *const at = arena_calloc(r->arena, 3, sizeof *at);
	bool good = v->kind == JSON_VALUE_ARRAY && v->count == 3;
	for (size_t i = 0; good && i < 3; i++) {
		good = number_of(&v->as.items[i], &at[i]) && at[i] >= 0 && at[i] <= 1e6 &&
		       at[i] == floor(at[i]);
		sum += good ? at[i] : 0;
	}
	if (!good)
		say_unknown(r, rule_path(p, "mrope_section"), right,
			    "it is %s; three numbers of pairs, of time, row and column, would be "
			    "right",
			    v->kind == JSON_VALUE_ARRAY && v->count == 3
				    ? "no list of whole numbers"
				    : key_text(r, v));
	else if (sum < (double)pairs || sum > (double)pairs)
		say_unknown(r, rule_path(p, "mrope_section"), right,
			    "the sections sum to %s, and %ld pairs rotate, half of a head; the "
			    "library stops when the model runs",
			    num(p, sum), pairs);
	else
		p->out->sections = (struct number_list){3, at};
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void read_scaling(const struct rule_reading *p, const struct rope_type_row *row)
{
	struct rotation_rule *const out = p->out;
	out->type = row->type;
	if (row->type == ROPE_TYPE_DEFAULT)
		return;
	if (row->type >= ROPE_TYPE_YARN)
		read_original(p);
	else
		out->original = (double)p->r->out->declared;
	read_factor(p);
	if (row->type == ROPE_TYPE_YARN)
		read_yarn(p);
	else if (row->type == ROPE_TYPE_LLAMA3)
		read_llama3(p);
	else if (row->type == ROPE_TYPE_LONGROPE)
		read_long_ones(p);
	else if (row->type == ROPE_TYPE_DYNAMIC && out->original < 1)
		say_unknown(p->r, rule_path(p, "rope_type"), "\"max_position_embeddings\": 4096",
			    "dynamic scaling begins beyond max_position_embeddings, which is "
			    "missing");
	compare_lengths(p);
}

void read_rotation(struct reading *r, const struct rope_object *o, const char *base_key,
		   double fallback, struct rotation_rule *out)
{
	const struct rule_reading p = {r, o, out};
	*out = (struct rotation_rule){
		.base = fallback, .partial = 1, .factor = 1, .truncate = true};
	out->base = of_both(&p, "rope_theta", base_key, 1, 1e15, fallback);
	read_partial(&p);
	if (rotated(&p) % 2 != 0 || (r->out->head_dim > 0 && rotated(&p) < 2))
		say_unknown(r,
			    key_path(r, r->family->keys.head_dim ? r->family->keys.head_dim
								 : "hidden_size"),
			    NULL,
			    "%ld columns of a head rotate; pairs of them do, so an even number "
			    "from 2 on would be right",
			    rotated(&p));
	if (!o->at)
		return;
	const struct rope_type_row *const row = read_type(&p);
	if (!row) {
		read_sections(&p);
		return;
	}
	look_keys(&p, row);
	read_scaling(&p, row);
	read_sections(&p);
	const bool scaled = row->type >= ROPE_TYPE_YARN && out->original_given;
	if (scaled && out == &r->out->rotations[0]) {
		r->out->trained = (long)out->original;
		r->out->trained_by = ORIGINAL;
	}
}
