// Stubs for builds without Cap'n Proto, in place of this directory's other source files.
#include "base/text.h"
#include "formats/capnp/binary_file.h"
#include "webnn/graph.h"

namespace webnn::formats {

namespace {

[[noreturn]] void failWithoutCapnp() {
  fail(ErrorKind::notSupportedError, ".webnnb files need Cap'n Proto, which this build does not have (WEBNN_SERVICE).");
}

}  // namespace

Graph buildBinary(Context&, const ExternalBytes&, const WeightsReader*, const std::map<std::string, std::uint32_t>&,
                  std::shared_ptr<Budget>) {
  failWithoutCapnp();
}
std::shared_ptr<const OpenGraph> openBinary(Context&, const ExternalBytes&, const WeightsReader*, std::shared_ptr<Budget>) {
  failWithoutCapnp();
}
MessageDescription describeBinary(std::span<const std::byte>) { failWithoutCapnp(); }
void writeBinary(std::ostream&, const GraphDefinition&, const OpenSizes*) { failWithoutCapnp(); }
void writeBinary(std::ostream&, const GraphDefinition&, std::span<const std::string>, const OpenSizes*) { failWithoutCapnp(); }

}  // namespace webnn::formats
