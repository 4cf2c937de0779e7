#include "backends/cpu/ops/normalization/normalization_parameters.h"

#include "backends/cpu/runtime/compiler.h"
#include "compiler/ir/module.h"

namespace webnn::cpu {

ParameterSource::ParameterSource(const std::optional<Operand>& operand, Planner& planner) : isPresent_(operand.has_value()) {
  if (!operand) return;
  isHalf_ = operand->dataType() == DataType::float16;
  if (cpu::isConstant(*operand)) {
    constant_ = planner.constantBytes(*operand).data();
  } else {
    slot_ = planner.slot(*operand);
  }
}

void ParameterSource::readInRuns(const std::optional<Operand>& operand, Planner& planner) {
  if (constant_) slot_ = planner.slot(*operand);
  constant_ = nullptr;
}

double ParameterSource::value(const std::byte* bytes, std::size_t i) const {
  if (isHalf_) return static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(bytes + 2 * i)));
  return double{loadUnaligned<float>(bytes + 4 * i)};
}

FloatParameter::FloatParameter(const std::optional<Operand>& operand, const std::vector<std::uint32_t>& order, Planner& planner,
                               std::size_t& scratchFloats)
    : source_(operand, planner), order_(order) {
  if (!operand) return;
  count_ = elementCount(operand->descriptor());
  if (source_.isConstant()) {
    PackKey key{"parameter", {keyOf(*operand)}, {static_cast<std::size_t>(operand->dataType())}};
    key.sizes.insert(key.sizes.end(), order_.begin(), order_.end());
    kept_ = reinterpret_cast<const float*>(planner.packWeights(count_ * sizeof(float), std::move(key), [&](std::byte* to) {
      copy(source_.bytes(nullptr), reinterpret_cast<float*>(to));
    }));
    return;
  }
  isCopied_ = !source_.isFloat32() || !order_.empty();
  if (!isCopied_) return;
  scratchOffset_ = scratchFloats;
  scratchFloats += count_;
}

void FloatParameter::prepare(const Frame& frame, float* scratch) const {
  if (!isCopied_) return;
  copy(source_.bytes(&frame), scratch + scratchOffset_);
}

void FloatParameter::copy(const std::byte* from, float* to) const {
  RunWatch watch;
  for (std::size_t i = 0; i < count_ && !watch.isOver(1); ++i) {
    to[i] = static_cast<float>(source_.value(from, order_.empty() ? i : order_[i]));
  }
}

const float* FloatParameter::at(const Frame& frame, const float* scratch) const {
  if (kept_ || !source_.isPresent()) return kept_;
  return isCopied_ ? scratch + scratchOffset_ : frame.in<float>(source_.slot());
}

}  // namespace webnn::cpu
