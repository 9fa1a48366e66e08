/* test_wording.c: texts hold on paper and on every terminal: none says that much is bright, or dark, for that depends
 * on the theme. What names a lightness for the map in use does it by the map's own words (struct colormap).
 *
 * Texts also use the words of the field, not those that this program once had for them. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "cli/cli.h"
#include "posviz/analysis/analysis.h"
#include "posviz/app/app.h"
#include "posviz/app/glossary.h"
#include "posviz/app/keymap.h"
#include "posviz/base/asset.h"
#include "posviz/export/export.h"
#include "posviz/figures/source_figure.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/quantity/quantity.h"
#include "posviz/scene/dump.h"
#include "posviz/scheme/called.h"

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

/* The entries of maps and of backgrounds say which is for which background. */
TEST(the_glossary_names_no_lightness)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(&arena, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(all[i].names[0], "colormap") != 0 &&
		    strcmp(all[i].names[0], "background") != 0)
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

/* ---- words of the field ------------------------------------------------------------------------------ */

/* Words that this program once had of its own, and those of the field. A number sign stands for a digit. */
static const struct house {
	const char *word, *field;
} house[] = {
	{"place", "position"},
	{"places", "positions"},
	{"unit", "token, or token vector"},
	{"units", "tokens, or token vectors"},
	{"turned", "rotated"},
	{"unturned", "without rotation"},
	{"turns", "rotates, or rotations"},
	{"full turn", "full rotation"},
	{"pairs turn", "pairs rotate"},
	{"waves", "wavelengths, or sinusoids"},
	{"come round", "rotate fully"},
	{"comes round", "rotates fully"},
	{"for a round", "wavelength"},
	{"rows in a plane", "principal components"},
	{"how alike", "similarity of"},
	{"what they are", "statistics"},
	{"of the probe", "with all tokens equal"},
	{"constant input", "all tokens equal"},
	{"on the probe", "with all tokens equal"},
	{"with the probe", "with all tokens equal"},
	{"once, no residual", "layer 1 only, no residual"},
	{"as it is, once", "unchanged, layer 1 only"},
	{"to measure again", "measured roughly"},
	{"| # more", "| # others"},
	{"# more attention", "#: more attention"},
	{"less attention #", "less attention: #"},
	{"how far apart", "distance"},
	{"as far apart", "distance"},
	{"are apart", "differ"},
	{"rows apart", "distance of rows"},
	{"apart by the", "distance"},
	{"# apart", "distance"},
	{"apart #", "distance"},
	{"what apart", "distance"},
	{"+ rest", "residue"},
	{"% rest", "residue"},
	{"and rest", "residue"},
	{"and the rest. A trend", "residue"},
	{"what bounds it", "bounds"},
	{"what moves it", "gradient norms"},
	{"where it ends", "limits of length"},
};

/* Where these words are right: ordinary English, or names that files and expectations have. */
static const struct {
	const char *phrase, *why;
} rightly[] = {
	{"in place of", "instead of"},
	{"in the place of", "instead of"},
	{"takes the place of", "instead of"},
	{"take the place of", "instead of"},
	{"takes its place", "instead of it"},
	{"with what @{...} stands for in place", "instead of it"},
	{"in their place", "instead of them"},
	{"in its place", "instead of it"},
	{"stay in place", "do not move"},
	{"its place in front of a Transformer", "where a network stands"},
	{"place of the positions; width 3", "where a network stands"},
	{"last place", "a decimal"},
	{"change places", "are exchanged"},
	{"half a unit", "a decimal"},
	{"of a unit for each step", "a decimal"},
	{"recurrent unit", "GRU"},
	{"recurrent units", "GRU"},
	{"survey calls it a unit", "the survey's word is explained"},
	{"a unit is a token vector", "the survey's word is explained"},
	{"A unit is a word here, as in the survey", "the survey's word is explained"},
	{"a number of a unit or a pair", "the survey's distinction of an encoding"},
	{"unit: the output of", "the label of a term is explained"},
	{"“unit” is what the layer below gives: unit and position",
	 "the label of a term is explained"},
	{"whose sum is X: unit, position", "labels of tensors"},
	{"position and unit are the gradients", "names of numbers"},
	{"difference of position and unit", "names of numbers"},
	{"by-key and rest are shares", "names of numbers"},
	{"what they are here", "English"},
	{"waves on a line", "half a wave and a whole one"},
	{"has such waves", "half a wave and a whole one"},
	{"what they are of", "English"},
	{"take turns", "one after the other"},
	{"in turns with", "one after the other"},
	{"softmax turns", "makes"},
	{"turns into", "makes"},
	{"turns it on", "switches"},
	{"turns this into", "makes"},
	{"turns counting into", "makes"},
};

/* A letter, or a sign that makes a name of it with what stands beside: matrix.place, tree-units, unit–unit, at=place. */
static bool is_joined(const char *text, const char *at, const char *end)
{
	static const char before[] = ".-_=/'`\"", after[] = "-_=/'`";
	const bool dash =
		strncmp(end, "–", 3) == 0 || (at >= text + 3 && strncmp(at - 3, "–", 3) == 0);
	return dash ||
	       (at > text && !isdigit((unsigned char)*at) &&
		(isalnum((unsigned char)at[-1]) || strchr(before, at[-1]))) ||
	       isalnum((unsigned char)*end) || (*end && strchr(after, *end)) ||
	       (*end == '.' && isalnum((unsigned char)end[1]));
}

/* Returns the end of the word if the text begins with it; NULL: it does not. */
static const char *begins(const char *text, const char *word)
{
	for (; *word; word++, text++)
		if (*word == '#' ? !isdigit((unsigned char)*text)
				 : tolower((unsigned char)*word) != tolower((unsigned char)*text))
			return NULL;
	return text;
}

/* Returns the first house word that the text has, and where; NULL: none. */
static const struct house *house_in(const char *text, const char **where)
{
	enum { RIGHTLY = sizeof rightly / sizeof *rightly, HOUSE = sizeof house / sizeof *house };
	for (const char *at = text; *at; at++) {
		const char *end = NULL;
		for (size_t i = 0; i < RIGHTLY && !end; i++)
			end = begins(at, rightly[i].phrase);
		if (end) {
			at = end - 1;
			continue;
		}
		for (size_t i = 0; i < HOUSE; i++)
			if ((end = begins(at, house[i].word)) != NULL &&
			    !is_joined(text, at, end)) {
				*where = at;
				return &house[i];
			}
	}
	return NULL;
}

static void require_field(const char *where, const char *text)
{
	const char *at;
	const struct house *const word = text ? house_in(text, &at) : NULL;
	if (word)
		fail_msg("%s: \"%s\" is not a word of the field, which says %s: %.160s", where,
			 word->word, word->field, at > text + 40 ? at - 40 : text);
}

TEST(a_house_word_is_found)
{
	const char *at;
	assert_string_equal(house_in("the cosine of two Places.", &at)->field, "positions");
	assert_string_equal(house_in("biases 0.12 apart", &at)->word, "# apart");
	assert_string_equal(house_in("in place of a place", &at)->word, "place");
	assert_string_equal(at, "place");
	assert_null(house_in(
		"matrix.place, unit–unit, term 'unit', tree-units; told apart, replaced", &at));
}

/* All of them are of use. */
TEST(house_words_and_exceptions_are_different)
{
	const char *at;
	for (size_t i = 0; i < sizeof house / sizeof *house; i++) {
		char *const sample = arena_strdup(&arena, house[i].word);
		for (char *digit; (digit = strchr(sample, '#')) != NULL;)
			*digit = '0';
		assert_non_null(house_in(sample, &at));
		assert_string_equal(at, sample);
	}
	for (size_t i = 0; i < sizeof rightly / sizeof *rightly; i++) {
		assert_null(house_in(rightly[i].phrase, &at));
		assert_true(*rightly[i].why);
	}
}

/* Words of tables: what lists, help and completion print. */
TEST(tables_use_the_words_of_the_field)
{
	for (const struct command *c = commands; c->name; c++)
		require_field(c->name, c->help);
	for (const struct binding *b = bindings; b->key; b++)
		require_field(b->key, b->note);
	for (const struct field *f = scene_fields; f->name; f++)
		require_field(f->name, f->help);
	for (const struct field *f = setting_fields; f->name; f++)
		require_field(f->name, f->help);
	for (const struct cli_option *o = cli_options; o->name; o++)
		require_field(o->name, o->help);
	for (const struct subcommand *s = subcommands; s->name; s++) {
		require_field(s->name, s->help);
		require_field(s->name, s->about);
	}
	for (size_t i = 0; i < quantity_count(); i++)
		require_field(quantity_row(i).name, quantity_row(i).help);
	for (const struct measure_row *m = measure_table; m->name; m++)
		require_field(m->name, m->sentence);
	for (const struct dump_name *d = dump_names; d->pattern; d++)
		require_field(d->pattern, d->help);
	for (const struct view *const *v = views; *v; v++)
		require_field((*v)->name, (*v)->help);
}

TEST(cards_use_the_words_of_the_field)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const char *const texts[] = {s->title, s->formula, s->about, s->demo_note,
					     s->evidence_note};
		for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
			require_field(s->id, texts[n]);
		for (const struct param *p = s->params; p && p->name; p++)
			require_field(arena_printf(&arena, "%s %s", s->id, p->name), p->help);
		for (const struct leaf_row *l = s->leaves; l && l->base; l++)
			require_field(arena_printf(&arena, "%s %s", s->id, l->base), l->meaning);
		for (const struct claim *c = s->claims; c && c->why; c++)
			require_field(s->id, c->why);
	}
	for (const struct scheme_call *c = scheme_calls; c->names; c++)
		require_field(c->names, c->note);
}

/* Titles, and what stands under "seen:"; the former words are names of entries, so that they are found. */
TEST(the_glossary_uses_the_words_of_the_field)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(&arena, &n);
	for (size_t i = 0; i < n; i++) {
		require_field("a head of the glossary", all[i].names[0]);
		require_field(all[i].names[0], all[i].text);
		require_field(all[i].names[0], all[i].seen);
	}
}

TEST(help_finds_the_words_of_the_field_by_the_former_ones)
{
	static const struct {
		const char *was, *now;
	} rows[] = {{"units", "token vector"},
		    {"turned", "rotation"},
		    {"turns", "position vectors"},
		    {"waves", "wavelength"},
		    {"places for a round", "wavelength"},
		    {"path of the places", "principal components"},
		    {"how alike rows are", "similarity of all pairs"},
		    {"what they are", "position vectors"},
		    {"of the probe", "probe"},
		    {"apart", "distance between two schemes"},
		    {"rest", "residue"},
		    {"cosine of two places", "similarity"},
		    {"full turn", "full rotation"},
		    {"stretch", "context extension"}};
	size_t n;
	const struct glossary_entry *const all = glossary_all(&arena, &n);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct glossary_entry *const was = glossary_find(all, n, rows[i].was);
		assert_non_null(was);
		assert_string_equal(was->names[0], rows[i].now);
		assert_ptr_equal(glossary_find(all, n, rows[i].now), was);
	}
}

/* Lines of tours and of figures of papers that people read; others are names and numbers. */
TEST(tours_and_figures_use_the_words_of_the_field)
{
	static const char *const read[] = {"about ",  "step ",	"say ",	 "ask ",   "option ",
					   "answer ", "wrong ", "note ", "shows ", "made ",
					   "under ",  "title ", "means "};
	size_t lines = 0;
	for (const struct asset *a = assets; a->path; a++) {
		if (strncmp(a->path, "tours/", 6) != 0 && strncmp(a->path, "figures/", 8) != 0)
			continue;
		for (const char *at = a->begin; at < a->end;) {
			const size_t len = strcspn(at, "\n");
			const char *const line = arena_strndup(&arena, at, len) + strspn(at, " ");
			for (size_t i = 0; i < sizeof read / sizeof *read; i++)
				if (strncmp(line, read[i], strlen(read[i])) == 0) {
					require_field(a->path, line);
					lines++;
				}
			at += len + (at[len] == '\n');
		}
	}
	assert_true(lines > 500);
}

/* Pages, without their commands and code. */
TEST(pages_use_the_words_of_the_field)
{
	static const char *const pages[] = {"README.md", "man/guide.md", "man/tours.md",
					    "assets/manual.txt"};
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		char *text;
		size_t len;
		struct err err;
		if (!file_read(arena_printf(&arena, "%s/../../%s", test_data, pages[i]), 1 << 22,
			       &arena, &text, &len, &err))
			fail_msg("%s", err.text);
		bool code = false;
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
			const bool fence = strncmp(line, "```", 3) == 0;
			code ^= fence;
			if (!code && !fence && line[0] != '|')
				require_field(pages[i], line);
		}
	}
}

/* Every view of a few schemes: titles, notes, axes, cards, and what is said instead of a picture. */
TEST(views_use_the_words_of_the_field)
{
	static const char *const schemes[] = {"rope",	      "sinusoidal", "t5",   "learned",
					      "deberta",      "txl",	    "none", "rope_yarn",
					      "alibi+causal", "laplacian"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		for (size_t v = 0; views[v]; v++) {
			if (views[v]->table && i > 0)
				continue;
			const char *const where =
				arena_printf(&arena, "%s %s", schemes[i], views[v]->name);
			const struct picture *const p = help_picture(
				&arena, schemes[i],
				arena_printf(&arena, "%s%s", help_view(&arena, views[v]->name),
					     views[v]->compare ? "compare t5\n" : ""));
			const struct figure *const f = &p->figure;
			char *text;
			size_t len;
			export_plain(f, &arena, &text, &len);
			require_field(where, text);
			for (size_t k = 0; k < f->n; k++) {
				const struct panel *const q = &f->panels[k];
				const char *const texts[] = {
					q->title,	q->note,       q->short_note, q->subtitle,
					q->paper_title, q->paper_note, q->absent};
				for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
					require_field(where, texts[n]);
			}
		}
}
