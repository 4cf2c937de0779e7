// Tests that each example of docs/reference/cpp.md prints the output that the page shows.
#include "examples/cpp_page.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <sstream>

namespace {

TEST(CppPage, ShowsTheOutputOfItsExamples) {
  std::filesystem::current_path(WEBNN_SOURCE_DIR "/examples/digits");
  EXPECT_EQ(kExamples.size(), 11u);
  for (const Example& example : kExamples) {
    SCOPED_TRACE(example.title);
    std::ostringstream printed;
    std::streambuf* const before = std::cout.rdbuf(printed.rdbuf());
    EXPECT_NO_THROW(example.run());
    std::cout.rdbuf(before);
    EXPECT_EQ(printed.str(), example.output);
  }
}

}  // namespace
