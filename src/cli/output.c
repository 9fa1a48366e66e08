/* output.c: where results go: a file written whole, or standard output; and how a terminal is drawn
 * on. */
#include "cli.h"

#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/file.h"
#include "posviz/tensor.h"
#include "posviz/text.h"
#include "posviz/tui.h"
#include "posviz/view.h"

enum { TEXT_COLS = 120, TEXT_ROWS = 36, WRAP_COLS = 80 };

static bool one_of(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static const char *join(const char *const *names, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; names[i]; i++)
		strbuf_printf(&b, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
	return b.at;
}

static bool bad_format(const struct cli *c, const char *name, struct arena *a, struct err *err)
{
	size_t n = 0;
	while (c->sub->formats[n])
		n++;
	const char *const near = text_nearest(name, c->sub->formats, n);
	return err_set(err, "format: %s is none of %s%s%s%s", text_quote(a, name, strlen(name)),
		       join(c->sub->formats, a), near ? "; did you mean \"" : "", near ? near : "",
		       near ? "\"?" : "");
}

bool output_format(struct cli *c, struct err *err)
{
	const char *const words = join(c->sub->formats, &c->arena);
	const bool to_file = c->output && strcmp(c->output, "-") != 0;
	if (c->format)
		return one_of(c->sub->formats, c->format) ||
		       bad_format(c, c->format, &c->arena, err);
	if (!c->output)
		return err_set(err, "%s: give -o FILE; its ending is the format: %s", c->sub->name,
			       words);
	if (!to_file)
		return err_set(err, "standard output has no ending: give --format %s", words);
	struct stat st;
	if (stat(c->output, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(err, "output: %s is a directory; name a file in it",
			       text_quote(&c->arena, c->output, strlen(c->output)));
	const char *const slash = strrchr(c->output, '/');
	const char *const dot = strrchr(slash ? slash : c->output, '.');
	if (dot && one_of(c->sub->formats, dot + 1)) {
		c->format = dot + 1;
		return true;
	}
	return err_set(err, "output: the ending of %s is none of %s; or give --format",
		       text_quote(&c->arena, c->output, strlen(c->output)), words);
}

bool output_to_terminal(const struct cli *c)
{
	return (!c->output || strcmp(c->output, "-") == 0) && isatty(STDOUT_FILENO);
}

static bool check_directory(const struct cli *c, struct err *err)
{
	struct stat st;
	char dir[PATH_MAX] = ".", quoted[200];
	const char *const slash = strrchr(c->output, '/');
	if (slash)
		snprintf(dir, sizeof dir, "%.*s", (int)(slash - c->output) + 1, c->output);
	return (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) ||
	       err_set(err, "cannot write %s: its directory does not exist",
		       text_quote_buf(quoted, sizeof quoted, c->output, strlen(c->output)));
}

bool output_check(const struct cli *c, bool binary, struct err *err)
{
	char quoted[200];
	struct stat st;
	if (!c->output || strcmp(c->output, "-") == 0)
		return !(binary && isatty(STDOUT_FILENO)) ||
		       err_set(err, "%s is not for a terminal: give -o FILE", c->format);
	if (stat(c->output, &st) != 0)
		return check_directory(c, err);
	text_quote_buf(quoted, sizeof quoted, c->output, strlen(c->output));
	if (S_ISDIR(st.st_mode))
		return err_set(err, "cannot write %s: it is a directory", quoted);
	return c->force || !S_ISREG(st.st_mode) ||
	       err_set(err, "%s exists already, --force overwrites it", quoted);
}

/* ---- words where there is only ASCII ------------------------------------------------------------ */

static const struct {
	const char *sign, *plain;
} signs[] = {
	{"−", "-"},	  {"–", "-"},	  {"—", "-"},	   {"…", "..."},   {"·", "*"},
	{"×", "x"},	  {"→", "->"},	  {"←", "<-"},	   {"‖", "||"},	   {"≤", "<="},
	{"≥", ">="},	  {"≠", "!="},	  {"“", "\""},	   {"”", "\""},	   {"’", "'"},
	{"√", "sqrt "},	  {"Σ", "sum "},  {"α", "alpha"},  {"β", "beta"},  {"δ", "delta"},
	{"ε", "epsilon"}, {"θ", "theta"}, {"λ", "lambda"}, {"μ", "mu"},	   {"π", "pi"},
	{"σ", "sigma"},	  {"τ", "tau"},	  {"φ", "phi"},	   {"ω", "omega"}, {"∞", "inf"},
	{"²", "^2"},	  {"ᵀ", "^T"},	  {"∈", " in "},   {"⊙", "(.)"},   {"⌊", "floor("},
	{"⌋", ")"},
};
enum { SIGNS = sizeof signs / sizeof signs[0] };

static const char *plain_sign(const char *text, size_t len)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (strlen(signs[i].sign) == len && memcmp(signs[i].sign, text, len) == 0)
			return signs[i].plain;
	return NULL;
}

/* A dot between blanks parts words; elsewhere it multiplies. */
static bool parts_words(const char *text, size_t at, size_t len)
{
	return at > 0 && text[at - 1] == ' ' && text[at + len] == ' ' &&
	       memcmp(text + at, "·", len) == 0;
}

/* Signs of ours as letters; others by their code points, so that nothing is lost. */
static void add_plain(struct strbuf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t code;
		const size_t n = text_decode(text + at, len - at, &code);
		const char *const plain = n > 1 ? plain_sign(text + at, n) : NULL;
		if (n <= 1)
			strbuf_add_n(out, text + at, 1);
		else if (parts_words(text, at, n))
			strbuf_add_char(out, '-');
		else if (plain)
			strbuf_add(out, plain);
		else
			strbuf_printf(out, "\\u{%X}", (unsigned)code);
		at += n > 0 ? n : 1;
	}
}

bool output_words(const struct cli *c, const char *text, size_t len, struct err *err)
{
	const bool to_file = c->output && strcmp(c->output, "-") != 0;
	struct arena a;
	struct strbuf out;
	if (c->app.settings.glyphs != GLYPHS_ASCII &&
	    (to_file || strcmp(nl_langinfo(CODESET), "UTF-8") == 0))
		return output_write(c, text, len, err);
	arena_init(&a);
	strbuf_init(&out, &a);
	add_plain(&out, text, len);
	const bool ok = output_write(c, out.at, out.len, err);
	arena_release(&a);
	return ok;
}

bool output_write(const struct cli *c, const char *data, size_t len, struct err *err)
{
	return file_write(c->output ? c->output : "-", data, len, c->force, err);
}

bool output_text(const struct strbuf *text, struct err *err)
{
	return file_write("-", text->at, text->len, false, err);
}

void output_size(const struct cli *c, size_t len)
{
	enum { MUCH = 10000000 };
	const bool json = strcmp(c->format, "json") == 0;
	if (len < MUCH)
		return;
	const bool too_much = json && len > TENSOR_MAX_JSON;
	char more[64] = "";
	if (too_much)
		snprintf(more, sizeof more, ", more than the %d MiB that posviz reads",
			 TENSOR_MAX_JSON >> 20);
	fprintf(stderr, "posviz: wrote %.0f MB of %s%s%s\n", (double)len / 1e6, c->format, more,
		json ? "; safetensors holds the same in less" : "");
}

void output_warn(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fputs("posviz: warning: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
}

/* ---- terminals --------------------------------------------------------------------------------- */

enum tier output_tier(const struct cli *c)
{
	struct tui_tier here;
	if (c->app.settings.color > 0)
		return (enum tier)(c->app.settings.color - 1);
	tui_choose(&c->app.settings, THEME_AUTO, &here);
	return output_to_terminal(c) ? here.tier : TIER_DIRECT;
}

bool output_ascii(const struct cli *c)
{
	return c->app.settings.glyphs == GLYPHS_ASCII ||
	       (output_to_terminal(c) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

void output_cells(const struct cli *c, int *cols, int *rows)
{
	struct winsize size = {0};
	*cols = TEXT_COLS;
	*rows = TEXT_ROWS;
	if (c->cols) {
		*cols = (int)c->cols;
		*rows = (int)c->rows;
	} else if (output_to_terminal(c) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
		   size.ws_col >= 20 && size.ws_row >= 8) {
		*cols = size.ws_col;
		*rows = size.ws_row - 1; /* the prompt's */
	}
}

/* ---- text -------------------------------------------------------------------------------------- */

void cli_wrap(struct strbuf *out, const char *text, size_t indent)
{
	size_t at = indent;
	for (const char *word = text + strspn(text, " "); *word;) {
		const size_t len = strcspn(word, " ");
		const char *const copy = arena_strndup(out->arena, word, len);
		const size_t width = text_width(copy);
		if (at > indent && at + 1 + width > WRAP_COLS) {
			strbuf_printf(out, "\n%*s", (int)indent, "");
			at = indent;
		}
		if (at > indent) {
			strbuf_add_char(out, ' ');
			at++;
		}
		strbuf_add(out, copy);
		at += width;
		word += len;
		word += strspn(word, " ");
	}
	strbuf_add_char(out, '\n');
}

/* ---- what sub-commands share ------------------------------------------------------------------- */

void cli_adopt_sizes(struct cli *c)
{
	if (!c->sizes_given)
		scene_adopt_heads(&c->scene);
}

bool cli_expression(struct cli *c, struct err *err)
{
	if (c->n_args == 0)
		return c->scheme_given || err_set(err, "%s: give an expression, such as posviz %s",
						  c->sub->name, c->sub->example);
	if (c->scheme_given)
		return err_set(err, "%s: give one expression, by --scheme or without it",
			       c->sub->name);
	if (!scene_set(&c->scene, field_find("scheme"), c->args[0], err))
		return false;
	cli_adopt_sizes(c);
	return true;
}

bool cli_expressions(struct cli *c, struct err *err)
{
	if (c->n_args < 2)
		return cli_expression(c, err);
	if (c->scheme_given || strcmp(c->scene.setup.compare, "none") != 0)
		return err_set(
			err, "%s: give the expressions, by --scheme and --compare or without them",
			c->sub->name);
	if (c->n_args > COMPARE_MAX)
		return err_set(err, "%s: %zu expressions; at most %d are compared", c->sub->name,
			       c->n_args, COMPARE_MAX);
	if (c->view_given && !view_of(&c->scene)->compare)
		return err_set(
			err, "%s: the view %s shows one expression; leave --view out, or give one",
			c->sub->name, c->scene.view);
	if (!app_set_compared(&c->scene, c->args, c->n_args, err))
		return false;
	cli_adopt_sizes(c);
	return scene_set(&c->scene, field_find("view"), "compare", err);
}

bool cli_alone(struct cli *c, struct err *err)
{
	return cli_expression(c, err) &&
	       (strcmp(c->scene.setup.compare, "none") == 0 ||
		err_set(err, "%s: it is of one expression; leave --compare out, or take render",
			c->sub->name));
}

/* The view chooses a second expression itself where one is given. */
static bool pair_fits(const struct scene *scene, struct err *err)
{
	struct arena a;
	const char *all[COMPARE_MAX];
	arena_init(&a);
	const size_t n = scene_compared(&scene->setup, &a, all);
	arena_release(&a);
	return !view_of(scene)->compare || pairs[scene->pair][1] <= (n < 2 ? 2 : n) ||
	       err_set(err, "pair: there is no %d; %zu expression%s compared",
		       pairs[scene->pair][1], n, n == 1 ? " is" : "s are");
}

static bool within(const char *what, long value, size_t limit, struct err *err)
{
	if (value >= 0 && (size_t)value <= limit)
		return true;
	return err_set(err, "%s: there is no %ld; 1 to %zu would be right", what, value, limit);
}

/* Members that a file of parameters gives nothing to, while it gives to others: their numbers are drawn,
 * which is right but easily overlooked. */
static void warn_of_drawn(const struct built *b)
{
	for (size_t i = 0; b->given.params && i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		bool learns = false, given = false;
		for (size_t l = 0; l < b->model.n_leaves; l++) {
			const struct leaf *const leaf = &b->model.leaves[l];
			learns |= leaf->member->index == m->index;
			given |= leaf->member->index == m->index && leaf->given;
		}
		if (learns && !given)
			output_warn("params: the file has nothing for %s, whose numbers are drawn",
				    m->name);
	}
}

bool cli_build(struct cli *c, struct built *b, struct err *err)
{
	if (!setup_build(&c->scene.setup, &c->arena, b, err))
		return false;
	warn_of_drawn(b);
	if (b->note)
		output_warn("%s", b->note);
	return compared_params(&c->scene.setup, b, err) &&
	       within("head", c->scene.head, b->model.config.heads, err) &&
	       within("layer", c->scene.layer, b->model.n_steps, err) &&
	       within("row", c->scene.row, b->model_input.axis.n, err) &&
	       within("col", c->scene.col, b->model_input.axis.n, err) && pair_fits(&c->scene, err);
}
