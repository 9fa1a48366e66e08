/* vocab_json.c: byte-level BPE as GPT-2 first had it: vocab.json, the ids of texts, and merges.txt, a pair
 * a line in the order of their ranks. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/joins.h"

static bool read_merges(struct tokenizer *t, const struct span *data, struct err *err)
{
	static const char version[] = "#version";
	size_t lines = 0, rank = 0;
	for (size_t i = 0; i < data->len; i++)
		lines += data->at[i] == '\n' || i + 1 == data->len;
	t->model.joins = joins_new(lines, &t->own);
	for (const char *at = data->at, *const end = data->at + data->len; at < end;) {
		const char *const feed = memchr(at, '\n', (size_t)(end - at));
		const char *const next = feed ? feed : end;
		const size_t len = (size_t)(next - at) - (next > at && next[-1] == '\r');
		const bool first = at == data->at && len >= strlen(version) &&
				   memcmp(at, version, strlen(version)) == 0;
		struct span two[2] = {{"", 0}, {"", 0}};
		if (len > 0 && !first) {
			bpe_split_merge(at, len, two);
			if (two[1].len == 0)
				return err_set(err,
					       "merges.txt: entry %zu: two texts would be right",
					       rank + 1);
			if (!bpe_add_merge(t, &two[0], &two[1], rank++, err))
				return err_prefix(err, "merges.txt: ");
		}
		at = next + 1;
	}
	return true;
}

bool read_vocab_json(struct tokenizer *t, const struct token_files *f, struct err *err)
{
	const struct named *const n = named_find(f, true, err);
	const struct json_value *const vocab =
		n ? json_parse(&t->own, f->data.at, f->data.len, err) : NULL;
	if (!vocab || !vocabulary_read(t, vocab, NULL, err) || !read_merges(t, &f->merges, err))
		return false;
	const char *const bytes = arena_printf(
		&t->own, "{\"type\": \"ByteLevel\", \"add_prefix_space\": %s}",
		f->config && json_flag_or(f->config, "add_prefix_space", false) ? "true" : "false");
	const struct json_value *const step = json_parse(&t->own, bytes, strlen(bytes), err);
	if (!step ||
	    !steps_read(t->pretokenizers, pretokenizer_kinds, "pretokenizers", step, &t->own, err))
		return false;
	t->model.kind = &model_bpe;
	t->shown = SHOWN_BYTES;
	return named_apply(t, n, f, err) && addeds_prepare(t, err);
}
