"""Recurrent networks in NumPy, step by step, as references for the tests."""

from collections.abc import Callable
from typing import Any

import numpy as np
from samples import Array, Entry, Sample, Values

ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: np.asarray(1 / (1 + np.exp(-x))),
    "tanh": np.tanh,
}


def _gates(letters: str, layout: str, array: Array | None, size: int) -> dict[str, Array]:
    """Splits weights or biases into the parts of the gates, by letter. Absent weights or biases are zeros."""
    parts = [np.zeros(size)] * len(layout) if array is None else np.split(array, len(layout))
    return {letter: parts[layout.index(letter)] for letter in letters}


def _gru_cell(
    input: Array,
    weight: Array,
    recurrent_weight: Array,
    hidden_state: Array,
    hidden_size: int,
    bias: Array | None = None,
    recurrent_bias: Array | None = None,
    reset_after: bool = True,
    layout: str = "zrn",
    activations: list[str] | None = None,
) -> Array:
    gate, candidate = (ACTIVATIONS[name] for name in activations or ["sigmoid", "tanh"])
    w, r, b, rb = (_gates("zrn", layout, array, hidden_size) for array in (weight, recurrent_weight, bias, recurrent_bias))
    x = {k: input @ w[k].T + b[k] for k in "zrn"}
    z, reset = (gate(x[k] + hidden_state @ r[k].T + rb[k]) for k in "zr")
    if reset_after:
        n = candidate(x["n"] + reset * (hidden_state @ r["n"].T + rb["n"]))
    else:
        n = candidate(x["n"] + (reset * hidden_state) @ r["n"].T + rb["n"])
    return np.asarray(z * hidden_state + (1 - z) * n)


def _lstm_cell(
    input: Array,
    weight: Array,
    recurrent_weight: Array,
    hidden_state: Array,
    cell_state: Array,
    hidden_size: int,
    bias: Array | None = None,
    recurrent_bias: Array | None = None,
    peephole_weight: Array | None = None,
    layout: str = "iofg",
    activations: list[str] | None = None,
) -> list[Array]:
    gate, candidate, output = (ACTIVATIONS[name] for name in activations or ["sigmoid", "tanh", "tanh"])
    w, r, b, rb = (_gates("iofg", layout, array, hidden_size) for array in (weight, recurrent_weight, bias, recurrent_bias))
    peepholes = _gates("iof", "iof", peephole_weight, hidden_size)
    sums = {k: input @ w[k].T + b[k] + hidden_state @ r[k].T + rb[k] for k in "iofg"}
    i, o, f = (gate(sums[k] + peepholes[k] * cell_state) for k in "iof")
    cell = f * cell_state + i * candidate(sums["g"])
    return [o * output(cell), cell]


def _directions(direction: str, steps: int) -> list[list[int]]:
    ways = {"forward": list(range(steps)), "backward": list(range(steps))[::-1]}
    return list(ways.values()) if direction == "both" else [ways[direction]]


def _part(array: Array | None, i: int) -> Array | None:
    return None if array is None else array[i]


def _network(cell: Callable[..., Any], states: list[str]) -> Callable[..., Any]:
    def reference(
        input: Array,
        weight: Array,
        recurrent_weight: Array,
        steps: int,
        hidden_size: int,
        direction: str = "forward",
        return_sequence: bool = False,
        **more: Any,
    ) -> list[Array]:
        initial = {name: more.pop(name, None) for name in states}
        last, sequences = [], []
        for i, order in enumerate(_directions(direction, steps)):
            options = {key: _part(value, i) if isinstance(value, np.ndarray) else value for key, value in more.items()}
            now = [np.zeros((input.shape[1], hidden_size)) if initial[name] is None else initial[name][i] for name in states]
            sequence = np.zeros((steps, input.shape[1], hidden_size))
            for step in order:
                made = cell(input[step], weight[i], recurrent_weight[i], *now, hidden_size, **options)
                now = made if isinstance(made, list) else [made]
                sequence[step] = now[0]
            last.append(now)
            sequences.append(sequence)
        results = [np.stack([state[k] for state in last]) for k in range(len(states))]
        return [*results, np.stack(sequences, 1)] if return_sequence else results

    return reference


def _recurrent(name: str, gates: int) -> list[Sample]:
    """Makes samples of gru and lstm: 4 steps, batch size 2, 3 features, hidden size 5."""
    lstm = name == "lstm"

    def sample(directions: int, with_operands: bool, **options: Any) -> Sample:
        d, hidden = directions, 5
        made: Sample = {
            "input": Values(4, 2, 3, low=-1, high=1),
            "weight": Values(d, gates * hidden, 3, low=-1, high=1),
            "recurrent_weight": Values(d, gates * hidden, hidden, low=-1, high=1),
            "steps": 4,
            "hidden_size": hidden,
        }
        if with_operands:
            made["bias"] = made["recurrent_bias"] = Values(d, gates * hidden, low=-1, high=1)
            made["initial_hidden_state"] = Values(d, 2, hidden, low=-1, high=1)
            if lstm:
                made |= {"peephole_weight": Values(d, 3 * hidden, low=-1, high=1), "initial_cell_state": Values(d, 2, hidden)}
        return made | options

    activations = ["tanh", "sigmoid", "relu"] if lstm else ["sigmoid", "relu"]
    return [
        sample(1, False),
        sample(1, True, return_sequence=True),
        sample(1, True, direction="backward", return_sequence=True),
        sample(2, True, direction="both", return_sequence=True),
        sample(1, True, layout="ifgo" if lstm else "rzn", activations=activations),
        *([] if lstm else [sample(1, True, reset_after=False)]),
    ]


def _cells(name: str, gates: int) -> list[Sample]:
    """Makes samples of cells from the samples of networks, without steps and directions."""
    kept = []
    for sample in _recurrent(name, gates):
        if "direction" in sample or "return_sequence" in sample:
            continue
        made = {
            key: Values(*value.shape[1:], low=-1, high=1) if isinstance(value, Values) else value for key, value in sample.items()
        }
        del made["steps"]
        made["hidden_state"] = made.pop("initial_hidden_state", Values(2, 5))
        if name == "lstm":
            made["cell_state"] = made.pop("initial_cell_state", Values(2, 5))
        kept.append(made)
    return kept


TABLE: dict[str, Entry] = {
    "gru": Entry(_network(_gru_cell, ["initial_hidden_state"]), _recurrent("gru", 3), 16, of_largest=True),
    "gru_cell": Entry(_gru_cell, _cells("gru", 3), 16, of_largest=True),
    "lstm": Entry(
        _network(_lstm_cell, ["initial_hidden_state", "initial_cell_state"]), _recurrent("lstm", 4), 16, of_largest=True
    ),
    "lstm_cell": Entry(_lstm_cell, _cells("lstm", 4), 16, of_largest=True),
}
