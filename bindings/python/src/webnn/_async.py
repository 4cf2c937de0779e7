"""AsyncMLContext, and the thread that passes completed reads to asyncio's event loops."""

import atexit
import contextlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from webnn import _webnn
from webnn._builder import MLGraphBuilder
from webnn._default import forget_default
from webnn._files import load
from webnn._types import Array, ArrayLike, Arrays, DataType
from webnn._webnn import Cancellation, MLContext, MLGraph, MLTensor

if TYPE_CHECKING:
    import asyncio

Result = TypeVar("Result")

_lock = threading.Lock()
_pumps: list[threading.Thread] = []


def _settle(future: "asyncio.Future[Array]", array: Array, error: Exception | None) -> None:
    if future.done():  # the future was cancelled
        return
    if error is None:
        future.set_result(array)
    else:
        future.set_exception(error)


def _pump() -> None:
    while (item := _webnn._next_read()) is not None:
        (loop, future), array, error = item
        with contextlib.suppress(RuntimeError):  # ignore that the event loop is closed
            loop.call_soon_threadsafe(_settle, future, array, error)
        del item, loop, future, array, error


def _stop() -> None:
    _webnn._stop_reads()
    for pump in _pumps:
        pump.join()
    forget_default()


atexit.register(_stop)


def _forget_parent() -> None:
    """Resets the state in a forked child, where the thread that takes reads does not exist."""
    _pumps.clear()
    _webnn._forget_parent()
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_parent)


def read_tensor_async(context: MLContext, tensor: MLTensor) -> "asyncio.Future[Array]":
    """Reads the array after all work that was queued before. Cancelling drops the result; the queued work still runs.

    >>> import asyncio
    >>> context = webnn.ML().create_context()
    >>> async def main():
    ...     return await context.read_tensor_async(context.create_host_tensor([2], "float32"))
    >>> asyncio.run(main())
    array([0., 0.], dtype=float32)
    """
    import asyncio  # noqa: PLC0415  # programs without asyncio need not load it

    loop = asyncio.get_running_loop()
    with _lock:
        if not _pumps:
            _pumps.append(threading.Thread(target=_pump, name="webnn-reads", daemon=True))
            _pumps[0].start()
    future: asyncio.Future[Array] = loop.create_future()
    context._start_read(tensor, (loop, future))
    return future


MLContext.read_tensor_async = read_tensor_async  # type: ignore[method-assign, assignment]


async def _cancellable(work: Callable[..., Result], *arguments: Any) -> Result:
    """Runs a call on a thread of the event loop's executor. Cancels the call if the coroutine is cancelled."""
    import asyncio  # noqa: PLC0415  # programs without asyncio need not load it

    cancellation = Cancellation()
    try:
        return await asyncio.to_thread(work, *arguments, cancellation=cancellation)
    except asyncio.CancelledError:
        cancellation.request()
        raise


class AsyncMLContext:
    """A context whose methods that read, write, run or compile are coroutines.

    >>> import asyncio
    >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
    >>> tensor = context.create_tensor([2], "float32")
    >>> asyncio.run(context.write_tensor(tensor, [1.0, 2.0]))
    >>> asyncio.run(context.read_tensor(tensor))
    array([1., 2.], dtype=float32)
    """

    def __init__(self, context: MLContext) -> None:
        self.context = context

    async def read_tensor_async(self, tensor: MLTensor) -> Array:
        """Reads the tensor's elements after all work that was queued before.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
        >>> tensor = context.create_tensor([2], "float32")
        >>> asyncio.run(context.read_tensor(tensor))
        array([0., 0.], dtype=float32)
        """
        return await read_tensor_async(self.context, tensor)

    read_tensor = read_tensor_async

    async def write_tensor_async(self, tensor: MLTensor, data: ArrayLike) -> None:
        """Queues a copy of the data.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
        >>> tensor = context.create_tensor([2], "float32")
        >>> asyncio.run(context.write_tensor(tensor, [1.0, 2.0]))
        """
        self.context.write_tensor(tensor, data)

    write_tensor = write_tensor_async

    async def dispatch(self, graph: MLGraph, inputs: Mapping[str, MLTensor], outputs: Mapping[str, MLTensor]) -> None:
        """Queues a run. Reading the outputs raises the error of a run that fails.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
        >>> builder = webnn.MLGraphBuilder(context.context)
        >>> graph = builder.build({"y": builder.input("x", [2]) + 1})
        >>> x, y = (context.create_tensor([2], "float32") for _ in range(2))
        >>> asyncio.run(context.dispatch(graph, {"x": x}, {"y": y}))
        """
        self.context.dispatch(graph, inputs, outputs)

    async def compute(self, graph: MLGraph, inputs: Arrays, outputs: Arrays | None = None) -> dict[str, Array]:
        """Runs MLContext.compute() on another thread. Cancelling ends it early.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
        >>> builder = webnn.MLGraphBuilder(context.context)
        >>> graph = builder.build({"y": builder.input("x", [2]) + 1})
        >>> asyncio.run(context.compute(graph, {"x": [1.0, 2.0]}))
        {'y': array([2., 3.], dtype=float32)}
        """
        return await _cancellable(self.context.compute, graph, inputs, outputs)

    async def build(self, builder: MLGraphBuilder, outputs: Mapping[str, Any]) -> MLGraph:
        """Runs MLGraphBuilder.build() on another thread. Cancelling ends it early.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
        >>> builder = webnn.MLGraphBuilder(context.context)
        >>> asyncio.run(context.build(builder, {"y": builder.input("x", [2]) + 1})).get_output_names()
        ['y']
        """
        return await _cancellable(builder.build, outputs)

    async def load(self, path: Any, **options: Any) -> MLGraph:
        """Runs webnn.load() for this context on another thread. Cancelling ends it early.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context())
        >>> asyncio.run(context.load("examples/digits/digits.webnn")).get_input_names()
        ['image']
        """
        return await _cancellable(partial(load, path, self.context, **options))

    async def compile(self, graph: MLGraph) -> MLGraph:
        """Runs MLContext.compile() on another thread. Cancelling ends it early.

        >>> import asyncio
        >>> context = webnn.AsyncMLContext(webnn.ML().create_context(backend="reference"))
        >>> asyncio.run(context.compile(webnn.load("examples/digits/digits.webnn"))).get_input_names()
        ['image']
        """
        return await _cancellable(self.context.compile, graph)

    def create_tensor(
        self, shape: Sequence[int], data_type: DataType, readable: bool = True, writable: bool = True, exportable_to_gpu: bool = False
    ) -> MLTensor:
        """Returns a new tensor, which is readable and writable by default.

        >>> webnn.AsyncMLContext(webnn.ML().create_context()).create_tensor([2], "float32")
        <MLTensor float32[2] readable writable>
        """
        return self.context.create_tensor(shape, data_type, readable, writable, exportable_to_gpu)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)
