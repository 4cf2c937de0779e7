#include "formats/code/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/escape.h"
#include "base/pack.h"
#include "base/text.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::formats {

namespace {

constexpr std::size_t kMostElements = 8;  // larger constants are stored in the weights file, not in the program

// Replaces every NaN by the default NaN, so that all are written the same.
Number plainNumber(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

template <typename T>
std::vector<Number> numbersOf(std::span<const std::byte> bytes) {
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + i, sizeof(T));
    if constexpr (std::is_same_v<T, std::uint16_t>) {
      numbers.push_back(plainNumber(static_cast<double>(Half::fromBits(value))));
    } else if constexpr (std::is_same_v<T, float>) {
      numbers.push_back(plainNumber(static_cast<double>(value)));
    } else {
      numbers.emplace_back(value);
    }
  }
  return numbers;
}

std::vector<Number> numbersOf(DataType type, std::span<const std::byte> bytes) {
  switch (type) {
    case DataType::float32: return numbersOf<float>(bytes);
    case DataType::float16: return numbersOf<std::uint16_t>(bytes);
    case DataType::int32: return numbersOf<std::int32_t>(bytes);
    case DataType::uint32: return numbersOf<std::uint32_t>(bytes);
    case DataType::int64: return numbersOf<std::int64_t>(bytes);
    case DataType::uint64: return numbersOf<std::uint64_t>(bytes);
    case DataType::int8: return numbersOf<std::int8_t>(bytes);
    case DataType::uint8: return numbersOf<std::uint8_t>(bytes);
    case DataType::int4: {  // only scalars: other 4-bit constants are weights
      const int nibble = std::to_integer<int>(bytes[0]) & 0xF;
      return {nibble < 8 ? nibble : nibble - 16};
    }
    case DataType::uint4: return {std::to_integer<int>(bytes[0]) & 0xF};
  }
  return {};
}

std::string withPoint(std::string text, bool hasPoint) {
  return hasPoint && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

CodeWriter::CodeWriter(const GraphDefinition& graph, std::string_view weightsFile)
    : graph_(graph),
      isOpen_(OpenScope::current() != nullptr),
      names_(graph.operandNames()),
      identifiers_(graph.indexLimit),
      isWeight_(graph.indexLimit),
      weightsFile_(weightsFile) {
  nameOperands();
  for (const Operand& constant : graph.constants) {
    if (elements(constant)) continue;
    isWeight_[constant.record().index] = true;
    weights_.push_back({weightName(constant), constant.descriptor(), constant.record().bytes});
  }
}

// Names operands by their own name, else by their output, label or operation.
void CodeWriter::nameOperands() {
  std::vector<std::string_view> outputs(graph_.indexLimit);
  for (const auto& [name, operand] : graph_.outputs) outputs[operand.record().index] = name;
  const auto add = [&](const Operand& operand, std::string_view label, std::string_view kind) {
    const std::string_view own = operand.record().name, output = outputs[operand.record().index];
    identifiers_[operand.record().index] = unique_.add(!own.empty() ? own : !output.empty() ? output : label, kind);
  };
  for (const Operand& input : graph_.inputs) add(input, {}, "input");
  for (const Operand& constant : graph_.constants) add(constant, {}, "constant");
  for (const Node& node : graph_.nodes) {
    for (const Operand& output : node.outputs) add(output, label(node.operation), webnn::name(node.operation));
  }
}

std::optional<std::vector<Number>> CodeWriter::elements(const Operand& constant) const {
  const auto& [type, shape] = constant.descriptor();
  // not every language has a list type for float16 and 4-bit elements, so such constants, except scalars, are weights
  const bool hasLists = type != DataType::float16 && bitsPerElement(type) != 4;
  if (elementCount(constant.descriptor()) > kMostElements || (!hasLists && !shape.empty())) return std::nullopt;
  const std::span<const std::byte> bytes = constant.record().bytes;
  std::vector<Number> numbers = numbersOf(type, bytes);
  // a NaN with a payload or sign would lose it, because the program only says NaN
  if (!std::ranges::equal(packElements(constant.descriptor(), numbers), bytes)) return std::nullopt;
  return numbers;
}

std::string CodeWriter::value(const Value& value) const {
  struct Visitor {
    const CodeWriter& writer;
    std::string operator()(bool item) const { return writer.boolean(item); }
    std::string operator()(const Number& item) const { return writer.number(item); }
    std::string operator()(float item) const { return writer.real(item); }
    std::string operator()(const Operand& item) const { return writer.name(item); }
    std::string operator()(const Enumerator& item) const { return writer.enumerator(item); }
    std::string operator()(Parts item) const { return writer.parts(item); }
    std::string operator()(const OpenSizeText& item) const { return writer.openSize(item.expression); }
    std::string operator()(const std::string& item) const { return writer.text(item); }
    std::string operator()(const ValueList& item) const { return writer.list(item); }
  };
  return std::visit(Visitor{*this}, value);
}

std::string CodeWriter::items(const ValueList& list) const {
  std::vector<std::string> texts;
  for (const Value& item : list.items) texts.push_back(value(item));
  return joined(texts);
}

std::string CodeWriter::element(DataType type, const Number& value) const {
  return type == DataType::float32 ? real(static_cast<float>(value.toDouble())) : number(value);
}

std::string CodeWriter::shape(const Shape& shape) const {
  ValueList sizes;
  for (const std::uint32_t size : shape) sizes.items.emplace_back(Number(size));
  return list(sizes);
}

std::string CodeWriter::inputShape(const Shape& shape) const {
  if (!isOpen_) return this->shape(shape);
  const OpenSizes& sizes = *OpenScope::current();
  const std::vector<OpenSizes::Named> named = sizes.named();
  std::vector<std::string> items;
  for (const std::uint32_t size : shape) {
    if (!sizes.has(size)) {
      items.push_back(number(Number(size)));
      continue;
    }
    const std::string expression = sizes.text(size);
    const auto found = std::ranges::find(named, sizes.nameOf(size).value_or(""), &OpenSizes::Named::name);
    const bool hasBounds = found != named.end() && (found->min != 0 || found->max != kMaxDimension);
    items.push_back(hasBounds ? dimension(expression, found->min, found->max) : text(expression));
  }
  return sequence(joined(items));
}

std::string CodeWriter::title(std::string_view mark) const {
  std::string title = formatText("{} The graph {}, as webnn convert has written it.", mark, webnn::quoted(graph_.name));
  if (graph_.name.empty()) title = formatText("{} A graph, as webnn convert has written it.", mark);
  if (!weights_.empty()) title += " " + weightsNote(weightsFile_);
  return title + "\n";
}

std::string literal(std::string_view text, char quote, const std::function<std::string(std::uint32_t)>& escape,
                    std::string_view alsoEscaped) {
  std::string result(1, quote);
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint c = decodeUtf8(rest);
    if (c.length == 0) fail(ErrorKind::typeError, "save: the name or label {} is not UTF-8.", webnn::quoted(text));
    const char ascii = rest.front();
    if (ascii == quote || ascii == '\\') {
      result += '\\';
      result += ascii;
    } else if (isHarmless(c.value) && alsoEscaped.find(ascii) == std::string_view::npos) {
      result += rest.substr(0, c.length);
    } else {
      result += escape(c.value);
    }
    rest.remove_prefix(c.length);
  }
  return result + quote;
}

std::string decimal(double value, bool hasPoint) { return withPoint(formatText("{}", value), hasPoint); }

std::string decimal(float value, bool hasPoint) {
  const std::string text = formatText("{}", value);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return static_cast<float>(read) == value ? withPoint(text, hasPoint) : decimal(static_cast<double>(value), hasPoint);
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

}  // namespace webnn::formats
