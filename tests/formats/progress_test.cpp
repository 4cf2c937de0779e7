// Tests the progress reports of loads and builds: CallOptions::onProgress.
#include "support/files.h"
#include "support/onnx_model.h"
#include "support/support.h"
#include "webnn/formats.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

struct Seen {
  std::vector<std::string> phases;
  std::map<std::string, std::vector<CallProgress>> reports;

  std::function<void(const CallProgress&)> listener() {
    return [this](const CallProgress& progress) {
      const std::string phase(progress.phase);
      if (phases.empty() || phases.back() != phase) phases.push_back(phase);
      reports[phase].push_back({{}, progress.done, progress.total});
    };
  }
  // Checks that each phase begins at 0, never decreases and ends with its total.
  void check(const std::vector<std::string>& expected) const {
    EXPECT_EQ(phases, expected);
    for (const auto& [phase, all] : reports) {
      SCOPED_TRACE(phase);
      EXPECT_EQ(all.front().done, 0u);
      EXPECT_EQ(all.back().done, all.back().total);
      for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_LE(all[i - 1].done, all[i].done);
        EXPECT_EQ(all[i - 1].total, all[i].total);
      }
    }
  }
};

constexpr std::string_view kText = R"(webnn_graph "g" v2 {
  inputs { x: f32[2]; }
  nodes { a = neg(x); b = exp(a); y = tanh(b); }
  outputs { y; }
})";

TEST(Progress, OfALoadIsToldForEachPhase) {
  Context context = test::makeContext("cpu");
  Seen seen;
  load(context, ExternalBytes{std::as_bytes(std::span(kText)), nullptr}, {.call = {.onProgress = seen.listener()}});
  seen.check({"load", "optimize", "prepare"});
  EXPECT_EQ(seen.reports["load"].back().total, 3u);
}

TEST(Progress, OfAnOnnxModelCountsItsNodes) {
  using namespace test::onnx;
  test::onnx::Graph graph;
  graph.nodes = {{"Neg", {"x"}, {"a"}}, {"Exp", {"a"}, {"y"}}};
  graph.inputs = {{"x", kFloat, {{2}}}};
  graph.outputs = {{"y"}};
  const std::string bytes = modelBytes({graph});
  Context context = test::makeContext();
  Seen seen;
  load(context, ExternalBytes{std::as_bytes(std::span(bytes)), nullptr}, {.call = {.onProgress = seen.listener()}});
  seen.check({"load"});
  EXPECT_EQ(seen.reports["load"].back().total, 2u);
}

TEST(Progress, OfABuildIsToldButNotOnAnotherThread) {
  Context context = Context::create({.backend = "cpu"});
  const auto build = [&](auto call) {
    GraphBuilder builder(context);
    const Operand x = builder.input("x", {DataType::float32, {2}});
    return call(builder, std::vector<NamedOperand>{{"y", builder.neg(x)}});
  };
  Seen seen, unseen;
  const webnn::Graph graph =
      build([&](GraphBuilder& builder, auto outputs) { return builder.build(outputs, {.onProgress = seen.listener()}); });
  seen.check({"optimize", "prepare"});
  build(
      [&](GraphBuilder& builder, auto outputs) { return builder.buildAsync(outputs, {.onProgress = unseen.listener()}).get(); });
  unseen.check({});
  Context other = test::makeContext("cpu");
  Seen again;
  other.compile(graph, {.onProgress = again.listener()});
  again.check({"optimize", "prepare"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
