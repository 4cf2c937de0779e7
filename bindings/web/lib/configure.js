'use strict';
// Where the package's files are, and whether it has a worker. The build adds the files' addresses: see entry.mjs.
const settings = {
  worker: true, threads: true, module: undefined,
  wasm: undefined, threadsWasm: undefined, loadThreads: undefined, makeWorker: undefined,
};

// Before the first context: `worker: false` computes on the thread that calls, which then does nothing else; `threads: false` uses
// one thread in isolated pages, too; `wasm` is the address of webnn.wasm, beside which webnn-threads.wasm is; `module` is a compiled
// WebAssembly.Module of webnn.wasm.
function configure({worker, threads, wasm, module} = {}) {
  if (worker !== undefined) settings.worker = Boolean(worker);
  if (threads !== undefined) settings.threads = Boolean(threads);
  if (wasm !== undefined) {
    settings.wasm = new URL(wasm, globalThis.location?.href);
    settings.threadsWasm = new URL('webnn-threads.wasm', settings.wasm);
  }
  if (module !== undefined) settings.module = module;
}

module.exports = {configure, settings};
