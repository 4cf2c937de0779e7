#pragma once

#include "backends/reference/frame.h"
#include "ops/activation.h"

namespace webnn::reference {

void run(const ops::Activation& op, Environment& frame);
void run(const ops::Elu& op, Environment& frame);
void run(const ops::LeakyRelu& op, Environment& frame);
void run(const ops::HardSigmoid& op, Environment& frame);
void run(const ops::Linear& op, Environment& frame);
void run(const ops::Prelu& op, Environment& frame);
void run(const ops::Softmax& op, Environment& frame);

}  // namespace webnn::reference
