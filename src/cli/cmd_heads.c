/* cmd_heads.c: prints what the heads of a model do with position, over windows of a text. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "posviz/analysis/profile_run.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/math/machine.h"
#include "posviz/scene/model_open.h"
#include "posviz/token/tokenizer.h"

static const double save_every = 20; /* seconds */

enum { TEXT_LIMIT = 64 << 20 };

/* ---- input ----------------------------------------------------------------------------------- */

/* Fields of one sentence: windows have none. */
static const char *const of_sentence[] = {
	"sentence",	 "conllu",	"tree",	  "graph",	 "governors",	 "keys", "order",
	"reorder",	 "translation", "length", "segments",	 "position-ids", "pack", "pad",
	"memory-tokens", "special",	"stack",  "source-text", "source-ids",	 NULL};

static bool check_fields(const struct cli *c, struct err *err)
{
	for (size_t i = 0; of_sentence[i]; i++)
		if (cli_given(c, of_sentence[i]))
			return err_set(
				err,
				"heads: --%s is of one sentence, and heads are measured on windows "
				"of a text; --text FILE would be right",
				of_sentence[i]);
	if (c->qk && (cli_given(c, "file") || cli_given(c, "window-length") || cli_given(c, "ids")))
		return err_set(err,
			       "heads: --%s is of a text, and --qk brings its own windows; leave "
			       "one of them out",
			       cli_given(c, "file")  ? "text"
			       : cli_given(c, "ids") ? "ids"
						     : "window-length");
	return true;
}

/* Lets the model's tokenizer cut the text, however large its layers are. */
static bool take_model(struct cli *c, struct err *err)
{
	struct setup *const s = &c->scene.setup;
	if (!*s->checkpoint || setup_computes(s) || c->qk)
		return true;
	if (!tokenizer_is_there(s->checkpoint))
		return err_set(
			err,
			"heads: %s has no tokenizer; --token-file FILE with ids of a text would be "
			"right",
			text_quote(&c->arena, s->checkpoint, strlen(s->checkpoint)));
	s->tokens = TOKENS_MODEL;
	return true;
}

static bool take_subject(struct cli *c, struct err *err)
{
	if (c->qk && !c->scheme_given && c->n_args == 0) {
		c->scheme_given = true;
		return scene_set(&c->scene, field_find("scheme"), "none", err);
	}
	return cli_alone(c, err);
}

static bool open_run(struct cli *c, struct profile_run *run, struct err *err)
{
	const struct scene *const s = &c->scene;
	struct profile_of of = {.setup = &s->setup,
				.length =
					profile_length(s->window_length, setup_computes(&s->setup)),
				.qk = c->qk};
	if (*s->setup.file) {
		of.text = s->setup.file;
		if (!setup_text(&s->setup, TEXT_LIMIT, &c->arena, &of.words, &of.len, err))
			return false;
	}
	return profile_open(&of, &c->arena, run, err);
}

/* ---- windows --------------------------------------------------------------------------------- */

static bool save(const struct cli *c, const char *path, struct profile *p,
		 const struct profile_run *run, struct err *err)
{
	struct tensor_set set;
	struct arena a;
	char *data;
	size_t len;
	arena_init(&a);
	tensor_set_init(&set, &a);
	const bool ok =
		profile_save(p, run, &set, &a) && tensor_write_npz(&set, &a, &data, &len, err) &&
		(path ? file_write(path, data, len, true, err) : output_write(c, data, len, err));
	arena_release(&a);
	return ok;
}

/* Returns the profile of the file that keeps results, or a new one; NULL: the file is of something
 * else. */
static struct profile *begin(struct cli *c, const struct profile_run *run, size_t *done,
			     struct err *err)
{
	*done = 0;
	if (!c->results || !file_exists(c->results))
		return profile_new(&run->sizes, &c->arena);
	struct profile *const p = profile_load(c->results, run, done, &c->arena, err);
	if (!p)
		err_prefix(err, "results: ");
	return p;
}

static bool measure(struct cli *c, struct profile_run *run, struct profile **out, size_t *windows,
		    struct err *err)
{
	const size_t most = profile_windows(run, c->scene.windows);
	size_t done;
	struct profile *const p = *out = begin(c, run, &done, err);
	if (!p)
		return false;
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct watch *const watch = progress_begin();
	const size_t first = done;
	double saved = machine_seconds();
	bool ok = true;
	watch_expect(watch, done < most ? profile_heads_to_run(run, done, most) : 0);
	for (; ok && done < most; done += ok) {
		ok = profile_step(run, p, done, cache, watch, err);
		if (!ok || !c->results || machine_seconds() - saved < save_every)
			continue;
		ok = save(c, c->results, p, run, err);
		saved = machine_seconds();
	}
	progress_end();
	cache_free(cache);
	*windows = done;
	return ok &&
	       (!c->results || (done == first && first > 0) || save(c, c->results, p, run, err));
}

/* ---- output ---------------------------------------------------------------------------------- */

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

/* Returns the distance at which the kernel is largest; NaN: there is no kernel. */
static double peak_of(const struct profile_head *h, size_t n)
{
	size_t best = SIZE_MAX;
	for (size_t i = 0; i < 2 * n - 1; i++)
		if (!isnan(h->kernel[i]) && (best == SIZE_MAX || h->kernel[i] > h->kernel[best]))
			best = i;
	return best == SIZE_MAX || isnan(h->distance) ? NAN : (double)best - (double)(n - 1);
}

static void add_row(const struct profile_run *run, const struct profile_head *h, size_t cell,
		    struct findings *f)
{
	enum { COLUMNS = sizeof columns / sizeof *columns, BEFORE = 7 };
	struct arena *const a = f->arena;
	struct finding_cell row[COLUMNS];
	const size_t layer = cell / run->sizes.heads + 1, head = cell % run->sizes.heads + 1;
	const double peak = peak_of(h, run->sizes.n);
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
	row[BEFORE + PROFILE_SCORES] = finding_word(stands);
	row[BEFORE + PROFILE_SCORES + 1] = finding_word(h->why);
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
		add_numbers(r, "logits", heads[i].kernel, d);
		add_numbers(r, "logits_half_width", heads[i].kernel_half, d);
		add_numbers(r, "weights", heads[i].weight, d);
		add_numbers(r, "weights_half_width", heads[i].weight_half, d);
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

static bool tell(struct cli *c, const struct profile_run *run, struct profile *p, size_t windows,
		 struct err *err)
{
	const char *facts[PROFILE_FACTS];
	struct report r;
	struct findings rows;
	const struct profile_head *const heads = profile_results(p, true, &c->arena);
	const size_t n = profile_facts(run, heads, &c->arena, facts);
	report_init(&r, c, &c->arena, 0);
	findings_init(&rows, r.arena, columns, sizeof columns / sizeof *columns);
	rows.margin = "";
	for (size_t i = 0; i < run->sizes.layers * run->sizes.heads; i++)
		add_row(run, &heads[i], i, &rows);
	report_open(&r);
	report_number(&r, "windows", (double)windows);
	report_number(&r, "window_length", (double)run->sizes.n);
	report_rows(&r, "heads", &rows);
	add_noise(&heads[0], &r);
	add_kernels(run, heads, &r);
	report_say(&r, "\n");
	report_wrap(
		&r,
		"%s. Shares are of the logits' variance within rows; peak is the distance s-t where the "
		"kernel is largest. A star: beyond 99.9 %% of noise heads. posviz help heads says what the "
		"scores are.",
		profile_made(run, windows, r.arena));
	report_array(&r, "facts");
	for (size_t i = 0; i < n; i++) {
		report_wrap(&r, "%s", facts[i]);
		report_word(&r, NULL, facts[i]);
	}
	report_end(&r);
	report_end(&r);
	if (output_is_standard(c))
		return report_write(&r, c, err);
	const char *const text =
		r.json ? arena_printf(r.arena, "%s\n", json_writer_done(r.json, 2)) : r.out.at;
	return output_write(c, text, strlen(text), err);
}

int cmd_heads(struct cli *c, struct err *err)
{
	struct profile_run run;
	struct profile *p;
	size_t windows;
	const bool typed = c->output && !output_is_standard(c) && !c->format;
	if (!check_fields(c, err) || !take_subject(c, err) ||
	    !(typed ? output_format(c, err) : output_format_or_text(c, err)) ||
	    !options_fit(c, err) || !take_model(c, err))
		return EXIT_BAD_USE;
	const bool npz = strcmp(c->format, "npz") == 0;
	if (!output_check(c, npz, err) || !open_run(c, &run, err) || !output_free(c, NULL, err) ||
	    !measure(c, &run, &p, &windows, err))
		return EXIT_BAD_USE;
	const bool ok = npz ? save(c, NULL, p, &run, err) : tell(c, &run, p, windows, err);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
