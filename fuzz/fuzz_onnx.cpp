// Fuzzes the ONNX reader: the input is read as a model, and as a file that holds a single tensor.
#include "import_onnx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webnn;
  static Context context = Context::create({.backend = "reference", .execution = Execution::callerThread});
  const ExternalBytes file{std::as_bytes(std::span(data, size)), nullptr};
  fuzz::importBytes(context, file, "/nonexistent");
  try {
    const auto tensor = formats::onnx::readTensor({reinterpret_cast<const char*>(data), size});
    formats::onnx::bytesOf(tensor, file, nullptr);
  } catch (const Error&) {
  }
  return 0;
}
