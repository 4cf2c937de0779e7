#!/usr/bin/env python3
"""Measures models on our CPU engine and on ONNX Runtime with `webnn bench`, and writes docs/performance.md.

usage: bench.py WEBNN [MODEL...] [--threads 1,2] [--duration SECONDS] [--out PAGE] [--json FILE]
       bench.py --compare OLD.json NEW.json

Without models: those of ../shared/bench/make_models.py, made in build/release/onnx_models. Where the processor has AMX, all is
measured again without. What is in PAGE below the marker is written by hand, and stays.
--compare: two outputs of `webnn bench --json`, or two files of --json, say of two builds; made one after the other, so mind the
clock: times are also given in units of the peak that each process measured.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ROOT / 'build/release/onnx_models'
MARKER = '<!-- What is above is written by `make bench`; what is below, by hand. -->'
# How many times as long ONNX Runtime should take at least: with AMX, without; a pair is for 1 thread and for more.
TARGETS = {
    'mobilenet_v2': (1.4, 1.3), 'resnet50': (1.5, 1.05), 'squeezenet11': (1.4, 1.15), 'unet': (1.5, 1.2), 'bert_base': (1.7, 1.1),
    'minilm': (1.9, 1.25), 'lstm': ((1.4, 2.0), (1.4, 2.0)), 'gru': ((1.4, 2.0), (1.4, 2.0)), 'matmul1024': (1.4, 1.05),
    'matmul1024_fp16': (3, 1.5), 'matmul1024_qdq': (2.5, 1.5), 'mlp_gemv': ((1.3, 1.1), (1.3, 1.1)), 'tiny_chain': (1.2, 1.2)}
BUILD_TARGET, MEMORY_TARGET = 1.0, 0.75  # ours in units of ONNX Runtime's, at most
UNTOUCHED = '\n## Notes\n\nNothing is noted yet.\n'


def target_of(model, threads, amx):
    target = TARGETS.get(model, (None, None))[0 if amx else 1]
    return target[0 if threads == 1 else 1] if isinstance(target, tuple) else target


def has_amx():
    try:
        return ' amx_tile ' in pathlib.Path('/proc/cpuinfo').read_text().replace('\n', ' ')
    except OSError:
        return False


def environment(isa):
    """With the ONNX Runtime of build/python, unless another one is asked for."""
    variables = dict(os.environ)
    for capi in (ROOT / 'build/python').glob('lib/python3*/site-packages/onnxruntime/capi'):
        variables.setdefault('WEBNN_ONNXRUNTIME', str(capi))
    if isa:
        variables['WEBNN_CPU_ISA'] = isa
    return variables


def make_models():
    """The benchmark models' files: those that make_models.py makes, made unless they are there."""
    maker = ROOT.parent / 'shared/bench/make_models.py'
    if maker.exists():
        sys.path.insert(0, str(maker.parent))
        sys.dont_write_bytecode = True
        try:
            import make_models as models
        except ImportError as missing:
            sys.exit(f'bench: {missing}; scripts/setup_python.sh installs it')
        MODELS.mkdir(parents=True, exist_ok=True)
        for make in models.MODELS:
            path = MODELS / f'{make.__name__}.onnx'
            if not path.exists():
                print(f'bench: making {path.name}', flush=True)
                make().save(str(path))
            yield path
    elif MODELS.exists():
        yield from sorted(MODELS.glob('*.onnx'))


def measure(webnn, model, options, isa):
    """The report on one model, in a process of its own; of a crash, rows that say so."""
    command = [webnn, 'bench', model, '--backends', 'cpu,onnxruntime', '--threads', options.threads, '--duration', options.duration,
               '--json', '--quiet']
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
    if machine:  # the middle of what each process saw
        for threads in machine['peakGflops']:
            peaks = sorted(one['peakGflops'][threads] for one in machines)
            machine['peakGflops'][threads] = peaks[len(peaks) // 2]
    return {'machine': machine, 'rows': [row for run in runs for row in run['rows']]}


def pairs(rows):
    """(ours, ONNX Runtime's) rows of each model and number of threads; ONNX Runtime's may be missing."""
    theirs = {(row['model'], row['threads']): row for row in rows if row['backend'].startswith('onnxruntime')}
    for row in rows:
        if row['backend'].startswith('cpu'):
            yield row, theirs.get((row['model'], row['threads']), {})


def verdict(value, target, at_least=True):
    """The value with its target, in bold where it misses it."""
    if value is None:
        return '', '' if target is None else f'{target:g}'
    text = f'{value:.2f}'
    if target is None:
        return text, ''
    return (text if (value >= target if at_least else value <= target) else f'**{text}**'), f'{target:g}'


def ratio_of(ours, theirs, *path):
    for key in path:
        ours, theirs = ours.get(key), theirs.get(key)
        if ours is None or theirs is None:
            return None
    return ours / theirs if theirs else None


def table(report, amx):
    lines = ['| model | threads | ours, ms | ONNX Runtime, ms | ratio | target | GFLOP/s | of peak | build, ms (ORT) | of ORT\'s | memory, MB (ORT) | of ORT\'s |',
             '|---|---|---|---|---|---|---|---|---|---|---|---|']
    for ours, theirs in pairs(report['rows']):
        error = ours.get('error') or theirs.get('error')
        if error:
            lines.append(f'| {ours["model"]} | {ours["threads"]} | {error} |')
            continue
        ratio, target = verdict(theirs.get('ratio'), target_of(ours['model'], ours['threads'], amx))
        sides = [ours, theirs] if theirs else [ours]
        for side in sides:
            side['build'] = side['loadMilliseconds'] + side['compileMilliseconds']
        build, _ = verdict(ratio_of(ours, theirs, 'build'), BUILD_TARGET, at_least=False)
        memory, _ = verdict(ratio_of(ours, theirs, 'peakBytes'), MEMORY_TARGET, at_least=False)

        def both(key, scale, digits):
            text = [f'{side[key] * scale:.{digits}f}' if key in side else '?' for side in sides]
            return text[0] + (f' ({text[1]})' if len(text) > 1 else '')

        median = [f'{side["milliseconds"]["median"]:.4g}' for side in sides] + ['']
        rate = (f'{ours["gflops"]:.0f}', f'{100 * ours["shareOfPeak"]:.0f}%') if ours['gflop'] else ('', '')
        lines.append(f'| {ours["model"]} | {ours["threads"]} | {median[0]} | {median[1]} | {ratio} | {target} | {rate[0]} | {rate[1]} '
                     f'| {both("build", 1, 1)} | {build} | {both("peakBytes", 1e-6, 0)} | {memory} |')
    return '\n'.join(lines)


def page(reports, version):
    machine = next((report['machine'] for _, report in reports if report['machine']), {})
    peaks = ', '.join(f'{peak:.0f} GFLOP/s with {threads} thread{"s" if threads != "1" else ""}'
                      for threads, peak in machine.get('peakGflops', {}).items())
    text = f'''# Performance

Written by `make bench`; [bench.md](bench.md) says how it is measured. The time is the median; the ratio is how many times as long as ours ONNX
Runtime takes, turn by turn; what misses its target is bold. Build is loading and compiling, at most {BUILD_TARGET:g} of ONNX Runtime's; memory the peak of
building and running once above the idle process, at most {MEMORY_TARGET:g} of it.

| | |
|---|---|
| processor | {machine.get("processor", "?")}, {machine.get("processors", "?")} processors, instructions up to {machine.get("isa", "?")} |
| peak of float32 multiply-adds | {peaks} |
| libwebnn | {version}, compiled by {machine.get("compiler", "?")} |
| ONNX Runtime | {machine.get("onnxruntime", "not found")}, all optimizations, spinning |
'''
    for title, report in reports:
        text += f'\n## {title}\n\n{table(report, machine.get("isa") == "amx" and report["machine"].get("isaAskedFor", "amx") == "amx")}\n'
    return text


def version_of(webnn):
    version = subprocess.run([webnn, '--version'], capture_output=True, text=True).stdout.split()
    commit = subprocess.run(['git', 'describe', '--always', '--dirty'], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return ' '.join(version[1:] + ([f'({commit})'] if commit else []))


def write_page(path, text):
    old = path.read_text(encoding='utf-8') if path.exists() else ''
    below = old.split(MARKER, 1)[1] if MARKER in old else UNTOUCHED
    path.write_text(f'{text}\n{MARKER}{below}', encoding='utf-8')


def compare(old_path, new_path):
    """Prints how the rows of two reports differ."""
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
    parser.add_argument('--out', type=pathlib.Path, default=ROOT / 'docs/performance.md')
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
