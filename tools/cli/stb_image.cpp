// The implementation of stb_image for image.cpp: three formats, from memory, with a memory limit. The include path is a system
// one, which disables warnings.
#include "cli/stb_image.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace {

// Bytes that this thread may still allocate. Without a limit, a small file could make the decoder allocate very much.
thread_local std::size_t left = 0;

// Each block is preceded by its size, in a header that keeps the alignment of malloc.
constexpr std::size_t kHeader = alignof(std::max_align_t);

std::size_t sizeOf(void* block) {
  std::size_t size = 0;
  std::memcpy(&size, static_cast<std::byte*>(block) - kHeader, sizeof size);
  return size;
}

void* allocate(std::size_t size) {
  if (size > left) return nullptr;
  auto* const memory = static_cast<std::byte*>(std::malloc(size + kHeader));
  if (!memory) return nullptr;
  left -= size;
  std::memcpy(memory, &size, sizeof size);
  return memory + kHeader;
}

void release(void* block) {
  if (!block) return;
  left += sizeOf(block);
  std::free(static_cast<std::byte*>(block) - kHeader);
}

// Counts both blocks, because both exist during the copy.
void* reallocate(void* block, std::size_t size) {
  void* const larger = allocate(size);
  if (!larger || !block) return larger;
  std::memcpy(larger, block, std::min(size, sizeOf(block)));
  release(block);
  return larger;
}

}  // namespace

namespace webnn::cli {

DecoderMemory::DecoderMemory(std::size_t bytes) { left = bytes; }
DecoderMemory::~DecoderMemory() { left = 0; }

}  // namespace webnn::cli

#define STBI_MALLOC(size) allocate(size)
#define STBI_REALLOC(block, size) reallocate(block, size)
#define STBI_FREE(block) release(block)
#define STBI_NO_STDIO
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_MAX_DIMENSIONS 32768  // kMaxSide in image.cpp is the same
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
