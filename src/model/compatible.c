/* compatible.c: members that exclude each other.
 *
 * Two such members are refused in one line that names both. Conflicts that follow from the
 * members alone are found when the model is built; those that depend on the input, when a stage
 * of the run meets them. */
#include <stdio.h>
#include <string.h>

#include "model_in.h"

/* Returns the member as written, or the name of a second one of a scheme, which may be written
 * like the first: "shaw#2". */
static const char *member_text(const struct member *m)
{
	return strchr(m->name, '#') ? m->name : m->text;
}

/* ---- conflicts that follow from the members alone ------------------------------------------ */

static bool only_masks(const struct member *m)
{
	return m->hooks->only_mask && m->hooks->only_mask(m);
}

/* The heads and layers of this model on which a member acts. */
struct place {
	struct subset layers, heads;
};

static struct place place_of(const struct model *model, const struct member *m)
{
	return (struct place){subset_and(m->layers, subset_first(model->config.layers)),
			      subset_and(m->heads, subset_first(model->config.heads))};
}

static bool share_head(struct place a, struct place b)
{
	return subset_meets(a.layers, b.layers) && subset_meets(a.heads, b.heads);
}

static bool lies_within(struct place a, struct place b)
{
	return subset_within(a.layers, b.layers) && subset_within(a.heads, b.heads);
}

/* Returns whether the member acts in a head only on its logits, except for a mask. */
static bool works_on_logits(const struct member *m)
{
	const struct hooks *h = m->hooks;
	const bool more = h->only_qk && !h->only_qk(m);
	return !only_masks(m) && !h->no_logits && !h->values && !more &&
	       (h->qk || h->content || h->logits || h->adjust || h->adjust_heads);
}

/* Returns whether the member makes the weights itself; some do so only with several planes. */
static bool makes_weights(const struct model *model, const struct member *m)
{
	const struct hooks *h = m->hooks;
	return h->weights && !(h->planes && h->planes(model, m) == 1);
}

/* Returns whether the member only changes q and k, or their inputs. */
static bool only_changes_qk(const struct member *m)
{
	const struct hooks *h = m->hooks;
	if (h->only_qk)
		return h->only_qk(m);
	return h->qk && !h->schedule && !h->units && !h->positions && !h->embed && !h->project &&
	       !h->mask && !h->content && !h->logits && !h->adjust && !h->adjust_heads &&
	       !h->weights && !h->values && !h->block && !h->feed_forward && !h->finish;
}

/* Returns whether a third member computes terms from the q and k that this one changed. */
static bool third_reads_qk(const struct model *model, const struct member *m)
{
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const o = &model->members[i];
		const struct hooks *const h = o->hooks;
		if (!only_changes_qk(o) &&
		    (h->logits || h->adjust || h->adjust_heads || h->weights) &&
		    share_head(place_of(model, o), place_of(model, m)))
			return true;
	}
	return false;
}

/* Returns whether a's logits replace q·k wherever b changes q and k, and no other member reads
 * them. */
static bool leaves_unread(const struct model *model, const struct member *a, const struct member *b)
{
	const struct hooks *const h = a->hooks;
	const bool reads_x = b->hooks->project && h->content_of_x && h->content_of_x(a);
	return h->content && !h->content_of_units && !reads_x && only_changes_qk(b) &&
	       lies_within(place_of(model, b), place_of(model, a)) && !third_reads_qk(model, b);
}

static bool check_pair(const struct model *model, const struct member *a, const struct member *b,
		       struct err *err)
{
	const struct place at = place_of(model, a), of = place_of(model, b);
	if (!share_head(at, of))
		return true;
	if (makes_weights(model, a) && makes_weights(model, b))
		return err_set(err,
			       "%s and %s both make the weights of a head; one of them, or other "
			       "heads= or layers= for each, would be right",
			       member_text(a), member_text(b));
	if (a->hooks->content && b->hooks->content)
		return err_set(err,
			       "%s and %s both put logits of their own in the place of q·k; one of "
			       "them, or other heads= or layers= for each, would be right",
			       member_text(a), member_text(b));
	if (a->hooks->no_logits && works_on_logits(b) && lies_within(of, at))
		return err_set(err,
			       "%s gives weights, which have no logits that %s could change; one "
			       "of them, or other heads= or layers= for each, would be right",
			       member_text(a), member_text(b));
	if (leaves_unread(model, a, b))
		return err_set(err,
			       "%s puts logits of its own in the place of q·k, so what %s does to "
			       "q and k is read by nobody; one of them, or other heads= or layers= "
			       "for each, would be right",
			       member_text(a), member_text(b));
	return true;
}

bool compatible_check(const struct model *model, struct err *err)
{
	for (size_t i = 0; i < model->n_members; i++)
		for (size_t k = 0; k < model->n_members; k++)
			if (i != k &&
			    !check_pair(model, &model->members[i], &model->members[k], err))
				return false;
	return true;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static bool mark_of_two(struct err *err)
{
	if (err)
		err->kind = ERR_OF_TWO;
	return false;
}

bool run_keys_are_units(const struct run *run)
{
	return run->keys->n == run->n && run->keys->labels == run->queries->labels;
}

bool run_needs_units(const struct run *run, const struct member *m, struct err *err)
{
	if (run_keys_are_units(run))
		return true;
	const struct member *by = run->private->keys_by;
	BUG_IF(!by);
	err_set(err,
		"%s needs a key for every query, and %s makes %zu keys of %zu tokens; leave "
		"one of them out",
		member_text(m), member_text(by), run->keys->n, run->n);
	return mark_of_two(err);
}

bool compatible_may_shorten(const struct run *run, const struct member *m, struct err *err)
{
	const struct member *by = run->private->bias_by;
	const struct node *const biases[] = {run->k_bias, run->v_bias};
	if (!run_needs_units(run, m, err))
		return false;
	for (size_t i = 0; i < 2; i++)
		if (biases[i] && biases[i]->v.rows > 1)
			return err_set(err,
				       "%s mixes the keys, and %s gives each a vector of its own; "
				       "leave one of them out",
				       member_text(m), member_text(by));
	return true;
}

/* Returns whether the parts and biases fit the keys, after an earlier member shortened these. */
static bool fits_keys(const struct run *run)
{
	const struct parts *const both[] = {&run->xk, &run->xv};
	const struct node *const biases[] = {run->k_bias, run->v_bias};
	bool fits = true;
	for (size_t k = 0; k < 2; k++) {
		fits &= !biases[k] || biases[k]->v.rows == 1 || biases[k]->v.rows == run->keys->n;
		for (size_t i = 0; i < both[k]->n; i++)
			fits &= both[k]->at[i].at->v.rows == run->keys->n;
	}
	return fits;
}

bool compatible_projected(struct run *run, const struct member *m, struct err *err)
{
	struct run_private *p = run->private;
	if (m->hooks->shortens && !run_keys_are_units(run))
		p->keys_by = m;
	if (fits_keys(run))
		return true;
	BUG_IF(!p->keys_by);
	return err_set(err,
		       "%s needs a key for every query, and %s makes %zu keys of %zu tokens; write "
		       "%s first, or leave one of them out",
		       member_text(m), member_text(p->keys_by), run->keys->n, run->n, m->name);
}

bool compatible_check_keys(const struct run *run, struct err *err)
{
	for (size_t i = 0; i < run->model->n_members; i++) {
		const struct member *m = &run->model->members[i];
		const struct hooks *h = m->hooks;
		const bool later = h->prepare || h->qk || h->mask || h->content || h->logits ||
				   h->adjust || h->adjust_heads || h->weights || h->values;
		if (later && !h->any_keys && member_on(m, run->layer) &&
		    m != run->private->keys_by && !run_needs_units(run, m, err))
			return false;
	}
	return true;
}

/* ---- widths and planes ----------------------------------------------------------------------- */

bool head_needs_width(const struct head *head, const struct member *m, struct err *err)
{
	const size_t dk = head->run->model->dk, q = head->q->v.cols, k = head->k->v.cols;
	if (q == dk && k == dk)
		return true;
	BUG_IF(!head->widened_by);
	err_set(err,
		"%s needs queries and keys of width %zu, and %s makes it %zu; write %s "
		"first, or leave one of them out",
		member_text(m), dk, member_text(head->widened_by), q != dk ? q : k, m->name);
	return mark_of_two(err);
}

size_t compatible_planes(const struct head *head, const struct member **whose)
{
	size_t planes = 1;
	*whose = NULL;
	FOR_HOOKS(head, m, planes)
	{
		const size_t own = m->hooks->planes(head->run->model, m);
		if (own > planes) {
			planes = own;
			*whose = m;
		}
	}
	return planes;
}

bool head_needs_one_plane(const struct head *head, const struct member *m, const char *remedy,
			  struct err *err)
{
	const struct member *whose;
	const size_t planes = compatible_planes(head, &whose);
	if (planes == 1)
		return true;
	err_set(err,
		"%s adds to the values of one plane of weights, and %s has %zu; %s%sleave "
		"one of them out",
		member_text(m), member_text(whose), planes, remedy ? remedy : "",
		remedy ? ", or " : "");
	return mark_of_two(err);
}

/* ---- positions ------------------------------------------------------------------------------- */

bool compatible_failed(const struct run *run, const struct member *m, struct err *err)
{
	const struct run_private *p = run->private;
	if (!err || err->kind == ERR_OF_TWO)
		return false;
	for (size_t i = 0; i < run->n_columns; i++) {
		const struct member *by = p->column_by[i];
		if (by && by != m && strcmp(run->columns[i].name, m->pos) == 0)
			return err_set(err, "%s (column %s is made by %s)", err->text, m->pos,
				       member_text(by));
	}
	return false;
}

void compatible_record_columns(struct run *run, const struct member *m, const struct column *before)
{
	for (size_t i = 0; i < run->n_columns; i++)
		if (run->columns[i].at != before[i].at)
			run->private->column_by[i] = m;
}

void compatible_no_column(const struct run *run, const struct member *m, struct err *err)
{
	char known[200] = "";
	size_t len = 0;
	if (run_find_column(run, m->pos)) {
		err_set(err,
			"%s reads one position a token, and position-ids gives three; pos=temporal, "
			"pos=height or pos=width takes one of them, and mrope reads all three",
			m->text);
		return;
	}
	for (size_t i = 0; i < run->n_columns && len < sizeof known - 40; i++)
		len += (size_t)snprintf(known + len, sizeof known - len, "%s%s", i ? ", " : "",
					run->columns[i].name);
	err_set(err, "%s: there is no position column \"%s\" for this input; there are %s", m->text,
		m->pos, known);
}
