"""Models and inputs as other tools write them, with results computed by NumPy. `models.py FOLDER` writes all to FOLDER.

Nothing here uses webnn: NumPy computes the models' formulas in double precision.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from numpy.lib.stride_tricks import sliding_window_view
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

random = np.random.default_rng(40)


def uniform(*shape: int) -> np.ndarray:
    return random.uniform(-1, 1, shape).astype(np.float32)


CONV_WEIGHT, CONV_BIAS, FC_WEIGHT, FC_BIAS = uniform(4, 3, 3, 3), uniform(4), uniform(5, 4), uniform(5)
EMBEDDING = uniform(50, 4)
LINEAR_WEIGHT, LINEAR_BIAS = uniform(4, 3), uniform(3)
INT8_WEIGHT = random.integers(-127, 128, (4, 3)).astype(np.int8)
INT8_SCALE = np.array([0.01, 0.02, 0.005], np.float32)


def relu_of(image: np.ndarray) -> np.ndarray:
    windows = sliding_window_view(np.pad(image.astype(float), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3))
    return np.maximum(np.einsum("ncyxij,ocij->noyx", windows, CONV_WEIGHT.astype(float)) + CONV_BIAS[:, None, None], 0)


def logits_of(image: np.ndarray) -> np.ndarray:
    return relu_of(image).mean(axis=(2, 3)) @ FC_WEIGHT.T.astype(float) + FC_BIAS


def embedding_of(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
    kept = mask[..., None].astype(float)
    return (EMBEDDING.astype(float)[ids] * kept).sum(axis=1) / kept.sum(axis=1)


def linear_of(x: np.ndarray) -> np.ndarray:
    return x.astype(float) @ LINEAR_WEIGHT.astype(float) + LINEAR_BIAS


def quantized_of(x: np.ndarray) -> np.ndarray:
    quantized = np.clip(np.rint(x.astype(float) / 0.02) + 128, 0, 255) - 128
    return (quantized * 0.02) @ (INT8_WEIGHT * INT8_SCALE.astype(float))


def value(name: str, data_type: int, shape: list[int | str]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, data_type, shape)


def model(
    name: str,
    nodes: list[onnx.NodeProto],
    inputs: list[onnx.ValueInfoProto],
    outputs: list[onnx.ValueInfoProto],
    initializers: dict[str, np.ndarray],
    **options: object,
) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, name, inputs, outputs, [numpy_helper.from_array(v, k) for k, v in initializers.items()])
    options.setdefault("opset_imports", [helper.make_opsetid("", 17)])
    return helper.make_model(graph, producer_name="pytorch", ir_version=options.pop("ir_version", 8), **options)


def node(kind: str, inputs: str, outputs: str, **attributes: object) -> onnx.NodeProto:
    """Makes a node whose inputs and outputs are separated by spaces; "-" is an input left out."""
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(kind, names, outputs.split(), **attributes)


FLOAT, INT64, BOOL, FLOAT16 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.FLOAT16


def cnn(fc_bias: np.ndarray = FC_BIAS) -> onnx.ModelProto:
    """Makes a small classifier as torch.onnx.export writes it with dynamic_axes={"input": {0: "batch"}}."""
    nodes = [
        node(
            "Conv",
            "input conv1.weight conv1.bias",
            "/conv1/Conv_output_0",
            name="/conv1/Conv",
            pads=[1, 1, 1, 1],
            kernel_shape=[3, 3],
        ),
        node("Relu", "/conv1/Conv_output_0", "/relu/Relu_output_0", name="/relu/Relu"),
        node("GlobalAveragePool", "/relu/Relu_output_0", "/pool/GlobalAveragePool_output_0", name="/pool/GlobalAveragePool"),
        node("Flatten", "/pool/GlobalAveragePool_output_0", "/Flatten_output_0", name="/Flatten", axis=1),
        node("Gemm", "/Flatten_output_0 fc.weight fc.bias", "logits", name="/fc/Gemm", transB=1),
    ]
    return model(
        "main_graph",
        nodes,
        [value("input", FLOAT, ["batch", 3, 8, 8])],
        [value("logits", FLOAT, ["batch", 5])],
        {"conv1.weight": CONV_WEIGHT, "conv1.bias": CONV_BIAS, "fc.weight": FC_WEIGHT, "fc.bias": fc_bias},
    )


def tokens() -> onnx.ModelProto:
    """Makes a model of mean pooling over word vectors, as in exports of sentence transformers. The input token_type_ids is not
    used."""
    nodes = [
        node("Gather", "embeddings.weight input_ids", "words"),
        node("Unsqueeze", "attention_mask last", "mask_column"),
        node("Cast", "mask_column", "mask", to=FLOAT),
        node("Mul", "words mask", "kept"),
        node("ReduceSum", "kept first", "sum", keepdims=0),
        node("ReduceSum", "mask first", "count", keepdims=0),
        node("Div", "sum count", "embedding"),
    ]
    inputs = [value(name, INT64, ["batch", "sequence"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    return model(
        "sentence",
        nodes,
        inputs,
        [value("embedding", FLOAT, ["batch", 4])],
        {"embeddings.weight": EMBEDDING, "last": np.array([-1]), "first": np.array([1])},
    )


def detector() -> onnx.ModelProto:
    """Makes a model that selects the boxes to keep, with a bool mask as input and a bool mask as output."""
    nodes = [node("Greater", "scores threshold", "high"), node("And", "high valid", "keep")]
    return model(
        "detector",
        nodes,
        [value("scores", FLOAT, ["boxes"]), value("valid", BOOL, ["boxes"])],
        [value("keep", BOOL, ["boxes"])],
        {"threshold": np.array(0.5, np.float32)},
    )


def linear(data_type: int = FLOAT, batch: int | str = 1) -> onnx.ModelProto:
    kind = helper.tensor_dtype_to_np_dtype(data_type)
    return model(
        "linear",
        [node("MatMul", "x weight", "product"), node("Add", "product bias", "y")],
        [value("x", data_type, [batch, 4])],
        [value("y", data_type, [batch, 3])],
        {"weight": LINEAR_WEIGHT.astype(kind), "bias": LINEAR_BIAS.astype(kind)},
    )


def quantized() -> onnx.ModelProto:
    """Makes a quantized model as onnxruntime.quantization.quantize_static writes it (QDQ): activations uint8, weights int8 with a
    scale for each column."""
    nodes = [
        node("QuantizeLinear", "x x_scale x_zero_point", "x_quantized"),
        node("DequantizeLinear", "x_quantized x_scale x_zero_point", "x_dequantized"),
        node("DequantizeLinear", "w_quantized w_scale w_zero_point", "w_dequantized", axis=1),
        node("MatMul", "x_dequantized w_dequantized", "y"),
    ]
    return model(
        "qdq",
        nodes,
        [value("x", FLOAT, [2, 4])],
        [value("y", FLOAT, [2, 3])],
        {
            "x_scale": np.array(0.02, np.float32),
            "x_zero_point": np.array(128, np.uint8),
            "w_quantized": INT8_WEIGHT,
            "w_scale": INT8_SCALE,
            "w_zero_point": np.zeros(3, np.int8),
        },
    )


def optional() -> onnx.ModelProto:
    """Makes a model with an omitted optional input, and with weights that are listed as inputs too, as by older exporters."""
    nodes = [node("Clip", "x - high", "clipped"), node("Mul", "clipped scale", "y")]
    return model(
        "optional",
        nodes,
        [value("x", FLOAT, [4]), value("scale", FLOAT, [4]), value("high", FLOAT, [])],
        [value("y", FLOAT, [4])],
        {"high": np.array(1, np.float32), "scale": np.array([1, 2, 3, 4], np.float32)},
        ir_version=3,
        opset_imports=[helper.make_opsetid("", 11)],
    )


def normalizer() -> onnx.ModelProto:
    """Makes a model that normalizes rows without an epsilon, so that a constant row becomes 0 / 0 = NaN."""
    nodes = [
        node("ReduceMean", "x", "/norm/mean", axes=[1]),
        node("Sub", "x /norm/mean", "/norm/centered"),
        node("Mul", "/norm/centered /norm/centered", "/norm/squares"),
        node("ReduceMean", "/norm/squares", "/norm/variance", axes=[1]),
        node("Sqrt", "/norm/variance", "/norm/deviation"),
        node("Div", "/norm/centered /norm/deviation", "/norm/normalized"),
        node("Tanh", "/norm/normalized", "y"),
    ]
    return model("normalizer", nodes, [value("x", FLOAT, [2, 4])], [value("y", FLOAT, [2, 4])], {})


def pieces() -> onnx.ModelProto:
    """Makes a model with an output that is a sequence of tensors."""
    output = helper.make_tensor_sequence_value_info("pieces", FLOAT, None)
    return model("pieces", [node("SplitToSequence", "x", "pieces", axis=0)], [value("x", FLOAT, [4, 2])], [output], {})


def classical() -> onnx.ModelProto:
    """Makes a logistic regression as skl2onnx writes it: operations of the ai.onnx.ml domain."""
    nodes = [
        node(
            "LinearClassifier",
            "float_input",
            "label probabilities",
            domain="ai.onnx.ml",
            coefficients=[1.0, 2.0, -1.0, -2.0],
            intercepts=[0.0, 0.0],
            classlabels_ints=[0, 1],
            post_transform="SOFTMAX",
        )
    ]
    return model(
        "classical",
        nodes,
        [value("float_input", FLOAT, ["rows", 2])],
        [value("label", INT64, ["rows"]), value("probabilities", FLOAT, ["rows", 2])],
        {},
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)],
    )


def write(folder: Path) -> None:
    changed = FC_BIAS.copy()
    changed[3] += 0.5
    for name, made in {
        "cnn": cnn(),
        "cnn2": cnn(changed),
        "tokens": tokens(),
        "detector": detector(),
        "linear": linear(),
        "fp16": linear(FLOAT16),
        "qdq": quantized(),
        "optional": optional(),
        "normalizer": normalizer(),
        "open": linear(batch="batch"),
    }.items():
        onnx.checker.check_model(made, full_check=True)
        onnx.save(made, folder / f"{name}.onnx")
    onnx.save(pieces(), folder / "pieces.onnx")
    onnx.save(classical(), folder / "classical.onnx")
    unicode = folder / "Modèles 模型"
    unicode.mkdir(exist_ok=True)
    onnx.save(cnn(), unicode / "größe.onnx", save_as_external_data=True, location="größe.weights", size_threshold=0)

    images = uniform(3, 3, 8, 8)
    np.save(folder / "images.npy", images)
    images[:1].tofile(folder / "image.bin")
    np.save(folder / "image64.npy", images[:1].astype(np.float64))
    np.save(folder / "image.npy", images[:1])
    np.save(folder / "logits.npy", logits_of(images))
    pixels = random.integers(0, 256, (12, 20, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(folder / "photo.png")
    Image.fromarray(pixels[:8, :8]).save(folder / "small.png")
    (folder / "small.rgb").write_bytes(pixels[:8, :8].tobytes())
    x = uniform(2, 4)
    np.save(folder / "x.npy", x[:1])
    np.save(folder / "x2.npy", x)
    rows = x.copy()
    rows[1] = 0.25
    np.save(folder / "rows.npy", rows)
    (folder / "labels.txt").write_text("".join(f"class {i}\n" for i in range(5)))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
