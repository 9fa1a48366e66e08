/* frame.c: the tokens that stand around a text, and around a pair of texts. Each row of the table reads a
 * post-processor of tokenizer.json. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

enum { MOST_ITEMS = 64, MOST_TYPE = 99 };

static void add(struct tokenizer *t, struct frame *f, struct frame_item item)
{
	if (!f->at)
		f->at = arena_calloc(&t->own, MOST_ITEMS, sizeof *f->at);
	if (f->n < MOST_ITEMS)
		f->at[f->n++] = item;
}

static void add_token(struct tokenizer *t, struct frame *f, long id, size_t type)
{
	if (id >= 0)
		add(t, f, (struct frame_item){.sequence = -1, .id = id, .type = type});
}

void frame_simple(struct tokenizer *t, long first, long last, bool types)
{
	for (int pair = 0; pair < 2; pair++) {
		struct frame *const f = pair ? &t->pair : &t->single;
		f->n = 0;
		add_token(t, f, first, 0);
		add(t, f, (struct frame_item){.sequence = 0});
		add_token(t, f, last, 0);
		if (!pair)
			continue;
		add(t, f, (struct frame_item){.sequence = 1, .type = types});
		add_token(t, f, last, types);
	}
}

/* <s> A </s>, and of a pair <s> A </s> </s> B </s>, all of one type. */
void frame_two_between(struct tokenizer *t, long first, long last)
{
	frame_simple(t, first, last, false);
	t->pair.n = 0;
	add_token(t, &t->pair, first, 0);
	add(t, &t->pair, (struct frame_item){.sequence = 0});
	add_token(t, &t->pair, last, 0);
	add_token(t, &t->pair, last, 0);
	add(t, &t->pair, (struct frame_item){.sequence = 1});
	add_token(t, &t->pair, last, 0);
}

/* A <sep> <cls>, and of a pair A <sep> B <sep> <cls>. */
void frame_behind(struct tokenizer *t, long first, long last)
{
	enum { OF_CLS = 2 };
	frame_simple(t, -1, last, true);
	add_token(t, &t->single, first, OF_CLS);
	add_token(t, &t->pair, first, OF_CLS);
}

/* ---- from tokenizer.json ----------------------------------------------------------------------- */

static bool is_id(const struct tokenizer *t, long id)
{
	return id >= 0 && (size_t)id < t->vocab.n && t->vocab.at[id].text;
}

/* Reads ["[CLS]", 101]. */
static long pair_id(const struct tokenizer *t, const struct json_value *v, const char *name,
		    struct err *err)
{
	const struct json_value *const m = json_member(v, name);
	const bool ok = m && m->kind == JSON_VALUE_ARRAY && m->count == 2 &&
			m->as.items[1].kind == JSON_VALUE_INTEGER &&
			m->as.items[1].as.integer < TOKEN_MOST_IDS &&
			is_id(t, (long)m->as.items[1].as.integer);
	if (ok)
		return (long)m->as.items[1].as.integer;
	err_set(err, "%s: a token and its id would be right", name);
	return -1;
}

static bool read_bert(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	const long cls = pair_id(t, v, "cls", err);
	const long sep = cls < 0 ? -1 : pair_id(t, v, "sep", err);
	if (sep < 0)
		return false;
	frame_simple(t, cls, sep, true);
	return true;
}

static bool read_roberta(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	const long cls = pair_id(t, v, "cls", err);
	const long sep = cls < 0 ? -1 : pair_id(t, v, "sep", err);
	if (sep < 0)
		return false;
	frame_two_between(t, cls, sep);
	return true;
}

/* Adds the ids that a template's token has in its table. */
static bool add_special(struct tokenizer *t, struct frame *f, const struct json_value *tokens,
			const char *name, size_t type, struct err *err)
{
	char quoted[120];
	const struct json_value *const row = tokens ? json_member(tokens, name) : NULL;
	const struct json_value *const ids = row ? json_member(row, "ids") : NULL;
	const bool list = ids && ids->kind == JSON_VALUE_ARRAY;
	for (size_t i = 0; list && i < ids->count; i++) {
		const struct json_value *const id = &ids->as.items[i];
		if (id->kind != JSON_VALUE_INTEGER || id->as.integer >= TOKEN_MOST_IDS ||
		    !is_id(t, (long)id->as.integer))
			return err_set(err, "%s: an id of it is not in the vocabulary",
				       text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
		add_token(t, f, (long)id->as.integer, type);
	}
	return list || err_set(err, "%s is not in its special_tokens",
			       text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}

static bool add_item(struct tokenizer *t, struct frame *f, const struct json_value *tokens,
		     const struct json_value *v, struct err *err)
{
	const struct json_value *const special = json_member(v, "SpecialToken");
	const struct json_value *const sequence = json_member(v, "Sequence");
	const struct json_value *const of = special ? special : sequence;
	const char *const name = of ? json_text_or(of, "id", NULL) : NULL;
	const long type = of ? json_id_or(of, "type_id", 0) : 0;
	if (f->n == MOST_ITEMS)
		return err_set(err, "a template of more than %d items", MOST_ITEMS);
	if (!name || type > MOST_TYPE)
		return err_set(
			err,
			"a SpecialToken or a Sequence with its id, and a type of at most %d, "
			"would be right",
			MOST_TYPE);
	if (special)
		return add_special(t, f, tokens, name, (size_t)type, err);
	if (strcmp(name, "A") != 0 && strcmp(name, "B") != 0)
		return err_set(err, "a Sequence A or B would be right");
	add(t, f, (struct frame_item){.sequence = *name == 'B', .type = (size_t)type});
	return true;
}

/* A template in the older form is a text: "[CLS] $A [SEP]". The library writes lists. */
static bool read_items(struct tokenizer *t, struct frame *f, const char *which,
		       const struct json_value *v, struct err *err)
{
	const struct json_value *const items = json_member(v, which);
	const struct json_value *const tokens = json_member(v, "special_tokens");
	f->n = 0;
	if (!items || items->kind != JSON_VALUE_ARRAY)
		return err_set(err, "a list \"%s\" would be right", which);
	for (size_t i = 0; i < items->count; i++)
		if (!add_item(t, f, tokens, &items->as.items[i], err))
			return err_prefix(err, "%s: ", which);
	return true;
}

static bool read_template(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	return read_items(t, &t->single, "single", v, err) &&
	       read_items(t, &t->pair, "pair", v, err);
}

/* It changes where tokens are in the text, and no token. */
static bool read_bytes(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	(void)t, (void)v, (void)err;
	return true;
}

static const struct {
	const char *name;
	bool (*read)(struct tokenizer *t, const struct json_value *v, struct err *err);
} kinds[] = {
	{"TemplateProcessing", read_template},
	{"BertProcessing", read_bert},
	{"RobertaProcessing", read_roberta},
	{"ByteLevel", read_bytes},
};

static bool read_one(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	const char *const type = json_text_or(v, "type", "");
	char quoted[120];
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, type) == 0)
			return kinds[i].read(t, v, err) || err_prefix(err, "%s: ", type);
	return err_set(err, "a step of type %s is not known",
		       text_quote_buf(quoted, sizeof quoted, type, strlen(type)));
}

bool frame_read(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	frame_simple(t, -1, -1, true);
	if (!v || v->kind == JSON_VALUE_NULL)
		return true;
	if (strcmp(json_text_or(v, "type", ""), "Sequence") != 0)
		return read_one(t, v, err);
	const struct json_value *const items = json_member(v, "processors");
	if (!items || items->kind != JSON_VALUE_ARRAY)
		return err_set(err, "Sequence: a list \"processors\" would be right");
	for (size_t i = 0; i < items->count; i++)
		if (!read_one(t, &items->as.items[i], err))
			return false;
	return true;
}

/* ---- around a text ----------------------------------------------------------------------------- */

bool frame_fill(const struct tokenizer *t, const struct pieces *parts, size_t n, struct arena *a,
		struct pieces *out, struct err *err)
{
	const struct frame *const f = n == 2 ? &t->pair : &t->single;
	size_t words = 0;
	if (n > 2)
		return err_set(err, "%zu segments; a tokenizer takes a text, or a pair of texts",
			       n);
	*out = (struct pieces){0};
	for (size_t i = 0; i < f->n; i++) {
		const struct frame_item *const item = &f->at[i];
		if (item->sequence < 0) {
			const struct entry *const e = &t->vocab.at[item->id];
			pieces_add(out, a,
				   (struct piece){.id = item->id,
						  .text = e->text,
						  .len = e->len,
						  .frame = true,
						  .segment = item->type,
						  .word = words++});
			continue;
		}
		const struct pieces *const of =
			&parts[(size_t)item->sequence < n ? item->sequence : 0];
		for (size_t k = 0; k < of->n; k++) {
			struct piece p = of->at[k];
			p.segment = item->type;
			p.word += words;
			pieces_add(out, a, p);
		}
		words += of->n ? of->at[of->n - 1].word + 1 : 0;
	}
	return true;
}
