/* conllu.c: one sentence of a CoNLL-U file (universaldependencies.org/format.html).
 *
 * One pass finds where sentences begin and end, by blank lines alone; only the wanted one is
 * then divided into columns. Tokens are words, the lines with whole ids: a multiword token only
 * names a range of them, and an empty node is no word. The file may define other columns
 * (conllu_columns.c). */
#include <string.h>

#include "conllu_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum { QUOTED = 96 };

/* An iterator over lines, without their LF or CRLF. */
struct lines {
	const char *at, *end; /* the rest */
	struct field line;
	size_t number; /* of `line`, from 1 */
	struct naming naming;
};

static bool next_line(struct lines *l)
{
	if (l->at == l->end)
		return false;
	const char *const lf = memchr(l->at, '\n', (size_t)(l->end - l->at));
	const char *stop = lf ? lf : l->end;
	const char *const next = lf ? lf + 1 : l->end;
	if (stop > l->at && stop[-1] == '\r')
		stop--;
	l->line = (struct field){l->at, (size_t)(stop - l->at)};
	l->at = next;
	l->number++;
	return true;
}

static bool is_empty(struct field f)
{
	while (f.len > 0 && f.at[f.len - 1] == ' ')
		f.len--;
	return f.len == 0;
}

static bool is(struct field f, const char *text)
{
	return f.len == strlen(text) && memcmp(f.at, text, f.len) == 0;
}

/* Counts the sentences; *found gets the lines of the wanted one from its first that is no
 * comment, and the column names that apply to it. */
static size_t find_sentence(const struct source *s, size_t which, struct lines *found)
{
	struct lines l = {.at = s->at, .end = s->end};
	size_t count = 0;
	bool inside = false;
	for (;;) {
		const struct lines before = l;
		const bool more = next_line(&l);
		const bool blank = !more || is_empty(l.line);
		if (!inside && !blank)
			naming_read(&l.naming, l.line, l.number);
		if (!inside && !blank && *l.line.at != '#') {
			inside = true;
			if (++count == which)
				*found = before;
		} else if (inside && blank) {
			inside = false;
			if (count == which)
				found->end = more ? l.line.at : l.end;
		}
		if (!more)
			return count;
	}
}

/* The state while the lines of a sentence are read. */
struct reading {
	const struct source *source;
	struct columns columns;
	size_t n; /* words */
	const char **texts, **relations;
	struct field *heads; /* evaluated when the number of words is known */
	size_t *line;	     /* of each word */
	size_t range_end;    /* last word of the last multiword token */
	size_t range_line;
	size_t ranges, empty;	 /* counts */
	const char *first_range; /* for the note */
	size_t last_empty;	 /* number after the point of the last empty node at this word */
	struct arena *a, *scratch;
};

static const char *quote(const struct reading *r, struct field f)
{
	char buf[QUOTED];
	return arena_strdup(r->scratch, text_quote_buf(buf, sizeof buf, f.at, f.len));
}

/* Stores the columns that are needed and counts the others. */
static size_t split_columns(const struct columns *columns, struct field line, struct field *out)
{
	const char *at = line.at, *const end = line.at + line.len;
	size_t n = 0;
	for (;; n++) {
		const char *const tab = memchr(at, '\t', (size_t)(end - at));
		const char *const stop = tab ? tab : end;
		for (size_t i = 0; i < FIELDS; i++)
			if (columns->at[i] == n)
				out[i] = (struct field){at, (size_t)(stop - at)};
		if (!tab)
			return n + 1;
		at = tab + 1;
	}
}

static bool cut_columns(const struct reading *r, const struct lines *l, struct field *out,
			struct err *err)
{
	const struct columns *const columns = &r->columns;
	if (*l->line.at == '#')
		return source_blame(r->source, l->number, err,
				    "a comment inside a sentence; comments stand before its first "
				    "word");
	for (size_t i = 0; i < FIELDS; i++)
		out[i] = (struct field){"", 0};
	const size_t n = split_columns(columns, l->line, out);
	if (n == columns->n || (columns->more && n > columns->n))
		return true;
	if (n == 1 && memchr(l->line.at, ' ', l->line.len))
		return source_blame(r->source, l->number, err,
				    "no tabs: the %zu columns are parted by single tabs, not by "
				    "blanks",
				    columns->n);
	if (columns->line > 0)
		return source_blame(r->source, l->number, err,
				    "%s; line %zu names %zu, parted by single tabs",
				    count_text(r->scratch, n, "column"), columns->line, columns->n);
	return source_blame(
		r->source, l->number, err,
		"%s; a line of CoNLL-U has %zu, parted by single tabs; a file with others "
		"names them in its first line: # global.columns = ID FORM HEAD DEPREL",
		count_text(r->scratch, n, "column"), columns->n);
}

/* Reads an id: "12", "2-3", "5.1"; *mark is 0, '-' or '.'. */
static bool read_id(struct field f, char *mark, uint64_t *first, uint64_t *second)
{
	size_t digits = 0;
	while (digits < f.len && f.at[digits] >= '0' && f.at[digits] <= '9')
		digits++;
	*mark = digits < f.len ? f.at[digits] : '\0';
	if (!num_parse_u64(f.at, digits, first, NULL))
		return false;
	if (digits == f.len)
		return true;
	return (*mark == '-' || *mark == '.') &&
	       num_parse_u64(f.at + digits + 1, f.len - digits - 1, second, NULL);
}

static bool add_word(struct reading *r, const struct lines *l, const struct field *columns,
		     uint64_t id, struct err *err)
{
	const size_t want = r->n + 1;
	if (id != want && id >= 1 && id < want)
		return source_blame(r->source, l->number, err,
				    "id %zu is there already, in line %zu; the next id is %zu",
				    (size_t)id, r->line[id - 1], want);
	if (id != want)
		return source_blame(r->source, l->number, err,
				    "id %s where %zu should be: words are numbered 1, 2, 3 ... in "
				    "their order",
				    quote(r, columns[ID]), want);
	if (columns[FORM].len == 0)
		return source_blame(r->source, l->number, err,
				    "word %zu has no form (column %zu); \"_\" says that there is "
				    "none",
				    want, r->columns.at[FORM] + 1);
	if (r->n == STRUCTURE_MAX_NODES)
		return source_blame(r->source, l->number, err,
				    "the sentence has more than %d words, which is the most",
				    STRUCTURE_MAX_NODES);
	const struct field relation = columns[DEPREL];
	r->texts[r->n] = arena_strndup(r->a, columns[FORM].at, columns[FORM].len);
	r->relations[r->n] = relation.len == 0 || is(relation, "_")
				     ? ""
				     : text_escape(r->a, relation.at, relation.len);
	r->heads[r->n] = columns[HEAD];
	r->line[r->n++] = l->number;
	r->last_empty = 0;
	return true;
}

/* Adds a multiword token. Its words follow it; the end of the sentence checks that all are
 * there. */
static bool add_range(struct reading *r, const struct lines *l, const struct field *columns,
		      uint64_t first, uint64_t last, struct err *err)
{
	const char *const id = quote(r, columns[ID]);
	if (last < first)
		return source_blame(r->source, l->number, err,
				    "range %s ends before it begins; its smaller id comes first",
				    id);
	if (r->ranges > 0 && first <= r->range_end)
		return source_blame(
			r->source, l->number, err,
			"range %s overlaps that of line %zu, which ends with word %zu; a "
			"word belongs to one multiword token",
			id, r->range_line, r->range_end);
	if (first != r->n + 1)
		return source_blame(
			r->source, l->number, err,
			"range %s stands before word %zu; its place is right before its "
			"first word",
			id, r->n + 1);
	if (last > STRUCTURE_MAX_NODES)
		return source_blame(r->source, l->number, err,
				    "range %s: a sentence has at most %d words", id,
				    STRUCTURE_MAX_NODES);
	r->range_end = (size_t)last;
	r->range_line = l->number;
	if (r->ranges++ == 0)
		r->first_range = arena_printf(r->scratch, "%zu-%zu %s", (size_t)first, (size_t)last,
					      quote(r, columns[FORM]));
	return true;
}

static bool add_empty(struct reading *r, const struct lines *l, const struct field *columns,
		      uint64_t word, uint64_t number, struct err *err)
{
	const char *const id = quote(r, columns[ID]);
	if (word != r->n)
		return source_blame(
			r->source, l->number, err,
			"empty node %s stands behind word %zu; it belongs right behind the "
			"word of its number",
			id, r->n);
	if (number != r->last_empty + 1)
		return source_blame(r->source, l->number, err,
				    "empty node %s where %zu.%zu should be", id, r->n,
				    r->last_empty + 1);
	r->last_empty = (size_t)number;
	r->empty++;
	return true;
}

static bool add_line(struct reading *r, const struct lines *l, struct err *err)
{
	struct field columns[FIELDS];
	if (!cut_columns(r, l, columns, err))
		return false;
	char mark;
	uint64_t first, second;
	if (!read_id(columns[ID], &mark, &first, &second))
		return source_blame(
			r->source, l->number, err,
			"%s is not an id: 3 is a word, 3-4 a multiword token, 3.1 an empty "
			"node",
			quote(r, columns[ID]));
	if (mark == '-')
		return add_range(r, l, columns, first, second, err);
	if (mark == '.')
		return add_empty(r, l, columns, first, second, err);
	return add_word(r, l, columns, first, err);
}

static bool read_head(const struct reading *r, size_t i, long *parent, struct err *err)
{
	const struct field head = r->heads[i];
	const char *const word = quote(r, (struct field){r->texts[i], strlen(r->texts[i])});
	const char *const right =
		r->n == 1 ? "the governor (HEAD) of a word alone is 0: it is the root"
			  : arena_printf(r->scratch,
					 "a governor (HEAD) is the id of a word, 1 to %zu, or 0 "
					 "for the root",
					 r->n);
	char mark;
	uint64_t id, rest;
	if (is(head, "_") || head.len == 0)
		return source_blame(r->source, r->line[i], err, "word %zu %s has no governor; %s",
				    i + 1, word, right);
	const char *const shown = quote(r, head);
	if (!read_id(head, &mark, &id, &rest))
		return source_blame(r->source, r->line[i], err,
				    "the governor of word %zu %s is %s; %s", i + 1, word, shown,
				    right);
	if (mark != '\0')
		return source_blame(r->source, r->line[i], err,
				    "the governor of word %zu %s is %s, %s; %s", i + 1, word, shown,
				    mark == '-' ? "a multiword token" : "an empty node", right);
	if (id > r->n)
		return source_blame(r->source, r->line[i], err,
				    "the governor of word %zu %s is %s, out of range; %s", i + 1,
				    word, shown, right);
	if (id == i + 1)
		return source_blame(r->source, r->line[i], err,
				    "word %zu %s is its own governor; %s", i + 1, word, right);
	*parent = (long)id - 1;
	return true;
}

static bool read_heads(const struct reading *r, long *parent, struct err *err)
{
	bool root = false;
	for (size_t i = 0; i < r->n; i++) {
		if (!read_head(r, i, &parent[i], err))
			return false;
		root = root || parent[i] < 0;
	}
	size_t *cycle = arena_calloc(r->scratch, r->n + 1, sizeof *cycle);
	const size_t n = structure_cycle(parent, r->n, cycle, r->scratch);
	if (n == 0)
		return true;
	const char *const shown = structure_print_cycle(cycle, n, r->texts, r->scratch);
	if (!root)
		return source_blame(
			r->source, r->line[0], err,
			"the sentence has no root: no word has the governor 0; words govern "
			"in a circle: %s",
			shown);
	return source_blame(r->source, r->line[cycle[0]], err,
			    "words govern in a circle: %s; one of them needs another governor",
			    shown);
}

static bool read_lines(struct reading *r, struct lines *l, struct err *err)
{
	const size_t start = l->number + 1;
	while (next_line(l))
		if (!add_line(r, l, err))
			return false;
	if (r->n == 0)
		return source_blame(
			r->source, start, err,
			"the sentence has no words, which are lines with ids 1, 2, 3 ...");
	if (r->range_end > r->n)
		return source_blame(r->source, r->range_line, err,
				    "the multiword token ends with word %zu; the sentence has %s",
				    r->range_end, count_text(r->scratch, r->n, "word"));
	return true;
}

static const char *make_note(const struct reading *r, size_t roots)
{
	struct strbuf note;
	strbuf_init(&note, r->a);
	if (roots > 1)
		note_add(&note, "%zu roots, each at depth 0", roots);
	if (r->ranges > 0)
		note_add(&note, "%s (%s%s)", count_text(r->scratch, r->ranges, "multiword token"),
			 r->first_range, r->ranges > 1 ? " ..." : "");
	if (r->empty > 0)
		note_add(&note, "%s left out", count_text(r->scratch, r->empty, "empty node"));
	if (r->columns.note)
		note_add(&note, "%s", r->columns.note);
	return note.len > 0 ? note.at : NULL;
}

/* Without a column of heads the words form a chain, like those of a plain sentence. */
static bool make_structure(const struct reading *r, struct arena *a, struct structure *s,
			   struct err *err)
{
	const bool heads = r->columns.at[HEAD] != NO_COLUMN;
	size_t roots = 0;
	structure_chain(r->n, a, s);
	if (heads) {
		s->kind = STRUCTURE_DEPENDENCY;
		if (!read_heads(r, s->parent, err))
			return false;
		roots = structure_from_parents(s, r->relations, a);
		structure_tokens_are_nodes(s, a);
	}
	for (size_t i = 0; i < r->n; i++)
		s->names[i] = text_escape(a, r->texts[i], strlen(r->texts[i]));
	s->note = make_note(r, roots);
	return true;
}

static bool read_sentence(const struct source *source, struct lines l, struct arena *a,
			  struct arena *scratch, struct structured *out, struct err *err)
{
	size_t room = 1;
	struct lines count = l;
	while (next_line(&count) && room <= STRUCTURE_MAX_NODES)
		room++;
	struct reading r = {.source = source,
			    .texts = arena_calloc(a, room, sizeof *r.texts),
			    .relations = arena_calloc(scratch, room, sizeof *r.relations),
			    .heads = arena_calloc(scratch, room, sizeof *r.heads),
			    .line = arena_calloc(scratch, room, sizeof *r.line),
			    .a = a,
			    .scratch = scratch};
	count = l;
	next_line(&count);
	if (!columns_find(&r.columns, source, &l.naming, count.line, a, err) ||
	    !read_lines(&r, &l, err) || !make_structure(&r, a, &out->structure, err))
		return false;
	out->n_tokens = r.n;
	out->token_text = r.texts;
	return true;
}

bool structure_conllu(const char *name, const char *text, size_t len, size_t which, size_t *count,
		      struct arena *a, struct structured *out, struct err *err)
{
	struct source source;
	*count = 0;
	*out = (struct structured){0};
	if (!source_open(&source, name, text, len, "CoNLL-U", err))
		return false;
	struct lines l = {0};
	*count = find_sentence(&source, which, &l);
	if (*count == 0)
		return source_blame(&source, 0, err,
				    "no sentence; one is lines of 10 columns parted by "
				    "tabs, and a blank line");
	if (which < 1 || which > *count)
		return source_blame(&source, 0, err,
				    "there is no sentence %zu; the file has %zu, "
				    "counted from 1",
				    which, *count);
	struct arena scratch;
	arena_init(&scratch);
	const bool ok = read_sentence(&source, l, a, &scratch, out, err) &&
			source_names_fit(&source, out, err);
	arena_release(&scratch);
	return ok;
}
