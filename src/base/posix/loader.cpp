#include "base/files/loader.h"

#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif

#include <algorithm>
#include <fstream>

#include "base/text.h"

namespace webnn {

void requireOwnProcessor([[maybe_unused]] const std::filesystem::path& path) {
#ifdef __linux__
  const auto headerOf = [](const std::filesystem::path& file) {
    ElfW(Ehdr) header{};
    std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
    return header;
  };
  const ElfW(Ehdr) header = headerOf(path), own = headerOf("/proc/self/exe");
  const bool isElf = std::equal(header.e_ident, header.e_ident + SELFMAG, ELFMAG);
  if (isElf && own.e_machine != 0 && header.e_machine != own.e_machine)
    fail(ErrorKind::notSupportedError, "{} is for another processor", webnn::quoted(path.string()));
#endif
}

void* loadLibrary(const std::filesystem::path& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(ErrorKind::notSupportedError, "{}", sanitized(::dlerror()));
  return library;
}

void* findSymbol(void* library, const char* name) { return ::dlsym(library, name); }

}  // namespace webnn
