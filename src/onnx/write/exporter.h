// What the export of one operation sees and does. Each family has a file in this folder with an overload for each of its
// operations; overload resolution is the registry:
//
//   void toOnnx(const ops::Prelu& op, Exporter& out) { out.set(0, out.add("PRelu", {out[op.input], out[op.slope]})); }
//
// Exports are exact: where an ONNX operator does something else than WebNN's in some case (an index out of range, a tie, an
// integer overflow, a NaN), it is composed of operators that do the same. Types are not their concern: add() casts around
// an operator that the target does not have for a type.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "onnx/write/export.h"

namespace webnn::onnx {

// A value of the model. An absent one has no name.
struct OnnxValue {
  std::string name;
  ElementType type{};
};

using AnyAttribute =
    std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>>;
// If copying a variant of these throws, the destructor of libstdc++ 12 takes what is not there for a value.
struct AttributeValue : AnyAttribute {
  using AnyAttribute::AnyAttribute;
  AttributeValue(const AttributeValue& other) : AnyAttribute(std::int64_t{0}) {
    std::visit([this](auto value) { static_cast<AnyAttribute&>(*this) = std::move(value); },
               static_cast<const AnyAttribute&>(other));
  }
  AttributeValue(AttributeValue&&) noexcept = default;
  AttributeValue& operator=(AttributeValue other) noexcept {
    AnyAttribute::operator=(std::move(other));
    return *this;
  }
};
using Attributes = std::vector<std::pair<std::string_view, AttributeValue>>;

class Dataflow;
struct StandIn;

class Exporter {
 public:
  Exporter(const GraphDefinition& graph, const ExportOptions& options);

  // The value of an operand of the operation; of an absent option: an absent value.
  OnnxValue operator[](const Operand& operand) const;
  OnnxValue operator[](const std::optional<Operand>& operand) const;

  // Appends an operator. The type of its result is that of its first input of type T, unless `result` says otherwise.
  // Of an operator whose results are not all of T, `result` must be given: Less, ArgMax, QuantizeLinear.
  OnnxValue add(std::string_view opType, std::vector<OnnxValue> inputs, Attributes attributes = {},
                std::optional<ElementType> result = std::nullopt);
  // The same with several results, all of type T.
  std::vector<OnnxValue> addMany(std::string_view opType, std::vector<OnnxValue> inputs, std::size_t results,
                                 Attributes attributes = {});

  OnnxValue cast(const OnnxValue& value, ElementType type);  // the value itself if it has the type
  OnnxValue cast(const OnnxValue& value, DataType type) { return cast(value, elementTypeOf(type)); }
  OnnxValue reshape(const OnnxValue& value, const Shape& shape);
  OnnxValue transpose(const OnnxValue& value, const std::vector<std::uint32_t>& permutation);
  // A copy of floats, by an operator that ONNX Runtime neither removes nor makes one with those before and after it.
  OnnxValue fenced(const OnnxValue& value) { return add("Max", {value}); }

  // Constants; equal ones are stored once.
  OnnxValue integers(const std::vector<std::int64_t>& items);  // 1-D int64
  OnnxValue integers(const std::vector<std::uint32_t>& items);
  OnnxValue scalar(ElementType type, const Number& value);  // rank 0, cast to the type
  OnnxValue scalar(DataType type, const Number& value) { return scalar(elementTypeOf(type), value); }
  OnnxValue splat(ElementType type, const Number& value,
                  const Shape& shape);  // a tensor filled with one number; small shapes only

  // Result `index` of the operation: the value, cast to the result's type.
  void set(std::size_t index, const OnnxValue& value);
  const Operand& output(std::size_t index = 0) const;  // for its descriptor

  const Dataflow& dataflow() const;

  const Target& target() const;
  std::int64_t operatorSet() const;  // see operator_set.h
  // Whether the operator takes the type as T, so that add() need not cast.
  bool takes(std::string_view opType, ElementType type) const;
  // Whether it takes it, or another type that can stand in.
  bool canTake(std::string_view opType, ElementType type) const;
  // Appends `method "label": <sentence>` to the notes of the model, once for each sentence.
  void note(std::string sentence);

  // For exportModel.
  void append(const Node& node);
  ExportedModel takeModel();

 private:
  struct State;

  std::vector<OnnxValue> addTyped(std::string_view opType, std::vector<OnnxValue> inputs, std::size_t results,
                                  const Attributes& attributes, std::optional<ElementType> result);
  OnnxValue toStandIn(const OnnxValue& value, const StandIn& standIn);
  OnnxValue fromStandIn(const OnnxValue& value, ElementType type, const StandIn& standIn);

  std::shared_ptr<State> state_;
};

}  // namespace webnn::onnx
