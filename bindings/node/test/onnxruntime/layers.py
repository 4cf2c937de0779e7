"""Builds the layers of networks as ONNX graphs with random weights, with the operators that exporters write."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CONTRIB = "com.microsoft"
TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "bool": TensorProto.BOOL}


class Graph:
    """A graph under construction. Operators append a node and return the name of its (first) output."""

    def __init__(self, seed: int, parent: "Graph | None" = None) -> None:
        self.parent = parent
        self.random: np.random.Generator = parent.random if parent else np.random.default_rng(seed)
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.root: Graph = parent.root if parent else self
        if not parent:
            self.initializers: dict[tuple[str, tuple[int, ...], bytes], Any] = {}  # equal constants are shared
            self.count = 0

    def name(self) -> str:
        self.root.count += 1
        return f"v{self.root.count}"

    def op(self, kind: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any) -> str:
        return self.ops(kind, *inputs, outputs=outputs, domain=domain, **attributes)[0]

    def ops(self, kind: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: Any) -> list[str]:
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{names[0]}", domain=domain, **attributes))
        return names

    def constant(self, array: Any) -> str:
        array = np.asarray(array)
        key = (str(array.dtype), array.shape, array.tobytes())
        if key not in self.root.initializers:
            self.root.initializers[key] = numpy_helper.from_array(array, self.name())
        return str(self.root.initializers[key].name)

    def ints(self, values: Any) -> str:
        return self.constant(np.asarray(values, np.int64))

    def floats(self, values: Any) -> str:
        return self.constant(np.asarray(values, np.float32))

    def weight(self, *shape: int, scale: float = 0.5) -> str:
        """Makes random weights of deviation scale / sqrt(n). n is the number of inputs per output, or the length of a table's row
        (2-D, scale 1)."""
        rows = shape[0] if len(shape) == 2 and scale != 1 else int(np.prod(shape[1:])) or 1
        return self.floats(self.random.standard_normal(shape) * scale / np.sqrt(max(rows, 1)))

    def add(self, a: str, b: str) -> str:
        return self.op("Add", a, b)

    def gather(self, table: str, indices: str) -> str:
        return self.op("Gather", table, indices)

    def linear(self, x: str, inner: int, outer: int, scale: float = 1.0) -> str:
        matrix = self.floats(self.random.standard_normal((inner, outer)) * scale / np.sqrt(inner))
        return self.add(self.op("MatMul", x, matrix), self.floats(self.random.standard_normal(outer) * 0.02))

    def norm(self, x: str, width: int) -> str:
        scale, bias = self.floats(1 + 0.1 * self.random.standard_normal(width)), self.floats(0.1 * self.random.standard_normal(width))
        return self.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-5)

    def gelu(self, x: str) -> str:
        erf = self.op("Erf", self.op("Div", x, self.floats(np.sqrt(2))))
        return self.op("Mul", self.op("Mul", x, self.add(erf, self.floats(1))), self.floats(0.5))

    def mask_of(self, mask: str) -> str:
        """Converts a mask of ones and zeros [batch, length] to addends of scores [batch, 1, 1, length]."""
        ones = self.op("Cast", self.op("Unsqueeze", mask, self.ints([1, 2])), to=TensorProto.FLOAT)
        return self.op("Mul", self.op("Sub", self.floats(1), ones), self.floats(-10000))

    def input(self, name: str, kind: str, shape: list[Any]) -> None:
        self.inputs.append(helper.make_tensor_value_info(name, TYPES[kind], shape))

    def output(self, name: str, value: str, kind: str, shape: list[Any]) -> None:
        self.nodes.append(helper.make_node("Identity", [value], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, TYPES[kind], shape))

    def proto(self) -> Any:
        constants = [] if self.parent else [value for value in self.initializers.values() if value.name in used_in(self.nodes)]
        return helper.make_graph(self.nodes, "graph", self.inputs, self.outputs, constants)

    def save(self, path: Path) -> None:
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(helper.make_model(self.proto(), opset_imports=opsets, ir_version=8), path)


def used_in(nodes: Any) -> set[str]:
    """Returns the names that nodes and their branches read."""
    names = {name for node in nodes for name in node.input}
    branches = [attribute.g for node in nodes for attribute in node.attribute if attribute.HasField("g")]
    return names.union(*(used_in(branch.node) | {output.name for output in branch.output} for branch in branches))


def heads_of(g: Graph, x: str, heads: int, width: int) -> str:
    return g.op("Transpose", g.op("Reshape", x, g.ints([0, -1, heads, width])), perm=[0, 2, 1, 3])


def attend(g: Graph, q: str, k: str, v: str, width: int, mask: str | None) -> str:
    """Attends from heads q to keys k and values v. Returns [batch, length, heads * width]."""
    scores = g.op("Div", g.op("MatMul", q, g.op("Transpose", k, perm=[0, 1, 3, 2])), g.floats(np.sqrt(width)))
    weights = g.op("Softmax", g.add(scores, mask) if mask else scores, axis=-1)
    merged = g.op("Transpose", g.op("MatMul", weights, v), perm=[0, 2, 1, 3])
    return g.op("Reshape", merged, g.ints([0, 0, -1]))


def encoder(g: Graph, x: str, size: dict[str, int], mask: str | None = None) -> str:
    hidden, heads = size["hidden"], size["heads"]
    for _ in range(size["layers"]):
        q, k, v = (heads_of(g, g.linear(x, hidden, hidden), heads, hidden // heads) for _ in range(3))
        x = g.norm(g.add(x, g.linear(attend(g, q, k, v, hidden // heads, mask), hidden, hidden)), hidden)
        inner = g.gelu(g.linear(x, hidden, 4 * hidden))
        x = g.norm(g.add(x, g.linear(inner, 4 * hidden, hidden)), hidden)
    return x


def whisper_encoder(g: Graph, size: dict[str, int]) -> None:
    hidden = size["hidden"]
    g.input("input_features", "float32", ["batch_size", 80, 3000])
    x = g.gelu(g.op("Conv", "input_features", g.weight(hidden, 80, 3, scale=1), g.weight(hidden), pads=[1, 1]))
    x = g.gelu(g.op("Conv", x, g.weight(hidden, hidden, 3, scale=1), g.weight(hidden), pads=[1, 1], strides=[2]))
    x = g.add(g.op("Transpose", x, perm=[0, 2, 1]), g.weight(1500, hidden, scale=1))
    x = g.norm(encoder(g, x, size), hidden)
    g.output("last_hidden_state", x, "float32", ["batch_size", 1500, hidden])


def whisper_decoder(g: Graph, size: dict[str, int], vocabulary: int) -> None:
    """Builds a decoder with one branch for the first step and one for the steps with a cache, as Optimum merges them."""
    hidden, heads, layers = size["hidden"], size["heads"], size["layers"]
    width = hidden // heads
    g.input("input_ids", "int64", ["batch_size", "decoder_sequence_length"])
    g.input("encoder_hidden_states", "float32", ["batch_size", "encoder_sequence_length", hidden])
    parts = [(layer, part, value) for layer in range(layers) for part in ("decoder", "encoder") for value in ("key", "value")]
    for layer, part, value in parts:
        length = "past_decoder_sequence_length" if part == "decoder" else "encoder_sequence_length_out"
        g.input(f"past_key_values.{layer}.{part}.{value}", "float32", ["batch_size", heads, length, width])
    g.input("use_cache_branch", "bool", [1])
    tokens, places = g.weight(vocabulary, hidden, scale=1), g.weight(448, hidden, scale=1)
    head = g.floats(g.random.standard_normal((hidden, vocabulary)) / np.sqrt(hidden))
    # The bias makes tokens that are not ASCII characters improbable, including the end of the text.
    bias = g.floats(np.where(np.arange(vocabulary) < 128, 0, -100))
    names = ["logits", *(f"present.{layer}.{part}.{value}" for layer, part, value in parts)]
    state = g.random.bit_generator.state

    def branch(has_cache: bool) -> Any:
        g.random.bit_generator.state = state  # both branches have the same weights
        b = Graph(0, g)
        length = b.op("Gather", b.op("Shape", "input_ids"), b.ints(1))
        past = b.op("Gather", b.op("Shape", "past_key_values.0.decoder.key"), b.ints(2)) if has_cache else b.ints(0)
        total = b.add(past, length)
        rows = b.op("Range", past, total, b.ints(1))
        x = b.add(b.gather(tokens, "input_ids"), b.gather(places, rows))
        later = b.op("Less", b.op("Unsqueeze", rows, b.ints([1])), b.op("Range", b.ints(0), total, b.ints(1)))
        mask = b.op("Where", later, b.floats(-10000), b.floats(0))
        outputs: dict[str, str] = {}
        for layer in range(layers):
            q, k, v = (heads_of(b, b.linear(x, hidden, hidden), heads, width) for _ in range(3))
            if has_cache:
                k, v = (b.op("Concat", f"past_key_values.{layer}.decoder.{which}", new, axis=2) for which, new in (("key", k), ("value", v)))
            outputs |= {f"present.{layer}.decoder.key": k, f"present.{layer}.decoder.value": v}
            x = b.norm(b.add(x, b.linear(attend(b, q, k, v, width, mask), hidden, hidden)), hidden)
            q, *cross = (heads_of(b, b.linear(source, hidden, hidden), heads, width) for source in (x, *["encoder_hidden_states"] * 2))
            for which, value in zip(("key", "value"), cross, strict=True):
                empty = b.floats(np.zeros((0, heads, 1, width)))
                outputs[f"present.{layer}.encoder.{which}"] = empty if has_cache else value
            if has_cache:
                cross = [f"past_key_values.{layer}.encoder.{which}" for which in ("key", "value")]
            x = b.norm(b.add(x, b.linear(attend(b, q, *cross, width, None), hidden, hidden)), hidden)
            x = b.norm(b.add(x, b.linear(b.gelu(b.linear(x, hidden, 4 * hidden)), 4 * hidden, hidden)), hidden)
        outputs["logits"] = b.add(b.op("MatMul", x, head), bias)
        needed = prune(b.nodes, set(outputs.values()))
        results = [f"{name}_{'cached' if has_cache else 'first'}" for name in names]
        b.nodes = needed + [helper.make_node("Identity", [outputs[name]], [result]) for name, result in zip(names, results, strict=True)]
        b.outputs = [helper.make_tensor_value_info(result, TensorProto.FLOAT, None) for result in results]
        return b.proto()

    branches = {"then_branch": branch(True), "else_branch": branch(False)}
    g.nodes.append(helper.make_node("If", ["use_cache_branch"], names, **branches))
    shapes = {"logits": ["batch_size", "decoder_sequence_length", vocabulary]}
    g.outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes.get(name, ["batch_size", heads, f"{name}_length", width])) for name in names]


def prune(nodes: list[Any], wanted: set[str]) -> list[Any]:
    """Returns the nodes on which the wanted values depend."""
    kept = []
    for node in reversed(nodes):
        if wanted & set(node.output):
            kept.append(node)
            wanted |= set(node.input)
    return kept[::-1]


def four_bit_product(g: Graph, x: str, inner: int, outer: int) -> str:
    """Multiplies x by random 4-bit weights [inner, outer], with a scale for each block of 32."""
    block, blocks = 32, inner // 32
    packed = g.random.integers(0, 256, (outer, blocks, block // 2)).astype(np.uint8)
    scales = (np.abs(g.random.standard_normal(outer * blocks)) + 0.5) * 0.2 / np.sqrt(inner)
    inputs = (x, g.constant(packed), g.floats(scales))
    return g.op("MatMulNBits", *inputs, domain=CONTRIB, K=inner, N=outer, bits=4, block_size=block)


def table_product(g: Graph, x: str, inner: int, outer: int) -> str:
    """Multiplies x by random weights [inner, outer] of bitsandbytes' type NF4, with a scale for each block of 64."""
    packed = g.random.integers(0, 256, inner * outer // 2).astype(np.uint8)
    scales = (np.abs(g.random.standard_normal(inner * outer // 64)) + 0.5) * 2 / np.sqrt(inner)
    return g.op("MatMulBnb4", x, g.constant(packed), g.floats(scales), domain=CONTRIB, K=inner, N=outer, block_size=64, quant_type=1)


def llama(g: Graph, hidden: int, layers: int, heads: int, kv_heads: int, vocabulary: int, *, dtype: str) -> None:
    """Builds a decoder with a cache. `dtype` is transformers.js' name: fp32 and bnb4 consist of basic operators, and q4 of ONNX Runtime's
    fused operators."""
    width, four_bits = hidden // heads, dtype == "q4"
    for name, length in (("input_ids", "sequence_length"), ("attention_mask", "total_sequence_length")):
        g.input(name, "int64", ["batch_size", length])
    if not four_bits:
        g.input("position_ids", "int64", ["batch_size", "sequence_length"])
    for layer in range(layers):
        for value in ("key", "value"):
            g.input(f"past_key_values.{layer}.{value}", "float32", ["batch_size", kv_heads, "past_sequence_length", width])
    angles = np.outer(np.arange(512), 10000.0 ** (-np.arange(0, width, 2) / width))
    cosines, sines = g.floats(np.cos(angles)), g.floats(np.sin(angles))
    tokens = g.weight(vocabulary, hidden, scale=1)
    x = g.gather(tokens, "input_ids")
    present = ["batch_size", kv_heads, "total_sequence_length", width]

    def product(value: str, inner: int, outer: int) -> str:
        if four_bits:
            return four_bit_product(g, value, inner, outer)
        if dtype == "bnb4":
            return table_product(g, value, inner, outer)
        return g.op("MatMul", value, g.floats(g.random.standard_normal((inner, outer)) / np.sqrt(inner)))

    def rms(value: str) -> str:
        scale = g.floats(1 + 0.1 * g.random.standard_normal(hidden))
        if four_bits:
            return g.op("SimplifiedLayerNormalization", value, scale, axis=-1, epsilon=1e-5)
        mean = g.op("ReduceMean", g.op("Pow", value, g.floats(2)), axes=[-1], keepdims=1)
        return g.op("Mul", scale, g.op("Mul", value, g.op("Div", g.floats(1), g.op("Sqrt", g.add(mean, g.floats(1e-5))))))

    if four_bits:
        sums = g.op("Cast", g.op("ReduceSum", "attention_mask", g.ints([1]), keepdims=1), to=TensorProto.INT32)
        lengths = g.op("Sub", sums, g.constant(np.asarray(1, np.int32)))
        total = g.op("Cast", g.op("Gather", g.op("Shape", "attention_mask"), g.ints(1)), to=TensorProto.INT32)
    else:
        rows = [g.op("Unsqueeze", g.gather(table, "position_ids"), g.ints([1])) for table in (cosines, sines)]
        cosine, sine = (g.op("Concat", row, row, axis=-1) for row in rows)
        count, all_ = (g.op("Gather", g.op("Shape", name), g.ints(1)) for name in ("input_ids", "attention_mask"))
        queries = g.op("Unsqueeze", g.op("Range", g.op("Sub", all_, count), all_, g.ints(1)), g.ints([1]))
        later = g.op("Less", queries, g.op("Range", g.ints(0), all_, g.ints(1)))
        mask = g.add(g.op("Where", later, g.floats(-10000), g.floats(0)), g.mask_of("attention_mask"))

    def rotated(value: str) -> str:
        halves = [g.op("Slice", value, g.ints([a]), g.ints([b]), g.ints([3])) for a, b in ((0, width // 2), (width // 2, width))]
        turned = g.op("Concat", g.op("Neg", halves[1]), halves[0], axis=-1)
        return g.add(g.op("Mul", value, cosine), g.op("Mul", turned, sine))

    for layer in range(layers):
        normed = rms(x)
        q, k, v = (product(normed, hidden, count * width) for count in (heads, kv_heads, kv_heads))
        past = [f"past_key_values.{layer}.{value}" for value in ("key", "value")]
        if four_bits:
            inputs = (q, k, v, *past, lengths, total, cosines, sines)
            merged, k, v = g.ops("GroupQueryAttention", *inputs, outputs=3, domain=CONTRIB, num_heads=heads, kv_num_heads=kv_heads, do_rotary=1)
        else:
            q, k, v = (heads_of(g, value, count, width) for value, count in ((q, heads), (k, kv_heads), (v, kv_heads)))
            k, v = (g.op("Concat", cache, new, axis=2) for cache, new in zip(past, (rotated(k), v), strict=True))
            wide = []
            for value in (k, v):
                five = g.op("Unsqueeze", value, g.ints([2]))
                shape = g.op("Concat", g.op("Slice", g.op("Shape", five), g.ints([0]), g.ints([2])), g.ints([heads // kv_heads]),
                             g.op("Slice", g.op("Shape", five), g.ints([3]), g.ints([5])), axis=0)
                wide.append(g.op("Reshape", g.op("Expand", five, shape), g.ints([0, heads, -1, width])))
            merged = attend(g, rotated(q), *wide, width, mask)
        for value, name in ((k, "key"), (v, "value")):
            g.output(f"present.{layer}.{name}", value, "float32", present)
        x = g.add(x, product(merged, hidden, hidden))
        normed = rms(x)
        gate, up = (product(normed, hidden, 2 * hidden) for _ in range(2))
        x = g.add(x, product(g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), up), 2 * hidden, hidden))
    g.output("logits", product(rms(x), hidden, vocabulary), "float32", ["batch_size", "sequence_length", vocabulary])
    g.outputs = g.outputs[-1:] + g.outputs[:-1]
