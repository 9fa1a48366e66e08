#!/usr/bin/env python3
"""Models with experts as GGUF has them: the weights of directories, those that made.py wrote among them, under
llama.cpp's names.

    made_gguf.py FOLDER    reads FOLDER/NAME, writes FOLDER/gguf/NAME.gguf, and the same numbers beside it

The experts of a layer are one tensor, [experts, out, in]; in the second layer of Mixtral, as in its older files, each
has its own; rows of queries and keys of the architecture "llama" are
reordered so that halves of a head become neighbours. gpt-oss has gate and up apart. deepseek2 has keys and values from
latent vectors in one tensor (V2, as in older files), or in two, with the width of a head as latent vectors have it.
"""
import json
import os
import re
import shutil
import struct
import sys

import numpy as np

ARCHITECTURES = {'mixtral': 'llama', 'qwen2_moe': 'qwen2moe', 'qwen3_moe': 'qwen3moe', '../gpt-oss': 'gpt-oss',
                 'gpt_oss_blocks': 'gpt-oss',
                 'deepseek_v2': 'deepseek2', 'deepseek_v3': 'deepseek2', '../deepseek-v3': 'deepseek2'}
NAMES = [
    ('model.embed_tokens', 'token_embd'), ('model.norm', 'output_norm'), ('model.layers.', 'blk.'),
    ('self_attn.q_proj', 'attn_q'), ('self_attn.k_proj', 'attn_k'), ('self_attn.v_proj', 'attn_v'),
    ('self_attn.o_proj', 'attn_output'), ('self_attn.q_norm', 'attn_q_norm'), ('self_attn.k_norm', 'attn_k_norm'),
    ('self_attn.sinks', 'attn_sinks.weight'), ('self_attn.q_a_proj', 'attn_q_a'),
    ('self_attn.q_a_layernorm', 'attn_q_a_norm'), ('self_attn.q_b_proj', 'attn_q_b'),
    ('self_attn.kv_a_proj_with_mqa', 'attn_kv_a_mqa'), ('self_attn.kv_a_layernorm', 'attn_kv_a_norm'),
    ('self_attn.kv_b_proj', 'attn_kv_b'),
    ('input_layernorm', 'attn_norm'), ('post_attention_layernorm', 'ffn_norm'), ('mlp.router.', 'ffn_gate_inp.'),
    ('mlp.gate.e_score_correction_bias', 'exp_probs_b.bias'), ('mlp.shared_experts.gate_proj', 'ffn_gate_shexp'),
    ('mlp.shared_experts.up_proj', 'ffn_up_shexp'), ('mlp.shared_experts.down_proj', 'ffn_down_shexp'),
    ('block_sparse_moe.gate.', 'ffn_gate_inp.'), ('mlp.gate.', 'ffn_gate_inp.'),
    ('mlp.shared_expert_gate', 'ffn_gate_inp_shexp'), ('mlp.shared_expert.gate_proj', 'ffn_gate_shexp'),
    ('mlp.shared_expert.up_proj', 'ffn_up_shexp'), ('mlp.shared_expert.down_proj', 'ffn_down_shexp'),
    ('mlp.gate_proj', 'ffn_gate'), ('mlp.up_proj', 'ffn_up'), ('mlp.down_proj', 'ffn_down'),
]
OF_EXPERT = {'w1': 'gate', 'w3': 'up', 'w2': 'down', 'gate_proj': 'gate', 'up_proj': 'up', 'down_proj': 'down'}
U32, F32, TRUTH, TEXT = 4, 6, 7, 8
BF16, MXFP4 = 30, 39 # of tensors


def tensors(path):
    data = open(path, 'rb').read()
    n = struct.unpack('<Q', data[:8])[0]
    head = json.loads(data[8:8 + n])
    body = data[8 + n:]
    out = {}
    for k, v in head.items():
        if k in ('__metadata__', 'lm_head.weight'):
            continue
        at = body[slice(*v['data_offsets'])]
        wide = np.frombuffer(at, 'u1') if v['dtype'] == 'U8' else np.frombuffer(at, '<f4') if v['dtype'] == 'F32' else \
            (np.frombuffer(at, '<u2').astype('<u4') << 16).view('<f4')
        out[k] = wide.reshape(v['shape'])
    return out


def halves_of_latent(name, at, config):
    """Keys [heads, rank, content] and values [heads, value, rank]."""
    heads, content, value = (config[k] for k in ('num_attention_heads', 'qk_nope_head_dim', 'v_head_dim'))
    each = at.reshape(heads, content + value, -1)
    return {name.replace('kv_b', 'k_b'): each[:, :content].swapaxes(1, 2), name.replace('kv_b', 'v_b'): each[:, content:]}


def blocks_of(at, scales):
    """A scale and 16 bytes: their halves are 16 numbers apart here, and neighbours there."""
    number = np.stack([at & 15, at >> 4], -1).reshape(*at.shape[:-1], 32)
    return np.concatenate([scales[..., None], number[..., :16] | number[..., 16:] << 4], -1)


def parts_of_experts(name, at):
    """Gate and up take turns, and matrices are stored [in, out], blocks [out, in / 32, 17]."""
    blk, what = name.split('.mlp.experts.')
    blk, end = blk.replace('model.layers.', 'blk.'), 'bias' if what.endswith('_bias') else 'weight'
    at = at if end == 'bias' or at.dtype == np.uint8 else at.swapaxes(1, 2)
    if what.startswith('down'):
        return {'%s.ffn_down_exps.%s' % (blk, end): at}
    return {'%s.ffn_gate_exps.%s' % (blk, end): at[:, ::2], '%s.ffn_up_exps.%s' % (blk, end): at[:, 1::2]}


def renamed(all_of, config, arch):
    out, experts = {}, {}
    for name, at in all_of.items():
        one = re.match(r'model\.layers\.(\d+).*experts\.(\d+)\.(\w+)\.weight', name)
        if one and arch == 'llama' and one[1] == '1':
            out['blk.1.ffn_%s.%s.weight' % (OF_EXPERT[one[3]], one[2])] = at
            continue
        if one:
            key = 'blk.%s.ffn_%s_exps.weight' % (one[1], OF_EXPERT[one[3]])
            experts.setdefault(key, {})[int(one[2])] = at
            continue
        if name.endswith('_scales'):
            continue
        if name.endswith('_blocks'):
            at = blocks_of(at, all_of[name.replace('_blocks', '_scales')])
        if arch == 'gpt-oss' and 'experts' in name:
            out.update(parts_of_experts(name, at))
            continue
        for old, new in NAMES:
            name = name.replace(old, new)
        if arch == 'gpt-oss':
            name = name.replace('ffn_norm', 'post_attention_norm')
        if 'attn_kv_b' in name and config['model_type'] == 'deepseek_v3':
            out.update(halves_of_latent(name, at, config))
            continue
        if arch == 'llama' and re.search('attn_[qk]\\.', name):
            heads = config['num_attention_heads' if 'attn_q' in name else 'num_key_value_heads']
            at = at.reshape(heads, 2, len(at) // heads // 2, -1).swapaxes(1, 2).reshape(at.shape)
        out[name] = at.reshape(-1) if 'inp_shexp' in name else at
    return {**out, **{k: np.stack([d[i] for i in range(len(d))]) for k, d in experts.items()}}


def text(s):
    return struct.pack('<Q', len(s)) + s.encode()


def write(path, config, arch, all_of):
    c = config.get
    keys = {'embedding_length': c('hidden_size'), 'block_count': c('num_hidden_layers'),
            'attention.head_count': c('num_attention_heads'), 'attention.head_count_kv': c('num_key_value_heads'),
            'context_length': c('max_position_embeddings'), 'feed_forward_length': c('intermediate_size'),
            'attention.key_length': c('head_dim'), 'rope.dimension_count': c('head_dim'),
            'expert_count': c('num_experts') or c('num_local_experts'), 'expert_used_count': c('num_experts_per_tok'),
            'expert_feed_forward_length': c('moe_intermediate_size'),
            'expert_shared_feed_forward_length': c('shared_expert_intermediate_size')}
    real = {'attention.layer_norm_rms_epsilon': c('rms_norm_eps'), 'rope.freq_base': c('rope_theta')}
    words, truths, yarn = {}, {}, c('rope_scaling')
    if yarn:
        words['rope.scaling.type'] = 'yarn'
        keys['rope.scaling.original_context_length'] = yarn['original_max_position_embeddings']
        real.update({'rope.scaling.factor': yarn['factor'], 'rope.scaling.yarn_beta_fast': yarn['beta_fast'],
                     'rope.scaling.yarn_beta_slow': yarn['beta_slow']})
    if arch == 'gpt-oss':
        keys.update({'attention.sliding_window': c('sliding_window'),
                     'expert_feed_forward_length': c('intermediate_size')})
    if arch == 'deepseek2':
        rotated, width = c('qk_rope_head_dim'), c('qk_nope_head_dim') + c('qk_rope_head_dim')
        old = c('model_type') == 'deepseek_v2'
        keys.update({'attention.head_count_kv': c('num_attention_heads') if old else 1,
                     'rope.dimension_count': rotated, 'attention.q_lora_rank': c('q_lora_rank'),
                     'attention.kv_lora_rank': c('kv_lora_rank'),
                     'attention.key_length': width if old else c('kv_lora_rank') + rotated,
                     'attention.value_length': c('v_head_dim') if old else c('kv_lora_rank'),
                     'attention.key_length_mla': None if old else width,
                     'attention.value_length_mla': None if old else c('v_head_dim'),
                     'leading_dense_block_count': c('first_k_dense_replace'), 'expert_count': c('n_routed_experts'),
                     'expert_shared_count': c('n_shared_experts'), 'expert_group_count': c('n_group'),
                     'expert_group_used_count': c('topk_group'), 'expert_gating_func': None if old else 2})
        real['expert_weights_scale'] = c('routed_scaling_factor')
        if c('norm_topk_prob'):
            truths['expert_weights_norm'] = True
        if yarn:
            real['rope.scaling.yarn_log_mul'] = 0.1 * yarn['mscale_all_dim']
    keys = {k: v for k, v in keys.items() if v}
    head = b'GGUF' + struct.pack('<IQQ', 3, len(all_of), 1 + len(keys) + len(real) + len(words) + len(truths))
    head += text('general.architecture') + struct.pack('<I', TEXT) + text(arch)
    for k, v in words.items():
        head += text(arch + '.' + k) + struct.pack('<I', TEXT) + text(v)
    for k, v in truths.items():
        head += text(arch + '.' + k) + struct.pack('<IB', TRUTH, v)
    for k, v in keys.items():
        head += text(arch + '.' + k) + struct.pack('<II', U32, v)
    for k, v in real.items():
        head += text(arch + '.' + k) + struct.pack('<If', F32, v)
    body = b''
    for name, at in all_of.items():
        packed = at.dtype == np.uint8
        shape = (*at.shape[:2], at.shape[2] * 32) if packed else at.shape
        head += text(name) + struct.pack('<I', len(shape)) + struct.pack('<%dQ' % len(shape), *shape[::-1])
        if packed:
            head += struct.pack('<IQ', MXFP4, len(body))
            body += at.tobytes() + bytes(-at.size % 32)
            continue
        at = np.ascontiguousarray(at, '<f4')
        half = c('torch_dtype') == 'bfloat16' and at.ndim > 1 and 'ffn_gate_inp' not in name and 'bias' not in name
        head += struct.pack('<IQ', BF16 if half else 0, len(body))
        body += (at.view('<u4') >> 16).astype('<u2').tobytes() if half else at.tobytes()
        body += bytes(-len(body) % 32)
    open(path, 'wb').write(head + bytes(-len(head) % 32) + body)


os.makedirs(sys.argv[1] + '/gguf', exist_ok=True)
for name, arch in ARCHITECTURES.items():
    folder, to = os.path.join(sys.argv[1], name), os.path.join(sys.argv[1], 'gguf', os.path.basename(name))
    config = json.load(open(folder + '/config.json'))
    write(to + '.gguf', config, arch, renamed(tensors(folder + '/model.safetensors'), config, arch))
    shutil.copy(folder + '/reference.safetensors', to + '.reference.safetensors')
