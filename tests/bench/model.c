/* model.c: makes a trained model; see model.h. */
#include "model.h"

#include <cblas.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "posviz/app/app.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"
#include "posviz/math/machine.h"
#include "posviz/math/mat.h"

enum { WORDS = 1000, POSITIONS = 512, FILE_LEN = 200 };

static const char configuration[] =
	"{\"architectures\": [\"BertModel\"], \"model_type\": \"bert\", \"hidden_size\": 768, "
	"\"num_hidden_layers\": 12, \"num_attention_heads\": 12, \"intermediate_size\": 3072, "
	"\"vocab_size\": 1000, \"max_position_embeddings\": 512, \"type_vocab_size\": 2, "
	"\"hidden_act\": \"gelu\", \"layer_norm_eps\": 1e-12}\n";

/* The tensors in front of the layers, and of each layer, whose matrices come first. */
struct row {
	const char *name;
	size_t rows, cols;
	double mean;
};
static const struct row of_model[] = {
	{"embeddings.word_embeddings.weight", WORDS, MODEL_D, 0},
	{"embeddings.position_embeddings.weight", POSITIONS, MODEL_D, 0},
	{"embeddings.token_type_embeddings.weight", 2, MODEL_D, 0},
	{"embeddings.LayerNorm.weight", 0, MODEL_D, 1},
	{"embeddings.LayerNorm.bias", 0, MODEL_D, 0},
};
static const struct row of_layer[] = {
	{"attention.self.query.weight", MODEL_D, MODEL_D, 0},
	{"attention.self.key.weight", MODEL_D, MODEL_D, 0},
	{"attention.self.value.weight", MODEL_D, MODEL_D, 0},
	{"attention.output.dense.weight", MODEL_D, MODEL_D, 0},
	{"intermediate.dense.weight", MODEL_FF, MODEL_D, 0},
	{"output.dense.weight", MODEL_D, MODEL_FF, 0},
	{"attention.self.query.bias", 0, MODEL_D, 0},
	{"attention.self.key.bias", 0, MODEL_D, 0},
	{"attention.self.value.bias", 0, MODEL_D, 0},
	{"attention.output.dense.bias", 0, MODEL_D, 0},
	{"attention.output.LayerNorm.weight", 0, MODEL_D, 1},
	{"attention.output.LayerNorm.bias", 0, MODEL_D, 0},
	{"intermediate.dense.bias", 0, MODEL_FF, 0},
	{"output.dense.bias", 0, MODEL_D, 0},
	{"output.LayerNorm.weight", 0, MODEL_D, 1},
	{"output.LayerNorm.bias", 0, MODEL_D, 0},
};
enum {
	OF_MODEL = sizeof of_model / sizeof *of_model,
	OF_LAYER = sizeof of_layer / sizeof *of_layer,
	MATRICES = 6
};

static size_t count_of(const struct row *row)
{
	return (row->rows ? row->rows : 1) * row->cols;
}

static void describe(const struct row *row, const char *before, size_t *at, struct strbuf *out)
{
	const size_t bytes = count_of(row) * sizeof(float);
	strbuf_printf(out, "%s\"%s%s\":{\"dtype\":\"F32\",\"shape\":[", out->len > 1 ? "," : "",
		      before, row->name);
	if (row->rows)
		strbuf_printf(out, "%zu,", row->rows);
	strbuf_printf(out, "%zu],\"data_offsets\":[%zu,%zu]}", row->cols, *at, *at + bytes);
	*at += bytes;
}

static bool write_row(const struct row *row, struct rng *rng, FILE *f)
{
	struct arena a;
	const size_t n = count_of(row);
	arena_init(&a);
	const struct mat m = mat_new(&a, 1, n);
	float *const out = arena_calloc(&a, n, sizeof *out);
	mat_fill_normal(m, 0.02, rng);
	for (size_t i = 0; i < n; i++)
		out[i] = (float)(m.at[i] + row->mean);
	const bool ok = fwrite(out, sizeof *out, n, f) == n;
	arena_release(&a);
	return ok;
}

static bool write_tensors(FILE *f, struct arena *a)
{
	struct strbuf header;
	struct rng rng;
	size_t at = 0;
	strbuf_init(&header, a);
	strbuf_add_char(&header, '{');
	for (size_t i = 0; i < OF_MODEL; i++)
		describe(&of_model[i], "", &at, &header);
	for (size_t i = 0; i < MODEL_LAYERS * OF_LAYER; i++)
		describe(&of_layer[i % OF_LAYER],
			 arena_printf(a, "encoder.layer.%zu.", i / OF_LAYER), &at, &header);
	strbuf_add_char(&header, '}');
	while (header.len % 8)
		strbuf_add_char(&header, ' ');
	const uint64_t len = header.len;
	bool ok = fwrite(&len, sizeof len, 1, f) == 1 && fwrite(header.at, 1, len, f) == len;
	rng_init(&rng, 1);
	for (size_t i = 0; ok && i < OF_MODEL; i++)
		ok = write_row(&of_model[i], &rng, f);
	for (size_t i = 0; ok && i < MODEL_LAYERS * OF_LAYER; i++)
		ok = write_row(&of_layer[i % OF_LAYER], &rng, f);
	return ok;
}

static const char *file_in(const char *path, const char *name, char out[FILE_LEN])
{
	snprintf(out, FILE_LEN, "%s/%s", path, name);
	return out;
}

static bool write_file(const char *path, const char *name, bool tensors)
{
	struct arena a;
	char file[FILE_LEN];
	FILE *const f = fopen(file_in(path, name, file), "w");
	if (!f)
		return false;
	arena_init(&a);
	const bool ok = tensors ? write_tensors(f, &a) : fputs(configuration, f) >= 0;
	arena_release(&a);
	return fclose(f) == 0 && ok;
}

/* Words that cut any text: letters, alone and behind others, and as many more as the vocabulary has. */
static bool write_vocabulary(const char *path)
{
	static const char *const marks[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
	enum { MARKS = sizeof marks / sizeof *marks, LETTERS = 26 };
	char file[FILE_LEN];
	FILE *const f = fopen(file_in(path, "vocab.txt", file), "w");
	if (!f)
		return false;
	for (size_t i = 0; i < WORDS; i++)
		if (i < MARKS)
			fprintf(f, "%s\n", marks[i]);
		else if (i < MARKS + 2 * LETTERS)
			fprintf(f, "%s%c\n", (i - MARKS) % 2 ? "##" : "",
				(int)('a' + (i - MARKS) / 2));
		else
			fprintf(f, "unused%zu\n", i);
	return fclose(f) == 0;
}

bool model_make(char *path, size_t size)
{
	snprintf(path, size, "/tmp/posviz-bench-XXXXXX");
	if (mkdtemp(path) && write_file(path, "config.json", false) && write_vocabulary(path) &&
	    write_file(path, "model.safetensors", true))
		return true;
	printf("left out: there is no room for a model in %s\n", path);
	model_remove(path);
	return false;
}

void model_remove(const char *path)
{
	static const char *const names[] = {"config.json", "vocab.txt", "model.safetensors",
					    "output.safetensors"};
	char file[FILE_LEN];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		remove(file_in(path, names[i], file));
	rmdir(path);
}

bool model_scene(struct scene *scene, struct arena *a, const char *path, size_t n)
{
	struct strbuf ids;
	struct err err;
	const char *said;
	strbuf_init(&ids, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&ids, "%zu ", i * 7919 % WORDS);
	scene_init(scene);
	if (app_configuration(scene, path, a, &said, &err) &&
	    scene_set(scene, field_find("ids"), ids.at, &err) &&
	    scene_set(scene, field_find("layer"), "12", &err))
		return true;
	printf("%s\n", err.text);
	return false;
}

/* ---- a pass -------------------------------------------------------------------------------------- */

bool pass_open(struct pass *p, const char *path, size_t n)
{
	struct err err = {""};
	arena_init(&p->arena);
	if (model_scene(&p->scene, &p->arena, path, n) &&
	    setup_build(&p->scene.setup, &p->arena, &p->built, &err))
		return true;
	printf("%s\n", err.text);
	arena_release(&p->arena);
	return false;
}

void pass_close(struct pass *p)
{
	arena_release(&p->arena);
}

static bool run_in(const struct pass *p, struct arena *a, struct trace *trace)
{
	static const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct err err;
	const bool ok =
		built_run(&p->built, &p->built.model_input, &want, NULL, NULL, a, trace, &err);
	if (!ok)
		printf("%s\n", err.text);
	return ok;
}

void pass_run(void *pass)
{
	struct arena a;
	struct trace trace;
	arena_init(&a);
	run_in(pass, &a, &trace);
	arena_release(&a);
}

bool pass_write(struct pass *p, const char *path)
{
	const size_t n = p->built.model_input.axis.n;
	struct arena a;
	struct trace trace;
	struct tensor_set set;
	struct err err;
	char file[FILE_LEN], *data;
	size_t len;
	arena_init(&a);
	tensor_set_init(&set, &a);
	const struct mat ids = mat_new(&a, 1, n);
	for (size_t i = 0; i < n; i++)
		ids.at[i] = (double)(i * 7919 % WORDS);
	bool ok = run_in(p, &a, &trace);
	if (ok) {
		tensor_set_add(&set, "ids", ids, true);
		tensor_set_add(&set, "last", trace.last, false);
		ok = tensor_write_safetensors(&set, &a, &data, &len, &err) &&
		     file_write(file_in(path, "output.safetensors", file), data, len, true, &err);
	}
	arena_release(&a);
	return ok;
}

/* ---- bare products ------------------------------------------------------------------------------- */

bool bare_open(struct bare_model *b, const char *path, size_t n)
{
	char file[FILE_LEN];
	struct stat st;
	uint64_t header;
	const int fd = open(file_in(path, "model.safetensors", file), O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0 || read(fd, &header, sizeof header) != sizeof header)
		return false;
	const size_t len = (size_t)st.st_size;
	const char *const at = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	*b = (struct bare_model){.n = n, .len = len};
	b->weights = (const float *)(const void *)(at + 8 + header);
	b->x = calloc(n * MODEL_FF, sizeof *b->x);
	b->y = calloc(n * MODEL_FF, sizeof *b->y);
	for (size_t i = 0; i < n * MODEL_FF; i++)
		b->x[i] = (float)(i % 13) / 13;
	return true;
}

void bare_close(struct bare_model *b)
{
	free(b->x);
	free(b->y);
}

struct product {
	const struct bare_model *b;
	const struct row *row;
	const float *w;
};

/* Some outputs of x·Wᵀ. */
static void multiply(void *context, size_t i, size_t worker)
{
	(void)worker;
	const struct product *const p = context;
	const size_t per = p->row->rows / machine_threads(), first = i * per;
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)p->b->n, (int)per,
		    (int)p->row->cols, 1, p->b->x, (int)p->row->cols, p->w + first * p->row->cols,
		    (int)p->row->cols, 0, p->b->y + first, (int)p->row->rows);
}

void bare_run(void *bare)
{
	const struct bare_model *const b = bare;
	const float *at = b->weights;
	for (size_t i = 0; i < OF_MODEL; i++)
		at += count_of(&of_model[i]);
	for (size_t i = 0; i < MODEL_LAYERS * OF_LAYER; i++) {
		const struct row *const row = &of_layer[i % OF_LAYER];
		struct product p = {b, row, at};
		if (i % OF_LAYER < MATRICES)
			machine_parallel(machine_threads(), multiply, &p);
		at += count_of(row);
	}
}
