"""The methods of MLGraph written in Python: compute() and the display in notebooks."""

from typing import Any

from webnn._types import Array, Arrays
from webnn._webnn import Cancellation, MLGraph


def compute(
    self: MLGraph, inputs: Arrays, outputs: Arrays | None = None, *, timeout: float | None = None, cancellation: Cancellation | None = None
) -> dict[str, Array]:
    """Computes the outputs like MLContext.compute(), in the graph's own context.

    >>> builder = webnn.MLGraphBuilder(webnn.ML().create_context())
    >>> graph = builder.build({"y": builder.input("x", [2]) * 2})
    >>> graph.compute({"x": [1.0, 2.0]})
    {'y': array([2., 4.], dtype=float32)}
    """
    return self._compute(inputs, outputs, timeout, cancellation)


# Maximum sizes for a notebook cell: pictures of constants, and the whole page. A larger page is made without pictures; if it is
# still too large, it is omitted.
_PICTURE_BYTES = 128 << 10
_PAGE_BYTES = 4 << 20


def _repr_mimebundle_(self: MLGraph, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """Returns the page of `webnn view` in a sandboxed frame, and an SVG picture for programs that show no frames."""
    import html  # noqa: PLC0415  # takes longer to import than webnn's own modules

    bundle = {"text/plain": repr(self)}
    picture = self._repr_svg_()
    if len(picture) <= _PAGE_BYTES:
        bundle["image/svg+xml"] = picture
    for picture_bytes in (_PICTURE_BYTES, 0):
        page = self._view(picture_bytes)
        if page is not None and len(page) <= _PAGE_BYTES:
            bundle["text/html"] = (
                '<iframe sandbox="allow-scripts allow-downloads" title="The graph" loading="lazy" '
                f'style="width:100%;height:520px;border:1px solid #8885;border-radius:8px" srcdoc="{html.escape(page)}"></iframe>'
            )
            break
    return bundle


MLGraph._repr_mimebundle_ = _repr_mimebundle_  # type: ignore[method-assign]
MLGraph.compute = compute  # type: ignore[method-assign]
