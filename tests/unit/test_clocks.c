/* test_clocks.c: pairs of columns that are turned, against the angles of the paper; and the view of dials. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/turns.h"

FIXTURE(open_arena, close_arena)

static const struct picture *picture_of(const char *expression, const char *lines)
{
	return help_picture(&arena, expression, arena_printf(&arena, "view clocks\n%s", lines));
}

/* A hand goes from where it was the way that it rotates: by 5 rad and not back by 2π − 5. */
TEST(hands_go_the_way_of_their_rotation)
{
	static const double t = 5, s = 1;
	const double round = 2 * acos(-1);
	const struct picture *const p = picture_of("rope", "row 6\ncol 2\n");
	const struct dials *const d = &p->figure.panels[0].dials;
	assert_int_equal(d->n, 8);
	for (size_t i = 0; i < d->n; i++) {
		const double theta = pow(10000, -(double)i / 8);
		const struct dial_hand *const h = d->at[i].hands;
		assert_within(h[0].after - h[0].before, fmod(t * theta, round), 1e-9);
		assert_within(h[1].after - h[1].before, fmod(s * theta, round), 1e-9);
	}
}

/* Within half a turn. */
static double wrapped(double degrees)
{
	return degrees - 360 * nearbyint(degrees / 360);
}

/* Su et al. 2021, equation 15: a key at s is turned by s θ_i, a query at t by t θ_i, θ_i = B^(−2i/d). */
TEST(pairs_are_turned_by_their_place)
{
	static const struct {
		const char *expression;
		size_t pairs;
		double base;
	} cases[] = {{"rope", 8, 10000},	 {"rope(layout=half)", 8, 10000},
		     {"rope(base=500)", 8, 500}, {"rope(partial=0.5)", 4, 10000},
		     {"tape", 8, 10000},	 {"xpos", 8, 10000}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct picture *const p = picture_of(cases[i].expression, "");
		const struct trace_head *const head = &p->trace.layers[0].heads[0];
		for (size_t t = 0; t < 9; t += 4)
			for (size_t s = 0; s < 9; s++) {
				const struct turned of = {&p->trace, head, t, s};
				struct turn *turns;
				double before, sum = 0, was = 0;
				const size_t n = turned_pairs(&of, &arena, &turns);
				assert_true(turned_before(&of, &before) && n >= cases[i].pairs);
				for (size_t k = 0; k < n; k++) {
					const double theta =
						k < cases[i].pairs
							? pow(cases[i].base,
							      -(double)k / (double)cases[i].pairs)
							: 0;
					const double by = ((double)s - (double)t) * theta;
					assert_within(wrapped(turns[k].angle - by * 180 / acos(-1)),
						      0, 1e-6);
					assert_within(wrapped((turns[k].query.after -
							       turns[k].query.before -
							       (double)t * theta) *
							      180 / acos(-1)),
						      0, 1e-6);
					sum += turns[k].after;
					was += turns[k].before;
				}
				assert_within(sum, turned_after(&of), 1e-12);
				assert_within(was, before, 1e-12);
				assert_within(sum, mat_row(head->logits, t)[s], 1e-12);
			}
	}
}

/* What is between the hands hangs on how far apart two words stand: the same two units, moved together. */
TEST(moving_both_words_moves_no_angle)
{
	const struct picture *const p = picture_of("rope", "sentence a b c a b c a b\n");
	for (size_t k = 0; k < 8; k++) {
		double first = NAN;
		for (size_t t = 0; t + 4 < 8; t += 3) {
			const struct turned of = {&p->trace, &p->trace.layers[0].heads[0], t,
						  t + 4};
			struct turn *turns;
			assert_int_equal(turned_pairs(&of, &arena, &turns), 8);
			const double angle = wrapped((turns[k].key.after - turns[k].query.after) *
						     180 / acos(-1));
			if (t > 0)
				assert_within(wrapped(angle - first), 0, 1e-6);
			first = angle;
		}
	}
}

/* DeepSeek-AI 2024, equation 43: columns beside the content rotate, by s θ_i; the logit is the sum of both products. */
TEST(columns_beside_the_content_rotate)
{
	const struct picture *const p = picture_of("mla(rope=4)", "row 6\ncol 3\n");
	const struct trace_head *const head = &p->trace.layers[0].heads[0];
	struct turned of = {&p->trace, head, 5, 2};
	struct turn *turns;
	double before, sum = 0;
	assert_string_equal(turned_find(&of)->name, "mla");
	assert_true(of.change == TURNED_BESIDE && turned_before(&of, &before));
	assert_int_equal(turned_pairs(&of, &arena, &turns), 2);
	for (size_t i = 0; i < 2; i++) {
		const double by = (2.0 - 5.0) * pow(10000, -(double)i / 2);
		assert_within(wrapped(turns[i].angle - by * 180 / acos(-1)), 0, 1e-6);
		sum += turns[i].after;
	}
	assert_within(sum, turned_after(&of), 1e-12);
	const double content =
		p->trace.c * mat_dot(mat_rows(head->q, 5, 1), mat_rows(head->k, 2, 1));
	assert_within(content + sum, mat_row(head->logits, 5)[2], 1e-12);
	assert_true(fabs(before - sum) > 1e-6);
	const struct panel *const dials = &p->figure.panels[0];
	assert_int_equal(dials->dials.n, 2);
	assert_non_null(strstr(dials->dials.sum, "rotated columns"));
}

static const struct panel *dials_of(const char *expression, const char *lines)
{
	return &picture_of(expression, lines)->figure.panels[0];
}

/* P_t·P_s = Σ cos((s − t) ω_i): 28.304 two places apart at d 64 (Yan et al. 2019). */
TEST(hands_of_sinusoids_are_their_places)
{
	const struct panel *const p = dials_of("sinusoidal", "row 3\ncol 5\n");
	assert_null(p->absent);
	/* The last ones, whose hands are less than half a degree apart, are not drawn. */
	const double half = acos(-1) / 360;
	size_t seen = 0;
	while (seen < 32 && 2 * pow(10000, -(double)seen / 32) >= half)
		seen++;
	assert_int_equal(p->dials.n, seen);
	assert_non_null(strstr(p->note, "of 32 clocks"));
	double sum = 0;
	for (size_t i = 0; i < 32; i++) {
		const double omega = pow(10000, -(double)i / 32);
		if (i >= seen) {
			sum += cos(2 * omega);
			continue;
		}
		sum += p->dials.at[i].after;
		assert_within(p->dials.at[i].after, cos(2 * omega), 1e-12);
		assert_within(wrapped((p->dials.at[i].hands[0].after - 2 * omega) * 180 / acos(-1)),
			      0, 1e-9);
		assert_true(isnan(p->dials.at[i].before));
	}
	assert_within(sum, 28.304, 5e-4);
}

TEST(what_has_no_clocks_says_so)
{
	static const struct {
		const char *expression, *lines, *title, *says;
	} cases[] = {
		{"t5", "", "has no clocks", "it rotates nothing, and its vectors are no pairs"},
		{"alibi", "", "has no clocks", "a number computed"},
		{"none", "", "has no clocks", "nothing here"},
		{"learned", "", "has no clocks",
		 "it rotates nothing, and its vectors are no pairs"},
		{"rope", "head mean\n", "No clocks here", "a mean of heads"},
		{"rope(heads=2)", "head 1\n", "No clocks here", "no rotation acts on this head"},
		{"rope(partial=0)", "", "has no clocks", ""},
		{"gauss", "", "has no clocks", "the weights"},
		{"mla(rope=16)", "", "No clocks here",
		 "it rotates queries and keys and also changes them otherwise"},
		{"tape", "layer 2\n", "No clocks here",
		 "the layers before it changed the rotation"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct figure *const f =
			&picture_of(cases[i].expression, cases[i].lines)->figure;
		const struct panel *const card = &f->panels[f->n - 1];
		if (card->kind != PANEL_CARD || !strstr(card->title, cases[i].title) ||
		    strncmp(card->card.lines[0].value, cases[i].says, strlen(cases[i].says)) != 0)
			fail_msg("%s: %s", cases[i].expression, card->title);
	}
}

TEST_IN_PARTS(every_scheme_has_clocks_or_a_sentence, 2)
{
	size_t shown = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct picture *const p = picture_of(scheme_at(i)->id, "");
		help_figure_is_sound(&arena, &p->figure, scheme_at(i)->id);
		shown += p->figure.panels[0].kind == PANEL_DIALS;
	}
	assert_true(shown > 10);
}

TEST(one_token_has_clocks)
{
	const struct panel *const p = dials_of("rope", "sentence a\n");
	assert_null(p->absent);
	for (size_t i = 0; i < p->dials.n; i++)
		assert_within(p->dials.at[i].before, p->dials.at[i].after, 1e-12);
}

/* A norm beside a rotation hides it in no order, and where several members rotate the shown one is named. */
TEST(rotations_are_found_beside_other_members)
{
	static const struct {
		const char *expression, *lines, *title;
	} cases[] = {
		{"qk_norm+rope+causal", "", "Clocks"},
		{"rope+qk_norm", "", "Clocks"},
		{"qk_norm+rope(layers=1)+rope(base=500,layers=2)+causal", "layers 2\nlayer 2\n",
		 "Clocks of rope"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct picture *const p = picture_of(cases[i].expression, cases[i].lines);
		const struct panel *const dials = &p->figure.panels[0];
		assert_int_equal(dials->kind, PANEL_DIALS);
		assert_int_equal(strncmp(dials->title, cases[i].title, strlen(cases[i].title)), 0);
		for (size_t k = 0; k < dials->dials.n; k++) {
			const struct dial *const at = &dials->dials.at[k];
			const double rate = pow(i == 2 ? 500 : 10000, -(double)k / 8);
			const char *const name = arena_printf(&arena, "θ = %.2g", rate);
			if (rate > 0.1)
				assert_string_equal(at->title, name);
		}
	}
}

/* The view of a layer without rotation names a layer that has one, even if a norm changes its queries and keys. */
TEST(layers_without_rotation_lead_to_one_with)
{
	static const char *const cases[][3] = {
		{"rope(layers=2)", "layers 3\nlayer 1\n", "layer 2 has clocks"},
		{"qk_norm+rope(layers=1)", "layer 2\n", "layer 1 has clocks"},
		{"tape", "layer 2\n", "layer 1 has clocks"},
		{"tape(layers=2-3)", "layers 3\nlayer 3\n", "layer 2 has clocks"}};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const struct figure *const f = &picture_of(cases[k][0], cases[k][1])->figure;
		const struct card *const card = &f->panels[f->n - 1].card;
		bool led = false;
		for (size_t i = 0; i < card->n; i++)
			led |= strcmp(card->lines[i].value, cases[k][2]) == 0;
		if (!led)
			fail_msg("%s", cases[k][0]);
	}
}

/* What the layers of tape have not changed yet is rope, and has its clocks. */
TEST(layers_that_change_nothing_have_the_clocks_of_the_first)
{
	const struct panel *const dials =
		&picture_of("tape", "layer 2\ninit paper\n")->figure.panels[0];
	assert_int_equal(dials->kind, PANEL_DIALS);
	assert_int_equal(dials->dials.n, 8);
	assert_string_equal(dials->dials.at[0].title, "θ = 1");
	const struct figure *const f = &picture_of("tape", "layer 2\n")->figure;
	assert_string_equal(f->panels[0].title, "Instead: its bias, of layer 1");
}

/* Half of the pairs of prope have no angle, and say so. */
TEST(pairs_that_do_not_rotate_say_so)
{
	const struct picture *const p = picture_of("prope", "");
	const struct panel *dials = NULL;
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].kind == PANEL_DIALS)
			dials = &p->figure.panels[i];
	assert_non_null(dials);
	assert_int_equal(dials->dials.n, 8);
	for (size_t i = 0; i < 8; i++)
		assert_true((strcmp(dials->dials.at[i].note, "does not rotate") == 0) == (i >= 4));
}
