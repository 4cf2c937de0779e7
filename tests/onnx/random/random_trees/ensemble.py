"""Random ensembles of trees: models of ai.onnx.ml, and an evaluation in Python."""

import numpy as np
from onnx import TensorProto as T
from onnx import helper, numpy_helper

ML = 'ai.onnx.ml'
MODES = ['LEQ', 'LT', 'GTE', 'GT', 'EQ', 'NEQ', 'MEMBER']  # the index is the mode's number in TreeEnsemble
AGGREGATES = ['AVERAGE', 'SUM', 'MIN', 'MAX']
TRANSFORMS = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO', 'PROBIT']
SCORES = [1, 1, 1, 2, 2, 3, 4, 63, 64, 65, 66, 127, 1000, 4095, 4097, 5000]
TYPES = {np.float32: T.FLOAT, np.float64: T.DOUBLE, np.int32: T.INT32, np.int64: T.INT64}


class Ensemble:
    """A random ensemble. `trees` are nested dicts; `kind` is Classifier, Regressor or '' (TreeEnsemble of version 5)."""

    def __init__(self, random):
        self.random = random
        self.kind = str(random.choice(['Classifier', 'Regressor', '']))
        self.columns = int(random.integers(1, 6))
        self.scores = int(random.choice(SCORES)) if random.random() < 0.8 else int(random.integers(1, 10))
        if self.kind == 'Classifier':
            self.scores = max(self.scores, 2)
        types = [np.float32, np.float32, np.float64] + ([np.int32, np.int64] if self.kind == 'Classifier' else [])
        self.type = types[random.integers(len(types))]
        self.is_exact = random.random() < 0.75
        modes = MODES if not self.kind else MODES[:6]
        self.modes = [str(m) for m in random.choice(modes, random.integers(1, 4))] if random.random() < 0.6 else ['LEQ']
        self.missing = random.random() if random.random() < 0.4 else 0
        self.has_missing = self.missing > 0 or random.random() < 0.2
        self.is_signed = random.random() < 0.6
        # The only score that weights add to; None if they may add to any. Two classes have one such score, because ONNX Runtime
        # labels two classes that both have weights by the second one alone.
        is_binary = self.kind == 'Classifier' and self.scores == 2
        self.only = int(random.integers(self.scores)) if is_binary or random.random() < 0.25 else None
        self.most_weights = 1 if not self.kind else int(random.choice([1, 1, 3, 6]))
        self.aggregate = 'SUM' if self.kind == 'Classifier' else str(random.choice(AGGREGATES))
        # ONNX Runtime treats a leaf without weights as a leaf with weight 0 if there is one target.
        self.may_lack_weights = bool(self.kind) and self.aggregate in ('SUM', 'AVERAGE') and random.random() < 0.2
        self.post = str(random.choice(TRANSFORMS)) if random.random() < 0.5 else 'NONE'
        if is_binary and self.only == 0 and self.post == 'PROBIT':  # the standard defines one score, but ONNX Runtime returns two
            self.post = 'NONE'
        self.may_lack_weights = self.may_lack_weights and not is_binary  # see crash_problems()
        self.is_exact = self.is_exact or self.post == 'SOFTMAX_ZERO'  # SOFTMAX_ZERO treats numbers up to 1e-7 as 0
        self.base = None
        if self.kind and random.random() < 0.3 and not (is_binary and self.only == 1):  # see two_class_problems()
            self.base = [self.weight() for _ in range(1 if is_binary else self.scores)]
        deepest = int(random.choice([1, 2, 3, 5, 8]))
        chain = random.random() < 0.1
        self.trees = [self.chain(int(random.integers(1, 300))) if chain else self.tree(deepest) for _ in range(random.integers(1, 12))]
        self.as_double = self.type is np.float64 and (not self.kind or random.random() < 0.5)
        self.strings = self.kind == 'Classifier' and random.random() < 0.3

    def grid(self, least=-8, most=9):
        number = int(self.random.integers(least, most)) / 8
        return number if self.is_exact else number * 1.1

    def weight(self):
        number = self.grid(-16 if self.is_signed else 0, 17)
        return float(np.float32(number if self.post != 'PROBIT' else abs(number) / 64))

    def threshold(self):
        value = self.grid()
        if self.type in (np.int32, np.int64):
            value = round(value * 8) / 2
        return float(np.float32(value))

    def leaf(self):
        count = 0 if self.may_lack_weights and self.random.random() < 0.3 else int(self.random.integers(1, self.most_weights + 1))
        ids = self.random.choice(self.scores, min(count, self.scores), replace=False)
        if self.only is not None:
            ids = [self.only] * min(count, 1)
        return {'weights': [(int(i), self.weight()) for i in ids]}

    def branch(self, yes, no):
        mode = str(self.random.choice(self.modes))
        return {'mode': mode, 'feature': int(self.random.integers(self.columns)), 'value': self.threshold(), 'true': yes, 'false': no,
                'missing': bool(self.random.random() < self.missing),
                'members': [float(m) for m in self.random.integers(0, 4, self.random.integers(1, 5))] if mode == 'MEMBER' else []}

    def tree(self, depth, is_root=True):
        # The roots of TreeEnsemble are branches.
        may_end = self.kind or not is_root
        if depth == 0 or (may_end and self.random.random() < 0.2):
            return self.leaf()
        return self.branch(self.tree(depth - 1, False), self.tree(depth - 1, False))

    def chain(self, length):
        result = self.leaf()
        for _ in range(length):
            result = self.branch(*((result, self.leaf()) if self.random.random() < 0.5 else (self.leaf(), result)))
        return result

    def rows(self, count):
        if self.type in (np.int32, np.int64):
            return self.random.integers(-5, 6, (count, self.columns)).astype(self.type)
        x = np.array([self.threshold() for _ in range(count * self.columns)]).reshape(count, self.columns)
        if not self.is_exact and self.type is np.float64:
            x += self.random.choice([0, 0, 1e-12, -1e-12], x.shape)
        special = self.random.random(x.shape)
        x[special < 0.05] = np.nan
        x[special > 0.98] = self.random.choice([np.inf, -np.inf, -0.0, 1e-30])
        return x.astype(self.type)

    def model(self, for_onnxruntime=False):
        return self.new_model(for_onnxruntime) if not self.kind else self.old_model()

    def old_model(self):
        nodes = {key: [] for key in ('treeids', 'nodeids', 'featureids', 'modes', 'values', 'truenodeids', 'falsenodeids', 'missing_value_tracks_true')}
        leaves = {key: [] for key in ('treeids', 'nodeids', 'ids', 'weights')}
        step, first = int(self.random.integers(1, 4)), int(self.random.integers(0, 3))
        shuffles = self.random.random() < 0.3
        for number, tree in enumerate(self.trees):
            flat = []

            def visit(node):
                node['id'] = len(flat)
                flat.append(node)
                for child in ('true', 'false'):
                    if child in node:
                        visit(node[child])

            visit(tree)
            names = self.random.permutation(len(flat)) if shuffles else np.arange(len(flat))
            order = [0, *(1 + self.random.permutation(len(flat) - 1))] if shuffles else range(len(flat))
            for place in order:
                node = flat[place]
                is_leaf = 'weights' in node
                own = (0, 'LEAF', 0.0, 0, 0, 0) if is_leaf else (
                    node['feature'], 'BRANCH_' + node['mode'], node['value'], names[node['true']['id']], names[node['false']['id']], node['missing'])
                row = (number * step + first, names[place], *own)
                for key, value in zip(nodes, row, strict=True):
                    nodes[key].append(value if isinstance(value, (str, float)) else int(value))
                for score, weight in node.get('weights', []):
                    for key, value in zip(leaves, (number * step + first, int(names[place]), score, weight), strict=True):
                        leaves[key].append(value)
        if not self.has_missing:
            del nodes['missing_value_tracks_true']
        prefix = 'class' if self.kind == 'Classifier' else 'target'
        attributes = {f'nodes_{k}': v for k, v in nodes.items()} | {f'{prefix}_{k}': v for k, v in leaves.items()}
        if self.base:
            attributes['base_values'] = self.base
        if self.as_double:
            for name in ('nodes_values', f'{prefix}_weights', 'base_values'):
                if name in attributes:
                    attributes[name + '_as_tensor'] = numpy_helper.from_array(np.array(attributes.pop(name), np.float64))
        attributes['post_transform'] = self.post
        if self.kind == 'Classifier':
            if self.strings:
                attributes['classlabels_strings'] = [f'c{i}' for i in range(self.scores)]
            else:
                attributes['classlabels_int64s'] = [(10 if self.scores > 2 else 0) + i for i in range(self.scores)]
        else:
            attributes |= {'n_targets': self.scores, 'aggregate_function': self.aggregate}
        # empty lists are left out
        attributes = {k: v for k, v in attributes.items() if not isinstance(v, list) or v}
        outputs = ['label', 'y'] if self.kind == 'Classifier' else ['y']
        return self.wrapped(helper.make_node(f'TreeEnsemble{self.kind}', ['x'], outputs, domain=ML, **attributes), 3,
                            [T.STRING if 'classlabels_strings' in attributes else T.INT64, T.FLOAT][-len(outputs):])

    def new_model(self, for_onnxruntime):
        flat, leaves, roots = [], [], []

        def visit(node):
            if 'weights' in node:
                node['id'] = len(leaves)
                leaves.append(node)
                return
            node['id'] = len(flat)
            flat.append(node)
            visit(node['true'])
            visit(node['false'])

        for tree in self.trees:
            roots.append(len(flat))
            visit(tree)
        members = []
        for node in flat:
            if node['mode'] == 'MEMBER':
                members += [*node['members'], np.nan]
        # ONNX Runtime swaps the numbers of SOFTMAX and LOGISTIC.
        post = TRANSFORMS.index(self.post)
        post = {1: 2, 2: 1}.get(post, post) if for_onnxruntime else post
        attributes = {'n_targets': self.scores, 'aggregate_function': AGGREGATES.index(self.aggregate), 'post_transform': post,
                      'tree_roots': roots, 'nodes_featureids': [n['feature'] for n in flat],
                      'nodes_modes': numpy_helper.from_array(np.array([MODES.index(n['mode']) for n in flat], np.uint8)),
                      'nodes_splits': numpy_helper.from_array(np.array([n['value'] for n in flat], self.type)),
                      'nodes_truenodeids': [n['true']['id'] for n in flat], 'nodes_falsenodeids': [n['false']['id'] for n in flat],
                      'nodes_trueleafs': [int('weights' in n['true']) for n in flat], 'nodes_falseleafs': [int('weights' in n['false']) for n in flat],
                      'leaf_targetids': [n['weights'][0][0] for n in leaves],
                      'leaf_weights': numpy_helper.from_array(np.array([n['weights'][0][1] for n in leaves], self.type))}
        if members:
            attributes['membership_values'] = numpy_helper.from_array(np.array(members, self.type))
        if self.has_missing:
            attributes['nodes_missing_value_tracks_true'] = [int(n['missing']) for n in flat]
        return self.wrapped(helper.make_node('TreeEnsemble', ['x'], ['y'], domain=ML, **attributes), 5, [TYPES[self.type]])

    def wrapped(self, node, version, types):
        outputs = [helper.make_tensor_value_info(name, type_, None) for name, type_ in zip(node.output, types, strict=True)]
        graph = helper.make_graph([node], 'trees', [helper.make_tensor_value_info('x', TYPES[self.type], ['n', self.columns])], outputs)
        sets = [helper.make_opsetid('', 17), helper.make_opsetid(ML, version)]
        return helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString()

    def sums(self, x):
        """Returns the scores before the base values and the post transform, and whether a tree has reached each score."""
        y, has = np.zeros((len(x), self.scores)), np.zeros((len(x), self.scores), bool)
        for row, features in enumerate(x.astype(np.float64)):
            for node in self.trees:
                while 'weights' not in node:
                    v, t = features[node['feature']], node['value']
                    is_true = {'LEQ': v <= t, 'LT': v < t, 'GTE': v >= t, 'GT': v > t, 'EQ': v == t, 'NEQ': v != t,
                               'MEMBER': v in node['members']}[node['mode']]
                    node = node['true' if is_true or (node['missing'] and np.isnan(v)) else 'false']
                for score, weight in node['weights']:
                    if self.aggregate in ('MIN', 'MAX') and has[row, score]:
                        weight = (min if self.aggregate == 'MIN' else max)(weight, y[row, score])
                    y[row, score] = weight if self.aggregate in ('MIN', 'MAX') else y[row, score] + weight
                    has[row, score] = True
        return y / len(self.trees) if self.aggregate == 'AVERAGE' else y, has

    def is_plain(self):
        """Returns whether sums() are the scores: without post transform, base values and ONNX Runtime's quirks for two classes."""
        return self.post == 'NONE' and not self.base and not (self.kind == 'Classifier' and self.scores <= 2)
