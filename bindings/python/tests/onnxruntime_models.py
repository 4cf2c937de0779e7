"""The models of onnxruntime_programs.py, and their inputs and outputs."""

from pathlib import Path
from typing import Any

import numpy as np

INPUTS: dict[str, dict[str, tuple[Any, list[Any]]]] = {  # by model: inputs with type and shape; programs choose "n" and "m"
    **{f"add{opset}": {"a": (np.float32, [2, 3]), "b": (np.float32, [2, 3])} for opset in (7, 13, 21)},
    "external": {"a": (np.float32, [2, 3])},
    "open": {"a": (np.float32, ["n", "m"])},
    "two": {"a": (np.float32, ["n", 3]), "b": (np.float32, ["n", 3])},
    "constant": {"a": (np.float32, [2, 3])},
    "scalar": {"a": (np.float32, [2, 3]), "s": (np.float32, [])},
    **{
        f"same_{n}": {"a": (t, [2, 3])}
        for n, t in {
            "f16": np.float16,
            "f64": np.float64,
            "i8": np.int8,
            "u8": np.uint8,
            "i16": np.int16,
            "u16": np.uint16,
            "i32": np.int32,
            "u32": np.uint32,
            "i64": np.int64,
            "u64": np.uint64,
            "bool": bool,
            "str": str,
        }.items()
    },
    **{
        f"sum_{n}": {"a": (t, ["n", 3]), "b": (t, ["n", 3])}
        for n, t in {"f16": np.float16, "f64": np.float64, "i32": np.int32, "i64": np.int64, "u64": np.uint64}.items()
    },
    "not": {"a": (bool, ["n", 3])},
    "less": {"a": (np.float32, ["n", 3]), "b": (np.float32, ["n", 3])},
    "nonzero": {"a": (np.float32, ["n", "m"])},
    "shape": {"a": (np.float32, ["n", "m"])},
    "reduce": {"a": (np.float32, ["n", 3])},
    "argmax": {"a": (np.float32, ["n", 3])},
    "reshape": {"a": (np.float32, ["n", 3]), "s": (np.int64, [2])},
    "gather": {"a": (np.float32, ["n", 3]), "i": (np.int64, ["k"])},
    "unused": {"a": (np.float32, [2, 3]), "b": (np.float32, [2])},
    "through": {"a": (np.float32, [2, 3])},
    "weight": {"a": (np.float32, [2, 3])},
    "cast": {"a": (np.float32, ["n", 3])},
    "intdiv": {"a": (np.int32, ["n", 3]), "b": (np.int32, ["n", 3])},
    "toseq": {"a": (np.float32, ["n", 3])},
    "fromseq": {"a": ("sequence", ["n", 3])},
    "seqstr": {"a": (str, ["n"])},
    "zipmap": {"a": (np.float32, ["n", 3])},
    "zipmap64": {"a": (np.float32, ["n", 3])},
    "label": {"a": (str, ["n"])},
    "strings": {"a": (str, ["n"]), "b": (str, ["n"])},
    "if": {"q": (bool, []), "a": (np.float32, ["n", 3])},
    "loop": {"m": (np.int64, []), "q": (bool, []), "a": (np.float32, ["n", 3])},
    "rankless": {"a": (np.float32, ["n", 3])},
    "matmul": {"a": (np.float32, ["n", 3]), "b": (np.float32, [3, "m"])},
    "qdq": {"a": (np.float32, ["n", 3])},
    "square": {"a": (np.float32, ["n", "n"]), "b": (np.float32, ["n", 3])},
    "optional_output": {"a": (np.float32, ["n", 3])},
    "bf16": {"a": (np.uint16, [2, 3])},
    "bf16sum": {"a": (np.float32, ["n", 3])},
}
OUTPUTS: dict[str, list[str]] = {
    **{key: ["c"] for key in INPUTS},
    **{key: ["c", "d"] for key in ("open", "two", "constant", "scalar", "shape", "reduce", "intdiv", "toseq", "fromseq", "qdq")},
    **{name: ["c", "d"] for name in INPUTS if name.startswith("same_") or name == "optional_output"},
    **{"argmax": ["c", "d", "e"], "cast": ["c", "d", "e"], "through": ["c", "a"], "weight": ["c", "w"]},
}


def write_models(folder: Path) -> None:  # noqa: PLR0915
    """Writes NAME.onnx for each name in INPUTS."""
    onnx: Any = __import__("onnx")  # the programs run without it
    kinds, helper, numpy_helper, node = onnx.TensorProto, onnx.helper, onnx.numpy_helper, onnx.helper.make_node

    def value(name: str, shape: Any, kind: int = kinds.FLOAT) -> Any:
        return helper.make_tensor_value_info(name, kind, shape)

    def save(
        name: str,
        nodes: Any,
        inputs: Any,
        outputs: Any,
        initializers: Any = (),
        opset: int = 17,
        extra: Any = (),
        external: bool = False,
        ir: int = 8,
    ) -> None:
        graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", opset), *extra], ir_version=ir, producer_name="p", model_version=4
        )
        helper.set_model_props(model, {"k": "v"})
        if external:
            onnx.save(model, folder / f"{name}.onnx", save_as_external_data=True, location=f"{name}.bin", size_threshold=0)
        else:
            (folder / f"{name}.onnx").write_bytes(model.SerializeToString())

    w = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(2, 3), "w")
    for opset in (7, 13, 21):
        save(f"add{opset}", [node("Add", ["a", "b"], ["c"])], [value("a", [2, 3]), value("b", [2, 3])], [value("c", [2, 3])], opset=opset)
    save("external", [node("Add", ["a", "w"], ["c"])], [value("a", [2, 3])], [value("c", [2, 3])], [w], external=True)
    save(
        "open",
        [node("Relu", ["a"], ["c"]), node("Identity", ["a"], ["d"])],
        [value("a", ["n", "m"])],
        [value("c", ["n", "m"]), value("d", ["n", "m"])],
    )
    save(
        "two",
        [node("Add", ["a", "b"], ["c"]), node("Sub", ["a", "b"], ["d"])],
        [value("a", ["n", 3]), value("b", ["n", 3])],
        [value("c", ["n", 3]), value("d", ["n", 3])],
    )
    save(
        "constant",
        [node("Identity", ["w"], ["c"]), node("Identity", ["a"], ["d"])],
        [value("a", [2, 3])],
        [value("c", [2, 3]), value("d", [2, 3])],
        [w],
    )
    save(
        "scalar",
        [node("Mul", ["a", "s"], ["c"]), node("Identity", ["s"], ["d"])],
        [value("a", [2, 3]), value("s", [])],
        [value("c", [2, 3]), value("d", [])],
    )
    types = {
        "f16": kinds.FLOAT16,
        "f64": kinds.DOUBLE,
        "i8": kinds.INT8,
        "u8": kinds.UINT8,
        "i16": kinds.INT16,
        "u16": kinds.UINT16,
        "i32": kinds.INT32,
        "u32": kinds.UINT32,
        "i64": kinds.INT64,
        "u64": kinds.UINT64,
        "bool": kinds.BOOL,
        "str": kinds.STRING,
    }
    for name, kind in types.items():
        save(
            f"same_{name}",
            [node("Identity", ["a"], ["c"]), node("Concat", ["a", "a"], ["d"], axis=0)],
            [value("a", [2, 3], kind)],
            [value("c", [2, 3], kind), value("d", [4, 3], kind)],
        )
    for name in ("f16", "f64", "i32", "i64", "u64"):
        save(
            f"sum_{name}",
            [node("Add", ["a", "b"], ["c"])],
            [value("a", ["n", 3], types[name]), value("b", ["n", 3], types[name])],
            [value("c", ["n", 3], types[name])],
            opset=14,
        )
    save("not", [node("Not", ["a"], ["c"])], [value("a", ["n", 3], kinds.BOOL)], [value("c", ["n", 3], kinds.BOOL)])
    save("less", [node("Less", ["a", "b"], ["c"])], [value("a", ["n", 3]), value("b", ["n", 3])], [value("c", ["n", 3], kinds.BOOL)])
    save("nonzero", [node("NonZero", ["a"], ["c"])], [value("a", ["n", "m"])], [value("c", [2, "k"], kinds.INT64)])
    save(
        "shape",
        [node("Shape", ["a"], ["c"]), node("Size", ["a"], ["d"])],
        [value("a", ["n", "m"])],
        [value("c", [2], kinds.INT64), value("d", [], kinds.INT64)],
    )
    save(
        "reduce",
        [node("ReduceSum", ["a"], ["c"], keepdims=0), node("ReduceMean", ["a"], ["d"], axes=[0], keepdims=1)],
        [value("a", ["n", 3])],
        [value("c", []), value("d", [1, 3])],
    )
    save(
        "argmax",
        [node("ArgMax", ["a"], ["c"], axis=1), node("TopK", ["a", "k"], ["d", "e"], axis=1)],
        [value("a", ["n", 3])],
        [value("c", ["n", 1], kinds.INT64), value("d", ["n", 2]), value("e", ["n", 2], kinds.INT64)],
        [numpy_helper.from_array(np.array([2], np.int64), "k")],
    )
    save("reshape", [node("Reshape", ["a", "s"], ["c"])], [value("a", ["n", 3]), value("s", ["r"], kinds.INT64)], [value("c", None)])
    save("gather", [node("Gather", ["a", "i"], ["c"])], [value("a", ["n", 3]), value("i", ["k"], kinds.INT64)], [value("c", ["k", 3])])
    save("unused", [node("Relu", ["a"], ["c"])], [value("a", [2, 3]), value("b", [2])], [value("c", [2, 3])])
    save("through", [node("Relu", ["a"], ["c"])], [value("a", [2, 3])], [value("c", [2, 3]), value("a", [2, 3])])
    save("weight", [node("Relu", ["a"], ["c"])], [value("a", [2, 3])], [value("c", [2, 3]), value("w", [2, 3])], [w])
    save(
        "cast",
        [
            node("Cast", ["a"], ["c"], to=kinds.INT32),
            node("Cast", ["a"], ["d"], to=kinds.STRING),
            node("Cast", ["a"], ["e"], to=kinds.BOOL),
        ],
        [value("a", ["n", 3])],
        [value("c", ["n", 3], kinds.INT32), value("d", ["n", 3], kinds.STRING), value("e", ["n", 3], kinds.BOOL)],
    )
    save(
        "intdiv",
        [node("Div", ["a", "b"], ["c"]), node("Mod", ["a", "b"], ["d"])],
        [value("a", ["n", 3], kinds.INT32), value("b", ["n", 3], kinds.INT32)],
        [value("c", ["n", 3], kinds.INT32), value("d", ["n", 3], kinds.INT32)],
    )
    seq = helper.make_tensor_sequence_value_info
    save(
        "toseq",
        [node("SequenceConstruct", ["a", "a"], ["c"]), node("Neg", ["a"], ["d"])],
        [value("a", ["n", 3])],
        [seq("c", kinds.FLOAT, None), value("d", ["n", 3])],
    )
    save(
        "fromseq",
        [node("ConcatFromSequence", ["a"], ["c"], axis=0), node("SequenceLength", ["a"], ["d"])],
        [seq("a", kinds.FLOAT, None)],
        [value("c", None), value("d", [], kinds.INT64)],
    )
    save("seqstr", [node("SequenceConstruct", ["a", "a"], ["c"])], [value("a", ["n"], kinds.STRING)], [seq("c", kinds.STRING, None)])
    ml = [helper.make_opsetid("ai.onnx.ml", 3)]
    mapped = helper.make_map_type_proto(kinds.STRING, helper.make_tensor_type_proto(kinds.FLOAT, []))
    mapped64 = helper.make_map_type_proto(kinds.INT64, helper.make_tensor_type_proto(kinds.FLOAT, []))
    save(
        "zipmap",
        [node("ZipMap", ["a"], ["c"], domain="ai.onnx.ml", classlabels_strings=["x", "y", "z"])],
        [value("a", ["n", 3])],
        [helper.make_value_info("c", helper.make_sequence_type_proto(mapped))],
        extra=ml,
    )
    save(
        "zipmap64",
        [node("ZipMap", ["a"], ["c"], domain="ai.onnx.ml", classlabels_int64s=[5, 6, 7])],
        [value("a", ["n", 3])],
        [helper.make_value_info("c", helper.make_sequence_type_proto(mapped64))],
        extra=ml,
    )
    save(
        "label",
        [node("LabelEncoder", ["a"], ["c"], domain="ai.onnx.ml", keys_strings=["a", "b"], values_int64s=[1, 2], default_int64=-1)],
        [value("a", ["n"], kinds.STRING)],
        [value("c", ["n"], kinds.INT64)],
        extra=ml,
    )
    save(
        "strings",
        [node("StringConcat", ["a", "b"], ["c"])],
        [value("a", ["n"], kinds.STRING), value("b", ["n"], kinds.STRING)],
        [value("c", ["n"], kinds.STRING)],
        opset=20,
        ir=9,
    )
    then = helper.make_graph([node("Relu", ["a"], ["t"])], "then", [], [value("t", ["n", 3])])
    other = helper.make_graph([node("Neg", ["a"], ["t2"])], "else", [], [value("t2", ["n", 3])])
    save(
        "if",
        [node("If", ["q"], ["c"], then_branch=then, else_branch=other)],
        [value("q", [], kinds.BOOL), value("a", ["n", 3])],
        [value("c", ["n", 3])],
    )
    body = helper.make_graph(
        [node("Add", ["x", "a"], ["y"]), node("Identity", ["k"], ["k2"])],
        "body",
        [value("i", [], kinds.INT64), value("k", [], kinds.BOOL), value("x", ["n", 3])],
        [value("k2", [], kinds.BOOL), value("y", ["n", 3])],
    )
    save(
        "loop",
        [node("Loop", ["m", "q", "a"], ["c"], body=body)],
        [value("m", [], kinds.INT64), value("q", [], kinds.BOOL), value("a", ["n", 3])],
        [value("c", ["n", 3])],
    )
    save("rankless", [node("Relu", ["a"], ["c"])], [value("a", None)], [value("c", None)])
    save("matmul", [node("MatMul", ["a", "b"], ["c"])], [value("a", ["n", 3]), value("b", [3, "m"])], [value("c", ["n", "m"])])
    save(
        "qdq",
        [node("QuantizeLinear", ["a", "s", "z"], ["c"]), node("DequantizeLinear", ["c", "s", "z"], ["d"])],
        [value("a", ["n", 3])],
        [value("c", ["n", 3], kinds.UINT8), value("d", ["n", 3])],
        [numpy_helper.from_array(np.array(0.5, np.float32), "s"), numpy_helper.from_array(np.array(3, np.uint8), "z")],
        opset=13,
    )
    save("square", [node("MatMul", ["a", "b"], ["c"])], [value("a", ["n", "n"]), value("b", ["n", 3])], [value("c", ["n", 3])])
    save(
        "optional_output",
        [node("Dropout", ["a"], ["c", "d"])],
        [value("a", ["n", 3])],
        [value("c", ["n", 3]), value("d", ["n", 3], kinds.BOOL)],
        opset=13,
    )
    bf = kinds.BFLOAT16
    save("bf16", [node("Identity", ["a"], ["c"])], [value("a", [2, 3], bf)], [value("c", [2, 3], bf)])
    save(
        "bf16sum",
        [node("Cast", ["a"], ["x"], to=bf), node("Cast", ["x"], ["c"], to=kinds.FLOAT)],
        [value("a", ["n", 3])],
        [value("c", ["n", 3])],
    )
