#pragma once

#include "onnx/target.h"

namespace webnn::openvino {

const onnx::Target& openvinoTarget();

}  // namespace webnn::openvino
