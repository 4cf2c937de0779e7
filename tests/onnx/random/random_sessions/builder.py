"""Builds the graphs of a random model: names, nodes, constants, values to choose from, and sizes that depend on data."""
import random

import numpy as np

import onnx
from onnx import TensorProto as T
from onnx import helper

FLOAT, DOUBLE, INT64, INT32, BOOL, STRING, UINT8 = T.FLOAT, T.DOUBLE, T.INT64, T.INT32, T.BOOL, T.STRING, T.UINT8


class Value:
    """A tensor: values of the same shape class have equal shapes in each run."""

    def __init__(self, name, dtype, rank, shape_class, exact=True):
        self.name, self.dtype, self.rank, self.shape_class, self.exact = name, dtype, rank, shape_class, exact


class Builder:
    """Adds nodes to the innermost graph of `scopes`, the stack of graphs under construction."""

    def __init__(self, seed, steps):
        self.r = random.Random(seed)
        self.steps = steps
        self.count = 0
        self.scopes = []
        self.functions = []
        self.depth = 0
        self.sequences = []

    # Names, nodes and constants.

    def fresh(self, prefix='v'):
        self.count += 1
        return f'{prefix}{self.count}'

    def emit(self, op, inputs, outputs=1, domain='', **attributes):
        names = [self.fresh() for _ in range(outputs)] if isinstance(outputs, int) else outputs
        inputs = [i.name if isinstance(i, Value) else i for i in inputs]
        self.scopes[-1]['nodes'].append(
            helper.make_node(op, inputs, names, name=self.fresh(op.lower()), domain=domain, **attributes))
        return names[0] if len(names) == 1 else names

    def constant(self, array):
        return self.emit('Constant', [], value=onnx.numpy_helper.from_array(np.asarray(array), self.fresh('c')))

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def new(self, name, dtype, rank, shape_class=None, exact=True):
        value = Value(name, dtype, rank, shape_class or self.fresh('shape'), exact)
        self.scopes[-1]['values'].append(value)
        return value

    def visible(self):
        return [v for scope in self.scopes for v in scope['values']]

    def pick(self, dtypes=(FLOAT,), rank=None, least=0, exact=None):
        found = [v for v in self.visible()
                 if v.dtype in dtypes and (rank is None or v.rank == rank) and v.rank >= least
                 and (not exact or v.exact)]
        if not found:
            return None
        # Later values are likelier, so that models become deep.
        return self.r.choice(found[-6:]) if self.r.random() < 0.7 else self.r.choice(found)

    def matrix(self, exact=None, dtype=FLOAT):
        """Returns a value of rank 2: an existing one, or a flattened value of another rank."""
        value = self.pick((dtype,), 2, exact=exact)
        if value and self.r.random() < 0.8:
            return value
        value = self.pick((dtype,), least=1, exact=exact)
        if value is None:
            return None
        return self.new(self.emit('Flatten', [value], axis=self.r.randint(0, value.rank)), dtype, 2, exact=value.exact)

    def tame(self, name, exact=True):
        """Clips a value to [-16, 16]. Rounds it to multiples of 1/4 if `exact`."""
        name = self.emit('Clip', [name, self.constant(np.float32(-16)), self.constant(np.float32(16))])
        if exact:
            name = self.emit('Mul', [name, self.constant(np.float32(4))])
            name = self.emit('Round', [name])
            name = self.emit('Mul', [name, self.constant(np.float32(0.25))])
        return name

    def size(self, value, axis):
        """Returns the size of an axis as an int64[1]."""
        if self.r.random() < 0.3:
            return self.emit('Shape', [value], start=axis, end=axis + 1)
        return self.emit('Gather', [self.emit('Shape', [value]), self.ints(axis)], axis=0)

    def scalar(self, name):
        return self.emit('Squeeze', [name, self.ints(0)])

    def small(self, low, high):
        """Returns an int64[1] between low and high: a constant, or a number that depends on data or on a size."""
        kind = self.r.randrange(3)
        if kind == 0:
            return self.ints(self.r.randint(low, high))
        value = self.pick((FLOAT,), exact=True)
        if kind == 1 and value:
            total = self.emit('ReduceSum', [value], keepdims=0)
            count = self.emit('Cast', [self.emit('Abs', [self.emit('Mul', [total, self.constant(np.float32(4))])])],
                              to=INT64)
            count = self.emit('Reshape', [count, self.ints(1)])
        else:
            value = self.pick((FLOAT, INT64), least=1)
            if not value:
                return self.ints(low)
            count = self.size(value, self.r.randrange(value.rank))
        count = self.emit('Mod', [count, self.ints(high - low + 1)])
        return self.emit('Add', [count, self.ints(low)])

    def condition(self):
        """Returns a bool scalar."""
        value = self.pick((FLOAT,), exact=True)
        if value is None or self.r.random() < 0.3:
            return self.emit('Greater', [self.scalar(self.small(0, 3)), self.constant(np.int64(1))])
        total = self.emit('ReduceSum', [value], keepdims=0)
        return self.emit('Greater', [total, self.constant(np.float32(self.r.choice([-1, 0, 1, 4])))])

    def close(self, name, inputs, outputs):
        scope = self.scopes.pop()
        return helper.make_graph(scope['nodes'], self.fresh(name), inputs, outputs)

    def block(self, want, steps, inputs=()):
        """Runs some steps in a new scope. The result has the type and rank of `want`."""
        self.scopes.append({'nodes': [], 'values': list(inputs)})
        self.depth += 1
        for _ in range(steps):
            self.step()
        self.depth -= 1
        own = [v for v in self.scopes[-1]['values'] if v.dtype == want.dtype and v.rank == want.rank and v.exact]
        return self.emit('Identity', [self.r.choice(own) if own else want])
