/* template.c: fills the slots of a text. */
#include "template.h"

#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/err.h"

static void fill(struct strbuf *out, const char *name, size_t len, const struct slot *slots)
{
	for (const struct slot *s = slots; s->name; s++)
		if (strlen(s->name) == len && memcmp(s->name, name, len) == 0) {
			s->add(out);
			return;
		}
	BUG("a template asks for %.*s", (int)len, name);
}

void template_fill(struct strbuf *out, const char *text, const struct slot *slots)
{
	const char *at = text;
	for (const char *mark; (mark = strstr(at, "@{")) != NULL;) {
		const char *const name = mark + 2;
		const char *const close = strchr(name, '}');
		BUG_IF(!close);
		strbuf_add_n(out, at, (size_t)(mark - at));
		fill(out, name, (size_t)(close - name), slots);
		const bool alone = (mark == text || mark[-1] == '\n') && close[1] == '\n';
		at = close + (alone ? 2 : 1);
	}
	strbuf_add(out, at);
}

void template_fill_asset(struct strbuf *out, const char *path, const struct slot *slots)
{
	const struct asset *const file = asset_find(path);
	if (!file)
		BUG("there is no %s", path);
	template_fill(out, file->begin, slots);
}
