#include "random/random_graph.h"

#include "random/maker.h"
#include "random/pattern.h"
#include "webnn/error.h"

namespace webnn::random {

namespace {

void addOperation(Maker& maker) {
  Operation operation = maker.choose.pick(allOperations());
  // With isOpen, discontinuous operations accept any operand. Other operations are sometimes replaced by a new choice, so that
  // discontinuous operations are more frequent.
  if (maker.style.isOpen && !jumps(operation) && maker.choose.oneIn(2)) operation = maker.choose.pick(allOperations());
  complete(operation, maker);
  maker.append(std::move(operation));
}

std::vector<NamedOperand> chooseOutputs(Maker& maker) {
  std::vector<NamedOperand> outputs;
  const auto add = [&](const Operand& operand) { outputs.emplace_back("y" + std::to_string(outputs.size()), operand); };
  for (const GraphValue& value : maker.pool()) {
    if (!value.isResult) continue;
    if (value.uses == 0 || maker.choose.oneIn(maker.style.namesOneIn)) add(value.operand);
  }
  if (!outputs.empty() && maker.choose.oneIn(10)) add(maker.choose.pick(outputs).second);  // returns one operand as two outputs
  return outputs;
}

}  // namespace

RandomGraph makeRandomGraph(const Context& context, Choices& choices) {
  Maker maker(context, choices, makeStyle(choices));
  for (std::size_t attempts = 0; maker.operations() < maker.style.operations && attempts < 400; ++attempts) {
    try {
      if (choices.oneIn(maker.style.isWide ? 2 : 5)) {
        addPattern(maker);
      } else {
        addOperation(maker);
      }
    } catch (const Error&) {  // for instance because sizes do not fit
    }
    if (choices.areOver()) break;
  }
  std::vector<NamedOperand> outputs = chooseOutputs(maker);
  if (outputs.empty())
    outputs.emplace_back("y0", maker.one(ops::Unary{ops::UnaryKind::identity, maker.fresh({DataType::float32, {2, 3}}), {}}));
  RandomGraph result;
  result.graph = maker.build(outputs);
  // The graph has only the inputs that it uses. The name of input number N is "xN".
  for (const auto& [name, descriptor] : result.graph.inputs())
    result.inputs.push_back(maker.inputs()[std::stoul(name.substr(1))]);
  return result;
}

}  // namespace webnn::random
