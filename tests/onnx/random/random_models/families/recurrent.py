"""Generators of LSTM, GRU and RNN."""

import numpy as np

from .registry import operator

GATES = {'RNN': 1, 'GRU': 3, 'LSTM': 4}
ACTIVATIONS = {'RNN': 1, 'GRU': 2, 'LSTM': 3}


@operator(*GATES)
def recurrent(m, name):
    steps, batch, size, hidden = m.integer(1, 4), m.integer(1, 3), m.integer(1, 5), m.integer(1, 5)
    direction = m.choice([None, 'forward', 'reverse', 'bidirectional'])
    directions = 2 if direction == 'bidirectional' else 1
    layout = m.integer(0, 1) if m.opset >= 14 and m.chance(0.25) else 0
    m.loose = True

    def states(width):
        return (batch, directions, width) if layout else (directions, batch, width)

    x = m.value('float32', shape=(batch, steps, size) if layout else (steps, batch, size), finite=True)
    w = m.value('float32', shape=(directions, GATES[name] * hidden, size), constant=m.chance(0.8), low=-1, high=1, finite=True)
    r = m.value('float32', shape=(directions, GATES[name] * hidden, hidden), constant=m.chance(0.8), low=-1, high=1, finite=True)
    b = (
        m.value('float32', shape=(directions, 2 * GATES[name] * hidden), constant=m.chance(0.8), low=-1, high=1, finite=True)
        if m.chance(0.6)
        else None
    )
    lengths = m.source(m.rng.integers(1, steps, batch, endpoint=True).astype(np.int32)) if m.chance(0.25) else None
    initial = [
        m.value('float32', shape=states(hidden), finite=True) if m.chance(0.4) else None
        for _ in range(2 if name == 'LSTM' else 1)
    ]
    inputs = [x, w, r, b, lengths, *initial]
    given = {'hidden_size': hidden, 'direction': direction, 'layout': layout or None, 'clip': m.choice([None, None, None, 0.5])}
    if name == 'LSTM':
        inputs.append(m.value('float32', shape=(directions, 3 * hidden), low=-1, high=1, finite=True) if m.chance(0.3) else None)
        given['input_forget'] = m.choice([None, None, 0, 1])
    if name == 'GRU':
        given['linear_before_reset'] = m.choice([None, 0, 1])
    if m.chance(0.3):
        given['activations'] = [
            m.choice(['Tanh', 'Sigmoid', 'Relu', 'HardSigmoid', 'Softsign']) for _ in range(ACTIVATIONS[name] * directions)
        ]
    outputs = ['float32' if m.chance(0.7) else None for _ in range(3 if name == 'LSTM' else 2)]
    if not any(outputs):
        outputs[0] = 'float32'
    m.node(name, inputs, outputs, **given)
