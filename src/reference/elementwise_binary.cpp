#include "reference/elementwise_binary.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Binary& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::Where& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
