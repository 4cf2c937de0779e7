// The implementation of stb_image, for image.cpp alone: three formats, from memory, within a bound of memory. Its header
// lies in a system folder, so it is compiled without warnings.
#include <cstddef>
#include <cstdlib>

namespace {

// A picture of image.cpp's limits needs less. A small file can claim, or inflate to, more.
constexpr std::size_t kMaxAllocation = std::size_t{1} << 30;

void* allocate(std::size_t size) { return size <= kMaxAllocation ? std::malloc(size) : nullptr; }
void* reallocate(void* block, std::size_t size) { return size <= kMaxAllocation ? std::realloc(block, size) : nullptr; }

}  // namespace

#define STBI_MALLOC(size) allocate(size)
#define STBI_REALLOC(block, size) reallocate(block, size)
#define STBI_FREE(block) std::free(block)
#define STBI_NO_STDIO
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_MAX_DIMENSIONS 32768  // as in image.cpp
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
