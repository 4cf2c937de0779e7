"""Reduces a failing model to a smaller model that fails in the same way."""

import copy
import dataclasses

import onnx
from onnx import helper

from . import evaluate
from .model import TYPE_NAMES


def prune(model):
    """Removes the nodes, initializers and inputs that no output needs."""
    graph, needed = model.graph, {item.name for item in model.graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed & set(node.output):
            kept.append(node)
            needed |= evaluate.reads(node)
    for field, items in (
        ('node', reversed(kept)),
        ('initializer', [item for item in graph.initializer if item.name in needed]),
        ('input', [item for item in graph.input if item.name in needed]),
    ):
        items = [copy.deepcopy(item) for item in items]
        del getattr(graph, field)[:]
        getattr(graph, field).extend(items)


def rebuilt(case, model):
    """Returns `case` with another model and its expected outputs; None if the model cannot be run."""
    prune(model)
    names = {item.name for item in model.graph.input}
    feeds = {name: array for name, array in case.feeds.items() if name in names}
    open_names = {
        dimension.dim_param or f'{item.name}.{axis}'
        for item in model.graph.input
        for axis, dimension in enumerate(item.type.tensor_type.shape.dim)
        if not dimension.HasField('dim_value')
    }
    try:
        expected, by = evaluate.expected(model, feeds, case.types)
    except evaluate.NotRun:
        return None
    return dataclasses.replace(
        case,
        model=model,
        feeds=feeds,
        expected=expected,
        by=by,
        fixed={name: array for name, array in case.fixed.items() if name in names},
        dimensions={name: size for name, size in case.dimensions.items() if name in open_names},
        operators=[node.op_type for node in model.graph.node if node.op_type != 'Constant'],
    )


def with_outputs(case, names):
    """Returns the model of `case` with the intermediate tensors `names` as its outputs, to compute their values."""
    model = copy.deepcopy(case.model)
    known = {item.name: item for item in onnx.shape_inference.infer_shapes(case.model).graph.value_info}
    del model.graph.output[:]
    model.graph.output.extend(known[name] for name in names if name in known)
    for item in model.graph.output:
        item.type.tensor_type.ClearField('shape')
    return model


def candidates(case):
    """Yields cases that are one step smaller; None for models that cannot be run."""
    graph = case.model.graph
    if len(graph.output) > 1:
        for output in graph.output:
            model = copy.deepcopy(case.model)
            del model.graph.output[:]
            model.graph.output.append(output)
            yield rebuilt(case, model)
    made = [name for node in graph.node for name in node.output if name]
    finals = {item.name for item in graph.output}
    model = with_outputs(case, [name for name in made if name not in finals])
    names = [item.name for item in model.graph.output]
    kinds = {item.name: item.type.tensor_type.elem_type for item in model.graph.output}
    try:
        values = dict(zip(names, evaluate.expected(model, case.feeds, case.types)[0])) if names else {}
    except Exception:
        values = {}
    for name in reversed(list(values)):  # makes an intermediate tensor the only output
        smaller = copy.deepcopy(case.model)
        del smaller.graph.output[:]
        smaller.graph.output.append(helper.make_tensor_value_info(name, kinds[name], None))
        yield rebuilt(case, smaller)
    for name, array in values.items():  # makes an intermediate tensor an input
        if array.size == 0 or str(array.dtype) not in TYPE_NAMES:
            continue
        smaller = copy.deepcopy(case.model)
        for node in smaller.graph.node:
            node.output[:] = ['' if item == name else item for item in node.output]
        nodes = [copy.deepcopy(node) for node in smaller.graph.node if any(node.output)]
        del smaller.graph.node[:]
        smaller.graph.node.extend(nodes)
        smaller.graph.input.append(helper.make_tensor_value_info(name, kinds[name], array.shape))
        yield rebuilt(dataclasses.replace(case, feeds=case.feeds | {name: array}), smaller)
    for i, node in enumerate(graph.node):
        for attribute in node.attribute:
            smaller = copy.deepcopy(case.model)
            kept = [copy.deepcopy(item) for item in node.attribute if item.name != attribute.name]
            del smaller.graph.node[i].attribute[:]
            smaller.graph.node[i].attribute.extend(kept)
            yield rebuilt(case, smaller)


def reduce_case(case, fails, at=lambda stage: None, most=200):
    """Returns the smallest case found for which fails(case) is true. most: the greatest number of cases tried."""
    tried, again = 0, True
    while again and tried < most:
        again = False
        at('reducing')
        for smaller in candidates(case):
            tried += 1
            if tried > most:
                break
            if smaller is not None and fails(smaller):
                case, again = smaller, True
                break
            at('reducing')
    return case
