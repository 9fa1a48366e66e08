/* vocab_txt.c: WordPiece as BERT first had it: vocab.txt, a token a line, and what
 * tokenizer_config.json says of the text before. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

/* Reads lines; their numbers, from 0, are ids. */
static bool read_lines(struct tokenizer *t, const char *data, size_t len, struct err *err)
{
	size_t n = 0, id = 0;
	char quoted[120];
	for (size_t i = 0; i < len; i++)
		n += data[i] == '\n' || i + 1 == len;
	if (n == 0 || n > TOKEN_MOST_IDS)
		return err_set(err, "%zu tokens; from 1 to %d would be right", n, TOKEN_MOST_IDS);
	lexicon_init(&t->vocab, n, &t->own);
	for (const char *at = data; at < data + len; id++) {
		const char *const feed = memchr(at, '\n', (size_t)(data + len - at));
		const char *const end = feed ? feed : data + len;
		const size_t bytes = (size_t)(end - at) - (end > at && end[-1] == '\r');
		if (!text_valid(at, bytes))
			return err_set(err, "line %zu is not UTF-8: %s", id + 1,
				       text_quote_buf(quoted, sizeof quoted, at, bytes));
		if (!lexicon_set(&t->vocab, (long)id, arena_strndup(&t->own, at, bytes), bytes,
				 err))
			return err_prefix(err, "line %zu: ", id + 1);
		at = feed ? feed + 1 : end;
	}
	return true;
}

/* Returns the id of a special token, which a text may hold as it is; -1: there is none. */
static long add_special(struct tokenizer *t, const struct json_value *config, const char *key,
			const char *usual)
{
	const char *const name = named_special(config, key, usual);
	const long id = lexicon_find(&t->vocab, name, strlen(name));
	if (id >= 0 && *name)
		tokenizer_add(t, (struct added){.text = name, .len = strlen(name), .id = id});
	return id;
}

static void set_steps(struct tokenizer *t, const struct json_value *config)
{
	struct step *const s = steps_add(t->normalizers, normalizer_kinds, "BertNormalizer");
	s->clean = true;
	s->chinese = !config || json_flag_or(config, "tokenize_chinese_chars", true);
	s->lower = !config || json_flag_or(config, "do_lower_case", true);
	s->accents = config ? json_flag_or(config, "strip_accents", s->lower) : s->lower;
	steps_add(t->pretokenizers, pretokenizer_kinds, "BertPreTokenizer");
}

bool read_vocab_txt(struct tokenizer *t, const struct token_files *f, struct err *err)
{
	const struct json_value *const c = f->config;
	if (c && !json_flag_or(c, "do_basic_tokenize", true))
		return err_set(err, "tokenizer_config.json: do_basic_tokenize false is not read");
	if (!read_lines(t, f->data.at, f->data.len, err))
		return false;
	set_steps(t, c);
	t->model.kind = &model_wordpiece;
	t->model.prefix = "##";
	t->model.most_letters = 100;
	t->model.unk = add_special(t, c, "unk_token", "[UNK]");
	add_special(t, c, "pad_token", "[PAD]");
	add_special(t, c, "mask_token", "[MASK]");
	const long cls = add_special(t, c, "cls_token", "[CLS]");
	const long sep = add_special(t, c, "sep_token", "[SEP]");
	if (cls < 0 || sep < 0)
		return err_set(err, "there is no [CLS] or no [SEP]");
	frame_simple(t, cls, sep, true);
	return addeds_prepare(t, err);
}
