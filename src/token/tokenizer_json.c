/* tokenizer_json.c: tokenizer.json, which has all parts of a tokenizer by their names. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

/* ---- the vocabulary ---------------------------------------------------------------------------- */

static long most_id(const struct json_value *vocab, const struct json_value *added)
{
	long most = vocab->kind == JSON_VALUE_ARRAY ? (long)vocab->count - 1 : -1;
	for (size_t i = 0; vocab->kind == JSON_VALUE_OBJECT && i < vocab->count; i++) {
		const struct json_value *const v = &vocab->as.items[i];
		if (v->kind == JSON_VALUE_INTEGER && v->as.integer > most &&
		    v->as.integer < TOKEN_MOST_IDS)
			most = (long)v->as.integer;
	}
	for (size_t i = 0; added && i < added->count; i++) {
		const long id = json_id_or(&added->as.items[i], "id", -1);
		most = id > most ? id : most;
	}
	return most;
}

/* Reads {"the": 5, ...}. */
static bool read_object(struct tokenizer *t, const struct json_value *vocab, struct err *err)
{
	for (size_t i = 0; i < vocab->count; i++) {
		const struct json_value *const v = &vocab->as.items[i];
		if (v->kind != JSON_VALUE_INTEGER || v->as.integer >= TOKEN_MOST_IDS)
			return err_set(err, "vocab: entry %zu: a whole number would be right",
				       i + 1);
		if (!lexicon_set(&t->vocab, (long)v->as.integer, v->name, strlen(v->name), err))
			return err_prefix(err, "vocab: ");
	}
	return true;
}

static bool number_of(const struct json_value *v, double *out)
{
	*out = v->kind == JSON_VALUE_REAL      ? v->as.real
	       : v->kind == JSON_VALUE_INTEGER ? (double)v->as.integer
					       : 0;
	return v->kind == JSON_VALUE_REAL || v->kind == JSON_VALUE_INTEGER;
}

/* Reads [["the", -3.2], ...]. */
static bool read_list(struct tokenizer *t, const struct json_value *vocab, struct err *err)
{
	for (size_t i = 0; i < vocab->count; i++) {
		const struct json_value *const v = &vocab->as.items[i];
		const bool two = v->kind == JSON_VALUE_ARRAY && v->count == 2 &&
				 v->as.items[0].kind == JSON_VALUE_STRING;
		if (!two || !number_of(&v->as.items[1], &t->vocab.at[i].score))
			return err_set(err, "vocab: entry %zu: a text and its score would be right",
				       i + 1);
		const char *const text = v->as.items[0].as.string;
		if (!lexicon_set(&t->vocab, (long)i, text, strlen(text), err))
			return err_prefix(err, "vocab: ");
	}
	return true;
}

static bool read_added(struct tokenizer *t, const struct json_value *added, struct err *err)
{
	const size_t n = added ? added->count : 0;
	for (size_t i = 0; i < n; i++) {
		const struct json_value *const v = &added->as.items[i];
		const char *const text = json_text_or(v, "content", NULL);
		const long id = json_id_or(v, "id", -1);
		if (!text || id < 0)
			return err_set(err,
				       "added_tokens: entry %zu: its content and its id would be "
				       "right",
				       i + 1);
		const bool known = lexicon_find(&t->vocab, text, strlen(text)) == id;
		if (!known && !lexicon_set(&t->vocab, id, text, strlen(text), err))
			return false;
		if (!*text)
			continue;
		tokenizer_add(t,
			      (struct added){.text = text,
					     .len = strlen(text),
					     .id = id,
					     .single_word = json_flag_or(v, "single_word", false),
					     .lstrip = json_flag_or(v, "lstrip", false),
					     .rstrip = json_flag_or(v, "rstrip", false),
					     .normalized = json_flag_or(v, "normalized", false)});
	}
	return true;
}

bool vocabulary_read(struct tokenizer *t, const struct json_value *vocab,
		     const struct json_value *added, struct err *err)
{
	const bool list = vocab && vocab->kind == JSON_VALUE_ARRAY;
	if (!vocab || (!list && vocab->kind != JSON_VALUE_OBJECT) || vocab->count == 0 ||
	    vocab->count > TOKEN_MOST_IDS)
		return err_set(err, "an object or a list \"vocab\" of at most %d would be right",
			       TOKEN_MOST_IDS);
	lexicon_init(&t->vocab, (size_t)(most_id(vocab, added) + 1), &t->own);
	return (list ? read_list : read_object)(t, vocab, err) && read_added(t, added, err);
}

/* ---- parts ------------------------------------------------------------------------------------- */

/* Older files name no type: their model is told by what it has. */
static const struct model_kind *kind_of(const struct json_value *v, struct err *err)
{
	static const struct model_kind *const kinds[] = {&model_bpe, &model_wordpiece,
							 &model_unigram};
	const struct json_value *const vocab = json_member(v, "vocab");
	const char *const guess = json_member(v, "merges")		       ? "BPE"
				  : json_member(v, "max_input_chars_per_word") ? "WordPiece"
				  : vocab && vocab->kind == JSON_VALUE_ARRAY   ? "Unigram"
									       : "";
	const char *const type = json_text_or(v, "type", guess);
	char quoted[120];
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i]->name, type) == 0)
			return kinds[i];
	err_set(err, "model: type %s is not known",
		text_quote_buf(quoted, sizeof quoted, type, strlen(type)));
	return NULL;
}

/* Returns how pieces are shown, by what takes them apart and puts them together. */
static bool mentions(const struct json_value *v, const char *type)
{
	if (!v || v->kind != JSON_VALUE_OBJECT)
		return false;
	if (strcmp(json_text_or(v, "type", ""), type) == 0)
		return true;
	const struct json_value *const list = json_member(v, "decoders");
	for (size_t i = 0; list && list->kind == JSON_VALUE_ARRAY && i < list->count; i++)
		if (strcmp(json_text_or(&list->as.items[i], "type", ""), type) == 0)
			return true;
	return false;
}

static void choose_shown(struct tokenizer *t, const struct json_value *decoder)
{
	if (steps_have(t->pretokenizers, "ByteLevel") || steps_have(t->normalizers, "ByteLevel") ||
	    mentions(decoder, "ByteLevel"))
		t->shown = SHOWN_BYTES;
	else if (steps_have(t->pretokenizers, "Metaspace") || mentions(decoder, "Metaspace") ||
		 mentions(decoder, "Replace"))
		t->shown = SHOWN_BLANKS;
}

static bool read_parts(struct tokenizer *t, const struct json_value *root, struct err *err)
{
	const struct json_value *const model = json_member(root, "model");
	const struct json_value *const added = json_member(root, "added_tokens");
	if (!model || model->kind != JSON_VALUE_OBJECT)
		return err_set(err, "an object \"model\" would be right");
	t->model.kind = kind_of(model, err);
	if (!t->model.kind)
		return false;
	if (!vocabulary_read(t, json_member(model, "vocab"),
			     added && added->kind == JSON_VALUE_ARRAY ? added : NULL, err))
		return err_prefix(err, "model: ");
	if (!steps_read(t->normalizers, normalizer_kinds, "normalizers",
			json_member(root, "normalizer"), &t->own, err))
		return err_prefix(err, "normalizer: ");
	if (!steps_read(t->pretokenizers, pretokenizer_kinds, "pretokenizers",
			json_member(root, "pre_tokenizer"), &t->own, err))
		return err_prefix(err, "pre_tokenizer: ");
	if (!t->model.kind->read(t, model, err))
		return err_prefix(err, "model: ");
	if (!frame_read(t, json_member(root, "post_processor"), err))
		return err_prefix(err, "post_processor: ");
	choose_shown(t, json_member(root, "decoder"));
	return true;
}

bool read_tokenizer_json(struct tokenizer *t, const char *data, size_t len, struct err *err)
{
	const struct json_value *const root = json_parse(&t->own, data, len, err);
	return root && read_parts(t, root, err) && addeds_prepare(t, err);
}
