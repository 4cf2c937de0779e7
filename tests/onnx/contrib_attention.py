#!/usr/bin/env python3
"""Writes small models of com.microsoft's attention operators that libwebnn imports. contrib_models.py writes the other operators.

    contrib_attention.py OUT [NAME_PART]
"""

import sys

import numpy as np
from contrib_models import OPERATORS, Case, Constant, main, operator

OPERATORS.clear()  # removes the operators that contrib_models.py registered

FLOAT = np.float32
INT32 = np.int32


def int32(*values):
    return np.array(values, INT32)


# Sizes: batch 2, sequence 3, and 2 heads of 4 elements.


def attention_operands(random, past=0, mask=None, bias=None, value_size=8, dtype=FLOAT):
    return [
        random.normal(2, 3, 5, dtype=dtype),
        random.normal(5, 16 + value_size, dtype=dtype),
        random.normal(16 + value_size, dtype=dtype),
        mask,
        random.normal(2, 2, 2, past, 4, dtype=dtype) if past else None,
        bias,
    ]


@operator("Attention")
def attention(random):
    heads = dict(num_heads=2)
    yield Case("plain", attention_operands(random), heads)
    yield Case(
        "constant_weights", [Constant(x) if i in (1, 2) else x for i, x in enumerate(attention_operands(random)[:3])], heads,
    )
    yield Case("scale", attention_operands(random), dict(num_heads=2, scale=0.3))
    yield Case("unidirectional", attention_operands(random), dict(num_heads=2, unidirectional=1))
    yield Case("value_size", attention_operands(random, value_size=6), dict(num_heads=2, qkv_hidden_sizes=[8, 8, 6]))
    yield Case("mask_2d", attention_operands(random, mask=int32([1, 1, 0], [1, 1, 1])), heads)
    yield Case("mask_2d_masked_row", attention_operands(random, mask=int32([0, 0, 0], [1, 0, 1])), heads)
    yield Case(
        "mask_2d_filter", attention_operands(random, mask=int32([0, 0, 0], [1, 0, 1])), dict(num_heads=2, mask_filter_value=-2.0),
    )
    yield Case(
        "mask_2d_unidirectional",
        attention_operands(random, mask=int32([0, 1, 1], [1, 0, 1])),
        dict(num_heads=2, unidirectional=1),
    )
    yield Case("mask_3d", attention_operands(random, mask=random.integers(0, 2, 2, 3, 3)), heads)
    yield Case("mask_ends", attention_operands(random, mask=int32(2, 3)), heads)
    yield Case("mask_ends_and_starts", attention_operands(random, mask=int32(2, 3, 0, 1)), heads)
    yield Case("attention_bias", attention_operands(random, bias=random.normal(2, 2, 3, 3)), heads)
    yield Case(
        "attention_bias_broadcast",
        attention_operands(random, bias=random.normal(1, 2, 3, 3), mask=int32([1, 1, 0], [1, 1, 1])),
        heads,
    )
    yield Case("past", attention_operands(random, past=4), heads, [FLOAT, FLOAT])
    yield Case("present", attention_operands(random), heads, [FLOAT, FLOAT])
    yield Case("past_unidirectional", attention_operands(random, past=4), dict(num_heads=2, unidirectional=1), [FLOAT, FLOAT])
    yield Case("past_mask", attention_operands(random, past=2, mask=int32([0, 1, 1, 1, 1], [1] * 5)), heads, [FLOAT, FLOAT])


def heads_of(random, *, queries=3, keys=3, size=8, value_size=8):
    return [random.normal(2, queries, size), random.normal(2, keys, size), random.normal(2, keys, value_size)]


@operator("MultiHeadAttention")
def multi_head_attention(random):
    heads = dict(num_heads=2)
    past = [random.normal(2, 2, 4, 4), random.normal(2, 2, 4, 4)]
    yield Case("plain", heads_of(random), heads)
    yield Case("cross", heads_of(random, keys=5), heads)
    yield Case("scale", heads_of(random), dict(num_heads=2, scale=0.7))
    yield Case("unidirectional", heads_of(random), dict(num_heads=2, unidirectional=1))
    yield Case("bias", [*heads_of(random, keys=4), random.normal(24)], heads)
    yield Case("value_size", [*heads_of(random, keys=4, value_size=6), random.normal(22)], heads)
    yield Case("keys_as_heads", [random.normal(2, 3, 8), random.normal(2, 2, 5, 4), random.normal(2, 2, 5, 4)], heads)
    yield Case(
        "keys_as_heads_bias",
        [random.normal(2, 3, 8), random.normal(2, 2, 5, 4), random.normal(2, 2, 5, 4), random.normal(24)],
        heads,
    )
    yield Case("padding_2d", [*heads_of(random, keys=4), None, int32([1, 1, 1, 0], [1, 0, 0, 0])], heads)
    yield Case("padding_3d", [*heads_of(random, keys=4), None, random.integers(0, 2, 2, 3, 4)], heads)
    yield Case("padding_ends", [*heads_of(random, keys=4), None, int32(3, 1)], heads)
    yield Case(
        "padding_filter",
        [*heads_of(random, keys=4), None, int32([1, 1, 1, 0], [0, 0, 0, 0])],
        dict(num_heads=2, mask_filter_value=-1.0),
    )
    yield Case("attention_bias", [*heads_of(random, keys=4), None, None, random.normal(1, 2, 3, 4)], heads)
    yield Case("attention_bias_per_batch", [*heads_of(random, keys=4), None, None, random.normal(2, 1, 3, 4)], heads)
    yield Case("past", [*heads_of(random), None, None, None, *past], heads, [FLOAT, FLOAT, FLOAT])
    yield Case("present", heads_of(random), heads, [FLOAT, FLOAT, FLOAT])
    yield Case(
        "past_unidirectional",
        [*heads_of(random), None, None, None, *past],
        dict(num_heads=2, unidirectional=1),
        [FLOAT, FLOAT, FLOAT],
    )
    yield Case("past_padding", [*heads_of(random), None, random.integers(0, 2, 2, 7), None, *past], heads, [FLOAT, FLOAT, FLOAT])
    yield Case(
        "past_single_token",
        [*heads_of(random, queries=1, keys=1), random.normal(24), None, None, *past],
        heads,
        [FLOAT, FLOAT, FLOAT],
    )
    yield Case("qk", heads_of(random, keys=4), heads, [FLOAT, None, None, FLOAT])
    yield Case("qk_bias", [*heads_of(random, keys=4), None, None, random.normal(1, 2, 3, 4)], heads, [FLOAT, None, None, FLOAT])


def caches(random, rows=16, pairs=8):
    angles = random.uniform(-3, 3, rows, pairs)
    return [np.cos(angles), np.sin(angles)]


def grouped(random, lasts, total, *, queries=1, past=0, batch=1, size=16, packed=False):
    """Returns operands of GroupQueryAttention: 4 query heads share 2 heads of keys and values."""
    if packed:
        tokens = [random.normal(batch, queries, 8 * size), None, None]
    else:
        sizes = [4 * size, 2 * size, 2 * size]
        tokens = [random.normal(batch, queries, elements) for elements in sizes]
    cache = [random.normal(batch, 2, past, size), random.normal(batch, 2, past, size)] if past else [None, None]
    return [*tokens, *cache, Constant(int32(*lasts)), Constant(int32(total))]


@operator("GroupQueryAttention")
def group_query_attention(random):
    heads = dict(num_heads=4, kv_num_heads=2)
    rotary = dict(**heads, do_rotary=1)
    three = [FLOAT] * 3
    yield Case("prompt", grouped(random, [2], 3, queries=3), heads, three)
    yield Case("prompt_packed", grouped(random, [2], 3, queries=3, packed=True), heads, three)
    yield Case("prompt_batch", grouped(random, [2, 2], 3, queries=3, batch=2), heads, three)
    yield Case("prompt_bidirectional", grouped(random, [2], 3, queries=3), dict(**heads, causal=0), three)
    yield Case("token", grouped(random, [5], 6, past=5), heads, three)
    yield Case("token_batch", grouped(random, [5, 5], 6, past=5, batch=2), heads, three)
    yield Case("token_lengths", grouped(random, [5, 3], 6, past=5, batch=2), heads, three)
    yield Case("token_lengths_rotary", [*grouped(random, [5, 3], 6, past=5, batch=2), *caches(random)], rotary, three)
    yield Case("token_buffer", grouped(random, [5], 6, past=9), heads, three)
    yield Case("tokens", grouped(random, [6], 7, queries=3, past=4), heads, three)
    yield Case("scale", grouped(random, [2], 3, queries=3), dict(**heads, scale=0.2), three)
    yield Case("softcap", grouped(random, [2], 3, queries=3), dict(**heads, softcap=1.5), three)
    yield Case("window", grouped(random, [7], 8, queries=8), dict(**heads, local_window_size=3), three)
    yield Case("window_token", grouped(random, [7], 8, past=7), dict(**heads, local_window_size=3), three)
    yield Case("window_lengths", grouped(random, [7, 4], 8, past=7, batch=2), dict(**heads, local_window_size=3), three)
    yield Case("rotary_prompt", [*grouped(random, [2], 3, queries=3), *caches(random)], rotary, three)
    yield Case("rotary_packed", [*grouped(random, [2], 3, queries=3, packed=True), *caches(random)], rotary, three)
    yield Case("rotary_token", [*grouped(random, [5], 6, past=5), *caches(random)], rotary, three)
    yield Case(
        "rotary_interleaved", [*grouped(random, [5], 6, past=5), *caches(random)], dict(**rotary, rotary_interleaved=1), three,
    )
    yield Case("rotary_partial", [*grouped(random, [2], 3, queries=3, size=32), *caches(random)], rotary, three)
    yield Case("position_ids", [*grouped(random, [5], 6, past=5), *caches(random), np.array([[9]])], rotary, three)
    yield Case(
        "position_ids_prompt", [*grouped(random, [2], 3, queries=3), *caches(random), np.array([[4, 5, 6]])], rotary, three,
    )
    yield Case("attention_bias", [*grouped(random, [5], 6, past=5), None, None, None, random.normal(1, 4, 1, 6)], heads, three)
    yield Case("smooth_softmax", grouped(random, [2], 3, queries=3), dict(**heads, smooth_softmax=1), three)
    yield Case("head_sink", [*grouped(random, [2], 3, queries=3), None, None, None, None, random.normal(4)], heads, three)


@operator("RotaryEmbedding")
def rotary_embedding(random):
    ids = random.integers(0, 16, 2, 3, dtype=np.int64)
    first = np.array([5])
    yield Case("offset", [random.normal(2, 3, 16), first, *caches(random, pairs=4)])
    yield Case("ids", [random.normal(2, 3, 16), ids, *caches(random, pairs=4)])
    yield Case("heads", [random.normal(2, 2, 3, 8), ids, *caches(random, pairs=4)])
    yield Case("interleaved", [random.normal(2, 3, 16), ids, *caches(random, pairs=4)], dict(interleaved=1))
    yield Case("partial", [random.normal(2, 3, 24), ids, *caches(random, pairs=4)], dict(num_heads=2, rotary_embedding_dim=8))
    yield Case(
        "partial_interleaved",
        [random.normal(2, 2, 3, 12), first, *caches(random, pairs=4)],
        dict(num_heads=2, rotary_embedding_dim=8, interleaved=1),
    )
    yield Case("scale", [random.normal(2, 3, 16), ids, *caches(random, pairs=4)], dict(scale=2.0))


@operator("QAttention")
def q_attention(random):
    def operands(mask=None, past=0, columns=1):
        return [
            random.integers(0, 256, 2, 3, 5, dtype=np.uint8),
            Constant(random.integers(-64, 64, 5, 24, dtype=np.int8)),
            Constant(random.normal(24)),
            Constant(np.array(0.02, FLOAT)),
            Constant(random.uniform(0.01, 0.02, columns) if columns > 1 else np.array(0.015, FLOAT)),
            mask,
            Constant(np.array(120, np.uint8)),
            Constant(np.zeros(columns, np.int8) if columns > 1 else np.array(3, np.int8)),
            random.normal(2, 2, 2, past, 4) if past else None,
        ]

    yield Case("plain", operands(), dict(num_heads=2))
    yield Case("columns", operands(columns=24), dict(num_heads=2))
    yield Case("mask", operands(mask=int32([1, 1, 0], [1, 1, 1])), dict(num_heads=2))
    yield Case("unidirectional", operands(), dict(num_heads=2, unidirectional=1))
    yield Case("past", operands(past=2), dict(num_heads=2), [FLOAT, FLOAT])


def linear_operands(random, steps, heads=2, query_heads=2):
    return [random.normal(2, steps, query_heads * 4), random.normal(2, steps, heads * 4), random.normal(2, steps, heads * 3)]


@operator("LinearAttention")
def linear_attention(random):
    heads = dict(q_num_heads=2, kv_num_heads=2)
    two = [FLOAT, FLOAT]
    decay, beta = random.uniform(-1, 0, 2, 3, 8), random.uniform(0, 1, 2, 3, 2)
    state = random.normal(2, 2, 4, 3)
    yield Case("linear", linear_operands(random, 3), dict(**heads, update_rule="linear"), two)
    yield Case("gated", [*linear_operands(random, 3), state, decay], dict(**heads, update_rule="gated"), two)
    yield Case("delta", [*linear_operands(random, 3), None, None, beta], dict(**heads, update_rule="delta"), two)
    yield Case("gated_delta", [*linear_operands(random, 3), state, decay, beta], dict(**heads, scale=0.4), two)
    yield Case(
        "shared", linear_operands(random, 3, query_heads=4), dict(q_num_heads=4, kv_num_heads=2, update_rule="linear"), two,
    )


@operator("CausalConvWithState")
def causal_conv_with_state(random):
    two = [FLOAT, FLOAT]
    yield Case("plain", [random.normal(2, 4, 6), random.normal(4, 1, 3)], {}, two)
    yield Case(
        "state",
        [random.normal(2, 4, 6), random.normal(4, 1, 3), random.normal(4), random.normal(2, 4, 2)],
        dict(activation="silu"),
        two,
    )
    yield Case("dilation", [random.normal(2, 4, 6), random.normal(4, 1, 3)], dict(dilation=2), two)
    yield Case("short", [random.normal(2, 4, 2), random.normal(4, 1, 5)], {}, two)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
