'use strict';
// Where the package's files are, and whether it has a worker. The build adds the files' addresses: see entry.mjs.
const settings = {worker: true, wasm: undefined, module: undefined, makeWorker: undefined};

// Before the first context: `worker: false` computes on the thread that calls, which then does nothing else; `wasm` is the address
// of webnn.wasm, `module` a compiled WebAssembly.Module of it.
function configure({worker, wasm, module} = {}) {
  if (worker !== undefined) settings.worker = Boolean(worker);
  if (wasm !== undefined) settings.wasm = wasm;
  if (module !== undefined) settings.module = module;
}

module.exports = {configure, settings};
