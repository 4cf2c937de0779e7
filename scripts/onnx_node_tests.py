#!/usr/bin/env python3
"""Writes the node tests of the installed package `onnx` as folders that `webnn verify` reads.

usage: onnx_node_tests.py OUT

Exits with 77 if the package is not installed.
"""
import pathlib
import sys
import warnings

SKIPPED = 77
warnings.filterwarnings('ignore')  # NumPy warns of NaN and overflow, which the tests use on purpose
try:
    from onnx import TensorProto, numpy_helper
    from onnx.backend.test.case.node import collect_testcases
except ImportError as missing:
    print(f'skipped: {missing}')
    sys.exit(SKIPPED)


def message_of(value, info):
    """Converts an input or output of a test into a protobuf message."""
    if isinstance(value, TensorProto):
        return value
    converters = {'map_type': numpy_helper.from_dict, 'sequence_type': numpy_helper.from_list,
                  'optional_type': numpy_helper.from_optional}
    return converters.get(info.type.WhichOneof('value'), numpy_helper.from_array)(value, info.name)


def write_values(folder, kind, values, infos):
    for number, (value, info) in enumerate(zip(values, infos)):
        (folder / f'{kind}_{number}.pb').write_bytes(message_of(value, info).SerializeToString())


def write_tests(out):
    """Writes all tests; returns their number."""
    cases = collect_testcases(None)
    for case in cases:
        folder = out / case.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'model.onnx').write_bytes(case.model.SerializeToString())
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data_set = folder / f'test_data_set_{number}'
            data_set.mkdir(exist_ok=True)
            write_values(data_set, 'input', inputs, case.model.graph.input)
            write_values(data_set, 'output', outputs, case.model.graph.output)
    return len(cases)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f'{write_tests(pathlib.Path(sys.argv[1]))} node tests')
