#pragma once

#include "backends/reference/frame.h"
#include "ops/gather_scatter.h"

namespace webnn::reference {

void run(const ops::Gather& op, Environment& frame);
void run(const ops::GatherElements& op, Environment& frame);
void run(const ops::GatherND& op, Environment& frame);
void run(const ops::ScatterElements& op, Environment& frame);
void run(const ops::ScatterND& op, Environment& frame);

}  // namespace webnn::reference
