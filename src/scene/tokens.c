/* tokens.c: the tokens of a setup, and the structure over them.
 *
 * CoNLL-U, trees and graphs bring their words, each with its node. Governors belong to the words of
 * the sentence, or attach those of a tree to other words; moved edges belong to a graph. Pieces and
 * characters of a word share its node; blanks between words have none. */
#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/base/strbuf.h"
#include "scene_in.h"

enum { SENTENCE_LIMIT = 1 << 20, SOURCES = 4 };

/* A field that gives a structure, and its value in a setup. */
struct given_field {
	const char *name, *value;
};

static void structure_fields(const struct setup *s, struct given_field out[SOURCES])
{
	out[0] = (struct given_field){"conllu", s->conllu};
	out[1] = (struct given_field){"tree", s->tree};
	out[2] = (struct given_field){"graph", s->graph};
	out[3] = (struct given_field){"governors", s->governors};
}

bool field_brings_structure(const struct field *field)
{
	static const char *const names[] = {"conllu", "tree", "graph", "governors"};
	for (size_t i = 0; i < SOURCES; i++)
		if (strcmp(field->name, names[i]) == 0)
			return true;
	return false;
}

/* Gets the only field that is given, or value "". */
static bool only_one(const struct setup *s, struct given_field *out, struct err *err)
{
	struct given_field rows[SOURCES];
	structure_fields(s, rows);
	*out = (struct given_field){"", ""};
	for (size_t i = 0; i < SOURCES - 1; i++) { /* all but governors */
		if (!*rows[i].value)
			continue;
		if (*out->value)
			return err_set(err,
				       "%s and %s both give a structure, and there is one at a "
				       "time; leave one of them out",
				       out->name, rows[i].name);
		*out = rows[i];
	}
	return true;
}

bool setup_brings_tokens(const struct setup *s)
{
	return *s->conllu || *s->tree || *s->graph;
}

const char *setup_source(const struct setup *s)
{
	struct given_field rows[SOURCES];
	structure_fields(s, rows);
	for (size_t i = 0; i < SOURCES - 1; i++)
		if (*rows[i].value)
			return rows[i].value;
	return *s->ids ? s->ids : *s->file ? s->file : s->sentence;
}

void scene_displace(struct scene *scene, const struct field *field)
{
	struct setup *const s = &scene->setup;
	const char *const name = field->name;
	const bool text = strcmp(name, "sentence") == 0 || strcmp(name, "file") == 0;
	const char **const rows[] = {&s->conllu, &s->tree, &s->graph, &s->governors};
	static const char *const names[] = {"conllu", "tree", "graph", "governors"};
	/* Both give the new order of the words, so one replaces the other. */
	if (strcmp(name, "reorder") == 0)
		s->alignment = scene_intern("");
	if (strcmp(name, "alignment") == 0)
		s->reorder = scene_intern("");
	if (text || (field_brings_structure(field) && strcmp(name, "governors") != 0))
		s->ids = scene_intern("");
	if (strcmp(name, "ids") == 0)
		s->file = s->conllu = s->tree = s->graph = s->moved_edges = scene_intern("");
	if (!text && !field_brings_structure(field))
		return;
	if (strcmp(name, "sentence") == 0)
		s->file = scene_intern("");
	s->moved_edges = scene_intern("");
	/* Governors belong to any words, also those of a tree: other words clear them, and they are
	 * cleared when they do not fit. */
	if (strcmp(name, "governors") == 0) {
		s->graph = scene_intern("");
		return;
	}
	for (size_t i = 0; i < (text ? SOURCES - 1 : SOURCES); i++)
		if (strcmp(name, names[i]) != 0)
			*rows[i] = scene_intern("");
}

/* ---- the sentence ---------------------------------------------------------------------------- */

static bool read_sentence(const struct setup *s, size_t limit, struct arena *a,
			  struct scene_text *out, struct err *err)
{
	if (!*s->file) {
		*out = (struct scene_text){
			.name = "sentence", .text = s->sentence, .len = strlen(s->sentence)};
		return true;
	}
	return source_read("file", s->file, limit, a, out, err);
}

bool setup_text(const struct setup *s, size_t limit, struct arena *a, const char **text,
		size_t *len, struct err *err)
{
	struct scene_text from;
	if (setup_brings_tokens(s)) {
		struct setup words = *s;
		struct input in;
		struct strbuf b;
		words.tokens = TOKENS_WORDS;
		words.special = words.segments = "none";
		if (!setup_tokens(&words, a, &in, NULL, NULL, err))
			return false;
		strbuf_init(&b, a);
		for (size_t i = 0; i < in.n; i++) {
			strbuf_add(&b, i ? " " : "");
			strbuf_add_n(&b, in.tokens[i].text, in.tokens[i].len);
		}
		from = (struct scene_text){.name = "", .text = b.at, .len = b.len};
	} else if (!read_sentence(s, limit, a, &from, err)) {
		return false;
	}
	*text = from.text;
	*len = from.len;
	return from.len <= limit ||
	       err_set(err, "the text has %zu bytes; at most %zu are taken", from.len, limit);
}

/* ---- words of tokens ------------------------------------------------------------------------- */

static bool is_blank(const struct token *t)
{
	return t->len == 1 && letter_is_blank(t->text[0]);
}

long *words_of_tokens(const struct input *in, struct arena *a, size_t *n)
{
	long *const out = arena_calloc(a, in->moving + 1, sizeof *out);
	size_t last = SIZE_MAX;
	*n = 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct token *const t = &in->tokens[i];
		if (t->special)
			continue;
		out[t->place] = -1;
		if (is_blank(t))
			continue;
		*n += t->word != last;
		last = t->word;
		out[t->place] = (long)*n - 1;
	}
	return out;
}

/* Names the nodes by words for the drawing; pieces are joined without marks. */
static void name_words(struct structure *s, const struct input *in, const long *word,
		       struct arena *a)
{
	for (size_t i = 0; i < s->n; i++)
		s->names[i] = "";
	for (size_t i = 0; i < in->n; i++) {
		const struct token *const t = &in->tokens[i];
		const long at = t->special ? -1 : word[t->place];
		if (at < 0)
			continue;
		const bool piece = *s->names[at] && strncmp(t->label, "##", 2) == 0;
		s->names[at] = arena_printf(a, "%s%s", s->names[at], t->label + (piece ? 2 : 0));
	}
}

static bool add_governors(const char *text, const struct input *in, struct arena *a,
			  const struct structure **out, struct err *err)
{
	struct structure *const s = arena_calloc(a, 1, sizeof *s);
	size_t n;
	long *const word = words_of_tokens(in, a, &n);
	if (!structure_governors(text, n, a, s, err))
		return false;
	name_words(s, in, word, a);
	s->tokens = in->moving;
	s->node_of = word;
	*out = s;
	return true;
}

/* Makes tokens of the words of a structure, and the node of each token. */
static bool add_words(const struct setup *s, struct structured *from, unsigned special,
		      struct input *in, struct arena *a, struct err *err)
{
	if (!input_words(in, from->token_text, from->n_tokens, (enum token_mode)s->tokens, special,
			 a, err))
		return false;
	const long *const node_of = from->structure.node_of;
	long *const at = arena_calloc(a, in->moving + 1, sizeof *at);
	const size_t first = (special & (SPECIAL_CLS | SPECIAL_BOS)) != 0;
	for (size_t i = 0; i < in->n; i++)
		if (!in->tokens[i].special)
			at[in->tokens[i].place] = node_of[in->tokens[i].word - first];
	from->structure.tokens = in->moving;
	from->structure.node_of = at;
	return true;
}

bool tokens_add_governors(const struct setup *s, const struct input *in, struct arena *a,
			  const struct structure **out, struct err *err)
{
	if (*s->moved_edges && !*out)
		return err_set(err, "moved-edges: there is no graph; --graph gives one");
	if (!*out)
		return !*s->governors || add_governors(s->governors, in, a, out, err);
	struct structure *const made = arena_calloc(a, 1, sizeof *made);
	*made = **out;
	*out = made;
	return (!*s->governors || structure_rehang(made, s->governors, a, err)) &&
	       (!*s->moved_edges || structure_move_edges(made, s->moved_edges, a, err));
}

bool tokens_read(const struct setup *setup, struct arena *a, struct input *tokens,
		 const struct structure **structure, size_t *count, struct err *err)
{
	struct given_field given;
	unsigned special;
	*structure = NULL;
	*count = 1;
	if (*setup->ids)
		return tokens_of_ids(setup, tokens, a, err);
	if (!only_one(setup, &given, err) || !input_parse_special(setup->special, &special, err))
		return false;
	if (setup_brings_tokens(setup) && setup->tokens == TOKENS_MODEL)
		return tokens_of_text(setup, "", 0, tokens, a, err);
	if (setup_brings_tokens(setup)) {
		struct structured *const made = arena_calloc(a, 1, sizeof *made);
		if (!source_structure(setup, given.name, given.value, count, a, made, err) ||
		    !add_words(setup, made, special, tokens, a, err))
			return false;
		*structure = &made->structure;
		return true;
	}
	struct scene_text text;
	if (!read_sentence(setup, SENTENCE_LIMIT, a, &text, err))
		return false;
	if (setup->tokens == TOKENS_MODEL)
		return tokens_of_text(setup, text.text, text.len, tokens, a, err);
	return input_sentence(tokens, text.text, text.len, (enum token_mode)setup->tokens, special,
			      a, err);
}

bool setup_tokens(const struct setup *setup, struct arena *a, struct input *tokens,
		  const struct structure **structure, size_t *count, struct err *err)
{
	const struct structure *made = NULL;
	size_t n;
	const bool read = tokens_read(setup, a, tokens, &made, &n, err);
	if (count)
		*count = n;
	if (!read || !sequence_mark(setup, tokens, a, err) ||
	    !tokens_add_governors(setup, tokens, a, &made, err))
		return false;
	if (structure)
		*structure = made;
	return true;
}

bool setup_same_tokens(const struct setup *x, const struct setup *y)
{
	static const char *const names[] = {"sentence",	   "file",	 "conllu",
					    "tree",	   "graph",	 "pick",
					    "tree-units",  "keep-empty", "governors",
					    "tokens",	   "special",	 "keep-functions",
					    "units",	   "segments",	 "memory-tokens",
					    "moved-edges", "ids",	 "checkpoint"};
	const struct scene a = {.setup = *x}, b = {.setup = *y};
	/* A model has no part in tokens that its tokenizer does not cut. */
	const bool cut = setup_computes(x) || setup_computes(y);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((cut || strcmp(names[i], "checkpoint") != 0) &&
		    !field_equal(field_find(names[i]), &a, &b))
			return false;
	return true;
}
