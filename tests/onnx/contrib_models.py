#!/usr/bin/env python3
"""Writes small models of the com.microsoft operators that libwebnn imports, with what ONNX Runtime computes for them.

    contrib_models.py OUT [NAME_PART]

writes OUT/<name>/model.onnx and OUT/<name>/test_data_set_0/{input,output}_<n>.pb, as ONNX lays out its node tests, of all
cases or of those whose names contain NAME_PART. Needs onnx, onnxruntime and numpy. The same versions write the same bytes.

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

# Operator -> the function that yields its cases.
OPERATORS = {}


class Constant:
    """An operand that is an initializer of the model, not an input."""

    def __init__(self, array):
        self.array = np.asarray(array)


@dataclasses.dataclass
class Case:
    """A model of one node."""

    name: str  # appended to the operator's
    operands: list  # arrays, Constants, and None for those that are absent
    attributes: dict = dataclasses.field(default_factory=dict)
    outputs: list = dataclasses.field(default_factory=lambda: [np.float32])  # the types; None for those that are absent


class Random:
    """Random arrays, the same in each run."""

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)

    def normal(self, *shape, dtype=np.float32):
        return self.generator.standard_normal(shape).astype(dtype)

    def uniform(self, low, high, *shape, dtype=np.float32):
        return self.generator.uniform(low, high, shape).astype(dtype)

    def integers(self, low, high, *shape, dtype=np.int32):
        """From low to high - 1."""
        return self.generator.integers(low, high, shape).astype(dtype)


def operator(name):
    def register(function):
        OPERATORS[name] = function
        return function

    return register


def element_type(dtype):
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def model_of(op_type, case):
    """The model, and its inputs by name."""
    inputs, initializers, names = {}, [], []
    for index, operand in enumerate(case.operands):
        name = f"x{index}" if operand is not None else ""
        names.append(name)
        if isinstance(operand, Constant):
            initializers.append(numpy_helper.from_array(operand.array, name))
        elif operand is not None:
            inputs[name] = np.asarray(operand)
    outputs = [f"y{index}" if dtype is not None else "" for index, dtype in enumerate(case.outputs)]
    node = helper.make_node(op_type, names, outputs, domain="com.microsoft", **case.attributes)
    graph = helper.make_graph(
        [node],
        op_type,
        [helper.make_tensor_value_info(name, element_type(array.dtype), array.shape) for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, element_type(dtype), None) for name, dtype in zip(outputs, case.outputs) if name],
        initializers,
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
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


def main(out, part=""):
    for op_type, function in OPERATORS.items():
        # A seed of its own for each operator: others may come and go.
        for case in function(Random(zlib.crc32(op_type.encode()))):
            name = f"{op_type}_{case.name}"
            if part in name:
                write(pathlib.Path(out) / name, op_type, case)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
