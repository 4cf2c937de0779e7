#include "base/files/file_stamp.h"

namespace webnn {

FileIdentity identityOf(const std::filesystem::path&) { return {}; }  // no file that is mapped is replaced

}  // namespace webnn
