#include "base/files/replacing_file.h"

#include <unistd.h>

#include <atomic>

namespace webnn {

ReplacingFile::ReplacingFile(const std::filesystem::path& replaced) : path(replaced) {
  std::error_code error;
  target = std::filesystem::is_symlink(path, error) ? std::filesystem::weakly_canonical(path, error) : path;
  if (error && error != std::errc::no_such_file_or_directory) failWithErrno(path, "replaced", error.value());
}

std::string ReplacingFile::newName() {
  static std::atomic<unsigned> counter{0};
  return formatText(".webnn-{}-{}.tmp", ::getpid(), counter.fetch_add(1));
}

void replaceFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  Replacement replacement;
  replacement.add(path, write);
  replacement.commit();
}

}  // namespace webnn
