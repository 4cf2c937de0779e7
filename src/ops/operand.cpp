#include "webnn/operand.h"

#include "base/text.h"
#include "ops/operand_record.h"

namespace webnn {

const OperandDescriptor& Operand::descriptor() const {
  if (!record_) fail(ErrorKind::invalidStateError, "the operand refers to nothing.");
  return record_->descriptor;
}

}  // namespace webnn
