"""Tests contexts whose graphs run in a service's process."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from built import HAS_CAPNP, PACKAGE

import webnn

pytestmark = pytest.mark.skipif(not HAS_CAPNP, reason="the package is built without the service")


class Service:
    """A running `webnn serve`, started with the package's tool."""

    def __init__(self, folder: Path, config: dict[str, Any] | None = None) -> None:
        self.address = f"unix:{folder / 'socket'}"
        file = folder / "service.json"
        file.write_text(json.dumps({"socket": str(folder / "socket"), **(config or {})}), encoding="utf-8")
        command = [sys.executable, "-m", "webnn", "serve", "--config", str(file)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.event("listening")

    def event(self, name: str) -> dict[str, Any]:
        """Returns the next line of the log about an event. Skips all lines before it."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == name:
                return event
        raise AssertionError(f"the service has ended before an event {name}")

    def kill_worker(self) -> None:
        os.kill(self.event("started")["worker"], signal.SIGKILL)
        self.event("lost")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    yield made
    made.end()


def negation(context: webnn.MLContext) -> webnn.MLGraph:
    builder = webnn.MLGraphBuilder(context)
    return builder.build({"y": builder.neg(builder.input("x", [2], "float32"))})


def expect_computes(context: webnn.MLContext) -> None:
    assert negation(context).compute({"x": [1, 2]})["y"].tolist() == [-1, -2]


def test_a_private_service() -> None:
    context = webnn.ML().create_context(service="private")
    assert context.service == "private"
    assert context.backend_info()["service"] == "private"
    assert context.backend == "cpu"
    expect_computes(context)


def test_without_one() -> None:
    assert webnn.ML().create_context().service == os.environ.get("WEBNN_SERVICE")


def test_the_environment_decides_for_programs_that_do_not() -> None:
    program = """if True:
        import numpy as np, webnn
        x = np.linspace(-1, 1, 784, dtype=np.float32).reshape(1, 1, 28, 28)
        graph = webnn.load("digits.webnn")
        print(webnn._default.default_context().service, graph.compute({"image": x})["probabilities"].tobytes().hex())
    """
    folder = Path(__file__).resolve().parents[3] / "examples/digits"

    def run(**environment: str) -> list[str]:
        variables = {name: value for name, value in os.environ.items() if name != "WEBNN_SERVICE"}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=folder, env=variables | environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    here, there = run(), run(WEBNN_SERVICE="private")
    assert (here[0], there[0]) == ("None", "private")
    assert here[1] == there[1]  # equal bit by bit


def test_a_running_service_and_tensors(service: Service) -> None:
    context = webnn.ML().create_context(service=service.address)
    assert context.service == service.address
    x, y = context.create_tensor([2], writable=True), context.create_tensor([2], readable=True)
    context.write_tensor(x, np.array([3, -4], np.float32))
    context.dispatch(negation(context), {"x": x}, {"y": y})
    assert context.read_tensor(y).tolist() == [-3, 4]


def test_a_killed_worker_is_a_lost_context_that_says_why(service: Service) -> None:
    context = webnn.ML().create_context(service=service.address)
    graph = negation(context)
    x, y = context.create_tensor([2], writable=True), context.create_tensor([2], readable=True)
    assert context.lost is None
    service.kill_worker()
    why = r"the context is lost: worker was killed by signal 9 \(SIGKILL\)"
    for call in (
        lambda: graph.compute({"x": [1, 2]}),
        lambda: context.compute(graph, {"x": [1, 2]}),
        lambda: context.write_tensor(x, [1, 2]),
        lambda: context.dispatch(graph, {"x": x}, {"y": y}),
        lambda: context.read_tensor(y),
        lambda: context.create_tensor([1]),
    ):
        with pytest.raises(webnn.InvalidStateError, match=why):
            call()
    assert context.lost == "worker was killed by signal 9 (SIGKILL)"
    expect_computes(webnn.ML().create_context(service=service.address))


def test_a_token(tmp_path: Path) -> None:
    printed = subprocess.run([sys.executable, "-m", "webnn", "service", "token"], capture_output=True, text=True, check=True)
    (_, token), (_, _, hashed) = (line.split() for line in printed.stdout.splitlines())
    service = Service(tmp_path, {"tenants": [{"name": "shop", "token": hashed.strip('"')}]})
    try:
        expect_computes(webnn.ML().create_context(service=service.address, service_token=token))
        for wrong in ("0" * 32, None):
            with pytest.raises(webnn.OperationError, match="the service does not know user"):
                webnn.ML().create_context(service=service.address, service_token=wrong)
        with pytest.raises(webnn.ArgumentError, match="the token of the service is not of 32 hexadecimal digits"):
            webnn.ML().create_context(service=service.address, service_token="secret")
    finally:
        service.end()


def test_a_service_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(webnn.NotSupportedError, match=r"there is no service at .*No such file"):
        webnn.ML().create_context(service=f"unix:{tmp_path / 'socket'}")


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBNN_SERVICE_PROGRAM", "/none/such")
    with pytest.raises(webnn.NotSupportedError, match="/none/such"):
        webnn.ML().create_context(service="private")


@pytest.mark.parametrize("wrong", ["tcp:1", "unix:", "Private", 1, b"private"])
def test_an_address_that_is_none(wrong: Any) -> None:
    with pytest.raises(webnn.ArgumentError, match="service"):
        webnn.ML().create_context(service=wrong)


def test_backends_are_the_services() -> None:
    with pytest.raises(webnn.NotSupportedError, match="there is no backend"):
        webnn.ML().create_context(service="private", backend="none")
    assert webnn.ML().create_context(service="private", backend="reference").backend == "reference"


def test_the_package_contains_its_libraries() -> None:
    """Cap'n Proto must be loaded from the package, not from the system."""
    libraries = {path.name for path in PACKAGE.glob("lib*.so*")}
    mapped = {Path(line.split()[-1]) for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines() if "/" in line}
    ours = {path for path in mapped if path.name in libraries}
    assert any(path.name.startswith("libcapnp") for path in ours)
    assert {path.parent.resolve() for path in ours} == {PACKAGE.resolve()}
    listed = subprocess.run(["ldd", str(PACKAGE / "webnn-service")], capture_output=True, text=True, check=True).stdout
    for name in libraries:
        assert f"{name} => {PACKAGE}/{name}" in listed
