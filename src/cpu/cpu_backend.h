// The backend "cpu": the default.
#pragma once

#include <memory>

#include "graph/backend.h"
#include "webnn/context.h"

namespace webnn::cpu {

// Its options: isa, disable, pin. TypeError for another one or a wrong value; NotSupportedError for an instruction set that
// this processor lacks.
std::shared_ptr<const Backend> makeBackend(const ContextOptions& options);

}  // namespace webnn::cpu
