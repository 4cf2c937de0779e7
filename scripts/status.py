"""Runs the conformance vectors on every available backend; writes docs/reference/status.md and docs/reference/status.json.

  python scripts/status.py WEBNN VECTORS

WEBNN is the command line tool, VECTORS the directory of vectors. tests/cli/wpt_BACKEND.json lists the cases that a backend may fail, with reasons;
tests/coreml/vectors.json does so for Core ML, whose exports are computed by the tests' evaluator.
The JSON has the form of the list of implementations of the WebNN community group:
https://github.com/webmachinelearning/webmachinelearning.github.io/blob/main/assets/json/webnn_status.json
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[1]
TITLES = {'cpu': 'CPU engine', 'onnxruntime': 'ONNX Runtime, CPU', 'openvino': 'OpenVINO, CPU', 'webgpu': 'WebGPU, llvmpipe',
          'coreml': 'Core ML, evaluator'}
OPTIONS = {'webgpu': ['--backend-option', 'adapter=llvmpipe']}  # a software adapter, so that the page does not depend on a GPU
EXPECTATIONS = {'reference': 'wpt_expectations', 'cpu': 'wpt_expectations'}
ALL, SOME, NONE = 4, 3, 2  # values of the progress in that JSON: all, some or no cases pass


def operations(webnn):
    return [row['name'] for row in json.loads(subprocess.check_output([webnn, 'ops', '--format', 'json']))['operations']]


def backends(webnn):
    """Returns the names of the tool's backends, "reference" first."""
    names = json.loads(subprocess.check_output([webnn, 'info', '--json']))['backends']
    return sorted(names, key=lambda name: name != 'reference')


def operation_of_cases(vectors, known):
    """Maps each case (file, name) to its operation: the first word of its name, or else the last operation of its graph."""
    found = {}
    for path in sorted(pathlib.Path(vectors).glob('*.json')):
        for case in json.loads(path.read_text(encoding='utf-8'))['cases']:
            first = case['name'].split(' ')[0].split('(')[0]
            found[path.name, case['name']] = first if first in known else case['graph']['operators'][-1]['name']
    return found


def outcomes_of(report):
    return {(case['file'], case['name']): (case['outcome'], case.get('message', '')) for case in report['cases']}


def run_coreml(webnn, vectors):
    """Does run() for Core ML: the tests' evaluator computes the exported programs. None if the evaluator is not installed or not
    built."""
    python, test = ROOT / 'build/coreml/bin/python', pathlib.Path(webnn).resolve().parents[2] / 'tests/test_coreml'
    if not python.exists() or not test.exists():
        print(f'status: coreml is left out: {python} or {test} is not there', file=sys.stderr)
        return None
    with tempfile.NamedTemporaryFile(suffix='.json') as report:
        subprocess.run([python, ROOT / 'tests/coreml/check_programs.py', test, '--vectors', vectors, '--table',
                        ROOT / 'tests/coreml/vectors.json', '--json', report.name], stdout=subprocess.DEVNULL, check=True)
        return outcomes_of(json.load(report))


def run(webnn, vectors, backend):
    """Runs the vectors on `backend`; returns {(file, name): (outcome, reason)}, or None if the backend is not available."""
    if backend == 'coreml':
        return run_coreml(webnn, vectors)
    expectations = ROOT / 'tests/cli' / f'{EXPECTATIONS.get(backend, "wpt_" + backend)}.json'
    result = subprocess.run([webnn, 'conformance', vectors, '--backend', backend, *OPTIONS.get(backend, []), '--threads', '1', '--quiet',
                             '--expectations', expectations, '--json', '-'], capture_output=True, text=True, check=False)
    if not result.stdout:
        print(f'status: {backend} is left out: {result.stderr.strip()}', file=sys.stderr)
        return None
    return outcomes_of(json.loads(result.stdout))


def progress(passed, cases):
    return ALL if passed == cases else SOME if passed else NONE


def count(outcomes):
    passed = sum(outcome == 'passed' for outcome, _ in outcomes)
    return passed, len(outcomes)


def by_operation(results, operation):
    """Returns {(backend, operation): [(outcome, reason)]}."""
    table = collections.defaultdict(list)
    for backend, cases in results.items():
        for key, outcome in cases.items():
            table[backend, operation[key]].append(outcome)
    return table


def notes_of(table, backend, name):
    return sorted({reason for outcome, reason in table[backend, name] if outcome != 'passed'})


def markdown(results, table, names):
    lines = ['# Status', '', 'Printed by `make status`. Each cell shows how many conformance vectors of web-platform-tests pass on the backend, and of how many.',
             'Cases that a backend may fail are listed with their reasons in `tests/cli/wpt_*.json` and `tests/coreml/vectors.json`; status.json is this table in the form of the',
             'WebNN community group\'s [list of implementations](https://webmachinelearning.github.io/webnn-status/).', '',
             '| operation | ' + ' | '.join(TITLES.get(backend, backend) for backend in results) + ' | notes |',
             '|---' * (len(results) + 2) + '|']
    for name in names:
        counts = [count(table[backend, name]) for backend in results]
        if not counts[0][1]:
            lines.append(f'| {name} |' + ' |' * len(results) + ' no vector |')
            continue
        notes = '; '.join(note for backend in results for note in notes_of(table, backend, name))
        cells = [f'{passed}' if passed == cases else f'**{passed}**' for passed, cases in counts]
        lines.append(f'| {name} | ' + ' | '.join(f'{cell} of {cases}' for cell, (_, cases) in zip(cells, counts)) + f' | {notes} |')
    totals = [count(list(cases.values())) for cases in results.values()]
    lines += ['| all | ' + ' | '.join(f'{passed} of {cases}' for passed, cases in totals) + ' | |', '']
    return '\n'.join(lines)


def status_json(results, table, names, files):
    rows = []
    for name in names:
        row = {'op': name, 'wpt': files.get(name, '')}
        for backend in results:
            passed, cases = count(table[backend, name])
            if cases:
                row |= {f'{backend}_progress': progress(passed, cases), f'{backend}_passed': passed, f'{backend}_cases': cases}
                row[f'{backend}_notes'] = '; '.join(notes_of(table, backend, name))
        rows.append(row)
    return json.dumps({'impl_status': rows}, indent=1) + '\n'


def main():
    webnn, vectors = sys.argv[1:]
    names = operations(webnn)
    operation = operation_of_cases(vectors, set(names))
    files = {}
    for (file, _), name in operation.items():
        stem = pathlib.Path(file).stem
        files[name] = stem if stem == name else files.get(name, stem)
    results = {backend: cases for backend in backends(webnn) if (cases := run(webnn, vectors, backend))}
    for backend, cases in results.items():
        results[backend] = {key: cases[key] for key in cases if key in operation}
    table = by_operation(results, operation)
    (ROOT / 'docs/reference/status.md').write_text(markdown(results, table, names), encoding='utf-8')
    (ROOT / 'docs/reference/status.json').write_text(status_json(results, table, names, files), encoding='utf-8')


if __name__ == '__main__':
    main()
