#include "onnx/write/size_operators.h"

#include <algorithm>

#include "base/text.h"
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
    const OpenSizes& sizes = *OpenScope::current();
    const auto isIt = [&](std::uint32_t size) { return isOpen(size) && sizes.nameOf(size) == name; };
    const Operand* source = nullptr;
    for (const Operand& input : inputs_) {
      // Prefer inputs of other types to 4-bit inputs: ONNX Runtime has no Shape of 4-bit types, and removes a Cast before a
      // Shape.
      if (std::ranges::any_of(input.shape(), isIt) && (!source || bitsPerElement(source->dataType()) == 4)) source = &input;
    }
    if (source) {
      const std::int64_t axis = std::ranges::find_if(source->shape(), isIt) - source->shape().begin();
      OnnxValue value = out_[*source];
      if (bitsPerElement(source->dataType()) == 4) value = out_.fenced(out_.cast(value, ElementType::float32));
      return out_.add("Shape", {value}, {{"start", axis}, {"end", axis + 1}}, ElementType::int64).name;
    }
    fail(ErrorKind::notSupportedError, "save: {}no input has the dimension {} by itself, from which ONNX could compute sizes.",
         out_.subject(), webnn::quoted(name));
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
