'use strict';
// An instance of the WebAssembly module.
const {Reader} = require('./message.js');

// Thrown where a command failed: kind is "TypeError" or the name of a DOMException.
class CommandError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// The module's own, or that which its threads share: under a short name that the linker chose.
function memoryOf(imports, instance) {
  const all = [...Object.values(instance.exports), ...Object.values(imports).flatMap(Object.values)];
  return all.find((value) => value instanceof WebAssembly.Memory);
}

// Adds a worker for a thread to the pool once it has the module: a thread that a command started on it before then could not
// begin. Resolved then, or when it cannot be started.
function addWorker(pool) {
  pool.allocateUnusedWorker();
  const worker = pool.unusedWorkers.pop();
  return new Promise((resolve) => {
    const failed = (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();  // Emscripten would throw
      worker.terminate();
      resolve();
    };
    worker.addEventListener('error', failed);
    pool.loadWasmModuleToWorker(worker).then(() => {
      worker.removeEventListener('error', failed);
      pool.unusedWorkers.push(worker);
      resolve();
    });
  });
}

class Engine {
  #module;
  #memory;
  #commands;
  #request = 0;
  #capacity = 0;
  #teams = new Set();  // numbers of threads that there are workers for

  // `create` is Emscripten's function for the module, `compiled` the module.
  static async create(create, compiled) {
    const engine = new Engine();
    engine.#module = await new Promise((resolve, reject) => {
      create({
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(compiled, imports).then((instance) => {
            engine.#memory = memoryOf(imports, instance);
            done(instance, compiled);
          }).catch(reject);
          return {};
        },
      }).then(resolve, reject);
    });
    const names = engine.#module.UTF8ToString(engine.#module._webnn_commands()).split(',');
    engine.#commands = new Map(names.map((name, i) => [name, i]));
    return engine;
  }

  // Runs a command with the bytes of its request: a Reader of its reply, until the next command.
  run(command, request) {
    const module = this.#module;
    if (request.length > this.#capacity) {
      if (this.#request) module._free(this.#request);
      this.#capacity = 0;
      this.#request = module._malloc(2 * request.length);
      if (!this.#request) throw new CommandError('UnknownError', 'there is not enough memory.');
      this.#capacity = 2 * request.length;
    }
    this.bytes(this.#request, request.length).set(request);
    const succeeded = module._webnn_run(this.#commands.get(command), this.#request, request.length);
    const reply = new Reader(this.bytes(module._webnn_reply(), module._webnn_reply_size()));
    if (!succeeded) throw new CommandError(reply.text(), reply.text());
    return reply;
  }

  // A part of its memory, until the next command. Views become outdated where any thread makes the memory grow. An address above
  // 2 GiB that a function returns is a negative number.
  bytes(address, size) { return new Uint8Array(this.#memory.buffer, address >>> 0, size); }

  // Starts workers for contexts of so many threads (0: of as many as there are processors), of which all have the same ones:
  // threads that commands start could not begin before the command ends. Contexts do with fewer where some cannot be started.
  // Without effect in the module without threads.
  async reserve(threads) {
    const pool = this.#module.PThread;
    if (!pool) return;
    const count = threads || navigator.hardwareConcurrency;
    if (this.#teams.has(count)) return;
    this.#teams.add(count);
    const added = [];
    for (let i = 1; i < count; ++i) added.push(addWorker(pool));
    await Promise.all(added);
  }

  // For tests: how many objects there are, the bytes that are allocated, the memory that they are in, and how many threads there
  // are.
  statistics() {
    const reply = this.run('statistics', new Uint8Array());
    const counts = ['contexts', 'builders', 'tensors', 'graphs', 'operands', 'bytes'].map((name) => [name, reply.word()]);
    const threads = this.#module.PThread?.runningWorkers.filter(({loaded}) => loaded).length ?? 0;
    return {...Object.fromEntries(counts), memory: this.#memory.buffer.byteLength, threads};
  }
}

module.exports = {CommandError, Engine};
