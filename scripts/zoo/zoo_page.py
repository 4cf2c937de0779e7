"""The texts of docs/reference/performance.md and docs/reference/zoo.md, for scripts/bench_zoo.py."""

import textwrap

import bench
from zoo import zoo_chart, zoo_figures

PEERS = zoo_figures.PEERS
MARKER = '<!-- `make bench-zoo` writes everything above this line. Edit only below it. -->'


def one_line(text, most=zoo_figures.MOST_LETTERS):
    return textwrap.shorten(text, most, placeholder=' ...').replace('|', '\\|')


def table(head, rows):
    lines = [f'| {" | ".join(cells)} |' for cells in [head, *rows]]
    return '\n'.join([lines[0], '|---' * len(head) + '|', *lines[1:]])


def means_table(figures):
    """Returns the table of geometric means: a row for each width of weights and each kind of float32 models, a column for each
    processor, number of threads and peer."""
    columns = [(title, threads, peer) for title, threads in zoo_figures.columns(figures) for peer in PEERS]
    kinds = sorted({one['kind'] for entry in figures.values() for one in entry['models'].values()})
    groups = [(f'**all, {name}**', bits, None) for bits, name in zoo_figures.BITS.items()] + [(kind, 32, kind) for kind in kinds]
    rows = []
    for name, *group in groups:
        cells = []
        for title, threads, peer in columns:
            found = zoo_figures.ratios(figures[title]['models'], threads, peer, *group)
            mean = bench.verdict(zoo_figures.geometric_mean(found), 1.0)
            cells.append(f'{mean} ({sum(ratio < 1 for ratio in found)} of {len(found)})' if found else '')
        if any(cells):
            rows.append([name, *cells])
    return table(
        ['kind', *(f'{PEERS[peer]} on {zoo_figures.column_title(title, threads)}' for title, threads, peer in columns)], rows
    )


def steps_text(steps):
    return '; '.join(f'{100 * share:.0f}% {one_line(title, 160)}' for title, share in steps) or 'not known'


def worst_table(models):
    rows = []
    for ratio, name, peer, threads in zoo_figures.slowest(models):
        steps = models[name].get('steps', {})
        both = [steps_text(steps.get(side, [])) for side in ('cpu', 'onnxruntime')]
        rows.append([name, zoo_figures.column_title(f'{ratio:.2f} of {PEERS[peer]}', threads), *both])
    return table(['network', 'ratio', 'our steps, 1 thread', "ONNX Runtime's nodes, 1 thread"], rows)


def performance(figures):
    """Returns the text of the page with the geometric means and the slowest models."""
    networks = {name for entry in figures.values() for name, one in entry['models'].items() if one['times']}
    text = f"""# Performance

The speed of the CPU engine compared with its peers on {len(networks)} networks with random weights, as `make bench-zoo` wrote it
([how it is measured](../guides/bench.md)). A ratio is a peer's time divided by ours, as the median over pairs of
adjacent turns; above 1, libwebnn is faster.

![{zoo_chart.TITLE}](../pictures/performance.svg)

Geometric means of the ratios. In parentheses: how many networks have a ratio below 1, of those that both engines run. Rows of
kinds count only float32 networks. Bold means are below 1.

{means_table(figures)}

## The zoo

[The zoo](zoo.md) lists every network, and its [notes](zoo.md#notes) name causes. These are the {zoo_figures.WORST} smallest
ratios on each processor, with the steps that take most time.
"""
    for title, entry in figures.items():
        text += f'\n### {title}\n\n{worst_table(entry["models"])}\n'
    return text


def time_text(figure):
    """Returns the cell of a figure: our milliseconds, a peer's [milliseconds, ratio], or an error."""
    if isinstance(figure, list):
        time, ratio = figure
        return f'{time:g} ({bench.verdict(ratio, 1.0)})' if ratio else f'{time:g}'
    return 'fails' if isinstance(figure, str) else '' if figure is None else f'{figure:g}'


def models_table(models):
    rows = []
    for name, one in sorted(models.items()):
        for threads, times in sorted(one['times'].items(), key=lambda item: int(item[0])):
            rows.append([name, one['kind'], threads, *(time_text(times.get(engine)) for engine in ('ours', *PEERS))])
    return table(['network', 'kind', 'threads', 'ours, ms', *(f'{name}, ms (ratio)' for name in PEERS.values())], rows)


def failures(models):
    """Returns the lines of a list: models that do not agree with ONNX Runtime, or that an engine refuses."""
    lines = []
    for name, one in sorted(models.items()):
        lines += [f'- {name}: {one_line(one["check"])}'] if one['check'] else []
        found = {item for times in one['times'].values() for item in times.items() if isinstance(item[1], str)}
        lines += [f'- {name}: {PEERS.get(engine, engine)}: {one_line(error)}' for engine, error in sorted(found)]
    return lines


def section(title, entry):
    """Returns the section of a processor."""
    models, machine = entry['models'], entry['machine']
    versions = {engine: ', '.join(found) or 'not found' for engine, found in entry['versions'].items()}
    measured = sum(bool(one['times']) for one in models.values())
    agreeing = sum(not one['check'] for one in models.values())
    processors = zoo_figures.counted(machine['processors'], 'processor')
    facts = [
        ('processor', f'{machine["processor"]}, {processors}, up to {machine["isa"]}'),
        ('libwebnn', versions['webnn']),
        ('ONNX Runtime', f'{versions["onnxruntime"]}, all optimizations, spinning'),
        ('OpenVINO', f'{versions["openvino"]}, latency, float32 as float32'),
        ('networks', f'{measured} measured; {agreeing} of {len(models)} agree with ONNX Runtime'),
    ]
    text = f'\n## {title}\n\n{table(["", ""], facts)}\n\n{models_table(models)}\n'
    problems = failures(models)
    return text + ('\nNot measured or not equal:\n\n' + '\n'.join(problems) + '\n' if problems else '')


def zoo(figures):
    """Returns the text of the page with every model."""
    text = """# The zoo

The speed of the CPU engine on networks of many kinds with random weights, as `make bench-zoo` wrote it
([how it is measured](../guides/bench.md)). The networks come from torchvision, timm, transformers and `bench/zoo`; both exporters
of PyTorch write them. Times are medians. A ratio is a peer's time divided by ours, as the median over pairs of
adjacent turns, so that it may differ from the quotient of the two times; above 1, libwebnn is faster. Bold ratios are below 1
before they are rounded. [Performance](performance.md) has the means and the slowest networks.
"""
    return text + ''.join(section(title, entry) for title, entry in figures.items())
