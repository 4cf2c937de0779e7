#include "base/files/loader.h"

#include "base/text.h"
#include "base/windows/system.h"

namespace webnn {

void requireOwnProcessor(const std::filesystem::path&) {}

void* loadLibrary(const std::filesystem::path& path) {
  // Does not search the working directory and PATH. Searches dependencies beside the file if its path is absolute.
  const DWORD where = LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | (path.is_absolute() ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR : 0);
  const HMODULE library = ::LoadLibraryExW(path.c_str(), nullptr, where);
  if (!library) {
    const std::error_code error(static_cast<int>(::GetLastError()), std::system_category());
    fail(ErrorKind::notSupportedError, "{} cannot be loaded ({})", webnn::quoted(path.string()), sanitized(error.message()));
  }
  return library;
}

void* findSymbol(void* library, const char* name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace webnn
