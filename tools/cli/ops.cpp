// webnn ops: prints the operation table.
#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/similar_names.h"
#include "describe/ops_c.h"
#include "describe/ops_printers.h"
#include "describe/ops_rust.h"

namespace webnn::cli {

namespace {

struct OpsOptions {
  std::string format, name;
  bool onnx = false;
  std::filesystem::path output;
};

std::string printList(std::span<const describe::Method> methods) {
  std::string text;
  for (const describe::Method& method : methods) text += formatText("{:<22} {}\n", method.name(), method.row->summary);
  return text;
}

std::string printAs(const std::string& format, std::span<const describe::Method> methods) {
  if (format == "md") return describe::printMarkdown(methods);
  if (format == "json") return describe::printJson(methods);
  if (format == "pyi") return describe::printPyi(methods);
  if (format == "dts") return describe::printDts(methods);
  if (format == "c-header") return describe::printCHeader(methods);
  if (format == "c-source") return describe::printCSource(methods);
  if (format == "c-calls") return describe::printCCalls(methods);
  if (format == "rust") return describe::printRust(methods);
  if (format == "rust-calls") return describe::printRustCalls(methods);
  if (format == "capnp") return describe::printCapnp(methods);
  return printList(methods);
}

// Returns the one method with that name. Throws Misuse, with similar names, if there is none.
std::vector<describe::Method> findMethod(const std::vector<describe::Method>& methods, const std::string& name) {
  const auto found =
      std::ranges::find(methods, std::string_view(name), [](const describe::Method& method) { return method.name(); });
  if (found != methods.end()) return {*found};
  std::vector<std::string_view> names;
  for (const describe::Method& method : methods) names.push_back(method.name());
  throw Misuse(formatText("there is no operation {}{}", webnn::quoted(name), didYouMean(name, names)));
}

int run(const OpsOptions& options) {
  if (options.onnx) {
    writeText(options.output, describe::printOnnx());
    return kFine;
  }
  std::vector<describe::Method> methods = describe::describeAll();
  if (!options.name.empty()) methods = findMethod(methods, options.name);
  const std::string format = options.format.empty() && !options.name.empty() ? "md" : options.format;
  writeText(options.output, printAs(format, methods));
  return kFine;
}

}  // namespace

void addOps(const Command& app, int& status) {
  auto options = std::make_shared<OpsOptions>();
  const Command command = app.subcommand("ops", "Print the operations: their arguments, types and ranks");
  command.option("NAME", options->name, "Only this operation").type("NAME");
  const Option format = command
                            .option("--format", options->format,
                                    "Markdown, JSON, Python stubs, TypeScript declarations, a part of the C API or the Rust "
                                    "crate, or a Cap'n Proto schema")
                            .oneOf({"md", "json", "pyi", "dts", "c-header", "c-source", "c-calls", "rust", "rust-calls", "capnp"})
                            .example("json");
  command
      .flag(
          "--json", [options] { options->format = "json"; }, "The same as --format=json")
      .excludes(format);
  command.flag("--onnx", options->onnx, "The operators of ONNX that can be imported").excludes(format);
  command.option("-o,--out", options->output, "Write a file instead of standard output").type("FILE").example("out.txt");
  command.footer(
      "Examples:\n"
      "  webnn ops conv2d\n"
      "  webnn ops --format=dts -o webnn.d.ts");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
