// Runs the C++ programs that `code_graphs make` wrote. They must build the graphs from which they were written.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "code/same_graph.h"
#include "context/graph_state.h"
#include "webnn/formats.h"
#include "webnn/webnn.hpp"

using Build = webnn::Session (*)(const webnn::Context&, const webnn::ExternalBytes&);
extern const Build kBuilds[];

namespace webnn {
namespace {

ExternalBytes contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto content =
      std::make_shared<const std::string>(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return {std::as_bytes(std::span(*content)), content};
}

TEST(CppPrograms, BuildTheGraphsThatTheyWereWrittenFrom) {
  Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  const std::filesystem::path folder = WEBNN_PROGRAMS;
  for (int i = 0; i < WEBNN_PROGRAM_COUNT; ++i) {
    const std::string name = "g" + std::to_string(i);
    const Session actual = kBuilds[i](context, contentOf(folder / (name + ".safetensors")));
    const auto difference = test::differenceOf(context, folder / (name + ".json"), actual);
    EXPECT_FALSE(difference) << name << ": " << *difference;
  }
}

}  // namespace
}  // namespace webnn
