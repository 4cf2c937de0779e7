#include <set>

#include "base/text.h"
#include "describe/field_texts.h"
#include "describe/ops_printers.h"
#include "webnn/enums.h"

namespace webnn::describe {

namespace {

// Interfaces that do not depend on the operation table.
constexpr std::string_view kInterfaces = R"(type MLNumber = bigint | number;
type MLNamedTensors = Record<string, MLTensor>;
type MLNamedOperands = Record<string, MLOperand>;
type MLBuffer = ArrayBufferLike | ArrayBufferView;

interface MLContextOptions {
  powerPreference?: MLPowerPreference;
  accelerated?: boolean;
  /** Extension: the name of the backend. There is no fallback. */
  backend?: string;
  /** Extension: the maximum number of threads of a graph. 0: the backend decides. */
  threads?: number;
  /** Extension: limits of memory, work and time. */
  limits?: MLLimits;
  /** Extension: runs graphs in another process. "private" starts one; "unix:PATH" is the socket of a running service. */
  service?: string;
  /** Extension: the token that identifies the client to a running service, 32 hexadecimal digits. */
  serviceToken?: string;
}

/** Extension: limits of a context. Exceeding maxTime is a TimeoutError; exceeding maxMemory, maxOperations or maxElements is an
    OperationError. */
interface MLLimits {
  /** The total size of tensors, constants and compiled graphs, in bytes. */
  maxMemory?: number;
  /** The number of operations of a graph. */
  maxOperations?: number;
  /** The number of elements of all operands of a graph. */
  maxElements?: number;
  /** The number of elementary steps that one load or build spends on constants. Beyond it, each run computes them instead; if a
      shape depends on them, the load fails. */
  maxCompileWork?: number;
  /** The time of one load, build or run, in milliseconds. */
  maxTime?: number;
}

/** Merged with the declaration of the DOM or Node.js types, if a program uses them. */
interface AbortSignal {}

/** Extension: options to end a call early. */
interface MLCallOptions {
  /** When the signal is aborted, the call is rejected with the signal's reason, usually within 50 milliseconds. */
  signal?: AbortSignal;
}

interface NavigatorML {
  readonly ml: ML;
}
interface Navigator extends NavigatorML {}
interface WorkerNavigator extends NavigatorML {}

interface ML {
  createContext(options?: MLContextOptions): Promise<MLContext>;
}
declare var ML: {
  prototype: ML;
  new(): ML;
};

interface MLContextLostInfo {
  message?: string;
}

interface MLContext {
  dispatch(graph: MLGraph, inputs: MLNamedTensors, outputs: MLNamedTensors, options?: MLCallOptions): void;
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  createConstantTensor(descriptor: MLOperandDescriptor, inputData: MLBuffer): Promise<MLTensor>;
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, outputData: MLBuffer): Promise<void>;
  writeTensor(tensor: MLTensor, inputData: MLBuffer): void;
  opSupportLimits(): MLOpSupportLimits;
  destroy(): void;
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  /** Extension: where graphs run, as in MLContextOptions; empty: in this process. */
  readonly service: string;
}
declare var MLContext: {
  prototype: MLContext;
  new(): MLContext;
};

interface MLGraph {
  destroy(): void;
}
declare var MLGraph: {
  prototype: MLGraph;
  new(): MLGraph;
};

interface MLOperandDescriptor {
  dataType: MLOperandDataType;
  shape: Iterable<number>;
}

/** Extension of Node.js: an open dimension with bounds. Its size is chosen at each run. A string is one without bounds. */
interface MLOpenDimension {
  name: string;
  minSize?: number;
  maxSize?: number;
}

/** Extension of Node.js: a string is the name of an open dimension, or an expression over names such as "past + 1". */
interface MLInputDescriptor {
  dataType: MLOperandDataType;
  shape: Iterable<number | string | MLOpenDimension>;
}

interface MLOperand {
  readonly dataType: MLOperandDataType;
  /** Numbers. Extension of Node.js: an open dimension is a string, its name or expression. */
  readonly shape: readonly any[];
}
declare var MLOperand: {
  prototype: MLOperand;
  new(): MLOperand;
};

interface MLTensorDescriptor extends MLOperandDescriptor {
  readable?: boolean;
  writable?: boolean;
}

interface MLTensor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  destroy(): void;
}
declare var MLTensor: {
  prototype: MLTensor;
  new(): MLTensor;
};

interface MLRankRange {
  min?: number;
  max?: number;
}

interface MLTensorLimits {
  dataTypes?: MLOperandDataType[];
  rankRange?: MLRankRange;
}

interface MLOperatorOptions {
  label?: string;
}
)";

constexpr std::string_view kBuilderStart = R"(interface MLGraphBuilder {
  input(name: string, descriptor: MLOperandDescriptor | MLInputDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, buffer: MLBuffer): MLOperand;
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  constant(tensor: MLTensor): MLOperand;
  build(outputs: MLNamedOperands, options?: MLCallOptions): Promise<MLGraph>;
)";

constexpr std::string_view kBuilderEnd = R"(}
declare var MLGraphBuilder: {
  prototype: MLGraphBuilder;
  new(context: MLContext): MLGraphBuilder;
};
)";

constexpr std::string_view kLimitsStart = R"(interface MLOpSupportLimits {
  preferredInputLayout?: MLInputOperandLayout;
  maxTensorByteLength?: number;
  input?: MLTensorLimits;
  constant?: MLTensorLimits;
  output?: MLTensorLimits;
)";

std::string typeText(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "MLOperand";
    case FieldKind::operands: return "Iterable<MLOperand>";
    case FieldKind::boolean: return "boolean";
    case FieldKind::unsignedInteger: return field.mayBeOpen ? "number | string" : "number";
    case FieldKind::integer:
    case FieldKind::real: return "number";
    case FieldKind::number: return "MLNumber";
    case FieldKind::sizes: return field.mayBeOpen ? "Iterable<number | string>" : "Iterable<number>";
    case FieldKind::reals: return "Iterable<number>";
    case FieldKind::splits: return "number | Iterable<number | string>";
    case FieldKind::enumeration: return field.enumType;
    case FieldKind::enumerations: return "Iterable<" + field.enumType + ">";
  }
  return "";
}

std::string enumText(std::string_view type, std::span<const std::string_view> names) {
  std::string text;
  for (std::string_view name : names) text += formatText("{}\"{}\"", text.empty() ? "" : " | ", name);
  return formatText("type {} = {};\n", type, text);
}

void printEnums(std::string& text, std::span<const Method> methods) {
  std::set<std::string> printed;
  const auto print = [&](std::string_view type, std::span<const std::string_view> names) {
    if (printed.insert(std::string(type)).second) text += enumText(type, names);
  };
  static constexpr std::string_view kPowerPreferences[] = {"default", "high-performance", "low-power"};
  print("MLPowerPreference", kPowerPreferences);
  text += "// \"int4\" and \"uint4\" are extensions: they are not in the specification.\n";
  print("MLOperandDataType", enumNames<DataType>());
  print("MLInputOperandLayout", enumNames<InputOperandLayout>());
  for (const Method& method : methods) {
    for (const Field& field : method.fields) {
      if (!field.enumType.empty()) print(field.enumType, field.enumNames);
    }
  }
}

void printDictionaries(std::string& text, std::span<const Method> methods) {
  std::set<std::string> printed{"MLOperatorOptions"};
  for (const Method& method : methods) {
    if (!printed.insert(method.optionsType).second) continue;
    text += formatText("\ninterface {} extends MLOperatorOptions {{\n", method.optionsType);
    for (const Field& field : method.fields) {
      if (!field.argument)
        text += formatText("  /** {} */\n  {}?: {};\n", fieldSentence(method, field), field.name, typeText(field));
    }
    text += "}\n";
  }
}

void printMethods(std::string& text, std::span<const Method> methods) {
  for (const Method& method : methods) {
    std::string parameters;
    for (const Field& field : method.fields) {
      if (field.argument) parameters += formatText("{}: {}, ", field.name, typeText(field));
    }
    text += formatText("  /** {}. {} */\n", method.row->summary, specificationUrl(method));
    text += formatText("  {}({}options?: {}): {};\n", method.name(), parameters, method.optionsType,
                       method.returnsList ? "MLOperand[]" : "MLOperand");
  }
}

void printLimits(std::string& text, std::span<const Method> methods) {
  for (const Method& method : methods) {
    std::string members;
    for (const ops::OperandRule& rule : method.row->rules()) members += formatText(" {}?: MLTensorLimits;", rule.name);
    text += formatText("  {}?: {{{} }};\n", method.name(), members);
  }
}

}  // namespace

std::string printDts(std::span<const Method> methods) {
  std::string text = "// Printed by `webnn ops --format=dts` from the operation table.\n// https://www.w3.org/TR/webnn/\n\n";
  printEnums(text, methods);
  text += kInterfaces;
  printDictionaries(text, methods);
  text += "\n";
  text += kBuilderStart;
  printMethods(text, methods);
  text += kBuilderEnd;
  text += "\n";
  text += kLimitsStart;
  printLimits(text, methods);
  return text + "}\n";
}

}  // namespace webnn::describe
