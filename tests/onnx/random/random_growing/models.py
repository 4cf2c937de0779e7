"""Random ONNX models with dimensions that grow in each run: decoders with caches, cached convolutions, recurrent cells with a memory,
arithmetic on a growing input, and layers that call functions of the model.

model(seed) returns the same model for a seed; feed() returns its inputs for given sizes.
"""
import random
import numpy as np
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper as nh

NP = {T.FLOAT: np.float32, T.FLOAT16: np.float16, T.INT64: np.int64, T.INT32: np.int32, T.BOOL: np.bool_, T.UINT8: np.uint8,
      T.DOUBLE: np.float64, T.INT8: np.int8, T.INT16: np.int16}


class ModelBuilder:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.nodes, self.init, self.ins, self.outs, self.n = [], {}, [], [], 0
        self.feeds = {}   # keyed by name: function(sizes, rng) that returns the array
        self.functions = []
        self.notes = []

    def name(self, p="v"):
        self.n += 1
        return f"{p}{self.n}"

    def op(self, t, i, out=None, n=1, domain=None, **k):
        outs = [out or self.name(t)] + [self.name(t) for _ in range(n - 1)]
        self.nodes.append(h.make_node(t, i, outs, domain=domain, **k))
        return outs[0] if n == 1 else outs

    def const(self, a, share=None):
        """Adds an initializer or a Constant node, and returns its name."""
        a = np.asarray(a)
        if share:
            key = f"{share}"
            if key not in self.init:
                self.init[key] = nh.from_array(a, key)
            return key
        if a.size < 64 and self.r.random() < 0.25:
            out = self.name("k")
            self.nodes.append(h.make_node("Constant", [], [out], value=nh.from_array(a, out + "_t")))
            return out
        key = self.name("c")
        self.init[key] = nh.from_array(a, key)
        return key

    def input(self, name, type, dims, feed):
        self.ins.append(h.make_tensor_value_info(name, type, dims))
        self.feeds[name] = feed
        return name

    def output(self, name, type, dims):
        self.outs.append(h.make_tensor_value_info(name, type, dims))

    def chance(self, p):
        return self.r.random() < p

    def make(self, opset=None):
        g = h.make_graph(self.nodes, "g", self.ins, self.outs, list(self.init.values()))
        ops = [h.make_opsetid("", opset or (21 if getattr(self, "proj", "") == "int4" else 20))]
        if any(n.domain == "com.microsoft" for n in self.nodes):
            ops.append(h.make_opsetid("com.microsoft", 1))
        if self.functions:
            ops.append(h.make_opsetid("local", 1))
        return h.make_model(g, opset_imports=ops, ir_version=10, functions=self.functions)


D, H, F, V = 32, 4, 64, 50
d = D // H


class Decoder(ModelBuilder):
    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        self.ft = T.FLOAT16 if self.chance(0.15) else T.FLOAT
        self.np = NP[self.ft]
        self.layers = r.randint(2, 6)
        self.blocks = r.choice([1, 2, 3, 5])
        self.once = self.chance(0.6)    # sizes, positions and masks are computed once, by the first layer
        self.shared = {}
        self.proj = r.choice(["matmul"] * 3 + ["bias", "gemm", "qdqw", "qdq", "dynq", "int4", "constw"])
        if self.ft == T.FLOAT16 and self.proj in ("qdq", "dynq", "int4", "qdqw"):
            self.proj = "matmul"
        self.norm = r.choice(["ln", "rms", "dec", "none"])
        self.act = r.choice(["gelu", "erf", "silu", "relu", "tanh"])
        self.mask = r.choice(["none", "input", "causal", "trilu", "window", "alibi", "where", "expand"])
        self.rotary = r.choice(["none", "ids", "range", "table", "slice"])
        self.gqa = r.choice([1, 1, 2])
        self.scale = r.choice(["const", "sqrtshape", "len", "double"])
        self.batch = r.choice([1, "b"])
        self.pname = "p"
        self.own_lengths = self.chance(0.1)     # each layer's cache has its own dimension name
        self.vary = r.choice(["none"] * 3 + ["attr", "small", "order", "out", "structure", "mixed"])
        self.cross = self.chance(0.2)
        self.branch = r.choice(["none"] * 6 + ["if", "ifshape", "loop", "scan"])
        self.function = self.chance(0.15) and self.branch == "none"
        self.trim = r.choice(["none"] * 4 + ["slice", "window"])
        self.transposed = self.chance(0.3)   # K cache is kept transposed
        self.notes = [f"{k}={v}" for k, v in vars(self).items()
                      if k in "ft layers blocks once proj norm act mask rotary gqa scale batch own_lengths vary cross branch function trim transposed".split()]
        self.build()

    def W(self, *s, scale=0.2):
        return self.const((self.rng.standard_normal(s) * scale).astype(self.np))

    def f(self, x, share=None):
        return self.const(np.array(x, self.np), share)

    def i(self, x):
        return self.const(np.array(x, np.int64), share="i" + repr(x).replace(" ", "")) if self.chance(0.5) else self.const(np.array(x, np.int64))

    def project(self, x, n, m):
        w = (self.rng.standard_normal((n, m)) * 0.2).astype(np.float32)
        p = self.proj
        if p == "bias":
            return self.op("Add", [self.op("MatMul", [x, self.const(w.astype(self.np))]), self.W(m)])
        if p == "gemm":
            flat = self.op("Reshape", [x, self.i([-1, n])])
            y = self.op("Gemm", [flat, self.const(np.ascontiguousarray(w.T).astype(self.np)), self.W(m)], transB=1)
            return self.op("Reshape", [y, self.op("Concat", [self.op("Shape", [x], end=2), self.i([m])], axis=0)])
        if p == "qdqw" or p == "qdq":
            s = (np.abs(w).max(0) / 127).astype(np.float32)
            q = np.clip(np.round(w / s), -127, 127).astype(np.int8)
            wd = self.op("DequantizeLinear", [self.const(q), self.const(s), self.const(np.zeros(m, np.int8))], axis=1)
            if p == "qdq":
                sc, z = self.const(np.float32(0.03)), self.const(np.uint8(128))
                x = self.op("DequantizeLinear", [self.op("QuantizeLinear", [x, sc, z]), sc, z])
            return self.op("MatMul", [x, wd])
        if p == "dynq":
            q, s, z = self.op("DynamicQuantizeLinear", [x], n=3)
            ws = np.float32(np.abs(w).max() / 127)
            wq = np.clip(np.round(w / ws), -127, 127).astype(np.int8)
            y = self.op("MatMulInteger", [q, self.const(wq), z, self.const(np.int8(0))])
            y = self.op("Cast", [y], to=T.FLOAT)
            return self.op("Mul", [y, self.op("Mul", [s, self.const(ws)])])
        if p == "int4":
            qs = np.clip(np.round(w * 10), -8, 7).astype(np.int8)
            key = self.name("q4")
            import ml_dtypes
            self.init[key] = nh.from_array(qs.astype(ml_dtypes.int4), key)
            wd = self.op("DequantizeLinear", [key, self.const(np.full((n // 16, m), 0.1, np.float32))], axis=0, block_size=16)
            return self.op("MatMul", [x, wd])
        if p == "constw":
            out = self.name("k")
            self.nodes.append(h.make_node("Constant", [], [out], value=nh.from_array(w.astype(self.np), out)))
            return self.op("MatMul", [x, out])
        return self.op("MatMul", [x, self.const(w.astype(self.np))])

    def normalize(self, x, l):
        eps = 1e-5 if self.vary not in ("attr", "mixed") else 1e-5 * (1 + l)
        if self.norm == "ln":
            return self.op("LayerNormalization", [x, self.W(D, scale=1), self.W(D)], axis=-1, epsilon=eps)
        if self.norm == "rms":
            sq = self.op("Pow", [x, self.f(2.0)])
            m = self.op("Add", [self.op("ReduceMean", [sq, self.i([-1])]), self.f(1e-3)])
            return self.op("Mul", [self.op("Mul", [x, self.op("Reciprocal", [self.op("Sqrt", [m])])]), self.W(D, scale=1)])
        if self.norm == "dec":
            mu = self.op("ReduceMean", [x, self.i([-1])])
            c = self.op("Sub", [x, mu])
            v = self.op("ReduceMean", [self.op("Mul", [c, c]), self.i([-1])])
            return self.op("Div", [c, self.op("Sqrt", [self.op("Add", [v, self.f(1e-3)])])])
        return x

    def activate(self, x):
        a = self.act
        if a == "gelu":
            return self.op("Gelu", [x])
        if a == "erf":
            e = self.op("Erf", [self.op("Div", [x, self.f(1.4142135)])])
            return self.op("Mul", [self.op("Mul", [x, self.op("Add", [e, self.f(1.0)])]), self.f(0.5)])
        if a == "silu":
            return self.op("Mul", [x, self.op("Sigmoid", [x])])
        return self.op({"relu": "Relu", "tanh": "Tanh"}[a], [x])

    def size(self, x, axis, scalar=True):
        if self.chance(0.3):
            s = self.op("Shape", [x], start=axis, end=axis + 1)
            return self.op("Squeeze", [s]) if scalar else s
        s = self.op("Shape", [x])
        return self.op("Gather", [s, self.i(axis if scalar else [axis])])

    def rope(self, x, pos, length):
        """Applies rotary embeddings to x [batch, heads, length, width] at the positions `pos`, int64 [..., length]."""
        half = d // 2
        if self.once and not self.own_lengths and "angles" in self.shared:
            return self.rotated(x, *self.shared["angles"])
        if self.rotary in ("table", "slice"):
            t = np.outer(np.arange(400), 1.0 / 100 ** (np.arange(half) / half))
            cos, sin = self.const(np.cos(t).astype(self.np), "cos"), self.const(np.sin(t).astype(self.np), "sin")
            if self.rotary == "table":
                cos, sin = self.op("Gather", [cos, pos]), self.op("Gather", [sin, pos])
            else:
                a, b = length
                a, b = self.op("Unsqueeze", [a, self.i([0])]), self.op("Unsqueeze", [b, self.i([0])])
                cos, sin = (self.op("Slice", [c, a, b, self.i([0])]) for c in (cos, sin))
        else:
            f = self.op("Mul", [self.op("Unsqueeze", [self.op("Cast", [pos], to=self.ft), self.i([-1])]),
                                self.const((1.0 / 100 ** (np.arange(half) / half)).astype(self.np).reshape(1, half))])
            cos, sin = self.op("Cos", [f]), self.op("Sin", [f])
        if self.rotary == "ids" or self.rotary == "table":
            # position_ids have a batch axis: add an axis for the heads
            if pos == "position_ids":
                cos, sin = (self.op("Unsqueeze", [c, self.i([1])]) for c in (cos, sin))
        self.shared["angles"] = cos, sin
        return self.rotated(x, cos, sin)

    def rotated(self, x, cos, sin):
        x1, x2 = self.op("Split", [x], n=2, axis=-1, num_outputs=2)
        y1 = self.op("Sub", [self.op("Mul", [x1, cos]), self.op("Mul", [x2, sin])])
        y2 = self.op("Add", [self.op("Mul", [x2, cos]), self.op("Mul", [x1, sin])])
        return self.op("Concat", [y1, y2], axis=-1)

    def heads(self, x, n=None):
        return self.op("Transpose", [self.op("Reshape", [x, self.i([0, 0, n or H, d])])], perm=[0, 2, 1, 3])

    def masked(self, s, l, p, q, total):
        """Adds the layer's mask or bias to the scores s [batch, heads, q, total]. l: index of the layer; p: past length; q: new
        length; total: p + q. p, q and total are int64 scalars of the graph."""
        m = self.mask
        low = self.f(-1e4 if self.ft == T.FLOAT16 else -1e9)
        if m == "none":
            return s
        if m == "input":
            a = self.op("Cast", ["attention_mask"], to=self.ft)
            a = self.op("Mul", [self.op("Sub", [self.f(1.0), a]), low])
            return self.op("Add", [s, self.op("Unsqueeze", [a, self.i([1, 2])])])
        if self.once and not self.own_lengths and m in ("causal", "trilu", "window") and self.vary not in ("small", "mixed"):
            if "mask" not in self.shared:
                self.once = False
                ones = self.op("Expand", [self.f(0.0), self.op("Concat", [self.op("Unsqueeze", [q, self.i([0])]), self.op("Unsqueeze", [total, self.i([0])])], axis=0)])
                self.shared["mask"] = self.masked(ones, l, p, q, total)
                self.once = True
            return self.op("Add", [s, self.shared["mask"]])
        zero, one = self.i(0), self.i(1)
        cols = self.op("Range", [zero, total, one])
        rows = self.op("Unsqueeze", [self.op("Range", [p, total, one]), self.i([1])])
        if m == "causal":
            ok = self.op("LessOrEqual", [self.op("Unsqueeze", [cols, self.i([0])]), rows])
            return self.op("Where", [ok, s, low])
        if m == "trilu":
            shape = self.op("Concat", [self.op("Unsqueeze", [q, self.i([0])]), self.op("Unsqueeze", [total, self.i([0])])], axis=0)
            full = self.op("ConstantOfShape", [shape], value=nh.from_array(np.array([-100], self.np), "v"))
            return self.op("Add", [s, self.op("Trilu", [full, self.op("Add", [p, one])], upper=1)])
        if m == "window":
            w = 4 + (l % 3 if self.vary in ("small", "mixed") else 0)
            far = self.op("Greater", [self.op("Sub", [rows, cols]), self.i(w)])
            ahead = self.op("Greater", [cols, rows])
            return self.op("Where", [self.op("Or", [far, ahead]), low, s])
        if m == "alibi":
            slopes = self.const((2.0 ** -np.arange(1, H + 1)).astype(self.np).reshape(H, 1, 1) * (1 + (l if self.vary == "small" else 0)))
            bias = self.op("Mul", [self.op("Cast", [self.op("Sub", [cols, rows])], to=self.ft), slopes])
            return self.op("Add", [s, bias])
        if m == "where":
            i = self.op("Cast", [self.op("Mod", [cols, self.i(3)])], to=T.BOOL)
            keep = self.op("Or", [i, self.op("Equal", [cols, self.op("Sub", [total, one])])])
            return self.op("Where", [keep, s, low])
        if m == "expand":
            t1 = self.op("Unsqueeze", [total, self.i([0])])
            e = self.op("Expand", [self.f([0.5]), t1])
            e = self.op("Mul", [e, self.op("Cast", [cols], to=self.ft)])
            return self.op("Sub", [s, e])
        return s

    def attention(self, x, l):
        r = self.r
        kv = H // self.gqa
        dim = self.pname if not self.own_lengths else f"{self.pname}{l if l else ''}"
        n = self.normalize(x, l)
        qh, kh, vh = self.heads(self.project(n, D, D)), self.heads(self.project(n, D, kv * d), kv), self.heads(self.project(n, D, kv * d), kv)
        kdims = [self.batch, kv, d, dim] if self.transposed else [self.batch, kv, dim, d]
        pk = self.cache(f"past.{l}.k", kdims)
        pv = self.cache(f"past.{l}.v", [self.batch, kv, dim, d])
        if self.once and "sizes" in self.shared and not self.own_lengths:
            p, q, total = self.shared["sizes"]
        else:
            p, q = self.size(pv, 2), self.size(qh, 2)
            total = self.op("Add", [p, q])
            self.shared["sizes"] = p, q, total
        if self.rotary != "none":
            if self.rotary in ("ids", "table") and self.positions:
                pos = self.positions
            else:
                pos = self.op("Range", [p, total, self.i(1)])
            if self.once and not self.own_lengths:
                pos = self.shared.setdefault("pos", pos)
            qh, kh = self.rope(qh, pos, (p, total)), self.rope(kh, pos, (p, total))
        kt = self.op("Transpose", [kh], perm=[0, 1, 3, 2]) if self.transposed else kh
        flip = self.vary in ("order",) and l % 2
        k = self.op("Concat", [kt, pk] if flip else [pk, kt], f"present.{l}.k", axis=3 if self.transposed else 2)
        v = self.op("Concat", [vh, pv] if flip else [pv, vh], f"present.{l}.v", axis=2)
        if self.trim == "none":
            self.output(k, self.ft, [self.batch, kv, d, None] if self.transposed else [self.batch, kv, None, d])
            self.output(v, self.ft, [self.batch, kv, None, d])
        else:
            w = 3 if self.trim == "slice" else 12
            for c, ax in ((k, 3 if self.transposed else 2), (v, 2)):
                o = self.op("Slice", [c, self.i([1 if self.trim == "slice" else -w]), self.i([2**40]), self.i([ax])], c + ".kept")
                self.output(o, self.ft, [None] * 4)
        keys, values = k, v
        if self.gqa > 1:
            keys, values = self.repeat(keys, kv), self.repeat(values, kv)
        if not self.transposed:
            keys = self.op("Transpose", [keys], perm=[0, 1, 3, 2])
        s = self.op("MatMul", [qh, keys])
        if self.scale == "const":
            s = self.op("Mul", [s, self.f(1 / np.sqrt(d))])
        elif self.scale == "sqrtshape":
            s = self.op("Div", [s, self.op("Sqrt", [self.op("Cast", [self.size(qh, 3)], to=self.ft)])])
        elif self.scale == "len":
            s = self.op("Div", [s, self.op("Cast", [self.size(k, 3 if self.transposed else 2)], to=self.ft)])
        else:
            t = self.op("Sqrt", [self.op("Cast", [total], to=T.DOUBLE)])
            s = self.op("Div", [s, self.op("Cast", [t], to=self.ft)])
        s = self.masked(s, l, p, q, total)
        a = self.op("Softmax", [s], axis=-1)
        if self.vary == "out" and l == self.layers - 1 or self.vary == "mixed" and l % 2:
            self.output(a, self.ft, [None] * 4)
        if self.vary == "structure" and l % 2:
            a = self.op("Relu", [a])
        o = self.op("MatMul", [a, values])
        o = self.op("Reshape", [self.op("Transpose", [o], perm=[0, 2, 1, 3]), self.i([0, 0, D])])
        if self.branch != "none" and l == 1:
            o = self.control(o, total)
        x = self.op("Add", [x, self.project(o, D, D)])
        if self.chance(0.2):
            self.extra(l, k, total, a)
        return x

    def control(self, o, total):
        sub = ModelBuilder(self.r.randint(0, 10**6))
        if self.branch in ("if", "ifshape"):
            cond = self.op("Greater", [total, self.i(8)])
            t, e = h.make_node("Mul", [o, o], ["then_out"]), h.make_node("Neg", [o], ["else_out"])
            g = lambda n, name: h.make_graph([n], name, [], [h.make_tensor_value_info(n.output[0], self.ft, None)])
            return self.op("If", [cond], then_branch=g(t, "t"), else_branch=g(e, "e"))
        if self.branch == "loop":
            trips = self.op("Mod", [total, self.i(4)])
            body = h.make_graph([h.make_node("Mul", ["lx", self.f(0.9)], ["lm"]), h.make_node("Add", ["lm", o], ["ly"]),
                                 h.make_node("Identity", ["lc"], ["lco"])], "b",
                                [h.make_tensor_value_info("li", T.INT64, []), h.make_tensor_value_info("lc", T.BOOL, []),
                                 h.make_tensor_value_info("lx", self.ft, None)],
                                [h.make_tensor_value_info("lco", T.BOOL, []), h.make_tensor_value_info("ly", self.ft, None)])
            return self.op("Loop", [trips, "", o], body=body)
        body = h.make_graph([h.make_node("Add", ["ss", "sx"], ["so"]), h.make_node("Identity", ["so"], ["sy"])], "b",
                            [h.make_tensor_value_info("ss", self.ft, None), h.make_tensor_value_info("sx", self.ft, None)],
                            [h.make_tensor_value_info("so", self.ft, None), h.make_tensor_value_info("sy", self.ft, None)])
        init = self.op("ReduceMean", [o, self.i([1])], keepdims=0)
        final, ys = self.op("Scan", [init, o], n=2, body=body, num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[1])
        return ys

    def extra(self, l, k, total, a):
        kind = self.r.choice(["len", "bool", "uint8", "double", "int16", "shape", "alias", "int32", "const", "argmax"])
        name = f"extra.{l}.{kind}"
        if kind == "len":
            self.output(self.op("Identity", [total], name), T.INT64, [])
        elif kind == "bool":
            self.output(self.op("Greater", [a, self.f(0.1)], name), T.BOOL, [None] * 4)
        elif kind == "uint8":
            self.output(self.op("Cast", [self.op("Mul", [a, self.f(100.0)])], name, to=T.UINT8), T.UINT8, [None] * 4)
        elif kind == "double":
            self.output(self.op("Cast", [total], name, to=T.DOUBLE), T.DOUBLE, [])
        elif kind == "int16":
            self.output(self.op("Cast", [total], name, to=T.INT16), T.INT16, [])
        elif kind == "shape":
            self.output(self.op("Shape", [k], name), T.INT64, [4])
        elif kind == "alias":
            self.output(self.op("Identity", [k], name), self.ft, [None] * 4)
        elif kind == "int32":
            self.output(self.op("Cast", [total], name, to=T.INT32), T.INT32, [])
        elif kind == "const":
            self.output(self.op("Constant", [], name, value=nh.from_array(np.arange(3, dtype=np.int64), "x")), T.INT64, [3])
        elif kind == "argmax":
            self.output(self.op("ArgMax", [a], name, axis=-1, keepdims=0), T.INT64, [None] * 3)

    def repeat(self, k, kv):
        g = self.gqa
        s = self.op("Shape", [k])
        u = self.op("Unsqueeze", [k, self.i([2])])
        c = lambda a: self.op("Gather", [s, self.i([a])])
        shape = self.op("Concat", [c(0), self.i([kv]), self.i([g]), c(2), c(3)], axis=0)
        e = self.op("Expand", [u, shape])
        return self.op("Reshape", [e, self.op("Concat", [c(0), self.i([kv * g]), c(2), c(3)], axis=0)])

    def cache(self, name, dims):
        def feed(sz, rng, dims=dims, t=self.np):
            return (rng.standard_normal([sz.get(x, sz["p"]) if isinstance(x, str) else x for x in dims]) * 0.5).astype(t)
        return self.input(name, self.ft, dims, feed)

    def crossed(self, x, l):
        n = self.normalize(x, l)
        q = self.heads(self.project(n, D, D))
        dims = [self.batch, H, "e", d]
        k, v = self.cache(f"cross.{l}.k", dims), self.cache(f"cross.{l}.v", dims)
        s = self.op("MatMul", [q, self.op("Transpose", [k], perm=[0, 1, 3, 2])])
        a = self.op("Softmax", [self.op("Mul", [s, self.f(0.35)])], axis=-1)
        o = self.op("Reshape", [self.op("Transpose", [self.op("MatMul", [a, v])], perm=[0, 2, 1, 3]), self.i([0, 0, D])])
        return self.op("Add", [x, self.project(o, D, D)])

    def build(self):
        b = self.batch
        self.input("ids", T.INT64, [b, "s"], lambda sz, rng: rng.integers(0, V, [sz.get(b, b), sz["s"]]))
        x = self.op("Gather", [self.W(V, D, scale=0.5), "ids"])
        self.positions = None
        if self.mask == "input":
            self.input("attention_mask", T.INT64, [b, "t"], lambda sz, rng: np.concatenate(
                [rng.integers(0, 2, [sz.get(b, b), sz["p"]]), np.ones([sz.get(b, b), sz["s"]], np.int64)], 1))
        if self.rotary in ("ids", "table"):
            if self.chance(0.5):
                self.input("position_ids", T.INT64, [b, "s"], lambda sz, rng: np.broadcast_to(
                    np.arange(sz["p"], sz["p"] + sz["s"]), [sz.get(b, b), sz["s"]]).astype(np.int64))
                self.positions = "position_ids"
        for l in range(self.layers):
            x = self.attention(x, l)
            if self.cross:
                x = self.crossed(x, l)
            for _ in range(self.blocks):
                n = self.normalize(x, l)
                y = self.project(self.activate(self.project(n, D, F)), F, D)
                x = self.op("Add", [x, y])
            if self.vary == "mixed" and l == 0:
                self.output(x, self.ft, [None] * 3)
        x = self.normalize(x, 0)
        self.op("MatMul", [x, self.W(D, V)], "logits")
        self.output("logits", self.ft, [None] * 3)
        if self.chance(0.1):
            self.outs.append(h.make_tensor_value_info("ids_out", T.INT64, [None] * 2))
            self.op("Identity", ["ids"], "ids_out")
        self.sizes = {"b": 1, "s": 1, "p": 5, "e": 7}


class Convolutions(ModelBuilder):
    """Layers, each of projections of fixed length and a causal convolution over a growing cache."""
    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        self.layers, C = r.randint(3, 6), 32
        k = r.choice([1, 2, 3])
        pool = r.choice(["max", "mean", "last"])
        self.notes = [f"conv k={k} pool={pool} layers={self.layers}"]
        x = self.input("x", T.FLOAT, [1, C, 4], lambda sz, rng: rng.standard_normal([1, C, 4]).astype(np.float32))
        for l in range(self.layers):
            for j in range(3):
                w = self.const((self.rng.standard_normal([C, C, 1]) * 0.2).astype(np.float32))
                x = self.op("Relu" if j else "Tanh", [self.op("Conv", [x, w])])
            past = self.input(f"past{l}", T.FLOAT, [1, C, "p"], lambda sz, rng: rng.standard_normal([1, C, sz["p"]]).astype(np.float32))
            all = self.op("Concat", [past, x], f"present{l}", axis=2)
            self.output(all, T.FLOAT, [1, C, None])
            w = self.const((self.rng.standard_normal([C, 1, k]) * 0.5).astype(np.float32), share="depth" if r.random() < .5 else None)
            y = self.op("Conv", [all, w], group=C, pads=[k - 1, 0], dilations=[r.choice([1, 1, 2]) if k > 1 and self.chance(.2) else 1])
            if pool == "max":
                y = self.op("ReduceMax", [y, self.const(np.array([2]))], keepdims=1)
            elif pool == "mean":
                y = self.op("ReduceMean", [y, self.const(np.array([2]))], keepdims=1)
            else:
                y = self.op("Slice", [y, self.const(np.array([-1])), self.const(np.array([2**60])), self.const(np.array([2]))])
            x = self.op("Add", [x, y])
        self.output(self.op("Identity", [x], "y"), T.FLOAT, [1, C, 4])
        self.sizes = {"p": 5, "b": 1, "s": 1, "e": 7}


class Recurrent(ModelBuilder):
    """LSTM, GRU or RNN cells with a state, and attention over a memory that grows."""
    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        self.layers, kind = r.randint(2, 5), r.choice(["LSTM", "GRU", "RNN"])
        g = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
        self.notes = [f"{kind} layers={self.layers}"]
        w = lambda *s: self.const((self.rng.standard_normal(s) * 0.2).astype(np.float32))
        fl = lambda *s: (lambda sz, rng: rng.standard_normal([sz.get(x, x) for x in s]).astype(np.float32))
        x = self.input("x", T.FLOAT, [1, 1, D], fl(1, 1, D))
        for l in range(self.layers):
            h0 = self.input(f"h{l}", T.FLOAT, [1, 1, D], fl(1, 1, D))
            states = [h0]
            if kind == "LSTM":
                states.append(self.input(f"cell{l}", T.FLOAT, [1, 1, D], fl(1, 1, D)))
            out = self.op(kind, [x, w(1, g * D, D), w(1, g * D, D), w(1, 2 * g * D), ""] + states, n=len(states) + 1, hidden_size=D)
            for j, o in enumerate(out[1:]):
                self.output(o, T.FLOAT, [1, 1, D])
            y = self.op("Squeeze", [out[0], self.const(np.array([1]))])
            m = self.input(f"memory{l}", T.FLOAT, [1, "p", D], fl(1, "p", D))
            all = self.op("Concat", [m, y], f"memory_out{l}", axis=1)
            self.output(all, T.FLOAT, [1, None, D])
            s = self.op("Softmax", [self.op("MatMul", [self.op("MatMul", [y, w(D, D)]), self.op("Transpose", [all], perm=[0, 2, 1])])])
            x = self.op("Add", [x, self.op("Tanh", [self.op("MatMul", [self.op("MatMul", [s, all]), w(D, D)])])])
            x = self.op("Add", [self.op("MatMul", [x, w(D, D)]), w(D)])
        self.output(self.op("Identity", [x], "y"), T.FLOAT, [1, 1, D])
        self.sizes = {"p": 5, "b": 1, "s": 1, "e": 7}


class Arithmetic(ModelBuilder):
    """Layers of fixed-size projections, and of random nodes on a growing input and its size."""
    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        w = lambda *s: self.const((self.rng.standard_normal(s) * 0.2).astype(np.float32))
        self.layers = r.randint(3, 6)
        m = self.input("m", T.FLOAT, ["p", D], lambda sz, rng: rng.standard_normal([sz["p"], D]).astype(np.float32))
        x = self.input("x", T.FLOAT, [1, D], lambda sz, rng: rng.standard_normal([1, D]).astype(np.float32))
        flags = self.input("flags", T.BOOL, ["p"], lambda sz, rng: rng.random(sz["p"]) < .5) if self.chance(.4) else None
        idx = self.input("idx", T.INT64, [3], lambda sz, rng: rng.integers(0, max(sz["p"], 1), 3)) if self.chance(.4) else None
        same = self.chance(0.6)
        pick = [r.randint(0, 11) for _ in range(r.randint(1, 3))]
        self.notes = [f"arith same={same} pick={pick} flags={bool(flags)} idx={bool(idx)} layers={self.layers}"]
        c = lambda v: self.const(np.array(v, np.int64))
        for l in range(self.layers):
            for _ in range(r.randint(2, 4)):
                x = self.op("Tanh", [self.op("Add", [self.op("MatMul", [x, w(D, D)]), w(D)])])
            cur = m
            p = self.op("Gather", [self.op("Shape", [m]), c(0)])
            for k in pick if same else [r.randint(0, 11) for _ in range(2)]:
                if k == 0:
                    cur = self.op("Add", [cur, x])
                elif k == 1:
                    cur = self.op("Concat", [cur, x], axis=0)
                elif k == 2:
                    rng_ = self.op("Cast", [self.op("Range", [c(0), self.op("Gather", [self.op("Shape", [cur]), c(0)]), c(1)])], to=T.FLOAT)
                    cur = self.op("Mul", [cur, self.op("Unsqueeze", [self.op("Sin", [rng_]), c([1])])])
                elif k == 3:
                    half = self.op("Div", [self.op("Add", [self.op("Shape", [cur], end=1), c([1])]), c([2])])
                    cur = self.op("Slice", [cur, c([0]), half, c([0])])
                elif k == 4 and flags:
                    z = self.op("Where", [self.op("Unsqueeze", [flags, c([1])]), m, self.const(np.float32(-1))])
                    cur = self.op("Concat", [cur, z], axis=0)
                elif k == 5 and idx:
                    cur = self.op("Concat", [cur, self.op("Gather", [m, idx])], axis=0)
                elif k == 6:
                    cur = self.op("Concat", [cur, self.op("Expand", [x, self.op("Concat", [self.op("Unsqueeze", [p, c([0])]), c([D])], axis=0)])], axis=0)
                elif k == 7:
                    cur = self.op("Softmax", [cur], axis=0)
                elif k == 8:
                    pads = self.op("Concat", [c([0, 0]), self.op("Unsqueeze", [self.op("Mod", [p, c(3)]), c([0])]), c([0])], axis=0)
                    cur = self.op("Pad", [cur, pads])
                elif k == 9:
                    lim = self.op("Min", [p, c(6)])
                    cur = self.op("Slice", [cur, c([0]), self.op("Unsqueeze", [lim, c([0])]), c([0])])
                elif k == 10:
                    cur = self.op("CumSum", [cur, c(0)])
                elif k == 11:
                    cur = self.op("Tile", [cur, self.op("Concat", [self.op("Unsqueeze", [self.op("Add", [self.op("Mod", [p, c(2)]), c(1)]), c([0])]), c([1])], axis=0)])
            if self.chance(.3):
                o = self.op("Identity", [cur], f"mid{l}")
                self.output(o, T.FLOAT, [None, D])
            s = self.op("Softmax", [self.op("MatMul", [x, self.op("Transpose", [cur], perm=[1, 0])])], axis=-1)
            x = self.op("Add", [x, self.op("MatMul", [s, cur])])
            if self.chance(.2):
                self.output(self.op("Identity", [p], f"len{l}"), T.INT64, [])
        self.output(self.op("MatMul", [x, w(D, D)], "y"), T.FLOAT, [1, D])
        self.sizes = {"p": 5, "b": 1, "s": 1, "e": 7}


class Functions(ModelBuilder):
    """Layers that call functions of the model: a block with weights and an attribute, and attention with a branch."""
    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        self.layers = r.randint(3, 6)
        self.vary = r.choice(["none", "attr", "default", "swap"])
        nested = self.chance(0.5)
        op = lambda t, i, o, **k: h.make_node(t, i, [o], **k)
        o21 = [h.make_opsetid("", 20), h.make_opsetid("local", 1)]
        ref = op("LeakyRelu", ["a"], "l")
        ref.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
        block = h.make_function("local", "Block", ["x", "w", "v"], ["y"], [op("MatMul", ["x", "w"], "a"), ref, op("MatMul", ["l", "v"], "b"), op("Add", ["x", "b"], "y")],
                                o21, attributes=[], attribute_protos=[h.make_attribute("slope", 0.1)])
        g = lambda n, name: h.make_graph([n], name, [], [h.make_tensor_value_info(n.output[0], T.FLOAT, None)])
        eight = h.make_node("Constant", [], ["eight"], value=nh.from_array(np.int64(8), "e"))
        one = h.make_node("Constant", [], ["ax"], value=nh.from_array(np.int64(1), "e"))
        body = [eight, one, op("Transpose", ["k"], "kt", perm=[1, 0]), op("MatMul", ["q", "kt"], "s"), op("Shape", ["s"], "sh"), op("Gather", ["sh", "ax"], "n"),
                op("Cast", ["n"], "nf", to=T.FLOAT), op("Div", ["s", "nf"], "d"), op("Greater", ["n", "eight"], "c"),
                op("If", ["c"], "e", then_branch=g(op("Mul", ["d", "nf"], "t_out"), "t"), else_branch=g(op("Neg", ["d"], "e_out"), "e")),
                op("Softmax", ["e"], "p", axis=-1), op("MatMul", ["p", "k"], "o")]
        attend = h.make_function("local", "Attend", ["q", "k"], ["o"], body, o21)
        outer = h.make_function("local", "Outer", ["q", "k", "w", "v"], ["y", "o"],
                                [h.make_node("Attend", ["q", "k"], ["o"], domain="local"), h.make_node("Block", ["o", "w", "v"], ["y"], domain="local", slope=0.3)], o21)
        self.functions = [block, attend] + ([outer] if nested else [])
        self.notes = [f"functions vary={self.vary} nested={nested} layers={self.layers}"]
        w = lambda *s: self.const((self.rng.standard_normal(s) * 0.2).astype(np.float32))
        x = self.input("x", T.FLOAT, [1, D], lambda sz, rng: rng.standard_normal([1, D]).astype(np.float32))
        for l in range(self.layers):
            k = self.op("MatMul", [x, w(D, D)])
            for _ in range(r.randint(1, 3)):
                x = self.op("Block", [x, w(D, D), w(D, D)], domain="local", **({"slope": 0.1 * (l + 1)} if self.vary == "attr" or self.vary == "default" and l % 2 else {}))
            m = self.input(f"past{l}", T.FLOAT, ["p", D], lambda sz, rng: rng.standard_normal([sz["p"], D]).astype(np.float32))
            all = self.op("Concat", [k, m] if self.vary == "swap" and l % 2 else [m, k], f"present{l}", axis=0)
            self.output(all, T.FLOAT, [None, D])
            if nested and l % 2:
                y, o = self.op("Outer", [x, all, w(D, D), w(D, D)], n=2, domain="local")
                if self.chance(0.3):
                    self.output(self.op("Identity", [o], f"mid{l}"), T.FLOAT, None)
                x = self.op("Add", [x, y])
            else:
                x = self.op("Add", [x, self.op("Attend", [x, all], domain="local")])
        self.output(self.op("Identity", [x], "y"), T.FLOAT, [1, D])
        self.sizes = {"p": 5, "b": 1, "s": 1, "e": 7}


def model(seed):
    k = seed % 10
    return (Functions if k == 4 else Convolutions if k == 7 else Recurrent if k == 8 else Arithmetic if k in (5, 6, 9) else Decoder)(seed)


def feed(made, seed, **sizes):
    b = made
    sz = {**b.sizes, **sizes}
    sz["t"] = sz["p"] + sz["s"]
    rng = np.random.default_rng([seed, *sz.values()])
    return {n: np.asarray(f(sz, rng)) for n, f in b.feeds.items()}
