#include "coreml/size_operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "coreml/compose.h"
#include "graph/named_dimensions.h"

namespace webnn::coreml {

namespace {

// Adds the operations that compute the expression of an open size. The strings that the functions return, and take as operands,
// are indices in parts_: int32 values of the shape [1].
class SizeOperations final : public SizeSink {
 public:
  SizeOperations(std::uint32_t handle, const std::vector<Operand>& inputs, MilBuilder& out)
      : handle_(handle), inputs_(inputs), out_(out) {}

  const MilValue& value(const std::string& index) const { return parts_.at(std::stoul(index)).value; }

  std::string number(std::int64_t value) override {
    if (value != static_cast<std::int32_t>(value)) out_.refuse(formatText("a size is computed with {}, beyond int32", value));
    return keep(constant(value), std::abs(static_cast<double>(value)));
  }

  std::string named(const std::string& name) override {
    const std::uint32_t handle = OpenScope::current()->dimension(name);
    const double largest = OpenScope::current()->range(handle).second;
    if (handle != handle_) return keep(out_.size(Size::ofHandle(handle)), largest);  // computed once for all expressions
    for (const InputDimension& item : dimensionsNamed(name, inputs_)) {
      if (item.input.rank() > kMaxMilRank) continue;  // the dimensions of this input are merged
      const MilValue input = out_[item.input];
      const auto rank = static_cast<std::uint32_t>(input.shape.size());
      const MilValue shape = out_.add("shape", MilType::int32, {rank}, {{"x", {input}}});
      return keep(sliceAlong(0, shape, Size(static_cast<std::int64_t>(item.axis)), Size(std::int64_t{1}), out_), largest);
    }
    out_.refuse(formatText("no input of at most {} dimensions has the dimension {} by itself, from which sizes could be computed",
                           kMaxMilRank, webnn::quoted(name)));
  }

  std::string sum(const std::string& a, const std::string& b) override {
    // No tensor has 2^31 elements along a dimension, so that a sum of sizes fits in int32.
    const double sum = largestOf(a) + largestOf(b);
    const bool isOfSizes = std::max(largestOf(a), largestOf(b)) <= kMaxDimension;
    return keep(binary("add", value(a), value(b), out_), isOfSizes ? std::min<double>(sum, kMaxDimension) : sum);
  }
  std::string product(const std::string& a, const std::string& b) override {
    return keep(binary("mul", value(a), value(b), out_), largestOf(a) * largestOf(b));
  }

  std::string quotient(const std::string& a, const std::string& b) override {
    requireInt32(largestOf(a));
    requireInt32(largestOf(b));
    const MilValue divisor = value(b).isStored ? value(b) : binary("maximum", value(b), constant(1), out_);  // never 0
    return keep(binary("floor_div", value(a), divisor, out_), largestOf(a));
  }

  std::string broadcast(const std::string& a, const std::string& b) override {
    return keep(select(compare("equal", value(a), constant(1), out_), value(b), value(a), out_),
                std::max(largestOf(a), largestOf(b)));
  }

  // Computes floor(a * scale) exactly in int32: the scale is whole + part / 2^bits, and a * part is computed in two halves if
  // `part` has more than 12 bits or `bits` is above 30.
  std::string scaled(const std::string& a, float scale) override {
    constexpr int kHalfBits = 12, kMaxShift = 30;
    const float whole = std::floor(scale);
    float fraction = scale - whole;
    int bits = 0;
    for (; fraction != std::floor(fraction); ++bits) fraction *= 2;
    const auto part = static_cast<std::int64_t>(fraction);
    if (whole >= 0x1p31f || bits > kMaxShift + kHalfBits) {
      out_.refuse(formatText("a size is scaled by {}, which needs integers beyond int32", scale));
    }
    const std::int64_t low = part % (std::int64_t{1} << kHalfBits), high = part >> kHalfBits;
    requireInt32(largestOf(a) * static_cast<double>(low));
    MilValue rest = times(value(a), low);
    if (high != 0 || bits > kMaxShift) {
      requireInt32(largestOf(a) * static_cast<double>(high + 1));
      rest = binary("floor_div", rest, constant(std::int64_t{1} << kHalfBits), out_);
      rest = binary("add", times(value(a), high), rest, out_);
      bits -= kHalfBits;
    }
    rest = binary("floor_div", rest, constant(std::int64_t{1} << bits), out_);
    return keep(binary("add", times(value(a), static_cast<std::int64_t>(whole)), rest, out_), largestOf(a) * (double{whole} + 1));
  }

 private:
  MilValue constant(std::int64_t value) { return out_.integers({static_cast<std::int32_t>(value)}); }
  MilValue times(const MilValue& a, std::int64_t b) { return binary("mul", a, constant(b), out_); }
  double largestOf(const std::string& index) const { return parts_.at(std::stoul(index)).largest; }
  void requireInt32(double largest) const {
    if (largest <= kMaxDimension) return;
    out_.refuse(formatText("the size {} needs integers beyond int32 for the largest sizes; declare smaller largest sizes",
                           OpenScope::current()->text(handle_)));
  }
  std::string keep(MilValue value, double largest) {
    parts_.push_back({std::move(value), largest});
    return std::to_string(parts_.size() - 1);
  }

  struct Part {
    MilValue value;
    double largest;  // the largest magnitude for sizes within their bounds
  };

  const std::uint32_t handle_;
  const std::vector<Operand>& inputs_;
  MilBuilder& out_;
  std::vector<Part> parts_;
};

}  // namespace

MilValue computeSize(std::uint32_t handle, const std::vector<Operand>& inputs, MilBuilder& out) {
  SizeOperations operations(handle, inputs, out);
  return operations.value(OpenScope::current()->build(handle, operations));
}

}  // namespace webnn::coreml
