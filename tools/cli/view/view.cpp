// webnn view: writes a graph as a page for a browser.
#include "cli/view/view.h"

#include <memory>

#include "base/files/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/desktop.h"

namespace webnn::cli {

namespace {

constexpr std::string_view kFirstLine = "<!doctype html><!-- webnn view -->";

struct ViewCommand {
  ModelOptions model;
  std::filesystem::path trace, diff, output;
  bool graphOnly = false, noWeights = false;
};

// Returns the default output, "MODEL.html" in the working directory. Throws Misuse if that file exists and this command did not
// write it.
std::filesystem::path pageOf(const std::filesystem::path& model) {
  std::filesystem::path page = model == "-" ? "model" : model.stem();
  page += ".html";
  if (std::filesystem::exists(page) && !readText(page).starts_with(kFirstLine))
    throw Misuse(formatText("{} is there and no page of this command; say where to write by -o.", webnn::quoted(page.string())));
  return page;
}

// Returns the page's data. If open dimensions have no sizes, the page shows the graph but not the compiled steps.
Json dataOf(const ViewCommand& command) {
  ModelOptions model = command.model;
  if (model.backend.name.empty() && !command.graphOnly) model.backend.name = "cpu";  // only the CPU engine reports its steps
  Context context = command.graphOnly ? makeReader(model.backend) : makeContext(model.backend);
  const bool needsSizes = !command.trace.empty() || !command.diff.empty();
  const LoadedGraph loaded = loadToShow(context, model, needsSizes);
  ViewOptions options{.file = model.model == "-" ? "" : model.model.filename().string()};
  if (command.noWeights) options.pictureBytes = 0;
  if (loaded.open) return loaded.show([&](const GraphDefinition& definition) { return viewData(definition, options); });
  if (!command.trace.empty())
    options.heats.push_back(readingFrom(command.trace, [&] { return timesOf(readText(command.trace), loaded.graph); }));
  if (!command.diff.empty()) {
    for (Json& heat : readingFrom(command.diff, [&] { return differencesOf(readText(command.diff), loaded.graph); }))
      options.heats.push_back(std::move(heat));
  }
  return viewData(loaded.graph, options);
}

int run(const ViewCommand& command) {
  if (command.graphOnly && !command.trace.empty()) throw Misuse("--trace: it needs what runs, which --graph-only leaves out.");
  requireOther("--out", command.output, {command.model.model, command.model.weights, command.trace, command.diff});
  const std::string page = viewPage(dataOf(command));
  if (!command.output.empty()) {
    writeText(command.output, page);
    return kFine;
  }
  const std::filesystem::path file = pageOf(command.model.model);
  writeText(file, page);
  print(formatText("wrote {}\n", sanitized(file.string())));
  if (hasDisplay() && !openFile(file)) print(formatText("{} did not open it; open it in a browser.\n", fileOpener()));
  return kFine;
}

}  // namespace

void addView(const Command& app, int& status) {
  auto options = std::make_shared<ViewCommand>();
  const Command command = app.subcommand("view", "Draw a graph and its compiled steps on a page for a browser");
  addModelOptions(command, options->model);
  command.option("--trace", options->trace, "Colour steps by their time in a file of webnn bench --trace")
      .type("FILE")
      .example("trace.json");
  command.option("--diff", options->diff, "Colour operations by their difference in a file of webnn diff --all --json")
      .type("FILE")
      .example("diff.json");
  command.flag("--graph-only", options->graphOnly, "Draw only the graph, without compiling it");
  command.flag("--no-weights", options->noWeights, "Leave out samples of the constants");
  command
      .option(
          "-o,--out", options->output,
          "The page to write; - for standard output. By default, writes MODEL.html to the current directory and, if there is a "
          "display, opens it in the browser")
      .type("FILE")
      .example("page.html");
  command.footer(
      "The page is one file that needs no network.\n"
      "Examples:\n"
      "  webnn view model.onnx\n"
      "  webnn bench model.onnx --trace trace.json && webnn view model.onnx --trace trace.json\n"
      "  webnn diff model.onnx --backends reference,cpu --all --json diff.json; webnn view model.onnx --diff diff.json");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
