#pragma once

#include "ops/gather_scatter.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Gather& op, Frame& frame);
void run(const ops::GatherElements& op, Frame& frame);
void run(const ops::GatherND& op, Frame& frame);
void run(const ops::ScatterElements& op, Frame& frame);
void run(const ops::ScatterND& op, Frame& frame);

}  // namespace webnn::reference
