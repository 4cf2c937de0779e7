// Defines comparisons that Cap'n Proto 0.9 lacks. It expects compilers to derive them from a member of StringPtr, which compilers
// that implement P2468 no longer do in C++20.
#pragma once

#include <kj/string.h>

namespace kj {

inline bool operator==(const char* a, const StringPtr& b) { return b == StringPtr(a); }
inline bool operator!=(const char* a, const StringPtr& b) { return !(a == b); }

}  // namespace kj
