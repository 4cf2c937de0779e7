#include "reference/matmul.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Matmul& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::Gemm& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
