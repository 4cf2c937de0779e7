"""Tests InferenceSession with ONNX Runtime's interface, open dimensions, and bindings."""

import json
import pickle
import queue
import threading
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webnn

onnx = pytest.importorskip("onnx")
helper, FLOAT, BOOL, UINT8 = onnx.helper, onnx.TensorProto.FLOAT, onnx.TensorProto.BOOL, onnx.TensorProto.UINT8


def model(nodes: list[Any], inputs: list[Any], outputs: list[Any], **properties: str) -> bytes:
    graph = helper.make_graph(nodes, "g", inputs, outputs, doc_string="a graph")
    made = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 21)],
        producer_name="tests",
        domain="org.example",
        model_version=7,
        doc_string="a model",
    )
    helper.set_model_props(made, properties)
    content: bytes = made.SerializeToString()
    return content


def value(name: str, shape: list[Any], data_type: int = FLOAT) -> Any:
    return helper.make_tensor_value_info(name, data_type, shape)


OPEN = model([helper.make_node("Add", ["x", "x"], ["y"])], [value("x", ["batch", "width"])], [value("y", ["batch", "width"])], key="word")
UNUSED = model([helper.make_node("Relu", ["x"], ["y"])], [value("x", [2]), value("unused", [3])], [value("y", [2])])
MASK = model([helper.make_node("Not", ["m"], ["n"])], [value("m", [3], BOOL)], [value("n", [3], BOOL)])
ONES = np.ones((2, 3), np.float32)


def test_inputs_that_nothing_uses_are_there_and_may_be_fed() -> None:
    session = webnn.InferenceSession(UNUSED)
    assert [argument.name for argument in session.get_inputs()] == ["x", "unused"]
    x = np.array([-1, 1], np.float32)
    for feed in ({"x": x}, {"x": x, "unused": np.zeros(3, np.float32)}):
        np.testing.assert_array_equal(session.run(None, feed)[0], [0, 1])
    with pytest.raises(webnn.ArgumentError, match=r"the model has no input 'z'; it has \['x', 'unused'\]"):
        session.run(None, {"x": x, "z": x})


def test_booleans_are_booleans() -> None:
    session = webnn.InferenceSession(MASK)
    assert (session.get_inputs()[0].type, session.get_outputs()[0].type) == ("tensor(bool)", "tensor(bool)")
    (result,) = session.run(None, {"m": np.array([True, False, True])})
    assert result.dtype == np.bool_
    assert np.array([5, 6, 7])[result].tolist() == [6]
    assert webnn.run(MASK, {"m": [False, True, True]})["n"].tolist() == [True, False, False]
    same = model([helper.make_node("Identity", ["m"], ["n"])], [value("m", [3], BOOL)], [value("n", [3], BOOL)])
    for given in ([0, 2, 255], np.array([0, 2, 255], np.uint8), np.array([False, True, True])):
        assert webnn.run(same, {"m": given})["n"].tobytes() == b"\0\1\1"  # NumPy's sum() is wrong for other bytes than 0 and 1


def test_open_dimensions_come_from_the_inputs() -> None:
    session = webnn.InferenceSession(OPEN, keep=2)
    assert session.get_inputs()[0].shape == ["batch", "width"]
    assert session.get_outputs()[0].shape == ["batch", "width"]
    graphs = []
    for rows, columns in ((1, 3), (2, 3), (1, 3), (4, 1), (1, 3), (2, 3)):
        given = np.full((rows, columns), 2, np.float32)
        np.testing.assert_array_equal(session.run(None, {"x": given})[0], given * 2)
        graphs.append(session.graph)
    assert graphs[2] is graphs[0]  # the graph was cached
    assert graphs[4] is graphs[0]
    assert graphs[5] is not graphs[1]  # the graph for the third set of sizes had replaced it
    assert webnn.run(OPEN, {"x": [[1, 2], [3, 4]]})["y"].tolist() == [[2, 4], [6, 8]]


def test_some_dimensions_can_be_fixed() -> None:
    options = webnn.SessionOptions()
    options.add_free_dimension_override_by_name("batch", 2)
    for session in (webnn.InferenceSession(OPEN, dimensions={"batch": 2}), webnn.InferenceSession(OPEN, options)):
        assert session.get_inputs()[0].shape == [2, "width"]
        assert session.run(None, {"x": ONES})[0].shape == (2, 3)
        with pytest.raises(webnn.ArgumentError, match="Shape mismatch"):
            session.run(None, {"x": np.ones((3, 3), np.float32)})


def test_fixed_sizes_of_inputs_that_no_output_depends_on_are_checked_in_each_run() -> None:
    inputs = [value("x", ["n"], FLOAT), value("unused", ["n", 3], FLOAT)]
    session = webnn.InferenceSession(model([helper.make_node("Neg", ["x"], ["y"])], inputs, [value("y", ["n"], FLOAT)]))
    for columns in (2, 3, 2):
        feed = {"x": np.ones(4, np.float32), "unused": np.ones((4, columns), np.float32)}
        if columns == 3:
            np.testing.assert_array_equal(session.run(None, feed)[0], -feed["x"])
        else:
            with pytest.raises(webnn.ArgumentError, match=r"\"unused\".* shape.* \[4, 2\]"):
                session.run(None, feed)


@pytest.mark.parametrize("rows", [2, "n"])
def test_inputs_of_which_only_the_shape_is_read_have_their_type_and_shape(rows: Any) -> None:
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Cast", ["s"], ["t"], to=FLOAT)]
    nodes.append(helper.make_node("Mul", ["t", "w"], ["y"]))
    inputs = [value("x", [rows, 3]), value("w", [1])]
    session = webnn.InferenceSession(model(nodes, inputs, [value("y", [2])]))
    w, right = np.ones(1, np.float32), np.ones((3, 2), ">f4").T
    types = (np.float64, np.int32, np.uint8, bool)
    wrong = [(np.ones((2, 3), dtype), f"the array is of {np.dtype(dtype)}, not float32") for dtype in types]
    wrong.append((np.ones((2, 4), np.float32), "the array is of shape"))
    for feed in (right, right.tolist(), ONES.tobytes() if rows == 2 else ONES):
        np.testing.assert_array_equal(session.run(None, {"x": feed, "w": w})[0], [2, 3])
    for array, text in wrong:
        with pytest.raises(webnn.ArgumentError, match=f'input "x": .*{text}'):
            session.run(None, {"x": array, "w": w})
        binding = session.io_binding()
        binding.bind_cpu_input("w", w)
        with pytest.raises(webnn.ArgumentError, match=f'input "x": .*{text}'):
            binding.bind_cpu_input("x", array)
            session.run_with_iobinding(binding)


def test_the_model_is_that_of_when_the_session_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(OPEN)
    session = webnn.InferenceSession("m.onnx")
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    np.testing.assert_array_equal(session.run(None, {"x": ONES})[0], ONES * 2)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(session)).run(None, {"x": ONES})[0], ONES * 2)
    session.set_providers(["CPUExecutionProvider"])
    (tmp_path / "m.onnx").rename(tmp_path / "away.onnx")
    np.testing.assert_array_equal(session.run(None, {"x": ONES[:1]})[0], ONES[:1] * 2)
    (tmp_path / "away.onnx").write_bytes(OPEN.replace(b"Add", b"Mul"))
    (tmp_path / "away.onnx").rename(tmp_path / "m.onnx")
    with pytest.raises(webnn.DataError, match=r"m\.onnx: the file has been changed since the session was made"):
        session.run(None, {"x": ONES[:, :1]})


def test_a_file_that_is_read_may_be_written(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).normal(size=(64, 64)).astype(np.float32)
    for size in (64, "n"):
        made = onnx.ModelProto.FromString(
            model([helper.make_node("Add", ["x", "w"], ["y"])], [value("x", [size, 64])], [value("y", [64, 64])])
        )
        made.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
        (tmp_path / "m.onnx").write_bytes(made.SerializeToString())
        session = webnn.InferenceSession(tmp_path / "m.onnx", map_files=False)
        for rows in (64, 1) if size == "n" else (64,):
            (tmp_path / "m.onnx").write_bytes(b"shorter")  # reading a mapped file that was shortened would kill the process
            np.testing.assert_array_equal(session.run(None, {"x": np.ones((rows, 64), np.float32)})[0], weights + 1)
    with pytest.raises(webnn.ArgumentError, match="load: map_files must be a bool, not str"):
        webnn.load(OPEN, map_files="no")  # type: ignore[arg-type]


def test_invalid_models_and_options_fail_before_the_first_run(tmp_path: Path) -> None:
    with pytest.raises(webnn.ArgumentError, match="there is no option 'dimension'"):
        webnn.InferenceSession(OPEN, dimension={"batch": 1})
    tensor = helper.make_tensor("w", FLOAT, [2], bytes(8), raw=True)
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="w.bin")
    made = onnx.ModelProto.FromString(model([helper.make_node("Add", ["x", "w"], ["y"])], [value("x", ["n", 2])], [value("y", ["n", 2])]))
    made.graph.initializer.append(tensor)
    (tmp_path / "m.onnx").write_bytes(made.SerializeToString())
    with pytest.raises(webnn.NotFoundError, match=r"w\.bin"):
        webnn.InferenceSession(tmp_path / "m.onnx")


def test_errors_about_dimensions_give_the_missing_argument() -> None:
    with pytest.raises(webnn.ArgumentError, match=r'Give them: load\(\.\.\., dimensions=\{"batch": 1, "width": 1\}\)'):
        webnn.load(OPEN)
    session = webnn.InferenceSession(OPEN)
    with pytest.raises(webnn.ArgumentError, match=r'Missing input: "x", from whose shape the dimension "batch" is known'):
        session.run(None, {})
    with pytest.raises(webnn.ArgumentError, match=r'input "x": the array is of shape \[3\], not \[\'batch\', \'width\'\]'):
        session.run(None, {"x": np.ones(3, np.float32)})
    two = model([helper.make_node("Add", ["a", "b"], ["y"])], [value("a", ["n"]), value("b", ["n"])], [value("y", ["n"])])
    with pytest.raises(webnn.ArgumentError, match='the dimension "n" is 2 in input "a" and 3 in input "b"'):
        webnn.run(two, {"a": [1, 2], "b": [1, 2, 3]})
    with pytest.raises(webnn.InvalidStateError, match="compiled by the first run"):
        _ = webnn.InferenceSession(OPEN).graph


def test_metadata_and_declarations_of_a_model() -> None:
    meta = webnn.InferenceSession(OPEN).get_modelmeta()
    assert meta == webnn.ModelMetadata("g", "a graph", "tests", "org.example", "a model", 7, {"key": "word"})
    described = webnn.describe(OPEN)
    assert described.outputs == {"y": webnn.DeclaredOutput("float32", ["batch", "width"])}
    assert webnn.describe(MASK).inputs["m"].is_boolean


def test_providers_are_backends() -> None:
    cpu = webnn.InferenceSession(UNUSED, providers=["CPUExecutionProvider"])
    assert cpu.get_providers() == ["CPUExecutionProvider"]
    assert cpu.get_provider_options() == {"CPUExecutionProvider": {}}
    reference = webnn.InferenceSession(UNUSED, providers=["reference"])
    assert reference.get_providers() == ["reference"]
    with pytest.raises(webnn.ArgumentError, match='there is no provider "Cpu"; there are CPUExecutionProvider'):
        webnn.InferenceSession(UNUSED, providers=["Cpu"])
    with pytest.raises(webnn.ArgumentError, match="providers must be a list of names"):
        webnn.InferenceSession(UNUSED, providers="CPUExecutionProvider")
    with pytest.raises(webnn.NotSupportedError, match=r"none of the providers is here; .*CoreMLExecutionProvider: "):
        webnn.InferenceSession(UNUSED, providers=["CoreMLExecutionProvider"])
    assert "CPUExecutionProvider" in webnn.get_available_providers()
    assert "CoreMLExecutionProvider" not in webnn.get_available_providers()


def test_of_several_providers_the_first_that_is_here_is_taken_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"CoreMLExecutionProvider: .* Going on with CPUExecutionProvider\.") as heard:
        session = webnn.InferenceSession(UNUSED, providers=["CoreMLExecutionProvider", "CPUExecutionProvider"])
    assert session.get_providers() == ["CPUExecutionProvider"]
    assert [warning.filename for warning in heard] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        webnn.InferenceSession(UNUSED, None, ["CPUExecutionProvider"], [{"use_arena": "0"}])


def test_session_options_are_checked() -> None:
    options = webnn.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = webnn.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = webnn.InferenceSession(UNUSED, options)
    options.intra_op_num_threads = 2  # affects only later sessions
    assert session.get_session_options().intra_op_num_threads == 1
    np.testing.assert_array_equal(session.run(None, {"x": [-1.0, 1.0]})[0], [0, 1])
    for name, wrong in (("intra_op_num_threads", -1), ("intra_op_num_threads", "2"), ("enable_profiling", 1), ("logid", 5)):
        with pytest.raises(webnn.ArgumentError, match=f"SessionOptions: {name}"):
            setattr(options, name, wrong)
    with pytest.raises(AttributeError, match="has no attribute 'intra_op_threads'; it has intra_op_num_threads"):
        options.intra_op_threads = 1
    with pytest.raises(webnn.ArgumentError, match="sess_options must be a SessionOptions, not dict"):
        webnn.InferenceSession(UNUSED, {})  # type: ignore[arg-type]


def test_without_optimisation_each_operation_is_a_step() -> None:
    chain = (("Relu", "x", "a"), ("Sigmoid", "a", "b"), ("Neg", "b", "y"))
    nodes = [helper.make_node(name, [given], [made]) for name, given, made in chain]
    content = model(nodes, [value("x", [2, 3])], [value("y", [2, 3])])
    options = webnn.SessionOptions()
    options.graph_optimization_level = webnn.GraphOptimizationLevel.ORT_DISABLE_ALL

    def steps(session: webnn.InferenceSession) -> int:
        return len({step for placed in session.graph.placement() for step in placed["steps"]})

    assert steps(webnn.InferenceSession(content)) < steps(webnn.InferenceSession(content, options))


def test_a_profile_is_a_chrome_trace(tmp_path: Path) -> None:
    options = webnn.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "profile_")
    session = webnn.InferenceSession(UNUSED, options)
    for _ in range(2):
        session.run(None, {"x": [-1.0, 1.0]})
    binding = session.io_binding()
    binding.bind_cpu_input("x", [-1.0, 1.0])
    session.run_with_iobinding(binding)
    events = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8"))["traceEvents"]
    assert len(events) == 3  # one step for each run
    assert all(event["ph"] == "X" and event["args"]["op_name"] for event in events)
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    with pytest.raises(webnn.InvalidStateError, match="enable_profiling was not set"):
        webnn.InferenceSession(UNUSED).end_profiling()


def test_run_options_end_a_run() -> None:
    session, options = webnn.InferenceSession(UNUSED), webnn.RunOptions()
    session.run(None, {"x": [1.0, 2.0]}, options)
    options.terminate = True
    with pytest.raises(webnn.AbortError):
        session.run(None, {"x": [1.0, 2.0]}, options)
    options.terminate = False
    assert session.run(None, {"x": [1.0, 2.0]}, run_options=options)[0].tolist() == [1, 2]
    with pytest.raises(webnn.ArgumentError, match="run_options must be a RunOptions"):
        session.run(None, {"x": [1.0, 2.0]}, {})  # type: ignore[arg-type]
    with pytest.raises(webnn.DeadlineError):
        session.run(None, {"x": [1.0, 2.0]}, timeout=0)


def test_the_first_argument_of_run_is_the_names_of_outputs() -> None:
    session = webnn.InferenceSession(UNUSED)
    with pytest.raises(webnn.ArgumentError, match=r"run\(None, \{\.\.\.\}\)"):
        session.run({"x": ONES})  # type: ignore[arg-type]
    with pytest.raises(webnn.ArgumentError, match="input_feed must be a dict"):
        session.run(None, [ONES])  # type: ignore[arg-type]
    with pytest.raises(webnn.ArgumentError, match=r"the model has no output 'nothing'; it has \['y'\]"):
        session.run(["nothing"], {"x": [1.0, 2.0]})


def test_a_run_on_another_thread_calls_back() -> None:
    session = webnn.InferenceSession(UNUSED)
    for feed, expected, problem in (({"x": [-1.0, 1.0]}, [[0, 1]], ""), ({}, [], "Missing input")):
        heard: list[Any] = []
        called = threading.Event()

        def callback(results: list[Any], data: Any, error: str, heard: list[Any] = heard) -> None:
            heard.extend([[result.tolist() for result in results], error])
            data.set()

        session.run_async(None, feed, callback, called)
        assert called.wait(60)
        assert heard[0] == expected
        assert problem in heard[1]


def test_changes_of_feeds_after_run_async_have_no_effect() -> None:
    session, called = webnn.InferenceSession(OPEN), queue.Queue[Any]()
    feed: dict[str, Any] = {}
    x, numbers = np.zeros((1, 2), np.float32), [[0.0, 0.0]]
    for i in range(1, 51):
        x[:], numbers[0][:], feed["x"] = i, [-i, i], x if i % 2 else numbers
        session.run_async(None, feed, lambda results, data, error: called.put((data, error, results[0].tolist())), i)
        x[:], numbers[0][:], feed["x"] = -9, [7, 7], None
    for i, error, found in [called.get(timeout=60) for _ in range(50)]:
        assert (error, found) == ("", [[2 * i, 2 * i] if i % 2 else [-2 * i, 2 * i]])


def test_bound_memory_is_read_and_written_by_each_run() -> None:
    session = webnn.InferenceSession(OPEN)
    binding = session.io_binding()
    x = webnn.OrtValue.ortvalue_from_numpy(ONES.copy())
    y = webnn.OrtValue.ortvalue_from_shape_and_type([2, 3], np.float32)
    binding.bind_ortvalue_input("x", x)
    binding.bind_ortvalue_output("y", y)
    session.run_with_iobinding(binding)
    np.testing.assert_array_equal(y.numpy(), ONES * 2)
    x.update_inplace(ONES * 5)
    session.run_with_iobinding(binding)
    np.testing.assert_array_equal(y.numpy(), ONES * 10)
    np.testing.assert_array_equal(binding.copy_outputs_to_cpu()[0], ONES * 10)
    binding.bind_cpu_input("x", np.ones((1, 2), np.float32))  # another size of the open dimension
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    np.testing.assert_array_equal(binding.get_outputs()[0].numpy(), [[2, 2]])


def test_memory_is_bound_by_address() -> None:
    session = webnn.InferenceSession(OPEN)
    binding, x, y = session.io_binding(), ONES.copy(), np.zeros((2, 3), np.float32)
    binding.bind_input("x", "cpu", 0, np.float32, x.shape, x.ctypes.data)
    binding.bind_output("y", "cpu", 0, onnx.TensorProto.FLOAT, y.shape, y.ctypes.data)
    session.run_with_iobinding(binding)
    np.testing.assert_array_equal(y, ONES * 2)


def test_booleans_are_bound() -> None:
    session = webnn.InferenceSession(MASK)
    binding, n = session.io_binding(), webnn.OrtValue.ortvalue_from_shape_and_type([3], np.bool_)
    binding.bind_cpu_input("m", np.array([True, False, True]))
    binding.bind_ortvalue_output("n", n)
    session.run_with_iobinding(binding)
    assert n.numpy().tolist() == [False, True, False]
    assert binding.get_outputs()[0].data_type() == "tensor(bool)"


def test_no_byte_but_0_and_1_is_bound_to_a_boolean_input() -> None:
    equal = model([helper.make_node("Equal", ["a", "b"], ["n"])], [value("a", [3], BOOL), value("b", [3], BOOL)], [value("n", [3], BOOL)])
    session, mask = webnn.InferenceSession(equal), np.array([0, 2, 255], np.uint8)
    (expected,) = session.run(None, {"a": mask, "b": [True, True, True]})
    binding = session.io_binding()
    binds: list[Callable[[], None]] = [
        lambda: binding.bind_cpu_input("a", mask),
        lambda: binding.bind_ortvalue_input("a", webnn.OrtValue.ortvalue_from_numpy(mask)),
        lambda: binding.bind_input("a", "cpu", 0, np.uint8, mask.shape, mask.ctypes.data),
    ]
    for bind in binds:
        with pytest.raises(webnn.ArgumentError, match=r'input "a": the array is of uint8, not bool: use array\.astype\(bool\)'):
            bind()
    binding.bind_cpu_input("a", mask.astype(bool))
    binding.bind_cpu_input("b", np.ones(3, np.bool_))
    session.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].tolist() == expected.tolist() == [False, True, True]


def test_bindings_follow_the_provider() -> None:
    session = webnn.InferenceSession(OPEN)
    binding = session.io_binding()
    binding.bind_cpu_input("x", ONES)
    with pytest.raises(webnn.DeadlineError):
        session.run_with_iobinding(binding, timeout=0)  # the first run must compile the model
    session.run_with_iobinding(binding)
    session.set_providers(["reference"])
    with pytest.raises(webnn.InvalidStateError, match="compiled by the first run"):
        _ = session.graph
    with pytest.raises(webnn.DeadlineError):
        session.run_with_iobinding(binding, timeout=0)
    np.testing.assert_array_equal(binding.get_outputs()[0].numpy(), ONES * 2)  # result of the last successful run
    session.run_with_iobinding(binding)
    # The graph is compiled again, for the reference backend, which has no kernels.
    assert session.graph.placement()[0]["kernels"] == []
    np.testing.assert_array_equal(binding.get_outputs()[0].numpy(), ONES * 2)


def test_a_provider_that_is_not_here_changes_nothing() -> None:
    session = webnn.InferenceSession(UNUSED, providers=["reference"])
    with pytest.raises(webnn.NotSupportedError):
        session.set_providers(["CoreMLExecutionProvider"])
    assert session.get_provider_options() == {"reference": {}}
    assert session.run(None, {"x": [-1.0, 1.0]})[0].tolist() == [0, 1]


def test_scalars_stay_scalars() -> None:
    scalar = model([helper.make_node("Neg", ["x"], ["y"])], [value("x", [])], [value("y", [])])
    one = webnn.OrtValue.ortvalue_from_numpy(np.array(1, np.float32))
    assert one.shape() == []
    assert webnn.InferenceSession(scalar).run(None, {"x": one})[0].tolist() == -1


def test_an_array_of_bool_is_no_memory_for_bytes() -> None:
    same = model([helper.make_node("Identity", ["x"], ["y"])], [value("x", [2], UINT8)], [value("y", [2], UINT8)])
    session = webnn.InferenceSession(same)
    binding = session.io_binding()
    binding.bind_cpu_input("x", np.array([0, 2], np.uint8))
    binding.bind_ortvalue_output("y", webnn.OrtValue.ortvalue_from_shape_and_type([2], "bool"))
    with pytest.raises(webnn.ArgumentError, match='output "y": the array is of bool, not uint8'):
        session.run_with_iobinding(binding)


def test_elements_of_four_bits_are_bound_as_bytes(context: webnn.MLContext) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.cast(builder.input("x", [2], "int4"), "int32")})
    session = webnn.InferenceSession(graph)
    binding, packed = session.io_binding(), webnn.pack_int4([1, -2])
    unpacked: Any = np.array([1, -2]).astype(ml_dtypes.int4)
    with pytest.raises(webnn.ArgumentError, match=r'input "x": the array is of int4, not packed: use pack_int4\(\)'):
        binding.bind_cpu_input("x", unpacked)
    binding.bind_cpu_input("x", packed)
    for numbers in ([1, -2], [7, -8]):
        packed[:] = webnn.pack_int4(numbers)
        session.run_with_iobinding(binding)
        assert binding.get_outputs()[0].numpy().tolist() == numbers


@pytest.mark.parametrize(("data_type", "given"), [(UINT8, [1, 2]), (BOOL, [True, False]), (BOOL, [2, 0]), (FLOAT, (1, 2.5))])
def test_lists_are_bound_with_the_type_of_the_input(data_type: int, given: Any) -> None:
    same = model([helper.make_node("Identity", ["x"], ["y"])], [value("x", [2], data_type)], [value("y", [2], data_type)])
    session = webnn.InferenceSession(same)
    binding = session.io_binding()
    binding.bind_cpu_input("x", given)
    session.run_with_iobinding(binding)
    (bound,), (expected,) = binding.copy_outputs_to_cpu(), session.run(None, {"x": given})
    np.testing.assert_array_equal(bound, expected, strict=True)


def test_after_a_run_that_failed_the_outputs_are_those_before() -> None:
    session = webnn.InferenceSession(UNUSED)
    binding = session.io_binding()
    binding.bind_cpu_input("x", np.ones(2, np.float32))
    session.run_with_iobinding(binding)
    (kept,) = binding.get_outputs()
    with pytest.raises(webnn.DeadlineError):
        session.run_with_iobinding(binding, timeout=0)
    assert binding.copy_outputs_to_cpu()[0].tolist() == [1, 1]
    session.run_with_iobinding(binding)
    assert binding.get_outputs()[0].data_ptr() == kept.data_ptr()


def sum_model(data_type: int) -> bytes:
    x, y, z = (value(name, ["n", 3], data_type) for name in "xyz")
    return model([helper.make_node("Add", ["x", "y"], ["z"])], [x, y], [z])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])  # WebNN lacks float64: the host computes the Add
@pytest.mark.parametrize("has_memory", [False, True])
def test_values_of_outputs_follow_later_runs(dtype: Any, has_memory: bool) -> None:
    session = webnn.InferenceSession(sum_model(helper.np_dtype_to_tensor_dtype(np.dtype(dtype))))
    binding, x = session.io_binding(), np.zeros((2, 3), dtype)
    binding.bind_cpu_input("x", x)
    binding.bind_cpu_input("y", x)
    memory = webnn.OrtValue.ortvalue_from_numpy(x + 7)
    if has_memory:
        binding.bind_ortvalue_output("z", memory)
        assert binding.copy_outputs_to_cpu()[0].tolist() == (x + 7).tolist()  # before the first run
    else:
        binding.bind_output("z")
        assert [output.has_value() for output in binding.get_outputs()] == [False]
        with pytest.raises(webnn.InvalidStateError, match='output "z" has no value'):
            binding.copy_outputs_to_cpu()
    session.run_with_iobinding(binding)
    (kept,) = binding.get_outputs()
    for number in (1, 2):
        binding.bind_cpu_input("x", x + number)
        assert binding.copy_outputs_to_cpu()[0].tolist() == (x + number - 1).tolist()  # still the result of the last run
        session.run_with_iobinding(binding)
        assert kept.numpy().tolist() == (x + number).tolist()
    assert (memory.data_ptr() == kept.data_ptr()) == has_memory
    binding.clear_binding_inputs()
    with pytest.raises(webnn.ArgumentError, match=r'[Mm]issing|"x"'):
        session.run_with_iobinding(binding)
    assert binding.get_outputs()[0].data_ptr() == kept.data_ptr()
    binding.bind_output("z")  # the next run allocates new memory
    assert not binding.get_outputs()[0].has_value()
    for name in "xy":
        binding.bind_cpu_input(name, x + 9)
    session.run_with_iobinding(binding)
    assert kept.numpy().tolist() == (x + 2).tolist()
    (kept,) = binding.get_outputs()
    for name in "xy":
        binding.bind_cpu_input(name, np.ones((1, 3), dtype))  # the result has another shape
    session.run_with_iobinding(binding)
    assert (binding.copy_outputs_to_cpu()[0].tolist(), kept.numpy().tolist()) == ([[2, 2, 2]], (x + 18).tolist())
    binding.clear_binding_outputs()
    assert binding.get_outputs() == []


def test_sequences_are_bound() -> None:
    twice = model(
        [helper.make_node("SequenceConstruct", ["x", "x"], ["s"])],
        [value("x", ["n"])],
        [helper.make_tensor_sequence_value_info("s", FLOAT, None)],
    )
    joined = model(
        [helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)],
        [helper.make_tensor_sequence_value_info("s", FLOAT, None)],
        [value("y", ["n"])],
    )
    first, last = webnn.InferenceSession(twice), webnn.InferenceSession(joined)
    binding, x = first.io_binding(), np.ones(2, np.float32)
    binding.bind_cpu_input("x", x)
    first.run_with_iobinding(binding)
    (parts,), (copied,) = binding.get_outputs(), binding.copy_outputs_to_cpu()
    binding.bind_ortvalue_output("s", webnn.OrtValue.ortvalue_from_numpy(x))
    with pytest.raises(webnn.ArgumentError, match=r'output "s" is seq\(tensor\(float\)\), and its memory float32\[2\]'):
        first.run_with_iobinding(binding)
    with pytest.raises(webnn.NotSupportedError, match="not a tensor"):
        binding.bind_ortvalue_input("x", parts)
    binding = last.io_binding()
    binding.bind_ortvalue_input("s", parts)
    last.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].tolist() == [1, 1, 1, 1]
    copied[0][:] = 5  # changes the copy, not the bound value
    last.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].tolist() == [1, 1, 1, 1]


def test_values_are_of_the_types_of_tensors() -> None:
    value, fixed = webnn.OrtValue, np.broadcast_to(np.int8(0), [1])
    foreign = value.ortvalue_from_numpy(np.array([1, 2], ">f4"))  # must convert, because programs bind the bytes by data_ptr()
    assert foreign.numpy().dtype.isnative
    assert foreign.numpy().tolist() == [1, 2]
    mask = value.ortvalue_from_shape_and_type([3], bool)
    mask.update_inplace([True, False, 2])
    assert mask.numpy().tolist() == [True, False, True]
    cases: list[tuple[Any, type[webnn.Error], str]] = [
        (lambda: value.ortvalue_from_numpy(np.ones(2, np.complex64)), webnn.ArgumentError, "Unsupported data type: complex64"),
        (lambda: value.ortvalue_from_numpy_with_onnx_type(np.ones(2), 16), webnn.ArgumentError, "float64 has 8 bytes, one of bfloat16"),
        (lambda: value([np.ones(2)]).numpy(), webnn.NotSupportedError, r"the value is seq\(tensor\(double\)\), not a tensor"),
        (lambda: value.ortvalue_from_shape_and_type([2], "int4"), webnn.ArgumentError, "no values of int4"),
        (lambda: value.ortvalue_from_shape_and_type(3, np.int8), webnn.ArgumentError, "shape must be a sequence, not int"),  # type: ignore[arg-type]
        (lambda: value.ortvalue_from_shape_and_type([2**31 - 1] * 3, np.int8), webnn.UnknownError, "no memory for int8"),
        (lambda: value.ortvalue_from_numpy(fixed).update_inplace([1]), webnn.ArgumentError, "read-only"),
        (
            lambda: webnn.InferenceSession(UNUSED).io_binding().bind_input("x", "cpu", 0, np.float32, [2**31 - 1] * 3, 64),
            webnn.ArgumentError,
            "no memory holds float32",
        ),
    ]
    for work, kind, message in cases:
        with pytest.raises(kind, match=message):
            work()


def test_values_are_of_all_types_of_onnx() -> None:
    made = webnn.OrtValue.ortvalue_from_numpy
    arrays = [np.ones(2), np.ones(2, np.int16), np.ones(2, np.uint16), np.ones(2, bool), np.array(["a", "b"])]
    values = [made(array) for array in arrays]
    assert [(value.data_type(), value.element_type()) for value in values] == [
        ("tensor(double)", 11),
        ("tensor(int16)", 5),
        ("tensor(uint16)", 4),
        ("tensor(bool)", 9),
        ("tensor(string)", 8),
    ]
    brain = webnn.OrtValue.ortvalue_from_numpy_with_onnx_type(np.full(2, 0x3F80, np.uint16), 16)
    assert (brain.data_type(), brain.element_type(), brain.numpy().tolist()) == ("tensor(bfloat16)", 16, [1, 1])
    assert values[0].tensor_size_in_bytes() == 16
    values[0].update_inplace(made(np.zeros(2)))
    assert webnn.OrtValue.from_dlpack(values[0]).numpy().tolist() == [0, 0]
    assert webnn.OrtValue.ortvalue_from_shape_and_type([2], 8).numpy().tolist() == ["", ""]


def test_values_hold_sequences() -> None:
    split = helper.make_node("SplitToSequence", ["x"], ["s"], keepdims=1)
    first = model([split], [value("x", ["n"])], [helper.make_tensor_sequence_value_info("s", FLOAT, None)])
    join = helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0)
    last = model([join], [helper.make_tensor_sequence_value_info("s", FLOAT, None)], [value("y", ["n"])])
    x = webnn.OrtValue.ortvalue_from_numpy(np.arange(3, dtype=np.float32))
    (parts,) = webnn.InferenceSession(first).run_with_ort_values(None, {"x": x})
    assert (parts.is_tensor_sequence(), parts.is_tensor(), parts.data_type()) == (True, False, "seq(tensor(float))")
    (joined,) = webnn.InferenceSession(last).run_with_ort_values(["y"], {"s": parts})
    assert joined.numpy().tolist() == [0, 1, 2]


def test_bound_runs_make_no_arrays() -> None:
    content = model([helper.make_node("Relu", ["x"], ["y"])], [value("x", [1 << 18])], [value("y", [1 << 18])])
    session = webnn.InferenceSession(content)
    binding = session.io_binding()
    binding.bind_cpu_input("x", np.ones(1 << 18, np.float32))
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    address = binding.get_outputs()[0].data_ptr()
    tracemalloc.start()
    for _ in range(10):
        session.run_with_iobinding(binding)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 16  # less than the output's 1 MiB
    assert binding.get_outputs()[0].data_ptr() == address


def test_bindings_are_checked() -> None:
    session = webnn.InferenceSession(UNUSED)
    binding = session.io_binding()
    with pytest.raises(webnn.ArgumentError, match='bind_cpu_input: the model has no input "z"'):
        binding.bind_cpu_input("z", ONES)
    with pytest.raises(webnn.ArgumentError, match="not contiguous"):
        binding.bind_cpu_input("x", np.ones(4, np.float32)[::2])
    with pytest.raises(webnn.NotSupportedError, match="no memory of device 'cuda'"):
        binding.bind_output("y", "cuda")
    with pytest.raises(webnn.NotSupportedError, match="no memory of device 'cuda'"):
        webnn.OrtValue.ortvalue_from_numpy(ONES, "cuda", 0)
    with pytest.raises(webnn.ArgumentError, match="must be an OrtValue, not ndarray"):
        binding.bind_ortvalue_input("x", ONES)  # type: ignore[arg-type]
    with pytest.raises(webnn.ArgumentError, match="Missing input"):
        session.run_with_iobinding(binding)
    binding.bind_cpu_input("x", np.ones(2, np.float32))
    binding.bind_output("z")
    with pytest.raises(webnn.ArgumentError, match="the model has no output 'z'"):
        session.run_with_iobinding(binding)
    with pytest.raises(webnn.ArgumentError, match="this session's io_binding"):
        webnn.InferenceSession(UNUSED).run_with_iobinding(binding)


def test_sessions_are_pickled_by_path_or_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "open.onnx").write_bytes(OPEN)
    monkeypatch.chdir(tmp_path)
    for given in ("open.onnx", OPEN):
        session = webnn.InferenceSession(given, providers=["reference"], dimensions={"batch": 2})
        again = pickle.loads(pickle.dumps(session))
        assert again.get_providers() == ["reference"]
        assert again.get_inputs()[0].shape == [2, "width"]
        np.testing.assert_array_equal(again.run(None, {"x": ONES})[0], ONES * 2)
    assert len(pickle.dumps(webnn.InferenceSession("open.onnx"))) < 1000
    # Cancellation and progress of the load are not pickled.
    watched = webnn.InferenceSession(OPEN, cancellation=webnn.Cancellation(), progress=lambda done, total: None)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(watched)).run(None, {"x": ONES})[0], ONES * 2)


def test_a_session_in_a_given_context_is_not_pickled(context: webnn.MLContext) -> None:
    """A restored session could not have the same limits, precision or service as the given context."""
    with pytest.raises(webnn.NotSupportedError, match="a session in a given context cannot be pickled"):
        pickle.dumps(webnn.InferenceSession(UNUSED, context=context))


def test_exceptions_of_callbacks_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: queue.Queue[Any] = queue.Queue()
    monkeypatch.setattr(threading, "excepthook", reported.put)
    problem = ValueError("of the callback")

    def callback(results: list[Any], data: Any, error: str) -> None:
        raise problem

    webnn.InferenceSession(UNUSED).run_async(None, {"x": [1, 2]}, callback)
    assert reported.get(timeout=60).exc_value is problem


def test_run_async_calls_back_after_any_error() -> None:
    class Broken:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise KeyError("no array today")

    called: queue.Queue[tuple[Any, ...]] = queue.Queue()
    webnn.InferenceSession(OPEN).run_async(None, {"x": Broken()}, lambda *given: called.put(given), "data")
    assert called.get(timeout=60) == ([], "data", "'no array today'")


def test_threads_share_a_session() -> None:
    session, wrong = webnn.InferenceSession(OPEN, keep=1), list[Any]()

    def work(columns: int) -> None:
        given = np.full((1, columns), columns, np.float32)
        for _ in range(20):
            (result,) = session.run(None, {"x": given})
            if not np.array_equal(result, given * 2):
                wrong.append(result)

    threads = [threading.Thread(target=work, args=(columns,)) for columns in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_program_of_onnx_runtime_runs_with_another_import(tmp_path: Path) -> None:
    """Runs the typical steps of an ONNX Runtime program. docs/reference/python.md lists lines that differ; none is needed
    here."""
    ort = webnn
    path = tmp_path / "model.onnx"
    path.write_bytes(OPEN)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads = 2
    ort.set_default_logger_severity(3)
    assert ort.get_device() in ("CPU", "GPU")
    session = ort.InferenceSession(str(path), sess_options=options, providers=ort.get_available_providers()[-1:])
    assert "CPUExecutionProvider" in session.get_providers()
    first, last = session.get_inputs()[0], session.get_outputs()[0]
    assert (first.name, first.shape, first.type) == ("x", ["batch", "width"], "tensor(float)")
    results = session.run([last.name], {first.name: ONES})
    np.testing.assert_array_equal(results[0], ONES * 2)
    value_of = ort.OrtValue.ortvalue_from_numpy(ONES)
    assert (value_of.device_name(), value_of.shape(), value_of.data_type(), value_of.is_tensor()) == ("cpu", [2, 3], "tensor(float)", True)
    np.testing.assert_array_equal(session.run(["y"], {"x": value_of})[0], ONES * 2)
    binding = session.io_binding()
    binding.bind_input("x", value_of.device_name(), 0, np.float32, value_of.shape(), value_of.data_ptr())
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    np.testing.assert_array_equal(binding.get_outputs()[0].numpy(), ONES * 2)
    assert session.run_with_ort_values(["y"], {"x": value_of})[0].numpy().shape == (2, 3)


def positives() -> bytes:
    """Makes a model whose result has as many elements as its input has positive elements."""
    nodes = [
        helper.make_node("Constant", [], ["zero"], value_float=0.0),
        helper.make_node("Constant", [], ["axis"], value_ints=[0]),
        helper.make_node("Greater", ["x", "zero"], ["is"]),
        helper.make_node("NonZero", ["is"], ["places"]),
        helper.make_node("Squeeze", ["places", "axis"], ["indices"]),
        helper.make_node("Gather", ["x", "indices"], ["y"]),
    ]
    return model(nodes, [value("x", ["n"])], [helper.make_tensor_value_info("y", FLOAT, None)])


def test_shapes_that_depend_on_values() -> None:
    session = webnn.InferenceSession(positives())
    for values in ([1.0, -2.0, 3.0], [-1.0, -2.0], [], [4.0]):
        (result,) = session.run(None, {"x": np.array(values, np.float32)})
        assert result.dtype == np.float32
        assert result.tolist() == [value for value in values if value > 0]
    with pytest.raises(webnn.ArgumentError, match=r'input "x".*is missing'):
        session.run(None, {})
    with pytest.raises(webnn.ArgumentError, match="shape"):
        session.run(None, {"x": np.ones((2, 2), np.float32)})
    with pytest.raises(webnn.NotSupportedError, match="needs a session"):
        webnn.load(positives(), dimensions={"n": 3})


def test_binding_of_shapes_that_depend_on_values() -> None:
    session = webnn.InferenceSession(positives())
    binding, memory = session.io_binding(), np.zeros(2, np.float32)
    binding.bind_cpu_input("x", np.array([5, -1, 6], np.float32))
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].tolist() == [5, 6]
    binding.bind_output("y", element_type=np.float32, shape=[2], buffer_ptr=memory.ctypes.data)
    session.run_with_iobinding(binding)
    assert memory.tolist() == [5, 6]
    binding.bind_cpu_input("x", np.array([7, -1, -6], np.float32))
    with pytest.raises(webnn.ArgumentError, match="its memory"):
        session.run_with_iobinding(binding)
    assert binding.copy_outputs_to_cpu()[0].tolist() == memory.tolist() == [5, 6]


@pytest.mark.parametrize(("version", "error"), [(0, webnn.DataError), (-1, webnn.DataError), (29, webnn.NotSupportedError)])
def test_sessions_and_graphs_take_the_same_operator_sets(version: int, error: type[webnn.Error]) -> None:
    relu = onnx.helper.make_node("Relu", ["x"], ["y"])
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n"]) for name in "xy")
    model = onnx.helper.make_model(onnx.helper.make_graph([relu], "g", [x], [y]), opset_imports=[onnx.helper.make_opsetid("", version)])
    with pytest.raises(error, match=f"operator set \\({version}\\)"):
        webnn.InferenceSession(model.SerializeToString())
    with pytest.raises(error, match=f"operator set \\({version}\\)"):
        webnn.load(model.SerializeToString(), dimensions={"n": 1})


def test_models_with_open_dimensions_are_not_saved(tmp_path: Path) -> None:
    relu = onnx.helper.make_node("Relu", ["x"], ["y"])
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n"]) for name in "xy")
    content = onnx.helper.make_model(onnx.helper.make_graph([relu], "g", [x], [y])).SerializeToString()
    with pytest.raises(webnn.ArgumentError, match="has no graph to save; load it with sizes"):
        webnn.InferenceSession(content).save(tmp_path / "relu.webnn")
    webnn.InferenceSession(content, dimensions={"n": 2}).save(tmp_path / "relu.webnn")
