/* help_structure.c: see help_structure.h. */
#include "help_structure.h"

#include <string.h>

#include "help_arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "test.h"

struct structured help_read_graph(const char *text, size_t which, size_t *count)
{
	struct structured out;
	struct err err = {0};
	size_t n = 0;
	if (!structure_graph("f", text, strlen(text), which, &n, &arena, &out, &err))
		fail_msg("%.80s: %s", text, err.text);
	if (count)
		*count = n;
	return out;
}

size_t help_graph_refused(const char *text, size_t len, size_t which, const char *message)
{
	struct structured out;
	struct err err = {0};
	size_t count = 0;
	if (structure_graph("f", text, len, which, &count, &arena, &out, &err))
		fail_msg("read: %.60s", text);
	if (strncmp(err.text, message, strlen(message)) != 0)
		fail_msg("%.60s: %s", text, err.text);
	assert_true(text_valid(err.text, strlen(err.text)));
	return count;
}

const char *help_node_names(const struct structure *s, const char *between)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, "%s%s", i > 0 ? between : "", s->names[i]);
	return b.at;
}

const char *help_edges(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n_edges; i++)
		strbuf_printf(&b, "%s%s -%s-%s %s", i > 0 ? "; " : "", s->names[s->edges[i].from],
			      s->edge_labels[s->edges[i].label], s->directed ? ">" : "",
			      s->names[s->edges[i].to]);
	return b.at;
}

const char *help_repeated(const char *head, const char *part, size_t n, const char *tail)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, head);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, part, i, i + 1);
	strbuf_add(&b, tail);
	return b.at;
}
