/* task_lines.c: a task as a file: a line for each sentence, its words, a tab, and an answer for each
 * word, "-" where none is asked. Every eighth line, and every line longer than training allows, is
 * kept for the test. */
#include <math.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"

enum {
	MOST_BYTES = 16 << 20,
	MOST_WORDS = 4096,
	MOST_NAMES = 512,
	TRAINED = 16,
	KEPT = 8,
	LONGER = 8
};

struct task_lines {
	struct example *line;
	size_t n, cap;
	size_t *train, n_train; /* the lines that training draws from */
	size_t longest;
};

struct reading {
	struct arena *a;
	struct task_lines *lines;
	const char *letter[MOST_NAMES], *answer[MOST_NAMES];
	size_t letters, answers;
	const char *path;
	size_t number; /* of the line, from 1 */
};

static bool wrong(const struct reading *r, struct err *err)
{
	return err_prefix(err, "%s:%zu: ", text_escape(r->a, r->path, strlen(r->path)), r->number);
}

/* Finds the number of a name, or adds it. */
static bool number_of(const char **list, size_t *n, const char *name, const char *what,
		      int32_t *out, struct arena *a, struct err *err)
{
	const char *const seen = text_escape(a, name, strlen(name));
	for (*out = 0; (size_t)*out < *n; (*out)++)
		if (strcmp(list[*out], seen) == 0)
			return true;
	if (*n == MOST_NAMES)
		return err_set(err, "more than %d different %s", MOST_NAMES, what);
	list[(*n)++] = seen;
	return true;
}

static size_t split(char *text, char **out)
{
	size_t n = 0;
	char *rest = NULL;
	for (char *word = strtok_r(text, " ", &rest); word && n < MOST_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		out[n++] = word;
	return n;
}

static struct example *new_line(struct task_lines *lines, size_t n, struct arena *a)
{
	lines->line = arena_grow(a, lines->line, lines->n, &lines->cap, sizeof *lines->line);
	task_room(&lines->line[lines->n], n, a);
	return &lines->line[lines->n++];
}

static bool read_line(struct reading *r, char *text, struct err *err)
{
	char *const tab = strchr(text, '\t');
	char **const word = arena_calloc(r->a, MOST_WORDS, sizeof *word);
	char **const answer = arena_calloc(r->a, MOST_WORDS, sizeof *answer);
	if (!tab)
		return err_set(err, "no tab; \"a b c TAB - a b\" would be right");
	*tab = '\0';
	const size_t n = split(text, word), answers = split(tab + 1, answer);
	if (n != answers)
		return err_set(
			err,
			"%zu words and %zu answers; as many of both would be right, \"-\" where "
			"nothing is asked",
			n, answers);
	if (n < 2)
		return err_set(err, "a sentence of %zu words; at least 2 would be right", n);
	struct example *const e = new_line(r->lines, n, r->a);
	for (size_t t = 0; t < n; t++) {
		if (!number_of(r->letter, &r->letters, word[t], "words", &e->letter[t], r->a, err))
			return false;
		if (strcmp(answer[t], "-") != 0 && !number_of(r->answer, &r->answers, answer[t],
							      "answers", &e->answer[t], r->a, err))
			return false;
	}
	return true;
}

static bool read_lines(struct reading *r, char *data, size_t len, struct err *err)
{
	for (char *at = data; at < data + len;) {
		char *end = memchr(at, '\n', (size_t)(data + len - at));
		end = end ? end : data + len;
		r->number++;
		if (!text_valid(at, (size_t)(end - at)) || memchr(at, '\0', (size_t)(end - at))) {
			err_set(err, "not UTF-8 text");
			return wrong(r, err);
		}
		*end = '\0';
		if (end > at && end[-1] == '\r')
			end[-1] = '\0';
		if (*at && !read_line(r, at, err))
			return wrong(r, err);
		at = end + 1;
	}
	return true;
}

/* Lines of at most TRAINED words train, or all if none is so short. */
static void share_out(struct task *out, struct task_lines *lines, struct arena *a)
{
	size_t shortest = SIZE_MAX, longest = 0;
	for (size_t i = 0; i < lines->n; i++) {
		shortest = lines->line[i].n < shortest ? lines->line[i].n : shortest;
		longest = lines->line[i].n > longest ? lines->line[i].n : longest;
	}
	out->shortest = shortest;
	out->longest = shortest > TRAINED || longest < TRAINED ? longest : TRAINED;
	lines->longest = longest;
	lines->train = arena_calloc(a, lines->n, sizeof *lines->train);
	for (size_t i = 0; i < lines->n; i++)
		if (lines->line[i].n <= out->longest && (i % KEPT != KEPT - 1))
			lines->train[lines->n_train++] = i;
}

bool task_lines_open(struct task *out, const char *path, struct arena *a, struct err *err)
{
	struct reading *const r = arena_calloc(a, 1, sizeof *r);
	struct task_lines *const lines = arena_calloc(a, 1, sizeof *lines);
	char *data;
	size_t len;
	*r = (struct reading){.a = a, .lines = lines, .path = path};
	if (!file_read(path, MOST_BYTES, a, &data, &len, err) || !read_lines(r, data, len, err))
		return false;
	if (lines->n < KEPT)
		return err_set(
			err,
			"%s: %zu sentences; at least %d would be right, as every %dth is kept "
			"for the test",
			text_escape(a, path, strlen(path)), lines->n, KEPT, KEPT);
	if (r->answers < 2)
		return err_set(err, "%s: %zu different answers; at least 2 would be right",
			       text_escape(a, path, strlen(path)), r->answers);
	share_out(out, lines, a);
	if (lines->longest > LONGER * out->longest)
		return err_set(
			err,
			"%s: a sentence of %zu words; at most %zu would be right, %d times the "
			"longest in training",
			text_escape(a, path, strlen(path)), lines->longest, LONGER * out->longest,
			LONGER);
	out->lines = lines;
	out->letters = r->letters;
	out->classes = r->answers;
	out->letter = r->letter;
	out->answer = r->answer;
	return true;
}

void task_lines_train(const struct task_lines *lines, struct rng *rng, struct example *out)
{
	*out = lines->line[lines->train[rng_below(rng, lines->n_train)]];
}

static bool is_tested(const struct task_lines *lines, size_t i, size_t n, size_t longest)
{
	const size_t len = lines->line[i].n;
	return n <= longest ? len <= longest && i % KEPT == KEPT - 1
			    : len > n / 2 && len <= n && len > longest;
}

void task_lines_test(const struct task_lines *lines, size_t n, size_t longest, size_t count,
		     struct arena *a, struct example **out, size_t *n_out)
{
	*out = arena_calloc(a, count + 1, sizeof **out);
	*n_out = 0;
	for (size_t i = 0; i < lines->n && *n_out < count; i++)
		if (is_tested(lines, i, n, longest))
			(*out)[(*n_out)++] = lines->line[i];
}
