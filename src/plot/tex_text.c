/* tex_text.c: words for LaTeX: special characters are escaped, symbols become mathematics, letters
 * stay as they are, and the features that they need beyond pdflatex are recorded. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "posviz/plot/tex.h"
#include "posviz/base/isolate.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* A character in mathematics and in text; text NULL: that of mathematics between dollars. */
static const struct letter {
	const char *from, *math, *text;
} signs[] = {
	{"\\", "\\backslash ", "\\textbackslash{}"},
	{"{", "\\{", "\\{"},
	{"}", "\\}", "\\}"},
	{"$", "\\$", "\\$"},
	{"&", "\\&", "\\&"},
	{"#", "\\#", "\\#"},
	{"%", "\\%", "\\%"},
	{"_", "\\_", "\\_"},
	{"^", "\\hat{}", "\\textasciicircum{}"},
	{"~", "\\sim ", "\\textasciitilde{}"},
	{"<", "<", "\\textless{}"},
	{">", ">", "\\textgreater{}"},
	{"|", "|", "\\textbar{}"},
	{"`", "`", "\\textasciigrave{}"},
	{"\"", "{''}", "{\\char34}"}, /* some languages of babel make it a command */
	{"–", "\\mbox{--}", "--"},
	{"—", "\\mbox{---}", "---"},
	{"“", "\\mbox{``}", "``"},
	{"”", "\\mbox{''}", "''"},
	{"‘", "\\mbox{`}", "`"},
	{"’", "'", "'"},
	{"…", "\\dots ", "\\dots{}"},
	{"\u00a0", "~", "~"}, /* no-break space */
	{"−", "-", NULL},
	{"×", "\\times ", NULL},
	{"·", "\\cdot ", NULL},
	{"±", "\\pm ", NULL},
	{"≤", "\\le ", NULL},
	{"≥", "\\ge ", NULL},
	{"≠", "\\ne ", NULL},
	{"≈", "\\approx ", NULL},
	{"∞", "\\infty ", NULL},
	{"√", "\\surd ", NULL},
	{"∑", "\\sum ", NULL},
	{"∂", "\\partial ", NULL},
	{"∈", "\\in ", NULL},
	{"⊙", "\\odot ", NULL},
	{"⊗", "\\otimes ", NULL},
	{"⊕", "\\oplus ", NULL},
	{"∘", "\\circ ", NULL},
	{"⌊", "\\lfloor ", NULL},
	{"⌋", "\\rfloor ", NULL},
	{"⌈", "\\lceil ", NULL},
	{"⌉", "\\rceil ", NULL},
	{"→", "\\rightarrow ", NULL},
	{"←", "\\leftarrow ", NULL},
	{"↑", "\\uparrow ", NULL},
	{"↓", "\\downarrow ", NULL},
	{"′", "'", NULL},
	{"⊤", "{}^{\\top}", NULL}, /* also correct after another superscript */
	{"ᵀ", "{}^{\\top}", NULL},
	{"α", "\\alpha ", NULL},
	{"β", "\\beta ", NULL},
	{"γ", "\\gamma ", NULL},
	{"δ", "\\delta ", NULL},
	{"ε", "\\varepsilon ", NULL},
	{"ζ", "\\zeta ", NULL},
	{"η", "\\eta ", NULL},
	{"θ", "\\theta ", NULL},
	{"κ", "\\kappa ", NULL},
	{"λ", "\\lambda ", NULL},
	{"μ", "\\mu ", NULL},
	{"ν", "\\nu ", NULL},
	{"ξ", "\\xi ", NULL},
	{"π", "\\pi ", NULL},
	{"ρ", "\\rho ", NULL},
	{"σ", "\\sigma ", NULL},
	{"τ", "\\tau ", NULL},
	{"φ", "\\varphi ", NULL},
	{"χ", "\\chi ", NULL},
	{"ψ", "\\psi ", NULL},
	{"ω", "\\omega ", NULL},
	{"Γ", "\\Gamma ", NULL},
	{"Δ", "\\Delta ", NULL},
	{"Θ", "\\Theta ", NULL},
	{"Λ", "\\Lambda ", NULL},
	{"Π", "\\Pi ", NULL},
	{"Σ", "\\Sigma ", NULL},
	{"Φ", "\\Phi ", NULL},
	{"Ψ", "\\Psi ", NULL},
	{"Ω", "\\Omega ", NULL},
};

static const struct letter scripts[] = {
	{"₀", "_{0}", NULL},   {"₁", "_{1}", NULL},   {"₂", "_{2}", NULL},   {"₃", "_{3}", NULL},
	{"₄", "_{4}", NULL},   {"₅", "_{5}", NULL},   {"₆", "_{6}", NULL},   {"₇", "_{7}", NULL},
	{"₈", "_{8}", NULL},   {"₉", "_{9}", NULL},   {"ₐ", "_{a}", NULL},   {"ₑ", "_{e}", NULL},
	{"ₕ", "_{h}", NULL},   {"ᵢ", "_{i}", NULL},   {"ₖ", "_{k}", NULL},   {"ₗ", "_{l}", NULL},
	{"ₘ", "_{m}", NULL},   {"ₙ", "_{n}", NULL},   {"ₒ", "_{o}", NULL},   {"ₚ", "_{p}", NULL},
	{"ᵣ", "_{r}", NULL},   {"ₛ", "_{s}", NULL},   {"ₜ", "_{t}", NULL},   {"ᵤ", "_{u}", NULL},
	{"ᵥ", "_{v}", NULL},   {"ₓ", "_{x}", NULL},   {"₊", "_{+}", NULL},   {"₋", "_{-}", NULL},
	{"₍", "_{(}", NULL},   {"₎", "_{)}", NULL},   {"₌", "_{=}", NULL},   {"⁰", "{}^{0}", NULL},
	{"¹", "{}^{1}", NULL}, {"²", "{}^{2}", NULL}, {"³", "{}^{3}", NULL}, {"⁴", "{}^{4}", NULL},
	{"⁵", "{}^{5}", NULL}, {"⁶", "{}^{6}", NULL}, {"⁷", "{}^{7}", NULL}, {"⁸", "{}^{8}", NULL},
	{"⁹", "{}^{9}", NULL}, {"ᵃ", "{}^{a}", NULL}, {"ᵇ", "{}^{b}", NULL}, {"ᶜ", "{}^{c}", NULL},
	{"ᵈ", "{}^{d}", NULL}, {"ᵉ", "{}^{e}", NULL}, {"ᶠ", "{}^{f}", NULL}, {"ᵍ", "{}^{g}", NULL},
	{"ʰ", "{}^{h}", NULL}, {"ⁱ", "{}^{i}", NULL}, {"ʲ", "{}^{j}", NULL}, {"ᵏ", "{}^{k}", NULL},
	{"ˡ", "{}^{l}", NULL}, {"ᵐ", "{}^{m}", NULL}, {"ⁿ", "{}^{n}", NULL}, {"ᵒ", "{}^{o}", NULL},
	{"ᵖ", "{}^{p}", NULL}, {"ʳ", "{}^{r}", NULL}, {"ˢ", "{}^{s}", NULL}, {"ᵗ", "{}^{t}", NULL},
	{"ᵘ", "{}^{u}", NULL}, {"ᵛ", "{}^{v}", NULL}, {"ʷ", "{}^{w}", NULL}, {"ˣ", "{}^{x}", NULL},
	{"ʸ", "{}^{y}", NULL}, {"ᶻ", "{}^{z}", NULL}, {"⁺", "{}^{+}", NULL}, {"⁻", "{}^{-}", NULL},
	{"⁽", "{}^{(}", NULL}, {"⁾", "{}^{)}", NULL}, {"⁼", "{}^{=}", NULL}, {"ᴵ", "{}^{I}", NULL},
	{"ᴷ", "{}^{K}", NULL}, {"ᴼ", "{}^{O}", NULL}, {"ⱽ", "{}^{V}", NULL},
};

static const struct letter *sign_in(const struct letter *table, size_t n, const char *at)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(at, table[i].from, strlen(table[i].from)) == 0)
			return &table[i];
	return NULL;
}

static const struct letter *sign_at(const char *at)
{
	const struct letter *const s = sign_in(signs, sizeof signs / sizeof *signs, at);
	return s ? s : sign_in(scripts, sizeof scripts / sizeof *scripts, at);
}

/* Tells if OT1, the default encoding of fonts in LaTeX, cannot compose this letter. */
static bool needs_t1(uint32_t code)
{
	static const uint32_t there_not[] = {0xab,  0xbb,  0xd0,  0xde,	 0xf0,	0xfe,
					     0x104, 0x105, 0x110, 0x111, 0x118, 0x119,
					     0x12e, 0x12f, 0x14a, 0x14b, 0x172, 0x173};
	for (size_t i = 0; i < sizeof there_not / sizeof *there_not; i++)
		if (there_not[i] == code)
			return true;
	return false;
}

/* Returns what a letter needs: inputenc knows those of Latin-1 and of the languages of Latin-2;
 * other letters need an engine that reads Unicode. */
static enum tex_needs needs_of(uint32_t code)
{
	const bool known = code < 0x180 && code != 0x138 && code != 0x149 && code != 0x17f;
	return !known ? TEX_UNICODE : needs_t1(code) ? TEX_T1 : TEX_PLAIN;
}

static void note_need(struct tex *t, uint32_t code, const char *text)
{
	const enum tex_needs needs = needs_of(code);
	if (needs <= t->needs)
		return;
	t->needs = needs;
	t->needs_in = text;
}

/* Appends the letter at `at` as it is, and returns its bytes. */
static size_t add_letter(struct tex *t, struct strbuf *out, const char *at, const char *text)
{
	uint32_t code = 0;
	const size_t len = text_decode(at, strnlen(at, 4), &code);
	note_need(t, code, text);
	strbuf_add_n(out, at, len > 0 ? len : 1);
	return len > 0 ? len : 1;
}

/* Appends words that are written from right to left, which LaTeX has to be told, and returns their
 * bytes; 0: there are none at `at`. */
static size_t add_leftwards(struct tex *t, struct strbuf *out, const char *at, const char *text)
{
	const size_t len = isolate_run(at);
	if (len == 0)
		return 0;
	t->leftwards = true;
	strbuf_add(out, "\\posvizleftwards{");
	for (size_t i = 0; i < len;) {
		const struct letter *const s = sign_at(at + i);
		if (s)
			strbuf_printf(out, s->text ? "%s" : "$%s$", s->text ? s->text : s->math);
		i += s ? strlen(s->from) : add_letter(t, out, at + i, text);
	}
	strbuf_add_char(out, '}');
	return len;
}

const char *tex_text(struct tex *t, const char *text)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	for (const char *at = text; *at;) {
		const size_t run = add_leftwards(t, &out, at, text);
		const struct letter *const s = run > 0 ? NULL : sign_at(at);
		if (run > 0) {
			at += run;
			continue;
		}
		if (!s) {
			/* Separates two hyphens or apostrophes, which LaTeX would make a dash or a
			 * quotation mark. */
			const bool twice = (*at == '-' || *at == '\'') && at[1] == *at;
			at += add_letter(t, &out, at, text);
			strbuf_add(&out, twice ? "{}" : "");
			continue;
		}
		strbuf_printf(&out, s->text ? "%s" : "$%s$", s->text ? s->text : s->math);
		at += strlen(s->from);
	}
	return out.at;
}

/* ---- mathematics --------------------------------------------------------------------------------------- */

const char *tex_formula(struct tex *t, const char *formula)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	for (const char *at = formula; *at;) {
		const struct letter *const s = sign_at(at);
		if (*at == ' ') {
			strbuf_add(&out, "\\,");
			at++;
		} else if (strchr("_^{}", *at)) {
			/* The command for ⊤ has a superscript mark of its own. */
			if (*at == '^' && strncmp(at + 1, "⊤", strlen("⊤")) == 0)
				at++;
			else
				strbuf_add_char(&out, *at++);
		} else if (s) {
			strbuf_add(&out, s->math);
			at += strlen(s->from);
		} else {
			at += add_letter(t, &out, at, formula);
		}
	}
	return out.at;
}

static bool is_variable(const char *at, const char *begin)
{
	return *at && strchr("stqkijn", *at) && (at == begin || !isalnum((unsigned char)at[-1])) &&
	       !isalnum((unsigned char)at[1]) && (unsigned char)at[1] < 0x80;
}

/* Returns the bytes of "s − t", "s−t" or "s" at `at`; 0: there is no variable. */
static size_t variables_at(const char *at, const char *begin)
{
	static const char minus[] = "−";
	if (!*at || !strchr("stqkijn", *at) || (at > begin && isalnum((unsigned char)at[-1])))
		return 0;
	const char *const next = at + 1 + (at[1] == ' ');
	if (strncmp(next, minus, sizeof minus - 1) == 0) {
		const char *const second = next + sizeof minus - 1;
		const char *const letter = second + (*second == ' ');
		if (is_variable(letter, letter))
			return (size_t)(letter + 1 - at);
	}
	return is_variable(at, begin) ? 1 : 0;
}

const char *tex_title(struct tex *t, const char *title)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	for (const char *at = title, *from = title;; at++) {
		const size_t len = variables_at(at, title);
		if (*at && len == 0)
			continue;
		strbuf_add(&out, tex_text(t, arena_strndup(t->a, from, (size_t)(at - from))));
		if (!*at)
			return out.at;
		if (len == 1)
			strbuf_printf(&out, "$%c$", *at);
		else
			strbuf_printf(&out, "$%c-%c$", at[0], at[len - 1]);
		at += len - 1;
		from = at + 1;
	}
}

/* ---- lists, numbers, lengths --------------------------------------------------------------------------- */

/* Returns a list of keys, "{the$_1$},{cat}", separated by `between`. */
static const char *list_of(struct tex *t, const char *const *texts, size_t n, const char *between)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s{%s}", i > 0 ? between : "", tex_text(t, texts[i]));
	return out.at;
}

double tex_width(const struct tex *t, const char *text)
{
	static const double letter = 0.5; /* relative to the size of letters, as usual in text */
	return letter * t->letters * (double)text_width(text);
}

const char *tex_number(struct arena *a, double value)
{
	char text[32];
	return isfinite(value) ? arena_strdup(a, num_print(text, sizeof text, value)) : "nan";
}

void tex_ticks(struct tex *t, const char *axis, const double *at, const char *const *labels,
	       size_t n)
{
	if (n == 0) {
		strbuf_printf(&t->out, "\t%stick=\\empty,\n", axis);
		return;
	}
	strbuf_printf(&t->out, "\t%stick={", axis);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&t->out, "%s%s", i > 0 ? "," : "", tex_number(t->a, at[i]));
	strbuf_printf(&t->out, "}, %sticklabels={%s},\n", axis, list_of(t, labels, n, ","));
}

static void add_widest(struct tex *t, int number, const char *face, const char *const *texts,
		       size_t n)
{
	strbuf_printf(&t->out, "\\setbox%d\\hbox{%s\\begin{tabular}{@{}l@{}}%s\\end{tabular}}%%\n",
		      number, face, list_of(t, texts, n, "\\\\"));
}

void tex_widest(struct tex *t, int number, const char *const *texts, size_t n)
{
	add_widest(t, number, "", texts, n);
}

void tex_widest_bold(struct tex *t, int number, const char *const *texts, size_t n)
{
	add_widest(t, number, "\\bfseries", texts, n);
}
