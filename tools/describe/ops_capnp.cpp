// Prints the Cap'n Proto schema of graphs, src/service/webnn.capnp. Members of the schema in this build keep their ordinals.
// Members new in the operation table get the next ordinals and a new revision.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "describe/ops_printers.h"
#include "webnn/enums.h"
#if WEBNN_SERVICE
#include "service/schema.h"
#endif

namespace webnn::describe {

#if WEBNN_SERVICE

namespace {

constexpr std::string_view kStart =
    R"(# The message format of WebNN graphs, which clients send to the service and .webnnb files contain.
# docs/reference/formats.md describes the files. Generated from the operation table by `webnn ops --format=capnp` (`make tables`).
# Members are never removed or renumbered, and defaults never change: a test compares this file with
# tests/service/frozen_ordinals.txt, which lists every member.
@0xe0dbad11bac914d5;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("webnn::service::schema");

# The revision of the schema that added an operation, a field or an enumerant. Without this annotation: the first revision.
annotation since @0xb6ecab8b88986986 (field, enumerant) :UInt32;

)";

constexpr std::string_view kGraph = R"(
# Operands are identified by number: first the inputs, then the constants, then the results of the nodes, each in order of the
# lists below. `none` stands for an absent operand.
const none :UInt32 = 0xffffffff;

struct Graph {
  # The lowest revision of this schema that contains every field that the graph sets to another value than its default. A reader
  # of a lower revision must refuse the graph, because Cap'n Proto silently ignores unknown fields.
  revision @0 :UInt32;
  name @1 :Text;
  inputs @2 :List(Input);
  constants @3 :List(Constant);
  nodes @4 :List(Node);  # in execution order: operands of a node are inputs, constants or results of earlier nodes
  outputs @5 :List(Output);
  # The open sizes of a graph with open dimensions: its named dimensions and expressions over them. In shapes of inputs and in
  # sizes of operations, the number 2^31 + i stands for item i.
  openSizes @6 :List(OpenSize) $since(2);
}

# The size of a dimension that is known when the graph runs.
struct OpenSize {
  union {
    name @0 :Text $since(2);        # a named dimension, which is between `min` and `max`
    expression @1 :Text $since(2);  # such as "batch * 12", over named dimensions; docs/guides/open_dimensions.md has the grammar
  }
  min @2 :UInt32 $since(2);
  max @3 :UInt32 = 2147483647 $since(2);
}

struct Input {
  name @0 :Text;
  dataType @1 :OperandDataType;
  shape @2 :List(UInt32);
  # Absent, or one text for each dimension: the name of a dynamic dimension, whose maximum size is in `shape`; empty for others.
  dimensionNames @3 :List(Text);
}

struct Constant {
  name @0 :Text;  # may be absent
  dataType @1 :OperandDataType;
  shape @2 :List(UInt32);
  # The elements: packed, row-major, little-endian. A byte has two 4-bit elements, the first in the low half; an unused half is 0.
  union {
    bytes @3 :Data;
    # The elements are outside of the message. In a file, memory 0 begins at the first multiple of 64 bytes after the message.
    location :group {
      memory @4 :UInt32;
      offset @5 :UInt64;  # in bytes
      length @6 :UInt64;  # in bytes: exactly the size that type and shape need
    }
    weights @7 :Text;  # the elements are in the weights file beside the graph, under this name
  }
}

struct Output {
  name @0 :Text;
  operand @1 :UInt32 = .none;
}

# A number of any type without loss. Operations use its value only, not which of the three types represents it.
struct Number {
  union {
    real @0 :Float64;
    integer @1 :Int64;
    natural @2 :UInt64;
  }
}

struct Splits {
  union {
    count @0 :UInt32;  # number of equal parts
    sizes @1 :List(UInt32);
  }
}

# An operation. Its fields are the arguments of the MLGraphBuilder method, then its options. Arguments are required: operands must
# not be `none`, and lists must not be null pointers. A list or Number option is absent if its pointer is null; an empty list
# is not absent.
struct Node {
  label @0 :Text;
  outputCount @1 :UInt32 = 1;
  outputNames @2 :List(Text);  # absent, or a name for each result; names may be empty
  operation :union {
    unset @3 :Void;  # invalid: a node must have an operation
)";
constexpr unsigned kUnset = 3;  // ordinal of `unset`; operations follow it

std::string structName(std::string_view method) {
  std::string result(method);
  result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
  return result;
}

// Members of a struct or enumeration: the members in this build's schema, and new members.
class Members {
 public:
  struct Place {
    unsigned ordinal = 0;
    std::uint32_t since = 1;
  };

  void keep(std::string name, Place place) {
    places_.insert_or_assign(std::move(name), place);
    next_ = std::max(next_, place.ordinal + 1);
  }
  // Returns the member's ordinal and the revision that added it; nothing if the member is new.
  std::optional<Place> find(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }
  unsigned next() const { return next_; }

 private:
  std::map<std::string, Place> places_;
  unsigned next_ = 0;
};

class Printer {
 public:
  Printer() {
    keepType(capnp::Schema::from<service::schema::Graph>());
    types_["Node"].keep("unset", {kUnset});
  }
  std::string print(std::span<const Method> methods);

 private:
  void keepType(capnp::Type type);
  void keepFields(capnp::StructSchema schema, Members& members);
  // Returns the line that declares a member of a struct or enumeration. `type` is the text after the ordinal.
  std::string member(const std::string& owner, std::string_view name, std::string_view type);
  std::string enumeration(const Field& field);
  std::string operation(const Method& method);

  std::map<std::string, Members> types_;
  std::uint32_t revision_ = service::schema::REVISION;
  bool isNew_ = false;
};

std::string shortName(capnp::Schema schema) { return schema.getShortDisplayName().cStr(); }

void Printer::keepFields(capnp::StructSchema schema, Members& members) {
  for (const auto field : schema.getFields()) {
    const auto ordinal = field.getProto().getOrdinal();
    if (ordinal.isExplicit()) members.keep(field.getProto().getName().cStr(), {ordinal.getExplicit(), service::sinceOf(field)});
    if (field.getProto().isGroup()) {
      keepFields(field.getType().asStruct(), members);  // members of a group share the ordinals of the enclosing struct
    } else {
      keepType(field.getType());
    }
  }
}

void Printer::keepType(capnp::Type type) {
  if (type.isList()) return keepType(type.asList().getElementType());
  if (type.isStruct() && !types_.contains(shortName(type.asStruct())))
    keepFields(type.asStruct(), types_[shortName(type.asStruct())]);
  if (!type.isEnum()) return;
  Members& members = types_[shortName(type.asEnum())];
  for (const auto enumerant : type.asEnum().getEnumerants())
    members.keep(enumerant.getProto().getName().cStr(), {enumerant.getOrdinal(), service::sinceOf(enumerant)});
}

std::string Printer::member(const std::string& owner, std::string_view name, std::string_view type) {
  Members& members = types_[owner];
  std::optional<Members::Place> place = members.find(std::string(name));
  if (!place) {
    isNew_ = true;
    place = Members::Place{members.next(), revision_ + 1};
    members.keep(std::string(name), *place);
  }
  return formatText("{} @{}{}{};\n", name, place->ordinal, type, place->since > 1 ? formatText(" $since({})", place->since) : "");
}

// Converts "MLPaddingMode" to "PaddingMode".
std::string enumName(const Field& field) { return field.enumType.substr(2); }

std::string Printer::enumeration(const Field& field) {
  const std::string owner = enumName(field);
  std::string text = formatText("\nenum {} {{\n", owner);
  for (const std::string_view name : field.enumNames) text += "  " + member(owner, service::camelCase(name), "");
  return text + "}\n";
}

// Returns a field's type, with its default unless that is zero or the first enumerant.
std::string fieldType(const Field& field) {
  const auto withDefault = [&](std::string type, const formats::Json& zero) {
    const bool isZero = field.defaultValue.isNull() || field.defaultValue == zero;
    return isZero ? type : type + " = " + field.defaultValue.dump();
  };
  switch (field.kind) {
    case FieldKind::operand: return "UInt32 = .none";
    case FieldKind::operands:
    case FieldKind::sizes: return "List(UInt32)";
    case FieldKind::boolean: return withDefault("Bool", false);
    case FieldKind::unsignedInteger: return withDefault("UInt32", 0);
    case FieldKind::integer: return withDefault("Int32", 0);
    case FieldKind::real: return withDefault("Float64", 0.0);
    case FieldKind::number: return "Number";
    case FieldKind::reals: return "List(Float32)";
    case FieldKind::splits: return "Splits";
    case FieldKind::enumeration:
      if (field.argument || field.defaultValue == field.enumNames[0]) return enumName(field);
      return enumName(field) + " = " + service::camelCase(field.defaultValue.asText());
    case FieldKind::enumerations: return formatText("List({})", enumName(field));
  }
  return "";
}

std::string Printer::operation(const Method& method) {
  const std::string owner = structName(method.name());
  std::string text = formatText("\n# {}. {}\nstruct {} {{\n", method.row->summary, specificationUrl(method), owner);
  bool hasOptions = false;
  for (const Field& field : method.fields) {
    if (!field.argument && !hasOptions) text += "  # Options:\n";
    hasOptions = hasOptions || !field.argument;
    text += "  " + member(owner, field.name, " :" + fieldType(field));
  }
  return text + "}\n";
}

std::string Printer::print(std::span<const Method> methods) {
  std::string members, operations, enumerations;
  for (const Method& method : methods) {
    members += "    " + member("Node", method.name(), " :" + structName(method.name()));
    operations += operation(method);
  }
  std::set<std::string> seen;
  const Field dataType{.name = "dataType", .enumType = "MLOperandDataType", .enumNames = enumNames<DataType>()};
  const auto addEnumeration = [&](const Field& field) {
    if (!field.enumType.empty() && seen.insert(field.enumType).second) enumerations += enumeration(field);
  };
  addEnumeration(dataType);
  for (const Method& method : methods) std::ranges::for_each(method.fields, addEnumeration);
  const std::string revision = formatText("const revision :UInt32 = {};  # of this schema\n", revision_ + (isNew_ ? 1 : 0));
  return std::string(kStart) + revision + std::string(kGraph) + members + "  }\n}\n" + operations + enumerations;
}

}  // namespace

std::string printCapnp(std::span<const Method> methods) { return Printer().print(methods); }

#else

std::string printCapnp(std::span<const Method>) {
  fail(ErrorKind::notSupportedError, "this build has no Cap'n Proto (WEBNN_SERVICE).");
}

#endif

}  // namespace webnn::describe
