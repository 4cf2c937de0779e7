"""deployment(): serves a graph over HTTP with Ray Serve."""

import asyncio
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from webnn._arguments import integer, mapping
from webnn._arrays import as_array
from webnn._errors import ArgumentError, Error, UnknownError
from webnn._types import DTYPES, Array
from webnn.ray._model import Model
from webnn.ray._predictor import Predictor

Batch = dict[str, Array]

_SAFETENSORS = ("application/vnd.safetensors", "application/octet-stream")
_NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def deployment(
    model: Any,
    *,
    name: str = "webnn",
    batch: int = 32,
    delay: float = 0.005,
    replicas: int | Mapping[str, Any] = 1,
    cpus: float = 1,
    options: Mapping[str, Any] | None = None,
    **predictor: Any,
) -> Any:
    """Returns a Ray Serve application for a graph: `serve.run(webnn.ray.deployment("model.onnx"))`.

    model: a Model, or an argument for Model. The next `serve.run` with another path changes the model of running replicas. They
        use the old model until the new one is ready: no request is dropped.
    name: the name of the deployment.
    batch, delay: up to `batch` requests that arrive within `delay` seconds are computed together.
    replicas: the number of replicas, or an autoscaling configuration.
    cpus: the number of CPUs of a replica, which is also its number of threads.
    options: more options of serve.deployment.
    predictor: options of Predictor.

    A request contains the inputs of one or more rows, by name, in one of these forms:

    - POST of JSON `{"inputs": {"x": [[...], ...]}}`. The response is `{"outputs": {...}}`.
    - POST of safetensors (Content-Type: application/vnd.safetensors). The response is safetensors too.
    - `handle.predict.remote({"x": array})` from Python.

    An invalid request gets status 400 and `{"error": ...}`, without effect on other requests. Needs `pip install webnn[ray]`.
    """
    from ray import serve  # noqa: PLC0415  # pyright: ignore[reportMissingImports, reportAttributeAccessIssue]

    model = model if isinstance(model, Model) else Model(model)
    for option in ("keep", "errors"):
        if option in predictor:
            raise ArgumentError(f"deployment: {option} is for batches of a job; a request has its own error.")
    integer(batch, "deployment: batch", least=1)
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not 0 <= delay < math.inf:
        raise ArgumentError("deployment: delay must be a number of seconds.")
    Predictor(model, **predictor)  # raises errors of the options here, not in the replicas
    user: dict[str, Any] = {"batch": batch, "delay": delay, "predictor": {**predictor}}
    if model.path is not None:
        user |= {"model": model.path, "sha256": model.sha256}
    scale = {"autoscaling_config": dict(replicas)} if isinstance(replicas, Mapping) else {"num_replicas": replicas}
    more = dict(mapping(options, "deployment: options"))
    if {"name", "user_config", "num_replicas", "autoscaling_config"} & set(more):
        raise ArgumentError("deployment: options has what deployment() itself sets: name, user_config, replicas.")
    actor = {"num_cpus": cpus} | more.pop("ray_actor_options", {})
    deployed = serve.deployment(name=name, user_config=user, ray_actor_options=actor, **scale, **more)(_server())
    return deployed.bind(model.content, model.sha256 if model.content is not None else None)


def _server() -> type:
    from ray import serve  # noqa: PLC0415  # pyright: ignore[reportMissingImports, reportAttributeAccessIssue]
    from starlette.requests import Request  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
    from starlette.responses import JSONResponse, Response  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    class Server:
        """The class of a replica."""

        def __init__(self, content: bytes | None, sha256: str | None) -> None:
            self._content = None if content is None else Model(content, sha256)
            self._predictor: Predictor | None = None

        async def reconfigure(self, config: dict[str, Any]) -> None:
            """Loads a new model or new options. Requests use the old ones until the new ones are ready."""
            # Set the limits of the batching function, which exists once per replica.
            together: Any = self._together  # untyped, because serve.batch has no types
            together.set_max_batch_size(config["batch"])
            together.set_batch_wait_timeout_s(config["delay"])

            def make() -> Predictor:
                model = self._content or Model(config["model"], config["sha256"])
                predictor = Predictor(model, **config["predictor"])
                predictor.check_health()
                return predictor

            self._predictor = await asyncio.to_thread(make)

        def check_health(self) -> None:
            """Raises an error if the context is lost. Ray Serve then replaces the replica."""
            if self._predictor is not None:
                self._predictor.check_health()

        async def predict(self, inputs: Mapping[str, Any]) -> Batch:
            """Computes the outputs for the rows of the inputs. Raises the request's error."""
            if not isinstance(inputs, Mapping) or not all(isinstance(name, str) for name in inputs):
                raise ArgumentError("the inputs must be a dict of arrays by name.")
            together: Any = self._together
            result = await together({name: as_array(value, None, f"input {name!r}") for name, value in inputs.items()})
            if isinstance(result, Error):
                raise result
            return result  # type: ignore[no-any-return]

        async def __call__(self, request: Request) -> Response:
            """Answers an HTTP request, in JSON or safetensors."""
            is_raw = request.headers.get("content-type", "").split(";")[0].strip().lower() in _SAFETENSORS
            try:
                body = await request.body()
                predictor = self._predictor
                assert predictor is not None
                outputs = await self.predict(_tensors(body) if is_raw else _parsed(body, predictor))
            except Error as error:
                status = 400 if isinstance(error, ArgumentError) else 500
                return JSONResponse({"error": str(error)}, status_code=status)
            if is_raw:
                return Response(_packed(outputs), media_type=_SAFETENSORS[0])
            return Response(json.dumps({"outputs": {n: _listed(a) for n, a in outputs.items()}}), media_type="application/json")

        @serve.batch(max_batch_size=32, batch_wait_timeout_s=0.005)  # type: ignore[untyped-decorator]
        async def _together(self, requests: list[Batch]) -> list[Batch | Error]:
            predictor = self._predictor
            assert predictor is not None
            return await asyncio.to_thread(compute_together, predictor, requests)

    return Server


def compute_together(predictor: Predictor, requests: list[Batch]) -> list[Batch | Error]:
    """Computes requests. Requests with rows of equal shapes and types share a run. Returns the outputs or the error of each
    request."""
    results: list[Batch | Error] = [ArgumentError("")] * len(requests)
    groups: dict[Any, list[int]] = {}
    for i, request in enumerate(requests):
        counts = {array.shape[0] if array.ndim else -1 for array in request.values()}
        isalone = len(counts) != 1 or not max(counts) > 0 or any(array.dtype == object for array in request.values())
        kind = tuple(sorted((name, str(array.dtype), array.shape[1:]) for name, array in request.items()))
        groups.setdefault(i if isalone else kind, []).append(i)
    for members in groups.values():
        if len(members) == 1:
            results[members[0]] = _compute_alone(predictor, requests[members[0]])
            continue
        try:
            joined = predictor({name: np.concatenate([requests[i][name] for i in members]) for name in requests[members[0]]})
            begin = 0
            for i in members:
                end = begin + len(next(iter(requests[i].values())))
                results[i] = {name: array[begin:end] for name, array in joined.items()}
                begin = end
        except (Error, MemoryError):  # one request may be wrong, or only the sum of all exceeds a limit
            for i in members:
                results[i] = _compute_alone(predictor, requests[i])
    return results


def _compute_alone(predictor: Predictor, request: Batch) -> Batch | Error:
    try:
        return predictor(request)
    except Error as error:
        return error
    except MemoryError:
        return UnknownError("there is not enough memory for the request.")


def _parsed(body: bytes, predictor: Predictor) -> Batch:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"the body is no JSON: {error}") from error
    inputs = document.get("inputs") if isinstance(document, dict) else None
    if not isinstance(inputs, dict):
        raise ArgumentError('the body must be {"inputs": {NAME: rows}}.')
    declared = predictor.model.check().inputs
    arrays = {}
    for name, rows in inputs.items():
        if name not in declared:
            raise ArgumentError(f"the graph has no input {name!r}; it has {list(declared)}.")
        wanted = str(declared[name].data_type)
        try:
            array = as_array(_finite(rows), wanted, f"input {name!r}")
        except (ValueError, RecursionError) as error:
            raise error if isinstance(error, ArgumentError) else ArgumentError(f"input {name!r}: {error}") from error
        if array.dtype != DTYPES[wanted]:
            raise ArgumentError(f"input {name!r} must be lists of numbers, for {wanted}.")
        arrays[name] = array
    return arrays


def _finite(value: Any) -> Any:
    """Replaces the strings "NaN", "Infinity" and "-Infinity" in lists by numbers."""
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return _NON_FINITE.get(value, value) if isinstance(value, str) else value


def _listed(array: Array) -> Any:
    """Converts an array to lists. Numbers that JSON lacks become the strings that _finite() reads."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array.tolist()
    names = np.where(np.isnan(array), "NaN", np.where(array > 0, "Infinity", "-Infinity"))
    return np.where(np.isfinite(array), array.astype(object), names).tolist()


def _tensors(body: bytes) -> Batch:
    from safetensors.numpy import load  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    try:
        tensors: Batch = load(body)
    except Exception as error:  # SafetensorError, or KeyError for types that NumPy lacks
        raise ArgumentError(f"the body is not safetensors of types that graphs take: {error}") from error
    for name, array in tensors.items():
        if array.dtype not in DTYPES.values():
            raise ArgumentError(f"input {name!r} has the type {array.dtype}, which no graph takes.")
    return tensors


def _packed(outputs: Batch) -> bytes:
    from safetensors.numpy import save  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    packed: bytes = save({name: np.ascontiguousarray(array) for name, array in outputs.items()})
    return packed
