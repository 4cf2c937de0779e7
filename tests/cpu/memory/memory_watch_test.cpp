// Tests the detection of steps that write to wrong memory.
#include "backends/cpu/compile/memory_watch.h"

#include <cstring>

#include "context/graph_state.h"
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// Two steps with the memory of a run. The second step has scratch memory.
struct Watched {
  static constexpr std::size_t kScratch = 128;

  Watched()
      : module(moduleOf(f)),
        plan(planApart(module, cpu::kGuardBytes)),
        watch(module, plan),
        arena(plan.arenaBytes + kScratch + 64) {
    watch.addStep(module.nodes[0], plan, 0);
    watch.addStep(module.nodes[1], plan, kScratch);
    watch.setArena(arena.size());
    sources = {arena.data(), input.data(), output.data()};
    targets = {arena.data(), nullptr, output.data()};
  }
  static cpu::Module moduleOf(Fixture& f) {
    const Operand y = f.builder.softmax(f.builder.softmax(f.input({4, 4}), 1, {.label = "first"}), 0);
    return cpu::Module(*f.builder.build({{"y", y}}).state()->definition);
  }
  std::size_t between() const { return plan.slots[module.nodes[0].outputs[0].record().index].offset; }

  Fixture f;
  cpu::Module module;
  cpu::MemoryPlan plan;
  cpu::MemoryWatch watch;
  std::vector<std::byte> arena, input = std::vector<std::byte>(64), output = std::vector<std::byte>(64);
  std::vector<const std::byte*> sources;
  std::vector<std::byte*> targets;
  cpu::Frame frame() const { return {sources.data(), targets.data(), cpu::singleThread()}; }
};

TEST(MemoryWatch, FillsMemoryThatNobodyWroteOtherwiseInEveryRun) {
  Watched w;
  for (const int value : {0xFF, 0x55}) {
    cpu::MemoryWatch::Run run(w.watch, w.frame(), value == 0xFF ? 0 : 1);
    EXPECT_EQ(w.arena, std::vector<std::byte>(w.arena.size(), static_cast<std::byte>(value)));
    EXPECT_EQ(w.output, std::vector<std::byte>(64, static_cast<std::byte>(value)));
    EXPECT_EQ(w.input, std::vector<std::byte>(64));
  }
}

TEST(MemoryWatch, StepsWriteTheirOutputsAndScratchAlone) {
  Watched w;
  cpu::MemoryWatch::Run run(w.watch, w.frame(), 0);
  run.before(0);
  std::memset(w.arena.data() + w.between(), 1, 64);
  run.after(0);
  run.before(1);
  std::memset(w.output.data(), 2, 64);
  std::memset(w.arena.data() + w.plan.arenaBytes, 3, Watched::kScratch);
  run.after(1);
}

TEST(MemoryWatch, NamesTheStepThatWritesElsewhere) {
  const auto expectElsewhere = [](std::size_t step, const std::vector<std::string>& parts,
                                  const std::function<void(Watched&)>& write) {
    Watched w;
    cpu::MemoryWatch::Run run(w.watch, w.frame(), 0);
    run.before(step);
    write(w);
    expectError(ErrorKind::unknownError, parts, [&] { run.after(step); });
  };
  // The first step writes directly after its result, directly before it, to an input and to an output.
  expectElsewhere(0, {"step 0 (softmax \"first\") has written to byte 320 of base 0"},
                  [](Watched& w) { w.arena[w.between() + 64] = std::byte{1}; });
  expectElsewhere(0, {"step 0", "byte 255 of base 0"}, [](Watched& w) { w.arena[w.between() - 1] = std::byte{1}; });
  expectElsewhere(0, {"step 0", "byte 7 of base 1"}, [](Watched& w) { w.input[7] = std::byte{1}; });
  expectElsewhere(0, {"step 0", "byte 0 of base 2"}, [](Watched& w) { w.output[0] = std::byte{1}; });
  // Scratch memory: the first step has none, and the second step writes after the end of its own.
  expectElsewhere(0, {"step 0"}, [](Watched& w) { w.arena[w.plan.arenaBytes] = std::byte{1}; });
  expectElsewhere(1, {"step 1 (softmax)"}, [](Watched& w) { w.arena[w.plan.arenaBytes + Watched::kScratch] = std::byte{1}; });
  // The second step reads the result of the first step, and overwrites it.
  expectElsewhere(1, {"step 1 (softmax)"}, [](Watched& w) { w.arena[w.between()] = std::byte{1}; });
}

TEST(MemoryWatch, RowsWithGapsAreWrittenOneByOne) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const auto part = [&](const Operand& x, std::uint32_t channels) {
    return b.conv2d(x, f.constant({channels, 1, 1, 4}, {0.5}),
                    {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi});
  };
  const Operand x = f.input({1, 6, 5, 4});
  expectCpuAgrees(f, {b.concat({part(x, 3), part(b.neg(x), 8)}, 3)}, {.relative = 1e-5, .absolute = 1e-5});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
