/* commands_tree.c: commands that attach words of a tree to other words, and move edges of a graph.
 *
 * They change the field "governors": with CoNLL-U or brackets, it gives other heads to that tree,
 * whose words and relations stay. For a graph they change the field "moved-edges": nodes and labels
 * stay. So scenes, history and pictures need no further code. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

void app_drop_governors(struct app *app, const struct field *changed)
{
	static const char *const names[] = {"pick", "tree-units", "keep-empty", "keep-functions"};
	struct setup *const s = &app->scene.setup;
	const bool words = *s->conllu || *s->tree;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(names[i], changed->name) != 0 || !words || !*s->governors)
			continue;
		s->governors = scene_intern("");
		app_say(app, "the heads are those of the file again: other words, other heads");
	}
	if (strcmp(changed->name, "pick") == 0 && *s->moved_edges) {
		s->moved_edges = scene_intern("");
		app_say(app, "the edges are those of the file again: another graph, other edges");
	}
}

/* Returns the governors "0 1 2 ...", the chain. */
static const char *chain(size_t n, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%zu", i ? " " : "", i);
	return b.at;
}

static size_t count_words(const struct input *in)
{
	size_t n = 0;
	for (size_t i = 0; i < in->n; i++)
		if (!in->tokens[i].special && in->tokens[i].word + 1 > n)
			n = in->tokens[i].word + 1;
	return n;
}

bool app_structure(const struct app *app, struct arena *a, const struct structure **out,
		   struct err *err)
{
	struct setup setup = app->scene.setup;
	struct input in;
	*out = NULL;
	if (!setup_tokens(&setup, a, &in, out, NULL, err))
		return false;
	if (!*out) {
		/* In a plain sentence each word depends on the previous one. Blanks between
		 * characters are words without a number, so the count is tried downwards. */
		for (size_t n = count_words(&in); n > 0 && !*out; n--) {
			setup.governors = chain(n, a);
			if (!setup_tokens(&setup, a, &in, out, NULL, NULL))
				*out = NULL;
		}
	}
	if (!*out)
		return err_set(err, "there are no words to hang");
	if (!(*out)->parent)
		return (*out)->n_edges > 0 ||
		       err_set(err, "the graph has no edges: there is nothing to move");
	if ((*out)->tokens < (*out)->n)
		return err_set(
			err, "the words are leaves of a tree, which depend on no word; tree-units "
			     "nodes makes each node a word");
	return true;
}

/* Gets the structure of the scene if it is a tree. */
static bool find_tree(const struct app *app, struct arena *a, const struct structure **out,
		      struct err *err)
{
	if (!app_structure(app, a, out, err))
		return false;
	return (*out)->parent ||
	       err_set(err,
		       "the structure is a graph, where a word hangs on no other: wire EDGE FROM "
		       "TO moves an edge, and so do keys, from H on");
}

bool tree_is_below(const struct structure *s, size_t node, size_t top)
{
	long at = (long)node;
	while (at >= 0 && (size_t)at != top)
		at = s->parent[at];
	return at >= 0;
}

/* Reads a word by its number from 1, or as 'word', or 'word'#2; SIZE_MAX for the number 0. */
static bool read_word(const struct structure *s, const char **args, bool root, size_t *word,
		      struct err *err)
{
	const char *at = *args;
	char quoted[64];
	if (*at != '\'') {
		const size_t len = strcspn(at, " ");
		long number;
		if (!num_parse_long(at, len, root ? 0 : 1, (long)s->n, &number, err))
			return err_prefix(err, "word: ");
		*word = (size_t)number - 1;
		*args = at + len + strspn(at + len, " ");
		return true;
	}
	const char *end = strchr(at + 1, '\'');
	while (end && !strchr(" #", end[1])) /* the last quote of 'n't'; strchr finds the NUL too */
		end = strchr(end + 1, '\'');
	if (!end)
		return err_set(err, "a word stands in quotation marks: 'dog', or 'the'#2");
	const size_t len = (size_t)(end - at - 1);
	long nth = 1;
	*args = end + 1;
	if (**args == '#') {
		const size_t digits = strspn(*args + 1, "0123456789");
		if (!num_parse_long(*args + 1, digits, 1, (long)s->n, &nth, err))
			return err_prefix(err, "word: ");
		*args += 1 + digits;
	}
	*args += strspn(*args, " ");
	for (size_t i = 0; i < s->n; i++)
		if (strlen(s->names[i]) == len && memcmp(s->names[i], at + 1, len) == 0 &&
		    --nth == 0) {
			*word = i;
			return true;
		}
	return err_set(err, "there is no such word: %s",
		       text_quote_buf(quoted, sizeof quoted, at + 1, len));
}

bool run_hang(struct app *app, const char *args, struct err *err)
{
	const struct structure *s;
	struct strbuf b;
	size_t word, head;
	if (!strchr(args, ' '))
		return command_usage("hang", err);
	if (!find_tree(app, app->scratch, &s, err) || !read_word(s, &args, false, &word, err) ||
	    !read_word(s, &args, true, &head, err))
		return false;
	if (*args)
		return command_usage("hang", err);
	if (head == word)
		return err_set(err, "%s cannot hang on itself; 0 makes it a root", s->names[word]);
	if (head != SIZE_MAX && tree_is_below(s, head, word))
		return err_set(
			err,
			"%s hangs below %s, so that would be a circle: hang %s elsewhere first",
			s->names[head], s->names[word], s->names[head]);
	strbuf_init(&b, app->scratch);
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, "%s%ld", i ? " " : "",
			      i != word		 ? s->parent[i] + 1
			      : head == SIZE_MAX ? 0
						 : (long)head + 1);
	app->series = "hang";
	return scene_set(&app->scene, field_find("governors"), b.at, err);
}

/* Gets the graph as read, and with its present edges. */
static bool read_graphs(struct app *app, const struct structure **read,
			const struct structure **now, struct err *err)
{
	struct setup setup = app->scene.setup;
	struct input in;
	if (!app_structure(app, app->scratch, now, err))
		return false;
	if ((*now)->parent)
		return err_set(err,
			       "the structure is a tree; hang WORD HEAD hangs a word elsewhere");
	setup.moved_edges = "";
	return setup_tokens(&setup, app->scratch, &in, read, NULL, err);
}

bool run_wire(struct app *app, const char *args, struct err *err)
{
	const struct structure *read, *s;
	struct strbuf b;
	size_t from, to;
	long edge;
	const size_t len = strcspn(args, " ");
	if (!strchr(args, ' '))
		return command_usage("wire", err);
	if (!read_graphs(app, &read, &s, err))
		return false;
	if (!num_parse_long(args, len, 1, (long)s->n_edges, &edge, err))
		return err_prefix(err, "edge: ");
	args += len + strspn(args + len, " ");
	if (!read_word(s, &args, false, &from, err))
		return false;
	if (!*args)
		return command_usage("wire", err);
	if (!read_word(s, &args, false, &to, err))
		return false;
	if (*args)
		return command_usage("wire", err);
	if (!structure_edge_fits(s, (size_t)edge - 1, from, to, err))
		return false;
	strbuf_init(&b, app->scratch);
	for (size_t i = 0; i < s->n_edges; i++) {
		struct edge e = s->edges[i];
		if (i == (size_t)edge - 1)
			e = (struct edge){.from = from, .to = to};
		if (e.from != read->edges[i].from || e.to != read->edges[i].to)
			strbuf_printf(&b, "%s%zu:%zu-%zu", b.len ? " " : "", i + 1, e.from + 1,
				      e.to + 1);
	}
	app->series = "wire";
	return scene_set(&app->scene, field_find("moved-edges"), b.len ? b.at : "", err);
}

bool run_rehang(struct app *app, const char *args, struct err *err)
{
	const struct structure *s;
	(void)args;
	return app_structure(app, app->scratch, &s, err) &&
	       command_request(app, REQUEST_HANG, NULL);
}
