// Helpers that several operator families use to compose operators.
#pragma once

#include <cstdint>
#include <vector>

#include "onnx/write/exporter.h"
#include "webnn/options.h"

namespace webnn::onnx {

using Integers = std::vector<std::int64_t>;

inline Integers toIntegers(const std::vector<std::uint32_t>& items) { return {items.begin(), items.end()}; }

inline OnnxValue compare(std::string_view opType, const OnnxValue& a, const OnnxValue& b, Exporter& out) {
  return out.add(opType, {a, b}, {}, ElementType::boolean);
}

// Reshapes the value, unless it already has the shape.
inline OnnxValue reshapeFrom(const Shape& from, const Shape& to, const OnnxValue& value, Exporter& out) {
  return from == to ? value : out.reshape(value, to);
}

// Returns elements start, start + step, ... before `end` of one dimension.
inline OnnxValue sliceAlong(std::int64_t axis, const OnnxValue& value, std::int64_t start, std::int64_t end, std::int64_t step,
                            Exporter& out) {
  return out.add("Slice", {value, out.integers(Integers{start}), out.integers(Integers{end}), out.integers(Integers{axis}),
                           out.integers(Integers{step})});
}

inline std::vector<OnnxValue> splitEvenly(std::int64_t axis, const OnnxValue& value, std::size_t parts, Exporter& out) {
  if (parts == 1) return {value};
  return out.addMany("Split", {value}, parts, {{"axis", axis}, {"num_outputs", static_cast<std::int64_t>(parts)}});
}

inline OnnxValue concatenate(std::int64_t axis, const std::vector<OnnxValue>& values, Exporter& out) {
  return values.size() == 1 ? values.front() : out.add("Concat", values, {{"axis", axis}});
}

// Returns a 1-D float32 constant.
inline OnnxValue floats(const std::vector<float>& items, Exporter& out) {
  return out.add("Constant", {}, {{"value_floats", items}}, ElementType::float32);
}

// Transposes an image to channels first, as ONNX's image operators require.
inline OnnxValue toChannelsFirst(const OnnxValue& image, InputOperandLayout layout, Exporter& out) {
  return layout == InputOperandLayout::nhwc ? out.transpose(image, {0, 3, 1, 2}) : image;
}
inline OnnxValue fromChannelsFirst(const OnnxValue& image, InputOperandLayout layout, Exporter& out) {
  return layout == InputOperandLayout::nhwc ? out.transpose(image, {0, 2, 3, 1}) : image;
}

}  // namespace webnn::onnx
