/* scene_in.h: checks of fields beyond their kind, used by the table of fields; and how a setup's tokens
 * are read. */
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
/* A list of numbers as a program prints it (input_spelled), or a file of one: *value becomes the
 * numbers. Another value stays as it is. */
bool number_list(const char *field, bool paired, const char **value, struct arena *a,
		 struct err *err);
bool check_position_ids(const char **value, struct arena *a, struct err *err);
bool check_segments(const char **value, struct arena *a, struct err *err);
bool check_names(const char **value, struct arena *a, struct err *err);
const char *names_joined(const char *old, const char *more, struct arena *a);
bool check_embed_scale(const char **value, struct arena *a, struct err *err);

bool field_equal(const struct field *f, const struct scene *x, const struct scene *y);

struct strbuf;
/* Adds a value as a line of a scene has it: between quotes where it would be read otherwise, or has one of
 * the characters `also`. */
void scene_add_value(struct strbuf *b, const char *value, const char *also);

/* ---- source.c ------------------------------------------------------------------------------ */

/* A text and what messages call it; of a file also its kind. */
struct scene_text {
	const char *name, *text;
	size_t len;
	struct kind_seen kind; /* of a file; kind.kind NULL: of no file */
};

/* The value of the field "file", "conllu", "tree" or "graph": a text itself, @SAMPLE, or a file. */
bool source_read(const char *field, const char *value, size_t limit, struct arena *a,
		 struct scene_text *out, struct err *err);
/* The structure that the value of one of the last three stands for, and its words. */
bool source_structure(const struct setup *setup, const char *field, const char *value,
		      size_t *count, struct arena *a, struct structured *out, struct err *err);

/* ---- files_taken.c ------------------------------------------------------------------------------- */

/* Of a model that is built: nothing is missing in the given files beside what they give. Names in
 * `b` what nobody takes. */
bool given_fits(const struct setup *setup, struct arena *a, struct built *b, struct err *err);

/* ---- earlier.c --------------------------------------------------------------------------------- */

/* True when a matrix that is shown or compared is read by what its numbers say. */
bool setup_has_open_rows(const struct setup *setup, struct arena *a);
/* That a matrix that is shown or compared was taken as an earlier version took it, or NULL. */
const char *setup_earlier_note(const struct setup *setup, struct arena *a);

/* ---- fitting.c ----------------------------------------------------------------------------- */

/* After model_build failed on the shape of a tensor, or for memory: the setting with which it would not, "t-max 64",
 * or two, "t-max 64 or memory 3G"; NULL: none was found. */
const char *propose_setting(const struct built *b, struct arena *a);

/* ---- tokens.c ------------------------------------------------------------------------------ */

/* Whether the sentence is not looked at: its words come with the structure. */
bool setup_brings_tokens(const struct setup *s);
/* setup_tokens in two steps: given units may bring other tokens before governors and moved edges are read. */
bool tokens_read(const struct setup *setup, struct arena *a, struct input *tokens,
		 const struct structure **structure, size_t *count, struct err *err);
bool tokens_add_governors(const struct setup *s, const struct input *in, struct arena *a,
			  const struct structure **out, struct err *err);
/* The word of each moving token, by its place, counted from 0; blanks are none: -1. *n: words. */
long *words_of_tokens(const struct input *in, struct arena *a, size_t *n);

/* ---- dump_meta.c --------------------------------------------------------------------------- */

void dump_metadata(const struct scene *scene, const struct built *b, const struct trace *trace,
		   struct arena *a, struct tensor_set *out);

/* ---- dump_read.c --------------------------------------------------------------------------- */

/* Adds the learned parameters; of large ones with `read_only` the rows and columns alone that the input reads, as
 * read.NAME, and the metadata left_out. */
void dump_leaves(const struct built *b, bool read_only, struct arena *a, struct tensor_set *out);
/* True where such a dump leaves out this weight, "w_ff1". */
bool dump_leaves_out(const struct model *model, const char *weight);

/* ---- sequence.c ---------------------------------------------------------------------------- */

/* Segments that were given, and which tokens are memory: they move as little as special units do. */
bool sequence_mark(const struct setup *setup, struct input *tokens, struct arena *a,
		   struct err *err);

#endif
