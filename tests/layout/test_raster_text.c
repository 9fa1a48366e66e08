/* What was measured once is what would be measured again. */
#include "plot/raster_in.h"
#include "test.h"

static const char *const texts[] = {
	"Each head learns one number for each bucket of distances and adds it to its logits.",
	"huggingface/transformers c85510f, modeling_t5.py; x-transformers 9252ed7 for scale=xt.",
	"averyveryverylongwordwithoutaplacetoenditsline and then some",
	"吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
	"two paragraphs,\nof which the second one is longer than the first one",
	"A_{ts} = q_t·k_s + b_{bucket(s−t)} + one more term^{2}",
};

static void page_open(struct page *p, const struct figure *f, double type, struct arena *a)
{
	const struct raster_look look = {.width = 1600, .height = 1000};
	assert_true(raster_open(p, f, &look, a, NULL));
	raster_text_size(p, type);
}

static double height(struct page *p, size_t i, double width)
{
	const enum face face = texts[i][0] == 'A' ? FACE_FORMULA : FACE_TEXT;
	return raster_text_wrap(p, face, 0, (struct area){.w = width}, false, texts[i]);
}

/* In a page that has measured nothing yet. */
static double height_alone(const struct figure *f, size_t i, double type, double width)
{
	struct arena a;
	struct page p;
	arena_init(&a);
	page_open(&p, f, type, &a);
	const double out = height(&p, i, width);
	raster_text_close(&p);
	arena_release(&a);
	return out;
}

TEST(raster_text_wraps_to_a_width_as_if_it_were_the_first)
{
	static const double types[] = {1, 0.9, 1};
	const struct figure f = {.title = "One"};
	struct arena a;
	struct page p;
	arena_init(&a);
	page_open(&p, &f, 1, &a);
	for (size_t t = 0; t < 3; t++) {
		raster_text_size(&p, types[t]);
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			for (size_t k = 0; k < 40; k++) {
				const double width = (double)(k * 17 % 40) * 13.7;
				const double alone = height_alone(&f, i, types[t], width);
				assert_float_equal(height(&p, i, width), alone, 0);
			}
	}
	raster_text_close(&p);
	arena_release(&a);
}

/* A script ends with the group that it stands in, and takes one cluster, a word or a number. */
TEST(raster_text_scripts_end_with_their_group)
{
	static const char *const rows[][2] = {
		{"x_{a_-}b", "xa-b"},		{"x_{a_\u2212}b", "xa\u2212b"},
		{"x^-12+y_ab c", "x-12+yab c"}, {"x_{a_b", "x{ab"},
		{"x_\u2212", "x\u2212"},	{"{x_{ab}}^2", "{xab}2"},
	};
	const struct figure f = {.title = "One"};
	struct arena a;
	struct page p;
	arena_init(&a);
	page_open(&p, &f, 1, &a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		p.kept_layouts = SIZE_MAX; /* so that it is laid out in the page's own */
		raster_text_measure(&p, FACE_FORMULA, rows[i][0]);
		assert_string_equal(pango_layout_get_text(p.layout), rows[i][1]);
	}
	raster_text_close(&p);
	arena_release(&a);
}
