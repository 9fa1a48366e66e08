/* checkpoint_each.c: the tensors that a computation with a trained model reads. */
#include "posviz/family/checkpoint.h"

#include <string.h>

#include "family/reading.h"

/* Shows the tensor of a name with each ending that the file has: norms of the first years end with gamma and
 * beta. */
static bool see_name(const struct checkpoint *c, const char *name, bool words,
		     const struct checkpoint_seer *to, struct arena *a, struct err *err)
{
	static const char *const endings[] = {"weight", "gamma", "bias", "beta"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const struct tensor_entry *const e = tensor_file_find(
			c->file, arena_printf(a, "%s%s.%s", c->prefix, name, endings[i]));
		if (e && !(words ? to->words : to->see)(to->self, e, err))
			return false;
	}
	return true;
}

bool checkpoint_each(const struct checkpoint *c, size_t layers, const struct checkpoint_seer *to,
		     struct err *err)
{
	const bool gguf = tensor_file_is_gguf(c->file);
	struct arena a;
	bool ok = true;
	arena_init(&a);
	for (const struct family_weight *row = c->known->weights; ok && (row->name || row->gguf);
	     row++) {
		const char *const name = gguf ? row->gguf : row->name;
		const size_t n = name && strstr(name, "%L") ? layers : 1;
		for (size_t l = 0; name && ok && l < n; l++)
			ok = see_name(c, family_of_layer(name, (long)l, &a),
				      row->what == HOLDS_WORDS, to, &a, err);
	}
	arena_release(&a);
	return ok;
}
