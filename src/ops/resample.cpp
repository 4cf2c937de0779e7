#include "ops/resample.h"

#include <algorithm>
#include <cmath>

#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/graph_builder.h"

namespace webnn::ops {

constinit const OperationRow Resample2d::rows[] = {
    {"resample2d",
     "Resizes two dimensions by interpolation",
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
    size =
        sizes ? requireDimension(op, Size((*sizes)[i]), "sizes[{}]", i)
              : requireDimension(op, formatText("size of axis {} ({}) scaled by {}", (*axes)[i], Size(size).text(), (*scales)[i]),
                                 scaled(Size(size), (*scales)[i]));
  }
  return {{op.input.dataType(), std::move(shape)}};
}

}  // namespace webnn::ops
