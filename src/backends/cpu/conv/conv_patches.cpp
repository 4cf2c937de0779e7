#include "backends/cpu/conv/conv_patches.h"

#include <algorithm>

namespace webnn::cpu {

namespace {

// If each tap is a run of its own, rows are read in place only if a run has at least this many channels. Shorter runs are copied.
constexpr std::size_t kLeastRun = 16;

struct Division {
  std::size_t quotient, rest;
};

// Divides in 32 bits, which suffice for tensor sizes. This is several times as fast as a 64-bit division.
Division divide(std::size_t number, std::size_t by) {
  const auto dividend = static_cast<std::uint32_t>(number), divisor = static_cast<std::uint32_t>(by);
  return {dividend / divisor, dividend % divisor};
}

}  // namespace

PatchReader::PatchReader(const ConvShape& shape, Isa isa)
    : shape_(shape), kernels_(convKernels(isa)), channels_(shape.groupInputs()), rowDepth_(shape.width.tapCount() * channels_) {
  const ConvAxis& width = shape.width;
  const bool isDense = width.isDense() && shape.groups == 1;
  const std::size_t taps = isDense ? width.tapCount() : 1;
  for (std::size_t i = 0; i < width.tapCount(); i += taps) {
    segments_.push_back({width.offsets[i], taps, width.inside(width.offsets[i], taps)});
  }
  for (const ConvAxis* axis : {&shape.height, &shape.width}) {
    for (const std::int64_t offset : axis->offsets) {
      const ConvAxis::Range inside = axis->inside(offset);
      skipsPadding_ = skipsPadding_ || (inside.end - inside.begin) * 4 < axis->count * 3;
    }
  }
  segmentDepth_ = taps * channels_;
  const auto isRegular = [](const ConvAxis& axis) { return axis.tapCount() == 1 || axis.distance() > 0; };
  isInPlace_ = isRegular(shape.height) && isRegular(width) && (isDense || channels_ >= kLeastRun);
  inside_ = width.inside(width.offsets[0], width.extentOfTaps());
}

// Describes in `where` how to read the rows in place. Returns false unless all rows lie in one output line, no tap lies on
// padding, and isInPlace_.
bool PatchReader::indirection(const void* context, std::size_t row, std::size_t rows, Indirection& where) {
  const Source& source = *static_cast<const Source*>(context);
  const PatchReader& reader = *source.reader;
  if (!reader.isInPlace_) return false;
  const ConvAxis &height = reader.shape_.height, &width = reader.shape_.width;
  const auto [line, x] = divide(row + source.firstRow, width.count);
  const auto [image, y] = divide(line, height.count);
  if (x < reader.inside_.begin || x + rows > reader.inside_.end) return false;
  const std::int64_t inputY = static_cast<std::int64_t>(y * height.step) + height.offsets[0];
  if (inputY < 0 || inputY + static_cast<std::int64_t>(height.extentOfTaps()) > static_cast<std::int64_t>(height.size))
    return false;
  const std::size_t channels = reader.shape_.inputs, inputLine = image * height.size + static_cast<std::size_t>(inputY);
  const std::int64_t inputX = static_cast<std::int64_t>(x * width.step) + width.offsets[0];
  where.start = source.input + (inputLine * width.size + static_cast<std::size_t>(inputX)) * channels;
  where.rowStride = width.step * channels;
  where.lines = height.tapCount();
  where.lineStride = height.distance() * width.size * channels;
  where.runs = reader.segments_.size();
  where.runStride = width.distance() * channels;
  return true;
}

void PatchReader::gather(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count, float* to,
                         std::size_t rowStride) {
  const Source& source = *static_cast<const Source*>(context);
  const PatchReader& reader = *source.reader;
  const ConvShape& shape = reader.shape_;
  const std::size_t lineStride = shape.width.size * shape.inputs, depth = reader.rowDepth_;
  auto [line, x] = divide(row + source.firstRow, shape.width.count);
  auto [image, y] = divide(line, shape.height.count);
  const auto [firstTap, firstFrom] = divide(k, depth);
  while (rows > 0) {
    const std::size_t columns = std::min(rows, shape.width.count - x);
    std::size_t tap = firstTap, from = firstFrom;
    for (std::size_t j = 0; j < count; ++tap, from = 0) {
      const std::size_t part = std::min(depth - from, count - j);
      const std::int64_t inputY = static_cast<std::int64_t>(y * shape.height.step) + shape.height.offsets[tap];
      if (inputY < 0 || inputY >= static_cast<std::int64_t>(shape.height.size)) {
        reader.kernels_.zeroRuns(to + j, rowStride, columns, part);
      } else {
        const std::size_t inputLine = image * shape.height.size + static_cast<std::size_t>(inputY);
        reader.gatherLine(source.input + inputLine * lineStride, x, columns, from, part, to + j, rowStride);
      }
      j += part;
    }
    rows -= columns;
    to += columns * rowStride;
    x = 0;
    if (++y == shape.height.count) y = 0, ++image;
  }
}

bool PatchReader::isZero(const void* context, std::size_t row, std::size_t rows, std::size_t k, std::size_t count) {
  const Source& source = *static_cast<const Source*>(context);
  const PatchReader& reader = *source.reader;
  const ConvAxis &height = reader.shape_.height, &width = reader.shape_.width;
  const std::size_t depth = reader.rowDepth_;
  auto [line, x] = divide(row + source.firstRow, width.count);
  std::size_t y = divide(line, height.count).rest;
  const auto [firstTap, firstFrom] = divide(k, depth);
  while (rows > 0) {
    const std::size_t columns = std::min(rows, width.count - x);
    std::size_t tap = firstTap, from = firstFrom;
    for (std::size_t j = 0; j < count; ++tap, from = 0) {
      const std::size_t part = std::min(depth - from, count - j);
      const std::int64_t inputY = static_cast<std::int64_t>(y * height.step) + height.offsets[tap];
      const bool isInside = inputY >= 0 && inputY < static_cast<std::int64_t>(height.size);
      if (isInside && !reader.isPadding(x, columns, from, part)) return false;
      j += part;
    }
    rows -= columns;
    x = 0;
    y = y + 1 == height.count ? 0 : y + 1;
  }
  return true;
}

bool PatchReader::isPadding(std::size_t x, std::size_t columns, std::size_t from, std::size_t count) const {
  const ConvAxis& width = shape_.width;
  for (std::size_t tap = from / channels_; tap * channels_ < from + count; ++tap) {
    const ConvAxis::Range inside = width.inside(width.offsets[tap]);
    if (x < inside.end && x + columns > inside.begin) return false;
  }
  return true;
}

void PatchReader::gatherLine(const float* line, std::size_t x, std::size_t columns, std::size_t from, std::size_t count,
                             float* to, std::size_t rowStride) const {
  auto [segment, begin] = divide(from, segmentDepth_);
  for (; count > 0; ++segment, begin = 0) {
    const std::size_t part = std::min(segmentDepth_ - begin, count);
    gatherSegment(segments_[segment], line, x, columns, begin, part, to, rowStride);
    count -= part;
    to += part;
  }
}

void PatchReader::gatherSegment(const Segment& segment, const float* line, std::size_t x, std::size_t columns, std::size_t from,
                                std::size_t count, float* to, std::size_t rowStride) const {
  const std::size_t end = x + columns, step = shape_.width.step;
  const auto signedSize = static_cast<std::int64_t>(shape_.width.size), signedTaps = static_cast<std::int64_t>(segment.taps);
  const auto at = [&](std::size_t i) { return static_cast<std::int64_t>(i * step) + segment.offset; };
  while (x < end) {
    if (x >= segment.inside.begin && x < segment.inside.end) {
      const std::size_t run = std::min(end, segment.inside.end) - x;
      const float* source = line + static_cast<std::size_t>(at(x)) * shape_.inputs + from;
      kernels_.copyRuns(source, step * shape_.inputs, to, rowStride, run, count);
      x += run;
      to += run * rowStride;
      continue;
    }
    // Taps [first, last) lie inside the line; the others are padding.
    const std::int64_t position = at(x);
    const std::int64_t first = std::clamp<std::int64_t>(-position, 0, signedTaps);
    const std::int64_t last = std::clamp<std::int64_t>(signedSize - position, first, signedTaps);
    const std::size_t low = std::clamp(static_cast<std::size_t>(first) * channels_, from, from + count);
    const std::size_t high = std::clamp(static_cast<std::size_t>(last) * channels_, low, from + count);
    std::fill(to, to + (low - from), 0.0F);
    if (low < high) {
      const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(position) * static_cast<std::ptrdiff_t>(shape_.inputs);
      kernels_.copyRuns(line + (start + static_cast<std::ptrdiff_t>(low)), 0, to + (low - from), 0, 1, high - low);
    }
    std::fill(to + (high - from), to + count, 0.0F);
    ++x;
    to += rowStride;
  }
}

}  // namespace webnn::cpu
