/* report.h: a report that is told once, and printed as lines for people or as values for programs.
 *
 * Each function adds to the forms that its name says, and does nothing for a report of another
 * form, so a command has one function that tells its findings, and no form of its own. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli.h"
#include "findings.h"

struct report {
	struct arena *arena;
	enum { REPORT_TEXT, REPORT_JSON, REPORT_CSV } form;
	size_t indent; /* columns of the label before a line's text */
	struct strbuf out;
	struct json_writer *json; /* of REPORT_JSON */
};
/* Begins a report in the format that was chosen, text unless it is json or csv. */
void report_init(struct report *r, const struct cli *c, struct arena *a, size_t indent);
/* Writes what was added since the last call; of JSON the whole value, so it is called once. */
bool report_write(struct report *r, const struct cli *c, struct err *err);

/* Add to text: words as they are, words wrapped into lines, and a line "  label   text", wrapped
 * behind the label. */
void report_say(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void report_wrap(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void report_line(struct report *r, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Add to JSON; `key` is NULL at the top and in arrays. report_open opens the object of a whole
 * report, which begins with the program's version. A word that is NULL is null. */
void report_open(struct report *r);
void report_object(struct report *r, const char *key);
void report_array(struct report *r, const char *key);
void report_end(struct report *r);
void report_word(struct report *r, const char *key, const char *word);
void report_number(struct report *r, const char *key, double number);
void report_bool(struct report *r, const char *key, bool value);

/* Add to text and JSON: a line with a label, which is also a word by a key. */
void report_fact(struct report *r, const char *label, const char *key, const char *text);
/* Adds rows to every form: a table, an array of objects, CSV. */
void report_rows(struct report *r, const char *key, const struct findings *rows);

#endif
