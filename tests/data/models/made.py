#!/usr/bin/env python3
"""Small models of families, and what their layers give, by numpy from the formulas of the families.

    made.py FOLDER    writes FOLDER/NAME/{config.json,model.safetensors,reference.safetensors}

The weights are drawn and stored in single precision; everything is computed in double. Logits are those
in front of the mask.
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
        a=np.ascontiguousarray(a);dt={'float64':'F64','float32':'F32','int64':'I64','float16':'F16'}[str(a.dtype)]
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
def stablelm(): return llamalike('stablelm',dict(model_type='stablelm',layer_norm_eps=1e-5,rope_theta=1e4,hidden_act='silu',partial_rotary_factor=0.25,use_qkv_bias=True),causal,qkvb=1,norm='lnb',r=2,e=1e-5)
def stablelm_parallel(): return llamalike('stablelm-parallel',dict(model_type='stablelm',layer_norm_eps=1e-5,rope_theta=1e4,hidden_act='silu',partial_rotary_factor=0.5,use_parallel_residual=True),causal,norm='lnb',r=4,e=1e-5,par=True)
for f in (electra,roberta,distilbert,bart,opt,gptj,mpt,phi,mistral,qwen2,starcoder2,cohere,glm,stablelm,stablelm_parallel):
    rng=np.random.default_rng(7);m,out=f();D=os.path.join(sys.argv[1],m.name);os.makedirs(D,exist_ok=True)
    with open(D+'/config.json','w') as c: json.dump(m.cfg,c,indent=1)
    wr(D+'/model.safetensors',m.t)
    wr(D+'/reference.safetensors',{'input_ids':ids.astype(np.int64),**{k:np.asarray(v,np.float64) for k,v in out.items()}})
