/* sheet.c: the contact sheet: a map of each scheme on each sentence, with its extremes and the
 * share that distance explains.
 *
 * Maps are computed independently, as many at once as there are threads. A scheme that needs a
 * tree, a graph or another word order that was not given gets its sample, and the sheet says so. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/split.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"
#include "posviz/picture/picture.h"
#include "sheet_in.h"

const char *const contact_share_names[CONTACT_SHARES + 1] = {"off", "sentence", "all"};

/* The matrix of a map: the requested one, or a substitute. */
enum shows { SHOWS_BIAS, SHOWS_LOGITS, SHOWS_WEIGHTS, SHOWS_MASK };
static const char *const shows_names[] = {"bias", "logits", "weights", "mask"};

/* A map in the making: its results live in its own arena until all are done. */
struct making {
	struct scene scene;
	bool wanted; /* false: the entry has its map in another column */
	const char *sample;
	struct arena a;
	struct err err;
	bool ok;
	struct mat at;
	const uint8_t *allowed;
	enum shows shows;
	double share, content;
	struct view_axes axes;
	long heads;
	bool drawn, probed;	 /* for sheet_facts */
	const char *input, *own; /* tokens from its files, their number; NULL: the scene's */
};

struct sheet_job {
	const struct contact_request *r;
	struct making *all; /* [r->n][r->n_scenes] */
};

/* ---- numbers --------------------------------------------------------------------------------- */

static struct want want_of(const struct contact_request *r, const struct built *b,
			   const struct scene *s)
{
	static const unsigned kinds[] = {WANT_BIAS | WANT_WEIGHTS, WANT_LOGITS | WANT_WEIGHTS,
					 WANT_WEIGHTS, 0};
	return (struct want){.kinds = kinds[r->matrix] | WANT_MASK,
			     .layer = view_wanted(s->layer, b->model.n_steps),
			     .head = view_wanted(s->head, b->model.config.heads)};
}

/* Returns the share of the matrix that distance explains. */
static double share_of(const struct trace *trace, const struct making *m)
{
	struct arena scratch;
	struct split split;
	arena_init(&scratch);
	const struct split_of of = {.m = m->at,
				    .mask = m->allowed,
				    .number = split_distances(trace, &scratch),
				    .by_distance_only = true};
	split_make(&of, false, &scratch, &split);
	arena_release(&scratch);
	return split.distance;
}

/* Takes the requested matrix, or the weights if there is none. */
static void take_matrix(const struct contact_request *r, const struct built *b, struct trace *trace,
			struct making *m)
{
	const size_t heads = b->model.config.heads;
	const struct trace_head *const shown = view_shown(&m->scene, heads, trace, &m->a);
	const struct trace_head *const first =
		&trace->layers[0].heads[view_chosen(m->scene.head, heads)];
	const bool bias = r->matrix == MATRIX_BIAS;
	m->allowed = bias ? first->mask : shown->mask;
	if (r->matrix == MATRIX_MASK || (bias && trace->bias_is_mask)) {
		m->shows = SHOWS_MASK;
		m->at = view_ones(trace, &m->a);
	} else if (bias && !trace->bias_absent && first->bias.at) {
		m->shows = SHOWS_BIAS;
		m->at = first->bias;
	} else if (r->matrix == MATRIX_LOGITS && shown->logits.at) {
		m->shows = SHOWS_LOGITS;
		m->at = shown->logits;
	} else {
		m->shows = SHOWS_WEIGHTS;
		m->at = shown->weights;
		m->allowed = shown->mask;
	}
	m->share = m->shows == SHOWS_MASK ? NAN : share_of(trace, m);
}

/* Takes the facts on the numbers: their heads and layers, their origin and their tokens. */
static void take_facts(const struct built *b, const struct trace *trace, struct making *m)
{
	const bool bias = m->shows == SHOWS_BIAS;
	m->axes = bias ? view_bias_axes(b) : view_axes(b);
	m->heads = (long)b->model.config.heads;
	m->drawn = bias ? !view_bias_is_own(b) : !view_is_own(b);
	m->probed = bias && m->drawn;
	for (size_t i = 0; i < b->n_members && !m->own; i++) {
		if (b->members[i].units == 0)
			continue;
		m->input = view_input(b, trace, SHEET_TOKENS, &m->a);
		m->own = b->keys.n > 0 ? view_two_sizes(trace, &m->a)
				       : arena_printf(&m->a, "%zu own tokens", trace->query.n);
	}
}

static void make_one(void *context, size_t i, size_t worker)
{
	const struct sheet_job *const j = context;
	struct making *const m = &j->all[i];
	(void)worker;
	if (!m->wanted)
		return;
	struct built *const b = arena_calloc(&m->a, 1, sizeof *b);
	struct trace trace;
	if (!setup_build(&m->scene.setup, &m->a, b, &m->err) || !view_fits(&m->scene, b, &m->err))
		return;
	const struct want want = want_of(j->r, b, &m->scene);
	m->ok = built_run(b, &b->model_input, &want, j->r->cache, NULL, &m->a, &trace, &m->err);
	if (!m->ok)
		return;
	m->content = b->model.config.content;
	take_matrix(j->r, b, &trace, m);
	take_facts(b, &trace, m);
}

/* ---- samples for missing input --------------------------------------------------------------- */

static bool has_structure(const struct setup *s)
{
	return *s->conllu || *s->governors || *s->tree || *s->graph;
}

/* True if the sample's line gives an input that the setup lacks. */
static bool is_lacking(const struct setup *s, const char *sample)
{
	const size_t len = strcspn(sample, " ");
	const struct field *field = NULL;
	for (const struct field *f = scene_fields; f->name && !field; f++)
		field = strlen(f->name) == len && memcmp(f->name, sample, len) == 0 ? f : NULL;
	if (!field)
		return false;
	if (field_brings_structure(field))
		return !has_structure(s);
	if (strcmp(field->name, "reorder") == 0)
		return !*s->reorder && !*s->alignment && !has_structure(s);
	return !s->asked.sentence && !*s->file && !has_structure(s);
}

/* Re-orderings in samples are of eight words. */
static const char reordered[] = "the cat that the dog chased fell asleep";

/* Removes the fields that belong to the given tokens. */
static void take_tokens_away(struct setup *s)
{
	s->sentence = reordered;
	s->file = "";
	s->order = "identity";
	s->position_ids = s->segments = "none";
	s->memory_tokens = 0;
}

/* Gives the map its sample. Returns a note on it, or NULL if the map has the given input. */
static const char *give_sample(struct making *m, struct arena *a)
{
	const char *const sample = setup_sample(&m->scene.setup, a);
	if (!*sample || !is_lacking(&m->scene.setup, sample))
		return NULL;
	const char *const value = strchr(sample, ' ') + 1;
	take_tokens_away(&m->scene.setup);
	setup_give(&m->scene.setup, sample, a);
	if (*value == '@')
		return arena_printf(a, "on %s", value);
	const bool words = strncmp(sample, "sentence", strcspn(sample, " ")) == 0;
	return words ? "on own sentence" : "on own order";
}

/* Takes the sizes of a file that the expression names, except those that the user gave. */
static void adopt_sizes(const struct contact_request *r, struct scene *scene)
{
	const struct setup given = scene->setup;
	scene_adopt_sizes(scene);
	if (r->heads_given) {
		scene->setup.heads = given.heads;
		scene->setup.d_model = given.d_model;
	}
	if (r->layers_given)
		scene->setup.layers = given.layers;
}

static void open_all(const struct contact_request *r, struct arena *a, struct making *all)
{
	for (size_t i = 0; i < r->n; i++)
		for (size_t s = 0; s < r->n_scenes; s++) {
			const struct contact_wish *const w = &r->wishes[i];
			struct making *const m = &all[i * r->n_scenes + s];
			arena_init(&m->a);
			m->scene = r->scenes[s];
			setup_of_model(&r->scenes[s].setup, w->expression, w->model, a,
				       &m->scene.setup, NULL);
			if (!w->model)
				adopt_sizes(r, &m->scene);
			m->sample = give_sample(m, a);
			/* The sample is the same in each column. */
			m->wanted = s == 0 || !m->sample;
		}
}

/* ---- numbers as text ------------------------------------------------------------------------- */

static uint8_t *hidden_of(const struct making *m, struct arena *a)
{
	const size_t n = m->at.rows * m->at.cols;
	uint8_t *const out = m->allowed ? arena_alloc(a, n) : NULL;
	for (size_t i = 0; out && i < n; i++)
		out[i] = !m->allowed[i];
	return out;
}

static void find_range(const struct making *m, struct contact_map *out)
{
	const double content = m->content > 0 ? m->content : 1;
	const double noise = m->shows == SHOWS_WEIGHTS ? 1e-12 : 1e-9 * content;
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < m->at.rows * m->at.cols; i++) {
		const double v = mat_row(m->at, i / m->at.cols)[i % m->at.cols];
		if (!isfinite(v) || (m->allowed && !m->allowed[i]))
			continue;
		lo = fmin(lo, v);
		hi = fmax(hi, v);
	}
	/* Numbers so small beside a typical logit are rounding errors. */
	out->least = lo > hi || fabs(lo) < noise ? 0 : lo;
	out->largest = lo > hi || fabs(hi) < noise ? 0 : hi;
}

static bool is_signed(enum shows shows)
{
	return shows == SHOWS_BIAS || shows == SHOWS_LOGITS;
}

static const struct colormap *colours_of(const struct contact_request *r, bool diverging)
{
	const struct colormap *const chosen = colormap_find(r->scenes[0].colormap);
	return chosen && chosen->diverging == diverging ? chosen
							: colormap_for(diverging, r->background);
}

/* Masks have one pale colour, as in other views. */
enum { MASK_MOST = 6 };

static void keep_map(const struct contact_request *r, const struct making *m, struct arena *a,
		     struct contact_map *out)
{
	struct mat at = mat_new(a, m->at.rows, m->at.cols);
	mat_set(at, m->at);
	*out = (struct contact_map){.share = m->share};
	find_range(m, out);
	const bool diverging = is_signed(m->shows);
	out->map = (struct heatmap){.values = at,
				    .masked = hidden_of(m, a),
				    .row_title = "query t",
				    .col_title = "key s",
				    .colormap = colours_of(r, diverging)};
	out->map.scale = scale_fit(out->least, out->largest, SCALE_LINEAR, diverging, false);
	out->map.more_of = diverging ? "attention" : NULL;
	if (m->shows == SHOWS_MASK) {
		out->map.scale = scale_fit(0, MASK_MOST, SCALE_LINEAR, false, false);
		return;
	}
	out->low = sheet_number(out->least, a);
	out->high = sheet_number(out->largest, a);
	/* A map that is constant up to rounding has no share. */
	out->percent = out->largest - out->least > 0 ? sheet_percent(m->share, a) : NULL;
}

/* ---- scales ---------------------------------------------------------------------------------- */

/* The maps of one kind, signed or not, in some columns. */
struct together {
	const struct contact_request *r;
	const struct making *all;
	struct contact_map *maps;
	size_t first, end; /* columns */
	bool diverging;
};

static bool is_of(const struct together *t, size_t i)
{
	const size_t column = i % t->r->n_scenes;
	return t->all[i].ok && t->all[i].shows != SHOWS_MASK &&
	       is_signed(t->all[i].shows) == t->diverging && column >= t->first && column < t->end;
}

static size_t add_sizes(const struct heatmap *h, double *to)
{
	size_t n = 0;
	for (size_t i = 0; i < h->values.rows * h->values.cols; i++)
		if (!h->masked || !h->masked[i])
			to[n++] = mat_row(h->values, i / h->values.cols)[i % h->values.cols];
	return n;
}

static void share_scale(const struct together *t)
{
	const size_t all = t->r->n * t->r->n_scenes;
	double lo = 0, hi = 0;
	size_t most = 1, n = 0;
	for (size_t i = 0; i < all; i++) {
		if (!is_of(t, i))
			continue;
		lo = fmin(lo, t->maps[i].least);
		hi = fmax(hi, t->maps[i].largest);
		most += t->maps[i].map.values.rows * t->maps[i].map.values.cols;
	}
	struct arena scratch;
	arena_init(&scratch);
	double *const sizes = arena_calloc(&scratch, most, sizeof *sizes);
	for (size_t i = 0; i < all; i++)
		n += is_of(t, i) ? add_sizes(&t->maps[i].map, sizes + n) : 0;
	const struct scale_sizes spread = scale_sizes(sizes, n);
	arena_release(&scratch);
	struct scale scale = scale_fit(lo, hi, SCALE_LINEAR, t->diverging, false);
	scale.mode = scale_mode_for(&spread);
	scale.linear = spread.quartile;
	scale.half = !t->diverging ? 0 : !(lo < 0) && hi > 0 ? 1 : !(hi > 0) && lo < 0 ? -1 : 0;
	for (size_t i = 0; i < all; i++)
		if (is_of(t, i))
			t->maps[i].map.scale = scale;
}

static void share_scales(const struct contact_request *r, const struct making *all,
			 struct contact_map *maps)
{
	const size_t step = r->share == CONTACT_SHARE_SENTENCE ? 1 : r->n_scenes;
	for (size_t s = 0; r->share != CONTACT_SHARE_OFF && s < r->n_scenes; s += step)
		for (int diverging = 0; diverging < 2; diverging++)
			share_scale(&(struct together){r, all, maps, s, s + step, diverging == 1});
	if (r->scenes[0].scale == SCENE_SCALE_AUTO)
		return;
	for (size_t i = 0; i < r->n * r->n_scenes; i++)
		if (all[i].ok && all[i].shows != SHOWS_MASK) {
			struct scale *const scale = &maps[i].map.scale;
			scale->mode = (enum scale_mode)(r->scenes[0].scale - 1);
		}
}

/* Returns the note of a map: its kind and its tokens if they differ from those of the sheet. */
static const char *note_of(const struct contact_request *r, const struct making *m,
			   const char *input, struct arena *a)
{
	const char *const what = m->shows != (enum shows)r->matrix ? shows_names[m->shows] : NULL;
	const char *const own = m->own && strcmp(m->input, input) != 0 ? m->own : NULL;
	const char *const parts[] = {what, m->sample, own};
	const char *const note = sheet_joined(parts, sizeof parts / sizeof *parts, ", ", a);
	return *note ? note : NULL;
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Returns the input of a column: the scene's if any map uses it, else the files' different ones. */
static const char *column_input(const struct contact_request *r, const struct making *all,
				size_t column, struct arena *a)
{
	const char *only = NULL;
	size_t n;
	bool scene = false;
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < r->n; i++) {
		const struct making *const m = &all[i * r->n_scenes + column];
		scene |= m->ok && !m->input;
		if (!m->ok || !m->input || strstr(b.at, m->input))
			continue;
		strbuf_printf(&b, "%s%s", b.len ? " and " : "", m->input);
		only = m->input;
	}
	const char *const tokens = sheet_tokens(&r->scenes[column], &n, a);
	return !scene && only ? b.at : arena_printf(a, "“%s” n %zu", tokens, n);
}

static void find_facts(const struct contact_request *r, const struct making *all, struct arena *a,
		       struct sheet_facts *f)
{
	const char **const inputs = arena_calloc(a, r->n_scenes, sizeof *inputs);
	const struct making *first = NULL;
	bool same = true;
	*f = (struct sheet_facts){.what = r->matrix, .inputs = inputs};
	for (size_t i = 0; i < r->n * r->n_scenes; i++) {
		const struct making *const m = &all[i];
		if (!m->ok)
			continue;
		first = first ? first : m;
		same &= m->shows == first->shows;
		if (m->axes.heads)
			f->heads = !f->axes.heads || f->heads == m->heads ? m->heads : 0;
		f->axes.heads |= m->axes.heads;
		f->axes.layers |= m->axes.layers;
		f->drawn |= m->drawn;
		f->probed |= m->probed;
	}
	if (same && first)
		f->what = (enum matrix)first->shows;
	for (size_t s = 0; s < r->n_scenes; s++)
		inputs[s] = column_input(r, all, s, a);
}

/* ---- the whole sheet ------------------------------------------------------------------------- */

static void widest(const char **most, const char *text)
{
	if (text && (!*most || text_width(text) > text_width(*most)))
		*most = text;
}

/* Returns the first map that shows this matrix. */
static struct heatmap first_of(const struct contact_request *r, const struct making *all,
			       const struct contact_map *maps, enum shows shows)
{
	for (size_t i = 0; i < r->n * r->n_scenes; i++)
		if (all[i].ok && all[i].shows == shows)
			return maps[i].map;
	return (struct heatmap){0};
}

/* Chooses the maps for the legends; the legend of a common scale has numbers. */
static void choose_bars(const struct contact_request *r, const struct making *all,
			const struct contact_map *maps, struct contact *k)
{
	if (r->matrix != MATRIX_MASK && r->matrix != MATRIX_WEIGHTS)
		k->bar = first_of(r, all, maps, (enum shows)r->matrix);
	k->weights = first_of(r, all, maps, SHOWS_WEIGHTS);
	k->own = r->share == CONTACT_SHARE_OFF ||
		 (r->share == CONTACT_SHARE_SENTENCE && r->n_scenes > 1);
	for (size_t i = 0; i < r->n * r->n_scenes; i++)
		k->masked |= all[i].ok && maps[i].map.masked != NULL;
}

/* Excludes an entry if one of its maps failed. */
static void leave_out(const struct contact_request *r, struct making *all)
{
	for (size_t i = 0; i < r->n; i++) {
		struct making *const first = &all[i * r->n_scenes];
		bool ok = true;
		for (size_t s = 0; s < r->n_scenes; s++)
			ok &= first[s].ok || !first[s].wanted;
		for (size_t s = 0; s < r->n_scenes; s++)
			first[s].ok &= ok;
	}
}

/* Collects the maps in the order of the wishes; a family is a run of wishes. */
static void gather(const struct contact_request *r, const struct making *all,
		   const struct sheet_facts *f, struct arena *a, struct contact *k)
{
	const size_t columns = r->n_scenes;
	struct contact_map *const maps = arena_calloc(a, r->n * columns, sizeof *maps);
	struct contact_entry *const entries = arena_calloc(a, r->n, sizeof *entries);
	struct contact_family *const families = arena_calloc(a, r->n, sizeof *families);
	for (size_t i = 0; i < r->n; i++) {
		const struct making *const first = &all[i * columns];
		if (!first->ok)
			continue;
		for (size_t s = 0; s < columns; s++)
			if (first[s].ok)
				keep_map(r, &first[s], a, &maps[i * columns + s]);
		if (k->n_families == 0 ||
		    strcmp(families[k->n_families - 1].name, r->wishes[i].family) != 0)
			families[k->n_families++] =
				(struct contact_family){.name = r->wishes[i].family, .first = k->n};
		families[k->n_families - 1].n++;
		entries[k->n++] =
			(struct contact_entry){.name = r->wishes[i].name,
					       .year = sheet_year(r->wishes[i].expression),
					       .note = note_of(r, first, f->inputs[0], a),
					       .maps = &maps[i * columns]};
	}
	share_scales(r, all, maps);
	k->entries = entries;
	k->families = families;
	k->columns = columns;
	choose_bars(r, all, maps, k);
	for (size_t i = 0; i < r->n * columns; i++) {
		const struct mat at = maps[i].map.values;
		k->longest = at.rows > k->longest ? at.rows : k->longest;
		k->longest = at.cols > k->longest ? at.cols : k->longest;
		widest(&k->wide_number, maps[i].low);
		widest(&k->wide_number, maps[i].high);
		widest(&k->wide_percent, maps[i].percent);
	}
	for (size_t i = 0; i < k->n; i++) {
		widest(&k->wide_note, entries[i].note);
		widest(&k->wide_name, entries[i].name);
	}
}

/* Names the failed entries and the first error. False: one named by the user failed, or all did. */
static bool tell_failures(const struct contact_request *r, const struct making *all,
			  struct arena *a, const char **left_out, struct err *err)
{
	const char *why = NULL;
	struct strbuf names;
	strbuf_init(&names, a);
	for (size_t i = 0; i < r->n; i++)
		for (size_t s = 0; s < r->n_scenes; s++) {
			const struct making *const m = &all[i * r->n_scenes + s];
			if (m->ok || !m->wanted)
				continue;
			const size_t len = strlen(r->wishes[i].name);
			const bool named = strncmp(m->err.text, r->wishes[i].name, len) == 0;
			if (!r->wishes[i].of_many)
				return err_set(err, "%s%s%s", named ? "" : r->wishes[i].name,
					       named ? "" : ": ", m->err.text);
			why = why ? why : m->err.text;
			strbuf_printf(&names, "%s%s", names.len ? ", " : "", r->wishes[i].name);
			break;
		}
	bool any = false;
	for (size_t i = 0; i < r->n * r->n_scenes; i++)
		any |= all[i].ok;
	*left_out = why ? arena_printf(a, "left out: %s (%s)", names.at, why) : NULL;
	return any || err_set(err, "sheet: %s", why);
}

/* Returns the number of cells of all maps; those from a file have the file's size. */
static double cells_of(const struct contact_request *r)
{
	double cells = 0;
	struct arena a;
	arena_init(&a);
	for (size_t s = 0; s < r->n_scenes; s++) {
		size_t n;
		sheet_tokens(&r->scenes[s], &n, &a);
		for (size_t i = 0; i < r->n; i++) {
			size_t queries = n, keys = n;
			expression_own_tokens(r->wishes[i].expression, &a, &queries, &keys);
			cells += (double)queries * (double)keys;
		}
	}
	arena_release(&a);
	return cells;
}

/* Checks the memory beforehand, so that the user does not wait for a refusal. */
static bool has_memory(const struct contact_request *r, struct err *err)
{
	const double bytes = cells_of(r) * sizeof(double), limit = r->scenes[0].setup.memory;
	return bytes <= limit ||
	       err_set(err,
		       "sheet: the maps of %zu scheme%s take about %.0f MB, above the limit of "
		       "%.0f MB; fewer tokens or a larger --memory would be right",
		       r->n, r->n == 1 ? "" : "s", bytes / 1e6, limit / 1e6);
}

bool contact_make(const struct contact_request *r, struct arena *a, struct figure *out,
		  const char **left_out, struct err *err)
{
	const size_t n = r->n * r->n_scenes;
	if (!has_memory(r, err))
		return false;
	struct making *const all = arena_calloc(a, n, sizeof *all);
	struct sheet_job job = {r, all};
	struct sheet_facts f;
	open_all(r, a, all);
	machine_parallel(n, make_one, &job);
	struct contact *const k = arena_calloc(a, 1, sizeof *k);
	const bool ok = tell_failures(r, all, a, left_out, err);
	if (ok) {
		leave_out(r, all);
		find_facts(r, all, a, &f);
		gather(r, all, &f, a, k);
		const char *const title = r->scenes[0].title;
		*out = (struct figure){.title = *title ? text_escape(a, title, strlen(title))
						       : sheet_title(k, a),
				       .caption = sheet_caption(r, &f, a),
				       .caption_right = "posviz " POSVIZ_VERSION,
				       .command = r->command,
				       .contact = k};
		out->subtitle = sheet_subtitle(r, &f, k, a);
	}
	for (size_t i = 0; i < n; i++)
		arena_release(&all[i].a);
	return ok;
}
