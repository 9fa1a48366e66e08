/* view_in.h: declarations shared by views. */
#ifndef POSVIZ_VIEW_IN_H
#define POSVIZ_VIEW_IN_H

#include "posviz/view/view.h"

/* The views that are named by other files than their own; src/picture has the list of all views. */
extern const struct view view_explore, view_terms, view_order, view_vectors, view_split,
	view_relation, view_metrics;

/* Returns a row or column, from 1, limited to 1..limit. */
long view_within(long value, size_t limit);

/* ---- common.c, which.c: the shown head, matrix and names, and parts of panels ---------------- */

/* Return the index of the shown head and layer in the trace, from 0; after the last one, the
 * mean. */
size_t view_head(const struct view_data *d);
size_t view_layer(const struct view_data *d);
/* view_is_mean returns whether a mean is shown, of heads, of layers or of pieces of words; view_this returns its name:
 * "this head", "this mean". */
bool view_is_mean(const struct view_data *d);
const char *view_this(const struct view_data *d);
/* Returns whether a member acts on the shown head and layer; for a mean, on any of them. */
bool view_acts(const struct view_data *d, const struct member *m);

/* which.c: view_compares_units returns whether q and k are compared in any head;
 * view_bias_is_own, whether the whole bias comes from files; view_shows_own, whether the figure
 * shows only numbers from files; view_bias_axes, the axes along which the bias can differ. */
bool view_compares_units(const struct built *b);
bool view_bias_is_own(const struct built *b);
bool view_shows_own(const struct view_data *d, const struct figure *f);
struct view_axes view_bias_axes(const struct built *b);
struct view_axes view_matrix_axes(const struct view_data *d); /* for the scene's matrix */
/* Returns whether a member's weights do not come from q·k: then there is no bias, and curves are
 * those of the weights. */
bool view_without_bias(const struct built *b);
/* Returns whether the bias means nothing at masked pairs, such as later keys of a scheme that
 * was made for causal attention. */
bool view_bias_is_causal(const struct built *b);
/* run.c: returns WANT_CONTEXT if the outputs of all heads can be computed beside the weights, else
 * 0. */
unsigned view_context_if(const struct built *b);

/* Return "head 1 of 4"; "head 1 of 4 · layer 2" if there are several layers; the same with less
 * room; the same for the bias, which has no layer. "": a file has no such axis, and the user
 * gave no name. */
const char *view_head_note(const struct view_data *d, struct arena *a);
const char *view_layer_note(const struct view_data *d, struct arena *a);
const char *view_short_head(const struct view_data *d, struct arena *a);
const char *view_short_layer(const struct view_data *d, struct arena *a);
/* Returns the short form of a term's name, "pos–pos" of "position–position"; NULL if it has
 * none. */
const char *view_brief_name(const char *name, struct arena *a);
/* Returns the short note for a term of the logits, which may come from a file. */
const char *view_short_term(const struct view_data *d, const char *label, struct arena *a);
const char *view_bias_note(const struct view_data *d, struct arena *a);
const char *view_short_bias(const struct view_data *d, struct arena *a);
/* Return the name of a head or layer, from 0: the user's, or "head 3". */
const char *view_head_name(const struct view_data *d, size_t head, struct arena *a);
const char *view_layer_name(const struct view_data *d, size_t layer, struct arena *a);
/* Return the same for the shown ones, or "the mean of 4 heads". */
const char *view_head_words(const struct view_data *d, struct arena *a);
const char *view_layer_words(const struct view_data *d, struct arena *a);
/* view_along returns the axis whose maps the view Heads shows; if a file has only one axis, this
 * one. view_along_words returns its name: "4 heads of layer 1". */
enum heads_of view_along(const struct view_data *d);
const char *view_along_words(const struct view_data *d, struct arena *a);
/* Joins both with a dot between them; if one is empty, returns the other. */
const char *view_beside(const char *left, const char *right, struct arena *a);
/* view_expression_name returns the name of a compared expression, by its number from 0: the
 * user's, the model's that is open, or the expression in brief. view_tell names several expressions by the parts of their
 * files that distinguish all of them, else by the expressions in brief; names[n]. */
const char *view_expression_name(const struct scene *scene, size_t number, const char *expression,
				 struct arena *a);
/* Returns the title behind the name of the model that is open, "gpt2 · Learned absolute position
 * embedding", if the scheme is the model's. */
const char *view_of_model(const struct view_data *d, const char *title, struct arena *a);
void view_tell(const char *const *expressions, size_t n, const char **names, struct arena *a);
/* Returns the words for the units that the bias is computed with: "same unit everywhere", or
 * "this sentence". */
const char *view_probe(const struct view_data *d, struct arena *a);

/* Returns whether the shown head's weights come from logits. */
bool view_has_logits(const struct view_data *d);
extern const char view_no_logits[]; /* the sentence shown otherwise */

/* The rules that turn the values of a matrix into colours. */
struct paint {
	const uint8_t *allowed; /* the other cells are hatched; NULL: all */
	const uint8_t *masked;	/* the same as enum heatmap_mask; NULL: `allowed` is used */
	bool is_signed;		/* the scale is symmetric about zero; else it starts at 0 */
	bool unit;		/* the scale is 0 to 1 */
	bool mask;		/* 1 at all allowed cells: one quiet colour, without a bar */
	bool weights; /* weights of keys: the bar marks the weight if all keys get the same */
	bool shared;  /* the scale is -limit..limit, so that panels can be compared */
	bool ranged;  /* the scale is made for lo..hi, so that panels can be compared */
	double lo, hi;
	bool own; /* not the numbers that a locked scale is for */
	double limit;
	const struct mat *spread_by; /* as in struct heatmap */
	size_t n_spread_by;
	const char *more_of, *than; /* as in struct heatmap */
	const struct trace *trace;  /* gives the labels; NULL: the scene's */
	/* The index of the cursor for the scene's row or column; NULL: the same. */
	const size_t *rows, *cols;
	size_t n_rows, n_cols; /* number of entries, as in struct heatmap; 0: one for each */
};

/* Returns the user's colour map if it is of this kind, else the default for this kind and
 * background. */
const struct colormap *view_colormap(const struct view_data *d, bool diverging);

/* pair_numbers.c: a number for each pair on a structure; RELATION_NO_PATH: no number. */
struct pair_numbers {
	const int32_t *at; /* [rows·cols]: queries, keys; NULL: none */
	size_t rows, cols;
	const char *name, *x_title, *sign; /* "shortest path", "shortest path φ(t,s)", "φ(t,s)" */
};
/* Returns whether a member works on a tree or a graph. */
bool view_is_structural(const struct built *b);
/* Sets the numbers of edges between the two on the structure, ignoring directions. False: there
 * is no structure, or a very large one. */
bool view_structure_numbers(const struct model_input *in, const struct trace *trace,
			    struct arena *a, struct pair_numbers *out);
/* Sets the numbers from the relation of a run that kept it; if the structure is read but no pair
 * has a number, the distances on it. False: the schemes work on the sequence, with distances
 * s−t. */
bool view_pair_numbers(const struct built *b, const struct trace *trace, struct arena *a,
		       struct pair_numbers *out);

/* Fills p's heatmap, scale and colours; other members of the panel stay. */
void view_heatmap(const struct view_data *d, struct mat m, const struct paint *paint,
		  struct arena *a, struct panel *p);

/* The scene's matrix (logits, weights, mask) of the shown head and layer, from this trace. */
struct view_matrix {
	const char *name, *title, *subtitle, *absent;
	struct mat at; /* a mask: 1 everywhere, with cells painted as allowed or not */
	struct paint paint;
};
/* terms_absent.c: returns whether something other than a softmax, also one with a sink, makes the
 * model's weights of the logits. */
bool view_weighs_otherwise(const struct view_data *d, const struct trace_head *head);
/* Returns "rows sum to 0.31 to 0.97"; NULL: each sums to 1, or there are no weights. */
const char *view_row_sums(const struct trace_head *head, struct arena *a);
unsigned view_matrix_wants(const struct scene *scene);
struct view_matrix view_matrix_of(const struct view_data *d, const struct trace *trace,
				  struct arena *a);

/* looks.c: if the units from `from` on are a picture in the order in which it was read, sets *text
 * to how it is written, "<image 4x6>", and returns the number of its units; else 0. */
size_t view_picture_at(const struct trace *trace, const struct axis *units, size_t from,
		       struct arena *a, const char **text);

/* looks.c: fills the panel of the shown query's row of a matrix as a picture of the patches. False:
 * the text has no pictures. */
bool view_looks(const struct view_data *d, const struct view_matrix *m, struct arena *a,
		struct panel *p);
/* by_words.c: returns how pieces are merged into words, or that they are not though the scene asks
 * for it; NULL: it does not. */
const char *view_merged(const struct view_data *d, struct arena *a);

/* foot.c: view_given returns, in a few words, everything that was given instead of the default:
 * position ids, segments, a memory, scaled units, contents of files; NULL: nothing.
 * view_given_leaves returns the given parameters: "bias_table from t5.npy". */
const char *view_given(const struct view_data *d, struct arena *a);
const char *view_given_leaves(const struct view_data *d, const struct built *built,
			      struct arena *a);
/* Makes the caption, after the shown panels are known. */
void view_foot(const struct view_data *d, struct arena *a, struct figure *f);
/* curves.c: chooses how the values of curves are spread, as the scene says or so that all curves
 * can be seen, and their colours. */
void view_curves(const struct view_data *d, struct arena *a, struct curves *k);
/* distance_curve.c: fills a panel with the bias of the shown head, or with its weights, by distance. False: it has none,
 * or there are no distances. */
bool view_distance_curve(const struct view_data *d, bool bias, struct arena *a, struct panel *p);
/* Returns "−8 … +8": the limits of the curves' x. */
const char *view_curve_ends(const struct curves *k, struct arena *a);
/* Returns the title of the x axis of curves by distance. Position ids need not be the indices of
 * tokens, so the title tells which of them is counted. */
const char *view_apart_title(const struct view_data *d);
/* Returns the units that are the rows and columns of a relation. */
const struct axis *view_units(const struct trace *trace);
/* Returns the name of unit i of an axis for use among words, cut to 20 columns. */
const char *view_unit_name(const struct axis *axis, size_t i, struct arena *a);
/* Returns the labels of the units, joined by blanks. */
const char *view_words(const struct trace *trace, struct arena *a);
/* view_two_sizes returns the sizes of a matrix whose keys are other tokens than its queries,
 * "5 queries · 7 keys"; view_not_measured is shown instead of anything that is measured. */
const char *view_two_sizes(const struct trace *trace, struct arena *a);
extern const char view_not_measured[];
/* Returns the tokens, shortened to about `cols` columns, and their number: "“the cat” n 2"; for
 * two lists, the names that were given, and "5 queries · 7 keys". */
const char *view_input(const struct built *built, const struct trace *trace, size_t cols,
		       struct arena *a);
/* Returns whether a unit stands for a token: only then there are distances. */
bool view_has_tokens(const struct axis *axis);
struct mat view_ones(const struct trace *trace, struct arena *a);
/* Returns a mask as numbers: 1 at allowed pairs, else 0. */
struct mat view_mask(const struct trace *trace, const uint8_t *allowed, struct arena *a);

/* view_frame sets title, subtitle and command of a figure. view_close sets scales and cursors
 * after the panels are made. */
void view_frame(const struct view_data *d, const char *note, struct arena *a, struct figure *out);
void view_close(const struct view_data *d, struct figure *out);
/* Returns "Su et al. 2021 · rope · head 1 of 4", with the note last. */
const char *view_subtitle(const struct view_data *d, const char *note, struct arena *a);

/* unnamed.c: removes from a figure everything that answers the question that it is shown for. */
void view_unname(const struct view_data *d, struct arena *a, struct figure *f);

/* presenter.c: adds the words for a figure that is shown to an audience. */
void view_present(const struct view_data *d, struct arena *a, struct figure *out);

/* structure_panel.c: draws the structure over the units of this trace as a panel. False: none
 * was given. With `chain`, a chain is drawn in this case, because schemes for structures then
 * work on it. */
bool view_drawing(const struct view_data *d, const struct trace *trace, bool chain, struct arena *a,
		  struct panel *p);

/* term_formula.c: returns "q_t^⊤ k_s", in the notation of pen_formula; NULL: the term's label
 * does not give a formula. */
const char *term_formula(const struct trace_head *head, size_t i, struct arena *a);
/* Returns what a term is made of, in words; `above`: in a layer above the first. */
const char *term_kind(const struct trace_term *term, bool above);
/* Returns whether positions are in a term by themselves: not in the product of token vectors, nor in what a rule
 * makes of the sum. */
bool term_has_position(const struct trace_term *term);

/* terms_largest.c. term_is_small tells if a term of MANY_TERMS or more differs so little within rows
 * that its matrix shows nothing beside those of the others: at most a tenth of the largest, a
 * hundredth of its variance. term_largest returns the term beside the first that differs most within
 * rows; if none does, the one of positions alone, else the second. */
enum { MANY_TERMS = 6 };
bool term_is_small(const struct term_sum *sum, size_t term);
size_t term_count_large(const struct term_sum *sum); /* those that are not */
/* Returns how many other terms have a larger share, of the same the earlier ones; it may be against the sum. */
unsigned char term_rank(const struct term_sum *sum, size_t term);
/* Sets the numbers of all terms in the order of term_rank. */
void term_order(const struct term_sum *sum, size_t *order);
size_t term_largest(const struct trace_head *head, const struct term_sum *sum);

/* Returns the cells that the mask allows and that have a factor; the others are hatched. *all: every allowed
 * cell has one. */
const uint8_t *term_defined(struct mat m, const uint8_t *mask, bool *all, struct arena *a);

/* ---- relation_words.c: cells of a relation in words ------------------------------------------ */

/* Returns the meaning of a number in the cell `at`, or, if `at` is NULL, in any cell. NULL: the
 * number needs no words. */
const char *relation_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a);
/* Returns the pair with the names of its units, in quotation marks if `quoted`. */
struct relation_cell relation_cell(const struct axis *units, size_t t, size_t s, bool quoted,
				   struct arena *a);
/* Returns what is known about a pair: "cat is 2 before dog", or the path; for numbers of single
 * tokens, the meaning of each. NULL: the number needs no words. */
const char *relation_cell_words(const struct relation *r, const struct axis *units, size_t t,
				size_t s, bool quoted, struct arena *a);
/* Returns the text of a value: its name, else its digits, "−5". */
const char *relation_value(const struct relation *r, int32_t value, struct arena *a);
/* Returns "up:ARG0 down:ARG1"; in brief "↑ARG0↓ARG1", and "ε" for the empty path. */
const char *relation_path(const struct relation *r, size_t cell, bool brief, struct arena *a);
/* ---- mixture.c: expressions of several members ----------------------------------------------- */

/* Returns whether the members need to be listed: there are several that are no masks, or one of
 * several acts on some heads or layers only. */
bool mixture_is(const struct expr *e);
/* Returns "0.5 × " for this weight, to be put before a name; "" for 1. */
const char *mixture_weight(double weight, struct arena *a);
/* mixture_title returns "Rotary position embedding + Attention with linear biases".
 * mixture_authors returns the authors; "": all schemes are the user's. */
const char *mixture_title(const struct expr *e, struct arena *a);
const char *mixture_authors(const struct expr *e, struct arena *a);
/* Returns "Su et al. 2021"; NULL: the scheme is the user's. */
const char *mixture_by(const struct scheme *s, struct arena *a);
/* Returns the formulas that the user defined, "b(t, s) = −|s − t|"; "": none. */
const char *mixture_definitions(const struct expr *e, struct arena *a);
/* Adds a line for each member, and one if masks differ. */
void mixture_lines(const struct view_data *d, const struct expr_member *shown, struct arena *a,
		   struct card *card);
/* Adds a line for each of the other members to the card of the shown one: formula, reference
 * point, and a sentence. */
void mixture_cards(const struct view_data *d, const struct expr_member *shown, struct arena *a,
		   struct card *card);
/* Returns "heads 1–2: all 81 pairs; heads 3–4: 45" for the shown layer; NULL: all heads see
 * equally many. */
const char *mixture_masks(const struct view_data *d, struct arena *a);

/* ---- split_parts.c: the parts of a matrix ---------------------------------------------------- */

/* Splits the shown matrix. The matrices of the parts are made only for the view Split. */
void view_split_make(const struct view_data *d, struct watch *watch, struct arena *a,
		     struct view_split *out);
/* Adds the shares and their meaning as a line of a card. */
void card_split(const struct view_split *s, struct arena *a, struct card *card);

/* spectrum.c: adds the eigenvalues as a line of a card. */
void spectrum_line(const struct spectrum *s, struct arena *a, struct card *card);

/* ---- card.c: facts about a scheme, beside computed and measured values ----------------------- */

/* Sets the row, column, width and priority of a panel, as in struct panel. */
void view_place(struct panel *p, unsigned char row, unsigned char col, unsigned char cols,
		unsigned char priority);

void card_scheme(const struct view_data *data, struct arena *a, struct panel *panel);
void card_measures(const struct view_data *data, struct arena *a, struct panel *panel);

struct card *card_new(struct panel *panel, struct arena *a); /* without lines */
/* Returns the line that was added last. */
struct card_line *card_last(struct card *card);
void card_add(struct card *card, const char *key, const char *value, const char *note);
/* Add a measure under its title, "…" while it is being made, with its sentence and more words
 * (NULL: none); and that of a causal model with a number for each layer. */
void card_measured(const struct view_data *data, enum measure_id which, const char *more,
		   struct arena *a, struct card *card);
void card_prefix(const struct view_data *data, struct arena *a, struct card *card);

/* terms_absent.c: adds what is said of position ids that go on from text to text, or count padding. */
void terms_parts(const struct view_data *d, const struct trace_head *head, struct arena *a,
		 struct card *card);
void terms_ids(const struct view_data *d, struct arena *a, struct card *card);
/* terms_absent.c: the figure of the view Terms if there are no logits. */
void terms_without_logits(const struct view_data *d, struct arena *a, struct figure *out);

/* instead.c: view_instead adds the bias and the weights below panel 0, which says why it is empty, and arranges all;
 * the view wants both. view_lead returns the reason, and where to look. */
void view_instead(const struct view_data *d, struct arena *a, struct figure *out);
/* Adds to the note of a bias that it is of layer 1 whatever layer is shown: the bias is always that of the first layer. */
const char *view_bias_of(const struct view_data *d, const char *note, struct arena *a);
/* Draws the bias of the shown head; false: there is none, or it is zero. */
bool view_bias_picture(const struct view_data *d, struct arena *a, struct panel *p);
const char *view_lead(const char *why, struct arena *a);

#endif
