/* profile_run.h: a model, or a scheme with drawn vectors, run over windows of a text for its profile;
 * and the profile of queries and keys, or of weights, that a file gives.
 *
 * Window w begins at a token drawn from (seed, w). A model's windows have the frame that its
 * tokenizer puts around a text. Of every PROFILE_SHUFFLED windows one is run again with its far
 * tokens shuffled, of every PROFILE_REPEATED one is followed by a window of random tokens of the
 * text, repeated. So the first windows are the same whatever their number. */
#ifndef POSVIZ_PROFILE_RUN_H
#define POSVIZ_PROFILE_RUN_H

#include "posviz/analysis/profile.h"
#include "posviz/format/tensor.h"
#include "posviz/scene/scene.h"

enum {
	PROFILE_WINDOWS = 200,
	PROFILE_LENGTH = 128,
	PROFILE_DRAWN = 20,
	PROFILE_DRAWN_LENGTH = 32,
	PROFILE_SHUFFLED = 4,
	PROFILE_REPEATED = 8
};

struct profile_of {
	const struct setup *setup; /* its text is not read; with ids, these are the text */
	const char *text;	   /* what the text is called in messages; NULL: ours */
	const char *
		words; /* the text itself; NULL: ours, or tokens drawn if the model cannot spell it */
	size_t len;
	size_t length; /* of a window; 0: PROFILE_LENGTH, or less where model or text are shorter */
	/* A file of q and k, [layers, heads, n, d_h] or with windows in front, before rotation, which
	 * the setup's scheme does; or of weights, attention [windows, layers, heads, n, n]. It may have
	 * ids [windows, n]. NULL: the model is run. */
	const char *qk;
};

struct profile_run {
	struct profile_sizes sizes;
	size_t tokens;	/* of the text, without the frame; 0: a file */
	size_t windows; /* in the file; 0: as many as are asked for */
	bool drawn; /* there is no text: the tokens are drawn from the vocabulary, which cannot spell ours */
	bool trained; /* the layers of a model are computed; false: vectors are drawn */
	const char
		*identity; /* a hash of all that the numbers depend on, but the number of windows */
	/* [layers][bands]: radians for a position more, NaN: layer without; at NULL: no bands. */
	struct mat rates;
	double trained_positions; /* of the rotation; 0: not known */
	/* Why the scheme has no kernel of its own; NULL: it has one, or that is not known yet. */
	const char *own_why;
	struct profile_source *source;
};

/* Reads everything and builds the model. False with one line that says what would be right. */
bool profile_open(const struct profile_of *of, struct arena *a, struct profile_run *out,
		  struct err *err);
/* Runs window w and adds it. False: an error, or cancelled, and the profile is unchanged. */
bool profile_step(struct profile_run *run, struct profile *p, size_t w, struct cache *cache,
		  struct watch *watch, struct err *err);
/* The same in two parts, for a picture that does not wait for the second: the window itself; then what is run beside it,
 * shuffled and repeated. */
enum { PROFILE_TEXT = 1, PROFILE_MORE = 2 };
bool profile_step_part(struct profile_run *run, struct profile *p, size_t w, unsigned parts,
		       struct cache *cache, struct watch *watch, struct err *err);
/* Finds the scheme's own kernels by two runs of a model, unless they are known. False: an error, or cancelled. */
bool profile_find_own(struct profile_run *run, struct profile *p, struct cache *cache,
		      struct watch *watch, struct err *err);
/* Returns the evaluations of a head that profile_find_own takes. */
size_t profile_heads_of_own(const struct profile_run *run);
/* Returns the evaluations of a head that windows [from, to) take, for a watch. */
size_t profile_heads_to_run(const struct profile_run *run, size_t from, size_t to);

/* Returns the number of windows for what a scene says: 0 is as many as a trained model, or drawn
 * vectors, need; never more than a text has. A file has its own. */
size_t profile_windows(const struct profile_run *run, long wanted);
/* Returns the tokens of a window for what a scene says, as in struct profile_of. */
size_t profile_length(long wanted, bool trained);

/* profile_file.c: the sums as tensors, to go on from later; and the results as tensors. The metadata
 * names the identity, the sizes and the number of windows. */
bool profile_save(struct profile *p, const struct profile_run *run, struct tensor_set *out,
		  struct arena *a);
/* Returns the profile of a file, with the number of windows it has; NULL: it is no such file, or of
 * something else than the run. */
struct profile *profile_load(const char *path, const struct profile_run *run, size_t *windows,
			     struct arena *a, struct err *err);

/* ---- of a scene (profile_known.c) -------------------------------------------------------------- */

struct profile_known {
	const char *why;	    /* why there is no profile; or NULL */
	struct profile_run run;	    /* sizes, rates and words; its source is not used */
	struct profile_head *heads; /* [layers · heads] */
	size_t windows, to_come;    /* windows done; parts of the work to come */
	bool noise;		    /* noise heads were drawn */
	const char *own_why;	    /* why the scheme has no kernel of its own; or NULL */
	/* The profile that this one is compared with, of the same windows; NULL: none. Names are of the two models. */
	const struct profile_known *other;
	const char *name, *other_name;
	const char *other_why; /* why it is not compared; or NULL */
	/* [layers · heads] the other's numbers minus these; else `heads`: what tables and planes show. */
	const struct profile_head *shown;
};

/* Gets the profile of a scene on its file, or on our text. The one that was asked for last is kept;
 * `partial`: some windows are added, at least one, for a view that fills while it is shown. */
void profile_of_scene(const struct scene *scene, bool partial, struct cache *cache,
		      struct watch *watch, struct arena *a, struct profile_known *out);

/* ---- words (profile_facts.c) ------------------------------------------------------------------- */

/* The share up to which a head is said to ignore position; the share of position, and the weight, from
 * which a score is said to be of most; the share that a band that is used has in some head. */
#define PROFILE_NONE 0.01
#define PROFILE_MUCH 0.5
#define PROFILE_BAND 0.001
enum { PROFILE_FACTS = 12 };

/* Writes sentences on what stands out, each with its numbers: heads[layers · heads], with noise. */
size_t profile_facts(const struct profile_run *run, const struct profile_head *heads,
		     struct arena *a, const char *out[PROFILE_FACTS]);
/* Returns all results, with noise or without. */
struct profile_head *profile_results(struct profile *p, bool noise, struct arena *a);
/* Returns how the numbers were made: "200 windows of 128 tokens, from a text of 4051 tokens; windows overlap". */
const char *profile_made(const struct profile_run *run, size_t windows, struct arena *a);

#endif
