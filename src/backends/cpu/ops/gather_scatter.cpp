#include "backends/cpu/ops/gather_scatter.h"

#include <algorithm>
#include <array>
#include <span>

#include "backends/cpu/elements/copy_block.h"
#include "backends/cpu/elements/strided_copy.h"
#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

// The number of indices that are resolved to positions at a time.
constexpr std::size_t kAtOnce = 1024;
using Positions = std::array<std::size_t, kAtOnce>;

// Adds `size` to a negative index, which counts from the end, and clamps the result to the dimension.
std::size_t resolve(std::int64_t index, std::int64_t size) {
  if (index < 0) index += size;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, size - 1));
}

template <typename T>
std::int64_t indexAt(const std::byte* indices, std::size_t i) {
  return static_cast<std::int64_t>(loadUnaligned<T>(indices + i * sizeof(T)));
}

// The indices of a gather or scatter into dimensions of `sizes`. Each position takes one index per dimension.
struct Indices {
  Indices(const Operand& operand, std::span<const std::uint32_t> indexedSizes, Planner& planner) : slot(planner.slot(operand)) {
    std::size_t step = 1;
    for (std::size_t d = indexedSizes.size(); d-- > 0;) {
      sizes.insert(sizes.begin(), indexedSizes[d]);
      steps.insert(steps.begin(), step);
      step *= indexedSizes[d];
    }
    switch (operand.dataType()) {
      case DataType::int32: find_ = find<std::int32_t>; break;
      case DataType::uint32: find_ = find<std::uint32_t>; break;
      default: find_ = find<std::int64_t>;
    }
  }

  // Writes the row-major positions in the indexed dimensions for index rows [begin, begin + count) to `found`.
  void positions(const Frame& frame, std::size_t begin, std::size_t count, Positions& found) const {
    find_(*this, frame.in<std::byte>(slot), begin, count, found);
  }

 private:
  template <typename T>
  static void find(const Indices& self, const std::byte* indices, std::size_t begin, std::size_t count, Positions& found) {
    const std::size_t width = self.sizes.size();
    if (width == 1) {
      for (std::size_t i = 0; i < count; ++i) found[i] = resolve(indexAt<T>(indices, begin + i), self.sizes[0]);
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      found[i] = 0;
      for (std::size_t d = 0; d < width; ++d) {
        found[i] += resolve(indexAt<T>(indices, (begin + i) * width + d), self.sizes[d]) * self.steps[d];
      }
    }
  }

  Slot slot;
  std::vector<std::int64_t> sizes;
  std::vector<std::size_t> steps;
  void (*find_)(const Indices&, const std::byte*, std::size_t, std::size_t, Positions&) = nullptr;
};

// The dimensions of a tensor before, at and after an axis, each merged into one.
struct AroundAxis {
  AroundAxis(const Operand& operand, std::size_t axis) : size(operand.shape()[axis]) {
    for (std::size_t d = 0; d < axis; ++d) outer *= operand.shape()[d];
    for (std::size_t d = axis + 1; d < operand.rank(); ++d) inner *= operand.shape()[d];
  }
  std::size_t outer = 1, size, inner = 1;
};

bool isPacked(const Operand& operand) { return bitsPerElement(operand.dataType()) < 8; }
std::size_t elementBytes(const Operand& operand) { return bitsPerElement(operand.dataType()) / 8; }
std::size_t grainOf(std::size_t bytes) { return std::max<std::size_t>(1, kBytesPerChunk / std::max<std::size_t>(bytes, 8)); }

// Copies block positions[i] of `from` to block i of `to`, for `count` blocks of `bytes` bytes.
void gatherBlocks(const std::byte* from, std::byte* to, const std::size_t* positions, std::size_t count, std::size_t bytes) {
  if (bytes == 4) {
    for (std::size_t i = 0; i < count; ++i) copyWord<std::uint32_t>(to + i * 4, from + positions[i] * 4);
  } else if (bytes == 8) {
    for (std::size_t i = 0; i < count; ++i) copyWord<std::uint64_t>(to + i * 8, from + positions[i] * 8);
  } else {
    for (std::size_t i = 0; i < count; ++i) copyBlock(to + i * bytes, from + positions[i] * bytes, bytes);
  }
}

// Gathers blocks [begin, end) of the output. The input consists of parts with `size` blocks; the same positions apply to each
// part.
void gatherParts(const std::byte* from, std::byte* to, std::span<const std::size_t> positions, std::size_t size,
                 std::size_t begin, std::size_t end, std::size_t bytes) {
  std::size_t part = begin / positions.size(), first = begin % positions.size();
  if (positions.size() == 1 && bytes == 4) {
    for (const std::byte* at = from + (part * size + positions[0]) * 4; begin < end; ++begin, at += size * 4)
      copyWord<std::uint32_t>(to + begin * 4, at);
    return;
  }
  while (begin < end) {
    const std::size_t some = std::min(positions.size() - first, end - begin);
    gatherBlocks(from + part * size * bytes, to + begin * bytes, positions.data() + first, some, bytes);
    begin += some;
    ++part;
    first = 0;
  }
}

// Makes a step that gathers `count` blocks of `bytes` bytes from each of `outer` parts of the input, which have `size` blocks.
StepPtr gatherStep(std::string description, Indices indices, Slot from, Slot to, std::size_t outer, std::size_t size,
                   std::size_t count, std::size_t bytes) {
  return makeStep(std::move(description), [=](const Frame& frame) {
    const auto* input = frame.in<std::byte>(from);
    auto* output = frame.out<std::byte>(to);
    frame.team.forRanges(outer * count, grainOf(bytes), [&](std::size_t begin, std::size_t end, unsigned) {
      Positions positions;
      if (count <= std::min(kAtOnce, end - begin)) {
        indices.positions(frame, 0, count, positions);
        return gatherParts(input, output, {positions.data(), count}, size, begin, end, bytes);
      }
      for (std::size_t at = begin; at < end;) {
        const std::size_t part = at / count, first = at % count, some = std::min({kAtOnce, count - first, end - at});
        indices.positions(frame, first, some, positions);
        gatherBlocks(input + part * size * bytes, output + at * bytes, positions.data(), some, bytes);
        at += some;
      }
    });
  });
}

// Copies single elements of type Word between the indexed tensor and a tensor with the shape of the indices. An index selects
// the position in the indexed tensor along an axis. Gathering reads the indexed tensor; scattering writes it.
struct ElementMove {
  Indices indices;
  std::size_t inner;  // product of the dimensions after the axis
  std::size_t count;  // size of the indices along the axis
  std::size_t size;   // size of the indexed tensor along the axis

  // Moves lines along the axis: those with index `part` in the dimensions before the axis and [begin, end) in those after it.
  template <typename Word, bool scatters>
  void move(const Frame& frame, const std::byte* from, std::byte* to, std::size_t part, std::size_t begin,
            std::size_t end) const {
    Positions positions;
    const std::size_t base = part * size * inner;
    RunWatch watch;
    for (std::size_t row = 0; row < count && !watch.isOver(end - begin); ++row) {
      const std::size_t line = (part * count + row) * inner;
      for (std::size_t at = begin; at < end; at += kAtOnce) {
        const std::size_t some = std::min(kAtOnce, end - at);
        indices.positions(frame, line + at, some, positions);
        for (std::size_t i = 0; i < some; ++i) {
          const std::size_t listed = (line + at + i) * sizeof(Word),
                            found = (base + positions[i] * inner + at + i) * sizeof(Word);
          scatters ? copyWord<Word>(to + found, from + listed) : copyWord<Word>(to + listed, from + found);
        }
      }
    }
  }
  // Calls visit(positions, count) for all elements in order, at most kAtOnce at a time. Positions are in the indexed tensor.
  void forPositions(const Frame& frame, std::size_t outer, auto visit) const {
    Positions positions;
    for (std::size_t line = 0, all = outer * count * inner; line < all; line += kAtOnce) {
      const std::size_t some = std::min(kAtOnce, all - line);
      indices.positions(frame, line, some, positions);
      for (std::size_t i = 0; i < some; ++i) {
        const std::size_t part = (line + i) / (count * inner), behind = (line + i) % inner;
        positions[i] = (part * size + positions[i]) * inner + behind;
      }
      visit(positions, some);
    }
  }
  // Does the same as move() if no dimension follows the axis. Moves elements [begin, end) along the axis.
  template <typename Word, bool scatters>
  void moveLine(const Frame& frame, const std::byte* from, std::byte* to, std::size_t part, std::size_t begin,
                std::size_t end) const {
    Positions positions;
    RunWatch watch;
    for (std::size_t at = begin; at < end && !watch.isOver(kAtOnce); at += kAtOnce) {
      const std::size_t some = std::min(kAtOnce, end - at);
      indices.positions(frame, part * count + at, some, positions);
      for (std::size_t i = 0; i < some; ++i) {
        const std::size_t listed = (part * count + at + i) * sizeof(Word), found = (part * size + positions[i]) * sizeof(Word);
        scatters ? copyWord<Word>(to + found, from + listed) : copyWord<Word>(to + listed, from + found);
      }
    }
  }
};

// Divides a scatter among threads only along the dimensions before and after the axis: if several elements of a line along the
// axis scatter to one position, the last one must win.
template <typename Word, bool scatters>
void moveElements(const ElementMove& plan, const Frame& frame, const std::byte* from, std::byte* to, std::size_t outer) {
  constexpr std::size_t kElements = 8192;  // about ten microseconds
  if (plan.inner == 1) {
    const std::size_t piece = scatters ? plan.count : std::min(plan.count, kElements), pieces = divideUp(plan.count, piece);
    frame.team.forRanges(
        outer * pieces, std::max<std::size_t>(1, kElements / piece), [&](std::size_t begin, std::size_t end, unsigned) {
          for (std::size_t unit = begin; unit < end; ++unit) {
            const std::size_t first = unit % pieces * piece;
            plan.moveLine<Word, scatters>(frame, from, to, unit / pieces, first, std::min(first + piece, plan.count));
          }
        });
    return;
  }
  const std::size_t piece = std::clamp<std::size_t>(kElements / plan.count, 64, std::max<std::size_t>(plan.inner, 64));
  const std::size_t pieces = divideUp(plan.inner, piece);
  const std::size_t grain = std::max<std::size_t>(1, kElements / (plan.count * std::min(piece, plan.inner)));
  frame.team.forRanges(outer * pieces, grain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t unit = begin; unit < end; ++unit) {
      const std::size_t first = unit % pieces * piece;
      plan.move<Word, scatters>(frame, from, to, unit / pieces, first, std::min(first + piece, plan.inner));
    }
  });
}

template <bool scatters>
auto elementMover(std::size_t bytes) {
  switch (bytes) {
    case 1: return moveElements<std::uint8_t, scatters>;
    case 2: return moveElements<std::uint16_t, scatters>;
    case 4: return moveElements<std::uint32_t, scatters>;
    default: return moveElements<std::uint64_t, scatters>;
  }
}

// Copies the input to the output before a scatter writes updates. Copies nothing if both have the same memory. If the caller
// knows the byte ranges in which the output differs from the input, copies only these.
struct CopyFirst {
  CopyFirst(const Operand& input, Planner& planner)
      : from(planner.slot(input)), to(planner.output()), bytes(byteLength(input.descriptor())) {}
  std::byte* run(const Frame& frame) const {
    const auto* input = frame.in<std::byte>(from);
    auto* output = frame.out<std::byte>(to);
    if (input == output) return output;
    if (const UpdatedBase* pair = updated(frame); pair && *pair->before) {
      for (const auto& [offset, size] : **pair->before) std::memcpy(output + offset, input + offset, size);
      return output;
    }
    frame.team.forRanges(bytes, kBytesPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
      std::memcpy(output + begin, input + begin, end - begin);
    });
    return output;
  }
  // Records that blocks of `blockBytes` bytes at the given positions of the output may now differ from the input.
  void note(const UpdatedBase& pair, const Positions& positions, std::size_t count, std::size_t blockBytes) const {
    for (std::size_t i = 0; i < count && *pair.after; ++i) {
      std::vector<ByteRange>& ranges = **pair.after;
      const std::size_t offset = positions[i] * blockBytes;
      if (!ranges.empty() && ranges.back().offset + ranges.back().size == offset) {
        ranges.back().size += blockBytes;
      } else if (ranges.size() < ranges.capacity()) {
        ranges.push_back({offset, blockBytes});
      } else {
        pair.after->reset();
      }
    }
  }
  const UpdatedBase* updated(const Frame& frame) const {
    const auto found = std::ranges::find_if(
        frame.updated, [&](const UpdatedBase& pair) { return pair.input == from.base && pair.output == to.base; });
    return found == frame.updated.end() ? nullptr : &*found;
  }
  Slot from, to;
  std::size_t bytes;
};

// The dimensions that the indices of gatherND and scatterND select, and the bytes of the slice that one row of indices selects.
struct Chosen {
  Chosen(const Operand& input, const Operand& indices) {
    const std::size_t width = indices.shape().back();
    sizes = std::span<const std::uint32_t>(input.shape()).first(width);
    for (std::size_t d = width; d < input.rank(); ++d) bytes *= input.shape()[d];
    bytes *= elementBytes(input);
    count = elementCount(indices.descriptor()) / width;
  }
  std::span<const std::uint32_t> sizes;
  std::size_t bytes = 1, count;
};

}  // namespace

StepPtr plan(const ops::Gather& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const AroundAxis around(op.input, op.options.axis);
  const std::uint32_t size = op.input.shape()[op.options.axis];
  return gatherStep("gather", Indices(op.indices, {&size, 1}, planner), planner.slot(op.input), planner.output(), around.outer,
                    around.size, elementCount(op.indices.descriptor()), around.inner * elementBytes(op.input));
}

StepPtr plan(const ops::GatherND& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const Chosen chosen(op.input, op.indices);
  return gatherStep("gatherND", Indices(op.indices, chosen.sizes, planner), planner.slot(op.input), planner.output(), 1, 0,
                    chosen.count, chosen.bytes);
}

StepPtr plan(const ops::GatherElements& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const AroundAxis around(op.input, op.options.axis);
  const std::uint32_t size = op.input.shape()[op.options.axis];
  const ElementMove elements{Indices(op.indices, {&size, 1}, planner), around.inner, op.indices.shape()[op.options.axis], size};
  return makeStep("gatherElements", [elements, outer = around.outer, from = planner.slot(op.input), to = planner.output(),
                                     mover = elementMover<false>(elementBytes(op.input))](const Frame& frame) {
    mover(elements, frame, frame.in<std::byte>(from), frame.out<std::byte>(to), outer);
  });
}

StepPtr plan(const ops::ScatterElements& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const AroundAxis around(op.input, op.options.axis);
  const std::uint32_t size = op.input.shape()[op.options.axis];
  const ElementMove elements{Indices(op.indices, {&size, 1}, planner), around.inner, op.indices.shape()[op.options.axis], size};
  return makeStep(
      "scatterElements", [elements, outer = around.outer, copy = CopyFirst(op.input, planner), updates = planner.slot(op.updates),
                          size = elementBytes(op.input), mover = elementMover<true>(elementBytes(op.input))](const Frame& frame) {
        mover(elements, frame, frame.in<std::byte>(updates), copy.run(frame), outer);
        if (const UpdatedBase* pair = copy.updated(frame))
          elements.forPositions(frame, outer, [&](const Positions& at, std::size_t count) { copy.note(*pair, at, count, size); });
      });
}

// If several updates write the same slice, the last must win. So threads share the bytes of a slice, and each thread writes its
// bytes of all updates in order.
StepPtr plan(const ops::ScatterND& op, Planner& planner) {
  if (isPacked(op.input)) return nullptr;
  const Chosen chosen(op.input, op.indices);
  return makeStep(
      "scatterND", [indices = Indices(op.indices, chosen.sizes, planner), copy = CopyFirst(op.input, planner),
                    updates = planner.slot(op.updates), bytes = chosen.bytes, count = chosen.count](const Frame& frame) {
        std::byte* output = copy.run(frame);
        if (const UpdatedBase* pair = copy.updated(frame)) {
          Positions positions;
          for (std::size_t at = 0; at < count; at += kAtOnce) {
            indices.positions(frame, at, std::min(kAtOnce, count - at), positions);
            copy.note(*pair, positions, std::min(kAtOnce, count - at), bytes);
          }
        }
        const auto* from = frame.in<std::byte>(updates);
        frame.team.forRanges(bytes, std::max<std::size_t>(4096, kBytesPerChunk / count),
                             [&](std::size_t begin, std::size_t end, unsigned) {
                               Positions positions;
                               RunWatch watch;
                               for (std::size_t at = 0; at < count && !watch.isOver(8 * kAtOnce); at += kAtOnce) {
                                 const std::size_t some = std::min(kAtOnce, count - at);
                                 indices.positions(frame, at, some, positions);
                                 for (std::size_t i = 0; i < some; ++i) {
                                   copyBlock(output + positions[i] * bytes + begin, from + (at + i) * bytes + begin, end - begin);
                                 }
                               }
                             });
      });
}

}  // namespace webnn::cpu
