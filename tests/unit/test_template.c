/* test_template.c: places of a text that tables fill. */
#include <string.h>

#include "cli/template.h"
#include "help_arena.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

static void add_word(struct strbuf *out)
{
	strbuf_add(out, "word");
}

static void add_lines(struct strbuf *out)
{
	strbuf_add(out, "one\ntwo\n");
}

static void add_nothing(__attribute__((unused)) struct strbuf *out)
{
}

TEST(places_are_filled_and_one_alone_on_its_line_ends_it)
{
	static const struct slot slots[] = {
		{"w", add_word}, {"the lines", add_lines}, {"none", add_nothing}, {0}};
	static const struct {
		const char *text, *filled;
	} cases[] = {
		{"", ""},
		{"no place {w} @w $", "no place {w} @w $"},
		{"a @{w}, @{w}.", "a word, word."},
		{"@{w}", "word"},
		{"a\n@{the lines}\nb\n", "a\none\ntwo\nb\n"},
		{"@{the lines}\n", "one\ntwo\n"},
		{"a\n@{none}\nb", "a\nb"},
		{"a @{the lines}\nb", "a one\ntwo\n\nb"},
		{"@{the lines} b", "one\ntwo\n b"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf out;
		strbuf_init(&out, &arena);
		template_fill(&out, cases[i].text, slots);
		assert_string_equal(out.at, cases[i].filled);
	}
}
