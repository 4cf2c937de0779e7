// Loses the device in the middle of each kind of call.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <tuple>

#include "support/small_graph.h"
#include "support/support.h"
#include "support/webgpu.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using webgpu::Api;

// As long as an object of this class exists, functions of the library are replaced, so that one call can lose the device.
class Losing {
 public:
  Losing() : api_(const_cast<Api&>(webgpu::Library::load(SearchPlaces::ofProcess(webgpu::libraryKind())).api())), real_(api_) {
    now() = this;
    replace<&Api::wgpuDeviceGetQueue>();
    replace<&Api::wgpuDeviceCreateBuffer>();
    replace<&Api::wgpuDeviceCreateShaderModule>();
    replace<&Api::wgpuDeviceCreateComputePipeline>();
    replace<&Api::wgpuDeviceCreateBindGroup>();
    replace<&Api::wgpuDeviceCreateCommandEncoder>();
    replace<&Api::wgpuCommandEncoderBeginComputePass>();
    replace<&Api::wgpuComputePassEncoderDispatchWorkgroups>();
    replace<&Api::wgpuComputePassEncoderEnd>();
    replace<&Api::wgpuCommandEncoderFinish>();
    replace<&Api::wgpuQueueWriteBuffer>();
    replace<&Api::wgpuQueueOnSubmittedWorkDone>();
    replace<&Api::wgpuBufferMapAsync>();
    replace<&Api::wgpuDevicePopErrorScope>();
  }
  ~Losing() {
    api_ = real_;
    now() = nullptr;
  }

  // Returns the number of calls so far of the replaced functions, without wgpuDeviceGetQueue.
  int calls() const { return calls_; }
  // Loses the device that was opened last, before the call with this number.
  void loseAt(int call) { loseAt_ = call; }
  void lose() const { real_.wgpuDeviceDestroy(device_); }

 private:
  static Losing*& now() {
    static Losing* losing = nullptr;
    return losing;
  }
  template <auto Member>
  struct Forward;
  template <typename Result, typename... Arguments, Result (*Api::*Member)(Arguments...)>
  struct Forward<Member> {
    static Result call(Arguments... arguments) {
      Losing& losing = *now();
      if constexpr (std::is_same_v<Result, webgpu::Queue>) {
        losing.device_ = std::get<0>(std::tuple(arguments...));
      } else if (losing.calls_++ == losing.loseAt_) {
        losing.lose();
      }
      return (losing.real_.*Member)(arguments...);
    }
  };
  template <auto Member>
  void replace() {
    api_.*Member = Forward<Member>::call;
  }

  Api& api_;
  const Api real_;
  webgpu::DeviceHandle device_ = nullptr;
  std::atomic<int> calls_ = 0, loseAt_ = -1;
};

// Builds, writes, dispatches and reads. Returns the message of the first error; empty if there is none.
std::string useEverything(Context& context) {
  std::string message;
  const auto attempt = [&](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::operationError || error.kind() == ErrorKind::invalidStateError) << error.what();
      if (message.empty()) message = error.what();
    }
  };
  std::vector<std::future<std::vector<std::byte>>> reads;
  attempt([&] {
    const Graph graph = test::makeSmallGraph(context);
    const Tensor x = context.createTensor({DataType::float32, {2, 2}, false, true}),
                 y = context.createTensor({DataType::float32, {2, 2}, true, false});
    context.write<float>(x, {1, 2, 3, -4});
    context.dispatch(graph, {{"x", x}}, {{"y", y}});
    reads.push_back(context.readTensor(y));
    reads.push_back(context.readTensor(y));
  });
  for (auto& read : reads) attempt([&] { read.get(); });
  return message;
}

// Checks that the context is lost with a reason and that later calls tell it.
void expectLost(Context& context) {
  const std::shared_future<ContextLostInfo> lost = context.lost();
  ASSERT_EQ(lost.wait_for(std::chrono::minutes(1)), std::future_status::ready);
  EXPECT_FALSE(lost.get().message.empty());
  const std::string expected = "the context is lost: " + lost.get().message;
  test::expectError(ErrorKind::invalidStateError, {expected}, [&] {
    context.createTensor({DataType::float32, {1}, true, true});
  });
  test::expectError(ErrorKind::invalidStateError, {"lost"}, [&] { test::makeSmallGraph(context); });
}

TEST(WebGpuLoss, SettlesEveryCallInWhichItHappens) {
  WEBNN_REQUIRE_WEBGPU();
  Losing losing;
  int count = 0;
  for (int i = 0; i == 0 || i < count; ++i) {
    Context context = test::makeWebGpuContext(Execution::worker);
    if (i == 0) {  // the calls without a loss
      const int begin = losing.calls();
      EXPECT_EQ(useEverything(context), "");
      count = losing.calls() - begin;
      EXPECT_GT(count, 20);
    }
    losing.loseAt(losing.calls() + i);
    EXPECT_NE(useEverything(context).find("lost"), std::string::npos) << i;
    expectLost(context);
  }
}

TEST(WebGpuLoss, IsNoticedByTheNextCall) {
  WEBNN_REQUIRE_WEBGPU();
  Losing losing;
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    Context context = test::makeWebGpuContext(execution);
    const Graph graph = test::makeSmallGraph(context);
    EXPECT_EQ(test::runSmallGraph(context, graph, {1, 2, 3, -4}), (std::vector<float>{5, 0, 0, 0}));
    losing.lose();
    EXPECT_THROW(test::runSmallGraph(context, graph, {1, 2, 3, -4}), Error);
    expectLost(context);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
