'use strict';
// Implements load(). A reader, a separate module, converts a file to calls of a builder. The calls are repeated here as if a
// program made them, so that they are validated.
const {bytesOf, isBuffer} = require('../../js/buffers.js');
const {MLGraph, contextSlots, requireNotLost} = require('../../js/context.js');
const idl = require('../../js/idl.js');
const {internal, promised, requireArguments} = require('../../js/interfaces.js');
const {withCure} = require('../../js/messages.js');
const {makeError, native, settled} = require('../../js/native.js');
const types = require('../../js/types.js');
const {Reader} = require('./message.js');
const {openReader} = require('./open_reader.js');

const contextType = idl.interfaceType('MLContext', contextSlots);

// --- Arguments of load()

const isSource = (value) => typeof value === 'string' || value instanceof URL || value instanceof Blob || value instanceof Response ||
                            isBuffer(value);

// Accepts a URL, Blob, Response or buffer. A buffer is copied immediately.
function source(value, what) {
  if (!isSource(value)) throw new TypeError(`${what} is no address, Blob, Response or buffer.`);
  return isBuffer(value) ? new Blob([bytesOf(idl.bufferSource(value, what))]) : value;
}

const weights = (value, what) => (isSource(value) ? source(value, what) : idl.record(source)(value, what));
const loadOptions = idl.dictionary([
  {name: 'dimensions', type: idl.record(idl.enforcedUnsignedLong), fallback: new Map()},
  {name: 'manifest', type: source},
  {name: 'values', type: idl.record(idl.bufferSource), fallback: new Map()},
  {name: 'weights', type: weights},
]);

async function blobOf(given, signal) {
  if (given instanceof Blob) return given;
  const response = given instanceof Response ? given : await fetch(given, {signal});
  if (!response.ok) throw makeError('NotFoundError', `load: ${response.url}: ${response.status} ${response.statusText}`);
  return response.blob();
}

// Fetches all files. Returns the reader's input: [{role, name, blob}].
async function filesOf(graph, options, signal) {
  const given = [['graph', '', graph], ['manifest', '', options.manifest]];
  for (const [name, buffer] of options.values) given.push(['value', name, new Blob([bytesOf(buffer)])]);
  if (options.weights instanceof Map) {
    for (const [name, file] of options.weights) given.push(['external', name, file]);
  } else {
    given.push(['weights', '', options.weights]);
  }
  return Promise.all(given.filter(([, , file]) => file !== undefined)
    .map(async ([role, name, file]) => ({role, name, blob: await blobOf(file, signal)})));
}

// --- Repeats the reader's calls of a builder

let indices;  // indices in the operation table, by name

function indexOf(name) {
  indices ??= new Map(JSON.parse(native.operations()).operations.map((operation, i) => [operation.name, i]));
  return indices.get(name);
}

// Repeats the calls in `reply`. Returns {inputs, outputs, builder, results}; `results` are the handles of the outputs. Inputs and
// outputs are arrays of entries in the file's order, because an object would reorder names such as "2" and lose "__proto__".
function repeat(context, reply, reader) {
  const builder = native.createBuilder(context.handle), operands = new Map();
  const readDescriptor = () => ({number: reply.word(), dataType: reply.text(), shape: reply.words()});
  const inputs = reply.list(() => {
    const name = reply.text(), {number, dataType, shape} = readDescriptor();
    operands.set(number, native.input(builder, name, dataType, shape)[0]);
    return [name, {dataType, shape}];
  });
  reply.list(() => {
    const {number, dataType, shape} = readDescriptor(), address = reply.word(), size = reply.word();
    const partAt = (begin, end) => reader.bytes(address + begin, end - begin);
    operands.set(number, native.constantOf(builder, dataType, shape, size, partAt)[0]);
  });
  reply.list(() => {
    const index = indexOf(reply.text()), label = reply.text(), numbers = reply.words();
    const fields = reply.fields((number) => operands.get(number));
    native.append(builder, index, label, fields).forEach(([handle], i) => operands.set(numbers[i], handle));
  });
  const results = [];
  const outputs = reply.list(() => {
    const name = reply.text(), {number, dataType, shape} = readDescriptor();
    results.push(operands.get(number));
    return [name, {dataType, shape}];
  });
  return {inputs, outputs, builder, results};
}

// Returns whether a file begins with the field ir_version, as most ONNX models do. webnn-reader.wasm also reads other models.
const isLikelyModel = async (blob) => new Uint8Array(await blob.slice(0, 1).arrayBuffer())[0] === 8;

async function read(context, graph, options, signal) {
  const reasonFor = (error) => (signal?.aborted ? signal.reason : error);  // WebKit's fetch() ignores the signal's reason
  const files = await filesOf(graph, options, signal).catch((error) => { throw reasonFor(error); });
  let reader;
  const end = () => reader?.close(signal.reason);
  signal?.addEventListener('abort', end);
  const ask = async (isCommon) => {
    reader?.close();
    reader = await openReader(isCommon);
    signal?.throwIfAborted();
    return new Reader(await reader.read({files, dimensions: [...options.dimensions], limits: context.handle.limits}));
  };
  try {
    const reply = await ask(await isLikelyModel(files[0].blob)).catch((error) => {
      if (error.name !== 'NotSupportedError' || signal?.aborted || !reader?.isCommon) throw error;
      return ask(false);  // the full reader reads the file or explains why it cannot
    });
    requireNotLost(context, 'load');
    const {inputs, outputs, builder, results} = repeat(context, reply, reader);
    const names = outputs.map(([name]) => name);
    const handle = await settled((id, cancellation) => native.build(builder, names, results, id, cancellation), signal).promise;
    requireNotLost(context, 'load');
    return {graph: new MLGraph(internal, {handle, context}), inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs)};
  } catch (error) {
    throw withCure(reasonFor(error));
  } finally {
    signal?.removeEventListener('abort', end);
    reader?.close();
  }
}

function load(context, graph) {
  return promised(() => {
    requireArguments(arguments.length, 2, 'load');
    const slots = contextType(context, 'load: context');
    const options = loadOptions(arguments[2], 'load: options');
    const {signal} = types.callOptions(arguments[2], 'load: options');
    requireNotLost(slots, 'load');
    return read(slots, source(graph, 'load: source'), options, signal);
  });
}
Object.defineProperty(load, 'length', {value: 2});

module.exports = {load};
