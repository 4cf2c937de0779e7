#pragma once

#include "ops/shape.h"
#include "reference/frame.h"

namespace webnn::reference {

void run(const ops::Concat& op, Frame& frame);
void run(const ops::Expand& op, Frame& frame);
void run(const ops::Pad& op, Frame& frame);
void run(const ops::Reshape& op, Frame& frame);
void run(const ops::Reverse& op, Frame& frame);
void run(const ops::Slice& op, Frame& frame);
void run(const ops::Split& op, Frame& frame);
void run(const ops::Tile& op, Frame& frame);
void run(const ops::Transpose& op, Frame& frame);
void run(const ops::Triangular& op, Frame& frame);

}  // namespace webnn::reference
