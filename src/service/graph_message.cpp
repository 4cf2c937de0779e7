#include "service/graph_message.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/text.h"
#include "service/schema.h"

namespace webnn::service {

namespace {

using capnp::word;

// A message builder that reserves space for the segment table in front of its first segment, so that a message with one segment
// need not be copied.
class MessageInPlace : public capnp::MessageBuilder {
 public:
  explicit MessageInPlace(std::size_t words) : bytes_((words + kTableWords) * sizeof(word)) {}

  kj::ArrayPtr<word> allocateSegment(unsigned minimumWords) override {
    if (!isFirstTaken_ && minimumWords <= bytes_.size() / sizeof(word) - kTableWords) {
      isFirstTaken_ = true;
      return {reinterpret_cast<word*>(bytes_.data()) + kTableWords, bytes_.size() / sizeof(word) - kTableWords};
    }
    const std::size_t words = std::max<std::size_t>(minimumWords, kNextWords << std::min<std::size_t>(more_.size(), 12));
    return {more_.emplace_back(std::make_unique<word[]>(words)).get(), words};  // zeros, as Cap'n Proto requires
  }

  std::vector<std::byte> take() {
    const auto segments = getSegmentsForOutput();
    if (segments.size() > 1) {
      const kj::Array<word> flat = capnp::messageToFlatArray(segments);
      const auto* begin = reinterpret_cast<const std::byte*>(flat.begin());
      return {begin, begin + flat.size() * sizeof(word)};
    }
    // the table of a message with one segment: the number of segments minus one, then the size of the segment in words
    const std::uint32_t table[]{0, static_cast<std::uint32_t>(segments[0].size())};
    std::memcpy(bytes_.data(), table, sizeof table);
    bytes_.resize((segments[0].size() + kTableWords) * sizeof(word));
    return std::move(bytes_);
  }

 private:
  static constexpr std::size_t kTableWords = 1;
  static constexpr std::size_t kNextWords = 1 << 12;  // doubled for each segment, because Cap'n Proto reads at most 511 segments
  std::vector<std::byte> bytes_;
  std::vector<std::unique_ptr<word[]>> more_;
  bool isFirstTaken_ = false;
};

kj::StringPtr textOf(const std::string& text) { return {text.c_str(), text.size()}; }

template <typename T>
void setAll(typename capnp::List<T>::Builder list, const std::vector<T>& values) {
  for (unsigned i = 0; i < list.size(); ++i) list.set(i, values[i]);
}

class Writer {
 public:
  Writer(const GraphDefinition& graph, const OpenSizes* sizes, schema::Graph::Builder to)
      : graph_(graph), sizes_(sizes), to_(to), numbers_(graph.indexLimit) {}

  template <typename SetSource>
  void write(const SetSource& setSource);

  // Raises the message's revision to `since`, the revision that introduced a field or value.
  void use(std::uint32_t since) { revision_ = std::max(revision_, since); }
  std::uint32_t numberOf(const Operand& operand) const { return numbers_[operand.record().index]; }

 private:
  void number(const Operand& operand) { numbers_[operand.record().index] = next_++; }
  void writeOpenSizes();
  // Returns a size as the message stores it: the handle of an open size becomes kOpenBit | its index in Graph.openSizes.
  std::uint32_t numberOf(std::uint32_t size) const {
    const auto found = openSizes_.find(size);
    return found == openSizes_.end() ? size : found->second;
  }
  void writeNode(const Node& node, schema::Node::Builder to);

  const GraphDefinition& graph_;
  const OpenSizes* const sizes_;  // null: no size is a handle
  schema::Graph::Builder to_;
  std::unordered_map<std::uint32_t, std::uint32_t> openSizes_;  // maps each open size's handle to its number in the message
  std::vector<std::uint32_t> numbers_;                          // the operands' numbers in the message, by OperandRecord::index
  std::uint32_t next_ = 0, revision_ = 1;
};

// Writes the fields of an operation. Absent options are not set. Fields with the schema's default value do not raise the
// message's revision.
struct FieldWriter {
  Writer& writer;
  const std::vector<FieldSchema>& fields;
  capnp::DynamicStruct::Builder to;
  std::size_t next = 0;

  void argument(std::string_view, const auto& value) {
    const auto& [field, since] = fields[next++];
    put(field, value);
    if (since > 1 && to.has(field, capnp::HasMode::NON_DEFAULT)) writer.use(since);
  }
  void option(std::string_view name, const auto& value) { argument(name, value); }

 private:
  using Field = capnp::StructSchema::Field;

  void put(Field field, const Operand& operand) { to.set(field, writer.numberOf(operand)); }
  void put(Field field, const std::vector<Operand>& operands) {
    auto list = to.init(field, static_cast<unsigned>(operands.size())).as<capnp::List<std::uint32_t>>();
    for (unsigned i = 0; i < list.size(); ++i) list.set(i, writer.numberOf(operands[i]));
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void put(Field field, T value) { to.set(field, value); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void put(Field field, Enum value) {
    const auto schema = field.getType().asEnum();
    const auto& [ordinal, since] = Enumerants<Enum>::of(schema)[value];
    to.set(field, capnp::DynamicEnum(schema, ordinal));
    writer.use(since);
  }
  void put(Field field, const Number& number) {
    auto written = to.init(field).as<schema::Number>();
    if (const auto* real = std::get_if<double>(&number.value())) written.setReal(*real);
    if (const auto* integer = std::get_if<std::int64_t>(&number.value())) written.setInteger(*integer);
    if (const auto* natural = std::get_if<std::uint64_t>(&number.value())) written.setNatural(*natural);
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void put(Field field, const std::vector<T>& values) {
    setAll<T>(to.init(field, static_cast<unsigned>(values.size())).as<capnp::List<T>>(), values);
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void put(Field field, const std::vector<Enum>& values) {
    const auto schema = field.getType().asList().getEnumElementType();
    auto list = to.init(field, static_cast<unsigned>(values.size())).as<capnp::DynamicList>();
    for (unsigned i = 0; i < list.size(); ++i) {
      const auto& [ordinal, since] = Enumerants<Enum>::of(schema)[values[i]];
      list.set(i, capnp::DynamicEnum(schema, ordinal));
      writer.use(since);
    }
  }
  void put(Field field, const Splits& splits) {
    auto written = to.init(field).as<schema::Splits>();
    if (const auto* count = std::get_if<std::uint32_t>(&splits)) return written.setCount(*count);
    const auto& sizes = std::get<std::vector<std::uint32_t>>(splits);
    setAll<std::uint32_t>(written.initSizes(static_cast<unsigned>(sizes.size())), sizes);
  }
  template <typename T>
  void put(Field field, const std::optional<T>& value) {
    if (value) put(field, *value);
  }
};

void Writer::writeOpenSizes() {
  std::vector<std::uint32_t> handles;
  std::set<std::string> names;
  const auto add = [&](std::uint32_t size) {
    if (!sizes_->has(size) || !openSizes_.try_emplace(size).second) return;
    handles.push_back(size);
    names.merge(sizes_->names(size));
  };
  for (const Operand& input : graph_.inputs) std::ranges::for_each(input.shape(), add);
  for (const Node& node : graph_.nodes) visitSizes(node.operation, [&](std::string_view, std::uint32_t size) { add(size); });
  if (handles.empty()) return;
  use(sinceOf(capnp::Schema::from<schema::Graph>().getFieldByName("openSizes")));
  std::vector<OpenSizes::Named> named = sizes_->named();
  std::erase_if(named, [&](const OpenSizes::Named& dimension) { return !names.contains(dimension.name); });
  std::vector<std::string> expressions;
  for (const std::uint32_t handle : handles) {
    const std::optional<std::string> name = sizes_->nameOf(handle);
    std::size_t place = named.size() + expressions.size();
    if (name)
      place = static_cast<std::size_t>(std::ranges::find(named, *name, &OpenSizes::Named::name) - named.begin());
    else
      expressions.push_back(sizes_->text(handle));
    openSizes_[handle] = kOpenBit | static_cast<std::uint32_t>(place);
  }
  auto list = to_.initOpenSizes(static_cast<unsigned>(named.size() + expressions.size()));
  unsigned next = 0;
  for (const OpenSizes::Named& dimension : named) {
    auto size = list[next++];
    size.setName(textOf(dimension.name));
    size.setMin(dimension.min);
    size.setMax(dimension.max);
  }
  for (const std::string& expression : expressions) list[next++].setExpression(textOf(expression));
}

template <typename SetSource>
void Writer::write(const SetSource& setSource) {
  if (sizes_) writeOpenSizes();
  const auto describe = [&](const Operand& operand, auto to) {
    number(operand);
    if (!operand.record().name.empty()) to.setName(textOf(operand.record().name));
    to.setDataType(static_cast<schema::OperandDataType>(
        Enumerants<DataType>::of(capnp::Schema::from<schema::OperandDataType>())[operand.dataType()].ordinal));
    auto shape = to.initShape(static_cast<unsigned>(operand.rank()));
    for (unsigned i = 0; i < shape.size(); ++i) shape.set(i, numberOf(operand.shape()[i]));
  };
  if (!graph_.name.empty()) to_.setName(textOf(graph_.name));
  auto inputs = to_.initInputs(static_cast<unsigned>(graph_.inputs.size()));
  for (unsigned i = 0; i < inputs.size(); ++i) describe(graph_.inputs[i], inputs[i]);
  auto constants = to_.initConstants(static_cast<unsigned>(graph_.constants.size()));
  for (unsigned i = 0; i < constants.size(); ++i) {
    describe(graph_.constants[i], constants[i]);
    setSource(i, graph_.constants[i].record().bytes, constants[i]);
  }
  auto nodes = to_.initNodes(static_cast<unsigned>(graph_.nodes.size()));
  for (unsigned i = 0; i < nodes.size(); ++i) writeNode(graph_.nodes[i], nodes[i]);
  auto outputs = to_.initOutputs(static_cast<unsigned>(graph_.outputs.size()));
  for (unsigned i = 0; i < outputs.size(); ++i) {
    outputs[i].setName(textOf(graph_.outputs[i].first));
    outputs[i].setOperand(numberOf(graph_.outputs[i].second));
  }
  to_.setRevision(revision_);
}

void Writer::writeNode(const Node& node, schema::Node::Builder to) {
  const OperationSchema& operation = schemaOf(node.operation);
  use(operation.member.since);
  if (!label(node.operation).empty()) to.setLabel(textOf(label(node.operation)));
  const auto members = capnp::DynamicStruct::Builder(to.getOperation());
  const auto fields = capnp::DynamicStruct::Builder(members).init(operation.member.field).as<capnp::DynamicStruct>();
  if (openSizes_.empty()) {
    visitFields(node.operation, FieldWriter{*this, operation.fields, fields});
  } else {
    Operation numbered = node.operation;
    visitSizes(numbered, [&](std::string_view, std::uint32_t& size) { size = numberOf(size); });
    visitFields(std::as_const(numbered), FieldWriter{*this, operation.fields, fields});
  }
  to.setOutputCount(static_cast<std::uint32_t>(node.outputs.size()));
  const bool hasNames = std::ranges::any_of(node.outputs, [](const Operand& output) { return !output.record().name.empty(); });
  if (hasNames) to.initOutputNames(static_cast<unsigned>(node.outputs.size()));
  for (unsigned i = 0; i < node.outputs.size(); ++i) {
    number(node.outputs[i]);
    if (hasNames) to.getOutputNames().set(i, textOf(node.outputs[i].record().name));
  }
}

// Returns a number of words that is enough for most graphs. If a graph needs more, further segments are allocated and joined
// afterwards.
std::size_t expectedWords(const GraphDefinition& graph, std::size_t inlineBytes) {
  return 64 + 48 * (graph.nodes.size() + graph.inputs.size() + graph.constants.size() + graph.outputs.size()) +
         inlineBytes / sizeof(word);
}

std::vector<std::byte> writeMessage(const GraphDefinition& graph, const OpenSizes* sizes, std::size_t inlineBytes,
                                    const auto& setSource) try {
  MessageInPlace message(expectedWords(graph, inlineBytes));
  Writer(graph, sizes, message.initRoot<schema::Graph>()).write(setSource);
  return message.take();
} catch (const kj::Exception& error) {  // mainly for a constant of 512 MiB or more
  fail(ErrorKind::notSupportedError, "the graph cannot be a message: {}", error.getDescription().cStr());
}

}  // namespace

std::vector<std::byte> writeGraphMessage(const GraphDefinition& graph, const PlaceConstant& place, const OpenSizes* sizes) {
  std::vector<std::optional<ConstantLocation>> places;
  std::size_t inlineBytes = 0;
  for (std::size_t i = 0; i < graph.constants.size(); ++i) {
    const std::span<const std::byte> bytes = graph.constants[i].record().bytes;
    places.push_back(place(i, bytes));
    if (!places.back()) inlineBytes += bytes.size();
  }
  return writeMessage(graph, sizes, inlineBytes,
                      [&](std::size_t i, std::span<const std::byte> bytes, schema::Constant::Builder to) {
                        if (!places[i]) return to.setBytes({reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()});
                        auto location = to.initLocation();
                        location.setMemory(places[i]->memory);
                        location.setOffset(places[i]->offset);
                        location.setLength(places[i]->length);
                      });
}

std::vector<std::byte> writeGraphMessage(const GraphDefinition& graph, std::span<const std::string> weights,
                                         const OpenSizes* sizes) {
  return writeMessage(graph, sizes, 0, [&](std::size_t i, std::span<const std::byte>, schema::Constant::Builder to) {
    to.setWeights(textOf(weights[i]));
  });
}

}  // namespace webnn::service
