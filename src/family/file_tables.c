/* file_tables.c: frequencies that a model's files hold beside its configuration.
 *
 * Older releases saved them; the library of today computes them anew from the configuration, so that a file
 * with others tells that the model was trained with other settings. They are those before scaling, or
 * after it. */
#include <stdlib.h>
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"
#include "posviz/family/known_text.h"
#include "posviz/family/table_fit.h"

/* Rotations of a tower of pictures or sounds are none of the text model's. */
static bool is_of_text(const char *name)
{
	static const char end[] = "inv_freq";
	static const char *const others[] = {"vis", "image", "audio", "speech"};
	const size_t len = strlen(name), most = sizeof end - 1;
	bool is = len >= most && strcmp(name + len - most, end) == 0;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		is &= strstr(name, others[i]) == NULL;
	return is;
}

/* Returns a setting without what is said of scaling: files hold the frequencies before it. */
static const char *without_scaling(const char *fits)
{
	static const char none[] = "no scaling", more[] = "no scaling, ";
	if (!fits || strcmp(fits, none) == 0)
		return fits ? "" : NULL;
	return strncmp(fits, more, sizeof more - 1) == 0 ? fits + sizeof more - 1 : fits;
}

/* Returns whether a setting is how libraries save what the configuration says. */
static bool is_usual(const char *fits)
{
	static const char *const usual[] = {"the rotation of other layers", "a text of "};
	for (size_t i = 0; fits && i < sizeof usual / sizeof *usual; i++)
		if (strncmp(fits, usual[i], strlen(usual[i])) == 0)
			return true;
	return fits && *fits == '\0';
}

/* Returns the line of JSON that gives the file's frequencies; NULL: none is known. */
static const char *line_of(const struct known *k, const char *fits, struct arena *a)
{
	static const char base[] = "base ", factor[] = "factor ",
			  linear[] = "linear scaling with factor ";
	const char *const keys = k->family->base_key ? k->family->base_key : "rope_theta";
	if (fits && strncmp(fits, base, sizeof base - 1) == 0)
		return arena_printf(a, "\"%.*s\": %s", (int)strcspn(keys, "|"), keys,
				    print_pointed(a, strtod(fits + sizeof base - 1, NULL)));
	if (fits && strncmp(fits, factor, sizeof factor - 1) == 0)
		return arena_printf(a, "\"factor\": %s",
				    print_pointed(a, strtod(fits + sizeof factor - 1, NULL)));
	if (fits && strncmp(fits, linear, sizeof linear - 1) == 0)
		return arena_printf(a,
				    "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": %s}",
				    print_pointed(a, strtod(fits + sizeof linear - 1, NULL)));
	return NULL;
}

static const char *how_many(const struct table_fit *f, struct arena *a)
{
	if (f->pairs != f->expected_pairs)
		return arena_printf(
			a,
			"the files have %zu frequencies here, and by the configuration %zu "
			"pairs rotate",
			f->pairs, f->expected_pairs);
	return arena_printf(
		a,
		"the frequencies in the files are others than those of the configuration: "
		"first in pair %zu, %s there and %s by the configuration",
		f->pair + 1, known_number(f->found, 6, a), known_number(f->expected, 6, a));
}

void known_remark(struct known *k, const struct remark *m, struct arena *a)
{
	struct remark *const all = arena_calloc(a, k->n_remarks + 1, sizeof *all);
	for (size_t i = 0; i < k->n_remarks; i++)
		all[i] = k->remarks[i];
	all[k->n_remarks++] = *m;
	k->remarks = all;
}

/* Returns whether the tensor differs, which is remarked. */
static bool differs(struct known *k, const struct tensor_file *f, const struct tensor_entry *e,
		    struct arena *a)
{
	enum { MOST = MODEL_MAX_WIDTH };
	const size_t n = tensor_entry_cols(e);
	struct table_fit fit;
	if (tensor_entry_rows(e) != 1 || n == 0 || n > MOST || e->unread)
		return false;
	const struct mat table = mat_new(a, 1, n);
	if (!tensor_file_rows(f, e, 0, 1, table.at, NULL) ||
	    !table_fit(k, e->name, table, a, &fit, NULL) || fit.equal)
		return false;
	fit.fits = without_scaling(fit.fits);
	if (is_usual(fit.fits))
		return false;
	const char *const says = how_many(&fit, a);
	known_remark(k,
		     &(struct remark){.wrong = true,
				      .key = text_escape(a, e->name, strlen(e->name)),
				      .says = fit.fits ? arena_printf(a, "%s; the files' are of %s",
								      says, fit.fits)
						       : says,
				      .right = line_of(k, fit.fits, a)},
		     a);
	return true;
}

void look_files(struct known *k, const char *path, struct arena *a)
{
	const struct tensor_file *const f = tensor_file_open_in(a, path, NULL);
	if (!f)
		return;
	look_packed(k, f, a);
	for (size_t i = 0; k->family && k->expression && i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		if (is_of_text(e->name) && differs(k, f, e, a))
			return; /* layers share what they rotate by */
	}
}
