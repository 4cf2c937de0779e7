#pragma once

#include "ops/activation.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Activation& op, Frame& frame);
void run(const ops::Elu& op, Frame& frame);
void run(const ops::LeakyRelu& op, Frame& frame);
void run(const ops::HardSigmoid& op, Frame& frame);
void run(const ops::Linear& op, Frame& frame);
void run(const ops::Prelu& op, Frame& frame);
void run(const ops::Softmax& op, Frame& frame);

}  // namespace webnn::reference
