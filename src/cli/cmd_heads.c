/* cmd_heads.c: prints what the heads of a model do with position, over windows of a text. */
#include "heads.h"

#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/math/machine.h"
#include "posviz/scene/beside.h"
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
static bool take_model(struct cli *c, struct setup *s, struct err *err)
{
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
	if (c->n_args == 2) {
		if (c->scheme_given || cli_given(c, "compare"))
			return err_set(err,
				       "heads: give both, by --scheme and --compare or without "
				       "them");
		if (!app_set_compared(&c->scene, c->args, c->n_args, err))
			return false;
		cli_adopt_sizes(c);
		return true;
	}
	/* The option --compare names the other model, so that the sub-command has one expression. */
	const char *const compare = c->scene.setup.compare;
	c->scene.setup.compare = "none";
	const bool ok = cli_alone(c, err);
	c->scene.setup.compare = compare;
	return ok;
}

static const char *name_of(const struct setup *s, struct arena *a)
{
	const char *const model = setup_model_name(s, a);
	return model ? model : expr_brief(s->scheme, a);
}

static bool open_run(struct cli *c, const struct setup *setup, struct heads_measured *out,
		     struct err *err)
{
	const struct scene *const s = &c->scene;
	out->setup = *setup;
	out->setup.compare = "none";
	out->name = name_of(setup, &c->arena);
	if (!take_model(c, &out->setup, err))
		return false;
	struct profile_of of = {
		.setup = &out->setup,
		.length = profile_length(s->window_length, setup_computes(&out->setup)),
		.qk = c->qk};
	if (*s->setup.file) {
		of.text = s->setup.file;
		if (!setup_text(&s->setup, TEXT_LIMIT, &c->arena, &of.words, &of.len, err))
			return false;
	}
	return profile_open(&of, &c->arena, &out->run, err);
}

/* Opens what --compare names; NULL: nothing. */
static bool open_other(struct cli *c, const struct heads_measured *of, struct heads_measured **out,
		       struct err *err)
{
	struct beside all[COMPARE_MAX];
	struct setup setup;
	*out = NULL;
	if (strcmp(c->scene.setup.compare, "none") == 0)
		return true;
	const size_t n = scene_beside(&c->scene.setup, &c->arena, all);
	if (c->qk)
		return err_set(err, "heads: --compare is of models, and --qk brings its own; leave "
				    "one of them out");
	if (n > 2)
		return err_set(err, "heads: --compare names %zu; one would be right", n - 1);
	if (beside_has_input(&all[1]))
		return err_set(err,
			       "heads: --compare has an input of its own, and windows are of one "
			       "text; EXPR, or EXPR @model PATH, would be right");
	*out = arena_calloc(&c->arena, 1, sizeof **out);
	return setup_of_compared(&c->scene.setup, 2, &c->arena, &setup, err) &&
	       open_run(c, &setup, *out, err) &&
	       profile_comparable(&of->run.sizes, &(*out)->run.sizes, of->name, (*out)->name, err);
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
static struct profile *begin(struct cli *c, const char *results, const struct profile_run *run,
			     size_t *done, struct err *err)
{
	*done = 0;
	if (!results || !file_exists(results))
		return profile_new(&run->sizes, &c->arena);
	struct profile *const p = profile_load(results, run, done, &c->arena, err);
	if (!p)
		err_prefix(err, "results: ");
	return p;
}

/* Returns the file for the results of the second model beside that of the first: "x-2.npz" of "x.npz". */
static const char *second_results(struct cli *c)
{
	static const char ending[] = ".npz";
	const char *const first = c->results;
	if (!first)
		return NULL;
	const size_t n = strlen(first), tail = sizeof ending - 1;
	const bool ends = n > tail && strcmp(first + n - tail, ending) == 0;
	return arena_printf(&c->arena, "%.*s-2%s", (int)(ends ? n - tail : n), first,
			    ends ? ending : "");
}

/* Measures windows, keeps them in the file `results` now and then (NULL: nowhere), and finds what is the
 * scheme's own. */
static bool measure(struct cli *c, const char *results, struct heads_measured *of, struct err *err)
{
	struct profile_run *const run = &of->run;
	const size_t most = profile_windows(run, c->scene.windows);
	size_t done = 0;
	struct profile *const p = of->profile = begin(c, results, run, &done, err);
	if (!p)
		return false;
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct watch *const watch = progress_begin();
	const size_t first = done;
	double saved = machine_seconds();
	bool ok = true;
	watch_expect(watch, (done < most ? profile_heads_to_run(run, done, most) : 0) +
				    profile_heads_of_own(run));
	for (; ok && done < most; done += ok) {
		ok = profile_step(run, p, done, cache, watch, err);
		if (!ok || !results || machine_seconds() - saved < save_every)
			continue;
		ok = save(c, results, p, run, err);
		saved = machine_seconds();
	}
	ok = ok && profile_find_own(run, p, cache, watch, err);
	progress_end();
	cache_free(cache);
	of->windows = done;
	return ok && (!results || (done == first && first > 0) || save(c, results, p, run, err));
}

static bool write_results(struct cli *c, struct heads_measured *of, struct heads_measured *other,
			  struct err *err)
{
	if (strcmp(c->format, "npz") == 0)
		return save(c, NULL, of->profile, &of->run, err);
	of->heads = profile_results(of->profile, true, &c->arena);
	if (other)
		other->heads = profile_results(other->profile, false, &c->arena);
	return format_bears(c->format, FORMAT_PICTURE) ? heads_page(c, of, other, err)
						       : heads_tell(c, of, other, err);
}

int cmd_heads(struct cli *c, struct err *err)
{
	struct heads_measured of = {.windows = 0}, *other;
	const bool typed = c->output && !output_is_standard(c) && !c->format;
	if (!check_fields(c, err) || !take_subject(c, err) ||
	    !(typed ? output_format(c, err) : output_format_or_text(c, err)) ||
	    !options_fit(c, err))
		return EXIT_BAD_USE;
	const bool npz = strcmp(c->format, "npz") == 0;
	if (!output_check(c, npz || format_bears(c->format, FORMAT_PICTURE), err) ||
	    !open_run(c, &c->scene.setup, &of, err) || !open_other(c, &of, &other, err))
		return EXIT_BAD_USE;
	if (npz && other) {
		err_set(err, "heads: npz holds one profile; --format json has both");
		return EXIT_BAD_USE;
	}
	const bool ok = output_free(c, NULL, err) && measure(c, c->results, &of, err) &&
			(!other || measure(c, second_results(c), other, err)) &&
			write_results(c, &of, other, err);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
