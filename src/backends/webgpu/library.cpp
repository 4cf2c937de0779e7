#include "backends/webgpu/library.h"

#include "base/files/loader.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)
constexpr const char* kSystemNames[] = {"wgpu_native.dll"};
constexpr std::string_view kFileName = "wgpu_native";
#elif defined(__APPLE__)
constexpr const char* kSystemNames[] = {"libwgpu_native.dylib"};
constexpr std::string_view kFileName = "libwgpu_native";
#else
constexpr const char* kSystemNames[] = {"libwgpu_native.so"};
constexpr std::string_view kFileName = "libwgpu_native";
#endif

// The oldest major version of wgpu-native whose structures equal those of api.h.
constexpr std::uint32_t kOldestMajor = 29;

Api functionsOf(void* handle, const fs::path& path) {
  Api api;
#define WEBNN_WEBGPU_TAKE(name, ...)                                           \
  api.name = reinterpret_cast<Plain<__VA_ARGS__>*>(findSymbol(handle, #name)); \
  if (!api.name) fail(ErrorKind::notSupportedError, "{} has no function {}", webnn::quoted(path.string()), #name);
  WEBNN_WEBGPU_FUNCTIONS(WEBNN_WEBGPU_TAKE)
#undef WEBNN_WEBGPU_TAKE
  return api;
}

std::string versionText(std::uint32_t version) {
  return formatText("{}.{}.{}.{}", version >> 24, version >> 16 & 0xFF, version >> 8 & 0xFF, version & 0xFF);
}

}  // namespace

const LibraryKind& libraryKind() {
  static constexpr LibraryKind kKind{.backend = "webgpu",
                                     .product = "wgpu-native",
                                     .fileName = kFileName,
                                     .systemNames = kSystemNames,
                                     .wheelFolder = "wgpu/resources",
                                     .variable = "WEBNN_WEBGPU",
                                     .advice =
                                         "Set WEBNN_WEBGPU or the backend option library to the path of a wgpu-native library of "
                                         "version 29 or later; the option "
                                         "search=python finds that of `pip install wgpu`."};
  return kKind;
}

const Library& Library::load(const SearchPlaces& places) {
  static auto& opened = *new OpenedLibraries<Library>;
  return opened.load(libraryKind(), places, [](void* handle, const fs::path& path) {
    return std::unique_ptr<const Library>(new Library(handle, path));
  });
}

Library::Library(void* handle, const fs::path& path) : api_(functionsOf(handle, path)) {
  const std::uint32_t version = api_.wgpuGetVersion();
  version_ = versionText(version);
  if (version >> 24 < kOldestMajor) {
    fail(ErrorKind::notSupportedError, "{} is of version {}, older than {}.0", webnn::quoted(path.string()), version_,
         kOldestMajor);
  }
  api_.wgpuSetLogLevel(0);  // errors reach us through callbacks
  // OpenGL lacks features that kernels need, and its drivers print messages on machines without a screen.
  InstanceExtras extras;
  extras.backends = kVulkan | kMetal | kDirect3D12;
  const InstanceDescriptor descriptor{.next = &extras.chain};
  instance_ = api_.wgpuCreateInstance(&descriptor);
  if (!instance_) fail(ErrorKind::notSupportedError, "{} cannot make a WebGPU instance", webnn::quoted(path.string()));
}

}  // namespace webnn::webgpu
