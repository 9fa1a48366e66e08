/* test_markdown.c: text from outside in Markdown: no sign of it is mark-up. What is right is worked out by the
 * specification of CommonMark 0.31, GitHub's own (GFM 0.29), and what GitHub documents of mathematics. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/markdown.h"

FIXTURE(open_arena, close_arena)

static const char *shown(const char *text, bool starts)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	markdown_add(&b, text, starts);
	return b.at;
}

/* A line at the start of a paragraph. */
TEST(no_sign_is_mark_up)
{
	static const struct {
		const char *text, *markdown;
	} rows[] = {
		{"plain words, (with brackets) - and a dash!",
		 "plain words, (with brackets) - and a dash!"},
		/* lists, and what only looks like one */
		{"- list", "\\- list"},
		{"-", "\\-"},
		{"+ list", "\\+ list"},
		{"* list", "\\* list"},
		{"1. list", "1\\. list"},
		{"12) list", "12\\) list"},
		{"1.", "1\\."},
		{"1.5 is a number", "1.5 is a number"},
		{"1234567890. is none", "1234567890. is none"},
		{"-1 and +1", "-1 and +1"},
		{"- [ ] task", "\\- \\[ \\] task"},
		/* headings, rules, quotes, code, HTML, tables */
		{"# heading", "\\# heading"},
		{"words ##", "words \\#\\#"},
		{"---", "\\---"},
		{"- - -", "\\- - -"},
		{"***", "\\*\\*\\*"},
		{"___", "\\_\\_\\_"},
		{"> quote", "\\> quote"},
		{"```math", "\\`\\`\\`math"},
		{"~~~", "\\~\\~\\~"},
		{"<b>bold</b>", "\\<b\\>bold\\</b\\>"},
		{"<!-- gone", "\\<!-- gone"},
		{"| a | b |", "\\| a \\| b \\|"},
		{"[x]: /url", "\\[x\\]: /url"},
		{"[^1] note", "\\[^1\\] note"},
		/* within a line */
		{"*a* _b_ **c** ~~d~~ `e`", "\\*a\\* \\_b\\_ \\*\\*c\\*\\* \\~\\~d\\~\\~ \\`e\\`"},
		{"[a](b) ![c](d)", "\\[a\\](b) !\\[c\\](d)"},
		{"&lt; &#60; &#x3C; R&D a & b", "\\&lt; \\&\\#60; \\&\\#x3C; R\\&D a & b"},
		{"a\\b \\* end\\", "a\\\\b \\\\\\* end\\\\"},
		/* GitHub's mathematics looks at dollars before it looks at backslashes */
		{"$x$", "<span>$</span>x<span>$</span>"},
		{"$$x$$", "<span>$</span><span>$</span>x<span>$</span><span>$</span>"},
		{"5 $", "5 <span>$</span>"},
		{"$`x`$", "<span>$</span>\\`x\\`<span>$</span>"},
		{"\\(x\\) \\[x\\]", "\\\\(x\\\\) \\\\\\[x\\\\\\]"},
		/* links of GitHub's own */
		{"see https://x.org/a_b~c.", "see <https://x.org/a_b~c>."},
		{"(http://x.org/$y)", "(<http://x.org/><span>$</span>y)"},
		{"ftp://x.org<b>", "<ftp://x.org>\\<b\\>"},
		{"http://", "http\\://"},
		{"www.x.org", "www\\.x.org"},
		{"a@b.org", "a<span>@</span>b.org"},
		{"mailto:a@b.org xmpp:a@b.org",
		 "mailto\\:a<span>@</span>b.org xmpp\\:a<span>@</span>b.org"},
		/* what lies beyond ASCII is nothing to Markdown */
		{"猫 – “é” · ±", "猫 – “é” · ±"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(shown(rows[i].text, true), rows[i].markdown);
}

/* Behind "3. " of a heading, or in a cell, signs of blocks are none. */
TEST(within_a_line_a_dash_is_a_dash)
{
	assert_string_equal(shown("- a", false), "- a");
	assert_string_equal(shown("1. a", false), "1. a");
	assert_string_equal(shown("# a", false), "\\# a");
}

TEST(code_is_read_as_it_is)
{
	static const struct {
		const char *text, *code;
	} rows[] = {
		{"rope", "`rope`"},
		{"`", "`` ` ``"},
		{"a``b", "```a``b```"},
		{"a|b \\|", "`a\\|b \\\\|`"},
		{" a ", "`  a  `"},
		{" a", "` a`"},
		{"$x$ <b> &lt;", "`$x$ <b> &lt;`"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf b;
		strbuf_init(&b, &arena);
		markdown_add_code(&b, rows[i].text, true);
		assert_string_equal(b.at, rows[i].code);
	}
}

/* Every sign, at the start and within: taking the escapes away again gives the text, and no sign that has a meaning is
 * left alone. */
TEST(nothing_is_lost_of_any_signs)
{
	static const char signs[] = "a1 -+.)*_`~#>|[]<!&;$@:/\\";
	const size_t n = sizeof signs - 1;
	for (size_t i = 0; i < n * n * n; i++) {
		const char text[] = {signs[i / n / n], signs[i / n % n], signs[i % n], '\0'};
		char back[64] = "";
		size_t len = 0;
		for (const char *at = shown(text, true); *at;) {
			if (strncmp(at, "<span>", 6) == 0) {
				back[len++] = at[6];
				at += 14;
				continue;
			}
			if (strchr("*_`~#>|[]<", *at))
				fail_msg("\"%s\" gives \"%s\"", text, shown(text, true));
			at += *at == '\\';
			back[len++] = *at++;
		}
		assert_string_equal(back, text);
	}
}
