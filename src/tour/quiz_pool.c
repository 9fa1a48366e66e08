/* quiz_pool.c: what can be asked: families with their members, schemes that are well known, variants of one, and the
 * sentences and structures that they are seen on. What is not apart on a picture is left out when a task is drawn, so
 * these tables need not know it. */
#include <string.h>

#include "posviz/base/text.h"
#include "quiz_in.h"

enum { OPTION_COLS = 54 };

/* ---- schemes ---------------------------------------------------------------------------------------- */

static const struct family {
	const char *name, *text;
	const char *members[5];
} families[] = {
	{"none", "no positions at all", {"none"}},
	{"position vectors",
	 "a vector for each position, added to the words",
	 {"learned", "sinusoidal"}},
	{"pairs of positions",
	 "a learned number for each pair of positions",
	 {"dufter_abs", "shaw_abs", "diet_abs"}},
	{"table of distances",
	 "something learned for each distance",
	 {"t5", "shaw", "diet_rel", "huang1"}},
	{"penalty",
	 "a penalty that grows with the distance",
	 {"alibi", "kerple_log", "kerple_power"}},
	{"rotation", "queries and keys are rotated by their positions", {"rope", "rope(base=100)"}},
	{"mask", "a mask that hides keys, and nothing else", {"causal", "window"}},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* Those that a lecture names. */
static const char *const well_known[] = {
	"none",	 "learned",  "sinusoidal",   "shaw",	 "t5",		 "txl",	   "tener",
	"da",	 "tupe_a",   "tupe_r",	     "rope",	 "xpos",	 "alibi",  "kerple_log",
	"fire",	 "sandwich", "kerple_power", "diet_abs", "diet_rel",	 "causal", "window",
	"gauss", "cope",     "dufter_abs",   "deberta",	 "synth_random", "huang4", "shaw_abs",
};

/* "alibi: Attention with linear biases", and where that has no room its authors. */
static const char *option_text(const struct scheme *s, struct arena *a)
{
	const char *const full = arena_printf(a, "%s: %s", s->id, s->title);
	return text_width(full) <= OPTION_COLS
		       ? full
		       : text_shorten(a, arena_printf(a, "%s: %s %d", s->id, s->authors, s->year),
				      OPTION_COLS, false);
}

static struct choice choice_of(const struct scheme *s, size_t family, struct arena *a)
{
	return (struct choice){s->id, s->id, option_text(s, a), family};
}

static struct choice *add_families(struct arena *a, size_t *n)
{
	struct choice *const out =
		arena_calloc(a, FAMILIES * sizeof families->members / sizeof(char *), sizeof *out);
	for (size_t f = 0; f < FAMILIES; f++)
		for (const char *const *m = families[f].members; *m; m++)
			out[(*n)++] = (struct choice){*m, families[f].name, families[f].text, f};
	return out;
}

static struct choice *add_known(struct arena *a, size_t *n)
{
	enum { KNOWN = sizeof well_known / sizeof *well_known };
	struct choice *const out = arena_calloc(a, KNOWN, sizeof *out);
	for (size_t i = 0; i < KNOWN; i++) {
		const struct scheme *const s =
			scheme_find(well_known[i], strlen(well_known[i]), NULL);
		BUG_IF(!s);
		out[(*n)++] = choice_of(s, i, a);
	}
	return out;
}

/* Tells whether a plain sentence, or (structures) a tree or a graph, gives the scheme something to do. */
static bool is_of(const struct scheme *s, bool structures)
{
	const unsigned needs = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	const bool ours = !(s->flags & (SCHEME_MODEL | SCHEME_YOURS)) && !s->expression;
	return ours &&
	       (structures ? (s->flags & needs) != 0
			   : s->topic == TOPIC_SEQUENCE && !s->sample && !(s->flags & needs));
}

static struct choice *add_all(bool structures, struct arena *a, size_t *n)
{
	struct choice *const out = arena_calloc(a, scheme_count(), sizeof *out);
	for (size_t i = 0; i < scheme_count(); i++)
		if (is_of(scheme_at(i), structures))
			out[(*n)++] = choice_of(scheme_at(i), i, a);
	return out;
}

/* ---- variants --------------------------------------------------------------------------------------- */

/* Expressions that differ in one thing, and what each is called. */
static const struct variants {
	const char *ask;
	const char *of[6][2];
} variants[] = {
	{"Which base does this rotation have?",
	 {{"rope(base=2)", "base 2"},
	  {"rope(base=5)", "base 5"},
	  {"rope(base=30)", "base 30"},
	  {"rope(base=10000)", "base 10000"}}},
	{"Which base do these sinusoids have?",
	 {{"sinusoidal(base=2)", "base 2"},
	  {"sinusoidal(base=10)", "base 10"},
	  {"sinusoidal(base=100)", "base 100"},
	  {"sinusoidal(base=10000)", "base 10000"}}},
	{"Which form of ALiBi is this?",
	 {{"alibi", "to the past alone, with its mask"},
	  {"alibi(causal=off)", "both directions with one slope"},
	  {"alibi(causal=off,direction=asymmetric)",
	   "both directions, the future four times as steep"},
	  {"alibi(causal=off,direction=halves)", "half of the heads look back, half ahead"}}},
	{"At which distance does Shaw's table clip?",
	 {{"shaw(clip=1)", "1"},
	  {"shaw(clip=2)", "2"},
	  {"shaw(clip=3)", "3"},
	  {"shaw(clip=16)", "16"}}},
	{"How many buckets does T5 have here?",
	 {{"t5(buckets=4)", "4"}, {"t5(buckets=8)", "8"}, {"t5", "32"}}},
	{"What does a query see through this window?",
	 {{"window(width=2)", "a neighbour on each side"},
	  {"window(width=4)", "two neighbours on each side"},
	  {"window(width=4,dilation=2)", "every second key, two on each side"},
	  {"window(width=2,global=[1])", "a neighbour on each side, and the first word"},
	  {"window(width=6)", "three neighbours on each side"}}},
	{"Where do the heads look? This is head 1.",
	 {{"gauss(offsets=[-1])", "one position before the query"},
	  {"gauss(offsets=[0])", "at the query"},
	  {"gauss(offsets=[1])", "one position behind the query"},
	  {"gauss(offsets=[-2])", "two positions before the query"},
	  {"gauss(offsets=[0],std=3)", "at the query, and broadly"}}},
	{"Which masks lie over this rotation?",
	 {{"rope", "none"},
	  {"rope+causal", "the causal mask"},
	  {"rope+window", "a sliding window"},
	  {"rope+causal+window", "the causal mask and a sliding window"}}},
	{"What was added to the penalty of ALiBi?",
	 {{"alibi", "nothing"},
	  {"alibi+rope", "a rotation"},
	  {"alibi+learned", "a learned vector for each position"},
	  {"alibi+window", "a sliding window"}}},
	{"How many numbers do Sandwich's sinusoids have?",
	 {{"sandwich(width=2)", "2"},
	  {"sandwich(width=8)", "8"},
	  {"sandwich(width=32)", "32"},
	  {"sandwich", "128"}}},
	{"How much of a head does this rotation act on?",
	 {{"rope(partial=0)", "nothing"},
	  {"rope(partial=0.25)", "a quarter"},
	  {"rope(partial=0.5)", "half"},
	  {"rope", "all"}}},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static struct choice *add_variants(size_t row, struct arena *a, size_t *n)
{
	enum { MOST = sizeof variants->of / sizeof *variants->of };
	struct choice *const out = arena_calloc(a, MOST, sizeof *out);
	for (size_t i = 0; i < MOST && variants[row].of[i][0]; i++) {
		const char *const expression = variants[row].of[i][0];
		out[(*n)++] = (struct choice){expression, expression, variants[row].of[i][1], i};
	}
	return out;
}

size_t pool_rows(void)
{
	return VARIANTS;
}

const char *pool_ask(size_t row)
{
	return variants[row].ask;
}

struct choice *pool_of(enum quiz_level level, size_t row, struct arena *a, size_t *n)
{
	*n = 0;
	switch (level) {
	case QUIZ_FAMILIES:
		return add_families(a, n);
	case QUIZ_SCHEMES:
		return add_known(a, n);
	case QUIZ_VARIANTS:
		return add_variants(row, a, n);
	case QUIZ_RELATIVES:
	case QUIZ_STRUCTURES:
		break;
	}
	return add_all(level == QUIZ_STRUCTURES, a, n);
}

/* ---- what they are seen on --------------------------------------------------------------------------- */

static const char *const sentences[] = {
	"sentence the dog saw the cat",
	"sentence dogs chase cats and cats chase mice",
	"sentence a man who sings is a happy man",
	"sentence the cat that the dog chased fell asleep .",
	"sentence she said that he said no",
	"sentence to be or not to be",
	"sentence no news is good news",
	"sentence what we saw is what we got",
};

static const char *const structures[] = {
	"sentence the cat saw a big dog\ngovernors 2 3 0 6 6 3",
	"sentence she gave him a red book\ngovernors 2 0 2 6 6 2",
	"sentence the man who sings smiled\ngovernors 2 5 4 2 0",
	"sentence dogs chase cats and mice\ngovernors 2 0 2 5 3",
};

/* Sentences of one length; words are told apart by where the same one stands. */
static const char *const alike[][POOL_ALIKE] = {
	{"the dog saw the cat", "dogs saw dogs and cats", "we saw what he saw",
	 "cats saw the big dog", "dogs like cats like dogs"},
	{"to be or not to be", "no news is good news today", "he said what he had said",
	 "more and more and more rain", "a cat met a small cat"},
	{"a man who sings is a man", "rain and rain and rain and rain",
	 "one by one they came one day", "what he saw was what he got",
	 "the end of the film was good"},
	{"tell me who told me", "day by day it grew", "they came and they went", "no is no is no",
	 "birds sing in the morning"},
};

const char *const *pool_sentences(size_t *n)
{
	*n = sizeof sentences / sizeof *sentences;
	return sentences;
}

const char *const *pool_structures(size_t *n)
{
	*n = sizeof structures / sizeof *structures;
	return structures;
}

const char *const *pool_alike(size_t row)
{
	return alike[row];
}

size_t pool_alike_rows(void)
{
	return sizeof alike / sizeof *alike;
}
