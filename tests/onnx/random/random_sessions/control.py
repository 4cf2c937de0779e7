"""Steps of branches, loops and functions, whose bodies are random, too."""
import numpy as np

import onnx
from onnx import helper

from .builder import BOOL, FLOAT, INT64, STRING, Builder


class Control(Builder):
    def step_if_many(self):
        """Adds an If with two results: the size of a tensor, and a sequence."""
        if self.depth > 1:
            return
        v = self.pick((FLOAT, INT64, STRING), exact=True, least=1)
        if not v:
            return
        condition = self.condition()
        branches = []
        for i in range(2):
            out = self.block(v, self.r.randint(0, 3))
            parts = [out] * self.r.randint(1, 3)
            seq = self.emit('SequenceConstruct', parts)
            n = self.emit('Size', [out])
            branches.append(self.close('branch', [], [
                helper.make_tensor_value_info(n, INT64, []),
                helper.make_tensor_sequence_value_info(seq, v.dtype, None)]))
        n, seq = self.emit('If', [condition], 2, then_branch=branches[0], else_branch=branches[1])
        self.new(n, INT64, 0)
        self.new(self.emit('SequenceAt', [seq, self.constant(np.int64(-1))]), v.dtype, v.rank)
        self.sequences.append((seq, v.dtype)) if len(self.scopes) == 1 else None

    def step_loop_many(self):
        """Adds a loop with two states, one of which depends on the other, and a collected tensor."""
        if self.depth > 1:
            return
        v = self.pick((FLOAT,), exact=True, least=1)
        if not v:
            return
        i, c, a, b = self.fresh('i'), self.fresh('cond'), self.fresh('a'), self.fresh('b')
        self.scopes.append({'nodes': [], 'values': []})
        state = self.new(a, FLOAT, v.rank, v.shape_class)
        self.new(b, INT64, 1)
        self.depth += 1
        for _ in range(self.r.randint(0, 3)):
            self.step()
        self.depth -= 1
        own = [w for w in self.scopes[-1]['values'] if w.dtype == FLOAT and w.shape_class == state.shape_class
               and w.exact]
        out = self.tame(self.emit('Add', [self.r.choice(own), self.emit('Cast', [self.emit('ReduceSum', [b],
                                                                        keepdims=0)], to=FLOAT)]))
        grown = self.emit('Concat', [b, self.emit('Unsqueeze', [i, self.ints(0)])], axis=0)
        total = self.emit('ReduceSum', [out], keepdims=0)
        keep = self.emit('Less', [total, self.constant(np.float32(self.r.choice([2, 100])))])
        collected = self.emit('ReduceMax', [self.emit('Concat', [out, self.emit('Expand', [
            self.constant(np.float32(0)), self.ones_like_but(state, 0)])], axis=0), self.ints(0)], keepdims=0)
        info = helper.make_tensor_value_info
        body = self.close('many', [info(i, INT64, []), info(c, BOOL, []), info(a, FLOAT, None), info(b, INT64, None)],
                          [info(keep, BOOL, []), info(out, FLOAT, None), info(grown, INT64, None),
                           info(collected, FLOAT, None)])
        start = self.emit('ConstantOfShape', [self.small(0, 2)],
                          value=onnx.numpy_helper.from_array(np.array([1], np.int64)))
        names = self.emit('Loop', [self.scalar(self.small(1, 4)), '', v, start], 3, body=body)
        self.new(names[0], FLOAT, v.rank, v.shape_class)
        self.new(names[1], INT64, 1)
        self.new(names[2], FLOAT, v.rank)

    def step_if(self):
        if self.depth > 1:
            return
        v = self.pick((FLOAT, INT64, STRING), exact=True)
        if not v:
            return
        condition = self.condition()
        branches = []
        for _ in range(2):
            out = self.block(v, self.r.randint(0, 4))
            branches.append(self.close('branch', [], [helper.make_tensor_value_info(out, v.dtype, None)]))
        self.new(self.emit('If', [condition], then_branch=branches[0], else_branch=branches[1]), v.dtype, v.rank)

    def step_loop(self):
        if self.depth > 1:
            return
        v = self.pick((FLOAT, INT64), exact=True)
        if not v:
            return
        n = self.scalar(self.small(0, 4))
        i, c, s = self.fresh('i'), self.fresh('cond'), self.fresh('state')
        grows = v.rank > 0 and self.r.random() < 0.4
        limit = self.r.random() < 0.4
        self.scopes.append({'nodes': [], 'values': []})
        self.depth += 1
        state = self.new(s, v.dtype, v.rank)
        for _ in range(self.r.randint(0, 3)):
            self.step()
        self.depth -= 1
        if grows:
            out = self.emit('Concat', [s, v], axis=0) if v.rank == 1 else self.emit('Concat', [s, s], axis=0)
            out = self.emit('Slice', [out, self.ints(0), self.ints(9), self.ints(0)])
        else:
            own = [w for w in self.scopes[-1]['values'] if w.dtype == v.dtype and w.shape_class == state.shape_class
                   and w.exact]
            out = self.emit('Identity', [self.r.choice(own)])
        scanned = self.emit('Identity', [i])
        if limit:
            keep = self.emit('Less', [i, self.constant(np.int64(self.r.randint(0, 2)))])
        else:
            keep = self.emit('Identity', [c])
        body = self.close('loop', [helper.make_tensor_value_info(i, INT64, []),
                                   helper.make_tensor_value_info(c, BOOL, []),
                                   helper.make_tensor_value_info(s, v.dtype, None)],
                          [helper.make_tensor_value_info(keep, BOOL, []),
                           helper.make_tensor_value_info(out, v.dtype, None),
                           helper.make_tensor_value_info(scanned, INT64, [])])
        condition = self.r.choice(['', self.constant(np.bool_(True)), self.condition()])
        names = self.emit('Loop', [n, condition, v], 2, body=body)
        self.new(names[0], v.dtype, v.rank)
        self.new(names[1], INT64, 1)

    def step_scan(self):
        v = self.pick((FLOAT,), least=1, exact=True)
        if not v or self.depth > 1:
            return
        axis = self.r.randrange(v.rank)
        x, s = self.fresh('row'), self.fresh('state')
        start = self.constant(np.float32(0))
        self.scopes.append({'nodes': [], 'values': []})
        self.depth += 1
        row = self.new(x, FLOAT, v.rank - 1)
        for _ in range(self.r.randint(0, 3)):
            self.step()
        self.depth -= 1
        total = self.tame(self.emit('Add', [s, self.emit('ReduceSum', [x], keepdims=0)]))
        own = [w for w in self.scopes[-1]['values'] if w.dtype == FLOAT and w.shape_class == row.shape_class and w.exact]
        out = self.emit('Identity', [self.r.choice(own)])
        body = self.close('scan', [helper.make_tensor_value_info(s, FLOAT, []),
                                   helper.make_tensor_value_info(x, FLOAT, None)],
                          [helper.make_tensor_value_info(total, FLOAT, []),
                           helper.make_tensor_value_info(out, FLOAT, None)])
        reverse = self.r.randrange(2)
        names = self.emit('Scan', [start, v], 2, body=body, num_scan_inputs=1, scan_input_axes=[axis],
                          scan_input_directions=[reverse], scan_output_directions=[self.r.randrange(2)])
        self.new(names[0], FLOAT, 0)
        self.new(names[1], FLOAT, v.rank)

    def step_function(self):
        """Adds a call of a local function, which may call another one."""
        v = self.pick(exact=True)
        if not v:
            return
        if not self.functions:
            opset = [helper.make_opsetid('', 21), helper.make_opsetid('local', 1)]
            inner = helper.make_function('local', 'Halve', ['x'], ['y'], [
                helper.make_node('Constant', [], ['h'], value_float=0.5),
                helper.make_node('Mul', ['x', 'h'], ['y'])], opset)
            slope = helper.make_node('LeakyRelu', ['t'], ['y'])
            slope.attribute.append(onnx.AttributeProto(name='alpha', ref_attr_name='alpha', type=onnx.AttributeProto.FLOAT))
            outer = helper.make_function('local', 'Bend', ['x'], ['y', 'n'], [
                helper.make_node('Halve', ['x'], ['t'], domain='local'), slope,
                helper.make_node('Size', ['y'], ['n'])], opset, attributes=['alpha'])
            self.functions = [inner, outer]
        y, n = self.emit('Bend', [v], 2, domain='local', alpha=self.r.choice([0.5, 0.25]))
        self.new(self.tame(y), FLOAT, v.rank, v.shape_class)
        self.new(n, INT64, 0)
