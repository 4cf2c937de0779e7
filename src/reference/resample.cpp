#include "reference/resample.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Resample2d& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
