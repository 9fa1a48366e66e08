/* vectors.c: rows of numbers that a scheme uses, found among the kept results of a run and the
 * learned leaves, and their relation to each other. No scheme is known by name here. */
#include "posviz/analysis/vectors.h"

#include <math.h>
#include <string.h>

#include "analysis_in.h"

struct list {
	const struct built *b;
	const struct trace *trace;
	struct arena *a;
	struct vectors *out;
	size_t n;
};

static struct vectors *append(struct list *l, enum vectors_kind kind, const char *name,
			      struct mat at)
{
	if (l->n == VECTORS_MOST)
		return NULL;
	struct vectors *const v = &l->out[l->n++];
	*v = (struct vectors){.kind = kind,
			      .name = name,
			      .title =
				      kind == VECTORS_TABLE ? "learned table" : "made of positions",
			      .rows_are = "row",
			      .of_units = at.rows == l->trace->key.n,
			      .at = at,
			      .rows = at};
	return v;
}

/* ---- rotations
 * ------------------------------------------------------------------------------------ */

/* Returns the value of the position column; for rows that are distances and not tokens, or if
 * unknown, 0, 1, 2 … */
static double position(const struct list *l, size_t t, size_t rows)
{
	for (size_t i = 0; i < l->trace->n_columns && rows == l->trace->key.n; i++)
		if (strcmp(l->trace->columns[i].name, "seq") == 0)
			return l->trace->columns[i].at[t];
	return (double)t;
}

static double wrapped(double angle)
{
	const double two_pi = 2 * acos(-1);
	return angle - two_pi * nearbyint(angle / two_pi);
}

/* Computes the change of angle from one token to the next, divided by that of their positions;
 * the largest of all, since some pairs stay where only other positions change. */
static const double *frequencies(const struct list *l, struct mat angle)
{
	double *const out = arena_calloc(l->a, angle.cols + 1, sizeof *out);
	for (size_t i = 0; i < angle.cols; i++) {
		out[i] = NAN;
		for (size_t t = 0; t + 1 < angle.rows; t++) {
			const double by =
				position(l, t + 1, angle.rows) - position(l, t, angle.rows);
			const double turn =
				wrapped(mat_row(angle, t + 1)[i] - mat_row(angle, t)[i]);
			if (by == 0)
				continue;
			const double is = fabs(turn / by);
			out[i] = isnan(out[i]) ? is : fmax(out[i], is);
		}
	}
	return out;
}

static struct mat side_by_side(struct mat x, struct mat y, struct arena *a)
{
	const struct mat out = mat_new(a, x.rows, x.cols + y.cols);
	mat_set(mat_cols(out, 0, x.cols), x);
	mat_set(mat_cols(out, x.cols, y.cols), y);
	return out;
}

/* Adds rotations given by cosines and sines; returns NULL when the list is full. */
static struct vectors *add_turns(struct list *l, const char *name, struct mat c, struct mat s)
{
	const struct mat angle = mat_new(l->a, c.rows, c.cols);
	for (size_t t = 0; t < c.rows; t++)
		for (size_t i = 0; i < c.cols; i++)
			mat_row(angle, t)[i] = atan2(mat_row(s, t)[i], mat_row(c, t)[i]);
	struct vectors *const v = append(l, VECTORS_TURNS, name, angle);
	if (!v)
		return NULL;
	v->title = "rotation angles";
	v->means = "the angle by which each pair of columns of query and key is rotated";
	v->rows_are = "position t";
	v->rows = side_by_side(c, s, l->a);
	v->angle = angle;
	v->frequency = frequencies(l, angle);
	return v;
}

/* Returns whether columns 2i and 2i + 1, or i and i + d/2, are sine and cosine of one angle at
 * every position. */
static bool pairs_of(struct mat m, bool halves, struct mat s, struct mat c)
{
	static const double rounding = 1e-9;
	const size_t half = m.cols / 2;
	for (size_t t = 0; t < m.rows; t++)
		for (size_t i = 0; i < half; i++) {
			const double x = mat_row(m, t)[halves ? i : 2 * i];
			const double y = mat_row(m, t)[halves ? i + half : 2 * i + 1];
			mat_row(s, t)[i] = x;
			mat_row(c, t)[i] = y;
			if (!(fabs(x * x + y * y - 1) <= rounding))
				return false;
		}
	return true;
}

/* Finds the rotation angles in vectors that consist of sines and cosines. */
static void find_angles(struct list *l, struct vectors *v)
{
	const size_t half = v->at.cols / 2;
	const struct mat s = mat_new(l->a, v->at.rows, half), c = mat_new(l->a, v->at.rows, half);
	if (v->at.cols % 2 != 0 || (!pairs_of(v->at, false, s, c) && !pairs_of(v->at, true, s, c)))
		return;
	v->angle = mat_new(l->a, v->at.rows, half);
	for (size_t i = 0; i < half * v->at.rows; i++)
		v->angle.at[i] = atan2(s.at[i], c.at[i]);
	v->frequency = frequencies(l, v->angle);
}

/* ---- kept results of a run
 * ------------------------------------------------------------------------ */

static bool ends_in(const char *name, const char *end)
{
	const size_t n = strlen(name), k = strlen(end);
	return n >= k && strcmp(name + n - k, end) == 0;
}

/* Returns, for "member.rope.cos", the kept matrix whose name differs only in the last word. */
static const struct trace_kept *partner(const struct list *l, const char *name, const char *end,
					const char *other_end)
{
	const size_t stem = strlen(name) - strlen(end);
	for (size_t i = 0; i < l->trace->n_kept; i++) {
		const char *const other = l->trace->kept[i].name;
		if (strncmp(other, name, stem) == 0 && strcmp(other + stem, other_end) == 0)
			return &l->trace->kept[i];
	}
	return NULL;
}

/* Returns "rope.cos" for "member.rope.cos", "deberta.K^r" for "layer.0.member.deberta.K^r";
 * NULL: of another layer, or of no member. */
static const char *short_name(const char *name)
{
	static const char first[] = "layer.0.", of[] = "member.";
	const size_t skip = strncmp(name, first, strlen(first)) == 0 ? strlen(first) : 0;
	return strncmp(name + skip, of, strlen(of)) == 0 ? name + skip + strlen(of) : NULL;
}

/* Returns whether a kept matrix holds position vectors; results computed from tokens and random
 * noise do not. */
static bool is_vectors(const struct list *l, const struct trace_kept *kept)
{
	static const char *const not [] = {".input", ".output", ".sums", ".w", ".fed"};
	const struct model *const m = &l->b->model;
	const size_t cols = kept->at.cols;
	bool is = !strstr(kept->name, ".index.") && !strstr(kept->name, ".noise.") &&
		  kept->at.rows > 1 &&
		  (cols == m->config.d || cols == m->dk || cols == m->dv || cols == m->qk_width ||
		   cols == m->v_width);
	for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
		is = is && !ends_in(kept->name, not [i]);
	return is;
}

/* Returns whether the first rows of m are the vectors added to the tokens: then m adds nothing
 * new. */
static bool is_added(const struct list *l, struct mat m)
{
	const struct mat added = l->trace->position_vectors;
	if (!added.at || m.rows < added.rows || m.cols != added.cols)
		return false;
	const double rounding =
		1e-12 * fmax(1, mat_norm(added)); /* the values were added and subtracted again */
	for (size_t t = 0; t < added.rows; t++)
		for (size_t j = 0; j < added.cols; j++)
			if (!(fabs(mat_row(added, t)[j] - mat_row(m, t)[j]) <= rounding))
				return false;
	return true;
}

/* Returns whether later layers have other rotations of this name. */
static bool is_carried(const struct list *l, const char *name)
{
	for (size_t i = 0; i < l->b->n_members; i++)
		if (strcmp(l->b->members[i].name, name) == 0)
			return l->b->members[i].hooks->carry != NULL;
	return false;
}

/* Adds rotations. `name` is the short form of "member.rope.cos"; matrices kept beside it
 * describe its training. */
static void add_kept_turns(struct list *l, const struct trace_kept *kept, const char *name)
{
	const struct trace_kept *const sin = partner(l, kept->name, "cos", "sin");
	const struct trace_kept *const trained = partner(l, kept->name, "cos", "trained");
	const struct trace_kept *const length = partner(l, kept->name, "cos", "length");
	if (!sin || sin->at.rows != kept->at.rows || sin->at.cols != kept->at.cols)
		return;
	struct vectors *const v = add_turns(
		l, arena_strndup(l->a, name, strlen(name) - strlen(".cos")), kept->at, sin->at);
	if (v && is_carried(l, v->name)) {
		v->changes = true;
		v->means = "the angle by which each pair of columns of query and key is rotated in "
			   "its first layer; every layer changes it by the content";
	}
	const struct trace_kept *const rate = partner(l, kept->name, "cos", "rate");
	const struct trace_kept *const axis = partner(l, kept->name, "cos", "axis");
	if (v && rate && axis && rate->at.cols == kept->at.cols) {
		v->frequency = rate->at.at;
		v->axis = axis->at.at;
	}
	if (!v || !trained || !length || trained->at.cols != kept->at.cols)
		return;
	v->trained = trained->at.at;
	v->trained_to = length->at.at[0];
}

static void add_kept(struct list *l, const struct trace_kept *kept)
{
	const char *const name = short_name(kept->name);
	if (!name)
		return;
	if (ends_in(name, "cos")) {
		add_kept_turns(l, kept, name);
		return;
	}
	if (ends_in(name, "sin") || !is_vectors(l, kept) || is_added(l, kept->at))
		return;
	struct vectors *const v = append(l, VECTORS_MADE, name, kept->at);
	if (!v)
		return;
	v->means = "vectors that the scheme makes of positions, before they meet queries and keys";
	find_angles(l, v);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Returns the meaning of a leaf; "the same, added to the value" refers to the leaf before it. */
static const char *meaning_of(const struct leaf_row *row, const struct leaf_row *first)
{
	static const char same[] = "the same";
	while (row > first && strncmp(row->meaning, same, strlen(same)) == 0)
		row--;
	return row->meaning;
}

static bool begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* Returns whether a leaf is a table of distances: these have equally many rows on both sides of
 * 0, and their meaning says how rows count. */
static bool counts_distances(const char *meaning, size_t rows)
{
	static const char *const forms[] = {"row r + δ", "row t_max − 1 + ", "column clip + δ"};
	bool is = false;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		is = is || begins(meaning, forms[i]);
	return is && rows % 2 == 1;
}

bool leaf_of_distances(const struct leaf *leaf, bool *columns)
{
	const struct leaf_row *const row = leaf_row_of(leaf);
	const struct scheme *const scheme = scheme_of_member(leaf->member);
	if (!row || !scheme)
		return false;
	const char *const meaning = meaning_of(row, scheme->leaves);
	*columns = begins(meaning, "column");
	return counts_distances(meaning, *columns ? leaf->at.cols : leaf->at.rows);
}

static struct mat transposed(struct mat m, struct arena *a)
{
	const struct mat out = mat_new(a, m.cols, m.rows);
	for (size_t i = 0; i < m.rows; i++)
		for (size_t j = 0; j < m.cols; j++)
			mat_row(out, j)[i] = mat_row(m, i)[j];
	return out;
}

/* Adds a leaf whose rows or columns have a meaning; maps and networks have none. */
static void add_leaf(struct list *l, const struct leaf *leaf)
{
	const struct leaf_row *const row = leaf_row_of(leaf);
	const struct scheme *const scheme = scheme_of_member(leaf->member);
	if (!row || !scheme || leaf->layer > 0)
		return;
	const char *const meaning = meaning_of(row, scheme->leaves);
	const bool cols = begins(meaning, "column");
	if (!cols && !begins(meaning, "row"))
		return;
	/* Of a table of positions that is made by rows those of the tokens are enough, and some more. */
	const bool many = model_leaf_by_rows(leaf) && !cols && leaf->at.rows > VECTORS_ROWS;
	const struct mat at = many ? model_leaf_first(&l->b->model, leaf, VECTORS_ROWS)
				   : model_leaf_at(&l->b->model, leaf);
	const struct mat m = cols ? transposed(at, l->a) : at;
	if (m.rows < 2 || is_added(l, m))
		return;
	struct vectors *const v = append(l, VECTORS_TABLE, leaf->name, m);
	if (!v)
		return;
	v->means = many ? arena_printf(l->a, "%s; the first %d of %zu", row->meaning, VECTORS_ROWS,
				       leaf->at.rows)
			: row->meaning;
	v->of_units = false;
	v->of_distances = counts_distances(meaning, m.rows);
	v->rows_are = v->of_distances ? "distance δ" : "row";
}

static void add_eigenvectors(struct list *l)
{
	const struct spectrum *const s = &l->trace->spectrum;
	if (s->n == 0 || s->k == 0)
		return;
	const struct mat m = mat_new(l->a, s->n, s->k);
	memcpy(m.at, s->vectors, s->n * s->k * sizeof *m.at);
	struct vectors *const v = append(l, VECTORS_EIGEN, "eigenvectors", m);
	if (!v)
		return;
	v->title = "eigenvectors of the graph";
	v->means = "what each node has in the eigenvectors of the graph, by eigenvalue";
	v->rows_are = "token";
}

size_t vectors_find(const struct built *b, const struct trace *trace, struct arena *a,
		    struct vectors out[VECTORS_MOST])
{
	struct list l = {.b = b, .trace = trace, .a = a, .out = out};
	if (trace->position_vectors.at) {
		struct vectors *const v =
			append(&l, VECTORS_ADDED, "position", trace->position_vectors);
		v->title = "added to the token vectors";
		v->means = "what is added to the token vector at each position";
		v->rows_are = "position t";
		find_angles(&l, v);
	}
	for (size_t i = 0; i < trace->n_kept; i++)
		add_kept(&l, &trace->kept[i]);
	for (size_t i = 0; i < b->model.n_leaves; i++)
		add_leaf(&l, &b->model.leaves[i]);
	add_eigenvectors(&l);
	return l.n;
}

/* ---- relations between rows
 * ----------------------------------------------------------------------- */

void vectors_norms(struct mat rows, double *out)
{
	for (size_t t = 0; t < rows.rows; t++)
		out[t] = mat_norm(mat_rows(rows, t, 1));
}

struct mat vectors_cosine(struct mat rows, struct arena *a)
{
	const struct mat out = mat_new(a, rows.rows, rows.rows);
	double *const norm = arena_calloc(a, rows.rows + 1, sizeof *norm);
	mat_mul(out, 1, rows, false, rows, true, 0);
	vectors_norms(rows, norm);
	for (size_t t = 0; t < rows.rows; t++)
		for (size_t s = 0; s < rows.rows; s++) {
			const double by = norm[t] * norm[s];
			double *const at = &mat_row(out, t)[s];
			*at = !(by > 0) ? NAN : t == s ? 1 : fmax(-1, fmin(1, *at / by));
		}
	return out;
}

size_t vectors_histogram(struct mat cosine, double bins[COSINE_BINS])
{
	size_t n = 0;
	memset(bins, 0, COSINE_BINS * sizeof *bins);
	for (size_t t = 0; t < cosine.rows; t++)
		for (size_t s = t + 1; s < cosine.cols; s++) {
			const double at = mat_row(cosine, t)[s];
			if (isnan(at))
				continue;
			const double bin = floor((at + 1) / 2 * COSINE_BINS);
			bins[(size_t)fmin(COSINE_BINS - 1, fmax(0, bin))]++;
			n++;
		}
	return n;
}

static struct mat centred(struct mat rows, struct arena *a)
{
	const struct mat m = mat_copy(a, rows);
	for (size_t j = 0; j < m.cols; j++) {
		double mean = 0;
		for (size_t t = 0; t < m.rows; t++)
			mean += mat_row(m, t)[j] / (double)m.rows;
		for (size_t t = 0; t < m.rows; t++)
			mat_row(m, t)[j] -= mean;
	}
	return m;
}

/* Computes the coordinates of each row along the eigenvectors of MᵀM, or, if there are fewer
 * rows than columns, the same from those of MMᵀ: √λ times their entries. */
static void fill_plane(struct mat m, struct mat vectors, const double *values, struct mat plane)
{
	const size_t n = vectors.rows;
	const bool tall = m.cols < m.rows;
	mat_fill(plane, 0);
	for (size_t k = 0; k < 2 && k < n; k++) {
		const double *const v = mat_row(vectors, n - 1 - k);
		double most = 0;
		for (size_t t = 0; t < m.rows; t++) {
			double sum = 0;
			for (size_t j = 0; tall && j < n; j++)
				sum += mat_row(m, t)[j] * v[j];
			if (!tall)
				sum = sqrt(fmax(0, values[n - 1 - k])) * v[t];
			mat_row(plane, t)[k] = sum;
			most = fabs(sum) > fabs(most) * (1 + 1e-9) ? sum : most;
		}
		for (size_t t = 0; most < 0 && t < m.rows; t++)
			mat_row(plane, t)[k] = -mat_row(plane, t)[k];
	}
}

bool vectors_plane(struct mat rows, struct mat plane, double share[2], struct arena *a,
		   struct err *err)
{
	const bool tall = rows.cols < rows.rows;
	const size_t n = tall ? rows.cols : rows.rows;
	const struct mat m = centred(rows, a), gram = mat_new(a, n, n), vectors = mat_new(a, n, n);
	double *const values = arena_calloc(a, n + 1, sizeof *values), all = 0;
	mat_mul(gram, 1, m, tall, m, !tall, 0);
	if (!mat_eigen_largest(gram, 2, values, vectors, a, err))
		return false;
	for (size_t i = 0; i < n; i++)
		all += fmax(0, values[i]);
	if (rows.rows < 2 || !(all > 1e-24 * fmax(1, mat_norm(rows) * mat_norm(rows))))
		return err_set(err, rows.rows < 2 ? "there is one row" : "all rows are equal");
	fill_plane(m, vectors, values, plane);
	for (size_t k = 0; k < 2; k++)
		share[k] = k < n ? fmax(0, values[n - 1 - k]) / all : 0;
	return true;
}
