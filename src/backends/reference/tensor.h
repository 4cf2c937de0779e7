#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/progress.h"
#include "webnn/types.h"

namespace webnn::reference {

// A row-major tensor without gaps. float16 elements are stored as Half, other elements as the C++ type of the same name. int4 and
// uint4 elements are not packed: each takes one std::int8_t or std::uint8_t.
class NdArray {
 public:
  NdArray() = default;
  // Creates a tensor of zeros.
  explicit NdArray(OperandDescriptor descriptor);
  // Unpacks bytes, which need not be aligned.
  NdArray(OperandDescriptor descriptor, std::span<const std::byte> packed);
  // Packs the elements into `packed`: two 4-bit elements per byte.
  void pack(std::span<std::byte> packed) const;

  const OperandDescriptor& descriptor() const { return descriptor_; }
  DataType dataType() const { return descriptor_.dataType; }
  const Shape& shape() const { return descriptor_.shape; }
  std::size_t rank() const { return descriptor_.shape.size(); }
  std::size_t size() const { return size_; }

  // Returns the elements. T must be the storage type of dataType().
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(storage_.data()), size_};
  }
  template <typename T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(storage_.data()), size_};
  }

  // Convert float32 or float16 elements to double (exactly) and back (rounded once).
  std::vector<double> toDoubles() const;
  void setDoubles(std::span<const double> values);

 private:
  OperandDescriptor descriptor_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> storage_;  // elements; uint64 aligns them for every type
};

// Calls visit(T{}) with the storage type T of a data type.
template <typename Visit>
decltype(auto) visitType(DataType type, Visit&& visit) {
  switch (type) {
    case DataType::float32: return visit(float{});
    case DataType::float16: return visit(Half{});
    case DataType::int32: return visit(std::int32_t{});
    case DataType::uint32: return visit(std::uint32_t{});
    case DataType::int64: return visit(std::int64_t{});
    case DataType::uint64: return visit(std::uint64_t{});
    case DataType::int8:
    case DataType::int4: return visit(std::int8_t{});
    case DataType::uint8:
    case DataType::uint4: break;
  }
  return visit(std::uint8_t{});
}

// Whether elements of storage type T are floats, which are computed in double. Integers are computed in their own type.
template <typename T>
inline constexpr bool kIsReal = std::is_same_v<T, float> || std::is_same_v<T, Half>;

double toDouble(auto value) { return static_cast<double>(value); }
// Rounds a double once to float or Half.
template <typename T>
T fromDouble(double value) {
  return static_cast<T>(value);
}

// Returns the stride of each dimension in elements.
std::vector<std::size_t> stridesOf(const Shape& shape);

// Iterates over all coordinates of a shape in row-major order:
// for (Coordinates at(shape); !at.done(); at.next()) { ... at[d] ... at.offset(strides) ... }
class Coordinates {
 public:
  explicit Coordinates(Shape shape) : shape_(std::move(shape)), at_(shape_.size()) {
    for (std::uint32_t dimension : shape_) done_ = done_ || dimension == 0;
  }
  bool done() const { return done_; }
  std::size_t operator[](std::size_t dimension) const { return at_[dimension]; }
  std::size_t rank() const { return at_.size(); }
  // Returns the position in a tensor with these strides, one per coordinate; 0 for a broadcast dimension.
  std::size_t offset(const std::vector<std::size_t>& strides) const;
  void next();

 private:
  Shape shape_;
  std::vector<std::size_t> at_;
  bool done_ = false;
  Progress progress_;
};

// Returns strides that read a tensor of shape `from` broadcast to `to`: one per dimension of `to`, 0 for broadcast dimensions.
std::vector<std::size_t> broadcastStrides(const Shape& from, const Shape& to);

// Iterates over rows of `shape` in row-major order, with the positions in operands broadcast to it. A row is the innermost
// dimension, merged with outer dimensions as long as each operand keeps a single stride. Arrays of one shape have a single row.
class BroadcastRows {
 public:
  BroadcastRows(const Shape& shape, std::span<const NdArray* const> operands);
  bool done() const { return row_.done(); }
  void next();
  // The positions of the row's first element and of the end of the row in `shape`.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return begin_ + length_; }
  // Return, for the operand with index `operand`, the position of the row's first element, and the stride to the next element.
  std::size_t at(std::size_t operand) const { return row_.offset(strides_[operand]); }
  std::size_t step(std::size_t operand) const { return steps_[operand]; }

 private:
  Coordinates row_;
  std::size_t begin_ = 0, length_;
  std::vector<std::vector<std::size_t>> strides_;
  std::vector<std::size_t> steps_;
};

}  // namespace webnn::reference
