#include "backends/webgpu/device.h"

#include "support/support.h"
#include "support/webgpu.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using webgpu::Device;

const webgpu::Library& loadedLibrary() { return webgpu::Library::load(SearchPlaces::ofProcess(webgpu::libraryKind())); }
Device openDevice() {
  return Device(loadedLibrary(), webgpu::chooseAdapter(loadedLibrary(), test::webGpuAdapter(), PowerPreference::standard));
}

TEST(WebGpuDevice, HasTheLimitsThatKernelsAssume) {
  WEBNN_REQUIRE_WEBGPU();
  const Device device = openDevice();
  EXPECT_GE(device.traits().maxBindings, 8u);
  EXPECT_GE(device.traits().maxInvocations, 256u);
  EXPECT_GE(device.traits().workgroupBytes, 16384u);
  EXPECT_GE(device.traits().maxBufferBytes, std::uint64_t{128} << 20);
}

TEST(WebGpuDevice, TurnsErrorsOfShadersIntoOurs) {
  WEBNN_REQUIRE_WEBGPU();
  const Device device = openDevice();
  test::expectError(ErrorKind::operationError, {"WebGPU: compiling a shader failed", "expected global item"}, [&] {
    device.makePipeline("no shader", {0, 1});
  });
  test::expectError(ErrorKind::operationError, {"WebGPU: binding buffers failed"}, [&] {
    const auto pipeline = device.makePipeline(
        "@group(0) @binding(0) var<storage, read_write> y0: array<u32>;\n"
        "@compute @workgroup_size(1) fn main() { y0[0] = 1u; }\n",
        {0, 1});
    device.makeBindGroup(*pipeline, {});
  });
}

TEST(WebGpuDevice, RefusesBuffersThatAreTooLarge) {
  WEBNN_REQUIRE_WEBGPU();
  const Device device = openDevice();
  test::expectError(ErrorKind::operationError, {"WebGPU: making a buffer failed"},
                    [&] { device.makeBuffer(std::uint64_t{1} << 60, webgpu::usage::kStorage, ErrorKind::operationError); });
}

TEST(WebGpuDevice, SharesPipelinesOfEqualShaders) {
  WEBNN_REQUIRE_WEBGPU();
  const Device device = openDevice();
  const std::string shader =
      "@group(0) @binding(0) var<storage, read_write> y0: array<u32>;\n"
      "@compute @workgroup_size(1) fn main() { y0[0] = 1u; }\n";
  const auto first = device.makePipeline(shader, {0, 1});
  EXPECT_EQ(first, device.makePipeline(shader, {0, 1}));
  EXPECT_NE(first, device.makePipeline(shader + " ", {0, 1}));
}

TEST(WebGpuDevice, TellsOnceThatItIsLost) {
  WEBNN_REQUIRE_WEBGPU();
  const Device device = openDevice();
  int told = 0;
  std::string reason;
  device.whenLost([&](const std::string& why) {
    ++told;
    reason = why;
  });
  EXPECT_EQ(told, 0);
  device.destroy();
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(reason.empty());
  device.whenLost([&](const std::string&) { ++told; });  // called immediately, because the device is lost
  EXPECT_EQ(told, 2);
  test::expectError(ErrorKind::operationError, {"the device is lost"},
                    [&] { device.makeBuffer(16, webgpu::usage::kStorage, ErrorKind::operationError); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
