"""Attention operators of com.microsoft."""

import numpy as np

from ..values import random_array
from .contrib import add, contrib
from .quantized import scale_of


def normal(m, *shape):
    return m.value('float32', shape=shape, style='normal', finite=True)


def lengths_mask(m, batch, columns):
    """Returns a mask [batch, columns]: each row has a random number of ones, and then zeros."""
    lengths = m.rng.integers(1, columns, batch, endpoint=True)
    return m.source((np.arange(columns) < lengths[:, None]).astype(np.int32))


@contrib('Attention')
def attention(m, name):
    batch, rows, heads, size, width = m.integer(1, 2), m.integer(1, 4), m.choice([1, 2]), m.choice([2, 4]), m.integer(1, 6)
    hidden, v_hidden = heads * size, heads * m.choice([size, 3])
    past = m.integer(1, 3) if v_hidden == hidden and m.chance(0.3) else 0
    mask = lengths_mask(m, batch, rows + past) if m.chance(0.4) else None
    bias = normal(m, m.choice([1, batch]), heads, rows, rows + past) if m.chance(0.3) else None
    inputs = [
        normal(m, batch, rows, width),
        normal(m, width, 2 * hidden + v_hidden),
        normal(m, 2 * hidden + v_hidden),
        mask,
        normal(m, 2, batch, heads, past, size) if past else None,
        bias,
    ]
    add(
        m,
        name,
        inputs,
        ['float32', 'float32'] if past or m.chance(0.1) and v_hidden == hidden else ['float32'],
        num_heads=heads,
        unidirectional=m.choice([None, 0, 1]),
        scale=m.choice([None, 0.5]),
        qkv_hidden_sizes=[hidden, hidden, v_hidden] if v_hidden != hidden or m.chance(0.2) else None,
    )


@contrib('MultiHeadAttention')
def multi_head_attention(m, name):
    batch, heads, size, rows, columns = m.integer(1, 2), m.choice([1, 2]), m.choice([2, 4]), m.integer(1, 4), m.integer(1, 5)
    v_size = m.choice([size, size, 3])
    hidden, v_hidden = heads * size, heads * v_size
    bias = normal(m, 2 * hidden + v_hidden) if m.chance(0.3) else None
    mask = lengths_mask(m, batch, columns) if m.chance(0.3) else None
    add_bias = normal(m, m.choice([1, batch]), m.choice([1, heads]), rows, columns) if m.chance(0.3) else None
    add(
        m,
        name,
        [
            normal(m, batch, rows, hidden),
            normal(m, batch, columns, hidden),
            normal(m, batch, columns, v_hidden),
            bias,
            mask,
            add_bias,
        ],
        num_heads=heads,
        scale=m.choice([None, 0.5]),
        unidirectional=m.choice([None, 0, 1]) if rows == columns else None,
    )


def rotary_caches(m, rows, half):
    angles = m.rng.uniform(-3, 3, (rows, half)).astype(np.float32)
    return [m.constant(np.cos(angles)), m.constant(np.sin(angles))]


@contrib('GroupQueryAttention')
def group_query_attention(m, name):
    batch, kv, size = m.integer(1, 2), m.choice([1, 2]), m.choice([8, 16])
    heads = kv * m.choice([1, 2])
    past = m.integer(1, 5) if m.chance(0.5) else 0
    rows = 1 if past and batch > 1 else m.integer(1, 4)
    total = rows + past
    lasts = np.full(batch, total - 1) if rows > 1 else m.rng.integers(rows - 1, total, batch)
    lasts[0] = total - 1
    inputs = [normal(m, batch, rows, heads * size), normal(m, batch, rows, kv * size), normal(m, batch, rows, kv * size)]
    inputs += [normal(m, batch, kv, past, size), normal(m, batch, kv, past, size)] if past else [None, None]
    inputs += [m.constant(lasts.astype(np.int32)), m.constant(np.array(total, np.int32))]
    rotary = m.chance(0.4)
    if rotary:
        inputs += rotary_caches(m, 16, size // 2)
    add(
        m,
        name,
        inputs,
        ['float32'] * 3,
        num_heads=heads,
        kv_num_heads=kv,
        do_rotary=1 if rotary else None,
        scale=m.choice([None, 0.5]),
        rotary_interleaved=m.choice([None, 0, 1]) if rotary else None,
        softcap=m.choice([None, None, 1.5]),
        local_window_size=m.choice([None, None, 2]),
    )


@contrib('RotaryEmbedding')
def rotary_embedding(m, name):
    batch, rows, heads, size = m.integer(1, 2), m.integer(1, 4), m.integer(1, 2), m.choice([4, 8])
    ids = (
        m.source(np.array([m.integer(0, 8)]))
        if m.chance(0.5)
        else m.source(m.rng.integers(0, 16, (batch, rows)).astype(np.int64))
    )
    part = 4 if size == 8 and m.chance(0.4) else None
    flat = m.chance(0.5)
    x = normal(m, batch, rows, heads * size) if flat else normal(m, batch, heads, rows, size)
    add(
        m,
        name,
        [x, ids, *rotary_caches(m, 16, (part or size) // 2)],
        interleaved=m.choice([None, 0, 1]),
        num_heads=heads if part else None,
        rotary_embedding_dim=part,
        scale=m.choice([None, None, 2.0]),
    )


@contrib('QAttention')
def q_attention(m, name):
    batch, rows, heads, size, width = m.integer(1, 2), m.integer(1, 3), m.choice([1, 2]), m.choice([2, 4]), m.integer(1, 6)
    hidden = 3 * heads * size
    mask = lengths_mask(m, batch, rows) if m.chance(0.3) else None
    w = m.constant(random_array(m.rng, 'int8', (width, hidden)))
    add(
        m,
        name,
        [
            m.value('uint8', shape=(batch, rows, width)),
            w,
            normal(m, hidden),
            scale_of(m),
            scale_of(m),
            mask,
            m.constant(np.array(120, np.uint8)),
            m.constant(np.array(m.integer(-3, 3), np.int8)),
        ],
        num_heads=heads,
        unidirectional=m.choice([None, 0, 1]),
    )


@contrib('LinearAttention')
def linear_attention(m, name):
    batch, rows, heads, keys, width = m.integer(1, 2), m.integer(1, 4), m.choice([1, 2]), 4, 3
    rule = m.choice(['linear', 'gated', 'delta', 'gated_delta'])
    inputs = [normal(m, batch, rows, heads * keys), normal(m, batch, rows, heads * keys), normal(m, batch, rows, heads * width)]
    inputs.append(normal(m, batch, heads, keys, width) if m.chance(0.4) else None)
    inputs.append(m.value('float32', shape=(batch, rows, heads * keys), low=-1, high=0) if 'gated' in rule else None)
    inputs.append(m.value('float32', shape=(batch, rows, heads), low=0, high=1) if 'delta' in rule else None)
    add(
        m,
        name,
        inputs,
        ['float32', 'float32'],
        q_num_heads=heads,
        kv_num_heads=heads,
        update_rule=rule,
        scale=m.choice([None, 0.5]),
    )


@contrib('CausalConvWithState')
def causal_conv_with_state(m, name):
    batch, channels, length, kernel = m.integer(1, 2), m.integer(1, 4), m.integer(1, 6), m.integer(1, 4)
    state = normal(m, batch, channels, kernel - 1) if kernel > 1 and m.chance(0.5) else None
    bias = normal(m, channels) if state or m.chance(0.5) else None
    add(
        m,
        name,
        [normal(m, batch, channels, length), normal(m, channels, 1, kernel), bias, state],
        ['float32', 'float32'],
        activation=m.choice([None, 'none', 'silu', 'swish']),
    )
