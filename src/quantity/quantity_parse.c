/* quantity_parse.c: parsing "QUANTITY OP VALUE [± TOL]". A quantity is its name, the arguments
 * that its row of the table declares, and optional suffixes: head H, layer L, of N. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "quantity_in.h"

static const double exact = 1e-9; /* tolerance of whole numbers and of quantities */
enum { MOST = 1000000 };

static const char arrow[] = "\xE2\x86\x92", minus[] = "\xE2\x88\x92", plus_minus[] = "\xC2\xB1",
		  dash[] = "\xE2\x80\x93";

struct reader {
	const char *at;
	struct arena *a;
	struct err *err;
};

/* ---- words ----------------------------------------------------------------------------------- */

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t");
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool take(struct reader *r, const char *text)
{
	if (!begins(r->at, text))
		return false;
	r->at += strlen(text);
	return true;
}

static size_t word_length(const char *at)
{
	return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
}

/* Returns the next word, quoted for an error. */
static const char *shown(const struct reader *r)
{
	const size_t len = strcspn(r->at, " \t");
	return *r->at ? text_quote(r->a, r->at, len) : "the end";
}

static bool wanted(struct reader *r, const char *what)
{
	return err_set(r->err, "%s stands where %s would be right", shown(r), what);
}

static bool take_word(struct reader *r, const char **out)
{
	const size_t len = word_length(r->at);
	*out = arena_strndup(r->a, r->at, len);
	r->at += len;
	return len > 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Returns the next number, with a hyphen for its sign, without moving; "": there is none. */
static const char *number_ahead(const struct reader *r, size_t *bytes)
{
	const bool signed_ = begins(r->at, minus);
	const char *const digits =
		r->at + (signed_ ? strlen(minus) : *r->at == '-' || *r->at == '+');
	const size_t len = *digits == '-' ? 0 : num_length(digits, strlen(digits));
	*bytes = len > 0 ? (size_t)(digits - r->at) + len : 0;
	return arena_printf(r->a, "%s%.*s", signed_ || *r->at == '-' ? "-" : "", (int)len, digits);
}

static bool at_number(const struct reader *r)
{
	size_t bytes;
	number_ahead(r, &bytes);
	return bytes > 0;
}

static bool take_number(struct reader *r, const char **text, double *out, const char *what)
{
	size_t bytes;
	*text = number_ahead(r, &bytes);
	if (bytes == 0)
		return wanted(r, what);
	if (!num_parse_double(*text, strlen(*text), -HUGE_VAL, HUGE_VAL, out, r->err))
		return false;
	r->at += bytes;
	return true;
}

static bool take_whole(struct reader *r, long least, long *out, const char *what)
{
	const size_t sign = begins(r->at, minus) ? strlen(minus) : *r->at == '-' || *r->at == '+';
	const size_t len = strspn(r->at + sign, "0123456789");
	const char *const text = arena_printf(r->a, "%s%.*s", sign && *r->at != '+' ? "-" : "",
					      (int)len, r->at + sign);
	if (len == 0)
		return wanted(r, what);
	r->at += sign + len;
	return num_parse_long(text, strlen(text), least, MOST, out, r->err) ||
	       err_prefix(r->err, "%s: ", what);
}

/* Returns the number of decimals of "0.096", taking an exponent into account; 0: none. */
static int decimals_of(const char *number)
{
	const char *const point = strchr(number, '.');
	const char *const exponent = strpbrk(number, "eE");
	long power = 0;
	if (!point)
		return 0;
	if (exponent) {
		const char *const digits = exponent + 1 + (exponent[1] == '+');
		num_parse_long(digits, strlen(digits), -400, 400, &power, NULL);
	}
	return (int)((long)strspn(point + 1, "0123456789") - power);
}

/* ---- quoted texts
 * ----------------------------------------------------------------------------------- */

static bool closes(const char *after)
{
	return *after == '\0' || strchr(" \t#,", *after) || begins(after, arrow) ||
	       begins(after, "->") || begins(after, plus_minus) || strchr("=!<>", *after);
}

/* Reads a quoted text. A quotation mark inside, as in 'it''s', does not close it unless
 * something follows that may follow a text. */
static bool take_quoted(struct reader *r, const char **out, const char *what)
{
	if (*r->at != '\'')
		return wanted(r, what);
	const char *end = r->at + 1;
	while (*end && !(*end == '\'' && end > r->at + 1 && closes(end + 1)))
		end++;
	if (!*end)
		return err_set(r->err, "%s has no closing quotation mark",
			       text_quote(r->a, r->at, strlen(r->at)));
	*out = text_escape(r->a, r->at + 1, (size_t)(end - r->at - 1));
	r->at = end + 1;
	return true;
}

static bool take_place(struct reader *r, struct quantity_place *out)
{
	static const char what[] = "a position or a token, such as 3, 'dog' or 'the'#2,";
	*out = (struct quantity_place){0};
	if (*r->at != '\'')
		return take_whole(r, 1, &out->number, what);
	return take_quoted(r, &out->word, what) &&
	       (!take(r, "#") ||
		take_whole(r, 1, &out->number, "which of several such words, from 1,"));
}

static bool take_cell(struct reader *r, struct quantity *out)
{
	if (!take_place(r, &out->t))
		return false;
	skip_blanks(r);
	if (!take(r, arrow) && !take(r, "->"))
		return wanted(r, "an arrow, as in T→S or T->S,");
	skip_blanks(r);
	return take_place(r, &out->s);
}

/* Replaces every -- by –. */
static const char *replace_dashes(const char *text, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; text[i]; i++) {
		const bool two = text[i] == '-' && text[i + 1] == '-';
		if (two)
			strbuf_add(&b, dash);
		else
			strbuf_add_char(&b, text[i]);
		i += two;
	}
	return b.at;
}

static bool take_label(struct reader *r, const char **out)
{
	if (!take_quoted(r, out, "the label of a term, such as 'unit–unit',"))
		return false;
	*out = replace_dashes(*out, r->a);
	return true;
}

/* ---- quantities ------------------------------------------------------------------------------ */

static bool no_quantity(struct reader *r, const char *word)
{
	const char *names[64];
	size_t n = 0;
	for (const struct quantity_kind *k = quantity_kinds; k->name && n < 64; k++)
		names[n++] = k->name;
	const char *const near = text_nearest(word, names, n);
	const char *const quoted = text_quote(r->a, word, strlen(word));
	return near ? err_set(r->err, "no quantity %s; did you mean %s? posviz list quantities",
			      quoted, near)
		    : err_set(r->err, "no quantity %s; posviz list quantities", quoted);
}

static bool take_kind(struct reader *r, const struct quantity_kind **out)
{
	const char *word;
	if (!take_word(r, &word))
		return wanted(r, "a quantity, see posviz list quantities,");
	for (const struct quantity_kind *k = quantity_kinds; k->name; k++)
		if (strcmp(k->name, word) == 0) {
			*out = k;
			return true;
		}
	return no_quantity(r, word);
}

static bool take_matrix(struct reader *r, struct quantity *out)
{
	const char *const from = r->at;
	if (!take_kind(r, &out->matrix))
		return false;
	if (!out->matrix->matrix)
		return err_set(r->err, "%s is no matrix: %s is of one, such as weight or bias",
			       out->matrix->name, out->kind->name);
	for (size_t i = 0; out->matrix->args[i] != ARG_END; i++)
		if (out->matrix->args[i] == ARG_LABEL) {
			skip_blanks(r);
			return take_label(r, &out->label);
		}
	return r->at > from;
}

static bool take_pair(struct reader *r, struct quantity *out)
{
	if (!take_whole(r, 1, &out->first, "a pair of expressions, such as 1-2,"))
		return false;
	if (!take(r, "-") && !take(r, minus) && !take(r, dash))
		return wanted(r, "-, as in 1-2,");
	if (!take_whole(r, 1, &out->second, "the second expression of a pair, such as 1-2,"))
		return false;
	return out->first != out->second ||
	       err_set(r->err, "%ld-%ld is no pair of two expressions", out->first, out->second);
}

static bool take_argument(struct reader *r, enum argument arg, struct quantity *out)
{
	switch (arg) {
	case ARG_CELL:
		return take_cell(r, out);
	case ARG_T:
		return take_place(r, &out->t);
	case ARG_S:
		return take_place(r, &out->s);
	case ARG_NUMBER:
		return take_whole(r, 1, &out->number, "a number from 1");
	case ARG_DISTANCE:
		return take_whole(r, -MOST, &out->number, "a distance s − t, such as −1,");
	case ARG_LABEL:
		return take_label(r, &out->label);
	case ARG_MATRIX:
		return take_matrix(r, out);
	case ARG_TABLE:
		return take_word(r, &out->table) || wanted(r, "a table, such as rosendahl-4,");
	case ARG_ROW:
		return take_quoted(r, &out->row, "a row of the table in quotation marks");
	case ARG_COLUMN:
		return take_quoted(r, &out->column, "a column of the table in quotation marks");
	case ARG_PAIR:
		return take_pair(r, out);
	case ARG_END:
		break;
	}
	return true;
}

/* Takes the suffix word that is next, and returns where its number goes; NULL: none. */
static long *take_suffix_word(struct reader *r, struct quantity *out, const char **word)
{
	const struct {
		const char *word;
		long *to;
	} all[] = {{"head", &out->head}, {"layer", &out->layer}, {"of", &out->of}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (word_length(r->at) == strlen(all[i].word) && take(r, all[i].word)) {
			*word = all[i].word;
			return all[i].to;
		}
	return NULL;
}

/* Reads head H, layer L, of N, in any order, each at most once. */
static bool take_suffixes(struct reader *r, struct quantity *out)
{
	const char *word;
	skip_blanks(r);
	for (long *to; (to = take_suffix_word(r, out, &word)) != NULL; skip_blanks(r)) {
		if (*to)
			return err_set(r->err, "%s is said twice", word);
		skip_blanks(r);
		if (!take_whole(r, 1, to, "its number, from 1,"))
			return err_prefix(r->err, "%s: ", word);
	}
	return true;
}

static bool take_quantity(struct reader *r, struct quantity *out)
{
	const char *const from = r->at;
	*out = (struct quantity){0};
	if (!take_kind(r, &out->kind))
		return false;
	for (size_t i = 0; i < ARGUMENTS && out->kind->args[i] != ARG_END; i++) {
		skip_blanks(r);
		if (!take_argument(r, out->kind->args[i], out))
			return err_prefix(r->err, "%s %s: ", out->kind->name, out->kind->shown);
	}
	if (!take_suffixes(r, out))
		return false;
	size_t len = (size_t)(r->at - from);
	while (len > 0 && strchr(" \t", from[len - 1]))
		len--;
	out->text = text_escape(r->a, from, len);
	return true;
}

/* ---- expectations
 * ----------------------------------------------------------------------------------- */

static bool take_op(struct reader *r, enum expect_op *out)
{
	static const struct {
		const char *text;
		enum expect_op op;
	} all[] = {{"=", EXPECT_EQUAL}, {"!=", EXPECT_DIFFERENT}, {"<=", EXPECT_AT_MOST},
		   {"<", EXPECT_LESS},	{">=", EXPECT_AT_LEAST},  {">", EXPECT_MORE}};
	for (size_t i = 0; i < EXPECT_OPS; i++)
		if (take(r, all[i].text)) {
			*out = all[i].op;
			return true;
		}
	return wanted(r, "one of = != < <= > >=");
}

static bool is_ordered(enum expect_op op)
{
	return op != EXPECT_EQUAL && op != EXPECT_DIFFERENT;
}

/* Returns "bounded or unbounded", the possible words. */
static const char *words_of(const struct quantity_kind *k, struct arena *a)
{
	const char *out = "";
	for (size_t i = 0; i < WORDS && k->words[i]; i++)
		out = arena_printf(a, "%s%s%s", out, i ? " or " : "", k->words[i]);
	return out;
}

/* Returns the possible values of the quantity, for an error. */
static const char *possible_values(const struct quantity_kind *k, struct arena *a)
{
	return k->is == QUANTITY_PLACE	? "a position or a token"
	       : k->is == QUANTITY_WORD ? words_of(k, a)
	       : *k->words		? arena_printf(a, "a number or %s", words_of(k, a))
					: "a number";
}

static bool take_own_word(struct reader *r, const struct quantity_kind *k, const char **out)
{
	const size_t len = word_length(r->at);
	for (size_t i = 0; i < WORDS && k->words[i]; i++)
		if (strlen(k->words[i]) == len && begins(r->at, k->words[i])) {
			*out = k->words[i];
			r->at += len;
			return true;
		}
	return false;
}

static double tolerance_of(const struct expect *e, bool has_decimals)
{
	if (is_ordered(e->op))
		return exact;
	if (has_decimals)
		return 0.5 * pow(10, -e->decimals);
	return e->quantity.kind->percent && fabs(e->number) > 0 ? 0.5 : exact;
}

/* Reads another quantity, which must have the same kind of value; a word of one may be
 * impossible for the other. */
static bool take_other(struct reader *r, struct expect *e)
{
	const struct quantity_kind *const kind = e->quantity.kind;
	e->is = QUANTITY_ABSENT;
	if (!take_quantity(r, &e->other))
		return false;
	return e->other.kind->is == kind->is ||
	       err_set(r->err, "%s is %s, and %s is %s: they cannot be compared", kind->name,
		       possible_values(kind, r->a), e->other.kind->name,
		       possible_values(e->other.kind, r->a));
}

static bool take_value(struct reader *r, struct expect *e)
{
	const struct quantity_kind *const kind = e->quantity.kind;
	const char *number;
	e->tolerance = exact;
	if (take_own_word(r, kind, &e->word)) {
		e->is = QUANTITY_WORD;
	} else if (kind->is == QUANTITY_PLACE && (*r->at == '\'' || at_number(r))) {
		e->is = QUANTITY_PLACE;
		return take_place(r, &e->place);
	} else if (kind->is == QUANTITY_NUMBER && at_number(r)) {
		e->is = QUANTITY_NUMBER;
		if (!take_number(r, &number, &e->number, "a number"))
			return false;
		e->decimals = decimals_of(number);
		e->tolerance = tolerance_of(e, strchr(number, '.') != NULL);
	} else if (word_length(r->at) > 0 && !at_number(r)) {
		return take_other(r, e);
	} else {
		return wanted(r, possible_values(kind, r->a));
	}
	return true;
}

static bool take_tolerance(struct reader *r, struct expect *e)
{
	const char *text;
	skip_blanks(r);
	if (!take(r, plus_minus) && !take(r, "+-"))
		return true;
	skip_blanks(r);
	if (e->quantity.kind->is != QUANTITY_NUMBER || e->is == QUANTITY_WORD)
		return err_set(r->err, "± is for numbers");
	return take_number(r, &text, &e->tolerance, "a tolerance") &&
	       (e->tolerance >= 0 || err_set(r->err, "a tolerance is not negative"));
}

static bool at_end(struct reader *r)
{
	skip_blanks(r);
	return *r->at == '\0' ||
	       err_set(r->err, "%s is too much", text_quote(r->a, r->at, strlen(r->at)));
}

static bool has_order(struct reader *r, const struct expect *e)
{
	const bool number = e->is == QUANTITY_NUMBER ||
			    (e->is == QUANTITY_ABSENT && e->quantity.kind->is == QUANTITY_NUMBER);
	return number || !is_ordered(e->op) ||
	       err_set(r->err, "only numbers are less or more; = and != are for %s",
		       e->is == QUANTITY_PLACE ? "positions" : "words");
}

bool quantity_place_parse(const char **text, struct arena *a, struct quantity_place *out,
			  struct err *err)
{
	struct reader r = {.at = *text, .a = a, .err = err};
	skip_blanks(&r);
	const bool ok = take_place(&r, out);
	*text = r.at;
	return ok;
}

bool quantity_cell_parse(const char **text, struct arena *a, struct quantity_place *t,
			 struct quantity_place *s, struct err *err)
{
	struct reader r = {.at = *text, .a = a, .err = err};
	struct quantity cell;
	skip_blanks(&r);
	const bool ok = take_cell(&r, &cell);
	*text = r.at;
	if (ok) {
		*t = cell.t;
		*s = cell.s;
	}
	return ok;
}

bool quantity_whole_parse(const char **text, struct arena *a, long least, long *out,
			  struct err *err)
{
	struct reader r = {.at = *text, .a = a, .err = err};
	skip_blanks(&r);
	const bool ok = take_whole(&r, least, out, "a whole number");
	*text = r.at;
	return ok;
}

bool quantity_parse(const char *text, struct arena *a, struct quantity *out, struct err *err)
{
	struct reader r = {.at = text, .a = a, .err = err};
	skip_blanks(&r);
	return take_quantity(&r, out) && at_end(&r);
}

bool expect_parse(const char *text, struct arena *a, struct expect *out, struct err *err)
{
	struct reader r = {.at = text, .a = a, .err = err};
	*out = (struct expect){0};
	skip_blanks(&r);
	size_t len = strlen(r.at);
	while (len > 0 && strchr(" \t", r.at[len - 1]))
		len--;
	out->text = text_escape(a, r.at, len);
	if (!take_quantity(&r, &out->quantity) || !take_op(&r, &out->op))
		return false;
	skip_blanks(&r);
	return take_value(&r, out) && take_tolerance(&r, out) && has_order(&r, out) && at_end(&r);
}

bool expect_parse_number(const char *text, struct arena *a, struct expect *out, struct err *err)
{
	static const struct quantity_kind any = {.is = QUANTITY_NUMBER};
	struct reader r = {.at = text, .a = a, .err = err};
	*out = (struct expect){.text = text, .quantity = {.kind = &any}};
	skip_blanks(&r);
	if (!take_op(&r, &out->op))
		return false;
	skip_blanks(&r);
	return take_value(&r, out) && take_tolerance(&r, out) && at_end(&r);
}
