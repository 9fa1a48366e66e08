/* order.c: orders of the moving tokens, and the input in another order.
 *
 * Users count positions from 1, the program from 0; only this file converts between them. */
#include "posviz/input/input.h"

#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

/* Stores one number; `seen` has a flag for each original position. */
static bool store_number(const char *text, size_t len, size_t n, size_t *count, size_t *order,
			 bool *seen, struct err *err)
{
	char quoted[128];
	text_quote_buf(quoted, sizeof quoted, text, len);
	uint64_t value = 0;
	if (!num_parse_u64(text, len, &value, NULL))
		return err_set(err,
			       "%s is not a number; an order is the numbers from 1 to %zu, "
			       "identity, reverse, or shuffle:SEED",
			       quoted, n);
	if (value < 1 || value > n)
		return err_set(err,
			       "%s is out of range; every number from 1 to %zu must appear once",
			       quoted, n);
	if (seen[value - 1])
		return err_set(err,
			       "%zu appears twice; every number from 1 to %zu must appear once",
			       (size_t)value, n);
	seen[value - 1] = true;
	order[(*count)++] = (size_t)value - 1;
	return true;
}

/* Reads the numbers. Distinct numbers in range can never be more than n, so order[] cannot
 * overflow. */
static bool parse_numbers(const char *text, size_t n, size_t *order, bool *seen, struct err *err)
{
	size_t count = 0;
	for (const char *at = letter_skip_blanks(text); *at != '\0';) {
		const size_t len = letter_number(at);
		if (len == 0)
			return err_set(err, "a comma without a number before it");
		if (!store_number(at, len, n, &count, order, seen, err))
			return false;
		at = letter_skip_blanks(at + len);
		if (*at != ',')
			continue;
		at = letter_skip_blanks(at + 1);
		if (*at == '\0')
			return err_set(err, "a comma without a number behind it");
	}
	for (size_t i = 0; i < n; i++)
		if (!seen[i])
			return err_set(err,
				       "%zu is missing; every number from 1 to %zu must "
				       "appear once",
				       i + 1, n);
	return true;
}

static bool shuffle(const char *seed_text, size_t n, size_t *order, struct err *err)
{
	uint64_t seed = 0;
	if (!num_parse_u64(seed_text, strlen(seed_text), &seed, err))
		return err_prefix(err, "the seed of shuffle:SEED: ");
	struct rng rng;
	rng_init_name(&rng, seed, "order");
	rng_shuffle(&rng, order, n);
	return true;
}

bool input_parse_places(const char *text, size_t n, size_t *order, struct err *err)
{
	static const char shuffle_word[] = "shuffle:";
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	if (strcmp(text, "identity") == 0)
		return true;
	if (strncmp(text, shuffle_word, sizeof shuffle_word - 1) == 0)
		return shuffle(text + sizeof shuffle_word - 1, n, order, err);
	if (strcmp(text, "reverse") == 0) {
		for (size_t i = 0; i < n; i++)
			order[i] = n - 1 - i;
		return true;
	}
	struct arena scratch;
	arena_init(&scratch);
	bool *seen = arena_calloc(&scratch, n, sizeof *seen);
	const bool ok = parse_numbers(text, n, order, seen, err);
	arena_release(&scratch);
	return ok;
}

bool input_parse_order(const char *text, size_t n, size_t *order, struct err *err)
{
	return input_parse_places(text, n, order, err) || err_prefix(err, "order: ");
}

const char *input_print_order(struct arena *a, const size_t *order, size_t n)
{
	bool moves = false;
	struct strbuf text;
	strbuf_init(&text, a);
	for (size_t i = 0; i < n; i++) {
		moves = moves || order[i] != i;
		strbuf_printf(&text, i > 0 ? " %zu" : "%zu", order[i] + 1);
	}
	return moves ? text.at : "identity";
}

/* Does one round: swaps the pairs that are in the wrong order among those that begin at an even
 * index, or at an odd one. */
static bool change_neighbours(size_t *order, const size_t *goal, size_t n, size_t first)
{
	bool any = false;
	for (size_t i = first; i + 1 < n; i += 2) {
		const size_t left = order[i], right = order[i + 1];
		if (goal[left] < goal[right])
			continue;
		order[i] = right;
		order[i + 1] = left;
		any = true;
	}
	return any;
}

/* Odd-even transposition sort: n rounds sort n elements, whichever parity is first (Knuth, The
 * Art of Computer Programming 3, 5.3.4). */
size_t **input_orders_between(const size_t *from, const size_t *to, size_t n, struct arena *a,
			      size_t *n_frames)
{
	size_t **const out = arena_calloc(a, n + 1, sizeof *out);
	size_t *const goal =
		arena_calloc(a, n + 1, sizeof *goal); /* for each token, its position in `to` */
	size_t *const now = arena_calloc(a, n + 1, sizeof *now);
	for (size_t i = 0; i < n; i++) {
		goal[to[i]] = i;
		now[i] = from[i];
	}
	*n_frames = 0;
	for (size_t round = 0; round < n; round++) {
		if (!change_neighbours(now, goal, n, round % 2))
			continue;
		size_t *const frame = arena_calloc(a, n, sizeof *frame);
		memcpy(frame, now, n * sizeof *frame);
		out[(*n_frames)++] = frame;
	}
	return out;
}

/* Numbers words from 0 in the order of their appearance; the pieces of one word keep a common
 * number wherever they are. */
static void renumber_words(struct input *in, size_t words, struct arena *a)
{
	size_t *number = arena_calloc(a, words, sizeof *number); /* 0: not met, else number + 1 */
	size_t met = 0;
	for (size_t i = 0; i < in->n; i++) {
		size_t *of_word = &number[in->tokens[i].word];
		if (*of_word == 0)
			*of_word = ++met;
		in->tokens[i].word = *of_word - 1;
	}
}

void input_permute(struct input *out, const struct input *in, const size_t *order, struct arena *a)
{
	size_t *moving =
		arena_calloc(a, in->moving, sizeof *moving); /* tokens that an order moves */
	size_t words = 0;
	for (size_t i = 0, k = 0; i < in->n; i++) {
		if (!in->tokens[i].special)
			moving[k++] = i;
		if (in->tokens[i].word >= words)
			words = in->tokens[i].word + 1;
	}
	struct token *tokens = arena_calloc(a, in->n, sizeof *tokens);
	for (size_t i = 0, k = 0; i < in->n; i++) {
		tokens[i] = in->tokens[i];
		if (in->tokens[i].special)
			continue;
		BUG_IF(order[k] >= in->moving);
		tokens[i] = in->tokens[moving[order[k++]]];
		tokens[i].segment = in->tokens[i].segment;
		tokens[i].patch = in->tokens[i].patch;
	}
	*out = *in;
	out->tokens = tokens;
	renumber_words(out, words, a);
}
