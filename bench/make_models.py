#!/usr/bin/env python3
"""Makes ONNX models for benchmarks: graphs of common networks as exporters write them, with random weights.

usage: make_models.py FOLDER [NAME...]

Needs the packages onnx and numpy, and onnxruntime for the quantized models. With the same package versions, the files have the
same bytes each time. Shapes are static, the batch size is 1. Run the models on floats from 0 to 1 and integers from 0 to 7.
"""
import pathlib
import sys
import tempfile
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
TO_NHWC, TO_NCHW = [0, 2, 3, 1], [0, 3, 1, 2]
SWAP_HEADS = [0, 2, 1, 3]  # transposes [batch, positions, heads, size] to [batch, heads, positions, size], and back


class Builder:
    """Builds an ONNX graph. A value is a result's name or a constant: an array, a float (float32), an integer or a list (int64)."""

    def __init__(self, name):
        self.name = name
        self.random = np.random.RandomState(zlib.crc32(name.encode()))
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []

    def input(self, name, shape, kind=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, value, shape):
        self.outputs.append(helper.make_tensor_value_info(value, FLOAT, shape))

    def value(self, value, name):
        if isinstance(value, str):
            return value
        if not isinstance(value, np.ndarray):
            value = np.array(value, np.float32 if isinstance(value, float) else np.int64)
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def op(self, kind, *inputs, count=1, name=None, **attributes):
        """Adds a node; returns the name of its result, or a list of `count` names."""
        name = name or f'{kind.lower()}_{len(self.nodes)}'
        inputs = [self.value(value, f'{name}.{index}') for index, value in enumerate(inputs)]
        outputs = [name] if count == 1 else [f'{name}:{index}' for index in range(count)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, name=name, **attributes))
        return name if count == 1 else outputs

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.constants)
        opsets = [helper.make_opsetid('', 17)]
        if any(node.domain for node in self.nodes):
            opsets.append(helper.make_opsetid('com.microsoft', 1))
        return helper.make_model(graph, producer_name='libwebnn', opset_imports=opsets, ir_version=8)

    def normal(self, *shape, deviation=1.0, mean=0.0):
        return (self.random.standard_normal(shape) * deviation + mean).astype(np.float32)

    # Layers. The weights' variance is chosen so that activations neither grow nor vanish from layer to layer; `gain` multiplies
    # the variance.

    def conv(self, x, channels, filters, kernel, stride=1, pad=None, groups=1, gain=2.0, rank=2):
        pad = (kernel - 1) // 2 if pad is None else pad
        fan_in = channels // groups * kernel ** rank
        weight = self.normal(filters, channels // groups, *[kernel] * rank, deviation=(gain / fan_in) ** 0.5)
        return self.op('Conv', x, weight, self.normal(filters, deviation=0.02), kernel_shape=[kernel] * rank,
                       strides=[stride] * rank, pads=[pad] * 2 * rank, dilations=[1] * rank, group=groups)

    def gemm(self, x, width, outputs):
        weight = self.normal(outputs, width, deviation=width ** -0.5)
        return self.op('Gemm', x, weight, self.normal(outputs, deviation=0.02), transB=1)

    def linear(self, x, width, outputs, bias=True):
        x = self.op('MatMul', x, self.normal(width, outputs, deviation=width ** -0.5))
        return self.op('Add', self.normal(outputs, deviation=0.02), x) if bias else x

    def layer_norm(self, x, width, epsilon=1e-5):
        scale, bias = self.normal(width, deviation=0.02, mean=1.0), self.normal(width, deviation=0.02)
        return self.op('LayerNormalization', x, scale, bias, axis=-1, epsilon=epsilon)

    def gelu(self, x):
        erf = self.op('Erf', self.op('Div', x, 2.0 ** 0.5))
        return self.op('Mul', self.op('Mul', x, self.op('Add', erf, 1.0)), 0.5)

    def silu(self, x):
        return self.op('Mul', x, self.op('Sigmoid', x))

    def heads(self, x, length, count, size):
        return self.op('Transpose', self.op('Reshape', x, [1, length, count, size]), perm=SWAP_HEADS)

    def attend(self, query, key, value, length, width, size):
        """Returns scaled dot-product attention of heads with `size` channels each, with the heads joined: [1, length, width]."""
        scale = size ** -0.25
        key = self.op('Mul', self.op('Transpose', key, perm=[0, 1, 3, 2]), scale)
        scores = self.op('Softmax', self.op('MatMul', self.op('Mul', query, scale), key), axis=-1)
        return self.op('Reshape', self.op('Transpose', self.op('MatMul', scores, value), perm=SWAP_HEADS), [1, length, width])

    def attention(self, x, length, width, count, context=None, bias=(True, False, True)):
        """Returns attention of x to `context` (value, length, width), by default to x itself.

        `bias` says whether queries, keys and values have a bias.
        """
        context, positions, inputs = context or (x, length, width)
        size = width // count
        query = self.heads(self.linear(x, width, width, bias[0]), length, count, size)
        key, value = (self.heads(self.linear(context, inputs, width, one), positions, count, size) for one in bias[1:])
        return self.linear(self.attend(query, key, value, length, width, size), width, width)

    def feed_forward(self, x, width):
        return self.linear(self.gelu(self.linear(x, width, 4 * width)), 4 * width, width)


# Convolutional networks.

def classify(m, x, channels, classes=1000):
    x = m.op('Flatten', m.op('GlobalAveragePool', x), axis=1)
    m.output(m.gemm(x, channels, classes), [1, classes])
    return m.model()


def resnet50():
    m = Builder('resnet50')
    x = m.op('Relu', m.conv(m.input('image', [1, 3, 224, 224]), 3, 64, 7, 2))
    x = m.op('MaxPool', x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for width, count, first_stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for index in range(count):
            stride = first_stride if index == 0 else 1
            y = m.op('Relu', m.conv(x, channels, width, 1))
            y = m.op('Relu', m.conv(y, width, width, 3, stride))
            y = m.conv(y, width, 4 * width, 1, gain=0.5)
            x = m.conv(x, channels, 4 * width, 1, stride, gain=1.0) if index == 0 else x
            x, channels = m.op('Relu', m.op('Add', y, x)), 4 * width
    return classify(m, x, channels)


def mobilenet_v2():
    m = Builder('mobilenet_v2')

    def relu6(x):
        return m.op('Clip', x, 0.0, 6.0)

    x, channels = relu6(m.conv(m.input('image', [1, 3, 224, 224]), 3, 32, 3, 2)), 32
    for expansion, filters, count, first_stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                                    (6, 160, 3, 2), (6, 320, 1, 1)):
        for index in range(count):
            stride, width = first_stride if index == 0 else 1, expansion * channels
            y = relu6(m.conv(x, channels, width, 1)) if expansion > 1 else x
            y = m.conv(relu6(m.conv(y, width, width, 3, stride, groups=width)), width, filters, 1)
            x = m.op('Add', x, y) if stride == 1 and channels == filters else y
            channels = filters
    return classify(m, relu6(m.conv(x, channels, 1280, 1)), 1280)


def mobilenet_v3_large():
    m = Builder('mobilenet_v3_large')

    def squeeze_excite(x, width):
        squeezed = max(8, (width // 4 + 4) // 8 * 8)
        y = m.op('Relu', m.conv(m.op('GlobalAveragePool', x), width, squeezed, 1))
        return m.op('Mul', m.op('HardSigmoid', m.conv(y, squeezed, width, 1), alpha=1 / 6), x)

    x, channels = m.op('HardSwish', m.conv(m.input('image', [1, 3, 224, 224]), 3, 16, 3, 2)), 16
    for kernel, width, filters, squeezes, activation, stride in (
            (3, 16, 16, False, 'Relu', 1), (3, 64, 24, False, 'Relu', 2), (3, 72, 24, False, 'Relu', 1),
            (5, 72, 40, True, 'Relu', 2), (5, 120, 40, True, 'Relu', 1), (5, 120, 40, True, 'Relu', 1),
            (3, 240, 80, False, 'HardSwish', 2), (3, 200, 80, False, 'HardSwish', 1), (3, 184, 80, False, 'HardSwish', 1),
            (3, 184, 80, False, 'HardSwish', 1), (3, 480, 112, True, 'HardSwish', 1), (3, 672, 112, True, 'HardSwish', 1),
            (5, 672, 160, True, 'HardSwish', 2), (5, 960, 160, True, 'HardSwish', 1), (5, 960, 160, True, 'HardSwish', 1)):
        y = m.op(activation, m.conv(x, channels, width, 1)) if width != channels else x
        y = m.op(activation, m.conv(y, width, width, kernel, stride, groups=width))
        y = m.conv(squeeze_excite(y, width) if squeezes else y, width, filters, 1, gain=4.0 if squeezes else 1.0)
        x = m.op('Add', y, x) if stride == 1 and channels == filters else y
        channels = filters
    x = m.op('Flatten', m.op('GlobalAveragePool', m.op('HardSwish', m.conv(x, channels, 960, 1))), axis=1)
    m.output(m.gemm(m.op('HardSwish', m.gemm(x, 960, 1280)), 1280, 1000), [1, 1000])
    return m.model()


def convnext_tiny():
    m = Builder('convnext_tiny')

    def norm_channels(x, channels):
        return m.op('Transpose', m.layer_norm(m.op('Transpose', x, perm=TO_NHWC), channels, 1e-6), perm=TO_NCHW)

    channels = 96
    x = norm_channels(m.conv(m.input('image', [1, 3, 224, 224]), 3, channels, 4, 4, pad=0), channels)
    for width, count in ((96, 3), (192, 3), (384, 9), (768, 3)):
        if width != channels:
            x = m.conv(norm_channels(x, channels), channels, width, 2, 2, pad=0)
        channels = width
        for _ in range(count):
            y = m.op('Transpose', m.conv(x, width, width, 7, groups=width), perm=TO_NHWC)
            y = m.op('Transpose', m.feed_forward(m.layer_norm(y, width, 1e-6), width), perm=TO_NCHW)
            x = m.op('Add', m.op('Mul', m.normal(width, 1, 1, deviation=0.2), y), x)
    x = norm_channels(m.op('GlobalAveragePool', x), channels)
    m.output(m.gemm(m.op('Flatten', x, axis=1), channels, 1000), [1, 1000])
    return m.model()


def detector():
    """Makes a detector like YOLOv8n: a feature pyramid, down and up; three grids, each of which predicts boxes and classes."""
    m = Builder('detector')

    def conv(x, channels, filters, kernel=1, stride=1):
        return m.silu(m.conv(x, channels, filters, kernel, stride))

    def concat(*values):
        return m.op('Concat', *values, axis=1)

    def stage(x, channels, filters, count, adds=True):
        half = filters // 2
        parts = m.op('Split', conv(x, channels, filters), [half, half], count=2, axis=1)
        for _ in range(count):
            y = conv(conv(parts[-1], half, half, 3), half, half, 3)
            parts.append(m.op('Add', parts[-1], y) if adds else y)
        return conv(concat(*parts), (2 + count) * half, filters)

    def upsample(x):
        return m.op('Resize', x, '', np.array([1, 1, 2, 2], np.float32), mode='nearest', nearest_mode='floor',
                    coordinate_transformation_mode='asymmetric')

    x = conv(m.input('image', [1, 3, 320, 320]), 3, 16, 3, 2)
    x = stage(conv(x, 16, 32, 3, 2), 32, 32, 1)
    fine = stage(conv(x, 32, 64, 3, 2), 64, 64, 2)
    middle = stage(conv(fine, 64, 128, 3, 2), 128, 128, 2)
    x = conv(stage(conv(middle, 128, 256, 3, 2), 256, 256, 1), 256, 128)
    pools = [x]
    for _ in range(3):
        pools.append(m.op('MaxPool', pools[-1], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4))
    coarse = conv(concat(*pools), 512, 256)
    middle = stage(concat(upsample(coarse), middle), 384, 128, 1, False)
    fine = stage(concat(upsample(middle), fine), 192, 64, 1, False)
    middle = stage(concat(conv(fine, 64, 64, 3, 2), middle), 192, 128, 1, False)
    coarse = stage(concat(conv(middle, 128, 128, 3, 2), coarse), 384, 256, 1, False)
    for x, channels, size in ((fine, 64, 40), (middle, 128, 20), (coarse, 256, 10)):
        boxes = m.conv(conv(conv(x, channels, 64, 3), 64, 64, 3), 64, 64, 1)
        classes = m.conv(conv(conv(x, channels, 80, 3), 80, 80, 3), 80, 80, 1)
        m.output(m.op('Concat', boxes, classes, axis=1, name=f'grid{size}'), [1, 144, size, size])
    return m.model()


# Transformers.

def vit_small():
    m = Builder('vit_small')
    width, count, length = 384, 6, 197
    x = m.conv(m.input('image', [1, 3, 224, 224]), 3, width, 16, 16, pad=0)
    x = m.op('Transpose', m.op('Reshape', x, [1, width, length - 1]), perm=[0, 2, 1])
    x = m.op('Concat', m.normal(1, 1, width, deviation=0.02), x, axis=1)
    x = m.op('Add', x, m.normal(1, length, width, deviation=0.02))
    for _ in range(12):
        y = m.linear(m.layer_norm(x, width, 1e-6), width, 3 * width)
        y = m.op('Transpose', m.op('Reshape', y, [1, length, 3, count, width // count]), perm=[2, 0, 3, 1, 4])
        query, key, value = (m.op('Gather', y, index, axis=0) for index in range(3))
        x = m.op('Add', x, m.linear(m.attend(query, key, value, length, width, width // count), width, width))
        x = m.op('Add', x, m.feed_forward(m.layer_norm(x, width, 1e-6), width))
    x = m.op('Gather', m.layer_norm(x, width, 1e-6), 0, axis=1)
    m.output(m.gemm(x, width, 1000), [1, 1000])
    return m.model()


def whisper_tiny_encoder():
    m = Builder('whisper_tiny_encoder')
    width, count, length = 384, 6, 1500
    x = m.gelu(m.conv(m.input('mel', [1, 80, 3000]), 80, width, 3, rank=1))
    x = m.op('Transpose', m.gelu(m.conv(x, width, width, 3, 2, rank=1)), perm=[0, 2, 1])
    x = m.op('Add', x, m.normal(length, width, deviation=0.1))
    for _ in range(4):
        x = m.op('Add', x, m.attention(m.layer_norm(x, width), length, width, count))
        x = m.op('Add', x, m.feed_forward(m.layer_norm(x, width), width))
    m.output(m.layer_norm(x, width), [1, length, width])
    return m.model()


def diffusion_block():
    """Makes a block of a U-Net for images: one level down with self-attention and cross-attention to a text, then up again."""
    m = Builder('diffusion_block')
    narrow, wide, embedding_width, low, high = 160, 320, 1280, 32, 64

    def group_norm(x, channels, size, epsilon=1e-5):
        x = m.op('Reshape', x, [1, 32, -1])
        x = m.op('InstanceNormalization', x, np.ones(32, np.float32), np.zeros(32, np.float32), epsilon=epsilon)
        x = m.op('Mul', m.op('Reshape', x, [1, channels, size, size]), m.normal(channels, 1, 1, deviation=0.02, mean=1.0))
        return m.op('Add', x, m.normal(channels, 1, 1, deviation=0.02))

    def residual(x, channels, filters, size):
        y = m.conv(m.silu(group_norm(x, channels, size)), channels, filters, 3)
        shift = m.gemm(m.silu(embedding), embedding_width, filters)
        y = m.op('Add', y, m.op('Unsqueeze', m.op('Unsqueeze', shift, [2]), [3]))
        y = m.conv(m.silu(group_norm(y, filters, size)), filters, filters, 3)
        return m.op('Add', m.conv(x, channels, filters, 1) if channels != filters else x, y)

    def transformer(x):
        y = m.conv(group_norm(x, wide, low, 1e-6), wide, wide, 1, gain=1.0)
        y = m.op('Reshape', m.op('Transpose', y, perm=TO_NHWC), [1, low * low, wide])
        for context in (None, (text, 77, 768)):
            y = m.op('Add', m.attention(m.layer_norm(y, wide), low * low, wide, 8, context, (False, False, False)), y)
        z = m.linear(m.layer_norm(y, wide), wide, 8 * wide)
        z, gate = m.op('Split', z, [4 * wide, 4 * wide], count=2, axis=-1)
        y = m.op('Add', m.linear(m.op('Mul', z, m.gelu(gate)), 4 * wide, wide), y)
        y = m.op('Transpose', m.op('Reshape', y, [1, low, low, wide]), perm=TO_NCHW)
        return m.op('Add', m.conv(y, wide, wide, 1, gain=1.0), x)

    sample = m.input('sample', [1, narrow, high, high])
    step, text = m.input('timestep', [1, 1]), m.input('text', [1, 77, 768])
    frequencies = np.exp(-np.log(10000) * np.arange(narrow // 2) / (narrow // 2)).astype(np.float32)
    angles = m.op('Mul', step, frequencies[None])
    embedding = m.op('Concat', m.op('Cos', angles), m.op('Sin', angles), axis=-1)
    embedding = m.gemm(m.silu(m.gemm(embedding, narrow, embedding_width)), embedding_width, embedding_width)
    skip = residual(sample, narrow, narrow, high)
    x = transformer(residual(m.conv(skip, narrow, narrow, 3, 2), narrow, wide, low))
    x = m.op('Resize', x, '', np.array([1, 1, 2, 2], np.float32), mode='nearest', nearest_mode='floor',
             coordinate_transformation_mode='asymmetric')
    x = m.op('Concat', m.conv(x, wide, wide, 3), skip, axis=1)
    m.output(residual(x, wide + narrow, narrow, high), [1, narrow, high, high])
    return m.model()


def extend_cache(m, layer, key, value, count, past, size):
    """Returns a layer's cached keys and values with the new keys and values appended. The cache is an input, the longer cache an
    output."""
    for kind, new in (('key', key), ('value', value)):
        old = m.input(f'past.{layer}.{kind}', [1, count, past, size])
        yield m.op('Concat', old, new, axis=2, name=f'present.{layer}.{kind}')
        m.output(f'present.{layer}.{kind}', [1, count, past + 1, size])


def gpt_step():
    """Makes one step of a decoder like GPT-2: computes the next token's scores from a token and the cache of all earlier
    tokens."""
    m = Builder('gpt_step')
    width, count, past, words = 768, 12, 512, 50257

    def gemm(x, inputs, outputs):
        y = m.op('Gemm', m.op('Reshape', x, [-1, inputs]), m.normal(inputs, outputs, deviation=inputs ** -0.5),
                 m.normal(outputs, deviation=0.02))
        return m.op('Reshape', y, [1, 1, outputs])

    def gelu(x):
        inner = m.op('Add', x, m.op('Mul', m.op('Pow', x, 3.0), 0.044715))
        tanh = m.op('Tanh', m.op('Mul', inner, (2 / np.pi) ** 0.5))
        return m.op('Mul', m.op('Mul', x, 0.5), m.op('Add', tanh, 1.0))

    token, position = m.input('token', [1, 1], INT64), m.input('position', [1, 1], INT64)
    embedding = m.value(m.normal(words, width, deviation=width ** -0.5), 'embedding')  # the output layer uses it, too
    x = m.op('Add', m.op('Gather', embedding, token), m.op('Gather', m.normal(1024, width, deviation=0.02), position))
    for layer in range(6):
        y = m.op('Split', gemm(m.layer_norm(x, width), width, 3 * width), [width] * 3, count=3, axis=2)
        query, key, value = (m.heads(one, 1, count, width // count) for one in y)
        key, value = extend_cache(m, layer, key, value, count, past, width // count)
        x = m.op('Add', gemm(m.attend(query, key, value, 1, width, width // count), width, width), x)
        x = m.op('Add', x, gemm(gelu(gemm(m.layer_norm(x, width), width, 4 * width)), 4 * width, width))
    m.output(m.op('MatMul', m.layer_norm(x, width), m.op('Transpose', embedding, perm=[1, 0]), name='logits'), [1, 1, words])
    return m.model()


def llama_int4_step():
    """Makes one step of a decoder like LLaMA, without the embedding; weights have 4 bits, with a scale for each block of 32."""
    m = Builder('llama_int4_step')
    width, count, shared, size, hidden, past = 2048, 16, 4, 128, 5632, 256

    def linear(x, inputs, outputs):
        packed = m.random.randint(0, 256, (outputs, inputs // 32, 16)).astype(np.uint8)
        scales = np.abs(m.normal(outputs * inputs // 32, deviation=0.02, mean=0.2)) * np.float32(inputs ** -0.5)
        return m.op('MatMulNBits', x, packed, scales, K=inputs, N=outputs, bits=4, block_size=32, domain='com.microsoft')

    def rms_norm(x):
        root = m.op('Sqrt', m.op('Add', m.op('ReduceMean', m.op('Pow', x, 2.0), axes=[-1]), 1e-5))
        return m.op('Mul', m.normal(width, deviation=0.02, mean=1.0), m.op('Mul', x, m.op('Reciprocal', root)))

    def rotate(x):
        halves = [m.op('Slice', x, [start], [end], [3], [1]) for start, end in ((0, size // 2), (size // 2, size))]
        turned = m.op('Concat', m.op('Neg', halves[1]), halves[0], axis=-1)
        return m.op('Add', m.op('Mul', x, cosine), m.op('Mul', turned, sine))

    def repeat(x):
        x = m.op('Expand', m.op('Unsqueeze', x, [2]), [1, shared, count // shared, past + 1, size])
        return m.op('Reshape', x, [1, count, past + 1, size])

    x, position = m.input('hidden', [1, 1, width]), m.input('position', [1, 1], INT64)
    frequencies = (10000.0 ** (-np.arange(0, size, 2) / size)).astype(np.float32)
    angles = m.op('MatMul', frequencies[None, :, None], m.op('Cast', m.op('Unsqueeze', position, [1]), to=FLOAT))
    angles = m.op('Transpose', angles, perm=[0, 2, 1])
    angles = m.op('Concat', angles, angles, axis=-1)
    cosine, sine = (m.op('Unsqueeze', m.op(kind, angles), [1]) for kind in ('Cos', 'Sin'))
    for layer in range(4):
        y = rms_norm(x)
        query = rotate(m.heads(linear(y, width, width), 1, count, size))
        key = rotate(m.heads(linear(y, width, shared * size), 1, shared, size))
        value = m.heads(linear(y, width, shared * size), 1, shared, size)
        key, value = (repeat(one) for one in extend_cache(m, layer, key, value, shared, past, size))
        x = m.op('Add', x, linear(m.attend(query, key, value, 1, width, size), width, width))
        y = rms_norm(x)
        y = m.op('Mul', m.silu(linear(y, width, hidden)), linear(y, width, hidden))
        x = m.op('Add', x, linear(y, hidden, width))
    m.output(rms_norm(x), [1, 1, width])
    return m.model()


def mlp_gemv():
    """Makes eight products of a vector and a matrix. Together, the matrices exceed the processor's caches, so memory bandwidth
    limits the speed."""
    m = Builder('mlp_gemv')
    x = m.input('input', [1, 2048])
    for _ in range(8):
        x = m.op('Relu', m.linear(x, 2048, 2048))
    m.output(x, [1, 2048])
    return m.model()


# Quantized networks.

def quantized(model, activations):
    """Quantizes a model by onnxruntime, as QuantizeLinear and DequantizeLinear pairs, after calibration with random images."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Images(CalibrationDataReader):
        def __init__(self):
            random = np.random.RandomState(1)
            shape = [size.dim_value for size in model.graph.input[0].type.tensor_type.shape.dim]
            self.images = iter([{'image': random.random_sample(shape).astype(np.float32)} for _ in range(4)])

        def get_next(self):
            return next(self.images, None)

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'model.onnx'
        quantize_static(model, path, Images(), QuantFormat.QDQ, per_channel=True, weight_type=QuantType.QInt8,
                        activation_type=QuantType.from_string(activations))
        return onnx.load(path)


def resnet50_qdq():
    return quantized(resnet50(), 'QUInt8')


def mobilenet_v2_qdq():
    return quantized(mobilenet_v2(), 'QUInt8')


def mobilenet_v2_qdq_int8():
    return quantized(mobilenet_v2(), 'QInt8')


def mobilenet_v3_large_qdq():
    return quantized(mobilenet_v3_large(), 'QUInt8')


def detector_qdq():
    return quantized(detector(), 'QUInt8')


def vit_small_qdq():
    return quantized(vit_small(), 'QUInt8')


MODELS = {make.__name__: make for make in (
    resnet50, mobilenet_v2, mobilenet_v3_large, convnext_tiny, detector, vit_small, whisper_tiny_encoder, diffusion_block,
    gpt_step, llama_int4_step, mlp_gemv, resnet50_qdq, mobilenet_v2_qdq, mobilenet_v2_qdq_int8,
    mobilenet_v3_large_qdq, detector_qdq, vit_small_qdq)}


def main():
    if len(sys.argv) == 1 or not set(sys.argv[2:]) <= MODELS.keys():
        sys.exit(f'{__doc__.strip()}\n\nNames: {" ".join(MODELS)}')
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or MODELS:
        onnx.save(MODELS[name](), folder / f'{name}.onnx')


if __name__ == '__main__':
    main()
