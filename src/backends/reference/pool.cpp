#include "backends/reference/pool.h"

#include <cmath>
#include <limits>

#include "backends/reference/window2d.h"

namespace webnn::reference {

namespace {

// One position of the pooling window in one plane, restricted to elements inside the input.
struct Window {
  const Steps &rows, &columns;
  std::size_t plane, rowStride, columnStride;
  Progress& progress;

  std::uint64_t count() const { return rows.count() * columns.count(); }
  // Calls visit(position) for each input element of the window.
  void forEach(auto visit) const {
    for (std::uint64_t y = 0; y < rows.count(); ++y) {
      const std::size_t row = plane + (rows.first + y * rows.step) * rowStride;
      for (std::uint64_t x = 0; x < columns.count(); ++x) visit(row + (columns.first + x * columns.step) * columnStride);
      progress.count(1 + columns.count());
    }
  }
};

// Returns, for each window position of one spatial dimension, the taps that lie inside the input. No product overflows: the last
// window starts at most one stride beyond the padded input, so all values are below 2^36.
std::vector<Steps> tapsOf(const ops::WindowAxis& axis, std::uint64_t outputSize) {
  std::vector<Steps> taps;
  for (std::uint64_t i = 0; i < outputSize; ++i) {
    const auto start = static_cast<std::int64_t>(i * axis.stride) - static_cast<std::int64_t>(axis.beginningPadding);
    taps.push_back(stepsInside(start, axis.dilation, axis.windowSize, axis.inputSize));
  }
  return taps;
}

// Sets each output element to `reduce` of its window.
template <typename T, typename Reduce>
void reduceWindows(const ops::Pool2d& op, const Shape& input, const Shape& output, std::span<T> results, Reduce reduce) {
  const ops::ImageAxes image = ops::axesOf(op.options.layout);
  const ImageStrides in(input, op.options.layout), out(output, op.options.layout);
  const auto [heightAxis, widthAxis] = ops::poolingAxes(op);
  const std::vector<Steps> rows = tapsOf(heightAxis, output[image.height]);
  const std::vector<Steps> columns = tapsOf(widthAxis, output[image.width]);
  Progress progress;
  for (std::size_t n = 0; n < output[image.batch]; ++n) {
    for (std::size_t c = 0; c < output[image.channel]; ++c) {
      for (std::size_t y = 0; y < rows.size(); ++y) {
        for (std::size_t x = 0; x < columns.size(); ++x) {
          const Window window{rows[y], columns[x], n * in.batch + c * in.channel, in.height, in.width, progress};
          results[n * out.batch + c * out.channel + y * out.height + x * out.width] = reduce(window);
        }
      }
    }
  }
}

double average(const Window& window, std::span<const double> values) {
  double sum = 0;
  window.forEach([&](std::size_t i) { sum += values[i]; });
  return window.count() == 0 ? 0 : sum / static_cast<double>(window.count());
}

double l2Norm(const Window& window, std::span<const double> values) {
  double sum = 0;
  window.forEach([&](std::size_t i) { sum += values[i] * values[i]; });
  return std::sqrt(sum);
}

// Returns the largest value, or NaN if any value is NaN.
template <typename T>
T greatest(const Window& window, std::span<const T> values) {
  using Limits = std::numeric_limits<T>;
  T best = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  window.forEach([&](std::size_t i) {
    if (values[i] > best || values[i] != values[i]) best = values[i];
  });
  return best;
}

}  // namespace

void run(const ops::Pool2d& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  NdArray& output = frame.output();
  const auto reduce = [&]<typename T>(std::span<const T> from, std::span<T> to,
                                      T (*reduction)(const Window&, std::span<const T>)) {
    reduceWindows(op, input.shape(), output.shape(), to, [&](const Window& window) { return reduction(window, from); });
  };
  visitType(input.dataType(), [&](auto type) {
    using T = decltype(type);
    if constexpr (kIsReal<T>) {
      const std::vector<double> from = input.toDoubles();
      std::vector<double> to(output.size());
      constexpr decltype(&average) kReductions[] = {average, l2Norm, greatest<double>};  // indexed by Pool2d::kind
      reduce(std::span(from), std::span(to), kReductions[static_cast<std::size_t>(op.kind)]);
      output.setDoubles(to);
    } else {
      reduce(input.as<T>(), output.as<T>(), greatest<T>);  // of the poolings, only maxPool2d takes integers
    }
  });
}

}  // namespace webnn::reference
