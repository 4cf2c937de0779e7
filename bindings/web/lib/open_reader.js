'use strict';
// Starts a reader of graph files: in its own worker or, after configure({worker: false}), on this thread.
const {makeError} = require('../../js/native.js');
const {settings, startWorker} = require('./configure.js');
const {compiled} = require('./connect.js');

// A GraphReader in a worker. close(reason) terminates the worker and rejects pending calls. If `isCommon`, the reader reads
// only ONNX models of common operators.
class RemoteReader {
  #worker;
  #waiting = [];  // {resolve, reject} of pending calls, in order
  #ended;  // {reason} after close()

  constructor(module, isCommon) {
    this.isCommon = isCommon;
    this.#worker = startWorker(settings.files['reader.js'], 'webnn-reader');
    this.#worker.addEventListener('message', ({data: {value, error}}) => {
      if (error) return this.close(makeError(error.kind, error.message));  // a reader that has failed is unusable
      this.#waiting.shift().resolve(value);
    });
    this.#worker.addEventListener('error', (event) => {
      this.close(makeError('UnknownError', `load: the reader ended: ${event.message ?? 'its script could not be loaded.'}`));
    });
    this.#worker.postMessage({module, isCommon});
  }
  #ask(question) {
    if (this.#ended) return Promise.reject(this.#ended.reason);
    return new Promise((resolve, reject) => {
      this.#waiting.push({resolve, reject});
      this.#worker.postMessage(question);
    });
  }
  async read(request) { return new Uint8Array(await this.#ask({read: request})); }
  bytes(address, size) { return this.#ask({bytes: [address, size]}); }
  close(reason) {
    this.#ended ??= {reason};
    this.#worker.terminate();
    for (const {reject} of this.#waiting.splice(0)) reject(reason);
  }
}

// Opens a reader. `wantsCommon` selects webnn-onnx.wasm, which reads only ONNX models of common operators, unless the page has
// configured `readerModule`.
async function openReader(wantsCommon) {
  const isCommon = wantsCommon && !settings.readerModule;
  const module = settings.readerModule ?? await compiled(settings.files[isCommon ? 'webnn-onnx.wasm' : 'webnn-reader.wasm'], 'load');
  if (settings.worker) return new RemoteReader(module, isCommon);
  const {GraphReader} = await settings.importReader();
  const reader = await GraphReader.create(module, isCommon);
  return {
    isCommon,
    read: (request) => reader.read(request).catch((error) => { throw makeError(error.kind ?? 'UnknownError', error.message); }),
    bytes: (address, size) => reader.bytes(address, size),
    close() {},
  };
}

module.exports = {openReader};
