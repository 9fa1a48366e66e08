/* help_view.c: see help_view.h. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "help_view.h"
#include "test.h"
#include "posviz/base/text.h"

void help_train_briefly(struct scene *s)
{
	s->train_steps = 20;
	s->train_seeds = 1;
}

struct scene help_scene(const char *expression, const char *lines)
{
	struct scene s;
	struct err err = {""};
	if (!scene_parse(&s, lines, &err) || !scene_set(&s, field_find("scheme"), expression, &err))
		fail_msg("%s %s: %s", expression, lines, err.text);
	s.timing = s.timing && strstr(lines, "timing on") != NULL;
	if (strcmp(s.view, "learn") == 0 && s.train_steps == 0)
		help_train_briefly(&s);
	return s;
}

const char *help_view(struct arena *a, const char *name)
{
	const bool windows = strcmp(name, "profile") == 0;
	return arena_printf(a, "view %s\n%s", name,
			    view_find(name)->lengths ? "t-max 16\n"
			    : windows		     ? "windows 2\nwindow-length 8\n"
						     : "");
}

struct picture *help_picture(struct arena *a, const char *expression, const char *lines)
{
	const struct scene s = help_scene(expression, lines);
	struct scene *kept = arena_calloc(a, 1, sizeof *kept);
	struct picture *p = arena_calloc(a, 1, sizeof *p);
	struct err err = {""};
	*kept = s;
	if (!picture_make(kept, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err))
		fail_msg("%s %s: %s", expression, lines, err.text);
	return p;
}

const struct panel *help_panel(const struct figure *f, const char *title)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		if (strcmp(p->paper_title ? p->paper_title : p->title, title) == 0)
			return p;
	}
	fail_msg("there is no panel \"%s\"", title);
	return NULL;
}

const struct panel *help_named_panel(const struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].name && strcmp(f->panels[i].name, name) == 0)
			return &f->panels[i];
	return NULL;
}

const struct number *help_number(const struct numbers *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i].name, name) == 0)
			return &all->at[i];
	fail_msg("no number %s", name);
	return NULL;
}

bool help_has_nan(const char *text)
{
	for (const char *at = text; (at = strstr(at, "nan")) != NULL; at++)
		if ((at == text || !isalpha((unsigned char)at[-1])) &&
		    !isalpha((unsigned char)at[3]))
			return true;
	return false;
}

static void sound_word(struct arena *a, const char *text, const char *where)
{
	if (!text)
		return;
	if (!text_valid(text, strlen(text)) ||
	    strcmp(text_escape(a, text, strlen(text)), text) != 0 || help_has_nan(text) ||
	    strstr(text, "inf "))
		fail_msg("%s: \"%s\" cannot be shown", where, text_escape(a, text, strlen(text)));
}

/* Checks text beside labels (labels are cut when drawn): it must not have more letters than a page
 * has room for, however long a token is. */
static void sound_prose(struct arena *a, const char *text, const char *where)
{
	enum { MOST = 2000 };
	sound_word(a, text, where);
	if (text && text_width(text) > MOST)
		fail_msg("%s: %zu columns of \"%.80s\"", where, text_width(text), text);
}

static void sound_heatmap(const struct panel *p, const struct heatmap *h, const char *where)
{
	assert_non_null(h->values.at);
	assert_true(isfinite(h->scale.lo) && isfinite(h->scale.hi) && h->scale.lo <= h->scale.hi);
	assert_int_equal(h->colormap->diverging, h->scale.diverging);
	for (size_t t = 0; t < h->values.rows; t++) {
		for (size_t s = 0; s < h->values.cols; s++) {
			const double v = mat_row(h->values, t)[s];
			if ((h->masked && h->masked[t * h->values.cols + s]) || heatmap_name(h, v))
				continue;
			if (!isfinite(v))
				fail_msg("%s, %s: %g at %zu, %zu", where, p->title, v, t, s);
			/* A signed scale has values beyond both of its ends. */
			const bool below = h->scale.above > 0 && h->scale.diverging;
			if (!h->scale.locked && !((below || v >= h->scale.lo - 1e-9) &&
						  (h->scale.above > 0 || v <= h->scale.hi + 1e-9)))
				fail_msg("%s, %s: %g outside %g..%g", where, p->title, v,
					 h->scale.lo, h->scale.hi);
		}
	}
	if (h->has_cursor)
		assert_true(h->row < h->values.rows && h->col < h->values.cols);
}

static void sound_links(struct arena *a, const struct links *l, const char *where)
{
	for (size_t i = 0; i < l->n; i++)
		assert_true(l->links[i].from < l->n_above && l->links[i].to < l->n_below);
	for (size_t i = 0; i < l->n_above; i++)
		sound_word(a, l->above[i], where);
	for (size_t i = 0; i < l->n_below; i++)
		sound_word(a, l->below[i], where);
	assert_true(!l->has_cursor || l->cursor < l->n_below);
}

static void sound_card(struct arena *a, const struct card *c, const char *where)
{
	sound_prose(a, c->about, where);
	for (size_t i = 0; i < c->n; i++) {
		assert_true(c->lines[i].key && c->lines[i].value && *c->lines[i].value);
		sound_prose(a, c->lines[i].key, where);
		sound_prose(a, c->lines[i].value, where);
		sound_prose(a, c->lines[i].note, where);
	}
}

static void sound_bars(struct arena *a, const struct bars *b, const char *where)
{
	for (size_t i = 0; i < b->n; i++) {
		assert_true(isfinite(b->values[i]));
		sound_word(a, b->labels[i], where);
		if (b->notes)
			sound_word(a, b->notes[i], where);
	}
}

/* Checks that no two panels overlap on the page. */
static void sound_places(const struct figure *f, const char *where)
{
	bool taken[16][16] = {{false}};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		assert_true(p->rows > 0 && p->cols > 0);
		for (size_t r = p->row; r < (size_t)p->row + p->rows; r++)
			for (size_t c = p->col; c < (size_t)p->col + p->cols; c++) {
				assert_true(r < FIGURE_TRACKS && c < FIGURE_TRACKS);
				if (taken[r][c])
					fail_msg("%s: two panels at %zu, %zu", where, r, c);
				taken[r][c] = true;
				assert_true(f->row_weight[r] > 0 && f->col_weight[c] > 0);
			}
	}
}

static void sound_multiples(struct arena *a, const struct panel *p, const char *where)
{
	const struct multiples *const m = &p->multiples;
	assert_true(m->n > 0 && (m->chosen < m->n || m->chosen == SIZE_MAX));
	sound_word(a, m->says, where);
	for (size_t i = 0; i < m->n; i++) {
		const struct multiple *const item = &m->items[i];
		const char *const words[] = {item->name, item->title, item->note, item->brief};
		sound_heatmap(p, &item->map, where);
		for (size_t k = 0; k < 4; k++)
			sound_word(a, words[k], where);
		for (size_t f = 0; f < m->n_facts; f++)
			sound_word(a, item->facts[f], where);
		assert_true(!item->curve || item->most <= m->n_x);
		assert_true(item->note == NULL || item->most < m->n_x);
	}
}

static void sound_dials(struct arena *a, const struct dials *d, const char *where)
{
	const char *const words[] = {d->names[0],	d->names[1],	d->brief_names[0],
				     d->brief_names[1], d->value_title, d->sum,
				     d->about};
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		sound_prose(a, words[k], where);
	assert_true(d->n > 0 && (!d->has_cursor || d->cursor < d->n));
	for (size_t i = 0; i < d->n; i++) {
		const struct dial *const k = &d->at[i];
		const char *const own[] = {k->title,	  k->note,  k->brief_title,
					   k->brief_note, k->angle, k->angle_before};
		for (size_t n = 0; n < sizeof own / sizeof *own; n++)
			sound_word(a, own[n], where);
		assert_non_null(k->title);
		for (size_t h = 0; h < DIAL_HANDS; h++)
			assert_false(k->hands[h].length > 1);
	}
}

static void sound_plane(struct arena *a, const struct plane *p, const char *where)
{
	sound_word(a, p->x_title, where);
	sound_word(a, p->y_title, where);
	assert_true(p->n > 0 && (!p->has_cursor || p->cursor < p->n));
	for (size_t i = 0; i < p->n; i++)
		sound_word(a, p->at[i].label, where);
}

void help_figure_is_sound(struct arena *a, const struct figure *f, const char *where)
{
	const char *const words[] = {f->title, f->subtitle, f->caption, f->caption_right};
	assert_non_null(f->command);
	sound_word(a, f->command, where);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		assert_non_null(words[i]);
		sound_prose(a, words[i], where);
	}
	assert_true(f->n > 0 && f->n <= FIGURE_PANELS);
	sound_places(f, where);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		const char *const own[] = {p->title,	  p->paper_title, p->note,
					   p->short_note, p->subtitle,	  p->absent};
		assert_non_null(p->title);
		for (size_t k = 0; k < 6; k++)
			sound_prose(a, own[k], where);
		if (p->absent)
			continue;
		if (p->kind == PANEL_HEATMAP)
			sound_heatmap(p, &p->heatmap, where);
		else if (p->kind == PANEL_MULTIPLES)
			sound_multiples(a, p, where);
		else if (p->kind == PANEL_BARS)
			sound_bars(a, &p->bars, where);
		else if (p->kind == PANEL_LINKS)
			sound_links(a, &p->links, where);
		else if (p->kind == PANEL_CARD)
			sound_card(a, &p->card, where);
		else if (p->kind == PANEL_DIALS)
			sound_dials(a, &p->dials, where);
		else if (p->kind == PANEL_PLANE)
			sound_plane(a, &p->plane, where);
	}
}
