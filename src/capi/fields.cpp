#include "capi/fields.h"

#include "capi/objects.h"
#include "ops/checks.h"
#include "ops/operation.h"
#include "webnn/enums.h"

namespace webnn::capi {

namespace {

bool isAbsent(const FieldValue& value) {
  const auto visitor = [](const auto& held) {
    using Held = std::remove_cvref_t<decltype(held)>;
    if constexpr (std::is_same_v<Held, WebnnOperand>) return held == nullptr;
    if constexpr (std::is_same_v<Held, WebnnNumber>) return bitsOf(held.type) == WebnnNumberType_Undefined;
    if constexpr (std::is_same_v<Held, EnumValue>) return held.bits == 0;
    if constexpr (std::is_same_v<Held, WebnnUint32List> || std::is_same_v<Held, WebnnFloatList> || std::is_same_v<Held, EnumList>)
      return held.count == WEBNN_ABSENT && !held.items;
    return false;
  };
  return std::visit(visitor, static_cast<const ValueVariant&>(value));
}

// Each overload stores a value, which must not be absent, in a field. `name` is for error messages.
using Name = const What&;

void read(Operand& field, const FieldValue& value, Name name) {
  WebnnOperandImpl* const handle = std::get<WebnnOperand>(value);
  if (!handle) fail(ErrorKind::typeError, "{} is NULL.", name.text());
  if (handle->kind != WebnnOperandImpl::kKind) fail(ErrorKind::typeError, "{} is a handle of something else.", name.text());
  field = handle->operand;
}

void read(std::vector<Operand>& field, const FieldValue& value, Name name) {
  const auto& list = std::get<WebnnOperandList>(value);
  for (const WebnnOperand& item : listOf(list.count, list.items, name)) read(field.emplace_back(), FieldValue(item), name);
}

void read(bool& field, const FieldValue& value, Name name) { field = boolOf(std::get<std::uint32_t>(value), name); }
void read(std::uint32_t& field, const FieldValue& value, Name) { field = std::get<std::uint32_t>(value); }
void read(std::int32_t& field, const FieldValue& value, Name) { field = std::get<std::int32_t>(value); }
void read(double& field, const FieldValue& value, Name) { field = std::get<double>(value); }
void read(Number& field, const FieldValue& value, Name name) { field = numberOf(std::get<WebnnNumber>(value), name); }

void read(std::vector<std::uint32_t>& field, const FieldValue& value, Name name) {
  const auto& list = std::get<WebnnUint32List>(value);
  const auto items = listOf(list.count, list.items, name);
  field.assign(items.begin(), items.end());
}

void read(std::vector<float>& field, const FieldValue& value, Name name) {
  const auto& list = std::get<WebnnFloatList>(value);
  const auto items = listOf(list.count, list.items, name);
  field.assign(items.begin(), items.end());
}

void read(Splits& field, const FieldValue& value, Name name) {
  const auto& splits = std::get<WebnnSplits>(value);
  if (isAbsent(splits.sizes)) {
    field = splits.count;
  } else {
    read(field.emplace<std::vector<std::uint32_t>>(), FieldValue(splits.sizes), name);
  }
}

template <typename Enum>
requires std::is_enum_v<Enum>
void read(Enum& field, const FieldValue& value, Name name) {
  field = enumOf<Enum>(std::get<EnumValue>(value).bits, enumNames<Enum>().size(), name);
}

template <typename Enum>
requires std::is_enum_v<Enum>
void read(std::vector<Enum>& field, const FieldValue& value, Name name) {
  const EnumList& list = std::get<EnumList>(value);
  const auto* const bytes = static_cast<const std::byte*>(list.items);
  const std::size_t count = listOf(list.count, static_cast<const EnumValue*>(list.items), name).size();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));
    field.push_back(enumOf<Enum>(bits, enumNames<Enum>().size(), name));
  }
}

template <typename T>
void read(std::optional<T>& field, const FieldValue& value, Name name) {
  T made{};
  read(made, value, name);
  field = std::move(made);
}

template <typename Item>
void read(OptionalSequence<Item>& field, const FieldValue& value, Name name) {
  read(static_cast<std::optional<std::vector<Item>>&>(field), value, name);
}

// Reads the values in order into the fields that visitFields visits.
class Reader {
 public:
  Reader(const What& prefix, std::initializer_list<FieldValue> values)
      : prefix_(prefix), next_(values.begin()), end_(values.end()) {}

  void argument(std::string_view name, auto& field) {
    const What what = prefix_ + name;
    const FieldValue& value = take();
    if (isAbsent(value))
      fail(ErrorKind::typeError, "{} is {}.", what.text(), std::holds_alternative<WebnnOperand>(value) ? "NULL" : "not set");
    read(field, value, what);
  }
  void option(std::string_view name, auto& field) {
    if (const FieldValue& value = take(); !isAbsent(value)) read(field, value, prefix_ + name);
  }

 private:
  const FieldValue& take() {
    if (next_ == end_) fail(ErrorKind::unknownError, "{}there are fewer values than fields.", prefix_.text());
    return *next_++;
  }

  const What prefix_;
  const FieldValue* next_;
  const FieldValue* end_;
};

std::vector<Operand> appendTo(WebnnGraphBuilder builder, const OperationCall& call) {
  const What method = call.method;
  WebnnGraphBuilderImpl& target = requireObject(builder, method + ": ");
  std::string label = textOf(call.label, method + ": label");
  requireNoChain(call.nextInChain, method + ": options");
  Operation operation = *makeOperation(call.method);
  visitFields(operation, Reader(What(call.method, label), call.values));
  std::visit([&](auto& op) { op.options.label = std::move(label); }, operation);
  const std::lock_guard lock(target.mutex);
  return target.builder.append(std::move(operation));
}

}  // namespace

WebnnStatus append(WebnnGraphBuilder builder, const OperationCall& call, WebnnOperand* result, WebnnError* error) noexcept {
  return guarded(error, [&] {
    WebnnOperand& place = requireResult(result, call.method);
    auto made = std::make_unique<WebnnOperandImpl>();
    made->operand = appendTo(builder, call)[0];
    place = made.release();
  });
}

WebnnStatus append(WebnnGraphBuilder builder, const OperationCall& call, WebnnOperandList* results, WebnnError* error) noexcept {
  return guarded(error, [&] {
    WebnnOperandList& place = requireResult(results, call.method);
    std::vector<Operand> operands = appendTo(builder, call);
    std::vector<std::unique_ptr<WebnnOperandImpl>> made;
    for (Operand& operand : operands) made.emplace_back(std::make_unique<WebnnOperandImpl>())->operand = std::move(operand);
    auto* const items = new WebnnOperand[made.size()];
    for (std::size_t i = 0; i < made.size(); ++i) items[i] = made[i].release();
    place = {made.size(), items};
  });
}

}  // namespace webnn::capi

void webnnOperandListFreeMembers(WebnnOperandList list) {
  for (std::size_t i = 0; list.items && i < list.count; ++i) webnnOperandRelease(list.items[i]);
  delete[] list.items;
}
