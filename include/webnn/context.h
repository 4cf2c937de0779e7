// Contexts: where graphs run and tensors live.
#pragma once

#include <exception>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webnn/element_type.h"
#include "webnn/error.h"
#include "webnn/graph.h"
#include "webnn/limits.h"
#include "webnn/op_support_limits.h"
#include "webnn/tensor.h"
#include "webnn/types.h"

namespace webnn {

struct ContextState;  // src/context/context_state.h

// https://www.w3.org/TR/webnn/#enumdef-mlpowerpreference; spelled "default", "high-performance", "low-power" in text.
enum class PowerPreference { standard, highPerformance, lowPower };

// Where the work of a context runs.
enum class Execution {
  worker,        // on a thread of the context: calls return at once, or within some 20 microseconds (the default)
  callerThread,  // on the thread that calls, before the call returns
  service,       // in a process of its own, which may crash alone; calls return as with `worker`
};

inline constexpr std::uint32_t kMaxThreads = 1024;  // of one graph

// https://www.w3.org/TR/webnn/#dictdef-mlcontextoptions, and the options beyond it.
struct ContextOptions {
  PowerPreference powerPreference = PowerPreference::standard;
  bool accelerated = true;
  // The backend's name. NotSupportedError if it is not available; there is no fallback. Empty: the best available backend.
  std::string backend;
  Execution execution = Execution::worker;
  // Runs graphs in another process: "unix:PATH" is the socket of a running service, "private" starts a process for this context.
  // Empty: "private" with Execution::service, else the value of WEBNN_SERVICE (which set-user-ID programs ignore), else this
  // process. With callerThread, each call still finishes its work before it returns.
  std::string service;
  // The token that identifies the client to the service: 32 hexadecimal digits. Empty: WEBNN_SERVICE_TOKEN, or none.
  std::string serviceToken;
  // The most threads that one graph may use, at most kMaxThreads; 0: the backend decides.
  std::uint32_t threads = 0;
  // Settings of the backend by name; one that it does not know is a TypeError. "cpu" has:
  //   isa           the instruction set instead of the best: sse4, avx2, avx512 or amx
  //   disable       passes of the compiler to leave out, "canonicalize,fuseElementwise", or "all"
  //   pin           "true": each thread stays on a processor of its own
  //   precision     of products of float32 and float16: float32 (the default) or bfloat16
  // "onnxruntime" has:
  //   providers     execution providers in the order of preference, "CUDA,CPU"; default "CPU"
  //   fallback      "cpu": what they do not have runs on the CPU, as it does where CPU is one of them; else it is refused
  //   library       path of the library or its folder, nothing else is tried; search  "python": in Python packages as well
  //   optimization  of the graph: none, basic, extended or all (the default)
  // "openvino" has library and search likewise, and:
  //   device        "CPU", "GPU", "NPU", "GPU.1", ...: this one or none; else what the hints above say, or CPU
  //   precision     of float32: float32 (the default), float16 or bfloat16
  //   cache         folder for compiled graphs
  // "coreml" has:
  //   units         what may be used: all, cpu, cpuAndGPU or cpuAndNeuralEngine; else as the same hints say
  std::map<std::string, std::string> backendOptions;
  // Limits for all tensors and graphs of the context together, and for each build and run.
  Limits limits;
  // Called for each dispatch or write that fails after its checks, on the timeline or in the call itself, and never under a lock.
  std::function<void(const Error&)> onError;
};

struct ContextLostInfo {
  std::string message;
};

using NamedTensor = std::pair<std::string, Tensor>;

// A handle of a context. Thread safe. Work of one context runs in the order of the calls; contexts run in parallel. Builders hold
// a handle, too. When the last handle is destroyed, queued work finishes first; graphs can still compute then.
// https://www.w3.org/TR/webnn/#api-mlcontext
class Context {
 public:
  // NotSupportedError if the options cannot be met; the message names what is missing.
  static Context create(ContextOptions options = {});

  Context() = default;
  explicit Context(std::shared_ptr<ContextState> state) : state_(std::move(state)) {}

  // Whether graphs really run on a GPU or an NPU.
  bool accelerated() const;
  // The name of the backend: "cpu", "reference", ...
  std::string_view backend() const;
  // Where graphs run: "private" or "unix:PATH", as in ContextOptions::service; empty: in this process.
  std::string_view service() const;
  // The data types and ranks that each operation of this backend supports.
  OpSupportLimits opSupportLimits() const;

  const Limits& limits() const;
  // Returns the bytes that currently count against limits().maxMemory.
  std::uint64_t memoryInUse() const;

  // A tensor of zeros. TypeError for a bad descriptor, InvalidStateError if lost, OperationError beyond the limit of memory,
  // UnknownError if out of memory.
  Tensor createTensor(TensorDescriptor descriptor);
  // A tensor with a copy of `bytes` for GraphBuilder::constant. Neither readable nor writable.
  Tensor createConstantTensor(OperandDescriptor descriptor, std::span<const std::byte> bytes);

  // Queues a copy of `bytes` into a writable tensor.
  void writeTensor(const Tensor& tensor, std::span<const std::byte> bytes);
  // Queues a copy of elements. TypeError unless isElementOf<T>(tensor.dataType()).
  template <typename T>
  void write(const Tensor& tensor, const std::vector<T>& values) {
    requireElementOf<T>("write", tensor.dataType());
    writeTensor(tensor, std::as_bytes(std::span(values)));
  }

  // Returns the bytes of a readable tensor after all work queued before. The future throws the error of the dispatch that should
  // have written the tensor (OperationError), or InvalidStateError if the tensor is destroyed or the context is lost first.
  // Throws TypeError at once for a tensor of another context, destroyed or not readable.
  std::future<std::vector<std::byte>> readTensor(const Tensor& tensor);
  // Reads into `bytes`, whose length must be the tensor's and which must live until the future is ready.
  std::future<void> readTensor(const Tensor& tensor, std::span<std::byte> bytes);
  // Reads for event loops: calls `done` exactly once, with the error or with nothing: on the timeline, in destroy() or, if there
  // is nothing to wait for, before this returns. `done` must not throw or call the library. `bytes` is not written after it.
  void readTensor(const Tensor& tensor, std::span<std::byte> bytes, std::function<void(std::exception_ptr)> done);
  // Reads and waits. TypeError unless isElementOf<T>(tensor.dataType()).
  template <typename T>
  std::vector<T> read(const Tensor& tensor) {
    requireElementOf<T>("read", tensor.dataType());
    std::vector<T> values(byteLength(tensor.descriptor()) / sizeof(T));
    readTensor(tensor, std::as_writable_bytes(std::span(values))).get();
    return values;
  }

  // Queues a run of `graph`: returns at once. Every input and output is bound by name to a tensor of its descriptor; no tensor
  // may be bound twice. TypeError or InvalidStateError at once if an argument is wrong. A later failure is reported to the
  // readers of the outputs and to onError, and leaves the context usable. So is a cancellation or timeout: at once if the
  // run has begun, else when its turn comes.
  void dispatch(const Graph& graph, const std::vector<NamedTensor>& inputs, const std::vector<NamedTensor>& outputs,
                const CallOptions& options = {});

  // Compiles the graph for this context and its backend.
  Graph compile(const Graph& graph, const CallOptions& options = {});

  // Ready once the context is lost, or once no handle, graph or tensor refers to it any more.
  std::shared_future<ContextLostInfo> lost() const;
  // Loses the context: graphs and tensors are destroyed, a run that has begun ends early, pending reads fail with
  // InvalidStateError. Idempotent.
  void destroy();

  const std::shared_ptr<ContextState>& state() const { return state_; }

 private:
  std::shared_ptr<ContextState> state_;
};

}  // namespace webnn
