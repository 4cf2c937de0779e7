'use strict';
// The class InferenceSession, with the names and arguments of the one in onnxruntime-node.
const {isAnyArrayBuffer, shown, views} = require('./js/buffers.js');
const {tensorSlots} = require('./js/context.js');
const {bytesFor, viewOf} = require('./js/elements.js');
const {MLGraphBuilder, builderSlots, namedOperands} = require('./js/builder.js');
const {extend, shows} = require('./js/extensions.js');
const {fetched, sessionSlots, sourceOf} = require('./files.js');
const {isForeign, packed, unpacked} = require('./foreign.js');
const {GraphCache} = require('./js/graph_cache.js');
const {compute, dataOf, feedsOf, inputsOf, outputsOf} = require('./js/graphs.js');
const idl = require('./js/idl.js');
const {internal, promised, requireArguments, requireInternal, requireThis, Uncloneable} = require('./js/interfaces.js');
const {typeError, withCure} = require('./js/messages.js');
const {makeError, native, settled} = require('./js/native.js');
const {sessionOptions} = require('./session_options.js');
const {Tensor, isSize} = require('./js/tensor.js');
const types = require('./js/types.js');

// Converts the addon's description to onnxruntime's metadata. `fixed` maps names of dimensions to sizes. An unknown size is ''.
// The type and shape of an output are undefined if the file does not declare them.
function metadataOf([name, dataType, shape, isBoolean, isOther], fixed) {
  if (isOther) return Object.freeze({name, isTensor: false});
  const sizes = shape && Object.freeze(shape.map((size) => fixed.get(size) ?? size));
  return Object.freeze({name, isTensor: true, type: isBoolean ? 'bool' : dataType, shape: sizes});
}
const namesOf = (metadata) => metadata.map(({name}) => `'${name}'`).join(', ') || 'none';
const typeText = ({isTensor: isOne, type, shape}) => !isOne ? 'sequence' : `${type ?? '?'}[${shape ? shape.map((size) => size || '?').join(', ') : '...'}]`;
const isTensor = (value) => typeof value?.type === 'string' && Array.isArray(value.dims);
const dimsOf = (value) => tensorSlots(value)?.descriptor.shape ?? value.dims;

// Checks the value for an input: a Tensor, an MLTensor, or data if the input has no open dimensions. Returns an MLTensor, a
// Tensor or {data, dims}.
function fed(value, input) {
  const {name, type, shape} = input, what = `run: '${name}'`;
  if (!input.isTensor) throw makeError('NotSupportedError', `${what}: the input is a sequence, and only tensors can be fed.`);
  if (tensorSlots(value)) return value;
  if (isTensor(value)) {
    const wrong = value.dims.find((size) => !isSize(size));
    if (wrong !== undefined) throw typeError(`${what}: ${wrong} in dims [${value.dims.join(', ')}] is no size.`);
    const isBytes = ['bool', 'uint8'].includes(type) && ['bool', 'uint8'].includes(value.type);
    if (value.type !== type && !isBytes) throw typeError(`${what}: a tensor of ${value.type} is none of ${typeText(input)}.`);
    return value;
  }
  if (shape.every((size) => typeof size === 'number')) return {data: value, dims: shape};
  throw typeError(`${what}: ${value?.constructor?.name ?? value} has no dims; new Tensor('${type}', data, [${shape.join(', ')}]) has.`);
}

const sliceOf = Object.getPrototypeOf(Uint8Array.prototype).slice;
// Returns a copy of a feed's data: a buffer, a typed array, or nested arrays.
function copyOf(data) {
  if (Array.isArray(data)) return data.map(copyOf);
  if (!data?.byteLength) return data;
  if (isAnyArrayBuffer(data)) return data.slice(0);
  if (data instanceof DataView) return new DataView(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  return ArrayBuffer.isView(data) ? sliceOf.call(data) : data;
}
// Copies a result of fed(), so that later changes by the caller do not affect it. An MLTensor is not copied: the context reads
// the tensor when it executes the run.
function snapshotOf(value) {
  return tensorSlots(value) ? value : {type: value.type, dims: [...value.dims], data: copyOf(value.data)};
}

// Parses the arguments of run() after the feeds. Returns [map from output names to a tensor to fill or null, options].
function fetchesOf(outputs, given, options) {
  const known = outputs.map(({name}) => name);
  const fetch = (names, tensors) => new Map(names.map((name) => [name, isTensor(tensors?.[name]) ? tensors[name] : null]));
  if (given === undefined || given === null) return [fetch(known), options];
  if (!idl.isObject(given) || isTensor(given)) throw typeError('run: fetches are neither an array of names nor an object.');
  if (!Array.isArray(given)) {
    const names = known.filter((name) => given[name] === null || isTensor(given[name]));
    return names.length ? [fetch(names, given), options] : [fetch(known), options ?? given];
  }
  if (given.length === 0) throw typeError('run: fetches name no output.');
  const wrong = given.find((name) => !known.includes(name));
  if (wrong !== undefined) throw new RangeError(`run: there is no output '${wrong}'; the outputs are ${namesOf(outputs)}.`);
  return [fetch(given), options];
}

// Returns booleans as bytes 0 and 1. Every other byte becomes 1.
function bytesOfBools(bytes) { return bytes.some((byte) => byte > 1) ? bytes.map((byte) => byte && 1) : bytes; }

// Throws if the caller's tensor `target` differs from the output in type, shape or byte length.
function requireRoom(name, tensor, target) {
  if (target.type === tensor.type && `${target.dims}` === `${tensor.dims}` && target.data.byteLength === tensor.data.byteLength) return;
  throw typeError(`run: the tensor for the output '${name}' is ${shown({dataType: target.type, shape: target.dims})}, not ` +
                  `${shown({dataType: tensor.type, shape: tensor.dims})}.`);
}

// Copies the result into the caller's tensor, if given. Copies bytes, because float16 data is a Float16Array or a Uint16Array.
function inPlace(tensor, target) {
  if (!target) return tensor;
  if (tensor.type === 'string') {
    target.data.splice(0, target.data.length, ...tensor.data);
    return target;
  }
  const {buffer, byteOffset, byteLength} = target.data;
  new Uint8Array(buffer, byteOffset, byteLength).set(new Uint8Array(tensor.data.buffer));
  return target;
}

const released = () => makeError('InvalidStateError', 'run: the session was released.');

// Computes the outputs `names` by one graph. `given` are [name, result of fed()]. Returns a map from names to
// [descriptor, ArrayBuffer].
async function computeByGraph(graph, inputs, given, names, signal) {
  const used = given.filter(([name]) => Object.hasOwn(inputsOf(graph), name));  // a graph may lack unused inputs
  const bound = feedsOf(graph, Object.fromEntries(used), 'run');
  for (const {name, type} of inputs) {
    const bytes = type === 'bool' && bound.get(name)?.bytes;
    if (bytes) bound.set(name, {bytes: bytesOfBools(bytes)});
  }
  const buffers = await compute(graph, bound, names, signal);
  return new Map(names.map((name) => [name, [outputsOf(graph)[name], buffers[name]]]));
}

// Returns [name, [data type, shape, bytes or strings]] of each input, as the addon takes them. `given` has a pair
// [name, result of fed()] for each input.
function packedInputs(inputs, given) {
  return inputs.map(({name, type}, i) => {
    const value = given[i][1], what = `run: '${name}'`;
    if (isForeign(type)) return [name, [type, [...value.dims], packed(value, type, what)]];
    if (tensorSlots(value))
      throw makeError('NotSupportedError', `${what}: an MLTensor cannot feed a model that runs as several graphs; a Tensor can.`);
    const descriptor = {dataType: type === 'bool' ? 'uint8' : type, shape: [...value.dims]};
    const bytes = bytesFor(dataOf(value, descriptor, what), descriptor, what);
    return [name, [descriptor.dataType, descriptor.shape, type === 'bool' ? bytesOfBools(bytes) : bytes]];
  });
}
const resultsOf = (outputs) => new Map(outputs.map(([name, dataType, shape, elements]) => [name, [{dataType, shape}, elements]]));

// Computes the outputs `names` without a graph for these shapes, as in Session::run(). `handle` is the session's handle;
// `inputs`, `given`, `signal` and the result are as in computeByGraph(), but outputs of strings have an array instead of the
// ArrayBuffer.
async function computeByParts(handle, inputs, given, names, signal) {
  const values = packedInputs(inputs, given);
  return resultsOf(await settled((id, cancellation) => native.runSession(handle, values, names, id, cancellation), signal).promise);
}

class InferenceSession extends Uncloneable {
  // {handle, context, isOwn, isSynchronous, graphs, inputs, outputs, isInParts}; release() sets handle to undefined. `isInParts`: whether
  // all runs use computeByParts(): the model has sequences or types that WebNN lacks, or a run has shown that no single graph can
  // hold the model.
  #slots;
  static slotsOf(value) { return idl.isObject(value) && #slots in value ? value.#slots : undefined; }

  constructor(token, slots) {
    requireInternal(token);
    super();
    const {handle, context} = slots;
    const graphs = new GraphCache(slots.graphs, async (shapes, signal) => {
      const start = (id, cancellation) => native.sessionGraph(handle, shapes, id, cancellation);
      return {handle: await settled(start, signal).promise, context};
    });
    const [inputs, outputs] = [native.sessionInputs, native.sessionOutputs].map(
      (list) => Object.freeze(list(handle).map((each) => metadataOf(each, slots.fixed))));
    const isInParts = [...inputs, ...outputs].some(({isTensor: isOne, type}) => !isOne || isForeign(type));
    this.#slots = {...slots, graphs, inputs, outputs, isInParts};
  }

  // Overloads: (path or bytes, options) and (ArrayBuffer, byteOffset, byteLength, options).
  static async create(model, ...rest) {
    const given = typeof rest.at(-1) === 'number' ? {} : rest.pop() ?? {};
    if (!idl.isObject(given)) throw typeError('create: options are no object.');
    const options = sessionOptions(given), {signal} = options;
    if (rest.length && !isAnyArrayBuffer(model)) throw typeError('create: only an ArrayBuffer has a byteOffset and a byteLength here.');
    const source = sourceOf(rest.length ? new Uint8Array(model, ...rest) : model, 'create: model');
    signal?.throwIfAborted();
    const read = await fetched(source, signal), {context, isOwn} = await options.contextFor();
    try {
      const start = (id, cancellation) => native.openSession(context.handle, read, options.load, id, cancellation);
      const handle = await settled(start, signal, options.load.onProgress).promise;
      return new InferenceSession(internal, {handle, context, isOwn, isSynchronous: options.synchronous, graphs: options.graphs,
                                             fixed: new Map(options.load.dimensions)});
    } catch (error) {
      if (isOwn) native.destroyContext(context.handle);
      throw withCure(error);
    }
  }

  get inputNames() { return this.#slots.inputs.map(({name}) => name); }
  get outputNames() { return this.#slots.outputs.map(({name}) => name); }
  get inputMetadata() { return this.#slots.inputs; }
  get outputMetadata() { return this.#slots.outputs; }

  // Overloads: (feeds, fetches, options) and (feeds, options).
  async run(feeds, second, third) {
    const {handle, inputs, outputs} = this.#slots;
    if (!handle) throw released();
    if (!idl.isObject(feeds) || isTensor(feeds)) throw typeError(`run: the feeds are no object {name: tensor} for the inputs ${namesOf(inputs)}.`);
    const [fetches, options] = fetchesOf(outputs, second, third);
    const {signal} = types.callOptions(options, 'run: options');
    signal?.throwIfAborted();
    const missing = inputs.find(({name}) => feeds[name] === undefined);
    if (missing) throw typeError(`run: the input '${missing.name}' is missing; the inputs are ${namesOf(inputs)}.`);
    const given = inputs.map((input) => [input.name, fed(feeds[input.name], input)]);
    const computed = await this.#compute(given, [...fetches.keys()], signal);
    const results = [...fetches.keys()].map((name) => {
      const [descriptor, buffer] = computed.get(name), isBoolean = outputs.find((output) => output.name === name).type === 'bool';
      const {dataType, shape} = descriptor, isKnown = Object.hasOwn(views, dataType);
      const data = isKnown ? viewOf(buffer, descriptor) : unpacked(buffer, dataType, `run: '${name}'`);
      return [name, new Tensor(isBoolean ? 'bool' : dataType, data, shape)];
    });
    for (const [name, tensor] of results) if (fetches.get(name)) requireRoom(name, tensor, fetches.get(name));
    return Object.fromEntries(results.map(([name, tensor]) => [name, inPlace(tensor, fetches.get(name))]));
  }

  // Returns whether to run the model in parts, without a graph for these shapes, because its sizes change in each run. An input
  // that is an MLTensor needs a graph.
  async #prefersRun(given, shapes, signal) {
    const {handle, graphs} = this.#slots;
    if (graphs.has(shapes) || given.some(([, value]) => tensorSlots(value))) return false;
    const start = (id, cancellation) => native.sessionPrefersRun(handle, shapes, id, cancellation);
    return settled(start, signal).promise.catch(() => false);  // building the graph fails with the same error
  }

  // Returns a map from the names of outputs to [descriptor, ArrayBuffer]. `fedValues` are [name, result of fed()] of all inputs.
  async #compute(fedValues, names, signal) {
    if (this.#slots.isSynchronous) return this.#computeNow(fedValues, names, signal);
    const given = fedValues.map(([name, value]) => [name, snapshotOf(value)]);  // copies the inputs before the first await
    const slots = this.#slots, {handle, inputs} = slots, shapes = given.map(([name, value]) => [name, [...dimsOf(value)]]);
    let {isInParts} = slots, graph;
    if (!isInParts && !shapes.some(([, shape]) => shape.includes(0)) && !await this.#prefersRun(given, shapes, signal)) {
      try {
        graph = await slots.graphs.get(shapes, signal);
      } catch (error) {
        if (!['NotSupportedError', 'TypeError'].includes(error?.name)) throw error;
        // A graph cannot return an output without elements. If the model has open dimensions, the run below returns it or fails
        // again.
        if (!native.hasOpenGraph(handle)) {
          if (error.name === 'TypeError') throw error;
          isInParts = true;
        }
      }
    }
    if (graph) return computeByGraph(graph, inputs, given, names, signal);
    try {
      const computed = await computeByParts(handle, inputs, given, names, signal);
      slots.isInParts = isInParts;
      return computed;
    } catch (error) {
      throw slots.handle || !slots.isOwn || signal?.aborted ? error : released();
    }
  }

  // Computes on this thread, without copies of the feeds.
  async #computeNow(given, names, signal) {
    await new Promise((resolve) => setImmediate(resolve));
    const {handle, inputs} = this.#slots;
    if (!handle) throw released();
    signal?.throwIfAborted();
    return resultsOf(native.runSessionNow(handle, packedInputs(inputs, given), names));
  }

  // Releases the memory. A second call does nothing.
  async release() {
    const {handle, context, isOwn, graphs} = this.#slots;
    this.#slots.handle = undefined;
    graphs.clear();
    if (!handle || !isOwn) return;
    native.releaseSession(handle);
    native.destroyContext(context.handle);
  }

  startProfiling() { throw makeError('NotSupportedError', 'startProfiling: `webnn bench MODEL --trace FILE` measures each operation.'); }
  endProfiling() { this.startProfiling(); }
}

const buildOptions = idl.dictionary([
  {name: 'dimensions', type: idl.record(idl.enforcedUnsignedLong), fallback: new Map()},
  {name: 'graphs', type: idl.enforcedUnsignedLong, fallback: 4},
]);
extend(MLGraphBuilder, {
  buildSession(outputs) {
    return promised(() => {
      const {handle: builder, context} = requireThis(builderSlots(this));
      requireArguments(arguments.length, 1, 'buildSession');
      const named = namedOperands(outputs, 'buildSession: outputs');
      const {dimensions, graphs} = buildOptions(arguments[1], 'buildSession: options');
      const operands = Array.from(named.values(), (slots) => slots.handle);
      const handle = native.buildSession(builder, [...named.keys()], operands, [...dimensions], graphs);
      return new InferenceSession(internal, {handle, context, isOwn: false, graphs, fixed: dimensions});
    });
  },
});

const {slotsOf} = InferenceSession;
delete InferenceSession.slotsOf;
sessionSlots.of = slotsOf;
const typesOf = (metadata) => Object.fromEntries(metadata.map((each) => [each.name, typeText(each)]));
shows(InferenceSession, slotsOf, ({handle, context, inputs, outputs}) =>
  ({backend: native.backend(context.handle), inputs: typesOf(inputs), outputs: typesOf(outputs), ...(!handle && {released: true})}));
for (const symbol of [Symbol.dispose, Symbol.asyncDispose].filter(Boolean))
  Object.defineProperty(InferenceSession.prototype, symbol, {value() { return this.release(); }, writable: true, configurable: true});

module.exports = {InferenceSession};
