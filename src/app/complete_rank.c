/* complete_rank.c: selects the names that fit the typed text, and orders them.
 *
 * Names that begin with it come first, then names with a word that does ("mean" of head-mean), then
 * those whose words begin with its letters ("hm"). If there are none of these: names with its
 * letters in this order and not many others, or else names whose description contains it. Such
 * guesses are never mixed with names that surely fit. */
#include <ctype.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/text.h"

enum rank { RANK_BEGINS, RANK_WORD, RANK_INITIALS, RANK_LETTERS, RANK_MEANING, RANK_NONE };

enum {
	FEW = 3,  /* letters for which descriptions are searched */
	MUCH = 3, /* letters in order count if they are at least 1 / MUCH of the name */
};

static bool begins_word(const char *name, size_t at)
{
	return at == 0 || strchr("-_. +(", name[at - 1]);
}

static bool has_word(const char *name, const char *typed)
{
	for (size_t i = 1; name[i]; i++)
		if (begins_word(name, i) && command_begins(name + i, typed))
			return true;
	return false;
}

static bool has_initials(const char *name, const char *typed)
{
	for (size_t i = 0; name[i] && *typed; i++)
		if (begins_word(name, i) &&
		    tolower((unsigned char)name[i]) == tolower((unsigned char)*typed))
			typed++;
	return *typed == '\0';
}

static enum rank rank_of(const char *name, const char *note, const char *typed)
{
	if (command_begins(name, typed))
		return RANK_BEGINS;
	if (has_word(name, typed))
		return RANK_WORD;
	if (strlen(typed) > 1 && has_initials(name, typed))
		return RANK_INITIALS;
	if (MUCH * strlen(typed) >= strlen(name) && text_fuzzy(name, typed))
		return RANK_LETTERS;
	return strlen(typed) >= FEW && text_contains(note, typed) ? RANK_MEANING : RANK_NONE;
}

static bool is_there(const struct candidates *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i], name) == 0)
			return true;
	return false;
}

bool candidates_rank(const struct candidates *from, const char *typed, struct candidates *out)
{
	enum rank *const ranks = arena_calloc(out->arena, from->n + 1, sizeof *ranks);
	size_t count[RANK_NONE + 1] = {0};
	for (size_t i = 0; i < from->n; i++)
		count[ranks[i] = rank_of(from->at[i], from->notes[i], typed)]++;
	const size_t sure = count[RANK_BEGINS] + count[RANK_WORD] + count[RANK_INITIALS];
	const enum rank last = sure		     ? RANK_INITIALS
			       : count[RANK_LETTERS] ? RANK_LETTERS
						     : RANK_MEANING;
	for (enum rank r = RANK_BEGINS; r <= last; r++)
		for (size_t i = 0; i < from->n; i++)
			if (ranks[i] == r && !is_there(out, from->at[i]))
				candidates_note(out, from->at[i], from->notes[i]);
	return sure > 0;
}
