#include "backends/webgpu/adapters.h"

#include <algorithm>

#include "backends/webgpu/objects.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

std::string_view nameOf(ApiKind api) {
  switch (api) {
    case ApiKind::d3d11: return "D3D11";
    case ApiKind::d3d12: return "D3D12";
    case ApiKind::metal: return "Metal";
    case ApiKind::vulkan: return "Vulkan";
    case ApiKind::openGl: return "OpenGL";
    case ApiKind::openGlEs: return "OpenGL ES";
  }
  return "another API";
}

std::string_view nameOf(AdapterType type) {
  switch (type) {
    case AdapterType::discreteGpu: return "discrete GPU";
    case AdapterType::integratedGpu: return "integrated GPU";
    case AdapterType::cpu: return "software";
    case AdapterType::unknown: return "of an unknown kind";
  }
  return "of an unknown kind";
}

std::string lowerCased(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

// Returns a rank by which adapters are preferred; smaller is better.
int rankOf(const AdapterEntry& adapter, PowerPreference preference) {
  const AdapterType first = preference == PowerPreference::lowPower ? AdapterType::integratedGpu : AdapterType::discreteGpu;
  if (adapter.type == first) return 0;
  if (adapter.type == AdapterType::integratedGpu || adapter.type == AdapterType::discreteGpu) return 1;
  return adapter.type == AdapterType::unknown ? 2 : 3;
}

}  // namespace

std::vector<AdapterEntry> listAdapters(const Library& library) {
  const Api& api = library.api();
  std::vector<Adapter> handles(api.wgpuInstanceEnumerateAdapters(library.instance(), nullptr, nullptr));
  if (!handles.empty()) handles.resize(api.wgpuInstanceEnumerateAdapters(library.instance(), nullptr, handles.data()));
  std::vector<AdapterEntry> entries;
  for (const Adapter handle : handles) {
    AdapterEntry entry{.adapter = owned(handle, api.wgpuAdapterRelease)};
    AdapterInfo info;
    if (api.wgpuAdapterGetInfo(handle, &info) != Status::success) continue;
    entry.name = sanitized(textOf(info.device));
    entry.type = info.type;
    entry.api = info.api;
    api.wgpuAdapterInfoFreeMembers(info);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string toString(const AdapterEntry& adapter) {
  return formatText("{} ({}, {})", webnn::quoted(adapter.name), nameOf(adapter.type), nameOf(adapter.api));
}

AdapterEntry chooseAdapter(const Library& library, std::string_view part, PowerPreference preference) {
  std::vector<AdapterEntry> entries = listAdapters(library);
  std::string all;
  for (const AdapterEntry& entry : entries) all += (all.empty() ? "" : ", ") + toString(entry);
  if (all.empty()) all = "none";
  const std::string wanted = lowerCased(part);
  std::erase_if(entries, [&](const AdapterEntry& entry) {
    return wanted.empty() ? entry.isSoftware() : lowerCased(entry.name).find(wanted) == std::string::npos;
  });
  if (entries.empty() && wanted.empty()) {
    fail(
        ErrorKind::notSupportedError,
        "backend \"webgpu\": wgpu-native {} finds no GPU. Adapters of this machine: {}. Install the driver of the GPU, or name a "
        "software adapter with the option adapter (adapter=llvmpipe).",
        library.version(), all);
  }
  if (entries.empty()) {
    fail(ErrorKind::notSupportedError, "backend \"webgpu\": there is no adapter {}; wgpu-native {} finds: {}.",
         webnn::quoted(part), library.version(), all);
  }
  return std::move(*std::ranges::min_element(entries, {}, [&](const AdapterEntry& entry) { return rankOf(entry, preference); }));
}

}  // namespace webnn::webgpu
