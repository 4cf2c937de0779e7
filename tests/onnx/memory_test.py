"""Checks that importing, building and converting a model with 300 MB of weights takes at most 1.2 times 300 MB, and that importing
8-bit weights of dynamically quantized products does not widen them.

usage: memory_test.py WEBNN
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

SIZE, LAYERS = 3062, 8  # 8 x 3062 x 3062 x 4 bytes = 300 MB
BYTE_SIZE, BYTE_LAYERS, MOST = 500, 160, 50_000_000  # 160 x 500 x 500 bytes = 40 MB


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    content = b''.join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return varint(field << 3 | 2) + varint(len(content)) + content


def value_info(name, size=SIZE):
    shape = message(2, message(1, number(1, 1)), message(1, number(1, size)))
    return message(1, name) + message(2, message(1, number(1, 1), shape))


def write_model(path, external):
    """Writes a chain of matrix products (ir_version 8, opset 17). external: whether the weights are in a separate weights.bin."""
    weight_bytes = SIZE * SIZE * 4
    nodes = [message(1, message(1, f'x{i}'), message(1, f'w{i}'), message(2, f'x{i + 1}'), message(4, 'MatMul')) for i in range(LAYERS)]
    tail = message(11, value_info('x0')) + message(12, value_info(f'x{LAYERS}'))
    heads, total = [], sum(map(len, nodes)) + len(tail)
    for i in range(LAYERS):
        head = number(1, SIZE) * 2 + number(2, 1) + message(8, f'w{i}')
        if external:
            for key, value in (('location', 'weights.bin'), ('offset', i * weight_bytes), ('length', weight_bytes)):
                head += message(13, message(1, key), message(2, str(value)))
            head += number(14, 1)
            size = len(head)
        else:
            head += varint(9 << 3 | 2) + varint(weight_bytes)
            size = len(head) + weight_bytes
        heads.append(varint(5 << 3 | 2) + varint(size) + head)
        total += len(heads[-1]) + (0 if external else weight_bytes)
    with open(path, 'wb') as file:
        file.write(number(1, 8) + message(8, number(2, 17)) + varint(7 << 3 | 2) + varint(total))
        file.write(b''.join(nodes))
        for head in heads:
            file.write(head)
            if not external:
                file.write(bytes(weight_bytes))
        file.write(tail)
    if external:
        (path.parent / 'weights.bin').write_bytes(bytes(LAYERS * weight_bytes))
    return LAYERS * weight_bytes


def write_byte_model(path):
    """Writes a chain of products that are quantized dynamically. Holds no weights: peak_of() also counts the memory of this process."""
    nodes, heads = b'', []
    for i in range(BYTE_LAYERS):
        for operator, inputs, outputs in (
            ('DynamicQuantizeLinear', [f'x{i}'], [f'q{i}', f's{i}', f'z{i}']),
            ('MatMulInteger', [f'q{i}', f'w{i}', f'z{i}'], [f'm{i}']),
            ('Cast', [f'm{i}'], [f'f{i}']),
            ('Mul', [f'f{i}', f's{i}'], [f'x{i + 1}']),
        ):
            to_float = [message(5, message(1, 'to'), number(3, 1), number(20, 2))] if operator == 'Cast' else []
            nodes += message(1, *[message(1, name) for name in inputs], *[message(2, name) for name in outputs], message(4, operator), *to_float)
        head = number(1, BYTE_SIZE) * 2 + number(2, 3) + message(8, f'w{i}') + varint(9 << 3 | 2) + varint(BYTE_SIZE**2)
        heads.append(varint(5 << 3 | 2) + varint(len(head) + BYTE_SIZE**2) + head)
    tail = message(11, value_info('x0', BYTE_SIZE)) + message(12, value_info(f'x{BYTE_LAYERS}', BYTE_SIZE))
    total = len(nodes) + sum(map(len, heads)) + BYTE_LAYERS * BYTE_SIZE**2 + len(tail)
    with open(path, 'wb') as file:
        file.write(number(1, 8) + message(8, number(2, 17)) + varint(7 << 3 | 2) + varint(total) + nodes)
        for head in heads:
            file.write(head + bytes(BYTE_SIZE**2))
        file.write(tail)


def peak_of(*command):
    """Runs `command`; returns the peak memory in bytes, mapped files included. The value is the maximum over all commands so far:
    run the command that should need the least memory first."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


webnn = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    model = pathlib.Path(folder) / 'model.onnx'
    write_byte_model(model)
    peak = peak_of(webnn, 'check', model)
    print(f'check of 8-bit weights {peak / 1e6:.0f} MB')
    assert peak <= MOST
    for external in (False, True):
        weights = write_model(model, external)
        converts = [('convert', model, model.parent / f'again.{suffix}') for suffix in ('webnn', 'onnx', 'mlpackage')]
        for command in (('check', model), *converts):
            ratio = peak_of(webnn, *command) / weights
            print(f'{command[0]} {command[-1].name} {"external" if external else "inline":8s} at most {ratio:.2f} times the weights')
            assert ratio <= 1.2, command
