"""Steps that compute, select and move elements. A step adds values, or nothing if no value fits."""
import numpy as np

import onnx

from .builder import BOOL, DOUBLE, FLOAT, INT32, INT64, STRING, Builder


class Tensors(Builder):
    def step_unary(self):
        v = self.pick()
        if not v:
            return
        op = self.r.choice(['Relu', 'Abs', 'Neg', 'Floor', 'Ceil', 'Round', 'Sign', 'Identity', 'LeakyRelu',
                            'Sigmoid', 'Tanh', 'Erf', 'Softplus', 'Elu', 'HardSwish', 'Gelu', 'Mish'])
        if op in ('Floor', 'Ceil', 'Round', 'Sign') and not v.exact:
            op = 'Relu'
        exact = v.exact and op in ('Relu', 'Abs', 'Neg', 'Floor', 'Ceil', 'Round', 'Sign', 'Identity')
        self.new(self.emit(op, [v]), FLOAT, v.rank, v.shape_class, exact)

    def step_binary(self):
        v = self.pick()
        if not v:
            return
        same = [w for w in self.visible() if w.shape_class == v.shape_class and w.dtype == FLOAT]
        op = self.r.choice(['Add', 'Sub', 'Mul', 'Max', 'Min', 'PRelu'])
        exact = v.exact
        kind = self.r.randrange(3)
        if kind == 0:
            w = self.r.choice(same)
            exact = exact and w.exact
        elif kind == 1 and v.rank:
            axis = self.r.randrange(v.rank)
            w = self.emit('ReduceMax', [self.emit('Concat', [v, self.emit(
                'Expand', [self.constant(np.float32(-1)), self.ones_like_but(v, axis)])], axis=axis), self.ints(axis)],
                keepdims=1)
        else:
            w = self.constant(np.float32(self.r.choice([0.5, -0.25, 2, 1])))
        self.new(self.tame(self.emit(op, [v, w]), exact=exact), FLOAT, v.rank, v.shape_class, exact)

    def ones_like_but(self, v, axis):
        """Returns the shape of v with size 1 along `axis`."""
        return self.emit('ScatterElements', [self.emit('Shape', [v]), self.ints(axis), self.ints(1)], axis=0)

    def step_double(self):
        v = self.pick((FLOAT, DOUBLE), exact=True)
        if not v:
            return
        if v.dtype == FLOAT:
            v = self.new(self.emit('Cast', [v], to=DOUBLE), DOUBLE, v.rank, v.shape_class)
        op = self.r.choice(['Abs', 'Neg', 'Relu', 'Mul', 'ReduceSum', 'CumSum', 'Cast'])
        if op == 'Mul':
            self.new(self.emit('Mul', [v, self.constant(np.float64(0.5))]), DOUBLE, v.rank, v.shape_class)
        elif op == 'ReduceSum' and v.rank:
            self.new(self.emit(op, [v, self.ints(self.r.randrange(v.rank))], keepdims=0), DOUBLE, v.rank - 1)
        elif op == 'CumSum' and v.rank:
            self.new(self.emit(op, [v, self.constant(np.int64(self.r.randrange(v.rank)))]), DOUBLE, v.rank,
                     v.shape_class)
        elif op == 'Cast':
            self.new(self.tame(self.emit('Cast', [v], to=FLOAT)), FLOAT, v.rank, v.shape_class)
        elif op in ('Abs', 'Neg', 'Relu'):
            self.new(self.emit(op, [v]), DOUBLE, v.rank, v.shape_class)

    def step_integer(self):
        v = self.pick((FLOAT, INT64, INT32), exact=True)
        if not v:
            return
        if v.dtype == FLOAT:
            to = self.r.choice([INT64, INT64, INT32])
            self.new(self.emit('Cast', [self.emit('Floor', [v])], to=to), to, v.rank, v.shape_class)
            return
        dtype = np.int64 if v.dtype == INT64 else np.int32
        op = self.r.choice(['Add', 'Mod', 'Div', 'Cast', 'Float', 'Neg', 'Max'])
        if op == 'Cast':
            to = INT32 if v.dtype == INT64 else INT64
            self.new(self.emit('Cast', [v], to=to), to, v.rank, v.shape_class)
        elif op == 'Float':
            self.new(self.tame(self.emit('Cast', [v], to=FLOAT)), FLOAT, v.rank, v.shape_class)
        elif op == 'Neg':
            self.new(self.emit(op, [v]), v.dtype, v.rank, v.shape_class)
        else:
            c = self.constant(dtype(self.r.choice([2, 3, 5])))
            self.new(self.emit(op, [v, c]), v.dtype, v.rank, v.shape_class)

    def step_compare(self):
        v = self.pick(exact=True)
        if not v:
            return
        c = self.constant(np.float32(self.r.choice([0, 0.5, -1])))
        mask = self.emit(self.r.choice(['Greater', 'Less', 'Equal', 'GreaterOrEqual']), [v, c])
        self.new(mask, BOOL, v.rank, v.shape_class)
        if self.r.random() < 0.5:
            self.new(self.emit('Where', [mask, v, self.constant(np.float32(2))]), FLOAT, v.rank, v.shape_class)
        if self.r.random() < 0.3:
            self.new(self.emit('Cast', [mask], to=FLOAT), FLOAT, v.rank, v.shape_class)

    def step_reduce(self):
        v = self.pick(exact=None, least=1)
        if not v:
            return
        op = self.r.choice(['ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceMean', 'ReduceL1', 'ReduceSumSquare',
                            'ReduceProd', 'ReduceL2', 'ReduceLogSumExp'])
        axes = sorted(self.r.sample(range(v.rank), self.r.randint(1, v.rank)))
        keep = self.r.randrange(2)
        exact = v.exact and op in ('ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceL1')
        source = v.name
        if op == 'ReduceMean':
            # The padding makes sure that there are elements, because the mean of none is not defined.
            source = self.emit('Pad', [v, self.ints(*[1] * (2 * v.rank))])
        name = self.emit(op, [source, self.ints(*axes)], keepdims=keep)
        self.new(self.tame(name, exact=exact), FLOAT, v.rank if keep else v.rank - len(axes), exact=exact)

    def step_arg(self):
        v = self.pick(least=1, exact=True)
        if v:
            keep = self.r.randrange(2)
            self.new(self.emit(self.r.choice(['ArgMax', 'ArgMin']), [v], axis=self.r.randrange(v.rank), keepdims=keep,
                               select_last_index=self.r.randrange(2)), INT64, v.rank if keep else v.rank - 1)

    def step_shape_ops(self):
        v = self.pick((FLOAT, INT64, BOOL, DOUBLE))
        if not v:
            return
        kind = self.r.randrange(6)
        if kind == 0:
            self.new(self.emit('Reshape', [v, self.ints(-1)]), v.dtype, 1, exact=v.exact)
        elif kind == 1 and v.rank < 4:
            self.new(self.emit('Unsqueeze', [v, self.ints(self.r.randint(0, v.rank))]), v.dtype, v.rank + 1,
                     exact=v.exact)
        elif kind == 2 and v.rank > 1:
            p = list(range(v.rank))
            self.r.shuffle(p)
            self.new(self.emit('Transpose', [v], perm=p), v.dtype, v.rank, exact=v.exact)
        elif kind == 3 and v.rank > 1:
            # Merges the first two dimensions, with sizes that nodes compute.
            a, b = self.size(v, 0), self.size(v, 1)
            rest = [self.size(v, i) for i in range(2, v.rank)]
            shape = self.emit('Concat', [self.emit('Mul', [a, b])] + rest, axis=0)
            self.new(self.emit('Reshape', [v, shape], allowzero=1), v.dtype, v.rank - 1, exact=v.exact)
        elif kind == 4:
            self.new(self.emit('Shape', [v]), INT64, 1)
        elif kind == 5 and v.rank:
            one = self.emit('Concat', [v, v], axis=self.r.randrange(v.rank))
            self.new(one, v.dtype, v.rank, exact=v.exact)

    def step_slice(self):
        v = self.pick((FLOAT, INT64, DOUBLE, STRING), least=1)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        step = self.r.choice([1, 1, 1, 2, -1, -2])
        start, end = self.small(-3, 2), self.small(-2, 5)
        if step < 0:
            start, end = end, start
        self.new(self.emit('Slice', [v, start, end, self.ints(axis), self.ints(step)]), v.dtype, v.rank,
                 exact=v.exact)

    def step_expand(self):
        v = self.pick((FLOAT, INT64, DOUBLE))
        if not v or v.rank > 3:
            return
        shape = self.emit('Concat', [self.small(0, 3), self.emit('Shape', [v])], axis=0)
        self.new(self.emit('Expand', [v, shape]), v.dtype, v.rank + 1, exact=v.exact)

    def step_tile(self):
        v = self.pick((FLOAT, INT64), least=1)
        if v and v.rank < 4:
            repeats = self.emit('Concat', [self.small(0, 2) for _ in range(v.rank)], axis=0)
            self.new(self.emit('Tile', [v, repeats]), v.dtype, v.rank, exact=v.exact)

    def step_pad(self):
        v = self.pick((FLOAT, INT64), least=1)
        if not v:
            return
        pads = self.emit('Concat', [self.small(0, 2) for _ in range(2 * v.rank)], axis=0)
        value = self.constant(np.float32(0.5) if v.dtype == FLOAT else np.int64(7))
        self.new(self.emit('Pad', [v, pads, value]), v.dtype, v.rank, exact=v.exact)

    def step_range(self):
        start, limit = self.scalar(self.small(-2, 2)), self.scalar(self.small(-1, 6))
        self.new(self.emit('Range', [start, limit, self.constant(np.int64(self.r.choice([1, 2])))]), INT64, 1)

    def step_fill(self):
        rank = self.r.randint(0, 3)
        shape = self.emit('Concat', [self.small(0, 3) for _ in range(rank)], axis=0) if rank else self.ints()
        value = onnx.numpy_helper.from_array(np.array([0.75], np.float32))
        self.new(self.emit('ConstantOfShape', [shape], value=value), FLOAT, rank)

    def step_nonzero(self):
        v = self.pick((FLOAT, INT64, BOOL), least=1, exact=True)
        if not v:
            return
        found = self.new(self.emit('NonZero', [v]), INT64, 2)
        if self.r.random() < 0.7:
            index = self.emit('Transpose', [found], perm=[1, 0])
            if v.dtype != BOOL:
                self.new(self.emit('GatherND', [v, index]), v.dtype, 1)

    def step_compress(self):
        v = self.pick((FLOAT, INT64), least=1)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        n = self.scalar(self.size(v, axis))
        index = self.emit('Range', [self.constant(np.int64(0)), n, self.constant(np.int64(1))])
        mask = self.emit('Equal', [self.emit('Mod', [index, self.ints(self.r.choice([2, 3]))]), self.ints(0)])
        self.new(self.emit('Compress', [v, mask], axis=axis), v.dtype, v.rank, exact=v.exact)

    def step_unique(self):
        v = self.pick((FLOAT, INT64, STRING), exact=True, least=1)
        if not v:
            return
        names = self.emit('Unique', [v], 4, sorted=self.r.randrange(2))
        self.new(names[0], v.dtype, 1)
        shape = self.fresh('shape')
        self.new(names[1], INT64, 1, shape)
        self.new(names[2], INT64, 1)
        self.new(names[3], INT64, 1, shape)

    def step_topk(self):
        v = self.pick((FLOAT, INT64), least=1, exact=True)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        k = self.emit('Min', [self.small(0, 4), self.size(v, axis)])
        values, indices = self.emit('TopK', [v, k], 2, axis=axis, largest=self.r.randrange(2))
        shape = self.fresh('shape')
        self.new(values, v.dtype, v.rank, shape)
        self.new(indices, INT64, v.rank, shape)

    def step_gather(self):
        v = self.pick((FLOAT, INT64, STRING, DOUBLE), least=1)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        n = self.size(v, axis)
        limit = self.scalar(self.emit('Min', [n, self.ints(3)]))
        index = self.emit('Range', [self.constant(np.int64(0)), limit, self.constant(np.int64(1))])
        index = self.emit('Sub', [self.emit('Sub', [self.scalar(n), self.constant(np.int64(1))]), index])
        self.new(self.emit('Gather', [v, index], axis=axis), v.dtype, v.rank, exact=v.exact)

    def step_scatter(self):
        v = self.pick(least=1, exact=True)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        same = [w for w in self.visible() if w.shape_class == v.shape_class and w.dtype == FLOAT and w.exact]
        # The indices have the shape of v and are less than the size of the axis.
        n = self.scalar(self.size(v, axis))
        index = self.emit('Cast', [self.emit('Abs', [self.emit('Floor', [v])])], to=INT64)
        index = self.emit('Mod', [index, self.emit('Max', [n, self.constant(np.int64(1))])])
        reduction = self.r.choice(['add', 'max', 'min'])
        name = self.emit('ScatterElements', [v, index, self.r.choice(same)], axis=axis, reduction=reduction)
        self.new(self.tame(name), FLOAT, v.rank, v.shape_class)

    def step_cumsum(self):
        v = self.pick(least=1, exact=True)
        if v:
            axis = self.constant(np.int64(self.r.randrange(v.rank)))
            name = self.emit('CumSum', [v, axis], exclusive=self.r.randrange(2), reverse=self.r.randrange(2))
            self.new(self.tame(name), FLOAT, v.rank, v.shape_class)

    def step_matmul(self):
        v = self.matrix()
        if v:
            other = self.emit('Transpose', [v], perm=[1, 0])
            if self.r.random() < 0.3:
                name = self.emit('Einsum', [v, v], equation='ij,kj->ik')
            else:
                name = self.emit('MatMul', [v, other])
            self.new(self.tame(name, exact=v.exact), FLOAT, 2, exact=v.exact)

    def step_norm(self):
        v = self.pick(least=1)
        if v:
            op = self.r.choice(['Softmax', 'LogSoftmax', 'LpNormalization', 'Hardmax' if v.exact else 'Softmax'])
            self.new(self.emit(op, [v], axis=self.r.randrange(v.rank)), FLOAT, v.rank, v.shape_class, False)

    def step_onehot(self):
        v = self.pick((INT64,), least=1)
        if v and v.rank < 4:
            self.new(self.emit('OneHot', [v, self.small(1, 5), self.constant(np.array([0, 1], np.float32))], axis=-1),
                     FLOAT, v.rank + 1)

    def step_tri(self):
        v = self.matrix()
        if v:
            op = self.r.choice(['Trilu', 'EyeLike'])
            if op == 'Trilu':
                self.new(self.emit(op, [v, self.scalar(self.small(-2, 2))], upper=self.r.randrange(2)), FLOAT, 2,
                         v.shape_class, v.exact)
            else:
                self.new(self.emit(op, [v], k=self.r.randint(-2, 2)), FLOAT, 2, v.shape_class)
