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

class Engine {
  #module;
  #commands;
  #request = 0;
  #capacity = 0;

  // `create` is Emscripten's function for the module.
  static async create(create, settings) {
    const engine = new Engine();
    engine.#module = await create(settings);
    const names = engine.#module.UTF8ToString(engine.#module._webnn_commands()).split(',');
    engine.#commands = new Map(names.map((name, i) => [name, i]));
    return engine;
  }

  // Runs a command with the bytes of its request: a Reader of its reply, until the next command.
  run(command, request) {
    const module = this.#module;
    if (request.length > this.#capacity) {
      if (this.#request) module._free(this.#request);
      this.#capacity = 2 * request.length;
      this.#request = module._malloc(this.#capacity);
      if (!this.#request) throw new CommandError('UnknownError', 'there is not enough memory.');
    }
    module.HEAPU8.set(request, this.#request);
    const succeeded = module._webnn_run(this.#commands.get(command), this.#request, request.length);
    const reply = new Reader(this.bytes(module._webnn_reply(), module._webnn_reply_size()));
    if (!succeeded) throw new CommandError(reply.text(), reply.text());
    return reply;
  }

  // For tests: how many objects there are, the bytes that are allocated, and the memory that they are in.
  statistics() {
    const reply = this.run('statistics', new Uint8Array());
    const counts = ['contexts', 'builders', 'tensors', 'graphs', 'operands', 'bytes'].map((name) => [name, reply.word()]);
    return {...Object.fromEntries(counts), memory: this.#module.HEAPU8.length};
  }

  // A part of its memory, until the next command.
  bytes(address, size) { return this.#module.HEAPU8.subarray(address, address + size); }
}

module.exports = {CommandError, Engine};
