"""Tasks in Python that users of ONNX Runtime, NumPy and PyTorch's exporter would try."""

import models
import numpy as np
from PIL import Image
from task import Outcome, Task, close

HEAD = "import json\nimport numpy as np\nimport webnn as ort\n"
LOGITS = 'print(json.dumps(session.run(None, {"input": image})[0].tolist()))\n'

BATCH = (
    HEAD
    + """
session = ort.InferenceSession("cnn.onnx", providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
images = np.load("images.npy")
for batch in (images[:1], images):
    logits = session.run(["logits"], {name: batch})[0]
print(json.dumps(logits.tolist()))
"""
)

FLOAT64 = (
    HEAD
    + """
session = ort.InferenceSession("cnn.onnx")
image = np.load("image64.npy")
"""
    + LOGITS
)

PHOTO = (
    HEAD
    + """
from PIL import Image
session = ort.InferenceSession("cnn.onnx")
photo = Image.open("photo.png").convert("RGB").resize((8, 8))
image = np.asarray(photo).astype(np.float32) / 255
"""
    + LOGITS
)

TOKENS = (
    HEAD
    + """
session = ort.InferenceSession("tokens.onnx")
encoded = {
    "input_ids": [[1, 7, 42, 2], [1, 13, 2, 0]],
    "token_type_ids": [[0, 0, 0, 0], [0, 0, 0, 0]],
    "attention_mask": [[1, 1, 1, 1], [1, 1, 1, 0]],
}
print(json.dumps(session.run(None, encoded)[0].tolist()))
"""
)

INTERMEDIATE = (
    HEAD
    + """
session = ort.InferenceSession("cnn.onnx")
relu = session.run(["/relu/Relu_output_0"], {"input": np.load("image.npy")})[0]
np.save("relu.npy", relu)
"""
)
INTERMEDIATE_THEN = (
    HEAD
    + """
import onnx
model = onnx.load("cnn.onnx")
model.graph.output.append(onnx.ValueInfoProto(name="/relu/Relu_output_0"))
session = ort.InferenceSession(model.SerializeToString())
relu = session.run(["/relu/Relu_output_0"], {"input": np.load("image.npy")})[0]
np.save("relu.npy", relu)
"""
)

BINDING = (
    HEAD
    + """
options = ort.SessionOptions()
options.intra_op_num_threads = 1
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
session = ort.InferenceSession("cnn.onnx", sess_options=options, providers=["CPUExecutionProvider"])
images = np.ascontiguousarray(np.load("images.npy"))
logits = np.empty((3, 5), np.float32)
binding = session.io_binding()
binding.bind_input(name="input", device_type="cpu", device_id=0, element_type=np.float32, shape=images.shape, buffer_ptr=images.ctypes.data)
binding.bind_output(name="logits", device_type="cpu", device_id=0, element_type=np.float32, shape=logits.shape, buffer_ptr=logits.ctypes.data)
session.run_with_iobinding(binding)
images[:] = images[::-1].copy()
session.run_with_iobinding(binding)
print(json.dumps(logits.tolist()))
"""
)

THREADS = (
    HEAD
    + """
from concurrent.futures import ThreadPoolExecutor
session = ort.InferenceSession("cnn.onnx")
images = np.load("images.npy")


def answer(request):
    chosen = [(request + i) % 3 for i in range(1 + request % 2)]
    return session.run(None, {"input": images[chosen]})[0].tolist()


with ThreadPoolExecutor(8) as pool:
    print(json.dumps([row for rows in pool.map(answer, range(60)) for row in rows]))
"""
)

FORK = (
    HEAD
    + """
import multiprocessing
session = ort.InferenceSession("cnn.onnx")  # before the workers are forked, as gunicorn --preload does
images = np.load("images.npy")
session.run(None, {"input": images})


def predict(index):
    return session.run(None, {"input": images[index:index + 1]})[0][0].tolist()


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(json.dumps(pool.map(predict, range(3))))
"""
)

MASKS = (
    HEAD
    + """
session = ort.InferenceSession("detector.onnx")
scores = np.array([0.9, 0.2, 0.7, 0.6], np.float32)
keep = session.run(None, {"scores": scores, "valid": np.array([1, 1, 0, 1])})[0]
print(json.dumps(scores[keep].tolist()))
"""
)

NETWORK = """
import json
import numpy as np
import webnn
rng = np.random.default_rng(0)
w1, b1, w2 = rng.normal(size=(4, 8)), rng.normal(size=8), rng.normal(size=(8, 2))
builder = webnn.MLGraphBuilder(webnn.ML().create_context())
x = builder.input("x", [1, 4], "float32")
hidden = builder.relu(x @ w1 + b1)
y = builder.softmax(hidden @ w2, axis=-1)
builder.build({"y": y}).save("network.webnn")
print(json.dumps(webnn.run("network.webnn", {"x": np.load("x.npy")})["y"].tolist()))
"""
NETWORK_FLOAT32 = NETWORK.replace("x = builder", "w1, b1, w2 = (array.astype(np.float32) for array in (w1, b1, w2))\nx = builder")


def expect_logits(outcome: Outcome) -> None:
    images = np.load(outcome.folder / "images.npy")
    close(outcome.numbers(), models.logits_of(images))


def expect_photo(outcome: Outcome) -> None:
    pixels = np.asarray(Image.open(outcome.folder / "photo.png").convert("RGB").resize((8, 8))) / 255
    close(outcome.numbers(), models.logits_of(pixels.transpose(2, 0, 1)[None]))


def expect_tokens(outcome: Outcome) -> None:
    ids, mask = np.array([[1, 7, 42, 2], [1, 13, 2, 0]]), np.array([[1, 1, 1, 1], [1, 1, 1, 0]])
    close(outcome.numbers(), models.embedding_of(ids, mask))


def expect_requests(outcome: Outcome) -> None:
    expected = models.logits_of(np.load(outcome.folder / "images.npy"))
    close(outcome.numbers(), [expected[(request + i) % 3] for request in range(60) for i in range(1 + request % 2)])


def expect_network(outcome: Outcome) -> None:
    rng = np.random.default_rng(0)
    w1, b1, w2 = rng.normal(size=(4, 8)), rng.normal(size=8), rng.normal(size=(8, 2))
    powers = np.exp(np.maximum(np.load(outcome.folder / "x.npy").astype(float) @ w1 + b1, 0) @ w2)
    close(outcome.numbers(), powers / powers.sum())


FIXED = FORK.replace('"cnn.onnx"', '"linear.onnx"').replace('{"input": images}', '{"x": images}').replace(
    '{"input": images[index:index + 1]}', '{"x": images}').replace("images.npy", "x.npy")


def expect_fixed(outcome: Outcome) -> None:
    close(outcome.numbers(), np.repeat(models.linear_of(np.load(outcome.folder / "x.npy")), 3, axis=0))


TASKS = [
    Task("classify one picture and a batch", [BATCH], [], expect_logits),
    Task(
        "feed what NumPy makes",
        [FLOAT64, FLOAT64.replace("image =", "array =").replace('.npy")', '.npy")\nimage = array.astype(np.float32)')],
        [r'input "input": the array is of float64, not float32: use array\.astype\(np\.float32\)'],
        lambda outcome: close(outcome.numbers(), models.logits_of(np.load(outcome.folder / "image64.npy"))),
    ),
    Task(
        "feed a photo",
        [PHOTO, PHOTO.replace("image =", "array =").replace("/ 255", "/ 255\nimage = array.transpose(2, 0, 1)[np.newaxis]")],
        [r"shape \[8, 8, 3\], not \['batch', 3, 8, 8\]: use array\.transpose\(2, 0, 1\)\[np\.newaxis\]"],
        expect_photo,
    ),
    Task("embed sentences", [TOKENS], [], expect_tokens),
    Task(
        "look at an activation",
        [INTERMEDIATE, INTERMEDIATE_THEN],
        [r"no output '/relu/Relu_output_0'.*model\.graph\.output\.append\(onnx\.ValueInfoProto\(name='/relu/Relu_output_0'\)\)"],
        lambda outcome: close(outcome.array("relu.npy"), models.relu_of(np.load(outcome.folder / "image.npy"))),
    ),
    Task(
        "bind memory once",
        [BINDING],
        [],
        lambda outcome: close(outcome.numbers(), models.logits_of(np.load(outcome.folder / "images.npy")[::-1])),
    ),
    Task("serve from many threads", [THREADS], [], expect_requests),
    Task("fork workers", [FORK], [], expect_logits),
    Task(
        "index by a mask",
        [MASKS, MASKS.replace("np.array([1, 1, 0, 1])", "np.array([1, 1, 0, 1]).astype(bool)")],
        [r'input "valid": the array is of int64, not bool: use array\.astype\(bool\)'],
        lambda outcome: close(outcome.numbers(), [0.9, 0.6]),
    ),
    Task(
        "port a network by hand",
        [
            NETWORK,
            NETWORK_FLOAT32,
            NETWORK_FLOAT32.replace(
                "MLGraphBuilder(webnn.ML().create_context()", "MLGraphBuilder(webnn.ML().create_context(), negative_axes=True"
            ),
        ],
        [r"of float64, which WebNN does not have: use array\.astype\(np\.float32\)", r"negative_axes=True"],
        expect_network,
    ),
]
ADDITIONAL = [Task("fork workers of a model of fixed sizes", [FIXED], [], expect_fixed)]
