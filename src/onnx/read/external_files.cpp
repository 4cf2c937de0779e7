#include "onnx/read/external_files.h"

#include <algorithm>

#include "base/files/file.h"
#include "base/text.h"

namespace webnn::formats::onnx {

namespace {

void requireInside(const std::filesystem::path& location) {
  const auto forbidden = [&](std::string_view why) {
    fail(ErrorKind::dataError, "the location {} of external data {}.", webnn::quoted(location.string()), why);
  };
  if (location.empty()) forbidden("is empty");
  if (std::ranges::count(location.native(), 0) != 0) forbidden("holds a zero byte");
  if (location.is_absolute()) forbidden("is absolute");
  if (std::ranges::find(location, "..") != location.end()) forbidden("leads out of the model's folder");
}

}  // namespace

ExternalBytes ExternalFiles::file(std::string_view location) {
  const std::lock_guard lock(mutex_);
  if (const auto known = byLocation_.find(location); known != byLocation_.end()) return known->second;
  const std::filesystem::path relative(location);
  requireInside(relative);
  return byLocation_.emplace(location, open_(relative)).first->second;
}

ExternalBytes ExternalFiles::bytesAt(const ExternalPlace& place, std::uint64_t length) {
  const ExternalBytes mapped = file(place.location);
  const std::uint64_t size = mapped.bytes.size();
  if (place.offset > size || length > size - place.offset) {
    fail(ErrorKind::dataError, "the {} bytes at {} of the external data {} do not lie inside its {} bytes.", length, place.offset,
         webnn::quoted(place.location), size);
  }
  return {mapped.bytes.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(length)), mapped.keepAlive};
}

std::shared_ptr<ExternalFiles> externalFilesIn(std::filesystem::path folder, FileAccess access, bool namedFilesOnly) {
  return std::make_shared<ExternalFiles>([=, folder = std::move(folder)](const std::filesystem::path& location) {
    const std::string name = location.string();
    if (folder.empty())
      fail(ErrorKind::dataError, "the model is not in a file, and {} of external data lies beside it.", webnn::quoted(name));
    if (namedFilesOnly) {
      fail(ErrorKind::notFoundError, "the model needs the file {} of external data, and only named files are opened.",
           webnn::quoted(name));
    }
    std::optional<ExternalBytes> content = mapFileBelow(folder, location, access);
    if (!content)
      fail(ErrorKind::notFoundError, "the file {} of external data is not there.", webnn::quoted((folder / location).string()));
    return std::move(*content);
  });
}

}  // namespace webnn::formats::onnx
