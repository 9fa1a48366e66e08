/* pick.c: a figure with only some of its panels, chosen by name. */
#include <string.h>

#include "posviz/plot/equation.h"
#include "plot/fold.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/plot/panel.h"

static const char *base_name(const struct panel *p)
{
	return p->name != NULL ? p->name : panel_type(p)->name;
}

const char *figure_panel_name(const struct figure *f, size_t i, struct arena *a)
{
	const char *const name = base_name(&f->panels[i]);
	size_t before = 0, all = 0;
	for (size_t k = 0; k < f->n; k++) {
		const bool same = strcmp(base_name(&f->panels[k]), name) == 0;
		before += same && k < i;
		all += same;
	}
	return all > 1 ? arena_printf(a, "%s-%zu", name, before + 1) : name;
}

/* Lists the names for an error: "terms (terms-1 to terms-4), sum, weights". */
static const char *names_there(const struct figure *f, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < f->n; i++) {
		const char *const name = base_name(&f->panels[i]);
		size_t first = 0, all = 0;
		while (strcmp(base_name(&f->panels[first]), name) != 0)
			first++;
		for (size_t k = 0; k < f->n; k++)
			all += strcmp(base_name(&f->panels[k]), name) == 0;
		if (first < i)
			continue;
		strbuf_printf(&out, "%s%s", out.len > 0 ? ", " : "", name);
		if (all > 1)
			strbuf_printf(&out, " (%s-1 to %s-%zu)", name, name, all);
	}
	return out.at;
}

static bool is_called(const struct figure *f, size_t i, const char *name, size_t len,
		      struct arena *a)
{
	const char *const full = figure_panel_name(f, i, a), *const base = base_name(&f->panels[i]);
	return (strlen(full) == len && memcmp(full, name, len) == 0) ||
	       (strlen(base) == len && memcmp(base, name, len) == 0);
}

/* Marks the panels with one name; false: there are none. */
static bool mark(const struct figure *f, const char *name, size_t len, bool *on, struct arena *a)
{
	bool found = false;
	for (size_t i = 0; i < f->n; i++) {
		if (!is_called(f, i, name, len, a))
			continue;
		found = on[i] = true;
	}
	return found;
}

static bool is_not_there(const struct figure *f, const char *name, size_t len, struct arena *a,
			 struct err *err)
{
	const char *names[FIGURE_PANELS];
	for (size_t i = 0; i < f->n; i++)
		names[i] = base_name(&f->panels[i]);
	const char *const near = text_nearest(arena_strndup(a, name, len), names, f->n);
	return err_set(err, "panel: there is no %s here%s%s%s; there are %s",
		       text_quote(a, name, len), near != NULL ? ", did you mean \"" : "",
		       near != NULL ? near : "", near != NULL ? "\"" : "", names_there(f, a));
}

/* The matrices that are left remain an equation if they are at least two and the first ones of
 * it. */
static void leave_equation(struct figure *f, const bool *on)
{
	bool gone = false, broken = false;
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++) {
		if (f->panels[i].operand.sign == SIGN_NONE)
			continue;
		broken |= on[i] && gone;
		gone |= !on[i];
		n += on[i];
	}
	for (size_t i = 0; i < f->n && (broken || n < 2); i++)
		f->panels[i].operand.sign = SIGN_NONE;
}

bool figure_pick(struct figure *f, const char *names, struct arena *a, struct err *err)
{
	bool on[FIGURE_PANELS] = {false};
	size_t len, n = 0;
	if (strcmp(names, "all") == 0)
		return true;
	for (const char *at = names; *at != '\0'; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		if (!mark(f, at, len, on, a))
			return is_not_there(f, at, len, a, err);
	}
	leave_equation(f, on);
	f->picked = true;
	f->lead = f->lead && on[0];
	for (size_t i = 0; i < f->n; i++) {
		if (!on[i])
			continue;
		f->panels[n] = f->panels[i];
		f->panels[n++].priority = 0;
	}
	f->n = n;
	figure_close_up(f);
	return true;
}
