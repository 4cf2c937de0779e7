"""Random graphs of elementwise operations, and of operations that change shapes."""

from random_open.parts import GraphBase


class ShapeGraph(GraphBase):
    """A graph of elementwise operations, and of operations that change shapes."""

    def add_unary(self):
        self.call(
            self.random.choice(
                ['relu', 'neg', 'abs', 'tanh', 'identity', 'sigmoid', 'softplus', 'elu', 'gelu', 'hard_swish', 'clamp', 'leaky_relu']
            ),
            self.floats(),
        )

    def add_cast(self):
        self.call('cast', self.pick(), self.random.choice(['float32', 'float16', 'int32']))

    def add_binary(self):
        x = self.pick()
        y = self.pick(lambda y: y.data_type == x.data_type)
        if self.random.random() < 0.3:
            y = self.constant([self.random.choice([1, s]) if isinstance(s, int) else 1 for s in x.shape], x.data_type)
        self.call(self.random.choice(['add', 'sub', 'mul', 'max', 'min', 'greater', 'equal']), x, y)

    def add_where(self):
        x = self.pick()
        y = self.pick(lambda y: y.data_type == x.data_type)
        c = self.pick(lambda c: c.data_type == 'uint8')
        self.call('where', c, x, y)

    def add_prelu(self):
        x = self.floats()
        self.call('prelu', x, self.constant([self.random.choice([1, s]) if isinstance(s, int) else 1 for s in x.shape[1:]], x.data_type))

    def add_reshape(self):
        x, random = self.pick(), self.random
        shape = list(x.shape)
        kind = random.randrange(5)
        if kind == 0 or len(shape) < 2:
            shape.insert(random.randint(0, len(shape)), 1)
        elif kind == 1:
            i = random.randrange(len(shape) - 1)
            shape[i : i + 2] = [f'({shape[i]}) * ({shape[i + 1]})']
        elif kind == 2:
            shape = [' * '.join(f'({s})' for s in shape)]
        elif kind == 3:
            i, d = random.randrange(len(shape)), random.randint(1, 3)
            if isinstance(shape[i], int):
                shape[i : i + 1] = [1, shape[i]]
            else:
                shape[i : i + 1] = random.choice([[f'floor(({shape[i]}) / {d})', d], [d, f'floor(({shape[i]}) / {d})'], [1, shape[i]]])
        else:
            shape[0], shape[-1] = shape[-1], shape[0]
        if all(isinstance(s, int) for s in shape) is False:
            shape = [s if isinstance(s, int) else str(s) for s in shape]
        self.call('reshape', x, shape)

    def add_expand(self):
        x = self.pick()
        shape = [self.size() if s == 1 or self.random.random() < 0.1 else s for s in x.shape]
        for _ in range(self.random.choice([0, 0, 1, 2])):
            shape.insert(0, self.size())
        self.call('expand', x, shape)

    def add_slice(self):
        x, random = self.pick(lambda x: x.shape), self.random
        starts, sizes, strides = [], [], []
        for s in x.shape:
            k = random.randrange(6)
            start = random.choice([0, 0, 1, 2]) if k < 5 else self.expression()
            if k == 0:
                start, size = 0, s
            elif k == 1:
                size = f'({s}) - {start}' if not isinstance(s, int) else max(1, s - start)
            elif k == 2:
                start, size = (f'({s}) - 1' if not isinstance(s, int) else s - 1), 1
            elif k == 3:
                size = 1
            else:
                size = self.size()
            starts.append(start)
            sizes.append(size)
            strides.append(random.choice([1, 1, 1, 2, 3]))
        self.call('slice', x, starts, sizes, strides=random.choice([None, strides]))

    def add_split(self):
        x, random = self.pick(lambda x: x.shape), self.random
        axis = self.axis(x)
        s = x.shape[axis]
        kind = random.randrange(4)
        if kind == 0:
            splits = random.randint(1, 4)
        elif kind == 1:
            splits = [1, s - 1] if isinstance(s, int) else [1, f'({s}) - 1']
        elif kind == 2:
            e = self.size()
            splits = [e, f'({s}) - ({e})']
        else:
            splits = [1, f'({s}) - 2', 1] if not isinstance(s, int) else [s]
        self.call('split', x, splits, axis=axis)

    def add_tile(self):
        x = self.pick(lambda x: x.shape)
        self.call('tile', x, [self.random.choice([1, 1, self.size()]) for _ in x.shape])

    def add_pad(self):
        x, random = self.pick(lambda x: x.shape), self.random
        mode = random.choice(['constant', 'edge', 'reflection'])
        pads = [[random.choice([0, 0, 1, 2, self.size()]) for _ in x.shape] for _ in range(2)]
        self.call('pad', x, pads[0], pads[1], mode=mode, value=random.choice([0, 1, 3]) if mode == 'constant' else None)

    def add_concat(self):
        x = self.pick(lambda x: x.shape)
        ys = [x] + [
            self.pick(lambda y: y.data_type == x.data_type and len(y.shape) == len(x.shape)) for _ in range(self.random.randint(1, 2))
        ]
        self.random.shuffle(ys)
        axis = self.axis(x)
        self.log.append(f'# concat {[self.index(y) for y in ys]}')
        label = f'concat{len(self.log)}'
        y = self.builder.concat(ys, axis, label=label)
        self.log[-1] = f'%{len(self.operands)} = concat({[f"%{self.index(y)}" for y in ys]}, {axis}) -> {y.shape}'
        self.operands.append(y)
