#include "onnx/read/operators/window.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/checked.h"
#include "base/divide_up.h"

namespace webnn::formats::onnx {

namespace {

constexpr auto kMax = static_cast<std::int64_t>(kMaxDimension);

}  // namespace

void WindowAttributes::pad(std::int64_t total, AutoPad mode) {
  begin = (mode == AutoPad::sameUpper ? total : total + 1) / 2;
  end = total - begin;
}

AutoPad autoPadOf(const NodeContext& node) {
  const std::string_view text = node.text("auto_pad", "NOTSET");
  if (text == "NOTSET" || text.empty()) return AutoPad::notSet;
  if (text == "VALID") return AutoPad::valid;
  if (text == "SAME_UPPER") return AutoPad::sameUpper;
  if (text == "SAME_LOWER") return AutoPad::sameLower;
  fail(ErrorKind::dataError, "auto_pad ({}) is not NOTSET, VALID, SAME_UPPER or SAME_LOWER.", webnn::quoted(text));
}

std::vector<std::int64_t> spatialAttribute(const NodeContext& node, std::string_view name, std::size_t count, std::int64_t least,
                                           std::int64_t absent) {
  const auto given = node.integers(name);
  if (!given || given->empty()) return std::vector<std::int64_t>(count, absent);
  if (given->size() != count) fail(ErrorKind::dataError, "{} has {} numbers where {} are expected.", name, given->size(), count);
  for (std::int64_t number : *given) {
    if (number < least || number > kMax) {
      fail(ErrorKind::dataError, "{} has a number ({}) that is not from {} to {}.", name, number, least, kMax);
    }
  }
  return *given;
}

Window readWindow(const NodeContext& node, std::span<const std::uint32_t> sizes,
                  std::optional<std::span<const std::uint32_t>> kernel) {
  const std::size_t count = sizes.size();
  if (count == 0) fail(ErrorKind::dataError, "its input has no spatial dimensions.");
  if (kernel && kernel->size() != count) {
    fail(ErrorKind::dataError, "the weights have {} spatial dimensions, the input has {}.", kernel->size(), count);
  }
  if (!kernel && !node.find("kernel_shape")) fail(ErrorKind::dataError, "it has no kernel_shape.");
  const auto kernels = spatialAttribute(node, "kernel_shape", count, 1, 1);
  const auto strides = spatialAttribute(node, "strides", count, 1, 1),
             dilations = spatialAttribute(node, "dilations", count, 1, 1);
  const auto pads = spatialAttribute(node, "pads", 2 * count, -kMax, 0);
  const bool isExplicit = autoPadOf(node) == AutoPad::notSet;
  Window window;
  window.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    WindowAttributes axis{
        .size = sizes[i], .kernel = kernel ? (*kernel)[i] : kernels[i], .stride = strides[i], .dilation = dilations[i]};
    if (axis.kernel != kernels[i] && node.find("kernel_shape")) {
      fail(ErrorKind::dataError, "kernel_shape[{}] ({}) is not that of the weights ({}).", i, kernels[i], axis.kernel);
    }
    if (isExplicit) axis.begin = pads[i], axis.end = pads[i + count];
    window.push_back(axis);
  }
  return window;
}

void padAutomatically(const NodeContext& node, Window& window, bool mayCrop) {
  const AutoPad mode = autoPadOf(node);
  if (mode != AutoPad::sameUpper && mode != AutoPad::sameLower) return;
  for (WindowAttributes& axis : window) {
    const std::int64_t windows = divideUp(axis.size, axis.stride);
    const std::int64_t total = axis.paddingFor(windows);
    axis.pad(mayCrop ? total : std::max<std::int64_t>(0, total), mode);
  }
}

std::uint32_t positiveAttribute(const NodeContext& node, std::string_view name, std::int64_t absent) {
  const std::int64_t number = node.integer(name, absent);
  if (number < 1 || number > kMax) fail(ErrorKind::dataError, "{} ({}) is not from 1 to {}.", name, number, kMax);
  return static_cast<std::uint32_t>(number);
}

std::uint32_t dimensionOf(std::int64_t size) {
  if (size < 1 || size > kMax) fail(ErrorKind::dataError, "a dimension of its output ({}) is not from 1 to {}.", size, kMax);
  return static_cast<std::uint32_t>(size);
}

Operand indexConstant(NodeContext& node, Shape shape, std::span<const std::int32_t> indices) {
  node.spend(indices.size());
  return node.builder.constant({DataType::int32, std::move(shape)}, std::as_bytes(indices));
}

std::uint32_t product(std::span<const std::uint32_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1u, std::multiplies<>());
}

}  // namespace webnn::formats::onnx
