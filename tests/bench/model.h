/* model.h: a trained model for the benches: an encoder of base size, of random numbers. */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/scene/scene.h"

enum { MODEL_LAYERS = 12, MODEL_D = 768, MODEL_HEADS = 12, MODEL_FF = 3072 };

/* Makes the model in a directory of its own, 340 MB; false, after it said why. model_remove removes both. */
bool model_make(char *path, size_t size);
void model_remove(const char *path);

/* A scene of n tokens of the model, at its last layer, in the view Explore. */
bool model_scene(struct scene *scene, struct arena *a, const char *path, size_t n);

/* A pass of n tokens through all layers, built and ready to run. */
struct pass {
	struct arena arena;
	struct scene scene;
	struct built built;
};
bool pass_open(struct pass *p, const char *path, size_t n);
void pass_close(struct pass *p);
void pass_run(void *pass);
/* Writes the ids and the last output into output.safetensors in the directory. */
bool pass_write(struct pass *p, const char *path);

/* The products with its weights in single precision, called bare, of n tokens; the file is mapped. */
struct bare_model {
	size_t n, len;
	const float *weights;
	float *x, *y;
};
bool bare_open(struct bare_model *b, const char *path, size_t n);
void bare_close(struct bare_model *b);
void bare_run(void *bare);

#endif
