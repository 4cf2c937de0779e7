'use strict';
// Extensions of MLGraph: inputs, outputs, and run(), which takes data or tensors and returns data.
const {read, requireNotLost, graphSlots, tensorSlots} = require('./context.js');
const {shown} = require('./buffers.js');
const {bytesFor, viewOf} = require('./elements.js');
const idl = require('./idl.js');
const {typeError} = require('./messages.js');
const {cancellationOf, native} = require('./native.js');
const types = require('./types.js');

const graphType = idl.interfaceType('MLGraph', graphSlots);

// Returns the operands as a frozen object {name: {dataType, shape}}.
function descriptors(described) {
  const entries = described.map(([name, dataType, shape]) => [name, Object.freeze({dataType, shape: Object.freeze(shape)})]);
  return Object.freeze(Object.fromEntries(entries));
}
const inputsOf = (slots) => (slots.inputs ??= descriptors(native.inputs(slots.handle)));
const outputsOf = (slots) => (slots.outputs ??= descriptors(native.outputs(slots.handle)));
const listed = (named) => Object.entries(named).map(([name, descriptor]) => `'${name}' ${shown(descriptor)}`).join(', ') || 'none';

// Returns the slots of a graph's tensors by name. The first run creates the tensors. Concurrent runs can share them,
// because a context executes its work in order.
function tensorsOf(slots) {
  const bind = (named, readable) => Object.fromEntries(Object.entries(named).map(([name, descriptor]) => {
    const [handle] = native.createTensor(slots.context.handle, descriptor.dataType, descriptor.shape, readable, !readable);
    return [name, {handle, descriptor, pending: new Set()}];
  }));
  return (slots.tensors ??= {inputs: bind(inputsOf(slots), false), outputs: bind(outputsOf(slots), true)});
}

// Validates the feeds. Returns a map from input names to {tensor} or {bytes}.
function feedsOf(slots, feeds, what) {
  if (!idl.isObject(feeds)) throw typeError(`${what}: the feeds are no object {name: data} for the inputs ${listed(inputsOf(slots))}.`);
  const inputs = inputsOf(slots), result = new Map();
  for (const name of Object.keys(feeds))
    if (!Object.hasOwn(inputs, name)) throw typeError(`${what}: there is no input '${name}'; the inputs are ${listed(inputs)}.`);
  for (const [name, descriptor] of Object.entries(inputs)) {
    const value = feeds[name];
    if (value === undefined) throw typeError(`${what}: the input '${name}' is missing; the inputs are ${listed(inputs)}.`);
    const tensor = tensorSlots(value);
    result.set(name, tensor ? {tensor} : {bytes: bytesFor(dataOf(value, descriptor, `${what}: '${name}'`), descriptor, `${what}: '${name}'`)});
  }
  return result;
}

// Returns the data of a Tensor (tensor.js), whose dims must match the descriptor. Returns other values unchanged.
function dataOf(value, descriptor, what) {
  if (!Array.isArray(value?.dims) || value.data === undefined) return value;
  if (value.dims.join() !== descriptor.shape.join())
    throw typeError(`${what}: dims [${value.dims.join(', ')}] are not those of ${shown(descriptor)}.`);
  return value.data;
}

// Runs a graph and returns the outputs `names` as {name: ArrayBuffer}.
async function compute(slots, given, names, signal) {
  requireNotLost(slots.context, 'run');
  const {handle} = slots.context, {inputs, outputs} = tensorsOf(slots);
  const cancellation = cancellationOf(signal);
  const bound = new Map();
  for (const [name, {tensor, bytes}] of given) {
    bound.set(name, (tensor ?? inputs[name]).handle);
    if (!tensor) native.writeTensor(handle, inputs[name].handle, bytes);
  }
  const results = Object.keys(outputs);
  native.dispatch(handle, slots.handle, [...bound.keys()], [...bound.values()], results, results.map((name) => outputs[name].handle),
                  cancellation);
  const buffers = await Promise.all(names.map((name) => read(slots.context, outputs[name], signal)));
  return Object.fromEntries(names.map((name, i) => [name, buffers[i]]));
}

const runOptions = idl.dictionary([{name: 'outputs', type: idl.sequence(idl.usvString)}]);

// Implements run(graph, feeds, {outputs, signal}).
async function run(graph, feeds) {
  const slots = graphType(graph, 'run: graph');
  const {signal} = types.callOptions(arguments[2], 'run: options'), known = outputsOf(slots);
  const {outputs: names = Object.keys(known)} = runOptions(arguments[2], 'run: options');
  for (const name of names)
    if (!Object.hasOwn(known, name)) throw typeError(`run: there is no output '${name}'; the outputs are ${listed(known)}.`);
  const buffers = await compute(slots, feedsOf(slots, feeds, 'run'), names, signal);
  return Object.fromEntries(names.map((name) => [name, viewOf(buffers[name], known[name])]));
}
Object.defineProperty(run, 'length', {value: 2});

module.exports = {compute, dataOf, feedsOf, inputsOf, outputsOf, run};
