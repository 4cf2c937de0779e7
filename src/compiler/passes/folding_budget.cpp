#include "compiler/passes/folding_budget.h"

namespace webnn::compiler {

FoldingBudget::FoldingBudget(const CompileLimits& limits, std::span<const Operand> constants)
    : work_(static_cast<double>(limits.foldingWork)), bytes_(static_cast<double>(limits.foldedBytes)) {
  for (const Operand& constant : constants) {
    work_ += static_cast<double>(limits.foldingWorkPerConstant) * static_cast<double>(elementCount(constant.descriptor()));
    bytes_ += static_cast<double>(limits.foldedBytesPerConstantByte) * static_cast<double>(constant.record().bytes.size());
  }
}

bool FoldingBudget::take(double work, double bytes) {
  if (work > work_ || static_cast<double>(*held_) + bytes > bytes_) return false;
  work_ -= work;
  return true;
}

std::shared_ptr<const UnsetVector<std::byte>> FoldingBudget::hold(UnsetVector<std::byte> bytes) {
  *held_ += bytes.size();
  made_ += bytes.size();
  const auto release = [total = held_](const UnsetVector<std::byte>* held) {
    *total -= held->size();
    delete held;
  };
  return {new const UnsetVector<std::byte>(std::move(bytes)), release};
}

}  // namespace webnn::compiler
