'use strict';
// The settings of the package. entry.mjs adds the URLs of the package's files.
// In Firefox, threads are off: `new Worker()` in a worker, which starts threads, sometimes does not return
// (docs/guides/web_tests.md).
const startsThreads = () => !/ Firefox\//.test(globalThis.navigator?.userAgent ?? '');

const settings = {
  worker: true, threads: startsThreads(), relaxedSimd: true,
  files: {},  // URLs by file name in the package
  module: undefined, readerModule: undefined, loadThreads: undefined, importReader: undefined,
};
const variants = ['webnn-relaxed.wasm', 'webnn-threads.wasm', 'webnn-threads-relaxed.wasm'];

const page = () => globalThis.document?.baseURI ?? globalThis.location?.href;

// Implements configure(). See Configuration in index.d.ts.
function configure({worker, threads, relaxedSimd, base, wasm, module, readerModule} = {}) {
  if (worker !== undefined) settings.worker = Boolean(worker);
  if (threads !== undefined) settings.threads = Boolean(threads);
  if (relaxedSimd !== undefined) settings.relaxedSimd = Boolean(relaxedSimd);
  if (base !== undefined) {
    const folder = new URL(`${base}`.replace(/\/?$/, '/'), page());
    for (const name of Object.keys(settings.files)) settings.files[name] = new URL(name, folder);
  }
  if (wasm !== undefined) {
    settings.files['webnn.wasm'] = new URL(wasm, page());
    for (const name of variants) settings.files[name] = new URL(name, settings.files['webnn.wasm']);
  }
  if (module !== undefined) settings.module = module;
  if (readerModule !== undefined) settings.readerModule = readerModule;
}

// Returns whether threads can start. Their scripts import each other by name from one directory, but bundlers may rename files.
// Emscripten starts threads from the script's URL, which must have the page's origin.
const liesTogether = () => {
  const {origin, pathname} = new URL(settings.files['worker.js']);
  return pathname.endsWith('/worker.js') && origin === globalThis.location?.origin;
};

// Returns a script that imports a script of another origin and then repeats messages that arrived before. It uses import(),
// because WebKit rejects import statements here in isolated pages.
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

// Starts a worker with a script of the package. Browsers reject a worker script of another origin, but a script of this origin
// may import such a script.
function startWorker(script, name) {
  if (globalThis.location && new URL(script).origin !== globalThis.location.origin) {
    script = URL.createObjectURL(new Blob([importing(script)], {type: 'text/javascript'}));
  }
  return new Worker(script, {type: 'module', name});
}

module.exports = {configure, liesTogether, settings, startWorker};
