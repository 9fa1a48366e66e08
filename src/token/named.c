/* named.c: what a vocabulary does not say and the class of a tokenizer does: which tokens stand around a
 * text, how ids are counted, how a text is changed before. The class is that of tokenizer_config.json,
 * else the usual one of the model that config.json names. Ids that config.json has for special tokens
 * are compared with those found, so that a wrong class is refused. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

const struct named named_classes[] = {
	{.name = "T5Tokenizer", .last = "</s>"},
	{.name = "LlamaTokenizer", .first = "<s>"},
	{.name = "GemmaTokenizer", .first = "<bos>"},
	{.name = "DebertaV2Tokenizer", .first = "[CLS]", .last = "[SEP]"},
	{.name = "XLMRobertaTokenizer",
	 .type = "xlm-roberta",
	 .first = "<s>",
	 .last = "</s>",
	 .frame = NAMED_TWO_BETWEEN,
	 .moved = true,
	 .bos = "<s>",
	 .eos = "</s>",
	 .pad = "<pad>",
	 .mask = "<mask>"},
	{.name = "AlbertTokenizer",
	 .type = "albert",
	 .first = "[CLS]",
	 .last = "[SEP]",
	 .frame = NAMED_TYPES,
	 .text = true,
	 .lower = true,
	 .bos = "[CLS]",
	 .eos = "[SEP]",
	 .pad = "<pad>",
	 .mask = "[MASK]"},
	{.name = "XLNetTokenizer",
	 .type = "xlnet",
	 .first = "<cls>",
	 .last = "<sep>",
	 .frame = NAMED_BEHIND,
	 .text = true,
	 .bos = "<s>",
	 .eos = "</s>",
	 .pad = "<pad>",
	 .mask = "<mask>"},
	{.name = "GPT2Tokenizer",
	 .type = "gpt2",
	 .bytes = true,
	 .bos = "<|endoftext|>",
	 .eos = "<|endoftext|>"},
	{.name = "RobertaTokenizer",
	 .type = "roberta",
	 .bytes = true,
	 .first = "<s>",
	 .last = "</s>",
	 .frame = NAMED_TWO_BETWEEN,
	 .bos = "<s>",
	 .eos = "</s>",
	 .pad = "<pad>",
	 .unk = "<unk>",
	 .mask = "<mask>"},
	{.name = "BartTokenizer",
	 .type = "bart",
	 .bytes = true,
	 .first = "<s>",
	 .last = "</s>",
	 .frame = NAMED_TWO_BETWEEN,
	 .bos = "<s>",
	 .eos = "</s>",
	 .pad = "<pad>",
	 .unk = "<unk>",
	 .mask = "<mask>"},
	{0},
};

static const struct named *by_name(const char *name, bool bytes)
{
	const size_t len = strlen(name), fast = strlen("Fast");
	const size_t bare = len > fast && strcmp(name + len - fast, "Fast") == 0 ? len - fast : len;
	for (const struct named *n = named_classes; n->name; n++)
		if (n->bytes == bytes && strlen(n->name) == bare &&
		    strncmp(n->name, name, bare) == 0)
			return n;
	return NULL;
}

const struct named *named_find(const struct token_files *f, bool bytes, struct err *err)
{
	const char *const name = f->config ? json_text_or(f->config, "tokenizer_class", "") : "";
	const char *const type = f->model ? json_text_or(f->model, "model_type", "") : "";
	const struct named *found = *name ? by_name(name, bytes) : NULL;
	char quoted[120];
	for (const struct named *n = named_classes; n->name && !*name && !found; n++)
		if (n->bytes == bytes && n->type && strcmp(n->type, type) == 0)
			found = n;
	if (!found)
		err_set(err,
			"which tokens stand around a text is not known of the %s %s; ids from "
			"Python would be right: AutoTokenizer.from_pretrained(NAME)(TEXT), --ids",
			*name || !*type ? "class" : "model type",
			text_quote_buf(quoted, sizeof quoted, *name || !*type ? name : type,
				       strlen(*name || !*type ? name : type)));
	return found;
}

const char *named_special(const struct json_value *config, const char *key, const char *usual)
{
	const struct json_value *const v = config ? json_member(config, key) : NULL;
	return v && v->kind == JSON_VALUE_OBJECT ? json_text_or(v, "content", usual)
	       : config				 ? json_text_or(config, key, usual)
						 : usual;
}

/* ---- special tokens -------------------------------------------------------------------------- */

/* Returns the id of a special token; -1: the class has none; -2: the vocabulary lacks it. */
enum { HAS_NONE = -1, LACKS = -2 };

static long id_of(const struct tokenizer *t, const struct token_files *f, const char *key,
		  const char *usual)
{
	const char *const text = usual ? named_special(f->config, key, usual) : "";
	const long id = lexicon_find(&t->vocab, text, strlen(text));
	return !*text ? HAS_NONE : id < 0 ? LACKS : id;
}

/* Lets a text hold the token as it is; before a mask it takes blanks along. */
static void add_special(struct tokenizer *t, long id, bool mask)
{
	if (id < 0)
		return;
	for (size_t i = 0; i < t->added.n; i++)
		if (t->added.at[i].id == id) {
			t->added.at[i].lstrip |= mask;
			return;
		}
	const struct entry *const e = &t->vocab.at[id];
	tokenizer_add(t, (struct added){.text = e->text, .len = e->len, .id = id, .lstrip = mask});
}

/* Compares an id of config.json, if it has one, with that of the token. */
static bool check_id(const struct named *n, const struct token_files *f, const char *key,
		     const char *text, long id, struct err *err)
{
	const struct json_value *const v = f->model ? json_member(f->model, key) : NULL;
	if (!text || !v || v->kind != JSON_VALUE_INTEGER || v->as.integer == id)
		return true;
	return err_set(err,
		       id < 0 ? "config.json has %s %lld, and the vocabulary has no %s, which a "
				"%s has; ids from Python would be right: --ids"
			      : "config.json has %s %lld, and %s of a %s has another id here; ids "
				"from Python would be right: --ids",
		       key, (long long)v->as.integer, text, n->name);
}

static bool check_size(const struct tokenizer *t, const struct named *n,
		       const struct token_files *f, struct err *err)
{
	const struct json_value *const v = f->model ? json_member(f->model, "vocab_size") : NULL;
	return !n->bos || !v || v->kind != JSON_VALUE_INTEGER ||
	       v->as.integer >= (long long)t->vocab.n ||
	       err_set(err,
		       "config.json has vocab_size %lld, and a %s has %zu ids here; ids from Python "
		       "would be right: --ids",
		       (long long)v->as.integer, n->name, t->vocab.n);
}

/* Refuses tokens that were added to the vocabulary in tokenizer_config.json alone. */
static bool check_added(const struct tokenizer *t, const struct token_files *f, struct err *err)
{
	const struct json_value *const list =
		f->config ? json_member(f->config, "added_tokens_decoder") : NULL;
	char quoted[120];
	for (size_t i = 0; list && list->kind == JSON_VALUE_OBJECT && i < list->count; i++) {
		const struct json_value *const v = &list->as.items[i];
		const char *const text = json_text_or(v, "content", "");
		if (v->kind == JSON_VALUE_OBJECT && lexicon_find(&t->vocab, text, strlen(text)) < 0)
			return err_set(err,
				       "tokenizer_config.json adds %s, which the vocabulary has "
				       "not; ids from Python would be right: --ids",
				       text_quote_buf(quoted, sizeof quoted, text, strlen(text)));
	}
	return true;
}

bool named_apply(struct tokenizer *t, const struct named *n, const struct token_files *f,
		 struct err *err)
{
	const bool prefixed = n->bytes && !n->first && f->config &&
			      json_flag_or(f->config, "add_bos_token", false);
	const long bos = id_of(t, f, "bos_token", n->bos), eos = id_of(t, f, "eos_token", n->eos);
	const long pad = id_of(t, f, "pad_token", n->pad);
	const long first = prefixed ? bos : id_of(t, f, "cls_token", n->first);
	const long last = id_of(t, f, "sep_token", n->last);
	if (!check_id(n, f, "bos_token_id", n->bos, bos, err) ||
	    !check_id(n, f, "eos_token_id", n->eos, eos, err) ||
	    !check_id(n, f, "pad_token_id", n->pad, pad, err) || !check_size(t, n, f, err) ||
	    !check_added(t, f, err))
		return false;
	if (n->bos && (first == LACKS || last == LACKS))
		return err_set(err, "the vocabulary has no %s, which stands around a text of a %s",
			       first == LACKS ? n->first : n->last, n->name);
	add_special(t, bos, false);
	add_special(t, eos, false);
	add_special(t, pad, false);
	add_special(t, id_of(t, f, "unk_token", n->unk), false);
	add_special(t, id_of(t, f, "mask_token", n->mask), true);
	if (n->frame == NAMED_BEHIND)
		frame_behind(t, first, last);
	else if (n->frame == NAMED_TWO_BETWEEN)
		frame_two_between(t, first, last);
	else
		frame_simple(t, first, last, n->frame == NAMED_TYPES);
	return true;
}

/* ---- how the text is changed ----------------------------------------------------------------- */

bool named_change(struct tokenizer *t, const struct named *n, const struct token_files *f,
		  struct err *err)
{
	static const char quotes[] =
		"{\"type\": \"Sequence\", \"normalizers\": ["
		"{\"type\": \"Replace\", \"pattern\": {\"String\": \"``\"}, \"content\": \"\\\"\"},"
		"{\"type\": \"Replace\", \"pattern\": {\"String\": \"''\"}, \"content\": \"\\\"\"}]}";
	const struct json_value *const steps =
		n->text ? json_parse(&t->own, quotes, strlen(quotes), err) : NULL;
	if (!n->text)
		return true;
	if (!steps ||
	    !steps_read(t->normalizers, normalizer_kinds, "normalizers", steps, &t->own, err))
		return false;
	if (!f->config || !json_flag_or(f->config, "keep_accents", false)) {
		steps_add(t->normalizers, normalizer_kinds, "NFKD");
		steps_add(t->normalizers, normalizer_kinds, "StripAccents");
	}
	if (f->config ? json_flag_or(f->config, "do_lower_case", n->lower) : n->lower)
		steps_add(t->normalizers, normalizer_kinds, "Lowercase");
	return true;
}
