#include "base/files/file_stamp.h"

namespace webnn {

FileIdentity identityOf(const std::filesystem::path&) { return {}; }  // Windows does not let programs replace mapped files

}  // namespace webnn
