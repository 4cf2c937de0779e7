'use strict';
// What the JavaScript layer of the Node.js package (bindings/node/lib) needs in a browser, in the place of its own platform.js.
//
// Calls are checked at once by a module of WebAssembly on the page, which holds no tensors, no weights and computes nothing, and are
// then sent to another one in a worker, which carries them out. Objects have the same numbers in both.
const {CommandError, Engine} = require('./engine.js');
const {mostSpare} = require('./host.js');
const {Writer} = require('./message.js');
const {configure} = require('./configure.js');
const {connectHost} = require('./connect.js');
const {platform} = require('../../js/platform.js');
const operationTable = require('webnn-operations');

let makeError, settle;

// --- The module of the page, and the connection to the worker.

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

const answers = new Map();  // by the id of the entry: {resolve, reject}
let lastEntry = 0;
const losses = new Map();  // by number of context: called with the message when it is lost by itself

function answered({id, error, value, spent}) {
  if (spent) keepSpare(spent);
  const {resolve, reject} = answers.get(id);
  answers.delete(id);
  error ? reject(makeError(error.kind, error.message)) : resolve(value);
}

// Nothing can be computed any more: contexts are lost, and the next one starts modules and a worker anew.
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

// --- Commands.

const writer = new Writer();
const request = () => writer.clear();

let last = 0;
const next = () => (last = (last + 1) >>> 0);

// A request whose first word is the number of an object. Those of an earlier module are lost.
function requestTo({number, of}, command) {
  if (of !== engine) throw makeError('InvalidStateError', `${command}: the context is lost.`);
  return request().word(number);
}

// A request that makes an object of a context.
function requestOf(context, number, command) {
  if (context.of !== engine) throw makeError('InvalidStateError', `${command}: the context is lost.`);
  return request().word(number).word(context.number);
}

// Runs a command on the page. Throws what JavaScript's callers expect.
function run(command) {
  try {
    return engine.run(command, writer.bytes);
  } catch (error) {
    if (error instanceof CommandError) throw makeError(error.kind, error.message);
    failed(`the module of the page: ${error.message}`);  // a trap: its state can be anything
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

// Sends an entry to the worker, with others of the same task: not all of them, so that it works while the page still checks
// calls.
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

// The same for an entry that asks for an answer: a promise of it.
function ask(entry, buffers) {
  if (!host) return Promise.reject(makeError('InvalidStateError', `${entry.command}: the context is lost.`));
  const id = ++lastEntry;
  return new Promise((resolve, reject) => {
    answers.set(id, {resolve, reject});
    send({...entry, id}, buffers);
  });
}

// The entry for the writer's request.
const entryOf = (command, other) => ({command, request: writer.bytes.slice(), ...other});

// Runs the command of the writer's request on the page and sends it.
function runAndSend(command, other) {
  const reply = run(command);
  send(entryOf(command, other));
  return reply;
}

// A function that does so for a command whose request is the number of an object.
const sending = (command) => (object) => {
  if (object.of !== engine) return;
  request().word(object.number);
  runAndSend(command);
};

const finish = (promise, id) => promise.then((value) => settle(id, undefined, value), (error) => settle(id, error));

// Nobody hears of the loss of a context any more: the promise that waits for it settles, and can be collected.
function forget(number) {
  losses.get(number)?.('');
  losses.delete(number);
}

// --- Objects. What JavaScript has collected is released on both sides.

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

// --- Contexts.

const mostThreads = 32;  // or as many as there are processors

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
  // Each is a worker, of which a page has room for some hundreds.
  const threads = Math.min(options.threads, Math.max(mostThreads, navigator.hardwareConcurrency));
  write(false, threads);
  const {accelerated} = await ask(entryOf('createContext', {threads}));
  return Object.assign(made, {accelerated, limits: options.limits});
}

// An object evaluates its members in the order of their source.
const limitsOf = (reply) => ({dataTypes: reply.list(() => reply.text()), rankRange: {min: reply.word(), max: reply.word()}});

function opSupportLimits(context) {
  requestTo(context, 'opSupportLimits');
  const reply = run('opSupportLimits');
  const limits = {preferredInputLayout: reply.text(), maxTensorByteLength: reply.real()};
  for (const name of ['input', 'constant', 'output']) limits[name] = limitsOf(reply);
  const named = (read) => Object.fromEntries(reply.list(() => [reply.text(), read()]));
  return Object.assign(limits, named(() => named(() => limitsOf(reply))));
}

// --- Tensors.

function createTensor(context, dataType, shape, readable, writable) {
  const number = next();
  requestOf(context, number, 'createTensor').text(dataType).words(shape).byte(readable).byte(writable);
  run('createTensor');
  const ready = ask(entryOf('createTensor'));
  return [handle('releaseTensor', number), dataType, shape, ready];
}

function createConstantTensor(context, dataType, shape, bytes) {
  const number = next();
  requestOf(context, number, 'createConstantTensor').text(dataType).words(shape);
  run('createConstantTensor');
  const data = bytes.slice().buffer;
  const ready = ask(entryOf('createConstantTensor', {data}), [data]);
  return [handle('releaseTensor', number), dataType, shape, ready];
}

// Buffers of earlier writes, which the host has sent back: the first touch of new memory costs more than the copy.
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
  writer.byte(false);  // whether it is stopped
  runAndSend('dispatch', {stop: stop?.number});
}

// --- Builders. The worker follows their calls as they are made, but of those with many bytes of constants it hears when they
// build: until then they keep what they were told.

// Constants go to the worker in parts, so that memory holds each of them once.
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

// Whether the worker follows its calls.
const isFollowed = ({size}) => size <= mostTransferred;

// A tensor may be destroyed or collected before the builder builds: the worker hears of it at once.
function record(builder, command, other) {
  const entry = entryOf(command, {builder: builder.number, ...other});
  isFollowed(builder) || command === 'constantTensor' ? send(entry) : builder.log.push(entry);
}

// [handle, data type, shape]. The handle keeps the builder, with which it is released.
const described = (builder, number, reply) => [{number, builder}, reply.text(), reply.words()];

// One that makes an operand: `write` adds the rest of the request.
function operandOf(command, builder, write, other) {
  const number = next();
  write(requestTo(builder, command).word(number));
  const reply = run(command);
  record(builder, command, {number, ...other});
  return described(builder, number, reply);
}

// Its bytes are those that `partAt(begin, end)` gives as an ArrayBuffer or a promise of one, once for each part, during build().
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

// Checks at once; then the worker is told of everything, the constants part by part, and compiles.
function build(builder, names, operands, id, stop) {
  const number = next();
  requestTo(builder, 'build').word(number).word(names.length);
  names.forEach((name, i) => writer.text(name).word(operands[i].number));
  writer.byte(false);  // whether it is stopped
  run('build');
  const graph = handle('releaseGraph', number, {context: builder.context});
  const command = entryOf('build', {builder: builder.number, stop: stop?.number});
  finish(buildThere(builder, command, stop).then(() => graph), id);
}

// The bytes of constants. A buffer that is transferred to a worker may take memory until the worker's garbage is collected: where
// they are many, large parts are copied into one buffer, which goes to the worker and comes back.
async function fillThere({number: builder, of, size: sum}, constants, stop) {
  let shuttle;
  for (const {number, size: total, partAt} of constants) {
    for (let offset = 0; offset < total; offset += partBytes) {
      const part = partAt(offset, Math.min(offset + partBytes, total)), data = part instanceof ArrayBuffer ? part : await part;
      if (of !== engine) throw makeError('InvalidStateError', 'build: the context is lost.');  // another engine knows no such constant
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

// The host forgets a stop once it has come to it: what is sent later would not be stopped.
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
  makesBuffers: true,  // readTensor's promise gives one

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
  // Entries that it stops bear its number.
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

// For tests.
configure[Symbol.for('webnn.statistics')] = async () => {
  const there = await ask({command: 'statistics'});
  return {page: engine.statistics(), host: there};
};
