/* test_trainings.c: the numbers of brief trainings: of every scheme at its defaults on one task, and of every task with
 * one scheme, kept in tests/data/trainings.txt.
 *
 * Sessions take results that earlier ones have kept, if LEARN_VERSION is the same: whoever changes the numbers must
 * raise it. `make trainings` writes the file anew, but no changed number of the same version. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_arena.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/learn/learn.h"
#include "posviz/scheme/scheme.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

enum { STEPS = 3, MOST_BYTES = 1 << 20 };

/* The loss of the last step depends on the two before it, and is this far from that of other kernels. */
static const double tolerance = 1e-9;

/* A line of the file: "rope shift 2.0831 0.125": the loss, and the share of right answers. */
struct row {
	const char *scheme, *task;
	double loss, right; /* NaN: it cannot be trained */
};

static size_t count_tasks(void)
{
	size_t n = 0;
	while (task_rows[n].id)
		n++;
	return n;
}

static size_t count_rows(void)
{
	return scheme_count() + count_tasks();
}

static struct row train(size_t i)
{
	const bool of_scheme = i < scheme_count();
	struct row out = {of_scheme ? scheme_at(i)->id : "rope+alibi",
			  of_scheme ? "shift" : task_rows[i - scheme_count()].id, NAN, NAN};
	struct learn_options o;
	struct learner *l = NULL;
	struct accuracy at = {.right = NAN};
	learn_defaults(&o);
	o.scheme = out.scheme;
	o.task = out.task;
	o.steps = STEPS;
	if (learner_new(&l, &o, NULL) && learner_train(l, STEPS, NULL, NULL)) {
		out.loss = l->loss[STEPS - 1];
		if (!of_scheme)
			learner_test(l, l->task.shortest, &arena, &at, NULL, NULL);
		out.right = at.right;
	}
	learner_free(l);
	return out;
}

static const char *path(void)
{
	return arena_printf(&arena, "%s/trainings.txt", test_data);
}

/* Finds the row of a training in the text of the file. */
static bool find(const char *text, const struct row *of, struct row *out)
{
	const char *const begins = arena_printf(&arena, "\n%s %s ", of->scheme, of->task);
	const char *const at = strstr(text, begins);
	*out = *of;
	return at && sscanf(at + strlen(begins), "%lf %lf", &out->loss, &out->right) == 2;
}

static bool same(double x, double y)
{
	return (isnan(x) && isnan(y)) || fabs(x - y) <= tolerance;
}

static const char *kept_text(int *version)
{
	char *text = NULL;
	size_t len;
	*version = 0;
	if (file_read(path(), MOST_BYTES, &arena, &text, &len, NULL))
		sscanf(text, "LEARN_VERSION %d", version);
	return text;
}

static void compare(const char *text, const struct row *is)
{
	struct row was;
	if (find(text, is, &was) && !(same(is->loss, was.loss) && same(is->right, was.right)))
		fail_msg("%s on %s: loss %.17g, right %g; kept are %.17g and %g: raise "
			 "LEARN_VERSION (posviz/learn/learn.h), then `make trainings`",
			 is->scheme, is->task, is->loss, is->right, was.loss, was.right);
}

static void write_anew(const char *text, int version)
{
	struct strbuf out;
	char loss[32], right[32];
	strbuf_init(&out, &arena);
	strbuf_printf(&out, "LEARN_VERSION %d\n", LEARN_VERSION);
	for (size_t i = 0; i < count_rows(); i++) {
		const struct row is = train(i);
		if (version == LEARN_VERSION)
			compare(text, &is);
		strbuf_printf(&out, "%s %s %s %s\n", is.scheme, is.task,
			      num_print(loss, sizeof loss, is.loss),
			      num_print(right, sizeof right, is.right));
	}
	assert_true(file_write(path(), out.at, out.len, true, NULL));
}

TEST_IN_PARTS(numbers_change_with_their_version_alone, 4)
{
	int version;
	struct row was;
	const char *const text = kept_text(&version);
	if (getenv("TRAININGS_WRITE")) {
		if (test_part == 0)
			write_anew(text, version);
		return;
	}
	if (version != LEARN_VERSION)
		fail_msg("%s is of version %d, and LEARN_VERSION is %d: `make trainings`", path(),
			 version, LEARN_VERSION);
	for (size_t i = test_part; i < count_rows(); i += test_parts) {
		const struct row is = train(i);
		if (!find(text, &is, &was))
			fail_msg("%s lacks %s on %s: `make trainings`", path(), is.scheme, is.task);
		compare(text, &is);
	}
}
