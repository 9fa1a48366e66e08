/* test_wording.c: texts hold on paper and on every terminal: none says that much is bright, or dark, for that hangs
 * on the theme. What names a lightness for the map in use does it by the map's own words (struct colormap). */
#include <string.h>
#include <strings.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/app/app.h"
#include "posviz/app/glossary.h"
#include "posviz/base/asset.h"
#include "posviz/figures/source_figure.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

static const char *const lightness[] = {
	"bright",  "brighter", "brightest", "brightness", "dark",   "darker", "darkest", "light",
	"lighter", "lightest", "pale",	    "paler",	  "palest", "lit",    "glow",	 "glows",
	"glowing", "white",    "black",	    "shine",	  "shines", "shining"};

static const char *lightness_in(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	for (const char *at = text + strcspn(text, letters); *at; at += strcspn(at, letters)) {
		const size_t len = strspn(at, letters);
		const bool noise = strncasecmp(at, "white noise", 11) == 0; /* no colour */
		for (size_t i = 0; !noise && i < sizeof lightness / sizeof *lightness; i++)
			if (strlen(lightness[i]) == len && strncasecmp(at, lightness[i], len) == 0)
				return lightness[i];
		at += len;
	}
	return NULL;
}

static void require_none(const char *where, const char *text)
{
	const char *const word = text ? lightness_in(text) : NULL;
	if (word)
		fail_msg("%s: \"%s\" is not so on every background: %s", where, word, text);
}

TEST(a_lightness_is_found)
{
	assert_string_equal(lightness_in("a column; bright is much."), "bright");
	assert_string_equal(lightness_in("Darker: more"), "darker");
	assert_null(lightness_in("a slight split, highlighted, of white noise"));
}

/* All but its sources, which are names. */
TEST(tours_name_no_lightness)
{
	size_t n = 0;
	for (const struct asset *a = assets; a->path; a++) {
		if (strncmp(a->path, "tours/", 6) != 0)
			continue;
		n++;
		for (const char *at = a->begin; at < a->end;) {
			const size_t len = strcspn(at, "\n");
			const char *const line = arena_strndup(&arena, at, len);
			if (strncmp(line + strspn(line, " "), "source ", 7) != 0)
				require_none(a->path, line);
			at += len + (at[len] == '\n');
		}
	}
	assert_true(n > 10);
}

/* The entry of the maps says which is for which background. */
TEST(the_glossary_names_no_lightness)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(&arena, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i].names[0], "colormap") != 0)
			require_none(all[i].names[0], all[i].text);
}

TEST(helps_cards_and_captions_name_no_lightness)
{
	const struct view *v;
	for (const struct view *const *at = views; (v = *at) != NULL; at++)
		require_none(v->name, v->help);
	for (const struct command *c = commands; c->name; c++)
		require_none(c->name, c->help);
	for (size_t i = 0; i < scheme_count(); i++) {
		require_none(scheme_at(i)->id, scheme_at(i)->about);
		require_none(scheme_at(i)->id, scheme_at(i)->demo_note);
	}
	for (size_t i = 0; i < source_figure_count(); i++) {
		const struct source_figure *const f = source_figure_at(i);
		require_none(f->name, f->shows);
		require_none(f->name, f->made);
	}
}
