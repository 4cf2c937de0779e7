#include "base/files/file_stamp.h"

namespace webnn {

FileIdentity identityOf(const std::filesystem::path&) { return {}; }  // mapped files are never replaced

}  // namespace webnn
