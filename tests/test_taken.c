/* test_taken.c: what of given files is taken, what is missing beside it, what nobody takes, and the setting
 * with which a tensor would fit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "posviz/file.h"
#include "posviz/scene.h"

static struct arena arena;
static char folder[64];
static size_t files;

static int open_folder(void **state)
{
	(void)state;
	arena_init(&arena);
	snprintf(folder, sizeof folder, "/tmp/posviz-taken-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int close_folder(void **state)
{
	(void)state;
	for (size_t i = 0; i < files; i++)
		remove(arena_printf(&arena, "%s/%zu.safetensors", folder, i));
	rmdir(folder);
	arena_release(&arena);
	return 0;
}

static struct scene scene_of(const char *lines)
{
	struct scene s;
	struct err err = {""};
	if (!scene_parse(&s, lines, &err))
		fail_msg("%s: %s", lines, err.text);
	return s;
}

static void set(struct scene *s, const char *field, const char *value)
{
	struct err err = {""};
	if (!scene_set(s, field_find(field), value, &err))
		fail_msg("%s: %s", field, err.text);
}

static const char *save(const struct tensor_set *tensors)
{
	char *data;
	size_t len;
	struct err err = {""};
	const char *path = arena_printf(&arena, "%s/%zu.safetensors", folder, files++);
	if (!tensor_write_safetensors(tensors, &arena, &data, &len, &err) ||
	    !file_write(path, data, len, true, &err))
		fail_msg("%s", err.text);
	return path;
}

static struct built build(const struct scene *s)
{
	struct built b;
	struct err err = {""};
	if (!setup_build(&s->setup, &arena, &b, &err))
		fail_msg("%s", err.text);
	return b;
}

static void expect_error(const struct scene *s, const char *word)
{
	struct built b;
	struct err err = {""};
	if (setup_build(&s->setup, &arena, &b, &err))
		fail_msg("built; \"%s\" expected", word);
	if (!strstr(err.text, word) || strchr(err.text, '\n'))
		fail_msg("\"%s\" does not say \"%s\"", err.text, word);
}

static const char small[] = "sentence a b\nd-model 4\nheads 2\nlayers 2\nt-max 3";

/* A file of tensors whose entry (i, j) is 10 i + j + 1. */
struct shaped {
	const char *name;
	size_t rows, cols;
};

static const char *save_all(const struct shaped *all, size_t n)
{
	struct tensor_set tensors;
	tensor_set_init(&tensors, &arena);
	for (size_t k = 0; k < n && all[k].name; k++) {
		const struct mat m = mat_new(&arena, all[k].rows, all[k].cols);
		for (size_t i = 0; i < m.rows; i++)
			for (size_t j = 0; j < m.cols; j++)
				mat_row(m, i)[j] = (double)(10 * i + j + 1);
		tensor_set_add(&tensors, all[k].name, m, false);
	}
	return save(&tensors);
}

/* The drawn one beside those that are given would be believed to be the file's. */
static void weights_that_belong_together_come_together(void **state)
{
	(void)state;
	static const struct {
		struct shaped at[6];
		const char *error; /* NULL: none */
	} rows[] = {
		{{{"wq", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}},
		 "weights: there is \"w_k\" and no layer.0.w_q (4 x 4), nor w_q for all layers; it "
		 "has "
		 "\"wq\""},
		{{{"w_q", 4, 4}}, "no layer.0.w_k"},
		{{{"layer.0.w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}},
		 "there is \"layer.0.w_q\" and no layer.1.w_q (4 x 4)"},
		{{{"layer.0.w_q", 4, 4}, {"layer.1.w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}},
		 NULL},
		{{{"w_ff2", 16, 4}}, "no layer.0.w_ff1"},
		{{{"w_o", 4, 4}}, NULL},
		{{{"layer.1.w_o", 4, 4}}, "no layer.0.w_o"},
		{{{"w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}, {"b_q", 1, 4}}, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = scene_of("sentence a b\nd-model 4\nheads 2\nscheme none");
		set(&s, "weights", save_all(rows[i].at, 6));
		if (rows[i].error)
			expect_error(&s, rows[i].error);
		else
			assert_null(build(&s).note);
	}
}

/* With the name that may have been meant, and whole. */
static void what_nobody_takes_is_named(void **state)
{
	(void)state;
	static const struct {
		const char *role, *scheme;
		struct shaped at[7];
		const char *note; /* NULL: none */
	} rows[] = {
		{"weights",
		 "none",
		 {{"w_q", 4, 4}, {"w_k", 4, 4}, {"w_v", 4, 4}, {"bq", 1, 4}},
		 "weights: nothing takes \"bq\" (is it \"b_q\"?)"},
		{"weights",
		 "none",
		 {{"w_o", 4, 4}, {"layer.0.bq", 1, 4}, {"layer.2.w_o", 4, 4}},
		 "weights: nothing takes \"layer.0.bq\" (is it \"layer.0.b_q\"?), \"layer.2.w_o\""},
		{"weights",
		 "none",
		 {{"w_o", 4, 4},
		  {"units", 2, 4},
		  {"param.shaw.w_key", 2, 4},
		  {"layer.0.head.1.q", 2, 2},
		  {"position.seq", 1, 2},
		  {"bias.head.0", 2, 2},
		  {"relation", 2, 2}},
		 NULL},
		{"params",
		 "learned",
		 {{"p", 3, 4},
		  {"bert.encoder.layer.0.attention.self.distance_embedding.weight.of.a.long.name",
		   1, 1},
		  {"b", 1, 1},
		  {"c", 1, 1},
		  {"d", 1, 1}},
		 "params: nothing takes "
		 "\"bert.encoder.layer.0.attention.self.distance_embedding.weight.of.a.long.name\","
		 " "
		 "\"b\", \"c\" and 1 more; posviz show names all"},
		{"params",
		 "learned",
		 {{"learned.p", 3, 4}, {"param.lerned.p", 3, 4}},
		 "params: nothing takes \"param.lerned.p\" (is it \"param.learned.p\"?)"},
		{"params", "learned", {{"learned.p", 3, 4}, {"layer.0.w_q", 4, 4}}, NULL},
		{"params",
		 "learned",
		 {{"learned.p", 3, 4}, {"w_qq", 4, 4}},
		 "params: nothing takes \"w_qq\""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = scene_of("sentence a b\nd-model 4\nheads 2\nt-max 3");
		set(&s, "scheme", rows[i].scheme);
		set(&s, rows[i].role, save_all(rows[i].at, 7));
		const char *const note = build(&s).note;
		if (!rows[i].note != !note || (note && strcmp(note, rows[i].note) != 0))
			fail_msg("row %zu: %s", i, note ? note : "nothing is said");
	}
}

/* The largest magnitude in a leaf. */
static double largest_of(const struct scene *s, const char *base)
{
	const struct built b = build(s);
	double most = 0;
	for (size_t i = 0; i < b.model.n_leaves; i++)
		for (size_t j = 0; j < b.model.leaves[i].at.cols; j++)
			if (strcmp(b.model.leaves[i].base, base) == 0)
				most = fmax(most, fabs(b.model.leaves[i].at.at[j]));
	return most;
}

/* DeBERTa's checkpoints have no bias for the keys of relative positions. */
static void a_bias_that_files_lack_is_0(void **state)
{
	(void)state;
	static const struct shaped rows[] = {
		{"rel_embeddings", 4, 4}, {"v_k", 4, 4}, {"v_q", 4, 4}, {"v_q_bias", 1, 4}};
	struct scene s = scene_of(small);
	set(&s, "scheme", "deberta(max_relative=2)");
	set(&s, "params", save_all(rows, 4));
	const struct built b = build(&s);
	size_t zero = 0;
	assert_null(b.note);
	for (size_t i = 0; i < b.model.n_leaves; i++) {
		const struct leaf *const leaf = &b.model.leaves[i];
		assert_true(leaf->given);
		if (strcmp(leaf->base, "v_k_bias") == 0 && mat_row(leaf->at, 0)[3] <= 0)
			zero++;
	}
	assert_int_equal(zero, 2); /* one in each layer */
	/* Not what it would be drawn as. */
	set(&s, "params", "");
	set(&s, "scheme", "cnn(depth=1)");
	assert_true(largest_of(&s, "bias_1") > 0);
	set(&s, "params", save_all((struct shaped[]){{"kernel_1", 12, 4}}, 1));
	assert_true(largest_of(&s, "bias_1") <= 0);
	/* A matrix is no bias. */
	set(&s, "scheme", "deberta(max_relative=2)");
	set(&s, "params", save_all(rows, 2));
	expect_error(&s, "there is no deberta.v_q.0 (4 x 4) in ");
}

/* Whatever parameter or size a leaf hangs on: nothing in the search knows a scheme. */
static void a_setting_that_fits_is_proposed(void **state)
{
	(void)state;
	static const struct {
		const char *role, *lines;
		struct shaped at[4];
		const char *part;
	} rows[] = {
		{"params",
		 "scheme shaw(values=off)",
		 {{"w_key", 17, 16}},
		 "shaw.w_key.0 needs 33 x 16; shaw(clip=8) would fit"},
		{"params", "scheme t5", {{"bias_table", 16, 4}}, "; t5(buckets=16) would fit"},
		{"params", "scheme learned+causal", {{"p", 77, 64}}, "; t-max 77 would fit"},
		{"params",
		 "scheme learned",
		 {{"p", 512, 768}},
		 "learned.p needs 512 x 64; d-model 768 would fit"},
		{"params", "scheme t5", {{"bias_table", 32, 8}}, "; heads 8 would fit"},
		{"params", "scheme tener", {{"u", 12, 64}}, "; heads 12 and d-model 768 would fit"},
		{"params", "scheme cope", {{"e", 9, 16}}, "; cope(p_max=9) would fit"},
		/* A side of 0 divides nothing. */
		{"params", "scheme tener", {{"u", 0, 16}}, "tener.u.0 needs 4 x 16"},
		{"params",
		 "scheme t5",
		 {{"bias_table", 16, 12}},
		 "; t5(buckets=16) with heads 12 and d-model 72 would fit"},
		{"weights",
		 "scheme none",
		 {{"w_q", 48, 48}, {"w_k", 48, 48}, {"w_v", 48, 48}},
		 "\"w_q\" is 48 x 48; d-model 64 and ff 256 need 64 x 64; d-model 48 would fit"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = scene_of(rows[i].lines);
		set(&s, rows[i].role, save_all(rows[i].at, 4));
		expect_error(&s, rows[i].part);
	}
	/* Two that fit no model at once. */
	struct scene s = scene_of("scheme shaw");
	set(&s, "params", save_all((struct shaped[]){{"w_key", 17, 16}, {"w_value", 19, 16}}, 2));
	struct built b;
	struct err err = {""};
	assert_false(setup_build(&s.setup, &arena, &b, &err));
	if (strstr(err.text, "would fit"))
		fail_msg("%s", err.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_that_belong_together_come_together),
		cmocka_unit_test(what_nobody_takes_is_named),
		cmocka_unit_test(a_bias_that_files_lack_is_0),
		cmocka_unit_test(a_setting_that_fits_is_proposed),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
