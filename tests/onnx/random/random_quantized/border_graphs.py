"""Products of 8-bit matrices in graphs of WebNN: with constant weights, with zero points that are inputs, and in batches."""

import numpy as np

from random_quantized.borders import BorderCase, Check

EXACT = 2**24  # float32 holds all integers up to this one


class ConstantCase(BorderCase):
    """A matrix of 8-bit integers, or of floats that the graph quantizes, times a constant matrix."""

    def make(self):
        m, k, n = self.sizes()
        ta, tb = self.type(), self.type()
        exact = self.chance(0.7)
        is_float = self.chance(0.3)  # the graph quantizes A
        per_column = self.chance(0.6)
        is_gemm = self.chance(0.6)
        transposed = is_gemm and self.chance(0.5)
        wshape = (n, k) if transposed else (k, n)
        pshape = ((n, 1) if transposed else (1, n)) if per_column else (1, 1)
        w = self.integers(wshape, tb)
        ws, wz = self.scale(pshape, exact), self.zero(pshape, tb)
        a_scale, a_zero = self.scale((1, 1), exact), self.zero((1, 1), ta)
        alpha = self.pick([1.0, 1.0, 0.5, 2.0]) if is_gemm else 1.0
        bias = None
        if self.chance(0.5):
            bias = (self.random.integers(-2000, 2000, n) * 0.25).astype(np.float32)
            if self.chance(0.3):
                bias = (self.random.standard_normal(n) * 100).astype(np.float32)
        relu = self.chance(0.3)
        output = self.pick(['float', 'float', 'bytes', 'bytes', 'dequantized'])
        to = self.type()
        real_w = (w.astype(float) - wz) * ws
        real_w = real_w.T if transposed else real_w
        spread = float(np.abs(real_w).sum(0).max() * 255 * a_scale[0, 0] * alpha) or 1.0
        out_scale = np.float32(2.0 ** np.round(np.log2(spread / self.pick([100, 400, 4000])))) if exact else np.float32(spread / 700)
        out_scale = np.float32(max(out_scale, 2.0**-38)).reshape(1, 1)
        out_zero = self.zero((1, 1), to)
        open_rows = self.chance(0.35)
        shared = self.chance(0.3)
        self.notes += [
            f'{m}x{k}x{n} {ta}*{tb}',
            'exact scales' if exact else 'any scales',
            f'columns={per_column}',
            f'gemm={is_gemm} transposed={transposed} alpha={alpha}',
            f'bias={bias is not None} relu={relu}',
            f'output={output} {to}',
            f'float A={is_float}',
            f'open={open_rows}',
            f'shared={shared}',
        ]

        def build(name, other=False):
            """Returns (builder, outputs). `other` gives the same weights other zero points."""
            b = self.new_builder(name)
            shape = ['rows' if open_rows else m, k]
            zero_w = wz if not other else np.flip(wz).copy()
            if is_float:
                x = b.quantize_linear(b.input('x', shape, 'float32'), b.constant(a_scale), b.constant(a_zero))
            else:
                x = b.input('x', shape, ta.name)
            x = b.dequantize_linear(x, b.constant(a_scale), b.constant(a_zero))
            y = b.dequantize_linear(b.constant(w), b.constant(ws), b.constant(zero_w))
            if is_gemm:
                c = {} if bias is None else {'c': b.constant(bias)}
                z = b.gemm(x, y, alpha=alpha, b_transpose=transposed, **c)
            else:
                z = b.matmul(x, y)
                if bias is not None:
                    z = b.add(z, b.constant(bias))
            if relu:
                z = b.relu(z)
            if output != 'float':
                z = b.quantize_linear(z, b.constant(out_scale), b.constant(out_zero))
            if output == 'dequantized':
                z = b.dequantize_linear(z, b.constant(out_scale), b.constant(out_zero))
            return b, {'y': z}

        def run_of(rows, zero_w=wz):
            a = self.integers((rows, k), ta)
            feed = a
            if is_float:
                feed = ((a.astype(float) - a_zero) * a_scale).astype(np.float32)
                if not exact:
                    a = np.clip(np.rint(feed / a_scale) + a_zero, np.iinfo(ta).min, np.iinfo(ta).max).astype(ta)
            left, right = a.astype(float) - a_zero, w.astype(float) - zero_w
            columns = ws.reshape(-1).astype(float)
            right = right.T if transposed else right
            sums = np.matmul(left, right)
            values = sums * columns * float(a_scale[0, 0]) * alpha
            size = np.abs(values)
            tiny = size * (0 if exact else 4e-7)
            rounded = sums.astype(np.float32).astype(float) * columns * float(a_scale[0, 0]) * alpha if exact else values
            if bias is not None:
                size = size + np.abs(bias)
                tiny = np.where(size == np.abs(bias), 0, size * 4e-7)
                rounded = values = values + bias
                if exact and np.abs(sums).max() < 2**14 and (bias * 4 == np.rint(bias * 4)).all():
                    tiny = tiny * 0
            if relu:
                values, rounded = np.maximum(values, 0), np.maximum(rounded, 0)
            if output == 'float':
                return {'x': feed}, {'y': Check(rounded, tiny)}
            scale, zero = float(out_scale[0, 0]), float(out_zero[0, 0])
            near = 0 if exact and bias is None and np.abs(sums).max() < EXACT else size / scale * 4e-7 + 2**-15
            if output == 'bytes':
                return {'x': feed}, {'y': Check(values / scale, near, to=(to, zero))}
            limits = np.iinfo(to)
            quantized = [np.clip(np.rint(values / scale + s * near) + zero, limits.min, limits.max) - zero for s in (-1, 1)]
            middle = (quantized[0] + quantized[1]) / 2 * scale
            return {'x': feed}, {'y': Check(middle, np.abs(quantized[1] - quantized[0]) / 2 * scale + np.abs(middle) * 1e-7)}

        rows = [m]
        if open_rows:
            rows = [1, int(self.random.integers(2, 15)), self.pick([15, 28, 50, 101]), 1, m]
        self.runs = [run_of(r) for r in rows]
        self.build, self.is_open = build, open_rows
        if shared:
            self.more = [(lambda name: build(name, other=True), [run_of(rows[0], np.flip(wz))])]


class RuntimeCase(BorderCase):
    """A matrix, whose zero point is an input and whose scale may be one, times a constant matrix."""

    def make(self):
        m, k, n = self.sizes()
        ta, tb = self.type(), self.type()
        per_column = self.chance(0.6)
        w = self.integers((k, n), tb)
        pshape = (1, n) if per_column else (1, 1)
        ws, wz = self.scale(pshape, True), self.zero(pshape, tb)
        scale_is_input = self.chance(0.6)
        fixed_scale = self.scale((1, 1), True)
        bias = (self.random.integers(-100, 100, n)).astype(np.float32) if self.chance(0.4) else None
        relu = self.chance(0.3)
        open_rows = self.chance(0.4)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb}', f'columns={per_column}', f'bias={bias is not None} relu={relu} open={open_rows}']

        def build(name):
            b = self.new_builder(name)
            x = b.input('x', ['rows' if open_rows else m, k], ta.name)
            s = b.input('s', [1, 1], 'float32') if scale_is_input else b.constant(fixed_scale)
            x = b.dequantize_linear(x, s, b.input('z', [1, 1], ta.name))
            y = b.matmul(x, b.dequantize_linear(b.constant(w), b.constant(ws), b.constant(wz)))
            if bias is not None:
                y = b.add(y, b.constant(bias))
            return b, {'y': b.relu(y) if relu else y}

        def run_of(rows):
            a, z, s = self.integers((rows, k), ta), self.zero((1, 1), ta), self.scale((1, 1), True)
            feed = {'x': a, 'z': z}
            if scale_is_input:
                feed['s'] = s
            else:
                s = fixed_scale
            sums = np.matmul(a.astype(float) - z, w.astype(float) - wz)
            values = sums.astype(np.float32).astype(float) * ws * s
            near = 0.0
            if bias is not None:
                near = (np.abs(values) + np.abs(bias)) * 2e-7
                values = values + bias
            return feed, {'y': Check(np.maximum(values, 0) if relu else values, near)}

        self.runs = [run_of(r) for r in ([1, m, self.pick([3, 15, 29]), 1] if open_rows else [m] * 3)]
        self.build, self.is_open = build, open_rows


class BatchCase(BorderCase):
    """Products of two 8-bit inputs."""

    def make(self):
        m, k, n = self.sizes()
        ta, tb, to = self.type(), self.type(), self.type()
        rank = self.pick([2, 2, 3, 4])
        sizes = [self.pick([1, 2, 3]) for _ in range(rank - 2)]
        a_batch = [1 if self.chance(0.25) else s for s in sizes]
        b_batch = [1 if self.chance(0.25) else s for s in sizes]
        if k > 2000:
            n, m, a_batch, b_batch = min(n, 17), min(m, 4), [min(2, s) for s in a_batch], [1 for _ in b_batch]
        a_turned, b_turned = self.chance(0.35), self.chance(0.35)
        swap = [*range(rank - 2), rank - 1, rank - 2]
        ashape = a_batch + ([k, m] if a_turned else [m, k])
        bshape = b_batch + ([n, k] if b_turned else [k, n])
        ones = (1,) * rank
        exact = self.chance(0.7)
        sa, sb = self.scale(ones, exact), self.scale(ones, exact)
        za, zb = self.zero(ones, ta), self.zero(ones, tb)
        factor = np.float32(self.pick([1, 1, 0.25, 2]))
        quantizes = self.chance(0.5)
        spread = k * 255 * 255 * float(sa.flat[0] * sb.flat[0]) * float(factor)
        so = np.full(ones, 2.0 ** np.round(np.log2(spread / self.pick([100, 2000]))) if exact else spread / 900, np.float32)
        zo = self.zero(ones, to)
        # A transpose of a vector becomes a reshape, so that the product may be computed in float32.
        is_float = (a_turned and 1 in (m, k)) or (b_turned and 1 in (n, k))
        open_rows = not a_turned and self.chance(0.3)
        turned_out = rank >= 3 and self.chance(0.3)
        axes = [rank - 2, *range(rank - 2), rank - 1]
        self.notes += [
            f'{ashape} {ta} turned={a_turned}, {bshape} {tb} turned={b_turned}',
            f'exact={exact} zeros {za.flat[0]} {zb.flat[0]}',
            f'factor={factor} quantizes={quantizes} {to} turned={turned_out}',
            f'open={open_rows}',
        ]

        def build(name):
            b = self.new_builder(name)
            shape = [*ashape[:-2], 'rows', k] if open_rows else ashape
            x = b.dequantize_linear(b.input('x', shape, ta.name), b.constant(sa), b.constant(za))
            y = b.dequantize_linear(b.input('w', bshape, tb.name), b.constant(sb), b.constant(zb))
            x = b.transpose(x, permutation=swap) if a_turned else x
            y = b.transpose(y, permutation=swap) if b_turned else y
            z = b.matmul(x, y)
            if factor != 1:
                z = b.mul(z, b.constant(factor))
            if quantizes:
                z = b.quantize_linear(z, b.constant(so), b.constant(zo))
            return b, {'y': b.transpose(z, permutation=axes) if turned_out else z}

        def run_of(rows):
            shape = [*ashape[:-2], rows, k] if open_rows else ashape
            a, w = self.integers(shape, ta), self.integers(bshape, tb)
            left, right = a.astype(float) - za, w.astype(float) - zb
            left = left.swapaxes(-1, -2) if a_turned else left
            right = right.swapaxes(-1, -2) if b_turned else right
            sums = np.matmul(left, right)
            factors = float(sa.flat[0]) * float(sb.flat[0]) * float(factor)
            values = (sums.astype(np.float32).astype(float) if exact else sums) * factors
            values = values.transpose(axes) if turned_out else values
            near = np.abs(values) * (0 if exact else 5e-7)
            scale = float(so.flat[0])

            def check(error):
                if not quantizes:
                    return Check(values, near + error)
                return Check(values / scale, (near + error) / scale + (2**-15 if not exact or is_float else 0), to=(to, float(zo.flat[0])))

            if not is_float:
                return {'x': a, 'w': w}, {'y': check(0)}
            size = np.matmul(np.abs(left), np.abs(right)).max() * factors
            return {'x': a, 'w': w}, {
                'y': {'float32': check(size * (k + 4) * 2.0**-23), 'bf16': check(size * (2.0**-7 + (k + 4) * 2.0**-22))}
            }

        self.runs = [run_of(r) for r in ([1, m, self.pick([3, 15, 29]), 1] if open_rows else [m] * 2)]
        self.build, self.is_open = build, open_rows
