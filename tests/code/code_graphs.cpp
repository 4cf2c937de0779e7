// Makes graphs for the tests of generated programs. `code_graphs make FOLDER COUNT [SOURCE]` writes random graphs and the
// programs that build them; with SOURCE, also one source file that includes all C++ programs.
// `code_graphs compare FOLDER SUFFIX` compares the graphs that the programs saved with the originals.
#include <bit>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

#include "base/text.h"
#include "code/same_graph.h"
#include "context/graph_state.h"
#include "formats/json/graph_json.h"
#include "formats/save_program.h"
#include "random/random_graph.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

using Path = std::filesystem::path;

const std::vector<std::string>& hostileNames() {
  static const std::vector<std::string> names{"</script><script>throw 1</script>",
                                              "<!-- <script>",
                                              "a\nthrow new Error('x')//",
                                              "'; throw 1; '",
                                              "\"; raise SystemExit; \"",
                                              "\\",
                                              "\\'",
                                              "\\\"",
                                              "\"\"\"",
                                              "`${process.exit(1)}`",
                                              "*/ throw 1; /*",
                                              std::string("a\0b", 3),
                                              "\u2028throw 1",
                                              "\u202Eevil",
                                              "\U000E0041",
                                              "数値",
                                              "é",
                                              "__proto__",
                                              "constructor",
                                              "toString",
                                              "None",
                                              "class",
                                              "lambda",
                                              "NULL",
                                              "EOF",
                                              "INT_MAX",
                                              "errno",
                                              "linux",
                                              "std",
                                              "webnn",
                                              "builder",
                                              "context",
                                              "weights",
                                              "tensor",
                                              "v",
                                              "part",
                                              "count",
                                              "results",
                                              "assign",
                                              "/conv1/Conv_output_0",
                                              "1x",
                                              "_",
                                              "__",
                                              "a",
                                              "a_2",
                                              "a",
                                              "?\?/",
                                              "%s{}",
                                              "$1",
                                              "#define x",
                                              "\r\n#error",
                                              "\x7F",
                                              "x\\\n"};
  return names;
}

// Returns the graph with names and labels that are hard to quote.
GraphDefinition withHostileNames(GraphDefinition graph, std::size_t first) {
  std::size_t next = first;
  const auto name = [&] { return hostileNames()[next++ % hostileNames().size()]; };
  std::vector<Operand> renamed(graph.indexLimit);
  const auto rename = [&](Operand& operand, bool isInput) {
    OperandRecord record = operand.record();
    record.name = isInput ? name() + std::to_string(next) : name();
    renamed[record.index] = Operand(std::make_shared<const OperandRecord>(record));
    operand = renamed[record.index];
  };
  for (Operand& input : graph.inputs) rename(input, true);
  for (Operand& constant : graph.constants) rename(constant, false);
  for (Node& node : graph.nodes) {
    mapOperands(node.operation, [&](const Operand& operand) { return renamed[operand.record().index]; });
    std::visit([&](auto& operation) { operation.options.label = name(); }, node.operation);
    for (Operand& output : node.outputs) rename(output, false);
  }
  bool isFirst = true;
  for (auto& [key, operand] : graph.outputs) {
    key = isFirst ? "__proto__" : name() + std::to_string(next);
    isFirst = false;
    operand = renamed[operand.record().index];
  }
  return graph;
}

// Returns a graph with numbers that are hard to write as text.
Graph graphOfNumbers(const Context& context) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  constexpr auto greatest = std::numeric_limits<std::uint64_t>::max();
  GraphBuilder builder(context);
  std::vector<NamedOperand> outputs;
  const auto add = [&](const Operand& operand) { outputs.emplace_back("y" + std::to_string(outputs.size()), operand); };
  const std::vector<std::pair<DataType, std::vector<Number>>> scalars{
      {DataType::float32, {NAN, infinity, -infinity, -0.0, 0.1, 1e-45, 3.4028234e38, 16777216, 1e-7, 5}},
      {DataType::float16, {NAN, -infinity, -0.0, 0.1, 65504, 6e-8}},
      {DataType::int64, {least, most, -1, 1L << 53, (1L << 53) + 1}},
      {DataType::uint64, {greatest, std::uint64_t{1} << 63}},
      {DataType::int32, {-2147483648.0, 7}},
      {DataType::uint32, {4294967295u}},
      {DataType::int8, {-128}},
      {DataType::uint8, {255}},
      {DataType::int4, {-8, 7}},
      {DataType::uint4, {15}}};
  for (const auto& [type, values] : scalars) {
    for (const Number& value : values) add(builder.reshape(builder.constant(type, value), {1}));
  }
  add(builder.reshape(
      builder.constant<float>({DataType::float32, {5}}, {NAN, -0.0f, 0.1f, 1, std::numeric_limits<float>::infinity()}), {1, 5}));
  add(builder.reshape(builder.constant<float>({DataType::float32, {}}, {std::bit_cast<float>(0x7FC12345u)}),
                      {1}));  // a NaN with a payload
  add(builder.reshape(builder.constant<std::int64_t>({DataType::int64, {3}}, {least, most, 0}), {3, 1}));
  add(builder.reshape(builder.constant<std::uint64_t>({DataType::uint64, {2}}, {greatest, 1}), {1, 2}));
  add(builder.reshape(builder.constant<std::byte>({DataType::int4, {3}}, {std::byte{0x98}, std::byte{0x0F}}), {3, 1}));
  const Operand x = builder.input("x", {DataType::float32, {2, 3}}), n = builder.input("n", {DataType::int64, {2}});
  const Operand u = builder.input("u", {DataType::uint64, {2}});
  add(builder.clamp(x, {.minValue = -0.0, .maxValue = infinity}));
  add(builder.clamp(n, {.minValue = least, .maxValue = most}));
  add(builder.clamp(u, {.minValue = 0, .maxValue = greatest}));
  add(builder.pad(x, {1, 0}, {0, 0}, {.value = NAN}));
  add(builder.pad(n, {1}, {0}, {.value = (std::int64_t{1} << 53) + 1}));
  add(builder.linear(x, {.alpha = 1e-300, .beta = -0.0}));
  add(builder.reduceSum(x, {.axes = std::vector<std::uint32_t>{}}));
  add(builder.reshape(builder.reduceSum(x), {}));
  for (const Operand& part : builder.split(x, std::vector<std::uint32_t>{1, 2}, {.axis = 1})) add(part);
  for (const Operand& part : builder.split(x, 2u)) add(part);
  return builder.build(outputs);
}

// Returns graph number `i` of `count`, except number 0, which openGraph() returns. The last two are a graph with difficult
// numbers and a large graph.
Graph graphOf(const Context& context, std::uint64_t i, std::uint64_t count) {
  if (i + 2 == count) return graphOfNumbers(context);
  random::Choices choices(i + 1 == count ? 123 : i);
  return random::makeRandomGraph(context, choices).graph;
}

void write(const Path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string read(const Path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Returns a graph with open dimensions: with and without bounds, with quotes in a name, and with expressions of them.
OpenGraph openGraph(const Context& context) {
  GraphBuilder builder(context);
  const auto size = [&](const char* expression) { return builder.openSize(expression); };
  const Operand x = builder.openInput("x", {DataType::float32, {{"batch", 1, 64}, "'my \"size\"'", 8}});
  const Operand past = builder.openInput("past", {DataType::float32, {"batch", {"past", 0, 512}, 8}});
  const Operand mask = builder.openInput("mask", {DataType::float32, {"past + 1"}}),
                half = builder.openInput("half", {DataType::float32, {"'floor(n)'", {"n", 2, 9}}});
  const std::vector<float> ones(8, 1.0f);
  const Operand scale = builder.constant({DataType::float32, {8}}, std::as_bytes(std::span(ones)));
  const Operand product = builder.mul(x, scale);
  const Operand rows = builder.reshape(product, {size("batch * 'my \"size\"'"), 8});
  std::vector<Operand> parts =
      builder.split(rows, std::vector<std::uint32_t>{size("batch"), size("batch * ('my \"size\"' - 1)")});
  const Operand front = builder.slice(past, {0, 0, 0}, {size("batch"), 1, 8}), wide = builder.pad(mask, {size("past")}, {1});
  return *takeOpenGraph(builder, {{"rows", rows},
                                  {"first", parts[0]},
                                  {"front", front},
                                  {"wide", wide},
                                  {"half", builder.expand(half, {2, size("'floor(n)'"), size("n")})}});
}

void writeAll(const GraphDefinition& graph, const Path& path) {
  write(path.string() + ".json", formats::writeGraphJson(formats::documentOf(graph)));
  formats::saveProgram(graph, formats::Language::javaScript, path.string() + ".mjs");
  formats::saveProgram(graph, formats::Language::python, path.string() + ".py");
  formats::saveProgram(graph, formats::Language::cpp, path.string() + ".cpp");
}

void make(const Path& folder, std::uint64_t count) {
  const Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  const OpenGraph open = openGraph(context);
  printed(open, [&](const GraphDefinition& graph) { writeAll(graph, folder / "g0"); });
  for (std::uint64_t seed = 1; seed < count; ++seed) {
    const Graph original = graphOf(context, seed, count);
    const GraphDefinition& definition = definitionOf(original);
    const GraphDefinition graph = seed % 2 == 0 ? definition : withHostileNames(definition, seed);
    writeAll(graph, folder / formatText("g{}", seed));
  }
}

// Writes a source file that includes all C++ programs, with a table of their functions.
void writeSource(const Path& folder, std::uint64_t count, const Path& source) {
  std::string code = "#include <functional>\n", table;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string program = read(folder / formatText("g{}.cpp", i));
    const bool hasWeights = program.find("const webnn::ExternalBytes& weights) {") != std::string::npos;
    code += formatText("#include \"{}\"\n", (std::filesystem::absolute(folder) / formatText("g{}.cpp", i)).string());
    table += formatText(
        "  [](const webnn::Context& context, [[maybe_unused]] const webnn::ExternalBytes& weights) {{ return "
        "webnn::Session(g{}::build(context{})); }},\n",
        i, hasWeights ? ", weights" : "");
  }
  code +=
      "using Build = webnn::Session (*)(const webnn::Context&, const webnn::ExternalBytes&);\nextern const Build kBuilds[];\n";
  write(source, code + "const Build kBuilds[] = {\n" + table + "};\n");
}

int compare(const Path& folder, const std::string& suffix) {
  Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  int count = 0;
  for (; std::filesystem::exists(folder / formatText("g{}.json", count)); ++count) {
    const Session actual = Session::load(context, folder / formatText("g{}.{}.json", count, suffix));
    if (const auto difference = test::differenceOf(context, folder / formatText("g{}.json", count), actual)) {
      std::cerr << "graph " << count << ": " << *difference << "\n";
      return 1;
    }
  }
  std::cout << count << " graphs are equal\n";
  return count > 0 ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 3 && arguments[0] == "compare") return compare(arguments[1], arguments[2]);
  if (arguments.size() < 3 || arguments[0] != "make") return 2;
  std::filesystem::create_directories(arguments[1]);
  make(arguments[1], std::stoull(arguments[2]));
  if (arguments.size() == 4) writeSource(arguments[1], std::stoull(arguments[2]), arguments[3]);
  return 0;
}

}  // namespace

}  // namespace webnn

int main(int argc, char** argv) try { return webnn::run({argv + 1, argv + argc}); } catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
