/* vectors_rows.c: the names of the rows and columns of vectors: tokens, positions, distances s − t,
 * the distances that share a bucket; dimensions, heads, pairs of dimensions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/text.h"
#include "vectors_in.h"

/* ---- numbers of pairs ------------------------------------------------------------------------ */

/* The numbers of all pairs that the rows are read by: those that the member kept before the
 * vectors, or its first; at NULL: none. */
struct pair_index {
	struct mat at;
	const char *label; /* "bucket(s − t)" */
};

static struct pair_index index_of(const struct shown_vectors *k)
{
	static const char mark[] = ".index.";
	struct pair_index out = {.label = ""};
	const struct trace *const trace = k->far ? k->far : k->trace;
	const char *const dot = strchr(k->v.name, '.');
	const size_t stem = dot ? (size_t)(dot - k->v.name) : strlen(k->v.name);
	for (size_t i = 0; i < trace->n_kept; i++) {
		const struct trace_kept *const kept = &trace->kept[i];
		const char *const member = strstr(kept->name, "member."), *const at = strstr(
										  kept->name, mark);
		if (member && strcmp(member + strlen("member."), k->v.name) == 0)
			break;
		if (!member || !at || strncmp(member + strlen("member."), k->v.name, stem) != 0 ||
		    member[strlen("member.") + stem] != '.')
			continue;
		if (k->v.kind == VECTORS_MADE || !out.at.at)
			out = (struct pair_index){kept->at, at + strlen(mark)};
	}
	return out;
}

/* The distances s − t of the pairs that read a row; lo > hi: none does. */
struct span {
	long lo, hi;
	size_t pairs;
};

/* Returns the end of the columns from s on that hold the same number. */
static size_t run_end(const double *row, size_t s, size_t n)
{
	size_t end = s + 1;
	while (end < n && !(row[end] < row[s]) && !(row[end] > row[s]))
		end++;
	return end;
}

/* Fills the distances of each row whose numbers begin at `first`. False: a number has no row, or
 * other numbers stand between the distances of one. */
static bool fill_spans(const struct shown_vectors *k, struct mat index, long first,
		       struct span *span, size_t rows)
{
	const long memory = (long)(k->far ? k->far : k->trace)->memory;
	for (size_t i = 0; i < rows; i++)
		span[i] = (struct span){1, 0, 0};
	for (size_t t = 0; t < index.rows; t++)
		for (size_t s = 0, end; s < index.cols; s = end) {
			const double number = mat_row(index, t)[s];
			const long at = isfinite(number) ? (long)number - first : -1;
			if (at < 0 || at >= (long)rows)
				return false;
			end = run_end(mat_row(index, t), s, index.cols);
			const long lo = (long)s - memory - (long)t, hi = lo + (long)(end - s) - 1;
			struct span *const p = &span[at];
			p->lo = p->pairs == 0 || lo < p->lo ? lo : p->lo;
			p->hi = p->pairs == 0 || hi > p->hi ? hi : p->hi;
			p->pairs += end - s;
		}
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < rows && span[i].pairs > 0; j++)
			if (i != j && span[j].pairs > 0 && span[i].lo <= span[j].hi &&
			    span[j].lo <= span[i].hi)
				return false;
	return true;
}

static const char *whole(long value, struct arena *a)
{
	return arena_printf(a, "%s%ld", value < 0 ? "−" : "", labs(value));
}

/* Returns "−8…−11", from near to far; "−23…" if the pairs end there and not the row. */
static const char *span_name(const struct span *s, bool open, struct arena *a)
{
	const bool near_first = labs(s->lo) < labs(s->hi);
	const long from = near_first ? s->lo : s->hi, to = near_first ? s->hi : s->lo;
	return open	    ? arena_printf(a, "%s…", whole(from, a))
	       : from == to ? whole(from, a)
			    : arena_printf(a, "%s…%s", whole(from, a), whole(to, a));
}

/* Names each row by its distances. Rows behind the farthest pair are of farther ones, and others
 * that no pair reads are unused. */
static const char **span_names(const struct span *span, size_t rows, size_t queries,
			       struct arena *a)
{
	const char **const out = arena_calloc(a, rows + 1, sizeof *out);
	bool far = false;
	for (size_t i = 0; i < rows; i++) {
		const struct span *const s = &span[i];
		const bool last = s->pairs > 0 && (labs(s->lo) == (long)queries - 1 ||
						   labs(s->hi) == (long)queries - 1);
		far = last || (far && s->pairs == 0);
		const bool more =
			last && s->lo != s->hi && (i + 1 == rows || span[i + 1].pairs == 0);
		const bool before_one = i + 1 < rows && span[i + 1].pairs > 0 &&
					(span[i + 1].lo == 1 || span[i + 1].hi == -1);
		out[i] = s->pairs > 0	      ? span_name(s, more, a)
			 : far && !before_one ? "farther"
					      : "unused";
	}
	return out;
}

static bool begins(const char *text, const char *word)
{
	return text && strncmp(text, word, strlen(word)) == 0;
}

/* Names rows by the distances that read them. False: rows are read by something else. */
static bool name_by_distance(struct shown_vectors *k, struct arena *a)
{
	const struct pair_index index = index_of(k);
	const bool bucket = begins(k->v.means, "row of a bucket");
	double lo, hi;
	if (!index.at.at || view_is_structural(k->built) || k->built->position_ids ||
	    (k->v.kind != VECTORS_MADE && !bucket))
		return false;
	const size_t rows = k->sample.of;
	if (!mat_range(index.at, &lo, &hi) || (!bucket && hi - lo + 1 != (double)rows))
		return false;
	struct span *const span = arena_calloc(a, rows + 1, sizeof *span);
	if (!fill_spans(k, index.at, bucket ? 0 : lround(lo), span, rows))
		return false;
	const char **const out = arena_calloc(a, k->sample.n + 1, sizeof *out);
	const char *const *const names = span_names(span, rows, index.at.rows, a);
	double *const at = arena_calloc(a, k->sample.n + 1, sizeof *at);
	bool known = bucket;
	for (size_t i = 0; i < k->sample.n; i++) {
		const struct span *const s = &span[k->sample.at[i]];
		out[i] = names[k->sample.at[i]];
		at[i] = s->pairs > 0 ? (double)(s->lo + s->hi) / 2 : NAN;
		known = known && strcmp(out[i], "farther") != 0;
	}
	k->row_at = known ? at : NULL;
	k->row_names = out;
	k->row_title = "distance s − t";
	k->rows_word = bucket ? "buckets of distances s − t" : "distances s − t";
	k->ruler = true;
	return true;
}

/* Counts rows from the middle one, which is 0. */
static void name_from_middle(struct shown_vectors *k, struct arena *a)
{
	const struct pair_index index = index_of(k);
	const bool tree = view_is_structural(k->built);
	const char **const out = arena_calloc(a, k->sample.n + 1, sizeof *out);
	for (size_t i = 0; i < k->sample.n; i++)
		out[i] = whole((long)k->sample.at[i] - (long)(k->sample.of / 2), a);
	k->row_names = out;
	k->row_title = tree && *index.label ? index.label : "distance δ";
	k->rows_word = tree && *index.label ? "relative positions" : "distances δ";
	k->ruler = true;
}

/* Returns "path length" for "row of a path length: …"; NULL: the rows have no such name. */
static const char *named_thing(const char *means, struct arena *a)
{
	static const char *const forms[] = {"row of a ", "row of an ", "rows of a "};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (begins(means, forms[i])) {
			const char *const at = means + strlen(forms[i]);
			return arena_strndup(a, at, strcspn(at, ":,"));
		}
	return NULL;
}

static void name_others(const struct view_data *d, struct shown_vectors *k, struct arena *a)
{
	const bool tokens = k->v.of_units && !k->more_places && k->v.at.rows == d->trace->key.n;
	const char *const thing = named_thing(k->v.means, a);
	const bool of_position = begins(k->v.means, "row t:") || begins(k->v.means, "row t,");
	k->row_names = tokens ? d->trace->key.names : NULL;
	k->row_title = k->v.kind == VECTORS_EIGEN		 ? "token"
		       : k->v.of_units && !of_position && !thing ? "position t"
		       : of_position				 ? "position t"
		       : thing					 ? thing
								 : "row";
	k->rows_word = strcmp(k->row_title, "position t") == 0 ? "positions"
		       : k->v.kind == VECTORS_EIGEN	       ? "tokens"
							       : "rows";
}

void vectors_name(const struct view_data *d, struct arena *a, struct shown_vectors *k)
{
	const bool heads = k->v.kind == VECTORS_TABLE && k->v.means &&
			   strstr(k->v.means, "a column for each head");
	if (k->v.of_distances || begins(k->v.means, "row r + "))
		name_from_middle(k, a);
	else if (!name_by_distance(k, a))
		name_others(d, k, a);
	k->col_title = k->v.kind == VECTORS_TURNS   ? "pair of dimensions"
		       : k->v.kind == VECTORS_EIGEN ? "eigenvector"
		       : heads			    ? "head"
						    : "dimension";
	k->cols_word = k->v.kind == VECTORS_TURNS   ? "pairs of dimensions"
		       : k->v.kind == VECTORS_EIGEN ? "eigenvectors"
		       : heads			    ? "heads"
						    : "dimensions";
}

/* ---- the finding ----------------------------------------------------------------------------- */

/* Returns the meaning of a table without the words that name its rows: "added to the logits". */
static const char *use_of(const char *means)
{
	const char *const colon = means ? strstr(means, ": ") : NULL;
	return colon ? colon + 2 : NULL;
}

bool vectors_of_bias(const struct shown_vectors *k)
{
	return vectors_of_heads(k) && k->row_at &&
	       begins(use_of(k->v.means), "added to the logits");
}

static const char *what_is_shown(const struct shown_vectors *k, struct arena *a)
{
	switch (k->v.kind) {
	case VECTORS_ADDED:
		return k->v.frequency ? "Each row is the vector that is added to the token at that "
					"position: sines and cosines, slower from left to right."
				      : "Each row is the vector that is added to the token at that "
					"position.";
	case VECTORS_TURNS:
		return arena_printf(
			a,
			"Each row holds the angles, in radians from −π to π, by which query "
			"and key are rotated at that position%s; rows are compared by cosines "
			"and sines of these.",
			k->v.changes ? " in the first layer" : "");
	case VECTORS_MADE:
		return arena_printf(
			a, "A vector for each of the %s, to be multiplied by queries or keys.",
			k->rows_word);
	case VECTORS_TABLE:
		if (vectors_of_bias(k))
			return "What each head (column) adds to a logit at each distance s − t (row), "
			       "learned.";
		return use_of(k->v.means)
			       ? arena_printf(a, "A learned table, a row for each %s: %s.",
					      named_thing(k->v.means, a)
						      ? named_thing(k->v.means, a)
						      : k->row_title,
					      use_of(k->v.means))
			       : "A learned table.";
	case VECTORS_EIGEN:
		return "Each row holds what the token's node has in the eigenvectors of the graph.";
	}
	return "";
}

bool vectors_are_parallel(const struct shown_vectors *k)
{
	static const double rounding = 1e-9;
	return !isnan(k->least) && k->least > 1 - rounding;
}

/* Returns " From −9.04 (head 1, −91…) to 0 (head 1, 0)." */
static const char *what_heads_have(const struct shown_vectors *k, struct arena *a)
{
	const struct mat m = k->v.at;
	size_t least = 0, most = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++) {
		const double at = mat_row(m, i / m.cols)[i % m.cols];
		least = at < mat_row(m, least / m.cols)[least % m.cols] ? i : least;
		most = at > mat_row(m, most / m.cols)[most % m.cols] ? i : most;
	}
	const size_t at[] = {least, most};
	const char *ends[2];
	for (size_t i = 0; i < 2; i++) {
		const size_t row = at[i] / m.cols, col = at[i] % m.cols;
		ends[i] = arena_printf(
			a, "%s (head %zu, %s%s)", vectors_number(mat_row(m, row)[col], 3, a),
			col + 1, k->row_at ? "distance " : "",
			k->row_names ? k->row_names[row] : arena_printf(a, "row %zu", row + 1));
	}
	return arena_printf(a, " From %s to %s.", ends[0], ends[1]);
}

static const char *what_is_seen(const struct shown_vectors *k, struct arena *a)
{
	static const double all = 0.995;
	if (isnan(k->least))
		return "";
	if (vectors_of_heads(k) && k->v.at.rows > 0)
		return what_heads_have(k, a);
	if (vectors_are_parallel(k))
		return k->plane_absent
			       ? " All rows are equal."
			       : " All rows point the same way (cosine 1): they differ in length "
				 "alone.";
	if (k->by.distance >= all)
		return arena_printf(a,
				    " How similar two are depends on their distance alone: cosine "
				    "%s side by side, %s at least.",
				    vectors_number(k->neighbour, 2, a),
				    vectors_number(k->least, 2, a));
	return arena_printf(
		a, " Cosine of neighbouring rows: %s in the mean; of the least similar two: %s.",
		vectors_number(k->neighbour, 2, a), vectors_number(k->least, 2, a));
}

const char *vectors_finding(const struct shown_vectors *k, struct arena *a)
{
	return arena_printf(a, "%s%s%s", what_is_shown(k, a), what_is_seen(k, a),
			    vectors_untrained_words(k, a));
}
