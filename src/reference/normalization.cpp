#include "reference/normalization.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::BatchNormalization& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::InstanceNormalization& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::LayerNormalization& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
