"""Random chains of quantized operators. A seed makes the same model each time.

All scales are powers of 2, and sums are small enough for float32, so that each step is exact in any order and in any fusion: results
must be equal to those of ONNX Runtime. Only operators that round (Sigmoid, Softmax and means), which end a chain, may differ by one unit.
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

DOMAIN = 'com.microsoft'
SIZES = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33]
MOST_ELEMENTS = 30000


class Value:
    """A value of the chain: its name, its shape, and for quantized values scale and zero point as numbers."""

    def __init__(self, name, shape, scale=None, zero=None, dtype=np.float32):
        self.name, self.shape, self.scale, self.zero, self.dtype = name, tuple(shape), scale, zero, np.dtype(dtype)

    def is_float(self):
        return self.dtype == np.float32


class ChainModel:
    """A chain. `feeds` holds the inputs of each run, `near` the outputs that may differ by one unit."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.inputs, self.initializers = [], [], []
        self.feeds, self.outputs, self.near, self.count = [{}], {}, set(), 0
        self.is_open = self.chance(0.3)
        if self.is_open:
            self.feeds.append({})
        value = self.first()
        steps = int(self.random.integers(2, 9))
        for _ in range(steps):
            kinds = self.float_steps(value) if value.is_float() else self.quantized_steps(value)
            value = self.pick(kinds)(value)
            if self.chance(0.15):
                self.output(value)
            if np.prod(value.shape) > MOST_ELEMENTS:
                break
        if not value.is_float() and len(value.shape) > 1 and self.chance(0.15):
            value = self.pick([self.sigmoid, self.softmax, self.mean])(value)
            self.near.add(value.name)
        self.output(value)

    # Random parts.

    def chance(self, probability):
        return bool(self.random.random() < probability)

    def pick(self, values):
        return values[int(self.random.integers(len(values)))]

    def scale(self):
        """Returns a power of 2."""
        return float(2.0 ** self.random.integers(-6, 2))

    def integers(self, shape, dtype):
        limits = np.iinfo(dtype)
        if self.chance(0.1):
            return self.random.choice(np.array([limits.min, limits.max], dtype), shape).astype(dtype)
        return self.random.integers(limits.min, limits.max + 1, shape).astype(dtype)

    def weights(self, shape, dtype):
        """Returns integers. int8 weights have 7 bits: on processors without VNNI, ONNX Runtime's sums of larger products saturate."""
        return self.random.integers(-64, 64, shape).astype(dtype) if dtype == np.int8 else self.integers(shape, dtype)

    def zero(self, dtype, shape=()):
        if self.chance(0.3):
            return np.zeros(shape, dtype)
        return self.integers(shape, dtype)

    # Parts of models.

    def constant(self, array, may_vary=True):
        """Adds an initializer, or at times an input. Returns its name."""
        array, name = np.asarray(array), self.new()
        if may_vary and self.chance(0.08):
            self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
            for feed in self.feeds:
                feed[name] = array
        else:
            self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def new(self):
        self.count += 1
        return f'v{self.count}'

    def node(self, op, inputs, outputs=1, domain='', **attributes):
        names = [self.new() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def output(self, value):
        if any(value.name in one.output for one in self.nodes):
            self.outputs[value.name] = value.dtype

    def first(self):
        """Adds the input: a matrix, a batch of matrices or an image, of floats or 8-bit integers."""
        rank = self.pick([2, 3, 3, 4, 4])
        shape = [self.pick([1, 2, 3])] + [self.pick(SIZES[:8] if rank == 4 else SIZES) for _ in range(rank - 1)]
        if rank == 4:
            shape[1] = self.pick([1, 2, 3, 4, 8, 16])
        dtype = self.pick([np.float32, np.float32, np.uint8, np.int8])
        name = self.new()
        declared = ['n', *shape[1:]] if self.is_open else shape
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), declared))
        for i, feed in enumerate(self.feeds):
            own = [shape[0] + 2 * i, *shape[1:]]
            feed[name] = self.random.integers(-512, 513, own).astype(np.float32) / 64 if dtype == np.float32 else self.integers(own, dtype)
        if dtype == np.float32:
            return Value(name, shape)
        return Value(name, shape, self.scale(), int(self.zero(dtype)), dtype)

    def parameters(self, value):
        """Returns the names of constants with the scale and the zero point of a quantized value."""
        return [self.constant(np.float32(value.scale)), self.constant(np.asarray(value.zero, value.dtype))]

    def target(self, shape, dtype=None):
        """Returns a quantized value without a name, and the names of its parameters."""
        dtype = np.dtype(dtype or self.pick([np.uint8, np.int8]))
        value = Value('', shape, self.scale(), int(self.zero(dtype)), dtype)
        return value, self.parameters(value)

    def even_target(self, value, shape=None):
        """Returns a target of the value's type for an operator of com.microsoft. Its zero point is even: ONNX Runtime adds the zero
        point before it rounds, which matters for numbers halfway between two integers if the zero point is odd."""
        result = Value('', value.shape if shape is None else shape, self.scale(), int(self.zero(value.dtype)) // 2 * 2, value.dtype)
        return result, self.parameters(result)

    # Steps from floats.

    def float_steps(self, value):
        steps = [self.quantize, self.quantize, self.quantize, self.relu, self.add, self.move]
        steps += [self.quantize_dynamically] * (len(value.shape) in (2, 3))
        steps += [self.quantize_by_axis]
        return steps

    def quantize(self, value):
        result, names = self.target(value.shape)
        if self.chance(0.1):
            result.zero, result.dtype = 0, np.dtype(np.uint8)
            names = [self.constant(np.float32(result.scale))]
        result.name = self.node('QuantizeLinear', [value.name, *names])
        return result

    def quantize_by_axis(self, value):
        """Adds QuantizeLinear and DequantizeLinear with parameters for each index of an axis whose size is fixed."""
        axis = int(self.random.integers(1, len(value.shape)))
        size, dtype = value.shape[axis], np.dtype(self.pick([np.uint8, np.int8]))
        scales = self.constant(2.0 ** self.random.integers(-6, 2, size).astype(np.float32))
        zeros = self.constant(self.zero(dtype, size))
        at = axis if self.chance(0.5) else axis - len(value.shape)
        integers = self.node('QuantizeLinear', [value.name, scales, zeros], axis=at)
        if self.chance(0.2):
            self.outputs[integers] = dtype
        return Value(self.node('DequantizeLinear', [integers, scales, zeros], axis=at), value.shape)

    def relu(self, value):
        if self.chance(0.5):
            return Value(self.node('Relu', [value.name]), value.shape)
        low, high = (self.constant(np.float32(x), False) for x in (-self.random.integers(0, 5), self.random.integers(1, 7)))
        return Value(self.node('Clip', [value.name, low, high]), value.shape)

    def add(self, value):
        shape = self.pick([value.shape[-1:], (), (1, *value.shape[1:])])
        other = self.constant(self.random.integers(-256, 257, shape).astype(np.float32) / 32)
        return Value(self.node('Add', self.pick([[value.name, other], [other, value.name]])), value.shape)

    def move(self, value):
        """Adds an operator that only moves elements, of floats or integers."""
        made = Value('', value.shape, value.scale, value.zero, value.dtype)
        kind = self.pick(['Transpose', 'Reshape', 'Slice', 'Concat', 'MaxPool'])
        shape = value.shape
        if kind == 'Transpose':
            order = [0, *(int(i) + 1 for i in self.random.permutation(len(shape) - 1))]
            made.name, made.shape = self.node('Transpose', [value.name], perm=order), tuple(shape[i] for i in order)
        elif kind == 'Reshape' and len(shape) > 2:
            made.shape = (shape[0], shape[1] * shape[2], *shape[3:])
            made.name = self.node('Reshape', [value.name, self.constant(np.array([-1, *made.shape[1:]]), False)])
        elif kind == 'Slice' and shape[-1] > 1:
            first = int(self.random.integers(0, shape[-1] - 1))
            ends = [self.constant(np.array([number]), False) for number in (first, shape[-1], len(shape) - 1)]
            made.name, made.shape = self.node('Slice', [value.name, *ends]), (*shape[:-1], shape[-1] - first)
        elif kind == 'MaxPool' and len(shape) == 4 and min(shape[2:]) > 1:
            step = self.pick([1, 2])
            made.name = self.node('MaxPool', [value.name], kernel_shape=[2, 2], strides=[step, step])
            made.shape = (*shape[:2], *((size - 2) // step + 1 for size in shape[2:]))
        else:
            made.name = self.node('Concat', [value.name, value.name], axis=len(shape) - 1)
            made.shape = (*shape[:-1], 2 * shape[-1])
        return made

    def quantize_dynamically(self, value):
        """Adds DynamicQuantizeLinear of floats whose extremes make its scale a power of 2, and a product of integers or DequantizeLinear."""
        scale, zero = self.scale(), int(self.random.integers(0, 256))
        low, high = np.float32(-zero * scale), np.float32((255 - zero) * scale)
        clipped = self.node('Clip', [value.name, self.constant(low, False), self.constant(high, False)])
        # Rows of extremes, which Expand gives the batch of the value.
        flat = self.node('Reshape', [clipped, self.constant(np.array([-1, value.shape[-1]]), False)])
        ends = np.resize(np.array([low, high], np.float32), (2, value.shape[-1]))
        ends[0, 0], ends[1, 0] = low, high
        rows = self.node('Concat', [flat, self.constant(ends, False)], axis=0)
        count = int(np.prod(value.shape[:-1])) + 2
        integers, scales, zeros = self.node('DynamicQuantizeLinear', [rows], 3)
        if self.chance(0.2):
            self.outputs |= {integers: np.dtype(np.uint8), scales: np.dtype(np.float32), zeros: np.dtype(np.uint8)}
        if self.chance(0.35):
            return Value(self.node('DequantizeLinear', [integers, scales, zeros]), (count, value.shape[-1]))
        product, columns = self.integer_product(integers, zeros, value.shape[-1])
        floats = self.node('Cast', [product], to=TensorProto.FLOAT)
        floats = self.node('Mul', [floats, scales])
        factor = 2.0 ** self.random.integers(-8, -3, self.pick([(), columns])).astype(np.float32)
        return Value(self.node('Mul', [floats, self.constant(factor)]), (count, columns))

    def integer_product(self, name, zero, depth):
        """Adds MatMulInteger. Returns the name of the product and its number of columns."""
        columns, dtype = self.pick(SIZES), np.dtype(self.pick([np.uint8, np.int8]))
        operands = [name, self.constant(self.weights((depth, columns), dtype)), zero]
        if self.chance(0.7):
            operands.append(self.constant(self.zero(dtype, self.pick([(), columns]))))
        return self.node('MatMulInteger', operands), columns

    # Steps from integers.

    def quantized_steps(self, value):
        steps = [self.dequantize, self.dequantize, self.binary, self.move, self.leaky_relu, self.multiply, self.multiply]
        steps += [self.multiply_integers] + [self.concat] * (len(value.shape) > 1)
        if len(value.shape) == 3:
            steps += [self.convolve, self.convolve_integers]
        if len(value.shape) == 4:
            steps += [self.convolve] * 4 + [self.convolve_integers, self.average, self.global_average]
        return steps

    def dequantize(self, value):
        return Value(self.node('DequantizeLinear', [value.name, *self.parameters(value)]), value.shape)

    def multiply(self, value):
        """Adds QLinearMatMul with a scale and a zero point for the weights, or for each column."""
        depth, columns, dtype = value.shape[-1], self.pick(SIZES), np.dtype(self.pick([np.int8, value.dtype]))
        shape = self.pick([(), (columns,)])
        scales = 2.0 ** self.random.integers(-8, -3, shape).astype(np.float32)
        weights = [self.weights((depth, columns), dtype), scales, self.zero(dtype, shape)]
        result, names = self.target((*value.shape[:-1], columns), value.dtype)
        own = [value.name, *self.parameters(value), *map(self.constant, weights)]
        result.name = self.node('QLinearMatMul', [*own, *names])
        return result

    def multiply_integers(self, value):
        """Adds MatMulInteger and the product with a scale."""
        zero = self.constant(np.asarray(value.zero, value.dtype))
        product, columns = self.integer_product(value.name, zero, value.shape[-1])
        if self.chance(0.2):
            self.outputs[product] = np.dtype(np.int32)
        floats = self.node('Cast', [product], to=TensorProto.FLOAT)
        factor = value.scale * 2.0 ** self.random.integers(-8, -3, self.pick([(), columns])).astype(np.float32)
        return Value(self.node('Mul', [floats, self.constant(np.float32(factor))]), (*value.shape[:-1], columns))

    def window(self, shape):
        """Returns the attributes of a convolution of an image, and the spatial sizes of its result."""
        kernel = [int(self.random.integers(1, min(4, size + 1))) for size in shape[2:]]
        strides = [self.pick([1, 1, 2, 3]) for _ in kernel]
        pads = [int(self.random.integers(0, size)) for size in kernel * 2]
        ends = pads[len(kernel) :]
        sizes = [(n + pads[i] + ends[i] - kernel[i]) // strides[i] + 1 for i, n in enumerate(shape[2:])]
        return dict(kernel_shape=kernel, strides=strides, pads=pads), sizes

    def filters(self, value, dtype):
        """Returns random filters with groups, the attribute group, and the number of output channels."""
        channels = value.shape[1]
        group = self.pick([1, 1, channels] + [2] * (channels % 2 == 0))
        outputs = group * self.pick([1, 1, 2, 3, 5])
        attributes, sizes = self.window(value.shape)
        filters = self.weights((outputs, channels // group, *attributes['kernel_shape']), dtype)
        return filters, attributes | {'group': group}, (value.shape[0], outputs, *sizes)

    def convolve(self, value):
        """Adds QLinearConv with a scale for the filters or for each output channel, and at times a bias."""
        dtype = np.dtype(self.pick([np.int8, value.dtype]))
        filters, attributes, shape = self.filters(value, dtype)
        per = self.pick([(), (shape[1],)])
        scales = 2.0 ** self.random.integers(-8, -3, per).astype(np.float32)
        zeros = np.zeros(per, dtype) if per else self.zero(dtype)
        result, names = self.target(shape, value.dtype)
        bias = [self.constant(self.random.integers(-2000, 2001, shape[1]).astype(np.int32), False)] if self.chance(0.5) else []
        own = [value.name, *self.parameters(value), *map(self.constant, (filters, scales, zeros))]
        result.name = self.node('QLinearConv', [*own, *names, *bias], **attributes)
        return result

    def convolve_integers(self, value):
        filters, attributes, shape = self.filters(value, np.dtype(self.pick([np.uint8, np.int8])))
        zeros = [self.constant(np.asarray(value.zero, value.dtype)), self.constant(self.zero(filters.dtype))][: self.pick([1, 2])]
        product = self.node('ConvInteger', [value.name, self.constant(filters), *zeros], **attributes)
        if self.chance(0.2):
            self.outputs[product] = np.dtype(np.int32)
        floats = self.node('Cast', [product], to=TensorProto.FLOAT)
        factor = self.constant(np.float32(value.scale * 2.0 ** self.random.integers(-8, -3)))
        return Value(self.node('Mul', [floats, factor]), shape)

    def binary(self, value):
        """Adds QLinearAdd or QLinearMul with a constant or with the value itself."""
        result, names = self.even_target(value)
        own = [value.name, *self.parameters(value)]
        if self.chance(0.3):
            other = own
        else:
            shape = self.pick([value.shape[-1:], (), (1, *value.shape[1:])])
            operand = Value('', shape, self.scale(), int(self.zero(value.dtype)), value.dtype)
            other = [self.constant(self.integers(shape, value.dtype)), *self.parameters(operand)]
        result.name = self.node(self.pick(['QLinearAdd', 'QLinearMul']), [*own, *other, *names], domain=DOMAIN)
        return result

    def leaky_relu(self, value):
        result, names = self.even_target(value)
        inputs = [value.name, *self.parameters(value), *names]
        result.name = self.node('QLinearLeakyRelu', inputs, domain=DOMAIN, alpha=self.pick([0.5, 0.125, 0.0]))
        return result

    def concat(self, value):
        result, names = self.even_target(value, (*value.shape[:-1], 2 * value.shape[-1]))
        other = self.binary(value)
        operands = [value.name, *self.parameters(value), other.name, *self.parameters(other)]
        result.name = self.node('QLinearConcat', [*names, *operands], domain=DOMAIN, axis=len(value.shape) - 1)
        return result

    def average(self, value):
        """Adds QLinearAveragePool of 1, 2 or 4 elements."""
        kernel = [self.pick([1, 2]) if size > 1 else 1 for size in value.shape[2:]]
        result, names = self.even_target(value, (*value.shape[:2], *(size - k + 1 for size, k in zip(value.shape[2:], kernel))))
        inputs = [value.name, *self.parameters(value), *names]
        result.name = self.node('QLinearAveragePool', inputs, domain=DOMAIN, kernel_shape=kernel)
        return result

    def global_average(self, value):
        """Adds QLinearGlobalAveragePool of a power of 2 of elements; otherwise a step that only moves elements."""
        count = int(np.prod(value.shape[2:]))
        if count & (count - 1):
            return self.move(value)
        result, names = self.even_target(value, (*value.shape[:2], 1, 1))
        inputs = [value.name, *self.parameters(value), *names]
        result.name = self.node('QLinearGlobalAveragePool', inputs, domain=DOMAIN, channels_last=0)
        return result

    # Steps that round, and end a chain.

    def sigmoid(self, value):
        result, names = self.even_target(value)
        result.name = self.node('QLinearSigmoid', [value.name, *self.parameters(value), *names], domain=DOMAIN)
        return result

    def softmax(self, value):
        result, names = self.even_target(value)
        inputs = [value.name, *self.parameters(value), *names]
        result.name = self.node('QLinearSoftmax', inputs, domain=DOMAIN, axis=len(value.shape) - 1, opset=13)
        return result

    def mean(self, value):
        result, names = self.even_target(value, (*value.shape[:-1], 1))
        inputs = [value.name, *self.parameters(value), *names]
        result.name = self.node('QLinearReduceMean', inputs, domain=DOMAIN, axes=[len(value.shape) - 1], keepdims=1)
        return result

    def model_bytes(self):
        outputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), None) for name, dtype in self.outputs.items()
        ]
        graph = helper.make_graph(self.nodes, 'chain', self.inputs, outputs, self.initializers)
        opsets = [helper.make_opsetid('', 18), helper.make_opsetid(DOMAIN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()

    def __str__(self):
        return ' '.join(one.op_type for one in self.nodes)
