/* released.c: released models. Each row is from a file of the model or a third-party copy of its
 * configuration, which `source` names: nothing is from memory, and what no file said is 0. */
#include "posviz/scheme/released.h"

#include <string.h>

#include "posviz/base/text.h"

#define LITGPT	   "Lightning-AI/litgpt 2685705, litgpt/config.py"
#define GEMMA	   "google/gemma_pytorch 014acb7, gemma/config.py; " LITGPT
#define MAXTEXT	   "AI-Hypercomputer/maxtext e591f30, configs/models"
#define HF	   "huggingface/transformers ace7c37, class defaults"
#define MLX	   "ml-explore/mlx-lm d78bf58, class defaults"
#define WIDE_NORM  "the norm of queries and keys over all heads"
#define BASE(b)	   "rope(layout=half,base=" b ")+causal"
#define QWEN3(b)   "qk_norm+rope(layout=half,base=" b ")+causal"
#define LLAMA3(f)  "rope_llama3(layout=half,base=500000,factor=" f ",original=8192)+causal"
#define PARTIAL(p) "rope(layout=half,partial=" p ")+causal"
#define GEMMA2	   "rope(layout=half)+window(keys=4096,layers=odd)+softcap(cap=50)+causal"
#define GEMMA3(keys, far)                                                              \
	"qk_norm+rope(layout=half,layers=1-5/6)+" far ",layers=6/6)+window(keys=" keys \
	",layers=1-5/6)+causal"
#define GEMMA3_FAR "rope_pi(layout=half,base=1000000,factor=8"
#define GPT_OSS                                                                                    \
	"rope_yarn(layout=half,base=150000,factor=32,original=4096,truncate=off)+window(keys=128," \
	"layers=odd)+sink+causal"
#define MLA(q_rank, mscale)                                                                \
	"mla(rope=64,q_rank=" q_rank ",kv_rank=512,factor=40,original=4096,mscale=" mscale \
	",mscale_all_dim=" mscale ")+causal"
#define SCOUT                                                                               \
	"rope_llama3(base=500000,factor=16,original=8192,high_freq_factor=1,layers=1-3/4)+" \
	"qk_norm(gain=off,eps=1e-5,layers=1-3/4)+chunk(size=8192,layers=1-3/4)+"            \
	"temperature_tuning(layers=4/4)+causal"
#define QWEN_VL	 "mrope(sections=[16,24,24])+causal"
#define QWEN3_VL "qk_norm+mrope(axes=interleaved,sections=[24,20,20],base=5000000)+causal"
/* The 64 fast pairs of a head of 512 at base 10^6 are those of one of 256 at base 10^3. */
#define GEMMA4                                                                                    \
	"qk_norm+rope(layout=half,layers=1-5/6)+rope(layout=half,base=1000,partial=0.5,exponent=" \
	"head,layers=6/6)+window(keys=1024,layers=1-5/6)+causal"
#define GEMMA4_LEFT(keys)                                                                         \
	"heads of 512 with " keys " and a common W_k and W_v in every 6th layer, whose 64 pairs " \
	"rotate as theirs; a scale of 1 for 1/√256; the norm of values"
#define GEMMA4_FILES MAXTEXT "; huggingface/transformers, models/gemma4/modular_gemma4.py"
#define OLMO3(truncate)                                                                          \
	"rope(layout=half,base=500000,layers=1-3/4)+rope_yarn(layout=half,base=500000,factor=8," \
	"original=8192" truncate ",layers=4/4)+window(keys=4096,layers=1-3/4)+causal"
#define OLMO3_LEFT WIDE_NORM "; a library's code stretches all layers"
#define DINOV2	   "learned_2d(rows=37,columns=37)"
#define DINOV3	   "rope_2d(coordinates=separate,base=100,layout=half)"
#define HUB2	   "facebookresearch/dinov2, hub/backbones.py, models/vision_transformer.py"
#define HUB3	   "facebookresearch/dinov3, hub/backbones.py"
#define PAI(folder)                                                                         \
	"alibaba/Pai-Megatron-Patch, examples/" folder "/run_mcore_qwen.sh; its sections: " \
	"huggingface/transformers, docs/source/en/internal/rope_utils.md"
#define DEBERTA "deberta(buckets=256,p2c_index=code,share=on,norm=on)"

const struct released released_models[] = {
	/* names, year, d, layers, heads, key heads, head, value, trained on */
	{"llama2-7b|llama-2-7b-hf", 2023, 4096, 32, 32, 0, 128, 0, 4096, BASE("10000"), NULL,
	 LITGPT},
	{"llama2-13b|llama-2-13b-hf", 2023, 5120, 40, 40, 0, 128, 0, 4096, BASE("10000"), NULL,
	 LITGPT},
	{"llama2-70b|llama-2-70b-hf", 2023, 8192, 80, 64, 8, 128, 0, 4096, BASE("10000"), NULL,
	 LITGPT},
	{"llama3-8b|meta-llama-3-8b", 2024, 4096, 32, 32, 8, 128, 0, 8192, BASE("500000"), NULL,
	 LITGPT},
	{"llama3-70b|meta-llama-3-70b", 2024, 8192, 80, 64, 8, 128, 0, 8192, BASE("500000"), NULL,
	 LITGPT},
	{"llama3.1-8b|meta-llama-3.1-8b", 2024, 4096, 32, 32, 8, 128, 0, 131072, LLAMA3("8"), NULL,
	 LITGPT},
	{"llama3.1-70b|meta-llama-3.1-70b", 2024, 8192, 80, 64, 8, 128, 0, 131072, LLAMA3("8"),
	 NULL, LITGPT},
	{"llama3.1-405b|meta-llama-3.1-405b", 2024, 16384, 126, 128, 8, 128, 0, 131072, LLAMA3("8"),
	 NULL, LITGPT},
	{"llama3.2-1b", 2024, 2048, 16, 32, 8, 64, 0, 131072, LLAMA3("32"), NULL, LITGPT},
	{"llama3.2-3b", 2024, 3072, 28, 24, 8, 128, 0, 131072, LLAMA3("32"), NULL, LITGPT},
	{"llama3.3-70b", 2024, 8192, 80, 64, 8, 128, 0, 131072, LLAMA3("8"), NULL, LITGPT},
	{"llama4-maverick|llama4-128e|llama4-17b-128e", 2025, 5120, 48, 40, 8, 128, 0, 0,
	 "rope(base=500000,layers=1-3/4)+chunk(size=8192,layers=1-3/4)+temperature_tuning(layers="
	 "4/4)+causal",
	 NULL, MAXTEXT},
	{"llama4-scout|llama4-16e|llama4-17b-16e", 2025, 5120, 48, 40, 8, 128, 0, 0, SCOUT, NULL,
	 MAXTEXT "; meta-llama/llama-models a9c89c4, models/llama4/args.py"},
	{"mistral-7b-v0.1|mistral-7b", 2023, 4096, 32, 32, 8, 128, 0, 0,
	 "rope(layout=half)+window(keys=4096)", NULL, LITGPT},
	{"mistral-7b-v0.3|mistral-7b-v0.2", 2024, 4096, 32, 32, 8, 128, 0, 32768, BASE("1000000"),
	 NULL, LITGPT},
	{"mixtral-8x7b", 2023, 4096, 32, 32, 8, 128, 0, 32768, BASE("1000000"), NULL, LITGPT},
	{"mixtral-8x22b", 2024, 6144, 56, 48, 8, 128, 0, 65536, BASE("1000000"), NULL, LITGPT},
	{"qwen2.5-0.5b", 2024, 896, 24, 14, 2, 64, 0, 32768, BASE("1000000"), NULL, LITGPT},
	{"qwen2.5-7b", 2024, 3584, 28, 28, 4, 128, 0, 131072, BASE("1000000"), NULL, LITGPT},
	{"qwen2.5-72b", 2024, 8192, 80, 64, 8, 128, 0, 131072, BASE("1000000"), NULL, LITGPT},
	{"qwen2.5-7b-1m", 2025, 3584, 28, 28, 4, 128, 0, 1010000, BASE("10000000"),
	 "dual chunk attention, which is put upon it when it reads on: +dca(...)", LITGPT},
	{"qwen3-0.6b", 2025, 1024, 28, 16, 8, 128, 0, 40960, QWEN3("1000000"), NULL, LITGPT},
	{"qwen3-8b", 2025, 4096, 36, 32, 8, 128, 0, 40960, QWEN3("1000000"), NULL, LITGPT},
	{"qwen3-32b", 2025, 5120, 64, 64, 8, 128, 0, 40960, QWEN3("1000000"), NULL, LITGPT},
	{"qwen3-30b-a3b", 2025, 2048, 48, 32, 4, 128, 0, 40960, QWEN3("1000000"), NULL, LITGPT},
	{"qwen3-235b-a22b", 2025, 4096, 94, 64, 4, 128, 0, 40960, QWEN3("1000000"), NULL, LITGPT},
	{"qwen3-4b-2507", 2025, 2560, 36, 32, 8, 128, 0, 262144, QWEN3("5000000"), NULL, LITGPT},
	{"qwen2-vl-2b", 2024, 1536, 28, 12, 2, 128, 0, 32768, QWEN_VL, NULL, PAI("qwen2_vl")},
	{"qwen2-vl-7b", 2024, 3584, 28, 28, 4, 128, 0, 131072, QWEN_VL, NULL, PAI("qwen2_vl")},
	{"qwen2-vl-72b", 2024, 8192, 80, 64, 8, 128, 0, 131072, QWEN_VL, NULL, PAI("qwen2_vl")},
	{"qwen2.5-vl-3b", 2025, 2048, 36, 16, 2, 128, 0, 128000, QWEN_VL, NULL, PAI("qwen2_5_vl")},
	{"qwen2.5-vl-7b", 2025, 3584, 28, 28, 4, 128, 0, 128000, QWEN_VL, NULL, PAI("qwen2_5_vl")},
	{"qwen2.5-vl-32b", 2025, 5120, 64, 40, 8, 128, 0, 128000, QWEN_VL, NULL, PAI("qwen2_5_vl")},
	{"qwen2.5-vl-72b", 2025, 8192, 80, 64, 8, 128, 0, 128000, QWEN_VL, NULL, PAI("qwen2_5_vl")},
	{"qwen3-vl-2b", 2025, 2048, 28, 16, 8, 128, 0, 0, QWEN3_VL, NULL, MAXTEXT},
	{"qwen3-vl-4b", 2025, 2560, 36, 32, 8, 128, 0, 0, QWEN3_VL, NULL, MAXTEXT},
	{"gemma-2b", 2024, 2048, 18, 8, 1, 256, 0, 8192, BASE("10000"), NULL, GEMMA},
	{"gemma-7b", 2024, 3072, 28, 16, 0, 256, 0, 8192, BASE("10000"), NULL, GEMMA},
	{"gemma2-2b", 2024, 2304, 26, 8, 4, 256, 0, 0, GEMMA2, NULL, GEMMA},
	{"gemma2-9b", 2024, 3584, 42, 16, 8, 256, 0, 0, GEMMA2, NULL, GEMMA},
	{"gemma2-27b", 2024, 4608, 46, 32, 16, 128, 0, 0, GEMMA2, "a scale of 1/√144 for 1/√128",
	 GEMMA},
	{"gemma3-1b", 2025, 1152, 26, 4, 1, 256, 0, 0,
	 GEMMA3("512", "rope(layout=half,base=1000000"), NULL, GEMMA},
	{"gemma3-4b", 2025, 2560, 34, 8, 4, 256, 0, 0, GEMMA3("1024", GEMMA3_FAR), NULL, GEMMA},
	{"gemma3-12b", 2025, 3840, 48, 16, 8, 256, 0, 0, GEMMA3("1024", GEMMA3_FAR), NULL, GEMMA},
	{"gemma3-27b", 2025, 5376, 62, 32, 16, 128, 0, 0, GEMMA3("1024", GEMMA3_FAR),
	 "a scale of 1/√168 for 1/√128", GEMMA},
	{"gemma4-12b", 2026, 3840, 48, 16, 8, 256, 0, 0, GEMMA4, GEMMA4_LEFT("one key"),
	 GEMMA4_FILES},
	{"gemma4-26b|gemma4-26b-a4b", 2026, 2816, 30, 16, 8, 256, 0, 0, GEMMA4,
	 GEMMA4_LEFT("2 keys"), GEMMA4_FILES},
	{"gemma4-31b", 2026, 5376, 60, 32, 16, 256, 0, 0, GEMMA4, GEMMA4_LEFT("4 keys"),
	 GEMMA4_FILES},
	{"phi-2", 2023, 2560, 32, 32, 0, 80, 0, 2048, PARTIAL("0.4"), NULL, LITGPT},
	{"phi3-mini-4k", 2024, 3072, 32, 32, 0, 96, 0, 4096, "rope(layout=half)+window(keys=2048)",
	 NULL, LITGPT},
	{"phi4|phi-4-14b", 2024, 5120, 40, 40, 10, 128, 0, 0, BASE("250000"), NULL, LITGPT},
	{"phi4-mini", 2025, 3072, 32, 24, 8, 128, 0, 0, PARTIAL("0.75"), NULL, LITGPT},
	{"gptj-6b|gpt-j-6b", 2021, 4096, 28, 16, 0, 256, 0, 2048, "gptj", NULL,
	 "kingoflolz/mesh-transformer-jax f8315e3, configs/6B_roto_256.json"},
	{"gpt-neox-20b", 2022, 6144, 44, 64, 0, 96, 0, 2048, "neox", NULL,
	 "EleutherAI/gpt-neox ea7aefd, configs/20B.yml"},
	{"pythia-70m", 2023, 512, 6, 8, 0, 64, 0, 2048, PARTIAL("0.25"), NULL, LITGPT},
	{"pythia-6.9b", 2023, 4096, 32, 32, 0, 128, 0, 2048, PARTIAL("0.25"), NULL, LITGPT},
	{"falcon-7b", 2023, 4544, 32, 71, 1, 64, 0, 2048, BASE("10000"), NULL, LITGPT},
	{"falcon-40b", 2023, 8192, 60, 128, 8, 64, 0, 2048, BASE("10000"), NULL, LITGPT},
	{"falcon-180b", 2023, 14848, 80, 232, 8, 64, 0, 2048, BASE("10000"), NULL, LITGPT},
	{"bloom-176b|bloom", 2022, 14336, 70, 112, 0, 128, 0, 2048, "bloom", NULL,
	 "bigscience-workshop/bigscience, train/tr11-176B-ml/tr11-176B-ml.slurm"},
	{"mpt-7b", 2023, 4096, 32, 32, 0, 128, 0, 2048, "mpt", NULL,
	 "mosaicml/llm-foundry 8c8dd48, scripts/train/yamls/pretrain/mpt-7b.yaml"},
	{"mpt-30b", 2023, 7168, 48, 56, 0, 128, 0, 2048, "mpt", NULL,
	 "mosaicml/llm-foundry 8c8dd48, scripts/train/yamls/pretrain/mpt-30b.yaml"},
	{"command-r", 2024, 8192, 40, 64, 0, 128, 0, 0, "rope(base=8000000)+causal", NULL, MLX},
	{"command-r7b", 2024, 4096, 32, 32, 8, 128, 0, 0,
	 "rope(base=50000,layers=1-3/4)+window(keys=4096,layers=1-3/4)+causal", NULL, MLX "; " HF},
	{"smollm2-360m", 2024, 960, 32, 15, 5, 64, 0, 8192, BASE("100000"), NULL, LITGPT},
	{"smollm2-1.7b", 2024, 2048, 24, 32, 0, 64, 0, 8192, BASE("130000"), NULL, LITGPT},
	{"smollm3-3b", 2025, 2048, 36, 16, 4, 128, 0, 65536,
	 "rope(layout=half,base=5000000,layers=1-3/4)+causal", NULL,
	 "huggingface/smollm a041759, text/pretraining/smollm3, its third stage"},
	{"olmo2-1b", 2025, 2048, 16, 16, 0, 128, 0, 4096, BASE("500000"), WIDE_NORM, LITGPT},
	{"olmo2-7b", 2024, 4096, 32, 32, 0, 128, 0, 4096, BASE("500000"), WIDE_NORM, LITGPT},
	{"olmo2-13b", 2024, 5120, 40, 40, 0, 128, 0, 4096, BASE("500000"), WIDE_NORM, LITGPT},
	{"olmo3-7b", 2025, 4096, 32, 32, 0, 128, 0, 65536, OLMO3(""), OLMO3_LEFT, MAXTEXT},
	{"olmo3-32b|olmo3.1-32b", 2025, 5120, 64, 40, 8, 128, 0, 65536, OLMO3(",truncate=off"),
	 OLMO3_LEFT, MAXTEXT},
	{"deepseek-v2", 2024, 5120, 60, 128, 0, 192, 128, 0, MLA("1536", "0.707"), NULL, MAXTEXT},
	{"deepseek-v2-lite", 2024, 2048, 27, 16, 0, 192, 128, 0, MLA("0", "0.707"), NULL, MAXTEXT},
	{"deepseek-v3|deepseek-r1", 2024, 7168, 61, 128, 0, 192, 128, 0, MLA("1536", "1"), NULL,
	 "deepseek-ai/DeepSeek-V3 9b4e978, inference/configs/config_671B.json"},
	{"gpt-oss-20b", 2025, 2880, 24, 64, 8, 64, 0, 0, GPT_OSS, NULL, MAXTEXT},
	{"gpt-oss-120b", 2025, 2880, 36, 64, 8, 64, 0, 0, GPT_OSS, NULL,
	 "openai/gpt-oss 7b58334, gpt_oss/torch/model.py"},
	{"glm4-9b|glm-4-9b", 2024, 4096, 40, 32, 2, 128, 0, 131072, "rope(partial=0.5)+causal",
	 "its base: the released ones say it", HF},
	{"modernbert-base|modernbert", 2024, 768, 22, 12, 0, 64, 0, 0,
	 "rope(layout=half,base=160000,layers=1/3)+rope(layout=half,layers=2-3/3)+window(width=128,"
	 "layers=2-3/3)",
	 NULL, HF},
	{"bert-base", 2018, 768, 12, 12, 0, 64, 0, 512, "bert", "vectors of segments", HF},
	{"roberta-base", 2019, 768, 12, 12, 0, 64, 0, 512, "learned", NULL, HF},
	{"deberta-v3-xsmall", 2021, 384, 12, 6, 0, 64, 0, 0, DEBERTA, NULL,
	 "microsoft/DeBERTa 4d7fe0b, experiments/language_model/rtd_xsmall.json"},
	{"deberta-v3-small", 2021, 768, 6, 12, 0, 64, 0, 0, DEBERTA, NULL,
	 "microsoft/DeBERTa 4d7fe0b, experiments/language_model/rtd_small.json"},
	{"deberta-v3-base", 2021, 768, 12, 12, 0, 64, 0, 0, DEBERTA, NULL,
	 "microsoft/DeBERTa 4d7fe0b, experiments/language_model/rtd_base.json"},
	{"deberta-v3-large", 2021, 1024, 24, 16, 0, 64, 0, 0, DEBERTA, NULL,
	 "microsoft/DeBERTa 4d7fe0b, experiments/language_model/rtd_large.json"},
	{"t5-small", 2019, 512, 6, 8, 0, 64, 0, 0, "t5", "the decoder, which is t5_decoder", HF},
	{"xlnet-large", 2019, 1024, 24, 16, 0, 64, 0, 0, "xlnet_model", NULL, HF},
	{"roformer-base", 2021, 768, 12, 12, 0, 64, 0, 1536, "rope", NULL, HF},
	{"vit-b16|vit-base", 2020, 768, 12, 12, 0, 64, 0, 197, "learned", NULL, HF},
	{"dinov2-s|dinov2-vits14|dinov2-small", 2023, 384, 12, 6, 0, 64, 0, 0, DINOV2, NULL, HUB2},
	{"dinov2-b|dinov2-vitb14|dinov2-base", 2023, 768, 12, 12, 0, 64, 0, 0, DINOV2, NULL, HUB2},
	{"dinov2-l|dinov2-vitl14|dinov2-large", 2023, 1024, 24, 16, 0, 64, 0, 0, DINOV2, NULL,
	 HUB2},
	{"dinov2-g|dinov2-vitg14|dinov2-giant", 2023, 1536, 40, 24, 0, 64, 0, 0, DINOV2, NULL,
	 HUB2},
	{"dinov3-s|dinov3-vits16", 2025, 384, 12, 6, 0, 64, 0, 0, DINOV3, NULL, HUB3},
	{"dinov3-b|dinov3-vitb16", 2025, 768, 12, 12, 0, 64, 0, 0, DINOV3, NULL, HUB3},
	{"dinov3-l|dinov3-vitl16", 2025, 1024, 24, 16, 0, 64, 0, 0, DINOV3, NULL, HUB3},
	{"dinov3-h|dinov3-vith16plus", 2025, 1280, 32, 20, 0, 64, 0, 0, DINOV3, NULL, HUB3},
	{"dinov3-7b|dinov3-vit7b16", 2025, 4096, 40, 32, 0, 128, 0, 0, DINOV3, NULL, HUB3},
	{0},
};

const char *released_name(const struct released *r, size_t *len)
{
	*len = strcspn(r->names, "|");
	return r->names;
}

static bool is_called(const struct released *r, const char *name)
{
	for (const char *at = r->names; *at; at += *at == '|') {
		const size_t len = strcspn(at, "|");
		if (text_same_name(at, len, name))
			return true;
		at += len;
	}
	return false;
}

const struct released *released_find(const char *name, struct err *err)
{
	enum { MOST = sizeof released_models / sizeof *released_models };
	const char *names[MOST];
	struct arena a;
	size_t n = 0;
	for (const struct released *r = released_models; r->names; r++)
		if (is_called(r, name))
			return r;
	arena_init(&a);
	for (const struct released *r = released_models; r->names; r++) {
		size_t len;
		const char *const at = released_name(r, &len);
		names[n++] = arena_strndup(&a, at, len);
	}
	const char *const near = text_suggest(name, names, n);
	err_set(err, "model: there is no %s%s%s%s; posviz list models names what there is",
		text_quote(&a, name, strlen(name)), near ? ", did you mean \"" : "",
		near ? near : "", near ? "\"" : "");
	arena_release(&a);
	return NULL;
}
