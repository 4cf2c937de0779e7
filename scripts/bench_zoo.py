#!/usr/bin/env python3
"""Compares our CPU engine with ONNX Runtime and OpenVINO on the networks of bench/zoo, and writes pages about all processors.

usage: bench_zoo.py WEBNN [MODEL...] [--keep] [--check | --page] [--threads 1,2] [--duration SECONDS] [--results FILE]
                    [--docs FOLDER]

Without a MODEL: all models of build/zoo, which `make bench-zoo` exports. First compares our results with those of ONNX Runtime.
FILE (build/zoo/results.json) holds the raw results of this machine. Figures of the measured models replace those of the same
processor in FOLDER/reference/zoo.json (default of FOLDER: docs), from which reference/performance.md, reference/zoo.md and
pictures/performance.svg are written. Texts of the pages below the marker are written by hand, and are kept.
--keep: does not measure models that FILE holds, and that have not changed since.
--check: only compares results.
--page: only writes the pages, with the figures of all models of FILE if --results is given; FILE may come from another machine.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import bench
from zoo import zoo_chart, zoo_figures, zoo_page

ROOT = pathlib.Path(__file__).resolve().parents[1]
ZOO = ROOT / 'build/zoo'
# By bits of the weights: the maximum allowed difference and mean difference from ONNX Runtime's result, relative to the
# output's largest element. Engines round differently: 8-bit values may differ by one, which later layers enlarge.
LIMITS = {32: (1e-4, 1e-4), 8: (5e-2, 1e-2), 4: (1e-3, 1e-3)}
INTEGER_OPERATORS = {'ConvInteger', 'MatMulInteger', 'QLinearConv', 'QLinearMatMul'}
STEPS = 3  # steps in the profiles of the slowest models
PROFILED_RUNS = 10


def errors_of(actual, expected):
    """Returns the greatest and the mean difference of floats, relative to the largest finite expected element."""
    import numpy as np

    finite = np.isfinite(actual) & np.isfinite(expected)
    if not finite.any():
        return 0.0, 0.0
    a, b = actual[finite].astype(float), expected[finite].astype(float)
    errors = np.abs(a - b) / max(np.abs(b).max(), 1e-30)
    return float(errors.max()), float(errors.mean())


def difference(actual, expected, limits):
    """Returns how an output differs from ONNX Runtime's: '' if it agrees, and the greatest relative difference (for integers: the
    share of elements that differ). `limits`: the maximum allowed difference and mean difference."""
    import numpy as np

    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f'has {actual.dtype}{list(actual.shape)}, not {expected.dtype}{list(expected.shape)}', 1.0
    if expected.dtype.kind != 'f':
        count = int((actual != expected).sum())
        return f'differs in {count} of {expected.size} elements' if count else '', count / max(expected.size, 1)
    infinite = ~(np.isfinite(actual) & np.isfinite(expected))
    if not np.array_equal(actual[infinite], expected[infinite], equal_nan=True):
        return 'differs in elements that are infinite or NaN', 1.0
    most, mean = errors_of(actual, expected)
    text = f'differs by {most:.1e} of the largest element (mean {mean:.1e})'
    return text if most > limits[0] or mean > limits[1] else '', most


def random_inputs(session):
    """Returns random inputs, as those of `webnn bench`, by name."""
    import bench_peer
    import numpy as np

    generator = np.random.default_rng(0)
    kinds = {'tensor(float)': 'float32', 'tensor(double)': 'float64', 'tensor(bool)': 'bool'}
    return {
        one.name: bench_peer.random_values(np, generator, kinds.get(one.type) or one.type[len('tensor(') : -1], one.shape)
        for one in session.get_inputs()
    }


def expected_results(path, bits):
    """Returns random inputs, ONNX Runtime's results by name, and by name the limits of differences.

    For 4-bit and 8-bit weights, optimizations are off: with them, products of 4-bit weights also quantize the other operand. If
    they change a result with 8-bit weights by more than half of the limits, twice the change is the limit.
    On processors without VNNI, sums of 8-bit products saturate unless ONNX Runtime makes the weights unsigned, which is an
    optimization. Optimizations are therefore on for models with INTEGER_OPERATORS.
    """
    import onnx
    import onnxruntime

    def run(level):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.graph_optimization_level = level
        options.add_session_config_entry('session.x64quantprecision', '1')
        session = onnxruntime.InferenceSession(str(path), options, providers=['CPUExecutionProvider'])
        names = [one.name for one in session.get_outputs()]
        inputs = random_inputs(session)
        return inputs, dict(zip(names, session.run(names, inputs)))

    levels = onnxruntime.GraphOptimizationLevel
    nodes = onnx.load(path, load_external_data=False).graph.node
    multiplies_integers = any(node.op_type in INTEGER_OPERATORS for node in nodes)
    inputs, expected = run(levels.ORT_ENABLE_ALL if bits == 32 or multiplies_integers else levels.ORT_DISABLE_ALL)
    # Operators of integers round after each layer, so more values differ by one.
    limits = dict.fromkeys(expected, tuple(2 * one for one in LIMITS[bits]) if multiplies_integers else LIMITS[bits])
    if bits == 8 and not multiplies_integers:
        for name, value in run(levels.ORT_ENABLE_ALL)[1].items():
            if value.dtype.kind == 'f':
                limits[name] = tuple(max(a, 2 * b) for a, b in zip(LIMITS[bits], errors_of(value, expected[name])))
    return inputs, expected, limits


def check(webnn, path, bits):
    """Compares our results with ONNX Runtime's. Returns {'error': message or '', 'difference': the greatest difference}."""
    import numpy as np

    try:
        inputs, expected, limits = expected_results(path, bits)
    except Exception as error:  # ONNX Runtime's exceptions have no common base
        return {'error': f'ONNX Runtime: {" ".join(str(error).split())[:300]}'}
    with tempfile.TemporaryDirectory() as folder:
        arguments = [webnn, 'run', str(path), '--quiet', '--backend', 'cpu']
        for index, (name, value) in enumerate(inputs.items()):
            np.save(f'{folder}/input{index}.npy', value)
            arguments += ['--input', f'{name}={folder}/input{index}.npy']
        for index, name in enumerate(expected):
            arguments += ['--output', f'{name}={folder}/output{index}.npy']
        result = subprocess.run(arguments, capture_output=True, text=True)
        if result.returncode:
            return {
                'error': f'refused: {" ".join(result.stderr.split())[:600]}'
                if result.returncode == 1
                else f'webnn ended with status {result.returncode}'
            }
        worst = 0.0
        for index, (name, value) in enumerate(expected.items()):
            text, relative = difference(np.load(f'{folder}/output{index}.npy'), value, limits[name])
            worst = max(worst, relative)
            if text:
                return {'error': f'output {name} {text}', 'difference': worst}
    return {'error': '', 'difference': worst}


def our_steps(webnn, path):
    """Returns the steps that take most time: [(kernel, share)]; with one thread."""
    command = [webnn, 'bench', str(path), '--threads', '1', '--duration', '0.3', '--no-memory', '--per-op', '--json', '--quiet']
    try:
        row = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)['rows'][0]
    except ValueError:
        return []
    steps = sorted(row.get('steps', []), key=lambda step: -step['share'])
    return [(step['kernel'] or step['operation'], step['share']) for step in steps[:STEPS]]


def their_steps(path):
    """Returns the nodes that take most of ONNX Runtime's time, by its own profile: [(operator, share)]; with one thread."""
    import onnxruntime

    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.log_severity_level, options.intra_op_num_threads = 3, 1
        options.enable_profiling, options.profile_file_prefix = True, f'{folder}/profile'
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=['CPUExecutionProvider'])
            inputs = random_inputs(session)
            for _ in range(PROFILED_RUNS):
                session.run(None, inputs)
            events = json.loads(pathlib.Path(session.end_profiling()).read_text(encoding='utf-8'))
        except Exception:  # the page then has no profile of this model
            return []
    nodes = [event for event in events if event.get('cat') == 'Node' and event['name'].endswith('_kernel_time')]
    return zoo_figures.shares([(zoo_figures.node_title(event['args']), event['name'], event['dur']) for event in nodes])[:STEPS]


def stamp(path):
    """Returns the size and the modification time of a file, to tell whether it has changed."""
    status = path.stat()
    return [status.st_size, int(status.st_mtime)]


def read(path):
    return json.loads(path.read_text(encoding='utf-8')) if path.exists() else {}


def write(path, value):
    unfinished = path.with_suffix('.unfinished')
    unfinished.write_text(json.dumps(value, indent=1), encoding='utf-8')
    unfinished.rename(path)


def not_made(described):
    """Returns the results of the models that make_zoo.py could not make; `described` is the content of its zoo.json."""
    failed = {name: one for name, one in described.items() if 'error' in one}
    return {name: {**one, 'check': {'error': f'not made: {one["error"]}'}, 'rows': []} for name, one in failed.items()}


def measure(options, path, result):
    """Compares and measures a model, and updates `result`, the raw result of this model."""
    described = read(path.parent / 'zoo.json').get(path.stem, {'kind': 'other', 'bits': 32})
    if (result.get('stamp'), result.get('bits')) != (stamp(path), described['bits']):
        result.clear()
    result.update(described, stamp=stamp(path), file=str(path.resolve()))
    if options.keep and 'check' in result and (options.check or 'rows' in result):
        return
    result['check'] = check(options.webnn, path, described['bits'])
    print(f'bench-zoo: {path.stem}: {result["check"]["error"] or "agrees with ONNX Runtime"}', flush=True)
    if not options.check:
        for key in ('machine', 'steps'):
            result.pop(key, None)
        result.update(bench.measure(options.webnn, str(path), options, None, '--no-memory'))
        result['version'] = bench.version_of(options.webnn)


def profile(webnn, models, results):
    """Adds the steps of the slowest models to their figures and to the raw results."""
    for _, name, *_ in zoo_figures.slowest(models):
        path = pathlib.Path(results.get(name, {}).get('file', ''))
        if 'steps' not in models[name] and path.is_file():
            steps = {'cpu': our_steps(webnn, path), 'onnxruntime': their_steps(path)}
            results[name]['steps'] = models[name]['steps'] = zoo_figures.rounded(steps)


def publish(options, results, names):
    """Merges the results of the models `names` into zoo.json, and writes the pages. Profiles the slowest models unless --page is
    given."""
    docs = options.docs
    figures = read(docs / 'reference/zoo.json')
    for title in zoo_figures.merge(figures, results, names):
        if not options.page:
            profile(options.webnn, figures[title]['models'], results)
    (docs / 'reference/zoo.json').write_text(zoo_figures.text(figures), encoding='utf-8')
    (docs / 'pictures/performance.svg').write_text(zoo_chart.chart(figures), encoding='utf-8')
    for name, text in (('performance', zoo_page.performance(figures)), ('zoo', zoo_page.zoo(figures))):
        bench.write_page(docs / f'reference/{name}.md', text, zoo_page.MARKER)
        print(f'bench-zoo: wrote {docs}/reference/{name}.md')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('webnn')
    parser.add_argument('models', nargs='*', type=pathlib.Path)
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--page', action='store_true')
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--duration', default='1')
    parser.add_argument('--results', type=pathlib.Path)
    parser.add_argument('--docs', type=pathlib.Path, default=ROOT / 'docs')
    options = parser.parse_intermixed_args()
    if options.page:
        if options.results and not options.results.is_file():
            parser.error(f'{options.results} is not a file')
        results = read(options.results) if options.results else {}
        publish(options, results, results)
        return 0
    models = options.models or sorted(ZOO.glob('*.onnx'))
    if not models:
        sys.exit(f'bench-zoo: {ZOO} has no models; bench/zoo/make_zoo.py makes them')
    raw = options.results or ZOO / 'results.json'
    results = {name: one for name, one in read(raw).items() if pathlib.Path(one.get('file', '')).is_file()}
    for path in models:
        measure(options, path, results.setdefault(path.stem, {}))
        write(raw, results)
    if not options.check:
        names = [path.stem for path in models]
        if not options.models:
            failed = not_made(read(ZOO / 'zoo.json'))
            results.update(failed)
            names += failed
        publish(options, results, names)
        write(raw, results)
    wrong = [path.stem for path in models if results[path.stem]['check']['error']]
    if wrong:
        print(f'bench-zoo: {len(wrong)} of {len(models)} models do not agree with ONNX Runtime: {", ".join(wrong)}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
