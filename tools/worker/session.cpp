#include "worker/session.h"

#include <fcntl.h>

#include <algorithm>

#include "backends/cpu/runtime/processors.h"
#include "backends/service/build.h"
#include "backends/service/private_service.h"
#include "base/as_errors.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "context/reading_context.h"
#include "context/select_backend.h"
#include "formats/capnp/message_reader.h"
#include "service/mailbox.h"

namespace webnn::service {

namespace {

constexpr std::size_t kMostPageBytes = 64 * 1024;  // maximum number of bytes of texts in one page of a reply

void fillFailure(schema::Reply::Builder reply, const Error& error) {
  auto failure = reply.initFailure();
  failure.setKind(static_cast<std::uint8_t>(error.kind()));
  failure.setMessage(std::string(textForClient(error.what())));
}

void fill(schema::Operations::TensorLimits::Builder message, const TensorLimits& limits) {
  std::uint32_t types = 0;
  for (const DataType type : limits.dataTypes) types |= 1U << static_cast<unsigned>(type);
  message.setDataTypes(types);
  message.setMinRank(limits.rankRange.min);
  message.setMaxRank(limits.rankRange.max);
}

void fill(schema::Operations::Builder message, const OpSupportLimits& limits) {
  message.setPreferredInputLayout(static_cast<std::uint8_t>(limits.preferredInputLayout));
  message.setMaxTensorByteLength(limits.maxTensorByteLength);
  fill(message.initInput(), limits.input);
  fill(message.initConstant(), limits.constant);
  fill(message.initOutput(), limits.output);
  unsigned count = 0;
  for (const auto& [operation, operands] : limits.operations) count += static_cast<unsigned>(operands.size());
  auto list = message.initOperands(count);
  unsigned i = 0;
  for (const auto& [operation, operands] : limits.operations) {
    for (const auto& [name, operand] : operands) {
      list[i].setOperation(operation);
      list[i].setName(name);
      fill(list[i++].initLimits(), operand);
    }
  }
}

// Returns the items from index `first` on that fit one page: kMostPageBytes, but at least one item.
template <typename Item, typename Size>
std::span<const Item> pageOf(const std::vector<Item>& items, std::uint32_t first, Size&& sizeOf) {
  const std::size_t begin = std::min<std::size_t>(first, items.size());
  std::size_t end = begin;
  for (std::size_t bytes = 0; end < items.size(); ++end) {
    bytes += sizeOf(items[end]);
    if (bytes > kMostPageBytes && end > begin) break;
  }
  return std::span(items).subspan(begin, end - begin);
}

void fillNotes(schema::Reply::Builder reply, const std::vector<std::string>& notes, std::uint32_t first) {
  const auto page = pageOf(notes, first, [](const std::string& note) { return note.size() + 16; });
  auto list = reply.initNotes(static_cast<unsigned>(page.size()));
  for (unsigned i = 0; i < page.size(); ++i) list.set(i, page[i].substr(0, kMostPageBytes));
}

void fillSteps(schema::Reply::Builder reply, const std::vector<StepTime>& steps, std::uint32_t first) {
  const auto page = pageOf(steps, first, [](const StepTime& step) { return step.operation.size() + step.label.size() + 128; });
  auto list = reply.initSteps(static_cast<unsigned>(page.size()));
  for (unsigned i = 0; i < page.size(); ++i) {
    list[i].setOperation(page[i].operation);
    list[i].setLabel(page[i].label.substr(0, 4096));
    list[i].setKernel(page[i].kernel);
    list[i].setStart(page[i].start);
    list[i].setDuration(page[i].duration);
  }
}

// Splits each placement into parts of at most kMostKernels kernels, steps and notes, and cuts long texts, so that a part fits
// about one page.
std::vector<PlacementPart> partsOf(std::vector<OperationPlacement> placement) {
  constexpr std::size_t kMostKernels = 64, kMostTextBytes = 512;
  std::vector<PlacementPart> parts;
  const auto take = [](auto& from, std::size_t begin, std::size_t end) {
    using Items = std::remove_reference_t<decltype(from)>;
    const auto at = [&](std::size_t i) { return from.begin() + static_cast<std::ptrdiff_t>(std::min(i, from.size())); };
    return Items(at(begin), at(end));
  };
  for (std::size_t i = 0; i < placement.size(); ++i) {
    OperationPlacement& whole = placement[i];
    for (std::string& kernel : whole.kernels) kernel.resize(std::min(kernel.size(), kMostTextBytes));
    for (std::string& note : whole.notes) note.resize(std::min(note.size(), kMostTextBytes));
    const std::size_t count = std::max({whole.kernels.size(), whole.steps.size(), whole.notes.size(), std::size_t{1}});
    for (std::size_t begin = 0; begin < count; begin += kMostKernels) {
      OperationPlacement part{.state = whole.state, .device = whole.device.substr(0, kMostTextBytes)};
      part.kernels = take(whole.kernels, begin, begin + kMostKernels);
      part.steps = take(whole.steps, begin, begin + kMostKernels);
      part.notes = take(whole.notes, begin, begin + kMostKernels);
      parts.push_back({static_cast<std::uint32_t>(i), std::move(part)});
    }
  }
  return parts;
}

std::size_t bytesOf(const PlacementPart& part) {
  std::size_t bytes = 64 + part.placement.device.size() + 4 * part.placement.steps.size();
  for (const std::string& text : part.placement.kernels) bytes += text.size() + 16;
  for (const std::string& text : part.placement.notes) bytes += text.size() + 16;
  return bytes;
}

void fillPlacement(schema::Reply::Builder reply, const std::vector<PlacementPart>& parts, std::uint32_t first) {
  const auto page = pageOf(parts, first, bytesOf);
  auto list = reply.initPlacement(static_cast<unsigned>(page.size()));
  for (unsigned i = 0; i < page.size(); ++i) {
    const OperationPlacement& part = page[i].placement;
    list[i].setOperation(page[i].operation);
    list[i].setState(static_cast<std::uint8_t>(part.state));
    list[i].setDevice(part.device);
    auto kernels = list[i].initKernels(static_cast<unsigned>(part.kernels.size()));
    for (unsigned k = 0; k < kernels.size(); ++k) kernels.set(k, part.kernels[k]);
    auto steps = list[i].initSteps(static_cast<unsigned>(part.steps.size()));
    for (unsigned k = 0; k < steps.size(); ++k) steps.set(k, part.steps[k]);
    auto notes = list[i].initNotes(static_cast<unsigned>(part.notes.size()));
    for (unsigned k = 0; k < notes.size(); ++k) notes.set(k, part.notes[k]);
  }
}

std::vector<std::size_t> lengthsOf(const auto& operands, auto&& descriptorOf) {
  std::vector<std::size_t> lengths;
  for (const auto& operand : operands) lengths.push_back(byteLength(descriptorOf(operand)));
  return lengths;
}

}  // namespace

std::optional<std::vector<std::byte>> Session::answer(Packet packet) {
  try {
    Decoded decoded(packet.bytes);
    const schema::Request::Reader request = decoded.root<schema::Request>();
    if (request.getId() != requests_ + 1) return std::nullopt;
    ++requests_;
    std::optional<Error> failure;
    std::vector<std::byte> bytes = encode<schema::Reply>([&](schema::Reply::Builder reply) {
      reply.setId(requests_);
      try {
        reading("a request", [&] { respond(request, packet.descriptors, reply); });
      } catch (...) {
        failure = withMemoryLimit(errorOfCurrentException("a request"), settings_.limits.memory);
      }
    });
    if (failure) {
      bytes = encode<schema::Reply>([&](schema::Reply::Builder reply) {
        reply.setId(requests_);
        fillFailure(reply, *failure);
      });
    }
    return bytes;
  } catch (const kj::Exception&) {
    return std::nullopt;
  }
}

void Session::respond(schema::Request::Reader request, std::vector<FileDescriptor>& descriptors, schema::Reply::Builder reply) {
  const bool givesBack = request.isDropMemories() || request.isDestroyGraphs();
  if (!givesBack && !messages_.take(std::chrono::steady_clock::now()))
    fail(ErrorKind::operationError, "QuotaExceeded: more than {} messages in a second.", settings_.limits.messagesPerSecond);
  switch (request.which()) {
    case schema::Request::CREATE: return create(request.getCreate(), reply.initCreated());
    case schema::Request::SHARE_MEMORY: return shareMemory(request.getShareMemory(), descriptors), reply.setDone();
    case schema::Request::DROP_MEMORIES:
      for (const std::uint32_t number : request.getDropMemories()) state_.dropMemory(number);
      return reply.setDone();
    case schema::Request::COMPILE: return compile(request.getCompile(), reply.initCompiled());
    case schema::Request::DESTROY_GRAPHS:
      for (const std::uint32_t number : request.getDestroyGraphs()) state_.dropGraph(number);
      return reply.setDone();
    case schema::Request::NOTES: {
      const WorkerState::GraphPointer graph = state_.graph(request.getNotes().getGraph());
      return fillNotes(reply, graph->executable->notes(), request.getNotes().getFirst());
    }
    case schema::Request::STEPS: {
      const WorkerState::GraphPointer graph = state_.graph(request.getSteps().getGraph());
      return fillSteps(reply, state_.steps(*graph), request.getSteps().getFirst());
    }
    case schema::Request::PLACEMENT: {
      const schema::Page::Reader page = request.getPlacement();
      const WorkerState::GraphPointer graph = state_.graph(page.getGraph());
      if (page.getFirst() == 0 || placedGraph_ != page.getGraph()) placement_ = partsOf(graph->executable->placement());
      placedGraph_ = page.getGraph();
      return fillPlacement(reply, placement_, page.getFirst());
    }
  }
  fail(ErrorKind::dataError, "the request is unknown.");
}

void Session::create(schema::Create::Reader request, schema::Created::Builder reply) {
  if (backend_) fail(ErrorKind::invalidStateError, "the connection has a context already.");
  ContextOptions options;
  options.backend = std::string(textOf(request.getBackend()));
  options.accelerated = request.getAccelerated();
  if (request.getPowerPreference() <= static_cast<unsigned>(PowerPreference::lowPower))
    options.powerPreference = static_cast<PowerPreference>(request.getPowerPreference());
  // 0 requests one thread per usable processor; the limit applies to that number too.
  const std::uint32_t most = settings_.limits.threads;
  options.threads = request.getThreads() == 0 && cpu::usableProcessors() > most ? most : std::min(request.getThreads(), most);
  for (const auto setting : request.getBackendOptions()) {
    const std::string name(textOf(setting.getName()));
    if (isOfService(name))
      fail(ErrorKind::typeError, "createContext: the service decides about the backend option {}.", webnn::quoted(name));
    options.backendOptions[name] = std::string(textOf(setting.getValue()));
  }
  options.limits = {.maxMemory = std::min(request.getLimits().getMemory(), settings_.limits.memory),
                    .maxOperations = std::min(request.getLimits().getOperations(), settings_.limits.operations),
                    .maxElements = request.getLimits().getElements(),
                    .maxCompileWork = request.getLimits().getCompileWork()};
  std::vector<BackendEntry> offered;
  for (const BackendEntry& entry : knownBackends()) {
    if (settings_.backends.contains(std::string(entry.name))) offered.push_back(entry);
  }
  const BackendEntry& entry = selectBackend(options, offered);
  if (const auto failure = failures_.find(std::string(entry.name)); failure != failures_.end()) throw failure->second;
  for (const auto& [name, value] : settings_.backends.at(std::string(entry.name))) options.backendOptions[name] = value;
  backend_ = entry.make(options);
  reader_ = makeReadingContext(options.limits);
  memory_ = std::make_shared<MemoryAccount>(options.limits.maxMemory);
  reply.setBackend(std::string(backend_->name()));
  state_.status->hasContext = 1;
  reply.setAccelerated(backend_->accelerated());
  reply.setIsa(instructionSet(backend_->name(), options));
  reply.setVersion(std::string(libraryVersion()));
  fill(reply.initOperations(), backend_->opSupportLimits());
}

void Session::shareMemory(schema::ShareMemory::Reader request, std::vector<FileDescriptor>& descriptors) {
  if (descriptors.size() != 1) fail(ErrorKind::dataError, "the memory came with {} descriptors.", descriptors.size());
  const std::uint32_t number = request.getMemory();
  const bool isSealed = (::fcntl(descriptors[0].get(), F_GET_SEALS) & F_SEAL_WRITE) != 0;
  const std::uint64_t size = request.getByteLength();
  if (number == 0 && (mailbox_ || isSealed || size != sizeof(Mailbox))) fail(ErrorKind::dataError, "memory 0 is no mailbox.");
  state_.addMemory(number, isSealed ? mapSealed(descriptors[0], size) : mapShared(descriptors[0], size), isSealed,
                   settings_.limits);
  if (number == 0) mailbox_ = state_.memory(number);
}

void Session::compile(schema::Compile::Reader request, schema::Compiled::Builder reply) {
  if (!backend_ || !mailbox_) fail(ErrorKind::invalidStateError, "there is no context yet.");
  state_.requireRoomForGraph(settings_.limits);
  const WorkerState::Memory memory = state_.memory(request.getMemory());
  const std::uint64_t size = request.getByteLength();
  if (size > settings_.limits.messageBytes)
    fail(ErrorKind::operationError, "QuotaExceeded: the graph's message has {} bytes, and the limit is {}.", size,
         settings_.limits.messageBytes);
  if (size > memory->bytes().size()) fail(ErrorKind::dataError, "the graph's message is longer than its memory.");
  const std::vector<std::byte> message(memory->bytes().begin(), memory->bytes().begin() + static_cast<std::ptrdiff_t>(size));
  const WorkerState::Memory constants = request.getConstants() == 0 ? nullptr : state_.sealedMemory(request.getConstants());
  if (constants && constants->bytes().size() > settings_.limits.constantBytes)
    fail(ErrorKind::operationError, "QuotaExceeded: the graph's constants have {} bytes, and the limit is {}.",
         constants->bytes().size(), settings_.limits.constantBytes);

  formats::MessageLimits limits = formats::kServiceLimits;
  limits.messageBytes = settings_.limits.messageBytes;
  limits.operations = settings_.limits.operations;
  limits.operands = settings_.limits.operands;
  const auto graph = std::make_shared<CompiledGraph>();
  const std::shared_ptr<const std::atomic<bool>> cancelled(mailbox_,
                                                           &reinterpret_cast<Mailbox*>(mailbox_->bytes().data())->cancelBuild);
  const auto account = std::make_shared<MemoryAccount>(~std::uint64_t{0}, memory_);
  const auto budget = std::make_shared<Budget>("build", reader_->limits(), account, cancelled);
  {
    const Graph read =
        formats::buildGraphMessage(*reader_, message, {.resolve = [&](const ConstantLocation& location) -> ExternalBytes {
          if (!constants || location.offset > constants->bytes().size() ||
              location.length > constants->bytes().size() - location.offset)
            fail(ErrorKind::dataError, "a constant is not inside of the memory of the constants.");
          return {std::span<const std::byte>(constants->bytes()).subspan(location.offset, location.length), constants};
        }},
                                   {}, budget, limits);
    graph->definition = read.state()->definition;
  }
  graph->executable = backend_->compile(graph->definition, *budget);
  graph->inputLengths = lengthsOf(graph->definition->inputs, [](const Operand& input) { return input.descriptor(); });
  graph->outputLengths = lengthsOf(graph->definition->outputs, [](const auto& output) { return output.second.descriptor(); });
  graph->copiesTensors = backend_->name() != "cpu" || readsIndices(*graph->definition);
  reply.setMemoryInUse(account->inUse());
  reply.setNotes(static_cast<std::uint32_t>(graph->executable->notes().size()));
  state_.addGraph(request.getGraph(), graph);
}

}  // namespace webnn::service
