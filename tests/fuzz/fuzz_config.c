/* fuzz_config.c: any bytes are a model's configuration, of JSON or of GGUF, or an error of one line; what is said of one can be
 * printed, its expression can be read, and positions that are not known are said to be wrong. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "family/reading.h"
#include "posviz/base/text.h"
#include "posviz/format/tensor_file.h"
#include "posviz/scheme/scheme.h"

static void expect_text(const char *text, struct arena *a)
{
	BUG_IF(!text || !text_valid(text, strlen(text)));
	BUG_IF(strcmp(text_escape(a, text, strlen(text)), text) != 0);
}

static void check_remarks(const struct known *k, struct arena *a)
{
	for (size_t i = 0; i < k->n_remarks; i++) {
		expect_text(k->remarks[i].key, a);
		expect_text(k->remarks[i].says, a);
		if (k->remarks[i].right)
			expect_text(k->remarks[i].right, a);
	}
	BUG_IF(!k->expression && known_wrong(k) == 0);
}

static void check_layers(const struct known *k)
{
	BUG_IF(k->layers < 0 || k->layers > MODEL_MAX_LAYERS);
	for (long i = 0; i < k->layers; i++) {
		const struct layer_rule *const l = &k->layer[i];
		BUG_IF(l->rotation < -1 || l->rotation >= MOST_ROTATIONS || l->window < 0);
		BUG_IF((l->kind == WINDOW_NONE) != (l->window == 0) && l->kind != WINDOW_SIDES);
	}
}

static void check_bands(const struct known *k, struct arena *a)
{
	struct rotation_seen seen[MOST_ROTATIONS];
	const size_t n = known_rotations(k, 0, a, seen);
	BUG_IF(n > k->n_rotations);
	for (size_t i = 0; i < n; i++) {
		size_t at = 0;
		for (size_t b = 0; b < seen[i].n_bands; b++) {
			BUG_IF(seen[i].bands[b].from != at || seen[i].bands[b].to <= at);
			BUG_IF(isnan(seen[i].bands[b].seen));
			at = seen[i].bands[b].to;
		}
		BUG_IF(at != seen[i].pairs);
	}
}

static bool know(const uint8_t *data, size_t size, struct arena *a, struct known *k,
		 struct err *err)
{
	if (size < 4 || memcmp(data, "GGUF", 4) != 0)
		return family_know("fuzz", (const char *)data, size, a, k, err);
	struct tensor_file *const file = tensor_file_open_bytes("fuzz", data, size, err);
	const bool ok = file && gguf_know("fuzz", file, a, k, err);
	tensor_file_close(file);
	return ok;
}

FUZZ(config)
{
	struct arena a;
	struct err err = {""};
	struct expr e;
	arena_init(&a);
	struct known *const k = arena_calloc(&a, 1, sizeof *k);
	if (know(data, size, &a, k, &err)) {
		check_remarks(k, &a);
		check_layers(k);
		expect_text(known_line(k, &a), &a);
		BUG_IF(k->expression && !expr_parse(&e, k->expression, &a, &err));
		check_bands(k, &a);
	} else {
		BUG_IF(err.text[0] == '\0' || strchr(err.text, '\n') != NULL);
		expect_text(err.text, &a);
	}
	arena_release(&a);
	return 0;
}
