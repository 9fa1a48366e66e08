/* presets.c: purposes of pictures as fields of the scene: the sizes of pages and their letters.
 *
 * The width is that of the surrounding text: one of ACL's two columns, NeurIPS' single column, a
 * slide of 16:9, a part of a poster that is read from two metres. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/text.h"

const struct preset presets[] = {
	{"acl", "a column of the ACL style, 77 mm, labels of 7 pt",
	 "size 77mm\ndpi 300\nfont-size 7pt\ncaption none\ntheme light"},
	{"neurips", "the text of the NeurIPS style, 5.5 in wide, labels of 8 pt",
	 "size 5.5in\ndpi 300\nfont-size 8pt\ncaption none\ntheme light"},
	{"slide", "a slide of 13.33 by 7.5 in, labels of 18 pt",
	 "size 13.33x7.5in\ndpi 144\nfont-size 18pt\ncaption short"},
	{"poster", "a part of a poster, 420 by 297 mm, labels of 24 pt",
	 "size 420x297mm\ndpi 200\nfont-size 24pt\ncaption short\ntheme light"},
	{0},
};

static bool set_lines(struct scene *scene, const char *lines, struct arena *a, struct err *err)
{
	for (const char *at = lines; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!scene_set_line(scene, arena_strndup(a, at, strcspn(at, "\n")), err))
			return false;
	return true;
}

bool app_preset(struct scene *scene, const char *name, struct err *err)
{
	const char *names[16];
	size_t n = 0;
	struct arena a;
	bool ok = false;
	arena_init(&a);
	const struct preset *p = presets;
	for (; p->name && strcmp(p->name, name) != 0; p++)
		names[n++] = p->name;
	if (p->name) {
		ok = set_lines(scene, p->lines, &a, err);
	} else {
		const char *const near = text_suggest(name, names, n);
		err_set(err, "for: there is no %s%s%s%s; there are acl, neurips, slide and poster",
			text_quote(&a, name, strlen(name)), near ? ", did you mean \"" : "",
			near ? near : "", near ? "\"" : "");
	}
	arena_release(&a);
	return ok;
}

bool run_for(struct app *app, const char *args, struct err *err)
{
	if (*args == '\0')
		return command_usage("for", err);
	if (!app_preset(&app->scene, args, err))
		return false;
	app_say(app, "pictures are for %s now; :save writes one", args);
	return true;
}

void complete_for(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	for (const struct preset *p = presets; p->name; p++)
		candidates_note(out, p->name, p->help);
}
