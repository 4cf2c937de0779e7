// Lists the adapters of a machine and chooses one.
#pragma once

#include <string>
#include <vector>

#include "backends/webgpu/library.h"
#include "backends/webgpu/objects.h"
#include "webnn/context.h"

namespace webnn::webgpu {

// A GPU or a software renderer, as seen through one graphics API.
struct AdapterEntry {
  Owned<Adapter> adapter;
  std::string name;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
  AdapterType type = AdapterType::unknown;
  ApiKind api = ApiKind::vulkan;

  bool isSoftware() const { return type == AdapterType::cpu; }
};

std::vector<AdapterEntry> listAdapters(const Library& library);

// Returns `"llvmpipe (LLVM 15.0.6, 256 bits)" (software, Vulkan)`.
std::string toString(const AdapterEntry& adapter);

// Returns the preferred adapter. If `part` is not empty, considers only adapters whose name contains `part` (case-insensitively);
// otherwise considers all but software adapters. Throws NotSupportedError, which lists the machine's adapters, if none qualifies.
AdapterEntry chooseAdapter(const Library& library, std::string_view part, PowerPreference preference);

}  // namespace webnn::webgpu
