/* expr_kept.c: parsed expressions, kept beside their texts.
 *
 * A scene holds its expression as text, and everything that asks what the text says gets the same
 * parsed value: it is made when the text is first read and lives as long as the process. A text
 * with a name of the user's own means something else when that name does, so it is then parsed
 * again. */
#include <pthread.h>
#include <string.h>

#include "posviz/scheme/scheme.h"

enum { BUCKETS = 256, MOST = 2048 };

struct kept {
	struct kept *next;
	size_t changes; /* define_changes() when it was parsed */
	const char *text;
	struct expr expr;
};
static struct kept *buckets[BUCKETS];
static size_t n_kept;
static struct arena memory;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct kept **bucket_of(const char *text)
{
	uint32_t h = 2166136261u;
	for (const char *c = text; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	return &buckets[h % BUCKETS];
}

/* Parses a copy of the text into memory of `a`; NULL, and the memory is free again: it is wrong. */
static struct kept *parse(const char *text, struct arena *a, struct err *err)
{
	const struct arena_mark before = arena_mark(a);
	struct kept *const k = arena_calloc(a, 1, sizeof *k);
	k->changes = define_changes();
	k->text = arena_strdup(a, text);
	if (expr_parse(&k->expr, k->text, a, err))
		return k;
	arena_rewind(a, before);
	return NULL;
}

const struct expr *expr_of(const char *text, struct arena *a, struct err *err)
{
	const size_t changes = define_changes();
	struct kept **const bucket = bucket_of(text);
	pthread_mutex_lock(&lock);
	struct kept *k = *bucket;
	while (k && (k->changes != changes || strcmp(k->text, text) != 0))
		k = k->next;
	const bool room = n_kept < MOST;
	if (!k && room && (k = parse(text, &memory, err)) != NULL) {
		k->next = *bucket;
		*bucket = k;
		n_kept++;
	}
	pthread_mutex_unlock(&lock);
	if (!k && !room)
		k = parse(text, a, err);
	return k ? &k->expr : NULL;
}

struct expr *expr_copy(const struct expr *e, struct arena *a)
{
	if (!e)
		return NULL;
	struct expr *const out = arena_alloc(a, sizeof *out);
	*out = *e;
	for (size_t i = 0; i < e->n; i++) {
		const size_t size = e->members[i].scheme->param_size;
		if (size == 0)
			continue;
		out->members[i].param = arena_alloc(a, size);
		memcpy(out->members[i].param, e->members[i].param, size);
	}
	return out;
}
