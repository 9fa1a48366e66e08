/* card.c: the lines of a card that are pointed out, and their move before the others. */
#include "posviz/plot/figure.h"

bool card_is_marked(const struct card *card, size_t i)
{
	while (i > 0 && card->lines[i].key == NULL)
		i--;
	return card->marked != NULL && i < card->n && card->marked[i];
}

/* Counts the lines of [from, to) without a mark. */
static size_t unmarked(const struct card *card, size_t from, size_t to)
{
	size_t n = 0;
	for (size_t i = from; i < to; i++)
		n += !card_is_marked(card, i);
	return n;
}

struct card card_marked_first(struct arena *a, const struct card *card)
{
	struct card out = *card;
	if (card->marked == NULL)
		return out;
	struct card_line *const lines = arena_calloc(a, card->n + 1, sizeof *lines);
	bool *const marked = arena_calloc(a, card->n + 1, sizeof *marked);
	const size_t n = card->n, spare = n - card->n_spare;
	size_t at = 0;
	for (int wanted = 1; wanted >= 0; wanted--)
		for (size_t i = 0; i < n; i++) {
			if (card_is_marked(card, i) != wanted)
				continue;
			marked[at] = wanted;
			lines[at++] = card->lines[i];
		}
	out.lines = lines;
	out.marked = marked;
	out.n_spare = unmarked(card, spare, n);
	out.n_first = unmarked(card, spare, spare + card->n_first);
	out.n_keys = unmarked(card, n - card->n_keys, n);
	return out;
}
