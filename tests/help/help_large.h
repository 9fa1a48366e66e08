/* help_large.h: models of the size of Llama 3.1 8B in single precision, 32 GB, in files with a hole in the
 * place of the weights, which take no room on most disks. */
#ifndef HELP_LARGE_H
#define HELP_LARGE_H

#include <stdbool.h>

/* The positions of its configuration, and the words of its vocabulary. */
enum { LARGE_CONTEXT = 131072, LARGE_WORDS = 128256 };

/* Writes config.json and model.safetensors into a directory that is there, or a GGUF file with a vocabulary.
 * False: the disk takes no such file (errno). */
bool help_large_model(const char *directory);
bool help_large_gguf(const char *path);

/* The same of a directory: a model with latent attention, whose learned numbers of positions are LARGE_LATENT in all. */
enum { LARGE_LATENT = 2 * (2048 * 3072 + 2048 * 576 + 512 + 512 * 4096) };
bool help_large_latent(const char *directory);

#endif
