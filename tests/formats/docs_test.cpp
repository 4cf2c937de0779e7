// Tests that the files shown in docs/reference/formats.md are read as the page says.
#include <fstream>
#include <sstream>

#include "formats/document/document.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

// Returns the first code block between ```KIND and ``` in docs/reference/formats.md.
std::string block(const std::string& kind) {
  std::ifstream file(std::string(WEBNN_SOURCE_DIR) + "/docs/reference/formats.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str(), start = "\n```" + kind + "\n";
  const std::size_t from = page.find(start) + start.size();
  return page.substr(from, page.find("\n```\n", from) - from);
}

// A weights reader that returns 1 for every element of every tensor.
struct Ones : WeightsReader {
  ExternalBytes find(std::string_view, const OperandDescriptor& descriptor) const override {
    const auto bytes = std::make_shared<std::vector<std::byte>>(test::pack(descriptor, {1}));
    return {*bytes, bytes};
  }
};

TEST(FormatsPage, ShowsAGraphInText) {
  Context context = test::makeContext();
  const Ones ones;
  const Graph graph = buildGraph(context, readDocument(block("")), &ones, {{"batch", 2}});
  EXPECT_EQ(graph.inputs(), (std::vector<NamedDescriptor>{{"pixels", {DataType::float32, {2, 4}}}}));
  EXPECT_EQ(graph.outputs(),
            (std::vector<NamedDescriptor>{{"left", {DataType::float32, {2, 1}}}, {"right", {DataType::float32, {2, 2}}}}));
}

TEST(FormatsPage, ShowsAGraphInJson) {
  Context context = test::makeContext();
  const Graph graph = buildGraph(context, readDocument(block("json")), nullptr, {});
  EXPECT_EQ(graph.outputs(), (std::vector<NamedDescriptor>{{"result", {DataType::float32, {2}}}}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
