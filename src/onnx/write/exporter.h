// The interface of an operation's export. Each family has a file in operators/ with an overload per operation; overload
// resolution is the registry:
//
//   void toOnnx(const ops::Prelu& op, Exporter& out) { out.set(0, out.add("PRelu", {out[op.input], out[op.slope]})); }
//
// Exports are exact, except where an overload says otherwise: if an ONNX operator differs from WebNN's in some case (an index
// out of range, a tie, an integer overflow, a NaN), the operation is emulated with operators that match. Overloads need not
// care about types: add() casts around an operator that the target lacks for a type.
//
// In a graph with open dimensions, sizes may be handles (see ops/sizes/open_sizes.h). An overload passes sizes on to integers(),
// which adds operators that compute open sizes from the shapes of the inputs. It computes with Size, and takes numbers only from
// numberOf().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/copyable_variant.h"
#include "onnx/write/export.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::onnx {

// A value of the model. The name of an absent optional value is empty.
struct OnnxValue {
  std::string name;
  ElementType type{};
};

using AttributeValue =
    CopyableVariant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>, std::vector<std::string>>;
using Attributes = std::vector<std::pair<std::string_view, AttributeValue>>;

class Dataflow;
struct StandIn;

class Exporter {
 public:
  Exporter(const GraphDefinition& graph, const ExportOptions& options);

  // Returns the value of an operand, or an absent value for an absent option.
  OnnxValue operator[](const Operand& operand) const;
  OnnxValue operator[](const std::optional<Operand>& operand) const;

  // Appends an operator. The result has the type of the first input of type T (see TypeRule), unless `result` is given, which
  // operators with other result types require: Less, ArgMax, QuantizeLinear.
  OnnxValue add(std::string_view opType, std::vector<OnnxValue> inputs, Attributes attributes = {},
                std::optional<ElementType> result = std::nullopt);
  // Appends an operator with several results, all of type T.
  std::vector<OnnxValue> addMany(std::string_view opType, std::vector<OnnxValue> inputs, std::size_t results,
                                 Attributes attributes = {});

  OnnxValue cast(const OnnxValue& value, ElementType type);  // returns `value` if it has the type
  OnnxValue cast(const OnnxValue& value, DataType type) { return cast(value, elementTypeOf(type)); }
  OnnxValue reshape(const OnnxValue& value, const Shape& shape);
  OnnxValue transpose(const OnnxValue& value, const std::vector<std::uint32_t>& permutation);
  // Copies floats by an operator that ONNX Runtime neither removes nor fuses.
  OnnxValue fenced(const OnnxValue& value) { return add("Max", {value}); }

  // Makes constants. Equal constants are stored once.
  OnnxValue integers(const std::vector<std::int64_t>& items);  // 1-D int64
  OnnxValue scalar(ElementType type, const Number& value);     // rank 0, cast to the type
  OnnxValue scalar(DataType type, const Number& value) { return scalar(elementTypeOf(type), value); }
  OnnxValue splat(ElementType type, const Number& value,
                  const Shape& shape);  // returns a tensor filled with one number; small shapes only

  // Returns sizes as a 1-D int64 value. It is a constant if no size is open.
  OnnxValue integers(const std::vector<std::uint32_t>& sizes);
  OnnxValue integers(const std::vector<Size>& sizes);
  OnnxValue integer(Size size);  // rank 0, int64
  // Returns a size that must be a number in ONNX. Throws NotSupportedError, which names the operation, if it is open.
  std::int64_t numberOf(Size size) const;
  std::int64_t numberOf(std::uint32_t size) const { return numberOf(Size(size)); }
  // Returns the beginning of messages about the operation that is being exported.
  std::string subject() const;
  // Throws the NotSupportedError of numberOf() for an operation that ONNX has for fixed sizes only.
  [[noreturn]] void refuseOpenSizes() const;

  // Sets result `index` of the current operation to `value`, cast to the result's type.
  void set(std::size_t index, const OnnxValue& value);
  const Operand& output(std::size_t index = 0) const;  // gives the descriptor of a result

  const Dataflow& dataflow() const;

  const Target& target() const;
  std::int64_t operatorSet() const;  // see operator_set.h
  // Returns whether the operator takes `type` for T, so that add() need not cast.
  bool takes(std::string_view opType, ElementType type) const;
  // Returns whether the operator takes `type`, or another type that can stand in for it.
  bool canTake(std::string_view opType, ElementType type) const;
  // Appends `method "label": <sentence>` to the notes of the model, once for each sentence.
  void note(std::string sentence);

  // The functions below are for exportModel() only.
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
