#include "base/files/open_file.h"

#include <io.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/growing_bytes.h"
#include "base/text.h"
#include "base/windows/map_handle.h"

namespace webnn {

namespace {

constexpr DWORD kPollMilliseconds = 10;  // time between two checks of the budget

[[noreturn]] void failReading(int descriptor, int error) {
  fail(ErrorKind::typeError, "the file descriptor {} cannot be read ({}).", descriptor, std::generic_category().message(error));
}

// Waits until data can be read or the end is reached. Only pipes support waiting.
void waitFor(HANDLE file, const Budget& budget) {
  const bool isPipe = ::GetFileType(file) == FILE_TYPE_PIPE;
  for (;;) {
    budget.check();
    DWORD ready = 0;
    if (!isPipe || !::PeekNamedPipe(file, nullptr, 0, nullptr, &ready, nullptr) || ready > 0) return;
    ::Sleep(kPollMilliseconds);
  }
}

ExternalBytes readAll(int descriptor, HANDLE file, const Budget& budget) {
  const auto content = std::make_shared<GrowingBytes>(budget);
  for (std::size_t size = 0;;) {
    if (size == content->capacity()) content->grow();
    waitFor(file, budget);
    const std::size_t most = std::min(GrowingBytes::kAtOnce, content->capacity() - size);
    const int count = ::_read(descriptor, content->data() + size, static_cast<unsigned>(most));
    if (count < 0) failReading(descriptor, errno);
    size += static_cast<std::size_t>(count);
    if (count == 0) return {{content->data(), size}, content};
  }
}

}  // namespace

ExternalBytes readOpenFile(int descriptor, const Budget& budget, FileAccess access) {
  const auto file = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
  if (file == INVALID_HANDLE_VALUE) failReading(descriptor, EBADF);
  LARGE_INTEGER length{};
  if (access != FileAccess::map || ::GetFileType(file) != FILE_TYPE_DISK || !::GetFileSizeEx(file, &length))
    return readAll(descriptor, file, budget);
  if (length.QuadPart == 0) return {};
  ExternalBytes mapped = mapHandle(file, static_cast<std::size_t>(length.QuadPart));
  if (mapped.bytes.empty()) failReading(descriptor, errnoOf(::GetLastError()));
  return mapped;
}

}  // namespace webnn
