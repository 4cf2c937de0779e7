"""Checks that the host computes nodes as ONNX Runtime does: strings, scatters, support vectors, tokens, sequences, optionals.

usage: host_steps_test.py COUNT [--seed SEED]

Some results are compared with NumPy or with known results instead, because ONNX Runtime does not compute them or is slow.
"""
import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn  # noqa: E402

require('numpy', 'onnx', 'onnxruntime')
require_webnn()
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnx.parser  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper  # noqa: E402

import webnn  # noqa: E402

ML, MS = 'ai.onnx.ml', 'com.microsoft'
VERSIONS = {'': 20, ML: 3, MS: 1}
WORDS = ['a b  c', '', 'héllo wörld', 'x', 'a,b;c d', '  lead', 'trail  ', 'ab12cd', '日本 語', 'a.b.c']
PATTERNS = ['a+', '[a-z]+@[a-z.]+', '(a|b)*c', '.*', '^a$', 'a{2,3}', r'\d+-\d+', '(?P<n>a)b?', '[^a]b', r'\bab\b', 'a|', '()', '日.',
            r'[\w.]+', r'\x41', '(a+)+b', '[[:alpha:]]+', r'[^\s\d]+']
REFUSED_PATTERNS = ['((a{100}){100}){100}', '((){1000}){1000}', '(?<!a)b', '(?<!a>)b', '(?<=a)b', '(?P<>a)', 'a(?=b)', '(?P<a b>a)']
failures = []
counts = {'equal': 0, 'refused': 0}


def strings(*items):
    return np.array(items, dtype=object)


def integers(*items):
    return np.array(items, dtype=np.int64)


def tensor(name, type_, rank=None):
    return helper.make_tensor_value_info(name, type_, None if rank is None else [None] * rank)


def type_of(array):
    return T.STRING if array.dtype == object else helper.np_dtype_to_tensor_dtype(array.dtype)


def model(nodes, inputs, outputs):
    sets = [helper.make_opsetid(domain, version) for domain, version in VERSIONS.items()]
    graph = helper.make_graph(nodes, 'g', inputs, outputs)
    return helper.make_model(graph, opset_imports=sets, ir_version=9).SerializeToString()


def single(op, inputs, outputs, domain='', **attributes):
    """Returns a model of one node, and its inputs {name: value}."""
    feeds = {f'x{i}': value for i, value in enumerate(inputs)}
    node = helper.make_node(op, list(feeds), [f'y{i}' for i in range(len(outputs))], domain=domain, name='n', **attributes)
    infos = [tensor(name, type_of(value), value.ndim) for name, value in feeds.items()]
    return model([node], infos, [tensor(f'y{i}', type_) for i, type_ in enumerate(outputs)]), feeds


def result(make, content, feeds):
    try:
        return make(content).run(None, feeds)
    except Exception as error:
        return str(error)


def are_equal(a, b):
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(are_equal, a, b))
    if a is None or b is None:
        return a is b
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return np.allclose(a, b, rtol=1e-4, atol=2e-3, equal_nan=True) if a.dtype == np.float32 else np.array_equal(a, b)


def check(what, content, feeds, columns=None, refused=False):
    """Checks that ONNX Runtime and webnn give the same results, or both an error if `refused`. If `columns` is given, only the
    first `columns` columns of the last result are compared."""
    expected, actual = result(onnxruntime.InferenceSession, content, feeds), result(webnn.InferenceSession, content, feeds)
    errors = [values for values in (expected, actual) if isinstance(values, str)]
    if not errors:
        for values in (expected, actual) if columns else ():
            values[-1] = values[-1][:, :columns]
        passes = not refused and are_equal(expected, actual)
    else:
        passes = len(errors) == 2 and refused
    if not passes:
        failures.append(f'{what} {feeds}:\n  ONNX Runtime {expected}\n  webnn {actual}')
    counts['refused' if errors else 'equal'] += 1


def check_strings():
    s, mask = strings('b', 'a', 'c', 'a'), np.array([1, 0, 1, 1], bool)
    check('Compress', *single('Compress', [s, mask], [T.STRING]))
    check('Compress', *single('Compress', [s.reshape(2, 2), mask[1:3]], [T.STRING], axis=1))
    for attributes in ({}, {'sorted': 0}, {'axis': 0}):
        x = strings('a', 'b', 'a', 'b', 'c', 'd').reshape(3, 2)
        check('Unique', *single('Unique', [x], [T.STRING, T.INT64, T.INT64, T.INT64], **attributes))
    check('ScatterElements', *single('ScatterElements', [s, integers(1, -1), s[:2]], [T.STRING]))
    check('ScatterND', *single('ScatterND', [s.reshape(2, 2), integers(1).reshape(1, 1), s[:2].reshape(1, 2)], [T.STRING]))
    check('Concat', *single('Concat', [s, s], [T.STRING], axis=0))
    check('Where', *single('Where', [mask, s, strings('q')], [T.STRING]))
    check('Equal', *single('Equal', [s, strings('a')], [T.BOOL]))
    numbers = {T.INT64: ('9223372036854775807', '9223372036854775808', '-9223372036854775809', '12.7', '-3', 'nan'),
               T.UINT64: ('18446744073709551615', '9223372036854775808', '18446744073709551616', '-1'),
               T.INT32: ('2147483648', '-2147483649', '5', '+5', '+-5'), T.UINT32: ('4294967295', '4294967296'), T.INT8: ('200',)}
    refused = {T.INT64: ('9223372036854775808', '-9223372036854775809', 'nan'), T.UINT64: ('18446744073709551616',), T.INT32: ('+-5',)}
    for type_, texts in numbers.items():
        for text in texts:
            check('Cast', *single('Cast', [strings(text)], [type_], to=type_), refused=text in refused.get(type_, ()))
    for pattern in PATTERNS + REFUSED_PATTERNS:
        x = strings('a', 'aa', 'aaa', 'b', 'ab', 'abc', 'abac', '1-22', 'x@y.z', '日本', '', 'A', 'a' * 40, 'a.b')
        check(f'RegexFullMatch {pattern}', *single('RegexFullMatch', [x], [T.BOOL], pattern=pattern), refused=pattern in REFUSED_PATTERNS)
    # Matching this pattern by backtracking would take years.
    content, feeds = single('RegexFullMatch', [strings('a' * 5000)], [T.BOOL], pattern='(a*)*(a|a)*(a+)+b')
    check('RegexFullMatch', content, feeds)


def check_scatters(random):
    for dtype in (np.float64, np.int16, np.uint16, np.float16, np.bool_):
        x = random.integers(0, 2 if dtype == np.bool_ else 99, (3, 4)).astype(dtype)
        type_ = type_of(x)
        places = integers(0, 1, 2, 0, 1, 0, 1, 2).reshape(2, 4)
        check('ScatterElements', *single('ScatterElements', [x, places, x[:2]], [type_]))
        check('ScatterND', *single('ScatterND', [x, integers(2, 0).reshape(2, 1), x[:2]], [type_]))
        for reduction in ('add', 'mul', 'max', 'min') if dtype not in (np.bool_, np.float16) else ():
            check('ScatterElements', *single('ScatterElements', [x, places * 0, x[:2]], [type_], reduction=reduction))
    check_boolean_scatters(random)


def check_boolean_scatters(random):
    """Compares scatters of booleans with NumPy, because ONNX Runtime does not reduce booleans: a sum is "or", a product "and"."""
    for reduction, combine in (('add', np.add), ('mul', np.multiply), ('max', np.maximum), ('min', np.minimum)):
        for count in (4, 200):
            x, updates = random.integers(0, 2, 30).astype(bool), random.integers(0, 2, count).astype(bool)
            places, expected = random.integers(0, 30, count), x.copy()
            combine.at(expected, places, updates)
            for op, indices in (('ScatterElements', places), ('ScatterND', places.reshape(-1, 1))):
                content, feeds = single(op, [x, indices, updates], [T.BOOL], reduction=reduction)
                actual = result(webnn.InferenceSession, content, feeds)
                if isinstance(actual, str) or actual[0].dtype != bool or not np.array_equal(actual[0].view(np.uint8), expected.view(np.uint8)):
                    failures.append(f'{op} {reduction} {feeds}:\n  NumPy {expected}\n  webnn {actual}')


def check_ranges():
    """Checks that indices out of range are errors. The elements are doubles, so that the host moves them, not a graph."""
    x = np.array([[1.0, 2, 3]])
    for index in (2, 3, -3, -4):
        outside, is_negative = not -3 <= index < 3, index < 0
        check('Gather', *single('Gather', [x, integers(index)], [T.DOUBLE], axis=1), refused=outside)
        check('GatherElements', *single('GatherElements', [x, integers([index])], [T.DOUBLE], axis=1), refused=outside)
        check('GatherND', *single('GatherND', [x, integers(0, index)], [T.DOUBLE]), refused=outside)
        check('ArrayFeatureExtractor', *single('ArrayFeatureExtractor', [x, integers(index)], [T.DOUBLE], ML), refused=outside or is_negative)
        check('ReverseSequence', *single('ReverseSequence', [x.T, integers(index)], [T.DOUBLE]), refused=is_negative)  # index is a length
    check('Gather', *single('Gather', [x[:0], integers(0)], [T.DOUBLE]), refused=True)


def labels_of(random, count):
    if random.integers(2):
        return T.STRING, {'classlabels_strings': [f'class {i}' for i in range(count)]}
    return T.INT64, {'classlabels_ints': [i + 7 for i in range(count)]}


def check_support_vectors(random):
    def some(*shape):
        return random.normal(size=shape).astype(np.float32)

    features, rows, classes = random.integers(1, 5), random.integers(1, 6), int(random.integers(2, 5))
    post = str(random.choice(['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT']))
    kernel = {'kernel_type': str(random.choice(['LINEAR', 'POLY', 'RBF', 'SIGMOID'])), 'post_transform': post,
              'kernel_params': [float(random.uniform(0.1, 1)), float(random.uniform(-1, 1)), float(random.integers(1, 4))]}
    x, vectors = some(rows, features), int(random.integers(0, 5))
    own = {'n_supports': vectors, 'rho': some(1).tolist(), 'coefficients': some(vectors or features).tolist()}
    if vectors:
        own['support_vectors'] = some(vectors * features).tolist()
    check('SVMRegressor', *single('SVMRegressor', [x], [T.FLOAT], ML, one_class=int(random.integers(2)), **own, **kernel))
    type_, own = labels_of(random, classes)
    if random.integers(3):
        counts = random.integers(1, 4, classes)
        pairs = classes * (classes - 1) // 2
        own.update(vectors_per_class=counts.tolist(), support_vectors=some(counts.sum() * features).tolist(),
                   coefficients=some((classes - 1) * counts.sum()).tolist(), rho=some(pairs).tolist())
        if random.integers(2):
            own.update(prob_a=(-np.abs(some(pairs))).tolist(), prob_b=some(pairs).tolist())
    else:
        weights = some(classes * features)
        own.update(coefficients=(np.abs(weights) if random.integers(2) else weights).tolist(), rho=some(1).tolist())
    # For two classes and PROBIT, ONNX Runtime writes the rows over one another and does not set the second score.
    is_single = post == 'PROBIT' and classes == 2 and 'vectors_per_class' in own and 'prob_a' not in own
    content = single('SVMClassifier', [x[:1] if is_single else x], [type_, T.FLOAT], ML, **own, **kernel)
    check(f'SVMClassifier {own} {kernel}', *content, columns=1 if is_single else None)


def check_linear(random):
    for classes in (1, 2, 3):
        type_, own = labels_of(random, max(classes, 2))
        own.update(coefficients=random.uniform(0, 0.3, classes * 2).tolist(), intercepts=[0.1] * classes, post_transform='PROBIT')
        x = random.uniform(0, 1, (1 if classes == 1 else 4, 2)).astype(np.float32)  # see check_support_vectors()
        content = single('LinearClassifier', [x], [type_, T.FLOAT], ML, **own)
        check(f'LinearClassifier {own}', *content, columns=1 if classes == 1 else None)


def check_trees(random):
    targets = int(random.integers(1, 4))
    own = {'nodes_treeids': [0, 0, 0, 1, 1, 1], 'nodes_nodeids': [0, 1, 2] * 2, 'nodes_featureids': [0, 0, 0, 1, 0, 0],
           'nodes_values': random.normal(size=6).tolist(), 'nodes_modes': ['BRANCH_LEQ', 'LEAF', 'LEAF'] * 2,
           'nodes_truenodeids': [1, 0, 0] * 2, 'nodes_falsenodeids': [2, 0, 0] * 2, 'target_treeids': [0, 0, 1, 1],
           'target_nodeids': [1, 2, 1, 2], 'target_ids': [0, 0, targets - 1, targets - 1], 'n_targets': targets,
           'target_weights': random.normal(size=4).tolist()}
    if random.integers(2):
        own['base_values'] = random.normal(size=targets).tolist()
    for aggregate in ('SUM', 'MIN', 'MAX', 'AVERAGE'):
        x = random.normal(size=(5, 2)).astype(np.float32)
        content = single('TreeEnsembleRegressor', [x], [T.FLOAT], ML, aggregate_function=aggregate, **own)
        check(f'TreeEnsembleRegressor {aggregate} {own}', *content)


def check_encoders():
    for zeros in (0, 1):
        for categories, x in (([1, 2, 5, 2], integers([1, 2], [5, 9])), ([1, 2], np.array([1, 2.7], np.float32)),
                              (['a', 'b'], strings('b', 'a', 'b')), (['a', 'b'], strings('b', 'z')), ([3, 4], np.array([3.5]))):
            name = 'cats_strings' if isinstance(categories[0], str) else 'cats_int64s'
            is_known = all(item in categories for item in (x.astype(np.int64) if x.dtype.kind == 'f' else x).flat)
            content = single('OneHotEncoder', [x], [T.FLOAT], ML, zeros=zeros, **{name: categories})
            check('OneHotEncoder', *content, refused=not zeros and not is_known)


def check_tokenizer(random):
    x = strings(*random.choice(WORDS, random.integers(1, 5)))
    own = {'mark': int(random.integers(2)), 'pad_value': '#', 'mincharnum': int(random.integers(1, 3))}
    kind = random.integers(4)
    if kind == 0:
        own['separators'] = ['']
    elif kind == 1:
        separators = [' ', ',', ';', 'b', '[.]', r'\s+', '[0-9]+']
        own['separators'] = random.choice(separators, random.integers(1, 4), replace=False).tolist()
    elif kind == 2:
        own['tokenexp'] = str(random.choice(['[a-z]+', r'\w+', '[^ ]+', 'a|ab|abc', '[0-9]+|[a-z]', '(?:a|b)+[a-c]?']))
    else:
        own['separators'] = [str(random.choice(['.', r'\W', 'a*', r'\.', 'x{1,2}', '[[:space:]]']))]
    x = x.reshape(1, -1) if random.integers(2) else x
    content = single('Tokenizer', [x], [T.STRING], MS, **own)
    check(f'Tokenizer {own}', *content, refused=own.get('separators') == [''] and own['mincharnum'] > 1)


def check_any_rank():
    content = model([helper.make_node('Relu', ['x'], ['r']), helper.make_node('Mul', ['r', 'r'], ['y'])], [tensor('x', T.FLOAT)],
                    [tensor('y', T.FLOAT)])
    for shape in ((), (3,), (2, 3), (0, 2), (2, 1, 3, 1)):
        check('any rank', content, {'x': np.linspace(-1, 1, int(np.prod(shape))).astype(np.float32).reshape(shape)})


def check_sequences():
    nodes = [helper.make_node('SequenceAt', ['s', 'i'], ['a']), helper.make_node('Neg', ['a'], ['y']),
             helper.make_node('SequenceInsert', ['s', 'y'], ['t'])]
    content = model(nodes, [helper.make_tensor_sequence_value_info('s', T.FLOAT, None), tensor('i', T.INT64, 0)],
                    [tensor('y', T.FLOAT), helper.make_tensor_sequence_value_info('t', T.FLOAT, None)])
    both = [np.ones((2, 2), np.float32), np.arange(3, dtype=np.float32)]
    for given, refused in ((both, False), (both[1:], False), ([], True), (both[0], True), (None, True)):
        check('sequence', content, {'s': given, 'i': np.array(0)}, refused=refused)
    for x in (strings('a', 'b'), np.array([1.5, 2]), np.array([True, False])):
        content = model([helper.make_node('ConcatFromSequence', ['s'], ['y'], axis=0)],
                        [helper.make_tensor_sequence_value_info('s', type_of(x), None)], [tensor('y', type_of(x))])
        check('sequence', content, {'s': [x, x[:1]]})


def parsed(graph):
    return onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["" : 20]> {graph}').SerializeToString()


def check_long_sequences():
    """Checks sequences with lengths and positions that depend on the data."""
    loop = parsed('g (float[n] x, int64 k, int64 i) => (int64 y, float[n] z, float[m, n] w) { e = SequenceEmpty() '
                  's = Loop (k, , e) <body = b (int64 t, bool c, seq(float) s0) => (bool co, seq(float) so) '
                  '{ co = Identity(c) f = Cast <to = 1> (t) v = Mul (x, f) so = SequenceInsert (s0, v) }> '
                  'y = SequenceLength(s) z = SequenceAt (s, i) r = SequenceErase (s, i) q = SequenceInsert (r, x, i) '
                  'w = ConcatFromSequence <axis = 0, new_axis = 1> (q) }')
    for length, position, refused in ((3000, 2999, False), (3000, -2999, False), (3000, -3000, True), (5, 1, False), (5, 5, True), (5, -6, True)):
        feeds = {'x': np.array([1, -2], np.float32), 'k': np.array(length), 'i': np.array(position)}
        check('long sequence', loop, feeds, refused=refused)
    split = parsed('g (float[n, m] x, int64 k) => (int64 y, float[a, b] z) { s = SplitToSequence <axis = 0, keepdims = 0> (x) '
                   'y = SequenceLength(s) z = ConcatFromSequence <axis = 1, new_axis = 1> (s) }')
    sizes = parsed('g (float[n, m] x, int64[p] k) => (int64 y, float[a, b] z) { s = SplitToSequence <axis = 1> (x, k) '
                   'y = SequenceLength(s) z = ConcatFromSequence <axis = 0> (s) }')
    for rows in (1, 3, 33000):
        check('parts', split, {'x': np.arange(2.0 * rows, dtype=np.float32).reshape(rows, 2), 'k': np.array(0)})
    for parts, refused in (([2, 2, 2], False), ([6], False), ([3, 2], True), ([-1, 7], True)):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        check('parts', sizes, {'x': x, 'k': np.array(parts)}, refused=refused)


def check_growing_sequences():
    """Checks loops that append a tensor in each iteration. The results are compared with known results, because ONNX Runtime copies
    all elements in each iteration."""
    loop = parsed('g (float[n] x, int64 k) => (int64 y, int64 z, float[m] w) { e = SequenceEmpty() two = Constant <value_int = 2> () '
                  'z0 = Constant <value_int = 0> () s, u = Loop (k, , e, e) '
                  '<body = b (int64 t, bool c, seq(float) s0, seq(float) u0) => (bool co, seq(float) s1, seq(float) u1) '
                  '{ co = Identity(c) f = Cast <to = 1> (t) v = Add (x, f) s1 = SequenceInsert (s0, v) m = Mod (t, two) q = Equal (m, z0) '
                  'u1 = If (q) <then_branch = tb () => (seq(float) t1) { t1 = SequenceInsert (u0, x) }, '
                  'else_branch = eb () => (seq(float) t2) { t2 = Identity (u0) }> }> '
                  'y = SequenceLength (s) z = SequenceLength (u) last = Constant <value_int = -1> () w = SequenceAt (s, last) }')
    session = webnn.InferenceSession(loop)
    for turns in (5, 4000, 4001):
        y, z, w = session.run(None, {'x': np.array([1, -2], np.float32), 'k': np.array(turns)}, timeout=20)
        if (y, z) != (turns, (turns + 1) // 2) or w.tolist() != [turns, turns - 3]:
            failures.append(f'{turns} turns append {y} and {z} elements, of which the last is {w}')


def check_shared_sequences():
    """Checks that a node that changes a sequence does not change it for other nodes, iterations and outputs."""
    text = parsed('g (seq(float) s, float[n] x, int64 i) => (seq(float) s1, seq(float) a, seq(float) b, int64[k] lengths, seq(float) o) '
                  '{ k = Constant <value_int = 3> () a = SequenceInsert (s, x) b = SequenceErase (a, i) s1 = Identity (s) '
                  'o, lengths = Loop (k, , b) <body = g1 (int64 t, bool c, seq(float) b0) => (bool co, seq(float) b2, int64 l) '
                  '{ co = Identity (c) y = Neg (x) b1 = SequenceInsert (b0, y) r = SequenceInsert (a, y) l0 = SequenceLength (b0) '
                  'l1 = SequenceLength (r) l = Sub (l1, l0) b2 = SequenceErase (b1, i) }> }')
    both = [np.ones((2, 2), np.float32), np.arange(3, dtype=np.float32)]
    for i in (0, -1):
        check('shared sequence', text, {'s': both, 'x': np.ones(2, np.float32), 'i': np.array(i)})


def check_no_elements():
    """Checks sums, scales and indices of tensors without elements."""
    quantized = parsed('g (float[n, m] x) => (uint8[n, m] y, float s, uint8 z) { y, s, z = DynamicQuantizeLinear (x) }')
    product = parsed('g (float[n, m] x) => (int32[n, n] p, int32[n, n] q) { y, s, z = DynamicQuantizeLinear (x) t = Transpose (y) '
                     'p = MatMulInteger (y, t, z, z) q = MatMulInteger (y, t) }')
    least = parsed('g (float[n, m] x, int64[1] k) => (int64[a] y) { v, i = TopK <axis = 0> (x, k) y = ArgMin <axis = 1, keepdims = 0> (v) }')
    for shape in ((0, 3), (3, 0), (0, 0), (2, 3)):
        x = np.ones(shape, np.float32)
        check('no elements', quantized, {'x': x})
        if x.size > 0:
            check('no elements', product, {'x': x})
        else:  # ONNX Runtime does not write sums over no elements
            sums = result(webnn.InferenceSession, product, {'x': x})
            if isinstance(sums, str) or not all(are_equal(y, np.zeros((shape[0], shape[0]), np.int32)) for y in sums):
                failures.append(f'products of [{shape}] are {sums}')
        check('no elements', least, {'x': x, 'k': integers(0)})
    check('no elements', least, {'x': np.ones((3, 0), np.float32), 'k': integers(2)}, refused=True)
    text = parsed('g (float[n, m] x, double[n] d) => (float[a, b] y, double[n] e, float[a, b] q) { e = Relu (d) y = Softmax (x) z = Pow (x, x) '
                  'w = GlobalLpPool (x) q = Add (y, w) }')
    arrays = result(webnn.InferenceSession, text, {'x': np.ones((0, 3), np.float32), 'd': np.ones(0)})
    if isinstance(arrays, str) or [array.shape for array in arrays] != [(0, 3), (0,), (0, 3)]:
        failures.append(f'operators that the host computes over nothing: {arrays}')


def check_elements_of_sequences():
    """Checks that sequences cannot grow without limit: sequences of sequences, which ONNX does not have, are refused, and sequences
    of empty tensors count as memory."""
    nested = parsed('g (seq(float) s, int64 k) => (int64 l) { r = Loop (k, , s) <body = b (int64 t, bool c, seq(float) s0) => '
                    '(bool co, seq(float) s1) { co = Identity(c) s1 = SequenceConstruct (s0, s0) }> l = SequenceLength (r) }')
    message = result(webnn.InferenceSession, nested, {'s': [np.ones(2, np.float32)], 'k': np.array(100000)})
    if 'an element of a sequence is a sequence' not in str(message):
        failures.append(f'a sequence of sequences: {message}')
    appended = parsed('g (float[n] x, int64 k) => (int64 l) { e = SequenceEmpty() r = Loop (k, , e) <body = b (int64 t, bool c, seq(float) s0) '
                      '=> (bool co, seq(float) s1) { co = Identity(c) s1 = SequenceInsert (s0, x) }> l = SequenceLength (r) }')
    split = parsed('g (float[n, m] x, int64[p] k) => (int64 l) { s = SplitToSequence <axis = 1> (x, k) l = SequenceLength (s) }')
    context = webnn.ML().create_context(backend='cpu', limits={'max_memory': 32 << 20})
    for text, feeds in ((appended, {'x': np.zeros(0, np.float32), 'k': np.array(1 << 20)}),
                        (split, {'x': np.zeros((3, 0), np.float32), 'k': np.zeros(1 << 20, np.int64)})):
        message = result(lambda content: webnn.InferenceSession(content, context=context), text, feeds)
        if 'maxMemory' not in str(message):
            failures.append(f'{1 << 20} empty tensors in 32 MiB: {message}')
    joined = parsed('g (int64[r] shape) => (float[a, b] y) { e = SequenceEmpty() x = ConstantOfShape (shape) s = SequenceInsert (e, x) '
                    't = SequenceInsert (s, x) y = ConcatFromSequence <axis = 1> (t) }')
    message = result(webnn.InferenceSession, joined, {'shape': integers(0, 1 << 62)})
    if 'too many rows along the axis 1' not in str(message):
        failures.append(f'2^63 columns: {message}')


def check_huge_extents():
    """Checks tensors without elements whose other sizes are huge: no step may loop over these sizes. ONNX Runtime does in some
    steps, so the results are compared with known results."""
    huge = 1 << 40
    made = 'x = ConstantOfShape (shape) '
    for name, text, shape, expected in (
            ('Scan', made + 'y = Scan <num_scan_inputs = 1, scan_input_axes = [1], body = b (float[p, q] i) => (float[p, q] o) '
             '{ o = Identity (i) }> (x) ', [huge, 2, 0], [2, huge, 0]),
            ('TopK', made + 'k = Constant <value_ints = [0]> () y, i = TopK <axis = 0> (x, k) ', [0, huge], [0, huge]),
            ('Unique', made + 'y = Unique <axis = 1> (x) ', [huge, 0], [huge, 0]),
            ('Softmax', made + 'y = Softmax <axis = 1> (x) ', [huge, 0], [huge, 0]),
            ('SplitToSequence', made + 's = SplitToSequence <axis = 1> (x) y = ConcatFromSequence <axis = 1> (s) ', [huge, 2, 0],
             [huge, 2, 0])):
        text = parsed(f'g (int64[r] shape) => (int64[r] l) {{ {text} l = Shape (y) }}')
        try:
            lengths = webnn.InferenceSession(text).run(None, {'shape': integers(*shape)}, timeout=10)[0].tolist()
        except Exception as error:
            lengths = error
        if lengths != expected:
            failures.append(f'{name} of {shape} is {lengths}')


def check_reductions_of_nothing():
    """Checks reductions over an empty axis, except ReduceMean of floats, which ONNX does not define for an empty axis."""
    for op in ('ReduceMax', 'ReduceMin', 'ReduceSum', 'ReduceProd', 'ReduceMean'):
        for type_ in (np.float32, np.int32, np.int64):
            x = np.zeros((2, 0), type_)
            if (op, type_) != ('ReduceMean', np.float32):
                check(op, *single(op, [x, integers(1)], [type_of(x)], keepdims=0))


def check_no_strings():
    """Checks that string tensors without elements keep their type."""
    text = parsed('g (float[n] x, string[m] t) => (bool[n] y, string[n] z, int64 l) { i = Cast <to = 7> (x) s = Cast <to = 8> (i) '
                  'z = StringConcat (s, s) y = RegexFullMatch <pattern = "a*"> (z) q = SequenceConstruct (t, t) l = SequenceLength (q) }')
    for count in (0, 2):
        check('no strings', text, {'x': np.ones(count, np.float32), 't': strings('a', 'b')})


def check_strings_of_loops():
    """Checks that loops stack strings, and that scans slice string tensors."""
    loop = parsed('g (string[n] t, int64 k) => (string[k, n] y) { z = Constant <value_int = 1> () c0 = Cast <to = 9> (z) y = Loop (k, c0) <body = b (int64 i, bool c) => (bool co, string[n] s) '
                  '{ co = Identity (c) w = Cast <to = 8> (i) s = StringConcat (t, w) }> }')
    scan = parsed('g (string[n, m, p] t) => (string[n, p, m] y) { y = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [2], '
                  'body = b (string[n, p] i) => (string[n, p] o) { q = Constant <value_strings = ["q"]> () o = StringConcat (i, q) }> (t) }')
    for turns in (0, 1, 3):
        check('strings of a loop', loop, {'t': strings('a', 'b'), 'k': np.array(turns)})
    check('strings of a scan', scan, {'t': strings(*'abcdefghijkl').reshape(2, 3, 2)})


def check_names_of_calls():
    """Checks that names inside functions do not collide with names of the model, even if the model uses names such as F#1/t."""
    function = helper.make_function('own', 'F', ['a'], ['r'], [helper.make_node('Neg', ['a'], ['t']), helper.make_node('Abs', ['t'], ['r'])],
                                    [helper.make_opsetid('', 17)])
    names = ['F#1/t', 'F##1/t', '#']
    nodes = [helper.make_node('Add', ['x', 'x'], [name]) for name in names]
    nodes += [helper.make_node('NonZero', ['x'], ['z']), helper.make_node('F', ['x'], ['y'], domain='own')]
    graph = helper.make_graph(nodes, 'g', [tensor('x', T.FLOAT, 2)], [tensor('y', T.FLOAT), tensor('z', T.INT64)] +
                              [tensor(name, T.FLOAT) for name in names])
    sets = [helper.make_opsetid('', 17), helper.make_opsetid('own', 1)]
    content = helper.make_model(graph, opset_imports=sets, functions=[function], ir_version=9).SerializeToString()
    check('names of calls', content, {'x': np.array([[1, -2]], np.float32)})


def check_unknown_types():
    """Checks that opening a model fails if an input has an element type that no operator supports."""
    text = 'g (int64 n, float[m] x) => (float[m] y) { z = Constant <value_int = 1> () c = Cast <to = 9> (z) y = Loop (n, c, x) <body = b ' \
           '(int64 i, bool k, float[m] v) => (bool ko, float[m] vo) { ko = Identity (k) vo = Add (v, v) }> }'
    for type_ in (0, T.COMPLEX64, T.COMPLEX128, 99):
        damaged = onnx.load_model_from_string(parsed(text))
        damaged.graph.input[0].type.tensor_type.elem_type = type_
        try:
            webnn.InferenceSession(damaged.SerializeToString())
            failures.append(f'a model with the element type {type_} is opened')
        except webnn.Error as error:
            if '"n"' not in str(error):
                failures.append(f'the element type {type_}: {error}')


def check_optionals():
    optional = helper.make_value_info('o', helper.make_optional_type_proto(helper.make_tensor_type_proto(T.FLOAT, None)))
    get = helper.make_graph([helper.make_node('OptionalGetElement', ['o'], ['e'])], 't', [], [tensor('e', T.FLOAT)])
    other = helper.make_graph([helper.make_node('Constant', [], ['c'], value_floats=[7.0])], 'e', [], [tensor('c', T.FLOAT)])
    nodes = [helper.make_node('OptionalHasElement', ['o'], ['h']),
             helper.make_node('If', ['h'], ['y'], then_branch=get, else_branch=other)]
    content = model(nodes, [optional], [tensor('h', T.BOOL), tensor('y', T.FLOAT)])
    for given in (None, np.ones(2, np.float32)):
        check('optional', content, {'o': given})


def check_lengths():
    """Checks that the host refuses sequence lengths out of range. ONNX Runtime lacks recurrences in double."""
    text = parsed('g (double[s, b, 2] x, int32[b] l) => (double[s, d, b, 2] y) { w = Constant <value = double[1, 2, 2] {1, 0.5, -1, 0.25}> () '
                  'y = RNN <hidden_size = 2> (x, w, w, , l) }')
    for lengths, outside in (([3, 1], None), ([4, 1], 4), ([2, -1], -1)):
        y = result(webnn.InferenceSession, text, {'x': np.ones((3, 2, 2)), 'l': np.array(lengths, np.int32)})
        if isinstance(y, list) != (outside is None) or (outside is not None and f'the length {outside} is not between 0 and' not in y):
            failures.append(f'lengths {lengths} of a recurrence: {y}')


def check_empty_sequences(random):
    """Checks recurrent networks on sequences of length 0. The states are compared with the initial states, because ONNX Runtime
    does not set them."""
    for op, gates in (('LSTM', 4), ('GRU', 3), ('RNN', 1)):
        state = random.normal(size=(1, 2, 5)).astype(np.float32)
        feeds = {'x': np.zeros((0, 2, 3), np.float32), 'w': random.normal(size=(1, gates * 5, 3)).astype(np.float32),
                 'r': random.normal(size=(1, gates * 5, 5)).astype(np.float32), 'h': state}
        names = ['x', 'w', 'r', '', '', 'h']
        outputs = ['y', 'y_h']
        if op == 'LSTM':
            feeds['c'] = state + 1
            names.append('c')
            outputs.append('y_c')
        node = helper.make_node(op, names, outputs, hidden_size=5)
        content = model([node], [tensor(name, T.FLOAT, 3) for name in feeds], [tensor(name, T.FLOAT) for name in outputs])
        results = webnn.InferenceSession(content).run(None, feeds)
        if results[0].shape != (0, 1, 2, 5) or not all(map(np.array_equal, results[1:], [state, state + 1])):
            failures.append(f'{op} of no elements: {results}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('count', type=int)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    random = np.random.default_rng(arguments.seed)
    for check_once in (check_strings, check_ranges, check_encoders, check_any_rank, check_sequences,
                       check_long_sequences, check_growing_sequences, check_shared_sequences, check_no_elements,
                       check_lengths, check_no_strings, check_optionals, check_elements_of_sequences, check_huge_extents,
                       check_reductions_of_nothing, check_strings_of_loops, check_names_of_calls, check_unknown_types):
        check_once()
    for check_once in (check_scatters, check_empty_sequences):
        check_once(random)
    for _ in range(arguments.count):
        for check_random in (check_support_vectors, check_linear, check_trees, check_tokenizer):
            check_random(random)
    for failure in failures[:10]:
        print(failure)
    print(f'{len(failures)} failures; {counts["equal"]} results are equal, {counts["refused"]} models or inputs are refused by both')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
