/* test_weight_stream.c: products whose weights are read block by block: what happens when reading fails or
 * nobody waits for the result any more. */
#include <stdatomic.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/app/app.h"
#include "posviz/math/machine.h"

FIXTURE(open_arena, close_arena)

/* A source that counts the blocks, and does something with one of them. */
static struct {
	const struct weight_source *of;
	struct watch watch;
	atomic_size_t blocks;
	size_t fail_at, cancel_at; /* the number of a block, from 1; 0: none */
} spy;

static bool spied_rows(const struct weight_source *s, size_t layer, enum weight which, size_t outs,
		       size_t first, struct mat out, struct err *err)
{
	const size_t now = 1 + atomic_fetch_add(&spy.blocks, 1);
	if (now == spy.cancel_at)
		watch_cancel(&spy.watch);
	if (now == spy.fail_at)
		return err_set(err, "block %zu is gone", now);
	return spy.of->rows(s, layer, which, outs, first, out, err);
}

static void open_model(struct built *b, const char *model, struct weight_source *own)
{
	struct scene scene;
	struct err err = {""};
	const char *said;
	scene_init(&scene);
	if (!app_configuration(&scene, arena_printf(&arena, "%s/models/%s", test_data, model),
			       &arena, &said, &err) ||
	    !scene_set(&scene, field_find("ids"), "3 17 5 9", &err) ||
	    !setup_build(&scene.setup, &arena, b, &err))
		fail_msg("%s: %s", model, err.text);
	spy.of = b->given.source;
	*own = *spy.of;
	own->rows = spied_rows;
	b->given.source = own;
	b->model.given = &b->given;
	spy.fail_at = spy.cancel_at = 0;
	spy.blocks = 0;
	watch_begin(&spy.watch);
}

static bool run(const struct built *b, struct trace *trace, struct err *err)
{
	static const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	return built_run(b, &b->model_input, &want, NULL, &spy.watch, &arena, trace, err);
}

static const char *const models[] = {"bert-bare", "gpt2"}; /* [out, in] and [in, out] */

TEST(a_block_that_cannot_be_read_is_the_error_of_the_run)
{
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		struct built b;
		struct weight_source own;
		struct trace trace;
		struct err err = {""};
		open_model(&b, models[i], &own);
		assert_true(run(&b, &trace, &err));
		const size_t all = spy.blocks;
		assert_true(all >= 12);
		for (size_t at = 1; at <= all; at++) {
			spy.blocks = 0;
			spy.fail_at = at;
			assert_false(run(&b, &trace, &err));
			assert_string_equal(err.text,
					    arena_printf(&arena, "block %zu is gone", at));
			assert_false(trace.cancelled);
		}
	}
}

/* Behind a cancellation no block is begun: each thread ends the one that it has. */
TEST(a_cancelled_pass_reads_no_more_blocks)
{
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		struct built b;
		struct weight_source own;
		struct trace trace;
		struct err err = {""};
		open_model(&b, models[i], &own);
		for (size_t at = 1; at <= 12; at++) {
			spy.blocks = 0;
			spy.cancel_at = at;
			watch_begin(&spy.watch);
			assert_false(run(&b, &trace, &err));
			assert_true(trace.cancelled);
			assert_true(spy.blocks <= at + machine_threads());
		}
	}
}
