"""Tests scripts/bench_zoo.py: means, the order of the slowest, the comparison of results, and the page with errors in it."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts'))
import bench  # noqa: E402
import bench_zoo  # noqa: E402
import zoo_page  # noqa: E402


def row(backend, threads, median, **more):
    return {'model': 'm', 'backend': backend, 'threads': threads, 'milliseconds': {'median': median}, **more}


def result(kind, bits, *ratios, processor='P', **more):
    """Makes a result with one thread; `ratios` are to ONNX Runtime and to OpenVINO, None for an error."""
    rows = [row('cpu', 1, 10.0)]
    for peer, ratio in zip(zoo_page.PEERS, ratios):
        rows.append(
            row(peer, 1, 10.0 * ratio, ratio=ratio, version='1.2')
            if ratio
            else {'model': 'm', 'backend': peer, 'threads': 1, 'error': 'no | such\noperator'}
        )
    return {
        'kind': kind,
        'bits': bits,
        'machine': {'processor': processor, 'isa': 'avx2', 'processors': 2},
        'rows': rows,
        'check': {'error': ''},
        'version': '0.1',
        **more,
    }


RESULTS = {
    'one': result('vision', 32, 2.0, 1.5),
    'two': result('vision', 32, 0.5, 1.5),
    'three': result('audio', 32, 3.0, None),
    'one_qdq': result('vision', 8, 4.0, 0.25, steps={'cpu': [('conv | x', 0.5), ('copy', 0.25)], 'onnxruntime': []}),
    'elsewhere': result('vision', 32, 9.0, 9.0, processor='Q'),
    'unmeasured': {'kind': 'audio', 'bits': 32, 'check': {'error': 'output y differs'}},
}


def test_geometric_mean():
    assert abs(zoo_page.geometric_mean([0.5, 2.0, 8.0]) - 2.0) < 1e-12 and zoo_page.geometric_mean([]) is None


def test_shares():
    events = [('Conv', 'a', 2), ('Add', 'b', 1), ('Conv', 'c', 4), ('Conv', 'a', 900), ('Conv', 'a', 5)]
    assert zoo_page.shares(events) == [('Conv', 0.5), ('Conv', 0.4), ('Add', 0.1)]
    assert zoo_page.shares([]) == [] and zoo_page.shares([('Add', 'a', 0)]) == [('Add', 0)]
    assert zoo_page.node_title({'op_name': 'Conv', 'output_type_shape': [{'float': [1, 2]}, {'float': [3]}]}) == 'Conv [1, 2]'
    assert zoo_page.node_title({}) == '?'


def test_slowest():
    assert zoo_page.slowest(RESULTS) == ['one_qdq', 'two', 'one', 'three'], zoo_page.slowest(RESULTS)
    many = {str(index): result('vision', 32, 1 + index / 100, 5.0) for index in range(30)}
    assert zoo_page.slowest(many) == [str(index) for index in range(10)]


def test_means_table():
    head, line, *rows = zoo_page.means_table(zoo_page.measured(RESULTS)[0]).split('\n')
    assert head == '| kind | models | ONNX Runtime, 1 thread | OpenVINO, 1 thread |' and head.count('|') == line.count('|'), head
    assert rows == [
        '| **all, float32** | 3 | 1.44 (1 of 3 behind) | 1.50 |',
        '| **all, 8 bits** | 1 | 4.00 | **0.25** (1 of 1 behind) |',
        '| audio | 1 | 3.00 |  |',
        '| vision | 2 | 1.00 (1 of 2 behind) | 1.50 |',
    ], rows


def test_worst_table():
    _, _, first, second, *_ = zoo_page.worst_table(zoo_page.measured(RESULTS)[0]).split('\n')
    assert first == '| one_qdq | 0.25 of OpenVINO, 1 thread | 50% conv \\| x; 25% copy | not known |', first
    assert second == '| two | 0.50 of ONNX Runtime, 1 thread | not known | not known |', second


def test_page():
    text = zoo_page.page(RESULTS, {'one': {}, 'gone': {'error': 'TypeError: x'}})
    assert '| models | 4 measured (1 on another processor are left out); 5 of 6 agree with ONNX Runtime |' in text
    assert (
        '| three | audio | 1 | 10 | 30 (3.00) | fails |' in text and '| two | vision | 1 | 10 | 5 (**0.50**) | 15 (1.50) |' in text
    )
    assert text.endswith(
        '- gone: not made: TypeError: x\n- three: OpenVINO: no \\| such operator\n- unmeasured: output y differs\n'
    ), text[-300:]
    assert 'elsewhere' not in text
    empty = zoo_page.page({}, {})
    assert empty.startswith('# The zoo\n') and empty.endswith('Nothing is measured yet.\n'), empty


def test_difference():
    try:
        import numpy as np
    except ImportError:
        return print('skipped: numpy is missing')
    expected = np.array([[0.0, 100.0]], np.float32)
    for actual, bits, text in (
        ([[0.009, 100.0]], 32, ''),
        ([[0.011, 100.0]], 32, 'differs by 1.1e-04 of the largest element'),
        ([[1.9, 100.0]], 8, ''),
        ([[2.2, 100.0]], 8, 'differs by 2.2e-02 of the largest element (mean 1.1e-02)'),
        ([[np.nan, 100.0]], 8, 'differs in which elements'),
        ([[0.05, 100.0]], 4, ''),
        ([[0.3, 100.0]], 4, 'differs by 3.0e-03'),
    ):
        found, _ = bench_zoo.difference(np.array(actual, np.float32), expected, bench_zoo.LIMITS[bits])
        assert found.startswith(text) and bool(found) == bool(text), (actual, bits, found)
    assert bench_zoo.difference(expected.astype(float), expected, (1, 1))[0] == 'has float64[1, 2], not float32[1, 2]'
    assert bench_zoo.difference(np.array([1, 2, 3]), np.array([1, 2, 4]), (1, 1))[0] == 'differs in 1 of 3 elements'
    infinite = np.array([1.0, np.inf], np.float32)
    assert bench_zoo.errors_of(infinite * 1.5, infinite) == (0.5, 0.5)
    assert bench_zoo.difference(np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), (0, 0)) == ('', 0.0)


assert bench.PEERS == zoo_page.PEERS
for test in (test_geometric_mean, test_shares, test_slowest, test_means_table, test_worst_table, test_page, test_difference):
    test()
