// Tests that every operation has the same effect through the C API as through the C++ API. The calls are generated from the
// operation table.
#include <gtest/gtest.h>

#include <any>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "capi/capi_support.h"
#include "context/graph_state.h"
#include "ops/operation.h"
#include "random/random_graph.h"
#include "support/support.h"
#include "webnn/webnn.hpp"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// The arguments of a C call by name, converted from the fields of an operation.
struct Call {
  WebnnGraphBuilder builder = nullptr;
  std::function<WebnnOperand(const Operand&)> handleOf;
  bool isWithOptions = true;

  WebnnOperand result = nullptr;
  WebnnOperandList results = WEBNN_OPERAND_LIST_INIT;
  WebnnError error = nullptr;

  ~Call() {
    webnnOperandRelease(result);
    webnnOperandListFreeMembers(results);
    webnnErrorRelease(error);
  }

  // Sets `to` to the value named `name`, for the generated calls. Leaves `to` unchanged if no value has this name.
  template <typename T>
  void get(const char* name, T& to) {
    const auto found = values_.find(name);
    if (found == values_.end()) return;
    if constexpr (std::is_enum_v<T>) {
      to = static_cast<T>(std::any_cast<std::uint32_t>(found->second));
    } else if constexpr (requires { requires std::is_enum_v<std::remove_cvref_t<decltype(*to.items)>>; }) {
      const auto& list = std::any_cast<const WebnnUint32List&>(found->second);
      to = {list.count, reinterpret_cast<decltype(to.items)>(list.items)};
    } else {
      to = std::any_cast<T>(found->second);
    }
  }

  template <typename Field>
  void argument(std::string_view name, const Field& field) {
    set(std::string(name), field);
  }
  template <typename Field>
  void option(std::string_view name, const Field& field) {
    if (isWithOptions) set(std::string(name), field);
  }
  void set(const std::string& name, const Operand& operand) { values_[name] = handleOf(operand); }
  void set(const std::string& name, const std::vector<Operand>& operands) {
    auto& handles = operands_.emplace_back();
    for (const Operand& operand : operands) handles.push_back(handleOf(operand));
    values_[name] = WebnnOperandList{handles.size(), handles.data()};
  }
  void set(const std::string& name, bool value) { values_[name] = std::uint32_t{value}; }
  void set(const std::string& name, std::uint32_t value) { values_[name] = value; }
  void set(const std::string& name, std::int32_t value) { values_[name] = value; }
  void set(const std::string& name, double value) { values_[name] = value; }
  void set(const std::string& name, const Number& number) {
    const auto visitor = [](auto value) {
      if constexpr (std::is_same_v<decltype(value), double>) return webnnNumberOfDouble(value);
      if constexpr (std::is_same_v<decltype(value), std::int64_t>) return webnnNumberOfInt64(value);
      if constexpr (std::is_same_v<decltype(value), std::uint64_t>) return webnnNumberOfUint64(value);
    };
    values_[name] = std::visit(visitor, number.value());
  }
  void set(const std::string& name, const std::vector<std::uint32_t>& sizes) {
    const auto& kept = sizes_.emplace_back(sizes);
    values_[name] = WebnnUint32List{kept.size(), kept.data()};
  }
  void set(const std::string& name, const std::vector<float>& reals) {
    const auto& kept = reals_.emplace_back(reals);
    values_[name] = WebnnFloatList{kept.size(), kept.data()};
  }
  void set(const std::string& name, const Splits& splits) {
    WebnnSplits value = WEBNN_SPLITS_INIT;
    if (const auto* count = std::get_if<std::uint32_t>(&splits)) {
      value.count = *count;
    } else {
      const auto& kept = sizes_.emplace_back(std::get<1>(splits));
      value.sizes = {kept.size(), kept.data()};
    }
    values_[name] = value;
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void set(const std::string& name, Enum value) { values_[name] = static_cast<std::uint32_t>(value) + 1; }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void set(const std::string& name, const std::vector<Enum>& values) {
    std::vector<std::uint32_t> bits;
    for (const Enum value : values) bits.push_back(static_cast<std::uint32_t>(value) + 1);
    set(name, bits);
  }
  template <typename T>
  void set(const std::string& name, const std::optional<T>& field) {
    if (field) set(name, *field);
  }
  template <typename T>
  void set(const std::string& name, const OptionalSequence<T>& field) {
    if (field) set(name, *field);
  }
  void setLabel(const std::string& label) { values_["label"] = WebnnStringView{label.data(), label.size()}; }

 private:
  std::map<std::string, std::any> values_;
  std::deque<std::vector<WebnnOperand>> operands_;
  std::deque<std::vector<std::uint32_t>> sizes_;
  std::deque<std::vector<float>> reals_;
};

using CallFunction = WebnnStatus (*)(Call&);
const std::map<std::string_view, CallFunction>& calls() {
  static const std::map<std::string_view, CallFunction> table{
#include "operation_calls.inc"
  };
  return table;
}

// Holds one builder of each API, with the same inputs.
class Twins {
 public:
  explicit Twins(Context& context, CContext& other) : cppBuilder(context), cBuilder(other.builder()) {}
  ~Twins() {
    for (const WebnnOperand handle : handles_) webnnOperandRelease(handle);
    webnnGraphBuilderRelease(cBuilder);
  }

  // Returns the C++ input that stands for `operand`. The same operand always gives the same input.
  Operand input(const Operand& operand) {
    const auto found = inputs_.find(operand.record().index);
    if (found != inputs_.end()) return found->second;
    const std::string name = "input" + std::to_string(inputs_.size());
    const Operand made = cppBuilder.input(name, operand.descriptor());
    inputs_.emplace(operand.record().index, made);
    const WebnnOperandDescriptor descriptor = cDescriptor(operand.descriptor());
    WebnnOperand handle = nullptr;
    EXPECT_EQ(webnnGraphBuilderInput(cBuilder, viewOf(name), &descriptor, &handle, nullptr), WebnnStatus_Success);
    handles_.push_back(handle);
    cInputs_[made.record().index] = handle;
    return made;
  }
  WebnnOperand handleOf(const Operand& made) const { return cInputs_.at(made.record().index); }

  GraphBuilder cppBuilder;
  const WebnnGraphBuilder cBuilder;

 private:
  std::map<std::uint32_t, Operand> inputs_;
  std::map<std::uint32_t, WebnnOperand> cInputs_;
  std::vector<WebnnOperand> handles_;
};

std::vector<WebnnOperand> resultsOf(const Call& call) {
  if (call.result) return {call.result};
  return {call.results.items, call.results.items + call.results.count};
}

// Returns small whole numbers in the data type, so that indices are near the valid range.
std::vector<std::byte> valuesOf(const OperandDescriptor& descriptor, std::size_t seed) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < elementCount(descriptor); ++i) numbers.emplace_back(static_cast<int>((i * 7 + seed) % 5));
  return pack(descriptor, numbers);
}

void expectEqualResults(const Graph& graph, WebnnGraph cGraph) {
  std::vector<std::vector<std::byte>> inputs, outputs, cOutputs;
  for (const auto& [name, descriptor] : graph.inputs()) inputs.push_back(valuesOf(descriptor, inputs.size()));
  for (const auto& [name, descriptor] : graph.outputs()) outputs.emplace_back(byteLength(descriptor), std::byte{1});
  cOutputs.resize(outputs.size());
  std::vector<WebnnConstBytes> from;
  std::vector<WebnnBytes> to;
  for (const auto& bytes : inputs) from.push_back({bytes.data(), bytes.size()});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    cOutputs[i].resize(outputs[i].size(), std::byte{2});
    to.push_back({cOutputs[i].data(), cOutputs[i].size()});
  }
  graph.compute(std::vector<std::span<const std::byte>>(inputs.begin(), inputs.end()),
                std::vector<std::span<std::byte>>(outputs.begin(), outputs.end()));
  ASSERT_EQ(webnnGraphCompute(cGraph, from.size(), from.data(), to.size(), to.data(), nullptr), WebnnStatus_Success);
  EXPECT_EQ(outputs, cOutputs);
}

// Appends the operation with both APIs, and expects equal results or equal errors.
void expectEqualOutcome(Context& context, CContext& cContext, Operation operation, bool isWithOptions) {
  Twins twins(context, cContext);
  mapOperands(operation, [&](const Operand& operand) { return twins.input(operand); });
  Operation given = operation;
  if (!isWithOptions) std::visit([](auto& op) { op.options = {}; }, given);
  const std::string label = isWithOptions ? "stem" : "";
  std::visit([&](auto& op) { op.options.label = label; }, given);

  Call call;
  call.builder = twins.cBuilder;
  call.handleOf = [&](const Operand& operand) { return twins.handleOf(operand); };
  call.isWithOptions = isWithOptions;
  visitFields(std::as_const(operation), call);
  if (isWithOptions) call.setLabel(label);
  const WebnnStatus status = calls().at(name(operation))(call);

  std::vector<Operand> results;
  try {
    results = twins.cppBuilder.append(given);
  } catch (const Error& error) {
    EXPECT_EQ(messageOf(call.error), error.what());
    EXPECT_EQ(textOf(webnnStatusGetName(status)), name(error.kind()));
    return;
  }
  ASSERT_EQ(status, WebnnStatus_Success) << messageOf(call.error);
  const std::vector<WebnnOperand> cResults = resultsOf(call);
  ASSERT_EQ(cResults.size(), results.size());
  std::vector<NamedOperand> outputs;
  std::vector<WebnnNamedOperand> cOutputs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    outputs.emplace_back("output" + std::to_string(i), results[i]);
    cOutputs.push_back({nullptr, viewOf(outputs[i].first), cResults[i]});
    EXPECT_EQ(descriptorOf(cResults[i]), results[i].descriptor());
  }
  for (std::size_t i = 0; i < cOutputs.size(); ++i) cOutputs[i].name = viewOf(outputs[i].first);
  const Graph graph = twins.cppBuilder.build(outputs);
  WebnnGraph cGraph = nullptr;
  ASSERT_EQ(webnnGraphBuilderBuildSync(twins.cBuilder, cOutputs.size(), cOutputs.data(), &cGraph, nullptr), WebnnStatus_Success);
  expectEqualResults(graph, cGraph);
  webnnGraphRelease(cGraph);
}

TEST(Operations, AreAllThere) { EXPECT_EQ(calls().size(), allOperations().size()); }

TEST(Operations, BuildTheSameGraphsAsCpp) {
  Context context = Context::create({.backend = "reference"});
  CContext cContext("reference");
  std::map<std::string_view, int> counts;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    random::Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(context, choices);
    for (const Node& node : made.graph.state()->definition->nodes) {
      if (++counts[name(node.operation)] > 3) continue;
      SCOPED_TRACE(std::string(name(node.operation)) + " of seed " + std::to_string(seed));
      expectEqualOutcome(context, cContext, node.operation, true);
      expectEqualOutcome(context, cContext, node.operation, false);
      if (HasFailure()) return;
    }
  }
  for (const auto& [name, call] : calls()) EXPECT_TRUE(counts.contains(name)) << name << " is never tested";
}

TEST(Operations, RefuseNullOperandsAndBuilders) {
  CContext cContext("reference");
  const WebnnGraphBuilder builder = cContext.builder();
  for (const auto& [name, function] : calls()) {
    Call without;
    EXPECT_EQ(function(without), WebnnStatus_TypeError) << name;
    EXPECT_EQ(messageOf(without.error), std::string(name) + ": the builder is NULL.");
    Call call;
    call.builder = builder;
    EXPECT_EQ(function(call), WebnnStatus_TypeError) << name;
    EXPECT_EQ(messageOf(call.error).rfind(std::string(name) + ": ", 0), 0u) << messageOf(call.error);
    EXPECT_EQ(call.result, nullptr);
  }
  webnnGraphBuilderRelease(builder);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
