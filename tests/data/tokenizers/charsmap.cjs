/* charsmap.cjs: a table of replacements as SentencePiece keeps it: a double array, and the texts. */

/* Each node takes the first base at which the units of all its branches are free. */
function charsmap(rows) {
	const root = { next: new Map() }, blob = [];
	for (const [from, to] of rows) {
		let at = root;
		for (const b of Buffer.from(from)) {
			if (!at.next.has(b))
				at.next.set(b, { next: new Map() });
			at = at.next.get(b);
		}
		at.value = blob.length;
		blob.push(...Buffer.from(to), 0);
	}
	const units = [0], used = new Set([0]);
	function place(node, at) {
		const labels = [...node.next.keys()].sort((a, b) => a - b), all = node.value === undefined ? labels : [0, ...labels];
		let base = 1;
		while (all.some((l) => used.has(base ^ l)) || (at ^ base) === 0 || (at ^ base) >= 1 << 21)
			base++;
		for (const l of all)
			used.add(base ^ l);
		units[at] = ((units[at] ?? 0) | ((at ^ base) << 10) | (node.value === undefined ? 0 : 1 << 8)) >>> 0;
		if (node.value !== undefined)
			units[base] = ((1 << 31) | node.value) >>> 0;
		for (const l of labels)
			units[base ^ l] = l;
		for (const l of labels)
			place(node.next.get(l), base ^ l);
	}
	place(root, 0);
	const n = Math.ceil(Math.max(...used, units.length) / 256 + 1) * 256, out = Buffer.alloc(4 + 4 * n + blob.length);
	out.writeUInt32LE(4 * n, 0);
	for (let i = 0; i < n; i++)
		out.writeUInt32LE(units[i] ?? 0, 4 + 4 * i);
	Buffer.from(blob).copy(out, 4 + 4 * n);
	return out;
}

module.exports = { charsmap };
