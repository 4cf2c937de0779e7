"""Tests scripts/bench_zoo.py: the figures of several processors, means, the order of the slowest, the pages with the reasons why a
network was not measured, the chart, and the comparison of results."""

import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'scripts'))
import bench  # noqa: E402
import bench_zoo  # noqa: E402
from zoo import zoo_chart  # noqa: E402
from zoo import zoo_figures  # noqa: E402
from zoo import zoo_page  # noqa: E402

P, Q = 'P, avx2', 'Q, avx2'


def row(backend, threads, median, **more):
    return {'model': 'm', 'backend': backend, 'threads': threads, 'milliseconds': {'median': median}, **more}


def result(kind, bits, *ratios, processor='P', **more):
    """Makes a raw result with one thread. `ratios`: the times of ONNX Runtime and OpenVINO divided by ours; None for an error."""
    rows = [row('cpu', 1, 10.0)]
    for peer, ratio in zip(zoo_figures.PEERS, ratios):
        rows.append(
            row(peer, 1, 10.0 * ratio, ratio=ratio, version='1.2')
            if ratio
            else {'model': 'm', 'backend': peer, 'threads': 1, 'error': 'no | such\noperator'}
        )
    return {
        'kind': kind,
        'bits': bits,
        'machine': {'processor': processor, 'isa': 'avx2', 'processors': 2, 'peakGflops': {'1': 90.0}},
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
    'elsewhere': result('graphs', 32, 9.0, 9.0, processor='Q'),
    'unmeasured': {'kind': 'audio', 'bits': 32, 'check': {'error': 'output y differs'}},
    'gone': {'kind': 'audio', 'bits': 32, 'check': {'error': 'not made: TypeError: x'}, 'rows': []},
}


def merged(*runs):
    """Returns the figures after the results of each run were merged in turn."""
    figures = {}
    for results in runs:
        zoo_figures.merge(figures, results, results)
    return figures


FIGURES = merged(RESULTS)


def test_geometric_mean():
    assert abs(zoo_figures.geometric_mean([0.5, 2.0, 8.0]) - 2.0) < 1e-12 and zoo_figures.geometric_mean([]) is None


def test_shares():
    events = [('Conv', 'a', 2), ('Add', 'b', 1), ('Conv', 'c', 4), ('Conv', 'a', 900), ('Conv', 'a', 5)]
    assert zoo_figures.shares(events) == [('Conv', 0.5), ('Conv', 0.4), ('Add', 0.1)]
    assert zoo_figures.shares([]) == [] and zoo_figures.shares([('Add', 'a', 0)]) == [('Add', 0)]
    assert zoo_figures.node_title({'op_name': 'Conv', 'output_type_shape': [{'float': [1, 2]}, {'float': [3]}]}) == 'Conv [1, 2]'
    assert zoo_figures.node_title({}) == '?'


def test_titles():
    for processor, title in (
        ('Intel(R) Xeon(R) Processor', 'Intel Xeon, amx'),
        ('Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz', 'Intel Core i7-8650U, amx'),
        ('AMD EPYC 7B13', 'AMD EPYC 7B13, amx'),
    ):
        assert zoo_figures.title_of({'processor': processor, 'isa': 'amx'}) == title
    assert zoo_figures.column_title(P, '1') == 'P, avx2, 1 thread' and zoo_figures.column_title(P, '2') == 'P, avx2, 2 threads'


def test_figures():
    assert list(FIGURES) == [P, Q] and sorted(FIGURES[P]['models']) == ['gone', 'one', 'one_qdq', 'three', 'two']
    assert FIGURES[P]['machine'] == {'processor': 'P', 'isa': 'avx2', 'processors': 2}
    assert FIGURES[P]['versions'] == {'webnn': ['0.1'], 'onnxruntime': ['1.2'], 'openvino': ['1.2']}
    assert FIGURES[P]['models']['three'] == {
        'kind': 'audio',
        'bits': 32,
        'check': '',
        'times': {'1': {'ours': 10.0, 'onnxruntime': [30.0, 3.0], 'openvino': 'no | such operator'}},
    }
    text = zoo_figures.text(FIGURES)
    assert json.loads(text) == json.loads(json.dumps(FIGURES)) and json.loads(zoo_figures.text({})) == {}
    assert len([line for line in text.split('\n') if '"kind"' in line]) == 6, text
    assert all(line.count('"kind"') < 2 for line in text.split('\n')), text
    crash = {'kind': 'x', 'bits': 32, 'check': {'error': ''}, 'rows': [{'backend': 'cpu', 'threads': 1, 'error': 'died'}]}
    assert merged({'crash': crash}) == {}
    found = merged({'one': RESULTS['one'], 'crash': crash})
    assert found[P]['models']['crash']['times'] == {'1': {'ours': 'died'}}


def test_merge():
    newer = result('vision', 32, 7.0, 7.0, version='0.2')
    before = json.loads(json.dumps(FIGURES))
    after = merged(RESULTS, {'one': newer})
    assert after[Q] == FIGURES[Q]
    assert after[P]['models'] == {**FIGURES[P]['models'], 'one': zoo_figures.figures_of(newer)}
    assert after[P]['models']['one'] != FIGURES[P]['models']['one']
    assert after[P]['versions']['webnn'] == ['0.1', '0.2']
    everything = {name: {**one, 'version': '0.2'} for name, one in RESULTS.items()}
    assert merged(RESULTS, everything)[P]['versions']['webnn'] == ['0.2']
    elsewhere = merged(RESULTS, {'one': {**newer, 'machine': RESULTS['elsewhere']['machine']}})
    assert elsewhere[P] == FIGURES[P] and sorted(elsewhere[Q]['models']) == ['elsewhere', 'one']
    other_isa = merged(RESULTS, {'one': {**newer, 'machine': {**newer['machine'], 'isa': 'amx'}}})
    assert list(other_isa) == [P, Q, 'P, amx'] and other_isa[P] == FIGURES[P]
    assert json.loads(json.dumps(FIGURES)) == before


def test_slowest():
    names = [name for _, name, *_ in zoo_figures.slowest(FIGURES[P]['models'])]
    assert names == ['one_qdq', 'two', 'one', 'three'], names
    many = merged({str(index): result('vision', 32, 1 + index / 100, 5.0) for index in range(30)})
    assert [name for _, name, *_ in zoo_figures.slowest(many[P]['models'])] == [str(index) for index in range(10)]


def test_means_table():
    head, line, *rows = zoo_page.means_table(FIGURES).split('\n')
    assert head == '| kind | ' + ' | '.join(
        f'{peer} on {title}, 1 thread' for title in (P, Q) for peer in ('ONNX Runtime', 'OpenVINO')
    ) + ' |' and head.count('|') == line.count('|'), head
    assert rows == [
        '| **all, float32** | 1.44 (1 of 3) | 1.50 (0 of 2) | 9.00 (0 of 1) | 9.00 (0 of 1) |',
        '| **all, 8 bits** | 4.00 (0 of 1) | **0.25** (1 of 1) |  |  |',
        '| audio | 3.00 (0 of 1) |  |  |  |',
        '| graphs |  |  | 9.00 (0 of 1) | 9.00 (0 of 1) |',
        '| vision | 1.00 (1 of 2) | 1.50 (0 of 2) |  |  |',
    ], rows


def test_worst_table():
    _, _, first, second, *_ = zoo_page.worst_table(FIGURES[P]['models']).split('\n')
    assert first == '| one_qdq | 0.25 of OpenVINO, 1 thread | 50% conv \\| x; 25% copy | not known |', first
    assert second == '| two | 0.50 of ONNX Runtime, 1 thread | not known | not known |', second


def test_pages():
    first, second = zoo_page.zoo(FIGURES).split(f'\n## {Q}\n')
    assert '| networks | 4 measured; 4 of 5 agree with ONNX Runtime |' in first
    assert '| three | audio | 1 | 10 | 30 (3.00) | fails |' in first
    assert '| two | vision | 1 | 10 | 5 (**0.50**) | 15 (1.50) |' in first
    assert first.endswith('- gone: not made: TypeError: x\n- three: OpenVINO: no \\| such operator\n'), first[-300:]
    assert 'elsewhere' not in first and second.endswith('| elsewhere | graphs | 1 | 10 | 90 (9.00) | 90 (9.00) |\n'), second
    text = zoo_page.performance(FIGURES)
    assert text.startswith('# Performance\n') and 'on 5 networks' in text
    parts = '](../pictures/performance.svg)', '| kind |', '\n## The zoo\n', f'\n### {P}\n', f'\n### {Q}\n'
    places = [text.index(part) for part in parts]
    assert places == sorted(places), places
    assert zoo_page.zoo({}).startswith('# The zoo\n') and zoo_page.performance({}).startswith('# Performance\n')


def test_chart():
    picture = zoo_chart.chart(FIGURES)
    bar = r'<rect class="(\w+)" x="76" y="(\d+)" width="([\d.]+)" height="14"/>\n<text x="[\d.]+" y="\d+">([\d.]+)<'
    bars = re.findall(bar, picture)
    assert [(peer, mean) for peer, _, _, mean in bars] == [
        ('onnxruntime', '1.44'), ('openvino', '1.50'), ('onnxruntime', '4.00'), ('openvino', '0.25'),
        ('onnxruntime', '9.00'), ('openvino', '9.00'),
    ], bars  # fmt: skip
    assert picture.count('height="14"/>\n<text') == len(bars)
    one = float(re.search(r'<path class="one" d="M([\d.]+) ', picture)[1]) - 76
    assert all(abs(float(width) - float(mean) * one) < 0.005 * one + 0.1 for _, _, width, mean in bars), (one, bars)
    tops = [int(top) for _, top, _, _ in bars]
    assert all(b - a >= 15 for a, b in zip(tops, tops[1:])), tops
    edges = [float(x) + 30 for x in re.findall(r'<text x="([\d.]+)" y="\d+">[\d.]+<', picture)]
    assert max(edges) <= zoo_chart.WIDTH and tops[-1] + 14 < int(re.search(r'height="(\d+)"', picture)[1])
    assert 'P, avx2, 1 thread' in picture and 'prefers-color-scheme:dark' in picture and '</svg>' in zoo_chart.chart({})


def run(folder, *arguments):
    """Runs bench_zoo.py on the pages in `folder`, and returns the figures that it writes there."""
    old, sys.argv = sys.argv, ['bench_zoo.py', 'webnn', '--docs', str(folder), *map(str, arguments)]
    with contextlib.redirect_stdout(io.StringIO()):
        bench_zoo.main()
    sys.argv = old
    return json.loads((folder / 'reference/zoo.json').read_text())


def test_runs():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ('reference', 'pictures'):
            (folder / part).mkdir()
        pages = [folder / f'reference/{page}.md' for page in ('performance', 'zoo')]
        for page in pages:
            page.write_text(f'old\n{zoo_page.MARKER}\nby hand\n')
        raw, model = folder / 'raw.json', folder / 'two.onnx'
        raw.write_text(json.dumps(RESULTS))  # as from another machine: without the files of the models
        first = run(folder, '--page', '--results', raw)
        assert first == json.loads(json.dumps(FIGURES))
        model.write_bytes(b'')
        known = {'file': str(model), 'stamp': bench_zoo.stamp(model), 'steps': {'cpu': [('old', 1)], 'onnxruntime': []}}
        raw.write_text(json.dumps({'one': result('vision', 32, 6.0, 6.0, **known), 'two': {**RESULTS['two'], **known}}))
        measured = {key: result('other', 32, 8.0, 8.0, version='0.3')[key] for key in ('machine', 'rows')}
        bench_zoo.check = lambda *_: {'error': ''}
        bench.measure, bench.version_of = lambda *_: json.loads(json.dumps(measured)), lambda _: '0.3'
        bench_zoo.our_steps, bench_zoo.their_steps = lambda *_: [('step', 0.51234567)], lambda *_: []
        second = run(folder, model, '--results', raw)
        assert second[Q] == first[Q] and second[P]['versions']['webnn'] == ['0.1', '0.3']
        changed = [key for key, one in second[P]['models'].items() if one['times'] != first[P]['models'][key]['times']]
        assert changed == ['two'] and second[P]['models']['two']['steps'] == {'cpu': [['step', 0.5123]], 'onnxruntime': []}
        assert run(folder, '--page') == second
        for page in pages:
            assert page.read_text().startswith('# ') and page.read_text().endswith(f'\n{zoo_page.MARKER}\nby hand\n')
        assert (folder / 'pictures/performance.svg').read_text() == zoo_chart.chart(second)


def test_documents():
    """Checks that the committed pages are printed from the committed figures."""
    docs = bench.ROOT / 'docs'
    text = (docs / 'reference/zoo.json').read_text(encoding='utf-8')
    figures = json.loads(text)
    assert zoo_figures.text(figures) == text and len(figures) >= 2
    assert (docs / 'pictures/performance.svg').read_text(encoding='utf-8') == zoo_chart.chart(figures)
    for name, page in (('performance', zoo_page.performance(figures)), ('zoo', zoo_page.zoo(figures))):
        assert (docs / f'reference/{name}.md').read_text(encoding='utf-8').startswith(f'{page}\n{zoo_page.MARKER}'), name


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
        ([[np.nan, 100.0]], 8, 'differs in elements that are infinite or NaN'),
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


for test in [test for name, test in list(globals().items()) if name.startswith('test_')]:
    test()
