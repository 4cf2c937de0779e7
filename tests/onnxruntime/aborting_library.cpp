// A replacement for ONNX Runtime 1.31 that accepts every model, and whose kernels call abort().
#include <array>
#include <cstdint>
#include <cstdlib>

#include "backends/onnxruntime/api.h"

namespace {

// Implements all functions that are not defined below. Returns a null status, which means success.
void* succeed() { return nullptr; }

void* getProviders(char*** names, int* count) {
  static char cpu[] = "CPUExecutionProvider";
  static char* all[] = {cpu};
  *names = all;
  *count = 1;
  return nullptr;
}

void* makeSession(const void*, const void*, std::size_t, const void*, void** session) {
  static int made;
  *session = &made;
  return nullptr;
}

void* runModel() { std::abort(); }

using Function = void (*)();
std::array<Function, 512> makeTable() {
  std::array<Function, 512> table;
  table.fill(reinterpret_cast<Function>(succeed));
  table[8] = reinterpret_cast<Function>(makeSession);     // CreateSessionFromArray
  table[9] = reinterpret_cast<Function>(runModel);        // Run
  table[125] = reinterpret_cast<Function>(getProviders);  // GetAvailableProviders
  return table;
}

}  // namespace

extern "C" const webnn::onnxruntime::ApiBase* OrtGetApiBase() {
  static const auto table = makeTable();
  static const webnn::onnxruntime::ApiBase base{[](std::uint32_t) -> const void* { return table.data(); },
                                                []() -> const char* { return "1.31.1"; }};
  return &base;
}
