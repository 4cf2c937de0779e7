'use strict';
// Reads a graph file with webnn-reader.wasm or webnn-onnx.wasm (see src/reader.h). Each reader reads one file and is then
// discarded with its memory.
const {CommandError, Engine} = require('./engine.js');
const {Writer} = require('./message.js');
const common = require('webnn_onnx');
const whole = require('webnn_reader');

const partBytes = 4 << 20, mostBytes = 0x7fffffff;

class GraphReader {
  #engine;

  // `module` is webnn-onnx.wasm if `isCommon`, else webnn-reader.wasm.
  static async create(module, isCommon) {
    const reader = new GraphReader();
    reader.#engine = await Engine.create(isCommon ? common : whole, module);
    return reader;
  }

  // Reads the files. Returns the module's reply as a Uint8Array; see read() in src/reader.cpp. Throws CommandError.
  async read({files, dimensions, limits}) {
    for (const {role, name, blob} of files) await this.#take(role, name, blob);
    const request = new Writer().limits(limits).word(dimensions.length);
    for (const [name, size] of dimensions) request.text(name).word(size);
    const reply = this.#engine.run('read', request.bytes);
    return reply.rest().slice();
  }

  // Copies a file into the module's memory in parts.
  async #take(role, name, blob) {
    if (blob.size > mostBytes) throw new CommandError('OperationError', `load: a file of ${blob.size} bytes is above ${mostBytes}.`);
    const address = this.#engine.run('file', new Writer().text(role).text(name).word(blob.size).bytes).word();
    for (let at = 0; at < blob.size; at += partBytes) {
      const part = new Uint8Array(await blob.slice(at, at + partBytes).arrayBuffer());
      this.#engine.bytes(address + at, part.length).set(part);
    }
  }

  // Returns a copy of a constant's bytes as an ArrayBuffer.
  bytes(address, size) { return this.#engine.bytes(address, size).slice().buffer; }
}

// The main loop of a worker's script. The first message is {module, isCommon}; each later message, {read} or {bytes}, is answered
// in order.
function serve() {
  let reader, last = Promise.resolve();
  const answer = async ({module, isCommon, read, bytes}) => {
    try {
      if (module) {
        reader = await GraphReader.create(module, isCommon);
        return;
      }
      const value = read ? (await reader.read(read)).buffer : reader.bytes(...bytes);
      postMessage({value}, [value]);
    } catch (error) {
      postMessage({error: {kind: error instanceof CommandError ? error.kind : 'UnknownError', message: error.message}});
    }
  };
  addEventListener('message', ({data}) => { last = last.then(() => answer(data)); });
}

// Serve requests if this script runs in the package's worker. Otherwise the package has imported it to read without a worker.
if (typeof WorkerGlobalScope === 'function' && globalThis instanceof WorkerGlobalScope && globalThis.name === 'webnn-reader') serve();

module.exports = {GraphReader};
