"""A random model while it is generated: its nodes, and the value of each tensor."""

import dataclasses

import numpy as np
import onnx
from onnx import helper, numpy_helper

from . import evaluate
from .values import FOUR_BITS, random_array, random_shape

TYPE_NAMES = {
    name: getattr(onnx.TensorProto, proto)
    for name, proto in {
        'float32': 'FLOAT',
        'float16': 'FLOAT16',
        'float64': 'DOUBLE',
        'int8': 'INT8',
        'uint8': 'UINT8',
        'int16': 'INT16',
        'uint16': 'UINT16',
        'int32': 'INT32',
        'uint32': 'UINT32',
        'int64': 'INT64',
        'uint64': 'UINT64',
        'bool': 'BOOL',
        'int4': 'INT4',
        'uint4': 'UINT4',
    }.items()
}
SCHEMA_TYPES = {'float': 'float32', 'double': 'float64'}  # ONNX's other type names equal ours
# One IR version serves all operator sets: every version of ONNX Runtime reads files of older IR versions.
IR_VERSION = 10


class Impossible(Exception):
    """The operator cannot be added to the model. The generator then tries another one."""


@dataclasses.dataclass
class Value:
    name: str
    type: str
    array: np.ndarray
    is_constant: bool

    @property
    def shape(self):
        return self.array.shape

    @property
    def rank(self):
        return self.array.ndim


class Model:
    """A model. `node` adds an operator, with inputs from `value` and `fixed`; `compute` computes the added nodes' results."""

    def __init__(self, rng, opset):
        from .values import STYLES

        self.rng, self.opset = rng, opset
        self.style = str(rng.choice(STYLES))
        self.values = []  # values that later nodes may read
        self.nodes, self.functions = [], []
        self.inputs = {}  # name -> Value
        self.fixed_inputs = {}  # name -> array: inputs that shapes depend on
        self.initializers = {}  # name -> array
        self.defaults = []  # initializers that are also inputs; no test feeds these
        self.open_dimensions = {}  # (input, axis) -> name
        self.dimensions = {}  # name -> size
        self.results = []  # (name, type) of nodes that are not computed yet
        self.hidden_types = {}
        self.opsets = {'': opset}
        self.loose = False  # whether the model has sums that may be rounded in any order, so that tolerances are larger
        self.count = 0

    # Random choices.

    def chance(self, probability):
        return self.rng.random() < probability

    def choice(self, options):
        options = list(options)
        return options[int(self.rng.integers(len(options)))]

    def integer(self, low, high):
        """Returns a random integer from low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def shape(self, low=0, high=4, **options):
        if high == 4 and self.chance(0.05):
            high = 6
        return random_shape(self.rng, low, high, **options)

    def axis(self, rank, low=0):
        """Returns a random axis from low to rank - 1; counted from the end (negative) in some cases."""
        if rank <= low:
            raise Impossible('no axis')
        axis = self.integer(low, rank - 1)
        return axis - rank if self.opset >= 11 and self.chance(0.3) else axis

    def axes(self, rank, least=1):
        """Returns different random axes, at least `least`."""
        if rank < least:
            raise Impossible('too few axes')
        count = self.integer(least, rank)
        axes = [int(axis) for axis in self.rng.permutation(rank)[:count]]
        if self.chance(0.6):
            axes.sort()
        return [axis - rank if self.opset >= 11 and self.chance(0.3) else axis for axis in axes]

    def broadcastable(self, shape):
        """Returns a random shape that can be broadcast to `shape`."""
        kept = list(shape[self.integer(0, len(shape)) :] if self.chance(0.3) else shape)
        return tuple(1 if self.chance(0.25) else size for size in kept)

    # Types.

    def schema(self, operator, domain=''):
        try:
            return onnx.defs.get_schema(operator, self.opsets.get(domain, 1), domain)
        except Exception as missing:
            raise Impossible(f'{operator} is not in opset {self.opset}') from missing

    def types(self, operator, parameter='T', domain=''):
        """Returns the types that the operator accepts for its type parameter, by the names of TYPE_NAMES."""
        for constraint in self.schema(operator, domain).type_constraints:
            if constraint.type_param_str == parameter:
                names = (text[len('tensor(') : -1] for text in constraint.allowed_type_strs if text.startswith('tensor('))
                return [name for name in (SCHEMA_TYPES.get(name, name) for name in names) if name in TYPE_NAMES]
        raise KeyError(f'{operator} has no type {parameter}')

    def type(self, types):
        """Chooses one of `types`: often float32, seldom a type that WebNN lacks."""
        if not types:
            raise Impossible('no types')
        if len(types) == 1:
            return types[0]
        computed = [value.type for value in self.computed() if value.type in types]
        if computed and self.chance(0.7):
            return self.choice(computed)
        weights = [
            {'float32': 12, 'float16': 3, 'float64': 0.1, 'int16': 0.05, 'uint16': 0.05, 'int4': 0.5, 'uint4': 0.5}.get(name, 1.2)
            for name in types
        ]
        return str(self.rng.choice(types, p=np.array(weights) / sum(weights)))

    # Inputs.

    def fresh(self, prefix='v'):
        self.count += 1
        return f'{prefix}{self.count}'

    def computed(self):
        return [value for value in self.values if value.name.startswith('y')]

    def value(self, types, shape=None, rank=(0, 4), low=None, high=None, where=None, constant=None, style=None, finite=False):
        """Returns a value for an input of a node: an earlier value that fits, or a new one.

        low, high: bounds of the elements. where: a condition on the value. constant: whether a new value is a constant; None:
        by chance. finite: without NaN and infinities.
        """
        types = [types] if isinstance(types, str) else list(types)
        fitting = [
            value
            for value in self.values
            if self.fits(value, types, shape, rank, low, high, where) and (not finite or bool(np.all(np.isfinite(value.array))))
        ]
        if finite and self.style in ('special', 'huge'):
            style = 'normal'
        if fitting and constant is None and self.chance(0.85):
            newest = fitting[-1] if self.chance(0.5) else self.choice(fitting)
            return newest
        if low is None and high is None and not finite and constant is None and self.chance(0.5):
            found = self.reshaped(types, shape, rank, where)
            if found:
                return found
        if where:
            for _ in range(20):
                chosen = shape if shape is not None else self.shape(*rank)
                if where(Value('', types[0], np.empty(chosen), False)):
                    break
            else:
                raise Impossible('no shape')
            shape = chosen
        chosen = shape if shape is not None else self.shape(*rank)
        name = self.type(types)
        return self.source(random_array(self.rng, name, chosen, style or self.style, low, high), name, constant)

    def reshaped(self, types, shape, rank, where):
        """Adds a Reshape of an earlier node's result, and returns its value; None if no result fits."""
        for value in reversed(self.computed()):
            if (
                value.type not in types
                or value.array.size == 0
                or shape is not None
                and np.prod(shape, dtype=int) != value.array.size
            ):
                continue
            wanted = shape if shape is not None else self.factors(value.array.size, self.integer(*rank))
            if wanted is None:
                continue
            array = value.array.reshape(wanted)
            result = Value(self.fresh('y'), value.type, array, False)
            if where is not None and not where(result):
                continue
            sizes = self.constant(np.array(wanted, np.int64))
            self.nodes.append(helper.make_node('Reshape', [value.name, sizes.name], [result.name]))
            self.values.append(result)
            return result
        return None

    def factors(self, count, rank):
        """Returns `rank` random sizes whose product is `count`; None if there are none."""
        sizes = [1] * rank
        for prime in (2, 3, 5, 7, 11, 13, 17):
            while rank and count % prime == 0:
                sizes[self.integer(0, rank - 1)] *= prime
                count //= prime
        if count > 1 and not rank:
            return None
        if rank:
            sizes[0] *= count
        return tuple(sizes)

    @staticmethod
    def fits(value, types, shape, rank, low, high, where):
        if (
            value.array.size == 0
            or value.type not in types
            or (value.shape != tuple(shape) if shape is not None else not rank[0] <= value.rank <= rank[1])
        ):
            return False
        if low is not None and not np.all(value.array >= low) or high is not None and not np.all(value.array <= high):
            return False
        return where is None or where(value)

    def source(self, array, name=None, constant=None):
        """Adds a value of the graph: an input, an initializer or a Constant node."""
        name = name or str(array.dtype)
        if constant is None:
            constant = self.chance(0.35)
        if name in FOUR_BITS or constant:
            return self.constant(array, name)
        value = Value(self.fresh('x'), name, array, False)
        self.inputs[value.name] = value
        for axis, size in enumerate(array.shape):
            if self.chance(0.06):
                self.open(value.name, axis, size)
        self.values.append(value)
        return value

    def open(self, name, axis, size):
        """Makes a dimension of an input open: the caller who loads the model gives the size."""
        named = self.chance(0.7)
        dimension = self.choice(('N', 'sequence', f'{name}_{axis}')) if named else f'{name}.{axis}'
        if self.dimensions.setdefault(dimension, size) == size:
            self.open_dimensions[name, axis] = dimension if named else ''
        # else the dimension stays fixed, because the name belongs to another size

    def constant(self, array, name=None):
        name = name or str(array.dtype)
        value = Value(self.fresh('c'), name, array, True)
        if self.chance(0.75):
            self.initializers[value.name] = array
            if self.chance(0.05):
                self.defaults.append(value)
        else:
            self.nodes.append(helper.make_node('Constant', [], [value.name], value=tensor_of(array, name)))
        self.values.append(value)
        return value

    def fixed(self, array, name=None):
        """Adds a value that shapes depend on: a constant, or seldom an input whose value is given when the model is loaded."""
        array = np.asarray(array)
        if array.dtype == np.dtype(int) and name is None:
            array = array.astype(np.int64)
        if not self.chance(0.05):
            return self.constant(array, name)
        value = Value(self.fresh('s'), name or str(array.dtype), array, True)
        self.inputs[value.name] = value
        self.fixed_inputs[value.name] = array
        return value

    # Nodes.

    def node(self, operator, inputs, types, domain='', **attributes):
        """Adds a node; returns the names of its results. types: the results' types; None for an omitted result."""
        names = [item.name if isinstance(item, Value) else item or '' for item in inputs]
        while names and not names[-1]:
            names.pop()
        results = [self.fresh('y') if name else '' for name in types]
        attributes = {key: value for key, value in attributes.items() if value is not None}
        self.opsets.setdefault(domain, 1)
        label = self.fresh('n') if self.chance(0.9) else ''
        self.nodes.append(helper.make_node(operator, names, results, name=label, domain=domain, **attributes))
        self.results += [(name, kind) for name, kind in zip(results, types) if name]
        return results

    def hidden(self, *arguments, **attributes):
        """Adds a node whose one result cannot be an output of the model: 4-bit tensors, sequences and optional values."""
        name = self.node(*arguments, **attributes)[0]
        self.hidden_types |= dict([self.results.pop()])
        return name

    def compute(self):
        """Computes the results of the nodes added since the last call. Raises NotRun if the model cannot be run."""
        if not self.results:
            return
        outputs, by = evaluate.expected(self.proto(self.results), self.feeds(), self.value_types())
        for (name, kind), array in zip(self.results, outputs):
            if str(array.dtype) != kind:
                kind = str(array.dtype)
            if array.size == 0 and not self.chance(0.1):  # WebNN has no empty tensors
                raise Impossible('an empty result')
            self.values.append(Value(name, kind, np.asarray(array), False))
        self.expected_by = by
        self.results = []

    # The complete model.

    def value_types(self):
        """Returns the types of all values by name, including values that are not computed yet."""
        return self.hidden_types | {value.name: value.type for value in self.values} | dict(self.results)

    def feeds(self):
        return {name: value.array for name, value in self.inputs.items()}

    def proto(self, outputs):
        """Returns the ModelProto. outputs: (name, type) of its outputs."""
        inputs = []
        for name, value in self.inputs.items():
            sizes = [self.open_dimensions.get((name, axis), str(size)) or None for axis, size in enumerate(value.shape)]
            sizes = [int(size) if size and size.isdigit() else size for size in sizes]
            inputs.append(helper.make_tensor_value_info(name, TYPE_NAMES[value.type], sizes))
        inputs += [helper.make_tensor_value_info(value.name, TYPE_NAMES[value.type], value.shape) for value in self.defaults]
        graph = helper.make_graph(
            self.nodes,
            'random',
            inputs,
            [helper.make_tensor_value_info(name, TYPE_NAMES[kind], None) for name, kind in outputs],
            [tensor_of(array, None, name, raw=int(name[1:]) % 4 != 0) for name, array in self.initializers.items()],
        )
        return helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid(*item) for item in sorted(self.opsets.items())],
            functions=self.functions,
            ir_version=IR_VERSION,
        )


def tensor_of(array, kind=None, name='', raw=True):
    """Returns a TensorProto with the elements as bytes (raw), or else as a list of numbers."""
    array = np.asarray(array)
    if raw:
        return numpy_helper.from_array(array, name)
    return helper.make_tensor(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape, array.ravel().tolist())
