/* checkpoint_experts.c: the weights of one expert: tensors of its own, or a part of those of all experts
 * of a layer. */
#include <math.h>
#include <string.h>

#include "family/checkpoint_in.h"
#include "posviz/base/text.h"

/* Each weight is in the first of these tensors that a file has. */
static const struct {
	enum weight which;
	bool bias;
	enum held in[2];
	size_t n;
} places[] = {
	{W_FF1, false, {HOLDS_EXPERT_UP, HOLDS_EXPERT_GATE_UP}, 2},
	{B_FF1, true, {HOLDS_EXPERT_UP, HOLDS_EXPERT_GATE_UP}, 2},
	{W_GATE, false, {HOLDS_EXPERT_GATE, HOLDS_EXPERT_GATE_UP}, 2},
	{B_GATE, true, {HOLDS_EXPERT_GATE, HOLDS_EXPERT_GATE_UP}, 2},
	{W_FF2, false, {HOLDS_EXPERT_DOWN}, 1},
	{B_FF2, true, {HOLDS_EXPERT_DOWN}, 1},
};

/* The tensor of an expert's weight, and whether it holds those of all experts. With scales it holds two
 * numbers of 4 bits a byte, 32 to a scale, [experts, outs, in / 32, 16]. */
struct part {
	const struct family_weight *row;
	const struct tensor_entry *entry, *scales;
	bool all;
};

static bool is_of_one(const struct checkpoint *c, const struct family_weight *row)
{
	const char *const pattern = tensor_file_is_gguf(c->file) ? row->gguf : row->name;
	return pattern && strstr(pattern, "%E");
}

static void find_blocks(const struct checkpoint *c, size_t layer, struct part *f)
{
	struct arena a;
	arena_init(&a);
	const char *const name =
		arena_printf(&a, "%s%s", c->prefix, family_of_layer(f->row->name, (long)layer, &a));
	f->scales = tensor_file_find(c->file, arena_printf(&a, "%s_scales", name));
	f->entry =
		f->scales ? tensor_file_find(c->file, arena_printf(&a, "%s_blocks", name)) : NULL;
	arena_release(&a);
}

static bool find_part(const struct checkpoint *c, size_t layer, size_t expert, enum weight which,
		      struct part *out)
{
	size_t at = 0;
	while (places[at].which != which) {
		at++;
		BUG_IF(at == sizeof places / sizeof *places);
	}
	for (const struct family_weight *row = c->known->weights; row->name || row->gguf; row++)
		for (size_t i = 0; i < places[at].n; i++) {
			if (row->what != places[at].in[i])
				continue;
			out->row = row;
			out->all = !is_of_one(c, row);
			out->scales = NULL;
			out->entry = checkpoint_part(c, row, layer, expert, places[at].bias);
			if (!out->entry && row->bare && !places[at].bias)
				find_blocks(c, layer, out);
			if (out->entry)
				return true;
		}
	return false;
}

bool checkpoint_expert_has(const struct weight_source *s, size_t layer, enum weight which)
{
	struct part f;
	return find_part(s->context, layer, 0, which, &f);
}

/* The outputs of a weight among those of its tensor: from, from + step, ... */
struct outs {
	size_t from, step, all;
};

static struct outs outs_of(const struct family_weight *row, enum weight which, size_t n)
{
	const bool gate = which == W_GATE || which == B_GATE;
	if (row->what != HOLDS_EXPERT_GATE_UP)
		return (struct outs){0, 1, n};
	return row->alternates ? (struct outs){gate ? 0 : 1, 2, 2 * n}
			       : (struct outs){gate ? 0 : n, 1, 2 * n};
}

static bool refuse_shape(const struct checkpoint *c, const struct tensor_entry *e, size_t rows,
			 size_t cols, struct err *err)
{
	char path[120], name[300];
	return err_set(err, "%s: %s is %zu x %zu; its configuration says %zu x %zu",
		       text_quote_buf(path, sizeof path, c->path, strlen(c->path)),
		       text_quote_buf(name, sizeof name, e->name, strlen(e->name)),
		       tensor_entry_rows(e), tensor_entry_cols(e), rows, cols);
}

/* Reads what a tensor has of one expert, [outs, in] or turned, and takes the outputs. */
static bool read_found(const struct checkpoint *c, const struct part *f, size_t expert,
		       const struct outs *o, bool bias, struct mat out, struct err *err)
{
	const bool turned = f->row->in_out && !bias && !tensor_file_is_gguf(c->file);
	const size_t outs = bias ? out.cols : out.rows, in = bias ? 1 : out.cols;
	const size_t rows = bias ? 1 : turned ? in : o->all, cols = bias || turned ? o->all : in;
	const size_t parts = f->all ? c->known->experts.n : 1;
	struct arena a;
	if (tensor_entry_rows(f->entry) != parts * rows || tensor_entry_cols(f->entry) != cols)
		return refuse_shape(c, f->entry, parts * rows, cols, err);
	arena_init(&a);
	const struct mat all = mat_new(&a, rows, cols);
	const bool ok =
		tensor_file_rows(c->file, f->entry, f->all ? expert * rows : 0, rows, all.at, err);
	for (size_t i = 0; ok && i < outs; i++)
		for (size_t j = 0; j < in; j++) {
			const size_t at = o->from + i * o->step;
			const double x = bias	  ? all.at[at]
					 : turned ? mat_row(all, j)[at]
						  : mat_row(all, at)[j];
			*(bias ? &out.at[i] : &mat_row(out, i)[j]) = x;
		}
	arena_release(&a);
	return ok && checkpoint_finite(c, f->entry, out, err);
}

/* Returns the number that 4 bits stand for: a sign, two bits of exponent, one of fraction. */
static double of_bits(unsigned bits)
{
	static const double sizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
	return bits & 8 ? -sizes[bits & 7] : sizes[bits & 7];
}

/* Reads blocks of 32 numbers of 4 bits with a power of two each, the low half of a byte first. */
static bool read_blocks(const struct checkpoint *c, const struct part *f, size_t expert,
			const struct outs *o, struct mat out, struct err *err)
{
	enum { BLOCK = 32, BYTES = 16, BIAS = 127 };
	const size_t groups = out.cols / BLOCK, rows = c->known->experts.n * o->all;
	struct arena a;
	if (out.cols % BLOCK != 0 || tensor_entry_rows(f->scales) != rows ||
	    tensor_entry_cols(f->scales) != groups)
		return refuse_shape(c, f->scales, rows, groups, err);
	if (tensor_entry_rows(f->entry) != rows * groups || tensor_entry_cols(f->entry) != BYTES)
		return refuse_shape(c, f->entry, rows * groups, BYTES, err);
	arena_init(&a);
	const struct mat bytes = mat_new(&a, o->all * groups, BYTES);
	const struct mat scales = mat_new(&a, o->all, groups);
	const bool ok = tensor_file_rows(c->file, f->entry, expert * bytes.rows, bytes.rows,
					 bytes.at, err) &&
			tensor_file_rows(c->file, f->scales, expert * scales.rows, scales.rows,
					 scales.at, err);
	for (size_t i = 0; ok && i < out.rows; i++)
		for (size_t j = 0; j < out.cols; j++) {
			const size_t at = o->from + i * o->step, g = j / BLOCK;
			const unsigned byte =
				(unsigned)mat_row(bytes, at * groups + g)[j % BLOCK / 2];
			mat_row(out, i)[j] = ldexp(of_bits(j % 2 ? byte >> 4 : byte & 15),
						   (int)mat_row(scales, at)[g] - BIAS);
		}
	arena_release(&a);
	return ok;
}

bool checkpoint_expert_read(const struct weight_source *s, size_t layer, size_t expert,
			    enum weight which, struct mat out, struct err *err)
{
	const struct checkpoint *const c = s->context;
	const bool bias = which == B_FF1 || which == B_GATE || which == B_FF2;
	struct part f;
	char path[120];
	if (!find_part(c, layer, expert, which, &f))
		return err_set(err, "%s: layer %zu has no expert %zu; there are to be %zu",
			       text_quote_buf(path, sizeof path, c->path, strlen(c->path)),
			       layer + 1, expert, c->known->experts.n);
	if (f.entry->unread)
		return err_set(err, "%s: %s",
			       text_quote_buf(path, sizeof path, c->path, strlen(c->path)),
			       f.entry->unread);
	const struct outs o = outs_of(f.row, which, bias ? out.cols : out.rows);
	return f.scales ? read_blocks(c, &f, expert, &o, out, err)
			: read_found(c, &f, expert, &o, bias, out, err);
}

bool checkpoint_has_experts(const struct checkpoint *c, size_t layer)
{
	static const enum weight needed[] = {W_FF1, W_GATE, W_FF2};
	struct part f;
	bool all = c->known->experts.n > 0;
	for (size_t i = 0; all && i < sizeof needed / sizeof *needed; i++)
		all = find_part(c, layer, 0, needed[i], &f) &&
		      find_part(c, layer, c->known->experts.n - 1, needed[i], &f);
	return all;
}
