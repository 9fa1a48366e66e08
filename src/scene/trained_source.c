/* trained_source.c: the text that the decoder of a trained model reads beside its own: the encoder's
 * tokens, and what its last layer makes of them. */
#include <string.h>

#include "scene_in.h"

/* Sets the fields by which the encoder is computed on the source. */
static bool set_fields(const struct setup *setup, const struct known *k, const char *map,
		       struct scene *out, struct err *err)
{
	const bool text = *setup->source;
	const struct {
		const char *field, *value;
	} rows[] = {{"scheme", k->expression},
		    {"checkpoint", setup->checkpoint},
		    {"ids", setup->source_ids},
		    {"sentence", text ? setup->source : NULL},
		    {"tokens", token_mode_names[text ? TOKENS_MODEL : TOKENS_WORDS]},
		    {"params", *map ? setup->checkpoint : ""},
		    {"map", map}};
	scene_init(out);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].value && !scene_set(out, field_find(rows[i].field), rows[i].value, err))
			return false;
	struct setup *const s = &out->setup;
	s->d_model = k->d;
	s->heads = k->heads;
	s->layers = k->layers;
	s->head_dim = k->head_dim;
	s->value_dim = k->value_dim;
	s->kv_heads = k->kv_heads;
	s->t_max = k->declared > 0 ? k->declared : setup->t_max;
	s->memory = setup->memory;
	return true;
}

/* The decoder does not take the encoder's expression, whose parameters are of other tensors. */
static bool is_decoders(const struct setup *setup, const struct known *encoder,
			const struct known *decoder, struct arena *a, struct err *err)
{
	const char *scheme = encoder->expression;
	if (!check_scheme(&scheme, a, err))
		return false;
	return strcmp(setup->scheme, scheme) != 0 ||
	       err_set(err,
		       "stack: %s is the encoder's expression, and the decoder's is %s; the model "
		       "opened again with this stack has it",
		       setup->scheme, decoder->expression);
}

static bool run_encoder(const struct setup *setup, struct built *out, struct arena *a,
			struct err *err)
{
	static const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct known *const k = arena_calloc(a, 1, sizeof *k);
	struct scene *const scene = arena_calloc(a, 1, sizeof *scene);
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	struct trace trace;
	if (!family_read(setup->checkpoint, a, k, err) ||
	    !is_decoders(setup, k, out->checkpoint->known, a, err))
		return false;
	const char *const map = family_map(k, out->checkpoint->file, a);
	if (!set_fields(setup, k, map, scene, err) ||
	    !evaluate(&scene->setup, &want, NULL, NULL, a, b, &trace, err))
		return false;
	const size_t n = b->model_input.axis.n;
	long *const token = arena_calloc(a, n + 1, sizeof *token);
	for (size_t i = 0; i < n; i++)
		token[i] = -1;
	out->source = trace.last;
	out->source_axis =
		(struct axis){.n = n, .labels = b->model_input.axis.labels, .token = token};
	return true;
}

bool trained_source(const struct setup *setup, struct built *out, struct arena *a, struct err *err)
{
	const bool text = *setup->source, ids = *setup->source_ids;
	if (out->checkpoint->stack == STACK_ONE)
		return !(text || ids) ||
		       err_set(err,
			       "%s: an encoder reads no source; stack decoder or cross would be right",
			       text ? "source-text" : "source-ids");
	if (text && ids)
		return err_set(err,
			       "source-text: source-ids give its tokens already; one of the two "
			       "would be right");
	if (!text && !ids)
		return err_set(err, "stack: a decoder reads a source; --source TEXT gives it, or "
				    "--source-ids 'N N ...' its token ids");
	if (setup->memory_tokens > 0)
		return err_set(err,
			       "memory-tokens: a decoder beside an encoder is computed without "
			       "a memory; 0 would be right");
	return run_encoder(setup, out, a, err) || err_prefix(err, "source: ");
}
