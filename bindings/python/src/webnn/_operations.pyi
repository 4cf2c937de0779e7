# Printed by `webnn ops --format=pyi` from the operation table.
from collections.abc import Sequence
from typing import Literal

from webnn._types import OperandLike
from webnn._webnn import MLOperand

OperandDataType = Literal["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4"]
InputOperandLayout = Literal["nchw", "nhwc"]
RoundingType = Literal["floor", "ceil"]
Conv2dFilterOperandLayout = Literal["oihw", "hwio", "ohwi", "ihwo"]
ConvTranspose2dFilterOperandLayout = Literal["iohw", "hwoi", "ohwi"]
RecurrentNetworkDirection = Literal["forward", "backward", "both"]
GruWeightLayout = Literal["zrn", "rzn"]
RecurrentNetworkActivation = Literal["relu", "sigmoid", "tanh"]
LstmWeightLayout = Literal["iofg", "ifgo"]
PaddingMode = Literal["constant", "edge", "reflection"]
InterpolationMode = Literal["nearest-neighbor", "linear"]

class Operations:
    def abs(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the absolute value.

            input: float32, float16, int32, int64 or int8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.abs([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs
"""
    def add(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """a + b.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.add([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add
"""
    def arg_max(self, input: OperandLike, axis: int, keep_dimensions: bool = False, output_data_type: OperandDataType = "int32", *, label: str = "") -> MLOperand:
        """Returns the index of the greatest value along an axis.

            input: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 1 to 8
            axis: dimension to search along
            keep_dimensions: whether reduced dimensions remain, with size 1
            output_data_type: data type of the output, int32 or int64
            label: names the operation in errors and printed graphs

        Returns output: int32 or int64, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.arg_max([[1.0, 3.0, 2.0]], 1)
        <MLOperand result int32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax
"""
    def arg_min(self, input: OperandLike, axis: int, keep_dimensions: bool = False, output_data_type: OperandDataType = "int32", *, label: str = "") -> MLOperand:
        """Returns the index of the smallest value along an axis.

            input: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 1 to 8
            axis: dimension to search along
            keep_dimensions: whether reduced dimensions remain, with size 1
            output_data_type: data type of the output, int32 or int64
            label: names the operation in errors and printed graphs

        Returns output: int32 or int64, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.arg_min([[1.0, 3.0, 2.0]], 1)
        <MLOperand result int32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin
"""
    def average_pool2d(self, input: OperandLike, window_dimensions: Sequence[int | str] | None = None, strides: Sequence[int] | None = None, dilations: Sequence[int] | None = None, pads: Sequence[int] | None = None, layout: InputOperandLayout = "nchw", *, padding: Sequence[int] | None = None, output_shape_rounding: RoundingType = "floor", output_sizes: Sequence[int | str] | None = None, label: str = "") -> MLOperand:
        """Computes the mean of each window.

            input: float32 or float16, rank 4
            window_dimensions: height and width of a window; those of the input by default
            strides: distances between windows along height and width; 1 by default
            dilations: distances between the elements of a window along height and width; 1 by default
            pads: the padding as [beginning height, beginning width, ending height, ending width]
            layout: order of the dimensions of input and output (nchw or nhwc)
            padding: rows to add above and below the input, columns to add left and right; 0 by default
            output_shape_rounding: rounding of computed output sizes that are not integers (floor or ceil)
            output_sizes: height and width of the output, instead of a rounding; computed by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.average_pool2d(builder.input("x", [1, 2, 6, 6]), [3, 3])
        <MLOperand result float32[1, 2, 4, 4]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d
"""
    def batch_normalization(self, input: OperandLike, mean: OperandLike, variance: OperandLike, scale: OperandLike | None = None, bias: OperandLike | None = None, epsilon: float = 1e-05, axis: int = 1, *, label: str = "") -> MLOperand:
        """Normalizes each channel with a given mean and variance.

            input: float32 or float16, rank 1 to 8
            mean: the type of input, rank 1
            variance: the type of input, rank 1
            scale: factor for each channel; 1 by default (the type of input, rank 1)
            bias: value to add to each channel after scaling; 0 by default (the type of input, rank 1)
            epsilon: value to add to the variance before taking the square root
            axis: dimension of the channels
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.batch_normalization(builder.input("x", [1, 2, 6, 6]), [0.0, 0.5], [1.0, 2.0])
        <MLOperand result float32[1, 2, 6, 6]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization
"""
    def cast(self, input: OperandLike, data_type: OperandDataType, *, label: str = "") -> MLOperand:
        """Converts to another data type.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            data_type: data type of the output
            label: names the operation in errors and printed graphs

        Returns output: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.cast([1.0, 2.0], "int32")
        <MLOperand result int32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast
"""
    def ceil(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Rounds up to an integer.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.ceil([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil
"""
    def clamp(self, input: OperandLike, min_value: int | float | None = None, max_value: int | float | None = None, *, label: str = "") -> MLOperand:
        """Limits values to the range from minValue to maxValue.

            input: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            min_value: lower bound; none by default
            max_value: upper bound; none by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.clamp([-1.0, 9.0], min_value=0, max_value=6)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp
"""
    def concat(self, inputs: Sequence[OperandLike], axis: int, *, label: str = "") -> MLOperand:
        """Joins tensors along an axis.

            inputs: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            axis: dimension to join along
            label: names the operation in errors and printed graphs

        Returns output: the type of inputs, the rank of inputs.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.concat([[[1.0, 2.0]], [[3.0, 4.0]]], 0)
        <MLOperand result float32[2, 2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat
"""
    def conv2d(self, input: OperandLike, filter: OperandLike, strides: Sequence[int] | None = None, dilations: Sequence[int] | None = None, pads: Sequence[int] | None = None, groups: int = 1, input_layout: InputOperandLayout = "nchw", filter_layout: Conv2dFilterOperandLayout = "oihw", bias: OperandLike | None = None, *, padding: Sequence[int] | None = None, label: str = "") -> MLOperand:
        """Computes a 2-D convolution.

            input: float32 or float16, rank 4
            filter: the type of input, rank 4
            strides: distances between windows along height and width; 1 by default
            dilations: distances between the elements of a window along height and width; 1 by default
            pads: the padding as [beginning height, beginning width, ending height, ending width]
            groups: number of groups that the channels are divided into
            input_layout: order of the dimensions of input and output (nchw or nhwc)
            filter_layout: order of the filter's dimensions (oihw, hwio, ohwi or ihwo)
            bias: value to add to each output channel; 0 by default (the type of input, rank 1)
            padding: rows to add above and below the input, columns to add left and right; 0 by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.conv2d(builder.input("x", [1, 3, 8, 8]), np.ones((4, 3, 3, 3), np.float32), padding=[1, 1, 1, 1])
        <MLOperand result float32[1, 4, 8, 8]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d
"""
    def conv_transpose2d(self, input: OperandLike, filter: OperandLike, strides: Sequence[int] | None = None, dilations: Sequence[int] | None = None, pads: Sequence[int] | None = None, output_padding: Sequence[int] | None = None, output_sizes: Sequence[int | str] | None = None, groups: int = 1, input_layout: InputOperandLayout = "nchw", filter_layout: ConvTranspose2dFilterOperandLayout = "iohw", bias: OperandLike | None = None, *, padding: Sequence[int] | None = None, label: str = "") -> MLOperand:
        """Computes a 2-D transposed convolution.

            input: float32 or float16, rank 4
            filter: the type of input, rank 4
            strides: distances between windows along height and width; 1 by default
            dilations: distances between the elements of a window along height and width; 1 by default
            pads: the padding as [beginning height, beginning width, ending height, ending width]
            output_padding: numbers of rows and columns to add at the end of the output; 0 by default
            output_sizes: height and width of the output, instead of an output padding; computed by default
            groups: number of groups that the channels are divided into
            input_layout: order of the dimensions of input and output (nchw or nhwc)
            filter_layout: order of the filter's dimensions (iohw, hwoi or ohwi)
            bias: value to add to each output channel; 0 by default (the type of input, rank 1)
            padding: rows to remove at the top and bottom of the output, columns to remove left and right; 0 by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.conv_transpose2d(builder.input("x", [1, 3, 4, 4]), np.ones((3, 2, 2, 2), np.float32), strides=[2, 2])
        <MLOperand result float32[1, 2, 8, 8]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d
"""
    def cos(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes cos(x), x in radians.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.cos([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos
"""
    def cumulative_sum(self, input: OperandLike, axis: int, *, exclusive: bool = False, reversed: bool = False, label: str = "") -> MLOperand:
        """Computes the running sum along an axis.

            input: float32, float16, int32, uint32, int64 or uint64, rank 1 to 8
            axis: dimension to sum along
            exclusive: whether each sum leaves out the element at its own position
            reversed: whether to sum from the end
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.cumulative_sum([[1.0, 2.0, 3.0]], 1)
        <MLOperand result float32[1, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum
"""
    def dequantize_linear(self, input: OperandLike, scale: OperandLike, zero_point: OperandLike, *, label: str = "") -> MLOperand:
        """(input - zeroPoint) * scale.

            input: int32, uint32, int8, uint8, int4 or uint4, rank 0 to 8
            scale: float32 or float16, the rank of input
            zero_point: the type of input, the rank of input
            label: names the operation in errors and printed graphs

        Returns output: the type of scale, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.dequantize_linear(builder.input("x", [2, 3], "uint8"), [[0.5]], [[128]])
        <MLOperand result float32[2, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear
"""
    def div(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """a / b; integers truncate toward zero.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.div([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div
"""
    def elu(self, input: OperandLike, alpha: float = 1.0, *, label: str = "") -> MLOperand:
        """max(0, x) + alpha * (exp(min(0, x)) - 1).

            input: float32 or float16, rank 0 to 8
            alpha: factor of exp(x) - 1 for negative x
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.elu([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu
"""
    def equal(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a = b, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.equal([1.0, 2.0], 3.0)
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal
"""
    def erf(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the error function.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.erf([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf
"""
    def exp(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes e to the power of x.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.exp([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp
"""
    def expand(self, input: OperandLike, new_shape: Sequence[int | str], *, label: str = "") -> MLOperand:
        """Broadcasts to a shape.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            new_shape: shape of the output
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.expand([1.0, 2.0], [3, 2])
        <MLOperand result float32[3, 2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand
"""
    def floor(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Rounds down to an integer.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.floor([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor
"""
    def gather(self, input: OperandLike, indices: OperandLike, axis: int = 0, *, label: str = "") -> MLOperand:
        """Selects slices along an axis by their indices.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            indices: int32, uint32 or int64, rank 0 to 8
            axis: dimension of input that the indices refer to
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 1 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gather([[1.0, 2.0], [3.0, 4.0]], [1, 0, 1], axis=1)
        <MLOperand result float32[2, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather
"""
    def gather_elements(self, input: OperandLike, indices: OperandLike, *, axis: int = 0, label: str = "") -> MLOperand:
        """Selects one element along an axis for each index.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            indices: int32, uint32 or int64, the rank of input
            axis: dimension of input that the indices refer to
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gather_elements([[1.0, 2.0], [3.0, 4.0]], [[0, 1]], axis=0)
        <MLOperand result float32[1, 2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements
"""
    def gather_nd(self, input: OperandLike, indices: OperandLike, *, label: str = "") -> MLOperand:
        """Selects the slices at the given coordinates.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            indices: int32, uint32 or int64, rank 1 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gather_nd([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 1]])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd
"""
    def gelu(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """0.5 * x * (1 + erf(x / sqrt(2))).

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gelu([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu
"""
    def gemm(self, a: OperandLike, b: OperandLike, c: OperandLike | None = None, alpha: float = 1.0, beta: float = 1.0, a_transpose: bool = False, b_transpose: bool = False, *, label: str = "") -> MLOperand:
        """alpha * a * b + beta * c.

            a: float32 or float16, rank 2
            b: the type of a, rank 2
            c: matrix to add, broadcast to the shape of the product; none by default (the type of a, rank 0 to 2)
            alpha: factor of the product of a and b
            beta: factor of c
            a_transpose: whether to transpose a first
            b_transpose: whether to transpose b first
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 2.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gemm(builder.input("a", [2, 3]), builder.input("b", [3, 4]), c=1.0, alpha=0.5)
        <MLOperand result float32[2, 4]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm
"""
    def greater(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a > b, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.greater([1.0, 2.0], 3.0)
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater
"""
    def greater_or_equal(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a >= b, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.greater_or_equal([1.0, 2.0], 3.0)
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal
"""
    def gru(self, input: OperandLike, weight: OperandLike, recurrent_weight: OperandLike, steps: int | str, hidden_size: int, *, bias: OperandLike | None = None, recurrent_bias: OperandLike | None = None, initial_hidden_state: OperandLike | None = None, reset_after: bool = True, return_sequence: bool = False, direction: RecurrentNetworkDirection = "forward", layout: GruWeightLayout = "zrn", activations: Sequence[RecurrentNetworkActivation] | None = None, label: str = "") -> list[MLOperand]:
        """Runs a gated recurrent unit over a sequence.

            input: float32 or float16, rank 3
            weight: the type of input, rank 3
            recurrent_weight: the type of input, rank 3
            steps: number of time steps
            hidden_size: number of elements of the hidden state
            bias: bias of the gates' products with the input; 0 by default (the type of input, rank 2)
            recurrent_bias: bias of the gates' products with the hidden state; 0 by default (the type of input, rank 2)
            initial_hidden_state: hidden state before the first step; 0 by default (the type of input, rank 3)
            reset_after: whether the reset gate applies after the product with the recurrent weights, not before
            return_sequence: whether to return the hidden states of all steps too
            direction: order in which the time steps are read (forward, backward or both)
            layout: order of the gates in the weights and biases (zrn or rzn)
            activations: two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default (relu, sigmoid or tanh)
            label: names the operation in errors and printed graphs

        Returns output0: the type of input, rank 3.
        Returns output1: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gru(builder.input("x", [2, 1, 3]), np.ones((1, 12, 3), np.float32), np.ones((1, 12, 4), np.float32), 2, 4)
        [<MLOperand result float32[1, 1, 4]>]

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru
"""
    def gru_cell(self, input: OperandLike, weight: OperandLike, recurrent_weight: OperandLike, hidden_state: OperandLike, hidden_size: int, *, bias: OperandLike | None = None, recurrent_bias: OperandLike | None = None, reset_after: bool = True, layout: GruWeightLayout = "zrn", activations: Sequence[RecurrentNetworkActivation] | None = None, label: str = "") -> MLOperand:
        """Runs one step of a gated recurrent unit.

            input: float32 or float16, rank 2
            weight: the type of input, rank 2
            recurrent_weight: the type of input, rank 2
            hidden_state: the type of input, rank 2
            hidden_size: number of elements of the hidden state
            bias: bias of the gates' products with the input; 0 by default (the type of input, rank 1)
            recurrent_bias: bias of the gates' products with the hidden state; 0 by default (the type of input, rank 1)
            reset_after: whether the reset gate applies after the product with the recurrent weights, not before
            layout: order of the gates in the weights and biases (zrn or rzn)
            activations: two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default (relu, sigmoid or tanh)
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 2.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.gru_cell(builder.input("x", [1, 3]), np.ones((12, 3), np.float32), np.ones((12, 4), np.float32), builder.input("h", [1, 4]), 4)
        <MLOperand result float32[1, 4]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell
"""
    def hard_sigmoid(self, input: OperandLike, alpha: float = 0.2, beta: float = 0.5, *, label: str = "") -> MLOperand:
        """max(0, min(1, alpha * x + beta)).

            input: float32 or float16, rank 0 to 8
            alpha: slope
            beta: offset
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.hard_sigmoid([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid
"""
    def hard_swish(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """x * max(0, min(6, x + 3)) / 6.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.hard_swish([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish
"""
    def identity(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Returns the input unchanged.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.identity([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity
"""
    def instance_normalization(self, input: OperandLike, scale: OperandLike | None = None, bias: OperandLike | None = None, epsilon: float = 1e-05, layout: InputOperandLayout = "nchw", *, label: str = "") -> MLOperand:
        """Normalizes each channel of each image.

            input: float32 or float16, rank 4
            scale: factor for each channel; 1 by default (the type of input, rank 1)
            bias: value to add to each channel after scaling; 0 by default (the type of input, rank 1)
            epsilon: value to add to the variance before taking the square root
            layout: order of the dimensions of input and output (nchw or nhwc)
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.instance_normalization(builder.input("x", [1, 2, 6, 6]))
        <MLOperand result float32[1, 2, 6, 6]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization
"""
    def is_infinite(self, a: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a is infinite, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.is_infinite([1.0, 2.0])
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite
"""
    def is_nan(self, a: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a is NaN, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.is_nan([1.0, 2.0])
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan
"""
    def l2_pool2d(self, input: OperandLike, *, window_dimensions: Sequence[int | str] | None = None, padding: Sequence[int] | None = None, pads: Sequence[int] | None = None, strides: Sequence[int] | None = None, dilations: Sequence[int] | None = None, layout: InputOperandLayout = "nchw", output_shape_rounding: RoundingType = "floor", output_sizes: Sequence[int | str] | None = None, label: str = "") -> MLOperand:
        """Computes the L2 norm of each window.

            input: float32 or float16, rank 4
            window_dimensions: height and width of a window; those of the input by default
            padding: rows to add above and below the input, columns to add left and right; 0 by default
            pads: the padding as [beginning height, beginning width, ending height, ending width]
            strides: distances between windows along height and width; 1 by default
            dilations: distances between the elements of a window along height and width; 1 by default
            layout: order of the dimensions of input and output (nchw or nhwc)
            output_shape_rounding: rounding of computed output sizes that are not integers (floor or ceil)
            output_sizes: height and width of the output, instead of a rounding; computed by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.l2_pool2d(builder.input("x", [1, 2, 6, 6]), window_dimensions=[2, 2])
        <MLOperand result float32[1, 2, 5, 5]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d
"""
    def layer_normalization(self, input: OperandLike, scale: OperandLike | None = None, bias: OperandLike | None = None, epsilon: float = 1e-05, axes: Sequence[int] | None = None, *, label: str = "") -> MLOperand:
        """Normalizes along axes to mean 0 and variance 1, then applies scale and bias.

            input: float32 or float16, rank 0 to 8
            scale: factors, one for each position along axes; 1 by default (the type of input, rank 0 to 8)
            bias: values to add after scaling, one for each position along axes; 0 by default (the type of input, rank 0 to 8)
            epsilon: value to add to the variance before taking the square root
            axes: dimensions to normalize along; all but the first by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.layer_normalization(builder.input("x", [2, 3]), axes=[1])
        <MLOperand result float32[2, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization
"""
    def leaky_relu(self, input: OperandLike, alpha: float = 0.01, *, label: str = "") -> MLOperand:
        """max(0, x) + alpha * min(0, x).

            input: float32 or float16, rank 0 to 8
            alpha: slope for negative x
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.leaky_relu([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu
"""
    def lesser(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a < b, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.lesser([1.0, 2.0], 3.0)
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser
"""
    def lesser_or_equal(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a <= b, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.lesser_or_equal([1.0, 2.0], 3.0)
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal
"""
    def linear(self, input: OperandLike, *, alpha: float = 1.0, beta: float = 0.0, label: str = "") -> MLOperand:
        """alpha * x + beta.

            input: float32 or float16, rank 0 to 8
            alpha: slope
            beta: offset
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.linear([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear
"""
    def log(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the natural logarithm.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.log([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log
"""
    def logical_and(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where neither a nor b is 0, else 0.

            a: uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.logical_and([1, 0], [1, 1])
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland
"""
    def logical_not(self, a: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a is 0, else 0.

            a: uint8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.logical_not([1, 0])
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot
"""
    def logical_or(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a or b is not 0, else 0.

            a: uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.logical_or([1, 0], [1, 1])
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor
"""
    def logical_xor(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where exactly one of a and b is not 0, else 0.

            a: uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.logical_xor([1, 0], [1, 1])
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor
"""
    def lstm(self, input: OperandLike, weight: OperandLike, recurrent_weight: OperandLike, steps: int | str, hidden_size: int, *, bias: OperandLike | None = None, recurrent_bias: OperandLike | None = None, peephole_weight: OperandLike | None = None, initial_hidden_state: OperandLike | None = None, initial_cell_state: OperandLike | None = None, return_sequence: bool = False, direction: RecurrentNetworkDirection = "forward", layout: LstmWeightLayout = "iofg", activations: Sequence[RecurrentNetworkActivation] | None = None, label: str = "") -> list[MLOperand]:
        """Runs a long short-term memory over a sequence.

            input: float32 or float16, rank 3
            weight: the type of input, rank 3
            recurrent_weight: the type of input, rank 3
            steps: number of time steps
            hidden_size: number of elements of the hidden state
            bias: bias of the gates' products with the input; 0 by default (the type of input, rank 2)
            recurrent_bias: bias of the gates' products with the hidden state; 0 by default (the type of input, rank 2)
            peephole_weight: weights of the cell state in the input, output and forget gates; 0 by default (the type of input, rank 2)
            initial_hidden_state: hidden state before the first step; 0 by default (the type of input, rank 3)
            initial_cell_state: cell state before the first step; 0 by default (the type of input, rank 3)
            return_sequence: whether to return the hidden states of all steps too
            direction: order in which the time steps are read (forward, backward or both)
            layout: order of the gates in the weights and biases (iofg or ifgo)
            activations: three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default (relu, sigmoid or tanh)
            label: names the operation in errors and printed graphs

        Returns output0: the type of input, rank 3.
        Returns output1: the type of input, rank 3.
        Returns output2: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.lstm(builder.input("x", [2, 1, 3]), np.ones((1, 16, 3), np.float32), np.ones((1, 16, 4), np.float32), 2, 4)
        [<MLOperand result float32[1, 1, 4]>, <MLOperand result float32[1, 1, 4]>]

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm
"""
    def lstm_cell(self, input: OperandLike, weight: OperandLike, recurrent_weight: OperandLike, hidden_state: OperandLike, cell_state: OperandLike, hidden_size: int, *, bias: OperandLike | None = None, recurrent_bias: OperandLike | None = None, peephole_weight: OperandLike | None = None, layout: LstmWeightLayout = "iofg", activations: Sequence[RecurrentNetworkActivation] | None = None, label: str = "") -> list[MLOperand]:
        """Runs one step of a long short-term memory.

            input: float32 or float16, rank 2
            weight: the type of input, rank 2
            recurrent_weight: the type of input, rank 2
            hidden_state: the type of input, rank 2
            cell_state: the type of input, rank 2
            hidden_size: number of elements of the hidden state
            bias: bias of the gates' products with the input; 0 by default (the type of input, rank 1)
            recurrent_bias: bias of the gates' products with the hidden state; 0 by default (the type of input, rank 1)
            peephole_weight: weights of the cell state in the input, output and forget gates; 0 by default (the type of input, rank 1)
            layout: order of the gates in the weights and biases (iofg or ifgo)
            activations: three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default (relu, sigmoid or tanh)
            label: names the operation in errors and printed graphs

        Returns output0: the type of input, rank 2.
        Returns output1: the type of input, rank 2.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.lstm_cell(builder.input("x", [1, 3]), np.ones((16, 3), np.float32), np.ones((16, 4), np.float32), builder.input("h", [1, 4]), builder.input("c", [1, 4]), 4)
        [<MLOperand result float32[1, 4]>, <MLOperand result float32[1, 4]>]

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell
"""
    def matmul(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """Multiplies matrices; leading dimensions are broadcast.

            a: float32 or float16, rank 2 to 8
            b: the type of a, rank 2 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 2 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.matmul(builder.input("a", [5, 2, 3]), builder.input("b", [3, 4]))
        <MLOperand result float32[5, 2, 4]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul
"""
    def max(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the greater of a and b.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.max([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max
"""
    def max_pool2d(self, input: OperandLike, window_dimensions: Sequence[int | str] | None = None, strides: Sequence[int] | None = None, dilations: Sequence[int] | None = None, pads: Sequence[int] | None = None, layout: InputOperandLayout = "nchw", *, padding: Sequence[int] | None = None, output_shape_rounding: RoundingType = "floor", output_sizes: Sequence[int | str] | None = None, label: str = "") -> MLOperand:
        """Computes the greatest value of each window.

            input: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 4
            window_dimensions: height and width of a window; those of the input by default
            strides: distances between windows along height and width; 1 by default
            dilations: distances between the elements of a window along height and width; 1 by default
            pads: the padding as [beginning height, beginning width, ending height, ending width]
            layout: order of the dimensions of input and output (nchw or nhwc)
            padding: rows to add above and below the input, columns to add left and right; 0 by default
            output_shape_rounding: rounding of computed output sizes that are not integers (floor or ceil)
            output_sizes: height and width of the output, instead of a rounding; computed by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.max_pool2d(builder.input("x", [1, 2, 6, 6]), [2, 2], strides=[2, 2])
        <MLOperand result float32[1, 2, 3, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d
"""
    def min(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the smaller of a and b.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.min([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min
"""
    def mul(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """a * b.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.mul([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul
"""
    def neg(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """-x.

            input: float32, float16, int32, int64 or int8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.neg([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg
"""
    def not_equal(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """1 where a and b differ, else 0.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: uint8, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.not_equal([1.0, 2.0], 3.0)
        <MLOperand result uint8[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal
"""
    def pad(self, input: OperandLike, beginning_padding: Sequence[int | str], ending_padding: Sequence[int | str], mode: PaddingMode = "constant", value: int | float = 0, *, label: str = "") -> MLOperand:
        """Adds elements before and after each dimension.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            beginning_padding: number of elements to add before each dimension
            ending_padding: number of elements to add after each dimension
            mode: kind of the added elements: value, copies of the edge or a reflection of the input (constant, edge or reflection)
            value: value of the added elements in mode constant
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.pad([[1.0, 2.0]], [0, 1], [0, 1], mode="edge")
        <MLOperand result float32[1, 4]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad
"""
    def pow(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """a to the power of b.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.pow([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow
"""
    def prelu(self, input: OperandLike, slope: OperandLike, *, label: str = "") -> MLOperand:
        """max(0, x) + slope * min(0, x).

            input: float32, float16, int32, int64 or int8, rank 0 to 8
            slope: the type of input, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.prelu([-1.0, 2.0], 0.25)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu
"""
    def quantize_linear(self, input: OperandLike, scale: OperandLike, zero_point: OperandLike, *, label: str = "") -> MLOperand:
        """roundEven(input / scale) + zeroPoint, clamped to the range of the type.

            input: float32 or float16, rank 0 to 8
            scale: the type of input, the rank of input
            zero_point: int32, uint32, int8, uint8, int4 or uint4, the rank of input
            label: names the operation in errors and printed graphs

        Returns output: the type of zero_point, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.quantize_linear(builder.input("x", [2, 3]), [[0.5]], np.array([[128]], np.uint8))
        <MLOperand result uint8[2, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear
"""
    def reciprocal(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """1 / x.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reciprocal([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal
"""
    def reduce_l1(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Sums the absolute values along axes.

            input: float32, float16, int32, uint32, int64 or uint64, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_l1([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1
"""
    def reduce_l2(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the square root of the sum of squares along axes.

            input: float32 or float16, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_l2([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2
"""
    def reduce_log_sum(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the logarithm of the sum along axes.

            input: float32 or float16, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_log_sum([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum
"""
    def reduce_log_sum_exp(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the logarithm of the sum of exponentials along axes.

            input: float32 or float16, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_log_sum_exp([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp
"""
    def reduce_max(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the greatest value along axes.

            input: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_max([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax
"""
    def reduce_mean(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the mean along axes.

            input: float32 or float16, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_mean([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean
"""
    def reduce_min(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the smallest value along axes.

            input: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_min([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin
"""
    def reduce_product(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Computes the product of all elements along axes.

            input: float32, float16, int32, uint32, int64 or uint64, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_product([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct
"""
    def reduce_sum(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Sums the elements along axes.

            input: float32, float16, int32, uint32, int64 or uint64, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_sum([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum
"""
    def reduce_sum_square(self, input: OperandLike, axes: Sequence[int] | None = None, keep_dimensions: bool = False, *, label: str = "") -> MLOperand:
        """Sums the squares along axes.

            input: float32, float16, int32, uint32, int64 or uint64, rank 0 to 8
            axes: dimensions to reduce; all by default
            keep_dimensions: whether reduced dimensions remain, with size 1
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reduce_sum_square([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare
"""
    def relu(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """max(0, x).

            input: float32, float16, int32, int64 or int8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.relu([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu
"""
    def resample2d(self, input: OperandLike, *, mode: InterpolationMode = "nearest-neighbor", scales: Sequence[float] | None = None, sizes: Sequence[int | str] | None = None, axes: Sequence[int] | None = None, label: str = "") -> MLOperand:
        """Resizes two dimensions by interpolation.

            input: float32, float16, int8 or uint8, rank 4
            mode: kind of interpolation (nearest-neighbor or linear)
            scales: factors for the sizes of the two dimensions; 1 by default
            sizes: sizes of the two dimensions in the output; computed from scales by default
            axes: the two dimensions to resize; 2 and 3 by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 4.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.resample2d(builder.input("x", [1, 2, 3, 4]), scales=[2.0, 2.0], mode="linear")
        <MLOperand result float32[1, 2, 6, 8]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d
"""
    def reshape(self, input: OperandLike, new_shape: Sequence[int | str], *, label: str = "") -> MLOperand:
        """Changes the shape; the elements keep their order.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            new_shape: shape of the output
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reshape([1.0, 2.0, 3.0, 4.0], [2, 2])
        <MLOperand result float32[2, 2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape
"""
    def reverse(self, input: OperandLike, *, axes: Sequence[int] | None = None, label: str = "") -> MLOperand:
        """Reverses the order along axes.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            axes: dimensions to reverse; all by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.reverse([[1.0, 2.0, 3.0]], axes=[1])
        <MLOperand result float32[1, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse
"""
    def round_even(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Rounds to the nearest integer, halves to even.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.round_even([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven
"""
    def scatter_elements(self, input: OperandLike, indices: OperandLike, updates: OperandLike, axis: int = 0, *, label: str = "") -> MLOperand:
        """Replaces one element along an axis for each index.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            indices: int32, uint32 or int64, the rank of input
            updates: the type of input, the rank of input
            axis: dimension of input that the indices refer to
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.scatter_elements([[1.0, 2.0], [3.0, 4.0]], [[0, 1]], [[9.0, 8.0]], axis=0)
        <MLOperand result float32[2, 2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements
"""
    def scatter_nd(self, input: OperandLike, indices: OperandLike, updates: OperandLike, *, label: str = "") -> MLOperand:
        """Replaces the slices at the given coordinates.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            indices: int32, uint32 or int64, rank 1 to 8
            updates: the type of input, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, rank 1 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.scatter_nd([1.0, 2.0, 3.0], [[2], [0]], [9.0, 8.0])
        <MLOperand result float32[3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd
"""
    def sigmoid(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """1 / (1 + exp(-x)).

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.sigmoid([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid
"""
    def sign(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """-1, 0 or 1 if x is negative, zero or positive.

            input: float32, float16, int32, int64 or int8, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.sign([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign
"""
    def sin(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes sin(x), x in radians.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.sin([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin
"""
    def slice(self, input: OperandLike, starts: Sequence[int | str], sizes: Sequence[int | str], strides: Sequence[int] | None = None, *, label: str = "") -> MLOperand:
        """Extracts a window, optionally with strides.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            starts: first index of the window in each dimension
            sizes: size of the window in each dimension
            strides: distance between selected elements in each dimension; 1 by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.slice([1.0, 2.0, 3.0, 4.0], [1], [2])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice
"""
    def softmax(self, input: OperandLike, axis: int, *, label: str = "") -> MLOperand:
        """exp(x) / sum(exp(x)) along an axis.

            input: float32 or float16, rank 1 to 8
            axis: dimension to normalize along
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.softmax([[1.0, 2.0, 3.0]], 1)
        <MLOperand result float32[1, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax
"""
    def softplus(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """log(1 + exp(x)).

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.softplus([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus
"""
    def softsign(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """x / (1 + |x|).

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.softsign([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign
"""
    def split(self, input: OperandLike, splits: int | Sequence[int | str], axis: int = 0, *, label: str = "") -> list[MLOperand]:
        """Splits a tensor into parts along an axis.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 1 to 8
            splits: number of equal parts, or the size of each part
            axis: dimension to split
            label: names the operation in errors and printed graphs

        Returns outputs: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.split([1.0, 2.0, 3.0, 4.0], [1, 3])
        [<MLOperand result float32[1]>, <MLOperand result float32[3]>]

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split
"""
    def sqrt(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the square root.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.sqrt([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt
"""
    def sub(self, a: OperandLike, b: OperandLike, *, label: str = "") -> MLOperand:
        """a - b.

            a: float32, float16, int32, uint32, int64, uint64, int8 or uint8, rank 0 to 8
            b: the type of a, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of a, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.sub([1.0, 2.0], 3.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub
"""
    def tan(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes tan(x), x in radians.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.tan([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan
"""
    def tanh(self, input: OperandLike, *, label: str = "") -> MLOperand:
        """Computes the hyperbolic tangent.

            input: float32 or float16, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.tanh([1.0, 2.0])
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh
"""
    def tile(self, input: OperandLike, repetitions: Sequence[int | str], *, label: str = "") -> MLOperand:
        """Repeats the tensor along each dimension.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            repetitions: number of copies along each dimension
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.tile([1.0, 2.0], [3])
        <MLOperand result float32[6]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile
"""
    def transpose(self, input: OperandLike, permutation: Sequence[int] | None = None, *, label: str = "") -> MLOperand:
        """Reorders the dimensions.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            permutation: for each dimension of the output, the dimension of input; reversed order by default
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.transpose(builder.input("x", [2, 3, 4]), [0, 2, 1])
        <MLOperand result float32[2, 4, 3]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose
"""
    def triangular(self, input: OperandLike, upper: bool = True, diagonal: int = 0, *, label: str = "") -> MLOperand:
        """Keeps the upper or lower triangle of each matrix.

            input: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 2 to 8
            upper: whether to keep the upper triangle rather than the lower
            diagonal: diagonal that bounds the triangle: 0 is the main diagonal, positive ones are above it
            label: names the operation in errors and printed graphs

        Returns output: the type of input, the rank of input.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.triangular([[1.0, 2.0], [3.0, 4.0]], upper=False)
        <MLOperand result float32[2, 2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular
"""
    def where(self, condition: OperandLike, true_value: OperandLike, false_value: OperandLike, *, label: str = "") -> MLOperand:
        """trueValue where condition is not 0, else falseValue.

            condition: uint8, rank 0 to 8
            true_value: float32, float16, int32, uint32, int64, uint64, int8, uint8, int4 or uint4, rank 0 to 8
            false_value: the type of true_value, rank 0 to 8
            label: names the operation in errors and printed graphs

        Returns output: the type of true_value, rank 0 to 8.
        Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.

        >>> builder.where([1, 0], [1.0, 2.0], 0.0)
        <MLOperand result float32[2]>

        https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where
"""
