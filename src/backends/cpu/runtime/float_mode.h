// The mode of a thread's float arithmetic, which a program may change: torch.set_flush_denormal(), or loading a library that was
// built with -ffast-math, lets a thread flush denormals.
#pragma once

#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace webnn::cpu {

// While an instance exists, this thread's arithmetic keeps denormals and rounds to nearest. Without it, results would depend on
// which thread computes them. Does nothing on other processors than x86 and 64-bit Arm.
class DefaultFloatMode {
 public:
  DefaultFloatMode() : saved_(mode()) {
    if (isOther()) setMode(saved_ & ~kOther);
  }
  ~DefaultFloatMode() {
    if (isOther()) setMode(saved_);
  }
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
#if defined(__SSE2__)
  using Mode = unsigned;
  static constexpr Mode kOther = 0xE040;  // MXCSR: flush to zero, rounding, denormals are zero
  static Mode mode() { return _mm_getcsr(); }
  static void setMode(Mode mode) { _mm_setcsr(mode); }
#elif defined(__aarch64__)
  using Mode = std::uint64_t;
  static constexpr Mode kOther = 0x01C8'0000;  // FPCR: flush to zero, rounding, flush float16 to zero
  static Mode mode() {
    Mode mode = 0;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void setMode(Mode mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#else
  using Mode = unsigned;
  static constexpr Mode kOther = 0;
  static Mode mode() { return 0; }
  static void setMode(Mode /*mode*/) {}
#endif
  bool isOther() const { return (saved_ & kOther) != 0; }

  Mode saved_;
};

}  // namespace webnn::cpu
