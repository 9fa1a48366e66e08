/* made_spm.cjs: made spm.json: small models of SentencePiece, in hexadecimal, and the ids that SentencePiece itself
 * gives for some texts.
 *
 *	node made_spm.cjs FOLDER-OF-MODULES > spm.json     (module "sentencepiece-js" 1.1)
 */
const fs = require("fs"), os = require("os"), path = require("path");
const { charsmap } = require("./charsmap.cjs");
const { SentencePieceProcessor } = require(path.resolve(process.argv[2], "sentencepiece-js"));

const varint = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...varint(n >>> 7)]);
const whole = (field, n) => [...varint(field << 3), ...varint(n)];
const bytes = (field, b) => [...varint((field << 3) | 2), ...varint(b.length), ...b];
const text = (field, s) => bytes(field, Buffer.from(s));
const single = (field, x) => { const b = Buffer.alloc(4); b.writeFloatLE(x); return [...varint((field << 3) | 5), ...b]; };
const NORMAL = 1, UNKNOWN = 2, CONTROL = 3, USER = 4, UNUSED = 5, BYTE = 6;

function model(pieces, trainer, normalizer) {
	return Buffer.from([
		...pieces.flatMap(([s, score, kind]) => bytes(1, [...text(1, s), ...single(2, score), ...whole(3, kind ?? NORMAL)])),
		...bytes(2, trainer), ...bytes(3, normalizer),
	]);
}

const head = [["<unk>", 0, UNKNOWN], ["<s>", 0, CONTROL], ["</s>", 0, CONTROL]];
const words = [["▁", -2.5], ["t", -3.6], ["h", -3.4], ["e", -3.3], ["a", -3.2], ["c", -4], ["s", -4.1], ["th", -3.9], ["the", -5.5],
	["▁the", -4.4], ["▁cat", -7], ["at", -4.9], ["▁c", -5.1], ["he", -5], ["fi", -6], ["xy", -1, USER], ["▁▁", -3]];
const inBytes = Array.from({ length: 256 }, (_, i) => [`<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`, 0, BYTE]);
const map = charsmap([["\ufb01", "fi"], ["\u3000", " "], ["\t", " "], ["e\u0301", "é"], ["E", "e"], ["\u200b", ""], ["ab", "c"]]);
const ranks = [["th", 0], ["he", -1], ["the", -2], ["▁the", -3], ["at", -4], ["▁c", -5], ["▁cat", -6], ["t", -7], ["h", -8], ["e", -9],
	["a", -10], ["c", -11], ["s", -12], ["▁", -13], ["xy", -1, USER]];
const models = {
	"Unigram": model([...head, ...words], whole(3, 1), []),
	"Unigram, bytes": model([...head, ...words, ...inBytes], [...whole(3, 1), ...whole(35, 1)], []),
	"Unigram, replaced": model([...head, ...words], whole(3, 1), bytes(2, map)),
	"Unigram, blanks kept": model([...head, ...words], whole(3, 1), [...whole(3, 0), ...whole(4, 0), ...bytes(2, map)]),
	"BPE": model([...head, ...ranks], whole(3, 2), []),
	"BPE, bytes": model([...head, ...inBytes, ...ranks], [...whole(3, 2), ...whole(35, 1)], whole(4, 0)),
};
const texts = ["the cat", "The  cats  ", "  thexythe", "at the \ufb01sh", "a\tb\u3000c", "zé É e\u0301 the", "", "   ", "xy", "tthhee", "abab \u200b a",
	"catcatcat the the", "🙂 the"];

async function main() {
	const out = [];
	for (const [name, data] of Object.entries(models)) {
		const file = path.join(os.tmpdir(), `made-${process.pid}.model`);
		fs.writeFileSync(file, data);
		const p = new SentencePieceProcessor();
		await p.load(file);
		fs.unlinkSync(file);
		out.push(JSON.stringify({ name, model: data.toString("hex"), ids: texts.map((t) => p.encodeIds(t)) }));
	}
	console.log(`{"texts": ${JSON.stringify(texts)},\n"rows": [\n${out.join(",\n")}\n]}`);
}
main();
