// Fuzzes manifests of weights and their blobs. The input is the manifest's text, a line "----", and the blob.
#include "fuzz_weights.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  constexpr std::string_view kSeparator = "\n----\n";
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find(kSeparator);
  if (end == std::string_view::npos) return 0;
  try {
    fuzz::findAll(*formats::readManifest(input.substr(0, end), fuzz::copyOf(input.substr(end + kSeparator.size()))));
  } catch (const Error&) {
  }
  return 0;
}
