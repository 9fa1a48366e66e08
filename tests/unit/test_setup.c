/* test_setup.c: from a setup to numbers: tokens and orders, units, weights and parameters from files,
 * and the dump: every name once, as it is listed, and read back it gives the same numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_setup.h"
#include "help_arena.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/dump.h"

FIXTURE(open_folder, close_folder)

/* A file of one tensor whose entry (i, j) is 10 i + j + 1. */
static const char *counted(const char *name, size_t rows, size_t cols)
{
	struct tensor_set tensors;
	tensor_set_init(&tensors, &arena);
	const struct mat m = mat_new(&arena, rows, cols);
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++)
			mat_row(m, i)[j] = (double)(10 * i + j + 1);
	tensor_set_add(&tensors, name, m, false);
	return help_save(&tensors);
}

static struct trace run(const struct scene *s, unsigned kinds, struct built *b)
{
	const struct want want = {.kinds = kinds, .layer = -1, .head = -1};
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&s->setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s: %s", s->setup.scheme, err.text);
	return trace;
}

/* What is kept of one evaluation must not come into another that has other numbers. */
TEST(a_cache_knows_what_its_things_are_made_of)
{
	static const char *const rows[] = {"seed 1",	  "init demo", "d-model 32",  "heads 2",
					   "proj random", "content 3", "sentence a b"};
	const struct want want = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
	struct cache *const cache = cache_new(1 << 24);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct built b;
		struct trace cached;
		struct scene s = help_scene_read("scheme txl\ninit paper");
		assert_true(evaluate(&s.setup, &want, cache, NULL, &arena, &b, &cached, NULL));
		s = help_scene_read(arena_printf(&arena, "scheme txl\ninit paper\n%s", rows[i]));
		assert_true(evaluate(&s.setup, &want, cache, NULL, &arena, &b, &cached, NULL));
		const struct trace fresh = run(&s, WANT_LOGITS, &b);
		assert_true(mat_max_abs_diff(cached.layers[0].heads[1].logits,
					     fresh.layers[0].heads[1].logits) <= 0);
	}
	cache_free(cache);
}

/* ---- tokens and orders --------------------------------------------------------------------------- */

TEST(an_order_moves_rows_with_their_words)
{
	struct scene s = help_scene_read("sentence a b c\nspecial cls,sep\norder 3 1 2");
	const struct built b = help_build(&s);
	static const char *const labels[] = {"[CLS]", "c", "a", "b", "[SEP]"};
	static const long token[] = {-1, 2, 0, 1, -1};
	assert_int_equal(b.model_input.axis.n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(b.model_input.axis.labels[i], labels[i]);
		assert_int_equal(b.model_input.axis.token[i], token[i]);
	}
	s = help_scene_read("sentence c a b\nspecial cls,sep");
	const struct built written = help_build(&s);
	assert_true(mat_max_abs_diff(b.model_input.units, written.model_input.units) <= 0);
	s = help_scene_read("sentence a b c\norder 1 1 2");
	help_build_refused(&s, "1");
	s = help_scene_read("sentence \"  \"");
	help_build_refused(&s, "empty");
	s = help_scene_read("heads 5");
	help_build_refused(&s, "5 heads do not divide d-model 64; heads 4 or d-model 65 would be");
	s = help_scene_read("probe off");
	assert_null(help_build(&s).model_input.probe.at);
	s = help_scene_read("probe cat\nsentence the cat");
	const struct built probed = help_build(&s);
	assert_true(mat_max_abs_diff(probed.model_input.probe,
				     mat_rows(probed.model_input.units, 1, 1)) <= 0);
}

/* ---- given files ----------------------------------------------------------------------------------- */

TEST(given_units_move_with_the_tokens)
{
	struct scene s = help_scene_read("sentence a b c\norder 3 1 2\nheads 2");
	const char *path = counted("units", 3, 4);
	help_set(&s, "units", path);
	struct built b = help_build(&s);
	assert_int_equal(b.model.config.d, 4);
	static const double first[] = {21, 1, 11};
	for (size_t i = 0; i < 3; i++)
		assert_true(fabs(mat_row(b.model_input.units, i)[0] - first[i]) <= 0);
	assert_string_equal(b.model_input.axis.labels[0], "c");
	/* Other rows than words that somebody typed, be they the default's. */
	help_set(&s, "order", "identity");
	help_set(&s, "sentence", "only two");
	help_build_refused(&s, "units: 3 rows, and the sentence has 2 tokens; a row for each");
	help_set(&s, "sentence", field_find("sentence")->type.def_text);
	help_build_refused(&s, "units: 3 rows, and the sentence has 9 tokens");
	help_set(&s, "file", "/nowhere.txt");
	help_build_refused(&s, "/nowhere.txt");
	/* Without a sentence the rows are what counts, and get numbers; so it is kept. */
	s = help_scene_read(arena_printf(&arena, "order 3 1 2\nheads 2\nunits %s", path));
	s = help_scene_read(scene_print(&s, &arena));
	b = help_build(&s);
	assert_string_equal(b.model_input.axis.labels[0], "3");
	assert_int_equal(b.model_input.axis.n, 3);
	help_set(&s, "order", "1 2");
	help_build_refused(&s, "3");
	help_set(&s, "order", "identity");
	help_set(&s, "units", arena_printf(&arena, "%s:units", path));
	help_build(&s);
	help_set(&s, "units", arena_printf(&arena, "%s:other", path));
	help_build_refused(&s, "\"other\"");
	help_set(&s, "units", "/nowhere.npy");
	help_build_refused(&s, "nowhere");
	help_set(&s, "heads", "3");
	help_set(&s, "units", path);
	help_build_refused(
		&s,
		"heads: 3 heads do not divide the width of the token vectors, 4; heads 2 would be right");
}

TEST(given_units_with_special_ones)
{
	struct scene s = help_scene_read("sentence a b\nspecial cls,sep\norder 2 1\nheads 1");
	help_set(&s, "units", counted("input", 4, 2));
	const struct built b = help_build(&s);
	static const double first[] = {1, 21, 11, 31};
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(mat_row(b.model_input.units, i)[0] - first[i]) <= 0);
}

TEST(given_weights_are_used_or_refused)
{
	static const struct help_shaped whole[] = {{"w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}};
	static const struct help_shaped wide[] = {{"w_ff1", 4, 7}, {"w_ff2", 7, 4}};
	struct scene s = help_scene_read("sentence a b\nd-model 4\nheads 2\nscheme none");
	help_set(&s, "weights", help_save_all(whole, 3));
	struct built b;
	struct trace trace = run(&s, WANT_INPUT | WANT_OUTPUT, &b);
	assert_null(b.note);
	for (size_t l = 0; l < 2; l++) {
		assert_string_equal(trace.layers[l].weights[0].name, "w_q");
		assert_true(fabs(mat_row(trace.layers[l].weights[0].at, 2)[3] - 24) <= 0);
	}
	help_set(&s, "weights", counted("w_q", 4, 5));
	help_build_refused(&s, "4 x 5");
	help_set(&s, "weights", help_save_all(wide, 2));
	assert_int_equal(help_build(&s).model.config.ff, 7);
	help_set(&s, "ff", "9");
	help_build_refused(&s, "4 x 7");
}

/* A file that gives nothing would be believed to have been used. */
TEST(unused_weights_are_refused)
{
	struct scene s = help_scene_read("sentence a b\nd-model 4\nheads 2\nscheme none");
	struct tensor_set nothing;
	help_set(&s, "weights", counted("w_qq", 4, 4));
	help_build_refused(
		&s, "weights: the file is not used; it has \"w_qq\", and looked for are w_q w_k");
	help_set(&s, "weights", counted("layer.2.w_q", 4, 4)); /* there are layers 0 and 1 */
	help_build_refused(&s, "weights: the file is not used; it has \"layer.2.w_q\"");
	tensor_set_init(&nothing, &arena);
	help_set(&s, "weights", help_save(&nothing));
	help_build_refused(&s, "it has no tensor");
	help_set(&s, "weights", "");
	help_set(&s, "scheme", "learned");
	help_set(&s, "params", help_save(&nothing));
	help_build_refused(&s, "params: there is no tensor in ");
}

/* One of those compared that uses the file is enough. */
TEST(params_are_for_one_of_those_compared)
{
	static const struct {
		const char *scheme, *compare, *tensor, *says;
	} rows[] = {
		{"rope", "alibi", "x", "learns nothing"},
		{"rope", "shaw(clip=1,values=off)", "w_key", NULL},
		{"shaw(clip=1,values=off)", "rope; alibi", "w_key", NULL},
		{"rope", "shaw(clip=1)", "w_kex", "there is no shaw.w_key (3 x 2)"},
		{"rope", "none", "x", "rope learns nothing"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read("sentence a b\nd-model 4\nheads 2\nlayers 1");
		struct err err = {""};
		help_set(&s, "scheme", rows[i].scheme);
		help_set(&s, "compare", rows[i].compare);
		struct scene probe = s;
		help_set(&probe, "scheme", "shaw(clip=1)");
		const struct leaf *const leaf = &help_build(&probe).model.leaves[0];
		help_set(&s, "params", counted(rows[i].tensor, leaf->at.rows, leaf->at.cols));
		struct built b;
		const bool used = setup_build(&s.setup, &arena, &b, &err) &&
				  compared_params(&s.setup, &b, &err);
		if (used != !rows[i].says || (rows[i].says && !strstr(err.text, rows[i].says)))
			fail_msg("row %zu: %s", i, err.text);
	}
}

TEST(given_parameters_are_used_or_refused)
{
	struct scene s = help_scene_read(
		"sentence a b\nd-model 4\nheads 2\nlayers 1\nscheme learned\nt-max 3");
	struct built b = help_build(&s);
	assert_int_equal(b.model.n_leaves, 1);
	const char *name = b.model.leaves[0].name, *base = b.model.leaves[0].base;
	const char *const stems[] = {name, base, arena_printf(&arena, "param.%s", name),
				     arena_printf(&arena, "param.%s", base)};
	for (size_t i = 0; i < 4; i++) {
		help_set(&s, "params", counted(stems[i], 3, 4));
		b = help_build(&s);
		assert_true(b.model.leaves[0].given);
		assert_true(fabs(mat_row(b.model.leaves[0].at, 2)[1] - 22) <= 0);
	}
	help_set(&s, "params", counted("x", 3, 4));
	help_build_refused(&s, "\"x\" is 3 x 4; --map p=x takes it");
	help_set(&s, "map", arena_printf(&arena, "%s=x", name));
	assert_true(help_build(&s).model.leaves[0].given);
	help_set(&s, "map", arena_printf(&arena, " %s=x ", base));
	assert_true(help_build(&s).model.leaves[0].given);
	help_set(&s, "map", arena_printf(&arena, "%s=y", base));
	help_build_refused(&s, "\"y\"");
	help_set(&s, "map", "nothing=x");
	help_build_refused(&s, "nothing");
	help_set(&s, "map", "");
	help_set(&s, "params", counted(name, 4, 4));
	help_build_refused(&s, "4 x 4");
	help_set(&s, "params", "");
	help_set(&s, "map", arena_printf(&arena, "%s=x", name));
	help_build_refused(&s, "params");
}

/* One tensor of a type that we do not write: learned.p [3, count / 3]. */
static const char *save_raw(const char *type, size_t size, size_t count, const void *data)
{
	const char *header = arena_printf(&arena,
					  "{\"learned.p\":{\"dtype\":\"%s\",\"shape\":[3,%zu],"
					  "\"data_offsets\":[0,%zu]}}",
					  type, count / 3, size * count);
	const size_t len = strlen(header);
	unsigned char *out = arena_calloc(&arena, 8 + len + size * count, 1);
	struct err err = {""};
	const char *path = arena_printf(&arena, "%s.safetensors", type);
	out[0] = (unsigned char)(len & 255);
	out[1] = (unsigned char)(len >> 8);
	memcpy(out + 8, header, len);
	memcpy(out + 8 + len, data, size * count);
	if (!file_write(path, out, 8 + len + size * count, true, &err))
		fail_msg("%s", err.text);
	return path;
}

/* A file of one tensor whose last entry is `last`. */
static const char *ending(const char *name, size_t rows, size_t cols, double last)
{
	struct tensor_set tensors;
	tensor_set_init(&tensors, &arena);
	const struct mat m = mat_zero(&arena, rows, cols);
	m.at[rows * cols - 1] = last;
	tensor_set_add(&tensors, name, m, false);
	return help_save(&tensors);
}

static const char small[] = "sentence a b\nd-model 4\nheads 2\nlayers 2\nt-max 3";

TEST(bad_parameters_are_refused)
{
	static const struct {
		const char *scheme, *tensor;
		size_t rows, cols;
		double last;
		const char *map, *part;
	} rows[] = {
		{"learned", "learned.p", 4, 4, 1, "",
		 "\"learned.p\" is 4 x 4; learned.p needs 3 x 4"},
		{"learned", "learned.p", 3, 4, NAN, "",
		 ".safetensors\": tensor \"learned.p\": row 3, column 4 is nan"},
		{"learned", "learned.p", 3, 4, -INFINITY, "", "row 3, column 4 is -inf"},
		{"learned", "learnt.p", 3, 4, 1, "",
		 "; \"learnt.p\" is 3 x 4; --map p=learnt.p takes it"},
		{"learned", "learnt.p", 3, 5, 1, "",
		 "; it has \"learnt.p\"; --map p=NAME takes another"},
		{"learned", "x", 3, 4, 1, "learned.p=y", "no tensor \"y\" for leaf learned.p"},
		{"alibi", "learned.p", 3, 4, 1, "", "is not used: alibi learns nothing"},
		{"shaw", "shaw.w_key.0", 33, 2, 1, "", "there is no shaw.w_key.1 "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read(small);
		help_set(&s, "scheme", rows[i].scheme);
		help_set(&s, "map", rows[i].map);
		help_set(&s, "params",
			 ending(rows[i].tensor, rows[i].rows, rows[i].cols, rows[i].last));
		help_build_refused(&s, rows[i].part);
	}
	/* Of what is compared, one may use it. */
	struct scene s = help_scene_read(small);
	help_set(&s, "scheme", "alibi");
	help_set(&s, "params", ending("learned.p", 3, 4, 1));
	help_build_refused(&s, "learns nothing");
	help_set(&s, "compare", "learned");
	help_build(&s);
}

TEST(bad_weights_and_units_are_refused)
{
	struct scene s = help_scene_read(small);
	help_set(&s, "weights", ending("w_q", 4, 4, INFINITY));
	help_build_refused(&s, ".safetensors\": tensor \"w_q\": row 4, column 4 is inf");
	help_set(&s, "weights", "");
	help_set(&s, "units", ending("units", 2, 4, NAN));
	help_build_refused(&s, ".safetensors\": tensor \"units\": row 2, column 4 is nan");
	struct tensor_set flat;
	tensor_set_init(&flat, &arena);
	tensor_set_add(&flat, "units", mat_zero(&arena, 1, 4), true);
	const char *const path = help_save(&flat);
	help_set(&s, "units", path);
	help_build_refused(
		&s, arena_printf(&arena,
				 "units: \"%s\" has the shape [4]; a matrix [tokens, d] would be "
				 "right",
				 path));
}

/* Checkpoints hold 16 bits: 1.5, -2 and the smallest ones, 2^-24 and 2^-133, are exact. */
TEST(short_floats_are_exact)
{
	static const struct {
		const char *type;
		unsigned char bytes[6];
		double tiny;
	} rows[] = {{"F16", {0x00, 0x3E, 0x00, 0xC0, 0x01, 0x00}, 0x1p-24},
		    {"BF16", {0xC0, 0x3F, 0x00, 0xC0, 0x01, 0x00}, 0x1p-133}};
	struct scene s = help_scene_read("sentence a\nscheme learned\nd-model 1\nheads 1\nt-max 3");
	for (size_t i = 0; i < 2; i++) {
		help_set(&s, "params", save_raw(rows[i].type, 2, 3, rows[i].bytes));
		const double *at = help_build(&s).model.leaves[0].at.at;
		assert_true(fabs(at[0] - 1.5) <= 0 && fabs(at[1] + 2) <= 0 &&
			    fabs(at[2] - rows[i].tiny) <= 0);
	}
	help_set(&s, "params", save_raw("F8_E4M3", 1, 3, "\0\0\0"));
	help_build_refused(&s, "numbers of type F8_E4M3 are not read; F64 F32 F16 BF16");
}

/* ---- dump ------------------------------------------------------------------------------------------- */

static const char *const dumped[] = {
	"rope+causal",
	"sinusoidal+sinusoidal(pos=remaining)+t5(scale=rsqrt)+t5(scale=rsqrt,buckets=4)",
	"sinusoidal(scale_emb=on)",
	"alibi(heads=1)+shaw",
	"deberta(emd=on)",
	"resdrop(query=reversed)",
	"floater(site=bias)",
	"matrix",
};
enum { DUMPED = sizeof dumped / sizeof dumped[0] };

static const char *dumped_expression(size_t i)
{
	return i < scheme_count() ? scheme_at(i)->id : dumped[i - scheme_count()];
}

static struct scene small_scene(const char *expression, const char *order)
{
	struct scene s = help_scene_read(
		"sentence the cat saw the dog\nspecial cls\nd-model 8\nheads 2\n"
		"ff 10\nt-max 16\nproj random\nseed 3\ntrain-steps 20\ntrain-seeds 1");
	help_set(&s, "scheme", expression);
	help_set(&s, "order", order);
	return s;
}

static struct tensor_set dump_of(const struct scene *s, struct trace *trace)
{
	struct built b;
	struct tensor_set out;
	*trace = run(s, dump_wants(), &b);
	dump_tensors(s, &b, trace, false, &arena, &out);
	return out;
}

/* Names of one row of the list that differ in their last word. */
static const char *const siblings[][12] = {
	{"w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "w_o", "w_ff1", "w_ff2", "b_ff1", "b_ff2", NULL},
	{"q", "k", "v", NULL},
	{"q_raw", "k_raw", NULL},
};

static bool words_agree(const char *pattern, size_t p, const char *name, size_t n)
{
	if (p == 1 && strchr("LH", pattern[0]))
		return strspn(name, "0123456789") >= n;
	if (strncmp(pattern, "NAME.", 5) == 0 || (p == n && memcmp(pattern, name, n) == 0))
		return true;
	for (size_t row = 0; row < sizeof siblings / sizeof *siblings; row++) {
		bool first = strlen(siblings[row][0]) == p && !memcmp(siblings[row][0], pattern, p);
		for (size_t i = 0; first && siblings[row][i]; i++)
			if (strlen(siblings[row][i]) == n && !memcmp(siblings[row][i], name, n))
				return true;
	}
	return false;
}

/* At the end COLUMN, LABEL, NAME and KEY stand for all that follows, NAME before that for one word. */
static bool matches(const char *pattern, const char *name)
{
	for (;;) {
		const size_t p = strcspn(pattern, "."), n = strcspn(name, ".");
		if (strcmp(pattern, "COLUMN") == 0 || strcmp(pattern, "LABEL") == 0 ||
		    strcmp(pattern, "NAME") == 0 || strcmp(pattern, "KEY") == 0)
			return *name != '\0' && strcmp(name, "vectors") != 0 &&
			       strcmp(name, "place") != 0;
		if (!words_agree(pattern, p, name, n))
			return false;
		if (!pattern[p] || !name[n])
			return pattern[p] == name[n];
		pattern += p + 1;
		name += n + 1;
	}
}

/* axis.key, scene and version stand in the rows of axis.query and expression. */
static void expect_listed_metadata(const char *key, size_t *hits)
{
	const char *row = strcmp(key, "axis.key") == 0				     ? "axis.query"
			  : strcmp(key, "scene") == 0 || strcmp(key, "version") == 0 ? "expression"
										     : key;
	for (size_t p = 0; dump_names[p].pattern; p++)
		if (strncmp(dump_names[p].pattern, "metadata.", 9) == 0 &&
		    strcmp(dump_names[p].pattern + 9, row) == 0) {
			hits[p]++;
			return;
		}
	fail_msg("metadata %s is not listed", key);
}

static void expect_listed(const char *scheme, const char *name, size_t *hits)
{
	size_t rows = 0;
	for (size_t p = 0; dump_names[p].pattern; p++) {
		const bool yes = matches(dump_names[p].pattern, name);
		rows += yes;
		hits[p] += yes;
	}
	if (rows != 1)
		fail_msg("%s: %s fits %zu rows of the list", scheme, name, rows);
}

/* What views say in numbers. */
static void expect_listed_numbers(const char *expression, size_t *hits)
{
	struct numbers numbers;
	struct err err = {""};
	const struct scene s = small_scene(expression, "identity");
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	numbers_init(&numbers, &arena);
	if (!setup_build(&s.setup, &arena, b, &err) ||
	    !view_numbers(&s, "all", b, NULL, NULL, &arena, &numbers, &err))
		fail_msg("%s: %s", expression, err.text);
	for (size_t i = 0; i < numbers.n; i++)
		expect_listed(expression, numbers.at[i].name, hits);
}

/* What stands in the place of a large table of which little is read. */
static void expect_listed_parts(size_t *hits)
{
	struct built b;
	struct tensor_set out;
	struct scene s = small_scene("learned", "identity");
	help_set(&s, "t-max", "4097");
	const struct trace trace = run(&s, dump_wants(), &b);
	dump_tensors(&s, &b, &trace, true, &arena, &out);
	assert_non_null(tensor_find(&out, "read.learned.p"));
	for (size_t i = 0; i < out.meta_count; i++)
		expect_listed_metadata(out.meta[i].key, hits);
	for (size_t i = 0; i < out.count; i++)
		expect_listed("learned", out.tensors[i].name, hits);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void expect_no_name_twice(const struct tensor_set *out)
{
	const char **const names = arena_calloc(&arena, out->count, sizeof *names);
	for (size_t k = 0; k < out->count; k++)
		names[k] = out->tensors[k].name;
	qsort(names, out->count, sizeof *names, by_name);
	for (size_t k = 1; k < out->count; k++)
		assert_string_not_equal(names[k - 1], names[k]);
}

TEST(dumped_names_are_the_listed_ones)
{
	size_t hits[64] = {0};

	for (size_t i = 0; i < scheme_count() + DUMPED; i++) {
		struct trace trace;
		struct scene s = small_scene(dumped_expression(i), "identity");
		if (i == scheme_count())
			help_set(&s, "position-ids", "0 1 2 0 1 2");
		const struct tensor_set out = dump_of(&s, &trace);
		expect_no_name_twice(&out);
		for (size_t k = 0; k < out.meta_count; k++)
			expect_listed_metadata(out.meta[k].key, hits);
		for (size_t k = 0; k < out.count; k++) {
			expect_listed(s.setup.scheme, out.tensors[k].name, hits);
			for (size_t at = 0; at < tensor_mat(&out.tensors[k]).rows *
							 tensor_mat(&out.tensors[k]).cols;
			     at++)
				assert_true(isfinite(out.tensors[k].at[at]));
		}
	}
	expect_listed_numbers("sinusoidal", hits);
	expect_listed_numbers("rope+t5", hits);
	expect_listed_parts(hits);
	for (size_t p = 0; dump_names[p].pattern; p++)
		if (!hits[p] && strcmp(dump_names[p].pattern, "metadata.structure") != 0 &&
		    strcmp(dump_names[p].pattern, "embeddings") != 0 && /* of trained models: */
		    strcmp(dump_names[p].pattern, "last_hidden_state") != 0) /* trained_models */
			fail_msg("nothing is called %s", dump_names[p].pattern);
}

/* Rows are in the present order, and so are the tokens; which of the written ones they are is said. */
TEST(a_dump_says_which_order_its_tokens_are_in)
{
	struct trace trace;
	const struct scene s = small_scene("alibi+rand_pe(sinusoids=off)", "3 1 2 5 4");
	const struct tensor_set out = dump_of(&s, &trace);
	static const char *const meta[][2] = {
		{"tokens", "[\"[CLS]\",\"saw\",\"the\",\"cat\",\"dog\",\"the\"]"},
		{"axis.query", "[\"[CLS]\",\"saw\",\"the\",\"cat\",\"dog\",\"the\"]"},
		{"tokens.written", "[\"[CLS]\",\"the\",\"cat\",\"saw\",\"the\",\"dog\"]"},
		{"order", "[0,3,1,2,5,4]"}};
	for (size_t i = 0; i < sizeof meta / sizeof *meta; i++)
		assert_string_equal(tensor_meta_find(&out, meta[i][0]), meta[i][1]);
	/* What was drawn is there, and the bias is of it. */
	const double *at = tensor_find(&out, "position.seq")->at;
	const double *bias = tensor_find(&out, "layer.0.head.0.term.distance")->at;
	assert_true(at[5] > 5);
	for (size_t t = 0; t < 6; t++)
		assert_true(fabs(bias[5 * 6 + t] + (at[5] - at[t]) / 16) < 1e-12);
	const char *members = tensor_meta_find(&out, "members");
	assert_non_null(strstr(members, "\"name\":\"rand_pe\""));
	assert_non_null(strstr(members, "\"l_max\":2048"));
}

/* 0 and a mask, not a number that might be one. */
TEST(a_dump_masks_where_there_is_no_relation)
{
	struct trace trace;
	const struct scene s = small_scene("spr_rel", "identity");
	const struct tensor_set out = dump_of(&s, &trace);
	const struct mat r = tensor_mat(tensor_find(&out, "relation"));
	const struct mat mask = tensor_mat(tensor_find(&out, "relation.mask"));
	assert_int_equal(mask.rows, 6);
	for (size_t i = 0; i < 36; i++) {
		const bool cls = i > 0 && (i < 6 || i % 6 == 0); /* and another: no path */
		assert_true(fabs(mask.at[i] - !cls) <= 0);
		assert_true(fabs(r.at[i] - (cls ? 0 : (double)(i / 6) - (double)(i % 6))) <= 0);
	}
	assert_non_null(strstr(tensor_meta_find(&out, "relation"), "\"none\":"));
}

static void expect_same(const struct tensor_set *x, const struct tensor_set *y, const char *of)
{
	size_t compared = 0;
	for (size_t i = 0; i < x->count; i++) {
		const struct tensor *a = &x->tensors[i], *b = tensor_find(y, a->name);
		if (!b)
			fail_msg("%s: %s is missing", of, a->name);
		const double off = mat_max_abs_diff(tensor_mat(a), tensor_mat(b));
		if (!(off <= 1e-12))
			fail_msg("%s: %s is %g apart", of, a->name, off);
		compared++;
	}
	assert_int_equal(x->count, y->count);
	assert_true(compared > 20);
}

/* Another seed: whatever were drawn instead of read would differ. */
static void a_dump_reads_back(const char *expression, const char *order)
{
	struct trace trace, again;
	struct scene s = small_scene(expression, order);
	const struct tensor_set out = dump_of(&s, &trace);
	const char *path = help_save(&out);
	struct scene from = s;
	help_set(&from, "order", "identity");
	help_set(&from, "seed", "77");
	help_set(&from, "ff", "0");
	help_set(&from, "d-model", "64");
	setup_forget_asked(&from.setup); /* as if it were the default's: the file decides */
	help_set(&from, "units", path);
	help_set(&from, "weights", path);
	help_set(&from, "params", path);
	const struct built quiet = help_build(&from);
	if (quiet.note)
		fail_msg("%s: %s", expression, quiet.note);
	const struct tensor_set back = dump_of(&from, &again);
	expect_same(&out, &back, arena_printf(&arena, "%s, order %s", expression, order));
	remove(path);
}

TEST(dumps_read_back_to_the_same_numbers)
{
	for (size_t i = 0; i < scheme_count() + DUMPED; i++) {
		const struct arena_mark mark = arena_mark(&arena);
		a_dump_reads_back(dumped_expression(i), "identity");
		a_dump_reads_back(dumped_expression(i), "3 1 2 5 4");
		arena_rewind(&arena, mark);
	}
}

/* What the recipe in the metadata says, done by hand on the tensors of the file. */
TEST(the_recipe_is_true)
{
	struct trace trace;
	const struct scene s = small_scene("shaw+alibi+sinusoidal", "identity");
	const struct tensor_set out = dump_of(&s, &trace);
	const struct mat x = tensor_mat(tensor_find(&out, "layer.1.input"));
	const struct mat w_q = tensor_mat(tensor_find(&out, "layer.1.w_q"));
	const struct mat q = mat_new(&arena, x.rows, 4);
	mat_mul(q, 1, x, false, mat_cols(w_q, 4, 4), false, 0);
	assert_true(mat_max_abs_diff(q, tensor_mat(tensor_find(&out, "layer.1.head.1.q"))) < 1e-12);
	const struct mat logits = tensor_mat(tensor_find(&out, "layer.1.head.1.logits"));
	const struct mat mask = tensor_mat(tensor_find(&out, "layer.1.head.1.mask"));
	const struct mat weights = tensor_mat(tensor_find(&out, "layer.1.head.1.weights"));
	for (size_t t = 0; t < logits.rows; t++) {
		double sum = 0;
		for (size_t k = 0; k < logits.cols; k++)
			sum += mat_row(mask, t)[k] * exp(mat_row(logits, t)[k]);
		for (size_t k = 0; k < logits.cols; k++)
			assert_true(fabs(mat_row(weights, t)[k] -
					 mat_row(mask, t)[k] * exp(mat_row(logits, t)[k]) / sum) <
				    1e-12);
	}
	static const char *const keys[] = {"tokens", "axis.query", "axis.key", "expression",
					   "scene",  "version",	   "recipe"};
	for (size_t i = 0; i < 7; i++)
		assert_non_null(tensor_meta_find(&out, keys[i]));
	assert_string_equal(tensor_meta_find(&out, "scene"), scene_print(&s, &arena));
	assert_string_equal(tensor_meta_find(&out, "axis.query"),
			    "[\"[CLS]\",\"the\",\"cat\",\"saw\",\"the\",\"dog\"]");
}
