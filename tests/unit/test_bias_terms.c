/* test_bias_terms.c: logits whose queries and keys have biases of a trained model, as a sum of terms: the
 * terms add up to the logits, and those of the biases are what the files' numbers make. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_tensors.h"
#include "posviz/app/app.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

static const char *path_of(const char *model)
{
	return arena_printf(&arena, "%s/models/%s", test_data, model);
}

/* The attention to a source, of a model that has one; NULL: the model's own. */
static const struct trace *run(const char *model, const char *source, struct model *of)
{
	static const struct want want = {.kinds = WANT_INPUT | WANT_TERMS | WANT_LOGITS | WANT_QKV |
						  WANT_CONTEXT | WANT_WRITTEN,
					 .layer = -1,
					 .head = -1};
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace *const out = arena_calloc(&arena, 1, sizeof *out);
	struct scene scene;
	struct err err = {""};
	const char *said;
	scene_init(&scene);
	if ((source && !scene_set(&scene, field_find("stack"), "cross", &err)) ||
	    !app_configuration(&scene, path_of(model), &arena, &said, &err) ||
	    !scene_set(&scene, field_find("ids"), "3 17 5 9", &err) ||
	    (source && !scene_set(&scene, field_find("source-ids"), source, &err)) ||
	    !evaluate(&scene.setup, &want, NULL, NULL, &arena, b, out, &err))
		fail_msg("%s: %s", model, err.text);
	*of = b->model;
	return out;
}

static double sum_error(const struct trace_head *head)
{
	double worst = 0;
	for (size_t t = 0; t < head->logits.rows; t++)
		for (size_t s = 0; s < head->logits.cols; s++) {
			double sum = 0;
			for (size_t i = 0; i < head->n_terms; i++)
				sum += mat_row(head->terms[i].at, t)[s];
			worst = fmax(worst, fabs(sum - mat_row(head->logits, t)[s]));
		}
	return worst;
}

/* The same of what a head writes: the summands of its context. */
static double written_error(const struct trace_head *head)
{
	double worst = 0;
	for (size_t t = 0; t < head->context.rows; t++)
		for (size_t k = 0; k < head->context.cols; k++) {
			double sum = 0;
			for (size_t i = 0; i < head->n_written; i++)
				sum += mat_row(head->written[i].at, t)[k];
			worst = fmax(worst, fabs(sum - mat_row(head->context, t)[k]));
		}
	return worst;
}

/* Post-norm, pre-norm, with rotation, with grouped keys, with terms of the scheme's own. */
TEST(terms_add_up_to_the_logits)
{
	static const struct {
		const char *model;
		size_t first, later; /* terms in layer 1 and in layer 2 */
		const char *source;
	} rows[] = {{"bert-bare", 9, 4},    {"gpt2", 9, 4},
		    {"made/qwen2", 4, 4},   {"qwen3", 1, 1},
		    {"made/roberta", 9, 4}, {"bloom", 5, 5},
		    {"t5-encoder", 2, 2},   {"made/bart_whole", 4, 4, "4 8 15 6 2"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct model model;
		const struct trace *const t = run(rows[i].model, rows[i].source, &model);
		for (size_t l = 0; l < 2; l++)
			for (size_t h = 0; h < model.config.heads; h++) {
				const struct trace_head *const head = &t->layers[l].heads[h];
				if (!(sum_error(head) <= 1e-10))
					fail_msg("%s, layer %zu: %g", rows[i].model, l + 1,
						 sum_error(head));
				if (!(written_error(head) <= 1e-10))
					fail_msg("%s, layer %zu, written: %g", rows[i].model, l + 1,
						 written_error(head));
				if (head->n_terms != (l == 0 ? rows[i].first : rows[i].later))
					fail_msg("%s, layer %zu: %zu terms", rows[i].model, l + 1,
						 head->n_terms);
			}
	}
}

static struct mat term_of(const struct trace_head *head, const char *label)
{
	for (size_t i = 0; i < head->n_terms; i++)
		if (strcmp(head->terms[i].label, label) == 0)
			return head->terms[i].at;
	fail_msg("there is no term %s", label);
	return (struct mat){0};
}

/* BERT, layer 2: its input is normed behind layer 1, so that the biases are those of the file alone:
 * b_q·b_k/√d_h, and (x W_Q)·b_k/√d_h. */
TEST(terms_of_biases_are_those_of_the_file)
{
	struct tensor_set file;
	struct model model;
	struct err err;
	const struct trace *const t = run("bert-bare", NULL, &model);
	static const char prefix[] = "encoder.layer.1.attention.self.";
	tensor_set_init(&file, &arena);
	assert_true(help_tensors(&file, path_of("bert-bare/model.safetensors"), &err));
	const double *const bq =
		tensor_find(&file, arena_printf(&arena, "%squery.bias", prefix))->at;
	const double *const bk = tensor_find(&file, arena_printf(&arena, "%skey.bias", prefix))->at;
	const struct mat wq =
		tensor_mat(tensor_find(&file, arena_printf(&arena, "%squery.weight", prefix)));
	const struct mat x = t->layers[1].input;
	const size_t dk = model.dk;
	for (size_t h = 0; h < model.config.heads; h++) {
		const struct trace_head *const head = &t->layers[1].heads[h];
		double both = 0;
		for (size_t i = h * dk; i < (h + 1) * dk; i++)
			both += bq[i] * bk[i] / sqrt((double)dk);
		for (size_t r = 0; r < x.rows; r++) {
			double own = 0;
			for (size_t i = h * dk; i < (h + 1) * dk; i++)
				for (size_t k = 0; k < x.cols; k++)
					own += mat_row(x, r)[k] * mat_row(wq, i)[k] * bk[i] /
					       sqrt((double)dk);
			for (size_t s = 0; s < x.rows; s++) {
				assert_true(fabs(mat_row(term_of(head, "b_q–b_k"), r)[s] - both) <
					    1e-12);
				assert_true(fabs(mat_row(term_of(head, "unit–b_k"), r)[s] - own) <
					    1e-12);
			}
		}
	}
}

/* Returns the words of the card's row of this name in the view Terms; NULL: there is none. */
static const char *card_row(const char *layer, const char *name)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct scene scene;
	struct err err = {""};
	const char *said;
	scene_init(&scene);
	if (!app_configuration(&scene, path_of("gpt2"), &arena, &said, &err) ||
	    !scene_set(&scene, field_find("ids"), "3 17 5 9", &err) ||
	    !scene_set(&scene, field_find("layer"), layer, &err) ||
	    !scene_set(&scene, field_find("view"), "terms", &err) ||
	    !picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < p->figure.n; i++) {
		const struct panel *const panel = &p->figure.panels[i];
		for (size_t k = 0; panel->kind == PANEL_CARD && k < panel->card.n; k++)
			if (strcmp(panel->card.lines[k].key, name) == 0)
				return panel->card.lines[k].note;
	}
	return NULL;
}

static void expect_row(const char *layer, const char *name, const char *part)
{
	const char *const words = card_row(layer, name);
	if (!words || !strstr(words, part))
		fail_msg("layer %s, %s: %s", layer, name, words ? words : "no row");
}

/* What unit and position are is exact in layer 1 alone; behind it, the card says so. */
TEST(the_card_says_what_is_in_the_parts)
{
	expect_row("1", "norm", "divided by the deviation of their sum");
	expect_row("1", "b_q, b_k", "with the norm's own bias");
	expect_row("2", "layer 2", "no longer separate there");
	expect_row("2", "b_q, b_k", "of queries and keys");
	assert_null(card_row("1", "layer 1"));
	assert_null(card_row("2", "norm"));
}
