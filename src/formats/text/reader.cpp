#include "formats/text/reader.h"

#include "base/text.h"
#include "formats/document/json_fields.h"
#include "formats/document/values.h"
#include "formats/text/lexer.h"

namespace webnn::formats {

namespace {

class Parser {
 public:
  Parser(std::string_view text, ReadBudget& budget) : lexer_(text), budget_(budget) {}

  GraphDocument document();

 private:
  void header();
  void section();
  void inputs();
  void constants();
  void nodes();
  void outputs();

  DataType dataType();
  std::vector<Dimension> shape();
  Dimension dimension();
  ConstantSource source();
  ExternalBytes bytes();
  void call(NodeDeclaration& node);
  void argument(NodeDeclaration& node);
  void positional(NodeDeclaration& node, const Token& start, const Json& value);
  Json value(std::size_t depth);
  Json list(std::size_t depth);
  Json object(std::size_t depth);

  // Take the next token. Throws DataError if it is not of the expected kind, which `what` names in the message.
  Token expectKeyword(std::string_view keyword);
  Token expectName(std::string_view what);
  Token expectText(std::string_view what);
  void expect(char symbol);
  std::uint32_t expectInteger(std::string_view what);
  [[noreturn]] void failExpected(const Token& token, std::string_view what);

  // Charges the budget for a name that is put into a list, and returns the name.
  std::string charged(const Token& token) {
    budget_.chargeItem<std::string>(token.value.size());
    return token.value;
  }

  Lexer lexer_;
  ReadBudget& budget_;
  GraphDocument document_;
};

constexpr std::size_t kPlaceBytes = 48;  // memory for the text of a place, such as "line 12345, column 12345"

void Parser::failExpected(const Token& token, std::string_view what) {
  Lexer::fail(token, formatText("expected {} instead of {}.", what, Lexer::describe(token)));
}

Token Parser::expectKeyword(std::string_view keyword) {
  Token token = lexer_.take();
  if (!token.isName(keyword)) failExpected(token, webnn::quoted(keyword));
  return token;
}

Token Parser::expectName(std::string_view what) {
  Token token = lexer_.take();
  if (!token.isAnyName()) failExpected(token, what);
  return token;
}

Token Parser::expectText(std::string_view what) {
  Token token = lexer_.take();
  if (token.kind != Token::Kind::text) failExpected(token, formatText("{} in quotes", what));
  return token;
}

void Parser::expect(char symbol) {
  const Token token = lexer_.take();
  if (!token.is(symbol)) failExpected(token, webnn::quoted(std::string(1, symbol)));
}

std::uint32_t Parser::expectInteger(std::string_view what) {
  const Token token = lexer_.take();
  std::uint32_t result = 0;
  const auto number = token.kind == Token::Kind::number ? parseNumber(token.value) : std::nullopt;
  const std::int64_t* integer = number ? std::get_if<std::int64_t>(&number->value()) : nullptr;
  if (!integer || *integer < 0 || *integer > 0xFFFFFFFF) failExpected(token, formatText("{}, an integer of 32 bits,", what));
  result = static_cast<std::uint32_t>(*integer);
  return result;
}

GraphDocument Parser::document() {
  header();
  expect('{');
  while (!lexer_.peek().is('}')) section();
  expect('}');
  if (lexer_.peek().kind != Token::Kind::end) failExpected(lexer_.peek(), "the end of the file");
  return std::move(document_);
}

void Parser::header() {
  expectKeyword("webnn_graph");
  document_.name = expectText("the graph's name").value;
  Token version = lexer_.take();
  if (version.isName("v")) version.value += lexer_.take().value;
  if (version.value != "v1" && version.value != "v2") failExpected(version, "the version v1 or v2");
  if (lexer_.skip('@')) {
    expectKeyword("quantized");
    document_.quantized = true;
  }
}

void Parser::section() {
  const Token keyword = lexer_.take();
  void (Parser::*entry)() = keyword.isName("inputs")    ? &Parser::inputs
                            : keyword.isName("consts")  ? &Parser::constants
                            : keyword.isName("nodes")   ? &Parser::nodes
                            : keyword.isName("outputs") ? &Parser::outputs
                                                        : nullptr;
  if (!entry) failExpected(keyword, "inputs, consts, nodes, outputs or \"}\"");
  expect('{');
  while (!lexer_.peek().is('}')) (this->*entry)();
  expect('}');
}

void Parser::inputs() {
  const Token name = expectName("the name of an input");
  expect(':');
  InputDeclaration input{.name = name.value, .dataType = dataType(), .where = Lexer::where(name)};
  input.shape = shape();
  expect(';');
  budget_.chargeItem<InputDeclaration>(name.value.size() + input.shape.size() * sizeof(Dimension) + kPlaceBytes);
  document_.inputs.push_back(std::move(input));
}

void Parser::constants() {
  const Token name = expectName("the name of a constant");
  expect(':');
  ConstantDeclaration constant{name.value, {dataType(), {}}, WeightsReference{name.value}, Lexer::where(name)};
  const Token start = lexer_.peek();
  for (const Dimension& size : shape()) {
    if (!size.name.empty()) Lexer::fail(start, "the shape of a constant has a dynamic dimension.");
    constant.descriptor.shape.push_back(size.size);
  }
  while (lexer_.skip('@')) constant.source = source();
  expect(';');
  budget_.chargeItem<ConstantDeclaration>(2 * name.value.size() + kMaxRank * sizeof(std::uint32_t) + kPlaceBytes);
  document_.constants.push_back(std::move(constant));
}

void Parser::nodes() {
  const bool isList = lexer_.skip('[');
  const Token first = expectName("the name of a result");
  budget_.chargeItem<NodeDeclaration>(2 * first.value.size() + sizeof(std::string) + sizeof(Json::Object) + kPlaceBytes);
  NodeDeclaration node{.id = first.value, .outputs = {first.value}, .where = Lexer::where(first)};
  if (isList) {
    while (lexer_.skip(',')) node.outputs.push_back(charged(expectName("the name of a result")));
    expect(']');
  }
  expect('=');
  call(node);
  expect(';');
  document_.nodes.push_back(std::move(node));
}

void Parser::outputs() {
  do {
    const Token name = expectName("the name of an output");
    const std::string value = lexer_.skip('=') ? expectName("the name of a value").value : name.value;
    budget_.chargeItem<OutputDeclaration>(name.value.size() + value.size() + kPlaceBytes + kListedBytes);
    document_.outputs.push_back({name.value, value, Lexer::where(name)});
  } while (lexer_.skip(','));
  if (!lexer_.peek().is('}')) expect(';');
}

DataType Parser::dataType() {
  const Token token = lexer_.take();
  const auto type = token.kind == Token::Kind::name ? dataTypeFromShortName(token.value) : std::nullopt;
  if (!type) failExpected(token, "a data type such as f32");
  return *type;
}

std::vector<Dimension> Parser::shape() {
  std::vector<Dimension> result;
  const Token start = lexer_.peek();
  expect('[');
  while (!lexer_.peek().is(']')) {
    if (!result.empty()) expect(',');
    if (result.size() == kMaxRank) Lexer::fail(start, formatText("the rank is above {}.", kMaxRank));
    result.push_back(dimension());
  }
  expect(']');
  return result;
}

Dimension Parser::dimension() {
  if (!lexer_.peek().isName("dyn")) return {expectInteger("a dimension"), {}};
  lexer_.take();
  expect('(');
  const Token name = expectText("the name of a dynamic dimension");
  if (name.value.empty()) Lexer::fail(name, "the name of a dynamic dimension is empty.");
  expect(',');
  Dimension result{expectInteger("the largest size"), name.value};
  if (lexer_.peek().is(',')) {
    lexer_.take();
    result.min = expectInteger("the smallest size");
  }
  expect(')');
  return result;
}

ConstantSource Parser::source() {
  const Token kind = expectName("weights, scalar or bytes");
  expect('(');
  ConstantSource result;
  if (kind.isName("weights")) {
    result = WeightsReference{expectText("a key").value};
  } else if (kind.isName("scalar")) {
    const Token start = lexer_.peek();
    const auto number = numberOf(value(0));
    if (!number) failExpected(start, "a number");
    result = ScalarFill{*number};
  } else if (kind.isName("bytes")) {
    result = bytes();
  } else {
    failExpected(kind, "weights, scalar or bytes");
  }
  expect(')');
  return result;
}

ExternalBytes Parser::bytes() {
  auto result = std::make_shared<std::vector<std::byte>>();
  expect('[');
  while (!lexer_.peek().is(']')) {
    if (!result->empty()) expect(',');
    const Token start = lexer_.peek();
    const std::uint32_t byte = expectInteger("a byte");
    budget_.charge(2);
    if (byte > 255) Lexer::fail(start, formatText("the byte ({}) is above 255.", byte));
    result->push_back(static_cast<std::byte>(byte));
  }
  expect(']');
  return {*result, result};
}

void Parser::call(NodeDeclaration& node) {
  const Token op = expectName("an operation");
  if (!lexer_.peek().is('(')) Lexer::fail(op, Lexer::describe(op) + " is not a call of an operation.");
  node.op = op.value;
  expect('(');
  while (!lexer_.peek().is(')')) {
    argument(node);
    if (!lexer_.peek().is(')')) expect(',');
  }
  expect(')');
}

void Parser::argument(NodeDeclaration& node) {
  constexpr std::size_t kMaxOptions = 64;  // searching takes quadratic time
  const Token start = lexer_.peek();
  const bool isBare = start.kind == Token::Kind::name;
  Json first = value(0);
  if (!isBare || !lexer_.skip('=')) return positional(node, start, first);
  budget_.chargeItem<Json::Member>(start.value.size());
  if (node.options.contains(start.value)) Lexer::fail(start, "the option " + Lexer::describe(start) + " is given twice.");
  if (node.options.size() == kMaxOptions) Lexer::fail(start, formatText("there are more than {} options.", kMaxOptions));
  node.options[start.value] = value(0);
}

void Parser::positional(NodeDeclaration& node, const Token& start, const Json& value) {
  if (value.isText()) {
    budget_.chargeItem<std::string>(value.asText().size());
    node.inputs.push_back(value.asText());
  } else if (value.isArray()) {
    for (const Json& item : value.items()) positional(node, start, item);
  } else {
    Lexer::fail(start, "a value without a name must be an operand; options are written as name=value.");
  }
}

Json Parser::value(std::size_t depth) {
  const Token token = lexer_.peek();
  if (depth > kMaxNesting) Lexer::fail(token, formatText("values are nested deeper than {}.", kMaxNesting));
  budget_.chargeItem<Json>(sizeof(std::string) + token.value.size());
  if (token.is('[')) return list(depth);
  if (token.is('{')) return object(depth);
  lexer_.take();
  if (token.kind == Token::Kind::number) {
    const auto number = parseNumber(token.value);
    if (!number) Lexer::fail(token, "the number " + Lexer::describe(token) + " is out of range.");
    return toJson(*number);
  }
  if (token.isName("true")) return true;
  if (token.isName("false")) return false;
  if (token.isName("null")) return nullptr;
  if (!token.isAnyName()) failExpected(token, "a value");
  return token.value;
}

Json Parser::list(std::size_t depth) {
  Json result = Json::array();
  expect('[');
  while (!lexer_.peek().is(']')) {
    if (!result.empty()) expect(',');
    result.push(value(depth + 1));
  }
  expect(']');
  return result;
}

Json Parser::object(std::size_t depth) {
  constexpr std::size_t kMaxMembers = 64;  // searching takes quadratic time
  Json result = Json::object();
  expect('{');
  while (!lexer_.peek().is('}')) {
    if (!result.empty()) expect(',');
    const Token key = expectName("a key");
    if (result.contains(key.value)) Lexer::fail(key, "the key " + Lexer::describe(key) + " is given twice.");
    if (result.size() == kMaxMembers) Lexer::fail(key, formatText("there are more than {} keys.", kMaxMembers));
    expect(':');
    budget_.chargeItem<Json::Member>(key.value.size());
    result[key.value] = value(depth + 1);
  }
  expect('}');
  return result;
}

}  // namespace

GraphDocument readText(std::string_view text, ReadBudget& budget) { return Parser(text, budget).document(); }

}  // namespace webnn::formats
