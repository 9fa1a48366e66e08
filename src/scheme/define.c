/* define.c: names that the user defines for expressions.
 *
 * A name is a scheme without hooks that stands for an expression. It is never a member: the
 * parser replaces it by that expression, so a definition can change, or be removed, while scenes
 * that used it stay the same. Returned names stay valid: nothing is ever freed. */
#include "scheme/inherit.h"

#include <pthread.h>
#include <string.h>
#include <strings.h>

#include "posviz/base/text.h"

enum { MOST = 256, NAME_BYTES = 32 };

static const struct scheme *defined[MOST];
static size_t n_defined, changes;
static struct arena kept; /* zeroed, as arena_init leaves it */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t place_of(const char *name, size_t len)
{
	size_t i = 0;
	while (i < n_defined &&
	       (strlen(defined[i]->id) != len || strncasecmp(defined[i]->id, name, len) != 0))
		i++;
	return i;
}

const struct scheme *define_at(size_t i)
{
	pthread_mutex_lock(&lock);
	const struct scheme *const s = i < n_defined ? defined[i] : NULL;
	pthread_mutex_unlock(&lock);
	return s;
}

size_t define_changes(void)
{
	pthread_mutex_lock(&lock);
	const size_t n = changes;
	pthread_mutex_unlock(&lock);
	return n;
}

const struct scheme *define_find(const char *name, size_t len)
{
	pthread_mutex_lock(&lock);
	const size_t i = place_of(name, len);
	const struct scheme *const s = i < n_defined ? defined[i] : NULL;
	pthread_mutex_unlock(&lock);
	return s;
}

/* ---- names ---- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool name_right(const char *name, struct err *err)
{
	static const char rest[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	char quoted[128];
	const size_t len = strlen(name);
	text_quote_buf(quoted, sizeof quoted, name, len);
	if (!is_letter(name[0]) || strspn(name, rest) != len)
		return err_set(err,
			       "%s cannot be a name: a letter, and then letters, digits, _ - and . "
			       "would be right",
			       quoted);
	if (len > NAME_BYTES)
		return err_set(err, "the name %s is too long; up to %d letters would be right",
			       quoted, NAME_BYTES);
	const struct scheme *const s = scheme_find(name, len, NULL);
	if (s != NULL && !(s->flags & SCHEME_YOURS && s->expression != NULL))
		return err_set(err, "%s is a scheme's name already; another would be right",
			       quoted);
	return true;
}

/* ---- definitions ---- */

/* Makes a definition in `kept`; the caller holds the lock. */
static const struct scheme *make_definition(const char *name, const struct expr *e,
					    const char *text)
{
	struct scheme *const s = arena_calloc(&kept, 1, sizeof *s);
	*s = (struct scheme){.id = arena_strdup(&kept, name),
			     .title = "Yours",
			     .authors = "you",
			     .cite = "defined by you",
			     .about = "A name of your own for an expression.",
			     .flags = SCHEME_NOT_IN_SURVEY | SCHEME_YOURS,
			     .evidence = EVIDENCE_OURS,
			     .evidence_note = "see what it stands for",
			     .expression = arena_strdup(&kept, text)};
	scheme_inherit(s, e);
	return s;
}

static bool add(const char *name, const struct expr *e, const char *text, struct err *err)
{
	pthread_mutex_lock(&lock);
	const size_t i = place_of(name, strlen(name));
	const bool room = i < MOST;
	if (room && (i == n_defined || strcmp(defined[i]->expression, text) != 0)) {
		defined[i] = make_definition(name, e, text);
		changes++;
	}
	if (room && i == n_defined)
		n_defined++;
	pthread_mutex_unlock(&lock);
	return room || err_set(err, "%d names are defined already; undefine one", MOST);
}

bool define_set(const char *name, const char *expression, struct err *err)
{
	struct arena scratch;
	struct expr e;
	if (!name_right(name, err))
		return false;
	arena_init(&scratch);
	const bool ok = expr_parse(&e, expression, &scratch, err) &&
			add(name, &e, expr_print(&e, &scratch), err);
	arena_release(&scratch);
	return ok;
}

static bool no_such_name(const char *name, struct err *err)
{
	const char *names[MOST];
	char quoted[128];
	size_t n = 0;
	for (const struct scheme *s; n < MOST && (s = define_at(n)) != NULL;)
		names[n++] = s->id;
	const char *const near = text_nearest(name, names, n);
	text_quote_buf(quoted, sizeof quoted, name, strlen(name));
	if (near != NULL)
		return err_set(err, "%s is no name of yours; did you mean \"%s\"?", quoted, near);
	return err_set(err, "%s is no name of yours; define makes one", quoted);
}

bool define_remove(const char *name, struct err *err)
{
	pthread_mutex_lock(&lock);
	const size_t i = place_of(name, strlen(name));
	const bool found = i < n_defined;
	if (found) {
		memmove(&defined[i], &defined[i + 1],
			(--n_defined - i) * sizeof(const struct scheme *));
		changes++;
	}
	pthread_mutex_unlock(&lock);
	return found || no_such_name(name, err);
}
