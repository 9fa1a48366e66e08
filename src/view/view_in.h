/* view_in.h: what views share. */
#ifndef POSVIZ_VIEW_IN_H
#define POSVIZ_VIEW_IN_H

#include "posviz/view/view.h"

/* The views that other files name than their own; the list of all is in the folder picture. */
extern const struct view view_explore, view_terms, view_order, view_vectors, view_split,
	view_relation, view_metrics;

/* A row or column from 1, brought into 1..limit. */
long view_within(long value, size_t limit);

/* ---- common.c: what is looked at, and the parts of panels that views share --------------------- */

/* Where the trace has the shown head and layer: from 0; behind the last for a mean. */
size_t view_head(const struct view_data *d);
size_t view_layer(const struct view_data *d);
/* Whether what is shown is a mean, of heads or of layers; and how that is called: "this head". */
bool view_is_mean(const struct view_data *d);
const char *view_this(const struct view_data *d);
/* Whether a member acts on the shown head and layer, of a mean on any. */
bool view_acts(const struct view_data *d, const struct member *m);

/* which.c: whether q and k are compared anywhere; whether all of the bias is numbers of files, and what is shown
 * is these alone; and which axes the bias has then. */
bool view_compares_units(const struct built *b);
bool view_bias_is_own(const struct built *b);
bool view_shows_own(const struct view_data *d, const struct figure *f);
struct view_axes view_bias_axes(const struct built *b);
struct view_axes view_matrix_axes(const struct view_data *d); /* of the scene's matrix */
/* Members whose weights do not come from q·k have no bias: curves are of their weights. */
bool view_without_bias(const struct built *b);
/* A scheme made for causal attention says nothing of later keys: what stands there means nothing. */
bool view_bias_is_causal(const struct built *b);

/* "head 1 of 4", "head 1 of 4 · layer 2" where there are several, and the same with less room; of the bias, which
 * has no layer. "" where a file has no such axis and the user no name. */
const char *view_head_note(const struct view_data *d, struct arena *a);
const char *view_layer_note(const struct view_data *d, struct arena *a);
const char *view_short_head(const struct view_data *d, struct arena *a);
const char *view_short_layer(const struct view_data *d, struct arena *a);
/* The same of a term of the logits, which may be of a file. */
const char *view_short_term(const struct view_data *d, const char *label, struct arena *a);
const char *view_bias_note(const struct view_data *d, struct arena *a);
const char *view_short_bias(const struct view_data *d, struct arena *a);
/* The name of a head or layer from 0: the user's, or "head 3". */
const char *view_head_name(const struct view_data *d, size_t head, struct arena *a);
const char *view_layer_name(const struct view_data *d, size_t layer, struct arena *a);
/* The same of the shown ones, or "the mean of 4 heads". */
const char *view_head_words(const struct view_data *d, struct arena *a);
const char *view_layer_words(const struct view_data *d, struct arena *a);
/* The axis whose maps the view Heads shows, that of the file where it has one alone, and its name: "4 heads of layer 1". */
enum heads_of view_along(const struct view_data *d);
const char *view_along_words(const struct view_data *d, struct arena *a);
/* Both with a dot between them, or the one that is not empty. */
const char *view_beside(const char *left, const char *right, struct arena *a);
/* The expression of this number from 0 among those compared: the user's name, or the expression in brief; of
 * several, files by what tells them apart. names[n]. */
const char *view_expression_name(const struct scene *scene, size_t number, const char *expression,
				 struct arena *a);
void view_tell(const char *const *expressions, size_t n, const char **names, struct arena *a);
/* What stands at every place for the bias: "same unit everywhere", or "this sentence". */
const char *view_probe(const struct view_data *d, struct arena *a);

/* Whether the shown head's weights come from logits. */
bool view_has_logits(const struct view_data *d);
extern const char view_no_logits[]; /* the sentence that stands there otherwise */

/* How the values of a matrix become colours. */
struct paint {
	const uint8_t *allowed; /* the others are hatched; NULL: all */
	const uint8_t *masked;	/* the same by enum heatmap_mask; NULL: `allowed` says it */
	bool is_signed;		/* about zero; else from 0 */
	bool unit;		/* 0 to 1 */
	bool mask;		/* 1 wherever it is allowed: one quiet colour, which needs no bar */
	bool weights;		/* of keys: the bar marks what each gets when all get the same */
	bool shared;		/* the scale is -limit..limit, for panels to be compared */
	bool ranged;		/* the scale is made for lo..hi, for panels to be compared */
	double lo, hi;
	bool own; /* other numbers than a lock is for */
	double limit;
	const struct mat *spread_by; /* as in struct heatmap */
	size_t n_spread_by;
	const char *more_of, *than; /* as in struct heatmap */
	const struct trace *trace;  /* whose labels; NULL: the scene's */
	const size_t *rows, *cols;  /* the cursor's place, by the scene's; NULL: the same */
	size_t n_rows, n_cols;	    /* of these, as in struct heatmap; 0: as many as there are */
};

/* The map of the user's choice, else the one for this kind of data and background. */
const struct colormap *view_colormap(const struct view_data *d, bool diverging);

/* pair_numbers.c: a number of each pair of a structure, RELATION_NO_PATH where there is none. */
struct pair_numbers {
	const int32_t *at; /* [rows·cols]: queries, keys; NULL: none */
	size_t rows, cols;
	const char *name, *x_title, *sign; /* "shortest path", "shortest path φ(t,s)", "φ(t,s)" */
};
/* Whether a member works on a tree or a graph. */
bool view_is_structural(const struct built *b);
/* Edges between the two on the structure, whatever their directions; false: there is none, or a very
 * large one. */
bool view_structure_numbers(const struct model_input *in, const struct trace *trace,
			    struct arena *a, struct pair_numbers *out);
/* The relation of a run that kept it; or, where the structure is read but no pair has a number, the
 * distance on it. False: of schemes of the sequence, which count s−t. */
bool view_pair_numbers(const struct built *b, const struct trace *trace, struct arena *a,
		       struct pair_numbers *out);

/* Fills p's heatmap; values of one sign far from zero are said in the subtitle. */
void view_heatmap(const struct view_data *d, struct mat m, const struct paint *paint,
		  struct arena *a, struct panel *p);

/* The scene's matrix (logits, weights, mask) of the shown head and layer, of this trace. */
struct view_matrix {
	const char *name, *title, *subtitle, *absent;
	struct mat at; /* a mask: 1 everywhere, and painted as allowed or not */
	struct paint paint;
};
unsigned view_matrix_wants(const struct scene *scene);
struct view_matrix view_matrix_of(const struct view_data *d, const struct trace *trace,
				  struct arena *a);
/* foot.c: what was given in place of the usual: position ids, segments, a memory, scaled units, what files
 * hold, in a few words; NULL: nothing. And parameters: "bias_table from t5.npy". */
const char *view_given(const struct view_data *d, struct arena *a);
const char *view_given_leaves(const struct view_data *d, const struct built *built,
			      struct arena *a);
/* The caption, when it is known which panels are shown. */
void view_foot(const struct view_data *d, struct arena *a, struct figure *f);
/* curves.c: how the values of curves are spread, as the scene says or so that all of them are seen; and
 * the colours that stand for them. */
void view_curves(const struct view_data *d, struct arena *a, struct curves *k);
/* "−8 … +8": where the curves begin and end. */
const char *view_curve_ends(const struct curves *k, struct arena *a);
/* Of curves by distance: what is counted, for position ids need not be the places. */
const char *view_apart_title(const struct view_data *d);
/* The units that rows and columns of a relation are. */
const struct axis *view_units(const struct trace *trace);
/* The name of row or column i of an axis as it stands among words: however long it is, at most 20 columns. */
const char *view_unit_name(const struct axis *axis, size_t i, struct arena *a);
/* Their labels in a row. */
const char *view_words(const struct trace *trace, struct arena *a);
/* The sizes of a matrix whose keys are other tokens than its queries, "5 queries · 7 keys", and the words in place of
 * whatever is measured. */
const char *view_two_sizes(const struct trace *trace, struct arena *a);
extern const char view_not_measured[];
/* Its tokens, shortened to about so many columns, and how many: "“the cat” n 2"; of two lists the names that were
 * given, and "5 queries · 7 keys". */
const char *view_input(const struct built *built, const struct trace *trace, size_t cols,
		       struct arena *a);
/* Whether one of the units stands for a token: only then there are distances. */
bool view_has_tokens(const struct axis *axis);
struct mat view_ones(const struct trace *trace, struct arena *a);
/* A mask as numbers: 1 where a pair is allowed. */
struct mat view_mask(const struct trace *trace, const uint8_t *allowed, struct arena *a);

/* Title, subtitle and command of a figure; and, when its panels are there, their scales and cursors. */
void view_frame(const struct view_data *d, const char *note, struct arena *a, struct figure *out);
void view_close(const struct view_data *d, struct figure *out);
/* "Su et al. 2021 · rope · head 1 of 4", with the note last. */
const char *view_subtitle(const struct view_data *d, const char *note, struct arena *a);

/* unnamed.c: takes from a figure what would answer the question that it is shown for. */
void view_unname(const struct view_data *d, struct arena *a, struct figure *f);

/* presenter.c: what is said of a figure that is shown to a room. */
void view_present(const struct view_data *d, struct arena *a, struct figure *out);

/* structure_panel.c: the structure over the units of this trace as a panel; false: none was given. With `chain`
 * the chain is drawn then, which schemes over structures work on. */
bool view_drawing(const struct view_data *d, const struct trace *trace, bool chain, struct arena *a,
		  struct panel *p);

/* term_formula.c: "q_t^⊤ k_s", as pen_formula takes it; NULL where its label does not tell. */
const char *term_formula(const struct trace_head *head, size_t i, struct arena *a);

/* ---- relation_words.c: what stands in a cell of a relation, in words ---------------------------- */

/* What a number means; at NULL: wherever it stands. NULL: the number says it. */
const char *relation_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a);
/* The pair by the names of its units, in quotation marks or not. */
struct relation_cell relation_cell(const struct axis *units, size_t t, size_t s, bool quoted,
				   struct arena *a);
/* What is known of a pair: "cat is 2 before dog", or the path; of single tokens, what each is. NULL: the
 * number says it. */
const char *relation_cell_words(const struct relation *r, const struct axis *units, size_t t,
				size_t s, bool quoted, struct arena *a);
/* How a value is written: by its name, else in digits, "−5". */
const char *relation_value(const struct relation *r, int32_t value, struct arena *a);
/* "up:ARG0 down:ARG1"; in brief "↑ARG0↓ARG1", where there is none "ε". */
const char *relation_path(const struct relation *r, size_t cell, bool brief, struct arena *a);
/* ---- mixture.c: expressions of several members ---------------------------------------------------- */

/* Whether there is something to say of who does what: several that are no masks, or one that acts on some
 * heads or layers only. */
bool mixture_is(const struct expr *e);
/* "0.5 × " in front of what has this weight; "" of 1. */
const char *mixture_weight(double weight, struct arena *a);
/* "Rotary position embedding + Attention with linear biases", and by whom; "" of the user's own alone. */
const char *mixture_title(const struct expr *e, struct arena *a);
const char *mixture_authors(const struct expr *e, struct arena *a);
/* "Su et al. 2021"; NULL: it is the user's own. */
const char *mixture_by(const struct scheme *s, struct arena *a);
/* "b(t, s) = −|s − t|" of what formulas are of the user's own; "" where none is. */
const char *mixture_definitions(const struct expr *e, struct arena *a);
/* A line for each member, and one for masks that differ. */
void mixture_lines(const struct view_data *d, const struct expr_member *shown, struct arena *a,
		   struct card *card);
/* And a line for the card of each of the others: formula, reference, and what it does in a sentence. */
void mixture_cards(const struct view_data *d, const struct expr_member *shown, struct arena *a,
		   struct card *card);
/* "heads 1–2: all 81 pairs; heads 3–4: 45" of the shown layer; NULL: all heads see as many. */
const char *mixture_masks(const struct view_data *d, struct arena *a);

/* ---- split_parts.c: what a matrix is a sum of --------------------------------------------------- */

/* Matrices of the parts are made for the view that shows them. */
void view_split_make(const struct view_data *d, struct watch *watch, struct arena *a,
		     struct view_split *out);
/* The shares, and what they mean, as a line of a card. */
void card_split(const struct view_split *s, struct arena *a, struct card *card);

/* spectrum.c: eigenvalues as a line of a card. */
void spectrum_line(const struct spectrum *s, struct arena *a, struct card *card);

/* ---- card.c: what a scheme is, beside what was made and measured ------------------------------- */

/* Where a panel stands on the page, as in struct panel. */
void view_place(struct panel *p, unsigned char row, unsigned char col, unsigned char cols,
		unsigned char priority);

void card_scheme(const struct view_data *data, struct arena *a, struct panel *panel);
void card_measures(const struct view_data *data, struct arena *a, struct panel *panel);

struct card *card_new(struct panel *panel, struct arena *a); /* without lines */
/* The line that was added last. */
struct card_line *card_last(struct card *card);
void card_add(struct card *card, const char *key, const char *value, const char *note);
/* A measure as a card shows it; "…" while there are none (m is not looked at then). */
const char *card_measure(const struct view_data *data, const struct measure *m, struct arena *a);
/* What a shift changes: "logits", or "weights" where there are none. */
const char *card_scores(const struct view_data *data);

/* terms_absent.c: where there are no logits. */
void terms_without_logits(const struct view_data *d, struct arena *a, struct figure *out);

#endif
