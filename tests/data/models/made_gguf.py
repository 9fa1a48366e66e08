#!/usr/bin/env python3
"""Models with experts as GGUF has them: the weights that made.py wrote, under llama.cpp's names.

    made_gguf.py FOLDER    reads FOLDER/NAME, writes FOLDER/gguf/NAME.gguf, and the same numbers beside it

The experts of a layer are one tensor, [experts, out, in]; in the second layer of Mixtral, as in its older files, each
has its own; rows of queries and keys of the architecture "llama" are
reordered so that halves of a head become neighbours.
"""
import json
import os
import re
import shutil
import struct
import sys

import numpy as np

ARCHITECTURES = {'mixtral': 'llama', 'qwen2_moe': 'qwen2moe', 'qwen3_moe': 'qwen3moe'}
NAMES = [
    ('model.embed_tokens', 'token_embd'), ('model.norm', 'output_norm'), ('model.layers.', 'blk.'),
    ('self_attn.q_proj', 'attn_q'), ('self_attn.k_proj', 'attn_k'), ('self_attn.v_proj', 'attn_v'),
    ('self_attn.o_proj', 'attn_output'), ('self_attn.q_norm', 'attn_q_norm'), ('self_attn.k_norm', 'attn_k_norm'),
    ('input_layernorm', 'attn_norm'), ('post_attention_layernorm', 'ffn_norm'),
    ('block_sparse_moe.gate.', 'ffn_gate_inp.'), ('mlp.gate.', 'ffn_gate_inp.'),
    ('mlp.shared_expert_gate', 'ffn_gate_inp_shexp'), ('mlp.shared_expert.gate_proj', 'ffn_gate_shexp'),
    ('mlp.shared_expert.up_proj', 'ffn_up_shexp'), ('mlp.shared_expert.down_proj', 'ffn_down_shexp'),
    ('mlp.gate_proj', 'ffn_gate'), ('mlp.up_proj', 'ffn_up'), ('mlp.down_proj', 'ffn_down'),
]
OF_EXPERT = {'w1': 'gate', 'w3': 'up', 'w2': 'down', 'gate_proj': 'gate', 'up_proj': 'up', 'down_proj': 'down'}
U32, F32, TEXT = 4, 6, 8


def tensors(path):
    data = open(path, 'rb').read()
    n = struct.unpack('<Q', data[:8])[0]
    head = json.loads(data[8:8 + n])
    body = data[8 + n:]
    return {k: np.frombuffer(body[slice(*v['data_offsets'])], '<f4').reshape(v['shape'])
            for k, v in head.items() if k != '__metadata__'}


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
        for old, new in NAMES:
            name = name.replace(old, new)
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
    keys = {k: v for k, v in keys.items() if v}
    real = {'attention.layer_norm_rms_epsilon': c('rms_norm_eps'), 'rope.freq_base': c('rope_theta')}
    head = b'GGUF' + struct.pack('<IQQ', 3, len(all_of), 1 + len(keys) + len(real))
    head += text('general.architecture') + struct.pack('<I', TEXT) + text(arch)
    for k, v in keys.items():
        head += text(arch + '.' + k) + struct.pack('<II', U32, v)
    for k, v in real.items():
        head += text(arch + '.' + k) + struct.pack('<If', F32, v)
    body = b''
    for name, at in all_of.items():
        head += text(name) + struct.pack('<I', at.ndim) + struct.pack('<%dQ' % at.ndim, *at.shape[::-1])
        head += struct.pack('<IQ', 0, len(body))
        body += np.ascontiguousarray(at, '<f4').tobytes()
        body += bytes(-len(body) % 32)
    open(path, 'wb').write(head + bytes(-len(head) % 32) + body)


os.makedirs(sys.argv[1] + '/gguf', exist_ok=True)
for name, arch in ARCHITECTURES.items():
    folder, to = os.path.join(sys.argv[1], name), os.path.join(sys.argv[1], 'gguf', name)
    config = json.load(open(folder + '/config.json'))
    write(to + '.gguf', config, arch, renamed(tensors(folder + '/model.safetensors'), config, arch))
    shutil.copy(folder + '/reference.safetensors', to + '.reference.safetensors')
