// Runs the conformance vectors on the backend "coreml" with a fake framework. Exactly the vectors that tests/cli/wpt_coreml.json
// lists must fail.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/conformance/conformance_case.h"
#include "context/context_state.h"
#include "coreml/fake_framework.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

TEST(CoreMlRuns, TheConformanceVectorsThatAreNotListed) {
  const fs::path source = WEBNN_SOURCE_DIR, suite = source / "../shared/wpt";
  if (!fs::is_directory(suite)) GTEST_SKIP() << "there are no vectors in " << suite;
  const auto listed = nlohmann::json::parse(textOf(source / "tests/cli/wpt_coreml.json"));
  const auto framework = std::make_shared<test::FakeFramework>();
  Context context = makeContext(std::make_shared<test::FakeCoreMl>(framework), {.execution = Execution::callerThread});
  const OpSupportLimits limits = context.opSupportLimits();
  std::size_t passed = 0, excused = 0;
  for (const auto& entry : fs::directory_iterator(suite)) {
    if (entry.path().extension() != ".json") continue;
    for (cli::ConformanceCase& item : cli::readCases(textOf(entry.path()))) {
      const std::string name = item.name;
      const std::optional<std::string> wrong = cli::runCase(context, limits, std::move(item));
      EXPECT_EQ(wrong.has_value(), listed.contains(name)) << name << ": " << wrong.value_or("passed, and is listed");
      ++(wrong ? excused : passed);
    }
  }
  EXPECT_GT(passed, 1600u) << excused << " do not";
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
