#!/usr/bin/env python3
"""Small models of families, and what their layers give, by numpy from the formulas of the families.

    made.py FOLDER [NAME...]    writes FOLDER/NAME/{config.json,model.safetensors,reference.safetensors}, of all

The weights are drawn and stored in single precision; everything is computed in double. Logits are those
in front of the mask. Of an encoder with a decoder, decoder.safetensors and cross.safetensors have the numbers of the
decoder's attention to its own tokens, and to those of source_ids.
"""
import json
import os
import struct
import sys
from math import erf

import numpy as np


def wr(p,t):
    h={};o=0;d=b''
    for k,a in t.items():
        a=np.ascontiguousarray(a);dt={'float64':'F64','float32':'F32','int64':'I64','uint8':'U8','float16':'F16'}[str(a.dtype)]
        b=a.tobytes();h[k]={'dtype':dt,'shape':list(a.shape),'data_offsets':[o,o+len(b)]};o+=len(b);d+=b
    j=json.dumps(h).encode();j+=b' '*(-len(j)%8)
    open(p,'wb').write(struct.pack('<Q',len(j))+j+d)

rng=np.random.default_rng(7)
d,h,dk,ff,V,L,n=16,2,8,24,20,2,6
N=lambda *s: (rng.standard_normal(s)*(0.4 if len(s)>1 else 0.2)).astype(np.float32)
vgelu=np.vectorize(lambda x:x/2*(1+erf(x/2**.5)))
tanhg=lambda x:x/2*(1+np.tanh((2/np.pi)**.5*(x+0.044715*x**3)))
silu=lambda x:x/(1+np.exp(-x)); relu=lambda x:np.maximum(x,0)
def ln(x,g,b,e):
    m=x.mean(-1,keepdims=True);v=((x-m)**2).mean(-1,keepdims=True);y=(x-m)/np.sqrt(v+e)*g
    return y if b is None else y+b
def rms(x,g,e): return x/np.sqrt((x*x).mean(-1,keepdims=True)+e)*g
def rot(v,r,base,inter):
    v=v.copy();p=np.arange(len(v))[:,None];th=p*base**(-2*np.arange(r//2)/r)
    a,b=(v[:,0:r:2].copy(),v[:,1:r:2].copy()) if inter else (v[:,:r//2].copy(),v[:,r//2:r].copy())
    x,y=a*np.cos(th)-b*np.sin(th),b*np.cos(th)+a*np.sin(th)
    if inter: v[:,0:r:2],v[:,1:r:2]=x,y
    else: v[:,:r//2],v[:,r//2:r]=x,y
    return v
class M:
    def __init__(s,name,cfg): s.name,s.cfg,s.t=name,cfg,{}
    def w(s,k,*shape,one=False):
        if k not in s.t: s.t[k]=N(*shape)+(1 if one else 0)
        return s.t[k].astype(np.float64)
    def lin(s,x,k,o,bias=True):
        y=x@s.w(k+'.weight',o,x.shape[1]).T
        return y+s.w(k+'.bias',o) if bias else y
    def LN(s,x,k,e,bias=True): return ln(x,s.w(k+'.weight',d,one=True),s.w(k+'.bias',d) if bias else None,e)
    def RMS(s,x,k,e): return rms(x,s.w(k+'.weight',d,one=True),e)
def attend(out,l,q,k,v,mask,f=None,z_add=None,scale=dk**-.5):
    kv=k.shape[1]//dk;ctx=[]
    for i in range(h):
        g=i//(h//kv);Q,K,W=q[:,i*dk:(i+1)*dk],k[:,g*dk:(g+1)*dk],v[:,g*dk:(g+1)*dk]
        if f: Q,K=f(Q),f(K)
        z=Q@K.T*scale
        if z_add is not None: z=z+z_add[i]
        out['layer.%d.head.%d.logits'%(l,i)]=z
        a=np.where(mask,z,-np.inf);a=np.exp(a-a.max(-1,keepdims=True));a/=a.sum(-1,keepdims=True)
        out['layer.%d.head.%d.weights'%(l,i)]=a
        ctx.append(a@W)
    return np.concatenate(ctx,1)
full=np.ones((n,n),bool);causal=np.tril(full)
def window(w): return causal&(np.arange(n)[:,None]-np.arange(n)[None]<w)
ids=np.array([3,17,5,3,11,8])
def bertlike(m,p,e,row,types,names):
    out={};x=m.w(p+'embeddings.word_embeddings.weight',V,d)[ids]+m.w(p+'embeddings.position_embeddings.weight',12,d)[row:row+n]
    if types: x=x+m.w(p+'embeddings.token_type_embeddings.weight',types,d)[0]
    x=m.LN(x,p+'embeddings.LayerNorm',e);out['embeddings']=x
    for l in range(L):
        q,k,v,o,n1,u,dn,n2=[p+s%l for s in names]
        c=attend(out,l,m.lin(x,q,d),m.lin(x,k,d),m.lin(x,v,d),full)
        x=m.LN(x+m.lin(c,o,d),n1,e);x=m.LN(x+m.lin(vgelu(m.lin(x,u,ff)),dn,d),n2,e);out['layer.%d.output'%l]=x
    out['last_hidden_state']=x;return out
BN=['encoder.layer.%d.attention.self.query','encoder.layer.%d.attention.self.key','encoder.layer.%d.attention.self.value','encoder.layer.%d.attention.output.dense','encoder.layer.%d.attention.output.LayerNorm','encoder.layer.%d.intermediate.dense','encoder.layer.%d.output.dense','encoder.layer.%d.output.LayerNorm']
base=dict(hidden_size=d,num_hidden_layers=L,num_attention_heads=h,intermediate_size=ff,vocab_size=V)
def electra():
    m=M('electra',dict(base,model_type='electra',embedding_size=d,max_position_embeddings=12,type_vocab_size=2,layer_norm_eps=1e-12,hidden_act='gelu'));return m,bertlike(m,'electra.',1e-12,0,2,BN)
def roberta():
    m=M('roberta',dict(base,model_type='roberta',max_position_embeddings=12,type_vocab_size=1,layer_norm_eps=1e-5,hidden_act='gelu',pad_token_id=1));return m,bertlike(m,'roberta.',1e-5,2,1,BN)
def distilbert():
    t='transformer.layer.%d.'
    m=M('distilbert',dict(model_type='distilbert',dim=d,n_layers=L,n_heads=h,hidden_dim=ff,vocab_size=V,max_position_embeddings=12,activation='gelu'))
    return m,bertlike(m,'distilbert.',1e-12,0,0,[t+x for x in ('attention.q_lin','attention.k_lin','attention.v_lin','attention.out_lin','sa_layer_norm','ffn.lin1','ffn.lin2','output_layer_norm')])
def bart():
    m=M('bart',dict(model_type='bart',d_model=d,encoder_layers=L,encoder_attention_heads=h,encoder_ffn_dim=ff,decoder_layers=1,vocab_size=V,max_position_embeddings=10,activation_function='gelu',scale_embedding=True))
    p='model.encoder.';out={}
    x=m.w('model.shared.weight',V,d)[ids]*d**.5+m.w(p+'embed_positions.weight',12,d)[2:2+n];x=m.LN(x,p+'layernorm_embedding',1e-5);out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;c=attend(out,l,m.lin(x,q+'self_attn.q_proj',d),m.lin(x,q+'self_attn.k_proj',d),m.lin(x,q+'self_attn.v_proj',d),full)
        x=m.LN(x+m.lin(c,q+'self_attn.out_proj',d),q+'self_attn_layer_norm',1e-5);x=m.LN(x+m.lin(vgelu(m.lin(x,q+'fc1',ff)),q+'fc2',d),q+'final_layer_norm',1e-5);out['layer.%d.output'%l]=x
    out['last_hidden_state']=x;return m,out
def opt():
    m=M('opt',dict(model_type='opt',hidden_size=d,num_hidden_layers=L,num_attention_heads=h,ffn_dim=ff,vocab_size=V,max_position_embeddings=10,word_embed_proj_dim=d,do_layer_norm_before=True,activation_function='relu'))
    p='model.decoder.';out={};x=m.w(p+'embed_tokens.weight',V,d)[ids]+m.w(p+'embed_positions.weight',12,d)[2:2+n];out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;y=m.LN(x,q+'self_attn_layer_norm',1e-5)
        x=x+m.lin(attend(out,l,m.lin(y,q+'self_attn.q_proj',d),m.lin(y,q+'self_attn.k_proj',d),m.lin(y,q+'self_attn.v_proj',d),causal),q+'self_attn.out_proj',d)
        x=x+m.lin(relu(m.lin(m.LN(x,q+'final_layer_norm',1e-5),q+'fc1',ff)),q+'fc2',d);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.LN(x,p+'final_layer_norm',1e-5);return m,out
def gptj():
    m=M('gptj',dict(model_type='gptj',n_embd=d,n_layer=L,n_head=h,n_inner=ff,n_positions=32,vocab_size=V,rotary_dim=4,activation_function='gelu_new',layer_norm_epsilon=1e-5))
    p='transformer.';out={};x=m.w(p+'wte.weight',V,d)[ids];out['embeddings']=x
    for l in range(L):
        q=p+'h.%d.'%l;y=m.LN(x,q+'ln_1',1e-5)
        a=m.lin(attend(out,l,m.lin(y,q+'attn.q_proj',d,0),m.lin(y,q+'attn.k_proj',d,0),m.lin(y,q+'attn.v_proj',d,0),causal,lambda v:rot(v,4,1e4,True)),q+'attn.out_proj',d,0)
        x=x+a+m.lin(tanhg(m.lin(y,q+'mlp.fc_in',ff)),q+'mlp.fc_out',d);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.LN(x,p+'ln_f',1e-5);return m,out
def mpt():
    f=4*d
    m=M('mpt',dict(model_type='mpt',d_model=d,n_layers=L,n_heads=h,expansion_ratio=4,max_seq_len=32,vocab_size=V,layer_norm_epsilon=1e-5,attn_config=dict(alibi=True)))
    p='transformer.';out={};x=m.w(p+'wte.weight',V,d)[ids];out['embeddings']=x
    dist=np.arange(n)[None]-np.arange(n)[:,None];add=[2.**(-8*(i+1)/h)*dist for i in range(h)]
    for l in range(L):
        q=p+'blocks.%d.'%l;y=m.LN(x,q+'norm_1',1e-5,0);w=m.lin(y,q+'attn.Wqkv',3*d,0)
        x=x+m.lin(attend(out,l,w[:,:d],w[:,d:2*d],w[:,2*d:],causal,None,add),q+'attn.out_proj',d,0)
        x=x+m.lin(vgelu(m.lin(m.LN(x,q+'norm_2',1e-5,0),q+'ffn.up_proj',f,0)),q+'ffn.down_proj',d,0);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.LN(x,p+'norm_f',1e-5,0);return m,out
def phi():
    m=M('phi',dict(base,model_type='phi',max_position_embeddings=32,partial_rotary_factor=0.5,hidden_act='gelu_new',layer_norm_eps=1e-5,rope_theta=10000.0))
    p='model.';out={};x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;y=m.LN(x,q+'input_layernorm',1e-5)
        a=m.lin(attend(out,l,m.lin(y,q+'self_attn.q_proj',d),m.lin(y,q+'self_attn.k_proj',d),m.lin(y,q+'self_attn.v_proj',d),causal,lambda v:rot(v,4,1e4,False)),q+'self_attn.dense',d)
        x=x+a+m.lin(tanhg(m.lin(y,q+'mlp.fc1',ff)),q+'mlp.fc2',d);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.LN(x,p+'final_layernorm',1e-5);return m,out
def llamalike(name,cfg,mask,qkvb=0,norm='rms',mlp='llama',b_o=0,r=dk,inter=False,b=1e4,e=1e-6,par=False):
    m=M(name,dict(base,num_key_value_heads=1,max_position_embeddings=32,**cfg));p='model.';out={}
    x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x
    nrm=(lambda x,k:m.RMS(x,k,e)) if norm=='rms' else (lambda x,k:m.LN(x,k,e,norm=='lnb'))
    def ffn(y,q):
        if mlp=='llama': return m.lin(silu(m.lin(y,q+'mlp.gate_proj',ff,0))*m.lin(y,q+'mlp.up_proj',ff,0),q+'mlp.down_proj',d,0)
        if mlp=='glm':
            u=m.lin(y,q+'mlp.gate_up_proj',2*ff,0);return m.lin(silu(u[:,:ff])*u[:,ff:],q+'mlp.down_proj',d,0)
        return m.lin(tanhg(m.lin(y,q+'mlp.c_fc',ff)),q+'mlp.c_proj',d)
    for l in range(L):
        q=p+'layers.%d.'%l;y=nrm(x,q+'input_layernorm')
        a=m.lin(attend(out,l,m.lin(y,q+'self_attn.q_proj',d,qkvb),m.lin(y,q+'self_attn.k_proj',dk,qkvb),m.lin(y,q+'self_attn.v_proj',dk,qkvb),mask,lambda v:rot(v,r,b,inter)),q+'self_attn.o_proj',d,b_o)
        if par: x=x+a+ffn(y,q)
        else:
            x=x+a;x=x+ffn(nrm(x,q+'post_attention_layernorm'),q)
        out['layer.%d.output'%l]=x
    out['last_hidden_state']=nrm(x,p+'norm');return m,out
def mistral(): return llamalike('mistral',dict(model_type='mistral',sliding_window=3,rms_norm_eps=1e-5,rope_theta=10000.0,hidden_act='silu',head_dim=dk),window(3),e=1e-5)
def qwen2(): return llamalike('qwen2',dict(model_type='qwen2',rms_norm_eps=1e-6,rope_theta=1e6,hidden_act='silu'),causal,qkvb=1,b=1e6)
def starcoder2(): return llamalike('starcoder2',dict(model_type='starcoder2',norm_epsilon=1e-5,rope_theta=1e5,hidden_act='gelu_pytorch_tanh',use_bias=True,sliding_window=4),window(4),qkvb=1,norm='lnb',mlp='c',b_o=1,b=1e5,e=1e-5)
def cohere(): return llamalike('cohere',dict(model_type='cohere',layer_norm_eps=1e-5,rope_theta=5e5,hidden_act='silu'),causal,norm='ln',inter=True,b=5e5,e=1e-5,par=True)
def glm(): return llamalike('glm',dict(model_type='glm',rms_norm_eps=1.5625e-7,rope_theta=1e4,hidden_act='silu',head_dim=dk,partial_rotary_factor=0.5,attention_bias=True),causal,qkvb=1,mlp='glm',r=4,inter=True,e=1.5625e-7)
def olmo3():
    m=M('olmo3',dict(base,model_type='olmo3',num_key_value_heads=1,max_position_embeddings=32,num_hidden_layers=4,sliding_window=2,rms_norm_eps=1e-5,rope_theta=5e5,hidden_act='silu'))
    p='model.';out={};e=1e-5;x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x
    for l in range(4):
        q=p+'layers.%d.'%l
        Q=rms(m.lin(x,q+'self_attn.q_proj',d,0),m.w(q+'self_attn.q_norm.weight',d,one=True),e);K=rms(m.lin(x,q+'self_attn.k_proj',dk,0),m.w(q+'self_attn.k_norm.weight',dk,one=True),e)
        a=m.lin(attend(out,l,Q,K,m.lin(x,q+'self_attn.v_proj',dk,0),causal if l==3 else window(2),lambda v:rot(v,dk,5e5,False)),q+'self_attn.o_proj',d,0)
        x=x+m.RMS(a,q+'post_attention_layernorm',e)
        x=x+m.RMS(m.lin(silu(m.lin(x,q+'mlp.gate_proj',ff,0))*m.lin(x,q+'mlp.up_proj',ff,0),q+'mlp.down_proj',d,0),q+'post_feedforward_layernorm',e);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.RMS(x,p+'norm',e);return m,out
sig=lambda x:1/(1+np.exp(-x))
def soft(z): e=np.exp(z-z.max());return e/e.sum()
def mix(m,y,expert,gate,E,K,kind,shift=None,groups=None,normed=False,scale=1.0,two=False):
    """A mixture of experts, token by token: kind chosen|softmax|sigmoid|input; groups: (how many, how many are kept)."""
    out=np.zeros_like(y);z=m.lin(y,gate,E,0);b=m.w(shift,E) if shift else np.zeros(E)
    for e in range(E): expert(y[:1],e) # weights of those that no token chooses as well
    for t in range(len(y)):
        s={'chosen':z[t],'input':z[t],'softmax':soft(z[t]),'sigmoid':sig(z[t])}[kind];c=s+b
        if groups:
            G,k=groups;g=np.array([np.sort(c[i*E//G:(i+1)*E//G])[::-1][:2 if two else 1].sum() for i in range(G)])
            keep=np.argsort(-g)[:k];c=np.array([c[e] if e//(E//G) in keep else -np.inf for e in range(E)])
        top=np.argsort(-c)[:K];w=soft(s[top]) if kind=='chosen' else s[top]
        if normed: w=w/(w.sum()+1e-20)
        for e,a in zip(top,w*scale):
            if kind=='input': out[t]+=expert(sig(z[t,e])*y[t:t+1],e)[0]
            else: out[t]+=a*expert(y[t:t+1],e)[0]
    return out
def gated(m,y,names,width): return m.lin(silu(m.lin(y,names[0],width,0))*m.lin(y,names[1],width,0),names[2],d,0)
GUD=lambda p:[p+'gate_proj',p+'up_proj',p+'down_proj']
def mixture(name,cfg,ffn,qk=None,qkvb=0):
    m=M(name,dict(base|dict(num_key_value_heads=1,max_position_embeddings=32,rms_norm_eps=1e-6,rope_theta=1e4,hidden_act='silu',head_dim=dk)|cfg));p='model.';out={};e=1e-6
    x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;y=m.RMS(x,q+'input_layernorm',e);Q=m.lin(y,q+'self_attn.q_proj',d,qkvb);K=m.lin(y,q+'self_attn.k_proj',dk,qkvb)
        if qk:
            g=m.w(q+'self_attn.q_norm.weight',dk,one=True);Q=np.concatenate([rms(Q[:,i*dk:(i+1)*dk],g,e) for i in range(h)],1);K=rms(K,m.w(q+'self_attn.k_norm.weight',dk,one=True),e)
        x=x+m.lin(attend(out,l,Q,K,m.lin(y,q+'self_attn.v_proj',dk,qkvb),causal,lambda v:rot(v,dk,1e4,False)),q+'self_attn.o_proj',d,0)
        x=x+ffn(m,m.RMS(x,q+'post_attention_layernorm',e),q,l);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.RMS(x,p+'norm',e);return m,out
def mixtral():
    def ffn(m,y,q,l): b=q+'block_sparse_moe.';return mix(m,y,lambda x,e:gated(m,x,[b+'experts.%d.%s'%(e,w) for w in ('w1','w3','w2')],12),b+'gate',4,2,'chosen')
    return mixture('mixtral',dict(model_type='mixtral',num_local_experts=4,num_experts_per_tok=2,sliding_window=None,intermediate_size=12),ffn)
def qwen2_moe():
    def ffn(m,y,q,l):
        b=q+'mlp.'
        if l==0: return gated(m,y,GUD(b),ff)
        return mix(m,y,lambda x,e:gated(m,x,GUD(b+'experts.%d.'%e),10),b+'gate',5,2,'softmax')+sig(m.lin(y,b+'shared_expert_gate',1,0))*gated(m,y,GUD(b+'shared_expert.'),14)
    return mixture('qwen2_moe',dict(model_type='qwen2_moe',num_experts=5,num_experts_per_tok=2,moe_intermediate_size=10,shared_expert_intermediate_size=14,norm_topk_prob=False,mlp_only_layers=[0]),ffn,qkvb=1)
def qwen3_moe():
    def ffn(m,y,q,l): b=q+'mlp.';return mix(m,y,lambda x,e:gated(m,x,GUD(b+'experts.%d.'%e),10),b+'gate',6,3,'softmax',normed=True)
    return mixture('qwen3_moe',dict(model_type='qwen3_moe',num_experts=6,num_experts_per_tok=3,moe_intermediate_size=10,norm_topk_prob=True,decoder_sparse_step=1),ffn,qk=True)
def latent(name,cfg,rank,ffn):
    """Latent attention: 6 components of a head without rotation, 4 with, values of 5."""
    dn,dr,dv,r=6,4,5,7;e=1e-6
    m=M(name,dict(base,max_position_embeddings=32,rms_norm_eps=1e-5,rope_theta=1e4,hidden_act='silu',qk_nope_head_dim=dn,qk_rope_head_dim=dr,v_head_dim=dv,kv_lora_rank=r,q_lora_rank=rank,**cfg));p='model.';out={}
    x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;y=m.RMS(x,q+'input_layernorm',1e-5);b=q+'self_attn.'
        Q=m.lin(rms(m.lin(y,b+'q_a_proj',rank,0),m.w(b+'q_a_layernorm.weight',rank,one=True),e),b+'q_b_proj',h*(dn+dr),0) if rank else m.lin(y,b+'q_proj',h*(dn+dr),0)
        A=m.lin(y,b+'kv_a_proj_with_mqa',r+dr,0);kr=rot(A[:,r:],dr,1e4,True);KV=m.lin(rms(A[:,:r],m.w(b+'kv_a_layernorm.weight',r,one=True),e),b+'kv_b_proj',h*(dn+dv),0);ctx=[]
        for i in range(h):
            qi=Q[:,i*(dn+dr):(i+1)*(dn+dr)];kv=KV[:,i*(dn+dv):(i+1)*(dn+dv)]
            z=(qi[:,:dn]@kv[:,:dn].T+rot(qi[:,dn:],dr,1e4,True)@kr.T)*(dn+dr)**-.5;out['layer.%d.head.%d.logits'%(l,i)]=z
            a=np.where(causal,z,-np.inf);a=np.exp(a-a.max(-1,keepdims=True));a/=a.sum(-1,keepdims=True);out['layer.%d.head.%d.weights'%(l,i)]=a;ctx.append(a@kv[:,dn:])
        x=x+m.lin(np.concatenate(ctx,1),b+'o_proj',d,0)
        x=x+ffn(m,m.RMS(x,q+'post_attention_layernorm',1e-5),q+'mlp.',l);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.RMS(x,p+'norm',1e-5);return m,out
def deepseek_v3():
    def ffn(m,y,b,l):
        if l==0: return gated(m,y,GUD(b),ff)
        return mix(m,y,lambda x,e:gated(m,x,GUD(b+'experts.%d.'%e),6),b+'gate',8,3,'sigmoid',b+'gate.e_score_correction_bias',(4,2),True,2.5,True)+gated(m,y,GUD(b+'shared_experts.'),12)
    return latent('deepseek_v3',dict(model_type='deepseek_v3',first_k_dense_replace=1,n_routed_experts=8,n_shared_experts=2,num_experts_per_tok=3,moe_intermediate_size=6,n_group=4,topk_group=2,norm_topk_prob=True,routed_scaling_factor=2.5,scoring_func='sigmoid',topk_method='noaux_tc'),9,ffn)
def deepseek_v2():
    def ffn(m,y,b,l):
        if l==0: return gated(m,y,GUD(b),ff)
        return mix(m,y,lambda x,e:gated(m,x,GUD(b+'experts.%d.'%e),6),b+'gate',6,2,'softmax',None,(3,1),False,1.5)+gated(m,y,GUD(b+'shared_experts.'),6)
    return latent('deepseek_v2',dict(model_type='deepseek_v2',first_k_dense_replace=1,n_routed_experts=6,n_shared_experts=1,num_experts_per_tok=2,moe_intermediate_size=6,n_group=3,topk_group=1,norm_topk_prob=False,routed_scaling_factor=1.5,topk_method='group_limited_greedy'),None,ffn)
def electra_small():
    e=1e-12;m=M('electra_small',dict(base,model_type='electra',embedding_size=10,max_position_embeddings=12,type_vocab_size=2,layer_norm_eps=e,hidden_act='gelu'));return m,narrow(m,'electra.',e,10,'embeddings_project',BN,vgelu)
def narrow(m,p,e,E,project,names,act):
    """Word vectors of width E: their norm comes before the projection."""
    out={};x=m.w(p+'embeddings.word_embeddings.weight',V,E)[ids]+m.w(p+'embeddings.position_embeddings.weight',12,E)[:n]+m.w(p+'embeddings.token_type_embeddings.weight',2,E)[0]
    k=p+'embeddings.LayerNorm';x=m.lin(ln(x,m.w(k+'.weight',E,one=True),m.w(k+'.bias',E),e),p+project,d);out['embeddings']=x
    for l in range(L):
        q,k,v,o,n1,u,dn,n2=[p+(s%l if '%' in s else s) for s in names]
        x=m.LN(x+m.lin(attend(out,l,m.lin(x,q,d),m.lin(x,k,d),m.lin(x,v,d),full),o,d),n1,e);x=m.LN(x+m.lin(act(m.lin(x,u,ff)),dn,d),n2,e);out['layer.%d.output'%l]=x
    out['last_hidden_state']=x;return out
def albert():
    t='encoder.albert_layer_groups.0.albert_layers.0.'
    m=M('albert',dict(base,model_type='albert',embedding_size=12,max_position_embeddings=12,type_vocab_size=2,layer_norm_eps=1e-12,hidden_act='gelu_new',num_hidden_groups=1,inner_group_num=1))
    return m,narrow(m,'albert.',1e-12,12,'encoder.embedding_hidden_mapping_in',[t+x for x in ('attention.query','attention.key','attention.value','attention.dense','attention.LayerNorm','ffn','ffn_output','full_layer_layer_norm')],tanhg)
def mbart():
    m=M('mbart',dict(model_type='mbart',d_model=d,encoder_layers=L,encoder_attention_heads=h,encoder_ffn_dim=ff,decoder_layers=1,vocab_size=V,max_position_embeddings=10,activation_function='gelu',scale_embedding=True))
    p='model.encoder.';out={};e=1e-5
    x=m.LN(m.w('model.shared.weight',V,d)[ids]*d**.5+m.w(p+'embed_positions.weight',12,d)[2:2+n],p+'layernorm_embedding',e);out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;y=m.LN(x,q+'self_attn_layer_norm',e);x=x+m.lin(attend(out,l,m.lin(y,q+'self_attn.q_proj',d),m.lin(y,q+'self_attn.k_proj',d),m.lin(y,q+'self_attn.v_proj',d),full),q+'self_attn.out_proj',d)
        x=x+m.lin(vgelu(m.lin(m.LN(x,q+'final_layer_norm',e),q+'fc1',ff)),q+'fc2',d);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.LN(x,p+'layer_norm',e);return m,out
def cohere_norm():
    e=1e-5;m=M('cohere_norm',dict(base,model_type='cohere',num_key_value_heads=1,max_position_embeddings=32,layer_norm_eps=e,rope_theta=5e5,hidden_act='silu',use_qk_norm=True))
    p='model.';out={};x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x
    for l in range(L):
        q=p+'layers.%d.'%l;y=m.LN(x,q+'input_layernorm',e,0);Q=m.lin(y,q+'self_attn.q_proj',d,0);K=m.lin(y,q+'self_attn.k_proj',dk,0);g=m.w(q+'self_attn.q_norm.weight',h,dk,one=True);gk=m.w(q+'self_attn.k_norm.weight',1,dk,one=True)
        Q=np.concatenate([ln(Q[:,i*dk:(i+1)*dk],g[i],None,e) for i in range(h)],1);K=ln(K,gk[0],None,e)
        a=m.lin(attend(out,l,Q,K,m.lin(y,q+'self_attn.v_proj',dk,0),causal,lambda v:rot(v,dk,5e5,True)),q+'self_attn.o_proj',d,0)
        x=x+a+gated(m,y,GUD(q+'mlp.'),ff);out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.LN(x,p+'norm',e,0);return m,out
def llama4():
    """Layers 0 to 2 rotate, see chunks of 3, normalise behind the rotation; layer 3 sees all; odd layers have experts."""
    e=1e-5;E=3;w=10;p='model.';out={};m=M('llama4',dict(base|dict(num_hidden_layers=4,intermediate_size=w),model_type='llama4_text',intermediate_size_mlp=ff,num_key_value_heads=1,head_dim=dk,max_position_embeddings=32,rms_norm_eps=e,rope_theta=5e5,hidden_act='silu',attention_chunk_size=3,no_rope_layers=[1,1,1,0],use_qk_norm=True,attn_temperature_tuning=True,attn_scale=0.3,floor_scale=2,num_local_experts=E,num_experts_per_tok=1,interleave_moe_layer_step=2))
    x=m.w(p+'embed_tokens.weight',V,d)[ids];out['embeddings']=x;t=np.arange(n)
    for l in range(4):
        q=p+'layers.%d.'%l;y=m.RMS(x,q+'input_layernorm',e);Q,K,W=m.lin(y,q+'self_attn.q_proj',d,0),m.lin(y,q+'self_attn.k_proj',dk,0),m.lin(y,q+'self_attn.v_proj',dk,0)
        if l<3: f=lambda v:rms(rot(v,dk,5e5,True),1,e);mask=causal&(t[:,None]//3==t[None]//3)
        else: f=None;mask=causal;Q=Q*(0.3*np.log(1+np.floor((t+1)/2))+1)[:,None]
        x=x+m.lin(attend(out,l,Q,K,W,mask,f),q+'self_attn.o_proj',d,0);y=m.RMS(x,q+'post_attention_layernorm',e);b=q+'feed_forward.'
        if l%2==0: x=x+gated(m,y,GUD(b),ff)
        else:
            U,D=m.w(b+'experts.gate_up_proj',E,d,2*w),m.w(b+'experts.down_proj',E,w,d)
            one=lambda v,i:(silu(v@U[i][:,:w])*(v@U[i][:,w:]))@D[i]
            x=x+mix(m,y,one,b+'router',E,1,'input')+gated(m,y,GUD(b+'shared_expert.'),w)
        out['layer.%d.output'%l]=x
    out['last_hidden_state']=m.RMS(x,p+'norm',e);return m,out
def xlnet():
    e=1e-12;m=M('xlnet',dict(model_type='xlnet',d_model=d,n_layer=L,n_head=h,d_head=dk,d_inner=ff,vocab_size=V,ff_activation='gelu',layer_norm_eps=e,untie_r=True,clamp_len=-1,attn_type='bi'))
    p='transformer.';out={};x=m.w(p+'word_embedding.weight',V,d)[ids];out['embeddings']=x
    delta=np.arange(n,-n,-1);th=1e4**(-2*np.arange(d//2)/d);R=np.concatenate([np.sin(delta[:,None]*th),np.cos(delta[:,None]*th)],1)
    for l in range(L):
        q=p+'layer.%d.rel_attn.'%l;P={c:m.w(q+c,d,h,dk) for c in 'qkvro'};B={c:m.w(q+c,h,dk) for c in ('r_w_bias','r_r_bias','r_s_bias')};S=m.w(q+'seg_embed',2,h,dk);ctx=np.zeros((n,h,dk))
        for i in range(h):
            Q,K,W=x@P['q'][:,i],x@P['k'][:,i],x@P['v'][:,i];r=R@P['r'][:,i]
            bd=np.array([[(Q[a]+B['r_r_bias'][i])@r[n-(a-b)] for b in range(n)] for a in range(n)])
            z=((Q+B['r_w_bias'][i])@K.T+bd+((Q+B['r_s_bias'][i])@S[0,i])[:,None])*dk**-.5;out['layer.%d.head.%d.logits'%(l,i)]=z
            a=np.exp(z-z.max(-1,keepdims=True));a/=a.sum(-1,keepdims=True);out['layer.%d.head.%d.weights'%(l,i)]=a;ctx[:,i]=a@W
        x=m.LN(x+np.einsum('thj,chj->tc',ctx,P['o']),q+'layer_norm',e);f=p+'layer.%d.ff.'%l
        x=m.LN(x+m.lin(vgelu(m.lin(x,f+'layer_1',ff)),f+'layer_2',d),f+'layer_norm',e);out['layer.%d.output'%l]=x
    out['last_hidden_state']=x;return m,out
def cross(out,l,q,K,W,scale):
    """The attention of a decoder's tokens to the source's, which has no positions."""
    ctx=[]
    for i in range(h):
        c=slice(i*dk,(i+1)*dk);z=q[:,c]@K[:,c].T*scale;out['layer.%d.head.%d.logits'%(l,i)]=z
        a=np.exp(z-z.max(-1,keepdims=True));a/=a.sum(-1,keepdims=True);out['layer.%d.head.%d.weights'%(l,i)]=a;ctx.append(a@W[:,c])
    return np.concatenate(ctx,1)
source=np.array([2,9,14,6,1,19,7,4])
def both(m,encode,decode):
    """The encoder alone on ids; then a decoder on ids, with the encoder on the source, by what is looked at."""
    def shared(o,seen,l,x): seen['layer.%d.output'%l]=o['layer.%d.output'%l]=x
    out=encode(ids);extra={}
    own,seen=decode(encode(source)['last_hidden_state'],shared)
    for name,o in (('decoder',own),('cross',seen)): extra[name]={'source_ids':source.astype(np.int64),**o}
    return m,out,extra
def bucket(delta,B,most,sided):
    """T5's: buckets of key minus query; of a decoder all are of the past."""
    n0=0
    if sided: B//=2;n0=B if delta>0 else 0;a=abs(delta)
    else: a=max(-delta,0)
    E=B//2
    return n0+(a if a<E else min(E+int(np.log(a/E)/np.log(most/E)*(B-E)),B-1))
def t5():
    e=1e-6;B,most=8,16;m=M('t5',dict(model_type='t5',d_model=d,d_kv=dk,d_ff=ff,num_layers=L,num_decoder_layers=3,num_heads=h,vocab_size=V,relative_attention_num_buckets=B,relative_attention_max_distance=most,feed_forward_proj='gated-gelu',layer_norm_epsilon=e,is_encoder_decoder=True))
    def bias(p,k,sided):
        T=m.w(p+'block.0.layer.0.SelfAttention.relative_attention_bias.weight',B,h);return [np.array([[T[bucket(s-t,B,most,sided),i] for s in range(k)] for t in range(k)]) for i in range(h)]
    def feed(x,q): b=q+'DenseReluDense.';return m.lin(tanhg(m.lin(m.RMS(x,q+'layer_norm',e),b+'wi_0',ff,0))*m.lin(m.RMS(x,q+'layer_norm',e),b+'wi_1',ff,0),b+'wo',d,0)
    def encode(tokens):
        out={};k=len(tokens);x=m.w('shared.weight',V,d)[tokens];out['embeddings']=x;p='encoder.'
        for l in range(L):
            q=p+'block.%d.'%l;b=q+'layer.0.SelfAttention.';y=m.RMS(x,q+'layer.0.layer_norm',e)
            x=x+m.lin(attend(out,l,m.lin(y,b+'q',d,0),m.lin(y,b+'k',d,0),m.lin(y,b+'v',d,0),np.ones((k,k),bool),None,bias(p,k,True),1),b+'o',d,0);x=x+feed(x,q+'layer.1.');out['layer.%d.output'%l]=x
        out['last_hidden_state']=m.RMS(x,p+'final_layer_norm',e);return out
    def decode(src,shared):
        own,seen={},{};x=m.w('shared.weight',V,d)[ids];own['embeddings']=x;p='decoder.'
        for l in range(3):
            q=p+'block.%d.'%l;b=q+'layer.0.SelfAttention.';y=m.RMS(x,q+'layer.0.layer_norm',e)
            x=x+m.lin(attend(own,l,m.lin(y,b+'q',d,0),m.lin(y,b+'k',d,0),m.lin(y,b+'v',d,0),causal,None,bias(p,n,False),1),b+'o',d,0)
            b=q+'layer.1.EncDecAttention.';y=m.RMS(x,q+'layer.1.layer_norm',e)
            x=x+m.lin(cross(seen,l,m.lin(y,b+'q',d,0),m.lin(src,b+'k',d,0),m.lin(src,b+'v',d,0),1),b+'o',d,0);x=x+feed(x,q+'layer.2.');shared(own,seen,l,x)
        own['last_hidden_state']=seen['last_hidden_state']=m.RMS(x,p+'final_layer_norm',e);return own,seen
    return both(m,encode,decode)
def bart_both(name,pre):
    e=1e-5;m=M(name,dict(model_type='mbart' if pre else 'bart',d_model=d,encoder_layers=L,encoder_attention_heads=h,encoder_ffn_dim=ff,decoder_layers=L,decoder_attention_heads=h,decoder_ffn_dim=20,vocab_size=V,max_position_embeddings=10,activation_function='gelu',scale_embedding=True))
    def start(p,tokens): return m.LN(m.w('model.shared.weight',V,d)[tokens]*d**.5+m.w(p+'embed_positions.weight',12,d)[2:2+len(tokens)],p+'layernorm_embedding',e)
    def part(x,norm,f): return x+f(m.LN(x,norm,e)) if pre else m.LN(x+f(x),norm,e)
    def three(y,z,b): return m.lin(y,b+'q_proj',d),m.lin(z,b+'k_proj',d),m.lin(z,b+'v_proj',d)
    def feed(q,w): return lambda y:m.lin(vgelu(m.lin(y,q+'fc1',w)),q+'fc2',d)
    def end(x,p): return m.LN(x,p+'layer_norm',e) if pre else x
    def encode(tokens):
        p='model.encoder.';out={};k=len(tokens);x=start(p,tokens);out['embeddings']=x
        for l in range(L):
            q=p+'layers.%d.'%l;b=q+'self_attn.'
            x=part(x,q+'self_attn_layer_norm',lambda y:m.lin(attend(out,l,*three(y,y,b),np.ones((k,k),bool)),b+'out_proj',d));x=part(x,q+'final_layer_norm',feed(q,ff));out['layer.%d.output'%l]=x
        out['last_hidden_state']=end(x,p);return out
    def decode(src,shared):
        p='model.decoder.';own,seen={},{};x=start(p,ids);own['embeddings']=x
        for l in range(L):
            q=p+'layers.%d.'%l;b=q+'self_attn.';c=q+'encoder_attn.'
            x=part(x,q+'self_attn_layer_norm',lambda y:m.lin(attend(own,l,*three(y,y,b),causal),b+'out_proj',d))
            x=part(x,q+'encoder_attn_layer_norm',lambda y:m.lin(cross(seen,l,*three(y,src,c),dk**-.5),c+'out_proj',d));x=part(x,q+'final_layer_norm',feed(q,20));shared(own,seen,l,x)
        own['last_hidden_state']=seen['last_hidden_state']=end(x,p);return own,seen
    return both(m,encode,decode)
def bart_whole(): return bart_both('bart_whole',False)
def mbart_whole(): return bart_both('mbart_whole',True)
def gpt_oss_blocks():
    """Experts as the published files have them: blocks of 32 numbers of 4 bits with a power of two."""
    e=1e-5;E=3;D=32;H=2;K=16;F=32;m=M('gpt_oss_blocks',dict(model_type='gpt_oss',hidden_size=D,num_hidden_layers=2,num_attention_heads=H,num_key_value_heads=1,head_dim=K,intermediate_size=F,vocab_size=V,max_position_embeddings=64,sliding_window=3,rms_norm_eps=e,rope_theta=150000.0,rope_scaling=None,num_local_experts=E,num_experts_per_tok=2,swiglu_limit=7.0,attention_bias=True,hidden_act='silu'))
    g=np.random.default_rng(11);lut=np.array([0,.5,1,1.5,2,3,4,6,0,-.5,-1,-1.5,-2,-3,-4,-6])
    def packed(k,outs,inn):
        B=g.integers(0,256,(E,outs,inn//32,16)).astype(np.uint8);S=g.integers(122,125,(E,outs,inn//32)).astype(np.uint8);m.t[k+'_blocks'],m.t[k+'_scales']=B,S
        return (np.stack([lut[B&15],lut[B>>4]],-1).reshape(E,outs,inn//32,32)*2.**(S.astype(int)-127)[...,None]).reshape(E,outs,inn)
    p='model.';out={};x=m.w(p+'embed_tokens.weight',V,D)[ids];out['embeddings']=x;R=lambda v,k:rms(v,m.w(k+'.weight',D,one=True),e)
    for l in range(2):
        q=p+'layers.%d.'%l;y=R(x,q+'input_layernorm');b=q+'self_attn.';Q,Kk,W=m.lin(y,b+'q_proj',D),m.lin(y,b+'k_proj',K),m.lin(y,b+'v_proj',K);sink=m.w(b+'sinks',H);ctx=[]
        for i in range(H):
            z=rot(Q[:,i*K:(i+1)*K],K,150000.,False)@rot(Kk,K,150000.,False).T*K**-.5;out['layer.%d.head.%d.logits'%(l,i)]=z
            a=np.exp(np.where(window(3) if l==0 else causal,z,-np.inf));a/=a.sum(-1,keepdims=True)+np.exp(sink[i]);out['layer.%d.head.%d.weights'%(l,i)]=a;ctx.append(a@W)
        x=x+m.lin(np.concatenate(ctx,1),b+'o_proj',D);y=R(x,q+'post_attention_layernorm');b=q+'mlp.';z=m.lin(y,b+'router',E)
        U,ub,Dn,db=packed(b+'experts.gate_up_proj',2*F,D),m.w(b+'experts.gate_up_proj_bias',E,2*F),packed(b+'experts.down_proj',D,F),m.w(b+'experts.down_proj_bias',E,D);f=np.zeros_like(x)
        for t in range(n):
            top=np.argsort(-z[t])[:2]
            for i,w in zip(top,soft(z[t][top])):
                u=U[i]@y[t]+ub[i];gate,up=np.minimum(u[0::2],7),np.clip(u[1::2],-7,7);f[t]+=w*(Dn[i]@((up+1)*gate*sig(1.702*gate))+db[i])
        x=x+f;out['layer.%d.output'%l]=x
    out['last_hidden_state']=R(x,p+'norm');return m,out
def stablelm(): return llamalike('stablelm',dict(model_type='stablelm',layer_norm_eps=1e-5,rope_theta=1e4,hidden_act='silu',partial_rotary_factor=0.25,use_qkv_bias=True),causal,qkvb=1,norm='lnb',r=2,e=1e-5)
def stablelm_parallel(): return llamalike('stablelm-parallel',dict(model_type='stablelm',layer_norm_eps=1e-5,rope_theta=1e4,hidden_act='silu',partial_rotary_factor=0.5,use_parallel_residual=True),causal,norm='lnb',r=4,e=1e-5,par=True)
for f in (electra,roberta,distilbert,bart,opt,gptj,mpt,phi,mistral,qwen2,starcoder2,cohere,glm,stablelm,stablelm_parallel,olmo3,mixtral,qwen2_moe,qwen3_moe,deepseek_v3,deepseek_v2,electra_small,albert,mbart,cohere_norm,llama4,xlnet,t5,bart_whole,mbart_whole,gpt_oss_blocks):
    if sys.argv[2:] and f.__name__ not in sys.argv[2:]: continue
    rng=np.random.default_rng(7);m,out,*more=f();D=os.path.join(sys.argv[1],m.name);os.makedirs(D,exist_ok=True)
    with open(D+'/config.json','w') as c: json.dump(m.cfg,c,indent=1)
    wr(D+'/model.safetensors',m.t)
    wr(D+'/reference.safetensors',{'input_ids':ids.astype(np.int64),**{k:np.asarray(v,np.float64) for k,v in out.items()}})
    for part,o in (more[0] if more else {}).items(): wr(D+'/'+part+'.safetensors',{'input_ids':ids.astype(np.int64),**{k:v if k=='source_ids' else np.asarray(v,np.float64) for k,v in o.items()}})
