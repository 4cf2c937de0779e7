// Fuzzes the reader of .webnn text.
#include "formats/text/reader.h"
#include "fuzz_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  return fuzz::build(data, size, [](std::string_view text) {
    formats::ReadBudget budget(text.size());
    return formats::readText(text, budget);
  });
}
