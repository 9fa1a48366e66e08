/* registry.c: all schemes of all families as one list, and finding one by name.
 *
 * The list is made from scheme_list.h alone; no scheme is named here. */
#include "scheme/inherit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "posviz/base/text.h"
#include "posviz/scheme/called.h"

#define FAMILY(name) extern const struct scheme scheme_##name[];
#include "posviz/scheme/scheme_list.h"
#undef FAMILY

static const struct scheme *const families[] = {
#define FAMILY(name) scheme_##name,
#include "posviz/scheme/scheme_list.h"
#undef FAMILY
};

enum {
	FAMILIES = sizeof families / sizeof families[0],
	MAX_SCHEMES = 512,
	MAX_NAMES = 1024,
	NAME_BYTES = 64,
	MAX_INHERITING = 64
};

const char *const topic_names[TOPIC_COUNT] = {
	[TOPIC_SEQUENCE] = "sequence", [TOPIC_TREE] = "tree",	[TOPIC_GRAPH] = "graph",
	[TOPIC_DECODER] = "decoder",   [TOPIC_CROSS] = "cross", [TOPIC_ANALYSIS] = "analysis"};
const char *const table2_names[TABLE2_COUNT] = {[TABLE2_NONE] = "",
						[TABLE2_GENERIC] = "generic",
						[TABLE2_SINUSOIDAL] = "sinusoidal",
						[TABLE2_GRAPHS] = "graphs",
						[TABLE2_DECODER] = "decoder",
						[TABLE2_CROSSLINGUAL] = "crosslingual",
						[TABLE2_ANALYSIS] = "analysis"};
const char *const reference_names[REF_COUNT] = {[REF_NONE] = "none",
						[REF_ABSOLUTE] = "absolute",
						[REF_RELATIVE] = "relative",
						[REF_BOTH] = "both"};
const char *const injection_names[INJ_COUNT] = {[INJ_NONE] = "none",
						[INJ_EMBEDDING] = "embedding",
						[INJ_MATRIX] = "matrix",
						[INJ_BOTH] = "both",
						[INJ_OTHER] = "other"};
const char *const rows_names[ROWS_COUNT] = {[ROWS_STOCHASTIC] = "stochastic",
					    [ROWS_SUB_STOCHASTIC] = "sub-stochastic",
					    [ROWS_NEITHER] = "neither"};
const char *const evidence_names[EVIDENCE_COUNT] = {[EVIDENCE_CODE] = "authors' code",
						    [EVIDENCE_PORT] = "third-party code",
						    [EVIDENCE_PAPER] = "paper",
						    [EVIDENCE_OURS] = "ours"};

/* ---- all rows ---- */

/* The rows of all families one behind the other. */
static struct {
	const struct scheme *at[MAX_SCHEMES];
	size_t n;
} rows;

static void list_rows(void)
{
	for (size_t f = 0; f < FAMILIES; f++)
		for (const struct scheme *s = families[f]; s->id != NULL; s++) {
			BUG_IF(rows.n == MAX_SCHEMES);
			rows.at[rows.n++] = s;
		}
}

size_t scheme_count(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, list_rows);
	return rows.n;
}

/* ---- names for expressions ---- */

/* Rows with an expression, and the schemes made from them; filled once. */
static struct {
	const struct scheme *row;
	struct scheme made;
} heirs[MAX_INHERITING];
static size_t n_heirs;

static void make_heir(const struct scheme *row)
{
	struct arena scratch;
	struct expr e;
	struct err err = {0};
	arena_init(&scratch);
	BUG_IF(n_heirs == MAX_INHERITING);
	if (!expr_parse(&e, row->expression, &scratch, &err))
		BUG("combination %s: %s", row->id, err.text);
	heirs[n_heirs].made = *row;
	scheme_inherit(&heirs[n_heirs].made, &e);
	heirs[n_heirs++].row = row;
	arena_release(&scratch);
}

/* Completes the rows with an expression. Parsing these expressions looks up schemes on this
 * thread: those that are needed exist already and have no expression themselves. */
static void make_heirs(void)
{
	static atomic_bool done;
	static _Thread_local bool busy;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	if (busy || atomic_load(&done))
		return;
	pthread_mutex_lock(&lock);
	busy = true;
	for (size_t i = 0; i < scheme_count() && !atomic_load(&done); i++)
		if (rows.at[i]->expression != NULL)
			make_heir(rows.at[i]);
	busy = false;
	atomic_store(&done, true);
	pthread_mutex_unlock(&lock);
}

static const struct scheme *whole(const struct scheme *row)
{
	if (row->expression == NULL)
		return row;
	make_heirs();
	for (size_t i = 0; i < n_heirs; i++)
		if (heirs[i].row == row)
			return &heirs[i].made;
	return row;
}

/* ---- the list ---- */

const struct scheme *scheme_at(size_t i)
{
	BUG_IF(i >= scheme_count());
	return whole(rows.at[i]);
}

/* Returns the word at *list, or NULL at its end; *list moves behind it. */
static const char *next_word(const char **list, size_t *len)
{
	const char *word = *list + strspn(*list, " ");
	*len = strcspn(word, " ");
	*list = word + *len;
	return *len > 0 ? word : NULL;
}

static bool is_named(const struct scheme *s, const char *name, size_t len)
{
	if (strlen(s->id) == len && strncasecmp(s->id, name, len) == 0)
		return true;
	const char *list = s->aliases != NULL ? s->aliases : "";
	size_t size = 0;
	for (const char *word; (word = next_word(&list, &size)) != NULL;)
		if (size == len && strncasecmp(word, name, len) == 0)
			return true;
	return false;
}

/* Collects ids, aliases and names defined by the user, at most MAX_NAMES of them. */
static size_t all_names(const char **names, struct arena *a)
{
	size_t n = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = rows.at[i];
		if (n < MAX_NAMES)
			names[n++] = s->id;
		const char *list = s->aliases != NULL ? s->aliases : "";
		size_t len = 0;
		for (const char *word; (word = next_word(&list, &len)) != NULL;)
			if (n < MAX_NAMES)
				names[n++] = arena_strndup(a, word, len);
	}
	const struct scheme *own;
	for (size_t i = 0; n < MAX_NAMES && (own = define_at(i)) != NULL; i++)
		names[n++] = own->id;
	return n;
}

static const struct scheme *no_such_scheme(const char *name, size_t len, struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	const char **names = arena_calloc(&scratch, MAX_NAMES, sizeof *names);
	const size_t n = all_names(names, &scratch);
	char *given = arena_strndup(&scratch, name, len < NAME_BYTES ? len : NAME_BYTES);
	for (char *c = given; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	const struct scheme_call *const call = scheme_called(given);
	const char *near = text_suggest(given, names, n);
	const char *quoted = text_quote(&scratch, name, len);
	if (call != NULL)
		err_set(err, "no scheme %s; here it is \"%s\"", quoted, call->expression);
	else if (near != NULL)
		err_set(err, "no scheme %s; did you mean \"%s\"?", quoted, near);
	else
		err_set(err, "no scheme %s; \"posviz list schemes\" names them all", quoted);
	arena_release(&scratch);
	return NULL;
}

const struct scheme *scheme_find(const char *name, size_t len, struct err *err)
{
	for (size_t i = 0; i < scheme_count(); i++)
		if (is_named(rows.at[i], name, len))
			return whole(rows.at[i]);
	const struct scheme *own = define_find(name, len);
	return own != NULL ? own : no_such_scheme(name, len, err);
}

bool scheme_matches(const struct scheme *s, const char *text)
{
	char year[NAME_BYTES], word[NAME_BYTES];
	snprintf(year, sizeof year, "%d", s->year);
	const char *const fields[] = {s->id,
				      s->aliases != NULL ? s->aliases : "",
				      s->title,
				      s->authors,
				      year,
				      topic_names[s->topic],
				      table2_names[s->table2],
				      reference_names[s->ref]};
	size_t len = 0;
	for (const char *at; (at = next_word(&text, &len)) != NULL;) {
		snprintf(word, sizeof word, "%.*s", len < NAME_BYTES ? (int)len : NAME_BYTES, at);
		bool found = false;
		for (size_t i = 0; i < sizeof fields / sizeof fields[0] && !found; i++)
			found = text_contains(fields[i], word);
		if (!found)
			return false;
	}
	return true;
}

/* Returns whether a pattern matches; a star matches any text. */
static bool matches_pattern(const char *pattern, const char *base)
{
	const size_t stem = strcspn(pattern, "*"), len = strlen(base);
	if (pattern[stem] == '\0')
		return strcmp(pattern, base) == 0;
	const char *const tail = pattern + stem + 1;
	return len >= stem + strlen(tail) && strncmp(pattern, base, stem) == 0 &&
	       strcmp(base + len - strlen(tail), tail) == 0;
}

const struct leaf_row *scheme_leaf(const struct scheme *s, const char *base)
{
	for (const struct leaf_row *l = s->leaves; l && l->base; l++)
		if (matches_pattern(l->base, base))
			return l;
	return NULL;
}
