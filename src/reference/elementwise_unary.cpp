#include "reference/elementwise_unary.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Unary& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::LogicalUnary& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::Cast& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::Clamp& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
