// A replacement for ONNX Runtime 1.21 with NVIDIA's providers, and a simulated GPU whose memory the host cannot access: reading
// or writing it other than with the library's copies raises a signal. Its models copy their first input to each output, or negate
// its floats if they contain the operator Neg. Only the CPU provider supports Erf.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "backends/onnxruntime/api.h"
#include "onnxruntime/card.h"

struct OrtStatus {
  int code = 1;
  std::string message;
};
struct OrtMemoryInfo {
  bool isOnCard = false;
};
struct OrtSessionOptions {
  bool isOnCard = false, isStrict = false;
};
struct OrtSession {
  bool isOnCard = false, negates = false;
};
struct OrtValue {
  bool isOnCard = false;
  std::byte* bytes = nullptr;
  std::size_t size = 0;
};
struct OrtCUDAProviderOptionsV2 {
  std::string entries;
};
struct OrtTensorRTProviderOptionsV2 {
  std::string entries;
};
struct OrtEnv {};
struct OrtRunOptions {};
struct OrtAllocator {};

namespace {

using webnn::onnxruntime::Logger;

webnn::test::Card& card() {
  static webnn::test::Card theCard;
  return theCard;
}

// The contents of GPU memory, keyed by GPU address. The addresses themselves cannot be read.
std::map<std::byte*, std::vector<std::byte>>& memory() {
  static std::map<std::byte*, std::vector<std::byte>> all;
  return all;
}

std::byte* contentOf(const OrtValue& value) {
  if (!value.isOnCard) return value.bytes;
  auto block = std::prev(memory().upper_bound(value.bytes));
  const auto offset = static_cast<std::size_t>(value.bytes - block->first);
  return offset + value.size <= block->second.size() ? block->second.data() + offset : nullptr;
}

OrtStatus* failure(std::string message) { return new OrtStatus{1, std::move(message)}; }

// Returns the fault that the test has set for this call of a function, or null.
OrtStatus* faultOf(const char* function) {
  const auto fault = card().faults.find(function);
  if (fault == card().faults.end() || fault->second-- > 0) return nullptr;
  card().faults.erase(fault);
  return failure(std::string(function) + " fails");
}

template <typename Object>
OrtStatus* make(const char* function, Object** object, Object value = {}) {
  const std::lock_guard lock(card().mutex);
  if (OrtStatus* fault = faultOf(function)) return fault;
  ++card().objects;
  *object = new Object(std::move(value));
  return nullptr;
}

template <typename Object>
void release(Object* object) {
  const std::lock_guard lock(card().mutex);
  if (object) --card().objects;
  delete object;
}

std::string entriesOf(const char* const* keys, const char* const* values, std::size_t count) {
  std::string entries;
  for (std::size_t i = 0; i < count; ++i) entries += std::string(" ") + keys[i] + "=" + values[i];
  return entries;
}

OrtStatus* append(OrtSessionOptions* options, const std::string& provider, const std::string& entries) {
  const std::lock_guard lock(card().mutex);
  if (OrtStatus* fault = faultOf("SessionOptionsAppendExecutionProvider")) return fault;
  options->isOnCard = true;
  card().providers.push_back(provider + entries);
  return nullptr;
}

OrtStatus* run(const OrtSession& session, const OrtValue* const* inputs, std::size_t inputCount, OrtValue* const* outputs,
               std::size_t outputCount) {
  const std::lock_guard lock(card().mutex);
  if (OrtStatus* fault = faultOf("Run")) return fault;
  ++card().runs;
  const auto isAway = [&](const OrtValue* value) { return session.isOnCard && !value->isOnCard; };
  card().uploads += static_cast<int>(std::count_if(inputs, inputs + inputCount, isAway));
  card().downloads += static_cast<int>(std::count_if(outputs, outputs + outputCount, isAway));
  const std::byte* const from = inputCount ? contentOf(*inputs[0]) : nullptr;
  for (std::size_t i = 0; i < outputCount; ++i) {
    std::byte* const to = contentOf(*outputs[i]);
    if (!from || !to || inputs[0]->size != outputs[i]->size) return failure("the model takes no such tensors");
    std::memmove(to, from, outputs[i]->size);
    for (std::size_t at = 3; session.negates && at < outputs[i]->size; at += 4) to[at] ^= std::byte{0x80};
  }
  return nullptr;
}

// The API functions. The API's table checks their types.
struct Functions {
  static int GetErrorCode(const OrtStatus* status) { return status->code; }
  static const char* GetErrorMessage(const OrtStatus* status) { return status->message.c_str(); }
  static void ReleaseStatus(OrtStatus* status) { delete status; }
  static OrtStatus* CreateEnvWithCustomLogger(Logger*, void*, int, const char*, OrtEnv** environment) {
    static OrtEnv only;  // never released
    *environment = &only;
    return nullptr;
  }
  static void ReleaseEnv(OrtEnv*) {}
  static OrtStatus* DisableTelemetryEvents(const OrtEnv*) { return nullptr; }
  static OrtStatus* GetAvailableProviders(char*** names, int* count) {
    static char rtx[] = "NvTensorRTRTXExecutionProvider", tensorRt[] = "TensorrtExecutionProvider",
                cuda[] = "CUDAExecutionProvider", cpu[] = "CPUExecutionProvider";
    static char* all[] = {rtx, tensorRt, cuda, cpu};
    *names = all;
    *count = 4;
    return nullptr;
  }
  static OrtStatus* ReleaseAvailableProviders(char**, int) { return nullptr; }

  static OrtStatus* CreateSessionOptions(OrtSessionOptions** options) { return make("CreateSessionOptions", options); }
  static void ReleaseSessionOptions(OrtSessionOptions* options) { release(options); }
  static OrtStatus* SetSessionGraphOptimizationLevel(OrtSessionOptions*, int) { return nullptr; }
  static OrtStatus* SetIntraOpNumThreads(OrtSessionOptions*, int) { return nullptr; }
  static OrtStatus* AddSessionConfigEntry(OrtSessionOptions* options, const char* key, const char* value) {
    if (std::string_view(key) == "session.disable_cpu_ep_fallback") options->isStrict = std::string_view(value) == "1";
    return nullptr;
  }
  static OrtStatus* AddExternalInitializers(OrtSessionOptions*, const char* const*, const OrtValue* const*, std::size_t) {
    return nullptr;
  }
  static OrtStatus* SessionOptionsAppendExecutionProvider(OrtSessionOptions* options, const char* name, const char* const* keys,
                                                          const char* const* values, std::size_t count) {
    return append(options, name, entriesOf(keys, values, count));
  }
  static OrtStatus* CreateCUDAProviderOptions(OrtCUDAProviderOptionsV2** options) {
    return make("CreateCUDAProviderOptions", options);
  }
  static void ReleaseCUDAProviderOptions(OrtCUDAProviderOptionsV2* options) { release(options); }
  static OrtStatus* UpdateCUDAProviderOptions(OrtCUDAProviderOptionsV2* options, const char* const* keys,
                                              const char* const* values, std::size_t count) {
    options->entries = entriesOf(keys, values, count);
    return nullptr;
  }
  static OrtStatus* SessionOptionsAppendExecutionProvider_CUDA_V2(OrtSessionOptions* options,
                                                                  const OrtCUDAProviderOptionsV2* cuda) {
    return append(options, "CUDA", cuda->entries);
  }
  static OrtStatus* CreateTensorRTProviderOptions(OrtTensorRTProviderOptionsV2** options) {
    return make("CreateTensorRTProviderOptions", options);
  }
  static void ReleaseTensorRTProviderOptions(OrtTensorRTProviderOptionsV2* options) { release(options); }
  static OrtStatus* UpdateTensorRTProviderOptions(OrtTensorRTProviderOptionsV2* options, const char* const* keys,
                                                  const char* const* values, std::size_t count) {
    options->entries = entriesOf(keys, values, count);
    return nullptr;
  }
  static OrtStatus* SessionOptionsAppendExecutionProvider_TensorRT_V2(OrtSessionOptions* options,
                                                                      const OrtTensorRTProviderOptionsV2* tensorRt) {
    return append(options, "TensorRT", tensorRt->entries);
  }

  static OrtStatus* CreateSessionFromArray(const OrtEnv*, const void* model, std::size_t size, const OrtSessionOptions* options,
                                           OrtSession** session) {
    const std::string_view text(static_cast<const char*>(model), size);
    const auto has = [&](std::string_view name) { return text.find(name) != std::string_view::npos; };
    if (options->isStrict && has("Erf")) return failure("fallback to CPU EP has been explicitly disabled by the user.");
    return make("CreateSessionFromArray", session, OrtSession{options->isOnCard, has("Neg")});
  }
  static void ReleaseSession(OrtSession* session) { release(session); }
  static OrtStatus* CreateRunOptions(OrtRunOptions** options) { return make("CreateRunOptions", options); }
  static void ReleaseRunOptions(OrtRunOptions* options) { release(options); }
  static OrtStatus* RunOptionsSetTerminate(OrtRunOptions*) { return nullptr; }
  static OrtStatus* Run(OrtSession* session, const OrtRunOptions*, const char* const*, const OrtValue* const* inputs,
                        std::size_t inputCount, const char* const*, std::size_t outputCount, OrtValue** outputs) {
    return run(*session, inputs, inputCount, outputs, outputCount);
  }

  static OrtStatus* CreateMemoryInfo(const char* name, int, int, int, OrtMemoryInfo** info) {
    return make("CreateMemoryInfo", info, OrtMemoryInfo{std::string_view(name) == "Cuda"});
  }
  static OrtStatus* CreateCpuMemoryInfo(int, int, OrtMemoryInfo** info) {
    static OrtMemoryInfo only;  // never released
    *info = &only;
    return nullptr;
  }
  static void ReleaseMemoryInfo(OrtMemoryInfo* info) { release(info); }
  static OrtStatus* CreateTensorWithDataAsOrtValue(const OrtMemoryInfo* info, void* bytes, std::size_t size, const std::int64_t*,
                                                   std::size_t, int, OrtValue** value) {
    return make("CreateTensorWithDataAsOrtValue", value, OrtValue{info->isOnCard, static_cast<std::byte*>(bytes), size});
  }
  static void ReleaseValue(OrtValue* value) { release(value); }
  static OrtStatus* CreateAllocator(const OrtSession*, const OrtMemoryInfo*, OrtAllocator** allocator) {
    return make("CreateAllocator", allocator);
  }
  static void ReleaseAllocator(OrtAllocator* allocator) { release(allocator); }
  static OrtStatus* AllocatorAlloc(OrtAllocator*, std::size_t size, void** bytes) {
    const std::lock_guard lock(card().mutex);
    if (OrtStatus* fault = faultOf("AllocatorAlloc")) return fault;
    *bytes = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*bytes == MAP_FAILED) return failure("no addresses");
    memory().emplace(static_cast<std::byte*>(*bytes), std::vector<std::byte>(size, std::byte{0xCD}));
    card().bytes += size;
    return nullptr;
  }
  static OrtStatus* AllocatorFree(OrtAllocator*, void* bytes) {
    const std::lock_guard lock(card().mutex);
    const auto block = memory().find(static_cast<std::byte*>(bytes));
    ::munmap(bytes, block->second.size());
    card().bytes -= block->second.size();
    memory().erase(block);
    return nullptr;
  }
};

using Function = void (*)();
std::array<Function, 512> makeTable() {
  std::array<Function, 512> table{};
#define WEBNN_CARD_SLOT(index, name, ...) \
  table[index] = reinterpret_cast<Function>(static_cast<webnn::onnxruntime::Plain<__VA_ARGS__>*>(&Functions::name));
  WEBNN_ONNXRUNTIME_SLOTS(WEBNN_CARD_SLOT)
#undef WEBNN_CARD_SLOT
  return table;
}

}  // namespace

extern "C" webnn::test::Card* webnnCard() { return &card(); }

extern "C" const webnn::onnxruntime::ApiBase* OrtGetApiBase() {
  static const auto table = makeTable();
  static const webnn::onnxruntime::ApiBase base{[](std::uint32_t) -> const void* { return table.data(); },
                                                []() -> const char* { return "1.21.1"; }};
  return &base;
}
