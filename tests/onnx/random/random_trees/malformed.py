"""Malformed tree ensembles, and ensembles that take long to evaluate."""

import numpy as np
from onnx import TensorProto as T
from onnx import helper, numpy_helper

ML = 'ai.onnx.ml'
# One tree: a branch and two leaves.
NODES = {'nodes_treeids': [0, 0, 0], 'nodes_nodeids': [0, 1, 2], 'nodes_featureids': [0, 0, 0], 'nodes_modes': ['BRANCH_LEQ', 'LEAF', 'LEAF'],
         'nodes_values': [0.0, 0.0, 0.0], 'nodes_truenodeids': [1, 0, 0], 'nodes_falsenodeids': [2, 0, 0]}
WEIGHTS = {'target_treeids': [0, 0], 'target_nodeids': [1, 2], 'target_ids': [0, 0], 'target_weights': [1.0, 2.0], 'n_targets': 1}
FOUR = {'nodes_treeids': [0] * 4, 'nodes_featureids': [0] * 4, 'nodes_values': [0.0] * 4, 'nodes_modes': ['BRANCH_LEQ', 'LEAF', 'LEAF', 'LEAF'],
        'nodes_truenodeids': [1, 0, 0, 0], 'nodes_falsenodeids': [2, 0, 0, 0]}
CIRCLE = {'nodes_modes': ['BRANCH_LEQ', 'BRANCH_LEQ', 'LEAF'], 'nodes_truenodeids': [1, 0, 0], 'nodes_falsenodeids': [2, 2, 0],
          'target_treeids': [0], 'target_nodeids': [2], 'target_ids': [0], 'target_weights': [1.0]}
# Changes to NODES and WEIGHTS that make the model invalid.
REFUSED = {
    'a circle without a root': CIRCLE,
    'an average of a circle': CIRCLE | {'aggregate_function': 'AVERAGE'},
    'a node of its own': {'nodes_truenodeids': [0, 0, 0]},
    'two nodes of one id': FOUR | {'nodes_nodeids': [0, 1, 2, 2]},
    'a child that is missing': {'nodes_truenodeids': [7, 0, 0]},
    'a child of a huge id': {'nodes_truenodeids': [2**62, 0, 0]},
    'a negative feature': {'nodes_featureids': [-1, 0, 0]},
    'a feature that is missing': {'nodes_featureids': [5, 0, 0]},
    'a huge feature': {'nodes_featureids': [2**63 - 1, 0, 0]},
    'a target that is missing': {'target_ids': [0, 3]},
    'a weight of a missing node': {'target_nodeids': [9, 2]},
    'too many targets': {'n_targets': 2**40},
    'too few values': {'nodes_values': [0.0, 0.0]},
    'an unknown mode': {'nodes_modes': ['BRANCH_XX', 'LEAF', 'LEAF']},
    'an unknown aggregate': {'aggregate_function': 'MEDIAN'},
    'an unknown transform': {'post_transform': 'TANH'},
    'three base values of one target': {'base_values': [1.0, 2.0, 3.0]},
    'one base value of two targets': {'n_targets': 2, 'base_values': [1.0]},
}
# A node that no branch refers to may be refused or left out; no result may contain it.
UNREACHABLE = FOUR | {'nodes_nodeids': [0, 1, 2, 3], 'target_treeids': [0] * 3, 'target_nodeids': [1, 2, 3], 'target_ids': [0] * 3,
                      'target_weights': [1.0, 2.0, 100.0]}
REFUSED_NEW = {
    'a circle': {'nodes_truenodeids': [0], 'nodes_trueleafs': [0]},
    'a root that is missing': {'tree_roots': [1]},
    'a negative root': {'tree_roots': [-1]},
    'a child that is missing': {'nodes_truenodeids': [2]},
    'a target that is missing': {'leaf_targetids': [0, 1]},
    'an unknown mode': {'nodes_modes': [7]},
    'a feature of 2^32': {'nodes_featureids': [2**32]},
    'no roots': {'tree_roots': None},
    'no set of members': {'nodes_modes': [6]},
}


def model(node, version, outputs):
    graph = helper.make_graph([node], 'trees', [helper.make_tensor_value_info('x', T.FLOAT, ['n', 1])],
                              [helper.make_tensor_value_info(name, type_, None) for name, type_ in outputs.items()])
    sets = [helper.make_opsetid('', 17), helper.make_opsetid(ML, version)]
    return helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString()


def regressor(changes):
    """Returns a TreeEnsembleRegressor of one branch and two leaves, with these changes."""
    attributes = NODES | WEIGHTS | changes
    return model(helper.make_node('TreeEnsembleRegressor', ['x'], ['y'], domain=ML, **attributes), 3, {'y': T.FLOAT})


def ensemble(changes):
    """Returns a TreeEnsemble of one branch and two leaves, with these changes."""
    attributes = {'nodes_featureids': [0], 'nodes_modes': [0], 'nodes_splits': [0.0], 'nodes_truenodeids': [0], 'nodes_falsenodeids': [1],
                  'nodes_trueleafs': [1], 'nodes_falseleafs': [1], 'leaf_targetids': [0, 0], 'leaf_weights': [1.0, 2.0], 'tree_roots': [0],
                  'n_targets': 1} | changes
    types = {'nodes_modes': np.uint8, 'nodes_splits': np.float32, 'leaf_weights': np.float32, 'membership_values': np.float32}
    made = {name: numpy_helper.from_array(np.array(value, types[name])) if name in types else value
            for name, value in attributes.items() if value is not None}
    return model(helper.make_node('TreeEnsemble', ['x'], ['y'], domain=ML, **made), 5, {'y': T.FLOAT})


def two_classes(only, base, post):
    """Returns a classifier of two classes. Both weights, 0.25 and 0.75, belong to the class `only`."""
    weights = {'class_treeids': [0, 0], 'class_nodeids': [1, 2], 'class_ids': [only, only], 'class_weights': [0.25, 0.75]}
    attributes = NODES | weights | {'classlabels_int64s': [0, 1], 'post_transform': post} | ({'base_values': base} if base else {})
    return model(helper.make_node('TreeEnsembleClassifier', ['x'], ['label', 'y'], domain=ML, **attributes), 3, {'label': T.INT64, 'y': T.FLOAT})


def one_leaf_of_two():
    """Returns a classifier of two classes, with PROBIT. Its only weight belongs to the second class and the second leaf."""
    weights = {'class_treeids': [0], 'class_nodeids': [2], 'class_ids': [1], 'class_weights': [0.75]}
    attributes = NODES | weights | {'classlabels_int64s': [0, 1], 'post_transform': 'PROBIT'}
    return model(helper.make_node('TreeEnsembleClassifier', ['x'], ['label', 'y'], domain=ML, **attributes), 3, {'label': T.INT64, 'y': T.FLOAT})


def long_chain(count):
    """Returns a chain of branches that test membership in sets of one member. Rows of zeros walk to its end."""
    ids, are_leaves = [*range(1, count), 0], [0] * (count - 1) + [1]
    return ensemble({'nodes_featureids': [0] * count, 'nodes_modes': [6] * count, 'nodes_splits': [0.0] * count, 'leaf_targetids': [0],
                     'leaf_weights': [1.0], 'nodes_truenodeids': [0] * count, 'nodes_trueleafs': [1] * count, 'nodes_falsenodeids': ids,
                     'nodes_falseleafs': are_leaves, 'membership_values': [7.0, np.nan] * count})


def circle_of_members(count, members):
    """Returns a branch that is its own child and compares with many members, among `count` - 1 branches that nothing refers to."""
    return ensemble({'nodes_featureids': [0] * count, 'nodes_modes': [6] + [0] * (count - 1), 'nodes_splits': [0.0] * count,
                     'nodes_truenodeids': [0] * count, 'nodes_trueleafs': [0] + [1] * (count - 1), 'nodes_falsenodeids': [0] * count,
                     'nodes_falseleafs': [1] * count, 'membership_values': np.r_[np.full(members, 7), 0, np.nan]})
