/* paper.c: the table of papers, and its two forms: a line for people and an entry for BibTeX.
 *
 * A descriptor's `cite` names papers as @key among other text ("section 3"), so a card and a
 * bibliography cannot disagree. */
#include "scheme/papers.h"

#include <pthread.h>
#include <string.h>

#include "posviz/base/err.h"
#include "posviz/base/strbuf.h"

enum { NAMED_ALL = 9 }; /* if there are more authors, a line names only the first ones */

const struct paper *paper_at(size_t i)
{
	static const struct paper *const tables[] = {papers_a_to_k, papers_l_to_z};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const struct paper *p = tables[t]; p->key; p++)
			if (i-- == 0)
				return p;
	return NULL;
}

const struct paper *paper_find(const char *key, size_t len)
{
	const struct paper *p;
	for (size_t i = 0; (p = paper_at(i)) != NULL; i++)
		if (strlen(p->key) == len && memcmp(p->key, key, len) == 0)
			return p;
	return NULL;
}

/* ---- the line -------------------------------------------------------------------------------- */

/* Takes the next of the names separated by " and "; false after the last. */
static bool next_author(const char **at, const char **name, size_t *len)
{
	static const char AND[] = " and ";
	if (**at == '\0')
		return false;
	const char *const end = strstr(*at, AND);
	*name = *at;
	*len = end ? (size_t)(end - *at) : strlen(*at);
	*at += *len + (end ? strlen(AND) : 0);
	return true;
}

static bool is_others(const char *name, size_t len)
{
	return len == strlen("others") && memcmp(name, "others", len) == 0;
}

/* Adds a family name, or a name in braces without them. */
static void add_family(struct strbuf *out, const char *name, size_t len)
{
	const char *const comma = memchr(name, ',', len);
	if (*name == '{')
		strbuf_add_n(out, name + 1, len - 2);
	else
		strbuf_add_n(out, name, comma ? (size_t)(comma - name) : len);
}

static void add_families(struct strbuf *out, const char *authors)
{
	const char *at = authors, *name;
	size_t n = 0, len;
	bool more = false;
	for (; next_author(&at, &name, &len); n++)
		more |= is_others(name, len);
	more |= n > NAMED_ALL;
	at = authors;
	for (size_t i = 0; i < (more ? 1 : n) && next_author(&at, &name, &len); i++) {
		strbuf_add(out, i ? ", " : "");
		add_family(out, name, len);
	}
	strbuf_add(out, more ? " et al." : "");
}

/* Adds a title in lower case except for its first letter and the text in braces, with
 * typographic quotes, and an ampersand without its backslash. */
static void add_plain_title(struct strbuf *out, const char *title)
{
	size_t braces = 0;
	for (const char *c = title; *c; c++) {
		if (*c == '{' || *c == '}') {
			braces += *c == '{' ? 1 : (size_t)-1;
		} else if (*c == '\\' && c[1] == '&') {
			continue;
		} else if ((c[0] == '`' && c[1] == '`') || (c[0] == '\'' && c[1] == '\'')) {
			strbuf_add_char(out, '"');
			c++;
		} else {
			const bool lower = braces == 0 && c > title && *c >= 'A' && *c <= 'Z';
			strbuf_add_char(out, lower ? (char)(*c - 'A' + 'a') : *c);
		}
	}
}

const char *paper_line(const struct paper *p, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	add_families(&b, p->authors);
	strbuf_add(&b, ": ");
	add_plain_title(&b, p->title);
	strbuf_add(&b, p->title[strlen(p->title) - 1] == '?' ? " " : ". ");
	switch (p->kind) {
	case PAPER_PREPRINT:
		strbuf_printf(&b, "arXiv %s, %d", p->arxiv, p->year);
		break;
	case PAPER_PROCEEDINGS:
		strbuf_printf(&b, "%s %d", p->venue, p->year);
		break;
	case PAPER_JOURNAL:
		strbuf_printf(&b, "%s %s, %d", p->venue, p->volume, p->year);
		break;
	default:
		strbuf_printf(&b, "%s, %d", p->venue, p->year);
	}
	return b.at;
}

/* ---- the entry ------------------------------------------------------------------------------- */

/* Letters as LaTeX commands; in braces, so that BibTeX takes each for one letter. */
static const struct {
	const char *letter, *latex;
} letters[] = {
	{"á", "{\\'a}"},   {"é", "{\\'e}"},  {"É", "{\\'E}"},  {"í", "{\\'\\i}"}, {"ó", "{\\'o}"},
	{"ö", "{\\\"o}"},  {"ü", "{\\\"u}"}, {"ë", "{\\\"e}"}, {"ř", "{\\v{r}}"}, {"ş", "{\\c{s}}"},
	{"Ş", "{\\c{S}}"}, {"ł", "{\\l}"},   {"Ł", "{\\L}"},   {"č", "{\\v{c}}"}, {"ć", "{\\'c}"},
};

static void add_latex(struct strbuf *out, const char *text)
{
	while (*text) {
		size_t i = 0, len = 1;
		for (; i < sizeof letters / sizeof *letters; i++)
			if (strncmp(text, letters[i].letter, strlen(letters[i].letter)) == 0)
				break;
		if (i < sizeof letters / sizeof *letters) {
			strbuf_add(out, letters[i].latex);
			len = strlen(letters[i].letter);
		} else if ((unsigned char)*text < 0x80) {
			strbuf_add_char(out, *text);
		} else {
			BUG("papers: no LaTeX for \"%s\"", text);
		}
		text += len;
	}
}

static void add_field(struct strbuf *out, const char *name, const char *value)
{
	if (!value)
		return;
	strbuf_printf(out, ",\n  %-13s = {", name);
	add_latex(out, value);
	strbuf_add_char(out, '}');
}

const char *paper_bibtex(const struct paper *p, struct arena *a)
{
	static const struct {
		const char *entry, *where;
	} kinds[PAPER_KINDS] = {[PAPER_PREPRINT] = {"misc", NULL},
				[PAPER_PROCEEDINGS] = {"inproceedings", "booktitle"},
				[PAPER_JOURNAL] = {"article", "journal"},
				[PAPER_REPORT] = {"techreport", "institution"},
				[PAPER_PAGE] = {"misc", NULL}};
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "@%s{%s", kinds[p->kind].entry, p->key);
	add_field(&b, "author", p->authors);
	add_field(&b, "title", p->title);
	if (kinds[p->kind].where)
		add_field(&b, kinds[p->kind].where, p->where);
	add_field(&b, "series", p->series);
	add_field(&b, "volume", p->volume);
	add_field(&b, "number", p->number);
	add_field(&b, "pages", p->pages);
	add_field(&b, "howpublished", p->kind == PAPER_PAGE ? p->venue : NULL);
	add_field(&b, "year", arena_printf(a, "%d", p->year));
	add_field(&b, "doi", p->doi);
	add_field(&b, "archivePrefix", p->arxiv ? "arXiv" : NULL);
	add_field(&b, "eprint", p->arxiv);
	if (p->url)
		add_field(&b, "url", p->url);
	else if (!p->doi)
		add_field(&b, "url", arena_printf(a, "https://arxiv.org/abs/%s", p->arxiv));
	strbuf_add(&b, "\n}\n");
	return b.at;
}

/* ---- texts that name papers ------------------------------------------------------------------ */

/* Finds the next paper named from *at on, and the beginning and end of its name. */
static const struct paper *next_named(const char *at, const char **begin, const char **end)
{
	const char *const sign = strchr(at, '@');
	if (!sign)
		return NULL;
	const size_t len = strspn(sign + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
	const struct paper *const p = paper_find(sign + 1, len);
	if (!p)
		BUG("there is no paper %s", sign);
	*begin = sign;
	*end = sign + 1 + len;
	return p;
}

/* Replaces the papers named in a text, "@su2021roformer, section 3", by their lines. */
static const char *expand(const char *text, struct arena *a)
{
	struct strbuf b;
	const char *begin, *end;
	const struct paper *p;
	strbuf_init(&b, a);
	for (; (p = next_named(text, &begin, &end)) != NULL; text = end) {
		strbuf_add_n(&b, text, (size_t)(begin - text));
		strbuf_add(&b, paper_line(p, a));
	}
	strbuf_add(&b, text);
	return b.at;
}

size_t scheme_papers(const struct scheme *s, const struct paper *out[PAPERS_OF_SCHEME])
{
	const char *at = s->cite, *begin;
	const struct paper *p;
	size_t n = 0;
	while ((p = next_named(at, &begin, &at)) != NULL) {
		BUG_IF(n == PAPERS_OF_SCHEME);
		out[n++] = p;
	}
	return n;
}

/* The lines of all schemes, made once: some callers have no arena. */
static struct {
	struct arena arena;
	const char **lines;
} cited;

static void make_lines(void)
{
	arena_init(&cited.arena);
	cited.lines = arena_calloc(&cited.arena, scheme_count(), sizeof *cited.lines);
	for (size_t i = 0; i < scheme_count(); i++)
		cited.lines[i] = expand(scheme_at(i)->cite, &cited.arena);
}

const char *scheme_cite(const struct scheme *s)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	if (!strchr(s->cite, '@'))
		return s->cite;
	pthread_once(&once, make_lines);
	for (size_t i = 0; i < scheme_count(); i++)
		if (strcmp(scheme_at(i)->cite, s->cite) == 0)
			return cited.lines[i];
	BUG("%s is no scheme of the list", s->id);
}

/* ---- entries of schemes ---------------------------------------------------------------------- */

struct entries {
	const struct paper *at[PAPERS_OF_SCHEME * MODEL_MAX_MEMBERS];
	size_t n;
};

/* Adds a scheme's papers; returns whether it has any. */
static bool add_papers(struct entries *e, const struct scheme *s)
{
	const struct paper *of[PAPERS_OF_SCHEME];
	const size_t n = scheme_papers(s, of);
	for (size_t i = 0; i < n; i++) {
		bool known = false;
		for (size_t k = 0; k < e->n; k++)
			known |= e->at[k] == of[i];
		if (!known)
			e->at[e->n++] = of[i];
	}
	return n > 0;
}

static const char *print_entries(const struct entries *e, struct strbuf *out)
{
	for (size_t i = 0; i < e->n; i++) {
		strbuf_add(out, out->len > 0 ? "\n" : "");
		strbuf_add(out, paper_bibtex(e->at[i], out->arena));
	}
	return e->n > 0 ? out->at : NULL;
}

const char *expr_bibtex(const struct expr *x, struct arena *a)
{
	struct entries e = {.n = 0};
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < x->n; i++)
		if (!add_papers(&e, x->members[i].scheme))
			strbuf_printf(&b, "%% %s: %s\n", x->members[i].scheme->id,
				      x->members[i].scheme->cite);
	return print_entries(&e, &b);
}
