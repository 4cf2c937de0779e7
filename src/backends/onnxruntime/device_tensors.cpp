#include "backends/onnxruntime/device_tensors.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "onnx/schema.h"

namespace webnn::onnxruntime {

namespace {

constexpr std::size_t kZeros = std::size_t{1} << 20;  // bytes copied per call when a new tensor is zeroed (1 MiB)

// Encode one field of a protobuf message: a string or submessage shorter than 128 bytes, or an integer below 128.
std::string field(char number, std::string_view value) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(value.size())}.append(value);
}
std::string field(char number, char value) { return {static_cast<char>(number << 3), value}; }

// Returns an ONNX model y = Identity(x) for uint8 vectors of any length. Running it copies bytes between memories.
std::string copyingModel() {
  const std::string shape = field(2, field(1, field(2, "n")));
  const std::string type = field(2, field(1, field(1, static_cast<char>(onnx::ElementType::uint8)) + shape));
  const std::string node = field(1, "x") + field(2, "y") + field(4, "Identity");
  const std::string graph = field(1, node) + field(2, "copy") + field(11, field(1, "x") + type) + field(12, field(1, "y") + type);
  return field(1, char{8}) + field(7, graph) + field(8, field(2, char{13}));
}

}  // namespace

Device::Device(const Library& library, const std::string& provider, const ProviderSettings& settings)
    : library_(library),
      memory_(nullptr, library.api().ReleaseMemoryInfo),
      copier_(nullptr, library.api().ReleaseSession),
      allocator_(nullptr, library.api().ReleaseAllocator) {
  const Api& api = library.api();
  const auto check = [&](OrtStatus* status) {
    library.check(status, ErrorKind::notSupportedError, "backend \"onnxruntime\": there can be no tensors on the device: ");
  };
  const bool isCard = provider == kCuda;
  OrtMemoryInfo* memory = nullptr;
  check(api.CreateMemoryInfo(isCard ? "Cuda" : "Cpu", kDeviceAllocator, isCard ? std::stoi(settings.device) : 0, kDefaultMemory,
                             &memory));
  memory_.reset(memory);
  OrtSessionOptions* made = nullptr;
  check(api.CreateSessionOptions(&made));
  const Owned<OrtSessionOptions> options(made, api.ReleaseSessionOptions);
  check(api.SetSessionGraphOptimizationLevel(made, 0));
  check(api.SetIntraOpNumThreads(made, 1));
  if (isCard) appendProvider(library, made, provider, providerEntries(provider, settings, ""));
  const std::string model = copyingModel();
  OrtSession* session = nullptr;
  check(api.CreateSessionFromArray(library.environment(), model.data(), model.size(), made, &session));
  copier_.reset(session);
  OrtAllocator* allocator = nullptr;
  check(api.CreateAllocator(session, memory, &allocator));
  allocator_.reset(allocator);
}

std::unique_ptr<DeviceMemory> Device::allocate(std::size_t size) const {
  auto tensor = std::make_unique<DeviceTensor>(shared_from_this(), size);
  tensor->allocate();
  return tensor;
}

Owned<OrtValue> Device::valueOf(const OrtMemoryInfo* memory, const void* bytes, std::size_t size) const {
  const auto length = static_cast<std::int64_t>(size);
  OrtValue* value = nullptr;
  // The C API requires a mutable pointer for inputs, too, but does not write them.
  library_.check(library_.api().CreateTensorWithDataAsOrtValue(memory, const_cast<void*>(bytes), size, &length, 1,
                                                               static_cast<int>(onnx::ElementType::uint8), &value),
                 ErrorKind::operationError, "");
  return {value, library_.api().ReleaseValue};
}

void Device::copy(const OrtMemoryInfo* fromMemory, const void* from, const OrtMemoryInfo* toMemory, void* to, std::size_t size,
                  std::string_view method) const {
  const Api& api = library_.api();
  OrtRunOptions* made = nullptr;
  library_.check(api.CreateRunOptions(&made), ErrorKind::operationError, method);
  const Owned<OrtRunOptions> options(made, api.ReleaseRunOptions);
  const Owned<OrtValue> input = valueOf(fromMemory, from, size), output = valueOf(toMemory, to, size);
  const OrtValue* const inputs = input.get();
  OrtValue* outputs = output.get();
  const char* const inputName = "x";
  const char* const outputName = "y";
  library_.check(api.Run(copier_.get(), made, &inputName, &inputs, 1, &outputName, 1, &outputs), ErrorKind::operationError,
                 method);
}

DeviceTensor::~DeviceTensor() {
  if (!bytes_) return;
  const Api& api = device_->library_.api();
  if (OrtStatus* status = api.AllocatorFree(device_->allocator_.get(), bytes_)) api.ReleaseStatus(status);
}

void DeviceTensor::write(std::span<const std::byte> bytes) {
  device_->copy(device_->library_.cpuMemory(), bytes.data(), memory(), bytes_, size_, "writeTensor: ");
}

void DeviceTensor::read(std::span<std::byte> bytes) const {
  device_->copy(memory(), bytes_, device_->library_.cpuMemory(), bytes.data(), size_, "readTensor: ");
}

void DeviceTensor::allocate() {
  const Library& library = device_->library_;
  library.check(library.api().AllocatorAlloc(device_->allocator_.get(), size_, &bytes_), ErrorKind::unknownError,
                formatText("there is not enough memory on the device for a tensor of {} bytes: ", size_));
  if (!bytes_) fail(ErrorKind::unknownError, "there is not enough memory on the device for a tensor of {} bytes.", size_);
  const std::vector<std::byte> zeros(std::min(size_, kZeros));
  for (std::size_t start = 0; start < size_; start += kZeros) {
    device_->copy(library.cpuMemory(), zeros.data(), memory(), static_cast<std::byte*>(bytes_) + start,
                  std::min(kZeros, size_ - start), "createTensor: ");
  }
}

}  // namespace webnn::onnxruntime
