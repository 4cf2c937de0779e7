"""profile(): measures the steps of a graph and shows their times as a table and a picture."""

from dataclasses import dataclass

import numpy as np

from webnn._arguments import must_be
from webnn._errors import ArgumentError, NotSupportedError
from webnn._types import Arrays
from webnn._webnn import MLGraph

_SHOWN = 30  # maximum number of steps in a picture or table; all other steps share one row
_NAME = 38  # maximum number of characters of a name in a picture
_CELL = 80  # maximum number of characters of a name in a table


@dataclass(frozen=True)
class StepTime:
    """The time of a step of the engine: the median over the runs.

    >>> webnn.StepTime(0, "relu", "r1", "", 2e-6, 0.5).seconds
    2e-06
    """

    index: int  # the step's number; `steps` of each operation in MLGraph.placement() lists such numbers
    operation: str
    label: str
    kernel: str
    seconds: float
    share: float  # fraction of the time of all steps


@dataclass(frozen=True)
class Profile:
    """The result of profile(). It prints as a table; notebooks show it with a picture.

    >>> graph = webnn.load("examples/digits/digits.webnn")
    >>> len(webnn.profile(graph, {"image": np.zeros((1, 1, 28, 28), np.float32)}).steps) > 0
    True
    """

    steps: tuple[StepTime, ...]  # steps in the order of execution
    runs: int

    @property
    def seconds(self) -> float:
        """The sum of the steps' times."""
        return sum(step.seconds for step in self.steps)

    def by_operation(self) -> dict[str, float]:
        """Returns the sum of seconds for each operation, the longest first.

        >>> webnn.Profile((), 1).by_operation()
        {}
        """
        sums: dict[str, float] = {}
        for step in self.steps:
            sums[step.operation] = sums.get(step.operation, 0.0) + step.seconds
        return dict(sorted(sums.items(), key=lambda item: -item[1]))

    def _rows(self) -> list[tuple[str, str, str, str, float]]:
        """Returns rows (time, share, name, kernel, share as a number) of the longest steps. All other steps share one row."""
        steps = sorted(self.steps, key=lambda step: -step.seconds)
        rows = [
            (
                f"{step.seconds * 1e6:.1f}",
                f"{step.share:.1%}",
                f"{step.index} {step.operation} {step.label}".rstrip(),
                step.kernel,
                step.share,
            )
            for step in steps[:_SHOWN]
        ]
        if rest := steps[_SHOWN:]:
            seconds, share = sum(step.seconds for step in rest), sum(step.share for step in rest)
            rows.append((f"{seconds * 1e6:.1f}", f"{share:.1%}", f"{len(rest)} more", "", share))
        return rows

    def __str__(self) -> str:
        lines = [("us", "share", "step", "kernel"), *((_plain(a), _plain(b), _plain(c), _plain(d)) for a, b, c, d, _ in self._rows())]
        widths = [max(len(line[i]) for line in lines) for i in range(4)]
        table = (f"{a:>{widths[0]}}  {b:>{widths[1]}}  {c:<{widths[2]}}  {d}".rstrip() for a, b, c, d in lines)
        return "\n".join([f"{self.seconds * 1e6:.1f} us in {len(self.steps)} steps, medians of {self.runs} runs", *table])

    def __repr__(self) -> str:
        return f"<Profile {self.seconds * 1e6:.1f} us in {len(self.steps)} steps>"

    def to_svg(self) -> str:
        """Returns an SVG with a bar for each of the longest steps, and one for all others.

        >>> webnn.Profile((), 1).to_svg()[:4]
        '<svg'
        """
        rows, line, names, bars = self._rows(), 22, 260, 320
        most = max((share for *_, share in rows), default=1.0) or 1.0
        width, height = names + bars + 130, 16 + line * max(len(rows), 1)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="webnn-profile" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img"><title>{_escaped(repr(self))}</title>',
            "<style>.webnn-profile text{font:12px system-ui,sans-serif;fill:#1f2328}.webnn-profile .page{fill:#fff}"
            ".webnn-profile .bar{fill:#2563eb}@media (prefers-color-scheme:dark){.webnn-profile text{fill:#f0f6fc}"
            ".webnn-profile .page{fill:#0d1117}.webnn-profile .bar{fill:#4f8cff}}</style>",
            f'<rect class="page" width="{width}" height="{height}"/>',
        ]
        for i, (time, percent, name, _, share) in enumerate(rows):
            y = 8 + i * line
            length = bars * share / most
            parts.append(
                f'<text x="{names}" y="{y + 15}" text-anchor="end">{_escaped(_plain(name, _NAME))}</text>'
                f'<rect class="bar" x="{names + 8}" y="{y + 3}" width="{max(length, 1):.1f}" height="{line - 6}" rx="3"/>'
                f'<text x="{names + 14 + length:.1f}" y="{y + 15}">{time} µs, {percent}</text>'
            )
        return "\n".join([*parts, "</svg>\n"])

    _repr_svg_ = to_svg

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align:right">{time}</td><td style="text-align:right">{share}</td>'
            f'<td style="text-align:left">{_escaped(_plain(name))}</td>'
            f'<td style="text-align:left">{_escaped(_plain(kernel))}</td></tr>'
            for time, share, name, kernel, _ in self._rows()
        )
        return (
            f"<p>{self.seconds * 1e6:.1f} µs in {len(self.steps)} steps, medians of {self.runs} runs</p>{self.to_svg()}"
            f"<details><summary>Table</summary><table><thead><tr><th>µs</th><th>share</th><th>step</th><th>kernel</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></details>"
        )


def _escaped(text: str) -> str:
    import html  # noqa: PLC0415  # takes longer to import than webnn's own modules

    return html.escape(text)


def _plain(text: str, most: int = _CELL) -> str:
    """Replaces unprintable characters, and cuts the text to `most` characters."""
    if len(text) > most:
        text = text[: most - 1] + "…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def profile(graph: MLGraph, inputs: Arrays, *, runs: int = 10) -> Profile:
    """Measures each step of a graph: the median over `runs` runs, after one that does not count.

    >>> graph = webnn.load("examples/digits/digits.webnn")
    >>> webnn.profile(graph, {"image": np.zeros((1, 1, 28, 28), np.float32)}, runs=2).runs
    2
    """
    if not isinstance(graph, MLGraph):
        raise must_be("profile: graph", "an MLGraph", graph)
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise ArgumentError(f"profile: runs ({runs!r}) is not an integer of 1 or more.")
    if not graph._profile(inputs):
        raise NotSupportedError("profile: the backend does not tell what its steps take; the CPU engine (backend cpu) does.")
    measured = [graph._profile(inputs) for _ in range(runs)]
    seconds = [float(np.median([run[i][4] for run in measured])) for i in range(len(measured[0]))]
    total = sum(seconds) or 1.0
    return Profile(
        tuple(
            StepTime(i, operation, label, kernel, seconds[i], seconds[i] / total)
            for i, (operation, label, kernel, _, _) in enumerate(measured[0])
        ),
        runs,
    )
