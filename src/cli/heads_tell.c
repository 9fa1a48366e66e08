/* heads_tell.c: the results of the sub-command heads in words and as values. */
#include "heads.h"

#include <math.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static const struct finding_column columns[] = {
	{"layer", "layer"},
	{"head", "head"},
	{NULL, "sd"},
	{"distance %", "shares.distance", .rounded = true},
	{"key %", "shares.key", .rounded = true},
	{"content %", "shares.content", .rounded = true},
	{"peak", "peak"},
	{"previous", "previous", .rounded = true},
	{"first", "first", .rounded = true},
	{"same", "same", .rounded = true},
	{"induction", "induction", .rounded = true},
	{"local", "local", .rounded = true},
	{"entropy", "entropy", .rounded = true},
	{"mean distance", "distance", .rounded = true},
	{"order", "order", .rounded = true},
	{"own %", "own_like", .rounded = true},
	{"difference", "kernel_difference", .rounded = true},
	{NULL, "stands_out"},
	{NULL, "why"},
};

static struct finding_cell share(struct arena *a, double value)
{
	return finding_known(isnan(value) ? "" : arena_printf(a, "%.1f", 100 * value), value);
}

static struct finding_cell score(struct arena *a, const struct profile_head *h, size_t i)
{
	const double value = h->score[i];
	const char *const star = h->stands[i] ? "*" : "";
	return finding_known(isnan(value) ? "" : arena_printf(a, "%.2f%s", value, star), value);
}

static void add_row(const struct profile_run *run, const struct profile_head *h, size_t cell,
		    struct findings *f)
{
	enum { COLUMNS = sizeof columns / sizeof *columns, BEFORE = 7 };
	struct arena *const a = f->arena;
	struct finding_cell row[COLUMNS];
	const size_t layer = cell / run->sizes.heads + 1, head = cell % run->sizes.heads + 1;
	const double peak = h->peak;
	const char *stands = "";
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		if (h->stands[i])
			stands = arena_printf(a, "%s%s%s", stands, *stands ? " " : "",
					      profile_scores[i].name);
	row[0] = finding_number(arena_printf(a, "%zu", layer), (double)layer);
	row[1] = finding_number(arena_printf(a, "%zu", head), (double)head);
	row[2] = finding_known(NULL, h->sd);
	row[3] = share(a, h->distance);
	row[4] = share(a, h->key);
	row[5] = share(a, h->content);
	row[6] = finding_known(isnan(peak) ? "" : arena_printf(a, "%+.0f", peak + 0.0), peak);
	for (size_t i = 0; i < PROFILE_SCORES; i++)
		row[BEFORE + i] = score(a, h, i);
	row[BEFORE + PROFILE_SCORES] = share(a, h->own_like);
	row[BEFORE + PROFILE_SCORES + 1] = finding_known(
		isnan(h->own_apart) ? "" : arena_printf(a, "%.3f", h->own_apart), h->own_apart);
	row[BEFORE + PROFILE_SCORES + 2] = finding_word(stands);
	row[BEFORE + PROFILE_SCORES + 3] = finding_word(h->why);
	findings_add(f, row);
}

static void add_numbers(struct report *r, const char *key, const double *at, size_t n)
{
	report_array(r, key);
	for (size_t i = 0; i < n && at; i++)
		report_number(r, NULL, at[i]);
	report_end(r);
}

/* Adds to JSON the kernels and bands of each head. */
static void add_kernels(const struct profile_run *run, const struct profile_head *heads,
			struct report *r)
{
	const size_t d = 2 * run->sizes.n - 1, bands = run->sizes.bands ? run->sizes.bands + 1 : 0;
	report_number(r, "first_distance", 1 - (double)run->sizes.n);
	report_array(r, "kernels");
	for (size_t i = 0; i < run->sizes.layers * run->sizes.heads; i++) {
		report_object(r, NULL);
		report_number(r, "layer", (double)(i / run->sizes.heads + 1));
		report_number(r, "head", (double)(i % run->sizes.heads + 1));
		add_numbers(r, "logits", heads[i].kernel, d);
		add_numbers(r, "logits_half_width", heads[i].kernel_half, d);
		add_numbers(r, "weights", heads[i].weight, d);
		add_numbers(r, "weights_half_width", heads[i].weight_half, d);
		add_numbers(r, "own", heads[i].own, heads[i].own ? d : 0);
		add_numbers(r, "bands", heads[i].band, bands);
		add_numbers(r, "bands_of_kernel", heads[i].band_mean, bands);
		report_end(r);
	}
	report_end(r);
}

static void add_noise(const struct profile_head *h, struct report *r)
{
	report_array(r, "noise");
	for (size_t i = 0; i < PROFILE_SCORES; i++) {
		report_object(r, NULL);
		report_word(r, "score", profile_scores[i].name);
		report_word(r, "means", profile_scores[i].means);
		report_word(r, "source", profile_scores[i].source);
		report_number(r, "low", h->low[i]);
		report_number(r, "high", h->high[i]);
		report_end(r);
	}
	report_end(r);
}

size_t *heads_order(const struct cli *c, const struct heads_measured *of,
		    const struct profile_head *heads, bool sizes, struct arena *a, size_t *n)
{
	static const char layer[] = "layer";
	const size_t column = cli_given(c, "profile-sort")
				      ? (size_t)c->scene.profile_sort
				      : profile_name_find(layer, strlen(layer));
	return profile_order(&of->run.sizes, heads, &c->scene, column, sizes, a, n);
}

static void add_rows(const struct cli *c, const struct heads_measured *of,
		     const struct profile_head *heads, bool sizes, const char *key,
		     struct report *r)
{
	struct findings rows;
	size_t n;
	const size_t *const order = heads_order(c, of, heads, sizes, r->arena, &n);
	findings_init(&rows, r->arena, columns, sizeof columns / sizeof *columns);
	rows.margin = "";
	for (size_t i = 0; i < n; i++)
		add_row(&of->run, &heads[order[i]], order[i], &rows);
	report_rows(r, key, &rows);
	if (n == 0)
		report_say(r, "No head fits the filter.\n");
}

static void add_facts(struct report *r, const char *const *facts, size_t n)
{
	report_array(r, "facts");
	for (size_t i = 0; i < n; i++) {
		report_wrap(r, "%s", facts[i]);
		report_word(r, NULL, facts[i]);
	}
	report_end(r);
}

static void tell_one(struct cli *c, const struct heads_measured *of, struct report *r)
{
	const char *facts[PROFILE_FACTS];
	const size_t n = profile_facts(&of->run, of->heads, r->arena, facts);
	add_rows(c, of, of->heads, false, "heads", r);
	add_noise(&of->heads[0], r);
	add_kernels(&of->run, of->heads, r);
	report_say(r, "\n");
	report_wrap(
		r,
		"%s. Shares are of the logits' variance within rows; peak is the distance s-t where the "
		"kernel is largest. A star: beyond 99.9 %% of noise heads. %s Head 2·1 is head 1 of layer 2. "
		"posviz help heads says what the scores are.",
		profile_made(&of->run, of->windows, r->arena),
		of->run.own_why
			? arena_printf(r->arena, "The scheme has no kernel of its own: %s.",
				       of->run.own_why)
			: "Own: how much of the kernel is the scheme's own, and their difference, on the average of pairs.");
	report_word(r, "own_why", of->run.own_why);
	add_facts(r, facts, n);
}

/* Tells the differences; JSON has both profiles too. */
static void tell_both(struct cli *c, const struct heads_measured *of,
		      const struct heads_measured *other, struct report *r)
{
	const char *facts[PROFILE_FACTS];
	const struct profile_head *const by =
		profile_differences(of->profile, of->heads, other->heads, r->arena);
	const size_t n =
		profile_changes(&of->run.sizes, of->heads, other->heads, by, r->arena, facts);
	if (r->form == REPORT_JSON) {
		report_word(r, "name", of->name);
		add_rows(c, of, of->heads, false, "heads", r);
		add_noise(&of->heads[0], r);
		add_kernels(&of->run, of->heads, r);
		report_object(r, "compared");
		report_word(r, "name", other->name);
		report_number(r, "windows", (double)other->windows);
		add_rows(c, other, other->heads, false, "heads", r);
		add_kernels(&other->run, other->heads, r);
		report_end(r);
	}
	add_rows(c, of, by, true, "differences", r);
	report_say(r, "\n");
	report_wrap(
		r,
		"%s less %s, %s. Shares in percent; difference: of the kernels, on the average of "
		"pairs. A star: by more than both 95 %% intervals.",
		other->name, of->name, profile_made(&of->run, of->windows, r->arena));
	add_facts(r, facts, n);
}

bool heads_tell(struct cli *c, const struct heads_measured *of, const struct heads_measured *other,
		struct err *err)
{
	struct report r;
	report_init(&r, c, &c->arena, 0);
	report_open(&r);
	report_number(&r, "windows", (double)of->windows);
	report_number(&r, "window_length", (double)of->run.sizes.n);
	if (other)
		tell_both(c, of, other, &r);
	else
		tell_one(c, of, &r);
	report_end(&r);
	if (output_is_standard(c))
		return report_write(&r, c, err);
	const char *const text =
		r.json ? arena_printf(r.arena, "%s\n", json_writer_done(r.json, 2)) : r.out.at;
	return output_write(c, text, strlen(text), err);
}
