#include <algorithm>

#include "base/checked.h"
#include "graph/backend.h"

namespace webnn {

namespace {

TensorLimits limitsOf(ops::DataTypeSet types, ops::RankRange ranks) {
  TensorLimits limits{.dataTypes = {}, .rankRange = {ranks.min, ranks.max}};
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    if (types.contains(type)) limits.dataTypes.push_back(type);
  }
  return limits;
}

}  // namespace

OpSupportLimits tableLimits() {
  OpSupportLimits limits;
  limits.maxTensorByteLength = std::min(kMaxDimension * sizeof(std::int64_t), kMaxTensorBytes);
  limits.input = limits.constant = limits.output = limitsOf(ops::kAnyAndInt4s, ops::kAnyRank);
  for (const Operation& operation : allOperations()) {
    const ops::OperationRow& row = rowOf(operation);
    for (const ops::OperandRule& rule : row.rules()) {
      limits.operations[std::string(row.name)][std::string(rule.name)] = limitsOf(row.typesOf(rule), row.ranksOf(rule));
    }
  }
  return limits;
}

}  // namespace webnn
