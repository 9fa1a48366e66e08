/* gguf_vocabulary.c: the vocabulary within a GGUF file. Its kinds are those that llama.cpp knows;
 * `tokenizer.ggml.pre` names how a text is divided before BPE, and a name that the table has not is
 * refused. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/tensor_file.h"
#include "token/joins.h"

enum kind { NORMAL = 1, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE };

/* ---- values ------------------------------------------------------------------------------------ */

static const struct file_value *value_of(const struct tensor_file *f, const char *name)
{
	char key[80] = "tokenizer.ggml.";
	BUG_IF(strlen(key) + strlen(name) >= sizeof key);
	strcat(key, name);
	return tensor_file_value(f, key);
}

static const char *text_of(const struct tensor_file *f, const char *name)
{
	const struct file_value *const v = value_of(f, name);
	return v && v->kind == FILE_VALUE_TEXT ? v->text : NULL;
}

static bool flag_of(const struct tensor_file *f, const char *name, bool otherwise)
{
	const struct file_value *const v = value_of(f, name);
	return v && v->kind == FILE_VALUE_TRUTH ? v->number != 0 : otherwise;
}

/* Returns an id, or `otherwise` if the key is absent; -1 if it is no id of the vocabulary. */
static long id_or(const struct tokenizer *t, const struct tensor_file *f, const char *name,
		  long otherwise)
{
	const struct file_value *const v = value_of(f, name);
	if (!v)
		return otherwise < (long)t->vocab.n ? otherwise : -1;
	const bool ok = v && v->kind == FILE_VALUE_NUMBER && v->number >= 0 &&
			v->number < (double)t->vocab.n;
	return ok ? (long)v->number : -1;
}

static long id_of(const struct tokenizer *t, const struct tensor_file *f, const char *name)
{
	return id_or(t, f, name, -1);
}

/* Reads a list of as many numbers as there are tokens; *out NULL: there is none. */
static bool numbers_of(const struct tokenizer *t, const struct tensor_file *f, const char *name,
		       struct arena *a, const double **out, struct err *err)
{
	const struct file_value *const v = value_of(f, name);
	*out = NULL;
	if (!v)
		return true;
	if (v->count != t->vocab.n)
		return err_set(err, "tokenizer.ggml.%s: %zu, and there are %zu tokens", name,
			       v->count, t->vocab.n);
	*out = tensor_file_numbers(f, v, a, err);
	return *out != NULL;
}

/* ---- tokens ------------------------------------------------------------------------------------ */

/* WordPiece in GGUF marks where a word begins, and not where it goes on. */
static const char *word_piece(struct arena *a, const char *text, size_t *len, bool plain)
{
	const size_t blank = strlen(BLANK);
	if (plain)
		return text;
	if (*len >= blank && memcmp(text, BLANK, blank) == 0) {
		*len -= blank;
		return text + blank;
	}
	const char *const out = arena_printf(a, "##%s", text);
	*len += 2;
	return out;
}

static bool set_token(struct tokenizer *t, long id, const char *text, size_t len, int kind,
		      bool pieces, struct err *err)
{
	const bool plain = !pieces || kind == CONTROL || kind == UNKNOWN || kind == UNUSED ||
			   (len > 1 && text[0] == '[' && text[len - 1] == ']');
	const char *const as = word_piece(&t->own, text, &len, plain);
	if (!lexicon_set(&t->vocab, id, as, len, err))
		return false;
	t->vocab.at[id].bare = kind == CONTROL || kind == UNKNOWN || kind == BYTE;
	if ((kind == CONTROL || kind == UNKNOWN || kind == USER_DEFINED) && len > 0)
		tokenizer_add(t, (struct added){.text = as, .len = len, .id = id});
	return true;
}

static bool read_tokens(struct tokenizer *t, const struct tensor_file *f, bool pieces,
			struct err *err)
{
	const struct file_value *const v = value_of(f, "tokens");
	const size_t *len;
	const double *scores, *kinds;
	if (!v || v->count == 0 || v->count > TOKEN_MOST_IDS)
		return err_set(err, "tokenizer.ggml.tokens: from 1 to %d texts would be right",
			       TOKEN_MOST_IDS);
	const char *const *const texts = tensor_file_texts(f, v, &t->own, &len, err);
	if (!texts)
		return false;
	lexicon_init(&t->vocab, v->count, &t->own);
	if (!numbers_of(t, f, "scores", &t->own, &scores, err) ||
	    !numbers_of(t, f, "token_type", &t->own, &kinds, err))
		return false;
	for (size_t i = 0; i < v->count; i++) {
		const int kind =
			kinds && kinds[i] >= 0 && kinds[i] <= BYTE ? (int)kinds[i] : NORMAL;
		if (!set_token(t, (long)i, texts[i], len[i], kind, pieces, err))
			return err_prefix(err, "tokenizer.ggml.tokens: ");
		t->vocab.at[i].score = scores ? scores[i] : 0;
	}
	return true;
}

/* ---- BPE --------------------------------------------------------------------------------------- */

#define SHORT_FORMS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define GPT2	    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)"
#define ENDS	    "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define LETTERS(digits) \
	SHORT_FORMS "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" digits "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*" ENDS
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define CASED(forms, digits)                                                               \
	"[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" forms "|[^\\r\\n\\p{L}\\p{N}]?" UPPER \
	"+" LOWER "*" forms "|" digits "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*" ENDS

static const struct pre {
	const char *names; /* parted by blanks */
	const char *patterns[4];
	bool ignore_merges, bos;
} pres[] = {
	{"default", {"[\\p{P}\\$\\+<=>\\^~\\|]+", GPT2, "\\p{N}+", "[0-9][0-9][0-9]"}},
	{"llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2",
	 {LETTERS("\\p{N}{1,3}")},
	 true,
	 true},
	{"dbrx smaug-bpe", {LETTERS("\\p{N}{1,3}")}},
	{"qwen2 stablelm2 deepseek-r1-qwen", {LETTERS("\\p{N}")}},
	{"gpt-2 phi-2 gigachat mpt olmo jais", {GPT2}},
	{"starcoder refact command-r smollm codeshell", {"\\p{N}", GPT2}},
	{"falcon", {"[\\p{P}\\$\\+<=>\\^~\\|`]+", GPT2, "[0-9][0-9][0-9]"}},
	{"bloom poro-chat gpt3-finnish", {" ?[^(\\s|.,!?…。，、।۔،)]+"}},
	{"deepseek-coder", {"[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+"}},
	{"gpt-4o llama4", {CASED(SHORT_FORMS "?", "\\p{N}{1,3}")}},
	{"tekken", {CASED("", "\\p{N}")}, true, true},
};

static const struct pre *pre_of(const char *name)
{
	const size_t len = strlen(name);
	for (size_t i = 0; len > 0 && i < sizeof pres / sizeof *pres; i++)
		for (const char *at = pres[i].names; at; at = strchr(at, ' ')) {
			at += *at == ' ';
			if (strncmp(at, name, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
				return &pres[i];
		}
	return NULL;
}

static bool set_pre(struct tokenizer *t, const struct pre *pre, struct err *err)
{
	for (size_t i = 0; i < 4 && pre->patterns[i]; i++) {
		struct step *const s = steps_add(t->pretokenizers, pretokenizer_kinds, "Split");
		s->behaviour = ISOLATED;
		s->pattern = pattern_new(pre->patterns[i], &t->own, err);
		if (!s->pattern)
			return false;
	}
	steps_add(t->pretokenizers, pretokenizer_kinds, "ByteLevel"); /* letters for bytes */
	t->shown = SHOWN_BYTES;
	return true;
}

static bool read_merges(struct tokenizer *t, const struct tensor_file *f, struct err *err)
{
	const struct file_value *const v = value_of(f, "merges");
	const size_t *len;
	if (!v)
		return err_set(err, "tokenizer.ggml.merges: there is none");
	const char *const *const texts = tensor_file_texts(f, v, &t->own, &len, err);
	t->model.joins = joins_new(v->count, &t->own);
	for (size_t i = 0; texts && i < v->count; i++) {
		struct span two[2] = {{"", 0}, {"", 0}};
		bpe_split_merge(texts[i], len[i], two);
		if (two[1].len == 0)
			return err_set(err, "merges: entry %zu: two texts would be right", i + 1);
		if (!bpe_add_merge(t, &two[0], &two[1], i, err))
			return false;
	}
	return texts != NULL;
}

/* Sets the frame: the first and the last token, if the file, or else the kind, says so. */
static void set_frame(struct tokenizer *t, const struct tensor_file *f, bool bos, bool eos)
{
	const bool first = flag_of(f, "add_bos_token", bos),
		   last = flag_of(f, "add_eos_token", eos);
	frame_simple(t, first ? id_of(t, f, "bos_token_id") : -1,
		     last ? id_of(t, f, "eos_token_id") : -1, false);
}

static bool read_gpt2(struct tokenizer *t, const struct tensor_file *f, struct err *err)
{
	const char *const name = text_of(f, "pre") ? text_of(f, "pre") : "default";
	const struct pre *const pre = pre_of(name);
	char quoted[120];
	if (!pre)
		return err_set(err, "tokenizer.ggml.pre: %s is not known",
			       text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
	if (!read_tokens(t, f, false, err) || !set_pre(t, pre, err) || !read_merges(t, f, err))
		return false;
	t->model.kind = &model_bpe;
	t->model.ignore_merges = pre->ignore_merges;
	set_frame(t, f, pre->bos, false);
	return true;
}

/* ---- SentencePiece ----------------------------------------------------------------------------- */

static bool read_charsmap(struct tokenizer *t, const struct tensor_file *f, struct step *s,
			  struct err *err)
{
	const struct file_value *const v = value_of(f, "precompiled_charsmap");
	if (!v)
		return true;
	const double *const numbers = tensor_file_numbers(f, v, &t->own, err);
	if (!numbers)
		return false;
	unsigned char *const bytes = arena_calloc(&t->own, v->count + 1, 1);
	for (size_t i = 0; i < v->count; i++)
		bytes[i] = (unsigned char)((int)numbers[i] & 0xFF);
	s->map = charsmap_new(bytes, v->count, &t->own, err);
	return s->map || err_prefix(err, "tokenizer.ggml.precompiled_charsmap: ");
}

/* `unk` is the id of the unknown token where the file names none. */
static struct step *begin_pieces(struct tokenizer *t, const struct tensor_file *f, long unk)
{
	struct step *const s = steps_add(t->normalizers, normalizer_kinds, "SentencePiece");
	s->prefix = flag_of(f, "add_space_prefix", true);
	t->shown = SHOWN_BLANKS;
	t->model.unk = id_or(t, f, "unknown_token_id", unk);
	t->model.byte_fallback = true;
	model_find_bytes(t);
	return s;
}

static bool read_llama(struct tokenizer *t, const struct tensor_file *f, struct err *err)
{
	if (!read_tokens(t, f, false, err))
		return false;
	begin_pieces(t, f, 0);
	t->model.kind = &model_bpe;
	t->model.scored = true;
	set_frame(t, f, true, false);
	return true;
}

static bool read_t5(struct tokenizer *t, const struct tensor_file *f, struct err *err)
{
	if (!read_tokens(t, f, false, err))
		return false;
	struct step *const s = begin_pieces(t, f, 2);
	s->clean = flag_of(f, "remove_extra_whitespaces", false);
	t->model.kind = &model_unigram;
	unigram_prepare(t);
	set_frame(t, f, false, true);
	return read_charsmap(t, f, s, err);
}

/* ---- WordPiece --------------------------------------------------------------------------------- */

static long named(const struct tokenizer *t, const struct tensor_file *f, const char *key,
		  const char *other, const char *text)
{
	const long id = id_of(t, f, key), second = id_of(t, f, other);
	return id >= 0 ? id : second >= 0 ? second : lexicon_find(&t->vocab, text, strlen(text));
}

static bool read_bert(struct tokenizer *t, const struct tensor_file *f, struct err *err)
{
	if (!read_tokens(t, f, true, err))
		return false;
	struct step *const s = steps_add(t->normalizers, normalizer_kinds, "BertNormalizer");
	s->clean = s->chinese = s->lower = s->accents = true;
	steps_add(t->pretokenizers, pretokenizer_kinds, "BertPreTokenizer");
	t->model.kind = &model_wordpiece;
	t->model.prefix = "##";
	t->model.most_letters = TOKEN_MOST_TEXT;
	t->model.unk = named(t, f, "unknown_token_id", "unknown_token_id", "[UNK]");
	frame_simple(t, named(t, f, "cls_token_id", "bos_token_id", "[CLS]"),
		     named(t, f, "seperator_token_id", "eos_token_id", "[SEP]"), true);
	return true;
}

bool read_gguf_vocabulary(struct tokenizer *t, const struct tensor_file *f, struct err *err)
{
	static const struct {
		const char *name;
		bool (*read)(struct tokenizer *t, const struct tensor_file *f, struct err *err);
	} rows[] = {
		{"gpt2", read_gpt2}, {"llama", read_llama}, {"bert", read_bert}, {"t5", read_t5}};
	const char *const name = tensor_file_is_gguf(f) ? text_of(f, "model") : NULL;
	char quoted[120];
	if (!name)
		return err_set(err, "there is no tokenizer.ggml.model");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].read(t, f, err) && addeds_prepare(t, err);
	return err_set(err, "tokenizer.ggml.model: %s is not known",
		       text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}
