#include "webnn/operand.h"

#include "base/text.h"
#include "ops/operand_record.h"

namespace webnn {

const OperandDescriptor& Operand::descriptor() const {
  if (!record_) fail(ErrorKind::invalidStateError, "the operand refers to nothing.");
  return record_->descriptor;
}

std::vector<Dimension> Operand::dimensions() const {
  const Shape& sizes = shape();
  if (!record_->dimensions.empty()) return record_->dimensions;
  return {sizes.begin(), sizes.end()};
}

std::string toString(const std::vector<Dimension>& shape) {
  std::string text;
  for (const Dimension& dimension : shape)
    text += (text.empty() ? "" : ", ") + (dimension.text.empty() ? std::to_string(dimension.size) : sanitized(dimension.text));
  return "[" + text + "]";
}

Operand makeOperand(OperandKind kind, std::size_t index, const OperandDescriptor& descriptor) {
  auto record = std::make_shared<OperandRecord>();
  record->kind = kind;
  record->index = static_cast<std::uint32_t>(index);
  record->descriptor = descriptor;
  return Operand(std::move(record));
}

}  // namespace webnn
