'use strict';
const path = process.getBuiltinModule?.('node:path') ?? require('node:path');
const {fileURLToPath} = process.getBuiltinModule?.('node:url') ?? require('node:url');
const {bytesOf, isBuffer} = require('./js/buffers.js');
const {MLGraph, contextSlots, graphSlots, requireNotLost} = require('./js/context.js');
const idl = require('./js/idl.js');
const {internal, promised, requireArguments} = require('./js/interfaces.js');
const {typeError, withCure} = require('./js/messages.js');
const {makeError, native, settled} = require('./js/native.js');
const types = require('./js/types.js');

const sessionSlots = {of: () => undefined};  // set by session.js, because requiring session.js here would be circular
const graphType = idl.interfaceType('MLGraph', graphSlots);
const isUrl = (value) => value instanceof URL;

// Converts a path or file: URL to a path.
function pathOf(value, what) {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw typeError(`${what} has a character NUL.`);
    return value;
  }
  if (isUrl(value) && value.protocol === 'file:') return fileURLToPath(value);
  throw typeError(`${what} is no path.`);
}

// Returns a path, a Uint8Array, or an object to fetch bytes from: a Blob, a Response or a URL other than file:.
function sourceOf(value, what) {
  if (typeof value === 'string' || (isUrl(value) && value.protocol === 'file:')) return pathOf(value, what);
  if (isBuffer(value)) return bytesOf(idl.bufferSource(value, what));
  if (isUrl(value) || typeof value?.arrayBuffer === 'function') return value;
  throw typeError(`${what} is no path, URL, Buffer, ArrayBuffer, view, Blob or Response.`);
}

// Returns the path or bytes to pass to the addon. Fetches other sources.
async function fetched(source, signal) {
  if (typeof source === 'string' || ArrayBuffer.isView(source)) return source;
  const from = isUrl(source) ? await fetch(source, {signal}) : source;
  if (from.ok === false) throw makeError('NotFoundError', `load: ${from.url}: ${from.status} ${from.statusText}`);
  return new Uint8Array(await from.arrayBuffer());
}

const fileOptions = idl.dictionary([
  {name: 'dimensions', type: idl.record(idl.enforcedUnsignedLong), fallback: new Map()},
  {name: 'manifest', type: pathOf},
  {name: 'mapFiles', type: idl.boolean, fallback: true},
  {name: 'onProgress', type: (value, what) => (typeof value === 'function' ? value : fail(what, 'is no function'))},
  {name: 'values', type: idl.record(idl.bufferSource), fallback: new Map()},
  {name: 'weights', type: pathOf},
]);

function loadOptions(given, what) {
  const {dimensions, manifest, mapFiles, onProgress, values, weights} = fileOptions(given, what);
  return {dimensions: [...dimensions], manifest, mapFiles, weights, onProgress, reports: onProgress !== undefined,
          values: [...values].map(([name, buffer]) => [name, bytesOf(buffer)])};
}

// The default context of load(). The first load creates it, and the first load after its loss creates another one.
let shared;
async function contextFor(context, create, what) {
  if (context !== undefined) return contextSlots(context) ?? fail(what, "is not of type 'MLContext'");
  shared ??= create().then(contextSlots).catch((error) => {
    shared = undefined;  // the next load() tries again
    throw error;
  });
  const slots = await shared;
  if (!slots.isLost) return slots;
  shared = undefined;
  return contextFor(undefined, create, what);
}
function fail(what, problem) { throw typeError(`${what} ${problem}.`); }

async function loadNow(create, given, options, {context, signal}) {
  signal?.throwIfAborted();
  const slots = await contextFor(context, create, 'load: options: context');
  const source = await fetched(given, signal);
  requireNotLost(slots, 'load');
  try {
    const start = (id, cancellation) => native.load(slots.handle, source, options, id, cancellation);
    const handle = await settled(start, signal, options.onProgress).promise;
    requireNotLost(slots, 'load');
    return new MLGraph(internal, {handle, context: slots});
  } catch (error) {
    throw withCure(error);
  }
}

// Overloads: load(source, options) returns an MLGraph; load(context, source, options) returns {graph, inputs, outputs}, as in the
// package webnn-web. `create` creates the default context.
const makeLoad = (create) => function load(source) {
  return promised(() => {
    requireArguments(arguments.length, 1, 'load');
    if (contextSlots(source)) {
      requireArguments(arguments.length, 2, 'load');
      return load(arguments[1], {...arguments[2], context: source}).then((graph) => ({graph, inputs: graph.inputs, outputs: graph.outputs}));
    }
    const given = arguments[1], options = loadOptions(given, 'load: options');
    const {signal} = types.callOptions(given, 'load: options');
    return loadNow(create, sourceOf(source, 'load: source'), options, {context: given?.context, signal});
  });
};

const formats = {'.webnn': 'webnn', '.webnnb': 'binary', '.json': 'json', '.onnx': 'onnx', '.mlpackage': 'coreml'};
const saveOptions = idl.dictionary([
  {name: 'format', type: idl.enumeration('format', Object.values(formats))},
  {name: 'weights', type: idl.enumeration('weights', ['safetensors', 'manifest', 'inline'])},
]);

function save(graph, file) {
  return promised(async () => {
    requireArguments(arguments.length, 2, 'save');
    const session = sessionSlots.of(graph), slots = session ?? graphType(graph, 'save: graph'), to = pathOf(file, 'save: path');
    const {format = formats[path.extname(to).toLowerCase()], weights = ''} = saveOptions(arguments[2], 'save: options');
    if (format === undefined) {
      throw typeError(`save: the suffix of '${to}' is none of ${Object.keys(formats).join(', ')}; options such as {format: 'onnx'} ` +
                      'name the format.');
    }
    if (session && !session.handle) throw makeError('InvalidStateError', 'save: the session was released.');
    const write = session ? native.saveSession : native.save;
    await settled((id) => write(slots.handle, to, format, weights, id)).promise;
  });
}
Object.defineProperty(save, 'length', {value: 2});

module.exports = {fetched, loadOptions, makeLoad, save, sessionSlots, sourceOf};
