// How far the results of an operation are determined by its operands: to the bit, or but for rounding.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "ops/operation.h"
#include "random/elements.h"

namespace webnn::random {

// What is known of a value.
struct Known {
  bool isExact = true;  // every backend that is right has these bits, but for the sign of a zero and the bits of a NaN
  double most = 0;      // the largest magnitude of a finite element
  double least = std::numeric_limits<double>::infinity();  // the smallest but 0
  int unit = 0;                                            // finite elements are multiples of 2^-unit
  bool arePowersOfTwo = true;                              // every element is, or the negative of one
  bool isFinite = true;                                    // every element is
  bool isNegative = false;                                 // an element is
  bool hasZero = false;                                    // an element is, whose sign is free
};

// Of the elements; isExact is set.
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

// What adds the magnitudes of what the operation adds if its operands are those of the operation's; none for what is not a
// sum, or whose terms cannot cancel.
std::optional<Operation> sumOfMagnitudes(const Operation& operation);

// A normalization that adds no bias after all; none for what has none.
std::optional<Operation> withoutBias(const Operation& operation);

// Whether the results are exact, if the outputs are of that type.
bool isExact(const Judgement& judgement, std::span<const Known> known, DataType output);

// Whether other bits are as right, by more than rounding: a jump on an inexact operand, or a sum whose terms overflow.
bool isOpen(const Operation& operation, const Judgement& judgement, std::span<const Known> known);

}  // namespace webnn::random
