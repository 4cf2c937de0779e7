// Smaller files of weights.
#pragma once

#include <string>
#include <vector>

#include "formats/document/document.h"

namespace webnn::formats {

// What became of the constants of float32.
struct Float16Weights {
  std::size_t rounded = 0;
  std::uint64_t savedBytes = 0;
  std::vector<std::string> kept;  // names of those that float16 cannot hold
};

// Stores constants of float32 as float16, each followed by a cast to float32 that has its name. An element is off by at most
// 2^-11 of itself or by 2^-25, whichever is more; infinities and NaN stay what they are. Constants of fewer than 64 elements stay
// float32, and so do those with an element that float16 has no room for (above 65504) and those of which the largest is below
// 2^-14, where float16 has fewer digits. `document` is one of documentOf().
Float16Weights storeWeightsAsFloat16(GraphDocument& document);

}  // namespace webnn::formats
