'use strict';
// Adds members beyond the specification: MLGraph's run(), inputs and outputs, MLContext's backend, Symbol.dispose, and printing
// by console.log(). They are not enumerable, unlike the members in the specification.
const {MLGraphBuilder, MLOperand, builderSlots, operandSlots} = require('./builder.js');
const {MLContext, MLGraph, MLTensor, contextSlots, graphSlots, tensorSlots} = require('./context.js');
const {shown} = require('./buffers.js');
const {inputsOf, outputsOf, run} = require('./graphs.js');
const {requireThis} = require('./interfaces.js');
const {native} = require('./native.js');

const inspect = Symbol.for('nodejs.util.inspect.custom');  // https://nodejs.org/api/util.html#utilinspectcustom

// Copies the members of an object literal to a class's prototype.
function extend(Class, members) {
  for (const key of Reflect.ownKeys(members))
    Object.defineProperty(Class.prototype, key, {...Object.getOwnPropertyDescriptor(members, key), enumerable: false});
}

// Makes console.log() print the class's name and `fields(slots)`, which is an object or a text.
const shows = (Class, slotsOf, fields) => extend(Class, {
  [inspect](depth, options, show) {
    const slots = slotsOf(this);
    if (!slots) return Class === this.constructor ? `${Class.name} {}` : show(Object.prototype, options);
    const shownFields = fields(slots);
    if (typeof shownFields === 'string') return `${Class.name} ${shownFields}`;
    return `${Class.name} ${depth < 0 ? '{...}' : show(shownFields, {...options, depth: options.depth === null ? null : options.depth + 1})}`;
  },
});

const typesOf = (named) => Object.fromEntries(Object.entries(named).map(([name, descriptor]) => [name, shown(descriptor)]));

shows(MLContext, contextSlots, ({handle, accelerated, service, isLost}) =>
  ({backend: native.backend(handle), accelerated, ...(service && {service}), ...(isLost && {lost: true})}));
shows(MLGraph, graphSlots, (slots) => ({inputs: typesOf(inputsOf(slots)), outputs: typesOf(outputsOf(slots))}));
shows(MLTensor, tensorSlots, ({descriptor: {readable, writable, ...descriptor}, constant}) => {
  const traits = Object.entries({readable, writable, constant}).filter(([, is]) => is).map(([name]) => name);
  return [shown(descriptor), ...traits].join(' ');
});
shows(MLOperand, operandSlots, shown);
shows(MLGraphBuilder, builderSlots, () => '{}');

extend(MLGraph, {
  get inputs() { return inputsOf(requireThis(graphSlots(this))); },
  get outputs() { return outputsOf(requireThis(graphSlots(this))); },
  run(feeds) { return run(this, feeds, arguments[1]); },
});
extend(MLContext, {get backend() { return native.backend(requireThis(contextSlots(this)).handle); }});

// Supports `using graph = await load('model.onnx')` if the runtime has these symbols.
for (const Class of [MLContext, MLGraph, MLTensor]) {
  if (Symbol.dispose) extend(Class, {[Symbol.dispose]() { this.destroy(); }});
  if (Symbol.asyncDispose) extend(Class, {async [Symbol.asyncDispose]() { this.destroy(); }});
}

module.exports = {extend, shows};
