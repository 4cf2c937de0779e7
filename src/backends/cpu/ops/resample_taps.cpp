#include "backends/cpu/ops/resample_taps.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "backends/cpu/elements/strided_copy.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantize.h"
#include "backends/cpu/simd/resample.h"
#include "base/divide_up.h"
#include "base/progress.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{24} * 1024;  // maximum bytes of the rows that columnsFirst keeps in L1
constexpr std::size_t kFloatsOfChunk = 2048;                    // floats computed before they are quantized: 8 KiB

// The taps of the columns in the kernels' layout: [tap][position].
struct Columns {
  std::size_t count = 0, size = 0, inner = 1;
  std::vector<std::int32_t> indices;
  std::vector<ResampleWindow> windows;
  bool isDoubled = false;  // whether the row is resampled to twice its length: see ResampleColumns
  std::vector<float> weights;
};

// Lays out the taps of table.size positions of `inner` elements. If `isFlat`, makes each element a position.
Columns columnsOf(const TapTable& table, std::size_t inner, bool isFlat) {
  const std::size_t elements = isFlat ? inner : 1;
  Columns columns{.count = table.count,
                  .size = table.size * elements,
                  .inner = inner / elements,
                  .indices = {},
                  .windows = {},
                  .weights = {}};
  columns.indices.resize(columns.size * columns.count);
  columns.weights.resize(columns.size * columns.count);
  inParts(columns.size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t t = 0; t < columns.count; ++t) {
        const std::size_t tap = i / elements * columns.count + t, at = t * columns.size + i;
        columns.indices[at] = table.indices[tap] * static_cast<std::int32_t>(elements) + static_cast<std::int32_t>(i % elements);
        columns.weights[at] = table.weights[tap];
      }
    }
  });
  return columns;
}

bool doubles(const Columns& columns, std::size_t width) {
  const std::size_t size = columns.size;
  if (width < 4 || size != 2 * width || columns.count != 2) return false;
  for (std::size_t i = 2; i + 2 < size; ++i) {
    const std::size_t first = (i - 1) / 2, model = 2 + i % 2;
    for (const std::size_t t : {0U, 1U}) {
      if (static_cast<std::size_t>(columns.indices[t * size + i]) != first + t) return false;
      if (columns.weights[t * size + i] != columns.weights[t * size + model]) return false;
    }
  }
  return true;
}

// Finds, for each whole vector of positions, the window of one or two vectors that contains all its inputs, if there is one (see
// ResampleWindow).
void findWindows(Columns& columns, std::size_t width, std::size_t lanes) {
  for (std::size_t begin = 0; begin + lanes <= columns.size; begin += lanes) {
    std::int32_t least = columns.indices[begin], greatest = least;
    for (std::size_t t = 0; t < columns.count; ++t) {
      const auto first = columns.indices.begin() + static_cast<std::ptrdiff_t>(t * columns.size + begin);
      const auto [low, high] = std::minmax_element(first, first + static_cast<std::ptrdiff_t>(lanes));
      least = std::min(least, *low), greatest = std::max(greatest, *high);
    }
    const auto span = static_cast<std::size_t>(greatest - least);
    ResampleWindow window;
    for (std::int32_t vectors = 2; vectors > 0; --vectors) {
      const std::size_t size = static_cast<std::size_t>(vectors) * lanes;
      if (span < size && size <= width) window = {std::min(least, static_cast<std::int32_t>(width - size)), vectors};
    }
    columns.windows.push_back(window);
  }
}

// A tensor viewed as [outer, height, middle, width, inner]; height (the rows) and width (the columns) are resampled. If only one
// axis is resampled, it is the rows (and middle and width are 1), or the columns (and height and middle are 1).
struct View {
  std::size_t outer = 1, height = 1, middle = 1, width = 1, inner = 1;
  bool hasRows = false, hasColumns = false;

  View() = default;
  View(const Shape& shape, const std::vector<TapTable>& axes, std::size_t lanes) {
    const std::size_t first = axes.front().axis, last = axes.back().axis;
    for (std::size_t d = 0; d < first; ++d) outer *= shape[d];
    for (std::size_t d = first + 1; d < last; ++d) middle *= shape[d];
    for (std::size_t d = last + 1; d < shape.size(); ++d) inner *= shape[d];
    hasRows = axes.size() == 2 || inner >= lanes;
    hasColumns = axes.size() == 2 || !hasRows;
    if (hasRows) height = shape[first];
    if (hasColumns) width = shape[last];
  }
  std::size_t rowSize() const { return width * inner; }
};

enum class Order : std::uint8_t {
  rowsFirst,     // sums rows, then resamples the columns of the sum
  columnsFirst,  // resamples the columns of each input row, and keeps the results for the next rows of the output
  together,      // computes each position from two rows and two columns
};

// Chooses the order in which to resample rows and columns by an estimate of the elements that are read and written.
Order chooseOrder(const View& view, const TapTable& rows, const TapTable& columns, std::size_t lanes) {
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  const bool isWide = view.inner >= lanes;
  const double ofColumn = number(columns.count + 1) * (isWide ? 1 : 2), ofRow = number(rows.count + 1);
  const double read = number(std::min(view.height, rows.size * rows.count)), made = number(rows.size);
  const double columnsFirst = number(columns.size) * (read * ofColumn + made * ofRow);
  const double rowsFirst = made * (number(view.width) * ofRow + number(columns.size) * ofColumn);
  const double together = made * number(columns.size) * 5;
  const Order order = columnsFirst <= rowsFirst ? Order::columnsFirst : Order::rowsFirst;
  if (!isWide || rows.count != 2 || columns.count != 2) return order;
  // The rows that columnsFirst keeps should stay in L1.
  const bool fits = columns.size * view.inner * 2 * sizeof(float) <= kMostKeptBytes;
  return together < std::min(columnsFirst, rowsFirst) || (order == Order::columnsFirst && !fits) ? Order::together : order;
}

// Resamples along one or two axes. Computes one row of the output at a time.
struct TapResampling {
  View view;
  TapTable rows;
  Columns columns;
  bool isHalf = false;
  Order order = Order::rowsFirst;
  std::optional<Quantization> from, to;
  const ResampleKernels* kernels = nullptr;
  QuantizeRun dequantize = nullptr, quantize = nullptr;
  std::size_t outputRows = 1, positions = 1, inputRowBytes = 0, positionBytes = 0;
  bool hasGaps = false;  // whether output positions are not contiguous
  // `slots`: how many rows a worker keeps dequantized or with resampled columns. The others are sizes in floats: indices of the
  // kept rows, a kept row, a sum of rows, a dequantized row, results before quantization.
  std::size_t slots = 0, heldFloats = 0, slotFloats = 0, sumFloats = 0, rawFloats = 0, resultFloats = 0;
  Slot input, output, memory;

  std::size_t rowCount() const { return view.outer * view.middle * outputRows; }
  std::size_t outputRowBytes() const { return positions * positionBytes; }
  std::size_t outputRowSize() const { return positions * view.inner; }
  std::size_t workerFloats() const {
    return workerStride((heldFloats + slots * slotFloats + sumFloats + rawFloats + resultFloats) * sizeof(float)) / sizeof(float);
  }
  bool isColumnsFirst() const { return order == Order::columnsFirst; }
  bool endsWithRows() const { return view.hasRows && (isColumnsFirst() || !view.hasColumns); }

  void reserve(Planner& planner) {
    if (view.hasRows && (isColumnsFirst() || from)) slots = rows.count;
    heldFloats = roundUp(slots * sizeof(std::size_t) / sizeof(float), 16);
    slotFloats = roundUp(isColumnsFirst() ? outputRowSize() : view.rowSize(), 16);
    if (view.hasRows && view.hasColumns && order == Order::rowsFirst) sumFloats = roundUp(view.rowSize(), 16);
    if (from && (isColumnsFirst() || !view.hasRows)) rawFloats = roundUp(view.rowSize(), 16);
    const bool hasChunks = endsWithRows() || order == Order::together;
    if (to)
      resultFloats = roundUp(hasChunks ? std::min(std::max(kFloatsOfChunk, view.inner), outputRowSize()) : outputRowSize(), 16);
    memory = planner.scratch(workerFloats() * sizeof(float) * planner.threads());
  }

  // The memory of one worker in one run.
  struct Work {
    const std::byte* input;
    std::size_t* held;
    float *slots, *sum, *raw, *results;
  };
  Work workOf(const Frame& frame, unsigned worker) const {
    float* at = frame.out<float>(memory) + worker * workerFloats();
    const auto take = [&](std::size_t floats) { return std::exchange(at, at + floats); };
    Work work{.input = frame.in<std::byte>(input),
              .held = reinterpret_cast<std::size_t*>(take(heldFloats)),
              .slots = nullptr,
              .sum = nullptr,
              .raw = nullptr,
              .results = nullptr};
    work.slots = take(slots * slotFloats), work.sum = take(sumFloats), work.raw = take(rawFloats),
    work.results = take(resultFloats);
    return work;
  }

  void dequantizeRow(const Work& work, std::size_t row, float* result) const {
    const auto zeroPoint = static_cast<std::uint8_t>(from->zeroPoint);
    dequantize(work.input + row * inputRowBytes, &from->scale, &zeroPoint, view.rowSize(), result);
  }
  void quantizeResults(const float* results, std::size_t count, std::byte* result) const {
    const auto zeroPoint = static_cast<std::uint8_t>(to->zeroPoint);
    quantize(results, &to->scale, &zeroPoint, count, result);
  }

  ResampleColumns columnsTo(void* result, std::size_t stride) const {
    return {.from = nullptr,
            .indices = columns.indices.data(),
            .weights = columns.weights.data(),
            .taps = columns.count,
            .tapStride = columns.size,
            .positions = columns.size,
            .inner = columns.inner,
            .isDoubled = columns.isDoubled,
            .windows = columns.windows.empty() ? nullptr : columns.windows.data(),
            .to = static_cast<std::byte*>(result),
            .stride = stride};
  }
  void resampleColumns(const void* row, bool isHalfRow, bool isHalfResult, std::size_t stride, void* result) const {
    ResampleColumns sum = columnsTo(result, stride);
    sum.from = static_cast<const std::byte*>(row);
    kernels->columns[isHalfRow][isHalfResult](sum);
  }
  // Resamples the columns of a row, and writes them as the output row.
  void finishColumns(const Work& work, const void* row, bool isHalfRow, std::byte* result) const {
    if (!to) return resampleColumns(row, isHalfRow, isHalf, columns.inner == view.inner ? positionBytes : isHalf ? 2 : 4, result);
    resampleColumns(row, isHalfRow, false, columns.inner * sizeof(float), work.results);
    quantizeResults(work.results, outputRowSize(), result);
  }

  // Returns an input row. If there are slots, returns a slot with the row dequantized or with resampled columns. If no slot
  // holds the row, overwrites a slot whose row is not in `needed`.
  const std::byte* rowOf(const Work& work, std::size_t row, std::span<const std::size_t> needed) const {
    if (slots == 0) return work.input + row * inputRowBytes;
    std::size_t free = 0;
    for (std::size_t i = 0; i < slots; ++i) {
      if (work.held[i] == row) return reinterpret_cast<const std::byte*>(work.slots + i * slotFloats);
      if (std::ranges::find(needed, work.held[i]) == needed.end()) free = i;
    }
    float* slot = work.slots + free * slotFloats;
    work.held[free] = row;
    if (!isColumnsFirst()) {
      dequantizeRow(work, row, slot);
    } else if (from) {
      dequantizeRow(work, row, work.raw);
      resampleColumns(work.raw, false, false, columns.inner * sizeof(float), slot);
    } else {
      resampleColumns(work.input + row * inputRowBytes, isHalf, false, columns.inner * sizeof(float), slot);
    }
    return reinterpret_cast<const std::byte*>(slot);
  }

  // Computes an output row in one pass: each position from two input rows and two input columns.
  void finishPixels(const Work& work, std::span<const std::byte*> pair, const float* weights, std::byte* result) const {
    ResamplePixels sum{
        .rows = {pair[0], pair[1]}, .weights = {weights[0], weights[1]}, .columns = columnsTo(result, positionBytes)};
    if (!to) return kernels->pixels[isHalf](sum);
    const std::size_t chunk = std::max<std::size_t>(1, kFloatsOfChunk / view.inner);
    sum.columns.to = reinterpret_cast<std::byte*>(work.results), sum.columns.stride = view.inner * sizeof(float);
    for (std::size_t at = 0; at < positions; at += sum.columns.positions) {
      sum.columns.positions = std::min(chunk, positions - at);
      kernels->pixels[0](sum);
      quantizeResults(work.results, sum.columns.positions * view.inner, result + at * view.inner);
      sum.columns.indices += sum.columns.positions, sum.columns.weights += sum.columns.positions;
    }
  }

  // Sums rows, and writes the sum as the output row.
  void finishRows(const Work& work, std::span<const std::byte*> summed, const float* weights, std::byte* result) const {
    ResampleRows sum{.rows = summed.data(),
                     .weights = weights,
                     .taps = summed.size(),
                     .blocks = 1,
                     .size = outputRowSize(),
                     .to = result,
                     .stride = 0};
    if (!to) {
      if (hasGaps) sum.blocks = positions, sum.size = view.inner, sum.stride = positionBytes;
      return kernels->rows[isHalf && !isColumnsFirst()][isHalf](sum);
    }
    sum.to = reinterpret_cast<std::byte*>(work.results);
    for (std::size_t at = 0; at < outputRowSize(); at += sum.size) {
      sum.size = std::min(kFloatsOfChunk, outputRowSize() - at);
      kernels->rows[0][0](sum);
      quantizeResults(work.results, sum.size, result + at);
      for (const std::byte*& row : summed) row += sum.size * sizeof(float);
    }
  }

  void computeRow(const Work& work, std::size_t row, std::byte* results) const {
    const std::size_t y = row % outputRows, plane = row / outputRows, m = plane % view.middle, o = plane / view.middle;
    std::byte* result = results + ((o * outputRows + y) * view.middle + m) * outputRowBytes();
    if (!view.hasRows) {
      if (from) dequantizeRow(work, row, work.raw);
      const void* source = from ? static_cast<const void*>(work.raw) : work.input + row * inputRowBytes;
      return finishColumns(work, source, isHalf, result);
    }
    std::array<std::size_t, AxisTaps::kMost> needed;
    std::array<const std::byte*, AxisTaps::kMost> sources;
    const std::size_t taps = rows.count;
    for (std::size_t t = 0; t < taps; ++t) {
      needed[t] = (o * view.height + static_cast<std::size_t>(rows.indices[y * taps + t])) * view.middle + m;
    }
    for (std::size_t t = 0; t < taps; ++t) sources[t] = rowOf(work, needed[t], {needed.data(), taps});
    const float* weights = rows.weights.data() + y * taps;
    if (endsWithRows()) return finishRows(work, {sources.data(), taps}, weights, result);
    if (order == Order::together) return finishPixels(work, {sources.data(), taps}, weights, result);
    kernels->rows[isHalf][0]({.rows = sources.data(),
                              .weights = weights,
                              .taps = taps,
                              .blocks = 1,
                              .size = view.rowSize(),
                              .to = reinterpret_cast<std::byte*>(work.sum),
                              .stride = 0});
    finishColumns(work, work.sum, false, result);
  }

  void run(const Frame& frame) const {
    for (unsigned worker = 0; worker < frame.team.size(); ++worker)
      std::fill_n(workOf(frame, worker).held, slots, ~std::size_t{0});
    // Adjacent output rows share input rows. If slots keep input rows, chunks therefore have several output rows, unless the
    // output has fewer than 16.
    const std::size_t bytes = std::max<std::size_t>(1, outputRowBytes());
    const std::size_t grain =
        std::max(kBytesPerChunk / 2 / bytes, slots > 0 ? std::clamp<std::size_t>(rowCount() / 8, 1, 16) : 1);
    frame.team.forRanges(rowCount(), grain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      const Work work = workOf(frame, worker);
      for (std::size_t row = begin; row < end && !isRunOver(); ++row) computeRow(work, row, frame.out<std::byte>(output));
    });
  }
};

}  // namespace

StepPtr planTaps(const Operand& input, std::vector<TapTable> axes, const std::optional<Quantization>& from,
                 const std::optional<Quantization>& to, Planner& planner) {
  TapResampling step;
  step.kernels = &resampleKernels(planner.isa());
  step.view = View(input.shape(), axes, step.kernels->lanes);
  step.isHalf = input.dataType() == DataType::float16;
  step.from = from, step.to = to;
  const Operand& output = planner.outputOperand();
  const std::size_t outputBytes = bitsPerElement(output.dataType()) / 8, stride = planner.outputStride();
  step.hasGaps = stride != output.shape().back();
  step.inputRowBytes = step.view.rowSize() * bitsPerElement(input.dataType()) / 8;
  step.positionBytes = (step.hasGaps ? stride : step.view.inner) * outputBytes;
  TapTable& last = axes.back();
  if (step.view.hasColumns) step.positions = last.size;
  if (step.view.hasRows) step.rows = axes.front(), step.outputRows = step.rows.size;
  if (step.view.hasRows && step.view.hasColumns) step.order = chooseOrder(step.view, step.rows, last, step.kernels->lanes);
  if (step.view.hasColumns) {
    constexpr std::size_t kMostIndex = std::numeric_limits<std::int32_t>::max();
    const bool isFlat =
        step.view.inner < step.kernels->lanes && step.view.rowSize() <= kMostIndex && (!step.hasGaps || step.isColumnsFirst());
    step.columns = columnsOf(last, step.view.inner, isFlat);
    if (step.columns.inner == 1) {
      findWindows(step.columns, isFlat ? step.view.rowSize() : step.view.width, step.kernels->lanes);
      step.columns.isDoubled = doubles(step.columns, step.view.width);
    }
    planner.charge(step.columns.indices.size() * (sizeof(std::int32_t) + sizeof(float)));
  }
  step.reserve(planner);
  const QuantizeKernels& quantizing = quantizeKernels(planner.isa());
  if (from) step.dequantize = quantizing.dequantize[0][quantizedIndex(from->type)][0];
  if (to) step.quantize = quantizing.quantize[0][quantizedIndex(to->type)][0];
  step.input = planner.slot(input), step.output = planner.output();
  std::string text = from ? formatText("quantized resample {} to {}", name(from->type), name(output.dataType()))
                          : formatText("resample {}", step.view.inner == 1 ? "lines" : "pixels");
  return makeStep(std::move(text), [step = std::move(step)](const Frame& frame) { step.run(frame); });
}

}  // namespace webnn::cpu
