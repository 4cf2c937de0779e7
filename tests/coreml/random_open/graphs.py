"""Builds random graphs with open dimensions, which random_open_test.py exports to Core ML."""

import numpy as np
from random_open.parts import RefusedError
from random_open.shapes import ShapeGraph


class Graph(ShapeGraph):
    """A graph of any operations."""

    def add_resample(self):
        x, random = self.image(), self.random
        axes = random.choice([None, [2, 3], [1, 2], [0, 1]])
        if random.random() < 0.5:
            self.call(
                'resample2d',
                x,
                mode=random.choice(['linear', 'nearest-neighbor']),
                scales=[random.choice([0.5, 1, 2, 1.5, 3, 0.7, 2.3]) for _ in 'ab'],
                axes=axes,
            )
        else:
            a = axes or [2, 3]
            sizes = [
                random.choice([self.size(), f'({x.shape[i]}) * {random.randint(1, 3)}', f'({x.shape[i]}) + {random.randint(1, 3)}'])
                for i in a
            ]
            self.call('resample2d', x, mode=random.choice(['linear', 'nearest-neighbor']), sizes=sizes, axes=axes)

    def add_pool(self):
        x, random = self.image(), self.random
        layout = random.choice(['nchw', 'nchw', 'nhwc'])
        name = random.choice(['average_pool2d', 'l2_pool2d', 'max_pool2d'])
        if random.random() < 0.3:
            return self.call(name, x, layout=layout)
        w = [random.randint(1, 3), random.randint(1, 3)]
        more = {}
        if random.random() < 0.2:
            h, ww = (2, 3) if layout == 'nchw' else (1, 2)
            more['window_dimensions'] = [x.shape[h], random.choice([x.shape[ww], w[1]])]
        else:
            more['window_dimensions'] = w
        if random.random() < 0.5:
            more['padding'] = [random.randint(0, 2) for _ in range(4)]
        if random.random() < 0.5:
            more['strides'] = [random.randint(1, 3), random.randint(1, 3)]
        if random.random() < 0.3:
            more['dilations'] = [random.randint(1, 2), random.randint(1, 2)]
        if random.random() < 0.3:
            more['output_shape_rounding'] = random.choice(['floor', 'ceil'])
        self.call(name, x, layout=layout, **more)

    def add_conv(self):
        x, random = self.image(), self.random
        layout = random.choice(['nchw', 'nchw', 'nhwc'])
        c = x.shape[1 if layout == 'nchw' else 3]
        if not isinstance(c, int):
            raise RefusedError('open channels')
        transposed = random.random() < 0.4
        o, kh, kw = random.randint(1, 3), random.randint(1, 3), random.randint(1, 3)
        shape = [c, o, kh, kw] if transposed else [o, c, kh, kw]
        w = self.constant(shape, x.data_type) if random.random() < 0.6 else self.input(shape, x.data_type)
        more = {
            'padding': [random.randint(0, 2) for _ in range(4)] if random.random() < 0.5 else None,
            'strides': [random.randint(1, 3), random.randint(1, 3)] if random.random() < 0.5 else None,
            'dilations': [random.randint(1, 2), random.randint(1, 2)] if random.random() < 0.4 else None,
            'bias': random.choice([None, self.constant([o], x.data_type)]),
        }
        if transposed and random.random() < 0.3:
            more['output_padding'] = [0, random.randint(0, 1)]
        if transposed and random.random() < 0.2:
            s = more['strides'] or [1, 1]
            h, ww = (2, 3) if layout == 'nchw' else (1, 2)
            more['output_sizes'] = [
                f'({x.shape[h]}) * {s[0]} + {random.randint(0, 2)}',
                f'({x.shape[ww]}) * {s[1]} + {random.randint(0, 2)}',
            ]
        self.call('conv_transpose2d' if transposed else 'conv2d', x, w, input_layout=layout, **more)

    def add_reduce(self):
        x = self.floats()
        axes = self.random.choice([None, [], self.random.sample(range(len(x.shape)), self.random.randint(0, len(x.shape)))])
        self.call(
            'reduce_' + self.random.choice(['sum', 'mean', 'max', 'min', 'l1', 'l2', 'log_sum_exp', 'sum_square']),
            x,
            axes=axes,
            keep_dimensions=self.random.random() < 0.5,
        )

    def add_arg(self):
        x = self.floats()
        self.call(self.random.choice(['arg_max', 'arg_min']), x, self.axis(x), keep_dimensions=self.random.random() < 0.5)

    def add_matmul(self):
        x = self.floats()
        if len(x.shape) < 2:
            raise RefusedError('rank')
        k = x.shape[-1]
        if isinstance(k, int) and self.random.random() < 0.7:
            return self.call('matmul', x, self.constant([k, self.random.randint(1, 4)], x.data_type))
        if self.random.random() < 0.4:
            perm = list(range(len(x.shape)))
            perm[-2:] = perm[:-3:-1]
            y = self.call('transpose', x, permutation=perm)
            return self.call('matmul', x, y)
        self.call('matmul', x, self.pick(lambda y: y.data_type == x.data_type and len(y.shape) >= 2))

    def add_gemm(self):
        x = self.floats(2)
        t = self.random.random() < 0.5
        k = x.shape[0 if t else 1]
        w = self.constant([k, 3], x.data_type) if isinstance(k, int) else x
        self.call(
            'gemm',
            x,
            w,
            a_transpose=t,
            b_transpose=self.random.random() < 0.5,
            alpha=0.5,
            c=self.random.choice([None, self.constant([1], x.data_type)]),
            beta=2.0,
        )

    def add_transpose(self):
        x = self.pick(lambda x: len(x.shape) > 1)
        perm = list(range(len(x.shape)))
        self.random.shuffle(perm)
        self.call('transpose', x, permutation=perm)

    def add_triangular(self):
        self.call(
            'triangular', self.pick(lambda x: len(x.shape) > 1), upper=self.random.random() < 0.5, diagonal=self.random.randint(-3, 3)
        )

    def add_reverse(self):
        x = self.pick(lambda x: x.shape)
        self.call('reverse', x, axes=self.random.choice([None, [self.axis(x)]]))

    def add_cumsum(self):
        x = self.floats()
        self.call('cumulative_sum', x, self.axis(x), exclusive=self.random.random() < 0.5, reversed=self.random.random() < 0.5)

    def add_layer_norm(self):
        x, random = self.floats(), self.random
        axes = (
            random.choice([None, random.sample(range(len(x.shape)), random.randint(0, len(x.shape))), [len(x.shape) - 1]])
            if x.shape
            else []
        )
        used = list(range(1, len(x.shape))) if axes is None else axes
        shape = [x.shape[a] for a in used]
        ok = all(isinstance(s, int) for s in shape)
        self.call(
            'layer_normalization',
            x,
            axes=axes,
            scale=self.constant(shape, x.data_type) if ok and random.random() < 0.5 else None,
            bias=self.constant(shape, x.data_type) if ok and random.random() < 0.5 else None,
        )

    def add_instance_norm(self):
        x, layout = self.image(), self.random.choice(['nchw', 'nhwc'])
        c = x.shape[1 if layout == 'nchw' else 3]
        self.call('instance_normalization', x, layout=layout, scale=self.constant([c], x.data_type) if isinstance(c, int) else None)

    def add_batch_norm(self):
        x = self.floats()
        axis = self.axis(x)
        c = x.shape[axis] if x.shape else 'none'
        if not isinstance(c, int):
            raise RefusedError('open channels')
        mean, variance = self.constant([c], x.data_type), self.builder.constant(np.full([c], 2, x.data_type))
        self.call('batch_normalization', x, mean, variance, axis=axis)

    def add_softmax(self):
        x = self.floats()
        self.call('softmax', x, self.axis(x))

    def add_gather(self):
        x = self.pick(lambda x: x.shape)
        self.call('gather', x, self.indices([self.size() for _ in range(self.random.randint(0, 2))]), axis=self.axis(x))

    def add_gather_elements(self):
        x = self.pick(lambda x: x.shape)
        axis = self.axis(x)
        shape = list(x.shape)
        shape[axis] = self.size()
        self.call('gather_elements', x, self.indices(shape), axis=axis)

    def add_gather_nd(self):
        x = self.pick(lambda x: x.shape)
        depth = self.random.randint(1, len(x.shape))
        self.call('gather_nd', x, self.indices([self.size() for _ in range(self.random.randint(0, 2))] + [depth]))

    def add_scatter_elements(self):  # one index along the axis, so that no two updates meet
        x = self.pick(lambda x: x.shape)
        axis = self.axis(x)
        shape = list(x.shape)
        shape[axis] = 1
        u = self.input(shape, x.data_type)
        self.call('scatter_elements', x, self.indices(shape), u, axis=axis)

    def add_scatter_nd(self):
        x = self.pick(lambda x: x.shape)
        depth = self.random.randint(1, len(x.shape))
        u = self.input([1, *x.shape[depth:]], x.data_type)
        self.call('scatter_nd', x, self.indices([1, depth]), u)

    def add_attention(self):
        random, builder = self.random, self.builder
        batch, length, past = self.size_in(), self.size_in(), self.declare(random.choice(sorted(self.dims)))
        x = self.input([batch, length, 8], 'float32')
        cache = self.input([x.shape[0], 2, past, 4], 'float32')
        n, s = x.shape[:2]
        q = self.call('transpose', self.call('reshape', x, [n, s, 2, 4]), permutation=[0, 2, 1, 3])
        keys = self.builder.concat([cache, q], 2, label='keys')
        self.operands.append(keys)
        self.log.append(f'keys = concat(cache, q) -> {keys.shape}')
        scores = self.call('matmul', q, self.call('transpose', keys, permutation=[0, 1, 3, 2]))
        total = keys.shape[2]
        ones = self.call('expand', builder.constant(np.ones([1, 1], np.float32)), [total, total])
        mask = self.call('triangular', ones, upper=False, diagonal=0)
        mask = self.call('slice', mask, [cache.shape[2], 0], [s, total])
        masked = self.call(
            'where',
            self.call('greater', mask, builder.constant(np.float32(0.5).reshape(()))),
            scores,
            builder.constant(np.float32(-1e4).reshape(())),
        )
        y = self.call('matmul', self.call('softmax', masked, 3), keys)
        y = self.call('transpose', y, permutation=[0, 2, 1, 3])
        self.call('reshape', y, random.choice([[n, s, 8], [f'({n}) * ({s})', 8], [n, f'({s}) * 8']]))

    def add_lstm(self):
        random = self.random
        steps, h, c = random.randint(1, 3), 2, 3
        x = self.input([steps, self.size_in(), c], 'float32')
        d = random.choice(['forward', 'backward', 'both'])
        k = 2 if d == 'both' else 1
        name, gates = random.choice([('lstm', 4), ('gru', 3)])
        self.call(
            name,
            x,
            self.constant([k, gates * h, c], 'float32'),
            self.constant([k, gates * h, h], 'float32'),
            steps,
            h,
            return_sequence=random.random() < 0.5,
            direction=d,
        )

    def add_quantize(self):
        x = self.floats()
        scale = self.builder.constant(np.full([1] * len(x.shape), 0.25, x.data_type))
        zero = self.builder.constant(np.full([1] * len(x.shape), 3, 'uint8'))
        q = self.call('quantize_linear', x, scale, zero)
        if self.random.random() < 0.7:
            self.call('dequantize_linear', q, scale, zero)

    def add_blocks(self):
        least = self.size_in()
        q = self.input([least, 4], self.random.choice(['int8', 'uint8']))
        n = q.shape[0]
        shape = self.random.choice([[f'floor(({n}) / 2)', 2], [1, 2], [n, 1], [1, 1], [f'floor(({n}) / 2)', 1]])
        s = self.input(shape, 'float32')
        self.call(
            'dequantize_linear', q, s, self.input(shape, q.data_type) if self.random.random() < 0.5 else self.constant([1, 1], q.data_type)
        )
