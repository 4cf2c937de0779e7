"""Tests limits, timeouts, cancellations, interrupts and progress: their errors, and that contexts work afterwards. Also tests
estimates, placements, and loads from open files and pipes."""

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

import webnn

LARGE = 4096  # a matrix product of this size takes minutes on the reference backend


def product(context: webnn.MLContext, size: int) -> webnn.MLGraph:
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [size, size])
    return builder.build({"y": builder.matmul(x, x)})


def ones(size: int) -> dict[str, np.ndarray]:
    return {"x": np.ones((size, size), np.float32)}


@pytest.fixture
def context() -> webnn.MLContext:
    return webnn.ML().create_context(backend="reference")


def expect_usable(context: webnn.MLContext) -> None:
    assert product(context, 2).compute(ones(2))["y"].tolist() == [[2, 2], [2, 2]]


def test_errors_have_the_specifications_names() -> None:
    assert webnn.AbortError.name == "AbortError"
    assert webnn.DeadlineError.name == "TimeoutError"
    assert issubclass(webnn.DeadlineError, TimeoutError)


def test_a_timeout_ends_a_run(context: webnn.MLContext) -> None:
    graph = product(context, LARGE)
    with pytest.raises(webnn.DeadlineError, match="compute: the time that it may take is over"):
        graph.compute(ones(LARGE), timeout=0.01)
    with pytest.raises(webnn.DeadlineError):
        context.compute(graph, ones(LARGE), timeout=0)
    expect_usable(context)


def test_a_timeout_of_a_build_and_a_load(context: webnn.MLContext, tmp_path: object) -> None:
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [2])
    with pytest.raises(webnn.DeadlineError, match="build: "):
        builder.build({"y": builder.relu(x)}, timeout=0)
    file = f"{tmp_path}/relu.webnn"
    product(context, 2).save(file)
    with pytest.raises(webnn.DeadlineError, match="load: "):
        webnn.load(file, context, timeout=0)
    assert webnn.load(file, context, timeout=100).operation_count == 1


@pytest.mark.parametrize("timeout", [-1, float("nan"), "soon"])
def test_a_timeout_is_a_number_of_seconds(context: webnn.MLContext, timeout: object) -> None:
    with pytest.raises(webnn.ArgumentError, match="timeout"):
        product(context, 2).compute(ones(2), timeout=timeout)  # type: ignore[arg-type]


def test_a_cancellation_of_another_thread_ends_a_run(context: webnn.MLContext) -> None:
    graph, cancellation = product(context, LARGE), webnn.Cancellation()
    assert not cancellation.requested
    other = threading.Thread(target=cancellation.request)
    other.start()
    with pytest.raises(webnn.AbortError, match="compute: a stop was requested"):
        graph.compute(ones(LARGE), cancellation=cancellation)
    other.join()
    assert cancellation.requested
    expect_usable(context)


def test_a_cancelled_dispatch_gives_its_readers_the_error(context: webnn.MLContext) -> None:
    graph, cancellation = product(context, 2), webnn.Cancellation()
    x, y = (context.create_tensor([2, 2], readable=True, writable=True) for _ in range(2))
    context.write_tensor(x, np.ones((2, 2), np.float32))
    cancellation.request()
    context.dispatch(graph, {"x": x}, {"y": y}, cancellation=cancellation)
    with pytest.raises(webnn.AbortError, match="dispatch: "):
        context.read_tensor(y)
    context.dispatch(graph, {"x": x}, {"y": y})
    assert context.read_tensor(y)[0, 0] == 2


def test_ctrl_c_ends_a_run(context: webnn.MLContext) -> None:
    graph = product(context, LARGE)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupter = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            interrupter.start()
            graph.compute(ones(LARGE))
        interrupter.join()
    finally:
        signal.signal(signal.SIGINT, before)
    expect_usable(context)


def test_a_handler_that_raises_nothing_lets_the_run_go_on(context: webnn.MLContext) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: heard.append(number))
    try:
        graph, size = product(context, 256), 256
        os.kill(os.getpid(), signal.SIGUSR1)
        assert graph.compute(ones(size))["y"][0, 0] == size
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert heard == [signal.SIGUSR1]


def test_limits_of_a_context() -> None:
    context = webnn.ML().create_context(limits={"max_memory": 1000})
    with pytest.raises(webnn.OperationError, match=r"a tensor of 4000 bytes .*maxMemory, 1000 bytes"):
        context.create_tensor([1000])
    tensor = context.create_tensor([100])
    assert context.memory_in_use == 400
    tensor.destroy()
    assert context.memory_in_use == 0
    slow = webnn.ML().create_context(limits={"max_time": 0})
    with pytest.raises(webnn.DeadlineError):
        product(slow, 2)


def test_results_count_until_they_are_returned() -> None:
    context = webnn.ML().create_context(backend="cpu", limits={"max_memory": 100_000})
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.expand(builder.input("x", [1]), [1000])})
    assert graph.compute({"x": np.ones(1, np.float32)})["y"].shape == (1000,)
    in_use = context.memory_in_use
    graph.compute({"x": np.ones(1, np.float32)})
    assert context.memory_in_use == in_use
    builder = webnn.MLGraphBuilder(context)
    session = builder.build_session({"y": builder.expand(builder.input("x", ["n"]), ["1000000", "n"])})
    with pytest.raises(webnn.OperationError, match="maxMemory, 100000 bytes"):
        session.run(None, {"x": np.ones(1, np.float32)})


def test_graphs_for_other_sizes_make_room(tmp_path: Path) -> None:
    builder = webnn.ML().create_context().create_graph_builder()
    x = builder.input("x", ["n", 64])
    product = builder.matmul(x, builder.transpose(x))
    builder.build_session({"y": builder.matmul(builder.softmax(product, 1), x)}).save(tmp_path / "open.webnn")
    context = webnn.ML().create_context(backend="cpu", limits={"max_memory": 6 << 20})
    sessions = [webnn.InferenceSession(tmp_path / "open.webnn", context)]
    for n in range(500, 620, 10):
        (y,) = sessions[0].run(None, {"x": np.ones((n, 64), np.float32)})
        np.testing.assert_allclose(y, np.ones((n, 64)), rtol=1e-5)


@pytest.mark.parametrize("limits", [{"max_nothing": 1}, {"max_memory": -1}, {"max_memory": 1.5}, {"max_time": "long"}, [1]])
def test_limits_are_checked(limits: object) -> None:
    with pytest.raises(webnn.ArgumentError, match="limits"):
        webnn.ML().create_context(limits=limits)  # type: ignore[arg-type]


def test_an_estimate(context: webnn.MLContext) -> None:
    estimate = product(context, 10).memory_estimate()
    assert estimate == {"inputs": 400, "outputs": 400, "constants": 0, "packed_weights": 0, "intermediates": 0}


def test_a_placement() -> None:
    (placed,) = product(webnn.ML().create_context(backend="cpu"), 10).placement()
    kernels = placed.pop("kernels")
    assert len(kernels) == 1 and kernels[0].startswith("gemm f32 10x10x10")
    assert placed == {
        "operation": "matmul",
        "label": "",
        "outputs": ["y"],
        "state": "runs",
        "device": "cpu",
        "steps": [0],
        "notes": [],
    }


def test_an_open_file_and_files_that_are_not_named(context: webnn.MLContext, tmp_path: object) -> None:
    builder = webnn.MLGraphBuilder(context)
    x = builder.input("x", [2])
    file = f"{tmp_path}/sum.webnn"
    builder.build({"y": builder.add(x, builder.constant(np.ones(2, np.float32)))}).save(file)
    with pytest.raises(webnn.NotFoundError, match="needs weights, which are not named"):
        webnn.load(file, context, named_files_only=True)
    named = webnn.load(file, context, named_files_only=True, weights=f"{tmp_path}/sum.safetensors")
    assert named.operation_count == 1
    with open(file, "rb") as opened, pytest.raises(webnn.NotFoundError):
        webnn.load(opened, context)
    with open(file, "rb") as opened:
        graph = webnn.load(opened, context, weights=f"{tmp_path}/sum.safetensors")
    assert graph.compute({"x": np.zeros(2, np.float32)})["y"].tolist() == [1, 1]


def test_a_pipe(context: webnn.MLContext, tmp_path: object) -> None:
    file = f"{tmp_path}/product.webnn"
    product(context, 2).save(file)
    reader, writer = os.pipe()
    with open(file, "rb") as opened:
        os.write(writer, opened.read())
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        assert webnn.load(pipe, context).operation_count == 1


def test_a_pipe_that_nobody_writes_to_can_be_given_up(context: webnn.MLContext) -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe, os.fdopen(writer, "wb"), pytest.raises(webnn.DeadlineError, match="load: "):
        webnn.load(pipe, context, timeout=0.01)


def test_progress_of_a_load_and_a_build(context: webnn.MLContext, tmp_path: object) -> None:
    told: list[tuple[int, int]] = []
    product(context, 2).save(f"{tmp_path}/product.webnn")
    cpu = webnn.ML().create_context(backend="cpu")
    webnn.load(f"{tmp_path}/product.webnn", cpu, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3000, 3000)
    assert told == sorted(told)
    assert len(told) > (2 if cpu.service else 3)  # a service does not report compile phases
    builder = webnn.MLGraphBuilder(cpu)
    told.clear()
    builder.build({"y": builder.relu(builder.input("x", [2]))}, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (3000, 3000)
    told.clear()
    context.compile(product(cpu, 2), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3000, 3000)


def test_an_exception_in_a_progress_function_ends_the_call(tmp_path: object) -> None:
    cpu = webnn.ML().create_context(backend="cpu")
    product(cpu, 2).save(f"{tmp_path}/product.webnn")

    def stop(done: int, total: int) -> None:
        raise KeyError(f"{done} of {total}")

    def load() -> None:
        with pytest.raises(KeyError, match="of 3000"):
            webnn.load(f"{tmp_path}/product.webnn", cpu, progress=stop)

    load()
    other = threading.Thread(target=load)
    other.start()
    other.join()
    with pytest.raises(webnn.ArgumentError, match=r"load: progress must be a function of \(done, total\), not int"):
        webnn.load(f"{tmp_path}/product.webnn", cpu, progress=5)  # type: ignore[arg-type]
    expect_usable(cpu)
