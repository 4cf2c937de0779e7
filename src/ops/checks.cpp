#include "ops/checks.h"

#include <algorithm>
#include <numeric>

namespace webnn::ops {

std::string messagePrefix(std::string_view method, std::string_view label) {
  return label.empty() ? formatText("{}: ", method) : formatText("{} {}: ", method, webnn::quoted(label));
}

std::optional<Shape> bidirectionallyBroadcast(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {  // from the last dimension backwards
    const std::uint32_t dimA = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::uint32_t dimB = i < b.size() ? b[b.size() - 1 - i] : 1;
    const std::optional<Size> size = broadcastSize(Size(dimA), Size(dimB));
    if (!size) return std::nullopt;
    result[result.size() - 1 - i] = size->isOpen() ? size->handle() : static_cast<std::uint32_t>(size->number());
  }
  return result;
}

bool isUnidirectionallyBroadcastable(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.rbegin(), from.rend(), to.rbegin(),
                    [](auto dimFrom, auto dimTo) { return canBroadcastTo(Size(dimFrom), Size(dimTo)); });
}

bool isBlockwiseBroadcastable(const Shape& from, const Shape& to) {
  return std::equal(from.begin(), from.end(), to.begin(), to.end(),
                    [](auto dimFrom, auto dimTo) { return canDivide(Size(dimFrom), Size(dimTo)); });
}

Shape broadcastShape(Subject op, std::string_view nameA, const Shape& a, std::string_view nameB, const Shape& b) {
  std::optional<Shape> shape = bidirectionallyBroadcast(a, b);
  if (!shape) {
    fail(op, ErrorKind::typeError, "Incompatible shapes: {} shape {} and {} shape {} are not bidirectionally broadcastable.",
         nameA, toString(a), nameB, toString(b));
  }
  return *shape;
}

void requireAxis(Subject op, std::uint32_t axis, std::size_t rank, std::string_view operandName) {
  require(axis < rank, op, "axis ({}) is out of bounds: not less than the rank of {} ({}).", axis, operandName, rank);
}

void requireAxes(Subject op, const std::vector<std::uint32_t>& axes, std::size_t rank, std::string_view operandName,
                 std::string_view fieldName) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    require(axes[i] < rank, op, "{}[{}] ({}) is out of bounds: not less than the rank of {} ({}).", fieldName, i, axes[i],
            operandName, rank);
    for (std::size_t j = 0; j < i; ++j) {
      require(axes[i] != axes[j], op, "Duplicate axis: {}[{}] and {}[{}] are both {}.", fieldName, j, fieldName, i, axes[i]);
    }
  }
}

void requireSize(Subject op, std::string_view fieldName, std::size_t size, std::size_t expected) {
  require(size == expected, op, "{} size ({}) is not {}.", fieldName, size, expected);
}

void resolveSizes(Subject op, std::string_view fieldName, OptionalSizes& field, std::initializer_list<std::uint32_t> defaults) {
  if (field) {
    requireSize(op, fieldName, field->size(), defaults.size());
  } else {
    field.emplace(defaults);
  }
}

void requirePositive(Subject op, std::string_view fieldName, const std::vector<std::uint32_t>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    require(items[i] > 0, op, "{}[{}] ({}) is not greater than 0.", fieldName, i, items[i]);
  }
}

std::uint32_t requireDimension(Subject op, std::string_view what, Size size) {
  if (!size.isOpen()) {
    const std::int64_t least = allowsZero() ? 0 : 1;
    if (size.number() < least || size.number() > static_cast<std::int64_t>(kMaxDimension))
      fail(op, ErrorKind::typeError, "{} ({}) is not between {} and {}.", what, size.number(), least, kMaxDimension);
    return static_cast<std::uint32_t>(size.number());
  }
  if (!canBeAtMost(Size(std::int64_t{0}), size) || !canBeAtMost(size, Size(static_cast<std::int64_t>(kMaxDimension))))
    fail(op, ErrorKind::typeError, "{} ({}) is not between 0 and {} for any size.", what, size.text(), kMaxDimension);
  return size.handle();
}

void requireDimensions(Subject op, const Shape& shape) {
  if (shape.size() > kMaxRank)
    fail(op, ErrorKind::typeError, "output: rank ({}) of {} is above {}.", shape.size(), toString(shape), kMaxRank);
  Size count(std::int64_t{1});
  for (std::uint32_t size : shape) count = count * Size(size);
  if (!canBeAtMost(count, Size(static_cast<std::int64_t>(kMaxDimension)))) {
    fail(op, ErrorKind::typeError, "output: the number of elements of {} is above {}.", toString(shape), kMaxDimension);
  }
}

bool isSizeField(std::string_view name) {
  constexpr std::string_view kNames[] = {"newShape",         "sizes",         "starts",      "repetitions",      "splits",
                                         "beginningPadding", "endingPadding", "outputSizes", "windowDimensions", "steps"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

void requireFixed(Subject op, std::string_view what, std::uint32_t size) {
  if (isOpen(size)) fail(op, ErrorKind::typeError, "{} ({}) is an open dimension; it must be a number.", what, Size(size).text());
}

std::vector<std::uint32_t> allAxes(std::size_t rank) {
  std::vector<std::uint32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  return axes;
}

}  // namespace webnn::ops
