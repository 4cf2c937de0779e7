// Compares the operation table with the tables of the specification, which shared/spec/limits.json contains. Skips the comparison
// if that file is absent.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "ops/operation.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using Json = nlohmann::json;

const std::filesystem::path kLimits = std::filesystem::path(WEBNN_SOURCE_DIR) / "../shared/spec/limits.json";

// Converts an operand's text to its name in MLOpSupportLimits: "inputs's items" to `inputs`, "outputs[0]* if ..." to `output0`.
std::string operandName(std::string text) {
  text = std::regex_replace(text, std::regex("'s items"), "");
  return std::regex_replace(text, std::regex(R"(outputs\[(\d)\].*)"), "output$1");
}

// Parses "allowed data types" of the document. The 4-bit types are not in it, because they are an extension.
ops::DataTypeSet typesOf(const ops::OperationRow& row, const std::string& text) {
  if (text.starts_with("same as ")) return row.typesOf(*row.find(operandName(text.substr(8))));
  if (text == "any") return ops::kAny;
  ops::DataTypeSet types;
  std::stringstream names(text);
  for (std::string name; std::getline(names >> std::ws, name, ',');)
    types = types | ops::DataTypeSet{dataTypeFromName(name).value()};
  return types;
}

ops::RankRange ranksOf(const ops::OperationRow& row, const std::string& text) {
  if (text.starts_with("same as ")) return row.ranksOf(*row.find(operandName(text.substr(8))));
  if (text == "N") return ops::kAnyRank;
  const auto number = [](const std::string& digits) {
    return static_cast<std::uint8_t>(digits == "N" ? kMaxRank : std::stoul(digits));
  };
  const std::size_t to = text.find(" to ");
  if (to == std::string::npos) return ops::rank(number(text));
  return {number(text.substr(0, to)), number(text.substr(to + 4))};
}

void compareRow(const ops::OperationRow& row, const Json& expected) {
  ASSERT_EQ(row.rules().size(), expected.size()) << row.name;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ops::OperandRule& rule = row.rules()[i];
    const std::string types = expected[i]["allowedDataTypes"], ranks = expected[i]["allowedRanks"];
    EXPECT_EQ(rule.name, operandName(expected[i]["operand"])) << row.name;
    EXPECT_EQ(rule.output, rule.name.starts_with("output")) << row.name;
    const ops::DataTypeSet actual = row.typesOf(rule);
    EXPECT_EQ(actual | ops::kInt4s, typesOf(row, types) | ops::kInt4s) << row.name << " " << rule.name;
    EXPECT_EQ(rule.sameTypeAs, types.starts_with("same as ") ? operandName(types.substr(8)) : "") << row.name << " " << rule.name;
    EXPECT_EQ(row.ranksOf(rule), ranksOf(row, ranks)) << row.name << " " << rule.name;
    EXPECT_EQ(rule.sameRankAs, ranks.starts_with("same as ") ? operandName(ranks.substr(8)) : "") << row.name << " " << rule.name;
  }
}

TEST(Table, EqualsTheTablesOfTheSpecification) {
  if (!std::filesystem::exists(kLimits)) GTEST_SKIP() << kLimits << " is not there";
  std::ifstream file(kLimits);
  std::size_t compared = 0;
  const Json tables = Json::parse(file);
  for (const auto& [key, table] : tables.items()) {
    std::vector<std::string> methods{"add", "sub", "mul", "div", "max", "min", "pow"};
    if (key != "elementwise-binary") methods = table["methods"].get<std::vector<std::string>>();
    for (const std::string& method : methods) {
      const std::optional<Operation> operation = makeOperation(method);
      ASSERT_TRUE(operation) << method;
      compareRow(rowOf(*operation), table["rows"]);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 95u);
}

TEST(Table, HasAllMethodsOnceSortedByName) {
  const auto& all = allOperations();
  ASSERT_EQ(all.size(), 95u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(name(all[i - 1]), name(all[i]));
  for (const Operation& operation : all) EXPECT_EQ(name(*makeOperation(name(operation))), name(operation));
  EXPECT_FALSE(makeOperation("conv3d"));
  EXPECT_FALSE(makeOperation(""));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
