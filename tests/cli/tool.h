// Runs the tool like a user.
#pragma once

#include <string>
#include <vector>

namespace webnn::test {

struct ToolResult {
  int status = -1;  // exit status; -1 if a signal killed the tool
  std::string out, err;
};

// Runs webnn with these arguments in the locale "C". `environment` ("NAME=VALUE") is added to the environment.
ToolResult runTool(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

// Expects exit status `status`, nothing on standard output, and one line on standard error that starts with "webnn: " and
// contains each of `parts`.
void expectMessage(const ToolResult& result, int status, const std::vector<std::string>& parts);

std::string repositoryFile(const std::string& path);

}  // namespace webnn::test
