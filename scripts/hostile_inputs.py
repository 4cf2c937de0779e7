"""Makes hostile files of every format that the tool reads. They are the same on every machine.

`make(number)` returns the files of case `number`: small valid files that are damaged, or attacks on memory, time, stacks
and terminals. `number` is the seed of everything that is random.
"""

import base64
import json
import random
import struct
import zlib
from dataclasses import dataclass, field


@dataclass
class Case:
    what: str
    files: dict[str, bytes]  # name -> content; the tool gets the first file
    command: list[str]  # the command without the tool; FILE is the first file
    sparse: dict[str, int] = field(default_factory=dict)  # name -> size of files that are extended by a hole without content


# --- Small valid files.

TEXT = """webnn_graph "small" v2 {
  inputs { x: f32[1, 3, 8, 8]; m: f32[4, 4]; }
  consts {
    w: f32[4, 3, 3, 3] @weights("w");
    b: f32[4] @bytes([0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64]);
    half: f32[] @scalar(0.5);
  }
  nodes {
    c = conv2d(x, w, b, padding=[1, 1, 1, 1], label="stem");
    r = relu(c);
    p = averagePool2d(r, windowDimensions=[2, 2], strides=[2, 2]);
    [s0, s1] = split(p, splits=2, axis=1);
    k = concat(s0, s1, axis=1);
    f = reshape(k, newShape=[4, 16]);
    g = matmul(m, f);
    h = mul(g, half);
    y = softmax(h, axis=1);
  }
  outputs { y; }
}
"""


# The output of `webnn convert` for graph_json(True).
BINARY = (
    "eNoLd3Xy83OX4mJkgIAMGAMIdKA0IwMrA0xYEIiNoLQ6EGsCsTkQewKxOxC3ArE4EBfnJubkAGkWsH5muJmcQCwEpUUQVjFUQGkm"
    "qB4QZgbrQ3IQEAhgMYcHST4JSrNAaQ4k+0FmSwKxEhDLAjEf1A0wGzyRzJGEygtA5YtLc8Hi/4HgHxAzQu1PhKr/CxRjgKoFiVci"
    "uYMRCP/gkGdgaLBHxgBugR7p"
)


def binary_graph() -> bytes:
    return zlib.decompress(base64.b64decode(BINARY))


def graph_json(inline: bool = False) -> dict:
    source = {"kind": "inlineBytes", "bytes": [0, 0, 128, 63] * 4} if inline else {"kind": "weights", "ref": "b"}
    return {
        "format": "webnn-graph-json",
        "version": 2,
        "name": "small",
        "inputs": {"x": {"dataType": "float32", "shape": [2, 4]}},
        "consts": {"b": {"dataType": "float32", "shape": [4], "init": source}},
        "nodes": [
            {"id": "a", "op": "add", "inputs": ["x", "b"], "options": {"label": "sum"}},
            {"id": "y", "op": "relu", "inputs": ["a"]},
        ],
        "outputs": {"y": "y"},
    }


def graph_info() -> dict:
    def operand(kind: str, shape: list[int], name: str | None = None) -> dict:
        return {"kind": kind, "descriptor": {"data_type": "float32", "shape": shape}, "name": name}

    return {
        "operands": [operand("input", [2, 4], "x"), operand("constant", [4]), operand("output", [2, 4]), operand("output", [2, 4], "y")],
        "input_operands": [0],
        "output_operands": [3],
        "operations": [
            {"type": "add", "input_operands": [0, 1], "output_operand": 2},
            {"type": "relu", "input_operands": [2], "output_operand": 3, "attributes": {}, "label": "last"},
        ],
        "constant_operand_ids_to_handles": {"1": {"data": "AACAPwAAgD8AAIA/AACAPw=="}},
    }


def safetensors(tensors: dict[str, tuple[str, list[int], bytes]], padding: int = 0) -> bytes:
    header, data = {}, b""
    for key, (dtype, shape, content) in tensors.items():
        header[key] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode() + b" " * padding
    return struct.pack("<Q", len(text)) + text + data


WEIGHTS = {"w": ("F32", [4, 3, 3, 3], b"\0\0\x80?" * 108), "b": ("F32", [4], b"\0\0\x80?" * 4)}


def manifest() -> tuple[bytes, bytes]:
    blob, tensors = b"WGWT\1\0\0\0", {}
    for key, (_, shape, content) in WEIGHTS.items():
        tensors[key] = {"dataType": "float32", "shape": shape, "byteOffset": len(blob), "byteLength": len(content)}
        blob += content
    return json.dumps({"format": "wg-weights-manifest", "version": 1, "endianness": "little", "tensors": tensors}).encode(), blob


def npy(shape: str = "(1, 3, 8, 8)", descr: str = "<f4", data: bytes = b"\0\0\x80?" * 192) -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", min(len(header), 65535)) + header.encode() + data


def png(width: int, height: int, data: bytes | None = None, color: int = 2, depth: int = 8, level: int = 9) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    if data is None:
        compressor = zlib.compressobj(level)
        row = b"\0" + bytes((width * channels * depth + 7) // 8)
        data = b"".join(compressor.compress(row) for _ in range(height)) + compressor.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


# Encodes a protobuf message: fields in order, numbers as varints, texts and messages as bytes.
def message(*fields: tuple[int, int | bytes | str]) -> bytes:
    def varint(value: int) -> bytes:
        value &= (1 << 64) - 1
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes(out + bytes([value]))

    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(content)) + content
    return out


def onnx_value(name: str, dims: list[int | str], kind: int = 1) -> bytes:
    shape = message(*[(1, message((1, d) if isinstance(d, int) else (2, d))) for d in dims])
    return message((1, name), (2, message((1, message((1, kind), (2, shape))))))


def onnx_tensor(name: str, dims: list[int], data: bytes, kind: int = 1, *more: tuple[int, int | bytes | str]) -> bytes:
    return message(*[(1, d) for d in dims], (2, kind), (8, name), *([(9, data)] if data else []), *more)


def onnx_node(op: str, inputs: list[str], outputs: list[str], *attributes: bytes, domain: str = "") -> bytes:
    parts: list[tuple[int, int | bytes | str]] = [(1, name) for name in inputs] + [(2, name) for name in outputs]
    return message(*parts, (4, op), *[(5, a) for a in attributes], *([(7, domain)] if domain else []))


def onnx_graph(nodes: list[bytes], inputs: list[bytes], outputs: list[bytes], tensors: list[bytes] = []) -> bytes:
    parts: list[tuple[int, int | bytes | str]] = [(1, n) for n in nodes]
    return message(*parts, (2, "g"), *[(5, t) for t in tensors], *[(11, v) for v in inputs], *[(12, v) for v in outputs])


def onnx_model(graph: bytes, functions: list[bytes] = []) -> bytes:
    opsets: list[tuple[int, int | bytes | str]] = [(8, message((1, ""), (2, 21))), (8, message((1, "f"), (2, 1)))]
    return message((1, 9), (7, graph), *opsets, *[(25, f) for f in functions])


def small_onnx() -> bytes:
    nodes = [onnx_node("Add", ["x", "b"], ["a"]), onnx_node("Relu", ["a"], ["y"])]
    return onnx_model(
        onnx_graph(nodes, [onnx_value("x", [2, 4])], [onnx_value("y", [2, 4])], [onnx_tensor("b", [4], b"\0\0\x80?" * 4)])
    )


def text_graph(nodes: str, outputs: str = "y", inputs: str = "x: f32[4];", consts: str = "") -> bytes:
    sections = (f"consts {{ {consts} }} " if consts else "") + f"nodes {{ {nodes} }} outputs {{ {outputs}; }}"
    return f'webnn_graph "g" v2 {{ inputs {{ {inputs} }} {sections} }}'.encode()


# --- Damage.

INTERESTING = ["0", "-1", "1e999", "4294967295", "4294967296", "18446744073709551615", "2147483647", "9" * 400, "NaN", "[]", "{}", "null"]
ESCAPES = ["\x1b[2J\x1b]0;x\x07", "\u202eevil\u202c", "\u200b\u2066", "a\nb\rc", "\x9b31m", "\x7f", "\x00", "\\u001b[31m", "\ufeff", "\U000e0001"]


def damaged(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(8)
        if kind == 0:
            del data[at:]
        elif kind == 1 and data:
            data[min(at, len(data) - 1)] = rng.randrange(256)
        elif kind == 2:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9)))
        elif kind == 3:
            del data[at : at + rng.randrange(1, 20)]
        elif kind == 4:
            end = min(len(data), at + rng.randrange(1, 200))
            data[at:at] = data[at:end] * rng.randrange(1, 20)
        elif kind == 5:
            data[at:at] = rng.choice(INTERESTING).encode()
        elif kind == 6:
            data[at:at] = rng.choice(ESCAPES).encode("utf-8", "surrogatepass")
        else:
            end = min(len(data), at + 8)
            data[at:end] = struct.pack("<Q", rng.choice([0, 2**31 - 1, 2**32 - 1, 2**63, 2**64 - 1]))[: end - at]
        if not data:
            data = bytearray(b"\0")
    return bytes(data)


def base_case(rng: random.Random) -> Case:
    """Returns valid files; the caller damages one of them."""
    kind = rng.randrange(10)
    run = ["run", "FILE", "--quiet"]
    if kind == 0:
        return Case("text", {"g.webnn": TEXT.encode(), "g.safetensors": safetensors(WEIGHTS)}, [*run, "--input", "x=zeros", "--input", "m=ones"])
    if kind == 1:
        return Case("json", {"g.json": json.dumps(graph_json(True)).encode()}, [*run, "--input", "x=random:1"])
    if kind == 2:
        return Case("json and weights", {"g.json": json.dumps(graph_json()).encode(), "g.safetensors": safetensors(WEIGHTS)}, [*run, "--input", "x=ones"])
    if kind == 3:
        return Case("GraphInfo", {"g.json": json.dumps(graph_info()).encode()}, [*run, "--input", "x=ones"])
    if kind == 4:
        text, blob = manifest()
        return Case("manifest", {"g.webnn": TEXT.encode(), "g.weights": blob, "g.manifest.json": text}, [*run, "--input", "x=zeros", "--input", "m=ones"])
    if kind == 5:
        return Case("onnx", {"g.onnx": small_onnx()}, [*run, "--input", "x=ones"])
    images = text_graph("y = relu(x);", inputs="x: f32[1, 3, 8, 8];")
    if kind == 6:
        return Case("npy", {"g.webnn": images, "x.npy": npy()}, [*run, "--input", "x=x.npy"])
    if kind == 7:
        return Case("png", {"g.webnn": images, "x.png": png(16, 16, color=rng.choice([0, 2, 4, 6]))}, [*run, "--image", "x=x.png"])
    if kind == 8:
        return Case("binary", {"g.webnnb": binary_graph()}, [*run, "--input", "x=ones"])
    external = message((13, message((1, "location"), (2, "data"))), (13, message((1, "offset"), (2, "0"))), (14, 1))
    tensor = onnx_tensor("b", [4], b"") + external
    graph = onnx_graph([onnx_node("Add", ["x", "b"], ["y"])], [onnx_value("x", [4])], [onnx_value("y", [4])], [tensor])
    return Case("onnx external data", {"g.onnx": onnx_model(graph), "data": b"\0\0\x80?" * 4}, [*run, "--input", "x=ones"])


COMMANDS = [
    ["check", "FILE"],
    ["check", "FILE", "--json"],
    ["inspect", "FILE"],
    ["inspect", "FILE", "--format=json"],
    ["inspect", "FILE", "--format=dot"],
    ["inspect", "FILE", "--dump-passes"],
    ["inspect", "FILE", "--placement"],
    ["convert", "FILE", "out/a.webnn"],
    ["convert", "FILE", "out/a.json", "--weights-format", "inline"],
    ["convert", "FILE", "out/a.webnnb"],
    ["convert", "FILE", "out/a.onnx"],
    ["diff", "FILE", "--backends", "cpu,reference", "--max-memory", "32MB"],
]


def damaged_case(rng: random.Random) -> Case:
    case = base_case(rng)
    name = rng.choice(list(case.files))
    case.files[name] = damaged(case.files[name], rng)
    case.what = f"damaged {case.what}: {name}"
    if rng.random() < 0.6:
        case.command = rng.choice(COMMANDS)
    return case


# --- Attacks. An argument `size` is a number from 0 to 1; for 1, most functions make a file of some megabytes.


def many(size: float, most: int) -> int:
    return max(1, int(most**size))


def attack_text_nodes(rng: random.Random, size: float) -> bytes:
    n = many(size, 300_000)
    return text_graph("".join(f"a{i}=b();" for i in range(n)))


def attack_text_chain(rng: random.Random, size: float) -> bytes:
    n = many(size, 12_000)
    op = rng.choice(["relu", "neg", "tanh", "identity", "abs"])
    return text_graph(" ".join(f"a{i + 1}={op}(a{i});" for i in range(n)), f"a{n}", "a0: f32[4];")


def attack_text_lists(rng: random.Random, size: float) -> bytes:
    n = many(size, 2_000_000)
    item = rng.choice(["0", "[]", "{}", '"x"', "[0]"])
    return text_graph(f"y = reshape(x, newShape=[{','.join([item] * n)}]);")


def attack_text_inputs(rng: random.Random, size: float) -> bytes:
    n = many(size, 200_000)
    kind = rng.randrange(3)
    if kind == 0:
        return text_graph("y = relu(i0);", inputs=" ".join(f"i{i}:f32[1];" for i in range(n)))
    if kind == 1:
        return text_graph(f"y = concat({','.join(['x'] * n)}, axis=0);")
    return text_graph("y = relu(x);", inputs="x: f32[4]; " + " ".join(f'd{i}:f32[dyn("d{i}",4)];' for i in range(n // 4 + 1)))


def attack_text_outputs(rng: random.Random, size: float) -> bytes:
    n = many(size, 400_000)
    if rng.random() < 0.5:
        return text_graph("y = relu(x);", ",".join(f"y{i}=y" for i in range(n)))
    return text_graph(f"[{','.join(f'p{i}' for i in range(n))}] = split(x, splits={n});", "p0", f"x: f32[{n}];")


def attack_text_splits(rng: random.Random, size: float) -> bytes:
    n, parts = many(size, 4_000), rng.choice([2, 4096, 8192])
    return text_graph(" ".join(f"p{i} = split(x, splits={parts});" for i in range(n)), "p0", f"x: u8[{parts}];")


def attack_long_name(rng: random.Random, size: float) -> bytes:
    name = rng.choice(["n", "\x1b[31m", "\u202e", "é", "\\\\"]) * many(size, 1_500_000)
    return rng.choice(
        [
            lambda: text_graph(f'"{name}" = relu(x); y = relu("{name}");'),
            lambda: text_graph(f'y = relu(x, label="{name}");'),
            lambda: text_graph(f'y = "{name}"(x);'),
            lambda: text_graph("y = relu(x);", f'"{name}"=z'),
            lambda: text_graph(f'y = relu("{name}");'),
            lambda: json.dumps({"format": name, "version": 2}).encode(),
            lambda: json.dumps(graph_json(True) | {"inputs": {name: {"dataType": name, "shape": []}}}).encode(),
            lambda: json.dumps({name: 1, "operands": [{name: name}]}).encode(),
            lambda: onnx_model(onnx_graph([onnx_node(name, ["x"], ["y"])], [onnx_value("x", [4])], [onnx_value("y", [4])])),
            lambda: onnx_model(onnx_graph([onnx_node("Relu", [name], ["y"])], [onnx_value("x", [4])], [onnx_value("y", [4])])),
        ]
    )()


def attack_escapes(rng: random.Random, size: float) -> bytes:
    name = rng.choice(ESCAPES[:-4]).replace('"', "") + "x"
    return rng.choice(
        [
            lambda: text_graph(f'"{name}" = relu(x);', f'"{name}"'),
            lambda: text_graph(f'y = add(x, x, label="{name}"); z = reshape(y, newShape=[3]);', "z"),
            lambda: text_graph("y = relu(x);", inputs=f'x: f32[4]; "{name}": f32[dyn("{name}", 4)];'),
            lambda: onnx_model(onnx_graph([onnx_node("Relu", [name], [name + "y"])], [onnx_value(name, [4])], [onnx_value(name + "y", [4])])),
            lambda: onnx_model(onnx_graph([onnx_node(name, ["x"], ["y"], domain=name)], [onnx_value("x", [name])], [onnx_value("y", [4])])),
        ]
    )()


def attack_json(rng: random.Random, size: float) -> bytes:
    n = many(size, 2_000_000)
    item = rng.choice(["0", "[]", "{}", '""', '{"id":"a","op":"b","inputs":[]}', "null", "1.5", "[[[]]]"])
    where = rng.randrange(6)
    text = ",".join([item] * min(n, 8_000_000 // (len(item) + 1)))
    if where == 0:
        return f"[{text}]".encode()
    if where == 1:
        return f'{{"format":"webnn-graph-json","version":2,"inputs":{{}},"outputs":{{}},"nodes":[{text}]}}'.encode()
    if where == 2:
        return f'{{"operands":[{text}]}}'.encode()
    if where == 3:
        members = ",".join(f'"{i:x}":{item}' for i in range(min(n, 400_000)))
        return f'{{"format":"webnn-graph-json","version":2,"nodes":[],"outputs":{{}},"inputs":{{{members}}}}}'.encode()
    if where == 4:
        info = graph_info()
        info[rng.choice(["input_operands", "output_operands"])] = [0] * min(n, 1_000_000)
        return json.dumps(info, separators=(",", ":")).encode()
    graph = graph_json(True)
    graph["nodes"][0]["options"] = {"label": "x", "bytes": [0] * n} if rng.random() < 0.5 else {"axes": [0] * n}
    return json.dumps(graph, separators=(",", ":")).encode()


def attack_nesting(rng: random.Random, size: float) -> bytes:
    n = many(size, 2_000_000)
    return rng.choice(
        [
            lambda: b"[" * n,
            lambda: b'{"a":' * n,
            lambda: b'{"operands":' + b"[" * n,
            lambda: text_graph("y = relu(" + "[" * n),
            lambda: text_graph("y = relu(x, a=" + "{a:" * n),
            lambda: b"#" * n,
            lambda: b" " * n,
            lambda: b'"' * n,
            lambda: b"-" * n + b"1",
            lambda: b"\\" * n,
        ]
    )()


def attack_fold(rng: random.Random, size: float) -> bytes:
    n = many(size, 2_000)
    big = rng.choice([1024, 4096, 1 << 20, 1 << 24, (1 << 31) - 1])
    return rng.choice(
        [
            lambda: text_graph("y = add(x, c);", consts=f"c: f32[{big}] @scalar(1);"),
            lambda: text_graph("y = add(x, c0);", consts=" ".join(f"c{i}: u8[{big}] @scalar(1);" for i in range(n))),
            lambda: text_graph(f"e = expand(c, newShape=[{big}]); y = add(x, e);", consts="c: f32[] @scalar(1);", inputs=f"x: f32[{min(big, 1 << 29)}];"),
            lambda: text_graph(
                "t0 = tile(c, repetitions=[64, 64]); "
                + " ".join(f"t{i + 1} = matmul(t{i}, t{i});" for i in range(n))
                + f" y = reshape(t{n}, newShape=[4096]);",
                consts="c: f32[1, 1] @scalar(1);",
            ),
            lambda: text_graph(
                " ".join(f"s{i + 1} = add(s{i}, s{i});" for i in range(n)) + f" y = mul(x, s{n});", consts="s0: f32[4] @scalar(1);"
            ),
            lambda: text_graph(
                " ".join(f"s{i + 1} = concat(s{i}, s{i}, axis=0);" for i in range(min(n, 40))) + f" y = relu(s{min(n, 40)});",
                consts="s0: f32[4] @scalar(1);",
            ),
            lambda: text_graph(" ".join(f"s{i + 1} = concat(s{i}, s{i}, axis=0);" for i in range(min(n, 29))), f"s{min(n, 29)}", "s0: u8[2];"),
        ]
    )()


def attack_onnx(rng: random.Random, size: float) -> bytes:
    n = many(size, 40_000)
    x, y = [onnx_value("x", [4])], [onnx_value("y", [4])]

    def call_tree(depth: int) -> bytes:
        functions = []
        for i in range(depth):
            calls = [onnx_node(f"f{i + 1}", ["a"], ["b"], domain="f"), onnx_node(f"f{i + 1}", ["b"], ["c"], domain="f")]
            body = calls if i + 1 < depth else [onnx_node("Relu", ["a"], ["c"])]
            functions.append(
                message((1, f"f{i}"), (4, "a"), (5, "c"), *[(7, node) for node in body], (9, message((1, ""), (2, 21))), (9, message((1, "f"), (2, 1))), (10, "f"))
            )
        return onnx_model(onnx_graph([onnx_node("f0", ["x"], ["y"], domain="f")], x, y), functions)

    def chain(op: str) -> bytes:
        nodes = [onnx_node(op, [f"a{i}"], [f"a{i + 1}"]) for i in range(n)]
        return onnx_model(onnx_graph(nodes, [onnx_value("a0", [4])], [onnx_value(f"a{n}", [4])]))

    def constant(dims: list[int], count: int) -> bytes:
        return onnx_tensor("c", dims, b"\0" * count)

    def nested(depth: int) -> bytes:
        graph = onnx_graph([onnx_node("Identity", ["x"], ["y"])], [], y)
        for _ in range(depth):
            branches = [message((1, which), (6, graph), (20, 5)) for which in ("then_branch", "else_branch")]
            graph = onnx_graph([onnx_node("If", ["p"], ["y"], *branches)], [], y)
            if len(graph) > 4_000_000:
                break
        return onnx_model(graph)

    return rng.choice(
        [
            lambda: call_tree(rng.choice([2, 20, 40, 100])),
            lambda: chain(rng.choice(["Relu", "Identity", "Neg", "Nonsense"])),
            lambda: onnx_model(onnx_graph([onnx_node("Add", ["x", "c"], ["y"])], x, y, [constant([2**31 - 1], 16)])),
            lambda: onnx_model(onnx_graph([onnx_node("Add", ["x", "c"], ["y"])], x, y, [constant([2**40, 2**40], 16)])),
            lambda: onnx_model(onnx_graph([onnx_node("Expand", ["c", "s"], ["y"])], x, y, [constant([1], 4), onnx_tensor("s", [1], struct.pack("<q", 2**30), 7)])),
            lambda: onnx_model(onnx_graph([onnx_node("Range", ["a", "b", "d"], ["y"])], x, y, [onnx_tensor(k, [], struct.pack("<q", v), 7) for k, v in (("a", 0), ("b", 2**31), ("d", 1))])),
            lambda: onnx_model(onnx_graph([onnx_node("Add", ["y", "y"], ["y"])], x, y)),
            lambda: onnx_model(onnx_graph([onnx_node("Relu", ["b"], ["a"]), onnx_node("Relu", ["a"], ["b"])], x, [onnx_value("a", [4])])),
            lambda: nested(rng.choice([1, 8, 16, 40])),
            lambda: onnx_model(onnx_graph([], x, [onnx_value(f"o{i}", [4]) for i in range(n)])),
            lambda: onnx_model(onnx_graph([onnx_node("Concat", ["x"] * n, ["y"])], x, y)),
            lambda: onnx_model(onnx_graph([onnx_node("Split", ["x"], ["y"] + [""] * n)], x, y)),
        ]
    )()


def attack_safetensors(rng: random.Random, size: float) -> dict[str, bytes]:
    n = many(size, 150_000)
    header = rng.choice(
        [
            lambda: "{" + ",".join(f'"{i:x}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for i in range(n)) + "}",
            lambda: '{"a":{"dtype":"F32","shape":[' + ",".join(["1"] * n) + '],"data_offsets":[0,4]}}',
            lambda: '{"' + "\\u001b" * n + '":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
            lambda: '{"__metadata__":{' + ",".join(f'"{i:x}":""' for i in range(n)) + "}}",
            lambda: "{" + '"a":{' * n,
            lambda: '{"a":{"dtype":"' + "F" * n + '","shape":[1],"data_offsets":[0,4]}}',
            lambda: "{" + " " * n + "}",
        ]
    )()
    length = rng.choice([len(header), len(header), len(header), 2**63, 100_000_001, len(header) + 1])
    return {"g.safetensors": struct.pack("<Q", length) + header.encode() + b"\0\0\0\0"}


def attack_manifest(rng: random.Random, size: float) -> dict[str, bytes]:
    n = many(size, 100_000)
    entry = rng.choice(['{"byteOffset":8,"byteLength":0}', "{}", "[]", '{"byteOffset":18446744073709551615,"byteLength":1}'])
    text = '{"tensors":{' + ",".join(f'"{i:x}":{entry}' for i in range(n)) + "}}"
    return {"g.weights": b"WGWT\1\0\0\0", "g.manifest.json": text.encode()}


def attack_image(rng: random.Random, size: float) -> bytes:
    side = rng.choice([1, 100, 4000, 8000, 16000, 32767, 32768, 65535])
    kind = rng.randrange(5)
    if kind == 0:
        return png(side, side, zlib.compress(b"\0" * 1000))
    if kind == 1:  # inflates to much more than the size that the header declares
        return png(side, min(side, 3000), zlib.compress(b"\0" * many(size, 60_000_000), 9), color=rng.choice([0, 2, 6]))
    if kind == 2:
        return png(min(side, 8000), min(side, 6000), level=1 if side < 5000 else 9, color=rng.choice([0, 6]))
    if kind == 3:  # a JPEG header alone
        frame = struct.pack(">BHHB", 8, side % 65536, side % 65536, 3) + b"\1\x22\0\2\x11\0\3\x11\0"
        return b"\xff\xd8\xff" + rng.choice([b"\xc0", b"\xc2"]) + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0" + bytes(100)
    return b"BM" + struct.pack("<IIIIiiHHIIiiII", 0, 0, 54, 40, side, rng.choice([side, -side]), 1, rng.choice([1, 8, 24, 32]), 0, 0, 0, 0, 0, 0) + bytes(200)


def attack_npy(rng: random.Random, size: float) -> bytes:
    n = many(size, 1_000_000)
    shape = rng.choice(["(2147483647,)", "(4294967296, 4294967296)", f"({'1, ' * n})", "(-1,)", "(0,)", f"({'9' * n},)"])
    return npy(shape, rng.choice(["<f4", ">f4", "|O", "<f4" * many(size, 10_000)]), b"\0" * rng.choice([0, 4, 768]))[: 4_000_000]


def attack_sparse(rng: random.Random) -> Case:
    length = rng.choice([1 << 20, 1 << 30, 1 << 36, 1 << 40])
    files = {"g.webnn": TEXT.encode(), "g.safetensors": safetensors(WEIGHTS)}
    return rng.choice(
        [
            Case("sparse text", {"g.webnn": TEXT.encode()}, ["check", "FILE"], {"g.webnn": length}),
            Case("sparse JSON", {"g.json": b'{"a":[' + b"0," * 1000}, ["check", "FILE"], {"g.json": length}),
            Case("sparse weights", files, ["check", "FILE"], {"g.safetensors": length}),
            Case("sparse ONNX", {"g.onnx": small_onnx()}, ["check", "FILE"], {"g.onnx": length}),
            Case("sparse input", {"g.webnn": text_graph("y = relu(x);"), "x.npy": npy()}, ["run", "FILE", "--input", "x=x.npy"], {"x.npy": length}),
            Case("sparse image", {"g.webnn": text_graph("y = relu(x);", inputs="x: f32[1,3,8,8];"), "x.png": png(4, 4)}, ["run", "FILE", "--image", "x=x.png"], {"x.png": length}),
        ]
    )


GRAPH_ATTACKS = {
    "g.webnn": [
        attack_text_nodes,
        attack_text_chain,
        attack_text_lists,
        attack_text_inputs,
        attack_text_outputs,
        attack_text_splits,
        attack_long_name,
        attack_escapes,
        attack_fold,
        attack_nesting,
    ],
    "g.json": [attack_json, attack_nesting],
    "g.onnx": [attack_onnx],
}


def attack_case(rng: random.Random) -> Case:
    size = rng.random()
    kind = rng.randrange(10)
    if kind == 0:
        return attack_sparse(rng)
    if kind == 1:
        files = rng.choice([attack_safetensors, attack_manifest])(rng, size)
        return Case("attack on weights", {"g.webnn": TEXT.encode(), **files}, ["check", "FILE"])
    images = text_graph("y = relu(x);", inputs="x: f32[1, 3, 8, 8];")
    if kind == 2:
        return Case("attack_image", {"g.webnn": images, "x.png": attack_image(rng, size)}, ["run", "FILE", "--quiet", "--image", "x=x.png"])
    if kind == 3:
        return Case("attack_npy", {"g.webnn": images, "x.npy": attack_npy(rng, size)}, ["run", "FILE", "--quiet", "--input", "x=x.npy"])
    name = rng.choice(list(GRAPH_ATTACKS))
    attack = rng.choice(GRAPH_ATTACKS[name])
    return Case(f"{attack.__name__} {size:.2f}", {name: attack(rng, size)}, rng.choice([["check", "FILE"], *COMMANDS]))


def make(number: int) -> Case:
    rng = random.Random(f"hostile {number}")
    return attack_case(rng) if number % 4 == 0 else damaged_case(rng)
