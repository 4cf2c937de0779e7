// The backend of contexts on the page, which check calls for those of the worker that carry them out.
#pragma once

#include <memory>

#include "graph/backend.h"

namespace webnn::web {

// Supports what `other` does. Its tensors and graphs hold nothing and runs do nothing: nobody may touch the bytes.
std::shared_ptr<const Backend> makeCheckingBackend(std::shared_ptr<const Backend> other);

}  // namespace webnn::web
