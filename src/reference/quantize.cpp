#include "reference/quantize.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::DequantizeLinear& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::QuantizeLinear& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
