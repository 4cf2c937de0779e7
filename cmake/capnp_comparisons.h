// Comparisons that Cap'n Proto 0.9 uses and that C++20 compilers with P2468 no longer derive from StringPtr's member.
#pragma once

#include <kj/string.h>

namespace kj {

inline bool operator==(const char* a, const StringPtr& b) { return b == StringPtr(a); }
inline bool operator!=(const char* a, const StringPtr& b) { return !(a == b); }

}  // namespace kj
