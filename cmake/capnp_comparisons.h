// What Cap'n Proto 0.9 compares, and C++20 does not derive from the member of StringPtr since P2468.
#pragma once

#include <kj/string.h>

namespace kj {

inline bool operator==(const char* a, const StringPtr& b) { return b == StringPtr(a); }
inline bool operator!=(const char* a, const StringPtr& b) { return !(a == b); }

}  // namespace kj
