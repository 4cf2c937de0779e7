'use strict';
const {allocate, byteLength, bytesOf, requireBuffer} = require('./buffers.js');
const idl = require('./idl.js');
const {finish, internal, promised, requireArguments, requireInternal, requireThis, slotted} = require('./interfaces.js');
const {cancellationOf, makeError, native, rejectNow, settled, withResolvers} = require('./native.js');
const types = require('./types.js');

const {make: makeContext, slotsOf: contextSlots} = slotted(), {make: makeGraph, slotsOf: graphSlots} = slotted();
const {make: makeTensor, slotsOf: tensorSlots} = slotted(), {make: makeMl, slotsOf: mlSlots} = slotted();

// Private slots: {handle, descriptor, constant, pending}; `pending` is the set of ids of pending reads
class MLTensor {
  constructor() {
    requireInternal(arguments[0]);
    return makeTensor(new.target, arguments[1]);
  }
  get dataType() { return requireThis(tensorSlots(this)).descriptor.dataType; }
  get shape() { return requireThis(tensorSlots(this)).descriptor.shape; }
  get readable() { return requireThis(tensorSlots(this)).descriptor.readable; }
  get writable() { return requireThis(tensorSlots(this)).descriptor.writable; }
  get constant() { return requireThis(tensorSlots(this)).constant; }
  destroy() { destroyTensor(requireThis(tensorSlots(this))); }
}

function destroyTensor(slots) {
  native.destroyTensor(slots.handle);
  rejectReads(slots, 'the tensor was destroyed.');
}

function rejectReads(slots, problem) {
  for (const id of slots.pending) rejectNow(id, makeError('InvalidStateError', `readTensor: ${problem}`));
  slots.pending.clear();
}

// Private slots: {handle, context}; `context` is the slots of the MLContext
class MLGraph {
  constructor() {
    requireInternal(arguments[0]);
    return makeGraph(new.target, arguments[1]);
  }
  destroy() { native.destroyGraph(requireThis(graphSlots(this)).handle); }
}

const graphType = idl.interfaceType('MLGraph', graphSlots);
const tensorType = idl.interfaceType('MLTensor', tensorSlots);
const namedTensors = idl.record(tensorType);
const handles = (named) => Array.from(named.values(), (slots) => slots.handle);

// Private slots: {handle, accelerated, service, isLost, why, lost, reading}. `why` is the reason of the loss, `lost` is {promise,
// resolve}, and `reading` is the set of slots of tensors with pending reads.
class MLContext {
  constructor() {
    requireInternal(arguments[0]);
    return makeContext(new.target, arguments[1]);
  }

  dispatch(graph, inputs, outputs) {
    const context = requireThis(contextSlots(this));
    requireArguments(arguments.length, 3, 'dispatch');
    const graphOf = graphType(graph, 'dispatch: graph');
    const named = namedTensors(inputs, 'dispatch: inputs'), namedOutputs = namedTensors(outputs, 'dispatch: outputs');
    const {signal} = types.callOptions(arguments[3], 'dispatch: options');
    native.dispatch(context.handle, graphOf.handle, [...named.keys()], handles(named), [...namedOutputs.keys()],
                    handles(namedOutputs), cancellationOf(signal));
  }

  createTensor(descriptor) {
    return promised(() => {
      const context = requireThis(contextSlots(this));
      requireArguments(arguments.length, 1, 'createTensor');
      const given = types.tensorDescriptor(descriptor, 'createTensor: descriptor');
      return createTensor(context, given);
    });
  }

  createConstantTensor(descriptor, inputData) {
    return promised(() => {
      const context = requireThis(contextSlots(this));
      requireArguments(arguments.length, 2, 'createConstantTensor');
      const {dataType, shape} = types.operandDescriptor(descriptor, 'createConstantTensor: descriptor');
      const data = idl.bufferSource(inputData, 'createConstantTensor: inputData');
      requireNotLost(context, 'createConstantTensor');
      requireBuffer(data, {dataType, shape}, 'createConstantTensor');
      const described = native.createConstantTensor(context.handle, dataType, shape, bytesOf(data));
      return made(context, {readable: false, writable: false}, described, true);
    });
  }

  readTensor(tensor) {
    return promised(() => {
      const context = requireThis(contextSlots(this));
      requireArguments(arguments.length, 1, 'readTensor');
      const slots = tensorType(tensor, 'readTensor: tensor');
      if (arguments.length === 1) return read(context, slots);
      return readInto(context, slots, idl.bufferSource(arguments[1], 'readTensor: outputData'));
    });
  }

  writeTensor(tensor, inputData) {
    const context = requireThis(contextSlots(this));
    requireArguments(arguments.length, 2, 'writeTensor');
    const slots = tensorType(tensor, 'writeTensor: tensor');
    const data = idl.bufferSource(inputData, 'writeTensor: inputData');
    requireBuffer(data, slots.descriptor, 'writeTensor');
    native.writeTensor(context.handle, slots.handle, bytesOf(data));
  }

  opSupportLimits() { return limitsOf(native.opSupportLimits(requireThis(contextSlots(this)).handle)); }

  destroy() {
    const context = requireThis(contextSlots(this));
    if (context.isLost) return;
    lose(context, native.destroyContext(context.handle));
    for (const tensor of context.reading) rejectReads(tensor, 'the context was destroyed.');
    context.reading.clear();
  }

  get accelerated() { return requireThis(contextSlots(this)).accelerated; }

  get service() { return requireThis(contextSlots(this)).service; }

  get lost() {
    return promised(() => requireThis(contextSlots(this)).lost.promise);
  }
}

function lose(context, message, why = '.') {
  context.isLost = true;
  context.why = why;
  context.lost.resolve({message});
}

// Returns the callback for a loss that destroy() did not cause, such as a crash of the service. The native part rejects pending
// reads. The callback holds only a WeakRef to the context, so that an unused context can be collected.
const loserOf = (reference) => (message) => {
  const context = reference.deref();
  if (context && !context.isLost) lose(context, message, `: ${message}`);
};
function watch(slots) {
  settled((id) => native.whenLost(slots.handle, id)).promise.then(loserOf(new WeakRef(slots)));
}

function requireNotLost(context, method) {
  if (context.isLost) throw makeError('InvalidStateError', `${method}: the context is lost${context.why}`);
}

function createTensor(context, descriptor) {
  const {dataType, shape, readable, writable} = descriptor;
  requireNotLost(context, 'createTensor');
  return made(context, descriptor, native.createTensor(context.handle, dataType, shape, readable, writable));
}

// Makes an MLTensor once `ready`, a promise or undefined, is fulfilled. Rejects if the context is lost before that.
async function made(context, {readable, writable}, [handle, dataType, shape, ready], constant = false) {
  await ready;
  requireNotLost(context, constant ? 'createConstantTensor' : 'createTensor');
  const descriptor = {dataType, shape: Object.freeze(shape), readable, writable};
  return new MLTensor(internal, {handle, descriptor, constant, pending: new Set()});
}

// Reads a tensor's elements into a new ArrayBuffer. `signal` rejects the promise, but does not stop the work that the read waits
// for.
async function read(context, tensor, signal) {
  const buffer = native.makesBuffers ? undefined : allocate(byteLength(tensor.descriptor));
  const bytes = buffer && new Uint8Array(buffer);
  const {id, promise} = settled((number) => native.readTensor(context.handle, tensor.handle, bytes, number), signal);
  tensor.pending.add(id);
  context.reading.add(tensor);
  try {
    const given = await promise;
    return buffer ?? given;
  } finally {
    tensor.pending.delete(id);
    if (tensor.pending.size === 0) context.reading.delete(tensor);
  }
}

// Reads into `target`. Copies the bytes only after the read, because unshared memory must not change while a script runs.
async function readInto(context, tensor, target) {
  // Accepting an Int8Array for every data type is an extension: onnxruntime-web passes an Int8Array view of its memory.
  requireBuffer(target, tensor.descriptor, 'readTensor', ['Uint8Array', 'Int8Array']);
  const buffer = await read(context, tensor);
  if (target.byteLength !== buffer.byteLength) throw new TypeError('readTensor: outputData was detached.');
  const bytes = ArrayBuffer.isView(target) ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
                                           : new Uint8Array(target);
  bytes.set(new Uint8Array(buffer));
}

// Sorts the members of a dictionary by name, as WebIDL does.
function limitsOf(value) {
  if (Array.isArray(value) || !idl.isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, limitsOf(value[key])]));
}

class ML {
  constructor() {
    requireInternal(arguments[0]);
    return makeMl(new.target, {});
  }
  createContext() {
    return promised(() => {
      requireThis(mlSlots(this));
      return createContext(types.contextOptions(arguments[0], 'createContext: options'));
    });
  }
}

async function createContext(options) {
  const handle = await settled((id) => native.createContext(options, id)).promise;
  const slots = {handle, accelerated: native.accelerated(handle), service: native.service(handle), isLost: false,
                 lost: withResolvers(), reading: new Set()};
  watch(slots);
  return new MLContext(internal, slots);
}

for (const Class of [ML, MLContext, MLGraph, MLTensor]) finish(Class);
module.exports = {ML, MLContext, MLGraph, MLTensor, contextSlots, graphSlots, read, requireNotLost, tensorSlots};
