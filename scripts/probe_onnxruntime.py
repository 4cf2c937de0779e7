"""Finds out which element types ONNX Runtime's CPU kernels support, for each operator that an exported model may use.

  python scripts/probe_onnxruntime.py probe RESULT.json      with one version of onnxruntime installed
  python scripts/probe_onnxruntime.py table RESULT.json...   prints the table of src/backends/onnxruntime/kernel_types.cpp

A type is in the table if all probed versions support it. For each operator and type, the program makes a model
of one node. ONNX Runtime must load and run the model. Integer arithmetic must also equal NumPy's at the limits of 32 and 64
bits.
"""
import json
import sys

TYPES = ['float32', 'uint8', 'int8', 'int32', 'int64', 'boolean', 'float16', 'float64', 'uint32', 'uint64', 'uint4', 'int4']

# Maps each operator to its inputs and attributes. An input is the shape of a tensor of type T, a constant such as
# ('int64', [1, 2]), or None if it is absent.
V, M, I, I3 = [4], [2, 2], [1, 2, 4, 4], [2, 3, 4]
UNARY = [([V], {})]
BINARY = [([M, M], {})]


def ints(*items):
    return ('int64', list(items))


def reals(*items):
    return ('float32', list(items))



REDUCTION = ([I3, ints(1)], {'keepdims': 1})
OPERATORS = {
    'And': BINARY[0], 'Or': BINARY[0], 'Xor': BINARY[0], 'Not': UNARY[0],
    **{name: UNARY[0] for name in (
        'Abs Ceil Cos Elu Erf Exp Floor Gelu HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Log Neg Reciprocal '
        'Relu Round Sigmoid Sign Sin Softmax Softplus Softsign Sqrt Tan Tanh').split()},
    **{name: BINARY[0] for name in (
        'Add BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual MatMul Max Min '
        'Mul PRelu Pow Sub').split()},
    'BitwiseNot': UNARY[0],
    'ArgMax': ([I3], {'axis': 1}), 'ArgMin': ([I3], {'axis': 1}),
    'AveragePool': ([I], {'kernel_shape': [2, 2]}), 'LpPool': ([I], {'kernel_shape': [2, 2]}),
    'MaxPool': ([I], {'kernel_shape': [2, 2]}),
    'GlobalAveragePool': ([I], {}), 'GlobalMaxPool': ([I], {}), 'GlobalLpPool': ([I], {}),
    'BatchNormalization': ([I, [2], [2], [2], [2]], {}),
    'Clip': ([V, [], []], {}),
    'Concat': ([M, M], {'axis': 0}),
    'Conv': ([I, [2, 2, 2, 2], [2]], {}), 'ConvTranspose': ([I, [2, 2, 2, 2], [2]], {}),
    'CumSum': ([M, ('int32', 0)], {}),
    'Expand': ([V, ints(3, 4)], {}),
    'Gather': ([M, ints(1, 0)], {}),
    'GatherElements': ([M, ('int64', [[1, 0], [0, 1]])], {}),
    'GatherND': ([M, ('int64', [[1, 0], [0, 1]])], {}),
    'Gemm': ([M, M, [2]], {}),
    'GRU': ([[2, 1, 3], [1, 6, 3], [1, 6, 2], [1, 12], None, [1, 1, 2]], {'hidden_size': 2}),
    'LSTM': ([[2, 1, 3], [1, 8, 3], [1, 8, 2], [1, 16], None, [1, 1, 2], [1, 1, 2], [1, 6]], {'hidden_size': 2}),
    'InstanceNormalization': ([I, [2], [2]], {}),
    'LayerNormalization': ([I3, [4], [4]], {}),
    'Mod': BINARY[0],
    'Pad': ([V, ints(1, 1), []], {}),
    **{name: REDUCTION for name in (
        'ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum '
        'ReduceSumSquare').split()},
    'Reshape': ([V, ints(2, 2)], {}),
    'Resize': ([I, None, reals(1, 1, 2, 2)], {'mode': 'nearest'}),
    'ReverseSequence': ([M, ints(2, 2)], {'batch_axis': 0, 'time_axis': 1}),
    'ScatterElements': ([M, ('int64', [[1, 0]]), [1, 2]], {}),
    'ScatterND': ([M, ('int64', [[1]]), [1, 2]], {}),
    'Slice': ([V, ints(3), ints(-5), ints(0), ints(-1)], {}),
    'Split': ([V, ints(1, 3)], {}),
    'Squeeze': ([[1, 4], ints(0)], {}), 'Unsqueeze': ([V, ints(0)], {}),
    'Tile': ([V, ints(2)], {}),
    'TopK': ([V, ints(2)], {}),
    'Transpose': ([M], {}),
    'Trilu': ([M, ('int64', 0)], {}),
    'Where': ([('bool', [[True, False], [False, True]]), M, M], {}),
}
# Further forms of operators. A type counts as supported only if all forms work with it.
MORE_FORMS = {
    'MaxPool': [([I], {'kernel_shape': [2, 2], 'dilations': [2, 2]})],
    'Resize': [([I, None, reals(1, 1, 2, 2)], {'mode': 'linear'})],
    'ScatterElements': [],
    'Pad': [([V, ints(1, 1)], {'mode': 'reflect'}), ([V, ints(1, 1)], {'mode': 'edge'})],
    'Max': [([M, [2]], {})], 'Min': [([M, [2]], {})],
}
OUTPUTS = {'Split': 2, 'TopK': 2}

def element_type(name):
    from onnx import TensorProto
    special = {'float32': 'FLOAT', 'float64': 'DOUBLE', 'boolean': 'BOOL'}
    return getattr(TensorProto, special.get(name, name.upper()))


def model_of(op_type, inputs, attributes, type_name, outputs):
    """Returns a model of one node. Each input of type T is fed as float32 and cast, because few types can be fed from Python."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper
    nodes, initializers, graph_inputs, names = [], [], [], []
    for i, item in enumerate(inputs):
        if item is None:
            names.append('')
            continue
        names.append(f'input{i}')
        if isinstance(item, tuple):
            initializers.append(numpy_helper.from_array(np.array(item[1], dtype=item[0]), names[-1]))
            continue
        graph_inputs.append(helper.make_tensor_value_info(f'fed{i}', TensorProto.FLOAT, item))
        nodes.append(helper.make_node('Cast', [f'fed{i}'], [names[-1]], to=element_type(type_name)))
    results = [f'result{i}' for i in range(outputs)]
    nodes.append(helper.make_node(op_type, names, results, **attributes))
    graph_outputs = []
    for result in results:
        nodes.append(helper.make_node('Cast', [result], [result + '_float'], to=TensorProto.FLOAT))
        graph_outputs.append(helper.make_tensor_value_info(result + '_float', TensorProto.FLOAT, None))
    graph = helper.make_graph(nodes, 'probe', graph_inputs, graph_outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 21)], ir_version=10)


def numpy_results(op_type, a, b):
    """Returns NumPy's result of an integer operator, to find kernels that compute in too few bits; None for other operators."""
    import numpy as np
    binary = {'Add': np.add, 'BitwiseAnd': np.bitwise_and, 'Equal': np.equal, 'Greater': np.greater,
              'GreaterOrEqual': np.greater_equal, 'Less': np.less, 'LessOrEqual': np.less_equal, 'Max': np.maximum,
              'Min': np.minimum, 'Mul': np.multiply, 'Sub': np.subtract, 'MatMul': np.matmul}
    unary = {'Abs': np.abs, 'Sign': np.sign, 'Neg': np.negative}
    reductions = {'ReduceMax': np.max, 'ReduceMin': np.min, 'ReduceProd': np.prod, 'ReduceSum': np.sum}
    with np.errstate(all='ignore'):
        if op_type in binary:
            return [a, b], {}, binary[op_type](a, b)
        if op_type in unary:
            return [a], {}, unary[op_type](a)
        if op_type in reductions:
            return [a, np.array([1])], {'keepdims': 0}, reductions[op_type](a, axis=1).astype(a.dtype)
        if op_type == 'Clip':
            low, high = sorted((b[0, 0], b[0, 1]))
            return [a, np.array(low), np.array(high)], {}, np.minimum(np.maximum(a, low), high)
        if op_type in ('ArgMax', 'ArgMin'):
            return [a], {'axis': 1, 'keepdims': 0}, (np.argmax if op_type == 'ArgMax' else np.argmin)(a, axis=1)
        if op_type == 'CumSum':
            return [a, np.array(1)], {}, np.cumsum(a, axis=1, dtype=a.dtype)
    return None


def info_of(name, array):
    from onnx import helper
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def is_right(op_type, type_name):
    """Returns whether the operator computes integers at the edges of 32 and 64 bits as NumPy does."""
    import numpy as np
    import onnxruntime
    from onnx import helper
    if 'int' not in type_name or type_name.endswith('int4'):
        return True
    edges = [0, 1, 2, 3, 12345, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**32 + 5, 2**40 + 1,
             2**40 + 2**31, 2**62, 2**63 - 1]
    values = np.array(edges + [-edge for edge in edges], np.int64).astype(type_name)
    random = np.random.default_rng(1)
    for _ in range(8):
        expected = numpy_results(op_type, random.choice(values, (16, 16)), random.choice(values, (16, 16)))
        if expected is None:
            return True
        inputs, attributes, result = expected
        infos = [info_of(f'x{i}', x) for i, x in enumerate(inputs)]
        node = helper.make_node(op_type, [info.name for info in infos], ['y'], **attributes)
        model = helper.make_model(helper.make_graph([node], 'probe', infos, [info_of('y', result)]),
                                  opset_imports=[helper.make_opsetid('', 21)], ir_version=10)
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=['CPUExecutionProvider'])
        if not np.array_equal(session.run(None, {f'x{i}': x for i, x in enumerate(inputs)})[0], result):
            return False
    return True


def works(op_type, form, type_name):
    import numpy as np
    import onnxruntime
    inputs, attributes = form
    model = model_of(op_type, inputs, attributes, type_name, OUTPUTS.get(op_type, 1))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
        fed = {f'fed{i}': np.ones(shape, np.float32) for i, shape in enumerate(inputs) if isinstance(shape, list)}
        session.run(None, fed)
        return True
    except Exception as error:  # every failure means that the type is not supported
        if '--verbose' in sys.argv:
            print(op_type, type_name, str(error)[:300], file=sys.stderr)
        return False


def probe(path):
    result = {}
    for op_type, form in sorted(OPERATORS.items()):
        forms = [form] + MORE_FORMS.get(op_type, [])
        result[op_type] = [name for name in TYPES
                           if all(works(op_type, each, name) for each in forms) and is_right(op_type, name)]
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(result, file, indent=1)


def mask_of(inputs):
    """Returns the table's argument for the inputs of type T: nothing if all inputs have type T, else a bit mask."""
    if all(isinstance(item, list) for item in inputs):
        return ''
    bits = ['1' if isinstance(item, list) else '0' for item in reversed(inputs)]
    return ', 0b' + ''.join(bits)


def table(paths):
    results = []
    for path in paths:
        with open(path, encoding='utf-8') as file:
            results.append(json.load(file))
    for op_type, form in sorted(OPERATORS.items()):
        names = [name for name in TYPES if all(name in result[op_type] for result in results)]
        print(f'    {{"{op_type}", {{{", ".join(names)}}}{mask_of(form[0])}}},')


if __name__ == '__main__':
    if sys.argv[1] == 'probe':
        probe(sys.argv[2])
    else:
        table(sys.argv[2:])
