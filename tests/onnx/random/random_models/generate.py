"""Generates a random model with inputs and expected results. The same seed gives the same model."""

import dataclasses
import functools

import numpy as np
import onnx

from . import evaluate, families  # noqa: F401
from .families.registry import OPERATORS
from .model import Impossible, Model

OLDEST, NEWEST = 7, 26
NODES = (1,) * 6 + (2, 2, 3, 4, 5, 6)
MOST_TRIES = 40


@dataclasses.dataclass
class Case:
    """A model, its inputs and its expected outputs."""

    seed: tuple
    model: onnx.ModelProto
    feeds: dict
    fixed: dict  # values of inputs that become constants when the model is loaded
    dimensions: dict  # sizes of open dimensions
    expected: list
    by: str  # the engine that computed `expected`: 'onnxruntime' or 'onnx'
    operators: list
    made: list  # the operators with their domains, as they were chosen
    types: dict  # name -> type of every value
    loose: bool
    rejected: list  # (operator, reason) of nodes that could not be added


@functools.cache
def of_operator_set(opset):
    """Returns the operators that can be generated with version `opset` of ONNX's operator set."""
    return [entry for entry in OPERATORS.values() if entry.since <= opset <= entry.until and has(entry, opset)]


def has(entry, opset):
    if entry.domain or not onnx.defs.has(entry.name):
        return True
    try:
        return not onnx.defs.get_schema(entry.name, opset, '').deprecated
    except onnx.defs.SchemaError:
        return False


def available(opset, only=None):
    return [entry for entry in of_operator_set(opset) if only is None or entry.name in only]


def state_of(model):
    return {key: value.copy() if isinstance(value, (list, dict)) else value for key, value in vars(model).items() if key != 'rng'}


def add_node(model, entry, reads_earlier):
    """Adds a node of the operator. Returns None, or the reason why it could not be added; `model` is then unchanged."""
    kept = state_of(model)
    try:
        entry.add(model, entry.name)
        if not model.results:
            raise Impossible('no result')
        if model.loose and model.style == 'huge':
            raise Impossible('a sum of huge numbers')
        if reads_earlier and not reads_computed(model, len(kept['nodes'])):
            raise Impossible('it stands alone')
        model.compute()
        return None
    except (Impossible, evaluate.NotRun) as reason:
        failed = str(reason)
    vars(model).update(kept)
    return failed


def reads_computed(model, before):
    """Returns whether a node after the first `before` nodes reads a value that one of the first `before` nodes computes."""
    computed = {name for node in model.nodes[:before] if node.op_type != 'Constant' for name in node.output}
    return any(name in computed for node in model.nodes[before:] for name in node.input)


def generate(seed, only=None):
    """Returns the Case of `seed` (a tuple of integers), or None if no node can be added. only: operators for the first node."""
    rng = np.random.default_rng(seed)
    model = Model(rng, int(rng.integers(OLDEST, NEWEST + 1)))
    wanted = int(rng.choice(NODES))
    operators, made, rejected = [], [], []
    for _ in range(MOST_TRIES):
        choices = available(model.opset, only if not operators else None)
        if not choices:
            model = Model(rng, int(rng.integers(OLDEST, NEWEST + 1)))
            continue
        entry = choices[int(rng.integers(len(choices)))]
        failed = add_node(model, entry, bool(operators))
        if failed is None:
            operators.append(entry.name)
            made.append(f'{entry.domain}.{entry.name}' if entry.domain else entry.name)
        else:
            rejected.append((entry.name, failed))
        if len(operators) == wanted:
            break
    return finish(seed, model, operators, made, rejected) if operators else None


def finish(seed, model, operators, made, rejected):
    """Chooses the outputs: the values that no node reads, and some others. Returns the Case."""
    read = {name for node in model.nodes for name in node.input}
    computed = model.computed()
    outputs = [value for value in computed if value.name not in read or model.chance(0.15)] or computed[-1:]
    if model.chance(0.02) and model.inputs:
        outputs.append(next(iter(model.inputs.values())))
    proto = model.proto([(value.name, value.type) for value in outputs])
    return Case(
        tuple(seed),
        proto,
        model.feeds(),
        model.fixed_inputs,
        model.dimensions,
        [value.array for value in outputs],
        model.expected_by,
        operators,
        made,
        model.value_types(),
        model.loose,
        rejected,
    )
