// Small pieces that several families compose their operators of.
#pragma once

#include <cstdint>
#include <vector>

#include "onnx/write/exporter.h"
#include "webnn/options.h"

namespace webnn::onnx {

using Integers = std::vector<std::int64_t>;

inline Integers toIntegers(const std::vector<std::uint32_t>& items) { return {items.begin(), items.end()}; }

inline Value compare(std::string_view opType, const Value& a, const Value& b, Exporter& out) {
  return out.add(opType, {a, b}, {}, ElementType::boolean);
}

// The value itself if it has the shape.
inline Value reshapeFrom(const Shape& from, const Shape& to, const Value& value, Exporter& out) {
  return from == to ? value : out.reshape(value, to);
}

// Elements start, start + step, ... before `end` of one dimension.
inline Value sliceAlong(std::int64_t axis, const Value& value, std::int64_t start, std::int64_t end, std::int64_t step,
                        Exporter& out) {
  return out.add("Slice", {value, out.integers(Integers{start}), out.integers(Integers{end}), out.integers(Integers{axis}),
                           out.integers(Integers{step})});
}

// Equal parts of one dimension.
inline std::vector<Value> splitEvenly(std::int64_t axis, const Value& value, std::size_t parts, Exporter& out) {
  if (parts == 1) return {value};
  return out.addMany("Split", {value}, parts, {{"axis", axis}, {"num_outputs", static_cast<std::int64_t>(parts)}});
}

inline Value concatenate(std::int64_t axis, const std::vector<Value>& values, Exporter& out) {
  return values.size() == 1 ? values.front() : out.add("Concat", values, {{"axis", axis}});
}

// A 1-D constant.
inline Value floats(const std::vector<float>& items, Exporter& out) {
  return out.add("Constant", {}, {{"value_floats", items}}, ElementType::float32);
}

// ONNX knows images with the channels before height and width only.
inline Value toChannelsFirst(const Value& image, InputOperandLayout layout, Exporter& out) {
  return layout == InputOperandLayout::nhwc ? out.transpose(image, {0, 3, 1, 2}) : image;
}
inline Value fromChannelsFirst(const Value& image, InputOperandLayout layout, Exporter& out) {
  return layout == InputOperandLayout::nhwc ? out.transpose(image, {0, 2, 3, 1}) : image;
}

}  // namespace webnn::onnx
