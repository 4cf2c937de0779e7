// Tests `webnn bench`, and how `webnn inspect` lists the CPU engine's passes and prints the graph after each.
#include "cli/bench/bench.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "backends/cpu/compile/pipeline.h"
#include "base/files/file_descriptor.h"
#include "cli/bench/bench_process.h"
#include "cli/tool.h"
#include "context/graph_state.h"
#include "measure/graph_work.h"
#include "support/files.h"
#include "support/support.h"
#include "webnn/webnn.hpp"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Json = nlohmann::json;

const std::string kDigits = repositoryFile("examples/digits/digits.webnn");

std::uint64_t flopOfGraph(Fixture& fixture, const Operand& y) {
  return measure::flopOf(*fixture.builder.build({{"y", y}}).state()->definition);
}

TEST(Flop, OfAConvolutionCountsTheFilterAtEveryOutput) {
  Fixture f;
  // The convolution has 6 input channels in 2 groups of 3. Its output is [1, 4, 7, 6].
  const Operand y = f.builder.conv2d(f.input({1, 6, 9, 8}), f.input({4, 3, 3, 3}), {.groups = 2});
  EXPECT_EQ(flopOfGraph(f, y), 2u * (4 * 7 * 6) * (3 * 3 * 3));
}

TEST(Flop, OfAConvolutionKnowsLayouts) {
  Fixture f;
  Conv2dOptions options;
  options.inputLayout = InputOperandLayout::nhwc;
  options.filterLayout = Conv2dFilterOperandLayout::hwio;
  EXPECT_EQ(flopOfGraph(f, f.builder.conv2d(f.input({1, 5, 5, 2}), f.input({3, 3, 2, 7}), options)),
            2u * (7 * 3 * 3) * (2 * 3 * 3));
}

TEST(Flop, OfATransposedConvolutionCountsTheFilterAtEveryInput) {
  Fixture f;
  EXPECT_EQ(flopOfGraph(f, f.builder.convTranspose2d(f.input({1, 2, 5, 4}), f.input({2, 3, 2, 2}))),
            2u * (2 * 5 * 4) * (3 * 2 * 2));
}

TEST(Flop, OfProductsCountsBroadcastBatches) {
  Fixture f;
  EXPECT_EQ(flopOfGraph(f, f.builder.matmul(f.input({4, 1, 2, 3}), f.input({5, 3, 7}))), 2u * (4 * 5 * 2 * 7) * 3);
  Fixture g;
  EXPECT_EQ(flopOfGraph(g, g.builder.gemm(g.input({3, 2}), g.input({3, 7}), {.aTranspose = true})), 2u * (2 * 7) * 3);
}

TEST(Flop, OfNetworksCountsStepsSequencesAndDirections) {
  Fixture f;
  LstmOptions options;
  options.direction = RecurrentNetworkDirection::both;
  const Operand y = f.builder.lstm(f.input({5, 2, 3}), f.input({2, 16, 3}), f.input({2, 16, 4}), 5, 4, options)[0];
  EXPECT_EQ(flopOfGraph(f, y), 2u * 5 * 2 * 2 * 16 * (3 + 4));
  Fixture g;
  EXPECT_EQ(flopOfGraph(g, g.builder.gruCell(g.input({2, 3}), g.input({12, 3}), g.input({12, 4}), g.input({2, 4}), 4)),
            2u * 2 * 12 * (3 + 4));
}

TEST(Flop, OfOtherOperationsIsNone) {
  Fixture f;
  EXPECT_EQ(flopOfGraph(f, f.builder.exp(f.input({3}))), 0u);
}

TEST(Percentile, IsAValueThatIsThere) {
  EXPECT_EQ(cli::percentile({1, 2, 3, 4}, 0.5), 2);
  EXPECT_EQ(cli::percentile({1, 2, 3, 4}, 0.9), 4);
  EXPECT_EQ(cli::percentile({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.9), 9);
  EXPECT_EQ(cli::percentile({7}, 0.99), 7);
  EXPECT_EQ(cli::median({3, 1, 2}), 2);
}

// Starts a shell script as a peer. Its standard input is the socket to the test.
cli::BenchProcess shell(const std::string& script) { return cli::BenchProcess("/bin/sh", {"sh", "-c", script}); }

std::string failureOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

// Returns the state of a process in /proc, such as 'T' for a stopped process.
char stateOf(const std::string& id) {
  const std::string text = readText("/proc/" + id + "/stat");
  return text.at(text.rfind(')') + 2);
}

TEST(BenchProcess, AnswersLineByLine) {
  cli::BenchProcess process = shell("exec >&0; echo hello; read line; echo $line; read line; printf %0100000d 7; echo");
  EXPECT_EQ(process.greeting(), "hello");
  EXPECT_EQ(process.ask("one"), "one");
  EXPECT_EQ(process.ask("two"), std::string(99999, '0') + "7");
}

TEST(BenchProcess, RunsOnlyWhileAnAnswerIsAwaited) {
  cli::BenchProcess process = shell("exec >&0; echo $$; while true; do :; done");
  EXPECT_EQ(stateOf(process.greeting()), 'T');
}

TEST(BenchProcess, IsKilledWhenItIsNoLongerWanted) {
  std::string id;
  {
    cli::BenchProcess process = shell("exec >&0; echo $$; while true; do :; done");
    id = process.greeting();
  }
  EXPECT_FALSE(std::filesystem::exists("/proc/" + id));
}

TEST(BenchProcess, TellsHowItEnded) {
  cli::BenchProcess killed = shell("read line; kill -SEGV $$");
  EXPECT_EQ(failureOf([&] { killed.ask("go"); }), "its process died of signal 11 (Segmentation fault).");
  EXPECT_EQ(failureOf([&] { killed.ask("go"); }), "its process died of signal 11 (Segmentation fault).");
  cli::BenchProcess left = shell("exit 3");
  EXPECT_EQ(failureOf([&] { left.greeting(); }), "its process ended with status 3.");
  cli::BenchProcess deaf = shell("exec <&-; while true; do :; done");
  EXPECT_EQ(failureOf([&] { deaf.greeting(); }), "its process died of signal 9 (Killed).");
  EXPECT_NE(failureOf([] { cli::BenchProcess("/nowhere/to/be/found", {"nothing"}); }).find("does not start"), std::string::npos);
}

TEST(BenchProcess, EndsThoughOneThatItStartedHasItsSocket) {
  cli::BenchProcess process = shell("while :; do :; done & echo $! >&0; exit 3");
  const pid_t child = std::stoi(process.greeting());
  EXPECT_EQ(failureOf([&] { process.ask("go"); }), "its process ended with status 3.");
  ::kill(child, SIGKILL);
}

TEST(BenchProcess, SaysNoLineWithoutEnd) {
  cli::BenchProcess process = shell("exec >&0; exec tr '\\0' 7 </dev/zero");
  EXPECT_EQ(failureOf([&] { process.greeting(); }), "its answer is longer than 67108864 bytes.");
}

Json benchJson(std::vector<std::string> arguments, int status = 0) {
  arguments.insert(arguments.begin(), {"bench", "--json", "--warmup", "0", "--runs", "3"});
  const ToolResult result = runTool(arguments);
  EXPECT_EQ(result.status, status) << result.err;
  return Json::parse(result.out, nullptr, false);
}

TEST(Bench, MeasuresEveryModelOnEveryBackendWithEveryNumberOfThreads) {
  const Json json = benchJson({kDigits, "--backends", "cpu,reference", "--threads", "1,2"});
  ASSERT_EQ(json["rows"].size(), 4u);
  const std::vector<std::pair<std::string, int>> expected{{"cpu", 1}, {"cpu", 2}, {"reference", 1}, {"reference", 2}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& row = json["rows"][i];
    EXPECT_EQ(row["model"], "digits");
    EXPECT_EQ(row["backend"], expected[i].first);
    EXPECT_EQ(row["threads"], expected[i].second);
    EXPECT_EQ(row["runs"], 3);
    const Json& times = row["milliseconds"];
    EXPECT_GT(times["min"], 0);
    EXPECT_LE(times["min"], times["median"]);
    EXPECT_LE(times["median"], times["p90"]);
    EXPECT_LE(times["p90"], times["p99"]);
    // The network has two convolutions and a matrix product.
    EXPECT_DOUBLE_EQ(row["gflop"], 2e-9 * (16 * 28 * 28 * 9 + 32 * 14 * 14 * 16 * 9 + 1568 * 10));
    EXPECT_GT(row["peakBytes"], 0);
    EXPECT_GT(row["compileMilliseconds"], 0);
    EXPECT_GT(row["ratio"], 0);
  }
  EXPECT_EQ(json["rows"][0]["ratio"], 1);
  EXPECT_EQ(json["rows"][1]["ratio"], 1);
  EXPECT_GT(json["machine"]["peakGflops"]["1"], 0.1);
  EXPECT_GT(json["machine"]["peakGflops"]["2"], 0.1);
}

// Returns the argument of --peer for a shell script.
std::string peerOf(const TemporaryFolder& folder, const std::string& name, const std::string& script) {
  writeText(folder / name, "#!/bin/sh\nexec >&0\n" + script);
  std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  return name + "=" + (folder / name).string();
}

TEST(Bench, TakesNoNonsenseFromPeers) {
  const TemporaryFolder folder;
  const auto errorOf = [&](const std::string& load, const std::string& times) {
    const std::string script = "echo '{\"load\":" + load + ",\"compile\":2,\"peakBytes\":3,\"version\":\"1\"}'\n" +
                               "while read line; do echo '{\"times\":" + times + "}'; done";
    return benchJson({kDigits, "--peer", peerOf(folder, "peer", script)}, 1)["rows"][1]["error"].get<std::string>();
  };
  EXPECT_NE(errorOf("1", "[]").find("times: there are none"), std::string::npos);
  EXPECT_NE(errorOf("1", "[1, 1, 1, 1]").find("times: there are 4, more than 3"), std::string::npos);
  for (const char* times : {"[-1]", "[1, 1e300]"}) EXPECT_NE(errorOf("1", times).find("not between"), std::string::npos);
  EXPECT_NE(errorOf("1", "[0]").find("longer than 0 seconds"), std::string::npos);
  EXPECT_NE(errorOf("-1", "[1]").find("load: it is not between"), std::string::npos);
}

TEST(Bench, WaitsForPeersAsLongAsItIsTold) {
  const TemporaryFolder folder;
  const std::string builds = "echo '{\"load\":1,\"compile\":2,\"peakBytes\":3,\"version\":\"1\"}'\n";
  for (const std::string& script :
       {std::string("exec sleep 300"), builds + "exec sleep 300", std::string("exec cat /dev/zero")}) {
    const Json json = benchJson({kDigits, "--max-time", "0.5", "--peer", peerOf(folder, "peer", script)}, 1);
    EXPECT_EQ(json["rows"][0]["runs"], 3);
    const std::string error = json["rows"][1]["error"];
    EXPECT_TRUE(error == "it gave no answer for 0.5 s." || error == "its answer is longer than 67108864 bytes.") << error;
  }
}

// Tests that a peer dies with the program, even if it does not read its input.
TEST(Bench, PeersDieWithTheProgram) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string peer = peerOf(folder, "peer", "echo $$ >" + pipe + "\nexec sleep 300");
  const char* const arguments[] = {WEBNN_TOOL, "bench", kDigits.c_str(), "--quiet", "--peer", peer.c_str(), nullptr};
  pid_t tool = 0;
  ASSERT_EQ(::posix_spawn(&tool, WEBNN_TOOL, nullptr, nullptr, const_cast<char**>(arguments), environ), 0);
  const pid_t id = std::stoi(readText(pipe));
  const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  ::kill(tool, SIGTERM);
  ::waitpid(tool, nullptr, 0);
  pollfd item{process.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&item, 1, 60'000), 1);
  ::kill(id, SIGKILL);
}

TEST(Bench, MeasuresPeers) {
  const TemporaryFolder folder;
  const auto peer = [&](const char* name, const std::string& script) { return peerOf(folder, name, script); };
  const std::string able = peer("able", R"(echo "{\"load\":1,\"compile\":2,\"peakBytes\":3,\"version\":\"$2 $3 ${1##*/}\"}"
while read what most; do [ $most = 1 ] && echo '{"times":[1]}' || echo '{"times":[4,3]}'; done)");
  const std::string unable = peer("unable", R"(echo '{"error":"it cannot."}')");
  const Json json = benchJson({kDigits, "--threads", "2", "--peer", able, "--peer", unable, "--per-op"}, 1);
  ASSERT_EQ(json["rows"].size(), 3u);
  const Json& row = json["rows"][1];
  EXPECT_EQ(row["backend"], "able");
  EXPECT_EQ(row["version"], "2 0 digits.webnn");  // threads, warm-up runs and file, as the peer received them
  EXPECT_EQ(row["loadMilliseconds"], 1000);
  EXPECT_EQ(row["compileMilliseconds"], 2000);
  EXPECT_EQ(row["peakBytes"], 3);
  EXPECT_EQ(row["runs"], 3);
  // The peer reports 4 and 3 seconds in the first turn. In the second turn, one run is requested, and the peer reports 1 second.
  EXPECT_EQ(row["milliseconds"]["min"], 1000);
  EXPECT_EQ(row["gflop"], json["rows"][0]["gflop"]);
  EXPECT_GT(row["ratio"], 0);
  EXPECT_EQ(json["rows"][2]["error"], "it cannot.");
  expectMessage(runTool({"bench", kDigits, "--peer", "cpu=" + (folder / "able").string()}), 2, {"--backends", "twice"});
  expectMessage(runTool({"bench", kDigits, "--peer", "able"}), 2, {"--peer"});
  EXPECT_NE(benchJson({kDigits, "--peer", "x=" + (folder / "missing").string()}, 1)["rows"][1]["error"].get<std::string>().find(
                "does not start"),
            std::string::npos);
}

// With --pause, each turn is one run, and peers receive the pause as an argument.
TEST(Bench, PausesBeforeEachRun) {
  const TemporaryFolder folder;
  const std::string peer = peerOf(folder, "peer", R"(echo "{\"load\":1,\"compile\":2,\"peakBytes\":3,\"version\":\"$4\"}"
while read what most; do echo "{\"times\":[$most]}"; done)");
  const auto start = std::chrono::steady_clock::now();
  const Json json = benchJson({kDigits, "--pause", "20", "--peer", peer});
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(3 * 20));
  EXPECT_EQ(json["pauseMilliseconds"], 20);
  EXPECT_EQ(json["rows"][0]["runs"], 3);
  EXPECT_LT(json["rows"][0]["milliseconds"]["min"], 20);  // the pause does not count
  EXPECT_EQ(json["rows"][1]["version"], "20");
  EXPECT_EQ(json["rows"][1]["runs"], 3);
  EXPECT_EQ(json["rows"][1]["milliseconds"]["p99"], 1000);
  const ToolResult table = runTool({"bench", kDigits, "--runs", "3", "--pause", "1"});
  EXPECT_NE(table.out.find("; 1 ms of pause before each run"), std::string::npos) << table.out;
}

TEST(Bench, ReportsAnErrorInTheRowOfItsCombination) {
  const Json json = benchJson({kDigits, "missing.webnn", "--backends", "nonsense,reference", "--no-memory"}, 1);
  ASSERT_EQ(json["rows"].size(), 4u);
  EXPECT_NE(json["rows"][0]["error"].get<std::string>().find("nonsense"), std::string::npos);
  EXPECT_EQ(json["rows"][1]["runs"], 3);
  EXPECT_FALSE(json["rows"][1].contains("ratio"));  // there is no successful row to compare with
  EXPECT_TRUE(json["rows"][2].contains("error"));
  EXPECT_NE(json["rows"][3]["error"].get<std::string>().find("missing.webnn"), std::string::npos);
}

TEST(Bench, TakesLimits) {
  const Json json = benchJson({kDigits, "--backends", "reference", "--no-memory", "--max-operations", "2"}, 1);
  EXPECT_NE(json["rows"][0]["error"].get<std::string>().find("maxOperations (2)"), std::string::npos);
}

TEST(Bench, TellsInItsRowThatItsProcessDied) {
  const Json json = benchJson({kDigits, "--backends", "reference,onnxruntime:library=" WEBNN_DEADLY_LIBRARY}, 1);
  ASSERT_EQ(json["rows"].size(), 2u);
  EXPECT_EQ(json["rows"][0]["runs"], 3);
  EXPECT_EQ(json["rows"][1]["error"], "its process died of signal 9 (Killed).");
}

TEST(Bench, MeasuresTheMemoryOfOneModelAlone) {
  constexpr std::uint64_t kBytes = 32 << 20;
  const TemporaryFolder folder;
  Fixture f;
  const Operand y = f.builder.reshape(f.input(DataType::float32, {kBytes / 4}), {kBytes / 8, 2});
  save(f.builder.build({{"y", y}}), folder / "large.webnn");
  const Json json = benchJson({folder / "large.webnn", kDigits, "--backends", "reference"});
  ASSERT_EQ(json["rows"].size(), 2u);
  EXPECT_GE(json["rows"][0]["peakBytes"], 2 * kBytes);
  EXPECT_LT(json["rows"][1]["peakBytes"], kBytes);
}

TEST(Bench, PrintsTables) {
  const ToolResult result = runTool({"bench", kDigits, "--backends", "reference", "--runs", "1", "--no-memory"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("| model  | backend   | threads |")) << result.out;
  EXPECT_NE(result.out.find("| digits | reference | 1       |"), std::string::npos) << result.out;
  const ToolResult csv =
      runTool({"bench", kDigits, "--backends", "reference,no\"ne", "--runs", "1", "--no-memory", "--format", "csv"});
  EXPECT_EQ(csv.status, 1) << csv.err;
  EXPECT_NE(csv.out.find("\ndigits,reference,1,"), std::string::npos) << csv.out;
  EXPECT_NE(csv.out.find("\ndigits,\"no\"\"ne\",1,,,,,"), std::string::npos) << csv.out;
}

TEST(Bench, NamesOfPeersAndTheirErrorsBreakNoTable) {
  const TemporaryFolder folder;
  const std::string peer = peerOf(folder, "peer", R"(printf '%s\n' '{"error":"a|b\nc\u001b[1m"}')");
  const std::string named = "a|b\nc" + peer.substr(peer.find('='));
  const ToolResult result = runTool({"bench", kDigits, "--runs", "1", "--peer", named, "--quiet"});
  EXPECT_NE(result.out.find(R"(| a\|b\u{000A}c | 1       | ERROR: a\|b\u{000A}c\u{001B}[1m |)"), std::string::npos) << result.out;
  const ToolResult csv = runTool({"bench", kDigits, "--runs", "1", "--peer", named, "--format", "csv"});
  EXPECT_NE(csv.out.find("\ndigits,\"a|b\nc\",1,"), std::string::npos) << csv.out;
}

TEST(Bench, ReportsTheTimeOfEachStep) {
  const Json json = benchJson({kDigits, "--backends", "cpu,reference", "--per-op", "--no-memory"});
  double share = 0;
  const Json& steps = json["rows"][0]["steps"];
  ASSERT_FALSE(steps.empty());
  for (const Json& step : steps) share += step["share"].get<double>();
  EXPECT_NEAR(share, 1, 1e-6);
  const ToolResult result = runTool({"bench", kDigits, "--runs", "1", "--per-op", "--no-memory"});
  EXPECT_NE(result.out.find("digits on cpu with 1 thread: " + std::to_string(steps.size()) + " steps"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("softmax"), std::string::npos) << result.out;
}

TEST(Bench, WritesATraceWithAnEventForEachStep) {
  const TemporaryFolder folder;
  const ToolResult result = runTool({"bench", kDigits, "--runs", "1", "--no-memory", "--trace", folder / "trace.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json trace = Json::parse(readText(folder / "trace.json"));
  std::size_t steps = 0;
  double end = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++steps;
    EXPECT_GE(event["ts"], end);  // steps run one after the other
    end = event["ts"].get<double>() + event["dur"].get<double>() - 1e-6;
    EXPECT_FALSE(event["args"]["op_name"].get<std::string>().empty());
  }
  EXPECT_GT(steps, 0u);
}

TEST(Bench, RefusesContradictoryOptions) {
  expectMessage(runTool({"bench", kDigits, "--backends", "cpu,cpu"}), 2, {"--backends", "twice"});
  expectMessage(runTool({"bench", kDigits, "--per-op", "--format", "csv"}), 2, {"--per-op", "CSV"});
  expectMessage(runTool({"bench", kDigits, "--runs", "3", "--duration", "1"}), 2, {"--duration"});
  expectMessage(runTool({"bench", kDigits, "--dim", "n"}), 2, {"--dim", "\"n\""});
  for (const char* pause : {"-1", "x", "1000001", "0.5"})
    expectMessage(runTool({"bench", kDigits, "--pause", pause}), 2, {"--pause", pause});
  for (const char* duration : {"nan", "inf", "0", "-1", "x"})
    expectMessage(runTool({"bench", kDigits, "--duration", duration}), 2, {"--duration", duration, "above 0"});
}

TEST(Inspect, ListsThePassesOfTheCpuEngine) {
  const ToolResult result = runTool({"inspect", "--list-passes"});
  EXPECT_EQ(result.status, 0) << result.err;
  std::size_t at = 0;
  for (const cpu::Pass& pass : cpu::allPasses()) {
    at = result.out.find(std::string(pass.name) + " ", at);
    ASSERT_NE(at, std::string::npos) << pass.name << " is not in its place in: " << result.out;
  }
}

TEST(Inspect, DumpsTheGraphAfterEachPass) {
  const ToolResult result = runTool({"inspect", kDigits, "--dump-passes", "--backend-option", "disable=canonicalize"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("== graph ==\n")) << result.out;
  EXPECT_NE(result.out.find("conv2d("), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n== foldConstants ==\n"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("\n== canonicalize ==\n"), std::string::npos) << result.out;
}

TEST(Inspect, DumpsTheGraphAfterOnePass) {
  const ToolResult result = runTool({"inspect", kDigits, "--pass", "repackInt4"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out.find("=="), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("conv2d("), std::string::npos) << result.out;
  expectMessage(runTool({"inspect", kDigits, "--pass", "repackInt"}), 2, {"--pass", "repackInt4"});
  expectMessage(runTool({"inspect"}), 2, {"MODEL"});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
