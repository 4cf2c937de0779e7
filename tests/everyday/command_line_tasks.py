"""Tasks at the command line that users of netron, Polygraphy, benchmark_app and jq would try."""

import json

import models
import numpy as np
from PIL import Image
from task import Outcome, Task, close, shows


def expect_linear(outcome: Outcome) -> None:
    close(outcome.array("y.npy"), models.linear_of(np.load(outcome.folder / "x.npy")))


def expect_picture(outcome: Outcome) -> None:
    pixels = np.asarray(Image.open(outcome.folder / "small.png")) / 255
    close(outcome.array("logits.npy"), models.logits_of(pixels.transpose(2, 0, 1)[None]))


def expect_bench(outcome: Outcome) -> None:
    row = outcome.json()["rows"][0]
    assert row["backend"] == "cpu" and row["milliseconds"]["median"] > 0 and row["threads"] == 1


def expect_difference(outcome: Outcome) -> None:
    (operand,) = outcome.json()["comparisons"][0]["operands"]
    assert operand["name"] == "logits" and not operand["agrees"]
    close(operand["absolute"], 0.5)


def expect_nan(outcome: Outcome) -> None:
    rows = np.load(outcome.folder / "rows.npy").astype(float)
    outputs = outcome.json()["outputs"]
    assert [name for name, output in outputs.items() if output.get("nans")] == ["/norm/normalized", "y"]
    close(outputs["/norm/variance"]["values"], rows.var(axis=1))


def expect_values(outcome: Outcome) -> None:
    close(json.loads(outcome.output)["outputs"]["y"]["values"], models.linear_of(np.load(outcome.folder / "x.npy"))[0])


UNICODE = "'Modèles 模型/größe.onnx'"
AFTER = " && webnn run größe.webnn --input input=image.npy --output logits=logits.npy"
TASKS = [
    Task(
        "run a model",
        ["webnn run linear.onnx", "webnn run linear.onnx --input x=x.npy --output y.npy"],
        [r'no value is given for "x" \(float32\[1, 4\]\); use --input x=FILE\.npy'],
        expect_linear,
    ),
    Task(
        "classify a picture",
        ["webnn run cnn.onnx small.png", "webnn run cnn.onnx --image small.png --output logits=logits.npy"],
        [r"an input is given as --image small\.png"],
        expect_picture,
    ),
    Task(
        "look at a model",
        ["webnn info cnn.onnx", "webnn inspect cnn.onnx", "webnn inspect cnn.onnx --dim batch=1"],
        [r"webnn inspect cnn\.onnx", r"--dim batch=1"],
        shows(r"conv2d", r"logits", r"\[1, 3, 8, 8\]"),
    ),
    Task(
        "measure it as benchmark_app does",
        ["webnn bench -m linear.onnx -t 1", "webnn bench linear.onnx -t 1", "webnn bench linear.onnx --threads 1 --json"],
        [r"the model stands alone: webnn bench linear\.onnx", r"here it is --threads"],
        expect_bench,
    ),
    Task("measure what a pipe has", ["cat linear.onnx | webnn bench - --runs 3 --json"], [], expect_bench),
    Task(
        "compare two models",
        ["webnn diff cnn.onnx cnn2.onnx --json -", "webnn diff cnn.onnx cnn2.onnx --dim batch=1 --json -"],
        [r"--dim batch=1"],
        expect_difference,
        status=1,
    ),
    Task(
        "find where NaN begins",
        ["webnn run normalizer.onnx --input x=rows.npy --check-nan", "webnn run normalizer.onnx --input x=rows.npy --all --json"],
        [r"here it is --all"],
        expect_nan,
    ),
    Task(
        "look at an activation",
        [
            "webnn run cnn.onnx --input input=image.npy --output /relu/Relu_output_0",
            "webnn run cnn.onnx --input input=image.npy --output /relu/Relu_output_0=relu.npy",
        ],
        [r"write /relu/Relu_output_0=FILE\.npy"],
        lambda outcome: close(outcome.array("relu.npy"), models.relu_of(np.load(outcome.folder / "image.npy"))),
    ),
    Task(
        "convert a model with weights of its own",
        [f"webnn convert {UNICODE} größe.webnn{AFTER}", f"webnn convert {UNICODE} größe.webnn --dim batch=1{AFTER}"],
        [r"--dim batch=1"],
        lambda outcome: close(outcome.array("logits.npy"), models.logits_of(np.load(outcome.folder / "image.npy"))),
    ),
    Task("results for jq", ["webnn run linear.onnx --input x=x.npy --json | python3 -m json.tool"], [], expect_values),
]
