/* test_check_table.c: posviz check --same MODEL FILE:TENSOR: tables made here from the formulas of the papers, of the
 * model's own settings and of others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "posviz/format/json_read.h"
#include "posviz/math/mat.h"

FIXTURE(cli_enter_with_arena, cli_leave_with_arena)

enum { DK = 32, PAIRS = DK / 2 };

/* d 128 and 4 heads of width 32; `more` are further keys. */
static void write_config(const char *more)
{
	const char *const text = arena_printf(
		&arena,
		"{\"model_type\": \"llama\", \"hidden_size\": 128, \"num_hidden_layers\": 2, "
		"\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"intermediate_size\": 256, "
		"\"vocab_size\": 100, \"max_position_embeddings\": 2048, \"rms_norm_eps\": 1e-5, "
		"\"hidden_act\": \"silu\", \"rope_theta\": 10000.0%s}",
		more);
	cli_write("config.json", text, strlen(text));
}

static void write_tensor(const char *name, struct mat m)
{
	struct tensor_set set;
	struct err err;
	char *data;
	size_t len;
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, name, m, m.rows == 1);
	assert_true(tensor_write_safetensors(&set, &arena, &data, &len, &err));
	cli_write("t.safetensors", data, len);
}

static double power(double base, size_t i, size_t columns)
{
	return exp(-2 * (double)i / (double)columns * log(base));
}

static struct mat list(double base, size_t pairs, double factor)
{
	const struct mat m = mat_new(&arena, 1, pairs);
	for (size_t i = 0; i < pairs; i++)
		m.at[i] = power(base, i, 2 * pairs) / factor;
	return m;
}

/* A row for each position from `first`; each number stands in both halves. */
static struct mat table(struct mat rates, double (*of)(double), double times, double first)
{
	enum { ROWS = 30 };
	const struct mat m = mat_new(&arena, ROWS, 2 * rates.cols);
	for (size_t t = 0; t < ROWS; t++)
		for (size_t i = 0; i < m.cols; i++)
			mat_row(m, t)[i] =
				times * of(((double)t + first) * rates.at[i % rates.cols]);
	return m;
}

static struct mat rounded(struct mat m)
{
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = (float)m.at[i];
	return m;
}

/* The same numbers, each beside its double. */
static struct mat side_by_side(struct mat halves)
{
	const struct mat m = mat_new(&arena, halves.rows, halves.cols);
	for (size_t t = 0; t < m.rows; t++)
		for (size_t i = 0; i < m.cols; i++)
			mat_row(m, t)[i] = mat_row(halves, t)[i / 2];
	return m;
}

static void expect(const char *tensor, int code, const char *words)
{
	const char *const spec = arena_printf(&arena, "t.safetensors:%s", tensor);
	cli_expect(&(struct cli_case){.args = {"check", "--same", "config.json", spec}}, code,
		   words, "");
}

static void expect_table(const char *tensor, struct mat m, int code, const char *words)
{
	write_tensor(tensor, m);
	expect(tensor, code, words);
}

#define LINEAR ", \"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 4.0}"
#define YARN                                                              \
	", \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4.0, " \
	"\"original_max_position_embeddings\": 512}"

TEST(tables_of_the_configuration_are_the_same)
{
	write_config("");
	expect_table("inv_freq", list(1e4, PAIRS, 1), 0, "the same: ");
	expect_table("inv_freq", rounded(list(1e4, PAIRS, 1)), 0, "numbers as of F32");
	expect_table("cos", table(list(1e4, PAIRS, 1), cos, 1, 0), 0, "cosines of 30 positions");
	expect_table("x.sin", rounded(table(list(1e4, PAIRS, 1), sin, 1, 0)), 0,
		     "each in both halves");
	expect_table("x", side_by_side(table(list(1e4, PAIRS, 1), cos, 1, 0)), 0,
		     "each twice side");
	write_config(LINEAR);
	expect_table("inv_freq", list(1e4, PAIRS, 4), 0, "the same: ");
}

/* Pair 6 has the frequency 0.03162; one part in a hundred is more than rounding. */
TEST(first_pair_that_parts_is_named)
{
	const struct mat m = list(1e4, PAIRS, 1);
	m.at[6] *= 1.01;
	write_config("");
	expect_table("inv_freq", m, 1, "first in pair 7, where the model has 0.0316228");
	expect("inv_freq", 1, "by none of what was tried");
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"check", "--same", "config.json",
						"t.safetensors:inv_freq", "--format", "json"}});
	assert_int_equal(r.code, 1);
	const struct json_value *const top = json_parse(&r.arena, r.out, r.out_len, NULL);
	assert_non_null(top);
	assert_false(json_member(top, "ok")->as.truth);
	assert_int_equal(json_member(json_member(top, "parts"), "pair")->as.integer, 7);
	assert_within(json_member(json_member(top, "parts"), "file")->as.real,
		      0.0316227766016838 * 1.01, 1e-12);
	cli_done(&r);
}

TEST(setting_that_gives_the_table_is_named)
{
	const struct mat plain = list(1e4, PAIRS, 1), head = mat_new(&arena, 1, PAIRS / 2);
	for (size_t i = 0; i < PAIRS / 2; i++)
		head.at[i] = plain.at[i];
	write_config("");
	expect_table("inv_freq", rounded(list(123456, PAIRS, 1)), 1,
		     "has base 123456 in place of 10000");
	expect_table("sin", table(list(777000, PAIRS, 1), sin, 1, 0), 1, "base 777000");
	expect_table("inv_freq", list(1e4, PAIRS, 4), 1, "linear scaling with factor 4");
	expect_table("inv_freq", list(1e4, PAIRS / 2, 1), 1, "partial 0.5 in place of 1");
	expect_table("inv_freq", head, 1, "counted by");
	expect_table("cos", table(plain, cos, 1.2, 0), 1, "attention factor 1.2 in place of 1");
	expect_table("cos", table(plain, cos, 1, 1), 1, "positions counted from 1");
	write_config(LINEAR);
	expect_table("inv_freq", plain, 1, "has no scaling");
	expect_table("inv_freq", list(5e5, PAIRS, 4), 1, "has base 500000 in place of 10000");
	write_config(YARN);
	expect_table("cos", table(plain, cos, 1, 0), 1, "has no scaling");
}

/* The layers of gemma3 with a window have another base, and are told by the tensor's name. */
TEST(layer_in_the_name_chooses_the_rotation)
{
	static const char config[] =
		"{\"model_type\": \"gemma3_text\", \"hidden_size\": 64, \"num_hidden_layers\": 6, "
		"\"num_attention_heads\": 2, \"num_key_value_heads\": 1, \"head_dim\": 32, "
		"\"intermediate_size\": 80, \"vocab_size\": 130, \"max_position_embeddings\": 64, "
		"\"sliding_window\": 4, \"sliding_window_pattern\": 6, \"rope_theta\": 10000.0, "
		"\"rope_local_base_freq\": 100.0}";
	cli_write("config.json", config, strlen(config));
	expect_table("layers.0.inv_freq", list(100, PAIRS, 1), 0, "layers=1-5");
	expect_table("layers.5.inv_freq", list(1e4, PAIRS, 1), 0, "layers=6");
	expect_table("layers.5.inv_freq", list(100, PAIRS, 1), 1, "the rotation of other layers");
	expect_table("inv_freq", list(1e4, PAIRS, 1), 0, "the same: ");
}

TEST(what_is_no_such_table_is_refused)
{
	write_config("");
	struct mat m = table(list(1e4, PAIRS, 1), cos, 1, 3);
	write_tensor("x", m);
	cli_refuse(
		&(struct cli_case){.args = {"check", "--same", "config.json", "t.safetensors:x"}},
		"no table of cosines or sines");
	cli_refuse(&(struct cli_case){.args = {"check", "--same", "config.json"}},
		   "MODEL FILE:TENSOR");
	cli_refuse(&(struct cli_case){.args = {"check", "--same", "config.json", "t.safetensors:x",
					       "--heads", "8"}},
		   "--heads means nothing");
	static const char bloom[] =
		"{\"model_type\": \"bloom\", \"hidden_size\": 64, \"n_layer\": 2, "
		"\"n_head\": 4, \"vocab_size\": 100}";
	cli_write("config.json", bloom, strlen(bloom));
	write_tensor("x", list(1e4, PAIRS, 1));
	cli_refuse(
		&(struct cli_case){.args = {"check", "--same", "config.json", "t.safetensors:x"}},
		"rotates nothing");
}

/* ---- bias, slopes, ids --------------------------------------------------------------------------- */

/* The bias and the slopes that the library computed, and ids of a model whose padding stands in front. */
TEST(bias_slopes_and_ids_are_compared_too)
{
	static const struct {
		const char *model, *tensor;
		int code;
		const char *says;
	} rows[] = {
		{"t5-encoder", "t5-encoder/reference.safetensors:position.bias", 0,
		 "bias of 4 heads and 22 positions"},
		{"bloom", "bloom/reference.safetensors:alibi.slopes", 0, "found       the same"},
		{"bloom", "bloom/reference.safetensors:alibi.bias", 0,
		 "the same but for a number of each row,"},
		{"bert-legacy", "bert-legacy:bert.embeddings.position_ids", 0,
		 "ids, 1 row of 24 positions"},
		{"made/roberta", "bert-legacy:bert.embeddings.position_ids", 1,
		 "the model has 2 and the"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){.args = {"check", "--same",
							arena_printf(&arena, "%s/models/%s",
								     test_data, rows[i].model),
							arena_printf(&arena, "%s/models/%s",
								     test_data, rows[i].tensor)}});
		if (r.code != rows[i].code || !strstr(r.out, rows[i].says))
			fail_msg("%s: %d: %s%s", rows[i].tensor, r.code, r.out, r.err);
		cli_done(&r);
	}
	cli_refuse(&(struct cli_case){.args = {"check", "--same",
					       arena_printf(&arena, "%s/models/llama3", test_data),
					       arena_printf(&arena,
							    "%s/models/t5-encoder/reference."
							    "safetensors:position.bias",
							    test_data)}},
		   "which has no bias of T5 or ALiBi");
}
