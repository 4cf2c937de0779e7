#include "reference/conv.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Conv2d& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::ConvTranspose2d& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
