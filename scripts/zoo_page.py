"""The text of docs/reference/zoo.md, and its arithmetic, for scripts/bench_zoo.py."""

import math
import statistics
import textwrap

import bench

PEERS = bench.PEERS
WORST = 10
MARKER = '<!-- What is above is written by `make bench-zoo`; what is below, by hand. -->'
BITS = {32: 'float32', 8: '8 bits', 4: '4 bits'}


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


def measured(results):
    """Returns the results of the processor with the most measured models, keyed by name, and the number of results of other
    processors."""
    rows = {name: one for name, one in results.items() if one.get('machine') and one.get('rows')}
    machines = [(one['machine']['processor'], one['machine']['isa']) for one in rows.values()]
    most = max(machines, key=machines.count) if machines else None
    kept = {name: one for (name, one), machine in zip(rows.items(), machines) if machine == most}
    return kept, len(rows) - len(kept)


def ratios(results):
    """Yields (model, peer, threads, the peer's time divided by ours) of all pairs that were measured."""
    for name, one in results.items():
        for row in one['rows']:
            if row['backend'] in PEERS and 'ratio' in row:
                yield name, row['backend'], row['threads'], row['ratio']


def slowest(results):
    """Returns the names of the models with the smallest ratios, smallest first."""
    least = {}
    for name, _, _, ratio in ratios(measured(results)[0]):
        least[name] = min(ratio, least.get(name, ratio))
    return sorted(least, key=least.get)[:WORST]


def columns(results):
    """Returns the pairs (peer, threads) of the tables."""
    threads = sorted({row['threads'] for one in results.values() for row in one['rows']})
    return [(peer, count) for peer in PEERS for count in threads]


def count_of(threads):
    return f'{threads} thread{"s" if threads > 1 else ""}'


def header(first, pairs):
    cells = [*first, *(f'{PEERS[peer]}, {count_of(count)}' for peer, count in pairs)]
    return [f'| {" | ".join(cells)} |', '|---' * len(cells) + '|']


def groups(results):
    """Yields (title, names of the models): a group for each width of weights, then one for each kind of float32 models."""
    for bits, title in BITS.items():
        yield f'**all, {title}**', [name for name, one in results.items() if one['bits'] == bits]
    for kind in sorted({one['kind'] for one in results.values()}):
        yield kind, [name for name, one in results.items() if one['bits'] == 32 and one['kind'] == kind]


def means_table(results):
    pairs = columns(results)
    found = list(ratios(results))
    lines = header(['kind', 'models'], pairs)
    for title, names in groups(results):
        if not names:
            continue
        cells = [title, str(len(names))]
        for pair in pairs:
            values = [ratio for name, *of, ratio in found if name in names and tuple(of) == pair]
            behind = sum(value < 1 for value in values)
            cells.append(f'{bench.verdict(geometric_mean(values), 1.0)}{f" ({behind} of {len(values)} behind)" if behind else ""}')
        lines.append(f'| {" | ".join(cells)} |')
    return '\n'.join(lines)


def one_line(text, most=160):
    return textwrap.shorten(text, most, placeholder=' ...').replace('|', '\\|')


def steps_text(steps):
    return '; '.join(f'{100 * share:.0f}% {one_line(title)}' for title, share in steps) or 'not known'


def worst_table(results):
    lines = ["| model | ratio | our steps, 1 thread | ONNX Runtime's nodes, 1 thread |", '|---|---|---|---|']
    found = list(ratios(results))
    for name in slowest(results):
        ratio, peer, threads = min((ratio, peer, threads) for model, peer, threads, ratio in found if model == name)
        steps = results[name].get('steps', {})
        lines.append(
            f'| {name} | {ratio:.2f} of {PEERS[peer]}, {count_of(threads)} | {steps_text(steps.get("cpu", []))} '
            f'| {steps_text(steps.get("onnxruntime", []))} |'
        )
    return '\n'.join(lines)


def models_table(results):
    lines = [
        '| model | kind | threads | ours, ms |' + ''.join(f' {title}, ms (ratio) |' for title in PEERS.values()),
        '|---|---|---|---|' + '---|' * len(PEERS),
    ]
    for name in sorted(results):
        for ours, theirs in bench.groups(results[name]['rows']):
            cells = [
                name,
                results[name]['kind'],
                str(ours['threads']),
                one_line(ours['error']) if 'error' in ours else bench.milliseconds(ours),
            ]
            for peer in PEERS:
                ratio = bench.verdict(theirs[peer].get('ratio'), 1.0)
                cells.append(
                    'fails' if 'error' in theirs[peer] else bench.milliseconds(theirs[peer]) + (f' ({ratio})' if ratio else '')
                )
            lines.append(f'| {" | ".join(cells)} |')
    return '\n'.join(lines)


def failures(results, made):
    """Returns the lines of a list: models that were not made, that do not agree, or that an engine refuses."""
    lines = [f'- {name}: not made: {one_line(one["error"], 300)}' for name, one in made.items() if 'error' in one]
    for name, one in sorted(results.items()):
        problem = one.get('check', {}).get('error')
        lines += [f'- {name}: {one_line(problem, 300)}'] if problem else []
        errors = {(row['backend'], row['error']) for row in one.get('rows', []) if 'error' in row}
        lines += [f'- {name}: {PEERS.get(backend, "ours")}: {one_line(error, 300)}' for backend, error in sorted(errors)]
    return lines


def page(results, made):
    """Returns the page about the results of all models; `made` is the content of zoo.json."""
    kept, others = measured(results)
    machine = next(iter(kept.values()))['machine'] if kept else {}
    versions = {row['backend']: row['version'] for one in kept.values() for row in one['rows'] if 'version' in row}
    ours = sorted({one['version'] for one in kept.values() if 'version' in one})
    problems = failures(results, made)
    agreeing = sum(one.get('check', {}).get('error') == '' for one in results.values())
    left_out = f' ({others} on another processor are left out)' if others else ''
    text = f"""# The zoo

The speed of the CPU engine on networks of many kinds with random weights, as `make bench-zoo` wrote it
([how it is measured](../guides/bench.md)). The networks come from torchvision, timm, transformers and `bench/zoo`; both exporters
of PyTorch write them. Times are medians. A ratio is a peer's time divided by ours, each measured in adjacent turns; above
1, libwebnn is faster. Bold ratios are below 1.

| | |
|---|---|
| processor | {machine.get('processor', '?')}, {machine.get('processors', '?')} processors, up to {machine.get('isa', '?')} |
| libwebnn | {', '.join(ours) or '?'} |
| ONNX Runtime | {versions.get('onnxruntime', 'not found')}, all optimizations, spinning |
| OpenVINO | {versions.get('openvino', 'not found')}, latency, float32 as float32 |
| models | {len(kept)} measured{left_out}; {agreeing} of {len(results)} agree with ONNX Runtime |
"""
    if kept:
        text += f"""
## Geometric means

Rows of kinds count only float32 models.

{means_table(kept)}

## The {WORST} slowest, and why

{worst_table(kept)}

## All models

{models_table(kept)}
"""
    if problems:
        text += '\n## Not measured or not equal\n\n' + '\n'.join(problems) + '\n'
    return text if kept or problems else text + '\nNothing is measured yet.\n'
