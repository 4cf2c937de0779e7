#include "reference/recurrent.h"

#include "ops/checks.h"

namespace webnn::reference {

void run(const ops::Gru& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::GruCell& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::Lstm& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

void run(const ops::LstmCell& op, Frame&) { ops::fail(op, ErrorKind::notSupportedError, "is not implemented yet."); }

}  // namespace webnn::reference
