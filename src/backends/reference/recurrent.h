#pragma once

#include "backends/reference/frame.h"
#include "ops/recurrent.h"

namespace webnn::reference {

void run(const ops::Gru& op, Environment& frame);
void run(const ops::GruCell& op, Environment& frame);
void run(const ops::Lstm& op, Environment& frame);
void run(const ops::LstmCell& op, Environment& frame);

}  // namespace webnn::reference
