"""Makes a random model and its inputs."""
import numpy as np

from onnx import helper

from .builder import FLOAT, INT64, STRING
from .control import Control
from .operators import Operators
from .tensors import Tensors


class Generator(Tensors, Operators, Control):
    """Makes one model from a seed, of at most `steps` steps."""

    def step(self):
        names = [n for n in dir(self) if n.startswith('step_')]
        control = ['step_if', 'step_loop', 'step_scan', 'step_sequence', 'step_string']
        getattr(self, self.r.choice(names + control))()

    def model(self):
        self.scopes = [{'nodes': [], 'values': []}]
        shape = self.r.choice([['n', 3], ['n', 'm'], [None, None], ['n'], ['n', 2, 'm'], ['n', None]])
        inputs = [helper.make_tensor_value_info('x', FLOAT, shape)]
        self.new('x', FLOAT, len(shape))
        if self.r.random() < 0.5:
            inputs.append(helper.make_tensor_value_info('k', INT64, []))
            self.new('k', INT64, 0)
        if self.r.random() < 0.4:
            inputs.append(helper.make_tensor_value_info('text', STRING, ['t']))
            self.new('text', STRING, 1)
        given = {i.name for i in inputs}
        for _ in range(self.r.randint(3, self.steps)):
            self.step()
        made = [v for v in self.scopes[0]['values'] if v.name not in given]
        chosen = self.r.sample(made, min(len(made), self.r.randint(1, 4))) + made[-1:]
        outputs = {v.name: helper.make_tensor_value_info(v.name, v.dtype, None) for v in chosen}
        for name, dtype in self.sequences:
            outputs[name] = helper.make_tensor_sequence_value_info(name, dtype, None)
        graph = helper.make_graph(self.scopes[0]['nodes'], 'random', inputs, list(outputs.values()))
        opsets = [helper.make_opsetid('', 21), helper.make_opsetid('ai.onnx.ml', 3)]
        if self.functions:
            opsets.append(helper.make_opsetid('local', 1))
        model = helper.make_model(graph, opset_imports=opsets, functions=self.functions)
        model.ir_version = 10
        return model, bool(made)


def feeds_of(model, rng, sizes):
    feeds = {}
    for i in model.graph.input:
        kind = i.type.tensor_type
        if i.name == 'k':
            feeds['k'] = np.array(rng.integers(0, 4), np.int64)
        elif kind.elem_type == STRING:
            words = ['1', '2', 'x', '', 'a b', 'Ab a', '-3', '12']
            feeds[i.name] = np.array([words[rng.integers(len(words))] for _ in range(sizes[0])], object)
        else:
            open_sizes = iter(sizes)
            names = {}
            shape = []
            for d in kind.shape.dim:
                if d.HasField('dim_value'):
                    shape.append(d.dim_value)
                else:
                    shape.append(names.setdefault(d.dim_param or len(names), next(open_sizes)))
            feeds[i.name] = (rng.integers(-8, 9, shape) / 4).astype(np.float32)
    return feeds
