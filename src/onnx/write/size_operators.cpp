#include "onnx/write/size_operators.h"

#include <algorithm>

#include "base/text.h"
#include "graph/named_dimensions.h"
#include "onnx/write/compose.h"

namespace webnn::onnx {

namespace {

// Adds the operators that compute the expression of an open size. The strings that the functions take and return are names of 1-D
// int64 values with one element.
class SizeOperators final : public SizeSink {
 public:
  SizeOperators(const std::vector<Operand>& inputs, Exporter& out) : inputs_(inputs), out_(out) {}

  std::string number(std::int64_t value) override { return out_.integers(Integers{value}).name; }

  std::string named(const std::string& name) override {
    const std::vector<InputDimension> found = dimensionsNamed(name, inputs_);
    if (found.empty()) {
      fail(ErrorKind::notSupportedError, "save: {}no input has the dimension {} by itself, from which ONNX could compute sizes.",
           out_.subject(), webnn::quoted(name));
    }
    // Prefer inputs of other types to 4-bit inputs: ONNX Runtime has no Shape of 4-bit types, and removes a Cast before a Shape.
    const auto isHalfByte = [](const InputDimension& item) { return bitsPerElement(item.input.dataType()) == 4; };
    const auto source = std::ranges::find_if_not(found, isHalfByte);
    if (source != found.end()) return shapeOf(out_[source->input], source->axis);
    return shapeOf(out_.fenced(out_.cast(out_[found.front().input], ElementType::float32)), found.front().axis);
  }

  std::string sum(const std::string& a, const std::string& b) override { return add("Add", a, b); }
  std::string product(const std::string& a, const std::string& b) override { return add("Mul", a, b); }

  // Div of ONNX truncates. Mod has the sign of the divisor, so a - Mod(a, b) is a multiple of b that is not greater than a.
  std::string quotient(const std::string& a, const std::string& b) override {
    const std::string divisor = add("Max", b, number(1));  // runtimes may crash if they divide by 0
    return add("Div", add("Sub", a, add("Mod", a, divisor)), divisor);
  }

  std::string broadcast(const std::string& a, const std::string& b) override {
    const OnnxValue isOne = compare("Equal", value(a), value(number(1)), out_);
    return out_.add("Where", {isOne, value(b), value(a)}).name;
  }

  // Computes in double, which is exact for sizes below 2^29.
  std::string scaled(const std::string& a, float scale) override {
    const OnnxValue factor = out_.scalar(ElementType::float64, static_cast<double>(scale));
    const OnnxValue product = out_.add("Mul", {out_.cast(value(a), ElementType::float64), factor});
    return out_.cast(out_.add("Floor", {product}), ElementType::int64).name;
  }

 private:
  std::string shapeOf(const OnnxValue& input, std::size_t axis) {
    const auto start = static_cast<std::int64_t>(axis);
    return out_.add("Shape", {input}, {{"start", start}, {"end", start + 1}}, ElementType::int64).name;
  }
  static OnnxValue value(const std::string& name) { return {name, ElementType::int64}; }
  std::string add(std::string_view opType, const std::string& a, const std::string& b) {
    return out_.add(opType, {value(a), value(b)}).name;
  }

  const std::vector<Operand>& inputs_;
  Exporter& out_;
};

}  // namespace

OnnxValue computeSize(std::uint32_t handle, const std::vector<Operand>& inputs, Exporter& out) {
  SizeOperators operators(inputs, out);
  return {OpenScope::current()->build(handle, operators), ElementType::int64};
}

}  // namespace webnn::onnx
