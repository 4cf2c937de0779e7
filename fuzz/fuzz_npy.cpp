// Fuzzes the reader of npy files. An array that it accepts must be equal after writing and reading.
#include <cstdlib>
#include <sstream>
#include <string>

#include "formats/npy/npy.h"
#include "fuzz_weights.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  const ExternalBytes file = fuzz::copyOf({reinterpret_cast<const char*>(data), size});
  try {
    const formats::Array array = formats::readNpy(file.bytes);
    std::ostringstream out;
    formats::writeNpy(out, array.descriptor, array.bytes);
    const formats::Array again = formats::readNpy(fuzz::copyOf(out.str()).bytes);
    if (again.descriptor != array.descriptor || again.bytes != array.bytes) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
