"""Checks that sessions refuse indices out of range in inputs, and no other indices. NumPy computes the expected results.

usage: random_indices_test.py COUNT [--seed SEED]

The input `ids` of each random model gives the indices of a gather or scatter, directly or through operators that keep every element.
At times, one index is out of range; then the run must fail with an error that names the input and the index. Otherwise the results
must be NumPy's. If the gather or scatter is in a branch of an If that the run does not take, its indices must not be checked.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from verify import require, require_webnn, run_seeds  # noqa: E402

require("numpy", "onnx")
require_webnn()
import numpy as np  # noqa: E402
import webnn  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

DATA = (4, 3, 5)
BEYOND = (0, 1, 7, 1000, 2**31, 2**40)  # how far wrong indices are above `size` or below -size - 1


def result_named(name):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)


class Model:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.initializers, self.expected = [], [], []
        self.dtype = np.dtype(self.random.choice([np.int32, np.int64]))
        self.data = self.random.standard_normal(DATA).astype(np.float32)
        self.axis = int(self.random.integers(-3, 3))
        self.kind = str(self.random.choice(["Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND"]))
        self.ids = self.indices()
        self.wrong = None  # an index out of range
        if self.random.random() < 0.4:
            place = tuple(int(self.random.integers(size)) for size in self.ids.shape)
            size = DATA[place[-1]] if self.kind.endswith("ND") else DATA[self.axis]
            beyond = int(self.random.choice(BEYOND[: 4 if self.dtype == np.int32 else 6]))
            self.wrong = size + beyond if self.random.random() < 0.5 else -size - 1 - beyond
            self.ids[place] = self.wrong

    def indices(self):
        """Returns indices in range. No two indices of a scatter select the same element."""
        if self.kind.endswith("ND"):
            depth = int(self.random.integers(1, 4))
            all_of = np.stack(np.unravel_index(self.random.permutation(np.prod(DATA[:depth])), DATA[:depth]), -1)
            ids = all_of[: int(self.random.integers(1, len(all_of) + 1))] - self.random.integers(0, 2) * np.array(DATA[:depth])
        elif self.kind == "Gather":
            ids = self.random.integers(-DATA[self.axis], DATA[self.axis], self.random.integers(1, 5, self.random.integers(0, 4)))
        else:
            ids = np.argsort(self.random.random(DATA), self.axis) - self.random.integers(0, 2) * DATA[self.axis]
        return np.asarray(ids, self.dtype)

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def moved(self, name):
        """Adds operators that keep every element. Returns the name of the result, and functions that do the same."""
        steps = []
        for k in range(int(self.random.integers(0, 3))):
            made = f"{name}{k}"
            if self.random.random() < 0.5:
                self.nodes.append(helper.make_node("Cast", [name], [made], to=TensorProto.INT64))
            elif self.kind == "Gather":
                self.nodes.append(helper.make_node("Unsqueeze", [name, self.constant(f"{made}_axes", np.array([0]))], [made]))
                steps.append(lambda ids: ids[None])
            else:
                continue
            name = made
        return name, steps

    def operator(self, ids, name):
        """Returns a node of the model's kind, and its result by NumPy."""
        updates = self.random.standard_normal(DATA).astype(np.float32)
        if self.kind == "Gather":
            return helper.make_node("Gather", ["data", ids], [name], axis=self.axis), lambda a: np.take(self.data, a, self.axis)
        if self.kind == "GatherElements":
            node = helper.make_node("GatherElements", ["data", ids], [name], axis=self.axis)
            return node, lambda a: np.take_along_axis(self.data, a, self.axis)
        if self.kind == "GatherND":
            return helper.make_node("GatherND", ["data", ids], [name]), lambda a: self.data[tuple(np.moveaxis(a, -1, 0))]

        def scattered(places):
            result = self.data.copy()
            if self.kind == "ScatterND":
                result[tuple(np.moveaxis(places, -1, 0))] = updates
            else:
                np.put_along_axis(result, places, updates, self.axis)
            return result

        if self.kind == "ScatterND":
            updates = updates.ravel()[: self.ids[..., 0].size * int(np.prod(DATA[self.ids.shape[-1] :]))]
            updates = np.resize(updates, self.ids.shape[:-1] + DATA[self.ids.shape[-1] :]).astype(np.float32)
        more = {} if self.kind == "ScatterND" else {"axis": self.axis}
        given = self.constant(f"{name}_updates", updates)
        return helper.make_node(self.kind, ["data", ids, given], [name], **more), scattered

    def run(self):
        """Yields the problems of a run of the model."""
        is_branch = self.random.random() < 0.25
        name, steps = ("ids", []) if is_branch else self.moved("ids")
        node, compute = self.operator(name, "inner" if is_branch else "y")
        if is_branch:
            taken = helper.make_graph([helper.make_node("Identity", ["other"], ["z"])], "taken", [], [result_named("z")])
            left = helper.make_graph([node], "left", [], [result_named("inner")])
            node = helper.make_node("If", ["go"], ["y"], then_branch=taken, else_branch=left)
        self.nodes.append(node)
        moved = self.ids
        for step in steps:
            moved = step(moved)
        feeds = {"data": self.data, "ids": self.ids}
        if is_branch:
            shape = compute(np.zeros_like(moved)).shape
            feeds |= {"go": np.array(True), "other": np.full(shape, 7, np.float32)}
        inputs = [
            helper.make_tensor_value_info(key, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for key, array in feeds.items()
        ]
        graph = helper.make_graph(self.nodes, "g", inputs, [result_named("y")], self.initializers)
        content = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        about = f"{self.kind} axis {self.axis}, ids {self.ids.dtype}{list(self.ids.shape)}, branch {is_branch}, wrong {self.wrong}"
        try:
            (result,) = webnn.InferenceSession(content.SerializeToString()).run(None, feeds)
        except webnn.ArgumentError as error:
            if self.wrong is None or is_branch or '"ids"' not in str(error) or str(self.wrong) not in str(error):
                yield f"{about}: {error}"
            return
        if is_branch:
            expected = feeds["other"]
        else:
            try:
                expected = compute(moved)
            except IndexError:
                yield f"{about}: no error"
                return
        if not np.array_equal(result, expected):
            yield f"{about}: another result"


if __name__ == "__main__":
    sys.exit(run_seeds(__doc__, lambda seed: Model(seed).run()))
