#pragma once

#include <cstring>

namespace webnn {

template <typename T>
T loadUnaligned(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <typename T>
void storeUnaligned(void* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

}  // namespace webnn
