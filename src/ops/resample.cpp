#include "ops/resample.h"

#include <algorithm>
#include <cmath>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

namespace {

// Returns floor(size * scale) of the exact product, at most 2^63.
std::uint64_t scaledSize(std::uint32_t size, float scale) {
  const double factor = size;
  double floored = std::floor(factor * scale);
  if (std::fma(factor, scale, -floored) < 0) floored -= 1;  // the product had been rounded up to an integer
  return static_cast<std::uint64_t>(std::min(floored, 0x1p63));
}

}  // namespace

constinit const OperationRow Resample2d::rows[] = {
    {"resample2d",
     "Resamples two dimensions",
     {operand("input", kFloats | DataTypeSet{DataType::uint8, DataType::int8}, rank(4)),
      output(like("output", "input").ofRank(rank(4)))}},
};

Outputs infer(Resample2d& op) {
  auto& [mode, scales, sizes, axes, label] = op.options;
  if (!scales) scales.emplace(2, 1.0f);
  requireSize(op, "scales", scales->size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const float scale = (*scales)[i];
    require(scale > 0 && std::isfinite(scale), op, "scales[{}] ({}) is not greater than 0 and finite.", i, scale);
  }
  if (sizes) requireSize(op, "sizes", sizes->size(), 2);
  // the algorithm does not check the number of axes, but the option is defined as "a list of length 2"
  resolveSizes(op, "axes", axes, {2, 3});
  requireAxes(op, *axes, op.input.rank());
  Shape shape = op.input.shape();
  for (std::size_t i = 0; i < 2; ++i) {
    std::uint32_t& size = shape[(*axes)[i]];
    size = sizes ? requireDimension(op, formatText("sizes[{}]", i), (*sizes)[i])
                 : requireDimension(op, formatText("size of axis {} ({}) scaled by {}", (*axes)[i], size, (*scales)[i]),
                                    scaledSize(size, (*scales)[i]));
  }
  return {{op.input.dataType(), std::move(shape)}};
}

}  // namespace webnn::ops
