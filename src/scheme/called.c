/* called.c: the names by which people look for schemes. Settings are those of the first release
 * with that name; the note mentions parts of a model other than positions that no scheme here
 * implements. */
#include "posviz/scheme/called.h"

#include <string.h>

#include "posviz/base/text.h"

const struct scheme_call scheme_calls[] = {
	/* ---- models, and their types in Hugging Face transformers ---- */
	{"bert-style|encoder-only|masked language model", "bert",
	 "An encoder with a learned vector for each position, where every token sees every other."},
	{"gpt-style|decoder-only|openai-gpt|gpt-1", "gpt2",
	 "A decoder with a learned vector for each position, under the causal mask."},
	{"roberta|xlm-roberta|xlm-r|camembert", "learned",
	 "BERT's learned vectors. Their rows are counted from 2: the first two are of padding."},
	{"electra|albert|distilbert|ernie", "learned", "BERT's learned vectors."},
	{"bart|mbart", "learned",
	 "Encoder and decoder have a table each, with rows counted from 2; the decoder is "
	 "learned+causal."},
	{"opt", "learned+causal", "GPT-2's learned vectors; rows are counted from 2."},
	{"gpt-neo", "learned+window(keys=256,layers=even)+causal",
	 "Learned vectors, and in every second layer the last 256 keys alone."},
	{"gpt-bigcode|starcoder|santacoder", "learned+causal", "GPT-2's learned vectors."},
	{"vit|vision transformer|deit|dinov2|dino-v2", "learned_2d(rows=14,columns=14)",
	 "A learned vector for each patch of the image, row after row, and one for the class token; "
	 "another image size reads the table between its rows (--patches 14x14 --special cls)."},
	{"mae|vit-mae|masked autoencoder", "sinusoidal_2d",
	 "Sinusoids of the column and the row of a patch."},
	{"moco-v3|big_vision", "sinusoidal_2d(freq=t2t)",
	 "Sinusoids of the column and the row of a patch, by tensor2tensor's frequencies."},
	{"detr|detection transformer", "learned_2d(tables=two)",
	 "DETR's learned tables for columns and rows; its default is sinusoids in every layer."},
	{"dinov3|dino-v3", "rope_2d(coordinates=separate,base=100,layout=half)",
	 "Rows and columns from -1 to 1, whatever the size of the image; the class token does not "
	 "rotate."},
	{"rope-vit|vit-rope", "rope_2d(first=columns,base=100)",
	 "RoPE-ViT's axial form; the mixed one, with learned directions, is rope_mixed."},
	{"qwen2-vl vision|qwen2.5-vl vision", "rope_2d(layout=half)",
	 "The picture's tower: rows first, pairs of halves; blocks of 2 by 2 are <image 4x6/2>."},
	{"qwen2-vl|qwen2.5-vl|qwen2vl", "mrope+causal",
	 "M-RoPE of text, pictures and videos: <image 4x6> and <video 2x4x6> among the words."},
	{"qwen3-vl|qwen3vl", "mrope(axes=interleaved,base=5000000)+causal",
	 "M-RoPE with the axes interleaved; each frame of a video is a picture of its own."},
	{"twins|cpvt-s", "cpe(layers=2)", "A convolution over the picture behind the first block."},
	{"swinv2 windows|swin-v2-2d", "log_cpb(grid=on,window=8)+swin(rows=8,columns=8,bias=off)",
	 "Swin V2's bias of rows and columns, in windows of 8 by 8."},
	{"swin-transformer|swin1", "swin(rows=7,columns=7)",
	 "A bias in windows; every second layer has them shifted, "
	 "swin(rows=7,columns=7,layers=odd)+swin(rows=7,columns=7,shift=3,layers=even)."},
	{"llama|llama-2|vicuna|alpaca|tinyllama", "rope(layout=half)+causal",
	 "RoPE with the halves of a head as pairs. Llama 3, 3.1 and 4 are llama3, llama31 and "
	 "irope."},
	{"codellama|code-llama", "rope(layout=half,base=1000000)+causal",
	 "Llama 2 with a base of 1 000 000."},
	{"mistral|mistral-7b", "rope(layout=half)+window(keys=4096)",
	 "Llama's RoPE, and the last 4096 keys alone; later ones see all keys."},
	{"mixtral", "rope(layout=half,base=1000000)+causal",
	 "Llama's RoPE with a base of 1 000 000."},
	{"qwen|qwen2|qwen2.5", "rope(layout=half,base=1000000)+causal",
	 "Llama's RoPE with a base of 1 000 000."},
	{"qwen3", "qk_norm+rope(layout=half,base=1000000)+causal",
	 "Queries and keys are normalised, then rotated with a base of 1 000 000."},
	{"gemma", "rope(layout=half)+causal", "Llama's RoPE. Gemma 3 is gemma3."},
	{"gemma2", "rope(layout=half)+window(keys=4096,layers=odd)+softcap(cap=50)+causal",
	 "Every second layer sees the last 4096 keys alone, and no logit exceeds 50."},
	{"phi|phi-1|phi-1.5|phi-2", "rope(layout=half,partial=0.5)+causal",
	 "RoPE in the first half of a head; Phi-2 has 0.4 of it."},
	{"phi3|phi-3", "rope(layout=half)+window(keys=2047)",
	 "Llama's RoPE and the last 2047 keys; the long ones have rope_long."},
	{"falcon", "rope(layout=half)+causal", "Llama's RoPE; Falcon-RW has ALiBi."},
	{"stablelm", "rope(layout=half,partial=0.25)+causal",
	 "RoPE in the first quarter of a head."},
	{"glm|glm4|chatglm", "rope(partial=0.5)+causal",
	 "RoPE with neighbouring columns as pairs, in the first half of a head."},
	{"cohere|command-r", "rope(base=500000)+causal",
	 "RoPE with neighbouring columns as pairs; released ones say their base."},
	{"cohere2|command-r7b", "rope(layers=1-3/4)+window(keys=4096,layers=1-3/4)+causal",
	 "Three layers of four rotate and see the last 4096 keys; the fourth sees all and has no "
	 "positions. Released ones say their base."},
	{"smollm3", "rope(layout=half,base=2000000,layers=1-3/4)+causal",
	 "RoPE in three layers of four; the fourth has no positions."},
	{"olmo2|olmo-2", "qk_norm(span=all)+rope(layout=half,base=500000)+causal",
	 "Queries and keys are normalised, all heads together, then rotated as in Llama."},
	{"gpt-oss",
	 "rope_yarn(layout=half,base=150000,factor=32,original=4096,truncate=off)+"
	 "window(keys=128,layers=odd)+sink+causal",
	 "YaRN; every second layer sees the last 128 keys alone; and each head has a sink, a logit "
	 "of no key in its softmax."},
	{"modernbert",
	 "rope(layout=half,base=160000,layers=1/3)+rope(layout=half,layers=2-3/3)+"
	 "window(width=128,layers=2-3/3)",
	 "An encoder: one layer of three sees all, with a base of 160 000, two see 64 keys to each "
	 "side."},
	{"starcoder2", "rope(layout=half)+window(keys=4096)",
	 "Llama's RoPE and the last 4096 keys; released ones say their base."},
	{"esm|esm2|esm-2", "rope(layout=half)", "An encoder of proteins with RoPE."},
	{"nezha", "shaw(clip=64,table=sinusoidal)",
	 "Shaw's vectors for keys and values, clipped at 64 and fixed. Here they are sinusoids of the "
	 "signed distance; NEZHA counts its rows from 0: --params takes them."},
	{"relative_key", "shaw(values=off,clip=0,sign=ts)",
	 "A position_embedding_type of BERT: a vector for each distance, added to the key. "
	 "relative_key_query is huang4."},
	{"flan-t5|mt5|t5x", "t5", "T5's buckets; the decoder is t5_decoder."},
	{"falcon-rw|baichuan-13b|baichuan2-13b", "alibi", "ALiBi, causal."},
	{"jina-bert|jina-embeddings-v2", "alibi(causal=off)",
	 "ALiBi in both directions, in an encoder."},
	{"marian|pegasus", "sinusoidal(layout=concat)",
	 "The paper's sinusoids, all sines before all cosines."},
	{"m2m100|nllb|xglm|fairseq", "sinusoidal(layout=concat,freq=t2t,start=2,scale_emb=on)",
	 "tensor2tensor's frequencies, counted from 2 as the first two rows are of padding."},
	{"whisper", "sinusoidal(layout=concat,freq=t2t)",
	 "Of the encoder; the decoder is learned+causal."},
	{"transfo-xl", "txl", "Transformer-XL."},
	{"deberta-v2", "deberta_v3",
	 "The settings of version 3; those of deberta are of version 1."},
	/* ---- terms of the field ---- */
	{"absolute position embeddings|absolute positional embeddings|learned position embeddings|"
	 "learned positional embeddings|learned positional encoding|position embeddings|wpe",
	 "learned", "A learned vector for each position, added to the token vectors once."},
	{"positional encoding|positional encodings|sinusoidal position encoding|"
	 "sinusoidal positional encoding|fixed position embeddings|sincos",
	 "sinusoidal", "The first Transformer's vectors of sines and cosines."},
	{"rotary position embedding|rotary positional embedding|rotary embedding|rotary embeddings",
	 "rope", "Queries and keys are rotated by their positions."},
	{"relative position bias|relative attention bias|relative positional bias|relative bias|"
	 "t5 relative bias|bucketed bias",
	 "t5", "A learned number for each bucket of distances, added to the logits."},
	{"relative position embeddings|relative positional embeddings|relative position encoding|"
	 "relative position representations|rpe",
	 "shaw", "A learned vector for each clipped distance, for keys and values."},
	{"linear biases|attention with linear biases", "alibi", "A fixed slope for each head."},
	{"linear scaling|linear rope scaling|linear interpolation|pi", "rope_pi",
	 "rope_scaling of type linear: positions divided by the factor."},
	{"ntk|static ntk|ntk scaling|ntk-aware scaling", "rope_ntk", "A greater base of RoPE."},
	{"dynamic|dynamic scaling|dynamic rope scaling|dynamic ntk scaling", "rope_dyn",
	 "rope_scaling of type dynamic: the base grows with the length of the input."},
	{"leaky rerope|leaky-rerope", "rope(layout=half)+rerope(leak=16)",
	 "Beyond the window distances grow on, 16 times slower."},
	{"ntk-by-parts|yarn scaling", "rope_yarn", "rope_scaling of type yarn."},
	{"su scaling|longrope scaling|long factor|short factor", "rope_long",
	 "rope_scaling of type longrope, or su: a divisor for each pair."},
	{"2d rope|2d rotary|axial rotary", "rope_2d",
	 "Half of the pairs rotate by the row of an image, half by the column."},
	{"no positional encoding|no position encoding|no positional embedding|no position embeddings",
	 "nope", "A decoder that has the causal mask alone."},
	{"drope", "nope",
	 "A model with RoPE whose rotation is dropped after pretraining, in all layers, before a short "
	 "training on."},
	{"sliding window attention|swa|windowed attention|banded attention", "window",
	 "keys=4 is a decoder's window of 4 keys, width=4 two keys to each side."},
	{"causal mask|causal attention|unidirectional|triangular mask", "causal",
	 "A query sees itself and what came before."},
	{"bidirectional|full attention|no mask|bag of words", "none",
	 "Every query sees every key; there are no positions."},
	{"dape2|dape-v2|dape v2|cdape", "dape(kernel=3)", "DAPE with convolutions along the keys."},
	{"softmax1|softmax-1|softmax one|off-by-one softmax|quiet attention", "sink(learned=off)",
	 "A 1 in the denominator of the softmax: a sink whose logit is 0."},
	{"untied positional encoding", "tupe_r",
	 "Positions meet positions in a product of their own."},
	{0},
};

const char *scheme_call_name(const struct scheme_call *call, size_t i, size_t *len)
{
	const char *at = call->names;
	for (; i > 0 && *at; i--) {
		at += strcspn(at, "|");
		at += *at == '|';
	}
	*len = strcspn(at, "|");
	return *len > 0 ? at : NULL;
}

bool scheme_is_called(const struct scheme *s, const char *word)
{
	for (const char *at = s->aliases ? s->aliases : ""; *at; at += strspn(at, " ")) {
		const size_t len = strcspn(at, " ");
		if (text_same_name(at, len, word))
			return true;
		at += len;
	}
	return false;
}

const struct scheme_call *scheme_called(const char *word)
{
	const char *name;
	size_t len;
	for (const struct scheme_call *c = scheme_calls; c->names; c++)
		for (size_t i = 0; (name = scheme_call_name(c, i, &len)) != NULL; i++)
			if (text_same_name(name, len, word))
				return c;
	return NULL;
}
