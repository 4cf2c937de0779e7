"""Runs random programs with the package that `import onnxruntime` gives, and prints what each statement returns or raises.

usage: onnxruntime_programs.py FOLDER FIRST COUNT    (with the models of onnxruntime_models.py; FIRST is the first seed)

Prints "@SEED" before each program, and a line of JSON after it: [seed, [[statement, outcome], ...]]. The statements of a program
depend on its seed alone, not on what the package returns.
"""

import collections
import copy
import functools
import json
import os
import pickle
import random
import sys
import threading
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from onnxruntime_models import INPUTS, OUTPUTS

Make = Callable[[], Any]
F = np.float32


class Arrayish:
    """An object that NumPy converts to an array."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.array, dtype)


class Sub(np.ndarray[Any, Any]):
    """A class derived from NumPy's."""


class RefusedBefore(Exception):  # noqa: N818
    """The package refused to make a value that the statement uses."""


def base_array(r: random.Random, dtype: Any, shape: list[int]) -> Any:
    count = int(np.prod(shape, dtype=int))
    if dtype is str:
        return np.array([r.choice(["a", "b", "", "é", "long text " * 3, "x y"]) for _ in range(count)], object).reshape(shape)
    if dtype is bool:
        return np.array([r.random() < 0.5 for _ in range(count)], bool).reshape(shape)
    kind = np.dtype(dtype).kind
    choices: list[Any] = [0, 1, 2, 200]
    if kind == "f":
        choices = [0.0, -0.0, 1.5, -2.0, *(part / 4 for part in range(-8, 9, 3))]
    elif kind == "i":
        choices = [-2, 1, 2, 100, -7]
    if kind != "f":
        choices.append(np.iinfo(dtype).max)
    numbers = [r.choice(choices) for _ in range(count)]
    if kind == "f" and count and r.random() < 0.03:
        numbers[0] = r.choice([np.inf, -np.inf])
    return np.array(numbers, dtype).reshape(shape)


def read_only(a: Any) -> Any:
    a = a.copy()
    a.flags.writeable = False
    return a


def offset(a: Any) -> Any:
    larger = np.zeros(a.size + 1, a.dtype)
    larger[1:] = a.ravel()
    return larger[1:].reshape(a.shape)


# Functions that change the memory layout of an array. Foreign byte orders are left out, because the real package misreads them.
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "c": lambda a: a,
    "f": np.asfortranarray,
    "negative": lambda a: a[..., ::-1],
    "step": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape) if a.shape[0] else a,
    "readonly": read_only,
    "sub": lambda a: a.view(Sub),
    "offset": offset,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
}


def layout(r: random.Random, a: Any) -> tuple[str, Any]:
    how = r.choice(["c", "c", *LAYOUTS]) if a.ndim else "c"
    return how, LAYOUTS[how](a)


TYPES: dict[str, Any] = {"f32": F, "f64": np.float64, "f16": np.float16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "bool": bool}
TYPES |= {"complex": np.complex64, "U": np.str_, "object": object}
# Further ways to spoil an input. A dict or a text is left out, because the packages refuse it with different exceptions.
SPOILS: dict[str, Callable[[Any, Any], Any]] = {
    "S": lambda ort, a: np.array([str(item).encode() for item in a.ravel()], "S").reshape(a.shape),
    "list": lambda ort, a: a.ravel().tolist(),
    "nested": lambda ort, a: a.tolist(),
    "scalar": lambda ort, a: 1.5,
    "generic": lambda ort, a: F(2),
    "none": lambda ort, a: None,
    "memoryview": lambda ort, a: np.ascontiguousarray(a).data if a.dtype != object else b"",
    "arrayish": lambda ort, a: Arrayish(a),
    "value": lambda ort, a: ort.OrtValue.ortvalue_from_numpy(a),
    "tuple": lambda ort, a: tuple(a.tolist() if a.ndim else [a.item()]),
    "rank": lambda ort, a: a.ravel(),
    "rank+": lambda ort, a: a[None],
    "row": lambda ort, a: a[:1] if a.ndim else a.reshape(1),
    "no elements": lambda ort, a: a[:0] if a.ndim else np.zeros(0, a.dtype),
    "0d": lambda ort, a: np.zeros((), F),
    "datetime": lambda ort, a: np.zeros(a.shape, "M8[s]"),
    "masked": lambda ort, a: np.ma.array(a) if a.dtype != object else a,
    "another value": lambda ort, a: ort.OrtValue.ortvalue_from_numpy(np.zeros((5,), np.int32)),
    "double": lambda ort, a: np.float64(3),
    "nothing but None": lambda ort, a: np.array([None] * a.size, object).reshape(a.shape),
}
WRONG = [*TYPES, *SPOILS]


def spoil(ort: Any, a: Any, how: str) -> Any:
    if how not in TYPES:
        return SPOILS[how](ort, a)
    if a.dtype == object and how not in ("U", "object"):
        return np.zeros(a.shape, TYPES[how])
    return a.astype(TYPES[how])


def plain_array(value: Any) -> Any:
    numbers = value.astype(object).ravel().tolist()
    items = [float(f"{item:.4g}") + 0.0 if isinstance(item, float) else repr(item) for item in numbers]
    kind = "" if type(value) is np.ndarray else type(value).__name__
    flags = ["writeable" if value.flags.writeable else "readonly", "C" if value.flags.c_contiguous else "scattered"]
    return ["array", kind, str(value.dtype), list(value.shape), items, *flags]


def plain(value: Any) -> Any:  # noqa: PLR0911
    """Returns a JSON value that describes everything that a program can observe of `value`."""
    if isinstance(value, np.ndarray):
        return plain_array(value)
    if isinstance(value, np.generic):
        return ["generic", str(value.dtype), repr(value.item())]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [plain(item) for item in value]]
    if isinstance(value, dict):
        return ["dict", [[plain(key), plain(item)] for key, item in value.items()]]
    if isinstance(value, float):
        return ["float", float(f"{value:.5g}")]
    if type(value).__name__ == "OrtValue":
        return ["OrtValue", *([value.data_type(), value.shape(), attempt(value.numpy)] if value.is_tensor() else [])]
    if hasattr(value, "name"):
        return ["enum", value.name]
    return [type(value).__name__, value if isinstance(value, str | int) else None]


def attempt(work: Make) -> dict[str, Any]:
    try:
        return {"value": plain(work())}
    except Exception as error:
        return {"raised": [base.__name__ for base in type(error).__mro__][:-2], "text": str(error)[:160]}


def fill(item: Any, text: str) -> None:
    """Changes all elements of an array, if it can be changed."""
    if isinstance(item, np.ndarray) and item.flags.writeable and item.size:
        item.fill(text if item.dtype == object else 1)


def change_first(results: list[Any]) -> None:
    """Changes all arrays, and the first element of sequences."""
    for item in results:
        if isinstance(item, list) and item and isinstance(item[0], dict):
            item[0].clear()
        else:
            fill(item[0] if isinstance(item, list) and item else item, "q")


FIXED: dict[tuple[str, str], list[Any]] = {  # inputs whose values decide whether the model can run
    ("reshape", "s"): [[3, -1], [-1, 3], [1, -1], [2, 3], [5, 5], [0, -1]],
    ("gather", "i"): [[0, 0], [0, -1]],
    ("loop", "m"): [0, 1, 3],
}
NAMES_OF_OUTPUTS = ["none", "none", "all", "last", "reversed", "twice", "tuple", "empty", "unknown", "input"]
RARE_NAMES = ["generator", "set", "none in a list", "number", "dict", "empty name", "empty tuple"]
PROVIDERS: list[Any] = [None, ["CPUExecutionProvider"], [("CPUExecutionProvider", {})]]
PROVIDERS.append(["CUDAExecutionProvider", "CPUExecutionProvider"])
RARE_PROVIDERS: list[Any] = [[], "CPUExecutionProvider", [3], [None], ["CPUExecutionProvider", "CPUExecutionProvider"]]
RARE_PROVIDERS += [("CPUExecutionProvider",), [("CPUExecutionProvider", {"a": 1})], [["CPUExecutionProvider", {}]]]
RARE_PROVIDERS += [{"CPUExecutionProvider": {}}, {"CPUExecutionProvider"}]


class Bound:
    """An IO binding of a session. Each method is a statement of a program."""

    def __init__(self, program: "Program", name: str, session: Any) -> None:
        self.ort, self.name, self.session, self.it = program.ort, name, session, session.io_binding()
        self.memory: list[Any] = []
        self.is_fresh, self.kept = False, None  # is_fresh: an output has no memory yet; the real package crashes when it is read

    def cpu(self, key: str, feed: Make) -> None:
        array = feed().get(key, np.zeros(1, F))
        self.memory.append(array)
        self.it.bind_cpu_input(key, array)

    def value(self, key: str, feed: Make) -> None:
        value = self.ort.OrtValue.ortvalue_from_numpy(feed().get(key, np.zeros(1, F)))
        self.memory.append(value)
        self.it.bind_ortvalue_input(key, value)

    def pointer(self, key: str, feed: Make) -> None:
        array = np.array(feed().get(key, np.zeros(1, F)), order="C")
        self.memory.append(array)
        kind = array.dtype.type if array.dtype != object else str
        self.it.bind_input(key, "cpu", 0, kind, list(array.shape), array.ctypes.data)

    def out(self, out: str, size: int) -> None:
        self.is_fresh = True
        self.it.bind_output(out)

    def out_value(self, out: str, size: int) -> None:
        value = self.ort.OrtValue.ortvalue_from_numpy(np.zeros((size, 3), F))
        self.memory.append(value)
        self.it.bind_ortvalue_output(out, value)

    def out_pointer(self, out: str, size: int) -> None:
        array = np.zeros((size, 3), F)
        self.memory.append(array)
        self.it.bind_output(out, "cpu", 0, np.float32, [size, 3], array.ctypes.data)

    def run(self) -> Any:
        self.session.run_with_iobinding(self.it)
        self.is_fresh = False
        return [self.memory, self.kept]

    def copy(self) -> Any:
        return "skipped" if self.is_fresh else self.it.copy_outputs_to_cpu()

    def get(self) -> Any:
        return "skipped" if self.is_fresh else self.it.get_outputs()

    def keep(self) -> Any:
        """Keeps the bound output values. Later runs write to their memory."""
        if self.is_fresh:
            return "skipped"
        self.kept = self.it.get_outputs()
        return None

    def clear_in(self) -> None:
        self.it.clear_binding_inputs()

    def clear_out(self) -> None:
        self.it.clear_binding_outputs()

    def change(self) -> None:
        for item in self.memory:
            if not (isinstance(item, np.ndarray) and item.dtype == object):
                fill(item, "")

    def sync(self) -> None:
        self.it.synchronize_inputs()
        self.it.synchronize_outputs()

    def refill(self, feed: Make) -> Any:
        self.is_fresh = True
        given = feed()
        for key in INPUTS[self.name]:
            self.it.bind_cpu_input(key, given[key])
        for out in OUTPUTS[self.name]:
            self.out(out, 0)
        self.run()
        return self.it.copy_outputs_to_cpu()


BINDS = ["cpu", "cpu", "value", "pointer", "out", "out", "out_value", "out_pointer", "run", "run", "run", "keep", "copy", "get"]
BINDS += ["clear_in", "clear_out", "change", "refill", "sync", "get"]


class Program:
    """A program: its sessions, values, arrays, results and options, and what its statements returned or raised."""

    def __init__(self, ort: Any, folder: Path, seed: int) -> None:
        self.ort, self.folder, self.r = ort, folder, random.Random(seed)
        self.log: list[Any] = []
        self.sessions: list[tuple[str, Any]] = []
        self.values: list[tuple[Any, Any]] = []
        self.results: list[Any] = []
        self.arrays: list[Any] = []
        self.options: list[Any] = []
        self.sizes = {"n": self.r.choice([2, 2, 2, 1, 4, 0]), "m": self.r.choice([3, 3, 1, 5, 0]), "k": 2, "r": 2}
        self.names = self.r.sample(sorted(INPUTS), self.r.choice([1, 1, 2]))
        if {"reduce", "zipmap", "zipmap64", "label"} & set(self.names):
            # ONNX does not define the mean of no elements, and webnn does not report the element type of an empty sequence.
            self.sizes["n"] = self.sizes["n"] or 2

    def do(self, text: str, work: Make) -> Any:
        """Runs a statement, and returns its result; None if it raised an exception."""
        kept = []

        def statement() -> Any:
            kept.append(work())
            return kept[0]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.log.append([text, attempt(statement)])
        return kept[0] if kept else None

    def array(self, dtype: Any, shape: list[Any]) -> Any:
        a = base_array(self.r, dtype, [self.sizes[size] if isinstance(size, str) else size for size in shape])
        self.arrays.append(a)
        return a

    def sequence(self, shape: list[Any]) -> tuple[str, Make]:
        arrays = [self.array(F, shape) for _ in range(self.r.choice([2, 1, 3, 0]))]
        how = self.r.choice(["list", "list", "list", "tuple", "array", "wrong"])
        made = {"list": arrays, "tuple": tuple(arrays), "array": np.zeros((2, 3), F), "wrong": [a.astype(np.float64) for a in arrays]}
        return how, lambda: made[how]

    def input(self, name: str, key: str, wrong: float) -> tuple[str, Make]:
        """Returns a description of an input, and a function that makes the input, because making it may fail."""
        r, (dtype, shape) = self.r, INPUTS[name][key]
        if dtype == "sequence":
            return self.sequence(shape)
        a = self.array(dtype, shape)
        if (name, key) in FIXED:
            a[...] = r.choice(FIXED[name, key])
        if (name, key) == ("gather", "i") and self.sizes["n"] == 0:
            a = a[:0]
        if (name, key) == ("intdiv", "b"):
            a[...] = np.where(a == 0, 1, a)
        how, a = layout(r, a)
        if r.random() < wrong:
            how = r.choice(WRONG)
            return how, functools.partial(spoil, self.ort, a, how)
        if dtype is str and r.random() < 0.4:
            return f"{how} U", lambda: np.array(a.tolist(), np.str_).reshape(a.shape)
        return how, lambda: a

    def feed(self, name: str, wrong: float = 0.25) -> tuple[str, Make]:
        """Returns a description of the inputs, and a function that makes them."""
        r, makers, texts = self.r, {}, []
        for key in INPUTS[name]:
            how, makers[key] = self.input(name, key, wrong)
            texts.append(f"{key}: {how}")
        if r.random() < 0.04:
            makers.pop(r.choice(list(makers)), None)
            texts.append("one less")
        if r.random() < 0.03:
            makers["zz"] = lambda: np.zeros(1, F)
            texts.append("one more")
        form = r.choice(["dict"] * 12 + ["ordered", "proxy", "reversed", "reversed"])
        forms: dict[str, Callable[[Any], Any]] = {"dict": dict, "ordered": collections.OrderedDict, "proxy": types.MappingProxyType}
        forms["reversed"] = lambda made: dict(reversed(made.items()))
        return f"{form} of {', '.join(texts)}", lambda: forms[form]({key: maker() for key, maker in makers.items()})

    def names_of_outputs(self, name: str) -> tuple[str, Any]:
        r, known = self.r, OUTPUTS[name]
        form = r.choice(NAMES_OF_OUTPUTS if r.random() < 0.93 else RARE_NAMES)
        forms: dict[str, Any] = {"none": None, "all": list(known), "last": known[-1:], "reversed": known[::-1], "twice": [*known, *known]}
        forms |= {"tuple": tuple(known), "empty": [], "unknown": ["qq"], "generator": (each for each in known), "set": set(known[:1])}
        forms |= {"none in a list": [None], "number": [3], "input": ["a"], "dict": dict.fromkeys(known)}
        forms |= {"empty name": [""], "empty tuple": ()}
        return form, forms[form]

    def new_session(self) -> None:
        r, ort, name = self.r, self.ort, self.r.choice(self.names)
        path = self.folder / f"{name}.onnx"
        how = r.choice(["str", "path", "bytes"]) if name != "external" else r.choice(["str", "path"])
        source = {"str": str(path), "path": path, "bytes": path.read_bytes()}[how]
        providers = r.choice(PROVIDERS if r.random() < 0.93 else RARE_PROVIDERS)
        options = r.choice([None, None, *self.options])
        level = r.choice([None, "ORT_DISABLE_ALL", "ORT_ENABLE_BASIC"])

        def work() -> Any:
            used = options
            if level and used is None:
                used = ort.SessionOptions()
                used.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
                used.intra_op_num_threads = 2
            made = ort.InferenceSession(source, sess_options=used, providers=providers)
            self.sessions[-1] = (name, made)
            inputs, outputs = made.get_inputs(), made.get_outputs()
            described = [(item.name, item.type, item.shape) for item in inputs]
            # the types of sequences are not compared
            told = [(item.name, item.shape, item.type if name not in ("seqstr", "toseq", "zipmap", "zipmap64") else "") for item in outputs]
            return [made.get_providers(), described, told]

        self.sessions.append((name, None))
        self.do(f"session of {name} ({how}, {providers}, options {options is not None}, {level})", work)

    def new_options(self) -> None:
        sizes = [("n", self.sizes["n"]) if self.r.random() < 0.5 else self.odd_size() for _ in range(self.r.choice([0, 1, 2]))]

        def work() -> None:
            made = self.ort.SessionOptions()
            made.intra_op_num_threads = 2
            for pair in sizes:
                made.add_free_dimension_override_by_name(*pair)
            self.options[-1] = made

        self.options.append(None)
        self.do(f"options {sizes}", work)

    def odd_size(self) -> tuple[str, Any]:
        return self.r.choice(["n", "m", "zz"]), self.r.choice([2, 3, "2", 2.0])

    def run_session(self) -> None:
        name, session = self.r.choice(self.sessions)
        text, feed = self.feed(name, 0.2)
        form, names = self.names_of_outputs(name)
        self.results.append(None)

        def work() -> Any:
            self.results[-1] = session.run(names, feed())
            return self.results[-1]

        self.do(f"run {name}, outputs {form}, {text}", work)

    def run_twice(self) -> None:
        """Runs twice. Changes the first results before the second run, and the inputs after the second run."""
        name, session = self.r.choice(self.sessions)
        text, feed = self.feed(name, 0)

        def work() -> Any:
            given = feed()
            first = session.run(None, given)
            numbers = [
                [item for item in items if isinstance(item, np.ndarray) and item.dtype != object] for items in (first, given.values())
            ]
            shared = [np.shares_memory(x, y) for x in numbers[0] for y in numbers[1]]
            before = plain(first)
            change_first(first)
            again = session.run(None, given)
            is_same = plain(again) == before
            for item in given.values():
                fill(item, "w")
            return [shared, is_same, first, again, given]

        self.do(f"run {name} twice, {text}", work)

    def new_value(self) -> None:
        r, name = self.r, self.r.choice(self.names)
        dtype, shape = r.choice(list(INPUTS[name].values()))
        dtype = F if dtype == "sequence" else dtype
        how_layout, a = layout(r, self.array(dtype, shape))
        bad = r.choice(WRONG)
        value = self.ort.OrtValue

        def of_shape() -> Any:
            made = value.ortvalue_from_shape_and_type(list(a.shape), dtype, "cpu", 0)
            if dtype is not str:
                made.update_inplace(np.array(a, order="C"))
            return made

        makers: dict[str, Make] = {
            "numpy": lambda: value.ortvalue_from_numpy(a),
            "device": lambda: value.ortvalue_from_numpy(a, "cpu", 0),
            "shape": of_shape,
            "onnx": lambda: value.ortvalue_from_numpy_with_onnx_type(np.ascontiguousarray(a), 1),
            "again": lambda: value.ortvalue_from_numpy(value.ortvalue_from_numpy(a).numpy()),
            "wrong": lambda: value.ortvalue_from_numpy(spoil(self.ort, a, bad)),
        }
        how = r.choice(["numpy"] * 6 + list(makers))

        def work() -> Any:
            made = makers[how]()
            self.values[-1] = (a, made)
            kind = made.data_type()
            size = made.tensor_size_in_bytes() if kind != "tensor(string)" else 0
            told = [kind, made.shape(), made.element_type(), made.is_tensor(), made.has_value(), size]
            return [*told, made.numpy() if kind in ("tensor(float)", "tensor(int64)", "tensor(bool)") else None]

        self.values.append((a, None))
        kind = "str" if dtype is str else str(np.dtype(dtype))
        self.do(f"value {how} of {kind}{list(a.shape)} {how_layout}{' ' + bad if how == 'wrong' else ''}", work)

    def change_value(self) -> None:
        if not self.values:
            return
        r, ort, (a, value) = self.r, self.ort, self.r.choice(self.values)
        how, bad = (
            r.choice(["array", "numpy", "update", "update", "wrong", "data_ptr", "asarray", "dlpack", "update by value"]),
            r.choice(WRONG),
        )
        fresh = np.zeros(a.shape, a.dtype) if a.dtype != object else np.array(["u"] * a.size, object).reshape(a.shape)
        changes: dict[str, Make] = {
            "array": lambda: fill(a, "z"),
            "numpy": lambda: fill(value.numpy(), "z"),
            "update": lambda: value.update_inplace(fresh),
            "update by value": lambda: value.update_inplace(ort.OrtValue.ortvalue_from_numpy(fresh)),
            "wrong": lambda: value.update_inplace(spoil(ort, a, bad)),
            "dlpack": lambda: np.from_dlpack(value),
            "data_ptr": lambda: [
                a.size > 0 and value.data_ptr() == a.ctypes.data,
                a.dtype != object and np.shares_memory(a, value.numpy()),
            ],
            "asarray": lambda: [np.asarray(value), np.array(value)],
        }

        def work() -> Any:
            if value is None:
                raise RefusedBefore
            return [changes[how](), a, value]

        self.do(f"value changes: {how}{' ' + bad if how == 'wrong' else ''} ({a.dtype}{list(a.shape)})", work)

    def run_values(self) -> None:
        name, session = self.r.choice(self.sessions)
        text, feed = self.feed(name, 0.05)
        form, names = self.names_of_outputs(name)
        changes, of = self.r.random() < 0.5, self.ort.OrtValue.ortvalue_from_numpy

        def work() -> Any:
            given = {key: of(item) if isinstance(item, np.ndarray) else item for key, item in feed().items()}
            found = session.run_with_ort_values(names, given)
            told = [[item.is_tensor(), item.is_tensor_sequence(), plain(item) if item.is_tensor() else None] for item in found]
            if changes and found and found[0].is_tensor() and found[0].data_type() != "tensor(string)":
                fill(found[0].numpy(), "")
                told += [found, session.run_with_ort_values(names, given)]
            return told

        self.do(f"run_with_ort_values {name}, outputs {form}, {text}, {changes}", work)

    def run_async(self) -> None:
        name, session = self.r.choice(self.sessions)
        text, feed = self.feed(name, 0.1)
        form, names = self.names_of_outputs(name)

        def work() -> Any:
            done: threading.Event = threading.Event()
            got: list[Any] = []

            def callback(results: Any, data: Any, error: str) -> None:
                got.append([results, data, bool(error)])
                done.set()

            session.run_async(names, feed(), callback, "data")
            return [done.wait(10), got]

        self.do(f"run_async {name}, outputs {form}, {text}", work)

    def run_async_reused(self) -> None:
        """Uses one dict and one list for several runs, as a loop does."""
        name, session = self.r.choice(self.sessions)
        feeds = [self.feed(name, 0)[1] for _ in range(6)]

        def work() -> Any:
            got: dict[int, Any] = {}
            done, lock = threading.Event(), threading.Lock()
            given: dict[str, Any] = {}
            names: list[str] = []

            def callback(results: Any, number: int, error: str) -> None:
                with lock:
                    got[number] = results
                    if len(got) == len(feeds):
                        done.set()

            for number, feed in enumerate(feeds):
                given.update(feed())
                names[:] = OUTPUTS[name][: 1 + number % 2]
                session.run_async(names, given, callback, number)
            given.clear()
            return [done.wait(10), [got.get(number) for number in range(len(feeds))]]

        self.do(f"run_async {name} with a dict that is reused", work)

    def write_file(self) -> None:
        """Changes the file of a model after the session was made."""
        name = self.r.choice([name for name in self.names if name != "external"] or ["two"])
        how = self.r.choice(["same", "other", "removed", "renamed", "emptied"])
        text, feed = self.feed(name, 0)

        def work() -> Any:
            path = self.folder / f"copy_{os.getpid()}.onnx"
            path.write_bytes((self.folder / f"{name}.onnx").read_bytes())
            made = self.ort.InferenceSession(str(path))
            if how == "removed":
                path.unlink()
            elif how == "renamed":
                path.rename(path.with_suffix(".old"))
            else:
                other = b"" if how == "emptied" else (self.folder / f"{name if how == 'same' else 'gather'}.onnx").read_bytes()
                path.write_bytes(other)
            return made.run(None, feed())

        self.do(f"file of {name} {how}, {text}", work)

    def terminate(self) -> None:
        name, session = self.r.choice(self.sessions)
        _, feed = self.feed(name, 0)
        how = self.r.choice([True, False, 1])

        def work() -> Any:
            options = self.ort.RunOptions()
            options.terminate = how
            first = attempt(lambda: session.run(None, feed(), options))
            options.terminate = False
            return [bool(first.get("raised")), session.run(None, feed(), options)]

        self.do(f"terminate {how} {name}", work)

    def bind(self) -> None:
        r = self.r
        # not "through", whose input is also an output: if the input is not bound, the real package reads the bound output
        name, session = r.choice([pair for pair in self.sessions if pair[0] != "through"] or [("through", None)])
        bound = self.do(f"binding of {name}", lambda: Bound(self, name, session))
        for _ in range(r.randint(3, 9)):
            act = r.choice(BINDS)
            key = r.choice(list(INPUTS[name])) if r.random() < 0.95 else "qq"
            out = r.choice(OUTPUTS[name]) if r.random() < 0.95 else "qq"
            text, feed = self.feed(name, 0.08)
            size = r.choice([2, 3])
            shown, arguments = "", tuple[Any, ...]()
            if act in ("cpu", "value", "pointer"):
                shown, arguments = f"{key} ({text})", (key, feed)
            elif act == "refill":
                shown, arguments = f"({text})", (feed,)
            elif act.startswith("out"):
                shown, arguments = f"{out} {size}", (out, size)

            def work(act: str = act, arguments: tuple[Any, ...] = arguments) -> Any:
                return getattr(bound, act)(*arguments)

            self.do(f"binding of {name}: {act} {shown}", work)

    def ask(self) -> None:
        name, session = self.r.choice(self.sessions)
        how = self.r.choice(["meta", "deepcopy", "pickle", "providers", "options", "overridable", "profiling"])

        def meta() -> Any:
            m = session.get_modelmeta()
            return [m.producer_name, m.graph_name, m.domain, m.description, m.graph_description, m.version, m.custom_metadata_map]

        def options() -> Any:
            o = session.get_session_options()
            return [o.intra_op_num_threads, o.logid, o.enable_mem_pattern, o.graph_optimization_level, o.execution_mode]

        def providers() -> Any:
            session.set_providers(["CPUExecutionProvider"])
            return [session.get_providers(), session.get_provider_options()]

        questions: dict[str, Make] = {
            "meta": meta,
            "options": options,
            "providers": providers,
            "deepcopy": lambda: type(copy.deepcopy(session)).__name__,
            "pickle": lambda: type(pickle.loads(pickle.dumps(session))).__name__,
            "overridable": lambda: len(session.get_overridable_initializers()),
            "profiling": lambda: isinstance(session.get_profiling_start_time_ns(), int),
        }
        self.do(f"{how} of {name}", questions[how])

    def run(self) -> list[Any]:
        self.new_session()
        steps = [self.run_session] * 6 + [self.run_twice] * 2 + [self.new_value] * 2 + [self.change_value] * 3 + [self.run_values] * 2
        steps += [self.run_async, self.run_async_reused, self.write_file, self.terminate, self.ask, self.new_session, self.new_options]
        steps += [self.bind] * 3
        choices = self.r
        for _ in range(choices.randint(4, 12)):
            step, self.r = choices.choice(steps), random.Random(choices.randrange(2**60))
            step()
        self.do("all results", lambda: self.results)  # checks that later statements have not changed earlier results
        self.do("all arrays", lambda: self.arrays)
        self.do("all values", lambda: [value for _, value in self.values])
        return self.log


def main(folder: Path, first: int, count: int) -> None:
    ort: Any = __import__("onnxruntime")
    ort.set_default_logger_severity(4)
    for seed in range(first, first + count):
        print(f"@{seed}", flush=True)
        print(json.dumps([seed, Program(ort, folder, seed).run()]), flush=True)
    os._exit(0)  # a thread of a run that hangs must not keep the process


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
