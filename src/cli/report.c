/* report.c: see report.h. */
#include "report.h"

#include <stdarg.h>
#include <string.h>

void report_init(struct report *r, const struct cli *c, struct arena *a, size_t indent)
{
	const bool csv = c->format && strcmp(c->format, "csv") == 0;
	*r = (struct report){.arena = a,
			     .form = output_is_json(c) ? REPORT_JSON
				     : csv	       ? REPORT_CSV
						       : REPORT_TEXT,
			     .indent = indent};
	strbuf_init(&r->out, a);
	if (r->form == REPORT_JSON)
		r->json = json_writer_new(a);
}

bool report_write(struct report *r, const struct cli *c, struct err *err)
{
	if (r->json)
		strbuf_printf(&r->out, "%s\n", json_writer_done(r->json, 2));
	const bool ok = r->form == REPORT_TEXT ? words_write(c, r->out.at, r->out.len, err)
					       : output_text(&r->out, err);
	strbuf_init(&r->out, r->arena);
	return ok;
}

/* ---- text ------------------------------------------------------------------------------------ */

void report_say(struct report *r, const char *fmt, ...)
{
	va_list args;
	if (r->form != REPORT_TEXT)
		return;
	va_start(args, fmt);
	strbuf_add(&r->out, arena_vprintf(r->arena, fmt, args));
	va_end(args);
}

void report_wrap(struct report *r, const char *fmt, ...)
{
	va_list args;
	if (r->form != REPORT_TEXT)
		return;
	va_start(args, fmt);
	words_wrap(&r->out, arena_vprintf(r->arena, fmt, args), 0);
	va_end(args);
}

void report_line(struct report *r, const char *label, const char *fmt, ...)
{
	va_list args;
	if (r->form != REPORT_TEXT)
		return;
	va_start(args, fmt);
	words_line(&r->out, r->indent, label, arena_vprintf(r->arena, fmt, args));
	va_end(args);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void report_open(struct report *r)
{
	report_object(r, NULL);
	report_word(r, "posviz", POSVIZ_VERSION);
}

void report_object(struct report *r, const char *key)
{
	if (r->json)
		json_writer_object(r->json, key);
}

void report_array(struct report *r, const char *key)
{
	if (r->json)
		json_writer_array(r->json, key);
}

void report_end(struct report *r)
{
	if (r->json)
		json_writer_end(r->json);
}

void report_word(struct report *r, const char *key, const char *word)
{
	if (r->json)
		json_writer_string(r->json, key, word);
}

void report_number(struct report *r, const char *key, double number)
{
	if (r->json)
		json_writer_number(r->json, key, number);
}

void report_bool(struct report *r, const char *key, bool value)
{
	if (r->json)
		json_writer_bool(r->json, key, value);
}

/* ---- both ------------------------------------------------------------------------------------ */

void report_fact(struct report *r, const char *label, const char *key, const char *text)
{
	report_line(r, label, "%s", text);
	report_word(r, key, text);
}

void report_rows(struct report *r, const char *key, const struct findings *rows)
{
	if (r->json)
		findings_json(rows, r->json, key);
	else if (r->form == REPORT_CSV)
		findings_csv(rows, &r->out);
	else
		findings_table(rows, 0, rows->n, &r->out);
}
