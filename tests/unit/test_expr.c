/* test_expr.c: expressions read, printed and expanded.
 *
 * What needs a parameter takes the first scheme of the registry that has one of the kind. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/scheme/scheme.h"

FIXTURE(open_arena, close_arena)

static struct expr parse(const char *text)
{
	struct expr e;
	struct err err = {0};
	if (!expr_parse(&e, text, &arena, &err))
		fail_msg("%s", err.text);
	return e;
}

static const char *canonical(const char *text)
{
	const struct expr e = parse(text);
	return expr_print(&e, &arena);
}

/* Fails unless reading `text` fails with a message that contains `part`. */
static void assert_error(const char *text, const char *part)
{
	struct expr e;
	struct err err = {0};
	if (expr_parse(&e, text, &arena, &err))
		fail_msg("\"%s\" was read", text);
	if (strstr(err.text, part) == NULL)
		fail_msg("\"%s\": %s", text, err.text);
	assert_false(expr_parse(&e, text, &arena, NULL));
}

TEST(expressions_have_one_canonical_text)
{
	static const struct {
		const char *text, *canonical;
	} cases[] = {
		{"none", "none"},
		{" none\t+ causal\n", "none+causal"},
		{"NOTHING+Causal", "none+causal"},
		{"none()+none( )", "none+none"},
		{"none(pos=depth)", "none(pos=depth)"},
		{"none ( pos = depth , heads = 2 )", "none(pos=depth,heads=2)"},
		{"none(heads=2,layers=odd,pos=depth)", "none(pos=depth,layers=odd,heads=2)"},
		{"none(layers=all,pos=seq,heads=all)", "none"},
		{"none(heads=[1,3])", "none(heads=[1,3])"},
		{"none(heads=[ 1, 3-4 ])", "none(heads=[ 1, 3-4 ])"},
		{"none:pos=depth", "none(pos=depth)"},
		{"t5:buckets=16", "t5(buckets=16)"},
		{"t5:buckets=16,max_distance=64", "t5(buckets=16,max_distance=64)"},
		{" t5 : buckets = 16 , pos = depth +causal", "t5(buckets=16,pos=depth)+causal"},
		{"rope:base=500+t5:buckets=16+none", "rope(base=500)+t5(buckets=16)+none"},
		{"none:heads=[1,3-4]", "none(heads=[1,3-4])"},
		{"formula:b=\"s+t\",op=mul", "formula(b=s+t,op=mul)"},
		{"formula:b=(s+t)+causal", "formula(b=(s+t))+causal"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *printed = canonical(cases[i].text);
		assert_string_equal(printed, cases[i].canonical);
		assert_string_equal(canonical(printed), printed);
	}
}

TEST(layers_and_heads_are_sets)
{
	static const struct {
		const char *text, *members; /* of the first 12, and of the last 4 */
	} cases[] = {
		{"none", "############ ####"},
		{"none(heads=all)", "############ ####"},
		{"none(heads=1)", "#........... ...."},
		{"none(heads=[1,3])", "#.#......... ...."},
		{"none(heads=2-4)", ".###........ ...."},
		{"none(heads=[1,3-4])", "#.##........ ...."},
		{"none(heads=256)", "............ ...#"},
		{"none(heads=1-256)", "############ ####"},
		{"none(heads=odd)", "#.#.#.#.#.#. #.#."},
		{"none(heads=even)", ".#.#.#.#.#.# .#.#"},
		{"none(heads=1/2)", "#.#.#.#.#.#. #.#."},
		{"none(heads=1-3/4)", "###.###.###. ###."},
		{"none(heads=[8/8,1])", "#......#.... ...#"},
		{"none(heads=255-256/3)", "............ ..##"},
		{"none(heads=1-3/1)", "############ ####"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct expr e = parse(cases[i].text);
		char found[] = "............ ....";
		for (size_t k = 0; k < SUBSET_MOST; k++)
			if (subset_has(&e.members[0].heads, k) && (k < 12 || k >= SUBSET_MOST - 4))
				found[k < 12 ? k : k - (SUBSET_MOST - 4) + 13] = '#';
		assert_string_equal(found, cases[i].members);
		assert_true(subset_same(e.members[0].layers, SUBSET_ALL));
	}
	assert_true(subset_same(parse("none(layers=2)").members[0].layers, subset_one(1)));
	assert_true(subset_same(parse("none(layers=70)").members[0].layers, subset_one(69)));
}

TEST(errors_point_at_their_place)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"", "column 1: a scheme must stand here, not the end"},
		{"  ", "column 3: a scheme"},
		{"+none", "+none: column 1: a scheme must stand here, not \"+\""},
		{"none+", "none+: column 6: a scheme must stand here, not the end"},
		{"none++causal", "column 6: a scheme"},
		{"none causal", "column 6: \"+\" or the end must stand here, not \"c\""},
		{"none)", "column 5: \"+\" or the end"},
		{"none+casual",
		 "none+casual: column 6: no scheme \"casual\"; did you mean \"causal\"?"},
		{"none(ps=depth)",
		 "none(ps=depth): column 6: none has no parameter \"ps\"; did you mean \"pos\"?"},
		{"none(zzzzzz=1)",
		 "column 6: none has no parameter \"zzzzzz\"; it takes pos, layers, heads"},
		{"none(pos)", "column 9: \"=\" and a value must follow pos, not \")\""},
		{"none(heads=1/0)", "column 12: 2, [1,3], 2-4, 1-3/4, odd, even or all: \"0\""},
		{"none(heads=1/)", "whole number"},
		{"none(pos=)", "column 10: a value must stand here, not \")\""},
		{"none(pos= ,heads=1)", "column 11: a value must stand here, not \",\""},
		{"none(=1)", "column 6: the name of a parameter must stand here, not \"=\""},
		{"none(pos=a,)", "column 12: the name of a parameter"},
		{"none(pos=a", "column 5: this \"(\" is never closed"},
		{"none:", "column 6: the name of a parameter must stand here, not the end"},
		{"none:+t5", "column 6: the name of a parameter must stand here, not \"+\""},
		{"none:pos", "column 9: \"=\" and a value must follow pos, not the end"},
		{"none:pos=", "column 10: a value must stand here, not the end"},
		{"none:pos=a,", "column 12: the name of a parameter must stand here, not the end"},
		{"none:pos=a)", "column 11: \"+\" or the end must stand here, not \")\""},
		{"none:pos=a,pos=b", "column 12: pos is given twice"},
		{"none:ps=a+t5", "column 6: none has no parameter \"ps\"; did you mean \"pos\"?"},
		{"none(pos=a):heads=1", "column 12: \"+\" or the end"},
		{"t5:buckets=x+rope", "column 12: buckets ("},
		{"none(", "column 6: the name of a parameter must stand here, not the end"},
		{"none(pos=a,pos=b)", "column 12: pos is given twice"},
		{"none(pos=3x)", "column 10: \"3x\" is not the name of a position column"},
		{"none(pos=[a)", "column 12: \")\" has no partner"},
		{"formula(-abs(s-t))", "column 9: a value needs its name; write b=..."},
		{"formula((s-t))", "column 9: a value needs its name"},
		{"formula(t==s)", "column 9: a value needs its name"},
		{"formula(op=add,s-t)", "column 16: a value needs its name"},
		{"formula(bb=1)", "did you mean \"b\"?"},
		{"formula(b)", "\"=\" and a value must follow b"},
		{"formula(,)", "the name of a parameter must stand here"},
		{"none(pos=(a])", "column 12: \"]\" has no partner"},
		{"none(pos=\"a)", "has no partner"},
		{"none(layers=0)",
		 "column 13: 2, [1,3], 2-4, 1-3/4, odd, even or all: \"0\" is out of "
		 "range, it must be from 1 to 256"},
		{"none(layers=257)", "from 1 to 256"},
		{"none(layers=4-2)", "4-2 runs backwards; write 2-4"},
		{"none(layers=2-)", "is not a whole number"},
		{"none(layers=[])", "an empty list"},
		{"none(layers=[1,])", "is not a whole number"},
		{"none(layers=some)", "\"some\" is not a whole number"},
		{"猫", "column 1: a scheme must stand here, not \"猫\""},
		{"none(pos=猫)+x", "column 10: \"猫\" is not the name"},
		{"none+\x1b[2J", "column 6: a scheme must stand here, not \"\\x1B\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_error(cases[i].text, cases[i].error);
}

TEST(members_are_bounded)
{
	char text[256] = "none";
	for (size_t i = 1; i < MODEL_MAX_MEMBERS; i++)
		strcat(text, "+none");
	assert_int_equal(parse(text).n, MODEL_MAX_MEMBERS);
	strcat(text, "+none");
	assert_error(text, "column 81: more than 16 members");
}

/* fox has a parameter causal of its own in the place of the one that every member takes. */
TEST(what_a_scheme_takes_is_listed_once)
{
	static const char end[] = "it takes start, causal, pos, layers, heads";
	struct expr e;
	struct err err = {""};
	assert_false(expr_parse(&e, "fox(zzzzzz=1)", &arena, &err));
	const char *const list = strstr(err.text, "it takes ");
	assert_non_null(list);
	assert_string_equal(list, end);
}

TEST(brackets_of_any_depth_are_survived)
{
	static char text[4096] = "none(pos=";
	memset(text + 9, '[', 256);
	assert_error(text, "column 265: \"[\" has no partner");
	memset(text + 9, '[', sizeof text - 10);
	assert_error(text, "column 266: more than 256 brackets in each other");
}

/* ---- over the registry ---- */

static const struct scheme *first_with(const struct value_kind *kind, const struct param **param)
{
	for (size_t i = 0; i < scheme_count(); i++)
		for (const struct param *p = scheme_at(i)->params; p != NULL && p->name != NULL;
		     p++)
			if (p->type.kind == kind) {
				*param = p;
				return scheme_at(i);
			}
	return NULL;
}

TEST(numbers_out_of_range_name_the_range)
{
	const struct param *p = NULL;
	const struct scheme *s = first_with(&value_integer, &p);
	if (s == NULL)
		skip();
	assert_error(arena_printf(&arena, "%s(%s=%ld)", s->id, p->name, (long)p->type.max + 1),
		     arena_printf(&arena, "column %zu: %s (%s): \"%ld\" is",
				  strlen(s->id) + strlen(p->name) + 3, p->name, p->help,
				  (long)p->type.max + 1));
}

TEST(misspelt_parameters_get_a_suggestion)
{
	for (size_t i = 0; i < scheme_count(); i++)
		for (const struct param *p = scheme_at(i)->params; p != NULL && p->name != NULL;
		     p++) {
			const struct scheme *s = scheme_at(i);
			const int len = (int)strlen(p->name) - 1;
			if (len < 3 || scheme_param(s, p->name, (size_t)len) != NULL)
				continue;
			assert_error(arena_printf(&arena, "%s(%.*s=1)", s->id, len, p->name),
				     arena_printf(&arena,
						  "%s has no parameter \"%.*s\"; did you mean \"",
						  s->id, len, p->name));
		}
}

TEST(every_scheme_is_read_by_its_name)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		const struct expr e = parse(s->id);
		assert_int_equal(e.n, 1);
		assert_ptr_equal(e.members[0].scheme, s);
		assert_string_equal(expr_print(&e, &arena), s->id);
	}
}

/* Defaults are left out, everything else is printed and read back. */
static void check_stepped(const struct scheme *s, const struct param *p, int direction)
{
	struct expr e = parse(s->id);
	struct expr_member *m = &e.members[0];
	if (!param_step(p, m->param, direction) || (s->check != NULL && !s->check(m->param, NULL)))
		return;
	const char *printed = expr_print(&e, &arena);
	assert_string_equal(printed, arena_printf(&arena, "%s(%s=%s)", s->id, p->name,
						  param_print(p, m->param, &arena)));
	assert_string_equal(canonical(printed), printed);
	assert_true(param_step(p, m->param, -direction) || p->type.kind == &value_text);
}

TEST(changed_parameters_are_printed_and_read_back)
{
	for (size_t i = 0; i < scheme_count(); i++)
		for (const struct param *p = scheme_at(i)->params; p != NULL && p->name != NULL;
		     p++) {
			check_stepped(scheme_at(i), p, 1);
			check_stepped(scheme_at(i), p, -1);
		}
}

TEST(combinations_expand_and_take_no_arguments)
{
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		if (s->expression == NULL)
			continue;
		struct expr e = parse(s->id);
		struct member members[MODEL_MAX_MEMBERS];
		size_t n = 0;
		assert_true(expr_members(&e, members, &n, &arena, NULL));
		assert_true(n > 0);
		assert_string_equal(canonical(s->expression), s->expression);
		assert_error(arena_printf(&arena, "%s(heads=1)", s->id), "takes no arguments");
	}
}

/* ---- members ---- */

static size_t expand(const char *text, struct member *out)
{
	struct expr e = parse(text);
	struct err err = {0};
	size_t n = 0;
	if (!expr_members(&e, out, &n, &arena, &err))
		fail_msg("%s", err.text);
	return n;
}

TEST(members_carry_what_the_model_wants)
{
	struct member m[MODEL_MAX_MEMBERS];
	assert_int_equal(expand("none+causal(pos=depth,layers=2,heads=odd)", m), 2);
	assert_string_equal(m[0].name, "none");
	assert_string_equal(m[0].text, "none");
	assert_string_equal(m[0].pos, "seq");
	assert_string_equal(m[1].name, "causal");
	assert_string_equal(m[1].text, "causal(pos=depth,layers=2,heads=odd)");
	assert_string_equal(m[1].pos, "depth");
	assert_true(subset_same(m[1].layers, subset_one(1)));
	assert_true(subset_has(&m[1].heads, 254) && !subset_has(&m[1].heads, 255));
	assert_non_null(m[1].hooks->mask);
	assert_int_equal(m[1].index, 1);
}

TEST(doubled_masks_are_one_and_names_are_unique)
{
	struct member m[MODEL_MAX_MEMBERS];
	assert_int_equal(expand("causal+none+causal", m), 2);
	assert_int_equal(expand("causal+causal(heads=1)", m), 2);
	assert_string_equal(m[1].name, "causal#2");
	assert_int_equal(expand("none+none+causal+none", m), 4);
	assert_string_equal(m[0].name, "none");
	assert_string_equal(m[1].name, "none#2");
	assert_string_equal(m[3].name, "none#3");
	assert_int_equal(m[3].index, 3);
}

TEST(the_main_member_is_the_first_that_is_no_mask)
{
	const struct expr with = parse("causal+none"), alone = parse("causal+causal(heads=1)");
	assert_string_equal(expr_main(&with)->scheme->id, "none");
	assert_ptr_equal(expr_main(&alone), &alone.members[0]);
}

TEST(causal_is_seen_by_flag_or_parameter)
{
	struct expr e = parse("none");
	assert_false(expr_is_causal(&e));
	e = parse("none+causal");
	assert_true(expr_is_causal(&e));
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		const struct param *p = scheme_param(s, "causal", 6);
		if (s->expression != NULL || (p == NULL && s->flags & SCHEME_CAUSAL))
			continue;
		e = parse(arena_printf(&arena, "%s(causal=on)", s->id));
		assert_true(expr_is_causal(&e));
		e = parse(arena_printf(&arena, "%s(causal=off)", s->id));
		assert_false(expr_is_causal(&e));
	}
}

/* A mask that is a mask and nothing else is printed as a member, however it was written. */
TEST(a_causal_mask_is_printed_in_one_way)
{
	static const struct {
		const char *text, *printed;
	} rows[] = {
		{"rope(causal=on)", "rope+causal"},
		{"rope(causal=off)", "rope"},
		{"window(width=6,causal=on,layers=1)", "window(width=6,layers=1)+causal(layers=1)"},
		{"gauss(causal=on,pos=w)+rope", "gauss(pos=w)+causal(pos=w)+rope"},
		{"alibi(causal=on)", "alibi"},
		{"alibi(causal=off)+causal", "alibi(causal=off)+causal"},
		{"t5(causal=on)", "t5(causal=on)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct expr e = parse(rows[i].text);
		assert_string_equal(expr_print(&e, &arena), rows[i].printed);
	}
	assert_error("rope(causal=maybe)",
		     "causal (the causal mask): \"maybe\" is neither on nor off");
	assert_error("rope(causal=on,causal=on)", "given twice");
}

TEST(files_are_named_from_a_folder_and_in_brief)
{
	static const struct {
		const char *text, *full, *brief;
	} rows[] = {
		{"matrix(from=x.csv)", "matrix(from=/a b/x.csv)", "matrix(from=x.csv)"},
		{"matrix(from=s/x.npy", NULL, NULL},
		{"rope+matrix(from=\"s/x, 1.npy\",as=bias)",
		 "rope+matrix(from=\"/a b/s/x, 1.npy\",as=bias)",
		 "rope+matrix(from=\"x, 1.npy\",as=bias)"},
		{"matrix(from=/x/y.csv)+causal", "matrix(from=/x/y.csv)+causal",
		 "matrix(from=y.csv)+causal"},
		{"matrix", "matrix", "matrix"},
		{"formula(b=s/t)", "formula(b=s/t)", "formula(b=s/t)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena a;
		struct expr e;
		arena_init(&a);
		if (rows[i].full) {
			assert_true(expr_parse(&e, rows[i].text, &a, NULL));
			assert_true(expr_files_from(&e, "/a b", &a) ==
				    (strcmp(rows[i].text, rows[i].full) != 0));
			assert_string_equal(expr_print(&e, &a), rows[i].full);
			assert_string_equal(expr_brief(rows[i].text, &a), rows[i].brief);
			assert_string_equal(expr_brief(rows[i].full, &a), rows[i].brief);
		} else {
			assert_false(expr_parse(&e, rows[i].text, &a, NULL));
			assert_string_equal(expr_brief(rows[i].text, &a), rows[i].text);
		}
		arena_release(&a);
	}
}
