/* beside.c: the entries beside the scheme in the view Compare: they are read, written, and made
 * setups.
 *
 * The fields of an entry's input are set through the table of fields, like a line of a scene,
 * so a sentence clears the fields that it displaces there. */
#include <ctype.h>
#include <string.h>

#include "scene_in.h"

#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

const char *const train_grids[] = {"off", "1x", "2x", "4x", "8x", NULL};
const char *const pair_names[PAIRS + 1] = {"1-2", "1-3", "1-4", "2-3", "2-4", "3-4"};
const unsigned char pairs[PAIRS][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
const char *const beside_inputs[BESIDE_INPUTS] = {
	"sentence", "file", "conllu", "tree", "graph", "governors", "moved-edges", "pick", "order"};
/* The inputs before this bring words; an entry has at most one of them. */
enum { BESIDE_SOURCES = BESIDE_GRAPH + 1 };

static bool is_none(const char *text)
{
	return strcmp(text, "none") == 0;
}

bool beside_has_input(const struct beside *b)
{
	for (size_t i = 0; i < BESIDE_INPUTS; i++)
		if (b->input[i])
			return true;
	return false;
}

bool beside_has_words(const struct beside *b)
{
	for (size_t i = 0; i < BESIDE_SOURCES; i++)
		if (b->input[i])
			return true;
	return b->input[BESIDE_PICK] != NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *trimmed(const char *at, size_t len, struct arena *a)
{
	for (; len > 0 && isspace((unsigned char)at[0]); len--)
		at++;
	while (len > 0 && isspace((unsigned char)at[len - 1]))
		len--;
	return arena_strndup(a, at, len);
}

static const char *past_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Returns the length of the expression in bytes: up to a ";" or "@" outside brackets and
 * quotes. */
static size_t expression_length(const char *text)
{
	size_t depth = 0;
	bool quoted = false;
	for (size_t i = 0; text[i]; i++) {
		const char c = text[i];
		if (quoted && c == '\\' && text[i + 1])
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (quoted)
			continue;
		else if (strchr("([", c))
			depth++;
		else if (strchr(")]", c) && depth > 0)
			depth--;
		else if (strchr(";@", c) && depth == 0)
			return i;
	}
	return strlen(text);
}

/* Returns the position behind the closing quote; `at` is at the opening one. */
static const char *past_quotes(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		at += *at == '\\' && at[1];
	return *at ? at + 1 : at;
}

static bool takes_file(size_t i)
{
	return field_is_file(field_find(beside_inputs[i]));
}

static bool ends_value(const char *at, const char *from)
{
	return *at == '\0' || *at == ';' ||
	       (*at == '@' && (at == from || isspace((unsigned char)at[-1])));
}

/* Reads the value at *at and moves *at behind it; the value of a file may be "@SAMPLE". */
static bool read_value(const char **at, bool file, struct arena *a, const char **out,
		       struct err *err)
{
	const char *const from = past_blanks(*at), *end = from + (file && *past_blanks(*at) == '@');
	if (*from == '"') {
		end = past_quotes(from);
		*at = past_blanks(end);
		if (!scene_unquote(arena_strndup(a, from, (size_t)(end - from)), a, out, err))
			return false;
		return ends_value(*at, *at) ||
		       err_set(err,
			       "%s stands behind quotes; \";\", \"@\" or the end would be right",
			       text_quote(a, *at, strlen(*at)));
	}
	while (!ends_value(end, from))
		end++;
	*at = end;
	*out = trimmed(from, (size_t)(end - from), a);
	return true;
}

static const char model_word[] = "model";

/* Reads the name of an input behind an "@"; no name means the sentence, BESIDE_INPUTS the model. */
static bool read_name(const char **at, struct arena *a, size_t *out, struct err *err)
{
	size_t len = 0;
	while ((*at)[len] && !isspace((unsigned char)(*at)[len]) && !strchr(";\"", (*at)[len]))
		len++;
	const char *const name = len ? arena_strndup(a, *at, len) : beside_inputs[BESIDE_SENTENCE];
	*at += len;
	*out = BESIDE_INPUTS;
	if (strcmp(name, model_word) == 0)
		return true;
	for (*out = 0; *out < BESIDE_INPUTS; ++*out)
		if (strcmp(beside_inputs[*out], name) == 0)
			return true;
	const char *all[BESIDE_INPUTS + 1] = {[BESIDE_INPUTS] = model_word};
	memcpy(all, beside_inputs, sizeof beside_inputs);
	const char *const near = text_nearest(name, all, BESIDE_INPUTS + 1);
	const char *const shown = text_escape(a, name, len);
	if (near)
		return err_set(err, "@%s is no input; did you mean @%s?", shown, near);
	return err_set(err,
		       "@%s is no input; a sentence stands behind a blank, @ %s, an order behind "
		       "@order",
		       shown, shown);
}

static bool add_input(struct beside *b, size_t i, const char *value, struct err *err)
{
	struct scene probe;
	if (b->input[i])
		return err_set(err, "@%s is given twice", i ? beside_inputs[i] : "");
	if (*value == '\0' && i == BESIDE_SENTENCE)
		return err_set(err, "no sentence stands behind @");
	if (*value == '\0')
		return err_set(err, "no value stands behind @%s", beside_inputs[i]);
	for (size_t k = 0; k < BESIDE_SOURCES && i < BESIDE_SOURCES; k++)
		if (b->input[k])
			return err_set(err, "%s and %s both bring words; leave one of them out",
				       k ? beside_inputs[k] : "the sentence",
				       i ? beside_inputs[i] : "the sentence");
	b->input[i] = value;
	scene_init(&probe);
	return scene_set(&probe, field_find(beside_inputs[i]), value, err);
}

static bool add_value(struct beside *b, size_t i, const char *value, struct err *err)
{
	if (i < BESIDE_INPUTS)
		return add_input(b, i, value, err);
	if (b->model)
		return err_set(err, "@%s is given twice", model_word);
	if (*value == '\0')
		return err_set(err, "no path stands behind @%s", model_word);
	b->model = value;
	return true;
}

/* Reads the first entry of *list and moves the list behind its ";" (NULL at the end), also
 * after an error, so that the later entries can still be read. */
static bool read_one(const char **list, struct arena *a, struct beside *out, struct err *err)
{
	const char *at = *list;
	const size_t len = expression_length(at);
	*out = (struct beside){.expression = trimmed(at, len, a)};
	at += len;
	if (*at == '@' && *out->expression == '\0')
		out->expression = NULL;
	bool ok = true;
	while (ok && *at == '@') {
		size_t i;
		const char *value;
		at++;
		ok = read_name(&at, a, &i, err) &&
		     read_value(&at, i < BESIDE_INPUTS && takes_file(i), a, &value, err) &&
		     add_value(out, i, value, err);
	}
	*list = *at == ';' ? at + 1 : NULL;
	return ok;
}

bool beside_parse(const char *text, struct arena *a, struct beside *out, struct err *err)
{
	const char *rest = text;
	if (!read_one(&rest, a, out, err))
		return false;
	if (rest)
		return err_set(err, "%s: one expression would be right, and \";\" parts several",
			       text_quote(a, text, strlen(text)));
	return !out->expression || check_scheme(&out->expression, a, err);
}

struct beside beside_own(const struct setup *s)
{
	return (struct beside){.expression = s->scheme,
			       .model = *s->checkpoint ? s->checkpoint : NULL};
}

size_t scene_beside(const struct setup *setup, struct arena *a, struct beside out[COMPARE_MAX])
{
	size_t n = 0;
	const char *list = is_none(setup->compare) ? NULL : setup->compare;
	out[n++] = (struct beside){.expression = setup->scheme};
	while (n < COMPARE_MAX && list) {
		struct beside *const b = &out[n++];
		BUG_IF(!read_one(&list, a, b, NULL));
		if (b->expression && strcmp(b->expression, "none()") == 0)
			b->expression = "none";
	}
	return n;
}

size_t scene_compared(const struct setup *setup, struct arena *a, const char *out[COMPARE_MAX])
{
	struct beside all[COMPARE_MAX];
	const size_t n = scene_beside(setup, a, all);
	for (size_t i = 0; i < n; i++)
		out[i] = all[i].expression ? all[i].expression : setup->scheme;
	return n;
}

/* ---- writing --------------------------------------------------------------------------------- */

void scene_quote(struct strbuf *b, const char *value)
{
	scene_add_value(b, value, ";@");
}

const char *beside_print(const struct beside *b, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	strbuf_add(&out, b->expression ? b->expression : "");
	if (b->model) {
		strbuf_printf(&out, "%s@%s ", out.len ? " " : "", model_word);
		scene_quote(&out, b->model);
	}
	for (size_t i = 0; i < BESIDE_INPUTS; i++) {
		if (!b->input[i])
			continue;
		strbuf_printf(&out, "%s@%s ", out.len ? " " : "",
			      i == BESIDE_SENTENCE ? "" : beside_inputs[i]);
		scene_quote(&out, b->input[i]);
	}
	return out.at;
}

const char *beside_list(const struct beside *all, size_t n, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s%s", i ? "; " : "", beside_print(&all[i], a));
	/* A list with only the scheme `none` must differ from the word for an empty list. */
	return n == 0 ? "none" : is_none(out.at) ? "none()" : out.at;
}

bool check_compare(const char **value, struct arena *a, struct err *err)
{
	struct beside found[COMPARE_MAX];
	size_t n = 0;
	const char *list = is_none(*value) ? NULL : *value;
	while (list) {
		if (n == COMPARE_MAX - 1)
			return err_set(err, "compare: at most %d beside the scheme itself",
				       COMPARE_MAX - 1);
		if (!read_one(&list, a, &found[n], err) ||
		    (found[n].expression && !check_scheme(&found[n].expression, a, err)))
			return err_prefix(err, "compare: expression %zu: ", n + 1);
		n++;
	}
	*value = beside_list(found, n, a);
	return true;
}

/* ---- setups of single entries ---------------------------------------------------------------- */

static const char *input_of(const struct setup *setup, size_t i)
{
	const struct scene scene = {.setup = *setup};
	return scene_get(&scene, field_find(beside_inputs[i]), NULL);
}

void beside_keep_input(struct beside *b, const struct setup *s, struct arena *a)
{
	static const size_t sources[] = {BESIDE_CONLLU, BESIDE_TREE, BESIDE_GRAPH, BESIDE_FILE,
					 BESIDE_SENTENCE};
	const char *const order = b->input[BESIDE_ORDER] ? b->input[BESIDE_ORDER] : s->order;
	size_t source = 0;
	memset(b->input, 0, sizeof b->input);
	while (*input_of(s, sources[source]) == '\0' && sources[source] != BESIDE_SENTENCE)
		source++;
	b->input[sources[source]] = input_of(s, sources[source]);
	if (setup_brings_tokens(s) && s->pick > 1)
		b->input[BESIDE_PICK] = arena_printf(a, "%ld", s->pick);
	if (*s->governors)
		b->input[BESIDE_GOVERNORS] = s->governors;
	if (*s->moved_edges)
		b->input[BESIDE_MOVED_EDGES] = s->moved_edges;
	if (strcmp(order, "identity") != 0)
		b->input[BESIDE_ORDER] = order;
}

void setup_take_input(struct setup *to, const struct setup *from)
{
	struct scene out = {.setup = *to};
	const struct scene scene = {.setup = *from};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < BESIDE_INPUTS; i++) {
		const struct field *const field = field_find(beside_inputs[i]);
		BUG_IF(!scene_set(&out, field, scene_get(&scene, field, &a), NULL));
	}
	out.setup.asked.sentence = from->asked.sentence;
	*to = out.setup;
	arena_release(&a);
}

/* Returns the first field of the setup that fits its own words only; NULL: none. */
static const char *tied_to_words(const struct beside *b, const struct setup *s)
{
	const bool text = b->input[BESIDE_SENTENCE] || b->input[BESIDE_FILE];
	const struct {
		const char *value, *what;
		bool matters;
	} rows[] = {{s->conllu, "a tree is", text},
		    {s->tree, "a tree is", text},
		    {s->graph, "a graph is", text},
		    {s->governors, "governors are", !b->input[BESIDE_GOVERNORS]},
		    {s->moved_edges, "moved edges are", !b->input[BESIDE_MOVED_EDGES]},
		    {s->reorder, "a re-ordering is", true},
		    {s->translation, "a translation is", true},
		    {s->alignment, "an alignment is", true},
		    {s->units, "a file of token vectors is", true}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].matters && *rows[i].value)
			return rows[i].what;
	return NULL;
}

bool beside_apply(const struct beside *b, struct setup *setup, struct err *err)
{
	struct scene scene = {.setup = *setup};
	struct arena a;
	arena_init(&a);
	const bool opened = !b->model || setup_open_model(&scene.setup, b->model, &a, err);
	arena_release(&a);
	if (!opened)
		return false;
	if (beside_has_words(b)) {
		const char *const tied = tied_to_words(b, setup);
		if (tied)
			return err_set(err,
				       "it has words of its own, and %s given for other words; "
				       "take one of the two away",
				       tied);
		scene.setup.order = scene_intern("identity");
		scene.setup.pick = b->input[BESIDE_PICK] ? scene.setup.pick : 1;
	}
	for (size_t i = 0; i < BESIDE_INPUTS; i++) {
		const struct field *const field = field_find(beside_inputs[i]);
		if (!b->input[i])
			continue;
		if (!scene_set(&scene, field, b->input[i], err))
			return false;
		scene_displace(&scene, field);
	}
	*setup = scene.setup;
	return true;
}

/* Returns the field `compare` for entry `at` as a setup of its own. Expressions are written
 * out. If the entry has its own words, the others without words get the scene's input, which
 * would else be lost. */
static const char *others_of(const struct setup *setup, const struct beside *all, size_t n,
			     size_t at, struct arena *a)
{
	struct beside others[COMPARE_MAX];
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == at)
			continue;
		struct beside *const b = &others[count++];
		*b = all[i];
		b->expression = b->expression ? b->expression : setup->scheme;
		if (all[at].model && !b->model && *setup->checkpoint)
			b->model = setup->checkpoint;
		if (beside_has_words(&all[at]) && !beside_has_words(b))
			beside_keep_input(b, setup, a);
	}
	return scene_intern(beside_list(others, count, a));
}

bool setup_of_compared(const struct setup *setup, size_t number, struct arena *a, struct setup *out,
		       struct err *err)
{
	struct beside all[COMPARE_MAX];
	const size_t n = scene_beside(setup, a, all);
	if (number < 1 || number > n)
		return err_set(err, "there is no %zu; %zu expression%s compared", number, n,
			       n == 1 ? " is" : "s are");
	const struct beside *const b = &all[number - 1];
	struct setup made = *setup;
	if (number > 1 && !beside_apply(b, &made, err))
		return err_prefix(err, "%s: ", beside_print(b, a));
	made.scheme = scene_intern(b->expression ? b->expression : setup->scheme);
	made.compare = others_of(setup, all, n, number - 1, a);
	if (!b->model && strcmp(made.scheme, setup->scheme) != 0)
		made.map = scene_intern("");
	*out = made;
	return true;
}

bool setup_of_model(const struct setup *setup, const char *expression, const char *model,
		    struct arena *a, struct setup *out, struct err *err)
{
	*out = *setup;
	if (model && !setup_open_model(out, model, a, err))
		return false;
	out->scheme = scene_intern(expression);
	out->compare = "none";
	return true;
}

bool setup_same_input(const struct setup *x, const struct setup *y)
{
	return setup_same_tokens(x, y) && strcmp(x->order, y->order) == 0;
}

bool setup_words_alike(const struct setup *s)
{
	struct beside all[COMPARE_MAX];
	struct arena a;
	arena_init(&a);
	bool alike = input_words_alike(s->translation, strlen(s->translation));
	if (!setup_brings_tokens(s))
		alike = alike && !*s->file && input_words_alike(s->sentence, strlen(s->sentence));
	const size_t n = alike ? scene_beside(s, &a, all) : 0;
	for (size_t i = 1; i < n; i++) {
		const char *const text = all[i].input[BESIDE_SENTENCE];
		alike = alike && !all[i].input[BESIDE_FILE] &&
			(!text || input_words_alike(text, strlen(text)));
	}
	arena_release(&a);
	return alike;
}
