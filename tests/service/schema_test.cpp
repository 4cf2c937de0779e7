// Tests the schema of graphs. It must match the operation table, and may change only by additions.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "describe/ops_printers.h"
#include "service/message_support.h"
#include "support/files.h"

namespace webnn::describe {
namespace WEBNN_TEST_FILE {

constexpr const char* kSchemaFile = "src/service/webnn.capnp";
constexpr const char* kFrozenFile = "tests/service/frozen_ordinals.txt";

// Returns every member of a schema as "Struct.member @ordinal...", in the order of the text.
std::vector<std::string> membersOf(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> members, scopes;
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('#'));
    line.erase(0, line.find_first_not_of(' '));
    line.erase(line.find_last_not_of(' ') + 1);
    std::string scope;
    for (const std::string& part : scopes) scope += part;
    if (line.ends_with("{")) {
      const bool hasKeyword = line.starts_with("struct ") || line.starts_with("enum ");
      std::istringstream words(hasKeyword ? line.substr(line.find(' ')) : line);
      std::string word;
      words >> word;
      scopes.push_back(word + ".");
    } else if (line == "}") {
      scopes.pop_back();
    } else if (line.ends_with(";") && (!scopes.empty() || line.starts_with("const none") || line.starts_with("@"))) {
      members.push_back(scope + line.substr(0, line.size() - 1));
    }
  }
  return members;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("#")) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> missing(std::vector<std::string> from, std::vector<std::string> all) {
  std::ranges::sort(from);
  std::ranges::sort(all);
  std::vector<std::string> result;
  std::ranges::set_difference(all, from, std::back_inserter(result));
  return result;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Schema, IsPrintedFromTheOperationTable) {
  EXPECT_EQ(printCapnp(describeAll()), test::readText(test::repositoryFile(kSchemaFile)))
      << "print it again with `make tables`, twice if the build is older than the operation table";
}

TEST(Schema, KeepsEveryOrdinalTypeAndDefault) {
  const auto members = membersOf(test::readText(test::repositoryFile(kSchemaFile)));
  const auto frozen = linesOf(test::readText(test::repositoryFile(kFrozenFile)));
  EXPECT_GT(frozen.size(), 450u);
  EXPECT_EQ(joined(missing(members, frozen)), "")
      << "these members of " << kSchemaFile
      << " changed. Messages and files that exist would be misread: nothing may be removed, "
      << "renamed, renumbered or given another default. Whatever is new gets the next ordinal of its struct, which is what "
      << "`make tables` does.";
  EXPECT_EQ(joined(missing(frozen, members)), "") << "these members are new: append their lines to " << kFrozenFile;
}

// Operations that are new in the middle of the table must get new ordinals at the end.
TEST(Schema, AppendsNewOperations) {
  std::vector<Method> methods = describeAll();
  const auto find = [&](std::string_view name) { return std::ranges::find(methods, name, &Method::name); };
  static const ops::OperationRow row = ops::unaryRow("cosh", "Hyperbolic cosine", ops::kFloats);
  Method added = *find("cos");
  added.row = &row;
  methods.insert(find("cos"), added);
  Method& conv2d = *find("conv2d");
  conv2d.fields.insert(conv2d.fields.begin() + 1, Field{.name = "offset", .argument = true, .kind = FieldKind::operand});
  static constexpr std::string_view kModes[]{"constant", "wrap-around", "edge", "reflection"};
  for (Field& field : find("pad")->fields) {
    if (field.kind == FieldKind::enumeration) field.enumNames = kModes;
  }
  const std::string text = printCapnp(methods);
  EXPECT_TRUE(has(text, "const revision :UInt32 = 3;"));
  EXPECT_TRUE(has(text, "    cosh @99 :Cosh $since(3);\n    cos @16 :Cos;\n")) << text.substr(0, 9000);
  EXPECT_TRUE(has(text, "\nstruct Cosh {\n  input @0 :UInt32 = .none $since(3);\n}\n"));
  EXPECT_TRUE(has(text, "  input @0 :UInt32 = .none;\n  offset @9 :UInt32 = .none $since(3);\n  filter @1 "));
  EXPECT_TRUE(has(text, "  constant @0;\n  wrapAround @3 $since(3);\n  edge @1;\n  reflection @2;\n"));
  const auto frozen = linesOf(test::readText(test::repositoryFile(kFrozenFile)));
  EXPECT_EQ(joined(missing(membersOf(text), frozen)), "");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::describe
