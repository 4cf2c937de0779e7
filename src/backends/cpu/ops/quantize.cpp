#include "backends/cpu/ops/quantize.h"

#include <algorithm>
#include <array>

#include "backends/cpu/simd/bytes/quantize.h"
#include "base/progress.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// A tensor divided into runs of `length` consecutive elements. A run's elements share one scale, or have consecutive scales if
// `each` is set. `outer` lists the dimensions over the runs, with their strides in the scales.
struct Runs {
  struct Dimension {
    std::size_t size = 1, stride = 0;
  };
  std::array<Dimension, 2 * kMaxRank> outer{};
  std::size_t rank = 0, length = 1, count = 1;
  bool each = false;
};

// Splits each dimension into blocks and the elements of a block. Merges adjacent dimensions that have a common stride in the
// scales.
Runs runsOf(const Shape& shape, const Shape& blocks) {
  std::vector<Runs::Dimension> merged;
  std::vector<std::size_t> strides(blocks.size(), 1);
  for (std::size_t d = blocks.size(); d-- > 1;) strides[d - 1] = strides[d] * blocks[d];
  const auto add = [&](std::size_t size, std::size_t stride) {
    if (size == 1) return;
    if (!merged.empty() && merged.back().stride == stride * size) {
      merged.back() = {merged.back().size * size, stride};
    } else {
      merged.push_back({size, stride});
    }
  };
  for (std::size_t d = 0; d < shape.size(); ++d) {
    add(blocks[d], strides[d]);
    add(shape[d] / blocks[d], 0);
  }
  Runs runs;
  if (!merged.empty()) {
    runs.length = merged.back().size;
    runs.each = merged.back().stride != 0;
    merged.pop_back();
  }
  for (const Runs::Dimension& dimension : merged) {
    runs.outer[runs.rank++] = dimension;
    runs.count *= dimension.size;
  }
  return runs;
}

struct QuantizedRuns {
  QuantizeRun run = nullptr;
  Runs runs;
  std::size_t inputSize = 0, outputSize = 0, scaleSize = 0, zeroSize = 0;  // bytes per element
  Slot input, scale, output, zeroSlot;
  const std::byte *inputData = nullptr, *zeroData = nullptr;  // unpacked 4-bit constants; null: use the slots

  // Converts elements [begin, end).
  void operator()(const std::byte* from, const std::byte* scales, const std::byte* zeros, std::byte* to, std::size_t begin,
                  std::size_t end) const {
    std::array<std::size_t, 2 * kMaxRank> at{};
    std::size_t block = 0, rest = begin / runs.length;
    for (std::size_t d = runs.rank; d-- > 0; rest /= runs.outer[d].size) {
      at[d] = rest % runs.outer[d].size;
      block += at[d] * runs.outer[d].stride;
    }
    for (std::size_t i = begin, skipped = begin % runs.length; i < end; skipped = 0) {
      const std::size_t n = std::min(runs.length - skipped, end - i), place = block + (runs.each ? skipped : 0);
      run(from + i * inputSize, scales + place * scaleSize, zeros + place * zeroSize, n, to + i * outputSize);
      i += n;
      for (std::size_t d = runs.rank; d-- > 0;) {
        block += runs.outer[d].stride;
        if (++at[d] < runs.outer[d].size) break;
        block -= runs.outer[d].stride * runs.outer[d].size;
        at[d] = 0;
      }
    }
  }
};

constexpr std::size_t kGrain = 16384;

std::size_t sizeOf(DataType type) { return bitsPerElement(type) / 8; }

// Sets an operand's slot. If it is a 4-bit constant, unpacks it into memory of the compiled graph instead.
void place(const Operand& operand, Planner& planner, Slot& slot, const std::byte*& data) {
  if (bitsPerElement(operand.dataType()) != 4) {
    slot = planner.slot(operand);
    return;
  }
  const std::size_t count = elementCount(operand.descriptor());
  std::byte* bytes = planner.keep(count + 1);
  const auto unpack = quantizeKernels(planner.isa()).unpackNibbles;
  const auto* packed = reinterpret_cast<const std::uint8_t*>(planner.constantBytes(operand).data());
  inParts((count + 1) / 2, [&](std::size_t begin, std::size_t end) {
    unpack(packed + begin, end - begin, operand.dataType() == DataType::int4, reinterpret_cast<std::uint8_t*>(bytes) + 2 * begin);
  });
  data = bytes;
}

DataType asByte(DataType type) {
  return type == DataType::int4 ? DataType::int8 : type == DataType::uint4 ? DataType::uint8 : type;
}

StepPtr planRuns(std::string_view name, const Operand& input, const Operand& scale, const Operand& zeroPoint, bool quantizes,
                 Planner& planner) {
  const DataType type = asByte(zeroPoint.dataType());
  const QuantizeKernels& kernels = quantizeKernels(planner.isa());
  const auto& table = quantizes ? kernels.quantize : kernels.dequantize;
  QuantizedRuns q;
  q.runs = runsOf(input.shape(), scale.shape());
  q.run = table[scale.dataType() == DataType::float16][quantizedIndex(type)][q.runs.each];
  q.inputSize = sizeOf(asByte(input.dataType()));
  q.outputSize = sizeOf(planner.outputOperand().dataType());
  q.scaleSize = sizeOf(scale.dataType());
  q.zeroSize = sizeOf(type);
  q.scale = planner.slot(scale);
  q.output = planner.output();
  place(input, planner, q.input, q.inputData);
  place(zeroPoint, planner, q.zeroSlot, q.zeroData);
  const std::size_t count = elementCount(input.descriptor());
  std::string text = formatText("{} {} {} runs of {} {}", name, webnn::name(scale.dataType()), webnn::name(zeroPoint.dataType()),
                                q.runs.length, cpu::name(withoutTiles(planner.isa())));
  return makeStep(std::move(text), [q, count](const Frame& frame) {
    const std::byte* from = q.inputData ? q.inputData : frame.in<std::byte>(q.input);
    const std::byte* zeros = q.zeroData ? q.zeroData : frame.in<std::byte>(q.zeroSlot);
    frame.team.forRanges(count, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      q(from, frame.in<std::byte>(q.scale), zeros, frame.out<std::byte>(q.output), begin, end);
    });
  });
}

constexpr std::size_t kLookUpGrain = 131072;

}  // namespace

// The only 4-bit operands left here are constants of dequantizeLinear: the pass repackInt4 has removed all others.
StepPtr plan(const ops::DequantizeLinear& op, Planner& planner) {
  return planRuns("dequantize", op.input, op.scale, op.zeroPoint, false, planner);
}

StepPtr plan(const ops::QuantizeLinear& op, Planner& planner) {
  return planRuns("quantize", op.input, op.scale, op.zeroPoint, true, planner);
}

StepPtr plan(const TableLookup& op, Planner& planner) {
  const bool hasVbmi = mayUse(planner.isa(), CpuFeature::avx512Vbmi);
  const QuantizeKernels& kernels = quantizeKernels(planner.isa());
  const auto lookUp = hasVbmi ? kernels.lookUpVbmi : kernels.lookUp;
  const Slot table = planner.slot(op.table), from = planner.slot(op.input), to = planner.output();
  const std::size_t count = elementCount(op.input.descriptor());
  return makeStep(formatText("table lookup {}{}", count, hasVbmi ? " vbmi" : ""), [=](const Frame& frame) {
    frame.team.forRanges(count, kLookUpGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      lookUp(frame.in<std::uint8_t>(table), frame.in<std::uint8_t>(from) + begin, end - begin,
             frame.out<std::uint8_t>(to) + begin);
    });
  });
}

}  // namespace webnn::cpu
