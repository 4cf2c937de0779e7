#!/usr/bin/env python3
"""Checks the backend "webgpu" on a GPU, and writes a report in Markdown.

usage: webgpu_check.py BUILD MODEL... [--vectors FOLDER] [--adapter NAME] [--duration SECONDS] [--out FILE]

Runs the conformance vectors of FOLDER, compares each model with the CPU engine, and measures it on WebGPU, on ONNX Runtime's
WebGPU provider and on the CPU engine. BUILD is a build folder with the tool. wgpu-native is found by WEBNN_WEBGPU, or as
docs/guides/webgpu.md describes. Exit status: 0 if all checks pass, 1 if one fails, 2 if there is no adapter.
--adapter NAME: the adapter, such as llvmpipe for a run without a GPU. Default: a GPU."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEER = 'onnxruntime-webgpu'


class Check:
    def __init__(self, arguments):
        self.tool, self.adapter, self.duration = arguments.build / 'tools/cli/webnn', arguments.adapter, arguments.duration
        self.failures, self.lines = [], []
        self.options = ['--backend-option', f'webgpu:adapter={self.adapter}'] if self.adapter else []

    def run(self, *words):
        return subprocess.run([self.tool, *map(str, words)], capture_output=True, text=True, check=False)

    def report(self, *lines):
        self.lines += lines
        print(*lines, sep='\n', flush=True)

    def fail(self, line):
        self.failures.append(line)
        self.report('', f'**{line}**')

    def conformance(self, vectors):
        options = ['--backend-option', f'adapter={self.adapter}'] if self.adapter else []
        result = self.run('conformance', vectors, '--backend', 'webgpu', *options, '--quiet', '--json', '-',
                          '--expectations', ROOT / 'tests/cli/wpt_webgpu.json')
        if not result.stdout:
            return self.fail(f'no vector was run: {result.stderr.strip()}')
        cases = json.loads(result.stdout)['cases']
        counts = collections.Counter(case['outcome'] for case in cases)
        self.report('', '## Conformance', '', ', '.join(f'{count} {outcome}' for outcome, count in counts.items()))
        for case in cases:
            if case['outcome'] == 'failed':
                self.fail(f'{case["file"]}: {case["name"]}: {case.get("message", "")}'.replace('\n', ' '))

    def difference(self, model):
        """Returns whether the outputs of a model on WebGPU and on the CPU engine agree, as text."""
        result = self.run('diff', model, '--backends', 'cpu,webgpu', *self.options, '--quiet')
        if result.returncode != 0:
            self.fail(f'{model.stem}: webgpu and cpu differ: {(result.stdout + result.stderr).strip()[:1000]}')
        return 'yes' if result.returncode == 0 else '**no**'

    def models(self, models):
        self.report('', '## Models', '', 'Medians of one run, in milliseconds. Inputs and results are in host memory.', '',
                    f'| model | equals cpu | webgpu | build | {PEER} | ratio | cpu |', '|---|---|---|---|---|---|---|')
        for model in models:
            equals = self.difference(model)
            result = self.run('bench', model, '--backends', 'webgpu,cpu', '--threads', '0', '--duration', self.duration, '--json',
                              '--quiet', '--no-memory', *self.options, '--peer', f'{PEER}={ROOT}/scripts/bench_onnxruntime_webgpu.py')
            if not result.stdout:
                self.fail(f'{model.stem}: not measured: {result.stderr.strip()}')
                continue
            rows = {row['backend']: row for row in json.loads(result.stdout)['rows']}
            ours, peer, cpu = rows['webgpu'], rows[PEER], rows['cpu']
            if 'error' in ours:
                self.fail(f'{model.stem}: {ours["error"]}')
                continue
            median = {name: f'{row["milliseconds"]["median"]:.3g}' if 'error' not in row else row['error'] for name, row in rows.items()}
            self.report(f'| {model.stem} | {equals} | {median["webgpu"]} | {ours["compileMilliseconds"]:.0f} | {median[PEER]} '
                        f'| {peer.get("ratio", 0):.2f} | {median["cpu"]} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('models', nargs='+', type=pathlib.Path)
    parser.add_argument('--vectors', type=pathlib.Path)
    parser.add_argument('--adapter', default='')
    parser.add_argument('--duration', default='1')
    parser.add_argument('--out', type=pathlib.Path)
    arguments = parser.parse_args()
    check = Check(arguments)
    with tempfile.TemporaryDirectory() as folder:
        graph = pathlib.Path(folder, 'relu.webnn')
        graph.write_text('webnn_graph "relu" v1 {\n  inputs { x: f32[4]; }\n  nodes { y = relu(x); }\n  outputs { y; }\n}\n', encoding='utf-8')
        result = check.run('diff', graph, '--backends', 'reference,webgpu', *check.options)
    if result.returncode != 0:
        print(f'webgpu_check: {(result.stdout + result.stderr).strip()}', file=sys.stderr)
        return 2
    check.report('# WebGPU', '', f'Adapter: {check.adapter or "the GPU that the backend selects"}.')
    if arguments.vectors:
        check.conformance(arguments.vectors)
    check.models(arguments.models)
    if arguments.out:
        arguments.out.write_text('\n'.join(check.lines) + '\n', encoding='utf-8')
    return 1 if check.failures else 0


if __name__ == '__main__':
    sys.exit(main())
