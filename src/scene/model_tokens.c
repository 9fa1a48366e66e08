/* model_tokens.c: tokens of a trained model's vocabulary: given ids, or a text that the model's own
 * tokenizer cuts.
 *
 * Tokens of the frame around a text, [CLS] or <s>, are special: an order moves what is between. */
#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/token/tokenizer.h"
#include "scene_in.h"

bool setup_computes(const struct setup *s)
{
	return *s->ids || s->tokens == TOKENS_MODEL;
}

static bool no_special(const struct setup *s, const char *what, struct err *err)
{
	return strcmp(s->special, "none") == 0 ||
	       err_set(err, "special: %s special tokens already; special none would be right",
		       what);
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* Returns the tokenizer of the checkpoint, which names what ids are; NULL: they stay numbers. */
static const struct tokenizer *namer(const struct setup *s)
{
	return *s->checkpoint && tokenizer_is_there(s->checkpoint)
		       ? tokenizer_hold(s->checkpoint, NULL)
		       : NULL;
}

static struct token token_of(const struct tokenizer *t, long id, size_t i, struct arena *a)
{
	const char *const number = arena_printf(a, "%ld", id);
	const char *const text = t && id >= 0 && (size_t)id < tokenizer_ids(t)
					 ? arena_strdup(a, tokenizer_piece(t, id))
					 : number;
	return (struct token){.text = text,
			      .len = strlen(text),
			      .label = t ? tokenizer_label(t, id, a) : number,
			      .id = id,
			      .word = i,
			      .place = i};
}

bool tokens_of_ids(const struct setup *setup, struct input *in, struct arena *a, struct err *err)
{
	size_t n;
	const long *const ids = setup_ids(setup, a, &n, err);
	if (!ids)
		return false;
	if (n > INPUT_MAX_TOKENS)
		return err_set(err, "ids: %zu; at most %d", n, INPUT_MAX_TOKENS);
	if (!no_special(setup, "ids hold", err))
		return false;
	const struct tokenizer *const t = namer(setup);
	*in = (struct input){.n = n, .moving = n, .segments = 1};
	in->tokens = arena_calloc(a, n, sizeof *in->tokens);
	for (size_t i = 0; i < n; i++)
		in->tokens[i] = token_of(t, ids[i], i, a);
	tokenizer_drop(t);
	return true;
}

/* ---- a text ---------------------------------------------------------------------------------- */

enum { PAIR = 2 };

/* Divides a text at its "|||", as sentences of words are divided. */
static bool split_pair(const char *text, size_t len, struct span out[PAIR], size_t *n,
		       struct err *err)
{
	size_t from = 0, bar;
	*n = 0;
	for (;;) {
		bar = input_next_bar(text, len, from);
		const size_t to = bar < len && bar > from ? bar - 1 : bar;
		if (*n == PAIR)
			return err_set(err, "a model's tokenizer takes a text or two, parted by "
					    "|||; here are more");
		out[(*n)++] = (struct span){text + from, to - from};
		if (to == from && (bar < len || *n > 1))
			return err_set(err, "segment %zu is empty; ||| stands between two texts",
				       *n);
		if (bar == len)
			return true;
		from = bar + 4 < len ? bar + 4 : len;
	}
}

/* Copies pieces into tokens, which live longer than the tokenizer is held. */
static bool take_pieces(const struct tokenizer *t, const struct pieces *p, struct input *in,
			struct arena *a, struct err *err)
{
	*in = (struct input){.n = p->n, .segments = 1};
	if (p->n > INPUT_MAX_TOKENS)
		return err_set(err, "the text has %zu tokens; the limit is %d", p->n,
			       INPUT_MAX_TOKENS);
	in->tokens = arena_calloc(a, p->n + 1, sizeof *in->tokens);
	for (size_t i = 0; i < p->n; i++) {
		const struct piece *const from = &p->at[i];
		in->tokens[i] = (struct token){.text = arena_strndup(a, from->text, from->len),
					       .len = from->len,
					       .label = tokenizer_label(t, from->id, a),
					       .special = from->frame,
					       .id = from->id,
					       .word = from->word,
					       .segment = from->segment,
					       .place = from->frame ? 0 : in->moving};
		in->moving += !from->frame;
		in->segments = from->segment >= in->segments ? from->segment + 1 : in->segments;
	}
	return in->moving > 0 || err_set(err, "the sentence is empty; it needs at least one token");
}

bool tokens_of_text(const struct setup *setup, const char *text, size_t len, struct input *in,
		    struct arena *a, struct err *err)
{
	struct span parts[PAIR];
	struct pieces pieces;
	size_t n;
	if (!*setup->checkpoint)
		return err_set(err, "tokens: model is a trained model's own; --checkpoint DIR, or "
				    "the model's directory in front, gives it");
	if (setup_brings_tokens(setup))
		return err_set(err,
			       "tokens: model is for a text, and a structure brings its own words; "
			       "tokens words would be right");
	if (!no_special(setup, "a model's tokenizer adds its", err) ||
	    !split_pair(text, len, parts, &n, err))
		return false;
	const struct tokenizer *const t = tokenizer_hold(setup->checkpoint, err);
	if (!t)
		return false;
	const bool ok =
		tokenizer_cut(t, parts, n, a, &pieces, err) && take_pieces(t, &pieces, in, a, err);
	tokenizer_drop(t);
	return ok;
}
