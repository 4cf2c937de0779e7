"""Checks that inputs of webnn.onnxruntime may have different sizes for one dimension name. NumPy computes the expected results.

usage: random_names_test.py COUNT [--seed SEED]

The inputs of a random model share names of dimensions, and each of six runs of a session chooses the sizes of each input independently
or by common sizes; some are 0. If NumPy computes a result, the session's is equal. If shapes do not fit, the run fails. If inputs also
disagree, the error or its cause names a dimension. Some models need a program, because they have inputs of type double or find nonzero
elements.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn, run_seeds  # noqa: E402

require("numpy", "onnx")
require_webnn()
import numpy as np  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402
from webnn import onnxruntime  # noqa: E402

SIZES = [1, 1, 2, 3, 4]
NAMES = ["n", "m", "a.0", "b.1"]  # the last two are also the names that webnn gives to unnamed dimensions
BINARY = {"Add": np.add, "Mul": np.multiply, "MatMul": np.matmul, "Concat": lambda a, b: np.concatenate([a, b], 1)}
UNARY = {
    "Neg": np.negative,
    "ReduceSum": lambda a: np.sum(a, keepdims=True),
    "Transpose": np.transpose,
    "NonZero": lambda a: np.array(np.nonzero(a)),
}


def model_of(random):
    """Returns the bytes of a model, the declared shapes of its inputs, their type, and its results as functions of the inputs."""
    dtype = np.dtype(random.choice([np.float32] * 4 + [np.float64]))
    shapes = {name: [str(random.choice(NAMES)) for _ in range(2)] for name in "abc"[: random.integers(2, 4)]}
    nodes, results = [], {}
    for at in range(int(random.integers(1, 4))):
        inputs, name = [str(key) for key in random.choice(list(shapes), 2)], f"y{at}"
        if random.random() < 0.6:
            kind = str(random.choice(list(BINARY)))
            more = {"axis": 1} if kind == "Concat" else {}
            nodes.append(helper.make_node(kind, inputs, [name], **more))
            results[name] = lambda feeds, kind=kind, inputs=inputs: BINARY[kind](feeds[inputs[0]], feeds[inputs[1]])
        else:
            kind = str(random.choice(list(UNARY)))
            nodes.append(helper.make_node(kind, inputs[:1], [name]))
            results[name] = lambda feeds, kind=kind, inputs=inputs: UNARY[kind](feeds[inputs[0]])
    kind = helper.np_dtype_to_tensor_dtype(dtype)
    inputs = [helper.make_tensor_value_info(name, kind, shape) for name, shape in shapes.items()]
    outputs = [
        helper.make_tensor_value_info(node.output[0], TensorProto.INT64 if node.op_type == "NonZero" else kind, None) for node in nodes
    ]
    graph = helper.make_graph(nodes, "g", inputs, outputs)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return made.SerializeToString(), shapes, dtype, results


def disagrees(shapes, feeds):
    """Returns whether two inputs, or two axes, give a name different sizes other than 0."""
    sizes = {}
    for name, shape in shapes.items():
        for axis, dimension in enumerate(shape):
            sizes.setdefault(dimension, set()).add(feeds[name].shape[axis])
    return any(len(known - {0}) > 1 for known in sizes.values())


def problems(seed):
    random = np.random.default_rng(seed)
    content, shapes, dtype, results = model_of(random)
    session = onnxruntime.InferenceSession(content)
    for run in range(6):
        sizes = SIZES + [0] * int(random.random() < 0.1)
        common = {name: int(random.choice(sizes)) for name in NAMES}
        agree = random.random() < 0.4
        feeds = {
            name: random.integers(-4, 5, [common[one] if agree else int(random.choice(sizes)) for one in shape]).astype(dtype)
            for name, shape in shapes.items()
        }
        about = f"run {run} {({name: list(array.shape) for name, array in feeds.items()})}"
        try:
            expected = [compute(feeds) for compute in results.values()]
        except ValueError:
            expected = None
        try:
            found = session.run(None, feeds)
        except Exception as error:
            if expected is not None and not any(array.size == 0 for array in feeds.values()):
                yield f"{about}: {error}"
            elif expected is None and disagrees(shapes, feeds) and 'the dimension "' not in f"{error} {error.__cause__}":
                yield f"{about}: neither the error nor its cause names a dimension: {error}"
            continue
        if expected is None:
            if not any(array.size == 0 for array in feeds.values()):
                yield f"{about}: no error"
            continue
        for name, one, other in zip(results, found, expected, strict=True):
            if not np.array_equal(one, other):
                yield f"{about}: {name} is {one.tolist()}, not {other.tolist()}"


if __name__ == "__main__":
    sys.exit(run_seeds(__doc__, problems))
