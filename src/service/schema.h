// Reflection on the Cap'n Proto schema of graphs (webnn.capnp): maps each operation's fields, in the order of visitFields, and
// the enumerations of the specification to members of the schema.
#pragma once

#include <capnp/dynamic.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ops/operation.h"
#include "service/webnn.capnp.h"
#include "webnn/enums.h"

namespace webnn::service {

// Converts a name of the operation table or of an enumeration to Cap'n Proto's spelling: "nearest-neighbor" to "nearestNeighbor".
std::string camelCase(std::string_view name);

// Returns the revision that introduced a member of the schema: its annotation `since`, or 1 without one.
std::uint32_t sinceOf(capnp::StructSchema::Field field);
std::uint32_t sinceOf(capnp::EnumSchema::Enumerant enumerant);

struct FieldSchema {
  capnp::StructSchema::Field field;
  std::uint32_t since = 1;
};

struct OperationSchema {
  const Operation* operation = nullptr;  // an operation whose fields have their defaults
  FieldSchema member;                    // a member of Node.operation
  std::vector<FieldSchema> fields;       // fields in the order of visitFields
};

// Returns the schema of an operation. Throws NotSupportedError if the schema lacks any operation of the table or a field of one.
const OperationSchema& schemaOf(const Operation& operation);
// Returns the schema of the operation that a member of Node.operation stands for; null for the member `unset`.
const OperationSchema* schemaOf(capnp::StructSchema::Field member);

// The enumerants of a specification enumeration in the schema, matched by name.
template <typename Enum>
class Enumerants {
 public:
  struct Enumerant {
    std::uint16_t ordinal = 0;
    std::uint32_t since = 1;
  };
  static const Enumerants& of(capnp::EnumSchema schema) {
    static const Enumerants enumerants(schema);
    return enumerants;
  }
  const Enumerant& operator[](Enum value) const { return enumerants_[static_cast<std::size_t>(value)]; }
  // Returns the enumerator of an ordinal; nullopt if the ordinal is unknown.
  std::optional<Enum> find(std::uint16_t ordinal) const {
    for (std::size_t i = 0; i < enumerants_.size(); ++i) {
      if (enumerants_[i].ordinal == ordinal) return static_cast<Enum>(i);
    }
    return std::nullopt;
  }

 private:
  explicit Enumerants(capnp::EnumSchema schema) {
    for (const std::string_view name : enumNames<Enum>()) {
      const auto enumerant = schema.getEnumerantByName(camelCase(name).c_str());
      enumerants_.push_back({enumerant.getOrdinal(), sinceOf(enumerant)});
    }
  }
  std::vector<Enumerant> enumerants_;
};

}  // namespace webnn::service
