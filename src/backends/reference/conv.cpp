#include "backends/reference/conv.h"

#include <type_traits>
#include <utility>

#include "backends/reference/window2d.h"

namespace webnn::reference {

namespace {

// One filter tap in one spatial dimension: positions and steps of the inputs that it multiplies and of the sums that it adds to.
struct TapSpan {
  std::size_t count, source, sourceStep, sum, sumStep;
};

// Returns one TapSpan per filter tap of a spatial dimension. Strides make one side of a convolution sparse: tap k relates element
// i of the dense side to element i * stride + k * dilation - beginningPadding of the sparse side. In conv2d, the inputs are the
// sparse side and the sums the dense side; in convTranspose2d, vice versa.
// Nothing overflows: the effective filter is at most as large as the padded sparse side (below 2^34), and strides are below 2^32.
template <bool kTransposed>
std::vector<TapSpan> tapSpansOf(const ops::WindowAxis& axis, std::uint64_t outputSize, std::size_t sourceStride,
                                std::size_t sumStride) {
  const auto [denseSize, sparseSize] =
      kTransposed ? std::pair{axis.inputSize, outputSize} : std::pair{outputSize, axis.inputSize};
  std::vector<TapSpan> spans;
  for (std::uint64_t tap = 0; tap < axis.windowSize; ++tap) {
    const auto start = static_cast<std::int64_t>(tap * axis.dilation) - static_cast<std::int64_t>(axis.beginningPadding);
    const Steps steps = stepsInside(start, axis.stride, denseSize, sparseSize);
    const std::size_t sourceFirst = kTransposed ? steps.begin : steps.first, sourceStep = kTransposed ? 1 : steps.step;
    const std::size_t sumFirst = kTransposed ? steps.first : steps.begin, sumStep = kTransposed ? steps.step : 1;
    spans.push_back(
        {steps.count(), sourceFirst * sourceStride, sourceStep * sourceStride, sumFirst * sumStride, sumStep * sumStride});
  }
  return spans;
}

// The filter values for one input and one output channel. Strides are in elements.
struct FilterPlane {
  const double* values;
  std::size_t rowStride, columnStride;
};

// Adds the products of one input plane and one filter plane to `sums`. Skips padding, because infinity times 0 would be NaN.
void addProducts(const double* source, const FilterPlane& filter, const std::vector<TapSpan>& rows,
                 const std::vector<TapSpan>& columns, std::vector<double>& sums, Progress& progress) {
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const double weight = filter.values[y * filter.rowStride + x * filter.columnStride];
      const TapSpan &row = rows[y], column = columns[x];
      for (std::size_t i = 0; i < row.count; ++i) {
        const double* from = source + row.source + i * row.sourceStep + column.source;
        double* to = sums.data() + row.sum + i * row.sumStep + column.sum;
        for (std::size_t j = 0; j < column.count; ++j) to[j * column.sumStep] += weight * from[j * column.sourceStep];
        progress.count(1 + column.count);
      }
    }
  }
}

template <typename Op>
void convolve(const Op& op, Environment& frame) {
  constexpr bool kTransposed = std::is_same_v<Op, ops::ConvTranspose2d>;
  const NdArray &input = frame[op.input], &filter = frame[op.filter];
  NdArray& output = frame.output();
  const std::vector<double> source = input.toDoubles(), weights = filter.toDoubles();
  const std::vector<double> bias = op.options.bias ? frame[*op.options.bias].toDoubles() : std::vector<double>{};
  std::vector<double> results(output.size()), sums;
  Progress progress;

  const ImageStrides in(input.shape(), op.options.inputLayout), out(output.shape(), op.options.inputLayout);
  const ops::ImageAxes image = ops::axesOf(op.options.inputLayout);
  const std::size_t height = output.shape()[image.height], width = output.shape()[image.width];
  const auto [heightAxis, widthAxis] = ops::convolutionAxes(op);
  const std::vector<TapSpan> rows = tapSpansOf<kTransposed>(heightAxis, height, in.height, width);
  const std::vector<TapSpan> columns = tapSpansOf<kTransposed>(widthAxis, width, in.width, 1);

  const ops::FilterAxes axes = ops::axesOf(op.options.filterLayout);
  const std::vector<std::size_t> filterStrides = stridesOf(filter.shape());
  const std::size_t inputsInGroup = input.shape()[image.channel] / op.options.groups;
  const std::size_t outputsInGroup = output.shape()[image.channel] / op.options.groups;
  for (std::size_t n = 0; n < output.shape()[image.batch]; ++n) {
    for (std::size_t o = 0; o < output.shape()[image.channel]; ++o) {
      sums.assign(height * width, bias.empty() ? 0.0 : bias[o]);
      const std::size_t group = o / outputsInGroup;
      for (std::size_t i = 0; i < inputsInGroup; ++i) {
        const std::size_t channel = group * inputsInGroup + i;
        // conv2d filters hold all output channels and one group's input channels. convTranspose2d filters hold all input channels
        // and one group's output channels.
        const std::size_t filterOutput = kTransposed ? o % outputsInGroup : o, filterInput = kTransposed ? channel : i;
        const double* plane =
            weights.data() + filterOutput * filterStrides[axes.output] + filterInput * filterStrides[axes.input];
        addProducts(source.data() + n * in.batch + channel * in.channel,
                    {plane, filterStrides[axes.height], filterStrides[axes.width]}, rows, columns, sums, progress);
      }
      for (std::size_t y = 0; y < height; ++y) {
        double* row = results.data() + n * out.batch + o * out.channel + y * out.height;
        for (std::size_t x = 0; x < width; ++x) row[x * out.width] = sums[y * width + x];
      }
    }
  }
  output.setDoubles(results);
}

}  // namespace

void run(const ops::Conv2d& op, Environment& frame) { convolve(op, frame); }

void run(const ops::ConvTranspose2d& op, Environment& frame) { convolve(op, frame); }

}  // namespace webnn::reference
