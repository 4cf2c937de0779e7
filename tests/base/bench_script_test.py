"""Tests scripts/bench.py: pages keep the text written by hand, tables mark values that miss their targets and show why a model was
not measured, and --compare prints the ratios of two reports."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts'))
import bench  # noqa: E402


def row(backend, threads, median, **more):
    return {'model': 'mlp_gemv', 'backend': backend, 'threads': threads, 'gflop': 1.0, 'gflops': 10.0, 'shareOfPeak': 0.5,
            'milliseconds': {'median': median, 'min': median}, 'loadMilliseconds': 1.0, 'compileMilliseconds': 1.0, 'peakBytes': 10e6, **more}


REPORT = {'machine': {'processor': 'P', 'isa': 'avx512', 'peakGflops': {'1': 100.0, '2': 200.0}},
          'rows': [row('cpu', 1, 10.0), row('onnxruntime', 1, 12.0, ratio=1.2, peakBytes=20e6), row('cpu', 2, 10.0),
                   row('onnxruntime', 2, 12.0, ratio=1.2, compileMilliseconds=0.5), row('openvino', 2, 10.5, ratio=1.05),
                   {'model': 'gone', 'backend': 'cpu', 'threads': 1, 'error': 'no file'}]}


def test_targets():
    assert bench.targets_of('matmul1024_qdq', True) == (2.0, 1.2) and bench.targets_of('matmul1024_qdq', False) == (1.4, 1.0)
    assert bench.targets_of('unknown', True) == (None, None)


def test_table():
    head, line, one, two, gone = bench.table(json.loads(json.dumps(REPORT)), False).split('\n')
    assert head.count('|') == line.count('|') == one.count('|') == two.count('|') == 7, head
    assert one == '| mlp_gemv | 1 | 10 | 12 (1.20) |  | 50% |', one
    assert two == '| mlp_gemv | 2 | 10 | 12 (1.20) | 10.5 (**1.05**) | 50% |', two
    assert gone == '| gone | 1 | no file |', gone


def test_build_table():
    head, line, one = bench.build_table(json.loads(json.dumps(REPORT))).split('\n')
    assert head.count('|') == line.count('|') == one.count('|'), head
    assert one == '| mlp_gemv | 2.0 | 2.0 (1.00) | 10 | 20 (0.50) |', one
    slow = {**REPORT, 'rows': [row('cpu', 2, 10.0), row('onnxruntime', 2, 12.0, compileMilliseconds=0.5)]}
    assert bench.build_table(slow).endswith('| 2.0 | 1.5 (**1.33**) | 10 | 10 (**1.00**) |'), bench.build_table(slow)


def test_page():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'page.md'
        bench.write_page(path, 'first\n')
        assert path.read_text().endswith(bench.MARKER + bench.UNTOUCHED)
        path.write_text(path.read_text() + 'by hand\n')
        bench.write_page(path, 'second\n')
        assert path.read_text() == 'second\n\n' + bench.MARKER + bench.UNTOUCHED + 'by hand\n'
    assert bench.MARKER in (bench.ROOT / 'docs/reference/time.md').read_text()


def test_compare():
    with tempfile.TemporaryDirectory() as folder:
        old, new = pathlib.Path(folder) / 'old.json', pathlib.Path(folder) / 'new.json'
        old.write_text(json.dumps(REPORT))
        new.write_text(json.dumps({**REPORT, 'rows': [row('cpu', 1, 5.0)]}))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            bench.compare(old, new)
    assert printed.getvalue().strip().split('\n')[2].startswith('| mlp_gemv | cpu | 1 | 10 | 5 | 2.000 | 2.000 |'), printed.getvalue()


for test in (test_targets, test_table, test_build_table, test_page, test_compare):
    test()
