#include <algorithm>

#include "base/text.h"
#include "compiler/verify/verify.h"

namespace webnn::compiler {

namespace {

template <typename... Args>
[[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorKind::unknownError, format, std::forward<Args>(args)...);
}

class ModuleVerifier {
 public:
  ModuleVerifier(const Module& module, const ModuleInterface& interface)
      : module_(module), interface_(interface), records_(module.indexLimit()), isKnown_(module.indexLimit()) {}

  void run() {
    if (module_.inputs != interface_.inputs) wrong("its inputs are not those of the graph.");
    for (const Operand& input : module_.inputs) define(input, OperandKind::input);
    for (const ModuleNode& node : module_.nodes) check(node);
    checkOutputs();
  }

 private:
  void check(const ModuleNode& node) {
    try {
      visitOperands(node.operation, [&](std::string_view name, const Operand& operand) { use(name, operand); });
      if (node.outputs.empty()) wrong("it has no output.");
      for (const Operand& output : node.outputs) define(output, OperandKind::intermediate);
      verifyNode(node);
    } catch (const Error& error) {
      wrong("{}: {}", nodeText(node), error.what());
    }
  }

  // Records an operand's index. Throws if another operand has the same index.
  void note(const Operand& operand) {
    if (!operand) wrong("an operand refers to nothing.");
    const OperandRecord& record = operand.record();
    if (record.index >= records_.size()) wrong("{} is not of this module.", valueText(operand));
    const OperandRecord*& known = records_[record.index];
    if (known && known != &record) wrong("{} is two values.", valueText(operand));
    known = &record;
  }
  void define(const Operand& operand, OperandKind kind) {
    note(operand);
    const OperandRecord& record = operand.record();
    if (record.kind != kind) wrong("{} is computed, and is not an intermediate value.", valueText(operand));
    if (isKnown_[record.index]) wrong("{} is computed a second time.", valueText(operand));
    isKnown_[record.index] = true;
  }
  void use(std::string_view name, const Operand& operand) {
    note(operand);
    const OperandRecord& record = operand.record();
    if (record.kind != OperandKind::constant) {
      if (!isKnown_[record.index]) wrong("{} ({}) is used, and is not computed before.", name, valueText(operand));
    } else if (record.bytes.size() != byteLength(record.descriptor)) {
      wrong("{} ({}) is a constant of {} bytes, and has {}.", name, valueText(operand), byteLength(record.descriptor),
            record.bytes.size());
    }
  }

  void checkOutputs() {
    if (module_.outputs.size() != interface_.outputs.size()) wrong("it has another number of outputs than the graph.");
    for (std::size_t i = 0; i < module_.outputs.size(); ++i) {
      const auto& [name, operand] = module_.outputs[i];
      const auto& [expectedName, descriptor] = interface_.outputs[i];
      if (name != expectedName) wrong("output {} is called {}.", webnn::quoted(expectedName), webnn::quoted(name));
      use("output " + webnn::quoted(name), operand);
      if (operand.descriptor() != descriptor) {
        wrong("output {} is {} and not {}.", webnn::quoted(name), toString(operand.descriptor()), toString(descriptor));
      }
    }
  }

  const Module& module_;
  const ModuleInterface& interface_;
  std::vector<const OperandRecord*> records_;  // indexed by operand
  std::vector<bool> isKnown_;                  // inputs, and values that an earlier node has computed
};

}  // namespace

ModuleInterface::ModuleInterface(const Module& module) : inputs(module.inputs) {
  for (const auto& [name, operand] : module.outputs) outputs.emplace_back(name, operand.descriptor());
}

void verifyModule(const Module& module, const ModuleInterface& interface, std::string_view after) {
  try {
    ModuleVerifier(module, interface).run();
  } catch (const Error& error) {
    wrong("the CPU engine's module is wrong after {}: {}", after, error.what());
  }
}

std::string valueText(const Operand& operand) {
  const OperandRecord& record = operand.record();
  return record.name.empty() ? formatText("%{}", record.index) : formatText("%{} {}", record.index, webnn::quoted(record.name));
}

std::string nodeText(const ModuleNode& node) {
  const std::string& text = label(node.operation);
  return std::string(name(node.operation)) + (text.empty() ? "" : " " + webnn::quoted(text));
}

}  // namespace webnn::compiler
