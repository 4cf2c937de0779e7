"""Checks that networks of 1 to 4 spatial dimensions compute what ONNX Runtime does without optimizations.

usage: random_volumes_test.py COUNT [--seed SEED]

The networks are chains of convolutions, transposed convolutions, pools, normalizations and element-wise operations, with
concatenations, slices and transposes between them, so that values with channels last meet operations that need them first. The
differences to ONNX Runtime must be rounding errors of float32. Its optimizations are off, because they fuse Pad and MaxPool,
although padding with zeros differs from absent elements.
"""

import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require("numpy", "onnx", "onnxruntime")
require_webnn()
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import webnn  # noqa: E402

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

TOLERANCE = 2e-5  # relative to the largest element
MOST_ELEMENTS = 200_000


class Network:
    """A random network. `nodes` is empty if no operation fitted."""

    def __init__(self, random):
        self.random = random
        self.rank = self.pick([1, 2, 3, 3, 3, 4])
        self.shape = [self.pick([1, 1, 2]), self.pick([1, 3, 4, 8, 16]), *self.sizes(3, 9)]
        self.given = list(self.shape)
        self.name = "x"
        self.constants, self.nodes, self.values = [], [], []
        # If true, a transposed convolution with one infinite weight comes last, if possible. The weight must change only the outputs
        # whose sums contain it.
        self.ends_infinite = random.random() < 0.2
        kinds = [self.convolve, self.convolve, self.convolve_transposed, self.pool, self.activate, self.normalize, self.combine]
        kinds += [self.concatenate, self.average, self.slice, self.pad, self.transpose]
        for _ in range(random.integers(1, 8)):
            self.pick(kinds)()
        if self.ends_infinite:
            self.convolve_transposed(infinite=True)
        others = [name for name, _ in self.values[:-1] if random.random() < 0.15]
        self.outputs = [name for name, _ in self.values[-1:]] + others

    def pick(self, choices):
        return choices[self.random.integers(len(choices))]

    def sizes(self, first, end):
        return [int(size) for size in self.random.integers(first, end, self.rank)]

    def constant(self, array):
        self.constants.append(numpy_helper.from_array(array, f"c{len(self.constants)}"))
        return self.constants[-1].name

    def floats(self, *shape):
        return self.constant(self.random.standard_normal(shape).astype(np.float32))

    def apply(self, kind, inputs, shape, **attributes):
        """Appends a node whose first input is the network's last value."""
        if min(shape) < 1 or np.prod(shape) > MOST_ELEMENTS:
            return
        output = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [self.name, *inputs], [output], **attributes))
        self.name, self.shape = output, [int(size) for size in shape]
        self.values.append((output, self.shape))

    def window(self, kernels):
        return (
            np.array([self.pick(kernels) for _ in range(self.rank)]),
            np.array([self.pick([1, 1, 2]) for _ in range(self.rank)]),
            np.array([self.pick([1, 1, 1, 2]) for _ in range(self.rank)]),
            self.random.integers(0, 3, 2 * self.rank),
        )

    def weights(self, channels, *shape):
        bias = [self.floats(channels)] if self.random.random() < 0.6 else []
        return [self.floats(*shape), *bias]

    def convolve(self):
        kernel, strides, dilations, pads = self.window([1, 1, 2, 3, 3, 5])
        if self.random.random() < 0.3:
            kernel[:], strides[:], pads[:] = 1, 1, 0
        channels = self.shape[1]
        groups = self.pick([1, 1, channels, 2 - channels % 2])
        outputs = groups * self.pick([1, 2, 5, 8, 24])
        padded = np.array(self.shape[2:]) + pads[: self.rank] + pads[self.rank :]
        sizes = (padded - (kernel - 1) * dilations - 1) // strides + 1
        inputs = self.weights(outputs, outputs, channels // groups, *kernel)
        shape = [self.shape[0], outputs, *sizes]
        self.apply("Conv", inputs, shape, group=groups, strides=strides, dilations=dilations, pads=pads)

    def convolve_transposed(self, *, infinite=False):
        if self.rank > 3:  # ONNX Runtime has none with 4 spatial dimensions
            return
        kernel, strides, dilations, pads = self.window([1, 2, 2, 3, 4])
        pads = np.minimum(pads, np.tile((kernel - 1) * dilations, 2))
        more = self.random.integers(0, strides)
        channels = self.shape[1]
        groups = self.pick([1, 1, channels])
        outputs = self.pick([1, 2, 4])
        cropped = pads[: self.rank] + pads[self.rank :]
        sizes = (np.array(self.shape[2:]) - 1) * strides + (kernel - 1) * dilations + 1 + more - cropped
        inputs = self.weights(outputs * groups, channels, outputs, *kernel)
        if infinite:
            weights = self.random.standard_normal((channels, outputs, *kernel)).astype(np.float32)
            weights.flat[self.random.integers(weights.size)] = np.inf
            inputs[0] = self.constant(weights)
        attributes = {"strides": strides, "dilations": dilations, "pads": pads, "output_padding": more}
        self.apply("ConvTranspose", inputs, [self.shape[0], outputs * groups, *sizes], group=groups, **attributes)

    def pool(self):
        if self.rank > 3:
            return
        kernel, strides, _, pads = self.window([1, 2, 3])
        pads = np.minimum(pads, np.tile(kernel - 1, 2))
        sizes = (np.array(self.shape[2:]) + pads[: self.rank] + pads[self.rank :] - kernel) // strides + 1
        kind = self.pick(["MaxPool", "AveragePool"])
        more = {"count_include_pad": self.pick([0, 1])} if kind == "AveragePool" else {}
        self.apply(kind, [], [*self.shape[:2], *sizes], kernel_shape=kernel, strides=strides, pads=pads, **more)

    def activate(self):
        kinds = ["Relu", "LeakyRelu", "HardSwish", "PRelu"]
        # ONNX Runtime rounds a sigmoid of large negative numbers to 0. Its product with an infinite weight would be NaN.
        kind = self.pick(kinds if self.ends_infinite else [*kinds, "Sigmoid"])
        slope = [self.floats(self.shape[1], *[1] * self.rank)] if kind == "PRelu" else []
        self.apply(kind, slope, self.shape)

    def normalize(self):
        channels = self.shape[1]
        variance = self.constant(self.random.uniform(0.1, 2, channels).astype(np.float32))
        statistics = [self.floats(channels), self.floats(channels), self.floats(channels), variance]
        self.apply("BatchNormalization", statistics, self.shape)

    def combine(self):
        same = [name for name, shape in self.values if shape == self.shape]
        ones = [1] * self.rank
        shapes = [(self.shape[1], *ones), (1, 1, *ones), (), self.shape[-1:], (1, self.shape[1], *self.shape[2:])]
        other = self.pick(same) if same and self.random.random() < 0.6 else self.floats(*self.pick(shapes))
        self.apply(self.pick(["Add", "Mul", "Sub"]), [other], self.shape)

    def concatenate(self):
        axis = int(self.random.integers(1, self.rank + 2))

        def rest(shape):
            return [size for i, size in enumerate(shape) if i != axis]

        fitting = [(name, shape) for name, shape in self.values if rest(shape) == rest(self.shape)]
        if fitting:
            name, other = self.pick(fitting)
            shape = list(self.shape)
            shape[axis] += other[axis]
            self.apply("Concat", [name], shape, axis=axis)

    def average(self):
        axes = sorted({int(axis) for axis in self.random.integers(1, self.rank + 2, 2)})
        shape = [1 if i in axes else size for i, size in enumerate(self.shape)]
        self.apply("ReduceMean", [], shape, axes=axes, keepdims=1)

    def slice(self):
        axis = int(self.random.integers(1, self.rank + 2))
        shape = list(self.shape)
        shape[axis] -= 1
        self.apply("Slice", [self.constant(np.array([n])) for n in (1, self.shape[axis], axis)], shape)

    def pad(self):
        begin, end = self.random.integers(0, 2, (2, self.rank))
        amounts = self.constant(np.concatenate([[0, 0], begin, [0, 0], end]))
        self.apply("Pad", [amounts], [*self.shape[:2], *(np.array(self.shape[2:]) + begin + end)])

    def transpose(self):
        order = list(range(self.rank + 2))
        i, j = self.random.integers(1, self.rank + 2, 2)
        order[i], order[j] = order[j], order[i]
        self.apply("Transpose", [], [self.shape[axis] for axis in order], perm=order)

    def model(self):
        shapes = dict(self.values)
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in self.outputs]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.given)]
        used = {name for node in self.nodes for name in node.input}
        constants = [constant for constant in self.constants if constant.name in used]
        graph = helper.make_graph(self.nodes, "volumes", inputs, outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def difference(network, random, context):
    """Returns the first difference from ONNX Runtime as text, or webnn's error; None if all results agree."""
    model, given = (network.model(), {"x": random.standard_normal(network.given).astype(np.float32)})
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    expected = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(network.outputs, given)
    try:
        actual = webnn.InferenceSession(model, context=context).run(network.outputs, given)
    except webnn.Error as error:
        return str(error)
    for name, want, got in zip(network.outputs, expected, actual, strict=True):
        if got.shape != want.shape:
            return f"{name}: the shape is {got.shape} and not {want.shape}"
        finite = np.isfinite(want)
        if not np.array_equal(got[~finite], want[~finite], equal_nan=True):
            return f"{name}: other elements are infinite or NaN"
        largest = np.abs(want[finite]).max(initial=1)
        error = np.abs(got[finite] - want[finite]).max(initial=0)
        if not error <= TOLERANCE * largest:
            return f"{name}: {error} of {largest}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    context = webnn.ML().create_context(backend="cpu")
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        random = np.random.default_rng(seed)
        network = Network(random)
        if network.nodes and (problem := difference(network, random, context)):
            failed += 1
            print(f"--seed {seed} ({', '.join(node.op_type for node in network.nodes)}): {problem}", flush=True)
    print(f"{options.count} networks, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
