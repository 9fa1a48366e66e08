/* models.c: the positions of well-known models, as expressions of schemes.
 *
 * Fields that a row leaves empty are taken from the schemes in its expression (inherit.h). Sizes
 * and the parts of a model other than positions are not in an expression; the evidence note
 * mentions omissions that concern positions. */
#include "posviz/scheme/scheme.h"

enum { MODEL = SCHEME_MODEL | SCHEME_NOT_IN_SURVEY };

#define PORT(commit, what)         \
	.evidence = EVIDENCE_PORT, \
	.evidence_note = "huggingface/transformers" commit ", modeling_" what

static const struct claim gpt2_claims[] = {
	{CLAIM_RECURRING, ANSWER_YES,
	 "the vectors are added once, but the mask acts in every layer"},
	{0},
};

const struct scheme scheme_models[] = {
	{
		.id = "bert",
		.aliases = "bert-base",
		.title = "BERT",
		.formula = "X_t = U_t + P_t",
		.authors = "Devlin et al.",
		.cite = "@devlin2019bert",
		.about =
			"A learned vector for each of 512 positions, added to the token vectors once. "
			"Every token sees every other.",
		.year = 2019,
		.table2 = TABLE2_GENERIC,
		.flags = SCHEME_MODEL,
		PORT("", "bert.py; vectors of segments and the LayerNorm of the sum are left out"),
		.count_printed = "t_max d",
		.expression = "learned",
	},
	{
		.id = "gpt2",
		.aliases = "gpt-2 gpt",
		.title = "GPT-2",
		.formula = "X_t = U_t + P_t,  A_ts = −∞ for s > t",
		.authors = "Radford et al.",
		.cite = "@radford2019language",
		.about = "BERT's learned vectors, 1024 of them, under the causal mask: a token "
			 "sees itself and what came before.",
		.year = 2019,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = MODEL | SCHEME_LEARNABLE | SCHEME_CAUSAL,
		PORT("", "gpt2.py; LayerNorm before the layers instead of after them is left out"),
		.claims = gpt2_claims,
		.expression = "learned+causal",
	},
	{
		.id = "nope",
		.aliases = "no-pe no-positions",
		.title = "NoPE",
		.formula = "A_ts = q_t·k_s / √d_h,  A_ts = −∞ for s > t",
		.authors = "Haviv et al.",
		.cite = "@haviv2022transformer; @kazemnejad2023impact",
		.about = "A decoder without positions: the causal mask alone tells of order. In "
			 "the first layer a query sees its prefix as a set, in the next what "
			 "prefixes of other lengths have become.",
		.year = 2022,
		.inj = INJ_OTHER,
		.flags = MODEL | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 2 of Haviv et al., section 2 of Kazemnejad et al.",
		.expression = "none+causal",
	},
	{
		.id = "t5_encoder",
		.aliases = "t5-encoder t5-model",
		.title = "T5, encoder",
		.table2 = TABLE2_GENERIC,
		.about =
			"A number for each head and each of 32 buckets of distances, the same in "
			"all layers; nothing is added to token vectors, and products are not scaled.",
		.flags = MODEL,
		PORT("", "t5.py; its RMSNorm before the layers is left out"),
		.expression = "t5",
	},
	{
		.id = "t5_decoder",
		.aliases = "t5-decoder",
		.title = "T5, decoder",
		.formula = "A_ts = q_t·k_s + b_{bucket(t−s)},  A_ts = −∞ for s > t",
		.table2 = TABLE2_GENERIC,
		.about = "The decoder looks back only, so all 32 buckets are for the past: near "
			 "distances have one each up to 15.",
		.flags = MODEL,
		PORT("", "t5.py; attention to the encoder, which has no positions, is left out"),
		.expression = "t5(causal=on)",
	},
	{
		.id = "transformer_xl",
		.aliases = "transformer-xl",
		.title = "Transformer-XL",
		.formula = "A_ts = [(q_t + b)·k_s + (q_t + e)·(R_{t−s} V_k)] / √d_h,  s ≤ t",
		.about = "The sinusoid of the distance in every layer, and two learned vectors "
			 "that all layers share. Distances go on into the memory before.",
		.table2 = TABLE2_GENERIC,
		.flags = MODEL,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "kimiyoung/transformer-xl 44781ed, mem_transformer.py; a memory "
				 "of length 0",
		.expression = "txl",
	},
	{
		.id = "xlnet_model",
		.aliases = "xlnet-model xlnet-base",
		.title = "XLNet, as released",
		.formula = "A_ts = [(q_t + b)·k_s + (q_t + e)·(R_{t−s} V_k) + (q_t + "
			   "r)·g_{seg(t,s)}] / √d_h",
		.authors = "Yang et al.",
		.cite = "@yang2019xlnet",
		.about = "Transformer-XL's attention in both directions, with vectors of its own "
			 "in every layer, and two for keys of the same and another segment.",
		.year = 2019,
		.flags = MODEL,
		PORT(" c85510f", "xlnet.py, as fine-tuned: the orders of its training and their "
				 "second stream are left out"),
		.expression = "xlnet(untie=on,segments=on)",
	},
	{
		.id = "deberta_v3",
		.aliases = "deberta-v3",
		.title = "DeBERTa v3",
		.formula = "A_ts = (q_t·k_s + q_t·K^r_{δ(t,s)} + Q^r_{δ(t,s)}·k_s) / √(3 d_h)",
		.authors = "He et al.",
		.cite = "@he2023debertav3",
		.about = "Positions are projected by the tokens' own W_q and W_k, their table is "
			 "normalised, and far distances share 256 logarithmic buckets each way.",
		.year = 2023,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.flags = MODEL | SCHEME_RECURRING | SCHEME_LEARNABLE,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "microsoft/DeBERTa 4d7fe0b with the settings of v3: no absolute "
				 "positions, no mask decoder",
		.expression = "deberta(buckets=256,p2c_index=code,share=on,norm=on)",
	},
	{
		.id = "roformer",
		.aliases = "ro-former",
		.title = "RoFormer",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h",
		.authors = "Su et al.",
		.cite = "@su2024roformer",
		.about = "Queries and keys are rotated by their positions in every layer, "
			 "neighbouring columns together, and nothing else tells of order.",
		.year = 2021,
		.table2 = TABLE2_SINUSOIDAL,
		.flags = MODEL,
		PORT("", "roformer.py; values are not rotated (rotary_value false)"),
		.expression = "rope",
	},
	{
		.id = "gptj",
		.aliases = "gpt-j",
		.title = "GPT-J",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h,  R rotates d_h/4 columns,  s ≤ t",
		.authors = "Wang, Komatsuzaki",
		.cite = "@wang2021gptj",
		.about = "RoPE with neighbouring columns as pairs, in the first quarter of every "
			 "head; the other columns compare contents only.",
		.year = 2021,
		.flags = MODEL,
		PORT(" c85510f", "gptj.py, rotary_dim 64 of 256; attention and feed-forward side "
				 "by side are left out"),
		.expression = "rope(partial=0.25)+causal",
	},
	{
		.id = "neox",
		.aliases = "gpt-neox gpt-neox-20b",
		.title = "GPT-NeoX",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h,  R rotates d_h/4 columns,  s ≤ t",
		.authors = "Black et al.",
		.cite = "@black2022gptneox",
		.about = "GPT-J's quarter of a head, but a column's partner is half of the rotated "
			 "columns away: the same up to the order of columns.",
		.year = 2022,
		.flags = MODEL,
		PORT(" c85510f", "gpt_neox.py, rotary_pct 0.25; attention and feed-forward side "
				 "by side are left out"),
		.expression = "rope(layout=half,partial=0.25)+causal",
	},
	{
		.id = "llama3",
		.aliases = "llama-3",
		.title = "Llama 3",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h,  s ≤ t",
		.authors = "Grattafiori et al.",
		.cite = "@grattafiori2024llama3",
		.about = "RoPE with the halves of a head as pairs and a base of 500 000, so that "
			 "the longest wavelengths are enough for 8192 tokens; causal.",
		.year = 2024,
		.flags = MODEL,
		PORT("", "llama.py, rope_theta 500000; grouped queries are left out"),
		.expression = "rope(layout=half,base=500000)+causal",
	},
	{
		.id = "llama31",
		.aliases = "llama-3.1 llama3.1",
		.title = "Llama 3.1",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h,  s ≤ t",
		.authors = "Grattafiori et al.",
		.cite = "@grattafiori2024llama3",
		.about = "Llama 3 for 131 072 tokens: wavelengths above the 8192 of its first "
			 "training are stretched eightfold, those below a quarter of them kept.",
		.year = 2024,
		.flags = MODEL,
		PORT(" c85510f", "rope_utils.py, llama3, with the settings of 3.1; grouped "
				 "queries are left out"),
		.expression = "rope_llama3(layout=half,base=500000,original=8192)+causal",
	},
	{
		.id = "irope",
		.aliases = "llama4 llama-4",
		.title = "Llama 4, iRoPE",
		.formula = "A_ts = N(R_t q_t)·N(R_s k_s) / √d_h,  ⌊t/8192⌋ = ⌊s/8192⌋, s ≤ t;  λ_t "
			   "q_t·k_s / √d_h,  s ≤ t in every 4th layer",
		.authors = "Meta AI",
		.cite = "@meta2025llama4",
		.about = "Three layers of four rotate, normalise and see their chunk of 8192 "
			 "tokens; the fourth has no positions and sees all, by queries that grow "
			 "with the length: it takes --layers 4 to show one.",
		.year = 2025,
		.flags = MODEL,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"meta-llama/llama-models a9c89c4, models/llama4/model.py, with the "
			"norm of Scout; Maverick has none; Scout's scaling of the rotation "
			"is left out",
		.expression =
			"rope(base=500000,layers=1-3/4)+qk_norm(gain=off,eps=1e-5,layers=1-3/4)+"
			"chunk(size=8192,layers=1-3/4)+temperature_tuning(layers=4/4)+causal",
	},
	{
		.id = "gemma3",
		.aliases = "gemma-3",
		.title = "Gemma 3",
		.formula = "A_ts = (R_t N(q_t))·(R_s N(k_s)) / √d_h,  t − 1024 < s ≤ t;  s ≤ t in "
			   "every 6th layer",
		.authors = "Gemma Team",
		.cite = "@gemma2025gemma3",
		.about = "Five layers look back 1024 tokens with a base of 10 000, the sixth looks "
			 "back all the way with a base of 1 000 000 and positions divided by 8: it "
			 "takes --layers 6 to show one. Queries and keys are normalised first.",
		.year = 2025,
		.flags = MODEL,
		PORT("", "gemma3.py, settings of 4B to 27B; grouped queries are left out"),
		.demo_note = "those of qk_norm",
		.expression =
			"qk_norm+rope(layout=half,layers=1-5/6)+rope_pi(layout=half,base=1000000,factor=8,layers=6/6)+window(width=2046,layers=1-5/6)+causal",
	},
	{
		.id = "bloom",
		.aliases = "bloom-176b",
		.title = "BLOOM",
		.formula = "A_ts = q_t·k_s / √d_h − m_i (t − s),  s ≤ t",
		.authors = "Le Scao et al.",
		.cite = "@lescao2022bloom",
		.about = "ALiBi, in 112 heads. Trained on 2048 tokens; nothing about positions is "
			 "learned.",
		.year = 2022,
		.flags = MODEL,
		PORT(" c85510f", "bloom.py (adds m_i s, equal after softmax); the LayerNorm "
				 "behind the embedding is left out"),
		.expression = "alibi",
	},
	{
		.id = "mpt",
		.aliases = "mpt-7b",
		.title = "MPT",
		.formula = "A_ts = q_t·k_s / √d_h − m_i (t − s),  s ≤ t",
		.authors = "MosaicML",
		.cite = "@mosaicml2023mpt",
		.about = "ALiBi in every head: trained on 2048 tokens, it could be tuned to 65 000 "
			 "and read on to 84 000.",
		.year = 2023,
		.flags = MODEL,
		PORT(" c85510f", "mpt.py; its slopes are the authors' where h is no power of two "
				 "as well"),
		.expression = "alibi",
	},
	{
		.id = "universal_transformer",
		.aliases = "universal-transformer",
		.title = "Universal Transformer, as released",
		.formula = "X^τ_t ← X^τ_t + P_t + T_τ",
		.authors = "Dehghani et al.",
		.cite = "@dehghani2019universal",
		.about = "One layer, applied again and again; every step adds the sinusoid of the "
			 "position and, in the released code, a learned vector of the step.",
		.year = 2019,
		.table2 = TABLE2_SINUSOIDAL,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = MODEL | SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "tensor2tensor bafdc1b, universal_transformer_util, its defaults; "
				 "without halting",
		.demo_note = "those of ut: T is drawn",
		.expression = "ut(step=learned,layout=concat,freq=t2t)",
	},
	{
		.id = "swin_v2",
		.aliases = "swinv2 swin-transformer-v2",
		.title = "Swin Transformer V2, on a line",
		.formula =
			"A_ts = τ cos(q_t, k_s) + 16 σ(f(r)),  r = ±log_2(1 + 8 |t−s| / (W−1)) / 3",
		.authors = "Liu et al.",
		.cite = "@liu2022swin",
		.about = "The vision transformer's attention within one window, with a line of "
			 "tokens for its square: a small network reads the logarithm of the "
			 "distance, and content counts by its angle alone.",
		.year = 2022,
		.flags = MODEL,
		PORT(" c85510f", "swinv2.py; windows, their shift and the second dimension are "
				 "left out"),
		.expression = "log_cpb",
	},
	{
		.id = "longformer",
		.aliases = "long-former",
		.title = "Longformer",
		.formula = "X_t = U_t + P_t,  A_ts = −∞ for |t − s| > 256, t, s ≠ [CLS]",
		.authors = "Beltagy et al.",
		.cite = "@beltagy2020longformer",
		.about = "Learned vectors for 4096 positions, a window of 256 keys to each side, "
			 "and a first token that sees and is seen by all, by its own projections.",
		.year = 2020,
		.ref = REF_ABSOLUTE,
		.inj = INJ_BOTH,
		.flags = MODEL | SCHEME_LEARNABLE | SCHEME_RECURRING,
		PORT(" c85510f", "longformer.py, as for classification: one global token"),
		.demo_note = "those of learned and of window",
		.expression = "learned+window(width=512,global=[1],projections=on)",
	},
	{0},
};
