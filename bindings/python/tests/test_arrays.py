"""Tests which Python objects are accepted as arrays."""

import array
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import webnn

TYPES = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8"]


def identity(context: webnn.MLContext, data_type: str, shape: list[int]) -> webnn.MLGraph:
    builder = webnn.MLGraphBuilder(context)
    return builder.build({"y": builder.identity(builder.input("x", shape, data_type))})


@pytest.mark.parametrize("data_type", TYPES)
@pytest.mark.parametrize("shape", [[], [3], [2, 3]])
def test_every_type_goes_in_and_out(context: webnn.MLContext, data_type: str, shape: list[int]) -> None:
    graph = identity(context, data_type, shape)
    given = np.arange(np.prod(shape, dtype=int)).astype(data_type).reshape(shape)
    result = graph.compute({"x": given})["y"]
    assert result.dtype == given.dtype
    assert result.shape == given.shape
    np.testing.assert_array_equal(result, given)


class OnlyDlpack:
    """An array whose only array protocol is __dlpack__."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


VALUES = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
READ_ONLY = VALUES.copy()
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    "given",
    [
        READ_ONLY,
        np.asfortranarray(VALUES),
        np.repeat(VALUES, 2, 1)[:, ::2],
        VALUES.astype(">f4"),
        VALUES[::-1][::-1],
        VALUES.tolist(),
        VALUES.tobytes(),
        bytearray(VALUES.tobytes()),
        VALUES.data,
        OnlyDlpack(VALUES),
    ],
    ids=["read-only", "fortran", "strided", "byte-swapped", "reversed", "list", "bytes", "bytearray", "memoryview", "dlpack"],
)
def test_arrays_of_any_layout_are_taken(context: webnn.MLContext, given: Any) -> None:
    np.testing.assert_array_equal(identity(context, "float32", [2, 3]).compute({"x": given})["y"], VALUES)
    builder = webnn.MLGraphBuilder(context)
    constant = builder.constant({"dataType": "float32", "shape": [2, 3]}, given)
    graph = builder.build({"y": builder.identity(constant)})
    np.testing.assert_array_equal(graph.compute({})["y"], VALUES)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (VALUES.astype(np.float64), "the array is of float64, not float32"),
        (VALUES.reshape(3, 2), "Shape mismatch: the array is of shape [3, 2], not [2, 3]"),
        (VALUES.reshape(-1), "Shape mismatch"),
        (VALUES.astype(object), "the array is of object"),
        (np.array(["a"]), "the array is of <U1"),
        (b"abc", "the byte length (3)"),
        (None, "NoneType"),
        ("text", ""),
        ([[1, 2], [3]], "is no array"),
        (array.array("d", [1.0]), "the array is of float64"),
        (1 << 80, ""),
        (object(), "object"),
        (VALUES.astype(ml_dtypes.bfloat16), "bfloat16"),
    ],
)
def test_wrong_arrays_are_named(context: webnn.MLContext, given: Any, message: str) -> None:
    graph = identity(context, "float32", [2, 3])
    with pytest.raises(TypeError) as caught:
        graph.compute({"x": given})
    assert isinstance(caught.value, webnn.ArgumentError)
    assert str(caught.value).startswith('compute: input "x": ')
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "data_type", "problem"),
    [
        ([1.9, -1.9, 7], "int32", "1.9 is not an int32."),
        ([1, 255.9, 2], "uint8", "255.9 is not a uint8."),
        ([1, "7", 2], "uint8", "str is not a uint8."),
        ([None, 1.5, True], "float32", "NoneType is not a float32."),
        (["1.5", 1, 2], "float32", "str is not a float32."),
        ([1j, 1, 2], "float16", "complex is not a float16."),
        ([[1], [2], [object()]], "int64", "object is not an int64."),
        ([1, -129, 3], "int8", "-129 is not an int8."),
        ([1, -1, 3], "uint64", "-1 is not a uint64."),
        ([2**63, 1, -1], "int64", "9223372036854775808 is not an int64."),
        ([2**53 + 1, 1.0, math.nan], "int64", "nan is not an int64."),
        ([10**5000, 1, 2], "int64", "list is no array that can be read: "),
        ([10**400, 1, 2], "float32", "list is no array that can be read: int too large"),
    ],
)
def test_lists_change_no_values(context: webnn.MLContext, given: Any, data_type: str, problem: str) -> None:
    with pytest.raises(webnn.ArgumentError) as caught:
        identity(context, data_type, [3]).compute({"x": given})
    assert str(caught.value).startswith(f'compute: input "x": {problem}')
    with pytest.raises(webnn.ArgumentError) as caught:
        webnn.MLGraphBuilder(context).constant(given, data_type=data_type)
    assert str(caught.value).startswith(f"constant: {problem}")


@pytest.mark.parametrize(
    ("given", "data_type", "expected"),
    [
        ([1, True, 2.0], "int8", [1, 1, 2]),
        ([2**64 - 1, 1, False], "uint64", [2**64 - 1, 1, 0]),
        ([2**53 + 1, 1.0, 0], "int64", [2**53 + 1, 1, 0]),
        ([0.1, 2**70, True], "float32", [np.float32(0.1), 2.0**70, 1]),
        ([1e9, -math.inf, 1], "float16", [math.inf, -math.inf, 1]),
        ([np.int64(1), np.float32(2), np.bool_(1)], "uint8", [1, 2, 1]),
    ],
)
def test_lists_become_arrays_of_the_type(context: webnn.MLContext, given: Any, data_type: str, expected: Any) -> None:
    result = identity(context, data_type, [3]).compute({"x": given})["y"]
    assert result.tolist() == np.array(expected, data_type).tolist()


def test_single_numbers_change_no_values(builder: webnn.MLGraphBuilder) -> None:
    with pytest.raises(webnn.ArgumentError, match=r"^constant: 1\.9 is not an int32\.$"):
        builder.constant(1.9, data_type="int32")


def test_masked_elements_are_refused(builder: webnn.MLGraphBuilder) -> None:
    masked = np.ma.array(VALUES, mask=VALUES == 2)
    with pytest.raises(webnn.ArgumentError, match="constant: the array has masked elements"):
        builder.constant(masked)
    with pytest.raises(webnn.ArgumentError, match="constant: the array has masked elements"):
        builder.constant({"dataType": "float32", "shape": [2, 3]}, masked)
    assert builder.constant(np.ma.array(VALUES)).shape == [2, 3]


def test_masked_elements_are_refused_where_the_layout_fits(context: webnn.MLContext) -> None:
    graph = identity(context, "float32", [2, 3])
    for order in ("C", "F"):
        values = np.asarray(VALUES, np.float32, order=order)
        with pytest.raises(webnn.ArgumentError, match='compute: input "x": the array has masked elements'):
            graph.compute({"x": np.ma.array(values, mask=values == 2)})
        assert np.array_equal(graph.compute({"x": np.ma.array(values)})["y"], VALUES)


def test_tensors_too_large_for_memory_are_named(builder: webnn.MLGraphBuilder) -> None:
    with pytest.raises(webnn.UnknownError, match=r"^constant: there is no memory for an array of this range\.$"):
        builder.constant(range(10**12))


@pytest.mark.parametrize("data_type", ["int4", "uint4"])
def test_elements_of_4_bits_are_packed(context: webnn.MLContext, data_type: str) -> None:
    values = np.array([[1, 2, 3], [4, 5, 7]]).astype(getattr(ml_dtypes, data_type))
    graph = identity(context, data_type, [2, 3])
    packed = webnn.pack_int4(values)
    np.testing.assert_array_equal(packed, [0x21, 0x43, 0x75])
    for given in (values, packed):
        result = graph.compute({"x": given})["y"]
        np.testing.assert_array_equal(result, packed)
        np.testing.assert_array_equal(webnn.unpack_int4(result, (2, 3), data_type == "int4"), values.astype(int))
    with pytest.raises(webnn.ArgumentError, match="has 3 bytes"):
        graph.compute({"x": np.zeros((2, 3), np.uint8)})


def test_negative_elements_of_4_bits_come_back() -> None:
    values = np.array([-8, -1, 7])
    np.testing.assert_array_equal(webnn.unpack_int4(webnn.pack_int4(values), (3,)), values)
    with pytest.raises(webnn.ArgumentError):
        webnn.pack_int4([16])


def test_a_read_only_output_is_refused(context: webnn.MLContext) -> None:
    with pytest.raises(webnn.ArgumentError, match="read-only"):
        identity(context, "float32", [2, 3]).compute({"x": VALUES}, {"y": READ_ONLY})


def test_a_constant_is_not_copied() -> None:
    # The CPU engine is not used, because it packs constants for its kernels.
    context = webnn.ML().create_context(backend="reference")
    if context.service:
        pytest.skip("a service has a copy")
    values = np.zeros(4, np.float32)
    builder = webnn.MLGraphBuilder(context)
    graph = builder.build({"y": builder.add(builder.input("x", [4], "float32"), builder.constant(values))})
    values[:] = 5  # users must not do this; here it shows that the memory is shared
    assert graph.compute({"x": np.zeros(4, np.float32)})["y"][0] == 5


def test_results_are_dlpack(context: webnn.MLContext) -> None:
    result = identity(context, "float32", [2, 3]).compute({"x": VALUES})["y"]
    np.testing.assert_array_equal(np.from_dlpack(result), VALUES)
