"""Runs a model with libwebnn in several ways, and compares the results with the expected results."""

import dataclasses
import re
import tempfile
import time
from pathlib import Path

import onnx
import webnn

from . import evaluate
from .compare import EVALUATED, distances, first_difference, plain
from .noise import is_approximated, noises_of

PATHS = ('cpu', 'reference', 'export', 'onnxruntime')
SLOW = 5.0  # seconds of processor time


@dataclasses.dataclass
class Finding:
    path: str  # one of PATHS, 'import', or the stage in which the worker ended
    kind: str  # differs, fails, unclear (an error that does not name the fault), slow, ends, hangs, grows
    text: str
    units: float = 0  # the largest difference of an element, in units in the last place of that element
    scaled: float = 0  # the largest difference, in units in the last place of max(1, the result's largest element)
    apart: float = 0  # the largest absolute difference


@dataclasses.dataclass
class Result:
    findings: list = dataclasses.field(default_factory=list)
    unsupported: list = dataclasses.field(default_factory=list)
    decided: list = dataclasses.field(default_factory=list)  # paths that agree with the evaluator, not with ONNX Runtime
    noisy: bool = False


def unsupported_kinds(text):
    """Returns (operator, reason) of each line of a NotSupportedError's message, with names and numbers replaced."""
    kinds = []
    for line in text.splitlines():
        found = re.match(r'\s*(?:node ".*?" \(([\w.]+), opset \d+\)|(input|output) ".*?"): (.*)', line)
        if not found:
            continue
        reason = re.sub(r'"[^"]*"', '"…"', found[3])
        reason = re.sub(r'^(\w+) "…":', r'\1:', reason)  # removes an operation's label, which not every operation has
        reason = re.sub(r'\[[^\]]*\]', '[…]', reason)
        reason = re.sub(r'-?\b\d+(\.\d+)?(e[+-]?\d+)?\b', '#', reason)
        kinds.append((found[1] or found[2], reason.rstrip('.')))
    return kinds


def feeds_of(graph_inputs, feeds):
    return {name: plain(feeds[name]) for name in graph_inputs}


class Checker:
    """Checks models. It has a context for each backend. at(stage) is called before each stage of the work."""

    def __init__(self, at=lambda stage: None):
        self.at = at
        self.contexts = {name: webnn.ML().create_context(backend=name, threads=1) for name in ('cpu', 'reference', 'onnxruntime')}
        self.folder = tempfile.TemporaryDirectory(prefix='webnn-random-')

    def check(self, case, paths=PATHS):
        result = Result()
        started = time.process_time()
        self.at('import')
        try:
            graph = webnn.from_onnx(case.model, self.contexts['cpu'], dimensions=case.dimensions, values=case.fixed)
        except Exception as error:
            self.unsupported_by(result, error)
            return result
        for path in paths:
            self.at(path)
            self.check_path(path, graph, case, result)
        if time.process_time() - started > SLOW:
            result.findings.append(Finding('import', 'slow', f'{time.process_time() - started:.1f} s'))
        return result

    @staticmethod
    def unsupported_by(result, error):
        text = str(error)
        result.unsupported = unsupported_kinds(text)
        if not isinstance(error, webnn.NotSupportedError) or not result.unsupported:
            result.findings.append(Finding('import', 'unclear', f'{type(error).__name__}: {text[:500]}'))

    def check_path(self, path, graph, case, result):
        try:
            actual = self.compute(path, graph, case)
        except Exception as error:
            result.findings.append(Finding(path, 'fails', f'{type(error).__name__}: {str(error)[:500]}'))
            return
        found = first_difference(actual, case.expected, case.loose)
        if not found:
            return
        self.at('deciding')
        if self.agrees_with_evaluator(actual, case):
            result.decided.append(path)
        elif self.is_noise(actual, case):
            result.noisy = True
        else:
            result.findings.append(Finding(path, 'differs', found, *distances(actual, case.expected, case.loose)))

    def compute(self, path, graph, case):
        names = [output.name for output in case.model.graph.output]
        if path == 'export':
            file = Path(self.folder.name) / 'model.onnx'
            graph._save(str(file), 'onnx', 'inline')
            return self.run_exported(file.read_bytes(), case, names)
        compiled = graph if path == 'cpu' else self.contexts[path].compile(graph)
        outputs = compiled.compute(feeds_of(compiled.get_input_names(), case.feeds))
        return [outputs[name] for name in names]

    @staticmethod
    def run_exported(content, case, names):
        feeds = {name: plain(array) for name, array in case.feeds.items()}
        try:
            made = evaluate.session(content, optimized=True)
        except Exception as error:
            if 'NOT_IMPLEMENTED' not in str(error) or case.by == 'onnxruntime':
                raise
            model = onnx.load_from_string(content)  # ONNX Runtime lacks kernels, as for the original model: the evaluator runs it
            inputs = {item.name for item in model.graph.input}
            outputs = evaluate.by_reference(model, {name: array for name, array in feeds.items() if name in inputs})
            return [dict(zip((item.name for item in model.graph.output), outputs))[name] for name in names]
        types = {item.name: item.type for item in made.get_inputs()}
        feeds = {
            name: array.astype(bool) if types[name] == 'tensor(bool)' else array for name, array in feeds.items() if name in types
        }
        return made.run(names, feeds)

    @staticmethod
    def agrees_with_evaluator(actual, case):
        def by_steps():
            return evaluate.by_steps(case.model, case.feeds, case.types, (evaluate.by_reference, evaluate.by_onnxruntime))

        for evaluated in (lambda: evaluate.by_reference(case.model, case.feeds), by_steps):
            try:
                decided = evaluated()
            except Exception:
                continue
            if first_difference(actual, decided, case.loose, factor=EVALUATED) is None:
                return True
        return False

    @staticmethod
    def is_noise(actual, case):
        if not case.loose and len(case.operators) == 1 and not any(map(is_approximated, case.model.graph.node)):
            return False
        noises = noises_of(case)
        return noises is not None and first_difference(actual, case.expected, case.loose, noises) is None
