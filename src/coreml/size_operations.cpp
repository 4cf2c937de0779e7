#include "coreml/size_operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "coreml/compose.h"
#include "graph/named_dimensions.h"

namespace webnn::coreml {

namespace {

// Adds the operations that compute the expression of an open size. The strings that the functions take and return are indices of
// values_: int32 values of the shape [1].
class SizeOperations final : public SizeSink {
 public:
  SizeOperations(std::uint32_t handle, const std::vector<Operand>& inputs, MilBuilder& out)
      : handle_(handle), inputs_(inputs), out_(out) {}

  const MilValue& value(const std::string& index) const { return values_.at(std::stoul(index)); }

  std::string number(std::int64_t value) override {
    if (value != static_cast<std::int32_t>(value)) out_.refuse(formatText("a size is computed with {}, beyond int32", value));
    return keep(constant(value));
  }

  std::string named(const std::string& name) override {
    const std::uint32_t handle = OpenScope::current()->dimension(name);
    if (handle != handle_) return keep(out_.size(Size::ofHandle(handle)));  // computed once for all expressions
    for (const InputDimension& item : dimensionsNamed(name, inputs_)) {
      if (item.input.rank() > kMaxMilRank) continue;  // the dimensions of this input are merged
      const MilValue input = out_[item.input];
      const auto rank = static_cast<std::uint32_t>(input.shape.size());
      const MilValue shape = out_.add("shape", MilType::int32, {rank}, {{"x", {input}}});
      return keep(sliceAlong(0, shape, Size(static_cast<std::int64_t>(item.axis)), Size(std::int64_t{1}), out_));
    }
    out_.refuse(formatText("no input of at most {} dimensions has the dimension {} by itself, from which sizes could be computed",
                           kMaxMilRank, webnn::quoted(name)));
  }

  std::string sum(const std::string& a, const std::string& b) override { return add("add", a, b); }
  std::string product(const std::string& a, const std::string& b) override { return add("mul", a, b); }

  std::string quotient(const std::string& a, const std::string& b) override {
    const bool isNumber = value(b).isStored;
    return add("floor_div", a, isNumber ? b : keep(binary("maximum", value(b), constant(1), out_)));  // never divides by 0
  }

  std::string broadcast(const std::string& a, const std::string& b) override {
    return keep(select(compare("equal", value(a), constant(1), out_), value(b), value(a), out_));
  }

  // Computes floor(a * scale) exactly in int32, for sizes below 2^19: the scale is whole + part / 2^bits, and a * part is
  // computed in two halves if `part` has more than 12 bits.
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
    MilValue rest = times(value(a), low);
    if (high != 0 || bits > kMaxShift) {
      rest = binary("floor_div", rest, constant(std::int64_t{1} << kHalfBits), out_);
      rest = binary("add", times(value(a), high), rest, out_);
      bits -= kHalfBits;
    }
    rest = binary("floor_div", rest, constant(std::int64_t{1} << bits), out_);
    return keep(binary("add", times(value(a), static_cast<std::int64_t>(whole)), rest, out_));
  }

 private:
  MilValue constant(std::int64_t value) { return out_.integers({static_cast<std::int32_t>(value)}); }
  MilValue times(const MilValue& a, std::int64_t b) { return binary("mul", a, constant(b), out_); }
  std::string add(std::string_view type, const std::string& a, const std::string& b) {
    return keep(binary(type, value(a), value(b), out_));
  }
  std::string keep(MilValue value) {
    values_.push_back(std::move(value));
    return std::to_string(values_.size() - 1);
  }

  const std::uint32_t handle_;
  const std::vector<Operand>& inputs_;
  MilBuilder& out_;
  std::vector<MilValue> values_;
};

}  // namespace

MilValue computeSize(std::uint32_t handle, const std::vector<Operand>& inputs, MilBuilder& out) {
  SizeOperations operations(handle, inputs, out);
  return operations.value(OpenScope::current()->build(handle, operations));
}

}  // namespace webnn::coreml
