"""Products of floats, unusual quantized products, and other operations that use the kernels of products."""

import ml_dtypes
import numpy as np

from random_quantized.borders import CONTEXTS, INTEGER_CONTEXTS, BorderCase, Check, reference_result


def to_bf16(x):
    """Rounds float32 to bfloat16, ties to even. Returns float64."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = ((bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(x), np.asarray(x, np.float32), rounded).astype(float)


class FloatCase(BorderCase):
    """matmul or gemm of float32 or float16, with epilogues. Some contexts round float32 to bfloat16."""

    contexts = tuple(CONTEXTS)

    def make(self):
        m, k, n = self.sizes(most_rows=5 if self.chance(0.7) else 14)
        dtype = np.dtype(self.pick([np.float32, np.float32, np.float16]))
        constant, is_gemm = self.chance(0.7), self.chance(0.6)
        a_turned, turned = is_gemm and self.chance(0.2), is_gemm and self.chance(0.4)
        batch = [self.pick([2, 3])] if not is_gemm and self.chance(0.25) else []
        b_batch = batch if self.chance(0.5) else []
        bias_form = self.pick(['none', 'row', 'scalar', 'matrix']) if is_gemm and not batch else self.pick(['none', 'row'])
        epilogue = self.pick(['none', 'relu', 'clamp', 'none'])
        alpha, beta = (self.pick([1.0, 1.0, 0.5, -2.0]), self.pick([1.0, 1.0, -0.5])) if is_gemm else (1.0, 1.0)
        special = self.pick(['none', 'none', 'inf', 'nan', 'large', 'small', 'zero']) if k < 2000 else 'none'
        open_rows = not a_turned and bias_form != 'matrix' and self.chance(0.3)
        bounds = (-0.75, 1.5) if self.chance(0.7) else (-np.inf, 1.0) if self.chance(0.5) else (0.0, np.inf)
        self.notes += [
            f'{batch}{m}x{k}x{n} {dtype} constant={constant} gemm={is_gemm} turned={a_turned},{turned} b_batch={b_batch}',
            f'bias={bias_form} {epilogue} {bounds} alpha={alpha} beta={beta}',
            f'special={special} open={open_rows}',
        ]
        magnitude = 1.0 if dtype == np.float32 else 0.5

        def array(shape, is_left):
            x = self.random.standard_normal(shape) * magnitude / (np.sqrt(k) if is_left else 1)
            if special == 'large' and dtype == np.float32:
                x = x * (1e25 if is_left else self.pick([1e-25, 1e12]))
            if special == 'small' and dtype == np.float32:
                x = x * (1e-30 if is_left else self.pick([1e-3, 1e25]))
            if special == 'zero':
                x = x * (self.random.random(shape) < 0.3)
            if special in ('inf', 'nan') and (is_left or self.chance(0.5)):
                flat = x.reshape(-1)
                for _ in range(self.pick([1, 2])):
                    flat[int(self.random.integers(flat.size))] = np.nan if special == 'nan' else self.pick([np.inf, -np.inf])
                if special == 'inf' and self.chance(0.3):
                    flat[int(self.random.integers(flat.size))] = 0
            return x.astype(dtype)

        w_shape = b_batch + ([n, k] if turned else [k, n])
        w = array(w_shape, False)
        bias = None
        if bias_form != 'none':
            bias = array({'row': [n], 'scalar': [1], 'matrix': [m, n]}[bias_form], False)
            bias = np.where(np.isfinite(bias), bias, 0).astype(dtype)

        def build(name):
            b = self.new_builder(name)
            rows = 'rows' if open_rows else m
            x = b.input('x', batch + ([k, rows] if a_turned else [rows, k]), dtype.name)
            y = b.constant(w) if constant else b.input('w', w_shape, dtype.name)
            if is_gemm:
                c = {} if bias is None else {'c': b.constant(bias)}
                z = b.gemm(x, y, alpha=alpha, beta=beta, a_transpose=a_turned, b_transpose=turned, **c)
            else:
                z = b.matmul(x, y)
                z = z if bias is None else b.add(z, b.constant(bias))
            if epilogue == 'relu':
                z = b.relu(z)
            elif epilogue == 'clamp':
                z = b.clamp(z, min_value=bounds[0], max_value=bounds[1])
            return b, {'y': z}

        def product(left, right):
            if special in ('inf', 'nan'):
                with np.errstate(invalid='ignore'):
                    return (left[..., :, :, None] * right[..., None, :, :]).sum(-2)
            return np.matmul(left, right)

        def check_of(a, right, is_rounded):
            round_ = to_bf16 if is_rounded else (lambda x: x.astype(float))
            left = a.swapaxes(-1, -2) if a_turned else a
            left, right = round_(left), round_(right.swapaxes(-1, -2) if turned else right)
            with np.errstate(invalid='ignore', over='ignore'):
                values, size = product(left, right) * alpha, product(np.abs(left), np.abs(right)) * abs(alpha)
                near = size * (k + 6) * 2.0**-23
                # With bfloat16, small factors and products may become 0.
                near = near + (
                    0 if not is_rounded else 2.0**-126 * (1 + np.abs(left).sum(-1, keepdims=True) + np.abs(right).sum(-2, keepdims=True))
                )
                near = near + k * 2.0**-148
                if bias is not None:
                    if dtype == np.float16 and not is_gemm:  # the product is rounded to float16 before the addition
                        near = near + np.abs(values) * 2.0**-10 + 2.0**-24
                    added = beta * bias.astype(float)
                    values = values + added
                    near = near + (np.abs(added) + np.abs(values)) * 2.0**-22
                if epilogue == 'relu':
                    values = np.maximum(values, 0)
                elif epilogue == 'clamp':
                    values = np.clip(values, *bounds)
                most = float(np.finfo(dtype).max)
                if dtype == np.float16:
                    near = near + np.abs(values) * 2.0**-10 + 2.0**-24
                    loose = np.isfinite(values) & (np.abs(values) > most * 0.99)
                else:
                    loose = np.isfinite(values) & (size > most * 0.99)
            return Check(values, np.where(np.isfinite(near), near, 0), loose=loose)

        def run_of(rows):
            a = array(batch + ([k, rows] if a_turned else [rows, k]), True)
            feed, right = {'x': a}, w
            if not constant:
                feed['w'] = right = array(w_shape, False)
            # Products with at most 16 columns stay in float32 (docs/explanation/cpu.md).
            checks = {'float32': check_of(a, right, False), 'bf16': check_of(a, right, n > 16)}
            if not constant and rows == 1:  # may be computed as the product of the transposes, which has one column
                checks['bf16'].other = checks['float32']
            return feed, {'y': checks}

        self.runs = [run_of(r) for r in ([1, m, 2, self.pick([3, 15, 29]), 1] if open_rows else [m])]
        self.build, self.is_open = build, open_rows


class UnusualCase(BorderCase):
    """Products with more dimensions, 4-bit weights, many rows, numbers that are not finite, or scales of any sign."""

    contexts = tuple(name for name in INTEGER_CONTEXTS if not name.startswith('bf16'))

    def make(self):
        form = self.pick(['rank', 'int4', 'tall', 'nonfinite', 'signs', 'signs'])
        m, k, n = self.sizes()
        k, n = min(k, 1153), min(n, 257)
        if form == 'tall':
            m, k, n = self.pick([150, 301, 700]), self.pick([2047, 4096, 8191]), self.pick([1, 7, 9, 17])
        ta, tb, to = self.type(), self.type(), self.type()
        lead = [self.pick([1, 2, 3]) for _ in range(self.pick([1, 2]))] if form == 'rank' else []
        ones = (1,) * (len(lead) + 2)
        b_ones = self.pick([2, len(ones)])
        w = self.integers((k, n), tb) if form != 'int4' else self.random.integers(0, 16, (k, n)).astype(np.uint8)
        exact = form in ('rank', 'int4', 'tall')
        per_column = self.chance(0.6)
        pshape = (1, n) if per_column else (1, 1)
        ws, wz = self.scale(pshape, exact), self.zero(pshape, tb)
        if form == 'int4':
            wz = self.random.integers(0, 16, pshape).astype(np.uint8)
        sa, za = self.scale(ones, exact), self.zero(ones, ta)
        so, zo = self.scale(ones, exact), self.zero(ones, to)
        size = 60.0 * k * float(sa.flat[0]) * float(ws.max())
        so = np.full(ones, 2.0 ** np.round(np.log2(size)), np.float32)
        if form == 'signs':
            ws = ws * self.random.choice(np.array([1, -1, -1, 0] if self.chance(0.5) else [1, -1], np.float32), pshape)
            sa, so = sa * np.float32(self.pick([1, 1, -1])), so * np.float32(self.pick([1, 1, -1]))
        is_float = form == 'nonfinite' or self.chance(0.2)
        relu, output = self.chance(0.4), self.pick(['float', 'bytes', 'bytes', 'dequantized'])
        bias = (self.random.standard_normal(n) * size / 4).astype(np.float32) if self.chance(0.4) else None
        self.notes += [
            f'{form} {lead} {m}x{k}x{n} {ta}*{tb} columns={per_column} relu={relu} {output} {to} bias={bias is not None} float={is_float}'
        ]
        w_shape = (1,) * (b_ones - 2) + (k, n)
        w_pshape = (1,) * (b_ones - 2) + pshape

        def make(b):
            shape = [*lead, m, k]
            if is_float:
                x = b.quantize_linear(b.input('x', shape, 'float32'), b.constant(sa), b.constant(za))
            else:
                x = b.input('x', shape, ta.name)
            x = b.dequantize_linear(x, b.constant(sa), b.constant(za))
            if form == 'int4':
                y = b.constant(w.reshape(w_shape).astype(ml_dtypes.uint4))
                y = b.dequantize_linear(y, b.constant(ws.reshape(w_pshape)), b.constant(wz.reshape(w_pshape).astype(ml_dtypes.uint4)))
            else:
                y = b.dequantize_linear(b.constant(w.reshape(w_shape)), b.constant(ws.reshape(w_pshape)), b.constant(wz.reshape(w_pshape)))
            z = b.matmul(x, y)
            z = z if bias is None else b.add(z, b.constant(bias))
            z = b.relu(z) if relu else z
            if output != 'float':
                z = b.quantize_linear(z, b.constant(so), b.constant(zo))
            return b.dequantize_linear(z, b.constant(so), b.constant(zo)) if output == 'dequantized' else z

        if is_float:
            a = (self.random.standard_normal((*lead, m, k)) * 60 * float(sa.flat[0])).astype(np.float32)
            if form == 'nonfinite':
                for _ in range(self.pick([1, 3, 9])):
                    a.reshape(-1)[int(self.random.integers(a.size))] = self.pick([np.nan, np.inf, -np.inf, 1e30, -1e30, 3e9, -3e9, 1e-40])
        else:
            a = self.integers((*lead, m, k), ta)

        def build(name):
            b = self.new_builder(name)
            return b, {'y': make(b)}

        wanted = reference_result(make, {'x': a})
        left = np.abs((255.0 if is_float else a.astype(float) - za) * sa)
        most = np.matmul(np.broadcast_to(left, (*lead, m, k)), np.abs((w.astype(float) - wz) * ws)) + (0 if bias is None else np.abs(bias))
        step = abs(float(so.flat[0]))
        if output == 'float':
            check = Check(wanted, most * 4e-7)  # the reference backend rounds dequantized factors
        elif output == 'bytes':
            check = Check(wanted.astype(float) - zo, 1, to=(to, float(zo.flat[0])))  # a tie may round either way
        else:
            check = Check(wanted, step * 1.001)
        self.runs = [({'x': a}, {'y': check})]
        self.build = build


class OtherCase(BorderCase):
    """conv2d, lstm, gru or attention."""

    contexts = ('one', 'two', 'five', 'avx2', 'sse4', 'watched', 'apart')

    def make(self):
        form = self.pick(['conv', 'conv', 'lstm', 'gru', 'attention'])
        batch = self.pick([1, 1, 2, 3])

        def normal(*shape):
            return self.random.standard_normal(shape).astype(np.float32)

        feeds = {}

        if form == 'conv':
            i, o = self.pick([1, 3, 8, 17, 33, 65, 128]), self.pick([1, 7, 8, 15, 16, 17, 24, 31, 33, 48, 65, 129])
            kernel, stride = self.pick([1, 1, 2, 3, 3, 5]), self.pick([1, 1, 2])
            h, w = self.pick([1, 2, 3, 5, 9, 14]), self.pick([1, 2, 3, 7, 12, 20])
            pad = kernel // 2
            layout = self.pick(['nchw', 'nhwc'])
            filters, bias = normal(o, i, kernel, kernel) / np.float32(np.sqrt(i * kernel * kernel)), normal(o)
            relu = self.chance(0.4)
            if h + 2 * pad < kernel or w + 2 * pad < kernel:
                pad = kernel
            shape = [batch, i, h, w] if layout == 'nchw' else [batch, h, w, i]
            self.notes += [f'conv {layout} {shape} filters {filters.shape} pad {pad} stride {stride} relu={relu}']

            def make(b):
                x = b.input('x', shape, 'float32')
                y = b.conv2d(x, b.constant(filters), bias=b.constant(bias), padding=[pad] * 4, strides=[stride] * 2, input_layout=layout)
                return b.relu(y) if relu else y

            feeds['x'] = normal(*shape)
        elif form == 'attention':
            heads, q, k, d = self.pick([1, 2, 4]), self.pick([1, 2, 3, 9]), self.pick([1, 2, 7, 17, 65, 129]), self.pick([1, 8, 15, 33, 64])
            self.notes += [f'attention {batch}x{heads} {q}x{d}, {k}']

            def make(b):
                x, y, z = (b.input(name, [batch, heads, length, d], 'float32') for name, length in (('x', q), ('k', k), ('v', k)))
                scores = b.mul(b.matmul(x, b.transpose(y, permutation=[0, 1, 3, 2])), np.float32(1 / np.sqrt(d)))
                return b.matmul(b.softmax(scores, 3), z)

            feeds = {'x': normal(batch, heads, q, d), 'k': normal(batch, heads, k, d), 'v': normal(batch, heads, k, d)}
        else:
            gates = 4 if form == 'lstm' else 3
            steps, i, h = self.pick([1, 2, 5]), self.pick([1, 3, 16, 33, 64]), self.pick([1, 7, 8, 16, 17, 33, 64, 129])
            weights = normal(1, gates * h, i) / np.float32(np.sqrt(i)), normal(1, gates * h, h) / np.float32(np.sqrt(h))
            bias = normal(1, gates * h)
            self.notes += [f'{form} steps {steps} batch {batch} {i} to {h}']

            def make(b):
                x = b.input('x', [steps, batch, i], 'float32')
                call = b.lstm if form == 'lstm' else b.gru
                return call(x, b.constant(weights[0]), b.constant(weights[1]), steps, h, bias=b.constant(bias))[0]

            feeds['x'] = normal(steps, batch, i)

        def build(name):
            b = self.new_builder(name)
            return b, {'y': make(b)}

        exact = reference_result(make, feeds).astype(float)
        self.runs = [(feeds, {'y': Check(exact, 2e-5 * (1 + np.abs(exact)))})]
        self.build = build
