// ScatterElements and ScatterND, with any reduction.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <type_traits>

#include "base/unaligned.h"
#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"
#include "onnx/program/indices.h"

namespace webnn::formats::onnx {

namespace {

enum class Reduction { none, add, mul, max, min };

Reduction reductionOf(const HostNode& node) {
  const std::string_view name = node.text("reduction", "none");
  // As in NumPy, the sum of booleans is "or" and their product "and".
  const bool isBoolean = node.value(0).type == ElementType::boolean;
  if (name == "none") return Reduction::none;
  if (name == "add") return isBoolean ? Reduction::max : Reduction::add;
  if (name == "mul") return isBoolean ? Reduction::min : Reduction::mul;
  if (name == "max") return Reduction::max;
  if (name == "min") return Reduction::min;
  fail(ErrorKind::dataError, "its reduction {} is not one of none, add, mul, max, min.", webnn::quoted(name));
}

template <typename T>
T multiplied(T a, T b) {
  if constexpr (std::is_integral_v<T>)  // uint16_t would be multiplied as int, which overflows
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}

template <typename T>
T reduced(Reduction reduction, T before, T update) {
  switch (reduction) {
    case Reduction::none: return update;
    case Reduction::add: return static_cast<T>(before + update);
    case Reduction::mul: return multiplied(before, update);
    case Reduction::max: return std::max(before, update);
    case Reduction::min: return std::min(before, update);
  }
  return update;
}

// Computes float16 in float32 and rounds the result, as ONNX Runtime does.
template <>
Half reduced(Reduction reduction, Half before, Half update) {
  return Half(double{
      reduced(reduction, static_cast<float>(static_cast<double>(before)), static_cast<float>(static_cast<double>(update)))});
}

// A bfloat16 is computed as float32 and rounded, too.
struct Bfloat16 {
  std::uint16_t bits = 0;
};
template <>
Bfloat16 reduced(Reduction reduction, Bfloat16 before, Bfloat16 update) {
  const auto wide = [](Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); };
  const double result{reduced(reduction, wide(before), wide(update))};
  Bfloat16 narrow;
  fromNumbers(ElementType::bfloat16, {&result, 1}, reinterpret_cast<std::byte*>(&narrow));
  return narrow;
}

// Calls f with a zero of an unsigned type of the elements' size, whose bits can be moved.
void withSize(std::size_t bytes, auto f) {
  switch (bytes) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: fail(ErrorKind::notSupportedError, "the host does not scatter elements of {} bytes.", bytes);
  }
}

// Calls f with a zero of the element type's C++ type. Signed integers wrap, so they are computed as unsigned ones, except for
// minima and maxima.
void withType(ElementType type, Reduction reduction, auto f) {
  if (reduction == Reduction::none) return withSize(elementBytes(type), f);
  const bool isOrdered = reduction == Reduction::max || reduction == Reduction::min;
  switch (type) {
    case ElementType::float32: return f(float{});
    case ElementType::float64: return f(double{});
    case ElementType::float16: return f(Half(0.0));
    case ElementType::boolean:
    case ElementType::uint8: return f(std::uint8_t{});
    case ElementType::bfloat16: return f(Bfloat16{});
    case ElementType::int16: return isOrdered ? f(std::int16_t{}) : f(std::uint16_t{});
    case ElementType::uint16: return f(std::uint16_t{});
    case ElementType::int8: return isOrdered ? f(std::int8_t{}) : f(std::uint8_t{});
    case ElementType::int32: return isOrdered ? f(std::int32_t{}) : f(std::uint32_t{});
    case ElementType::uint32: return f(std::uint32_t{});
    case ElementType::int64: return isOrdered ? f(std::int64_t{}) : f(std::uint64_t{});
    case ElementType::uint64: return f(std::uint64_t{});
    default: fail(ErrorKind::notSupportedError, "the host does not reduce elements of type {}.", webnn::onnx::name(type));
  }
}

std::vector<std::size_t> stridesOfDims(const Dims& dims) {
  std::vector<std::size_t> strides(dims.size(), 1);
  for (std::size_t d = dims.size(); d-- > 1;) strides[d - 1] = strides[d] * static_cast<std::size_t>(dims[d]);
  return strides;
}

// Applies the updates to a copy of input 0, at the places that forEach passes to its argument, in that order. An update is a
// block of `blockElements` elements.
void scatterTo(HostNode& node, std::size_t count, std::size_t blockElements, auto forEach) {
  const Value &data = node.value(0), &updates = node.value(2);
  const Reduction reduction = reductionOf(node);
  if (updates.type != data.type || elementCount(updates.dims) != count * blockElements)
    fail(ErrorKind::dataError, "updates [{}] do not fit the indices [{}].", textOf(updates.dims), textOf(node.dims(1)));
  if (data.strings) {
    if (reduction != Reduction::none) fail(ErrorKind::dataError, "strings have no reduction {}.", node.text("reduction", ""));
    StringList strings(node, *data.strings);
    std::size_t update = 0;
    forEach([&](std::size_t place) {
      for (std::size_t j = 0; j < blockElements; ++j) strings.replace(place + j, (*updates.strings)[update++]);
    });
    return node.set(0, node.makeStrings(data.dims, std::move(strings)));
  }
  std::byte* to = nullptr;
  Value result = node.make(data.type, data.dims, to);
  if (data.bytes && !data.bytes->bytes.empty()) std::memcpy(to, data.bytes->bytes.data(), data.bytes->bytes.size());
  withType(data.type, reduction, [&]<typename T>(T) {
    const std::byte* update = count == 0 ? nullptr : updates.bytes->bytes.data();
    forEach([&](std::size_t place) {
      node.tick(blockElements);
      std::byte* at = to + place * sizeof(T);
      for (std::size_t j = 0; j < blockElements; ++j, at += sizeof(T), update += sizeof(T))
        storeUnaligned(at, reduced(reduction, loadUnaligned<T>(at), loadUnaligned<T>(update)));
    });
  });
  node.set(0, std::move(result));
}

void runScatterElements(HostNode& node) {
  const Dims &dims = node.dims(0), &indexDims = node.dims(1);
  const std::size_t axis = axisOf(node, node.integer("axis", 0), dims.size());
  const std::vector<std::int64_t> indices = node.integers(1);
  if (indexDims.size() != dims.size())
    fail(ErrorKind::dataError, "indices [{}] do not fit [{}].", textOf(indexDims), textOf(dims));
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d != axis && indexDims[d] > dims[d])
      fail(ErrorKind::dataError, "indices [{}] do not fit [{}].", textOf(indexDims), textOf(dims));
  }
  const std::vector<std::size_t> strides = stridesOfDims(dims);
  scatterTo(node, indices.size(), 1, [&](auto apply) {
    std::vector<std::int64_t> position(dims.size());
    std::size_t base = 0;  // offset of the position, without its index along the axis
    for (const std::int64_t index : indices) {
      apply(base + positionIn(index, dims[axis]) * strides[axis]);
      for (std::size_t d = dims.size(); d-- > 0;) {
        const std::size_t stride = d == axis ? 0 : strides[d];
        base += stride;
        if (++position[d] < indexDims[d]) break;
        base -= stride * static_cast<std::size_t>(position[d]);
        position[d] = 0;
      }
    }
  });
}

void runScatterND(HostNode& node) {
  const Dims &dims = node.dims(0), &indexDims = node.dims(1);
  const std::int64_t depth = indexDims.empty() ? 0 : indexDims.back();
  if (depth < 1 || depth > std::ssize(dims))
    fail(ErrorKind::dataError, "indices [{}] do not fit [{}].", textOf(indexDims), textOf(dims));
  const std::vector<std::size_t> strides = stridesOfDims(dims);
  const std::vector<std::int64_t> indices = node.integers(1);
  const auto coordinates = static_cast<std::size_t>(depth);
  scatterTo(node, indices.size() / coordinates, strides[coordinates - 1], [&](auto apply) {
    for (std::size_t i = 0; i < indices.size(); i += coordinates) {
      std::size_t place = 0;
      for (std::size_t d = 0; d < coordinates; ++d) place += positionIn(indices[i + d], dims[d]) * strides[d];
      apply(place);
    }
  });
}

}  // namespace

std::span<const HostOperator> scatterSteps() {
  static constexpr HostOperator kSteps[]{
      {"", "Scatter", runScatterElements}, {"", "ScatterElements", runScatterElements}, {"", "ScatterND", runScatterND}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
