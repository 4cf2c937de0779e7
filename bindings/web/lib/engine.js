'use strict';
const {Reader} = require('./message.js');

// An error of a command. `kind` is "TypeError" or the name of a DOMException.
class CommandError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// Returns the memory that the module exports or (with threads) imports. Searches for it by type, because the linker shortens its
// name.
function memoryOf(imports, instance) {
  const all = [...Object.values(instance.exports), ...Object.values(imports).flatMap(Object.values)];
  return all.find((value) => value instanceof WebAssembly.Memory);
}

// Starts a worker and adds it to the thread pool once it has loaded the module, because a thread cannot begin earlier. Also
// resolves if the worker cannot be started.
function addWorker(pool) {
  pool.allocateUnusedWorker();
  const worker = pool.unusedWorkers.pop();
  return new Promise((resolve) => {
    const failed = (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();  // Emscripten's listener would throw
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
  #teams = new Set();  // thread counts for which workers were started

  // `create` is the function that Emscripten generates. `compiled` is a WebAssembly.Module.
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

  // Runs a command with an encoded request. Returns a Reader of the reply, which is valid until the next command. Throws
  // CommandError.
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

  // Returns a view of the module's memory. It is valid until the next command, or until a thread makes the memory grow. `address`
  // may be negative, because functions return addresses above 2 GiB as negative numbers.
  bytes(address, size) { return new Uint8Array(this.#memory.buffer, address >>> 0, size); }

  // Starts the workers for contexts with `threads` threads (0: one per processor). Contexts with the same number share them. Call
  // this before the command that uses the workers, because no worker can start during a command. If some workers fail to start,
  // contexts use fewer threads. Does nothing in a module without threads.
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

  // For tests. Returns the numbers of objects, the allocated bytes, the size of the memory and the number of threads.
  statistics() {
    const reply = this.run('statistics', new Uint8Array());
    const counts = ['contexts', 'builders', 'tensors', 'graphs', 'operands', 'bytes'].map((name) => [name, reply.word()]);
    const threads = this.#module.PThread?.runningWorkers.filter(({loaded}) => loaded).length ?? 0;
    return {...Object.fromEntries(counts), memory: this.#memory.buffer.byteLength, threads};
  }
}

module.exports = {CommandError, Engine};
