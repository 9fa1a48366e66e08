/* sequence.c: inputs of checkpoints besides tokens: position ids, segments, a memory of earlier
 * units.
 *
 * All of them count units, special ones included, and belong to places: they stay when tokens are
 * permuted. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "scene_in.h"

enum { MOST_POSITION = 999999, MOST_SEGMENT = 99 };

static const char start[] = "start:";
static const char blanks[] = ", \t\n";

static bool is_none(const char *value)
{
	return strcmp(value, "none") == 0;
}

/* ---- lists of whole numbers ------------------------------------------------------------------ */

struct list {
	const char *name; /* of the field */
	const char *example;
	long min, max;
	bool rows; /* one, or one for each axis, parted by ";" */
};

static const struct list position_list = {"position-ids", "'0 1 2 0 1', start:5 or none",
					  -MOST_POSITION, MOST_POSITION, true};
static const struct list segment_list = {"segments", "'1 0 0 1' or none", 0, MOST_SEGMENT, false};

static const struct list id_list = {"ids", "'101 7592 102'", 0, 1L << 30, false};

static const char between[] = ";, \t\n";

/* Checks the end of a row of `wide` numbers; all rows are as long as the first, and there are one
 * or three. */
static bool check_rows(const struct list *l, size_t rows, size_t wide, size_t first, bool last,
		       struct err *err)
{
	if (rows > 1 && wide != first)
		return err_set(err,
			       "%s: row %zu has %zu numbers and row 1 has %zu; as many in each "
			       "would be right",
			       l->name, rows, wide, first);
	return rows <= PLACE_AXES && (!last || rows == 1 || rows == PLACE_AXES)
		       ? true
		       : err_set(err,
				 "%s: %zu rows parted by ';'; one, or three, of temporal, height "
				 "and width, would be right",
				 l->name, rows);
}

/* Reads numbers separated by blanks or commas, in *rows rows; NULL: an error. */
static long *read_rows(const struct list *l, const char *text, struct arena *a, size_t *n,
		       size_t *rows, struct err *err)
{
	long *const out = arena_calloc(a, strlen(text) / 2 + 1, sizeof *out);
	size_t first = 0, from = 0;
	*n = 0;
	*rows = 1;
	for (const char *c = text + strspn(text, blanks); *c; c += strspn(c, blanks)) {
		if (l->rows && *c == ';') {
			first = *rows == 1 ? *n : first;
			if (!check_rows(l, *rows, *n - from, first, false, err))
				return NULL;
			from = *n;
			(*rows)++;
			c++;
			continue;
		}
		const size_t len = strcspn(c, l->rows ? between : blanks);
		if (!num_parse_long(c, len, l->min, l->max, &out[*n], err)) {
			err_prefix(err, "%s: ", l->name);
			return NULL;
		}
		(*n)++;
		c += len;
	}
	if (*n > 0)
		return *rows == 1 || check_rows(l, *rows, *n - from, first, true, err) ? out : NULL;
	err_set(err, "%s: there is no number; %s would be right", l->name, l->example);
	return NULL;
}

static long *read_list(const struct list *l, const char *text, struct arena *a, size_t *n,
		       struct err *err)
{
	size_t rows;
	return read_rows(l, text, a, n, &rows, err);
}

/* Refuses what is written like a path: a file of that name has been read already if there is one. */
static bool is_no_path(const struct list *l, const char *value, struct err *err)
{
	char quoted[128];
	const char *const dot = strrchr(value, '.');
	if (!strchr(value, '/') && !(dot && isalpha((unsigned char)dot[1])))
		return true;
	return err_set(err, "%s: there is no file %s; %s would be right", l->name,
		       text_quote_buf(quoted, sizeof quoted, value, strlen(value)), l->example);
}

static bool check_list(const struct list *l, const char **value, struct arena *a, struct err *err)
{
	struct strbuf b;
	size_t n, rows;
	if (is_none(*value)) {
		*value = "none";
		return true;
	}
	if (!number_list(l->name, l->rows ? SPELLED_ROWS : SPELLED_LIST, value, a, err))
		return false;
	if (!is_no_path(l, *value, err))
		return false;
	const long *const at = read_rows(l, *value, a, &n, &rows, err);
	strbuf_init(&b, a);
	for (size_t i = 0; at && i < n; i++)
		strbuf_printf(&b, "%s%ld", i == 0 ? "" : i % (n / rows) == 0 ? "; " : " ", at[i]);
	*value = b.at;
	return at != NULL;
}

static bool check_count(const struct list *l, size_t given, size_t rows, size_t units,
			struct err *err)
{
	const size_t wide = given / rows;
	return wide == units ||
	       err_set(err,
		       "%s: %zu number%s%s for %zu token%s; one for each, [CLS] and the like "
		       "included, would be right",
		       l->name, wide, wide == 1 ? "" : "s", rows > 1 ? " a row" : "", units,
		       units == 1 ? "" : "s");
}

/* ---- position ids ---------------------------------------------------------------------------- */

static bool read_start(const char *text, long *first, struct err *err)
{
	const char *const number = text + strlen(start);
	return num_parse_long(number, strlen(number), -MOST_POSITION,
			      MOST_POSITION - INPUT_MAX_TOKENS, first, err) ||
	       err_prefix(err, "position-ids: %s ", start);
}

bool check_position_ids(const char **value, struct arena *a, struct err *err)
{
	long first;
	if (strncmp(*value, start, strlen(start)) != 0)
		return check_list(&position_list, value, a, err);
	if (!read_start(*value, &first, err))
		return false;
	*value = arena_printf(a, "%s%ld", start, first);
	return true;
}

bool setup_position_ids(const struct setup *s, const struct input *tokens, struct arena *a,
			const double **ids, bool *three, struct err *err)
{
	long first = 0, *list = NULL;
	size_t n = tokens->n, rows = 1;
	*ids = NULL;
	*three = false;
	if (is_none(s->position_ids))
		return true;
	if (strncmp(s->position_ids, start, strlen(start)) == 0) {
		if (!read_start(s->position_ids, &first, err))
			return false;
	} else {
		list = read_rows(&position_list, s->position_ids, a, &n, &rows, err);
		if (!list || !check_count(&position_list, n, rows, tokens->n, err))
			return false;
	}
	double *const out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = list ? (double)list[i] : (double)first + (double)i;
	*ids = out;
	*three = rows > 1;
	return true;
}

void sequence_places(const struct built *b, const struct input *tokens, struct arena *a,
		     struct model_input *out)
{
	const size_t n = tokens->n;
	double *at[PLACE_COLUMNS];
	const bool pictures = input_has_picture(tokens), axes = pictures && !b->position_ids;
	out->three_given = b->position_ids && b->three_ids;
	for (size_t i = 0; i < PLACE_COLUMNS; i++) {
		at[i] = arena_calloc(a, n + 1, sizeof *at[i]);
		if (i >= PLACE_AXES ? pictures : axes || out->three_given)
			out->places[i] = at[i];
	}
	if (axes)
		input_axes(tokens, at[PLACE_TEMPORAL], at[PLACE_HEIGHT], at[PLACE_WIDTH]);
	for (size_t i = 0; i < PLACE_AXES && out->three_given; i++)
		memcpy(at[i], b->position_ids + i * n, n * sizeof *at[i]);
	for (size_t i = 0; i < n; i++) {
		const struct patch *const p = tokens->tokens[i].patch;
		if (!p)
			continue;
		at[PLACE_PICTURE][i] = (double)p->picture;
		at[PLACE_ROW][i] = (double)p->row;
		at[PLACE_COLUMN][i] = (double)p->col;
	}
}

/* ---- segments and memory --------------------------------------------------------------------- */

bool check_segments(const char **value, struct arena *a, struct err *err)
{
	return check_list(&segment_list, value, a, err);
}

static bool mark_segments(const struct setup *s, struct input *in, struct arena *a, struct err *err)
{
	size_t n;
	if (is_none(s->segments))
		return true;
	const long *const at = read_list(&segment_list, s->segments, a, &n, err);
	if (!at || !check_count(&segment_list, n, 1, in->n, err))
		return false;
	if (in->segments > 1)
		return err_set(err, "segments: the sentence is parted by ' ||| ' already; leave "
				    "one of the two out");
	for (size_t i = 0; i < n; i++) {
		in->tokens[i].segment = (size_t)at[i];
		if ((size_t)at[i] >= in->segments)
			in->segments = (size_t)at[i] + 1;
	}
	return true;
}

/* Returns the name of a field with a value for each word of the whole text; NULL: none. */
static const char *of_all_words(const struct setup *s)
{
	return *s->conllu      ? "conllu"
	       : *s->tree      ? "tree"
	       : *s->graph     ? "graph"
	       : *s->governors ? "governors"
	       : *s->reorder   ? "reorder"
	       : *s->alignment ? "alignment"
			       : NULL;
}

static bool mark_memory(const struct setup *s, struct input *in, struct arena *a, struct err *err)
{
	const size_t memory = (size_t)s->memory_tokens;
	const char *const other = of_all_words(s);
	if (memory == 0)
		return true;
	if (other)
		return err_set(err,
			       "memory-tokens: %s is of all words, and a memory is a text of its "
			       "own; leave one of the two out",
			       other);
	if (memory >= in->n)
		return err_set(
			err, "memory-tokens: %zu of %zu tokens leave none to look at; at most %zu",
			memory, in->n, in->n - 1);
	size_t place = 0;
	for (size_t i = 0; i < in->n; i++) {
		struct token *const t = &in->tokens[i];
		if (i < memory) {
			t->special = true;
			t->label = arena_printf(a, "~%s", t->label);
			t->place = 0;
		} else if (!t->special) {
			t->place = place++;
		}
	}
	in->moving = place;
	return place > 0 ||
	       err_set(err, "memory-tokens: behind %zu tokens there is none to look at", memory);
}

bool sequence_mark(const struct setup *s, struct input *tokens, struct arena *a, struct err *err)
{
	return mark_segments(s, tokens, a, err) && mark_memory(s, tokens, a, err);
}

/* ---- ids of a vocabulary ------------------------------------------------------------------- */

bool check_ids(const char **value, struct arena *a, struct err *err)
{
	if (**value == '\0' || is_none(*value)) {
		*value = "";
		return true;
	}
	return check_list(&id_list, value, a, err);
}

const char *const stack_names[] = {"encoder", "decoder", "cross", NULL};

long *setup_ids(const struct setup *s, struct arena *a, size_t *n, struct err *err)
{
	return read_list(&id_list, s->ids, a, n, err);
}

/* ---- the scale of the units ------------------------------------------------------------------ */

static const char root[] = "sqrt-d";

bool check_embed_scale(const char **value, struct arena *a, struct err *err)
{
	double scale;
	char number[32];
	if (strcmp(*value, root) == 0)
		return true;
	if (!num_parse_double(*value, strlen(*value), 1e-6, 1e6, &scale, NULL))
		return err_set(err,
			       "embed-scale: %s is neither %s nor a number from 1e-06 to 1e+06",
			       text_quote(a, *value, strlen(*value)), root);
	*value = arena_strdup(a, num_print(number, sizeof number, scale));
	return true;
}

double setup_embed_scale(const struct setup *s, size_t d)
{
	double scale = 1;
	if (strcmp(s->embed_scale, root) == 0)
		return sqrt((double)d);
	num_parse_double(s->embed_scale, strlen(s->embed_scale), 1e-6, 1e6, &scale, NULL);
	return scale;
}
