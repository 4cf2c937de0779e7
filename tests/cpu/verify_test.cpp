// Tests that the verifier detects wrong modules and plans: mistakes that passes and the planner have made, or might make.
#include "compiler/verify/verify.h"

#include "backends/cpu/compile/pipeline.h"
#include "compiler/plan/memory_plan.h"
#include "context/graph_state.h"
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::as, cpu::FusedElementwise, cpu::Module, cpu::ModuleInterface, cpu::ModuleNode;

// Returns the module of a graph after the passes up to and including `last`. If `last` is empty, no pass runs.
Module moduleOf(Fixture& f, const std::vector<Operand>& outputs, std::string_view last = "eliminateDeadCodeAgain") {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("y" + std::to_string(i), outputs[i]);
  Module module(*f.builder.build(named).state()->definition);
  if (last.empty()) return module;
  for (const cpu::Pass& pass : cpu::allPasses()) {
    pass.run(module, {});
    if (pass.name == last) break;
  }
  return module;
}

ModuleNode& node(Module& module, std::string_view name) {
  for (ModuleNode& one : module.nodes) {
    if (compiler::name(one.operation) == name) return one;
  }
  throw std::runtime_error("no node " + std::string(name) + " in\n" + toString(module));
}

// Expects that the module is correct, and that after `change` the verifier reports an error that contains `parts`.
void expectWrong(Module module, const std::vector<std::string>& parts, const std::function<void(Module&)>& change) {
  const ModuleInterface interface(module);
  verifyModule(module, interface, "nothing");
  change(module);
  std::vector<std::string> all{"the CPU engine's module is wrong after a change"};
  all.insert(all.end(), parts.begin(), parts.end());
  expectError(ErrorKind::unknownError, all, [&] { verifyModule(module, interface, "a change"); });
}

// Builds a graph with many of the engine's operations.
std::vector<Operand> network(Fixture& f) {
  GraphBuilder& b = f.builder;
  const Operand x = f.input({1, 3, 64, 64});
  Operand y = b.relu(b.conv2d(x, f.constant({32, 3, 1, 1}, {0.1}), {.bias = f.constant({32}, {0.5})}));
  y = b.relu(b.conv2d(y, f.constant({32, 1, 3, 3}, {0.2}), {.padding = {1, 1, 1, 1}, .groups = 32}));
  y = b.conv2d(y, f.constant({8, 32, 1, 1}, {0.1}));
  const Operand rows = b.reshape(b.transpose(y, {.permutation = {0, 2, 3, 1}}), {4096, 8});
  const Operand gemm = b.matmul(rows, f.constant({8, 16}, {0.1}));
  const Operand sum = b.layerNormalization(b.add(gemm, f.input({4096, 16})), {.scale = f.input({16}), .axes = {1}});
  return {b.exp(b.mul(sum, b.sigmoid(b.reduceMean(sum, {.axes = {0}}))))};
}

TEST(VerifyModule, ASecondLayoutOfAValueThatNobodyWrote) {  // chooseLayout once made this mistake for min-max normalization
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand c = b.conv2d(f.input({1, 16, 1, 1}), f.constant({1, 16, 1, 1}, {0.5}));
  const Operand y = b.sub(c, f.input({}));
  expectWrong(moduleOf(f, {y}, "chooseLayout"), {"sub: a (%", "is used, and is not computed before"},
              [&](Module& module) { as<ops::Binary>(node(module, "sub").operation)->a = c; });
}

TEST(VerifyModule, ValuesThatAreComputedTwiceOrLate) {
  Fixture f;
  const Operand x = f.input({2, 3});
  const Operand y = f.builder.softmax(f.builder.softmax(x, 0, {.label = "first"}), 1, {.label = "second"});
  const Module module = moduleOf(f, {y});
  expectWrong(module, {"softmax \"first\": %", "is computed a second time"},
              [](Module& changed) { changed.nodes.push_back(changed.nodes[0]); });
  expectWrong(module, {"softmax \"second\": input (%", "is not computed before"},
              [](Module& changed) { std::swap(changed.nodes[0], changed.nodes[1]); });
  expectWrong(module, {"softmax \"second\": input (%", "is not computed before"},
              [](Module& changed) { changed.nodes.erase(changed.nodes.begin()); });
  expectWrong(module, {"is computed, and is not an intermediate value"},
              [&](Module& changed) { changed.nodes[1].outputs[0] = changed.inputs[0]; });
}

TEST(VerifyModule, TypesAndShapesThatNoOperationGives) {
  Fixture f;
  const Operand x = f.input({2, 3});
  const Operand y = f.builder.cast(f.builder.transpose(x), DataType::int32);
  const Module module = moduleOf(f, {y});
  expectWrong(module, {"transpose: the output is float32[3, 2] and not float32[2, 3]"}, [](Module& changed) {
    as<ops::Transpose>(node(changed, "transpose").operation)->options.permutation = {0, 1};
  });
  expectWrong(module, {"transpose: its options are not resolved"},
              [](Module& changed) { as<ops::Transpose>(node(changed, "transpose").operation)->options.permutation.reset(); });
  expectWrong(module, {"cast: the output is int32[3, 2] and not uint8[3, 2]"},
              [](Module& changed) { as<ops::Cast>(node(changed, "cast").operation)->dataType = DataType::uint8; });
  expectWrong(module, {"permutation"}, [](Module& changed) {  // the specification's own validation step refuses this
    as<ops::Transpose>(node(changed, "transpose").operation)->options.permutation = {0, 0};
  });
}

TEST(VerifyModule, ConstantsThatLackBytes) {
  Fixture f;
  const Module module = moduleOf(f, {f.builder.pow(f.input({3}), f.constant({3}, {1, 2, 3}))}, "");
  expectWrong(module, {"pow: b (%", "is a constant of 12 bytes, and has 8"}, [](Module& changed) {
    changed.nodes[0].operation = [&] {
      ops::Binary op = *as<ops::Binary>(changed.nodes[0].operation);
      op.b = changed.constant({DataType::float32, {3}}, std::vector<std::byte>(8));
      return cpu::EngineOperation(Operation(op));
    }();
  });
}

TEST(VerifyModule, InputsAndOutputsThatAreNotTheGraphs) {
  Fixture f;
  const Operand x = f.input({2, 3}), z = f.input({2, 3});
  const Module module = moduleOf(f, {f.builder.softmax(x, 1), f.builder.softmax(z, 0)});
  expectWrong(module, {"its inputs are not those of the graph"},
              [](Module& changed) { std::swap(changed.inputs[0], changed.inputs[1]); });
  expectWrong(module, {"another number of outputs"}, [](Module& changed) { changed.outputs.pop_back(); });
  expectWrong(module, {"output \"y1\" is called \"y\""}, [](Module& changed) { changed.outputs[1].first = "y"; });
  expectWrong(module, {"output \"y0\" is float32[3, 2] and not float32[2, 3]"}, [](Module& changed) {
    ops::Transpose op{changed.outputs[0].second, {}};
    op.options.permutation = {1, 0};
    changed.outputs[0].second = changed.append(changed.nodes, Operation(op));
  });
  expectWrong(module, {"output \"y0\" (%", "is not computed before"}, [](Module& changed) {
    changed.outputs[0].second = changed.intermediate({DataType::float32, {2, 3}});
  });
}

TEST(VerifyModule, OneNumberForTwoValues) {
  Fixture f;
  const Module module = moduleOf(f, {f.builder.softmax(f.builder.softmax(f.input({2, 3}), 1), 0)});
  expectWrong(module, {"is two values"}, [](Module& changed) {
    auto record = std::make_shared<OperandRecord>(changed.nodes[0].outputs[0].record());
    as<ops::Softmax>(changed.nodes[1].operation)->input = Operand(std::shared_ptr<const OperandRecord>(record));
  });
}

TEST(VerifyModule, FusedElementwiseWhoseProgramsDoNotFit) {
  Fixture f;
  const Operand x = f.input({4, 3});
  const Module module = moduleOf(f, {f.builder.exp(f.builder.mul(x, f.input({3})))});
  expectWrong(module, {"fusedElementwise: its program has 3 inputs, and there are 2"},
              [](Module& changed) { ++as<FusedElementwise>(node(changed, "fusedElementwise").operation)->program.inputs; });
  expectWrong(module, {"fusedElementwise: its program uses value 3 before it is computed"}, [](Module& changed) {
    as<FusedElementwise>(node(changed, "fusedElementwise").operation)->program.instructions[0].b = 3;
  });
  expectWrong(module, {"fusedElementwise: %", "[5, 3] is not broadcastable to the output [4, 3]"}, [](Module& changed) {
    as<FusedElementwise>(node(changed, "fusedElementwise").operation)->inputs[1] =
        changed.constant({DataType::float32, {5, 3}}, std::vector<std::byte>(60));
  });
  Fixture g;
  const Operand z = g.input({4, 3});
  const Module truth = moduleOf(g, {g.builder.isNaN(g.builder.exp(z)), g.builder.cast(g.builder.isNaN(z), DataType::float16)});
  expectWrong(truth, {"fusedElementwise: its result is not of type uint8"}, [](Module& changed) {
    as<FusedElementwise>(node(changed, "fusedElementwise").operation)->program.instructions.back().code = cpu::ElementCode::exp;
  });
}

TEST(VerifyModule, TheEnginesOperations) {
  Fixture f;
  const Module module = moduleOf(f, network(f));
  const auto float32 = [](Module& changed, Shape shape) {
    const OperandDescriptor descriptor{DataType::float32, std::move(shape)};
    return changed.constant(descriptor, std::vector<std::byte>(byteLength(descriptor)));
  };
  expectWrong(module, {"batchGemm: a has 8 columns and b 9 rows"}, [&](Module& changed) {
    as<cpu::BatchGemm>(node(changed, "batchGemm").operation)->b = float32(changed, {9, 16});
  });
  expectWrong(module, {"batchGemm: bias [15] is no row of 16 elements"},
              [&](Module& changed) { as<cpu::BatchGemm>(node(changed, "batchGemm").operation)->bias = float32(changed, {15}); });
  expectWrong(module, {"batchGemm: outputPermutation is no permutation of 2 dimensions"}, [&](Module& changed) {
    as<cpu::BatchGemm>(node(changed, "batchGemm").operation)->outputPermutation = {1, 1};
  });
  expectWrong(module, {"rowNormalization: scale [17] is no row of 16 elements"}, [&](Module& changed) {
    as<cpu::RowNormalization>(node(changed, "rowNormalization").operation)->scale = float32(changed, {17});
  });
  expectWrong(module, {"rowNormalization: the residual is float32[1, 16] and not float32[4096, 16]"}, [&](Module& changed) {
    as<cpu::RowNormalization>(node(changed, "rowNormalization").operation)->residual = float32(changed, {1, 16});
  });
  expectWrong(module, {"convolutionBlock: its middle is [1, 64, 31, 32] and not [1, 64, 64, 32]"}, [&](Module& changed) {
    as<cpu::ConvolutionBlock>(node(changed, "convolutionBlock").operation)->middleShape[2] = 31;
  });
  expectWrong(module, {"convolutionBlock: a convolution has its channels first"}, [&](Module& changed) {
    as<cpu::ConvolutionBlock>(node(changed, "convolutionBlock").operation)->project->conv.options.inputLayout =
        InputOperandLayout::nchw;
  });
}

TEST(VerifyModule, AttentionAndQuantizedProducts) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand q = f.input({2, 4, 8}), k = f.input({2, 8, 5}), v = f.input({2, 5, 8});
  const Operand scores = b.softmax(b.add(b.matmul(q, k), f.input({4, 5})), 2);
  const Operand zero = f.constant(DataType::uint8, {1, 1}, {3}), scale = f.constant({1, 1}, {0.5});
  const Operand bytes = b.dequantizeLinear(f.input(DataType::uint8, {6, 7}), scale, zero);
  const Operand weights = b.dequantizeLinear(f.constant(DataType::uint8, {7, 9}, {4}), scale, zero);
  const Module module = moduleOf(f, {b.matmul(scores, v), b.matmul(bytes, weights)});
  expectWrong(module, {"attention: its mask [3, 5] is not broadcastable to [1, 2, 4, 5]"}, [](Module& changed) {
    as<cpu::Attention>(node(changed, "attention").operation)->mask =
        changed.constant({DataType::float32, {3, 5}}, std::vector<std::byte>(60));
  });
  expectWrong(module, {"attention: q [", "do not fit"},
              [](Module& changed) { as<cpu::Attention>(node(changed, "attention").operation)->kPermutation.clear(); });
  expectWrong(module, {"quantizedGemm: a [6, 7] has no rows of 9 elements"},
              [](Module& changed) { as<cpu::QuantizedGemm>(node(changed, "quantizedGemm").operation)->bTranspose = true; });
  expectWrong(module, {"quantizedGemm: a is neither int8 nor float32"},
              [](Module& changed) { as<cpu::QuantizedGemm>(node(changed, "quantizedGemm").operation)->aType = DataType::int8; });
}

TEST(VerifyModule, QuantizedConvolutions) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand scale = f.constant({1, 1, 1, 1}, {0.5}), zeroPoint = f.constant(DataType::uint8, {1, 1, 1, 1}, {7});
  const auto dequantized = [&](const Operand& x) { return b.dequantizeLinear(x, scale, zeroPoint); };
  const Operand x = dequantized(f.input(DataType::uint8, {1, 4, 5, 5}));
  const Operand filter = dequantized(f.constant(DataType::uint8, {4, 4, 1, 1}, {3}));
  const Operand y = dequantized(b.quantizeLinear(b.conv2d(x, filter), scale, zeroPoint));
  const Module module = moduleOf(f, {b.quantizeLinear(b.add(x, y), scale, zeroPoint)}, "fuseQuantizedConv");
  const auto conv = [](Module& changed) {
    return as<cpu::QuantizedConvolution>(node(changed, "quantizedConvolution").operation);
  };
  expectWrong(module, {"quantizedConvolution: the input is uint8 and not int8"}, [&](Module& changed) {
    conv(changed)->input.type = DataType::int8;
    conv(changed)->input.zeroPoint = 0;
  });
  expectWrong(module, {"quantizedConvolution: the result has no zero point or scale of its type"},
              [&](Module& changed) { conv(changed)->result.to->zeroPoint = -1; });
  expectWrong(module, {"quantizedConvolution: a sum is of numbers that are not quantized"},
              [&](Module& changed) { conv(changed)->result.to.reset(); });
  expectWrong(module, {"quantizedConvolution: the addend is uint8[1, 4, 5, 5] and not uint8[1, 5, 5, 4]"},
              [&](Module& changed) { conv(changed)->addend = module.inputs[0]; });
  expectWrong(module, {"quantizedConvolution: the output is uint8[1, 5, 5, 4] and not float32[1, 5, 5, 4]"},
              [&](Module& changed) {
                conv(changed)->sum.to.reset();
                conv(changed)->addend.reset();
                conv(changed)->result.to.reset();
              });
  expectWrong(module, {"quantizedConvolution: a parameter of the filter has shape [2]"}, [&](Module& changed) {
    conv(changed)->filterScale = changed.constant({DataType::float32, {2}}, std::vector<std::byte>(8));
    conv(changed)->filterZeroPoint = changed.constant({DataType::uint8, {2}}, std::vector<std::byte>(2));
  });
}

TEST(VerifyModule, ProductsOfQuantizedActivations) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand scale = f.constant({1, 1, 1}, {0.5}), zeroPoint = f.constant(DataType::uint8, {1, 1, 1}, {3});
  const auto dequantized = [&](const Operand& x) { return b.dequantizeLinear(x, scale, zeroPoint); };
  const auto bytes = [&](Shape shape) { return dequantized(f.input(DataType::uint8, std::move(shape))); };
  const Operand scores =
      b.quantizeLinear(b.matmul(bytes({5, 4, 5}), b.transpose(bytes({5, 6, 5}), {.permutation = {0, 2, 1}})), scale, zeroPoint);
  const Module module = moduleOf(f, {b.quantizeLinear(b.softmax(dequantized(scores), 2), scale, zeroPoint)});
  const auto product = [](Module& changed) { return as<cpu::QuantizedBatchGemm>(node(changed, "quantizedBatchGemm").operation); };
  const auto softmax = [](Module& changed) { return as<cpu::QuantizedSoftmax>(node(changed, "quantizedSoftmax").operation); };
  expectWrong(module, {"a has 5 columns and b 6 rows"}, [&](Module& changed) { product(changed)->bPermutation.clear(); });
  expectWrong(module, {"apart"}, [&](Module& changed) { product(changed)->aPermutation = {2, 1, 0}; });
  expectWrong(module, {"not the last dimension"}, [&](Module& changed) { product(changed)->outputPermutation = {0, 2, 1}; });
  expectWrong(module, {"a is uint8 and not int8"},
              [&](Module& changed) { product(changed)->aQuantization = {.scale = 1, .zeroPoint = 0, .type = DataType::int8}; });
  expectWrong(module, {"alpha"}, [&](Module& changed) { product(changed)->alpha = -1; });
  expectWrong(module, {"the output is"}, [&](Module& changed) { product(changed)->result.reset(); });
  expectWrong(module, {"the input is uint8"}, [&](Module& changed) { softmax(changed)->from.reset(); });
  expectWrong(module, {"the result has no zero point"}, [&](Module& changed) { softmax(changed)->to.zeroPoint = 256; });
}

TEST(VerifyModule, TopPositions) {
  Fixture f;
  cpu::Module module = moduleOf(f, {f.builder.argMax(f.input({3, 5}), 1, {.keepDimensions = true})});
  cpu::ModuleNode& top = node(module, "argMax");
  top.operation = cpu::TopPositions{.input = module.inputs[0], .count = 1, .options = {}};
  const auto changed = [](Module& copy) { return as<cpu::TopPositions>(node(copy, "topPositions").operation); };
  expectWrong(module, {"it finds 6 of 5 elements"}, [&](Module& copy) { changed(copy)->count = 6; });
  expectWrong(module, {"it finds 0 of 5 elements"}, [&](Module& copy) { changed(copy)->count = 0; });
  expectWrong(module, {"the output is int32[3, 1] and not int32[3, 2]"}, [&](Module& copy) { changed(copy)->count = 2; });
}

TEST(VerifyModule, GatherSum) {
  Fixture f;
  const Operand rows = f.builder.gather(f.input({9, 8}), f.input(DataType::int32, {4, 5}));
  const Operand sum = f.builder.reduceSum(f.builder.mul(rows, f.input({4, 5, 1})), {.axes = {1}, .keepDimensions = false});
  const Module module = moduleOf(f, {sum}, "recogniseGatherSums");
  const auto op = [](Module& copy) { return as<cpu::GatherSum>(node(copy, "gatherSum").operation); };
  expectWrong(module, {"the axis 2 is out of bounds"}, [&](Module& copy) { op(copy)->axis = 2; });
  expectWrong(module, {"there are 20 indices"}, [&](Module& copy) { op(copy)->sizes = {4, 6}; });
  expectWrong(module, {"a tap is out of bounds"}, [&](Module& copy) { op(copy)->taps = {2}; });
  expectWrong(module, {"not in ascending order"}, [&](Module& copy) { op(copy)->taps = {1, 1}; });
  expectWrong(module, {"the output is float32[4, 8]"}, [&](Module& copy) { op(copy)->taps = {0}; });
  expectWrong(module, {"the operand of weights is float32"}, [&](Module& copy) { op(copy)->weights = op(copy)->input; });
  expectWrong(module, {"the mask is float32"}, [&](Module& copy) { op(copy)->mask = op(copy)->weights; });
  expectWrong(module, {"the indices are float32"}, [&](Module& copy) { op(copy)->indices = *op(copy)->weights; });
}

TEST(VerifyModule, QuantizedImages) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand scale = f.constant({1, 1, 1, 1}, {0.5}), zeroPoint = f.constant(DataType::uint8, {1, 1, 1, 1}, {7});
  const Operand x = b.dequantizeLinear(f.input(DataType::uint8, {1, 4, 5, 5}), scale, zeroPoint);
  const Operand y = b.dequantizeLinear(b.quantizeLinear(b.averagePool2d(x), scale, zeroPoint), scale, zeroPoint);
  const Operand z = b.resample2d(y, {.mode = InterpolationMode::linear, .scales = {{2, 2}}});
  const Module module = moduleOf(f, {b.quantizeLinear(z, scale, zeroPoint)}, "fuseQuantizedImages");
  const auto pool = [](Module& changed) { return as<cpu::QuantizedPool>(node(changed, "quantizedPool").operation); };
  const auto resample = [](Module& changed) { return as<cpu::Resample>(node(changed, "resample").operation); };
  expectWrong(module, {"quantizedPool: it is no averagePool2d"},
              [&](Module& changed) { pool(changed)->pool.kind = ops::Pool2dKind::maxPool2d; });
  expectWrong(module, {"quantizedPool: the input is uint8 and not int8"}, [&](Module& changed) {
    pool(changed)->input = {0.5F, 0, DataType::int8};
  });
  expectWrong(module, {"quantizedPool: the result has no zero point or scale of its type"},
              [&](Module& changed) { pool(changed)->result.to->scale = 0; });
  expectWrong(module, {"quantizedPool: the output is uint8[1, 4, 1, 1] and not float32[1, 4, 1, 1]"},
              [&](Module& changed) { pool(changed)->result.to.reset(); });
  expectWrong(module, {"resample: the output is uint8[1, 4, 2, 2] and not float32[1, 4, 2, 2]"},
              [&](Module& changed) { resample(changed)->to.reset(); });
  expectWrong(module, {"resample: the input is uint8"}, [&](Module& changed) { resample(changed)->from.reset(); });
  expectWrong(module, {"resample: the result has no zero point"}, [&](Module& changed) { resample(changed)->to->scale = 0; });
  expectWrong(module, {"resample: its axes are not one or two"},
              [&](Module& changed) { std::swap(resample(changed)->axes[0], resample(changed)->axes[1]); });
  expectWrong(module, {"resample: the axis 4 is out of bounds"}, [&](Module& changed) { resample(changed)->axes[1].axis = 4; });
  expectWrong(module, {"resample: the weights is int32"},
              [&](Module& changed) { resample(changed)->axes[0].weights = resample(changed)->axes[0].indices; });
  expectWrong(module, {"resample: its taps are no constants"},
              [&](Module& changed) { resample(changed)->axes[0].weights = resample(changed)->input; });
  expectWrong(module, {"resample: an index is out of bounds"}, [&](Module& changed) {
    std::vector<std::byte> bytes(4 * sizeof(std::int32_t), std::byte{1});
    resample(changed)->axes[0].indices = changed.constant({DataType::int32, {2, 2}}, std::move(bytes));
  });
}

TEST(VerifyModule, PackingOfOtherTypes) {
  Fixture f;
  const Module module = moduleOf(f, {f.builder.transpose(f.input(DataType::int4, {3, 5}))});
  expectWrong(module, {"repack: it makes uint8 of int4"}, [](Module& changed) {
    for (ModuleNode& one : changed.nodes) {
      if (as<cpu::Repack>(one.operation)) {
        one.outputs[0] = changed.intermediate({DataType::uint8, one.outputs[0].shape()});
        break;
      }
    }
  });
}

// A module that is ready to be planned, and its plan.
struct Planned {
  Planned(Fixture& f, const std::vector<Operand>& outputs, std::string_view last = "eliminateDeadCodeAgain")
      : module(moduleOf(f, outputs, last)) {
    separateOutputs(module);
    plan = planMemory(module);
    verifyPlan(module, plan);
  }
  cpu::Slot& slot(const Operand& operand) { return plan.slots[operand.record().index]; }
  cpu::Slot& slot(std::string_view name) { return slot(node(module, name).outputs[0]); }
  std::size_t at(std::string_view name) { return static_cast<std::size_t>(&node(module, name) - module.nodes.data()); }
  void expectWrong(const std::vector<std::string>& parts) {
    std::vector<std::string> all{"the CPU engine's memory plan is wrong: "};
    all.insert(all.end(), parts.begin(), parts.end());
    expectError(ErrorKind::unknownError, all, [&] { verifyPlan(module, plan); });
  }

  Module module;
  cpu::MemoryPlan plan;
};

// In this wrong plan, the concatenation is in the buffer of an output that is a view of one of its parts.
TEST(VerifyPlan, AConcatenationInTheBufferOfAPart) {
  for (const std::uint32_t rows : {2U, 200U}) {
    Fixture f;
    GraphBuilder& b = f.builder;
    const Operand part = b.softmax(f.input({2, 3}), 1), rest = b.softmax(f.input({rows, 3}), 1);
    Planned p(f, {b.reshape(part, {3, 2}), b.softmax(b.concat({part, rest}, 0), 1)});
    const Operand whole = node(p.module, "concat").outputs[0];
    p.slot(part) = p.slot(whole) = {p.plan.outputBase, 0};
    p.slot(rest) = {p.plan.outputBase, 24};
    p.plan.isView[p.at("concat")] = true;
    p.expectWrong({rows == 2 ? "step 1 (softmax) has %" : "softmax", "at byte 24 of output 0, of which there are 24"});
  }
}

TEST(VerifyPlan, APartInTheBufferOfTheWholeWhileItsViewIsAnOutput) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand part = b.softmax(f.input({2, 3}), 1), rest = b.softmax(f.input({2, 3}), 1);
  Planned p(f, {b.reshape(part, {3, 2}), b.concat({part, rest}, 0)});
  p.slot(part) = p.slot("reshape") = {p.plan.outputBase + 1, 0};
  p.expectWrong({"output \"y0\" is not in its buffer"});
}

TEST(VerifyPlan, ARowNormalizationOverItsScaleOrBias) {
  for (const bool isScale : {true, false}) {
    Fixture f;
    GraphBuilder& b = f.builder;
    const Operand a = b.softmax(f.input({1, 64}), 1);
    const Operand n = b.layerNormalization(b.add(a, f.input({1, 64})), {.axes = {1}});
    Planned p(f, {b.softmax(isScale ? b.mul(n, a) : b.add(n, a), 1)});
    p.slot("rowNormalization") = p.slot(a);
    p.expectWrong({"step 1 (rowNormalization) writes %", ", which it still reads"});
  }
}

TEST(VerifyPlan, AResultOverAValueThatIsNeededLater) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand a = b.softmax(f.input({4, 4}), 1), c = b.softmax(b.transpose(a), 1);
  Planned p(f, {b.matmul(a, c)});
  p.slot(c) = p.slot(a);
  p.expectWrong({"(batchGemm) reads %", "over which %"});
}

TEST(VerifyPlan, InPlaceWhereNoContractAllowsIt) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand a = b.softmax(f.input({4, 4}), 1), row = b.softmax(f.input({1, 4}), 1);
  Planned p(f, {b.softmax(b.exp(b.mul(b.transpose(a), row)), 1)});
  const cpu::Slot right = p.slot("fusedElementwise");
  p.slot("transpose") = p.slot(a);  // a transpose reads its operand until it ends
  p.expectWrong({"(transpose) writes %", "which it still reads"});
  p.slot("transpose") = right;
  p.slot("fusedElementwise") = p.slot(row);  // a broadcast operand is read until the step ends
  p.expectWrong({"(fusedElementwise) writes %", "which it still reads"});
  p.slot("fusedElementwise") = {right.base, right.offset + 4};  // the result is shifted by one element against the operand
  p.plan.arenaBytes += 64;
  p.expectWrong({"(fusedElementwise) writes %", "which it still reads"});
}

TEST(VerifyPlan, AnAddendOfAnEpilogueUnderTheResult) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand a = b.softmax(f.input({4, 4}), 1);
  Planned p(f, {b.softmax(b.add(b.matmul(f.input({4, 4}), f.constant({4, 4}, {0.5})), a), 1)});
  p.slot("batchGemm") = p.slot(a);
  p.expectWrong({"(batchGemm) writes %", "which it still reads"});
}

TEST(VerifyPlan, ValuesOutsideTheirMemory) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand a = b.softmax(f.input({4, 4}), 1);
  Planned p(f, {b.softmax(b.transpose(a), 1)});
  const cpu::Slot right = p.slot("transpose");
  p.slot("transpose").offset = p.plan.arenaBytes - 4;
  p.expectWrong({"(transpose) has %", "of the arena, of which there are 128"});
  p.slot("transpose") = {p.plan.inputBase(), 0};
  p.expectWrong({"(transpose) writes %", "to input 0"});
  p.slot("transpose") = {p.plan.outputBase, 0};  // the last step overwrites this memory
  p.expectWrong({"(softmax) writes %", "which it still reads"});
  p.slot("transpose") = right;
  p.slot("softmax") = {0, 0};
  p.slot(node(p.module, "softmax").outputs[0]) = {7, 0};
  p.expectWrong({"has no place for %"});
}

TEST(VerifyPlan, OutputsThatAreElsewhere) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = f.input({4, 4});
  Planned p(f, {b.softmax(x, 1), b.softmax(x, 0)});
  std::swap(p.slot(p.module.outputs[0].second), p.slot(p.module.outputs[1].second));
  p.expectWrong({"output \"y0\" is not in its buffer"});
}

TEST(VerifyPlan, TwoOutputsInOnePlace) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const std::vector<Operand> parts = b.split(f.input({4, 4}), 2U, {.axis = 1});
  Planned p(f, {b.matmul(parts[0], b.transpose(parts[1]))});
  p.slot(parts[1]) = p.slot(parts[0]);
  p.expectWrong({"(split) writes two outputs to one place"});
}

TEST(VerifyPlan, StepsThatAreLeftOut) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = f.input({4, 4});
  Planned p(f, {b.softmax(b.reshape(b.softmax(x, 1), {2, 8}), 1), b.concat({x, x}, 0)});
  p.plan.isView[p.at("concat")] = true;
  p.expectWrong({"(concat) has no step, but %", "is not computed in its memory"});
  p.plan.isView[p.at("concat")] = false;
  p.plan.isView[p.at("softmax")] = true;
  p.expectWrong({"(softmax) has no step, but is neither a view"});
  p.plan.isView[p.at("softmax")] = false;
  p.slot("reshape").offset += 64;
  p.plan.arenaBytes += 64;
  p.expectWrong({"(reshape) does not lie in the memory of %"});
}

TEST(VerifyPlan, RejectsReadsOfUnwrittenMemory) {
  Fixture f;
  GraphBuilder& b = f.builder;
  Planned p(f, {b.softmax(b.reshape(b.softmax(f.input({4, 4}), 1), {2, 8}), 1)});
  p.plan.isView[p.at("reshape")] = false;
  p.slot("reshape").offset += 64;
  p.plan.arenaBytes += 64;
  verifyPlan(p.module, p.plan);  // copying instead of viewing is also correct
  p.module.nodes.erase(p.module.nodes.begin());
  p.plan.isView.erase(p.plan.isView.begin());
  p.expectWrong({"step 0 (reshape) reads %", "which nothing wrote in the arena"});
}

// Parts of a concatenation that convolutions compute, with gaps between rows.
struct PlannedParts : Planned {
  static std::vector<Operand> outputs(Fixture& f) {
    GraphBuilder& b = f.builder;
    const Conv2dOptions nhwc{.inputLayout = InputOperandLayout::nhwc};
    const Operand x = f.input({1, 6, 5, 4});
    const Operand first =
        b.conv2d(x, f.input({8, 1, 1, 4}),
                 {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi, .label = "first"});
    const Operand second =
        b.conv2d(x, f.input({3, 1, 1, 4}),
                 {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi, .label = "second"});
    return {b.softmax(b.concat({first, second}, 3), 3)};
  }
  explicit PlannedParts(Fixture& f) : Planned(f, outputs(f)) {}
  const Operand& part(std::size_t i) { return as<ops::Concat>(node(module, "concat").operation)->inputs[i]; }
};

TEST(VerifyPlan, PartsWithGapsBetweenTheirRows) {
  Fixture f;
  PlannedParts p(f);
  ASSERT_TRUE(p.plan.isView[p.at("concat")]);
  const cpu::MemoryPlan right = p.plan;
  std::swap(p.slot(p.part(0)), p.slot(p.part(1)));
  p.expectWrong({"(convolution \"first\") has %", "where it is no part of %"});
  p.plan = right;
  p.plan.rowStrides[p.part(1).record().index] = 12;
  p.expectWrong({"(convolution \"second\") has %", "where it is no part of %"});
  p.plan = right;
  p.plan.rowStrides[p.part(1).record().index] = 0;  // this would overwrite rows of the first part
  p.expectWrong({"(concat) reads %", "whose memory another value has taken"});
  p.plan = right;
  p.plan.isView[p.at("concat")] = false;  // the step then copies nothing, which is correct
  verifyPlan(p.module, p.plan);
  p.plan.rowStrides[p.part(0).record().index] = 0;
  p.slot(p.part(0)) = {0, p.plan.arenaBytes};
  p.plan.arenaBytes += 1024;
  verifyPlan(p.module, p.plan);  // one part has its own memory and is copied
}

TEST(VerifyPlan, APartThatIsOverwrittenBeforeItIsWhole) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand a = b.softmax(f.input({2, 2}), 1), t = b.softmax(b.transpose(f.input({2, 2})), 0);
  const Operand c = b.softmax(b.transpose(t), 1);
  Planned p(f, {b.softmax(b.concat({a, c}, 0), 1)});
  ASSERT_TRUE(p.plan.isView[p.at("concat")]);
  p.slot(t) = p.slot(a);
  p.expectWrong({"(concat) reads %", "over which %"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
