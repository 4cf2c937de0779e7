#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

using ops::Pool2dKind;
using ops::WindowAxis;

// The maximum number of elements in a window for which bySlices() computes the result.
constexpr std::uint64_t kMaxWindow = 1024;

// Returns the number of input elements (without padding) in the window at each output position along an axis.
std::vector<std::uint64_t> countsOf(const WindowAxis& axis, std::uint32_t outputs) {
  std::vector<std::uint64_t> counts;
  for (std::uint32_t i = 0; i < outputs; ++i) {
    const auto start = static_cast<std::int64_t>(i * axis.stride) - static_cast<std::int64_t>(axis.beginningPadding);
    counts.push_back(ops::stepsInside(start, axis.dilation, axis.windowSize, axis.inputSize).count());
  }
  return counts;
}

bool isOpenAxis(const WindowAxis& axis, std::uint32_t outputs) {
  return isOpen(Shape{static_cast<std::uint32_t>(axis.inputSize), static_cast<std::uint32_t>(axis.windowSize), outputs});
}

// Returns whether the axis has one window, which covers the whole input.
bool isGlobal(const WindowAxis& axis) { return axis.windowSize == axis.inputSize && axis.padding() == 0 && axis.dilation == 1; }

// Returns the ending padding for which MIL computes exactly `outputs` windows. May be negative.
std::int64_t endingPadding(const WindowAxis& axis, std::uint32_t outputs) {
  if (isOpenAxis(axis, outputs)) return static_cast<std::int64_t>(axis.endingPadding);  // MIL rounds the number of windows down
  return static_cast<std::int64_t>((outputs - 1) * axis.stride + axis.effectiveWindowSize()) -
         static_cast<std::int64_t>(axis.inputSize + axis.beginningPadding);
}

class Pooling {
 public:
  Pooling(const ops::Pool2d& op, const MilValue& image, MilBuilder& out)
      : op_(op), x_(image), out_(out), axes_(ops::poolingAxes(op)) {
    const ops::ImageAxes image_axes = ops::axesOf(op.options.layout);
    const Shape& to = out.output().shape();
    sizes_ = {to[image_axes.height], to[image_axes.width]};
  }

  MilValue run() {
    if (hasOpenAxis()) {
      if (std::ranges::all_of(axes_, isGlobal)) return reduction();
      for (std::size_t i = 0; i < 2; ++i) requireRoundedDown(i);
    }
    const bool isPlain = std::ranges::all_of(axes_, [](const WindowAxis& axis) { return axis.dilation == 1; });
    return isPlain && x_.type != MilType::int32 && !hasEmptyWindow() ? whole() : bySlices();
  }

 private:
  bool hasOpenAxis() const { return isOpenAxis(axes_[0], sizes_[0]) || isOpenAxis(axes_[1], sizes_[1]); }

  // Refuses an open axis unless MIL, which rounds the number of windows down, computes as many windows as WebNN.
  void requireRoundedDown(std::size_t i) const {
    const WindowAxis& axis = axes_[i];
    if (!isOpenAxis(axis, sizes_[i])) return;
    const auto number = [](std::uint64_t value) { return Size(static_cast<std::int64_t>(value)); };
    out_.numberOf(static_cast<std::uint32_t>(axis.windowSize));
    const Size rest =
        Size(static_cast<std::uint32_t>(axis.inputSize)) + number(axis.padding()) - number(axis.effectiveWindowSize());
    if (asDimension(floorQuotient(rest, number(axis.stride)) + number(1)) != sizes_[i]) out_.refuseOpenSizes();
  }

  // Computes the pooling by a reduction. Called if a single window covers each image, and a size is open.
  MilValue reduction() {
    const Axes axes{2, 3};
    if (op_.kind == Pool2dKind::maxPool2d) return reduced("reduce_max", x_, axes, out_);
    const MilValue wide = out_.cast(x_, MilType::float32);
    const bool isMean = op_.kind == Pool2dKind::averagePool2d;
    return out_.cast(reduced(isMean ? "reduce_mean" : "reduce_l2_norm", wide, axes, out_), x_.type);
  }

  bool hasEmptyWindow() const {
    for (std::size_t i = 0; i < 2; ++i) {
      if (isOpenAxis(axes_[i], sizes_[i])) {
        if (std::max(axes_[i].beginningPadding, axes_[i].endingPadding) >= axes_[i].windowSize) return true;
        continue;
      }
      for (const std::uint64_t count : countsOf(axes_[i], sizes_[i])) {
        if (count == 0) return true;
      }
    }
    return false;
  }

  // Uses MIL's own operation. By default, MIL counts padding in averages.
  MilValue whole() {
    Integers window, strides, pad;
    for (std::size_t i = 0; i < 2; ++i) {
      window.push_back(static_cast<std::int32_t>(axes_[i].windowSize));
      strides.push_back(static_cast<std::int32_t>(axes_[i].stride));
      pad.push_back(static_cast<std::int32_t>(axes_[i].beginningPadding));
      pad.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(endingPadding(axes_[i], sizes_[i]), 0)));
    }
    Arguments arguments{{"x", {x_}},
                        {"kernel_sizes", {out_.integers(window)}},
                        {"strides", {out_.integers(strides)}},
                        {"pad_type", {out_.text("custom")}},
                        {"pad", {out_.integers(pad)}},
                        {"ceil_mode", {out_.flag(false)}}};
    const Shape shape{x_.shape[0], x_.shape[1], sizes_[0], sizes_[1]};
    if (op_.kind == Pool2dKind::maxPool2d) return out_.add("max_pool", x_.type, shape, std::move(arguments));
    const bool isMean = op_.kind == Pool2dKind::averagePool2d;
    arguments.push_back({"exclude_padding_from_average", {out_.flag(isMean)}});
    if (isMean) return out_.add("avg_pool", x_.type, shape, std::move(arguments));
    // Emulated with avg_pool, because Apple does not document l2_pool. Computed in float32, because squares of float16 would
    // overflow.
    const MilValue wide = out_.cast(x_, MilType::float32);
    arguments.front() = {"x", {binary("mul", wide, wide, out_)}};
    const MilValue mean = out_.add("avg_pool", MilType::float32, shape, std::move(arguments));
    const double count = static_cast<double>(axes_[0].windowSize * axes_[1].windowSize);
    const MilValue root = unary("sqrt", binary("mul", mean, out_.scalar(MilType::float32, count), out_), out_);
    return out_.cast(root, x_.type);
  }

  // Computes the result from slices of the padded input, one per window element.
  MilValue bySlices() {
    if (axes_[0].windowSize * axes_[1].windowSize > kMaxWindow) {
      out_.refuse("a window of more than 1024 elements is dilated, of integers, or wholly in the padding somewhere");
    }
    const bool isMax = op_.kind == Pool2dKind::maxPool2d, isL2 = op_.kind == Pool2dKind::l2Pool2d;
    MilValue x = isMax ? x_ : out_.cast(x_, MilType::float32);
    if (isL2) x = binary("mul", x, x, out_);
    const MilValue around = surrounded(x);
    std::optional<MilValue> result;
    for (std::uint64_t row = 0; row < axes_[0].windowSize; ++row) {
      for (std::uint64_t column = 0; column < axes_[1].windowSize; ++column) {
        const MilValue part = window(around, row, column);
        result = result ? binary(isMax ? "maximum" : "add", *result, part, out_) : part;
      }
    }
    if (isL2) result = unary("sqrt", *result, out_);
    if (op_.kind == Pool2dKind::averagePool2d) result = binary("mul", *result, reciprocals(), out_);
    return out_.cast(*result, x_.type);
  }

  MilValue surrounded(const MilValue& x) {
    Sizes pad(4, Size(std::int64_t{0}));
    for (std::size_t i = 0; i < 2; ++i) {
      pad.emplace_back(static_cast<std::int64_t>(axes_[i].beginningPadding));
      pad.emplace_back(std::max<std::int64_t>(endingPadding(axes_[i], sizes_[i]), 0));
    }
    const DataType type = op_.input.dataType();
    const Number lowest = webnn::cast(-std::numeric_limits<double>::infinity(), type);
    const Number around = op_.kind != Pool2dKind::maxPool2d ? Number(0)
                          : type == DataType::int64         ? Number(std::numeric_limits<std::int32_t>::min())
                                                            : lowest;
    if (x.type != MilType::int32) return padded(x, pad, around, out_);
    MilValue y = x;
    for (std::size_t axis = 2; axis < 4; ++axis) {  // MIL's pad does not support integers
      std::vector<MilValue> parts;
      const auto add = [&](Size size) {
        Shape shape = y.shape;
        shape[axis] = asDimension(size);
        if (size.number() > 0) parts.push_back(filled(y.type, around, shape, out_));
      };
      add(pad[2 * axis]);
      parts.push_back(y);
      add(pad[2 * axis + 1]);
      y = concatenate(axis, parts, out_);
    }
    return y;
  }

  MilValue window(const MilValue& around, std::uint64_t row, std::uint64_t column) {
    const std::array<std::uint64_t, 2> at{row, column};
    const Size one(std::int64_t{1});
    Sizes begin(4, Size(std::int64_t{0})), end{Size(x_.shape[0]), Size(x_.shape[1]), one, one};
    Integers strides(4, 1);
    for (std::size_t i = 0; i < 2; ++i) {
      begin[2 + i] = Size(static_cast<std::int64_t>(at[i] * axes_[i].dilation));
      end[2 + i] = begin[2 + i] + (Size(sizes_[i]) - one) * Size(static_cast<std::int64_t>(axes_[i].stride)) + one;
      strides[2 + i] = static_cast<std::int32_t>(sizes_[i] > 1 ? axes_[i].stride : 1);
    }
    return sliced(around, begin, end, strides, out_);
  }

  // Returns 1 / the number of elements in each window, or 0 for windows without elements.
  MilValue reciprocals() {
    if (hasOpenAxis()) out_.refuseOpenSizes();
    const auto rows = countsOf(axes_[0], sizes_[0]), columns = countsOf(axes_[1], sizes_[1]);
    std::vector<double> items;
    for (const std::uint64_t row : rows) {
      for (const std::uint64_t column : columns) items.push_back(row * column == 0 ? 0 : 1 / static_cast<double>(row * column));
    }
    return out_.floats(MilType::float32, items, {1, 1, sizes_[0], sizes_[1]});
  }

  const ops::Pool2d& op_;
  const MilValue x_;
  MilBuilder& out_;
  const std::array<WindowAxis, 2> axes_;
  std::array<std::uint32_t, 2> sizes_{};
};

}  // namespace

void toMil(const ops::Pool2d& op, MilBuilder& out) {
  const MilValue image = toChannelsFirst(out[op.input], op.options.layout, out);
  out.set(0, fromChannelsFirst(Pooling(op, image, out).run(), op.options.layout, out));
}

}  // namespace webnn::coreml
