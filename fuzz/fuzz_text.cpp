// Untrusted .webnn text.
#include "formats/text/reader.h"
#include "fuzz_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  return fuzz::build(data, size, formats::readText);
}
