#include "formats/capnp/message_reader.h"

#include <capnp/serialize.h>

#include <cstring>
#include <type_traits>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "builder/builder_state.h"
#include "formats/document/budget.h"
#include "formats/document/dimensions.h"
#include "formats/document/values.h"
#include "ops/checks.h"
#include "service/schema.h"
#include "webnn/graph.h"

namespace webnn::formats {

namespace {

namespace schema = service::schema;
using capnp::word;

// Runs `call` and converts Cap'n Proto's exceptions to DataErrors.
template <typename Call>
auto guarded(Call&& call) {
  try {
    return call();
  } catch (const kj::Exception& error) {
    throw Error(ErrorKind::dataError, formatText("the message is malformed: {}", error.getDescription().cStr()));
  }
}

// Runs `call` like guarded(), and prefixes errors with the position in the message.
auto within(const auto& where, auto&& call) {
  try {
    return guarded(call);
  } catch (const Error& error) {
    throw Error(error.kind(), where() + ": " + error.what());
  }
}

// Runs call(item, index) for each item of a list.
void forEach(std::string_view name, auto list, auto&& call) {
  Progress progress;
  for (unsigned i = 0; i < list.size(); ++i) {
    within([&] { return formatText("{}[{}]", name, i); }, [&] { call(list[i], i); });
    progress.count(kListedBytes);
  }
}

template <typename List>
auto itemsOf(List list) {
  std::vector<std::remove_cvref_t<decltype(list[0])>> items;
  items.reserve(list.size());
  for (const auto item : list) items.push_back(item);
  return items;
}

template <typename... Values>
[[noreturn]] void failBeyond(const MessageLimits& limits, fmt::format_string<const Values&...> format, const Values&... values) {
  const std::string text = formatText(format, values...);
  if (limits.areOfService) fail(ErrorKind::operationError, "QuotaExceeded: {}", text);
  fail(ErrorKind::dataError, "{}", text);
}

// Returns the shape of an input or constant. Throws TypeError if the rank is too large; the message does not print the shape,
// because it may be very long.
Shape shapeOf(auto from) {
  const auto shape = from.getShape();
  if (shape.size() > kMaxRank) fail(ErrorKind::typeError, "the rank ({}) is above {}.", shape.size(), kMaxRank);
  return itemsOf(shape);
}

// A message opened for reading. Its read limit stops messages with many pointers to the same bytes.
class Message {
 public:
  Message(std::span<const std::byte> bytes, const MessageLimits& limits) : limits_(limits) {
    guarded([&] { open(bytes); });
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  const schema::Graph::Reader& graph() const { return graph_; }
  const MessageLimits& limits() const { return limits_; }

  std::string text(std::string_view what, capnp::Text::Reader text) const {
    if (text.size() > limits_.nameBytes)
      failBeyond(limits_, "the {} has {} bytes, more than {}.", what, text.size(), limits_.nameBytes);
    if (validUtf8Length({text.cStr(), text.size()}) != text.size()) fail(ErrorKind::dataError, "the {} is not UTF-8.", what);
    return {text.cStr(), text.size()};
  }
  DataType dataType(schema::OperandDataType value) const {
    const auto ordinal = static_cast<std::uint16_t>(value);
    const auto found = service::Enumerants<DataType>::of(capnp::Schema::from<schema::OperandDataType>()).find(ordinal);
    if (!found) fail(ErrorKind::dataError, "dataType ({}) is not one that this version knows.", ordinal);
    return *found;
  }
  InputDeclaration input(schema::Input::Reader from) const;
  bool hasOpenSizes() const { return graph_.getOpenSizes().size() != 0; }
  // Declares the message's open sizes. Returns the handle of each, or its value if the expression has no names.
  std::vector<std::uint32_t> declareOpenSizes(OpenSizes& sizes) const;

 private:
  void open(std::span<const std::byte> bytes);

  const MessageLimits limits_;
  kj::Array<word> copy_;
  std::unique_ptr<capnp::FlatArrayMessageReader> reader_;
  schema::Graph::Reader graph_;
};

void Message::open(std::span<const std::byte> bytes) {
  if (bytes.size() > limits_.messageBytes)
    failBeyond(limits_, "the message has {} bytes, more than {}.", bytes.size(), limits_.messageBytes);
  const std::size_t words = bytes.size() / sizeof(word);
  if (words == 0 || bytes.size() % sizeof(word) != 0)
    fail(ErrorKind::dataError, "the length of the message ({} bytes) is not a number of words of 8.", bytes.size());
  const auto* begin = reinterpret_cast<const word*>(bytes.data());
  if (reinterpret_cast<std::uintptr_t>(begin) % alignof(word) != 0) {
    copy_ = kj::heapArray<word>(words);
    std::memcpy(copy_.asBytes().begin(), bytes.data(), bytes.size());
    begin = copy_.begin();
  }
  constexpr std::uint64_t kReads = 4, kSmall = 1024;  // each word is read at most twice; 4 leaves a margin
  capnp::ReaderOptions options;
  options.traversalLimitInWords = kReads * words + kSmall;
  options.nestingLimit = limits_.nesting;
  reader_ = std::make_unique<capnp::FlatArrayMessageReader>(kj::arrayPtr(begin, words), options);
  if (reader_->getEnd() != begin + words)
    fail(ErrorKind::dataError, "{} words follow the message.", begin + words - reader_->getEnd());
  graph_ = reader_->getRoot<schema::Graph>();
  if (graph_.getRevision() == 0) fail(ErrorKind::dataError, "the message is no graph: its revision is 0.");
  if (graph_.getRevision() > schema::REVISION) {
    fail(ErrorKind::notSupportedError, "the graph needs revision {} of the schema, which is newer than this version knows ({}).",
         graph_.getRevision(), std::uint32_t{schema::REVISION});
  }
}

InputDeclaration Message::input(schema::Input::Reader from) const {
  InputDeclaration input{.name = text("name", from.getName()), .dataType = dataType(from.getDataType())};
  for (const std::uint32_t size : shapeOf(from)) input.shape.push_back({size, {}});
  const auto names = from.getDimensionNames();
  if (names.size() != 0 && names.size() != input.shape.size())
    fail(ErrorKind::dataError, "there are {} names of {} dimensions.", names.size(), input.shape.size());
  for (unsigned i = 0; i < names.size(); ++i) input.shape[i].name = text("name of a dimension", names[i]);
  return input;
}

void requireAtMost(const MessageLimits& limits, std::string_view what, std::uint64_t count, std::uint64_t limit) {
  if (count > limit) failBeyond(limits, "{}: there are {}, more than {}.", what, count, limit);
}

std::vector<std::uint32_t> Message::declareOpenSizes(OpenSizes& sizes) const {
  requireAtMost(limits_, "openSizes", graph_.getOpenSizes().size(), limits_.operands);
  std::vector<std::uint32_t> handles;
  forEach("openSizes", graph_.getOpenSizes(), [&](schema::OpenSize::Reader from, unsigned) {
    BudgetScope::current().check();  // an expression may have thousands of characters
    switch (from.which()) {
      case schema::OpenSize::NAME:
        handles.push_back(sizes.dimension(text("name", from.getName()), from.getMin(), from.getMax()));
        return;
      case schema::OpenSize::EXPRESSION: handles.push_back(sizes.parse(text("expression", from.getExpression()))); return;
    }
    fail(ErrorKind::dataError, "the size is not one that this version knows.");
  });
  return handles;
}

// Resolves a size of a message. kOpenBit + i stands for the message's open size i, whose handle is returned; other numbers are
// returned unchanged. Throws DataError if the message has not declared open size i.
std::uint32_t openSize(std::uint32_t number, const std::vector<std::uint32_t>& handles) {
  if ((number & kOpenBit) == 0) return number;
  const std::uint32_t index = number & ~kOpenBit;
  if (index >= handles.size()) {
    fail(ErrorKind::dataError, "the size {} is item {} of the open sizes, of which there are {}.", number, index, handles.size());
  }
  return handles[index];
}

// Builds the graph one operation at a time, in the order of the message.
class MessageLoader {
 public:
  MessageLoader(Context& context, const Message& message, const ConstantSources& sources)
      : builder_(context), message_(message), sources_(sources) {
    builder_.state().setLimits({.nodes = message.limits().operations,
                                .operands = message.limits().operands,
                                .areOfService = message.limits().areOfService});
  }
  void setBudget(std::shared_ptr<Budget> budget) { builder_.state().setBudget(std::move(budget)); }
  Graph build(const std::map<std::string, std::uint32_t>& dimensions) { return builder_.build(outputs(&dimensions)); }
  std::shared_ptr<const OpenGraph> buildOpen() { return takeOpenGraph(builder_, outputs(nullptr)); }

  // Returns the operand with index `number`. Throws DataError if it does not exist yet.
  const Operand& operand(std::string_view what, std::uint32_t number) const {
    if (number == schema::NONE) fail(ErrorKind::dataError, "the operand {} is missing.", what);
    if (number >= operands_.size()) {
      fail(ErrorKind::dataError, "{} ({}) is not the number of an operand before, of which there are {}.", what, number,
           operands_.size());
    }
    return operands_[number];
  }

 private:
  // Adds the inputs, constants and operations to the builder, and returns the outputs. `dimensions` has the sizes of the open
  // dimensions. If `dimensions` is null, they stay open.
  std::vector<NamedOperand> outputs(const std::map<std::string, std::uint32_t>* dimensions);
  void addInputs(const std::map<std::string, std::uint32_t>* dimensions);
  void add(const InputDeclaration& input, const std::map<std::string, std::uint32_t>* dimensions);
  void add(schema::Constant::Reader from);
  void add(schema::Node::Reader from);
  Operand constant(OperandDescriptor descriptor, schema::Constant::Reader from);
  void define(const Operand& operand, std::string name);

  GraphBuilder builder_;
  const Message& message_;
  const ConstantSources& sources_;
  bool isOpen_ = false;                   // whether the builder's sizes may be handles
  std::vector<std::uint32_t> openSizes_;  // handles, in the order of the message's open sizes
  std::vector<Operand> operands_;
  std::uint64_t inlineBytes_ = 0;
};

struct FieldReader {
  const MessageLoader& loader;
  const std::vector<service::FieldSchema>& fields;
  capnp::DynamicStruct::Reader from;
  std::size_t nextField = 0;

  void argument(std::string_view name, auto& field) {
    const capnp::StructSchema::Field& own = fields[nextField++].field;
    if (!has(own, field)) fail(ErrorKind::dataError, "the argument {} is missing.", name);
    read(name, from.get(own), field);
  }
  void option(std::string_view name, auto& field) {
    const capnp::StructSchema::Field& own = fields[nextField++].field;
    if (has(own, field)) read(name, from.get(own), field);
  }

 private:
  using Value = capnp::DynamicValue::Reader;

  template <typename T>
  bool has(const capnp::StructSchema::Field& own, const T&) const {
    return std::is_arithmetic_v<T> || std::is_enum_v<T> || from.has(own);
  }
  bool has(const capnp::StructSchema::Field&, const Operand&) const { return true; }
  bool has(const capnp::StructSchema::Field& own, const std::optional<Operand>&) const {
    return from.get(own).as<std::uint32_t>() != schema::NONE;
  }

  void read(std::string_view name, const Value& value, Operand& field) const {
    field = loader.operand(name, value.as<std::uint32_t>());
  }
  void read(std::string_view name, const Value& value, std::vector<Operand>& field) const {
    for (const std::uint32_t number : value.as<capnp::List<std::uint32_t>>()) field.push_back(loader.operand(name, number));
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void read(std::string_view, const Value& value, T& field) const { field = value.as<T>(); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void read(std::string_view name, const Value& value, Enum& field) const {
    const auto given = value.as<capnp::DynamicEnum>();
    const auto found = service::Enumerants<Enum>::of(given.getSchema()).find(given.getRaw());
    if (!found) fail(ErrorKind::dataError, "{} ({}) is not one that this version knows.", name, given.getRaw());
    field = *found;
  }
  void read(std::string_view name, const Value& value, Number& field) const {
    const auto number = value.as<schema::Number>();
    switch (number.which()) {
      case schema::Number::REAL: field = number.getReal(); return;
      case schema::Number::INTEGER: field = number.getInteger(); return;
      case schema::Number::NATURAL: field = number.getNatural(); return;
    }
    fail(ErrorKind::dataError, "{} is not a number that this version knows.", name);
  }
  void read(std::string_view name, const Value& value, Splits& field) const {
    const auto splits = value.as<schema::Splits>();
    switch (splits.which()) {
      case schema::Splits::COUNT: field = splits.getCount(); return;
      case schema::Splits::SIZES: field = itemsOf(splits.getSizes()); return;
    }
    fail(ErrorKind::dataError, "{} are not splits that this version knows.", name);
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void read(std::string_view, const Value& value, std::vector<T>& field) const { field = itemsOf(value.as<capnp::List<T>>()); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void read(std::string_view name, const Value& value, std::vector<Enum>& field) const {
    for (const Value& item : value.as<capnp::DynamicList>()) read(name, item, field.emplace_back());
  }
  template <typename T>
  void read(std::string_view name, const Value& value, std::optional<T>& field) const {
    read(name, value, field.emplace());
  }
};

void MessageLoader::define(const Operand& operand, std::string name) {
  operands_.push_back(operand);
  if (!name.empty()) builder_.setName(operand, std::move(name));
}

void MessageLoader::add(const InputDeclaration& input, const std::map<std::string, std::uint32_t>* dimensions) {
  OperandDescriptor descriptor{input.dataType, {}};
  for (const Dimension& dimension : input.shape) {
    if (dimension.name.empty()) {
      descriptor.shape.push_back(openSize(dimension.size, openSizes_));
    } else if (dimensions) {
      descriptor.shape.push_back(dimensions->at(dimension.name));
    } else {
      OpenSizes& sizes = builder_.state().ensureOpenSizes();
      descriptor.shape.push_back(sizes.dimension(dimension.name, 1, std::min<std::uint32_t>(dimension.size, kMaxDimension)));
    }
  }
  operands_.push_back(builder_.input(input.name, std::move(descriptor)));
}

void MessageLoader::addInputs(const std::map<std::string, std::uint32_t>* dimensions) {
  std::vector<InputDeclaration> inputs;
  DimensionLimits dynamic;
  forEach("inputs", message_.graph().getInputs(), [&](schema::Input::Reader from, unsigned) {
    for (const Dimension& dimension : inputs.emplace_back(message_.input(from)).shape) {
      if (!dimension.name.empty()) addDimension(dynamic, dimension.name, dimension.size);
    }
  });
  if (dimensions) checkDimensions(dynamic, *dimensions);
  forEach("inputs", std::span(inputs), [&](const InputDeclaration& input, unsigned) { add(input, dimensions); });
}

Operand MessageLoader::constant(OperandDescriptor descriptor, schema::Constant::Reader from) {
  switch (from.which()) {
    case schema::Constant::BYTES: {
      const auto bytes = from.getBytes();
      inlineBytes_ += bytes.size();
      if (inlineBytes_ > message_.limits().inlineBytes)
        failBeyond(message_.limits(), "the constants in the message have more than {} bytes.", message_.limits().inlineBytes);
      return builder_.constant(std::move(descriptor), std::span(reinterpret_cast<const std::byte*>(bytes.begin()), bytes.size()));
    }
    case schema::Constant::LOCATION: {
      if (!sources_.resolve) fail(ErrorKind::dataError, "its bytes are in a memory, which there is not.");
      const auto location = from.getLocation();
      return builder_.constant(std::move(descriptor),
                               sources_.resolve({location.getMemory(), location.getOffset(), location.getLength()}));
    }
    case schema::Constant::WEIGHTS: {
      if (!sources_.weights) fail(ErrorKind::dataError, "its bytes are in a file of weights, which there is not.");
      const std::string key = message_.text("key", from.getWeights());
      ExternalBytes found = sources_.weights->find(key, descriptor);
      return builder_.constant(std::move(descriptor), std::move(found));
    }
  }
  fail(ErrorKind::dataError, "its bytes are where this version does not know.");
}

void MessageLoader::add(schema::Constant::Reader from) {
  OperandDescriptor descriptor{message_.dataType(from.getDataType()), shapeOf(from)};
  std::string name = message_.text("name", from.getName());
  define(constant(std::move(descriptor), from), std::move(name));
}

void MessageLoader::add(schema::Node::Reader from) {
  const capnp::DynamicStruct::Reader members = from.getOperation();
  const service::OperationSchema* found = nullptr;
  KJ_IF_MAYBE (member, members.which()) {
    found = service::schemaOf(*member);
    if (!found) fail(ErrorKind::dataError, "there is no operation.");
  } else {
    fail(ErrorKind::dataError, "the operation is not one that this version knows.");
  }
  Operation operation = *found->operation;
  std::string label = message_.text("label", from.getLabel());
  const auto about = [&] {
    const std::string prefix = ops::messagePrefix(name(operation), label);
    return prefix.substr(0, prefix.size() - 2);  // the prefix without its final ": "
  };
  within(about, [&] {
    const auto fields = members.get(found->member.field).as<capnp::DynamicStruct>();
    visitFields(operation, FieldReader{*this, found->fields, fields});
    if (isOpen_) visitSizes(operation, [&](std::string_view, std::uint32_t& size) { size = openSize(size, openSizes_); });
    std::visit([&](auto& op) { op.options.label = label; }, operation);
  });
  const std::vector<Operand> results = builder_.append(std::move(operation));
  if (from.getOutputCount() != results.size())
    fail(ErrorKind::dataError, "outputCount ({}) is not the number of results ({}).", from.getOutputCount(), results.size());
  const auto names = from.getOutputNames();
  if (names.size() != 0 && names.size() != results.size())
    fail(ErrorKind::dataError, "there are {} names for {} results.", names.size(), results.size());
  for (unsigned i = 0; i < results.size(); ++i) define(results[i], names.size() ? message_.text("name", names[i]) : "");
}

std::vector<NamedOperand> MessageLoader::outputs(const std::map<std::string, std::uint32_t>* dimensions) {
  const schema::Graph::Reader& graph = message_.graph();
  requireAtMost(message_.limits(), "inputs", graph.getInputs().size(), message_.limits().operands);
  const auto nodes = graph.getNodes();
  requireAtMost(message_.limits(), "nodes", nodes.size(), message_.limits().operations);
  isOpen_ = !dimensions;
  if (message_.hasOpenSizes()) openSizes_ = message_.declareOpenSizes(builder_.state().ensureOpenSizes());
  addInputs(dimensions);
  forEach("constants", graph.getConstants(), [&](schema::Constant::Reader from, unsigned) { add(from); });
  forEach("nodes", nodes, [&](schema::Node::Reader from, unsigned i) {
    BudgetScope::current().report("load", i, nodes.size());
    add(from);
  });
  BudgetScope::current().report("load", nodes.size(), nodes.size());
  std::vector<NamedOperand> outputs;
  forEach("outputs", graph.getOutputs(), [&](schema::Output::Reader from, unsigned) {
    std::string name = message_.text("name", from.getName());
    outputs.emplace_back(std::move(name), operand("operand", from.getOperand()));
  });
  builder_.setGraphName(message_.text("name of the graph", graph.getName()));
  return outputs;
}

}  // namespace

MessageLimits fileLimits(std::size_t bytes) {
  MessageLimits limits;
  limits.operations = kMaxNodes + bytes / kBytesPerNode;
  limits.operands = kOperandsPerNode * limits.operations;
  return limits;
}

Graph buildGraphMessage(Context& context, std::span<const std::byte> message, const ConstantSources& sources,
                        const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget,
                        const MessageLimits& limits) {
  const Message opened(message, limits);
  MessageLoader loader(context, opened, sources);
  if (budget) loader.setBudget(std::move(budget));
  return guarded([&] {
    if (opened.hasOpenSizes()) fail(ErrorKind::dataError, "the graph has open dimensions, which a session takes.");
    return loader.build(dimensions);
  });
}

std::shared_ptr<const OpenGraph> openGraphMessage(Context& context, std::span<const std::byte> message,
                                                  const ConstantSources& sources, std::shared_ptr<Budget> budget,
                                                  const MessageLimits& limits) {
  const Message opened(message, limits);
  MessageLoader loader(context, opened, sources);
  if (budget) loader.setBudget(std::move(budget));
  return guarded([&] { return loader.buildOpen(); });
}

MessageDescription describeGraphMessage(std::span<const std::byte> message, const MessageLimits& limits) {
  const Message opened(message, limits);
  MessageDescription description;
  return guarded([&] {
    requireAtMost(limits, "inputs", opened.graph().getInputs().size(), limits.operands);
    OpenSizes sizes;
    const std::vector<std::uint32_t> handles = opened.declareOpenSizes(sizes);
    description.needsOpenGraph = opened.hasOpenSizes();
    forEach("inputs", opened.graph().getInputs(), [&](schema::Input::Reader from, unsigned) {
      for (Dimension& dimension : description.inputs.emplace_back(opened.input(from)).shape) {
        if (!dimension.name.empty()) continue;
        const std::uint32_t size = openSize(dimension.size, handles);
        if (!sizes.has(size)) {
          dimension.size = size;
          continue;
        }
        const auto [min, max] = sizes.range(size);
        dimension = {max, sizes.key(size), min};
      }
    });
    forEach("constants", opened.graph().getConstants(), [&](schema::Constant::Reader from, unsigned) {
      description.refersToWeights = description.refersToWeights || from.isWeights();
    });
    requireAtMost(limits, "outputs", opened.graph().getOutputs().size(), limits.operands);
    forEach("outputs", opened.graph().getOutputs(),
            [&](schema::Output::Reader from, unsigned) { description.outputs.push_back(opened.text("name", from.getName())); });
    return description;
  });
}

}  // namespace webnn::formats
