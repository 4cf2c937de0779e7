// Computes ScatterElements and ScatterND on the host, with any reduction.
#include <algorithm>
#include <array>
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

struct Bfloat16 {
  std::uint16_t bits = 0;
};

// Reduces float16 and bfloat16 elements in float32 and rounds the result, as ONNX Runtime does.
template <Reduction kReduction, typename T>
T reduced(T before, T update) {
  if constexpr (kReduction == Reduction::none) {
    return update;
  } else if constexpr (std::is_same_v<T, Half>) {
    const auto wide = [](Half x) { return static_cast<float>(static_cast<double>(x)); };
    return Half(double{reduced<kReduction>(wide(before), wide(update))});
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    const auto wide = [](Bfloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); };
    const double result{reduced<kReduction>(wide(before), wide(update))};
    Bfloat16 narrow;
    fromNumbers(ElementType::bfloat16, {&result, 1}, reinterpret_cast<std::byte*>(&narrow));
    return narrow;
  } else if constexpr (kReduction == Reduction::add) {
    return static_cast<T>(before + update);
  } else if constexpr (kReduction == Reduction::mul && std::is_integral_v<T>) {
    // uint16_t would be multiplied as int, which overflows.
    return static_cast<T>(static_cast<std::uint64_t>(before) * static_cast<std::uint64_t>(update));
  } else if constexpr (kReduction == Reduction::mul) {
    return before * update;
  } else if constexpr (kReduction == Reduction::max) {
    return std::max(before, update);
  } else {
    return std::min(before, update);
  }
}

template <Reduction kReduction, typename T>
void reduceAt(std::byte* to, const std::byte* update) {
  storeUnaligned(to, reduced<kReduction>(loadUnaligned<T>(to), loadUnaligned<T>(update)));
}

// Reduces `count` updates into as many consecutive elements.
template <Reduction kReduction, typename T>
void reduceRow(std::byte* to, const std::byte* updates, std::size_t count) {
  if constexpr (kReduction == Reduction::none) {
    if (count > 0) std::memcpy(to, updates, count * sizeof(T));
  } else {
    constexpr std::size_t kAtOnce = 16;  // a constant number, so that compilers vectorize the loop
    std::array<T, kAtOnce> before, own;
    for (; count >= kAtOnce; count -= kAtOnce, to += sizeof(before), updates += sizeof(own)) {
      std::memcpy(&before, to, sizeof(before));
      std::memcpy(&own, updates, sizeof(own));
      for (std::size_t i = 0; i < kAtOnce; ++i) before[i] = reduced<kReduction>(before[i], own[i]);
      std::memcpy(to, &before, sizeof(before));
    }
    for (std::size_t i = 0; i < count; ++i) reduceAt<kReduction, T>(to + i * sizeof(T), updates + i * sizeof(T));
  }
}

// Calls f with the reduction as a constant.
void withReduction(Reduction reduction, auto f) {
  switch (reduction) {
    case Reduction::none: return f(std::integral_constant<Reduction, Reduction::none>());
    case Reduction::add: return f(std::integral_constant<Reduction, Reduction::add>());
    case Reduction::mul: return f(std::integral_constant<Reduction, Reduction::mul>());
    case Reduction::max: return f(std::integral_constant<Reduction, Reduction::max>());
    case Reduction::min: return f(std::integral_constant<Reduction, Reduction::min>());
  }
}

// Calls f with a zero of the unsigned integer type of `bytes` bytes. Elements of this size are copied as this type.
void withSize(std::size_t bytes, auto f) {
  switch (bytes) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: fail(ErrorKind::notSupportedError, "the host does not scatter elements of {} bytes.", bytes);
  }
}

// Calls f with a zero of the C++ type for the element type. Signed integers are computed as unsigned integers, which wrap,
// except for minima and maxima. Without a reduction, calls f with an unsigned integer of the element's size.
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

// Calls f(indexAt), where indexAt(i) returns element i of input 1, an integer tensor, as int64.
void withIndices(const HostNode& node, auto f) {
  const Value& indices = node.value(1);
  const std::byte* const bytes = indices.bytes ? indices.bytes->bytes.data() : nullptr;
  if (indices.type == ElementType::int32)
    return f([=](std::size_t i) -> std::int64_t { return loadUnaligned<std::int32_t>(bytes + i * sizeof(std::int32_t)); });
  if (indices.type == ElementType::int64)
    return f([=](std::size_t i) { return loadUnaligned<std::int64_t>(bytes + i * sizeof(std::int64_t)); });
  const std::vector<std::int64_t> elements = node.integers(1);
  f([&](std::size_t i) { return elements[i]; });
}

// Applies the updates to a copy of input 0. `rows.each(indexAt, visit)` calls visit(place, update, elements) for each update, or
// for each run of `elements` updates that go to consecutive elements: `place` and `update` are the positions of the first ones.
void scatterTo(HostNode& node, std::size_t count, const auto& rows) {
  const Value &data = node.value(0), &updates = node.value(2);
  const Reduction reduction = reductionOf(node);
  if (updates.type != data.type || elementCount(updates.dims) != count)
    fail(ErrorKind::dataError, "updates [{}] do not fit the indices [{}].", textOf(updates.dims), textOf(node.dims(1)));
  if (data.strings) {
    if (reduction != Reduction::none) fail(ErrorKind::dataError, "strings have no reduction {}.", node.text("reduction", ""));
    StringList strings(node, *data.strings);
    withIndices(node, [&](auto indexAt) {
      rows.each(indexAt, [&](std::size_t place, std::size_t update, std::size_t elements) {
        for (std::size_t i = 0; i < elements; ++i) strings.replace(place + i, (*updates.strings)[update + i]);
      });
    });
    return node.set(0, node.makeStrings(data.dims, std::move(strings)));
  }
  std::byte* to = nullptr;
  Value result = node.make(data.type, data.dims, to);
  if (data.bytes && !data.bytes->bytes.empty()) std::memcpy(to, data.bytes->bytes.data(), data.bytes->bytes.size());
  const std::byte* const from = count == 0 ? nullptr : updates.bytes->bytes.data();
  withType(data.type, reduction, [&]<typename T>(T) {
    withReduction(reduction, [&]<Reduction kReduction>(std::integral_constant<Reduction, kReduction>) {
      withIndices(node, [&](auto indexAt) {
        rows.each(indexAt, [&](std::size_t place, std::size_t update, std::size_t elements) {
          if (elements == 1)
            reduceAt<kReduction, T>(to + place * sizeof(T), from + update * sizeof(T));
          else
            reduceRow<kReduction, T>(to + place * sizeof(T), from + update * sizeof(T), elements);
        });
      });
    });
  });
  node.set(0, std::move(result));
}

// Enumerates the elements that ScatterElements updates.
struct ElementRows {
  const HostNode& node;
  const Dims &dims, &indexDims;
  const std::size_t axis;
  const std::vector<std::size_t> strides;

  // Returns whether the `count` indices from `first` on are equal. Their updates then go to consecutive elements.
  static bool areEqual(auto indexAt, std::size_t first, std::size_t count) {
    const std::int64_t index = indexAt(first);
    std::int64_t difference = 0;
    for (std::size_t i = first; i < first + count; ++i) difference |= indexAt(i) ^ index;
    return difference == 0;
  }

  void each(auto indexAt, auto visit) const {
    const std::size_t last = dims.size() - 1, count = elementCount(indexDims), stride = strides[axis];
    const auto row = static_cast<std::size_t>(indexDims[last]);
    std::vector<std::int64_t> position(dims.size());
    std::size_t base = 0;  // offset of the row, without the index along the axis
    for (std::size_t first = 0; first < count; first += row) {
      node.tick(row);
      const auto placeOf = [&](std::size_t i) { return base + positionIn(indexAt(i), dims[axis]) * stride; };
      if (axis == last) {
        for (std::size_t i = first; i < first + row; ++i) visit(placeOf(i), i, std::size_t{1});
      } else if (areEqual(indexAt, first, row)) {
        visit(placeOf(first), first, row);
      } else {
        for (std::size_t i = first; i < first + row; ++i) visit(placeOf(i) + (i - first), i, std::size_t{1});
      }
      for (std::size_t d = last; d-- > 0;) {
        const std::size_t step = d == axis ? 0 : strides[d];
        base += step;
        if (++position[d] < indexDims[d]) break;
        base -= step * static_cast<std::size_t>(position[d]);
        position[d] = 0;
      }
    }
  }
};

void runScatterElements(HostNode& node) {
  const Dims &dims = node.dims(0), &indexDims = node.dims(1);
  const std::size_t axis = axisOf(node, node.integer("axis", 0), dims.size());
  if (indexDims.size() != dims.size())
    fail(ErrorKind::dataError, "indices [{}] do not fit [{}].", textOf(indexDims), textOf(dims));
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d != axis && indexDims[d] > dims[d])
      fail(ErrorKind::dataError, "indices [{}] do not fit [{}].", textOf(indexDims), textOf(dims));
  }
  scatterTo(node, elementCount(indexDims), ElementRows{node, dims, indexDims, axis, stridesOfDims(dims)});
}

// Enumerates the elements that ScatterND updates. An update is a block of elements.
struct BlockRows {
  const HostNode& node;
  const Dims& dims;
  const std::size_t count, coordinates;
  const std::vector<std::size_t> strides;

  std::size_t blockElements() const { return strides[coordinates - 1]; }

  void each(auto indexAt, auto visit) const {
    for (std::size_t i = 0; i < count; ++i) {
      node.tick(blockElements());
      std::size_t place = 0;
      for (std::size_t d = 0; d < coordinates; ++d) place += positionIn(indexAt(i * coordinates + d), dims[d]) * strides[d];
      visit(place, i * blockElements(), blockElements());
    }
  }
};

void runScatterND(HostNode& node) {
  const Dims &dims = node.dims(0), &indexDims = node.dims(1);
  const std::int64_t depth = indexDims.empty() ? 0 : indexDims.back();
  if (depth < 1 || depth > std::ssize(dims))
    fail(ErrorKind::dataError, "indices [{}] do not fit [{}].", textOf(indexDims), textOf(dims));
  const auto coordinates = static_cast<std::size_t>(depth);
  const BlockRows rows{node, dims, elementCount(indexDims) / coordinates, coordinates, stridesOfDims(dims)};
  scatterTo(node, rows.count * rows.blockElements(), rows);
}

}  // namespace

std::span<const HostOperator> scatterSteps() {
  static constexpr HostOperator kSteps[]{
      {"", "Scatter", runScatterElements}, {"", "ScatterElements", runScatterElements}, {"", "ScatterND", runScatterND}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
