/* scene_lines.c: prints and reads scenes as lines of commands, and prints the command line of a
 * figure. Only the latter knows fields by name, because it prints the expression first. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/family/candidates.h"
#include "posviz/scene/beside.h"
#include "scene_in.h"

/* ---- lines of commands ----------------------------------------------------------------------- */

/* True if text[0..len) can be written unchanged: the filter for screens changes none of it. */
static bool is_plain(struct arena *a, const char *text, size_t len)
{
	const struct arena_mark mark = arena_mark(a);
	const char *const shown = text_escape(a, text, len);
	const bool same = strlen(shown) == len && memcmp(shown, text, len) == 0;
	arena_rewind(a, mark);
	return same;
}

static bool needs_quotes(const char *text, struct arena *a)
{
	const size_t len = strlen(text);
	return len == 0 || text[0] == '"' || isspace((unsigned char)text[0]) ||
	       isspace((unsigned char)text[len - 1]) || strchr(text, '\\') ||
	       !is_plain(a, text, len);
}

/* Adds the text cluster by cluster. Bytes that may not be shown are escaped, so that nothing is
 * lost. */
static void add_quoted(struct strbuf *b, const char *text, struct arena *scratch)
{
	size_t step;
	strbuf_add_char(b, '"');
	for (size_t len = strlen(text); len > 0; text += step, len -= step) {
		/* A cluster with a combining mark may begin with a quote, which must still be
		 * escaped. */
		step = strchr("\"\\", *text) ? 1 : text_cluster(text, len);
		if (*text == '"' || *text == '\\')
			strbuf_printf(b, "\\%c", *text);
		else if (step == 1 && (*text == '\n' || *text == '\r'))
			strbuf_add(b, *text == '\n' ? "\\n" : "\\r");
		else if (is_plain(scratch, text, step))
			strbuf_add_n(b, text, step);
		else
			for (size_t i = 0; i < step; i++)
				strbuf_printf(b, "\\x%02X", (unsigned char)text[i]);
	}
	strbuf_add_char(b, '"');
}

void scene_add_value(struct strbuf *b, const char *value, const char *also)
{
	struct arena scratch; /* separate, because b's arena grows meanwhile */
	arena_init(&scratch);
	if (needs_quotes(value, &scratch) || strpbrk(value, also))
		add_quoted(b, value, &scratch);
	else
		strbuf_add(b, value);
	arena_release(&scratch);
}

/* Older versions cut words by another rule and wrote no line for the default, words. So a new scene
 * has this line if the rules for words or for rows of a matrix differ, and a scene without the line
 * counts as old. */
static const char words_line[] = "tokens words\n";

static void read_words_of_then(struct setup *s)
{
	if (s->tokens == TOKENS_WORDS && !setup_words_alike(s))
		s->tokens = TOKENS_PLAIN_WORDS;
}

const char *scene_print(const struct scene *scene, struct arena *a)
{
	const struct scene *const defaults = scene_defaults();
	struct strbuf b;
	strbuf_init(&b, a);
	for (const struct field *f = scene_fields; f->name; f++) {
		if (field_equal(f, scene, defaults))
			continue;
		strbuf_printf(&b, "%s ", f->name);
		scene_add_value(&b, scene_get(scene, f, a), "");
		strbuf_add_char(&b, '\n');
	}
	struct arena scratch;
	arena_init(&scratch);
	if (scene->setup.tokens == TOKENS_WORDS &&
	    (!setup_words_alike(&scene->setup) || setup_has_open_rows(&scene->setup, &scratch)))
		strbuf_add(&b, words_line);
	arena_release(&scratch);
	return b.at;
}

/* Adds the character escaped at `c`: \n \r \xNN, or any other itself. Returns the position behind
 * it. */
static const char *add_unquoted(struct strbuf *b, const char *c)
{
	if (*c == 'x' && isxdigit((unsigned char)c[1]) && isxdigit((unsigned char)c[2])) {
		const char digits[] = {c[1], c[2], '\0'};
		strbuf_add_char(b, (char)strtoul(digits, NULL, 16));
		return c + 3;
	}
	strbuf_add_char(b, *c == 'n' ? '\n' : *c == 'r' ? '\r' : *c);
	return c + 1;
}

bool scene_unquote(const char *text, struct arena *a, const char **out, struct err *err)
{
	*out = text;
	if (text[0] != '"')
		return true;
	struct strbuf b;
	strbuf_init(&b, a);
	const char *c = text + 1;
	while (*c && *c != '"') {
		if (*c == '\\' && c[1])
			c = add_unquoted(&b, c + 1);
		else
			strbuf_add_char(&b, *c++);
	}
	*out = b.at;
	return (c[0] == '"' && c[1] == '\0') ||
	       err_set(err, "quotes are not closed: %s", text_quote(a, text, strlen(text)));
}

static const char *nearest_field(const char *name)
{
	const char *names[96];
	size_t n = 0;
	for (const struct field *f = scene_fields; f->name && n < 96; f++)
		names[n++] = f->name;
	return text_suggest(name, names, n);
}

/* Returns the present form of a line that an earlier version wrote. */
static const char *line_now(const char *line)
{
	static const struct {
		const char *was, *now;
	} lines[] = {{"full-caption on", "caption full"}, {"full-caption off", "caption auto"}};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (strcmp(line, lines[i].was) == 0)
			return lines[i].now;
	return line;
}

/* Returns the field that was set; NULL: an error. */
static const struct field *parse_line(struct scene *scene, const char *given, struct arena *a,
				      struct err *err)
{
	char *const line = arena_strdup(a, line_now(given));
	const size_t len = strcspn(line, " \t");
	char *rest = line + len + strspn(line + len, " \t");
	line[len] = '\0';
	const struct field *f = field_find(line);
	if (!f) {
		const char *near = nearest_field(line);
		err_set(err, "no field %s%s%s%s", text_quote(a, line, len),
			near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
		return NULL;
	}
	const char *value = NULL;
	return scene_unquote(rest, a, &value, err) && scene_set(scene, f, value, err) ? f : NULL;
}

bool scene_set_line(struct scene *scene, const char *line, struct err *err)
{
	struct arena a;
	struct scene made = *scene;
	arena_init(&a);
	const struct field *const set = parse_line(&made, line + strspn(line, " \t"), &a, err);
	if (set) {
		scene_displace(&made, set);
		*scene = made;
	}
	arena_release(&a);
	return set != NULL;
}

bool scene_parse(struct scene *scene, const char *text, struct err *err)
{
	struct arena a;
	arena_init(&a);
	struct scene made;
	scene_init(&made);
	bool ok = true, tokens = false;
	size_t number = 0;
	for (const char *at = text; ok && *at;) {
		const size_t len = strcspn(at, "\n");
		char *line = arena_strndup(&a, at, len);
		number++;
		line += strspn(line, " \t");
		const struct field *const set =
			*line && *line != '#' ? parse_line(&made, line, &a, err) : NULL;
		if (*line && *line != '#' && !set)
			ok = err_prefix(err, "line %zu: ", number);
		tokens = tokens || (set && strcmp(set->name, "tokens") == 0);
		at += len + (at[len] == '\n');
	}
	if (ok && !tokens)
		read_words_of_then(&made.setup);
	setup_forget_asked(&made.setup); /* a saved scene keeps its picture */
	if (ok)
		scene_take_earlier(&made, !tokens);
	if (ok)
		*scene = made;
	arena_release(&a);
	return ok;
}

/* ---- the command line of a figure ------------------------------------------------------------ */

/* Adds the text as an octal escape for printf; line ends at its very end are lost in the shell. */
static void add_printf(struct strbuf *b, const char *text)
{
	strbuf_add(b, "\"$(printf '");
	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e || strchr("\\%'", *c) ||
		    (c == text && *c == '-'))
			strbuf_printf(b, "\\%03o", (unsigned)(unsigned char)*c);
		else
			strbuf_add_char(b, *c);
	}
	strbuf_add(b, "')\"");
}

void scene_shell(struct strbuf *b, const char *text)
{
	if (strcmp(text_escape(b->arena, text, strlen(text)), text) != 0) {
		add_printf(b, text);
		return;
	}
	const char *plain =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@";
	if (*text && strspn(text, plain) == strlen(text)) {
		strbuf_add(b, text);
		return;
	}
	strbuf_add_char(b, '\'');
	for (const char *c = text; *c; c++)
		strbuf_add_n(b, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
	strbuf_add_char(b, '\'');
}

const char *scene_candidate(const struct known *k, const char *path, const struct candidate *c,
			    struct arena *a)
{
	const struct {
		const char *option;
		long value;
	} sizes[] = {{"--d-model", k->d},
		     {"--heads", k->heads},
		     {"--head-dim", k->head_dim * k->heads == k->d ? 0 : k->head_dim},
		     {"--layers", k->layers},
		     {"--t-max", c->t_max}};
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_add(&b, "posviz ");
	scene_shell(&b, c->scheme);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (sizes[i].value > 0)
			strbuf_printf(&b, " %s %ld", sizes[i].option, sizes[i].value);
	if (c->map) {
		strbuf_add(&b, " --params ");
		scene_shell(&b, path);
		strbuf_add(&b, " --map ");
		scene_shell(&b, c->map);
	}
	return b.at;
}

const char *scene_command(const struct scene *scene, struct arena *a)
{
	const struct scene *const defaults = scene_defaults();
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_add(&b, "posviz render ");
	/* Several expressions imply the view. */
	struct beside all[COMPARE_MAX];
	const bool several = strcmp(scene->view, "compare") == 0;
	size_t n = scene_beside(&scene->setup, a, all);
	n = several ? n : 1;
	for (size_t i = 0; i < n; i++) {
		strbuf_add(&b, i ? " " : "");
		scene_shell(&b, beside_print(&all[i], a));
	}
	for (const struct field *f = scene_fields; f->name; f++) {
		const bool said = strcmp(f->name, "scheme") == 0 ||
				  (n > 1 && (strcmp(f->name, "compare") == 0 ||
					     strcmp(f->name, "view") == 0));
		if (said || field_equal(f, scene, defaults))
			continue;
		strbuf_printf(&b, " --%s ", f->name);
		scene_shell(&b, scene_get(scene, f, a));
	}
	return b.at;
}
