// Converts Python arrays to packed bytes and back. All functions need the GIL unless stated otherwise.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/unset_vector.h"
#include "webnn/graph_builder.h"
#include "webnn/onnx_types.h"
#include "webnn/types.h"

namespace nb = nanobind;

namespace webnn::python {

// Holds a buffer of a Python object (PEP 3118). The object cannot move or free the buffer's memory while it is held.
class HeldBuffer {
 public:
  HeldBuffer() = default;
  // Holds nothing if the object has no such buffer or is a masked array.
  HeldBuffer(nb::handle object, int flags);
  ~HeldBuffer();
  HeldBuffer(HeldBuffer&& other) noexcept : view_(std::exchange(other.view_, {})) {}
  HeldBuffer& operator=(HeldBuffer&& other) noexcept {
    std::swap(view_, other.view_);
    return *this;
  }

  explicit operator bool() const { return view_.obj != nullptr; }
  const Py_buffer& view() const { return view_; }
  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)}; }

 private:
  friend ExternalBytes keptAlive(HeldBuffer buffer);
  Py_buffer view_{};
};

// Returns whether the library can use the buffer directly: packed, row-major, and of the descriptor's type and shape. int4 and
// uint4 are packed two per byte.
bool matches(const HeldBuffer& buffer, const OperandDescriptor& descriptor);

// Returns packed bytes for an array of the descriptor's type and shape: the array's own memory if its layout allows, else a copy.
// Accepts NumPy arrays, objects with the buffer protocol or __dlpack__, numbers and lists. Throws ArgumentError, whose text
// starts with `what`, for other objects.
HeldBuffer packedBytes(nb::handle array, const OperandDescriptor& descriptor, std::string_view what);

// Returns the bytes with an owner that any thread may release, with or without the GIL.
ExternalBytes keptAlive(HeldBuffer buffer);

// Releases the buffers that threads could not release because they lacked the GIL.
void releaseWaiting();
// Call in a forked child: forgets the waiting buffers, which belong to the parent.
void forgetWaiting();

// Returns a new NumPy array of this type and shape, uninitialized.
nb::object emptyArray(const OperandDescriptor& descriptor);
// Returns a NumPy array that owns the bytes. The data type must have at least 8 bits.
nb::object arrayOf(const OperandDescriptor& descriptor, UnsetVector<std::byte> bytes);

// Makes arrays of one type and shape. Creates the shape tuple and the dtype object only once.
struct ArrayMaker {
  nb::object shape, dtype;
  explicit ArrayMaker(const OperandDescriptor& descriptor);
  nb::object empty() const;
};

// Converts "float32", or anything that numpy.dtype() accepts. Throws ArgumentError for other values.
DataType dataTypeOf(nb::handle value, std::string_view what);
// Converts a sequence of sizes, each from 0 to 2^32 - 1.
Shape shapeOf(nb::handle value, std::string_view what);
nb::tuple tupleOf(const Shape& shape);
nb::str textOf(std::string_view text);
// Returns the name that webnn._foreign uses for a type that WebNN lacks: NumPy's "float64" for double, otherwise ONNX's.
inline std::string_view foreignName(onnx::ElementType type) {
  return type == onnx::ElementType::float64 ? "float64" : onnx::name(type);
}

// Returns an attribute of a module of the package. Imports the module at first use.
nb::object fromPackage(const char* module, const char* name);

}  // namespace webnn::python
