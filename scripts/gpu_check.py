#!/usr/bin/env python3
"""Checks the backend "onnxruntime" on an NVIDIA GPU, and writes a report in Markdown.

usage: gpu_check.py BUILD VECTORS [MODEL...] [--out FILE] [--dry-run cpu]

For each NVIDIA provider of ONNX Runtime, the program runs the conformance vectors with tensors on the GPU and in host memory;
measures the models on the provider and on libwebnn's CPU engine; and creates and destroys tensors, graphs and contexts 1,000
times. BUILD is a build folder with the tool and the tests, VECTORS a folder of conformance vectors. ONNX Runtime is found by
WEBNN_ONNXRUNTIME, or as docs/guides/onnxruntime.md describes. Exit status: 0 if all checks pass, 1 if one fails, 2 if the GPU or
the library is missing (the message says which).
--dry-run cpu: runs all sections with the provider CPU, without a GPU."""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
PROVIDERS = ['CUDA', 'Tensorrt', 'NvTensorRTRTX']
ROUNDS = 1000
# The allowed growth of memory in the second half of the rounds, in MiB. It is not 0 because allocators take memory in blocks.
GROWTH = 16


def lines_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()


class Card:
    """An NVIDIA GPU, described by nvidia-smi."""
    providers = PROVIDERS

    def what_is_missing(self):
        if not shutil.which('nvidia-smi'):
            return 'nvidia-smi is not there: no driver of NVIDIA is installed'
        listed = subprocess.run(['nvidia-smi', '--list-gpus'], capture_output=True, text=True, check=False)
        if listed.returncode != 0 or not listed.stdout.strip():
            return f'nvidia-smi lists no card: {(listed.stdout + listed.stderr).strip()}'
        return None

    def describe(self):
        return lines_of(['nvidia-smi', '--query-gpu=name,driver_version,memory.total', '--format=csv,noheader'])

    def memory_of(self, _):
        """Returns the GPU memory in use by all processes, in MiB: in a container, the use of a single process is not visible."""
        return int(lines_of(['nvidia-smi', '--query-gpu=memory.used', '--format=csv,noheader,nounits', '--id=0'])[0])


class Processor:
    """The CPU instead of a GPU, for --dry-run."""
    providers = ['CPU']

    def what_is_missing(self):
        return None

    def describe(self):
        return ['a dry run on the CPU: nothing here was run on a card']

    def memory_of(self, process):
        status = pathlib.Path(f'/proc/{process}/status').read_text(encoding='utf-8')
        return int(re.search(r'VmRSS:\s+(\d+)', status)[1]) // 1024


def settings_of(provider, tensors='device'):
    return [f'providers={provider}', f'tensors={tensors}']


class Check:
    def __init__(self, build, device):
        self.webnn, self.cycles = build / 'tools/cli/webnn', build / 'tests/tensor_cycles'
        self.device, self.failures, self.lines = device, [], []

    def environment(self):
        # Computes in float32, not TF32. TensorRT has no other switch for this.
        return os.environ | {'NVIDIA_TF32_OVERRIDE': '0'}

    def run(self, command):
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=self.environment())

    def report(self, *lines):
        self.lines += lines
        for line in lines:
            print(line, flush=True)

    def fail(self, line):
        self.failures.append(line)
        self.report(f'- **{line}**')

    def why_not(self, provider):
        """Returns why `provider` cannot be used; None if it can."""
        result = self.run([self.cycles, '1', *settings_of(provider, 'host')])
        return f'{provider}: {result.stderr.strip()}' if result.returncode else None

    def conformance(self, provider, tensors, vectors):
        options = [word for setting in settings_of(provider, tensors) for word in ('--backend-option', setting)]
        result = self.run([self.webnn, 'conformance', vectors, '--backend', 'onnxruntime', *options, '--quiet', '--json', '-',
                           '--expectations', ROOT / 'tests/cli/wpt_onnxruntime.json'])
        if not result.stdout:
            self.fail(f'{provider}, tensors={tensors}: no vector was run: {result.stderr.strip()}')
            return
        cases = json.loads(result.stdout)['cases']
        counts = collections.Counter(case['outcome'] for case in cases)
        self.report(f'| {provider} | {tensors} | ' + ' | '.join(str(counts[word]) for word in ('passed', 'excused', 'failed')) + ' |')
        if counts['failed']:
            self.failures.append(f'{provider}, tensors={tensors}: {counts["failed"]} vectors failed')
        self.failed_cases += [(provider, tensors, case) for case in cases if case['outcome'] == 'failed']

    def conformance_section(self, providers, vectors):
        self.report('', '## Conformance', '', '| provider | tensors | passed | excused | failed |', '|---|---|---|---|---|')
        self.failed_cases = []
        for provider in providers:
            for tensors in ('device', 'host'):
                self.conformance(provider, tensors, vectors)
        if self.failed_cases:
            self.report('', '| provider | tensors | case | message |', '|---|---|---|---|')
        for provider, tensors, case in self.failed_cases:
            message = case.get('message', '').replace('|', '\\|').replace('\n', ' ')
            self.report(f'| {provider} | {tensors} | {case["file"]}: {case["name"]} | {message} |')

    def models_section(self, providers, models):
        self.report('', '## Models')
        if not models:
            self.report('', 'No model was given.')
        for provider in providers if models else []:
            options = [word for setting in settings_of(provider) for word in ('--backend-option', f'onnxruntime:{setting}')]
            result = self.run([self.webnn, 'bench', *models, '--backends', 'cpu,onnxruntime', '--threads', '0', *options])
            self.report('', f'### {provider}', '', *result.stdout.strip().splitlines())
            if result.returncode != 0:
                self.fail(f'{provider}: the models cannot be measured: {result.stderr.strip()}')

    def memory_after_rounds(self, provider):
        """Runs ROUNDS rounds; returns the memory in use, in MiB, after every ten rounds. Returns None if the program failed."""
        command = [self.cycles, str(ROUNDS), *settings_of(provider)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment()) as process:
            used = []
            for _ in process.stdout:
                used.append(self.device.memory_of(process.pid))
                process.stdin.write('\n')
                process.stdin.flush()
        if process.returncode != 0 or len(used) != ROUNDS // 10:
            self.fail(f'{provider}: tensor_cycles ended with status {process.returncode} after {len(used) * 10} rounds')
            return None
        return used

    def memory_section(self, providers):
        self.report('', '## Memory', '', f'MiB in use over {ROUNDS} rounds of tensors, graphs and contexts that come and go.', '',
                    '| provider | after the first tenth | in the middle | at the end |', '|---|---|---|---|')
        for provider in providers:
            used = self.memory_after_rounds(provider)
            if not used:
                continue
            middle, end = used[len(used) // 2], used[-1]
            self.report(f'| {provider} | {used[len(used) // 10 - 1]} | {middle} | {end} |')
            if end > middle + GROWTH:
                self.fail(f'{provider}: the memory in use grows from {middle} to {end} MiB')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('vectors', type=pathlib.Path)
    parser.add_argument('models', nargs='*', type=pathlib.Path)
    parser.add_argument('--out', type=pathlib.Path)
    parser.add_argument('--dry-run', choices=['cpu'])
    options = parser.parse_args()
    device = Processor() if options.dry_run else Card()
    check = Check(options.build, device)
    missing = device.what_is_missing()
    reasons = {provider: check.why_not(provider) for provider in device.providers} if not missing else {}
    providers = [provider for provider, reason in reasons.items() if reason is None]
    if not providers:
        for reason in [missing] if missing else reasons.values():
            print(f'gpu_check: {reason}', file=sys.stderr)
        return 2
    check.report('# Check of a card', '', *(f'- {line}' for line in device.describe()),
                 *(f'- left out: {reason}' for reason in reasons.values() if reason))
    check.conformance_section(providers, options.vectors)
    check.models_section(providers, options.models)
    check.memory_section(providers)
    check.report('', '## Result', '', *(f'- {line}' for line in check.failures or ['All is well.']))
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text('\n'.join(check.lines) + '\n', encoding='utf-8')
    return 1 if check.failures else 0


if __name__ == '__main__':
    sys.exit(main())
