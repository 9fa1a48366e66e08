/* fuzz_verify.c: whatever a snapshot says of its matrices, comparing ends with rows that are no more than
 * a figure can have, or with one line for people. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

static void check_line(const char *text)
{
	BUG_IF(!text_valid(text, strlen(text)));
	for (; *text; text++)
		BUG_IF((unsigned char)*text < ' ' || *text == 0x7F);
}

FUZZ(verify)
{
	static uint8_t pixels[3];
	static const char scene[] = "sentence a b\nscheme t5+causal\nlayers 1\nheads 1\n"
				    "d-model 4\n";
	const struct image image = {1, 1, pixels};
	struct arena a;
	arena_init(&a);
	const char *const text = arena_strndup(&a, (const char *)data, size);
	const struct export_text texts[] = {
		{SNAPSHOT_SCENE, scene}, {SNAPSHOT_VERSION, "1"}, {SNAPSHOT_MATRICES, text}};
	struct scene made;
	struct verification *rows;
	const char *version;
	struct err err = {""};
	char *png;
	size_t len, n;
	if (!export_png(&image, 96, texts, 3, &a, &png, &len, &err))
		BUG("%s", err.text);
	if (!snapshot_verify(png, len, NULL, &a, 1e9, &made, &rows, &n, &version, &err)) {
		check_line(err.text);
	} else {
		BUG_IF(n > FIGURE_PANELS);
		for (size_t i = 0; i < n; i++) {
			BUG_IF(rows[i].ok && (rows[i].trouble || !(rows[i].worst <= 1e-9)));
			check_line(rows[i].title);
			if (rows[i].trouble)
				check_line(rows[i].trouble);
		}
	}
	arena_release(&a);
	return 0;
}
