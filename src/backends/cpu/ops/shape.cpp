#include "backends/cpu/ops/shape.h"

#include <algorithm>
#include <numeric>

#include "backends/cpu/elements/copy_block.h"
#include "backends/cpu/elements/strided_copy.h"
#include "base/progress.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

std::size_t elementBytes(const Operand& operand) { return bitsPerElement(operand.dataType()) / 8; }

// Returns whether elements are packed two per byte. After the pass repackInt4, no operation of this file has such operands.
bool isPacked(const Operand& operand) { return bitsPerElement(operand.dataType()) < 8; }

// Returns the loops of a copy of `shape` with strides `from` and `to` in bytes.
std::vector<CopyDimension> loops(const Shape& shape, const std::vector<std::ptrdiff_t>& from,
                                 const std::vector<std::ptrdiff_t>& to) {
  std::vector<CopyDimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d) dimensions.push_back({shape[d], from[d], to[d]});
  return dimensions;
}

StepPtr copyStep(std::string_view name, StridedCopy copy, Slot from, Slot to) {
  std::string description = formatText("{} {}", name, copy.description());
  return makeStep(std::move(description), [copy = std::move(copy), from, to](const Frame& frame) {
    copy.run(frame.in<std::byte>(from), frame.out<std::byte>(to), frame.team);
  });
}

// Makes a step that fills the output in order from the input positions that `strides` and `start` (in bytes) define.
StepPtr pull(std::string_view name, const Operand& input, Planner& planner, const std::vector<std::ptrdiff_t>& strides,
             std::ptrdiff_t start = 0) {
  const Shape& shape = planner.outputOperand().shape();
  const std::size_t bytes = elementBytes(input);
  StridedCopy copy(planner.isa(), bytes, loops(shape, strides, byteStrides(shape, bytes)), start);
  return copyStep(name, std::move(copy), planner.slot(input), planner.output());
}

// Returns the input coordinate for each coordinate of a padded dimension.
std::vector<std::uint32_t> paddedSources(PaddingMode mode, std::uint32_t before, std::uint32_t after, std::uint32_t size) {
  std::vector<std::uint32_t> sources;
  sources.reserve(std::size_t{before} + size + after);
  const std::int64_t last = std::int64_t{size} - 1;
  Progress progress;
  for (std::int64_t at = -std::int64_t{before}; at <= last + after; ++at) {
    progress.count();
    std::int64_t position = at;
    if (mode == PaddingMode::reflection) {
      if (position < 0) position = -position;
      if (position > last) position = 2 * last - position;
    }
    sources.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(position, 0, last)));
  }
  return sources;
}

// Pads with elements of the input. Innermost dimensions without padding form blocks; tables give each block's source.
struct RepeatingPad {
  RepeatingPad(const ops::Pad& op, const Shape& output, Planner& planner) : block(elementBytes(op.input)) {
    std::size_t positions = 0;
    for (const std::uint32_t extent : output) positions += extent;
    planner.charge(positions * (sizeof(inRow[0]) + sizeof(sources[0][0])));
    const Shape& shape = op.input.shape();
    const auto isPadded = [&](std::size_t d) { return op.beginningPadding[d] + op.endingPadding[d] > 0; };
    std::size_t rank = shape.size();
    while (rank > 1 && !isPadded(rank - 1)) block *= shape[--rank];
    std::size_t step = 1;
    for (std::size_t d = rank; d-- > 0;) {
      if (d + 1 < rank) {
        std::vector<std::size_t>& offsets = sources.emplace_back();
        offsets.reserve(output[d]);
        for (const std::uint32_t source : paddedSources(op.options.mode, op.beginningPadding[d], op.endingPadding[d], shape[d])) {
          offsets.push_back(source * step * block);
        }
        rows *= output[d];
      } else {
        size = shape[d];
        inRow = paddedSources(op.options.mode, op.beginningPadding[d], op.endingPadding[d], shape[d]);
        before = op.beginningPadding[d];
      }
      step *= shape[d];
    }
  }

  void run(const std::byte* from, std::byte* to, Team& team) const {
    const std::size_t rowBytes = inRow.size() * block;
    team.forRanges(rows, std::max<std::size_t>(1, kBytesPerChunk / rowBytes), [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t row = begin; row < end; ++row) padRow(from + sourceOf(row), to + row * rowBytes);
    });
  }

 private:
  std::size_t sourceOf(std::size_t row) const {
    std::size_t offset = 0;
    for (const std::vector<std::size_t>& offsets : sources) {  // begins with the innermost dimension
      offset += offsets[row % offsets.size()];
      row /= offsets.size();
    }
    return offset;
  }
  void padRow(const std::byte* from, std::byte* to) const {
    RunWatch watch;
    for (std::size_t i = 0; i < before && !watch.isOver(1); ++i) copyBlock(to + i * block, from + inRow[i] * block, block);
    copyMany(to + before * block, from, size * block);
    for (std::size_t i = before + size; i < inRow.size() && !watch.isOver(1); ++i)
      copyBlock(to + i * block, from + inRow[i] * block, block);
  }

  std::size_t block, rows = 1, size = 1, before = 0;
  std::vector<std::vector<std::size_t>> sources;  // for each dimension outside the rows: byte offsets in the input
  std::vector<std::uint32_t> inRow{};             // for each position in a row: index of its source block in the input row
};

// Returns the bytes of `number` as an element of `type`.
std::array<std::byte, 8> bytesOf(const Number& number, DataType type) {
  std::array<std::byte, 8> bytes{};
  const auto put = [&](auto value) { std::memcpy(bytes.data(), &value, sizeof(value)); };
  if (type == DataType::float32) {
    put(static_cast<float>(number.toDouble()));
  } else if (type == DataType::float16) {
    put(Half(number.toDouble()).bits());
  } else {
    // On little-endian machines, the low bytes come first, so shorter types use the first bytes.
    std::visit(
        [&](auto value) {
          type == DataType::uint64 ? put(static_cast<std::uint64_t>(value)) : put(static_cast<std::int64_t>(value));
        },
        number.value());
  }
  return bytes;
}

// Returns the copies that write the constant padding and then the input. Each dimension has one slab of padding before and one
// after the input. A slab spans the input's range of earlier dimensions and the whole range of later ones.
std::vector<StridedCopy> paddingSlabs(const ops::Pad& op, const Shape& output, Isa isa) {
  const Shape& shape = op.input.shape();
  const std::size_t bytes = elementBytes(op.input);
  const std::vector<std::ptrdiff_t> to = byteStrides(output, bytes), none(shape.size());
  std::vector<StridedCopy> slabs;
  Shape slab = output;
  std::ptrdiff_t start = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto add = [&](std::uint32_t size, std::ptrdiff_t at) {
      slab[d] = size;
      if (size > 0) slabs.emplace_back(isa, bytes, loops(slab, none, to), 0, at);
    };
    add(op.beginningPadding[d], start);
    start += static_cast<std::ptrdiff_t>(op.beginningPadding[d]) * to[d];
    add(op.endingPadding[d], start + static_cast<std::ptrdiff_t>(shape[d]) * to[d]);
    slab[d] = shape[d];
  }
  slabs.emplace_back(isa, bytes, loops(shape, byteStrides(shape, bytes), to), 0, start);  // the last copy is the input itself
  return slabs;
}

StepPtr planConstantPad(const ops::Pad& op, Planner& planner) {
  const Slot from = planner.slot(op.input), to = planner.output();
  const auto value = bytesOf(op.options.value, op.input.dataType());
  const Shape& shape = planner.outputOperand().shape();
  const std::vector<std::ptrdiff_t> strides = byteStrides(shape, elementBytes(op.input));
  const std::ptrdiff_t start = std::inner_product(strides.begin(), strides.end(), op.beginningPadding.begin(), std::ptrdiff_t{0});
  // Skip the input if it was computed directly in the output's memory.
  const bool isInPlace = from.base == to.base && from.offset == to.offset + static_cast<std::size_t>(start);
  return makeStep("pad", [=, slabs = paddingSlabs(op, shape, planner.isa())](const Frame& frame) {
    auto* output = frame.out<std::byte>(to);
    for (std::size_t i = 0; i + 1 < slabs.size(); ++i) slabs[i].run(value.data(), output, frame.team);
    if (!isInPlace) slabs.back().run(frame.in<std::byte>(from), output, frame.team);
  });
}

}  // namespace

StepPtr plan(const ops::Concat& op, Planner& planner) {
  if (isPacked(op.inputs[0])) return nullptr;
  const Shape& shape = planner.outputOperand().shape();
  const std::size_t bytes = elementBytes(op.inputs[0]);
  const std::vector<std::ptrdiff_t> to = byteStrides(shape, bytes);
  std::vector<std::pair<Slot, StridedCopy>> parts;
  std::ptrdiff_t start = 0;
  const Slot output = planner.output();
  for (const Operand& input : op.inputs) {
    const Slot from = planner.slot(input);
    // Skip inputs that were computed directly in the output's memory.
    if (from.base != output.base || from.offset != output.offset + static_cast<std::size_t>(start)) {
      StridedCopy part(planner.isa(), bytes, loops(input.shape(), byteStrides(input.shape(), bytes), to), 0, start);
      parts.emplace_back(from, std::move(part));
    }
    start += static_cast<std::ptrdiff_t>(input.shape()[op.axis]) * to[op.axis];
  }
  std::string description = formatText("concat {}", parts[0].second.description());
  return makeStep(std::move(description), [parts = std::move(parts), output](const Frame& frame) {
    for (const auto& [slot, part] : parts) part.run(frame.in<std::byte>(slot), frame.out<std::byte>(output), frame.team);
  });
}

StepPtr plan(const ops::Split& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const Shape& shape = op.input.shape();
  const std::size_t bytes = elementBytes(op.input);
  const std::vector<std::ptrdiff_t> from = byteStrides(shape, bytes);
  std::vector<std::pair<Slot, StridedCopy>> parts;
  std::ptrdiff_t start = 0;
  for (std::uint32_t left = shape[op.options.axis]; left > 0;) {
    const Shape& part = planner.outputOperand(parts.size()).shape();
    StridedCopy copy(planner.isa(), bytes, loops(part, from, byteStrides(part, bytes)), start);
    parts.emplace_back(planner.output(parts.size()), std::move(copy));
    start += static_cast<std::ptrdiff_t>(part[op.options.axis]) * from[op.options.axis];
    left -= part[op.options.axis];
  }
  std::string description = formatText("split {}", parts[0].second.description());
  return makeStep(std::move(description), [parts = std::move(parts), input = planner.slot(op.input)](const Frame& frame) {
    for (const auto& [slot, part] : parts) part.run(frame.in<std::byte>(input), frame.out<std::byte>(slot), frame.team);
  });
}

StepPtr plan(const ops::Expand& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const Shape& shape = op.input.shape();
  const std::vector<std::ptrdiff_t> own = byteStrides(shape, elementBytes(op.input));
  const std::size_t rank = planner.outputOperand().rank(), added = rank - shape.size();
  std::vector<std::ptrdiff_t> strides(rank);
  for (std::size_t d = added; d < rank; ++d) strides[d] = shape[d - added] == 1 ? 0 : own[d - added];
  return pull("expand", op.input, planner, strides);
}

StepPtr plan(const ops::Pad& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const auto isZero = [](std::uint32_t padding) { return padding == 0; };
  const bool isNone = std::ranges::all_of(op.beginningPadding, isZero) && std::ranges::all_of(op.endingPadding, isZero);
  if (isNone) return pull("pad", op.input, planner, byteStrides(op.input.shape(), elementBytes(op.input)));
  if (op.options.mode == PaddingMode::constant) return planConstantPad(op, planner);
  return makeStep("pad by repeating", [pad = RepeatingPad(op, planner.outputOperand().shape(), planner),
                                       from = planner.slot(op.input), to = planner.output()](const Frame& frame) {
    pad.run(frame.in<std::byte>(from), frame.out<std::byte>(to), frame.team);
  });
}

StepPtr plan(const ops::Reshape& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  return pull("reshape", op.input, planner, byteStrides(planner.outputOperand().shape(), elementBytes(op.input)));
}

StepPtr plan(const ops::Reverse& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  std::vector<std::ptrdiff_t> strides = byteStrides(op.input.shape(), elementBytes(op.input));
  std::ptrdiff_t start = 0;
  for (const std::uint32_t axis : *op.options.axes) {
    start += (static_cast<std::ptrdiff_t>(op.input.shape()[axis]) - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  return pull("reverse", op.input, planner, strides, start);
}

StepPtr plan(const ops::Slice& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  std::vector<std::ptrdiff_t> strides = byteStrides(op.input.shape(), elementBytes(op.input));
  std::ptrdiff_t start = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    start += static_cast<std::ptrdiff_t>(op.starts[d]) * strides[d];
    strides[d] *= static_cast<std::ptrdiff_t>((*op.options.strides)[d]);
  }
  return pull("slice", op.input, planner, strides, start);
}

StepPtr plan(const ops::Tile& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const Shape& shape = op.input.shape();
  const std::size_t bytes = elementBytes(op.input);
  const std::vector<std::ptrdiff_t> from = byteStrides(shape, bytes), to = byteStrides(planner.outputOperand().shape(), bytes);
  std::vector<CopyDimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    dimensions.push_back({op.repetitions[d], 0, to[d] * static_cast<std::ptrdiff_t>(shape[d])});
    dimensions.push_back({shape[d], from[d], to[d]});
  }
  return copyStep("tile", StridedCopy(planner.isa(), bytes, std::move(dimensions)), planner.slot(op.input), planner.output());
}

StepPtr plan(const ops::Transpose& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const std::vector<std::ptrdiff_t> own = byteStrides(op.input.shape(), elementBytes(op.input));
  std::vector<std::ptrdiff_t> strides;
  for (const std::uint32_t axis : *op.options.permutation) strides.push_back(own[axis]);
  return pull("transpose", op.input, planner, strides);
}

StepPtr plan(const ops::Triangular& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const Slot from = planner.slot(op.input), to = planner.output();
  const Shape& shape = op.input.shape();
  const std::size_t bytes = elementBytes(op.input), width = shape[shape.size() - 1], height = shape[shape.size() - 2];
  const std::size_t rows = elementCount(op.input.descriptor()) / width, rowBytes = width * bytes;
  const std::int64_t diagonal = op.options.diagonal;
  return makeStep("triangular", [=, upper = op.options.upper](const Frame& frame) {
    const auto* input = frame.in<std::byte>(from);
    auto* output = frame.out<std::byte>(to);
    const std::size_t grain = std::max<std::size_t>(1, kBytesPerChunk / rowBytes);
    frame.team.forRanges(rows, grain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t row = begin; row < end; ++row) {
        // The first column that the upper triangle keeps, or that the lower triangle drops.
        const std::int64_t edge = static_cast<std::int64_t>(row % height) + diagonal + (upper ? 0 : 1);
        const std::size_t left =
            static_cast<std::size_t>(std::clamp<std::int64_t>(edge, 0, static_cast<std::int64_t>(width))) * bytes;
        const std::byte* source = input + row * rowBytes;
        std::byte* target = output + row * rowBytes;
        if (upper) {
          std::memset(target, 0, left);
          std::memcpy(target + left, source + left, rowBytes - left);
        } else {
          std::memcpy(target, source, left);
          std::memset(target + left, 0, rowBytes - left);
        }
      }
    });
  });
}

}  // namespace webnn::cpu
