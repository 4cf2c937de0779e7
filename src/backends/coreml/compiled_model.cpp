#include "backends/coreml/compiled_model.h"

#include "backends/coreml/settings.h"
#include "backends/coreml/temporary_folder.h"
#include "base/aligned_tensors.h"
#include "base/text.h"
#include "coreml/export.h"

namespace webnn::coreml {

// The memory of one input or output in a run: the tensor's own memory, or a copy if its type or alignment does not suit Core ML.
struct CompiledModel::Binding {
  Array array;
  std::unique_ptr<std::byte[]> copy;

  std::span<std::int32_t> integers() const { return {reinterpret_cast<std::int32_t*>(copy.get()), array.count()}; }
};

CompiledModel::CompiledModel(const Framework& framework, const GraphDefinition& graph, ComputeUnits units, const Budget& budget) {
  const BudgetScope scope(budget);
  budget.check();
  ExportedModel model = exportModel(graph);
  requireSpecification(model.specificationVersion, framework.osVersion());
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const OperandDescriptor& descriptor = graph.inputs[i].descriptor();
    inputs_.push_back({model.inputs[i].first, descriptor, arrayOf(model.inputs[i].second, descriptor)});
  }
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const OperandDescriptor& descriptor = graph.outputs[i].second.descriptor();
    outputs_.push_back({model.outputs[i].first, descriptor, arrayOf(model.outputs[i].second, descriptor)});
  }
  const TemporaryFolder folder;
  const std::filesystem::path package = folder.path() / "graph.mlpackage";
  writePackage(model, package);
  notes_ = std::move(model.notes);
  placement_ = std::move(model.placement);
  for (OperationPlacement& operation : placement_) {
    if (operation.state == PlacementState::runs) operation.device = formatText("coreml {}", name(units));
  }
  budget.check();
  model_ = framework.load(package, units);
  budget.check();
}

CompiledModel::Binding CompiledModel::bind(const Port& port, std::byte* data, std::size_t size) {
  Binding binding{port.array, nullptr};
  const std::size_t needed = elementSize(port.array.type);
  if (!isShared(port.descriptor.dataType)) {
    binding.copy = std::make_unique_for_overwrite<std::byte[]>(port.array.count() * needed);
  } else if (!isAligned(data, needed)) {
    binding.copy = std::make_unique_for_overwrite<std::byte[]>(size);
  }
  binding.array.data = binding.copy ? binding.copy.get() : data;
  return binding;
}

CompiledModel::Binding CompiledModel::bindInput(const Port& port, std::span<const std::byte> bytes) {
  // MLMultiArray requires a mutable pointer for inputs too. Core ML does not write inputs.
  Binding binding = bind(port, const_cast<std::byte*>(bytes.data()), bytes.size());
  if (!isShared(port.descriptor.dataType)) {
    toInt32(port.descriptor.dataType, bytes, binding.integers(), port.graphName);
  } else if (binding.copy) {
    copyInParts(binding.copy.get(), bytes.data(), bytes.size());
  }
  return binding;
}

void CompiledModel::run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                        const Budget& budget) const {
  const BudgetScope scope(budget);
  budget.check();
  std::vector<Binding> from, to;
  std::vector<Array> taken, made;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    from.push_back(bindInput(inputs_[i], inputs[i]));
    taken.push_back(from.back().array);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    to.push_back(bind(outputs_[i], outputs[i].data(), outputs[i].size()));
    made.push_back(to.back().array);
  }
  {
    const std::lock_guard lock(mutex_);
    budget.check();
    model_->predict(taken, made);
  }
  budget.check();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!to[i].copy) continue;
    const DataType type = outputs_[i].descriptor.dataType;
    if (isShared(type)) {
      copyInParts(outputs[i].data(), to[i].copy.get(), outputs[i].size());
    } else {
      fromInt32(type, to[i].integers(), outputs[i], outputs_[i].graphName);
    }
  }
}

}  // namespace webnn::coreml
