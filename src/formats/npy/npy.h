// NumPy's .npy format: a file with one array.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::formats {

// An array in memory: packed, row-major.
struct Array {
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
};

// Reads versions 1.0 to 3.0. b1 becomes uint8; column-major arrays become row-major. Throws DataError for a malformed file or an
// invalid WebNN shape, NotSupportedError for other types and big-endian data.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Array readNpy(std::span<const std::byte> file);

// Returns the shape in the header. A size may be 0, unlike for readNpy().
Shape npyShape(std::span<const std::byte> file);

// Writes version 1.0. int4 and uint4 are widened to int8 and uint8. Throws TypeError if `bytes` do not match `descriptor`.
void writeNpy(std::ostream& out, const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

}  // namespace webnn::formats
