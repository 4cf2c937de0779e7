"""Random networks with open sizes: a batch n, a length s, and a length p of a second input, such as a decoder's cache."""

import numpy as np

from onnx import TensorProto, helper
from random_numpy.model import Model
from random_numpy.weights import quantized

WORDS = 50


class Network:
    """Each method `block_` adds nodes after `value`, which is of shape [n, s, width], and returns a value of that shape."""

    def __init__(self, seed):
        self.model = Model(seed, (17, 18, 21))
        self.node, self.integers = self.model.node, self.model.integers
        self.width = self.model.pick([3, 4, 8, 13, 16, 32])
        self.x = self.model.input(np.zeros((2, 3, self.width), np.float32), ["n", "s", self.width])
        self.past = self.model.input(np.zeros((2, 4, self.width), np.float32), ["n", "p", self.width])
        self.ids = self.model.input(np.zeros((2, 3), np.int64), ["n", "s"])
        self.names = (self.x, self.past, self.ids)
        blocks = [name for name in dir(self) if name.startswith("block_")]
        chosen = [self.model.pick(blocks) for _ in range(self.model.count(2, 8))]
        self.kinds = " ".join(name.removeprefix("block_") for name in chosen)
        value, outputs = self.x, []
        for name in chosen:
            value = getattr(self, name)(value)
            outputs += [value] if self.model.chance(0.08) else []
        for output in [*outputs, self.node("Identity", value)]:
            self.model.output(self.model.known(output, np.zeros(0, np.float32)))
        if self.model.chance(0.4):
            self.model.shuffle()

    def feed(self, n, s, p):
        shapes = ((n, s, self.width), (n, p, self.width))
        arrays = [self.model.numbers(*shape) for shape in shapes]
        return dict(zip(self.names, [*arrays, self.model.random.integers(0, WORDS, (n, s))], strict=True))

    # Parts of blocks.

    def weights(self, *shape):
        array = self.model.random.standard_normal(shape) / np.sqrt(shape[-2] if len(shape) > 1 else 1)
        return self.model.constant(array.astype(np.float32))

    def swap(self, value):
        return self.node("Transpose", value, perm=[0, 2, 1])

    def size(self, value, axis):
        return self.node("Gather", self.node("Shape", value), self.integers(axis), axis=0)

    def number(self, size):
        return self.node("Squeeze", size, self.integers(0))

    def mean(self, value, axis):
        if self.model.opset >= 18:
            return self.node("ReduceMean", value, self.integers(axis))
        return self.node("ReduceMean", value, axes=[axis])

    def attention(self, value, keys):
        return self.node("MatMul", self.node("Softmax", self.node("MatMul", value, self.swap(keys)), axis=-1), keys)

    # Blocks.

    def block_dense(self, value):
        return self.node("Add", self.node("MatMul", value, self.weights(self.width, self.width)), self.weights(self.width))

    def block_flat_dense(self, value):
        shape = self.node("Concat", self.node("Mul", self.size(value, 0), self.size(value, 1)), self.integers(self.width), axis=0)
        product = self.node("Gemm", self.node("Reshape", value, shape), self.weights(self.width, self.width), self.weights(self.width))
        return self.node("Reshape", product, self.node("Shape", value))

    def block_einsum(self, value):
        return self.node("Einsum", value, self.weights(self.width, self.width), equation="nsd,de->nse")

    def block_quantized(self, value):
        if self.model.opset < 21:
            return self.block_dense(value)
        return self.node("MatMul", value, quantized(self.model, (self.width, self.width), 0.02, constant=1))

    def block_normalize(self, value):
        return self.node("LayerNormalization", value, self.weights(self.width), self.weights(self.width), axis=-1)

    def block_attend(self, value):
        return self.attention(value, self.past)

    def block_append(self, value):
        cache = self.node("Concat", self.past, value, axis=1)
        if self.model.chance(0.5):
            self.model.output(self.model.known(cache, np.zeros(0, np.float32)))
        return self.attention(value, cache)

    def block_heads(self, value):
        heads = self.model.pick([count for count in (1, 2, 4) if self.width % count == 0])
        split = self.integers(0, 0, heads, self.width // heads)
        queries = self.node("Transpose", self.node("Reshape", value, split), perm=[0, 2, 1, 3])
        keys = self.node("Transpose", self.node("Reshape", self.past, split), perm=[0, 2, 3, 1])
        weights = self.node("Softmax", self.node("MatMul", queries, keys), axis=-1)
        sums = self.node("MatMul", weights, self.node("Transpose", keys, perm=[0, 1, 3, 2]))
        return self.node("Reshape", self.node("Transpose", sums, perm=[0, 2, 1, 3]), self.integers(0, 0, self.width))

    def block_embed(self, value):
        return self.node("Add", value, self.node("Gather", self.weights(WORDS, self.width), self.ids, axis=0))

    def block_bag(self, value):
        neighbours = self.node("Add", self.node("Unsqueeze", self.ids, self.integers(2)), self.integers(0, 1, 2))
        rows = self.node("Gather", self.weights(WORDS, self.width), self.node("Mod", neighbours, self.integers(WORDS)), axis=0)
        weights = self.node("Sigmoid", self.node("Slice", value, *(self.integers(i) for i in (0, 3, 2))))
        weighted = self.node("Mul", rows, self.node("Unsqueeze", weights, self.integers(3)))
        return self.node("Add", value, self.node("ReduceSum", weighted, self.integers(2), keepdims=0))

    def block_convolve(self, value):
        size, groups = self.model.pick([3, 5, 9]), self.model.pick([1, self.width])
        weights = self.weights(self.width, self.width // groups, size)
        return self.swap(self.node("Conv", self.swap(value), weights, group=groups, pads=[size // 2] * 2))

    def block_convolve_transposed(self, value):
        return self.swap(self.node("ConvTranspose", self.swap(value), self.weights(self.width, 1, 3), group=self.width, pads=[1, 1]))

    def block_pool(self, value):
        size = self.model.pick([3, 5, 9])
        return self.swap(self.node("MaxPool", self.swap(value), kernel_shape=[size], pads=[size // 2] * 2))

    def block_resize(self, value):
        scales = self.model.constant(np.array([1, 1, 2], np.float32))
        return self.swap(
            self.node("MaxPool", self.node("Resize", self.swap(value), "", scales, mode="linear"), kernel_shape=[2], strides=[2])
        )

    def block_sample(self, value):
        # The positions are those of the input: sampling at computed positions again and again amplifies rounding.
        grid = self.node("Slice", self.node("Tanh", self.x), *(self.integers(i) for i in (0, 2, 2)))
        image, grid = self.node("Unsqueeze", self.swap(value), self.integers(2)), self.node("Unsqueeze", grid, self.integers(1))
        mode = "linear" if self.model.opset >= 20 else "bilinear"
        sampled = self.node("GridSample", image, grid, align_corners=self.model.count(0, 1), mode=mode)
        return self.swap(self.node("Squeeze", sampled, self.integers(2)))

    def block_scatter(self, value):
        places = self.node("Mod", self.ids, self.number(self.size(value, 1)))
        places = self.node("Expand", self.node("Unsqueeze", places, self.integers(2)), self.node("Shape", value))
        if self.model.opset < 18 or self.model.chance(0.5):
            return self.node("GatherElements", value, places, axis=1)
        updates = self.node("Mul", value, self.model.constant(np.float32(0.5)))
        return self.node("ScatterElements", value, places, updates, axis=1, reduction="add")

    def block_one_hot(self, value):
        limits = self.model.constant(np.array([0, 1], np.float32))
        rows = self.node("OneHot", self.node("Mod", self.ids, self.integers(7)), self.integers(7), limits)
        return self.node("Add", value, self.node("MatMul", rows, self.weights(7, self.width)))

    def block_roll(self, value):
        half = self.node("Div", self.size(value, 1), self.integers(2))
        first = self.node("Slice", value, self.integers(0), half, self.integers(1))
        second = self.node("Slice", value, half, self.integers(2**31), self.integers(1))
        return self.node("Concat", second, first, axis=1)

    def block_flip(self, value):
        return self.node("Slice", value, *(self.integers(i) for i in (-1, -(2**62), 1, -1)))

    def block_accumulate(self, value):
        return self.node("CumSum", value, self.integers(1), reverse=self.model.count(0, 1))

    def block_top(self, value):
        count = self.node("Min", self.size(value, 1), self.integers(3))
        return self.node("Add", value, self.mean(self.node("TopK", value, count, outputs=2, axis=1)[0], 1))

    def block_repeat(self, value):
        longer = self.node("Tile", value, self.integers(1, 2, 1))
        return self.node("Slice", longer, self.integers(0), self.size(value, 1), self.integers(1))

    def block_shift(self, value):
        longer = self.node("Pad", value, self.integers(0, 1, 0, 0, 0, 0))
        return self.node("Slice", longer, self.integers(0), self.size(value, 1), self.integers(1))

    def block_softmax(self, value):
        return self.node("Softmax", value, axis=1)

    def block_center(self, value):
        return self.node("Sub", value, self.mean(value, 2))

    def block_positions(self, value):
        operands = [self.model.constant(np.array(0)), self.number(self.size(self.past, 1)), self.model.constant(np.array(1))]
        angles = self.node("Cast", self.node("Range", *operands), to=TensorProto.FLOAT)
        return self.node("Add", value, self.node("ReduceSum", self.node("Cos", angles), self.integers(0), keepdims=0))

    def block_select(self, value):
        mask = self.node("Greater", self.node("Unsqueeze", self.ids, self.integers(2)), self.integers(20))
        return self.node("Where", mask, value, self.x)

    def block_gate(self, value):
        joined = self.node("Concat", value, self.x, axis=2)
        parts = self.node("Split", joined, self.integers(self.width, self.width), outputs=2, axis=2)
        return self.node("Mul", parts[0], self.node("Sigmoid", parts[1]))

    def block_expand(self, value):
        return self.node("Add", value, self.node("Expand", self.weights(1, 1, self.width), self.node("Shape", value)))

    def block_recur(self, value):
        weights = [self.weights(1, 3 * self.width, self.width) for _ in range(2)]
        states = self.node("GRU", self.node("Transpose", value, perm=[1, 0, 2]), *weights, outputs=2, hidden_size=self.width)
        return self.node("Transpose", self.node("Squeeze", states[0], self.integers(1)), perm=[1, 0, 2])

    def block_if(self, value):
        condition, count = self.node("Greater", self.number(self.size(value, 1)), self.model.constant(np.array(6))), len(self.model.nodes)
        branches = {}
        for branch, op in (("then", "Relu"), ("else", "Neg")):
            result = helper.make_tensor_value_info(f"{branch}{count}", TensorProto.FLOAT, None)
            branches[f"{branch}_branch"] = helper.make_graph([helper.make_node(op, [value], [result.name])], branch, [], [result])
        return self.node("If", condition, **branches)

    def block_loop(self, value):
        prefix, info = f"loop{len(self.model.nodes)}_", helper.make_tensor_value_info
        state, result, going, still, i = (prefix + name for name in ("state", "result", "going", "still", "i"))
        nodes = [helper.make_node("Tanh", [state], [prefix + "tanh"]), helper.make_node("Add", [prefix + "tanh", self.x], [result])]
        nodes.append(helper.make_node("Identity", [going], [still]))
        inputs = [info(i, TensorProto.INT64, []), info(going, TensorProto.BOOL, []), info(state, TensorProto.FLOAT, None)]
        outputs = [info(still, TensorProto.BOOL, []), info(result, TensorProto.FLOAT, None)]
        count = self.number(self.node("Min", self.size(value, 1), self.integers(4)))
        return self.node("Loop", count, "", value, body=helper.make_graph(nodes, "body", inputs, outputs))
