"""Computes ML Programs with NumPy, by Apple's documentation of MIL's operations (coremltools.converters.mil.mil.ops.defs).

The evaluator does not use coremltools to read the protobuf's values and the file of weights. Behaviour that the documentation
forbids or leaves open is an error: indices out of range, operands of different types, casts of floats beyond the type's range,
and shapes that cannot be broadcast.
"""
import math
import struct

import numpy as np

TYPES = {1: np.bool_, 2: str, 10: np.float16, 11: np.float32, 21: np.int8, 23: np.int32, 25: 'int4', 31: np.uint8, 33: np.uint32,
         35: 'uint4'}
CASTS = {'fp16': np.float16, 'fp32': np.float32, 'int32': np.int32, 'bool': np.bool_, 'int8': np.int8, 'uint8': np.uint8}
WEIGHTS = {1: np.float16, 2: np.float32, 3: np.uint8, 4: np.int8, 8: 'int4', 11: 'uint4', 14: np.int32}


def unpack_nibbles(raw, count, signed):
    bytes_ = np.frombuffer(raw, np.uint8)
    items = np.stack([bytes_ & 15, bytes_ >> 4], axis=1).reshape(-1)[:count].astype(np.int8)
    return np.where(items >= 8, items - 16, items).astype(np.int8) if signed else items.astype(np.uint8)


def from_bytes(raw, dtype, count):
    if isinstance(dtype, str):
        return unpack_nibbles(raw, count, dtype == 'int4')
    return np.frombuffer(raw, dtype, count)


class Weights:
    """The weights file. It contains a header, and for each constant a record with the offset of its bytes."""

    def __init__(self, path):
        self.data = np.memmap(path, np.uint8, 'r') if path.exists() else None
        if self.data is not None and struct.unpack('<II', self.data[:8].tobytes())[1] != 2:
            raise ValueError('the file of weights is not of version 2')

    def read(self, offset, dtype, count):
        sentinel, kind, size, at, padding = struct.unpack('<IIQQQ', self.data[offset:offset + 32].tobytes())
        if sentinel != 0xDEADBEEF or WEIGHTS[kind] != dtype or offset % 64 or at % 64:
            raise ValueError(f'there is no record of {dtype} at {offset}')
        bits = (4 if isinstance(dtype, str) else np.dtype(dtype).itemsize * 8) * count
        if size * 8 - padding != bits:
            raise ValueError(f'the record at {offset} has {size} bytes for {count} elements')
        return from_bytes(self.data[at:at + size].tobytes(), dtype, count)


def shape_of(tensor_type):
    """Returns the declared shape, with None for a dimension of unknown size."""
    return tuple(d.constant.size if d.WhichOneof('dimension') == 'constant' else None for d in tensor_type.dimensions)


def matches(shape, declared):
    return len(shape) == len(declared) and all(d in (None, s) for s, d in zip(shape, declared))


def value_of(value, weights):
    """Converts a MILSpec.Value into an array, a str or a Python bool."""
    tensor = value.type.tensorType
    dtype, shape = TYPES[tensor.dataType], shape_of(tensor)
    count = math.prod(shape)
    if value.WhichOneof('value') == 'blobFileValue':
        if value.blobFileValue.fileName != '@model_path/weights/weight.bin':
            raise ValueError(value.blobFileValue.fileName)
        return weights.read(value.blobFileValue.offset, dtype, count).reshape(shape)
    content = value.immediateValue.tensor
    kind = content.WhichOneof('value')
    if kind == 'strings':
        return content.strings.values[0]
    if kind == 'bytes':
        return from_bytes(content.bytes.values, dtype, count).reshape(shape)
    return np.array(getattr(content, kind).values, dtype).reshape(shape)


# The operations, as functions of their named arguments, and helpers.

def real(function):
    """Wraps a function of floats so that it computes in float64 and rounds once to the type of `x`."""
    def apply(x, **more):
        return np.asarray(function(x.astype(np.float64), **{k: float(v) for k, v in more.items()})).astype(x.dtype)
    return apply


def same_type(x, y):
    if x.dtype != y.dtype:
        raise TypeError(f'{x.dtype} and {y.dtype}')


def binary(function, wide=True):
    def apply(x, y):
        same_type(x, y)
        if x.dtype.kind == 'f' and wide:
            return np.asarray(function(x.astype(np.float64), y.astype(np.float64))).astype(x.dtype)
        return np.asarray(function(x, y)).astype(x.dtype)
    return apply


def comparison(function):
    def apply(x, y):
        same_type(x, y)
        return np.asarray(function(x, y))
    return apply


def power(x, y):
    same_type(x, y)
    if x.dtype.kind == 'f':
        return np.power(x.astype(np.float64), y.astype(np.float64)).astype(x.dtype)
    def one(a, b):
        a, b = int(a), int(b)
        if b < 0:
            return 0 if abs(a) != 1 else a ** (-b)
        return (pow(a, b, 1 << 32) + (1 << 31)) % (1 << 32) - (1 << 31)
    return np.vectorize(one, otypes=[np.int32])(x, y)


erf = np.vectorize(math.erf, otypes=[np.float64])


def softplus(x):
    return np.where(x > 0, x, 0) + np.log1p(np.exp(-np.abs(x)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis=int(axis), keepdims=True))
    return (e / e.sum(axis=int(axis), keepdims=True)).astype(x.dtype)


def gelu(x, mode):
    assert mode == 'EXACT'
    wide = x.astype(np.float64)
    with np.errstate(all='ignore'):
        y = wide * 0.5 * (1 + erf(wide / math.sqrt(2)))
    return y.astype(x.dtype)


def cast(x, dtype):
    to = np.dtype(CASTS[dtype])
    if x.dtype.kind == 'f' and to.kind in 'iu':
        limits = np.iinfo(to)
        whole = np.trunc(x.astype(np.float64))
        if not ((whole >= limits.min) & (whole <= limits.max)).all():
            raise ValueError(f'a cast to {dtype} of what it does not hold')
        return whole.astype(to)
    return x.astype(to)


def positive(sizes):
    if min(sizes) < 1:
        raise ValueError(f'the sizes {sizes} are not positive')
    return [int(s) for s in sizes]


def reshape(x, shape):
    sizes = [int(s) for s in shape]
    if sizes.count(-1) > 1 or min(abs(s) for s in sizes) < 1:
        raise ValueError(f'a reshape to {sizes}')
    return x.reshape(sizes)


def slice_by_index(x, begin, end, stride, end_mask=None):
    ends = [None if end_mask is not None and end_mask[i] else int(e) for i, e in enumerate(end)]
    for size, b, e in zip(x.shape, begin, ends, strict=True):
        if not 0 <= b < (size if e is None else e) <= size:
            raise IndexError(f'a slice from {b} to {e} of {size} elements')
    return x[tuple(slice(int(b), e, int(s)) for b, e, s in zip(begin, ends, stride))]


def split(x, split_sizes, axis):
    return np.split(x, np.cumsum(split_sizes)[:-1], int(axis))


def checked(indices, size):
    if ((indices < -size) | (indices >= size)).any():
        raise IndexError('an index is out of range')
    return indices % size


def range_1d(start, end, step):
    assert start.shape == end.shape == step.shape == ()
    return np.arange(start, end, step, start.dtype)


def gather(x, indices, axis):
    return np.take(x, checked(indices, x.shape[int(axis)]), int(axis))


def gather_along_axis(x, indices, axis):
    return np.take_along_axis(x, checked(indices, x.shape[int(axis)]), int(axis))


def scatter(data, indices, updates, axis, mode):
    assert mode == 'update' and int(axis) == 0
    same_type(data, updates)
    result = data.copy()
    for i, at in enumerate(checked(indices, data.shape[0])):
        result[at] = updates[i]
    return result


def scatter_along_axis(data, indices, updates, axis, mode):
    assert mode == 'update' and indices.shape == updates.shape
    same_type(data, updates)
    axis, result = int(axis), data.copy()
    indices = checked(indices, data.shape[axis])
    for at in np.ndindex(indices.shape):
        to = list(at)
        to[axis] = indices[at]
        result[tuple(to)] = updates[at]
    return result


def pad(x, pad, mode, constant_val):
    assert mode == 'constant' and x.dtype.kind == 'f'
    same_type(x, constant_val)
    widths = [(0, 0)] * (x.ndim - len(pad) // 2) + [(int(pad[i]), int(pad[i + 1])) for i in range(0, len(pad), 2)]
    return np.pad(x, widths, constant_values=constant_val)


def band_part(x, lower, upper):
    i, j = np.indices(x.shape[-2:])
    keep = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
    return np.where(keep, x, x.dtype.type(0))


def cumsum(x, axis, exclusive, reverse):
    axis = int(axis)
    wide = x.astype(np.float64) if x.dtype.kind == 'f' else x
    if reverse:
        wide = np.flip(wide, axis)
    total = np.cumsum(wide, axis, dtype=wide.dtype)
    if exclusive:
        total = np.roll(total, 1, axis)
        first = [slice(None)] * x.ndim
        first[axis] = 0
        total[tuple(first)] = 0
    return (np.flip(total, axis) if reverse else total).astype(x.dtype)


def reduction(function):
    def apply(x, axes, keep_dims):
        wide = x.astype(np.float64) if x.dtype.kind == 'f' else x
        return np.asarray(function(wide, axis=tuple(int(a) for a in axes), keepdims=bool(keep_dims))).astype(x.dtype)
    return apply


def log_sum_exp(x, **how):
    highest = np.max(x, **how)
    finite = np.where(np.isfinite(highest), highest, 0)
    shifted = x - (finite if how['keepdims'] else np.expand_dims(finite, how['axis']))
    return np.log(np.sum(np.exp(shifted), **how)) + finite


def argument(function):
    return lambda x, axis, keep_dims: function(x, axis=int(axis), keepdims=bool(keep_dims)).astype(np.int32)


def transposed_if(x, transpose):
    return np.swapaxes(x, -1, -2) if transpose else x


def matmul(x, y, transpose_x, transpose_y):
    same_type(x, y)
    x, y, dtype = transposed_if(x, transpose_x), transposed_if(y, transpose_y), x.dtype
    return np.matmul(x.astype(np.float64), y.astype(np.float64)).astype(dtype)


def padded_windows(x, kernel, strides, pad, dilations, around):
    """Returns the windows of the image, padded with `around`, as a view [n, c, out_h, out_w, kernel_h, kernel_w]."""
    x = np.pad(x, [(0, 0), (0, 0), (int(pad[0]), int(pad[1])), (int(pad[2]), int(pad[3]))], constant_values=around)
    spans = [(int(k) - 1) * int(d) + 1 for k, d in zip(kernel, dilations)]
    windows = np.lib.stride_tricks.sliding_window_view(x, spans, axis=(2, 3))
    return windows[:, :, ::int(strides[0]), ::int(strides[1]), ::int(dilations[0]), ::int(dilations[1])]


def conv(x, weight, strides, pad_type, pad, dilations, groups, bias=None):
    assert pad_type == 'custom'
    same_type(x, weight)
    groups = int(groups)
    windows = padded_windows(x.astype(np.float64), weight.shape[2:], strides, pad, dilations, 0)
    n, c, h, w = windows.shape[:4]
    o, i = weight.shape[:2]
    columns = windows.reshape(n, groups, c // groups, h, w, -1).transpose(1, 0, 3, 4, 2, 5).reshape(groups, n * h * w, -1)
    filters = weight.astype(np.float64).reshape(groups, o // groups, -1)
    assert columns.shape[2] == filters.shape[2] and i == c // groups
    y = np.matmul(columns, filters.transpose(0, 2, 1)).reshape(groups, n, h, w, o // groups)
    y = y.transpose(1, 0, 4, 2, 3).reshape(n, o, h, w)
    if bias is not None:
        y = y + bias.astype(np.float64).reshape(1, -1, 1, 1)
    return y.astype(x.dtype)


def conv_transpose(x, weight, strides, pad_type, pad, dilations, groups, bias=None):
    assert pad_type == 'custom'
    same_type(x, weight)
    groups = int(groups)
    (n, c, h, w), (i, o, kh, kw) = x.shape, weight.shape
    assert i == c
    (sh, sw), (dh, dw) = (int(s) for s in strides), (int(d) for d in dilations)
    y = np.zeros((n, o * groups, (h - 1) * sh + (kh - 1) * dh + 1, (w - 1) * sw + (kw - 1) * dw + 1))
    parts = x.astype(np.float64).reshape(n, groups, c // groups, h, w)
    filters = weight.astype(np.float64).reshape(groups, c // groups, o, kh, kw)
    for a in range(kh):
        for b in range(kw):
            part = np.einsum('ngihw,gio->ngohw', parts, filters[..., a, b]).reshape(n, groups * o, h, w)
            y[:, :, a * dh:a * dh + (h - 1) * sh + 1:sh, b * dw:b * dw + (w - 1) * sw + 1:sw] += part
    y = y[:, :, int(pad[0]):y.shape[2] - int(pad[1]), int(pad[2]):y.shape[3] - int(pad[3])]
    if bias is not None:
        y = y + bias.astype(np.float64).reshape(1, -1, 1, 1)
    return y.astype(x.dtype)


def max_pool(x, kernel_sizes, strides, pad_type, pad, ceil_mode):
    assert pad_type == 'custom' and not ceil_mode
    return padded_windows(x, kernel_sizes, strides, pad, (1, 1), -np.inf).max(axis=(4, 5))


def avg_pool(x, kernel_sizes, strides, pad_type, pad, ceil_mode, exclude_padding_from_average):
    assert pad_type == 'custom' and not ceil_mode
    total = padded_windows(x.astype(np.float64), kernel_sizes, strides, pad, (1, 1), 0).sum(axis=(4, 5))
    counts = padded_windows(np.ones((1, 1) + x.shape[2:]), kernel_sizes, strides, pad, (1, 1),
                            0 if exclude_padding_from_average else 1).sum(axis=(4, 5))
    if not counts.all():
        raise ValueError('a window is wholly in the padding')
    return (total / counts).astype(x.dtype)


def batch_norm(x, mean, variance, epsilon, gamma=None, beta=None):
    along = [1, -1] + [1] * (x.ndim - 2)
    wide = [None if p is None else p.astype(np.float64).reshape(along) for p in (mean, variance, gamma, beta)]
    y = (x.astype(np.float64) - wide[0]) / np.sqrt(wide[1] + float(epsilon))
    y = y if wide[2] is None else y * wide[2]
    return (y if wide[3] is None else y + wide[3]).astype(x.dtype)


def normalized(x, axes, epsilon):
    x = x.astype(np.float64)
    return (x - x.mean(axis=axes, keepdims=True)) / np.sqrt(x.var(axis=axes, keepdims=True) + float(epsilon))


def instance_norm(x, epsilon, gamma=None, beta=None):
    y, along = normalized(x, tuple(range(2, x.ndim)), epsilon), [1, -1] + [1] * (x.ndim - 2)
    y = y if gamma is None else y * gamma.astype(np.float64).reshape(along)
    return (y if beta is None else y + beta.astype(np.float64).reshape(along)).astype(x.dtype)


def layer_norm(x, axes, epsilon, gamma=None, beta=None):
    axes = tuple(int(a) for a in axes)
    assert axes == tuple(range(x.ndim - len(axes), x.ndim))
    y = normalized(x, axes, epsilon)
    y = y if gamma is None else y * gamma
    return (y if beta is None else y + beta).astype(x.dtype)


def resize_bilinear(x, target_size_height, target_size_width, sampling_mode):
    assert sampling_mode == 'UNALIGN_CORNERS'
    y = x.astype(np.float64)
    for axis, to in ((x.ndim - 2, int(target_size_height)), (x.ndim - 1, int(target_size_width))):
        size = x.shape[axis]
        at = np.clip((np.arange(to) + 0.5) * (size / to) - 0.5, 0, size - 1)
        low = np.floor(at).astype(int)
        high = np.minimum(low + 1, size - 1)
        along = [-1 if i == axis else 1 for i in range(x.ndim)]
        fraction = (at - low).reshape(along)
        y = np.take(y, low, axis) * (1 - fraction) + np.take(y, high, axis) * fraction
    return y.astype(x.dtype)


def upsample_nearest_neighbor(x, scale_factor_height, scale_factor_width):
    return x.repeat(int(scale_factor_height), -2).repeat(int(scale_factor_width), -1)


def constexpr_affine_dequantize(quantized_data, zero_point, scale, axis):
    along = [1] * quantized_data.ndim
    along[int(axis)] = -1
    wide = [p.astype(np.float64).reshape(along) if p.ndim else p.astype(np.float64) for p in (zero_point, scale)]
    return ((quantized_data.astype(np.float64) - wide[0]) * wide[1]).astype(scale.dtype)


def constexpr_blockwise_shift_scale(data, scale, offset):
    assert scale.shape == offset.shape
    wide = [scale.astype(np.float64), offset.astype(np.float64)]
    for axis, (size, blocks) in enumerate(zip(data.shape, scale.shape)):
        assert size % blocks == 0
        wide = [p.repeat(size // blocks, axis) for p in wide]
    return ((data.astype(np.float64) - wide[1]) * wide[0]).astype(scale.dtype)


def select(cond, a, b):
    same_type(a, b)
    return np.where(cond, a, b)


OPERATIONS = {
    'abs': lambda x: np.abs(x), 'add': binary(np.add), 'avg_pool': avg_pool, 'band_part': band_part, 'batch_norm': batch_norm, 'cast': cast,
    'ceil': real(np.ceil), 'clip': real(lambda x, alpha, beta: np.clip(x, alpha, beta)), 'concat': None,
    'constexpr_affine_dequantize': constexpr_affine_dequantize,
    'constexpr_blockwise_shift_scale': constexpr_blockwise_shift_scale, 'conv': conv, 'conv_transpose': conv_transpose,
    'cos': real(np.cos), 'cumsum': cumsum, 'elu': real(lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))),
    'equal': comparison(np.equal), 'erf': real(erf), 'exp': real(np.exp),
    'fill': lambda shape, value: np.full(positive(shape), value), 'floor': real(np.floor),
    'floor_div': binary(np.floor_divide), 'gather': gather, 'gather_along_axis': gather_along_axis, 'gelu': gelu,
    'greater': comparison(np.greater), 'greater_equal': comparison(np.greater_equal), 'identity': lambda x: x,
    'instance_norm': instance_norm, 'layer_norm': layer_norm,
    'leaky_relu': real(lambda x, alpha: np.where(x >= 0, x, alpha * x)), 'less': comparison(np.less),
    'less_equal': comparison(np.less_equal), 'linear_activation': real(lambda x, alpha, beta: alpha * x + beta),
    'log': real(lambda x, epsilon: np.log(x + epsilon)), 'logical_and': comparison(np.logical_and),
    'logical_or': comparison(np.logical_or), 'logical_xor': comparison(np.logical_xor), 'matmul': matmul, 'max_pool': max_pool,
    'maximum': binary(np.maximum), 'minimum': binary(np.minimum), 'mod': binary(np.mod), 'mul': binary(np.multiply),
    'not_equal': comparison(np.not_equal), 'pad': pad, 'pow': power, 'range_1d': range_1d, 'real_div': binary(np.divide),
    'reduce_argmax': argument(np.argmax), 'reduce_argmin': argument(np.argmin),
    'reduce_l1_norm': reduction(lambda x, **how: np.sum(np.abs(x), dtype=x.dtype, **how)),
    'reduce_l2_norm': reduction(lambda x, **how: np.sqrt(np.sum(x * x, **how))),
    'reduce_log_sum': reduction(lambda x, **how: np.log(np.sum(x, **how))), 'reduce_log_sum_exp': reduction(log_sum_exp),
    'reduce_max': reduction(np.max), 'reduce_mean': reduction(np.mean), 'reduce_min': reduction(np.min),
    'reduce_prod': reduction(lambda x, **how: np.prod(x, dtype=x.dtype, **how)),
    'reduce_sum': reduction(lambda x, **how: np.sum(x, dtype=x.dtype, **how)),
    'reduce_sum_square': reduction(lambda x, **how: np.sum(x * x, dtype=x.dtype, **how)),
    'relu': lambda x: np.maximum(x, x.dtype.type(0)), 'reshape': reshape, 'resize_bilinear': resize_bilinear,
    'reverse': lambda x, axes: np.flip(x, [int(a) for a in axes]), 'round': real(np.round), 'scatter': scatter,
    'scatter_along_axis': scatter_along_axis, 'select': select, 'shape': lambda x: np.array(x.shape, np.int32), 'sigmoid': real(sigmoid),
    'sigmoid_hard': real(lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1)), 'sign': lambda x: np.sign(x), 'sin': real(np.sin),
    'slice_by_index': slice_by_index, 'softmax': softmax, 'softplus': real(softplus),
    'softsign': real(lambda x: x / (1 + np.abs(x))), 'split': split, 'squeeze': lambda x, axes: np.squeeze(x, tuple(axes)), 'sqrt': real(np.sqrt), 'sub': binary(np.subtract),
    'tan': real(np.tan), 'tanh': real(np.tanh), 'tile': lambda x, reps: np.tile(x, positive(reps)),
    'transpose': lambda x, perm: np.transpose(x, [int(p) for p in perm]), 'upsample_nearest_neighbor': upsample_nearest_neighbor,
}


class Evaluator:
    """Runs a program. evaluate() takes the arrays by the names of the program's inputs."""

    def __init__(self, spec, weights_path):
        self.weights = Weights(weights_path)
        function = spec.mlProgram.functions['main']
        self.block = function.block_specializations[function.opset]
        self.inputs = {i.name: (TYPES[i.type.tensorType.dataType], shape_of(i.type.tensorType)) for i in function.inputs}

        self.ranges = {i.name: [(r.lowerBound, r.upperBound) for r in i.type.multiArrayType.shapeRange.sizeRanges]
                       for i in spec.description.input}

    def given_shape(self, name, shape):
        """Returns the program's shape for an input of shape `shape` in the graph: a scalar is [1], ranks above 5 are
        flattened."""
        declared = self.inputs[name][1]
        given = tuple(shape) if len(shape) == len(declared) else (math.prod(shape),)
        if not matches(given, declared):
            raise ValueError(f'{name} cannot be {given}')
        return given

    def evaluate(self, inputs):
        values = {}
        for name, (dtype, shape) in self.inputs.items():
            if inputs[name].dtype != dtype or not matches(inputs[name].shape, shape):
                raise TypeError(f'{name} is {inputs[name].dtype}{inputs[name].shape}, not {dtype}{shape}')
            for size, (least, most) in zip(inputs[name].shape, self.ranges[name]):
                if size < least or 0 <= most < size:
                    raise ValueError(f'{name} has the size {size}, which is not between {least} and {most}')
            values[name] = inputs[name]
        with np.errstate(all='ignore'):
            for operation in self.block.operations:
                try:
                    self.run(operation, values)
                except Exception as error:
                    raise type(error)(f'{operation.type} {operation.outputs[0].name}: {error}') from error
        self.values = values
        return {name: values[name] for name in self.block.outputs}

    def argument(self, binding, values):
        return values[binding.name] if binding.WhichOneof('binding') == 'name' else value_of(binding.value, self.weights)

    def run(self, operation, values):
        if operation.type == 'const':
            values[operation.outputs[0].name] = value_of(operation.attributes['val'], self.weights)
            return
        arguments = {key: [self.argument(b, values) for b in value.arguments] for key, value in operation.inputs.items()}
        if operation.type == 'concat':
            assert not arguments['interleave'][0]
            results = np.concatenate(arguments['values'], int(arguments['axis'][0]))
        else:
            results = OPERATIONS[operation.type](**{key: value[0] for key, value in arguments.items()})
        results = results if isinstance(results, list) else [results]
        for output, result in zip(operation.outputs, results, strict=True):
            tensor = output.type.tensorType
            if result.dtype != TYPES[tensor.dataType] or not matches(result.shape, shape_of(tensor)):
                raise TypeError(f'is {result.dtype}{result.shape}, not {TYPES[tensor.dataType].__name__}{shape_of(tensor)}')
            values[output.name] = result
