/* test_sha256.c: the examples of the standard. */
#include <string.h>

#include "test.h"
#include "posviz/base/sha256.h"

static void expect(const char *text, size_t times, size_t piece, const char *hash)
{
	struct sha256 s;
	char out[SHA256_TEXT];
	sha256_init(&s);
	for (size_t i = 0; i < times; i++)
		for (size_t at = 0, len = strlen(text); at < len; at += piece)
			sha256_add(&s, text + at, len - at < piece ? len - at : piece);
	sha256_done(&s, out);
	assert_string_equal(out, hash);
}

/* FIPS 180-4's examples: one block, none, two blocks, a million letters. */
TEST(hashes_are_those_of_the_standard)
{
	static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	expect("abc", 1, 64, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect("", 1, 64, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	for (size_t piece = 1; piece < 60; piece += 9)
		expect(two, 1, piece,
		       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	expect("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	       "aaaaaaaaaaaaaaaaaaaa",
	       10000, 100, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
