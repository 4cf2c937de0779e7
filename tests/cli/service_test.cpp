// Tests the subcommands that compute, in a private process and in a running service.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/text.h"
#include "cli/tool.h"
#include "support/files.h"
#include "support/running_service.h"
#include "webnn/webnn.hpp"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr const char* kDigits = "examples/digits/digits.webnn";

ToolResult ask(const RunningService& service, const std::string& what, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"service", what, "--address", service.address()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runTool(arguments);
}

nlohmann::json outputsOf(const ToolResult& result) {
  EXPECT_EQ(result.status, 0) << result.err;
  return nlohmann::json::parse(result.out).at("outputs");
}

TEST(CliService, RunComputesTheSameInAProcessOfItsOwn) {
  const std::vector<std::string> arguments{"run", repositoryFile(kDigits), "--input", "random:1", "--json"};
  std::vector<std::string> elsewhere = arguments;
  elsewhere.emplace_back("--service");
  const auto here = outputsOf(runTool(arguments));
  EXPECT_EQ(outputsOf(runTool(elsewhere)), here);
  EXPECT_EQ(outputsOf(runTool(arguments, {"WEBNN_SERVICE=private"})), here);
}

TEST(CliService, ComparesAndMeasuresBackendsHereAndThere) {
  const ToolResult diff =
      runTool({"diff", repositoryFile(kDigits), "--backends", "cpu,cpu:service", "--tolerance", "0ulp", "--all"});
  EXPECT_EQ(diff.status, 0) << diff.out << diff.err;
  const ToolResult random = runTool({"diff", "--random", "20", "--backends", "reference,cpu:service", "--threads", "1"});
  EXPECT_EQ(random.status, 0) << random.out << random.err;
  const ToolResult bench = runTool({"bench", repositoryFile(kDigits), "--backends", "cpu,cpu:service", "--runs", "3", "--json"});
  ASSERT_EQ(bench.status, 0) << bench.err;
  const auto rows = nlohmann::json::parse(bench.out).at("rows");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(1).at("backend"), "cpu:service");
}

TEST(CliService, AServiceServesEverySubcommandUntilItIsStopped) {
  RunningService service(WEBNN_TOOL);
  const std::string option = "--service=" + service.address();
  const std::vector<std::string> arguments{"run", repositoryFile(kDigits), "--input", "random:1", "--json"};
  std::vector<std::string> elsewhere = arguments;
  elsewhere.push_back(option);
  EXPECT_EQ(outputsOf(runTool(elsewhere)), outputsOf(runTool(arguments)));
  const ToolResult diff =
      runTool({"diff", repositoryFile(kDigits), "--backends", "cpu,cpu:service=" + service.address(), "--tolerance", "0ulp"});
  EXPECT_EQ(diff.status, 0) << diff.out << diff.err;
  const ToolResult bench = runTool({"bench", repositoryFile(kDigits), "--runs", "3", option});
  EXPECT_EQ(bench.status, 0) << bench.err;

  const auto status = nlohmann::json::parse(ask(service, "status", {"--json"}).out);
  EXPECT_GE(status.at("started"), 3);
  EXPECT_EQ(status.at("lost"), 0);
  EXPECT_EQ(status.at("tenants").at(0).at("contexts"), 0);

  EXPECT_EQ(ask(service, "stop").status, 0);
  EXPECT_EQ(service.end(), 0);
  expectMessage(runTool({"run", repositoryFile(kDigits), "--input", "random:1", option}), 1,
                {"there is no service at", "socket"});
}

TEST(CliService, AWorkerHasNoMoreThreadsThanItNeeds) {
  const RunningService service(WEBNN_TOOL);
  Context context = Context::create({.service = service.address()});
  const OperandDescriptor matrix{DataType::float32, {512, 512}};
  GraphBuilder builder(context);
  const Operand x = builder.input("x", matrix);
  const Graph graph = builder.build({{"y", builder.matmul(x, x)}});
  const Tensor input = context.createTensor({.dataType = matrix.dataType, .shape = matrix.shape}),
               output = context.createTensor({.dataType = matrix.dataType, .shape = matrix.shape, .readable = true});
  context.dispatch(graph, {{"x", input}}, {{"y", output}});
  EXPECT_EQ(context.read<float>(output).at(0), 0);
  const std::string children = readText(formatText("/proc/{0}/task/{0}/children", service.process()));
  const std::filesystem::path tasks = formatText("/proc/{}/task", std::stol(children));
  // The worker has compute threads and two others: one for requests, one for dispatches.
  EXPECT_LE(std::distance(std::filesystem::directory_iterator(tasks), {}), std::thread::hardware_concurrency() + 2);
}

TEST(CliService, ErrorsQuoteTheWrongAddress) {
  expectMessage(runTool({"run", repositoryFile(kDigits), "--service=tcp:1.2.3.4"}), 1, {"unix:PATH", "tcp:1.2.3.4"});
  expectMessage(runTool({"diff", repositoryFile(kDigits), "--backends", "cpu,cpu:service=nowhere"}), 1, {"unix:PATH", "nowhere"});
  expectMessage(runTool({"run", repositoryFile(kDigits), "--service"}, {"WEBNN_SERVICE_PROGRAM=/nonexistent"}), 1,
                {"/nonexistent"});
  expectMessage(runTool({"service", "status", "--address", "private"}), 1, {"a private service answers nobody but its program"});
}

TEST(CliService, TokensAreNewAndFitTheirHashes) {
  const ToolResult first = runTool({"service", "token"}), second = runTool({"service", "token"});
  EXPECT_EQ(first.status, 0);
  EXPECT_NE(first.out, second.out);
  EXPECT_NE(first.out.find("\"token\": \"sha256:"), std::string::npos) << first.out;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
