/* help_places.c: see help_places.h. */
#include "help_places.h"

#include <math.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"

/* Returns a fixed pseudo-random number in [0, 1). */
static double drawn(size_t i, size_t salt)
{
	const double x = sin((double)i * 12.9898 + (double)salt * 78.233) * 43758.5453;
	return x - floor(x);
}

/* Returns the angle between two directions (in radians) in degrees, 0 to 180. */
static double angle_between(double a, double b)
{
	return acos(cos(a - b)) * 180 / M_PI;
}

static const char *words_of(struct arena *a, double turns)
{
	return turns < 99.5   ? arena_printf(a, "%.3g words", turns)
	       : turns < 9995 ? arena_printf(a, "%.0f words", turns)
			      : arena_printf(a, "%.0fk words", turns / 1000);
}

static void set_words(struct arena *a, struct dial *k, double theta)
{
	const char *const digits = arena_printf(a, "%.2g", theta);
	const double turns = 2 * M_PI / theta;
	k->title = arena_printf(a, "θ = %s", digits);
	k->brief_title = arena_printf(a, "θ %s", digits + (digits[0] == '0'));
	k->note = turns < 99.5 ? arena_printf(a, "round in %.3g words", turns)
			       : arena_printf(a, "round in %.0f words", turns);
	k->brief_note = words_of(a, turns);
}

struct panel help_dials(struct arena *a, size_t n)
{
	struct dial *const at = arena_calloc(a, n + 1, sizeof *at);
	double after = 0, before = 0;
	for (size_t i = 0; i < n; i++) {
		const double theta = pow(10000, -(double)i / (double)n);
		const double q = 2 * M_PI * drawn(i, 1), k = 2 * M_PI * drawn(i, 2);
		struct dial *const d = &at[i];
		d->hands[0] = (struct dial_hand){q, q + 4 * theta, 0.3 + 0.7 * drawn(i, 3)};
		d->hands[1] = (struct dial_hand){k, k + theta, 0.3 + 0.7 * drawn(i, 4)};
		const double size = d->hands[0].length * d->hands[1].length / 2;
		d->before = size * cos(q - k);
		d->after = size * cos(q - k + 3 * theta);
		before += d->before;
		after += d->after;
		set_words(a, d, theta);
		d->angle = arena_printf(a, "%.0f°", angle_between(q + 4 * theta, k + theta));
		d->angle_before = arena_printf(a, "before %.0f°", angle_between(q, k));
	}
	return (struct panel){
		.kind = PANEL_DIALS,
		.title = "Clocks",
		.note = "head 1 of 4",
		.rows = 1,
		.cols = 1,
		.dials = {
			.n = n,
			.at = at,
			.names = {"query dog, rotated by 4 θ", "key cat, rotated by 1 θ"},
			.brief_names = {"query dog, at 4", "key cat, at 1"},
			.value_title = "|q| |k| cos(angle) / √d_h",
			.sum = arena_printf(a, "logit %+.2f, unturned %+.2f", after, before),
			.about =
				"Each angle changes by (t − s)·θ only: move both words by the same "
				"number of positions and every dial shows the same angle.",
			.colormap = colormap_for(true, BACKGROUND_LIGHT)}};
}

struct panel help_clocks(struct arena *a, size_t n)
{
	struct panel p = help_dials(a, n);
	struct dial *const at = arena_calloc(a, n + 1, sizeof *at);
	for (size_t i = 0; i < n; i++) {
		at[i] = p.dials.at[i];
		at[i].hands[1] = (struct dial_hand){NAN, NAN, 0};
		at[i].before = at[i].after = NAN;
	}
	p.dials.at = at;
	p.dials.names[0] = "dog, at 4";
	p.dials.names[1] = p.dials.brief_names[0] = p.dials.brief_names[1] = NULL;
	p.dials.value_title = p.dials.sum = NULL;
	p.dials.colormap = NULL;
	return p;
}

static struct panel plane_panel(const struct plane_point *at, size_t n)
{
	return (struct panel){.kind = PANEL_PLANE,
			      .title = "Plane",
			      .note = "of 64 components",
			      .rows = 1,
			      .cols = 1,
			      .plane = {.n = n,
					.at = at,
					.x_title = "first component, 41 % of the variance",
					.y_title = "second component, 23 %"}};
}

struct panel help_spiral(struct arena *a, size_t n)
{
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	for (size_t i = 0; i < n; i++) {
		const double part = n > 1 ? (double)i / (double)(n - 1) : 0;
		const double r = 0.2 + 1.8 * part, turn = 4 * M_PI * part;
		at[i] = (struct plane_point){r * cos(turn), r * sin(turn),
					     arena_printf(a, "w%zu", i + 1)};
	}
	struct panel p = plane_panel(at, n);
	p.plane.joined = true;
	return p;
}

struct panel help_cloud(struct arena *a, size_t n)
{
	static const char *const names[] = {"rope", "alibi", "t5",   "shaw",   "xpos",
					    "猫犬", "fire",  "tupe", "kerple", "sinusoidal"};
	struct plane_point *const at = arena_calloc(a, n + 1, sizeof *at);
	size_t *const group = arena_calloc(a, n + 1, sizeof *group);
	for (size_t i = 0; i < n; i++) {
		group[i] = i % 3;
		at[i] = (struct plane_point){
			(double)group[i] + drawn(i, 1) + drawn(i, 5),
			(group[i] == 1 ? 1 : -0.3) + drawn(i, 2),
			i < 10 ? names[i] : arena_printf(a, "%s-%zu", names[i % 10], i / 10)};
	}
	struct panel p = plane_panel(at, n);
	p.plane.group = group;
	return p;
}

/* Returns a heatmap of nine rows with a causal mask. */
static struct heatmap picture(struct arena *a, size_t i)
{
	enum { SIDE = 9 };
	const struct mat m = mat_new(a, SIDE, SIDE);
	uint8_t *const masked = arena_calloc(a, (size_t)SIDE * SIDE, 1);
	for (size_t k = 0; k < (size_t)SIDE * SIDE; k++) {
		masked[k] = k % SIDE > k / SIDE;
		m.at[k] = drawn(i, k % 7) - 0.5;
	}
	return (struct heatmap){.values = m,
				.masked = masked,
				.scale = scale_fit(-1, 1, SCALE_LINEAR, true, false),
				.colormap = colormap_for(true, BACKGROUND_LIGHT)};
}

struct panel help_pictured(struct arena *a, size_t n)
{
	static const char *const names[] = {"none", "absolute", "relative"};
	struct panel p = help_cloud(a, n);
	struct heatmap *const thumbs = arena_calloc(a, n + 1, sizeof *thumbs);
	size_t *const order = arena_calloc(a, n + 1, sizeof *order);
	for (size_t i = 0; i < n; i++) {
		thumbs[i] = picture(a, i);
		order[i] = n - 1 - i;
	}
	p.plane.thumbs = thumbs;
	p.plane.order = order;
	p.plane.group_names = names;
	p.plane.n_groups = 3;
	p.plane.has_own = true;
	p.plane.own = n / 2;
	return p;
}

struct figure help_alone(const struct panel *p)
{
	struct figure f = {
		.title = "Rotary position embedding",
		.subtitle = "Su et al. 2021   ·   rope   ·   head 1 of 4",
		.caption = "“the cat that the dog chased fell asleep .”   n 9 · d 64 · h 4 · "
			   "seed 0 · identity projection",
		.caption_right = "posviz 0.1",
		.command = "posviz render rope",
		.n = 1,
		.col_weight = {1},
		.row_weight = {1}};
	f.panels[0] = *p;
	return f;
}

struct help_printed help_printed(const struct panel *p, int width, int height)
{
	struct help_printed out;
	struct err err = {""};
	const struct figure f = help_alone(p);
	const struct raster_look look = {.width = width, .height = height, .dpi = 96};
	if (!raster_image(&f, &look, &help_arena, &out.image, &out.report, &err))
		fail_msg("%s", err.text);
	return out;
}

void help_any_room(struct panel (*one)(struct arena *a, size_t n),
		   struct panel (*other)(struct arena *a, size_t n))
{
	static const struct raster_look looks[] = {
		{.width = 1, .height = 1},
		{.width = 16, .height = 16},
		{.width = 90, .height = 120},
		{.width = 320, .height = 240},
		{.width = 1600, .height = 90},
		{.width = 90, .height = 1600},
		{.width = 1000, .height = 0},
		{.width = 312, .height = 0, .type = 10.7, .foot = FOOT_NONE}};
	for (size_t i = 0; i < 8; i++) {
		const struct panel p = (i % 2 ? one : other)(&help_arena, 1 + 7 * i);
		const struct figure f = help_alone(&p);
		const struct raster_report r = help_page_report(&f, &looks[i], &help_arena);
		assert_true(r.plot_n > 0 || i < 6);
		struct canvas *const c =
			help_canvas(8 + 8 * (int)i, 24 + 24 * (int)i, TIER_16, false);
		struct rect body, hit;
		struct heatmap_view view;
		const struct presented presented = {
			.name = "rope", .title = "Rotary", .authors = "Su", .about = "It turns."};
		struct figure room = f;
		room.presented = &presented;
		c->presenter = true;
		canvas_presenter(c, (struct rect){0, 0, c->rows, c->cols}, &room, 0, HEAD_ANY,
				 &body, &hit, &view);
		help_assert_whole(c);
	}
}
