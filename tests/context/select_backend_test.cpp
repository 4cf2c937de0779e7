// Tests the choice of a context's backend, as a table of cases.
#include "context/select_backend.h"

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

const std::vector<BackendEntry> kAll{{"cpu", DeviceKind::cpu, "", {}},
                                     {"reference", DeviceKind::cpu, "", {}},
                                     {"gpu", DeviceKind::gpu, "", {}},
                                     {"npu", DeviceKind::npu, "", {}},
                                     {"broken", DeviceKind::gpu, "the driver is missing.", {}}};
const std::vector<BackendEntry> kCpuOnly{{"broken", DeviceKind::gpu, "the driver is missing.", {}},
                                         {"cpu", DeviceKind::cpu, "", {}}};

struct Row {
  ContextOptions options;
  const std::vector<BackendEntry>& backends;
  std::string_view expected;
};

TEST(SelectBackend, FollowsTheTable) {
  using enum PowerPreference;
  const Row rows[] = {
      {{}, kAll, "gpu"},
      {{.accelerated = false}, kAll, "cpu"},
      {{.powerPreference = lowPower}, kAll, "npu"},
      {{.powerPreference = highPerformance}, kAll, "gpu"},
      {{.powerPreference = lowPower, .accelerated = false}, kAll, "cpu"},
      {{}, kCpuOnly, "cpu"},
      {{.powerPreference = lowPower}, kCpuOnly, "cpu"},
      {{.backend = "reference"}, kAll, "reference"},
      {{.accelerated = false, .backend = "gpu"}, kAll, "gpu"},
  };
  for (const Row& row : rows) EXPECT_EQ(selectBackend(row.options, row.backends).name, row.expected);
}

TEST(SelectBackend, IsStrictAboutANamedBackend) {
  test::expectError(ErrorKind::notSupportedError, {"\"broken\"", "the driver is missing."},
                    [] { selectBackend({.backend = "broken"}, kAll); });
  test::expectError(ErrorKind::notSupportedError, {"\"tpu\"", "cpu, reference, gpu, npu, broken"},
                    [] { selectBackend({.backend = "tpu"}, kAll); });
}

TEST(SelectBackend, ListsAllBackendsIfNoneIsAvailable) {
  const std::vector<BackendEntry> none{{"broken", DeviceKind::cpu, "no.", {}}};
  test::expectError(ErrorKind::notSupportedError, {"no backend is available", "broken"}, [&] { selectBackend({}, none); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
