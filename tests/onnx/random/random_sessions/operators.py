"""Steps of quantization, pictures, recurrences, machine learning, strings, sequences, small types, boxes and layers."""
import numpy as np

from onnx import TensorProto as T
from onnx import helper

from .builder import BOOL, FLOAT, INT32, INT64, STRING, UINT8, Builder


class Operators(Builder):
    def step_quantize(self):
        v = self.matrix(exact=True)
        if not v:
            return
        kind = self.r.randrange(3)
        if kind == 0:
            scale = self.constant(np.float32(0.25))
            q = self.emit('QuantizeLinear', [v, scale, self.constant(np.uint8(self.r.choice([0, 128])))])
            self.new(q, UINT8, 2, v.shape_class)
        elif kind == 1:
            q, s, z = self.emit('DynamicQuantizeLinear', [v], 3)
            self.new(self.emit('DequantizeLinear', [q, s, z]), FLOAT, 2, v.shape_class, False)
        else:
            v = self.new(self.emit('Pad', [v, self.ints(1, 0, 0, 1)]), FLOAT, 2)  # ONNX Runtime writes no sums over 0 elements
            q = self.emit('QuantizeLinear', [v, self.constant(np.float32(0.25)), self.constant(np.uint8(128))])
            t = self.emit('Transpose', [q], perm=[1, 0])
            name = self.emit('MatMulInteger', [q, t, self.constant(np.uint8(128)), self.constant(np.uint8(127))])
            self.new(name, INT32, 2)

    def step_image(self):
        v = self.pick(least=1)
        if not v:
            return
        # The picture has the shape [1, 1, h, w], with at least 2 x 2 elements.
        m = self.matrix()
        picture = self.emit('Unsqueeze', [self.emit('Pad', [m, self.ints(1, 1, 1, 1)]), self.ints(0, 1)])
        kind = self.r.randrange(6)
        if kind == 0:
            w = self.constant(np.array([[[[1, 0.5], [-0.5, 0.25]]]], np.float32))
            name = self.emit('Conv', [picture, w], auto_pad=self.r.choice(['SAME_UPPER', 'VALID', 'SAME_LOWER']),
                             strides=[self.r.randint(1, 2)] * 2)
            self.new(self.tame(name, exact=False), FLOAT, 4, exact=False)
        elif kind == 1:
            # Doubles the sizes, so that they are even: for odd sizes, the standard and ONNX Runtime differ.
            picture = self.emit('Resize', [picture, '', self.constant(np.array([1, 1, 2, 2], np.float32))],
                                mode='nearest', coordinate_transformation_mode='asymmetric', nearest_mode='floor')
            names = self.emit('MaxPool', [picture], 2, kernel_shape=[2, 2], strides=[2, 2])
            shape = self.emit('Shape', [picture])
            self.new(self.emit('MaxUnpool', [names[0], names[1], shape], kernel_shape=[2, 2], strides=[2, 2]),
                     FLOAT, 4, exact=m.exact)
        elif kind == 2:
            h, w = self.small(1, 6), self.small(1, 6)
            sizes = self.emit('Concat', [self.ints(1, 1), h, w], axis=0)
            mode = self.r.choice(['nearest', 'linear', 'cubic'])
            self.new(self.emit('Resize', [picture, '', '', sizes], mode=mode, coordinate_transformation_mode=self.r.choice(
                ['half_pixel', 'asymmetric', 'align_corners', 'pytorch_half_pixel'])), FLOAT, 4, exact=False)
        elif kind == 3:
            self.new(self.emit('AveragePool', [picture], kernel_shape=[2, 2], ceil_mode=self.r.randrange(2),
                               count_include_pad=self.r.randrange(2), strides=[2, 2]), FLOAT, 4, exact=False)
        elif kind == 4:
            self.new(self.emit(self.r.choice(['GlobalAveragePool', 'GlobalMaxPool']), [picture]), FLOAT, 4, exact=False)
        else:
            w = self.constant(np.array([[[[1, 0.5], [-0.5, 0.25]]]], np.float32))
            self.new(self.tame(self.emit('ConvTranspose', [picture, w], strides=[2, 2]), exact=False), FLOAT, 4,
                     exact=False)

    def step_rnn(self):
        m = self.matrix()
        if not m:
            return
        x = self.emit('Unsqueeze', [self.emit('Reshape', [m, self.ints(-1, 1)]), self.ints(2)])
        x = self.emit('Slice', [x, self.ints(0), self.ints(6), self.ints(0)])
        op, gates = self.r.choice([('LSTM', 4), ('GRU', 3), ('RNN', 1)])
        hidden = 2
        g = np.random.default_rng(self.r.randrange(1 << 30))
        direction = self.r.choice(['forward', 'reverse', 'bidirectional'])
        d = 2 if direction == 'bidirectional' else 1
        w = self.constant(g.normal(size=(d, gates * hidden, 1)).astype(np.float32))
        u = self.constant(g.normal(size=(d, gates * hidden, hidden)).astype(np.float32))
        # The length is at least 1, because ONNX Runtime does not set the states of sequences of length 0.
        x = self.emit('Concat', [x, self.constant(np.ones((1, 1, 1), np.float32))], axis=0)
        y, h = self.emit(op, [x, w, u], 2, hidden_size=hidden, direction=direction)
        self.new(y, FLOAT, 4, exact=False)
        self.new(h, FLOAT, 3, exact=False)

    def step_ml(self):
        m = self.matrix(exact=True)
        if not m:
            return
        # x has exactly two features.
        padded = self.emit('Pad', [m, self.ints(0, 0, 0, 2)])
        x = self.emit('Slice', [padded, self.ints(0), self.ints(2), self.ints(1)])
        kind = self.r.randrange(6)
        ml = 'ai.onnx.ml'
        if kind == 0:
            name = self.emit('TreeEnsembleRegressor', [x], domain=ml, n_targets=1,
                             nodes_treeids=[0] * 5, nodes_nodeids=[0, 1, 2, 3, 4], nodes_featureids=[0, 1, 0, 0, 0],
                             nodes_modes=['BRANCH_LEQ', 'BRANCH_LT', 'LEAF', 'LEAF', 'LEAF'],
                             nodes_values=[0.5, -0.5, 0.0, 0.0, 0.0], nodes_truenodeids=[1, 3, 0, 0, 0],
                             nodes_falsenodeids=[2, 4, 0, 0, 0], target_treeids=[0, 0, 0], target_nodeids=[2, 3, 4],
                             target_ids=[0, 0, 0], target_weights=[1.0, -2.0, 0.5],
                             aggregate_function=self.r.choice(['SUM', 'MIN', 'MAX']))
            self.new(name, FLOAT, 2)
        elif kind == 1:
            self.new(self.emit('LinearRegressor', [x], domain=ml, coefficients=[1.0, -0.5], intercepts=[0.25],
                               targets=1), FLOAT, 2, exact=False)
        elif kind == 2:
            self.new(self.emit('Scaler', [x], domain=ml, offset=[0.5, 1.0], scale=[2.0, 0.5]), FLOAT, 2, exact=False)
        elif kind == 3:
            self.new(self.emit('Normalizer', [x], domain=ml, norm=self.r.choice(['MAX', 'L1', 'L2'])), FLOAT, 2,
                     exact=False)
        elif kind == 4:
            i = self.emit('Cast', [self.emit('Floor', [x])], to=INT64)
            self.new(self.emit('OneHotEncoder', [i], domain=ml, cats_int64s=[-1, 0, 1, 2], zeros=1), FLOAT, 3)
        else:
            label, scores = self.emit('LinearClassifier', [x], 2, domain=ml, coefficients=[1.0, -0.5, 0.25, 2.0],
                                      intercepts=[0.0, 0.1], classlabels_ints=[3, 8],
                                      post_transform=self.r.choice(['NONE', 'SOFTMAX', 'LOGISTIC']))
            self.new(label, INT64, 1)
            self.new(scores, FLOAT, 2, exact=False)

    def step_string(self):
        v = self.pick((STRING,))
        if v is None or self.r.random() < 0.3:
            i = self.pick((INT64,))
            if i:
                self.new(self.emit('Cast', [i], to=STRING), STRING, i.rank, i.shape_class)
            return
        kind = self.r.randrange(7)
        if kind == 0:
            self.new(self.emit('StringConcat', [v, self.constant(np.array('a b', object))]), STRING, v.rank,
                     v.shape_class)
        elif kind == 1:
            self.new(self.emit('RegexFullMatch', [v], pattern=self.r.choice([r'\d+', r'-?[1-3].*', '(a|b)*', ''])),
                     BOOL, v.rank, v.shape_class)
        elif kind == 2 and v.rank < 4:
            # An empty text with a delimiter has one part in the standard, none in ONNX Runtime.
            text = self.emit('StringConcat', [self.constant(np.array('z', object)), v])
            parts, counts = self.emit('StringSplit', [text], 2, **self.r.choice(
                [{}, {'delimiter': 'a'}, {'delimiter': ' ', 'maxsplit': 1}]))
            self.new(parts, STRING, v.rank + 1)
            self.new(counts, INT64, v.rank, v.shape_class)
        elif kind == 3:
            self.new(self.emit('LabelEncoder', [v], domain='ai.onnx.ml', keys_strings=['1', '2', 'x', ''],
                               values_int64s=[10, 20, 30, 40], default_int64=-1), INT64, v.rank, v.shape_class)
        elif kind == 4:
            flat = self.emit('Reshape', [v, self.ints(-1)])
            self.new(self.emit('StringNormalizer', [flat], case_change_action=self.r.choice(['UPPER', 'LOWER', 'NONE']),
                               stopwords=self.r.choice([['1'], ['x', '2']]), is_case_sensitive=self.r.randrange(2),
                               locale='C'), STRING, 1)
        elif kind == 5:
            self.new(self.emit('Equal', [v, self.constant(np.array('1', object))]), BOOL, v.rank, v.shape_class)
        elif v.rank:
            self.new(self.emit('Concat', [v, v], axis=0), STRING, v.rank)

    def step_sequence(self):
        v = self.pick((FLOAT, INT64, STRING), least=1)
        if not v:
            return
        axis = 0
        kind = self.r.randrange(4)
        if kind == 0:
            # Splits v along axis 0, inserts v twice, erases a part at times, and joins the parts.
            seq = self.emit('SplitToSequence', [v, self.constant(np.int64(self.r.randint(1, 2)))], axis=axis)
            self.new(self.emit('SequenceLength', [seq]), INT64, 0)
            seq = self.emit('SequenceInsert', [seq, v, self.constant(np.int64(0))])
            seq = self.emit('SequenceInsert', [seq, v])
            if self.r.random() < 0.5:
                seq = self.emit('SequenceErase', [seq, self.scalar(self.small(-2, 1))])
            self.new(self.emit('ConcatFromSequence', [seq], axis=axis), v.dtype, v.rank, exact=v.exact)
        elif kind == 1:
            seq = self.emit('SequenceConstruct', [v, v])
            self.new(self.emit('SequenceAt', [seq, self.scalar(self.small(-2, 1))]), v.dtype, v.rank, v.shape_class,
                     v.exact)
            self.new(self.emit('ConcatFromSequence', [seq], axis=0, new_axis=1), v.dtype, v.rank + 1, exact=v.exact)
        elif kind == 2 and v.dtype == FLOAT:
            seq = self.emit('SplitToSequence', [v], axis=axis, keepdims=1)
            seq = self.emit('SequenceInsert', [seq, v])
            item = self.fresh('item')
            self.scopes.append({'nodes': [], 'values': []})
            out = self.emit('Add', [item, self.constant(np.float32(0.5))])
            body = self.close('map', [helper.make_tensor_value_info(item, FLOAT, None)],
                              [helper.make_tensor_value_info(out, FLOAT, None)])
            seq = self.emit('SequenceMap', [seq], body=body)
            self.new(self.emit('ConcatFromSequence', [seq], axis=0), FLOAT, v.rank, exact=v.exact)
        else:
            n = self.scalar(self.small(0, 4))
            start = self.emit('SequenceConstruct', [v])
            i, c, s = self.fresh('i'), self.fresh('cond'), self.fresh('seq')
            self.scopes.append({'nodes': [], 'values': []})
            keep = self.emit('Identity', [c])
            grown = self.emit('SequenceInsert', [s, v])
            kind_of = helper.make_tensor_sequence_value_info
            body = self.close('grow', [helper.make_tensor_value_info(i, INT64, []),
                                       helper.make_tensor_value_info(c, BOOL, []), kind_of(s, v.dtype, None)],
                              [helper.make_tensor_value_info(keep, BOOL, []), kind_of(grown, v.dtype, None)])
            seq = self.emit('Loop', [n, '', start], body=body)
            self.new(self.emit('ConcatFromSequence', [seq], axis=0), v.dtype, v.rank, exact=v.exact)

    def step_optional(self):
        v = self.pick((FLOAT, INT64))
        if not v:
            return
        o = self.emit('Optional', [v])
        self.new(self.emit('OptionalHasElement', [o]), BOOL, 0)
        self.new(self.emit('OptionalGetElement', [o]), v.dtype, v.rank, v.shape_class, v.exact)

    def step_small_types(self):
        """Adds casts to types of which WebNN supports only some."""
        v = self.pick((FLOAT,), exact=True)
        if not v:
            return
        to = self.r.choice([T.FLOAT16, T.INT8, T.INT16, T.UINT16, T.BFLOAT16, T.UINT8, T.UINT32, T.UINT64])
        source = v.name
        if to not in (T.FLOAT16, T.BFLOAT16):
            source = self.emit('Abs', [self.emit('Floor', [v])])
        name = self.emit('Cast', [source], to=to)
        kind = self.r.randrange(4)
        if kind == 0 and v.rank:
            name = self.emit('Concat', [name, name], axis=0)
        elif kind == 1:
            name = self.emit('Where', [self.emit('Greater', [v, self.constant(np.float32(0))]), name, name])
        elif kind == 2 and v.rank:
            name = self.emit('Slice', [name, self.small(0, 1), self.small(1, 4), self.ints(0)])
        elif kind == 3 and v.rank:
            name = self.emit('Unsqueeze', [name, self.ints(0)])
            name = self.emit('Squeeze', [name, self.ints(0)])
        if kind % 2 == 0 and v.rank:
            self.new(self.emit('Cast', [name], to=FLOAT), FLOAT, v.rank)
        else:
            self.new(self.emit('Cast', [name], to=FLOAT), FLOAT, v.rank, v.shape_class)
        if to != T.BFLOAT16:
            self.new(name, to, v.rank)

    def step_split(self):
        v = self.pick((FLOAT, INT64, STRING), least=1)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        n = self.size(v, axis)
        first = self.emit('Min', [n, self.small(0, 3)])
        parts = self.emit('Split', [v, self.emit('Concat', [first, self.emit('Sub', [n, first])], axis=0)], 2,
                          axis=axis)
        for part in parts:
            self.new(part, v.dtype, v.rank, exact=v.exact)

    def step_boxes(self):
        m = self.matrix(exact=True)
        if not m:
            return
        # The boxes have the shape [1, n, 4] and ordered corners; the scores have the shape [1, 1, n].
        padded = self.emit('Pad', [m, self.ints(0, 0, 1, 5)])
        near = self.emit('Slice', [padded, self.ints(0), self.ints(2), self.ints(1)])
        far = self.emit('Add', [self.emit('Abs', [near]), self.constant(np.float32(1))])
        boxes = self.emit('Unsqueeze', [self.emit('Concat', [near, far], axis=1), self.ints(0)])
        n = self.emit('Shape', [near], end=1)
        order = self.emit('Range', [self.constant(np.int64(0)), self.scalar(n), self.constant(np.int64(1))])
        scores = self.emit('Unsqueeze', [self.emit('Cast', [self.emit('Mod', [
            self.emit('Mul', [order, self.constant(np.int64(7))]), self.constant(np.int64(11))])], to=FLOAT),
            self.ints(0, 1)])
        found = self.emit('NonMaxSuppression', [boxes, scores, self.small(0, 4), self.constant(np.float32(0.4)),
                                                self.constant(np.float32(self.r.choice([0, 2])))],
                          center_point_box=self.r.randrange(2))
        self.new(found, INT64, 2)
        index = self.emit('Gather', [found, self.constant(np.int64(2))], axis=1)
        self.new(self.emit('Gather', [near, index], axis=0), FLOAT, 2)

    def step_elements(self):
        v = self.pick((FLOAT, INT64), exact=True, least=1)
        if not v:
            return
        axis = self.r.randrange(v.rank)
        n = self.emit('Max', [self.scalar(self.size(v, axis)), self.constant(np.int64(1))])
        index = self.emit('Cast', [self.emit('Abs', [v])], to=INT64)
        index = self.emit('Mod', [index, n])
        self.new(self.emit('GatherElements', [v, index], axis=axis), v.dtype, v.rank, v.shape_class)

    def step_reverse(self):
        v = self.pick((FLOAT,), least=2)
        if not v:
            return
        # Each column is reversed as a whole.
        lengths = self.emit('Expand', [self.size(v, 0), self.size(v, 1)])
        self.new(self.emit('ReverseSequence', [v, lengths], time_axis=0, batch_axis=1), FLOAT, v.rank, v.shape_class,
                 v.exact)

    def step_layers(self):
        m = self.matrix()
        if not m:
            return
        x = self.emit('Slice', [self.emit('Pad', [m, self.ints(0, 0, 0, 4)]), self.ints(0), self.ints(4),
                                self.ints(1)])
        four = self.constant(np.array([1, 0.5, -1, 2], np.float32))
        kind = self.r.randrange(4)
        if kind == 0:
            self.new(self.emit('LayerNormalization', [x, four, four]), FLOAT, 2, exact=False)
        elif kind == 1:
            w = self.constant(np.arange(12, dtype=np.float32).reshape(4, 3) / 4 - 1)
            self.new(self.tame(self.emit('Gemm', [x, w], alpha=0.5), exact=False), FLOAT, 2, exact=False)
        elif kind == 2:
            u = self.emit('Unsqueeze', [x, self.ints(2)])
            self.new(self.emit('BatchNormalization', [u, four, four, four, self.constant(
                np.array([1, 2, 1, 0.5], np.float32))]), FLOAT, 3, exact=False)
        else:
            u = self.emit('Unsqueeze', [x, self.ints(2, 3)])
            self.new(self.emit('DepthToSpace', [u], blocksize=2), FLOAT, 4, exact=m.exact)
