"""Models of ONNX with one 8-bit product or 1x1 convolution."""

import numpy as np
import webnn
from onnx import TensorProto, helper, numpy_helper

from random_quantized.borders import BorderCase, Check, context, run_session
from random_quantized.numbers import quantized


class OnnxCase(BorderCase):
    """A model with one of the operators of MAKERS."""

    def make(self):
        maker = self.pick(MAKERS)
        self.notes.append(maker.__name__.removeprefix('add_'))
        self.nodes, self.initializers, self.inputs, self.outputs = [], [], [], []
        maker(self)
        graph = helper.make_graph(self.nodes, 'borders', self.inputs, self.outputs, self.initializers)
        opsets = [helper.make_opsetid('', 18), helper.make_opsetid('com.microsoft', 1)]
        self.model = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()

    def results(self, name):
        session = webnn.InferenceSession(self.model, context=context(name))
        return [run_session(session, feed) for feed, _ in self.runs]

    def save(self, path):
        if any(size.dim_param for value in self.inputs for size in value.type.tensor_type.shape.dim):
            return False
        webnn.load(self.model, context('one')).save(path)
        return True

    def fixed(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def all_fixed(self, **arrays):
        return [self.fixed(name, array) for name, array in arrays.items()]

    def given(self, name, dtype, shape):
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape))
        return name

    def result(self, name, dtype):
        self.outputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), None))
        return name

    def rows_of(self, m):
        """Returns the declared number of rows, and the number of rows of each run."""
        return ('M', [1, m, self.pick([2, 3, 15, 29]), 1]) if self.chance(0.4) else (m, [m, m])

    def output_scale(self, sums, factors):
        spread = float(np.abs(sums * factors).max()) or 1.0
        return np.float32(spread / self.pick([50.0, 300.0, 3000.0]) + 1e-6)

    def add_qlinear(self):
        m, k, n = self.sizes()
        ta, tb, to = self.type(), self.type(), self.type()
        per = self.chance(0.5)
        w = self.integers((k, n), tb)
        sb, zb = self.scale([n] if per else [], False), self.zero([n] if per else [], tb)
        sa, za, zo = self.scale([], False), self.zero([], ta), self.zero([], to)
        a = self.integers((m, k), ta)
        so = self.output_scale(np.matmul(a.astype(float) - za, w.astype(float) - zb), float(sa) * sb.astype(float))
        declared, rows = self.rows_of(m)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb}->{to} columns={per} {declared}']
        self.nodes.append(
            helper.make_node(
                'QLinearMatMul',
                [
                    self.given('x', ta, [declared, k]),
                    *self.all_fixed(sa=sa, za=za, w=w, sb=sb, zb=zb, so=so, zo=zo),
                ],
                [self.result('y', to)],
            )
        )
        for r in rows:
            a = self.integers((r, k), ta)
            values = np.matmul(a.astype(float) - za, w.astype(float) - zb) * (float(sa) * sb.astype(float)) / float(so)
            self.runs.append(({'x': a}, {'y': Check(values, np.abs(values) * 4e-7 + 2**-15, to=(to, float(zo)))}))

    def add_qgemm(self):
        m, k, n = self.sizes()
        ta, tb, to = self.type(), self.type(), self.type()
        per, turned = self.chance(0.5), self.chance(0.5)
        w = self.integers((n, k) if turned else (k, n), tb)
        sb, zb = self.scale([n] if per else [], False), self.zero([n] if per else [], tb)
        sa, za, zo = self.scale([], False), self.zero([], ta), self.zero([], to)
        c = self.random.integers(-50000, 50000, n).astype(np.int32) if self.chance(0.5) else None
        quantizes = self.chance(0.6)
        right = (w.T if turned else w).astype(float) - zb
        factors = float(sa) * sb.astype(float)

        def sums_of(a):
            return np.matmul(a.astype(float) - za, right), 0 if c is None else c

        sums, plus = sums_of(self.integers((m, k), ta))
        so = self.output_scale(sums + plus, factors)
        declared, rows = self.rows_of(m)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb}->{to if quantizes else "float"} columns={per} turned={turned} c={c is not None} {declared}']
        names = [
            self.given('x', ta, [declared, k]),
            *self.all_fixed(sa=sa, za=za, w=w, sb=sb, zb=zb),
            '' if c is None else self.fixed('c', c),
        ]
        if quantizes:
            names += [self.fixed('so', so), self.fixed('zo', zo)]
        self.nodes.append(
            helper.make_node(
                'QGemm', names, [self.result('y', to if quantizes else np.float32)], domain='com.microsoft', alpha=1.0, transB=int(turned)
            )
        )
        for r in rows:
            a = self.integers((r, k), ta)
            sums, plus = sums_of(a)
            values, size = (sums + plus) * factors, (np.abs(sums) + np.abs(plus)) * factors
            if quantizes:
                check = Check(values / float(so), size / float(so) * 5e-7 + 2**-15, to=(to, float(zo)))
            else:
                check = Check(values, size * 5e-7)
            self.runs.append(({'x': a}, {'y': check}))

    def add_integer(self):
        m, k, n = self.sizes()
        if self.chance(0.1):
            k, n, m = self.pick([33026, 65536]), min(n, 17), min(m, 3)
        ta, tb = self.type(), self.type()
        per = self.chance(0.5)
        w = self.integers((k, n), tb)
        b_constant = self.chance(0.75)
        zb = self.zero([n] if per and b_constant else [], tb)
        runtime_zero = self.chance(0.5)
        za = self.zero([], ta)
        declared, rows = self.rows_of(m)
        casts = self.chance(0.4)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb} columns={per} b_constant={b_constant} runtime_zero={runtime_zero} casts={casts} {declared}']
        names = [
            self.given('x', ta, [declared, k]),
            self.fixed('w', w) if b_constant else self.given('w', tb, [k, n]),
            self.given('za', ta, []) if runtime_zero else self.fixed('za', za),
            self.fixed('zb', zb),
        ]
        if casts:
            self.nodes += [
                helper.make_node('MatMulInteger', names, ['p']),
                helper.make_node('Cast', ['p'], [self.result('y', np.float32)], to=TensorProto.FLOAT),
            ]
        else:
            self.nodes.append(helper.make_node('MatMulInteger', names, [self.result('y', np.int32)]))
        for r in rows:
            a = self.integers((r, k), ta)
            feed = {'x': a}
            if runtime_zero:
                za = feed['za'] = self.zero([], ta)
            if not b_constant:
                w = feed['w'] = self.integers((k, n), tb)
            sums = np.matmul(a.astype(float) - za, w.astype(float) - zb)
            # Sums beyond int32 wrap.
            sums = (sums.astype(np.int64) + 2**31) % 2**32 - 2**31
            self.runs.append((feed, {'y': Check(sums.astype(np.float32) if casts else sums)}))

    def add_dynamic(self):
        m, k, n = self.sizes()
        tb = self.type()
        per = self.chance(0.5)
        w = self.integers((k, n), tb)
        sb, zb = self.scale([n] if per else [1], False), self.zero([n] if per else [1], tb)
        bias = self.random.standard_normal(n).astype(np.float32) if self.chance(0.5) else None
        declared, rows = self.rows_of(m)
        self.notes += [f'{m}x{k}x{n} *{tb} columns={per} bias={bias is not None} {declared}']
        names = [self.given('x', np.float32, [declared, k]), self.fixed('w', w), self.fixed('sb', sb), self.fixed('zb', zb)]
        names += [] if bias is None else [self.fixed('bias', bias)]
        self.nodes.append(helper.make_node('DynamicQuantizeMatMul', names, [self.result('y', np.float32)], domain='com.microsoft'))
        for r in rows:
            x = (self.random.standard_normal((r, k)) * self.pick([1e-3, 1, 100])).astype(np.float32)
            x = np.abs(x) if self.chance(0.2) else -np.abs(x) if self.chance(0.2) else x
            a, scale, zero = quantized(x)
            sums = np.matmul(a.astype(float) - zero, w.astype(float) - zb)
            values = sums * (float(scale) * sb.astype(float))
            near = np.abs(values) * 5e-7
            if bias is not None:
                near, values = near + np.abs(bias) * 2e-7 + np.abs(values) * 1e-7, values + bias
            self.runs.append(({'x': x}, {'y': Check(values, near)}))

    def add_to_float(self):
        m, k, n = self.sizes()
        ta, tb = self.type(), self.type()
        per = self.chance(0.5)
        w = self.integers((k, n), tb)
        sb, zb = self.scale([n] if per else [1], False), self.zero([n] if per else [1], tb)
        za, runtime = self.zero([1], ta), self.chance(0.5)
        sa = self.scale([1], False)
        declared, rows = self.rows_of(m)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb} columns={per} runtime={runtime} {declared}']
        names = [
            self.given('x', ta, [declared, k]),
            self.fixed('w', w),
            self.given('sa', np.float32, [1]) if runtime else self.fixed('sa', sa),
            self.fixed('sb', sb),
            self.given('za', ta, [1]) if runtime else self.fixed('za', za),
            self.fixed('zb', zb),
        ]
        self.nodes.append(helper.make_node('MatMulIntegerToFloat', names, [self.result('y', np.float32)], domain='com.microsoft'))
        for r in rows:
            a = self.integers((r, k), ta)
            feed = {'x': a}
            if runtime:
                feed['sa'] = sa = self.scale([1], False)
                feed['za'] = za = self.zero([1], ta)
            values = np.matmul(a.astype(float) - za, w.astype(float) - zb) * (float(sa[0]) * sb.astype(float))
            self.runs.append((feed, {'y': Check(values, np.abs(values) * 5e-7)}))

    def add_conv(self):
        m, k, n = self.sizes()
        k, n = min(k, 1153), min(n, 129)
        ta, to = self.type(), self.type()
        tb = self.type() if ta == np.uint8 else np.dtype(np.int8)
        per = self.chance(0.5)
        w = self.integers((n, k, 1, 1), tb)
        sb = self.scale([n] if per else [], False)
        zb = self.zero([], tb) if not per else np.zeros([n], tb)
        sa, za, zo = self.scale([], False), self.zero([], ta), self.zero([], to)
        c = self.random.integers(-50000, 50000, n).astype(np.int32) if self.chance(0.5) else None
        right = (w.reshape(n, k).astype(float) - zb.reshape(-1, 1)).T
        factors = float(sa) * sb.astype(float)

        def sums_of(a):
            return np.matmul(a.reshape(k, -1).T.astype(float) - za, right), 0 if c is None else c

        sums, plus = sums_of(self.integers((1, k, 1, m), ta))
        so = self.output_scale(sums + plus, factors)
        declared, rows = self.rows_of(m)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb}->{to} channels={per} c={c is not None} {declared}']
        names = [
            self.given('x', ta, [1, k, 1, declared]),
            *self.all_fixed(sa=sa, za=za, w=w, sb=sb, zb=zb, so=so, zo=zo),
        ] + ([] if c is None else [self.fixed('c', c)])
        self.nodes.append(helper.make_node('QLinearConv', names, [self.result('y', to)], kernel_shape=[1, 1]))
        for r in rows:
            a = self.integers((1, k, 1, r), ta)
            sums, plus = sums_of(a)
            values, size = (sums + plus) * factors / float(so), (np.abs(sums) + np.abs(plus)) * factors / float(so)
            values, size = values.T.reshape(1, n, 1, r), size.T.reshape(1, n, 1, r)
            self.runs.append(({'x': a}, {'y': Check(values, size * 5e-7 + 2**-15, to=(to, float(zo)))}))

    def add_conv_integer(self):
        m, k, n = self.sizes()
        k, n = min(k, 1153), min(n, 129)
        ta, tb = self.type(), self.type()
        w = self.integers((n, k, 1, 1), tb)
        za, zb = self.zero([], ta), self.zero([], tb)
        declared, rows = self.rows_of(m)
        self.notes += [f'{m}x{k}x{n} {ta}*{tb} {declared}']
        names = [self.given('x', ta, [1, k, 1, declared]), self.fixed('w', w), self.fixed('za', za), self.fixed('zb', zb)]
        self.nodes.append(helper.make_node('ConvInteger', names, [self.result('y', np.int32)], kernel_shape=[1, 1]))
        for r in rows:
            a = self.integers((1, k, 1, r), ta)
            sums = np.matmul(w.reshape(n, k).astype(float) - zb, a.reshape(k, r).astype(float) - za)
            self.runs.append(({'x': a}, {'y': Check(sums.reshape(1, n, 1, r))}))


MAKERS = [
    OnnxCase.add_qlinear,
    OnnxCase.add_qgemm,
    OnnxCase.add_integer,
    OnnxCase.add_dynamic,
    OnnxCase.add_to_float,
    OnnxCase.add_conv,
    OnnxCase.add_conv_integer,
]
