/* test_expr_kept.c: an expression is parsed once for all readers of its text. */
#include <string.h>

#include "help_arena.h"
#include "help_setup.h"
#include "help_view.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

static const struct expr *of(const char *text)
{
	struct err err = {""};
	const struct expr *const e = expr_of(text, &arena, &err);
	if (!e)
		fail_msg("%s", err.text);
	return e;
}

/* The text of a scene is parsed when it is set, and a model, built as often as one likes, has that
 * value: the same words of its heads. */
TEST(a_model_has_the_expression_that_was_parsed_with_its_text)
{
	const struct scene s = help_scene("rope(base=500,heads=1)+causal", "");
	const struct expr *const e = of(s.setup.scheme);
	assert_ptr_equal(e, of(arena_strdup(&arena, "rope(base=500,heads=1)+causal")));
	for (size_t i = 0; i < 2; i++) {
		struct scene other = s;
		other.setup.proj = PROJ_RANDOM;
		const struct built b = help_build(i == 0 ? &s : &other);
		assert_int_equal(b.expr.n, 2);
		assert_ptr_equal(b.expr.members[0].heads_text, e->members[0].heads_text);
	}
	assert_string_equal(expr_print(e, &arena), s.setup.scheme);
}

/* A file is read into the parameters of the model alone: the value that all have stays, although a
 * model's memory goes. */
TEST(a_file_is_read_into_parameters_of_the_models_own)
{
	const char *const file = help_save_all((const struct help_shaped[]){{"m", 4, 4}}, 1);
	const char *const text = arena_printf(&arena, "matrix(from=%s,as=bias)", file);
	const struct expr *const e = of(text);
	const size_t size = e->members[0].scheme->param_size;
	char *const before = arena_alloc(&arena, size);
	memcpy(before, e->members[0].param, size);
	const struct scene s = help_scene(text, "layers 1");
	const struct built b = help_build(&s);
	assert_int_equal(b.members[0].units, 4);
	assert_ptr_not_equal(b.members[0].param, e->members[0].param);
	assert_memory_equal(before, e->members[0].param, size);
}

TEST(a_wrong_text_is_refused_as_by_parsing)
{
	struct expr parsed;
	struct err one = {""}, two = {""};
	for (size_t i = 0; i < 2; i++) {
		assert_null(expr_of("rope+", &arena, &one));
		assert_false(expr_parse(&parsed, "rope+", &arena, &two));
		assert_string_equal(one.text, two.text);
		assert_null(expr_of("rope+", &arena, NULL));
	}
	assert_int_equal(of("rope")->n, 1);
}

/* A name of the user's own is read anew when it means something else; who still has the earlier
 * value can read it. */
TEST(a_new_meaning_of_a_name_is_parsed_anew)
{
	struct err err = {""};
	assert_true(define_set("mine", "rope(base=500)", &err));
	const struct expr *const before = of("mine+causal");
	assert_string_equal(expr_print(before, &arena), "rope(base=500)+causal");
	assert_true(define_set("mine", "t5", &err));
	assert_string_equal(expr_print(of("mine+causal"), &arena), "t5+causal");
	assert_string_equal(expr_print(before, &arena), "rope(base=500)+causal");
	assert_true(define_remove("mine", &err));
	assert_null(expr_of("mine+causal", &arena, &err));
}

/* As many texts as one likes are read; those beyond the room that there is go into the caller's
 * memory. */
TEST(more_texts_than_are_kept_are_read)
{
	enum { TEXTS = 2500 };
	struct arena own;
	arena_init(&own);
	for (int i = 1; i <= TEXTS; i++) {
		const char *const text = arena_printf(&arena, "alibi+rope(base=%d)", 1000 + i);
		const struct expr *const e = expr_of(text, &own, NULL);
		assert_non_null(e);
		assert_string_equal(expr_print(e, &arena), text);
	}
	assert_true(own.used > 0);
	const size_t used = own.used;
	assert_ptr_equal(expr_of("alibi+rope(base=1001)", &own, NULL), of("alibi+rope(base=1001)"));
	assert_int_equal(own.used, used);
	arena_release(&own);
}
