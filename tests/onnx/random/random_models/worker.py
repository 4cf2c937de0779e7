"""Checks models one after another, and prints lines of JSON about each. The supervisor starts another worker when this one ends.

usage: python -m random_models.worker SEED FIRST LAST FOLDER [OPERATOR...]
"""

import dataclasses
import json
import re
import resource
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from .check import Checker
from .generate import generate
from .noise import floats_of
from .reduce import reduce_case

MOST_MEMORY = 6 << 30
MOST_KEPT = 8  # models saved for each kind of finding
MOST_GROWTH = 512 << 10  # growth of memory by one model, in KiB


def say(**what):
    print(json.dumps(what), flush=True)


def text_of(case):
    """Returns the case as text for people: the model, the inputs and the expected outputs."""
    lines = [onnx.printer.to_text(case.model)]
    lines += [f'{name} = {array.dtype}{list(array.shape)} {array.ravel()[:24].tolist()}' for name, array in case.feeds.items()]
    lines += [f'expected ({case.by}): {array.dtype}{list(array.shape)} {array.ravel()[:24].tolist()}' for array in case.expected]
    lines += [f'dimensions {case.dimensions}'] * bool(case.dimensions) + [f'fixed {list(case.fixed)}'] * bool(case.fixed)
    return '\n'.join(lines)


def save(case, folder, note):
    """Writes the case to `folder` in the form that `webnn verify` reads, and its text to model.txt."""
    data = folder / 'test_data_set_0'
    data.mkdir(parents=True, exist_ok=True)
    (folder / 'model.onnx').write_bytes(case.model.SerializeToString())
    names = [item.name for item in case.model.graph.input if item.name in case.feeds]
    for kind, arrays in (('input', [case.feeds[name] for name in names]), ('output', case.expected)):
        for i, array in enumerate(arrays):
            (data / f'{kind}_{i}.pb').write_bytes(numpy_helper.from_array(array).SerializeToString())
    (folder / 'model.txt').write_text(note + '\n' + text_of(case) + '\n')


def types_of(case):
    return sorted({str(array.dtype) for array in [*case.feeds.values(), *case.expected]})


def same(result, finding):
    return next((other for other in result.findings if (other.path, other.kind) == (finding.path, finding.kind)), None)


def reduced(checker, case, finding, earlier):
    """Returns a smaller case with the same finding, and its finding. earlier: smaller cases to try first."""
    paths = (finding.path,)
    for smaller in earlier:
        if said := same(checker.check(smaller, paths), finding):
            return smaller, said
    smaller = reduce_case(case, lambda other: same(checker.check(other, paths), finding) is not None, checker.at)
    return smaller, same(checker.check(smaller, paths), finding) or finding


def described(finding, case):
    with np.errstate(all='ignore'):
        extreme = any(array.dtype.kind in 'iu' and overflows(array) for array in [*arrays_of(case), *case.expected])
        floats = [np.abs(array.astype(float)) for array in floats_in(case) if array.dtype.kind == 'f']
        special = any(not np.all(array < 1e18) for array in floats)
        tiny = any(np.any((array > 0) & (array < 1e-18)) for array in floats)
        largest = max((float(np.max(array[np.isfinite(array)], initial=0)) for array in floats), default=0.0)
    return {
        **dataclasses.asdict(finding),
        'operators': case.operators,
        'types': types_of(case),
        'opset': case.model.opset_import[0].version,
        'by': case.by,
        'special': special,
        'tiny': tiny,
        'largest': largest,
        'texts': sorted({item.s.decode() for node in case.model.graph.node for item in node.attribute if item.s}),
        'flags': sorted({item.name for node in case.model.graph.node for item in node.attribute if item.i == 1}),
        'extreme': extreme,
        'copied': any(np.array_equal(a, b, a.dtype.kind == 'f') for a in arrays_of(case) for b in case.expected),
    }


def floats_in(case):
    """Returns all float arrays of the case; also the intermediate ones, if they can be computed."""
    try:
        between = list(floats_of(case).values())
    except Exception:
        between = []
    return [*arrays_of(case), *case.expected, *between]


def overflows(array):
    """Returns whether sums of integers as large as those of `array` may overflow their type."""
    return bool(np.any(np.abs(array.astype(float)) > np.iinfo(array.dtype).max / 64))


def arrays_of(case):
    constants = [numpy_helper.to_array(tensor) for tensor in case.model.graph.initializer]
    constants += [
        numpy_helper.to_array(attribute.t)
        for node in case.model.graph.node
        for attribute in node.attribute
        if attribute.HasField('t')
    ]
    return [*case.feeds.values(), *constants]


def check(checker, index, case, folder, kept):
    result = checker.check(case)
    found, earlier = [], []
    if result.findings:  # reported first, because checking a smaller model may crash this process
        say(found=[described(finding, case) for finding in result.findings])
    for finding in result.findings:
        message = (finding.kind, re.sub(r'\d+|"[^"]*"', '', finding.text))
        kept[message] = kept.get(message, 0) + 1
        if kept[message] > MOST_KEPT:  # reducing takes time
            found.append(described(finding, case))
            continue
        smaller, said = reduced(checker, case, finding, earlier)
        earlier.append(smaller)
        key = (finding.kind, *smaller.operators, *types_of(smaller))
        kept[key] = kept.get(key, 0) + 1
        if kept[key] <= MOST_KEPT:
            note = f'{finding.path} {finding.kind}: {said.text}'
            save(smaller, folder / f'{index}-{finding.path}-{"-".join(smaller.operators[:4])}', note)
        found.append(described(said, smaller))
    say(
        done=index,
        operators=case.made,
        by=case.by,
        unsupported=result.unsupported,
        decided=result.decided,
        noisy=result.noisy,
        findings=found,
    )


def main():
    seed, first, last = map(int, sys.argv[1:4])
    folder, only = Path(sys.argv[4]), set(sys.argv[5:]) or None
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kept = {}
    checker = Checker(lambda stage: say(at=stage))
    for index in range(first, last):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        say(begin=index)
        case = generate((seed, index), only)
        if case is None:
            say(done=index, operators=[])
            continue
        check(checker, index, case, folder, kept)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown > MOST_GROWTH:
            say(grown=index, text=f'{grown >> 10} MiB')


if __name__ == '__main__':
    main()
