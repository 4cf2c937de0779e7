#include "base/files/file.h"

#include <algorithm>

#include "base/budget.h"
#include "base/windows/map_handle.h"

namespace webnn {

namespace {

[[noreturn]] void failWithLastError(const std::filesystem::path& path, std::string_view what) {
  failWithErrno(path, what, errnoOf(::GetLastError()));
}

constexpr std::size_t kReadAtOnce = 1 << 22;  // bytes; reading them takes a few milliseconds, then the budget is checked

ExternalBytes readHandle(const Handle& file, const std::filesystem::path& path, std::size_t size) {
  const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
  for (std::size_t have = 0; have < size;) {
    BudgetScope::current().check();
    DWORD count = 0;
    if (!::ReadFile(file.get(), bytes.get() + have, static_cast<DWORD>(std::min(kReadAtOnce, size - have)), &count, nullptr))
      failWithLastError(path, "read");
    if (count == 0)
      fail(ErrorKind::operationError, "the file {} became shorter while it was read.", webnn::quoted(path.string()));
    have += count;
  }
  return {{bytes.get(), size}, bytes};
}

ExternalBytes bytesOf(const Handle& file, const std::filesystem::path& path, FileAccess access) {
  if (attributesOf(file) & FILE_ATTRIBUTE_DIRECTORY)
    fail(ErrorKind::dataError, "{} is a folder, no regular file.", webnn::quoted(path.string()));
  if (::GetFileType(file.get()) != FILE_TYPE_DISK)
    fail(ErrorKind::dataError, "{} is no regular file.", webnn::quoted(path.string()));
  LARGE_INTEGER length{};
  if (!::GetFileSizeEx(file.get(), &length)) failWithLastError(path, "examined");
  const auto size = static_cast<std::size_t>(length.QuadPart);
  if (size == 0) return {};
  if (access == FileAccess::read) return readHandle(file, path, size);
  ExternalBytes mapped = mapHandle(file.get(), size);
  if (mapped.bytes.empty()) failWithLastError(path, "mapped");
  return mapped;
}

[[noreturn]] void failOutside(const std::filesystem::path& path) {
  fail(ErrorKind::dataError,
       "{} is a symbolic link, or its path contains one or leaves the directory; such a file is read only if you name it.",
       webnn::quoted(path.string()));
}

// Returns whether a path component is a plain name: not "..", a drive, or a stream of a file.
bool isPlainName(const std::filesystem::path& part) {
  return part != ".." && !part.has_root_path() && part.native().find(L':') == std::wstring::npos;
}

}  // namespace

ExternalBytes mapFile(const std::filesystem::path& path, FileAccess access) {
  // Windows would truncate the path at the NUL character.
  if (path.native().find(L'\0') != std::wstring::npos) failWithErrno(path, "opened", EINVAL);
  const Handle file = openExisting(path, 0);
  if (!file) failWithLastError(path, "opened");
  return bytesOf(file, path, access);
}

// Keeps each directory open until its child is open, so that no directory can be replaced by a link.
std::optional<ExternalBytes> mapFileBelow(const std::filesystem::path& folder, const std::filesystem::path& path,
                                          FileAccess access) {
  std::filesystem::path at = folder.empty() ? "." : folder;
  std::vector<Handle> folders;
  folders.push_back(openExisting(at, 0));
  if (!folders.back()) failWithLastError(folder, "opened");
  if (path.empty()) return std::nullopt;
  if (path.native().find(L'\0') != std::wstring::npos) failOutside(folder / path);
  for (const std::filesystem::path& part : path) {
    if (!isPlainName(part)) failOutside(folder / path);
    at /= part;
    folders.push_back(openExisting(at, FILE_FLAG_OPEN_REPARSE_POINT));
    if (!folders.back()) {
      if (isAbsent(errnoOf(::GetLastError()))) return std::nullopt;
      failWithLastError(folder / path, "opened");
    }
    if (attributesOf(folders.back()) & FILE_ATTRIBUTE_REPARSE_POINT) failOutside(folder / path);
  }
  return bytesOf(folders.back(), folder / path, access);
}

// Does nothing: Windows trims working sets itself and has no such request for mapped files.
void releaseMappedPages(std::span<const std::byte>) {}

}  // namespace webnn
