#include "service/schema.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/text.h"

namespace webnn::service {

namespace {

constexpr std::uint64_t kSince = 0xb6ecab8b88986986;  // the id of the annotation `since`

std::uint32_t annotationOf(capnp::List<capnp::schema::Annotation>::Reader annotations) {
  for (const auto annotation : annotations) {
    if (annotation.getId() == kSince) return annotation.getValue().getUint32();
  }
  return 1;
}

FieldSchema fieldOf(capnp::StructSchema schema, std::string_view operation, std::string_view name) {
  KJ_IF_MAYBE (field, schema.findFieldByName(std::string(name).c_str())) return {*field, sinceOf(*field)};
  fail(ErrorKind::notSupportedError, "{} of {} is not in the schema of graphs yet: print it again with `make tables`.", name,
       operation);
}

// Finds the schema field for each field of an operation.
struct FieldFinder {
  capnp::StructSchema schema;
  std::string_view operation;
  std::vector<FieldSchema>& fields;
  template <typename T>
  void argument(std::string_view name, const T&) {
    fields.push_back(fieldOf(schema, operation, name));
  }
  template <typename T>
  void option(std::string_view name, const T&) {
    fields.push_back(fieldOf(schema, operation, name));
  }
};

OperationSchema makeSchema(const Operation& operation) {
  const capnp::StructSchema members = capnp::Schema::from<schema::Node>().getFieldByName("operation").getType().asStruct();
  OperationSchema result{&operation, fieldOf(members, "Node", name(operation)), {}};
  visitFields(operation, FieldFinder{result.member.field.getType().asStruct(), name(operation), result.fields});
  return result;
}

struct Table {
  std::map<std::string_view, OperationSchema> byName;
  std::vector<const OperationSchema*> byMember;

  Table() {
    for (const Operation& operation : allOperations()) {
      const OperationSchema& made = byName.emplace(name(operation), makeSchema(operation)).first->second;
      const std::size_t index = made.member.field.getIndex();
      byMember.resize(std::max(byMember.size(), index + 1));
      byMember[index] = &made;
    }
  }
  static const Table& get() {
    static const Table table;
    return table;
  }
};

}  // namespace

std::string camelCase(std::string_view name) {
  std::string result;
  bool isStart = false;
  for (const char c : name) {
    if (c != '-') result += isStart ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    isStart = c == '-';
  }
  return result;
}

std::uint32_t sinceOf(capnp::StructSchema::Field field) { return annotationOf(field.getProto().getAnnotations()); }
std::uint32_t sinceOf(capnp::EnumSchema::Enumerant enumerant) { return annotationOf(enumerant.getProto().getAnnotations()); }

const OperationSchema& schemaOf(const Operation& operation) { return Table::get().byName.at(name(operation)); }

const OperationSchema* schemaOf(capnp::StructSchema::Field member) {
  const auto& all = Table::get().byMember;
  return member.getIndex() < all.size() ? all[member.getIndex()] : nullptr;
}

}  // namespace webnn::service
