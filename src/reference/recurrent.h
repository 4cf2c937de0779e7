#pragma once

#include "ops/recurrent.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Gru& op, Frame& frame);
void run(const ops::GruCell& op, Frame& frame);
void run(const ops::Lstm& op, Frame& frame);
void run(const ops::LstmCell& op, Frame& frame);

}  // namespace webnn::reference
