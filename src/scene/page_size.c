/* page_size.c: the size of a picture as text: pixels, or a length with its unit as journals give
 * it. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "scene_in.h"

static const struct {
	const char *name;
	double inches; /* 0: pixels */
} units[PAGE_UNITS] = {[PAGE_PX] = {"px", 0},
		       [PAGE_IN] = {"in", 1},
		       [PAGE_CM] = {"cm", 1 / 2.54},
		       [PAGE_MM] = {"mm", 1 / 25.4},
		       [PAGE_PT] = {"pt", 1 / 72.0}};

/* The largest is a little more than a sheet of A0; the smallest has room for one readable word. */
static const double most_inches = 60, least_inches = 0.5;

double page_inches(double length, enum page_unit unit)
{
	return length * units[unit].inches;
}

/* Returns the unit with this name: -1 for no letters, PAGE_UNITS for an unknown unit. */
static int unit_of(const char *text, size_t len)
{
	if (len == 0)
		return -1;
	for (int i = 0; i < PAGE_UNITS; i++)
		if (strlen(units[i].name) == len && memcmp(units[i].name, text, len) == 0)
			return i;
	return PAGE_UNITS;
}

/* The parts of "3.25in". */
struct side {
	const char *number;
	size_t len;
	int unit;
};

static struct side read_side(const char *text, size_t len)
{
	size_t digits = len;
	while (digits > 0 && isalpha((unsigned char)text[digits - 1]))
		digits--;
	return (struct side){text, digits, unit_of(text + digits, len - digits)};
}

static bool set_pixels(const struct side *s, const struct value_type *t, const char *which,
		       double *out, struct err *err)
{
	long side;
	if (!num_parse_long(s->number, s->len, (long)t->min, (long)t->max, &side, err))
		return err_prefix(err, "the %s: ", which);
	*out = (double)side;
	return true;
}

static bool set_length(const struct side *s, enum page_unit unit, const char *which, double *out,
		       struct err *err)
{
	const double inch = units[unit].inches;
	if (!num_parse_double(s->number, s->len, -1e300, 1e300, out, err))
		return err_prefix(err, "the %s: ", which);
	if (*out * inch >= least_inches && *out * inch <= most_inches)
		return true;
	return err_set(err, "the %s: %.*s%s is out of range: from %.4g%s to %.4g%s", which,
		       (int)(s->len < 20 ? s->len : 20), s->number, units[unit].name,
		       least_inches / inch, units[unit].name, most_inches / inch, units[unit].name);
}

static bool is_width(const struct value_type *t, double number, int unit)
{
	const double inches = number * units[unit].inches;
	return unit == PAGE_PX ? number >= t->min && number <= t->max
			       : inches >= least_inches && inches <= most_inches;
}

/* Lists the units in which the number is a valid width: "3in or 3cm"; "" for none. */
static void proposals(const struct value_type *t, const char *value, double number, char *out,
		      size_t size)
{
	int left = 0;
	size_t len = 0;
	for (int i = 0; i < PAGE_UNITS; i++)
		left += is_width(t, number, i);
	*out = '\0';
	for (int i = 0; i < PAGE_UNITS && len < size; i++)
		if (is_width(t, number, i))
			len += (size_t)snprintf(out + len, size - len, "%s%s%s", value,
						units[i].name,
						--left > 1  ? ", "
						: left == 1 ? " or "
							    : "");
}

static bool no_size(const struct value_type *t, const char *value, struct err *err)
{
	char quoted[80], widths[160];
	double number = 0;
	const size_t len = strlen(value);
	const bool bare = len > 0 && strspn(value, "0123456789.") == len;
	text_quote_buf(quoted, sizeof quoted, value, len);
	if (bare && len < 20 && num_parse_double(value, len, 0, 1e6, &number, NULL)) {
		proposals(t, value, number, widths, sizeof widths);
		if (*widths)
			return err_set(
				err, "%s has no unit; %s would be a width, 1600x1000 is in pixels",
				value, widths);
	}
	return err_set(err,
		       "%s is no size; give WIDTHxHEIGHT in pixels, such as 1600x1000, or a "
		       "width or both with in, cm, mm or pt: 3.25in, 84mm, 3.25x2in",
		       quoted);
}

static bool parse(const struct value_type *t, const char *text, size_t len, void *to,
		  struct arena *a, struct err *err)
{
	const char *const value = arena_strndup(a, text, len);
	const char *by = strchr(value, 'x');
	while (by && by > value && by[-1] == 'p') /* the x of "px" */
		by = strchr(by + 1, 'x');
	const struct side w = read_side(value, by ? (size_t)(by - value) : strlen(value));
	const struct side h = by ? read_side(by + 1, strlen(by + 1)) : w;
	const int unit = h.unit >= 0 ? h.unit : by ? PAGE_PX : -1;
	const bool alike = w.unit < 0 || w.unit == unit;
	struct page_size size = {.unit = (enum page_unit)unit};
	if (unit < 0 || unit == PAGE_UNITS || !alike || w.len == 0 || h.len == 0)
		return no_size(t, value, err);
	if (unit == PAGE_PX ? !set_pixels(&w, t, "width", &size.width, err)
			    : !set_length(&w, size.unit, "width", &size.width, err))
		return false;
	if (by && (unit == PAGE_PX ? !set_pixels(&h, t, "height", &size.height, err)
				   : !set_length(&h, size.unit, "height", &size.height, err)))
		return false;
	*(struct page_size *)to = size;
	return true;
}

static const char *print(const struct value_type *t, const void *from, struct arena *a)
{
	const struct page_size *const size = from;
	(void)t;
	const char *const unit =
		size->unit == PAGE_PX && size->height > 0 ? "" : units[size->unit].name;
	char w[40], h[40];
	num_print(w, sizeof w, size->width);
	num_print(h, sizeof h, size->height);
	return size->height > 0 ? arena_printf(a, "%sx%s%s", w, h, unit)
				: arena_printf(a, "%s%s", w, unit);
}

static bool equal(const void *a, const void *b)
{
	const struct page_size *const x = a, *const y = b;
	return x->unit == y->unit && fabs(x->width - y->width) <= 0 &&
	       fabs(x->height - y->height) <= 0;
}

static const char *range(const struct value_type *t, struct arena *a)
{
	char lo[32], hi[32];
	num_print(lo, sizeof lo, t->min);
	num_print(hi, sizeof hi, t->max);
	return arena_printf(a, "%sx%s to %sx%s, or a length", lo, lo, hi, hi);
}

const struct value_kind value_page_size = {.name = "size",
					   .size = sizeof(struct page_size),
					   .parse = parse,
					   .print = print,
					   .equal = equal,
					   .range = range};
