"""Random models of com.microsoft.DynamicQuantizeLSTM, and the operator in NumPy. A seed makes the same model each time."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from random_quantized.numbers import integers, quantized

# The inputs of the operator, in order.
INPUTS = ['X', 'W', 'R', 'B', 'lengths', 'h', 'c', 'P', 'W_scale', 'W_zero', 'R_scale', 'R_zero']
TYPES = {'float32': TensorProto.FLOAT, 'int8': TensorProto.INT8, 'uint8': TensorProto.UINT8, 'int32': TensorProto.INT32}


class LstmModel:
    """A model of one node. `values` holds the current arrays of all inputs; `fed` names those that a run gets."""

    def __init__(self, seed):
        self.random = random = np.random.default_rng(seed)
        self.direction = str(random.choice(['forward', 'reverse', 'bidirectional']))
        self.directions = 2 if self.direction == 'bidirectional' else 1
        is_large = random.random() < 0.2
        self.steps, self.batch = int(random.integers(1, 7)), int(random.integers(1, 5))
        self.size = int(random.choice([1, 2, 7, 63, 64, 65, 130, 300] if is_large else [1, 2, 3, 5, 8, 17]))
        self.hidden = int(random.choice([1, 3, 16, 64, 65, 100] if is_large else [1, 2, 3, 5, 9]))
        if random.random() < 0.05:
            setattr(self, str(random.choice(['steps', 'batch', 'size'])), 0)
        self.types = {name: random.choice([np.int8, np.uint8]) for name in 'WR'}
        self.has_scale_per_column = {name: random.random() < 0.4 for name in 'WR'}
        self.optional = [name for name in ('B', 'lengths', 'h', 'c', 'P') if random.random() < 0.5]
        self.is_open = random.random() < 0.5
        self.values = self.new_values()
        share = random.choice([0, 0.5, 1])
        self.fed = ['X'] + [name for name in self.values if name != 'X' and random.random() < share]

    def __str__(self):
        sizes = f'{self.steps} steps, batch {self.batch}, size {self.size}, hidden {self.hidden}'
        types = ', '.join(f'{name} {np.dtype(dtype)}' for name, dtype in self.types.items())
        form = f'scales per column {self.has_scale_per_column}, optional {self.optional}, fed {self.fed}'
        return f'{self.direction}, {sizes}, {types}, {form}, {"open" if self.is_open else "fixed"}'

    def new_values(self):
        """Returns new random arrays for all inputs of the node, with the same shapes each time."""
        random, directions, columns = self.random, self.directions, 4 * self.hidden

        def normal(*shape):
            return random.standard_normal(shape).astype(np.float32)

        values = {'X': normal(self.steps, self.batch, self.size) * np.float32(random.choice([0.1, 1, 5]))}
        for name, rows in (('W', self.size), ('R', self.hidden)):
            shape = (directions, columns) if self.has_scale_per_column[name] else (directions,)
            values[name] = integers(random, (directions, rows, columns), self.types[name])
            values[name + '_scale'] = (random.random(shape) * 0.02 + 0.001).astype(np.float32)
            values[name + '_zero'] = integers(random, shape, self.types[name])
        optional = {
            'B': normal(directions, 8 * self.hidden),
            'lengths': random.integers(0, self.steps + 1, self.batch).astype(np.int32),
            'h': normal(directions, self.batch, self.hidden),
            'c': normal(directions, self.batch, self.hidden),
            'P': normal(directions, 3 * self.hidden),
        }
        return values | {name: optional[name] for name in self.optional}

    def change(self, in_place):
        """Changes some of the fed arrays: writes into the arrays of the last run, or replaces them with new arrays."""
        new = self.new_values()
        for name in self.fed:
            if self.random.random() < 0.6:
                if in_place:
                    self.values[name][...] = new[name]
                else:
                    self.values[name] = new[name]

    def feed(self):
        return {name: self.values[name] for name in self.fed}

    def model_bytes(self):
        inputs, initializers = [], []
        for name, value in self.values.items():
            if name in self.fed:
                shape = [f'{name}{axis}' for axis in range(value.ndim)] if self.is_open else value.shape
                inputs.append(helper.make_tensor_value_info(name, TYPES[value.dtype.name], shape))
            else:
                initializers.append(numpy_helper.from_array(value, name))
        names = [name if name in self.values else '' for name in INPUTS]
        attributes = {'direction': self.direction, 'hidden_size': self.hidden}
        node = helper.make_node('DynamicQuantizeLSTM', names, ['Y', 'Y_h', 'Y_c'], domain='com.microsoft', **attributes)
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output]
        graph = helper.make_graph([node], 'lstm', inputs, outputs, initializers)
        operator_sets = [helper.make_opsetid('', 18), helper.make_opsetid('com.microsoft', 1)]
        return helper.make_model(graph, opset_imports=operator_sets, ir_version=9).SerializeToString()

    def expected(self, actual):
        """Computes Y, Y_h and Y_c in float32. Each step begins with the hidden states of `actual`, the Y of a session, because a
        difference of one rounding could change their quantization."""
        values, directions, hidden = self.values, self.directions, self.hidden
        lengths = values.get('lengths', np.full(self.batch, self.steps))
        y = np.zeros((self.steps, directions, self.batch, hidden), np.float32)
        zeros = np.zeros((directions, self.batch, hidden), np.float32)
        h, c = values.get('h', zeros).copy(), values.get('c', zeros).copy()
        bias = values.get('B', np.zeros((directions, 8 * hidden), np.float32))
        peepholes = values.get('P', np.zeros((directions, 3 * hidden), np.float32))
        for d in range(directions):
            is_reverse = self.direction == 'reverse' or d == 1
            input_bias, recurrent_bias = np.split(bias[d], 2)
            to_in, to_out, to_forget = np.split(peepholes[d], 3)
            projected = self.product(values['X'].reshape(self.steps * self.batch, self.size), 'W', d)
            projected = projected.reshape(self.steps, self.batch, 4 * hidden)
            for step in range(self.steps):
                recurrent = self.product(h[d], 'R', d)
                running = np.flatnonzero(step < lengths)
                at = lengths[running] - 1 - step if is_reverse else np.full(len(running), step)
                sums = recurrent[running] + projected[at, running] + input_bias + recurrent_bias
                gate_in, gate_out, gate_forget, cell = np.split(sums, 4, axis=1)
                state = c[d, running]
                forgotten = sigmoid(gate_forget + to_forget * state) * state
                state = forgotten + sigmoid(gate_in + to_in * state) * np.tanh(cell)
                c[d, running] = state
                y[at, d, running] = sigmoid(gate_out + to_out * state) * np.tanh(state)
                h[d, running] = actual[at, d, running]
        return y, h, c

    def product(self, rows, name, direction):
        """Quantizes float32 rows with one scale, and multiplies them by the weights `name` of a direction. Sums are exact."""
        columns = 4 * self.hidden
        scales, zero_points = (
            np.broadcast_to(self.values[name + suffix].reshape(self.directions, -1)[direction], columns) for suffix in ('_scale', '_zero')
        )
        numbers, scale, zero_point = quantized(rows)
        sums = (numbers - zero_point) @ (self.values[name][direction].astype(np.int64) - zero_points)
        return sums.astype(np.float32) * (scale * scales)


def sigmoid(x):
    with np.errstate(over='ignore'):
        return np.float32(1) / (np.float32(1) + np.exp(-x))
