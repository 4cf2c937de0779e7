// Tests that the first C++ programs of new users work, or that the error names their mistake. everyday_tasks.py has the other
// languages.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/files.h"
#include "support/support.h"
#include "webnn/webnn.hpp"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

struct EverydayTasks : ::testing::Test {
  void SetUp() override {
    writeText(model,
              "webnn_graph \"open\" v2 { inputs { x: f32[dyn(\"batch\", 8), 2]; y: f32[dyn(\"batch\", 8), 2]; } "
              "nodes { z = add(x, y); } outputs { z; } }");
  }
  TemporaryFolder folder;
  const std::filesystem::path model = folder / "open.webnn";
  Context context = Context::create();
};

std::vector<float> valuesOf(const Array& array) {
  const std::span<const float> values = array.as<float>();
  return {values.begin(), values.end()};
}

TEST_F(EverydayTasks, RunAModelOnVectorsOfAnyBatch) {
  Session session = Session::load(model);
  const std::vector<float> one{1, 2}, two{1, 2, 3, 4};
  EXPECT_EQ(valuesOf(session.run({{"x", {one, {1, 2}}}, {"y", {one, {1, 2}}}}).at("z")), (std::vector<float>{2, 4}));
  EXPECT_EQ(valuesOf(session.run({{"x", {two, {2, 2}}}, {"y", {two, {2, 2}}}}).at("z")), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(EverydayTasks, ListInputsAndOutputsOfAModel) {
  const Session session = Session::load(model);
  ASSERT_EQ(session.inputs().size(), 2u);
  EXPECT_EQ(session.inputs()[0].name, "x");
  EXPECT_EQ(session.inputs()[0].dataType, DataType::float32);
  ASSERT_EQ(session.outputs().size(), 1u);
  EXPECT_EQ(session.outputs()[0].name, "z");
}

TEST_F(EverydayTasks, LoadAModelWithOpenDimensionsAsAGraph) {
  expectTypeError({"the dimension \"batch\" has no size"}, [&] { load(context, model); });
  EXPECT_EQ(load(context, model, {.dimensions = {{"batch", 3}}}).outputs()[0].second.shape, (Shape{3, 2}));
}

TEST_F(EverydayTasks, ForgetAnInput) {
  const Session session = Session::load(model);
  const std::vector<float> one{1, 2};
  expectTypeError({"\"y\""}, [&] { session.run({{"x", {one, {1, 2}}}}); });
}

TEST_F(EverydayTasks, GiveContradictoryShapes) {
  const Session session = Session::load(model);
  const std::vector<float> one{1, 2}, two{1, 2, 3, 4};
  expectTypeError({"\"batch\"", "\"y\""}, [&] { session.run({{"x", {one, {1, 2}}}, {"y", {two, {2, 2}}}}); });
}

TEST_F(EverydayTasks, MakeAConstantOfWholeNumbers) {
  GraphBuilder builder(Context::create());
  expectTypeError({"float32"}, [&] { builder.constant<int>({DataType::float32, {2}}, {1, 2}); });
}

TEST_F(EverydayTasks, ReadATensorAsAnotherType) {
  const Tensor tensor = context.createTensor({.shape = {2}, .readable = true});
  expectTypeError({"float32"}, [&] { context.read<int>(tensor); });
  EXPECT_EQ(context.read<float>(tensor), (std::vector<float>{0, 0}));
}

TEST_F(EverydayTasks, UseOfEmptyObjectsThrows) {
  const std::vector<std::function<void()>> uses{[] { Graph{}.inputs(); }, [] { Session{}.inputs(); },
                                                [] { Context{}.createTensor({.shape = {1}}); },
                                                [] {
                                                  GraphBuilder builder(Context::create());
                                                  const GraphBuilder other = std::move(builder);
                                                  builder.input("x", {DataType::float32, {1}});
                                                }};
  for (const std::function<void()>& use : uses) EXPECT_THROW(use(), Error);
}

TEST_F(EverydayTasks, SaveInAFormatThatIsNone) {
  const Graph graph = load(context, model, {.dimensions = {{"batch", 1}}});
  expectTypeError({"model.h5", ".onnx"}, [&] { save(graph, folder / "model.h5"); });
  EXPECT_FALSE(std::filesystem::exists(folder / "model.h5"));
}

TEST_F(EverydayTasks, ConvertAndRunAgain) {
  const std::filesystem::path onnx = folder / "model.onnx";
  save(load(context, model, {.dimensions = {{"batch", 1}}}), onnx);
  const std::vector<float> one{1, 2};
  EXPECT_EQ(valuesOf(Session::load(onnx).run({{"x", {one, {1, 2}}}, {"y", {one, {1, 2}}}}).at("z")), (std::vector<float>{2, 4}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
