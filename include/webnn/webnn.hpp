// Everything.
#pragma once

#include "webnn/context.h"
#include "webnn/element_type.h"
#include "webnn/error.h"
#include "webnn/formats.h"
#include "webnn/graph.h"
#include "webnn/graph_builder.h"
#include "webnn/limits.h"
#include "webnn/op_support_limits.h"
#include "webnn/operand.h"
#include "webnn/options.h"
#include "webnn/placement.h"
#include "webnn/session.h"
#include "webnn/tensor.h"
#include "webnn/types.h"
