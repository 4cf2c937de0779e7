"""Draws what operations do. The library computes all numbers in the pictures.

To show where an operation that moves elements takes each element of the result from, the operation is run on the numbers of
the elements (1, 2, 3, ...); source and result get the same color. For other operations, the picture marks one element of the
result and all elements of the operands that change it. A function of one number is drawn as a curve.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

import numpy as np
import webnn

from examples import EXAMPLES, MOVES, UNARY, Array, Example
from programs import Row, names_of, operands, results

CELL_WIDTH, CELL_HEIGHT, GAP, TITLE = 40, 24, 16, 18
MARKED = "#3f8fd8"
MOVED = [name for name in MOVES if name not in ("cast", "cumulativeSum")]
INDEXED = ("indices", "condition")  # operands that select the elements to move
RANGES = {"exp": (-3, 2), "log": (0.05, 4), "sqrt": (0, 4), "tan": (-1.5, 1.5), "reciprocal": (-4, 4), "clamp": (-4, 10)}


def short(value: float) -> str:
    text = f"{value:.3g}"
    if len(text) > 5:
        text = f"{value:.2g}" if abs(value) >= 0.1 else f"{value:.2f}"
    return text.replace("e+0", "e").replace("e-0", "e-").replace("inf", "∞").replace("nan", "NaN")


def colour(number: int, count: int) -> str:
    return f"hsl({(number - 1) * 330 / max(count, 1):.0f} 70% 55%)"


@dataclass
class Grid:
    """A tensor, drawn as rows of cells. With more than two dimensions, its planes are drawn side by side.

    fills: the color of each element; empty: none
    """

    name: str
    values: Array
    fills: list[str]

    def planes(self) -> Array:
        shape = self.values.shape
        rows = (1, 1, *shape)[-max(2, len(shape)) :]
        return self.values.reshape(-1, rows[-2], rows[-1])

    @property
    def width(self) -> int:
        planes = self.planes()
        cells = len(planes) * (int(planes.shape[2]) * CELL_WIDTH + GAP) - GAP
        return max(cells, 7 * (len(self.title()) + 1))

    @property
    def height(self) -> int:
        return TITLE + int(self.planes().shape[1]) * CELL_HEIGHT

    def title(self) -> str:
        return f"{self.name} {list(self.values.shape)}"

    def draw(self, left: float, top: float) -> Iterator[str]:
        shape = f'<tspan class="of">{list(self.values.shape)}</tspan>'
        yield f'<text class="name" x="{left}" y="{top + 6}">{escape(self.name)} {shape}</text>'
        planes = self.planes()
        for i, value in enumerate(self.values.reshape(-1)):
            plane, row, column = np.unravel_index(i, planes.shape)
            x = left + plane * (planes.shape[2] * CELL_WIDTH + GAP) + column * CELL_WIDTH
            y = top + TITLE + row * CELL_HEIGHT
            box = f'x="{x}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}"'
            if self.fills[i]:
                yield f'<rect {box} fill="{self.fills[i]}" fill-opacity=".4"/>'
            yield f'<rect class="cell" {box}/>'
            yield f'<text x="{x + CELL_WIDTH / 2}" y="{y + CELL_HEIGHT / 2}">{short(float(value))}</text>'


def svg(width: float, height: float, name: str, lines: Iterator[str]) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(name)}">'
    return f"{head}{''.join(lines)}</svg>"


def laid_out(inputs: list[Grid], outputs: list[Grid], name: str) -> str:
    """Draws the operands on the left, one below the other, the operation in the middle, and its results on the right."""
    left = max(grid.width for grid in inputs)
    right = max(grid.width for grid in outputs)
    middle = 9 * len(name) + 60
    heights = [sum(grid.height + GAP for grid in side) for side in (inputs, outputs)]
    height = max(heights)

    def lines() -> Iterator[str]:
        for side, x, own in ((inputs, 1, heights[0]), (outputs, left + middle + 1, heights[1])):
            y = (height - own) / 2 + GAP / 2
            for grid in side:
                yield from grid.draw(x, y)
                y += grid.height + GAP
        centre, y = left + middle / 2, height / 2
        yield f'<text class="name" style="text-anchor:middle" x="{centre}" y="{y - 10}">{escape(name)}</text>'
        yield f'<path class="axis" d="M{left + 14} {y + 6}H{left + middle - 14}m-7 -5l7 5l-7 5"/>'

    return svg(left + middle + right + 2, height, f"what {name} does", lines())


def of_moves(context: webnn.MLContext, row: Row, example: Example) -> str:
    numbered, count = {}, 0
    for name, operand in operands(example):
        if name not in INDEXED:
            numbered[name] = np.arange(count + 1, count + 1 + operand.values.size, dtype=np.float32).reshape(operand.values.shape)
            count += operand.values.size
    origins = results(context, row, example, numbered)
    made = results(context, row, example)

    def fills(numbers: Array | None, size: int) -> list[str]:
        return [colour(int(n), count) if n else "" for n in numbers.reshape(-1)] if numbers is not None else [""] * size

    inputs = [Grid(name, operand.values, fills(numbered.get(name), operand.values.size)) for name, operand in operands(example)]
    outputs = [
        Grid(name, array, fills(origin, array.size))
        for name, array, origin in zip(names_of(len(made)), made, origins, strict=True)
    ]
    return laid_out(inputs, outputs, row["name"])


def of_influence(context: webnn.MLContext, row: Row, example: Example) -> str:
    made = results(context, row, example)
    inputs = []
    for name, operand in operands(example):
        fills = []
        for i in range(operand.values.size):
            is_marked = False
            for step in (5, -3) if operand.values.dtype.kind == "f" else (1, 2):
                changed = operand.values.copy()
                changed.reshape(-1)[i] += np.asarray(step).astype(changed.dtype)
                after = results(context, row, example, {name: changed})
                is_marked |= after[0].reshape(-1)[example.shown].tobytes() != made[0].reshape(-1)[example.shown].tobytes()
            fills.append(MARKED if is_marked else "")
        inputs.append(Grid(name, operand.values, fills))
    outputs = [
        Grid(name, array, [MARKED if not k and i == example.shown else "" for i in range(array.size)])
        for k, (name, array) in enumerate(zip(names_of(len(made)), made, strict=True))
    ]
    return laid_out(inputs, outputs, row["name"])


def of_function(context: webnn.MLContext, row: Row, example: Example) -> str:
    width, height, margin = 420, 220, 24
    low, high = RANGES.get(row["name"], (-4, 4))
    x = np.linspace(low, high, 421, dtype=np.float32)
    (name, operand), *_ = operands(example)
    curve = Example({**example.arguments, name: type(operand)(x)})
    y = results(context, row, curve)[0]
    (points,) = results(context, row, example)
    bottom, top = max(float(y.min()), -4.0), min(float(y.max()), 8.0)
    bottom, top = min(bottom, 0) - 0.3, max(top, 0) + 0.3

    def at(a: float, b: float) -> tuple[float, float]:
        return margin + (a - low) / (high - low) * (width - 2 * margin), margin + (top - b) / (top - bottom) * (
            height - 2 * margin
        )

    def lines() -> Iterator[str]:
        left, zero = at(max(low, min(0, high)), 0)
        yield f'<path class="axis" d="M{margin} {zero:.1f}H{width - margin}M{left:.1f} {margin}V{height - margin}"/>'
        for tick in range(int(np.ceil(low)), int(np.floor(high)) + 1):
            if tick:
                yield f'<text class="of" x="{at(tick, 0)[0]:.1f}" y="{zero + 10:.1f}">{tick}</text>'
        for tick in range(int(np.ceil(bottom)), int(np.floor(top)) + 1):
            if tick:
                yield f'<text class="of" x="{left - 10:.1f}" y="{at(0, tick)[1]:.1f}">{tick}</text>'
        path, is_drawing = "", False
        for a, b in zip(x, y, strict=True):
            inside = bottom <= b <= top
            path += f"{'L' if is_drawing else 'M'}{at(a, b)[0]:.1f} {at(a, b)[1]:.1f}" if inside else ""
            is_drawing = bool(inside)
        yield f'<path class="curve" d="{path}"/>'
        for a, b in zip(operand.values, points, strict=True):
            if low <= a <= high and bottom <= b <= top:
                title = f"<title>{a:g} becomes {b:g}</title>"
                yield f'<circle cx="{at(a, b)[0]:.1f}" cy="{at(a, b)[1]:.1f}" r="3.5" fill="#d8683f">{title}</circle>'

    return svg(width, height, f"the curve of {row['name']}", lines())


def of_sequence(context: webnn.MLContext, row: Row, example: Example) -> str:
    """Draws the steps of a recurrent network. Each takes an element of the sequence and the state of the previous step."""
    made = results(context, row, example)
    states = [made[-1][i, 0] for i in range(made[-1].shape[0])]
    inputs = [Grid(f"input, step {i}", part, [""] * part.size) for i, part in enumerate(example.arguments["input"].values)]
    hidden = [
        Grid(f"hidden, step {i}", part, [MARKED if i == len(states) - 1 else ""] * part.size) for i, part in enumerate(states)
    ]
    pitch = max(grid.width for grid in inputs + hidden) + 70

    def lines() -> Iterator[str]:
        for i, (taken, given) in enumerate(zip(inputs, hidden, strict=True)):
            x, box = 1 + i * pitch, 100
            yield from given.draw(x, 4)
            yield f'<rect class="cell" x="{x}" y="{box}" width="{given.width}" height="34" rx="6"/>'
            centre = x + given.width / 2
            yield f'<text class="name" style="text-anchor:middle" x="{centre}" y="{box + 17}">{row["name"]}Cell</text>'
            yield from taken.draw(x, box + 80)
            for below, above in ((box + 74, box + 38), (box - 4, box - 34)):
                yield f'<path class="axis" d="M{centre} {below}V{above}m-4 7l4 -7l4 7"/>'
            if i + 1 < len(hidden):
                yield f'<path class="axis" d="M{x + given.width + 4} {box + 17}H{x + pitch - 6}m-7 -5l7 5l-7 5"/>'

    return svg(len(inputs) * pitch - 60, 180 + max(grid.height for grid in inputs) + 4, f"the steps of {row['name']}", lines())


def picture(context: webnn.MLContext, row: Row) -> str:
    name = row["name"]
    draw: Callable[[webnn.MLContext, Row, Example], str] = of_influence
    if name in UNARY:
        draw = of_function
    elif name in MOVED:
        draw = of_moves
    elif name in ("gru", "lstm"):
        draw = of_sequence
    return draw(context, row, EXAMPLES[name])
