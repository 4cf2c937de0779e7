// Fuzzes the reader of safetensors files.
#include "fuzz_weights.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  try {
    fuzz::findAll(*formats::readSafetensors(fuzz::copyOf({reinterpret_cast<const char*>(data), size})));
  } catch (const Error&) {
  }
  return 0;
}
