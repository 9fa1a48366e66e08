/* test_findings.c: the same rows as a table for people and as JSON. */
#include <math.h>
#include <string.h>

#include "help_arena.h"
#include "test.h"
#include "cli/report.h"
#include "cli/show.h"

FIXTURE(open_arena, close_arena)

static const struct finding_column columns[] = {
	{"name", "name"}, {NULL, "number"}, {"value", "value"}, {"", "ok"}, {NULL, "why"}};

static struct findings some(void)
{
	struct findings f;
	findings_init(&f, &arena, columns, sizeof columns / sizeof *columns);
	findings_add(&f, (const struct finding_cell[]){
				 finding_words("first", "a.first"), finding_number(NULL, 1.5),
				 finding_answer(ANSWER_UNSAID), finding_bool("ok", true),
				 finding_word(NULL)});
	findings_note(&f, 2, "(a note)");
	findings_add(&f, (const struct finding_cell[]){
				 finding_word("b"), finding_words("none", NULL),
				 finding_answer(ANSWER_YES), finding_bool("FALSE", false),
				 finding_word("so")});
	return f;
}

TEST(the_table_has_the_columns_with_a_head)
{
	const struct findings f = some();
	struct strbuf out;
	strbuf_init(&out, &arena);
	findings_table(&f, 0, f.n, &out);
	assert_string_equal(out.at, "  name   value\n"
				    "  first  -         ok\n"
				    "         (a note)\n"
				    "  b      yes       FALSE\n");
	strbuf_init(&out, &arena);
	findings_table(&f, 2, 3, &out);
	assert_string_equal(out.at, "  name  value\n  b     yes    FALSE\n");
}

TEST(json_has_the_columns_with_a_key_and_no_notes)
{
	const struct findings f = some();
	struct json_writer *const w = json_writer_new(&arena);
	json_writer_object(w, NULL);
	findings_json(&f, w, "rows");
	json_writer_end(w);
	assert_string_equal(
		json_writer_done(w, 0),
		"{\"rows\":[{\"name\":\"a.first\",\"number\":1.5,\"value\":null,\"ok\":true,\"why\":"
		"null},{\"name\":\"b\",\"number\":null,\"value\":true,\"ok\":false,\"why\":\"so\"}]}");
}

/* Columns of a group are an object, null where the first is; CSV has digits where the text is
 * rounded, and no margin. */
TEST(groups_are_objects_and_csv_has_digits)
{
	static const struct finding_column grouped[] = {{"name", "name"},
							{"time", "time.ratio", .rounded = true},
							{NULL, "time.low"},
							{"share", "share"}};
	struct findings f;
	struct strbuf out;
	findings_init(&f, &arena, grouped, sizeof grouped / sizeof *grouped);
	findings_add(&f, (const struct finding_cell[]){
				 finding_word("a"), finding_known("1.3", 1.25),
				 finding_number(NULL, 1), finding_known("0.50", 0.5)});
	findings_add(&f, (const struct finding_cell[]){finding_word("b"), finding_known("", NAN),
						       finding_number(NULL, 2),
						       finding_known("", NAN)});
	strbuf_init(&out, &arena);
	findings_csv(&f, &out);
	assert_string_equal(out.at, "name,time,share\na,1.25,0.50\nb,,\n");
	struct json_writer *const w = json_writer_new(&arena);
	findings_json(&f, w, NULL);
	assert_string_equal(json_writer_done(w, 0),
			    "[{\"name\":\"a\",\"time\":{\"ratio\":1.25,\"low\":1},\"share\":0.5},"
			    "{\"name\":\"b\",\"time\":null,\"share\":null}]");
	strbuf_init(&out, &arena);
	f.margin = "";
	findings_table(&f, 0, 1, &out);
	assert_string_equal(out.at, "name  time  share\na     1.3   0.50\n");
}

/* Adds something of every kind, as a command does, whatever the form. */
static void tell(struct report *r)
{
	const struct findings f = some();
	report_open(r);
	report_say(r, "%s:\n", "head");
	report_fact(r, "label", "key", "a text");
	report_line(r, "line", "%d", 1);
	report_number(r, "number", 2);
	report_array(r, "list");
	report_bool(r, NULL, true);
	report_end(r);
	report_word(r, "none", NULL);
	report_rows(r, "rows", &f);
	report_wrap(r, "the %s", "end");
	report_end(r);
}

TEST(a_report_is_told_once_in_every_form)
{
	static const struct {
		const char *format, *text;
	} forms[] = {{NULL,
		      "head:\n  label   a text\n  line    1\n  name   value\n  first  -         "
		      "ok\n         (a note)\n  b      yes       FALSE\nthe end\n"},
		     {"csv", "name,value,\nfirst,-,ok\n,(a note),\nb,yes,FALSE\n"},
		     {"json", "{\"posviz\":\"" POSVIZ_VERSION
			      "\",\"key\":\"a text\",\"number\":2,\"list\":[true],\"none\":null,"
			      "\"rows\":[{\"name\":\"a.first\",\"number\":1.5,\"value\":null,"
			      "\"ok\":true,\"why\":null},{\"name\":\"b\",\"number\":null,"
			      "\"value\":true,\"ok\":false,\"why\":\"so\"}]}"}};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const struct cli c = {.format = forms[i].format};
		struct report r;
		report_init(&r, &c, &arena, 10);
		tell(&r);
		assert_string_equal(r.json ? json_writer_done(r.json, 0) : r.out.at, forms[i].text);
	}
}

/* A reason stands in the table below its claim, and only of a claim that has one. */
TEST(a_claim_without_a_reason_has_no_note)
{
	static const struct verdict verdicts[] = {
		{.claim = "relative", .found = "0", .ok = true},
		{.claim = "bounded", .found = "1", .why = "it grows", .ok = true}};
	struct strbuf out;
	for (int found = 0; found < 2; found++) {
		const struct findings f = findings_of_verdicts(verdicts, 2, found, &arena);
		strbuf_init(&out, &arena);
		findings_table(&f, 0, f.n, &out);
		assert_null(strstr(out.at, "null"));
		assert_int_equal(strstr(out.at, "(it grows)") != NULL, found);
	}
}
