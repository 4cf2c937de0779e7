"""Runs worker processes that check models. Starts another worker when one ends, and prints a summary."""

import argparse
import collections
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import onnx

import verify

from .explained import explanation_of, load_unsupported, save_unsupported
from .generate import NEWEST

HERE = Path(__file__).resolve().parent
MOST_SECONDS = 60  # a worker that sends no message for this long is taken to hang; generous, because machines may be busy


def environment():
    """Returns the workers' environment. It adds the package webnn to an interpreter that has onnx and onnxruntime."""
    return {**verify.environment(), 'PYTHONPATH': os.pathsep.join([str(HERE.parent), str(verify.python_package())])}


class Worker:
    """A worker process, and the lines that it prints."""

    def __init__(self, seed, first, last, folder, only):
        command = [sys.executable, '-m', 'random_models.worker', str(seed), str(first), str(last), str(folder), *only]
        self.errors = open(folder / 'worker.log', 'a+')
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment())
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def next(self):
        """Returns the worker's next message; None if it has ended, 'hangs' if it says nothing."""
        try:
            line = self.lines.get(timeout=MOST_SECONDS)
        except queue.Empty:
            self.process.kill()
            return 'hangs'
        return json.loads(line) if line else None


class Summary:
    def __init__(self):
        self.known_unsupported = load_unsupported()
        self.counts = collections.Counter()
        self.operators, self.unsupported, self.explained = collections.Counter(), collections.Counter(), collections.Counter()
        # operators of one-node models in which only ONNX Runtime has different results
        self.decided = collections.Counter()
        self.unexplained = []

    def add(self, said):
        self.operators.update(said['operators'])
        self.counts['models'] += 1
        if not said['operators']:
            return
        self.counts[f'by {said["by"]}'] += 1
        self.unsupported.update(map(tuple, said['unsupported']))
        self.counts['unsupported'] += bool(said['unsupported'])
        self.counts['noisy'] += said['noisy']
        self.counts['decided for us by the evaluator'] += bool(said['decided'])
        if said['decided'] and len(said['operators']) == 1:
            self.decided.update(said['operators'])
        for finding in said['findings']:
            self.find(said['done'], finding)

    def find(self, index, finding):
        reason = explanation_of(finding)
        if reason:
            self.explained[reason] += 1
            return
        self.unexplained.append((index, finding))
        print(
            f'{index}: {finding["path"]} {finding["kind"]} {"+".join(finding["operators"])} {" ".join(finding["types"])} '
            f'opset {finding.get("opset")}: {finding["text"][-400:]}',
            flush=True,
        )

    def new_unsupported(self):
        return sorted(set(self.unsupported) - self.known_unsupported)

    def show(self, imported):
        print('; '.join(f'{count} {what}' for what, count in self.counts.items()))
        for reason, count in self.explained.most_common():
            print(f'explained {count}: {reason}')
        if self.decided:
            print('the evaluator agrees with us:', ', '.join(f'{name} {count}' for name, count in self.decided.most_common()))
        for kind in self.new_unsupported():
            print(f'newly unsupported {self.unsupported[kind]}: {kind[0]}: {kind[1]}')
        never = [name for name in imported if not self.operators[name] and not is_newer(name)]
        print(f'{len(self.operators)} operators' + (f'; never made: {" ".join(never)}' if never else ''))
        print(f'{len(self.unexplained)} unexplained')


def imported_operators():
    """Returns the operators that docs/reference/onnx.md lists; ops_test.cpp compares the list with `webnn ops --onnx`."""
    text = (HERE.parents[3] / 'docs/reference/onnx.md').read_text()
    listed = text.split('<!-- operators -->')[1].split('<!-- end -->')[0]
    names, domain = [], ''
    for line in listed.splitlines():
        if line.startswith('`'):
            domain = line.split('`')[1]
        else:
            names += [name if domain == 'ai.onnx' else f'{domain}.{name}' for name in line.split()]
    return names


def is_newer(name):
    """Returns whether ONNX introduced the operator after the newest operator set that is generated."""
    versions = [
        schema.since_version for schema in onnx.defs.get_all_schemas_with_history() if schema.name == name and not schema.domain
    ]
    return bool(versions) and min(versions) > NEWEST


def supervise(arguments, folder, summary):
    first, stage, found = arguments.first, '', []
    while first < arguments.first + arguments.count:
        worker = Worker(arguments.seed, first, arguments.first + arguments.count, folder, arguments.only)
        index = None
        while (said := worker.next()) not in (None, 'hangs'):
            if 'begin' in said:
                index, stage = said['begin'], 'generate'
                found = []
            elif 'at' in said:
                stage = said['at']
            elif 'found' in said:
                found = said['found']
            elif 'grown' in said:
                summary.find(index, {'path': stage, 'kind': 'grows', 'operators': [], 'types': [], 'text': said['text']})
            else:
                summary.add(said)
                stage = ''
        worker.process.wait()
        if said is None and worker.process.returncode == 0:
            return
        worker.errors.seek(0)
        text = f'exit status {worker.process.returncode}: ' + worker.errors.read()[-1500:].strip()
        # In these stages, libwebnn does not run.
        if stage in ('generate', 'reducing', 'deciding') and worker.process.returncode < 0:
            summary.counts['ended in ONNX Runtime'] += 1
            for finding in found:
                summary.find(index, finding)
        else:
            summary.find(index, {'path': stage, 'kind': 'hangs' if said else 'ends', 'operators': [], 'types': [], 'text': text})
        if index is None:
            sys.exit(text)
        first = index + 1


def main(about):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument('count', type=int)
    parser.add_argument('--first', type=int, default=0, help='the number of the first model')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', type=Path, help='a folder for the models that differ, reduced')
    parser.add_argument('--only', nargs='*', default=[], help='operators that models begin with')
    parser.add_argument('--write-unsupported', action='store_true', help='adds newly unsupported operators to unsupported.tsv')
    arguments = parser.parse_args()
    summary = Summary()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        supervise(arguments, folder, summary)
    summary.show([] if arguments.only else imported_operators())
    if arguments.write_unsupported:
        save_unsupported(summary.known_unsupported | set(summary.unsupported))
    return 1 if summary.unexplained or (summary.new_unsupported() and not arguments.write_unsupported) else 0
