#include "cli/tool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "support/files.h"

namespace webnn::test {

namespace {

std::string quotedForShell(const std::string& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

ToolResult runTool(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  std::string command = "env -u WEBNN_BACKEND LC_ALL=C";
  for (const std::string& variable : environment) command += " " + quotedForShell(variable);
  command += " " + quotedForShell(WEBNN_TOOL);
  for (const std::string& argument : arguments) command += " " + quotedForShell(argument);
  command += " </dev/null >" + quotedForShell((folder / "out").string()) + " 2>" + quotedForShell((folder / "err").string());
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readText(folder / "out"), readText(folder / "err")};
}

void expectMessage(const ToolResult& result, int status, const std::vector<std::string>& parts) {
  EXPECT_EQ(result.status, status) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("webnn: ")) << result.err;
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  for (const std::string& part : parts)
    EXPECT_NE(result.err.find(part), std::string::npos) << "\"" << part << "\" is not in: " << result.err;
}

std::string repositoryFile(const std::string& path) { return std::string(WEBNN_SOURCE_DIR) + "/" + path; }

}  // namespace webnn::test
