#include "onnxruntime/onnxruntime_backend.h"

#include "base/text.h"

namespace webnn::onnxruntime {

std::shared_ptr<const Backend> makeBackend(const ContextOptions&) {
  fail(ErrorKind::notSupportedError, "backend \"onnxruntime\" is not available.");
}

}  // namespace webnn::onnxruntime
