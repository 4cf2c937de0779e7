#pragma once

#include <string>
#include <vector>

#include "formats/document/document.h"

namespace webnn::formats {

struct Float16Weights {
  std::size_t rounded = 0;
  std::uint64_t savedBytes = 0;
  std::vector<std::string> kept;  // names of constants that stay float32, because float16 cannot hold them
};

// Stores float32 constants as float16. A cast to float32 gets the constant's name, so that its users read float32 as before.
// The error of an element x is at most 2^-11 * |x| or 2^-25, whichever is more; infinities and NaN stay. A constant stays
// float32 if it has fewer than 64 elements, if rounding would make a finite element infinite (65,520 and above), or if the
// largest finite magnitude is between 0 and 2^-14, both exclusive. `document` comes from documentOf().
Float16Weights storeWeightsAsFloat16(GraphDocument& document);

}  // namespace webnn::formats
