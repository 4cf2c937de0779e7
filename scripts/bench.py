#!/usr/bin/env python3
"""Measures models on our CPU engine, ONNX Runtime and OpenVINO with `webnn bench`, and writes docs/reference/time.md.

usage: bench.py WEBNN [MODEL...] [--threads 1,2] [--duration SECONDS] [--out PAGE] [--json FILE]
       bench.py --compare OLD.json NEW.json

Without a MODEL: the models of bench/make_models.py, and of ../shared/bench/make_models.py if that file exists. They are made
in build/models. On a processor with AMX, all models are measured again without AMX. The text of PAGE below the marker is written
by hand, and is kept.
--compare: compares two outputs of `webnn bench --json`, or two files that --json wrote, for example of two builds. The
processor's clock may have changed between the two measurements: the column "in peaks" therefore compares times in units of the
peak that each process measured.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ROOT / 'build/models'
MARKER = '<!-- `make bench` writes everything above this line. Edit only below it. -->'
PEERS = {'onnxruntime': 'ONNX Runtime', 'openvino': 'OpenVINO'}
FLOATS, TRANSFORMERS = (1.2, 1.1), (1.3, 1.1)
# By model, the target ratio: the time of a peer divided by the time of libwebnn, for ONNX Runtime and for OpenVINO.
TARGETS = {
    **dict.fromkeys(('mobilenet_v2', 'mobilenet_v3_large', 'resnet50', 'squeezenet11', 'unet', 'convnext_tiny', 'detector', 'diffusion_block',
                     'lstm', 'gru', 'matmul1024', 'matmul1024_fp16', 'mlp_gemv', 'tiny_chain'), FLOATS),
    **dict.fromkeys(('bert_base', 'minilm', 'vit_small', 'whisper_tiny_encoder'), TRANSFORMERS),
    'gpt_step': (1.1, 1.1), 'llama_int4_step': (2.0, 2.0), 'resnet50_qdq': (1.3, 1.0), 'mobilenet_v2_qdq': (1.3, 1.0),
    'mobilenet_v2_qdq_int8': (1.3, 1.0), 'mobilenet_v3_large_qdq': (1.3, 1.0), 'detector_qdq': (1.3, 1.0),
    'vit_small_qdq': (1.3, 1.0), 'matmul1024_qdq': (1.4, 1.0)}
AMX_TARGETS = {'matmul1024_qdq': (2.0, 1.2)}
BUILD_TARGET, MEMORY_TARGET, MEMORY_TARGET_QDQ = 1.0, 0.75, 0.5  # maximum ratio to ONNX Runtime's build time and memory
UNTOUCHED = '\n## Notes\n\nNothing is noted yet.\n'


def targets_of(model, amx):
    return (amx and AMX_TARGETS.get(model)) or TARGETS.get(model, (None, None))


def has_amx():
    try:
        return ' amx_tile ' in pathlib.Path('/proc/cpuinfo').read_text().replace('\n', ' ')
    except OSError:
        return False


def environment(isa):
    return {**os.environ, 'WEBNN_CPU_ISA': isa} if isa else None


def make_models():
    """Makes the benchmark models that do not exist yet; yields the paths of all."""
    sys.dont_write_bytecode = True
    makers = {}
    for folder in (ROOT.parent / 'shared/bench', ROOT / 'bench'):
        if not (folder / 'make_models.py').exists():
            continue
        try:
            module = importlib.util.spec_from_file_location('make_models', folder / 'make_models.py')
            models = importlib.util.module_from_spec(module)
            module.loader.exec_module(models)
        except ImportError as missing:
            sys.exit(f'bench: {missing}; scripts/setup/setup_python.sh installs it')
        made = models.MODELS if isinstance(models.MODELS, dict) else {make.__name__: make for make in models.MODELS}
        makers.update({name: make for name, make in made.items() if name not in makers})
    MODELS.mkdir(parents=True, exist_ok=True)
    for name, make in makers.items():
        path = MODELS / f'{name}.onnx'
        if not path.exists():
            print(f'bench: making {path.name}', flush=True)
            model = make()
            path.write_bytes(model.SerializeToString()) if hasattr(model, 'SerializeToString') else model.save(str(path))
        yield path


def measure(webnn, model, options, isa, *more):
    """Measures one model in a separate process; returns its report. After a crash, the report's rows contain the error. `more` are
    further arguments of `webnn bench`."""
    command = [webnn, 'bench', model, '--threads', options.threads, '--duration', options.duration, '--json', '--quiet', *more]
    for peer in PEERS:
        command += ['--peer', f'{peer}={ROOT}/scripts/bench_{peer}.py']
    result = subprocess.run(command, env=environment(isa), capture_output=True, text=True)
    try:
        return json.loads(result.stdout)
    except ValueError:
        reason = result.stderr.strip() or f'webnn ended with status {result.returncode}'
        row = {'model': pathlib.Path(model).stem, 'backend': 'cpu', 'error': reason}
        return {'rows': [{**row, 'threads': int(threads)} for threads in options.threads.split(',')]}


def measure_all(webnn, models, options, isa):
    runs = []
    for model in models:
        print(f'bench: {pathlib.Path(model).stem}{f" ({isa})" if isa else ""}', flush=True)
        runs.append(measure(webnn, model, options, isa))
    machines = [run['machine'] for run in runs if 'machine' in run]
    machine = dict(machines[0]) if machines else {}
    if machine:  # the median of the peaks that the processes measured
        for threads in machine['peakGflops']:
            peaks = sorted(one['peakGflops'][threads] for one in machines)
            machine['peakGflops'][threads] = peaks[len(peaks) // 2]
    rows = [row for run in runs for row in run['rows']]
    machine.update({row['backend']: row['version'] for row in rows if 'version' in row})
    return {'machine': machine, 'rows': rows}


def groups(rows):
    """Yields, for each model and number of threads, libwebnn's row and {peer: its row}; {} for a peer without a row."""
    peers = {(row['backend'], row['model'], row['threads']): row for row in rows}
    for row in rows:
        if row['backend'].startswith('cpu'):
            yield row, {name: peers.get((name, row['model'], row['threads']), {}) for name in PEERS}


def verdict(value, target, at_least=True):
    """Formats `value` for Markdown, in bold if it misses `target`: the least allowed value if `at_least`, else the greatest."""
    if value is None:
        return ''
    text = f'{value:.2f}'
    return text if target is None or (value >= target if at_least else value <= target) else f'**{text}**'


def ratio_of(ours, theirs, *path):
    for key in path:
        ours, theirs = ours.get(key), theirs.get(key)
        if ours is None or theirs is None:
            return None
    return ours / theirs if theirs else None


def milliseconds(row):
    return f'{row["milliseconds"]["median"]:.4g}' if 'milliseconds' in row else ''


def table(report, amx):
    """Returns the Markdown table of median run times: libwebnn's, the peers' with their ratios, and libwebnn's share of the
    peak."""
    lines = ['| model | threads | ours, ms |' + ''.join(f' {title}, ms (ratio) |' for title in PEERS.values()) + ' of peak |',
             '|---|---|---|' + '---|' * len(PEERS) + '---|']
    for ours, theirs in groups(report['rows']):
        if 'error' in ours:
            lines.append(f'| {ours["model"]} | {ours["threads"]} | {ours["error"]} |')
            continue
        cells = [ours['model'], str(ours['threads']), milliseconds(ours)]
        for name, target in zip(PEERS, targets_of(ours['model'], amx)):
            ratio = verdict(theirs[name].get('ratio'), target)
            cells.append(theirs[name].get('error', '') or milliseconds(theirs[name]) + (f' ({ratio})' if ratio else ''))
        cells.append(f'{100 * ours["shareOfPeak"]:.0f}%' if ours['gflop'] else '')
        lines.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def build_table(report):
    """Returns the Markdown table of build times and peak memory of libwebnn and ONNX Runtime, with the smallest number of
    threads."""
    lines = ['| model | build, ms | ONNX Runtime, ms (of it) | memory, MB | ONNX Runtime, MB (of it) |', '|---|---|---|---|---|']
    for ours, theirs in groups(report['rows']):
        if 'error' in ours or ours['threads'] != min(row['threads'] for row in report['rows']):
            continue
        reference = theirs['onnxruntime']
        for side in (ours, reference):
            if 'loadMilliseconds' in side:
                side['build'] = side['loadMilliseconds'] + side['compileMilliseconds']
        most = MEMORY_TARGET_QDQ if ours['model'].endswith('_qdq') else MEMORY_TARGET
        cells = [ours['model']]
        for key, scale, digits, target in (('build', 1, 1, BUILD_TARGET), ('peakBytes', 1e-6, 0, most)):
            cells.append(f'{ours[key] * scale:.{digits}f}' if key in ours else '?')
            share = verdict(ratio_of(ours, reference, key), target, at_least=False)
            cells.append(f'{reference[key] * scale:.{digits}f} ({share})' if share else '')
        lines.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def page(reports, version):
    machine = next((report['machine'] for _, report in reports if report['machine']), {})
    peaks = ', '.join(f'{peak:.0f} GFLOP/s with {threads} thread{"s" if threads != "1" else ""}'
                      for threads, peak in machine.get('peakGflops', {}).items())
    text = f'''# Where the time goes

The times of the benchmark models on the CPU engine and its peers, as `make bench` wrote them ([how they are measured](../guides/bench.md)). Times are medians. A ratio is a peer's time divided by ours,
as the median over pairs of adjacent turns, so that it may differ from the quotient of the two times; above 1, libwebnn is faster. A bold figure misses the target that `scripts/bench.py` sets for it.

| | |
|---|---|
| processor | {machine.get("processor", "?")}, {machine.get("processors", "?")} processors, instructions up to {machine.get("isa", "?")} |
| peak of float32 multiply-adds | {peaks} |
| libwebnn | {version}, compiled by {machine.get("compiler", "?")} |
| ONNX Runtime | {machine.get("onnxruntime", "not found")}, all optimizations, spinning |
| OpenVINO | {machine.get("openvino", "not found")}, latency, float32 as float32 |
'''
    for title, report in reports:
        text += f'\n## {title}\n\n{table(report, machine.get("isa") == "amx" and report["machine"].get("isaAskedFor", "amx") == "amx")}\n'
    if reports:
        text += f'''
## Build and memory

Build is the time to load and compile. Memory is the peak of building and running once, above that of the idle process. The targets are at most {BUILD_TARGET:g} times ONNX Runtime's build time, and {MEMORY_TARGET:g} times its memory ({MEMORY_TARGET_QDQ:g} times for 8-bit networks).

{build_table(reports[0][1])}
'''
    return text


def version_of(webnn):
    version = subprocess.run([webnn, '--version'], capture_output=True, text=True).stdout.split()
    commit = subprocess.run(['git', 'describe', '--always', '--dirty'], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return ' '.join(version[1:] + ([f'({commit})'] if commit else []))


def write_page(path, text, marker=MARKER):
    old = path.read_text(encoding='utf-8') if path.exists() else ''
    below = old.split(marker, 1)[1] if marker in old else UNTOUCHED
    path.write_text(f'{text}\n{marker}{below}', encoding='utf-8')


def compare(old_path, new_path):
    """Prints a table of the rows that two reports have in common, with the ratios of their times."""
    reports = [json.loads(pathlib.Path(path).read_text(encoding='utf-8')) for path in (old_path, new_path)]
    reports = [report.get('reports', {'': report}) for report in reports]
    print('| model | backend | threads | old ms | new ms | old/new | in peaks | least old ms | new ms | old/new |')
    print('|---|---|---|---|---|---|---|---|---|---|')
    for title in reports[0].keys() & reports[1].keys():
        old, new = (report[title] for report in reports)
        before = {(row['model'], row['backend'], row['threads']): row for row in old['rows'] if 'error' not in row}
        for row in new['rows']:
            was = before.get((row['model'], row['backend'], row['threads']))
            if not was or 'error' in row:
                continue
            middle = [one['milliseconds']['median'] for one in (was, row)]
            least = [one['milliseconds']['min'] for one in (was, row)]
            peak = [one['machine'].get('peakGflops', {}).get(str(row['threads']), 1) for one in (old, new)]
            print(f'| {row["model"]} | {row["backend"]} | {row["threads"]} | {middle[0]:.4g} | {middle[1]:.4g} | {middle[0] / middle[1]:.3f} '
                  f'| {middle[0] * peak[0] / (middle[1] * peak[1]):.3f} | {least[0]:.4g} | {least[1]:.4g} | {least[0] / least[1]:.3f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('webnn', nargs='?')
    parser.add_argument('models', nargs='*')
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--duration', default='3')
    parser.add_argument('--out', type=pathlib.Path, default=ROOT / 'docs/reference/time.md')
    parser.add_argument('--json', type=pathlib.Path, default=ROOT / 'build/bench.json')
    parser.add_argument('--compare', nargs=2, metavar=('OLD', 'NEW'))
    options = parser.parse_args()
    if options.compare:
        return compare(*options.compare)
    if not options.webnn:
        parser.error('WEBNN is missing')
    models = options.models or list(make_models())
    if not models:
        sys.exit('bench: there are no models; give some with MODELS="a.onnx b.onnx"')
    amx = has_amx()
    reports = [('With AMX' if amx else 'Times', measure_all(options.webnn, models, options, None))]
    if amx:
        reports.append(('Without AMX (WEBNN_CPU_ISA=avx512)', measure_all(options.webnn, models, options, 'avx512')))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({'reports': dict(reports)}, indent=1), encoding='utf-8')
    write_page(options.out, page(reports, version_of(options.webnn)))
    print(f'bench: wrote {options.out} and {options.json}')
    return 1 if any('error' in row for _, report in reports for row in report['rows']) else 0


if __name__ == '__main__':
    sys.exit(main())
