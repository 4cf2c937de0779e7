// AMX tiles, and an AVX-512 emulation to test AMX algorithms on processors without AMX. The two classes have the same functions
// and eight tiles of 16 rows of 64 bytes.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // false warnings in GCC 12's own intrinsics (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

// Marks functions that use tiles and 512-bit vectors. The emulation needs only AVX-512.
#define WEBNN_TILES __attribute__((target("amx-tile,amx-bf16,amx-int8,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi2")))
#define WEBNN_TILES_INLINE WEBNN_TILES __attribute__((always_inline)) inline

namespace webnn::cpu {

constexpr std::size_t kTileRows = 16, kTileBytes = 64;
// Measured on Granite Rapids: storing a tile takes about 1,000 cycles if the processor has multiplied tiles for more than 2,100
// cycles since it last stored one. Long loops therefore store a tile after at most this number of cycles, and overwrite it later.
constexpr std::size_t kMostTileCycles = 1600;

// The memory operand of the instruction LDTILECFG.
struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1, startRow = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> rowBytes{64, 64, 64, 64, 64, 64, 64, 64};
  std::array<std::uint8_t, 16> rows{16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfiguration) == 64);

// The processor's AMX tiles. A thread may use them only between configure() and release().
class RegisterTiles {
 public:
  WEBNN_TILES_INLINE void configure(const TileConfiguration& configuration) {
    barrier();
    _tile_loadconfig(&configuration);
  }
  WEBNN_TILES_INLINE void release() { _tile_release(); }
  // Keeps the compiler from moving memory writes past tile loads, whose intrinsics do not declare that they read memory.
  WEBNN_TILES_INLINE void barrier() { asm volatile("" ::: "memory"); }

  // Tile numbers are template arguments because the intrinsics accept only literals.
  template <int kTile>
  WEBNN_TILES_INLINE void load(const void* from, std::size_t stride) {
    static_assert(kTile >= 0 && kTile < 8);
    if constexpr (kTile == 0) _tile_loadd(0, from, stride);
    if constexpr (kTile == 1) _tile_loadd(1, from, stride);
    if constexpr (kTile == 2) _tile_loadd(2, from, stride);
    if constexpr (kTile == 3) _tile_loadd(3, from, stride);
    if constexpr (kTile == 4) _tile_loadd(4, from, stride);
    if constexpr (kTile == 5) _tile_loadd(5, from, stride);
    if constexpr (kTile == 6) _tile_loadd(6, from, stride);
    if constexpr (kTile == 7) _tile_loadd(7, from, stride);
  }
  template <int kTile>
  WEBNN_TILES_INLINE void store(void* to, std::size_t stride) {
    static_assert(kTile >= 0 && kTile < 4);
    if constexpr (kTile == 0) _tile_stored(0, to, stride);
    if constexpr (kTile == 1) _tile_stored(1, to, stride);
    if constexpr (kTile == 2) _tile_stored(2, to, stride);
    if constexpr (kTile == 3) _tile_stored(3, to, stride);
  }
  template <int kTile>
  WEBNN_TILES_INLINE void zero() {
    static_assert(kTile >= 0 && kTile < 4);
    if constexpr (kTile == 0) _tile_zero(0);
    if constexpr (kTile == 1) _tile_zero(1);
    if constexpr (kTile == 2) _tile_zero(2);
    if constexpr (kTile == 3) _tile_zero(3);
  }
  // Adds the product of tiles kA (4 or 5) and kB (6 or 7), in pairs of bfloat16, to tile kC (0 to 3).
  template <int kC, int kA, int kB>
  WEBNN_TILES_INLINE void dotBf16() {
    static_assert(kC == (kA - 4) * 2 + (kB - 6));
    if constexpr (kC == 0) _tile_dpbf16ps(0, 4, 6);
    if constexpr (kC == 1) _tile_dpbf16ps(1, 4, 7);
    if constexpr (kC == 2) _tile_dpbf16ps(2, 5, 6);
    if constexpr (kC == 3) _tile_dpbf16ps(3, 5, 7);
  }
  // Does the same as dotBf16() for groups of four bytes, which are unsigned in kA and signed in kB. Sums are int32.
  template <int kC, int kA, int kB>
  WEBNN_TILES_INLINE void dotBytes() {
    static_assert(kC == (kA - 4) * 2 + (kB - 6));
    if constexpr (kC == 0) _tile_dpbusd(0, 4, 6);
    if constexpr (kC == 1) _tile_dpbusd(1, 4, 7);
    if constexpr (kC == 2) _tile_dpbusd(2, 5, 6);
    if constexpr (kC == 3) _tile_dpbusd(3, 5, 7);
  }
};

// Emulates tiles in memory as Intel's instruction set reference specifies them.
class EmulatedTiles {
 public:
  void configure(const TileConfiguration& configuration);
  void release() {}
  void barrier() {}
  template <int kTile>
  void load(const void* from, std::size_t stride) {
    loadTile(kTile, from, stride);
  }
  template <int kTile>
  void store(void* to, std::size_t stride) {
    storeTile(kTile, to, stride);
  }
  template <int kTile>
  void zero() {
    tiles_[kTile] = {};
  }
  template <int kC, int kA, int kB>
  void dotBf16() {
    dotTilesBf16(kC, kA, kB);
  }
  template <int kC, int kA, int kB>
  void dotBytes() {
    dotTilesBytes(kC, kA, kB);
  }

 private:
  using Row = std::array<std::byte, kTileBytes>;
  void loadTile(int tile, const void* from, std::size_t stride);
  void storeTile(int tile, void* to, std::size_t stride) const;
  void dotTilesBf16(int c, int a, int b);
  void dotTilesBytes(int c, int a, int b);

  TileConfiguration configuration_;
  alignas(64) std::array<std::array<Row, kTileRows>, 8> tiles_;
};

}  // namespace webnn::cpu
#endif
