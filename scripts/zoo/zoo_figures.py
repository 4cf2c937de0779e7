"""The figures of docs/reference/zoo.json, by processor, and their arithmetic, for scripts/bench_zoo.py.

{"Intel Xeon, amx": {
  "machine": {"processor": ..., "isa": ..., "processors": ...},
  "versions": {"webnn": [...], "onnxruntime": [...], "openvino": [...]},
  "models": {NAME: {
    "kind": ..., "bits": bits of the weights, "check": how the results differ from ONNX Runtime's, '' if they agree,
    "times": {THREADS: {"ours": milliseconds or error, PEER: [milliseconds, ratio] or error}},
    "steps": {"cpu": [[step, share of the time], ...], "onnxruntime": [...]}}}}}
"""

import json
import math
import re
import statistics
import textwrap

import bench

PEERS = bench.PEERS
WORST = 10
BITS = {32: 'float32', 8: '8 bits', 4: '4 bits'}
MOST_LETTERS = 300  # maximum length of an error


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def node_title(arguments):
    """Returns the operator and the shape of the first result of a node in ONNX Runtime's profile."""
    shapes = [shape for one in arguments.get('output_type_shape', []) for shape in one.values()]
    return ' '.join([arguments.get('op_name', '?'), *map(str, shapes[:1])])


def shares(events):
    """Returns [(title, share of the time)] of the events (title, node, time), largest first: one element for each node, with the
    median of its times, because the first runs take longer."""
    times = {}
    for title, node, time in events:
        times.setdefault((title, node), []).append(time)
    medians = {key: statistics.median(values) for key, values in times.items()}
    total = sum(medians.values()) or 1
    return [(title, time / total) for (title, _), time in sorted(medians.items(), key=lambda item: -item[1])]


def title_of(machine):
    """Returns the title of a processor, such as 'Intel Xeon, amx'."""
    name = re.sub(r'\((R|TM)\)|\b(Processor|CPU)\b|@.*', ' ', machine['processor'])
    return f'{" ".join(name.split())}, {machine["isa"]}'


def short(text):
    return textwrap.shorten(text, MOST_LETTERS, placeholder=' ...')


def digits(value):
    return value and float(f'{value:.4g}')


def rounded(steps):
    """Returns the steps {engine: [(step, share)]} with rounded shares."""
    return {engine: [[step, digits(share)] for step, share in found] for engine, found in steps.items()}


def figures_of(result):
    """Converts the raw result of a model to its entry in zoo.json."""
    times = {}
    for row in result['rows']:
        ours = row['backend'].startswith('cpu')
        time = digits(row.get('milliseconds', {}).get('median'))
        figure = short(row['error']) if 'error' in row else time if ours else [time, digits(row.get('ratio'))]
        times.setdefault(str(row['threads']), {})['ours' if ours else row['backend']] = figure
    figures = {'kind': result['kind'], 'bits': result['bits'], 'check': short(result['check']['error']), 'times': times}
    if 'steps' in result:
        figures['steps'] = rounded(result['steps'])
    return figures


def versions_of(results):
    """Returns the versions of libwebnn and of the peers that measured the raw results."""
    found = {'webnn': {one['version'] for one in results if 'version' in one}, **{peer: set() for peer in PEERS}}
    for row in (row for one in results for row in one['rows']):
        if row['backend'] in PEERS and 'version' in row:
            found[row['backend']].add(row['version'])
    return found


def merge(figures, results, names):
    """Replaces the figures of the models `names` on the processors that measured their raw results; returns the titles of these
    processors. Keeps other models with their versions, and other processors. A result without a machine, such as that of a crash,
    belongs to the first machine of `results`."""
    machines = [one['machine'] for one in results.values() if 'machine' in one]
    by_title = {}
    for name in names:
        machine = results[name].get('machine') or (machines[0] if machines else None)
        if machine and 'rows' in results[name]:
            by_title.setdefault(title_of(machine), (machine, {}))[1][name] = results[name]
    for title, (machine, measured) in by_title.items():
        entry = figures.setdefault(title, {'machine': {}, 'versions': {}, 'models': {}})
        entry['machine'] = {key: machine[key] for key in ('processor', 'isa', 'processors')}
        are_all = entry['models'].keys() <= measured.keys()
        for engine, versions in versions_of(measured.values()).items():
            entry['versions'][engine] = sorted(versions.union([] if are_all else entry['versions'].get(engine, [])))
        entry['models'].update({name: figures_of(one) for name, one in measured.items()})
    return list(by_title)


def text(figures):
    """Returns the text of zoo.json, with one line for each model."""
    entries = []
    for title, entry in figures.items():
        models = ',\n'.join(f'   {json.dumps(name)}: {json.dumps(one)}' for name, one in sorted(entry['models'].items()))
        facts = ''.join(f'  "{key}": {json.dumps(entry[key])},\n' for key in ('machine', 'versions'))
        entries.append(f' {json.dumps(title)}: {{\n{facts}  "models": {{\n{models}\n  }}\n }}')
    return '{\n' + ',\n'.join(entries) + '\n}\n'


def columns(figures):
    """Returns (title, threads) for each processor and each number of threads of its models."""
    return [
        (title, threads)
        for title, entry in figures.items()
        for threads in sorted({threads for one in entry['models'].values() for threads in one['times']}, key=int)
    ]


def counted(count, noun):
    return f'{count} {noun}{"" if int(count) == 1 else "s"}'


def column_title(title, threads):
    return f'{title}, {counted(threads, "thread")}'


def ratio_of(model, threads, peer):
    """Returns the peer's time divided by ours, or None if one of both is not measured."""
    figure = model['times'].get(threads, {}).get(peer)
    return figure[1] if isinstance(figure, list) else None


def ratios(models, threads, peer, bits, kind=None):
    """Returns the ratios of all models with `bits` and of `kind` (None: of all kinds)."""
    wanted = [one for one in models.values() if one['bits'] == bits and kind in (None, one['kind'])]
    return [ratio for one in wanted if (ratio := ratio_of(one, threads, peer))]


def slowest(models):
    """Returns [(ratio, name, peer, threads)] of the models with the smallest ratios, smallest first."""
    found = sorted(
        (ratio, name, peer, threads)
        for name, one in models.items()
        for threads in one['times']
        for peer in PEERS
        if (ratio := ratio_of(one, threads, peer))
    )
    least = {}
    for one in found:
        least.setdefault(one[1], one)
    return list(least.values())[:WORST]
