#include <algorithm>
#include <array>

#include "coreml/compose.h"
#include "coreml/families.h"

namespace webnn::coreml {

namespace {

// The names of MIL's operators, indexed by ops::ReduceKind.
constexpr std::array<std::string_view, 10> kReductions{
    "reduce_l1_norm", "reduce_l2_norm", "reduce_log_sum", "reduce_log_sum_exp", "reduce_max",
    "reduce_mean",    "reduce_min",     "reduce_prod",    "reduce_sum",         "reduce_sum_square"};

}  // namespace

void toMil(const ops::Reduce& op, MilBuilder& out) {
  const Shape& shape = op.input.shape();
  Axes axes = *op.options.axes;
  MilValue x = out[op.input];
  if (axes.empty()) {  // without axes, each element is reduced separately
    x = reshape(x, {countOf(shape), 1}, out);
    axes = {1};
  } else if (shape.size() > kMaxMilRank) {
    Axes order;
    Shape kept, dropped;
    for (std::uint32_t i = 0; i < shape.size(); ++i) {
      if (std::ranges::find(axes, i) != axes.end()) continue;
      order.push_back(i);
      kept.push_back(shape[i]);
    }
    for (const std::uint32_t axis : axes) dropped.push_back(shape[axis]);
    order.insert(order.end(), axes.begin(), axes.end());
    x = reshape(transposedAny(x, shape, order, out), {countOf(kept), countOf(dropped)}, out);
    axes = {1};
  }
  out.setWrapped(0, reduced(kReductions[static_cast<std::size_t>(op.kind)], x, axes, out));
}

void toMil(const ops::ArgMinMax& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.axis);
  const MilValue x = reshape(out[op.input], view.shape, out);
  out.set(0,
          out.add(op.kind == ops::ArgMinMaxKind::argMin ? "reduce_argmin" : "reduce_argmax", MilType::int32, withSize(view, 1),
                  {{"x", {x}}, {"axis", {out.integer(static_cast<std::int64_t>(view.axis))}}, {"keep_dims", {out.flag(true)}}}));
}

void toMil(const ops::CumulativeSum& op, MilBuilder& out) {
  const AxisView view = viewAlong(op.input.shape(), op.axis);
  const MilValue x = reshape(out[op.input], view.shape, out);
  out.setWrapped(0, unary("cumsum", x, out,
                          {{"axis", {out.integer(static_cast<std::int64_t>(view.axis))}},
                           {"exclusive", {out.flag(op.options.exclusive)}},
                           {"reverse", {out.flag(op.options.reversed)}}}));
}

}  // namespace webnn::coreml
