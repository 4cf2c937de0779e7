#!/usr/bin/env python3
"""Checks programs that the Core ML export writes: coremltools loads each with its type inference, and the evaluator computes it.

usage: check_programs.py TEST_COREML [--vectors FOLDER | --random COUNT | --sizes] [--open] [--table FILE] [--json FILE]
                         [--keep FOLDER] [--filter TEXT]

TEST_COREML is the test executable that writes the programs, and compares the evaluator's results with the expected results. With
--vectors, the programs are the conformance vectors of FOLDER, and each failing vector must be in the table; with --random, random
graphs; else every operation with every type that it supports. With --open, the programs have open dimensions; with --sizes, a few
such programs run with several sizes each. Exits with 77 if the Python packages or the vectors are missing.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

try:
    import logging
    logging.disable(logging.WARNING)  # coremltools warns that Core ML's libraries, which exist only on macOS, are missing
    import coremltools
    import numpy as np
    from coremltools.converters.mil.frontend.milproto.load import load as load_program
    logging.disable(logging.NOTSET)
except ImportError as missing:
    print(f'skipped: {missing}')
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import mil_evaluator

SIZES = {'int4': 4, 'uint4': 4}


def read_tensor(path, dtype, shape):
    """Reads a tensor that is stored in WebNN's type `dtype`, and converts it to the type of the program's input."""
    raw = path.read_bytes()
    if dtype in SIZES:
        array = mil_evaluator.unpack_nibbles(raw, int(np.prod(shape)), dtype == 'int4')
    else:
        array = np.frombuffer(raw, dtype)
    if array.dtype.kind == 'f':
        return array
    wide = array.astype(np.int32)
    if (wide != array).any():
        raise OverflowError('an input is beyond int32')
    return wide


def write_tensor(path, array, dtype):
    if dtype in SIZES:
        items = (array.reshape(-1) & 15).astype(np.uint8)
        items = np.append(items, np.zeros(items.size % 2, np.uint8))
        path.write_bytes((items[::2] | items[1::2] << 4).tobytes())
    else:
        path.write_bytes(array.astype(dtype).tobytes())


class Records(logging.Handler):
    """Collects the log messages of coremltools."""

    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        # This warning is ignored: coremltools folds constants in wider types.
        if record.levelno >= logging.WARNING and not record.getMessage().startswith('Saving value type'):
            self.messages.append(record.getMessage())


def load(package):
    """Loads the program with coremltools; returns its specification. Raises an error if coremltools logs a warning."""
    spec = coremltools.utils.load_spec(str(package))
    records = Records()
    logging.getLogger('coremltools').addHandler(records)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter('always')
            load_program(spec, spec.specificationVersion, str(package / 'Data/com.apple.CoreML/weights'))
    finally:
        logging.getLogger('coremltools').removeHandler(records)
    said = records.messages + [str(w.message) for w in warned if not issubclass(w.category, (RuntimeWarning, DeprecationWarning))]
    if said:
        raise ValueError(f'coremltools says: {said[0]}')
    return spec


def check(folder):
    """Checks the case in the folder and writes its outputs. Returns the problem, or None."""
    try:
        case = json.loads((folder / 'case.json').read_text())
        package = folder / 'model.mlpackage'
        spec = load(package)
        program = mil_evaluator.Evaluator(spec, package / 'Data/com.apple.CoreML/weights/weight.bin')
        inputs = {}
        for i, item in enumerate(case['inputs']):
            shape = program.given_shape(item['name'], item['shape'])
            inputs[item['name']] = read_tensor(folder / f'input_{i}.bin', item['type'], shape).reshape(shape)
        outputs = program.evaluate(inputs)
        for i, item in enumerate(case['outputs']):
            write_tensor(folder / f'output_{i}.bin', outputs[item['name']], item['type'])
        return None
    except Exception as error:
        return f'{type(error).__name__}: {str(error)[:300]}'


def run_test(arguments, name, root):
    environment = os.environ | {'WEBNN_COREML_FOLDER': str(root)}
    if arguments.vectors:
        environment['WEBNN_COREML_VECTORS'] = arguments.vectors
    if arguments.random:
        environment['WEBNN_COREML_RANDOM'] = str(arguments.random)
    if arguments.open:
        environment['WEBNN_COREML_OPEN'] = '1'
    if arguments.filter:
        environment['WEBNN_COREML_FILTER'] = arguments.filter
    subprocess.run([arguments.test, f'--gtest_filter={name}', '--gtest_brief=1'], check=True, env=environment)


def outcome_of(name, why, table):
    file, case = name.split(': ', 1)
    outcome = 'excused' if why and name in table else 'failed' if why else 'passed'
    return {'file': f'{file}.json', 'name': case, 'outcome': outcome, 'message': table.get(name, why)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('test', help='the test executable')
    parser.add_argument('--vectors', help='a folder of conformance vectors')
    parser.add_argument('--random', type=int, help='so many random graphs')
    parser.add_argument('--open', action='store_true', help='give names to sizes of the inputs')
    parser.add_argument('--sizes', action='store_true', help='programs with open dimensions, with several sizes each')
    parser.add_argument('--table', help='JSON: why a case cannot pass, by its name')
    parser.add_argument('--json', help='a file for the outcome of every vector, as `webnn conformance --json` writes it')
    parser.add_argument('--keep', help='a folder for the programs')
    parser.add_argument('--filter', help='only cases whose name contains the text')
    arguments = parser.parse_args()
    if arguments.vectors and not pathlib.Path(arguments.vectors).is_dir():
        print(f'skipped: {arguments.vectors} is not there')
        return 77
    kind = 'Vectors' if arguments.vectors else 'Random' if arguments.random else 'Sizes' if arguments.sizes else 'Cases'
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(arguments.keep or temporary)
        run_test(arguments, f'*CoreMl{kind}.AreWritten', root)
        folders = sorted(path.parent for path in root.glob('*/case.json'))
        with concurrent.futures.ProcessPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            found = dict(zip((f.name for f in folders), pool.map(check, folders, chunksize=16)))
        (root / 'wrong.json').write_text(json.dumps({name: wrong for name, wrong in found.items() if wrong}))
        run_test(arguments, f'*CoreMl{kind}.AreAsExpected', root)
        results = json.loads((root / 'results.json').read_text())  # name -> description of the fault; empty if the case passes
    table = json.loads(pathlib.Path(arguments.table).read_text()) if arguments.table else {}
    failed = {name: why for name, why in results.items() if why}
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({'cases': [outcome_of(*item, table) for item in results.items()]}))
    if arguments.random or arguments.open:  # the table lists patterns of problems, because names of cases depend on generators
        table = {name: why for name, why in failed.items() if any(re.search(pattern, f'{name}: {why}') for pattern in table)}
    wrong = [f'{name}: {why}' for name, why in failed.items() if name not in table]
    if not arguments.filter:
        wrong += [f'{name}: is in the table, and passes or is no vector' for name in table if name not in failed]
    print('\n'.join(wrong))
    print(f'{len(results)} programs, {len(results) - len(failed)} as expected, {len(failed) - len(wrong)} in the table, {len(wrong)} wrong')
    most = 0.2 if arguments.open else 0.05
    if arguments.table and len(failed) > most * len(results):
        print(f'more than {most:.0%} fail')
        return 1
    # One random graph in a hundred may fail, because its integers exceed int32.
    return 1 if len(wrong) > (len(results) // 100 if arguments.random else 0) or not results else 0


if __name__ == '__main__':
    sys.exit(main())
