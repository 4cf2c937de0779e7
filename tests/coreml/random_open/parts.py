"""Parts of random graphs with open dimensions, and the values of expressions of sizes."""

import fractions
import math
from random import Random

import numpy as np
import webnn


def scaled(n, scale):
    return math.floor(n * fractions.Fraction(float(np.float32(scale))))


def broadcast(a, b):
    if a != b and 1 not in (a, b):
        raise ValueError('broadcast')
    return b if a == 1 else a


def value(size, sizes):
    """Returns the value of the expression `size`. `sizes` maps the names in it to their values."""
    if isinstance(size, int):
        return size
    names = {name: fractions.Fraction(v) for name, v in sizes.items()}
    return int(eval(size, {'__builtins__': {}}, names | {'floor': math.floor, 'ceil': math.ceil, 'scaled': scaled, 'broadcast': broadcast}))


def is_empty(size, sizes):
    """Returns whether an expression is below 1."""
    try:
        return value(size, sizes) < 1
    except (ValueError, ZeroDivisionError, NameError):  # NameError: a dimension on which no output depends
        return False


class RefusedError(Exception):
    """An operation that is not possible for these operands."""


class GraphBase:
    """The inputs, the dimensions and all operands of a graph. A seed makes the same graph each time."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.builder = webnn.MLGraphBuilder(webnn.ML().create_context(backend='reference'))
        self.dims, self.inputs, self.operands, self.log = {}, {}, [], []
        random = self.random
        for name in random.sample(['n', 'm', 'k', 'past'], random.choice([1, 2, 2, 3])):
            least = random.choice([0, 0, 1, 1, 2, 3])
            # The export refuses some operations if a size has no bound below 2^31 - 1.
            most = random.choice([None, 1000, least + random.randint(1, 9), least + random.randint(1, 9)])
            self.dims[name] = (least, most)
        self.declared = set()
        for _ in range(random.randint(1, 3)):
            self.input()
        for _ in range(random.choice([3, 6, 10, 16])):
            try:
                getattr(self, self.random.choice(self.operations()))()
            except (webnn.ArgumentError, RefusedError, webnn.NotSupportedError, IndexError) as error:
                self.log.append(f'#   refused: {str(error)[:150]}')

    # Parts of graphs.

    def declare(self, name):
        """Returns the dimension `name` in the form for shapes of inputs: its name, or its name with its bounds."""
        least, most = self.dims[name]
        self.declared.add(name)
        if least == 0 and most is None:
            return name
        return webnn.MLDynamicDimension(name, 2**31 - 1 if most is None else most, min_size=least)

    def expression(self):
        random, names = self.random, sorted(self.declared) or ['n']
        a, b, c, d = random.choice(names), random.choice(names), random.randint(1, 4), random.randint(2, 4)
        return random.choice(
            [
                a,
                a,
                f'{a} + {c}',
                f'{a} * {b}',
                f'{a} * {c}',
                f'{a} * ({b} + {c})',
                f'floor({a} / {d})',
                f'ceil({a} / {d})',
                f'floor(({a} + {c}) / {d})',
                f'ceil({a} / {b})',
                f'floor({a} / {b})',
                f'{a} + {b}',
                f'{a} - {c}',
                f'scaled({a}, {random.choice([0.5, 1.5, 2.0, 0.3, 1.1, 3.7])})',
                f'broadcast({a}, {b})',
                f'{a} + {b} - 1',
                f'{c} * {a} + {d}',
                f'{a} * {b} * {c}',
                f'ceil(({a} * {b}) / ({b} + {c}))',
                f'{a} * {a}',
            ]
        )

    def size(self):
        """Returns a random size for an operation: a number, an expression or a dimension."""
        random = self.random
        return random.choice([random.randint(1, 4), self.expression(), random.choice(sorted(self.declared) or [1])])

    def input(self, shape=None, dtype=None):
        random = self.random
        if shape is None:
            shape = []
            for _ in range(random.choice([1, 2, 2, 3, 3, 4, 4, 5, 6])):
                name = random.choice(sorted(self.dims))
                shape.append(
                    random.choice([self.declare(name), self.declare(name), random.randint(1, 4)])
                    if random.random() < 0.9 or not self.declared
                    else self.expression()
                )
        dtype = dtype or random.choice(['float32'] * 5 + ['float16', 'int32', 'int64', 'uint8', 'int8'])
        name = f'x{len(self.inputs)}'
        x = self.builder.input(name, shape, dtype)
        self.inputs[name] = (x, dtype)
        self.log.append(f'{name} = input {x.shape} {dtype}')
        self.operands.append(x)
        return x

    def constant(self, shape, dtype):
        size = math.prod(shape)
        array = self.numbers.integers(-8, 9, size) / 4 if dtype.startswith('f') else self.numbers.integers(0, 4, size)
        return self.builder.constant(array.astype(dtype).reshape(shape))

    def call(self, name, *given, **more):
        """Adds an operation. Returns its first output."""
        label = f'{name}{len(self.log)}'
        shown = [f'%{self.index(a)}' if isinstance(a, webnn.MLOperand) else a for a in given]
        more = {k: v for k, v in more.items() if v is not None}
        options = {k: f'%{self.index(v)}' if isinstance(v, webnn.MLOperand) else v for k, v in more.items()}
        text = f'{name}({", ".join(map(str, shown))}, {options})'
        self.log.append('# ' + text)
        result = getattr(self.builder, name)(*given, label=label, **more)
        results = result if isinstance(result, list) else [result]
        self.log[-1] = f'%{len(self.operands)} = {text}'
        for x in results:
            if len(x.shape) <= 8:
                self.operands.append(x)
                self.log[-1] += f' -> {x.shape} {x.data_type}'
        return results[0]

    def index(self, x):
        for i, y in enumerate(self.operands):
            if y is x:
                return i
        return '?'

    def pick(self, condition=lambda x: True):
        """Returns an operand for which the condition is true, more often one of the newest."""
        found = [x for x in self.operands if condition(x)]
        if not found:
            raise RefusedError('no such operand')
        return self.random.choice(found[-4:] if self.random.random() < 0.7 else found)

    def image(self):
        """Returns a float operand of four dimensions."""
        x = self.pick(lambda x: x.data_type in ('float32', 'float16'))
        if len(x.shape) != 4:
            x = self.input([self.size_in(), self.random.randint(1, 4), self.size_in(), self.size_in()], 'float32')
        return x

    def size_in(self):
        """Returns a random size for the shape of an input: a number or a dimension."""
        random = self.random
        return random.choice(
            [self.declare(random.choice(sorted(self.dims))), self.declare(random.choice(sorted(self.dims))), random.randint(1, 6)]
        )

    def floats(self, rank=None):
        return self.pick(lambda x: x.data_type.startswith('float') and (rank is None or len(x.shape) == rank))

    def axis(self, x):
        return self.random.randrange(len(x.shape)) if x.shape else 0

    def indices(self, shape, low=-3, high=4):
        if self.random.random() < 0.5 and all(isinstance(s, int) for s in shape):
            return self.builder.constant(self.numbers.integers(low, high, shape).astype(self.random.choice(['int32', 'int64'])))
        return self.input(shape, 'int32')

    def operations(self):
        """Returns the names of the methods that add operations."""
        return [name for name in sorted(dir(self)) if name.startswith('add_')]
