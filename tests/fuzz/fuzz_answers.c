/* fuzz_answers.c: whatever a terminal sends: nothing is read beyond, what is said is in range, and keys are
 * heard again after at most so many bytes. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/err.h"
#include "posviz/tui/answers.h"

FUZZ(answers)
{
	struct answer_bytes a = {0};
	struct answers said = {0};
	size_t swallowed = 0;
	for (size_t i = 0; i < size; i++) {
		swallowed = answers_take(&a, data[i], &said) && data[i] != 27 ? swallowed + 1 : 0;
		BUG_IF(swallowed > ANSWER_MOST + 1);
		BUG_IF(a.n >= ANSWER_BYTES || a.text[a.n] != '\0');
		BUG_IF(said.width < 0 || said.width > 65535 || said.height < 0 ||
		       said.height > 65535 || said.registers < 0 || said.sixel_width < 0 ||
		       said.sixel_height < 0 || said.registers > 999999);
	}
	struct answer_bytes b;
	for (size_t i = 0; answer_begins[i]; i++) {
		answers_begin(&b, answer_begins[i]);
		BUG_IF(b.state != ANSWER_CSI && b.state != ANSWER_STRING);
	}
	return 0;
}
