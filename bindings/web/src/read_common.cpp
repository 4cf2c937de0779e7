// Part of webnn-onnx.wasm, which reads ONNX models of common operators.
#include <array>
#include <concepts>

#include "backends/reference/elementwise_binary.h"
#include "backends/reference/elementwise_unary.h"
#include "backends/reference/gather_scatter.h"
#include "backends/reference/quantize.h"
#include "backends/reference/reduce.h"
#include "backends/reference/shape.h"
#include "base/text.h"
#include "onnx/read/model.h"
#include "ops/operation.h"
#include "reader.h"

namespace webnn::web {

namespace {

template <typename Op, typename... Ops>
concept OneOf = (std::same_as<Op, Ops> || ...);

// Operations that models often apply to constants, to compute shapes, masks and scales. Models that apply other operations to
// constants need the full reader.
template <typename Op>
constexpr bool kIsCommon = OneOf<Op, ops::Binary, ops::Cast, ops::Clamp, ops::Concat, ops::DequantizeLinear, ops::Expand,
                                 ops::Gather, ops::LogicalUnary, ops::Pad, ops::Reduce, ops::Reshape, ops::Slice, ops::Split,
                                 ops::Tile, ops::Transpose, ops::Triangular, ops::Unary, ops::Where>;

void compute(const Operation& operation, reference::Environment& values) {
  std::visit(
      [&]<typename Op>(const Op& op) {
        if constexpr (kIsCommon<Op>) {
          reference::run(op, values);
        } else {
          fail(ErrorKind::notSupportedError, "webnn-reader.wasm computes {}.", name(operation));
        }
      },
      operation);
}

const formats::onnx::Repertoire& commonRepertoire() {
  using namespace formats::onnx;
  static const std::array kFamilies{activationOperators(),
                                    controlFlowOperators(),
                                    convOperators(),
                                    elementwiseBinaryOperators(),
                                    elementwiseUnaryOperators(),
                                    gatherScatterOperators(),
                                    matmulOperators(),
                                    normalizationOperators(),
                                    poolOperators(),
                                    quantizeOperators(),
                                    reduceOperators(),
                                    resampleOperators(),
                                    shapeOperators(),
                                    slicePadOperators(),
                                    sourceOperators()};
  static const Repertoire kCommon(kFamilies, compute);
  return kCommon;
}

}  // namespace

Graph load(ReaderModule& module, const std::shared_ptr<Budget>& budget) {
  if (!formats::onnx::looksLikeModel(module.graph.bytes))
    fail(ErrorKind::notSupportedError, "webnn-reader.wasm reads other files than ONNX models.");
  return readModel(module, budget, commonRepertoire());
}

}  // namespace webnn::web
