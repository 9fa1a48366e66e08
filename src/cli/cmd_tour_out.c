/* cmd_tour_out.c: writes a tour as a hand-out: a PDF with one step or several on a page, or a directory of
 * pictures. */
#include "cli.h"

#include <string.h>
#include <sys/stat.h>

#include "posviz/base/text.h"
#include "posviz/tour/tour.h"
#include "posviz/tour/tour_paper.h"

/* ---- format ---------------------------------------------------------------------------------- */

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

static bool is_paged(const char *format)
{
	return format_bears(format, FORMAT_PAGES);
}

/* Chooses the format: a file has pages, a directory images. */
static bool choose_format(struct cli *c, struct err *err)
{
	const char *const quoted = text_quote(&c->arena, c->output, strlen(c->output));
	const char *const ending = ending_of(c->output);
	const bool standard = output_is_standard(c);
	const char *const paged = format_words(FORMAT_PAGES, "", ", ", " or ", &c->arena);
	const struct format *const ends = format_by_suffix(ending);
	if (standard && !is_paged(c->format))
		return err_set(err, "standard output has no ending: give --format %s", paged);
	if (!standard && !is_directory(c->output) && *ending && !(ends && is_paged(ends->name)))
		return err_set(err,
			       "output: a hand-out is FILE.%s, or a directory of pictures and an "
			       "index; %s is neither",
			       paged, quoted);
	const bool file = standard || (!is_directory(c->output) && *ending);
	if (!c->format)
		c->format = file ? ends->name : format_first(FORMAT_IMAGE);
	if (format_bears(c->format, file ? FORMAT_PAGES : FORMAT_IMAGE))
		return true;
	return file ? err_set(err, "format: %s is a file of pages, which are %s", quoted, paged)
		    : err_set(err, "format: pictures in the directory %s are %s, not %s", quoted,
			      format_words(FORMAT_IMAGE, "", ", ", " or ", &c->arena), c->format);
}

/* Refuses several steps on a page where there is one, or none. */
static bool fits_steps(const struct cli *c, const struct tour_spec *spec, struct err *err)
{
	if (c->per_page == 0)
		return true;
	if (c->per_page != 1 && c->per_page != 2 && c->per_page != 4 && c->per_page != 6)
		return err_set(err, "steps-per-page: %ld is none of 1, 2, 4 and 6", c->per_page);
	return spec->step == 0 || c->per_page == 1 ||
	       err_set(err,
		       "steps-per-page: step %zu alone has a page of its own; leave one of both "
		       "out",
		       spec->step);
}

/* Refuses options that would have no effect on this kind of hand-out. */
static bool fits(const struct cli *c, struct err *err)
{
	const bool pages = is_paged(c->format);
	if (!options_of_mode(c, pages ? "a hand-out of pages" : "a hand-out of pictures", err))
		return false;
	if (pages && c->scene.size.height <= 0)
		return err_set(err, "a page of a hand-out is as high as it is said to be: --size "
				    "148x210mm would be right");
	return options_fit(c, err);
}

/* ---- pages ----------------------------------------------------------------------------------- */

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
	if (!choose_format(c, err) || !fits(c, err) || !fits_steps(c, &spec, err) ||
	    !tour_is_right(c, &spec, cache, &t, err))
		return false;
	const struct tour_paper paper = {.room = &c->scene,
					 .shows = c->questions ? HANDOUT_QUESTIONS : HANDOUT_BOTH,
					 .step = spec.step,
					 .per_page = (size_t)c->per_page};
	if (!is_paged(c->format))
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
