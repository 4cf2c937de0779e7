// Tests handles that refer to nothing, because they are default-constructed or moved from: every method throws a webnn::Error.
#include <functional>
#include <string>
#include <vector>

#include "ops/operation.h"
#include "support/support.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

struct Row {
  std::string method;
  std::function<void()> call;
  ErrorKind kind = ErrorKind::invalidStateError;
};

void expectErrors(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.method);
    test::expectError(row.kind, {"nothing"}, row.call);
  }
}

std::vector<Row> rowsOf(Context context) {
  const Graph graph;
  const Tensor tensor;
  const auto with = [=](auto call) { return [=] { call(context); }; };
  return {
      {"accelerated", with([](Context c) { c.accelerated(); })},
      {"backend", with([](Context c) { c.backend(); })},
      {"service", with([](Context c) { c.service(); })},
      {"opSupportLimits", with([](Context c) { c.opSupportLimits(); })},
      {"limits", with([](Context c) { c.limits(); })},
      {"memoryInUse", with([](Context c) { c.memoryInUse(); })},
      {"createTensor", with([](Context c) { c.createTensor({}); })},
      {"createConstantTensor", with([](Context c) { c.createConstantTensor({}, std::vector<std::byte>(4)); })},
      {"writeTensor", with([=](Context c) { c.writeTensor(tensor, {}); })},
      {"write", with([=](Context c) { c.write(tensor, std::vector<float>(1)); })},
      {"readTensor", with([=](Context c) { c.readTensor(tensor); })},
      {"readTensor into", with([=](Context c) { c.readTensor(tensor, std::span<std::byte>()); })},
      {"readTensor calling", with([=](Context c) { c.readTensor(tensor, {}, [](std::exception_ptr) {}); })},
      {"read", with([=](Context c) { c.read<float>(tensor); })},
      {"dispatch", with([=](Context c) { c.dispatch(graph, {}, {}); })},
      {"compile", with([=](Context c) { c.compile(graph); })},
      {"lost", with([](Context c) { c.lost(); })},
      {"destroy", with([](Context c) { c.destroy(); })},
      {"GraphBuilder", with([](Context c) { GraphBuilder builder(c); }), ErrorKind::typeError},
      {"load", with([](Context c) { load(c, ExternalBytes{}); }), ErrorKind::typeError},
      {"Session::load", with([](Context c) { Session::load(c, ExternalBytes{}); }), ErrorKind::typeError},
  };
}

std::vector<Row> rowsOf(const Graph& graph) {
  return {{"inputs", [=] { graph.inputs(); }, ErrorKind::typeError},
          {"outputs", [=] { graph.outputs(); }, ErrorKind::typeError},
          {"compute", [=] { graph.compute({}, {}); }, ErrorKind::typeError},
          {"memoryEstimate", [=] { graph.memoryEstimate(); }, ErrorKind::typeError},
          {"notes", [=] { graph.notes(); }, ErrorKind::typeError},
          {"placement", [=] { graph.placement(); }, ErrorKind::typeError},
          {"destroy", [=] { Graph(graph).destroy(); }, ErrorKind::typeError},
          {"compile", [=] { test::makeContext().compile(graph); }, ErrorKind::typeError},
          {"save", [=] { save(graph, "g.webnn"); }, ErrorKind::typeError},
          {"toDot", [=] { toDot(graph); }, ErrorKind::typeError},
          {"Session", [=] { Session session(graph); }, ErrorKind::typeError}};
}

std::vector<Row> rowsOf(const Tensor& tensor) {
  return {{"dataType", [=] { tensor.dataType(); }},      {"shape", [=] { tensor.shape(); }},
          {"descriptor", [=] { tensor.descriptor(); }},  {"readable", [=] { tensor.readable(); }},
          {"writable", [=] { tensor.writable(); }},      {"constant", [=] { tensor.constant(); }},
          {"destroy", [=] { Tensor(tensor).destroy(); }}};
}

std::vector<Row> rowsOf(const Operand& operand) {
  return {{"dataType", [=] { operand.dataType(); }},
          {"shape", [=] { operand.shape(); }},
          {"rank", [=] { operand.rank(); }},
          {"descriptor", [=] { operand.descriptor(); }}};
}

std::vector<Row> rowsOf(GraphBuilder& builder, const Operand& operand) {
  std::vector<Row> rows{{"input", [&] { builder.input("x", {}); }},
                        {"constant of bytes", [&] { builder.constant({}, std::vector<std::byte>(4)); }},
                        {"constant of external bytes", [&] { builder.constant({}, ExternalBytes{}); }},
                        {"constant of elements", [&] { builder.constant(OperandDescriptor{}, std::initializer_list<float>{1}); }},
                        {"constant of a number", [&] { builder.constant(DataType::float32, 1); }},
                        {"constant of a tensor",
                         [&] { builder.constant(test::makeContext().createConstantTensor({}, std::vector<std::byte>(4))); }},
                        {"build",
                         [&] {
                           builder.build({{"y", operand}});
                         }},
                        {"buildAsync",
                         [&] {
                           builder.buildAsync({{"y", operand}});
                         }},
                        {"buildAsync calling",
                         [&] {
                           builder.buildAsync({{"y", operand}}, [](std::exception_ptr, const Graph&) {});
                         }},
                        {"setName", [&] { builder.setName(operand, "y"); }},
                        {"setGraphName", [&] { builder.setGraphName("g"); }},
                        {"state", [&] { builder.state(); }},
                        {"add", [&] { builder.add(operand, operand); }},
                        {"split", [&] { builder.split(operand, 1U); }},
                        {"lstm", [&] { builder.lstm(operand, operand, operand, 1, 1); }}};
  for (const Operation& operation : allOperations())
    rows.push_back({"append " + std::string(name(operation)), [&] { builder.append(operation); }});
  return rows;
}

TEST(HandlesOfNothing, ThrowInEachMethod) {
  expectErrors(rowsOf(Context()));
  expectErrors(rowsOf(Graph()));
  expectErrors(rowsOf(Tensor()));
  expectErrors(rowsOf(Operand()));
}

TEST(HandlesOfNothing, AreThoseThatWereMovedFrom) {
  Context context = test::makeContext();
  GraphBuilder builder(context);
  Operand x = builder.input("x", {DataType::float32, {1}});
  Graph graph = builder.build({{"y", builder.neg(x)}});
  Tensor tensor = context.createTensor({DataType::float32, {1}, true, true});
  const Operand operand = std::move(x);
  const GraphBuilder movedBuilder = std::move(builder);
  const Graph movedGraph = std::move(graph);
  const Tensor movedTensor = std::move(tensor);
  const Context movedContext = std::move(context);
  expectErrors(rowsOf(context));
  expectErrors(rowsOf(graph));
  expectErrors(rowsOf(tensor));
  expectErrors(rowsOf(x));
  expectErrors(rowsOf(builder, operand));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
