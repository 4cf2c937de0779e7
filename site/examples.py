"""An example of each operation: the values of its arguments, under the specification's names.

The other modules compute the rest of an operation's page from its example. An operand is an `In`, which the program feeds, or a
`Const`, which is part of the graph. All other arguments are numbers, lists and strings.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Const:
    """A constant operand."""

    values: Array
    data_type: str

    def __init__(self, values: Any, data_type: str = "float32") -> None:
        object.__setattr__(self, "values", np.array(values, data_type))
        object.__setattr__(self, "data_type", data_type)


@dataclass(frozen=True)
class In(Const):
    """An operand that is an input of the graph."""

    __init__ = Const.__init__


@dataclass(frozen=True)
class Example:
    """The arguments of an example's operation.

    text: a remark for the operation's page; shown: the index of the output element (counted in row-major order) whose sources
    the picture marks
    """

    arguments: dict[str, Any]
    text: str = ""
    shown: int = 0


def of(text: str = "", shown: int = 0, **arguments: Any) -> Example:
    return Example(arguments, text, shown)


def unary(*values: float, text: str = "") -> Example:
    return of(text, input=In(list(values)))


def pair(a: Any, b: Any, data_type: str = "float32", text: str = "", shown: int = 0) -> Example:
    return of(text, shown, a=In(a, data_type), b=In(b, data_type))


def counting(*shape: int, start: int = 1) -> Array:
    """Returns the numbers 1, 2, 3, ... in an array of this shape."""
    return np.arange(start, start + int(np.prod(shape))).reshape(shape)


def reduce(text: str = "") -> Example:
    return of(text, 1, input=In([[1, 2, 3], [4, 5, 6]]), axes=[1])


GRID = In(counting(2, 3))
PLANE = counting(1, 1, 4, 4)
BROADCAST = "The shapes of `a` and `b` are broadcast: here the row `b` is used for each row of `a`."
ROWS = ([[1, 2, 3], [4, 5, 6]], [10, 20, 30])
COMPARED = ([1, 2, 3, 4], [4, 2, 3, 1])
BITS = ([0, 0, 1, 1], [0, 1, 0, 1])
COMPARISON = "The result is uint8: 1 where it is so, else 0."
LOGIC = "Every number but 0 counts as true; the result is uint8, 1 or 0."
POOLED = "Windows of 2 x 2 that do not overlap: without `windowDimensions` the window is the whole plane."
LEARNT = {"scale": Const([1, 10]), "bias": Const([0, 100])}
SEQUENCE = In([[[1, 0]], [[0, 1]], [[1, 1]]])
RECURRENT_TEXT = (
    "Three steps of a batch of one with two features; the hidden state has two numbers. The weights of the gates lie one below "
    "the other, in the order that `layout` says."
)


def gates(count: int, offset: int) -> Array:
    """Returns small weights for `count` gates. Neighboring weights differ."""
    return ((np.arange(count * 4) * 7 + offset) % 9 - 4).reshape(1, count * 2, 2) / 8


def cell(count: int, **states: In) -> dict[str, Any]:
    return {
        "input": In([[1, 0.5]]),
        "weight": Const(gates(count, 1)[0]),
        "recurrentWeight": Const(gates(count, 3)[0]),
        **states,
        "hiddenSize": 2,
    }


def sequence(count: int) -> dict[str, Any]:
    return {
        "input": SEQUENCE,
        "weight": Const(gates(count, 1)),
        "recurrentWeight": Const(gates(count, 3)),
        "steps": 3,
        "hiddenSize": 2,
        "returnSequence": True,
    }


UNARY = {
    "abs": unary(-2, -0.5, 0, 3),
    "ceil": unary(-1.5, -0.2, 0.2, 2),
    "cos": unary(0, 1, 2, 3),
    "erf": unary(-1, 0, 0.5, 2),
    "exp": unary(-1, 0, 1, 2),
    "floor": unary(-1.5, -0.2, 0.2, 2),
    "identity": unary(1, 2, 3, text="It gives a value another name, for example an input that is an output as well."),
    "log": unary(0.5, 1, 2, 4),
    "neg": unary(-2, 0, 3),
    "reciprocal": unary(-2, 0.5, 4),
    "roundEven": unary(-1.5, 0.5, 1.5, 2.4, text="Halves go to the even neighbour."),
    "sign": unary(-3, 0, 0.5),
    "sin": unary(0, 1, 2, 3),
    "sqrt": unary(0, 1, 2, 9),
    "tan": unary(-1, 0, 1),
    "elu": of(input=In([-2, -1, 0, 2]), alpha=0.5),
    "gelu": unary(-2, -1, 0, 2),
    "hardSigmoid": of(input=In([-4, -1, 0, 1, 4]), alpha=0.2, beta=0.5),
    "hardSwish": unary(-4, -1, 0, 1, 4),
    "leakyRelu": of(input=In([-2, -1, 0, 2]), alpha=0.1),
    "linear": of(input=In([-1, 0, 1]), alpha=2, beta=1),
    "relu": unary(-2, -0.5, 0, 3),
    "sigmoid": unary(-2, 0, 2),
    "softplus": unary(-2, 0, 2),
    "softsign": unary(-2, 0, 2),
    "tanh": unary(-2, 0, 2),
    "clamp": of("A bound that is not given does not bound.", input=In([-2, 0.5, 3, 9]), minValue=0, maxValue=6),
}
BINARY = {
    "add": pair(*ROWS, text=BROADCAST, shown=4),
    "sub": pair(*ROWS, text=BROADCAST, shown=4),
    "mul": pair(*ROWS, text=BROADCAST, shown=4),
    "div": pair(*ROWS, text=BROADCAST, shown=4),
    "max": pair([1, 5, 3], [4, 2, 3]),
    "min": pair([1, 5, 3], [4, 2, 3]),
    "pow": pair([2, 3, 4], [3, 2, 0.5]),
    "prelu": of(
        "Like leakyRelu, with a slope that is learnt, here one for each column.",
        1,
        input=In([[-1, -2], [3, -4]]),
        slope=Const([0.1, 0.5]),
    ),
    "equal": pair(*COMPARED, text=COMPARISON),
    "notEqual": pair(*COMPARED, text=COMPARISON),
    "greater": pair(*COMPARED, text=COMPARISON),
    "greaterOrEqual": pair(*COMPARED, text=COMPARISON),
    "lesser": pair(*COMPARED, text=COMPARISON),
    "lesserOrEqual": pair(*COMPARED, text=COMPARISON),
    "logicalAnd": pair(*BITS, "uint8", LOGIC),
    "logicalOr": pair(*BITS, "uint8", LOGIC),
    "logicalXor": pair(*BITS, "uint8", LOGIC),
    "logicalNot": of(LOGIC, a=In([0, 1, 2], "uint8")),
    "isInfinite": of(COMPARISON, a=In([1, np.inf, -np.inf])),
    "isNaN": of(COMPARISON, a=In([1, np.nan, np.inf])),
}
MOVES = {
    "cast": of("Fractions are cut off.", input=In([-1.5, 0.4, 2.9]), dataType="int32"),
    "concat": of(inputs=[In(counting(2, 2)), In(counting(2, 1, start=5))], axis=1),
    "expand": of("Dimensions of 1 are repeated.", input=In([[1], [2]]), newShape=[2, 3]),
    "gather": of("Whole rows, by their numbers.", input=In(counting(3, 2)), indices=In([2, 0, 2], "int32")),
    "gatherElements": of(
        "For each place of the result an index along the axis; the other coordinates stay.",
        input=In(counting(3, 2)),
        indices=In([[2, 0], [1, 1]], "int32"),
    ),
    "gatherND": of("Each row of `indices` is the place of an element.", input=GRID, indices=In([[0, 2], [1, 0]], "int32")),
    "pad": of(input=GRID, beginningPadding=[1, 0], endingPadding=[0, 2], mode="edge"),
    "reshape": of("The elements stay in their order.", input=GRID, newShape=[3, 2]),
    "reverse": of(input=GRID, axes=[1]),
    "scatterElements": of(
        "The elements of `updates` replace elements of `input`, at an index along the axis.",
        input=In(np.zeros((3, 2))),
        indices=In([[2, 0]], "int32"),
        updates=In([[1, 2]]),
    ),
    "scatterND": of(
        "Each row of `indices` is the place for an element of `updates`.",
        input=In(np.zeros((2, 3))),
        indices=In([[0, 2], [1, 0]], "int32"),
        updates=In([7, 8]),
    ),
    "slice": of("Every second column, from the second.", input=In(counting(3, 5)), starts=[1, 1], sizes=[2, 4], strides=[1, 2]),
    "split": of("Two results, of one and of two columns.", input=GRID, splits=[1, 2], axis=1),
    "tile": of(input=In(counting(1, 2)), repetitions=[2, 2]),
    "transpose": of("Without `permutation` the dimensions are reversed.", input=GRID, permutation=[1, 0]),
    "triangular": of("What is below the diagonal becomes 0.", input=In(counting(3, 3)), upper=True),
    "where": of(
        condition=In([[1, 0], [0, 1]], "uint8"),
        trueValue=In([[1, 2], [3, 4]]),
        falseValue=In([[10, 20], [30, 40]]),
    ),
    "resample2d": of("Each element becomes two by two.", input=In(counting(1, 1, 2, 2)), scales=[2, 2]),
    "cumulativeSum": of("Each element is added to the sum of those before it.", 2, input=GRID, axis=1),
}
NETWORKS = {
    "argMax": of("The first of several that are equal.", 1, input=In([[1, 9, 3], [7, 5, 6]]), axis=1),
    "argMin": of("The first of several that are equal.", 1, input=In([[1, 9, 3], [7, 5, 6]]), axis=1),
    "averagePool2d": of(POOLED, 3, input=In(PLANE), windowDimensions=[2, 2], strides=[2, 2]),
    "maxPool2d": of(POOLED, 3, input=In(PLANE), windowDimensions=[2, 2], strides=[2, 2]),
    "l2Pool2d": of(POOLED, 3, input=In(PLANE), windowDimensions=[2, 2], strides=[2, 2]),
    "conv2d": of(
        "A window of 2 x 2 moves over the plane: what is below it is multiplied with the filter and added up.",
        4,
        input=In(PLANE),
        filter=Const([[[[1, 0], [0, 1]]]]),
        bias=Const([10]),
    ),
    "convTranspose2d": of(
        "Each element of the input lays the filter, multiplied with itself, on the result; what overlaps is added up.",
        4,
        input=In(counting(1, 1, 2, 2)),
        filter=Const([[[[1, 2], [3, 4]]]]),
    ),
    "batchNormalization": of(
        "Two channels, each with a mean and a variance that were measured in training.",
        2,
        input=In(counting(1, 2, 1, 2)),
        mean=Const([1.5, 3.5]),
        variance=Const([0.25, 0.25]),
        **LEARNT,
    ),
    "instanceNormalization": of("Mean and variance are those of each plane.", 2, input=In(counting(1, 2, 1, 2)), **LEARNT),
    "layerNormalization": of("Each row gets the mean 0 and the variance 1.", input=In([[1, 2, 3], [2, 4, 9]]), axes=[1]),
    "softmax": of("Each row becomes shares of 1.", input=In([[1, 2, 3], [1, 1, 1]]), axis=1),
    "matmul": of("Rows of `a` with columns of `b`.", 1, a=In(counting(2, 3)), b=In(counting(3, 2))),
    "gemm": of(
        "alpha * a * b + beta * c, and either matrix may be transposed.",
        1,
        a=In(counting(2, 2)),
        b=In(counting(2, 2)),
        c=Const([1, 2]),
        alpha=0.5,
    ),
    "quantizeLinear": of(
        "round(input / scale) + zeroPoint, within what the type of the zero point has.",
        input=In([-1, 0, 0.3, 100]),
        scale=Const([0.5]),
        zeroPoint=Const([128], "uint8"),
    ),
    "dequantizeLinear": of(
        "(input - zeroPoint) * scale.",
        input=In([126, 128, 129, 255], "uint8"),
        scale=Const([0.5]),
        zeroPoint=Const([128], "uint8"),
    ),
    "gruCell": of("One step.", **cell(3, hiddenState=In([[0.1, -0.1]]))),
    "lstmCell": of(
        "One step: the new hidden state, and the new cell state.",
        **cell(4, hiddenState=In([[0.1, -0.1]]), cellState=In([[0.5, 0]])),
    ),
    "gru": of(RECURRENT_TEXT, **sequence(3)),
    "lstm": of(
        RECURRENT_TEXT + " The results are the last hidden state, the last cell state, and the hidden states of all steps.",
        **sequence(4),
    ),
    "reduceL1": reduce("The sum of absolute values."),
    "reduceL2": reduce("The square root of the sum of squares."),
    "reduceLogSum": reduce(),
    "reduceLogSumExp": reduce(),
    "reduceMax": reduce(),
    "reduceMean": reduce(),
    "reduceMin": reduce(),
    "reduceProduct": reduce(),
    "reduceSum": reduce(),
    "reduceSumSquare": reduce(),
}
EXAMPLES: dict[str, Example] = UNARY | BINARY | MOVES | NETWORKS
