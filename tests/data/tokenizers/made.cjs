/* made.cjs: made parts.json: small tokenizers, one for each part and setting, and the ids that the library of
 * which tokenizer.json is the format gives for some texts.
 *
 *	node made.cjs FOLDER-OF-MODULES > parts.json     (module "tokenizers" 0.23)
 */
const path = require("path");
const { charsmap } = require("./charsmap.cjs");
const { Tokenizer } = require(path.resolve(process.argv[2], "tokenizers"));

const texts = [
	"The cat sat.", "  two  blanks ", "don't STOP, it's 12345 & 6", "Zoë's café e\u0301 ﬁne ½ İ",
	"tab\tand\nline\n\nend", "a,b;;c--d", "漢字 and かな", "x\u00a0y\u200bz\u00adw", "", "...", "ΑΣ ΟΔΟΣ",
	"1½②٣ 4", "a_b c·d", " ", "[MASK] it[MASK] , aMASKb <s>x</s>", "the THE tHe",
];
const letters = new Set();
for (const t of texts)
	for (const form of ["NFC", "NFD", "NFKC", "NFKD"])
		for (const c of t.normalize(form) + t.toLowerCase().normalize(form))
			letters.add(c);
for (let b = 0; b < 256; b++)
	letters.add(String.fromCodePoint((b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174 ? b : 0));
for (let i = 0; i < 68; i++)
	letters.add(String.fromCodePoint(0x100 + i));
letters.add("▁");
letters.delete("\0");

const vocab = { "[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "[MASK]": 3 };
for (const c of letters) {
	vocab[c] = Object.keys(vocab).length;
	vocab["##" + c] = Object.keys(vocab).length;
}
const pieces = { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 60, vocab };

const many = Object.keys(vocab).length;
const added = (id, content, flags) =>
	({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...flags });
const plain = [added(0, "[UNK]"), added(1, "[CLS]"), added(2, "[SEP]")];
const all = [];
function add(name, parts, pair) {
	all.push({ name, pair: pair ?? null, tokenizer: { version: "1.0", truncation: null, padding: null, added_tokens: plain,
		normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, model: pieces, ...parts } });
}

/* Normalizers. */
for (const type of ["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel"])
	add(type, { normalizer: { type } });
for (const [l, r] of [[true, true], [true, false], [false, true]])
	add(`Strip ${l} ${r}`, { normalizer: { type: "Strip", strip_left: l, strip_right: r } });
for (const n of [0, 1, 2, 3, 4, 5])
	add(`BertNormalizer ${n}`, { normalizer: { type: "BertNormalizer", clean_text: n !== 1, handle_chinese_chars: n !== 2,
		strip_accents: n === 3 ? false : n === 4 ? true : null, lowercase: n !== 4 && n !== 5 } });
add("Replace text", { normalizer: { type: "Replace", pattern: { String: " " }, content: "▁" } });
add("Replace expression", { normalizer: { type: "Replace", pattern: { Regex: "[a-c]+\\s?" }, content: "xy" } });
const map = charsmap([["ﬁ", "fi"], ["\u00a0", " "], ["\t", " "], ["e\u0301", "é"], ["T", "t"], ["\u200b", ""], ["\u00ad", "-"], ["ab", "c"]]);
add("Precompiled", { normalizer: { type: "Precompiled", precompiled_charsmap: map.toString("base64") } });
add("Prepend", { normalizer: { type: "Prepend", prepend: "▁" } });
add("normalizers in a row", { normalizer: { type: "Sequence", normalizers: [{ type: "NFD" }, { type: "StripAccents" },
	{ type: "Lowercase" }, { type: "Sequence", normalizers: [{ type: "Prepend", prepend: "▁" }] }] } });

/* Pre-tokenizers. */
for (const [p, r] of [[true, true], [false, true], [true, false]])
	add(`ByteLevel ${p} ${r}`, { pre_tokenizer: { type: "ByteLevel", add_prefix_space: p, trim_offsets: true, use_regex: r } });
for (const behavior of ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]) {
	add(`Punctuation ${behavior}`, { pre_tokenizer: { type: "Punctuation", behavior } });
	for (const invert of [false, true]) {
		add(`Split text ${behavior} ${invert}`, { pre_tokenizer: { type: "Split", pattern: { String: " " }, behavior, invert } });
		add(`Split expression ${behavior} ${invert}`,
			{ pre_tokenizer: { type: "Split", pattern: { Regex: "\\p{L}+|\\d" }, behavior, invert } });
	}
}
for (const expression of [" ?[^(\\s|[.,!?…。])]+", "(?i:'s|'t)|\\p{N}{1,3}|\\s+(?!\\S)|\\s+", "(?=\\d)", "^\\s|.$", "\\h+", "[^\\S\\n]+"])
	add(`expression ${expression}`, { pre_tokenizer: { type: "Split", pattern: { Regex: expression }, behavior: "Isolated", invert: false } });
for (const individual_digits of [false, true])
	add(`Digits ${individual_digits}`, { pre_tokenizer: { type: "Digits", individual_digits } });
for (const prepend_scheme of ["always", "first", "never"])
	for (const split of [false, true])
		add(`Metaspace ${prepend_scheme} ${split}`, { pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme, split },
			added_tokens: [...plain, added(3, "[MASK]")] });
for (const type of ["Whitespace", "WhitespaceSplit", "BertPreTokenizer"])
	add(type, { pre_tokenizer: { type } });
add("CharDelimiterSplit", { pre_tokenizer: { type: "CharDelimiterSplit", delimiter: "a" } });
add("pre-tokenizers in a row", { pre_tokenizer: { type: "Sequence", pretokenizers: [{ type: "WhitespaceSplit" },
	{ type: "Punctuation", behavior: "Isolated" }, { type: "Digits", individual_digits: true }] } });

/* Tokens that were added. */
for (const flag of ["single_word", "lstrip", "rstrip"])
	add(flag, { added_tokens: [...plain, added(3, "[MASK]", { [flag]: true })], pre_tokenizer: { type: "WhitespaceSplit" } });
add("single word", { added_tokens: [...plain, added(many, "MASK", { single_word: true }), added(many + 1, "aMASKb", { single_word: true })] });
for (const normalized of [false, true])
	add(`normalized ${normalized}`, { added_tokens: [...plain, added(many, "THE", { normalized, special: false }),
		added(many + 1, "THE cat", { normalized, special: false })], normalizer: { type: "Lowercase" } });

/* What stands around a text. */
const token = (id, type_id) => ({ SpecialToken: { id, type_id } }), sequence = (id, type_id) => ({ Sequence: { id, type_id } });
const template = { type: "TemplateProcessing", single: [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0), token("[SEP]", 0)],
	pair: [sequence("B", 1), token("[SEP]", 1), sequence("A", 0), token("[CLS]", 0)],
	special_tokens: { "[CLS]": { id: "[CLS]", ids: [1], tokens: ["[CLS]"] }, "[SEP]": { id: "[SEP]", ids: [2], tokens: ["[SEP]"] } } };
const bert = { type: "BertProcessing", sep: ["[SEP]", 2], cls: ["[CLS]", 1] };
const roberta = { type: "RobertaProcessing", sep: ["[SEP]", 2], cls: ["[CLS]", 1], trim_offsets: true, add_prefix_space: false };
const bytes = { type: "ByteLevel", add_prefix_space: true, trim_offsets: false, use_regex: true };
for (const [name, post_processor] of [["TemplateProcessing", template], ["BertProcessing", bert], ["RobertaProcessing", roberta],
	["ByteLevel around", bytes], ["processors in a row", { type: "Sequence", processors: [bytes, template] }]]) {
	add(name, { post_processor });
	add(`${name}, a pair`, { post_processor }, "a cat");
}

/* Models. */
const bpe = { type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false,
	byte_fallback: false, ignore_merges: false };
const own = {}, has = (t) => (own[t] ??= Object.keys(own).length);
["<unk>", "t", "h", "e", "a", "c", "s", "T", " ", ".", "th", "the", "at", "cat", "##h", "##e", "##t", "##he", "e</w>", "he</w>", "t</w>"].forEach(has);
const pairs = [["h", "e"], ["t", "h"], ["th", "e"], ["a", "t"], ["c", "at"]];
has("he");
const blanks = { type: "Split", pattern: { String: " " }, behavior: "Isolated", invert: false };
for (const fuse_unk of [false, true])
	add(`BPE unk ${fuse_unk}`, { added_tokens: [], pre_tokenizer: blanks, model: { ...bpe, unk_token: "<unk>", fuse_unk, vocab: own, merges: pairs } });
add("BPE whole words", { added_tokens: [], pre_tokenizer: blanks, model: { ...bpe, unk_token: "<unk>", ignore_merges: true, vocab: own,
	merges: [["h", "e"]] } });
add("BPE prefix", { added_tokens: [], pre_tokenizer: blanks, model: { ...bpe, unk_token: "<unk>", continuing_subword_prefix: "##",
	vocab: own, merges: [["##h", "##e"], ["a", "##t"]] } });
add("BPE suffix", { added_tokens: [], pre_tokenizer: blanks, model: { ...bpe, unk_token: "<unk>", end_of_word_suffix: "</w>",
	vocab: own, merges: [["h", "e</w>"]] } });
const withBytes = { ...own };
for (let i = 0; i < 256; i++)
	withBytes[`<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`] = Object.keys(withBytes).length;
add("BPE bytes", { added_tokens: [], model: { ...bpe, unk_token: "<unk>", byte_fallback: true, vocab: withBytes, merges: pairs } });
const scored = [["<unk>", 0], ["▁", -2.1], ["t", -3.5], ["h", -3.4], ["e", -3.3], ["a", -3.2], ["c", -4], ["s", -4.1], ["th", -3.9],
	["the", -5.5], ["▁the", -4.4], ["▁cat", -7], ["at", -4.9], ["▁c", -5.1], ["he", -5], ["▁▁", -3]];
const space = { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true };
add("Unigram", { added_tokens: [], pre_tokenizer: space, model: { type: "Unigram", unk_id: 0, vocab: scored, byte_fallback: false } });
add("Unigram in one", { added_tokens: [], pre_tokenizer: { ...space, split: false },
	model: { type: "Unigram", unk_id: 0, vocab: scored, byte_fallback: false } });
const scoredBytes = [...scored];
for (let i = 0; i < 256; i++)
	scoredBytes.push([`<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`, -12]);
add("Unigram bytes", { added_tokens: [], pre_tokenizer: space, model: { type: "Unigram", unk_id: 0, vocab: scoredBytes, byte_fallback: true } });
add("WordPiece long words", { pre_tokenizer: { type: "WhitespaceSplit" }, model: { ...pieces, max_input_chars_per_word: 4 } });

async function main() {
	const rows = [];
	for (const { name, tokenizer, pair } of all) {
		const t = Tokenizer.fromString(JSON.stringify(tokenizer)), ids = [];
		for (const text of texts) {
			const e = pair === null ? await t.encode(text) : await t.encode(text, pair);
			ids.push(Array.from(e.getIds()));
		}
		const { version, truncation, padding, decoder, ...parts } = tokenizer;
		if (parts.model === pieces)
			parts.model = null;
		rows.push(JSON.stringify({ name, pair, parts, ids }));
	}
	console.log(`{"texts": ${JSON.stringify(texts)},\n"pieces": ${JSON.stringify(pieces)},\n"rows": [\n${rows.join(",\n")}\n]}`);
}
main();
