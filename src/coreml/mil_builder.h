// The interface for exporting an operation to MIL. Each family has a file in this directory with an overload of toMil per
// operation: void toMil(const ops::Elu& op, MilBuilder& out) { out.set(0, unary("elu", out[op.input], out, ...)); }
// Values have one of MIL's computation types: float32, float16, int32 and boolean. All integer types are computed as int32. If
// arithmetic may overflow an 8-bit type, setWrapped() wraps the value. In the program, a WebNN scalar has the shape [1], and a
// shape of rank above 5 is flattened to one dimension: see shapeOf().
//
// In a graph with open dimensions, shapes and sizes may hold handles (see ops/sizes/open_sizes.h). An overload computes sizes
// with Size, and passes them on to sizes(), which adds operations that compute open sizes from the shapes of the inputs. It takes
// numbers only from numberOf().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coreml/program.h"
#include "graph/graph_definition.h"
#include "ops/sizes/open_sizes.h"
#include "webnn/placement.h"

namespace webnn::coreml {

using Arguments = std::vector<MilArgument>;
using Integers = std::vector<std::int32_t>;
using Sizes = std::vector<Size>;

constexpr std::size_t kMaxMilRank = 5;

MilType computedType(DataType type);
// Returns the shape that a value of a WebNN shape has in the program: [] -> [1], [1,2,3,4,5,6] -> [720].
Shape shapeOf(const Shape& shape);
std::uint32_t countOf(const Shape& shape);  // a number, or the handle of an open size

class MilBuilder {
 public:
  explicit MilBuilder(const GraphDefinition& graph);

  // Returns the value of an operand. The value has the type computedType() and the shape shapeOf().
  MilValue operator[](const Operand& operand);
  // Returns the elements of an integer constant; nullopt for other operands.
  static std::optional<std::vector<std::int64_t>> integersOf(const Operand& operand);
  // Adds a constant operand in its own type, for constexpr operations. Returns its index in Program::constants.
  std::size_t stored(const Operand& operand, const Shape& shape);

  MilValue add(std::string_view type, MilType resultType, const Shape& resultShape, Arguments arguments);
  std::vector<MilValue> addMany(std::string_view type, const std::vector<MilValue>& results, Arguments arguments);
  MilValue addConstexpr(std::string_view type, MilType resultType, const Shape& resultShape,
                        std::vector<MilConstantArgument> arguments);

  // Add constants. Equal constants are stored once, except those of constant().
  MilValue scalar(MilType type, const Number& value);  // rank 0; the value is cast to the type
  MilValue integer(std::int64_t value) { return scalar(MilType::int32, value); }
  MilValue flag(bool value) { return scalar(MilType::boolean, value ? 1 : 0); }
  MilValue flags(const std::vector<bool>& values);  // 1-D
  MilValue text(const std::string& value);
  MilValue integers(const Integers& items);  // 1-D
  // Returns sizes as a 1-D int32 value. It is a constant if no size is open.
  MilValue sizes(const Sizes& sizes);
  MilValue sizes(const Shape& shape) { return sizes(Sizes(shape.begin(), shape.end())); }
  MilValue size(Size size);  // a constant of rank 0, or the shape [1] if the size is open
  MilValue floats(MilType type, const std::vector<double>& items, const Shape& shape);
  std::size_t constant(MilConstant constant);  // returns its index in Program::constants

  MilValue cast(const MilValue& value, MilType type);  // returns the value itself if it already has the type

  // Sets result `index` of the operation to `value`, cast to the result's type and reshaped to shapeOf() of its shape.
  void set(std::size_t index, MilValue value);
  // Sets a result, and wraps its value if its type is an integer of at most 8 bits.
  void setWrapped(std::size_t index, const MilValue& value);
  const Operand& output(std::size_t index = 0) const;

  // Returns a size that must be a number in MIL. Refuses the operation if the size is open.
  std::int64_t numberOf(Size size) const;
  std::int64_t numberOf(std::uint32_t size) const { return numberOf(Size(size)); }

  // Records that the operation needs at least this version of Core ML's model format: 7 is iOS 16 and macOS 13, 8 is iOS 17, 9 is
  // iOS 18.
  void require(int specificationVersion);
  // Throws NotSupportedError. append() catches it, and takeProgram() lists all refused operations in one error.
  [[noreturn]] void refuse(const std::string& reason) const;
  [[noreturn]] void refuseOpenSizes() const;  // throws: MIL supports the operation only for fixed sizes
  void note(std::string sentence);

  // The functions below are for exportModel() only.
  void append(const Node& node);
  Program takeProgram();  // throws a NotSupportedError that lists all refused operations
  std::vector<std::string>& notes();
  std::vector<OperationPlacement>& placement();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace webnn::coreml
