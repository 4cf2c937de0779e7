#!/usr/bin/env python3
"""Checks the models that the ONNX export writes: each is valid, and has the results of the reference backend.

usage: check_onnx_exports.py TEST_ONNX [--keep FOLDER]

TEST_ONNX is the test executable that writes the models. Each model is checked by onnx.checker with full shape inference,
then runs in ONNX Runtime with its default options. The table of operand types that the export uses is compared with the schemas
of onnx. Exits with 77 if the Python packages are not installed.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as missing:
    print(f'skipped: {missing}')
    sys.exit(77)

# Tolerances of float results: relative, and absolute below 1.
TOLERANCE = {'float32': 2e-6, 'float16': 3e-3}

# ONNX Runtime's GRU approximates its activations. Its errors reach 2.2e-6, whereas our reference and NumPy in double precision
# agree to 1e-7.
GRU_TOLERANCE = 3e-6

# ONNX Runtime fuses operations around quantized results and then rounds once less. Errors of one unit of the output's scale are
# allowed.
QUANTIZED = ('quantizedAround', 'quantizedAfter')
UNIT = {'int8': 1, 'uint8': 1, 'float32': 0.1875}

# Prefix and suffix of the names of models whose results may differ by 2 %, because ONNX Runtime rounds the factor beside 4-bit
# weights to 8 bits.
ROUNDED = ('quantizedBefore_matmul', 'int4')

FOUR_BITS = {onnx.TensorProto.INT4: onnx.TensorProto.INT8, onnx.TensorProto.UINT4: onnx.TensorProto.UINT8}


def widen_ends(model):
    """Replaces inputs and outputs of 4 bits by 8 bits and a cast: ONNX Runtime's Python interface has no 4-bit types."""
    for value in list(model.graph.input) + list(model.graph.output):
        tensor_type = value.type.tensor_type
        if tensor_type.elem_type not in FOUR_BITS:
            continue
        inner, four_bits = value.name + '/4', tensor_type.elem_type
        is_input = any(value is item for item in model.graph.input)
        for node in model.graph.node:
            names = node.input if is_input else node.output
            names[:] = [inner if name == value.name else name for name in names]
            if not is_input:
                node.input[:] = [inner if name == value.name else name for name in node.input]
        tensor_type.elem_type = FOUR_BITS[four_bits]
        if is_input:
            model.graph.node.insert(0, onnx.helper.make_node('Cast', [value.name], [inner], to=four_bits))
        else:
            model.graph.node.append(onnx.helper.make_node('Cast', [inner], [value.name], to=FOUR_BITS[four_bits]))


def run(model, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
    return session.run(None, inputs)


def agree(a, b, name):
    """Returns an array of bool: whether the elements of `a` and `b` are equal within the tolerance of the model `name`."""
    if name.startswith(ROUNDED[0]) and name.endswith(ROUNDED[1]):
        return abs(a - b) <= 0.02 * abs(b).max()
    if name.startswith(QUANTIZED):
        return abs(a.astype('float64') - b.astype('float64')) <= UNIT.get(b.dtype.name, 0) * (1 + 1e-6)
    if b.dtype.kind != 'f':
        return a == b
    is_gru = name.startswith('gru') and b.dtype == 'float32'
    tolerance = GRU_TOLERANCE if is_gru else TOLERANCE[b.dtype.name]
    with numpy.errstate(all='ignore'):
        a, b = a.astype('float64'), b.astype('float64')
        same = (a == b) | (numpy.isnan(a) & numpy.isnan(b)) | (abs(a - b) <= tolerance * numpy.maximum(1, abs(b)))
        return same & (numpy.isfinite(a) == numpy.isfinite(b))


def difference(actual, expected, name):
    """Returns a description of the difference, or None if the arrays agree."""
    actual = numpy.asarray(actual)
    if (actual.shape, actual.dtype) != (expected.shape, expected.dtype):
        return f'is {actual.dtype}{list(actual.shape)}, not {expected.dtype}{list(expected.shape)}'
    same = agree(actual, expected, name)
    if same.all():
        return None
    at = tuple(int(i) for i in numpy.argwhere(~same)[0]) if expected.ndim else ()
    return f'differs in {int((~same).sum())} of {expected.size}, first at {list(at)}: {actual[at]} instead of {expected[at]}'


def check(folder):
    """Checks the exported model in `folder`; returns descriptions of the errors."""
    model = onnx.load(folder / 'model.onnx')
    onnx.checker.check_model(model, full_check=True)
    widen_ends(model)
    inputs = {value.name: numpy.load(folder / f'input_{i}.npy') for i, value in enumerate(model.graph.input)}
    wrong = []
    for i, actual in enumerate(run(model, inputs)):
        found = difference(actual, numpy.load(folder / f'output_{i}.npy'), folder.name.removesuffix('.cuda'))
        if found:
            wrong.append(f'{folder.name}: output {i} {found}')
    return wrong


def check_types(path):
    """Compares the export's table of operand types with onnx's schemas; returns descriptions of the differences."""
    known = {'float', 'float16', 'double', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4', 'bool'}
    wrong = []
    for line in path.read_text().splitlines():
        operator, bits, types = line.split('\t')
        schema = onnx.defs.get_schema(operator, 21, '')
        allowed = {c.type_param_str: {t[len('tensor('):-1] for t in c.allowed_type_strs} & known
                   for c in schema.type_constraints}
        of_t = [bool(int(bits) >> i & 1) for i in range(len(schema.inputs))]
        first = schema.inputs[of_t.index(True)].type_str
        if set(types.split()) != allowed[first]:
            wrong.append(f'{operator}: {types}is not {" ".join(sorted(allowed[first]))}')
        for i, value in enumerate(schema.inputs):
            same = value.type_str == first or (of_t[i] and allowed.get(value.type_str, set()) >= allowed[first])
            if same != of_t[i]:
                wrong.append(f'{operator}: input {i} is {"" if of_t[i] else "not "}said to be of T')
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('test', help='the test executable that writes the cases')
    parser.add_argument('--keep', help='a folder for the cases')
    arguments = parser.parse_args()
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(arguments.keep or temporary)
        subprocess.run([arguments.test, '--gtest_filter=OnnxExport*.*EveryCase*', '--gtest_brief=1'], check=True,
                       env=os.environ | {'WEBNN_EXPORT_FOLDER': str(root)}, stdout=subprocess.DEVNULL)
        wrong += check_types(root / 'types.tsv')
        for folder in sorted(item for item in root.iterdir() if item.is_dir()):
            count += 1
            try:
                wrong += check(folder)
            except Exception as error:
                wrong.append(f'{folder.name}: {type(error).__name__}: {str(error).splitlines()[0][:300]}')
    print('\n'.join(wrong))
    print(f'{count} models, {len(wrong)} wrong')
    return 1 if wrong or not count else 0


if __name__ == '__main__':
    sys.exit(main())
