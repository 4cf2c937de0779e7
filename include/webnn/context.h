// Context: a backend on which graphs run, and the tensors in its memory.
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
  worker,        // on a thread of the context (the default). Asynchronous calls return without waiting for earlier work.
  callerThread,  // on the calling thread, before the call returns
  service,       // in a separate process: if it crashes, only the context is lost. Calls return as with `worker`.
};

inline constexpr std::uint32_t kMaxThreads = 1024;  // the upper bound of ContextOptions::threads

// https://www.w3.org/TR/webnn/#dictdef-mlcontextoptions, and options that the specification does not have.
struct ContextOptions {
  PowerPreference powerPreference = PowerPreference::standard;
  bool accelerated = true;
  // The backend's name. Empty: the best available backend. If the named backend is not available, create() throws
  // NotSupportedError; there is no fallback.
  std::string backend;
  Execution execution = Execution::worker;
  // The process in which graphs run. "unix:PATH": a running service, by the path of its socket. "private": a process that is
  // started for this context. Empty: "private" if `execution` is Execution::service; otherwise the value of the environment
  // variable WEBNN_SERVICE (ignored in set-user-ID programs); if that is not set, this process. With Execution::callerThread,
  // each call waits until the other process has finished its work.
  std::string service;
  // The token that identifies the client to the service: 32 hexadecimal digits. Empty: the environment variable
  // WEBNN_SERVICE_TOKEN, or no token.
  std::string serviceToken;
  // The maximum number of threads that one graph uses, up to kMaxThreads. 0: the backend decides.
  std::uint32_t threads = 0;
  // Settings of the backend, by name. A name that the backend does not know throws a TypeError. "cpu" has:
  //   isa           the instruction set: sse4, avx2, avx512 or amx; on Arm neon, dotprod or i8mm. Default: the best that the
  //                 processor has
  //   disable       compiler passes to skip, for instance "canonicalize,fuseElementwise", or "all"
  //   pin           "true": bind each worker thread to its own processor
  //   precision     the precision of float32 and float16 products: float32 (the default) or bfloat16
  //   memory        for tests: planned (the default), watched or apart; see docs/explanation/cpu_checks.md
  // "onnxruntime" has:
  //   providers     execution providers in order of preference, for instance "CUDA,CPU". Default: "CPU"
  //   fallback      "cpu": operations that no listed provider supports run on the CPU. By default, a graph with such operations
  //                 is refused unless CPU is listed
  //   library       the path of the ONNX Runtime library or its directory. No other path is searched
  //   search        "python": also search for the library in Python packages
  //   optimization  the graph optimization level: none, basic, extended or all (the default)
  //   tensors       where tensors are stored: host or device. Default: device on NVIDIA GPUs, otherwise host
  //   device, precision, cache   for NVIDIA GPUs: docs/guides/onnxruntime.md
  // "openvino" also has `library` and `search`, and:
  //   device        "CPU", "GPU", "NPU", "GPU.1", ...; there is no fallback. Default: chosen by `accelerated` and
  //                 `powerPreference`, and CPU if the machine has nothing else
  //   precision     the precision of float32 operations: float32 (the default), float16 or bfloat16
  //   cache         a directory for compiled graphs
  // "webgpu" also has `library` and `search`, and:
  //   adapter       a part of the adapter's name, in any case. Default: a GPU, chosen by `powerPreference`
  // "coreml" has:
  //   units         the compute units that may be used: all, cpu, cpuAndGPU or cpuAndNeuralEngine. Default: chosen by
  //                 `accelerated` and `powerPreference`
  std::map<std::string, std::string> backendOptions;
  // Limits.maxMemory covers all tensors and graphs of the context together; the other limits apply to each build and each run.
  Limits limits;
  // Called for each dispatch or write that fails after its arguments were checked. It is called on the context's timeline or
  // within the call, and never while the library holds a lock.
  std::function<void(const Error&)> onError;
};

struct ContextLostInfo {
  std::string message;
};

using NamedTensor = std::pair<std::string, Tensor>;

// A reference-counted handle of a context. Thread safe. Writes, dispatches, reads and asynchronous builds of one context run in
// the order of the calls; different contexts run concurrently. Builders hold a handle, too. The destructor of the last handle
// waits for queued work. Graph::compute() still works after that.
// https://www.w3.org/TR/webnn/#api-mlcontext
class Context {
 public:
  // Creates a context. Throws NotSupportedError, which names the missing option or device, if the options cannot be met.
  static Context create(ContextOptions options = {});

  Context() = default;
  explicit Context(std::shared_ptr<ContextState> state) : state_(std::move(state)) {}

  // Returns whether graphs of this context run on a GPU or an NPU.
  bool accelerated() const;
  // Returns the name of the backend: "cpu", "reference", ...
  std::string_view backend() const;
  // Returns where graphs run: "private" or "unix:PATH", as in ContextOptions::service. Empty: in this process.
  std::string_view service() const;
  // Returns the data types and ranks that the backend supports for each operation.
  OpSupportLimits opSupportLimits() const;

  const Limits& limits() const;
  // Returns the number of bytes that are currently charged to limits().maxMemory.
  std::uint64_t memoryInUse() const;

  // Creates a tensor of zeros. Throws TypeError for an invalid descriptor, InvalidStateError if the context is lost,
  // OperationError if limits().maxMemory would be exceeded, UnknownError if the allocation fails.
  Tensor createTensor(TensorDescriptor descriptor);
  // Creates a tensor with a copy of `bytes`, for GraphBuilder::constant(). The tensor is neither readable nor writable.
  Tensor createConstantTensor(OperandDescriptor descriptor, std::span<const std::byte> bytes);

  // Queues a write of `bytes` to a writable tensor. `bytes` may be reused when the call returns.
  void writeTensor(const Tensor& tensor, std::span<const std::byte> bytes);
  // Queues a write of elements. Throws TypeError unless isElementOf<T>(tensor.dataType()).
  template <typename T>
  void write(const Tensor& tensor, const std::vector<T>& values) {
    requireElementOf<T>("write", tensor.dataType());
    writeTensor(tensor, std::as_bytes(std::span(values)));
  }

  // Reads a readable tensor after all work that was queued earlier. If the dispatch that should have written the tensor failed,
  // the future throws the error of that dispatch; it throws InvalidStateError if the tensor is destroyed or the context is lost
  // first. The call itself throws TypeError if the tensor belongs to another context, is destroyed or is not readable.
  std::future<std::vector<std::byte>> readTensor(const Tensor& tensor);
  // Reads into `bytes`, which must have the tensor's length and stay valid until the future is ready.
  std::future<void> readTensor(const Tensor& tensor, std::span<std::byte> bytes);
  // Reads for event loops: calls `done` exactly once, with the error or with null. `done` is called on the timeline, in
  // destroy(), before this function returns, or on a thread of the backend if the backend loses its service or device. `done`
  // must not throw or call the library. After `done`, `bytes` is not written any more.
  void readTensor(const Tensor& tensor, std::span<std::byte> bytes, std::function<void(std::exception_ptr)> done);
  // Reads the elements and waits for them. Throws TypeError unless isElementOf<T>(tensor.dataType()).
  template <typename T>
  std::vector<T> read(const Tensor& tensor) {
    requireElementOf<T>("read", tensor.dataType());
    std::vector<T> values(byteLength(tensor.descriptor()) / sizeof(T));
    readTensor(tensor, std::as_writable_bytes(std::span(values))).get();
    return values;
  }

  // Queues a run of `graph` and returns without waiting for it. `inputs` and `outputs` bind every input and output by name to a
  // tensor with the same descriptor; no tensor may be bound twice. Throws TypeError or InvalidStateError if an argument is wrong.
  // A failure of the run is reported to readers of the outputs and to ContextOptions::onError; the context remains usable. A
  // cancelled or timed-out run is reported in the same way: immediately if it has begun, otherwise when its turn comes.
  void dispatch(const Graph& graph, const std::vector<NamedTensor>& inputs, const std::vector<NamedTensor>& outputs,
                const CallOptions& options = {});

  // Compiles `graph`, which may belong to another context, for this context and its backend.
  Graph compile(const Graph& graph, const CallOptions& options = {});

  // Returns a future that is ready when the context is lost, or when no handle, graph or tensor refers to it any more.
  std::shared_future<ContextLostInfo> lost() const;
  // Loses the context: destroys its graphs and tensors, cancels a run that has begun, and fails pending reads with
  // InvalidStateError. Idempotent.
  void destroy();

  const std::shared_ptr<ContextState>& state() const { return state_; }

 private:
  std::shared_ptr<ContextState> state_;
};

}  // namespace webnn
