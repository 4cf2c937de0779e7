#pragma once

#include "base/files/file.h"
#include "base/windows/open_existing.h"

namespace webnn {

// Maps an open, non-empty file; returns empty bytes on failure, with GetLastError().
inline ExternalBytes mapHandle(HANDLE file, std::size_t size) {
  const Handle section(::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr));
  if (!section) return {};
  const void* const address = ::MapViewOfFile(section.get(), FILE_MAP_READ, 0, 0, size);
  if (!address) return {};
  const std::shared_ptr<const void> view(address, [](const void* start) { ::UnmapViewOfFile(start); });
  return {{static_cast<const std::byte*>(address), size}, view};
}

}  // namespace webnn
