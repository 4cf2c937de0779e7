'use strict';
// Where the package's files are, and whether it has a worker. entry.mjs adds the files' addresses.
// In Firefox `new Worker()` in a worker, which starts threads, does not always return (docs/guides/web_tests.md).
const startsThreads = () => !/ Firefox\//.test(globalThis.navigator?.userAgent ?? '');

const settings = {
  worker: true, threads: startsThreads(), relaxedSimd: true,
  wasm: undefined, relaxedWasm: undefined, threadsWasm: undefined, threadsRelaxedWasm: undefined, workerScript: undefined, onnxWasm: undefined, readerWasm: undefined, readerScript: undefined,  // URLs
  module: undefined, readerModule: undefined, loadThreads: undefined, importReader: undefined,
};

const page = () => globalThis.document?.baseURI ?? globalThis.location?.href;

// The variants of webnn.wasm are beside it.
function findVariants(wasm) {
  settings.wasm = wasm;
  settings.relaxedWasm = new URL('webnn-relaxed.wasm', wasm);
  settings.threadsWasm = new URL('webnn-threads.wasm', wasm);
  settings.threadsRelaxedWasm = new URL('webnn-threads-relaxed.wasm', wasm);
}

// Before the first context: `worker: false` computes on the thread that calls, which then does nothing else; `threads`: whether
// isolated pages use several, which is the default but in Firefox; `relaxedSimd: false` uses no relaxed SIMD; `base` is the address of the folder with the
// package's files, `wasm` that of webnn.wasm alone, beside which the other variants are; `module` and `readerModule` are compiled WebAssembly.Modules of webnn.wasm and
// webnn-reader.wasm.
function configure({worker, threads, relaxedSimd, base, wasm, module, readerModule} = {}) {
  if (worker !== undefined) settings.worker = Boolean(worker);
  if (threads !== undefined) settings.threads = Boolean(threads);
  if (relaxedSimd !== undefined) settings.relaxedSimd = Boolean(relaxedSimd);
  if (base !== undefined) {
    const folder = new URL(`${base}`.replace(/\/?$/, '/'), page());
    findVariants(new URL('webnn.wasm', folder));
    settings.workerScript = new URL('worker.js', folder);
    settings.onnxWasm = new URL('webnn-onnx.wasm', folder);
    settings.readerWasm = new URL('webnn-reader.wasm', folder);
    settings.readerScript = new URL('reader.js', folder);
  }
  if (wasm !== undefined) {
    findVariants(new URL(wasm, page()));
  }
  if (module !== undefined) settings.module = module;
  if (readerModule !== undefined) settings.readerModule = readerModule;
}

// Whether the files have their own names in one folder, as scripts of threads find each other. Bundlers give them others.
// Nor do they start where the page is of another origin: Emscripten starts them by their own address.
const liesTogether = () => {
  const {origin, pathname} = new URL(settings.workerScript);
  return pathname.endsWith('/worker.js') && origin === globalThis.location?.origin;
};

// Imports a script of another origin, and gives it the messages that came before it. `import` as a statement is refused by WebKit in
// isolated pages.
const importing = (script) => `
const early = [];
const keep = (event) => {
  event.stopImmediatePropagation();
  early.push(event.data);
};
addEventListener('message', keep);
import(${JSON.stringify(`${script}`)}).then(() => {
  removeEventListener('message', keep);
  for (const data of early) dispatchEvent(new MessageEvent('message', {data}));
}, (error) => setTimeout(() => { throw error; }));`;

// A worker of a script of the package, wherever that is: browsers start none of another origin, but such a script may import it.
function startWorker(script, name) {
  if (globalThis.location && new URL(script).origin !== globalThis.location.origin) {
    script = URL.createObjectURL(new Blob([importing(script)], {type: 'text/javascript'}));
  }
  return new Worker(script, {type: 'module', name});
}

module.exports = {configure, liesTogether, settings, startWorker};
