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

// The positions of an output or of a tap in the tables of the step.
struct Offsets {
  std::size_t index = 0, mask = 0, weight = 0;
};

// A dimension of the outputs.
struct Dimension {
  std::size_t size = 1;
  Offsets steps;
};

// Holds the elements of a block of outputs for the kernel.
struct ElementBlock {
  static constexpr std::size_t kNumbers = 2048;
  std::array<std::int32_t, kNumbers> positions;
  std::array<float, kNumbers> weights;
};

// Walks through the outputs in order.
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
  void next() {
    for (std::size_t d = dimensions_.size(); d-- > 0;) {
      const Dimension& dimension = dimensions_[d];
      add(dimension.steps, 1);
      if (++at_[d] < dimension.size) return;
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

  // The operands of a run.
  template <typename T>
  struct Tables {
    Tables(const GatherSumStep& step, const Frame& frame)
        : input(frame.in<float>(step.input_)),
          indices(frame.in<std::byte>(step.indices_)),
          mask(step.mask_ ? frame.in<std::uint8_t>(*step.mask_) : nullptr),
          weights(step.weights_ ? frame.in<float>(*step.weights_) : &kOne),
          size(step.size_) {}

    // Returns the position of a tap's row, or -1 if it is replaced by zeros.
    std::int64_t position(const Offsets& at, const Offsets& tap) const {
      if (mask && mask[at.mask + tap.mask] == 0) return -1;
      auto index = static_cast<std::int64_t>(loadUnaligned<T>(indices + (at.index + tap.index) * sizeof(T)));
      if (index < 0) index += size;
      return std::clamp<std::int64_t>(index, 0, size - 1);
    }
    float weight(const Offsets& at, const Offsets& tap) const { return loadFloat(weights + at.weight + tap.weight); }

    const float* input;
    const std::byte* indices;
    const std::uint8_t* mask;
    const float* weights;
    std::int64_t size;
  };

  Offsets outerOffsets(std::size_t part) const { return {0, part * outerSteps_.mask, part * outerSteps_.weight}; }
  static Offsets sum(const Offsets& a, const Offsets& b) { return {a.index + b.index, a.mask + b.mask, a.weight + b.weight}; }

  // Computes results that are not finite again in double, from product(i, tap), because a sum may have overflowed on the way.
  void sumExactly(float* sums, std::size_t count, auto product) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isfinite(loadFloat(sums + i))) continue;
      double sum = 0;
      for (std::size_t t = 0; t < taps_.size(); ++t) sum += static_cast<double>(product(i, t));
      storeUnaligned(reinterpret_cast<std::byte*>(sums + i), static_cast<float>(sum * static_cast<double>(scale_)));
    }
  }

  // Sums rows of at least 2 columns. A unit of work is a piece of an output's columns.
  template <typename T>
  void sumRows(const Frame& frame) const {
    const Tables<T> tables(*this, frame);
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
          for (; begin < to; ++begin, walk.next()) {
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

  // Sums single elements. A unit of work is a block of outputs in several of the outer parts, which have the same positions.
  template <typename T>
  void sumElements(const Frame& frame) const {
    const Tables<T> tables(*this, frame);
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

  // Writes the positions and weights of outputs [from, from + count), and harmless ones for the rest of the last vector.
  template <typename T>
  void fill(const Tables<T>& tables, ElementBlock& elements, const Offsets& outer, std::size_t from, std::size_t count,
            std::size_t step) const {
    Walk walk(dimensions_, from);
    const std::size_t padded = divideUp(count, std::size_t{16}) * 16;
    for (std::size_t i = 0; i < padded; ++i) {
      const Offsets at = sum(walk.offsets(), outer);
      for (std::size_t t = 0; t < taps_.size(); ++t) {
        const bool exists = i < count;
        elements.positions[t * step + i] = exists ? static_cast<std::int32_t>(tables.position(at, taps_[t])) : -1;
        elements.weights[t * step + i] = exists ? tables.weight(at, taps_[t]) : 0;
      }
      if (i + 1 < count) walk.next();
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
