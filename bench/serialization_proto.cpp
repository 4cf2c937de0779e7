#include "serialization_proto.h"

#include <map>

#include "serialization.pb.h"
#include "webnn/error.h"
#include "webnn/graph_builder.h"

namespace webnn::bench {

namespace {

template <typename Values, typename List>
void addAll(const Values& values, List* list) {
  for (const auto& value : values) list->Add(value);
}

struct ProtoWriter {
  proto::Node& node;
  const std::vector<std::uint32_t>& numbers;

  template <typename T>
  void argument(std::string_view name, const T& value) {
    put(name, value);
  }
  template <typename T>
  void option(std::string_view name, const T& value) {
    put(name, value);
  }

 private:
  proto::Attribute& add(std::string_view name) {
    proto::Attribute& attribute = *node.add_attributes();
    attribute.set_name(std::string(name));
    return attribute;
  }
  void put(std::string_view name, const Operand& operand) { add(name).set_natural(numbers[operand.record().index]); }
  void put(std::string_view name, const std::vector<Operand>& operands) {
    proto::Attribute& attribute = add(name);
    for (const Operand& operand : operands) attribute.add_integers(numbers[operand.record().index]);
  }
  template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void put(std::string_view name, T value) {
    add(name).set_integer(static_cast<std::int64_t>(value));
  }
  void put(std::string_view name, double value) { add(name).set_real(value); }
  void put(std::string_view name, const Number& number) {
    proto::Attribute& attribute = add(name);
    attribute.set_kind(static_cast<std::uint32_t>(number.value().index()));
    if (const auto* real = std::get_if<double>(&number.value())) attribute.set_real(*real);
    if (const auto* integer = std::get_if<std::int64_t>(&number.value())) attribute.set_integer(*integer);
    if (const auto* natural = std::get_if<std::uint64_t>(&number.value())) attribute.set_natural(*natural);
  }
  void put(std::string_view name, const std::vector<std::uint32_t>& values) { addAll(values, add(name).mutable_integers()); }
  void put(std::string_view name, const std::vector<float>& values) { addAll(values, add(name).mutable_reals()); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void put(std::string_view name, const std::vector<Enum>& values) {
    proto::Attribute& attribute = add(name);
    for (const Enum value : values) attribute.add_integers(static_cast<std::uint32_t>(value));
  }
  void put(std::string_view name, const Splits& splits) {
    std::visit([&](const auto& value) { put(name, value); }, splits);
  }
  template <typename T>
  void put(std::string_view name, const std::optional<T>& value) {
    if (value) put(name, *value);
  }
};

struct ProtoReader {
  const proto::Node& node;
  const std::vector<Operand>& operands;
  int next = 0;  // index of the next attribute; attributes are in the order of the operation's fields

  template <typename T>
  void argument(std::string_view name, T& field) {
    if (next < node.attributes_size() && node.attributes(next).name() == name) get(node.attributes(next++), field);
  }
  template <typename T>
  void option(std::string_view name, T& field) {
    argument(name, field);
  }

 private:
  using Attribute = proto::Attribute;

  void get(const Attribute& from, Operand& field) { field = operands.at(from.natural()); }
  void get(const Attribute& from, std::vector<Operand>& field) {
    for (const std::uint32_t number : from.integers()) field.push_back(operands.at(number));
  }
  template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void get(const Attribute& from, T& field) {
    field = static_cast<T>(from.integer());
  }
  void get(const Attribute& from, double& field) { field = from.real(); }
  void get(const Attribute& from, Number& field) {
    field = from.kind() == 0 ? Number(from.real()) : from.kind() == 1 ? Number(from.integer()) : Number(from.natural());
  }
  void get(const Attribute& from, std::vector<std::uint32_t>& field) {
    field.assign(from.integers().begin(), from.integers().end());
  }
  void get(const Attribute& from, std::vector<float>& field) { field.assign(from.reals().begin(), from.reals().end()); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void get(const Attribute& from, std::vector<Enum>& field) {
    for (const std::uint32_t value : from.integers()) field.push_back(static_cast<Enum>(value));
  }
  void get(const Attribute& from, Splits& field) {
    if (from.integers_size() == 0) {
      field = static_cast<std::uint32_t>(from.integer());
    } else {
      get(from, field.emplace<std::vector<std::uint32_t>>());
    }
  }
  template <typename T>
  void get(const Attribute& from, std::optional<T>& field) {
    get(from, field.emplace());
  }
};

void describe(const Operand& operand, proto::Tensor& tensor) {
  tensor.set_name(operand.record().name);
  tensor.set_data_type(static_cast<std::uint32_t>(operand.dataType()));
  addAll(operand.shape(), tensor.mutable_shape());
}

OperandDescriptor descriptorOf(const proto::Tensor& tensor) {
  return {static_cast<DataType>(tensor.data_type()), {tensor.shape().begin(), tensor.shape().end()}};
}

}  // namespace

std::string writeProto(const GraphDefinition& graph) {
  proto::Graph message;
  std::vector<std::uint32_t> numbers(graph.indexLimit);
  std::uint32_t count = 0;
  message.set_name(graph.name);
  for (const Operand& input : graph.inputs) {
    numbers[input.record().index] = count++;
    describe(input, *message.add_inputs());
  }
  for (const Operand& constant : graph.constants) {
    numbers[constant.record().index] = count++;
    proto::Tensor& tensor = *message.add_constants();
    describe(constant, tensor);
    const auto bytes = constant.record().bytes;
    tensor.set_data(bytes.data(), bytes.size());
  }
  for (const Node& node : graph.nodes) {
    proto::Node& written = *message.add_nodes();
    written.set_operation(std::string(name(node.operation)));
    written.set_label(label(node.operation));
    visitFields(node.operation, ProtoWriter{written, numbers});
    for (const Operand& output : node.outputs) {
      numbers[output.record().index] = count++;
      written.add_outputs(output.record().name);
    }
  }
  for (const auto& [name, operand] : graph.outputs) {
    proto::Output& output = *message.add_outputs();
    output.set_name(name);
    output.set_operand(numbers[operand.record().index]);
  }
  return message.SerializeAsString();
}

Graph readProto(Context& context, const std::string& bytes) {
  proto::Graph message;
  if (!message.ParseFromString(bytes)) throw Error(ErrorKind::dataError, "not a graph");
  GraphBuilder builder(context);
  std::vector<Operand> operands;
  for (const proto::Tensor& input : message.inputs()) operands.push_back(builder.input(input.name(), descriptorOf(input)));
  for (const proto::Tensor& constant : message.constants()) {
    operands.push_back(builder.constant(descriptorOf(constant), std::as_bytes(std::span(constant.data()))));
    builder.setName(operands.back(), constant.name());
  }
  for (const proto::Node& node : message.nodes()) {
    Operation operation = makeOperation(node.operation()).value();
    visitFields(operation, ProtoReader{node, operands});
    std::visit([&](auto& op) { op.options.label = node.label(); }, operation);
    const std::vector<Operand> results = builder.append(std::move(operation));
    for (std::size_t i = 0; i < results.size(); ++i) builder.setName(results[i], node.outputs(static_cast<int>(i)));
    operands.insert(operands.end(), results.begin(), results.end());
  }
  std::vector<NamedOperand> outputs;
  for (const proto::Output& output : message.outputs()) outputs.emplace_back(output.name(), operands.at(output.operand()));
  builder.setGraphName(message.name());
  return builder.build(std::move(outputs));
}

}  // namespace webnn::bench
