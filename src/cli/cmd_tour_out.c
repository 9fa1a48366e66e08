/* cmd_tour_out.c: a tour as a hand-out: a PDF, a page a step, or a directory of pictures. */
#include "cli.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "posviz/base/text.h"
#include "posviz/tour/tour.h"

/* ---- which kind -------------------------------------------------------------------------------------- */

static const char *ending_of(const char *path)
{
	const char *const slash = strrchr(path, '/');
	const char *const name = slash ? slash + 1 : path;
	const char *const dot = strrchr(name, '.');
	return dot && dot > name ? dot + 1 : "";
}

static bool is_directory(const char *path)
{
	struct stat st;
	const size_t len = strlen(path);
	return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) || (len && path[len - 1] == '/');
}

static bool is_one_of(const char *word, const char *first, const char *second)
{
	return strcmp(word, first) == 0 || strcmp(word, second) == 0;
}

/* pdf of a file, png or svg of a directory. */
static bool choose_format(struct cli *c, struct err *err)
{
	const char *const quoted = text_quote(&c->arena, c->output, strlen(c->output));
	const char *const ending = ending_of(c->output);
	const bool standard = output_is_standard(c);
	if (standard && !(c->format && strcmp(c->format, "pdf") == 0))
		return err_set(err, "standard output has no ending: give --format pdf");
	if (!standard && !is_directory(c->output) && *ending && strcasecmp(ending, "pdf") != 0)
		return err_set(err,
			       "output: a hand-out is FILE.pdf, or a directory of pictures and an "
			       "index; %s is neither",
			       quoted);
	const bool pdf = standard || (!is_directory(c->output) && *ending);
	if (!c->format)
		c->format = pdf ? "pdf" : "png";
	if (pdf ? strcmp(c->format, "pdf") == 0 : is_one_of(c->format, "png", "svg"))
		return true;
	return pdf ? err_set(err, "format: %s is a file of pages, which are pdf", quoted)
		   : err_set(err, "format: pictures in the directory %s are png or svg, not %s",
			     quoted, c->format);
}

/* What is given and would do nothing. */
static bool fits(const struct cli *c, struct err *err)
{
	const bool pages = strcmp(c->format, "pdf") == 0;
	if (!options_of_mode(c, pages ? "a hand-out of pages" : "a hand-out of pictures", err))
		return false;
	if (pages && c->scene.size.height <= 0)
		return err_set(err, "a page of a hand-out is as high as it is said to be: --size "
				    "148x210mm would be right");
	return options_fit(c, err);
}

/* ---- pages ------------------------------------------------------------------------------------------- */

static bool write_pages(struct cli *c, const struct tour *t, const struct tour_paper *paper,
			struct cache *cache, struct err *err)
{
	struct handout_report report;
	char *data;
	size_t len;
	const bool ok = tour_handout(t, paper, cache, progress_begin(), &c->arena, &data, &len,
				     &report, err);
	progress_end();
	if (!ok || !output_write(c, data, len, err))
		return false;
	const struct raster_report all = {.font = report.n ? report.pages[0].font : NULL,
					  .font_taken =
						  report.n ? report.pages[0].font_taken : NULL,
					  .missing_glyphs = report.missing_glyphs,
					  .missing_sample = report.missing_sample};
	output_glyphs(c, &all, true);
	return true;
}

static bool make(struct cli *c, struct cache *cache, struct err *err)
{
	struct tour_spec spec;
	struct tour t;
	if (!tour_one_name(c, err) || !tour_spec_parse(c->args[0], &c->arena, &spec, err))
		return false;
	if (!c->output)
		return err_set(err,
			       "tour: --questions is for a hand-out: -o FILE.pdf or a directory");
	if (spec.beat > 0)
		return err_set(err, "tour: a hand-out has whole steps: %s#%zu", spec.name,
			       spec.step);
	if (c->step > 0)
		spec.step = (size_t)c->step;
	if (!choose_format(c, err) || !fits(c, err) || !tour_is_right(c, &spec, cache, &t, err))
		return false;
	const struct tour_paper paper = {.room = &c->scene,
					 .shows = c->questions ? HANDOUT_QUESTIONS : HANDOUT_BOTH,
					 .step = spec.step};
	if (strcmp(c->format, "pdf") != 0)
		return tour_folder(c, &t, &paper, cache, err);
	return output_check(c, true, err) && output_free(c, NULL, err) &&
	       write_pages(c, &t, &paper, cache, err);
}

int tour_out(struct cli *c, struct err *err)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	const bool ok = make(c, cache, err);
	cache_free(cache);
	return ok ? EXIT_FINE : EXIT_BAD_USE;
}
