/* scene_in.h: checks of fields beyond their kind, for the table of fields; and reading of a
 * setup's tokens. */
#ifndef POSVIZ_SCENE_IN_H
#define POSVIZ_SCENE_IN_H

#include "posviz/format/kind.h"
#include "posviz/scene/scene.h"

extern const char *const scale_names[];

bool check_listed(const char **value, struct arena *a, struct err *err);
bool check_special(const char **value, struct arena *a, struct err *err);
bool check_scheme(const char **value, struct arena *a, struct err *err);
bool check_compare(const char **value, struct arena *a, struct err *err);
bool check_sweep(const char **value, struct arena *a, struct err *err);
bool check_lengths(const char **value, struct arena *a, struct err *err);
bool check_profile_filter(const char **value, struct arena *a, struct err *err);
bool check_map(const char **value, struct arena *a, struct err *err);
bool check_name(const char **value, struct arena *a, struct err *err);
bool check_colormap(const char **value, struct arena *a, struct err *err);
bool check_font(const char **value, struct arena *a, struct err *err);
bool check_panel(const char **value, struct arena *a, struct err *err);
extern const struct value_kind value_page_size; /* struct page_size */
bool check_order(const char **value, struct arena *a, struct err *err);
bool check_reorder(const char **value, struct arena *a, struct err *err);
bool check_governors(const char **value, struct arena *a, struct err *err);
bool check_alignment(const char **value, struct arena *a, struct err *err);
/* Replaces a list of numbers in the notation of a program (input_spelled), or a file with one,
 * by the numbers. Any other value is unchanged. */
bool number_list(const char *field, enum spelled_kind kind, const char **value, struct arena *a,
		 struct err *err);
bool check_position_ids(const char **value, struct arena *a, struct err *err);
bool check_segments(const char **value, struct arena *a, struct err *err);
bool check_names(const char **value, struct arena *a, struct err *err);
const char *names_joined(const char *old, const char *more, struct arena *a);
bool check_ids(const char **value, struct arena *a, struct err *err);
/* ---- model_tokens.c -------------------------------------------------------------------------- */

/* Makes a token of each given id, which is its word. */
bool tokens_of_ids(const struct setup *setup, struct input *in, struct arena *a, struct err *err);
/* Cuts a text by the tokenizer of the checkpoint. */
bool tokens_of_text(const struct setup *setup, const char *text, size_t len, struct input *in,
		    struct arena *a, struct err *err);

/* ---- trained.c ------------------------------------------------------------------------------- */

/* Opens the trained model that the tokens are of, which gives the weights and the vectors of its words; true
 * where they are of none. */
bool trained_take(const struct setup *setup, struct built *out, struct model_config *config,
		  struct arena *a, struct err *err);
/* trained_source.c: computes the encoder on the source, if a decoder reads one. */
bool trained_source(const struct setup *setup, struct built *out, struct arena *a, struct err *err);
extern const char *const stack_names[]; /* from STACK_ONE, ends with NULL */
/* Refuses to draw what a trained model has learned: a picture of it would be of no model. */
bool trained_is_read(const struct built *b, struct err *err);
/* Returns which tensor of the file may be meant by a parameter that it lacks, and how it is taken; if
 * none is like it, which there are. */
const char *files_offer(const struct tensor_set *set, const struct leaf *leaf, struct arena *a);
bool check_embed_scale(const char **value, struct arena *a, struct err *err);
extern const char *const pack_names[]; /* from PACK_OFF, ends with NULL */
bool check_pad(const char **value, struct arena *a, struct err *err);
/* False if an expression packs or pads already, and the fields say so too. */
bool batch_fits(const struct setup *setup, const struct expr *e, struct err *err);

bool field_equal(const struct field *f, const struct scene *x, const struct scene *y);

struct strbuf;
/* Adds a value in the form of a scene's lines: quoted if it would be read differently without
 * quotes, or if it contains a character of `also`. */
void scene_add_value(struct strbuf *b, const char *value, const char *also);

/* ---- source.c ------------------------------------------------------------------------------ */

/* A text and its name in messages; for a file also its kind. */
struct scene_text {
	const char *name, *text;
	size_t len;
	struct kind_seen kind; /* kind.kind NULL: not from a file */
};

/* Reads the value of the field "file", "conllu", "tree" or "graph": a text itself, @SAMPLE, or
 * a file. */
bool source_read(const char *field, const char *value, size_t limit, struct arena *a,
		 struct scene_text *out, struct err *err);
/* Reads the structure that the value of "conllu", "tree" or "graph" gives, and its words. */
bool source_structure(const struct setup *setup, const char *field, const char *value,
		      size_t *count, struct arena *a, struct structured *out, struct err *err);

/* ---- files_taken.c --------------------------------------------------------------------------- */

/* Checks, after the model is built, that the given files lack nothing beside the tensors that
 * they have. Lists in `b` the tensors that nothing uses. */
bool given_fits(const struct setup *setup, struct arena *a, struct built *b, struct err *err);

/* ---- earlier.c ------------------------------------------------------------------------------- */

/* True if the kind of a shown or compared matrix is guessed from its numbers. */
bool setup_has_open_rows(const struct setup *setup, struct arena *a);
/* Returns a note that a shown or compared matrix was read by the rule of an earlier version, or
 * NULL. */
const char *setup_earlier_note(const struct setup *setup, struct arena *a);

/* ---- fitting.c ----------------------------------------------------------------------------- */

/* After model_build failed on a tensor's shape or on memory: returns settings with which it
 * would succeed, "t-max 64" or "t-max 64 or memory 3G"; NULL: none was found. */
const char *propose_setting(const struct built *b, struct arena *a);

/* ---- tokens.c ------------------------------------------------------------------------------ */

/* True if a structure brings the words, so that the sentence is unused. */
bool setup_brings_tokens(const struct setup *s);
/* The two steps of setup_tokens: given units may replace the tokens before governors and moved
 * edges are read. */
bool tokens_read(const struct setup *setup, struct arena *a, struct input *tokens,
		 const struct structure **structure, size_t *count, struct err *err);
bool tokens_add_governors(const struct setup *s, const struct input *in, struct arena *a,
			  const struct structure **out, struct err *err);
/* Returns the word number of each moving token, by its place, from 0; -1 for blanks. *n is the
 * number of words. */
long *words_of_tokens(const struct input *in, struct arena *a, size_t *n);

/* ---- dump_meta.c --------------------------------------------------------------------------- */

void dump_metadata(const struct scene *scene, const struct built *b, const struct trace *trace,
		   struct arena *a, struct tensor_set *out);

/* ---- dump_read.c --------------------------------------------------------------------------- */

/* Adds the learned parameters. With `read_only`, a large one is cut to the rows and columns
 * that the input reads, under the name read.NAME, and the metadata left_out is added. */
void dump_leaves(const struct built *b, bool read_only, struct arena *a, struct tensor_set *out);
/* True if a dump with `read_only` omits this weight, such as "w_ff1". */
bool dump_leaves_out(const struct model *model, const char *weight);

/* ---- sequence.c ---------------------------------------------------------------------------- */

/* Adds the columns of positions of several numbers a token: those given, or those that follow from
 * the pictures of the text. One given number a token leaves only the cells of the grid. */
void sequence_places(const struct built *b, const struct input *tokens, struct arena *a,
		     struct model_input *out);
/* Marks given segments, and the tokens of the memory, which keep their places like special
 * units. */
bool sequence_mark(const struct setup *setup, struct input *tokens, struct arena *a,
		   struct err *err);

#endif
