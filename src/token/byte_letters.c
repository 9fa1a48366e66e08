/* byte_letters.c: the letters that stand for bytes in vocabularies of bytes: what can be printed in
 * Latin-1 stands for itself, the other 68 bytes, in their order, for U+0100 and on. */
#include <pthread.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

static bool stands_for_itself(unsigned b)
{
	return (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
}

static uint32_t code_of[256];
static int byte_of[0x100 + 68];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void)
{
	uint32_t next = 0x100;
	for (size_t i = 0; i < sizeof byte_of / sizeof *byte_of; i++)
		byte_of[i] = -1;
	for (unsigned b = 0; b < 256; b++) {
		code_of[b] = stands_for_itself(b) ? b : next++;
		byte_of[code_of[b]] = (int)b;
	}
}

size_t byte_letter(unsigned char byte, char out[4])
{
	pthread_once(&once, fill);
	return text_encode(out, code_of[byte]);
}

int byte_of_letter(uint32_t code)
{
	pthread_once(&once, fill);
	return code < sizeof byte_of / sizeof *byte_of ? byte_of[code] : -1;
}
