/* settings.c: the one table of settings: the behaviour of the program on this terminal.
 *
 * Commands, options, completion and manual are made from it, as from the fields of a scene. */
#include <stddef.h>
#include <string.h>

#include "posviz/app/app.h"

#define SETTING(member) FIELD_AT(struct settings, member)

static const char *const colors[] = {"auto", "mono", "8", "16", "256", "direct", NULL};
static const char *const glyph_names[GLYPHS_COUNT + 1] = {"auto", "braille", "quadrants", "ascii"};
static const char *const graphics_names[GRAPHICS_COUNT + 1] = {"auto", "kitty", "sixel", "cells"};

const struct field setting_fields[] = {
	{"color", "colours of the terminal; auto: what it says of itself", SETTING(color),
	 CHOICES(colors), DEFAULT("auto")},
	{"glyphs", "what curves and blocks are drawn with; auto: what the locale can show",
	 SETTING(glyphs), CHOICES(glyph_names), DEFAULT("auto")},
	{"graphics", "how the terminal draws pages; auto: as it says that it can",
	 SETTING(graphics), CHOICES(graphics_names), DEFAULT("auto")},
	{"mouse", "take clicks, wheel and drags; off leaves them to the terminal", SETTING(mouse),
	 DEFAULT("on")},
	{"contrast", "high contrast: nothing dim, cursor and focus reversed", SETTING(contrast),
	 DEFAULT("off")},
	{"motion",
	 "parameters run, tokens walk to their positions, dials rotate; off: the last picture at once",
	 SETTING(motion), DEFAULT("on")},
	{0},
};

const struct field *setting_find(const char *name)
{
	for (const struct field *f = setting_fields; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* Replaces words of other programs for the same value. */
static const char *plain_word(const struct field *field, const char *value)
{
	const bool direct = strcmp(value, "truecolor") == 0 || strcmp(value, "24bit") == 0;
	return field->type.choices == colors && direct ? "direct" : value;
}

bool setting_set(struct settings *s, const struct field *field, const char *value, struct err *err)
{
	return field_set(s, field, plain_word(field, value), err);
}

void settings_init(struct settings *s)
{
	memset(s, 0, sizeof *s);
	for (const struct field *f = setting_fields; f->name; f++) {
		struct err err;
		if (!field_set(s, f, f->type.def_text, &err))
			BUG("default of %s: %s", f->name, err.text);
	}
}
