"""Writes the models of the programs in programs/."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper

value = helper.make_tensor_value_info
node = helper.make_node
rng = np.random.default_rng(3)


def floats(*shape: int) -> Any:
    return rng.standard_normal(shape).astype(np.float32)


def save(path: Path, nodes: list[Any], inputs: list[Any], outputs: list[Any], **weights: Any) -> Any:
    constants = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(helper.make_graph(nodes, "graph", inputs, outputs, constants), opset_imports=opsets, ir_version=8)
    onnx.save(model, path)
    return model


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    save(folder / "matmul.onnx", [node("MatMul", ["a", "b"], ["c"])], [value("a", T.FLOAT, ["m", "k"]), value("b", T.FLOAT, ["k", "n"])],
         [value("c", T.FLOAT, ["m", "n"])])
    affine = [node("Gemm", ["x", "w", "b"], ["h"]), node("Relu", ["h"], ["y"])]
    model = save(folder / "affine.onnx", affine, [value("x", T.FLOAT, ["batch", 3])],
                 [value("y", T.FLOAT, ["batch", 2]), value("h", T.FLOAT, ["batch", 2])], w=floats(3, 2), b=floats(2))
    onnx.save(model, folder / "external.onnx", save_as_external_data=True, location="external.bin", size_threshold=0)
    types = {"string": T.STRING, "double": T.DOUBLE, "short": T.INT16, "half": T.FLOAT16, "long": T.INT64, "byte": T.UINT8, "flag": T.BOOL}
    save(folder / "types.onnx", [node("Identity", [name], [f"{name}_out"]) for name in types],
         [value(name, kind, ["n"]) for name, kind in types.items()], [value(f"{name}_out", kind, ["n"]) for name, kind in types.items()])
    save(folder / "doubles.onnx", [node("Add", ["x", "x"], ["y"]), node("Sqrt", ["y"], ["z"])], [value("x", T.DOUBLE, ["n"])],
         [value("y", T.DOUBLE, ["n"]), value("z", T.DOUBLE, ["n"])])
    save(folder / "logic.onnx", [node("And", ["p", "q"], ["both"]), node("Add", ["i", "j"], ["sum"])],
         [value("p", T.BOOL, ["n"]), value("q", T.BOOL, ["n"]), value("i", T.INT64, ["n"]), value("j", T.INT64, ["n"])],
         [value("both", T.BOOL, ["n"]), value("sum", T.INT64, ["n"])])
    image = [node("Conv", ["image", "k"], ["c"], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["r"]), node("GlobalAveragePool", ["r"], ["g"]),
             node("Flatten", ["g"], ["f"]), node("Softmax", ["f"], ["probabilities"])]
    save(folder / "image.onnx", image, [value("image", T.FLOAT, [1, 3, "height", "width"])], [value("probabilities", T.FLOAT, [1, 6])],
         k=floats(6, 3, 3, 3))
    lstm = [node("LSTM", ["x", "w", "r", "", "", "h", "c"], ["y", "hn", "cn"], hidden_size=4)]
    save(folder / "lstm.onnx", lstm, [value("x", T.FLOAT, ["t", 1, 3]), value("h", T.FLOAT, [1, 1, 4]), value("c", T.FLOAT, [1, 1, 4])],
         [value("y", T.FLOAT, ["t", 1, 1, 4]), value("hn", T.FLOAT, [1, 1, 4]), value("cn", T.FLOAT, [1, 1, 4])],
         w=floats(1, 16, 3), r=floats(1, 16, 4))
    save(folder / "cache.onnx", [node("Concat", ["past", "x"], ["present"], axis=0), node("ReduceSum", ["present", "zero"], ["total"], keepdims=0)],
         [value("past", T.FLOAT, ["p", 2]), value("x", T.FLOAT, [1, 2])], [value("present", T.FLOAT, ["t", 2]), value("total", T.FLOAT, [2])],
         zero=np.array([0]))
    save(folder / "nonzero.onnx", [node("NonZero", ["x"], ["places"])], [value("x", T.FLOAT, ["n"])], [value("places", T.INT64, [1, "count"])])
    map_type = helper.make_map_type_proto(T.STRING, helper.make_tensor_type_proto(T.FLOAT, []))
    classifier = [
        node("LinearClassifier", ["x"], ["label", "scores"], domain="ai.onnx.ml", coefficients=[1.0, -1, 0.5, -1, 1, -0.5], intercepts=[0.1, -0.1],
             classlabels_strings=["no", "yes"], post_transform="SOFTMAX"),
        node("ZipMap", ["scores"], ["probabilities"], domain="ai.onnx.ml", classlabels_strings=["no", "yes"]),
    ]
    save(folder / "classifier.onnx", classifier, [value("x", T.FLOAT, ["n", 3])],
         [value("label", T.STRING, ["n"]), helper.make_value_info("probabilities", helper.make_sequence_type_proto(map_type))])
    save(folder / "scalar.onnx", [node("Mul", ["x", "s"], ["y"])], [value("x", T.FLOAT, ["n"]), value("s", T.FLOAT, [])], [value("y", T.FLOAT, ["n"])])
