// The interface of an operation's export. Each family has a file in this directory with an overload per operation; overload
// resolution is the registry:
// void toMil(const ops::Elu& op, MilBuilder& out) { out.set(0, out.unary("elu", out[op.input], {{"alpha", ...}})); }
// Values have MIL's computation types: float32, float16, int32 and boolean. Integers of any type are int32; after arithmetic that
// may leave the range of an 8-bit type, set() wraps the value. A WebNN scalar has the shape [1], and a shape of rank above 5 has
// one dimension: see shapeOf().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coreml/program.h"
#include "graph/graph_definition.h"
#include "webnn/placement.h"

namespace webnn::coreml {

using Arguments = std::vector<MilArgument>;
using Integers = std::vector<std::int32_t>;

constexpr std::size_t kMaxMilRank = 5;

MilType computedType(DataType type);
// The shape that a value has in the program.
Shape shapeOf(const Shape& shape);
std::uint32_t countOf(const Shape& shape);

class MilBuilder {
 public:
  explicit MilBuilder(const GraphDefinition& graph);

  // The value of an operand of the operation, of computedType() and shapeOf().
  MilValue operator[](const Operand& operand);
  // The elements of a constant of integers; nullopt of anything else.
  static std::optional<std::vector<std::int64_t>> integersOf(const Operand& operand);
  // Returns a constant operand as the graph stores it, for constexpr operations.
  std::size_t stored(const Operand& operand, const Shape& shape);

  MilValue add(std::string_view type, MilType resultType, const Shape& resultShape, Arguments arguments);
  std::vector<MilValue> addMany(std::string_view type, const std::vector<MilValue>& results, Arguments arguments);
  MilValue addConstexpr(std::string_view type, MilType resultType, const Shape& resultShape,
                        std::vector<MilConstantArgument> arguments);

  // Constants; equal ones are stored once.
  MilValue scalar(MilType type, const Number& value);  // rank 0, cast to the type
  MilValue integer(std::int64_t value) { return scalar(MilType::int32, value); }
  MilValue flag(bool value) { return scalar(MilType::boolean, value ? 1 : 0); }
  MilValue text(const std::string& value);
  MilValue integers(const Integers& items);  // 1-D
  MilValue floats(MilType type, const std::vector<double>& items, const Shape& shape);
  std::size_t constant(MilConstant constant);  // its number

  MilValue cast(const MilValue& value, MilType type);  // the value itself if it has the type

  // Result `index` of the operation: the value, cast to the result's type, reshaped to shapeOf() its shape.
  void set(std::size_t index, MilValue value);
  // Sets a result that may have left the range of its 8-bit type.
  void setWrapped(std::size_t index, const MilValue& value);
  const Operand& output(std::size_t index = 0) const;

  // The operation needs at least this version of the specification: 7 is iOS 16 and macOS 13, 8 iOS 17, 9 iOS 18.
  void require(int specificationVersion);
  // Throws NotSupportedError; exportModel lists the operation in its error.
  [[noreturn]] void refuse(const std::string& reason) const;
  void note(std::string sentence);

  // For exportModel.
  void append(const Node& node);
  Program takeProgram();  // NotSupportedError with the list
  std::vector<std::string>& notes();
  std::vector<OperationPlacement>& placement();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace webnn::coreml
