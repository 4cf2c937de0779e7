'use strict';
// The native part of bindings/js in browsers.
// A WebAssembly module on the page checks each call immediately. It holds no tensor data or weights and computes nothing. Valid
// calls are then sent to another module, usually in a worker, which executes them. Each object has a number, which identifies it
// in both modules.
const {CommandError, Engine} = require('./engine.js');
const {mostSpare} = require('./host.js');
const {Writer} = require('./message.js');
const {configure} = require('./configure.js');
const {connectHost} = require('./connect.js');
const {platform} = require('../../js/platform.js');
const operationTable = require('webnn-operations');

let makeError, settle;

// --- The page's module and the connection to the host

let engine, host, starting;

function start() {
  starting ??= connectHost().then((connected) => {
    ({engine, host} = connected);
    host.listen({answered, failed});
  }).catch((error) => {
    starting = undefined;  // the next context tries again
    throw error;
  });
  return starting;
}

const answers = new Map();  // keyed by entry id: {resolve, reject}
let lastEntry = 0;
const losses = new Map();  // keyed by context number: functions called with the message when the context is lost without destroy()

function answered({id, error, value, spent}) {
  if (spent) keepSpare(spent);
  const {resolve, reject} = answers.get(id);
  answers.delete(id);
  error ? reject(makeError(error.kind, error.message)) : resolve(value);
}

// Handles the failure of a module: all contexts are lost, and the next context starts new modules and a new worker.
function failed(message) {
  host?.end();
  starting = engine = host = undefined;
  outbox = [];
  transferred = [];
  spare = [];
  for (const lose of [...losses.values()]) lose(message);
  losses.clear();
  for (const {reject} of answers.values()) reject(makeError('InvalidStateError', `the context is lost: ${message}`));
  answers.clear();
}

// --- Encoding and sending commands

const writer = new Writer();
const request = () => writer.clear();

let last = 0;
const next = () => (last = (last + 1) >>> 0);

// Begins a request to an object. The first word is the object's number. Throws if the object is of an earlier, failed module.
function requestTo({number, of}, command) {
  if (of !== engine) throw makeError('InvalidStateError', `${command}: the context is lost.`);
  return request().word(number);
}

// Begins a request that creates object `number` in a context.
function requestOf(context, number, command) {
  if (context.of !== engine) throw makeError('InvalidStateError', `${command}: the context is lost.`);
  return request().word(number).word(context.number);
}

// Runs a command in the page's module. Throws a TypeError or DOMException.
function run(command) {
  try {
    return engine.run(command, writer.bytes);
  } catch (error) {
    if (error instanceof CommandError) throw makeError(error.kind, error.message);
    failed(`the module of the page: ${error.message}`);  // a trap leaves the module in an unknown state
    throw makeError('UnknownError', `${command}: ${error.message}`);
  }
}

let outbox = [], transferred = [], isPosting = false;

function post() {
  if (outbox.length === 0) return;
  const entries = outbox, buffers = transferred;
  outbox = [];
  transferred = [];
  host?.post(entries, buffers);
}

const mostEntries = 16;

// Sends an entry to the host, together with up to 15 other entries of the same task. Because of the limit, the host begins while the
// page still validates later calls.
function send(entry, buffers = []) {
  outbox.push(entry);
  for (const buffer of buffers) transferred.push(buffer);
  if (outbox.length >= mostEntries) return post();
  if (isPosting) return;
  isPosting = true;
  queueMicrotask(() => {
    isPosting = false;
    post();
  });
}

function ask(entry, buffers) {
  if (!host) return Promise.reject(makeError('InvalidStateError', `${entry.command}: the context is lost.`));
  const id = ++lastEntry;
  return new Promise((resolve, reject) => {
    answers.set(id, {resolve, reject});
    send({...entry, id}, buffers);
  });
}

const entryOf = (command, other) => ({command, request: writer.bytes.slice(), ...other});

// Runs the written request in the page's module, then sends it to the host.
function runAndSend(command, other) {
  const reply = run(command);
  send(entryOf(command, other));
  return reply;
}

// Returns a function that runs and sends a command whose request consists of an object's number.
const sending = (command) => (object) => {
  if (object.of !== engine) return;
  request().word(object.number);
  runAndSend(command);
};

const finish = (promise, id) => promise.then((value) => settle(id, undefined, value), (error) => settle(id, error));

// Settles the promise that waits for the context's loss, so that the promise can be collected.
function forget(number) {
  losses.get(number)?.('');
  losses.delete(number);
}

// --- Objects. When JavaScript has collected an object, both modules release it.

const collected = new FinalizationRegistry(({command, number, isSent, of}) => {
  if (of !== engine) return;
  if (command === 'releaseContext') forget(number);
  request().word(number);
  run(command);
  if (isSent) send(entryOf(command, {builder: command === 'releaseBuilder' ? number : undefined}));
});

function handle(command, number, other, isSent = true) {
  const made = {number, of: engine, ...other};
  collected.register(made, {command, number, isSent, of: engine});
  return made;
}

// --- Contexts

const mostThreads = 32;  // maximum number of threads of a context on machines with fewer processors

async function makeContext(options) {
  if (options.service) throw makeError('NotSupportedError', 'createContext: there is no service in a browser.');
  await start();
  if (!engine) throw makeError('InvalidStateError', 'createContext: the context is lost.');
  const number = next();
  const write = (isChecking, threads) => {
    request().word(number).byte(isChecking).text(options.powerPreference).byte(options.accelerated).text(options.backend)
      .word(threads).limits(options.limits);
  };
  write(true, options.threads);
  run('createContext');
  const made = handle('releaseContext', number);
  // Each thread is a worker, and a page can start only some hundreds of workers.
  const threads = Math.min(options.threads, Math.max(mostThreads, navigator.hardwareConcurrency));
  write(false, threads);
  const {accelerated} = await ask(entryOf('createContext', {threads}));
  return Object.assign(made, {accelerated, limits: options.limits});
}

// Reads limits. The members are evaluated in the reply's order.
const limitsOf = (reply) => ({dataTypes: reply.list(() => reply.text()), rankRange: {min: reply.word(), max: reply.word()}});

function opSupportLimits(context) {
  requestTo(context, 'opSupportLimits');
  const reply = run('opSupportLimits');
  const limits = {preferredInputLayout: reply.text(), maxTensorByteLength: reply.real()};
  for (const name of ['input', 'constant', 'output']) limits[name] = limitsOf(reply);
  const named = (read) => Object.fromEntries(reply.list(() => [reply.text(), read()]));
  return Object.assign(limits, named(() => named(() => limitsOf(reply))));
}

// --- Tensors

// Creates a tensor. `bytes` are the elements of a constant tensor.
function makeTensor(command, context, dataType, shape, flags, bytes) {
  const number = next(), to = requestOf(context, number, command).text(dataType).words(shape);
  for (const flag of flags) to.byte(flag);
  run(command);
  const data = bytes?.slice().buffer, ready = ask(entryOf(command, {data}), data && [data]);
  return [handle('releaseTensor', number), dataType, shape, ready];
}
const createTensor = (context, dataType, shape, ...flags) => makeTensor('createTensor', context, dataType, shape, flags);
const createConstantTensor = (context, dataType, shape, bytes) =>
  makeTensor('createConstantTensor', context, dataType, shape, [], bytes);

// Buffers of earlier writes, which the host has sent back. Reuse is faster, because page faults of new memory take longer than
// the copy.
let spare = [];

function keepSpare(buffers) {
  spare.push(...buffers);
  for (let sum = spare.reduce((total, {byteLength}) => total + byteLength, 0); sum > mostSpare; sum -= spare.shift().byteLength);
}

function copyOf(bytes) {
  const at = spare.findIndex(({byteLength}) => byteLength === bytes.length);
  if (at < 0) return bytes.slice().buffer;
  const [buffer] = spare.splice(at, 1);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function writeTensor(context, tensor, bytes) {
  requestTo(context, 'writeTensor').word(tensor.number).word(bytes.length);
  run('writeTensor');
  const data = copyOf(bytes);
  send(entryOf('writeTensor', {data}), [data]);
}

function readTensor(context, tensor, _, id) {
  requestTo(context, 'readTensor').word(tensor.number);
  run('readTensor');
  finish(ask(entryOf('readTensor')), id);
}

function dispatch(context, graph, inputNames, inputs, outputNames, outputs, stop) {
  requestTo(context, 'dispatch').word(graph.number);
  const write = (names, tensors) => {
    writer.word(names.length);
    names.forEach((name, i) => writer.text(name).word(tensors[i].number));
  };
  write(inputNames, inputs);
  write(outputNames, outputs);
  writer.byte(false);  // not stopped; the host sets this byte if the call is stopped
  runAndSend('dispatch', {stop: stop?.number});
}

// --- Builders. Calls are sent to the host immediately until the builder's constants exceed `mostTransferred`. From then on, the
// builder logs its calls (see record()), and build() sends them.

// Constants are sent in parts, so that memory never holds two full copies.
const partBytes = 4 << 20, smallPart = 64 << 10, mostTransferred = 16 << 20;

function partsOf(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += partBytes) parts.push(bytes.slice(at, at + partBytes).buffer);
  return parts;
}

function createBuilder(context) {
  const number = next();
  requestOf(context, number, 'createBuilder');
  runAndSend('createBuilder', {builder: number});
  return handle('releaseBuilder', number, {context, log: [], constants: [], size: 0});
}

// Returns whether the builder's calls are sent immediately.
const isFollowed = ({size}) => size <= mostTransferred;

// Sends or logs an entry. `constantTensor` is always sent immediately, because the tensor may be destroyed or collected before
// build().
function record(builder, command, other) {
  const entry = entryOf(command, {builder: builder.number, ...other});
  isFollowed(builder) || command === 'constantTensor' ? send(entry) : builder.log.push(entry);
}

// Returns [handle, data type, shape]. The handle references its builder, because releasing a builder releases its operands.
const described = (builder, number, reply) => [{number, builder}, reply.text(), reply.words()];

// Runs a command that creates an operand. `write` writes the rest of the request.
function operandOf(command, builder, write, other) {
  const number = next();
  write(requestTo(builder, command).word(number));
  const reply = run(command);
  record(builder, command, {number, ...other});
  return described(builder, number, reply);
}

// Creates a constant. `partAt(begin, end)` returns an ArrayBuffer of the constant's bytes, or a promise of it; fillThere() calls
// it once for each part.
function constantOf(builder, dataType, shape, size, partAt) {
  builder.size += size;
  const made = operandOf('constant', builder, (to) => to.text(dataType).words(shape), {data: size});
  builder.constants.push({number: made[0].number, size, partAt});
  return made;
}

function constant(builder, dataType, shape, bytes) {
  const parts = partsOf(bytes);
  const made = constantOf(builder, dataType, shape, bytes.length, (begin) => {
    const part = parts[begin / partBytes];
    parts[begin / partBytes] = undefined;
    return part;
  });
  if (isFollowed(builder)) fillThere(builder, builder.constants.splice(0));
  return made;
}

function append(builder, index, label, fields) {
  const first = last + 1;
  requestTo(builder, 'append').word(first).word(index).text(label);
  for (const field of fields) writer.field(field);
  const reply = run('append');
  record(builder, 'append');
  return Array.from({length: reply.word()}, () => described(builder, next(), reply));
}

// Checks the call immediately. Then sends the host the builder's calls and constants that were not sent yet. The host compiles the
// graph.
function build(builder, names, operands, id, stop) {
  const number = next();
  requestTo(builder, 'build').word(number).word(names.length);
  names.forEach((name, i) => writer.text(name).word(operands[i].number));
  writer.byte(false);  // not stopped; the host sets this byte if the call is stopped
  run('build');
  const graph = handle('releaseGraph', number, {context: builder.context});
  const command = entryOf('build', {builder: builder.number, stop: stop?.number});
  finish(buildThere(builder, command, stop).then(() => graph), id);
}

// Sends the bytes of constants. The host's garbage collector may free transferred buffers late. Therefore, if constants exceed
// `mostTransferred`, large parts are copied into one buffer, which the host sends back each time.
async function fillThere({number: builder, of, size: sum}, constants, stop) {
  let shuttle;
  for (const {number, size: total, partAt} of constants) {
    for (let offset = 0; offset < total; offset += partBytes) {
      const part = partAt(offset, Math.min(offset + partBytes, total)), data = part instanceof ArrayBuffer ? part : await part;
      if (of !== engine) throw makeError('InvalidStateError', 'build: the context is lost.');  // the constants are gone, too
      requireNotStopped(stop);
      const size = data.byteLength, entry = {command: 'fill', number, offset, size, builder};
      if (sum <= mostTransferred || size <= smallPart) {
        send({...entry, data}, [data]);
      } else {
        shuttle ??= new ArrayBuffer(partBytes);
        new Uint8Array(shuttle).set(new Uint8Array(data));
        data.transfer?.(0);
        shuttle = await ask({...entry, data: shuttle}, [shuttle]);
      }
    }
  }
}

// Throws if a stop was requested. The host applies a stop only to entries sent before it, so none may be sent after it.
function requireNotStopped(stop) {
  if (stop?.isStopped) throw makeError('AbortError', 'build: a stop was requested.');
}

async function buildThere(builder, command, stop) {
  const {log, constants} = builder;
  builder.log = builder.constants = undefined;
  for (const entry of log) send(entry);
  try {
    await fillThere(builder, constants, stop);
    requireNotStopped(stop);
    await ask(command);
  } finally {
    if (builder.of === engine) {
      request().word(builder.number);
      send(entryOf('releaseBuilder', {builder: builder.number}));
    }
  }
}

platform.native = {
  makesBuffers: true,  // readTensor() allocates the buffer, so the caller need not

  operations: () => operationTable,
  connect(errorMaker, settler) {
    makeError = errorMaker;
    settle = settler;
  },

  createContext(options, id) { finish(makeContext(options), id); },
  accelerated: (context) => context.accelerated,
  service: () => '',
  whenLost({number}, id) { losses.set(number, (message) => settle(id, undefined, message)); },
  opSupportLimits,
  destroyContext(context) {
    forget(context.number);
    if (context.of !== engine) return 'the worker ended.';
    request().word(context.number);
    return runAndSend('destroyContext').text();
  },

  createTensor,
  createConstantTensor,
  writeTensor,
  readTensor,
  destroyTensor: sending('destroyTensor'),

  dispatch,
  destroyGraph: sending('destroyGraph'),
  // A cancellation has a number. Entries that it can stop carry this number as `stop`.
  createCancellation: () => ({number: next(), isStopped: false}),
  cancel(stop) {
    stop.isStopped = true;
    send({command: 'stop', stop: stop.number});
  },

  createBuilder,
  requireCanBuild(builder, method) {
    requestTo(builder, method).text(method);
    run('requireCanBuild');
  },
  input: (builder, name, dataType, shape) => operandOf('input', builder, (to) => to.text(name).text(dataType).words(shape)),
  constant,
  constantOf,
  scalar: (builder, dataType, value) => operandOf('scalar', builder, (to) => to.text(dataType).field(value)),
  constantTensor: (builder, tensor) => operandOf('constantTensor', builder, (to) => to.word(tensor.number)),
  append,
  build,
};

// For tests: returns the statistics of both modules.
configure[Symbol.for('webnn.statistics')] = async () => {
  const there = await ask({command: 'statistics'});
  return {page: engine.statistics(), host: there};
};
