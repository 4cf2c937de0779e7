// Judges how far operands determine an operation's results: to the bit, or except for rounding.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "ops/operation.h"
#include "random/elements.h"

namespace webnn::random {

// The known properties of a value.
struct Known {
  bool isExact = true;  // every correct backend has these bits, except the sign of zero and the bits of NaN
  double most = 0;      // the largest magnitude of a finite element
  double least = std::numeric_limits<double>::infinity();  // the smallest but 0
  int unit = 0;                                            // finite elements are multiples of 2^-unit
  bool arePowersOfTwo = true;                              // every element is, or the negative of one
  bool isFinite = true;                                    // every element is
  bool isNegative = false;                                 // an element is
  bool hasZero = false;                                    // an element is, whose sign is free
};

// Describes elements; isExact is set.
Known describe(const OperandDescriptor& descriptor, const Bytes& packed);

enum class Rule {
  copies,     // of operands' elements, or integer arithmetic: as exact as the operands
  jumps,      // a small change of an operand may change the result by much
  sums,       // of products: exact while all of them fit into the significand of a float32
  quantizes,  // off by one where the quotient lies between two integers
  rounds,
};

struct Judgement {
  Rule rule = Rule::rounds;
  double most = 0;        // what the sum of all terms' magnitudes may be, and so what may overflow in between
  int unit = 0;           // of a sum
  std::size_t terms = 1;  // operands' elements that go into an element of the result
  bool isRobust = false;  // results within the range of float32 are right whatever lies in between
  double absolute = 0;    // what roundings within the operation move its result by, however small that is
};

// `known` of the operands, in the order of visitOperands.
Judgement judge(const Operation& operation, std::span<const Known> known);

// Returns an operation that adds the magnitudes of the terms that the given one adds; none if there is no sum, or if terms cannot
// cancel.
std::optional<Operation> sumOfMagnitudes(const Operation& operation);

// Returns the normalization without its bias; none if there is no bias.
std::optional<Operation> withoutBias(const Operation& operation);

// Returns whether the results are exact for outputs of that type.
bool isExact(const Judgement& judgement, std::span<const Known> known, DataType output);

// Returns whether other bits are equally correct, beyond rounding: a jump on an inexact operand, or a sum whose terms overflow.
bool isOpen(const Operation& operation, const Judgement& judgement, std::span<const Known> known);

}  // namespace webnn::random
