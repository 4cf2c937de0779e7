#include "backends/cpu/ops/gather_sum.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "backends/cpu/simd/gather_sum.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// The number of columns of a row that are summed at a time.
constexpr std::size_t kColumns = 1024;
constexpr std::array<float, kColumns> kZeros{};
constexpr float kOne = 1;

float loadFloat(const float* from) { return loadUnaligned<float>(reinterpret_cast<const std::byte*>(from)); }

// Element offsets in the tables of indices, mask and weights. The entries for a tap of an output are at the sum of the tap's
// and the output's offsets.
struct Offsets {
  std::size_t index = 0, mask = 0, weight = 0;
};

// A dimension of the outputs, and the steps in the tables between neighbors along it.
struct Dimension {
  std::size_t size = 1;
  Offsets steps;
};

// Calls visit(j, j * step) for j < count. A separate loop for step 1 can be vectorized.
void forRun(std::size_t count, std::size_t step, auto visit) {
  if (step == 1) {
    for (std::size_t j = 0; j < count; ++j) visit(j, j);
  } else {
    for (std::size_t j = 0; j < count; ++j) visit(j, j * step);
  }
}

// The input positions and weights of a block of outputs, in the kernel's format [tap][output].
struct ElementBlock {
  static constexpr std::size_t kNumbers = 2048;
  std::array<std::int32_t, kNumbers> positions;
  std::array<float, kNumbers> weights;
};

class Walk {
 public:
  Walk(const std::vector<Dimension>& dimensions, std::size_t begin) : dimensions_(dimensions) {
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      at_[d] = begin % dimensions[d].size;
      begin /= dimensions[d].size;
      add(dimensions[d].steps, at_[d]);
    }
  }
  const Offsets& offsets() const { return offsets_; }
  // Returns the number of outputs from the current one to the end of the innermost dimension.
  std::size_t run() const { return dimensions_.empty() ? 1 : dimensions_.back().size - at_[dimensions_.size() - 1]; }
  Offsets steps() const { return dimensions_.empty() ? Offsets() : dimensions_.back().steps; }
  // Moves on by at most run() outputs.
  void move(std::size_t count) {
    for (std::size_t d = dimensions_.size(); d-- > 0; count = 1) {
      const Dimension& dimension = dimensions_[d];
      add(dimension.steps, count);
      if ((at_[d] += count) < dimension.size) return;
      add(dimension.steps, std::size_t{0} - dimension.size);  // wraps around
      at_[d] = 0;
    }
  }

 private:
  void add(const Offsets& steps, std::size_t count) {
    offsets_.index += steps.index * count;
    offsets_.mask += steps.mask * count;
    offsets_.weight += steps.weight * count;
  }
  const std::vector<Dimension>& dimensions_;
  std::array<std::size_t, GatherSum::kMostSizes> at_{};
  Offsets offsets_;
};

// The operands of a run. `indices`, `mask` and `weights` are the tables.
template <typename T>
struct Tables {
  // Returns the input row that the index at offset `at` selects.
  std::int64_t row(std::size_t at) const {
    auto index = static_cast<std::int64_t>(loadUnaligned<T>(indices + at * sizeof(T)));
    index += index < 0 ? size : 0;
    return std::clamp<std::int64_t>(index, 0, size - 1);
  }
  // Does the same as row(); `size` must be below 2^31.
  std::int32_t row32(std::size_t at) const {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      const auto count = static_cast<std::int32_t>(size);
      auto index = loadUnaligned<std::int32_t>(indices + at * sizeof(T));
      index += index < 0 ? count : 0;
      return std::min(std::max(index, 0), count - 1);
    } else {
      return static_cast<std::int32_t>(row(at));
    }
  }
  // Returns the input row of a tap, or -1 if the mask replaces it by zeros.
  std::int64_t position(const Offsets& at, const Offsets& tap) const {
    return mask && mask[at.mask + tap.mask] == 0 ? -1 : row(at.index + tap.index);
  }
  float weight(const Offsets& at, const Offsets& tap) const { return loadFloat(weights + at.weight + tap.weight); }

  const float* input;
  const std::byte* indices;
  const std::uint8_t* mask;
  const float* weights;
  std::int64_t size;
};

class GatherSumStep final : public Step {
 public:
  GatherSumStep(const GatherSum& op, Planner& planner)
      : kernels_(gatherSumKernels(planner.isa())),
        input_(planner.slot(op.input)),
        indices_(planner.slot(op.indices)),
        output_(planner.output()),
        type_(op.indices.dataType()),
        size_(op.input.shape()[op.axis]),
        scale_(op.scale) {
    const auto product = [](auto begin, auto end) {
      std::size_t result = 1;
      for (; begin != end; ++begin) result *= *begin;
      return result;
    };
    const Shape& shape = op.input.shape();
    outer_ = product(shape.begin(), shape.begin() + op.axis);
    inner_ = product(shape.begin() + op.axis + 1, shape.end());
    if (op.mask) mask_ = planner.slot(*op.mask);
    if (op.weights) weights_ = planner.slot(*op.weights);
    setSteps(op);
    outputs_ = 1;
    for (const Dimension& dimension : dimensions_) outputs_ *= dimension.size;
    hasElements_ = inner_ == 1 && taps_.size() * 16 <= ElementBlock::kNumbers && size_ <= 0x7FFFFFFF;
    planner.charge(taps_.size() * sizeof(Offsets));
  }

  void run(const Frame& frame) const override {
    switch (type_) {
      case DataType::int32: return runWith<std::int32_t>(frame);
      case DataType::uint32: return runWith<std::uint32_t>(frame);
      default: return runWith<std::int64_t>(frame);
    }
  }

  std::string describe() const override {
    return formatText("gather sum of {} taps {}x{}", taps_.size(), outer_ * outputs_, inner_);
  }

 private:
  void setSteps(const GatherSum& op) {
    std::vector<Offsets> steps(op.sizes.size());
    std::size_t step = 1;
    for (std::size_t d = op.sizes.size(); d-- > 0; step *= op.sizes[d]) steps[d].index = step;
    const auto along = [&](const Operand& operand, std::size_t Offsets::*field) {
      std::size_t own = 1;
      for (std::size_t d = op.sizes.size(); d-- > 0; own *= operand.shape()[d + 1])
        steps[d].*field = operand.shape()[d + 1] == 1 ? 0 : own;
      return operand.shape()[0] == 1 ? 0 : own;
    };
    if (op.mask) outerSteps_.mask = along(*op.mask, &Offsets::mask);
    if (op.weights) outerSteps_.weight = along(*op.weights, &Offsets::weight);
    taps_.emplace_back();
    for (std::size_t d = 0; d < op.sizes.size(); ++d) {
      if (op.sizes[d] == 1) continue;
      if (std::ranges::find(op.taps, d) == op.taps.end()) {
        dimensions_.push_back({op.sizes[d], steps[d]});
        continue;
      }
      std::vector<Offsets> all;
      for (const Offsets& tap : taps_) {
        for (std::size_t i = 0; i < op.sizes[d]; ++i) {
          all.push_back({tap.index + i * steps[d].index, tap.mask + i * steps[d].mask, tap.weight + i * steps[d].weight});
        }
      }
      taps_ = std::move(all);
    }
  }

  template <typename T>
  void runWith(const Frame& frame) const {
    hasElements_ ? sumElements<T>(frame) : sumRows<T>(frame);
  }

  template <typename T>
  Tables<T> tablesOf(const Frame& frame) const {
    return {frame.in<float>(input_), frame.in<std::byte>(indices_), mask_ ? frame.in<std::uint8_t>(*mask_) : nullptr,
            weights_ ? frame.in<float>(*weights_) : &kOne, static_cast<std::int64_t>(size_)};
  }

  Offsets outerOffsets(std::size_t part) const { return {0, part * outerSteps_.mask, part * outerSteps_.weight}; }
  static Offsets sum(const Offsets& a, const Offsets& b) { return {a.index + b.index, a.mask + b.mask, a.weight + b.weight}; }

  // Recomputes non-finite sums in double, from product(i, tap), because an intermediate float32 sum may have overflowed.
  void sumExactly(float* sums, std::size_t count, auto product) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isfinite(loadFloat(sums + i))) continue;
      double sum = 0;
      for (std::size_t t = 0; t < taps_.size(); ++t) sum += static_cast<double>(product(i, t));
      storeUnaligned(reinterpret_cast<std::byte*>(sums + i), static_cast<float>(sum * static_cast<double>(scale_)));
    }
  }

  // Sums rows, in all cases that sumElements() does not take. A unit of work is at most kColumns columns of one output.
  template <typename T>
  void sumRows(const Frame& frame) const {
    const Tables<T> tables = tablesOf<T>(frame);
    auto* output = frame.out<float>(output_);
    const std::size_t pieces = divideUp(inner_, kColumns), taps = taps_.size();
    const std::size_t grain = std::max<std::size_t>(1, 32768 / (taps * (std::min(inner_, kColumns) + 16)));
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t first = piece * kColumns, columns = std::min(kColumns, inner_ - first);
      frame.team.forRanges(outer_ * outputs_, grain, [&](std::size_t begin, std::size_t end, unsigned) {
        std::array<const float*, GatherSum::kMost> rows;
        std::array<float, GatherSum::kMost> weights;
        while (begin < end) {
          const std::size_t part = begin / outputs_, to = std::min(end, (part + 1) * outputs_);
          const float* table = tables.input + part * size_ * inner_ + first;
          Walk walk(dimensions_, begin % outputs_);
          for (; begin < to; ++begin, walk.move(1)) {
            const Offsets at = sum(walk.offsets(), outerOffsets(part));
            for (std::size_t t = 0; t < taps; ++t) {
              const std::int64_t position = tables.position(at, taps_[t]);
              rows[t] = position < 0 ? kZeros.data() : table + static_cast<std::size_t>(position) * inner_;
              weights[t] = tables.weight(at, taps_[t]);
            }
            float* sums = output + begin * inner_ + first;
            if (!kernels_.rows(rows.data(), weights.data(), taps, columns, scale_, sums)) {
              sumExactly(sums, columns, [&](std::size_t c, std::size_t t) { return loadFloat(rows[t] + c) * weights[t]; });
            }
          }
        }
      });
    }
  }

  // Sums single elements. A unit of work is a block of outputs for several outer indices, which share the positions and weights
  // if areSame.
  template <typename T>
  void sumElements(const Frame& frame) const {
    const Tables<T> tables = tablesOf<T>(frame);
    auto* output = frame.out<float>(output_);
    const std::size_t taps = taps_.size(), block = std::min(outputs_, ElementBlock::kNumbers / taps / 16 * 16);
    const std::size_t blocks = divideUp(outputs_, block), step = divideUp(block, std::size_t{16}) * 16;
    const bool areSame = outerSteps_.mask == 0 && outerSteps_.weight == 0;
    const std::size_t parts = std::min(outer_, std::max<std::size_t>(1, 16384 / (taps * block)));
    const std::size_t grain = std::max<std::size_t>(1, 16384 / (taps * block * parts));
    frame.team.forRanges(blocks * divideUp(outer_, parts), grain, [&](std::size_t begin, std::size_t end, unsigned) {
      ElementBlock elements;
      for (; begin < end; ++begin) {
        const std::size_t from = begin % blocks * block, count = std::min(block, outputs_ - from);
        const std::size_t firstPart = begin / blocks * parts, lastPart = std::min(outer_, firstPart + parts);
        for (std::size_t part = firstPart; part < lastPart; ++part) {
          if (part == firstPart || !areSame) fill(tables, elements, outerOffsets(part), from, count, step);
          const float* table = tables.input + part * size_;
          float* sums = output + part * outputs_ + from;
          if (kernels_.elements(table, elements.positions.data(), elements.weights.data(), taps, step, count, scale_, sums))
            continue;
          sumExactly(sums, count, [&](std::size_t i, std::size_t t) {
            const std::int32_t position = elements.positions[t * step + i];
            return (position < 0 ? 0 : loadFloat(table + position)) * elements.weights[t * step + i];
          });
        }
      }
    });
  }

  // Writes the positions and weights of outputs [from, from + count). Pads the last vector with position -1 and weight 0.
  template <typename T>
  void fill(const Tables<T>& tables, ElementBlock& elements, const Offsets& outer, std::size_t from, std::size_t count,
            std::size_t step) const {
    Walk walk(dimensions_, from);
    for (std::size_t i = 0; i < count;) {
      const std::size_t run = std::min(walk.run(), count - i);
      const Offsets here = sum(walk.offsets(), outer), steps = walk.steps();
      for (std::size_t t = 0; t < taps_.size(); ++t) {
        const Offsets first = sum(here, taps_[t]);
        std::int32_t* positions = elements.positions.data() + t * step + i;
        float* weights = elements.weights.data() + t * step + i;
        forRun(run, steps.index, [&](std::size_t j, std::size_t at) { positions[j] = tables.row32(first.index + at); });
        forRun(run, steps.weight,
               [&](std::size_t j, std::size_t at) { weights[j] = loadFloat(tables.weights + first.weight + at); });
        if (!tables.mask) continue;
        forRun(run, steps.mask, [&](std::size_t j, std::size_t at) { positions[j] |= tables.mask[first.mask + at] ? 0 : -1; });
      }
      i += run;
      walk.move(run);
    }
    for (std::size_t t = 0; t < taps_.size(); ++t) {
      for (std::size_t i = count; i % 16 != 0; ++i) {
        elements.positions[t * step + i] = -1;
        elements.weights[t * step + i] = 0;
      }
    }
  }

  const GatherSumKernels& kernels_;
  Slot input_, indices_, output_;
  std::optional<Slot> mask_, weights_;
  DataType type_;
  std::size_t size_, outer_ = 1, inner_ = 1, outputs_ = 1;
  std::vector<Dimension> dimensions_;
  std::vector<Offsets> taps_;
  Offsets outerSteps_;
  float scale_;
  bool hasElements_ = false;
};

}  // namespace

StepPtr plan(const GatherSum& op, Planner& planner) { return std::make_unique<const GatherSumStep>(op, planner); }

}  // namespace webnn::cpu
