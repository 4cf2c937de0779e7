// Fuzzes the reader of webnn-graph-json.
#include "formats/document/json_parse.h"
#include "fuzz_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  return fuzz::build(data, size, [](std::string_view text) {
    formats::ReadBudget budget(text.size());
    return formats::readGraphJson(formats::parseJson(text, {}, budget), budget);
  });
}
