#include "backends/openvino/library.h"

#include <algorithm>
#include <charconv>

#include "base/files/loader.h"
#include "base/text.h"

namespace webnn::openvino {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemNames[] = {"libopenvino_c.so"};
constexpr int kOldestYear = 2025;

// Returns the major version, which is a year: 2026 for "2026.4.1".
int yearOf(std::string_view version) {
  int year = 0;
  std::from_chars(version.data(), version.data() + version.size(), year);
  return year;
}

Api apiOf(void* handle, const fs::path& path) {
  Api api;
#define WEBNN_OPENVINO_TAKE(name, ...)                                         \
  api.name = reinterpret_cast<Plain<__VA_ARGS__>*>(findSymbol(handle, #name)); \
  if (!api.name) fail(ErrorKind::notSupportedError, "{} has no function {}", webnn::quoted(path.string()), #name);
  WEBNN_OPENVINO_FUNCTIONS(WEBNN_OPENVINO_TAKE)
#undef WEBNN_OPENVINO_TAKE
  return api;
}

// Returns an OpenVINO message without the lines that hold source locations and failed assertions.
std::string essenceOf(std::string_view message) {
  std::string text;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    const bool isPlace = line.starts_with("Exception from src/") || line.starts_with("Check '");
    if (line.empty() || isPlace) continue;
    text += (text.empty() ? "" : " ") + std::string(line);
  }
  return text;
}

}  // namespace

const LibraryKind& libraryKind() {
  static constexpr LibraryKind kKind{
      .backend = "openvino",
      .product = "OpenVINO",
      .fileName = "libopenvino_c.so",
      .systemNames = kSystemNames,
      .wheelFolder = "openvino/libs",
      .variable = "WEBNN_OPENVINO",
      .advice =
          "Set WEBNN_OPENVINO or the backend option library to the path of a libopenvino_c.so of version 2025.0 or later; "
          "the option search=python finds that of `pip install openvino`."};
  return kKind;
}

const Library& Library::load(const SearchPlaces& places) {
  static auto& opened = *new OpenedLibraries<Library>;
  return opened.load(libraryKind(), places, [](void* handle, const fs::path& path) {
    return std::unique_ptr<const Library>(new Library(handle, path));
  });
}

Library::Library(void* handle, const fs::path& path) : api_(apiOf(handle, path)) {
  Version version{};
  if (api_.ov_get_openvino_version(&version) != kOk || !version.buildNumber) {
    fail(ErrorKind::notSupportedError, "{} does not say which version it is", webnn::quoted(path.string()));
  }
  version_ = version.buildNumber;
  api_.ov_version_free(&version);
  version_.resize(std::min(version_.size(), version_.find('-')));
  if (yearOf(version_) < kOldestYear) {
    fail(ErrorKind::notSupportedError, "{} is of version {}, older than {}.0", webnn::quoted(path.string()), sanitized(version_),
         kOldestYear);
  }
  check(api_.ov_core_create(&core_), ErrorKind::notSupportedError, "OpenVINO cannot start: ");
}

std::vector<std::string> Library::devices() const {
  Devices devices{};
  check(api_.ov_core_get_available_devices(core_, &devices), ErrorKind::notSupportedError, "OpenVINO: ");
  std::vector<std::string> names(devices.names, devices.names + devices.count);
  api_.ov_available_devices_free(&devices);
  return names;
}

void Library::check(int status, ErrorKind kind, std::string_view prefix) const {
  if (status == kOk) return;
  const char* const words = api_.ov_get_last_err_msg();
  std::string message = words ? essenceOf(words) : std::string();
  api_.ov_free(words);
  if (message.empty()) message = formatText("status {}", status);
  fail(kind, "{}{}", prefix, sanitized(message));
}

}  // namespace webnn::openvino
