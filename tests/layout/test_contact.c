/* test_contact.c: contact sheets: the share that distance tells, by hand; maps against closed forms and
 * evaluations of their own; limits; places; pages and cells on which all can be read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/app/app.h"
#include "posviz/picture/sheet.h"
#include "posviz/plot/contact.h"

FIXTURE(help_begin, help_end)

/* ---- sheets ------------------------------------------------------------------------------------- */

enum { SENTENCES = 3 };
static const char *const sentences[SENTENCES] = {"the cat sleeps", "to be or not to be",
						 "a rose is a rose is a rose ."};

struct made {
	struct figure figure;
	const char *left_out;
	struct scene scenes[SENTENCES];
};

static struct contact_request request_of(struct made *m, const char *const *expressions, size_t n,
					 size_t n_scenes)
{
	struct contact_wish *const wishes = arena_calloc(&help_arena, n, sizeof *wishes);
	for (size_t i = 0; i < n; i++)
		wishes[i] = (struct contact_wish){expressions[i], expressions[i],
						  i < (n + 1) / 2 ? "First" : "Second", false};
	for (size_t s = 0; s < n_scenes; s++) {
		m->scenes[s] = help_scene("none", "");
		m->scenes[s].setup.sentence = sentences[s];
		m->scenes[s].setup.asked.sentence = true;
	}
	return (struct contact_request){.wishes = wishes,
					.n = n,
					.scenes = m->scenes,
					.n_scenes = n_scenes,
					.background = BACKGROUND_LIGHT,
					.command = "posviz sheet"};
}

static const struct contact *make(struct made *m, const struct contact_request *r)
{
	struct err err = {""};
	if (!contact_make(r, &help_arena, &m->figure, &m->left_out, &err))
		fail_msg("%s", err.text);
	return m->figure.contact;
}

static double value(const struct contact *k, size_t entry, size_t column, size_t t, size_t s)
{
	return mat_row(k->entries[entry].maps[column].map.values, t)[s];
}

/* ALiBi: −2^(−8·1/4) (t − s) for the first of four heads (Press et al.). RoPE on the unit of ones, which
 * content 2 and d_h = 16 give 2/16 for each pair of channels: Σ 2 (cos(d 10000^(−i/8)) − 1) over i < 8. */
TEST(maps_are_the_papers_biases)
{
	static const char *const expressions[] = {"alibi", "rope"};
	struct made m;
	const struct contact_request r = request_of(&m, expressions, 2, SENTENCES);
	const struct contact *const k = make(&m, &r);
	for (size_t c = 0; c < SENTENCES; c++) {
		const size_t n = k->entries[1].maps[c].map.values.rows;
		for (size_t t = 0; t < n; t++)
			for (size_t s = 0; s < n; s++) {
				const double d = (double)s - (double)t;
				double turned = 0;
				for (size_t i = 0; i < 8; i++)
					turned += 2 * (cos(d * pow(10000, -(double)i / 8)) - 1);
				if (s <= t)
					assert_float_equal(value(k, 0, c, t, s), 0.25 * d, 1e-12);
				assert_float_equal(value(k, 1, c, t, s), turned * 2 / 16, 1e-12);
			}
		assert_float_equal(k->entries[0].maps[c].share, 1, 1e-12);
		assert_float_equal(k->entries[1].maps[c].share, 1, 1e-12);
		assert_string_equal(k->entries[0].maps[c].percent, "100 %");
		assert_float_equal(k->entries[0].maps[c].least, -0.25 * (double)(n - 1), 1e-12);
		assert_float_equal(k->entries[0].maps[c].largest, 0, 1e-12);
	}
	assert_int_equal(k->longest, 9);
}

/* Each map is what an evaluation of its own gives: of a head, of the mean of heads, and of weights where
 * there is no bias. */
TEST(maps_are_what_is_evaluated_alone)
{
	static const char *const expressions[] = {"sinusoidal", "tupe_r", "gauss", "causal"};
	static const char *const notes[] = {NULL, NULL, "weights", "mask"};
	for (long head = 0; head < 3; head++) {
		struct made m;
		struct contact_request r = request_of(&m, expressions, 4, 1);
		m.scenes[0].head = head;
		const struct contact *const k = make(&m, &r);
		for (size_t i = 0; i < 3; i++) {
			struct setup setup = m.scenes[0].setup;
			const struct want want = {.kinds = WANT_BIAS | WANT_WEIGHTS | WANT_MASK,
						  .head = -1};
			struct built b;
			struct trace trace;
			setup.scheme = expressions[i];
			assert_true(
				evaluate(&setup, &want, NULL, NULL, &help_arena, &b, &trace, NULL));
			if (head == 0)
				trace_mean(&trace, 4, 0, 4, &help_arena);
			const struct trace_head *const h =
				&trace.layers[0].heads[head == 0 ? 4 : head - 1];
			const struct mat want_m = i == 2 ? h->weights : h->bias;
			assert_true(mat_max_abs_diff(k->entries[i].maps[0].map.values, want_m) <=
				    1e-12);
		}
		for (size_t i = 0; i < 4; i++)
			assert_string_equal(k->entries[i].note ? k->entries[i].note : "",
					    notes[i] ? notes[i] : "");
		assert_null(k->entries[3].maps[0].low);
	}
}

/* Own limits are each map's largest; shared ones the largest of a sentence, or of all. */
TEST(limits_are_shared_as_asked)
{
	static const char *const expressions[] = {"alibi", "t5", "sinusoidal", "rope"};
	for (int share = CONTACT_SHARE_OFF; share <= CONTACT_SHARE_ALL; share++) {
		struct made m;
		struct contact_request r = request_of(&m, expressions, 4, SENTENCES);
		r.share = (enum contact_share)share;
		const struct contact *const k = make(&m, &r);
		double own[4][SENTENCES], all = 0, most[SENTENCES] = {0};
		for (size_t i = 0; i < 4; i++)
			for (size_t c = 0; c < SENTENCES; c++) {
				const struct contact_map *const map = &k->entries[i].maps[c];
				own[i][c] = fmax(-map->least, map->largest);
				most[c] = fmax(most[c], own[i][c]);
				all = fmax(all, own[i][c]);
			}
		assert_true(most[0] < most[2]);
		for (size_t i = 0; i < 4; i++)
			for (size_t c = 0; c < SENTENCES; c++) {
				const struct scale *const s = &k->entries[i].maps[c].map.scale;
				const double want = share == CONTACT_SHARE_OFF	      ? own[i][c]
						    : share == CONTACT_SHARE_SENTENCE ? most[c]
										      : all;
				assert_true(s->diverging);
				assert_float_equal(s->hi, want, 1e-12);
				assert_float_equal(s->lo, -want, 1e-12);
			}
		assert_int_equal(k->own, share != CONTACT_SHARE_ALL);
	}
}

/* What wants a tree, a graph or another order, and was given none, is on its sample, in one column; with
 * one it is on that. */
TEST(samples_stand_in_and_are_named)
{
	static const char *const expressions[] = {"spr_rel", "laplacian", "pnat", "rope"};
	struct made m;
	struct contact_request r = request_of(&m, expressions, 4, 2);
	const struct contact *k = make(&m, &r);
	assert_string_equal(k->entries[0].note, "on @dep2");
	assert_string_equal(k->entries[1].note, "on @amr2");
	assert_string_equal(k->entries[2].note, "on own order");
	assert_null(k->entries[3].note);
	for (size_t i = 0; i < 4; i++) {
		assert_non_null(k->entries[i].maps[0].map.values.at);
		assert_int_equal(k->entries[i].maps[1].map.values.at != NULL, i == 3);
	}
	r.n_scenes = 1;
	m.scenes[0] = help_scene("none", "conllu @dep1\n");
	k = make(&m, &r);
	assert_null(k->entries[0].note);
	assert_int_equal(k->entries[0].maps[0].map.values.rows, 6);
	/* An order of the user's tokens is none of the sample's. */
	m.scenes[0] = help_scene("none", "sentence a b c\norder 2 1 3\n");
	k = make(&m, &r);
	assert_string_equal(k->entries[2].note, "on own order");
	assert_int_equal(k->entries[2].maps[0].map.values.rows, 8);
}

TEST(who_is_named_must_be_there_who_is_not_may_be_left_out)
{
	static const char *const expressions[] = {"rope", "matrix(from=/no/such.npy)", "t5"};
	struct made m;
	struct contact_request r = request_of(&m, expressions, 3, 1);
	struct contact_wish wishes[3];
	struct err err = {""};
	assert_false(contact_make(&r, &help_arena, &m.figure, &m.left_out, &err));
	assert_non_null(strstr(err.text, "such.npy"));
	memcpy(wishes, r.wishes, sizeof wishes);
	for (size_t i = 0; i < 3; i++)
		wishes[i].of_many = true;
	r.wishes = wishes;
	const struct contact *const k = make(&m, &r);
	assert_int_equal(k->n, 2);
	assert_string_equal(k->entries[1].name, "t5");
	assert_non_null(strstr(m.left_out, "such.npy"));
	wishes[0] = wishes[1];
	r.n = 2;
	assert_false(contact_make(&r, &help_arena, &m.figure, &m.left_out, &err));
}

TEST(a_sheet_larger_than_the_memory_is_refused)
{
	static const char *const expressions[] = {"rope", "t5"};
	struct made m;
	struct err err = {""};
	struct contact_request r = request_of(&m, expressions, 2, 1);
	m.scenes[0].setup.memory = 100;
	assert_false(contact_make(&r, &help_arena, &m.figure, &m.left_out, &err));
	assert_non_null(strstr(err.text, "--memory"));
}

/* ---- places ------------------------------------------------------------------------------------- */

/* Families of 1, 5, 2 and 3 in rows of four: the rest of the second one has room for the third beside it,
 * and none for the last. */
TEST(families_follow_each_other_in_rows)
{
	static const struct contact_family families[] = {
		{"a", 0, 1}, {"b", 1, 5}, {"c", 6, 2}, {"d", 8, 3}};
	static const size_t least[] = {1, 1, 1, 1};
	static const struct contact_run want[] = {{0, 0, 1, 0, 0, 1, false},
						  {1, 1, 4, 1, 0, 4, false},
						  {1, 5, 1, 2, 0, 1, true},
						  {2, 6, 2, 2, 1, 2, false},
						  {3, 8, 3, 3, 0, 3, false}};
	struct contact_entry entries[11] = {{.name = "x"}};
	entries[5].note = "weights";
	const struct contact k = {
		.families = families, .entries = entries, .n_families = 4, .n = 11, .columns = 1};
	struct contact_flow flow;
	contact_flow(&k, 4, least, &help_arena, &flow);
	assert_int_equal(flow.n, 5);
	assert_int_equal(flow.rows, 4);
	for (size_t i = 0; i < 5; i++) {
		const struct contact_run *const got = &flow.runs[i], *const w = &want[i];
		assert_true(got->family == w->family && got->first == w->first && got->n == w->n &&
			    got->row == w->row && got->col == w->col && got->cols == w->cols &&
			    got->again == w->again);
	}
	assert_true(flow.headed[2] && flow.noted[2] && !flow.noted[1]);
	/* A name as wide as two columns takes them. */
	contact_flow(&k, 4, (const size_t[]){2, 1, 4, 1}, &help_arena, &flow);
	assert_int_equal(flow.runs[0].cols, 2);
	assert_int_equal(flow.runs[3].row, 3);
}

/* ---- pages and cells ---------------------------------------------------------------------------- */

static const struct contact *all_schemes(struct made *m, const char *sentence, size_t most,
					 size_t n_scenes)
{
	size_t n;
	const struct menu_item *const items = menu_items(NULL, &help_arena, &n);
	n = n < most ? n : most;
	struct contact_wish *const wishes = arena_calloc(&help_arena, n, sizeof *wishes);
	for (size_t i = 0; i < n; i++)
		wishes[i] = (struct contact_wish){items[i].scheme->id, items[i].scheme->id,
						  items[i].group, true};
	struct contact_request r = request_of(m, NULL, 0, n_scenes);
	r.wishes = wishes;
	r.n = n;
	if (sentence)
		m->scenes[0].setup.sentence = sentence;
	return make(m, &r);
}

static void page_reads(struct made *m, int width, int height, bool dark)
{
	struct raster_look look = {.width = width, .height = height, .dpi = 150, .dark = dark};
	struct err err;
	if (width == 0)
		assert_true(raster_contact_size(&m->figure, &look, &help_arena, &err));
	const struct raster_report r = help_page_report(&m->figure, &look, &help_arena);
	char what[80];
	snprintf(what, sizeof what, "%zu schemes on %.0fx%.0f", m->figure.contact->n, look.width,
		 look.height);
	help_page_reads(what, &r, look.width, look.height);
	/* A map of each on each sentence, and every name. */
	const struct contact *const k = m->figure.contact;
	size_t maps = 0;
	for (size_t i = 0; i < k->n; i++)
		for (size_t c = 0; c < k->columns; c++)
			maps += k->entries[i].maps[c].map.values.at != NULL;
	assert_int_equal(r.plot_n, maps);
}

TEST(all_schemes_can_be_read_on_a_poster)
{
	struct made m;
	const struct contact *const k =
		all_schemes(&m, "the cat that the dog chased fell asleep .", SIZE_MAX, 1);
	assert_true(k->n >= scheme_count());
	assert_null(m.left_out);
	page_reads(&m, 0, 0, false);
	page_reads(&m, 3508, 2480, true);
	page_reads(&m, 4961, 3508, false);
}

TEST(sheets_of_all_sizes_can_be_read)
{
	static const int sizes[][2] = {{0, 0}, {1600, 1000}, {700, 1200}};
	for (size_t n = 2; n <= 40; n = n * 3 + 1)
		for (size_t c = 1; c <= SENTENCES; c += 2)
			for (size_t i = 0; i < 3; i++) {
				struct made m;
				all_schemes(&m, NULL, n, c);
				if (i == 0 || n * c <= 26)
					page_reads(&m, sizes[i][0], sizes[i][1], i == 1);
			}
}

/* A sheet in a column of paper is on pages of one size, none higher than paper: each name once, in the
 * order of the sheet, rows whole, and a family that goes on says so. */
TEST(a_column_of_many_maps_breaks_into_pages)
{
	enum { COLUMN = 291 };
	static const size_t most[] = {4, 30, 60, SIZE_MAX};
	size_t last = 0;
	for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
		struct made m;
		struct raster_look look = {.width = COLUMN, .type = 12, .foot = FOOT_NONE};
		struct err err = {""};
		struct figure *pages;
		char *data;
		size_t n, len, maps = 0, at = 0;
		const struct contact *const k = all_schemes(&m, NULL, most[i], 1);
		assert_true(raster_contact_pages(&m.figure, &look, &help_arena, &pages, &n, &err));
		assert_true(i == 0 ? n == 1 : n > last);
		last = n;
		if (n == 1)
			continue;
		struct raster_report *const r = arena_calloc(&help_arena, n, sizeof *r);
		if (!raster_pages(pages, n, &look, &help_arena, &data, &len, r, &err))
			fail_msg("%s", err.text);
		assert_memory_equal(data, "%PDF", 4);
		assert_true(look.height <= RASTER_CONTACT_PAPER &&
			    look.height > 0.6 * RASTER_CONTACT_PAPER);
		for (size_t page = 0; page < n; page++) {
			help_page_reads("page", &r[page], COLUMN, (int)look.height);
			assert_float_equal(r[page].height, look.height, 1e-9);
			assert_float_equal(r[page].plots[0].width, r[0].plots[0].width, 1e-9);
			maps += r[page].plot_n;
			const struct contact *const part = pages[page].contact;
			bool goes_on = page > 0;
			for (size_t f = 0; f < k->n_families; f++)
				goes_on &= k->families[f].first != at;
			assert_int_equal(help_page_says(&r[page], ", continued"), goes_on);
			for (size_t e = 0; e < part->n; e++, at++)
				assert_ptr_equal(part->entries[e].name, k->entries[at].name);
		}
		assert_int_equal(maps, k->n);
		assert_int_equal(at, k->n);
	}
}

/* A page too small says what is not; that page is large enough, one of 0.9 of its sides is not. */
TEST(a_page_too_small_says_what_would_do)
{
	struct made m;
	struct raster_look look = {.width = 600, .height = 400, .dpi = 150};
	struct err err = {""};
	struct image image;
	int width, height;
	all_schemes(&m, NULL, 40, 1);
	assert_false(raster_image(&m.figure, &look, &help_arena, &image, NULL, &err));
	const char *const right = strstr(err.text, "; ");
	assert_non_null(right);
	assert_int_equal(sscanf(right, "; %d x %d would be right", &width, &height), 2);
	assert_true(width > 600);
	page_reads(&m, width, height, false);
	look.width = width * 9 / 10;
	look.height = height * 9 / 10;
	assert_false(raster_image(&m.figure, &look, &help_arena, &image, NULL, &err));
}

/* Letters of a page that has room stay; else they are the largest, in tenths of a point, that have room. */
TEST(letters_of_a_sheet_are_as_large_as_fits)
{
	static const double point = 96.0 / 72, mm = 96 / 25.4;
	struct made m;
	struct raster_look look = {
		.width = 420 * mm, .height = 297 * mm, .dpi = 96, .type = 24 * point};
	struct err err = {""};
	struct image image;
	all_schemes(&m, NULL, 40, 1);
	assert_false(raster_image(&m.figure, &look, &help_arena, &image, NULL, &err));
	assert_true(raster_contact_letters(&m.figure, &look, 4 * point, &help_arena, &err));
	const double fits = look.type / point;
	assert_true(fits > 4 && fits < 24);
	assert_float_equal(fits * 10, round(fits * 10), 1e-9);
	assert_true(raster_image(&m.figure, &look, &help_arena, &image, NULL, &err));
	look.type += 0.1 * point;
	assert_false(raster_image(&m.figure, &look, &help_arena, &image, NULL, &err));
	look.type = 4.25 * point;
	assert_true(raster_contact_letters(&m.figure, &look, 4 * point, &help_arena, &err));
	assert_float_equal(look.type / point, 4.25, 1e-12);
	look.type = 24 * point;
	assert_true(raster_contact_letters(&m.figure, &look, 20 * point, &help_arena, &err));
	assert_float_equal(look.type / point, 20, 1e-9);
}

TEST(more_tokens_than_any_page_shows_are_refused)
{
	struct made m;
	struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
	struct err err = {""};
	struct image image;
	struct contact k;
	all_schemes(&m, NULL, 4, 1);
	k = *m.figure.contact;
	k.longest = 4000;
	m.figure.contact = &k;
	assert_false(raster_image(&m.figure, &look, &help_arena, &image, NULL, &err));
	assert_non_null(strstr(err.text, "fewer of either"));
}

static void cells_read(struct made *m, int cols, int rows, enum tier tier, bool ascii)
{
	struct canvas_report report = {0};
	struct canvas *const like = help_canvas(rows, cols, tier, ascii);
	const int needed = canvas_contact_rows(like, &m->figure, rows);
	assert_true(needed > 0);
	struct canvas *const c = help_canvas(needed, cols, tier, ascii);
	c->report = &report;
	canvas_contact(c, &m->figure);
	help_assert_whole(c);
	const char *const text = help_screen(c);
	if (report.over > 0)
		fail_msg("%dx%d: \"%s\" lies on letters", cols, rows, report.over_text);
	for (size_t i = 0; i < m->figure.contact->n; i++)
		if (!strstr(text, m->figure.contact->entries[i].name))
			fail_msg("%dx%d: no %s in\n%s", cols, rows,
				 m->figure.contact->entries[i].name, text);
	assert_non_null(strstr(text, "100 %"));
}

TEST(sheets_on_cells_have_every_name)
{
	static const int sizes[][2] = {{200, 50}, {120, 36}, {80, 24}, {60, 20}, {40, 12}};
	struct made m;
	for (size_t i = 0; i < 5; i++) {
		if (i < 2)
			all_schemes(&m, NULL, i == 0 ? 36 : 24, 1);
		for (int tier = TIER_MONO; tier < TIER_COUNT; tier++)
			cells_read(&m, sizes[i][0], sizes[i][1], (enum tier)tier,
				   tier == TIER_MONO);
	}
}

/* As large as the rows let them be, and one column by half a row where that is all. */
TEST(cells_grow_with_the_rows)
{
	static const char *const expressions[] = {"rope", "t5"};
	struct made m;
	const struct contact_request r = request_of(&m, expressions, 2, 1);
	make(&m, &r);
	const struct canvas *const like = help_canvas(30, 100, TIER_DIRECT, false);
	const int least = canvas_contact_rows(like, &m.figure, 1);
	const int more = canvas_contact_rows(like, &m.figure, 30);
	assert_true(least < more && more <= 30);
	struct canvas *const narrow = help_canvas(30, 8, TIER_DIRECT, false);
	struct err err = {""};
	assert_int_equal(canvas_contact_rows(narrow, &m.figure, 30), 0);
	assert_false(canvas_contact_refuse(narrow, &m.figure, &err));
	assert_non_null(strstr(err.text, "--cells"));
}
