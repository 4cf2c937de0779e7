#pragma once

#include "backends/reference/frame.h"
#include "ops/shape.h"

namespace webnn::reference {

void run(const ops::Concat& op, Environment& frame);
void run(const ops::Expand& op, Environment& frame);
void run(const ops::Pad& op, Environment& frame);
void run(const ops::Reshape& op, Environment& frame);
void run(const ops::Reverse& op, Environment& frame);
void run(const ops::Slice& op, Environment& frame);
void run(const ops::Split& op, Environment& frame);
void run(const ops::Tile& op, Environment& frame);
void run(const ops::Transpose& op, Environment& frame);
void run(const ops::Triangular& op, Environment& frame);

}  // namespace webnn::reference
