'use strict';
const {bytesOf, requireBuffer} = require('./buffers.js');
const {MLGraph, contextSlots, requireNotLost, tensorSlots} = require('./context.js');
const idl = require('./idl.js');
const {finish, internal, promised, requireArguments, requireInternal, requireThis, slotted} = require('./interfaces.js');
const {typeError} = require('./messages.js');
const {native, settled} = require('./native.js');
const types = require('./types.js');

const {make: makeBuilder, slotsOf: builderSlots} = slotted(), {make: makeOperand, slotsOf: operandSlots} = slotted();

// Private slots: {handle, dataType, shape}
class MLOperand {
  constructor() {
    requireInternal(arguments[0]);
    const [handle, dataType, shape] = arguments[1];
    return makeOperand(new.target, {handle, dataType, shape: Object.freeze(shape)});
  }
  get dataType() { return requireThis(operandSlots(this)).dataType; }
  get shape() { return requireThis(operandSlots(this)).shape; }
}

const contextType = idl.interfaceType('MLContext', contextSlots);
const tensorType = idl.interfaceType('MLTensor', tensorSlots);
const operandType = idl.interfaceType('MLOperand', operandSlots);
const namedOperands = idl.record(operandType);

// Private slots: {handle, context}; `context` is the slots of the MLContext
class MLGraphBuilder {
  constructor(context) {
    requireArguments(arguments.length, 1, 'MLGraphBuilder');
    const slots = contextType(context, 'MLGraphBuilder: context');
    return makeBuilder(new.target, {handle: native.createBuilder(slots.handle), context: slots});
  }

  input(name, descriptor) {
    const {handle} = requireThis(builderSlots(this));
    requireArguments(arguments.length, 2, 'input');
    const text = idl.usvString(name);
    const {dataType, shape} = types.inputDescriptor(descriptor, 'input: descriptor');
    const isOpen = shape.some((size) => typeof size !== 'number');
    return new MLOperand(internal, (isOpen ? native.openInput : native.input)(handle, text, dataType, shape));
  }

  constant(descriptor) {
    const {handle} = requireThis(builderSlots(this));
    requireArguments(arguments.length, 1, 'constant');
    return new MLOperand(internal, constantOf(handle, arguments));
  }

  build(outputs) {
    return promised(() => {
      const builder = requireThis(builderSlots(this));
      requireArguments(arguments.length, 1, 'build');
      const named = namedOperands(outputs, 'build: outputs');
      return build(builder, named, types.callOptions(arguments[1], 'build: options').signal);
    });
  }
}

// Implements the overloads of constant(): (tensor), (descriptor, buffer) and (data type, value).
function constantOf(builder, given) {
  const [first, second] = given;
  if (given.length === 1) return native.constantTensor(builder, tensorType(first, 'constant: tensor').handle);
  if (first === undefined || first === null || idl.isObject(first)) {
    const descriptor = types.operandDescriptor(first, 'constant: descriptor');
    const buffer = idl.bufferSource(second, 'constant: buffer');
    return constantOfBytes(builder, descriptor, buffer);
  }
  const dataType = types.dataType(first, 'constant: dataType');
  return native.scalar(builder, dataType, idl.mlNumber(second));
}

function constantOfBytes(builder, {dataType, shape}, buffer) {
  native.requireCanBuild(builder, 'constant');
  requireBuffer(buffer, {dataType, shape}, 'constant');
  return native.constant(builder, dataType, shape, bytesOf(buffer));
}

// Compiles the graph. Rejects if the context is lost before the compilation is done.
async function build({handle, context}, outputs, signal) {
  const operands = Array.from(outputs.values(), (slots) => slots.handle);
  const names = [...outputs.keys()];
  const graph = await settled((id, cancellation) => native.build(handle, names, operands, id, cancellation), signal).promise;
  requireNotLost(context, 'build');
  return new MLGraph(internal, {handle: graph, context});
}

const labelMember = {name: 'label', type: idl.usvString, fallback: ''};

// Fields that the specification declares without [EnforceRange], so that values wrap modulo 2^32.
const wrapping = new Set(['cumulativeSum.axis', 'tile.repetitions']);

const operand = (value, what) => operandType(value, what).handle;
const conversionsWith = (unsignedLong) => new Map(Object.entries({
  'MLOperand': operand,
  'sequence<MLOperand>': idl.sequence(operand),
  'boolean': idl.boolean,
  'unsigned long': unsignedLong,
  'long': idl.enforcedLong,
  'double': idl.double,
  'MLNumber': idl.mlNumber,
  'MLOperandDataType': types.dataType,
  'sequence<unsigned long>': idl.sequence(unsignedLong),
  'sequence<float>': idl.sequence(idl.float),
  'unsigned long or sequence<unsigned long>': idl.itemOrSequence(unsignedLong),
}));
const enforcing = conversionsWith(idl.enforcedUnsignedLong), ofSizes = conversionsWith(types.openSize);
const ofWrapping = conversionsWith(idl.unsignedLong), ofWrappingSizes = conversionsWith(types.wrappingOpenSize);

// Returns the conversion function for a field's type in the operation table.
function typeOf(method, {name, type, values, mayBeOpen}) {
  const [plain, ofOpen] = wrapping.has(`${method}.${name}`) ? [ofWrapping, ofWrappingSizes] : [enforcing, ofSizes];
  const known = (mayBeOpen ? ofOpen : plain).get(type);
  if (known) return known;
  const enumeration = idl.enumeration(type.replace(/^sequence<(.*)>$/, '$1'), values);
  return type.startsWith('sequence<') ? idl.sequence(enumeration) : enumeration;
}

// Returns the conversions of a method's arguments and options. `members` are the options in the order of the operation's fields.
function conversionsOf({name, arguments: parameters, options}) {
  const members = options.filter((option) => option.name !== 'label');
  return {
    parameterTypes: parameters.map((parameter) => typeOf(name, parameter)),
    messages: parameters.map((parameter) => `${name}: ${parameter.name}`),
    members,
    sizeFields: [...parameters, ...members].flatMap((field, i) => (field.mayBeOpen ? [i] : [])),
    optionsType: idl.dictionary(members.map((member) => ({name: member.name, type: typeOf(name, member)})), [labelMember]),
  };
}

// Replaces each expression among sizes, such as 'past + 1', by a number from the addon that stands for it.
function withoutExpressions(builder, size) {
  if (Array.isArray(size)) return size.map((item) => withoutExpressions(builder, item));
  return typeof size === 'string' ? native.openSize(builder, size) : size;
}

function methodOf(index, operation) {
  const {name, arguments: parameters, returns} = operation;
  const returnsSequence = returns.startsWith('sequence<');
  let conversions;  // created by the first call, because creating the conversions of all methods takes milliseconds
  const method = {
    [name](...given) {
      const {handle} = requireThis(builderSlots(this));
      requireArguments(given.length, parameters.length, name);
      const {parameterTypes, messages, members, optionsType, sizeFields} = conversions ??= conversionsOf(operation);
      const fields = parameterTypes.map((type, i) => type(given[i], messages[i]));
      const converted = optionsType(given[parameters.length], `${name}: options`);
      for (const member of members) fields.push(converted[member.name]);
      for (const i of sizeFields) fields[i] = withoutExpressions(handle, fields[i]);
      const operands = append(handle, index, converted.label, fields);
      return returnsSequence ? operands : operands[0];
    },
  }[name];
  Object.defineProperty(method, 'length', {value: parameters.length, configurable: true});
  return method;
}

function append(builder, index, label, fields) {
  try {
    return native.append(builder, index, label, fields).map((described) => new MLOperand(internal, described));
  } catch (error) {
    throw error instanceof TypeError && label !== '' ? typeError(`[${label}] ${error.message}`) : error;
  }
}

const {operations} = JSON.parse(native.operations());
operations.forEach((operation, index) => {
  const value = methodOf(index, operation);
  Object.defineProperty(MLGraphBuilder.prototype, operation.name, {value, writable: true, enumerable: true, configurable: true});
});

for (const Class of [MLOperand, MLGraphBuilder]) finish(Class);
module.exports = {MLGraphBuilder, MLOperand, builderSlots, namedOperands, operandSlots};
