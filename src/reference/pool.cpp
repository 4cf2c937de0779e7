#include "reference/pool.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Pool2d& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
