// The operation table's entry for one method of MLGraphBuilder.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "webnn/types.h"

namespace webnn::ops {

class DataTypeSet {
 public:
  constexpr DataTypeSet() = default;
  constexpr DataTypeSet(std::initializer_list<DataType> types) {
    for (DataType type : types) bits_ |= bit(type);
  }
  constexpr bool contains(DataType type) const { return (bits_ & bit(type)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr DataTypeSet operator|(DataTypeSet other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr bool operator==(const DataTypeSet&) const = default;

 private:
  static constexpr std::uint16_t bit(DataType type) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(type)); }
  std::uint16_t bits_ = 0;
};

// The sets of data types in the specification's tables.
inline constexpr DataTypeSet kFloats{DataType::float32, DataType::float16};
inline constexpr DataTypeSet kAny{DataType::float32, DataType::float16, DataType::int32, DataType::uint32,
                                  DataType::int64,   DataType::uint64,  DataType::int8,  DataType::uint8};
inline constexpr DataTypeSet kInt4s{DataType::int4, DataType::uint4};
// The set for cast and for operations that only move elements. The specification has no 4-bit types.
inline constexpr DataTypeSet kAnyAndInt4s = kAny | kInt4s;
inline constexpr DataTypeSet kSigned{DataType::float32, DataType::float16, DataType::int64, DataType::int32, DataType::int8};
inline constexpr DataTypeSet kWide{DataType::float32, DataType::float16, DataType::int32,
                                   DataType::uint32,  DataType::int64,   DataType::uint64};
inline constexpr DataTypeSet kIndices{DataType::int32, DataType::uint32, DataType::int64};
inline constexpr DataTypeSet kUint8{DataType::uint8};
inline constexpr DataTypeSet kQuantized =
    DataTypeSet{DataType::uint8, DataType::int8, DataType::uint32, DataType::int32} | kInt4s;

// The allowed ranks of an operand, inclusive.
struct RankRange {
  std::uint8_t min = 0;
  std::uint8_t max = kMaxRank;
  constexpr bool operator==(const RankRange&) const = default;
};
inline constexpr RankRange kAnyRank{};
constexpr RankRange rank(std::uint8_t exact) { return {exact, exact}; }
constexpr RankRange rankFrom(std::uint8_t min) { return {min, kMaxRank}; }

// One row of a "tensor limits" table of the specification: the allowed types and ranks of an operand.
struct OperandRule {
  std::string_view name;          // name in MLOpSupportLimits
  DataTypeSet types;              // allowed data types, unless sameTypeAs
  RankRange ranks;                // allowed ranks, unless sameRankAs
  std::string_view sameTypeAs{};  // an earlier operand that must have the same type
  std::string_view sameRankAs{};  // an earlier operand that must have the same rank
  bool output = false;

  constexpr OperandRule ofRank(RankRange range) const {
    OperandRule rule = *this;
    rule.ranks = range;
    rule.sameRankAs = {};
    return rule;
  }
  constexpr OperandRule ofRankOf(std::string_view other) const {
    OperandRule rule = *this;
    rule.sameRankAs = other;
    return rule;
  }
};

constexpr OperandRule operand(std::string_view name, DataTypeSet types, RankRange ranks = kAnyRank) {
  return {.name = name, .types = types, .ranks = ranks};
}
// Requires the type and rank of operand `other`. A following ofRank() replaces the rank rule.
constexpr OperandRule like(std::string_view name, std::string_view other) {
  return {.name = name, .types = {}, .ranks = {}, .sameTypeAs = other, .sameRankAs = other};
}
constexpr OperandRule output(OperandRule rule) {
  rule.output = true;
  return rule;
}

// The row of one MLGraphBuilder method. All rows are compile-time constants.
struct OperationRow {
  static constexpr std::size_t kMaxOperands = 12;

  std::string_view name;     // name in the specification
  std::string_view summary;  // one line
  std::array<OperandRule, kMaxOperands> operands{};

  // Returns the rules of all operands, inputs first.
  constexpr std::span<const OperandRule> rules() const {
    std::size_t count = 0;
    while (count < kMaxOperands && !operands[count].name.empty()) ++count;
    return {operands.data(), count};
  }
  constexpr const OperandRule* find(std::string_view operandName) const {
    for (const OperandRule& rule : rules()) {
      if (rule.name == operandName) return &rule;
    }
    return nullptr;
  }
  // Return the types and ranks that a rule of this row allows, with sameTypeAs and sameRankAs resolved.
  constexpr DataTypeSet typesOf(const OperandRule& rule) const {
    return rule.sameTypeAs.empty() ? rule.types : typesOf(*find(rule.sameTypeAs));
  }
  constexpr RankRange ranksOf(const OperandRule& rule) const {
    return rule.sameRankAs.empty() ? rule.ranks : ranksOf(*find(rule.sameRankAs));
  }
};

// Makes the row of an operation with one `input` and an output of the same type and rank.
constexpr OperationRow unaryRow(std::string_view name, std::string_view summary, DataTypeSet types, RankRange ranks = kAnyRank) {
  return {name, summary, {operand("input", types, ranks), output(like("output", "input"))}};
}
// Makes the row of an operation with one `input` and an output of the same type and any rank.
constexpr OperationRow anyShapeRow(std::string_view name, std::string_view summary, DataTypeSet types) {
  return {name, summary, {operand("input", types), output(like("output", "input").ofRank(kAnyRank))}};
}

}  // namespace webnn::ops
