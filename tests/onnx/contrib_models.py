#!/usr/bin/env python3
"""Writes small models of the com.microsoft operators that libwebnn imports, and of experimental operators that ONNX no longer has,
with the results of ONNX Runtime. contrib_attention.py writes models of the attention operators.

    contrib_models.py OUT [NAME_PART]

writes OUT/<name>/model.onnx and OUT/<name>/test_data_set_0/{input,output}_<n>.pb, the layout of ONNX's node tests, for all
cases with NAME_PART in their names. Needs onnx, onnxruntime and numpy. The same versions write the same bytes.

A function for each operator yields its cases:

    @operator("FusedMatMul")
    def fused_matmul(random):
        yield Case("alpha", [random.normal(2, 3), random.normal(3, 4)], dict(alpha=0.5))
"""

import dataclasses
import pathlib
import sys
import zlib

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper

# {operator: function that yields its cases}
OPERATORS = {}


class Constant:
    """An operand that is an initializer of the model, not an input."""

    def __init__(self, array):
        self.array = np.asarray(array)


@dataclasses.dataclass
class Case:
    """A model of one node."""

    name: str  # appended to the operator's name
    operands: list  # arrays, Constants, and None for absent operands
    attributes: dict = dataclasses.field(default_factory=dict)
    outputs: list = dataclasses.field(default_factory=lambda: [np.float32])  # the outputs' types; None for absent outputs
    domain: str = "com.microsoft"


class Random:
    """Random arrays, the same in each run."""

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)

    def normal(self, *shape, dtype=np.float32):
        return self.generator.standard_normal(shape).astype(dtype)

    def uniform(self, low, high, *shape, dtype=np.float32):
        return self.generator.uniform(low, high, shape).astype(dtype)

    def integers(self, low, high, *shape, dtype=np.int32):
        """Returns random integers from low to high - 1."""
        return self.generator.integers(low, high, shape).astype(dtype)


def operator(name):
    def register(function):
        OPERATORS[name] = function
        return function

    return register


def element_type(dtype):
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def model_of(op_type, case):
    """Returns the model of `case`, and {name: array} of its inputs."""
    inputs, initializers, names = {}, [], []
    for index, operand in enumerate(case.operands):
        name = f"x{index}" if operand is not None else ""
        names.append(name)
        if isinstance(operand, Constant):
            initializers.append(numpy_helper.from_array(operand.array, name))
        elif operand is not None:
            inputs[name] = np.asarray(operand)
    outputs = [f"y{index}" if dtype is not None else "" for index, dtype in enumerate(case.outputs)]
    node = helper.make_node(op_type, names, outputs, domain=case.domain, **case.attributes)
    graph = helper.make_graph(
        [node],
        op_type,
        [helper.make_tensor_value_info(name, element_type(array.dtype), array.shape) for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, element_type(dtype), None) for name, dtype in zip(outputs, case.outputs) if name],
        initializers,
    )
    opsets = [helper.make_opsetid("", 21 if case.domain else 7), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="contrib_models"), inputs


def run(model, inputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def write(folder, op_type, case):
    model, inputs = model_of(op_type, case)
    results = run(model, inputs)
    for info, result in zip(model.graph.output, results):
        info.CopyFrom(helper.make_tensor_value_info(info.name, element_type(result.dtype), result.shape))
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    for kind, names, arrays in (
        ("input", inputs.keys(), inputs.values()),
        ("output", [info.name for info in model.graph.output], results),
    ):
        for index, (name, array) in enumerate(zip(names, arrays)):
            (data / f"{kind}_{index}.pb").write_bytes(numpy_helper.from_array(array, name).SerializeToString(deterministic=True))


# Matrix products


@operator("FusedMatMul")
def fused_matmul(random):
    yield Case("alpha", [random.normal(2, 3), random.normal(3, 4)], dict(alpha=0.5))
    yield Case("transposed", [random.normal(2, 4, 3), random.normal(2, 5, 4)], dict(transA=1, transB=1))
    batches = dict(transBatchA=1, transBatchB=1, transB=1)
    yield Case("batches_transposed", [random.normal(3, 2, 4), random.normal(5, 2, 4)], batches)


@operator("TransposeMatMul")
def transpose_matmul(random):
    yield Case("left", [random.normal(4, 3), random.normal(4, 2)], dict(transA=1, alpha=2.0))


@operator("FusedGemm")
def fused_gemm(random):
    operands = [random.normal(3, 4), random.normal(4, 5), random.normal(5)]
    yield Case("relu", operands, dict(activation="Relu"))
    yield Case("leaky_relu", operands, dict(activation="LeakyRelu", activation_alpha=0.25, alpha=0.5, beta=2.0))
    yield Case("transposed", [random.normal(4, 3), random.normal(5, 4), None], dict(activation="Tanh", transA=1, transB=1))


def packed(values, bits):
    """Packs integers below 2**bits into bytes along the last dimension; the first integer is in the lowest bits."""
    per_byte = 8 // bits
    rest = -values.shape[-1] % per_byte
    values = np.pad(values.astype(np.uint32), [(0, 0)] * (values.ndim - 1) + [(0, rest)])
    groups = values.reshape(*values.shape[:-1], -1, per_byte)
    return (groups << (np.arange(per_byte, dtype=np.uint32) * bits)).sum(-1).astype(np.uint8)


@operator("MatMulBnb4")
def matmul_bnb4(random):
    def case(name, k, n, block_size, kind, batch=(2,)):
        weights = random.integers(0, 256, (n * k + 1) // 2, dtype=np.uint8)
        scale = random.uniform(0.1, 0.5, -(-n * k // block_size))
        operands = [random.normal(*batch, k), Constant(weights), Constant(scale)]
        return Case(name, operands, dict(K=k, N=n, block_size=block_size, quant_type=kind))

    yield case("fp4", 32, 5, 16, 0)
    yield case("nf4", 32, 5, 16, 1)
    yield case("nf4_one_row", 64, 48, 64, 1, batch=(1, 1))
    yield case("nf4_blocks_that_span_rows", 24, 7, 64, 1, batch=(2, 3))
    yield case("fp4_odd", 17, 3, 16, 0)


@operator("MatMulNBits")
def matmul_nbits(random):
    def case(name, k, n, bits, block_size, zero_point=None, bias=False, dtype=np.float32, batch=(2,)):
        blocks = -(-k // block_size)
        weights = packed(random.integers(0, 1 << bits, n, blocks, block_size), bits)
        scale = random.uniform(0.1, 0.5, n, blocks, dtype=dtype)
        points = None
        if zero_point == "integer":
            points = Constant(packed(random.integers(0, 1 << bits, n, blocks), bits))
        elif zero_point == "float":
            points = Constant(random.uniform(0, (1 << bits) - 1, n, blocks, dtype=dtype))
        operands = [random.normal(*batch, k, dtype=dtype), Constant(weights), Constant(scale), points]
        if bias:
            operands += [None, Constant(random.normal(n, dtype=dtype))]
        return Case(name, operands, dict(K=k, N=n, bits=bits, block_size=block_size, accuracy_level=1), [dtype])

    yield case("4_bits", 32, 5, 4, 16)
    yield case("4_bits_zero_points", 64, 5, 4, 16, "integer")
    yield case("4_bits_odd_blocks", 48, 3, 4, 16, "integer", batch=(2, 3))
    yield case("4_bits_short_block", 40, 3, 4, 32, "integer", bias=True)
    yield case("4_bits_float_zero_points", 32, 5, 4, 16, "float")
    yield case("8_bits", 32, 5, 8, 16)
    yield case("8_bits_zero_points", 48, 5, 8, 32, "integer")
    yield case("2_bits", 32, 5, 2, 16)
    yield case("2_bits_zero_points", 64, 5, 2, 16, "integer")


# Quantized matrix products


def quantized(random, *shape, dtype=np.uint8):
    """Returns random 8-bit numbers. Signed numbers have 7 bits, because ONNX Runtime's sums of two products saturate at 16 bits
    on processors without VNNI."""
    if dtype == np.int8:
        return random.integers(-64, 64, *shape, dtype=dtype)
    return random.integers(0, 256, *shape, dtype=dtype)


def scalar(value, dtype=np.float32):
    return Constant(np.array(value, dtype))


@operator("DynamicQuantizeMatMul")
def dynamic_quantize_matmul(random):
    columns = [Constant(random.uniform(0.01, 0.05, 4)), Constant(quantized(random, 4))]
    yield Case("per_column", [random.normal(2, 3), Constant(quantized(random, 3, 4)), *columns, Constant(random.normal(4))])
    yield Case("signed", [random.normal(2, 5, 3), Constant(quantized(random, 3, 4, dtype=np.int8)), scalar(0.02)])


@operator("MatMulIntegerToFloat")
def matmul_integer_to_float(random):
    scales = [scalar(0.02), Constant(random.uniform(0.01, 0.05, 4))]
    points = [scalar(131, np.uint8), Constant(quantized(random, 4, dtype=np.int8))]
    operands = [quantized(random, 2, 3), Constant(quantized(random, 3, 4, dtype=np.int8)), *scales]
    yield Case("no_zero_points", operands)
    yield Case("zero_points", operands + points + [Constant(random.normal(4))])


@operator("QGemm")
def qgemm(random):
    a, b = quantized(random, 2, 3), Constant(quantized(random, 3, 4, dtype=np.int8))
    left = [a, scalar(0.02), scalar(120, np.uint8)]
    right = [b, Constant(random.uniform(0.01, 0.05, 4)), Constant(np.zeros(4, np.int8))]
    bias = Constant(random.integers(-1000, 1000, 4))
    yield Case("float", left + right + [bias, None, None])
    yield Case("quantized", left + right + [bias, scalar(0.05), scalar(100, np.uint8)], outputs=[np.uint8])
    transposed = [Constant(quantized(random, 4, 3, dtype=np.int8)), scalar(0.03), scalar(2, np.int8)]
    result = [scalar(0.05), scalar(100, np.uint8)]
    yield Case("transposed", left + transposed + [None] + result, dict(transB=1, alpha=0.5), [np.uint8])


@operator("FusedConv")
def fused_conv(random):
    operands = [random.normal(1, 2, 5, 6), random.normal(3, 2, 3, 3), random.normal(3)]
    yield Case("relu", operands, dict(activation="Relu", pads=[1, 0, 1, 2]))
    yield Case("clip_and_sum", operands + [random.normal(1, 3, 3, 4)], dict(activation="Clip", activation_params=[-1.0, 1.5]))


@operator("QLinearConv")
def qlinear_conv(random):
    image = [quantized(random, 1, 5, 6, 2), scalar(0.02), scalar(120, np.uint8)]
    filters = [Constant(quantized(random, 3, 2, 3, 3, dtype=np.int8)), Constant(random.uniform(0.01, 0.05, 3))]
    filters.append(Constant(np.zeros(3, np.int8)))
    result = [scalar(0.1), scalar(110, np.uint8), Constant(random.integers(-500, 500, 3))]
    yield Case("channels_last", image + filters + result, dict(channels_last=1, pads=[1, 1, 1, 1], strides=[2, 1]), [np.uint8])


@operator("CausalConvWithState")
def causal_conv_with_state(random):
    inputs = [random.normal(2, 3, 5), random.normal(3, 1, 4), random.normal(3), random.normal(2, 3, 3)]
    yield Case("state", inputs, dict(activation="silu"), [np.float32, np.float32])
    yield Case("no_state", inputs[:2], {}, [np.float32, np.float32])


# Normalizations


@operator("SkipLayerNormalization")
def skip_layer_normalization(random):
    shape = (2, 3, 8)
    operands = [random.normal(*shape), random.normal(*shape), random.normal(8), random.normal(8), random.normal(8)]
    yield Case("bias", operands, dict(epsilon=1e-5), [np.float32, None, None, np.float32])
    yield Case("plain", operands[:3])
    yield Case("broadcast_skip", [operands[0], random.normal(1, 3, 8), operands[2], operands[3]])


@operator("SkipSimplifiedLayerNormalization")
def skip_simplified_layer_normalization(random):
    shape = (2, 3, 8)
    operands = [random.normal(*shape), random.normal(*shape), random.normal(8), random.normal(8)]
    yield Case("bias", operands, dict(epsilon=1e-5), [np.float32, None, None, np.float32])
    yield Case("plain", operands[:3])


@operator("EmbedLayerNormalization")
def embed_layer_normalization(random):
    words, segments = random.integers(0, 10, 2, 4), random.integers(0, 2, 2, 4)
    tables = [Constant(random.normal(10, 8)), Constant(random.normal(6, 8)), Constant(random.normal(2, 8))]
    scale = [Constant(random.normal(8)), Constant(random.normal(8))]
    mask = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)
    yield Case("mask", [words, segments, *tables, *scale, mask], {}, [np.float32, np.int32, np.float32])
    positions = random.integers(0, 6, 2, 4)
    yield Case("positions", [words, None, *tables[:2], None, *scale, None, positions], {}, [np.float32, np.int32])


@operator("QEmbedLayerNormalization")
def qembed_layer_normalization(random):
    words, segments = random.integers(0, 10, 2, 4), random.integers(0, 2, 2, 4)
    values = [random.integers(0, 256, *shape, dtype=np.uint8) for shape in ((10, 8), (6, 8), (2, 8), (8,), (8,))]
    tables = [Constant(array) for array in values]
    scales = [Constant(np.float32(scale)) for scale in (0.02, 0.03, 0.01, 0.008, 0.005)]
    points = [Constant(np.uint8(point)) for point in (120, 128, 7, 3, 131)]
    mask = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)
    yield Case("mask", [words, segments, *tables, mask, *scales, *points], {}, [np.float32, np.int32])
    signed = [Constant((array.astype(np.int16) - 128).astype(np.int8)) for array in values]
    rest = [*scales[:2], None, *scales[3:], *(Constant(np.int8(point)) for point in (-3, 4)), None, *(Constant(np.int8(0)),) * 2]
    yield Case("signed", [words, None, *signed[:2], None, *signed[3:], None, *rest], dict(epsilon=1e-5), [np.float32, np.int32])


# Element-wise operators on quantized tensors


def quantized_input(random, *shape, dtype=np.uint8, scale=0.02, zero_point=None):
    """Returns an operand, its scale and its zero point."""
    point = int(random.integers(-10, 10)) + (128 if dtype == np.uint8 else 0) if zero_point is None else zero_point
    return [quantized(random, *shape, dtype=dtype), scalar(scale), scalar(point, dtype)]


def binary(random, scale):
    """Yields the cases of a binary operator. Choose a `scale`, such as 0.0613, so that no quotient is nearly half way between two
    integers: rounding errors would decide the quantized result."""
    operands = quantized_input(random, 2, 3, 4) + quantized_input(random, 3, 1, scale=0.05)
    yield Case("broadcast", operands + [scalar(scale), scalar(120, np.uint8)], {}, [np.uint8])
    operands = quantized_input(random, 2, 4, dtype=np.int8) + quantized_input(random, 2, 4, dtype=np.int8)
    yield Case("signed", operands + [scalar(scale), scalar(-5, np.int8)], {}, [np.int8])


@operator("QLinearAdd")
def qlinear_add(random):
    yield from binary(random, 0.0613)


@operator("QLinearMul")
def qlinear_mul(random):
    yield from binary(random, 0.0871)


@operator("QLinearSigmoid")
def qlinear_sigmoid(random):
    yield Case("unsigned", quantized_input(random, 3, 5, scale=0.05) + [scalar(1 / 256), scalar(0, np.uint8)], {}, [np.uint8])


@operator("QLinearLeakyRelu")
def qlinear_leaky_relu(random):
    operands = quantized_input(random, 3, 5, dtype=np.int8) + [scalar(0.02), scalar(-100, np.int8)]
    yield Case("signed", operands, dict(alpha=0.25), [np.int8])


@operator("QLinearAveragePool")
def qlinear_average_pool(random):
    result = [scalar(0.015), scalar(128, np.uint8)]
    attributes = dict(kernel_shape=[3, 2], pads=[1, 0, 1, 0], strides=[2, 1])
    yield Case("pads", quantized_input(random, 1, 3, 5, 6) + result, attributes, [np.uint8])
    yield Case("channels_last", quantized_input(random, 1, 5, 6, 3) + result, dict(channels_last=1, **attributes), [np.uint8])


@operator("QLinearGlobalAveragePool")
def qlinear_global_average_pool(random):
    result = [scalar(0.01), scalar(128, np.uint8)]
    yield Case("channels_first", quantized_input(random, 2, 3, 5, 6) + result, dict(channels_last=0), [np.uint8])
    yield Case("channels_last", quantized_input(random, 2, 5, 6, 3) + result, dict(channels_last=1), [np.uint8])


@operator("QLinearSoftmax")
def qlinear_softmax(random):
    result = [scalar(1 / 256), scalar(0, np.uint8)]
    yield Case("axis", quantized_input(random, 2, 3, 4) + result, dict(opset=13, axis=1), [np.uint8])
    yield Case("flattened", quantized_input(random, 2, 3, 4) + result, dict(opset=12, axis=1), [np.uint8])


@operator("QLinearConcat")
def qlinear_concat(random):
    parts = quantized_input(random, 2, 3) + quantized_input(random, 2, 4, scale=0.03)
    yield Case("axis", [scalar(0.025), scalar(125, np.uint8)] + parts, dict(axis=1), [np.uint8])


@operator("QLinearWhere")
def qlinear_where(random):
    condition = random.integers(0, 2, 2, 3).astype(bool)
    parts = quantized_input(random, 2, 3) + quantized_input(random, 3, scale=0.03)
    yield Case("broadcast", [condition] + parts + [scalar(0.025), scalar(125, np.uint8)], {}, [np.uint8])


@operator("QuantizeLinear")
def quantize_linear(random):
    operands = [random.normal(2, 3, 4), Constant(random.uniform(0.01, 0.05, 3)), Constant(quantized(random, 3))]
    yield Case("axis", operands, dict(axis=1), [np.uint8])


@operator("DequantizeLinear")
def dequantize_linear(random):
    operands = [quantized(random, 2, 3, 4), Constant(random.uniform(0.01, 0.05, 3)), Constant(quantized(random, 3))]
    yield Case("axis", operands, dict(axis=-2))
    yield Case("int32", [random.integers(-1000, 1000, 2, 3), scalar(0.5)])


# Other operators


@operator("NhwcMaxPool")
def nhwc_max_pool(random):
    image = random.integers(0, 256, 1, 6, 7, 3, dtype=np.uint8)
    yield Case("unsigned", [image], dict(kernel_shape=[2, 2], strides=[2, 2]), [np.uint8])
    padded = dict(kernel_shape=[3, 3], strides=[2, 1], pads=[1, 1, 1, 1], dilations=[1, 2])
    yield Case("padded", [random.integers(-128, 128, 2, 7, 6, 5, dtype=np.int8)], padded, [np.int8])


@operator("CDist")
def cdist(random):
    a, b = random.normal(5, 3), random.normal(4, 3)
    yield Case("squares", [a, b])
    yield Case("constant", [a, Constant(b)], dict(metric="euclidean"))


@operator("ExpandDims")
def expand_dims(random):
    yield Case("first", [random.normal(2, 3), Constant(np.array(0, np.int32))])
    yield Case("last", [random.normal(2, 3), Constant(np.array(-1, np.int32))])


@operator("Trilu")
def trilu(random):
    yield Case("upper", [random.normal(2, 4, 5)])
    yield Case("lower", [random.normal(4, 5), Constant(np.array(1, np.int64))], dict(upper=0))


@operator("GridSample")
def grid_sample(random):
    image, grid = random.normal(1, 2, 5, 6), random.uniform(-1.2, 1.2, 1, 3, 4, 2)
    yield Case("bilinear", [image, grid])
    yield Case("nearest", [image, grid], dict(mode="nearest", padding_mode="border", align_corners=1))


@operator("GatherND")
def gather_nd(random):
    yield Case("rows", [random.normal(3, 4, 2), Constant(np.array([[0, 1], [2, 3]], np.int64))])


# Experimental operators of ONNX


def former(name, operand, **attributes):
    return Case(name, [operand], attributes, domain="")


@operator("Affine")
def affine(random):
    yield former("numbers", random.normal(2, 3), alpha=0.5, beta=2.0)


@operator("ParametricSoftplus")
def parametric_softplus(random):
    yield former("numbers", random.normal(2, 3), alpha=0.5, beta=2.0)


@operator("ScaledTanh")
def scaled_tanh(random):
    yield former("numbers", random.normal(2, 3), alpha=0.5, beta=2.0)


@operator("Scale")
def scale(random):
    yield former("number", random.normal(2, 3), scale=0.5)


@operator("ImageScaler")
def image_scaler(random):
    yield former("channels", random.normal(2, 3, 4, 5), scale=0.5, bias=[0.5, -1.0, 2.0])


@operator("Crop")
def crop(random):
    yield former("border", random.normal(2, 3, 6, 7), border=[1, 2, 3, 1])
    yield former("sizes", random.normal(2, 3, 6, 7), border=[1, 2, 0, 0], scale=[3, 4])



def main(out, part=""):
    for op_type, function in OPERATORS.items():
        # Each operator has a separate seed, so that its cases do not change when other operators are added or removed.
        for case in function(Random(zlib.crc32(op_type.encode()))):
            name = f"{op_type}_{case.name}"
            if part in name:
                write(pathlib.Path(out) / name, op_type, case)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
