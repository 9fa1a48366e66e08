/* ids.cjs: lines of mixed scripts with their ids by the tokenizers' own library, as JSON, a line each.
 *
 *	node ids.cjs FOLDER-OF-MODULES TOKENIZER.JSON SEED LINES
 *
 * The module "tokenizers" is the library of which tokenizer.json is the format. */
const [modules, file, seed, lines] = process.argv.slice(2);
const { Tokenizer } = require(require("path").resolve(modules, "tokenizers"));

let state = BigInt(seed) + 1n;
function below(n) {
	state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
	return Number((state >> 33n) % BigInt(n));
}

/* First and last code point of some letters of a script; assigned since long before Unicode 14. */
const scripts = [
	[0x61, 0x7a], [0x61, 0x7a], [0x41, 0x5a], [0x30, 0x39], [0x21, 0x7e], [0xe0, 0xf6], [0x100, 0x17e],
	[0x3b1, 0x3c9], [0x391, 0x3a1], [0x410, 0x44f], [0x5d0, 0x5ea], [0x627, 0x64a], [0x905, 0x939],
	[0x93e, 0x94d], [0xe01, 0xe2e], [0xe31, 0xe3a], [0x4e00, 0x4fff], [0x3041, 0x3096], [0x30a1, 0x30fa],
	[0xac00, 0xac80], [0x1100, 0x1112], [0x300, 0x310], [0x2010, 0x2027], [0x2190, 0x21ff], [0x1f600, 0x1f64f],
	[0x2460, 0x2473], [0x660, 0x669], [0xff21, 0xff3a], [0x1d400, 0x1d420], [0xfb00, 0xfb06],
];
const words = ["the", "don't", "I'LL", "we've", "isn't", "www.example.org", "x = y + 1;", "3.14159", "12345678",
	"naïve", "Zoë", "İstanbul", "ΣΊΣΥΦΟΣ", "straße", "ǅ", "ﬁne", "½", "①", "e\u0301", "a\u030a", "###", "...",
	"[CLS]", "[MASK]", "<s>", "</s>", "<|endoftext|>", "<unk>", "##ing", "▁", "·", "👩‍👩‍👧", "🇩🇪", "\u00ad", "\u200b"];
const blanks = [" ", " ", " ", " ", "  ", "   ", "\n", "\n\n", "\t", "\r\n", "\u00a0", "\u3000", ""];

function word() {
	if (below(4) === 0)
		return words[below(words.length)];
	const [from, to] = scripts[below(scripts.length)];
	let out = "";
	for (let n = 1 + below(7); n > 0; n--)
		out += String.fromCodePoint(from + below(to - from + 1));
	return out;
}

function line() {
	let out = below(4) === 0 ? blanks[below(blanks.length)] : "";
	for (let n = 1 + below(9); n > 0; n--)
		out += word() + blanks[below(blanks.length)];
	return out;
}

async function main() {
	const t = Tokenizer.fromFile(file);
	for (let i = 0; i < Number(lines); i++) {
		const text = line();
		const ids = (await t.encode(text)).getIds();
		console.log(JSON.stringify({ text, ids: Array.from(ids) }));
	}
}
main();
