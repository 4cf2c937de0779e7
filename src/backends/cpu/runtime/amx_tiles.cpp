#include "backends/cpu/runtime/amx_tiles.h"

#if defined(__x86_64__)
#include <cstring>

namespace webnn::cpu {

namespace {

// While an instance exists, this thread's vector arithmetic works like AMX: it flushes denormals to zero and rounds to nearest.
class TileArithmetic {
 public:
  TileArithmetic() : saved_(_mm_getcsr()) {
    constexpr unsigned kMasked = 0x1F80, kFlush = 0x8000, kZero = 0x0040;
    _mm_setcsr(kMasked | kFlush | kZero);
    asm volatile("" ::: "memory");
  }
  ~TileArithmetic() {
    asm volatile("" ::: "memory");
    _mm_setcsr(saved_);
  }
  TileArithmetic(const TileArithmetic&) = delete;
  TileArithmetic& operator=(const TileArithmetic&) = delete;

 private:
  unsigned saved_;
};

// Multiplies one row of bfloat16 pairs. Like the AMX instruction, sums even and odd k separately and then adds both sums to C.
WEBNN_TILES void dotRow(const std::byte* a, std::size_t pairs, const std::byte* b, std::byte* c) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xFFFF0000));
  __m512 even = _mm512_setzero_ps(), odd = _mm512_setzero_ps();
  for (std::size_t k = 0; k < pairs; ++k) {
    std::uint32_t pair = 0;
    std::memcpy(&pair, a + 4 * k, sizeof(pair));
    const __m512i left = _mm512_set1_epi32(static_cast<int>(pair)), right = _mm512_loadu_si512(b + k * kTileBytes);
    even = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_slli_epi32(left, 16)), _mm512_castsi512_ps(_mm512_slli_epi32(right, 16)),
                           even);
    odd = _mm512_fmadd_ps(_mm512_castsi512_ps(_mm512_and_si512(left, upper)), _mm512_castsi512_ps(_mm512_and_si512(right, upper)),
                          odd);
  }
  _mm512_storeu_ps(c, _mm512_add_ps(_mm512_loadu_ps(c), _mm512_add_ps(even, odd)));
}

WEBNN_TILES void dotByteRow(const std::byte* a, std::size_t groups, const std::byte* b, std::byte* c) {
  __m512i sum = _mm512_loadu_si512(c);
  for (std::size_t k = 0; k < groups; ++k) {
    const __m512i right = _mm512_loadu_si512(b + k * kTileBytes);
    for (unsigned i = 0; i < 4; ++i) {
      const __m512i left = _mm512_set1_epi32(std::to_integer<int>(a[4 * k + i]));
      const __m512i lifted = _mm512_sll_epi32(right, _mm_cvtsi32_si128(static_cast<int>(24 - 8 * i)));
      sum = _mm512_add_epi32(sum, _mm512_mullo_epi32(left, _mm512_srai_epi32(lifted, 24)));
    }
  }
  _mm512_storeu_si512(c, sum);
}

}  // namespace

void EmulatedTiles::configure(const TileConfiguration& configuration) {
  configuration_ = configuration;
  tiles_ = {};
}

void EmulatedTiles::loadTile(int tile, const void* from, std::size_t stride) {
  tiles_[tile] = {};
  for (std::size_t row = 0; row < configuration_.rows[tile]; ++row) {
    std::memcpy(tiles_[tile][row].data(), static_cast<const std::byte*>(from) + row * stride, configuration_.rowBytes[tile]);
  }
}

void EmulatedTiles::storeTile(int tile, void* to, std::size_t stride) const {
  for (std::size_t row = 0; row < configuration_.rows[tile]; ++row) {
    std::memcpy(static_cast<std::byte*>(to) + row * stride, tiles_[tile][row].data(), configuration_.rowBytes[tile]);
  }
}

void EmulatedTiles::dotTilesBf16(int c, int a, int b) {
  const TileArithmetic arithmetic;
  for (std::size_t row = 0; row < configuration_.rows[c]; ++row) {
    dotRow(tiles_[a][row].data(), configuration_.rowBytes[a] / 4, tiles_[b][0].data(), tiles_[c][row].data());
  }
}

void EmulatedTiles::dotTilesBytes(int c, int a, int b) {
  for (std::size_t row = 0; row < configuration_.rows[c]; ++row) {
    dotByteRow(tiles_[a][row].data(), configuration_.rowBytes[a] / 4, tiles_[b][0].data(), tiles_[c][row].data());
  }
}

}  // namespace webnn::cpu
#endif
