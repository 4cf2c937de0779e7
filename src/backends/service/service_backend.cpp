#include "backends/service/service_backend.h"

#include <algorithm>
#include <utility>

#include "backends/service/build.h"
#include "backends/service/private_service.h"
#include "backends/service/tensor_memory.h"
#include "base/copy_bytes.h"
#include "base/divide_up.h"
#include "base/text.h"
#include "service/graph_message.h"

namespace webnn::service {

namespace {

TensorLimits limitsOf(schema::Operations::TensorLimits::Reader message) {
  TensorLimits limits;
  for (unsigned i = 0; i < kDataTypeCount; ++i) {
    if ((message.getDataTypes() >> i & 1) != 0) limits.dataTypes.push_back(static_cast<DataType>(i));
  }
  limits.rankRange = {message.getMinRank(), message.getMaxRank()};
  return limits;
}

OpSupportLimits limitsOf(schema::Operations::Reader message) {
  OpSupportLimits limits;
  limits.preferredInputLayout = message.getPreferredInputLayout() == 0 ? InputOperandLayout::nchw : InputOperandLayout::nhwc;
  limits.maxTensorByteLength = message.getMaxTensorByteLength();
  limits.input = limitsOf(message.getInput());
  limits.constant = limitsOf(message.getConstant());
  limits.output = limitsOf(message.getOutput());
  for (const auto operand : message.getOperands()) {
    limits.operations[std::string(textOf(operand.getOperation()))][std::string(textOf(operand.getName()))] =
        limitsOf(operand.getLimits());
  }
  return limits;
}

// Shared memory that stands for a tensor of the caller, because the worker cannot access the caller's memory.
struct Staged {
  std::shared_ptr<std::byte> memory;
  std::size_t size = 0;
  std::span<std::byte> outside;  // the caller's output tensor; empty for inputs
};

class ServiceExecutable final : public Executable {
 public:
  ServiceExecutable(std::shared_ptr<Connection> connection, std::shared_ptr<TensorMemory> memory, std::uint32_t graph,
                    std::size_t operations, std::vector<std::string> notes)
      : connection_(std::move(connection)),
        memory_(std::move(memory)),
        graph_(graph),
        operations_(operations),
        notes_(std::move(notes)) {}
  ServiceExecutable(const ServiceExecutable&) = delete;
  ServiceExecutable& operator=(const ServiceExecutable&) = delete;
  ~ServiceExecutable() override { connection_->dropGraph(graph_); }

  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget) const override {
    runCommand(inputs, outputs, false, budget);
  }

  std::vector<StepTime> profile(std::span<const std::span<const std::byte>> inputs,
                                std::span<const std::span<std::byte>> outputs) const override {
    const std::lock_guard lock(profileMutex_);
    runCommand(inputs, outputs, true, Budget::none());
    std::vector<StepTime> steps;
    askPages(
        schema::Reply::STEPS, [](schema::Request::Builder request) { return request.initSteps(); },
        [&](schema::Reply::Reader reply) {
          for (const auto step : reply.getSteps()) {
            steps.push_back({std::string(textOf(step.getOperation())), std::string(textOf(step.getLabel())),
                             std::string(textOf(step.getKernel())), step.getStart(), step.getDuration()});
          }
          return reply.getSteps().size();
        });
    return steps;
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = notes_;
    askPages(
        schema::Reply::NOTES, [](schema::Request::Builder request) { return request.initNotes(); },
        [&](schema::Reply::Reader reply) {
          for (const auto note : reply.getNotes()) notes.emplace_back(textOf(note));
          return reply.getNotes().size();
        });
    return notes;
  }

  std::vector<OperationPlacement> placement() const override {
    std::vector<OperationPlacement> placement;
    askPages(
        schema::Reply::PLACEMENT, [](schema::Request::Builder request) { return request.initPlacement(); },
        [&](schema::Reply::Reader reply) {
          if (reply.getPlacement().size() != 0) placement.resize(operations_);
          for (const auto part : reply.getPlacement()) take(part, placement);
          return reply.getPlacement().size();
        });
    return placement;
  }

  MemoryCharge charge;

 private:
  // Adds one reported part to an operation's placement. Checks it, because the worker may be hostile.
  static void take(schema::Placement::Reader part, std::vector<OperationPlacement>& placement) {
    if (part.getOperation() >= placement.size() || part.getState() > static_cast<std::uint8_t>(PlacementState::removed))
      fail(ErrorKind::dataError, "the service places an operation that is not there, or in a state that is not known.");
    OperationPlacement& whole = placement[part.getOperation()];
    whole.state = static_cast<PlacementState>(part.getState());
    whole.device = textOf(part.getDevice());
    for (const auto kernel : part.getKernels()) whole.kernels.emplace_back(textOf(kernel));
    for (const std::uint32_t step : part.getSteps()) whole.steps.push_back(step);
    for (const auto note : part.getNotes()) whole.notes.emplace_back(textOf(note));
  }

  // Runs the graph in the worker. Tensors of Graph::compute() are not in shared memory, so they are copied to it and back.
  void runCommand(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                  bool isProfile, const Budget& budget) const {
    Command command{.graph = graph_, .isProfile = isProfile};
    std::vector<Staged> staged, spare = takeSpare();
    const auto refer = [&](std::span<const std::byte> bytes) {
      if (const auto found = memory_->find(bytes)) return *found;
      const auto found = std::ranges::find(spare, bytes.size(), &Staged::size);
      if (found == spare.end()) {
        staged.push_back({memory_->allocate(bytes.size()), bytes.size(), {}});
      } else {
        staged.push_back(std::exchange(*found, {}));
      }
      return memory_->find({staged.back().memory.get(), bytes.size()}).value();
    };
    for (const std::span<const std::byte> input : inputs) {
      const std::size_t before = staged.size();
      command.inputs.push_back(refer(input));
      if (staged.size() > before) copyBytes(input, staged.back().memory.get());
    }
    for (const std::span<std::byte> output : outputs) {
      const std::size_t before = staged.size();
      command.outputs.push_back(refer(output));
      if (staged.size() > before) staged.back().outside = output;
    }
    connection_->run(command, waiter_, budget);
    for (Staged& tensor : staged) {
      copyBytes({tensor.memory.get(), tensor.outside.size()}, tensor.outside.data());
      tensor.outside = {};
    }
    const std::lock_guard lock(spareMutex_);
    spare_ = std::move(staged);
  }

  // Takes the last run's staged memory. The next run has the same sizes, and allocating shared memory costs more than copying.
  std::vector<Staged> takeSpare() const {
    const std::lock_guard lock(spareMutex_);
    return std::move(spare_);
  }

  // Requests a list from the worker page by page until a page is empty. `take` reads a page and returns its number of items.
  void askPages(schema::Reply::Which which, auto&& init, auto&& take) const {
    constexpr int kMostPages = 1024;  // limits a hostile worker, which could send pages forever
    std::uint32_t items = 0;
    for (int i = 0; i < kMostPages; ++i) {
      std::uint32_t count = 0;
      connection_->ask(
          [&](schema::Request::Builder request) {
            auto page = init(request);
            page.setGraph(graph_);
            page.setFirst(items);
          },
          {which, [&](schema::Reply::Reader reply) { count = take(reply); }});
      if (count == 0) return;
      items += count;
    }
    fail(ErrorKind::dataError, "the service lists more than {} pages.", kMostPages);
  }

  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<TensorMemory> memory_;
  const std::uint32_t graph_;
  const std::size_t operations_;          // number of operations in the graph
  const std::vector<std::string> notes_;  // notes that the client adds, such as "the service has another library version"
  mutable Waiter waiter_;
  mutable std::mutex profileMutex_, spareMutex_;
  mutable std::vector<Staged> spare_;
};

// A graph in shared memory, to be sent to the worker: its message and the bytes of its constants.
struct Shared {
  SharedMemory message, constants;
  std::size_t messageBytes = 0, constantBytes = 0;
};

Shared shareGraph(const GraphDefinition& graph) {
  constexpr std::size_t kAlignment = 64;
  Shared shared;
  std::vector<std::span<const std::byte>> constants;
  const std::vector<std::byte> message =
      writeGraphMessage(graph, [&](std::size_t, std::span<const std::byte> bytes) -> std::optional<ConstantLocation> {
        const ConstantLocation location{1, shared.constantBytes, bytes.size()};
        shared.constantBytes += roundUp(bytes.size(), kAlignment);
        constants.push_back(bytes);
        return location;
      });
  shared.messageBytes = message.size();
  shared.message = makeSharedMemory(message.size(), "webnn graph");
  copyBytes(message, shared.message.mapping.bytes().data());
  if (constants.empty()) return shared;
  shared.constants = makeSharedMemory(shared.constantBytes, "webnn constants");
  std::byte* next = shared.constants.mapping.bytes().data();
  for (const std::span<const std::byte> bytes : constants) {
    copyBytes(bytes, next);
    next += roundUp(bytes.size(), kAlignment);
  }
  sealAgainstWriting(shared.constants);
  return shared;
}

class ServiceBackend final : public Backend {
 public:
  ServiceBackend(std::shared_ptr<Connection> connection, const ContextOptions& options, const Address& address)
      : connection_(std::move(connection)), service_(textOf(address)) {
    connection_->ask(
        [&](schema::Request::Builder request) {
          auto create = request.initCreate();
          create.setBackend(options.backend);
          create.setAccelerated(options.accelerated);
          create.setPowerPreference(static_cast<std::uint8_t>(options.powerPreference));
          create.setThreads(options.threads);
          std::map<std::string, std::string> asked = options.backendOptions;
          // Omits the options of the service, which a private service has read when it started.
          std::erase_if(asked, [](const auto& option) { return isOfService(option.first); });
          auto settings = create.initBackendOptions(static_cast<unsigned>(asked.size()));
          unsigned i = 0;
          for (const auto& [name, value] : asked) {
            settings[i].setName(name);
            settings[i++].setValue(value);
          }
          auto limits = create.initLimits();
          limits.setMemory(options.limits.maxMemory);
          limits.setOperations(options.limits.maxOperations);
          limits.setElements(options.limits.maxElements);
          limits.setCompileWork(options.limits.maxCompileWork);
        },
        {schema::Reply::CREATED, [&](schema::Reply::Reader reply) {
           const auto created = reply.getCreated();
           name_ = std::string(textOf(created.getBackend()));
           isAccelerated_ = created.getAccelerated();
           limits_ = limitsOf(created.getOperations());
           noteDifferences(created, options);
         }});
  }
  ServiceBackend(const ServiceBackend&) = delete;
  ServiceBackend& operator=(const ServiceBackend&) = delete;
  ~ServiceBackend() override { connection_->close(); }

  std::string_view name() const override { return name_; }
  std::string_view service() const override { return service_; }
  bool accelerated() const override { return isAccelerated_; }
  OpSupportLimits opSupportLimits() const override { return limits_; }

  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    const Shared shared = shareGraph(*graph);
    const SentMemory message(*connection_, shared.message, shared.messageBytes, budget);
    const SentMemory constants(*connection_, shared.constants, shared.constantBytes, budget);
    const std::uint32_t number = connection_->newNumber();
    auto executable = std::make_unique<ServiceExecutable>(connection_, memory_, number, graph->nodes.size(), differences_);
    connection_->ask(
        [&](schema::Request::Builder request) {
          auto compile = request.initCompile();
          compile.setGraph(number);
          compile.setMemory(message.number());
          compile.setByteLength(shared.messageBytes);
          compile.setConstants(constants.number());
        },
        {schema::Reply::COMPILED,
         [&](schema::Reply::Reader reply) {
           executable->charge = MemoryCharge(budget.memory(), reply.getCompiled().getMemoryInUse(), "build: a graph");
         }},
        -1, budget, &Mailbox::cancelBuild);
    return executable;
  }

  std::shared_ptr<std::byte> allocateTensor(std::size_t size) const override { return memory_->allocate(size); }
  void whenLost(std::function<void(const std::string&)> lose) const override { connection_->whenLost(std::move(lose)); }
  void close() const override { connection_->close(); }

 private:
  // Adds notes if the service's version or instruction set differs. If they are equal, results of backend cpu are bit-identical
  // (see build.h).
  void noteDifferences(schema::Created::Reader created, const ContextOptions& options) {
    const auto compare = [&](std::string_view what, std::string_view there, std::string_view here) {
      if (there != here)
        differences_.push_back(formatText("the service has {} {}, and this program {}: results may differ.", what,
                                          webnn::quoted(there), webnn::quoted(here)));
    };
    compare("version", textOf(created.getVersion()), libraryVersion());
    compare("instruction set", textOf(created.getIsa()), instructionSet(name_, options));
  }

  // Shares memory with the worker while this object lives. The memory's id is 0 if `size` is 0.
  class SentMemory {
   public:
    SentMemory(Connection& connection, const SharedMemory& memory, std::size_t size, const Budget& budget)
        : connection_(connection) {
      if (size == 0) return;
      number_ = connection.newNumber();
      connection.ask(
          [&](schema::Request::Builder request) {
            auto share = request.initShareMemory();
            share.setMemory(number_);
            share.setByteLength(size);
          },
          {}, memory.descriptor.get(), budget);
    }
    SentMemory(const SentMemory&) = delete;
    SentMemory& operator=(const SentMemory&) = delete;
    ~SentMemory() {
      if (number_ != 0) connection_.dropMemory(number_);
    }
    std::uint32_t number() const { return number_; }

   private:
    Connection& connection_;
    std::uint32_t number_ = 0;
  };

  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<TensorMemory> memory_ = std::make_shared<TensorMemory>(connection_);
  const std::string service_;
  std::string name_;
  bool isAccelerated_ = false;
  OpSupportLimits limits_;
  std::vector<std::string> differences_;  // sentences for Executable::notes()
};

}  // namespace

std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address) {
  return makeBackend(options, address, connect(address, options));
}

std::shared_ptr<const Backend> makeBackend(const ContextOptions& options, const Address& address,
                                           std::shared_ptr<Connection> connection) {
  return std::make_shared<const ServiceBackend>(std::move(connection), options, address);
}

}  // namespace webnn::service
