/* keep.c: trained numbers as the directory of a model: its configuration, its tensors, and a tokenizer
 * whose words are those of the task. */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/json.h"
#include "posviz/format/tensor.h"
#include "posviz/learn/runs.h"
#include "train_in.h"

/* The names of libraries for the program's activations. */
static const char *const activations[] = {[ACT_RELU] = "relu",
					  [ACT_GELU] = "gelu",
					  [ACT_GELU_TANH] = "gelu_new",
					  [ACT_GELU_BLOOM] = "bloom_gelu",
					  [ACT_GELU_FAST] = "gelu_fast",
					  [ACT_GELU_QUICK] = "quick_gelu",
					  [ACT_SILU] = "silu"};

/* A sentence of the test, as its words. */
static const char *sample_of(const struct learner *l, struct arena *a)
{
	struct example *e;
	struct strbuf b;
	size_t n = 0;
	strbuf_init(&b, a);
	if (!task_test(&l->task, l->task.longest, 1, a, &e, &n, NULL) || n == 0)
		return l->task.letter[0];
	for (size_t t = 0; t < e->n; t++)
		strbuf_printf(&b, "%s%s", t ? " " : "", l->task.letter[e->letter[t]]);
	return b.at;
}

static const char *configuration(const struct learner *l, size_t step, struct arena *a)
{
	const struct model_config *const c = &l->b->model.config;
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_string(w, "model_type", "posviz");
	json_writer_string(w, "expression", l->o.scheme);
	json_writer_integer(w, "hidden_size", (long)c->d);
	json_writer_integer(w, "num_hidden_layers", (long)c->layers);
	json_writer_integer(w, "num_attention_heads", (long)c->heads);
	json_writer_integer(w, "intermediate_size", (long)c->ff);
	json_writer_integer(w, "max_position_embeddings", (long)c->t_max);
	json_writer_integer(w, "vocab_size", (long)l->task.letters);
	json_writer_string(w, "hidden_act", activations[l->o.activation]);
	json_writer_number(w, "layer_norm_eps", c->norm_eps);
	json_writer_string(w, "sentence", sample_of(l, a));
	json_writer_string(w, "training", learn_line(&l->o, a));
	json_writer_integer(w, "trained_steps", (long)step);
	json_writer_array(w, "answers");
	for (size_t i = 0; i < l->task.classes; i++)
		json_writer_string(w, NULL, l->task.answer[i]);
	json_writer_end(w);
	json_writer_end(w);
	return arena_printf(a, "%s\n", json_writer_done(w, 2));
}

/* Every word is a token whole. */
static const char *tokenizer(const struct learner *l, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_object(w, NULL);
	json_writer_object(w, "pre_tokenizer");
	json_writer_string(w, "type", "WhitespaceSplit");
	json_writer_end(w);
	json_writer_object(w, "model");
	json_writer_string(w, "type", "WordPiece");
	json_writer_string(w, "unk_token", "[UNK]");
	json_writer_string(w, "continuing_subword_prefix", "##");
	json_writer_integer(w, "max_input_chars_per_word", 100);
	json_writer_object(w, "vocab");
	for (size_t i = 0; i < l->task.letters; i++)
		json_writer_integer(w, l->task.letter[i], (long)i);
	json_writer_end(w);
	json_writer_end(w);
	json_writer_end(w);
	return arena_printf(a, "%s\n", json_writer_done(w, 2));
}

/* Returns for each row of a matrix whether it was trained, [rows, 1]: rows that no sentence met stay as they
 * were drawn, bit for bit. */
static struct mat trained_rows(const struct learner *l, size_t i, struct arena *a)
{
	const struct mat now = l->learned[i].at;
	const double *const start = l->moment[0] + l->private->place[i].first;
	const struct mat out = mat_new(a, now.rows, 1);
	for (size_t r = 0; r < now.rows; r++)
		out.at[r] = memcmp(mat_row(now, r), start + r * now.cols,
				   now.cols * sizeof(double)) != 0;
	return out;
}

/* The weights are those that the layers read: where keys are the token vectors, W_k is the identity. */
static bool add_tensors(struct learner *l, struct tensor_set *set, struct arena *a, struct err *err)
{
	struct example e;
	struct taped t;
	struct run *run;
	const int32_t *target;
	task_room(&e, l->task.longest, a);
	taped_begin(l, l->b, false, a, &t);
	if (!taped_run(l, l->b, &t, &e, 1, &target, &run, err))
		return false;
	for (size_t i = 0; i < l->n_learned; i++) {
		const struct learned *const of = &l->learned[i];
		const struct learned_place *const at = &l->private->place[i];
		struct node *const read = at->kind == LEARNED_WEIGHT
						  ? t.shared->weights[at->layer][at->weight]
						  : NULL;
		const char *const name =
			at->kind == LEARNED_WEIGHT
				? arena_printf(a, "layers.%zu.%s.weight", at->layer,
					       model_weight_name(at->weight))
			: at->kind == LEARNED_LEAF ? arena_printf(a, "positions.%s", of->name)
						   : arena_printf(a, "%s.weight", of->name);
		tensor_set_add(set, name, read ? read->v : of->at, false);
		if (at->kind == LEARNED_LEAF && !of->frozen)
			tensor_set_add(set, arena_printf(a, "trained.%s", of->name),
				       trained_rows(l, i, a), false);
	}
	return true;
}

static bool add_file(struct file_batch *b, const char *folder, const char *name, const void *data,
		     size_t len, bool force, struct arena *a, struct err *err)
{
	return file_batch_add(b, arena_printf(a, "%s/%s", folder, name), data, len, force, err);
}

bool learner_keep_as(struct learner *l, size_t step, const char *folder, bool force,
		     struct err *err)
{
	struct arena a;
	struct tensor_set set;
	char *data;
	size_t len;
	struct file_batch *const b = file_batch_new();
	arena_init(&a);
	tensor_set_init(&set, &a);
	tensor_set_add_meta(&set, "format", "pt");
	const char *const config = configuration(l, step, &a), *const cutter = tokenizer(l, &a);
	const bool ok =
		add_tensors(l, &set, &a, err) &&
		tensor_write_safetensors(&set, &a, &data, &len, err) &&
		file_make_dirs(folder, err) &&
		add_file(b, folder, "model.safetensors", data, len, force, &a, err) &&
		add_file(b, folder, "config.json", config, strlen(config), force, &a, err) &&
		add_file(b, folder, "tokenizer.json", cutter, strlen(cutter), force, &a, err) &&
		file_batch_write(b, err);
	file_batch_free(b);
	arena_release(&a);
	return ok;
}

bool learner_keep(struct learner *l, const char *folder, bool force, struct err *err)
{
	return learner_keep_as(l, l->step, folder, force, err);
}
