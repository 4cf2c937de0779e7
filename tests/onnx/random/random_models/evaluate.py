"""Computes results with ONNX Runtime and with the reference evaluator of ONNX."""

import warnings

import numpy as np
import onnx
import onnx.reference
import onnxruntime

from . import contrib_ops
from .values import dtype_of

onnxruntime.set_default_logger_severity(4)


class NotRun(Exception):
    """Neither ONNX Runtime nor the reference evaluator can run the model."""


def session(model, optimized):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if optimized else levels.ORT_DISABLE_ALL
    content = model if isinstance(model, bytes) else model.SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=['CPUExecutionProvider'])


def by_onnxruntime(model, inputs, optimized=False):
    made = session(model, optimized)
    wanted = {item.name: item for item in made.get_inputs()}
    feeds = {
        name: array.astype(bool) if wanted[name].type == 'tensor(bool)' else array
        for name, array in inputs.items()
        if name in wanted
    }
    return made.run(None, feeds)


def by_reference(model, inputs):
    """Returns the evaluator's results, converted to the types that the model declares: some results have wider types."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        outputs = onnx.reference.ReferenceEvaluator(model, new_ops=contrib_ops.OPERATORS).run(None, inputs)
        types = (onnx.helper.tensor_dtype_to_np_dtype(item.type.tensor_type.elem_type) for item in model.graph.output)
        return [np.asarray(array).astype(kind) for array, kind in zip(outputs, types)]


def expected(model, inputs, types):
    """Returns the outputs, and their engine: 'onnxruntime', or 'onnx' if the evaluator computes nodes that ONNX Runtime cannot.

    types: {name: type} of all values. Raises NotRun if both fail.
    """
    try:
        return by_onnxruntime(model, inputs), 'onnxruntime'
    except Exception as error:  # ONNX Runtime's exceptions have no common base
        first = str(error)
    if 'NOT_IMPLEMENTED' not in first and 'is not a registered function/op' not in first:
        raise NotRun(first)
    try:
        outputs = by_steps(model, inputs, types, (by_onnxruntime, by_reference))
        checked = onnx.ModelProto()
        checked.CopyFrom(model)
        for info, array in zip(checked.graph.output, outputs):
            info.CopyFrom(onnx.helper.make_tensor_value_info(info.name, info.type.tensor_type.elem_type, array.shape))
        if not any(node.domain == contrib_ops.DOMAIN for node in model.graph.node):  # onnx.checker does not know these operators
            onnx.checker.check_model(checked, full_check=True)
        return outputs, 'onnx'
    except Exception as error:
        raise NotRun(f'{first}\n{error}') from error


def by_steps(model, inputs, types, runners):
    """Computes the model node by node, each with the first of `runners` that can run it. Returns the outputs."""
    known = dict(inputs) | {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    for node in model.graph.node:
        wanted = [name for name in node.output if name]
        feeds = {name: known[name] for name in reads(node)}
        single = one_node_model(model, node, feeds, {name: types[name] for name in wanted})
        known |= dict(zip(wanted, by_first(single, feeds, runners)))
    return [known[item.name] for item in model.graph.output]


def by_first(model, inputs, runners):
    for runner in runners[:-1]:
        try:
            return runner(model, inputs)
        except Exception:
            continue
    return runners[-1](model, inputs)


def one_node_model(model, node, feeds, types):
    helper = onnx.helper

    def info(name, array_type, shape):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype_of(array_type)), shape)

    graph = helper.make_graph(
        [node],
        'one',
        [info(name, str(array.dtype), array.shape) for name, array in feeds.items()],
        [info(name, kind, None) for name, kind in types.items()],
    )
    return helper.make_model(graph, opset_imports=model.opset_import, functions=model.functions, ir_version=model.ir_version)


def reads(node):
    """Returns the names of the values that a node and its subgraphs read from outside."""
    names = {name for name in node.input if name}
    for attribute in node.attribute:
        if not attribute.HasField('g'):
            continue
        graph = attribute.g
        made = {name for inner in graph.node for name in inner.output}
        made |= {item.name for item in graph.input} | {item.name for item in graph.initializer}
        names |= ({name for inner in graph.node for name in reads(inner)} | {item.name for item in graph.output}) - made
    return names
