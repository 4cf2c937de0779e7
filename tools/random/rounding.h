// Judges how operands determine an operation's results: exactly, or except for rounding.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "ops/operation.h"
#include "random/elements.h"

namespace webnn::random {

// Known properties of a value (a tensor).
struct Known {
  bool isExact = true;  // all correct backends give these bits, except the sign of zero and the bits of NaN
  double most = 0;      // largest magnitude of the finite elements
  double least = std::numeric_limits<double>::infinity();  // smallest magnitude other than 0
  int unit = 0;                                            // finite elements are multiples of 2^-unit
  bool arePowersOfTwo = true;                              // all elements are powers of two or their negatives
  bool isFinite = true;                                    // all elements are finite
  bool isNegative = false;                                 // an element is negative
  bool hasZero = false;                                    // an element is 0, with an arbitrary sign
};

// Computes the properties of packed elements. Sets isExact to true.
Known describe(const OperandDescriptor& descriptor, const Bytes& packed);

enum class Rule {
  copies,     // each result element is an operand's element, perhaps with another sign, or a constant; as exact as the operands
  jumps,      // the operation is discontinuous: a small change of an operand may change the result by much
  sums,       // the operation sums products; the sum is exact while all partial sums fit in float32's significand
  quantizes,  // the result may be off by one if the quotient is near the midpoint of two integers
  rounds,
};

struct Judgement {
  Rule rule = Rule::rounds;
  double most = 0;        // bound of the sum of all terms' magnitudes, and so of intermediate values
  int unit = 0;           // the sum is a multiple of 2^-unit
  std::size_t terms = 1;  // number of operand elements that contribute to one result element
  bool isRobust = false;  // results within float32's range are correct, regardless of intermediate values
  double absolute = 0;    // absolute error by rounding within the operation, even if the result is small
};

// Returns how the operation rounds. `known` has the operands' properties, in the order of visitOperands.
Judgement judge(const Operation& operation, std::span<const Known> known);

// Returns an operation that, applied to the magnitudes of the operands, adds the magnitudes of the terms that `operation` adds.
// Returns nullopt if the operation is not a sum or its terms cannot cancel.
std::optional<Operation> sumOfMagnitudes(const Operation& operation);

// Returns the normalization without its bias; nullopt if there is no bias.
std::optional<Operation> withoutBias(const Operation& operation);

// Returns whether results of type `output` are exact.
bool isExact(const Judgement& judgement, std::span<const Known> known, DataType output);

// Returns whether results that differ by more than rounding are equally correct. Reasons are an inexact operand of a
// discontinuous operation, and a sum whose intermediate values may overflow.
bool isOpen(const Operation& operation, const Judgement& judgement, std::span<const Known> known);

}  // namespace webnn::random
