// Tests recurrent networks that are computed step by step.
#include "random/stepwise.h"

#include <optional>

#include "backends/reference/reference_backend.h"
#include "context/graph_state.h"
#include "support/support.h"

namespace webnn::random {
namespace WEBNN_TEST_FILE {

constexpr std::uint32_t kSteps = 3, kBatch = 2, kInputs = 2, kHidden = 2;

struct Case {
  test::Fixture fixture;
  std::vector<Bytes> operands;
  std::optional<Operation> operation;

  // Returns an input. Its values are small whole numbers, so that no step rounds.
  Operand operand(const Shape& shape) {
    const OperandDescriptor descriptor{DataType::float32, shape};
    Bytes bytes(byteLength(descriptor));
    for (std::size_t i = 0; i < elementCount(descriptor); ++i) {
      setReal(DataType::float32, bytes, i, static_cast<double>((i + operands.size()) % 3) - 1);
    }
    operands.push_back(std::move(bytes));
    return fixture.input(DataType::float32, shape);
  }
};

template <typename Op>
void fill(Case& test, Op op, std::uint32_t gates, RecurrentNetworkDirection direction) {
  using enum RecurrentNetworkActivation;
  const std::uint32_t directions = direction == RecurrentNetworkDirection::both ? 2 : 1;
  const Shape state{directions, kBatch, kHidden};
  op.input = test.operand({kSteps, kBatch, kInputs});
  op.weight = test.operand({directions, gates * kHidden, kInputs});
  op.recurrentWeight = test.operand({directions, gates * kHidden, kHidden});
  op.steps = kSteps;
  op.hiddenSize = kHidden;
  op.options.direction = direction;
  op.options.bias = test.operand({directions, gates * kHidden});
  op.options.initialHiddenState = test.operand(state);
  if constexpr (requires { op.options.initialCellState; }) op.options.initialCellState = test.operand(state);
  op.options.returnSequence = true;
  op.options.activations.emplace();
  while (op.options.activations->size() < gates - 1) op.options.activations->push_back(relu);
  test.operation = op;
}

TEST(RandomStepwise, IsTheOperation) {
  for (const auto direction :
       {RecurrentNetworkDirection::forward, RecurrentNetworkDirection::backward, RecurrentNetworkDirection::both}) {
    for (const bool isLstm : {false, true}) {
      Case test;
      if (isLstm) fill(test, ops::Lstm{}, 4, direction);
      if (!isLstm) fill(test, ops::Gru{}, 3, direction);
      const ops::Outputs outputs = validate(*test.operation);
      const std::vector<std::span<const std::byte>> spans(test.operands.begin(), test.operands.end());
      const std::vector<Bytes> expected = reference::evaluate(*test.operation, spans, outputs);
      int changes = 0;
      EXPECT_EQ(evaluateStepwise(*test.operation, test.operands, [&](const OperandDescriptor&, Bytes&) { ++changes; }), expected);
      const int directions = direction == RecurrentNetworkDirection::both ? 2 : 1;
      EXPECT_EQ(changes, static_cast<int>(kSteps) * directions * (isLstm ? 2 : 1));
    }
  }
}

TEST(RandomStepwise, OtherOperationsHaveNoSteps) {
  test::Fixture fixture;
  const Operand x = fixture.input(DataType::float32, {1});
  EXPECT_TRUE(
      evaluateStepwise(ops::Unary{ops::UnaryKind::exp, x, {}}, {Bytes(4)}, [](const OperandDescriptor&, Bytes&) {}).empty());
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::random
