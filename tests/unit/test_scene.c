/* test_scene.c: scenes as values: printing and reading them, every field's range, the command line
 * under a figure. Files and dumps are tested in test_setup.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/input/input.h"
#include "posviz/plot/scale.h"
#include "posviz/scene/scene.h"

static struct arena arena;
static struct rng rng;

static int open_arena(void **state)
{
	(void)state;
	arena_init(&arena);
	rng_init(&rng, 11);
	return 0;
}

static int close_arena(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

FIXTURE(open_arena, close_arena)

static void must_set(struct scene *s, const char *field, const char *value)
{
	struct err err = {""};
	assert_non_null(field_find(field));
	if (!scene_set(s, field_find(field), value, &err))
		fail_msg("%s %s: %s", field, value, err.text);
}

static void must_parse(struct scene *s, const char *text)
{
	struct err err = {""};
	if (!scene_parse(s, text, &err))
		fail_msg("%s\n%s", text, err.text);
}

/* ---- random scenes ------------------------------------------------------------------------------ */

static const char *random_text(size_t most)
{
	static const char *const pieces[] = {
		"a",	  "cat ", " ",	  "\"",	 "\\",	    "\n",   "\r",    "\t", "'",
		"é",	  "日本", "🙂", "#",	 "\\n",	    "|||",  "$HOME", "`",  "-",
		"\xff",	  "%s",	  "\x1b", "--x", "\"\"",    "\\\"", "=",     "!",  "*",
		"\u0301", "\v",	  ";",	  "&",	 "heads 8", "\f",   "(",     ")",  "?",
	};
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = rng_below(&rng, most + 1); i > 0; i--)
		strbuf_add(&b, pieces[rng_below(&rng, sizeof pieces / sizeof pieces[0])]);
	return b.at ? b.at : "";
}

static const char *checked_text(const char *name)
{
	static const char *const expressions[] = {"none",
						  "rope+causal",
						  "shaw(clip=3)+t5(scale=rsqrt)",
						  "alibi(heads=[1,3])",
						  "ldpe",
						  "deberta(emd=on)",
						  "gauss(offsets=[-1, 0,2])",
						  "sinusoidal(pos=remaining,layers=1-2)"};
	static const char *const specials[] = {"none", "cls", "cls,sep", "bos", "sep", ""};
	static const char *const maps[] = {"", "a=b", "w_key=t x.y.0=z", " a=b "};
	static const char *const positions[] = {"none", "0 1 2 0 1", " -3,4  7 ", "start:5",
						"start:-12"};
	static const char *const segments[] = {"none", "1 0 0 1", "0,2", "99"};
	static const char *const ids[] = {"", "101 7592 102", "0,2", "none"};
	static const char *const scales[] = {"1", "sqrt-d", "0.25", "1e3", "22.627416997969522"};
	static const char *const pads[] = {"left:3", "right:2", "none", "left:1,right:256",
					   "left:9,no-reset"};
	static const char *const names[] = {"explore", "why", "viridis", "auto", "a-b9"};
	static const char *const lists[] = {"none", "none()", "t5", "none; rope + causal",
					    "alibi(heads=[1,3]);none ;t5(buckets=16)"};
	static const char *const listed[] = {"all", "rope", " t5  rpr ", "none alibi none"};
	static const char *const laid[] = {"none", "rope_pi,t5(buckets=16,max_distance=64)",
					   "none()", "none,alibi"};
	static const char *const sweeps[] = {"none", "base=100,1000", "alibi.factor=0..1:5",
					     "scale=none,\"a b\""};
	static const char *const filters[] = {"all", "previous>0.5", "layer=2 first", "own<=-3e1%"};
	static const char *const called[] = {"none", "head.3=a b", "expr.1=\xC3\xA9=1; layer.2= x ",
					     "layer.2=x;layer.2=y;head.1=", ";"};
	static const struct {
		const char *name, *const *values;
		size_t n;
	} kinds[] = {
		{"scheme", expressions, 8},
		{"compare", lists, 5},
		{"special", specials, 6},
		{"map", maps, 4},
		{"position-ids", positions, 5},
		{"segments", segments, 4},
		{"embed-scale", scales, 5},
		{"pad", pads, 5},
		{"listed", listed, 4},
		{"lengths", laid, 4},
		{"sweep", sweeps, 4},
		{"profile-filter", filters, 4},
		{"name", called, 5},
		{"ids", ids, 4},
		{"source-ids", ids, 4},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(name, kinds[i].name) == 0)
			return kinds[i].values[rng_below(&rng, kinds[i].n)];
	return names[rng_below(&rng, 5)];
}

static double random_real(double min, double max)
{
	switch (rng_below(&rng, 4)) {
	case 0:
		return min;
	case 1:
		return max;
	case 2:
		return min + (max - min) * rng_uniform(&rng) * 1e-9;
	default:
		return min + (max - min) * rng_uniform(&rng);
	}
}

static long random_integer(const struct value_type *t)
{
	return (long)t->min + (long)rng_below(&rng, (size_t)(t->max - t->min) + 1);
}

static const char *random_value(const struct field *f)
{
	char number[32];
	const struct value_type *const t = &f->type;
	const char *const *const words = value_choices(t);
	if (t->kind == &value_text)
		return f->check ? checked_text(f->name) : random_text(6);
	if (t->kind == &value_integer)
		return arena_printf(&arena, "%ld", random_integer(t));
	if (t->kind == &value_seed)
		return arena_printf(&arena, "%llu", (unsigned long long)rng_u64(&rng));
	if (t->kind == &value_bytes && rng_below(&rng, 2))
		return rng_below(&rng, 2) ? "800M" : "1234567.5k";
	if (t->kind == &value_bytes)
		return arena_printf(&arena, "%.0f", random_real(t->min, t->max));
	if (t->kind == &value_real)
		return arena_strdup(&arena,
				    num_print(number, sizeof number, random_real(t->min, t->max)));
	if (!words)
		return arena_printf(&arena, "%ldx%ld", random_integer(t), random_integer(t));
	size_t n = 0;
	while (words[n])
		n++;
	return words[rng_below(&rng, n)];
}

static struct scene random_scene(void)
{
	struct scene s;
	scene_init(&s);
	for (const struct field *f = scene_fields; f->name; f++)
		if (rng_below(&rng, 3) == 0)
			must_set(&s, f->name, random_value(f));
	return s;
}

TEST(printed_scenes_read_back)
{
	for (size_t i = 0; i < 2000; i++) {
		const struct arena_mark mark = arena_mark(&arena);
		const struct scene s = random_scene();
		const char *text = scene_print(&s, &arena);
		struct scene again;
		must_parse(&again, text);
		assert_string_equal(scene_print(&again, &arena), text);
		if (!scene_equal(&s, &again))
			fail_msg("differs after reading:\n%s", text);
		assert_true(setup_equal(&s.setup, &again.setup));
		arena_rewind(&arena, mark);
	}
}

TEST(defaults_print_to_nothing)
{
	struct scene s, empty;
	scene_init(&s);
	assert_string_equal(scene_print(&s, &arena), "");
	must_parse(&empty, "\n# a note\n   \n");
	assert_true(scene_equal(&s, &empty));
	must_set(&s, "heads", "8");
	assert_string_equal(scene_print(&s, &arena), "heads 8\n");
	must_set(&s, "heads", "4");
	must_set(&s, "memory", "1500M");
	assert_string_equal(scene_print(&s, &arena), "");
}

TEST(awkward_sentences_survive)
{
	static const char *const rows[] = {
		"",	    " ",       "a",	  " a",	    "a ",      "a \n b", "\n",
		"\"",	    "\"\"",    "a\"",	  "\"a\"",  "\"a",     "\\",	 "a\\",
		"\\n",	    "\\\"",    "# a",	  "a # b",  "日本語",  "a\tb",	 "\ta",
		"a\r",	    "a\r\nb",  "\"a\" b", "a\"b\"", "heads 8", "\\\\",	 "\"\\\"\"",
		"\xff\xfe", "é\u0301", "\x01",	  "\\r",
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s, again;
		scene_init(&s);
		must_set(&s, "sentence", rows[i]);
		must_parse(&again, scene_print(&s, &arena));
		assert_string_equal(again.setup.sentence, rows[i]);
	}
	struct scene s;
	must_parse(&s, "sentence \"a \\n b\"");
	assert_string_equal(s.setup.sentence, "a \n b");
	must_parse(&s, "  sentence   a b\n\theads\t8");
	assert_string_equal(s.setup.sentence, "a b");
	assert_int_equal(s.setup.heads, 8);
}

TEST(errors_name_the_line_and_change_nothing)
{
	static const struct {
		const char *text, *line, *word;
	} rows[] = {
		{"heds 8", "line 1: ", "\"heads\""},
		{"position-ids \"\"", "line 1: position-ids: there is no number; ", "or none"},
		{"segments \"\"", "line 1: segments: there is no number; ", "or none"},
		{"heads 8\n\nd-modle 3", "line 3: ", "\"d-model\""},
		{"heads 8\nheads eight\n", "line 2: ", "eight"},
		{"heads 0", "line 1: ", "from 1 to"},
		{"proj rondom", "line 1: ", "random"},
		{"sentence \"a", "line 1: ", "quotes"},
		{"sentence \"", "line 1: ", "quotes"},
		{"sentence \"a\"b", "line 1: ", "quotes"},
		{"sentence \"a\\\"", "line 1: ", "quotes"},
		{"scheme rop", "line 1: ", "rope"},
		{"special clss", "line 1: ", "clss"},
		{"map a", "line 1: ", "LEAF=TENSOR"},
		{"size 300", "line 1: ", "has no unit"},
		{"full-caption maybe", "line 1: ", "full-caption"},
		{"lock maybe", "line 1: ", "on"},
		{"\x1b[2J 1", "line 1: ", "\\x1B"},
		{"view ../x", "line 1: ", "name"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s, before;
		struct err err = {""};
		scene_init(&s);
		must_set(&s, "layers", "7");
		before = s;
		if (scene_parse(&s, rows[i].text, &err))
			fail_msg("accepted: %s", rows[i].text);
		if (!strstr(err.text, rows[i].line) || !strstr(err.text, rows[i].word) ||
		    !text_valid(err.text, strlen(err.text)) || strchr(err.text, '\x1b'))
			fail_msg("%s: %s", rows[i].text, err.text);
		assert_true(scene_equal(&s, &before));
	}
}

static void expect_refused(const struct field *f, const char *value)
{
	struct scene s, before;
	struct err err = {""};
	scene_init(&s);
	before = s;
	if (scene_set(&s, f, value, &err))
		fail_msg("%s took \"%s\"", f->name, value);
	if (!strstr(err.text, f->name))
		fail_msg("%s \"%s\": %s", f->name, value, err.text);
	assert_true(scene_equal(&s, &before));
}

/* Scenes of earlier versions. */
TEST(old_lines)
{
	struct scene s;
	struct err err = {""};
	assert_true(scene_parse(&s, "full-caption on\nheads 8\n", &err));
	assert_int_equal(s.caption, CAPTION_FULL);
	assert_int_equal(s.setup.heads, 8);
	assert_true(scene_parse(&s, "full-caption off\n", &err));
	assert_int_equal(s.caption, CAPTION_AUTO);
}

/* Words were cut by another rule once, and a scene of then has no line for its words. */
TEST(old_scenes_keep_the_words_that_they_had)
{
	struct scene s;
	must_parse(&s, "sentence the U.S. won");
	assert_int_equal(s.setup.tokens, TOKENS_PLAIN_WORDS);
	assert_string_equal(scene_print(&s, &arena), "sentence the U.S. won\ntokens plain-words\n");
	must_parse(&s, "sentence the dog won .");
	assert_int_equal(s.setup.tokens, TOKENS_WORDS);
	assert_string_equal(scene_print(&s, &arena), "sentence the dog won .\n");
	must_parse(&s, "compare \"alibi(factor=0.5)\"");
	assert_int_equal(s.setup.tokens, TOKENS_WORDS);
	must_parse(&s, "compare \"@ it is 3.14\"");
	assert_int_equal(s.setup.tokens, TOKENS_PLAIN_WORDS);
	must_parse(&s, "file words.txt");
	assert_int_equal(s.setup.tokens, TOKENS_PLAIN_WORDS);
	must_parse(&s, "sentence it is 3.14\ntokens chars");
	assert_int_equal(s.setup.tokens, TOKENS_CHARS);
	scene_init(&s);
	must_set(&s, "sentence", "the U.S. won");
	assert_string_equal(scene_print(&s, &arena), "sentence the U.S. won\ntokens words\n");
	must_parse(&s, scene_print(&s, &arena));
	assert_int_equal(s.setup.tokens, TOKENS_WORDS);
}

/* A field keeps the numbers and not the file that they came from. */
TEST(lists_of_numbers_come_from_files)
{
	static const struct {
		const char *name, *text, *field, *value;
	} rows[] = {
		{"ids.txt", "0\n1\n2\n", "position-ids", "0 1 2"},
		{"ids.txt", "0 1 2\n0 0 1\n 0, 1, 0 \n", "position-ids", "0 1 2; 0 0 1; 0 1 0"},
		{"ids.txt", "0 1\r\n\r\n0 0\r\n0 1", "position-ids", "0 1; 0 0; 0 1"},
		{"ids.txt", "0 1; 0 0;\n0 1\n", "position-ids", "0 1; 0 0; 0 1"},
		{"ids.txt", "0 1 2\n3 4 5\n6", "position-ids", "0 1 2 3 4 5 6"},
		{"ids.json", "[0, 1, 2]", "segments", "0 1 2"},
		{"ids.csv", "2,0,2\n", "governors", "2 0 2"},
		{"ids.txt", "[3, 1, 2]", "order", "3 1 2"},
		{"ids.txt", "(3, 1, 2)", "reorder", "3 1 2"},
		{"ids.json", "[[1, 1], [2, 3]]", "alignment", "1-1 2-3"},
		{"ids.txt", "1-1\n2-3", "alignment", "1-1 2-3"},
	};
	struct err err = {""};
	struct scene s;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		scene_init(&s);
		assert_true(
			file_write(rows[i].name, rows[i].text, strlen(rows[i].text), true, &err));
		must_set(&s, rows[i].field, rows[i].name);
		assert_string_equal(scene_get(&s, field_find(rows[i].field), &arena),
				    rows[i].value);
		remove(rows[i].name);
	}
	must_set(&s, "reorder", "[a <b c>]");
	assert_string_equal(s.setup.reorder, "[a <b c>]");
	assert_false(scene_set(&s, field_find("order"), "nope.npy", &err));
	assert_string_equal(err.text,
			    "order: cannot read \"nope.npy\": there is no such file or directory");
	assert_false(scene_set(&s, field_find("position-ids"), "ids.dat", &err));
	assert_string_equal(err.text, "position-ids: there is no file \"ids.dat\"; '0 1 2 0 1', "
				      "start:5 or none would be right");
	assert_false(scene_set(&s, field_find("segments"), "no/ids", &err));
	assert_non_null(strstr(err.text, "segments: there is no file \"no/ids\""));
	assert_true(file_write("ids.txt", "0\nx\n", 4, true, &err));
	assert_false(scene_set(&s, field_find("position-ids"), "ids.txt", &err));
	assert_string_equal(err.text,
			    "position-ids: \"ids.txt\": line 2, column 1: \"x\" is not a number");
	remove("ids.txt");
}

TEST(page_sizes)
{
	static const struct {
		const char *text, *printed;
		enum page_unit unit;
		double width, height;
	} rows[] = {
		{"1600x1000", "1600x1000", PAGE_PX, 1600, 1000},
		{"800x500px", "800x500", PAGE_PX, 800, 500},
		{"800pxx500px", "800x500", PAGE_PX, 800, 500},
		{"800px", "800px", PAGE_PX, 800, 0},
		{"3.25in", "3.25in", PAGE_IN, 3.25, 0},
		{"84mm", "84mm", PAGE_MM, 84, 0},
		{"8.4cm", "8.4cm", PAGE_CM, 8.4, 0},
		{"234pt", "234pt", PAGE_PT, 234, 0},
		{"3.25x2in", "3.25x2in", PAGE_IN, 3.25, 2},
		{"3.25inx2in", "3.25x2in", PAGE_IN, 3.25, 2},
	};
	const struct field *const f = field_find("size");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		scene_init(&s);
		must_set(&s, "size", rows[i].text);
		assert_int_equal(s.size.unit, rows[i].unit);
		assert_within(s.size.width, rows[i].width, 0);
		assert_within(s.size.height, rows[i].height, 0);
		assert_string_equal(scene_get(&s, f, &arena), rows[i].printed);
	}
	/* An inch is 72 points, 2.54 cm. */
	assert_within(page_inches(234, PAGE_PT), 3.25, 1e-12);
	assert_within(page_inches(2.54, PAGE_CM), 1, 1e-12);
	assert_within(page_inches(25.4, PAGE_MM), 1, 1e-12);
	assert_within(page_inches(3.25, PAGE_IN), 3.25, 0);
}

TEST(sizes_that_are_none)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"3", "3 has no unit; 3in or 3cm would be a width, 1600x1000 is in pixels"},
		{"84", "84 has no unit; 84cm, 84mm or 84pt would be a width"},
		{"1200", "1200 has no unit; 1200px, 1200mm or 1200pt would be a width"},
		{"9000", "\"9000\" is no size"},
		{"0.1", "\"0.1\" is no size"},
		{"3.25", "has no unit"},
		{"3inch", "is no size"},
		{"3inx2cm", "is no size"},
		{"x", "is no size"},
		{"in", "is no size"},
		{"3x2", "the width: \"3\" is out of range"},
		{"0.1in", "the width: 0.1in is out of range: from 0.5in to 60in"},
		{"1m", "is no size"},
		{"9999pt", "out of range: from 36pt to 4320pt"},
		{"1e9in", "the width: 1e9in is out of range: from 0.5in to 60in"},
		{"-3in", "the width: -3in is out of range: from 0.5in to 60in"},
		{"3x-2in", "the height: -2in is out of range: from 0.5in to 60in"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		assert_false(scene_set(&s, field_find("size"), rows[i].text, &err));
		if (!strstr(err.text, rows[i].why))
			fail_msg("%s: %s", rows[i].text, err.text);
	}
}

TEST(letters_and_fonts)
{
	struct scene s;
	scene_init(&s);
	must_set(&s, "font-size", "8pt");
	assert_within(s.font_size, 8, 0);
	assert_string_equal(scene_get(&s, field_find("font-size"), &arena), "8pt");
	must_set(&s, "font-size", "7.5");
	assert_string_equal(scene_get(&s, field_find("font-size"), &arena), "7.5pt");
	must_set(&s, "font-size", "auto");
	assert_within(s.font_size, 0, 0);
	must_set(&s, "dpi", "auto");
	assert_string_equal(scene_get(&s, field_find("dpi"), &arena), "auto");
	expect_refused(field_find("font-size"), "8px");
	expect_refused(field_find("font-size"), "3pt");
	expect_refused(field_find("font"), "");
	expect_refused(field_find("font"), "Inter, Serif");
	expect_refused(field_find("font"), "a\x1b[2J");
	expect_refused(field_find("panel"), "Bias");
	must_set(&s, "panel", " bias, ,curve,");
	assert_string_equal(s.panel, "bias,curve");
	must_set(&s, "panel", "");
	assert_string_equal(s.panel, "all");
}

/* ---- fields ---------------------------------------------------------------------------------------- */

TEST(fields_take_their_range_and_no_more)
{
	for (const struct field *f = scene_fields; f->name; f++) {
		struct scene s;
		scene_init(&s);
		if (f->type.kind == &value_text)
			continue;
		expect_refused(f, "");
		expect_refused(f, " 1");
		expect_refused(f, "1 ");
		expect_refused(f, "nan");
		expect_refused(f, "x");
		if (value_is_number(&f->type) || f->type.kind == &value_bytes) {
			must_set(&s, f->name, arena_printf(&arena, "%.17g", f->type.min));
			must_set(&s, f->name, arena_printf(&arena, "%.17g", f->type.max));
			expect_refused(f, "1e309");
			expect_refused(f, "inf");
		}
		if (f->type.kind == &value_integer) {
			expect_refused(f, arena_printf(&arena, "%.0f", f->type.min - 1));
			expect_refused(f, arena_printf(&arena, "%.0f", f->type.max + 1));
			expect_refused(f, "2.5");
			expect_refused(f, "99999999999999999999");
		} else if (strcmp(f->name, "size") == 0) {
			must_set(&s, f->name, "200x8000");
			assert_within(s.size.width, 200, 0);
			assert_within(s.size.height, 8000, 0);
			assert_int_equal(s.size.unit, PAGE_PX);
			expect_refused(f, "199x300");
			expect_refused(f, "300x8001");
			expect_refused(f, "300x");
			expect_refused(f, "x300");
			expect_refused(f, "300x300x300");
		} else if (f->type.kind == &value_bytes) {
			expect_refused(f, "G");
			expect_refused(f, "1Q");
			expect_refused(f, "100T");
			expect_refused(f, "1k");
			must_set(&s, f->name, "2000k");
		} else if (f->type.kind == &value_seed) {
			must_set(&s, f->name, "18446744073709551615");
			expect_refused(f, "18446744073709551616");
			expect_refused(f, "-1");
		}
	}
}

TEST(every_field_has_help_and_a_default)
{
	for (const struct field *f = scene_fields; f->name; f++) {
		assert_ptr_equal(field_find(f->name), f);
		assert_true(f->help && strlen(f->help) > 5 && *field_args(f, &arena));
		assert_non_null(f->type.def_text);
		assert_true(f->help[strlen(f->help) - 1] != '.');
		for (const struct field *g = scene_fields; g < f; g++) {
			assert_string_not_equal(f->name, g->name);
			assert_true(f->letter == 0 || f->letter != g->letter);
		}
	}
	assert_null(field_find("nothing"));
}

/* scene cannot see plot, so it keeps its own list of the words. */
TEST(words_of_scales_are_those_of_plot)
{
	const struct field *f = field_find("scale");
	assert_null(f->type.choices[1 + SCALE_MODES]);
	assert_string_equal(f->type.choices[SCENE_SCALE_AUTO], "auto");
	for (size_t i = 0; i < SCALE_MODES; i++)
		assert_string_equal(f->type.choices[1 + i], scale_mode_names[i]);
}

static const char *another_value(const struct field *f)
{
	struct scene s;
	scene_init(&s);
	for (size_t i = 0; i < 1000; i++) {
		const char *value = random_value(f);
		struct scene t = s;
		must_set(&t, f->name, value);
		if (!scene_equal(&s, &t))
			return value;
	}
	fail_msg("no other value for %s", f->name);
	return NULL;
}

TEST(looks_do_not_change_the_setup)
{
	struct scene s;
	scene_init(&s);
	for (const struct field *f = scene_fields; f->name; f++) {
		struct scene t = s;
		must_set(&t, f->name, another_value(f));
		assert_false(scene_equal(&s, &t));
		assert_int_equal(setup_equal(&s.setup, &t.setup), !f->setup);
		assert_int_equal(f->setup, f->offset < sizeof(struct setup));
	}
}

TEST(interned_text_is_one_pointer)
{
	char x[] = "a text", y[] = "a text";
	assert_ptr_equal(scene_intern(x), scene_intern(y));
	assert_ptr_not_equal(scene_intern("a"), scene_intern("b"));
	for (int i = 0; i < 5000; i++)
		assert_string_equal(scene_intern(arena_printf(&arena, "w%d", i)),
				    arena_printf(&arena, "w%d", i));
}

/* ---- the command line ---------------------------------------------------------------------------- */

/* What a shell makes of the command: its words, each ended by a byte that no word holds. */
static size_t words_of(const char *command, const char **words, size_t room)
{
	const char *script =
		"render_words() { for w in \"$@\"; do printf '%s\\376' \"$w\"; done; }\n"
		"posviz() { render_words \"$@\"; }\n";
	const char *path = "/tmp/posviz-test-words.sh";
	char name[64];
	snprintf(name, sizeof name, "%s.XXXXXX", path);
	const int fd = mkstemp(name);
	assert_true(fd >= 0);
	FILE *f = fdopen(fd, "w");
	fprintf(f, "%s%s\n", script, command);
	fclose(f);
	FILE *p = popen(arena_printf(&arena, "LC_ALL=C sh %s", name), "r");
	assert_non_null(p);
	char *data = arena_calloc(&arena, 1, 1 << 16);
	const size_t len = fread(data, 1, (1 << 16) - 1, p);
	assert_int_equal(pclose(p), 0);
	remove(name);
	size_t n = 0;
	for (char *at = data, *end; at < data + len && n < room; at = end + 1) {
		end = memchr(at, '\376', (size_t)(data + len - at));
		assert_non_null(end);
		*end = '\0';
		words[n++] = at;
	}
	return n;
}

static void expect_command(const struct scene *s)
{
	const char *words[256] = {0}, *command = scene_command(s, &arena);
	/* It stands in a picture: nothing in it may need escaping. */
	assert_string_equal(text_escape(&arena, command, strlen(command)), command);
	const size_t n = words_of(command, words, 256);
	assert_true(n >= 2 && n % 2 == 0);
	assert_string_equal(words[0], "render");
	struct scene again;
	scene_init(&again);
	must_set(&again, "scheme", words[1]);
	for (size_t i = 2; i < n; i += 2) {
		assert_memory_equal(words[i], "--", 2);
		must_set(&again, words[i] + 2, words[i + 1]);
	}
	if (!scene_equal(s, &again))
		fail_msg("%s\n%s\n%s", command, scene_print(s, &arena),
			 scene_print(&again, &arena));
}

TEST(the_command_is_read_by_a_shell)
{
	static const char *const rows[] = {
		"it's",	   "a 'b' \"c\"", "$HOME `ls` $(ls)", "a\\b",	  "\\",	 "!x *?[a]",
		"日本 é",  "-s",	  "--heads",	      "",	  " a ", "a;b&c|d>e<f",
		"a\nb",	   "\x1b[2J",	  "50% 100%s",	      "\xff\x01", "#a",	 "~",
		"-\t'%\\",
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene s;
		scene_init(&s);
		must_set(&s, "sentence", rows[i]);
		must_set(&s, "scheme", "shaw(clip=3)+t5(scale=rsqrt,heads=[1,2])");
		expect_command(&s);
	}
	for (size_t i = 0; i < 60; i++) {
		const struct arena_mark mark = arena_mark(&arena);
		struct scene s = random_scene();
		/* A shell drops line ends at the end of what a command prints. */
		for (const struct field *f = scene_fields; f->name; f++) {
			const char *const text = scene_get(&s, f, &arena);
			const size_t len = strlen(text);
			if (len > 0 && text[len - 1] == '\n')
				must_set(&s, f->name, arena_printf(&arena, "%s.", text));
		}
		must_set(&s, "file", "a b");
		must_set(&s, "order", "1 2");
		must_set(&s, "probe", "don't");
		must_set(&s, "units", "x:y");
		must_set(&s, "weights", "");
		must_set(&s, "params", "");
		expect_command(&s);
		arena_rewind(&arena, mark);
	}
}
