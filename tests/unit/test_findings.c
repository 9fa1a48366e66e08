/* test_findings.c: the same rows as a table for people and as JSON. */
#include <string.h>

#include "help_arena.h"
#include "test.h"
#include "cli/findings.h"
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
